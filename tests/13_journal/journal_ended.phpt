--TEST--
A journal ends and begins again while processes add keys, and no version denies a key whose add() has returned
--DESCRIPTION--
fault: no-mark
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis();
?>
--INI--
bloom.path={TMP}/bloom-journal_ended
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/secrets.inc';
require __DIR__ . '/../lib/redis.inc';
with_redis_extension();

/* Adders write each key into the "database", a file, before they add it, and into a second file once add() has returned. The
 * publisher ends the journal again and again, and begins it again. After each publish, its host looks up every key whose add()
 * has returned. */
const ADDER = <<<'CODE'
    $journal = new Bloom\Journal('tags', $store);
    [, $me, $files] = $argv;
    $database = fopen("$files/database", 'a');
    $accepted = fopen("$files/accepted", 'a');
    for ($i = 0; !file_exists("$files/stop"); $i++) {
        $key = "key $me $i";
        fwrite($database, "$key\n");
        try {
            $journal->add($key);
            fwrite($accepted, "$key\n");
        } catch (Bloom\KindException) {
            // the application knows that no host finds the key before the next build
        }
        usleep(500);
    }
    echo 'done';
    CODE;
const PUBLISHER = <<<'CODE'
    [, $files, $rounds] = $argv;
    $journal = new Bloom\Journal('tags', $store);
    $publish = function (?string $mark) use ($store, $files): void {
        $builder = new Bloom\Builder(100_000, 1e-9, seed: 1, layout: new Bloom\Layout(shardBytes: 65536));
        $builder->addFile("$files/database");
        $blob = $builder->build(mark: $mark);
        (ini_get('bloom.signing_key_file') === '' ? $blob : $blob->sign('tags'))->publish($store, 'tags', endJournal: $mark === null);
    };
    $found = function (string $when) use ($store, $files): void {
        Bloom\Filter::sync('tags', $store, 0, force: true);
        $keys = file("$files/accepted", FILE_IGNORE_NEW_LINES);
        $lost = array_diff($keys, Bloom\Filter::open('tags')->candidates($keys));
        if ($lost !== []) {
            echo "$when: ", count($lost), ' of ', count($keys), ' accepted keys are denied, such as ', reset($lost), "\n";
        }
    };
    for ($i = 0; $i < $rounds; $i++) {
        $publish($journal->mark());
        $found("$i: with a mark");
        usleep(5000);
        for ($try = 0; ; $try++) {
            try {
                $publish(null);
                break;
            } catch (Bloom\KindException $thrown) {
                if ($thrown->getCode() !== Bloom\Status::BlobLacks->value || $try > 0) {
                    throw $thrown; // once the journal has ended, no key can be missing
                }
            }
        }
        $found("$i: without a mark");
    }
    CODE;

/** @param array<string, string> $settings */
function compete(string $what, string $store, array $settings): void
{
    $files = own_file(strtr($what, ' ', '-'));
    mkdir($files);
    touch("$files/database");
    touch("$files/accepted");
    $code = "\$store = $store;\n";
    $settings += ['bloom.path' => "$files/host"];
    $adders = array_map(fn (int $i): Child => new Child($code . ADDER, $settings , [$i, $files]), [1, 2]);
    $said = (new Child("$code\n" . PUBLISHER, $settings, [$files, 10]))->end();
    check($said === '', "$what: $said");
    touch("$files/stop");
    foreach ($adders as $adder) {
        $ended = $adder->end();
        check($ended === 'done', "$what: an adder: $ended");
    }
    check(filesize("$files/accepted") > 0 && filesize("$files/accepted") < filesize("$files/database"), "$what: keys were accepted and refused");
}

$server = new RedisServer;
$directory = own_file('store');
foreach (['plain' => [], 'signed' => ['bloom.signing_key_file' => has_sodium() ? ring('signing-keys', 'key') : '']] as $how => $settings) {
    if ($how === 'signed' && !has_sodium()) {
        continue;
    }
    mkdir("$directory-$how");
    compete("directory $how", 'new Bloom\DirectoryStore(' . var_export("$directory-$how", true) . ')', $settings);
    compete("redis $how", '(function () { $client = new Redis(); $client->connect(' . var_export($server->socket, true)
        . "); return new Bloom\\RedisStore(\$client, 'bloom-$how:'); })()", $settings);
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--

--TEST--
Under FPM each pool has its own secrets; other pools cannot read them, requests cannot replace them, and a reload rotates them
--DESCRIPTION--
fault: other-ring
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/fpm.inc';
require __DIR__ . '/../lib/secrets.inc';
skip_without_fpm();
skip_without_sodium();
?>
--INI--
bloom.path={TMP}/bloom-fpm_secrets
--FILE--
<?php
require __DIR__ . '/../lib/secrets.inc';
require __DIR__ . '/../lib/fpm.inc';

use Bloom\Builder;

$fingerprint = fn (string $name) => (new Builder(1, secret: secret($name)))->info()->keyedBy;
$pools = ['www' => 'www-data', 'other' => 'nobody'];
foreach ($pools as $pool => $user) {
    mkdir(own_file($pool), 0700);
    give(own_file($pool), $user);
}
// Only the user of a pool can read its files. Both pools name the files of www.
chmod(own_file(), 0755);
foreach (['secrets', 'signers', 'theirs'] as $ring) {
    give(ring($ring, $ring), 'www-data');
}
$settings = fn (string $pool) => ['bloom.path' => own_file($pool), 'bloom.secret_file' => own_file('secrets'), 'bloom.signing_key_file' => $pool === 'www' ? own_file('signers') : ''];
$fpm = new FpmServer($pools, <<<'PHP'
    $name = strtok($action, ' ');
    $key = strtok(' ');
    $try = function (callable $call) {
        try {
            return $call();
        } catch (Bloom\BloomException $error) {
            return $error::class . ': ' . $error->getMessage();
        }
    };
    $build = fn () => (new Bloom\Builder(10, seed: 1))->build(builtAt: 1.0);
    return match ($name) {
        'add' => ['keyed' => $try(fn () => [Bloom\LiveFilter::create($key, 100, keyed: true)->add('a'), Bloom\LiveFilter::open($key)->info()->keyedBy][1])],
        'plain' => ['has' => $try(fn () => [Bloom\LiveFilter::create($key, 100)->add('a'), Bloom\LiveFilter::open($key)->mightContain('a')][1])],
        'look' => [
            'has' => $try(fn () => Bloom\Filter::open($key)->candidates(['a', 'b'])),
            'now' => $try(fn () => (new Bloom\Builder(1, keyed: true))->info()->keyedBy),
            'unsigned' => $try(fn () => Bloom\Filter::load('loaded', $build())->name()),
            'signed' => $try(fn () => Bloom\Filter::load('loaded', $build()->sign('loaded'))->name()),
            'set' => @ini_set('bloom.secret_file', '/dev/null'),
        ],
    };
    PHP, ['www' => $settings('www'), 'other' => $settings('other')]);

// Returns the distinct answers of the workers as text. Normally there is only one.
$words = [own_file() => '{own}', $fingerprint('secrets') => '{secrets}', $fingerprint('theirs') => '{theirs}', $fingerprint('new') => '{new}'];
$say = fn (array $answers) => implode("\n", array_unique(array_map(fn ($answer) => strtr(json_encode(array_diff_key($answer, ['pid' => 0]), JSON_UNESCAPED_SLASHES), $words), $answers)));

echo $say([$fpm->ask('www', 'add keyed')]), "\n", $before = $say($fpm->ask_each('www', 'look keyed')), "\n";

echo "-- the other pool\n", $say([$fpm->ask('other', 'add keyed')]), "\n", $say([$fpm->ask('other', 'plain ordinary')]), "\n";

// Workers keep the secrets that they have used, even if a request changes the settings.
$shown = [];
foreach (['PHP_VALUE', 'PHP_ADMIN_VALUE'] as $parameter) {
    for ($i = 0; $i < 40; $i++) {
        $shown[] = $fpm->ask('www', 'look keyed', parameters: [$parameter => 'bloom.secret_file=' . own_file('theirs') . "\nbloom.signing_key_file="]);
    }
}
check($say($shown) === $before, 'with other settings: ' . $say($shown));
check($say($fpm->ask_each('www', 'look keyed')) === $before, 'and after that');

// Workers read a new current secret after a reload of FPM. Filters that the old secret keyed still work.
ring('secrets', 'new', 'secrets');
give(own_file('secrets'), 'www-data');
check($say($fpm->ask_each('www', 'look keyed')) === $before, 'not before');
$old = array_keys($fpm->ask_each('www', 'look keyed'));
$fpm->signal('USR2');
do {
    usleep(20000); // until the last old worker has exited
} while (array_intersect(array_keys($fpm->ask_each('www', 'look keyed')), $old));
echo "-- reloaded\n", $say($fpm->ask_each('www', 'look keyed')), "\n", $say([$fpm->ask('www', 'add newer')]), "\n";

// Neither the answers nor the logs contain any part of a secret.
$fpm->stop();
$logged = file_get_contents(own_file('fpm') . '/log') . file_get_contents(own_file('fpm') . '/out');
foreach (['secrets', 'signers', 'new'] as $name) {
    check(!str_contains($logged, bin2hex(secret($name))) && !str_contains($logged, secret($name)), "$name is not logged");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
{"keyed":"{secrets}"}
{"has":["a"],"now":"{secrets}","unsigned":"Bloom\\SignatureException: loaded: the blob is not signed, but signing keys are configured (sign it, or unset bloom.signing_key_file)","signed":"loaded","set":false}
-- the other pool
{"keyed":"Bloom\\SecretException: {own}/secrets: the secret file cannot be read: its path must be absolute, and its size at most 16 KiB: Permission denied"}
{"has":true}
-- reloaded
{"has":["a"],"now":"{new}","unsigned":"Bloom\\SignatureException: loaded: the blob is not signed, but signing keys are configured (sign it, or unset bloom.signing_key_file)","signed":"loaded","set":false}
{"keyed":"{new}"}

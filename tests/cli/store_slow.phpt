--TEST--
list, info and diff end by --timeout and name the store if it falls silent in an answer, hangs up or sends garbage
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-store_slow
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
skip_without_redis();
if (extension_file('redis') === null) {
    die('skip the redis extension is not installed');
}
if (!(is_file('/usr/share/php/Predis/autoload.php') || is_dir(__DIR__ . '/../../vendor/predis'))) {
    die('skip Predis is not installed');
}
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/slow.inc';
require __DIR__ . '/cli.inc';

$clients = ['ext-redis' => new Cli(['igbinary', 'redis']), 'Predis' => new Cli()];
$redis = new RedisServer($clients['Predis']->directory);
$builder = new Bloom\Builder(1000, seed: 1);
$builder->addMany(range(1, 1000));
$blob = $builder->build(builtAt: 1_700_000_000);
foreach ($clients as $cli) {
    $blob->save("$cli->files/tags.bloom");
    foreach (['tags', 'users'] as $name) {
        $cli->run(['publish', $name, 'tags.bloom', "redis://$redis->socket"]);
    }
    $cli->run(['sync', 'tags', "redis://$redis->socket"]);
}
$slow = new SlowServer($redis->socket);
$store = "redis://$slow->socket";
$length = (int) substr($redis->ask('STRLEN bloom:tags')[0], 1);
$nonce = "$32\r\n" . str_repeat('n', 32) . "\r\n";
$answer = strlen("*3\r\n$nonce*3\r\n$$length\r\n\r\n$-1\r\n$-1\r\n$nonce") + $length;
// Without --timeout, a client waits for 60 seconds or forever.
$run = fn (Cli $cli, float $timeout, string ...$command): Result => $cli->wait($cli->start(['timeout', '30', "$cli->directory/bin/bloom", "--timeout=$timeout", ...$command], ''));
foreach ($clients as $client => $cli) {
    // The answers about the two filters have $answer bytes each. ext-redis applies no timeout within a value.
    foreach (['silent 0', 'silent 3', ...($client === 'Predis' ? ['silent 2000'] : []), 'close 3', 'garbage 0'] as $mode) {
        foreach ([['list', $store], ['list', 'tags', 'users', $store], ['info', 'tags', $store], ['diff', 'tags', $store]] as $command) {
            $slow->set(...explode(' ', $mode));
            $result = $run($cli, 0.05, ...$command);
            $why = str_starts_with($mode, 'silent') ? "the store $store did not answer within 0.05 s (--timeout raises the limit)" : "the store $store";
            check($result->code === 75 && str_contains($result->errors, $why), "$client, $mode, $command[0]: $result->code $result->errors");
            check(!str_contains($result->errors, 'PIPELINE'), "$client, $mode, $command[0]: $result->errors");
        }
    }
    // One filter is shown, and the failure is reported for the other.
    $slow->set('silent', $answer);
    $result = $run($cli, 0.2, 'list', 'tags', 'users', $store);
    echo $result->output, str_replace($slow->socket, '{socket}', $result->errors), "exit $result->code\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
NAME           VERSION                    BUILT  KEYS   SIZE  HOSTS SERVE   THIS HOST
 tags  c7c776d32babf4a4  2023-11-14 22:13:20 UTC   998  6 KiB      current  up to date
users                 ?                        ?     ?      ?            ?  not loaded
bloom: users: the store redis://{socket} did not answer within 0.2 s (--timeout raises the limit)
exit 75
 NAME           VERSION                    BUILT  KEYS   SIZE  HOSTS SERVE   THIS HOST
 tags  c7c776d32babf4a4  2023-11-14 22:13:20 UTC   998  6 KiB      current  up to date
users                 ?                        ?     ?      ?            ?  not loaded
bloom: users: the store redis://{socket} did not answer within 0.2 s (--timeout raises the limit)
exit 75

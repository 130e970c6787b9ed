--TEST--
The memory of sync --every does not grow over many rounds, switches and failures
--DESCRIPTION--
fault: days-of-handles
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/sync_every.inc';
if (getenv('BLOOM_TEST_SANITIZE')) {
    die('skip the sanitizer delays the release of freed memory');
}
skip_without_console();
skip_without_pcntl();
?>
--FILE--
<?php
require __DIR__ . '/sync_every.inc';

$cli = new Cli();
mkdir("$cli->files/store");
publish($cli, 'a', 1000, 1);
publish($cli, 'bad', 1000, 1);
$cli->write('store/bad', str_repeat('x', 8192));
$syncing = new Syncing($cli, '--every=0.001', 'missing', 'a', 'bad', "$cli->files/store");

$version = 1;
$go = static function (int $rounds, int $switches) use ($cli, $syncing, &$version): void {
    for ($end = $version + $switches; $version < $end;) {
        $version++;
        publish($cli, 'a', 1000 + $version, $version);
        check($syncing->awaits("a: switched to generation $version,"), "version $version");
    }
    $goal = looks($cli, 'a') + $rounds;
    check(comes_true(fn (): bool => looks($cli, 'a') >= $goal), "$rounds rounds");
    usleep(1000);
};
check($syncing->awaits('a: switched to generation 1,'), 'version 1');
$go(200, 20);
$before = [$syncing->memory('RssAnon'), ...$syncing->holds()];
$go(1000, 20);
$after = [$syncing->memory('RssAnon'), ...$syncing->holds()];
check($after[0] <= $before[0] + 64, "$before[0] KiB, then $after[0] KiB");
check(abs($after[1] - $before[1]) <= 3, "descriptors: $before[1], then $after[1]");
check($after[2] === $before[2] || $after[2] <= 6, "mappings: $before[2], then $after[2]");
echo 'exit ', $syncing->end(), "\n";
echo substr_count($syncing->log(), "\n") - $version, " lines of failures\n";
?>
--EXPECT--
exit 0
2 lines of failures

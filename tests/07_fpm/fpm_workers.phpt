--TEST--
At its next lookup, every worker sees what a command-line process of the pool's user has loaded, despite reloads, restarts and kills
--DESCRIPTION--
fault: fpm-restart
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/fpm.inc';
skip_without_fpm();
?>
--INI--
bloom.path={TMP}/bloom-fpm_workers
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/fpm.inc';

$segment = segment_path();
mkdir($segment, 0700);
give($segment, 'www-data');
own_file();
$load = function (string $prefix) use ($segment): void {
    $blob = own_file("$prefix.bloom");
    blob_of(keys($prefix, 1000), builtAt: crc32($prefix) % 1_700_000_000)->save($blob);
    chmod($blob, 0644);
    chmod(dirname($blob), 0755);
    echo "load $prefix", run(
        'Bloom\Filter::load("booth", Bloom\Blob::open(' . var_export($blob, true) . '));',
        before: as_user('www-data')
    ), "\n";
};
$fpm = new FpmServer(['www' => 'www-data'], <<<'PHP'
    $filter = Bloom\Filter::find('booth');
    if (!$filter) {
        return ['has' => 'not loaded'];
    }
    $keys = json_decode($body, true);
    return ['has' => count($filter->candidates($keys)) . ' of ' . count($keys), 'generation' => $filter->info()->generation];
    PHP, ['www' => ['bloom.path' => $segment]]);

$old = json_encode(keys('old', 1000));
$new = json_encode(keys('new', 1000));
echo values($fpm->ask_each('www', body: $old), 'has'), "\n";
$load('old');
echo values($fpm->ask_each('www', body: $old), 'has'), "\n";
$load('new');
echo values($fpm->ask_each('www', body: $new), 'has'), "\n";
echo values($fpm->ask_each('www', body: $new), 'generation'), " is the generation\n";

$before = array_keys($fpm->ask_each('www', body: $new));
$fpm->kill_worker($before[0]);
$after = array_keys($fpm->ask_each('www', body: $new));
echo 'a killed worker is replaced: ', count(array_diff($after, $before)), " new\n";
echo values($fpm->ask_each('www', body: $new), 'has'), "\n";

$fpm->signal('USR2');
do {
    usleep(20000); // until the last old worker has exited
    $reloaded = array_keys($fpm->ask_each('www', body: $new));
} while (array_intersect($reloaded, $after));
echo 'after a reload, ', values($fpm->ask_each('www', body: $new), 'has'), "\n";

$fpm->stop();
$fpm->start();
echo 'after a restart, ', values($fpm->ask_each('www', body: $new), 'has'), "\n";
echo implode("\n", tree($segment)), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
4 workers: "not loaded"
load old
4 workers: "1000 of 1000"
load new
4 workers: "1000 of 1000"
4 workers: 2 is the generation
a killed worker is replaced: 1 new
4 workers: "1000 of 1000"
after a reload, 4 workers: "1000 of 1000"
after a restart, 4 workers: "1000 of 1000"
booth
booth/0000000000000002.bloom
booth/control

--TEST--
Filters of all kinds work without /proc, and in a chroot where the path leads elsewhere
--DESCRIPTION--
fault: odd-file-system
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
if (getenv('BLOOM_TEST_SANITIZE')) {
    die('skip the sanitizers need /proc');
}
if (!function_exists('chroot')) {
    die('skip this PHP has no chroot()');
}
exec('unshare -m sh -c "mount -t tmpfs none /proc" 2>/dev/null', $output, $status);
if ($status !== 0) {
    echo 'skip mounts are not permitted here';
}
?>
--INI--
bloom.path={TMP}/bloom-process_chroot
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/clock.inc';
use Bloom\Filter;

$use = 'foreach (KINDS as $kind) {
        $filter = Bloom\Filter::find($kind) ?? made($kind);
        put($filter, "$argv[1]");
        check(held(Bloom\Filter::open($kind), "$argv[1]"), "$kind $argv[1]");
    }
    Bloom\Filter::load("loaded", blob_of(["$argv[1]"]));
    check(Bloom\Filter::open("loaded")->mightContain("$argv[1]"), "loaded");
    echo count(Bloom\Filter::list()), " ";';
$inc = 'require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ';';
echo (new Child($inc . 'check(!is_dir("/proc/self"), "no /proc");' . $use, [], ['none'], 'exec unshare -m sh -c \'mount -t tmpfs none /proc && exec "$@"\' sh'))->end(), "\n";
foreach (KINDS as $kind) {
    check(held(Filter::open($kind), 'none'), "$kind, with /proc");
}

// On a disk the control page records the boot. Without /proc the boot is unknown, and any recorded boot is accepted.
$disk = '/var/tmp/bloom-process_chroot.' . getmypid();
mkdir($disk, 0700);
foreach (['with' => '', 'without' => 'exec unshare -m sh -c \'mount -t tmpfs none /proc && exec "$@"\' sh', 'again' => ''] as $what => $before) {
    echo (new Child($inc . $use, ['bloom.path' => $disk], [$what], $before))->end();
}
echo (new Child($inc . 'foreach (KINDS as $kind) { foreach (["with", "without", "again"] as $key) { check(held(Bloom\Filter::open($kind), $key), "$kind $key"); } }', ['bloom.path' => $disk]))->end(), "\n";
remove_tree($disk);

// With another root the process creates a segment there, once a second has passed. A handle that was opened before keeps
// working.
mkdir(own_file('jail'), 0700);
mkdir(own_file('jail') . dirname(segment_path()), 0755, true);
echo (new Child($inc . 'require ' . var_export(dirname(__DIR__) . '/lib/clock.inc', true) . ';
    $before = Bloom\Filter::open("counting");
    Clock::advance(1.0);
    chroot($argv[2]);
    check($before->mightContain("none"), "the old handle keeps its mapping");
    ' . $use . '
    check(!Bloom\Filter::open("live")->mightContain("none"), "the new root has its own filter");', [], ['jailed', own_file('jail')], 'exec ' . Clock::prefix('clock')))->end(), "\n";
check(in_array('live/control', tree(own_file('jail') . segment_path()), true), 'the filter is in the new root');
check(!Filter::open('live')->mightContain('jailed'), 'the old root is unchanged');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
6
666
6

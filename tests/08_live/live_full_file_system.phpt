--TEST--
On a full file system, no filter is created or grows, and no key is refused or lost
--DESCRIPTION--
fault: no-space, space-later
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/tmpfs.inc';
skip_without_tmpfs();
?>
--INI--
bloom.path={TMP}/bloom-live_full_file_system
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/tmpfs.inc';

echo run_on_tmpfs('256k', 'require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ';
    $text = fn (callable $call) => preg_replace("/\d{5,}/", "N", str_replace($tmpfs, "{tmpfs}", thrown($call)));
    foreach (KINDS as $kind) {
        echo $text(fn () => made($kind, 3_000_000)), "\n";
        check(array_diff(tree("$tmpfs/segment"), [$kind]) === [], "$kind: nothing is left but its directory");
        Bloom\Filter::drop($kind);
    }
    check(tree("$tmpfs/segment") === [], "no file is left: " . implode(" ", tree("$tmpfs/segment")));
    $live = made("live", 1000);
    $counting = made("counting", 1000);
    $sliding = made("sliding", 1000);
    $reverse = made("reverse", 1000);
    $scalable = made("scalable", 10_000);
    $scalable->addMany(keys("k", 2000));
    check($scalable->info()->growthFailures === 0 && count($scalable->info()->layers) > 1, "it grows while there is room");
    @file_put_contents("$tmpfs/ballast", str_repeat("x", 400_000));
    // Existing filters have their space reserved, so every bit can be written.
    foreach ([$live, $counting, $sliding, $reverse] as $filter) {
        array_map(fn (string $key) => put($filter, $key), keys("full", 5000));
        check_held($filter, keys("full", 5000), $filter::class);
    }
    for ($i = 0; $i < 20; $i++) {
        $scalable->addMany(keys("more$i.", 1000));
    }
    $info = $scalable->info();
    check($info->growthFailures > 0, "it cannot grow");
    echo preg_replace("/is [\d.]+ %/", "is N %", $info->warning), "\n";
    for ($i = 0; $i < 20; $i++) {
        check_held($scalable, keys("more$i.", 1000), "scalable");
    }
    check_held($scalable, keys("k", 2000), "scalable");
    echo $text(fn () => Bloom\Filter::load("loaded", blob_of([], 1000))), "\n";
    unlink("$tmpfs/ballast");
    $end = hrtime(true) + 60e9;
    for ($i = 0; hrtime(true) < $end && count($scalable->info()->layers) === count($info->layers); $i++) {
        $scalable->addMany(keys("room$i.", 100));
        usleep(20_000);
    }
    check(count($scalable->info()->layers) > count($info->layers), "with room it grows on");
    check_held($scalable, keys("room0.", 100), "scalable");
    foreach (["live", "counting", "sliding", "scalable", "reverse", "loaded"] as $kind) {
        Bloom\Filter::drop($kind);
    }
    echo implode(" ", tree($tmpfs)), "\n";
', ['bloom.path' => own_file('tmpfs/segment')]), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\SegmentException: {segment}/live: needs N bytes, N free: the file system has too little free space (free some space, raise --shm-size if you use Docker, or set bloom.path to a larger tmpfs)
Bloom\SegmentException: {segment}/counting: needs N bytes, N free: the file system has too little free space (free some space, raise --shm-size if you use Docker, or set bloom.path to a larger tmpfs)
Bloom\SegmentException: {segment}/scalable: needs N bytes, N free: the file system has too little free space (free some space, raise --shm-size if you use Docker, or set bloom.path to a larger tmpfs)
Bloom\SegmentException: {segment}/sliding: needs N bytes, N free: the file system has too little free space (free some space, raise --shm-size if you use Docker, or set bloom.path to a larger tmpfs)
Bloom\SegmentException: {segment}/reverse: needs N bytes, N free: the file system has too little free space (free some space, raise --shm-size if you use Docker, or set bloom.path to a larger tmpfs)
the false-positive rate is N %, over the requested 1 %; no layer could be added
Bloom\SegmentException: {segment}/loaded: needs 6144 bytes, 0 free: the file system has too little free space (free some space, raise --shm-size if you use Docker, or set bloom.path to a larger tmpfs)
segment

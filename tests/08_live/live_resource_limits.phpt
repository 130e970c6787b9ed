--TEST--
Under tight process limits and any umask, filters of every kind work or fail with a reason, and no key is lost
--DESCRIPTION--
fault: process-limit
--EXTENSIONS--
bloom
--SKIPIF--
<?php
if (getenv('BLOOM_TEST_EMULATED')) {
    die('skip qemu does not enforce all limits');
}
?>
--INI--
bloom.path={TMP}/bloom-live_resource_limits
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\DirectoryStore;
use Bloom\Filter;

$directory = own_file('store');
mkdir($directory);
$blob = blob_of(keys('k', 1000), 100_000, chunkBytes: 8192);
$blob->publish(new DirectoryStore($directory), 'ondemand');
$inc = 'require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ';
    $store = new Bloom\DirectoryStore(' . var_export($directory, true) . ');
    $text = fn (callable $call) => preg_replace("/\d{4,}/", "N", thrown($call));
    $make = fn (string $kind, int $capacity = 100_000) => $kind === "ondemand" ? Bloom\Filter::attach($kind, $store, 1 << 20) : made($kind, $capacity);
    $kinds = [...KINDS, "ondemand"];';

echo "-- the file size\n";
echo run($inc . 'foreach ($kinds as $kind) { echo $text(fn () => $make($kind)), "\n"; }
    check(tree(segment_path()) === [] || array_filter(tree(segment_path()), fn ($path) => str_contains($path, "bloom")) === [], "nothing is made");', [], 'ulimit -f 8;'), "\n";
foreach (KINDS as $kind) {
    Filter::drop($kind);
}
Filter::drop('ondemand');

// Existing filters have their space. A filter that cannot grow exceeds its capacity and refuses no key.
foreach (KINDS as $kind) {
    made($kind, 2000);
}
$keys = keys('full', 4000);
echo run($inc . '$keys = keys("full", 4000);
    foreach (KINDS as $kind) {
        $filter = Bloom\Filter::open($kind);
        foreach ($keys as $key) {
            put($filter, $key);
        }
    }
    check(Bloom\Filter::open("scalable")->info()->growthFailures > 0, "it could not grow");', [], 'ulimit -f 4;');
foreach (KINDS as $kind) {
    check_held(Filter::open($kind), $keys, "$kind, under a limit of the file size");
}

// A scalable filter that has grown keeps the descriptor of its lock, so it grows even if there is no other descriptor.
$grown = run($inc . '$keys = keys("more", 4000);
    $filter = made("scalable", name: "grown");
    foreach (keys("first", 150) as $key) {
        put($filter, $key);
    }
    for ($held = []; ($file = @fopen("/dev/null", "r"));) { $held[] = $file; }
    foreach ($keys as $key) {
        put($filter, $key);
    }
    check_held($filter, $keys, "grown");
    check($filter->info()->growthFailures === 0, "it could grow");', [], 'ulimit -n 64;');
check($grown === '' || !has_linux_calls(), "grown: $grown");
Filter::drop('grown');

// It depends on the time whether this scalable filter tries to grow again, so it gets space for all keys.
Filter::drop('scalable');
made('scalable', 100_000);

echo "-- descriptors\n";
$more = keys('more', 4000);
echo run($inc . '$more = keys("more", 4000);
    $filters = array_map(Bloom\Filter::open(...), KINDS);
    $large = $make("ondemand");
    check($large->mightContain("k1"), "k1");
    foreach ($filters as $filter) {
        put($filter, "more0"); // a counting filter keeps the descriptor that it locks
    }
    for ($held = []; ($file = @fopen("/dev/null", "r"));) { $held[] = $file; }
    foreach ($filters as $filter) {
        foreach ($more as $key) {
            put($filter, $key);
        }
        check_held($filter, $more, $filter::class);
    }
    check($large->candidates(keys("k", 1000)) === keys("k", 1000), "what cannot be fetched is maybe");
    foreach ($kinds as $kind) {
        $name = "new-$kind";
        echo $text(fn () => $kind === "ondemand" ? Bloom\Filter::attach($name, $store, 1 << 20) : made($kind, name: $name)), "\n";
    }
    echo $text(fn () => Bloom\Filter::list()), "\n";
    echo $text(fn () => Bloom\Filter::drop("live")), "\n";', [], 'ulimit -n 64;'), "\n";
foreach (KINDS as $kind) {
    check_held(Filter::open($kind), $more, "$kind, without descriptors");
}

// A child does not share the locks of its parent and must open the file. Without a free descriptor a counting filter
// throws, and no key is counted partly.
echo "-- a child without descriptors\n";
$counting = made('counting', name: 'fresh');
echo run($inc . '$counting = Bloom\Filter::open("fresh");
    $counting->add("once");
    if (pcntl_fork() === 0) {
        for ($held = []; ($file = @fopen("/dev/null", "r"));) { $held[] = $file; }
        echo $text(fn () => $counting->add("once")), "\n";
        $held = null;
        $counting->add("once");
        check($counting->count("once") === 2, "twice");
        exit;
    }
    pcntl_wait($status);', [], 'ulimit -n 64;'), "\n";
check($counting->count('once') === 2, 'seen by all');

if (!getenv('BLOOM_TEST_SANITIZE')) { // the sanitizers reserve the address space
    $limited = run($inc . 'foreach (KINDS as $kind) {
            $said = $text(fn () => made($kind, $kind === "scalable" ? 3_000_000_000 : 300_000_000, name: "huge-$kind"));
            check(preg_match("/out of memory|too little free space|Out of memory/i", $said) === 1, "$kind: $said");
        }
        check(Bloom\Filter::open("live")->mightContain("full1"), "others can still be mapped");', [], 'ulimit -v 400000;');
    check($limited === '', "addresses: $limited");
    check(array_filter(tree(segment_path()), fn ($path) => preg_match('~huge.*/.*(tmp|bloom)$~', $path)) === [], 'of what was too large nothing is left');
}
foreach (KINDS as $kind) {
    Filter::drop($kind);
    Filter::drop("huge-$kind");
}
Filter::drop('ondemand');
Filter::drop('fresh');

echo "-- umask\n";
foreach (['0', '077', '0777'] as $mask) {
    echo run($inc . 'umask(' . $mask . ');
        foreach ($kinds as $kind) {
            $make($kind, 100);
            $modes[] = sprintf("%o", fileperms(in_segment($kind)) & 07777);
            foreach (glob(in_segment("$kind/*")) as $file) {
                $modes[] = sprintf("%o", fileperms($file) & 07777);
            }
        }
        check(count($kinds) === count(Bloom\Filter::list()), "all");
        echo implode(" ", array_unique($modes)), "\n";'), "\n";
    foreach ([...KINDS, 'ondemand'] as $kind) {
        check(Filter::drop($kind), "$kind was there");
    }
}

echo "done\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
-- the file size
Bloom\SegmentException: live: the file would exceed the process's file size limit (RLIMIT_FSIZE)
Bloom\SegmentException: counting: the file would exceed the process's file size limit (RLIMIT_FSIZE)
Bloom\SegmentException: scalable: the file would exceed the process's file size limit (RLIMIT_FSIZE)
Bloom\SegmentException: sliding: the file would exceed the process's file size limit (RLIMIT_FSIZE)
Bloom\SegmentException: reverse: the file would exceed the process's file size limit (RLIMIT_FSIZE)
Bloom\SegmentException: ondemand: the file would exceed the process's file size limit (RLIMIT_FSIZE)
-- descriptors
Bloom\SegmentException: {segment}: the operating system refused the operation: Too many open files
Bloom\SegmentException: {segment}: the operating system refused the operation: Too many open files
Bloom\SegmentException: {segment}: the operating system refused the operation: Too many open files
Bloom\SegmentException: {segment}: the operating system refused the operation: Too many open files
Bloom\SegmentException: {segment}: the operating system refused the operation: Too many open files
Bloom\SegmentException: {segment}: the operating system refused the operation: Too many open files
Bloom\SegmentException: {segment}: the operating system refused the operation: Too many open files
Bloom\SegmentException: {segment}: the operating system refused the operation: Too many open files
-- a child without descriptors
Bloom\SegmentException: {segment}: the operating system refused the operation: Too many open files
-- umask
700 600
700 600
700 600
done

--TEST--
A process that uses, forgets and drops many filters keeps few mappings and descriptors, and no memory of dropped filters
--DESCRIPTION--
fault: days-of-handles, many-filters
--EXTENSIONS--
bloom
--SKIPIF--
<?php
if (!is_readable('/proc/self/maps')) {
    echo 'skip there is no /proc/self/maps';
}
?>
--INI--
bloom.path={TMP}/bloom-process_many_names
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\Filter;
use Bloom\LiveFilter;

echo run('require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ';
    use Bloom\{Filter, LiveFilter};

    // Elsewhere, two files are open for each filter whose lock was taken last, and one for each filter that grows.
    $locks = has_linux_calls() ? 8 : 16;
    $growing = has_linux_calls() ? 0 : 200;

    /** Returns the mappings of the segment, the mappings of removed files, and the open files of the segment. */
    function held_by_this_process(): array
    {
        $maps = preg_grep("~" . preg_quote(segment_path()) . "/~", file("/proc/self/maps"));
        $open = array_filter(array_map(fn ($fd) => @readlink("/proc/self/fd/$fd"), scandir("/proc/self/fd")),
            fn ($path) => str_starts_with((string) $path, segment_path()));
        return [count($maps), count(preg_grep("/\(deleted\)/", $maps)), count($open)];
    }

    // This process drops the filters, before or after it releases the handle.
    for ($i = 0; $i < 600; $i++) {
        $filter = made(KINDS[$i % count(KINDS)], 100, name: "dropped$i");
        put($filter, "k");
        if ($i % 3 === 0) {
            $filter = null;
        }
        Filter::drop("dropped$i");
    }
    $filter = null;
    check(held_by_this_process() === [0, 0, 0],
        "all dropped filters are released: " . json_encode(held_by_this_process()));

    // A remaining handle keeps only the control page, which records that the filter was dropped.
    $kept = made("live", 1_000_000);
    Filter::drop("live");
    check(held_by_this_process() === [1, 1, 0], "the bits are released: " . json_encode(held_by_this_process()));
    check(thrown(fn () => $kept->mightContain("k"), class: true) === "Bloom\NotFoundException",
        "a lookup reports the drop");
    $kept = null;
    check(held_by_this_process() === [0, 0, 0],
        "the page is released with the handle: " . json_encode(held_by_this_process()));

    // Without drops the least recently used filters are released. Each has two mappings.
    for ($i = 0; $i < 1000; $i++) {
        $filter = made(KINDS[$i % count(KINDS)], 100, name: "kept$i");
        put($filter, "k");
    }
    $filter = null;
    [$maps, $deleted, $open] = held_by_this_process();
    check($maps > 100 && $maps <= 128 * 2 && $deleted === 0 && $open <= $locks + ($growing > 0 ? 128 : 0), "a bounded number is kept: $maps, $deleted, $open");
    for ($i = 0; $i < 1000; $i++) {
        check(held(Filter::open("kept$i"), "k"), "kept$i has its key");
    }

    // Many handles keep many filters mapped, without a descriptor for each.
    $all = array_map(fn ($i) => Filter::open("kept$i"), range(0, 999));
    foreach ($all as $filter) {
        put($filter, "l");
        check(held($filter, "k") && held($filter, "l"), $filter->name());
    }
    [$maps, , $open] = held_by_this_process();
    check($maps >= 2000 && $open <= $locks + $growing, "1,000 filters in use: $maps mappings, $open files");
    $all = $filter = null;

    // Another process drops the filters.
    exec(getenv("TEST_PHP_EXECUTABLE") . " " . getenv("TEST_PHP_EXTRA_ARGS") . " -d bloom.path=" . ini_get("bloom.path")
        . " -r " . escapeshellarg("array_map([Bloom\Filter::class, \"drop\"], Bloom\Filter::list());"));
    check(held_by_this_process()[1] > 0, "filters that another process drops stay mapped at first");
    made("live", 100);
    check(held_by_this_process() === [2, 0, 0],
        "attaching to another filter releases them: " . json_encode(held_by_this_process()));
    echo "done";', [], 'ulimit -n ' . (has_linux_calls() ? 64 : 400) . ';'), "\n";
Filter::drop('live');
check(tree(segment_path()) === [], 'no other file is left: ' . implode(' ', tree(segment_path())));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done

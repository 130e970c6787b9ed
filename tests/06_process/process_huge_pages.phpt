--TEST--
In a tmpfs with huge=within_size, loaded and live filters use huge pages
--DESCRIPTION--
fault: page-size
--EXTENSIONS--
bloom
--SKIPIF--
<?php
exec('unshare -m mount -t tmpfs -o huge=within_size none /mnt 2>/dev/null', $output, $status);
$all = '/sys/kernel/mm/transparent_hugepage/shmem_enabled';
if ($status !== 0) {
    echo 'skip mounts are not permitted here';
} elseif (!is_readable($all) || str_contains(file_get_contents($all), '[deny]')) {
    echo 'skip the kernel does not provide huge pages for tmpfs';
}
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

// The process has a private mount. It prints how much of a 12 MB and a 10 MB filter is mapped with huge pages.
mkdir(own_file('mount'), 0700);
$before = 'unshare -m sh -c ' . escapeshellarg('mount -t tmpfs -o huge=within_size none ' . escapeshellarg(own_file('mount')) . ' && "$@"') . ' sh';
echo run('
    $builder = new Bloom\Builder(10_000_000);
    $builder->addMany(range(1, 1000));
    $filters = [
        Bloom\Filter::load("loaded", $builder->build()),
        Bloom\LiveFilter::create("live", 8_000_000),
    ];
    foreach ($filters as $filter) {
        for ($i = 0; $i < 10_000; $i++) {
            $filter->mightContain($i);
        }
    }
    preg_match_all("~^\S+ \S+ \S+ \S+ \S+ +\S+/segment/(loaded|live)@\d+/\S+\n(?:[A-Z].*\n)*?ShmemPmdMapped: +(\d+) kB~m",
        file_get_contents("/proc/self/smaps"), $all, PREG_SET_ORDER);
    foreach ($all as [, $name, $kilobytes]) {
        if ($kilobytes > 0) {
            echo $name, $kilobytes >= 8 << 10 ? ": huge\n" : ": $kilobytes kB only\n";
        }
    }
', ['bloom.path' => own_file('mount') . '/segment'], $before);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
loaded: huge
live: huge

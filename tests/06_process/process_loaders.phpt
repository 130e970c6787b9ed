--TEST--
Eight concurrent loaders take turns, and readers miss no key
--DESCRIPTION--
fault: concurrent-changes
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-process_loaders
bloom.lock_timeout=300
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$booth = Filter::load('booth', blob_of(['common']));
$loaders = [];
for ($i = 0; $i < 8; $i++) {
    $loaders[] = $loader = new Child('
        $blob = blob_of(["common", "by" . $argv[1]], 1000 + 500 * $argv[1]);
        echo "ready\n";
        fgets(STDIN);
        for ($i = 0; $i < 25; $i++) {
            Bloom\Filter::load("booth", $blob);
            check(Bloom\Filter::open("booth")->mightContain("common"), "common");
        }
        echo "done";
    ', [], [$i]);
    $loader->hear();
}
foreach ($loaders as $loader) {
    $loader->say('go');
}
$lookups = 0;
do {
    check($booth->mightContain('common'), 'common');
    $info = $booth->info();
    $lookups++;
} while ($info->loads < 201 && $lookups < 10_000_000);
foreach ($loaders as $loader) {
    check($loader->end() === 'done', 'a loader completes');
}
check($booth->info()->loads === 201 && $booth->info()->generation >= 201, json_encode($booth->info()->loads));
check(count(tree(segment_path())) === 3, 'only one generation is left: ' . implode(' ', tree(segment_path())));
check(count(array_filter(range(0, 7), fn ($i) => $booth->mightContain("by$i"))) >= 1, 'one of the versions is served');

// Repeat the test with one name per process, and with drops between the loads.
$workers = [];
for ($i = 0; $i < 8; $i++) {
    $workers[] = new Child('
        mt_srand($argv[1]);
        for ($i = 0; $i < 60; $i++) {
            $name = "f" . mt_rand(0, 2);
            try {
                match (mt_rand(0, 3)) {
                    0 => Bloom\Filter::drop($name),
                    1 => check(Bloom\Filter::find($name)?->mightContain("common") ?? true, "common"),
                    default => check(Bloom\Filter::load($name, blob_of(["common"]))->mightContain("common"), "common"),
                };
            } catch (Bloom\NotFoundException) {
                // another process dropped the filter in between
            }
        }
        echo "done";
    ', [], [$i]);
}
foreach ($workers as $worker) {
    echo $worker->end(), ' ';
}
foreach (Filter::list() as $name) {
    Filter::drop($name);
}
foreach (['f0', 'f1', 'f2'] as $name) {
    Filter::drop($name);
}
check(tree(segment_path()) === [], 'no other file is left: ' . implode(' ', tree(segment_path())));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done done done done done done done done

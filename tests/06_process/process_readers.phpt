--TEST--
Readers during 200 reloads miss no key, and each batch is answered from one generation
--DESCRIPTION--
fault: endless-reloads
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-process_readers
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

// The two blobs share some keys, and each also has its own keys. Its own keys are no false positives in the other blob.
$blobs = fn () => [
    blob_of([...keys('common', 500), ...keys('a', 500)], 2000, falsePositiveRate: 1e-9),
    blob_of([...keys('common', 500), ...keys('b', 500)], 2000, falsePositiveRate: 1e-9, shardBytes: 2048),
];
Filter::load('booth', $blobs()[0]);
$readers = [];
for ($i = 0; $i < 4; $i++) {
    $readers[] = $reader = new Child('
        $booth = Bloom\Filter::open("booth");
        [$common, $a, $b] = [keys("common", 500), keys("a", 500), keys("b", 500)];
        $batch = [...$a, ...$b, ...$common];
        $sets = [[...$a, ...$common], [...$b, ...$common]];
        $seen = [0, 0];
        stream_set_blocking(STDIN, false);
        echo "ready\n";
        for ($rounds = 0; fgets(STDIN) === false; $rounds++) {
            $found = array_values($booth->candidates($batch));
            $which = array_search($found, $sets, true);
            if ($which === false) {
                die("mixed: " . count($found) . " of " . count($batch) . "\n");
            }
            $seen[$which]++;
            foreach (array_slice($common, $rounds % 400, 100) as $key) {
                if (!$booth->mightContain($key)) {
                    die("lost: $key\n");
                }
            }
        }
        echo $booth->info()->mapFailures === 0 ? "fine\n" : "maps failed\n", json_encode($seen), "\n";
    ');
    check($reader->hear() === 'ready', 'ready');
}
$two = $blobs();
for ($i = 1; $i <= 200; $i++) {
    Filter::load('booth', $two[$i % 2]);
    usleep(500);
}
$both = [0, 0];
foreach ($readers as $reader) {
    $reader->say('stop');
    [$text, $seen] = explode("\n", $reader->end());
    echo $text, "\n";
    $both = array_map(fn ($x, $y) => $x + $y, $both, json_decode($seen));
}
check($both[0] > 0 && $both[1] > 0, 'readers saw both blobs: ' . json_encode($both));
check(Filter::open('booth')->info()->loads === 201, 'all loads are counted');
check(count(tree(segment_path())) === 3, 'only one generation is left');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
fine
fine
fine
fine

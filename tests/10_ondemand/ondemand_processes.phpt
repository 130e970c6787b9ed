--TEST--
Several processes share an on-demand filter's chunks, and no chunk is fetched twice
--DESCRIPTION--
fault: concurrent-changes
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-ondemand_processes
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/ondemand.inc';
use Bloom\Filter;

$blob = chunked(keys('k', 40000), 40000);
$chunks = count(chunk_keys($blob, 'large'));
mkdir(own_file('store'), 0700);
$store = new Bloom\DirectoryStore(own_file('store'));
$blob->publish($store, 'large');
Filter::attach('large', $store, 1 << 20);

// Four processes look up all keys at once, each in its own order. All of them count their reads of the directory.
$code = '
    final class Counting implements Bloom\Store
    {
        public array $got = [];
        public function __construct(private Bloom\Store $inner) {}
        public function getMultiple(array $keys): array { array_push($this->got, ...$keys); return $this->inner->getMultiple($keys); }
        public function missing(array $keys): array { return []; }
        public function set(string $key, string $value): void {}
        public function replace(string $key, ?string $expected, string $value): bool { return true; }
        public function deleteMultiple(array $keys): void {}
    }
    $store = new Counting(new Bloom\DirectoryStore(own_file("store")));
    $large = Bloom\Filter::attach("large", $store, 1 << 20);
    mt_srand((int) $argv[1]);
    $keys = keys("k", 40000);
    shuffle($keys);
    echo "ready\n";
    fgets(STDIN);
    foreach (array_chunk($keys, 400) as $i => $some) {
        $found = $argv[1] % 2 === 0 ? array_filter($some, $large->mightContain(...)) : $large->candidates($some);
        count($found) === 400 || print("missing in $i\n");
    }
    echo json_encode($store->got), "\n";
    $large = null;
    fgets(STDIN);
    $store = new Counting(new Bloom\DirectoryStore(own_file("store")));
    $large = Bloom\Filter::attach("large", $store, 1 << 20);
    $out = array_filter(keys("out", 5000), $large->mightContain(...));
    echo json_encode(array_values($out)), json_encode($store->got), "\n";';
$children = [];
for ($i = 0; $i < 4; $i++) {
    $children[] = new Child($code, [], [$i]);
}
foreach ($children as $child) {
    echo $child->hear(), "\n";
}
array_map(fn (Child $child) => $child->say('go'), $children);
$got = array_merge(...array_map(fn (Child $child) => json_decode($child->hear(), true) ?? ['what?'], $children));
check(count($got) === $chunks && count(array_unique($got)) === $chunks, 'each chunk was fetched once: ' . count($got) . " of $chunks");

// Once all chunks are resident, every process gives the same answers as the blob and does not call the store.
array_map(fn (Child $child) => $child->say('go'), $children);
$expected = json_encode(array_values(array_filter(keys('out', 5000), $blob->mightContain(...)))) . '[]';
foreach ($children as $child) {
    check($child->hear() === $expected, 'as the whole');
    check($child->end() === '', 'ended');
}
$large = Filter::open('large');
check($large->info()->chunksHere === $chunks && $large->info()->fetched === $chunks, 'all are here');
echo counters($large, 'evicted', 'fetchFailures', 'fetchPause'), "\n";

// Concurrent calls of attach() create only one filter.
$code = 'echo "ready\n"; fgets(STDIN);
    echo Bloom\Filter::attach("again", new Bloom\DirectoryStore(own_file("store")), 1 << 20)->info()->generation, "\n";';
$blob->publish($store, 'again');
$children = array_map(fn () => new Child($code), [1, 2, 3, 4]);
array_map(fn (Child $child) => $child->hear(), $children);
array_map(fn (Child $child) => $child->say('go'), $children);
echo implode(' ', array_map(fn (Child $child) => $child->hear() . $child->end(), $children)), ', ', counters(Filter::open('again'), 'generation'), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
ready
ready
ready
ready
evicted 0, fetchFailures 0, fetchPause 0
1 1 1 1, generation 1

--TEST--
While a map cannot be mapped or was withdrawn as damaged, get() throws instead of inventing a value, and every key is a candidate
--DESCRIPTION--
fault: map-unmapped
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-map_unavailable
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Blob, Filter, MapBuilder};

/** Builds a map of 5,000 keys, all with the same value. */
function map_of(int $value, float $builtAt): Blob
{
    $builder = new MapBuilder(5000, 8, seed: 3);
    foreach (keys('key', 5000) as $key) {
        $builder->set($key, $value);
    }
    return $builder->build($builtAt);
}

/** Prints what each call answers or throws, for a key of the map and for an absent one. */
function answers(string $when, Filter $map): void
{
    echo "$when\n";
    foreach (['key7', 'surely absent'] as $key) {
        echo '  get: ', thrown(fn () => printf('%s ', var_export($map->get($key), true))), "\n";
        echo '  getMany: ', thrown(fn () => printf('%s ', json_encode($map->getMany([$key])))), "\n";
        echo '  mightContain: ', json_encode($map->mightContain($key)), "\n";
        echo '  candidates: ', json_encode($map->candidates([$key])), ' ', json_encode($map->candidates(['x' => $key], 4)), ' ',
            json_encode($map->candidates(new ArrayIterator([$key]), 4)), "\n";
    }
}

// A process that has no descriptor left cannot map the new generation.
map_of(2, 2.0)->save(own_file('second'));
Filter::load('booth', map_of(1, 1.0));
$reader = new Child('
    $booth = Bloom\Filter::open("booth");
    check($booth->get("key7") === 1, "the first version");
    echo "ready\n";
    fgets(STDIN);
    for ($held = []; ($file = @fopen("/dev/null", "r"));) { $held[] = $file; }
    ' . "for (\$i = 0; \$i < 2; \$i++) {
        foreach (['key7', 'surely absent'] as \$key) {
            echo thrown(fn () => \$booth->get(\$key)), \"\\n\", thrown(fn () => \$booth->getMany([\$key])), \"\\n\";
            echo thrown(fn () => \$booth->getMany([])), \"\\n\";
            echo json_encode([\$booth->mightContain(\$key), \$booth->candidates(['x' => \$key]), \$booth->candidates(['x' => \$key], 4)]), \"\\n\";
            echo json_encode(\$booth->candidates((fn () => yield 5 => \$key)(), 4)), \"\\n\";
        }
        echo thrown(fn () => \$booth->candidates([null], 4)), \"\\n\";
    }" . '
    $held = null;
    check($booth->get("key7") === 2 && $booth->getMany(["key7"]) === [2], "mapped at last");
    check($booth->candidates(["key7"], 4) === [] && $booth->candidates(["key7"], 2) === ["key7"], "and the mask counts");
', [], [], 'ulimit -n 64;');
check($reader->hear() === 'ready', 'the reader has opened it');
Filter::load('booth', Blob::open(own_file('second')));
$reader->say('go');
echo $reader->end(), "\n";

// A sync finds that the served file is damaged, and its store fails.
$store = new ScriptedStore;
map_of(3, 3.0)->publish($store, 'synced');
Filter::sync('synced', $store);
$map = Filter::open('synced');
answers('served', $map);
$path = glob(in_segment('synced/*.bloom'))[0];
$file = fopen($path, 'r+');
fseek($file, -3000, SEEK_END);
fwrite($file, str_repeat("\0", 3000));
fclose($file);
$store->script = fn () => throw new RuntimeException('down');
check(thrown(fn () => Filter::sync('synced', $store, 0), class: true) === Bloom\StoreException::class, 'the sync fails');
answers('withdrawn', $map);
echo 'opened now: ', thrown(fn () => Filter::open('synced')->get('key7')), "\n";
$store->script = null;
check(switched(Filter::sync('synced', $store, 0)), 'the sync heals it');
answers('healed', $map);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\SegmentException: booth: the filter cannot currently be mapped into this process
Bloom\SegmentException: booth: the filter cannot currently be mapped into this process
Bloom\SegmentException: booth: the filter cannot currently be mapped into this process
[true,{"x":"key7"},{"x":"key7"}]
["key7"]
Bloom\SegmentException: booth: the filter cannot currently be mapped into this process
Bloom\SegmentException: booth: the filter cannot currently be mapped into this process
Bloom\SegmentException: booth: the filter cannot currently be mapped into this process
[true,{"x":"surely absent"},{"x":"surely absent"}]
["surely absent"]
TypeError: Bloom\LoadedMap::candidates(): Argument #1 ($keys) must contain only values of type string|int, null given at key 0
Bloom\SegmentException: booth: the filter cannot currently be mapped into this process
Bloom\SegmentException: booth: the filter cannot currently be mapped into this process
Bloom\SegmentException: booth: the filter cannot currently be mapped into this process
[true,{"x":"key7"},{"x":"key7"}]
["key7"]
Bloom\SegmentException: booth: the filter cannot currently be mapped into this process
Bloom\SegmentException: booth: the filter cannot currently be mapped into this process
Bloom\SegmentException: booth: the filter cannot currently be mapped into this process
[true,{"x":"surely absent"},{"x":"surely absent"}]
["surely absent"]
TypeError: Bloom\LoadedMap::candidates(): Argument #1 ($keys) must contain only values of type string|int, null given at key 0
served
  get: 3 nothing
  getMany: [3] nothing
  mightContain: true
  candidates: ["key7"] [] []
  get: NULL nothing
  getMany: [] nothing
  mightContain: false
  candidates: [] [] []
withdrawn
  get: Bloom\SegmentException: synced: the filter cannot currently be mapped into this process
  getMany: Bloom\SegmentException: synced: the filter cannot currently be mapped into this process
  mightContain: true
  candidates: ["key7"] {"x":"key7"} ["key7"]
  get: Bloom\SegmentException: synced: the filter cannot currently be mapped into this process
  getMany: Bloom\SegmentException: synced: the filter cannot currently be mapped into this process
  mightContain: true
  candidates: ["surely absent"] {"x":"surely absent"} ["surely absent"]
opened now: Bloom\SegmentException: synced: the filter cannot currently be mapped into this process
healed
  get: 3 nothing
  getMany: [3] nothing
  mightContain: true
  candidates: ["key7"] [] []
  get: NULL nothing
  getMany: [] nothing
  mightContain: false
  candidates: [] [] []

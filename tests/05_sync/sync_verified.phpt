--TEST--
Syncs verify the served file part by part, and a damaged filter answers "maybe" until a sync can replace it
--DESCRIPTION--
fault: damaged-store-down, loaded-damaged
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_verified
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Filter;

/** Inverts the last bytes of the served file. */
function damage(): void
{
    $path = glob(in_segment('booth/*.bloom'))[0];
    $file = fopen($path, 'r+');
    fseek($file, -5000, SEEK_END);
    $bytes = fread($file, 5000);
    fseek($file, -5000, SEEK_END);
    fwrite($file, ~$bytes);
    fclose($file);
}

/** Syncs until a sync switches generations or the pass ends. Returns the progress of the pass after each sync. */
function passes(Bloom\Store $store): string
{
    $steps = [];
    do {
        $switched = switched(Filter::sync('booth', $store, 0));
        $progress = Filter::open('booth')->info()->verifyProgress;
        $steps[] = $switched ? 'switched' : sprintf('%.2f', $progress);
    } while (!$switched && $progress > 0 && count($steps) < 10);
    return implode(' ', $steps);
}

// Four syncs verify the whole file of 3.6 MiB.
$blob = blob_of($keys = keys('key', 30_000), 3_000_000);
$store = new ScriptedStore;
$blob->publish($store, 'booth');
Filter::sync('booth', $store);
$booth = Filter::open('booth');
$info = $booth->info();
check($info->verifiedAt === $info->loadedAt && $info->verifyProgress === 0.0 && $info->damages === 0 && $info->damagedAt === null,
    'a load counts as a verification');
echo 'a pass: ', passes($store), "\n";
check($booth->info()->verifiedAt >= $info->loadedAt && $booth->info()->damages === 0,
    'a whole file passes verification');

damage();
$lost = count($keys) - count($booth->candidates($keys));
check($lost > 0, 'the damage hides some keys');
echo 'damaged: ', passes($store), ', ', count($booth->candidates($keys)), " keys\n";
$info = $booth->info();
echo $info->generation, ' ', $info->damages, ' ', preg_replace('/\d+/', 'N', $info->lastError), "\n";

// The store fails, so each sync throws. Once a sync has found the damage, lookups miss no key.
damage();
$store->script = fn () => throw new RuntimeException('down');
for ($syncs = 1; count($booth->candidates(['absent', ...$keys])) !== count($keys) + 1 && $syncs < 10; $syncs++) {
    check(thrown(fn () => Filter::sync('booth', $store, 0), true) === Bloom\StoreException::class,
        'the sync throws the StoreException');
}
check($booth->mightContain('absent'), 'every key may be present');
check($syncs === 5, 'the fourth sync finds the damage');
// In a process that has not mapped the filter, find() throws with the reason.
echo run('echo thrown(fn () => Bloom\Filter::find("booth"));'), "\n";
$damages = fn () => unpack('P', file_get_contents(in_segment('booth/control'), offset: 672, length: 8))[1];
echo $damages(), " damages\n";
check(thrown(fn () => Filter::sync('booth', $store, 0), true) === Bloom\StoreException::class && $damages() === 2,
    'the same damage is counted once');

// The store answers again.
$store->script = null;
check(switched(Filter::sync('booth', $store, 0)), 'the retry succeeds');
echo count($booth->candidates($keys)), ' of ', count($keys), ', and absent ones: ', count($booth->candidates(keys('absent', 1000))), "\n";
check(Filter::open('booth')->info()->damages === 2 && !switched(Filter::sync('booth', $store, 0)), 'the filter stays repaired');

// A load also replaces a damaged file.
damage();
$store->script = fn () => throw new RuntimeException('down');
check(thrown(fn () => Filter::sync('booth', $store, 0, force: true), true) === Bloom\StoreException::class,
    'the sync throws the StoreException');
check($booth->mightContain('absent'), 'a forced sync finds the damage as well');
Filter::load('booth', $blob);
echo count(Filter::open('booth')->candidates($keys)), "\n";

// A reverse index and a ribbon filter.
$store->script = null;
$builder = new Bloom\ReverseIndexBuilder(100, 1000, seed: 1);
$builder->add(7, 'value');
foreach (['reverse' => $builder->build(), 'ribbon' => blob_of(keys('key', 1000), scheme: Bloom\Scheme::Ribbon)] as $kind => $other) {
    Filter::drop('booth');
    $other->publish($store, 'booth');
    Filter::sync('booth', $store, 0);
    damage();
    check(switched(Filter::sync('booth', $store, 0)), "$kind: the sync replaces the damaged file");
    check(!switched(Filter::sync('booth', $store, 0)) && Filter::open('booth')->info()->damages === 1,
        "$kind: the damage is replaced once");
}

// An on-demand filter fetches a damaged chunk again at the next lookup of its keys.
Filter::drop('booth');
chunked($keys = keys('key', 5000))->publish($store, 'booth');
$booth = Filter::attach('booth', $store, 1 << 20);
check(count($booth->candidates($keys)) === 5000, 'all chunks are resident');
damage();
check(count($booth->candidates($keys)) < 5000, 'the damage hides some keys');
check(!switched(Filter::sync('booth', $store, 0)), 'the sync finds the same version');
$info = $booth->info();
echo $info->chunks - $info->chunksHere, ' chunks given up, ', $info->damages, ' damages, ', count($booth->candidates($keys)), " keys\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
a pass: 0.28 0.56 0.84 0.00
damaged: 0.28 0.56 0.84 switched, 30000 keys
3 1 the served file is damaged: shard N: the shard's checksum does not match
Bloom\SegmentException: {segment}/booth: the served file is damaged, so lookups answer maybe until a sync or a load succeeds
2 damages
30000 of 30000, and absent ones: 0
30000
5 chunks given up, 5 damages, 5000 keys

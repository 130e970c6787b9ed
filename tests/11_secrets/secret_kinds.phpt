--TEST--
Keyed filters of every kind find all their keys and few absent ones
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-secret_kinds
bloom.secret_file={TMP}/bloom-secret_kinds.d/secrets
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
skip_without_sodium();
?>
--FILE--
<?php
require __DIR__ . '/../lib/secrets.inc';

use Bloom\{Blob, Builder, CountingFilter, DirectoryStore, Filter, LiveFilter, ReverseIndex, ReverseIndexBuilder, ScalableFilter, SlidingFilter};

ring('secrets', 'current');
$fingerprint = (new Builder(1, secret: secret('current')))->info()->keyedBy;
mt_srand(7);
$keys = [];
while (count($keys) < 3000) {
    $keys[] = mt_rand() % 2 === 0 ? mt_rand() : random_key();
}
$absent = keys('absent', 5000);

function random_key(): string
{
    $bytes = '';
    for ($n = mt_rand(0, 40); $n > 0; $n--) {
        $bytes .= chr(mt_rand(0, 255));
    }
    return "k$bytes";
}

/** Checks that a filter finds all keys and at most $most of the absent keys. */
function compare(string $what, Filter|Blob $filter, int $most): void
{
    global $keys, $absent, $fingerprint;

    $info = $filter->info();
    check($info->digest === 'SipHash-2-4' && $info->keyedBy === $fingerprint, "$what is keyed");
    $missed = array_filter($keys, fn ($key) => !$filter->mightContain($key));
    check($missed === [], "$what misses none: " . count($missed));
    if ($filter instanceof Filter) {
        check($filter->candidates($keys) === $keys, "$what: candidates");
    }
    $wrong = count(array_filter($absent, fn ($key) => $filter->mightContain($key)));
    check($wrong <= $most, "$what: $wrong wrong ones");
}

// The limit of 78 is 1 % of 5,000 plus 4 sigma.
$builder = new Builder(3000, keyed: true, seed: 1);
$builder->addMany($keys);
compare('blob', $blob = $builder->build(1.0), 78);
compare('loaded', Filter::load('loaded', $blob), 78);
compare('string', Blob::fromString($blob->toString()), 78);
compare('merged', $blob->merge($blob), 78);

foreach ([
    'live' => LiveFilter::create('live', 3000, keyed: true, seed: 2),
    'counting' => CountingFilter::create('counting', 3000, keyed: true, seed: 3),
    'scalable' => ScalableFilter::create('scalable', 100, keyed: true, seed: 4),
    'sliding' => SlidingFilter::create('sliding', 3000, 0.01, 1e6, keyed: true, seed: 5),
] as $kind => $filter) {
    check($filter->addMany($keys) > 2800, "$kind: new ones");
    compare($kind, $filter, 78);
    if ($kind !== 'scalable') {
        compare("$kind exported", $filter->export(), 78);
    }
}
compare('imported', LiveFilter::import('imported', $blob), 78);
$counting = Filter::open('counting');
check($counting->remove($keys[0]) && $counting->count($keys[1]) > 0, 'counting');

// A filter that exists is keyed or not, whatever is requested.
echo thrown(fn () => LiveFilter::create('live', 3000, seed: 2)), "\n";

$index = ReverseIndex::create('index', 60, 3000, 0.001, 64, keyed: true);
$builder = new ReverseIndexBuilder(60, 3000, 0.001, 64, secret: secret('current'));
foreach ($keys as $n => $key) {
    $index->add($n % 60, $key);
    $builder->add($n % 60, $key);
}
$loaded = Filter::load('loaded_index', $built = $builder->build());
foreach (['index' => $index, 'loaded index' => $loaded, 'its blob' => $built] as $what => $one) {
    compare($what, $one, 500);
    foreach ($keys as $n => $key) {
        if (!in_array($n % 60, $one->groups($key), true)) {
            echo "$what: key $n is not in its group\n";
            break;
        }
    }
}

// A keyed on-demand filter with small chunks and memory for a few of them.
$builder = new Builder(3000, keyed: true, layout: new Bloom\Layout(shardBytes: 1024, chunkBytes: 1024));
$builder->addMany($keys);
$store = new DirectoryStore(own_file());
$builder->build(1.0)->publish($store, 'part');
compare('on demand', Filter::attach('part', $store, 20_000), 78);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/secrets.inc';
clean();
?>
--EXPECT--
Bloom\KindException: live: it is keyed: a filter with that name already exists (drop it first, or use it as it is)

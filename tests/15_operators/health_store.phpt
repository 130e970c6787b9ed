--TEST--
Filter::health() compares the served version with the store's. If the store fails, the status is Unknown unless something worse was found
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-health_store
--FILE--
<?php
require __DIR__ . '/health.inc';
use Bloom\{Filter, LiveFilter, Store};

/** A store in an array that counts requests and can fail. */
final class CountingStore implements Store
{
    public array $values = [];
    public int $requests = 0;
    public ?Throwable $failure = null;
    public ?Closure $before = null;

    public function getMultiple(array $keys): array
    {
        $this->requests++;
        ($this->before ?? fn () => null)();
        return $this->failure !== null ? throw $this->failure : array_intersect_key($this->values, array_flip($keys));
    }

    public function missing(array $keys): array
    {
        return array_values(array_diff($keys, array_keys($this->values)));
    }

    public function set(string $key, string $value): void
    {
        $this->values[$key] = $value;
    }

    public function replace(string $key, ?string $expected, string $value): bool
    {
        if (($this->values[$key] ?? null) !== $expected) {
            return false;
        }
        $this->values[$key] = $value;
        return true;
    }

    public function deleteMultiple(array $keys): void
    {
        $this->values = array_diff_key($this->values, array_flip($keys));
    }
}

$store = new CountingStore();
function ask(string $what, string $name = 'tags', mixed ...$limits): void
{
    global $store;
    $store->requests = 0;
    judge($what, Filter::health($name, ...$limits, store: $store));
    echo "  requests: $store->requests\n";
}

$versions = array_map(fn (int $day): Bloom\Blob => blob_of(range(1, 100 + $day), builtAt: 1.7e9 + 86400 * $day), range(0, 3));
Filter::load('tags', $versions[1]);
ask('nothing published');
$versions[1]->publish($store, 'tags');
ask('current');
check(Filter::health('tags')->behind === null, 'the store is not asked');
$versions[2]->publish($store, 'tags');
ask('one behind');
$versions[3]->publish($store, 'tags');
ask('two behind');
$previous = $store->values['tags:versions'];
$store->values['tags:versions'] = 'not a head';
ask('earlier heads damaged');
$store->values['tags:versions'] = $previous;
switched(Filter::sync('tags', $store, 0));
ask('synced');

// The store has an older version, for instance after a rollback of its data.
$store->values = [];
$versions[0]->publish($store, 'tags');
ask('older');

// A store that fails.
$store->failure = new RuntimeException('no route to it');
ask('failed');
ask('failed and a warning', 'tags', maxRate: 1e-5);
touch(in_segment('tags/stranger'));
ask('failed and a foreign file');
unlink(in_segment('tags/stranger'));
$store->failure = null;
$store->values['tags'] = str_repeat('x', 600);
ask('damaged head');
$store->failure = new Error('a bug');
ask('bug in the store');

// The store is not asked about filters that it cannot have.
LiveFilter::create('live', 100, seed: 1);
ask('live', 'live');
ask('missing', 'missing');

// A store may do anything in the call.
$store->failure = null;
$versions[3]->publish($store, 'tags');
$store->before = fn () => Filter::drop('tags');
ask('dropped meanwhile');
Filter::load('tags', $versions[3]);
$store->before = fn () => exit("the script ends in the store\n");
ask('not reached');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
nothing published: warning; the store does not have the filter
  requests: 1
current: ok, 0 behind
  requests: 1
one behind: warning, 1 behind; the store has a newer version, built %d d%S ago; the served one is the version before it
  requests: 2
two behind: critical, 2 behind; the store has a newer version, built %d d%S ago; the served one is 2 versions behind
  requests: 2
earlier heads damaged: critical; the store has a newer version, built %d d%S ago, and no longer has the served one
  requests: 2
synced: ok, 0 behind
  requests: 1
older: warning; the store's version was built 3 d before the served one, so syncs refuse it
  requests: 1
failed: unknown; the store's version is unknown: the store failed: RuntimeException: no route to it
  requests: 1
failed and a warning: critical; the false-positive rate of a lookup is 0.0014 % (at most 0.001 %); the store's version is unknown: the store failed: RuntimeException: no route to it
  requests: 1
failed and a foreign file: warning; 1 foreign file in its directory: stranger; the store's version is unknown: the store failed: RuntimeException: no route to it
  requests: 1
damaged head: unknown; the store's version is unknown: blob: this is not a bloom blob: the magic bytes do not match
  requests: 1
bug in the store: unknown; the store's version is unknown: the store failed: Error: a bug
  requests: 1
live: ok
  requests: 0
missing: critical, not ready; {segment}/missing: no such filter is loaded
  requests: 0
dropped meanwhile: ok, 0 behind
  requests: 1
the script ends in the store

--TEST--
Two fibers may use a store whose closure or client suspends: each gets its answer, and no client is freed during a call
--DESCRIPTION--
fault: client-fibers
--EXTENSIONS--
bloom
--SKIPIF--
<?php
echo extension_loaded('memcached') ? 'skip the test declares a class Memcached' : '';
?>
--INI--
bloom.path={TMP}/bloom-store_fibers
--FILE--
<?php
require __DIR__ . '/../lib/predis_fake.inc';
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Blob;
use Bloom\Filter;
use Bloom\MemcachedStore;
use Bloom\RedisStore;

/** A client that runs $during in the middle of each call, then answers with the values from its constructor. */
trait Answers
{
    public static int $alive = 0;

    public function __construct(public array $values, private ?Closure $during = null)
    {
        self::$alive++;
    }

    public function __destruct()
    {
        self::$alive--;
    }

    private function during(): void
    {
        if ($this->during !== null) {
            ($this->during)();
        }
    }
}

final class Client implements Predis\ClientInterface
{
    use Answers, AnswersScripts {
        Answers::during insteadof AnswersScripts;
    }
}

class Memcached
{
    use Answers;

    public const RES_SUCCESS = 0;
    public const OPT_BUFFER_WRITES = 1;
    public const OPT_NOREPLY = 2;

    public function getMulti(array $keys): array
    {
        $this->during();
        return array_intersect_key($this->values, array_flip($keys));
    }

    public function getOption(int $option): bool
    {
        $this->during();
        return false;
    }

    public function setOption(int $option, mixed $value): bool
    {
        return true;
    }

    public function set(string $key, string $value): bool
    {
        $this->during();
        $this->values[$key] = $value;
        return true;
    }

    public function delete(string $key): bool
    {
        $this->during();
        unset($this->values[$key]);
        return true;
    }

    public function getResultCode(): int
    {
        $this->during();
        return self::RES_SUCCESS;
    }

    public function getLastErrorCode(): int
    {
        $this->during();
        return self::RES_SUCCESS;
    }
}

/** Starts a fiber for each call, then resumes them in the given order until all of them have ended. */
function interleave(array $calls, array $order): array
{
    $fibers = array_map(fn (callable $call) => new Fiber($call), $calls);
    foreach ($fibers as $fiber) {
        $fiber->start();
    }
    while (array_filter($fibers, fn (Fiber $fiber) => !$fiber->isTerminated()) !== []) {
        foreach ($order as $i) {
            if ($fibers[$i]->isSuspended()) {
                $fibers[$i]->resume();
            }
        }
    }
    return array_map(fn (Fiber $fiber) => $fiber->getReturn(), $fibers);
}

$suspend = static function (): void {
    if (Fiber::getCurrent() !== null) {
        Fiber::suspend();
    }
};
$values = ['bloom:a' => 'one', 'bloom:b' => 'two'];

foreach ([[RedisStore::class, Client::class], [MemcachedStore::class, Memcached::class]] as [$store_class, $client_class]) {
    foreach ([[0, 1], [1, 0], [0, 0, 0, 1], [1, 1, 1, 0]] as $order) {
        $what = "$store_class, " . implode($order);
        $made = 0;
        $store = new $store_class(function () use ($client_class, $values, $suspend, &$made) {
            $made++;
            $suspend();
            return new $client_class($values, $suspend);
        });
        $calls = [
            fn () => $store->getMultiple(['a', 'none', 'b']),
            fn () => $store->missing(['none', 'a']),
        ];
        check(interleave($calls, $order) === [['a' => 'one', 'b' => 'two'], ['none']],
            "$what: both calls get their own answers");
        check($made === 2 && $client_class::$alive === 1, "$what: $made clients were made, and {$client_class::$alive} kept");
        interleave([fn () => $store->set('c', 'three'), fn () => $store->deleteMultiple(['a'])], $order);
        check($store->getMultiple(['a', 'b', 'c']) === ['b' => 'two', 'c' => 'three'] && $made === 2,
            "$what: the client is kept");

        // If the closure fails in one fiber, only the call of that fiber fails.
        $fails = true;
        $store = new $store_class(function () use ($client_class, $values, $suspend, &$fails) {
            $fail = $fails;
            $fails = false;
            $suspend();
            return $fail ? throw new LogicException('not yet') : new $client_class($values);
        });
        $calls = [
            fn () => thrown(fn () => $store->getMultiple(['a'])),
            fn () => $store->getMultiple(['a']),
        ];
        check(interleave($calls, $order) === ['LogicException: not yet', ['a' => 'one']], "$what: only one call fails");
        unset($store, $calls);
        gc_collect_cycles();
        check($client_class::$alive === 0, "$what: no client is left");
    }

    // A call of the client releases the store.
    foreach (['getMultiple' => ['a' => 'one'], 'missing' => []] as $method => $expected) {
        $store = new $store_class(new $client_class($values, function () use (&$store) {
            $store = null;
            gc_collect_cycles();
        }));
        check($store->$method(['a']) === $expected && $store === null,
            "$store_class: $method() completes after the store was released");
    }

    // The keys are references, and the client's method changes the referenced values.
    $key = 'a';
    $other = 'none';
    $keys = [&$key, &$other];
    $change = function () use (&$key, &$other) {
        $key = 5;
        $other = [str_repeat('x', 100)];
    };
    $store = new $store_class(new $client_class($values, $change));
    check($store->getMultiple($keys) === ['a' => 'one'] && $key === 5,
        "$store_class: the call uses the keys as they were passed");
    [$key, $other] = ['a', 'none'];
    check($store->missing($keys) === ['none'] && $key === 5, "$store_class: so does missing()");
    [$key, $other] = ['a', 'none'];
    $store->deleteMultiple($keys);
    $key = 'a';
    check($store->getMultiple(['a', 'b']) === ['b' => 'two'], "$store_class: so does deleteMultiple()");
    unset($store, $keys);
    gc_collect_cycles();
}

// A sync, a fetch and fetching lookups interleave in the same way.
foreach ([[0, 1, 2], [2, 1, 0], [1, 1, 0, 2]] as $order) {
    $backing = new Client([]);
    $plain = new RedisStore($backing);
    chunked(keys('k', 3000))->publish($plain, 'booth');
    chunked(keys('d', 3000))->publish($plain, 'demand');
    Filter::attach('demand', $plain, 1 << 20);
    $store = new RedisStore(function () use ($backing, $suspend) {
        $suspend();
        return new Client($backing->values, $suspend);
    });
    $calls = [
        fn () => switched(Filter::sync('booth', $store, 0)),
        fn () => Blob::fetch($store, 'booth')->mightContain('k7'),
        fn () => Filter::attach('demand', $store, 1 << 20)->candidates(keys('d', 3000)) === keys('d', 3000),
    ];
    check(interleave($calls, $order) === [true, true, true], 'sync, fetch, candidates ' . implode($order));
    check(Filter::open('booth')->mightContain('k7'), 'the synced filter is served');
    Filter::drop('booth');
    Filter::drop('demand');
}
echo "done\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done

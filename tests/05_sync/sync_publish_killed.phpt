--TEST--
A publish waits one second for a publisher that was killed while deleting, longer for a running one, and reports the longer wait to the callback
--DESCRIPTION--
fault: collect-killed
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--INI--
bloom.path={TMP}/bloom-sync_publish_killed
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
require __DIR__ . '/../lib/clock.inc';
use Bloom\{Blob, DirectoryStore, Store};

Clock::own();
Clock::skipPauses();

/** A directory store that runs a callback before it deletes old chunks. */
final class Interrupted implements Store
{
    private DirectoryStore $inner;

    public function __construct(private Closure $before_delete)
    {
        $this->inner = new DirectoryStore(own_file('store'));
    }

    public function getMultiple(array $keys): array
    {
        return $this->inner->getMultiple($keys);
    }

    public function missing(array $keys): array
    {
        return $this->inner->missing($keys);
    }

    public function set(string $key, string $value): void
    {
        $this->inner->set($key, $value);
    }

    public function replace(string $key, ?string $expected, string $value): bool
    {
        return $this->inner->replace($key, $expected, $value);
    }

    public function deleteMultiple(array $keys): void
    {
        if (!preg_match('/:staged$/', $keys[0])) {
            ($this->before_delete)();
        }
        $this->inner->deleteMultiple($keys);
    }
}

mkdir(own_file('store'), 0700);
$version = fn (int $number) => chunked(keys("$number.", 500), 1500, builtAt: $number);
$store = new DirectoryStore(own_file('store'));
foreach ([1, 2, 3, 4, 5] as $number) {
    $version($number)->save(own_file("$number"));
}
$version(1)->publish($store, 'booth', retain: 2);
$version(2)->publish($store, 'booth', retain: 2);
$files = fn () => count(preg_grep('~:chunks/../~', tree(own_file('store'))));
$whole = $files();

// The publisher is killed while it deletes. This host can see that its process is gone.
$class = file_get_contents(__FILE__);
$class = substr($class, strpos($class, 'final class'), strpos($class, "\nmkdir") - strpos($class, 'final class'));
run('use Bloom\{Blob, DirectoryStore, Store};' . $class . '
    Blob::open(own_file("3"))->publish(new Interrupted(fn () => shell_exec("kill -KILL " . getmypid())), "booth", retain: 2);');
check(is_file(own_file('store/booth:publisher')), 'the killed publisher left its claim');
$calls = [];
$began = hrtime(true);
$version(4)->publish($store, 'booth', retain: 2, progress: function (int $done, int $total, string $waiting = '') use (&$calls) {
    $calls[] = $waiting;
});
check(hrtime(true) - $began < 30e9,
    'the next publisher does not wait for a minute: ' . (hrtime(true) - $began) / 1e9 . ' s');
check(file_get_contents(own_file('store/booth:publisher')) === '', 'the lock is free');
check(Blob::fetch($store, 'booth')->toString() === $version(4)->toString(), 'published');
check($files() === $whole, "the next publish deleted the remaining chunks: {$files()} of $whole");

// A live publisher runs in another fiber. When the wait is reported to the callback, the callback resumes that fiber.
$fiber = new Fiber(fn () => $version(5)->publish(new Interrupted(fn () => Fiber::suspend()), 'booth', retain: 2));
$fiber->start();
$said = null;
$version(1)->publish($store, 'booth', retain: 2, progress: function (int $done, int $total, string $waiting = '') use (&$said, $fiber) {
    if ($waiting !== '' && $said === null) {
        $said = $waiting;
        check($done === $total, 'all chunks are written before the wait');
        $fiber->resume();
    }
});
echo preg_replace('/\d+ s/', 'N s', $said), "\n";
check($fiber->isTerminated() && Blob::fetch($store, 'booth')->toString() === $version(1)->toString(), 'published');

// The callback can end the wait by throwing. A built-in function such as max() is called without the third argument.
foreach (['throws' => fn (int $done, int $total, string $waiting = '') => $waiting !== '' ? throw new DomainException('enough') : null, 'max' => 'max'] as $what => $callback) {
    $fiber = new Fiber(fn () => $version(2)->publish(new Interrupted(fn () => Fiber::suspend()), 'booth', retain: 2));
    $fiber->start();
    if ($what === 'throws') {
        echo thrown(fn () => $version(3)->publish($store, 'booth', $callback, retain: 2)), "\n";
    } else {
        // The claim is given back after three seconds.
        Clock::skipPauses(false);
        $claim = own_file('store/booth:publisher');
        $other = new Child('require ' . var_export(dirname(__DIR__) . '/lib/clock.inc', true) . ';
            for ($i = 0; $i < 30; $i++) {
                Clock::advance(0.1);
                usleep(10_000);
            }
            file_put_contents(' . var_export($claim, true) . ", '');");
        $version(3)->publish($store, 'booth', $callback, retain: 2);
        Clock::skipPauses();
        $other->end();
    }
    $fiber->resume();
    $version(4)->publish($store, 'booth', retain: 2);
    $version(1)->publish($store, 'booth', retain: 2);
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
waiting for another publisher, at most N s more
DomainException: enough

--TEST--
sync() reports switches, failures and recoveries to its logger, after the sync has finished
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_logger
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Filter, LiveFilter, StoreException};

/** A PSR-3 logger that is callable, too. Its method has precedence. */
final class Psr
{
    public array $lines = [];
    public ?Closure $then = null;

    public function log($level, string|Stringable $message, array $context = []): void
    {
        $thrown = $context['exception'] ?? null;
        if ($thrown !== null) {
            check($thrown instanceof StoreException && $thrown->getMessage() === $context['error'], 'the exception is in the context');
        }
        if (isset($context['seconds'])) {
            check(is_float($context['seconds']) && $context['seconds'] >= 0, 'the seconds are a float');
        }
        unset($context['exception'], $context['seconds']);
        $this->lines[] = "$level $message " . json_encode($context, JSON_UNESCAPED_SLASHES);
        $this->then?->__invoke($context);
    }

    public function __invoke(): never
    {
        throw new Exception('log() has precedence');
    }

    public function take(): string
    {
        $lines = implode("\n", $this->lines) . "\n";
        $this->lines = [];
        return $lines;
    }
}

/** A class whose log() is not public. */
final class Hidden
{
    private function log(): void
    {
    }
}

$psr = new Psr;
$store = new ScriptedStore;
$first = chunked(keys('a', 5000), builtAt: 1_700_000_000);
$second = chunked([...keys('a', 5000), 'one more'], builtAt: 1_700_000_001);
$first->publish($store, 'booth');
$sync = fn (float $ttl = 0, mixed $logger = null) => Filter::sync('booth', $store, $ttl, logger: $logger ?? $psr);
$fail = fn () => throw new RuntimeException('down');

// A switch. No lock is held: a sync by the logger is not Busy, and it finds the new version.
$psr->then = function () use ($store): void {
    echo 'in the logger: ', Filter::sync('booth', $store, 0)->name, ', ', Filter::open('booth')->mightContain('a0') ? 'maybe' : 'no', "\n";
};
echo $sync()->name, "\n", $psr->take();
$psr->then = null;

// Only changed chunks are fetched. A callable has the same parameters.
$second->publish($store, 'booth');
$got = [];
echo $sync(0, function (...$arguments) use (&$got): void {
    $got = $arguments;
})->name, "\n";
[$level, $message, $context] = $got;
echo "$level $message {$context['from']} {$context['generation']} {$context['keys']} {$context['bytesFetched']}\n";

// Nothing is reported if nothing changed, if the sync is not due, or if another call holds the sync.
echo $sync()->name, ' ', $sync(3600)->name, "\n";
$store->script = function () use ($sync): void {
    static $depth = 0;
    if ($depth++ === 0) {
        echo 'in the store: ', $sync()->name, "\n";
    }
};
$sync();
echo $psr->take();

// Each failed attempt is reported, and the sync's exception survives a logger that catches one of its own.
$store->script = $fail;
$psr->then = function (): void {
    try {
        throw new LogicException('in the logger');
    } catch (LogicException $caught) {
        check($caught->getPrevious() === null, 'the sync does not leak into it');
    }
};
for ($i = 0; $i < 8; $i++) {
    check(thrown($sync, true) === StoreException::class, 'the sync throws');
}
$psr->lines = array_slice($psr->lines, 0, 2);
echo $psr->take(), $sync(60)->name, "\n", $psr->take();
$psr->then = null;
$store->script = null;
echo $sync()->name, "\n", $psr->take();

// An exception of the logger leaves sync(), but the sync is complete.
$first->publish($store, 'booth');
echo thrown(fn () => Filter::sync('booth', $store, 0, true, logger: fn () => throw new DomainException('disk full'))), "\n";
$info = Filter::open('booth')->info();
echo "generation $info->generation, {$info->syncFailuresInRow} failures in a row, ", $sync()->name, "\n";
$store->script = $fail;
try {
    $sync(0, fn () => throw new DomainException('disk full'));
} catch (DomainException $thrown) {
    echo get_class($thrown->getPrevious()), ', ', Filter::open('booth')->info()->syncFailuresInRow, " failure in a row\n";
}
$store->script = null;
echo thrown($sync), ', ', $psr->take();

// The logger may end the script. The next sync finds nothing locked.
$code = 'require "' . __DIR__ . '/../lib/stores.inc"; $store = new ScriptedStore; $store->script = fn () => throw new Exception("down");'
    . 'Bloom\Filter::sync("booth", $store, 0, logger: function (): void { exit("ended"); });';
echo run($code), "\n", $sync()->name, "\n", $psr->take();

// The kind of the failure, and a filter that has never been loaded.
LiveFilter::create('live', 100);
$first->publish($store, 'live');
foreach (['live', 'missing'] as $name) {
    try {
        Filter::sync($name, $store, 0, logger: function (string $level, string $message, array $context): void {
            echo "$level {$context['name']} {$context['status']} {$context['failures']}\n";
        });
    } catch (Bloom\BloomException) {
    }
}

// An on-demand filter reports in the same way.
$first->publish($store, 'big');
Filter::attach('big', $store, 1 << 20);
$second->publish($store, 'big');
Filter::sync('big', $store, 0, logger: function (string $level, string $message, array $context): void {
    echo "$level {$context['event']} {$context['name']} {$context['from']} {$context['generation']} {$context['keys']}\n";
});

foreach ([5, 'no_function', new stdClass, [1], new Hidden] as $logger) {
    echo preg_match('/^TypeError: Bloom\\\\Filter::sync\(\): Argument #7 \(\$logger\) must be .*callable.*given/', thrown(fn () => $sync(0, $logger))), ' ';
}
echo Filter::sync('booth', $store, 0, logger: null)->name, "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
in the logger: Current, maybe
Switched
info {name}: switched to generation {generation} {"event":"switched","name":"booth","generation":1,"from":null,"keys":4996,"bytesFetched":10240}
Switched
info {name}: switched to generation {generation} 1 2 4997 1024
Current NotDue
in the store: Busy

error {name}: the sync failed: {error} {"event":"failed","name":"booth","status":"Store","failures":1,"error":"the store failed: RuntimeException: down"}
error {name}: the sync failed: {error} {"event":"failed","name":"booth","status":"Store","failures":2,"error":"the store failed: RuntimeException: down"}
Paused

Current
notice {name}: the sync recovered, failed attempts: {failures} {"event":"recovered","name":"booth","generation":2,"failures":8}
DomainException: disk full
generation 3, 0 failures in a row, Current
Bloom\StoreException, 1 failure in a row
nothing, notice {name}: the sync recovered, failed attempts: {failures} {"event":"recovered","name":"booth","generation":3,"failures":1}
ended
Current
notice {name}: the sync recovered, failed attempts: {failures} {"event":"recovered","name":"booth","generation":3,"failures":1}
error live Kind 1
error missing StoreMissing 1
info switched big 1 2 4997
1 1 1 1 1 Current

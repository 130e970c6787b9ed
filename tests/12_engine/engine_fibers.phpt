--TEST--
A fiber suspended in a progress callback or key generator holds no lock, and destroying it leaves nothing behind
--DESCRIPTION--
fault: fiber-suspended
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-engine_fibers
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Blob, Builder, Filter};

// The blob is so large that the callback runs before the call has finished.
$large = blob_of(keys('new', 1000), 8_000_000);
$large->save(own_file('blob'));
file_put_contents(own_file('keys'), implode("\n", keys('line', 700_000)));
$store = new ScriptedStore;
$large->publish($store, 'served');
$served = Filter::load('served', blob_of(keys('old', 300)));
$live = made('live');
$files = tree(segment_path());

/** Returns a callback that suspends the fiber once, with the given position. */
$suspend = fn (string $where) => function () use ($where, &$stopped) {
    if ($stopped !== $where) {
        $stopped = $where;
        Fiber::suspend($where);
    }
};
$keys = function (callable $suspend) {
    yield 'first';
    $suspend();
    yield 'last';
};
$calls = [
    'load' => fn (callable $suspend) => Filter::load('served', $large, $suspend),
    'a load from an open blob' => fn (callable $suspend) => Filter::load('served', Blob::open(own_file('blob')), $suspend),
    'open' => fn (callable $suspend) => Blob::open(own_file('blob'), $suspend),
    'fetch' => fn (callable $suspend) => Blob::fetch($store, 'served', $suspend),
    'addFile' => function (callable $suspend) {
        $builder = new Builder(1_000_000, seed: 1);
        $builder->addFile(own_file('keys'), $suspend);
        return $builder->build();
    },
    'addFile of a stream' => function (callable $suspend) {
        $builder = new Builder(1_000_000, seed: 1);
        $builder->addFile(fopen(own_file('keys'), 'r'), $suspend);
        return $builder->build();
    },
    'addMany' => function (callable $suspend) use ($keys) {
        $builder = new Builder(1000, seed: 1);
        $builder->addMany($keys($suspend));
        return $builder->build();
    },
    'addMany of a live filter' => function (callable $suspend) use ($keys, $live) {
        $live->addMany($keys($suspend));
        return $live;
    },
];
$expected = fn (string $name) => str_contains($name, 'File') ? ['line0', 'line699999'] : (str_contains($name, 'Many') ? ['first', 'last'] : keys('new', 1000));
$descriptors = fn () => count(scandir('/proc/self/fd'));
$open = null;

/** Checks that other calls, in this process and in another one, do not wait for the suspended call. */
$free = function (string $name) use ($served, $live) {
    check($served->candidates(keys('old', 300)) === keys('old', 300), "$name: lookups go on");
    Filter::load('other', blob_of(['a']));
    Filter::drop('other');
    $live->add('meanwhile');
    Filter::load('served', blob_of(keys('old', 300)));
    $text = run('Bloom\Filter::load("served", blob_of(keys("old", 300))); Bloom\Filter::open("live")->add("meanwhile"); Bloom\LiveFilter::create("more", 10); Bloom\Filter::drop("more"); echo "free";', ['bloom.lock_timeout' => '0']);
    check($text === 'free', "$name: no lock is held: $text");
};
foreach ($calls as $name => $call) {
    foreach (['resumed', 'destroyed', 'thrown into'] as $then) {
        Filter::load('served', blob_of(keys('old', 300)));
        gc_collect_cycles();
        $open ??= $descriptors();
        $fiber = new Fiber(fn () => $call($suspend("$name, $then")));
        check($fiber->start() === "$name, $then" && !$fiber->isTerminated(), "$name, $then: it is suspended");
        $free("$name, $then");
        if ($then === 'resumed') {
            $fiber->resume();
            $got = $fiber->getReturn();
            check(array_filter($expected($name), fn (string $key) => !$got->mightContain($key)) === [], "$name: resumed, it did what it had begun");
            $got = null;
        } elseif ($then === 'thrown into') {
            check(thrown(fn () => $fiber->throw(new DomainException('given up'))) === 'DomainException: given up', "$name: an exception comes out of it");
        }
        $fiber = null;
        gc_collect_cycles();
        check($then === 'resumed' || $served->candidates(keys('old', 300)) === keys('old', 300),
            "$name, $then: the old version is still served");
        check(count(tree(segment_path())) === count($files) && !preg_grep('/tmp$/', tree(segment_path())), "$name, $then: nothing is left: " . implode(' ', tree(segment_path())));
        check($descriptors() === $open, "$name, $then: {$descriptors()} descriptors, not $open");
    }
}

// The process ends while one fiber of each kind is suspended.
Filter::load('served', blob_of(keys('old', 300)));
$text = run('
    $fibers = [];
    foreach ([
        fn () => Bloom\Filter::load("served", Bloom\Blob::open(own_file("blob")), fn () => Fiber::suspend("load")),
        fn () => Bloom\Blob::open(own_file("blob"), fn () => Fiber::suspend("open")),
        fn () => (new Bloom\Builder(1_000_000))->addFile(own_file("keys"), fn () => Fiber::suspend("addFile")),
        fn () => (new Bloom\Builder(10))->addMany((function () { yield "first"; Fiber::suspend("addMany"); })()),
        fn () => Bloom\Filter::open("live")->addMany((function () { yield "first"; Fiber::suspend("live"); })()),
    ] as $call) {
        $fibers[] = $fiber = new Fiber($call);
        echo $fiber->start(), " ";
    }
    echo "ends";');
echo $text, "\n";
check($served->candidates(keys('old', 300)) === keys('old', 300), 'the old version is still served');
check(count(tree(segment_path())) === count($files) && !preg_grep('/tmp$/', tree(segment_path())), 'nothing is left: ' . implode(' ', tree(segment_path())));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
load open addFile addMany live ends

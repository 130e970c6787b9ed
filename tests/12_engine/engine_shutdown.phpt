--TEST--
Every class works in shutdown functions and destructors after an exit, an exception, a fatal error, the memory limit and the time limit
--DESCRIPTION--
fault: odd-phases
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-engine_shutdown
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Filter, LoadedFilter};

$blob = chunked(['a', 'b']);
$blob->publish($store = new ScriptedStore, 'demand');
Filter::load('loaded', $blob);
Filter::attach('demand', $store, 1 << 20);
foreach (KINDS as $kind) {
    made($kind);
}
mkdir(own_file('store'));

$code = 'require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ';
    require ' . var_export(dirname(__DIR__) . '/lib/stores.inc', true) . <<<'CODE'
    ;
    function use_all(array $held, string $when): void
    {
        foreach (KINDS as $kind) {
            check(put($held[$kind], "$kind $when") !== null && held($held[$kind], "$kind $when"), "$kind, held, $when");
            check(held(Bloom\Filter::open($kind), "$kind $when"), "$kind, opened, $when");
        }
        check($held['loaded']->candidates(['a', 'no']) === ['a'] && $held['demand']->mightContain('a'), "others, held, $when");
        check($held['blob']->mightContain('a') && strlen($held['blob']->toString()) > 1000, "blob, $when");
        $held['builder']->add($when);
        $held['reverse builder']->add(1, $when);
        $held['blob']->publish($held['directory'], 'last');
        check(switched(Bloom\Filter::sync('last', $held['directory'], 0)) !== null && Bloom\Filter::open('last')->mightContain('b'), "sync, $when");
        check(Bloom\Filter::load("late-$when", Bloom\Blob::fetch($held['directory'], 'last'))->mightContain('a'), "load, $when");
        check(in_array("late-$when", Bloom\Filter::list(), true) && Bloom\Filter::drop("late-$when"), "drop, $when");
        check((new Bloom\Builder(10))->build()->info()->keys === 0, "build, $when");
        echo "$when ";
    }
    final class Last
    {
        public function __construct(private array $held)
        {
        }
        public function __destruct()
        {
            use_all($this->held, 'destructor');
        }
    }
    $store = new ScriptedStore;
    chunked(['a', 'b'])->publish($store, 'demand');
    $held = ['builder' => new Bloom\Builder(10), 'reverse builder' => new Bloom\ReverseIndexBuilder(5, 10), 'blob' => chunked(['a', 'b']),
        'directory' => new Bloom\DirectoryStore($argv[2]), 'loaded' => Bloom\Filter::open('loaded'), 'demand' => Bloom\Filter::attach('demand', $store, 1 << 20)];
    foreach (KINDS as $kind) {
        $held[$kind] = Bloom\Filter::open($kind);
    }
    $GLOBALS['last'] = new Last($held);
    register_shutdown_function(use_all(...), $held, 'shutdown');
    register_shutdown_function(fn () => register_shutdown_function(use_all(...), $held, 'later'));
    ob_start(fn (string $text) => $text . ($held['loaded']->mightContain('a') ? '' : 'the output handler lost it'));
    // Errors in the middle of calls to the extension.
    $in_the_middle = function () {
        yield 'x';
        eval($GLOBALS['argv'][1]);
        yield 'y';
    };
    $held['builder']->addMany($in_the_middle());
    CODE;
$ends = [
    'its end' => '',
    'exit' => 'exit(0);',
    'an exception' => 'throw new DomainException("thrown");',
    'a fatal error' => '@trigger_error("fatal", E_USER_ERROR);',
    'a type error in an engine call' => 'strlen([]);',
    'a class that cannot be' => 'abstract class A { abstract function f(); } class B extends A { }',
    'no memory' => exhaust_memory(),
    'no time' => expire_time(),
];
foreach ($ends as $what => $end) {
    $said = (new Child($code, ['display_errors' => '0'], [$end, own_file('store')]))->end();
    echo "$what: $said\n";
}
check(array_intersect(Filter::list(), ['late-shutdown', 'late-destructor', 'late-later']) === [], 'what was made was dropped');
foreach (KINDS as $kind) {
    $filter = Filter::open($kind);
    check_held($filter, ["$kind shutdown", "$kind destructor", "$kind later"], $kind);
}
check(preg_grep('/tmp/', tree(segment_path())) === [], 'nothing is left');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
its end: shutdown later destructor
exit: shutdown later destructor
an exception: shutdown later destructor (exit status 255)
a fatal error: shutdown later (exit status 255)
a type error in an engine call: shutdown later destructor (exit status 255)
a class that cannot be: shutdown later (exit status 255)
no memory: shutdown later (exit status 255)
no time: shutdown later (exit status 255)

--TEST--
A script that ends inside a store method frees the lease and keeps the served version
--DESCRIPTION--
fault: exit-in-store, time-limit
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_exit
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Filter;

$booth = Filter::load('booth', chunked(keys('old', 3000), builtAt: 1));
$files = tree(segment_path());
$ended = 0;
$code = 'require ' . var_export(__DIR__ . '/../lib/stores.inc', true) . ';
    $store = new ScriptedStore;
    chunked(keys("new", 3000))->publish($store, "booth");
    $store->script = function (string $called, array $keys) { if ((end($keys) === "booth") === HEAD) { END } };
    Bloom\Filter::sync("booth", $store, 0);';
foreach ([
    'exit' => 'exit("left");',
    'fatal' => '@trigger_error("fatal", E_USER_ERROR);',
    'memory' => exhaust_memory(),
    'uncaught' => 'throw new Exception("out");',
    'undefined' => 'no_such_function();',
    'time' => expire_time(),
    'shutdown' => 'register_shutdown_function(fn () => print(" shutdown: " . json_encode(Bloom\Filter::open("booth")->mightContain("old1")))); exit;',
    'destructors' => '$GLOBALS["last"] = new class { function __destruct() { echo " destructor: ", json_encode(Bloom\Filter::open("booth")->mightContain("old1")); } }; exit;',
] as $name => $end) {
    foreach (['true', 'false'] as $at_head) {
        $text = run(strtr($code, ['HEAD' => $at_head, 'END' => $end]), ['log_errors' => '0']);
        echo "$name: ", preg_match('/left|Fatal error: \w+ \S+|(shutdown|destructor): \w+/', $text, $match) ? $match[0] : $text, "\n";
        check($booth->mightContain('old1'), "$name: the old version is still served");
        check(tree(segment_path()) === $files, "$name: no staged file is left: " . implode(' ', tree(segment_path())));
        $lease = unpack('P', file_get_contents(in_segment('booth/control'), offset: 40, length: 8))[1];
        check($lease === 0, "$name: the lease was released");
        ['syncFailures' => $failures, 'lastError' => $noted] = (array) $booth->info();
        check($failures === ++$ended && preg_match('/^(the script ended during the call$|the store failed: (Exception: out|Error: Call))/', $noted) === 1,
            "$name: the failure is recorded: $failures, $noted");
    }
}
echo $booth->info()->lastError, "\n";
$store = new ScriptedStore;
chunked(keys('new', 3000))->publish($store, 'booth');
var_dump(switched(Filter::sync('booth', $store, 0)), $booth->mightContain('new1'));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
exit: left
exit: left
fatal: Fatal error: fatal in
fatal: Fatal error: fatal in
memory: Fatal error: Allowed memory
memory: Fatal error: Allowed memory
uncaught: Fatal error: Uncaught Exception:
uncaught: Fatal error: Uncaught Exception:
undefined: Fatal error: Uncaught Error:
undefined: Fatal error: Uncaught Error:
time: Fatal error: Maximum execution
time: Fatal error: Maximum execution
shutdown: shutdown: true
shutdown: shutdown: true
destructors: destructor: true
destructors: destructor: true
the script ended during the call
bool(true)
bool(true)

--TEST--
The store of examples/http-store.php keeps journals on a server with conditional requests, and refuses other servers
--DESCRIPTION--
fault: http-unconditional, journal-concurrent
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-example_http_journal
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
require __DIR__ . '/../lib/journals.inc';
require __DIR__ . '/examples.inc';
use Bloom\{Builder, Filter, Journal};

putenv('PHP_CLI_SERVER_WORKERS=4'); // several requests at once
$server = new HttpStoreServer(own_file('web'));
$argv = ['', "http://$server->address"];
ob_start();
require dirname(__DIR__, 2) . '/examples/http-store.php';
ob_end_clean();
try_journal_store($store, fn (string $journal) => $store->deleteMultiple([$journal]), 100, isBuiltIn: false);
try_journal_writers('(function () { $argv = ["", ' . var_export($argv[1], true) . ']; class_exists("HttpStore", false) || eval(' . var_export(class_of_example(), true) . ');
    return new HttpStore($argv[1]); })()', 3, 20);

// A filter with a journal.
$journal = new Journal('tags', $store);
$builder = new Builder(100);
$mark = $journal->mark();
$builder->addMany(['cat']);
$builder->build(mark: $mark)->publish($store, 'tags');
$journal->add('dog');
Filter::sync('tags', $store, 0);
$journal->add(['bird', 'fish']);
$tags = Filter::open('tags');
check($tags->candidates(['cat', 'dog', 'bird', 'fish', 'none']) === ['cat', 'dog', 'bird', 'fish'], 'keys are found here at once');
$server->takeCounts();
check(Journal::pull($store, ['tags']) === [] && $tags->info()->journal->keys >= 3, 'a pull reads the records');
echo json_encode($server->takeCounts()), "\n";

// Failures.
file_put_contents(own_file('web/fail'), '503');
foreach ([fn () => $store->read(['tags:journal' => $mark], 1), fn () => $store->append('tags:journal', [record('x')]), fn () => $store->last('new:journal')] as $call) {
    echo thrown($call), "\n";
}
unlink(own_file('web/fail'));
$store->set('text:journal', 'x');
echo thrown(fn () => $store->append('text:journal', [record('x')])), "\n";
file_put_contents(own_file('web/careless'), '');
foreach ([1, 2] as $try) {
    echo thrown(fn () => $store->append('careless:journal', [record('x')])), "\n";
}

/** Returns the code of the class alone. */
function class_of_example(): string
{
    $code = file_get_contents(dirname(__DIR__, 2) . '/examples/http-store.php');
    return preg_match('/^use .*?^}$/ms', $code, $found) ? $found[0] : '';
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
{"GET":1}
RuntimeException: GET tags:journal: status 503
RuntimeException: GET tags:journal: status 503
RuntimeException: GET new:journal: status 503
RuntimeException: GET text:journal: not a journal, or no strong ETag
RuntimeException: PUT careless:journal: the server ignores If-None-Match: *, so it cannot keep journals
RuntimeException: PUT careless:journal: the server ignores If-None-Match: *, so it cannot keep journals

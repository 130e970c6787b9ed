--TEST--
examples/http-store.php runs unchanged against a web server, and its store meets the whole contract
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-example_http_store
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
require __DIR__ . '/examples.inc';
use Bloom\Filter;

$server = new HttpStoreServer(own_file('web'));
$argv = ['', "http://$server->address"];
require dirname(__DIR__, 2) . '/examples/http-store.php';
try_store($store);

// The requests that a publish and a sync send.
chunked(keys('old', 1000), 1500, builtAt: 1)->publish($store, 'few');
Filter::sync('few', $store, 0);
chunked([...keys('old', 1000), 'new'], 1500, builtAt: 2)->publish($store, 'few');
$server->takeCounts();
Filter::sync('few', $store, 0);
echo json_encode($server->takeCounts()), "\n";
Filter::sync('few', $store, 0);
echo json_encode($server->takeCounts()), "\n";

// A failing server is not mistaken for an empty one.
$fails = static function () use ($store): void {
    echo thrown(fn () => $store->missing(['booth'])), "\n";
    echo thrown(fn () => $store->set('x', 'y')), "\n";
    echo thrown(fn () => Filter::sync('booth', $store, 0)), "\n";
    echo thrown(fn () => chunked(['x'])->publish($store, 'booth')), "\n";
    check(Filter::open('booth')->mightContain('old1'), 'the loaded version is still served');
};
foreach ([503, 302] as $status) {
    file_put_contents(own_file('web/fail'), (string) $status);
    $fails();
}
unlink(own_file('web/fail'));
$server->stop(SIGSTOP);
$start = microtime(true);
echo thrown(fn () => Filter::sync('booth', new HttpStore($argv[1], 0.2), 0)), "\n";
check(microtime(true) - $start < 20, 'the store gives up in time');
$said = thrown(fn () => (new HttpStore('http://me:sec@ret@127.0.0.1:1'))->missing(['booth']));
check(!preg_match('/sec|ret/', $said), "the message has no part of the password: $said");
$server->stop(SIGCONT);
$server->stop();
$fails();
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
cat bird
{"GET":3}
{"GET":2}
RuntimeException: HEAD booth: status 503
RuntimeException: PUT x: status 503
Bloom\StoreException: the store failed: RuntimeException: GET booth:override: status 503
Bloom\StoreException: the store failed: RuntimeException: GET booth: status 503
RuntimeException: HEAD booth: status 302
RuntimeException: PUT x: status 302
Bloom\StoreException: the store failed: RuntimeException: GET booth:override: status 302
Bloom\StoreException: the store failed: RuntimeException: GET booth: status 302
Bloom\StoreException: the store failed: RuntimeException: GET booth:override: %s
RuntimeException: HEAD booth: Failed to open stream: %s
RuntimeException: PUT x: Failed to open stream: %s
Bloom\StoreException: the store failed: RuntimeException: GET booth:override: %s
Bloom\StoreException: the store failed: RuntimeException: GET booth: %s

--TEST--
examples/metrics.php answers only clients on this host and those that the administrator has listed
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-metrics_page
--FILE--
<?php
require __DIR__ . '/monitoring.inc';
Bloom\Filter::load('tags', blob_of(keys('k', 100)));
$page = dirname(__DIR__, 2) . '/examples/metrics.php';
check(count(file($page)) <= 20, 'at most 20 lines');

/** Prints what a client gets. */
function ask(string $title, array $server, string $allowed = ''): void
{
    global $page;
    putenv("BLOOM_METRICS_ALLOW=$allowed");
    // The pages of the command line have no headers, so the status is printed when the script ends.
    $code = 'ob_start(); register_shutdown_function(function () { $text = ob_get_clean();
        echo http_response_code() ?: 200, " ", str_contains($text, "bloom_filter_keys{name=\"tags\"") ? "metrics" : trim($text); });
        $_SERVER = ' . var_export($server, true) . ' + $_SERVER; require ' . var_export($page, true) . ';';
    echo "$title: ", run($code), "\n";
}

ask('loopback', ['REMOTE_ADDR' => '127.0.0.1']);
ask('loopback with IPv6', ['REMOTE_ADDR' => '::1']);
ask('another host', ['REMOTE_ADDR' => '192.0.2.10']);
ask('another host that is listed', ['REMOTE_ADDR' => '192.0.2.10'], '192.0.2.9, 192.0.2.10');
ask('a host that is not listed', ['REMOTE_ADDR' => '192.0.2.1'], '192.0.2.9 192.0.2.10');
ask('no address', ['REMOTE_ADDR' => '']);
ask('no address and an empty list', ['REMOTE_ADDR' => ''], ' , ');
foreach (['X_FORWARDED_FOR' => '127.0.0.1', 'FORWARDED' => 'for=127.0.0.1', 'VIA' => '1.1 proxy'] as $header => $value) {
    ask("through a proxy on this host, $header", ['REMOTE_ADDR' => '127.0.0.1', "HTTP_$header" => $value]);
}
ask('a listed host, through a proxy', ['REMOTE_ADDR' => '192.0.2.10', 'HTTP_X_FORWARDED_FOR' => '203.0.113.1'], '192.0.2.10');

$server = new LocalServer(php_command() . ' -S {address} ' . escapeshellarg($page), '/', 'php');
[$body, $headers] = $server->get('/');
echo $headers[0], "\n", implode("\n", preg_grep('/^(content-type|cache-control):/i', $headers)), "\n", substr($body, -6);
$server->stop();

// If the segment is refused, Prometheus sees a failure instead of a host without filters.
chmod(segment_path(), 0755);
$server = new LocalServer(php_command(['display_errors' => '0', 'log_errors' => '0']) . ' -S {address} ' . escapeshellarg(__DIR__ . '/router.inc'), '/ready', 'php');
echo $server->get('/metrics')[1][0], "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/monitoring.inc';
clean();
?>
--EXPECT--
loopback: 200 metrics
loopback with IPv6: 200 metrics
another host: 403 forbidden
another host that is listed: 200 metrics
a host that is not listed: 403 forbidden
no address: 403 forbidden
no address and an empty list: 403 forbidden
through a proxy on this host, X_FORWARDED_FOR: 403 forbidden
through a proxy on this host, FORWARDED: 403 forbidden
through a proxy on this host, VIA: 403 forbidden
a listed host, through a proxy: 403 forbidden
HTTP/1.1 200 OK
Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8
Cache-Control: no-store
# EOF
HTTP/1.0 500 Internal Server Error

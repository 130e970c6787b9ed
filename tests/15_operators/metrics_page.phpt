--TEST--
examples/metrics.php is closed, also to this host, until a setting opens it for addresses or with a password
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
function ask(string $title, array $server, string $allowed = '', string $hash = ''): void
{
    global $page;
    putenv("BLOOM_METRICS_ALLOW=$allowed");
    putenv("BLOOM_METRICS_PASSWORD_HASH=$hash");
    // The pages of the command line have no headers, so the status is printed when the script ends.
    $code = 'ob_start(); register_shutdown_function(function () { $text = ob_get_clean();
        echo http_response_code() ?: 200, " ", str_contains($text, "bloom_filter_keys{name=\"tags\"") ? "metrics" : trim(strtok($text, ".")); });
        ini_set("error_log", "/dev/null");
        $_SERVER = ' . var_export($server, true) . ' + $_SERVER; require ' . var_export($page, true) . ';';
    echo "$title: ", run($code), "\n";
}

// A proxy on this host may forward requests without any header that tells so.
ask('loopback, closed', ['REMOTE_ADDR' => '127.0.0.1']);
ask('loopback with IPv6, closed', ['REMOTE_ADDR' => '::1']);
putenv('BLOOM_STATUS_ALLOW=127.0.0.1');
ask('the settings of the status page open nothing', ['REMOTE_ADDR' => '127.0.0.1']);
ask('loopback, listed', ['REMOTE_ADDR' => '127.0.0.1'], '127.0.0.1');
ask('another host that is listed', ['REMOTE_ADDR' => '192.0.2.10'], '192.0.2.9, 192.0.2.10');
ask('a host in a network that is listed', ['REMOTE_ADDR' => '192.0.2.10'], '192.0.2.0/24');
ask('a host that is not listed', ['REMOTE_ADDR' => '192.0.2.1'], '192.0.2.9 192.0.2.10');
ask('loopback, if others are listed', ['REMOTE_ADDR' => '127.0.0.1'], '192.0.2.9');
ask('no address', ['REMOTE_ADDR' => ''], '127.0.0.1');
ask('no address and an empty list', ['REMOTE_ADDR' => ''], ' , ');
ask('an invalid list', ['REMOTE_ADDR' => '127.0.0.1'], '127.0.0.1 localhost');
$hash = password_hash('open sesame', PASSWORD_BCRYPT, ['cost' => 4]);
ask('no password', ['REMOTE_ADDR' => '127.0.0.1'], '', $hash);
ask('a wrong password', ['REMOTE_ADDR' => '127.0.0.1', 'PHP_AUTH_PW' => 'open'], '', $hash);
ask('the password, through a proxy', ['REMOTE_ADDR' => '127.0.0.1', 'HTTP_X_FORWARDED_FOR' => '203.0.113.1', 'PHP_AUTH_PW' => 'open sesame'], '', $hash);
ask('the password from a host that is not listed', ['REMOTE_ADDR' => '192.0.2.1', 'PHP_AUTH_PW' => 'open sesame'], '192.0.2.10', $hash);

// As Prometheus asks.
file_put_contents(own_file('hash'), $hash);
putenv('BLOOM_METRICS_PASSWORD_HASH=' . own_file('hash'));
putenv('BLOOM_METRICS_ALLOW=127.0.0.1');
$server = new LocalServer(php_command(['display_errors' => '0', 'log_errors' => '0']) . ' -S {address} ' . escapeshellarg(__DIR__ . '/router.inc'), '/ready', 'php');
$get = function (string $credentials) use ($server): void {
    [$body, $headers] = $server->get('/metrics', $credentials === '' ? '' : 'Authorization: Basic ' . base64_encode($credentials));
    echo $headers[0], "\n", implode("\n", preg_grep('/^(content-type|cache-control|www-authenticate):/i', $headers)), "\n", substr($body, -6);
};
$get('');
$get('prometheus:open sesame');
// If the segment is refused, Prometheus sees a failure instead of a host without filters.
chmod(segment_path(), 0755);
echo $server->get('/metrics', 'Authorization: Basic ' . base64_encode(':open sesame'))[1][0], "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/monitoring.inc';
clean();
?>
--EXPECT--
loopback, closed: 403 This metrics page is closed
loopback with IPv6, closed: 403 This metrics page is closed
the settings of the status page open nothing: 403 This metrics page is closed
loopback, listed: 200 metrics
another host that is listed: 200 metrics
a host in a network that is listed: 200 metrics
a host that is not listed: 403 This metrics page is not open to 192
loopback, if others are listed: 403 This metrics page is not open to 127
no address: 403 This metrics page is not open to
no address and an empty list: 403 This metrics page is closed
an invalid list: 403 This metrics page is closed, because one of its settings is invalid
no password: 401 This metrics page needs a password
a wrong password: 401 This metrics page needs a password
the password, through a proxy: 200 metrics
the password from a host that is not listed: 403 This metrics page is not open to 192
HTTP/1.1 401 Unauthorized
Content-Type: text/plain; charset=utf-8
Cache-Control: no-store
WWW-Authenticate: Basic realm="bloom metrics", charset="UTF-8"
pted.
HTTP/1.1 200 OK
Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8
Cache-Control: no-store
# EOF
HTTP/1.0 500 Internal Server Error

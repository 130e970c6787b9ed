<?php
/* What a web server does for WordPress: it chooses the script for the path of the request. The answer is JSON: the page, its status
 * and its headers, and the queries. */

define('ABSPATH', $_SERVER['SITE_ROOT']);
$_SERVER['PHP_SELF'] = $_SERVER['SCRIPT_NAME'] = '/index.php';
ob_start();
$site_start = hrtime(true);
register_shutdown_function(static function (): void {
    $answer = [
        'status' => http_response_code(),
        'headers' => array_values(preg_grep('/^(X-Powered-By|Expires|Date):/i', headers_list(), PREG_GREP_INVERT)),
        'seconds' => (hrtime(true) - $GLOBALS['site_start']) / 1e9,
        'queries' => array_column($GLOBALS['wpdb']->queries ?? [], 0),
    ];
    for ($answer['body'] = ''; ob_get_level() > 0;) {
        $answer['body'] = ob_get_clean() . $answer['body'];
    }
    header_remove();
    http_response_code(200);
    header('Content-Type: application/json');
    echo json_encode($answer + (array_key_exists('site_returned', $GLOBALS) ? ['returned' => $GLOBALS['site_returned']] : []),
        JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
});

if (isset($_SERVER['SITE_CODE'])) {
    $site_code = $_SERVER['SITE_CODE']; // WordPress puts slashes into $_SERVER
    define('WP_INSTALLING', str_contains($site_code, 'wp_install('));
    require ABSPATH . 'wp-load.php';
    $site_returned = (static fn () => eval($site_code))();
    exit;
}
$site_script = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (preg_match('~^/(wp-login|xmlrpc|wp-admin/[a-z-]+)\.php$~', $site_script)) {
    $_SERVER['PHP_SELF'] = $_SERVER['SCRIPT_NAME'] = $site_script;
    require ABSPATH . $site_script;
} else {
    require ABSPATH . 'index.php';
}
exit;

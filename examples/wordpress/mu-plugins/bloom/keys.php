<?php

/*
 * Prints the keys of the filter, for bloom nightly and bloom check. Run it as the user of the pool:
 *   php wp-content/mu-plugins/bloom/keys.php [DIRECTORY OF WORDPRESS]
 * On Debian, the environment variable HTTP_HOST chooses the site.
 */

use Bloom\WordPress\Queries;

PHP_SAPI === 'cli' || exit;
$_SERVER += ['HTTP_HOST' => ''];
define('ABSPATH', ($argv[1] ?? dirname(__DIR__, 3)) . '/');
require ABSPATH . 'wp-load.php';

try {
    foreach ((new Queries($wpdb, BLOOM_NAME, BLOOM_STORE))->all() as $key) {
        echo $key, "\n";
    }
} catch (Throwable $error) {
    fwrite(STDERR, "bloom: {$error->getMessage()}\n");
    exit(1);
}

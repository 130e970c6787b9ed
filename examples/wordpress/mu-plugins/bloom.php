<?php

/*
Plugin Name: Bloom
Description: Answers queries for paths, users and files that do not exist from a Bloom filter in shared memory
License: BSD-3-Clause
*/

use Bloom\Kit\Fold;
use Bloom\WordPress\Queries;

if (defined('BLOOM_NAME') && defined('BLOOM_STORE') && !is_multisite()) {
    if (!class_exists(Fold::class)) {
        spl_autoload_register(static function (string $class): void {
            $kit = defined('BLOOM_KIT') ? BLOOM_KIT : '/usr/share/php-bloom/packages/kit/src';
            if (str_starts_with($class, 'Bloom\\Kit\\') && is_file($file = $kit . '/' . substr($class, 10) . '.php')) {
                require $file;
            }
        });
    }
    require __DIR__ . '/bloom/Queries.php';
    (new Queries($GLOBALS['wpdb'], BLOOM_NAME, BLOOM_STORE, defined('BLOOM_SHADOW') ? BLOOM_SHADOW : 0.0))->register();
}

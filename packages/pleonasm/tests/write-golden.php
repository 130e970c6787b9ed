<?php
/* Prints the contents of golden.json: php write-golden.php DIRECTORY, where the classes of pleonasm/bloom-filter are. */

use Pleo\BloomFilter\Tests\Golden;

spl_autoload_register(fn (string $class) => require $argv[1] . '/' . substr($class, strlen('Pleo\BloomFilter\\')) . '.php');
require __DIR__ . '/Golden.php';
echo json_encode(['filters' => Golden::filters(), 'api' => Golden::api()], JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES), "\n";

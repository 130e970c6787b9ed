<?php

// Runs a relay that kills itself before a step: killed_relay.php DSN USER STORE STEP

declare(strict_types=1);

use Bloom\Kit\PdoOutbox;
use Bloom\Kit\Tests\HookedStore;
use Bloom\Kit\Tests\KillingPdo;

require dirname(__DIR__) . '/vendor/autoload.php';

[, $dsn, $user, $directory, $step] = $argv;
$outbox = new PdoOutbox(new KillingPdo($dsn, $user, ''));
$store = new HookedStore($directory);
$hook = static function () use ($store, &$hook): void {
    KillingPdo::step();
    $store->before = $store->after = $hook;
};
$store->before = $store->after = $hook;
KillingPdo::$steps = (int) $step;
$outbox->relay($store);

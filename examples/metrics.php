<?php
// Prints the metrics of all filters of this pool's user, for Prometheus. Like the status page, whose file it needs beside it, it
// is closed until the pool's configuration opens it with a password, to addresses and networks, or with both:
//     env[BLOOM_METRICS_PASSWORD_HASH] = /etc/bloom/metrics
//     env[BLOOM_METRICS_ALLOW] = "192.0.2.10 192.0.2.11"
declare(strict_types=1);

require_once __DIR__ . '/status/index.php';
[$status, $text] = Bloom\Status\Access::refusal('metrics') ?? [200, null];
$text ??= Bloom\Filter::metrics(); // throws only if the segment cannot be read; the status is then 500
http_response_code($status);
header('Content-Type: ' . ($status === 200 ? 'application/openmetrics-text; version=1.0.0' : 'text/plain') . '; charset=utf-8');
header('Cache-Control: no-store');
if ($status === 401) {
    header('WWW-Authenticate: Basic realm="bloom metrics", charset="UTF-8"');
}
echo rtrim($text), "\n";

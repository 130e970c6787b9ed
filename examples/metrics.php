<?php
// Prints the metrics of all filters of this pool's user, for Prometheus. Only clients on this host get them. To admit others,
// list their addresses in the pool's configuration: env[BLOOM_METRICS_ALLOW] = "192.0.2.10 192.0.2.11"
declare(strict_types=1);

preg_match_all('/[^\s,]+/', '127.0.0.1 ::1 ' . (string) getenv('BLOOM_METRICS_ALLOW'), $allowed);
// Requests that a proxy on this host forwards come from elsewhere, although the address is 127.0.0.1.
$forwarded = isset($_SERVER['HTTP_X_FORWARDED_FOR']) || isset($_SERVER['HTTP_FORWARDED']) || isset($_SERVER['HTTP_VIA']);
if ($forwarded || !in_array($_SERVER['REMOTE_ADDR'] ?? '', $allowed[0], true)) {
    http_response_code(403);
    exit("forbidden\n");
}
$metrics = Bloom\Filter::metrics(); // throws only if the segment cannot be read; the status is then 500
header('Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8');
header('Cache-Control: no-store');
echo $metrics;

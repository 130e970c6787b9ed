--TEST--
In PHP-FPM, examples/metrics.php shows the counts of all workers, and answers the clients that the pool's configuration lists
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/fpm.inc';
skip_without_fpm();
?>
--INI--
bloom.path={TMP}/bloom-metrics_fpm
--FILE--
<?php
require __DIR__ . '/monitoring.inc';
require __DIR__ . '/../lib/fpm.inc';

mkdir(segment_path(), 0700);
give(segment_path(), 'www-data');
// The workers may not be able to read the tree.
mkdir(own_file('status'), 0755);
foreach (['metrics.php', 'status/index.php'] as $file) {
    copy(dirname(__DIR__, 2) . "/examples/$file", own_file($file));
    chmod(own_file($file), 0644);
}
// The helper expects JSON and the status 200, so a callback encodes what the page answers.
$fpm = new FpmServer(['www' => 'www-data'], <<<'PHP'
    if ($action === 'look') {
        Bloom\LiveFilter::create('tags', 100)->candidates(['a', 'b']);
        return [];
    }
    ob_start(function (string $text): string {
        $status = http_response_code();
        http_response_code(200);
        return json_encode(['status' => $status, 'text' => $text]);
    });
    require $body;
    exit;
    PHP, ['www' => ['bloom.path' => segment_path(), 'env[BLOOM_METRICS_ALLOW]' => '"192.0.2.10 192.0.2.11"']]);
$fpm->ask_each('www', 'look');
$ask = fn (string $address): array => $fpm->ask('www', 'metrics', own_file('metrics.php'), ['REMOTE_ADDR' => $address]);
foreach (['127.0.0.1', '192.0.2.11', '192.0.2.12'] as $address) {
    ['status' => $status, 'text' => $text] = $ask($address);
    echo "$address: $status ", preg_match('/^bloom_filter_up\{name="tags".*/m', $text, $found) ? $found[0] : trim($text), "\n";
}
// A worker adds its lookups at the end of a request, which may be after its answer.
for ($i = 0; $i < 1000; $i++) {
    $ok = preg_match('/^bloom_filter_lookups_total\{name="tags".* (\d+)$/m', $ask('192.0.2.11')['text'], $found) && (int) $found[1] >= 8;
    if ($ok) {
        break;
    }
    usleep(10_000);
}
echo $ok ? "the lookups of four workers\n" : "$found[0]\n";
$fpm->stop();
?>
--CLEAN--
<?php
require __DIR__ . '/monitoring.inc';
clean();
?>
--EXPECTF--
127.0.0.1: 403 This metrics page is not open to 127.0.0.1. BLOOM_METRICS_ALLOW lists the addresses that may see it.
192.0.2.11: 200 bloom_filter_up{name="tags",segment="%s"} 1
192.0.2.12: 403 This metrics page is not open to 192.0.2.12. BLOOM_METRICS_ALLOW lists the addresses that may see it.
the lookups of four workers

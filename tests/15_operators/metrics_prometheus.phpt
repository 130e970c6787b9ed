--TEST--
Prometheus scrapes examples/metrics.php and evaluates the alerts, and node_exporter reads the same text from a file
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-metrics_prometheus
--SKIPIF--
<?php
require __DIR__ . '/monitoring.inc';
skip_without_program('prometheus', 'prometheus-node-exporter');
?>
--FILE--
<?php
require __DIR__ . '/monitoring.inc';
use Bloom\{DirectoryStore, Filter, LiveFilter};
$examples = dirname(__DIR__, 2) . '/examples';

mkdir(own_file('store'));
$store = new DirectoryStore(own_file('store'));
blob_of(keys('k', 300), builtAt: 1_700_000_000)->publish($store, 'tags');
Filter::sync('tags', $store);
LiveFilter::create('visitors', 100);
LiveFilter::create('damaged', 100);
file_put_contents(in_segment('damaged/control'), "\0", FILE_APPEND);

file_put_contents(own_file('hash'), password_hash('open sesame', PASSWORD_BCRYPT, ['cost' => 4]));
putenv('BLOOM_METRICS_PASSWORD_HASH=' . own_file('hash'));
$page = new LocalServer(php_command() . ' -S {address} ' . escapeshellarg(__DIR__ . '/router.inc'), '/ready', 'php');
$settings = "global: {scrape_interval: 500ms, scrape_timeout: 500ms, evaluation_interval: 500ms}\n"
    . "rule_files: ['$examples/monitoring/bloom-alerts.yml']\n"
    . "scrape_configs: [{job_name: bloom, basic_auth: {username: bloom, password: open sesame}, static_configs: [{targets: ['$page->address']}]}]\n";
file_put_contents(own_file('prometheus.yml'), $settings);
$prometheus = new LocalServer(PLAIN . 'prometheus --web.listen-address={address} --log.level=warn --config.file=' . escapeshellarg(own_file('prometheus.yml'))
    . ' --storage.tsdb.path=' . escapeshellarg(own_file('data')), '/-/ready', 'prometheus');

/** Prints the values of a query for each filter. */
$query = function (string $query) use ($prometheus): void {
    $data = $prometheus->await('/api/v1/query?query=' . rawurlencode($query), fn (array $data): bool => $data['result'] !== []);
    $values = array_map(fn (array $row): string => ($row['metric']['name'] ?? '') . '=' . $row['value'][1], $data['result']);
    sort($values);
    echo "$query: ", implode(' ', $values), "\n";
};
$query('bloom_filter_up');
$query('bloom_filter_keys');
$query('bloom_filter_built_timestamp_seconds');
$query('bloom_filter_syncs_total');
$query('bloom_filter_info{scheme="bloom"}');
[$target] = $prometheus->json('/api/v1/targets')['activeTargets'];
echo "$target[health] $target[lastError]\n";
// Only OpenMetrics has units.
[$metadata] = $prometheus->json('/api/v1/targets/metadata?metric=bloom_filter_size_bytes');
echo "$metadata[type] $metadata[unit]: $metadata[help]\n";

// The alerts wait for some minutes before they fire.
$prometheus->await('/api/v1/alerts', fn (array $data): bool => count($data['alerts']) >= 2);
$alerts = array_map(fn (array $alert): string => "{$alert['labels']['alertname']} {$alert['labels']['name']} $alert[state]", $prometheus->json('/api/v1/alerts')['alerts']);
sort($alerts);
echo implode("\n", $alerts), "\n";
$prometheus->await('/api/v1/rules', fn (array $data): bool => array_unique(array_column($data['groups'][0]['rules'], 'health')) === ['ok']);

// Prometheus accepts all queries of the dashboard.
preg_match_all('/"expr": "((?:[^"\\\\]|\\\\.)*)"/', file_get_contents("$examples/monitoring/bloom-dashboard.json"), $found);
foreach ($found[1] as $expression) {
    $expression = strtr(json_decode("\"$expression\""), ['$job' => 'bloom', '$instance' => '.*', '$name' => '.*', '$__rate_interval' => '1m', '$__interval' => '1m']);
    $answer = json_decode($prometheus->get('/api/v1/query?query=' . rawurlencode($expression))[0], true);
    check($answer['status'] === 'success', "$expression: " . json_encode($answer));
}
echo count($found[1]), " queries\n";
$prometheus->stop();
$page->stop();

mkdir(own_file('textfile'));
file_put_contents(own_file('textfile') . '/bloom.prom', run('echo Bloom\\Filter::metrics();') . "\n");
$exporter = new LocalServer(PLAIN . 'prometheus-node-exporter --web.listen-address={address} --collector.disable-defaults --collector.textfile'
    . ' --collector.textfile.directory=' . escapeshellarg(own_file('textfile')), '/metrics', 'exporter');
preg_match_all('/^(?:bloom_filter_(?:up|keys|syncs_total)\{name="(\w+)".*|node_textfile_scrape_error) (\d+)$/m', $exporter->get('/metrics')[0], $found, PREG_SET_ORDER);
foreach ($found as [$line, $name, $value]) {
    echo strtok($line, '{ '), " $name $value\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/monitoring.inc';
clean();
?>
--EXPECT--
bloom_filter_up: damaged=0 tags=1 visitors=1
bloom_filter_keys: tags=300 visitors=0
bloom_filter_built_timestamp_seconds: tags=1700000000
bloom_filter_syncs_total: tags=1
bloom_filter_info{scheme="bloom"}: tags=1
up 
gauge bytes: The size of the filter; of an on-demand filter, of the published blob.
BloomBuildTooOld tags pending
BloomFilterUnreadable damaged pending
25 queries
bloom_filter_keys tags 300
bloom_filter_keys visitors 0
bloom_filter_syncs_total tags 1
bloom_filter_up damaged 0
bloom_filter_up tags 1
bloom_filter_up visitors 1
node_textfile_scrape_error  0

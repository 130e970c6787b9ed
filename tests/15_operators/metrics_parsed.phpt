--TEST--
The official parser reads the metrics of filters of all kinds, with labels that need escaping, even if some filters are damaged
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-metrics_parsed
--SKIPIF--
<?php
require __DIR__ . '/monitoring.inc';
skip_without_parser();
?>
--FILE--
<?php
require __DIR__ . '/monitoring.inc';
use Bloom\Filter;

// Makes the filters in another process, whose segment has a path with special characters.
$make = <<<'PHP'
    use Bloom\{CountingFilter, DirectoryStore, Filter, LiveFilter, ReverseIndexBuilder, ScalableFilter, SlidingFilter};
    mkdir($argv[1]);
    $store = new DirectoryStore($argv[1]);
    Filter::load('loaded', blob_of(keys('k', 500), source: "a \"b\" \\ \\n\nline\t\xff\e[31m\u{9b}\u{202E}\u{20AC}"));
    Filter::load('ribbon', blob_of(keys('k', 500), scheme: 'ribbon'));
    blob_of(keys('k', 300))->publish($store, 'synced');
    Filter::sync('synced', $store);
    Filter::open('synced')->candidates(['k1', 'k2', 'x1', 'x2', 'x3']);
    Filter::open('synced')->confirm(2, 2, 3, 1);
    thrown(fn () => Filter::sync('synced', new DirectoryStore("$argv[1]/none"), 0.0));
    blob_of(keys('k', 300), shardBytes: 1024, chunkBytes: 1024)->publish($store, 'demand');
    Filter::attach('demand', $store, 1 << 20)->mightContain('k1');
    LiveFilter::create('live', 100, ttl: 3600.0)->add('x');
    CountingFilter::create('counting', 100)->add('x');
    ScalableFilter::create('scalable', 100)->add('x');
    SlidingFilter::create('sliding', 100, 0.01, 60.0)->add('x');
    $index = new ReverseIndexBuilder(300, 1000);
    $index->add(1, 'x');
    Filter::load('index', $index->build());
    foreach (['damaged', 'foreign', 'unlinked'] as $name) {
        LiveFilter::create($name, 100);
    }
    foreach (['damaged' => 0, 'foreign' => 8] as $name => $at) { // the magic bytes, and the number of the layout
        $file = fopen(in_segment("$name/control", ini_get('bloom.path')), 'r+');
        fseek($file, $at);
        fwrite($file, "\xee\xee");
    }
    unlink(in_segment('unlinked/0000000000000001.bloom', ini_get('bloom.path')));
    PHP;
$path = own_file("seg\\\"ment\n");
putenv("METRICS_PATH=$path");
$setting = ['bloom.path' => '${METRICS_PATH}'];
$child = new Child($make, $setting, [own_file('store')]);
echo $child->end();
$text = run('echo Bloom\Filter::metrics();', $setting) . "\n";
$families = parsed($text);
check(str_starts_with($text, '# TYPE ') && str_ends_with($text, "\n# EOF\n"), 'the whole text');
check(preg_match('//u', $text) === 1, 'UTF-8');

$values = [];
foreach ($families as $name => $family) {
    check($family['help'] !== '' && in_array($family['type'], ['gauge', 'counter'], true), "$name: type and help");
    foreach ($family['samples'] as [$sample, $labels, $value]) {
        check($labels['segment'] === $path, "$name: the segment");
        $values[$labels['name'] ?? ''][$sample] = $value;
    }
}
foreach ($families['bloom_filter_up']['samples'] as [, $labels, $value]) {
    echo "{$labels['name']}: $value ", count($values[$labels['name']]) > 1 ? 'and more' : 'alone', "\n";
}
foreach ($families['bloom_filter_info']['samples'] as [, $labels]) {
    if ($labels['name'] === 'loaded') {
        echo json_encode(array_diff_key($labels, ['segment' => 0, 'checksum' => 0])), "\n";
    }
}
echo json_encode(array_intersect_key($values['synced'], array_flip(['bloom_filter_keys', 'bloom_filter_capacity', 'bloom_filter_syncs_total',
    'bloom_filter_loads_total', 'bloom_filter_requested_false_positive_ratio', 'bloom_filter_built_timestamp_seconds']))), "\n";
foreach ($values['synced'] as $sample => $value) {
    echo preg_match('/_(lookups|candidates|observed|sync_failures)/', $sample) ? substr($sample, strlen('bloom_filter_')) . "=$value " : '';
}
echo json_encode(array_map(fn (array $sample): array => [$sample[1]['name'], $sample[1]['status'], $sample[2]], $families['bloom_filter_failures']['samples'])), "\n";
check(abs($values['synced']['bloom_filter_last_sync_timestamp_seconds'] - time()) < 300, 'the last sync');
check(!isset($values['live']['bloom_filter_built_timestamp_seconds']), 'a live filter has no time of a build');
check($values['live']['bloom_filter_expires_timestamp_seconds'] > time() + 3000, 'when the live filter ends');
check($values['demand']['bloom_filter_ondemand_memory_bytes'] > 0, 'an on-demand filter');

// A segment that is refused is an error of the whole.
chmod($path, 0755);
echo run('echo thrown(Bloom\Filter::metrics(...), class: true);', $setting), "\n";
// A segment that does not exist has no filters.
echo json_encode(array_map(fn (array $family): int => count($family['samples']), array_filter(parsed(Filter::metrics()), fn (array $family): bool => $family['samples'] !== []))), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/monitoring.inc';
clean();
?>
--EXPECT--
counting: 1 and more
damaged: 0 alone
demand: 1 and more
foreign: 0 alone
index: 1 and more
live: 1 and more
loaded: 1 and more
ribbon: 1 and more
scalable: 1 and more
sliding: 1 and more
synced: 1 and more
unlinked: 0 alone
{"name":"loaded","kind":"loaded","scheme":"bloom","digest":"XXH3-64","source":"a \"b\" \\ \\n\nline\t\ufffd\ufffd[31m\ufffd\ufffd\u20ac"}
{"bloom_filter_keys":300,"bloom_filter_capacity":1000,"bloom_filter_requested_false_positive_ratio":0.01,"bloom_filter_built_timestamp_seconds":1700000000,"bloom_filter_loads_total":1,"bloom_filter_syncs_total":1}
observed_false_positive_ratio=0 lookups_total=5 lookups_absent_total=3 lookups_maybe_total=2 candidates_confirmed_total=2 candidates_found_total=2 sync_failures_total=1 sync_failures_in_row=1 [["synced","Store",1]]
Bloom\SegmentException
{"bloom_segment_used_bytes":1,"bloom_extension_info":1}

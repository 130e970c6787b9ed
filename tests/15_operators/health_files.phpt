--TEST--
Filter::health() reports damage, foreign files, a full segment and a filter that is refused
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-health_files
bloom.memory_limit=52000
--FILE--
<?php
require __DIR__ . '/health.inc';
use Bloom\{DirectoryStore, Filter, ScalableFilter};

$segment = segment_path();
$blob = blob_of(range(1, 1000), builtAt: 1e9);
Filter::load('tags', $blob);
judge('intact', Filter::health('tags'));
check(Filter::health('tags')->freeBytes === 52000 - Filter::open('tags')->info()->segmentBytes, 'free bytes');

// Files that the extension did not create. Files of other writers are not foreign.
foreach (['b.bloom', "a\n\x80", 'c', 'd'] as $name) {
    touch(in_segment("tags/$name"));
}
touch(in_segment('tags/00000000000000ff.tmp'));
touch(in_segment('tags/0000000000000009.bloom'));
judge('foreign', Filter::health('tags'));
echo json_encode(Filter::health('tags')->foreignFiles), "\n";
array_map(unlink(...), array_filter(glob(in_segment('tags/*')), fn (string $path): bool => filesize($path) === 0));
judge('removed', Filter::health('tags'));

// The next reload needs as many bytes as the first.
Filter::load('other', blob_of(range(1, 3000), 3000, builtAt: 1e9));
judge('room for small filters', Filter::health('tags'));
Filter::load('third', $blob);
Filter::load('fourth', $blob);
judge('no room', Filter::health('tags'));
foreach (['other', 'third', 'fourth'] as $name) {
    Filter::drop($name);
}

// A scalable filter that cannot grow.
$scalable = ScalableFilter::create('scalable', 8000, seed: 1);
$scalable->addMany(range(1, 8800));
judge('scalable', Filter::health('scalable'));
Filter::drop('scalable');

Filter::drop('tags');

// A sync replaces damage, and then it is reported for a day.
$store = new DirectoryStore(own_file());
$blob->publish($store, 'tags');
switched(Filter::sync('tags', $store));
$damage = function () use ($segment): void {
    $path = glob(in_segment('tags/*.bloom'))[0];
    $file = fopen($path, 'r+');
    fseek($file, -500, SEEK_END);
    fwrite($file, str_repeat("\0", 500));
    fclose($file);
};
$damage();
thrown(fn () => Filter::sync('tags', new DirectoryStore('/nowhere'), 0, force: true));
judge('damaged', Filter::health('tags'));
switched(Filter::sync('tags', $store, 0));
judge('replaced', Filter::health('tags'));
$page = fopen(in_segment('tags/control'), 'r+');
fseek($page, 680);
fwrite($page, pack('Q', (time() - 86401) * 1000));
fclose($page);
judge('a day later', Filter::health('tags'));

// A file of which the group may read is refused.
Filter::load('shared', $blob);
$opened = Filter::open('shared');
$blob->save(own_file('shared.bloom'));
$php = escapeshellarg(PHP_BINARY) . ' ' . getenv('TEST_PHP_EXTRA_ARGS') . ' -d ' . escapeshellarg("bloom.path=$segment") . ' -r ';
shell_exec($php . escapeshellarg('Bloom\Filter::load("shared", Bloom\Blob::open(' . var_export(own_file('shared.bloom'), true) . '));'));
foreach (glob(in_segment('shared/*.bloom')) as $path) {
    chmod($path, 0640);
}
judge('refused where it is open', Filter::health('shared'));
$code = 'echo json_encode(array_diff_key(Bloom\Filter::health("shared")->jsonSerialize(), ["freeBytes" => 0]), JSON_UNESCAPED_SLASHES);';
$result = shell_exec($php . escapeshellarg($code));
echo str_replace($segment, '{segment}', $result), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
intact: ok
foreign: warning; 4 foreign files in its directory: a\n\200, b.bloom, c
["a\\n\\200","b.bloom","c","d"]
removed: ok
room for small filters: ok
no room: warning; the next reload needs 6144 bytes, but only 0 are free
scalable: warning; no layer could be added (1 attempt failed); the next layer needs 20480 bytes, but only 8992 are free
damaged: critical, not ready; {segment}/tags: the served file is damaged, so lookups answer maybe until a sync or a load succeeds
replaced: warning; damage was found and replaced 1 time, last %s ago
a day later: ok
refused where it is open: critical, not ready; {segment}/shared: 0000000000000002.bloom (mode 0640): refused: group or others may access it (directories must be 0700, files 0600)
{"name":"shared","status":"critical","reasons":["{segment}/shared: 0000000000000002.bloom (mode 0640): refused: group or others may access it (directories must be 0700, files 0600)"],"notes":[],"isReady":false,"info":null,"buildAge":null,"syncAge":null,"behind":null,"reloadBytes":null,"foreignFiles":[]}

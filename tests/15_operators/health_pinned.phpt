--TEST--
Filter::health() and the metrics follow a pin and a rollback, and say to which version and since when
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-health_pinned
--FILE--
<?php
require __DIR__ . '/health.inc';
use Bloom\{Blob, DirectoryStore, Filter};

mkdir($directory = own_file('store'));
$store = new DirectoryStore($directory);
$names = [];
/** Prints a health with names for versions and times. */
function ask(string $what): void
{
    global $store, $names;
    $health = Filter::health('tags', store: $store);
    ob_start();
    judge($what, $health);
    $text = rtrim(ob_get_clean()) . implode('', array_map(fn (string $note): string => " [$note]", $health->notes));
    check(preg_match_all('/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/', $text, $times) >= 0, 'times');
    foreach ($times[0] as $time) {
        check(abs(strtotime($time) - time()) < 600, "$time is now");
    }
    $text = preg_replace(['/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/', '/built \d+ d( \d+ h)?/'], ['TIME', 'built AGE'], strtr($text, $names));
    preg_match_all('/^bloom_filter_(pinned|rolled_back)_timestamp_seconds\{name="tags",/m', Filter::metrics(), $found);
    echo $text, $found[1] === [] ? '' : '; metrics: ' . implode(', ', $found[1]), "\n";
}
foreach (['one', 'two', 'three'] as $number => $version) {
    $blob = blob_of(range(1, 100 + $number), builtAt: 1.7e9 + 86400 * $number);
    $names[$blob->info()->checksum] = $version;
    $blob->publish($store, 'tags');
    Filter::sync('tags', $store, 0);
}
ask('current');
Blob::rollback($store, 'tags');
ask('rolled back, not synced');
Filter::sync('tags', $store, 0);
ask('rolled back, synced');
Blob::unpin($store, 'tags');
ask('rollback ended, not synced');
Filter::sync('tags', $store, 0);
ask('rollback ended, synced');
Blob::pin($store, 'tags', array_search('two', $names, true));
ask('pinned, not synced');
Filter::sync('tags', $store, 0);
ask('pinned, synced');
blob_of(range(1, 500), builtAt: 1.7e9 + 86400 * 9)->publish($store, 'tags');
Filter::sync('tags', $store, 0);
ask('pinned, and a new version');
Blob::unpin($store, 'tags');
ask('unpinned, not synced');
file_put_contents("$directory/tags:override", 'garbage');
ask('a damaged override');
Blob::unpin($store, 'tags');
Filter::sync('tags', $store, 0);
ask('unpinned, synced');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
current: ok, 0 behind
rolled back, not synced: warning; hosts were rolled back to version two at TIME, and this host does not serve it yet
rolled back, synced: ok, 0 behind [rolled back to version two at TIME]; metrics: rolled_back
rollback ended, not synced: warning, 1 behind; the store has a newer version, built AGE ago; the served one is the version before it [rolled back to version two at TIME]; metrics: rolled_back
rollback ended, synced: ok, 0 behind
pinned, not synced: warning; hosts are pinned to version two since TIME, and this host does not serve it yet
pinned, synced: ok, 0 behind [pinned to version two since TIME]; metrics: pinned
pinned, and a new version: ok, 0 behind [pinned to version two since TIME]; metrics: pinned
unpinned, not synced: critical, 2 behind; the store has a newer version, built AGE ago; the served one is 2 versions behind [pinned to version two since TIME]; metrics: pinned
a damaged override: unknown; the store's version is unknown: tags:override: the store's pin or rollback is damaged, or this build cannot read it (unpin the filter, or roll back or pin it again) [pinned to version two since TIME]; metrics: pinned
unpinned, synced: ok, 0 behind

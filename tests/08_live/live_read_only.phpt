--TEST--
On a read-only mount filters of every kind fail with a reason, and no key is lost
--DESCRIPTION--
fault: hugetlbfs
--EXTENSIONS--
bloom
--SKIPIF--
<?php
exec('unshare -m sh -c "mount --bind /mnt /mnt && mount -o remount,bind,ro /mnt" 2>/dev/null', $output, $status);
if ($status !== 0) {
    echo 'skip mounts are not permitted here';
}
?>
--INI--
bloom.path={TMP}/bloom-live_read_only
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\Filter;

foreach (KINDS as $kind) {
    put(made($kind), 'key');
}
$mount = 'exec unshare -m sh -c \'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"\' ' . escapeshellarg(segment_path());
$said = (new Child('require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ';
    $text = fn (callable $call) => preg_replace("/\d{4,}/", "N", thrown($call));
    foreach (KINDS as $kind) {
        // find() throws. Null would mean that there is no filter.
        check(str_contains($said = $text(fn () => Bloom\Filter::find($kind)), "Read-only file system"), "$kind: $said");
        check(str_contains($said = $text(fn () => made($kind, name: "new")), "Read-only file system"), "new $kind: $said");
    }
    echo "read-only";', [], [], $mount))->end();
check($said === 'read-only', $said);
foreach (KINDS as $kind) {
    check(held(Filter::open($kind), 'key'), "$kind, outside");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--

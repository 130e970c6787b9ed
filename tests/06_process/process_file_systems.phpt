--TEST--
Filters of all kinds work on overlayfs and on ramfs; on hugetlbfs and on read-only mounts each call reports the reason
--DESCRIPTION--
fault: hugetlbfs, odd-file-system
--EXTENSIONS--
bloom
--SKIPIF--
<?php
exec('unshare -m sh -c "mount -t ramfs none /mnt" 2>/dev/null', $output, $status);
if ($status !== 0) {
    echo 'skip mounts are not permitted here';
}
?>
--INI--
bloom.path={TMP}/bloom-process_file_systems
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';

$at = own_file('mount');
mkdir($at, 0700);
$inc = '$live = ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . '; require $live;';
/** Runs code with a file system mounted at $at. Returns null if the mount fails. */
$mounted = function (string $mount, string $code) use ($at, $inc): ?string {
    $before = 'exec unshare -m sh -c ' . escapeshellarg("{ $mount; } >/dev/null 2>&1 || { echo cannot; exit 0; }; exec \"\$@\"") . ' sh';
    $said = (new Child($inc . $code, ['bloom.path' => "$at/segment"], [], $before))->end();
    return $said === 'cannot' ? null : $said;
};
$in = escapeshellarg($at);

// All kinds, with growth, reloads and syncs. Other processes see the same contents.
$use = '
    foreach (KINDS as $kind) {
        $filter = made($kind, 100);
        for ($n = 0; $n < 300; $n++) {
            put($filter, "k$n");
        }
        check_held($filter, keys("k", 300), $kind);
    }
    foreach ([1, 2] as $version) {
        Bloom\Filter::load("loaded", blob_of(["v$version"], builtAt: 1.0 + $version));
        check(Bloom\Filter::open("loaded")->mightContain("v$version"), "version $version");
    }
    mkdir(dirname(segment_path()) . "/store");
    $store = new Bloom\DirectoryStore(dirname(segment_path()) . "/store");
    blob_of(["there"])->publish($store, "synced");
    check(switched(Bloom\Filter::sync("synced", $store, 0)), "a sync");
    $said = (new Child("require " . var_export($live, true) . ";" . \'
        foreach (KINDS as $kind) {
            $filter = Bloom\Filter::open($kind);
            check_held($filter, keys("k", 300), "elsewhere, $kind");
            put($filter, "from there");
        }
        check(Bloom\Filter::open("synced")->mightContain("there"), "elsewhere");\', ["bloom.path" => segment_path()]))->end();
    check($said === "", $said);
    foreach (KINDS as $kind) {
        check(held(Bloom\Filter::open($kind), "from there"), "$kind, what another process added");
        check(Bloom\Filter::drop($kind), "$kind is dropped");
    }
    check(tree(segment_path()) === ["loaded", "loaded/" . "0000000000000002.bloom", "loaded/control", "synced", "synced/0000000000000001.bloom", "synced/control"],
        implode(" ", tree(segment_path())));
    echo "works";';
$overlay = "mount -t tmpfs none $in && mkdir $in/l $in/u $in/w && mount -t overlay -o lowerdir=$in/l,upperdir=$in/u,workdir=$in/w none $in";
check(in_array($said = $mounted($overlay, $use), ['works', null], true), "overlay: $said");
check(($said = $mounted("mount -t ramfs -o mode=0700 none $in", $use)) === 'works', "ramfs: $said");

// The host may have no huge pages, and files on hugetlbfs do not support write(). Each call throws with the reason.
$refuse = '
    $blob = blob_of(["a"]);
    $said = [];
    foreach ([fn () => Bloom\Filter::load("loaded", $blob), fn () => $blob->save(dirname(segment_path()) . "/a.bloom"), ...array_map(fn ($kind) => fn () => made($kind), KINDS)] as $call) {
        $said[] = thrown($call, true);
    }
    check(!array_diff($said, ["Bloom\SegmentException", "Bloom\BloomException"]), implode(" ", $said));
    check(Bloom\Filter::find("loaded") === null, "nothing is loaded");
    echo "refused";';
check(in_array($said = $mounted("mount -t hugetlbfs -o mode=0700 none $in", $refuse), ['refused', null], true), "hugetlbfs: $said");

// A read-only segment cannot even be read, because control pages are mapped for writing. Blobs and stores can be read.
$fill = escapeshellarg(php_command(['bloom.path' => "$at/segment"]) . ' -r ' . escapeshellarg(prelude() . '
    $blob = blob_of(["a"]);
    Bloom\Filter::load("loaded", $blob);
    mkdir(dirname(segment_path()) . "/store");
    $blob->publish(new Bloom\DirectoryStore(dirname(segment_path()) . "/store"), "there");
    $blob->save(dirname(segment_path()) . "/a.bloom");'));
$read = '
    foreach ([fn () => Bloom\Filter::open("loaded"), fn () => Bloom\Filter::find("loaded"), fn () => Bloom\Filter::load("loaded", blob_of(["b"])), fn () => made("live")] as $call) {
        $said = thrown($call);
        check(str_starts_with($said, "Bloom\SegmentException: ") && str_ends_with($said, "Read-only file system"), $said);
    }
    check(Bloom\Blob::open(dirname(segment_path()) . "/a.bloom")->mightContain("a"), "a blob");
    $store = new Bloom\DirectoryStore(dirname(segment_path()) . "/store");
    check(Bloom\Blob::fetch($store, "there")->mightContain("a"), "a store");
    check(thrown(fn () => blob_of(["b"])->publish($store, "there"), true) === "Bloom\StoreException", "publishing");
    echo "read";';
check(($said = $mounted("mount -t tmpfs -o mode=0700 none $in && sh -c $fill && mount -o remount,ro $in", $read)) === 'read', "read-only: $said");
check(tree($at) === [], 'every file was inside the mounts');
echo "done\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done

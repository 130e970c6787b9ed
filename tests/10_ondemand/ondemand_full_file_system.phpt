--TEST--
On a full file system no on-demand filter is attached or updated, and existing ones still fetch chunks
--DESCRIPTION--
fault: space-later
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/tmpfs.inc';
skip_without_tmpfs();
?>
--INI--
bloom.path={TMP}/bloom-ondemand_full_file_system
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/tmpfs.inc';

echo run_on_tmpfs('256k', 'require ' . var_export(dirname(__DIR__) . '/lib/ondemand.inc', true) . ';
    $text = fn (callable $call) => preg_replace("/\d{4,}/", "N", str_replace($tmpfs, "{tmpfs}", thrown($call)));
    $keys = keys("k", 8000);
    $blob = chunked($keys);
    $store = store_of($blob);
    $large = Bloom\Filter::attach("large", $store, memory_for($blob, 3));
    file_put_contents("$tmpfs/ballast", "");
    while (@file_put_contents("$tmpfs/ballast", str_repeat("x", 1024), FILE_APPEND) === 1024);
    // The space of its slots is reserved.
    foreach ($keys as $key) {
        check($large->mightContain($key), $key);
    }
    check($large->info()->chunksHere === 3 && $large->info()->fetchFailures === 0, "filled on");
    check($large->candidates($keys) === $keys, "all may be there");
    $more = chunked([...$keys, "new"]);
    $more->publish($store, "large");
    $more->publish($store, "other");
    echo $text(fn () => Bloom\Filter::attach("other", $store, 1 << 20)), "\n";
    echo $text(fn () => Bloom\Filter::sync("large", $store, ttl: 0)), "\n";
    check($large->candidates($keys) === $keys && $large->info()->generation === 1, "the old version stays");
    check(preg_grep("/tmp$/", tree("$tmpfs/segment")) === [], "nothing is left: " . implode(" ", tree("$tmpfs/segment")));
    unlink("$tmpfs/ballast");
    check(switched(Bloom\Filter::sync("large", $store, ttl: 0)), "with room it is synced");
    check($large->mightContain("new") && $large->info()->generation === 2, "the new version");
    echo $text(fn () => Bloom\Filter::attach("other", $store, memory_for($more, 3))), "\n";
', ['bloom.path' => own_file('tmpfs/segment')]), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\SegmentException: {segment}/other: needs N bytes, 0 free: the file system has too little free space (free some space, raise --shm-size if you use Docker, or set bloom.path to a larger tmpfs)
Bloom\SegmentException: {segment}/large: needs N bytes, 0 free: the file system has too little free space (free some space, raise --shm-size if you use Docker, or set bloom.path to a larger tmpfs)
nothing

--TEST--
Without free inodes, nothing is created and served filters remain; once enough inodes are free, the next attempt succeeds
--DESCRIPTION--
fault: no-space
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/tmpfs.inc';
skip_without_tmpfs();
?>
--INI--
bloom.path={TMP}/bloom-live_no_inodes
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/tmpfs.inc';

echo run_on_tmpfs('4m,nr_inodes=64', '
    require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ';
    require ' . var_export(dirname(__DIR__) . '/lib/ondemand.inc', true) . ';
    use Bloom\Filter;

    $served = Filter::load("served", blob_of(keys("s", 300)));
    $kept = made("live", name: "kept");
    $kept->addMany(keys("k", 300));
    $grows = made("scalable", 200, name: "grows");
    $blob = chunked(keys("d", 3000));
    $store = store_of($blob);
    $ballast = [];
    foreach ([
        ...array_map(fn (string $kind) => [$kind, fn () => made($kind)], array_combine(KINDS, KINDS)),
        "load" => ["load", fn () => Filter::load("load", blob_of(["a"]))],
        "reload" => ["served", fn () => Filter::load("served", blob_of(keys("s", 300)))],
        "sync" => ["large", fn () => Filter::sync("large", $store, ttl: 0)],
        "on demand" => ["large", fn () => Filter::attach("large", $store, 1 << 20)],
    ] as $what => [$name, $make]) {
        $before = tree("$tmpfs/segment");
        while (@file_put_contents($path = "$tmpfs/ballast" . count($ballast), "") !== false) {
            $ballast[] = $path;
        }
        // Each round has one more free inode: for the directory, staged file and control page.
        for ($refused = []; $ballast !== []; unlink(array_pop($ballast))) {
            $text = preg_replace("/[0-9a-f]{16}/", "N", thrown($make));
            if ($text === "nothing") {
                break;
            }
            $said = preg_match("~^Bloom.SegmentException: {segment}/$name(: [^:]+|): the file system has too little free space: No space left on device \\(free some space, .+\\)$~", $text, $found);
            $refused[] = $said ? (ltrim($found[1], ": ") ?: "directory") : $text;
            check($served->candidates(keys("s", 300)) === keys("s", 300), "$what: what was loaded is served");
            check_held($kept, keys("k", 300), "$what: what takes keys has them");
            check($grows->addMany(keys("$what " . count($refused), 50)) > 0, "$what: and takes more");
            check_held($grows, keys("$what " . count($refused), 50), $what);
            $left = array_diff(tree("$tmpfs/segment"), $before, [$name, "$name/control"]);
            check($left === [], "$what: nothing is left but its directory and page: " . implode(" ", $left));
        }
        echo "$what: ", implode(", ", $refused), "\n";
        $key = ["load" => "a", "sync" => "d1", "on demand" => "d1"][$what] ?? "new";
        $made = Filter::open($name);
        check((in_array($what, KINDS) ? put($made, $key) && held($made, $key) : $made->mightContain($key)) || $name === "served", "$what: with enough of them it works");
        if ($name !== "served") {
            Filter::drop($name);
            check(tree("$tmpfs/segment") === $before, "$what: dropped: " . implode(" ", tree("$tmpfs/segment")));
        }
    }
', ['bloom.path' => own_file('tmpfs/segment')]), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
live: directory, N.tmp, control.tmp
counting: directory, N.tmp, control.tmp
scalable: directory, N.tmp, control.tmp
sliding: directory, N.tmp, control.tmp
reverse: directory, N.tmp, control.tmp
load: directory, N.tmp, control.tmp
reload: N.tmp
sync: directory, control.tmp, N.tmp
on demand: directory, N.tmp, control.tmp

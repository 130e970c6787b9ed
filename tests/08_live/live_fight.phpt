--TEST--
Processes that concurrently create, use and drop filters with the same names get answers or documented exceptions
--DESCRIPTION--
fault: drop-in-use
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-live_fight
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\Filter;

$seed = seeded(20261122);
$children = [];
for ($i = 0; $i < 4; $i++) {
    $children[] = new Child('require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ';
        use Bloom\{Filter, KindException, NotFoundException};
        mt_srand((int) $argv[1]);
        $blob = blob_of(["x"]);
        for ($round = 0; $round < 1500; $round++) {
            $name = "f" . mt_rand(0, 1);
            $kind = KINDS[mt_rand(0, 4)];
            [$what, $allowed, $call] = match (mt_rand(0, 5)) {
                // If there is no filter, create it. Only a filter of another kind may be refused.
                0, 1 => ["create $kind", [KindException::class], fn () => made($kind, 100, name: $name)],
                2 => ["load", [KindException::class, NotFoundException::class], fn () => Filter::load($name, $blob)],
                3 => ["drop", [], fn () => Filter::drop($name)],
                4 => ["use", [NotFoundException::class, KindException::class], function () use ($name) {
                    $filter = Filter::open($name);
                    for ($i = 0; $i < 20; $i++) {
                        $filter->mightContain("x");
                        $filter->info();
                        $filter instanceof Bloom\LoadedFilter || put($filter, "k$i");
                    }
                }],
                5 => ["list", [], fn () => Filter::list()],
            };
            $error = thrown($call);
            if ($error !== "nothing" && !in_array(strtok($error, ":"), $allowed, true)) {
                echo "$what: $error\n";
            }
        }', [], [$seed + $i]);
}
foreach ($children as $child) {
    echo $child->end();
}
array_map([Filter::class, 'drop'], Filter::list());
check(tree(segment_path()) === [], 'no file is left: ' . implode(' ', tree(segment_path())));
echo 'done';
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done

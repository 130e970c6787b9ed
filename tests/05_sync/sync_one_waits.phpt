--TEST--
While a store hangs, one process of a host waits for it, with and without a journal; the others return at once
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_one_waits
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../journal.inc';
use Bloom\{Builder, Filter, Journal};

$values = new ArrayJournalStore();
foreach (['journaled', 'plain'] as $name) {
    $builder = new Builder(1000, seed: 1);
    $builder->add('old');
    $mark = $name === 'journaled' ? (new Journal($name, $values))->mark() : null;
    $builder->build(builtAt: 1e9, mark: $mark)->publish($values, $name);
    Filter::sync($name, $values, 0);
}
$file = own_file('store');
file_put_contents($file, serialize([$values->values, $values->journals]));

// The store of each process hangs in each method until the test closes its standard input.
$code = 'require ' . var_export(dirname(__DIR__) . '/journal.inc', true) . ';
    $store = new ArrayJournalStore();
    [$store->values, $store->journals] = unserialize(file_get_contents($argv[1]));
    foreach (["getMultiple", "read"] as $method) {
        $store->before[$method] = function () { echo "in the store\n"; stream_get_contents(STDIN); };
    }
    usleep(2000); // the ttl
    echo $argv[3] === "pull" ? json_encode(Bloom\Journal::pull($store, [$argv[2]])) : Bloom\Filter::sync($argv[2], $store, (float) $argv[3])->name, "\n";';
foreach (['journaled' => ['0', '0.001', 'pull'], 'plain' => ['0', '0.001']] as $name => $ways) {
    foreach ($ways as $first) {
        $hanging = new Child($code, [], [$file, $name, $first]);
        check($hanging->hear() === 'in the store', "$name, $first: the first process is in the store");
        $others = [];
        for ($i = 0; $i < 4; $i++) {
            foreach ($ways as $way) {
                $others[] = [$way, new Child($code, [], [$file, $name, $way])];
            }
        }
        foreach ($others as [$way, $other]) {
            $heard = $other->hear();
            check($heard === ($way === 'pull' ? '[]' : 'Busy'), "$name, $first, then $way: $heard");
            $heard === 'in the store' ? $other->kill() : $other->end();
        }
        check(preg_match('/Current|\[\]|NotDue/', $hanging->end()) === 1, "$name, $first: the first process ends");
    }
}
echo "done\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
done

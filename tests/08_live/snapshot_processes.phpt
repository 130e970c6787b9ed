--TEST--
While processes add keys, a snapshot contains every key whose add() returned before the save
--DESCRIPTION--
fault: save-concurrent
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-snapshot_processes
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\{DirectoryStore, Filter};

// Each adder writes the number of its keys to its file after add() has returned.
$adder = '
    [, $kind, $i, $file] = $argv;
    $filter = Bloom\Filter::open($kind);
    $log = fopen($file, "c+");
    for ($n = 0; !file_exists("$file.stop") && $n < 200000; $n++) {
        put($filter, "k$i.$n");
        if ($n % 10 === 9) {
            rewind($log);
            fwrite($log, sprintf("%09d", $n + 1));
        }
    }
';
mkdir(own_file('store'), 0700);
$store = new DirectoryStore(own_file('store'));
$returned = fn (int $i) => (int) file_get_contents(own_file("log$i"));
foreach (KINDS as $kind) {
    made($kind, $kind === 'scalable' ? 1000 : 400_000);
    $filter = Filter::open($kind);
    foreach ([1, 2] as $i) {
        file_put_contents(own_file("log$i"), '000000000');
        @unlink(own_file("log$i.stop"));
    }
    $adders = array_map(fn ($i) => worker($adder, $kind, $i, own_file("log$i")), [1, 2]);
    foreach ([own_file('saved'), $store, own_file('saved')] as $round => $target) {
        // Wait until both processes are adding.
        $least = array_map(fn ($i) => $returned($i) + 100, [1 => 1, 2 => 2]);
        while (($returned(1) < $least[1] || $returned(2) < $least[2]) && max($returned(1), $returned(2)) < 200_000) {
            usleep(1000);
        }
        $before = [1 => $returned(1), 2 => $returned(2)];
        $filter->save($target);
        if ($target === $store) {
            // The pieces of a store belong to the filter's name.
            copy(own_file("store/$kind:snapshot"), own_file("store/again:snapshot"));
            foreach (glob(own_file("store/$kind:snapshot?*")) as $piece) {
                copy($piece, str_replace("/$kind:", '/again:', $piece));
            }
        }
        $again = Filter::restore('again', $target);
        foreach ($before as $i => $count) {
            check_held($again, keys("k$i.", $count), "$kind, adder $i, round $round");
        }
        Filter::drop('again');
    }
    foreach ([1, 2] as $i) {
        touch(own_file("log$i.stop"));
    }
    $said = array_map(fn (Child $adder) => $adder->end(), $adders);
    check(array_filter($said) === [], implode("\n", $said));
    Filter::drop($kind);
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--

--TEST--
Random programs of calls with hostile arguments crash nothing, lose no key and leave nothing behind
--DESCRIPTION--
fault: random-programs
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-engine_fuzz
bloom.memory_limit=16M
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';

Clock::own();
Clock::skipPauses(); // of publishers that wait a minute because a hostile store kept an earlier publisher's claim

// BLOOM_TEST_SEED=… and BLOOM_TEST_ROUNDS=… select different programs. They run in a child process, so that the test
// can report a crash with its seed.
$seed = (int) (getenv('BLOOM_TEST_SEED') ?: 20261121);
$rounds = (int) (getenv('BLOOM_TEST_ROUNDS') ?: (getenv('BLOOM_TEST_SANITIZE') ? 10 : 40));
$child = new Child('
    require ' . var_export(dirname(__DIR__) . '/lib/programs.inc', true) . ';
    $ends = [];
    for ($seed = (int) $argv[1]; $seed < $argv[1] + $argv[2]; $seed++) {
        echo "seed $seed\n";
        $program = new Program($seed);
        $program->run();
        foreach ($program->ends as $end => $count) {
            $ends[$end] = ($ends[$end] ?? 0) + $count;
        }
        unset($program);
        gc_collect_cycles();
    }
    ksort($ends);
    echo "ends ", json_encode($ends), "\n";
', ['memory_limit' => '512M'], [$seed, $rounds]);
$lines = explode("\n", $child->end());
$end = array_pop($lines);
$others = preg_grep('/^seed \d+$/', $lines, PREG_GREP_INVERT);
if ($others !== [] || !str_starts_with($end, 'ends {') || str_ends_with($end, ')')) {
    preg_match('/\d+/', (string) current(preg_grep('/^seed \d+$/', array_reverse($lines))), $last);
    echo 'BLOOM_TEST_SEED=', $last[0] ?? $seed, " BLOOM_TEST_ROUNDS=1 scripts/test tests/12_engine/engine_fuzz\n";
    echo implode("\n", [...array_slice($others, 0, 20), $end]), "\n";
    exit;
}
// An operation that is always refused, or never, tests too little.
$ends = json_decode(substr($end, 5), true);
if ($rounds >= 10) {
    foreach (['returned', 'followed', 'Hostile', 'TypeError', 'ValueError', 'Bloom\FormatException', 'Bloom\KindException', 'Bloom\StoreException'] as $kind) {
        check(($ends[$kind] ?? 0) > $rounds / 4, "$kind: $end");
    }
}
echo "done\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done

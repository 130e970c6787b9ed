--TEST--
A process that was stopped anywhere for longer than maxLag answers maybe when it continues
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_linux_calls();
skip_without_clock();
?>
--INI--
bloom.path={TMP}/bloom-journal_stopped
--FILE--
<?php
/* The child looks up keys all the time. A lookup that begins before the stop may answer "no" after it, so the child reads the
 * clock before each lookup. BLOOM_TEST_ROUNDS and BLOOM_TEST_SEED choose how often and where it is stopped. */
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
Clock::own();
use Bloom\{Builder, DirectoryStore, Filter, Journal};

const MAX_LAG = 60;
$rounds = (int) (getenv('BLOOM_TEST_ROUNDS') ?: 60);
mt_srand((int) (getenv('BLOOM_TEST_SEED') ?: 1));
mkdir(own_file('store'));
$store = new DirectoryStore(own_file('store'));
$journal = new Journal('tags', $store);
$builder = new Builder(1000, seed: 1);
$builder->add('old');
$builder->build(mark: $journal->mark())->publish($store, 'tags');
Filter::sync('tags', $store, 0, maxLag: MAX_LAG);

$child = new Child(<<<'PHP'
    $tags = Bloom\Filter::open('tags');
    $asks = [
        fn (): bool => $tags->mightContain('absent'),
        fn (): bool => $tags->mightContain(str_repeat('absent', 20)),
        fn (): bool => $tags->mightContain(12345678),
        fn (): bool => $tags->candidates(['absent', 'also absent']) !== [],
        fn (): bool => $tags->candidates(['a' => 'absent']) !== [],
    ];
    while (($limit = fgets(STDIN)) !== false) {
        for ($late = $denied = $wrong = 0; $late < 100; $late += $start >= (int) $limit) {
            foreach ($asks as $ask) {
                $start = hrtime(true);
                if (!$ask()) {
                    $wrong += $start >= (int) $limit;
                    $denied++ === 0 && print("denies\n");
                }
            }
        }
        echo "$wrong\n";
    }
    PHP);
$wrong = 0;
for ($round = 0; $round < $rounds; $round++) {
    // Without keys, with a first one that is added while the child looks up keys, and with more.
    Filter::sync('tags', $store, 0, maxLag: MAX_LAG);
    $child->say((string) (hrtime(true) + MAX_LAG * 1_000_000_000));
    check($child->hear() === 'denies', "round $round: the child trusts the additions");
    $round % 7 === 5 && $journal->add("new-$round");
    usleep(mt_rand(0, 3000));
    $child->kill('STOP');
    while (!preg_match('/\) T /', file_get_contents("/proc/$child->pid/stat"))) {
        usleep(100);
    }
    Clock::advance(MAX_LAG + mt_rand(0, 1) * mt_rand(0, 100_000));
    $child->kill('CONT');
    $wrong += (int) $child->hear();
}
echo $child->end(), "$wrong wrong answers\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
0 wrong answers

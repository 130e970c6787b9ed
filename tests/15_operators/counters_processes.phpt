--TEST--
Forked processes count each lookup once, and a killed process loses only the lookups of its request
--EXTENSIONS--
bloom
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) {
    echo 'skip the pcntl extension is not loaded';
}
?>
--INI--
bloom.path={TMP}/bloom-counters_processes
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$tags = Filter::load('tags', blob_of(keys('k', 100)));
$tags->candidates(keys('k', 10));

// The child has a copy of what its parent has counted.
foreach ([1, 2] as $child) {
    $pid = pcntl_fork();
    if ($pid === 0) {
        $tags->candidates(keys('k', 100));
        exit;
    }
    pcntl_waitpid($pid, $status);
}
echo $tags->info()->counters->lookups, "\n";

// A killed process.
$pid = pcntl_fork();
if ($pid === 0) {
    $tags->candidates(keys('k', 50));
    $tags->info();
    $tags->candidates(keys('k', 7));
    kill_process(getmypid());
}
pcntl_waitpid($pid, $status);
check(pcntl_wifsignaled($status), 'it was killed');
echo $tags->info()->counters->lookups, "\n";

// Processes that count at the same time.
$pids = [];
for ($i = 0; $i < 4; $i++) {
    $pids[] = $pid = pcntl_fork();
    if ($pid === 0) {
        for ($round = 0; $round < 1000; $round++) {
            $tags->mightContain("k$round");
            $tags->info();
        }
        exit;
    }
}
foreach ($pids as $pid) {
    pcntl_waitpid($pid, $status);
}
echo $tags->info()->counters->lookups, "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
210
260
4260

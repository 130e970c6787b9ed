--TEST--
Several jobs produce the same bytes and counts as one job, for files, pipes and streams, no matter what the callback does
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

// 13 MB of lines: various lengths, both line endings, empty lines, repeated lines, and a last line without a line ending.
$file = own_file('keys');
$out = fopen($file, 'w');
$lines = 0;
for ($i = 0; $i < 600_000; $i++) {
    $key = intdiv($i, 30_000) * 25_000 + $i % 30_000;
    fwrite($out, "key-$key" . str_repeat('.', $key % 21) . ($i % 5 === 0 ? "\r\n" : "\n"));
    $lines++;
    if ($i % 1000 === 0) {
        fwrite($out, "\n");
        $lines++;
    }
}
fwrite($out, 'unfinished');
fclose($out);
$lines++;
check(filesize($file) > 12e6, 'several rounds of two jobs');

function builder(int $jobs, string|Bloom\Scheme ...$more): Bloom\Builder
{
    return new Bloom\Builder(550_000, 0.01, seed: 7, jobs: $jobs, scheme: $more['scheme'] ?? Bloom\Scheme::Bloom, secret: $more['secret'] ?? null);
}

ini_set('memory_limit', '48M'); // the buffers of seven jobs do not count towards it
check((new Bloom\Builder(10, jobs: 64))->addFile(__FILE__) > 0, 'as many jobs as there may be');
$kinds = ['bloom' => [], 'ribbon' => ['scheme' => Bloom\Scheme::Ribbon]];
if (has_sodium()) {
    $kinds['keyed'] = ['secret' => str_repeat('s', 32)];
}
foreach ($kinds as $kind => $more) {
    $bytes = [];
    foreach ([1, 2, 3, 7] as $jobs) {
        $builder = builder($jobs, ...$more);
        check($builder->addFile($file) === $lines, "$kind, $jobs jobs: lines");
        check($builder->info()->added === $lines, "$kind, $jobs jobs: added");
        $bytes[] = md5($builder->build(1, 1)->toString());
    }
    check(count(array_unique($bytes)) === 1, "$kind: the same bytes");
}
$expected = builder(1);
$expected->addFile($file);
$expected = md5($expected->build(1, 1)->toString());

// A pipe returns less than a round per read. An open file is read from its current position.
$builder = builder(2);
$pipe = popen('cat ' . escapeshellarg($file), 'r');
check($builder->addFile($pipe) === $lines && pclose($pipe) === 0, 'a pipe');
check(md5($builder->build(1, 1)->toString()) === $expected, 'has the same bytes');
$builder = builder(2);
$open = fopen($file, 'r');
$builder->add(trim(fgets($open), "\r\n"));
check($builder->addFile($open) === $lines - 1, 'an open file');
check(md5($builder->build(1, 1)->toString()) === $expected, 'has the same bytes');

// The callback runs between rounds, when no thread exists. So it may add keys, start processes and throw.
$builder = builder(2);
$told = [];
check($builder->addFile($file, function (int $bytes, int $keys) use (&$told, $builder): void {
    $told[] = $bytes;
    $builder->add("from callback $bytes");
    check(shell_exec('echo child') === "child\n", 'a child process');
}) === $lines, 'its own lines alone');
check($told === [8 << 20, filesize($file)], 'called each round and at the end');
check($builder->info()->added === $lines + 2, 'and what it added counts');
$builder = builder(2);
echo thrown(fn () => $builder->addFile($file, fn () => throw new RuntimeException('stop'))), "\n";
$added = $builder->info()->added;
check($added > $lines / 2 && $added < $lines, 'the first round was added');

// The lines that were read before a failure have been added.
class Breaking
{
    public $context;
    private int $reads = 0;

    public function stream_open(): bool
    {
        return true;
    }

    public function stream_read(): string
    {
        return $this->reads++ < 5 ? str_repeat("line\n", 1000) : throw new RuntimeException('broken');
    }

    public function stream_eof(): bool
    {
        return false;
    }
}
stream_wrapper_register('breaking', Breaking::class);
foreach ([1, 2] as $jobs) {
    $builder = builder($jobs);
    echo thrown(fn () => $builder->addFile('breaking://')), ' after ', $builder->info()->added, "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
RuntimeException: stop
RuntimeException: broken after 5000
RuntimeException: broken after 5000

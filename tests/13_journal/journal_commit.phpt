--TEST--
A key that is added before its COMMIT is never denied after it, whichever process is killed at whichever step
--DESCRIPTION--
fault: add-killed
--EXTENSIONS--
bloom
pcntl
posix
pdo
pdo_sqlite
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--INI--
bloom.path={TMP}/bloom-journal_commit
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';

use Bloom\{DirectoryStore, Filter, Journal, JournalStore};
use Bloom\Kit\NightlyBuild;

Clock::own();
Clock::skipPauses();
spl_autoload_register(function (string $class): void {
    require dirname(__DIR__, 2) . '/packages/kit/src/' . basename(strtr($class, '\\', '/')) . '.php';
});

const SETTLE = 60.0;

/** A child process that says what it is about to do, and waits until it may. */
final class Steps
{
    private int $pid;
    private $socket;
    public ?string $next = null;

    /** @param callable(callable(string): void): void $work calls its argument before each step */
    public function __construct(callable $work)
    {
        [$this->socket, $other] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        $this->pid = pcntl_fork();
        if ($this->pid === 0) {
            fclose($this->socket);
            try {
                $work(function (string $step) use ($other): void {
                    fwrite($other, "$step\n");
                    fgets($other) !== false || posix_kill(getmypid(), SIGKILL);
                });
                fwrite($other, "end\n");
            } catch (Throwable $thrown) {
                fwrite($other, 'throws ' . str_replace("\n", ' ', $thrown->getMessage()) . "\n");
            }
            posix_kill(getmypid(), SIGKILL); // without PHP's shutdown, which belongs to the parent
        }
        fclose($other);
        $this->next = rtrim((string) fgets($this->socket));
    }

    /** Lets the process do its next step. */
    public function go(): void
    {
        fwrite($this->socket, "go\n");
        $this->next = rtrim((string) fgets($this->socket));
        check(!str_starts_with($this->next, 'throws'), $this->next);
    }

    /** Stops before a step. */
    public function until(string $step): void
    {
        while ($this->next !== $step) {
            check($this->next !== 'end', "there is a step \"$step\"");
            $this->go();
        }
    }

    public function kill(): void
    {
        posix_kill($this->pid, SIGKILL);
        pcntl_waitpid($this->pid, $status);
        fclose($this->socket);
    }
}

/** A store that stops before each call, and after the one that takes the mark. */
final class SteppedStore implements JournalStore
{
    public function __construct(private DirectoryStore $store, private Closure $step)
    {
    }

    private function call(string $method, mixed ...$arguments): mixed
    {
        ($this->step)($method);
        return $this->store->$method(...$arguments);
    }

    public function getMultiple(array $keys): array { return $this->call('getMultiple', $keys); }
    public function missing(array $keys): array { return $this->call('missing', $keys); }
    public function set(string $key, string $value): void { $this->call('set', $key, $value); }
    public function replace(string $key, ?string $expected, string $value): bool { return $this->call('replace', $key, $expected, $value); }
    public function deleteMultiple(array $keys): void { $this->call('deleteMultiple', $keys); }
    public function append(string $journal, array $records, ?string $after = null): ?string { return $this->call('append', $journal, $records, $after); }
    public function read(array $positions, int $limit): array { return $this->call('read', $positions, $limit); }
    public function trim(string $journal, string $position): void { $this->call('trim', $journal, $position); }

    public function last(string $journal): array
    {
        $last = $this->call('last', $journal);
        ($this->step)('mark is taken');
        return $last;
    }
}

$directory = own_file('data');
mkdir($directory);
$store = new DirectoryStore($directory);
$open = function () use ($directory): PDO {
    $database = new PDO("sqlite:$directory/rows.db");
    $database->exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 0; PRAGMA synchronous = OFF');
    return $database;
};
$open()->exec("CREATE TABLE keys (name TEXT PRIMARY KEY); INSERT INTO keys VALUES ('first')");
(new Journal('tags', $store))->mark();

$build = fn (float $settle = SETTLE): Steps => new Steps(fn (Closure $step) =>
    (new NightlyBuild('tags', new SteppedStore($store, $step), $settle, falsePositiveRate: 1e-9))->run(function () use ($open, $step): iterable {
        $step('snapshot');
        $database = $open();
        $database->exec('BEGIN');
        $names = $database->query('SELECT name FROM keys');
        $name = $names->fetchColumn(); // opens the snapshot
        $step('read');
        for (; $name !== false; $name = $names->fetchColumn()) {
            yield $name;
        }
    }));
/** @param list<string> $order of "insert", "add" and "commit" or "rollback" */
$write = fn (string $key, array $order): Steps => new Steps(function (Closure $step) use ($open, $store, $key, $order): void {
    $database = $open();
    $step('begin');
    $database->beginTransaction();
    foreach ($order as $statement) {
        $step($statement);
        match ($statement) {
            'insert' => $database->prepare('INSERT INTO keys VALUES (?)')->execute([$key]),
            'add' => (new Journal('tags', $store))->add($key),
            'commit' => $database->commit(),
            'rollback' => $database->rollBack(),
        };
    }
    $step('done');
});
/** Returns the committed keys that a host which has caught up with the journal denies. */
$denied = function () use ($open, $store): array {
    Filter::sync('tags', $store, ttl: 0);
    $names = $open()->query('SELECT name FROM keys')->fetchAll(PDO::FETCH_COLUMN);
    return array_values(array_diff($names, Filter::open('tags')->candidates($names)));
};
$holds = function (string $when) use ($denied): void {
    check($denied() === [], "$when: no committed key is denied, but " . json_encode($denied()));
};
$finish = function (Steps $process): void {
    $process->until('end');
    $process->kill();
};
/** Lets a builder take its mark and settle. */
$settled = function (Steps $builder): void {
    $before = hrtime(true);
    $builder->until('snapshot');
    check(hrtime(true) - $before >= SETTLE * 1e9, 'the build settles');
};

$finish($build());
$count = 0;
$rule = ['insert', 'add', 'commit'];
$ends = ['commits' => ['done', $rule], 'is killed before the COMMIT' => ['commit', $rule], 'is killed before add()' => ['add', $rule],
    'rolls back' => ['done', ['insert', 'add', 'rollback']], 'adds and then inserts' => ['done', ['add', 'insert', 'commit']]];

// The phases of a build: 0 before its mark, 1 until its snapshot, 2 until it has published, 3 afterwards. A transaction adds its
// key in one phase, and ends in the same or a later one. If it adds before the mark, it ends before the snapshot.
foreach ([[0, 0], [0, 1], [1, 1], [1, 2], [1, 3], [2, 2], [2, 3], [3, 3]] as [$adds, $stops]) {
    foreach ($ends as $end => [$last, $order]) {
        $when = "it adds in phase $adds, $end in phase $stops";
        $writer = $write('key ' . ++$count, $order);
        $act = function (int $phase) use ($writer, $adds, $stops, $last, $order, $holds, $when): void {
            if ($phase === $adds) {
                $writer->until($last === 'add' ? 'add' : $order[array_search('add', $order, true) + 1]);
            }
            if ($phase === $stops) {
                $writer->until($last);
                $writer->kill();
            }
            $holds("$when, phase $phase");
        };
        $builder = $build();
        $act(0);
        $builder->until('mark is taken'); // NightlyBuild looks at the journal first
        $builder->go();
        $builder->until('mark is taken');
        $act(1);
        $settled($builder);
        $builder->until('read');
        $act(2);
        $finish($builder);
        $act(3);
    }
}

// The build is killed before each of its steps, and the next one begins again.
$kills = 0;
for ($number = 0, $isLast = false; !$isLast; $number++) {
    $writer = $write('key ' . ++$count, $rule);
    $writer->until('commit');
    $builder = $build();
    for ($i = 0; $i < $number && $builder->next !== 'end'; $i++) {
        if ($builder->next === 'snapshot' && $writer->next === 'commit') {
            $writer->until('done');
        }
        $builder->go();
    }
    $isLast = $builder->next === 'end';
    $step = $builder->next;
    $builder->kill();
    $kills++;
    $holds("killed before $step, which is step $number");
    $writer->until('done');
    $writer->kill();
    $holds("killed before $step, then a commit");
    $finish($build());
    $holds("killed before $step, and the next night");
}
check($kills > 12, "$kills steps");

// What would happen otherwise.
$builder = $build();
$builder->until('read');
$writer = $write('added after the commit', ['insert', 'commit', 'add']);
$writer->until('add');
$writer->kill();
$finish($builder);
echo implode(' ', $denied()), "\n";
$finish($build());
echo json_encode($denied()), " after the next night\n";

$writer = $write('not settled', $rule);
$writer->until('commit');
$builder = $build(0.0);
$builder->until('read');
$writer->until('done');
$writer->kill();
$finish($builder);
echo implode(' ', $denied()), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
added after the commit
[] after the next night
not settled

<?php
/* Runs random operations in several processes, repeatedly kills some of these processes, and prints the resources of the
 * processes and the segment once a minute. Descriptors, mappings, memory and the segment's size must remain constant, and no
 * key may be lost.
 *
 *   php -d extension=bloom.so -d bloom.path=DIR bench/soak.php [seconds] [processes] [seed]
 *
 * Half of the processes are killed at random moments and replaced; the others run to the end. Each process creates filters
 * under its own names, fills them, compares them with an exact set, and drops them. All processes share a few filters that are
 * never dropped: they add keys and look up their own keys. They also share names that any process may drop at any time.
 *
 * Exit status: 0 if no key was lost and only documented exceptions occurred.
 */
declare(strict_types=1);

use Bloom\{Blob, BloomException, Builder, BusyException, CountingFilter, DirectoryStore, Filter, KindException, LiveFilter, LoadedFilter,
    NotFoundException, ReverseIndex, ScalableFilter, SlidingFilter};

const SHARED = ['shared-live', 'shared-counting', 'shared-scalable', 'shared-reverse'];

function make(string $kind, string $name): Filter
{
    return match ($kind) {
        'live' => LiveFilter::create($name, 1000),
        'counting' => CountingFilter::create($name, 1000),
        'scalable' => ScalableFilter::create($name, 200),
        'sliding' => SlidingFilter::create($name, 1000, 0.01, 3600),
        'reverse' => ReverseIndex::create($name, 100, 1000),
        'loaded' => Filter::load($name, blob(["$name-base"])),
    };
}

function blob(array $keys): Blob
{
    static $previous;
    $builder = $previous === null ? new Builder(1000) : Builder::like($previous);
    $builder->addMany($keys);
    return $previous = $builder->build();
}

function add(Filter $filter, string $key): void
{
    $filter instanceof ReverseIndex ? $filter->add(crc32($key) % 100, $key) : $filter->add($key);
}

function must(bool $holds, string $what): void
{
    if (!$holds) {
        fwrite(STDERR, getmypid() . " LOST: $what\n");
        exit(3);
    }
}

/** Exceptions that are expected for names that other processes drop and create again as a different kind. */
function tolerate(callable $call): void
{
    try {
        $call();
    } catch (NotFoundException | KindException | BusyException) {
    }
}

final class Worker
{
    private array $own = [];     // name → [kind, keys]
    private array $handles = []; // open handles of some of these filters, by name
    private array $added = [];   // keys, by shared filter
    private int $serial = 0;

    public function __construct(private int $number, private DirectoryStore $store)
    {
    }

    public function run(float $end): void
    {
        $pid = getmypid();
        while (microtime(true) < $end) {
            match (mt_rand(0, 11)) {
                0, 1 => $this->makeOwn($pid),
                2, 3 => $this->useOwn(),
                4 => $this->dropOwn(),
                5, 6, 7 => $this->share($pid),
                8, 9 => $this->fight(),
                10 => $this->publish($pid),
                default => $this->look(),
            };
        }
    }

    private function makeOwn(int $pid): void
    {
        $kinds = ['live', 'counting', 'scalable', 'sliding', 'reverse', 'loaded'];
        $kind = $kinds[mt_rand(0, count($kinds) - 1)];
        $name = "own-$this->number-$pid-" . $this->serial++;
        $filter = make($kind, $name);
        $this->own[$name] = [$kind, $kind === 'loaded' ? ["$name-base"] : []];
        if (mt_rand(0, 3) === 0) {
            $this->handles[$name] = $filter;
        }
        if (count($this->own) > 20) {
            $this->dropOwn();
        }
    }

    private function useOwn(): void
    {
        if ($this->own === []) {
            return;
        }
        $name = array_rand($this->own);
        [$kind, $keys] = $this->own[$name];
        $filter = $this->handles[$name] ?? Filter::open($name);
        if ($kind !== 'loaded' && count($keys) < 500) {
            add($filter, $key = "k" . mt_rand());
            $this->own[$name][1][] = $keys[] = $key;
        }
        must($filter->candidates($keys) === $keys, "$name");
        mt_rand(0, 9) || $filter->info();
    }

    private function dropOwn(): void
    {
        if ($this->own === []) {
            return;
        }
        $name = array_rand($this->own);
        must(Filter::drop($name), "$name is dropped");
        unset($this->own[$name], $this->handles[$name]);
    }

    /* Each process looks up only its own keys, because the key of an add that a kill interrupted may be missing. */
    private function share(int $pid): void
    {
        $name = SHARED[mt_rand(0, count(SHARED) - 1)];
        $filter = Filter::open($name);
        if (count($this->added[$name] ?? []) < 500) {
            add($filter, $key = "$pid-" . mt_rand());
            $this->added[$name][] = $key;
        }
        must($filter->candidates($this->added[$name]) === $this->added[$name], $name);
    }

    private function fight(): void
    {
        $name = 'any-' . mt_rand(0, 4);
        $kinds = ['live', 'counting', 'loaded', 'scalable'];
        tolerate(fn () => make($kinds[mt_rand(0, 3)], $name));
        tolerate(fn () => ($filter = Filter::find($name)) instanceof LoadedFilter || $filter === null || add($filter, 'x'));
        tolerate(fn () => mt_rand(0, 2) ? null : Filter::drop($name));
    }

    private function publish(int $pid): void
    {
        $name = 'synced-' . mt_rand(0, 2);
        try {
            blob(array_map(fn ($i) => "$name-$i", range(0, 200)))->publish($this->store, $name);
            Filter::sync($name, $this->store, ttl: 0);
            $keys = array_map(fn ($i) => "$name-$i", range(0, 200));
            must(Filter::open($name)->candidates($keys) === $keys, $name);
        } catch (BusyException | Bloom\StoreException | NotFoundException) {
            // another process publishes or loads the name
        }
    }

    private function look(): void
    {
        must(count(array_intersect(Filter::list(), SHARED)) === count(SHARED), 'the shared filters are listed');
    }
}

/** Returns a process's number of descriptors, mappings, and mappings of removed files, and its private memory in KiB. */
function held(int $pid): array
{
    $maps = (string) @file_get_contents("/proc/$pid/maps");
    preg_match('/^RssAnon:\s+(\d+)/m', (string) @file_get_contents("/proc/$pid/status"), $anonymous);
    return [count(@scandir("/proc/$pid/fd") ?: []), substr_count($maps, "\n"), substr_count($maps, '(deleted)'), (int) ($anonymous[1] ?? 0)];
}

function segment_size(string $path): array
{
    $files = $bytes = $markers = 0;
    foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($path, FilesystemIterator::SKIP_DOTS)) as $file) {
        if (str_contains((string) $file, '/.bloom/')) {
            $markers += $file->getFilename() !== 'account';
        } else {
            $files++;
            $bytes += (int) @filesize((string) $file);
        }
    }
    return [$files, $bytes, $markers];
}

[$seconds, $processes, $seed] = [(int) ($argv[1] ?? 3600), (int) ($argv[2] ?? 8), (int) ($argv[3] ?? 1)];
$path = ini_get('bloom.path') ?: exit("bench/soak.php: set bloom.path to a separate directory\n");
$directory = sys_get_temp_dir() . '/bloom-soak-store.' . getmypid();
mkdir($directory);
$store = new DirectoryStore($directory);
LiveFilter::create('shared-live', 1_000_000);
CountingFilter::create('shared-counting', 1_000_000);
ScalableFilter::create('shared-scalable', 1000);
ReverseIndex::create('shared-reverse', 100, 1000);
mt_srand($seed);
$start = microtime(true);
$end = $start + $seconds;
$kills = $failures = 0;
$pids = [];
$spawn = function (int $number) use (&$pids, $store, $end): void {
    $seed = mt_rand();
    $pid = pcntl_fork();
    if ($pid === 0) {
        mt_srand($seed);
        (new Worker($number, $store))->run($end);
        exit(0);
    }
    $pids[$number] = $pid;
};
for ($number = 0; $number < $processes; $number++) {
    $spawn($number);
}
printf("%6s %6s %7s %8s %8s %8s %8s %8s %8s %8s\n", 'minute', 'kills', 'fds', 'maps', 'deleted', 'anon KiB', 'files', 'KiB', 'account', 'markers');
$report = $start;
while (microtime(true) < $end || $pids !== []) {
    usleep(mt_rand(10_000, 400_000));
    if (microtime(true) < $end - 5) {
        $victim = mt_rand(0, intdiv($processes, 2) - 1);
        posix_kill($pids[$victim], SIGKILL);
        $kills++;
    }
    while (($pid = pcntl_wait($status, WNOHANG)) > 0) {
        $number = array_search($pid, $pids, true);
        unset($pids[$number]);
        $was_killed = pcntl_wifsignaled($status) && pcntl_wtermsig($status) === SIGKILL;
        if (!$was_killed && pcntl_wexitstatus($status) !== 0) {
            $failures++;
            fwrite(STDERR, "process $pid ended with status $status\n");
        }
        if ($was_killed && microtime(true) < $end - 5) {
            // The names of the killed process no longer have an owner.
            foreach (Filter::list() as $name) {
                str_starts_with($name, "own-$number-$pid-") && Filter::drop($name);
            }
            $spawn($number);
        }
    }
    if (microtime(true) >= $report) {
        // The maximum over the processes that are never killed.
        $held = array_map(held(...), array_filter($pids, fn ($number) => $number >= intdiv($processes, 2), ARRAY_FILTER_USE_KEY));
        [$files, $bytes, $markers] = segment_size($path);
        printf("%6.0f %6d %7d %8d %8d %8d %8d %8d %8d %8d\n", (microtime(true) - $start) / 60, $kills,
            ...array_map(fn ($i) => $held ? max(array_column($held, $i)) : 0, range(0, 3)),
            ...[$files, intdiv($bytes, 1024), intdiv(Filter::open('shared-live')->info()->segmentBytes, 1024), $markers]);
        $report += 60;
    }
}
array_map([Filter::class, 'drop'], Filter::list());
[$files, $bytes, $markers] = segment_size($path);
printf("at the end: %d kills, %d failures; %d files, %d bytes, %d markers\n", $kills, $failures, $files, $bytes, $markers);
$entries = new RecursiveIteratorIterator(new RecursiveDirectoryIterator($directory, FilesystemIterator::SKIP_DOTS), RecursiveIteratorIterator::CHILD_FIRST);
foreach ($entries as $entry) {
    $entry->isDir() ? rmdir((string) $entry) : unlink((string) $entry);
}
rmdir($directory);
exit($failures > 0 ? 1 : 0);

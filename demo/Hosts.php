<?php

/** The hosts of the cluster's demo: starts their processes, and follows how many pages each version of the filter answers. */

namespace Demo;

final class Hosts
{
    /** On a busy machine, a cluster needs a long time to agree again. */
    private const LIMIT_SECONDS = 120;
    private const POLL_SECONDS = 0.05;

    /** @var list<array{process: resource, input: resource, output: resource}> */
    private array $pages = [], $syncs = [];
    /** @var list<array> what each host has told last */
    public array $states = [];
    /** @var list<array{float, int, int}> times, and pages since the time before that the old and the new version answered */
    public array $samples = [];

    public function __construct(int $count)
    {
        for ($host = 0; $host < $count; $host++) {
            $this->syncs[] = self::start("host$host", 'cluster_host.php', ['sync', (string) (0.2 + 0.1 * $host)]);
            $this->pages[] = self::start("host$host", 'cluster_host.php', ['pages']);
        }
        $this->states = $this->ask();
    }

    /** Starts a script with the shared memory of a host. */
    public static function start(string $host, string $script, array $arguments): array
    {
        $process = proc_open(
            ['setpriv', '--pdeathsig', 'TERM', '--', ...without_open_files([PHP_BINARY, '-c', home() . '/php.ini', '-d',
                'bloom.path=' . getenv('BLOOM_DEMO_SEGMENT') . "-$host", __DIR__ . "/$script", ...$arguments])],
            [['pipe', 'r'], ['pipe', 'w']],
            $pipes
        );
        return ['process' => $process, 'input' => $pipes[0], 'output' => $pipes[1]];
    }

    /** Follows the hosts until $holds is true for the state of each. */
    public function await(string $what, callable $holds): void
    {
        $start = microtime(true);
        do {
            $this->poll();
            $held = count(array_filter($this->states, $holds));
            $seconds = microtime(true) - $start;
            if ($seconds > self::LIMIT_SECONDS) {
                throw new \RuntimeException(sprintf('after %d s, only %d of %d hosts %s; their last errors: %s', $seconds, $held,
                    count($this->states), $what, implode('; ', array_unique(array_column($this->states, 'lastError'))) ?: 'none'));
            }
        } while ($held < count($this->states));
    }

    /** Follows the hosts until a process prints a line or ends. */
    public function awaitLine(array $process): string
    {
        stream_set_blocking($process['output'], false);
        $line = '';
        do {
            $this->poll();
            $line .= fgets($process['output']);
        } while (!str_ends_with($line, "\n") && !feof($process['output']));
        stream_set_blocking($process['output'], true);
        return $line;
    }

    public function follow(float $seconds): void
    {
        for ($end = microtime(true) + $seconds; microtime(true) < $end;) {
            $this->poll();
        }
    }

    public function sum(string $name): int
    {
        return array_sum(array_column($this->states, $name));
    }

    public function pages(): int
    {
        return array_sum(array_map(fn (array $state): int => array_sum($state['pages']), $this->states));
    }

    public function stop(): void
    {
        foreach ([...$this->syncs, ...$this->pages] as $one) {
            proc_terminate($one['process']);
            proc_close($one['process']);
        }
        $this->syncs = $this->pages = [];
    }

    private function poll(): void
    {
        usleep((int) (1e6 * self::POLL_SECONDS));
        $before = $this->states;
        $this->states = $this->ask();
        $sample = [microtime(true), 0, 0];
        foreach ($this->states as $host => $state) {
            $sample[1] += $state['pages'][1] - $before[$host]['pages'][1];
            $sample[2] += $state['pages'][2] - $before[$host]['pages'][2];
        }
        $this->samples[] = $sample;
    }

    private function ask(): array
    {
        foreach ($this->pages as $one) {
            fwrite($one['input'], "state\n");
        }
        return array_map(fn (array $one): array => json_decode((string) fgets($one['output']), true)
            ?? throw new \RuntimeException('a process that looks up pages has ended'), $this->pages);
    }
}

<?php

declare(strict_types=1);

namespace Bloom\Symfony\Profiler;

/**
 * The lookups of the current request, summed up for each filter.
 *
 * @phpstan-type Lookups array{calls: int, keys: int, absent: int, seconds: float}
 */
final class Trace
{
    /** @var array<Lookups> by the name of the filter */
    private array $totals = [];

    /** @param int $absent the keys that were definitely not in the filter */
    public function add(string $filter, int $keys, int $absent, float $seconds): void
    {
        $total = $this->of($filter);
        $this->totals[$filter] = [
            'calls' => $total['calls'] + 1,
            'keys' => $total['keys'] + $keys,
            'absent' => $total['absent'] + $absent,
            'seconds' => $total['seconds'] + $seconds,
        ];
    }

    /** @return Lookups */
    public function of(string $filter): array
    {
        return $this->totals[$filter] ?? ['calls' => 0, 'keys' => 0, 'absent' => 0, 'seconds' => 0.0];
    }

    public function reset(): void
    {
        $this->totals = [];
    }
}

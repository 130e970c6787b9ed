<?php

/** Prints steps with the elapsed seconds, aligned tables, and whether promises were kept. */

namespace Demo;

final class Report
{
    private int $promises = 0;
    /** @var list<string> */
    private array $broken = [];

    public function __construct(private float $startedAt)
    {
    }

    public function step(string $text): void
    {
        printf("[%5.1f s] %s\n", microtime(true) - $this->startedAt, $text);
    }

    public function title(string $text): void
    {
        echo "\n$text\n";
    }

    /** Prints a row of a table: name, number, remark and, for a promise, whether it was kept. */
    public function row(string $name, string $number, string $remark = '', ?bool $held = null): void
    {
        if ($held !== null) {
            $this->promises++;
            $remark = ltrim("$remark  " . ($held ? 'ok' : 'BROKEN'));
        }
        if ($held === false) {
            $this->broken[] = trim($name);
        }
        echo rtrim(sprintf('  %-29s %11s  %s', $name, $number, $remark)), "\n";
    }

    /** Prints the last line. @return int the exit status */
    public function end(): int
    {
        echo "\n";
        if ($this->broken !== []) {
            $this->step('promises NOT kept: ' . implode('; ', $this->broken));
            return 1;
        }
        $this->step("all $this->promises promises kept");
        return 0;
    }
}

function count_of(int $number): string
{
    return number_format($number);
}

function percent(float $share, int $digits = 1): string
{
    return number_format(100 * $share, $digits) . ' %';
}

/** Returns a quantile: the value below which a fraction of $share of the numbers lies. */
function quantile(array $numbers, float $share): float
{
    sort($numbers);
    return $numbers[(int) round($share * (count($numbers) - 1))];
}

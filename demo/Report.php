<?php

/**
 * Prints steps with the elapsed seconds, aligned tables, and whether promises were kept, within 80 columns. Writes the tables
 * and charts to a page, too.
 */

namespace Demo;

use Bloom\Status\Chart;
use Bloom\Status\Page;
use Bloom\Status\Text;

final class Report
{
    private const COLUMNS = 80;

    private int $promises = 0;
    /** @var list<string> */
    private array $broken = [];
    /** @var list<array{title: string, charts: list<Chart>, rows: string}> the sections of the page */
    private array $sections = [];

    public function __construct(private float $startedAt)
    {
    }

    public function step(string $text): void
    {
        echo self::wrapped(sprintf('[%5.1f s] ', microtime(true) - $this->startedAt), $text);
    }

    public function title(string $text): void
    {
        echo "\n", self::wrapped('', $text);
        $this->sections[] = ['title' => $text, 'charts' => [], 'rows' => ''];
    }

    /** Adds a chart to the page, above the table that the last title began. */
    public function chart(Chart $chart): void
    {
        $this->sections[array_key_last($this->sections)]['charts'][] = $chart;
    }

    /** Prints a paragraph. */
    public function text(string $text): void
    {
        echo "\n", self::wrapped('', $text);
    }

    /** Prints a row of a table: for a promise, whether it was kept; name, number and remark. */
    public function row(string $name, string $number, string $remark = '', ?bool $held = null): void
    {
        if ($held !== null) {
            $this->promises++;
        }
        if ($held === false) {
            $this->broken[] = trim($name);
        }
        $kept = match ($held) {
            null => '',
            true => 'ok',
            false => 'BROKEN',
        };
        echo self::wrapped(sprintf('%-7s%-28s %10s  ', $kept, $name, $number), $remark);
        $badge = match ($held) {
            null => '',
            true => '<span class="badge ok">✓ kept</span>',
            false => '<span class="badge critical">✕ broken</span>',
        };
        $this->sections[array_key_last($this->sections)]['rows'] .= '<tr><th scope="row">' . Text::html(trim($name)) . '</th><td class="n">'
            . Text::html($number) . '</td><td>' . Text::html($remark) . "</td><td>$badge</td></tr>";
    }

    /** Writes the page and prints its path. */
    public function write(string $path): void
    {
        $html = '<main><header><h1>bloom demo <small>' . gmdate('Y-m-d H:i') . ' UTC, PHP ' . PHP_VERSION . '</small></h1></header>';
        foreach ($this->sections as ['title' => $title, 'charts' => $charts, 'rows' => $rows]) {
            $html .= '<section class="card"><h2>' . Text::html($title) . '</h2>';
            foreach ($charts as $chart) {
                $html .= '<figure><figcaption>' . Text::html($chart->title) . "</figcaption>{$chart->html()}</figure>";
            }
            $html .= '<table><thead><tr><th scope="col">Figure</th><th scope="col" class="n">Value</th><th scope="col">Remark</th>'
                . "<th scope=\"col\">Promise</th></tr></thead><tbody>$rows</tbody></table></section>";
        }
        if (@file_put_contents($path, Page::document('bloom demo', "$html</main>")) !== false) {
            $this->text("These figures as charts: $path");
        }
    }

    /** Returns $first and the text, with further lines indented as far as the text. */
    private static function wrapped(string $first, string $text): string
    {
        $indent = strlen($first);
        $lines = explode("\n", wordwrap($text, self::COLUMNS - $indent, "\n"));
        return rtrim($first . implode("\n" . str_repeat(' ', $indent), $lines)) . "\n";
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
        $this->text('Shown: most lookups of pages were answered without asking the store; no article was missed; the '
            . 'filter of the next night replaced the old one in all workers at once, while pages were served, and '
            . 'hosts fetched only what had changed.');
        $this->text('Next: docs/getting-started.md, from nothing to a page that uses a filter, in 15 minutes; '
            . 'docs/faq.md; scripts/demo --store redis for the same with a Redis server.');
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

/** Formats nanoseconds with a suitable unit. */
function time_of(float $ns): string
{
    return $ns < 1000 ? number_format($ns, 1) . ' ns' : number_format($ns / 1000, 1) . ' µs';
}

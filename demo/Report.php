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

    /** A row has four columns. On a narrow screen, the remark has a line of its own. */
    private const CSS = <<<'CSS'
        .card p{margin:.5rem 0;max-width:60rem}.lead{font-size:1.05rem}.lead .badge{font-size:1rem;margin-right:.5rem}
        table.figures{table-layout:fixed;width:100%}.figures th:first-child{width:28%}.figures .n{width:6.5rem}
        .figures th:last-child,.figures td:last-child{width:6rem;text-align:right}.figures td{overflow-wrap:anywhere}
        figure{padding-top:.5rem}ol.steps{padding-left:1.4rem}ol.steps li{margin:.2rem 0}
        @media(max-width:640px){.figures thead{display:none}.figures tr{display:grid;grid-template-columns:1fr auto;padding:.5rem 0;
        border-bottom:1px solid var(--line)}.figures tr>*{border:0;padding:.1rem 0;width:auto!important}
        .figures .remark{grid-column:1/-1}.figures td:empty{display:none}.figures td:last-child{grid-column:1/-1;text-align:left}}
        CSS;

    private int $promises = 0;
    /** @var list<string> */
    private array $broken = [];
    /** @var list<array{title: string, note: string, charts: list<Chart>, rows: string}> the sections of the page */
    private array $sections = [];

    public function __construct(private float $startedAt, public readonly Machine $machine)
    {
    }

    public function step(string $text): void
    {
        echo self::wrapped(sprintf('[%5.1f s] ', microtime(true) - $this->startedAt), $text);
    }

    /** @param string $note what the table below shows */
    public function title(string $text, string $note = ''): void
    {
        echo "\n", self::wrapped('', $text), $note === '' ? '' : self::wrapped('', $note);
        $this->sections[] = ['title' => $text, 'note' => $note, 'charts' => [], 'rows' => ''];
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
        $this->sections[array_key_last($this->sections)]['rows'] .= '<tr><th scope="row">' . self::html(trim($name)) . '</th><td class="n">'
            . self::html($number) . '</td><td class="remark">' . self::html($remark) . "</td><td>$badge</td></tr>";
    }

    /**
     * Writes the page.
     *
     * @param string $path where it is written; the caller copies it to $shown
     * @param string $did what the demo did
     * @param list<string> $next what the reader can do next
     */
    public function write(string $path, string $shown, string $did, array $next): void
    {
        $html = '<style>' . self::CSS . '</style><main><header><h1>bloom demo <small>' . gmdate('Y-m-d H:i') . ' UTC, PHP ' . PHP_VERSION
            . '</small></h1></header><section class="card"><h2>Result</h2><p class="lead">' . ($this->broken === []
                ? '<span class="badge ok">✓ kept</span>' : '<span class="badge critical">✕ broken</span>')
            . self::html($this->verdict()) . '</p>'
            . ($this->machine->isBusy() ? '<p class="lead"><span class="badge warning">⚠ busy</span>' . self::html($this->machine->warning()) . '</p>' : '')
            . '<p>' . self::html($did) . '</p><p>' . self::html("The machine: {$this->machine->describe()}.") . '</p></section>';
        foreach ($this->sections as ['title' => $title, 'note' => $note, 'charts' => $charts, 'rows' => $rows]) {
            $html .= '<section class="card"><h2>' . self::html($title) . '</h2>' . ($note === '' ? '' : '<p>' . self::html($note) . '</p>');
            foreach ($charts as $chart) {
                $html .= '<figure><figcaption>' . self::html($chart->title) . "</figcaption>{$chart->html()}</figure>";
            }
            $html .= '<table class="figures"><thead><tr><th scope="col">Figure</th><th scope="col" class="n">Value</th>'
                . "<th scope=\"col\">Remark</th><th scope=\"col\">Promise</th></tr></thead><tbody>$rows</tbody></table></section>";
        }
        $html .= '<section class="card"><h2>Next steps</h2><ol class="steps">'
            . implode('', array_map(static fn (string $step): string => '<li>' . self::html($step) . '</li>', $next)) . '</ol></section>';
        if (@file_put_contents($path, Page::document('bloom demo', "$html</main>")) !== false) {
            $this->text("These figures as charts: $shown");
        }
    }

    /** A number and its unit stay on one line. */
    private static function html(string $text): string
    {
        return Text::html((string) preg_replace('/(?<=\d) (?=%|µs|ns|ms|MB|s\b|x\b)/u', "\u{A0}", $text));
    }

    private function verdict(): string
    {
        return $this->broken === [] ? "all $this->promises promises kept" : 'promises NOT kept: ' . implode('; ', $this->broken);
    }

    /** Returns $first and the text, with further lines indented as far as the text. */
    private static function wrapped(string $first, string $text): string
    {
        $indent = strlen($first);
        $lines = explode("\n", wordwrap($text, self::COLUMNS - $indent, "\n"));
        return rtrim($first . implode("\n" . str_repeat(' ', $indent), $lines)) . "\n";
    }

    /**
     * Prints the verdict, what was shown and the next steps.
     *
     * @param list<string> $next
     *
     * @return int the exit status
     */
    public function end(string $shown, array $next): int
    {
        echo "\n";
        $this->step($this->verdict());
        if ($this->machine->isBusy()) {
            $this->text($this->machine->warning());
        }
        if ($this->broken === []) {
            $this->text("Shown: $shown");
            $this->text('Next: ' . implode('; ', $next) . '.');
        }
        return $this->broken === [] ? 0 : 1;
    }
}

/** Lists what readers can do next. */
function next_steps(): array
{
    return [
        'docs/getting-started.md, from nothing to a page that uses a filter, in 15 minutes',
        'docs/troubleshooting.md, which begins with what you see and ends with what to do',
        ...array_diff_key([
            'directory' => 'scripts/demo, the same with a directory as the store',
            'redis' => 'scripts/demo --store redis, with a Redis server as the store',
            'cluster' => 'scripts/demo --store cluster, which kills masters of a Redis Cluster around a publish',
        ], [getenv('BLOOM_DEMO_STORE') => true]),
    ];
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

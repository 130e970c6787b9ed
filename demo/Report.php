<?php

/** Tells the story: prints it within 80 columns, checks the promises, and writes it to a page. */

namespace Demo;

use Bloom\Status\Chart;
use Bloom\Status\Page;
use Bloom\Status\Text;

final class Report
{
    private const COLUMNS = 80;
    private const INDENT = '          ';
    /** If no line was printed for so long, a line says that the demo is still running. */
    private const SILENT_SECONDS = 5;
    /** With a higher load, other work has probably disturbed the measured times. */
    private const BUSY_PER_PROCESSOR = 0.5;

    private const CSS = <<<'CSS'
        main{max-width:900px}.card p,.facts{margin:.4rem 0;max-width:44rem}.lead{font-size:1.05rem}.tile h2{font-size:14px}
        .facts{list-style:none;padding:0}.facts li{margin:.5rem 0 .5rem 5.2rem}.facts .badge{float:left;margin-left:-5.2rem}
        pre{margin:.6rem 0;padding:.6rem .8rem;background:var(--page);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere;font-size:13px}
        footer{color:var(--muted);font-size:13px}
        @media(max-width:640px){.facts li{margin-left:0}.facts .badge{float:none;margin:0 .3rem 0 0}}
        CSS;

    /** Says how far the current step is. */
    public ?\Closure $progress = null;
    private int $kept = 0, $broken = 0;
    private string $tiles = '', $acts = '';
    private string $chart = '';

    /**
     * @param float $startedAt when the demo began
     * @param float $load processes that ran or waited for a processor before that, as an average of a minute
     */
    public function __construct(private readonly float $startedAt, private readonly float $load, private readonly int $processors)
    {
        pcntl_async_signals(true);
        pcntl_signal(SIGALRM, fn () => $this->print('', 'still running: ' . ($this->progress === null ? 'the servers start' : ($this->progress)())));
        pcntl_alarm(self::SILENT_SECONDS);
    }

    public function isBusy(): bool
    {
        return $this->load > self::BUSY_PER_PROCESSOR * $this->processors;
    }

    /** Begins the next part of the story. */
    public function act(string $title, string ...$commands): void
    {
        echo "\n";
        $this->print(sprintf('[%3.0f s]', microtime(true) - $this->startedAt), $title);
        foreach ($commands as $command) {
            $this->print('', "$ $command");
        }
        $this->acts .= ($this->acts === '' ? '' : '</ul></section>') . '<section class="card"><h2>' . self::html($title) . '</h2>'
            . ($commands === [] ? '' : '<pre>' . implode("\n", array_map(Text::html(...), $commands)) . '</pre>') . '<ul class="facts">';
    }

    /** Tells a fact that is not a promise, such as a measured time. */
    public function fact(string $sentence): void
    {
        $this->print('', $sentence);
        $this->item('', $sentence);
    }

    /** Tells whether a promise was kept. */
    public function promise(bool $isKept, string $sentence): void
    {
        $isKept ? $this->kept++ : $this->broken++;
        $this->print($isKept ? '  kept' : '  BROKEN', $sentence);
        $this->item(self::badge($isKept) . ' ', $sentence);
    }

    /** Adds a number to the top of the page. */
    public function number(string $label, string $number, string $meaning): void
    {
        $this->tiles .= '<div class="tile"><h2>' . self::html($label) . '</h2><p class="figure">' . self::html($number) . '</p><p>'
            . self::html($meaning) . '</p></div>';
    }

    public function chart(Chart $chart, string $explains): void
    {
        $this->chart = '<section class="card"><h2>' . self::html($chart->title) . '</h2><p>' . self::html($explains) . "</p><figure>{$chart->html()}</figure></section>";
    }

    /**
     * Prints the verdict and what to try next, and writes the page.
     *
     * @param string $did what the demo did, for readers of the page who have not run it
     * @param string $counted what was counted
     * @param string $shown where the reader finds the page, which scripts/demo copies there
     * @param array<string, string> $next commands, and what they do
     *
     * @return int the exit status
     */
    public function end(string $did, string $counted, string $shown, array $next): int
    {
        pcntl_alarm(0);
        $all = $this->kept + $this->broken;
        $verdict = ($this->broken === 0 ? "All $all promises were kept: " : "$this->broken of $all promises were BROKEN: ") . $counted;
        $busy = !$this->isBusy() ? '' : sprintf('This machine was busy with other work (load %.1f), so times are longer than usual. Counts are not affected.', $this->load);
        echo "\n", self::wrapped(sprintf('[%3.0f s]   ', microtime(true) - $this->startedAt), $verdict), $busy === '' ? '' : self::wrapped(self::INDENT, $busy);
        $commands = '';
        foreach ($next as $command => $does) {
            $commands .= '<p>' . self::html("$does:") . '</p><pre>' . Text::html($command) . '</pre>';
        }
        file_put_contents(getenv('BLOOM_DEMO_HOME') . '/report.html', Page::document('bloom demo', '<style>' . self::CSS . '</style><main><header><h1>bloom demo <small>'
            . gmdate('Y-m-d H:i') . ' UTC</small></h1></header><section class="card"><p class="lead">' . self::badge($this->broken === 0) . ' ' . self::html($verdict)
            . '</p><p>' . self::html($did) . '</p>' . ($busy === '' ? '' : '<p><span class="badge warning">▲ busy</span> ' . self::html($busy) . '</p>')
            . "</section><div class=\"tiles\">$this->tiles</div>$this->chart$this->acts</ul></section><section class=\"card\"><h2>Try next</h2>$commands</section><footer>"
            . self::html(sprintf('PHP %s on %d processors, load %.1f before the demo', PHP_VERSION, $this->processors, $this->load)) . '</footer></main>'));
        echo "\nThe same with a chart: $shown\n\nTry next:\n";
        foreach ($next as $command => $does) {
            echo "  # $does\n  $command\n";
        }
        echo "\nFrom here to a page of your own: docs/getting-started.md\n";
        return $this->broken === 0 ? 0 : 1;
    }

    private static function badge(bool $isKept): string
    {
        return $isKept ? '<span class="badge ok">✓ kept</span>' : '<span class="badge critical">✕ broken</span>';
    }

    private function item(string $badge, string $sentence): void
    {
        $this->acts .= "<li>$badge" . self::html($sentence) . '</li>';
    }

    private function print(string $label, string $text): void
    {
        echo self::wrapped(sprintf('%-10s', $label), $text);
        pcntl_alarm(self::SILENT_SECONDS);
    }

    /** A number and its unit stay on one line. Quotation marks become those of a book. */
    private static function html(string $text): string
    {
        return Text::html((string) preg_replace(['/"([^"]*)"/u', '/(?<=\d) (?=%|µs|ms|KiB|s\b)/u'], ['“$1”', "\u{A0}"], $text));
    }

    /** Returns $first and the text, with further lines indented as far as the text. */
    private static function wrapped(string $first, string $text): string
    {
        $indent = strlen($first);
        return rtrim($first . implode("\n" . str_repeat(' ', $indent), explode("\n", wordwrap($text, self::COLUMNS - $indent, "\n")))) . "\n";
    }
}

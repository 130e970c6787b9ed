--TEST--
The demo's report gives a verdict, explains its numbers, warns about a busy machine, and shows that a silent step is alive
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) {
    die('skip this PHP has no pcntl extension');
}
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
$root = dirname(__DIR__, 2);
require "$root/examples/status/index.php";
require "$root/demo/Report.php";
use Bloom\Status\Chart;
use Demo\Report;

/** @return array{int, string, string} the exit status, the output and the page of a report */
function report(float $load, bool $isKept): array
{
    putenv('BLOOM_DEMO_HOME=' . dirname(own_file('report.html')));
    $report = new Report(microtime(true), $load, 2);
    ob_start();
    $report->act('1. An act', 'a <command>');
    $report->promise($isKept, 'Of 100 <tags>, none got "definitely not".');
    $report->progress = fn (): string => '7 pages so far';
    exec('kill -ALRM ' . getmypid()); // as after five silent seconds
    $report->fact(str_repeat('It took 1.5 µs. ', 7));
    $report->number('A number', '0', 'what it means');
    $report->chart(Chart::columns('Pages', [[1, 0], [1, 1], [0, 2], [0, 2]], ['old' => 'soft', 'new' => 'accent'], 'in 1 ms', 'from', 'to', [[2, '3']]), 'What it shows.');
    $status = $report->end('What the demo did.', '0 wrong of 9 answers.', 'build/demo-report.html', ['first' => 'Do this', 'second' => 'Do that']);
    $output = ob_get_clean();
    check(!preg_match('/^.{81}/mu', $output), $output);
    return [$status, preg_replace('/\[ *\d+ s\]/', '[  0 s]', $output), file_get_contents(getenv('BLOOM_DEMO_HOME') . '/report.html')];
}

[$status, $output, $page] = report(0.9, true);
echo "exit status $status", $output;
foreach (['✓ kept</span> All 1 promises were kept: 0 wrong of 9 answers.', 'What the demo did.', 'load 0.9 before', '<p>Do this:</p><pre>first</pre>',
    'a &lt;command&gt;', 'Of 100 &lt;tags&gt;, none got “definitely not”.', '<line class="mark" x1="50%" x2="50%"', "1.5\u{A0}µs",
    '<h2>A number</h2><p class="figure">0</p><p>what it means</p>', 'What it shows.'] as $part) {
    check(str_contains($page, $part), "$part in $page");
}
check(!str_contains($page, 'busy') && !preg_match('~(?:src|href)=["\'](?!data:)~', $page), 'not busy, and self-contained');
[$status, $output, $page] = report(1.1, true);
check($status === 0 && str_contains($output, 'This machine was busy with other work (load 1.1)') && str_contains($page, '▲ busy</span> This machine was busy'), $output);
[$status, $output, $page] = report(0, false);
check($status === 1 && str_contains($output, "\n  BROKEN  Of 100") && str_contains($output, '1 of 1 promises were BROKEN: 0 wrong'), $output);
check(str_contains($page, '✕ broken</span> 1 of 1 promises') && str_contains($page, '✕ broken</span> Of 100'), $page);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
exit status 0
[  0 s]   1. An act
          $ a <command>
  kept    Of 100 <tags>, none got "definitely not".
          still running: 7 pages so far
          It took 1.5 µs. It took 1.5 µs. It took 1.5 µs. It took 1.5 µs. It
          took 1.5 µs. It took 1.5 µs. It took 1.5 µs.

[  0 s]   All 1 promises were kept: 0 wrong of 9 answers.

The same with a chart: build/demo-report.html

Try next:
  # Do this
  first
  # Do that
  second

From here to a page of your own: docs/getting-started.md

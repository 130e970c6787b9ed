--TEST--
The demo's report gives a verdict, says what was run, and warns about a busy machine
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
$root = dirname(__DIR__, 2);
foreach (['examples/status/index.php', 'demo/Machine.php', 'demo/Report.php'] as $file) {
    require "$root/$file";
}
use Bloom\Status\Chart;
use Demo\{Machine, Report};

/** Prints a report and returns its page. */
function report(float $load, ?float $waited, bool $held): string
{
    $machine = new Machine($load, 2);
    if ($waited !== null) {
        $machine->waited($waited);
    }
    $report = new Report(microtime(true), $machine);
    ob_start();
    $report->title('A table', 'What it <shows>.');
    $report->chart(Chart::columns('Pages', [[1, 0], [1, 1], [0, 2], [0, 2]], ['old' => 'soft', 'new' => 'accent'], 'in 1 ms', 'from', 'to', [[2, 'switch']]));
    $report->row('a count', '0', 'of <100>', $held);
    $report->row('a time', '1.5 ns', str_repeat('not judged ', 7));
    $report->write(own_file('report.html'), '/shown', 'What the demo did.', ['first', 'second']);
    $status = $report->end('this & that.', ['first', 'second']);
    $output = ob_get_clean();
    check(!preg_match('/^.{81}/mu', $output), $output);
    echo 'exit status ', $status, preg_replace('/^.*?A table/s', '', preg_replace('/\[ *[\d.]+ s\]/', '[T]', $output)), "\n";
    return file_get_contents(own_file('report.html'));
}

$page = report(0.9, 0.05, true);
foreach (['✓ kept</span>all 1 promises kept', 'What the demo did.', '2 processors; load 0.9 before', '5&#160;% of the time', '<li>first</li><li>second</li>',
    'What it &lt;shows&gt;.', '<line class="mark" x1="50%" x2="50%"', '>switch</text>', 'switch after 50 % of the time', "1.5\u{A0}ns", 'of &lt;100&gt;'] as $part) {
    check(str_contains($page, strtr($part, ['&#160;' => "\u{A0}"])), "$part in $page");
}
check(!str_contains($page, 'busy'), 'not busy');
foreach (['the load' => [1.1, null], 'the waits' => [0.9, 0.2]] as $what => [$load, $waited]) {
    echo "$what:\n";
    check(str_contains(report($load, $waited, true), '⚠ busy</span>This machine was busy'), $what);
}
echo "broken:\n";
check(str_contains(report(0, null, false), '✕ broken</span>promises NOT kept: a count'), 'broken');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
exit status 0
What it <shows>.
ok     a count                               0  of <100>
       a time                           1.5 ns  not judged not judged not judged
                                                not judged not judged not judged
                                                not judged

These figures as charts: /shown

[T] all 1 promises kept

Shown: this & that.

Next: first; second.

the load:
exit status 0
What it <shows>.
ok     a count                               0  of <100>
       a time                           1.5 ns  not judged not judged not judged
                                                not judged not judged not judged
                                                not judged

These figures as charts: /shown

[T] all 1 promises kept

This machine was busy with other work, so you cannot trust its times, its pages
per second and what follows from them. Counts, such as false negatives, are not
affected. Run the demo again at a load below 1.0.

Shown: this & that.

Next: first; second.

the waits:
exit status 0
What it <shows>.
ok     a count                               0  of <100>
       a time                           1.5 ns  not judged not judged not judged
                                                not judged not judged not judged
                                                not judged

These figures as charts: /shown

[T] all 1 promises kept

This machine was busy with other work, so you cannot trust its times, its pages
per second and what follows from them. Counts, such as false negatives, are not
affected. Run the demo again at a load below 1.0.

Shown: this & that.

Next: first; second.

broken:
exit status 1
What it <shows>.
BROKEN a count                               0  of <100>
       a time                           1.5 ns  not judged not judged not judged
                                                not judged not judged not judged
                                                not judged

These figures as charts: /shown

[T] promises NOT kept: a count

--TEST--
The check of figures refuses results that are older than the code, and figures in documents that are not in the results
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$root = dirname(__DIR__, 2);
$copy = own_file('tree');
$layouts = ['src/filter/blob.h', 'src/segment/control.h', 'src/kinds/live.h', 'src/kinds/ondemand.h'];
foreach (['bench/figures.php', 'bench/request.php', 'bench/results/instructions.tsv', 'bench/results/request.tsv', ...$layouts] as $file) {
    is_dir(dirname("$copy/$file")) || mkdir(dirname("$copy/$file"), 0700, true);
    copy("$root/$file", "$copy/$file");
}

/** Runs the script and prints what it says. */
$say = function (string ...$arguments) use ($copy): string {
    exec(implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, '-n', "$copy/bench/figures.php", ...$arguments])), $lines, $status);
    return implode("\n", [...$lines, $status === 0 ? 'passes' : 'fails']) . "\n";
};
/** Prints what the script says after a change of one file, which is then undone. */
$changed = function (string $file, string $from, string $to) use ($copy, $say): void {
    $text = file_get_contents("$copy/$file");
    check(str_contains($text, $from), "$file contains $from");
    file_put_contents("$copy/$file", str_replace($from, $to, $text));
    // The figures change with the code.
    echo preg_replace('/was \S+ and is now \S+/', 'was … and is now …', $say());
    file_put_contents("$copy/$file", $text);
};

$say('stamp', 'request', "$copy/bench/results/request.tsv");
echo $say();
echo "* comments and layouts\n";
$changed('bench/request.php', 'const ROUNDS', '/* new */   const ROUNDS');
$changed('bench/request.php', 'const ROUNDS', 'const NEW = 1; const ROUNDS');
$live = file_get_contents("$copy/src/kinds/live.h");
preg_match('/BLOOM_LIVE_LAYOUT = \d+/', $live, $found);
$changed('src/kinds/live.h', $found[0], "{$found[0]}0");
echo "* instructions\n";
$row = fn (string $name): string => current(preg_grep('/^' . preg_quote($name) . "\t/", file("$copy/bench/results/instructions.tsv", FILE_IGNORE_NEW_LINES)));
foreach ([1.01, 1.03, 0.97] as $factor) {
    [$name, $count] = explode("\t", $row('Filter::find, repeated'));
    $changed('bench/results/instructions.tsv', "$name\t$count", sprintf("%s\t%.1f", $name, $count * $factor));
}
$changed('bench/results/instructions.tsv', $row('mightContain, absent keys'), "mightContain, absent keys\t1.0");
echo "* the list\n";
$text = file_get_contents("$copy/bench/results/request.tsv");
file_put_contents("$copy/bench/results/request.tsv", preg_replace('/; code: .*/', '', $text));
echo $say();
file_put_contents("$copy/bench/outdated.txt", "request.tsv: a reason\n");
echo $say();
file_put_contents("$copy/bench/results/request.tsv", $text);
echo $say();
file_put_contents("$copy/bench/outdated.txt", "request.tsv\nmissing.tsv: a reason\n");
echo $say();

echo "* documents\n";
file_put_contents("$copy/bench/results/some.tsv", "# machine\nwhat\tns\t×\none key\t12.34\t1.00\na page\t5120.5\t0.41\n");
file_put_contents("$copy/bench/results/counts.tsv", "# machine\nwhat\tinstructions\nplain\t90.4\njournal\t134.5\n");
file_put_contents("$copy/bench/results/cells.tsv", "# machine\nkind\twhat\tns\trate\nlive\tadd\t5120.4\t0.98 %\nlive\tlookup\t2000\t\n");
$document = fn (string $text): int => file_put_contents("$copy/page.md", $text);
foreach ([
    "<!-- bench/results/some.tsv -->\n| what | time |\n|---|---|\n| one key | 12.3 ns, 1.00 × |\n| **a `page`** | 5,121 ns |\n| others | 7 |\n\nOther 99.",
    "<!-- bench/results/some.tsv -->\n| what | time |\n|---|---|\n| one key | 12.4 ns |\n| a page | 0.4 × |\n",
    "<!-- bench/results/some.tsv -->\n| what | time |\n|---|---|\n| two keys | 12.4 ns |\n",
    "<!-- bench/results/none.tsv -->\n| what | time |\n|---|---|\n| one key | 12.4 ns |\n",
    "<!-- bench/results/counts.tsv \"plain\": 90,\n \"journal\" - \"plain\": 44.1 -->\nIt takes 90 instructions, and 44.1\nmore.\n",
    "<!-- bench/results/counts.tsv \"plain\": 82, \"journal\": 135, \"other\": 1, \"journal\" - \"plain\": 44 -->\nIt takes 82 instructions, and 5 more.\n",
    "<!-- bench/results/counts.tsv 82 -->\nIt takes 82 instructions.\n",
    "<!-- bench/results/cells.tsv -->\n| call | ns |\n|---|---|\n| live, add | 5,100, 0.98 % |\n| live, lookup | 1,900 |\n",
    "<!-- bench/results/cells.tsv \"live, add\" / 1000: 5.1, \"live, add\" / \"live, lookup\": 2.6, \"live, add\" / \"live, lookup\": 2.5 -->\n5.1, 2.6, 2.5\n",
    "<!-- bench/results/cells.tsv * counts.tsv -->\n| 7 calls | 5 |\n|---|---|\n| 3 adds | 5,120, 0.98 | 90.4 |\n| others | 8 |\n",
    "<!-- bench/results/counts.tsv \"plain\": 90 -->\n\nIt takes 90 instructions.\n",
] as $text) {
    $document($text);
    echo $say("$copy/page.md");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
passes
* comments and layouts
passes
bench/results/request.tsv is out of date: request was … and is now … Run this part of bench/run, or list the file in bench/outdated.txt
fails
bench/results/request.tsv is out of date: live was … and is now … Run this part of bench/run, or list the file in bench/outdated.txt
fails
* instructions
passes
bench/results/request.tsv is out of date: Filter::find, repeated was … and is now … Run this part of bench/run, or list the file in bench/outdated.txt
fails
bench/results/request.tsv is out of date: Filter::find, repeated was … and is now … Run this part of bench/run, or list the file in bench/outdated.txt
fails
passes
* the list
bench/results/request.tsv is out of date: it does not say which code it measures. Run this part of bench/run, or list the file in bench/outdated.txt
fails
passes
bench/outdated.txt lists request.tsv, which is up to date
fails
bench/outdated.txt: not "FILE: REASON" with a file of bench/results: request.tsv
bench/outdated.txt: not "FILE: REASON" with a file of bench/results: missing.tsv: a reason
bench/outdated.txt lists request.tsv, which is up to date
fails
* documents
passes
page.md, bench/results/some.tsv: 12.4 in the row "one key" is not in the file
fails
page.md, bench/results/some.tsv: the file has no row of this table
fails
page.md, bench/results/none.tsv: the file has no row of this table
fails
passes
page.md, bench/results/counts.tsv: 82 is not the file's figure for "plain", which has 90.4
page.md, bench/results/counts.tsv: the text does not contain 135, the figure for "journal"
page.md, bench/results/counts.tsv: the file has no row "other"
page.md, bench/results/counts.tsv: the text does not contain 44, the figure for "journal"
fails
page.md, bench/results/counts.tsv: the comment names no figures:  82
fails
page.md, bench/results/cells.tsv: 1900 in the row "live, lookup" is not in the file
fails
page.md, bench/results/cells.tsv: 2.5 is not the file's figure for "live, add", which has 2.5602
fails
page.md, bench/results/cells.tsv: 8 in the row "others" is not in the file
fails
page.md: a comment about bench/results is not directly before a block
fails

--TEST--
check --served prints the keys that the served filter lacks, and --repair adds them to its journal, or says how many are left
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli();
$cli->writeKeys('keys', 1, 1000);
foreach (['other', 'store'] as $store) {
    mkdir("$cli->files/$store");
    $cli->shell("bloom build --quiet --seed=1 --capacity=100k --mark=\$(bloom mark pages ./$store) pages.bloom keys && bloom publish --quiet pages pages.bloom ./$store");
}
$cli->run(['sync', '--max-lag=1d', 'pages', './store']);
$cli->write('more', "7\r\nnew page\r\nanother\r\n\x1b[1m\r\n");

$cli->show(['check', 'pages', '--served', 'keys']);
$cli->show(['check', 'pages', '--served', 'keys', '-'], "new page\nanother\n\x1b[1m");
$cli->show(['check', 'pages', '--served', '--limit=1', 'keys', 'more']);
$cli->show(['check', 'pages', '--served', '--limit=0', '--quiet', 'more']);
$cli->show(['check', 'pages', '--served', '--print=absent', 'more']);
echo json_encode(array_slice($cli->run(['check', 'pages', '--served', '--format=json', '--limit=2', 'more'])->json(), 0, 7)), "\n";

// A host that syncs from one store would never get the keys of another.
$cli->show(['check', 'pages', '--served', '--repair=./other', 'more']);

$cli->show(['check', 'pages', '--served', '--repair=./store', '--print=absent', 'more']);
$cli->show(['check', 'pages', '--served', '--repair=./store', '--quiet', 'more']);
$cli->run(['drop', 'pages']);
$cli->run(['sync', '--max-lag=1d', 'pages', './store']);
$cli->show(['check', 'pages', '--served', '--quiet', 'more']);

// The store fails after some keys were added. A pipe has room for 64 KiB, so the reader has checked the first lines when the
// writer has written 300 KB. The keys of the request that failed are printed, and another check finds the others.
$lines = static fn (int $first): string => "seq -f %01000.0f $first " . $first + 299;
$result = $cli->shell("({$lines(1)}; mv store gone; {$lines(1001)}; echo last) | bloom check pages --served --limit=0 --repair=./store -");
rename("$cli->files/gone", "$cli->files/store");
preg_match_all('/^pages: not repaired: (.*)$/m', $result->errors, $again);
check(preg_match('/reached: No such file or directory; (\d+) of 601 missing keys repaired: add/', $result->errors, $parts) === 1 && $result->code === 75, $result->errors);
check($parts[1] > 0 && $parts[1] < 600 && count($again[1]) > 0, "$parts[1] repaired, " . count($again[1]) . ' to add again');
$cli->run(['add', 'pages', './store', '-'], implode("\n", $again[1]));
$result = $cli->shell("({$lines(1)}; {$lines(1001)}; echo last) | bloom check pages --served --limit=0 --repair=./store -");
check(str_starts_with($result->errors, 'pages: ' . 601 - $parts[1] - count($again[1]) . ' missing keys added'), "the others: $result->errors");
$cli->run(['drop', 'pages']);
$cli->run(['sync', '--max-lag=1d', 'pages', './store']);
$cli->show("({$lines(1)}; {$lines(1001)}; echo last) | bloom check pages --served --quiet -");

// The input fails, before or after the store does.
$result = $cli->shell("(echo first; {$lines(2001)}; head -c 1100000 /dev/zero) | bloom check pages --served --limit=0 --repair=./store -");
echo preg_replace('/\d+ missing/', 'N missing', $result->errors), "exit $result->code\n";

$result = $cli->shell("(echo second; {$lines(3001)}; mv store gone; {$lines(4001)}; head -c 1100000 /dev/zero) | bloom check pages --served --quiet --repair=./store -");
rename("$cli->files/gone", "$cli->files/store");
check(str_contains($result->errors, 'pages: not repaired: 0') && $result->code === 65, "the keys of the failed request: $result->code");

// A switch during the check, after which a key that was found may be missing.
$cli->show("(seq 1 1000; {$lines(1)}; bloom load --quiet --journal=./store pages pages.bloom) | bloom check pages --served --quiet -");

// A fold that the source names applies to the keys, and to those that are repaired. The row 𝐀b must have its key, although a
// lookup of 𝐀b is always "maybe": some collations find this row for "ab".
$cli->shell('bloom build --quiet --seed=1 --capacity=1000 --fold=mysql --source=tags --mark=$(bloom mark folded ./store) folded.bloom keys && bloom publish --quiet folded folded.bloom ./store');
$cli->run(['sync', '--max-lag=1d', 'folded', './store']);
$cli->show(['check', 'folded', '--served', '--repair=./store', '--print=each', '-'], "1 \nJosÉ\n\u{1D400}b\n");
$cli->show(['check', 'folded', '--served', '--print=candidates', '-'], "\u{1F600}\nab\nabc\n");
$cli->show(['check', 'folded', '--served', '--print=each', '-'], "jose\nJosef\n");
check(str_contains(file_get_contents("$cli->files/store/folded:journal"), 'jose'), 'the journal has the folded key');
$cli->show(['check', 'folded.bloom', '--print=candidates', '-'], "1 \n\u{1F600}\nabc");
$builder = new Bloom\Builder(100, source: 'fold=mysql/9');
$builder->build()->save("$cli->files/unknown.bloom");
$cli->show(['check', 'unknown.bloom', 'keys']);
$cli->run(['build', '--seed=0', '--fold=mysql', 'zero.bloom', 'keys']);
$cli->show(['check', 'zero.bloom', '--digests', 'keys']);

// A filter that cannot say "definitely not" has no missing keys.
$cli->run(['sync', '--max-lag=0.001', 'pages', './store']);
$result = $cli->run(['check', 'pages', '--served', 'keys']);
echo $result->output, preg_replace('/ for [\d.]+ s \(/', ' for T s (', $result->errors), "exit $result->code\n";

// Filters that cannot be repaired or compared.
(new Bloom\Builder(1000, seed: 1))->build()->save("$cli->files/empty.bloom");
$cli->run(['publish', 'part', 'empty.bloom', './store']);
$cli->run(['sync', '--on-demand=1M', 'part', './store']);
$cli->run(['load', 'plain', 'empty.bloom']);
$cli->installPhp();
$cli->shell("php -r 'Bloom\\LiveFilter::create(\"live\", 1000, seed: 1)->add(7);'");
$cli->show(['check', 'part', '--served', 'keys']);
$cli->show(['check', 'plain', '--served', '--repair=./store', 'more']);
$cli->show(['check', 'live', '--served', '--repair=./store', 'more']);
$cli->show(['check', 'live', '--served', '--limit=1', 'more']);
$cli->show(['check', 'none', '--served', 'more']);

foreach ([['pages', '--served'], ['pages.bloom', '--limit=1', 'keys'], ['pages.bloom', '--repair=./store', 'keys'], ['pages', '--served', '--limit=-1', 'keys'],
    ['pages', '--served', '--digests', '--repair=./store', 'keys'], ['live', '--served', '--digests', 'keys'], ['./pages', '--served', 'keys'],
    ['pages', '--served', '--repair=memcached:', 'keys'], ['pages', '--served', '--repair=./store', '--print=candidates', 'keys']] as $wrong) {
    $result = $cli->run(['check', ...$wrong]);
    echo "$result->code $result->errors";
}
?>
--EXPECT--
$ bloom check pages --served keys
pages: generation 1, about 1,001 keys, 126 KiB, 8.22e-9 % false positives
1,000 of 1,000 keys might be contained, 0 are missing
exit 0
$ bloom check pages --served keys -
pages: generation 1, about 1,001 keys, 126 KiB, 8.22e-9 % false positives
1,000 of 1,003 keys might be contained, 3 are missing
missing: new page
missing: another
missing: \x1B[1m
exit 1
$ bloom check pages --served --limit=1 keys more
pages: generation 1, about 1,001 keys, 126 KiB, 8.22e-9 % false positives
1,001 of 1,004 keys might be contained, 3 are missing
missing: new page
2 more (--limit prints them, and --print=absent prints only the lines)
exit 1
$ bloom check pages --served --limit=0 --quiet more
exit 1
$ bloom check pages --served --print=absent more
new page
another
[1m
exit 1
{"name":"pages","checked":4,"candidates":1,"absent":3,"missing":["new page","another"],"repaired":null,"again":[]}
$ bloom check pages --served --repair=./other more
bloom: pages: the store ./other does not have the version that this host serves: is it the store of this filter?
exit 73
$ bloom check pages --served --repair=./store --print=absent more
new page
another
[1m
pages: 3 missing keys added to the journal: this host finds them now, and every other host finds them, or answers maybe, within its --max-lag, here 24 h 0 min
exit 0
$ bloom check pages --served --repair=./store --quiet more
exit 0
$ bloom check pages --served --quiet more
exit 0
$ (seq -f %01000.0f 1 300; seq -f %01000.0f 1001 1300; echo last) | bloom check pages --served --quiet -
exit 0
bloom: standard input: line 302: a line can be at most 1,048,576 bytes long (end each key with LF); until then, N missing keys added to the journal: this host finds them now, and every other host finds them, or answers maybe, within its --max-lag, here 24 h 0 min
exit 65
$ (seq 1 1000; seq -f %01000.0f 1 300; bloom load --quiet --journal=./store pages pages.bloom) | bloom check pages --served --quiet -
bloom: pages: generation 2 replaced generation 1 during the check, so run the command again
exit 75
$ bloom check folded --served --repair=./store --print=each -
maybe	1 
absent	JosÉ
absent	𝐀b
folded: 2 missing keys added to the journal: this host finds them now, and every other host finds them, or answers maybe, within its --max-lag, here 24 h 0 min
exit 0
$ bloom check folded --served --print=candidates -
😀
ab
exit 1
$ bloom check folded --served --print=each -
maybe	jose
absent	Josef
exit 1
$ bloom check folded.bloom --print=candidates -
1 
😀
exit 1
$ bloom check unknown.bloom keys
bloom: unknown.bloom: the source says fold=mysql/9, which this version does not know, so keys cannot be folded
exit 65
$ bloom check zero.bloom --digests keys
bloom: --digests: zero.bloom has folded keys (fold=mysql/1), so its digests differ: give the keys themselves
exit 64
bloom: pages: every answer is maybe, so missing keys cannot be found: this host has been behind the journal for T s (at most 0.001 s), so every lookup answers "maybe": is bloom sync --every running?
exit 75
$ bloom check part --served keys
bloom: part: is an on-demand filter, and the chunks that this host does not have would contain every key: check the blob instead (bloom check BLOB KEYS)
exit 73
$ bloom check plain --served --repair=./store more
bloom: --repair: plain follows no journal, so no host would find the keys: build and publish it again with --mark
exit 73
$ bloom check live --served --repair=./store more
bloom: --repair: live follows no journal, so no host would find the keys: add them with addMany() in PHP
exit 73
$ bloom check live --served --limit=1 more
live: generation 1, 1 key, 8 KiB, 6.29e-7 % false positives
1 of 4 keys might be contained, 3 are missing
missing: new page
2 more (--limit prints them, and --print=absent prints only the lines)
exit 1
$ bloom check none --served more
bloom: {dir}/segment/none: no such filter is loaded (bloom list shows those that are)
exit 66
64 bloom: KEYS are missing: --served compares a filter with files that have one key per line, or with - for standard input
64 bloom: --limit and --repair need --served, which compares the filter that this host serves with the keys
64 bloom: --limit and --repair need --served, which compares the filter that this host serves with the keys
64 bloom: --limit must be 0 or more, not -1
64 bloom: --repair: a journal has keys, because the next version of the filter may have another seed: leave out --digests
64 bloom: --digests: live has another seed than 0, is keyed or was imported, so its digests differ: give the keys themselves
64 bloom: NAME: "./pages" must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -; write bloom check BLOB [KEYS...]
64 bloom: STORE: a Memcached URL has the form memcached://host:port or memcached:///path/to/socket
64 bloom: --repair excludes --print=candidates, because you need the missing lines if the store fails

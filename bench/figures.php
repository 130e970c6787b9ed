<?php
/* Checks that the figures in documents are those of bench/results, and that these are not older than what they measure.
 *     php bench/figures.php                   checks everything
 *     php bench/figures.php stamp PART FILE…  bench/run calls this after it has measured: writes into the first line of each
 *                                             result file which code it measures
 *
 * A result is out of date if its benchmark has changed (comments do not count), if a layout has another number, or if one of the
 * functions that it measures takes over 2 % more or fewer instructions on record. bench/outdated.txt lists the files that will be
 * measured again, each with its reason.
 *
 * A comment before a block of a document says where the figures in it come from. The numbers must be in the file, rounded as they
 * are written:
 *     <!-- bench/results/FILE -->                       a table whose rows are named like those in the file: all of its numbers
 *     <!-- bench/results/FILE * FILE… -->               a table with other rows: each number is somewhere in these files
 *     <!-- bench/results/FILE "ROW": 92, "ROW": 5 -->   a paragraph, or a table with other rows, with these numbers
 *     <!-- bench/results/FILE "ROW" - "ROW": 42 -->     the difference of the first numbers of two rows
 *     <!-- bench/results/FILE "ROW" / "ROW": 1.5 -->    their ratio
 *     <!-- bench/results/FILE "ROW" / 1000: 9.7 -->     a number in another unit
 * If the first cell does not tell the rows of a file apart, a ROW is as many cells as do, with ", " between them. */

namespace BloomBench;

const ROOT = __DIR__ . '/..';
const RESULTS = ROOT . '/bench/results';
const OUTDATED = ROOT . '/bench/outdated.txt';
const TOLERANCE = 0.02;

/** The layouts: the name in a stamp, the file and the constant. */
const LAYOUTS = [
    'format' => ['src/filter/blob.h', 'BLOOM_FORMAT_VERSION'],
    'control' => ['src/segment/control.h', 'BLOOM_CONTROL_LAYOUT'],
    'live' => ['src/kinds/live.h', 'BLOOM_LIVE_LAYOUT'],
    'cache' => ['src/kinds/ondemand.h', 'BLOOM_CACHE_LAYOUT'],
];

const LOOKUPS = ['mightContain, absent keys', 'candidates of 20, a key'];
const JOURNAL = ['mightContain with a journal, 10,000 added', 'candidates of 20 with a journal, 10,000 added, a key'];
const MAPS = ['map get, absent keys', 'map get, present keys', 'map getMany of 20, 3 present, a key'];
const RIBBON = ['ribbon mightContain, absent keys', 'ribbon candidates of 1,000, a key'];

/** The rows of instructions.tsv with the functions that a part measures. Parts that measure other things are not listed. */
const FUNCTIONS = [
    'build' => ['Builder::add'],
    'journal' => JOURNAL,
    'kinds' => ['LiveFilter::mightContain', 'LiveFilter::add', 'CountingFilter::add'],
    'lookup' => [...LOOKUPS, ...JOURNAL, ...RIBBON],
    'maps' => [...MAPS, 'ribbon candidates of 20, 3 present, a key', 'ribbon mightContain, present keys'],
    'pages' => LOOKUPS,
    'pleonasm' => ['LiveFilter::mightContain', 'LiveFilter::add'],
    'peers' => LOOKUPS,
    'request' => ['Filter::find, repeated', 'candidates of 20, a key'],
    'ribbon' => RIBBON,
    'sizes' => LOOKUPS,
    'workers' => LOOKUPS,
];

/**
 * Returns the rows of a result file: their names, with the cells that are not part of the name. The first line is a comment, and
 * the second a heading.
 */
function rows(string $file): array
{
    $lines = array_map(fn (string $line): array => explode("\t", $line), array_slice(file($file, FILE_IGNORE_NEW_LINES), 2));
    $cells = 0;
    do {
        $cells++;
        $names = array_map(fn (array $line): string => implode(', ', array_slice($line, 0, $cells)), $lines);
    } while (count(array_unique($names)) < count($names) && $cells < count($lines[0]));
    return array_combine($names, array_map(fn (array $line): array => array_slice($line, $cells), $lines));
}

/** Returns the code that a part of the benchmark measures: a list of names with values. */
function code_of(string $part): array
{
    $script = ROOT . "/bench/$part.php";
    if (is_file($script)) {
        $text = preg_replace('/\s+/', '', php_strip_whitespace($script));
    } elseif (!is_string($text = @file_get_contents(ROOT . "/bench/$part.c"))) {
        return [];
    }
    $code = [$part => hash('crc32b', $text)];
    foreach (LAYOUTS as $name => [$file, $constant]) {
        $code[$name] = preg_match("/\\b$constant = (\\d+)/", file_get_contents(ROOT . "/$file"), $found)
            ? $found[1]
            : throw new \RuntimeException("$file does not define $constant");
    }
    $counts = rows(RESULTS . '/instructions.tsv');
    foreach (FUNCTIONS[$part] ?? [] as $function) {
        $code[$function] = $counts[$function][0] ?? throw new \RuntimeException("instructions.tsv has no row $function");
    }
    return $code;
}

/** Returns why a result file is out of date, or null if it is not. */
function why_outdated(string $file): ?string
{
    $first = (string) fgets(fopen($file, 'r'));
    if (!preg_match('/; code: (.+)$/', rtrim($first), $found)) {
        return 'it does not say which code it measures';
    }
    $stamp = json_decode($found[1], true) ?? [];
    foreach (code_of((string) array_key_first($stamp)) ?: ['benchmark' => 'none'] as $name => $now) {
        $then = $stamp[$name] ?? 'unknown';
        $is_count = str_contains($now, '.') && is_numeric($then);
        if ($is_count ? abs($now / $then - 1) > TOLERANCE : $now !== $then) {
            return "$name was $then and is now $now";
        }
    }
    return null;
}

/** @return list<string> what is wrong */
function check_results(): array
{
    $problems = $reasons = [];
    foreach (is_file(OUTDATED) ? file(OUTDATED, FILE_IGNORE_NEW_LINES) : [] as $line) {
        [$name, $reason] = explode(': ', $line, 2) + [1 => ''];
        $reasons[$name] = $reason;
        if ($reason === '' || !is_file(RESULTS . "/$name")) {
            $problems[] = "bench/outdated.txt: not \"FILE: REASON\" with a file of bench/results: $line";
        }
    }
    foreach (glob(RESULTS . '/*.tsv') as $file) {
        $name = basename($file);
        $why = $name === 'instructions.tsv' ? null : why_outdated($file); // bench/instructions compares its own record
        if ($why !== null && !isset($reasons[$name])) {
            $problems[] = "bench/results/$name is out of date: $why. Run this part of bench/run, or list the file in bench/outdated.txt";
        } elseif ($why === null && isset($reasons[$name])) {
            $problems[] = "bench/outdated.txt lists $name, which is up to date";
        }
    }
    return $problems;
}

/** Returns the numbers in a text: how they are written, without commas. */
function numbers_in(string $text): array
{
    preg_match_all('/(?<![\w.^])\d[\d,]*(?:\.\d+)?/', strip_tags($text), $found);
    return array_map(fn (string $number): string => str_replace(',', '', $number), $found[0]);
}

/** Returns the number at the beginning of a cell, such as "0.98 %". */
function number_of(string $cell): ?float
{
    return preg_match('/^-?[\d,]*\.?\d+(e[+-]?\d+)?/', $cell, $found) ? (float) str_replace(',', '', $found[0]) : null;
}

/** Returns whether a number is one of these values, rounded as it is written: 28,000 may be 28,379. */
function is_one_of(string $number, array $values): bool
{
    $digits = max(0, strlen((string) strrchr($number, '.')) - 1);
    $zeros = str_contains($number, '.') ? 0 : strlen($number) - strlen(rtrim($number, '0'));
    foreach (array_filter($values, fn (?float $value): bool => $value !== null) as $value) {
        for ($precision = $digits; $precision >= -$zeros; $precision--) {
            if (number_format(round($value, $precision), $digits, '.', '') === $number) {
                return true;
            }
        }
    }
    return false;
}

/** Returns the text of a cell as it would be in a result file. */
function plain(string $cell): string
{
    return trim(str_replace(['`', '*'], '', $cell));
}

/** @return list<string> what is wrong with a table, whose rows are named like those of the file */
function check_table(string $block, array $rows): array
{
    $problems = [];
    $checked = 0;
    foreach (explode("\n", $block) as $line) {
        $cells = array_map(plain(...), explode('|', trim($line, '| ')));
        if (isset($rows[$cells[0]])) {
            $checked++;
            foreach (array_slice($cells, 1) as $cell) {
                foreach (numbers_in($cell) as $number) {
                    is_one_of($number, array_map(number_of(...), $rows[$cells[0]])) || $problems[] = "$number in the row \"$cells[0]\" is not in the file";
                }
            }
        }
    }
    return $checked > 0 ? $problems : ['the file has no row of this table'];
}

/** @return list<string> what is wrong with a table, whose numbers are anywhere in these files */
function check_numbers(string $block, array $files): array
{
    $values = $problems = [];
    foreach ($files as $file) {
        if (!is_file(RESULTS . "/$file")) {
            return ["there is no $file"];
        }
        $cells = explode("\t", str_replace("\n", "\t", file_get_contents(RESULTS . "/$file")));
        array_push($values, ...array_map(fn (string $cell): ?float => number_of(ltrim($cell, '+-')), $cells)); // a text writes −1
    }
    $lines = array_filter(explode("\n", $block), fn (string $line): bool => str_starts_with($line, '|'));
    foreach (array_slice($lines, 2) as $line) {
        [$name, $cells] = explode('|', ltrim($line, '|'), 2);
        foreach (numbers_in($cells) as $number) {
            is_one_of($number, $values) || $problems[] = "$number in the row \"" . plain($name) . '" is not in the file';
        }
    }
    return $problems;
}

/** @return list<string> what is wrong with a paragraph */
function check_paragraph(string $block, string $figures, array $rows): array
{
    $problems = [];
    $written = numbers_in($block);
    if (!preg_match_all('~"([^"]+)"(?: ([-/]) (?:"([^"]+)"|(\d+)))?: ([\d,.]*\d)~', $figures, $found, PREG_SET_ORDER | PREG_UNMATCHED_AS_NULL)) {
        return ["the comment names no figures: $figures"];
    }
    foreach ($found as [, $row, $operator, $other, $divisor, $number]) {
        $number = str_replace(',', '', $number);
        foreach (array_filter([$row, $other], fn (?string $name): bool => $name !== null && !isset($rows[$name])) as $name) {
            $problems[] = "the file has no row \"$name\"";
            continue 2;
        }
        $values = array_filter(array_map(number_of(...), $rows[$row]), fn (?float $value): bool => $value !== null);
        if ($other !== null) {
            $second = number_of($rows[$other][0]);
            $values = [$operator === '-' ? current($values) - $second : current($values) / $second];
        } elseif ($divisor !== null) {
            $values = array_map(fn (float $value): float => $value / (int) $divisor, $values);
        }
        is_one_of($number, $values) || $problems[] = "$number is not the file's figure for \"$row\", which has " . implode(', ', $values);
        in_array($number, $written, true) || $problems[] = "the text does not contain $number, the figure for \"$row\"";
    }
    return $problems;
}

/** @return list<string> what is wrong in the documents */
function check_documents(array $documents): array
{
    $problems = [];
    foreach ($documents as $document) {
        $text = file_get_contents($document);
        $count = preg_match_all('~^ *<!-- (bench/results/[\w.-]+)(.*?) -->\n(?= *+(\S.*?)(?:\n\n|\z))~ms', $text, $found, PREG_SET_ORDER);
        if ($count !== substr_count($text, '<!-- bench/results/')) {
            $problems[] = basename($document) . ': a comment about bench/results is not directly before a block';
        }
        foreach ($found as [, $file, $figures, $block]) {
            $rows = is_file(ROOT . "/$file") ? rows(ROOT . "/$file") : [];
            $found_here = match (substr(ltrim($figures), 0, 1)) {
                '' => check_table($block, $rows),
                '*' => check_numbers($block, [basename($file), ...preg_split('/ /', trim($figures, ' *'), -1, PREG_SPLIT_NO_EMPTY)]),
                default => check_paragraph($block, $figures, $rows),
            };
            foreach ($found_here as $problem) {
                $problems[] = basename($document) . ", $file: $problem";
            }
        }
    }
    return $problems;
}

if (($argv[1] ?? '') === 'stamp') {
    $stamp = '; code: ' . json_encode(code_of($argv[2]), JSON_THROW_ON_ERROR);
    foreach (array_slice($argv, 3) as $file) {
        [$first, $rest] = explode("\n", file_get_contents($file), 2);
        file_put_contents($file, preg_replace('/; code: .*/', '', $first) . "$stamp\n$rest");
    }
    exit;
}
$documents = $argc > 1 ? array_slice($argv, 1) : [...glob(ROOT . '/*.md'), ...glob(ROOT . '/docs/{,*/}*.md', GLOB_BRACE), ...glob(ROOT . '/{packages,examples}/*/README.md', GLOB_BRACE)];
$problems = [...$argc > 1 ? [] : check_results(), ...check_documents($documents)];
echo implode('', array_map(fn (string $problem): string => "$problem\n", $problems));
exit($problems === [] ? 0 : 1);

<?php
/* Writes a file like that of haveibeenpwned-downloader, with random hashes:
 *     php -n bench/passwords/generate.php COUNT FILE [SEED]
 * A line is the SHA-1 of a password as 40 uppercase hexadecimal digits, a colon and how often the password was seen. Like the real
 * file, it is sorted, because it consists of 1,048,576 ranges of about the same size. The same COUNT and SEED give the same file, and
 * ten million lines take about 4 seconds. */

const RANGES = 1 << 20;
const SUFFIX_DIGITS = 35;
const COUNTS = 4096;

[, $count, $file] = $argv;
$random = new Random\Randomizer(new Random\Engine\Xoshiro256StarStar((int) ($argv[3] ?? 1)));
// Few passwords are frequent: the count of the n-th most frequent one is proportional to 1/n.
$ends = array_map(fn (int $rank): string => ':' . intdiv(COUNTS, $rank) . "\n", range(1, COUNTS));
$out = fopen($file, 'w');
for ($range = $written = 0; $range < RANGES; $range++, $written += $lines) {
    $lines = intdiv($count * ($range + 1), RANGES) - $written;
    if ($lines > 0) {
        $digits = strtoupper(bin2hex($random->getBytes(intdiv(SUFFIX_DIGITS * $lines + 1, 2))));
        $suffixes = str_split(substr($digits, 0, SUFFIX_DIGITS * $lines), SUFFIX_DIGITS);
        sort($suffixes, SORT_STRING);
        $prefix = sprintf('%05X', $range);
        $text = '';
        foreach ($suffixes as $suffix) {
            $text .= $prefix . $suffix . $ends[hexdec(substr($suffix, -3))];
        }
        fwrite($out, $text) === strlen($text) || throw new RuntimeException("$file: the disk is full");
    }
}

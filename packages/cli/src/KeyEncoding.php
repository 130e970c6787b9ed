<?php

namespace Bloom\Cli;

/** Recognizes by their first bytes files that are not lists of keys, one per line, and names the command that converts them. */
final class KeyEncoding
{
    /** Keys are rarely longer than this, so a longer line is probably a list without line ends. */
    private const LONG_LINE = 4096;

    private const COMPRESSED = [
        "\x1f\x8b" => ['gzip', 'gzip -dc'],
        "\x1f\x9d" => ['compress', 'gzip -dc'],
        "\x28\xb5\x2f\xfd" => ['Zstandard', 'zstd -dc'],
        "\xfd7zXZ\0" => ['XZ', 'xz -dc'],
        "\x04\x22\x4d\x18" => ['LZ4', 'lz4 -dc'],
        "PK\x03\x04" => ['ZIP', 'funzip'],
    ];

    /**
     * Returns why bytes are refused as keys, and the command that converts them. No lookup would ever ask for such keys, so a
     * filter of them answers "definitely not" to nearly everything.
     *
     * @param string $first the beginning of the file, at least eight bytes unless the file is shorter
     *
     * @return array{string, string}|null
     */
    public static function refusal(string $first): ?array
    {
        foreach (self::COMPRESSED as $magic => [$name, $command]) {
            if (str_starts_with($first, $magic)) {
                return ["is compressed ($name)", $command];
            }
        }
        $eight = substr($first, 0, 8);
        return match (true) {
            preg_match('/^BZh[1-9]1AY&/', $first) === 1 => ['is compressed (bzip2)', 'bzip2 -dc'],
            str_starts_with($first, "\xff\xfe\0\0"), str_starts_with($first, "\0\0\xfe\xff") => ['is UTF-32', 'iconv -f UTF-32 -t UTF-8'],
            str_starts_with($first, "\xff\xfe"), str_starts_with($first, "\xfe\xff") => ['is UTF-16', 'iconv -f UTF-16 -t UTF-8'],
            preg_match('/^(?:[^\0]\0){2,}$/sD', $eight) === 1 => ['looks like UTF-16', 'iconv -f UTF-16LE -t UTF-8'],
            preg_match('/^(?:\0[^\0]){2,}$/sD', $eight) === 1 => ['looks like UTF-16', 'iconv -f UTF-16BE -t UTF-8'],
            default => null,
        };
    }

    /**
     * Returns what is odd about a list of keys, with the command that mends it. The keys are still used as they are.
     *
     * @param string $first the beginning of the file
     *
     * @return list<array{string, string}>
     */
    public static function oddities(string $first): array
    {
        $isMarked = str_starts_with($first, "\xef\xbb\xbf");
        $text = $isMarked ? substr($first, 3) : $first;
        $end = strpos($text, "\n");
        $odd = match (true) {
            str_contains($text, "\0") => ['contains zero bytes, which become part of the keys; if they separate the keys', "tr '\\0' '\\n'"],
            $end === false && str_contains(rtrim($text, "\r"), "\r")
                => ['has lines that end with CR only, so all of them are one key', "tr '\\r' '\\n'"],
            ($end === false ? strlen($text) : $end) > self::LONG_LINE
                => ['begins with a line of more than ' . Text::count(self::LONG_LINE) . ' bytes, which is one key; if commas separate the keys', "tr ',' '\\n'"],
            default => null,
        };
        $mark = str_contains($text, "\n\xef\xbb\xbf") // such as joined files
            ? ['has byte order marks in front of several lines, which become part of the keys', "sed 's/^\\xef\\xbb\\xbf//'"]
            : ['begins with a byte order mark, which becomes part of the first key', 'tail -c +4'];
        return [...($isMarked ? [$mark] : []), ...($odd === null ? [] : [$odd])];
    }

    /**
     * Returns what is odd about lines that seem to have a key and a value, with the options that select the key. Lookups ask
     * for the key, so they would never find such a line.
     *
     * @param string $first the beginning of the file
     *
     * @return list<array{string, string}>
     */
    public static function fields(string $first): array
    {
        $end = strrpos($first, "\n");
        $lines = $end === false ? $first : substr($first, 0, $end + 1);
        return match (true) {
            preg_match('/^(?:[0-9a-f]{32,64}:\d++\r?(?:\n|$))++$/Di', $lines) === 1
                => [['has a hash and a count in each line, which together become the key; if lookups have only the hash', '--field=1 --delimiter=:']],
            preg_match('/^(?:[^\t\n]*+\t[^\n]*+(?:\n|$))++$/D', $lines) === 1
                => [['has a tab in each line, which becomes part of the key; if the key is one of the fields', '--field=N']],
            default => [],
        };
    }
}

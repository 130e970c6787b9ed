<?php

declare(strict_types=1);

namespace Bloom\Kit;

/**
 * Turns keys that a database treats as equal into the same bytes. A filter compares bytes, so without a fold it may
 * deny "jose" although the database finds the row "José".
 *
 * A fold has two methods, because one string cannot stand for everything:
 *   key()     what to add to the filter for a row
 *   lookup()  what to ask the filter for; null if only the database can answer, so the answer is "maybe"
 * If a collation that the fold knows says that $row = $asked, lookup($asked) is null or key($row).
 *
 * A filter must be built and asked with the same fold, so the blob's source contains its name (mark()).
 *
 * Cost: 0.6 µs for an ASCII key of 22 bytes, and 1.5 to 7 µs for keys of 10 to 17 other characters. The first of these keys
 * loads the table, which costs 4 ms without opcache (bench/fold.php).
 */
final class Fold
{
    private const NAME = '/(?<!\S)fold=(\S*)/';

    /**
     * Capital letters of Unicode 16 and 17, which no collation of MySQL and MariaDB knows, and their small letters. PostgreSQL's
     * lower() knows those of the Unicode version of its C library or ICU.
     */
    private const NEWER_LETTERS = [
        "\u{1C89}" => "\u{1C8A}", "\u{A7CB}" => "\u{264}", "\u{A7CC}" => "\u{A7CD}", "\u{A7CE}" => "\u{A7CF}",
        "\u{A7D2}" => "\u{A7D3}", "\u{A7D4}" => "\u{A7D5}", "\u{A7DA}" => "\u{A7DB}", "\u{A7DC}" => "\u{19B}",
        "\u{10D50}" => "\u{10D70}", "\u{10D51}" => "\u{10D71}", "\u{10D52}" => "\u{10D72}", "\u{10D53}" => "\u{10D73}",
        "\u{10D54}" => "\u{10D74}", "\u{10D55}" => "\u{10D75}", "\u{10D56}" => "\u{10D76}", "\u{10D57}" => "\u{10D77}",
        "\u{10D58}" => "\u{10D78}", "\u{10D59}" => "\u{10D79}", "\u{10D5A}" => "\u{10D7A}", "\u{10D5B}" => "\u{10D7B}",
        "\u{10D5C}" => "\u{10D7C}", "\u{10D5D}" => "\u{10D7D}", "\u{10D5E}" => "\u{10D7E}", "\u{10D5F}" => "\u{10D7F}",
        "\u{10D60}" => "\u{10D80}", "\u{10D61}" => "\u{10D81}", "\u{10D62}" => "\u{10D82}", "\u{10D63}" => "\u{10D83}",
        "\u{10D64}" => "\u{10D84}", "\u{10D65}" => "\u{10D85}", "\u{16EA0}" => "\u{16EBB}", "\u{16EA1}" => "\u{16EBC}",
        "\u{16EA2}" => "\u{16EBD}", "\u{16EA3}" => "\u{16EBE}", "\u{16EA4}" => "\u{16EBF}", "\u{16EA5}" => "\u{16EC0}",
        "\u{16EA6}" => "\u{16EC1}", "\u{16EA7}" => "\u{16EC2}", "\u{16EA8}" => "\u{16EC3}", "\u{16EA9}" => "\u{16EC4}",
        "\u{16EAA}" => "\u{16EC5}", "\u{16EAB}" => "\u{16EC6}", "\u{16EAC}" => "\u{16EC7}", "\u{16EAD}" => "\u{16EC8}",
        "\u{16EAE}" => "\u{16EC9}", "\u{16EAF}" => "\u{16ECA}", "\u{16EB0}" => "\u{16ECB}", "\u{16EB1}" => "\u{16ECC}",
        "\u{16EB2}" => "\u{16ECD}", "\u{16EB3}" => "\u{16ECE}", "\u{16EB4}" => "\u{16ECF}", "\u{16EB5}" => "\u{16ED0}",
        "\u{16EB6}" => "\u{16ED1}", "\u{16EB7}" => "\u{16ED2}", "\u{16EB8}" => "\u{16ED3}",
    ];

    /** The ASCII characters without weight. */
    private const CONTROLS = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B"
        . "\x1C\x1D\x1E\x1F\x7F";

    /** @param string $name the name with the version of its table, such as "mysql/1" */
    private function __construct(public readonly string $name)
    {
    }

    /**
     * The equality of utf8mb4 columns in MySQL and MariaDB: of general_ci, unicode_ci, unicode_520_ci, 0900_ai_ci
     * and uca1400_ai_ci, with or without padding, and of every collation that distinguishes more, such as
     * 0900_as_cs and bin. It is coarser than each of them: it ignores case, accents, trailing spaces and whatever
     * one of them ignores, so for example "Hess" and "Hes" are one key, because general_ci says ß = s and
     * unicode_ci says ß = ss. Language-specific collations such as german2_ci (ä = ae) are not included.
     *
     * general_ci and unicode_ci treat all characters above U+FFFF as equal, such as emoji, and general_ci also U+FFFD.
     * For a key that contains one of these, lookup() returns null. A key that is not UTF-8 cannot be a row, so lookup() returns null
     * for it as well, and key() throws. Surrogates (U+D800 to U+DFFF) are an exception, because the databases accept them.
     */
    public static function mysql(): self
    {
        return new self('mysql/1');
    }

    /**
     * Returns the fold that a configuration names.
     *
     * @param string $name "mysql", or "mysql/1" to be sure of the version
     *
     * @throws \ValueError if there is no such fold
     */
    public static function named(string $name): self
    {
        return match ($name) {
            'mysql', 'mysql/1' => self::mysql(),
            default => throw new \ValueError("There is no fold \"$name\", only \"mysql\""),
        };
    }

    /**
     * Returns the name of the fold that a blob was built with, according to its source. Null: none. A source with
     * several names returns them all, which is the name of no fold.
     */
    public static function nameIn(string $source): ?string
    {
        preg_match_all(self::NAME, $source, $found);
        return $found[1] === [] ? null : implode(' ', $found[1]);
    }

    /** Returns a source without the names of folds. */
    public static function unmarked(string $source): string
    {
        return trim(preg_replace(self::NAME, '', $source) ?? $source);
    }

    /** Returns the source for a blob that is built with this fold: "fold=mysql/1", and the text after it. */
    public function mark(string $source = ''): string
    {
        if (self::nameIn($source) !== null) {
            throw new \ValueError("The source \"$source\" already names a fold");
        }
        return rtrim("fold=$this->name $source", ' ');
    }

    /**
     * Returns the key to add to a filter: equal strings have the same. An int stands for its decimal digits.
     *
     * @throws \ValueError if the key is not UTF-8, probably because it was read with another character set
     */
    public function key(string|int $key): string
    {
        $key = strtolower((string) $key);
        if (strcspn($key, self::CONTROLS) !== strlen($key)) {
            $key = str_replace(str_split(self::CONTROLS), '', $key);
        }
        if (preg_match('/[\x80-\xFF]/', $key) === 1) {
            $key = self::ofOtherCharacters(strtr($key, self::NEWER_LETTERS));
        }
        if (str_contains($key, 'ss')) {
            $key = preg_replace('/ss+/', 's', $key) ?? $key;
        }
        return rtrim($key, ' ');
    }

    /**
     * Returns the keys to add for several rows.
     *
     * @param iterable<mixed, string|int>|string|int $keys
     *
     * @return list<string>
     *
     * @throws \TypeError if a key is neither string nor int
     * @throws \ValueError as key()
     */
    public function keys(iterable|string|int $keys): array
    {
        $folded = [];
        foreach (is_iterable($keys) ? $keys : [$keys] as $key) {
            $folded[] = $this->key($key);
        }
        return $folded;
    }

    /** Returns the key to look up. Null: it may equal rows that have another key(), so the answer is "maybe". */
    public function lookup(string|int $key): ?string
    {
        if (is_string($key) && (preg_match('//u', $key) !== 1 || preg_match('/[\xF0-\xF4]|\xEF\xBF\xBD/', $key) === 1)) {
            return null;
        }
        return $this->key($key);
    }

    private static function ofOtherCharacters(string $key): string
    {
        $folded = preg_replace_callback(
            '/[^\x00-\x7F]/u',
            static fn (array $found): string => MysqlEquality::CHARACTERS[$found[0]] ?? self::jamo($found[0]),
            $key,
        );
        if ($folded === null) {
            return self::withSurrogates($key);
        }
        foreach (MysqlEquality::ENDINGS as $text => $ending) {
            if (str_contains($folded, $text . $ending)) {
                // Possessive: a key with many endings would exceed the stack or the limit for backtracking.
                $folded = preg_replace("/$text\\K(?:$ending)++/", '', $folded) ?? $folded;
            }
        }
        if (preg_match('/[' . MysqlEquality::VOWELS . ']/u', $folded) === 1) {
            foreach (MysqlEquality::ORDERS as [$vowels, $consonants]) {
                $folded = preg_replace_callback(
                    "/[$vowels$consonants]{2,}/u",
                    static fn (array $found): string => preg_replace("/[$consonants]/u", '', $found[0])
                        . preg_replace("/[$vowels]/u", '', $found[0]),
                    $folded,
                ) ?? $folded;
            }
        }
        return $folded;
    }

    /** Returns a key that is UTF-8 except for its surrogates. lookup() returns null for it, so it need not be folded. */
    private static function withSurrogates(string $key): string
    {
        if (preg_match('//u', (string) preg_replace('/\xED[\xA0-\xBF][\x80-\xBF]/', '', $key)) === 1) {
            return $key;
        }
        $shown = preg_replace('/[^\x20-\x7E]/', '?', substr($key, 0, 60));
        throw new \ValueError("The key \"$shown\" is not UTF-8, so it cannot be folded: read it on a connection, or with a client, "
            . 'whose character set is utf8mb4');
    }

    /** Decomposes a Hangul syllable, by the rule in section 3.12 of the Unicode Standard. */
    private static function jamo(string $character): string
    {
        if ($character < "\u{AC00}" || $character > "\u{D7A3}" || strlen($character) !== 3) {
            return $character;
        }
        $index = ((ord($character[0]) & 15) << 12 | (ord($character[1]) & 63) << 6 | ord($character[2]) & 63) - 0xAC00;
        $vowel = 0x1161 + intdiv($index % 588, 28);
        $jamo = "\xE1" . chr(0x84) . chr(0x80 + intdiv($index, 588))
            . "\xE1" . chr(0x80 | $vowel >> 6 & 63) . chr(0x80 | $vowel & 63);
        $final = 0x11A7 + $index % 28;
        return $final === 0x11A7 ? $jamo : $jamo . "\xE1" . chr(0x80 | $final >> 6 & 63) . chr(0x80 | $final & 63);
    }
}

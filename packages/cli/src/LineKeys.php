<?php

namespace Bloom\Cli;

use Bloom\BlobInfo;
use Bloom\FilterInfo;
use Bloom\Scheme;
use Symfony\Component\Console\Input\InputInterface;

/** How a line becomes a key: the options --field, --delimiter and --digests. */
final class LineKeys
{
    private const TAB = "\t";

    /** The digests that xxh3() of ClickHouse prints are decimal and unsigned, those of StarRocks are signed. */
    private const DIGEST = '/^(?:0|-?[1-9]\d{0,19}|0x([0-9a-f]{1,16}))$/Di';

    /** The limit of addFile(). A pattern with many more repetitions is too large for PCRE. */
    private const FIELD_MAX = 1_000;

    /**
     * @param int|null $field the number of the field, from 1; null: the whole line
     * @param bool $haveValues whether the key ends before the last tab of the line; see MapLines
     */
    private function __construct(
        private readonly ?int $field,
        private readonly string $delimiter,
        public readonly bool $areDigests,
        public readonly bool $haveValues = false
    ) {
    }

    public static function of(InputInterface $input): self
    {
        $field = Values::integer($input, 'field');
        $typed = Values::text($input, 'delimiter');
        $delimiter = $typed === '\t' ? self::TAB : $typed ?? self::TAB;
        if ($field !== null && ($field < 1 || $field > self::FIELD_MAX)) {
            throw Failure::usage('--field must be between 1 and ' . Text::count(self::FIELD_MAX) . ", not $field");
        }
        if ($typed !== null && $field === null) {
            throw Failure::usage('--delimiter needs --field: write --field=1 for the first field of a line');
        }
        if (strlen($delimiter) !== 1 || str_contains("\r\n", $delimiter)) {
            throw Failure::usage("--delimiter must be one byte, such as : or ; or \\t, not \"$typed\"");
        }
        return new self($field, $delimiter, $input->getOption('digests'));
    }

    /** Returns the rule that each line is a key. */
    public static function whole(): self
    {
        return new self(null, self::TAB, false);
    }

    /** Returns the rule for lines of a map, which have a key, a tab and a value. */
    public function withValues(): self
    {
        return $this->field === null ? new self(null, self::TAB, $this->areDigests, true) : throw Failure::usage(
            '--field: each line of a map is a key, a tab and a value, so leave out --field and --delimiter'
        );
    }

    /** Returns whether a filter has the digests that databases compute. */
    public static function haveDigests(BlobInfo|FilterInfo $info): bool
    {
        return $info->seed === 0 && $info->keyedBy === null && ($info->scheme ?? null) !== Scheme::Foreign;
    }

    /**
     * Returns the arguments that select the key for addFile(), which reads everything except digests.
     *
     * @return array{field?: int, delimiter?: string}
     */
    public function arguments(): array
    {
        return $this->field === null ? [] : ['field' => $this->field, 'delimiter' => $this->delimiter];
    }

    /**
     * Returns what is odd about the beginning of a file; see KeyEncoding::oddities().
     *
     * @return list<array{string, string}>
     */
    public function oddities(string $first): array
    {
        return match (true) {
            $this->haveValues => [],
            $this->field === null && !$this->areDigests => KeyEncoding::fields($first),
            $this->field !== null && !str_contains($first, $this->delimiter)
                => [['has no delimiter in its first lines, so that these lines are the keys', '--delimiter=C if another character separates the fields']],
            default => [],
        };
    }

    /**
     * Returns the keys of complete lines.
     *
     * @param string $text lines without the last LF
     * @param string $label of the file, for messages
     * @param int $before the number of lines before these
     *
     * @return list<string>
     */
    public function in(string $text, string $label, int $before): array
    {
        if (str_contains($text, "\r")) {
            $text = str_replace("\r\n", "\n", $text);
            $text = str_ends_with($text, "\r") ? substr($text, 0, -1) : $text;
        }
        $keys = explode("\n", match (true) {
            $this->haveValues => MapLines::keys($text, $label, $before),
            $this->field !== null => $this->fields($text, $label, $before),
            default => $text,
        });
        return $this->areDigests ? $this->ofDigests($keys, $label, $before) : $keys;
    }

    /** Replaces each line by its field. A line with fewer fields is an error, because its key is missing. */
    private function fields(string $text, string $label, int $before): string
    {
        $delimiter = sprintf('\x%02x', ord($this->delimiter));
        $pattern = "~\\G(?:[^\\n$delimiter]*+$delimiter){" . $this->field - 1 . "}([^\\n$delimiter]*+)[^\\n]*+\\n~";
        $fields = preg_replace($pattern, "$1\n", "$text\n", -1, $count);
        if ($count <= substr_count($text, "\n")) {
            throw new Failure(ExitCode::Data, "$label: line " . $before + $count + 1 . ": no field $this->field: each line must "
                . 'have the field that is the key (fields count from 1, and the delimiter is a tab by default)');
        }
        return substr($fields, 0, -1);
    }

    /**
     * @param list<string> $digests
     *
     * @return list<string>
     */
    private function ofDigests(array $digests, string $label, int $before): array
    {
        $keys = [];
        foreach ($digests as $i => $text) {
            $digest = self::digest($text) ?? throw new Failure(ExitCode::Data, "$label: line " . $before + $i + 1
                . ': "' . substr($text, 0, 40) . '" is not a digest of 8 bytes (a whole number from -2^63 to 2^64 - 1, or 0x and up to 16 hexadecimal digits)');
            $keys[] = Xxh3::keyOf($digest);
        }
        return $keys;
    }

    private static function digest(string $text): ?int
    {
        if (!preg_match(self::DIGEST, $text, $parts)) {
            return null;
        }
        if (isset($parts[1])) {
            return unpack('J', hex2bin(str_pad($parts[1], 16, '0', STR_PAD_LEFT)))[1];
        }
        $number = filter_var($text, FILTER_VALIDATE_INT);
        if ($number !== false) {
            return $number;
        }
        // From 2^63 on, 2^64 is subtracted in two parts, so that nothing becomes a float.
        return $text[0] !== '-' && (strlen($text) < 20 || strcmp($text, '18446744073709551615') <= 0)
            ? ((int) substr($text, 0, -9) - 18446744072) * 1_000_000_000 + (int) substr($text, -9) - 1_709_551_616
            : null;
    }
}

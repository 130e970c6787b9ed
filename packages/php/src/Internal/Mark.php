<?php

namespace Bloom\Internal;

/**
 * A position in a journal, as in a head: docs/dev/journal.md.
 *
 *     0       8        16      24     56
 *     ├ epoch ┼ offset ┼ check ┼ link ┤
 */
final class Mark
{
    private const TEXT = '/\A(0|[1-9][0-9]*)-(0|[1-9][0-9]*)-([0-9a-f]{16})(?:-([0-9a-f]{64}))?\z/';

    /** Returns the 56 bytes of a mark's text, or null if the text is not valid. */
    public static function pack(string $text): ?string
    {
        if (preg_match(self::TEXT, $text, $parts) !== 1) {
            return null;
        }
        [$epoch, $offset] = [self::number($parts[1]), self::number($parts[2])];
        $link = $parts[4] ?? '';
        if ($epoch === null || $epoch === 0 || $offset === null
            || ($offset === 0 && (trim($parts[3], '0') !== '' || $link !== ''))) {
            return null;
        }
        return pack('PP', $epoch, $offset) . hex2bin($parts[3]) . str_pad((string) hex2bin($link), 32, "\0");
    }

    /** Returns the text of 56 bytes; "": no mark. */
    public static function text(string $bytes): string
    {
        /** @var array{epoch: int, offset: int, check: string, link: string} $mark */
        $mark = unpack('Pepoch/Poffset/a8check/a32link', $bytes);
        if ($mark['epoch'] === 0) {
            return '';
        }
        return sprintf('%u-%u-%s', $mark['epoch'], $mark['offset'], bin2hex($mark['check']))
            . (trim($mark['link'], "\0") === '' ? '' : '-' . bin2hex($mark['link']));
    }

    /** Returns the bytes that must be 0: no record ends at offset 0, so such a mark has neither check nor link. */
    public static function unused(string $bytes): string
    {
        return trim(substr($bytes, 8, 8), "\0") === '' ? substr($bytes, 16) : '';
    }

    /** Reads an unsigned number of 64 bits; null: it is larger. */
    private static function number(string $digits): ?int
    {
        if (strlen($digits) > 20 || (strlen($digits) === 20 && strcmp($digits, '18446744073709551615') > 0)) {
            return null;
        }
        $number = 0;
        foreach (str_split($digits) as $digit) {
            $number = Word::add(Word::multiply($number, 10), (int) $digit);
        }
        return $number;
    }
}

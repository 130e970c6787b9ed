<?php

namespace Bloom;

/**
 * What an info() method returns. Its properties are readonly, and json_encode() writes them in the order
 * of their declaration. Times are in seconds since 1970 (Unix time), sizes in bytes, and rates from 0 to 1.
 */
abstract class Info implements \JsonSerializable
{
    private function __construct()
    {
    }

    /** @return array<string, mixed> */
    final public function jsonSerialize(): array
    {
        /** @var array<string, mixed> $properties */
        $properties = get_object_vars($this);
        if (isset($properties['seed']) && is_int($properties['seed'])) {
            $properties['seed'] = (string) $properties['seed'];
        }
        return array_map(self::scrub(...), $properties);
    }

    /** Replaces the bytes of texts and lists of texts that are not UTF-8 by U+FFFD. */
    private static function scrub(mixed $value): mixed
    {
        return match (true) {
            is_array($value) => array_map(self::scrub(...), $value),
            is_string($value) && preg_match('//u', $value) !== 1 => json_decode(
                json_encode($value, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR),
                flags: JSON_THROW_ON_ERROR
            ),
            default => $value,
        };
    }
}

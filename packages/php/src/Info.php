<?php

namespace Bloom;

/**
 * What an info() method returns. Its values are properties, and json_encode() writes them. Times are in seconds since
 * 1970 (Unix time), sizes in bytes, and rates from 0 to 1. Only the extension has the values that are missing here.
 */
#[\AllowDynamicProperties]
abstract class Info implements \JsonSerializable
{
    private function __construct()
    {
    }

    public function __get(string $name): mixed
    {
        throw Internal\Failure::needsExtension("$name in " . static::class);
    }

    /** @return array<string, mixed> */
    final public function jsonSerialize(): array
    {
        /** @var array<string, mixed> $values */
        $values = get_object_vars($this);
        if (isset($values['seed']) && is_int($values['seed'])) {
            $values['seed'] = (string) $values['seed'];
        }
        return array_map(self::scrub(...), $values);
    }

    /** Replaces bytes that are not UTF-8 by U+FFFD. */
    private static function scrub(mixed $value): mixed
    {
        if (!is_string($value) || preg_match('//u', $value) === 1) {
            return $value;
        }
        $json = json_encode($value, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
        return json_decode($json, flags: JSON_THROW_ON_ERROR);
    }
}

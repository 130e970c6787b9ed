<?php

declare(strict_types=1);

namespace Pleo\BloomFilter;

/**
 * A fixed number of bits in a string. Bit 0 is the lowest bit of the first byte, as in pleonasm/bloom-filter.
 *
 * @implements \ArrayAccess<mixed, bool>
 *
 * @psalm-consistent-constructor
 */
class BitArray implements \ArrayAccess, \Countable, \JsonSerializable
{
    public const BITS_IN_BYTE = 8;

    private string $data;
    /** @var int<0, max> */
    private int $length;

    /**
     * @param array<array-key, mixed> $decodedJson what json_decode() made of an encoded BitArray, as an array
     *
     * @throws \UnexpectedValueException if it is something else, or was cut off
     * @throws \RangeException           if "len" is negative
     */
    public static function initFromJson(array $decodedJson): static
    {
        ['arr' => $encoded, 'len' => $length] = $decodedJson + ['arr' => null, 'len' => null];
        $data = is_string($encoded) ? base64_decode($encoded, true) : false;
        $length = filter_var($length, FILTER_VALIDATE_INT);
        if ($data === false || $length === false) {
            throw new \UnexpectedValueException('BitArray::initFromJson(): Argument #1 ($decodedJson) must have "len", an integer, '
                . 'and "arr", a string in Base64');
        }
        return new static($data, $length);
    }

    /**
     * @param int $length the number of bits, all of which are 0
     *
     * @throws \RangeException if it is negative
     */
    public static function init(int $length): BitArray
    {
        return new static(str_repeat("\0", self::bytes($length)), $length);
    }

    /**
     * @param string $data   the bits
     * @param int    $length their number
     *
     * @throws \RangeException           if $length is negative
     * @throws \UnexpectedValueException if $data has fewer bits
     */
    public function __construct(string $data, int $length)
    {
        $bytes = self::bytes($length);
        if (strlen($data) < $bytes) {
            throw new \UnexpectedValueException('BitArray::__construct(): Argument #1 ($data) must have at least '
                . "$bytes bytes for $length bits, " . strlen($data) . ' given; was it cut off?');
        }
        $this->data = $data;
        $this->length = $length;
    }

    public function offsetExists(mixed $offset): bool
    {
        return is_int($offset) && $offset >= 0 && $offset < $this->length;
    }

    public function offsetGet(mixed $offset): bool
    {
        $offset = $this->checked($offset);
        return (ord($this->data[$offset >> 3]) & 1 << ($offset & 7)) !== 0;
    }

    public function offsetSet(mixed $offset, mixed $value): void
    {
        $offset = $this->checked($offset);
        $byte = ord($this->data[$offset >> 3]);
        $bit = 1 << ($offset & 7);
        $this->data[$offset >> 3] = chr($value ? $byte | $bit : $byte & ~$bit);
    }

    public function offsetUnset(mixed $offset): void
    {
        $this->offsetSet($offset, false);
    }

    /** Returns the number of bits. */
    public function count(): int
    {
        return $this->length;
    }

    /** Returns the number of bytes that contain the bits. */
    public function byteLength(): int
    {
        return strlen($this->data);
    }

    /** @return array{len: int, arr: string} */
    public function jsonSerialize(): array
    {
        return ['len' => $this->length, 'arr' => base64_encode($this->data)];
    }

    /** @throws \UnexpectedValueException|\RangeException if there is no such bit */
    private function checked(mixed $offset): int
    {
        if (!is_int($offset)) {
            throw new \UnexpectedValueException('The offset of a bit must be of type int, ' . get_debug_type($offset) . ' given');
        }
        if ($offset < 0 || $offset >= $this->length) {
            throw new \RangeException(sprintf('The offset of a bit must be between 0 and %d, %d given', $this->length - 1, $offset));
        }
        return $offset;
    }

    /** @phpstan-assert int<0, max> $length */
    private static function bytes(int $length): int
    {
        if ($length < 0) {
            throw new \RangeException("The length of a BitArray must be at least 0, $length given");
        }
        return ($length >> 3) + (($length & 7) > 0 ? 1 : 0);
    }
}

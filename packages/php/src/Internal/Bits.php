<?php

namespace Bloom\Internal;

/** The bits of a blocked Bloom filter: docs/dev/blob.md, "The blocked Bloom filter". */
final class Bits
{
    private int $blocks;
    private int $fieldBits;
    private int $fields;

    public function __construct(private Geometry $geometry)
    {
        $this->blocks = $geometry->blocks();
        $this->fieldBits = (int) round(log($geometry->blockBytes * 8, 2));
        $this->fields = intdiv(64, $this->fieldBits);
    }

    /** Returns the block that has the bits of a digest. */
    public function block(int $digest): int
    {
        return Word::fastRange($digest, $this->blocks);
    }

    /** @return list<int> the bits of a digest within its block; some may be equal */
    public function positions(int $digest): array
    {
        $positions = [];
        for ($probe = 0, $word = 0; $probe < $this->geometry->probes; $probe++) {
            $field = $probe % $this->fields;
            if ($field === 0) {
                $word = Digest::word($digest, intdiv($probe, $this->fields));
            }
            $positions[] = Word::shiftRight($word, $field * $this->fieldBits) & ($this->geometry->blockBytes * 8 - 1);
        }
        return $positions;
    }

    public function has(Memory $body, int $digest): bool
    {
        $block = $body->read($this->block($digest) * $this->geometry->blockBytes, $this->geometry->blockBytes);
        foreach ($this->positions($digest) as $bit) {
            if ((ord($block[$bit >> 3]) >> ($bit & 7) & 1) === 0) {
                return false;
            }
        }
        return true;
    }

    /** Sets the bits of a digest. Returns the number of bits that were clear. */
    public function add(Memory $body, int $digest): int
    {
        $at = $this->block($digest) * $this->geometry->blockBytes;
        $block = $body->read($at, $this->geometry->blockBytes);
        $new = 0;
        foreach ($this->positions($digest) as $bit) {
            $byte = ord($block[$bit >> 3]);
            if (($byte >> ($bit & 7) & 1) === 0) {
                $block[$bit >> 3] = chr($byte | 1 << ($bit & 7));
                $body->set($at + ($bit >> 3), $block[$bit >> 3]);
                $new++;
            }
        }
        return $new;
    }

    /** Returns the number of set bits. */
    public static function count(string $bytes): int
    {
        /** @var list<int>|null $ofByte */
        static $ofByte = null;
        $ofByte ??= array_map(fn (int $byte): int => substr_count(decbin($byte), '1'), range(0, 255));
        $set = 0;
        foreach (count_chars($bytes, 1) as $byte => $times) {
            $set += $ofByte[$byte] * $times;
        }
        return $set;
    }
}

<?php

namespace Bloom\Internal;

use Bloom\Status;

/** The tree of a reverse index: docs/dev/blob.md, "The reverse index", which names the variables. */
final class Reverse
{
    private int $levels;
    private int $rows;
    private int $fieldBits;
    private int $fields;

    public function __construct(private Geometry $geometry)
    {
        $this->levels = $geometry->levels();
        $this->rows = intdiv(8 * $geometry->blockBytes, $geometry->fanOut);
        $this->fieldBits = (int) round(log($this->rows, 2));
        $this->fields = intdiv(64, $this->fieldBits);
    }

    private static function digestAt(int $digest, int $node): int
    {
        return Digest::mix(Word::add($digest, Word::multiply($node + 1, -0x61C8864680B583EB))); // 0x9E3779B97F4A7C15
    }

    /** Returns the column of a child. The rotation is the value's own, the same at all nodes. */
    private function column(int $digest, int $child): int
    {
        return ($child + ($digest & ($this->geometry->fanOut - 1))) & ($this->geometry->fanOut - 1);
    }

    /** @return array{int, list<int>} the block of a value at a node, and its rows */
    private function table(int $digest, int $node): array
    {
        $at = self::digestAt($digest, $node);
        $rows = [];
        for ($probe = 0, $word = 0; $probe < $this->geometry->probes; $probe++) {
            $field = $probe % $this->fields;
            if ($field === 0) {
                $word = Digest::word($at, intdiv($probe, $this->fields));
            }
            $rows[] = Word::shiftRight($word, $field * $this->fieldBits) & ($this->rows - 1);
        }
        return [Word::fastRange($at, $this->geometry->shards), $rows];
    }

    /**
     * Adds a value to a group.
     *
     * @return array<int, array{int, int}> for each level: the shard, and the number of bits that were clear
     */
    public function add(Memory $body, int $digest, int $group): array
    {
        $set = [];
        for ($level = 0, $node = 0; $level < $this->levels; $level++) {
            $child = intdiv($group, (int) $this->geometry->fanOut ** ($this->levels - 1 - $level)) % $this->geometry->fanOut;
            [$block, $rows] = $this->table($digest, $node);
            $column = $this->column($digest, $child);
            $new = 0;
            foreach ($rows as $row) {
                $bit = $row * $this->geometry->fanOut + $column;
                $at = $block * $this->geometry->blockBytes + ($bit >> 3);
                $byte = ord($body->read($at, 1));
                if (($byte >> ($bit & 7) & 1) === 0) {
                    $body->set($at, chr($byte | 1 << ($bit & 7)));
                    $new++;
                }
            }
            $set[] = [$block, $new];
            $node = $node * $this->geometry->fanOut + $child + 1;
        }
        return $set;
    }

    /** @return \Generator<int> the groups that may hold a value, in order */
    public function groups(Memory $body, int $digest): \Generator
    {
        yield from $this->below($body, $digest, 0, 0, 0);
    }

    /** @return \Generator<int> */
    private function below(Memory $body, int $digest, int $node, int $level, int $first): \Generator
    {
        [$block, $rows] = $this->table($digest, $node);
        $rowBytes = intdiv($this->geometry->fanOut, 8);
        $all = str_repeat("\xff", $rowBytes);
        foreach ($rows as $row) {
            $all &= $body->read($block * $this->geometry->blockBytes + $row * $rowBytes, $rowBytes);
        }
        if (trim($all, "\0") === '') {
            return;
        }
        for ($child = 0; $child < $this->geometry->fanOut; $child++) {
            $column = $this->column($digest, $child);
            if ((ord($all[$column >> 3]) >> ($column & 7) & 1) === 0) {
                continue;
            }
            $group = $first * $this->geometry->fanOut + $child;
            if ($level + 1 < $this->levels) {
                yield from $this->below($body, $digest, $node * $this->geometry->fanOut + $child + 1, $level + 1,
                    $group);
            } elseif ($group < $this->geometry->groups) {
                yield $group;
            }
        }
    }
}

<?php

namespace Bloom\Internal;

/**
 * A counting filter: a counter of 4 bits for each bit, after the bits.
 *
 * @internal
 *
 * @phpstan-import-type Params from LiveFile
 * @phpstan-import-type Layer from LiveFile
 * @phpstan-import-type State from LiveFile
 */
final class LiveCounting extends Live
{
    private const COUNT_MAX = 15;

    protected static function layerBytes(Geometry $geometry): int
    {
        return 5 * $geometry->bytes();
    }

    public function add(string $key): bool
    {
        $counters = $this->counters($this->digest($key));
        $isNew = min($counters) === 0;
        if ($isNew && $this->params['bounded']) {
            $this->checkRoom();
        }
        foreach ($counters as $bit => $count) {
            $this->setCounter($bit, min(self::COUNT_MAX, $count + 1));
        }
        $this->file->state['layers'][0]['keys']++;
        return $isNew;
    }

    public function remove(string $key): bool
    {
        $counters = $this->counters($this->digest($key));
        if (min($counters) === 0) {
            return false;
        }
        foreach ($counters as $bit => $count) {
            // A counter that has reached its maximum no longer tells how many keys it counts.
            if ($count < self::COUNT_MAX) {
                $this->setCounter($bit, $count - 1);
            }
        }
        $this->file->state['layers'][0]['keys'] = max(0, $this->file->state['layers'][0]['keys'] - 1);
        return true;
    }

    public function count(string $key): int
    {
        return min($this->counters($this->digest($key)));
    }

    /** @return non-empty-array<int, int> the counters of a digest, by bit of the filter */
    private function counters(int $digest): array
    {
        $geometry = $this->geometry(0);
        $bits = new Bits($geometry);
        $first = 8 * $geometry->blockBytes * $bits->block($digest);
        $counters = [];
        foreach ($bits->positions($digest) as $bit) {
            $byte = ord($this->part(0)->read($geometry->bytes() + intdiv($first + $bit, 2), 1));
            $counters[$first + $bit] = $bit % 2 === 0 ? $byte & 15 : $byte >> 4;
        }
        return $counters !== [] ? $counters : throw new \LogicException('a filter has probes');
    }

    private function setCounter(int $bit, int $count): void
    {
        $part = $this->part(0);
        $at = $this->geometry(0)->bytes() + intdiv($bit, 2);
        $byte = ord($part->read($at, 1));
        $part->set($at, chr($bit % 2 === 0 ? ($byte & 0xF0) | $count : ($byte & 15) | $count << 4));
        $byte = ord($part->read($bit >> 3, 1));
        $part->set($bit >> 3, chr($count > 0 ? $byte | 1 << ($bit & 7) : $byte & ~(1 << ($bit & 7))));
    }
}

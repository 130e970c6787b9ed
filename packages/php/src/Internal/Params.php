<?php

namespace Bloom\Internal;

use Bloom\Layout;

/** The filter that a caller asks for. In every property but the first two, 0 leaves the choice to Sizing. */
final class Params
{
    public function __construct(
        public int $capacity,
        public float $rate,
        public int $shardBytes = 0,
        public int $blockBytes = 0,
        public int $probes = 0,
        public float $bitsPerKey = 0.0,
        public int $groups = 0,
        public int $fanOut = 0,
        public int $valueBits = 0
    ) {
    }

    public static function laidOut(int $capacity, float $rate, ?Layout $layout, ?float $bitsPerKey): self
    {
        return new self(max(0, $capacity), $rate, self::number($layout?->shardBytes),
            self::number($layout?->blockBytes),
            self::number($layout?->probes), $bitsPerKey === 0.0 ? NAN : $bitsPerKey ?? 0.0);
    }

    /** Turns an optional argument into a number: null into 0, and 0 or less into a number that is refused. */
    public static function number(?int $given): int
    {
        return $given === null ? 0 : ($given > 0 && $given < 0xFFFFFFFF ? $given : 0xFFFFFFFF);
    }
}

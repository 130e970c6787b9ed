<?php

namespace Bloom\Internal;

/** The layout of a filter's bits: docs/dev/blob.md. */
final class Geometry
{
    public const SHARD_BYTES_MIN = 1024;
    public const SHARD_BYTES_MAX = 65536;
    public const PROBES_MAX = 32;
    public const FILTER_BYTES_MAX = 1 << 42;
    public const GROUPS_MAX = 1 << 32;
    public const FAN_OUT_MIN = 64;
    public const FAN_OUT_MAX = 1024;
    public const LEVELS_MAX = 6;
    public const VALUE_BITS_MAX = 64;

    /**
     * @param int $groups of a reverse index; otherwise 0
     * @param int $stripes of a ribbon filter or a map; otherwise 0
     * @param int $fingerprint of a keyed filter's secret; otherwise 0
     * @param int $valueBits of a map; otherwise 0
     */
    public function __construct(
        public readonly int $seed,
        public readonly int $shards,
        public readonly int $shardBytes,
        public readonly int $blockBytes,
        public readonly int $probes,
        public readonly int $groups = 0,
        public readonly int $fanOut = 0,
        public readonly int $stripes = 0,
        public readonly int $fingerprint = 0,
        public readonly int $valueBits = 0
    ) {
    }

    /** @param array<string, int> $changes by property */
    public function with(array $changes): self
    {
        /** @var array<string, int> $properties */
        $properties = get_object_vars($this);
        return new self(...$changes + $properties);
    }

    public function bits(): Bits|Reverse|Ribbon
    {
        return $this->groups !== 0 ? new Reverse($this) : ($this->stripes !== 0 ? new Ribbon($this) : new Bits($this));
    }

    public function bytes(): int
    {
        return $this->shards * $this->shardBytes;
    }

    public function blocks(): int
    {
        return intdiv($this->bytes(), $this->blockBytes);
    }

    /** Returns the shards among which digests choose: all but the spill shard of a map. */
    public function homeShards(): int
    {
        return $this->valueBits !== 0 ? max(1, $this->shards - 1) : $this->shards;
    }

    public function hasJournal(): bool
    {
        return $this->groups === 0 && $this->valueBits === 0;
    }

    /** Returns the levels of a reverse index's tree; 1: it is not an index. */
    public function levels(): int
    {
        for ($levels = 1, $reached = $this->fanOut; $reached < $this->groups; $levels++) {
            $reached *= $this->fanOut;
        }
        return $levels;
    }

    /** Returns the sentence of the first check that fails, or null. */
    public function problem(): ?string
    {
        return match (true) {
            !self::isShardBytes($this->shardBytes) => Sentences::SHARD_BYTES,
            !self::isPower($this->blockBytes, 8, $this->shardBytes) => Sentences::BLOCK_BYTES,
            $this->shards < 1 || $this->shards > intdiv(self::FILTER_BYTES_MAX, $this->shardBytes) => Sentences::TOO_LARGE,
            // A map without check columns has no probes.
            ($this->probes < 1 && $this->valueBits === 0) || $this->probes > self::PROBES_MAX => Sentences::PROBES,
            default => $this->problemOfRibbon() ?? $this->problemOfIndex(),
        };
    }

    public static function isShardBytes(int $bytes): bool
    {
        return self::isPower($bytes, self::SHARD_BYTES_MIN, self::SHARD_BYTES_MAX);
    }

    public function isValidChunk(int $chunkBytes): bool
    {
        return $chunkBytes >= $this->shardBytes && $chunkBytes <= 1 << 30 && $chunkBytes % $this->shardBytes === 0;
    }

    private function problemOfIndex(): ?string
    {
        return match (true) {
            $this->groups === 0 && $this->fanOut === 0 => null,
            $this->groups < 1 || $this->groups > self::GROUPS_MAX => Sentences::GROUPS,
            !self::isPower($this->fanOut, self::FAN_OUT_MIN, self::FAN_OUT_MAX) => Sentences::FAN_OUT,
            $this->blockBytes !== $this->shardBytes || $this->shardBytes < 64 * $this->fanOut => Sentences::BLOCK_BYTES,
            default => null,
        };
    }

    private function problemOfRibbon(): ?string
    {
        $words = intdiv($this->shardBytes, 8);
        return match (true) {
            $this->stripes === 0 => $this->valueBits === 0 ? null : Sentences::STRIPES,
            $this->valueBits > self::VALUE_BITS_MAX => Sentences::VALUE_BITS,
            $this->stripes < 10 || $this->stripes % 2 !== 0 || $this->stripes > $words
                || $this->fanOut !== 0 => Sentences::STRIPES,
            $this->blockBytes !== $this->shardBytes => Sentences::BLOCK_BYTES,
            $this->valueBits + $this->probes
                !== intdiv($words - Ribbon::thresholdWords($this), $this->stripes) => Sentences::PROBES,
            default => null,
        };
    }

    private static function isPower(int $value, int $least, int $most): bool
    {
        return $value >= $least && $value <= $most && ($value & ($value - 1)) === 0;
    }
}

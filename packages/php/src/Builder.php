<?php

namespace Bloom;

use Bloom\Internal\Arguments;
use Bloom\Internal\Build;
use Bloom\Internal\Filling;
use Bloom\Internal\Head;
use Bloom\Internal\Infos;
use Bloom\Internal\Keys;
use Bloom\Internal\Sizing;
use Bloom\Internal\Params;

/** Builds a Blob from keys. */
final class Builder
{
    use Internal\Sealed;

    private const ARGUMENTS = ['capacity' => 1, 'falsePositiveRate' => 2, 'layout' => 4, 'bitsPerKey' => 5, 'source' => 6,
        'secret' => 8, 'scheme' => 9];

    private ?Filling $filling = null;
    private bool $isBuilt = false;
    private int $jobs = 1;

    /** Creates an empty filter, sized for `capacity` keys at `falsePositiveRate`. */
    public function __construct(
        int $capacity,
        float $falsePositiveRate = 0.01,
        ?int $seed = null,
        ?Layout $layout = null,
        ?float $bitsPerKey = null,
        string $source = '',
        bool $keyed = false,
        #[\SensitiveParameter] ?string $secret = null,
        ?Scheme $scheme = Scheme::Bloom,
        int $jobs = 1
    ) {
        self::checkJobs($jobs, 'Builder::__construct', 10);
        if ($this->filling !== null || $this->isBuilt) {
            throw new BloomException('This builder is already constructed');
        }
        $params = Params::laidOut(max(0, $capacity), $falsePositiveRate, $layout, self::bits($bitsPerKey));
        $chunkBytes = $layout?->chunkBytes;
        $params->isRibbon = self::isRibbon($scheme, $params, Params::number($chunkBytes) ?: 65536, 'Builder::__construct', 9);
        $construction = new Build('Builder::__construct', self::ARGUMENTS);
        $this->filling = $construction->filling($params, $seed, $chunkBytes, $source, $construction->secret($keyed, $secret));
        $this->jobs = $jobs;
    }

    /** Creates an empty filter for the next version of a blob. */
    public static function like(
        Blob $previous,
        ?int $capacity = null,
        ?float $falsePositiveRate = null,
        ?int $seed = null,
        ?Layout $layout = null,
        ?float $bitsPerKey = null,
        ?string $source = null,
        ?bool $keyed = null,
        #[\SensitiveParameter] ?string $secret = null,
        ?Scheme $scheme = null,
        int $jobs = 1
    ): Builder {
        $head = Internal\Access::head($previous);
        $geometry = $head->geometry;
        if ($geometry->groups !== 0) {
            throw Arguments::error('Builder::like', 1, 'previous',
                'must not be a reverse index (for a reverse index use Bloom\ReverseIndexBuilder::like())');
        }
        self::checkJobs($jobs, 'Builder::like', 11);
        $isRibbon = $geometry->stripes !== 0;
        $layout ??= new Layout();
        $chunkBytes = $layout->chunkBytes;
        // A ribbon filter has no choice of blocks or probes, so such a value is refused below.
        $isNew = ($isRibbon && ($layout->blockBytes !== null || $layout->probes !== null)) || $bitsPerKey !== null
            || ($layout->shardBytes ?? $geometry->shardBytes) !== $geometry->shardBytes
            || ($layout->blockBytes ?? $geometry->blockBytes) !== $geometry->blockBytes
            || ($layout->probes ?? $geometry->probes) !== $geometry->probes
            || !Build::isRateOf($falsePositiveRate, $head);
        $params = Params::laidOut(max(0, $capacity ?? $head->capacity), $falsePositiveRate ?? Build::rateOf($head), $layout,
            self::bits($bitsPerKey));
        $params->isRibbon = $scheme === null ? $isRibbon : self::isRibbon($scheme, $params, $head->chunkBytes, 'Builder::like', 10);
        $isNew = $isNew || $params->isRibbon !== $isRibbon || $params->capacity !== $head->capacity;

        $construction = new Build('Builder::like', array_map(fn (int $at): int => $at + 1, self::ARGUMENTS));
        if ($isNew && $chunkBytes === null) {
            Build::keepChunkSize($params, $head);
        }
        $arguments = [$seed ?? $geometry->seed, $chunkBytes ?? $head->chunkBytes, $source ?? $head->source,
            $construction->secret($keyed ?? $geometry->fingerprint !== 0, $secret)];
        $builder = (new \ReflectionClass(self::class))->newInstanceWithoutConstructor();
        $builder->filling = $isNew ? $construction->filling($params, ...$arguments) : $construction->fillingLike($head, 0, ...$arguments);
        $builder->jobs = $jobs;
        return $builder;
    }

    /** Adds a key. */
    public function add(mixed $key): bool
    {
        $key = Keys::of($key, 'Builder::add');
        return $this->filling()->add($key);
    }

    /**
     * Adds every value of an array or Traversable.
     * @param iterable<mixed, string|int> $keys
     */
    public function addMany(iterable $keys): int
    {
        $this->filling();
        $new = 0;
        foreach (Keys::each($keys, 'Builder::addMany') as $key) {
            $new += (int) $this->filling()->add($key);
        }
        return $new;
    }

    /**
     * Adds each line of a file as a key.
     * @param string|resource $file
     * @param (callable(int, int): mixed)|null $progress
     */
    public function addFile($file, ?callable $progress = null): int
    {
        $this->filling();
        // Jobs change nothing but how often the caller is told.
        return Internal\Lines::each($file, 'Builder::addFile', fn (string $line): bool => $this->filling()->add($line),
            $progress === null ? null : fn (int $bytes): mixed => $progress($bytes, $this->filling()->added),
            $this->jobs * Internal\Streams::STEP_BYTES);
    }

    /** Finishes the filter. */
    public function build(?float $maxFalsePositiveRate = null, ?float $builtAt = null, ?string $mark = null): Blob
    {
        $blob = Build::build($this->filling(), 'Builder', $maxFalsePositiveRate, $builtAt, $mark);
        $this->filling = null;
        $this->isBuilt = true;
        return $blob;
    }

    /** Returns the chosen parameters and the number of keys added so far. */
    public function info(): BuilderInfo
    {
        return $this->filling()->info();
    }

    /**
     * Returns the memory that an on-demand filter with this builder's blob would need.
     * @return array{leastMemory: int, mostMemory: int, chunksRoom: int}
     */
    public function onDemandInfo(int $memory): array
    {
        throw new BloomException('Only the extension has on-demand filters that load a part of a blob');
    }

    private function filling(): Filling
    {
        return $this->filling ?? throw new BloomException($this->isBuilt
            ? 'This builder has already built its blob: create a new one' : 'This builder was never constructed');
    }

    private static function bits(?float $bitsPerKey): float
    {
        return $bitsPerKey === null ? 0.0 : ($bitsPerKey === 0.0 ? NAN : $bitsPerKey);
    }

    private static function checkJobs(int $jobs, string $method, int $argument): void
    {
        if ($jobs < 1 || $jobs > 64) {
            throw Arguments::error($method, $argument, 'jobs', 'must be from 1 to 64');
        }
    }

    /** Null chooses the scheme with the smaller blob. */
    private static function isRibbon(?Scheme $scheme, Params $params, int $chunkBytes, string $method, int $argument): bool
    {
        if ($scheme === Scheme::Reverse) {
            throw Arguments::error($method, $argument, 'scheme',
                'must not be Bloom\Scheme::Reverse: ReverseIndexBuilder builds reverse indexes');
        }
        if ($scheme !== null || $params->bitsPerKey !== 0.0) {
            return $scheme === Scheme::Ribbon;
        }
        $other = clone $params;
        $other->isRibbon = true;
        [$bloom, $ribbon] = [Sizing::choose($params, 0), Sizing::choose($other, 0)];
        return !is_int($bloom) && !is_int($ribbon) && $ribbon->isValidChunk($chunkBytes)
            && Head::bytesFor($ribbon, $chunkBytes) + $ribbon->bytes() < Head::bytesFor($bloom, $chunkBytes) + $bloom->bytes();
    }
}

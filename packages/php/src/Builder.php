<?php

namespace Bloom;

use Bloom\Internal\Answers;
use Bloom\Internal\Arguments;
use Bloom\Internal\Filling;
use Bloom\Internal\Head;
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
        $this->filling = Filling::make('Builder::__construct', self::ARGUMENTS, $params, null, $seed, $chunkBytes, $source, $keyed, $secret);
        $this->jobs = $jobs;
    }

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
        $head = Answers::of($previous)->head;
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
            || !$head->isRate($falsePositiveRate);
        $params = Params::laidOut(max(0, $capacity ?? $head->capacity), $falsePositiveRate ?? max(1e-9, min(0.5, $head->askedRate())), $layout,
            self::bits($bitsPerKey));
        $params->isRibbon = $scheme === null ? $isRibbon : self::isRibbon($scheme, $params, $head->chunkBytes, 'Builder::like', 10);
        $isNew = $isNew || $params->isRibbon !== $isRibbon || $params->capacity !== $head->capacity;

        $builder = (new \ReflectionClass(self::class))->newInstanceWithoutConstructor();
        $builder->filling = Filling::make('Builder::like', array_map(fn (int $at): int => $at + 1, self::ARGUMENTS),
            $isNew ? $params : $geometry, $head, $seed, $chunkBytes, $source ?? $head->source, $keyed ?? $geometry->fingerprint !== 0, $secret);
        $builder->jobs = $jobs;
        return $builder;
    }

    public function add(mixed $key): bool
    {
        $key = Arguments::key($key, 'Builder::add');
        return $this->filling()->add($key);
    }

    /** @param iterable<mixed, string|int> $keys */
    public function addMany(iterable $keys): int
    {
        $this->filling();
        $new = 0;
        foreach (Arguments::keys($keys, 'Builder::addMany') as $key) {
            $new += (int) $this->filling()->add($key);
        }
        return $new;
    }

    /**
     * @param string|resource $file
     * @param (callable(int, int): mixed)|null $progress
     */
    public function addFile($file, ?callable $progress = null): int
    {
        $this->filling();
        // Jobs change nothing but how often the caller is told.
        return Internal\Streams::lines($file, 'Builder::addFile', fn (string $line): bool => $this->filling()->add($line),
            $progress === null ? null : fn (int $bytes): mixed => $progress($bytes, $this->filling()->added),
            $this->jobs * Internal\Streams::STEP_BYTES);
    }

    public function build(?float $maxFalsePositiveRate = null, ?float $builtAt = null, ?string $mark = null): Blob
    {
        $blob = $this->filling()->build('Builder', $maxFalsePositiveRate, $builtAt, $mark);
        $this->filling = null;
        $this->isBuilt = true;
        return $blob;
    }

    public function info(): BuilderInfo
    {
        return $this->filling()->info();
    }

    private function filling(): Filling
    {
        return Filling::or($this->filling, $this->isBuilt);
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

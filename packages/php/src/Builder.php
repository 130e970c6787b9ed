<?php

namespace Bloom;

use Bloom\Internal\Answers;
use Bloom\Internal\Arguments;
use Bloom\Internal\Filling;
use Bloom\Internal\Params;
use Bloom\Internal\Streams;

/** Builds a Blob from keys. */
final class Builder
{
    use Internal\Building;

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
        int $jobs = 1,
        ?ForeignFormat $format = null
    ) {
        $method = 'Builder::__construct';
        if ($format !== null) {
            throw Internal\Failure::needsExtension('building a filter for another system');
        }
        Arguments::jobs($jobs, $method);
        $params = Params::laidOut($capacity, $falsePositiveRate, $layout, $bitsPerKey);
        self::checkScheme($scheme, $method);
        $this->start(Filling::make($method, $params, null, $seed, $layout?->chunkBytes, $source, $keyed
            || $secret !== null));
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
        Arguments::previous($geometry, 'Builder');
        Arguments::jobs($jobs, 'Builder::like');
        self::checkScheme($scheme, 'Builder::like');
        $layout ??= new Layout();
        $params = Params::laidOut($capacity ?? $head->capacity, $falsePositiveRate ?? $head->validRate(), $layout,
            $bitsPerKey);
        $isSame = $bitsPerKey === null && $params->capacity === $head->capacity && $head->isRate($falsePositiveRate)
            && ($layout->shardBytes ?? $geometry->shardBytes) === $geometry->shardBytes
            && ($layout->blockBytes ?? $geometry->blockBytes) === $geometry->blockBytes
            && ($layout->probes ?? $geometry->probes) === $geometry->probes;
        // Only the extension builds filters like one of these, unless another scheme or no secret is asked for.
        $isKept = $geometry->stripes !== 0 && $scheme === null;
        return self::of(Filling::make('Builder::like', $isSame || $isKept ? $geometry : $params, $head, $seed,
            $layout->chunkBytes, $source ?? $head->source, ($keyed ?? $geometry->fingerprint !== 0)
                || $secret !== null));
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
    public function addFile($file, ?callable $progress = null, ?int $field = null, string $delimiter = "\t"): int
    {
        $this->filling();
        if ($field !== null && ($field < 1 || $field > 1_000)) {
            throw Arguments::error('Builder::addFile', 'field', 'must be between 1 and 1,000');
        }
        if ($delimiter === '' || strlen($delimiter) > 1 || in_array($delimiter, ["\r", "\n"], true)) {
            throw Arguments::error('Builder::addFile', 'delimiter', 'must be one byte, but neither CR nor LF');
        }
        if ($field === null && $delimiter !== "\t") {
            throw Arguments::error('Builder::addFile', 'field', 'must not be null if $delimiter is not a tab');
        }
        $place = is_string($file) ? "$file: line " : 'line ';
        $lines = 0;
        $add = function (string $line) use ($field, $delimiter, $place, &$lines): void {
            $lines++;
            if ($field !== null) {
                $line = array_slice(explode($delimiter, $line, $field + 1), $field - 1)[0]
                    ?? throw Internal\Failure::of(Status::Field, "$place$lines: no field $field");
            }
            $this->filling()->add($line);
        };
        return Streams::lines($file, 'Builder::addFile', $add,
            $progress === null ? null : fn (int $bytes): mixed => $progress($bytes, $this->filling()->added));
    }

    private static function checkScheme(?Scheme $scheme, string $method): void
    {
        if ($scheme === Scheme::Reverse) {
            throw Arguments::error($method, 'scheme',
                'must not be Bloom\Scheme::Reverse: ReverseIndexBuilder builds reverse indexes');
        }
        if ($scheme === Scheme::Map) {
            throw Arguments::error($method, 'scheme', 'must not be Bloom\Scheme::Map: MapBuilder builds maps');
        }
        if ($scheme === Scheme::Ribbon) {
            throw Internal\Failure::needsExtension('building a ribbon filter');
        }
    }
}

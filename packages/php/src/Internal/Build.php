<?php

namespace Bloom\Internal;

use Bloom\Blob;
use Bloom\Status;

/** Makes the filling of a builder, and finishes it. Builder and ReverseIndexBuilder have this in common. */
final class Build
{
    /**
     * @param string $method of the caller, for messages
     * @param array<string, int> $arguments positions of the parameters by name
     */
    public function __construct(private string $method, private array $arguments)
    {
    }

    public function secret(bool $keyed, #[\SensitiveParameter] ?string $given): ?Secret
    {
        if ($given === null) {
            return $keyed ? Ring::current(Status::NoSecret) : null;
        }
        if (strlen($given) !== 32) {
            throw Arguments::error($this->method, $this->arguments['secret'], 'secret', 'must be 32 bytes');
        }
        return new Secret($given);
    }

    public function filling(Params $params, ?int $seed, ?int $chunkBytes, string $source, ?Secret $secret): Filling
    {
        $seed ??= random_int(PHP_INT_MIN, PHP_INT_MAX);
        $params->fingerprint = $secret === null ? 0 : $secret->fingerprint;
        $this->checkSource($source);
        $geometry = Sizing::choose($params, $seed);
        if (is_int($geometry)) {
            throw $this->refuse($geometry);
        }
        $rate = $params->bitsPerKey !== 0.0 ? Sizing::rate($geometry, $params->capacity * $geometry->levels()) : $params->rate;
        return $this->make($geometry, new Meta($params->capacity, $rate, 0, Params::number($chunkBytes) ?: 65536, $source), $secret);
    }

    /** Makes a filling with the geometry of an earlier blob. */
    public function fillingLike(Head $head, int $groups, ?int $seed, ?int $chunkBytes, string $source, ?Secret $secret): Filling
    {
        $this->checkSource($source);
        $geometry = $head->geometry->with([
            'seed' => $seed ?? $head->geometry->seed, 'groups' => $groups, 'fingerprint' => $secret === null ? 0 : $secret->fingerprint,
        ]);
        return $this->make($geometry, new Meta($head->capacity, $head->askedRate(), 0, Params::number($chunkBytes) ?: 65536, $source), $secret);
    }

    private function checkSource(string $source): void
    {
        Arguments::source($source, $this->method, $this->arguments['source']);
    }

    private function make(Geometry $geometry, Meta $meta, ?Secret $secret): Filling
    {
        if (!$geometry->isValidChunk($meta->chunkBytes)) {
            throw $this->refuse(Sentences::CHUNK_BYTES);
        }
        $digest = $secret !== null ? Digest::keyed($geometry->seed, $secret) : new Digest($geometry->seed);
        return new Filling($geometry, $meta, $digest);
    }

    private function refuse(int $code): \ValueError
    {
        $name = match ($code) {
            Sentences::RATE, Sentences::RATE_FLOOR, Sentences::GROUPS_RATE => 'falsePositiveRate',
            Sentences::SHARD_BYTES => 'shardBytes',
            Sentences::BLOCK_BYTES => 'blockBytes',
            Sentences::PROBES => 'probes',
            Sentences::BITS_PER_KEY, Sentences::RIBBON_BITS => 'bitsPerKey',
            Sentences::CHUNK_BYTES => 'chunkBytes',
            Sentences::NOT_BLOOM => 'scheme',
            Sentences::GROUPS => 'groups',
            Sentences::FAN_OUT => 'fanOut',
            default => 'capacity',
        };
        if (isset($this->arguments['layout']) && in_array($name, ['shardBytes', 'blockBytes', 'probes', 'chunkBytes'], true)) {
            return Arguments::error($this->method, $this->arguments['layout'], 'layout',
                "has an invalid $name: it " . strstr(Sentences::ALL[$code][1], 'must'));
        }
        return Arguments::refuse($this->method, $this->arguments[$name] ?? 1, $name, $code);
    }

    /** Implements build() of both builders. */
    public static function build(Filling $filling, string $class, ?float $limit, ?float $builtAt, ?string $mark): Blob
    {
        if ($limit !== null && !($limit > 0 && $limit <= 1)) {
            throw Arguments::error("$class::build", 1, 'maxFalsePositiveRate', 'must be greater than 0 and at most 1');
        }
        if ($builtAt !== null && !($builtAt >= 0 && $builtAt < 1e12)) {
            throw Arguments::error("$class::build", 2, 'builtAt', 'must be a Unix time in seconds, from 0 to 10^12');
        }
        if ($mark !== null && $filling->geometry->groups !== 0) {
            throw Failure::of(Status::JournalKind, 'mark');
        }
        if ($mark !== null) {
            $filling->meta->mark = Mark::pack($mark) ?? throw Arguments::refuse("$class::build", 3, 'mark', Sentences::MARK);
        }
        $filling->meta->builtMs = $builtAt === null ? Clock::milliseconds() : (int) round($builtAt * 1000);
        return self::blob($filling, $limit ?? $filling->defaultLimit());
    }

    public static function blob(Filling $filling, float $limit): Blob
    {
        [$head, $body] = $filling->finish($limit);
        $head = Head::parse($head);
        return Access::blob($head, $body, new Answers($head, $body, $filling->digest));
    }

    /** Returns whether a rate is the one that a blob was built for, to the digits that a head stores. */
    public static function isRateOf(?float $rate, Head $head): bool
    {
        return $rate === null || abs($rate - $head->askedRate()) * Head::RATE_UNIT < 0.5;
    }

    /** Returns a blob's rate within the range of a constructor. */
    public static function rateOf(Head $head): float
    {
        return max(1e-9, min(0.5, $head->askedRate()));
    }

    /** Keeps the shard size of a blob if the new filter would get shards that its chunks cannot hold. */
    public static function keepChunkSize(Params $params, Head $head): void
    {
        $geometry = $params->shardBytes === 0 ? Sizing::choose($params, 0) : 0;
        if ($geometry instanceof Geometry && !$geometry->isValidChunk($head->chunkBytes)) {
            $params->shardBytes = $head->geometry->shardBytes;
        }
    }
}

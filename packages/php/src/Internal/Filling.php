<?php

namespace Bloom\Internal;

use Bloom\Blob;
use Bloom\BloomException;
use Bloom\BuilderInfo;
use Bloom\Status;

/**
 * A filter that a builder fills:
 *
 *     add() ─► bits, or digests of a ribbon filter ─► blob()
 */
final class Filling
{
    private int $keys = 0;
    public int $added = 0;
    private ?Memory $body = null;
    /** @var array<int, int> by shard */
    private array $shardKeys = [];
    /** @var array<int, true> by digest; only of a ribbon filter */
    private array $digests = [];
    private ?int $last = null;
    private Bits|Reverse|Ribbon $bits;

    public function __construct(public readonly Geometry $geometry, private Meta $meta, private readonly Digest $digest)
    {
        $this->bits = $geometry->bits();
    }

    // ---- what both builders have in common ----

    /**
     * Makes the filling of a builder, with the geometry of a previous blob or a new one.
     *
     * @param string $method of the caller, for messages
     * @param array<string, int> $arguments positions of the parameters by name
     */
    public static function make(
        string $method,
        array $arguments,
        Params|Geometry $wanted,
        ?Head $previous,
        ?int $seed,
        ?int $chunkBytes,
        string $source,
        bool $keyed,
        #[\SensitiveParameter] ?string $secret
    ): self {
        if ($secret !== null && strlen($secret) !== 32) {
            throw Arguments::error($method, $arguments['secret'], 'secret', 'must be 32 bytes');
        }
        $key = $secret !== null ? new Secret($secret) : ($keyed ? Secret::current(Status::NoSecret) : null);
        Arguments::source($source, $method, $arguments['source']);
        $seed ??= $previous->geometry->seed ?? random_int(PHP_INT_MIN, PHP_INT_MAX);
        if ($wanted instanceof Params) {
            $wanted->fingerprint = $key->fingerprint ?? 0;
            if ($previous !== null && $chunkBytes === null) {
                self::keepChunkSize($wanted, $previous);
            }
            $geometry = Sizing::choose($wanted, $seed);
            if (is_int($geometry)) {
                throw self::refuse($method, $arguments, $geometry);
            }
            $capacity = $wanted->capacity;
            $rate = $wanted->bitsPerKey !== 0.0 ? Sizing::rate($geometry, $wanted->capacity * $geometry->levels()) : $wanted->rate;
        } else {
            $geometry = $wanted->with(['seed' => $seed, 'fingerprint' => $key->fingerprint ?? 0]);
            $capacity = $previous->capacity ?? 0;
            $rate = $previous?->askedRate() ?? 0.0;
        }
        $chunkBytes = Params::number($chunkBytes) ?: $previous->chunkBytes ?? 65536;
        $meta = new Meta($capacity, $rate, 0, $chunkBytes, $source);
        if (!$geometry->isValidChunk($meta->chunkBytes)) {
            throw self::refuse($method, $arguments, Sentences::CHUNK_BYTES);
        }
        return new self($geometry, $meta, $key !== null ? Digest::keyed($geometry->seed, $key) : new Digest($geometry->seed));
    }

    /** Keeps the shard size of a blob if the new filter would get shards that its chunks cannot hold. */
    private static function keepChunkSize(Params $params, Head $previous): void
    {
        $geometry = $params->shardBytes === 0 ? Sizing::choose($params, 0) : 0;
        if ($geometry instanceof Geometry && !$geometry->isValidChunk($previous->chunkBytes)) {
            $params->shardBytes = $previous->geometry->shardBytes;
        }
    }

    /** @param array<string, int> $arguments */
    private static function refuse(string $method, array $arguments, int $code): \ValueError
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
        if (isset($arguments['layout']) && in_array($name, ['shardBytes', 'blockBytes', 'probes', 'chunkBytes'], true)) {
            return Arguments::error($method, $arguments['layout'], 'layout',
                "has an invalid $name: it " . strstr(Sentences::ALL[$code][1], 'must'));
        }
        return Arguments::refuse($method, $arguments[$name] ?? 1, $name, $code);
    }

    /** Implements build() of both builders. */
    public function build(string $class, ?float $limit, ?float $builtAt, ?string $mark): Blob
    {
        if ($limit !== null && !($limit > 0 && $limit <= 1)) {
            throw Arguments::error("$class::build", 1, 'maxFalsePositiveRate', 'must be greater than 0 and at most 1');
        }
        if ($builtAt !== null && !($builtAt >= 0 && $builtAt < 1e12)) {
            throw Arguments::error("$class::build", 2, 'builtAt', 'must be a Unix time in seconds, from 0 to 10^12');
        }
        if ($mark !== null && $this->geometry->groups !== 0) {
            throw Failure::of(Status::JournalKind, 'mark');
        }
        if ($mark !== null) {
            $this->meta->mark = Mark::pack($mark) ?? throw Arguments::refuse("$class::build", 3, 'mark', Sentences::MARK);
        }
        $this->meta->builtMs = $builtAt === null ? System::milliseconds() : (int) round($builtAt * 1000);
        return $this->blob($limit ?? $this->defaultLimit());
    }

    public static function or(?self $filling, bool $isBuilt): self
    {
        return $filling ?? throw new BloomException($isBuilt
            ? 'This builder has already built its blob: create a new one' : 'This builder was never constructed');
    }

    public function info(): BuilderInfo
    {
        return Infos::ofBuilder($this->geometry, $this->meta, $this->keys, $this->added);
    }

    // ---- keys ----

    /** Returns the bits. A builder that is too large for this process can still tell its size. */
    private function body(): Memory
    {
        if ($this->body === null) {
            Memory::check(Head::bytesFor($this->geometry, $this->meta->chunkBytes) + $this->geometry->bytes(), 1);
            $this->body = new Memory(str_repeat("\0", $this->geometry->bytes()));
        }
        return $this->body;
    }

    public function add(string $key): bool
    {
        $digest = $this->digest->of($key);
        $this->added++;
        if ($this->bits instanceof Ribbon) {
            $isNew = $digest !== $this->last;
            $this->last = $digest;
            $this->digests[$digest] = true;
            $this->keys = count($this->digests);
            return $isNew;
        }
        assert($this->bits instanceof Bits);
        return $this->bits->add($this->body(), $digest) > 0 && $this->count(Word::fastRange($digest, $this->geometry->shards));
    }

    public function addToGroup(int $group, string $value): bool
    {
        $this->added++;
        $isNew = false;
        assert($this->bits instanceof Reverse);
        foreach ($this->bits->add($this->body(), $this->digest->of($value), $group) as [$shard, $bits]) {
            $isNew = ($bits > 0 && $this->count($shard)) || $isNew;
        }
        return $isNew;
    }

    private function count(int $shard): bool
    {
        $this->shardKeys[$shard] = ($this->shardKeys[$shard] ?? 0) + 1;
        $this->keys++;
        return true;
    }

    // ---- the blob ----

    private function defaultLimit(): float
    {
        $keys = $this->meta->capacity * $this->geometry->levels();
        $asked = $this->meta->askedRate;
        return $this->keys <= $keys ? 1.0 : max(1.5 * $asked, Sizing::byChance($asked, Sizing::variance($this->geometry, $keys)));
    }

    public function blob(float $limit): Blob
    {
        [$body, $keys, $attempts] = $this->bits instanceof Ribbon ? $this->solve($this->bits) : [$this->body()->bytes, $this->shardKeys, null];
        $rate = Measure::rate($this->geometry, $body);
        if ($rate > $limit) {
            throw $this->overRate($rate, $limit, $body);
        }
        return (new Answers(Head::make($this->geometry, $this->meta, $body, $keys, $attempts), $body, $this->digest))->blob();
    }

    /** Keys whose bits were set by chance do not count in $this->keys, which would therefore be far too low. */
    private function overRate(float $rate, float $limit, string $body): \Throwable
    {
        $isRibbon = $this->bits instanceof Ribbon;
        $estimated = $isRibbon ? (float) $this->keys : Measure::estimatedKeys($this->geometry, Bits::count($body));
        $word = $isRibbon ? '' : (is_infinite($estimated) ? 'up to ' : 'about ');
        return Failure::of(Status::OverRate, sprintf('measured %s %%, limit %s %%, with %s%d distinct keys in a filter sized for %d',
            self::short(100 * $rate), self::short(100 * $limit), $word, is_infinite($estimated) ? $this->added : (int) round($estimated),
            $this->meta->capacity));
    }

    /** Formats a number as %.3g does in C, but in every locale with a decimal point. */
    private static function short(float $number): string
    {
        // PHP writes 1.0e-8 where C writes 1e-08.
        return (string) preg_replace(['/\.0+(?=e|\z)/', '/e([+-])(\d)\z/'], ['', 'e${1}0$2'], sprintf('%.3h', $number));
    }

    /** @return array{string, list<int>, list<int>} the body, and the keys and the attempt of each shard */
    private function solve(Ribbon $ribbon): array
    {
        $digests = array_fill(0, $this->geometry->shards, []);
        foreach ($this->digests as $digest => $true) {
            $digests[$ribbon->place($digest)[0]][] = $digest;
        }
        $body = '';
        $keys = $attempts = [];
        foreach ($digests as $shard => $own) {
            // The shard's bytes depend on the order, which is that of unsigned numbers.
            usort($own, Word::compare(...));
            $solved = count($own) <= 64 * $this->geometry->stripes ? $ribbon->solve($own) : null;
            if ($solved === null) {
                throw Failure::of(Status::Overfull, sprintf('shard %d has %d of %d keys in a filter sized for %d', $shard,
                    count($own), $this->keys, $this->meta->capacity));
            }
            $body .= $solved[0];
            $keys[] = count($own);
            $attempts[] = $solved[1];
        }
        return [$body, $keys, $attempts];
    }
}

<?php

namespace Bloom\Internal;

use Bloom\Blob;
use Bloom\BuilderInfo;
use Bloom\Status;

/**
 * A filter that a builder fills:
 *
 *     add() ─► bits ──────────────┐
 *     set() ─► pairs ─► equations ┴► blob()
 */
final class Filling
{
    private int $keys = 0;
    public int $added = 0;
    private ?Memory $body = null;
    /** @var array<int, int> by shard */
    private array $shardKeys = [];
    private Digest $digest;
    private Bits|Reverse|Ribbon $bits;
    /** @var array<int, int> the last values of a map's keys, by digest */
    private array $pairs = [];
    /** @var array<int, array{int, int}> the first two values of each key that has several, by digest */
    private array $conflicts = [];
    public bool $keepsLast = false;

    public function __construct(public readonly Geometry $geometry, private Meta $meta)
    {
        $this->digest = new Digest($geometry);
        $this->bits = $geometry->bits();
    }

    // ---- what all builders have in common ----

    /**
     * Makes the filling of a builder, with the geometry of a previous blob or a new one.
     *
     * @param string $method of the caller, for messages
     */
    public static function make(
        string $method,
        Params|Geometry $wanted,
        ?Head $previous,
        ?int $seed,
        ?int $chunkBytes,
        string $source,
        bool $keyed
    ): self {
        if ($keyed) {
            throw Failure::needsExtension('a keyed filter');
        }
        if ($wanted instanceof Geometry && $wanted->stripes !== 0 && $wanted->valueBits === 0) {
            throw Failure::needsExtension('building a ribbon filter');
        }
        Arguments::source($source, $method);
        $seed ??= $previous->geometry->seed ?? random_int(PHP_INT_MIN, PHP_INT_MAX);
        if ($wanted instanceof Params) {
            if ($previous !== null && $chunkBytes === null) {
                self::keepChunkSize($wanted, $previous);
            }
            $geometry = Sizing::choose($wanted, $seed);
            if (is_string($geometry)) {
                throw Arguments::refuse($method, $geometry);
            }
            $capacity = $wanted->capacity;
            $rate = $wanted->bitsPerKey !== 0.0 ? Sizing::rate($geometry, $capacity * $geometry->levels())
                : $wanted->rate;
        } else {
            $geometry = $wanted->with(['seed' => $seed]);
            [$capacity, $rate] = [$previous->capacity ?? 0, $previous?->askedRate() ?? 0.0];
        }
        $chunkBytes = Params::number($chunkBytes) ?: $previous->chunkBytes ?? 65536;
        if (!$geometry->isValidChunk($chunkBytes)) {
            throw Arguments::refuse($method, Sentences::CHUNK_BYTES);
        }
        return new self($geometry, new Meta($capacity, $rate, 0, $chunkBytes, $source));
    }

    /** Keeps the shard size of a blob if the new filter would get shards that its chunks cannot hold. */
    private static function keepChunkSize(Params $params, Head $previous): void
    {
        $geometry = $params->shardBytes === 0 ? Sizing::choose($params, 0) : '';
        if ($geometry instanceof Geometry && !$geometry->isValidChunk($previous->chunkBytes)) {
            $params->shardBytes = $previous->geometry->shardBytes;
        }
    }

    /** @param string $method of the caller, for messages */
    public function build(string $method, ?float $limit, ?float $builtAt, ?string $mark): Blob
    {
        if ($limit !== null && !($limit > 0 && $limit <= 1)) {
            throw Arguments::error($method, 'maxFalsePositiveRate', 'must be greater than 0 and at most 1');
        }
        if ($builtAt !== null && !($builtAt >= 0 && $builtAt < 1e12)) {
            throw Arguments::error($method, 'builtAt', 'must be a Unix time in seconds, from 0 to 10^12');
        }
        if ($mark !== null && !$this->geometry->hasJournal()) {
            throw Failure::of(Status::JournalKind, 'mark');
        }
        if ($mark !== null) {
            $this->meta->mark = Mark::pack($mark) ?? throw Arguments::error($method, 'mark', Sentences::MARK);
        }
        $this->meta->builtMs = $builtAt === null ? System::milliseconds() : (int) round($builtAt * 1000);
        // With at most as many keys as asked for, a higher rate can only be chance.
        $isWithin = $this->keys <= $this->meta->capacity * $this->geometry->levels();
        return $this->blob($limit ?? ($isWithin ? 1.0 : 1.5 * $this->meta->askedRate));
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
            $this->check();
            $this->body = new Memory(str_repeat("\0", $this->geometry->bytes()));
        }
        return $this->body;
    }

    /** Refuses a filter that is too large for this process. */
    private function check(): void
    {
        Memory::check(Head::bytesFor($this->geometry, $this->meta->chunkBytes) + $this->geometry->bytes(), 1);
    }

    public function add(string $key): bool
    {
        $digest = $this->digest->of($key);
        $this->added++;
        assert($this->bits instanceof Bits);
        return $this->bits->add($this->body(), $digest) > 0
            && $this->count(Word::fastRange($digest, $this->geometry->shards));
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

    /** Sets the value of a key of a map. */
    public function set(string $key, int $value): void
    {
        if ($this->pairs === []) {
            $this->check();
        }
        $digest = $this->digest->of($key);
        $this->added++;
        $this->keys++;
        $before = $this->pairs[$digest] ?? $value;
        if ($before !== $value) {
            $this->conflicts[$digest] ??= [$before, $value];
        }
        $this->pairs[$digest] = $value;
    }

    private function count(int $shard): bool
    {
        $this->shardKeys[$shard] = ($this->shardKeys[$shard] ?? 0) + 1;
        $this->keys++;
        return true;
    }

    // ---- the blob ----

    private function map(): Blob
    {
        if ($this->conflicts !== [] && !$this->keepsLast) {
            // The least one, as an unsigned number
            $digest = min(array_map(static fn (int $digest): int => $digest ^ PHP_INT_MIN, array_keys($this->conflicts))) ^ PHP_INT_MIN;
            throw Failure::of(Status::MapDuplicate,
                vsprintf('%d and %d, for the key with the digest %016x', [...$this->conflicts[$digest], $digest]));
        }
        $this->keys = count($this->pairs);
        [$body, $shardKeys, $lost] = (new RibbonSolver($this->geometry))->solve($this->pairs);
        if ($lost > 0) {
            throw Failure::of(Status::MapPlaces, "$lost of $this->keys keys do not fit");
        }
        return (new Answers(Head::make($this->geometry, $this->meta, $body, $shardKeys), $body))->blob();
    }

    public function blob(float $limit): Blob
    {
        if ($this->geometry->valueBits !== 0) {
            return $this->map();
        }
        $body = $this->body()->bytes;
        $rate = Measure::rate($this->geometry, $body);
        if ($rate > $limit) {
            // Keys whose bits were set by chance do not count in $this->keys, which would therefore be far too low.
            $keys = Measure::estimatedKeys($this->geometry, Bits::count($body));
            $text = is_infinite($keys) ? "up to $this->added" : 'about ' . (int) round($keys);
            throw Failure::of(Status::OverRate,
                sprintf('measured %.3h %%, limit %.3h %%, with %s distinct keys in a filter sized for %d',
                100 * $rate, 100 * $limit, $text, $this->meta->capacity));
        }
        return (new Answers(Head::make($this->geometry, $this->meta, $body, $this->shardKeys), $body))->blob();
    }
}

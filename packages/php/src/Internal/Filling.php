<?php

namespace Bloom\Internal;

use Bloom\BuilderInfo;
use Bloom\FormatException;
use Bloom\Status;

/**
 * A filter that a builder fills:
 *
 *     add() ─► bits, or digests of a ribbon filter ─► finish() ─► the bytes of a blob
 */
final class Filling
{
    public int $keys = 0;
    public int $added = 0;
    private ?Memory $body = null;
    /** @var array<int, int> by shard */
    private array $shardKeys = [];
    /** @var array<int, true> by digest; only of a ribbon filter */
    private array $digests = [];
    private ?int $last = null;
    private Bits|Reverse|Ribbon $bits;

    public function __construct(public Geometry $geometry, public Meta $meta, public readonly Digest $digest)
    {
        $this->bits = match (true) {
            $geometry->groups !== 0 => new Reverse($geometry),
            $geometry->stripes !== 0 => new Ribbon($geometry),
            default => new Bits($geometry),
        };
    }

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

    public function defaultLimit(): float
    {
        $keys = $this->meta->capacity * $this->geometry->levels();
        $asked = $this->meta->askedRate;
        return $this->keys <= $keys ? 1.0 : max(1.5 * $asked, Sizing::byChance($asked, Sizing::variance($this->geometry, $keys)));
    }

    /** @return array{string, string} the head and the body of the blob */
    public function finish(float $limit): array
    {
        [$body, $keys, $attempts] = $this->bits instanceof Ribbon ? $this->solve($this->bits) : [$this->body()->bytes, $this->shardKeys, null];
        $head = Writer::head($this->geometry, $this->meta, $body, $keys, $attempts);
        $rate = Unpack::word($head, 104) / Head::RATE_UNIT;
        if ($rate > $limit) {
            throw $this->overRate($rate, $limit, $body);
        }
        return [$head, $body];
    }

    /** Keys whose bits were set by chance do not count in $this->keys, which would therefore be far too low. */
    private function overRate(float $rate, float $limit, string $body): \Throwable
    {
        $estimated = $this->bits instanceof Ribbon
            ? (float) $this->keys
            : Measure::estimatedKeys($this->geometry, Bits::count($body));
        $word = match (true) {
            $this->bits instanceof Ribbon => '',
            is_infinite($estimated) => 'up to ',
            default => 'about ',
        };
        $keys = is_infinite($estimated) ? $this->added : (int) round($estimated);
        return Failure::of(Status::OverRate, sprintf(
            'measured %s %%, limit %s %%, with %s%d distinct keys in a filter sized for %d',
            self::short(100 * $rate),
            self::short(100 * $limit),
            $word,
            $keys,
            $this->meta->capacity
        ));
    }

    /** Formats a number as %.3g does in C, but in every locale with a decimal point. */
    public static function short(float $number, int $digits = 3): string
    {
        // PHP writes 1.0e-8 where C writes 1e-08.
        return (string) preg_replace(['/\.0+(?=e|\z)/', '/e([+-])(\d)\z/'], ['', 'e${1}0$2'], sprintf("%.{$digits}h", $number));
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
            usort($own, fn (int $a, int $b): int => ($a ^ PHP_INT_MIN) <=> ($b ^ PHP_INT_MIN));
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

    public function info(): BuilderInfo
    {
        return Infos::ofBuilder($this->geometry, $this->meta, $this->keys, $this->added);
    }
}

<?php

namespace Bloom\Internal;

use Bloom\Kind;
use Bloom\LayerInfo;
use Bloom\Status;

/**
 * A filter to which keys are added, while its file is open and locked. This class implements LiveFilter, and its
 * subclasses the other kinds.
 *
 * @internal
 *
 * @phpstan-import-type Params from LiveFile
 * @phpstan-import-type Wanted from Creating
 * @phpstan-import-type Layer from LiveFile
 * @phpstan-import-type State from LiveFile
 * @phpstan-type Measured array{keys: int, capacity: int, measuredFalsePositiveRate: float, falsePositiveRate: float, byChance: float, window?: float,
 *         layers: list<LayerInfo>, ...}
 */
class Live
{
    /** @var Params */
    public array $params;
    private ?Digest $digest = null;

    final public function __construct(protected LiveFile $file)
    {
        $this->params = $file->state['params'];
    }

    public static function of(LiveFile $file): self
    {
        return new (self::class($file->state['params']['kind']))($file);
    }

    /** @return class-string<self> */
    private static function class(string $kind): string
    {
        return match (Kind::from($kind)) {
            Kind::Counting => LiveCounting::class,
            Kind::Scalable => LiveScalable::class,
            Kind::Sliding => LiveSliding::class,
            Kind::Reverse => LiveReverse::class,
            default => self::class,
        };
    }

    // ---- creating ----

    /**
     * Returns the state of a new filter and the bytes of its layers.
     *
     * @param Wanted $params
     * @param Geometry|null $geometry null: the smallest one that keeps the rate
     * @param int $keys that the first layer has
     *
     * @return array{State, int}|int the code of a requirement in Sentences that is not met
     */
    public static function plan(array $params, int $seed, ?Geometry $geometry = null, int $keys = 0): array|int
    {
        $class = self::class($params['kind']);
        $geometry ??= Sizing::choose($class::wish($params, 0, $params['capacity']), $seed);
        if (is_int($geometry)) {
            return $geometry;
        }
        /** @var positive-int $count */
        $count = $class::LAYERS;
        $bytes = $class::layerBytes($geometry);
        $layers = array_map(fn (int $layer): array => self::row($geometry, $layer * $bytes, $params['capacity'],
            $class::rate($params, 0), $keys), range(0, $count - 1));
        $state = ['params' => $params + ['seed' => $geometry->seed], 'createdMs' => Clock::milliseconds(), 'layers' => $layers,
            'growthFailures' => 0, 'startMs' => Clock::monotonic(), 'slot' => 0];
        return [$state, $count * $bytes];
    }

    /** @var positive-int */
    protected const LAYERS = 1;

    /** @param Wanted $params */
    protected static function wish(array $params, int $layer, int $capacity): Wish
    {
        return new Wish($capacity, static::rate($params, $layer), groups: $params['groups'], fanOut: $params['fanOut'],
            fingerprint: $params['fingerprint']);
    }

    /** @param Wanted $params */
    protected static function rate(array $params, int $layer): float
    {
        return $params['rate'];
    }

    protected static function layerBytes(Geometry $geometry): int
    {
        return $geometry->bytes();
    }

    /** @return Layer */
    protected static function row(Geometry $geometry, int $offset, int $capacity, float $rate, int $keys = 0): array
    {
        return ['offset' => $offset, 'shards' => $geometry->shards, 'shardBytes' => $geometry->shardBytes,
            'blockBytes' => $geometry->blockBytes, 'probes' => $geometry->probes, 'capacity' => $capacity, 'rate' => $rate, 'keys' => $keys];
    }

    // ---- layers ----

    /** @return non-empty-list<Layer> */
    public function layers(): array
    {
        return $this->file->state['layers'];
    }

    public function geometry(int $layer): Geometry
    {
        $row = $this->layers()[$layer];
        return new Geometry($this->params['seed'], $row['shards'], $row['shardBytes'], $row['blockBytes'], $row['probes'],
            $this->params['groups'], $this->params['fanOut'], 0, $this->params['fingerprint']);
    }

    protected function part(int $layer): Part
    {
        return new Part($this->file, $this->layers()[$layer]['offset']);
    }

    public function body(int $layer): string
    {
        return $this->part($layer)->read(0, $this->geometry($layer)->bytes());
    }

    /** @return list<int> the layers that lookups use */
    public function answering(): array
    {
        return array_keys($this->layers());
    }

    protected function digest(string $key): int
    {
        $this->digest ??= Digest::for($this->geometry(0));
        return $this->digest->of($key);
    }

    // ---- keys ----

    public function has(string $key): bool
    {
        return $this->hasDigest($this->digest($key));
    }

    protected function hasDigest(int $digest): bool
    {
        foreach ($this->answering() as $layer) {
            if ((new Bits($this->geometry($layer)))->has($this->part($layer), $digest)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the key was certainly new. */
    public function add(string $key): bool
    {
        $digest = $this->digest($key);
        if ($this->params['bounded'] && !$this->hasDigest($digest)) {
            $this->checkRoom();
        }
        return $this->addTo(0, $digest);
    }

    protected function checkRoom(): void
    {
        if ($this->layers()[0]['keys'] >= $this->params['capacity']) {
            throw Failure::of(Status::Full, "{$this->params['name']}: {$this->params['capacity']} keys");
        }
    }

    protected function addTo(int $layer, int $digest): bool
    {
        if ((new Bits($this->geometry($layer)))->add($this->part($layer), $digest) === 0) {
            return false;
        }
        $this->file->state['layers'][$layer]['keys']++;
        return true;
    }

    /** Adds all keys of another filter with the same geometry. */
    public function merge(string $body, int $keys): void
    {
        $before = $this->layers()[0]['keys'];
        if ($this->params['bounded'] && $before + $keys > $this->params['capacity']) {
            throw Failure::of(Status::Full, "{$this->params['name']}: $before and $keys keys");
        }
        $geometry = $this->geometry(0);
        $body |= $this->body(0);
        $this->file->write($this->layers()[0]['offset'], $body);
        $estimate = (int) round(min(1e15, Measure::estimatedKeys($geometry, Bits::count($body))));
        $this->file->state['layers'][0]['keys'] = max($before, $keys, min($before + $keys, $estimate));
    }

    // ---- what only some kinds do ----

    public function remove(string $key): bool
    {
        throw new \LogicException('only a counting filter forgets keys');
    }

    public function count(string $key): int
    {
        throw new \LogicException('only a counting filter counts keys');
    }

    public function addToGroup(int $group, string $value): bool
    {
        throw new \LogicException('only a reverse index has groups');
    }

    /** @return list<int> */
    public function groups(string $value, int $limit): array
    {
        throw new \LogicException('only a reverse index has groups');
    }

    /**
     * @return array{Geometry, string, list<int>} the geometry and the bits of the keys that lookups find, and the
     *         number of keys of each shard
     */
    public function copy(): array
    {
        $layer = $this->answering()[0] ?? null;
        $geometry = $this->geometry($layer ?? 0);
        $body = $layer === null ? str_repeat("\0", $geometry->bytes()) : $this->body($layer);
        $keys = [];
        foreach (str_split($body, max(1, $geometry->shardBytes)) as $shard) {
            $keys[] = Measure::keysOfShard($geometry, Bits::count($shard), 0, PHP_INT_MAX);
        }
        return [$geometry, $body, $keys];
    }

    // ---- statistics ----

    /** @return Measured */
    public function info(): array
    {
        $sum = ['keys' => 0, 'capacity' => 0, 'setBits' => 0, 'shards' => 0];
        $bits = 0;
        $estimated = 0.0;
        $measuredNo = $predictedNo = 1.0;
        $variance = 0.0;
        $layers = [];
        $answering = $this->answering();
        foreach ($answering === [] ? [0] : $answering as $layer) {
            $row = $this->layers()[$layer];
            $geometry = $this->geometry($layer);
            $found = $this->measure($answering === [] ? null : $layer, $geometry);
            $sum['keys'] += $answering === [] ? 0 : $row['keys'];
            $sum['capacity'] += $row['capacity'];
            $sum['setBits'] += $found['setBits'];
            $sum['shards'] += $row['shards'];
            $bits += 8 * $geometry->bytes();
            $variance += Sizing::variance($geometry, $row['capacity'] * $geometry->levels());
            $estimated += $found['keys'];
            $measuredNo *= 1 - $found['rate'];
            $predictedNo *= 1 - Sizing::rate($geometry, (int) round(min(1e15, $found['keys'])));
            $layers[] = Infos::make(LayerInfo::class, ['capacity' => $row['capacity'], 'keys' => $row['keys'], 'falsePositiveRate' => $row['rate'],
                'measuredFalsePositiveRate' => $found['rate'], 'fill' => $found['fill'], 'shards' => $row['shards'], 'probes' => $row['probes']]);
        }
        $bytes = LiveFile::HEAD_BYTES + array_sum(array_map(fn (int $layer): int => static::layerBytes($this->geometry($layer)),
            array_keys($this->layers())));
        /** @var Measured $info */
        $info = [
            'estimatedKeys' => (int) round(min(1e15, $estimated)),
            'falsePositiveRate' => $this->params['rate'],
            'measuredFalsePositiveRate' => 1 - $measuredNo,
            'predictedFalsePositiveRate' => 1 - $predictedNo,
            'fill' => $sum['setBits'] / $bits,
            'bytes' => $bytes,
            'bitsPerKey' => 8 * $bytes / $sum['capacity'],
            'created' => $this->file->state['createdMs'] / 1000,
            'byChance' => $byChance = Sizing::byChance($this->params['rate'], $variance),
            'warning' => self::warning('the', 1 - $measuredNo, $this->params['rate'], $byChance),
            'bounded' => $this->params['bounded'],
            'layers' => $layers,
        ] + $sum + Infos::geometry($this->geometry(count($this->layers()) - 1), 1 - $measuredNo);
        return $info;
    }

    public static function warning(string $whose, float $measured, float $asked, float $byChance): ?string
    {
        return $measured <= $byChance ? null : sprintf('%s false-positive rate is %s %%, over the requested %s %%', $whose,
            Filling::short(100 * $measured), Filling::short(100 * $asked));
    }

    /** @return array{setBits: int, fill: float, keys: float, rate: float} */
    protected function measure(?int $layer, Geometry $geometry): array
    {
        return $layer === null ? ['setBits' => 0, 'fill' => 0.0, 'keys' => 0.0, 'rate' => 0.0]
            : Measure::all($geometry, $this->body($layer));
    }

    /** @return list<array{setBits: int|null, fill: float, estimatedKeys: float, measuredFalsePositiveRate: float}> */
    public function shards(): array
    {
        $shards = [];
        $answering = $this->answering();
        foreach ($answering === [] ? [0] : $answering as $layer) {
            $geometry = $this->geometry($layer);
            $body = $answering === [] ? str_repeat("\0", $geometry->bytes()) : $this->body($layer);
            array_push($shards, ...Measure::shards($geometry, $body));
        }
        return $shards;
    }
}

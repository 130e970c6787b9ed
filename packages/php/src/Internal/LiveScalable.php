<?php

namespace Bloom\Internal;


/**
 * A scalable filter (Almeida et al., "Scalable Bloom Filters", 2007).
 *
 * @internal
 *
 * @phpstan-import-type Params from LiveFile
 * @phpstan-import-type Layer from LiveFile
 * @phpstan-import-type State from LiveFile
 */
final class LiveScalable extends Live
{
    private const LAYERS_MAX = 64;

    /** The rates of all layers add up to the filter's rate. */
    protected static function rate(array $params, int $layer): float
    {
        return $params['rate'] * (1 - $params['tightening']) * $params['tightening'] ** $layer;
    }

    /**
     * A late layer's rate may be below the probability that an absent key has the digest of one of the layer's keys, which no
     * layer can keep. The layer then gets twice that probability.
     */
    protected static function wish(array $params, int $layer, int $capacity): Wish
    {
        $wish = parent::wish($params, $layer, $capacity);
        $wish->isLayer = true;
        $wish->rate = $layer === 0 ? $wish->rate : max($wish->rate, 2 * $capacity / 2 ** 64);
        return $wish;
    }

    public function add(string $key): bool
    {
        $digest = $this->digest($key);
        $layers = $this->layers();
        $newest = count($layers) - 1;
        // Grow before the lookup: if all bits of a layer were set, no key would be new.
        if ($layers[$newest]['keys'] >= $layers[$newest]['capacity'] && $this->grow()) {
            $newest++;
        }
        return !$this->hasDigest($digest) && $this->addTo($newest, $digest);
    }

    private function grow(): bool
    {
        $layers = $this->layers();
        $layer = count($layers);
        $newest = $layers[$layer - 1];
        $capacity = ceil($newest['capacity'] * $this->params['growth']);
        if ($layer < self::LAYERS_MAX && $capacity <= Head::CAPACITY_MAX) {
            $wish = self::wish($this->params, $layer, (int) $capacity);
            $geometry = Sizing::choose($wish, $this->params['seed']);
            $offset = $newest['offset'] + $this->geometry($layer - 1)->bytes();
            if ($geometry instanceof Geometry && $this->file->extend($offset + $geometry->bytes())) {
                $this->file->state['layers'][] = self::row($geometry, $offset, (int) $capacity, $wish->rate);
                return true;
            }
        }
        $this->file->state['growthFailures']++;
        return false;
    }

    public function info(): array
    {
        return ['growth' => $this->params['growth'], 'tightening' => $this->params['tightening'],
            'growthFailures' => $this->file->state['growthFailures']] + parent::info();
    }
}

<?php

declare(strict_types=1);

namespace Bloom\Laravel;

use Bloom\Kit\Fold;
use Bloom\Kit\KeyWrite;

/** The settings of one filter in config/bloom.php. */
final readonly class FilterSettings
{
    /**
     * @param float $interval seconds between two syncs on this host
     * @param float|null $maxLag seconds; see Bloom\Filter::sync()
     * @param float $shadow from 0 to 1; see Bloom\Kit\ShadowFilter
     */
    public function __construct(
        public ?string $store,
        public float $interval,
        public bool $hasJournal,
        public ?float $maxLag,
        public KeyWrite $write,
        public ?Fold $fold,
        public float $shadow,
    ) {
    }
}

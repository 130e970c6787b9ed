<?php

namespace Bloom\Cli;

use Bloom\FilterInfo;
use Bloom\Kind;
use Bloom\LoadedIndexInfo;
use Bloom\LoadedInfo;
use Symfony\Component\Console\Input\InputInterface;

/** The options --overlay-window and --overlay-capacity of the commands that load blobs. */
final class Overlay
{
    private function __construct(public readonly float $window, public readonly int $capacity)
    {
    }

    /** Returns null if the options are not given. An existing overlay is then kept. */
    public static function of(InputInterface $input): ?self
    {
        $window = Values::duration($input, 'overlay-window');
        $capacity = Values::count($input, 'overlay-capacity');
        if (($window === null) !== ($capacity === null)) {
            throw Failure::usage('--overlay-window and --overlay-capacity must be given together');
        }
        if ($capacity !== null && ($capacity < 1 || $window < 0.01)) {
            throw Failure::usage($capacity < 1
                ? '--overlay-capacity must be at least 1 key'
                : '--overlay-window must be at least 0.01 seconds');
        }
        return $window === null ? null : new self($window, $capacity);
    }

    /** Returns whether a filter could have an overlay, but has none. null: nothing is loaded */
    public static function isLacking(?FilterInfo $info): bool
    {
        return $info?->kind === Kind::Loaded && !$info instanceof LoadedIndexInfo && $info->overlay === null;
    }

    /** Describes what the filter has instead of this overlay. Returns null if it has this overlay or none. */
    public function otherThan(FilterInfo $info): ?string
    {
        return match (true) {
            !$info instanceof LoadedInfo || $info->kind !== Kind::Loaded => "the {$info->kind->value} filter",
            $info instanceof LoadedIndexInfo => 'the reverse index, which cannot have an overlay,',
            self::isLacking($info) => null,
            abs($info->overlay->window - $this->window) > 0.001 || $info->overlay->capacity !== $this->capacity
                => "the overlay for {$info->overlay->capacity} keys in {$info->overlay->window} s",
            default => null,
        };
    }
}

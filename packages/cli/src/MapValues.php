<?php

namespace Bloom\Cli;

use Bloom\Blob;
use Bloom\BlobInfo;
use Bloom\FilterInfo;

/** Looks up values in a blob, or in the map that this host serves. */
final class MapValues
{
    private function __construct(private readonly Blob|ServedFilter $map)
    {
    }

    /** @param string $name of the filter, or the path of the blob, for messages */
    public static function in(Blob|ServedFilter $map, string $name): self
    {
        self::check($map->info(), $name);
        return new self($map);
    }

    /** Fails if a blob or filter is not a map. */
    public static function check(BlobInfo|FilterInfo $info, string $name): void
    {
        if (!self::isMap($info)) {
            throw new Failure(
                $info instanceof BlobInfo ? ExitCode::Data : ExitCode::CannotCreate,
                "$name: is not a map, so its keys have no values (bloom check looks keys up; bloom build --map builds maps)"
            );
        }
    }

    public static function isMap(BlobInfo|FilterInfo $info): bool
    {
        return isset($info->valueBits);
    }

    /**
     * @param array<int, string> $keys
     *
     * @return array<int, int> the values, under the array keys of their keys; absent keys are left out
     */
    public function of(array $keys): array
    {
        return $this->map instanceof ServedFilter
            ? $this->map->values($keys)
            : array_filter(array_map($this->map->get(...), $keys), is_int(...));
    }
}

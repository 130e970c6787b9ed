<?php

namespace Bloom\Cli;

use Bloom\Filter;
use Bloom\FilterInfo;
use Bloom\JournalInfo;
use Bloom\Kind;
use Bloom\LoadedInfo;
use Bloom\LoadedMap;
use Bloom\Membership;
use Bloom\SegmentException;

/**
 * What this host serves under a name, for a comparison with keys. Every answer "maybe" must mean that the key was found, so a
 * lookup fails if the filter cannot answer "definitely not". A map that cannot be used has no values, so its lookups fail as well.
 */
final class ServedFilter implements Membership
{
    private readonly Filter $filter;
    private readonly int $generation;

    /** @param bool $mustBeMap fail if it is not a map */
    public function __construct(private readonly string $name, bool $mustBeMap = false)
    {
        $this->filter = Filter::open($name);
        $info = $this->info();
        if ($mustBeMap) {
            MapValues::check($info, $name);
        }
        if ($info->kind === Kind::OnDemand) {
            throw new Failure(ExitCode::CannotCreate, "$name: is an on-demand filter, and the chunks that this host does not have would "
                . "contain every key: check the blob instead (bloom check BLOB KEYS)");
        }
        $this->generation = $info->generation;
        $this->verify();
    }

    public function info(): FilterInfo
    {
        return $this->filter->info();
    }

    /** Returns the source of the served version; null: a live filter. */
    public function source(): ?string
    {
        return $this->filter->source();
    }

    public function mightContain(string|int $key): bool
    {
        return $this->candidates([$key]) !== [];
    }

    public function candidates(iterable $keys): array
    {
        $found = $this->filter->candidates($keys);
        $this->verify();
        return $found;
    }

    /**
     * Looks keys up in a map.
     *
     * @param array<int, string> $keys
     *
     * @return array<int, int> the values, under the array keys of their keys
     */
    public function values(array $keys): array
    {
        if (!$this->filter instanceof LoadedMap) {
            throw new \LogicException("$this->name is not a map");
        }
        try {
            return $this->filter->getMany($keys);
        } catch (SegmentException $thrown) {
            $this->verify();
            throw $thrown;
        }
    }

    /** Fails if the answers were of several versions, because a key may have been found only in the first one. */
    public function verifyGeneration(): void
    {
        $now = $this->info()->generation;
        if ($now !== $this->generation) {
            throw new Failure(ExitCode::TryAgain, "$this->name: generation $now replaced generation $this->generation during the check, "
                . 'so run the command again');
        }
    }

    /** Returns the state of the journal to which missing keys can be added. */
    public function journal(): JournalInfo
    {
        $info = $this->info();
        return $info instanceof LoadedInfo && $info->journal !== null ? $info->journal : throw new Failure(
            ExitCode::CannotCreate,
            "--repair: $this->name follows no journal, so no host would find the keys: " . match (true) {
                MapValues::isMap($info) => 'it is a map, so build and publish it again with all keys',
                $info instanceof LoadedInfo => 'build and publish it again with --mark',
                default => 'add them with addMany() in PHP',
            }
        );
    }

    private function verify(): void
    {
        if (!$this->filter->isComplete()) {
            $reasons = Filter::health($this->name)->reasons;
            $what = $this->filter instanceof LoadedMap ? 'the map cannot be used, so it has no values' : 'every answer is maybe, so missing keys cannot be found';
            throw new Failure(ExitCode::TryAgain, "$this->name: $what: "
                . ($reasons === [] ? 'run the command again' : implode('; ', $reasons)));
        }
    }
}

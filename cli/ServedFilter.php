<?php

namespace Bloom\Cli;

use Bloom\Filter;
use Bloom\FilterInfo;
use Bloom\JournalInfo;
use Bloom\Kind;
use Bloom\LoadedInfo;
use Bloom\Membership;

/**
 * What this host serves under a name, for a comparison with keys. Every answer "maybe" must mean that the key was found, so a
 * lookup fails if the filter cannot answer "definitely not".
 */
final class ServedFilter implements Membership
{
    private readonly Filter $filter;
    private readonly int $generation;

    public function __construct(private readonly string $name)
    {
        $this->filter = Filter::open($name);
        $info = $this->info();
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
            "--repair: $this->name follows no journal, so no host would find the keys: "
                . ($info instanceof LoadedInfo ? 'build and publish it again with --mark' : 'add them with addMany() in PHP')
        );
    }

    private function verify(): void
    {
        if (!$this->filter->isComplete()) {
            $reasons = Filter::health($this->name)->reasons;
            throw new Failure(ExitCode::TryAgain, "$this->name: every answer is maybe, so missing keys cannot be found: "
                . ($reasons === [] ? 'run the command again' : implode('; ', $reasons)));
        }
    }
}

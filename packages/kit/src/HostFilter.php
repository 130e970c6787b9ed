<?php

declare(strict_types=1);

namespace Bloom\Kit;

use Bloom\BloomException;
use Bloom\Filter;
use Psr\Log\LoggerInterface;

/**
 * A filter of this host, opened at the first lookup. If the filter is not loaded or cannot be read, every
 * answer is "maybe", because "no" could be wrong.
 *
 * The parameters are wider than those of Membership: PHP would convert a float or bool before the extension
 * could reject it.
 */
final class HostFilter implements HostMembership
{
    private ?Filter $filter = null;
    private bool $isReported = false;

    public function __construct(private readonly string $name, private readonly ?LoggerInterface $logger = null)
    {
    }

    /** @param string|int $key any other type throws TypeError */
    public function mightContain(mixed $key): bool
    {
        try {
            $answer = $this->find()?->mightContain($key);
        } catch (BloomException $exception) {
            $answer = $this->report($exception);
        }
        return $answer ?? Keys::checked([$key]) !== [];
    }

    /**
     * @template TKey of array-key
     * @template TValue of string|int
     *
     * @param array<TKey, TValue>|\Traversable<mixed, TValue> $keys
     *
     * @return ($keys is array ? array<TKey, TValue> : list<TValue>)
     *
     * @psalm-suppress InvalidArgument, PossiblyInvalidArgument, MixedReturnTypeCoercion conditional types
     */
    public function candidates(iterable $keys): array
    {
        $isArray = is_array($keys);
        // The fallback needs the keys again, and a generator can be read only once.
        $keys = $isArray ? $keys : iterator_to_array($keys, false);
        try {
            $candidates = $this->find()?->candidates($keys);
        } catch (BloomException $exception) {
            $candidates = $this->report($exception);
        }
        $candidates ??= Keys::checked($keys);
        return $isArray ? $candidates : array_values($candidates);
    }

    public function isComplete(): bool
    {
        try {
            $isComplete = $this->find()?->isComplete();
        } catch (BloomException $exception) {
            $isComplete = $this->report($exception);
        }
        if ($isComplete === false) {
            $this->report(reason: "it is damaged, or behind its journal (\"bloom health $this->name\" says which)");
        }
        return $isComplete ?? false;
    }

    public function confirm(int $looked, int $found, int $checked = 0, int $denied = 0): void
    {
        try {
            $this->find()?->confirm($looked, $found, $checked, $denied);
        } catch (BloomException $exception) {
            $this->report($exception);
        }
    }

    /** Allows the next request of this process to log again. */
    public function reset(): void
    {
        $this->isReported = false;
    }

    private function find(): ?Filter
    {
        // A handle follows every switch, and also a drop with a new load, so one handle is enough.
        $this->filter ??= Filter::find($this->name);
        return $this->filter ?? $this->report();
    }

    /** Logs once per request why the answers are "maybe". */
    private function report(?BloomException $exception = null, string $reason = 'it is not loaded on this host'): null
    {
        if (!$this->isReported) {
            $this->isReported = true;
            $reason = $exception?->getMessage() ?? $reason;
            // Not every logger replaces placeholders.
            $this->logger?->warning(
                "The Bloom filter \"$this->name\" answers \"maybe\" to every lookup: $reason",
                ['filter' => $this->name] + ($exception === null ? [] : ['exception' => $exception]),
            );
        }
        return null;
    }
}

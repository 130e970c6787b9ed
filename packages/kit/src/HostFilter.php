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
 * "No" could also be wrong if the filter's keys were made in another way than the keys that are looked up. So every
 * answer is "maybe" unless the source of the served version names the fold of this object, or none if it has none.
 *
 * The parameters are wider than those of Membership: PHP would convert a float or bool before the extension
 * could reject it.
 */
final class HostFilter implements HostMembership
{
    private ?Filter $filter = null;
    private bool $isReported = false;
    /** The source that was compared last. */
    private ?string $source = '';
    private ?string $mismatch;

    /** @param Fold|null $fold the fold of the filter's keys; null: none */
    public function __construct(
        private readonly string $name,
        private readonly ?LoggerInterface $logger = null,
        private readonly ?Fold $fold = null,
    ) {
        $this->mismatch = $this->mismatchOf('');
    }

    /** @param string|int $key any other type throws TypeError */
    public function mightContain(mixed $key): bool
    {
        try {
            $answer = $this->fold === null ? $this->test($key) : $this->testFolded($this->fold, Keys::checked([$key])[0]);
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
     * @psalm-suppress InvalidArgument, PossiblyInvalidArgument, MixedArgumentTypeCoercion, InvalidReturnType, InvalidReturnStatement conditional types
     */
    public function candidates(iterable $keys): array
    {
        $isArray = is_array($keys);
        // The fallback needs the keys again, and a generator can be read only once.
        $keys = $isArray ? $keys : iterator_to_array($keys, false);
        try {
            $candidates = $this->fold === null ? $this->ask($keys) : $this->askFolded($this->fold, Keys::checked($keys));
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

    public function reset(): void
    {
        $this->isReported = false;
    }

    /**
     * @param string|int $key
     *
     * @return bool|null null: every answer is "maybe"
     */
    private function test(mixed $key): ?bool
    {
        $filter = $this->find();
        $answer = $filter?->mightContain($key);
        // Another version may have been loaded since find().
        return $answer !== false || $this->isUsable($filter) ? $answer : null;
    }

    private function testFolded(Fold $fold, string|int $key): ?bool
    {
        $asked = $fold->lookup($key);
        return $asked === null ? ($this->find() === null ? null : true) : $this->test($asked);
    }

    /**
     * @template TKey of array-key
     * @template TValue of string|int
     *
     * @param array<TKey, TValue> $keys
     *
     * @return array<TKey, TValue>|null null: every answer is "maybe"
     */
    private function ask(array $keys): ?array
    {
        $filter = $this->find();
        $candidates = $filter?->candidates($keys);
        return $this->isUsable($filter) ? $candidates : null; // as in test()
    }

    /**
     * @template TKey of array-key
     * @template TValue of string|int
     *
     * @param array<TKey, TValue> $keys
     *
     * @return array<TKey, TValue>|null null: every answer is "maybe"
     */
    private function askFolded(Fold $fold, array $keys): ?array
    {
        $asked = $unknown = [];
        foreach ($keys as $index => $key) {
            $folded = $fold->lookup($key);
            if ($folded === null) {
                $unknown[$index] = true;
            } else {
                $asked[$index] = $folded;
            }
        }
        $found = $this->ask($asked);
        return $found === null ? null : array_intersect_key($keys, $found + $unknown);
    }

    /** Returns the filter, or null if every answer must be "maybe". */
    private function find(): ?Filter
    {
        // A handle follows every switch, and also a drop with a new load, so one handle is enough.
        $this->filter ??= Filter::find($this->name);
        if ($this->filter === null) {
            return $this->report();
        }
        return $this->isUsable($this->filter) ? $this->filter : null;
    }

    /**
     * Returns whether the version that is served now has keys that were made as this object makes them. Called before and
     * after a lookup, it misses only a version that is replaced again during that lookup by one with the same source.
     */
    private function isUsable(?Filter $filter): bool
    {
        $source = $filter?->source();
        if ($source !== $this->source) {
            $this->source = $source;
            $this->mismatch = $this->mismatchOf($source);
        }
        if ($filter !== null && $this->mismatch !== null) {
            $this->report(reason: $this->mismatch);
        }
        return $filter !== null && $this->mismatch === null;
    }

    private function mismatchOf(?string $source): ?string
    {
        $name = Fold::nameIn($source ?? '');
        return match (true) {
            $name === $this->fold?->name => null,
            $this->fold === null => "its keys are folded (\"$name\"), but the keys that are looked up are not; configure the fold",
            $source === null => "only the source of a blob tells that keys are folded, but it is a live filter or cannot be read",
            $name === null => "its keys are not folded; build it with bloom build --fold={$this->fold->name}",
            default => "its keys are folded in another way (\"$name\"); build it with bloom build --fold={$this->fold->name}",
        };
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

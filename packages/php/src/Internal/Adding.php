<?php

namespace Bloom\Internal;

/** The methods of filters to which keys can be added. */
trait Adding
{
    /** Adds a key. */
    public function add(mixed $key): bool
    {
        return $this->addAll([Keys::of($key, self::method('add'))], 'add')[0];
    }

    /**
     * Adds keys.
     * @param iterable<mixed, string|int> $keys
     */
    public function addMany(iterable $keys): int
    {
        return count(array_filter($this->addAll($keys, 'addMany')));
    }

    /**
     * Adds keys, and returns for each whether it was certainly new.
     * @template TKey of array-key
     * @param array<TKey, string|int>|\Traversable<mixed, string|int> $keys
     * @return ($keys is array ? array<TKey, bool> : list<bool>)
     */
    public function addEach(iterable $keys): array
    {
        return $this->addAll($keys, 'addEach'); // @phpstan-ignore return.type (the type is conditional)
    }

    /**
     * @param iterable<mixed, mixed> $keys
     *
     * @return array<array-key, bool> whether each key was certainly new; the keys before an invalid one are added
     */
    private function addAll(iterable $keys, string $method): array
    {
        // No lock is held while the caller's iterator runs.
        $list = is_array($keys) ? $keys : iterator_to_array($keys, false);
        [$answers, $error] = $this->change(function (KeySet $set, array $current) use ($list, $method): array {
            /** @var iterable<array-key, string> $each */
            $each = Keys::each($list, self::method($method));
            [$answers, $records, $error] = Live::add($set, $each, $current, $this->name());
            return [[$answers, $error], $records];
        });
        return $error === null ? $answers : throw $error;
    }

    private static function method(string $name): string
    {
        return substr(self::class, strlen('Bloom\\')) . "::$name";
    }
}

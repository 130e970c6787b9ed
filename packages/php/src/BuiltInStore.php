<?php

namespace Bloom;

use Bloom\Internal\Arguments;

/** Checks the arguments, and calls the operations of the subclass. */
abstract class BuiltInStore implements Store
{
    final public function getMultiple(array $keys): array
    {
        return $this->values($this->keys($keys, 'getMultiple'));
    }

    final public function missing(array $keys): array
    {
        return $this->absent($this->keys($keys, 'missing'));
    }

    final public function set(string $key, string $value): void
    {
        $this->checkKey($key, 'set', 'key');
        $this->put($key, $value);
    }

    final public function replace(string $key, ?string $expected, string $value): bool
    {
        $this->checkKey($key, 'replace', 'key');
        return $this->exchange($key, $expected, $value);
    }

    final public function deleteMultiple(array $keys): void
    {
        $this->delete($this->keys($keys, 'deleteMultiple'));
    }

    /**
     * Checks keys and copies them: references in the caller's array could change during a call.
     *
     * @param array<mixed> $keys
     *
     * @return list<string>
     */
    private function keys(array $keys, string $method): array
    {
        $list = [];
        foreach ($keys as $key) {
            if (!is_string($key)) {
                $text = 'must contain only strings, ' . Arguments::type($key) . ' given';
                throw new \TypeError(Arguments::error("BuiltInStore::$method", 'keys', $text)->getMessage());
            }
            $this->checkKey($key, $method, 'keys');
            $list[] = $key;
        }
        return $list;
    }

    private function checkKey(string $key, string $method, string $argument): void
    {
        $requirement = $this->requirement($key);
        if ($requirement !== null) {
            throw Arguments::error("BuiltInStore::$method", $argument, $requirement);
        }
    }

    /** Returns the requirement that the key does not meet. */
    abstract protected function requirement(string $key): ?string;

    /**
     * @param list<string> $keys
     *
     * @return array<string, string|null>
     */
    abstract protected function values(array $keys): array;

    /**
     * @param list<string> $keys
     *
     * @return list<string>
     */
    abstract protected function absent(array $keys): array;

    abstract protected function put(string $key, string $value): void;

    abstract protected function exchange(string $key, ?string $expected, string $value): bool;

    /** @param list<string> $keys */
    abstract protected function delete(array $keys): void;
}

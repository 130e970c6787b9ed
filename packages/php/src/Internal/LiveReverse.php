<?php

namespace Bloom\Internal;

/**
 * A reverse index to which values are added.
 *
 * @internal
 */
final class LiveReverse extends Live
{
    public function has(string $key): bool
    {
        return $this->find($key)->valid();
    }

    /** @return \Generator<int> */
    private function find(string $value): \Generator
    {
        return (new Reverse($this->geometry(0)))->groups($this->part(0), $this->digest($value));
    }

    /** @return list<int> */
    public function groups(string $value, int $limit): array
    {
        return Answers::list($this->find($value), $limit);
    }

    public function addToGroup(int $group, string $value): bool
    {
        $new = 0;
        foreach ((new Reverse($this->geometry(0)))->add($this->part(0), $this->digest($value), $group) as [, $bits]) {
            $new += (int) ($bits > 0);
        }
        $this->file->state['layers'][0]['keys'] += $new;
        return $new > 0;
    }
}

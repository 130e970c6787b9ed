<?php

namespace Bloom\Internal;

use Bloom\Status;

/** Answers lookups from the head and the body of a blob. */
final class Answers
{
    private Digest $digest;
    private Bits|Ribbon|Reverse $bits;
    private Memory $body;

    /** @param Digest|null $digest of a builder whose secret is not configured; null: the configured one */
    public function __construct(public readonly Head $head, string $body, ?Digest $digest = null)
    {
        $this->body = new Memory($body);
        $geometry = $head->geometry;
        $this->digest = $digest ?? Digest::for($geometry);
        $this->bits = match (true) {
            $geometry->groups !== 0 => new Reverse($geometry),
            $geometry->stripes !== 0 => new Ribbon($geometry),
            default => new Bits($geometry),
        };
    }

    public function body(): string
    {
        return $this->body->bytes;
    }

    public function has(string $key): bool
    {
        $digest = $this->digest->of($key);
        return match (true) {
            $this->bits instanceof Bits => $this->bits->has($this->body, $digest),
            $this->bits instanceof Ribbon => $this->bits->has($this->body, $digest,
                $this->head->row($this->bits->place($digest)[0])['setBits']),
            $this->bits instanceof Reverse => $this->bits->groups($this->body, $digest)->valid(),
        };
    }

    /** @return list<int> */
    public function groups(string $value, int $limit): array
    {
        assert($this->bits instanceof Reverse);
        return self::list($this->bits->groups($this->body, $this->digest->of($value)), $limit);
    }

    /**
     * @param iterable<int> $groups
     *
     * @return list<int>
     */
    public static function list(iterable $groups, int $limit): array
    {
        $found = [];
        foreach ($groups as $group) {
            if (count($found) === $limit) {
                throw Failure::of(Status::GroupsLimit, "limit $limit");
            }
            $found[] = $group;
        }
        return $found;
    }
}

<?php

namespace Bloom\Internal;

use Bloom\Blob;
use Bloom\Status;

/** The head and the body of a blob, and what they answer. */
final class Answers
{
    private Bits|Ribbon|Reverse $bits;
    private Memory $memory;

    private ?Digest $digest = null;

    public function __construct(public readonly Head $head, public readonly string $body)
    {
        $this->memory = new Memory($body);
        $this->bits = $head->geometry->bits();
    }

    /** Returns what other classes of this package see of a blob besides its public methods. */
    public static function of(Blob $blob): self
    {
        /** @var self */
        return (new \ReflectionProperty(Blob::class, 'answers'))->getValue($blob);
    }

    /** Makes a blob of verified bytes. */
    public function blob(): Blob
    {
        $blob = (new \ReflectionClass(Blob::class))->newInstanceWithoutConstructor();
        (new \ReflectionProperty(Blob::class, 'answers'))->setValue($blob, $this);
        return $blob;
    }

    private function digest(string $key): int
    {
        $this->digest ??= new Digest($this->head->geometry);
        return $this->digest->of($key);
    }

    public function has(string $key): bool
    {
        $digest = $this->digest($key);
        return match (true) {
            $this->bits instanceof Reverse => $this->bits->groups($this->memory, $digest)->valid(),
            default => $this->bits->has($this->memory, $digest),
        };
    }

    /** Returns the value of a key of a map; null: the key is definitely absent. */
    public function get(string $key): ?int
    {
        assert($this->bits instanceof Ribbon);
        return $this->bits->get($this->memory, $this->digest($key));
    }

    /** @return list<int> */
    public function groups(string $value, int $limit): array
    {
        assert($this->bits instanceof Reverse);
        return self::list($this->bits->groups($this->memory, $this->digest($value)), $limit);
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
            $found[] = count($found) < $limit ? $group : throw Failure::of(Status::GroupsLimit, "limit $limit");
        }
        return $found;
    }
}

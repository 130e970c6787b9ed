<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests\App;

/** An empty Redis server. */
final class RedisSpy extends \Redis
{
    /** @var list<array<string>> the keys of each MGET */
    public array $asked = [];

    public function mget($keys): array
    {
        $this->asked[] = $keys;
        return array_fill(0, count($keys), false);
    }
}

<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

/** An empty Redis server. */
final class RedisSpy extends \Redis
{
    /** @var list<list<string>> the keys of each script, of all objects: each store has its own */
    public static array $asked = [];
    public static int $made = 0;

    public function __construct()
    {
        parent::__construct();
        self::$made++;
    }

    /** @param mixed ...$parts */
    public function rawCommand($command, ...$parts): mixed
    {
        /** @var array{string, int, string, string} $parts */
        $keys = array_slice($parts, 2, $parts[1]);
        self::$asked[] = $keys;
        $nonce = $parts[2 + $parts[1]];
        return [$nonce, array_fill(0, $parts[1], false), $nonce];
    }

    public function getDBNum(): int
    {
        return 0;
    }
}

<?php
/* The page of bench/pays.php: looks up keys in a Redis in one of several ways. php-fpm also runs this file. */

namespace BloomBench;

use Bloom\Filter;

/**
 * Returns the number of keys that exist.
 *
 * @param string $way "nothing", "MGET", "GET", or the name of a filter that is asked before a MGET of the rest
 * @param \Closure $connect returns the Redis. It is not called if the filter excludes all keys
 */
function look_up(string $way, array $keys, ?Filter $filter, \Closure $connect): int
{
    if ($way === 'nothing') {
        return 0;
    }
    if ($way === 'GET') {
        $redis = $connect();
        $found = 0;
        foreach ($keys as $key) {
            $found += is_string($redis->get($key)) ? 1 : 0;
        }
        return $found;
    }
    if ($way !== 'MGET') {
        $keys = array_values($filter->candidates($keys));
    }
    return $keys === [] ? 0 : count(array_filter($connect()->mGet($keys), is_string(...)));
}

if (PHP_SAPI === 'fpm-fcgi') {
    [$way, $host, $port] = explode(' ', $_SERVER['ACTION']);
    $connect = static function () use ($host, $port): \Redis {
        $redis = new \Redis();
        $redis->pconnect($host, (int) $port); // a Unix socket if the port is 0
        return $redis;
    };
    $filter = str_starts_with($way, 'filter') ? Filter::open($way) : null;
    echo json_encode(['found' => look_up($way, explode("\n", file_get_contents('php://input')), $filter, $connect)]);
}

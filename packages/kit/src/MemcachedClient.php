<?php

declare(strict_types=1);

namespace Bloom\Kit;

use Bloom\StoreException;

/** Connects ext-memcached. */
final class MemcachedClient
{
    /**
     * @param string $shown the store's URL for messages
     * @param string $host a host, or the path of a socket with port 0
     */
    public static function connect(string $shown, string $host, int $port, float $timeout): \Memcached
    {
        if (!extension_loaded('memcached')) {
            throw new StoreUrlException(StoreUrlProblem::NoClient, 'a Memcached store needs the PHP extension memcached: '
                . 'apt-get install php-memcached, or pecl install memcached');
        }
        $client = new \Memcached();
        $milliseconds = max(1, (int) ceil($timeout * 1000));
        $client->setOptions([
            \Memcached::OPT_CONNECT_TIMEOUT => $milliseconds,
            \Memcached::OPT_POLL_TIMEOUT => $milliseconds,
            \Memcached::OPT_SEND_TIMEOUT => $milliseconds * 1000,
            \Memcached::OPT_RECV_TIMEOUT => $milliseconds * 1000,
            \Memcached::OPT_COMPRESSION => false, // the bits of a filter do not compress
        ]);
        $client->addServer(trim($host, '[]'), $port);
        $client->getVersion(); // connects
        if ($client->getResultCode() !== \Memcached::RES_SUCCESS) {
            throw new StoreException("the store $shown: " . self::reason($client));
        }
        return $client;
    }

    /** Returns an error such as "CONNECTION FAILURE, host: cache.example:11211", without pointers and source files. */
    private static function reason(\Memcached $client): string
    {
        $reason = (string) preg_replace(['/^\(0x[0-9a-f]+\) /', '/ ->.*$/'], '', $client->getLastErrorMessage());
        return $reason === '' ? $client->getResultMessage() : $reason;
    }
}

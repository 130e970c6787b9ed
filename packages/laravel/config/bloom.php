<?php

return [

    /*
     * Where filters are published. A store is connected when it is first used. Its driver is one of these:
     *
     *   directory   path: a directory that all hosts can read
     *   redis       connection: a connection of config/database.php; prefix: of all keys (default "bloom:")
     *   memcached   cache: a store of config/cache.php with the driver "memcached"; prefix: as for redis
     *   service     service: a class or name that the container resolves to a Bloom\Store
     */
    'stores' => [
        'main' => ['driver' => 'directory', 'path' => env('BLOOM_DIRECTORY', storage_path('bloom'))],
    ],

    /*
     * The filters by name. The keys of a filter:
     *
     *   store      the store to sync from; without it, another program loads the filter
     *   interval   seconds between two syncs on this host; default 60, or 1 with a journal
     *   journal    true: BloomFilter::journal() adds keys to the filter's journal
     *   max_lag    answer "maybe" if this host has been behind the journal for this many seconds; 0: never. The shortest time
     *              that any process of the host asked for in the last hour applies; default: keep it, at first 60
     *   write      how BloomFilter::add() and models write keys: "journal" (default); "journal_or_outbox", which uses a table of the
     *              database if the store fails; or "outbox", which always uses it. "bloom relay" must then run
     *   fold       "mysql": keys that MySQL treats as equal are one key. The filter must be built with bloom build --fold=mysql
     *   shadow     check this share of the filter's "no" answers in the database, from 0 to 1; default 0. 1: look up every key
     */
    'filters' => [
        // 'tags' => ['store' => 'main'],
    ],

    /*
     * Lets a filter of breached passwords answer for Password::uncompromised(), without HTTP:
     *
     *   filter     its name in 'filters'; its keys are SHA-1 hashes in uppercase
     *   fallback   what becomes of a password while the filter is not loaded: "accept" (default); "reject"; or "http", which asks
     *              Pwned Passwords
     */
    // 'breached_passwords' => ['filter' => 'breached'],

];

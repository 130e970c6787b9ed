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
     *   max_lag    answer "maybe" if the journal was not read to its end for this many seconds; 0: never; default 60
     *   overlay    ['window' => seconds, 'capacity' => keys]: keep keys that this host adds
     */
    'filters' => [
        // 'tags' => ['store' => 'main'],
    ],

];

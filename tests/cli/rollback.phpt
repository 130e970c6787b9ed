--TEST--
rollback, pin and unpin choose the version that hosts serve; list and info show the versions in a store
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli();
mkdir("$cli->files/store");
foreach (['first', 'second', 'third'] as $number => $name) {
    $builder = new Bloom\Builder(20_000, seed: 1, layout: new Bloom\Layout(chunkBytes: 8192));
    $builder->addMany(range(1, 10_000 + $number));
    $builder->build(builtAt: 1_700_000_000 + $number)->save("$cli->files/$name.bloom");
}
$show = function (array $command) use ($cli): void {
    $result = $cli->run($command);
    $text = str_replace($cli->segment, '{segment}', $result->output . $result->errors);
    $text = preg_replace('/(pinned|rolled back|since|at) 20\d\d-\S+ \S+ UTC/', '$1 now', $text);
    echo '$ bloom ', implode(' ', $command), "\n", preg_replace('/ +$/m', '', $text), $result->code === 0 ? '' : "exit $result->code\n";
};
$show(['list', 'store']);
$show(['info', 'tags', 'store']);
$show(['rollback', 'tags', 'store']);
$show(['unpin', 'tags', 'store']);
$cli->run(['publish', 'tags', 'first.bloom', 'store']);
$show(['rollback', 'tags', 'store']);
$cli->run(['sync', 'tags', 'store']);
$cli->run(['publish', 'tags', 'second.bloom', 'store']);
$show(['info', 'tags', 'store']);
$cli->run(['sync', 'tags', 'store']);
$show(['rollback', 'tags', 'store']);
$show(['list', 'store']);
$show(['sync', 'tags', 'store']);
echo implode("\n", preg_grep('/^rolled back/', explode("\n", preg_replace('/at 20.*/', 'at now', $cli->run(['info', 'tags'])->output)))), "\n";
$show(['pin', 'tags', 'store', 'cur']);
$show(['pin', 'tags', 'store', 'current']);
$show(['rollback', 'tags', 'store']);
$show(['pin', 'tags', 'store', Bloom\Blob::open("$cli->files/first.bloom")->info()->checksum]);
$json = $cli->run(['pin', 'tags', 'store', '--format=json'])->json();
check($json['behind'] === 0 && $json['versions'][1]['pinnedSince'] !== null, 'JSON of pin');
$show(['publish', 'tags', 'third.bloom', 'store']);
$show(['info', 'tags', 'store', '--verify']);
$show(['unpin', 'tags', 'store']);
$show(['info', 'tags', 'store', '--filter=tags']);
$show(['info', 'first.bloom', '--verify']);

// Garbage is reported, and the other filters are shown.
$cli->run(['publish', 'users', 'third.bloom', 'store']);
file_put_contents("$cli->files/store/bad", 'garbage');
file_put_contents("$cli->files/store/tags:versions", 'garbage');
$show(['list', 'store']);
$show(['info', 'tags', 'store']);
$show(['list', 'users', 'none', 'store']);
check(array_column($cli->run(['list', 'store', '--format=json'])->json(), 'name') === ['bad', 'tags', 'users'], 'JSON of list');
$chunks = glob("$cli->files/store/users:chunks/*/*");
unlink($chunks[0]);
file_put_contents($chunks[1], 'garbage');
$show(['info', 'users', 'store', '--verify']);
$show(['list', 'memcached://127.0.0.1:1']);
$show(['list', 'missing']);
?>
--EXPECT--
$ bloom list store
no filters in the store
$ bloom info tags store
this host        not loaded
bloom: tags: the store has no such filter
exit 75
$ bloom rollback tags store
bloom: tags: the store store has no such filter (bloom list STORE shows those that it has)
exit 75
$ bloom unpin tags store
bloom: tags: the store store has no such filter (bloom list STORE shows those that it has)
exit 75
$ bloom rollback tags store
bloom: tags: there is no earlier version to roll back to (publish a corrected version instead)
exit 66
$ bloom info tags store
         VERSION      LABEL                    BUILT    KEYS    SIZE  CHUNKS  SHARED
7afd67495e0d541d  current *  2023-11-14 22:13:21 UTC  10,001  29 KiB       4       3
278ecacaa19c7d3b   previous  2023-11-14 22:13:20 UTC  10,000  29 KiB       4       3
hosts serve      7afd67495e0d541d, current
this host        1 version behind
$ bloom rollback tags store
tags: hosts serve version 278ecacaa19c7d3b, built 2023-11-14 22:13:20 UTC, starting with their next sync (rolled back now)
$ bloom list store
NAME           VERSION                    BUILT    KEYS    SIZE                          HOSTS SERVE        THIS HOST
tags  278ecacaa19c7d3b  2023-11-14 22:13:20 UTC  10,000  29 KiB  rolled back now  a newer version
$ bloom sync tags store
tags: switched to generation 3, about 10,000 keys, 29 KiB, 0.0634 % false positives, in {segment}
rolled back      to this version at now
$ bloom pin tags store cur
bloom: VERSION: "cur" does not identify one version of tags: give current, previous, or at least 4 digits of a version that bloom info NAME STORE shows
exit 64
$ bloom pin tags store current
tags: hosts serve version 7afd67495e0d541d, built 2023-11-14 22:13:21 UTC, starting with their next sync (pinned now)
$ bloom rollback tags store
bloom: tags: the filter is pinned to a version (unpin it first, or pin it to another version)
exit 73
$ bloom pin tags store 278ecacaa19c7d3b
tags: hosts serve version 278ecacaa19c7d3b, built 2023-11-14 22:13:20 UTC, starting with their next sync (pinned now)
$ bloom publish tags third.bloom store
tags: published, 1 of 4 chunks written, 12 KiB
bloom: warning: hosts do not serve this version, because tags is pinned to version 278ecacaa19c7d3b: unpin it
$ bloom info tags store --verify
         VERSION      LABEL                    BUILT    KEYS    SIZE  CHUNKS  SHARED  MISSING  DAMAGED
56adf16a3f8035ab    current  2023-11-14 22:13:22 UTC  10,002  29 KiB       4       3        0        0
7afd67495e0d541d   previous  2023-11-14 22:13:21 UTC  10,001  29 KiB       4       4        0        0
278ecacaa19c7d3b  earlier *  2023-11-14 22:13:20 UTC  10,000  29 KiB       4       3        0        0
hosts serve      278ecacaa19c7d3b, pinned now
this host        up to date
$ bloom unpin tags store
tags: hosts serve version 56adf16a3f8035ab, built 2023-11-14 22:13:22 UTC, starting with their next sync (current)
$ bloom info tags store --filter=tags
bloom: --filter shows a filter on this host, so give no NAME and STORE
exit 64
$ bloom info first.bloom --verify
bloom: --verify needs NAME and STORE; a blob is always verified
exit 64
$ bloom list store
 NAME           VERSION                    BUILT    KEYS    SIZE  HOSTS SERVE           THIS HOST
  bad                 ?                        ?       ?       ?            ?          not loaded
 tags  56adf16a3f8035ab  2023-11-14 22:13:22 UTC  10,002  29 KiB      current  an unknown version
users  56adf16a3f8035ab  2023-11-14 22:13:22 UTC  10,002  29 KiB      current          not loaded
bloom: bad: 7 bytes: too short to be a blob
bloom: tags: 7 bytes: too short to be a blob
exit 65
$ bloom info tags store
         VERSION      LABEL                    BUILT    KEYS    SIZE  CHUNKS  SHARED
56adf16a3f8035ab  current *  2023-11-14 22:13:22 UTC  10,002  29 KiB       4       0
               ?   previous                        ?       ?       ?       ?       ?
hosts serve      56adf16a3f8035ab, current
this host        an unknown version (278ecacaa19c7d3b)
bloom: tags: 7 bytes: too short to be a blob
exit 65
$ bloom list users none store
 NAME           VERSION                    BUILT    KEYS    SIZE  HOSTS SERVE   THIS HOST
users  56adf16a3f8035ab  2023-11-14 22:13:22 UTC  10,002  29 KiB      current  not loaded
 none                 ?                        ?       ?       ?            ?  not loaded
bloom: none: the store has no such filter
exit 75
$ bloom info users store --verify
         VERSION      LABEL                    BUILT    KEYS    SIZE  CHUNKS  SHARED  MISSING  DAMAGED
56adf16a3f8035ab  current *  2023-11-14 22:13:22 UTC  10,002  29 KiB       4       0        1        1
hosts serve      56adf16a3f8035ab, current
this host        not loaded
bad chunk        users:3858dc00d74faa28dab91ac6b7b5f8f6
bad chunk        users:321e5e331e8c6c3d4b747fa1f9ee725f
exit 1
$ bloom list memcached://127.0.0.1:1
bloom: memcached://127.0.0.1:1 cannot list its keys: name the filters, as in bloom list tags users STORE
exit 64
$ bloom list missing
bloom: STORE: "missing" is not a directory; write bloom list [[NAME...] STORE] (bloom info shows one filter on this host)
exit 64

--TEST--
An invalid store URL is a usage error; an unreachable store is a temporary failure
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
foreach (['redis', 'memcached'] as $name) {
    if (extension_file($name) === null) {
        die("skip the $name extension is not installed");
    }
}
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';
spl_autoload_register(static fn (string $class) => require dirname(__DIR__, 2) . (str_starts_with($class, 'Bloom\Kit') ? '/packages/kit/src/' : '/packages/cli/src/')
    . basename(strtr($class, '\\', '/')) . '.php');
use Bloom\Cli\{Failure, StoreUrl};

$cli = new Cli(['igbinary', 'msgpack', 'redis', 'memcached']);
(new Bloom\Builder(10))->build()->save("$cli->files/a.bloom");
foreach ([
    '', 'http://host', 'a:b', 'file://host/path', 'file:relative', 'redis:', 'redis://', 'redis:///',
    'unix://host/path', 'rediss:///socket', 'redis://host:port', 'redis://host/notanumber', 'redis://host?db=one',
    'redis://host?timeout=1', 'redis://::1:6379', 'redis-cluster://::1:6379', 'memcached://::1:11211', 'localhost:6379', 'S3://bucket', 'dir:FOO://x', 'REDIS://', 'redis://host?db=1&pre=x', 'redis://a,b',
    'redis-cluster:', 'redis-cluster://', 'redis-cluster://a,,b', 'redis-cluster://a:x', 'redis-cluster:///socket',
    'redis-cluster://a/1', 'redis-cluster://a?db=1', 'memcached:', 'memcached://', 'memcached:///', 'memcached://host/1',
    'memcached://host:port', 'memcached://user@host', 'memcached://a,b', 'memcached://host?db=1',
    'redis://host:99999', 'rediss://host:0', 'redis-cluster://a,b:65536', 'memcached://host:99999999999999999999',
    'redis://user:@host', 'redis-cluster://user:@a',
    'redis://:sec/ret@host', 'redis://user:sec?ret@host', 'redis-cluster://sec/ret@a', 'redis://host/ret@1', 'memcached://h?prefix=ret@1',
] as $store) {
    // An empty argument never reaches the parser. A few URLs of each kind are given to a command.
    if (in_array($store, ['', 'file:relative', 'redis://', 'redis-cluster://a,,b', 'memcached://user@host', 'redis://:sec/ret@host'], true)) {
        $result = $cli->run(['publish', 'tags', 'a.bloom', $store]);
        [$code, $errors] = [$result->code, $result->errors];
    } else {
        try {
            [$code, $errors] = [0, StoreUrl::parse($store)->shown];
        } catch (Failure $failure) {
            [$code, $errors] = [$failure->exitCode->value, "bloom: {$failure->getMessage()}\n"];
        }
    }
    echo "$code $errors";
    check(!str_contains($errors, 'ret@'), 'the message has no part of a password');
}
$server = stream_socket_server('tcp://127.0.0.1:0');
$free = stream_socket_get_name($server, false);
fclose($server);
foreach (["redis://$free", "redis://secret@$free/1", "redis://:sec@ret@$free", "redis://$cli->files/no.sock", "unix://$cli->files/no.sock?db=1",
    "redis-cluster://user:secret@$free,127.0.0.1:1", "redis-cluster://sec@ret@$free", "memcached://$free", "memcached://$cli->files/no.sock",
    'missing', "file://$cli->files/missing%20too"] as $store) {
    $result = $cli->run(['sync', '--timeout=60', 'tags', $store]);
    echo "$result->code ", strtr($result->errors, [$free => '{free}', $cli->directory => '{dir}']);
    check(!preg_match('/sec@?ret|ret@/', $result->errors), 'the message has no password');
}
// In any other place, a URL is also shown without the password.
foreach ([['redis://u:p/sec@ret@h/0'], ['metrics', 'redis://:sec@ret@h'], ['plan', 'http://u:sec@ret@h/x'], ['info', 'https://sec@ret@127.0.0.1:1/x'],
    ['build', 'redis://:sec@ret@h', '/dev/null'], ['info', 'rediss://:sec?ret@h'], ['load', 'tags', 'memcached://sec@ret@h'],
    ['drop', 'redis://:sec@ret@h'], ['snapshot', '--all', 'redis://:sec@ret@h:1'], ['restore', 'tags', 'redis://:sec@ret@h:1'],
    ['list', '--format=redis://:sec@ret@h'], ['sync', '-v', '--timeout=60', 'tags', "redis://:sec@ret@$free"]] as $command) {
    $result = $cli->run($command);
    check($result->code !== 70 && !preg_match('/sec|ret@/', $result->output . $result->errors), $result->errors);
}
?>
--EXPECTF--
64 bloom: STORE is empty; write bloom publish NAME BLOB STORE (is a shell variable not set?)
64 bloom: STORE: "http:" is not one of dir:, file:, redis:, rediss:, unix:, redis-cluster:, memcached: (write dir:PATH for a directory with a colon in its name)
64 bloom: STORE: "a:" is not one of dir:, file:, redis:, rediss:, unix:, redis-cluster:, memcached: (write dir:PATH for a directory with a colon in its name)
64 bloom: STORE: a file URL has the form file:///path
64 bloom: STORE: a file URL has the form file:///path
64 bloom: STORE: a Redis URL has the form redis://host:port or redis:///path/to/socket
64 bloom: STORE: the host or the path of the socket is missing
64 bloom: STORE: the host or the path of the socket is missing
64 bloom: STORE: the host or the path of the socket is missing
64 bloom: STORE: the host or the path of the socket is missing
64 bloom: STORE: a Redis URL has the form redis://host:port or redis:///path/to/socket
64 bloom: STORE: the database "notanumber" is not a number
64 bloom: STORE: the database "one" is not a number
64 bloom: STORE: ?timeout= is not allowed; use ?db= or ?prefix=
64 bloom: STORE: a Redis URL has the form redis://host:port or redis:///path/to/socket (put an IPv6 address into brackets, as in [::1]:6379)
64 bloom: STORE: a cluster URL has the form redis-cluster://host:port,host:port,... (put an IPv6 address into brackets, as in [::1]:6379)
64 bloom: STORE: a Memcached URL has the form memcached://host:port or memcached:///path/to/socket (put an IPv6 address into brackets, as in [::1]:6379)
64 bloom: STORE: "localhost:" is not one of dir:, file:, redis:, rediss:, unix:, redis-cluster:, memcached: (write redis://HOST:PORT for a Redis server, or dir:PATH for a directory with a colon in its name)
64 bloom: STORE: "s3:" is not one of dir:, file:, redis:, rediss:, unix:, redis-cluster:, memcached: (write dir:PATH for a directory with a colon in its name)
64 bloom: STORE: "FOO://x" is not the path of a directory
64 bloom: STORE: the host or the path of the socket is missing
64 bloom: STORE: ?pre= is not allowed; use ?db= or ?prefix=
64 bloom: STORE: a Redis URL has the form redis://host:port or redis:///path/to/socket
64 bloom: STORE: a cluster URL has the form redis-cluster://host:port,host:port,...
64 bloom: STORE: a cluster URL has the form redis-cluster://host:port,host:port,...
64 bloom: STORE: a cluster URL has the form redis-cluster://host:port,host:port,...
64 bloom: STORE: a cluster URL has the form redis-cluster://host:port,host:port,...
64 bloom: STORE: a cluster URL has the form redis-cluster://host:port,host:port,...
64 bloom: STORE: a cluster URL has the form redis-cluster://host:port,host:port,...
64 bloom: STORE: ?db= is not allowed; use ?prefix=
64 bloom: STORE: a Memcached URL has the form memcached://host:port or memcached:///path/to/socket
64 bloom: STORE: a Memcached URL has the form memcached://host:port or memcached:///path/to/socket
64 bloom: STORE: a Memcached URL has the form memcached://host:port or memcached:///path/to/socket
64 bloom: STORE: a Memcached URL has the form memcached://host:port or memcached:///path/to/socket
64 bloom: STORE: a Memcached URL has the form memcached://host:port or memcached:///path/to/socket
64 bloom: STORE: a Memcached URL has the form memcached://host:port or memcached:///path/to/socket
64 bloom: STORE: a Memcached URL has the form memcached://host:port or memcached:///path/to/socket
64 bloom: STORE: ?db= is not allowed; use ?prefix=
64 bloom: STORE: the port 99999 is not in the range 1 to 65535
64 bloom: STORE: the port 0 is not in the range 1 to 65535
64 bloom: STORE: the port 65536 is not in the range 1 to 65535
64 bloom: STORE: the port 99999999999999999999 is not in the range 1 to 65535
64 bloom: STORE: the user has no password: put one into the URL or into REDISCLI_AUTH
64 bloom: STORE: the user has no password: put one into the URL or into REDISCLI_AUTH
64 bloom: STORE: there is a / or a ? before the last @: in a password, write %2F for a /, %3F for a ? and %40 for an @; after the host, write %40 for an @
64 bloom: STORE: there is a / or a ? before the last @: in a password, write %2F for a /, %3F for a ? and %40 for an @; after the host, write %40 for an @
64 bloom: STORE: there is a / or a ? before the last @: in a password, write %2F for a /, %3F for a ? and %40 for an @; after the host, write %40 for an @
64 bloom: STORE: there is a / or a ? before the last @: in a password, write %2F for a /, %3F for a ? and %40 for an @; after the host, write %40 for an @
64 bloom: STORE: there is a / or a ? before the last @: in a password, write %2F for a /, %3F for a ? and %40 for an @; after the host, write %40 for an @
75 bloom: the store redis://{free}: %s
75 bloom: the store redis://{free}/1: %s
75 bloom: the store redis://{free}: %s
75 bloom: the store redis://{dir}/files/no.sock: %s
75 bloom: the store unix://{dir}/files/no.sock?db=1: %s
75 bloom: the store redis-cluster://{free},127.0.0.1:1: %s
75 bloom: the store redis-cluster://{free}: %s
75 bloom: the store memcached://{free}: %shost: {free}
75 bloom: the store memcached://{dir}/files/no.sock: %ssocket: {dir}/files/no.sock
66 bloom: the store missing does not exist: create the directory, or mount the file system that contains it
66 bloom: the store {dir}/files/missing too does not exist: create the directory, or mount the file system that contains it

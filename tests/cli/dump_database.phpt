--TEST--
The commands of docs/cli.md dump every key of MariaDB and PostgreSQL unchanged
--EXTENSIONS--
posix
pdo
mysqlnd
pdo_mysql
pdo_pgsql
--SKIPIF--
<?php
require __DIR__ . '/../lib/DatabaseServer.php';
foreach (['mariadb' => 'mysql', 'postgresql' => 'psql'] as $kind => $client) {
    $missing = DatabaseServer::missing($kind) ?? (shell_exec("command -v $client") === null ? $client : null);
    if ($missing !== null) {
        die("skip $missing is not installed");
    }
}
?>
--FILE--
<?php
require __DIR__ . '/../lib/DatabaseServer.php';

$page = file_get_contents(dirname(__DIR__, 2) . '/docs/cli.md');
$directory = sys_get_temp_dir() . '/bloom-dump-' . bin2hex(random_bytes(4));
mkdir($directory);
$keys = ['plain', 'back\\slash', '\\', '\\.', '\\N', '\\t', "a\ttab", '"quoted"', "it's", 'a,b', ' spaces ', 'ねこ', '', '#', 'x|y'];
foreach (['mariadb' => 'mysql', 'postgresql' => 'psql'] as $kind => $client) {
    $server = DatabaseServer::start($kind, "$directory/$kind");
    try {
        preg_match("~^\\| [^|]+ \\| `($client [^`]+ shop)`~m", $page, $found);
        $server->connect()->exec('CREATE DATABASE shop' . ($client === 'mysql' ? ' CHARACTER SET utf8mb4' : ''));
        $pdo = new PDO(preg_replace('/dbname=\w+/', 'dbname=shop', $server->dsn), $server->user, '');
        $pdo->exec('CREATE TABLE tags (tag VARCHAR(100))');
        $insert = $pdo->prepare('INSERT INTO tags (tag) VALUES (?)');
        array_map(static fn (string $key) => $insert->execute([$key]), $keys);
        // The connection comes from the environment, or from an option file.
        preg_match('~(?:unix_socket|host)=([^;]+)~', $server->dsn, $socket);
        $command = $client === 'mysql'
            ? preg_replace('~^mysql ~', "mysql --no-defaults --user=$server->user --socket=$socket[1] --default-character-set=utf8mb4 ", $found[1])
            : "PGHOST=$socket[1] PGUSER=$server->user $found[1]";
        $lines = explode("\n", substr((string) shell_exec("$command 2>&1"), 0, -1));
        sort($lines);
        sort($keys);
        echo "$client: ", $lines === $keys ? 'unchanged' : json_encode([$lines, $keys], JSON_UNESCAPED_UNICODE), "\n";
    } finally {
        unset($pdo, $insert);
        $server->stop();
    }
}
exec('rm -rf ' . escapeshellarg($directory));
?>
--EXPECT--
mysql: unchanged
psql: unchanged

<?php
/* Measures how long MediaWiki takes to render pages with many links and with many #ifexist calls, with and without the extension
 * of examples/mediawiki. Except in one row, the parser cache is off. The wiki runs in nginx and php-fpm, as root and on three databases: SQLite,
 * MariaDB on the same machine, and MariaDB behind a relay that delays each answer, as a network does. */

namespace BloomBench;

use Wiki;

require __DIR__ . '/common.php';
require __DIR__ . '/../tests/lib/bloom.inc';
require __DIR__ . '/../tests/lib/fpm.inc';
require __DIR__ . '/../tests/lib/DatabaseServer.php';
require __DIR__ . '/../examples/mediawiki/tests/wiki.inc';

const TITLES = 200_000;
const ROUNDS = 31;
const DELAY_US = 500;
/** name → titles, how many percent of them do not exist, the line of a title, and parameters of the request */
const PAGES = [
    '200 links, 20 % red' => [200, 20, '[[%s]]', ''],
    '500 links, 60 % red' => [500, 60, '[[%s]]', ''],
    '500 links, 60 % red, cached' => [500, 60, '[[%s]]', '&cache=1'],
    '90 #ifexist, 60 % absent' => [90, 60, '{{#ifexist:%s|yes|no}}', ''],
    '90 #ifexist, 90 % absent' => [90, 90, '{{#ifexist:%s|yes|no}}', ''],
];

/** Forwards connections from one unix socket to another, and answers DELAY_US later. */
function relay(string $from, string $to): never
{
    $listener = stream_socket_server("unix://$from");
    chmod($from, 0666);
    $clients = $servers = $late = [];
    while (true) {
        $readable = [$listener, ...$clients, ...$servers];
        $none = null;
        $wait = $late === [] ? null : max(0, intdiv($late[0][0] - hrtime(true), 1000));
        // select() sleeps too long, so the last part of the delay is a busy wait.
        stream_select($readable, $none, $none, $wait === null ? null : 0, $wait === null ? null : max(0, $wait - 100));
        foreach ($readable as $stream) {
            if ($stream === $listener) {
                $clients[] = stream_socket_accept($listener);
                $servers[] = stream_socket_client("unix://$to");
                continue;
            }
            $isClient = in_array($stream, $clients, true);
            $i = array_search($stream, $isClient ? $clients : $servers, true);
            $bytes = (string) fread($stream, 1 << 20);
            if ($bytes === '' && feof($stream)) {
                fclose($clients[$i]);
                fclose($servers[$i]);
                unset($clients[$i], $servers[$i]);
                $late = array_values(array_filter($late, fn ($entry) => $entry[1] !== $i));
                break;
            }
            if ($isClient) {
                fwrite($servers[$i], $bytes);
            } else {
                $late[] = [hrtime(true) + 1000 * DELAY_US, $i, $bytes];
            }
        }
        while ($late !== [] && $late[0][0] <= hrtime(true)) {
            [, $i, $bytes] = array_shift($late);
            fwrite($clients[$i], $bytes);
        }
    }
}

if (($argv[1] ?? '') === 'relay') {
    relay($argv[2], $argv[3]);
}

/** Starts a private MariaDB. Returns its socket. */
function start_mariadb(string $directory): string
{
    mkdir("$directory/data", 0755, true);
    chown($directory, WIKI_USER);
    chown("$directory/data", WIKI_USER);
    $server = ['mariadbd', '--no-defaults', '--user=' . WIKI_USER, "--datadir=$directory/data", "--tmpdir=$directory"];
    file_put_contents("$directory/tables.sql", \DatabaseServer::systemTables());
    exec(implode(' ', $server) . " --bootstrap <$directory/tables.sql 2>&1", $output, $code);
    $code === 0 || throw new \RuntimeException(implode("\n", $output));
    start_server(
        [...$server, "--socket=$directory/sock", '--skip-networking',
            "--pid-file=$directory/pid", '--innodb-buffer-pool-size=256M', '--innodb-flush-log-at-trx-commit=2'],
        "$directory/log",
        fn () => @stream_socket_client("unix://$directory/sock")
    );
    return "$directory/sock";
}

function mysql_options(string $socket, string $name): array
{
    return ['--dbname', $name, '--dbtype', 'mysql', '--dbserver', "localhost:$socket", '--dbuser', 'root', '--dbpass', '', '--installdbuser', 'root', '--installdbpass', ''];
}

/** Returns the text of a page with a line for each title. $red percent of the titles do not exist. */
function text(int $count, int $red, string $line): string
{
    $text = '';
    for ($i = 0; $i < $count; $i++) {
        $text .= sprintf("* $line\n", $i * $red % 100 < $red ? "Missing $i" : 'Article ' . $i * 389 % TITLES);
    }
    return $text;
}

putenv('TEST_PHP_EXECUTABLE=' . PHP_BINARY);
putenv('TEST_PHP_EXTRA_ARGS=-d extension=' . escapeshellarg(getenv('BLOOM_BENCH_MODULE')));
// The pools' user must be able to read the extension.
$directory = getenv('BLOOM_BENCH_DIRECTORY');
chmod($directory, 0755);
$mariadb = start_mariadb("$directory/mariadb");
start_server([PHP_BINARY, __FILE__, 'relay', "$directory/slow.sock", $mariadb], "$directory/relay.log", fn () => @stream_socket_client("unix://$directory/slow.sock"));
$rows = [['database', 'page', 'queries', 'with', 'titles', 'with', 'ms', 'p5', 'p95', 'with', 'p5', 'p95', '× plain']];
foreach (['SQLite' => [], 'MariaDB' => mysql_options($mariadb, 'near'), sprintf('MariaDB, %.1f ms away', DELAY_US / 1000) => mysql_options("$directory/slow.sock", 'far')] as $database => $options) {
    $wiki = new Wiki(['filter'], '', $options);
    $wiki->run('plain', __DIR__ . '/../examples/mediawiki/tests/WikiTitles.php', [(string) TITLES]);
    echo $wiki->build('filter'), "\n";
    $wiki->sync('filter');
    $n = 0;
    foreach (PAGES as $name => [$count, $red, $line, $query]) {
        $title = 'Page ' . ++$n;
        $wiki->edit('filter', $title, text($count, $red, $line));
        $queries = $bodies = [];
        foreach (['plain', 'filter'] as $host) {
            $wiki->view($host, $title, $query);
            $answer = $wiki->view($host, $title, "$query&count=1");
            $queries[$host] = $answer['headers'];
            $bodies[$host] = content($answer['body']);
        }
        $bodies['plain'] === $bodies['filter'] || throw new \RuntimeException("$database: $name is different with the filter");
        $times = interleaved([
            'plain' => fn () => $wiki->view('plain', $title, $query),
            'filter' => fn () => $wiki->view('filter', $title, $query),
        ], ROUNDS);
        $row = [$database, $name];
        foreach (['x-queries', 'x-titles'] as $header) {
            array_push($row, $queries['plain'][$header], $queries['filter'][$header]);
        }
        foreach ($times as $rounds) {
            foreach ([0.5, 0.05, 0.95] as $share) {
                $row[] = sprintf('%.1f', quantile($rounds, $share) / 1e6);
            }
        }
        $row[] = sprintf('%.2f', quantile(array_map(fn ($with, $plain) => $with / $plain, $times['filter'], $times['plain']), 0.5));
        $rows[] = $row;
    }
    $wiki->stop();
    clean();
}
report('MediaWiki, rendering a page', $rows, $argv[1]);

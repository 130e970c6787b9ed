<?php
/* Measures how long WordPress takes for requests of what does not exist, with and without the plugin of examples/wordpress, and
 * how much of that an index of wp_postmeta saves, which WordPress does not create. The site runs in php-fpm, as root, with a
 * MariaDB on the same machine. */

namespace BloomBench;

use Site;

require __DIR__ . '/common.php';
require __DIR__ . '/../tests/lib/bloom.inc';
require __DIR__ . '/../tests/lib/fpm.inc';
require __DIR__ . '/../examples/wordpress/tests/site.inc';

/** A third of them are files, a tenth of the others have an old slug, and a third of them have an author. */
const POSTS = 150_000;
const ROUNDS = 31;
const FILES = 10;
/** name → the path and the form of a request; or PHP code */
const REQUESTS = [
    'a path that no post has' => ['/a-path-that-no-post-has/', null],
    'the same with a directory' => ['/wp-content/a-path-that-no-post-has/', null],
    'an author who does not exist' => ['/author/an-author-who-does-not-exist/', null],
    'a login that does not exist' => ['/wp-login.php', ['log' => 'nobody@site.test', 'pwd' => 'secret']],
    FILES . ' files that do not exist' => 'for ($i = 0; $i < ' . FILES . '; $i++) {
            attachment_url_to_postid("http://site.test/wp-content/uploads/2020/01/missing-$i.jpg");
        }
        return count($GLOBALS["wpdb"]->queries ?? []);',
    'a post' => ['/hello-world/', null],
];

putenv('TEST_PHP_EXECUTABLE=' . PHP_BINARY);
putenv('TEST_PHP_EXTRA_ARGS=-d extension=' . escapeshellarg(getenv('BLOOM_BENCH_MODULE')));
// The pools' user must be able to read the extension.
chmod(getenv('BLOOM_BENCH_DIRECTORY'), 0755);
$site = new Site(['filter']);
$database = $site->database->connect();
foreach (
    [
        "INSERT INTO wp_posts (post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, post_status, post_name, to_ping,
                pinged, post_modified, post_modified_gmt, post_content_filtered, post_type)
            SELECT 1, '2020-01-01' + INTERVAL seq MINUTE, '2020-01-01' + INTERVAL seq MINUTE, REPEAT('text ', 200), CONCAT('Post ', seq), '',
                IF(seq % 3 = 0, 'inherit', 'publish'), CONCAT('post-', MD5(seq)), '', '', '2020-01-01', '2020-01-01', '',
                IF(seq % 3 = 0, 'attachment', 'post')
            FROM seq_1_to_" . POSTS,
        "INSERT INTO wp_postmeta (post_id, meta_key, meta_value)
            SELECT ID, '_wp_attached_file', CONCAT('2020/01/', post_name, '.jpg') FROM wp_posts WHERE post_type = 'attachment'",
        "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ID, '_edit_last', '1' FROM wp_posts WHERE post_type = 'post'",
        "INSERT INTO wp_postmeta (post_id, meta_key, meta_value)
            SELECT ID, '_wp_old_slug', CONCAT('old-', post_name) FROM wp_posts WHERE post_type = 'post' AND ID % 10 = 0",
        "INSERT INTO wp_users (user_login, user_pass, user_nicename, user_email, user_registered, display_name)
            SELECT CONCAT('user', seq), '', CONCAT('user', seq), CONCAT('user', seq, '@site.test'), '2020-01-01', '' FROM seq_1_to_" . intdiv(POSTS, 3),
    ] as $sql
) {
    $database->exec($sql) > 0 || throw new \RuntimeException($sql);
}
echo $site->build('filter'), "\n";
$site->sync('filter');
$rows = [['index', 'request', 'queries', 'with', 'ms', 'p5', 'p95', 'with', 'p5', 'p95', '× plain']];
foreach (['WordPress\'s', 'meta_value'] as $index) {
    if ($index === 'meta_value') {
        $database->exec('ALTER TABLE wp_postmeta ADD INDEX meta_key_value (meta_key(64), meta_value(127))');
    }
    $database->query('ANALYZE TABLE wp_posts, wp_postmeta, wp_users')->fetchAll();
    foreach (REQUESTS as $name => $request) {
        $send = fn (string $host, bool $isTimed) => is_string($request) ? $site->run($host, $request, $isTimed)
            : $site->request($host, $request[0], $request[1], $isTimed);
        $queries = $bodies = [];
        foreach (['plain', 'filter'] as $host) {
            $send($host, false);
            $answer = $send($host, false);
            $queries[$host] = is_int($answer) ? $answer : count($answer['queries']);
            $bodies[$host] = is_int($answer) ? '' : $answer['body'];
        }
        $bodies['plain'] === $bodies['filter'] || throw new \RuntimeException("$name is different with the filter");
        $times = interleaved(['plain' => fn () => $send('plain', true), 'filter' => fn () => $send('filter', true)], ROUNDS);
        $row = [$index, $name, $queries['plain'], $queries['filter']];
        foreach ($times as $rounds) {
            foreach ([0.5, 0.05, 0.95] as $share) {
                $row[] = sprintf('%.1f', quantile($rounds, $share) / 1e6);
            }
        }
        $row[] = sprintf('%.2f', quantile(array_map(fn ($with, $plain) => $with / $plain, $times['filter'], $times['plain']), 0.5));
        $rows[] = $row;
    }
}
$site->stop();
clean();
report('WordPress, requests for what does not exist', $rows, $argv[1]);

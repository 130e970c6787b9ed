--TEST--
The other hosts find what one host writes after their next sync, however it was written
--EXTENSIONS--
bloom
mysqlnd
mysqli
pdo
pdo_mysql
mbstring
ctype
iconv
fileinfo
dom
xml
xmlreader
simplexml
intl
tokenizer
posix
--SKIPIF--
<?php
require __DIR__ . '/../../../tests/lib/fpm.inc';
require __DIR__ . '/site.inc';
skip_without_wordpress();
?>
--INI--
bloom.path={TMP}/bloom-site_hosts
--FILE--
<?php
require __DIR__ . '/../../../tests/lib/bloom.inc';
require __DIR__ . '/../../../tests/lib/fpm.inc';
require __DIR__ . '/site.inc';

$site = new Site(['a', 'b']);
$site->run('plain', <<<'PHP'
    wp_insert_post(['post_title' => 'Old name', 'post_status' => 'publish']);
    wp_insert_post(['post_title' => 'To be deleted', 'post_status' => 'publish']);
    PHP);
$site->build('a');
array_map($site->sync(...), ['a', 'b']);

// Each name is looked up by its path, as a login, as an e-mail address and as a file.
$names = ['created', 'page-of-a', 'new-name', 'old-name', '1234-2', 'a-draft', 'by-wpdb', 'by-sql', 'by-two-rows', 'hostile', 'long-text', 'to-be-deleted__trashed', 'picture', 'sie-heisst-maria',
    'rolled-back', 'killed', 'never'];
$lookups = 'wp_set_current_user(1); foreach (' . var_export($names, true) . <<<'PHP'
    as $name) {
        foreach (['post', 'page', 'attachment'] as $type) {
            (new WP_Query(['name' => $name, 'post_type' => $type, 'post_status' => ['publish', 'draft', 'inherit', 'trash']]))->posts === [] || $found[] = "$name ($type)";
        }
        $GLOBALS['wp_query']->set('name', $name);
        _find_post_by_old_slug('post') === 0 || $found[] = "$name (old slug)";
        username_exists($name) === false || $found[] = "$name (login)";
        email_exists("$name@site.test") === false || $found[] = "$name (e-mail)";
        get_user_by('slug', $name) === false || $found[] = "$name (author)";
        attachment_url_to_postid("http://site.test/wp-content/uploads/$name.jpg") === 0 || $found[] = "$name (file)";
    }
    return implode(', ', $found ?? []) ?: 'nothing';
    PHP;
$show = static function (string $when, string ...$hosts) use ($site, $lookups): void {
    static $before;
    $all = $site->run('plain', $lookups);
    echo "-- $when\n", $all === $before ? '' : "the database has $all\n";
    $before = $all;
    foreach ($hosts as $host) {
        $found = $site->run($host, $lookups);
        echo "$host: ", $found === $all ? 'all' : $found, "\n";
    }
};
$show('the first filter', 'a', 'b');

echo 'errors: ', json_encode($site->run('a', <<<'PHP'
    global $wpdb;
    $wpdb->suppress_errors();
    $post = ['post_status' => 'publish', 'post_content' => 'text'];
    wp_insert_post($post + ['post_title' => 'Created']);
    wp_insert_post(['post_type' => 'page', 'post_title' => 'Page of a'] + $post);
    wp_update_post(['ID' => $wpdb->get_var("SELECT ID FROM $wpdb->posts WHERE post_name = 'old-name'"), 'post_name' => 'new-name']);
    // Without a title, the slug is the number of the post, which is written after the row.
    wp_insert_post(['import_id' => 1234] + $post);
    wp_insert_post(['post_title' => 'Draft', 'post_name' => 'a-draft']);
    wp_trash_post($wpdb->get_var("SELECT ID FROM $wpdb->posts WHERE post_name = 'to-be-deleted'"));
    wp_insert_attachment(['post_title' => 'Picture', 'post_status' => 'inherit', 'post_mime_type' => 'image/jpeg'], 'picture.jpg');
    $errors[] = wp_insert_user(['user_login' => 'created', 'user_pass' => 'x', 'user_email' => 'created@site.test', 'user_nicename' => 'page-of-a']) > 0;
    wp_update_user(['ID' => username_exists('created'), 'user_email' => 'new-name@site.test']);
    $wpdb->insert($wpdb->users, ['user_login' => "Sie-Heißt-María", 'user_email' => 'by-wpdb@site.test']);

    $row = ['post_title' => '', 'post_content' => '', 'post_excerpt' => '', 'to_ping' => '', 'pinged' => '', 'post_content_filtered' => '', 'post_type' => 'post', 'post_status' => 'publish'];
    $columns = implode(', ', array_keys($row));
    $values = "'" . implode("', '", $row) . "'";
    $wpdb->insert($wpdb->posts, ['post_name' => 'by-wpdb'] + $row);
    $wpdb->query("/* by a plugin */ INSERT IGNORE INTO `test`.`$wpdb->posts` ($columns, post_name) VALUES ($values, 'first-row'), ($values, 'by-two-rows')");
    $wpdb->query("UPDATE $wpdb->posts SET post_name = \"by-sql\" WHERE post_name = 'first-row'");
    // Text that looks like SQL, and text so long that a regular expression could give up.
    foreach (["`post_name` = ", "', `post_name` = 'x", "it's \\' a \\\\'", '"', "\\", "`a` `b` 'c' NULL 1, (2)", "--\n/*", '%s {x} %'] as $i => $text) {
        $errors[] = $wpdb->insert($wpdb->posts, ['post_content' => $text, 'post_name' => $i < 7 ? "hostile-$i" : 'hostile', 'post_excerpt' => $text] + $row);
        $errors[] = $wpdb->update($wpdb->posts, ['post_content' => $text, 'post_name' => $i < 7 ? "update-$i" : 'hostile', 'post_excerpt' => $text], ['post_name' => "hostile-$i"]) !== false;
    }
    $errors[] = $wpdb->insert($wpdb->posts, ['post_content' => str_repeat("it's `post_name` ü\n", 300_000), 'post_name' => 'long-text'] + $row);

    $wpdb->query('START TRANSACTION');
    $wpdb->insert($wpdb->posts, ['post_name' => 'rolled-back'] + $row);
    $wpdb->query('ROLLBACK');
    return array_count_values(array_map('json_encode', $errors));
    PHP)), "\n";
// The process ends after the key is in the journal, and before the database has the row.
try {
    $site->run('a', <<<'PHP'
        add_filter('query', static fn ($sql) => strpos($sql, 'INSERT INTO `wp_posts`') === 0 ? exit : $sql, PHP_INT_MAX);
        wp_insert_post(['post_title' => 'Killed', 'post_status' => 'publish']);
        PHP);
} catch (RuntimeException) {
    echo "killed\n";
}
$show('written on a', 'a', 'b');
echo 'a asks the database about ', implode(', ', $site->run('a', <<<'PHP'
    return array_values(array_filter(['rolled-back', 'killed', 'never'], static function (string $name): bool {
        $before = count($GLOBALS['wpdb']->queries);
        new WP_Query(['name' => $name, 'post_type' => 'post']);
        return count($GLOBALS['wpdb']->queries) > $before;
    }));
    PHP)), "\n";
$site->sync('b');
$show('b has synced', 'b');

echo "-- what WordPress checks before it writes comes from the database\n";
$site->run('a', 'wp_insert_user(["user_login" => "late", "user_pass" => "x", "user_email" => "late@site.test"]);');
echo json_encode($site->run('b', <<<'PHP'
    return [username_exists('late'), email_exists('late@site.test'),
        array_keys(wp_insert_user(['user_login' => 'late', 'user_pass' => 'x', 'user_email' => 'other@site.test'])->errors),
        array_keys(wp_insert_user(['user_login' => 'other', 'user_pass' => 'x', 'user_email' => 'late@site.test'])->errors)];
    PHP)), "\n";
echo json_encode($site->run('b', 'do_action("bloom_ask_database"); return username_exists("late") > 0;')), "\n";

$site->reboot('b');
$show('b has rebooted', 'b');
$site->sync('b');
$show('b has synced again', 'b');
$site->build('a');
array_map($site->sync(...), ['a', 'b']);
$show('the next build', 'a', 'b');

echo "-- with an object cache, nothing is answered that WordPress puts into it\n";
$cached = $site->run('b', <<<'PHP'
    wp_using_ext_object_cache(true);
    get_page_by_path('nobody');
    username_exists('nobody');
    return array_values(preg_grep('/nobody/', array_column($GLOBALS['wpdb']->queries, 0)));
    PHP);
foreach ($cached as $query) {
    echo trim(preg_replace('/\s+/', ' ', $query)), "\n";
}

$site->sync('b', 0.001);
$site->run('a', 'wp_insert_post(["post_title" => "Never", "post_status" => "publish"]);');
usleep(10_000);
echo "-- b is behind for more than its maximum lag\n", str_contains($site->run('b', $lookups), 'never (post)') ? 'found' : 'denied', "\n";
$site->stop();
?>
--CLEAN--
<?php
require __DIR__ . '/../../../tests/lib/bloom.inc';
clean();
?>
--EXPECT--
-- the first filter
the database has old-name (post)
a: all
b: all
errors: {"true":9,"1":9}
killed
-- written on a
the database has created (post), created (login), page-of-a (page), page-of-a (author), new-name (post), new-name (e-mail), old-name (old slug), 1234-2 (post), a-draft (post), by-wpdb (post), by-wpdb (e-mail), by-sql (post), by-two-rows (post), hostile (post), long-text (post), to-be-deleted__trashed (post), picture (attachment), picture (file), sie-heisst-maria (login)
a: all
b: nothing
a asks the database about rolled-back, killed
-- b has synced
b: all
-- what WordPress checks before it writes comes from the database
[false,false,["existing_user_login"],["existing_user_email"]]
true
-- b has rebooted
b: all
-- b has synced again
b: all
-- the next build
a: all
b: all
-- with an object cache, nothing is answered that WordPress puts into it
SELECT ID, post_name, post_parent, post_type FROM wp_posts WHERE post_name IN ('nobody') AND post_type IN ('page','attachment')
-- b is behind for more than its maximum lag
found

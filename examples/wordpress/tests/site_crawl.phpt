--TEST--
With the filter, every page of WordPress has the same status, headers and text, and WordPress sends fewer queries
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
bloom.path={TMP}/bloom-site_crawl
--FILE--
<?php
require __DIR__ . '/../../../tests/lib/bloom.inc';
require __DIR__ . '/../../../tests/lib/fpm.inc';
require __DIR__ . '/site.inc';

$site = new Site(['filter', 'unloaded']);
$site->run('plain', <<<'PHP'
    foreach (['First post' => 'post', 'Second post, with a longer title' => 'post', 'About' => 'page', 'Ünïcödé 页' => 'post'] as $title => $type) {
        $ids[$title] = wp_insert_post(['post_title' => $title, 'post_type' => $type, 'post_status' => 'publish', 'post_content' => "Text of $title",
            'post_date' => '2020-02-03 04:05:0' . count($ids ?? [])]); // different dates, because lists of posts are sorted by them
    }
    wp_insert_post(['post_title' => 'Team', 'post_type' => 'page', 'post_status' => 'publish', 'post_parent' => $ids['About']]);
    wp_insert_post(['post_title' => 'Draft', 'post_status' => 'draft', 'post_name' => 'a-draft']);
    wp_update_post(['ID' => $ids['First post'], 'post_name' => 'renamed-post']);
    wp_update_post(['ID' => $ids['Second post, with a longer title'], 'post_date' => '2021-06-07 00:00:00', 'edit_date' => true]);
    $file = wp_insert_attachment(['post_title' => 'Picture', 'post_status' => 'inherit', 'post_mime_type' => 'image/jpeg'], '2020/02/Bild-Ä.jpg');
    wp_insert_user(['user_login' => 'Jose', 'user_pass' => 'secret', 'user_email' => 'Jose@site.test', 'user_nicename' => 'jose']);
    update_option('wp_attachment_pages_enabled', 1); // from 6.4 on, WordPress would redirect from the page of an attachment to its file
    // What WordPress would not write itself, but what the database finds.
    $GLOBALS['wpdb']->update($GLOBALS['wpdb']->users, ['user_login' => 'Grüße', 'user_email' => 'gruesse@site.test'], ['user_login' => 'admin']);
    $GLOBALS['wpdb']->update($GLOBALS['wpdb']->posts, ['post_name' => 'STRASSE'], ['post_name' => 'hello-world']);
    PHP);
echo strtok($site->build('filter'), ','), "\n";
$site->sync('filter');

$requests = [];
$paths = ['', 'first-post', 'renamed-post', 'RENAMED-POST', 'second-post-with-a-longer-title', 'second-post-with', 'second', 'second-nothing', 'sec', 'about', 'about/team',
    'about/nobody', 'nobody/team', 'team', 'a-draft', 'a-draft-too', '%C3%BCn%C3%AFc%C3%B6d%C3%A9-%E9%A1%B5', '%E9%A1%B5', 'strasse', 'stra%C3%9Fe', 'strase', 'picture', 'nothing',
    'nothing/at/all/here', 'nothing-like-that-in-this-blog', "it's", 'back%5Cslash', '100%25', 'under_score_and_more', '.env', 'wp-admin.php.bak', 'nothing/feed', 'renamed-post/feed',
    'nothing/page/2', 'renamed-post/2', 'author/jose', 'author/jos%C3%A9', 'author/nobody', 'category/uncategorized', 'category/none', 'tag/none', '2020', '2020/02', '2020/02/03',
    'sitemap.xml', 'wp-sitemap.xml', 'robots.txt', 'favicon.ico', '1', '2020/02/Bild-%C3%84.jpg', str_repeat('long-', 60), str_repeat('%E9%A1%B5', 40)];
foreach (['/%postname%/', '/%year%/%monthnum%/%postname%/', '/archives/%post_id%', ''] as $structure) {
    foreach ($paths as $path) {
        $requests[$structure][] = ["/$path" . ($path === '' || str_contains(basename($path), '.') ? '' : '/'), null];
    }
}
foreach (['2020/02/first-post', '2020/02/renamed-post', '2020/02/second-post-with-a-longer-title', '2021/06/second-post-with-a-longer-title', '2020/03/renamed-post',
    '2020/02/nothing', '2020/02/second-post', '2020/02/second-post-with'] as $path) {
    $requests['/%year%/%monthnum%/%postname%/'][] = ["/$path/", null];
}
foreach (['name=first-post', 'name=nothing-at-all', 'pagename=about', 'pagename=about/nothing', 'attachment=picture', 'attachment=nothing', 'author_name=nobody',
    'author_name=jose', 'p=4', 'p=4444', 'page_id=44', 'name=nothing&year=2020&monthnum=2&day=3', 'name=first-post&year=2020&monthnum=2&day=3', 'name[]=nothing',
    'name=nothing&post_type=page', 'name=nothing&post_type[]=post&post_type[]=page', 'name=nothing-to-see&feed=rss2', 's=nothing'] as $query) {
    $requests[''][] = ["/?$query", null];
}
foreach (['Jose', 'jose', 'JOSÉ', 'grusse', 'GRÜSSE', 'Grüße', 'nobody', 'jose@site.test', 'JOSÉ@SITE.TEST', 'nobody@site.test', "o'hara", ''] as $user) {
    $requests[''][] = ['/wp-login.php', ['log' => $user, 'pwd' => 'wrong']];
    // For a login with ß, WordPress changes the nicename at each such request.
    if (stripos($user, 'gr') !== 0) {
        $requests[''][] = ['/wp-login.php?action=lostpassword', ['user_login' => $user]];
    }
}
$saved = [];
foreach ($requests as $structure => $list) {
    $site->run('plain', '$GLOBALS["wp_rewrite"]->set_permalink_structure(' . var_export($structure, true) . '); flush_rewrite_rules(false);');
    foreach (['plain', 'filter', 'unloaded'] as $host) {
        $site->request($host, '/'); // writes the options that the first request finds missing
    }
    $statuses = [];
    foreach ($list as [$uri, $form]) {
        $answers = [];
        foreach (['plain', 'filter', 'unloaded'] as $host) {
            $answers[$host] = $site->request($host, $uri, $form);
        }
        $what = trim("$structure $uri " . ($form === null ? '' : current($form)));
        foreach (['status', 'headers', 'body'] as $part) {
            foreach (['filter', 'unloaded'] as $host) {
                check($answers['plain'][$part] === $answers[$host][$part], "$what: $part of $host: " . json_encode([$answers['plain'][$part], $answers[$host][$part]]));
            }
        }
        $lookups = array_map(fn ($answer) => array_values(preg_grep('/^\s*SELECT\b.*(post_name|_wp_(old|attached)_|user_(login|email|nicename) =)/s', $answer['queries'])), $answers);
        check($lookups['plain'] === $lookups['unloaded'], "$what: the same queries without a loaded filter");
        check(array_diff($lookups['filter'], $lookups['plain']) === [], "$what: no other queries");
        $status = preg_replace('/^30[12]$/', '30x', (string) $answers['plain']['status']); // versions of WordPress redirect differently
        $statuses[$status] = ($statuses[$status] ?? 0) + 1;
        $saved[$what] = array_map(count(...), $lookups);
    }
    ksort($statuses);
    echo $structure ?: 'plain permalinks', ': ', json_encode($statuses), "\n";
}
foreach (['/%postname%/ /nothing-like-that-in-this-blog/', '/%postname%/ /nothing/at/all/here/', '/%postname%/ /author/nobody/', '/%postname%/ /renamed-post/',
    '/?name=nothing-at-all', '/wp-login.php nobody', '/wp-login.php nobody@site.test'] as $what) {
    echo "$what: {$saved[$what]['plain']} -> {$saved[$what]['filter']} lookups\n";
}

echo "-- functions\n";
$results = [];
foreach (['plain', 'filter', 'unloaded'] as $host) {
    $results[$host] = $site->run($host, <<<'PHP'
        foreach (['Jose', 'JOSÉ', 'grusse', 'nobody', 'Jose@site.test', 'JOSÉ@site.test', 'nobody@site.test', '', ' jose ', 'jose  '] as $user) {
            $found[] = [username_exists($user), email_exists($user), get_user_by('slug', $user)->ID ?? null];
        }
        foreach (['2020/02/Bild-Ä.jpg', '2020/02/bild-a.jpg', '2020/02/none.jpg', '2020/02/😀.jpg', "it's.jpg", '', '2020/02/Bild-Ä-150x150.jpg'] as $file) {
            $found[] = attachment_url_to_postid("http://site.test/wp-content/uploads/$file");
        }
        foreach (['about', 'about/team', 'about/none', 'none/team', 'none', ''] as $path) {
            $found[] = get_page_by_path($path)->ID ?? null;
        }
        // Statements whose results are not empty although no row has the value, or that ask for more.
        global $wpdb;
        $wpdb->suppress_errors();
        foreach (["SELECT COUNT(*) FROM $wpdb->posts WHERE post_name = 'none'", "SELECT ID FROM $wpdb->posts WHERE post_name = 'none' OR ID = 1",
            "SELECT * FROM $wpdb->users WHERE user_login = 'nobody' OR ID = 1 LIMIT 1", "SELECT * FROM $wpdb->users WHERE user_login = 'nobody' UNION SELECT * FROM $wpdb->users",
            "SELECT post_id, meta_value FROM $wpdb->postmeta WHERE meta_key = '_wp_attached_file' AND meta_value = 'none' OR 1=1",
            "SELECT * FROM $wpdb->users WHERE user_login = 'nobody\\' OR 1=1 -- ' LIMIT 1"] as $sql) {
            $found[] = $wpdb->get_results($sql);
        }
        // The result of an earlier statement must not remain.
        $wpdb->get_results("SELECT 1");
        $found[] = [$wpdb->get_var("SELECT * FROM $wpdb->users WHERE user_login = 'nobody' LIMIT 1"), $wpdb->num_rows, $wpdb->last_error, $wpdb->last_result];
        $found[] = [$wpdb->query("INSERT INTO $wpdb->options (option_name, option_value) VALUES ('text', '\xC3')"), $wpdb->last_error];
        // Nor must the number of a new row get lost.
        $wpdb->insert($wpdb->postmeta, ['post_id' => 0, 'meta_key' => 'test', 'meta_value' => '']);
        username_exists('nobody');
        $found[] = (int) ($wpdb->insert_id > 0);
        $wpdb->delete($wpdb->postmeta, ['meta_key' => 'test']);
        return $found;
        PHP);
}
check($results['plain'] === $results['filter'], json_encode($results['plain']) . "\n" . json_encode($results['filter']));
check($results['plain'] === $results['unloaded'], 'equal without a loaded filter');
echo count(array_filter($results['plain'], fn ($result) => is_int($result) ? $result > 0 : is_array($result) && array_filter($result) !== [])), " of ", count($results['plain']), " find something\n";
$site->stop();
?>
--CLEAN--
<?php
require __DIR__ . '/../../../tests/lib/bloom.inc';
clean();
?>
--EXPECT--
blog: 29 keys
/%postname%/: {"200":19,"30x":9,"404":24}
/%year%/%monthnum%/%postname%/: {"200":17,"30x":15,"404":28}
/archives/%post_id%: {"200":3,"30x":19,"404":30}
plain permalinks: {"200":74,"30x":9,"404":8}
/%postname%/ /nothing-like-that-in-this-blog/: 4 -> 0 lookups
/%postname%/ /nothing/at/all/here/: 1 -> 0 lookups
/%postname%/ /author/nobody/: 2 -> 0 lookups
/%postname%/ /renamed-post/: 2 -> 2 lookups
/?name=nothing-at-all: 3 -> 0 lookups
/wp-login.php nobody: 2 -> 0 lookups
/wp-login.php nobody@site.test: 4 -> 0 lookups
-- functions
18 of 32 find something

--TEST--
Without the extension, its store or a readable filter, WordPress reads and writes as without the plugin
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
bloom.path={TMP}/bloom-site_unavailable
--FILE--
<?php
require __DIR__ . '/../../../tests/lib/bloom.inc';
require __DIR__ . '/../../../tests/lib/fpm.inc';
require __DIR__ . '/site.inc';

$site = new Site(['a', 'b', 'shadow'], "basename(__DIR__) === 'shadow' && define('BLOOM_SHADOW', 1.0);");
$store = "$site->directory/store";
echo strtok($site->build('a'), ','), "\n";
array_map($site->sync(...), ['a', 'b', 'shadow']);
$create = static fn (string $title): string => "return wp_insert_post(['post_title' => '$title', 'post_status' => 'publish']) > 0"
    . " && wp_insert_user(['user_login' => '$title', 'user_pass' => 'x', 'user_email' => '$title@site.test']) > 0;";
$show = static function (string $when, string $host, string ...$titles) use ($site): void {
    $answers = array_map(fn ($title) => $site->request($host, '/' . strtolower($title) . '/'), array_combine($titles, $titles));
    $asks = array_filter($answers, fn ($answer) => preg_grep('/post_name = /', $answer['queries']) !== []);
    echo "$when: ", json_encode(array_map(fn ($answer) => $answer['status'], $answers)), ', ', count($asks), " of them ask the database\n";
    $plain = array_map(fn ($title) => $site->request('plain', '/' . strtolower($title) . '/')['status'], $titles);
    check(array_column($answers, 'status') === $plain, "$when: as without the plugin");
};
$waiting = static function () use ($site): void {
    $keys = $site->run('plain', 'return get_option("bloom_waiting", "");');
    echo 'waiting: ', strtr(trim(rawurldecode($keys)), "\n", ' ') ?: 'nothing', "\n";
};
$log = static function () use ($site): void {
    echo preg_replace('/(?<=journal: )(.*?): .*/', '$1 …', $site->log());
};
$show('filter', 'a', 'Hello-World', 'Never');

echo "-- the store fails\n";
rename($store, "$store.away");
var_dump($site->run('a', $create('First')));
$log();
var_dump($site->run('b', $create('Second')));
$log();
$waiting();
$show('a', 'a', 'First', 'Second', 'Never');
$show('b', 'b', 'First', 'Second', 'Never');
rename("$store.away", $store);
var_dump($site->run('b', $create('Third')));
$log();
$waiting();
$site->sync('a');
$show('a, after the next sync', 'a', 'First', 'Second', 'Third', 'Never');
$show('b, which has added all keys', 'b', 'First', 'Second', 'Third', 'Never');

echo "-- a process without bloom\n";
file_put_contents("$site->directory/create.php", "<?php \$_SERVER['HTTP_HOST'] = 'site.test'; define('ABSPATH', '$site->directory/a/'); require ABSPATH . 'wp-load.php';"
    . 'var_dump((static function () {' . $create('Fourth') . '})());');
echo $site->command('a', "$site->directory/create.php", false), "\n";
$log();
$waiting();
$show('b', 'b', 'Fourth', 'Never');
echo strtok($site->build('a'), ','), "\n";
$waiting();
array_map($site->sync(...), ['a', 'b', 'shadow']);
$show('b, after the next build', 'b', 'Fourth', 'Never');

echo "-- the filter cannot be read\n";
$segment = $site->segment('a');
chmod($segment, 0777);
$show('the segment is refused', 'a', 'First', 'Never');
chmod($segment, 0700);
rename($segment, "$segment.away");
touch($segment);
$show('the segment is a file', 'a', 'First', 'Never');
unlink($segment);
rename("$segment.away", $segment);
foreach (glob("$segment/blog@*/*.bloom") as $generation) {
    rename($generation, "$generation.away");
}
$show('the generation is missing', 'a', 'First', 'Never');
$site->reboot('a');
$show('the segment is missing', 'a', 'First', 'Never');
$site->sync('a');
$show('filter', 'a', 'First', 'Never');
$log();

echo "-- a row that the plugin has not seen\n";
$site->run('plain', $create('Unseen'));
echo 'a: ', $site->request('a', '/unseen/')['status'], "\n";
file_put_contents("$site->directory/keys", $site->command('a', Site::KEYS . " $site->directory/a"));
try {
    $site->command('a', Site::BLOOM . ' check ' . SITE_FILTER . " --served $site->directory/keys");
} catch (RuntimeException $error) {
    echo implode("\n", preg_grep('/missing/', explode("\n", $error->getMessage()))), "\n";
}
// A host's first request writes options that it finds missing, and the plugin lets a request that has inserted a row ask the database.
$site->request('shadow', '/');
$show('shadow', 'shadow', 'Unseen', 'Never', 'Nobody/First', 'First');
echo json_encode($site->run('shadow', '$counters = Bloom\Filter::find("blog")->info()->counters; return [$counters->checked > 0, $counters->denied];')), "\n";

echo "-- a table with another equality\n";
$site->database->connect()->exec("ALTER TABLE wp_users MODIFY user_login VARCHAR(60) CHARACTER SET latin1 COLLATE latin1_german2_ci");
try {
    $site->build('a');
} catch (RuntimeException $error) {
    echo strstr($error->getMessage(), 'exits with'), "\n";
}
$site->stop();
?>
--CLEAN--
<?php
require __DIR__ . '/../../../tests/lib/bloom.inc';
clean();
?>
--EXPECTF--
blog: 8 keys
filter: {"Hello-World":200,"Never":404}, 1 of them ask the database
-- the store fails
bool(true)
bloom: every host asks the database until new rows can be added to the journal: the store /store does not exist …
bool(true)
bloom: every host asks the database until new rows can be added to the journal: the store /store does not exist …
waiting: posts:first users:first users:First@site.test users:First posts:second users:second users:Second@site.test users:Second
a: {"First":200,"Second":200,"Never":404}, 3 of them ask the database
b: {"First":200,"Second":200,"Never":404}, 3 of them ask the database
bool(true)
waiting: nothing
a, after the next sync: {"First":200,"Second":200,"Third":200,"Never":404}, 3 of them ask the database
b, which has added all keys: {"First":200,"Second":200,"Third":200,"Never":404}, 3 of them ask the database
-- a process without bloom
bool(true)
bloom: every host asks the database until new rows can be added to the journal: Class "Bloom\Journal" not found
waiting: posts:fourth users:fourth users:Fourth@site.test users:Fourth
b: {"Fourth":200,"Never":404}, 2 of them ask the database
blog: 20 keys
waiting: nothing
b, after the next build: {"Fourth":200,"Never":404}, 1 of them ask the database
-- the filter cannot be read
the segment is refused: {"First":200,"Never":404}, 2 of them ask the database
the segment is a file: {"First":200,"Never":404}, 2 of them ask the database
the generation is missing: {"First":200,"Never":404}, 2 of them ask the database
the segment is missing: {"First":200,"Never":404}, 2 of them ask the database
filter: {"First":200,"Never":404}, 1 of them ask the database
-- a row that the plugin has not seen
a: 404
25 of 29 keys might be contained, 4 are missing
missing: posts:unseen
missing: users:Unseen
missing: users:Unseen@site.test
missing: users:unseen
shadow: {"Unseen":200,"Never":404,"Nobody\/First":301,"First":200}, 4 of them ask the database
[true,1]
-- a table with another equality
exits with 74: bloom: users.user_login has the collation latin1_german2_ci: convert it to utf8mb4_unicode_520_ci
bloom: COMMAND: %s failed with exit code 1, so nothing is published

--TEST--
The other hosts find a page that one host creates after their next sync, also in cached pages and after a reboot
--EXTENSIONS--
bloom
mbstring
intl
xml
dom
xmlreader
xmlwriter
simplexml
pdo
pdo_sqlite
ctype
fileinfo
iconv
tokenizer
calendar
posix
apcu
--SKIPIF--
<?php
require __DIR__ . '/../../../tests/lib/fpm.inc';
require __DIR__ . '/wiki.inc';
skip_without_mediawiki();
?>
--INI--
bloom.path={TMP}/bloom-wiki_hosts
--FILE--
<?php
require __DIR__ . '/../../../tests/lib/bloom.inc';
require __DIR__ . '/../../../tests/lib/fpm.inc';
require __DIR__ . '/wiki.inc';

$wiki = new Wiki(['a', 'b'], <<<'PHP'
    if (getenv('WIKI_STORE')) {
        require_once getenv('WIKI_STORE');
        $wgBloomLinksStore = (static fn ($directory) => static fn () => new WikiStore($directory, getenv('BEFORE_MARK') ?: 'true', getenv('AFTER_MARK') ?: 'true'))($wgBloomLinksStore);
    }
    PHP);
$hosts = ['a', 'b', 'plain'];
$new = ['Created', 'Imported', 'Moved', 'Restored', 'Restored partly', 'Talk:Moved', 'Raced', 'Killed', 'Before the mark', 'Behind'];
$show = static function (string $when) use ($wiki, $hosts, $new): void {
    echo "-- $when\n";
    foreach ($hosts as $host) {
        $red = array_keys(array_filter(links($wiki->view($host, 'Home')['body'])));
        $missing = array_intersect($new, $red);
        echo "$host: ", implode(', ', $missing) ?: 'no', ' red', in_array('Never', $red) ? '' : ', but Never is not', "\n";
    }
};

$pages = ['Home', 'Cached', 'Cached too', 'Page', 'Talk:Page'];
for ($i = 0; $i < 50; $i++) {
    $pages[] = "Article $i";
}
$wiki->import('plain', $pages);
$wiki->edit('plain', 'Home', implode(' ', array_map(fn ($title) => "[[$title]]", [...$new, 'Never', 'Article 1', 'Article 2'])));
foreach (['Cached', 'Cached too'] as $title) {
    $wiki->edit('plain', $title, '[[Late]] [[Never]] [[Article 3]]');
}
$wiki->edit('plain', 'Restored', 'Text');
$wiki->edit('plain', 'Restored partly', 'Text');
usleep(1_100_000); // revisions are restored by their times in seconds
$wiki->edit('plain', 'Restored partly', 'Second text');
foreach (['Restored', 'Restored partly'] as $title) {
    $wiki->api('plain', ['action' => 'delete', 'title' => $title]);
}
$wiki->build('a');
array_map($wiki->sync(...), ['a', 'b']);
$show('the first filter');

$wiki->edit('a', 'Created', 'Text');
$wiki->import('a', ['Imported']);
$wiki->api('a', ['action' => 'move', 'from' => 'Page', 'to' => 'Moved', 'movetalk' => 1]);
$wiki->api('a', ['action' => 'undelete', 'title' => 'Restored']);
$deleted = $wiki->api('a', ['action' => 'query', 'prop' => 'deletedrevisions', 'titles' => 'Restored partly', 'drvprop' => 'timestamp|ids']);
$revisions = current($deleted['query']['pages'])['deletedrevisions'];
$last = array_reduce($revisions, fn ($last, $revision) => $last['revid'] > $revision['revid'] ? $last : $revision, ['revid' => 0]);
echo count($revisions), " deleted revisions\n";
$wiki->api('a', ['action' => 'undelete', 'title' => 'Restored partly', 'timestamps' => $last['timestamp']]);
$show('pages were created on a');

$wiki->edit('a', 'Late', 'Text');
$wiki->maintenance('a', 'runJobs.php');
echo "-- the parser cache\n";
$cached = static function (string $host, string $title) use ($wiki): void {
    $links = links($wiki->view($host, $title, '&cache=1')['body']);
    echo "$host, $title: Late is ", $links['Late'] ? 'red' : 'blue', ', Never is ', $links['Never'] ? 'red' : 'blue', "\n";
};
$cached('b', 'Cached');
$cached('b', 'Cached too');
$cached('a', 'Cached');
$wiki->sync('b');
$cached('b', 'Cached too');
$show('b has synced');

// A build takes its mark while a page is created. A real build then waits for a minute; this one waits until the commit.
$file = static fn (string $name): string => "{$wiki->directory()}/$name";
$wait = static fn (string $name): string => 'until [ -e ' . escapeshellarg($file($name)) . ' ]; do sleep 0.01; done';
$build = $wiki->command('a', Wiki::BUILD, ['--settle=0'], ['WIKI_STORE' => __DIR__ . '/WikiStore.php',
    'AFTER_MARK' => 'touch ' . escapeshellarg($file('marked')) . "; {$wait('committed')}"]);
$wiki->run('a', __DIR__ . '/WikiTransaction.php', ['Raced', "($build >" . escapeshellarg($file('built')) . ' 2>&1; touch '
    . escapeshellarg($file('done')) . ") >/dev/null 2>&1 & {$wait('marked')}"]);
touch($file('committed'));
exec($wait('done'));
echo strtok(file_get_contents($file('built')), ','), "\n";
try {
    $wiki->run('a', __DIR__ . '/WikiTransaction.php', ['Killed', 'kill']);
} catch (RuntimeException $error) {
    echo str_contains($error->getMessage(), 'exits with 137') ? "killed\n" : $error->getMessage();
}
$transaction = $wiki->command('a', __DIR__ . '/WikiTransaction.php', ['Before the mark', 'true']);
$wiki->build('a', ['BEFORE_MARK' => $transaction, 'WIKI_STORE' => __DIR__ . '/WikiStore.php']);
array_map($wiki->sync(...), ['a', 'b']);
$show('a build ran during the creation of a page, a process was killed after another, and one was created before a mark');

$wiki->reboot('b');
$show('b has rebooted');
$wiki->sync('b');
$show('b has synced again');

$wiki->sync('b', 0.001);
$wiki->edit('a', 'Behind', 'Text');
usleep(10_000);
$show('b is behind for more than its maximum lag');
$wiki->stop();
echo $wiki->log();
?>
--CLEAN--
<?php
require __DIR__ . '/../../../tests/lib/bloom.inc';
clean();
?>
--EXPECT--
-- the first filter
a: Created, Imported, Moved, Restored, Restored partly, Talk:Moved, Raced, Killed, Before the mark, Behind red
b: Created, Imported, Moved, Restored, Restored partly, Talk:Moved, Raced, Killed, Before the mark, Behind red
plain: Created, Imported, Moved, Restored, Restored partly, Talk:Moved, Raced, Killed, Before the mark, Behind red
2 deleted revisions
-- pages were created on a
a: Raced, Killed, Before the mark, Behind red
b: Created, Imported, Moved, Restored, Restored partly, Talk:Moved, Raced, Killed, Before the mark, Behind red
plain: Raced, Killed, Before the mark, Behind red
-- the parser cache
b, Cached: Late is red, Never is red
b, Cached too: Late is red, Never is red
a, Cached: Late is blue, Never is red
b, Cached too: Late is blue, Never is red
-- b has synced
a: Raced, Killed, Before the mark, Behind red
b: Raced, Killed, Before the mark, Behind red
plain: Raced, Killed, Before the mark, Behind red
titles: 64 titles
killed
-- a build ran during the creation of a page, a process was killed after another, and one was created before a mark
a: Behind red
b: Behind red
plain: Behind red
-- b has rebooted
a: Behind red
b: Behind red
plain: Behind red
-- b has synced again
a: Behind red
b: Behind red
plain: Behind red
-- b is behind for more than its maximum lag
a: no red
b: no red
plain: no red

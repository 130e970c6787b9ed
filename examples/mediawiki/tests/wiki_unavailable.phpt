--TEST--
Without the extension, its store or a readable filter, MediaWiki asks the database, and logs each page that it could not announce
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
bloom.path={TMP}/bloom-wiki_unavailable
--FILE--
<?php
require __DIR__ . '/../../../tests/lib/bloom.inc';
require __DIR__ . '/../../../tests/lib/fpm.inc';
require __DIR__ . '/wiki.inc';

// Some scripts run without bloom, or with a store that does not exist.
$wiki = new Wiki(['a', 'b'], <<<'PHP'
    if (getenv('STORE')) {
        $wgBloomLinksStore = getenv('STORE') === 'null' ? null : getenv('STORE');
    }
    $wgShowExceptionDetails = true;
    PHP);
$segment = $wiki->segment('a');
$wiki->import('a', ['Known', 'Other']);
$wiki->build('a');
$wiki->sync('a');
$wiki->sync('b');

// A page that exists but is not in the filter shows whether the filter was asked.
$wiki->edit('plain', 'Unannounced', 'Text');
$file = $wiki->directory() . '/text';
file_put_contents($file, '[[Known]] [[Unknown]] [[Unannounced]] {{#ifexist:Unannounced|yes|no}}');
$show = static function (string $when, array $environment = [], bool $bloom = true, string $host = 'a') use ($wiki, $file): void {
    $html = $wiki->run($host, MEDIAWIKI . '/maintenance/parse.php', [$file], $environment, $bloom);
    $red = preg_match_all('~class="new" title="([^" ]*)~', $html, $found) ? implode(', ', $found[1]) : 'none';
    echo "$when: red: $red; ", str_contains($html, 'yes') ? 'yes' : 'no', "\n";
};
$show('filter');
echo "-- writes read the database\n";
foreach ([['move', 'from' => 'Other', 'to' => 'Unannounced'], ['edit', 'title' => 'Unannounced', 'appendtext' => ' and more']] as $parameters) {
    try {
        $answer = $wiki->api('a', ['action' => array_shift($parameters)] + $parameters);
        echo json_encode(array_intersect_key(current($answer), ['result' => 0, 'new' => 0])), "\n";
    } catch (RuntimeException $error) {
        echo $error->getMessage(), "\n";
    }
}
echo $wiki->api('plain', ['action' => 'parse', 'page' => 'Unannounced', 'prop' => 'wikitext'])['parse']['wikitext']['*'], "\n-- reads\n";
$show('without bloom', bloom: false);
$show('without a store', ['STORE' => 'null']);
chmod($segment, 0777);
$show('the segment is refused');
chmod($segment, 0700);
rename($segment, "$segment.away");
touch($segment);
$show('the segment is a file');
unlink($segment);
rename("$segment.away", $segment);
foreach (glob("$segment/titles@*/*.bloom") as $generation) {
    rename($generation, "$generation.away");
}
$show('the generation is missing');
foreach (glob("$segment/titles@*/*.away") as $generation) {
    rename($generation, substr($generation, 0, -5));
}
$show('filter');
preg_match_all('~ wiki: (The filter .*)~', $wiki->log(), $found);
echo str_replace($segment, '…', implode("\n", $found[1])), "\n-- pages\n";

$log = strlen($wiki->log());
$create = static function (string $title, array $environment, bool $bloom) use ($wiki, $file, &$log): void {
    $wiki->run('a', MEDIAWIKI . '/maintenance/edit.php', ['--no-rc', $title, $file], $environment, $bloom);
    $lines = preg_match_all('~ wiki: (New titles are (?:missing from|not yet in) the journal of \w+: .*)~', substr($wiki->log(), $log), $found);
    $log = strlen($wiki->log());
    echo "$title: ", str_replace($wiki->directory(), '', $found[1][0] ?? 'announced'), "\n";
};
$create('First', [], true);
$create('Second', [], false);
$create('Third', ['STORE' => '/dev/null/store'], true);
file_put_contents($file, '[[First]] [[Second]] [[Third]]');
$wiki->sync('b');
$show('before the jobs, on b', host: 'b');
$wiki->maintenance('a', 'runJobs.php');
$wiki->sync('b');
$show('after the jobs, on b', host: 'b');
$wiki->stop();
?>
--CLEAN--
<?php
require __DIR__ . '/../../../tests/lib/bloom.inc';
clean();
?>
--EXPECT--
filter: red: Unknown, Unannounced; no
-- writes read the database
a move: A page already exists at [[:Unannounced]], or the page name you have chosen is not valid. Please choose another name.
{"result":"Success"}
Text and more
-- reads
without bloom: red: Unknown; yes
without a store: red: Unknown; yes
the segment is refused: red: Unknown; yes
the segment is a file: red: Unknown; yes
the generation is missing: red: Unknown; yes
filter: red: Unknown, Unannounced; no
The filter titles cannot be read: … (mode 0777): refused: group or others may access it (directories must be 0700, files 0600)
The filter titles cannot be read: …: refused: it is not a regular file or directory, or it has several hard links: Not a directory
The filter titles cannot be read: …/titles: generation file 0000000000000001.bloom is missing: the operating system refused the operation
-- pages
First: announced
Second: New titles are missing from the journal of titles: Class "Bloom\Journal" not found
Third: New titles are missing from the journal of titles: /dev/null/store: the store's directory cannot be reached: Not a directory
before the jobs, on b: red: Second, Third; no
after the jobs, on b: red: none; no

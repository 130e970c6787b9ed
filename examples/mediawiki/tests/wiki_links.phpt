--TEST--
With the filter, MediaWiki renders all kinds of links as without it, and asks the database only about titles that may exist
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
bloom.path={TMP}/bloom-wiki_links
--FILE--
<?php
require __DIR__ . '/../../../tests/lib/bloom.inc';
require __DIR__ . '/../../../tests/lib/fpm.inc';
require __DIR__ . '/wiki.inc';

// Extensions decide about some titles, and one wiki converts titles between variants of a language.
$wiki = new Wiki(['filter', 'unloaded'], <<<'PHP'
    $wgHooks['TitleIsAlwaysKnown'][] = static function ($title, &$isKnown): void {
        $isKnown = match ($title->getText()) { 'Always known' => true, 'Never known' => false, default => $isKnown };
    };
    $wgHooks['TitleExists'][] = static function ($title, &$exists): void {
        $exists = $exists || $title->getText() === 'Exists by hook';
    };
    if (isset($_GET['zh'])) {
        $wgLanguageCode = 'zh';
    }
    $wgExtraNamespaces = [3000 => 'Extra', 3001 => 'Extra_talk'];
    PHP);

$existing = ['Talk:Article 1', '1234', 'Ünïcödé 页', '简体', 'User:Known', 'Category:Known', 'Extra:Known', 'Template:Known', 'MediaWiki:Own',
    'Never known', 'Foo:Bar', "Quote's & ampersand", 'A/Sub page', 'Help:1'];
for ($i = 0; $i < 200; $i++) {
    $existing[] = "Article $i";
}
$wiki->import('filter', $existing);
echo strtok($wiki->build('filter'), ','), "\n";
$wiki->sync('filter');

$texts = ['Many links' => '', 'Many calls' => '', 'Kinds' => '', 'Too many calls' => ''];
for ($i = 0; $i < 500; $i++) {
    $texts['Many links'] .= '* [[' . ($i % 5 < 2 ? 'Article ' . $i % 200 : "Missing $i") . "]]\n";
}
for ($i = 0; $i < 90; $i++) {
    $texts['Many calls'] .= '* {{#ifexist:' . ($i % 5 < 2 ? "Article $i" : "Missing $i") . "|yes|no}}\n";
}
foreach (
    [
        ...array_slice($existing, 0, 14), 'Talk:Article 2', '4321', 'Ünïcödé 頁', '簡體', 'User:Unknown', ':Category:Known', ':Category:Unknown',
        'Extra:Unknown', 'Extra talk:Known', 'Template:Unknown', 'MediaWiki:Aboutsite', 'MediaWiki:No such message', 'Always known',
        'Exists by hook', 'Bar:Foo', ':File:None.png', 'Media:None.png', 'Special:Version', 'Special:None', 'wikipedia:Foo', '#section',
        'Article 1#section', 'Missing#section', 'article 3', 'article_4', '/Sub page', 'Help:2', 'Project:Known',
    ] as $title
) {
    $texts['Kinds'] .= "* [[$title|link]] {{#ifexist:$title|yes|no}}\n";
}
$texts['Kinds'] .= "{{Known}} {{Missing template}} {{:Article 5}} {{GENDER:Unknown|he|she|they}} [[Category:Known]] [[Category:Unknown]]\n";
// Beyond 100 calls that are not in its cache, MediaWiki answers "no" without looking.
for ($i = 0; $i < 180; $i++) {
    $texts['Too many calls'] .= '* {{#ifexist:' . ($i % 5 < 2 ? "Article $i" : "Missing $i") . "|yes|no}}\n";
}
foreach ($texts as $title => $text) {
    $wiki->edit('filter', $title, $text);
}

foreach ($texts as $title => $text) {
    $answers = [];
    foreach (['plain', 'filter', 'unloaded'] as $host) {
        $answers[$host] = $wiki->view($host, $title, '&count=1');
    }
    $plain = content($answers['plain']['body']);
    check($plain === content($answers['filter']['body']), "$title: equal with the filter");
    check($plain === content($answers['unloaded']['body']), "$title: equal without a loaded filter");
    preg_match_all('~[> ](yes|no)\s*</li>~', $plain, $found);
    $calls = array_count_values($found[1]) + ['yes' => 0, 'no' => 0];
    printf("%s: %d red links, %d yes, %d no\n", $title, array_sum(links($answers['plain']['body'])), $calls['yes'], $calls['no']);
    foreach (str_contains($title, 'any') ? $answers : [] as $host => $answer) {
        echo "    $host: {$answer['headers']['x-missing']}\n";
    }
}

echo "-- variants\n";
foreach (['plain', 'filter'] as $host) {
    $html = content($wiki->view($host, 'Kinds', '&zh=1')['body']);
    echo md5($html) === md5($before ??= $html) ? 'equal' : 'different', "\n";
}
check(substr_count($html, 'title="简体"') === 2, 'a link to a variant becomes a link to the page that exists');

echo "-- API\n";
// The protection of a title that does not exist is in a different table.
$wiki->api('filter', ['action' => 'protect', 'title' => 'Missing 1', 'protections' => 'create=sysop']);
$query = ['action' => 'query', 'titles' => 'Article 1|Missing 1|Talk:Article 1|Special:None|Article 2', 'prop' => 'info', 'inprop' => 'protection'];
foreach (['plain', 'filter'] as $host) {
    foreach ($wiki->api($host, $query)['query']['pages'] as $page) {
        echo $page['title'], isset($page['missing']) ? ' is missing' : '', ($page['protection'] ?? []) !== [] ? ', protected' : '', '; ';
    }
    echo "\n";
}
$wiki->stop();
echo $wiki->log();
?>
--CLEAN--
<?php
require __DIR__ . '/../../../tests/lib/bloom.inc';
clean();
?>
--EXPECT--
titles: 215 titles
Many links: 300 red links, 0 yes, 0 no
    plain: 1 queries, 300 titles
    filter: 0 queries, 0 titles
    unloaded: 1 queries, 300 titles
Many calls: 0 red links, 36 yes, 54 no
    plain: 54 queries, 54 titles
    filter: 0 queries, 0 titles
    unloaded: 54 queries, 54 titles
Kinds: 20 red links, 20 yes, 22 no
Too many calls: 0 red links, 40 yes, 140 no
    plain: 60 queries, 60 titles
    filter: 0 queries, 0 titles
    unloaded: 60 queries, 60 titles
-- variants
equal
equal
-- API
Missing 1 is missing, protected; Special:None is missing; Article 1; Article 2; Talk:Article 1; 
Missing 1 is missing, protected; Special:None is missing; Article 1; Article 2; Talk:Article 1;

--TEST--
Two wikis never share the default name of a filter
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-wiki_names
--FILE--
<?php
require __DIR__ . '/../../../tests/lib/bloom.inc';
require dirname(__DIR__) . '/BloomLinks/src/TitleFilter.php';

use Bloom\Filter;
use MediaWiki\Extension\BloomLinks\TitleFilter;

foreach (['enwiki', 'my_wiki-mw_', 'wiki?hen', 'wiki+hen', 'ウィキ', 'a.b', '-a', ''] as $wiki) {
    echo "$wiki: ", TitleFilter::defaultName($wiki), "\n";
}

// Ids that look like names of other ids, ids that differ only where they are longer than a name, and random bytes.
$wikis = ['a', 'A', 'a-titles', '_a', '.a', 'a.', 'a-', '--a', '-_a', '__a', "a\n", "a\0"];
foreach ([79, 80, 81, 119, 120, 121, 200] as $length) {
    $wikis[] = str_repeat('x', $length);
    $wikis[] = str_repeat('x', $length) . 'y';
    $wikis[] = str_repeat('?', $length);
}
mt_srand(1);
for ($i = 0; $i < 20_000; $i++) {
    $wiki = '';
    for ($j = mt_rand(1, 6); $j > 0; $j--) {
        $wiki .= ['a', 'B', '0', '_', '-', '.', '?', '+', "\xc3", '/'][mt_rand(0, 9)];
    }
    $wikis[] = $wiki;
}
foreach ($wikis as $wiki) {
    array_push($wikis, substr(TitleFilter::defaultName($wiki), 0, -strlen('-titles')));
}
$seen = [];
foreach (array_unique($wikis) as $wiki) {
    $name = TitleFilter::defaultName($wiki);
    check(Filter::find($name) === null, 'a valid name');
    check(!isset($seen[$name]), json_encode([$wiki, $seen[$name] ?? null, $name], JSON_INVALID_UTF8_SUBSTITUTE));
    $seen[$name] = $wiki;
}
?>
--CLEAN--
<?php
require __DIR__ . '/../../../tests/lib/bloom.inc';
clean();
?>
--EXPECT--
enwiki: enwiki-titles
my_wiki-mw_: my_wiki-mw_-titles
wiki?hen: wiki_hen.07405ff530a258a2ad4a7fb9655e7c00-titles
wiki+hen: wiki_hen.2c2fdc5d933822222fd4bf90c68b22ae-titles
ウィキ: _________.34d83d5911127ee64f89305d1b175b28-titles
a.b: a_b.2e7336dc8eba87ef472df568c35482ab-titles
-a: _a.c274891790345c56cef3b53c026bdc48-titles
: _.e3b0c44298fc1c149afbf4c8996fb924-titles

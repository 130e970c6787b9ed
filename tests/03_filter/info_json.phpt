--TEST--
info() and health() are valid JSON although a source or an exception's message is not UTF-8
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-info_json
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Builder, Filter};

// A byte of Latin-1, the beginning of an emoji, half of a surrogate pair, and valid text.
$source = "caf\xE9 \xF0\x9F\x92 \xED\xA0\x80 \u{e9}";
$builder = new Builder(10, source: $source);
$built = $builder->info();
$blob = $builder->build();
$store = new ScriptedStore();
$store->script = fn () => throw new RuntimeException("caf\xE9");
Filter::load('tags', $blob);
thrown(fn () => Filter::sync('tags', $store, 0));
foreach ([$built, $blob->info(), Filter::open('tags')->info(), Filter::health('tags', maxFailures: 0, store: $store)] as $info) {
    check(($info->source ?? $info->info->source) === $source, 'the property has all bytes');
    $json = json_decode(json_encode($info), false, 512, JSON_THROW_ON_ERROR);
    check(($json->source ?? $json->info->source) === json_decode(json_encode($source, JSON_INVALID_UTF8_SUBSTITUTE)), 'the source in JSON');
    // The extension keeps a question mark of an error's text, and the package in pure PHP keeps U+FFFD.
    echo $info::class, ': ', preg_replace('/caf\\?/', "caf\u{FFFD}", implode('; ', (array) ($json->lastError ?? $json->reasons ?? $json->source))), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\BuilderInfo: caf� � � é
Bloom\BlobInfo: caf� � � é
Bloom\LoadedInfo: the store failed: RuntimeException: caf�
Bloom\Health: 1 sync failed in a row: the store failed: RuntimeException: caf�; the store's version is unknown: the store failed: RuntimeException: caf�

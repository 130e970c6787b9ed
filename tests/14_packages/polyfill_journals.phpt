--TEST--
The package in pure PHP makes no host serve a version without a mark while keys can be added to the journal
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/twin.inc';
echo implode("\n", lines_of(__DIR__ . '/polyfill_journals.inc', 'package')), "\n";
?>
--EXPECT--
keys can be added, and a version without a mark is published: Bloom\KindException: tags: the filter has a journal, but the blob has no mark, so no host would find the keys that are added (before you read the keys, take (new Journal($name, $store))->mark() and pass it to build(), or the output of bloom mark to bloom build --mark; to end the journal, publish with endJournal or --end-journal) #124
keys can be added, and a version without a mark is published: Bloom\BloomException: Journals need the extension bloom #0
hosts would serve a version without a mark: Bloom\BloomException: tags: the version has no mark, so the journal has to end (this needs the extension bloom) #0
hosts would serve a version without a mark: Bloom\BloomException: tags: the version has no mark, so the journal has to end (this needs the extension bloom) #0
hosts serve the version with the mark: null
hosts serve the version with the mark: null
no key can be added: null
no key can be added: null
a pin ends: Bloom\BloomException: tags: the version has no mark, so the journal has to end (this needs the extension bloom) #0
a pin ends: true
a mark is taken during a publish: "a mark of tags was taken, or a key was added, during this publish: hosts do not find the keys that were added since until a version with a mark is published"

--TEST--
The package in pure PHP denies no key that a store lost, a damaged file had, or a process added during a load
--DESCRIPTION--
fault: store-empty
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/twin.inc';
echo implode("\n", lines_of(__DIR__ . '/polyfill_lost_keys.inc', 'package')), "\n";
compare(__DIR__ . '/polyfill_lost_keys.inc');

echo "--- damaged files\n";
echo implode("\n", lines_of(__DIR__ . '/polyfill_damaged_files.inc', 'package')), "\n";
?>
--EXPECT--
added while the journal was read, and nothing was served: meanwhile: true
added while the journal was read, and a version without a mark was served: meanwhile: true
added, then lost: Switched, lost: true
after a mark behind the loss: new: true
read, then lost, then loaded again: Switched, lost: true
read, then lost: Switched, lost: true
after a mark behind the loss: new: true
lost before this host had read it: Current, lost: true
the notice is lost, too: Switched, lost: true
a mark before the loss: Switched, lost: true
a mark of another journal: Bloom\StoreException: gone: the journal does not continue from the blob's mark (build and publish the filter again with a new mark) #98
published: []
no mark is published while the journal begins: Bloom\KindException: closed: the publish
no mark is published while the journal begins: Bloom\KindException: closed: the publish
added while the store was empty: 1
the store is back: Current, elsewhere: true, lost: true, notices: 1
once: Current, after the return: true, lost: true, notices: 1
the next version: Switched, new: true, lost: false, notices: 1
a version without the key: Switched, during a build 1: true, lost: true, notices: 2
the next version: Switched, next: true, lost: false, notices: 2
a version in the other journal: Switched, new store: true, lost: false, notices: 0
--- damaged files
head of a blob: true, Switched, false
body of a blob: true, Switched, false
end of a blob: true, Switched, false
a map: Bloom\SegmentException: map: the filter cannot currently be mapped into this process #44, Bloom\SegmentException: map: the filter cannot currently be mapped into this process #44, ["key","absent"], true
repaired: [5,[],false]
a live set: Bloom\SegmentException
for another process: Bloom\SegmentException
caught up: false
after an hour in which the monotonic clock stood still: true

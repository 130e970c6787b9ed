--TEST--
A pin to a version of an earlier format is refused until the filter is unpinned
--DESCRIPTION--
fault: earlier-format
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-pin_earlier
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

use Bloom\{Blob, DirectoryStore, Filter, SyncResult};

$store = new DirectoryStore(own_file());
blob_of(['red'])->publish($store, 'colours');
copy(__DIR__ . '/../vectors/earlier/override', own_file('colours:override'));
echo thrown(fn () => Filter::sync('colours', $store, 0.0)), "\n";
Blob::unpin($store, 'colours');
check(Filter::sync('colours', $store, 0.0) === SyncResult::Switched, 'the published version is served');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\FormatException: colours:override: this build reads only blobs of format version 2: the store's pin or rollback is damaged, or this build cannot read it (unpin the filter, or roll back or pin it again)

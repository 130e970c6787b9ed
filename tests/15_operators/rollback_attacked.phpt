--TEST--
A planted date, a stalled pin and a concurrent publisher leave no override that can be replayed or that no host can load
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-rollback_attacked
bloom.signing_key_file={TMP}/bloom-rollback_attacked.d/signing-keys
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
skip_without_sodium();
?>
--FILE--
<?php
require __DIR__ . '/../lib/secrets.inc';
require __DIR__ . '/../lib/stores.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Blob, Filter, Journal, StoreException};

ring('signing-keys', 'current');
$store = new ScriptedStore();
/** Publishes a version. */
function version(int $number): void
{
    chunked(keys("v$number", 500), builtAt: $number)->sign('tags')->publish($GLOBALS['store'], 'tags', retain: 2);
}
/** Syncs. Returns the result and the version that is served then. */
function synced(bool $force = false): string
{
    $error = refused(fn () => Filter::sync('tags', $GLOBALS['store'], 0, force: $force));
    $info = Filter::open('tags')->info();
    return $info->builtAt . ($info->rolledBackAt ? ' rolled back' : '') . ($info->pinnedSince ? ' pinned' : '')
        . ($error === '' || $error === 'nothing' ? '' : ", $error");
}
/** @return string what the store has */
function versions(): string
{
    return implode(', ', array_map(fn ($one) => ($one->label ?? 'kept') . " $one->builtAt" . ($one->isServed ? '*' : '')
        . ($one->missingChunks ? ' lacks chunks' : ''), Blob::versions($GLOBALS['store'], 'tags', verify: true)));
}

version(1);
version(2);
echo synced(), "\n";

echo "-- an attacker without a key dates a record ahead, and the operator pins the filter\n";
$head = $store->values['tags:versions'];
foreach ([pack('P', (int) (microtime(true) * 1000) + 7 * 86_400_000), str_repeat("\xff", 8)] as $since) {
    $bytes = "\x89BLOVR\r\n" . pack('VVP', 1, 1, strlen($head) + 88) . $since . str_repeat("\0", 48) . $head;
    $store->values['tags:override'] = $bytes . strrev(hash('xxh3', $bytes, true));
    usleep(2000);
    Blob::pin($store, 'tags', Blob::versions($store, 'tags')[1]->checksum);
    $signed = $store->values['tags:override'];
    echo synced(), "; ";
    Blob::unpin($store, 'tags');
    echo synced(), "\n";
    $store->values['tags:override'] = $signed;
    echo "replayed: ", synced(), "\n";
}
echo "forced: ", synced(true), "; then ", synced(), "\n";

echo "-- a pin stalls until another publisher has taken the lock over, and then loses its connection\n";
usleep(2000);
Blob::pin($store, 'tags', Blob::versions($store, 'tags')[1]->checksum);
$current = Blob::versions($store, 'tags')[0]->checksum;
$isPinned = false;
$store->script = function (string $method, mixed $keys) use ($store, &$isPinned): ?array {
    if ($method === 'replace' && $keys === 'tags:override') {
        $isPinned = true;
    } elseif ($isPinned) {
        $store->script = null;
        // The process has stalled for so long that another one takes the lock over.
        $store->values['tags:publisher'] = '';
        version(3);
        throw new StoreException('lost connection');
    }
    return null;
};
echo refused(fn () => Blob::pin($store, 'tags', $current)), "\n", versions(), ": ", synced(), "\n";

echo "-- an unpin stalls until another process has taken the lock over and pinned a different version\n";
$store->script = function (string $method, mixed $keys) use ($store): ?array {
    if ($keys === ['tags:versions']) {
        $store->script = null;
        $store->values['tags:publisher'] = '';
        Blob::pin($store, 'tags', Blob::versions($store, 'tags')[0]->checksum);
    }
    return null;
};
echo refused(fn () => Blob::unpin($store, 'tags')), "\n", versions(), ": ", synced(), "\n";
Blob::unpin($store, 'tags');

echo "-- a publisher was killed between the two heads\n";
$store->script = fn (string $method, mixed $keys) => $method === 'replace' && $keys === 'tags' ? throw new StoreException('killed') : null;
echo refused(fn () => version(4)), "\n";
$store->script = null;
echo versions(), ": ", refused(fn () => Blob::rollback($store, 'tags')), "\n";

echo "-- a filter is pinned while a publisher trims the journal\n";
$store = new ArrayJournalStore();
$journal = new Journal('tags', $store);
Filter::drop('tags');
$build = function (int $number) use ($journal): Blob {
    $mark = $journal->mark();
    $journal->add("key $number");
    $builder = new Bloom\Builder(1000, seed: 1);
    $builder->addMany(keys("v$number", 100));
    return $builder->build(builtAt: $number, mark: $mark)->sign('tags');
};
$build(1)->publish($store, 'tags', retain: 2);
$build(2)->publish($store, 'tags', retain: 2);
$store->before['set'] = function () use ($store): void {
    unset($store->before['set']); // the first chunk: the publisher does not have the lock yet
    Blob::pin($store, 'tags', Blob::versions($store, 'tags')[1]->checksum);
};
$build(3)->publish($store, 'tags', retain: 2);
echo versions(), ": ", synced(), "\n";
$store->trim('tags:journal', $store->last('tags:journal')[0]);
Blob::unpin($store, 'tags');
echo refused(fn () => Blob::rollback($store, 'tags')), "\n"; // this journal lacks the records after the mark
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/secrets.inc';
clean();
?>
--EXPECT--
2
-- an attacker without a key dates a record ahead, and the operator pins the filter
1 pinned; 2
replayed: 2, SignatureException: tags:override: the pin or rollback is older than one that this host has seen, or has ended (pin or roll back again, or sync with force)
1 pinned; 2
replayed: 2, SignatureException: tags:override: the pin or rollback is older than one that this host has seen, or has ended (pin or roll back again, or sync with force)
forced: 1 pinned; then 1 pinned
-- a pin stalls until another publisher has taken the lock over, and then loses its connection
StoreException: lost connection
current 3, previous 2*: 2 pinned
-- an unpin stalls until another process has taken the lock over and pinned a different version
BusyException: tags: another process has changed the filter in the meantime
current 3*, previous 2: 3 pinned
-- a publisher was killed between the two heads
StoreException: killed
current 3*, previous 2: nothing
-- a filter is pinned while a publisher trims the journal
current 3, previous 2, kept 1*: 1 pinned
StoreException: tags: the journal does not continue from the blob's mark (build and publish the filter again with a new mark)

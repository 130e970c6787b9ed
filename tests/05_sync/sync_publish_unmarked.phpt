--TEST--
A blob without a mark does not replace a version with one, because hosts would stop following the journal
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_publish_unmarked
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\{Blob, Builder, DirectoryStore, KindException, Status, Store};

mkdir($files = own_file('store'), 0777, true);
$store = new DirectoryStore($files);
$build = function (float $time, ?string $mark = null): Blob {
    $builder = new Builder(1000, seed: 1);
    $builder->add('key');
    return $builder->build(builtAt: $time, mark: $mark);
};
$build(1e9)->publish($store, 'tags');
$build(1e9 + 1)->publish($store, 'tags');
// The version with a mark is published through a store that cannot look for its journal.
$build(1e9 + 2, '1-0-0000000000000000')->publish(new class ($store) implements Store {
    public function __construct(private DirectoryStore $store) {}
    public function getMultiple(array $keys): array { return $this->store->getMultiple($keys); }
    public function missing(array $keys): array { return $this->store->missing($keys); }
    public function set(string $key, string $value): void { $this->store->set($key, $value); }
    public function replace(string $key, ?string $expected, string $value): bool { return $this->store->replace($key, $expected, $value); }
    public function deleteMultiple(array $keys): void { $this->store->deleteMultiple($keys); }
}, 'tags');
$before = file_get_contents("$files/tags");
$chunks = glob("$files/tags:chunks/*/*");
try {
    $build(1e9 + 3)->publish($store, 'tags');
    echo "not refused\n";
} catch (KindException $thrown) {
    echo $thrown->getMessage(), "\n";
    check($thrown->getCode() === Status::MarkRequired->value, 'the code');
}
check(file_get_contents("$files/tags") === $before && glob("$files/tags:chunks/*/*") === $chunks, 'nothing was written');
echo thrown(fn () => $build(1e9 + 5, '1-0-0000000000000000')->publish($store, 'tags', endJournal: true)), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
tags: the filter has a journal, but the blob has no mark, so no host would find the keys that are added (before you read the keys, take (new Journal($name, $store))->mark() and pass it to build(), or the output of bloom mark to bloom build --mark; to end the journal, publish with endJournal or --end-journal)
ValueError: Bloom\Blob::publish(): Argument #5 ($endJournal) must be false for a blob with a mark, because hosts follow the journal of such a blob

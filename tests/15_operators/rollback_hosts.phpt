--TEST--
After a rollback, hosts that already served the new version serve the previous one, until the next version is published
--DESCRIPTION--
fault: bad-version, override-forged
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-rollback_hosts
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Blob, DirectoryStore, Filter, Version};

mkdir($directory = own_file('store'));
$store = new DirectoryStore($directory);
/** Syncs on a host, a process with its own segment. Returns the result and the served version. */
function host(string $host, bool $onDemand = false): string
{
    $open = $onDemand ? "attach('tags', \$store, 1_000_000)" : "open('tags')";
    $first = $onDemand ? "Bloom\\Filter::$open;" : '';
    return run('$store = new Bloom\DirectoryStore(' . var_export(own_file('store'), true) . "); $first"
        . "\$result = Bloom\\Filter::sync('tags', \$store, 0)->value; \$tags = Bloom\\Filter::$open;"
        . <<<'PHP'

            $info = $tags->info();
            foreach (['one', 'two', 'three', 'four'] as $version) {
                if ($tags->candidates(keys($version, 500)) === keys($version, 500)) {
                    echo "$result, $version";
                }
            }
            echo $info->rolledBackAt === null ? '' : ', rolled back ' . (abs(time() - $info->rolledBackAt) < 600 ? 'now' : 'then');
            echo $info->pinnedSince === null ? '' : ', pinned ' . (abs(time() - $info->pinnedSince) < 600 ? 'now' : 'then');
            PHP, ['bloom.path' => own_file($host)]);
}
/** @return string the versions in the store, in a line */
function versions(DirectoryStore $store): string
{
    $names = ['1970-01-12' => 'one', '1970-01-24' => 'two', '1970-02-04' => 'three', '1970-02-16' => 'four'];
    return implode(', ', array_map(
        fn (Version $one) => ($one->label ?? 'kept') . ' ' . $names[gmdate('Y-m-d', (int) $one->builtAt)] . ($one->isServed ? '*' : '')
            . ($one->pinnedSince ? ' pinned' : '') . ($one->rolledBackAt ? ' rolled back' : '') . $one->error,
        Blob::versions($store, 'tags')
    ));
}
/** Publishes a version. Returns the warning. */
function version(int $number, string $name): ?string
{
    $blob = chunked(keys($name, 500), builtAt: $number * 1e6);
    return $blob->publish($GLOBALS['store'], 'tags', retain: 2)['warning'];
}
/** Checks that the store has exactly the chunks of its versions. */
function check_chunks(DirectoryStore $store, int $left = 0): void
{
    $chunks = 0;
    foreach (Blob::versions($store, 'tags', verify: true) as $one) {
        check($one->missingChunks === 0 && $one->damagedChunks === 0 && $one->badChunks === [], "chunks of $one->label are whole");
        $chunks += $one->chunks - $one->sharedChunks;
    }
    $files = count(glob("$GLOBALS[directory]/tags:chunks/*/*"));
    check($files === $chunks + $left, "$files files for $chunks chunks");
}

check(Blob::versions($store, 'tags') === [], 'nothing is published');
echo thrown(fn () => Blob::rollback($store, 'tags')), "\n", thrown(fn () => Blob::pin($store, 'tags')), "\n";
Blob::unpin($store, 'tags');
version(1, 'one');
echo thrown(fn () => Blob::rollback($store, 'tags')), "\n";
version(2, 'two');
echo versions($store), ": ", host('a'), "; ", host('d', true), "\n";
foreach (['first', 'again: nothing changes'] as $time) {
    Blob::rollback($store, 'tags');
    echo "$time, ", versions($store), ": ", host('a'), "; ", host('a'), "; new host ", host($time), "; ", host('d', true), "\n";
}
$override = file_get_contents("$directory/tags:override");
check(Blob::fetch($store, 'tags')->info()->builtAt === 2e6, 'fetch() returns what is published');
echo preg_replace('/version \w{16}/', 'version …', version(2, 'two')), "\n";
echo thrown(fn () => Blob::pin($store, 'tags', 'nothing')), "\n", thrown(fn () => Blob::pin($store, 'tags', str_repeat('0', 16))), "\n";
check_chunks($store);

echo "-- the next night\n";
var_dump(version(3, 'three'));
echo versions($store), ": ", host('a'), "; ", host('d', true), "\n";
check(!file_exists("$directory/tags:override"), 'the rollback is deleted');
check_chunks($store);
Blob::rollback($store, 'tags');
echo versions($store), ": ", host('a'), "\n";
Blob::unpin($store, 'tags');
echo versions($store), ": ", host('a'), "\n";
// A rollback that a publisher could not delete does not apply to another version.
file_put_contents("$directory/tags:override", $override);
echo versions($store), ": ", host('a'), "\n";
unlink("$directory/tags:override");

echo "-- pinned\n";
Blob::pin($store, 'tags', Blob::versions($store, 'tags')[1]->checksum);
echo thrown(fn () => Blob::rollback($store, 'tags')), "\n";
echo versions($store), ": ", host('a'), "; ", host('a'), "; ", host('d', true), "\n";
echo preg_replace('/version \w{16}/', 'version …', version(4, 'four')), "\n";
version(2, 'two');
echo versions($store), ": ", host('a'), "; ", host('a'), "; new host ", host('pinned'), "; ", host('d', true), "\n";
check_chunks($store);
$since = file_get_contents("$directory/tags:override");
Blob::pin($store, 'tags');
check(file_get_contents("$directory/tags:override") === $since, 'the version is already pinned');
Blob::pin($store, 'tags', Blob::versions($store, 'tags')[0]->checksum);
echo versions($store), ": ", host('a'), "\n";
Blob::unpin($store, 'tags');
echo versions($store), ": ", host('a'), "\n";
version(3, 'three');
check_chunks($store);

echo "-- damaged\n";
file_put_contents("$directory/tags:override", flipped($since, 200));
foreach (Blob::versions($store, 'tags') as $one) {
    echo $one->label ?? 'kept', $one->isServed ? '*' : '', " $one->error\n";
}
echo plain_errors(thrown(fn () => Filter::sync('tags', $store, 0))), "\n";
Blob::unpin($store, 'tags');
file_put_contents("$directory/tags:versions", 'garbage');
echo Blob::versions($store, 'tags')[1]->error, "\n", thrown(fn () => Blob::rollback($store, 'tags')), "\n";
version(2, 'two');
$files = glob("$directory/tags:chunks/*/*");
unlink($files[0]);
$bad = array_merge(...array_map(fn ($one) => $one->badChunks, Blob::versions($store, 'tags', true)));
check($bad === ['tags:' . basename($files[0])], 'the missing chunk');
array_map(fn ($file) => file_put_contents($file, 'x'), array_slice($files, 1));
$versions = Blob::versions($store, 'tags', true);
check($versions[0]->damagedChunks + $versions[0]->missingChunks === $versions[0]->chunks, 'all are bad');
echo json_encode(array_keys($versions[0]->jsonSerialize())), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\StoreException: tags: missing from the store
Bloom\StoreException: tags: missing from the store
Bloom\StoreException: tags: there is no earlier version to roll back to (publish a corrected version instead)
current two*, previous one: switched, two; current, two
first, current two, previous one* rolled back: switched, one, rolled back now; current, one, rolled back now; new host switched, one, rolled back now; switched, one, rolled back now
again: nothing changes, current two, previous one* rolled back: current, one, rolled back now; current, one, rolled back now; new host switched, one, rolled back now; current, one, rolled back now
hosts do not serve this version, because tags was rolled back to version …: unpin it
ValueError: Bloom\Blob::pin(): Argument #3 ($checksum) must be a version's checksum of 16 hexadecimal digits
Bloom\StoreException: version 0000000000000000: missing from the store
-- the next night
NULL
current three*, previous one: switched, three; switched, three
current three, previous one* rolled back: switched, one, rolled back now
current three*, previous one: switched, three
current three*, previous one: current, three
-- pinned
Bloom\StoreException: tags: the filter is pinned to a version (unpin it first, or pin it to another version)
current three, previous one* pinned: switched, one, pinned now; current, one, pinned now; switched, one, pinned now
hosts do not serve this version, because tags is pinned to version …: unpin it
current two, previous four, kept one* pinned: current, one, pinned now; current, one, pinned now; new host switched, one, pinned now; current, one, pinned now
current two* pinned, previous four, earlier one: switched, two, pinned now
current two*, previous four, earlier one: current, two
-- damaged
current* 
previous 
kept tags:override: the store's pin or rollback is damaged, or this build cannot read it (unpin the filter, or roll back or pin it again)
Bloom\FormatException: tags:override: the store's pin or rollback is damaged, or this build cannot read it (unpin the filter, or roll back or pin it again)
7 bytes: too short to be a blob
Bloom\FormatException: 7 bytes: too short to be a blob
["label","isServed","pinnedSince","rolledBackAt","checksum","builtAt","keys","bytes","falsePositiveRate","seed","shards","shardBytes","keyedBy","chunks","chunkBytes","sharedChunks","fetchChunks","fetchBytes","signedBy","missingChunks","damagedChunks","badChunks","error"]

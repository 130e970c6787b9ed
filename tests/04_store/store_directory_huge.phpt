--TEST--
A directory store refuses a file over the size limit, reports its name, size and limit, allocates no memory for it and frees the lease
--DESCRIPTION--
fault: huge-file
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-store_directory_huge
memory_limit=128M
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Blob, DirectoryStore, Filter, Store};

/** A store that wraps another store, as the command-line tool does. */
final class Around implements Store
{
    public function __construct(private Store $inner)
    {
    }

    public function getMultiple(array $keys): array
    {
        return $this->inner->getMultiple($keys);
    }

    public function missing(array $keys): array
    {
        return $this->inner->missing($keys);
    }

    public function set(string $key, string $value): void
    {
        $this->inner->set($key, $value);
    }

    public function replace(string $key, ?string $expected, string $value): bool
    {
        return $this->inner->replace($key, $expected, $value);
    }

    public function deleteMultiple(array $keys): void
    {
        $this->inner->deleteMultiple($keys);
    }
}

/** Returns the peak memory of this process in kB. */
function peak_kb(): int
{
    preg_match('/^VmHWM:\s+(\d+) kB/m', file_get_contents('/proc/self/status'), $found);
    return (int) $found[1];
}

/** Extends a file to $bytes with a hole at its end. */
function stretch(string $path, int $bytes): void
{
    $file = fopen($path, 'c');
    check(ftruncate($file, $bytes), 'this file system supports sparse files');
    fclose($file);
    clearstatcache();
}

mkdir(own_file('store'), 0700);
$plain = new DirectoryStore(own_file('store'));
$old = chunked(keys('old', 5000), builtAt: 1);
$new = chunked(keys('new', 5000), builtAt: 2);
$newest = chunked(keys('newest', 5000), builtAt: 3);
$new->publish($plain, 'booth');
$head = own_file('store/booth');
$chunk = glob(own_file('store') . '/booth:chunks/*/*')[0];
$demand = Filter::attach('booth', $plain, 1 << 20);
check($demand->candidates(keys('new', 5000)) === keys('new', 5000), 'the on-demand filter finds its keys');
Filter::drop('booth');

// A consistent head of a 1 TiB filter. The head is 32 GiB long, and everything after its first bytes is a hole.
$forged_bytes = 4096 + 2 * (16 << 30);
$forged = substr_replace(file_get_contents($head), pack('PPPV', $forged_bytes, 0, 1 << 30, 1024), 16, 28);
$forged = substr_replace($forged, pack('V', 1024), 120, 4);

$before_kb = peak_kb();
foreach ([3 << 30, 40 << 30] as $bytes) {
    $faults = [
        'a stretched head' => [$head, file_get_contents($head), $bytes],
        'zeros for a head' => [$head, '', $bytes],
        'a stretched chunk' => [$chunk, file_get_contents($chunk), $bytes],
        'zeros for a chunk' => [$chunk, '', $bytes],
        'a head as long as it says' => [$head, $forged, $forged_bytes],
    ];
    foreach ($faults as $what => [$path, $first, $length]) {
        copy($path, own_file('kept'));
        file_put_contents($path, $first);
        stretch($path, $length);
        foreach (['plain' => $plain, 'around' => new Around($plain)] as $which => $store) {
            $booth = Filter::load('booth', $old);
            $said = thrown(fn () => Filter::sync('booth', $store, 0), raw: true);
            if ($which === 'plain') {
                echo "$what, ", $bytes >> 30, ' GiB: ', preg_replace('/memory of \d+/', 'memory of {n}', str_replace([$path, basename($path)], '{path}', $said)), "\n";
            }
            check(str_contains($said, $path) && str_starts_with($said, 'Bloom\StoreException'), "$which, $what: $said");
            check(lease('booth') === 0, "$which, $what: the lease is free");
            check($booth->candidates(keys('old', 5000)) === keys('old', 5000),
                "$which, $what: the old version is still served");
            check(thrown(fn () => Blob::fetch($store, 'booth'), raw: true) === $said, "$which, $what: fetch()");
            Filter::drop('booth');
            if ($path === $head) {
                check(thrown(fn () => Filter::attach('booth', $store, 1 << 20), raw: true) === $said, "$which, $what: attach()");
            } else {
                $demand = Filter::attach('booth', $store, 1 << 20);
                check($demand->candidates(keys('new', 5000)) === keys('new', 5000),
                    "$which, $what: on demand every key may be present");
                check(str_ends_with($said, ": {$demand->info()->lastError}"),
                    "$which, $what: lastError holds the reason");
                Filter::drop('booth');
            }
        }
        rename(own_file('kept'), $path);
        clearstatcache();
        Filter::load('booth', $old);
        check(switched(Filter::sync('booth', $plain, 0)) && Filter::open('booth')->candidates(keys('new', 5000)) === keys('new', 5000),
            "$what: the next sync succeeds");
        Filter::drop('booth');
    }
    // A publisher reads both heads and another publisher's mark. Invalid contents there do not stop it.
    foreach (['booth', 'booth:versions', 'booth:publisher'] as $name) {
        file_put_contents(own_file("store/$name"), '');
        stretch(own_file("store/$name"), $bytes);
        $newest->publish($plain, 'booth');
        check(Blob::fetch($plain, 'booth')->toString() === $newest->toString(), "$name: the new version is published");
        $new->publish($plain, 'booth');
        $new->publish($plain, 'booth', force: true);
        check(file_get_contents(own_file('store/booth:publisher')) === '', "$name: the lock is free");
    }
}
$taken_kb = peak_kb() - $before_kb;
// The address sanitizer delays the release of freed memory, so its limit is higher.
check(memory_get_peak_usage(true) < 32 << 20 && $taken_kb < (getenv('BLOOM_TEST_SANITIZE') ? 512 << 10 : 64 << 10),
    'memory use stays bounded: ' . memory_get_peak_usage(true) . " bytes, $taken_kb kB more");

// A value of valid length does not terminate the request if it is larger than the memory left under memory_limit.
$large = blob_of(keys('k', 1000), 20_000_000, shardBytes: 65536, chunkBytes: 16 << 20);
$large->publish($plain, 'large');
$text = run('
    echo thrown(fn () => Bloom\Filter::sync("large", new Bloom\DirectoryStore(own_file("store")), 0));
    echo file_get_contents(in_segment("large/control"), offset: 40, length: 8) === str_repeat("\0", 8) ? ", the lease is free" : ", leased";
', ['memory_limit' => '10M']);
echo preg_replace('/(large:chunks).*(: \d+ bytes .*memory of )\d+/', '$1/{chunk}$2{n}', $text), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
a stretched head, 3 GiB: Bloom\StoreException: {path}: 3221225472 bytes, at most 4096: the store's value is larger than allowed (publish the filter again, with force if a chunk is too large)
zeros for a head, 3 GiB: Bloom\StoreException: {path}: 3221225472 bytes, at most 1048576: the store's value is larger than allowed (publish the filter again, with force if a chunk is too large)
a stretched chunk, 3 GiB: Bloom\StoreException: {path}: 3221225472 bytes, at most 1024: the store's value is larger than allowed (publish the filter again, with force if a chunk is too large)
zeros for a chunk, 3 GiB: Bloom\StoreException: {path}: 3221225472 bytes, at most 1024: the store's value is larger than allowed (publish the filter again, with force if a chunk is too large)
a head as long as it says, 3 GiB: Bloom\StoreException: {path}: 34359742464 bytes do not fit into the remaining memory of {n} bytes (raise memory_limit)
a stretched head, 40 GiB: Bloom\StoreException: {path}: 42949672960 bytes, at most 4096: the store's value is larger than allowed (publish the filter again, with force if a chunk is too large)
zeros for a head, 40 GiB: Bloom\StoreException: {path}: 42949672960 bytes, at most 1048576: the store's value is larger than allowed (publish the filter again, with force if a chunk is too large)
a stretched chunk, 40 GiB: Bloom\StoreException: {path}: 42949672960 bytes, at most 1024: the store's value is larger than allowed (publish the filter again, with force if a chunk is too large)
zeros for a chunk, 40 GiB: Bloom\StoreException: {path}: 42949672960 bytes, at most 1024: the store's value is larger than allowed (publish the filter again, with force if a chunk is too large)
a head as long as it says, 40 GiB: Bloom\StoreException: {path}: 34359742464 bytes do not fit into the remaining memory of {n} bytes (raise memory_limit)
Bloom\StoreException: {segment}.d/store/large:chunks/{chunk}: 16777216 bytes do not fit into the remaining memory of {n} bytes (raise memory_limit), the lease is free

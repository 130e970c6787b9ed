--TEST--
A blob built more than a day ahead of the clock is not published, loaded, synced or attached, and does not block later versions
--DESCRIPTION--
fault: build-time-ahead
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_built_ahead
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Blob, Filter};

/** Returns the blob with a different build time and a matching checksum of the head. */
function rebuilt(Blob $blob, int $ms): Blob
{
    $bytes = substr_replace($blob->toString(), pack('P', $ms), 112, 8);
    $end = unpack('P', $bytes, 16)[1] - 8;
    return Blob::fromString(substr_replace($bytes, strrev(hash('xxh3', substr($bytes, 0, $end), true)), $end, 8));
}

/** Puts a blob into the store without publish(). */
function put_by_hand(Blob $blob, ScriptedStore $store, string $name): void
{
    $info = $blob->info();
    $bytes = $blob->toString();
    $head = strlen($bytes) - $info->shards * $info->shardBytes;
    foreach (str_split(substr($bytes, $head), $info->chunkBytes) as $i => $chunk) {
        $store->set(chunk_keys($blob, $name)[$i], $chunk);
    }
    $store->set($name, substr($bytes, 0, $head));
}

function shown(callable $call): string
{
    return preg_replace('/\d{10,}/', 'N', thrown($call));
}

$now = time() * 1000;
$store = new ScriptedStore;
$blob = chunked(keys('k', 3000), builtAt: $now / 1000);
$nanoseconds = rebuilt($blob, $now * 1_000_000);
$late = rebuilt($blob, $now + 86_400_000 + 600_000);
$early = rebuilt($blob, $now + 86_400_000 - 600_000);

// The bytes themselves are valid, so the blob can be read and inspected.
check($late->info()->builtAt == $now / 1000 + 87000 && $late->mightContain('k1'), 'inspected');
$message = thrown(fn () => $nanoseconds->publish($store, 'booth'));
check(str_contains($message, 'build time ' . $now * 1_000_000 . ' ms since 1970'), $message);
check(abs((int) preg_replace('/.*at most (\d+) allowed.*/', '$1', $message) - $now - 86_400_000) < 600_000, $message);
echo shown(fn () => $late->publish($store, 'booth')), "\n";
check($store->values === [], 'nothing was written');
echo shown(fn () => Filter::load('booth', $late)), "\n";
check(Filter::find('booth') === null, 'nothing was loaded');

put_by_hand($late, $store, 'booth');
echo shown(fn () => Filter::attach('booth', $store, 1 << 20)), "\n";
echo shown(fn () => Filter::sync('booth', $store, 0)), "\n";
echo shown(fn () => Filter::sync('booth', $store, 0, force: true)), "\n";
check(Filter::find('booth') === null, 'nothing was synced');
check(Blob::fetch($store, 'booth')->mightContain('k1'), 'the blob can be fetched');

// The served version remains in service, and the next valid version is loaded.
$booth = Filter::load('booth', $blob);
echo shown(fn () => Filter::sync('booth', $store, 0)), "\n";
check($booth->info()->builtAt == $now / 1000, 'the served version remains in service');
chunked([...keys('k', 3000), 'new'], builtAt: $now / 1000 + 1)->publish($store, 'booth');
var_dump(switched(Filter::sync('booth', $store, 0)), $booth->mightContain('new'));

// An on-demand filter keeps its head, too.
$blob->publish($store, 'part');
$part = Filter::attach('part', $store, 1 << 20);
put_by_hand($late, $store, 'part');
echo shown(fn () => Filter::sync('part', $store, 0)), "\n";
check($part->mightContain('k1') && $part->info()->builtAt == $now / 1000, 'the attached version remains in service');

$early->publish($store, 'early');
var_dump(switched(Filter::sync('early', $store, 0)), Filter::load('loaded', $early)->mightContain('k1'));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\FormatException: booth: build time N ms since 1970, at most N allowed: the blob's build time is more than a day ahead of this host's clock (set the clock, or build the blob again with the right time)
Bloom\FormatException: booth: build time N ms since 1970, at most N allowed: the blob's build time is more than a day ahead of this host's clock (set the clock, or build the blob again with the right time)
Bloom\FormatException: booth: build time N ms since 1970, at most N allowed: the blob's build time is more than a day ahead of this host's clock (set the clock, or build the blob again with the right time)
Bloom\FormatException: booth: build time N ms since 1970, at most N allowed: the blob's build time is more than a day ahead of this host's clock (set the clock, or build the blob again with the right time)
Bloom\FormatException: booth: build time N ms since 1970, at most N allowed: the blob's build time is more than a day ahead of this host's clock (set the clock, or build the blob again with the right time)
Bloom\FormatException: booth: build time N ms since 1970, at most N allowed: the blob's build time is more than a day ahead of this host's clock (set the clock, or build the blob again with the right time)
bool(true)
bool(true)
Bloom\FormatException: part: build time N ms since 1970, at most N allowed: the blob's build time is more than a day ahead of this host's clock (set the clock, or build the blob again with the right time)
bool(true)
bool(true)

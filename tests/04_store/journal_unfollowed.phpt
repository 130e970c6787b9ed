--TEST--
health() says that keys are added to a journal that the served version does not follow, whoever added them
--DESCRIPTION--
fault: add-before-version
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis();
?>
--INI--
bloom.path={TMP}/bloom-journal_unfollowed
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/stores.inc';
with_redis_extension();
use Bloom\{DirectoryStore, Filter, JournalStore, RedisStore};

const KEYS = 1, VERSION = 2, LOSS = 3, ENDED = 4, BEGUN = 5, UNKNOWN = 77;

// The records and files are made by hand, as docs/dev/journal.md describes them, because packages/php cannot append.
$sum = fn (string $bytes): string => strrev(hash('xxh3', $bytes, true));
$record = function (int $kind) use ($sum): string {
    $payload = $kind === KEYS ? pack('V', 3) . 'key' : str_repeat("\1", $kind === LOSS ? 24 : 8);
    $bytes = 'BLJ2' . pack('VVV', 48 + strlen($payload), $kind, (int) ($kind === KEYS)) . $sum('booth') . pack('PP', 1e12, 0) . $payload;
    return $bytes . $sum($bytes);
};
$file = function (string ...$records) use ($sum): string {
    $bytes = implode($records);
    $header = "\x89BLJRNL\n" . pack('VVPPPPP', 1, 0, 5, 0, 0, strlen($bytes), strlen($bytes) - strlen(end($records) ?: ''));
    return $header . $sum($header) . $bytes;
};
$directory = own_file('store');
mkdir($directory, 0700);
$path = "$directory/booth:journal";
$server = new RedisServer;
$client = redis_client($server);
$places = [
    [new DirectoryStore($directory), fn (string ...$records) => file_put_contents($path, $file(...$records)), fn () => unlink($path)],
    [new RedisStore($client), function (string ...$records) use ($client) {
        $client->del('bloom:booth:journal');
        $client->xAdd('bloom:booth:journal', '5-0', ['anchor' => '']);
        foreach ($records as $i => $bytes) {
            $client->xAdd('bloom:booth:journal', '5-' . ($i + 1), ['r' => $bytes]);
        }
    }, fn () => $client->del('bloom:booth:journal')],
];

$judge = fn (JournalStore $store): string => ($health = Filter::health('booth', store: $store))->status->value . ': ' . implode('; ', $health->reasons);
$missed = 'critical: keys are added to the filter\'s journal, but the served version does not follow it, so lookups miss them '
    . '(publish a version that was built with a new mark)';
$rows = [
    'no record' => [[], 'ok: '],
    'begun, but no key was added' => [[KEYS, BEGUN], 'ok: '],
    'a key' => [[BEGUN, KEYS], $missed],
    'a notice after a key' => [[BEGUN, KEYS, VERSION], $missed],
    'a loss' => [[BEGUN, LOSS], $missed],
    'a record of an unknown kind' => [[BEGUN, UNKNOWN], $missed],
    'ended' => [[BEGUN, KEYS, ENDED], 'ok: '],
];
foreach ($places as [$store, $put, $remove]) {
    $what = $store::class;
    chunked(keys('k', 100))->publish($store, 'booth');
    Filter::drop('booth');
    Filter::sync('booth', $store);
    check($judge($store) === 'ok: ', "$what, no journal: " . $judge($store));
    foreach ($rows as $name => [$kinds, $expected]) {
        $put(...array_map($record, $kinds));
        check($judge($store) === $expected, "$what, $name: " . $judge($store));
        if ($kinds !== []) {
            [$position, $last] = $store->last('booth:journal');
            check($last === $record(end($kinds)) && str_ends_with($position, '-' . bin2hex(substr($last, -8))), "$what, $name: $position");
        }
    }
    check(Filter::health('booth')->status->value === 'ok', "$what: without the store, nothing is known");
    $remove();
}

// A journal that cannot be read is no reason to say that all is well.
[$store] = $places[0];
$whole = $file($record(BEGUN), $record(KEYS));
foreach (['an empty file' => '', 'half a header' => substr($whole, 0, 32), 'a changed header' => flipped($whole, 41),
    'without its last byte' => substr($whole, 0, -1), 'a changed length' => flipped($whole, strlen($whole) - strlen($record(KEYS)) + 4)] as $name => $bytes) {
    file_put_contents($path, $bytes);
    echo "$name: ", str_replace($directory, '{store}', $judge($store)), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
an empty file: unknown: the store's version is unknown: {store}/booth:journal: not a valid journal: it has no header (remove the file, and build and publish the filter with a new mark)
half a header: unknown: the store's version is unknown: {store}/booth:journal: not a valid journal: it has no header (remove the file, and build and publish the filter with a new mark)
a changed header: unknown: the store's version is unknown: {store}/booth:journal: not a valid journal: its header is damaged (remove the file, and build and publish the filter with a new mark)
without its last byte: unknown: the store's version is unknown: {store}/booth:journal: not a valid journal: records at its end are missing (remove the file, and build and publish the filter with a new mark)
a changed length: unknown: the store's version is unknown: {store}/booth:journal: not a valid journal: its last record is damaged (remove the file, and build and publish the filter with a new mark)

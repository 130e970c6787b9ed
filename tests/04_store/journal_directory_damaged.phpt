--TEST--
DirectoryStore ignores the torn tail of a journal and refuses damaged journals with a StoreException
--DESCRIPTION--
fault: journal-file-damaged
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_directory_damaged
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journals.inc';
use Bloom\DirectoryStore;

mkdir(own_file('store'), 0700);
$store = new DirectoryStore(own_file('store'));
$file = own_file('store/tags:journal');
$records = array_map(fn (int $i): string => record(str_repeat("$i", $i)), range(0, 9));
[$start] = $store->last('tags:journal');
$middle = $store->append('tags:journal', array_slice($records, 0, 5));
$end = $store->append('tags:journal', array_slice($records, 5));
$bytes = file_get_contents($file);

// A torn tail is ignored, and the next append overwrites it.
mt_srand(1);
foreach ([1, 47, 48, 1000, 3_000_000] as $length) {
    file_put_contents($file, $bytes . substr(str_repeat(record('torn') . hash('sha256', "$length", true), intdiv($length, 84) + 1), 0, $length));
    check(array_values($store->read(['tags:journal' => $start], 1 << 30)['tags:journal']) === $records, "a tail of $length bytes is not read");
    check($store->last('tags:journal') === [$end, $records[9]], "a tail of $length bytes is not the last record");
    $next = $store->append('tags:journal', [record('next'), record('last')], $end);
    check(array_values($store->read(['tags:journal' => $middle], 1 << 30)['tags:journal']) === [...array_slice($records, 5), record('next'), record('last')],
        "an append overwrites a tail of $length bytes");
    $store->trim('tags:journal', $next);
    clearstatcache();
    check(filesize($file) === 64 + strlen(record('last')), 'a trim removes the tail');
}

/** Returns the header with its checksum. */
$sum = static fn (string $bytes): string => substr_replace($bytes, strrev(hash('xxh3', substr($bytes, 0, 56), true)), 56, 8);
/** Says what the methods do with the file. */
$try = static function (string $what, string $bytes) use ($store, $file, $start, $middle, $end): void {
    file_put_contents($file, $bytes);
    $messages = [];
    foreach (['read' => fn () => $store->read(['tags:journal' => $start], 1 << 30), 'last' => fn () => $store->last('tags:journal'),
        'append' => fn () => $store->append('tags:journal', [record('x')]), 'trim' => fn () => $store->trim('tags:journal', $end)] as $name => $call) {
        $messages[preg_replace('~^(\S+): \S+: (.*?)( \(remove.*)?$~', '$1 $2', thrown($call))][] = $name;
        file_put_contents($file, $bytes);
    }
    foreach ($messages as $message => $names) {
        echo "$what: ", implode(', ', $names), ": $message\n";
    }
};

// The header.
foreach ([0 => 'magic', 8 => 'version', 12 => 'zeros', 16 => 'epoch', 24 => 'base', 32 => 'check', 40 => 'end', 48 => 'last', 56 => 'checksum'] as $at => $field) {
    foreach (range($at, $at === 8 || $at === 12 ? $at + 3 : $at + 7) as $byte) {
        file_put_contents($file, flip($bytes, $byte));
        check(str_contains(thrown(fn () => $store->read(['tags:journal' => $start], 1)), 'its header is damaged'), "a flipped bit in $field, byte $byte");
    }
}
$try('another version', $sum(substr_replace($bytes, pack('V', 2), 8, 4)));
$try('a reserved byte', $sum(substr_replace($bytes, "\1", 15, 1)));
$try('epoch 0', $sum(substr_replace($bytes, pack('P', 0), 16, 8)));
$try('base beyond the last record', $sum(substr_replace($bytes, pack('P', 1 << 40), 24, 8)));
$try('last beyond the end', $sum(substr_replace($bytes, pack('P', 1 << 40), 48, 8)));
$try('end beyond the file', $sum(substr_replace($bytes, pack('P', 1 << 40), 40, 8)));
$try('end of 2^64 - 1', $sum(substr_replace($bytes, pack('P', -1), 40, 8)));
$try('truncated', substr($bytes, 0, -1));
$try('only a header', substr($bytes, 0, 64));
$try('half a header', substr($bytes, 0, 32));
$try('empty', '');
$try('zeros', str_repeat("\0", strlen($bytes)));

// The lengths of records. A wrong length must not hide the records after it.
$at = 64;
foreach ($records as $i => $record) {
    foreach ([0, 47, strlen($record) - 1, strlen($record) + 1, strlen($bytes), 1 << 20, (1 << 20) + 1, 0xffffffff] as $length) {
        file_put_contents($file, substr_replace($bytes, pack('V', $length), $at + 4, 4));
        $found = thrown(function () use ($store, $start, $records, $length) {
            $read = array_values($store->read(['tags:journal' => $start], 1 << 30)['tags:journal']);
            check(strlen(implode('', $read)) === strlen(implode('', $records)), "a length of $length hides no bytes");
        });
        check($found === 'nothing' || str_contains($found, 'the length of a record is out of range'), "record $i, length $length: $found");
    }
    $at += strlen($record);
}
$try('the last record has another length', substr_replace($bytes, pack('V', 50), strlen($bytes) - strlen($records[9]) + 4, 4));
$try('the first record has another length', substr_replace($bytes, pack('V', 50), 68, 4));

// Random bytes are refused or read, and nothing else happens.
mt_srand(7);
for ($i = 0; $i < 500; $i++) {
    $random = $bytes;
    for ($j = mt_rand(1, 3); $j > 0; $j--) {
        $random[mt_rand(0, strlen($random) - 1)] = chr(mt_rand(0, 255));
    }
    file_put_contents($file, mt_rand(0, 1) ? $sum($random) : substr($random, 0, mt_rand(0, strlen($random))));
    foreach ([fn () => $store->read(['tags:journal' => $start], 1 << 30), fn () => $store->last('tags:journal'), fn () => $store->trim('tags:journal', $middle)] as $call) {
        check(in_array(thrown($call, true), ['nothing', Bloom\StoreException::class], true), "random bytes $i");
    }
}

function flip(string $bytes, int $at): string
{
    return substr_replace($bytes, $bytes[$at] ^ "\x10", $at, 1);
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
another version: read, last, append, trim: Bloom\StoreException not a valid journal: its header is damaged
a reserved byte: read, last, append, trim: Bloom\StoreException not a valid journal: its header is damaged
epoch 0: read, last, append, trim: Bloom\StoreException not a valid journal: its header is damaged
base beyond the last record: read, last, append, trim: Bloom\StoreException not a valid journal: its header is damaged
last beyond the end: read, last, append, trim: Bloom\StoreException not a valid journal: its header is damaged
end beyond the file: read, last, append, trim: Bloom\StoreException not a valid journal: records at its end are missing
end of 2^64 - 1: read, last, append, trim: Bloom\StoreException not a valid journal: its header is damaged
truncated: read, last, append, trim: Bloom\StoreException not a valid journal: records at its end are missing
only a header: read, last, append, trim: Bloom\StoreException not a valid journal: records at its end are missing
half a header: read, last, append, trim: Bloom\StoreException not a valid journal: it has no header
empty: read, last, append, trim: Bloom\StoreException not a valid journal: it has no header
zeros: read, last, append, trim: Bloom\StoreException not a valid journal: its header is damaged
the last record has another length: read, trim: Bloom\StoreException not a valid journal: the length of a record is out of range
the last record has another length: last: Bloom\StoreException not a valid journal: its last record is damaged
the last record has another length: append: nothing
the first record has another length: read, trim: Bloom\StoreException not a valid journal: the length of a record is out of range
the first record has another length: last, append: nothing

--TEST--
The programs in docs/dev choose the same geometry as Builder, write the same bytes, and read maps
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-format_programs
--SKIPIF--
<?php
exec('/usr/bin/python3 -c "import xxhash" 2>&1', $output, $status);
if ($status !== 0) {
    echo 'skip /usr/bin/python3 or its module xxhash is not installed';
}
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

use Bloom\{Blob, Builder, DirectoryStore, Filter};

$page = file_get_contents(dirname(__DIR__, 2) . '/docs/dev/blob.md') . file_get_contents(dirname(__DIR__, 2) . '/docs/dev/writing.md');
function program(string $page, string $name): string
{
    return preg_match('/^<!-- ' . $name . ' -->\n```python\n(.*?)^```$/ms', $page, $found) ? $found[1] : die("no $name\n");
}

function python(string $program, array $arguments): array
{
    file_put_contents(own_file('program.py'), $program);
    exec('/usr/bin/python3 -B ' . implode(' ', array_map('escapeshellarg', [own_file('program.py'), ...$arguments])) . ' 2>&1', $output, $status);
    check($status === 0, 'the program succeeds: ' . implode("\n", $output));
    return $output;
}

// Sizes at which shard_bytes or block_bytes change, the limits, and others.
$sizes = [
    [1, 0.01], [3, 0.5], [40, 0.1], [1000, 0.01], [1000, 0.001], [12345, 0.003], [65536, 0.02], [80000, 0.01], [99999, 1e-6],
    [250000, 0.0011], [300000, 0.05], [1000000, 0.01], [1000000, 0.25], [1690000, 0.01], [1700000, 0.01],
    [9999999, 0.0001], [100000000, 0.0001], [100000000, 1e-9], [1000000000, 0.01], [1000000000000, 0.01],
];
$sizing = program($page, 'the sizing program');
$printed = python($sizing . "\nimport json, sys\nfor keys, asked in json.loads(sys.argv[1]):\n    print(*geometry(keys, asked))\n", [json_encode($sizes)]);
foreach ($sizes as $i => [$keys, $rate]) {
    $info = (new Builder($keys, $rate))->info();
    $chosen = "$info->shards $info->shardBytes $info->blockBytes $info->probes";
    check($chosen === ($printed[$i] ?? ''), "$keys keys at $rate: Builder chooses $chosen, the page " . ($printed[$i] ?? 'nothing'));
}

$writer = $sizing . "\n" . program($page, 'the minimal writer');
$cases = [
    [['red', 'green', 'blue', 'red'], 0.01, 42, "\n"],
    [['', "no\0text", 'crlf', 'ねこ', 'the last line'], 0.3, 0, "\r\n"],
    [keys('k', 20000), 0.01, PHP_INT_MAX, "\n"],
    [keys('low', 8000), 0.0001, 7, "\n"],
];
foreach ($cases as $i => [$keys, $rate, $seed, $end]) {
    // In odd cases, the last line has no line ending.
    file_put_contents(own_file('keys'), implode($end, $keys) . ($i % 2 ? '' : $end));
    python($writer, [own_file('keys'), $seed, 1_700_000_000_123, $rate, own_file('blob')]);
    $builder = new Builder(count($keys), $rate, seed: $seed);
    check($builder->addFile(own_file('keys')) === count($keys), 'every line is a key');
    check(file_get_contents(own_file('blob')) === $builder->build(1.0, 1_700_000_000.123)->toString(), "case $i: the same bytes");
    $filter = Filter::load('written', Blob::open(own_file('blob')));
    check($filter->candidates($keys) === $keys, "case $i: every key is found");
    echo $filter->info()->keys, ' keys, blocks of ', $filter->info()->blockBytes, " bytes\n";
}

// The map has keys in all levels of its home shards and of the spill shard.
$map = dirname(__DIR__) . '/vectors/map-spill';
$values = [];
foreach (file("$map.values", FILE_IGNORE_NEW_LINES) as $line) {
    [$key, $value] = explode("\t", $line);
    $values[hex2bin($key)] = $value;
}
check(python(program($page, 'the map reader'), ["$map.bloom", ...array_keys($values)]) === array_values($values), 'every value of the map');
$absent = python(program($page, 'the map reader'), ["$map.bloom", ...keys('absent', 300)]);
echo count(array_keys($absent, 'definitely absent', true)) >= 280 ? 'absent keys have no' : 'absent keys have a', " value\n";

// The last blob is published by hand, as docs/dev/store.md describes.
$bytes = file_get_contents(own_file('blob'));
['head_bytes' => $headBytes, 'shards' => $shards] = unpack('Phead_bytes/Pfile_bytes/Pshards', $bytes, 16);
foreach (str_split(substr($bytes, $headBytes), 65536) as $i => $chunk) {
    $digest = bin2hex(substr($bytes, 512 + 16 * ($shards + $i), 16));
    @mkdir(own_file('store/by_hand:chunks/' . substr($digest, 0, 2)), recursive: true);
    file_put_contents(own_file('store/by_hand:chunks/' . substr($digest, 0, 2) . "/$digest"), $chunk);
}
file_put_contents(own_file('store/by_hand'), substr($bytes, 0, $headBytes));
var_dump(switched(Filter::sync('by_hand', new DirectoryStore(own_file('store')))), Filter::open('by_hand')->candidates($keys) === $keys);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
3 keys, blocks of 64 bytes
5 keys, blocks of 64 bytes
19962 keys, blocks of 64 bytes
8000 keys, blocks of 256 bytes
absent keys have no value
bool(true)
bool(true)

--TEST--
The programs in docs/dev choose the same geometry as Builder, write the same bytes, and read all golden blobs
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
require __DIR__ . '/../lib/foreign.inc';

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
    [[], 0.2, 9, ''],
];
foreach ($cases as $i => [$keys, $rate, $seed, $end]) {
    // In odd cases, the last line has no line ending.
    file_put_contents(own_file('keys'), implode($end, $keys) . ($i % 2 ? '' : $end));
    python($writer, [own_file('keys'), $seed, 1_700_000_000_123, $rate, own_file('blob')]);
    $builder = new Builder(max(1, count($keys)), $rate, seed: $seed);
    check($builder->addFile(own_file('keys')) === count($keys), 'every line is a key');
    check(file_get_contents(own_file('blob')) === $builder->build(1.0, 1_700_000_000.123)->toString(), "case $i: the same bytes");
    $filter = Filter::load('written', Blob::open(own_file('blob')));
    check($filter->candidates($keys) === $keys, "case $i: every key is found");
    echo $filter->info()->keys, ' keys, blocks of ', $filter->info()->blockBytes, " bytes\n";
}

// The reader loads every golden blob, finds its keys, and gives the golden answers, with and without the secret.
$vectors = dirname(__DIR__) . '/vectors';
$reader = dirname(__DIR__, 2) . '/docs/dev/blob.py';
$checker = <<<'PYTHON'
    import os, sys
    sys.path.insert(0, os.path.dirname(sys.argv[1]))
    from blob import Blob, Refused
    SECRET, SIGNING_KEY = bytes(range(32)), bytes(range(100, 132))
    def lines(path):
        return [line.split("\t") for line in open(path, encoding="ascii").read().splitlines()]
    def key(text):
        return b"" if text == "-" else bytes.fromhex(text)
    for path in sys.argv[2:]:
        name, base, checked = os.path.basename(path), path[:-len(".bloom")], 0
        data = open(path, "rb").read()
        signed = name.startswith("signed-")
        blob = Blob(data, SECRET, SIGNING_KEY if signed else b"", b"tags")
        if os.path.exists(base + ".keys"):
            for (text,) in lines(base + ".keys"):
                first, _, last = text.partition("..")
                for added in [str(i).encode() for i in range(int(first), int(last) + 1)] if last else [key(text)]:
                    assert blob.answer(added) is True, (name, added)
                    checked += 1
        else:
            for text, answer in lines(base + ".answers"):
                wanted = None if answer == "none" else int(answer) % 2**blob.V if blob.scheme == 5 else None
                if blob.scheme == 2:
                    wanted = [] if answer == "none" else [int(group) for group in answer.split(",")]
                assert blob.answer(key(text)) == wanted, (name, text, answer)
                checked += 1
        if os.path.exists(base + ".values"):
            for text, value in lines(base + ".values"):
                assert blob.answer(key(text)) == int(value) % 2**blob.V, (name, text)
                checked += 1
        for secret, signing_key, filter_name, code in ((b"x" * 32, b"", b"tags", "E_SECRET" if name.startswith("keyed-") else None),
                                                       (SECRET, b"x" * 32, b"tags", "E_SIGNER" if signed else "E_UNSIGNED"),
                                                       (SECRET, SIGNING_KEY, b"other", "E_SIGNATURE" if signed else "E_UNSIGNED")):
            try:
                Blob(data, secret, signing_key, filter_name).answer(b"7")
            except Refused as refused:
                assert str(refused) == (code or "E_SECRET"), (name, refused)
            else:
                assert code is None, (name, code)
        print(name, checked > 0 or "no keys")
    PYTHON;
$printed = python($checker, [$reader, ...glob("$vectors/*.bloom")]);
check(count($printed) >= 36, 'every golden blob');
echo implode("\n", preg_grep('/ True$/', $printed, PREG_GREP_INVERT)), "\n";

// Filters of other systems: the keys, and exactly those absent keys that the other system could not rule out.
$foreign = <<<'PYTHON'
    import os, sys
    sys.path.insert(0, os.path.dirname(sys.argv[1]))
    from blob import Blob
    blob = Blob(open(sys.argv[2], "rb").read())
    assert blob.scheme == 4 and all(blob.answer(b"key:%d" % i) for i in range(int(sys.argv[3])))
    maybes = [int(line) for line in open(sys.argv[4])]
    assert [i for i in range(3000) if blob.answer(b"absent:%d" % i)] == [i for i in maybes if i < 3000]
    print(blob.m)
    PYTHON;
foreach (FOREIGN as $name => [, $count]) {
    file_put_contents(own_file('foreign'), foreign_blob($name)->toString());
    $formats[python($foreign, [$reader, own_file('foreign'), $count, "$vectors/foreign/$name.fp"])[0]] = true;
}
ksort($formats);
echo 'formats ', implode(' ', array_keys($formats)), "\n";

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
0 keys, blocks of 64 bytes
empty.bloom no keys
ribbon-empty.bloom no keys
formats 1 2 3 4 5
bool(true)
bool(true)

--TEST--
A snapshot that is truncated or has a changed byte is refused, and no filter exists afterwards
--DESCRIPTION--
fault: snapshot-damaged
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-snapshot_damaged
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Filter, FormatException};

const HEAD_BYTES = 4248;
$refused = 0;
foreach (KINDS as $kind) {
    $filter = made($kind, 500);
    foreach (keys('key', 300) as $key) {
        put($filter, $key);
    }
    $filter->save(own_file('saved'));
    $answers = $filter->candidates(keys('k', 5000));
    Filter::drop($kind);
    $whole = file_get_contents(own_file('saved'));
    $head_bytes = HEAD_BYTES;
    // All words of the head that the filter uses, and some of those that must be zero.
    $some = [...range(0, 320), ...range(321, $head_bytes - 41, 61), ...range($head_bytes - 40, $head_bytes - 1)];
    $changed = function (string $bytes, string $what) use ($kind, &$refused): void {
        file_put_contents(own_file('changed'), $bytes);
        $said = thrown(fn () => Filter::restore($kind, own_file('changed')), class: true);
        check($said === FormatException::class, "$kind, $what: $said");
        $refused++;
    };
    foreach ($some as $at) {
        $changed(flipped($whole, $at), "byte $at is flipped");
    }
    $cuts = [...$some, $head_bytes, $head_bytes + 1, strlen($whole) - 1];
    foreach ($cuts as $bytes) {
        $changed(substr($whole, 0, $bytes), "cut to $bytes bytes");
    }
    $changed($whole . "\0", 'one byte more');
    $changed(flipped($whole, $head_bytes), 'the first byte of the layers');
    $changed(flipped($whole, strlen($whole) - 1), 'the last byte');
    check(tree(segment_path()) === [], 'nothing is left: ' . implode(' ', tree(segment_path())));
    check(Filter::restore($kind, own_file('saved'))->candidates(keys('k', 5000)) === $answers, "$kind: the whole file");
    Filter::drop($kind);
}
check($refused > 3500, "$refused refused");

// A blob and a snapshot are not mistaken for each other.
blob_of(['key'])->save(own_file('blob'));
echo thrown(fn () => Filter::restore('blob', own_file('blob'))), "\n";
check(thrown(fn () => Bloom\Blob::open(own_file('saved')), class: true) === FormatException::class, 'a snapshot is not a blob');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\FormatException: {segment}.d/blob: offset 0: this is not a snapshot: the magic bytes do not match

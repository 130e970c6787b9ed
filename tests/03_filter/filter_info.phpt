--TEST--
info() describes the served filter and how it was loaded
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_info
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$blob = blob_of(keys('k', 100), 150, 1_700_000_000.5, source: 'test');
$before = microtime(true);
$booth = Filter::load('booth', $blob);
$info = $booth->info();
foreach ($info as $name => $value) {
    $shown = match (true) {
        in_array($name, ['loadedAt', 'verifiedAt'], true) => abs($value - $before) < 60 ? 'now' : 'other',
        $name === 'segment' => $value === segment_path() ? '{segment}' : $value,
        $name === 'segmentBytes' => $value === 8192 + $blob->info()->bytes ? 'its files' : $value,
        $value instanceof Bloom\CountersInfo => "$value->lookups lookups",
        $value instanceof UnitEnum => $value->value,
        is_float($value) => sprintf('%.4g', $value),
        default => var_export($value, true),
    };
    echo str_pad($name, 27), $shown, "\n";
}
check(array_intersect_key($info->jsonSerialize(), $blob->info()->jsonSerialize()) == array_filter($blob->info()->jsonSerialize(), fn ($key) => property_exists($info, $key), ARRAY_FILTER_USE_KEY), 'what the blob says');
check(hash_file('sha256', in_segment('booth/0000000000000001.bloom')) === hash('sha256', $blob->toString()), 'the file is the blob');
printf("%o %o %o %o\n", fileperms(segment_path()) & 07777, fileperms(in_segment('booth')) & 07777,
    fileperms(in_segment('booth/control')) & 07777, fileperms(in_segment('booth/0000000000000001.bloom')) & 07777);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
name                       'booth'
kind                       loaded
generation                 1
keys                       100
estimatedKeys              100
capacity                   150
falsePositiveRate          0.01
measuredFalsePositiveRate  0.0006645
predictedFalsePositiveRate 0.0006663
fill                       0.02405
setBits                    197
bytes                      5120
bitsPerKey                 409.6
shards                     1
shardBytes                 1024
blockBytes                 64
probes                     2
seed                       1
digest                     'XXH3-64'
keyedBy                    NULL
groups                     NULL
fanOut                     NULL
levels                     NULL
expectedWrongGroups        NULL
warning                    NULL
loadedAt                   now
loads                      1
segment                    {segment}
segmentBytes               its files
memoryLimit                0
mapFailures                0
counters                   0 lookups
scheme                     bloom
stripes                    NULL
valueBits                  NULL
format                     NULL
layers                     NULL
chunks                     1
chunkBytes                 65536
source                     'test'
builtAt                    1.7e+9
formatVersion              2
checksum                   'b0df3597570f686d'
signedBy                   NULL
mark                       NULL
journal                    NULL
lookupFalsePositiveRate    0.0006645
syncs                      0
syncFailures               0
syncFailuresInRow          0
syncedSecondsAgo           NULL
lastError                  NULL
lastErrorAt                NULL
loadFailures               0
loadFailuresInRow          0
loadError                  NULL
loadErrorAt                NULL
verifiedAt                 now
verifyProgress             0
damages                    0
damagedAt                  NULL
pinnedSince                NULL
rolledBackAt               NULL
700 700 600 600

--TEST--
groups() returns the complete list, or throws if it exceeds its limit or the time limit, or if an index is far too full
--DESCRIPTION--
fault: huge-groups
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-reverse_limit
memory_limit=128M
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\{Blob, Filter, ReverseIndex, ReverseIndexBuilder};

/** Returns a blob whose head claims the given number of groups. */
function forged(Blob $blob, int $groups): string
{
    $bytes = substr_replace($blob->toString(), pack('P', $groups), 256, 8);
    $head_bytes = unpack('P', $bytes, 16)[1];
    $checksum = strrev(hash('xxh3', substr($bytes, 0, $head_bytes - 8), true));
    return substr_replace($bytes, $checksum, $head_bytes - 8, 8);
}

// The limit applies to blobs and to both kinds of index.
$builder = new ReverseIndexBuilder(groups: 150_000, capacity: 200_000, falsePositiveRate: 0.0001, seed: 1);
foreach (range(0, 149_999) as $group) {
    $builder->add($group, 'everywhere');
    if ($group < 10) {
        $builder->add($group, 'in ten');
    }
}
$blob = $builder->build();
foreach (['blob' => $blob, 'loaded' => Filter::load('loaded', $blob), 'live' => ReverseIndex::import('live', $blob)] as $what => $index) {
    check($index->groups('in ten') === range(0, 9), "$what: ten");
    check($index->groups('in ten', 10) === range(0, 9), "$what: as many as the limit");
    check($index->groups('in ten', limit: PHP_INT_MAX) === range(0, 9), "$what: any");
    check($index->groups('nowhere', 1) === [], "$what: none");
    check(count($index->groups('everywhere', 150_000)) === 150_000, "$what: all");
    check($index->mightContain('everywhere') && $index->mightContain('in ten'), "$what: both may be there");
    foreach ([['in ten', 9], ['in ten', 1], ['everywhere', 149_999], ['everywhere']] as $arguments) {
        echo "$what: ", thrown(fn () => $index->groups(...$arguments)), "\n";
    }
}
foreach ([0, -1, PHP_INT_MIN] as $limit) {
    echo thrown(fn () => $blob->groups('in ten', $limit)), "\n";
}

// This blob of 20 KB passes every other check. Without a limit, groups() would return billions of groups for an absent value.
$small = new ReverseIndexBuilder(groups: 256, capacity: 1, seed: 1);
for ($i = 0; $i < 30_000; $i++) {
    $small->add($i % 256, "value $i");
}
$small = $small->build(1);
check(strlen($small->toString()) < 24_000, 'it is small: ' . strlen($small->toString()));
check(Blob::fromString(forged($small, 200))->groups('value 7') !== [], 'with 200 groups it is as good as any');
foreach ([1 << 32, 1 << 24] as $groups) {
    echo thrown(fn () => Blob::fromString(forged($small, $groups))), "\n";
}
file_put_contents(own_file('forged'), forged($small, 1 << 32));
echo thrown(fn () => Blob::open(own_file('forged'))), "\n";

// Oversized create() calls and overfull builders are refused as well.
echo thrown(fn () => ReverseIndex::create('absurd', 65_536, 1000, 0.5)), "\n";
echo thrown(fn () => new ReverseIndexBuilder(1 << 32, 1000, 0.1)), "\n";
check(ReverseIndex::create('small', 10_000, 1000, 0.5)->info()->groups === 10_000, 'ten thousand are always allowed');
$builder = new ReverseIndexBuilder(1 << 32, 1, seed: 1);
$full = ReverseIndex::create('full', 1 << 32, 1, seed: 1);
for ($i = 0; $i < 6000; $i++) {
    $builder->add($i * 715_827, "value $i");
    $full->add($i * 715_827, "value $i");
}
echo thrown(fn () => $builder->build(1)), "\n";
echo thrown(fn () => $full->export()), "\n";

// A live index that is far too full throws with the reason and loses no value.
for ($i = 0; $i < 6000; $i++) {
    check($full->mightContain("value $i"), "value $i");
}
echo thrown(fn () => $full->groups('value 1')), "\n";
check(memory_get_peak_usage(true) < 64 << 20, 'memory is bounded: ' . memory_get_peak_usage(true));

// max_execution_time expires during groups(), and the call ends soon afterwards.
$text = run('
    set_time_limit(60);
    $full = Bloom\ReverseIndex::open("full");
    $command = "kill -PROF " . getmypid();
    shell_exec($command) . $full->groups("value 1", 1_000_000) . print("not ended");
', ['display_errors' => '1', 'html_errors' => '0', 'memory_limit' => '128M']);
echo trim(preg_replace('/ in Command line code.*/s', '', $text)), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
blob: Bloom\BloomException: limit 9: more groups may hold the value than the limit allows (raise the limit)
blob: Bloom\BloomException: limit 1: more groups may hold the value than the limit allows (raise the limit)
blob: Bloom\BloomException: limit 149999: more groups may hold the value than the limit allows (raise the limit)
blob: Bloom\BloomException: limit 100000: more groups may hold the value than the limit allows (raise the limit)
loaded: Bloom\BloomException: limit 9: more groups may hold the value than the limit allows (raise the limit)
loaded: Bloom\BloomException: limit 1: more groups may hold the value than the limit allows (raise the limit)
loaded: Bloom\BloomException: limit 149999: more groups may hold the value than the limit allows (raise the limit)
loaded: Bloom\BloomException: limit 100000: more groups may hold the value than the limit allows (raise the limit)
live: Bloom\BloomException: limit 9: more groups may hold the value than the limit allows (raise the limit)
live: Bloom\BloomException: limit 1: more groups may hold the value than the limit allows (raise the limit)
live: Bloom\BloomException: limit 149999: more groups may hold the value than the limit allows (raise the limit)
live: Bloom\BloomException: limit 100000: more groups may hold the value than the limit allows (raise the limit)
ValueError: Bloom\Blob::groups(): Argument #2 ($limit) must be at least 1
ValueError: Bloom\Blob::groups(): Argument #2 ($limit) must be at least 1
ValueError: Bloom\Blob::groups(): Argument #2 ($limit) must be at least 1
Bloom\FormatException: measured rate: a value in no group would match more than 10,000 groups on average (build the index for more values, or at a lower rate)
Bloom\FormatException: measured rate: a value in no group would match more than 10,000 groups on average (build the index for more values, or at a lower rate)
Bloom\FormatException: {segment}.d/forged: measured rate: a value in no group would match more than 10,000 groups on average (build the index for more values, or at a lower rate)
ValueError: Bloom\ReverseIndex::create(): Argument #4 ($falsePositiveRate) must be lower for this many groups: a value in no group would match more than 10,000 of them
ValueError: Bloom\ReverseIndexBuilder::__construct(): Argument #3 ($falsePositiveRate) must be lower for this many groups: a value in no group would match more than 10,000 of them
Bloom\FormatException: measured rate: a value in no group would match more than 10,000 groups on average (build the index for more values, or at a lower rate)
Bloom\FormatException: measured rate: a value in no group would match more than 10,000 groups on average (build the index for more values, or at a lower rate)
Bloom\BloomException: limit 100000: more groups may hold the value than the limit allows (raise the limit)
Fatal error: Maximum execution time of 60 seconds exceeded

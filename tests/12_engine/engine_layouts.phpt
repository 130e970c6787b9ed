--TEST--
During an upgrade and a downgrade, builds with two layouts share a segment and a store, and reject no key
--DESCRIPTION--
fault: other-layout
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/recipe.inc';
skip_without_generators();
skip_without_linux_calls();
if (trim((string) shell_exec('stat -f -c %T ' . escapeshellarg(sys_get_temp_dir()))) !== 'tmpfs') {
    echo 'skip only on tmpfs does the kernel tell whether a process has a file mapped';
}
?>
--INI--
bloom.path={TMP}/bloom-engine_layouts
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/recipe.inc';

use Bloom\DirectoryStore;
use Bloom\Journal;

define('STORE', 'new Bloom\DirectoryStore(' . var_export(own_file('store'), true) . ')');

/** A worker that runs one of the two builds until it ends. */
final class Worker
{
    private $process;
    private array $pipes = [];

    public function __construct(string $module)
    {
        $code = 'while (($line = fgets(STDIN)) !== false) {
            try { echo json_encode(eval(base64_decode($line))), "\n"; }
            catch (Throwable $error) { echo json_encode($error::class . ": " . $error->getMessage()), "\n"; }
        }';
        $settings = ['extension' => $module, 'bloom.path' => segment_path()];
        $command = escapeshellarg(PHP_BINARY) . ' -n';
        foreach ($settings as $name => $value) {
            $command .= ' -d ' . escapeshellarg("$name=$value");
        }
        $this->process = proc_open("exec $command -r " . escapeshellarg($code), [['pipe', 'r'], ['pipe', 'w']], $this->pipes);
    }

    public function ask(string $code): mixed
    {
        fwrite($this->pipes[0], base64_encode($code) . "\n");
        return json_decode(fgets($this->pipes[1]), true);
    }

    public function sync(): mixed
    {
        return $this->ask('return Bloom\Filter::sync("tags", ' . STORE . ', ttl: 0);');
    }

    /** Returns which of the keys the worker rejects. Without a filter it looks every key up. */
    public function rejected(array $keys): mixed
    {
        return $this->ask('$tags = Bloom\Filter::find("tags"); return array_values(array_filter(' . var_export($keys, true)
            . ', fn ($key) => $tags !== null && !$tags->mightContain($key)));');
    }

    public function end(): void
    {
        fclose($this->pipes[0]);
        proc_close($this->process);
    }
}

/** Returns which builds have a generation of a filter. */
function layouts(string $name): string
{
    global $own;
    $found = array_map(fn (string $path): int => (int) substr(strrchr(dirname($path), '@'), 1) - $own, glob(segment_path() . "/$name@*/*.bloom"));
    return implode(' and ', array_map(fn (int $layout): string => ['old', 'new'][$layout] ?? "$layout", $found));
}

/** Makes a worker sweep the segment, which the first load of an hour does. */
function sweep(Worker $worker): void
{
    file_put_contents(segment_path() . '/.bloom/swept', pack('Q', PHP_INT_MAX)); // a time of another boot
    $done = $worker->ask('$b = new Bloom\Builder(10); $b->add("x"); Bloom\Filter::load("any", $b->build()); return Bloom\Filter::drop("any");');
    check($done === true, 'a load swept the segment: ' . json_encode($done));
}

/** Checks that these workers reject none of the keys. */
function check_keys(Worker ...$workers): void
{
    global $keys;
    foreach ($workers as $i => $worker) {
        $rejected = $worker->rejected($keys);
        check($rejected === [], "worker $i rejects none: " . json_encode($rejected));
    }
}

preg_match('~/\S*/bloom\.so~', file_get_contents('/proc/self/maps'), $found);
$own = (int) substr(strrchr(in_segment('tags'), '@'), 1);
copy_tree('layouts');
$control = "$tree/src/segment/control.h";
file_put_contents($control, str_replace("LAYOUT = $own,", 'LAYOUT = ' . ($own + 1) . ',', file_get_contents($control), $count));
check($count === 1, 'control.h has one layout');
$modules = ['old' => $found[0], 'new' => build_tree()];

mkdir(own_file('store'));
$store = new DirectoryStore(own_file('store'));
$journal = new Journal('tags', $store);
$keys = array_map(fn (int $i): string => "key$i", range(1, 1000));
$publish = function () use (&$keys, $journal, $store): void {
    $mark = $journal->mark();
    $builder = new Bloom\Builder(2000, seed: 1);
    $builder->addMany($keys);
    $builder->build(builtAt: 1_700_000_000 + count($keys), mark: $mark)->publish($store, 'tags');
};
$publish();

$old = new Worker($modules['old']);
echo "the old build syncs: {$old->sync()}\n";
echo 'it creates a live filter: ', json_encode($old->ask('return Bloom\LiveFilter::create("visitors", 100)->add("ann");')), "\n";
check_keys($old);

echo "\nAn upgrade: processes of both builds run\n";
$new = new Worker($modules['new']);
echo 'before its first sync, the new build finds ', json_encode($new->ask('return Bloom\Filter::find("tags");')), "\n";
check_keys($old, $new);
$shown = fn (mixed $text): string => preg_replace('~@\d+~', '@N', is_string($text) ? str_replace(segment_path(), '{segment}', $text) : json_encode($text));
echo 'it creates no live filter, whose keys the old build would deny: ', $shown($new->ask('return Bloom\LiveFilter::create("tags", 100);')), "\n";
echo "the new build syncs: {$new->sync()}\n";
check_keys($old, $new);
foreach ([[$old, $new], [$new, $old]] as $i => [$one, $other]) {
    $keys[] = $key = "added$i";
    echo 'one adds a key to the journal: ', $one->ask('return (new Bloom\Journal("tags", ' . STORE . "))->add('$key');"), "\n";
    check_keys($one);
    echo "the other syncs: {$other->sync()}\n";
    check_keys($other, $one);
    $keys[] = "published$i";
    $publish();
    echo "a version is published: {$one->sync()}, ";
    check_keys($one);
    echo "{$other->sync()}\n";
    check_keys($other, $one);
}
sweep($new);
sweep($old);
check_keys($old, $new);
echo 'tags belongs to ', layouts('tags'), ', visitors to ', layouts('visitors'), "\n";
$bytes = fn (Worker $worker): mixed => $worker->ask('return Bloom\Filter::open("tags")->info()->segmentBytes;');
check(is_int($bytes($new)) && $bytes($new) === $bytes($old), 'both count all files');

echo "\nThe live filter of the old build, in the new one:\n";
foreach ([
    'return Bloom\Filter::find("visitors");',
    'return Bloom\LiveFilter::create("visitors", 100)->add("ben");',
    '$b = new Bloom\Builder(10); Bloom\Filter::load("visitors", $b->build());',
    'return Bloom\Filter::health("visitors")->reasons[0];',
] as $code) {
    echo $shown($new->ask($code)), "\n";
}

echo "\nThe old build has ended\n";
$old->end();
sweep($new);
echo 'tags belongs to ', layouts('tags'), ', visitors to ', layouts('visitors'), "\n";
check_keys($new);

echo "\nA downgrade\n";
$old = new Worker($modules['old']);
echo 'before its sync, the old build finds ', json_encode($old->ask('return Bloom\Filter::find("tags");')), "\n";
echo "it syncs: {$old->sync()}\n";
check_keys($old, $new);
$new->end();
sweep($old);
echo 'tags belongs to ', layouts('tags'), "\n";
check_keys($old);
echo 'the live filter finds its key: ', json_encode($old->ask('return ($visitors = Bloom\Filter::open("visitors"))->mightContain("ann");')), "\n";

echo "\nAny build drops a filter for all\n";
$new = new Worker($modules['new']);
echo 'dropped: ', json_encode($new->ask('return Bloom\Filter::drop("visitors");')), "\n";
echo 'visitors belongs to "', layouts('visitors'), "\"\n";
echo 'the old build finds ', json_encode($old->ask('return Bloom\Filter::find("visitors");')), "\n";
echo 'the new build creates it: ', json_encode($new->ask('return Bloom\LiveFilter::create("visitors", 100)->add("ben");')), "\n";
$old->end();
$new->end();
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
the old build syncs: switched
it creates a live filter: true

An upgrade: processes of both builds run
before its first sync, the new build finds null
it creates no live filter, whose keys the old build would deny: Bloom\KindException: {segment}/tags: tags@N: expected a live filter, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
the new build syncs: switched
one adds a key to the journal: 1
the other syncs: current
a version is published: switched, switched
one adds a key to the journal: 1
the other syncs: current
a version is published: switched, switched
tags belongs to old and new, visitors to old

The live filter of the old build, in the new one:
null
Bloom\SegmentException: {segment}/visitors: visitors@N: a different version of this extension has a live filter with that name (export its keys with that version, then drop it)
Bloom\SegmentException: {segment}/visitors: visitors@N: a different version of this extension has a live filter with that name (export its keys with that version, then drop it)
visitors@N: a different version of this extension has a live filter with that name (export its keys with that version, then drop it)

The old build has ended
tags belongs to new, visitors to old

A downgrade
before its sync, the old build finds null
it syncs: switched
tags belongs to old
the live filter finds its key: true

Any build drops a filter for all
dropped: true
visitors belongs to ""
the old build finds null
the new build creates it: true

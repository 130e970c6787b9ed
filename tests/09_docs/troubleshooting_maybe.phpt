--TEST--
Each cause that docs/troubleshooting.md lists for "maybe" makes lookups of absent keys answer "maybe", and health says what the page quotes
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
if (!has_sodium()) {
    die('skip needs libsodium');
}
?>
--INI--
bloom.path={TMP}/bloom-troubleshooting_maybe
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journal.inc';
require __DIR__ . '/../lib/ondemand.inc';
use Bloom\{Builder, Filter, Journal, LiveFilter};

// The rows of the page, as patterns: numbers with units, and the end of a long message, can be any text.
$page = file_get_contents(__DIR__ . '/../../docs/troubleshooting.md');
preg_match('/^## Every answer is "maybe"\n(.*?)^## /ms', $page, $section);
preg_match_all('/^\| (`[^|]*`[^|]*) \| /m', $section[1], $rows);
$patterns = [];
foreach ($rows[1] as $row) {
    preg_match_all('/`([^`]+)`/', $row, $texts);
    foreach ($texts[1] as $text) {
        $pattern = preg_replace('/[\d.]+(?: (?:min|s)\b| %)?|…/', "\1", $text);
        $patterns[$text] = '/' . str_replace("\1", '.+', preg_quote($pattern, '/')) . '/';
    }
}

/** Checks that a filter answers "maybe", or that a new worker cannot open it, and prints what the page calls the cause. */
function is_maybe(string $cause, string $name, ?Filter $open = null): void
{
    try {
        $open ??= Filter::open($name);
        $maybes = count($open->candidates(array_map(fn (int $i): string => "absent $i", range(1, 1000))));
        echo "$cause: ", match (true) {
            $maybes === 1000 => 'all',
            $maybes > 15 => 'many',
            default => "$maybes of 1000",
        }, " maybe\n";
    } catch (Bloom\BloomException $exception) {
        echo "$cause: not opened\n";
    }
    told($cause, health($name));
}

/** Returns what the command would say: in a process that has not opened the filter before, the reason is the most precise. */
function health(string $name, array $settings = []): string
{
    return run('echo implode("; ", Bloom\Filter::health(' . var_export($name, true) . ')->reasons);', $settings);
}

function told(string $cause, string $reasons): void
{
    global $patterns;
    $found = array_filter($patterns, fn (string $pattern): bool => (bool) preg_match($pattern, $reasons));
    check($found !== [], "$cause: the page does not quote: $reasons");
    $patterns = array_diff_key($patterns, $found);
}

function publish(Bloom\JournalStore $store, float $time): void
{
    $builder = new Builder(1000, seed: 1);
    $builder->addMany(range(1, 1000));
    $builder->build(builtAt: $time, mark: (new Journal('tags', $store))->mark())->publish($store, 'tags');
}

// The journal.
$store = new ArrayJournalStore();
publish($store, 1e9);
switched(Filter::sync('tags', $store, 0, maxLag: 0.001));
usleep(2000);
is_maybe('lag', 'tags');
$store->before['read'] = $store->before['getMultiple'] = fn () => throw new RuntimeException('down');
foreach (range(1, 4) as $i) {
    thrown(fn () => Filter::sync('tags', $store, 0, maxLag: 0.001));
}
is_maybe('failing syncs', 'tags');
$store->before = [];
Filter::drop('tags');
switched(Filter::sync('tags', $store, 0));
$saved = $store->journals;
(new Journal('tags', $store))->add('lost');
Filter::sync('tags', $store, 0);
$store->journals = $saved;
Filter::sync('tags', $store, 0); // appends the notice
Filter::drop('tags');
Filter::sync('tags', $store, 0); // as another host
is_maybe('lost records', 'tags');

// The file.
Filter::drop('tags');
$store = new ArrayJournalStore();
blob_of(range(1, 1000))->publish($store, 'tags');
switched(Filter::sync('tags', $store, 0));
$open = Filter::open('tags');
$path = glob(in_segment('tags/*.bloom'))[0];
$file = fopen($path, 'r+');
fseek($file, -500, SEEK_END);
fwrite($file, str_repeat("\0", 500));
fclose($file);
$store->before['getMultiple'] = fn () => throw new RuntimeException('down');
thrown(fn () => Filter::sync('tags', $store, 0));
is_maybe('damage', 'tags', $open);
$store->before = [];
Filter::sync('tags', $store, 0);
unset($open);
unlink(glob(in_segment('tags/*.bloom'))[0]);
is_maybe('deleted file', 'tags');

// Secrets and signatures are read once in a process, so other processes have them.
$secret = own_file('secret');
file_put_contents($secret, str_repeat('ab', 32));
chmod($secret, 0600);
run('Bloom\Filter::load("keyed", blob_of(range(1, 100), keyed: true));', ['bloom.secret_file' => $secret]);
is_maybe('no secret', 'keyed');
chmod($secret, 0644);
told('mode', health('keyed', ['bloom.secret_file' => $secret]));
chmod($secret, 0600);

// Too many keys.
$live = LiveFilter::create('live', 100);
$live->addMany(range(1, 100_000));
is_maybe('full', 'live');
told('journal', run('require ' . var_export(dirname(__DIR__) . '/lib/journal.inc', true) . ';' . <<<'PHP'

$store = new ArrayJournalStore();
$builder = new Bloom\Builder(1000, seed: 1);
$builder->addMany(range(1, 100));
$builder->build(builtAt: 1e9, mark: ($journal = new Bloom\Journal('few', $store))->mark())->publish($store, 'few');
Bloom\Filter::sync('few', $store, 0);
$journal->add(range(1, 8000));
Bloom\Filter::sync('few', $store, 0);
echo implode('; ', Bloom\Filter::health('few')->reasons);
PHP, ['bloom.memory_limit' => '49096', 'bloom.path' => own_file('few')]));

// On demand.
$blob = blob_of(keys('k', 8000), 8000, seed: 1, shardBytes: 1024, chunkBytes: 1024);
$store = store_of($blob);
$large = Filter::attach('large', $store, 1 << 20);
$store->script = fn () => throw new RuntimeException('down');
is_maybe('fetches', 'large', $large);
told('signed', health('large', ['bloom.signing_key_file' => $secret]));

echo "not produced here:\n", implode("\n", array_keys($patterns)), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
lag: all maybe
failing syncs: all maybe
lost records: all maybe
damage: all maybe
deleted file: all maybe
no secret: not opened
full: all maybe
fetches: all maybe
not produced here:
a different version of this extension has a live filter with that name

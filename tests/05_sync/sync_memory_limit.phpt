--TEST--
No matter where memory_limit ends a sync, the served version is kept and the next sync succeeds
--DESCRIPTION--
fault: huge-value, memory-limit-php
--EXTENSIONS--
bloom
--SKIPIF--
<?php
if (getenv('USE_ZEND_ALLOC') === '0') {
    echo 'skip memory_limit has no effect here';
}
?>
--INI--
bloom.path={TMP}/bloom-sync_memory_limit
memory_limit=1G
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{DirectoryStore, Filter};

// The blob is about 15 MB long. A sync has 4 MB in memory at a time, and the PHP store below has each value twice.
$new = blob_of(keys('new', 5000), 12_000_000);
mkdir(own_file('store'), 0700);
$store = new DirectoryStore(own_file('store'));
$new->publish($store, 'booth');
$old = chunked(keys('old', 5000), builtAt: 1);
$code = '
    final class Copying implements Bloom\Store
    {
        public array $kept = [];
        public function __construct(private Bloom\Store $inner)
        {
        }
        public function getMultiple(array $keys): array
        {
            $this->kept[] = $values = $this->inner->getMultiple($keys);
            return array_map(fn (string $value) => substr($value, 1) . "" === "" ? "" : $value . "", $values);
        }
        public function missing(array $keys): array
        {
            return $this->inner->missing($keys);
        }
        public function set(string $key, string $value): void
        {
        }
        public function replace(string $key, ?string $expected, string $value): bool
        {
            return true;
        }
        public function deleteMultiple(array $keys): void
        {
        }
    }
    $store = new Copying(new Bloom\DirectoryStore(own_file("store")));
    // From here on, the process may use this many more MB.
    ini_set("memory_limit", (string) (memory_get_usage(true) + 1_048_576 * (int) $argv[1]));
    Bloom\Filter::sync("booth", $store, 0);
    echo "synced";';
$ended = $synced = 0;
for ($megabytes = 0; $megabytes <= 40; $megabytes += 3) {
    thrown(fn () => Filter::drop('booth'));
    $booth = Filter::load('booth', $old);
    $files = tree(segment_path());
    $said = (new Child($code, ['log_errors' => '0'], [$megabytes]))->end();
    if ($said === 'synced') {
        $synced++;
        check($booth->candidates(keys('new', 5000)) === keys('new', 5000), "$megabytes MB: the new version is served");
        continue;
    }
    $ended++;
    check($booth->candidates(keys('old', 5000)) === keys('old', 5000),
        "$megabytes MB: the old version is still served");
    if (str_contains($said, 'Allowed memory size of')) {
        check(tree(segment_path()) === $files,
            "$megabytes MB: no staged file is left: " . implode(' ', tree(segment_path())));
        check($booth->info()->lastError === 'the script ended during the call', "$megabytes MB: {$booth->info()->lastError}");
    } else {
        // PHP has too little memory left to report the error, and terminates as if it had been killed.
        check(str_contains($said, 'exit status'), "$megabytes MB: $said");
        end_lease('booth');
    }
    check(switched(Filter::sync('booth', $store, 0)) && $booth->candidates(keys('new', 5000)) === keys('new', 5000),
        "$megabytes MB: the next sync succeeds");
    check(!preg_grep('/tmp$/', tree(segment_path())), "$megabytes MB: no staged file is left");
}
check($ended >= 4 && $synced >= 4, "some limits end the process and some do not: $ended and $synced");
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--

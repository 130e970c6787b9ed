--TEST--
health reports an on-demand filter as unhealthy from a failed fetch until the next successful fetch
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli();
// A page looks up two keys whose chunks are not resident yet.
$cli->write('page.php', <<<'PHP'
<?php
use Bloom\{Builder, DirectoryStore, Filter, Store};

class Server implements Store
{
    public function __construct(private Store $store)
    {
    }

    public function getMultiple(array $keys): array
    {
        return getenv('IS_DOWN') ? throw new Exception('no route to it') : $this->store->getMultiple($keys);
    }

    public function missing(array $keys): array
    {
        return $this->store->missing($keys);
    }

    public function set(string $key, string $value): void
    {
        $this->store->set($key, $value);
    }

    public function deleteMultiple(array $keys): void
    {
    }
}

$store = new Server(new DirectoryStore('store'));
if (!Filter::find('large')) {
    $builder = new Builder(20000, seed: 1, shardBytes: 1024, chunkBytes: 1024);
    $builder->addMany(range(1, 20000));
    $builder->build(builtAt: 1_700_000_000)->publish($store, 'large');
}
$large = Filter::attach('large', $store, 1 << 20);
while ($large->info()->fetchPause > 0) {
    usleep(10_000);
}
$large->candidates(range((int) getenv('FROM'), (int) getenv('FROM') + 1));
PHP);
$cli->install('page', "-d bloom.path=$cli->segment -d auto_prepend_file=$cli->files/page.php", ['bloom']);
$ask = static function (int $from, bool $isDown = false) use ($cli): void {
    $result = $cli->shell("IS_DOWN=$isDown FROM=$from page list -q");
    check("$result->code $result->output$result->errors" === '0 ', "asked: $result->output$result->errors");
};
// Removes the pause from the output, because it may already be over.
$show = static function (string ...$arguments) use ($cli): void {
    $result = $cli->run($arguments);
    echo "$result->code ", preg_replace('/, the store is paused for \d\.\d s/', '', $result->output . $result->errors);
};

mkdir("$cli->files/store");
$ask(1);
$show('health', 'large');
$ask(100, isDown: true);
$show('health', 'large');
$ask(200, isDown: true);
$one = $cli->run(['health', '--format=json', '--max-failures=9', 'large'])->json()[0];
echo json_encode([$one['healthy'], $one['kind'], $one['fetchFailures'], $one['fetchFailuresInRow']]), "\n";
check(is_float($one['fetchPause']) && $one['fetchPause'] <= 2.0, 'the pause');
check(str_contains($one['problems'][0], $one['lastError']), $one['problems'][0]);
$ask(300);
$show('health', 'large');
?>
--EXPECT--
0 large: healthy, on-demand, generation 1
1 large: NOT healthy: fetching failed 1 time in a row, 1 in all: the store failed: Exception: no route to it
[false,"on-demand",2,2]
0 large: healthy, on-demand, generation 1

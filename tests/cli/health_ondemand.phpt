--TEST--
health warns of an on-demand filter from a failed fetch until the next successful one; it is critical after many failures
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

    public function replace(string $key, ?string $expected, string $value): bool
    {
        return $this->store->replace($key, $expected, $value);
    }

    public function deleteMultiple(array $keys): void
    {
    }
}

$store = new Server(new DirectoryStore('store'));
if (!Filter::find('large')) {
    $builder = new Builder(20000, seed: 1, layout: new Bloom\Layout(shardBytes: 1024, chunkBytes: 1024));
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
$show = static function (string ...$arguments) use ($cli): void {
    $result = $cli->run($arguments);
    echo "$result->code $result->output$result->errors";
};

mkdir("$cli->files/store");
$ask(1);
$show('health', 'large');
$ask(100, isDown: true);
$show('health', 'large');
$ask(200, isDown: true);
$info = $cli->run(['health', '--format=json', 'large'])->json()[0]['info'];
echo json_encode([$info['kind'], $info['fetchFailures'], $info['fetchFailuresInRow']]), "\n";
check(is_float($info['fetchPause']) && $info['fetchPause'] <= 2.0, 'the pause');
$show('health', 'large', '--max-failures=1');
$show('health', 'large', '--ready');
$ask(300);
$show('health', 'large');
?>
--EXPECTF--
0 large: OK: on-demand, generation 1, built %d d %d h ago
1 large: WARNING: 1 fetch failed in a row: the store failed: Exception: no route to it
["on-demand",2,2]
2 large: CRITICAL: 2 fetches failed in a row: the store failed: Exception: no route to it
0 large: ready
0 large: OK: on-demand, generation 1, built %d d %d h ago

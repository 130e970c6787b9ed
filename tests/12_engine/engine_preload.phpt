--TEST--
Preloaded code may use filters, either as the workers' user or as root in the master, and workers use their own segment
--DESCRIPTION--
fault: fork, odd-phases, other-sapi
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/fpm.inc';
require __DIR__ . '/../lib/default_path.inc';
skip_without_fpm();
skip_unless_free('', 'www-data');
if (opcache_settings() === null) {
    echo 'skip opcache is not installed';
}
?>
--INI--
bloom.path={TMP}/bloom-engine_preload
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/fpm.inc';
require __DIR__ . '/../lib/default_path.inc';

use_own_shm();
mkdir(own_file('out'));
chmod(own_file('out'), 0777);
$preload = own_file('preload.php');
file_put_contents($preload, <<<'PHP'
    <?php
    final class Preloaded extends Bloom\Filter
    {
        public static ?Bloom\Filter $booth = null;
        public const KIND = Bloom\LoadedFilter::class;
    }
    final class PreloadedStore implements Bloom\Store
    {
        public function getMultiple(array $keys): array { return []; }
        public function missing(array $keys): array { return $keys; }
        public function set(string $key, string $value): void { }
        public function replace(string $key, ?string $expected, string $value): bool { return true; }
        public function deleteMultiple(array $keys): void { }
    }
    $builder = new Bloom\Builder(10);
    $builder->add('preloaded');
    try {
        Preloaded::$booth = Bloom\Filter::load('booth', $builder->build());
        $counting = Bloom\CountingFilter::create('seen', 100);
        $counting->add('preloaded');
        $text = 'in ' . Preloaded::$booth->info()->segment;
    } catch (Bloom\BloomException $error) {
        $text = $error->getMessage();
    }
    file_put_contents(__DIR__ . '/out/said', $text . ' as ' . shell_exec('id -un'));
    PHP);
// Each worker syncs its own name. With a shared name, only one worker would call the store.
$page = <<<'PHP'
    if ($action === 'load' || ($action === 'create' && Bloom\Filter::find('booth') === null)) {
        $builder = new Bloom\Builder(10);
        $builder->add('mine');
        Bloom\Filter::load('booth', $builder->build());
        Bloom\CountingFilter::create('seen', 100)->add('mine');
    }
    $booth = Bloom\Filter::open('booth');
    $seen = Bloom\Filter::open('seen');
    return ['segment' => $booth->info()->segment, 'has' => [$booth->mightContain('mine'), $booth->mightContain('preloaded'), $seen->mightContain('mine'), $seen->mightContain('preloaded')],
        'classes' => [class_exists('Preloaded', false), Preloaded::KIND, Preloaded::$booth === null, thrown_by(fn () => Bloom\Filter::sync('none-' . getmypid(), new PreloadedStore, 0))]];
    PHP;
$page = 'function thrown_by(callable $call): string { try { $call(); } catch (Throwable $error) { return preg_replace("/-[0-9]+/", "", $error->getMessage()); } return ""; }' . $page;
if (getenv('BLOOM_TEST_SANITIZE')) {
    // The process that preloads for another user exits without shutting down modules. The leak check would report their
    // startup memory as leaked, and PHP would not start.
    putenv('ASAN_OPTIONS=' . getenv('ASAN_OPTIONS') . ':detect_leaks=0');
}
$arguments = getenv('TEST_PHP_EXTRA_ARGS');
$opcache = implode(array_map(fn ($name, $value) => "-d $name=$value ", array_keys(opcache_settings()), opcache_settings()));
$defaults = array_map(fn ($user) => '/dev/shm/php-bloom-' . trim(shell_exec("id -u $user")), ['root', 'www-data']);
// If the pool's user preloads, workers find the preloaded filters. If root preloads in the master, workers do not
// find them, and use neither its segment nor its open files.
foreach (['www-data', 'root'] as $user) {
    remove_tree(own_file('fpm'));
    putenv("TEST_PHP_EXTRA_ARGS=$arguments $opcache-d opcache.enable=1 -d opcache.preload=$preload -d opcache.preload_user=$user");
    $fpm = new FpmServer(['www' => 'www-data'], $page);
    try {
        echo strtr(file_get_contents(own_file('out/said')), array_combine($defaults, ['{root}', '{www-data}']));
        $fpm->ask('www', 'create');
        $answers = $fpm->ask_each('www');
        echo strtr(stripslashes(values($answers, 'segment')), array_combine($defaults, ['{root}', '{www-data}'])), "\n", values($answers, 'has'), "\n", values($answers, 'classes'), "\n";
        $fpm->ask('www', 'load');
        echo 'loaded by a worker: ', values($fpm->ask_each('www'), 'has'), "\n";
    } finally {
        $fpm->stop();
        unset($fpm);
        array_map(remove_tree(...), [...$defaults, own_file('out/said')]);
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
in {www-data} as www-data
4 workers: "{www-data}"
4 workers: [false,true,false,true]
4 workers: [true,"Bloom\\LoadedFilter",true,"none: missing from the store"]
loaded by a worker: 4 workers: [true,false,true,true]
in {root} as root
4 workers: "{www-data}"
4 workers: [true,false,true,false]
4 workers: [true,"Bloom\\LoadedFilter",true,"none: missing from the store"]
loaded by a worker: 4 workers: [true,false,true,false]

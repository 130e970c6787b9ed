<?php

declare(strict_types=1);

namespace Bloom\Laravel\Tests;

use Bloom\Builder;
use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\Laravel\Tests\App\Site;
use Bloom\Laravel\Tests\App\SpyStore;
use Illuminate\Container\Container;
use Illuminate\Contracts\Console\Kernel;
use Illuminate\Filesystem\Filesystem;
use Illuminate\Foundation\Application;
use Illuminate\Support\Facades\Facade;
use PHPUnit\Framework\TestCase;

/** Gives each test a directory for its application, an empty store in it, and an empty segment. */
abstract class SiteTestCase extends TestCase
{
    protected string $directory;
    protected SpyStore $store;

    protected function setUp(): void
    {
        $this->directory = sys_get_temp_dir() . '/bloom-laravel-' . bin2hex(random_bytes(8));
        self::empty();
        mkdir("$this->directory/store", 0777, true);
        $this->store = new SpyStore(new DirectoryStore("$this->directory/store"));
    }

    protected function tearDown(): void
    {
        Facade::clearResolvedInstances();
        Container::setInstance(null);
        (new Filesystem())->deleteDirectory($this->directory);
        self::empty();
    }

    private static function empty(): void
    {
        // This process may have filters in use. Without the drop, a sync of one would not be due in the next test.
        array_map(Filter::drop(...), is_dir(self::segment()) ? Filter::list() : []);
        (new Filesystem())->deleteDirectory(self::segment());
    }

    /** Refuses to run with the default segment, because the tests delete it. */
    protected static function segment(): string
    {
        $path = (string) ini_get('bloom.path');
        return $path !== '' ? $path : throw new \LogicException('set bloom.path to a directory of this test');
    }

    /**
     * Starts an application whose store "main" is $this->store.
     *
     * @param array<string, mixed> $filters
     * @param array<string, mixed> $stores in addition
     */
    protected function start(array $filters = ['tags' => ['store' => 'main', 'interval' => 0]], array $stores = [], bool $isConsole = true): Application
    {
        $_ENV['APP_RUNNING_IN_CONSOLE'] = $isConsole ? 'true' : 'false';
        $app = Site::create("$this->directory/" . bin2hex(random_bytes(4)), [
            'stores' => ['main' => ['driver' => 'service', 'service' => 'app.store']] + $stores,
            'filters' => $filters,
        ]);
        $app->instance('app.store', $this->store);
        $app->make(Kernel::class)->bootstrap();
        // The framework's handlers would hide what PHPUnit must see.
        restore_error_handler();
        restore_exception_handler();
        unset($_ENV['APP_RUNNING_IN_CONSOLE']);
        return $app;
    }

    /** @param list<string|int> $keys */
    protected function publish(array $keys, string $name = 'tags'): void
    {
        $builder = new Builder(capacity: 1000, falsePositiveRate: 1e-9, seed: 1);
        $builder->addMany($keys);
        $builder->build()->publish(new DirectoryStore("$this->directory/store"), $name);
    }

    /** @return list<string> the lines of the application's log, without dates and stack traces */
    protected static function log(Application $app): array
    {
        $text = (string) @file_get_contents($app->storagePath('logs/laravel.log'));
        preg_match_all('/^\[[^]]+] production\.([A-Z]+: .*?)(?: \{.*)?$/m', $text, $found);
        return array_map(trim(...), $found[1]);
    }
}

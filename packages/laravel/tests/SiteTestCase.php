<?php

declare(strict_types=1);

namespace Bloom\Laravel\Tests;

use Bloom\Kit\Tests\HostTestCase;
use Bloom\Kit\Tests\SpyStore;
use Bloom\Laravel\Tests\App\Site;
use Illuminate\Container\Container;
use Illuminate\Contracts\Console\Kernel;
use Illuminate\Foundation\Application;
use Illuminate\Support\Facades\Facade;

abstract class SiteTestCase extends HostTestCase
{
    protected SpyStore $store;

    protected function setUp(): void
    {
        parent::setUp();
        $this->store = new SpyStore("$this->directory/store");
    }

    protected function tearDown(): void
    {
        Facade::clearResolvedInstances();
        Container::setInstance(null);
        parent::tearDown();
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

    /** @return list<string> the lines of the application's log, without dates and stack traces */
    protected static function log(Application $app): array
    {
        $text = (string) @file_get_contents($app->storagePath('logs/laravel.log'));
        preg_match_all('/^\[[^]]+] production\.([A-Z]+: .*?)(?: \{.*)?$/m', $text, $found);
        return array_map(trim(...), $found[1]);
    }
}

<?php

declare(strict_types=1);

namespace Bloom\Laravel;

use Bloom\Kit\SyncCommand;
use Illuminate\Contracts\Container\Container;
use Illuminate\Support\ServiceProvider;

/** Registers the filters of config/bloom.php, and syncs them after each response. */
final class BloomServiceProvider extends ServiceProvider
{
    private const CONFIG = __DIR__ . '/../config/bloom.php';

    public function register(): void
    {
        $this->mergeConfigFrom(self::CONFIG, 'bloom');
        $this->app->singleton(FilterManager::class);
        $this->app->bind(SyncCommand::class, static fn (Container $app) => new SyncCommand($app->make(FilterManager::class)));
    }

    public function boot(): void
    {
        if ($this->app->runningInConsole()) {
            $this->publishes([self::CONFIG => $this->app->configPath('bloom.php')], 'bloom-config');
            $this->commands([SyncCommand::class]);
            return;
        }
        $this->app->terminating(static fn (FilterManager $filters) => $filters->syncDue());
    }
}

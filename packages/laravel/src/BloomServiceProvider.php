<?php

declare(strict_types=1);

namespace Bloom\Laravel;

use Bloom\Kit\SyncCommand;
use Illuminate\Contracts\Container\Container;
use Illuminate\Contracts\Validation\UncompromisedVerifier;
use Illuminate\Support\ServiceProvider;

/** Registers the filters of config/bloom.php, and syncs them after each response. */
final class BloomServiceProvider extends ServiceProvider
{
    private const CONFIG = __DIR__ . '/../config/bloom.php';

    public function register(): void
    {
        $this->mergeConfigFrom(self::CONFIG, 'bloom');
        $this->app->singleton(FilterManager::class);
        $this->app->bind(SyncCommand::class, static fn (Container $app) => new SyncCommand(self::filters($app)));
        // The framework's provider is deferred: it binds its verifier when somebody asks for one, over any binding made here. An
        // extender applies to every binding.
        $this->app->extend(
            UncompromisedVerifier::class,
            static fn (UncompromisedVerifier $http, Container $app) => self::filters($app)->passwordVerifier($http),
        );
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

    private static function filters(Container $app): FilterManager
    {
        /** @var FilterManager $filters Laravel 10 does not say so */
        $filters = $app->make(FilterManager::class);
        return $filters;
    }
}

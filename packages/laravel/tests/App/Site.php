<?php

declare(strict_types=1);

namespace Bloom\Laravel\Tests\App;

use Bloom\Laravel\BloomServiceProvider;
use Illuminate\Contracts\Console\Kernel as ConsoleContract;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Contracts\Http\Kernel as HttpContract;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Console\Kernel as ConsoleKernel;
use Illuminate\Foundation\Exceptions\Handler;
use Illuminate\Foundation\Http\Kernel as HttpKernel;
use Illuminate\Support\ServiceProvider;

/** A Laravel application in a directory. */
final class Site
{
    /** @param array<string, mixed> $bloom the contents of config/bloom.php */
    public static function create(string $directory, array $bloom): Application
    {
        foreach (['bootstrap/cache', 'config', 'storage/logs', 'storage/framework/views', 'vendor/composer'] as $path) {
            if (!is_dir("$directory/$path")) {
                mkdir("$directory/$path", 0777, true);
            }
        }
        $app = new Application($directory);
        $app->singleton(HttpContract::class, HttpKernel::class);
        $app->singleton(ConsoleContract::class, ConsoleKernel::class);
        $app->singleton(ExceptionHandler::class, Handler::class);
        file_put_contents("$directory/config/app.php", '<?php return ' . var_export([
            'name' => 'test',
            'env' => 'production',
            'debug' => false,
            'timezone' => 'UTC',
            'locale' => 'en',
            'fallback_locale' => 'en',
            'key' => 'base64:' . base64_encode(str_repeat('k', 32)),
            'cipher' => 'AES-256-CBC',
            'providers' => [...ServiceProvider::defaultProviders()->toArray(), BloomServiceProvider::class],
        ], true) . ';');
        $others = [
            'bloom' => $bloom,
            'logging' => ['default' => 'file', 'channels' => ['file' => ['driver' => 'single', 'path' => "$directory/storage/logs/laravel.log"]]],
            'database' => ['default' => 'sqlite', 'connections' => ['sqlite' => ['driver' => 'sqlite', 'database' => ':memory:', 'prefix' => '']]],
            'cache' => ['default' => 'array', 'stores' => ['array' => ['driver' => 'array']]],
            'view' => ['paths' => [], 'compiled' => "$directory/storage/framework/views"],
        ];
        foreach ($others as $name => $values) {
            file_put_contents("$directory/config/$name.php", '<?php return ' . var_export($values, true) . ';');
        }
        return $app;
    }
}

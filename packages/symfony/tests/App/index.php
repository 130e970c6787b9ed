<?php

// The front controller of the application that php-fpm runs.

declare(strict_types=1);

use Bloom\Kit\Tests\SpyStore;
use Bloom\Symfony\Tests\App\Kernel;
use Symfony\Component\DependencyInjection\Loader\Configurator\ServicesConfigurator;
use Symfony\Component\HttpClient\MockHttpClient;
use Symfony\Component\HttpFoundation\Request;

require dirname(__DIR__, 2) . '/vendor/autoload.php';

function no_http_client(): never
{
    throw new Error('the HTTP client is used');
}

$directory = (string) getenv('APP_DIRECTORY');
$kernel = new Kernel(
    $directory,
    [
        'stores' => ['main' => ['service' => 'app.store']],
        'filters' => ['tags' => ['store' => 'main', 'interval' => 0], 'breached' => null],
        'breached_passwords' => ['filter' => 'breached'],
    ],
    services: static function (ServicesConfigurator $services) use ($directory): void {
        $services->set('app.store', SpyStore::class)->args(["$directory/store", "$directory/gate"]);
        $services->set('http_client', MockHttpClient::class)->factory('no_http_client');
    },
);
$request = Request::createFromGlobals();
$response = $kernel->handle($request);
$response->send();
$kernel->terminate($request, $response);

<?php

// The front controller of the application that php-fpm runs.

declare(strict_types=1);

use Bloom\Filter;
use Bloom\Kit\Tests\SpyStore;
use Bloom\Laravel\Facades\BloomFilter;
use Bloom\Laravel\Tests\App\Site;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Http;
use Illuminate\Support\Facades\Route;
use Illuminate\Support\Facades\Validator;
use Illuminate\Validation\Rules\Password;

$directory = (string) getenv('APP_DIRECTORY');
ini_set('error_log', "$directory/errors");
require dirname(__DIR__, 2) . '/vendor/autoload.php';

$app = Site::create("$directory/site", [
    'stores' => ['main' => ['driver' => 'service', 'service' => SpyStore::class]],
    'filters' => ['tags' => ['store' => 'main', 'interval' => 0], 'breached' => []],
    'breached_passwords' => ['filter' => 'breached'],
]);
$app->bind(SpyStore::class, fn (): SpyStore => new SpyStore("$directory/store", "$directory/gate"));
$kernel = $app->make(Kernel::class);
assert($kernel instanceof Kernel);
$kernel->bootstrap();
Route::get('/lookup', fn (Request $request): array => [
    'candidates' => array_values(BloomFilter::get('tags')->candidates(explode(',', (string) $request->query('keys')))),
    'generation' => Filter::find('tags')?->info()->generation,
]);
// The framework's verifier catches exceptions.
Http::fake(fn (): never => throw new Error('a request was sent'));
Route::post('/register', fn (Request $request): array => [
    'errors' => Validator::make($request->all(), ['password' => Password::min(8)->uncompromised()])->errors()->all(),
]);
$request = Request::capture();
$response = $kernel->handle($request);
$response->send();
$kernel->terminate($request, $response);

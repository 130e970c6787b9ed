<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests;

use Bloom\Kit\Tests\HostTestCase;
use Bloom\Kit\Tests\Log;
use Bloom\Symfony\Tests\App\Kernel;
use Bloom\Symfony\Tests\App\Pages;
use Psr\Container\ContainerInterface;
use Symfony\Component\DependencyInjection\Loader\Configurator\ServicesConfigurator;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;

abstract class AppTestCase extends HostTestCase
{
    protected function tearDown(): void
    {
        restore_exception_handler(); // the debug mode of FrameworkBundle sets one
        parent::tearDown();
    }

    /** @return array<string, mixed> the filter "tags" in a directory, which each request syncs */
    protected function config(float $interval = 0): array
    {
        return [
            'stores' => ['main' => ['directory' => "$this->directory/store"]],
            'filters' => ['tags' => ['store' => 'main', 'interval' => $interval]],
        ];
    }

    /**
     * @param array<string, mixed> $bloom
     * @param (\Closure(ServicesConfigurator): mixed)|null $services
     * @param array<string, mixed> $validation
     */
    protected function boot(
        array $bloom,
        bool $debug = false,
        ?\Closure $services = null,
        bool $hasDoctrine = false,
        array $validation = [],
        string $charset = 'UTF-8',
    ): Kernel {
        // A second kernel in the same directory must not load the container of the first one.
        $kernel = new Kernel("$this->directory/" . bin2hex(random_bytes(4)), $bloom, $debug, $services, $hasDoctrine, $validation, $charset);
        $kernel->boot();
        return $kernel;
    }

    /** Handles a request as public/index.php does, including what follows the response. */
    protected function request(Kernel $kernel, string $url, bool $terminate = true): Response
    {
        $request = Request::create($url);
        $response = $kernel->handle($request);
        if ($terminate) {
            $kernel->terminate($request, $response);
        }
        return $response;
    }

    /**
     * @template T of object
     *
     * @param class-string<T> $class
     *
     * @return T
     */
    protected static function service(Kernel $kernel, string $class, ?string $id = null): object
    {
        $container = $kernel->getContainer()->get('test.service_container');
        \assert($container instanceof ContainerInterface);
        $service = $container->get($id ?? $class);
        self::assertInstanceOf($class, $service);
        return $service;
    }

    protected static function pages(Kernel $kernel): Pages
    {
        return self::service($kernel, Pages::class);
    }

    /** @return list<string> */
    protected static function log(Kernel $kernel): array
    {
        return self::service($kernel, Log::class)->lines;
    }

    /** @return list<string> */
    protected static function errors(Kernel $kernel): array
    {
        return array_values(preg_grep('/^error: /', self::log($kernel)) ?: []);
    }
}

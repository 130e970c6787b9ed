<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests\App;

use Bloom\Kit\Tests\Log;
use Bloom\Symfony\BloomBundle;
use Doctrine\Bundle\DoctrineBundle\DoctrineBundle;
use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
use Symfony\Bundle\TwigBundle\TwigBundle;
use Symfony\Bundle\WebProfilerBundle\WebProfilerBundle;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\DependencyInjection\Loader\Configurator\ServicesConfigurator;
use Symfony\Component\HttpKernel\Kernel as BaseKernel;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;

/** A minimal application. In debug mode, it has the profiler. */
final class Kernel extends BaseKernel
{
    use MicroKernelTrait;

    /**
     * @param array<string, mixed> $bloom the configuration of the bundle
     * @param (\Closure(ServicesConfigurator): mixed)|null $services adds the services of a test
     * @param array<string, mixed> $validation the configuration framework.validation
     */
    public function __construct(
        private readonly string $directory,
        private readonly array $bloom,
        bool $debug = false,
        private readonly ?\Closure $services = null,
        private readonly bool $hasDoctrine = false,
        private readonly array $validation = [],
        private readonly string $charset = 'UTF-8',
    ) {
        parent::__construct('test', $debug);
    }

    public function registerBundles(): iterable
    {
        yield new FrameworkBundle();
        yield new BloomBundle();
        if ($this->hasDoctrine) {
            yield new DoctrineBundle();
        }
        if ($this->debug) {
            yield new TwigBundle();
            yield new WebProfilerBundle();
        }
    }

    public function getProjectDir(): string
    {
        return $this->directory;
    }

    public function getCharset(): string
    {
        return $this->charset;
    }

    protected function configureContainer(ContainerConfigurator $container): void
    {
        $container->extension('bloom', $this->bloom);
        $container->extension('framework', [
            'secret' => 'test',
            'test' => true,
            'http_method_override' => false,
            'handle_all_throwables' => true,
            'php_errors' => ['log' => true],
            'validation' => $this->validation + ['email_validation_mode' => 'html5'],
        ]);
        if ($this->hasDoctrine) {
            $entities = ['type' => 'attribute', 'is_bundle' => false, 'dir' => __DIR__ . '/Entity', 'prefix' => __NAMESPACE__ . '\Entity'];
            $container->extension('doctrine', [
                'dbal' => ['driver' => 'pdo_sqlite', 'path' => "$this->directory/database"],
                'orm' => ['mappings' => ['app' => $entities]],
            ]);
        }
        if ($this->debug) {
            $container->extension('framework', ['profiler' => ['collect' => true]]);
            $container->extension('web_profiler', ['toolbar' => true]);
        }
        $services = $container->services();
        $services->defaults()->autowire()->public();
        $services->set(Pages::class)->tag('controller.service_arguments');
        $services->set(Log::class)->alias('logger', Log::class);
        if ($this->services !== null) {
            ($this->services)($services);
        }
    }

    protected function configureRoutes(RoutingConfigurator $routes): void
    {
        $routes->add('lookup', '/lookup')->controller([Pages::class, 'lookup']);
        $routes->add('register', '/register')->controller([Pages::class, 'register']);
        $routes->add('stream', '/stream')->controller([Pages::class, 'stream']);
        if ($this->debug) {
            foreach (['profiler' => '/_profiler', 'wdt' => '/_wdt'] as $file => $prefix) {
                $path = dirname((string) (new \ReflectionClass(WebProfilerBundle::class))->getFileName())
                    . "/Resources/config/routing/$file";
                $routes->import(is_file("$path.php") ? "$path.php" : "$path.xml")->prefix($prefix); // 6.4 has only XML
            }
        }
    }
}

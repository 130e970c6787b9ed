<?php

declare(strict_types=1);

namespace Bloom\Symfony;

use Bloom\Symfony\DependencyInjection\Configuration;
use Bloom\Symfony\DependencyInjection\CrossChecks;
use Bloom\Symfony\DependencyInjection\OwnClients;
use Bloom\Symfony\DependencyInjection\PasswordCheck;
use Bloom\Symfony\DependencyInjection\Services;
use Symfony\Component\Config\Definition\Configurator\DefinitionConfigurator;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpKernel\Bundle\AbstractBundle;

/**
 * Makes the filters of the configuration `bloom:` available as services.
 *
 * @phpstan-import-type Config from CrossChecks
 */
final class BloomBundle extends AbstractBundle
{
    public function configure(DefinitionConfigurator $definition): void
    {
        Configuration::define($definition);
    }

    public function build(ContainerBuilder $container): void
    {
        $container->addCompilerPass(new OwnClients());
        $container->addCompilerPass(new PasswordCheck());
    }

    /**
     * @param array<mixed> $config
     *
     * @psalm-suppress ParamNameMismatch the parameters have the names of AbstractBundle
     */
    public function loadExtension(array $config, ContainerConfigurator $container, ContainerBuilder $builder): void
    {
        /** @var Config $config */
        (new Services($builder))->register($config);
    }
}

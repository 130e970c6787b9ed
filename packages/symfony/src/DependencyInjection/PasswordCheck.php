<?php

declare(strict_types=1);

namespace Bloom\Symfony\DependencyInjection;

use Symfony\Component\Config\Definition\Exception\InvalidConfigurationException;
use Symfony\Component\DependencyInjection\Compiler\CompilerPassInterface;
use Symfony\Component\DependencyInjection\ContainerBuilder;

/** Puts the bundle's validator before the framework's, with the settings of that one. */
final readonly class PasswordCheck implements CompilerPassInterface
{
    public const SERVICE = 'bloom.breached_password_validator';
    private const FRAMEWORK = 'validator.not_compromised_password';

    public function process(ContainerBuilder $container): void
    {
        if (!$container->hasDefinition(self::SERVICE)) {
            return;
        }
        if (!$container->has(self::FRAMEWORK)) {
            throw new InvalidConfigurationException('Invalid configuration for path "bloom.breached_passwords": the validator is not'
                . ' available; install symfony/validator, and set framework.validation.enabled to true.');
        }
        $arguments = $container->findDefinition(self::FRAMEWORK)->getArguments();
        $container->getDefinition(self::SERVICE)
            ->setDecoratedService(self::FRAMEWORK)
            ->setArgument(3, $arguments[1])
            ->setArgument(4, $arguments[2]);
    }
}

<?php

declare(strict_types=1);

namespace Bloom\Symfony\DependencyInjection;

use Symfony\Component\DependencyInjection\Argument\ServiceClosureArgument;
use Symfony\Component\DependencyInjection\Compiler\CompilerPassInterface;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\Reference;

/**
 * Gives each store clients of its own, made as the configured service is made. After a failure, and in a forked worker, a
 * store must not use the connection again that it used before, and the application's own client must not be closed.
 */
final readonly class OwnClients implements CompilerPassInterface
{
    public const TAG = 'bloom.store_with_client';

    public function process(ContainerBuilder $container): void
    {
        /** @var array<string, non-empty-list<array{client: string}>> $stores */
        $stores = $container->findTaggedServiceIds(self::TAG);
        foreach ($stores as $store => [$tag]) {
            if (!$container->has($tag['client'])) {
                continue; // the container reports it
            }
            $client = $container->findDefinition($tag['client']);
            if ($client->isSynthetic()) {
                continue; // only the application can make it
            }
            $own = (clone $client)->setShared(false)->setPublic(false)->clearTags();
            $container->setDefinition("$store.client", $own);
            $container->getDefinition($store)->setArgument(0, new ServiceClosureArgument(new Reference("$store.client")));
        }
    }
}

<?php

declare(strict_types=1);

namespace Bloom\Symfony\DependencyInjection;

use Bloom\Kit\KeyWrite;
use Bloom\Kit\PasswordFallback;
use Symfony\Component\Config\Definition\Builder\ArrayNodeDefinition;
use Symfony\Component\Config\Definition\Builder\NodeBuilder;
use Symfony\Component\Config\Definition\Configurator\DefinitionConfigurator;

/**
 * The tree of the configuration `bloom:`. CrossChecks compares values of different keys.
 *
 * @psalm-suppress InvalidArgument Psalm loses the generic types of the framework's builder
 */
final class Configuration
{
    public const STORE_TYPES = ['directory', 'redis', 'memcached', 'service'];

    public static function define(DefinitionConfigurator $definition): void
    {
        $root = $definition->rootNode();
        /** @var ArrayNodeDefinition $root */
        $children = $root->children();
        self::named($children->arrayNode('stores'), self::stores(...));
        self::named($children->arrayNode('filters'), self::filters(...));
        self::breachedPasswords($children->arrayNode('breached_passwords')
            ->info('A filter of breached passwords that answers for the constraint NotCompromisedPassword, without HTTP')
            ->children());
        $root->validate()->always(CrossChecks::apply(...));
    }

    /** @param callable(NodeBuilder): void $define */
    private static function named(ArrayNodeDefinition $node, callable $define): void
    {
        // Symfony replaces dashes in keys by underscores, but a name with a dash is a different filter.
        $node->useAttributeAsKey('name', false)->normalizeKeys(false);
        $define($node->arrayPrototype()->children());
    }

    private static function stores(NodeBuilder $store): void
    {
        $store->scalarNode('directory')->info('Path of a directory')->end();
        $store->scalarNode('redis')->info('Service id of a \Redis, \RedisCluster or Predis client')->end();
        $store->scalarNode('memcached')->info('Service id of a \Memcached client')->end();
        $store->scalarNode('service')->info('Service id of a Bloom\Store')->end();
        $store->scalarNode('prefix')->info('Prefix of all keys in Redis or Memcached')->defaultValue('bloom:')->end();
    }

    private static function filters(NodeBuilder $filter): void
    {
        $filter->scalarNode('store')
            ->info('Name of a store; without one, another program must load the filter, such as "bloom sync --every"')
            ->defaultNull();
        $filter->floatNode('interval')
            ->info('Seconds between two syncs on this host; default 60, or 1 with a journal')
            ->min(0);
        $filter->booleanNode('journal')
            ->info('Make the journal of the filter available as a service')
            ->defaultFalse();
        $filter->floatNode('max_lag')
            ->info('Lookups answer "maybe" if this host has been behind the journal for this many seconds; 0: never. The shortest'
                . ' time that any process of the host asked for in the last hour applies; null: keep it, at first 60')
            ->min(0)
            ->defaultNull();
        $filter->enumNode('fold')
            ->info('"mysql": keys that MySQL treats as equal are one key; the filter must be built with bloom build --fold=mysql')
            ->values([null, 'mysql'])
            ->defaultNull();
        $filter->enumNode('write')
            ->info('How entities add keys to the journal: "journal" fails if the store fails, "journal_or_outbox" then uses a table'
                . ' of the database, and "outbox" always does')
            ->values(array_column(KeyWrite::cases(), 'value'))
            ->defaultValue(KeyWrite::Journal->value);
        $filter->floatNode('shadow')
            ->info('Check this share of the filter\'s "no" answers in the database; 1: look up every key')
            ->min(0)
            ->max(1)
            ->defaultValue(0.0);
        $filter->enumNode('fake')
            ->info('For tests: use a fake instead of the filter, and keep its store in memory')
            ->values([null, ...Services::FAKES])
            ->defaultNull();
    }

    private static function breachedPasswords(NodeBuilder $passwords): void
    {
        $passwords->scalarNode('filter')
            ->info('Its name in bloom.filters; its keys are SHA-1 hashes in uppercase')
            ->isRequired();
        $passwords->enumNode('fallback')
            ->info('While the filter is not loaded, "accept" or "reject" every password, or ask Pwned Passwords over "http"')
            ->values(array_column(PasswordFallback::cases(), 'value'))
            ->defaultValue(PasswordFallback::Accept->value);
    }
}

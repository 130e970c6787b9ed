<?php

declare(strict_types=1);

namespace Bloom\Symfony\DependencyInjection;

use Bloom\DirectoryStore;
use Bloom\Journal;
use Bloom\Kit\DueSyncs;
use Bloom\Kit\FilterSync;
use Bloom\Kit\Fold;
use Bloom\Kit\FoldedJournal;
use Bloom\Kit\HostFilter;
use Bloom\Kit\SyncCommand;
use Bloom\MemcachedStore;
use Bloom\Membership;
use Bloom\RedisStore;
use Bloom\Symfony\Doctrine\KeyListener;
use Bloom\Symfony\Profiler\BloomDataCollector;
use Bloom\Symfony\Profiler\Trace;
use Bloom\Symfony\Profiler\TraceableFilter;
use Bloom\Testing\AlwaysMaybeFilter;
use Bloom\Testing\ExactFilter;
use Bloom\Testing\FailingFilter;
use Doctrine\ORM\EntityManagerInterface;
use Symfony\Component\DependencyInjection\Argument\ServiceClosureArgument;
use Symfony\Component\DependencyInjection\Argument\ServiceLocatorArgument;
use Symfony\Component\DependencyInjection\Argument\TaggedIteratorArgument;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\ContainerInterface;
use Symfony\Component\DependencyInjection\Definition;
use Symfony\Component\DependencyInjection\Reference;
use Symfony\Component\HttpKernel\KernelEvents;

/**
 * Registers the services. A service closure delays the connection to a store until a sync needs it.
 *
 * @phpstan-import-type Config from CrossChecks
 * @phpstan-import-type StoreConfig from CrossChecks
 * @phpstan-import-type FilterConfig from CrossChecks
 */
final readonly class Services
{
    public const FAKES = [
        'exact' => ExactFilter::class,
        'always_maybe' => AlwaysMaybeFilter::class,
        'failing' => FailingFilter::class,
    ];

    private bool $isDebug;

    public function __construct(private ContainerBuilder $container)
    {
        $this->isDebug = (bool) $container->getParameter('kernel.debug');
    }

    /** @param Config $config */
    public function register(array $config): void
    {
        foreach ($config['stores'] as $name => $store) {
            $this->addStore("bloom.store.$name", $store);
        }
        foreach ($config['filters'] as $name => $filter) {
            $this->addFilter((string) $name, $filter);
        }
        $syncs = new TaggedIteratorArgument('bloom.sync');
        $this->add('bloom.due_syncs', DueSyncs::class, [$syncs, self::logger()])
            ->addTag('kernel.event_listener', ['event' => KernelEvents::TERMINATE, 'method' => 'run'])
            ->addTag('monolog.logger', ['channel' => 'bloom']);
        $this->add('bloom.sync_command', SyncCommand::class, [$syncs])->addTag('console.command');
        if (interface_exists(EntityManagerInterface::class)) {
            $this->addKeyListener($config['filters']);
        }
        if ($this->isDebug) {
            $this->addProfiler($config['filters']);
        }
    }

    /** @param StoreConfig $store */
    private function addStore(string $id, array $store): void
    {
        if ($store['type'] === 'service') {
            $this->container->setAlias($id, $store['value']);
        } elseif ($store['type'] === 'directory') {
            $this->add($id, DirectoryStore::class, [$store['value']]);
        } else {
            $client = new ServiceClosureArgument(new Reference($store['value']));
            $class = $store['type'] === 'redis' ? RedisStore::class : MemcachedStore::class;
            $this->add($id, $class, [$client, $store['prefix']])->addTag(OwnClients::TAG, ['client' => $store['value']]);
        }
    }

    /** @param FilterConfig $filter */
    private function addFilter(string $name, array $filter): void
    {
        $id = "bloom.filter.$name";
        $this->addAutowired($id, Membership::class, CrossChecks::argument($name, 'filter'));
        if ($filter['fake'] !== null) {
            $this->add($id, self::FAKES[$filter['fake']]);
        } elseif ($this->isDebug) {
            $this->addHostFilter("bloom.host_filter.$name", $name, $filter['fold']);
            $arguments = [new Reference("bloom.host_filter.$name"), $name, new Reference('bloom.trace')];
            $this->add($id, TraceableFilter::class, $arguments);
        } else {
            $this->addHostFilter($id, $name, $filter['fold']);
        }
        if ($filter['store'] === null) {
            return;
        }
        $store = new Reference("bloom.store.{$filter['store']}");
        if ($filter['journal']) {
            $this->addJournal($name, $store, $filter['fold']);
        }
        if ($filter['fake'] === null) {
            $this->add("bloom.sync.$name", FilterSync::class, [
                $name,
                new ServiceClosureArgument($store),
                $filter['interval'],
                $filter['max_lag'],
            ])->addTag('bloom.sync');
        }
    }

    /** @param array<FilterConfig> $filters */
    private function addKeyListener(array $filters): void
    {
        $journals = $fakes = $settings = [];
        foreach ($filters as $name => $filter) {
            $settings[$name] = ['write' => $filter['write'], 'fold' => $filter['fold']];
            if ($filter['fake'] !== null) {
                $fakes["filter $name"] = new Reference("bloom.filter.$name"); // Symfony gives ints another meaning, as in "2024"
            } elseif ($filter['journal']) { // a KeyWriter folds the keys itself
                $this->add("bloom.plain_journal.$name", Journal::class, [(string) $name, new Reference("bloom.store.{$filter['store']}")]);
                $journals["filter $name"] = new Reference("bloom.plain_journal.$name");
            }
        }
        $arguments = [new ServiceLocatorArgument($journals), new ServiceLocatorArgument($fakes), $settings, self::logger()];
        $this->add('bloom.key_listener', KeyListener::class, $arguments)
            ->addTag('doctrine.event_listener', ['event' => 'postPersist'])
            ->addTag('doctrine.event_listener', ['event' => 'postUpdate'])
            ->addTag('monolog.logger', ['channel' => 'bloom']);
    }

    private function addJournal(string $name, Reference $store, ?string $fold): void
    {
        $id = "bloom.journal.$name";
        $journal = new Definition(Journal::class, [$name, $store]);
        $this->addAutowired($id, $fold === null ? Journal::class : FoldedJournal::class, CrossChecks::argument($name, 'journal'));
        $this->container->setDefinition($id, $fold === null ? $journal : new Definition(FoldedJournal::class, [$journal, self::fold($fold)]));
    }

    private static function fold(string $name): Definition
    {
        return (new Definition(Fold::class, [$name]))->setFactory([Fold::class, 'named']);
    }

    private function addHostFilter(string $id, string $name, ?string $fold): void
    {
        $this->add($id, HostFilter::class, [$name, self::logger(), $fold === null ? null : self::fold($fold)])
            ->addTag('kernel.reset', ['method' => 'reset'])
            ->addTag('monolog.logger', ['channel' => 'bloom']);
    }

    /** @param array<FilterConfig> $filters */
    private function addProfiler(array $filters): void
    {
        $traced = array_filter($filters, static fn (array $filter): bool => $filter['fake'] === null);
        $names = array_map(strval(...), array_keys($traced));
        $this->add('bloom.trace', Trace::class);
        $this->add('bloom.data_collector', BloomDataCollector::class, [$names, new Reference('bloom.trace')])
            ->addTag('data_collector', ['id' => 'bloom', 'template' => '@Bloom/collector.html.twig']);
    }

    /** @param list<mixed> $arguments */
    private function add(string $id, string $class, array $arguments = []): Definition
    {
        return $this->container->setDefinition($id, new Definition($class, $arguments));
    }

    private function addAutowired(string $id, string $type, string $argument): void
    {
        // An argument's name cannot start with a digit. Such a filter needs #[Autowire(service: 'bloom.filter.2024')].
        if (!ctype_digit($argument[0])) {
            $this->container->registerAliasForArgument($id, $type, $argument);
        }
    }

    private static function logger(): Reference
    {
        return new Reference('logger', ContainerInterface::NULL_ON_INVALID_REFERENCE);
    }
}

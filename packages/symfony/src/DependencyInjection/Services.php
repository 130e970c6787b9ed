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
use Bloom\Kit\KeyWrite;
use Bloom\Kit\ListFilter;
use Bloom\Kit\PasswordFallback;
use Bloom\Kit\ShadowFilter;
use Bloom\Kit\SyncCommand;
use Bloom\Kit\Testing\AlwaysMaybeFilter;
use Bloom\Kit\Testing\ExactFilter;
use Bloom\Kit\Testing\FakeStore;
use Bloom\MemcachedStore;
use Bloom\Membership;
use Bloom\RedisStore;
use Bloom\Symfony\Doctrine\KeyListener;
use Bloom\Symfony\Profiler\BloomDataCollector;
use Bloom\Symfony\Profiler\Trace;
use Bloom\Symfony\Profiler\TraceableFilter;
use Bloom\Symfony\Validator\BreachedPasswordValidator;
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
    public const FAKES = ['exact', 'always_maybe', 'unloaded'];

    private bool $isDebug;

    public function __construct(private ContainerBuilder $container)
    {
        $this->isDebug = (bool) $container->getParameter('kernel.debug');
    }

    /** @param Config $config */
    public function register(array $config): void
    {
        // Symfony refuses variables of the environment that no service has, such as the address of a store that a fake replaces.
        $this->add('bloom.configuration', \ArrayObject::class, [$config]);
        $fakes = array_filter($config['filters'], static fn (array $filter): bool => $filter['fake'] !== null);
        $inMemory = array_column($fakes, 'store');
        foreach ($config['stores'] as $name => $store) {
            if (in_array((string) $name, $inMemory, true)) {
                $this->add("bloom.store.$name", FakeStore::class);
            } else {
                $this->addStore("bloom.store.$name", $store);
            }
        }
        foreach ($config['filters'] as $name => $filter) {
            $this->addFilter((string) $name, $filter);
        }
        if ($config['breached_passwords'] !== null) {
            ['filter' => $filter, 'fallback' => $fallback] = $config['breached_passwords'];
            $this->add(PasswordCheck::SERVICE, BreachedPasswordValidator::class, [
                new Reference("bloom.list.$filter"),
                PasswordFallback::from($fallback),
                new ServiceClosureArgument(new Reference('.inner')), // it needs an HTTP client
            ]);
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
        $store = $filter['store'] === null ? null : new Reference("bloom.store.{$filter['store']}");
        $id = "bloom.filter.$name";
        $own = $this->addHostMembership($name, $filter, $store);
        $this->add("bloom.shadow.$name", ShadowFilter::class, [
            $name,
            new Reference($own),
            self::logger(),
            $filter['fake'] === null ? $filter['shadow'] : 0.0,
            $store === null ? null : new ServiceClosureArgument($store),
            $filter['fold'] === null ? null : self::fold($filter['fold']),
        ])->addTag('kernel.reset', ['method' => 'reset'])->addTag('monolog.logger', ['channel' => 'bloom']);
        $this->add("bloom.list.$name", ListFilter::class, [new Reference($own)]);
        // A string stands for an environment variable, whose value is not known yet.
        $isShadow = $filter['fake'] === null && $filter['shadow'] !== 0.0;
        $this->container->setAlias($id, $isShadow ? "bloom.shadow.$name" : $own);
        $argument = CrossChecks::argument($name, 'filter');
        $this->addAutowired($id, Membership::class, $argument);
        $this->addAutowired("bloom.shadow.$name", ShadowFilter::class, $argument);
        $this->addAutowired("bloom.list.$name", ListFilter::class, CrossChecks::argument($name, 'list'));
        if ($store === null) {
            return;
        }
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
        $journals = $settings = [];
        foreach ($filters as $name => $filter) {
            $write = $filter['fake'] === null ? $filter['write'] : KeyWrite::Journal->value; // the journal of a fake is in memory
            $settings[$name] = ['write' => $write, 'fold' => $filter['fold']];
            if ($filter['journal']) { // a KeyWriter folds the keys itself
                $this->add("bloom.plain_journal.$name", Journal::class, [(string) $name, new Reference("bloom.store.{$filter['store']}")]);
                $journals["filter $name"] = new Reference("bloom.plain_journal.$name"); // Symfony gives ints another meaning, as in "2024"
            }
        }
        $arguments = [new ServiceLocatorArgument($journals), $settings, self::logger()];
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

    /**
     * Returns the id of the service that answers.
     *
     * @param FilterConfig $filter
     */
    private function addHostMembership(string $name, array $filter, ?Reference $store): string
    {
        $fold = $filter['fold'] === null ? null : self::fold($filter['fold']);
        if ($filter['fake'] === 'exact') {
            $service = $this->add("bloom.fake.$name", ExactFilter::class, [[], null, $fold]);
            if ($store !== null) {
                $service->setFactory([$store, 'filter'])->setArguments([$name, [], $fold]);
            }
            return "bloom.fake.$name";
        }
        if ($filter['fake'] !== null) {
            $this->add("bloom.fake.$name", AlwaysMaybeFilter::class, [$filter['fake'] === 'always_maybe']);
            return "bloom.fake.$name";
        }
        $this->add("bloom.host_filter.$name", HostFilter::class, [$name, self::logger(), $fold])
            ->addTag('kernel.reset', ['method' => 'reset'])
            ->addTag('monolog.logger', ['channel' => 'bloom']);
        if (!$this->isDebug) {
            return "bloom.host_filter.$name";
        }
        $arguments = [new Reference("bloom.host_filter.$name"), $name, new Reference('bloom.trace')];
        $this->add("bloom.traceable_filter.$name", TraceableFilter::class, $arguments);
        return "bloom.traceable_filter.$name";
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

<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests;

use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\Kit\Tests\SpyStore;
use Bloom\MemcachedStore;
use Bloom\RedisStore;
use Bloom\Symfony\Tests\App\Arguments;
use PHPUnit\Framework\Attributes\DataProvider;
use Symfony\Component\Config\Definition\Exception\InvalidConfigurationException;
use Symfony\Component\DependencyInjection\Exception\ServiceNotFoundException;
use Symfony\Component\DependencyInjection\Loader\Configurator\ServicesConfigurator;

final class ConfigurationTest extends AppTestCase
{
    /** @return iterable<string, array{array<string, mixed>, string}> */
    public static function mistakes(): iterable
    {
        $stores = ['main' => ['directory' => '/srv/bloom'], 'cache' => ['memcached' => 'app.memcached']];
        $filter = static fn (array $options): array => ['stores' => $stores, 'filters' => ['tags' => $options]];

        yield 'a misspelled store' => [
            $filter(['store' => 'mian']),
            'Invalid configuration for path "bloom.filters.tags.store": there is no store "mian"; bloom.stores has "main", "cache".',
        ];
        yield 'no stores' => [
            ['filters' => ['tags' => ['store' => 'main']]],
            'Invalid configuration for path "bloom.filters.tags.store": there is no store "main"; bloom.stores is empty.',
        ];
        yield 'a store without a type' => [
            ['stores' => ['main' => []]],
            'Invalid configuration for path "bloom.stores.main": no type given; give exactly one of "directory", "redis", "memcached", "service".',
        ];
        yield 'a store with two types' => [
            ['stores' => ['main' => ['directory' => '/srv', 'redis' => 'app.redis']]],
            'Invalid configuration for path "bloom.stores.main": "directory", "redis" given; give exactly one of "directory", "redis", "memcached", "service".',
        ];
        yield 'an empty directory' => [
            ['stores' => ['main' => ['directory' => '']]],
            'Invalid configuration for path "bloom.stores.main.directory": "" given; give the path of a directory.',
        ];
        yield 'a number for a service' => [
            ['stores' => ['main' => ['redis' => 6379]]],
            'Invalid configuration for path "bloom.stores.main.redis": 6379 given; give the id of a service.',
        ];
        yield 'an unknown key of a store' => [
            ['stores' => ['main' => ['url' => 'redis://localhost']]],
            'Unrecognized option "url" under "bloom.stores.main". Available options are "directory", "memcached", "prefix", "redis", "service".',
        ];
        yield 'an unknown key of a filter' => [
            $filter(['ttl' => 5]),
            'Unrecognized option "ttl" under "bloom.filters.tags". Available options are "fake", "fold", "interval", "journal", "max_lag", "shadow", "store", "write".',
        ];
        yield 'a negative interval' => [
            $filter(['store' => 'main', 'interval' => -1]),
            'The value -1 is too small for path "bloom.filters.tags.interval". Should be greater than or equal to 0',
        ];
        yield 'an interval in words' => [
            $filter(['store' => 'main', 'interval' => '60s']),
            'Invalid type for path "bloom.filters.tags.interval". Expected "float", but got "string".',
        ];
        yield 'a journal without a store' => [
            $filter(['journal' => true]),
            'Invalid configuration for path "bloom.filters.tags.journal": this key needs a store; set bloom.filters.tags.store.',
        ];
        yield 'a journal in Memcached' => [
            $filter(['store' => 'cache', 'journal' => true]),
            'Invalid configuration for path "bloom.filters.tags.journal": the store "cache" is in Memcached, which cannot keep journals; use Redis or a directory.',
        ];
        yield 'a journal that is read too rarely' => [
            $filter(['store' => 'main', 'journal' => true, 'interval' => 60]),
            'Invalid configuration for path "bloom.filters.tags.interval": 60 s is too long: it must be less than max_lag (60 s), because lookups answer "maybe" if the journal was not read for that long.',
        ];
        yield 'an outbox without a journal' => [
            $filter(['store' => 'main', 'write' => 'outbox']),
            'Invalid configuration for path "bloom.filters.tags.write": this key needs a journal; set bloom.filters.tags.journal to true.',
        ];
        yield 'an unknown way to write' => [
            $filter(['store' => 'main', 'journal' => true, 'write' => 'both']),
            'The value "both" is not allowed for path "bloom.filters.tags.write". Permissible values: "journal", "journal_or_outbox", "outbox"',
        ];
        yield 'an unknown fake' => [
            $filter(['fake' => 'exakt']),
            'The value "exakt" is not allowed for path "bloom.filters.tags.fake". Permissible values: null, "exact", "always_maybe", "unloaded"',
        ];
        yield 'an invalid name' => [
            ['filters' => ['my tags' => null]],
            'Invalid configuration for path "bloom.filters.my tags": "my tags" is not a valid name; use 1 to 128 of the characters A-Z a-z 0-9 . _ -, and neither . nor - as the first one.',
        ];
        yield 'two names with one argument' => [
            ['filters' => ['booth-tags' => null, 'booth_tags' => null]],
            'Invalid configuration for path "bloom.filters.booth_tags": "booth_tags" and "booth-tags" would both be injected as $boothTagsFilter; rename one of them.',
        ];
    }

    /** @param array<string, mixed> $config */
    #[DataProvider('mistakes')]
    public function testAMistakeIsReportedWithItsPathAndWhatIsAllowed(array $config, string $message): void
    {
        try {
            $this->boot($config);
            self::fail('the configuration was accepted');
        } catch (InvalidConfigurationException $exception) {
            self::assertStringStartsWith($message, $exception->getMessage()); // newer versions add a hint
        }
    }

    public function testAMissingClientServiceIsReported(): void
    {
        $this->expectException(ServiceNotFoundException::class);
        $this->expectExceptionMessage('The service "bloom.store.main" has a dependency on a non-existent service "app.redis".');
        $this->boot(['stores' => ['main' => ['redis' => 'app.redis']], 'filters' => ['tags' => ['store' => 'main', 'journal' => true]]]);
    }

    public function testEachTypeOfStoreIsCreatedWithoutConnecting(): void
    {
        $config = ['filters' => ['tags' => null]];
        $config['stores'] = [
            'files' => ['directory' => '/does/not/exist'],
            'redis' => ['redis' => 'app.client', 'prefix' => 'shop:'],
            'memcached' => ['memcached' => 'app.client'],
            'own' => ['service' => 'app.store'],
        ];
        $kernel = $this->boot($config, services: function (ServicesConfigurator $services): void {
            $services->set('app.client')->class(\stdClass::class)->factory([self::class, 'connect']);
            $services->set('app.store', SpyStore::class)->args(['/does/not/exist']);
            foreach (['files', 'redis', 'memcached', 'own'] as $name) {
                $services->alias("test.$name", "bloom.store.$name"); // otherwise unused, so the container would not have it
            }
        });
        foreach (['files' => DirectoryStore::class, 'redis' => RedisStore::class, 'memcached' => MemcachedStore::class, 'own' => SpyStore::class] as $name => $class) {
            self::service($kernel, $class, "test.$name");
        }
    }

    public static function connect(): never
    {
        throw new \LogicException('the client was created too early');
    }

    public function testANullRemovesATypeThatAnotherFileSets(): void
    {
        $config = $this->config();
        $config['stores']['main']['redis'] = null;
        $kernel = $this->boot($config, services: static function (ServicesConfigurator $services): void {
            $services->alias('test.store', 'bloom.store.main');
        });
        self::service($kernel, DirectoryStore::class, 'test.store');
    }

    public function testEnvironmentVariablesAreAllowed(): void
    {
        $_ENV['BLOOM_TEST_DIRECTORY'] = "$this->directory/store";
        $_ENV['BLOOM_TEST_INTERVAL'] = '0.5';
        try {
            $config = $this->config();
            $config['stores']['main']['directory'] = '%env(BLOOM_TEST_DIRECTORY)%';
            $config['filters']['tags']['interval'] = '%env(float:BLOOM_TEST_INTERVAL)%';
            $config['filters']['tags']['journal'] = true;
            $this->publish(['cat']);
            $kernel = $this->boot($config);
            $this->request($kernel, '/lookup?keys=cat');
            self::assertSame([], self::errors($kernel));
            self::assertFalse(self::pages($kernel)->tagsFilter->mightContain('dog'));
        } finally {
            unset($_ENV['BLOOM_TEST_DIRECTORY'], $_ENV['BLOOM_TEST_INTERVAL']);
        }
    }

    public function testFiltersAndJournalsAreInjectedByTheNameOfTheArgument(): void
    {
        $config = $this->config();
        $config['stores']['on-disk'] = $config['stores']['main'];
        $config['filters'] = [
            'tags' => ['store' => 'main', 'journal' => true],
            'booth-tags' => ['store' => 'on-disk'],
            '2024' => null,
        ];
        $kernel = $this->boot($config, services: function (ServicesConfigurator $services): void {
            $services->set('test.arguments', Arguments::class)->autowire();
        });
        $arguments = self::service($kernel, Arguments::class, 'test.arguments');
        // Symfony would otherwise change the name to "booth_tags", which may be another filter.
        $this->publish(['cat'], 'booth-tags');
        Filter::sync('booth-tags', new DirectoryStore("$this->directory/store"));
        self::assertSame([true, false], array_map($arguments->boothTagsFilter->mightContain(...), ['cat', 'dog']));
        self::assertSame('tags', $arguments->tagsJournal->name());
        self::assertNotSame($arguments->boothTagsFilter, $arguments->other);
        self::assertSame(self::pages($kernel)->tagsFilter, $arguments->other);
        self::assertTrue($arguments->ofYear->mightContain('any'));
    }
}

<?php

declare(strict_types=1);

namespace Bloom\Laravel\Tests;

use Bloom\Filter;
use Bloom\Kit\Fold;
use Bloom\Laravel\Facades\BloomFilter;
use Bloom\Laravel\FilterManager;
use Bloom\Laravel\Settings;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;

#[CoversClass(FilterManager::class)]
#[CoversClass(Settings::class)]
final class LookupTest extends SiteTestCase
{
    public function testTheSameFilterAnswersMaybeUntilItIsLoadedAndIsLoggedOncePerRequest(): void
    {
        $app = $this->start();
        $filter = BloomFilter::get('tags');
        self::assertTrue($filter->mightContain('dog'));
        self::assertSame(['a' => 'dog', 'b' => 5], $filter->candidates(['a' => 'dog', 'b' => 5]));
        $warning = 'WARNING: The Bloom filter "tags" answers "maybe" to every lookup: it is not loaded on this host';
        self::assertSame([$warning], self::log($app));

        $app->make(FilterManager::class)->syncDue(); // the end of a request; the store has no such filter
        $filter->mightContain('dog');
        self::assertCount(2, preg_grep('/WARNING/', self::log($app)) ?: []);

        $this->publish(['cat']);
        BloomFilter::sync('tags');
        self::assertSame(['b' => 'cat'], $filter->candidates(['a' => 'dog', 'b' => 'cat']));
    }

    public function testAShadowLooksUpEveryKeyAndLogsAKeyThatIsDeniedOncePerRequest(): void
    {
        $app = $this->start(['tags' => ['store' => 'main', 'shadow' => '1']]);
        $this->publish(['cat']);
        BloomFilter::sync('tags');
        self::assertSame(BloomFilter::shadow('tags'), BloomFilter::get('tags'));
        $error = 'ERROR: The Bloom filter "tags" denied keys that exist. Are all keys added, and written as in lookups?';
        foreach ([1, 2] as $request) {
            self::assertSame('row', BloomFilter::shadow('tags')->lookup('dog', static fn (): string => 'row'));
            self::assertSame(array_fill(0, $request, $error), self::log($app));
            $app->make(FilterManager::class)->syncDue(); // the end of a request
        }
        self::assertSame(2, Filter::open('tags')->info()->counters->denied);
    }

    public function testAListThatIsNotLoadedIsUnknown(): void
    {
        $this->start();
        self::assertNull(BloomFilter::list('tags')->mayList('dog'));
        $this->publish(['cat']);
        BloomFilter::sync('tags');
        self::assertSame([true, false], [BloomFilter::list('tags')->mayList('cat'), BloomFilter::list('tags')->mayList('dog')]);
    }

    public function testAnUnknownNameIsAMistakeThatListsTheNames(): void
    {
        $this->start(['tags' => [], 'users' => []]);
        $this->expectExceptionObject(new \InvalidArgumentException('bloom.filters: there is no filter "tag"; there is "tags", "users"'));
        BloomFilter::get('tag');
    }

    /**
     * @param array<string, mixed> $filter
     * @param array<string, mixed> $store
     */
    #[TestWith([['stor' => 'main'], [], 'bloom.filters.tags.stor: there is no such key; the keys are "store", "interval", "journal", "max_lag", "write", "fold", "shadow"'])]
    #[TestWith([['store' => 'other'], [], 'bloom.stores: there is no store "other"; there is "main", "own"'])]
    #[TestWith([['store' => 'main', 'interval' => 'soon'], [], "bloom.filters.tags.interval: expected a number of seconds, got 'soon'"])]
    #[TestWith([['store' => 'main', 'interval' => -1], [], 'bloom.filters.tags.interval: expected a number of seconds, got -1'])]
    #[TestWith([['journal' => true], [], 'bloom.filters.tags: a journal needs a store; set bloom.filters.tags.store'])]
    #[TestWith([['store' => 'main', 'journal' => 1], [], 'bloom.filters.tags.journal: expected true or false, got int'])]
    #[TestWith([['store' => 'main', 'journal' => true, 'interval' => 60], [], 'bloom.filters.tags.interval: 60 s is too long: it must be less than max_lag (60 s),'
        . ' because lookups answer "maybe" if the journal was not read for that long'])]
    #[TestWith([['store' => 'main', 'write' => 'outbox'], [], 'bloom.filters.tags.write: this key needs a journal; set bloom.filters.tags.journal to true'])]
    #[TestWith([['store' => 'main', 'journal' => true, 'write' => 'both'], [], 'bloom.filters.tags.write: use "journal", "journal_or_outbox", "outbox"'])]
    #[TestWith([['store' => 'main', 'fold' => 'ascii'], [], 'bloom.filters.tags.fold: There is no fold "ascii", only "mysql"'])]
    #[TestWith([['shadow' => 2], [], 'bloom.filters.tags.shadow: expected a number from 0 to 1, got 2'])]
    #[TestWith([['store' => 5], [], 'bloom.filters.tags.store: expected a string, got int'])]
    #[TestWith([['store' => 'own'], ['driver' => 's3'], 'bloom.stores.own.driver: "s3" is not a driver; use "directory", "redis", "memcached", "service"'])]
    #[TestWith([['store' => 'own'], ['driver' => 'directory'], 'bloom.stores.own.path: the value is missing'])]
    #[TestWith([['store' => 'own'], ['driver' => 'directory', 'path' => '/srv', 'prefix' => 'x'], 'bloom.stores.own.prefix: there is no such key; the keys are "driver", "path"'])]
    #[TestWith([['store' => 'own'], ['driver' => 'service', 'service' => 'events'], '"events" must be a Bloom\Store to keep filters, Illuminate\Events\Dispatcher given'])]
    public function testAMistakeInTheConfigurationNamesItsKey(array $filter, array $store, string $message): void
    {
        $this->start(['tags' => $filter], ['own' => $store]);
        $this->expectExceptionObject(new \InvalidArgumentException($message));
        BloomFilter::sync('tags');
    }

    public function testAFoldAppliesToLookupsAndToBothWaysOfAddingKeys(): void
    {
        $app = $this->start(
            ['tags' => ['store' => 'files', 'interval' => 0, 'journal' => true, 'fold' => 'mysql']],
            ['files' => ['driver' => 'directory', 'path' => "$this->directory/store"]],
        );
        $mark = BloomFilter::journal('tags')->mark();
        $this->publish(array_map(Fold::mysql()->key(...), ['José', 'Ann']), source: Fold::mysql()->mark(), mark: $mark);
        BloomFilter::sync('tags');
        self::assertSame([], BloomFilter::get('tags')->candidates(['Straße', 'Ærø']));
        self::assertSame(1, BloomFilter::journal('tags')->add('Straße'));
        BloomFilter::add('tags', ['Ærø']);
        self::assertSame(['JOSE', 'aero', 'STRASSE'], array_values(BloomFilter::get('tags')->candidates(['JOSE', 'aero', 'Bob', 'STRASSE'])));
        self::assertSame([], self::log($app));
    }

    public function testAFilterThatWasBuiltWithAFoldNeedsOneInTheConfiguration(): void
    {
        $app = $this->start();
        $this->publish(['jose'], source: Fold::mysql()->mark());
        BloomFilter::sync('tags');
        self::assertTrue(BloomFilter::get('tags')->mightContain('Bob'));
        self::assertStringEndsWith('its keys are folded ("mysql/1"), but the keys that are looked up are not; configure the fold', self::log($app)[0]);
    }

    public function testAnEmptyFilterNeedsNoStore(): void
    {
        $this->start(['tags' => []]);
        self::assertTrue(BloomFilter::get('tags')->mightContain('dog'));
        $this->expectExceptionObject(new \InvalidArgumentException('bloom.filters.tags: the filter has no store to sync from; set bloom.filters.tags.store'));
        BloomFilter::sync('tags');
    }
}

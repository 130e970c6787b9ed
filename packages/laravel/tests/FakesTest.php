<?php

declare(strict_types=1);

namespace Bloom\Laravel\Tests;

use Bloom\Builder;
use Bloom\Filter;
use Bloom\Kit\SyncCommand;
use Bloom\Kit\Testing\AlwaysMaybeFilter;
use Bloom\Kit\Testing\ExactFilter;
use Bloom\Laravel\Facades\BloomFilter;
use Bloom\Laravel\FilterManager;
use Bloom\SyncResult;
use PHPUnit\Framework\Attributes\CoversMethod;
use PHPUnit\Framework\ExpectationFailedException;
use Symfony\Component\Console\Tester\CommandTester;

#[CoversMethod(FilterManager::class, 'fake')]
final class FakesTest extends SiteTestCase
{
    public function testTheNamedFiltersAnswerExactlyAndTheOthersMaybe(): void
    {
        $this->start(['tags' => ['store' => 'main'], 'users' => [], 'breached' => []]);
        BloomFilter::fake(['tags' => ['cat'], 'breached' => null]);
        $tags = BloomFilter::get('tags');
        self::assertInstanceOf(ExactFilter::class, $tags);
        self::assertSame(['cat'], $tags->candidates(new \ArrayIterator(['dog', 'cat'])));
        $tags->add('dog');
        self::assertTrue(BloomFilter::get('tags')->mightContain('dog'));
        self::assertInstanceOf(AlwaysMaybeFilter::class, BloomFilter::get('users'));
        self::assertTrue(BloomFilter::get('breached')->mightContain('dog'));
        self::assertNull(BloomFilter::list('breached')->mayList('dog'), 'as if it is not loaded');
    }

    public function testAListThatIsNotNamedHasOnlyTheKeysThatTheApplicationAdds(): void
    {
        $this->start(['blocked' => ['store' => 'main', 'journal' => true]]);
        BloomFilter::fake();
        self::assertTrue(BloomFilter::get('blocked')->mightContain('dog'));
        self::assertFalse(BloomFilter::list('blocked')->mayList('dog'));
        BloomFilter::add('blocked', 'dog');
        self::assertTrue(BloomFilter::list('blocked')->mayList('dog'));
    }

    public function testTheKeysThatTheApplicationAddsToAJournalAreFoundAndCanBeAsserted(): void
    {
        $this->start(['tags' => ['store' => 'main', 'journal' => true]]);
        $store = BloomFilter::fake(['tags' => ['cat']]);
        $store->assertNotAdded('tags');
        BloomFilter::journal('tags')->add(['dog', 42]);
        self::assertSame(['cat', 'dog', 42], BloomFilter::get('tags')->candidates(['cat', 'dog', 42]));
        $store->assertAdded('tags', 'dog', 42);
        $this->expectException(ExpectationFailedException::class);
        $store->assertAdded('tags', 'cat');
    }

    /** Whatever the application does: it adds keys, publishes a build and syncs. */
    public function testNothingReachesTheStoreOrTheHost(): void
    {
        $app = $this->start(['tags' => ['store' => 'files', 'journal' => true, 'shadow' => 1]], ['files' => ['driver' => 'directory', 'path' => "$this->directory/store"]], false);
        $store = BloomFilter::fake(['tags' => ['cat']]);
        $mark = BloomFilter::journal('tags')->mark();
        (new Builder(100))->build(mark: $mark)->publish($store, 'tags');
        BloomFilter::journal('tags')->add('dog');
        self::assertSame(SyncResult::Current, BloomFilter::sync('tags', 0.0));
        self::assertNull(BloomFilter::shadow('tags')->lookup('bird', static fn (): never => self::fail('the fake denies it')));
        $command = new CommandTester($app->make(SyncCommand::class));
        self::assertSame(0, $command->execute([]));
        $app->terminate();
        self::assertSame(['.', '..'], scandir("$this->directory/store"));
        self::assertSame([], Filter::list());
        self::assertSame([], self::log($app));
    }

    public function testAFakeReplacesWhatWasUsedBefore(): void
    {
        $this->start(['tags' => ['store' => 'main', 'journal' => true]]);
        self::assertTrue(BloomFilter::get('tags')->mightContain('dog'));
        BloomFilter::fake(['tags' => []]);
        self::assertFalse(BloomFilter::get('tags')->mightContain('dog'));
        BloomFilter::fake(['tags' => ['dog']]);
        self::assertTrue(BloomFilter::get('tags')->mightContain('dog'));
    }

    public function testAnUnknownNameIsAMistake(): void
    {
        $this->start();
        $this->expectExceptionObject(new \InvalidArgumentException('bloom.filters: there is no filter "tag"; there is "tags"'));
        BloomFilter::fake(['tag' => []]);
    }
}

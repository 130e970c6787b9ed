<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\Builder;
use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\HealthStatus;
use Bloom\Journal;
use Bloom\Kit\Fold;
use Bloom\Kit\HostFilter;
use Bloom\Kit\ShadowFilter;
use Bloom\LiveFilter;
use Bloom\LoadedFilter;
use PHPUnit\Framework\Attributes\CoversClass;

#[CoversClass(ShadowFilter::class)]
final class ShadowFilterTest extends HostTestCase
{
    private Log $log;

    protected function setUp(): void
    {
        parent::setUp();
        $this->log = new Log();
    }

    public function testEveryKeyIsLookedUpAndTheComparisonIsCounted(): void
    {
        $this->load(['cat', 42]);
        $filter = $this->shadow();
        $keys = ['a' => 'dog', 5 => 'cat', 6 => '42', 7 => 7];
        self::assertSame($keys, $filter->candidates($keys));
        $filter->confirm(array_values($keys), ['cat', 42]);
        self::assertSame(['dog', 7], $filter->candidates(new \ArrayIterator(['dog', 7])));
        self::assertTrue($filter->mightContain('bird'));
        $filter->confirm(['bird'], []);
        self::assertSame([7, 2, 2, 3, 0], self::counts(), 'the second answer about "dog" and 7 was not confirmed');
        self::assertSame([], $this->log->lines);
    }

    public function testAKeyThatExistsAlthoughTheFilterDeniesItIsCountedAndLoggedOncePerRequest(): void
    {
        $this->load(['cat']);
        $filter = $this->shadow();
        foreach ([1, 2] as $_) {
            self::assertSame(['name' => 'dog'], $filter->lookup('dog', static fn (string $key): array => ['name' => $key]));
        }
        self::assertSame([4, 0, 0, 2, 2], self::counts(), 'asked again before each report');
        $line = 'error: The Bloom filter "tags" denied keys that exist. Are all keys added, and written as in lookups?';
        self::assertSame([$line], $this->log->lines);
        self::assertSame(HealthStatus::Critical, Filter::health('tags')->status);
        $filter->reset();
        $filter->lookup('dog', static fn (): int => 1);
        self::assertSame([$line, $line], $this->log->lines);
    }

    public function testALookupThatFindsNothingIsRight(): void
    {
        $this->load(['cat']);
        foreach ([null, false, []] as $nothing) {
            self::assertSame($nothing, $this->shadow()->lookup('dog', static fn (): array|false|null => $nothing));
        }
        self::assertSame([3, 0, 0, 3, 0], self::counts());
        self::assertSame([], $this->log->lines);
    }

    public function testAKeyThatIsAddedWhileTheDatabaseIsAskedIsNoFalseAlarm(): void
    {
        $live = LiveFilter::create('tags', 100, 1e-9);
        $filter = $this->shadow();
        $filter->lookup('dog', static fn (): bool => $live->add('dog'));
        self::assertSame([2, 0, 0, 1, 0], self::counts());
        self::assertSame([], $this->log->lines);
    }

    public function testAKeyThatAnotherHostHasJustAddedIsNoFalseAlarm(): void
    {
        $isDown = false;
        $store = new DirectoryStore("$this->directory/store");
        $journal = new Journal('tags', $store);
        $mark = $journal->mark();
        $builder = new Builder(1000, 1e-9, seed: 1);
        $builder->build(mark: $mark)->publish($store, 'tags');
        Filter::sync('tags', $store);
        $filter = new ShadowFilter('tags', new HostFilter('tags'), $this->log, journal: static function () use ($store, &$isDown): DirectoryStore {
            return $isDown ? throw new \RuntimeException('the store is down') : $store;
        });
        $filter->lookup('dog', fn () => $this->addOnAnotherHost('dog'));
        self::assertSame([2, 0, 0, 1, 0], self::counts());
        $isDown = true;
        $filter->lookup('bird', fn () => $this->addOnAnotherHost('bird'));
        self::assertSame([3, 0, 0, 1, 0], self::counts(), 'nobody knows whether this answer was right');
        self::assertSame([], $this->log->lines);
        $isDown = false;
        $filter->lookup('mouse', static fn (): bool => true);
        self::assertSame([5, 0, 0, 2, 1], self::counts());
        self::assertCount(1, $this->log->lines);
    }

    public function testOnlyAShareOfTheNoAnswersIsChecked(): void
    {
        $this->load(['cat']);
        $keys = [...range(1, 4000), 'cat'];
        $filter = $this->shadow(0.25);
        $candidates = $filter->candidates($keys);
        self::assertEqualsWithDelta(1001, count($candidates), 300, '11 standard deviations');
        self::assertSame(array_keys($candidates), array_keys(array_intersect_key($keys, $candidates)), 'the order is kept');
        self::assertSame('cat', end($candidates));
        $filter->confirm($candidates, ['cat']);
        self::assertSame([4001, 1, 1, count($candidates) - 1, 0], self::counts());

        $filter = $this->shadow(0.0);
        self::assertSame([4000 => 'cat'], $filter->candidates($keys));
        self::assertNull($filter->lookup('dog', static fn (): never => throw new \LogicException('it is not called')));
        $filter->confirm(['cat'], ['cat']);
        self::assertSame([2, 2], array_slice(self::counts(), 1, 2));
    }

    /** Otherwise a filter with "Cat" that denies "cat" would seem right, because "cat" was not found. */
    public function testADatabaseThatIgnoresCaseIsNoProofForTheFilter(): void
    {
        $this->load(['Cat']);
        $filter = $this->shadow();
        $filter->candidates(['cat', 'dog']);
        $filter->confirm(['cat', 'dog'], ['Cat']);
        self::assertSame([2, 0, 0, 0, 0], self::counts());
        self::assertSame(['warning: The Bloom filter "tags" cannot be checked: the application found keys that it did not look up.'
            . ' Does the database ignore case?'], $this->log->lines);
    }

    public function testAFoldComparesRowsThatTheDatabaseCallsEqual(): void
    {
        $fold = Fold::mysql();
        $builder = new Builder(1000, 1e-9, seed: 1, source: $fold->mark());
        $builder->addMany($fold->keys(['José', '7']));
        LoadedFilter::load('tags', $builder->build());
        $filter = new ShadowFilter('tags', new HostFilter('tags', fold: $fold), $this->log, fold: $fold);
        $looked = $filter->candidates([7, 'JOSE', 'jose ', 'straße', 'dog']);
        self::assertCount(5, $looked);
        $filter->confirm($looked, ['josé', 'José', 'STRASSE', '7']);
        self::assertSame([6, 3, 3, 2, 1], self::counts());
        self::assertSame(['error: The Bloom filter "tags" denied keys that exist. Are all keys added, and written as in lookups?'], $this->log->lines);
        $filter->confirm($looked, ['cat']);
        self::assertSame([6, 3, 3, 2, 1], self::counts(), 'nobody looked the cat up');
    }

    /** The row needs a key although its own lookup is always "maybe". */
    public function testAFoldComparesARowWithACharacterAboveUFFFF(): void
    {
        $fold = Fold::mysql();
        LoadedFilter::load('tags', (new Builder(1000, 1e-9, seed: 1, source: $fold->mark()))->build());
        $filter = new ShadowFilter('tags', new HostFilter('tags', fold: $fold), $this->log, fold: $fold);
        $looked = $filter->candidates(['ab', '😀', "caf\xE9"]);
        $filter->confirm($looked, ['𝐀b', '😀', "caf\xE9"]);
        self::assertSame([2, 2, 2, 1, 1], self::counts());
        self::assertSame(['error: The Bloom filter "tags" denied keys that exist. Are all keys added, and written as in lookups?'], $this->log->lines);
    }

    public function testAFilterThatIsNotLoadedIsNotCompared(): void
    {
        $filter = $this->shadow();
        self::assertSame('row', $filter->lookup('dog', static fn (): string => 'row'));
        self::assertSame([], $this->log->lines);
        $this->load(['cat']);
        $filter->confirm(['dog'], ['dog']);
        self::assertSame([0, 1, 1, 0, 0], self::counts(), 'the answer about "dog" was "maybe"');
    }

    public function testAResetForgetsTheKeysOfARequest(): void
    {
        $this->load(['cat']);
        $filter = $this->shadow();
        $filter->mightContain('dog');
        $filter->reset();
        $filter->confirm(['dog'], ['dog']);
        self::assertSame([], $this->log->lines);
    }

    private function shadow(float $share = 1.0): ShadowFilter
    {
        return new ShadowFilter('tags', new HostFilter('tags'), $this->log, $share);
    }

    private function addOnAnotherHost(string $key): bool
    {
        $code = 'echo (new Bloom\Journal("tags", new Bloom\DirectoryStore($argv[1])))->add($argv[2]);';
        $command = [PHP_BINARY, '-d', 'extension=' . getenv('BLOOM_EXTENSION'), '-d', "bloom.path=$this->directory/other", '-r', $code,
            '--', "$this->directory/store", $key];
        self::assertSame('1', exec(implode(' ', array_map(escapeshellarg(...), $command))));
        return true;
    }

    /** @return list<int> lookups, candidates that were looked up and found, denied keys that were looked up and found */
    private static function counts(): array
    {
        $counters = Filter::open('tags')->info()->counters;
        return [$counters->lookups, $counters->confirmed, $counters->found, $counters->checked, $counters->denied];
    }

    /** @param list<string|int> $keys */
    private function load(array $keys): void
    {
        $this->publish($keys);
        Filter::sync('tags', new DirectoryStore("$this->directory/store"));
    }
}

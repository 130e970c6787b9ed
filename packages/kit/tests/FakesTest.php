<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\Builder;
use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\JournalStore;
use Bloom\Kit\Fold;
use Bloom\Kit\FoldedJournal;
use Bloom\Kit\ListFilter;
use Bloom\Kit\Testing\AlwaysMaybeFilter;
use Bloom\Kit\Testing\ExactFilter;
use Bloom\Kit\Testing\FakeStore;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\ExpectationFailedException;

#[CoversClass(AlwaysMaybeFilter::class)]
#[CoversClass(ExactFilter::class)]
#[CoversClass(FakeStore::class)]
final class FakesTest extends HostTestCase
{
    public function testAnExactFilterAnswersExactly(): void
    {
        $filter = new ExactFilter([1, 'a']);
        self::assertSame([false, true], [$filter->add('a'), $filter->add('b')]);
        self::assertSame(2, $filter->addMany(['b', 'c', '5', 5]));
        self::assertSame([true, true, false], array_map($filter->mightContain(...), [1, '1', 'x']));
        self::assertSame(['k' => 'a', 7 => 5], $filter->candidates(['k' => 'a', 'l' => 'x', 7 => 5]));
        self::assertSame(['b'], $filter->candidates(new \ArrayIterator(['x', 'b'])));
        self::assertFalse((new ListFilter($filter))->mayList('x'));
    }

    public function testAFilterThatIsAlwaysMaybeCanBeAsIfItIsNotLoaded(): void
    {
        self::assertSame([3 => 'x'], (new AlwaysMaybeFilter())->candidates([3 => 'x']));
        self::assertTrue((new ListFilter(new AlwaysMaybeFilter()))->mayList('x'));
        $unloaded = new AlwaysMaybeFilter(isComplete: false);
        self::assertTrue($unloaded->mightContain('x'));
        self::assertNull((new ListFilter($unloaded))->mayList('x'));
    }

    #[TestWith([1.5])]
    #[TestWith([true])]
    #[TestWith([null])]
    #[TestWith([[]])]
    public function testFakesRefuseTheKeysThatFiltersRefuse(mixed $key): void
    {
        foreach ([new ExactFilter(), new AlwaysMaybeFilter()] as $filter) {
            foreach (['mightContain' => $key, 'candidates' => ['a', $key]] as $method => $argument) {
                try {
                    call_user_func([$filter, $method], $argument); // converts arguments, as code without strict_types does
                    self::fail($filter::class . " accepts it in $method()");
                } catch (\TypeError) {
                    $this->addToAssertionCount(1);
                }
            }
        }
    }

    public function testAFakeStoreKnowsWhatWasAddedToEachJournal(): void
    {
        $store = new FakeStore();
        $tags = $store->filter('tags', ['old']);
        $store->assertNotAdded('tags');
        $store->journal('tags')->add(['red', 42]);
        $store->journal('tags')->add('');
        $store->journal('users')->add('ann');
        self::assertSame(['red', '42', ''], $store->added('tags'));
        self::assertSame(['old', 'red', 42], $tags->candidates(['old', 'red', 42, 'ann']));
        $store->assertAdded('tags', 'red', '42');
        $store->assertNotAdded('tags', 'old', 'ann');
        $failures = [
            fn () => $store->assertAdded('tags', 'red', 'blue'),
            fn () => $store->assertNotAdded('tags', 'blue', 42),
            fn () => $store->assertNotAdded('users'),
        ];
        foreach ($failures as $failure) {
            try {
                $failure();
            } catch (ExpectationFailedException $expected) {
                self::assertStringContainsString('added to the journal of "', $expected->getMessage());
                continue;
            }
            self::fail('the assertion holds');
        }
    }

    public function testAFakeFoldsKeysAsAFilterDoes(): void
    {
        $store = new FakeStore();
        $filter = $store->filter('tags', ['José'], Fold::mysql());
        (new FoldedJournal($store->journal('tags'), Fold::mysql()))->add('Straße');
        self::assertSame(['JOSE', 'strasse'], array_values($filter->candidates(['JOSE', 'Bob', 'strasse'])));
        self::assertFalse($filter->add('jose'));
        $store->assertAdded('tags', Fold::mysql()->key('STRASSE'));
    }

    public function testHostsFollowAFakeStore(): void
    {
        $store = new FakeStore();
        $journal = $store->journal('tags');
        foreach (['cat', 'dog'] as $key) {
            $mark = $journal->mark();
            $builder = new Builder(1000, 1e-9, seed: 1);
            $builder->add($key);
            $builder->build(mark: $mark)->publish($store, 'tags'); // the second one trims the journal
            Filter::sync('tags', $store, 0.0);
            $journal->add("$key-later");
            Filter::sync('tags', $store, 0.0);
            self::assertSame([$key, "$key-later"], Filter::open('tags')->candidates([$key, "$key-later", 'other']));
        }
    }

    public function testATrimRemovesTheRecordsBeforeAPosition(): void
    {
        $store = new FakeStore();
        $begin = $store->last('j')[0];
        $first = (string) $store->append('j', [self::record(5, '')]);
        $second = (string) $store->append('j', [self::record(1, 'a')]);
        $store->append('j', [self::record(1, 'b')]);
        $store->trim('j', $second);
        $count = static fn (string $position): ?int => ($read = $store->read(['j' => $position], 1 << 20)['j']) === null ? null : count($read);
        self::assertSame([null, null, 1], array_map($count, [$begin, $first, $second]));
        $store->trim('j', $first);
        $store->trim('j', 'another-1-position');
        self::assertSame(1, $count($second), 'a position that the journal does not have changes nothing');
    }

    /** The store does what the extension's own store does, for the same random calls. */
    public function testAFakeStoreAnswersAsADirectoryDoes(): void
    {
        mt_srand(20261126);
        $stores = [new FakeStore(), new DirectoryStore("$this->directory/store")];
        $ends = array_map(static fn (JournalStore $store): array => [$store->last('j:journal')[0]], $stores);
        for ($i = 0; $i < 400; $i++) {
            [$what, $key, $which] = [mt_rand(0, 8), 'k' . mt_rand(1, 3), mt_rand(0, count($ends[0]) - 1)];
            $record = self::record([1, 1, 1, 2, 4, 5, 5][mt_rand(0, 6)], (string) $i);
            $answers = [];
            foreach ($stores as $at => $store) {
                [$answers[], $end] = self::call($store, $what, $key, $ends[$at][$which], $record, (string) $i);
                if ($end !== null) {
                    $ends[$at][] = $end;
                }
            }
            self::assertSame($answers[1], $answers[0], "call $i: $what");
            self::assertSame(count($ends[1]), count($ends[0]), "call $i: $what");
        }
        self::assertGreaterThan(50, count($ends[0]));
    }

    /** @return array{mixed, string|null} the answer without positions, which may differ, and the position of the journal's end */
    private static function call(JournalStore $store, int $what, string $key, string $position, string $record, string $text): array
    {
        $end = null;
        switch ($what) {
            case 0:
                return [$store->set($key, $text), null];
            case 1:
                return [$store->replace($key, $store->getMultiple([$key])[$key] ?? null, $text) && !$store->replace($key, 'other', $text), null];
            case 2:
                $values = $store->getMultiple(['k1', 'k2', 'k3']);
                ksort($values);
                return [[$values, $store->missing(['k1', 'k2', 'k3'])], null];
            case 3:
                return [$store->deleteMultiple([$key]), null];
            case 4:
            case 5:
                $end = $store->append('j:journal', [$record, self::record(1, "$text+")]);
                return [$end === null, $end];
            case 6:
                $end = $store->append('j:journal', [$record], $position);
                return [$end === null, $end];
            case 7:
                [$end, $last] = $store->last('j:journal');
                return [$last, $end];
            default:
                $read = $store->read(['j:journal' => $position], 200)['j:journal'];
                return [$read === null ? null : array_values($read), null];
        }
    }

    /** Returns a record of a journal: docs/dev/journal.md, "Records". */
    private static function record(int $kind, string $key): string
    {
        $payload = $kind === 1 ? pack('V', strlen($key)) . $key : ($kind === 5 ? '' : str_repeat("\1", 8));
        $record = 'BLJ2' . pack('VVV', 48 + strlen($payload), $kind, $kind === 1 ? 1 : 0) . strrev(hash('xxh3', 'j', true))
            . pack('PP', 1, 0) . $payload;
        return $record . strrev(hash('xxh3', $record, true));
    }
}

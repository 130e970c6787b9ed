<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\Blob;
use Bloom\BlobInfo;
use Bloom\Builder;
use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\FormatException;
use Bloom\Journal;
use Bloom\KindException;
use Bloom\Kit\Fold;
use Bloom\Kit\ImplausibleKeys;
use Bloom\Kit\NightlyBuild;
use Bloom\Kit\NightlyResult;
use Bloom\Layout;
use Bloom\ReverseIndexBuilder;
use Bloom\Status;
use Bloom\StoreException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;

#[CoversClass(NightlyBuild::class)]
#[CoversClass(NightlyResult::class)]
final class NightlyBuildTest extends HostTestCase
{
    private DirectoryStore $store;
    private int $calls = 0;

    protected function setUp(): void
    {
        parent::setUp();
        $this->store = new DirectoryStore("$this->directory/store");
    }

    public function testTheFirstNightSizesTheFilterForItsDistinctKeys(): void
    {
        $result = $this->night()->run($this->keys(20_000, times: 5));
        $info = $this->published();
        self::assertEquals($result->info, $info);
        self::assertEqualsWithDelta(25_000, $info->capacity, 500);
        self::assertSame([2, null], [$this->calls, $info->mark]);
        self::assertTrue($info->measuredFalsePositiveRate < 0.01);
        self::assertMatchesRegularExpression(
            '/^tags: published about [12]\d,\d{3} keys in \d\d,\d{3} bytes, sized for 2\d,\d{3}, 0\.\d+ % false positives, no journal, '
            . '(\d) of \1 chunks written$/D',
            (string) $result
        );
    }

    public function testALaterNightKeepsSeedAndLayoutAndReadsTheKeysOnce(): void
    {
        $this->night(layout: new Layout(chunkBytes: 4096), falsePositiveRate: 0.02)->run($this->keys(20_000));
        $first = $this->published();
        $this->calls = 0;
        $result = $this->night()->run($this->keys(20_001));
        $second = $this->published();
        self::assertSame(1, $this->calls);
        self::assertSame(
            [$first->seed, $first->capacity, $first->chunkBytes, 0.02],
            [$second->seed, $second->capacity, $second->chunkBytes, $second->falsePositiveRate]
        );
        self::assertTrue($result->chunksWritten <= 1 && $result->chunks > 3, "$result");
    }

    public function testAFilterGrowsWhenItsKeysHaveOutgrownIt(): void
    {
        $this->night()->run($this->keys(5_000));
        $first = $this->published();
        $this->night()->run($this->keys(30_000));
        $grown = $this->published();
        self::assertSame($first->seed, $grown->seed);
        self::assertEqualsWithDelta(37_500, $grown->capacity, 1_000);
        self::assertTrue($grown->measuredFalsePositiveRate < 0.01);
        self::assertSame(4, $this->calls);
        self::assertAllFound(30_000);
    }

    public function testTheRateCanBeChanged(): void
    {
        $this->night()->run($this->keys(1_000));
        $this->night(falsePositiveRate: 0.0001)->run($this->keys(1_000));
        self::assertSame(0.0001, $this->published()->falsePositiveRate);
        self::assertAllFound(1_000);
    }

    public function testAFoldIsRecordedAndKept(): void
    {
        (new NightlyBuild('tags', $this->store, fold: Fold::mysql()))->run(fn (): array => ['José', 'JOSE', 'Ann']);
        self::assertSame('fold=mysql/1', $this->published()->source);
        $this->night(maxFall: 1.0)->run(fn (): array => ['José', 'JOSE', 'Ann', 'Bob']);
        $blob = Blob::fetch($this->store, 'tags');
        self::assertSame(['fold=mysql/1', 3], [$blob->info()->source, $blob->info()->keys]);
        self::assertSame(['jose', 'bob'], $blob->candidates(['jose', 'bob']));
        (new Builder(10, seed: 1, source: 'fold=other/1'))->build()->publish($this->store, 'tags');
        $this->assertRefused(FormatException::class, 'fold=other/1', fn () => $this->night(maxFall: 1.0)->run(fn (): array => ['Ann']));
    }

    /** The keys are read twice, and the second builder copies the source of what is published then. */
    #[TestWith([null, 'fold=mysql/1', 'jose'])]
    #[TestWith(['fold=mysql/1', '', 'José'])]
    public function testAFoldThatIsPublishedBetweenTheReadsAppliesToTheKeys(?string $before, string $after, string $expected): void
    {
        if ($before !== null) {
            (new Builder(1, seed: 1, source: $before))->build()->publish($this->store, 'tags');
        }
        $this->night()->run(function () use ($after): iterable {
            if (++$this->calls === 1) {
                (new Builder(1, seed: 2, source: $after))->build()->publish($this->store, 'tags');
            }
            return ['José', ...range(1, 2000)];
        });
        $blob = Blob::fetch($this->store, 'tags');
        self::assertSame([$after, 2], [$blob->info()->source, $this->calls]);
        self::assertTrue($blob->mightContain($expected));
    }

    public function testAReverseIndexIsRefused(): void
    {
        $builder = new ReverseIndexBuilder(groups: 10, capacity: 10);
        $builder->add(1, 'cat');
        $builder->build()->publish($this->store, 'tags');
        $this->assertRefused(KindException::class, 'tags: the published version is a reverse index', fn () => $this->night()->run($this->keys(10)));
    }

    public function testNoKeysAreRefused(): void
    {
        $this->assertRefused(ImplausibleKeys::class, 'tags: there are no keys', fn () => $this->night()->run(fn (): array => []));
        $this->night(maxFall: 1.0)->run(fn (): array => []);
        self::assertSame(0, $this->published()->keys);
    }

    #[TestWith([7_900, 0.2, false])]
    #[TestWith([8_300, 0.2, true])]
    #[TestWith([500, 0.9, false])]
    #[TestWith([5, 1.0, true])]
    public function testFarFewerKeysThanBeforeAreRefused(int $count, float $maxFall, bool $isAllowed): void
    {
        $this->night()->run($this->keys(10_000));
        $tonight = fn () => $this->night(maxFall: $maxFall)->run($this->keys($count));
        if ($isAllowed) {
            $tonight();
            self::assertEqualsWithDelta($count, $this->published()->estimatedKeys, 200);
        } else {
            $this->assertRefused(ImplausibleKeys::class, '% fewer than the', $tonight);
        }
    }

    public function testAListThatEndsEarlyWithAnExceptionIsNotPublished(): void
    {
        $this->night()->run($this->keys(1_000));
        $this->assertRefused(\RuntimeException::class, 'connection lost', fn () => $this->night(maxFall: 1.0)->run(function (): iterable {
            yield from ($this->keys(900))();
            throw new \RuntimeException('connection lost');
        }));
    }

    public function testAnIteratorThatCanBeReadOnlyOnceIsNotPublishedAsAShortList(): void
    {
        $once = new \NoRewindIterator(new \ArrayIterator(range(1, 1_000)));
        $this->assertRefused(
            ImplausibleKeys::class,
            'tags: the keys were read twice, but had about 0 distinct keys instead of 1,000 the second time: the callable must',
            fn () => $this->night(maxFall: 1.0)->run(fn (): \Iterator => $once)
        );
    }

    public function testAKeyOfAnotherTypeIsReportedWithItsPosition(): void
    {
        $this->assertRefused(\TypeError::class, 'key 12,001 must be of type string|int, float given', function (): void {
            // @phpstan-ignore argument.type
            $this->night()->run(fn (): array => [...range(1, 12_000), 19.99]);
        });
    }

    public function testAKeyThatIsAddedWhileTheKeysAreReadIsAfterTheMark(): void
    {
        $journal = new Journal('tags', $this->store);
        $journal->mark();
        $journal->add('early');
        $this->night(settle: 0.0)->run(function () use ($journal): array {
            $journal->add('late');
            return ['cat'];
        });
        Filter::sync('tags', $this->store);
        self::assertSame([0 => 'cat', 2 => 'late'], Filter::open('tags')->candidates(['cat', 'early', 'late', 'dog']));
    }

    public function testACallbackIsToldHowLongTheBuildWaits(): void
    {
        $waits = [];
        $note = function (int $passed, int $all) use (&$waits): void {
            $waits[] = "$passed of $all";
        };
        $this->night(settle: 0.01)->build($this->keys(10), $note);
        self::assertSame([], $waits, 'there is no journal');
        (new Journal('tags', $this->store))->mark();
        $this->night(settle: 0.0)->build($this->keys(10), $note);
        self::assertSame([], $waits);
        $this->night(settle: 0.01)->build($this->keys(10), $note);
        self::assertSame('0 of 1', $waits[0]);
        self::assertSame('1 of 1', end($waits));
    }

    public function testAJournalIsNotBegun(): void
    {
        $this->night(settle: 0.0)->run($this->keys(10));
        self::assertNull($this->published()->mark);
        self::assertFileDoesNotExist("$this->directory/store/tags:journal");
    }

    public function testAFilterThatCannotHaveAJournalGetsNoMark(): void
    {
        $spy = new SpyStore("$this->directory/store");
        (new NightlyBuild('tags', $spy))->run($this->keys(10)); // with the default wait, which would last a minute
        self::assertNull($this->published()->mark);
    }

    public function testAnEndedJournalIsNotBegunAgain(): void
    {
        (new Journal('tags', $this->store))->mark();
        $this->night(settle: 0.0)->run($this->keys(10));
        self::assertNotNull($this->published()->mark);
        (new Builder(10, seed: 1))->build()->publish($this->store, 'tags', endJournal: true);
        $this->night(settle: 0.0)->run($this->keys(10));
        self::assertNull($this->published()->mark);
    }

    public function testKeysThatWereReadBeforeTheMarkAreRefusedIfTheFilterHasAJournal(): void
    {
        (new Journal('tags', $this->store))->mark();
        $this->assertRefused(KindException::class, 'the filter has a journal, but the blob has no mark', fn ()
            => $this->night(settle: null)->run($this->keys(10)));
    }

    public function testAnotherBuildWithALaterSnapshotWins(): void
    {
        $this->night()->run($this->keys(1_000));
        $tonight = function (): void {
            $this->night()->run(function (): iterable {
                (new Builder(10, seed: 1))->build(builtAt: microtime(true) + 60)->publish($this->store, 'tags');
                return ($this->keys(1_000))();
            });
        };
        try {
            $tonight();
            self::fail('published');
        } catch (StoreException $refusal) {
            self::assertSame(Status::Overtaken->value, $refusal->getCode());
            self::assertStringContainsString('another build has published it', $refusal->getMessage());
        }
        self::assertSame(10, $this->published()->capacity);
    }

    public function testAFreshBuildReplacesADamagedVersion(): void
    {
        $this->night()->run($this->keys(1_000));
        $seed = $this->published()->seed;
        foreach (glob("$this->directory/store/tags:chunks/*/*") ?: [] as $chunk) {
            chmod($chunk, 0600);
            file_put_contents($chunk, str_repeat("\xff", (int) filesize($chunk)));
        }
        $this->assertRefused(FormatException::class, 'digest', fn () => $this->night()->run($this->keys(1_000)));
        $this->night(isFresh: true)->run($this->keys(1_000));
        self::assertNotSame($seed, $this->published()->seed);
        self::assertAllFound(1_000);
    }

    public function testHundredsOfMillionsOfKeysWouldBeCounted(): void
    {
        // The formula at a load of 2.1 keys per bit, with a counter that is small enough for a test.
        $counter = new Builder(1 << 19, layout: new Layout(65_536, 65_536, 1), bitsPerKey: 1.0);
        $counter->addMany(range(1, 1_100_000));
        $distinct = new \ReflectionMethod(NightlyBuild::class, 'distinct');
        self::assertEqualsWithDelta(1_100_000, $distinct->invoke(null, $counter->info()), 11_000);
        $counter->addMany(range(1, 9_000_000));
        $this->expectException(\OverflowException::class);
        $distinct->invoke(null, $counter->info());
    }

    #[TestWith([-1.0, 0.2, '$settle'])]
    #[TestWith([NAN, 0.2, '$settle'])]
    #[TestWith([86_401.0, 0.2, '$settle'])]
    #[TestWith([60.0, 20.0, '$maxFall'])]
    public function testParametersAreChecked(float $settle, float $maxFall, string $named): void
    {
        $this->expectException(\ValueError::class);
        $this->expectExceptionMessage($named);
        $this->night(settle: $settle, maxFall: $maxFall);
    }

    private function night(
        ?float $settle = 0.0,
        float $maxFall = 0.2,
        ?float $falsePositiveRate = null,
        ?Layout $layout = null,
        bool $isFresh = false,
    ): NightlyBuild {
        return new NightlyBuild('tags', $this->store, $settle, $maxFall, $falsePositiveRate, $layout, isFresh: $isFresh);
    }

    /** @return \Closure(): iterable<string> */
    private function keys(int $count, int $times = 1): \Closure
    {
        return function () use ($count, $times): iterable {
            $this->calls++;
            for ($round = 0; $round < $times; $round++) {
                for ($i = 0; $i < $count; $i++) {
                    yield "key $i";
                }
            }
        };
    }

    private function published(): BlobInfo
    {
        return Blob::fetch($this->store, 'tags')->info();
    }

    private function assertAllFound(int $count): void
    {
        $keys = iterator_to_array(($this->keys($count))(), false);
        self::assertSame($keys, Blob::fetch($this->store, 'tags')->candidates($keys));
    }

    /** @param class-string<\Throwable> $class */
    private function assertRefused(string $class, string $message, callable $night): void
    {
        $read = fn (): ?string => is_file("$this->directory/store/tags") ? md5_file("$this->directory/store/tags") : null;
        $before = $read();
        try {
            $night();
            self::fail('published');
        } catch (\Throwable $refusal) {
            self::assertInstanceOf($class, $refusal);
            self::assertStringContainsString($message, $refusal->getMessage());
        }
        self::assertSame($before, $read());
    }
}

<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\Kit\Fold;
use Bloom\Kit\HostFilter;
use Bloom\LiveFilter;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;

#[CoversClass(HostFilter::class)]
final class HostFilterTest extends HostTestCase
{
    private Log $log;
    private HostFilter $filter;

    protected function setUp(): void
    {
        parent::setUp();
        $this->log = new Log();
        $this->filter = new HostFilter('tags', $this->log);
    }

    public function testALoadedFilterAnswers(): void
    {
        $this->load(['cat', 42]);
        self::assertTrue($this->filter->mightContain('cat'));
        self::assertFalse($this->filter->mightContain('dog'));
        self::assertSame([1 => 'cat', 'answer' => 42], $this->filter->candidates(['dog', 'cat', 'answer' => 42]));
        self::assertSame(['cat', 42], $this->filter->candidates(new \ArrayIterator(['dog', 'cat', 42])));
        self::assertSame([], $this->log->lines);
    }

    public function testAFilterThatIsNotLoadedAnswersMaybeAndIsLoggedOncePerRequest(): void
    {
        $this->assertEverythingIsMaybe();
        $line = 'warning: The Bloom filter "tags" answers "maybe" to every lookup: it is not loaded on this host';
        self::assertSame([$line], $this->log->lines);
        $this->filter->reset();
        $this->assertEverythingIsMaybe();
        self::assertSame([$line, $line], $this->log->lines);
    }

    public function testItWorksWithoutALogger(): void
    {
        self::assertTrue((new HostFilter('tags'))->mightContain('dog'));
    }

    public function testItFindsAFilterThatIsLoadedLaterAndAgainAfterADrop(): void
    {
        self::assertTrue($this->filter->mightContain('dog'));
        $this->load(['cat']);
        self::assertFalse($this->filter->mightContain('dog'));
        $this->filter->reset();
        Filter::drop('tags');
        $this->assertEverythingIsMaybe();
        self::assertCount(2, $this->log->lines);
        $this->load(['cat']);
        self::assertFalse($this->filter->mightContain('dog'));
    }

    public function testAFilterThatIsRefusedAnswersMaybe(): void
    {
        mkdir(self::segment(), 0755); // the extension accepts only 0700
        $this->assertEverythingIsMaybe();
        self::assertCount(1, $this->log->lines);
        self::assertStringContainsString('refused', $this->log->lines[0]);
        rmdir(self::segment());
    }

    /** Otherwise the mistake would only appear once the filter is loaded. */
    #[TestWith([19.99])]
    #[TestWith([true])]
    #[TestWith([null])]
    public function testAKeyOfAnotherTypeThrowsWhetherOrNotTheFilterIsLoaded(mixed $key): void
    {
        foreach (['not loaded', 'loaded'] as $state) {
            foreach (['mightContain' => $key, 'candidates' => [$key]] as $method => $argument) {
                try {
                    call_user_func([$this->filter, $method], $argument); // converts arguments, as code without strict_types does
                    self::fail("$state: $method accepts it");
                } catch (\TypeError) {
                    $this->addToAssertionCount(1);
                }
            }
            $this->load(['cat']);
        }
    }

    public function testAFoldedFilterFindsTheRowsThatTheDatabaseFinds(): void
    {
        $this->filter = new HostFilter('tags', $this->log, Fold::mysql());
        $this->load(array_map(Fold::mysql()->key(...), ['José', 'Straße', 42]), Fold::mysql()->mark('names'));
        self::assertTrue($this->filter->mightContain('jose '));
        self::assertTrue($this->filter->mightContain(42));
        self::assertFalse($this->filter->mightContain('Jos'));
        self::assertSame(
            ['a' => 'JOSE', 1 => 'strasse', 3 => 42],
            $this->filter->candidates(['a' => 'JOSE', 1 => 'strasse', 2 => 'Jos', 3 => 42]),
        );
        self::assertSame(['JOSÉ', '42'], $this->filter->candidates(new \ArrayIterator(['JOSÉ', 'Jos', '42'])));
        self::assertSame([], $this->filter->candidates([]));
        self::assertSame([], $this->log->lines);
    }

    public function testAKeyThatOnlyTheDatabaseCanCompareIsMaybe(): void
    {
        $this->filter = new HostFilter('tags', $this->log, Fold::mysql());
        $this->load([], Fold::mysql()->mark());
        self::assertTrue($this->filter->mightContain('😀'));
        self::assertSame(['x' => '😀', 2 => "\u{FFFD}"], $this->filter->candidates(['cat', 'x' => '😀', 1 => 'dog', 2 => "\u{FFFD}"]));
        self::assertSame([], $this->log->lines);
    }

    #[TestWith(['', true, 'its keys are not folded; build it with bloom build --fold=mysql/1'])]
    #[TestWith(['fold=mysql/0', true, 'its keys are folded in another way ("mysql/0"); build it with bloom build --fold=mysql/1'])]
    #[TestWith(['fold=mysql/1 fold=x', true, 'its keys are folded in another way ("mysql/1 x"); build it with bloom build --fold=mysql/1'])]
    #[TestWith(['fold=mysql/1', false, 'its keys are folded ("mysql/1"), but the keys that are looked up are not; configure the fold'])]
    public function testAFilterWhoseKeysWereMadeInAnotherWayAnswersMaybe(string $source, bool $isFolded, string $reason): void
    {
        $this->filter = new HostFilter('tags', $this->log, $isFolded ? Fold::mysql() : null);
        $this->load(['cat'], $source);
        $this->assertEverythingIsMaybe();
        self::assertSame(["warning: The Bloom filter \"tags\" answers \"maybe\" to every lookup: $reason"], $this->log->lines);
        $this->load(['cat'], $isFolded ? Fold::mysql()->mark() : '');
        self::assertFalse($this->filter->mightContain('dog'));
        $this->load(['cat'], $source);
        $this->assertEverythingIsMaybe();
    }

    public function testALiveFilterCannotProveThatItsKeysAreFolded(): void
    {
        $this->filter = new HostFilter('tags', $this->log, Fold::mysql());
        LiveFilter::create('tags', 100);
        $this->assertEverythingIsMaybe();
        self::assertStringEndsWith('but it is a live filter or cannot be read', $this->log->lines[0]);
        self::assertFalse((new HostFilter('tags'))->mightContain('dog'));
    }

    /** @param list<string|int> $keys */
    private function load(array $keys, string $source = ''): void
    {
        $this->publish($keys, source: $source);
        Filter::sync('tags', new DirectoryStore("$this->directory/store"), ttl: 0.0);
    }

    private function assertEverythingIsMaybe(): void
    {
        self::assertTrue($this->filter->mightContain('dog'));
        self::assertSame(['a' => 'dog', 5 => 7], $this->filter->candidates(['a' => 'dog', 5 => 7]));
        $keys = (static function (): \Generator {
            yield 'x' => 'dog';
            yield 'x' => 7;
        })();
        self::assertSame(['dog', 7], $this->filter->candidates($keys));
    }
}

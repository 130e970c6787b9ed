<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\Builder;
use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\Journal;
use Bloom\Kit\HostFilter;
use Bloom\Kit\HostMembership;
use Bloom\Kit\ListFilter;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;

#[CoversClass(ListFilter::class)]
final class ListFilterTest extends HostTestCase
{
    private Log $log;
    private HostFilter $filter;
    private ListFilter $list;

    protected function setUp(): void
    {
        parent::setUp();
        $this->log = new Log();
        $this->list = new ListFilter($this->filter = new HostFilter('tags', $this->log));
    }

    public function testALoadedListAnswersYesOrNo(): void
    {
        $this->publish(['123456', 7]);
        Filter::sync('tags', new DirectoryStore("$this->directory/store"));
        self::assertTrue($this->list->mayList('123456'));
        self::assertTrue($this->list->mayList(7));
        self::assertFalse($this->list->mayList('dog'));
        self::assertSame([], $this->log->lines);
    }

    public function testAPasswordIsListedUnderTheHashThatPwnedPasswordsUses(): void
    {
        self::assertNull($this->list->mayListPassword('password'));
        $this->publish(['5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8']);
        Filter::sync('tags', new DirectoryStore("$this->directory/store"));
        self::assertTrue($this->list->mayListPassword('password'));
        self::assertFalse($this->list->mayListPassword('Password'));
    }

    public function testAListThatIsNotLoadedIsUnknownAndLoggedOncePerRequest(): void
    {
        self::assertNull($this->list->mayList('123456'));
        self::assertNull($this->list->mayList('dog'));
        self::assertCount(1, $this->log->lines);
        self::assertStringContainsString('not loaded', $this->log->lines[0]);
        $this->filter->reset();
        self::assertNull($this->list->mayList('dog'));
        self::assertCount(2, $this->log->lines);
    }

    public function testAListThatIsBehindItsJournalIsUnknownAndLogged(): void
    {
        $store = new DirectoryStore("$this->directory/store");
        $mark = (new Journal('tags', $store))->mark();
        (new Builder(100, seed: 1))->build(mark: $mark)->publish($store, 'tags');
        Filter::sync('tags', $store, maxLag: 0.001);
        usleep(2000);
        self::assertNull($this->list->mayList('dog'));
        self::assertNull($this->list->mayList('dog'));
        self::assertCount(1, $this->log->lines);
        self::assertStringContainsString('behind its journal', $this->log->lines[0]);
    }

    public function testAListThatIsDroppedOrRefusedIsUnknown(): void
    {
        $this->publish(['123456']);
        Filter::sync('tags', new DirectoryStore("$this->directory/store"));
        self::assertTrue($this->list->mayList('123456'));
        Filter::drop('tags');
        self::assertNull($this->list->mayList('123456'));
        chmod(self::segment(), 0755); // the extension accepts only 0700
        self::assertNull((new ListFilter(new HostFilter('tags')))->mayList('dog'));
        chmod(self::segment(), 0700);
    }

    /**
     * @param list<bool> $states what isComplete() returns
     * @param list<bool> $lookups what mightContain() returns
     */
    #[TestWith([[false], [true], null])]
    #[TestWith([[true, false], [true, true], null])]
    #[TestWith([[true], [true, false], false])] // the first "maybe" was that of a filter that could not answer
    public function testAListThatChangesDuringALookupIsUnknownUnlessItDeniesTheKey(array $states, array $lookups, ?bool $answer): void
    {
        $filter = $this->createStub(HostMembership::class);
        $filter->method('isComplete')->willReturn(...$states);
        $filter->method('mightContain')->willReturn(...$lookups);
        self::assertSame($answer, (new ListFilter($filter))->mayList('dog'));
    }

    public function testAKeyOfAnotherTypeIsAMistakeEvenIfTheListIsNotLoaded(): void
    {
        $this->expectException(\TypeError::class);
        $this->list->mayList(19.99);
    }
}

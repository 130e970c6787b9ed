<?php

declare(strict_types=1);

namespace Bloom\Laravel\Tests;

use Bloom\BloomException;
use Bloom\Builder;
use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\Journal;
use Bloom\Kit\OutboxException;
use Bloom\Kit\PdoOutbox;
use Bloom\Kit\Tests\HookedStore;
use Bloom\Laravel\AddsToFilters;
use Bloom\Laravel\Facades\BloomFilter;
use Bloom\Laravel\FilterManager;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\SoftDeletes;
use Illuminate\Foundation\Application;
use Illuminate\Support\Facades\DB;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;

#[CoversClass(FilterManager::class)]
final class WriteTest extends SiteTestCase
{
    private HookedStore $journals;

    public function testAModelAddsItsKeysBeforeTheCommit(): void
    {
        $this->begin('journal');
        $atAppend = null;
        $this->journals->after = static function () use (&$atAppend): void {
            $atAppend = [DB::transactionLevel(), DB::table('tags')->count()];
        };
        Tag::create(['name' => 'red']);
        self::assertSame([1, 1], $atAppend, 'the row is written but not committed');
        self::assertSame(0, DB::transactionLevel());
        $this->assertFound(['red']);
    }

    public function testAnUpdateAddsOnlyTheNewKeys(): void
    {
        $this->begin('journal');
        $tag = Tag::create(['name' => 'red', 'note' => 'x']);
        $appends = $this->journals->appends;
        $tag->update(['note' => 'y']);
        $tag->save();
        self::assertSame($appends, $this->journals->appends, 'the key has not changed');
        $tag->update(['name' => 'blue']);
        Tag::firstOrFail()->fill(['name' => 'pink'])->saveQuietly();
        self::assertSame($appends + 2, $this->journals->appends);
        $this->assertFound(['red', 'blue', 'pink']);
    }

    public function testAKeyOfAnEventOrOfTheDatabaseIsAdded(): void
    {
        $this->begin('journal');
        Tag::creating(static fn (Tag $tag) => $tag->name .= '-created');
        Tag::updating(static fn (Tag $tag) => $tag->name .= '-updated');
        $tag = Tag::create(['name' => 'red']);
        $tag->update(['name' => 'blue']);
        $this->assertFound(['red-created', 'blue-updated', 'id 1']);
    }

    public function testATrashedModelThatComesBackAddsItsKeysAgain(): void
    {
        $this->begin('journal');
        $tag = Tag::create(['name' => 'red']);
        $tag->delete();
        $appends = $this->journals->appends;
        $tag->restore();
        self::assertSame($appends + 1, $this->journals->appends, 'a build in the meantime would have left the row out');
    }

    public function testInATransactionOfTheApplicationAModelBeginsNoOther(): void
    {
        $this->begin('outbox');
        $level = null;
        Tag::created(static function () use (&$level): void {
            $level = DB::transactionLevel();
        });
        DB::transaction(static fn () => Tag::create(['name' => 'red']));
        self::assertSame(1, $level);
        self::assertSame(['red', 'id 1'], $this->outbox());
    }

    public function testTheOutboxIsRolledBackWithTheRow(): void
    {
        $this->begin('outbox');
        DB::beginTransaction();
        Tag::create(['name' => 'red']);
        self::assertSame(['red', 'id 1'], $this->outbox());
        DB::beginTransaction(); // a savepoint
        Tag::create(['name' => 'blue']);
        DB::rollBack();
        DB::commit();
        self::assertSame([['red'], ['red', 'id 1']], [DB::table('tags')->pluck('name')->all(), $this->outbox()]);

        DB::beginTransaction();
        Tag::create(['name' => 'pink']);
        DB::rollBack();
        self::assertSame([['red'], ['red', 'id 1']], [DB::table('tags')->pluck('name')->all(), $this->outbox()]);
        self::assertSame(0, $this->journals->appends);

        self::assertSame(2, BloomFilter::relay());
        self::assertSame([], $this->outbox());
        $this->assertFound(['red', 'id 1']);
    }

    public function testAKeyInTheJournalStaysAfterARollback(): void
    {
        $this->begin('journal');
        DB::beginTransaction();
        Tag::create(['name' => 'red']);
        DB::rollBack();
        self::assertSame(0, DB::table('tags')->count());
        $this->assertFound(['red']); // a false positive
    }

    #[TestWith([true])]
    #[TestWith([false])]
    public function testWithOnlyTheJournalAStoreThatFailsMakesTheWriteFail(bool $inTransaction): void
    {
        $this->begin('journal');
        $tag = new Tag(['name' => 'red']);
        $this->journals->before = static fn (): never => throw new \RuntimeException('no route to host');
        try {
            $inTransaction ? DB::transaction(static fn () => $tag->save()) : $tag->save();
            self::fail('the store has failed');
        } catch (BloomException) {
            self::assertSame([0, 0, false], [DB::table('tags')->count(), DB::transactionLevel(), $tag->exists]);
        }
        $tag->save(); // now the store works
        self::assertSame(['red'], DB::table('tags')->pluck('name')->all());
        $this->journals->before = static fn (): never => throw new \RuntimeException('no route to host');
        try {
            $tag->update(['name' => 'blue']);
            self::fail('the store has failed');
        } catch (BloomException) {
            self::assertSame(['red'], DB::table('tags')->pluck('name')->all());
        }
        $tag->save();
        self::assertSame(['blue'], DB::table('tags')->pluck('name')->all());
        $this->assertFound(['red', 'blue']);
    }

    public function testWithBothAStoreThatFailsFillsTheOutbox(): void
    {
        $app = $this->begin('journal_or_outbox');
        Tag::create(['name' => 'red']);
        self::assertSame([], $this->outbox());
        $this->journals->before = static fn (): never => throw new \RuntimeException('no route to host');
        Tag::create(['name' => 'blue']);
        Tag::create(['name' => 'pink']);
        self::assertSame(['blue', 'id 2', 'pink', 'id 3'], $this->outbox());
        self::assertCount(1, preg_grep('/WARNING: Keys for the Bloom filter "tags" go to the outbox/', self::log($app)) ?: []);
        self::assertSame(4, BloomFilter::relay());
        $this->assertFound(['red', 'blue', 'pink', 'id 3']);
    }

    public function testARelayLeavesTheKeysOfAFilterThatIsNotConfigured(): void
    {
        $this->begin('outbox');
        (new PdoOutbox(DB::connection()->getPdo()))->add('tagz', 'red');
        Tag::create(['name' => 'blue']);
        try {
            BloomFilter::relay();
            self::fail('tagz is not configured');
        } catch (OutboxException $exception) {
            self::assertSame(2, $exception->moved);
            self::assertStringContainsString('there is no filter "tagz"', $exception->getMessage());
        }
        self::assertSame(['red'], $this->outbox());
    }

    public function testKeysOfAnotherConnectionGoToItsOutbox(): void
    {
        $this->begin('outbox');
        config(['database.connections.other' => ['driver' => 'sqlite', 'database' => ':memory:', 'prefix' => '']]);
        (new PdoOutbox(DB::connection('other')->getPdo()))->createTable();
        BloomFilter::add('tags', 'red', DB::connection('other'));
        BloomFilter::add('tags', ['blue']);
        self::assertSame(['blue'], $this->outbox());
        self::assertSame(1, BloomFilter::relay(connection: DB::connection('other')));
        $this->assertFound(['red']);
    }

    public function testAMissingKeyIsAMistake(): void
    {
        $this->begin('journal');
        $this->expectException(\TypeError::class);
        $this->expectExceptionMessage('Tag::filterKeys() must return keys of type string|int, but returned null for the filter "tags"');
        Tag::create(['note' => 'without a name']);
    }

    public function testAFakeFindsTheKeysOfModels(): void
    {
        $this->begin('journal');
        BloomFilter::fake(['tags' => []]);
        Tag::create(['name' => 'red']);
        self::assertSame(['red'], BloomFilter::get('tags')->candidates(['red', 'blue']));
        self::assertSame(0, $this->journals->appends);
    }

    private function begin(string $write): Application
    {
        $this->journals = new HookedStore("$this->directory/store");
        $app = $this->start(['tags' => ['store' => 'own', 'journal' => true, 'max_lag' => 3600, 'write' => $write]], [
            'own' => ['driver' => 'service', 'service' => 'app.journals'],
        ]);
        $app->instance('app.journals', $this->journals);
        $mark = (new Journal('tags', $this->journals))->mark();
        (new Builder(1000, 1e-9, seed: 1))->build(mark: $mark)->publish($this->journals, 'tags');
        $this->journals->appends = 0;
        DB::statement('CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT, note TEXT, deleted_at TEXT)');
        (new PdoOutbox(DB::connection()->getPdo()))->createTable();
        Tag::flushEventListeners();
        Tag::clearBootedModels();
        return $app;
    }

    /** @param list<string> $keys */
    private function assertFound(array $keys): void
    {
        Filter::drop('tags');
        Filter::sync('tags', new DirectoryStore("$this->directory/store"), ttl: 0.0);
        self::assertSame($keys, Filter::open('tags')->candidates($keys));
    }

    /** @return list<string> */
    private function outbox(): array
    {
        /** @var list<string> $keys */
        $keys = DB::table('bloom_outbox')->orderBy('id')->pluck('key_bytes')->all();
        return $keys;
    }
}

/**
 * @property int $id
 * @property string $name
 */
final class Tag extends Model
{
    use AddsToFilters;
    use SoftDeletes;

    public $timestamps = false;
    protected $table = 'tags';
    protected $guarded = [];

    public function filterKeys(): array
    {
        return ['tags' => $this->trashed() ? [] : [$this->name, "id $this->id"]];
    }
}

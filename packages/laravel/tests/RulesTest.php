<?php

declare(strict_types=1);

namespace Bloom\Laravel\Tests;

use Bloom\Kit\Fold;
use Bloom\Laravel\Facades\BloomFilter;
use Bloom\Laravel\Rules\MightContain;
use Bloom\Laravel\Rules\SkipIfAbsent;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Validator;
use PHPUnit\Framework\Attributes\CoversClass;

#[CoversClass(MightContain::class)]
#[CoversClass(SkipIfAbsent::class)]
final class RulesTest extends SiteTestCase
{
    protected function setUp(): void
    {
        parent::setUp();
        $this->start(['emails' => ['store' => 'main']]);
        DB::statement('CREATE TABLE users (email TEXT)');
        DB::table('users')->insert([['email' => 'ann@example.org'], ['email' => '7']]);
        $this->publish(['ann@example.org', '7', 'false positive'], 'emails');
        BloomFilter::sync('emails');
        DB::enableQueryLog();
    }

    public function testMightContainFailsWithoutAQueryIfTheValueIsCertainlyAbsent(): void
    {
        $rules = ['bail', 'string', new MightContain('emails'), 'exists:users,email'];
        self::assertSame([['The selected email is invalid.'], 0], $this->validated('bob@example.org', $rules));
        self::assertSame([[], 1], $this->validated('ann@example.org', $rules));
        self::assertSame([['The selected email is invalid.'], 1], $this->validated('false positive', $rules));
    }

    public function testSkipIfAbsentAsksTheDatabaseOnlyIfTheValueMayExist(): void
    {
        $rules = [new SkipIfAbsent('emails', 'unique:users')];
        self::assertSame([[], 0], $this->validated('bob@example.org', $rules));
        self::assertSame([['The email has already been taken.'], 1], $this->validated('ann@example.org', $rules));
        self::assertSame([[], 1], $this->validated('false positive', $rules));
    }

    public function testTheKeyOfAValueCanDiffer(): void
    {
        $key = mb_strtolower(...);
        self::assertSame([[], 0], $this->validated('ANN@example.org', [new MightContain('emails', $key)]));
        self::assertSame([['The selected email is invalid.'], 0], $this->validated('ANN@example.org', [new MightContain('emails')]));
        $rules = [new SkipIfAbsent('emails', ['max:5'], $key)];
        self::assertSame([['The email field must not be greater than 5 characters.'], 0], $this->validated('ANN@example.org', $rules));
    }

    public function testRulesFindWhatADatabaseThatIgnoresCaseFinds(): void
    {
        config(['bloom.filters.names' => ['store' => 'main', 'fold' => 'mysql']]);
        $this->publish([Fold::mysql()->key('José')], 'names', Fold::mysql()->mark());
        BloomFilter::sync('names');
        self::assertSame([['The email field must not be greater than 3 characters.'], 0], $this->validated('JOSE', [new SkipIfAbsent('names', ['max:3'])]));
        self::assertSame([[], 0], $this->validated('josé ', [new MightContain('names')]));
        self::assertSame([['The selected email is invalid.'], 0], $this->validated('Jos', [new MightContain('names')]));
    }

    public function testIntsAreKeysAndOtherTypesAreLeftToOtherRules(): void
    {
        self::assertSame([[], 0], $this->validated(7, [new MightContain('emails')]));
        self::assertSame([['The selected email is invalid.'], 0], $this->validated(8, [new MightContain('emails')]));
        foreach ([1.5, true, ['ann@example.org']] as $value) {
            self::assertSame([[], 0], $this->validated($value, [new MightContain('emails')]));
            self::assertSame(1, count($this->validated($value, [new SkipIfAbsent('emails', 'date')])[0]));
        }
    }

    public function testRulesInAListSeeTheirOwnValue(): void
    {
        $validator = Validator::make(
            ['users' => [['email' => 'bob@example.org'], ['email' => 'ann@example.org']]],
            ['users.*.email' => new SkipIfAbsent('emails', 'unique:users')],
        );
        self::assertSame(['users.1.email' => ['The email has already been taken.']], $validator->errors()->toArray());
    }

    public function testAFilterThatIsNotLoadedLeavesTheDecisionToTheDatabase(): void
    {
        \Bloom\Filter::drop('emails');
        self::assertSame([['The selected email is invalid.'], 1], $this->validated('bob@example.org', ['bail', new MightContain('emails'), 'exists:users,email']));
        self::assertSame([[], 1], $this->validated('bob@example.org', [new SkipIfAbsent('emails', 'unique:users')]));
    }

    /**
     * @param list<mixed> $rules
     *
     * @return array{list<string>, int} the messages, and the number of queries
     */
    private function validated(mixed $value, array $rules): array
    {
        DB::flushQueryLog();
        $messages = array_values(Validator::make(['email' => $value], ['email' => $rules])->errors()->all());
        return [$messages, count(DB::getQueryLog())];
    }
}

<?php

declare(strict_types=1);

namespace Bloom\Laravel\Tests;

use Bloom\Kit\Tests\CodeOfPage;
use Bloom\Laravel\Facades\BloomFilter;
use Illuminate\Console\Scheduling\Schedule;
use Illuminate\Foundation\Application;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Http;
use Illuminate\Support\Facades\Validator;
use Illuminate\Validation\Rules\Password;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Output\BufferedOutput;

/**
 * Runs the code blocks of docs/laravel.md in an application. A block's first line names its file. tests/run runs the commands of
 * the installation.
 */
#[CoversNothing]
final class DocsTest extends SiteTestCase
{
    use CodeOfPage;

    private const PAGE = __DIR__ . '/../laravel.md';

    public function testTheConfigurationAndTheCommand(): void
    {
        $app = $this->startAsDocumented();
        $this->publish(['cat', 'bird']);
        $output = new BufferedOutput();
        self::assertSame(0, $app->make(\Illuminate\Contracts\Console\Kernel::class)->call('bloom:sync', [], $output));
        self::assertConsole($output->fetch());
    }

    public function testTheLookupAndTheTestOfIt(): void
    {
        $this->startAsDocumented();
        $this->load('app/TagSearch.php');
        $search = new \App\TagSearch(); // @phpstan-ignore class.notFound
        self::assertSame(['dog', 'cat'], $search->worthAsking(['dog', 'cat']), 'it is not loaded');
        $this->publish(['cat']);
        BloomFilter::sync('tags', 0.0);
        self::assertSame(['cat'], $search->worthAsking(['dog', 'cat']));

        class_alias(TestCase::class, 'Tests\TestCase');
        $this->load('tests/TagSearchTest.php');
        (new \Tests\TagSearchTest('testMissingTagsAreNotQueried'))->testMissingTagsAreNotQueried(); // @phpstan-ignore class.notFound
    }

    public function testTheRules(): void
    {
        $this->startAsDocumented(['names' => ['store' => 'main']]);
        DB::statement('CREATE TABLE tags (name TEXT)');
        DB::statement('CREATE TABLE users (name TEXT)');
        DB::table('tags')->insert(['name' => 'red']);
        DB::table('users')->insert(['name' => 'ann']);
        $this->publish(['red']);
        $this->publish(['ann'], 'names');
        BloomFilter::sync('tags', 0.0);
        BloomFilter::sync('names', 0.0);
        $this->load('app/Http/Requests/SignUp.php');
        $rules = (new \App\Http\Requests\SignUp())->rules(); // @phpstan-ignore class.notFound
        DB::enableQueryLog();
        self::assertSame(['name', 'tag'], self::failed(['tag' => 'pink', 'name' => 'ann'], $rules));
        self::assertCount(1, DB::getQueryLog(), 'only the name is queried');
        self::assertSame([], self::failed(['tag' => 'red', 'name' => 'bob'], $rules));
        self::assertCount(2, DB::getQueryLog(), 'only the tag is queried');
    }

    public function testTheBreachedPasswords(): void
    {
        $_ENV['BLOOM_DIRECTORY'] = "$this->directory/store";
        $app = $this->start([]);
        config(['bloom' => $this->load('config/bloom.php', 1)]);
        unset($_ENV['BLOOM_DIRECTORY']);
        Http::fake(static fn (): never => throw new \Error('a request was sent'));
        $rules = ['password' => Password::min(8)->uncompromised()];
        self::assertSame([], self::failed(['password' => 'password'], $rules), 'it is not loaded');
        self::assertCount(1, self::log($app));
        $this->publish([strtoupper(sha1('password'))], 'breached');
        BloomFilter::sync('breached', 0.0);
        self::assertSame(['password'], self::failed(['password' => 'password'], $rules));
        self::assertSame([], self::failed(['password' => 'Tr0ub4dor&3'], $rules));
    }

    public function testTheModelAndTheOutbox(): void
    {
        $this->startAsDocumented();
        DB::statement('CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT, created_at TEXT, updated_at TEXT)');
        self::assertSame(1, preg_match('/`(\(new Bloom.Kit.PdoOutbox.*createTable\(\);)`/', self::page(), $found));
        eval("use Illuminate\Support\Facades\DB; $found[1]");
        config(['bloom.stores.main' => ['driver' => 'directory', 'path' => "$this->directory/store"]]);
        config(['bloom.filters.tags' => ['store' => 'main', 'journal' => true, 'write' => 'outbox']]);
        $this->load('app/Models/Tag.php');
        \App\Models\Tag::forceCreate(['name' => 'red']); // @phpstan-ignore class.notFound
        BloomFilter::add('tags', ['blue']);
        self::assertSame(['red', 'blue'], DB::table('bloom_outbox')->pluck('key_bytes')->all());
        self::assertSame(2, BloomFilter::relay());
    }

    public function testTheSchedule(): void
    {
        $app = $this->startAsDocumented();
        $schedule = $app->make(Schedule::class);
        self::assertInstanceOf(Schedule::class, $schedule);
        self::assertSame(1, preg_match('/`(Schedule::.*;)`,\s+or\s+`(.*)`\s+in\s+Laravel 10/', self::page(), $found));
        eval(class_exists(\Illuminate\Support\Facades\Schedule::class) ? "Illuminate\Support\Facades\\$found[1]" : $found[2]);
        self::assertCount(1, $schedule->events());
        self::assertTrue($schedule->events()[0]->isDue($app));
    }

    public function testEachBlockOfCodeIsUsed(): void
    {
        self::assertSame(
            ['config/bloom.php', 'app/TagSearch.php', 'app/Http/Requests/SignUp.php', 'config/bloom.php', 'app/Models/Tag.php',
                'tests/TagSearchTest.php'],
            array_map(fn (string $block): string => substr(strtok($block, "\n") ?: '', 3), self::blocks('php')),
        );
        self::assertNumberOfBlocks(['sh' => 1, 'php' => 6, 'console' => 1]);
    }

    /** @param array<string, mixed> $filters in addition to those of the page */
    private function startAsDocumented(array $filters = []): Application
    {
        $_ENV['BLOOM_DIRECTORY'] = "$this->directory/store";
        $config = $this->load('config/bloom.php');
        unset($_ENV['BLOOM_DIRECTORY']);
        self::assertIsArray($config);
        $app = $this->start([]);
        config(['bloom' => array_merge_recursive($config, ['filters' => $filters])]);
        return $app;
    }

    /** Runs the block of a file, or its second one. */
    private function load(string $file, int $index = 0): mixed
    {
        $blocks = array_values(array_filter(self::blocks('php'), static fn (string $block): bool => str_starts_with($block, "// $file\n")));
        $path = "$this->directory/" . basename($file);
        file_put_contents($path, "<?php\n" . ($blocks[$index] ?? self::fail("docs/laravel.md has no block $file")));
        return require $path;
    }

    /**
     * @param array<string, string> $data
     * @param array<mixed> $rules
     *
     * @return list<int|string> the attributes that fail, sorted
     */
    private static function failed(array $data, array $rules): array
    {
        $failed = array_keys(Validator::make($data, $rules)->errors()->toArray());
        sort($failed);
        return $failed;
    }
}

<?php

declare(strict_types=1);

namespace Bloom\Laravel\Tests;

use Bloom\Laravel\Console\SyncCommand;
use Illuminate\Foundation\Application;
use PHPUnit\Framework\Attributes\CoversClass;
use Symfony\Component\Console\Output\BufferedOutput;

#[CoversClass(SyncCommand::class)]
final class SyncCommandTest extends SiteTestCase
{
    private const TWO = ['tags' => ['store' => 'main'], 'users' => ['store' => 'main'], 'local' => []];

    public function testItSyncsAllFiltersWithAStoreOrTheNamedOnes(): void
    {
        $app = $this->start(self::TWO);
        $this->publish(['cat']);
        $this->publish(['ann', 'bob'], 'users');
        [$status, $output] = self::artisan($app, ['filters' => ['users']]);
        self::assertSame([0, 1], [$status, preg_match('/^users \.+ switched, generation 1, 2 keys, built \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/', $output)], $output);
        [$status, $output] = self::artisan($app, []);
        self::assertSame(0, $status, $output);
        self::assertMatchesRegularExpression('/tags \.+ switched, generation 1, 1 keys.*users \.+ current, generation 1, 2 keys/s', $output);
        self::assertStringNotContainsString('local', $output);
    }

    public function testAFailureIsReportedAndTheOthersAreSynced(): void
    {
        $app = $this->start(self::TWO);
        $this->publish(['ann'], 'users');
        [$status, $output] = self::artisan($app, []);
        self::assertSame(1, $status, $output);
        self::assertMatchesRegularExpression('/ERROR  tags: .*missing from the store.*users \.+ switched, generation 1/s', $output);
    }

    public function testAnUnknownNameIsRefused(): void
    {
        $app = $this->start(self::TWO);
        [$status, $output] = self::artisan($app, ['filters' => ['local', 'tags']]);
        self::assertSame(2, $status, $output);
        self::assertStringContainsString('No filter "local" with a store is configured. The filters with a store are: tags, users', $output);
        self::assertSame(0, $this->store->reads);
    }

    public function testForceLoadsAnOlderVersion(): void
    {
        $app = $this->start();
        $older = (new \Bloom\Builder(100, seed: 1))->build(builtAt: 1.7e9);
        $this->publish(['cat']);
        self::artisan($app, []);
        $older->publish(new \Bloom\DirectoryStore("$this->directory/store"), 'tags', force: true);
        self::assertSame(1, self::artisan($app, [])[0]);
        self::assertSame(0, self::artisan($app, ['--force' => true])[0]);
        self::assertSame(0, \Bloom\Filter::open('tags')->info()->keys);
    }

    public function testTheSchedulerRunsIt(): void
    {
        $app = $this->start();
        $schedule = $app->make(\Illuminate\Console\Scheduling\Schedule::class);
        \assert($schedule instanceof \Illuminate\Console\Scheduling\Schedule);
        $event = $schedule->command('bloom:sync')->everyMinute();
        self::assertStringContainsString('bloom:sync', (string) $event->command);
        self::assertTrue($event->isDue($app));
    }

    /**
     * @param array<string, mixed> $arguments
     *
     * @return array{int, string} the exit code and the output, without padding
     */
    private static function artisan(Application $app, array $arguments): array
    {
        $output = new BufferedOutput();
        $status = $app->make(\Illuminate\Contracts\Console\Kernel::class)->call('bloom:sync', $arguments, $output);
        return [$status, trim((string) preg_replace('/^ +| +$/m', '', $output->fetch()))];
    }
}

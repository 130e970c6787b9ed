<?php

declare(strict_types=1);

namespace Bloom\Laravel\Tests;

use Bloom\Filter;
use Bloom\Laravel\BloomServiceProvider;
use Illuminate\Console\Scheduling\Schedule;
use Illuminate\Contracts\Console\Kernel;
use PHPUnit\Framework\Attributes\CoversClass;
use Symfony\Component\Console\Output\BufferedOutput;

#[CoversClass(BloomServiceProvider::class)]
final class SyncCommandTest extends SiteTestCase
{
    public function testArtisanSyncsTheFiltersThatHaveAStore(): void
    {
        $artisan = $this->start(['tags' => ['store' => 'main'], 'users' => ['store' => 'main'], 'local' => []])->make(Kernel::class);
        $this->publish(['cat']);
        $this->publish(['ann'], 'users');
        $output = new BufferedOutput();
        self::assertSame(0, $artisan->call('bloom:sync', ['names' => ['users']], $output));
        self::assertNull(Filter::find('tags'));
        self::assertSame(0, $artisan->call('bloom:sync', [], $output));
        $text = $output->fetch();
        self::assertMatchesRegularExpression('/ users +switched .* tags +switched .* users +current /s', $text);
        self::assertStringNotContainsString('local', $text);
    }

    public function testAMistakeInTheConfigurationFailsOnlyThisCommand(): void
    {
        $artisan = $this->start(['tags' => ['stor' => 'main']])->make(Kernel::class);
        self::assertSame(0, $artisan->call('list'));
        $this->expectExceptionMessage('bloom.filters.tags.stor: there is no such key');
        $artisan->call('bloom:sync');
    }

    public function testTheSchedulerRunsIt(): void
    {
        $app = $this->start();
        $schedule = $app->make(Schedule::class);
        \assert($schedule instanceof Schedule);
        $event = $schedule->command('bloom:sync')->everyMinute();
        self::assertStringContainsString('bloom:sync', (string) $event->command);
        self::assertTrue($event->isDue($app));
    }
}

<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests;

use Bloom\Blob;
use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\Symfony\Tests\App\Kernel;
use Bloom\Symfony\Tests\App\SpyStore;
use Symfony\Bundle\FrameworkBundle\Console\Application;
use Symfony\Component\Console\Tester\CommandCompletionTester;
use Symfony\Component\Console\Tester\CommandTester;
use Symfony\Component\DependencyInjection\Loader\Configurator\ServicesConfigurator;
use Symfony\Component\Filesystem\Filesystem;

final class SyncCommandTest extends AppTestCase
{
    public function testItSyncsAllFilters(): void
    {
        $this->publish(['cat']);
        $this->publish(['red', 'blue'], 'colors');
        $command = $this->command($this->bootWithTwoFilters());

        self::assertSame(0, $command->execute([]));
        self::assertMatchesRegularExpression('/ tags +switched +1 +1 +20\d\d-/', $command->getDisplay());
        self::assertMatchesRegularExpression('/ colors +switched +1 +2 +20\d\d-/', $command->getDisplay());
        self::assertSame(0, $command->execute([]));
        self::assertMatchesRegularExpression('/ tags +current +1 /', $command->getDisplay());
    }

    public function testItSyncsTheNamedFilters(): void
    {
        $this->publish(['cat']);
        $command = $this->command($this->bootWithTwoFilters());
        self::assertSame(0, $command->execute(['names' => ['tags']]));
        self::assertStringContainsString(' tags ', $command->getDisplay());
        self::assertStringNotContainsString('colors', $command->getDisplay());
    }

    public function testAnUnknownNameIsReportedBeforeAnySync(): void
    {
        $this->publish(['cat']);
        $command = $this->command($this->bootWithTwoFilters());
        self::assertSame(2, $command->execute(['names' => ['tags', 'tagz']], ['capture_stderr_separately' => true]));
        self::assertSame(
            '[ERROR] No filter "tagz" with a store is configured; the filters with a store are: tags, colors',
            self::oneLine($command->getErrorOutput())
        );
        self::assertSame('', $command->getDisplay());
        self::assertNull(Filter::find('tags'));
    }

    public function testAFailureIsReportedAndDoesNotStopTheOtherSyncs(): void
    {
        $this->publish(['red'], 'colors');
        $command = $this->command($this->bootWithTwoFilters());
        self::assertSame(1, $command->execute([], ['capture_stderr_separately' => true]));
        self::assertMatchesRegularExpression('/ colors +switched /', $command->getDisplay());
        self::assertStringContainsString('[ERROR] tags: ', self::oneLine($command->getErrorOutput()));
        self::assertStringContainsString('missing from the store', self::oneLine($command->getErrorOutput()));
    }

    public function testAStoreThatIsDownIsReported(): void
    {
        [$command, $store] = $this->commandWithSpy();
        $store->failure = new \RedisException("connection refused\e[31m\x9b\u{202E} (redis://me:secret@cache)");
        self::assertSame(1, $command->execute([]));
        self::assertStringContainsString('connection refused?[31m?? (redis://cache)', self::oneLine($command->getDisplay()));
    }

    public function testAFirstLoadThatAnotherProcessHasNotFinishedIsAFailure(): void
    {
        $this->publish(['cat']);
        [$command, $store] = $this->commandWithSpy();
        $during = null;
        $store->onRead = function () use (&$during): void {
            [$other] = $this->commandWithSpy();
            $during = [$other->execute([]), self::oneLine($other->getDisplay())];
        };
        self::assertSame(0, $command->execute([]));
        self::assertSame(
            [1, '[ERROR] tags: no version is loaded yet; another process is loading the first one'],
            $during
        );
    }

    public function testForceAcceptsAnOlderVersion(): void
    {
        $this->publish(['cat']);
        $files = new Filesystem();
        [$store, $backup] = ["$this->directory/store", "$this->directory/backup"];
        $files->mirror($store, $backup);
        do {
            $this->publish(['cat', 'dog']);
        } while (self::builtAt($store) === self::builtAt($backup)); // the clock may not have advanced
        $command = $this->command($this->boot($this->config()));
        self::assertSame(0, $command->execute([]));

        $files->mirror($backup, $store, null, ['override' => true]);
        self::assertSame(1, $command->execute([]));
        self::assertStringContainsString('older', self::oneLine($command->getDisplay()));
        self::assertSame(0, $command->execute(['--force' => true]));
        self::assertMatchesRegularExpression('/ tags +switched +2 +1 /', $command->getDisplay());
    }

    public function testWithoutFiltersItWarns(): void
    {
        $command = $this->command($this->boot(['filters' => ['tags' => null]]));
        self::assertSame(0, $command->execute([]));
        self::assertSame('[WARNING] No filter with a store is configured.', self::oneLine($command->getDisplay()));
    }

    public function testItCompletesNames(): void
    {
        $command = (new Application($this->bootWithTwoFilters()))->find('bloom:sync');
        self::assertSame(['tags', 'colors'], (new CommandCompletionTester($command))->complete(['']));
    }

    private function bootWithTwoFilters(): Kernel
    {
        $config = $this->config();
        $config['filters']['colors'] = ['store' => 'main'];
        return $this->boot($config);
    }

    /** @return array{CommandTester, SpyStore} */
    private function commandWithSpy(): array
    {
        $config = $this->config();
        $config['stores']['main'] = ['service' => 'app.store'];
        $kernel = $this->boot($config, services: function (ServicesConfigurator $services): void {
            $services->set('app.store', SpyStore::class)->args(["$this->directory/store"]);
        });
        return [$this->command($kernel), self::service($kernel, SpyStore::class, 'app.store')];
    }

    private function command(Kernel $kernel): CommandTester
    {
        return new CommandTester((new Application($kernel))->find('bloom:sync'));
    }

    private static function builtAt(string $store): float
    {
        return Blob::fetch(new DirectoryStore($store), 'tags')->info()->builtAt;
    }

    private static function oneLine(string $output): string
    {
        return trim((string) preg_replace('/\s+/', ' ', $output));
    }
}

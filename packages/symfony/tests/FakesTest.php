<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests;

use Bloom\Builder;
use Bloom\Filter;
use Bloom\Journal;
use Bloom\Kit\ListFilter;
use Bloom\Kit\Testing\ExactFilter;
use Bloom\Kit\Testing\FakeStore;
use Bloom\Symfony\Tests\App\Kernel;
use PHPUnit\Framework\Attributes\TestWith;
use Symfony\Bundle\FrameworkBundle\Console\Application;
use Symfony\Component\Console\Input\ArrayInput;
use Symfony\Component\Console\Output\NullOutput;
use Symfony\Component\DependencyInjection\Loader\Configurator\ServicesConfigurator;

final class FakesTest extends AppTestCase
{
    #[TestWith([false])]
    #[TestWith([true])]
    public function testAnExactFakeKnowsTheKeysThatTheTestAdds(bool $debug): void
    {
        $kernel = $this->start('exact', $debug);
        self::service($kernel, ExactFilter::class, 'bloom.filter.tags')->add('cat');
        self::assertSame(['cat'], self::pages($kernel)->tagsFilter->candidates(['cat', 'dog']));
        $list = self::service($kernel, ListFilter::class, 'test.list');
        self::assertSame([true, false], [$list->mayList('cat'), $list->mayList('dog')]);
    }

    public function testAnExactFakeFindsTheKeysThatTheApplicationAddsToTheJournal(): void
    {
        $kernel = $this->start('exact');
        self::service($kernel, Journal::class, 'test.journal')->add(['cat', 42]);
        self::assertSame([0 => 'cat', 2 => 42], self::pages($kernel)->tagsFilter->candidates(['cat', 'dog', 42]));
        $store = self::service($kernel, FakeStore::class, 'bloom.store.main');
        $store->assertAdded('tags', 'cat', 42);
        $store->assertNotAdded('tags', 'dog');
    }

    public function testOtherFakes(): void
    {
        $kernel = $this->start('always_maybe');
        self::assertTrue(self::pages($kernel)->tagsFilter->mightContain('dog'));
        self::assertTrue(self::service($kernel, ListFilter::class, 'test.list')->mayList('dog'));

        $kernel = $this->start('unloaded');
        self::assertTrue(self::pages($kernel)->tagsFilter->mightContain('dog'));
        self::assertNull(self::service($kernel, ListFilter::class, 'test.list')->mayList('dog'));
    }

    /** Whatever the application does: it adds keys, publishes a build and syncs, after a response and by the command. */
    public function testNothingReachesTheStoreOrTheHost(): void
    {
        $kernel = $this->start('exact');
        $journal = self::service($kernel, Journal::class, 'test.journal');
        $store = self::service($kernel, FakeStore::class, 'bloom.store.main');
        (new Builder(100))->build(mark: $journal->mark())->publish($store, 'tags');
        $journal->add('cat');
        $this->request($kernel, '/lookup?keys=cat');
        $application = new Application($kernel);
        $application->setAutoExit(false);
        self::assertSame(0, $application->run(new ArrayInput(['bloom:sync']), new NullOutput()));
        self::assertSame(['.', '..'], scandir("$this->directory/store"));
        self::assertSame([], Filter::list());
    }

    private function start(string $fake, bool $debug = false): Kernel
    {
        $config = $this->config();
        $config['filters']['tags'] = ['fake' => $fake, 'journal' => true] + $config['filters']['tags'];
        return $this->boot($config, $debug, static function (ServicesConfigurator $services): void {
            $services->alias('test.list', 'bloom.list.tags')->public();
            $services->alias('test.journal', 'bloom.journal.tags')->public();
        });
    }
}

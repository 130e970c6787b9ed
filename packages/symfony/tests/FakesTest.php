<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests;

use Bloom\Filter;
use Bloom\NotFoundException;
use Bloom\Testing\ExactFilter;
use PHPUnit\Framework\Attributes\TestWith;

final class FakesTest extends AppTestCase
{
    #[TestWith([false])]
    #[TestWith([true])]
    public function testAnExactFakeKnowsTheKeysThatTheTestAdds(bool $debug): void
    {
        $kernel = $this->boot($this->configWith('exact'), $debug);
        self::service($kernel, ExactFilter::class, 'bloom.filter.tags')->add('cat');
        self::assertSame(['cat'], self::pages($kernel)->tagsFilter->candidates(['cat', 'dog']));
    }

    public function testOtherFakes(): void
    {
        $kernel = $this->boot($this->configWith('always_maybe'));
        self::assertTrue(self::pages($kernel)->tagsFilter->mightContain('dog'));

        $kernel = $this->boot($this->configWith('failing'));
        $this->expectException(NotFoundException::class);
        self::pages($kernel)->tagsFilter->mightContain('dog');
    }

    public function testAFakeIsNotSynced(): void
    {
        $this->publish(['cat']);
        $this->request($this->boot($this->configWith('exact')), '/lookup?keys=cat');
        self::assertNull(Filter::find('tags'));
    }

    /** @return array<string, mixed> */
    private function configWith(string $fake): array
    {
        $config = $this->config();
        $config['filters']['tags']['fake'] = $fake;
        return $config;
    }
}

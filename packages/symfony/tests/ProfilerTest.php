<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests;

use Bloom\Kit\FilterSync;
use Bloom\Kit\HostFilter;
use Bloom\Symfony\Profiler\BloomDataCollector;
use Bloom\Symfony\Profiler\TraceableFilter;
use Bloom\Symfony\Tests\App\Kernel;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\StreamedResponse;
use Symfony\Component\HttpKernel\Profiler\Profile;
use Symfony\Component\HttpKernel\Profiler\Profiler;

final class ProfilerTest extends AppTestCase
{
    public function testProductionUsesTheFilterItself(): void
    {
        $kernel = $this->boot($this->config());
        self::assertInstanceOf(HostFilter::class, self::pages($kernel)->tagsFilter);
        self::assertFalse($kernel->getContainer()->get('test.service_container')?->has('bloom.data_collector'));
    }

    public function testThePanelShowsLookupsGenerationAndAge(): void
    {
        $kernel = $this->bootWithProfiler();
        $html = $this->panel($kernel, $this->profile($kernel, '/lookup?keys=cat,dog,cow,pig'));

        self::assertSame(
            [['tags', '1', '4', '3 (75 %)', '1', '1'], ['colors', '0', '0', '0', '–', '–']],
            array_map(static fn (array $row): array => [...array_slice($row, 0, 4), $row[5], $row[7]], self::rows($html))
        );
        self::assertMatchesRegularExpression('/^\d+\.\d µs$/', self::rows($html)[0][4]);
        self::assertMatchesRegularExpression('/^\d+ (s|min)$/', self::rows($html)[0][6]);
        self::assertStringContainsString('>not loaded on this host: every answer is &quot;maybe&quot;', $html);
        self::assertStringContainsString('<strong>Bloom filters</strong>', $html);
    }

    public function testThePanelShowsTheGenerationThatAnsweredAndNotTheOneAfterTheSync(): void
    {
        $kernel = $this->bootWithProfiler();
        $this->publish(['cat', 'dog']);
        foreach ([1, 2] as $generation) {
            $states = self::collector($this->profile($kernel, '/lookup?keys=cat'))->states();
            self::assertSame($generation, $states['tags']['generation'] ?? null);
        }
    }

    public function testEachRequestIsCountedAlone(): void
    {
        $kernel = $this->bootWithProfiler();
        $this->profile($kernel, '/lookup?keys=cat,dog');
        $total = self::collector($this->profile($kernel, '/lookup?keys=cow'))->total();
        self::assertSame([1, 1, 1], [$total['calls'], $total['keys'], $total['absent']]);
    }

    public function testLookupsOfAStreamedResponseAreCounted(): void
    {
        $kernel = $this->bootWithProfiler();
        $this->expectOutputString('false');
        $total = self::collector($this->profile($kernel, '/stream?keys=dog'))->total();
        self::assertSame([1, 1], [$total['calls'], $total['absent']]);
    }

    public function testTheToolbarShowsHowManyKeysWereAbsent(): void
    {
        $kernel = $this->bootWithProfiler();
        $token = $this->profile($kernel, '/lookup?keys=cat,dog,cow')->getToken();
        $html = (string) $this->request($kernel, "/_wdt/$token")->getContent();
        self::assertMatchesRegularExpression('~<b>Definitely not</b> <span>2 \(67 %\)</span>~', $html);
    }

    public function testTheLastSyncErrorIsShown(): void
    {
        $kernel = $this->bootWithProfiler();
        unlink("$this->directory/store/tags");
        $this->profile($kernel, '/lookup?keys=cat'); // its sync fails
        $html = $this->panel($kernel, $this->profile($kernel, '/lookup?keys=cat'));
        self::assertStringContainsString('missing from the store', $html);
    }

    /** The decorator must not change an answer. */
    public function testTracedLookupsReturnWhatTheFilterReturns(): void
    {
        $kernel = $this->bootWithProfiler();
        $filter = self::pages($kernel)->tagsFilter;
        self::assertInstanceOf(TraceableFilter::class, $filter);
        self::assertTrue($filter->mightContain('cat'));
        self::assertSame([1 => 'cat'], $filter->candidates(['dog', 'cat']));
        self::assertSame(['cat'], $filter->candidates(new \ArrayIterator(['dog', 'cat'])));
        $this->expectException(\TypeError::class);
        $filter->mightContain(19.99);
    }

    private function bootWithProfiler(): Kernel
    {
        $this->publish(['cat']);
        $config = $this->config();
        $config['filters']['colors'] = ['store' => 'main', 'interval' => 31_536_000];
        $kernel = $this->boot($config, debug: true);
        self::service($kernel, FilterSync::class, 'bloom.sync.tags')->sync();
        return $kernel;
    }

    private function profile(Kernel $kernel, string $url): Profile
    {
        $request = Request::create($url);
        $response = $kernel->handle($request);
        if ($response instanceof StreamedResponse) {
            $response->sendContent();
        }
        $kernel->terminate($request, $response);
        self::assertSame(200, $response->getStatusCode());
        $token = (string) $response->headers->get('X-Debug-Token');
        $profile = self::service($kernel, Profiler::class, 'profiler')->loadProfile($token);
        self::assertNotNull($profile);
        return $profile;
    }

    private static function collector(Profile $profile): BloomDataCollector
    {
        $collector = $profile->getCollector('bloom');
        self::assertInstanceOf(BloomDataCollector::class, $collector);
        return $collector;
    }

    private function panel(Kernel $kernel, Profile $profile): string
    {
        $response = $this->request($kernel, "/_profiler/{$profile->getToken()}?panel=bloom");
        self::assertSame(200, $response->getStatusCode());
        $html = (string) $response->getContent();
        return $html;
    }

    /** @return list<list<string>> the cells of the panel's rows, one row per filter */
    private static function rows(string $html): array
    {
        $document = new \DOMDocument();
        $document->loadHTML("<?xml encoding=\"utf-8\"?>$html", LIBXML_NOERROR);
        $rows = [];
        foreach ((new \DOMXPath($document))->query('//div[@id="collector-content"]//tbody/tr[th]') ?: [] as $row) {
            \assert($row instanceof \DOMElement);
            $cells = [];
            foreach ($row->childNodes as $node) {
                if ($node instanceof \DOMElement) {
                    $cells[] = trim($node->textContent);
                }
            }
            $rows[] = $cells;
        }
        return $rows;
    }
}

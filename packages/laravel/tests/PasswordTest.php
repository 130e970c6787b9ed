<?php

declare(strict_types=1);

namespace Bloom\Laravel\Tests;

use Bloom\Laravel\Facades\BloomFilter;
use Bloom\Laravel\PasswordVerifier;
use Bloom\Laravel\Settings;
use Illuminate\Contracts\Validation\UncompromisedVerifier;
use Illuminate\Foundation\Application;
use Illuminate\Support\Facades\Http;
use Illuminate\Support\Facades\Validator;
use Illuminate\Validation\NotPwnedVerifier;
use Illuminate\Validation\Rules\Password;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;

#[CoversClass(PasswordVerifier::class)]
#[CoversClass(Settings::class)]
final class PasswordTest extends SiteTestCase
{
    private const LEAKED = 'The given password has appeared in a data leak. Please choose a different password.';

    private Application $app;

    protected function setUp(): void
    {
        parent::setUp();
        $this->app = $this->start(['breached' => ['store' => 'main']]);
        config(['bloom.breached_passwords' => ['filter' => 'breached']]);
        // The framework's verifier catches exceptions.
        Http::fake(static fn (): never => throw new \Error('a request was sent'));
    }

    /** The framework binds its verifier only when one of its deferred services is made. */
    #[TestWith([[]])]
    #[TestWith([['validator', 'validation.presence']])]
    #[TestWith([['validation.presence', UncompromisedVerifier::class]])]
    public function testTheFilterAnswersWhateverIsMadeBefore(array $services): void
    {
        array_map($this->app->make(...), $services);
        $this->load();
        self::assertSame([self::LEAKED], self::messages('password'));
        self::assertSame([], self::messages('correct horse battery staple'));
        $this->app->loadDeferredProviders();
        self::assertSame([self::LEAKED], self::messages('password'));
        self::assertInstanceOf(PasswordVerifier::class, $this->app->make(UncompromisedVerifier::class));
        self::assertSame([], self::log($this->app));
    }

    #[TestWith([null, []])]
    #[TestWith(['accept', []])]
    #[TestWith(['reject', [self::LEAKED]])]
    public function testWithoutTheFilterTheFallbackDecidesAndTheLogHasOneLine(?string $fallback, array $messages): void
    {
        config(['bloom.breached_passwords.fallback' => $fallback]);
        self::assertSame($messages, self::messages('password'));
        self::assertSame($messages, self::messages('correct horse battery staple'));
        self::assertSame(
            ['WARNING: The Bloom filter "breached" answers "maybe" to every lookup: it is not loaded on this host'],
            self::log($this->app),
        );
    }

    public function testTheFallbackToHttpAsksTheFrameworkOnlyWhileTheFilterIsNotLoaded(): void
    {
        $this->app = $this->start(['breached' => ['store' => 'main']]);
        config(['bloom.breached_passwords' => ['filter' => 'breached', 'fallback' => 'http']]);
        Http::fake(['*/range/5BAA6' => Http::response("1E4C9B93F3F0682250B6CF8331B7EE68FD8:9\r\n"), '*' => Http::response('')]);
        self::assertSame([self::LEAKED], self::messages('password'));
        self::assertSame([], self::messages('correct horse battery staple'));
        Http::assertSentCount(2);
        $this->load();
        self::assertSame([self::LEAKED], self::messages('password'));
        self::assertSame([], self::messages('correct horse battery staple'));
        Http::assertSentCount(2);
    }

    public function testAThresholdIsAMistakeBecauseAFilterHasNoCounts(): void
    {
        $this->expectExceptionObject(new \InvalidArgumentException('Password::uncompromised(): the threshold must be 0 with bloom.breached_passwords,'
            . ' 3 given, because a filter does not know how often a password was breached; build the filter without rare passwords instead'));
        Validator::make(['password' => 'password'], ['password' => Password::min(8)->uncompromised(3)])->passes();
    }

    public function testAnEmptyPasswordIsRejectedAsByTheFramework(): void
    {
        $this->load();
        $verifier = $this->app->make(UncompromisedVerifier::class);
        self::assertFalse($verifier->verify(['value' => '', 'threshold' => 0]));
        self::assertFalse($verifier->verify(['value' => null, 'threshold' => 0]));
    }

    #[TestWith(['accept'])]
    #[TestWith(['reject'])]
    #[TestWith(['http'])]
    public function testAFakeWithoutTheFilterListsNoPassword(string $fallback): void
    {
        config(['bloom.breached_passwords.fallback' => $fallback]);
        BloomFilter::fake();
        self::assertSame([], self::messages('password'));
        self::assertSame([], self::log($this->app));
    }

    public function testAFakeAnswers(): void
    {
        self::assertSame([], self::messages('password'));
        BloomFilter::fake(['breached' => [strtoupper(sha1('password'))]]);
        self::assertSame([self::LEAKED], self::messages('password'));
        self::assertSame([], self::messages('correct horse battery staple'));
    }

    public function testWithoutConfigurationTheFrameworkAnswers(): void
    {
        config(['bloom.breached_passwords' => null]);
        self::assertInstanceOf(NotPwnedVerifier::class, $this->app->make(UncompromisedVerifier::class));
    }

    #[TestWith(['breached', 'bloom.breached_passwords: expected an array, got string'])]
    #[TestWith([['filters' => 'breached'], 'bloom.breached_passwords.filters: there is no such key; the keys are "filter", "fallback"'])]
    #[TestWith([[], 'bloom.breached_passwords.filter: the value is missing'])]
    #[TestWith([['filter' => 'breached', 'fallback' => 'ask'], 'bloom.breached_passwords.fallback: use "accept", "reject", "http"'])]
    #[TestWith([['filter' => 'leaked'], 'bloom.filters: there is no filter "leaked"; there is "breached"'])]
    public function testAMistakeInTheConfigurationNamesItsKey(mixed $passwords, string $message): void
    {
        config(['bloom.breached_passwords' => $passwords]);
        $this->expectExceptionObject(new \InvalidArgumentException($message));
        self::messages('password');
    }

    private function load(): void
    {
        $this->publish([strtoupper(sha1('password'))], 'breached');
        BloomFilter::sync('breached', 0.0);
    }

    /** @return array<string> */
    private static function messages(string $password): array
    {
        return Validator::make(['password' => $password], ['password' => Password::min(8)->uncompromised()])->errors()->get('password');
    }
}

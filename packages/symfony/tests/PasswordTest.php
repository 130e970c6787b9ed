<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests;

use Bloom\Kit\FilterSync;
use Bloom\Symfony\Tests\App\Account;
use Bloom\Symfony\Tests\App\Kernel;
use Bloom\Symfony\Validator\BreachedPasswordValidator;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use Symfony\Component\Config\Definition\Exception\InvalidConfigurationException;
use Symfony\Component\DependencyInjection\Loader\Configurator\ServicesConfigurator;
use Symfony\Component\HttpClient\MockHttpClient;
use Symfony\Component\HttpClient\Response\MockResponse;
use Symfony\Component\String\UnicodeString;
use Symfony\Component\Validator\Constraint;
use Symfony\Component\Validator\Constraints\NotCompromisedPassword;
use Symfony\Component\Validator\ConstraintViolationInterface;
use Symfony\Component\Validator\Exception\ConstraintDefinitionException;

#[CoversClass(BreachedPasswordValidator::class)]
final class PasswordTest extends AppTestCase
{
    private const LEAKED = 'This password has been leaked in a data breach, it must not be used. Please use another password.';

    /** @var list<string> the URLs that were requested */
    public static array $requests = [];

    protected function setUp(): void
    {
        parent::setUp();
        self::$requests = [];
    }

    public static function client(): MockHttpClient
    {
        return new MockHttpClient(static function (string $method, string $url): MockResponse {
            self::$requests[] = basename($url);
            return new MockResponse(basename($url) === '5BAA6' ? "1E4C9B93F3F0682250B6CF8331B7EE68FD8:9\r\n" : '');
        });
    }

    #[TestWith([false])]
    #[TestWith([true])]
    public function testTheFilterAnswersForTheFrameworksConstraintWithoutHttp(bool $debug): void
    {
        $kernel = $this->start(debug: $debug);
        $this->load($kernel);
        self::assertSame([self::LEAKED], self::messages($kernel, 'password'));
        self::assertSame([self::LEAKED], self::messages($kernel, new UnicodeString('password')));
        self::assertSame([], self::messages($kernel, 'correct horse battery staple'));
        self::assertSame([[], []], [self::messages($kernel, ''), self::messages($kernel, null)]);
        self::assertSame(['Choose another one.'], self::messages($kernel, 'password', new NotCompromisedPassword(message: 'Choose another one.')));
        self::assertSame([[], []], [self::$requests, self::log($kernel)]);
    }

    #[TestWith(['accept', false, []])]
    #[TestWith(['reject', false, [self::LEAKED]])]
    #[TestWith(['reject', true, []])]
    public function testWithoutTheFilterTheFallbackDecidesAndTheLogHasOneLine(string $fallback, bool $skipOnError, array $messages): void
    {
        $kernel = $this->start(['fallback' => $fallback]);
        $constraint = new NotCompromisedPassword(skipOnError: $skipOnError);
        self::assertSame($messages, self::messages($kernel, 'password', $constraint));
        self::assertSame($messages, self::messages($kernel, 'correct horse battery staple', $constraint));
        self::assertSame(['warning: The Bloom filter "breached" answers "maybe" to every lookup: it is not loaded on this host'], self::log($kernel));
        self::assertSame([], self::$requests);
    }

    public function testTheFallbackToHttpAsksTheFrameworkOnlyWhileTheFilterIsNotLoaded(): void
    {
        $kernel = $this->start(['fallback' => 'http']);
        self::assertSame([self::LEAKED], self::messages($kernel, 'password'));
        self::assertSame([], self::messages($kernel, 'correct horse battery staple'));
        self::assertSame(['5BAA6', 'ABF7A'], self::$requests);
        $this->load($kernel);
        self::assertSame([self::LEAKED], self::messages($kernel, 'password'));
        self::assertSame([], self::messages($kernel, 'correct horse battery staple'));
        self::assertCount(2, self::$requests);
    }

    public function testAFrameworkThatAcceptsCompromisedPasswordsStillDoes(): void
    {
        $kernel = $this->start(['fallback' => 'reject'], validation: ['not_compromised_password' => false]);
        self::assertSame([], self::messages($kernel, 'password'));
        self::assertSame([], self::log($kernel));
    }

    public function testTheHashIsThatOfThePasswordInUtf8(): void
    {
        $this->publish([strtoupper(sha1('Zürich'))], 'breached');
        $kernel = $this->start(charset: 'ISO-8859-1');
        self::service($kernel, FilterSync::class, 'bloom.sync.breached')->sync();
        self::assertSame([self::LEAKED], self::messages($kernel, "Z\xFCrich"));
    }

    public function testAThresholdIsAMistakeBecauseAFilterHasNoCounts(): void
    {
        $kernel = $this->start();
        $this->expectExceptionObject(new ConstraintDefinitionException('NotCompromisedPassword: the threshold must be 1 with bloom.breached_passwords,'
            . ' 3 given, because a filter does not know how often a password was breached; build the filter without rare passwords instead'));
        self::messages($kernel, 'password', new NotCompromisedPassword(threshold: 3));
    }

    public function testAValueThatIsNoPasswordIsAViolationAsForTheFramework(): void
    {
        self::assertSame(['This value should be of type string.'], self::messages($this->start(), ['password']));
    }

    /** @param array<string, mixed> $passwords */
    #[TestWith([['filter' => 'leaked'], 'Invalid configuration for path "bloom.breached_passwords.filter": there is no filter "leaked"; bloom.filters has "breached", "tags".'])]
    #[TestWith([['filter' => null], 'Invalid configuration for path "bloom.breached_passwords.filter": null given; give the name of a filter.'])]
    #[TestWith([['filter' => 'breached', 'fallback' => 'ask'], 'The value "ask" is not allowed for path "bloom.breached_passwords.fallback". Permissible values: "accept", "reject", "http"'])]
    public function testAMistakeInTheConfigurationIsReportedWithItsPath(array $passwords, string $message): void
    {
        $this->expectException(InvalidConfigurationException::class);
        $this->expectExceptionMessage($message);
        $this->start($passwords);
    }

    public function testTheConfigurationNeedsTheFrameworksValidator(): void
    {
        $this->expectExceptionObject(new InvalidConfigurationException('Invalid configuration for path "bloom.breached_passwords": the validator is'
            . ' not available; install symfony/validator, and set framework.validation.enabled to true.'));
        $this->start(validation: ['enabled' => false]);
    }

    /**
     * @param array<string, mixed> $passwords
     * @param array<string, mixed> $validation
     */
    private function start(array $passwords = [], bool $debug = false, array $validation = [], string $charset = 'UTF-8'): Kernel
    {
        $config = $this->config();
        $config['filters'] = ['breached' => ['store' => 'main'], 'tags' => null];
        $config['breached_passwords'] = $passwords + ['filter' => 'breached'];
        return $this->boot($config, $debug, static fn (ServicesConfigurator $services) => $services
            ->set('http_client', MockHttpClient::class)->factory([self::class, 'client']), validation: $validation, charset: $charset);
    }

    private function load(Kernel $kernel): void
    {
        $this->publish([strtoupper(sha1('password'))], 'breached');
        self::service($kernel, FilterSync::class, 'bloom.sync.breached')->sync();
    }

    /** @return list<string> */
    private static function messages(Kernel $kernel, mixed $password, ?Constraint $constraint = null): array
    {
        $validator = self::pages($kernel)->validator;
        $violations = $constraint === null ? $validator->validate(new Account($password)) : $validator->validate($password, [$constraint]);
        return array_map(static fn (ConstraintViolationInterface $violation): string => (string) $violation->getMessage(), iterator_to_array($violations));
    }
}

<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\DirectoryStore;
use Bloom\Filter;

/** Runs the application of INDEX in php-fpm, with the segment of this process. */
trait FpmTests
{
    private ?\FpmServer $server = null;

    protected function setUp(): void
    {
        parent::setUp();
        // tests/run copies these files.
        require_once __DIR__ . '/lib/FastCgiClient.php';
        require_once __DIR__ . '/lib/FpmServer.php';
    }

    protected function tearDown(): void
    {
        $this->server?->stop();
        parent::tearDown();
    }

    /**
     * The test holds a lock that the store needs. A sync before the response would thus prevent the first
     * answer, and the client would give up.
     */
    public function testTheSyncFollowsTheResponseAndTheNextRequestUsesItsResult(): void
    {
        $this->publish(['cat']);
        $gate = fopen("$this->directory/gate", 'c') ?: self::fail('cannot create the gate');
        flock($gate, LOCK_EX);
        $this->server = new \FpmServer($this->directory, ['APP_DIRECTORY' => $this->directory]);

        self::assertSame(['candidates' => ['cat', 'dog'], 'generation' => null], $this->ask('cat,dog'));
        self::assertNull(Filter::find('tags'));

        flock($gate, LOCK_UN);
        self::assertSame(['candidates' => ['cat'], 'generation' => 1], $this->ask('cat,dog'));

        $this->publish(['cat', 'dog']);
        $this->ask('cat'); // the sync after this response loads the second version
        self::assertSame(['candidates' => ['cat', 'dog'], 'generation' => 2], $this->ask('cat,dog'));

        $this->server->stop();
        self::assertStringNotContainsString('PHP ', $this->server->log());
        // A framework may be older than this PHP.
        $errors = preg_grep('~PHP Deprecated: .*/vendor/~', @file("$this->directory/errors") ?: [], PREG_GREP_INVERT);
        self::assertSame([], $errors);
    }

    /** Any request of the HTTP client would make the page fail. */
    public function testABreachedPasswordIsRefusedWithoutHttpWhileTheFilterIsLoaded(): void
    {
        $this->server = new \FpmServer($this->directory, ['APP_DIRECTORY' => $this->directory]);
        self::assertSame(['errors' => []], $this->register('password'), 'the filter is not loaded');

        $this->publish([strtoupper(sha1('password'))], 'breached');
        Filter::sync('breached', new DirectoryStore("$this->directory/store"));
        ['errors' => $errors] = $this->register('password');
        self::assertIsArray($errors);
        self::assertStringContainsString('leak', implode("\n", $errors));
        self::assertSame(['errors' => []], $this->register('correct horse battery staple'));
    }

    /** @return array<mixed> the decoded answer */
    private function register(string $password): array
    {
        $body = http_build_query(['password' => $password]);
        return $this->send('/register', '', $body, ['REQUEST_METHOD' => 'POST', 'CONTENT_TYPE' => 'application/x-www-form-urlencoded']);
    }

    /** @return array<mixed> the decoded answer */
    private function ask(string $keys): array
    {
        return $this->send('/lookup', "keys=$keys", '', ['REQUEST_METHOD' => 'GET']);
    }

    /**
     * @param array<string, string> $parameters
     *
     * @return array<mixed> the decoded answer
     */
    private function send(string $path, string $query, string $body, array $parameters): array
    {
        \assert($this->server !== null);
        $client = new \FastCgiClient($this->server->socket(), self::INDEX, 1);
        return $client->ask('', $body, $parameters + [
            'REQUEST_URI' => "$path?$query",
            'QUERY_STRING' => $query,
            'SCRIPT_NAME' => '/index.php',
            'SERVER_NAME' => 'localhost',
            'SERVER_PORT' => '80',
            'HTTP_HOST' => 'localhost',
        ]);
    }
}

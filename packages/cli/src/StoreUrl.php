<?php

namespace Bloom\Cli;

use Bloom\Kit\StoreUrl as KitUrl;
use Bloom\Kit\StoreUrlException;
use Bloom\Kit\StoreUrlProblem;
use Bloom\Store;
use Bloom\StoreException;

/** The argument STORE: Bloom\Kit\StoreUrl with the messages, the exit codes and the time limit of the command line. */
final class StoreUrl
{
    public readonly string $shown;
    public readonly ?string $directory;

    private function __construct(private readonly KitUrl $url)
    {
        $this->shown = $url->shown;
        $this->directory = $url->directory;
    }

    public static function parse(string $text, ?bool $isWindows = null): self
    {
        return self::clearly(static fn (): self => new self(KitUrl::parse($text, $isWindows)));
    }

    public static function isUrl(string $text, bool $isWindows): bool
    {
        return KitUrl::isUrl($text, $isWindows);
    }

    public static function isOfServer(string $text): bool
    {
        return KitUrl::isOfServer($text);
    }

    /** Connects to the store. */
    public function open(float $timeout): Store
    {
        $store = $this->ask($timeout, fn (): Store => $this->url->open($timeout));
        return $this->isRedis() ? new TimedStore($store, $this->shown, $timeout) : $store;
    }

    /** Connects to a Redis server, to read something other than a store. */
    public function client(float $timeout): object
    {
        return $this->ask($timeout, fn (): object => $this->url->client($timeout));
    }

    /**
     * Returns the names of the filters in the store.
     *
     * @return list<string>
     */
    public function names(float $timeout): array
    {
        if ($this->directory !== null) {
            $this->open($timeout);
            return StoreNames::ofDirectory($this->directory);
        }
        if (!$this->isRedis()) {
            throw Failure::usage("$this->shown cannot list its keys: name the filters, as in bloom list tags users STORE");
        }
        return $this->ask($timeout, fn (): array
            => StoreNames::ofRedis($this->url->client($timeout), $this->url->prefix, $this->shown));
    }

    public function isRedis(): bool
    {
        return in_array($this->url->scheme, ['redis', 'rediss', 'unix', 'redis-cluster'], true);
    }

    /**
     * @template T
     *
     * @param callable(): T $question
     *
     * @return T
     */
    private function ask(float $timeout, callable $question): mixed
    {
        return self::clearly(fn (): mixed => $this->isRedis() ? TimedStore::ask($this->shown, $timeout, $question) : $question());
    }

    /**
     * @template T
     *
     * @param callable(): T $call
     *
     * @return T
     */
    private static function clearly(callable $call): mixed
    {
        try {
            return $call();
        } catch (StoreException $thrown) {
            throw new Failure(ExitCode::TryAgain, $thrown->getMessage(), $thrown);
        } catch (StoreUrlException $thrown) {
            throw match ($thrown->problem) {
                StoreUrlProblem::Invalid => new Failure(ExitCode::Usage, "STORE: $thrown->detail", $thrown),
                StoreUrlProblem::NoDirectory => new Failure(ExitCode::NoInput, $thrown->detail, $thrown),
                StoreUrlProblem::NoClient => new Failure(ExitCode::Unavailable, $thrown->detail, $thrown),
            };
        }
    }
}

<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\Status;
use Bloom\SyncResult;

/** What a sync did, and the logger to which it is reported after the sync has released its locks. */
final class SyncLog
{
    public int $bytesFetched = 0;
    /** In a row: with this one if it failed, otherwise before it. */
    public int $failures = 0;
    public bool $isFailed = false;
    /** @var array{generation: int, from: int|null, keys: int}|null null: no switch */
    public ?array $switched = null;

    /** @var (callable(string, string, array<string, mixed>): mixed)|null */
    private mixed $call = null;

    /** @param (callable(string, string, array<string, mixed>): mixed)|object|null $logger */
    public function __construct(private string $name, object|callable|null $logger, string $method, int $argument)
    {
        if (is_object($logger) && method_exists($logger, 'log') && (new \ReflectionMethod($logger, 'log'))->isPublic()) {
            $this->call = [$logger, 'log'];
        } elseif (is_callable($logger)) {
            $this->call = $logger;
        } elseif ($logger !== null) {
            throw new \TypeError("Bloom\\$method(): Argument #$argument (\$logger) must be a PSR-3 logger "
                . '(an object with a public method log()), a callable or null, ' . get_debug_type($logger) . ' given');
        }
    }

    /**
     * Runs a sync, then calls the logger. If both throw, the sync's exception becomes a previous one of the logger's.
     *
     * @param callable(): SyncResult $sync
     * @param callable(): int $generation returns the served generation
     */
    public function around(callable $sync, callable $generation): SyncResult
    {
        $began = hrtime(true);
        $thrown = null;
        try {
            $result = $sync();
        } catch (\Throwable $thrown) {
            throw $thrown;
        } finally {
            if ($thrown !== null && $this->isFailed) {
                $this->event('error', 'failed', '{name}: the sync failed: {error}', ['status' => self::status($thrown),
                    'failures' => $this->failures, 'error' => $thrown->getMessage(), 'exception' => $thrown]);
            }
        }
        if ($this->switched !== null) {
            $this->event('info', 'switched', '{name}: switched to generation {generation}',
                $this->switched + ['bytesFetched' => $this->bytesFetched, 'seconds' => (hrtime(true) - $began) / 1e9]);
        }
        if ($this->failures > 0) {
            $this->event('notice', 'recovered', '{name}: the sync recovered, failed attempts: {failures}',
                ['generation' => $generation(), 'failures' => $this->failures]);
        }
        return $result;
    }

    /** @param array<string, mixed> $context */
    private function event(string $level, string $event, string $message, array $context): void
    {
        if ($this->call !== null) {
            ($this->call)($level, $message, ['event' => $event, 'name' => $this->name] + $context);
        }
    }

    private static function status(\Throwable $thrown): string
    {
        $status = $thrown instanceof BloomException ? Status::tryFrom($thrown->getCode()) : null;
        return ($status ?? Status::Store)->name;
    }
}

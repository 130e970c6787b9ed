<?php

namespace Bloom\Internal;

use Bloom\Status;
use Bloom\StoreException;

/**
 * The lock of a filter's publishers, the value "<name>:publisher": docs/dev/store.md. The claim of this
 * package has no process name, because only the extension notices that a process of this host has died.
 */
final class PublishLock
{
    private const LEASE_MS = 60_000;
    private const PAUSE_US_MAX = 20_000;
    private const TRIES_MAX = 100;

    /** The claim, while this process holds the lock. */
    private ?string $own = null;

    public function __construct(private CheckedStore $store, private string $key)
    {
    }

    /**
     * Waits for other processes and takes the lock.
     *
     * @param callable(string): void $report called about once a second while the call waits
     */
    public function take(callable $report): void
    {
        $since = $reported = System::monotonic();
        $before = null;
        $tries = 0;
        for ($pause = 1000;; $pause = min(2 * $pause, self::PAUSE_US_MAX)) {
            $claim = $this->store->getOne($this->key);
            // The clocks of two hosts may differ by any amount, so only this host's monotonic clock counts.
            $now = System::monotonic();
            $since = $claim === $before ? $since : $now;
            $before = $claim;
            $left = ($claim ?? '') === '' ? 0 : max(0, $since + self::LEASE_MS - $now);
            if ($left === 0) {
                if ($this->claim($claim)) {
                    return;
                }
                if (++$tries === self::TRIES_MAX) { // Others were faster, or a replica shows an old claim.
                    throw Failure::of(Status::Overtaken, substr($this->key, 0, -strlen(':publisher')));
                }
            }
            if ($now - $reported >= 1000) {
                $reported = $now;
                $report('waiting for another publisher, at most ' . intdiv($left + 999, 1000) . ' s more');
            }
            usleep($pause);
        }
    }

    private function claim(?string $before): bool
    {
        $claim = ' ' . bin2hex(random_bytes(8));
        $this->own = $this->store->replace($this->key, $before, $claim) ? $claim : null;
        return $this->own !== null;
    }

    /**
     * Returns false if another process has taken the lock over.
     *
     * @phpstan-impure
     */
    public function renew(): bool
    {
        return $this->own !== null && $this->claim($this->own);
    }

    /** Gives the lock back. If that fails, the lock ends after a minute. */
    public function release(): void
    {
        try {
            if ($this->own !== null) {
                $this->store->replace($this->key, $this->own, '');
            }
        } catch (StoreException) {
        }
        $this->own = null;
    }
}

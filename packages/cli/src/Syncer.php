<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;
use Bloom\FormatException;
use Bloom\Journal;
use Bloom\LoadedInfo;
use Bloom\Status;
use Bloom\StoreException;
use Bloom\SyncResult;

/** Syncs filters from one store. */
final class Syncer
{
    /** A ttl of 0 would ignore the pause of a version that cannot be loaded. */
    private const SHORT_SECONDS = 0.001;

    /** @var array<string, array<string, mixed>> what the last sync reported to its logger: event → context */
    public array $events = [];

    /** Whether a version that failed a moment ago is tried again at once. Set it to false in rounds that nobody asked for. */
    public bool $isAsked = true;

    /** @var array<string, BloomException> why journals could not be followed. These filters have noted the failure already. */
    private array $unfollowed = [];

    /**
     * @param (callable(int, int): void)|null $progress
     * @param int|null $onDemand bytes of memory to attach with if no filter is loaded; null loads the whole filter
     * @param bool $isOnce whether a person may have misspelled the arguments
     */
    public function __construct(
        private readonly LazyStore $store,
        private readonly float $ttl,
        private readonly bool $force,
        private readonly mixed $progress,
        private readonly ?float $maxLag = null,
        private readonly ?int $onDemand = null,
        private readonly bool $isOnce = false
    ) {
    }

    /** Drops the connection, which may be stale, and forgets an earlier failure to connect. */
    public function beginRound(): void
    {
        $this->store->reset();
    }

    public function sync(string $name): Synced
    {
        $this->events = [];
        try {
            $this->throwUnfollowed($name);
            if ($this->isOnce && !self::exists($name)) {
                $this->checkPublished($name);
            }
            $attached = $this->onDemand !== null && $this->attach($name, $this->onDemand);
            $result = Filter::sync(
                $name,
                $this->store,
                $this->isAsked ? $this->ttl : max($this->ttl, self::SHORT_SECONDS),
                $this->force,
                $this->progress,
                $this->maxLag,
                function (string $level, string $message, array $context): void {
                    unset($context['exception']); // it would keep the sync's arguments
                    $this->events[$context['event']] = $context;
                }
            );
        } catch (FormatException $thrown) {
            throw Failure::at(ExitCode::Data, "$name in the store", $thrown);
        } catch (StoreException $thrown) {
            $cause = $thrown->getPrevious();
            throw match (true) {
                $cause instanceof Failure => $cause,
                $thrown->getCode() === Status::StoreMissing->value && str_starts_with($thrown->getMessage(), 'a chunk:')
                    => new StoreException("$name: {$thrown->getMessage()} (publish the blob again)", $thrown->getCode(), $thrown),
                default => $thrown,
            };
        }
        // The result is Busy or Paused, and no filter exists yet, if another process is loading the first version.
        $info = Filter::find($name)?->info() ?? throw new Failure(
            ExitCode::TryAgain,
            "$name: nothing is loaded yet; another process is syncing it, or the last attempt failed a moment ago"
        );
        return new Synced($attached || $result === SyncResult::Switched, $result, $info);
    }

    /** Returns whether a filter has the name, even if this process cannot open it. */
    private static function exists(string $name): bool
    {
        try {
            return Filter::find($name) !== null;
        } catch (BloomException) {
            return true;
        }
    }

    /**
     * Fails before Filter::sync() notes a failure, so that a misspelled name or store leaves nothing on this host. If the store
     * cannot be reached, the sync notes it as usual.
     */
    private function checkPublished(string $name): void
    {
        try {
            $head = $this->store->getMultiple([$name])[$name] ?? null;
        } catch (\Throwable $thrown) { // also one of a client
            $cause = $thrown->getPrevious();
            if ($cause instanceof Failure && $cause->exitCode !== ExitCode::TryAgain) {
                throw $cause;
            }
            return;
        }
        if ($head === null) {
            throw new Failure(ExitCode::TryAgain, "$name: missing from the store (bloom list STORE shows the filters that it has)");
        }
    }

    /** Attaches an on-demand filter, as a page's attach() does, unless a filter exists. */
    private function attach(string $name, int $memory): bool
    {
        if (Filter::find($name) !== null) {
            return false;
        }
        Filter::attach($name, $this->store, $memory);
        return true;
    }

    /** Throws what follow() met, instead of a second request to a store that has just failed, which would count as a second failure. */
    private function throwUnfollowed(string $name): void
    {
        $thrown = $this->unfollowed[$name] ?? null;
        unset($this->unfollowed[$name]);
        if ($thrown !== null) {
            $this->events['failed'] = ['status' => (Status::tryFrom($thrown->getCode() ?: Status::Store->value) ?? Status::Store)->name, 'failures' => self::following($name)?->syncFailuresInRow];
            throw $thrown;
        }
    }

    private static function following(string $name): ?LoadedInfo
    {
        try {
            $info = Filter::find($name)?->info();
        } catch (BloomException) {
            return null;
        }
        return $info instanceof LoadedInfo && $info->journal !== null ? $info : null;
    }

    /**
     * Follows the journals of all filters in one round trip. Returns the names that need a sync, for example because they
     * have no journal or a version was published. If the store fails, returns all names, and each sync throws.
     *
     * @param list<string> $names
     *
     * @return list<string>
     */
    public function follow(array $names): array
    {
        $since = floor(microtime(true) * 1000) / 1000;
        try {
            return $this->force ? $names : Journal::pull($this->store, $names, $this->maxLag);
        } catch (BloomException $thrown) {
            foreach ($names as $name) {
                if (self::following($name)?->lastErrorAt >= $since) {
                    $this->unfollowed[$name] = $thrown;
                }
            }
            return $names;
        }
    }

    /**
     * Follows the journals during a long sync. Ignores a failure, which the next round reports.
     *
     * @param list<string> $names
     */
    public static function followMeanwhile(LazyStore $store, array $names, ?float $maxLag): void
    {
        try {
            Journal::pull($store, $names, $maxLag);
        } catch (BloomException) {
            return;
        }
    }

    /** Returns whether a failure concerns only this name. Invalid arguments, missing extensions and bugs concern all names. */
    public static function isOfItsName(\Throwable $thrown): bool
    {
        return $thrown instanceof BloomException || $thrown instanceof Failure
            && $thrown->exitCode !== ExitCode::Usage && $thrown->exitCode !== ExitCode::Unavailable;
    }
}

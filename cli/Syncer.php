<?php

namespace Bloom\Cli;

use Bloom\Blob;
use Bloom\BloomException;
use Bloom\Filter;
use Bloom\FormatException;
use Bloom\StoreException;

/** Syncs names from one store. */
final class Syncer
{
    /**
     * @param (callable(int, int): void)|null $progress
     * @param int|null $onDemand bytes to attach with where nothing is yet; null: the whole is loaded
     * @param Overlay|null $overlay to make where there is none yet
     */
    public function __construct(
        private readonly LazyStore $store,
        private readonly float $ttl,
        private readonly bool $force,
        private readonly mixed $progress,
        private readonly ?int $onDemand = null,
        private readonly ?Overlay $overlay = null
    ) {
    }

    /** What comes next does not rely on a connection that may be old, nor on what failed before. */
    public function beginRound(): void
    {
        $this->store->reset();
    }

    /** @return array{switched: bool, ...} and Filter::info() */
    public function sync(string $name): array
    {
        try {
            $attached = $this->onDemand !== null && $this->attach($name, $this->onDemand);
            $switched = Filter::sync($name, $this->store, $this->ttl, $this->force, $this->progress);
            $covered = $this->overlay !== null && $this->addOverlay($name, $this->overlay);
        } catch (FormatException $thrown) {
            throw Failure::at(ExitCode::Data, "$name in the store", $thrown);
        } catch (StoreException $thrown) {
            $cause = $thrown->getPrevious();
            throw $cause instanceof Failure ? $cause : $thrown;
        }
        // Another process may have been at it before there was a first version.
        $info = Filter::find($name)?->info() ?? throw new Failure(
            ExitCode::TryAgain,
            "$name: nothing is loaded yet; another process is syncing it, or the last try failed a moment ago"
        );
        return ['switched' => $switched || $attached || $covered] + $info;
    }

    /** Makes the filter one on demand if there is none yet, as a page's attach() would. */
    private function attach(string $name, int $memory): bool
    {
        if (Filter::find($name) !== null) {
            return false;
        }
        Filter::attach($name, $this->store, $memory);
        return true;
    }

    /** The same version once more, which is how an overlay comes to a filter. */
    private function addOverlay(string $name, Overlay $overlay): bool
    {
        $info = Filter::find($name)?->info() ?? [];
        if (!Overlay::isLacking($info)) {
            return false;
        }
        $blob = Blob::fetch($this->store, $name, $this->progress);
        // With a ttl nobody has looked just now: what is served may be newer.
        if ($blob->info()['builtAt'] < $info['builtAt']) {
            throw new Failure(ExitCode::TryAgain, "$name: no overlay yet: the store's version is older than the one served");
        }
        Filter::load($name, $blob, null, $overlay->window, $overlay->capacity);
        return true;
    }

    /** Whether other names may fare better, or this one later: not with a wrong argument or a bug. */
    public static function isOfItsName(\Throwable $thrown): bool
    {
        return $thrown instanceof BloomException || $thrown instanceof Failure
            && $thrown->exitCode !== ExitCode::Usage && $thrown->exitCode !== ExitCode::Unavailable;
    }

    /** @param array $synced what sync() gave */
    public static function describe(array $synced): string
    {
        return "{$synced['name']}: " . ($synced['switched'] ? 'switched to' : 'no change, still') . ' generation '
            . Text::count($synced['generation']) . ', ' . Describe::briefly($synced);
    }
}

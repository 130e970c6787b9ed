<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;
use Bloom\FormatException;
use Bloom\StoreException;

/** Syncs names from one store. */
final class Syncer
{
    /** @param (callable(int, int): void)|null $progress */
    public function __construct(
        private readonly LazyStore $store,
        private readonly float $ttl,
        private readonly bool $force,
        private readonly mixed $progress
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
            $switched = Filter::sync($name, $this->store, $this->ttl, $this->force, $this->progress);
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
        return ['switched' => $switched] + $info;
    }

    /** Whether other names may fare better, or this one later: not with a wrong argument or a bug. */
    public static function isOfItsName(\Throwable $thrown): bool
    {
        return $thrown instanceof BloomException || $thrown instanceof Failure
            && $thrown->exitCode !== ExitCode::Usage && $thrown->exitCode !== ExitCode::Unavailable;
    }

    /** The reason, beginning with the name. */
    public static function reason(string $name, \Throwable $thrown): string
    {
        $message = Text::line(ApiArgument::message($thrown));
        return preg_match('/^' . preg_quote($name, '/') . '( in the store)?: /', $message) ? $message : "$name: $message";
    }

    /** @param array $synced what sync() gave */
    public static function describe(array $synced): string
    {
        return "{$synced['name']}: " . ($synced['switched'] ? 'switched to' : 'no change, still') . ' generation '
            . Text::count($synced['generation']) . ', ' . Describe::briefly($synced);
    }
}

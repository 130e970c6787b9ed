<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;
use Bloom\JournalStore;
use Bloom\LoadedInfo;
use Bloom\Store;

/** What bloom doctor finds in a store. */
final class StoreCheck
{
    /**
     * @param list<string> $names of its filters
     * @param list<Finding> $findings
     * @param Store|null $store null: it cannot be reached
     */
    private function __construct(public readonly array $names, public readonly array $findings, public readonly ?Store $store)
    {
    }

    /**
     * @param list<string> $names of the filters to look for
     * @param bool $isAny whether to look for all filters of the store instead, if it can list them
     * @param list<string> $readers the users that must be able to read a directory
     */
    public static function of(StoreUrl $url, float $timeout, array $names, bool $isAny, Remedy $remedy, array $readers): self
    {
        $access = $url->directory === null ? [] : StoreAccess::findings($url->directory, $readers);
        try {
            $store = $url->open($timeout);
            $names = $isAny ? self::names($url, $timeout, $names) : $names;
        } catch (Failure $failure) {
            return new self([], $access ?: [Finding::fail('store', $failure->getMessage(), $remedy->ofStore($failure->getMessage()))], null);
        }
        $findings = $access;
        $stored = array_map(static fn (string $name): Stored => Stored::find($store, $url->shown, $name), $names);
        foreach ($stored as $one) {
            if ($one->error !== null && $access === []) {
                $findings[] = Finding::fail('store', "$one->name: " . Text::line($one->error), $remedy->ofStore($one->error, $one->name));
            }
            $findings = [...$findings, ...self::room($one), ...self::missingMark($store, $one->name, $remedy)];
        }
        return new self($names, $findings ?: [Finding::ok('store', "$url->shown has " . self::described($stored))], $store);
    }

    /**
     * Returns the filters in the store, or those that are loaded if it cannot list its own.
     *
     * @param list<string> $loaded
     *
     * @return list<string>
     */
    private static function names(StoreUrl $url, float $timeout, array $loaded): array
    {
        try {
            return $url->names($timeout);
        } catch (Failure $failure) {
            return $failure->exitCode === ExitCode::Usage ? $loaded : throw $failure;
        }
    }

    /**
     * Checks that a version that is not loaded yet fits into the segment.
     *
     * @return list<Finding>
     */
    private static function room(Stored $one): array
    {
        $needed = $one->here === null ? $one->served()->bytes ?? 0 : 0;
        $directory = dirname(Segment::path());
        [$free, $all] = Machine::space($directory);
        return $needed <= $free ? [] : [Finding::fail('room', "$one->name needs " . Text::size($needed) . ', but only ' . Text::size($free)
            . " are free in $directory", Machine::moreRoom($directory, $all, $needed))];
    }

    /**
     * A rollback or a pin to a version without a mark ends the journal without a message, so health cannot tell it from a filter
     * that never had one.
     *
     * @return list<Finding>
     */
    private static function missingMark(Store $store, string $name, Remedy $remedy): array
    {
        try {
            $info = Filter::find($name)?->info();
            $isMissing = $info instanceof LoadedInfo && ($info->pinnedSince ?? $info->rolledBackAt) !== null && !isset($info->journal)
                && $store instanceof JournalStore && $store->missing(["$name:journal"]) === [];
        } catch (BloomException) {
            return []; // health reports it
        }
        return !$isMissing ? [] : [Finding::warn(
            'store',
            "$name: hosts serve a version that was built without a mark, so lookups miss the keys that were added to its journal",
            $remedy->unpin($name)
        )];
    }

    /** @param list<Stored> $stored */
    private static function described(array $stored): string
    {
        return $stored === [] ? 'no filters yet' : implode(', ', array_map(static fn (Stored $one): string
            => "$one->name (" . $one->state() . ($one->served() === null ? '' : ', built ' . Text::age(max(0.0, microtime(true) - $one->served()->builtAt)) . ' ago') . ')', $stored));
    }
}

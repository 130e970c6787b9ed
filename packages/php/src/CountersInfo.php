<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/**
 * What the processes of this host have counted for a filter since it was created. The counts survive
 * reloads. A process adds its lookups at the end of each request, during a long request at most once a
 * second, and when it calls info(). A process that is killed loses the lookups that it has not added yet.
 */
final class CountersInfo extends Info
{
    /** Keys that were looked up; in a reverse index, values that were passed to groups(). */
    public readonly int $lookups;
    /** Lookups that answered "definitely not". Each saved a query. */
    public readonly int $absent;
    /** Lookups that answered "maybe". */
    public readonly int $maybes;
    /** The sum of $looked that was passed to confirm(). */
    public readonly int $confirmed;
    /** The sum of $found that was passed to confirm(). */
    public readonly int $found;
    /**
     * The fraction of absent keys for which lookups answered "maybe". It extrapolates the confirmed
     * candidates to all "maybe" answers. null: confirm() was never called
     */
    public readonly ?float $observedFalsePositiveRate;
    /** Bytes of chunks that came from a store. */
    public readonly int $bytesFetched;
    /** Bytes of chunks that a sync did not fetch, because this host already had them. */
    public readonly int $bytesSaved;
    /** @var array<string, int> failed loads, syncs, verifications and store calls, by the name of the Status */
    public readonly array $failures;
    /** How long the last load took from the beginning of the staging to the switch, including fetches. null: no load */
    public readonly ?float $lastLoadSeconds;
    /** The sum over all loads. */
    public readonly float $loadSeconds;
    /** How long the last load held the writers' lock until the switch. Lookups do not wait for it. null: no load */
    public readonly ?float $lastSwitchSeconds;
    /** The sum over all loads. */
    public readonly float $switchSeconds;
    /** When the counting began. */
    public readonly float $since;
}

<?php

// Copied from src/php/report/metrics_table.h by scripts/polyfill.

namespace Bloom\Internal;

/**
 * The metrics that Filter::metrics() reports.
 *
 * @internal
 */
final class MetricsTable
{
    /** Of each metric: its subject, type, name, unit, form, path and help. */
    public const ROWS = [
        ['filter', 'gauge', 'bloom_filter_up', '', 'value', 'up', '1: the filter can be read. 0: it cannot, and has no other metrics.'],
        ['filter', 'gauge', 'bloom_filter_info', '', 'labels', 'kind scheme digest checksum source keyedBy signedBy', '1. The labels describe the served version.'],
        ['filter', 'gauge', 'bloom_filter_generation', '', 'value', 'generation', 'The number of the served version on this host.'],
        ['filter', 'gauge', 'bloom_filter_keys', '', 'value', 'keys', 'Keys that were certainly new when they were added.'],
        ['filter', 'gauge', 'bloom_filter_estimated_keys', '', 'value', 'estimatedKeys', 'Keys according to the bits that are set.'],
        ['filter', 'gauge', 'bloom_filter_capacity', '', 'value', 'capacity', 'Keys for which the filter was sized.'],
        ['filter', 'gauge', 'bloom_filter_size', 'bytes', 'value', 'bytes', 'The size of the filter; of an on-demand filter, of the published blob.'],
        ['filter', 'gauge', 'bloom_filter_fill', 'ratio', 'value', 'fill', 'The fraction of set bits; in a ribbon filter, of slots with a key.'],
        ['filter', 'gauge', 'bloom_filter_requested_false_positive', 'ratio', 'value', 'falsePositiveRate', 'The requested false-positive rate.'],
        ['filter', 'gauge', 'bloom_filter_measured_false_positive', 'ratio', 'value', 'measuredFalsePositiveRate', 'The false-positive rate that results from the bits that are set.'],
        ['filter', 'gauge', 'bloom_filter_lookup_false_positive', 'ratio', 'value', 'lookupFalsePositiveRate', 'The false-positive rate including the journal. 1: lookups do not trust the journal.'],
        ['filter', 'gauge', 'bloom_filter_observed_false_positive', 'ratio', 'value', 'counters.observedFalsePositiveRate', 'The false-positive rate according to the application, which calls confirm().'],
        ['filter', 'gauge', 'bloom_filter_built_timestamp', 'seconds', 'value', 'builtAt', 'When the served blob was built.'],
        ['filter', 'gauge', 'bloom_filter_loaded_timestamp', 'seconds', 'value', 'loadedAt', 'When this host loaded the served version, or created the filter.'],
        ['filter', 'gauge', 'bloom_filter_pinned_timestamp', 'seconds', 'value', 'pinnedSince', 'When hosts were pinned to the served version. No sample: they are not.'],
        ['filter', 'gauge', 'bloom_filter_rolled_back_timestamp', 'seconds', 'value', 'rolledBackAt', 'When hosts were rolled back to the served version. No sample: they were not.'],
        ['filter', 'gauge', 'bloom_filter_created_timestamp', 'seconds', 'value', 'created', 'When a live filter was created.'],
        ['filter', 'gauge', 'bloom_filter_expires_timestamp', 'seconds', 'value', 'expiresAt', 'When a live filter with a time to live ends.'],
        ['filter', 'gauge', 'bloom_filter_last_sync_timestamp', 'seconds', 'ago', 'syncedSecondsAgo', 'When a sync last succeeded.'],
        ['filter', 'gauge', 'bloom_filter_last_error_timestamp', 'seconds', 'value', 'lastErrorAt', 'When a sync last failed, or found damage.'],
        ['filter', 'gauge', 'bloom_filter_verified_timestamp', 'seconds', 'value', 'verifiedAt', 'When the served file was last verified completely.'],
        ['filter', 'counter', 'bloom_filter_loads', '', 'value', 'loads', 'Versions that were loaded.'],
        ['filter', 'counter', 'bloom_filter_load', 'seconds', 'value', 'counters.loadSeconds', 'Time spent loading, including the fetches.'],
        ['filter', 'gauge', 'bloom_filter_last_load', 'seconds', 'value', 'counters.lastLoadSeconds', 'How long the last load took.'],
        ['filter', 'counter', 'bloom_filter_switch', 'seconds', 'value', 'counters.switchSeconds', 'Time for which loads held the lock of the filter. Lookups never wait for it.'],
        ['filter', 'gauge', 'bloom_filter_last_switch', 'seconds', 'value', 'counters.lastSwitchSeconds', 'How long the last load held the lock of the filter.'],
        ['filter', 'counter', 'bloom_filter_lookups', '', 'value', 'counters.lookups', 'Keys that were looked up.'],
        ['filter', 'counter', 'bloom_filter_lookups_absent', '', 'value', 'counters.absent', 'Lookups with the answer definitely not, each of which saved a query.'],
        ['filter', 'counter', 'bloom_filter_lookups_maybe', '', 'value', 'counters.maybes', 'Lookups with the answer maybe.'],
        ['filter', 'counter', 'bloom_filter_candidates_confirmed', '', 'value', 'counters.confirmed', 'Candidates that the application looked up in its database, according to confirm().'],
        ['filter', 'counter', 'bloom_filter_candidates_found', '', 'value', 'counters.found', 'Candidates that the application found there.'],
        ['filter', 'gauge', 'bloom_filter_counted_since_timestamp', 'seconds', 'value', 'counters.since', 'When the counters began at 0.'],
        ['filter', 'counter', 'bloom_filter_syncs', '', 'value', 'syncs', 'Syncs that reached the store and succeeded.'],
        ['filter', 'counter', 'bloom_filter_sync_failures', '', 'value', 'syncFailures', 'Syncs that failed.'],
        ['filter', 'gauge', 'bloom_filter_sync_failures_in_row', '', 'value', 'syncFailuresInRow', 'Syncs that failed since the last success.'],
        ['filter', 'counter', 'bloom_filter_load_failures', '', 'value', 'loadFailures', 'Attempts to load the published version that failed.'],
        ['filter', 'gauge', 'bloom_filter_load_failures_in_row', '', 'value', 'loadFailuresInRow', 'Attempts to load the published version that failed since the last success.'],
        ['filter', 'counter', 'bloom_filter_failures', '', 'value', 'counters.failures', 'Failed loads, syncs, verifications and store calls, by status.'],
        ['filter', 'counter', 'bloom_filter_fetched', 'bytes', 'value', 'counters.bytesFetched', 'Bytes of chunks that were fetched from the store.'],
        ['filter', 'counter', 'bloom_filter_saved', 'bytes', 'value', 'counters.bytesSaved', 'Bytes of chunks that syncs did not fetch, because the host had them.'],
        ['filter', 'counter', 'bloom_filter_damages', '', 'value', 'damages', 'Damaged shards or chunks that syncs found.'],
        ['filter', 'counter', 'bloom_filter_growth_failures', '', 'value', 'growthFailures', 'Attempts to add a layer to a scalable filter that failed.'],
        ['filter', 'gauge', 'bloom_filter_journal_complete', '', 'value', 'journal.isComplete', '1: lookups trust the keys of the journal. 0: every lookup answers maybe.'],
        ['filter', 'gauge', 'bloom_filter_journal_lag', 'seconds', 'value', 'journal.lag', 'Time since this host last had all keys of the journal.'],
        ['filter', 'gauge', 'bloom_filter_journal_max_lag', 'seconds', 'value', 'journal.maxLag', 'The lag from which on every lookup answers maybe. 0: never.'],
        ['filter', 'gauge', 'bloom_filter_journal_records_lost', '', 'value', 'journal.recordsLost', '1: the store has lost records of the journal since the build.'],
        ['filter', 'gauge', 'bloom_filter_journal_records', '', 'value', 'journal.records', 'Records of the journal since the build.'],
        ['filter', 'gauge', 'bloom_filter_journal_keys', '', 'value', 'journal.keys', 'Keys of the journal since the build.'],
        ['filter', 'gauge', 'bloom_filter_journal_size', 'bytes', 'value', 'journal.bytes', 'The size of the filter with the keys of the journal.'],
        ['filter', 'gauge', 'bloom_filter_journal_requested_false_positive', 'ratio', 'value', 'journal.falsePositiveRate', 'The requested false-positive rate of the keys of the journal.'],
        ['filter', 'gauge', 'bloom_filter_journal_measured_false_positive', 'ratio', 'value', 'journal.measuredFalsePositiveRate', 'The false-positive rate of the keys of the journal.'],
        ['filter', 'gauge', 'bloom_filter_ondemand_memory', 'bytes', 'value', 'memory', 'Bytes that an on-demand filter occupies.'],
        ['filter', 'gauge', 'bloom_filter_ondemand_chunks', '', 'value', 'chunksHere', 'Resident chunks of an on-demand filter.'],
        ['filter', 'gauge', 'bloom_filter_ondemand_capacity_chunks', '', 'value', 'chunksRoom', 'Chunks that fit into its memory.'],
        ['filter', 'counter', 'bloom_filter_ondemand_misses', '', 'value', 'misses', 'Keys that were looked up while their chunk was not resident.'],
        ['filter', 'counter', 'bloom_filter_ondemand_misses_maybe', '', 'value', 'untold', 'Misses with the answer maybe, because the chunk could not be fetched.'],
        ['filter', 'counter', 'bloom_filter_ondemand_fetched_chunks', '', 'value', 'fetched', 'Chunks that lookups fetched from the store.'],
        ['filter', 'counter', 'bloom_filter_ondemand_evicted_chunks', '', 'value', 'evicted', 'Chunks that were evicted to make room.'],
        ['filter', 'counter', 'bloom_filter_ondemand_fetch_failures', '', 'value', 'fetchFailures', 'Fetches that failed.'],
        ['filter', 'gauge', 'bloom_filter_ondemand_fetch_failures_in_row', '', 'value', 'fetchFailuresInRow', 'Fetches that failed since the last success.'],
        ['segment', 'gauge', 'bloom_segment_used', 'bytes', 'value', 'usedBytes', 'The size of the files of all filters.'],
        ['segment', 'gauge', 'bloom_segment_memory_limit', 'bytes', 'value', 'memoryLimit', 'The setting bloom.memory_limit, if there is a limit.'],
        ['segment', 'gauge', 'bloom_segment_free', 'bytes', 'value', 'freeBytes', 'Free bytes of the file system, if its size is limited.'],
        ['segment', 'gauge', 'bloom_extension_info', '', 'labels', 'version php', '1. The labels are the versions of the extension and of PHP.'],
    ];
}

/* The metrics that Filter::metrics() reports, one row each, in their order.
 *
 *     ROW(subject, type, name, unit, form, path, help)
 *
 *     subject  filter: one sample for each filter that has the value
 *              segment: one sample
 *     type     gauge, or counter: its samples have the suffix "_total"
 *     name     without the unit, which is appended to it
 *     form     value: a number, a bool, or an array of numbers by status
 *              ago: seconds before now, which are reported as Unix time
 *              labels: 1 with labels; the path is a list of properties, one for each label
 *     path     a property of FilterInfo or of a subclass, or of an object in such a property. If a
 *              filter does not have the property, or it is null, there is no sample
 *     help     one or two sentences, without quotation marks and backslashes
 *
 * scripts/reference writes the rows to docs/reference/metrics.md.
 */
#ifndef PHP_BLOOM_METRICS_TABLE_H
#define PHP_BLOOM_METRICS_TABLE_H

/* clang-format off */
#define PHP_BLOOM_METRICS(ROW) \
	ROW(filter, gauge, "bloom_filter_up", "", value, "up", \
		"1: the filter can be read. 0: it cannot, and has no other metrics.") \
	ROW(filter, gauge, "bloom_filter_info", "", labels, \
		"kind scheme digest checksum source keyedBy signedBy", \
		"1. The labels describe the served version.") \
	ROW(filter, gauge, "bloom_filter_generation", "", value, "generation", \
		"The number of the served version on this host.") \
	ROW(filter, gauge, "bloom_filter_keys", "", value, "keys", \
		"Keys that were definitely new when they were added.") \
	ROW(filter, gauge, "bloom_filter_estimated_keys", "", value, "estimatedKeys", \
		"Keys according to the bits that are set.") \
	ROW(filter, gauge, "bloom_filter_capacity", "", value, "capacity", \
		"Keys for which the filter was sized.") \
	ROW(filter, gauge, "bloom_filter_size", "bytes", value, "bytes", \
		"The size of the filter; of an on-demand filter, of the published blob.") \
	ROW(filter, gauge, "bloom_filter_fill", "ratio", value, "fill", \
		"The fraction of set bits; in a ribbon filter, of slots with a key.") \
	ROW(filter, gauge, "bloom_filter_requested_false_positive", "ratio", value, \
		"falsePositiveRate", "The requested false-positive rate.") \
	ROW(filter, gauge, "bloom_filter_measured_false_positive", "ratio", value, \
		"measuredFalsePositiveRate", \
		"The false-positive rate that results from the bits that are set.") \
	ROW(filter, gauge, "bloom_filter_lookup_false_positive", "ratio", value, \
		"lookupFalsePositiveRate", \
		"The false-positive rate including the journal. 1: lookups do " \
		"not trust the journal.") \
	ROW(filter, gauge, "bloom_filter_observed_false_positive", "ratio", value, \
		"counters.observedFalsePositiveRate", \
		"The false-positive rate according to the application, which calls confirm().") \
	ROW(filter, gauge, "bloom_filter_built_timestamp", "seconds", value, "builtAt", \
		"When the served blob was built.") \
	ROW(filter, gauge, "bloom_filter_loaded_timestamp", "seconds", value, "loadedAt", \
		"When this host loaded the served version, or created the filter.") \
	ROW(filter, gauge, "bloom_filter_pinned_timestamp", "seconds", value, "pinnedSince", \
		"When hosts were pinned to the served version. No sample: they are not.") \
	ROW(filter, gauge, "bloom_filter_rolled_back_timestamp", "seconds", value, \
		"rolledBackAt", \
		"When hosts were rolled back to the served version. No sample: they were not.") \
	ROW(filter, gauge, "bloom_filter_created_timestamp", "seconds", value, "created", \
		"When a live filter was created.") \
	ROW(filter, gauge, "bloom_filter_expires_timestamp", "seconds", value, "expiresAt", \
		"When a live filter with a time to live ends.") \
	ROW(filter, gauge, "bloom_filter_last_sync_timestamp", "seconds", ago, \
		"syncedSecondsAgo", "When a sync last succeeded.") \
	ROW(filter, gauge, "bloom_filter_last_error_timestamp", "seconds", value, \
		"lastErrorAt", "When a sync last failed, or found damage.") \
	ROW(filter, gauge, "bloom_filter_verified_timestamp", "seconds", value, "verifiedAt", \
		"When the served file was last verified completely.") \
	ROW(filter, counter, "bloom_filter_loads", "", value, "loads", \
		"Versions that were loaded.") \
	ROW(filter, counter, "bloom_filter_load", "seconds", value, "counters.loadSeconds", \
		"Time spent loading, including the fetches.") \
	ROW(filter, gauge, "bloom_filter_last_load", "seconds", value, \
		"counters.lastLoadSeconds", "How long the last load took.") \
	ROW(filter, counter, "bloom_filter_switch", "seconds", value, "counters.switchSeconds", \
		"Time for which loads held the lock of the filter. Lookups never wait for it.") \
	ROW(filter, gauge, "bloom_filter_last_switch", "seconds", value, \
		"counters.lastSwitchSeconds", \
		"How long the last load held the lock of the filter.") \
	ROW(filter, counter, "bloom_filter_lookups", "", value, "counters.lookups", \
		"Keys that were looked up.") \
	ROW(filter, counter, "bloom_filter_lookups_absent", "", value, "counters.absent", \
		"Lookups with the answer definitely not, each of which saved a query.") \
	ROW(filter, counter, "bloom_filter_lookups_maybe", "", value, "counters.maybes", \
		"Lookups with the answer maybe.") \
	ROW(filter, counter, "bloom_filter_candidates_confirmed", "", value, \
		"counters.confirmed", \
		"Candidates that the application looked up in its database, according to " \
		"confirm().") \
	ROW(filter, counter, "bloom_filter_candidates_found", "", value, "counters.found", \
		"Candidates that the application found there.") \
	ROW(filter, counter, "bloom_filter_absent_checked", "", value, "counters.checked", \
		"Lookups with the answer definitely not that the application checked in its " \
		"database, according to confirm().") \
	ROW(filter, counter, "bloom_filter_absent_denied", "", value, "counters.denied", \
		"Keys that it found there, although lookups denied them.") \
	ROW(filter, gauge, "bloom_filter_counted_since_timestamp", "seconds", value, \
		"counters.since", "When the counters began at 0.") \
	ROW(filter, counter, "bloom_filter_syncs", "", value, "syncs", \
		"Syncs that reached the store and succeeded.") \
	ROW(filter, counter, "bloom_filter_sync_failures", "", value, "syncFailures", \
		"Syncs that failed.") \
	ROW(filter, gauge, "bloom_filter_sync_failures_in_row", "", value, "syncFailuresInRow", \
		"Syncs that failed since the last success.") \
	ROW(filter, counter, "bloom_filter_load_failures", "", value, "loadFailures", \
		"Attempts to load the published version that failed.") \
	ROW(filter, gauge, "bloom_filter_load_failures_in_row", "", value, "loadFailuresInRow", \
		"Attempts to load the published version that failed since the last success.") \
	ROW(filter, counter, "bloom_filter_failures", "", value, "counters.failures", \
		"Failed loads, syncs, verifications and store calls, by status.") \
	ROW(filter, counter, "bloom_filter_fetched", "bytes", value, "counters.bytesFetched", \
		"Bytes of chunks that were fetched from the store.") \
	ROW(filter, counter, "bloom_filter_saved", "bytes", value, "counters.bytesSaved", \
		"Bytes of chunks that syncs did not fetch, because the host had them.") \
	ROW(filter, counter, "bloom_filter_damages", "", value, "damages", \
		"Damaged shards or chunks that syncs found.") \
	ROW(filter, counter, "bloom_filter_growth_failures", "", value, "growthFailures", \
		"Attempts to add a layer to a scalable filter that failed.") \
	ROW(filter, gauge, "bloom_filter_journal_complete", "", value, "journal.isComplete", \
		"1: lookups trust the keys of the journal. 0: every lookup answers maybe.") \
	ROW(filter, gauge, "bloom_filter_journal_lag", "seconds", value, "journal.lag", \
		"Time since this host last had all keys of the journal.") \
	ROW(filter, gauge, "bloom_filter_journal_max_lag", "seconds", value, "journal.maxLag", \
		"The lag from which on every lookup answers maybe. 0: never.") \
	ROW(filter, gauge, "bloom_filter_journal_records_lost", "", value, "journal.recordsLost", \
		"1: the store has lost journal records since the build.") \
	ROW(filter, gauge, "bloom_filter_journal_records", "", value, "journal.records", \
		"Records of the journal since the build.") \
	ROW(filter, gauge, "bloom_filter_journal_keys", "", value, "journal.keys", \
		"Keys of the journal since the build.") \
	ROW(filter, gauge, "bloom_filter_journal_size", "bytes", value, "journal.bytes", \
		"The size of the filter with the keys of the journal.") \
	ROW(filter, gauge, "bloom_filter_journal_requested_false_positive", "ratio", value, \
		"journal.falsePositiveRate", \
		"The requested false-positive rate of the keys of the journal.") \
	ROW(filter, gauge, "bloom_filter_journal_measured_false_positive", "ratio", value, \
		"journal.measuredFalsePositiveRate", \
		"The false-positive rate of the keys of the journal.") \
	ROW(filter, gauge, "bloom_filter_ondemand_memory", "bytes", value, "memory", \
		"Bytes that an on-demand filter occupies.") \
	ROW(filter, gauge, "bloom_filter_ondemand_chunks", "", value, "chunksHere", \
		"Resident chunks of an on-demand filter.") \
	ROW(filter, gauge, "bloom_filter_ondemand_capacity_chunks", "", value, "chunksRoom", \
		"Chunks that fit into its memory.") \
	ROW(filter, counter, "bloom_filter_ondemand_misses", "", value, "misses", \
		"Keys that were looked up while their chunk was not resident.") \
	ROW(filter, counter, "bloom_filter_ondemand_misses_maybe", "", value, "untold", \
		"Misses with the answer maybe, because the chunk could not be fetched.") \
	ROW(filter, counter, "bloom_filter_ondemand_fetched_chunks", "", value, "fetched", \
		"Chunks that lookups fetched from the store.") \
	ROW(filter, counter, "bloom_filter_ondemand_evicted_chunks", "", value, "evicted", \
		"Chunks that were evicted to make room.") \
	ROW(filter, counter, "bloom_filter_ondemand_fetch_failures", "", value, \
		"fetchFailures", "Fetches that failed.") \
	ROW(filter, gauge, "bloom_filter_ondemand_fetch_failures_in_row", "", value, \
		"fetchFailuresInRow", "Fetches that failed since the last success.") \
	ROW(segment, gauge, "bloom_segment_used", "bytes", value, "usedBytes", \
		"The size of the files of all filters.") \
	ROW(segment, gauge, "bloom_segment_memory_limit", "bytes", value, "memoryLimit", \
		"The setting bloom.memory_limit, if there is a limit.") \
	ROW(segment, gauge, "bloom_segment_free", "bytes", value, "freeBytes", \
		"Free bytes of the file system, if its size is limited.") \
	ROW(segment, gauge, "bloom_extension_info", "", labels, "version php", \
		"1. The labels are the versions of the extension and of PHP.")
/* clang-format on */

#endif

#include "segment/counters.h"

#include "filter/atomic.h"

enum { COUNT_BITS = 40 };

#define COUNT_MASK ((UINT64_C(1) << COUNT_BITS) - 1)

/* Adds to a word of the current minute, or replaces the word of an earlier minute. */
static void add_to_minute(uint64_t *word, uint64_t minute, uint64_t more)
{
	uint64_t tag = minute << COUNT_BITS, before, count;

	do {
		before = bloom_load_relaxed(word);
		count = (before & ~COUNT_MASK) == tag ? before & COUNT_MASK : 0;
		count = more < COUNT_MASK - count ? count + more : COUNT_MASK;
	} while (!bloom_compare_swap(word, before, tag | count));
}

void bloom_counters_add(bloom_counters *counters, bloom_tally *tally, uint64_t now_ms)
{
	uint64_t absent = tally->lookups - tally->maybes, minute;
	bloom_activity_row *row;

	if (tally->lookups != 0) {
		minute = now_ms / BLOOM_MINUTE_MS;
		row = &counters->activity[minute % BLOOM_ACTIVITY_ROWS];
		(void)bloom_add(&counters->lookups, tally->lookups);
		(void)bloom_add(&counters->absent, absent);
		add_to_minute(&row->lookups, minute, tally->lookups);
		add_to_minute(&row->absent, minute, absent);
	}
	if (tally->confirmed != 0) {
		(void)bloom_add(&counters->confirmed, tally->confirmed);
		(void)bloom_add(&counters->found, tally->found);
	}
	if (tally->checked != 0) {
		(void)bloom_add(&counters->checked, tally->checked);
	}
	if (tally->denied != 0) {
		(void)bloom_add(&counters->denied, tally->denied);
		bloom_store_relaxed(&counters->denied_ms, now_ms);
	}
	*tally = (bloom_tally){0};
}

void bloom_counters_loaded(
	bloom_counters *counters, const bloom_load_record *load, uint64_t saved_bytes)
{
	bloom_load_record *row = &counters->history[load->generation % BLOOM_HISTORY_ROWS];

	(void)bloom_add(&counters->fetched_bytes, load->fetched_bytes);
	(void)bloom_add(&counters->saved_bytes, saved_bytes);
	(void)bloom_add(&counters->load_us, load->load_us);
	(void)bloom_add(&counters->switch_us, load->switch_us);
	bloom_store_relaxed(&counters->last_load_us, load->load_us);
	bloom_store_relaxed(&counters->last_switch_us, load->switch_us);
	/* A reader that sees the generation also sees the words that belong to it. */
	bloom_store_release(&row->generation, 0);
	bloom_fence();
	bloom_store_relaxed(&row->loaded_ms, load->loaded_ms);
	bloom_store_relaxed(&row->built_ms, load->built_ms);
	bloom_store_relaxed(&row->keys, load->keys);
	bloom_store_relaxed(&row->bytes, load->bytes);
	bloom_store_relaxed(&row->load_us, load->load_us);
	bloom_store_relaxed(&row->switch_us, load->switch_us);
	bloom_store_relaxed(&row->fetched_bytes, load->fetched_bytes);
	bloom_store_release(&row->generation, load->generation);
}

void bloom_counters_failed(bloom_counters *counters, bloom_status status)
{
	bloom_increment(&counters->failures[status]);
}

bool bloom_counters_load_of(
	const bloom_counters *counters, uint64_t generation, bloom_load_record *load)
{
	const bloom_load_record *row = &counters->history[generation % BLOOM_HISTORY_ROWS];

	if (generation == 0 || bloom_load_acquire(&row->generation) != generation) {
		return false;
	}
	*load = (bloom_load_record){
		.generation = generation,
		.loaded_ms = bloom_load_relaxed(&row->loaded_ms),
		.built_ms = bloom_load_relaxed(&row->built_ms),
		.keys = bloom_load_relaxed(&row->keys),
		.bytes = bloom_load_relaxed(&row->bytes),
		.load_us = bloom_load_relaxed(&row->load_us),
		.switch_us = bloom_load_relaxed(&row->switch_us),
		.fetched_bytes = bloom_load_relaxed(&row->fetched_bytes),
	};
	bloom_fence();
	return bloom_load_relaxed(&row->generation) == generation;
}

/* Reads a word of a minute. Returns 0 if it belongs to another minute. */
static uint64_t count_of_minute(const uint64_t *word, uint64_t minute)
{
	uint64_t value = bloom_load_relaxed(word);

	return (value & ~COUNT_MASK) == minute << COUNT_BITS ? value & COUNT_MASK : 0;
}

bool bloom_counters_minute(
	const bloom_counters *counters, uint64_t minute, uint64_t *lookups, uint64_t *absent)
{
	const bloom_activity_row *row = &counters->activity[minute % BLOOM_ACTIVITY_ROWS];

	*lookups = count_of_minute(&row->lookups, minute);
	*absent = count_of_minute(&row->absent, minute);
	/* Another process may be between its two additions. */
	*absent = *absent < *lookups ? *absent : *lookups;
	return *lookups != 0;
}

double bloom_counters_observed_rate(const bloom_counters *counters)
{
	double lookups = (double)bloom_load_relaxed(&counters->lookups);
	double absent = (double)bloom_load_relaxed(&counters->absent);
	double confirmed = (double)bloom_load_relaxed(&counters->confirmed);
	double found = (double)bloom_load_relaxed(&counters->found);
	double wrong;

	if (confirmed <= 0) {
		return -1;
	}
	absent = absent < lookups ? absent : lookups;
	found = found < confirmed ? found : confirmed;
	wrong = (lookups - absent) * (confirmed - found) / confirmed;
	return wrong + absent > 0 ? wrong / (wrong + absent) : 0;
}

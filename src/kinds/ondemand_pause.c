/* Pauses between an on-demand filter's calls to a store that has failed (ondemand.h). Each further
 * failure lengthens the pause, up to a maximum. */
#include "kinds/ondemand.h"

#include "os/clock.h"

uint64_t bloom_cache_pause_ms(const bloom_cache *cache, uint64_t now_ms)
{
	return bloom_clock_remaining_ms(
		now_ms, bloom_load_relaxed(&cache->head->retry_at_ms), BLOOM_FETCH_PAUSE_MS_MAX);
}

bool bloom_cache_may_ask(bloom_cache *cache, uint64_t now_ms, uint64_t *attempt)
{
	uint64_t retry = bloom_load_relaxed(&cache->head->retry_at_ms);

	if (bloom_clock_remaining_ms(now_ms, retry, BLOOM_FETCH_PAUSE_MS_MAX) > 0) {
		return false;
	}
	*attempt = retry != 0 ? now_ms + BLOOM_CLAIM_MS : 0;
	return retry == 0 || bloom_compare_swap(&cache->head->retry_at_ms, retry, *attempt);
}

/* Starts a pause, unless a failure in another process has already started one. */
static void begin_pause(bloom_cache *cache, uint64_t now_ms, uint64_t attempt)
{
	enum { DOUBLINGS_MAX = 5 };
	uint64_t retry = bloom_load_relaxed(&cache->head->retry_at_ms);
	uint64_t before = bloom_load_relaxed(&cache->head->failures_in_row);
	uint64_t pause = (uint64_t)BLOOM_FETCH_PAUSE_MS_MIN
		<< (before < DOUBLINGS_MAX ? before : DOUBLINGS_MAX);

	if (pause > BLOOM_FETCH_PAUSE_MS_MAX) {
		pause = BLOOM_FETCH_PAUSE_MS_MAX;
	}
	if ((retry == attempt ||
		    bloom_clock_remaining_ms(now_ms, retry, BLOOM_FETCH_PAUSE_MS_MAX) == 0) &&
		bloom_compare_swap(&cache->head->retry_at_ms, retry, now_ms + pause)) {
		bloom_increment(&cache->head->failures_in_row);
	}
}

/* Writes only if the value changes, because a write invalidates the cache line in all other
 * processors. */
static void reset(uint64_t *word)
{
	if (bloom_load_relaxed(word) != 0) {
		bloom_store_relaxed(word, 0);
	}
}

void bloom_cache_answered(
	bloom_cache *cache, uint64_t got, uint64_t lacking, uint64_t now_ms, uint64_t attempt)
{
	bloom_cache_head *head = cache->head;

	if (lacking > 0) {
		(void)bloom_add(&head->fetch_failures, lacking);
	}
	if (got > 0) {
		reset(&head->failures_in_row);
		reset(&head->lacking_in_row);
		reset(&head->retry_at_ms);
	} else if (lacking > 0 &&
		bloom_add(&head->lacking_in_row, lacking) + lacking >= BLOOM_LACKING_MAX) {
		begin_pause(cache, now_ms, attempt);
	} else if (attempt != 0) {
		(void)bloom_compare_swap(&head->retry_at_ms, attempt, 0);
	}
}

void bloom_cache_failed(bloom_cache *cache, uint64_t now_ms, uint64_t attempt)
{
	bloom_increment(&cache->head->fetch_failures);
	begin_pause(cache, now_ms, attempt);
}

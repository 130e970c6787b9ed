/* Tests of fetching chunks of on-demand filters: wrong bytes are refused and evict nothing, a claim
 * on a chunk belongs to one process until it expires, and a failing store gets a pause. */
#include "caches.h"

#include <signal.h>

#define FETCHING (UINT64_C(1) << 62)

/* ---- wrong bytes ---- */

static void wrong_bytes_are_refused_and_evict_nothing(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t random = test_seed("wrong bytes");
	whole it = whole_of(2 * CHUNK_BYTES, 0);
	unsigned char bytes[2 * CHUNK_BYTES];
	bloom_attachment attachment;
	uint64_t chunk, length;

	(void)state;
	make_cache(&segment, &it, 3, &attachment);
	for (chunk = 0; chunk < 3; chunk++) {
		assert_ok(put(&attachment, &it, chunk));
	}
	for (chunk = 3; chunk < it.head.chunks; chunk++) {
		length = bloom_head_chunk_length(&it.head, chunk);
		memcpy(bytes, chunk_of(&it, chunk), length);
		bytes[random_below(&random, length)] ^=
			(unsigned char)(1u << random_below(&random, 8));
		assert_status(BLOOM_E_CHUNK_DIGEST, put_bytes(&attachment, chunk, bytes));
		assert_status(
			BLOOM_E_CHUNK_DIGEST, put_bytes(&attachment, chunk, chunk_of(&it, 0)));
		assert_false(bloom_cache_has(attachment.cache, chunk));
	}
	assert_int_equal(3, bloom_cache_resident(attachment.cache));
	assert_int_equal(0, attachment.cache->head->evicted);
	assert_all_right(attachment.cache, &it);
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

/* A published head may contain shard rows that do not match the chunks. A chunk with a wrong row is
 * not served and evicts no other chunk. */
static void shards_that_do_not_fit_their_rows_are_not_served_and_evict_nothing(void **state)
{
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	unsigned char *row;

	(void)state;
	make_cache(&segment, &it, 2, &attachment);
	assert_ok(put(&attachment, &it, 0));
	assert_ok(put(&attachment, &it, 1));
	row = (unsigned char *)attachment.cache->head + 4096 + 512 + 16 * 5;
	row[8] ^= 1;
	assert_status(BLOOM_E_SHARD_CHECKSUM, put(&attachment, &it, 5));
	row[8] ^= 1;
	row[4] ^= 1;
	assert_status(BLOOM_E_SHARD_BITS, put(&attachment, &it, 5));
	row[4] ^= 1;
	assert_false(bloom_cache_has(attachment.cache, 5));
	assert_int_equal(2, bloom_cache_resident(attachment.cache));
	assert_int_equal(0, attachment.cache->head->evicted);
	assert_heals(&attachment, &it);
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

/* A lookup reads an entry twice. If both values are equal, the slot's bytes must be the same, so an
 * entry value must never be used again. */
static void no_entry_is_stored_twice(void **state)
{
	enum { FILLINGS = 500 };
	static uint64_t words[FILLINGS];
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	unsigned char *row;
	int i, j;

	(void)state;
	make_cache(&segment, &it, 1, &attachment);
	row = (unsigned char *)attachment.cache->head + 4096 + 512 + 16 * 2;
	for (i = 0; i < FILLINGS; i++) {
		assert_ok(put(&attachment, &it, 1));
		words[i] = attachment.cache->entries[1];
		for (j = 0; j < i; j++) {
			assert_true(words[j] != words[i]);
		}
		if (i % 3 == 0) {
			/* Simulates a process that was killed after filling the slot and before
			 * counting the fetched chunk. */
			attachment.cache->head->fetched--;
		}
		row[8] ^= i % 2; /* in odd rounds chunk 2 is refused, so chunk 3 takes the slot */
		assert_int_equal(i % 2 == 0, put(&attachment, &it, 2) == BLOOM_OK);
		row[8] ^= i % 2;
		assert_ok(put(&attachment, &it, 2 + (uint64_t)i % 2));
		assert_false(bloom_cache_has(attachment.cache, 1));
	}
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

/* ---- claims and pauses ---- */

static void a_claim_is_one_process_s_until_it_ends(void **state)
{
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	bloom_cache *cache;
	uint64_t mine, theirs;

	(void)state;
	make_cache(&segment, &it, 2, &attachment);
	cache = attachment.cache;
	mine = bloom_cache_claim(cache, 3, NOW);
	assert_true(mine != 0);
	assert_int_equal(0, bloom_cache_claim(cache, 3, NOW));
	assert_int_equal(0, bloom_cache_claim(cache, 3, NOW + BLOOM_CLAIM_MS - 1));
	/* Simulate a process that reads the clock earlier and claims later. */
	assert_int_equal(0, bloom_cache_claim(cache, 3, NOW - 1));
	assert_int_equal(0, bloom_cache_claim(cache, 3, NOW - 3000));
	assert_true(bloom_cache_claim(cache, 4, NOW) != 0);
	assert_false(bloom_cache_has(cache, 3));
	/* After a claim has expired and another process has claimed the chunk, the former holder
	 * cannot release the new claim. */
	theirs = bloom_cache_claim(cache, 3, NOW + BLOOM_CLAIM_MS);
	assert_true(theirs != 0);
	bloom_cache_unclaim(cache, 3, mine);
	assert_int_equal(0, bloom_cache_claim(cache, 3, NOW + BLOOM_CLAIM_MS));
	bloom_cache_unclaim(cache, 3, theirs);
	mine = bloom_cache_claim(cache, 3, NOW + BLOOM_CLAIM_MS);
	assert_true(mine != 0);
	/* A resident chunk cannot be claimed, and releasing an old claim does not remove the
	 * chunk. */
	assert_ok(put(&attachment, &it, 3));
	bloom_cache_unclaim(cache, 3, mine);
	assert_true(bloom_cache_has(cache, 3));
	assert_int_equal(0, bloom_cache_claim(cache, 3, NOW + 10 * BLOOM_CLAIM_MS));
	/* A claim from another boot, whose clock was far ahead, does not block new claims. */
	cache->entries[7] = FETCHING | (NOW + UINT64_C(100000000));
	assert_true(bloom_cache_claim(cache, 7, NOW) != 0);
	cache->entries[7] = FETCHING | (FETCHING - 1);
	assert_true(bloom_cache_claim(cache, 7, NOW) != 0);
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

static int claim_and_die(void *context)
{
	bloom_attachment *attachment = context;

	(void)bloom_cache_claim(attachment->cache, 3, NOW);
	return raise(SIGKILL);
}

static void a_claim_outlives_its_process_only_for_a_while(void **state)
{
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;

	(void)state;
	make_cache(&segment, &it, 2, &attachment);
	assert_int_equal(1000 + SIGKILL, run_child(claim_and_die, &attachment));
	assert_int_equal(0, bloom_cache_claim(attachment.cache, 3, NOW + BLOOM_CLAIM_MS - 1));
	assert_true(bloom_cache_claim(attachment.cache, 3, NOW + BLOOM_CLAIM_MS) != 0);
	assert_ok(put(&attachment, &it, 3));
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

static void a_store_that_fails_is_left_alone_longer_and_longer(void **state)
{
	static const uint64_t pauses[] = {1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000};
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0);
	uint64_t now = NOW, turn = 1, other;
	bloom_attachment attachment;
	bloom_cache *cache;
	size_t i, j;

	(void)state;
	make_cache(&segment, &it, 2, &attachment);
	cache = attachment.cache;
	assert_int_equal(0, bloom_cache_pause_ms(cache, now));
	for (i = 0; i < sizeof pauses / sizeof *pauses; i++) {
		assert_true(bloom_cache_may_ask(cache, now, &turn));
		if (i > 0) {
			/* After a pause one process tries, and the other processes wait for the
			 * result. */
			assert_false(bloom_cache_may_ask(cache, now, &other));
		}
		bloom_cache_failed(cache, now, turn);
		/* Simulate nine more requests that were in progress when the pause began. */
		for (j = 0; j < 9; j++) {
			bloom_cache_failed(cache, now + j, 0);
		}
		assert_int_equal(pauses[i], bloom_cache_pause_ms(cache, now));
		assert_false(bloom_cache_may_ask(cache, now + pauses[i] - 1, &other));
		assert_false(bloom_cache_may_ask(cache, now - 5, &other));
		now += pauses[i];
		assert_int_equal(0, bloom_cache_pause_ms(cache, now));
	}
	assert_int_equal(10 * (sizeof pauses / sizeof *pauses), cache->head->fetch_failures);
	/* If the process that tries is killed, another process may try after BLOOM_CLAIM_MS. */
	assert_true(bloom_cache_may_ask(cache, now, &turn));
	assert_false(bloom_cache_may_ask(cache, now + BLOOM_CLAIM_MS - 1, &other));
	assert_true(bloom_cache_may_ask(cache, now + BLOOM_CLAIM_MS, &turn));
	/* After an answer of the store, every process may ask again, and the next pause has the
	 * shortest length. */
	bloom_cache_answered(cache, 1, 0, now, turn);
	assert_true(bloom_cache_may_ask(cache, now, &turn));
	assert_true(bloom_cache_may_ask(cache, now, &turn));
	bloom_cache_failed(cache, now, turn);
	assert_int_equal(1000, bloom_cache_pause_ms(cache, now));
	/* A pause that was stored in another boot is ignored. */
	cache->head->retry_at_ms = now + UINT64_C(1000000000);
	assert_int_equal(0, bloom_cache_pause_ms(cache, now));
	assert_true(bloom_cache_may_ask(cache, now, &turn));
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

static void a_store_that_lacks_chunk_after_chunk_fails(void **state)
{
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	bloom_cache *cache;
	uint64_t turn;
	int i;

	(void)state;
	make_cache(&segment, &it, 2, &attachment);
	cache = attachment.cache;
	for (i = 0; i < 100; i++) { /* every fourth call gets a chunk */
		assert_true(bloom_cache_may_ask(cache, NOW, &turn));
		bloom_cache_answered(cache, i % 4 == 0, 1, NOW, turn);
	}
	assert_int_equal(100, cache->head->fetch_failures);
	assert_int_equal(0, bloom_cache_pause_ms(cache, NOW));
	bloom_cache_answered(cache, 1, 0, NOW, 0);
	for (i = 1; i < BLOOM_LACKING_MAX; i++) {
		bloom_cache_answered(cache, 0, 1, NOW, 0);
		assert_int_equal(0, bloom_cache_pause_ms(cache, NOW));
	}
	bloom_cache_answered(cache, 0, 1, NOW, 0);
	assert_int_equal(1000, bloom_cache_pause_ms(cache, NOW));
	assert_true(bloom_cache_may_ask(cache, NOW + 1000, &turn));
	bloom_cache_answered(cache, 0, 1, NOW + 1000, turn);
	assert_int_equal(2000, bloom_cache_pause_ms(cache, NOW + 1000));
	assert_true(bloom_cache_may_ask(cache, NOW + 3000, &turn));
	bloom_cache_answered(cache, 1, 0, NOW + 3000, turn);
	assert_int_equal(0, bloom_cache_pause_ms(cache, NOW + 3000));
	/* One call for BLOOM_LACKING_MAX chunks, none of which the store has. */
	bloom_cache_answered(cache, 0, BLOOM_LACKING_MAX, NOW, 0);
	assert_int_equal(1000, bloom_cache_pause_ms(cache, NOW));
	/* If a process gets its turn but other processes have already fetched the chunks, its
	 * answer has no chunks. All processes may then ask again. */
	assert_true(bloom_cache_may_ask(cache, NOW + 1000, &turn));
	bloom_cache_answered(cache, 0, 0, NOW + 1000, turn);
	assert_int_equal(0, bloom_cache_pause_ms(cache, NOW + 1000));
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: head-contradicts */
		TEST_IN_SCRATCH("a chunk with wrong bytes is refused and evicts no other chunk",
			wrong_bytes_are_refused_and_evict_nothing),
		/* fault: head-contradicts */
		TEST_IN_SCRATCH("a chunk whose shards contradict their rows is refused and evicts "
				"no other chunk",
			shards_that_do_not_fit_their_rows_are_not_served_and_evict_nothing),
		/* fault: chunk-twice */
		TEST_IN_SCRATCH("no two fillings of a slot store the same entry value",
			no_entry_is_stored_twice),
		TEST_IN_SCRATCH("a claim on a chunk belongs to one process until it expires",
			a_claim_is_one_process_s_until_it_ends),
		/* fault: reader-killed */
		TEST_IN_SCRATCH("the claim of a dead process expires",
			a_claim_outlives_its_process_only_for_a_while),
		TEST_IN_SCRATCH("each failure of a store lengthens the pause, after which one "
				"process tries again",
			a_store_that_fails_is_left_alone_longer_and_longer),
		TEST_IN_SCRATCH("a store that lacks many chunks in a row counts as failing",
			a_store_that_lacks_chunk_after_chunk_fails),
	};

	return cmocka_run_group_tests_name("fetch", tests, NULL, NULL);
}

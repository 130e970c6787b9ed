/* On-demand filters: a key whose chunk is not resident is "maybe" and never "no", whatever was
 * evicted, damaged, killed or replaced meanwhile. */
#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter/atomic.h"
#include "kinds/ondemand.h"
#include "segment/stage.h"

enum { KEYS = SANITIZED ? 12000 : 20000, CHUNK_BYTES = 1024, NOW = 1000000 };

#define RESIDENT (UINT64_C(1) << 63)
#define FETCHING (UINT64_C(1) << 62)

/* ---- blobs in many small chunks, and filters of them ---- */

typedef struct whole {
	test_blob blob;
	bloom_head head;
	bloom_view view;
} whole;

static whole whole_of(uint32_t chunk_bytes, uint64_t more_keys)
{
	bloom_params params = {.capacity_keys = KEYS, .rate = 0.01, .shard_bytes = CHUNK_BYTES};
	bloom_builder builder = {0};
	whole it = {0};
	uint64_t i;

	assert_ok(bloom_builder_init(&params, 7, chunk_bytes, &builder, &error));
	for (i = 0; i < KEYS; i++) {
		(void)builder_add_key(&builder, "in", i);
	}
	for (i = 0; i < more_keys; i++) {
		(void)builder_add_key(&builder, "more", i);
	}
	assert_ok(bloom_builder_finish(&builder, 1700000000000 + more_keys, 1, &error));
	it.blob.count = (size_t)builder.image_bytes;
	it.blob.bytes = malloc(it.blob.count);
	assert_non_null(it.blob.bytes);
	memcpy(it.blob.bytes, builder.image, it.blob.count);
	bloom_builder_free(&builder);
	assert_ok(bloom_blob_parse(it.blob.bytes, it.blob.count, &it.head, &error));
	it.view = bloom_view_of(&it.head.geometry, it.blob.bytes + it.head.head_bytes);
	return it;
}

static const unsigned char *chunk_of(const whole *it, uint64_t chunk)
{
	return it->blob.bytes + it->head.head_bytes + bloom_head_chunk_offset(&it->head, chunk);
}

/* The exact memory for a number of slots. */
static uint64_t memory_for(const bloom_head *head, uint64_t slots)
{
	uint64_t tables = 4096 + head->head_bytes + head->chunks * 8 + slots * 9;

	return (tables + 4095) / 4096 * 4096 + slots * head->meta.chunk_bytes;
}

static bloom_status stage_and_commit(
	const bloom_segment *segment, const whole *it, uint64_t memory, const bloom_cache *before)
{
	bloom_stage stage;
	uint64_t generation;
	bloom_status status = bloom_cache_stage(
		segment, "tags", memory, &it->head, it->blob.bytes, before, &stage, &error);

	return status == BLOOM_OK ? bloom_stage_commit(&stage, &generation, &error) : status;
}

static void make(
	const bloom_segment *segment, const whole *it, uint64_t slots, bloom_attachment *attachment)
{
	assert_ok(stage_and_commit(segment, it, memory_for(&it->head, slots), NULL));
	attach_to(segment, "tags", attachment);
	assert_int_equal(slots, attachment->cache->slot_count);
}

static bloom_status put_bytes(
	bloom_attachment *attachment, uint64_t chunk, const unsigned char *bytes)
{
	return bloom_cache_put(
		attachment->cache, attachment->segment, "tags", chunk, bytes, &error);
}

static bloom_status put(bloom_attachment *attachment, const whole *it, uint64_t chunk)
{
	return put_bytes(attachment, chunk, chunk_of(it, chunk));
}

static bloom_digest digest_of(const whole *it, const char *family, uint64_t i)
{
	return key_digest(it->head.geometry.seed, family, i);
}

/* An answer other than "not here" must equal the answer of the whole blob. */
static bool is_right(bloom_cache *cache, const whole *it, bloom_digest digest)
{
	bloom_answer answer = bloom_cache_test(cache, digest);

	return answer == BLOOM_NOT_HERE ||
		(answer == BLOOM_MAYBE) == bloom_view_test(&it->view, digest);
}

static void assert_all_right(bloom_cache *cache, const whole *it)
{
	uint64_t i;

	for (i = 0; i < KEYS; i++) {
		if (bloom_cache_test(cache, digest_of(it, "in", i)) == BLOOM_NO) {
			fail_msg("key %llu was answered no", (unsigned long long)i);
		}
		if (!is_right(cache, it, digest_of(it, "out", i))) {
			fail_msg("of key out-%llu", (unsigned long long)i);
		}
	}
}

/* No two chunks share a slot, and no more chunks are resident than there are slots. */
static void assert_tables_fit(const bloom_cache *cache)
{
	unsigned char *seen = calloc(1, (size_t)cache->slot_count);
	uint64_t chunk, slot;

	assert_non_null(seen);
	for (chunk = 0; chunk < cache->blob.chunks; chunk++) {
		if (bloom_cache_has(cache, chunk)) {
			slot = cache->entries[chunk] & UINT32_MAX;
			assert_true(slot < cache->slot_count);
			assert_int_equal(0, seen[slot]);
			seen[slot] = 1;
		}
	}
	free(seen);
	assert_true(bloom_cache_resident(cache) <= cache->slot_count);
}

/* Each chunk can be fetched, and lookups then use it: no entry is stuck. */
static void assert_heals(bloom_attachment *attachment, const whole *it)
{
	bloom_cache *cache = attachment->cache;
	bloom_segment impatient = *attachment->segment;
	uint64_t chunk, i;

	impatient.lock_timeout_ms = 0;
	for (chunk = 0; chunk < cache->blob.chunks; chunk++) {
		assert_ok(bloom_cache_put(
			cache, &impatient, "tags", chunk, chunk_of(it, chunk), &error));
		assert_true(bloom_cache_has(cache, chunk));
		for (i = chunk; i < KEYS; i += 997) {
			assert_true(is_right(cache, it, digest_of(it, "in", i)));
		}
	}
	assert_tables_fit(cache);
	assert_int_equal(cache->slot_count, bloom_cache_resident(cache));
}

/* ---- answers ---- */

static void what_is_here_is_answered_as_by_the_whole(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t random = test_seed("differential");
	whole it = whole_of(2 * CHUNK_BYTES, 0);
	uint64_t slots, i, j, chunk;
	bloom_attachment attachment;
	bloom_answer answer;
	bloom_digest digest;
	bloom_cache *cache;

	(void)state;
	assert_true(it.head.chunks > 3);
	for (slots = 1; slots <= it.head.chunks; slots += it.head.chunks / 3) {
		make(&segment, &it, slots, &attachment);
		cache = attachment.cache;
		assert_int_equal(0, bloom_cache_resident(cache));
		assert_all_right(cache, &it);
		for (i = 0; i < (SANITIZED ? 300 : 2000); i++) {
			chunk = random_below(&random, it.head.chunks);
			assert_ok(put(&attachment, &it, chunk));
			assert_true(bloom_cache_has(cache, chunk));
			for (j = 0; j < 50; j++) {
				digest = digest_of(&it, j % 2 == 0 ? "in" : "out",
					random_below(&random, KEYS));
				answer = bloom_cache_test(cache, digest);
				assert_true(is_right(cache, &it, digest));
				assert_int_equal(
					bloom_cache_has(cache, bloom_cache_chunk(cache, digest)),
					answer != BLOOM_NOT_HERE);
			}
		}
		assert_all_right(cache, &it);
		assert_tables_fit(cache);
		bloom_detach(&attachment);
		assert_ok(bloom_segment_drop(&segment, "tags", &(bool){false}, &error));
	}
	blob_free(&it.blob);
}

static void with_room_for_all_nothing_is_evicted(void **state)
{
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	uint64_t i;

	(void)state;
	/* The file does not exceed the size of all chunks, even if more memory is allowed. */
	assert_ok(stage_and_commit(&segment, &it, UINT64_C(1) << 40, NULL));
	attach_to(&segment, "tags", &attachment);
	assert_int_equal(it.head.chunks, attachment.cache->slot_count);
	assert_int_equal(memory_for(&it.head, it.head.chunks), attachment.cache->map_bytes);
	for (i = 0; i < it.head.chunks; i++) {
		assert_ok(put(&attachment, &it, i));
		assert_ok(put(&attachment, &it, i / 2)); /* is here already */
	}
	assert_int_equal(it.head.chunks, bloom_cache_resident(attachment.cache));
	assert_int_equal(0, attachment.cache->head->evicted);
	assert_int_equal(it.head.chunks, attachment.cache->head->fetched);
	for (i = 0; i < KEYS; i++) {
		assert_int_equal(
			BLOOM_MAYBE, bloom_cache_test(attachment.cache, digest_of(&it, "in", i)));
	}
	assert_all_right(attachment.cache, &it);
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

static void the_file_keeps_the_budget(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t random = test_seed("budget");
	whole it = whole_of(CHUNK_BYTES, 0);
	uint64_t least = bloom_cache_bytes_least(&it.head), memory;
	bloom_attachment attachment;
	int i;

	(void)state;
	assert_int_equal(memory_for(&it.head, 1), least);
	assert_status(BLOOM_E_BUDGET, stage_and_commit(&segment, &it, least - 1, NULL));
	assert_status(BLOOM_E_BUDGET, stage_and_commit(&segment, &it, 1, NULL));
	assert_true(count_entries(segment.path, "") <= 0);
	for (i = 0; i < 50; i++) {
		memory = i == 0 ? least : least + random_below(&random, it.blob.count);
		assert_ok(stage_and_commit(&segment, &it, memory, NULL));
		attach_to(&segment, "tags", &attachment);
		assert_true(attachment.cache->map_bytes <= memory);
		assert_true(attachment.cache->slot_count == it.head.chunks ||
			memory_for(&it.head, attachment.cache->slot_count + 1) > memory);
		assert_int_equal(memory, attachment.cache->head->memory_bytes);
		bloom_detach(&attachment);
	}
	blob_free(&it.blob);
}

static void a_reverse_index_is_refused(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_params params = {.capacity_keys = 1000, .rate = 0.01, .groups = 300, .fan_out = 64};
	bloom_builder builder = {0};
	whole it = {0};

	(void)state;
	assert_ok(bloom_builder_init(&params, 7, 0, &builder, &error));
	assert_ok(bloom_builder_finish(&builder, 1, 1, &error));
	it.blob.bytes = builder.image;
	assert_ok(bloom_blob_parse(builder.image, builder.image_bytes, &it.head, &error));
	assert_status(BLOOM_E_KIND, stage_and_commit(&segment, &it, 1 << 30, NULL));
	bloom_builder_free(&builder);
}

/* ---- bytes that are not the chunk's ---- */

static void wrong_bytes_are_refused_and_evict_nothing(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t random = test_seed("wrong bytes");
	whole it = whole_of(2 * CHUNK_BYTES, 0);
	unsigned char bytes[2 * CHUNK_BYTES];
	bloom_attachment attachment;
	uint64_t chunk, length;

	(void)state;
	make(&segment, &it, 3, &attachment);
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

/* A publisher's rows may contradict the digests of its chunks. Such a chunk is not served and
 * evicts no other. */
static void shards_that_do_not_fit_their_rows_are_not_served_and_evict_nothing(void **state)
{
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	unsigned char *row;

	(void)state;
	make(&segment, &it, 2, &attachment);
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

/* A lookup compares an entry with its earlier value, so the same word must never stand for other
 * bytes. */
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
	make(&segment, &it, 1, &attachment);
	row = (unsigned char *)attachment.cache->head + 4096 + 512 + 16 * 2;
	for (i = 0; i < FILLINGS; i++) {
		assert_ok(put(&attachment, &it, 1));
		words[i] = attachment.cache->entries[1];
		for (j = 0; j < i; j++) {
			assert_true(words[j] != words[i]);
		}
		if (i % 3 == 0) {
			/* Simulates a process that was killed after filling the slot and before
			 * counting it. */
			attachment.cache->head->fetched--;
		}
		row[8] ^= i % 2; /* a refused chunk, so that another one takes the slot */
		assert_int_equal(i % 2 == 0, put(&attachment, &it, 2) == BLOOM_OK);
		row[8] ^= i % 2;
		assert_ok(put(&attachment, &it, 2 + (uint64_t)i % 2));
		assert_false(bloom_cache_has(attachment.cache, 1));
	}
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

/* ---- claims, and the store's health ---- */

static void a_claim_is_one_process_s_until_it_ends(void **state)
{
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	bloom_cache *cache;
	uint64_t mine, theirs;

	(void)state;
	make(&segment, &it, 2, &attachment);
	cache = attachment.cache;
	mine = bloom_cache_claim(cache, 3, NOW);
	assert_true(mine != 0);
	assert_int_equal(0, bloom_cache_claim(cache, 3, NOW));
	assert_int_equal(0, bloom_cache_claim(cache, 3, NOW + BLOOM_CLAIM_MS - 1));
	/* A process that read the clock earlier, but claims later. */
	assert_int_equal(0, bloom_cache_claim(cache, 3, NOW - 1));
	assert_int_equal(0, bloom_cache_claim(cache, 3, NOW - 3000));
	assert_true(bloom_cache_claim(cache, 4, NOW) != 0);
	assert_false(bloom_cache_has(cache, 3));
	/* The claim expired and belongs to another process, so its former holder cannot release
	 * it. */
	theirs = bloom_cache_claim(cache, 3, NOW + BLOOM_CLAIM_MS);
	assert_true(theirs != 0);
	bloom_cache_unclaim(cache, 3, mine);
	assert_int_equal(0, bloom_cache_claim(cache, 3, NOW + BLOOM_CLAIM_MS));
	bloom_cache_unclaim(cache, 3, theirs);
	mine = bloom_cache_claim(cache, 3, NOW + BLOOM_CLAIM_MS);
	assert_true(mine != 0);
	/* A resident chunk needs no claim, and releasing one does not harm it. */
	assert_ok(put(&attachment, &it, 3));
	bloom_cache_unclaim(cache, 3, mine);
	assert_true(bloom_cache_has(cache, 3));
	assert_int_equal(0, bloom_cache_claim(cache, 3, NOW + 10 * BLOOM_CLAIM_MS));
	/* A claim from another boot, whose clock was far ahead. */
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
	make(&segment, &it, 2, &attachment);
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
	make(&segment, &it, 2, &attachment);
	cache = attachment.cache;
	assert_int_equal(0, bloom_cache_pause_ms(cache, now));
	for (i = 0; i < sizeof pauses / sizeof *pauses; i++) {
		assert_true(bloom_cache_may_ask(cache, now, &turn));
		if (i > 0) {
			/* The pause is over: one process tries, and the others wait for its
			 * result. */
			assert_false(bloom_cache_may_ask(cache, now, &other));
		}
		bloom_cache_failed(cache, now, turn);
		/* Nine more requests were in progress when the pause began. */
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
	/* The process that tries is killed. Another one may try when its claim would have
	 * expired. */
	assert_true(bloom_cache_may_ask(cache, now, &turn));
	assert_false(bloom_cache_may_ask(cache, now + BLOOM_CLAIM_MS - 1, &other));
	assert_true(bloom_cache_may_ask(cache, now + BLOOM_CLAIM_MS, &turn));
	/* The store answers: every process may ask again, and the next failure counts as a first
	 * one. */
	bloom_cache_answered(cache, 1, 0, now, turn);
	assert_true(bloom_cache_may_ask(cache, now, &turn));
	assert_true(bloom_cache_may_ask(cache, now, &turn));
	bloom_cache_failed(cache, now, turn);
	assert_int_equal(1000, bloom_cache_pause_ms(cache, now));
	/* A time from another boot. */
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
	make(&segment, &it, 2, &attachment);
	cache = attachment.cache;
	for (i = 0; i < 100; i++) { /* here and there one */
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
	/* The largest batch, without a valid chunk. */
	bloom_cache_answered(cache, 0, BLOOM_LACKING_MAX, NOW, 0);
	assert_int_equal(1000, bloom_cache_pause_ms(cache, NOW));
	/* Nothing was missing and nothing arrived, because other processes had fetched it. The
	 * turn is returned. */
	assert_true(bloom_cache_may_ask(cache, NOW + 1000, &turn));
	bloom_cache_answered(cache, 0, 0, NOW + 1000, turn);
	assert_int_equal(0, bloom_cache_pause_ms(cache, NOW + 1000));
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

/* ---- what stays ---- */

static uint64_t key_of_chunk(const bloom_cache *cache, const whole *it, uint64_t chunk)
{
	uint64_t i;

	for (i = 0; i < KEYS; i++) {
		if (bloom_cache_chunk(cache, digest_of(it, "in", i)) == chunk) {
			return i;
		}
	}
	fail();
	return 0;
}

static void chunks_that_are_used_stay(void **state)
{
	enum { SLOTS = 8, HOT = 4, ROUNDS = 2000 };
	bloom_segment segment = scratch_segment();
	uint64_t random = test_seed("clock");
	whole it = whole_of(CHUNK_BYTES, 0);
	uint64_t key[HOT], i, lost = 0;
	bloom_attachment attachment;
	bloom_cache *cache;
	int round;

	(void)state;
	assert_true(it.head.chunks > 2 * HOT);
	make(&segment, &it, SLOTS, &attachment);
	cache = attachment.cache;
	for (i = 0; i < HOT; i++) {
		key[i] = key_of_chunk(cache, &it, i);
	}
	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < HOT; i++) {
			/* Lookups use one half of them, and a batch announces the other half. */
			if (i % 2 == 0 ? bloom_cache_test(cache, digest_of(&it, "in", key[i])) ==
						BLOOM_NOT_HERE
				       : !bloom_cache_keep(cache, i)) {
				assert_ok(put(&attachment, &it, i));
				lost++;
			}
		}
		assert_ok(put(&attachment, &it, HOT + random_below(&random, it.head.chunks - HOT)));
	}
	/* With FIFO eviction, each of them would be lost every few rounds. */
	print_message("# of %d rounds with %d hot chunks, %d were lost\n", ROUNDS, HOT, (int)lost);
	assert_true(lost <= 3 * HOT);
	assert_true(cache->head->evicted > ROUNDS / 3);
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

/* Readers that set every mark again immediately cannot block an eviction. */
static void a_slot_is_found_though_all_are_marked(void **state)
{
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	uint64_t chunk;

	(void)state;
	make(&segment, &it, 3, &attachment);
	for (chunk = 0; chunk < it.head.chunks; chunk++) {
		memset(attachment.cache->marks, 0xFF, 3);
		assert_ok(put(&attachment, &it, chunk));
		assert_true(bloom_cache_has(attachment.cache, chunk));
	}
	assert_int_equal(3, bloom_cache_resident(attachment.cache));
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

/* ---- a new head ---- */

static uint64_t count_same(const whole *one, const whole *other)
{
	uint64_t chunk, same = 0;

	for (chunk = 0; chunk < one->head.chunks; chunk++) {
		same += memcmp(bloom_head_chunk(&one->head, chunk),
				bloom_head_chunk(&other->head, chunk), 16) == 0;
	}
	return same;
}

static void unchanged_chunks_are_taken_over(void **state)
{
	bloom_segment segment = scratch_segment();
	whole old = whole_of(CHUNK_BYTES, 0), new = whole_of(CHUNK_BYTES, 3);
	bloom_attachment before, after;
	uint64_t chunk, same = count_same(&old, &new);

	(void)state;
	assert_int_equal(old.head.chunks, new.head.chunks);
	assert_true(same < old.head.chunks && same >= old.head.chunks - 3);
	make(&segment, &old, old.head.chunks, &before);
	for (chunk = 0; chunk < old.head.chunks; chunk++) {
		assert_ok(put(&before, &old, chunk));
	}
	before.cache->head->misses = 11;
	before.cache->head->unavailable = 12;
	before.cache->head->evicted = 13;
	before.cache->head->fetch_failures = 14;
	bloom_cache_failed(before.cache, NOW, 0);
	assert_ok(stage_and_commit(
		&segment, &new, memory_for(&new.head, new.head.chunks), before.cache));
	attach_to(&segment, "tags", &after);
	assert_int_equal(same, bloom_cache_resident(after.cache));
	for (chunk = 0; chunk < new.head.chunks; chunk++) {
		assert_int_equal(memcmp(bloom_head_chunk(&old.head, chunk),
					 bloom_head_chunk(&new.head, chunk), 16) == 0,
			bloom_cache_has(after.cache, chunk));
	}
	assert_all_right(after.cache, &new);
	assert_int_equal(11, after.cache->head->misses);
	assert_int_equal(12, after.cache->head->unavailable);
	assert_int_equal(13, after.cache->head->evicted);
	assert_int_equal(15, after.cache->head->fetch_failures);
	assert_int_equal(old.head.chunks, after.cache->head->fetched);
	assert_int_equal(0, bloom_cache_pause_ms(after.cache, NOW));
	assert_true(before.cache->id != after.cache->id);
	assert_heals(&after, &new);
	assert_all_right(
		before.cache, &old); /* a reader that has the old file mapped still uses it */
	bloom_detach(&before);
	bloom_detach(&after);
	blob_free(&old.blob);
	blob_free(&new.blob);
}

static void of_those_that_fit_the_used_ones_are_taken_over(void **state)
{
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0), other = whole_of(2 * CHUNK_BYTES, 0);
	bloom_attachment before, after;
	uint64_t chunk;

	(void)state;
	make(&segment, &it, 8, &before);
	for (chunk = 0; chunk < 8; chunk++) {
		assert_ok(put(&before, &it, chunk));
	}
	memset(before.cache->marks, 0, 8);
	for (chunk = 4; chunk < 8; chunk++) {
		assert_true(bloom_cache_keep(before.cache, chunk));
	}
	/* Damages one of them. */
	before.cache->slots[(before.cache->entries[7] & 0xFF) * CHUNK_BYTES + 100] ^= 4;
	assert_ok(stage_and_commit(&segment, &it, memory_for(&it.head, 5), before.cache));
	attach_to(&segment, "tags", &after);
	assert_int_equal(5, bloom_cache_resident(after.cache));
	assert_true(bloom_cache_has(after.cache, 4) && bloom_cache_has(after.cache, 5) &&
		bloom_cache_has(after.cache, 6) && !bloom_cache_has(after.cache, 7) &&
		bloom_cache_has(after.cache, 0) && bloom_cache_has(after.cache, 1));
	assert_tables_fit(after.cache);
	/* The next chunk to be evicted is one that was not used. */
	assert_ok(put(&after, &it, 9));
	assert_true(!bloom_cache_has(after.cache, 0) || !bloom_cache_has(after.cache, 1));
	assert_all_right(after.cache, &it);
	bloom_detach(&before);
	/* Chunks of another size are different chunks. */
	assert_ok(stage_and_commit(&segment, &other, memory_for(&other.head, 5), after.cache));
	attach_to(&segment, "tags", &before);
	assert_int_equal(0, bloom_cache_resident(before.cache));
	bloom_detach(&before);
	bloom_detach(&after);
	blob_free(&it.blob);
	blob_free(&other.blob);
}

/* ---- fillers ---- */

typedef struct filling {
	bloom_attachment *attachment;
	const whole *it;
	uint64_t seed;
	uint64_t puts; /* 0: for ever */
	bool some_are_wrong;
	uint64_t *stop; /* shared */
} filling;

static int fill_at_random(void *context)
{
	filling *work = context;
	unsigned char bytes[CHUNK_BYTES];
	bloom_status status;
	uint64_t chunk, i;
	bool wrong;

	for (i = 0; work->puts == 0 || i < work->puts; i++) {
		chunk = random_below(&work->seed, work->it->head.chunks);
		memcpy(bytes, chunk_of(work->it, chunk), CHUNK_BYTES);
		wrong = work->some_are_wrong && random_below(&work->seed, 3) == 0;
		bytes[5] ^= wrong;
		status = put_bytes(work->attachment, chunk, bytes);
		/* If the chunk is already resident, the bytes are not checked. */
		if (status != (wrong ? BLOOM_E_CHUNK_DIGEST : BLOOM_OK) && status != BLOOM_E_BUSY) {
			return 1;
		}
	}
	return 0;
}

static void a_new_head_comes_while_others_fill_the_old(void **state)
{
	bloom_segment segment = scratch_segment();
	whole old = whole_of(CHUNK_BYTES, 0), new = whole_of(CHUNK_BYTES, 2);
	bloom_attachment before, after;
	filling work = {.attachment = &before, .it = &old, .seed = test_seed("take over")};
	uint64_t taken = 0;
	pid_t child;
	int round;

	(void)state;
	make(&segment, &old, 4, &before);
	child = start_child(fill_at_random, &work);
	/* The child opens the file for its lock before the file is replaced. */
	for (round = 0; round < 100000 && bloom_cache_resident(before.cache) == 0; round++) {
		pause_us(200);
	}
	/* This must work however often the child evicts a chunk that is being copied. */
	for (round = 0; round < 40 || (taken < 40 && round < 1000); round++) {
		pause_us(200);
		assert_ok(stage_and_commit(&segment, &new, memory_for(&new.head, 4), before.cache));
		attach_to(&segment, "tags", &after);
		taken += bloom_cache_resident(after.cache);
		assert_all_right(after.cache, &new);
		assert_tables_fit(after.cache);
		bloom_detach(&after);
	}
	assert_true(taken >= 40);
	kill(child, SIGKILL);
	assert_int_equal(1000 + SIGKILL, wait_child(child));
	bloom_detach(&before);
	blob_free(&old.blob);
	blob_free(&new.blob);
}

static int read_at_random(void *context)
{
	filling *work = context;
	uint64_t i, here = 0;
	bloom_answer answer;

	for (i = 0; bloom_load_relaxed(work->stop) == 0 || i < 1000; i++) {
		bloom_digest digest = digest_of(work->it, "in", random_below(&work->seed, KEYS));

		answer = bloom_cache_test(work->attachment->cache, digest);
		if (answer == BLOOM_NO) {
			return 1;
		}
		here += answer == BLOOM_MAYBE;
		if (!is_right(work->attachment->cache, work->it,
			    digest_of(work->it, "out", random_below(&work->seed, KEYS)))) {
			return 2;
		}
	}
	return here > 0 ? 0 : 3;
}

/* The exact check: every answer is right even while all slots are being refilled. */
static void no_reader_is_told_no_while_others_fill(void **state)
{
	enum { READERS = 3, FILLERS = 3 };
	bloom_segment segment = scratch_segment();
	uint64_t seed = test_seed("concurrent");
	whole it = whole_of(CHUNK_BYTES, 0);
	uint64_t *stop = shared_memory(sizeof *stop);
	bloom_attachment attachment;
	pid_t readers[READERS], fillers[FILLERS], doomed;
	filling work = {.attachment = &attachment, .it = &it, .stop = stop};
	int i, round;

	(void)state;
	make(&segment, &it, 3, &attachment);
	for (i = 0; i < READERS; i++) {
		work.seed = seed + (unsigned)i;
		readers[i] = start_child(read_at_random, &work);
	}
	work.puts = SANITIZED ? 4000 : 30000;
	for (i = 0; i < FILLERS; i++) {
		work.seed = seed + 100 + (unsigned)i;
		work.some_are_wrong = i == 0;
		fillers[i] = start_child(fill_at_random, &work);
	}
	work.puts = 0;
	for (round = 0; round < 30; round++) {
		work.seed = seed + 200 + (unsigned)round;
		doomed = start_child(fill_at_random, &work);
		pause_us(random_below(&seed, 5000));
		kill(doomed, SIGKILL);
		assert_int_equal(1000 + SIGKILL, wait_child(doomed));
	}
	for (i = 0; i < FILLERS; i++) {
		assert_int_equal(0, wait_child(fillers[i]));
	}
	bloom_store_relaxed(stop, 1);
	for (i = 0; i < READERS; i++) {
		assert_int_equal(0, wait_child(readers[i]));
	}
	assert_all_right(attachment.cache, &it);
	assert_tables_fit(attachment.cache);
	assert_heals(&attachment, &it);
	free_shared_memory(stop, sizeof *stop);
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

static void fillers_that_are_killed_at_any_time_leave_nothing(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t seed = test_seed("killed");
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	filling work = {.attachment = &attachment, .it = &it};
	pid_t child;
	int round;

	(void)state;
	make(&segment, &it, 5, &attachment);
	for (round = 0; round < (SANITIZED ? 20 : 100); round++) {
		work.seed = random_next(&seed);
		child = start_child(fill_at_random, &work);
		pause_us(random_below(&seed, 3000));
		kill(child, SIGKILL);
		assert_int_equal(1000 + SIGKILL, wait_child(child));
		assert_tables_fit(attachment.cache);
		if (round % 10 == 0) {
			assert_all_right(attachment.cache, &it);
			assert_heals(&attachment, &it);
		}
	}
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

static int put_traced(void *context)
{
	filling *work = context;
	bloom_status status;

	traced_begin();
	status = put(work->attachment, work->it, work->seed);
	traced_end();
	return status == BLOOM_OK ? 0 : 1;
}

/* The steps between two system calls are too short for random kills to hit them, so this test
 * single-steps. */
static void a_filler_may_be_killed_at_any_instruction(void **state)
{
	enum { SLOTS = 3 };
	bloom_segment segment = scratch_segment();
	uint64_t random = test_seed("instructions");
	whole it;
	bloom_attachment attachment;
	filling work = {.attachment = &attachment, .it = &it};
	uint64_t round, chunk;
	unsigned total = 0;
	pid_t child;

	(void)state;
	needs_tracing();
	it = whole_of(CHUNK_BYTES, 0);
	make(&segment, &it, SLOTS, &attachment);
	for (chunk = 0; chunk < SLOTS; chunk++) {
		assert_ok(put(&attachment, &it, chunk));
	}
	work.seed = SLOTS;
	child = start_traced(put_traced, &work);
	while (step_traced(child, 1)) {
		total++;
	}
	assert_int_equal(0, finish_traced(child));
	print_message("# a filling takes %u instructions\n", total);
	for (round = 0; round < (SANITIZED ? 15 : 60); round++) {
		do {
			work.seed = random_below(&random, it.head.chunks);
		} while (bloom_cache_has(attachment.cache, work.seed));
		child = start_traced(put_traced, &work);
		(void)step_traced(child, (unsigned)random_below(&random, total));
		kill_traced(child);
		assert_tables_fit(attachment.cache);
		assert_all_right(attachment.cache, &it);
		/* At most the slot that the killed process was filling is empty, and it is
		 * filled next. */
		assert_true(bloom_cache_resident(attachment.cache) >= SLOTS - 1);
		assert_ok(put(&attachment, &it, work.seed));
		assert_all_right(attachment.cache, &it);
	}
	assert_heals(&attachment, &it);
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

/* The same without kills: the test writes the state of the file after each step of a filling. */
static void each_step_of_a_filling_may_be_the_last(void **state)
{
	enum { SLOTS = 3, STEPS = 6 };
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	bloom_cache *cache;
	uint64_t slot;
	int step;

	(void)state;
	for (step = 0; step <= STEPS; step++) {
		make(&segment, &it, SLOTS, &attachment);
		cache = attachment.cache;
		assert_ok(put(&attachment, &it, 0));
		assert_ok(put(&attachment, &it, 1));
		assert_ok(put(&attachment, &it, 2));
		slot = cache->entries[1] & UINT32_MAX;
		/* Chunk 5 replaces chunk 1. */
		cache->entries[1] = step >= 1 ? 0 : cache->entries[1];
		cache->head->fillings += step >= 2;
		cache->owners[slot] = step >= 3 ? 0 : cache->owners[slot];
		if (step >= 4) {
			memcpy(cache->slots + slot * CHUNK_BYTES, chunk_of(&it, 5),
				step == 4 ? CHUNK_BYTES / 2 : CHUNK_BYTES);
		}
		if (step >= 5) {
			cache->marks[slot] = 1;
			cache->owners[slot] = 6;
		}
		if (step >= 6) {
			cache->entries[5] = RESIDENT | cache->head->fillings << 32 | slot;
		}
		assert_int_equal(step == 0 || step == 6 ? 3 : 2, bloom_cache_resident(cache));
		assert_int_equal(step == 0, bloom_cache_has(cache, 1));
		assert_int_equal(step == 6, bloom_cache_has(cache, 5));
		assert_all_right(cache, &it);
		/* Other processes find the slot that the killed one left. */
		assert_ok(put(&attachment, &it, 7));
		assert_int_equal(step == 0 || step == 6 ? 1 : 0, cache->head->evicted);
		assert_int_equal(3, bloom_cache_resident(cache));
		assert_all_right(cache, &it);
		assert_heals(&attachment, &it);
		bloom_detach(&attachment);
		assert_ok(bloom_segment_drop(&segment, "tags", &(bool){false}, &error));
	}
	blob_free(&it.blob);
}

/* ---- the lock ---- */

static int put_impatiently(void *context)
{
	filling *work = context;
	uint64_t start = bloom_monotonic_ms();
	bloom_status status = put(work->attachment, work->it, 3);

	return bloom_monotonic_ms() - start > 10000 ? 9 : (int)status;
}

/* The parent holds the lock. The child must not regard it as its own, and must not wait long for
 * it, because a lookup can do without. */
static void a_child_has_a_lock_of_its_own_and_waits_little_for_it(void **state)
{
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	filling work = {.attachment = &attachment, .it = &it};
	int file;

	(void)state;
	make(&segment, &it, 2, &attachment);
	assert_ok(bloom_filelock_take(
		&attachment.cache->lock, &segment, "tags", 0, 0, &file, &error));
	assert_int_equal(BLOOM_E_BUSY, run_child(put_impatiently, &work));
	assert_all_right(attachment.cache, &it);
	bloom_filelock_release(file, 0);
	assert_int_equal(BLOOM_OK, run_child(put_impatiently, &work));
	assert_true(bloom_cache_has(attachment.cache, 3));
	/* The file that the child would have to reopen was replaced or dropped. */
	assert_ok(bloom_segment_drop(&segment, "tags", &(bool){false}, &error));
	attachment.cache->entries[3] = 0;
	assert_int_equal(BLOOM_E_GONE, run_child(put_impatiently, &work));
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

/* ---- damage ---- */

static void damaged_tables_give_maybe_and_heal(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t random = test_seed("damage");
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	bloom_cache *cache;
	uint64_t *words, count, i, at;
	int round;

	(void)state;
	make(&segment, &it, 6, &attachment);
	cache = attachment.cache;
	for (round = 0; round < (SANITIZED ? 60 : 300); round++) {
		for (i = 0; i < 6; i++) {
			assert_ok(put(&attachment, &it, random_below(&random, it.head.chunks)));
		}
		words = cache->entries;
		count = it.head.chunks + 6; /* and the owners, which follow the entries */
		for (i = 0; i < 1 + (uint64_t)round % 20; i++) {
			at = random_below(&random, count);
			switch (random_below(&random, 5)) {
			case 0:
				words[at] = random_next(&random);
				break;
			case 1: /* another's entry or owner */
				words[at] = words[random_below(&random, count)];
				break;
			case 2:
				words[at] ^= UINT64_C(1) << random_below(&random, 64);
				break;
			case 3:
				words[at] = RESIDENT | random_below(&random, 8);
				break;
			default:
				cache->head->hand = random_next(&random);
				cache->head->misses = random_next(&random);
				cache->head->failures_in_row = random_next(&random);
				cache->head->retry_at_ms = random_next(&random);
				memset(cache->marks, (int)random_below(&random, 256), 6);
			}
		}
		assert_tables_fit(cache);
		for (i = 0; i < (SANITIZED ? 500 : 3000); i++) {
			assert_true(is_right(cache, &it,
				digest_of(&it, i % 2 == 0 ? "in" : "out",
					random_below(&random, KEYS))));
		}
		/* A missing chunk can be claimed, at the latest when a claim would have expired. */
		for (i = 0; i < it.head.chunks; i++) {
			assert_true(bloom_cache_has(cache, i) ||
				bloom_cache_claim(cache, i,
					UINT64_C(1) << 61 |
						random_below(&random, UINT64_C(1) << 60)) != 0);
		}
		if (round % 10 == 0) {
			assert_heals(&attachment, &it);
		}
	}
	assert_heals(&attachment, &it);
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

static void what_must_not_change_is_not_read_again(void **state)
{
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	uint64_t i;

	(void)state;
	make(&segment, &it, 2, &attachment);
	assert_ok(put(&attachment, &it, 0));
	attachment.cache->head->slots = UINT64_C(1) << 40;
	for (i = 0; i < it.head.chunks; i++) { /* slots far beyond the end of the file */
		attachment.cache->entries[i] = RESIDENT | UINT32_C(0x7FFFFFFF);
	}
	assert_all_right(attachment.cache, &it);
	assert_heals(&attachment, &it);
	attachment.cache->head->slots = 0;
	assert_heals(&attachment, &it);
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

static void a_file_that_does_not_fit_is_not_mapped(void **state)
{
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment, fresh;
	const char *path;
	uint64_t slots;

	(void)state;
	make(&segment, &it, 3, &attachment);
	path = in_segment(&segment, "tags/0000000000000001.bloom");
	slots = attachment.cache->head->slots;
	attachment.cache->head->slots = 0;
	assert_status(BLOOM_E_CACHE, bloom_attach(&segment, "tags", &fresh, &error));
	attachment.cache->head->slots = 4;
	assert_status(BLOOM_E_CACHE, bloom_attach(&segment, "tags", &fresh, &error));
	attachment.cache->head->slots = UINT64_MAX;
	assert_status(BLOOM_E_CACHE, bloom_attach(&segment, "tags", &fresh, &error));
	attachment.cache->head->slots = slots;
	attachment.cache->head->magic ^= 1;
	assert_status(BLOOM_E_CACHE, bloom_attach(&segment, "tags", &fresh, &error));
	attachment.cache->head->magic ^= 1;
	attachment.cache->head->layout++;
	assert_status(BLOOM_E_CACHE, bloom_attach(&segment, "tags", &fresh, &error));
	attachment.cache->head->layout--;
	((unsigned char *)attachment.cache->head)[4096 + 300] ^= 1;
	assert_status(BLOOM_E_HEAD_CHECKSUM, bloom_attach(&segment, "tags", &fresh, &error));
	((unsigned char *)attachment.cache->head)[4096 + 300] ^= 1;
	assert_ok(bloom_attach(&segment, "tags", &fresh, &error));
	bloom_detach(&fresh);
	bloom_detach(&attachment);
	assert_int_equal(0, truncate(path, (off_t)(memory_for(&it.head, 3) - 1)));
	assert_status(BLOOM_E_CACHE, bloom_attach(&segment, "tags", &fresh, &error));
	assert_int_equal(0, truncate(path, 4096 + 100));
	assert_status(BLOOM_E_CACHE, bloom_attach(&segment, "tags", &fresh, &error));
	assert_int_equal(0, truncate(path, 0));
	assert_status(BLOOM_E_CACHE, bloom_attach(&segment, "tags", &fresh, &error));
	assert_int_equal(0, count_maps());
	blob_free(&it.blob);
}

/* ---- nothing is left ---- */

static void attaching_and_detaching_leaves_nothing(void **state)
{
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	int files = count_open_files(), i;

	(void)state;
	for (i = 0; i < 10; i++) {
		make(&segment, &it, 2, &attachment);
		assert_ok(put(&attachment, &it, 1));
		assert_ok(
			stage_and_commit(&segment, &it, memory_for(&it.head, 2), attachment.cache));
		assert_int_equal(BLOOM_PRESENCE_OPS, bloom_attachment_check(&attachment));
		assert_true(bloom_cache_has(attachment.cache, 1));
		bloom_detach(&attachment);
	}
	assert_int_equal(files, count_open_files());
	assert_int_equal(0, count_maps());
	assert_int_equal(2, count_entries(in_segment(&segment, "tags"), ""));
	blob_free(&it.blob);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH("resident chunks answer like the whole blob, whatever is evicted",
			what_is_here_is_answered_as_by_the_whole),
		TEST_IN_SCRATCH("nothing is evicted if all chunks fit",
			with_room_for_all_nothing_is_evicted),
		TEST_IN_SCRATCH("the file keeps the budget", the_file_keeps_the_budget),
		TEST_IN_SCRATCH("a reverse index is refused", a_reverse_index_is_refused),
		TEST_IN_SCRATCH("wrong bytes are refused and evict nothing",
			wrong_bytes_are_refused_and_evict_nothing),
		TEST_IN_SCRATCH(
			"shards that contradict their rows are not served, and evict nothing",
			shards_that_do_not_fit_their_rows_are_not_served_and_evict_nothing),
		TEST_IN_SCRATCH("no entry is stored twice", no_entry_is_stored_twice),
		TEST_IN_SCRATCH("a claim belongs to one process until it expires",
			a_claim_is_one_process_s_until_it_ends),
		TEST_IN_SCRATCH("the claim of a dead process expires",
			a_claim_outlives_its_process_only_for_a_while),
		TEST_IN_SCRATCH("a failing store is left alone for longer and longer, and then "
				"tried by one process",
			a_store_that_fails_is_left_alone_longer_and_longer),
		TEST_IN_SCRATCH("a store that lacks many chunks in a row counts as failing",
			a_store_that_lacks_chunk_after_chunk_fails),
		TEST_IN_SCRATCH("chunks in use are not evicted", chunks_that_are_used_stay),
		TEST_IN_SCRATCH("a slot is found even if all are marked",
			a_slot_is_found_though_all_are_marked),
		TEST_IN_SCRATCH("unchanged chunks are taken over", unchanged_chunks_are_taken_over),
		TEST_IN_SCRATCH(
			"a smaller file takes over chunks in use first, and no damaged ones",
			of_those_that_fit_the_used_ones_are_taken_over),
		TEST_IN_SCRATCH(
			"a new head can be committed while other processes fill the old file",
			a_new_head_comes_while_others_fill_the_old),
		TEST_IN_SCRATCH("readers get no wrong 'no' while other processes fill slots and "
				"are killed",
			no_reader_is_told_no_while_others_fill),
		TEST_IN_SCRATCH("processes killed while they fill a slot leave nothing behind",
			fillers_that_are_killed_at_any_time_leave_nothing),
		TEST_IN_SCRATCH("a process may be killed at any instruction while it fills a slot",
			a_filler_may_be_killed_at_any_instruction),
		TEST_IN_SCRATCH("each step of filling a slot may be the last",
			each_step_of_a_filling_may_be_the_last),
		TEST_IN_SCRATCH("a forked child has its own lock, and waits for it only briefly",
			a_child_has_a_lock_of_its_own_and_waits_little_for_it),
		TEST_IN_SCRATCH("damaged tables give 'maybe', and recover",
			damaged_tables_give_maybe_and_heal),
		TEST_IN_SCRATCH("fields that must not change are read only once",
			what_must_not_change_is_not_read_again),
		TEST_IN_SCRATCH("a file that does not fit is not mapped",
			a_file_that_does_not_fit_is_not_mapped),
		TEST_IN_SCRATCH("attaching and detaching leaves nothing behind",
			attaching_and_detaching_leaves_nothing),
	};

	return cmocka_run_group_tests_name("ondemand", tests, NULL, NULL);
}

/* On-demand filters. If a key's chunk is resident, a lookup gives the answer of the whole blob.
 * Otherwise the answer is "maybe", never "no". Eviction, a new head and damage do not change
 * that. */
#include "caches.h"
#include "segment/drop.h"

#include <unistd.h>

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
		make_cache(&segment, &it, slots, &attachment);
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
		assert_ok(put(&attachment, &it, i / 2)); /* this chunk is already resident */
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

/* ---- eviction ---- */

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
	make_cache(&segment, &it, SLOTS, &attachment);
	cache = attachment.cache;
	for (i = 0; i < HOT; i++) {
		key[i] = key_of_chunk(cache, &it, i);
	}
	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < HOT; i++) {
			/* Lookups use one half of the hot chunks, and a batch announces the other
			 * half. */
			if (i % 2 == 0 ? bloom_cache_test(cache, digest_of(&it, "in", key[i])) ==
						BLOOM_NOT_HERE
				       : !bloom_cache_keep(cache, i)) {
				assert_ok(put(&attachment, &it, i));
				lost++;
			}
		}
		assert_ok(put(&attachment, &it, HOT + random_below(&random, it.head.chunks - HOT)));
	}
	/* With FIFO eviction, each hot chunk would be lost every few rounds. */
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
	make_cache(&segment, &it, 3, &attachment);
	for (chunk = 0; chunk < it.head.chunks; chunk++) {
		memset(attachment.cache->used, 0xFF, 3);
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
	make_cache(&segment, &old, old.head.chunks, &before);
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
	make_cache(&segment, &it, 8, &before);
	for (chunk = 0; chunk < 8; chunk++) {
		assert_ok(put(&before, &it, chunk));
	}
	memset(before.cache->used, 0, 8);
	for (chunk = 4; chunk < 8; chunk++) {
		assert_true(bloom_cache_keep(before.cache, chunk));
	}
	/* Damages one of the used chunks. */
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
	/* Chunks of a different size are not taken over. */
	assert_ok(stage_and_commit(&segment, &other, memory_for(&other.head, 5), after.cache));
	attach_to(&segment, "tags", &before);
	assert_int_equal(0, bloom_cache_resident(before.cache));
	bloom_detach(&before);
	bloom_detach(&after);
	blob_free(&it.blob);
	blob_free(&other.blob);
}

/* ---- damage ---- */

/* Damages either the entries or the owners of the 6 slots. A lookup uses a slot only if both tables
 * agree, so damage to one of them can be detected. If both are overwritten with values that agree
 * by chance, nothing can detect it. */
static void damage_tables(bloom_cache *cache, bool of_owners, uint64_t times, uint64_t *random)
{
	uint64_t *words = of_owners ? cache->owners : cache->entries;
	uint64_t count = of_owners ? 6 : cache->blob.chunks;
	uint64_t i, at;

	for (i = 0; i < times; i++) {
		at = random_below(random, count);
		switch (random_below(random, 5)) {
		case 0:
			words[at] = random_next(random);
			break;
		case 1: /* the value of another entry, or of another owner */
			words[at] = words[random_below(random, count)];
			break;
		case 2:
			words[at] ^= UINT64_C(1) << random_below(random, 64);
			break;
		case 3:
			words[at] = RESIDENT | random_below(random, 8);
			break;
		default:
			cache->head->hand = random_next(random);
			cache->head->misses = random_next(random);
			cache->head->failures_in_row = random_next(random);
			cache->head->retry_at_ms = random_next(random);
			memset(cache->used, (int)random_below(random, 256), 6);
		}
	}
}

static void damaged_tables_give_maybe_and_heal(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t random = test_seed("damage");
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	bloom_cache *cache;
	uint64_t i;
	int round;

	(void)state;
	make_cache(&segment, &it, 6, &attachment);
	cache = attachment.cache;
	for (round = 0; round < (SANITIZED ? 60 : 300); round++) {
		for (i = 0; i < 6; i++) {
			assert_ok(put(&attachment, &it, random_below(&random, it.head.chunks)));
		}
		/* After every ten rounds both tables are right again. */
		damage_tables(cache, round / 10 % 2 != 0, 1 + (uint64_t)round % 20, &random);
		assert_tables_fit(cache);
		for (i = 0; i < (SANITIZED ? 500 : 3000); i++) {
			assert_true(is_right(cache, &it,
				digest_of(&it, i % 2 == 0 ? "in" : "out",
					random_below(&random, KEYS))));
		}
		/* A missing chunk can be claimed, at the latest when any earlier claim has
		 * expired. */
		for (i = 0; i < it.head.chunks; i++) {
			assert_true(bloom_cache_has(cache, i) ||
				bloom_cache_claim(cache, i,
					UINT64_C(1) << 61 |
						random_below(&random, UINT64_C(1) << 60)) != 0);
		}
		if (round % 10 == 9) {
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
	make_cache(&segment, &it, 2, &attachment);
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
	make_cache(&segment, &it, 3, &attachment);
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

/* ---- leaks ---- */

static void attaching_and_detaching_leaves_nothing(void **state)
{
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	int files = count_open_files(), i;

	(void)state;
	for (i = 0; i < 10; i++) {
		make_cache(&segment, &it, 2, &attachment);
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
		TEST_IN_SCRATCH("lookups in resident chunks give the answers of the whole blob, no "
				"matter what was evicted",
			what_is_here_is_answered_as_by_the_whole),
		TEST_IN_SCRATCH("an on-demand filter evicts nothing if all its chunks fit",
			with_room_for_all_nothing_is_evicted),
		TEST_IN_SCRATCH("an on-demand filter's file stays within the memory budget",
			the_file_keeps_the_budget),
		TEST_IN_SCRATCH("a reverse index cannot be used as an on-demand filter",
			a_reverse_index_is_refused),
		TEST_IN_SCRATCH("chunks in use are rarely evicted", chunks_that_are_used_stay),
		TEST_IN_SCRATCH(
			"a slot for a new chunk is found even if all slots are marked as used",
			a_slot_is_found_though_all_are_marked),
		TEST_IN_SCRATCH("a new version takes over the unchanged chunks of the previous one",
			unchanged_chunks_are_taken_over),
		TEST_IN_SCRATCH(
			"a smaller new file takes over chunks in use first, and no damaged chunks",
			of_those_that_fit_the_used_ones_are_taken_over),
		/* fault: control-damaged */
		TEST_IN_SCRATCH("damaged slot tables make lookups answer 'maybe', and recover",
			damaged_tables_give_maybe_and_heal),
		/* fault: control-damaged */
		TEST_IN_SCRATCH("fields of a mapped file that must not change are read only once",
			what_must_not_change_is_not_read_again),
		/* fault: garbage-file */
		TEST_IN_SCRATCH("an on-demand filter's file with a wrong size or a damaged head is "
				"not mapped",
			a_file_that_does_not_fit_is_not_mapped),
		TEST_IN_SCRATCH(
			"attaching and detaching leaves no descriptor, mapping or file behind",
			attaching_and_detaching_leaves_nothing),
	};

	return cmocka_run_group_tests_name("ondemand", tests, NULL, NULL);
}

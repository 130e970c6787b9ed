#include "caches.h"

#include "segment/stage.h"

whole whole_of(uint32_t chunk_bytes, uint64_t more_keys)
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

const unsigned char *chunk_of(const whole *it, uint64_t chunk)
{
	return it->blob.bytes + it->head.head_bytes + bloom_head_chunk_offset(&it->head, chunk);
}

uint64_t memory_for(const bloom_head *head, uint64_t slots)
{
	uint64_t tables = 4096 + head->head_bytes + head->chunks * 8 + slots * 9;

	return (tables + 4095) / 4096 * 4096 + slots * head->meta.chunk_bytes;
}

bloom_status stage_and_commit(
	const bloom_segment *segment, const whole *it, uint64_t memory, const bloom_cache *before)
{
	bloom_stage stage;
	uint64_t generation;
	bloom_status status = bloom_cache_stage(
		segment, "tags", memory, &it->head, it->blob.bytes, before, &stage, &error);

	return status == BLOOM_OK ? bloom_stage_commit(&stage, &generation, &error) : status;
}

void make_cache(
	const bloom_segment *segment, const whole *it, uint64_t slots, bloom_attachment *attachment)
{
	assert_ok(stage_and_commit(segment, it, memory_for(&it->head, slots), NULL));
	attach_to(segment, "tags", attachment);
	assert_int_equal(slots, attachment->cache->slot_count);
}

bloom_status put_bytes(bloom_attachment *attachment, uint64_t chunk, const unsigned char *bytes)
{
	return bloom_cache_put(
		attachment->cache, attachment->segment, "tags", chunk, bytes, &error);
}

bloom_status put(bloom_attachment *attachment, const whole *it, uint64_t chunk)
{
	return put_bytes(attachment, chunk, chunk_of(it, chunk));
}

bloom_digest digest_of(const whole *it, const char *family, uint64_t i)
{
	return key_digest(it->head.geometry.seed, family, i);
}

bool is_right(bloom_cache *cache, const whole *it, bloom_digest digest)
{
	bloom_answer answer = bloom_cache_test(cache, digest);

	return answer == BLOOM_NOT_HERE ||
		(answer == BLOOM_MAYBE) == bloom_view_test(&it->view, digest);
}

void assert_all_right(bloom_cache *cache, const whole *it)
{
	uint64_t i;

	for (i = 0; i < KEYS; i++) {
		if (bloom_cache_test(cache, digest_of(it, "in", i)) == BLOOM_NO) {
			fail_msg("key in-%llu was answered \"no\"", (unsigned long long)i);
		}
		if (!is_right(cache, it, digest_of(it, "out", i))) {
			fail_msg("wrong answer for key out-%llu", (unsigned long long)i);
		}
	}
}

void assert_tables_fit(const bloom_cache *cache)
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

void assert_heals(bloom_attachment *attachment, const whole *it)
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

/* Answers of a store: a head and chunks in any order, truncated, repeated, mixed up or damaged,
 * with corrected checksums.
 *
 * The input first defines what a publisher's head names. It is then fed to a stage, as loading and
 * syncing do, and to an on-demand filter's cache. Every shard of a generation that is served must
 * match the head, and every resident chunk of a cache must have the digest that the head names. A
 * refused chunk evicts no other. No lookup answers "no" if the right bytes give "maybe".
 */
/* fault: arbitrary-bytes */
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { KEYS_MOST = 64, STEPS_MAX = 48, ROOM = 32 * 1024 };

static const char name[] = "f";

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
	(void)count;
	(void)arguments;
	(void)fuzz_segment();
	return 0;
}

/* ---- what was published ---- */

static unsigned char published[ROOM]; /* the head and body in the store */
static size_t published_count;

/* Publishes a blob with some changed bytes and corrected checksums. */
static void publish(input *from)
{
	uint8_t shape = take_byte(from), more = take_byte(from), changes = more % 8;
	bloom_geometry geometry = {
		.seed = 7,
		.shards = 1 + shape % 7,
		.shard_bytes = 1024,
		.block_bytes = (shape & 8) != 0 ? 1024 : 64,
		.probes = 1 + (shape >> 4) % 9,
	};
	unsigned keys = take_byte(from) % KEYS_MOST;
	small_blob blob = (more & 128) != 0
		? ribbon_with(shape * 20 + KEYS_MOST, 1, keys, NULL)
		: blob_with(&geometry, (shape & 16) != 0 ? 2048 : 1024, 1, keys);
	mending how = (mending)(MENDINGS - 1 - take_byte(from) % MENDINGS);
	uint64_t at, value;

	require(blob.count <= ROOM);
	memcpy(published, blob.bytes, blob.count);
	published_count = blob.count;
	bloom_unmap(blob.bytes, blob.count);
	for (; changes > 0; changes--) {
		at = take_short(from);
		/* Half of the changes are in the head. */
		at = (at & 1) != 0 ? (at >> 1) % 768 : (at >> 1) % published_count;
		value = take_number(from);
		if (at + 4 <= published_count) {
			bloom_put32(published + at, (uint32_t)value);
		}
	}
	mend_blob(published, published_count, how);
}

/* Returns the bytes that the store delivers in place of the `count` published bytes at `at`. */
static const unsigned char *answer(input *from, uint64_t at, uint64_t count)
{
	static unsigned char bytes[ROOM];
	uint8_t how = take_byte(from);
	uint64_t other;

	memset(bytes, 0, count);
	if (at < published_count) {
		other = published_count - at;
		memcpy(bytes, published + at, count < other ? count : other);
	}
	switch (how & 7) {
	case 5: /* one byte is changed */
		if (count > 0) {
			bytes[take_short(from) % count] = take_byte(from);
		}
		break;
	case 6: /* bytes from another place */
		other = take_short(from) % published_count;
		memcpy(bytes, published + other,
			count < published_count - other ? count : published_count - other);
		break;
	case 7:
		memset(bytes, take_byte(from), count);
		break;
	default:
		break;
	}
	return bytes;
}

/* ---- staging ---- */

static void check_served(const unsigned char *written, uint64_t generation)
{
	char file[BLOOM_FILE_NAME_MAX];
	bloom_attachment attachment = {0};
	bloom_head head;
	size_t count;
	unsigned char *served;

	bloom_generation_name(generation, file);
	served = read_in_filter(name, file, &count);
	require(count <= ROOM && memcmp(served, written, count) == 0);
	require(bloom_blob_parse(served, count, &head, NULL) == BLOOM_OK);
	require(bloom_body_verify(&head, served + head.head_bytes, 0, head.geometry.shards, NULL) ==
		BLOOM_OK);
	free(served);
	require(bloom_attach(fuzz_segment(), name, &attachment, NULL) == BLOOM_OK);
	require(attachment.loaded->head.checksum == head.checksum);
	bloom_detach(&attachment);
}

static void stage_pieces(input *from)
{
	static unsigned char written[ROOM];
	uint64_t at = 0, piece, announced = published_count, generation = 0;
	bloom_status status = BLOOM_OK;
	bloom_error error = {0};
	bloom_stage stage = {0};
	const unsigned char *bytes;
	unsigned i;

	if ((take_byte(from) & 7) == 7) {
		announced = take_short(from) % ROOM;
	}
	if (!succeeded(
		    bloom_stage_begin(fuzz_segment(), name, announced, &stage, &error), &error)) {
		return;
	}
	for (i = 0; i < STEPS_MAX && at < announced && (from->left > 0 || i == 0); i++) {
		piece = (uint64_t)take_byte(from) * 64;
		/* The last step delivers the rest. */
		if (piece == 0 || piece > announced - at || from->left == 0) {
			piece = announced - at;
		}
		bytes = answer(from, at, piece);
		status = bloom_stage_write(&stage, bytes, piece, &error);
		memcpy(written + at, bytes, piece);
		at += piece;
		/* A caller that ignores errors must not get further than a caller that checks
		 * errors. */
		if (!succeeded(status, &error) && (take_byte(from) & 1) == 0) {
			break;
		}
	}
	if (succeeded(bloom_stage_commit(&stage, &generation, &error), &error)) {
		require(status == BLOOM_OK);
		check_served(written, generation);
	}
}

/* ---- on demand ---- */

static void check_chunks(bloom_cache *cache, const unsigned char *here)
{
	unsigned char digest[BLOOM_CHUNK_DIGEST_BYTES];
	uint64_t chunk, slot;

	for (chunk = 0; chunk < cache->blob.chunks; chunk++) {
		if (here != NULL && here[chunk]) {
			require(bloom_cache_has(cache, chunk));
		}
		for (slot = 0; bloom_cache_has(cache, chunk) && slot < cache->slot_count; slot++) {
			if (cache->owners[slot] == chunk + 1) {
				bloom_chunk_digest(BLOOM_CHUNK_DIGEST_XXH3_128,
					cache->slots + slot * cache->blob.meta.chunk_bytes,
					bloom_head_chunk_length(&cache->blob, chunk), digest);
				require(memcmp(digest, bloom_head_chunk(&cache->blob, chunk),
						sizeof digest) == 0);
			}
		}
	}
}

/* Returns whether the published chunk is the one that the head names. */
static bool is_right(const bloom_head *head, uint64_t chunk)
{
	unsigned char digest[BLOOM_CHUNK_DIGEST_BYTES];

	bloom_chunk_digest(BLOOM_CHUNK_DIGEST_XXH3_128,
		published + head->head_bytes + bloom_head_chunk_offset(head, chunk),
		bloom_head_chunk_length(head, chunk), digest);
	return memcmp(digest, bloom_head_chunk(head, chunk), sizeof digest) == 0;
}

/* The answer "no" is right only if the bytes with the named digest give it, too. */
static void check_lookups(bloom_cache *cache)
{
	const unsigned char *body = published + cache->blob.head_bytes;
	bloom_view right = bloom_view_of(&cache->blob.geometry, body);
	bloom_ribbon ribbon = {0};
	bloom_digest digest;
	uint8_t key;

	if (cache->blob.geometry.stripes != 0) {
		ribbon = bloom_ribbon_of(&cache->blob.geometry, body);
	}

	for (key = 0; key < KEYS_MOST; key++) {
		digest = digest_of_key(key, cache->view.seed);
		if (bloom_cache_test(cache, digest) == BLOOM_NO &&
			is_right(&cache->blob, bloom_cache_chunk(cache, digest))) {
			require(cache->blob.geometry.stripes != 0
					? !bloom_ribbon_test(&ribbon, digest)
					: !bloom_view_test(&right, digest));
		}
	}
}

static void put_chunk(bloom_cache *cache, input *from)
{
	uint64_t chunk = take_byte(from) % cache->blob.chunks,
		 length = bloom_head_chunk_length(&cache->blob, chunk);
	unsigned char here[ROOM / 1024] = {0};
	bloom_error error = {0};
	const unsigned char *bytes;
	uint64_t i;

	for (i = 0; i < cache->blob.chunks; i++) {
		here[i] = bloom_cache_has(cache, i);
	}
	bytes = answer(from, cache->blob.head_bytes + bloom_head_chunk_offset(&cache->blob, chunk),
		length);
	if (succeeded(bloom_cache_put(cache, fuzz_segment(), name, chunk, bytes, &error), &error)) {
		require(bloom_cache_has(cache, chunk));
		check_chunks(cache, NULL);
	} else {
		check_chunks(cache, here);
	}
}

/* Creates a cache of the published head, and puts chunks into it. */
static void use_cache(input *from, const bloom_cache *before, uint64_t memory_bytes)
{
	bloom_attachment attachment = {0};
	bloom_error error = {0};
	bloom_stage stage = {0};
	uint64_t generation = 0;
	bloom_status status;
	bloom_head head;
	unsigned i;

	if (!succeeded(bloom_head_parse(published, published_count, &head, &error), &error) ||
		head.file_bytes != published_count) {
		return;
	}
	status = bloom_cache_stage(
		fuzz_segment(), name, memory_bytes, &head, published, before, &stage, &error);
	if (!succeeded(status, &error)) {
		return;
	}
	require(succeeded(bloom_stage_commit(&stage, &generation, &error), &error));
	require(bloom_attach(fuzz_segment(), name, &attachment, NULL) == BLOOM_OK);
	check_chunks(attachment.cache, NULL);
	check_lookups(attachment.cache);
	for (i = 0; i < STEPS_MAX && from->left > 0 && take_byte(from) != 255; i++) {
		put_chunk(attachment.cache, from);
	}
	check_lookups(attachment.cache);
	/* The next version takes over the unchanged chunks. A chunk may have been damaged since. */
	if (before == NULL && from->left > 0) {
		if ((take_byte(from) & 1) != 0) {
			attachment.cache->slots[take_short(from) %
				(attachment.cache->slot_count * head.meta.chunk_bytes)] ^= 1;
		}
		publish(from);
		use_cache(from, attachment.cache, memory_bytes);
	}
	bloom_detach(&attachment);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count)
{
	input from = {.next = data, .left = count};
	int free_file = lowest_free_file();
	uint8_t what = take_byte(&from);

	clock_now_ms = 1000000;
	wipe_filter(name);
	publish(&from);
	if ((what & 1) == 0) {
		stage_pieces(&from);
	} else {
		use_cache(&from, NULL, 8192 + 4096 + (uint64_t)(what >> 1) * 128);
	}
	require(lowest_free_file() == free_file);
	return 0;
}

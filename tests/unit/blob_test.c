/* Tests of reading blobs: a good blob is read correctly, a damaged one is refused, and no code
 * reads beyond the given bytes. Each blob has an allocation of exactly its size, so the sanitizer
 * detects an overrun of one byte. */
#include "support.h"

#include <sys/mman.h>
#include <unistd.h>

#include "filter/blob.h"
#include "filter/measure.h"
#include "filter/probe.h"

enum {
	HEAD = 4096, /* the size of blob_small()'s head in bytes */
	BODY = 3072,
};

/* Checks that lookups in an accepted blob stay within the blob's bytes, whatever its head
 * contains. */
static void look_around(test_blob blob)
{
	char text[KEY_TEXT_BYTES];
	bloom_head head;
	bloom_view view;
	size_t count;
	uint64_t i;

	assert_ok(blob_parse(blob, &head));
	assert_true(head.file_bytes == blob.count);
	assert_true(head.head_bytes + bloom_geometry_bytes(&head.geometry) == blob.count);
	view = bloom_view_of(&head.geometry, blob.bytes + head.head_bytes);
	for (i = 0; i < 50; i++) {
		count = key_text("anything", i, text);
		(void)bloom_view_test(&view,
			bloom_digest_of((const unsigned char *)text, count, head.geometry.seed));
	}
	(void)bloom_view_test(&view, UINT64_MAX);
	for (i = 0; i < head.chunks; i++) {
		assert_true(bloom_head_chunk_offset(&head, i) + bloom_head_chunk_length(&head, i) <=
			bloom_geometry_bytes(&head.geometry));
	}
}

/* ---- good blobs ---- */

static void a_head_says_what_was_built(void **state)
{
	test_blob blob = blob_small();
	bloom_head head;
	uint64_t keys = 0, bits = 0, shard;

	(void)state;
	assert_int_equal(HEAD + BODY, blob.count);
	assert_ok(blob_accept(blob));
	assert_ok(blob_parse(blob, &head));
	assert_int_equal(HEAD, head.head_bytes);
	assert_int_equal(3, head.geometry.shards);
	assert_int_equal(1024, head.geometry.shard_bytes);
	assert_int_equal(64, head.geometry.block_bytes);
	assert_int_equal(6, head.geometry.probes);
	assert_int_equal(42, head.geometry.seed);
	assert_int_equal(2048, head.meta.chunk_bytes);
	assert_int_equal(2000, head.meta.capacity_keys);
	assert_int_equal(1700000000000, head.meta.built_ms);
	assert_int_equal(4, head.meta.source_bytes);
	assert_memory_equal("unit", head.meta.source, 4);
	assert_int_equal(2, head.chunks);
	assert_int_equal(0, bloom_head_chunk_offset(&head, 0));
	assert_int_equal(2048, bloom_head_chunk_length(&head, 0));
	assert_int_equal(2048, bloom_head_chunk_offset(&head, 1));
	assert_int_equal(1024, bloom_head_chunk_length(&head, 1));
	for (shard = 0; shard < 3; shard++) {
		keys += bloom_head_row(&head, shard).keys;
		bits += bloom_head_row(&head, shard).set_bits;
	}
	assert_int_equal(head.keys, keys);
	assert_int_equal(head.set_bits, bits);
	assert_int_equal(bits, bloom_set_bits(blob.bytes + HEAD, BODY));
	assert_in_range(keys, 1950, 2000);
	assert_true(head.checksum == bloom_get64(blob.bytes + HEAD - 8));
	blob_free(&blob);
}

static void chunk_rows_are_the_digests_of_the_chunks(void **state)
{
	test_blob blob = blob_small();
	unsigned char digest[BLOOM_CHUNK_DIGEST_BYTES];
	bloom_head head;
	uint64_t chunk;

	(void)state;
	assert_ok(blob_parse(blob, &head));
	for (chunk = 0; chunk < head.chunks; chunk++) {
		bloom_chunk_digest(1, blob.bytes + HEAD + bloom_head_chunk_offset(&head, chunk),
			bloom_head_chunk_length(&head, chunk), digest);
		assert_memory_equal(digest, bloom_head_chunk(&head, chunk), sizeof digest);
	}
	blob_free(&blob);
}

static void any_alignment_will_do(void **state)
{
	test_blob blob = blob_small();
	unsigned char *room = malloc(blob.count + 8);
	bloom_head head;
	size_t shift;

	(void)state;
	assert_non_null(room);
	for (shift = 0; shift < 8; shift++) {
		memcpy(room + shift, blob.bytes, blob.count);
		assert_ok(bloom_blob_parse(room + shift, blob.count, &head, &error));
		assert_ok(bloom_body_verify(&head, room + shift + HEAD, 0, 3, &error));
	}
	free(room);
	blob_free(&blob);
}

static void set_bits_are_counted_as_a_plain_loop_does(void **state)
{
	uint64_t random = test_seed("set bits are counted as a plain loop does");
	unsigned char bytes[1024];
	uint64_t expected, i, count;

	(void)state;
	for (count = 0; count <= sizeof bytes; count += 8) {
		for (expected = 0, i = 0; i < count; i++) {
			bytes[i] = (unsigned char)random_next(&random);
			expected += (uint64_t)__builtin_popcount(bytes[i]);
		}
		assert_int_equal(expected, bloom_set_bits(bytes, count));
	}
}

/* ---- damage ---- */

static void a_blob_cut_off_at_any_byte_is_refused(void **state)
{
	test_blob blob = blob_small();
	size_t count;

	(void)state;
	for (count = 0; count < blob.count; count++) {
		test_blob cut = {.bytes = malloc(count), .count = count};
		bloom_head head = {.keys = 77};
		bloom_status expected = count < 512 ? BLOOM_E_SHORT : BLOOM_E_LENGTH;

		memcpy(cut.bytes, blob.bytes, count);
		assert_status(expected, blob_parse(cut, &head));
		assert_int_equal(77, head.keys); /* a failed parse leaves the result unchanged */
		assert_status(count < 512      ? BLOOM_E_SHORT
				: count < HEAD ? BLOOM_E_LENGTH
					       : BLOOM_OK,
			bloom_head_parse(cut.bytes, cut.count, &head, &error));
		blob_free(&cut);
	}
	blob_free(&blob);
}

static void a_blob_with_more_bytes_than_it_promises_is_refused(void **state)
{
	test_blob blob = blob_small();
	test_blob longer = {.bytes = calloc(1, blob.count + 1), .count = blob.count + 1};
	bloom_head head;

	(void)state;
	memcpy(longer.bytes, blob.bytes, blob.count);
	assert_status(BLOOM_E_LENGTH, blob_parse(longer, &head));
	assert_ok(bloom_head_parse(longer.bytes, longer.count, &head, &error));
	blob_free(&longer);
	blob_free(&blob);
}

static void any_flipped_bit_of_the_head_is_found(void **state)
{
	test_blob blob = blob_small();
	bloom_status status;
	bloom_head head;
	uint32_t bit;

	(void)state;
	for (bit = 0; bit < HEAD * 8; bit++) {
		blob.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
		status = blob_parse(blob, &head);
		if (bit < 64) {
			assert_status(BLOOM_E_MAGIC, status);
		} else if (bit < 96) {
			assert_status(BLOOM_E_VERSION, status);
		} else if (bit >= 128 && bit < 192) {
			assert_true(status == BLOOM_E_HEAD_BYTES || status == BLOOM_E_LENGTH);
		} else {
			assert_status(BLOOM_E_HEAD_CHECKSUM, status);
		}
		blob.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
	}
	assert_ok(blob_accept(blob));
	blob_free(&blob);
}

static bool is_format_error(bloom_status status)
{
	return status >= BLOOM_E_SHORT && status <= BLOOM_E_SATURATED;
}

/* Simulates an attacker who also corrects the checksum. Every forged head that is still accepted
 * must be harmless. */
static void a_flipped_bit_with_a_right_checksum_is_refused_or_harmless(void **state)
{
	test_blob blob = blob_small();
	int accepted = 0, refused = 0;
	bloom_status status;
	uint32_t bit;

	(void)state;
	for (bit = 0; bit < (HEAD - 8) * 8; bit++) {
		test_blob forged = blob_copy(blob);

		forged.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
		mend_head(forged, HEAD);
		status = blob_accept(forged);
		if (status == BLOOM_OK) {
			look_around(forged);
			accepted++;
		} else {
			assert_true(is_format_error(status));
			refused++;
		}
		blob_free(&forged);
	}
	/* The accepted forgeries change the seed, times, rates and capacity within their limits,
	 * letters of the source name, or chunk rows, which are checked when a chunk is used. */
	printf("# %d single-bit forgeries accepted, %d refused\n", accepted, refused);
	assert_in_range(accepted, 2 * 128 + 64 + 64, 800);
	blob_free(&blob);
}

static void random_damage_with_right_checksums_stays_within_bounds(void **state)
{
	uint64_t random = test_seed("random damage with right checksums stays within bounds");
	test_blob blob = blob_small();
	int round, changes;

	(void)state;
	for (round = 0; round < 20000; round++) {
		test_blob forged = blob_copy(blob);

		for (changes = 1 + (int)random_below(&random, 4); changes > 0; changes--) {
			/* most changes hit the fields at the start of the head */
			size_t at =
				random_below(&random, random_below(&random, 4) ? 160 : HEAD - 8);

			forged.bytes[at] = (unsigned char)(random_below(&random, 3) == 0
					? random_below(&random, 2) * 255
					: random_next(&random));
		}
		if (random_below(&random, 2)) {
			memcpy(forged.bytes, blob.bytes, 32);
		}
		mend_head(forged, HEAD);
		if (blob_accept(forged) == BLOOM_OK) {
			look_around(forged);
		} else {
			assert_true(is_format_error(error.status));
		}
		blob_free(&forged);
	}
	blob_free(&blob);
}

static void any_flipped_bit_of_the_body_is_found(void **state)
{
	test_blob blob = blob_small();
	uint32_t bit;

	(void)state;
	for (bit = 0; bit < BODY * 8; bit++) {
		blob.bytes[HEAD + bit / 8] ^= (unsigned char)(1u << bit % 8);
		assert_status(BLOOM_E_SHARD_CHECKSUM, blob_accept(blob));
		blob.bytes[HEAD + bit / 8] ^= (unsigned char)(1u << bit % 8);
	}
	blob_free(&blob);
}

static void a_body_bit_with_a_right_checksum_is_found_by_recounting(void **state)
{
	test_blob blob = blob_small();
	char subject[32];
	uint32_t bit;

	(void)state;
	for (bit = 0; bit < BODY * 8; bit += 7) {
		test_blob forged = blob_copy(blob);
		uint64_t shard = bit / 8 / 1024;

		forged.bytes[HEAD + bit / 8] ^= (unsigned char)(1u << bit % 8);
		mend_shard(forged, shard);
		assert_status(BLOOM_E_SHARD_BITS, blob_accept(forged));
		(void)snprintf(subject, sizeof subject, "shard %u", (unsigned)shard);
		assert_string_equal(subject, error.subject);
		blob_free(&forged);
	}
	blob_free(&blob);
}

static void only_the_asked_shards_are_verified(void **state)
{
	test_blob blob = blob_small();
	bloom_head head;

	(void)state;
	assert_ok(blob_parse(blob, &head));
	blob.bytes[HEAD + 1024 + 5] ^= 1;
	assert_ok(bloom_body_verify(&head, blob.bytes + HEAD, 0, 1, &error));
	assert_ok(bloom_body_verify(&head, blob.bytes + HEAD, 2, 1, &error));
	assert_ok(bloom_body_verify(&head, blob.bytes + HEAD, 1, 0, &error));
	assert_status(
		BLOOM_E_SHARD_CHECKSUM, bloom_body_verify(&head, blob.bytes + HEAD, 0, 3, &error));
	assert_string_equal("shard 1", error.subject);
	blob_free(&blob);
}

/* If the head claims chunks of 1 KiB, the parser reads a third chunk row, which is all zero. No
 * check of the head can distinguish such a row from a digest. The chunk would be refused when it is
 * used. */
static void a_chunk_row_too_few_is_harmless(void **state)
{
	test_blob blob = blob_small();
	bloom_head head;

	(void)state;
	bloom_put32(blob.bytes + 120, 1024);
	mend_head(blob, HEAD);
	assert_ok(blob_parse(blob, &head));
	assert_int_equal(3, head.chunks);
	look_around(blob);
	blob_free(&blob);
}

/* ---- claimed sizes ---- */

static void a_short_file_that_promises_terabytes_is_refused_at_once(void **state)
{
	static const uint64_t shards[] = {
		1000, UINT64_C(1) << 28, UINT64_C(1) << 32, UINT64_C(1) << 60, UINT64_MAX};
	static const uint64_t heads[] = {
		4096, 8192, UINT64_C(1) << 36, UINT64_C(1) << 52, UINT64_MAX - 4095};
	static const size_t counts[] = {100, 511, 512, 600, 4096};
	test_blob good = blob_small();
	size_t i, j, k;

	(void)state;
	for (i = 0; i < 5; i++) {
		for (j = 0; j < 5; j++) {
			for (k = 0; k < 5; k++) {
				test_blob brag = {.bytes = malloc(counts[k]), .count = counts[k]};
				bloom_head head;

				memcpy(brag.bytes, good.bytes, counts[k]);
				if (counts[k] >= 512) {
					bloom_put64(brag.bytes + 16, heads[j]);
					bloom_put64(brag.bytes + 24, UINT64_MAX - shards[i]);
					bloom_put64(brag.bytes + 32, shards[i]);
				}
				if (counts[k] >= HEAD) {
					mend_head(brag, HEAD);
				}
				assert_true(is_format_error(
					bloom_blob_parse(brag.bytes, brag.count, &head, &error)));
				assert_true(is_format_error(
					bloom_head_parse(brag.bytes, brag.count, &head, &error)));
				blob_free(&brag);
			}
		}
	}
	blob_free(&good);
}

static void peeking_believes_only_what_the_file_can_hold(void **state)
{
	test_blob good = blob_small();
	uint64_t head_bytes = 77;

	(void)state;
	assert_status(BLOOM_E_LENGTH, bloom_head_peek(good.bytes, HEAD - 1, &head_bytes, &error));
	assert_int_equal(77, head_bytes);
	assert_ok(bloom_head_peek(good.bytes, HEAD, &head_bytes, &error));
	assert_int_equal(HEAD, head_bytes);
	bloom_put64(good.bytes + 16, UINT64_C(1) << 40);
	assert_ok(bloom_head_peek(good.bytes, UINT64_C(1) << 40, &head_bytes, &error));
	assert_true(head_bytes == UINT64_C(1) << 40);
	good.bytes[0] = 0;
	assert_status(BLOOM_E_MAGIC, bloom_head_peek(good.bytes, HEAD, &head_bytes, &error));
	blob_free(&good);
}

static void a_promise_is_believed_only_when_its_numbers_fit(void **state)
{
	/* each row: the offset of a field, its size in bytes, and a value that contradicts the
	 * other fields */
	static const struct {
		uint32_t at, count;
		uint64_t number;
	} wrong[] = {
		{16, 8, 0},
		{16, 8, HEAD + 1},
		{16, 8, HEAD + 4096},
		{16, 8, UINT64_C(40) << 30},
		{32, 8, 0},
		{32, 8, UINT64_MAX},
		{32, 8, UINT64_C(1) << 40},
		{32, 8, 4096},
		{40, 4, 0},
		{40, 4, 512},
		{40, 4, UINT32_MAX},
		{120, 4, 0},
		{120, 4, 1},
		{120, 4, UINT32_MAX},
		{0, 4, 0},
		{8, 4, 1},
	};
	test_blob good = blob_small();
	bloom_head head;
	bloom_head_sizes sizes = {.head_bytes = 77};
	unsigned char bad[BLOOM_HEAD_FIXED_BYTES];
	size_t i;

	(void)state;
	assert_ok(bloom_head_parse(good.bytes, good.count, &head, &error));
	for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		memcpy(bad, good.bytes, sizeof bad);
		if (wrong[i].count == 8) {
			bloom_put64(bad + wrong[i].at, wrong[i].number);
		} else {
			bloom_put32(bad + wrong[i].at, (uint32_t)wrong[i].number);
		}
		assert_true(is_format_error(bloom_head_peek_sizes(bad, &sizes, &error)));
		assert_int_equal(77, sizes.head_bytes);
	}
	assert_ok(bloom_head_peek_sizes(good.bytes, &sizes, &error));
	assert_int_equal(head.head_bytes, sizes.head_bytes);
	assert_int_equal(head.meta.chunk_bytes, sizes.chunk_bytes);
	blob_free(&good);
}

static void an_error_need_not_be_asked_for(void **state)
{
	test_blob good = blob_small();
	bloom_head head;

	(void)state;
	good.bytes[0] = 0;
	assert_status(BLOOM_E_MAGIC, bloom_blob_parse(good.bytes, good.count, &head, NULL));
	blob_free(&good);
}

/* A protected page follows the blob's bytes, so builds without a sanitizer also detect an
 * overrun. */
static void no_byte_behind_the_blob_is_read(void **state)
{
	long page = sysconf(_SC_PAGESIZE);
	test_blob good = blob_small();
	size_t pages = 3 * 4096, count;
	unsigned char *map;
	bloom_head head;

	(void)state;
	if (page != 4096) {
		blob_free(&good);
		skip_because("the test needs pages of 4 KiB");
	}
	map = mmap(NULL, pages + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(map != MAP_FAILED);
	assert_int_equal(0, mprotect(map + pages, 4096, PROT_NONE));
	for (count = 0; count <= good.count; count += count < 600 ? 1 : 61) {
		unsigned char *bytes = map + pages - count;

		memcpy(bytes, good.bytes, count);
		(void)bloom_blob_parse(bytes, count, &head, &error);
		if (count >= HEAD) {
			assert_ok(bloom_head_parse(bytes, count, &head, &error));
		}
	}
	memcpy(map + pages - good.count, good.bytes, good.count);
	assert_ok(bloom_blob_parse(map + pages - good.count, good.count, &head, &error));
	assert_ok(bloom_body_verify(&head, map + pages - BODY, 0, 3, &error));
	munmap(map, pages + 4096);
	blob_free(&good);
}

/* ---- build times ---- */

static void a_blob_may_be_built_at_most_a_day_ahead(void **state)
{
	const uint64_t now_ms = UINT64_C(1700000000000), day_ms = 86400000;
	const struct {
		uint64_t built_ms;
		bloom_status expected;
	} cases[] = {
		{0, BLOOM_OK},
		{now_ms, BLOOM_OK},
		{now_ms + day_ms, BLOOM_OK},
		{now_ms + day_ms + 1, BLOOM_E_BUILT_AHEAD},
		{now_ms * 1000000, BLOOM_E_BUILT_AHEAD}, /* nanoseconds */
		{UINT64_MAX, BLOOM_E_BUILT_AHEAD},
	};
	bloom_head head;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		test_blob blob = blob_small();

		bloom_put64(blob.bytes + 112, cases[i].built_ms);
		mend_head(blob, HEAD);
		/* The bytes are valid at any build time. */
		assert_ok(blob_accept(blob));
		assert_ok(blob_parse(blob, &head));
		assert_status(
			cases[i].expected, bloom_head_check_built(&head, now_ms, "tags", &error));
		blob_free(&blob);
	}
	assert_string_equal("tags: build time 18446744073709551615 ms since 1970, at most "
			    "1700086400000 allowed",
		error.subject);
	assert_ok(bloom_head_check_built(&head, UINT64_MAX - day_ms, "tags", &error));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a blob's head describes the filter that was built",
			a_head_says_what_was_built),
		TEST("each chunk row of a head is the digest of its chunk",
			chunk_rows_are_the_digests_of_the_chunks),
		/* fault: byte-order */
		TEST("a blob is read at any alignment", any_alignment_will_do),
		TEST("counting set bits gives the same result as a plain loop",
			set_bits_are_counted_as_a_plain_loop_does),
		/* fault: not-a-blob */
		TEST("a blob truncated at any byte is refused",
			a_blob_cut_off_at_any_byte_is_refused),
		/* fault: not-a-blob */
		TEST("a blob with more bytes than its head states is refused",
			a_blob_with_more_bytes_than_it_promises_is_refused),
		/* fault: bit-flip, outside-filter */
		TEST("any flipped bit of the head is detected",
			any_flipped_bit_of_the_head_is_found),
		/* fault: bit-flip */
		TEST("a flipped bit with a corrected checksum is refused or harmless",
			a_flipped_bit_with_a_right_checksum_is_refused_or_harmless),
		/* fault: bit-flip */
		TEST("random damage with a corrected checksum causes no access out of bounds",
			random_damage_with_right_checksums_stays_within_bounds),
		/* fault: bit-flip, outside-filter */
		TEST("any flipped bit of the body is detected",
			any_flipped_bit_of_the_body_is_found),
		/* fault: bit-flip */
		TEST("a flipped bit of the body with corrected checksums is detected by counting "
		     "bits",
			a_body_bit_with_a_right_checksum_is_found_by_recounting),
		TEST("only the requested shards are verified", only_the_asked_shards_are_verified),
		/* fault: chunks-swapped */
		TEST("a missing chunk row is harmless", a_chunk_row_too_few_is_harmless),
		/* fault: huge-size */
		TEST("a short file whose head claims terabytes is refused immediately",
			a_short_file_that_promises_terabytes_is_refused_at_once),
		/* fault: huge-size */
		TEST("the size in a head is accepted only if the file is large enough",
			peeking_believes_only_what_the_file_can_hold),
		/* fault: huge-file */
		TEST("a head's claimed sizes are accepted only if they are consistent",
			a_promise_is_believed_only_when_its_numbers_fit),
		TEST("callers may pass NULL instead of a bloom_error",
			an_error_need_not_be_asked_for),
		TEST("no byte beyond the end of a blob is read", no_byte_behind_the_blob_is_read),
		/* fault: build-time-ahead */
		TEST("a blob may be built at most a day ahead of the clock",
			a_blob_may_be_built_at_most_a_day_ahead),
	};

	return cmocka_run_group_tests_name("blob", tests, NULL, NULL);
}

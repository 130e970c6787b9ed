/* Reading and writing blobs: what is refused and by which check, and that no code reads beyond
 * the given bytes. Each blob has an allocation of exactly its size, so that the sanitizer
 * detects an overrun of one byte. */
#include "support.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "filter/blob.h"
#include "filter/measure.h"
#include "filter/probe.h"

enum {
	HEAD = 4096, /* bytes of blob_small()'s head */
	BODY = 3072,
	ROWS = 512, /* offsets in it */
	CHUNKS = ROWS + 3 * 16,
	TABLES_END = CHUNKS + 2 * 16,
};

static bloom_status parse(test_blob blob, bloom_head *head)
{
	return bloom_blob_parse(blob.bytes, blob.count, head, &error);
}

/* Parses and verifies everything, as a reader does. */
static bloom_status accept(test_blob blob)
{
	bloom_head head;
	bloom_status status = parse(blob, &head);

	if (status != BLOOM_OK) {
		return status;
	}
	return bloom_body_verify(
		&head, blob.bytes + head.head_bytes, 0, head.geometry.shards, &error);
}

/* Called for accepted blobs: whatever the head says, lookups stay within the blob's bytes. */
static void look_around(test_blob blob)
{
	char text[KEY_TEXT_BYTES];
	bloom_head head;
	bloom_view view;
	size_t count;
	uint64_t i;

	assert_ok(parse(blob, &head));
	assert_true(head.file_bytes == blob.count);
	assert_true(head.head_bytes + bloom_geometry_bytes(&head.geometry) == blob.count);
	view = bloom_view_of(&head.geometry, blob.bytes + head.head_bytes);
	for (i = 0; i < 50; i++) {
		count = key_text("anything", i, text);
		(void)bloom_view_test(&view,
			bloom_digest_of((const unsigned char *)text, count, head.geometry.seed));
	}
	(void)bloom_view_test(&view, (bloom_digest){UINT64_MAX, UINT64_MAX});
	for (i = 0; i < head.chunks; i++) {
		assert_true(bloom_head_chunk_offset(&head, i) + bloom_head_chunk_length(&head, i) <=
			bloom_geometry_bytes(&head.geometry));
	}
}

/* ---- what a good blob says ---- */

static void a_head_says_what_was_built(void **state)
{
	test_blob blob = blob_small();
	bloom_head head;
	uint64_t keys = 0, bits = 0, shard;

	(void)state;
	assert_int_equal(HEAD + BODY, blob.count);
	assert_ok(accept(blob));
	assert_ok(parse(blob, &head));
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
	assert_ok(parse(blob, &head));
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
		assert_status(expected, parse(cut, &head));
		assert_int_equal(77, head.keys); /* failure leaves the result untouched */
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
	assert_status(BLOOM_E_LENGTH, parse(longer, &head));
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
		status = parse(blob, &head);
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
	assert_ok(accept(blob));
	blob_free(&blob);
}

static bool is_format_error(bloom_status status)
{
	return status >= BLOOM_E_SHORT && status <= BLOOM_E_SATURATED;
}

/* An attacker corrects the checksum. Whatever is still accepted must be harmless. */
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
		status = accept(forged);
		if (status == BLOOM_OK) {
			look_around(forged);
			accepted++;
		} else {
			assert_true(is_format_error(status));
			refused++;
		}
		blob_free(&forged);
	}
	/* These may change freely: seed, times, rates and capacity within their limits, the
	 * letters of the source name, and the chunk rows, which are checked when a chunk is
	 * used. */
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
			/* mostly among the fields */
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
		if (accept(forged) == BLOOM_OK) {
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
		assert_status(BLOOM_E_SHARD_CHECKSUM, accept(blob));
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
		assert_status(BLOOM_E_SHARD_BITS, accept(forged));
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
	assert_ok(parse(blob, &head));
	blob.bytes[HEAD + 1024 + 5] ^= 1;
	assert_ok(bloom_body_verify(&head, blob.bytes + HEAD, 0, 1, &error));
	assert_ok(bloom_body_verify(&head, blob.bytes + HEAD, 2, 1, &error));
	assert_ok(bloom_body_verify(&head, blob.bytes + HEAD, 1, 0, &error));
	assert_status(
		BLOOM_E_SHARD_CHECKSUM, bloom_body_verify(&head, blob.bytes + HEAD, 0, 3, &error));
	assert_string_equal("shard 1", error.subject);
	blob_free(&blob);
}

/* ---- each check by its own code ---- */

typedef struct forgery {
	uint32_t at;
	uint32_t bytes; /* 4 or 8 */
	uint64_t value;
	bloom_status expected;
	const char *subject; /* or how it begins; NULL accepts any */
} forgery;

static void check_forgery(test_blob good, const forgery *row)
{
	test_blob forged = blob_copy(good);
	bloom_head head = {.keys = 77};
	bloom_status status;

	if (row->bytes == 8) {
		bloom_put64(forged.bytes + row->at, row->value);
	} else if (row->bytes == 4) {
		bloom_put32(forged.bytes + row->at, (uint32_t)row->value);
	} else {
		forged.bytes[row->at] = (unsigned char)row->value;
	}
	mend_head(forged, HEAD);
	memset(&error, 0, sizeof error);
	status = parse(forged, &head);
	if (status != row->expected) {
		print_error("offset %u := %llu\n", row->at, (unsigned long long)row->value);
	}
	assert_status(row->expected, status);
	assert_int_equal(row->expected, error.status);
	assert_int_equal(77, head.keys);
	if (row->subject != NULL) {
		assert_memory_equal(row->subject, error.subject, strlen(row->subject));
	}
	blob_free(&forged);
}

static void each_check_of_the_head_has_its_own_error(void **state)
{
	static const forgery rows[] = {
		{0, 1, 0x88, BLOOM_E_MAGIC, "blob"},
		{7, 1, 0x0D, BLOOM_E_MAGIC, "blob"},
		{8, 4, 0, BLOOM_E_VERSION, "format version 0"},
		{8, 4, 2, BLOOM_E_VERSION, "format version 2"},
		{12, 4, 1, BLOOM_E_RESERVED, "head"},
		{15, 1, 0x80, BLOOM_E_RESERVED, "head"},
		{16, 8, 0, BLOOM_E_HEAD_BYTES, "head of 0 bytes"},
		{16, 8, 512, BLOOM_E_HEAD_BYTES, NULL},
		{16, 8, 4095, BLOOM_E_HEAD_BYTES, NULL},
		{16, 8, 4097, BLOOM_E_HEAD_BYTES, NULL},
		{16, 8, UINT64_MAX, BLOOM_E_HEAD_BYTES, NULL},
		{16, 8, 8192, BLOOM_E_LENGTH, NULL},
		{16, 8, UINT64_C(1) << 63, BLOOM_E_LENGTH, NULL},
		{24, 8, 0, BLOOM_E_LENGTH, NULL},
		{24, 8, HEAD + BODY - 1, BLOOM_E_LENGTH, NULL},
		{24, 8, HEAD + BODY + 1, BLOOM_E_LENGTH, NULL},
		{24, 8, UINT64_MAX, BLOOM_E_LENGTH, NULL},
		{32, 8, 0, BLOOM_E_GEOMETRY, NULL},
		{32, 8, 2, BLOOM_E_LENGTH, NULL},
		{32, 8, 4, BLOOM_E_LENGTH, NULL},
		{32, 8, 1000, BLOOM_E_HEAD_BYTES, NULL},
		{32, 8, UINT64_C(1) << 32, BLOOM_E_HEAD_BYTES, NULL},
		{32, 8, (UINT64_C(1) << 32) + 1, BLOOM_E_GEOMETRY, NULL},
		{32, 8, (UINT64_C(1) << 54) + 3, BLOOM_E_GEOMETRY, NULL},
		{32, 8, UINT64_MAX, BLOOM_E_GEOMETRY, NULL},
		{40, 4, 0, BLOOM_E_GEOMETRY, "shard bytes"},
		{40, 4, 512, BLOOM_E_GEOMETRY, "shard bytes"},
		{40, 4, 1025, BLOOM_E_GEOMETRY, "shard bytes"},
		{40, 4, 131072, BLOOM_E_GEOMETRY, "shard bytes"},
		{40, 4, UINT32_MAX, BLOOM_E_GEOMETRY, "shard bytes"},
		{40, 4, 2048, BLOOM_E_LENGTH, NULL},
		{44, 4, 0, BLOOM_E_GEOMETRY, "block bytes"},
		{44, 4, 4, BLOOM_E_GEOMETRY, "block bytes"},
		{44, 4, 65, BLOOM_E_GEOMETRY, "block bytes"},
		{44, 4, 2048, BLOOM_E_GEOMETRY, "block bytes"},
		{48, 4, 0, BLOOM_E_GEOMETRY, "probes"},
		{48, 4, 33, BLOOM_E_GEOMETRY, "probes"},
		{48, 4, UINT32_MAX, BLOOM_E_GEOMETRY, "probes"},
		{52, 4, 0, BLOOM_E_SCHEME, "scheme 0"},
		{52, 4, 2, BLOOM_E_GEOMETRY, "groups must"},
		{52, 4, 3, BLOOM_E_GEOMETRY, "the stripes"},
		{52, 4, 4, BLOOM_E_SCHEME, "scheme 4"},
		{56, 4, 0, BLOOM_E_SCHEME, "digest 0"},
		{56, 4, 2, BLOOM_E_SCHEME, "digest 2"},
		{60, 4, 0, BLOOM_E_SCHEME, "chunk digest 0"},
		{60, 4, 2, BLOOM_E_SCHEME, "chunk digest 2"},
		{72, 8, 0, BLOOM_E_TOTALS, "keys"},
		{72, 8, UINT64_MAX, BLOOM_E_TOTALS, "keys"},
		{80, 8, 0, BLOOM_E_TOTALS, "set bits"},
		{80, 8, UINT64_MAX, BLOOM_E_TOTALS, "set bits"},
		{88, 8, 0, BLOOM_E_META, "capacity"},
		{88, 8, UINT64_C(1000000000001), BLOOM_E_META, "capacity"},
		{96, 8, UINT64_C(1000000000000001), BLOOM_E_META, "rate"},
		{96, 8, UINT64_MAX, BLOOM_E_META, "rate"},
		{104, 8, UINT64_C(1000000000000001), BLOOM_E_META, "rate"},
		{104, 8, UINT64_MAX, BLOOM_E_META, "rate"},
		{120, 4, 0, BLOOM_E_GEOMETRY, "chunk bytes"},
		{120, 4, 512, BLOOM_E_GEOMETRY, "chunk bytes"},
		{120, 4, 1536, BLOOM_E_GEOMETRY, "chunk bytes"},
		{120, 4, (1u << 30) + 1024, BLOOM_E_GEOMETRY, "chunk bytes"},
		{120, 4, UINT32_MAX, BLOOM_E_GEOMETRY, "chunk bytes"},
		{120, 4, 4096, BLOOM_E_RESERVED,
			NULL}, /* there would be a surplus second chunk row */
		{124, 4, 129, BLOOM_E_META, "source name"},
		{124, 4, UINT32_MAX, BLOOM_E_META, "source name"},
		{124, 4, 3, BLOOM_E_RESERVED, "bytes behind the source name"},
		{124, 4, 0, BLOOM_E_RESERVED, "bytes behind the source name"},
		{132, 1, 1, BLOOM_E_RESERVED, "bytes behind the source name"},
		{255, 1, 1, BLOOM_E_RESERVED, "bytes behind the source name"},
		{256, 1, 1, BLOOM_E_RESERVED, "head"},
		{511, 1, 1, BLOOM_E_RESERVED, "head"},
		{ROWS, 4, 0, BLOOM_E_SHARD_KEYS, "shard 0"},
		{ROWS, 4, UINT32_MAX, BLOOM_E_SHARD_KEYS, "shard 0"},
		{ROWS + 16, 4, 3, BLOOM_E_SHARD_KEYS, "shard 1"},
		{ROWS + 16 + 4, 4, 0, BLOOM_E_SHARD_KEYS, "shard 1"},
		{ROWS + 32 + 4, 4, 8192 - 512 + 1, BLOOM_E_SATURATED, "shard 2"},
		{ROWS + 32 + 4, 4, UINT32_MAX, BLOOM_E_SATURATED, "shard 2"},
		{TABLES_END, 1, 1, BLOOM_E_RESERVED, "bytes behind the tables"},
		{HEAD - 9, 1, 1, BLOOM_E_RESERVED, "bytes behind the tables"},
	};
	test_blob good = blob_small();
	size_t i;

	(void)state;
	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		check_forgery(good, &rows[i]);
	}
	blob_free(&good);
}

/* With 1 KiB chunks the parser reads a third row, which is all zero. No check of the head can
 * distinguish it from a digest. The chunk itself would be refused when it is used. */
static void a_chunk_row_too_few_is_harmless(void **state)
{
	test_blob blob = blob_small();
	bloom_head head;

	(void)state;
	bloom_put32(blob.bytes + 120, 1024);
	mend_head(blob, HEAD);
	assert_ok(parse(blob, &head));
	assert_int_equal(3, head.chunks);
	look_around(blob);
	blob_free(&blob);
}

static void limits_themselves_are_accepted(void **state)
{
	static const forgery rows[] = {
		{88, 8, 1, BLOOM_OK, NULL},
		{88, 8, UINT64_C(1000000000000), BLOOM_OK, NULL},
		{96, 8, 0, BLOOM_OK, NULL},
		{96, 8, UINT64_C(1000000000000000), BLOOM_OK, NULL},
		{112, 8, UINT64_MAX, BLOOM_OK, NULL},
		{64, 8, UINT64_MAX, BLOOM_OK, NULL},
		{124, 4, 128, BLOOM_OK, NULL},
	};
	test_blob good = blob_small();
	size_t i;

	(void)state;
	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		test_blob changed = blob_copy(good);

		if (rows[i].bytes == 8) {
			bloom_put64(changed.bytes + rows[i].at, rows[i].value);
		} else {
			bloom_put32(changed.bytes + rows[i].at, (uint32_t)rows[i].value);
		}
		mend_head(changed, HEAD);
		assert_ok(accept(changed));
		blob_free(&changed);
	}
	blob_free(&good);
}

static bloom_status parse_with_rate(test_blob good, double units)
{
	test_blob changed = blob_copy(good);
	bloom_head head;
	bloom_status status;

	bloom_put64(changed.bytes + 104, units < 0 ? 0 : (uint64_t)units);
	mend_head(changed, bloom_get64(good.bytes + 16));
	status = parse(changed, &head);
	blob_free(&changed);
	return status;
}

/* The bounds are those of format.md, row 17. */
static void check_rate_bounds(const bloom_params *params)
{
	test_blob good = blob_of(params, 3, 100, "in", NULL);
	double least, most;
	bloom_head head;

	assert_ok(parse(good, &head));
	most = (double)head.set_bits / ((double)bloom_geometry_bytes(&head.geometry) * 8);
	least = pow(most, head.geometry.probes);
	if (params->ribbon) {
		least = most = bloom_geometry_rate(&head.geometry, 0);
	}
	assert_true(head.meta.measured_rate >= least - 1e-15 &&
		head.meta.measured_rate <= most + 1e-15);
	assert_ok(parse_with_rate(good, round(least * 1e15)));
	assert_ok(parse_with_rate(good, round(most * 1e15)));
	if (least * 1e15 > 2) {
		assert_status(BLOOM_E_META, parse_with_rate(good, least * (1 - 1e-5) * 1e15 - 2));
		assert_string_equal("measured rate", error.subject);
		assert_status(BLOOM_E_META, parse_with_rate(good, 0));
	}
	assert_status(BLOOM_E_META, parse_with_rate(good, most * (1 + 1e-5) * 1e15 + 2));
	assert_status(BLOOM_E_META, parse_with_rate(good, 1e15));
	blob_free(&good);
}

static void a_rate_that_the_bits_rule_out_is_refused(void **state)
{
	static const bloom_params params[] = {
		{.capacity_keys = 100, .rate = 0.01},
		{.capacity_keys = 10000, .rate = 0.01},
		{.capacity_keys = 100, .rate = 1e-9},
		{.capacity_keys = 100, .rate = 0.3, .probes = 1},
		{.capacity_keys = 100, .rate = 0.01, .shard_bytes = 1024, .block_bytes = 1024},
		{.capacity_keys = 100, .rate = 0.01, .ribbon = true},
		{.capacity_keys = 100, .rate = 1e-6, .ribbon = true},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof params / sizeof *params; i++) {
		check_rate_bounds(&params[i]);
	}
}

static void a_head_of_the_wrong_size_is_refused_even_when_its_bytes_are_there(void **state)
{
	test_blob good = blob_small();
	test_blob large = {.bytes = calloc(1, 8192 + BODY), .count = 8192 + BODY};
	bloom_head head;

	(void)state;
	memcpy(large.bytes, good.bytes, HEAD - 8);
	memcpy(large.bytes + 8192, good.bytes + HEAD, BODY);
	bloom_put64(large.bytes + 16, 8192);
	bloom_put64(large.bytes + 24, 8192 + BODY);
	mend_head(large, 8192);
	assert_status(BLOOM_E_HEAD_BYTES, parse(large, &head));
	blob_free(&large);
	blob_free(&good);
}

/* ---- large promises ---- */

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
	/* the field, its size in bytes, a number that contradicts the others */
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
		{8, 4, 2},
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

/* A protected page follows the bytes, so that builds without a sanitizer detect an overrun, too. */
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
		skip_because("the test is laid out for pages of 4 KiB");
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

/* ---- the other writer ---- */

static const char *const vectors[] = {"tiny", "empty", "shards", "defaults", "probes-1", "probes-9",
	"probes-32", "classic", "block-8", "bytes"};

typedef void (*key_visit)(void *context, const unsigned char *key, size_t key_bytes);

static void each_vector_key(const char *name, key_visit visit, void *context)
{
	unsigned char key[2048];
	char path[64], text[32], *line, *rest = NULL;
	long long i, last;
	test_blob file;

	(void)snprintf(path, sizeof path, "%s.keys", name);
	file = vector_file(path);
	for (line = strtok_r((char *)file.bytes, "\n", &rest); line != NULL;
		line = strtok_r(NULL, "\n", &rest)) {
		if (strstr(line, "..") == NULL) {
			visit(context, key, unhex(line, key, sizeof key));
			continue;
		}
		assert_int_equal(2, sscanf(line, "%lld..%lld", &i, &last));
		for (; i <= last; i++) {
			visit(context, (const unsigned char *)text,
				(size_t)snprintf(text, sizeof text, "%lld", i));
		}
	}
	blob_free(&file);
}

static test_blob vector_blob(const char *name)
{
	char path[64];
	test_blob file, exact;

	(void)snprintf(path, sizeof path, "%s.bloom", name);
	file = vector_file(path);
	exact = blob_copy(file);
	blob_free(&file);
	return exact;
}

static void find_key(void *context, const unsigned char *key, size_t key_bytes)
{
	const bloom_view *view = context;

	assert_true(bloom_view_test(view, bloom_digest_of(key, key_bytes, view->seed)));
}

static void blobs_of_another_writer_are_read(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof vectors / sizeof *vectors; i++) {
		test_blob blob = vector_blob(vectors[i]);
		bloom_head head;
		bloom_view view;

		assert_ok(accept(blob));
		assert_ok(parse(blob, &head));
		view = bloom_view_of(&head.geometry, blob.bytes + head.head_bytes);
		each_vector_key(vectors[i], find_key, &view);
		blob_free(&blob);
	}
}

static void add_key(void *context, const unsigned char *key, size_t key_bytes)
{
	(void)bloom_builder_add(context, key, key_bytes);
}

/* A builder of exactly the wanted geometry. */
static bloom_builder builder_like(const bloom_geometry *geometry, const bloom_meta *meta)
{
	double shard_bits = geometry->shard_bytes * 8.0;
	bloom_params params = {.capacity_keys = meta->capacity_keys,
		.rate = 0.01,
		.shard_bytes = geometry->shard_bytes,
		.block_bytes = geometry->block_bytes,
		.probes = geometry->probes,
		.bits_per_key = ((double)geometry->shards - 0.5) * shard_bits /
			(double)meta->capacity_keys};
	bloom_builder builder = {0};

	if (params.bits_per_key > 1024) {
		/* The smallest filter that is sized by its capacity is also one shard. */
		params.bits_per_key = 0;
		params.rate = 0.4;
	}
	assert_ok(bloom_builder_init(&params, geometry->seed, meta->chunk_bytes, &builder, &error));
	assert_int_equal(geometry->shards, builder.geometry.shards);
	assert_int_equal(geometry->probes, builder.geometry.probes);
	builder.meta.target_rate = meta->target_rate;
	builder.meta.source_bytes = meta->source_bytes;
	memcpy(builder.meta.source, meta->source, sizeof meta->source);
	return builder;
}

static void the_builder_writes_the_same_bytes_as_another_writer(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof vectors / sizeof *vectors; i++) {
		test_blob blob = vector_blob(vectors[i]);
		bloom_builder builder;
		bloom_head head;

		assert_ok(parse(blob, &head));
		builder = builder_like(&head.geometry, &head.meta);
		each_vector_key(vectors[i], add_key, &builder);
		assert_ok(bloom_builder_finish(&builder, head.meta.built_ms, 1, &error));
		assert_int_equal(blob.count, builder.image_bytes);
		assert_memory_equal(blob.bytes, builder.image, blob.count);
		bloom_builder_free(&builder);
		blob_free(&blob);
	}
}

static void check_large_vector(void *context, char *line)
{
	unsigned long long shards, seed, capacity, rate, built_ms, keys, bytes, i;
	bloom_geometry geometry = {0};
	bloom_meta meta = {0};
	bloom_builder builder;
	char hex[64], text[32];

	(void)context;
	assert_int_equal(12,
		sscanf(line, "%llu %u %u %u %llx %u %llu %llu %llu %llu %llu %63s", &shards,
			&geometry.shard_bytes, &geometry.block_bytes, &geometry.probes, &seed,
			&meta.chunk_bytes, &capacity, &rate, &built_ms, &keys, &bytes, hex));
	geometry.shards = shards;
	geometry.seed = seed;
	meta.capacity_keys = capacity;
	meta.target_rate = (double)rate / BLOOM_RATE_UNIT;
	builder = builder_like(&geometry, &meta);
	for (i = 0; i < keys; i++) {
		(void)bloom_builder_add(&builder, (const unsigned char *)text,
			(size_t)snprintf(text, sizeof text, "%llu", i));
	}
	assert_builds(&builder, built_ms, bytes, hex);
}

static void larger_blobs_have_the_same_digest_as_another_writer_s(void **state)
{
	(void)state;
	assert_int_equal(3, each_vector_line("large.txt", check_large_vector, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a head describes what was built", a_head_says_what_was_built),
		TEST("chunk rows are the digests of the chunks",
			chunk_rows_are_the_digests_of_the_chunks),
		TEST("a blob is read at any alignment", any_alignment_will_do),
		TEST("set bits are counted like in a plain loop",
			set_bits_are_counted_as_a_plain_loop_does),
		TEST("a blob truncated at any byte is refused",
			a_blob_cut_off_at_any_byte_is_refused),
		TEST("a blob with more bytes than its head states is refused",
			a_blob_with_more_bytes_than_it_promises_is_refused),
		TEST("any flipped bit of the head is detected",
			any_flipped_bit_of_the_head_is_found),
		TEST("a flipped bit with a corrected checksum is refused or harmless",
			a_flipped_bit_with_a_right_checksum_is_refused_or_harmless),
		TEST("random damage with a corrected checksum causes no access out of bounds",
			random_damage_with_right_checksums_stays_within_bounds),
		TEST("any flipped bit of the body is detected",
			any_flipped_bit_of_the_body_is_found),
		TEST("a flipped bit of the body with corrected checksums is detected by counting "
		     "bits",
			a_body_bit_with_a_right_checksum_is_found_by_recounting),
		TEST("only the requested shards are verified", only_the_asked_shards_are_verified),
		TEST("each check of the head has its own error",
			each_check_of_the_head_has_its_own_error),
		TEST("a missing chunk row is harmless", a_chunk_row_too_few_is_harmless),
		TEST("values at the limit are accepted", limits_themselves_are_accepted),
		TEST("a rate that the bits rule out is refused",
			a_rate_that_the_bits_rule_out_is_refused),
		TEST("a head of the wrong size is refused even if its bytes exist",
			a_head_of_the_wrong_size_is_refused_even_when_its_bytes_are_there),
		TEST("a short file that claims terabytes is refused at once",
			a_short_file_that_promises_terabytes_is_refused_at_once),
		TEST("peeking accepts only a size that the file can have",
			peeking_believes_only_what_the_file_can_hold),
		TEST("a head's claimed sizes are accepted only if they are consistent",
			a_promise_is_believed_only_when_its_numbers_fit),
		TEST("callers may pass no error to fill", an_error_need_not_be_asked_for),
		TEST("no byte after the blob is read", no_byte_behind_the_blob_is_read),
		TEST("blobs of another implementation are read, and their keys are found",
			blobs_of_another_writer_are_read),
		TEST("the builder writes the same bytes as another implementation",
			the_builder_writes_the_same_bytes_as_another_writer),
		TEST("larger blobs have the same digest as those of another implementation",
			larger_blobs_have_the_same_digest_as_another_writer_s),
	};

	return cmocka_run_group_tests_name("blob", tests, NULL, NULL);
}

/* Tests of the checks of a blob's head: each wrong field is refused with an error that names the
 * field, and values at the limits are accepted. The forged heads have correct checksums. */
#include "support.h"

#include <math.h>

#include "filter/blob.h"

enum {
	HEAD = 4096, /* the size of blob_small()'s head in bytes */
	BODY = 3072,
	ROWS = 512, /* the tables' offsets in the head */
	CHUNKS = ROWS + 3 * 16,
	TABLES_END = CHUNKS + 2 * 16,
};

typedef struct forgery {
	uint32_t at;
	uint32_t bytes; /* 1, 4 or 8 */
	uint64_t value;
	bloom_status expected;
	const char *subject; /* how the subject begins; NULL: any subject */
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
	status = blob_parse(forged, &head);
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

/* At least one row for each check, in the order of the fields. */
static const forgery forgeries[] = {
	{0, 1, 0x88, BLOOM_E_MAGIC, "blob"},
	{7, 1, 0x0D, BLOOM_E_MAGIC, "blob"},
	{8, 4, 0, BLOOM_E_VERSION, "format version 0"},
	{8, 4, 1, BLOOM_E_VERSION, "format version 1"},
	{8, 4, 3, BLOOM_E_VERSION, "format version 3"},
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
	{52, 4, 3, BLOOM_E_GEOMETRY, "the number of stripes"},
	{52, 4, 4, BLOOM_E_SCHEME, "format of the foreign filter 0"},
	{52, 4, 5, BLOOM_E_GEOMETRY, "the number of stripes"},
	{52, 4, 6, BLOOM_E_SCHEME, "scheme 6"},
	{56, 4, 0, BLOOM_E_SCHEME, "digest 0"},
	{56, 4, 2, BLOOM_E_SCHEME, "digest 2"},
	{56, 4, 3, BLOOM_E_SCHEME, "digest 3"},
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
		NULL}, /* with one chunk, the second chunk row must be zero */
	{124, 4, 129, BLOOM_E_META, "source name"},
	{124, 4, UINT32_MAX, BLOOM_E_META, "source name"},
	{124, 4, 3, BLOOM_E_RESERVED, "bytes after the source name"},
	{124, 4, 0, BLOOM_E_RESERVED, "bytes after the source name"},
	{132, 1, 1, BLOOM_E_RESERVED, "bytes after the source name"},
	{255, 1, 1, BLOOM_E_RESERVED, "bytes after the source name"},
	{256, 1, 1, BLOOM_E_RESERVED, "head"},
	{511, 1, 1, BLOOM_E_RESERVED, "head"},
	/* without an epoch, there is no mark */
	{328, 8, 1, BLOOM_E_RESERVED, "head"},
	{375, 1, 1, BLOOM_E_RESERVED, "head"},
	{ROWS, 4, 0, BLOOM_E_SHARD_KEYS, "shard 0"},
	{ROWS, 4, UINT32_MAX, BLOOM_E_SHARD_KEYS, "shard 0"},
	{ROWS + 16, 4, 3, BLOOM_E_SHARD_KEYS, "shard 1"},
	{ROWS + 16 + 4, 4, 0, BLOOM_E_SHARD_KEYS, "shard 1"},
	{ROWS + 32 + 4, 4, 8192 - 512 + 1, BLOOM_E_SATURATED, "shard 2"},
	{ROWS + 32 + 4, 4, UINT32_MAX, BLOOM_E_SATURATED, "shard 2"},
	{TABLES_END, 1, 1, BLOOM_E_RESERVED, "bytes after the tables"},
	{HEAD - 9, 1, 1, BLOOM_E_RESERVED, "bytes after the tables"},
};

static void each_check_of_the_head_has_its_own_error(void **state)
{
	test_blob good = blob_small();
	size_t i;

	(void)state;
	for (i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
		check_forgery(good, &forgeries[i]);
	}
	blob_free(&good);
}

/* Checks a head whose mark has these parts. */
static void check_mark(
	const bloom_params *params, bloom_mark mark, bloom_status expected, const char *text)
{
	test_blob forged = blob_of(params, 3, 100, "in", NULL);
	uint64_t head_bytes = bloom_get64(forged.bytes + 16);
	bloom_head head;

	bloom_mark_put(&mark, forged.bytes + 320);
	mend_head(forged, head_bytes);
	if (blob_parse(forged, &head) != expected) {
		print_error("mark %s\n", text);
	}
	assert_status(expected, blob_parse(forged, &head));
	blob_free(&forged);
}

static void a_mark_before_the_first_record_has_neither_check_nor_link(void **state)
{
	static const bloom_params plain = {.capacity_keys = 100, .rate = 0.01};
	static const bloom_params ribbon = {.capacity_keys = 100, .rate = 0.01, .ribbon = true};

	(void)state;
	check_mark(&plain, (bloom_mark){.epoch = 7}, BLOOM_OK, "7-0");
	check_mark(&ribbon, (bloom_mark){.epoch = 7}, BLOOM_OK, "7-0");
	check_mark(&plain, (bloom_mark){.epoch = 7, .offset = 1, .check = {1}, .link = {1}},
		BLOOM_OK, "7-1");
	check_mark(&plain, (bloom_mark){.epoch = 7, .check = {[7] = 1}}, BLOOM_E_RESERVED, "check");
	check_mark(&ribbon, (bloom_mark){.epoch = 7, .check = {1}}, BLOOM_E_RESERVED, "check");
	check_mark(&plain, (bloom_mark){.epoch = 7, .link = {[31] = 1}}, BLOOM_E_RESERVED, "link");
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
		assert_ok(blob_accept(changed));
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
	status = blob_parse(changed, &head);
	blob_free(&changed);
	return status;
}

/* Checks the bounds of the measured rate in docs/dev/blob.md. */
static void check_rate_bounds(const bloom_params *params)
{
	test_blob good = blob_of(params, 3, 100, "in", NULL);
	double least, most;
	bloom_head head;

	assert_ok(blob_parse(good, &head));
	most = (double)head.set_bits / ((double)bloom_geometry_bytes(&head.geometry) * 8);
	least = pow(most, head.geometry.probes);
	if (params->ribbon) {
		least = ldexp(1, -(int)head.geometry.probes - 1);
		most = 1;
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
	if (most < 1) {
		assert_status(BLOOM_E_META, parse_with_rate(good, 1e15));
	}
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
	assert_status(BLOOM_E_HEAD_BYTES, blob_parse(large, &head));
	blob_free(&large);
	blob_free(&good);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: contradictory-counts, invalid-field, not-a-blob, saturated */
		TEST("each failed check of a head reports its own error",
			each_check_of_the_head_has_its_own_error),
		/* fault: invalid-field */
		TEST("a mark before the first record is refused if it has a check or a link",
			a_mark_before_the_first_record_has_neither_check_nor_link),
		/* fault: invalid-field */
		TEST("values at the limit are accepted", limits_themselves_are_accepted),
		/* fault: contradictory-counts */
		TEST("a measured rate that contradicts the set bits is refused",
			a_rate_that_the_bits_rule_out_is_refused),
		/* fault: invalid-field */
		TEST("a head of the wrong size is refused even if the file is long enough",
			a_head_of_the_wrong_size_is_refused_even_when_its_bytes_are_there),
	};

	return cmocka_run_group_tests_name("head", tests, NULL, NULL);
}

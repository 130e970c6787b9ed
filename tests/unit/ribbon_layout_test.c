/* The layout of ribbon filters: sizes, the words of a shard, and heads. No lookup reads outside its
 * shard. */
#include "support.h"

#include <math.h>

#include "filter/blob.h"
#include "filter/ribbon.h"

/* ---- sizes ---- */

/* A shard's words are distributed evenly: no word is left over, and the widths differ by at most
 * one. */
static void all_words_of_a_shard_are_dealt(void **state)
{
	bloom_geometry geometry = {.shards = 1};
	uint32_t words, wide, narrow, level;
	bloom_ribbon ribbon;

	(void)state;
	for (geometry.shard_bytes = 1024; geometry.shard_bytes <= 65536;
		geometry.shard_bytes *= 2) {
		geometry.block_bytes = geometry.shard_bytes;
		for (geometry.stripes = 0; geometry.stripes <= geometry.shard_bytes / 8;
			geometry.stripes += 2) {
			words = geometry.shard_bytes / 8 - (geometry.stripes + 63) / 64;
			geometry.probes = geometry.stripes != 0 ? words / geometry.stripes : 1;
			if (geometry.stripes < 10 || geometry.probes < 1 || geometry.probes > 32) {
				assert_int_equal(geometry.stripes == 0 ? BLOOM_OK
						: geometry.probes < 1 || geometry.probes > 32
						? BLOOM_E_PROBES
						: BLOOM_E_STRIPES,
					bloom_geometry_check(&geometry));
				continue;
			}
			assert_ok(bloom_geometry_check(&geometry));
			narrow = bloom_ribbon_narrow(&geometry);
			wide = geometry.stripes - narrow;
			assert_true(narrow >= 1);
			assert_int_equal(
				words, narrow * geometry.probes + wide * (geometry.probes + 1));
			ribbon = bloom_ribbon_of(&geometry, NULL);
			assert_int_equal(geometry.shard_bytes / 8,
				bloom_ribbon_word(&ribbon, geometry.stripes));
			/* The levels follow each other up to the last stripe, and each begins with
			 * a bucket. */
			for (level = 0, wide = 0; level < BLOOM_RIBBON_LEVELS; level++) {
				assert_int_equal(wide, ribbon.level[level].first);
				assert_int_equal(0, wide % BLOOM_RIBBON_BUCKET);
				assert_true(ribbon.level[level].starts >= BLOOM_RIBBON_BAND);
				wide += ribbon.level[level].starts;
			}
			assert_int_equal((geometry.stripes - 1) * BLOOM_RIBBON_BAND, wide);
		}
	}
}

static void sizing_keeps_the_rate_and_the_room(void **state)
{
	uint64_t random = test_seed("sizing");
	int round;

	(void)state;
	for (round = 0; round < 1000; round++) {
		bloom_params params = {.capacity_keys = 1 +
				random_next(&random) % (UINT64_C(1) << random_below(&random, 37)),
			.rate = pow(10, -0.31 - (double)random_below(&random, 8680) / 1000),
			.shard_bytes =
				random_below(&random, 2) ? 0 : 1024u << random_below(&random, 7),
			.ribbon = true};
		bloom_geometry geometry;

		/* Close to the floor, a result would need more bits than a stripe may have. */
		if (params.rate < 2 * bloom_rate_floor(params.capacity_keys)) {
			continue;
		}
		/* In small shards, ten stripes are too narrow for low rates. */
		if (params.shard_bytes != 0 &&
			params.rate < ldexp(1.1, 1 - (int)params.shard_bytes / 80)) {
			params.shard_bytes = 0;
		}
		assert_ok(bloom_geometry_choose(&params, 1, &geometry));
		assert_ok(bloom_geometry_check(&geometry));
		assert_true(bloom_geometry_rate(&geometry, params.capacity_keys) <= params.rate);
		assert_true((double)params.capacity_keys <=
			(double)geometry.shards * bloom_ribbon_capacity(&geometry));
	}
}

/* The ribbon scheme exists to reach this size. */
static void a_million_keys_take_less_than_seven_bits_each(void **state)
{
	uint64_t keys;

	(void)state;
	for (keys = 1000000; keys <= UINT64_C(1000000000); keys = keys * 7 / 2) {
		bloom_params params = {.capacity_keys = keys, .rate = 0.01, .ribbon = true};
		bloom_geometry geometry;

		assert_ok(bloom_geometry_choose(&params, 1, &geometry));
		assert_true((double)(bloom_head_bytes(&geometry, 65536) +
				    bloom_geometry_bytes(&geometry)) *
				8 <
			6.95 * (double)keys);
	}
}

static void a_size_that_is_asked_for_is_taken_and_one_without_room_refused(void **state)
{
	bloom_params params = {
		.capacity_keys = 100000, .rate = 0.5, .bits_per_key = 12, .ribbon = true};
	bloom_geometry geometry;

	(void)state;
	assert_ok(bloom_geometry_choose(&params, 1, &geometry));
	assert_ok(bloom_geometry_check(&geometry));
	assert_true((double)bloom_geometry_bytes(&geometry) * 8 <= 12 * 100000 * 1.07);
	assert_true(bloom_geometry_rate(&geometry, 1) < 0.001);
	params.bits_per_key = 1.01;
	assert_status(BLOOM_E_RIBBON_BITS, bloom_geometry_choose(&params, 1, &geometry));
	params.bits_per_key = 12;
	params.probes = 7;
	assert_status(BLOOM_E_NOT_BLOOM, bloom_geometry_choose(&params, 1, &geometry));
}

/* ---- reads ---- */

/* The shard is in an allocation of exactly its size, so that a sanitizer detects an overrun of
 * one byte. */
static void a_lookup_reads_nothing_outside_its_shard(void **state)
{
	uint64_t random = test_seed("inside"), i;
	int round;

	(void)state;
	for (round = 0; round < 400; round++) {
		bloom_geometry geometry = {.shards = 1 + random_below(&random, 1000000),
			.shard_bytes = 1024u << random_below(&random, 4)};
		unsigned char *shard = malloc(geometry.shard_bytes);
		bloom_ribbon ribbon;

		geometry.block_bytes = geometry.shard_bytes;
		do {
			geometry.stripes = 2 +
				(uint32_t)random_below(&random,
					random_below(&random, 2) ? 20
								 : geometry.shard_bytes / 8 - 1);
			geometry.probes =
				(geometry.shard_bytes / 8 - (geometry.stripes + 63) / 64) /
				geometry.stripes;
		} while (bloom_geometry_check(&geometry) != BLOOM_OK);
		assert_non_null(shard);
		for (i = 0; i < geometry.shard_bytes; i++) {
			/* Most bits are clear, so that many lookups continue to their last
			 * column. */
			shard[i] = (unsigned char)(random_below(&random, 64) == 0);
		}
		/* In half of the rounds, many keys are bumped, and some from the last level. */
		for (i = 0; round % 2 && i < 8 * bloom_ribbon_threshold_words(&geometry); i++) {
			shard[i] = (unsigned char)random_next(&random);
		}
		ribbon = bloom_ribbon_of(&geometry, NULL);
		for (i = 0; i < 300; i++) {
			/* Every other digest has a result of 0. The first two digests are the ends
			 * of the range. */
			uint64_t mask = i % 2 ? UINT64_MAX : ~UINT64_C(0x1FFFFFFFF);
			bloom_digest digest = i == 0 ? 0
				: i == 1             ? UINT64_MAX
						     : random_next(&random) & mask;

			assert_int_equal(bloom_ribbon_test_plain(&ribbon, shard, digest),
				bloom_ribbon_test_shard(&ribbon, shard, digest));
		}
		free(shard);
	}
}

/* ---- heads ---- */

static void each_check_of_a_ribbon_head_has_its_own_error(void **state)
{
	static const struct {
		uint32_t at;
		uint32_t value;
		bloom_status expected;
	} rows[] = {
		{44, 64, BLOOM_E_GEOMETRY}, /* the block must be as large as the shard */
		{48, 6, BLOOM_E_GEOMETRY},  /* the stripes determine the width */
		{48, 8, BLOOM_E_GEOMETRY},
		{52, 1, BLOOM_E_RESERVED},
		{52, 2, BLOOM_E_GEOMETRY},
		{80, 1, BLOOM_E_TOTALS},
		{256, 0, BLOOM_E_GEOMETRY},
		{256, 1, BLOOM_E_GEOMETRY},
		{256, 8, BLOOM_E_GEOMETRY},
		{256, 14, BLOOM_E_GEOMETRY},
		{256, 17, BLOOM_E_GEOMETRY},
		{256, 20, BLOOM_E_GEOMETRY},
		{256, 130, BLOOM_E_GEOMETRY},
		{256, UINT32_MAX, BLOOM_E_GEOMETRY},
		{260, 1, BLOOM_E_RESERVED},
		{268, 1, BLOOM_E_RESERVED},
		{516, 1, BLOOM_E_RESERVED},
		{512, 999, BLOOM_E_TOTALS},
		{80, 0, BLOOM_OK},
	};
	bloom_params params = {
		.capacity_keys = 1000, .rate = 0.01, .shard_bytes = 1024, .ribbon = true};
	test_blob good = blob_of(&params, 1, 1000, "in", NULL);
	bloom_head head;
	size_t i;

	(void)state;
	assert_ok(bloom_blob_parse(good.bytes, good.count, &head, &error));
	assert_int_equal(18, head.geometry.stripes);
	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		test_blob forged = blob_copy(good);

		bloom_put32(forged.bytes + rows[i].at, rows[i].value);
		mend_head(forged, 4096);
		assert_status(rows[i].expected,
			bloom_blob_parse(forged.bytes, forged.count, &head, &error));
		blob_free(&forged);
	}
	/* Only the checksum can detect a flipped bit. */
	good.bytes[good.count - 1] ^= 1;
	assert_ok(bloom_blob_parse(good.bytes, good.count, &head, &error));
	assert_status(BLOOM_E_SHARD_CHECKSUM,
		bloom_body_verify(&head, good.bytes + 4096, 0, head.geometry.shards, &error));
	blob_free(&good);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("each word of a shard belongs to a stripe", all_words_of_a_shard_are_dealt),
		TEST("sizing a ribbon filter meets the requested rate and capacity",
			sizing_keeps_the_rate_and_the_room),
		TEST("a million keys in a ribbon filter need less than 6.95 bits each",
			a_million_keys_take_less_than_seven_bits_each),
		TEST("a requested size is used, and a size that is too small is refused",
			a_size_that_is_asked_for_is_taken_and_one_without_room_refused),
		TEST("a lookup in a ribbon filter reads nothing outside its shard",
			a_lookup_reads_nothing_outside_its_shard),
		/* fault: invalid-field */
		TEST("each check of a ribbon head has its own error",
			each_check_of_a_ribbon_head_has_its_own_error),
	};

	return cmocka_run_group_tests_name("ribbon", tests, NULL, NULL);
}

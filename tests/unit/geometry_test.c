/* Tests of geometries and their rates: invalid geometries are refused, and the formulas are
 * accurate. */
#include "support.h"

#include <math.h>

#include "filter/geometry.h"
#include "filter/measure.h"
#include "filter/probe.h"

/* ---- allowed geometries ---- */

static bloom_geometry usual(void)
{
	return (bloom_geometry){.shards = 4, .shard_bytes = 8192, .block_bytes = 64, .probes = 6};
}

static void the_gate_lets_every_allowed_geometry_through(void **state)
{
	bloom_geometry geometry;

	(void)state;
	for (geometry = usual(), geometry.shard_bytes = 1024; geometry.shard_bytes <= 65536;
		geometry.shard_bytes *= 2) {
		for (geometry.block_bytes = 8; geometry.block_bytes <= geometry.shard_bytes;
			geometry.block_bytes *= 2) {
			for (geometry.probes = 1; geometry.probes <= 32; geometry.probes++) {
				geometry.shards = 1;
				assert_ok(bloom_geometry_check(&geometry));
				geometry.shards = BLOOM_FILTER_BYTES_MAX / geometry.shard_bytes;
				assert_ok(bloom_geometry_check(&geometry));
			}
		}
	}
}

static void refuse(bloom_status expected, const char *field, uint64_t value)
{
	bloom_geometry geometry = usual();

	if (strcmp(field, "shards") == 0) {
		geometry.shards = value;
	} else if (strcmp(field, "shard bytes") == 0) {
		geometry.shard_bytes = (uint32_t)value;
	} else if (strcmp(field, "block bytes") == 0) {
		geometry.block_bytes = (uint32_t)value;
	} else {
		geometry.probes = (uint32_t)value;
	}
	assert_status(expected, bloom_geometry_check(&geometry));
}

static void the_gate_refuses_what_lies_beyond_the_limits(void **state)
{
	static const uint64_t bad_shard_bytes[] = {
		0, 1, 512, 1023, 1025, 3072, 8191, 65535, 65537, 131072, 1u << 31, UINT32_MAX};
	static const uint64_t bad_block_bytes[] = {
		0, 1, 4, 7, 9, 12, 63, 96, 8191, 16384, 1u << 31, UINT32_MAX};
	static const uint64_t bad_probes[] = {0, 33, 64, UINT32_MAX};
	static const uint64_t bad_shards[] = {0, (BLOOM_FILTER_BYTES_MAX >> 13) + 1,
		UINT64_C(1) << 51, UINT64_C(1) << 63, UINT64_MAX};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof bad_shard_bytes / sizeof *bad_shard_bytes; i++) {
		refuse(BLOOM_E_SHARD_BYTES, "shard bytes", bad_shard_bytes[i]);
	}
	for (i = 0; i < sizeof bad_block_bytes / sizeof *bad_block_bytes; i++) {
		refuse(BLOOM_E_BLOCK_BYTES, "block bytes", bad_block_bytes[i]);
	}
	for (i = 0; i < sizeof bad_probes / sizeof *bad_probes; i++) {
		refuse(BLOOM_E_PROBES, "probes", bad_probes[i]);
	}
	for (i = 0; i < sizeof bad_shards / sizeof *bad_shards; i++) {
		refuse(BLOOM_E_TOO_LARGE, "shards", bad_shards[i]);
	}
}

/* Writes all fields and leaves the padding unchanged. */
static void set_fields(bloom_geometry *geometry)
{
	geometry->seed = 1;
	geometry->shards = 2;
	geometry->groups = 3;
	geometry->shard_bytes = 4;
	geometry->block_bytes = 5;
	geometry->probes = 6;
	geometry->fan_out = 7;
	geometry->stripes = 8;
	geometry->fingerprint = 9;
	geometry->foreign = 10;
	geometry->layers = 11;
	geometry->value_bits = 12;
}

static void two_geometries_are_equal_if_all_fields_are_whatever_is_in_their_padding(void **state)
{
	bloom_geometry one, other;
	uint64_t *const words[] = {&other.seed, &other.shards, &other.groups, &other.fingerprint};
	uint32_t *const halves[] = {&other.shard_bytes, &other.block_bytes, &other.probes,
		&other.fan_out, &other.stripes, &other.foreign, &other.layers, &other.value_bits};
	size_t i;

	(void)state;
	memset(&one, 0x55, sizeof one);
	memset(&other, 0xAA, sizeof other);
	set_fields(&one);
	set_fields(&other);
	assert_true(bloom_geometry_is_equal(&one, &other));
	for (i = 0; i < sizeof words / sizeof *words; i++) {
		*words[i] += UINT64_C(1) << 32;
		assert_false(bloom_geometry_is_equal(&one, &other));
		*words[i] -= UINT64_C(1) << 32;
	}
	for (i = 0; i < sizeof halves / sizeof *halves; i++) {
		++*halves[i];
		assert_false(bloom_geometry_is_equal(&one, &other));
		--*halves[i];
	}
	assert_true(bloom_geometry_is_equal(&one, &other));
}

/* ---- the formulas ---- */

static void the_rate_rises_with_the_keys_from_zero_to_one(void **state)
{
	bloom_geometry geometry = usual();
	double rate, before = 0;
	uint64_t keys;

	(void)state;
	assert_true(bloom_geometry_rate(&geometry, 0) == 0);
	for (keys = 1; keys < 100000000; keys += 1 + keys / 3) {
		rate = bloom_geometry_rate(&geometry, keys);
		assert_true(rate > 0 && rate <= 1 && rate >= before);
		before = rate;
	}
	assert_true(before > 0.999);
}

static void a_single_key_has_the_rate_that_counting_gives(void **state)
{
	/* The filter has 2^18 bits. One key with one probe sets one of these bits. */
	bloom_geometry geometry = usual();

	(void)state;
	geometry.probes = 1;
	assert_true(fabs(bloom_geometry_rate(&geometry, 1) * (1 << 18) - 1) < 1e-9);
}

static void one_block_has_the_classic_rate(void **state)
{
	bloom_geometry geometry = {
		.shards = 1, .shard_bytes = 65536, .block_bytes = 65536, .probes = 7};
	double bits = 65536 * 8.0, keys = 50000;
	double classic = pow(1 - exp(-7 * keys / bits), 7);

	(void)state;
	assert_true(fabs(bloom_geometry_rate(&geometry, 50000) / classic - 1) < 1e-3);
}

static void many_blocks_have_the_rate_of_putze_sanders_and_singler(void **state)
{
	bloom_geometry geometry = {
		.shards = 10000, .shard_bytes = 8192, .block_bytes = 64, .probes = 6};
	double mean = 50, poisson = exp(-mean), sum = 0;
	uint64_t keys = (uint64_t)(mean * 10000 * 128);
	int i;

	(void)state;
	for (i = 1; i < 200; i++) {
		poisson *= mean / i;
		sum += poisson * pow(1 - pow(1 - 1 / 512.0, 6.0 * i), 6);
	}
	/* The formula of Putze, Sanders and Singler ignores that blocks with the same number of
	 * keys differ in their set bits. This variation adds about 1 % to the rate. */
	assert_true(bloom_geometry_rate(&geometry, keys) / sum > 1.002);
	assert_true(bloom_geometry_rate(&geometry, keys) / sum < 1.02);
}

static void no_set_bit_is_no_key_and_all_bits_are_infinitely_many(void **state)
{
	bloom_geometry geometry = usual();

	(void)state;
	assert_true(bloom_geometry_estimated_keys(&geometry, 0) == 0);
	assert_true(isinf(bloom_geometry_estimated_keys(&geometry, 4 * 8192 * 8)));
}

/* The number of set bits of a full filter of 80,000 keys varies by less than 0.1 %, and so does the
 * estimate. */
static void set_bits_tell_how_many_keys_were_added(void **state)
{
	static const uint32_t block_bytes[] = {8, 64, 8192};
	uint64_t random = test_seed("set bits tell how many keys were added");
	double estimate;
	uint64_t i;
	int round;

	(void)state;
	for (round = 0; round < 9; round++) {
		bloom_params params = {.capacity_keys = 80000,
			.rate = 0.01,
			.probes = 6,
			.bits_per_key = 10,
			.shard_bytes = 8192,
			.block_bytes = block_bytes[round % 3]};
		bloom_builder builder = {0};

		assert_ok(bloom_builder_init(&params, random_next(&random), 0, &builder, &error));
		for (i = 0; i < 80000; i++) {
			(void)builder_add_key(&builder, "estimated", i);
		}
		estimate = bloom_geometry_estimated_keys(&builder.geometry,
			bloom_set_bits(builder.bits, bloom_geometry_bytes(&builder.geometry)));
		assert_true(fabs(estimate / 80000 - 1) < 0.01);
		bloom_builder_free(&builder);
	}
}

static void a_block_s_rate_is_the_share_of_its_bits_to_the_power_of_the_probes(void **state)
{
	(void)state;
	assert_true(bloom_lane_rate(0, 512, 6) == 0);
	assert_true(bloom_lane_rate(512, 512, 6) == 1);
	assert_true(fabs(bloom_lane_rate(256, 512, 6) - 1 / 64.0) < 1e-15);
}

/* ---- measured rates ----
 *
 * A measured rate is random for two reasons: the fill differs from filter to filter, and the
 * queries are a sample. The test checks each with its own standard deviation:
 *
 *   fill     The mean of meta.measured_rate, the exact rate of a filter's bits, over FILTERS
 *            independently seeded filters is compared with the formula. The standard deviation of
 *            the mean is s/√FILTERS, with s estimated from the same filters.
 *   queries  Given the filters, the hits among absent keys are binomially distributed with the
 *            filters' exact rates.
 *
 * A third check compares hits / queries with the formula, and adds both variances.
 */
typedef struct rate_case {
	const char *what;
	bloom_params params;
	uint64_t keys;
} rate_case;

enum { FILTERS = 24 };

static double measure(const rate_case *row, uint64_t seed, uint64_t queries, uint64_t *hits,
	bloom_geometry *geometry)
{
	char text[KEY_TEXT_BYTES];
	bloom_builder builder = {0};
	double rate;
	uint64_t i;
	size_t count;

	assert_ok(bloom_builder_init(&row->params, seed, 0, &builder, &error));
	for (i = 0; i < row->keys; i++) {
		(void)builder_add_key(&builder, "in", i);
	}
	assert_ok(bloom_builder_finish(&builder, 0, 1, &error));
	for (i = 0; i < queries; i++) {
		count = key_text("out", i, text);
		*hits += bloom_view_test(
			&builder.view, bloom_digest_of((const unsigned char *)text, count, seed));
	}
	rate = builder.meta.measured_rate;
	*geometry = builder.geometry;
	bloom_builder_free(&builder);
	return rate;
}

static void check_rate(const rate_case *row, uint64_t *random)
{
	const uint64_t queries = SANITIZED || getenv("BLOOM_TEST_SLOW") ? 40000 : 200000;
	double rates[FILTERS], mean = 0, spread = 0, sampling = 0, predicted, measured;
	bloom_geometry geometry = {0};
	uint64_t hits = 0;
	int i;

	for (i = 0; i < FILTERS; i++) {
		rates[i] = measure(row, random_next(random), queries, &hits, &geometry);
		mean += rates[i] / FILTERS;
		sampling += (double)queries * rates[i] * (1 - rates[i]);
	}
	for (i = 0; i < FILTERS; i++) {
		spread += (rates[i] - mean) * (rates[i] - mean) / (FILTERS - 1);
	}
	predicted = bloom_geometry_rate(&geometry, row->keys);
	measured = (double)hits / ((double)queries * FILTERS);
	sampling = sqrt(sampling) / ((double)queries * FILTERS);
	spread = sqrt(spread / FILTERS);
	printf("# %-34s predicted %.6g, bits %+.2f sigma (%+.3f %%), queries %+.2f sigma\n",
		row->what, predicted, (mean - predicted) / spread, 100 * (mean / predicted - 1),
		(measured - mean) / sampling);
	assert_true(fabs(measured - mean) <= 4 * sampling);
	assert_true(fabs(mean - predicted) <= 4 * spread);
	assert_true(fabs(measured - predicted) <= 4 * sqrt(spread * spread + sampling * sampling));
}

static void measured_rates_are_the_predicted_ones(void **state)
{
	static const rate_case cases[] = {
		{"1 %, 64-byte blocks", {.capacity_keys = 80000, .rate = 0.01}, 80000},
		{"1 %, half full", {.capacity_keys = 80000, .rate = 0.01}, 40000},
		{"1 %, twice too full", {.capacity_keys = 40000, .rate = 0.01}, 80000},
		{"0.1 %, 64-byte blocks", {.capacity_keys = 80000, .rate = 0.001}, 80000},
		{"30 %, 64-byte blocks", {.capacity_keys = 80000, .rate = 0.3}, 80000},
		{"1 probe", {.capacity_keys = 20000, .rate = 0.05, .probes = 1}, 20000},
		{"4 probes", {.capacity_keys = 50000, .rate = 0.02, .probes = 4}, 50000},
		{"7 probes, all of word 0", {.capacity_keys = 50000, .rate = 0.01, .probes = 7},
			50000},
		{"8 probes, two words", {.capacity_keys = 50000, .rate = 0.01, .probes = 8}, 50000},
		{"15 probes, three words", {.capacity_keys = 50000, .rate = 0.01, .probes = 15},
			50000},
		{"classic, 8 KiB",
			{.capacity_keys = 80000,
				.rate = 0.01,
				.block_bytes = 8192,
				.shard_bytes = 8192},
			80000},
		{"classic, 64 KiB",
			{.capacity_keys = 80000,
				.rate = 0.01,
				.block_bytes = 65536,
				.shard_bytes = 65536},
			80000},
		{"512-byte blocks", {.capacity_keys = 80000, .rate = 0.01, .block_bytes = 512},
			80000},
		{"tiny: 1 KiB in all", {.capacity_keys = 700, .rate = 0.01}, 700},
		{"tiny and classic",
			{.capacity_keys = 700,
				.rate = 0.01,
				.shard_bytes = 1024,
				.block_bytes = 1024},
			700},
		{"8-byte blocks, 3 probes",
			{.capacity_keys = 20000, .rate = 0.05, .block_bytes = 8, .probes = 3},
			20000},
	};
	uint64_t random = test_seed("measured rates are the predicted ones");
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		check_rate(&cases[i], &random);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: invalid-field */
		TEST("every allowed geometry is accepted",
			the_gate_lets_every_allowed_geometry_through),
		/* fault: invalid-field */
		TEST("geometries beyond the limits are refused",
			the_gate_refuses_what_lies_beyond_the_limits),
		/* fault: two-builds */
		TEST("geometries are compared by their fields, not by their padding",
			two_geometries_are_equal_if_all_fields_are_whatever_is_in_their_padding),
		TEST("the rate rises from zero to one as keys are added",
			the_rate_rises_with_the_keys_from_zero_to_one),
		TEST("with one key and one probe, the rate is one divided by the number of bits",
			a_single_key_has_the_rate_that_counting_gives),
		TEST("a filter of one block has the rate of the classic formula",
			one_block_has_the_classic_rate),
		TEST("the rate of many blocks is slightly higher than in Putze, Sanders and "
		     "Singler's formula",
			many_blocks_have_the_rate_of_putze_sanders_and_singler),
		TEST("no set bits give an estimate of zero keys, and all bits set give infinity",
			no_set_bit_is_no_key_and_all_bits_are_infinitely_many),
		TEST("the number of keys estimated from set bits is within 1 % of the true number",
			set_bits_tell_how_many_keys_were_added),
		TEST("a block's rate is the share of its set bits raised to the number of probes",
			a_block_s_rate_is_the_share_of_its_bits_to_the_power_of_the_probes),
		TEST("measured rates are within 4 sigma of the predicted rates",
			measured_rates_are_the_predicted_ones),
	};

	return cmocka_run_group_tests_name("geometry", tests, NULL, NULL);
}

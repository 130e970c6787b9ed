/* Sizes and rates: what is chosen, what is refused, and whether the formulas are accurate. */
#include "support.h"

#include <math.h>

#include "filter/geometry.h"
#include "filter/sizing.h"
#include "filter/measure.h"
#include "filter/probe.h"

/* ---- the gate ---- */

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

/* ---- params ---- */

static void refuse_params(bloom_status expected, bloom_params params)
{
	bloom_geometry geometry = {.shards = 77};

	assert_status(expected, bloom_geometry_choose(&params, 1, &geometry));
	assert_int_equal(77, geometry.shards);
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
}

static void two_geometries_are_equal_if_all_fields_are_whatever_is_in_their_padding(void **state)
{
	bloom_geometry one, other;
	uint64_t *const words[] = {&other.seed, &other.shards, &other.groups, &other.fingerprint};
	uint32_t *const halves[] = {&other.shard_bytes, &other.block_bytes, &other.probes,
		&other.fan_out, &other.stripes};
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

static void params_out_of_range_are_rejected_and_leave_the_result_alone(void **state)
{
	(void)state;
	refuse_params(BLOOM_E_CAPACITY, (bloom_params){.capacity_keys = 0, .rate = 0.01});
	refuse_params(BLOOM_E_CAPACITY,
		(bloom_params){.capacity_keys = BLOOM_CAPACITY_MAX + 1, .rate = 0.01});
	refuse_params(BLOOM_E_CAPACITY, (bloom_params){.capacity_keys = UINT64_MAX, .rate = 0.01});
	refuse_params(BLOOM_E_SHARD_BYTES,
		(bloom_params){.capacity_keys = 1, .rate = 0.01, .shard_bytes = 512});
	refuse_params(BLOOM_E_BLOCK_BYTES,
		(bloom_params){.capacity_keys = 1, .rate = 0.01, .block_bytes = 48});
	refuse_params(BLOOM_E_BLOCK_BYTES,
		(bloom_params){.capacity_keys = 1,
			.rate = 0.01,
			.shard_bytes = 1024,
			.block_bytes = 2048});
	refuse_params(
		BLOOM_E_PROBES, (bloom_params){.capacity_keys = 1, .rate = 0.01, .probes = 33});
}

static void rates_out_of_range_are_refused_and_so_are_nan_and_infinity(void **state)
{
	const double bad[] = {0, -0.0, -0.01, -1, 9.99e-10, 1e-300, 0.5000001, 1, 2, 1e300,
		(double)NAN, -(double)NAN, (double)INFINITY, -(double)INFINITY};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		refuse_params(BLOOM_E_RATE, (bloom_params){.capacity_keys = 1000, .rate = bad[i]});
	}
}

static void bits_per_key_out_of_range_are_refused_and_so_are_nan_and_infinity(void **state)
{
	const double bad[] = {0.999, -1, 1e-300, 1024.001, 1e300, (double)NAN, (double)INFINITY,
		-(double)INFINITY};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		refuse_params(BLOOM_E_BITS_PER_KEY,
			(bloom_params){
				.capacity_keys = 1000, .rate = 0.01, .bits_per_key = bad[i]});
	}
}

static void a_filter_beyond_4_tib_is_refused(void **state)
{
	(void)state;
	refuse_params(BLOOM_E_TOO_LARGE,
		(bloom_params){.capacity_keys = BLOOM_CAPACITY_MAX, .rate = 1e-9});
	refuse_params(BLOOM_E_TOO_LARGE,
		(bloom_params){
			.capacity_keys = BLOOM_CAPACITY_MAX, .rate = 0.01, .bits_per_key = 1024});
	/* One probe cannot reach this rate at this capacity. */
	refuse_params(BLOOM_E_TOO_LARGE,
		(bloom_params){.capacity_keys = UINT64_C(100000000000), .rate = 1e-9, .probes = 1});
}

static void every_corner_of_the_allowed_wishes_gives_a_geometry_of_that_rate(void **state)
{
	static const uint64_t capacities[] = {1, 2, 100, 99999, 10000000, UINT64_C(300000000000)};
	static const double rates[] = {1e-9, 1e-6, 0.001, 0.01, 0.3, 0.5};
	bloom_geometry geometry;
	size_t i, j;

	(void)state;
	for (i = 0; i < sizeof capacities / sizeof *capacities; i++) {
		for (j = 0; j < sizeof rates / sizeof *rates; j++) {
			bloom_params params = {.capacity_keys = capacities[i], .rate = rates[j]};

			assert_ok(bloom_geometry_choose(&params, 99, &geometry));
			assert_ok(bloom_geometry_check(&geometry));
			assert_true(bloom_geometry_rate(&geometry, capacities[i]) <= rates[j]);
			assert_int_equal(99, geometry.seed);
			if (geometry.shards > 1) {
				geometry.shards--;
				assert_true(
					bloom_geometry_rate(&geometry, capacities[i]) > rates[j]);
			}
		}
	}
}

static void a_wish_for_bytes_and_probes_is_kept(void **state)
{
	bloom_params params = {.capacity_keys = 100000,
		.rate = 0.01,
		.shard_bytes = 4096,
		.block_bytes = 512,
		.probes = 9};
	bloom_geometry geometry;

	(void)state;
	assert_ok(bloom_geometry_choose(&params, 0, &geometry));
	assert_int_equal(4096, geometry.shard_bytes);
	assert_int_equal(512, geometry.block_bytes);
	assert_int_equal(9, geometry.probes);
	params.bits_per_key = 8;
	assert_ok(bloom_geometry_choose(&params, 0, &geometry));
	assert_int_equal(9, geometry.probes);
	assert_int_equal((100000 * 8 + 32767) / 32768, geometry.shards);
}

/* ---- sizes ---- */

static double bits_a_key(bloom_params params)
{
	bloom_geometry geometry;

	assert_ok(bloom_geometry_choose(&params, 0, &geometry));
	return (double)bloom_geometry_bytes(&geometry) * 8 / (double)params.capacity_keys;
}

static void one_percent_costs_less_than_9_95_bits_a_key(void **state)
{
	uint64_t keys;

	(void)state;
	for (keys = 1000000; keys <= 1000000000; keys *= 10) {
		assert_true(
			bits_a_key((bloom_params){.capacity_keys = keys, .rate = 0.01}) <= 9.95);
	}
}

static void a_classic_filter_costs_hardly_more_than_the_optimum(void **state)
{
	double bits = bits_a_key((bloom_params){.capacity_keys = 10000000,
		.rate = 0.01,
		.shard_bytes = 65536,
		.block_bytes = 65536});

	(void)state;
	/* log2(1/0.01)/ln 2 = 9.585; 65,536-byte shards are filled unevenly by 0.4 %. */
	assert_true(bits >= 9.585 && bits <= 9.64);
	bits = bits_a_key((bloom_params){
		.capacity_keys = 10000000, .rate = 0.01, .shard_bytes = 8192, .block_bytes = 8192});
	assert_true(bits >= 9.585 && bits <= 9.66);
}

static void small_filters_are_not_rounded_up_by_much(void **state)
{
	(void)state;
	/* 1 KiB is the smallest filter: 800 keys at 1 % just fill it. */
	assert_true(bits_a_key((bloom_params){.capacity_keys = 10000, .rate = 0.01}) <= 10.7);
	assert_true(bits_a_key((bloom_params){.capacity_keys = 80000, .rate = 0.01}) <= 10.05);
}

static void sizes_rise_with_capacity_and_fall_with_the_rate(void **state)
{
	uint64_t keys, bytes, before = 0;
	bloom_geometry geometry;
	double rate;

	(void)state;
	for (keys = 100; keys < 30000000; keys += keys / 13) {
		bloom_params params = {.capacity_keys = keys, .rate = 0.01};

		assert_ok(bloom_geometry_choose(&params, 0, &geometry));
		bytes = bloom_geometry_bytes(&geometry);
		assert_true(bytes >= before);
		before = bytes;
	}
	for (rate = 1e-9, before = UINT64_MAX; rate <= 0.5; rate *= 1.3) {
		bloom_params params = {.capacity_keys = 500000, .rate = rate};

		assert_ok(bloom_geometry_choose(&params, 0, &geometry));
		bytes = bloom_geometry_bytes(&geometry);
		assert_true(bytes <= before);
		before = bytes;
	}
}

static void no_other_number_of_probes_makes_the_filter_smaller(void **state)
{
	static const double rates[] = {0.3, 0.1, 0.01, 0.001, 1e-4, 1e-6};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof rates / sizeof *rates; i++) {
		bloom_params params = {.capacity_keys = 3000000, .rate = rates[i]};
		double best = bits_a_key(params);

		for (params.probes = 1; params.probes <= 32; params.probes++) {
			assert_true(bits_a_key(params) >= best);
		}
	}
}

static void bits_per_key_fix_the_size_and_choose_the_best_probes(void **state)
{
	bloom_params params = {.capacity_keys = 1000000, .rate = 0.5, .bits_per_key = 10};
	bloom_geometry geometry, other;
	double rate;

	(void)state;
	assert_ok(bloom_geometry_choose(&params, 0, &geometry));
	assert_int_equal((10000000 + geometry.shard_bytes * 8 - 1) / (geometry.shard_bytes * 8),
		geometry.shards);
	rate = bloom_geometry_rate(&geometry, 1000000);
	for (other = geometry, other.probes = 1; other.probes <= 32; other.probes++) {
		assert_true(bloom_geometry_rate(&other, 1000000) >= rate);
	}
	assert_true(rate < 0.0101 && rate > 0.0081);
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
	/* One key, one probe: 1 bit of 2^18 is set. */
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
	/* Their formula ignores that the number of set bits varies between blocks, which adds 1
	 * %. */
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

/* The set bits of a full filter of 80,000 keys vary by less than 0.1 %, so the estimate does,
 * too. */
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

/* ---- the formula against filters ----
 *
 * A measured rate is random twice: the fill differs from filter to filter, and the queries are a
 * sample. Each is tested with its own standard deviation:
 *
 *   fill     The mean over FILTERS independently seeded filters of the rate that their bits have
 *            exactly (meta.measured_rate) is compared with the formula; its deviation is estimated
 *            from the filters themselves, s/√FILTERS.
 *   queries  Given the filters, the hits among absent keys are binomial with exactly those rates.
 *
 * And both together: hits / queries against the formula, with the sum of the variances.
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
		TEST("the gate accepts every allowed geometry",
			the_gate_lets_every_allowed_geometry_through),
		TEST("the gate refuses geometries beyond the limits",
			the_gate_refuses_what_lies_beyond_the_limits),
		TEST("two geometries are equal if all fields are, whatever their padding contains",
			two_geometries_are_equal_if_all_fields_are_whatever_is_in_their_padding),
		TEST("params out of range are refused and leave the result alone",
			params_out_of_range_are_rejected_and_leave_the_result_alone),
		TEST("rates out of range are refused, and so are NaN and infinity",
			rates_out_of_range_are_refused_and_so_are_nan_and_infinity),
		TEST("bits per key out of range are refused, and so are NaN and infinity",
			bits_per_key_out_of_range_are_refused_and_so_are_nan_and_infinity),
		TEST("a filter beyond 4 TiB is refused", a_filter_beyond_4_tib_is_refused),
		TEST("every corner of the allowed params gives the smallest filter of that rate",
			every_corner_of_the_allowed_wishes_gives_a_geometry_of_that_rate),
		TEST("requested shard bytes, block bytes and probes are kept",
			a_wish_for_bytes_and_probes_is_kept),
		TEST("a rate of 1 % costs at most 9.95 bits per key from a million keys on",
			one_percent_costs_less_than_9_95_bits_a_key),
		TEST("a classic filter costs hardly more than the optimum of 9.585 bits per key",
			a_classic_filter_costs_hardly_more_than_the_optimum),
		TEST("small filters are not rounded up by much",
			small_filters_are_not_rounded_up_by_much),
		TEST("sizes rise with the capacity and fall with the rate",
			sizes_rise_with_capacity_and_fall_with_the_rate),
		TEST("no other number of probes makes the filter smaller",
			no_other_number_of_probes_makes_the_filter_smaller),
		TEST("bits per key fix the size and choose the best probes",
			bits_per_key_fix_the_size_and_choose_the_best_probes),
		TEST("the rate rises with the keys, from zero to one",
			the_rate_rises_with_the_keys_from_zero_to_one),
		TEST("the rate of a single key matches exhaustive counting",
			a_single_key_has_the_rate_that_counting_gives),
		TEST("one block has the classic formula's rate", one_block_has_the_classic_rate),
		TEST("many blocks have the rate of Putze, Sanders and Singler, and a little more",
			many_blocks_have_the_rate_of_putze_sanders_and_singler),
		TEST("no set bits mean no keys, and all bits set mean infinitely many",
			no_set_bit_is_no_key_and_all_bits_are_infinitely_many),
		TEST("the number of keys is estimated from set bits",
			set_bits_tell_how_many_keys_were_added),
		TEST("a block's rate is the share of its set bits to the power of the probes",
			a_block_s_rate_is_the_share_of_its_bits_to_the_power_of_the_probes),
		TEST("measured rates match the predicted ones within 4 sigma",
			measured_rates_are_the_predicted_ones),
	};

	return cmocka_run_group_tests_name("geometry", tests, NULL, NULL);
}

/* Sizing: the geometry that is chosen for a capacity and a rate, and the params that are
 * refused. */
#include "support.h"

#include <math.h>

#include "filter/rate.h"
#include "filter/sizing.h"

/* ---- params ---- */

static void refuse_params(bloom_status expected, bloom_params params)
{
	bloom_geometry geometry = {.shards = 77};

	assert_status(expected, bloom_geometry_choose(&params, 1, &geometry));
	assert_int_equal(77, geometry.shards);
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
		(bloom_params){.capacity_keys = BLOOM_CAPACITY_MAX, .rate = 1e-7});
	refuse_params(BLOOM_E_TOO_LARGE,
		(bloom_params){
			.capacity_keys = BLOOM_CAPACITY_MAX, .rate = 0.01, .bits_per_key = 1024});
	/* One probe cannot reach this rate at this capacity. */
	refuse_params(BLOOM_E_TOO_LARGE,
		(bloom_params){.capacity_keys = UINT64_C(10000000000), .rate = 1e-9, .probes = 1});
}

/* Two keys share a digest with a probability of 2^-64. */
static void a_rate_below_that_of_equal_digests_is_refused(void **state)
{
	const uint64_t keys = UINT64_C(1) << 35;
	const double floor = ldexp(1, 35 - 64); /* 1.9e-9 */
	bloom_params reverse = {.capacity_keys = keys, .rate = 2 * floor, .groups = 4096};
	bloom_params fixed = {.capacity_keys = keys, .rate = floor, .bits_per_key = 9};
	bloom_geometry geometry;

	(void)state;
	refuse_params(BLOOM_E_RATE_FLOOR, (bloom_params){.capacity_keys = keys, .rate = floor});
	refuse_params(BLOOM_E_RATE_FLOOR,
		(bloom_params){.capacity_keys = keys, .rate = floor, .ribbon = true});
	/* Each value counts as one key at each of the two levels. */
	refuse_params(BLOOM_E_RATE_FLOOR, reverse);
	/* Just above the floor, a filter can be sized. With fixed bits, the rate is not used. */
	assert_ok(bloom_geometry_choose(
		&(bloom_params){.capacity_keys = keys, .rate = 1.01 * floor}, 1, &geometry));
	assert_true(bloom_geometry_rate(&geometry, keys) > floor);
	assert_true(bloom_geometry_rate(&geometry, keys) <= 1.01 * floor);
	assert_ok(bloom_geometry_choose(
		&(bloom_params){.capacity_keys = keys, .rate = 2 * floor, .ribbon = true}, 1,
		&geometry));
	assert_true(bloom_geometry_rate(&geometry, keys) <= 2 * floor);
	assert_ok(bloom_geometry_choose(&fixed, 1, &geometry));
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

			if (rates[j] <= bloom_rate_floor(capacities[i])) {
				refuse_params(BLOOM_E_RATE_FLOOR, params);
				continue;
			}
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

static uint32_t default_block(bloom_params params)
{
	bloom_geometry geometry;

	params.capacity_keys = 100000;
	assert_ok(bloom_geometry_choose(&params, 0, &geometry));
	return geometry.block_bytes;
}

static void the_default_block_depends_on_the_rate(void **state)
{
	(void)state;
	assert_int_equal(64, default_block((bloom_params){.rate = 0.5}));
	assert_int_equal(64, default_block((bloom_params){.rate = 0.01}));
	assert_int_equal(64, default_block((bloom_params){.rate = nextafter(1e-3, 1)}));
	assert_int_equal(256, default_block((bloom_params){.rate = 1e-3}));
	assert_int_equal(256, default_block((bloom_params){.rate = 1e-6}));
	assert_int_equal(256, default_block((bloom_params){.rate = 1e-9}));
	/* A classic filter with 14.38 bits per key has a rate of 1 in 1,000. */
	assert_int_equal(64, default_block((bloom_params){.rate = 1e-9, .bits_per_key = 14.37}));
	assert_int_equal(256, default_block((bloom_params){.rate = 0.5, .bits_per_key = 14.38}));
	/* A given block size is kept, and so is the block size of a reverse index. */
	assert_int_equal(64, default_block((bloom_params){.rate = 1e-6, .block_bytes = 64}));
	assert_int_equal(512, default_block((bloom_params){.rate = 0.01, .block_bytes = 512}));
	assert_int_equal(16384,
		default_block((bloom_params){.rate = 1e-6, .shard_bytes = 16384, .groups = 2}));
	/* The smallest shard holds four blocks. */
	assert_int_equal(256, default_block((bloom_params){.rate = 1e-6, .shard_bytes = 1024}));
}

static void low_rates_cost_at_most_a_tenth_more_than_the_classic_layout(void **state)
{
	double rate;

	(void)state;
	for (rate = 1e-3; rate >= 1e-6; rate /= 10) {
		bloom_params params = {.capacity_keys = 10000000, .rate = rate};
		double bits = bits_a_key(params);

		params.block_bytes = 8192;
		assert_true(bits > bits_a_key(params));
		assert_true(bits < 1.1 * bits_a_key(params));
	}
}

static void small_filters_are_not_rounded_up_by_much(void **state)
{
	(void)state;
	/* The smallest filter has 1 KiB, which 800 keys at 1 % just fill. */
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
	/* With the default blocks, a rate just above 1 in 1,000 needs more bits than 1 in 1,000. */
	for (rate = 1e-9, before = UINT64_MAX; rate <= 0.5; rate *= 1.3) {
		bloom_params params = {.capacity_keys = 500000, .rate = rate, .block_bytes = 128};

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: odd-numbers */
		TEST("params out of range are refused and leave the result unchanged",
			params_out_of_range_are_rejected_and_leave_the_result_alone),
		/* fault: invalid-field */
		TEST("rates out of range are refused, and so are NaN and infinity",
			rates_out_of_range_are_refused_and_so_are_nan_and_infinity),
		TEST("bits per key out of range are refused, and so are NaN and infinity",
			bits_per_key_out_of_range_are_refused_and_so_are_nan_and_infinity),
		/* fault: huge-size */
		TEST("a filter beyond 4 TiB is refused", a_filter_beyond_4_tib_is_refused),
		TEST("a rate that is not above the probability of equal digests is refused",
			a_rate_below_that_of_equal_digests_is_refused),
		TEST("each extreme combination of allowed params gives the smallest filter for its "
		     "rate",
			every_corner_of_the_allowed_wishes_gives_a_geometry_of_that_rate),
		TEST("requested shard bytes, block bytes and probes are used",
			a_wish_for_bytes_and_probes_is_kept),
		TEST("a rate of 1 % needs at most 9.95 bits per key for a million keys or more",
			one_percent_costs_less_than_9_95_bits_a_key),
		TEST("a classic filter needs hardly more than the optimum of 9.585 bits per key",
			a_classic_filter_costs_hardly_more_than_the_optimum),
		TEST("the default block has 64 bytes for rates above 1 in 1,000, otherwise 256",
			the_default_block_depends_on_the_rate),
		TEST("rates down to 1 in a million need less than 10 % more bits than the "
		     "classic layout",
			low_rates_cost_at_most_a_tenth_more_than_the_classic_layout),
		TEST("small filters are not rounded up by much",
			small_filters_are_not_rounded_up_by_much),
		TEST("filters are larger for a higher capacity and smaller for a higher rate",
			sizes_rise_with_capacity_and_fall_with_the_rate),
		TEST("no number of probes other than the chosen one makes the filter smaller",
			no_other_number_of_probes_makes_the_filter_smaller),
		TEST("requested bits per key fix the size, and the best number of probes is chosen",
			bits_per_key_fix_the_size_and_choose_the_best_probes),
	};

	return cmocka_run_group_tests_name("sizing", tests, NULL, NULL);
}

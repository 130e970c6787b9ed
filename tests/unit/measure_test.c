/* Measuring a filter by its set bits. The tests compare the results with bits counted one by one,
 * keys counted exactly, and lookups of random digests. All bounds are computed from the statistics
 * of random bits. */
#include "support.h"

#include <math.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter/measure.h"

/* Lanes of 64, 512, 4096 and 8192 bits, of a whole large shard, and the columns of a reverse index.
 * A meter keeps a table for the smaller lanes only. */
static const bloom_geometry geometries[] = {
	{.shards = 5, .shard_bytes = 1024, .block_bytes = 8, .probes = 3},
	{.shards = 9, .shard_bytes = 8192, .block_bytes = 64, .probes = 6},
	{.shards = 7, .shard_bytes = 1024, .block_bytes = 512, .probes = 9},
	{.shards = 7, .shard_bytes = 1024, .block_bytes = 1024, .probes = 9},
	{.shards = 3, .shard_bytes = 65536, .block_bytes = 65536, .probes = 12},
	{.shards = 4,
		.groups = 300,
		.shard_bytes = 4096,
		.block_bytes = 4096,
		.probes = 5,
		.fan_out = 64},
};

enum { GEOMETRIES = sizeof geometries / sizeof *geometries, PLAIN = GEOMETRIES - 1 };

/* A meter is too large for many stacks. */
static bloom_meter meter;

/* Returns the bits of a filter. About `share` of them are set. */
static unsigned char *random_bits(const bloom_geometry *geometry, double share, uint64_t *random)
{
	uint64_t count = bloom_geometry_bytes(geometry), i;
	unsigned char *bits = calloc(1, (size_t)count);

	assert_non_null(bits);
	for (i = 0; i < count * 8; i++) {
		if ((double)(random_next(random) >> 11) * 0x1p-53 < share) {
			bits[i / 8] |= (unsigned char)(1u << (i % 8));
		}
	}
	return bits;
}

static bool bit_at(const unsigned char *bits, uint64_t at)
{
	return bits[at / 8] >> (at % 8) & 1;
}

/* ---- counting ---- */

static void bits_are_counted_wherever_they_lie(void **state)
{
	uint64_t random = test_seed("set bits"), count, i, expected;
	unsigned char *bytes;
	int round;

	(void)state;
	for (round = 0; round < 300; round++) {
		/* The allocation ends directly after the bits, which begin at any alignment. */
		uint64_t offset = random_below(&random, 8);

		count = random_below(&random, 60) * 8;
		bytes = malloc((size_t)(offset + count) + (count == 0));
		assert_non_null(bytes);
		for (i = 0; i < offset + count; i++) {
			bytes[i] = (unsigned char)(round == 0 ? 255 : random_next(&random));
		}
		for (i = expected = 0; i < count * 8; i++) {
			expected += bit_at(bytes + offset, i);
		}
		assert_int_equal(expected, bloom_set_bits(bytes + offset, count));
		free(bytes);
	}
}

/* Computes the result of bloom_meter_shard() bit by bit, from the definition of lanes in
 * geometry.h. */
static double rates_of_lanes(
	const bloom_geometry *geometry, const unsigned char *shard, uint64_t *set_bits)
{
	uint32_t lane_bits = bloom_geometry_lane_bits(geometry), bit, lane;
	uint32_t lanes = geometry->shard_bytes * 8 / lane_bits;
	uint32_t *in_lane = calloc(lanes, sizeof *in_lane);
	double sum = 0;

	assert_non_null(in_lane);
	for (bit = 0; bit < geometry->shard_bytes * 8; bit++) {
		lane = geometry->fan_out != 0 ? bit % geometry->fan_out : bit / lane_bits;
		in_lane[lane] += bit_at(shard, bit);
	}
	for (*set_bits = lane = 0; lane < lanes; lane++) {
		*set_bits += in_lane[lane];
		sum += pow((double)in_lane[lane] / lane_bits, geometry->probes);
	}
	free(in_lane);
	return sum;
}

static bool is_near(double one, double other)
{
	return fabs(one - other) <= 1e-12 * fabs(other);
}

static void shards_are_measured_as_by_counting_each_bit(void **state)
{
	static const double shares[] = {0, 0.001, 0.3, 0.5, 0.99, 1};
	uint64_t random = test_seed("shards"), shard, set_bits, total;
	bloom_measure found;
	size_t i;

	(void)state;
	for (i = 0; i < 6 * GEOMETRIES; i++) {
		const bloom_geometry *geometry = &geometries[i / 6];
		unsigned char *bits = random_bits(geometry, shares[i % 6], &random);
		double expected, sum = 0;
		uint32_t some = 0;

		assert_ok(bloom_geometry_check(geometry));
		bloom_meter_init(&meter, geometry);
		for (shard = total = 0; shard < geometry->shards; shard++) {
			const unsigned char *at = bits + shard * geometry->shard_bytes;

			expected = rates_of_lanes(geometry, at, &set_bits);
			assert_true(is_near(bloom_meter_shard(&meter, at, &some), expected));
			assert_int_equal(set_bits, some);
			found = bloom_measure_shards(&meter, bits, shard, 1);
			assert_int_equal(set_bits, found.set_bits);
			total += set_bits;
			sum += expected;
		}
		found = bloom_measure_shards(&meter, bits, 0, geometry->shards);
		assert_int_equal(total, found.set_bits);
		assert_true(is_near(found.rate, sum / (double)bloom_geometry_lanes(geometry)));
		assert_true(is_near(
			found.fill, (double)total / 8 / (double)bloom_geometry_bytes(geometry)));
		assert_true(found.keys == bloom_geometry_estimated_keys(geometry, total));
		free(bits);
	}
}

static void no_bit_is_nothing_and_all_bits_are_everything(void **state)
{
	uint64_t random = test_seed("none and all");
	bloom_measure found;
	int i;

	(void)state;
	for (i = 0; i < GEOMETRIES; i++) {
		unsigned char *none = random_bits(&geometries[i], 0, &random);
		unsigned char *all = random_bits(&geometries[i], 1, &random);

		bloom_meter_init(&meter, &geometries[i]);
		found = bloom_measure_shards(&meter, none, 0, geometries[i].shards);
		assert_true(found.set_bits == 0 && found.fill == 0 && found.keys == 0 &&
			found.rate == 0);
		found = bloom_measure_shards(&meter, all, 0, geometries[i].shards);
		assert_int_equal(bloom_geometry_bytes(&geometries[i]) * 8, found.set_bits);
		assert_true(found.fill == 1 && isinf(found.keys) && is_near(found.rate, 1));
		free(none);
		free(all);
	}
}

/* ---- the rate ---- */

static void the_measured_rate_is_the_chance_of_a_random_digest(void **state)
{
	enum { DRAWS = 300000 };
	uint64_t random = test_seed("chance"), hits, i;
	int which;

	(void)state;
	for (which = 0; which < PLAIN; which++) {
		const bloom_geometry *geometry = &geometries[which];
		/* With this share of set bits, about a tenth of all digests find all their bits
		 * set. */
		double share = pow(0.1, 1.0 / geometry->probes);
		unsigned char *bits = random_bits(geometry, share, &random);
		bloom_view view = bloom_view_of(geometry, bits);
		double rate;

		bloom_meter_init(&meter, geometry);
		rate = bloom_measure_shards(&meter, bits, 0, geometry->shards).rate;
		assert_true(rate > 0.05 && rate < 0.2);
		for (i = hits = 0; i < DRAWS; i++) {
			bloom_digest digest = random_next(&random);

			hits += bloom_view_test(&view, digest);
		}
		if (!is_likely((double)hits, DRAWS, rate)) {
			fail_msg("geometry %d: %llu of %d hits at a rate of %g", which,
				(unsigned long long)hits, DRAWS, rate);
		}
		free(bits);
	}
}

/* ---- the number of keys ---- */

/* Returns the standard deviation of the estimated number of keys after `keys` random keys, and its
 * bias.
 *
 * A key sets up to k bits in one of b lanes of B bits. Let h = 1 − (1 − 1/B)^k and h₂ = 1 − (1 −
 * 2/B)^k. The key leaves a given bit clear with probability 1 − h/b, two given bits of one lane
 * with 1 − h₂/b, and two given bits of different lanes with 1 − 2h/b. These probabilities, to the
 * power of the number of keys, give the variance of the number of clear bits. The first two
 * derivatives of the estimate then give its standard deviation and bias. */
static double deviation(const bloom_geometry *geometry, double keys, double *bias)
{
	double lane_bits = bloom_geometry_lane_bits(geometry);
	double lanes = (double)bloom_geometry_lanes(geometry), bits = lanes * lane_bits;
	double one = log1p(expm1(geometry->probes * log1p(-1 / lane_bits)) / lanes);
	double near = log1p(expm1(geometry->probes * log1p(-2 / lane_bits)) / lanes);
	double far = log1p(2 * expm1(geometry->probes * log1p(-1 / lane_bits)) / lanes);
	double clear = exp(keys * one);
	double variance = bits * clear * (1 - clear) +
		bits * (lane_bits - 1) * clear * clear * expm1(keys * (near - 2 * one)) +
		bits * (bits - lane_bits) * clear * clear * expm1(keys * (far - 2 * one));
	double relative = variance / (bits * clear) / (bits * clear);

	*bias = relative / 2 / -one;
	return sqrt(relative) / -one;
}

static void estimates_are_within_computed_bounds_of_exact_counts(void **state)
{
	enum { ROUNDS = 12 };
	static const double loads[] = {0.05, 0.5, 1, 2};
	uint64_t random = test_seed("estimates"), keys, i;
	double bias, sigma, off, sum = 0;
	int round, trials = 0;
	bloom_measure found;

	(void)state;
	for (round = 0; round < ROUNDS * PLAIN; round++) {
		const bloom_geometry *geometry = &geometries[round % PLAIN];
		unsigned char *bits = random_bits(geometry, 0, &random);
		bloom_view view = bloom_view_of(geometry, bits);

		/* With ln 2 / probes keys per bit, half of the bits are set. */
		keys = (uint64_t)(loads[round / PLAIN % 4] * 0.6931 * 8 / geometry->probes *
			(double)bloom_geometry_bytes(geometry));
		for (i = 0; i < keys; i++) {
			bloom_digest digest = random_next(&random);

			(void)bloom_view_set(&view, bits, digest);
		}
		bloom_meter_init(&meter, geometry);
		found = bloom_measure_shards(&meter, bits, 0, geometry->shards);
		sigma = deviation(geometry, (double)keys, &bias);
		off = (found.keys - (double)keys - bias) / sigma;
		if (fabs(off) > 4) {
			fail_msg("%llu keys, %g estimated: %g sigma of %g",
				(unsigned long long)keys, found.keys, off, sigma);
		}
		/* The bound is tight enough to be meaningful. */
		assert_true(sigma < 0.03 * (double)keys);
		sum += off;
		trials++;
		free(bits);
	}
	printf("# mean of %d estimates: %+.2f sigma\n", trials, sum / trials);
	assert_true(fabs(sum) <= 4 * sqrt(trials));
}

/* ---- a shard row's keys ---- */

static void a_row_s_keys_are_what_its_gate_accepts(void **state)
{
	uint64_t random = test_seed("rows");
	int round;

	(void)state;
	for (round = 0; round < 20000; round++) {
		const bloom_geometry *geometry = &geometries[random_below(&random, GEOMETRIES)];
		uint64_t bits = geometry->shard_bytes * UINT64_C(8);
		uint32_t set_bits = (uint32_t)(round % 3 == 0 ? bits - random_below(&random, 3)
							      : random_below(&random, bits + 1));
		uint64_t fewest = (set_bits + geometry->probes - 1) / geometry->probes;
		uint64_t least = random_below(&random, bits), most = random_below(&random, bits);
		uint64_t keys = bloom_row_keys(geometry, set_bits, least, most);

		/* Each key set at least one new bit, and at most one per probe. */
		assert_in_range(keys, fewest, set_bits);
		if (least <= most) {
			assert_true(keys >= least || keys == set_bits);
			assert_true(keys <= most || keys == fewest);
		}
		if (set_bits == bits) {
			keys = bloom_row_keys(geometry, set_bits, 0, UINT64_MAX);
			assert_int_equal(set_bits, keys);
		}
		assert_int_equal(0, bloom_row_keys(geometry, 0, least, most));
	}
}

static void a_row_s_keys_are_within_computed_bounds_of_those_that_were_counted(void **state)
{
	uint64_t random = test_seed("counted rows"), i, shard;
	bloom_params params = {.capacity_keys = 40000, .rate = 0.01, .shard_bytes = 8192};
	double bias, sigma;
	bloom_builder builder = {0};
	bloom_geometry one;

	(void)state;
	assert_ok(bloom_builder_init(&params, random_next(&random), 0, &builder, &error));
	one = builder.geometry;
	one.shards = 1;
	for (i = 0; i < 40000; i++) {
		(void)builder_add_key(&builder, "counted", i);
	}
	for (shard = 0; shard < builder.geometry.shards; shard++) {
		uint32_t set_bits = (uint32_t)bloom_set_bits(
			builder.bits + shard * one.shard_bytes, one.shard_bytes);
		double counted = builder.shard_keys[shard];
		double keys = bloom_row_keys(&one, set_bits, 0, UINT64_MAX);

		/* The builder counted only new keys. The other keys, a smaller share than the rate,
		 * set no bit. */
		sigma = deviation(&one, counted, &bias);
		assert_true(fabs(keys - counted) <= 4 * sigma + bias + 1 + params.rate * counted);
		assert_true(sigma < 0.02 * counted);
	}
	bloom_builder_free(&builder);
}

/* ---- samples ---- */

static void a_sample_is_within_computed_bounds_of_the_whole(void **state)
{
	bloom_params params = {.capacity_keys = 3000000, .rate = 0.01};
	bloom_builder builder;
	bloom_measure whole, sample;
	double root = sqrt(BLOOM_SAMPLE_BYTES / BLOOM_BLOCK_BYTES_DEFAULT);
	uint64_t i;

	(void)state;
	assert_ok(bloom_builder_init(&params, test_seed("sample"), 0, &builder, &error));
	for (i = 0; i < params.capacity_keys; i++) {
		(void)builder_add_key(&builder, "sampled", i);
	}
	assert_true(bloom_geometry_bytes(&builder.geometry) > 3 * BLOOM_SAMPLE_BYTES);
	bloom_meter_init(&meter, &builder.geometry);
	whole = bloom_measure_shards(&meter, builder.bits, 0, builder.geometry.shards);
	sample = bloom_measure_sample(&meter, builder.bits);
	/* The factors are the deviations of a single block from measure.h. */
	assert_true(sample.fill != whole.fill);
	assert_true(fabs(sample.fill / whole.fill - 1) <= 4 * 0.11 / root);
	assert_true(fabs((double)sample.set_bits / (double)whole.set_bits - 1) <= 4 * 0.11 / root);
	assert_true(fabs(sample.keys / whole.keys - 1) <= 4 * 0.15 / root);
	assert_true(fabs(sample.rate / whole.rate - 1) <= 4 * 0.75 / root);
	bloom_builder_free(&builder);
}

/* Reading a hole of a file in memory allocates its page, so the file's block count shows how much
 * was read. */
static uint64_t bytes_sampled(const bloom_geometry *geometry)
{
	uint64_t bytes = bloom_geometry_bytes(geometry);
	int file = memfd_create("sampled", MFD_CLOEXEC);
	unsigned char *map = NULL;
	struct stat found;

	assert_true(file >= 0);
	assert_int_equal(0, ftruncate(file, (off_t)bytes));
	assert_ok(bloom_map(file, bytes, false, &map, &error));
	(void)madvise(map, bytes, MADV_NOHUGEPAGE); /* otherwise a read may allocate 2 MiB */
	bloom_meter_init(&meter, geometry);
	assert_int_equal(0, bloom_measure_sample(&meter, map).set_bits);
	assert_int_equal(0, fstat(file, &found));
	bloom_unmap(map, bytes);
	close(file);
	return (uint64_t)found.st_blocks * 512;
}

static void a_sample_reads_as_much_of_a_large_filter_as_of_a_larger_one(void **state)
{
	bloom_geometry plain = {.shard_bytes = 8192, .block_bytes = 64, .probes = 6};
	bloom_geometry reverse = {.shard_bytes = 65536,
		.block_bytes = 65536,
		.probes = 6,
		.groups = 1000,
		.fan_out = 256};

	(void)state;
	needs_posix("the blocks of a file cannot be counted here");
	for (plain.shards = 128; plain.shards <= 16384; plain.shards = plain.shards * 2 + 1) {
		assert_int_equal(BLOOM_SAMPLE_BYTES, bytes_sampled(&plain));
	}
	for (reverse.shards = 4; reverse.shards <= 512; reverse.shards = reverse.shards * 2 + 1) {
		assert_int_equal(BLOOM_SAMPLE_BYTES_REVERSE, bytes_sampled(&reverse));
	}
	/* A filter that is smaller than a sample is measured completely. */
	plain.shards = 100;
	assert_int_equal(100 * 8192, bytes_sampled(&plain));
}

/* ---- concurrent adds ---- */

enum { ADDED = 100000 };

static int add_many(void *context)
{
	bloom_attachment *attachment = context;
	uint64_t i;

	for (i = 0; i < ADDED; i++) {
		(void)bloom_live_add(
			attachment->live, 0, key_digest(attachment->live->known.seed, "key", i));
	}
	return 0;
}

static void what_is_measured_while_others_add_only_rises(void **state)
{
	bloom_live_params params = {.kind = BLOOM_KIND_LIVE, .capacity_keys = ADDED, .rate = 0.01};
	bloom_measure before = {0}, found;
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;
	bloom_geometry geometry;
	double sigma, bias;
	pid_t child;
	int i;

	(void)state;
	live_create(&segment, "seen", &params, test_seed("rising"));
	attach_to(&segment, "seen", &attachment);
	geometry = bloom_live_geometry(&attachment.live->known, 0);
	bloom_meter_init(&meter, &geometry);
	child = start_child(add_many, &attachment);
	for (i = 0; i < 500; i++) {
		found = bloom_measure_shards(
			&meter, bloom_live_bits(attachment.live, 0), 0, geometry.shards);
		assert_true(found.set_bits >= before.set_bits && found.rate >= before.rate &&
			found.keys >= before.keys && found.fill >= before.fill);
		before = found;
	}
	assert_int_equal(0, wait_child(child));
	found = bloom_measure_shards(
		&meter, bloom_live_bits(attachment.live, 0), 0, geometry.shards);
	assert_true(found.set_bits >= before.set_bits && found.rate >= before.rate);
	sigma = deviation(&geometry, ADDED, &bias);
	assert_true(fabs(found.keys - ADDED - bias) <= 4 * sigma);
	bloom_detach(&attachment);
}

/* ---- chance ---- */

/* A filter of random keys. */
typedef struct spread_case {
	double rate;
	uint64_t keys;
	uint64_t groups;
	int seeds;
} spread_case;

/* Returns the measured rate of a filter with that many random keys. */
static double rate_of_random_keys(const bloom_geometry *geometry, uint64_t keys, uint64_t *random)
{
	uint64_t count = bloom_geometry_bytes(geometry), i;
	unsigned char *bits = calloc(1, (size_t)count);
	bloom_view view = bloom_view_of(geometry, bits);
	bloom_reverse reverse;
	double rate;

	assert_non_null(bits);
	if (geometry->groups != 0) {
		reverse = bloom_reverse_of(geometry, bits);
	}
	for (i = 0; i < keys; i++) {
		if (geometry->groups != 0) {
			uint32_t shard_keys[64] = {0};

			assert_true(geometry->shards <= 64);
			(void)bloom_reverse_add(&reverse, bits,
				random_next(random) % geometry->groups, random_next(random),
				shard_keys);
		} else {
			(void)bloom_view_set(&view, bits, random_next(random));
		}
	}
	rate = bloom_measure_sample(&meter, bits).rate;
	free(bits);
	return rate;
}

/* At low rates, few lanes cause most of the rate, so the variance of some hundred filters says
 * little. There, only the limit is tested. */
static void filters_at_capacity_vary_as_computed_and_stay_below_the_limit(void **state)
{
	static const spread_case cases[] = {{0.1, 3000, 0, 500}, {0.01, 2000, 0, 1000},
		{0.01, 20000, 0, 300}, {1e-3, 3000, 0, 1000}, {1e-4, 10000, 0, 500},
		{1e-6, 1000, 0, 2000}, {1e-6, 30000, 0, 200}, {1e-9, 1000, 0, 2000},
		{1e-9, 30000, 0, 200}, {0.01, 2000, 300, 300}};
	uint64_t random = test_seed("chance");
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		bloom_params params = {.capacity_keys = cases[i].keys,
			.rate = cases[i].rate,
			.groups = cases[i].groups,
			.fan_out = cases[i].groups != 0 ? 64 : 0};
		double sum = 0, squares = 0, rate, variance, limit, highest = 0;
		bloom_geometry geometry;
		int seed;

		assert_ok(bloom_geometry_choose(&params, 1, &geometry));
		bloom_meter_init(&meter, &geometry);
		variance = bloom_geometry_rate_variance(
			&geometry, cases[i].keys * bloom_geometry_levels(&geometry));
		limit = bloom_rate_by_chance(cases[i].rate, variance);
		for (seed = 0; seed < cases[i].seeds; seed++) {
			rate = rate_of_random_keys(&geometry, cases[i].keys, &random);
			highest = fmax(highest, rate);
			sum += rate;
			squares += rate * rate;
		}
		squares = squares / seed - sum / seed * (sum / seed);
		print_message(
			"# rate %g, %llu keys: spread %.3f, computed %.3f; highest %.3f, limit "
			"%.3f\n",
			cases[i].rate, (unsigned long long)cases[i].keys,
			sqrt(squares) / cases[i].rate, sqrt(variance) / cases[i].rate,
			highest / cases[i].rate, limit / cases[i].rate);
		assert_true(highest <= limit);
		if (cases[i].rate >= 1e-4) {
			/* The standard error of a variance of 300 values is 8 %. */
			assert_true(squares > variance / 2 && squares < variance * 2);
		}
	}
}

static void ten_percent_too_many_keys_are_above_the_limit(void **state)
{
	static const double rates[] = {0.01, 1e-3, 1e-4, 1e-6, 1e-9};
	enum { KEYS = 200000 };
	uint64_t random = test_seed("too many");
	bloom_geometry geometry;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof rates / sizeof *rates; i++) {
		bloom_params params = {.capacity_keys = KEYS, .rate = rates[i]};

		assert_ok(bloom_geometry_choose(&params, 1, &geometry));
		bloom_meter_init(&meter, &geometry);
		assert_true(rate_of_random_keys(&geometry, KEYS / 10 * 11, &random) >
			bloom_rate_by_chance(
				rates[i], bloom_geometry_rate_variance(&geometry, KEYS)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("set bits are counted at any alignment", bits_are_counted_wherever_they_lie),
		TEST("measuring a shard gives the same result as counting each bit",
			shards_are_measured_as_by_counting_each_bit),
		TEST("a filter measures as empty if no bit is set, and as full if all bits are set",
			no_bit_is_nothing_and_all_bits_are_everything),
		TEST("the measured rate is the probability that a lookup of a random digest finds "
		     "it",
			the_measured_rate_is_the_chance_of_a_random_digest),
		TEST("estimated numbers of keys are within computed bounds of exact counts",
			estimates_are_within_computed_bounds_of_exact_counts),
		/* fault: contradictory-counts */
		TEST("the estimated number of keys of a shard passes the check of the shard's row",
			a_row_s_keys_are_what_its_gate_accepts),
		TEST("the estimated number of keys of a shard is within computed bounds of the "
		     "counted one",
			a_row_s_keys_are_within_computed_bounds_of_those_that_were_counted),
		TEST("the measurements of a sample are within computed bounds of the whole "
		     "filter's",
			a_sample_is_within_computed_bounds_of_the_whole),
		TEST("the size of a sample does not grow with the filter",
			a_sample_reads_as_much_of_a_large_filter_as_of_a_larger_one),
		TEST("filters at capacity vary as computed, and stay below the limit of chance",
			filters_at_capacity_vary_as_computed_and_stay_below_the_limit),
		TEST("a large filter with 10 % too many keys is above the limit of chance",
			ten_percent_too_many_keys_are_above_the_limit),
		TEST_IN_SCRATCH("measurements never fall while another process adds keys",
			what_is_measured_while_others_add_only_rises),
	};

	return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}

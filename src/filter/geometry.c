#include "filter/geometry.h"

#include <math.h>

static bool is_power_of_two_within(uint64_t value, uint64_t least, uint64_t most)
{
	return value >= least && value <= most && (value & (value - 1)) == 0;
}

static bloom_status check_reverse(const bloom_geometry *geometry)
{
	if (geometry->groups == 0 && geometry->fan_out == 0) {
		return BLOOM_OK;
	}
	if (geometry->groups < 1 || geometry->groups > BLOOM_GROUPS_MAX) {
		return BLOOM_E_GROUPS;
	}
	if (!is_power_of_two_within(geometry->fan_out, BLOOM_FAN_OUT_MIN, BLOOM_FAN_OUT_MAX)) {
		return BLOOM_E_FAN_OUT;
	}
	if (geometry->block_bytes != geometry->shard_bytes ||
		bloom_geometry_lane_bits(geometry) < BLOOM_LANE_BITS_LEAST) {
		return BLOOM_E_BLOCK_BYTES;
	}
	return BLOOM_OK;
}

static bloom_status check_ribbon(const bloom_geometry *geometry)
{
	uint32_t words = geometry->shard_bytes / 8;

	if (geometry->stripes == 0) {
		return BLOOM_OK;
	}
	if (geometry->stripes < BLOOM_RIBBON_STRIPES_MIN || geometry->stripes > words ||
		geometry->fan_out != 0) {
		return BLOOM_E_STRIPES;
	}
	if (geometry->block_bytes != geometry->shard_bytes) {
		return BLOOM_E_BLOCK_BYTES;
	}
	return geometry->probes == words / geometry->stripes &&
			geometry->probes <= BLOOM_RIBBON_WIDTH_MAX
		? BLOOM_OK
		: BLOOM_E_PROBES;
}

bloom_status bloom_geometry_check(const bloom_geometry *geometry)
{
	bloom_status status;

	if (!is_power_of_two_within(
		    geometry->shard_bytes, BLOOM_SHARD_BYTES_MIN, BLOOM_SHARD_BYTES_MAX)) {
		return BLOOM_E_SHARD_BYTES;
	}
	if (!is_power_of_two_within(
		    geometry->block_bytes, BLOOM_BLOCK_BYTES_MIN, geometry->shard_bytes)) {
		return BLOOM_E_BLOCK_BYTES;
	}
	if (geometry->probes < 1 || geometry->probes > BLOOM_PROBES_MAX) {
		return BLOOM_E_PROBES;
	}
	if (geometry->shards < 1 ||
		geometry->shards > BLOOM_FILTER_BYTES_MAX / geometry->shard_bytes) {
		return BLOOM_E_TOO_LARGE;
	}
	status = check_ribbon(geometry);
	return status == BLOOM_OK ? check_reverse(geometry) : status;
}

bool bloom_geometry_is_equal(const bloom_geometry *one, const bloom_geometry *other)
{
	return one->seed == other->seed && one->shards == other->shards &&
		one->groups == other->groups && one->shard_bytes == other->shard_bytes &&
		one->block_bytes == other->block_bytes && one->probes == other->probes &&
		one->fan_out == other->fan_out && one->stripes == other->stripes &&
		one->fingerprint == other->fingerprint;
}

uint32_t bloom_geometry_levels(const bloom_geometry *geometry)
{
	uint64_t reached = geometry->fan_out;
	uint32_t levels;

	for (levels = 1; reached < geometry->groups; levels++) {
		reached *= geometry->fan_out;
	}
	return levels;
}

/* inner(i) of the header, for `throws` = k·i probes thrown into `bits` bits. */
static double inner_rate(double bits, double throws, uint32_t probes)
{
	double k = probes;
	double fill = -expm1(throws * log1p(-1 / bits));
	double empty_one = exp(throws * log1p(-1 / bits));
	double empty_two = exp(throws * log1p(-2 / bits));
	double variance, correction;

	if (fill <= 0) {
		return 0;
	}
	variance = bits * (bits - 1) * empty_two + bits * empty_one -
		bits * bits * empty_one * empty_one;
	correction = variance > 0 ? k * (k - 1) / 2 * variance / (bits * fill * bits * fill) : 0;
	return fmin(1, pow(fill, k) * (1 + correction));
}

/* A key begins in any stripe but the last, each as likely as the others. */
static double ribbon_rate(const bloom_geometry *geometry)
{
	double narrow = bloom_ribbon_narrow(geometry);
	double starts = geometry->stripes - 1;
	double share = fmin(narrow / starts, 1);

	return ldexp(share + (1 - share) / 2, -(int)geometry->probes);
}

double bloom_geometry_rate(const bloom_geometry *geometry, uint64_t keys)
{
	enum { PROBES_A_BIT_FULL = 64 }; /* e^-64 of the bits are left: none */
	double bits = bloom_geometry_lane_bits(geometry);
	double n = (double)keys;
	double share = 1 / (double)bloom_geometry_lanes(geometry);
	double odds, mode, term, i, sum = 0, weight = 0;

	if (geometry->stripes != 0) {
		return ribbon_rate(geometry);
	}
	if (keys == 0) {
		return 0;
	}
	/* The walk below would be as long as the root of `keys`, and live filters may be that full. */
	if (n * share * geometry->probes > bits * (double)PROBES_A_BIT_FULL) {
		return 1;
	}
	if (share == 1) {
		return inner_rate(bits, n * geometry->probes, geometry->probes);
	}
	/* Walk from the likeliest number of keys a lane outwards, both ways, by the ratio of
	 * neighbouring binomial terms, and divide by the sum of the terms: no factorial is needed
	 * and nothing overflows. Terms below 10^-13 of the largest cannot be seen in the result:
	 * beyond the mode the rate is at most 1, but it is weighed against rates down to 10^-9, so
	 * the walk goes on to 10^-24. */
	odds = share / (1 - share);
	mode = floor((n + 1) * share);
	for (i = mode, term = 1; term > 1e-24 && i <= n; i++) {
		weight += term;
		sum += term * inner_rate(bits, i * geometry->probes, geometry->probes);
		term *= (n - i) / (i + 1) * odds;
	}
	for (i = mode, term = 1; i > 0; i--) {
		term *= i / ((n - i + 1) * odds);
		if (term <= 1e-24) {
			break;
		}
		weight += term;
		sum += term * inner_rate(bits, (i - 1) * geometry->probes, geometry->probes);
	}
	return sum / weight;
}

double bloom_lane_rate(uint32_t set_bits, uint32_t lane_bits, uint32_t probes)
{
	return pow((double)set_bits / lane_bits, probes);
}

double bloom_geometry_estimated_keys(const bloom_geometry *geometry, uint64_t set_bits)
{
	double bits = (double)bloom_geometry_bytes(geometry) * 8;
	double hit =
		-expm1(geometry->probes * log1p(-1 / (double)bloom_geometry_lane_bits(geometry)));

	return log1p(-(double)set_bits / bits) /
		log1p(-hit / (double)bloom_geometry_lanes(geometry));
}

/* The fewest shards with which `geometry` keeps `rate`; 0 when even the largest filter doesn't. */
static uint64_t fewest_shards(bloom_geometry geometry, uint64_t keys, double rate)
{
	uint64_t most = BLOOM_FILTER_BYTES_MAX / geometry.shard_bytes;
	uint64_t low = 0, high;

	/* Below one bit a key no rate of 0.5 or less can be kept. */
	high = keys / (geometry.shard_bytes * UINT64_C(8)) + 1;
	for (;; high = high > most / 2 ? most : high * 2) {
		geometry.shards = high > most ? most : high;
		if (bloom_geometry_rate(&geometry, keys) <= rate) {
			break;
		}
		if (geometry.shards == most) {
			return 0;
		}
		low = geometry.shards;
	}
	high = geometry.shards;
	while (high - low > 1) {
		geometry.shards = low + (high - low) / 2;
		if (bloom_geometry_rate(&geometry, keys) <= rate) {
			high = geometry.shards;
		} else {
			low = geometry.shards;
		}
	}
	return high;
}

/* Sets shards and probes for the asked rate. The best number of probes lies near −log2(rate); bytes
 * rise on both sides of it, so a walk from there in the falling direction finds it. Of equals, the
 * fewest probes win: they are the fastest. */
static bloom_status size_by_rate(const bloom_params *params, bloom_geometry *geometry)
{
	uint64_t keys = params->capacity_keys * bloom_geometry_levels(geometry);
	bloom_geometry trial = *geometry;
	uint64_t shards, best;
	int step;

	trial.probes =
		params->probes ? params->probes : (uint32_t)fmax(1, round(-log2(params->rate)));
	best = fewest_shards(trial, keys, params->rate);
	*geometry = trial;
	geometry->shards = best;
	for (step = -1; !params->probes && step <= 1; step += 2) {
		for (trial.probes = geometry->probes + (uint32_t)step;
			trial.probes >= 1 && trial.probes <= BLOOM_PROBES_MAX;
			trial.probes += (uint32_t)step) {
			shards = fewest_shards(trial, keys, params->rate);
			if (shards == 0 || (best != 0 && shards > best) ||
				(shards == best && step > 0)) {
				break;
			}
			best = shards;
			geometry->shards = best;
			geometry->probes = trial.probes;
		}
	}
	return best == 0 ? BLOOM_E_TOO_LARGE : BLOOM_OK;
}

/* Sets shards for the asked bits a key, and the probes with the lowest rate. */
static bloom_status size_by_bits(const bloom_params *params, bloom_geometry *geometry)
{
	uint64_t keys = params->capacity_keys * bloom_geometry_levels(geometry);
	double bits = ceil((double)keys * params->bits_per_key);
	double shards = ceil(bits / (geometry->shard_bytes * 8.0));
	bloom_geometry trial;
	double rate, lowest = 2;

	if (shards > (double)(BLOOM_FILTER_BYTES_MAX / geometry->shard_bytes)) {
		return BLOOM_E_TOO_LARGE;
	}
	geometry->shards = (uint64_t)shards;
	geometry->probes = params->probes;
	trial = *geometry;
	for (trial.probes = 1; !params->probes && trial.probes <= BLOOM_PROBES_MAX;
		trial.probes++) {
		rate = bloom_geometry_rate(&trial, keys);
		if (rate >= lowest) {
			break;
		}
		lowest = rate;
		geometry->probes = trial.probes;
	}
	return BLOOM_OK;
}

/* ---- ribbon filters ---- */

double bloom_ribbon_capacity(const bloom_geometry *geometry)
{
	double slots = bloom_ribbon_slots(geometry);

	return floor(slots * (0.975 - 0.0075 * fmax(0, log2(slots / 4096))));
}

/* Deals the shard's words to so many stripes. */
static void set_stripes(bloom_geometry *geometry, uint32_t stripes)
{
	geometry->stripes = stripes;
	geometry->probes = geometry->shard_bytes / 8 / stripes;
}

/* Whether the fullest shard finds room. Keys fall into shards at random, so one has λ = keys / shards, and more
 * than λ + t with a chance of at most exp(−t² / 2(σ² + t/3)), with σ² = λ (1 − 1/shards): Bernstein's
 * inequality. t is such that the chance of any is at most 10^-6; and such a shard would be solved, too, just
 * with more tries. */
static bool is_roomy(const bloom_geometry *geometry, uint64_t keys)
{
	double shards = (double)geometry->shards;
	double mean = (double)keys / shards;
	double odds = log(shards * 1e6);
	double more = odds / 3 + sqrt(odds * odds / 9 + 2 * odds * mean * (1 - 1 / shards));

	return mean + (shards > 1 ? more : 0) <= bloom_ribbon_capacity(geometry);
}

/* The most stripes with which the shards keep `rate`; 0: none. More of them have fewer bits each. */
static uint32_t most_stripes(bloom_geometry geometry, double rate)
{
	uint32_t low = BLOOM_RIBBON_STRIPES_MIN - 1, high = geometry.shard_bytes / 8 + 1;

	while (high - low > 1) {
		set_stripes(&geometry, low + (high - low) / 2);
		if (ribbon_rate(&geometry) <= rate) {
			low = geometry.stripes;
		} else {
			high = geometry.stripes;
		}
	}
	return low < BLOOM_RIBBON_STRIPES_MIN ? 0 : low;
}

/* The fewest shards of that size that have room for the keys at the rate; 0: none. */
static uint64_t fewest_ribbons(bloom_geometry *geometry, uint64_t keys, double rate)
{
	uint64_t low = 0, high = BLOOM_FILTER_BYTES_MAX / geometry->shard_bytes;
	uint32_t stripes = most_stripes(*geometry, rate);

	if (stripes == 0) {
		return 0;
	}
	set_stripes(geometry, stripes);
	geometry->shards = high;
	if (geometry->probes > BLOOM_RIBBON_WIDTH_MAX || !is_roomy(geometry, keys)) {
		return 0;
	}
	while (high - low > 1) {
		geometry->shards = low + (high - low) / 2;
		if (is_roomy(geometry, keys)) {
			high = geometry->shards;
		} else {
			low = geometry->shards;
		}
	}
	return high;
}

/* The smallest ribbon filter that keeps the rate; of equals the one of larger shards. */
static bloom_status ribbon_by_rate(const bloom_params *params, bloom_geometry *geometry)
{
	enum { TABLE_BYTES = 32 }; /* a shard's row, and its chunk's */
	bloom_geometry trial = *geometry;
	uint64_t bytes, least = UINT64_MAX;

	for (trial.shard_bytes = BLOOM_SHARD_BYTES_MAX; trial.shard_bytes >= BLOOM_SHARD_BYTES_MIN;
		trial.shard_bytes /= 2) {
		if (params->shard_bytes != 0 && params->shard_bytes != trial.shard_bytes) {
			continue;
		}
		trial.shards = fewest_ribbons(&trial, params->capacity_keys, params->rate);
		bytes = trial.shards * (trial.shard_bytes + TABLE_BYTES);
		if (trial.shards != 0 && bytes < least) {
			least = bytes;
			*geometry = trial;
		}
	}
	geometry->block_bytes = geometry->shard_bytes;
	return least == UINT64_MAX ? BLOOM_E_TOO_LARGE : BLOOM_OK;
}

/* The fewest stripes, which are the widest, with room for the keys in as many bits as were asked for. */
static bloom_status ribbon_by_bits(const bloom_params *params, bloom_geometry *geometry)
{
	double bytes = ceil((double)params->capacity_keys * params->bits_per_key) / 8;
	uint32_t low, high;

	if (bytes > (double)BLOOM_FILTER_BYTES_MAX) {
		return BLOOM_E_TOO_LARGE;
	}
	geometry->shard_bytes = params->shard_bytes ? params->shard_bytes : BLOOM_SHARD_BYTES_MAX;
	while (params->shard_bytes == 0 && geometry->shard_bytes > BLOOM_SHARD_BYTES_MIN &&
		bytes < (double)geometry->shard_bytes * (double)BLOOM_RIBBON_FINE) {
		geometry->shard_bytes /= 2;
	}
	geometry->block_bytes = geometry->shard_bytes;
	geometry->shards = (uint64_t)ceil(bytes / geometry->shard_bytes);
	high = geometry->shard_bytes / 8;
	low = high / (BLOOM_RIBBON_WIDTH_MAX + 1); /* so few are too wide */
	set_stripes(geometry, high);
	if (!is_roomy(geometry, params->capacity_keys)) {
		return BLOOM_E_RIBBON_BITS;
	}
	while (high - low > 1) {
		set_stripes(geometry, low + (high - low) / 2);
		if (is_roomy(geometry, params->capacity_keys)) {
			high = geometry->stripes;
		} else {
			low = geometry->stripes;
		}
	}
	set_stripes(geometry, high);
	return BLOOM_OK;
}

/* The first geometry to try: what was asked for, and for the rest where sizing starts. */
static bloom_geometry first_trial(const bloom_params *params, uint64_t seed)
{
	uint32_t shard_bytes =
		params->groups != 0 ? BLOOM_SHARD_BYTES_MAX : BLOOM_SHARD_BYTES_DEFAULT;
	bloom_geometry trial = {
		.seed = seed,
		.shards = 1,
		.groups = params->groups,
		.fingerprint = params->secret != NULL ? params->secret->fingerprint : 0,
		.shard_bytes = params->shard_bytes ? params->shard_bytes : shard_bytes,
		.block_bytes =
			params->block_bytes ? params->block_bytes : BLOOM_BLOCK_BYTES_DEFAULT,
		.probes = params->probes ? params->probes : 1,
	};

	if (params->groups != 0) {
		trial.fan_out = params->fan_out ? params->fan_out : BLOOM_FAN_OUT_DEFAULT;
		trial.block_bytes = trial.shard_bytes;
	}
	return trial;
}

static bloom_status check_params(const bloom_params *params, const bloom_geometry *trial)
{
	if (params->capacity_keys < 1 || params->capacity_keys > BLOOM_CAPACITY_MAX) {
		return BLOOM_E_CAPACITY;
	}
	/* Written so that NaN fails. */
	if (!(params->rate >= BLOOM_RATE_MIN && params->rate <= BLOOM_RATE_MAX)) {
		return BLOOM_E_RATE;
	}
	if (params->bits_per_key != 0 &&
		!(params->bits_per_key >= 1 && params->bits_per_key <= 1024)) {
		return BLOOM_E_BITS_PER_KEY;
	}
	if (params->ribbon &&
		(params->groups != 0 || params->block_bytes != 0 || params->probes != 0)) {
		return BLOOM_E_NOT_BLOOM;
	}
	return bloom_geometry_check(trial);
}

/* Whether there are so many shards that smaller ones would save little, or no smaller ones are allowed. */
static bool is_fine(const bloom_geometry *geometry)
{
	if (geometry->groups != 0) {
		return geometry->shards >= BLOOM_SHARDS_FINE_REVERSE ||
			bloom_geometry_lane_bits(geometry) / 2 < BLOOM_LANE_BITS_LEAST;
	}
	return geometry->shards >= BLOOM_SHARDS_FINE ||
		geometry->shard_bytes / 2 < BLOOM_SHARD_BYTES_MIN ||
		geometry->shard_bytes / 2 < geometry->block_bytes;
}

bloom_status bloom_geometry_choose(
	const bloom_params *params, uint64_t seed, bloom_geometry *geometry)
{
	bloom_geometry chosen = first_trial(params, seed);
	bloom_status status = check_params(params, &chosen);

	if (status == BLOOM_OK && params->groups != 0 &&
		bloom_geometry_false_groups(&chosen, params->rate, 0) > BLOOM_FALSE_GROUPS_MAX) {
		return BLOOM_E_GROUPS_RATE;
	}
	if (status == BLOOM_OK && params->ribbon) {
		status = params->bits_per_key != 0 ? ribbon_by_bits(params, &chosen)
						   : ribbon_by_rate(params, &chosen);
	}
	for (; status == BLOOM_OK && !params->ribbon; chosen.shard_bytes /= 2) {
		if (params->groups != 0) {
			chosen.block_bytes = chosen.shard_bytes;
		}
		status = params->bits_per_key != 0 ? size_by_bits(params, &chosen)
						   : size_by_rate(params, &chosen);
		if (params->shard_bytes || is_fine(&chosen)) {
			break;
		}
	}
	if (status == BLOOM_OK) {
		*geometry = chosen;
	}
	return status;
}

double bloom_geometry_false_groups(const bloom_geometry *geometry, double rate, uint64_t holding)
{
	uint32_t levels = bloom_geometry_levels(geometry);
	double nodes = 1, right = 1, wrong = 0, below = 1, nodes_next, right_next;
	uint32_t level;

	for (level = 1; level < levels; level++) {
		below *= geometry->fan_out;
	}
	for (level = 0; level < levels; level++, below /= geometry->fan_out) {
		nodes_next = ceil((double)geometry->groups / below);
		right_next = fmin((double)holding, nodes_next);
		wrong = rate * (nodes_next / nodes * (wrong + right) - right_next);
		right = right_next;
		nodes = nodes_next;
	}
	return wrong;
}

#include "filter/sizing.h"

#include <math.h>

#include "filter/foreign_size.h"
#include "filter/rate.h"

enum {
	/* With at least this many shards, rounding up to whole shards costs less than 0.4 %. */
	SHARDS_FINE = 256,
	/* The limit for reverse indexes, which have larger shards: rounding costs less than 7 %. */
	SHARDS_FINE_REVERSE = 16,
	/* The limit for ribbon filters with a fixed number of bits per key. */
	SHARDS_FINE_RIBBON = 16,
};

/* Returns the smallest number of shards with which `geometry` keeps `rate`, or 0 if even the
 * largest filter does not keep it. The rate falls with every shard, so the function first doubles
 * the number and then does a binary search. */
static uint64_t fewest_shards(bloom_geometry geometry, uint64_t keys, double rate)
{
	uint64_t most = BLOOM_FILTER_BYTES_MAX / geometry.shard_bytes;
	uint64_t low = 0, high;

	/* A rate of 0.5 or less needs more than one bit per key, so fewer shards cannot keep the
	 * rate. */
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

/* Sets shards and probes for the target rate.
 *
 * The best number of probes is close to −log2(rate), and the size grows in both directions from the
 * best number. The search starts at −log2(rate) and follows each direction while the size falls.
 * A layer's rate may need more than the 32 probes that the format allows. With 32, the layer is
 * somewhat larger than with the best number.
 * Among equal sizes it prefers fewer probes, because lookups are then faster. */
static bloom_status size_by_rate(const bloom_params *params, bloom_geometry *geometry)
{
	uint64_t keys = params->capacity_keys * bloom_geometry_levels(geometry);
	bloom_geometry trial = *geometry;
	uint64_t shards, best;
	int step;

	trial.probes = params->probes
		? params->probes
		: (uint32_t)fmin(BLOOM_PROBES_MAX, fmax(1, round(-log2(params->rate))));
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

/* Sets the number of shards for the requested bits per key, and chooses the number of probes with
 * the lowest rate. */
static bloom_status size_by_bits(const bloom_params *params, bloom_geometry *geometry)
{
	uint64_t keys = params->capacity_keys * bloom_geometry_levels(geometry);
	uint64_t shards_max = BLOOM_FILTER_BYTES_MAX / geometry->shard_bytes;
	double bits = ceil((double)keys * params->bits_per_key);
	double shards = ceil(bits / (geometry->shard_bytes * 8.0));
	bloom_geometry trial;
	double rate, lowest = 2;

	if (shards > (double)shards_max) {
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

enum { TABLE_BYTES = 32 }; /* in the head, for each shard: a shard row and a chunk row */

double bloom_ribbon_capacity(const bloom_geometry *geometry)
{
	double stripes = geometry->stripes;

	return floor(bloom_ribbon_slots(geometry) *
		(1 - 0.002 - 0.55 * pow(stripes, -0.6) - 1300 * pow(stripes, -4)));
}

/* Divides the words of a shard into the given number of stripes. */
static void set_stripes(bloom_geometry *geometry, uint32_t stripes)
{
	geometry->stripes = stripes;
	geometry->probes =
		(geometry->shard_bytes / 8 - bloom_ribbon_threshold_words(geometry)) / stripes;
}

/* Returns the number of keys that find a place in a shard that has too many. In simulations, it was
 * 1 − 0.003 − 0.65 / m − 1300 / m^4 keys per slot in shards with m stripes. */
static double ribbon_places(const bloom_geometry *geometry)
{
	double stripes = geometry->stripes;

	return bloom_ribbon_slots(geometry) *
		(1 - 0.003 - 0.65 / stripes - 1300 * pow(stripes, -4));
}

/* Returns the mean of max(0, x − limit), or of its square, for a normal x. */
static double excess(double mean, double sigma, double limit, bool squared)
{
	double z = (limit - mean) / sigma;
	double density = exp(-z * z / 2) / sqrt(2 * acos(-1)), above = erfc(z / sqrt(2)) / 2;

	return squared ? sigma * sigma * ((1 + z * z) * above - z * density)
		       : sigma * (density - z * above);
}

/* Returns how many keys per shard are expected to leave the last level.
 *
 * Keys fall into shards at random, so the number of keys of a shard is close to normal with the
 * mean λ = keys / shards and the variance λ (1 − 1/shards). */
static double expected_lost(const bloom_geometry *geometry, uint64_t keys)
{
	double shards = (double)geometry->shards, places = ribbon_places(geometry);
	double mean = (double)keys / shards, sigma = sqrt(mean * (1 - 1 / shards));

	return geometry->shards == 1 ? fmax(0, mean - places) : excess(mean, sigma, places, false);
}

/* Returns the rate that is expected at capacity. The levels are then about equally full, and each
 * key that leaves the last level raises the rate by about one in the number of keys. */
static double rate_at_capacity(const bloom_geometry *geometry, uint64_t keys)
{
	double share = fmin(1, (double)bloom_ribbon_narrow(geometry) / (geometry->stripes - 1));

	return ldexp(share + (1 - share) / 2, -(int)geometry->probes) +
		expected_lost(geometry, keys) * (double)geometry->shards / (double)keys;
}

/* Returns true if most shards stay within their capacity, and if the others raise the rate by at
 * most a thirty-second. */
static bool has_capacity(const bloom_geometry *geometry, uint64_t keys)
{
	double mean = (double)keys / (double)geometry->shards;

	return mean <= bloom_ribbon_capacity(geometry) &&
		expected_lost(geometry, keys) <= mean * bloom_geometry_rate(geometry, 0) / 32;
}

/* Chooses the number of stripes with the lowest rate at capacity. Fewer stripes have wider words,
 * but lose more keys. Returns false if no number has capacity for the keys. */
static bool choose_stripes(bloom_geometry *geometry, uint64_t keys)
{
	uint32_t words = geometry->shard_bytes / 8;
	/* Pairs of stripes, because their number is even. With `low` of them, the stripes would be
	 * too wide or too few. */
	uint32_t most = words / 2 - 1 - words / 128, high = most;
	uint32_t low = words / 2 / (BLOOM_RIBBON_WIDTH_MAX + 1);
	double rate, lowest;

	low = low < BLOOM_RIBBON_STRIPES_MIN / 2 ? BLOOM_RIBBON_STRIPES_MIN / 2 - 1 : low;
	set_stripes(geometry, 2 * high);
	if (!has_capacity(geometry, keys)) {
		return false;
	}
	while (high - low > 1) {
		set_stripes(geometry, 2 * (low + (high - low) / 2));
		if (has_capacity(geometry, keys)) {
			high = geometry->stripes / 2;
		} else {
			low = geometry->stripes / 2;
		}
	}
	set_stripes(geometry, 2 * high);
	for (lowest = rate_at_capacity(geometry, keys); high < most; high++, lowest = rate) {
		set_stripes(geometry, 2 * (high + 1));
		rate = rate_at_capacity(geometry, keys);
		if (rate >= lowest) {
			break;
		}
	}
	set_stripes(geometry, 2 * high);
	return true;
}

/* Returns true if the filter keeps the rate, with any number of keys up to the capacity. With few
 * keys, nearly all start in the first level, which has the most narrow stripes. */
static bool keeps_rate(bloom_geometry *geometry, uint64_t keys, double rate)
{
	return choose_stripes(geometry, keys) && bloom_geometry_rate(geometry, keys) <= rate &&
		rate_at_capacity(geometry, keys) <= rate;
}

/* Sets the smallest number of shards of this size that keep the rate. Returns false if no number
 * does. */
static bool choose_ribbon_shards(bloom_geometry *geometry, uint64_t keys, double rate)
{
	uint64_t low = 0, high = BLOOM_FILTER_BYTES_MAX / geometry->shard_bytes;

	geometry->shards = high;
	if (!keeps_rate(geometry, keys, rate)) {
		return false;
	}
	while (high - low > 1) {
		geometry->shards = low + (high - low) / 2;
		if (keeps_rate(geometry, keys, rate)) {
			high = geometry->shards;
		} else {
			low = geometry->shards;
		}
	}
	geometry->shards = high;
	return choose_stripes(geometry, keys);
}

/* Chooses the smallest ribbon filter that keeps the rate. Among equal sizes it prefers larger
 * shards. */
static bloom_status size_ribbon_by_rate(const bloom_params *params, bloom_geometry *geometry)
{
	bloom_geometry trial = *geometry;
	uint64_t bytes, least = UINT64_MAX;

	for (trial.shard_bytes = BLOOM_SHARD_BYTES_MAX; trial.shard_bytes >= BLOOM_SHARD_BYTES_MIN;
		trial.shard_bytes /= 2) {
		if (params->shard_bytes != 0 && params->shard_bytes != trial.shard_bytes) {
			continue;
		}
		if (!choose_ribbon_shards(&trial, params->capacity_keys, params->rate)) {
			continue;
		}
		bytes = trial.shards * (trial.shard_bytes + TABLE_BYTES);
		if (bytes < least) {
			least = bytes;
			*geometry = trial;
		}
	}
	geometry->block_bytes = geometry->shard_bytes;
	if (least != UINT64_MAX) {
		return BLOOM_OK;
	}
	set_stripes(geometry, BLOOM_RIBBON_STRIPES_MIN);
	return bloom_geometry_rate(geometry, params->capacity_keys) > params->rate
		? BLOOM_E_RIBBON_SHARD
		: BLOOM_E_TOO_LARGE;
}

static bloom_status size_ribbon_by_bits(const bloom_params *params, bloom_geometry *geometry)
{
	double bytes = ceil((double)params->capacity_keys * params->bits_per_key) / 8;

	if (bytes > (double)BLOOM_FILTER_BYTES_MAX) {
		return BLOOM_E_TOO_LARGE;
	}
	geometry->shard_bytes = params->shard_bytes ? params->shard_bytes : BLOOM_SHARD_BYTES_MAX;
	while (params->shard_bytes == 0 && geometry->shard_bytes > BLOOM_SHARD_BYTES_MIN &&
		bytes < (double)geometry->shard_bytes * (double)SHARDS_FINE_RIBBON) {
		geometry->shard_bytes /= 2;
	}
	geometry->block_bytes = geometry->shard_bytes;
	geometry->shards = (uint64_t)ceil(bytes / geometry->shard_bytes);
	return choose_stripes(geometry, params->capacity_keys) ? BLOOM_OK : BLOOM_E_RIBBON_BITS;
}

/* Returns the block size for the rate, or for the rate that the given bits per key allow.
 *
 * The number of keys varies from block to block, and it varies more in small blocks. The lower the
 * rate, the more bits this costs. Bits per key for 10 million keys:
 *
 *     rate     blocks of 64    128     256     512   8,192 bytes
 *     10^-2         9.92      9.76    9.68    9.64    9.60
 *     10^-3        15.55     14.97   14.68   14.53   14.39
 *     10^-4        22.03     20.62   19.90   19.54   19.20
 *     10^-6        38.82     33.78   31.29   30.03   28.84
 *
 * A block of 64 bytes is one cache line, which probe_line.h tests at once if the rate needs at most
 * 7 probes. Rates of 1 in 1,000 and below need more probes, so the single cache line is the only
 * advantage that remains. At these rates, blocks of 256 bytes save at least 6 % of the bits. Larger
 * blocks save little more. */
static uint32_t default_block_bytes(const bloom_params *params)
{
	double rate =
		params->bits_per_key != 0 ? exp2(-params->bits_per_key * log(2)) : params->rate;

	return rate > BLOOM_LOW_RATE ? BLOOM_BLOCK_BYTES_DEFAULT : BLOOM_BLOCK_BYTES_LOW_RATE;
}

/* Returns the geometry where the search starts: the user's parameters, with defaults in place of
 * zeros. */
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
			params->block_bytes ? params->block_bytes : default_block_bytes(params),
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
	bloom_status status;

	if (params->capacity_keys < 1 || params->capacity_keys > BLOOM_CAPACITY_MAX) {
		return BLOOM_E_CAPACITY;
	}
	/* This form of the condition also rejects NaN. */
	if (!(params->rate > 0 && params->rate <= BLOOM_RATE_MAX) ||
		(params->rate < BLOOM_RATE_MIN && !params->is_layer)) {
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
	status = bloom_geometry_check(trial);
	/* bloom_geometry_levels() needs a valid fan-out, so it is called only after the check. */
	if (status == BLOOM_OK && params->bits_per_key == 0 &&
		params->rate <=
			bloom_rate_floor(params->capacity_keys * bloom_geometry_levels(trial))) {
		return BLOOM_E_RATE_FLOOR;
	}
	return status;
}

/* Returns true if smaller shards would save little or would be below a minimum. */
static bool has_enough_shards(const bloom_geometry *geometry)
{
	if (geometry->groups != 0) {
		return geometry->shards >= SHARDS_FINE_REVERSE ||
			bloom_geometry_lane_bits(geometry) / 2 < BLOOM_LANE_BITS_MIN;
	}
	return geometry->shards >= SHARDS_FINE ||
		geometry->shard_bytes / 2 < BLOOM_SHARD_BYTES_MIN ||
		geometry->shard_bytes / 2 < geometry->block_bytes;
}

/* ---- maps ---- */

/* Divides the words of a shard into the given number of stripes. Returns false if the stripes are
 * too narrow for the values and the rate. Equal digests count in the rate. A millionth more is
 * allowed, because they would otherwise cost a rate of 0.5 a whole bit. */
static bool set_map_stripes(const bloom_params *params, uint32_t stripes, bloom_geometry *geometry)
{
	uint32_t width;

	geometry->stripes = stripes;
	width = (geometry->shard_bytes / 8 - bloom_ribbon_threshold_words(geometry)) / stripes;
	geometry->probes = width - geometry->value_bits;
	return width >= geometry->value_bits &&
		bloom_geometry_rate(geometry, params->capacity_keys) <= params->rate * (1 + 1e-6);
}

/* Chooses the largest number of stripes that keeps the rate, because more stripes have more places
 * for keys, although they are narrower. Returns false if no number keeps the rate. */
static bool choose_map_stripes(const bloom_params *params, bloom_geometry *geometry)
{
	uint32_t words = geometry->shard_bytes / 8;
	/* Pairs of stripes, because their number is even. With `low` of them or fewer, the stripes
	 * would be too wide or too few. */
	uint32_t widest = geometry->value_bits + BLOOM_RIBBON_WIDTH_MAX + 1;
	uint32_t low = words / 2 / widest, high = words / 2, middle;

	low = low < BLOOM_RIBBON_STRIPES_MIN / 2 ? BLOOM_RIBBON_STRIPES_MIN / 2 - 1 : low;
	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (set_map_stripes(params, 2 * middle, geometry)) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return set_map_stripes(params, 2 * low, geometry) &&
		bloom_geometry_check(geometry) == BLOOM_OK;
}

/* Returns a number of keys that practically always have a place in a single shard. In simulations
 * of 1.77 million shards with so many keys, none lost a key. The first losses came with 2 % more.
 */
static double sure_places(const bloom_geometry *geometry)
{
	double stripes = geometry->stripes;

	return bloom_ribbon_slots(geometry) *
		(1 - 0.004 - 0.75 * pow(stripes, -0.6) - 1300 * pow(stripes, -4));
}

/* Returns true if all keys practically always have a place.
 *
 * The numbers of keys in the home shards vary as in expected_lost(). A shard with e keys too many
 * at first loses about e, and more when its second level is full, too. In simulations with 10 to
 * 600 stripes, it never lost more than 1.2 e + 1.5 · max(0, e − 1.2 % of its slots). The sum over
 * many shards is close to normal, so it practically never exceeds its mean by six sigmas. */
static bool has_places(const bloom_geometry *geometry, uint64_t keys)
{
	double homes = (double)bloom_geometry_home_shards(geometry);
	double slots = bloom_ribbon_slots(geometry), places = ribbon_places(geometry);
	double mean = (double)keys / homes, sigma, lost, variance;

	if (geometry->shards == 1) {
		return (double)keys <= sure_places(geometry);
	}
	/* Even with a single home shard, the number of keys that it loses varies. */
	sigma = sqrt(fmax(mean * (1 - 1 / homes), 1));
	lost = 1.2 * excess(mean, sigma, places, false) +
		1.5 * excess(mean, sigma, places + 0.012 * slots, false);
	variance = 1.44 * excess(mean, sigma, places, true) +
		3 * excess(mean, sigma, places + 0.012 * slots, true) - lost * lost;
	return mean <= places + 0.012 * slots &&
		homes * lost + 6 * sqrt(homes * fmax(variance, 0)) <= sure_places(geometry);
}

/* Sets the smallest number of shards of this size in which all keys have a place. Returns false if
 * the map would be too large. */
static bool choose_map_shards(bloom_geometry *geometry, uint64_t keys)
{
	uint64_t low = 1, high = BLOOM_FILTER_BYTES_MAX / geometry->shard_bytes;

	geometry->shards = 1;
	if (has_places(geometry, keys)) {
		return true;
	}
	geometry->shards = high;
	if (!has_places(geometry, keys)) {
		return false;
	}
	while (high - low > 1) {
		geometry->shards = low + (high - low) / 2;
		if (has_places(geometry, keys)) {
			high = geometry->shards;
		} else {
			low = geometry->shards;
		}
	}
	geometry->shards = high;
	return true;
}

/* Chooses the smallest map that keeps the rate and has places for all keys. Among equal sizes it
 * prefers larger shards. */
static bloom_status size_map(const bloom_params *params, bloom_geometry *geometry)
{
	bloom_geometry trial = *geometry;
	uint64_t bytes, least = UINT64_MAX;

	for (trial.shard_bytes = BLOOM_SHARD_BYTES_MAX; trial.shard_bytes >= BLOOM_SHARD_BYTES_MIN;
		trial.shard_bytes /= 2) {
		trial.block_bytes = trial.shard_bytes;
		trial.shards = 1;
		if ((params->shard_bytes != 0 && params->shard_bytes != trial.shard_bytes) ||
			!choose_map_stripes(params, &trial) ||
			!choose_map_shards(&trial, params->capacity_keys)) {
			continue;
		}
		bytes = trial.shards * (trial.shard_bytes + TABLE_BYTES);
		if (bytes < least) {
			least = bytes;
			*geometry = trial;
		}
	}
	if (least != UINT64_MAX) {
		return BLOOM_OK;
	}
	trial.shard_bytes = params->shard_bytes != 0 ? params->shard_bytes : BLOOM_SHARD_BYTES_MAX;
	trial.block_bytes = trial.shard_bytes;
	trial.shards = 1;
	return choose_map_stripes(params, &trial) ? BLOOM_E_TOO_LARGE : BLOOM_E_RIBBON_SHARD;
}

static bloom_status check_map_params(const bloom_params *params)
{
	if (params->value_bits > BLOOM_VALUE_BITS_MAX) {
		return BLOOM_E_VALUE_BITS;
	}
	if (params->block_bytes != 0 || params->probes != 0) {
		return BLOOM_E_MAP_LAYOUT;
	}
	if (params->capacity_keys < 1 || params->capacity_keys > BLOOM_CAPACITY_MAX) {
		return BLOOM_E_CAPACITY;
	}
	/* This form of the condition also rejects NaN. */
	if (!(params->rate >= BLOOM_RATE_MIN && params->rate <= BLOOM_RATE_MAX) &&
		params->rate != 1) {
		return BLOOM_E_MAP_RATE;
	}
	return params->rate <= bloom_rate_floor(params->capacity_keys) ? BLOOM_E_RATE_FLOOR
								       : BLOOM_OK;
}

static bloom_status choose_map(const bloom_params *params, uint64_t seed, bloom_geometry *geometry)
{
	bloom_geometry chosen = first_trial(params, seed);
	bloom_status status = check_map_params(params);

	if (status == BLOOM_OK && params->shard_bytes != 0 &&
		!bloom_shard_bytes_is_valid(params->shard_bytes)) {
		status = BLOOM_E_SHARD_BYTES;
	}
	chosen.value_bits = params->value_bits;
	if (status == BLOOM_OK) {
		status = size_map(params, &chosen);
	}
	if (status == BLOOM_OK) {
		*geometry = chosen;
	}
	return status;
}

/* ---- filters of other systems ---- */

static bloom_status check_foreign_params(const bloom_params *params, uint64_t seed)
{
	if (params->foreign != BLOOM_FOREIGN_VALKEYPROB &&
		params->foreign != BLOOM_FOREIGN_REDISBLOOM) {
		return BLOOM_E_FOREIGN_BUILD;
	}
	if (seed != 0 || params->ribbon || params->groups != 0 || params->fan_out != 0 ||
		params->block_bytes != 0 || params->probes != 0 || params->bits_per_key != 0 ||
		params->secret != NULL) {
		return BLOOM_E_FOREIGN_PARAMS;
	}
	if (params->capacity_keys < 1 || params->capacity_keys > BLOOM_CAPACITY_MAX) {
		return BLOOM_E_CAPACITY;
	}
	/* With a rate of up to 0.5, each format has at least one probe. This form of the condition
	 * also rejects NaN. */
	return params->rate >= BLOOM_RATE_MIN && params->rate <= BLOOM_RATE_MAX ? BLOOM_OK
										: BLOOM_E_RATE;
}

static bloom_status choose_foreign(
	const bloom_params *params, uint64_t seed, bloom_geometry *geometry)
{
	bloom_status status = check_foreign_params(params, seed);
	/* There is one shard until the size of the shards has been checked. */
	bloom_geometry chosen = {.foreign = params->foreign, .layers = 1, .shards = 1};
	bloom_foreign_layer layer;
	uint64_t bytes;

	if (status != BLOOM_OK) {
		return status;
	}
	if (!bloom_foreign_layer_size(
		    params->foreign, params->capacity_keys, params->rate, &layer)) {
		return params->foreign == BLOOM_FOREIGN_VALKEYPROB ? BLOOM_E_FOREIGN_BITS
								   : BLOOM_E_TOO_LARGE;
	}
	bytes = (layer.bits + 7) / 8;
	chosen.probes = layer.probes;
	chosen.shard_bytes = params->shard_bytes != 0 ? params->shard_bytes
						      : bloom_foreign_shard_bytes(bytes, 1);
	chosen.block_bytes = chosen.shard_bytes;
	status = bloom_geometry_check(&chosen);
	if (status == BLOOM_OK) {
		chosen.shards = (bytes + chosen.shard_bytes - 1) / chosen.shard_bytes;
		status = bloom_geometry_check(&chosen);
	}
	if (status == BLOOM_OK) {
		*geometry = chosen;
	}
	return status;
}

bloom_status bloom_geometry_choose(
	const bloom_params *params, uint64_t seed, bloom_geometry *geometry)
{
	bloom_geometry chosen = first_trial(params, seed);
	bloom_status status;

	if (params->foreign != BLOOM_FOREIGN_NONE) {
		return choose_foreign(params, seed, geometry);
	}
	if (params->value_bits != 0) {
		return choose_map(params, seed, geometry);
	}
	status = check_params(params, &chosen);
	if (status == BLOOM_OK && params->groups != 0 &&
		bloom_geometry_false_groups(&chosen, params->rate, 0) > BLOOM_FALSE_GROUPS_MAX) {
		return BLOOM_E_GROUPS_RATE;
	}
	if (status == BLOOM_OK && params->ribbon) {
		status = params->bits_per_key != 0 ? size_ribbon_by_bits(params, &chosen)
						   : size_ribbon_by_rate(params, &chosen);
	}
	/* Small filters get small shards, because rounding up to whole shards costs small filters
	 * most. */
	for (; status == BLOOM_OK && !params->ribbon; chosen.shard_bytes /= 2) {
		if (params->groups != 0) {
			chosen.block_bytes = chosen.shard_bytes;
		}
		status = params->bits_per_key != 0 ? size_by_bits(params, &chosen)
						   : size_by_rate(params, &chosen);
		if (params->shard_bytes || has_enough_shards(&chosen)) {
			break;
		}
	}
	if (status == BLOOM_OK) {
		*geometry = chosen;
	}
	return status;
}

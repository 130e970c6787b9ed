#include "filter/rate.h"

#include <math.h>

/* Computes inner(i), as defined in rate.h. `throws` is k·i, the number of probes thrown into `bits`
 * bits. `probes` is the k of a lookup, or any other power of the fill.
 *
 * expm1() and log1p() avoid cancellation in 1 − (1 − 1/B)^n when few probes fall into many bits. */
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

/* An absent key passes with probability 2^−probes in a narrow stripe and with half that probability
 * in a wide stripe. Nearly all keys start in the first level. The stripes of the other levels are
 * at least as wide as the last stripe of the first, so they can only lower the rate. */
static double ribbon_rate(const bloom_geometry *geometry)
{
	double share =
		fmin((double)bloom_ribbon_narrow(geometry) / bloom_ribbon_first(geometry), 1);

	return ldexp(share + (1 - share) / 2, -(int)geometry->probes);
}

double bloom_rate_floor(uint64_t keys)
{
	return ldexp((double)keys, -64);
}

/* Returns the mean over all lanes of (set bits / bits)^power. If the power is the number of probes,
 * this is the part of the rate that comes from the set bits, not from equal digests. */
static double mean_power(const bloom_geometry *geometry, uint64_t keys, uint32_t power)
{
	enum { PROBES_PER_BIT_FULL = 64 }; /* leaves e^−64 of the bits clear */
	double bits = bloom_geometry_lane_bits(geometry);
	double n = (double)keys;
	double share = 1 / (double)bloom_geometry_lanes(geometry);
	double odds, mode, term, i, sum = 0, weight = 0;

	if (keys == 0) {
		return 0;
	}
	/* The sum below takes about √keys steps. This would be slow for a vastly overfilled live
	 * filter, whose rate is 1 anyway. */
	if (n * share * geometry->probes > bits * (double)PROBES_PER_BIT_FULL) {
		return 1;
	}
	if (share == 1) {
		return inner_rate(bits, n * geometry->probes, power);
	}
	/* Sum over the binomial distribution, from its mode outward in both directions. The term of
	 * the mode is 1, and every other term follows from its neighbor. The result is divided by
	 * the sum of all terms. This method needs no factorials and cannot overflow.
	 *
	 * The sum stops at terms below 10^−24. A limit of 10^−13 would cause visible errors,
	 * because rates can be as low as 10^−9 while lanes with more keys have rates of up to 1. */
	odds = share / (1 - share);
	mode = floor((n + 1) * share);
	for (i = mode, term = 1; term > 1e-24 && i <= n; i++) {
		weight += term;
		sum += term * inner_rate(bits, i * geometry->probes, power);
		term *= (n - i) / (i + 1) * odds;
	}
	for (i = mode, term = 1; i > 0; i--) {
		term *= i / ((n - i + 1) * odds);
		if (term <= 1e-24) {
			break;
		}
		weight += term;
		sum += term * inner_rate(bits, (i - 1) * geometry->probes, power);
	}
	return sum / weight;
}

double bloom_geometry_rate(const bloom_geometry *geometry, uint64_t keys)
{
	double bits = geometry->stripes != 0 ? ribbon_rate(geometry)
					     : mean_power(geometry, keys, geometry->probes);

	return fmin(1, bits + bloom_rate_floor(keys));
}

double bloom_geometry_rate_variance(const bloom_geometry *geometry, uint64_t keys)
{
	uint64_t step = keys / 64 + 1, fewer = keys - (step < keys ? step : keys);
	double lanes = (double)bloom_geometry_lanes(geometry), mean, square, slope;

	if (geometry->stripes != 0) {
		mean = bloom_geometry_rate(geometry, 0);
		return fmin(mean / (double)(keys + 1), mean * mean / 64);
	}
	mean = mean_power(geometry, keys, geometry->probes);
	square = mean_power(geometry, keys, 2 * geometry->probes);
	slope = (mean_power(geometry, keys + step, geometry->probes) -
			mean_power(geometry, fewer, geometry->probes)) /
		(double)(keys + step - fewer);
	return fmax(
		0, (square - mean * mean) / lanes - (double)keys * slope * slope * (1 - 1 / lanes));
}

double bloom_rate_by_chance(double rate, double variance)
{
	static const double sigmas = 8;

	return fmin(1, rate * exp(sigmas * sqrt(log1p(variance / (rate * rate)))));
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

double bloom_geometry_false_groups(const bloom_geometry *geometry, double rate, uint64_t holding)
{
	uint32_t levels = bloom_geometry_levels(geometry);
	double nodes = 1, right = 1, others = 0, below = 1, nodes_next, right_next;
	uint32_t level;

	/* Compute the number of groups below one child of the root. */
	for (level = 1; level < levels; level++) {
		below *= geometry->fan_out;
	}
	for (level = 0; level < levels; level++, below /= geometry->fan_out) {
		/* The last node of a level may lack children, so the c of rate.h is a mean here. */
		nodes_next = ceil((double)geometry->groups / below);
		right_next = fmin((double)holding, nodes_next);
		others = rate * (nodes_next / nodes * (others + right) - right_next);
		right = right_next;
		nodes = nodes_next;
	}
	return others;
}

/* Computes the false-positive rate of a geometry for a number of keys, and estimates the number of
 * keys from the number of set bits.
 *
 *     geometry, keys      ──► expected rate
 *     geometry, set bits  ──► estimated number of keys
 *
 * All functions are pure. measure.h counts the bits of real filters.
 */
#ifndef BLOOM_RATE_H
#define BLOOM_RATE_H

#include <stdint.h>

#include "filter/geometry.h"

/* The expected false-positive rate of a filter that holds `keys` distinct keys.
 *
 * For an absent key, a lane of B bits that holds i keys answers "maybe" with probability
 *
 *     inner(i) = q^k · (1 + k(k−1)/2 · Var X / (B·q)²),   q = 1 − (1 − 1/B)^(k·i)
 *
 * q^k is Bloom's formula (Bloom 1970; Mitzenmacher & Upfal, "Probability and Computing", 5.5.3).
 * This formula is slightly too low, because the number X of set bits varies (Bose et al., "On the
 * false-positive rate of Bloom filters", 2008). The second factor adds the second-order term of
 * E[(X/B)^k], with the exact variance of the occupancy problem. This term is 1 % in blocks of 512
 * bits and negligible in blocks of 64 Kbit. With the default blocks, the remaining error is at most
 * 0.1 % of the rate, which is worth less than one shard in 10,000. An exact computation is
 * impractical: with many probes, a sum by inclusion and exclusion loses its precision to
 * cancellation, and a recurrence without cancellation takes too long for blocks of 64 KiB.
 * docs/dev/writing.md therefore defines the size of a filter by this formula.
 *
 * Keys fall into b lanes at random. The rate of the filter is therefore the sum over i of
 * Binomial(keys, 1/b)(i) · inner(i). For many lanes the distribution approaches Poisson's, and the
 * sum approaches the formula of Putze, Sanders & Singler, "Cache-, hash- and space-efficient Bloom
 * filters" (2007), section 3. For a single lane it is the classic formula.
 *
 * The function adds keys / 2^64 to this sum. This term is the probability that an absent key has
 * the same digest as one of the keys. Such a key passes every filter, however large it is.
 *
 * In a ribbon filter, only the added term depends on the keys. An absent key passes the bits with
 * probability 2^−r, where r is the number of words of the stripe in which its equation starts. The
 * rate of the bits is the mean of this probability over the starts of the first level, which is an
 * upper bound as long as no key leaves the last level (ribbon.h).
 *
 * Cost: grows with the square root of the number of keys per lane.
 */
double bloom_geometry_rate(const bloom_geometry *geometry, uint64_t keys);

/* The variance of the measured rate (measure.h) of filters that hold `keys` random keys.
 *
 * The measured rate is the mean over b lanes of (X/B)^k. If the numbers of keys in the lanes were
 * independent, its variance would be (E[(X/B)^2k] − E[(X/B)^k]²) / b. Both terms are computed like
 * the rate r, although the first one has 2k in place of the power k. However, the total n would
 * then vary as well, which adds n · (dr/dn)² · (1 − 1/b). Because n is fixed, the function
 * subtracts this term, which is most of the variance unless the rate is below 10^-6.
 *
 * The measured rate of a ribbon filter varies only if a shard has more keys than its capacity
 * (sizing.h). This happens to a shard with a probability of at most the rate r, and then adds about
 * √λ / n to the rate for λ keys per shard. So the variance is at most r/n. It is limited to r²/64,
 * because at low rates such a shard shows that the keys are not random. */
double bloom_geometry_rate_variance(const bloom_geometry *geometry, uint64_t keys);

/* Returns the highest rate that a filter is measured to have by chance, if filters with as many
 * keys have this rate on average. A filter above it has too many keys, or keys that were chosen to
 * fall into few blocks.
 *
 * Few overfull lanes cause most of a low rate, so the measured rates are skewed to the right, but
 * their logarithms are close to normal. For the rate r and the variance v, the standard deviation
 * of the logarithm is σ = √ln(1 + v/r²). The function returns r · e^8σ. In simulations of up to
 * 200,000 filters at capacity, at most 1 in 100,000 exceeded it, at every rate and size:
 *
 *     rate      10^3 keys    10^4    10^5    10^6    10^7
 *     10^-2        1.10 r    1.10    1.04    1.01    1.00
 *     10^-4        1.46      1.32    1.14    1.04    1.01
 *     10^-6        7.36      2.24    1.42    1.12    1.04
 *     10^-9       85.6      23.6     3.68    1.58    1.16
 *
 * With 10 % more keys than the capacity, a filter of 10^5 keys has on average 1.43 times the rate
 * at 10^-2, 2.2 times at 10^-4, 3.0 times at 10^-6 and 4.1 times at 10^-9. */
double bloom_rate_by_chance(double rate, double variance);

/* Returns keys / 2^64, the part of the rate that no geometry can lower. */
double bloom_rate_floor(uint64_t keys);

/* The rate of one lane with that many set bits: (set_bits / lane_bits)^probes. */
double bloom_lane_rate(uint32_t set_bits, uint32_t lane_bits, uint32_t probes);

/* Estimates how many distinct keys set `set_bits` bits of the filter.
 *
 * After n keys the expected share of clear bits is (1 − (1 − (1 − 1/B)^k) / b)^n, however the keys
 * are distributed over the b lanes. The function solves this equation for n. For one lane it is
 * the estimate of Swamidass & Baldi, "Mathematical correction for fingerprint similarity measures
 * to improve chemical retrieval", 2007.
 *
 * Returns infinity if all bits are set. */
double bloom_geometry_estimated_keys(const bloom_geometry *geometry, uint64_t set_bits);

/* The expected number of false groups in a reverse index's answer.
 *
 *   rate     the filter's false-positive rate
 *   holding  number of groups that really hold the value
 *
 * On one level, let R be the number of visited nodes that lead to such groups, and W the number of
 * other visited nodes. If each node has c children, the numbers on the next level are
 *
 *     R' = min(holding, nodes of the level)
 *     W' = rate · (c · (W + R) − R')
 *
 * The search starts at the root with R = 1 and W = 0. */
double bloom_geometry_false_groups(const bloom_geometry *geometry, double rate, uint64_t holding);

/* Limit on the average number of false groups for a value that is in no group. An index above the
 * limit is useless, and every lookup would cost memory and time. Without the limit, a forged index
 * of 20 KB could answer with billions of groups. An index with at most this many groups always
 * passes. */
#define BLOOM_FALSE_GROUPS_MAX 10000

#endif

/* Creating live generations: parameters, sizing, the new file, and the comparison with an existing
 * filter.
 *
 *     params ──► in range? ──► does the filter exist, with the same params? ──► done
 *                                └ does not exist ──► size it ──► stage ──► switch
 *
 * Several processes may create the same filter at once. One of them creates it, and the others use
 * it.
 */
#ifndef BLOOM_CREATE_H
#define BLOOM_CREATE_H

#include "kinds/live.h"
#include "segment/stage.h"

/* Checks each number of a user's request by itself.
 *
 * Fails BLOOM_E_CAPACITY, _RATE, _GROWTH, _TIGHTENING, _WINDOW, _GROUPS, _FAN_OUT.
 */
bloom_status bloom_live_params_check_ranges(const bloom_live_params *params, bloom_error *error);

/* Checks the same, and also that the numbers together make a possible filter.
 *
 * Fails also BLOOM_E_TOO_LARGE. Cost up to milliseconds, because it sizes the filter.
 */
bloom_status bloom_live_params_check(const bloom_live_params *params, bloom_error *error);

/* Prepares a live file in *stage, ready to be committed (see stage.h). The first layer starts with
 * `bits`. All other bits are clear.
 *
 *   geometry  of the first layer, or NULL: chosen for the params, with `seed`
 *   bits      bloom_geometry_bytes() bytes, or NULL: all clear
 *
 * Fails as bloom_live_params_check() and bloom_stage_begin(); BLOOM_E_SECRET if the segment lacks
 *         the secret of the fingerprint; BLOOM_E_SOLVED for a ribbon filter's geometry, because no key
 *         can be added to a ribbon filter.
 */
bloom_status bloom_live_stage(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, uint64_t seed, const bloom_geometry *geometry,
	const unsigned char *bits, bloom_stage *stage, bloom_error *error);

/* Creates the filter `name`. If it exists with the same params, it stays unchanged.
 *
 *   seed      of the filter; an existing filter must have it. NULL: random, and any seed matches.
 *   *created  whether this call created the filter
 *
 * Fails BLOOM_E_EXISTS (other parameters), _KIND, and as bloom_live_stage().
 */
bloom_status bloom_live_create(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, const uint64_t *seed, bool *created, bloom_error *error);

/* Compares a mapped filter of the params's kind with the requested params.
 *
 *   seed  NULL: any
 *
 * Fails BLOOM_E_EXISTS, naming the first parameter that differs.
 */
bloom_status bloom_live_match(const bloom_live *live, const bloom_live_params *params,
	const uint64_t *seed, const char *name, bloom_error *error);

/* Compares a live file in a filter's open directory with the requested params. overlay.c uses it,
 * too.
 *
 * Fails BLOOM_E_EXISTS, naming the first parameter that differs; and as bloom_live_map().
 */
bloom_status bloom_live_compare(const bloom_place *opened, const char *file_name,
	const bloom_live_params *params, const uint64_t *seed, bloom_error *error);

#endif

/* Making live generations: parameters, sizing, the new file, and whether an existing filter is what was asked for.
 *
 *     params ──► in range? ──► is the filter there, and the same? ──► done
 *                                └ not there ──► size it ──► stage ──► switch
 *
 * Several processes may create the same filter at once: one of them makes it, and the others find it.
 */
#ifndef BLOOM_CREATE_H
#define BLOOM_CREATE_H

#include "kinds/live.h"
#include "segment/stage.h"

/* The gate for what users ask: each number by itself.
 *
 * Fails   BLOOM_E_CAPACITY, _RATE, _GROWTH, _TIGHTENING, _WINDOW, _GROUPS, _FAN_OUT.
 */
bloom_status bloom_live_params_check_ranges(const bloom_live_params *params, bloom_error *error);

/* The same, and whether all of them together can be a filter.
 *
 * Fails   also BLOOM_E_TOO_LARGE.
 * Cost    up to milliseconds: the filter is sized.
 */
bloom_status bloom_live_params_check(const bloom_live_params *params, bloom_error *error);

/* Makes a live file ready to be committed, in *stage (see stage.h), all its bits clear. When `bits` are
 * given they are what the first layer begins with.
 *
 *   geometry  of the first layer, or NULL: chosen for the params, with `seed`
 *   bits      NULL, or bloom_geometry_bytes() of them
 *
 * Fails   as bloom_live_params_check() and bloom_stage_begin(); BLOOM_E_SECRET for a fingerprint of no secret here;
 *         BLOOM_E_SOLVED for a ribbon filter's geometry, whose bits no key can be added to.
 */
bloom_status bloom_live_stage(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, uint64_t seed, const bloom_geometry *geometry,
	const unsigned char *bits, bloom_stage *stage, bloom_error *error);

/* The filter `name` as requested: made if there is none, and left as it is if there is one of the same
 * params.
 *
 *   seed      of a new one; NULL: random. One that is given must be the existing one's.
 *   *created  whether it was made
 *
 * Fails   BLOOM_E_EXISTS (other parameters), _KIND, and as bloom_live_stage().
 */
bloom_status bloom_live_create(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, const uint64_t *seed, bool *created, bloom_error *error);

/* Whether a mapped filter of the params's kind is as requested.
 *
 *   seed  NULL: any
 *
 * Fails   BLOOM_E_EXISTS, naming the first parameter that is not.
 */
bloom_status bloom_live_match(const bloom_live *live, const bloom_live_params *params,
	const uint64_t *seed, const char *name, bloom_error *error);

/* Whether a live file of a filter's open directory is as requested: for overlay.h, too.
 *
 * Fails   BLOOM_E_EXISTS, naming the first parameter that is not; and as bloom_live_map().
 */
bloom_status bloom_live_compare(const bloom_place *opened, const char *file_name,
	const bloom_live_params *params, const uint64_t *seed, bloom_error *error);

#endif

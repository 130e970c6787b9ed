/* Creates live filters. This means checking the parameters, choosing the size, and comparing with a
 * filter that exists already.
 *
 *     params ──► in range? ──► does the filter exist, with the same params? ──► done
 *                                └ it does not exist ──► size it ──► stage ──► switch
 *
 * Several processes may try to create the same filter concurrently. One process creates it, and the
 * others find it.
 *
 * Locks: the switch holds the filter's lock for microseconds. */
#ifndef BLOOM_CREATE_H
#define BLOOM_CREATE_H

#include "kinds/live.h"
#include "segment/stage.h"

/* Checks the range of each parameter.
 *
 * Errors: BLOOM_E_CAPACITY, _RATE, _GROWTH, _TIGHTENING, _WINDOW, _GROUPS, _FAN_OUT, _BOUND. */
bloom_status bloom_live_params_check_ranges(const bloom_live_params *params, bloom_error *error);

/* Writes a new live file to a stage (segment/stage.h), ready to be committed.
 *
 *   seed      used if `geometry` is NULL
 *   geometry  the geometry of layer 0; NULL: chosen to meet the parameters
 *   bits      the initial bits of layer 0; NULL: all clear
 *
 * Errors: those of bloom_live_params_check_ranges() and bloom_stage_begin(); BLOOM_E_TOO_LARGE;
 * _SECRET (this process lacks the secret that the fingerprint identifies); _SOLVED (`geometry`
 * belongs to a ribbon filter, which accepts no keys).
 *
 * Cost: up to a few milliseconds for sizing the filter. */
bloom_status bloom_live_stage(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, uint64_t seed, const bloom_geometry *geometry,
	const unsigned char *bits, bloom_stage *stage, bloom_error *error);

#define BLOOM_TTL_MS_MAX UINT64_C(1000000000000)

/* How a filter is created. All zero: it is opened if it exists. */
typedef struct bloom_creation {
	/* The seed that the filter must have. NULL allows any seed, and a new filter gets a random
	 * one. */
	const uint64_t *seed;
	uint64_t ttl_ms;   /* of a new filter; at most BLOOM_TTL_MS_MAX; 0: it never expires */
	bool is_exclusive; /* fail if the filter exists */
} bloom_creation;

/* Creates the filter `name` if it does not exist. An existing filter must have the same parameters
 * and is not changed; its time to live may differ.
 *
 *   how       NULL: as a bloom_creation that is all zero
 *   *created  true if this call created the filter
 *
 * Errors: BLOOM_E_EXISTS (the parameters differ, or it exists and must not), _KIND, _TTL, and those
 * of bloom_live_stage(). */
bloom_status bloom_live_create(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, const bloom_creation *how, bool *created,
	bloom_error *error);

/* Compares a mapped filter with parameters of its own kind.
 *
 *   seed  the required seed; NULL: any
 *
 * Errors: BLOOM_E_EXISTS, which names the first parameter that differs. */
bloom_status bloom_live_match(const bloom_live *live, const bloom_live_params *params,
	const uint64_t *seed, const char *name, bloom_error *error);

#endif

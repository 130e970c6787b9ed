/* A scalable filter (Almeida, Baquero, Preguiça & Hutchison, "Scalable Bloom Filters", 2007). It
 * grows as keys are added and keeps the requested rate P for the whole filter.
 *
 *     layer 0   capacity c,       rate P · (1 − r)          c  the initial capacity
 *     layer 1   capacity c · s,   rate P · (1 − r) · r      s  growth
 *     layer i   capacity c · s^i, rate P · (1 − r) · r^i    r  tightening
 *
 * A key is in the filter if any layer holds it, so the rates add up to at most P (section 3.1 of
 * the paper). Keys go into the newest layer. When it has reached its capacity, a process adds the
 * next layer at the end of the file: it allocates the room, writes the layer's row, and then stores
 * the number of layers with release order. A process that has mapped fewer layers sees the number
 * at its next lookup and maps the others. A key that was added to a layer that is no longer the
 * newest is found there as usual.
 *
 * If a layer cannot be added (no room, too many layers, or a process stopped while adding one), the
 * newest layer takes more keys than its capacity. No key is refused and none is lost, but the rate
 * rises, which the filter's info reports.
 */
#ifndef BLOOM_SCALABLE_H
#define BLOOM_SCALABLE_H

#include <stdbool.h>

#include "kinds/live.h"

/* Returns whether any layer may hold the key. Tests the newest layer first, because it has most
 * keys. Returns true if a new layer cannot be mapped. */
bool bloom_scalable_test(bloom_live *live, bloom_digest digest);

/* Adds a key. If the newest layer is full, adds a layer first.
 *
 *   *is_new  true if certainly no layer held the key
 *
 * Fails BLOOM_E_MEMORY, _LIVE, _SYSTEM if a new layer cannot be mapped: nothing was added. Cost a
 * test of each layer. Growing takes a few system calls, and other processes that add wait
 *         for it.
 */
bloom_status bloom_scalable_add(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, bool *is_new, bloom_error *error);

#endif

/* A scalable filter (Almeida, Baquero, Preguiça & Hutchison, "Scalable Bloom Filters", 2007): it grows
 * with what is added and keeps the asked rate P for the whole.
 *
 *     layer 0   capacity c,       rate P · (1 − r)          c  the initial capacity
 *     layer 1   capacity c · s,   rate P · (1 − r) · r      s  growth
 *     layer i   capacity c · s^i, rate P · (1 − r) · r^i    r  tightening
 *
 * A key is in the filter when any layer has it, so the rates add up to at most P (section 3.1 of the
 * paper). Keys go into the newest layer; once it holds its capacity the next one is added at the end of
 * the file: room first, then its row, then the number of layers, with release order. Who maps fewer
 * layers sees the number at the next lookup and maps the rest. An add into a layer that is no longer the
 * newest is found there like any other.
 *
 * When a layer cannot be added (no room, too many layers, or a process stopped while adding one) the
 * newest takes more than its capacity: no key is refused and none is lost, but the rate rises, which
 * the filter's info says.
 */
#ifndef BLOOM_SCALABLE_H
#define BLOOM_SCALABLE_H

#include <stdbool.h>

#include "kinds/live.h"

/* Whether any layer may hold the key: the newest, which has most of them, first. "Maybe" when a new layer
 * cannot be mapped. */
bool bloom_scalable_test(bloom_live *live, bloom_digest digest);

/* Adds a key, and a layer when the newest is full.
 *
 *   *is_new  it was certainly in no layer
 *
 * Fails   BLOOM_E_MEMORY, _LIVE, _SYSTEM when a new layer cannot be mapped: nothing was added.
 * Cost    a test of each layer; a few system calls when it grows, for which others that add wait.
 */
bloom_status bloom_scalable_add(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, bool *is_new, bloom_error *error);

#endif

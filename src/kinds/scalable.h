/* A scalable filter grows as keys are added (Almeida, Baquero, Preguiça & Hutchison, "Scalable
 * Bloom Filters", 2007). All layers together meet the requested rate P.
 *
 *     layer 0   capacity c,       rate P · (1 − r)          c  the initial capacity
 *     layer 1   capacity c · s,   rate P · (1 − r) · r      s  growth
 *     layer i   capacity c · s^i, rate P · (1 − r) · r^i    r  tightening
 *
 * Each layer is sized like a separate filter. Later layers have lower rates, so their blocks may be
 * larger than those of the first layer (sizing.h).
 *
 * A key is in the filter if it is in any layer, so the rates add up to at most P (section 3.1 of
 * the paper). The exception is a filter with so many keys that equal digests matter, because n
 * keys alone cause a rate of n / 2^64. A layer is sized for at least twice its part of that, so the
 * rates then add up to at most P + 2n / 2^64.
 *
 * Keys are added to the newest layer. When the newest layer is full, a process appends the next one
 * to the file. It first allocates the space, then writes the layer's row, and then stores the
 * number of layers with release order. A process that has mapped fewer layers sees the
 * new number at its next lookup and maps the rest. A key is found even if it was added to a layer
 * that was no longer the newest.
 *
 * If no layer can be appended (no space, too many layers, or a process was stopped while it
 * appended one), more keys are added to the newest layer than it was sized for. No key is rejected
 * or lost, but the rate rises, as info() shows.
 *
 * Locks: byte 0 of the file to grow. Lookups and other adds take no lock. */
#ifndef BLOOM_SCALABLE_H
#define BLOOM_SCALABLE_H

#include <stdbool.h>

#include "kinds/live.h"

/* Returns true if any layer may contain the key, or if a new layer cannot be mapped. The newest
 * layer is tested first, because it usually contains the most keys. */
bool bloom_scalable_test(bloom_live *live, bloom_digest digest);

/* Adds a key. Appends a layer first if the newest one is full.
 *
 *   *is_new  true if definitely no layer contained the key
 *
 * Errors: BLOOM_E_MEMORY, _LIVE, _SYSTEM if a new layer cannot be mapped; nothing has been added.
 * Cost: tests each layer. Growing takes a few system calls, during which other adds wait. */
bloom_status bloom_scalable_add(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, bool *is_new, bloom_error *error);

/* Adds all keys of a filter with the same parameters, seed and secret, by setting its bits. Layers
 * are appended until there are as many as in the other filter. Processes may add keys to both
 * filters in the meantime. A key that was in `from` before the call is in both after it.
 *
 * Errors: BLOOM_E_DIFFERENT (a layer has another geometry), _BUSY, _SPACE, _LIMIT, _SYSTEM (no
 * layer can be appended or mapped). Some keys may have been added.
 * Cost: one pass over both filters. */
bloom_status bloom_scalable_merge(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_live *from, bloom_error *error);

#endif

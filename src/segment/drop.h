/* Drops filters by name, by kind, or because their time to live has ended. */
#ifndef BLOOM_DROP_H
#define BLOOM_DROP_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/status.h"
#include "segment/segment.h"

/* Drops a filter, in the directories of all layouts. Its readers notice the drop at their next
 * lookup. The kernel frees the memory once the last reader has unmapped the file.
 *
 *   *existed  true if the filter had a generation
 *
 * Errors: BLOOM_E_BUSY, _REFUSED_…, _SYSTEM. A missing filter is not an error. */
bloom_status bloom_segment_drop(
	const bloom_segment *segment, const char *name, bool *existed, bloom_error *error);

/* Like bloom_segment_drop(), but drops only a filter of certain kinds. The check and the drop are
 * one step, so no other filter can take the name between them.
 *
 *   kinds  the sum of 1 << kind of the expected kinds; 0: drops no filter
 *
 * Further errors: BLOOM_E_KIND, and _CONTROL or _MEMORY if the kind cannot be read. */
bloom_status bloom_segment_drop_kind(const bloom_segment *segment, const char *name, uint32_t kinds,
	bool *existed, bloom_error *error);

/* Drops a filter whose time to live has ended. Does nothing if another writer is busy with it,
 * because every process already treats such a filter as dropped. */
void bloom_segment_drop_expired(const bloom_segment *segment, const char *name);

#endif

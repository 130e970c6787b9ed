/* What a segment's writers are working on, so that the work of one that died is found without visiting every filter.
 *
 *     <segment>/.bloom/5fd09c1e22d4a7b0.booth_tags     empty; its writer holds the flock on it
 *
 * A writer makes its marker before it changes anything in a filter's directory, and removes it last. A marker whose
 * lock is free belongs to a writer that died: what it may have left is in that filter's directory.
 */
#ifndef BLOOM_MARKER_H
#define BLOOM_MARKER_H

#include <stdint.h>

#include "segment/place.h"

typedef struct bloom_marker {
	int file;
	uint64_t process; /* bloom_process_id() that made it; 0: there is none */
	char file_name[BLOOM_FILE_NAME_MAX];
} bloom_marker;

/* Makes a marker for the filter of `place`.
 *
 * Fails   BLOOM_E_SPACE, _MEMORY, _REFUSED_…, _SYSTEM.
 */
bloom_status bloom_marker_begin(const bloom_place *place, bloom_marker *marker, bloom_error *error);

/* Removes it. In a forked child the marker is the parent's, and stays. A zeroed one is fine. */
void bloom_marker_end(const bloom_place *place, bloom_marker *marker);

/* Leaves a marker without an owner, so that later writers clean up that filter. Failures are not reported. */
void bloom_marker_create_orphan(const bloom_place *place, const char *name);

/* Calls `tidy` with the filter of each marker that a dead writer left, up to `max_filters` of them. The marker goes when it
 * returns true, and is looked at again by a later writer when it returns false. */
void bloom_marker_each_orphan(
	const bloom_place *place, unsigned max_filters, bloom_visit tidy, void *context);

#endif

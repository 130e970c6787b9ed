/* Listing the filters of a segment, and the entries in a filter's directory that are not ours. */
#ifndef BLOOM_LIST_H
#define BLOOM_LIST_H

#include "filter/status.h"
#include "os/files.h"
#include "segment/segment.h"

/* Calls `visit` with the name of each filter that has a generation or a damaged control page, in no
 * particular order, until `visit` returns false. If the segment does not exist, `visit` is not
 * called. Drops filters whose time to live has ended.
 *
 * Errors: BLOOM_E_REFUSED_…, _MEMORY, _SYSTEM.
 * Cost: the call opens every filter's control page. */
bloom_status bloom_segment_each(
	const bloom_segment *segment, bloom_visit visit, void *context, bloom_error *error);

/* Calls `visit` with the name of each entry in a filter's directory that this extension does not
 * create, in no particular order, until `visit` returns false.
 *
 * Errors: BLOOM_E_NOT_FOUND, _REFUSED_…, _SYSTEM. */
bloom_status bloom_segment_each_foreign(const bloom_segment *segment, const char *name,
	bloom_visit visit, void *context, bloom_error *error);

#endif

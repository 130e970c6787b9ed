/* Maps and creates the control page of a filter, which control.h describes. */
#ifndef BLOOM_CONTROL_FILE_H
#define BLOOM_CONTROL_FILE_H

#include "segment/control.h"
#include "segment/filter_dir.h"

/* Maps the control page. A page from before the last reboot is treated as missing. Of a page of
 * another layout, only the words that control.h names may be used.
 *
 *   *identity  identifies the page's file; may be NULL
 *
 * Errors: BLOOM_E_NOT_FOUND, _CONTROL, _REFUSED_…, _SYSTEM. */
bloom_status bloom_control_map(const bloom_filter_dir *dir, bloom_control **control,
	bloom_identity *identity, bloom_error *error);

/* Maps the control page for a writer that holds the lock. If the page is missing, dropped, damaged
 * or from before the last reboot, the call creates a new one.
 *
 * Errors: BLOOM_E_FILE_LIMIT, _SPACE, _REFUSED_…, _SYSTEM. */
bloom_status bloom_control_ensure(
	const bloom_filter_dir *dir, bloom_control **control, bloom_error *error);

/* Maps a filter's control page. If `create` is set and the page is missing, creates a page without
 * a generation.
 *
 *   *control  BLOOM_CONTROL_BYTES; the caller releases it with bloom_unmap()
 *
 * Errors: BLOOM_E_NOT_FOUND, _BUSY, _CONTROL, _REFUSED_…, _SYSTEM. */
bloom_status bloom_segment_control(const bloom_segment *segment, const char *name, bool create,
	bloom_control **control, bloom_error *error);

#endif

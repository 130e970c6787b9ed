/* Tidying removes the files that killed writers leave behind. A filter's control page says which
 * files are in use, and the lock of a .tmp file shows whether its writer is alive.
 *
 *     a write to a filter    tidies that filter (switch.h)
 *     a sweep                tidies all filters: once an hour, and before a call fails for lack of
 *                            space or because of the memory limit. It also removes filters of
 *                            other layouts (other_layouts.h)
 *
 * Locks, not process numbers, tell the dead from the living, so a sweep is also safe beside writers
 * that are stopped, that have forked, or that run in another PID namespace.
 */
#ifndef BLOOM_TIDY_H
#define BLOOM_TIDY_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/status.h"
#include "segment/control.h"
#include "segment/filter_dir.h"

/* Tidies all filters, and removes the files that bloom_filter_dir_remove() has moved away. Skips
 * filters that another writer has locked.
 *
 * Cost: 26 ms for 1,000 filters. */
void bloom_segment_sweep(const bloom_segment *segment);

/* Sweeps and returns true if `status` is BLOOM_E_LIMIT or _SPACE. The caller should then try once
 * more, because files of killed writers may have taken the space. */
bool bloom_segment_sweep_if_full(const bloom_segment *segment, bloom_status status);

/* Sweeps if no process has begun a sweep within the last hour. The file BLOOM_SWEPT_NAME, which all
 * processes map, contains the time of the last sweep. It is the host's uptime, because the wall
 * clock may jump. */
void bloom_segment_sweep_if_due(const bloom_filter_dir *dir);

/* The files that are in use, according to the control page. */
typedef struct bloom_use {
	uint64_t generation;
	uint64_t additions; /* their number; 0: none */
} bloom_use;

bloom_use bloom_use_of(const bloom_control *control);

/* Removes the files of dead writers and all generations except the served one. The caller holds the
 * filter's lock, so no other writer is between its rename and its switch. Returns false if a file
 * may remain.
 *
 *   *highest  the highest generation number of a file name; may be NULL */
bool bloom_tidy_filter(const bloom_filter_dir *dir, bloom_use use, uint64_t *highest);

/* Removes a filter's files and its directory. The caller holds the filter's lock. The control page
 * is removed last, so that the next writer still finds the dropped page if this process is killed
 * before the end.
 *
 * Errors: BLOOM_E_BUSY if a file remains; _REFUSED_…, _SYSTEM. */
bloom_status bloom_tidy_remove_filter(const bloom_filter_dir *dir, bloom_error *error);

#endif

/* Tidying: removing the files that killed writers leave behind. The busy file of a dead writer
 * names the filter that it was changing (busy_file.h), and that filter's control page says which
 * files are in use.
 */
#ifndef BLOOM_TIDY_H
#define BLOOM_TIDY_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/status.h"
#include "segment/control.h"
#include "segment/filter_dir.h"

/* Removes files that killed writers left behind anywhere in the segment. One call handles a limited
 * number of filters, so its cost does not depend on the size of the segment. It skips locked
 * filters, because another writer is working on them. */
void bloom_segment_tidy(const bloom_filter_dir *dir);

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
 * is removed last. If this process is killed earlier, the next writer still finds the dropped
 * page.
 *
 * Errors: BLOOM_E_BUSY if a file remains; _REFUSED_…, _SYSTEM. */
bloom_status bloom_tidy_remove_filter(const bloom_filter_dir *dir, bloom_error *error);

#endif

/* Declares the segment in force, that is, the directory of the filters and the settings. They are
 * fixed at the first use.
 *
 * Under FPM, FastCGI parameters of a request can change even system-level settings. Because the
 * settings are fixed at the first use, all requests of a process use the same segment.
 */
#ifndef PHP_BLOOM_SETTINGS_H
#define PHP_BLOOM_SETTINGS_H

#include "php/engine.h"
#include "segment/segment.h"

/* Returns the segment. The first call fixes the settings. */
const bloom_segment *php_bloom_segment(void);

/* Describes the segment that php_bloom_segment() would return, but fixes no settings. For
 * phpinfo().
 *
 *   *ring  zeroed by the caller; holds the secrets if this process has not read them yet. Release
 *          it with bloom_ring_drop(), also after an error
 *
 * Errors: BLOOM_E_PATH. */
bloom_status php_bloom_segment_peek(bloom_segment *segment, bloom_ring *ring, bloom_error *error);

/* Checks a filter name, then returns the segment. Throws a ValueError for argument `argument` if
 * the name is invalid. */
const bloom_segment *php_bloom_segment_for(const zend_string *name, uint32_t argument);

/* Stores the total size of the segment's files in *bytes, or returns false if it is unknown.
 * Because adding up the files takes time, the total may be up to a second old. However, it includes
 * every change that this process has reported with php_bloom_segment_changed(), which you should
 * call whenever you have created, replaced or dropped a filter.
 *
 * Cost: visits every filter, about 10 µs for each, once a second. */
bool php_bloom_segment_bytes(const bloom_segment *segment, uint64_t *bytes);
void php_bloom_segment_changed(void);

/* Returns whether this process itself, and not its parent, has fixed the settings. */
bool php_bloom_is_latched(void);

/* Discards the settings that a parent process has fixed, and its attachments. RINIT calls this
 * function in a forked process. */
void php_bloom_unlatch(void);

#endif

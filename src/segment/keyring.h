/* Reads a ring of secrets (secret.h) from the administrator's file.
 *
 * The file is not part of the segment, so different rules apply. It must be a regular file that
 * belongs to root or to this process's user. Its group may have permission to read but not to
 * write, and others must have neither. A symbolic link to it is allowed, because orchestrators
 * mount secrets that way. The checks apply to the opened file, not to the link.
 */
#ifndef BLOOM_KEYRING_H
#define BLOOM_KEYRING_H

#include "filter/secret.h"

/* Fills *ring. If the file cannot be read, the ring is empty and contains the error.
 *
 *   path  absolute; NULL or empty: no ring is configured, and *ring remains empty
 *
 * Errors in the ring: BLOOM_E_SECRET_FILE (missing, not readable, not absolute, too long),
 * _SECRET_MODE, _SECRET_TEXT, _SODIUM. */
void bloom_ring_read(const char *path, bloom_ring *ring);

/* Wipes a ring. */
void bloom_ring_drop(bloom_ring *ring);

#endif

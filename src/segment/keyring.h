/* Reads a ring of secrets (secret.h) from its file.
 *
 * The file is the administrator's, not the segment's, so its rules differ: a regular file, of root or of this
 * process's user, that the group may read but not write, and others neither. A symbolic link to it is fine
 * (orchestrators mount secrets so): what is checked is what was place.
 */
#ifndef BLOOM_KEYRING_H
#define BLOOM_KEYRING_H

#include "filter/secret.h"

/* Fills *ring in any case: one that could not be read has none and says why.
 *
 *   path    absolute; NULL or empty: nothing is configured, and the ring is empty
 *
 * Its failure is then BLOOM_E_SECRET_FILE (missing, not readable, not absolute, too long), _SECRET_MODE,
 * _SECRET_TEXT, _SODIUM.
 */
void bloom_ring_read(const char *path, bloom_ring *ring);

void bloom_ring_drop(bloom_ring *ring); /* and wipes it */

#endif

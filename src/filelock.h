/* The locks of a mapped file: a byte each, of which every kind of file has its own numbering.
 *
 * The kernel frees them when their process dies. They belong to an open file, which a forked child has no part in
 * (process.h): it opens the file anew when it wants one.
 */
#ifndef BLOOM_FILELOCK_H
#define BLOOM_FILELOCK_H

#include <stdint.h>

#include "place.h"

typedef struct bloom_filelock {
	int file;
	uint64_t process;        /* bloom_process() that opened it */
	bloom_identity identity; /* of the file that is mapped */
	char file_name[BLOOM_FILE_NAME_MAX];
} bloom_filelock;

/* Opens a file of a filter's directory, writable.
 *
 *   *lock   to be closed with bloom_filelock_close()
 *   *bytes  its size
 *
 * Fails   as bloom_file_open(); BLOOM_E_MEMORY.
 */
bloom_status bloom_filelock_open(const bloom_place *opened, const char *file_name,
	bloom_filelock *lock, uint64_t *bytes, bloom_error *error);
void bloom_filelock_close(bloom_filelock *lock);

/* Takes lock number `number` from other processes and threads.
 *
 *   segment, name  where the file is, for a forked child
 *   timeout_ms     0: fails at once when another has it
 *
 * Fails   BLOOM_E_BUSY, _GONE (dropped meanwhile), _SYSTEM.
 */
bloom_status bloom_filelock_take(bloom_filelock *lock, const bloom_segment *segment,
	const char *name, uint64_t number, uint64_t timeout_ms, bloom_error *error);
void bloom_filelock_release(bloom_filelock *lock, uint64_t number);

#endif

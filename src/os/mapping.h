/* Memory: of files, shared with other processes, and of one's own.
 */
#ifndef BLOOM_MAPPING_H
#define BLOOM_MAPPING_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/status.h"

/* Maps a file, shared. Reading beyond the file's end raises SIGBUS: map only what has been written,
 * or touch only that. */
bloom_status bloom_map(
	int file, uint64_t bytes, bool writable, unsigned char **map, bloom_error *error);

/* Makes a mapping of a file larger or smaller, at its old address or another. A failure leaves it as it is. */
bloom_status bloom_map_grow(
	unsigned char **map, uint64_t bytes, uint64_t bytes_wanted, bloom_error *error);

/* Checks that a byte of a mapping can be read. Reading it when the file ends before it, or has no room for its page,
 * would raise SIGBUS.
 *
 * Fails   BLOOM_E_SHORT when it cannot be read; _SYSTEM when that cannot be told.
 * Cost    four system calls.
 */
bloom_status bloom_map_check(const unsigned char *byte, bloom_error *error);

/* The machine's physical memory; UINT64_MAX when it does not tell. */
uint64_t bloom_machine_memory_bytes(void);

/* Fails BLOOM_E_MEMORY for what is larger than the machine's memory: touched page by page it would be
 * swapped until the system kills something. */
bloom_status bloom_memory_check(uint64_t bytes, bloom_error *error);

/* Private zeroed memory, page-aligned, for images of any size.  Fails BLOOM_E_MEMORY, also as bloom_memory_check(). */
bloom_status bloom_map_private(uint64_t bytes, unsigned char **map, bloom_error *error);

void bloom_unmap(const unsigned char *map, uint64_t bytes); /* NULL is fine */

#endif

/* Maps files into memory that processes share, and allocates private memory. */
#ifndef BLOOM_MAPPING_H
#define BLOOM_MAPPING_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/status.h"

/* Maps the first `bytes` bytes of a file, shared with other processes. Each process immediately
 * sees what the others store, and an aligned 64-bit store or atomic instruction takes effect as a
 * whole. Reading a page beyond the file's end kills the process (SIGBUS on POSIX), so the caller
 * must not access bytes that were never written. */
bloom_status bloom_map(
	int file, uint64_t bytes, bool writable, unsigned char **map, bloom_error *error);

/* Keeps what bloom_map_grow() needs besides a writable mapping of the file: -1 on Linux, which can
 * extend a mapping; a handle on other systems, where a process may therefore map fewer growing
 * files. Release it with bloom_close().
 *
 * Errors: BLOOM_E_SYSTEM. */
bloom_status bloom_map_keep(int file, int *kept, bloom_error *error);

/* Extends a writable mapping. The mapping may move to a different address. On failure, the old
 * mapping remains unchanged. */
bloom_status bloom_map_grow(
	int kept, unsigned char **map, uint64_t bytes, uint64_t bytes_wanted, bloom_error *error);

/* Checks whether reading a byte of a mapping would kill the process. That happens if the file has
 * been truncated, or if the page is a hole and the file system is full.
 *
 * Errors: BLOOM_E_SHORT (reading would kill the process); _SYSTEM (the check itself failed).
 * Cost: one system call. Where Linux's is missing, up to five, which need two free descriptors. */
bloom_status bloom_map_check(const unsigned char *byte, bloom_error *error);

/* Returns the size of the machine's physical memory in bytes, or UINT64_MAX if the system does not
 * report it. */
uint64_t bloom_machine_memory_bytes(void);

/* Fails with BLOOM_E_MEMORY if `bytes` exceeds the machine's physical memory. Linux would allow
 * such a mapping, start to swap and eventually kill a process. */
bloom_status bloom_memory_check(uint64_t bytes, bloom_error *error);

/* Maps private, zeroed, page-aligned memory.
 *
 * Errors: BLOOM_E_MEMORY, also if bloom_memory_check() fails. */
bloom_status bloom_map_private(uint64_t bytes, unsigned char **map, bloom_error *error);

/* Removes a mapping. NULL is ignored. */
void bloom_unmap(const unsigned char *map, uint64_t bytes);

#endif

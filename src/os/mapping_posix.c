#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "os/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "os/files.h"

uint64_t bloom_machine_memory_bytes(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);

	return pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : UINT64_MAX;
}

bloom_status bloom_memory_check(uint64_t bytes, bloom_error *error)
{
	uint64_t machine_bytes = bloom_machine_memory_bytes();

	return bytes <= machine_bytes
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_MEMORY, 0,
			  "the filter needs %llu bytes, but this machine has only %llu",
			  (unsigned long long)bytes, (unsigned long long)machine_bytes);
}

static bloom_status map_pages(int file, uint64_t bytes, int protection, int flags,
	unsigned char **map, bloom_error *error)
{
	void *pages;

	/* On 32-bit systems a file may be larger than the address space. */
	if (bytes > SIZE_MAX) {
		return bloom_fail(
			error, BLOOM_E_MEMORY, 0, "mapping %llu bytes", (unsigned long long)bytes);
	}
	pages = mmap(NULL, (size_t)bytes, protection, flags, file, 0);
	if (pages == MAP_FAILED) {
		return bloom_fail_system(error, "mapping");
	}
	*map = pages;
	return BLOOM_OK;
}

bloom_status bloom_map(
	int file, uint64_t bytes, bool writable, unsigned char **map, bloom_error *error)
{
	return map_pages(
		file, bytes, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, map, error);
}

bloom_status bloom_map_grow(
	unsigned char **map, uint64_t bytes, uint64_t bytes_wanted, bloom_error *error)
{
	void *pages = bytes_wanted <= SIZE_MAX
		? mremap(*map, (size_t)bytes, (size_t)bytes_wanted, MREMAP_MAYMOVE)
		: MAP_FAILED;

	if (pages == MAP_FAILED) {
		return bloom_fail_system(error, "mapping");
	}
	*map = pages;
	return BLOOM_OK;
}

bloom_status bloom_map_check(const unsigned char *byte, bloom_error *error)
{
	bloom_status status = BLOOM_OK;
	ssize_t written;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0) {
		return bloom_fail_system(error, "pipe");
	}
	/* write() makes the kernel read the byte. If a direct read would raise SIGBUS, the system
	 * call fails with EFAULT instead. A pipe buffers the byte without writing it to any
	 * file. */
	do {
		written = write(ends[1], byte, 1);
	} while (written < 0 && errno == EINTR);
	if (written != 1) {
		status = errno == EFAULT ? bloom_fail(error, BLOOM_E_SHORT, 0, "mapping")
					 : bloom_fail_system(error, "pipe");
	}
	(void)close(ends[0]);
	(void)close(ends[1]);
	return status;
}

bloom_status bloom_map_private(uint64_t bytes, unsigned char **map, bloom_error *error)
{
	bloom_status status = bloom_memory_check(bytes, error);

	/* MAP_NORESERVE: a sparse image needs no swap space for pages that are never touched. */
	if (status == BLOOM_OK) {
		status = map_pages(-1, bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, map, error);
	}
#ifdef MADV_HUGEPAGE
	/* Keys map to random pages. With 4 KiB pages, almost every access would miss the TLB. */
	if (status == BLOOM_OK) {
		(void)madvise(*map, (size_t)bytes, MADV_HUGEPAGE);
	}
#endif
	return status;
}

void bloom_unmap(const unsigned char *map, uint64_t bytes)
{
	if (map != NULL) {
		(void)munmap((void *)(uintptr_t)map, (size_t)bytes);
	}
}

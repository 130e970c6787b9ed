#include "os/system_posix.h"

#include "os/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "os/files.h"

uint64_t bloom_machine_memory_bytes(void)
{
#ifdef _SC_PHYS_PAGES /* POSIX does not have it */
	long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);

	return pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : UINT64_MAX;
#else
	return UINT64_MAX;
#endif
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

#if BLOOM_LINUX
bloom_status bloom_map_keep(int file, int *kept, bloom_error *error)
{
	(void)file;
	(void)error;
	*kept = -1;
	return BLOOM_OK;
}

bloom_status bloom_map_grow(
	int kept, unsigned char **map, uint64_t bytes, uint64_t bytes_wanted, bloom_error *error)
{
	void *pages = bytes_wanted <= SIZE_MAX
		? mremap(*map, (size_t)bytes, (size_t)bytes_wanted, MREMAP_MAYMOVE)
		: MAP_FAILED;

	(void)kept;
	if (pages == MAP_FAILED) {
		return bloom_fail_system(error, "mapping");
	}
	*map = pages;
	return BLOOM_OK;
}
#else
bloom_status bloom_map_keep(int file, int *kept, bloom_error *error)
{
	int copy = fcntl(file, F_DUPFD_CLOEXEC, 0);

	if (copy < 0) {
		return bloom_fail_system(error, "mapping");
	}
	*kept = copy;
	return BLOOM_OK;
}

bloom_status bloom_map_grow(
	int kept, unsigned char **map, uint64_t bytes, uint64_t bytes_wanted, bloom_error *error)
{
	unsigned char *fresh = NULL;
	bloom_status status = bloom_map(kept, bytes_wanted, true, &fresh, error);

	if (status == BLOOM_OK) {
		bloom_unmap(*map, bytes);
		*map = fresh;
	}
	return status;
}
#endif

/* Creates a pipe that programs started later do not inherit. */
static int open_pipe(int ends[2])
{
#if BLOOM_LINUX
	return pipe2(ends, O_CLOEXEC);
#else
	/* A program that another thread starts between the calls inherits the pipe. This does no
	 * harm: nothing ever waits for the pipe's end. */
	int result = pipe(ends);

	if (result == 0) {
		(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
		(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	}
	return result;
#endif
}

/* Reads a byte through the kernel, without a descriptor. Returns 1, or -1 and sets errno: EFAULT if
 * a direct read would raise SIGBUS, and another value if a sandbox or emulator lacks the call. */
static ssize_t read_by_kernel(const unsigned char *byte)
{
#if BLOOM_LINUX
	unsigned char copy;
	struct iovec to = {.iov_base = &copy, .iov_len = 1};
	struct iovec from = {.iov_base = (void *)(uintptr_t)byte, .iov_len = 1};

	return process_vm_readv(getpid(), &to, 1, &from, 1, 0);
#else
	(void)byte;
	errno = ENOSYS;
	return -1;
#endif
}

bloom_status bloom_map_check(const unsigned char *byte, bloom_error *error)
{
	bloom_status status = BLOOM_OK;
	ssize_t written;
	int ends[2];

	if (read_by_kernel(byte) == 1) {
		return BLOOM_OK;
	}
	if (errno == EFAULT) {
		return bloom_fail(error, BLOOM_E_SHORT, 0, "mapping");
	}
	if (open_pipe(ends) != 0) {
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

/* A sparse image needs no swap space for pages that are never touched. */
#ifdef MAP_NORESERVE
#define NO_SWAP MAP_NORESERVE
#else
#define NO_SWAP 0
#endif

bloom_status bloom_map_private(uint64_t bytes, unsigned char **map, bloom_error *error)
{
	bloom_status status = bloom_memory_check(bytes, error);

	if (status == BLOOM_OK) {
		status = map_pages(-1, bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | NO_SWAP, map, error);
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

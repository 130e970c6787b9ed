#include "os/system_posix.h"

#include "os/files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "os/files_posix.h"

enum { OTHERS_MASK = 077 };

bloom_status bloom_fail_system(bloom_error *error, const char *subject)
{
	int os_error = errno;
	bloom_status status;

	switch (os_error) {
	case ENOENT:
		return bloom_fail(error, BLOOM_E_NOT_FOUND, 0, "%s", subject);
	case ELOOP:
	case ENOTDIR:
	case ENXIO:
	case EISDIR:
		status = BLOOM_E_REFUSED_TYPE;
		break;
	case ENOSPC:
	case EDQUOT:
		status = BLOOM_E_SPACE;
		break;
	case EFBIG:
		status = BLOOM_E_FILE_LIMIT;
		break;
	case ENOMEM:
		status = BLOOM_E_MEMORY;
		break;
	default:
		status = BLOOM_E_SYSTEM;
	}
	return bloom_fail(error, status, os_error, "%s", subject);
}

bool bloom_is_unusable_error(int os_error)
{
	return os_error == ENOENT || os_error == EROFS || os_error == EACCES;
}

bool bloom_is_permission_error(int os_error)
{
	return os_error == EACCES || os_error == EPERM;
}

bool bloom_is_space_error(int os_error)
{
	return os_error == ENOSPC || os_error == EDQUOT;
}

bloom_status bloom_file_check_own(int file, const char *subject, bloom_error *error)
{
	struct stat found;
	bloom_status status = bloom_entry_check(file, S_IFREG, NULL, &found, subject, error);

	return status == BLOOM_OK && found.st_uid != geteuid()
		? bloom_fail(error, BLOOM_E_REFUSED_OWNER, 0, "%.600s", subject)
		: status;
}

bloom_status bloom_entry_check(int handle, mode_t type, const bloom_owner *owner,
	struct stat *found, const char *subject, bloom_error *error)
{
	if (fstat(handle, found) != 0) {
		return bloom_fail_system(error, subject);
	}
	if ((found->st_mode & S_IFMT) != type || (type == S_IFREG && found->st_nlink > 1)) {
		return bloom_fail(error, BLOOM_E_REFUSED_TYPE, 0, "%s", subject);
	}
	if (owner != NULL ? found->st_uid != owner->user
			  : found->st_uid != geteuid() && geteuid() != 0) {
		return bloom_fail(error, BLOOM_E_REFUSED_OWNER, 0, "%s (owned by user %u)", subject,
			(unsigned)found->st_uid);
	}
	if (found->st_mode & OTHERS_MASK) {
		return bloom_fail(error, BLOOM_E_REFUSED_MODE, 0, "%s (mode %04o)", subject,
			(unsigned)found->st_mode & 07777);
	}
	return BLOOM_OK;
}

/* The function does not change entries that are to belong to root. In a user namespace, the
 * segment's group may have no mapping, so fchown() would fail with EINVAL. */
bool bloom_entry_chown(int handle, const bloom_owner *owner)
{
	return geteuid() != 0 || owner->user == 0 || fchown(handle, owner->user, owner->group) == 0;
}

/* On some file systems, such as NFS and FUSE, a signal can interrupt openat(). */
int bloom_entry_open(int parent, const char *name, int flags, mode_t mode)
{
	int handle;

	do {
		handle = openat(parent, name, flags, mode);
	} while (handle < 0 && errno == EINTR);
	return handle;
}

bloom_status bloom_entry_remove(int parent, const char *name, int flags, bloom_error *error)
{
	/* A directory may contain a file that another process is writing. That process removes the
	 * directory later. POSIX allows both ENOTEMPTY and EEXIST for this case. */
	if (unlinkat(parent, name, flags) != 0 && errno != ENOENT && errno != ENOTEMPTY &&
		errno != EEXIST) {
		return bloom_fail_system(error, name);
	}
	return BLOOM_OK;
}

bloom_status bloom_file_remove(int directory, const char *name, bloom_error *error)
{
	return bloom_entry_remove(directory, name, 0, error);
}

void bloom_file_discard(int directory, const char *name)
{
	(void)unlinkat(directory, name, 0);
}

/* Opens a file. While another process holds a lease on it, which bloom_file_may_have_writers()
 * releases at once, open() for writing fails with EWOULDBLOCK because of O_NONBLOCK. */
static int open_despite_lease(int directory, const char *name, int flags)
{
	enum { TRIES_MAX = 1000 };
	const struct timespec pause = {.tv_nsec = 1000000};
	int handle = bloom_entry_open(directory, name, flags, 0), i;

	for (i = 1; i < TRIES_MAX && handle < 0 && errno == EWOULDBLOCK; i++) {
		(void)nanosleep(&pause, NULL);
		handle = bloom_entry_open(directory, name, flags, 0);
	}
	return handle;
}

bloom_status bloom_file_open(int directory, const char *name, bool writable, bloom_owner owner,
	int *file, uint64_t *bytes, bloom_error *error)
{
	/* Without O_NONBLOCK, opening a FIFO would wait until a process opens its other end. The
	 * type is checked after opening. */
	int flags = (writable ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
	int handle = open_despite_lease(directory, name, flags);
	struct stat found;
	bloom_status status;

	if (handle < 0) {
		return bloom_fail_system(error, name);
	}
	status = bloom_entry_check(handle, S_IFREG, &owner, &found, name, error);
	if (status != BLOOM_OK) {
		bloom_close(&handle);
		return status;
	}
	*file = handle;
	*bytes = (uint64_t)found.st_size;
	return BLOOM_OK;
}

static bloom_status check_secret_file(int file, const char *path, bloom_error *error)
{
	struct stat found;

	if (fstat(file, &found) != 0) {
		return bloom_fail(error, BLOOM_E_SECRET_FILE, errno, "%.600s", path);
	}
	if (!S_ISREG(found.st_mode)) {
		return bloom_fail(
			error, BLOOM_E_SECRET_MODE, 0, "%.180s: not a regular file", path);
	}
	if (found.st_uid != 0 && found.st_uid != geteuid()) {
		return bloom_fail(error, BLOOM_E_SECRET_MODE, 0, "%.180s: owned by user %lu", path,
			(unsigned long)found.st_uid);
	}
	if ((found.st_mode & (S_IWGRP | S_IRWXO)) != 0) {
		return bloom_fail(error, BLOOM_E_SECRET_MODE, 0, "%.180s: mode %04o", path,
			(unsigned)(found.st_mode & 07777));
	}
	return BLOOM_OK;
}

static bloom_status read_secret_file(int file, const char *path, unsigned char *text,
	size_t capacity, size_t *count, bloom_error *error)
{
	size_t done = 0;
	ssize_t got;

	do {
		got = read(file, text + done, capacity - done);
		if (got < 0 && errno != EINTR) {
			return bloom_fail(error, BLOOM_E_SECRET_FILE, errno, "%.600s", path);
		}
		done += got > 0 ? (size_t)got : 0;
	} while (got != 0 && done < capacity);
	/* A full buffer means that the file may be longer than the buffer. */
	if (done == capacity) {
		return bloom_fail(error, BLOOM_E_SECRET_FILE, EFBIG, "%.600s", path);
	}
	*count = done;
	return BLOOM_OK;
}

bloom_status bloom_secret_file_read(
	const char *path, unsigned char *text, size_t capacity, size_t *count, bloom_error *error)
{
	bloom_status status;
	int file;

	if (path[0] != '/') {
		return bloom_fail(error, BLOOM_E_SECRET_FILE, 0, "%.600s", path);
	}
	/* O_NONBLOCK prevents open() from waiting until a process opens the other end of a FIFO.
	 * O_NOCTTY prevents a terminal at this path from becoming the controlling terminal.
	 * O_NOFOLLOW is not set, because orchestrators mount secrets as symbolic links. The checks
	 * apply to the opened file. */
	file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file < 0) {
		return bloom_fail(error, BLOOM_E_SECRET_FILE, errno, "%.600s", path);
	}
	status = check_secret_file(file, path, error);
	if (status == BLOOM_OK) {
		status = read_secret_file(file, path, text, capacity, count, error);
	}
	bloom_close(&file);
	return status;
}

bloom_status bloom_file_create(
	int directory, const char *name, bloom_owner owner, int *file, bloom_error *error)
{
	int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int handle = bloom_entry_open(directory, name, flags, 0600);
	bloom_status status;

	if (handle < 0) {
		return bloom_fail_system(error, name);
	}
	/* The umask may have removed bits from the mode. */
	if (fchmod(handle, 0600) != 0 || !bloom_entry_chown(handle, &owner)) {
		status = bloom_fail_system(error, name);
		(void)unlinkat(directory, name, 0);
		bloom_close(&handle);
		return status;
	}
	*file = handle;
	return BLOOM_OK;
}

bloom_status bloom_file_write(
	int file, uint64_t offset, const unsigned char *bytes, uint64_t count, bloom_error *error)
{
	enum { WRITE_BYTES_MAX = 1 << 30 }; /* Linux writes at most 0x7ffff000 bytes per call */

	while (count > 0) {
		ssize_t written = pwrite(file, bytes,
			count < WRITE_BYTES_MAX ? (size_t)count : WRITE_BYTES_MAX, (off_t)offset);

		if (written < 0) {
			if (errno == EINTR) {
				continue;
			}
			return bloom_fail_system(error, "writing");
		}
		bytes += written;
		offset += (uint64_t)written;
		count -= (uint64_t)written;
	}
	return BLOOM_OK;
}

bloom_status bloom_file_extend(int file, uint64_t bytes, bloom_error *error)
{
	int result;

	do {
		result = ftruncate(file, (off_t)bytes);
	} while (result != 0 && errno == EINTR);
	return result == 0 ? BLOOM_OK : bloom_fail_system(error, "allocating space");
}

/* Allocates a range by writing zeros to it, for file systems without fallocate(). Returns 0 or an
 * errno. The zeros overwrite the range, so the range must contain only new bytes. */
static int write_zeros(int file, uint64_t offset, uint64_t bytes)
{
	static const unsigned char zeros[4096];
	ssize_t written;

	while (bytes > 0) {
		written = pwrite(file, zeros, bytes < sizeof zeros ? (size_t)bytes : sizeof zeros,
			(off_t)offset);
		if (written < 0 && errno != EINTR) {
			return errno;
		}
		offset += written > 0 ? (uint64_t)written : 0;
		bytes -= written > 0 ? (uint64_t)written : 0;
	}
	return 0;
}

bloom_status bloom_file_allocate(int file, uint64_t offset, uint64_t bytes, bloom_error *error)
{
	int failure;

	/* Exceeding RLIMIT_FSIZE raises SIGXFSZ, which kills the process. */
	if (bytes > bloom_process_file_bytes_max() ||
		offset > bloom_process_file_bytes_max() - bytes) {
		return bloom_fail(error, BLOOM_E_FILE_LIMIT, 0, "needs %llu bytes",
			(unsigned long long)offset + bytes);
	}
#if BLOOM_LINUX
	do {
		failure = posix_fallocate(file, (off_t)offset, (off_t)bytes);
	} while (failure == EINTR);
	/* If the file system does not support fallocate(), glibc writes to each block. Other C
	 * libraries, such as musl, return EOPNOTSUPP. */
	if (failure == EOPNOTSUPP) {
		failure = write_zeros(file, offset, bytes);
	}
#else
	/* macOS lacks posix_fallocate(), and ZFS does not support it. */
	failure = write_zeros(file, offset, bytes);
#endif
	if (failure != 0) {
		errno = failure;
		return bloom_fail_system(error, "allocating space");
	}
	return BLOOM_OK;
}

bloom_status bloom_file_move(
	int directory, const char *from, int target, const char *to, bloom_error *error)
{
	return renameat(directory, from, target, to) == 0 ? BLOOM_OK
							  : bloom_fail_system(error, from);
}

bloom_status bloom_file_rename(int directory, const char *from, const char *to, bloom_error *error)
{
	return bloom_file_move(directory, from, directory, to, error);
}

bloom_status bloom_file_bytes(int directory, const char *name, uint64_t *bytes, bloom_error *error)
{
	struct stat found;

	if (fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) != 0) {
		return bloom_fail_system(error, name);
	}
	*bytes = S_ISREG(found.st_mode) ? (uint64_t)found.st_size : 0;
	return BLOOM_OK;
}

static bool identity_of(int result, const struct stat *found, bloom_identity *identity)
{
	if (result != 0) {
		return false;
	}
	*identity = (bloom_identity){.device = found->st_dev, .inode = found->st_ino};
	return true;
}

bloom_status bloom_path_identity(const char *path, bloom_identity *identity, bloom_error *error)
{
	struct stat found;

	return identity_of(lstat(path, &found), &found, identity)
		? BLOOM_OK
		: bloom_fail_system(error, "path");
}

bloom_status bloom_file_identity(int file, bloom_identity *identity, bloom_error *error)
{
	struct stat found;

	return identity_of(fstat(file, &found), &found, identity)
		? BLOOM_OK
		: bloom_fail_system(error, "file");
}

bloom_status bloom_open_file_bytes(int file, uint64_t *bytes, bloom_error *error)
{
	struct stat found;

	if (fstat(file, &found) != 0) {
		return bloom_fail_system(error, "file");
	}
	*bytes = (uint64_t)found.st_size;
	return BLOOM_OK;
}

bloom_status bloom_file_check_holes(int file, const char *name, bloom_error *error)
{
	enum { BLOCK_BYTES = 512 }; /* the unit of st_blocks on Linux; see stat(3type) */
	struct stat found;
	uint64_t allocated;

	if (fstat(file, &found) != 0) {
		return bloom_fail_system(error, name);
	}
	allocated = (uint64_t)found.st_blocks * BLOCK_BYTES;
	return allocated >= (uint64_t)found.st_size || !bloom_directory_is_memory(file)
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_HOLES, 0,
			  "%.128s: only %llu of %llu bytes are allocated", name,
			  (unsigned long long)allocated, (unsigned long long)found.st_size);
}

bloom_status bloom_file_check_linked(int file, bloom_error *error)
{
	struct stat found;

	if (fstat(file, &found) != 0) {
		return bloom_fail_system(error, "file");
	}
	return found.st_nlink > 0 ? BLOOM_OK : bloom_fail(error, BLOOM_E_GONE, 0, "file");
}

/* On tmpfs, a read lease is granted only if no open file description may write, and a mapping keeps
 * its description open, in forked children as well. On overlayfs, a mapping keeps only the
 * underlying file open, which the lease does not see. If another process opens the file before the
 * lease is released, the kernel sends a signal, by default SIGIO, which would kill this process.
 * SIGURG is ignored by default. The other process tries again, see open_despite_lease(). */
bool bloom_file_may_have_writers(int file)
{
#if BLOOM_LINUX
	if (!bloom_directory_is_memory(file) || fcntl(file, F_SETSIG, SIGURG) != 0 ||
		fcntl(file, F_SETLEASE, F_RDLCK) != 0) {
		return true;
	}
	(void)fcntl(file, F_SETLEASE, F_UNLCK);
	return false;
#else
	(void)file;
	return true;
#endif
}

uint64_t bloom_process_file_bytes_max(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
		return UINT64_MAX;
	}
	return limit.rlim_cur;
}

void bloom_close(int *handle)
{
	int saved = errno;

	/* close() is not retried after EINTR: Linux has already freed the descriptor, and another
	 * thread may be using the same number. */
	if (*handle >= 0) {
		(void)close(*handle);
		*handle = -1;
	}
	errno = saved;
}

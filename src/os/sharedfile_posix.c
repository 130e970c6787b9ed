#include "os/system_posix.h"

#include "os/sharedfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/files_posix.h"

bool bloom_shared_is_windows(void)
{
	return false;
}

/* Returns 0 if a call succeeded, otherwise its errno. */
static int error_of(int result)
{
	return result == 0 ? 0 : errno;
}

static bloom_shared_info info_of(const struct stat *found)
{
	return (bloom_shared_info){.is_regular = S_ISREG(found->st_mode),
		.is_directory = S_ISDIR(found->st_mode),
		.bytes = S_ISREG(found->st_mode) ? (uint64_t)found->st_size : 0};
}

int bloom_shared_look(const char *path, bloom_shared_info *found)
{
	struct stat stat_buffer;

	if (stat(path, &stat_buffer) != 0) {
		return errno;
	}
	*found = info_of(&stat_buffer);
	return 0;
}

int bloom_shared_look_open(int file, bloom_shared_info *found)
{
	struct stat stat_buffer;

	if (fstat(file, &stat_buffer) != 0) {
		return errno;
	}
	*found = info_of(&stat_buffer);
	return 0;
}

bool bloom_shared_leads_to(const char *path, int file)
{
	struct stat named, opened;

	return stat(path, &named) == 0 && fstat(file, &opened) == 0 &&
		named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

static int open_at(const char *path, int flags, mode_t mode, int *file)
{
	int handle = bloom_entry_open(AT_FDCWD, path, flags | O_CLOEXEC, mode);

	if (handle < 0) {
		return errno;
	}
	*file = handle;
	return 0;
}

int bloom_shared_open(const char *path, bool writable, int *file)
{
	return open_at(path, (writable ? O_RDWR : O_RDONLY) | O_NONBLOCK, 0, file);
}

int bloom_shared_create(const char *path, bool is_private, int *file)
{
	return open_at(path, O_RDWR | O_CREAT | O_EXCL, is_private ? 0600 : 0666, file);
}

int bloom_shared_make_directory(const char *path)
{
	return error_of(mkdir(path, 0777));
}

/* Copies a path up to its last slash. Returns NULL if there is not enough memory. The caller frees
 * the copy. */
static char *parent_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t bytes = slash == NULL ? 0 : (size_t)(slash - path) + 1;
	char *parent = malloc(bytes + 1);

	if (parent != NULL) {
		memcpy(parent, path, bytes);
		parent[bytes] = 0;
	}
	return parent;
}

static bool look_at_parent(const char *path, struct stat *found)
{
	char *parent = parent_of(path);
	bool is_done = parent != NULL && stat(parent, found) == 0;

	free(parent);
	return is_done;
}

/* Returns whether this user decides about the access of the file that is replaced. */
static bool is_own(const char *path, const struct stat *old)
{
	struct stat parent;

	return old->st_uid == geteuid() ||
		(geteuid() == 0 && look_at_parent(path, &parent) && parent.st_uid == old->st_uid);
}

static int give_access(int file, const struct stat *old, bool keeps)
{
	mode_t mode = old->st_mode & 0777, group = mode >> 3 & 7;
	struct stat new;

	if (fstat(file, &new) != 0) {
		return errno;
	}
	if (keeps && old->st_uid != new.st_uid) {
		(void)fchown(file, old->st_uid, (gid_t)-1);
	}
	if (old->st_gid != new.st_gid && (!keeps || fchown(file, (uid_t)-1, old->st_gid) != 0)) {
		mode = (mode & ~(mode_t)070) | (group & mode) << 3;
	}
	mode &= keeps ? 0777 : new.st_mode;
	return mode == (new.st_mode & 07777) ? 0 : error_of(fchmod(file, mode));
}

int bloom_shared_create_for(const char *path, const char *temporary, int *file)
{
	struct stat old;
	/* Every link has mode 0777. */
	bool exists = lstat(path, &old) == 0 && !S_ISLNK(old.st_mode);
	bool keeps = exists && is_own(path, &old);
	int os_error = bloom_shared_create(temporary, keeps, file);

	if (os_error == 0 && exists) {
		os_error = give_access(*file, &old, keeps);
		if (os_error != 0) {
			(void)unlink(temporary);
			bloom_close(file);
		}
	}
	return os_error;
}

int bloom_shared_give_to_writers(const char *path, int file)
{
	struct stat parent, found;
	bool has_group;

	if (!look_at_parent(path, &parent)) {
		return errno;
	}
	if (geteuid() == 0) {
		(void)fchown(file, parent.st_uid, parent.st_gid);
	}
	if (fstat(file, &found) != 0) {
		return errno;
	}
	has_group = (parent.st_mode & S_IWGRP) != 0 &&
		(found.st_gid == parent.st_gid || fchown(file, (uid_t)-1, parent.st_gid) == 0);
	return error_of(fchmod(file, has_group ? 0660 : 0600));
}

int bloom_shared_open_own(const char *path, int *file)
{
	return open_at(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0600, file);
}

int bloom_shared_read_some(
	int file, uint64_t offset, unsigned char *bytes, size_t count, size_t *got)
{
	ssize_t step;

	*got = 0;
	while (*got < count) {
		step = pread(file, bytes + *got, count - *got, (off_t)(offset + *got));
		if (step == 0) {
			break;
		}
		if (step < 0 && errno != EINTR) {
			return errno;
		}
		*got += step > 0 ? (size_t)step : 0;
	}
	return 0;
}

int bloom_shared_read(int file, uint64_t offset, unsigned char *bytes, size_t count)
{
	size_t got;
	int os_error = bloom_shared_read_some(file, offset, bytes, count, &got);

	return os_error == 0 && got < count ? EIO : os_error;
}

int bloom_shared_write(int file, uint64_t offset, const unsigned char *bytes, size_t count)
{
	ssize_t put;

	/* Writing beyond this limit would kill the process with SIGXFSZ. */
	if (offset + count > bloom_process_file_bytes_max()) {
		return EFBIG;
	}
	for (; count > 0; bytes += put, count -= (size_t)put, offset += (uint64_t)put) {
		put = pwrite(file, bytes, count, (off_t)offset);
		if (put < 0 && errno == EINTR) {
			put = 0;
		} else if (put <= 0) {
			return put == 0 ? EIO : errno;
		}
	}
	return 0;
}

int bloom_shared_truncate(int file, uint64_t bytes)
{
	return error_of(ftruncate(file, (off_t)bytes));
}

int bloom_shared_sync(int file)
{
	return error_of(fsync(file));
}

int bloom_shared_sync_data(int file)
{
	return error_of(fdatasync(file));
}

void bloom_shared_sync_directory(const char *path)
{
	int handle = -1;

	(void)open_at(path, O_RDONLY | O_DIRECTORY, 0, &handle);
	if (handle >= 0) {
		(void)fsync(handle);
		bloom_close(&handle);
	}
}

void bloom_shared_sync_parent(const char *path)
{
	enum { PATH_BYTES_MAX = 4096 };
	const char *slash = strrchr(path, '/');
	char parent[PATH_BYTES_MAX];
	size_t bytes = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);

	if (bytes > 0 && bytes < sizeof parent) {
		memcpy(parent, path, bytes);
		parent[bytes] = 0;
		bloom_shared_sync_directory(parent);
	}
}

int bloom_shared_copy_access(int from, int to)
{
	struct stat old, new;

	if (fstat(from, &old) != 0 || fstat(to, &new) != 0) {
		return errno;
	}
	if ((new.st_uid != old.st_uid || new.st_gid != old.st_gid) &&
		fchown(to, old.st_uid, old.st_gid) != 0 &&
		((old.st_mode >> 3 & 6) != (old.st_mode >> 6 & 6) ||
			(new.st_gid != old.st_gid &&fchown(to, (uid_t)-1, old.st_gid) != 0))) {
		return EPERM;
	}
	return error_of(fchmod(to, old.st_mode & 0777));
}

static bool may_follow(const char *path, const struct stat *link)
{
	enum { SHARED = S_ISVTX | S_IWOTH };
	struct stat parent;

	return link->st_uid == geteuid() ||
		(look_at_parent(path, &parent) &&
			((parent.st_mode & SHARED) != SHARED || parent.st_uid == link->st_uid));
}

/* Replaces the path of a link by the path of its target. */
static int follow(char **path)
{
	enum { PATH_BYTES_MAX = 4096 };
	char target[PATH_BYTES_MAX], *joined;
	ssize_t bytes = readlink(*path, target, sizeof target);
	const char *slash = bytes > 0 && target[0] == '/' ? NULL : strrchr(*path, '/');
	size_t kept = slash == NULL ? 0 : (size_t)(slash - *path) + 1, capacity;

	if (bytes < 0) {
		return errno;
	}
	capacity = kept + (size_t)bytes + 1;
	if (capacity > PATH_BYTES_MAX) {
		return ENAMETOOLONG;
	}
	joined = malloc(capacity);
	if (joined == NULL) {
		return ENOMEM;
	}
	memcpy(joined, *path, kept);
	memcpy(joined + kept, target, (size_t)bytes);
	joined[kept + (size_t)bytes] = 0;
	free(*path);
	*path = joined;
	return 0;
}

int bloom_shared_resolve(const char *path, char **resolved)
{
	enum { LINKS_MAX = 40 }; /* as on Linux */
	struct stat found;
	int links, os_error;

	*resolved = strdup(path);
	os_error = *resolved == NULL ? ENOMEM : 0;
	for (links = 0; os_error == 0; links++) {
		if (lstat(*resolved, &found) != 0) {
			os_error = errno;
		} else if (!S_ISLNK(found.st_mode)) {
			return 0;
		} else if (!may_follow(*resolved, &found)) {
			os_error = BLOOM_SHARED_FOREIGN_LINK;
		} else {
			os_error = links == LINKS_MAX ? ELOOP : follow(resolved);
		}
	}
	free(*resolved);
	*resolved = NULL;
	return os_error;
}

int bloom_shared_name(const char *from, const char *to)
{
	int os_error = error_of(link(from, to));

	if (os_error == 0) {
		(void)unlink(from);
	}
	return os_error;
}

int bloom_shared_replace(const char *from, const char *to)
{
	return error_of(rename(from, to));
}

int bloom_shared_remove(const char *path)
{
	return error_of(unlink(path));
}

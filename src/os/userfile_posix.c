#include "os/system_posix.h"

#include "os/userfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/files_posix.h"
#include "os/lock.h"

static bloom_status fail(bloom_error *error, int os_error, const char *path)
{
	bool is_full = os_error == ENOSPC || os_error == EDQUOT;

	return bloom_fail(error, is_full ? BLOOM_E_SPACE : BLOOM_E_FILE, os_error, "%.600s", path);
}

/* ---- writing ---- */

/* Allocates both paths. The target of a symbolic link is replaced, not the link. */
static bloom_status name(const char *path, bloom_userfile *file, bloom_error *error)
{
	static const char suffix[] = ".tmp";
	struct stat found;

	file->path = realpath(path, NULL);
	if (file->path == NULL && errno == ENOENT) {
		file->path = strdup(path);
	}
	if (file->path == NULL) {
		return fail(error, errno, path);
	}
	if (stat(file->path, &found) == 0 && !S_ISREG(found.st_mode)) {
		return fail(error, S_ISDIR(found.st_mode) ? EISDIR : EINVAL, path);
	}
	file->temporary = malloc(strlen(file->path) + sizeof suffix);
	if (file->temporary == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "%.600s", path);
	}
	(void)sprintf(file->temporary, "%s%s", file->path, suffix);
	return BLOOM_OK;
}

/* Returns whether the temporary file's name still refers to the open file. Another writer may have
 * renamed the file before this process locked it. */
static bool is_named(const bloom_userfile *file)
{
	bloom_identity named, open_file;

	return bloom_path_identity(file->temporary, &named, NULL) == BLOOM_OK &&
		bloom_file_identity(file->file, &open_file, NULL) == BLOOM_OK &&
		bloom_is_same_file(&named, &open_file);
}

static bloom_status open_and_lock(bloom_userfile *file, bloom_error *error)
{
	struct stat found;
	bloom_status status;

	file->file = bloom_entry_open(AT_FDCWD, file->temporary,
		O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	if (file->file < 0) {
		return fail(error, errno, file->path);
	}
	status = bloom_entry_check(file->file, S_IFREG, NULL, &found, file->temporary, error);
	if (status == BLOOM_OK && found.st_uid != geteuid()) {
		status = bloom_fail(error, BLOOM_E_REFUSED_OWNER, 0, "%.600s", file->temporary);
	}
	if (status == BLOOM_OK && bloom_lock(file->file, 0, error) != BLOOM_OK) {
		status = bloom_fail(error, BLOOM_E_SAVING, 0, "%.600s", file->path);
	}
	if (status != BLOOM_OK) {
		bloom_close(&file->file);
	}
	return status;
}

static void release(bloom_userfile *file)
{
	free(file->path);
	free(file->temporary);
	file->path = file->temporary = NULL;
}

bloom_status bloom_userfile_begin(
	const char *path, uint64_t bytes, bloom_userfile *file, bloom_error *error)
{
	enum { TRIES_MAX = 10 };
	bloom_status status;
	int i;

	*file = (bloom_userfile){.file = -1};
	if (bytes > bloom_process_file_bytes_max()) {
		return bloom_fail(error, BLOOM_E_FILE_LIMIT, 0, "%.600s", path);
	}
	status = name(path, file, error);
	for (i = 0; status == BLOOM_OK && i < TRIES_MAX; i++) {
		status = open_and_lock(file, error);
		if (status != BLOOM_OK || is_named(file)) {
			break;
		}
		bloom_close(&file->file);
	}
	if (status == BLOOM_OK && file->file < 0) {
		status = bloom_fail(error, BLOOM_E_SAVING, 0, "%.600s", path);
	}
	if (status == BLOOM_OK && ftruncate(file->file, 0) != 0) {
		status = fail(error, errno, path);
	}
	if (status != BLOOM_OK) {
		bloom_userfile_abort(file);
	}
	return status;
}

bloom_status bloom_userfile_write(bloom_userfile *file, uint64_t offset, const unsigned char *bytes,
	uint64_t count, bloom_error *error)
{
	ssize_t written;

	while (count > 0) {
		written = pwrite(file->file, bytes, (size_t)count, (off_t)offset);
		if (written < 0 && errno == EINTR) {
			continue;
		}
		if (written <= 0) {
			return fail(error, written < 0 ? errno : EIO, file->path);
		}
		bytes += written;
		offset += (uint64_t)written;
		count -= (uint64_t)written;
	}
	return BLOOM_OK;
}

static void sync_directory(char *path)
{
	char *slash = strrchr(path, '/');
	int handle;

	if (slash == NULL) {
		return;
	}
	slash[slash == path] = 0; /* keeps the slash of the root directory */
	handle = bloom_entry_open(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	if (handle >= 0) {
		(void)fsync(handle);
		bloom_close(&handle);
	}
}

bloom_status bloom_userfile_commit(bloom_userfile *file, bloom_error *error)
{
	if (fsync(file->file) != 0 || rename(file->temporary, file->path) != 0) {
		return fail(error, errno, file->path);
	}
	bloom_unlock(file->file);
	bloom_close(&file->file);
	sync_directory(file->path);
	release(file);
	return BLOOM_OK;
}

void bloom_userfile_abort(bloom_userfile *file)
{
	if (file->file >= 0) {
		/* Remove the name before the lock is released: afterwards the file may belong to
		 * the next writer. */
		(void)unlink(file->temporary);
		bloom_unlock(file->file);
		bloom_close(&file->file);
	}
	release(file);
}

/* ---- reading ---- */

bloom_status bloom_userfile_open(const char *path, int *file, uint64_t *bytes, bloom_error *error)
{
	/* O_NONBLOCK, because opening a FIFO would wait for a writer. */
	int handle = bloom_entry_open(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
	struct stat found;
	int os_error;

	if (handle < 0) {
		return fail(error, errno, path);
	}
	os_error = fstat(handle, &found) != 0 ? errno
		: S_ISREG(found.st_mode)      ? 0
		: S_ISDIR(found.st_mode)      ? EISDIR
					      : EINVAL;
	if (os_error != 0) {
		bloom_close(&handle);
		return fail(error, os_error, path);
	}
	*file = handle;
	*bytes = (uint64_t)found.st_size;
	return BLOOM_OK;
}

bloom_status bloom_userfile_read(int file, const char *path, uint64_t offset, unsigned char *bytes,
	uint64_t count, bloom_error *error)
{
	ssize_t got;

	while (count > 0) {
		got = pread(file, bytes, (size_t)count, (off_t)offset);
		if (got < 0 && errno == EINTR) {
			continue;
		}
		if (got < 0) {
			return fail(error, errno, path);
		}
		if (got == 0) {
			return bloom_fail(error, BLOOM_E_LENGTH, 0,
				"the file ends after %llu bytes", (unsigned long long)offset);
		}
		bytes += got;
		offset += (uint64_t)got;
		count -= (uint64_t)got;
	}
	return BLOOM_OK;
}

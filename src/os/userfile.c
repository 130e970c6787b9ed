#include "os/userfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os/lock.h"
#include "os/sharedfile.h"

static bloom_status fail(bloom_error *error, int os_error, const char *path)
{
	if (os_error == BLOOM_SHARED_FOREIGN_LINK) {
		return bloom_fail(error, BLOOM_E_REFUSED_LINK, 0, "%.600s", path);
	}
	return bloom_fail(error, bloom_is_space_error(os_error) ? BLOOM_E_SPACE : BLOOM_E_FILE,
		os_error, "%.600s", path);
}

/* Returns the errno that means that an entry is not a regular file; 0 if it is. */
static int type_error(const bloom_shared_info *found)
{
	return found->is_regular ? 0 : found->is_directory ? EISDIR : EINVAL;
}

/* ---- writing ---- */

static char *join(const char *text, const char *suffix)
{
	size_t bytes = strlen(text) + strlen(suffix) + 1;
	char *joined = malloc(bytes);

	if (joined != NULL) {
		(void)snprintf(joined, bytes, "%s%s", text, suffix);
	}
	return joined;
}

/* Allocates both paths. The target of a symbolic link is replaced, not the link. */
static bloom_status name(const char *path, bloom_userfile *file, bloom_error *error)
{
	bloom_shared_info found;
	int os_error = bloom_shared_resolve(path, &file->path);

	if (os_error == ENOENT) {
		file->path = join(path, "");
		os_error = 0;
	}
	/* A link in /proc may lead to an open pipe, which has no path. */
	if (os_error == 0 && bloom_shared_look(path, &found) == 0) {
		os_error = type_error(&found);
	}
	if (os_error != 0) {
		return fail(error, os_error, path);
	}
	file->temporary = file->path != NULL ? join(file->path, ".tmp") : NULL;
	return file->temporary != NULL ? BLOOM_OK
				       : bloom_fail(error, BLOOM_E_MEMORY, 0, "%.600s", path);
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
	int os_error = bloom_shared_open_own(file->temporary, &file->file);
	bloom_status status;

	if (os_error != 0) {
		return fail(error, os_error, file->path);
	}
	status = bloom_file_check_own(file->file, file->temporary, error);
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

/* Opens and locks the temporary file, and empties it. */
static bloom_status take_temporary(bloom_userfile *file, bloom_error *error)
{
	enum { TRIES_MAX = 10 };
	bloom_status status = BLOOM_OK;
	int i, os_error;

	for (i = 0; i < TRIES_MAX; i++) {
		status = open_and_lock(file, error);
		if (status != BLOOM_OK || is_named(file)) {
			break;
		}
		bloom_close(&file->file);
	}
	if (status == BLOOM_OK && file->file == -1) {
		return bloom_fail(error, BLOOM_E_SAVING, 0, "%.600s", file->path);
	}
	os_error = status == BLOOM_OK ? bloom_shared_truncate(file->file, 0) : 0;
	return os_error == 0 ? status : fail(error, os_error, file->path);
}

bloom_status bloom_userfile_begin(
	const char *path, uint64_t bytes, bloom_userfile *file, bloom_error *error)
{
	bloom_status status;

	*file = (bloom_userfile){.file = -1};
	if (bytes > bloom_process_file_bytes_max()) {
		return bloom_fail(error, BLOOM_E_FILE_LIMIT, 0, "%.600s", path);
	}
	status = name(path, file, error);
	if (status == BLOOM_OK) {
		status = take_temporary(file, error);
	}
	if (status != BLOOM_OK) {
		bloom_userfile_abort(file);
	}
	return status;
}

bloom_status bloom_userfile_write(bloom_userfile *file, uint64_t offset, const unsigned char *bytes,
	uint64_t count, bloom_error *error)
{
	int os_error = bloom_shared_write(file->file, offset, bytes, (size_t)count);

	return os_error == 0 ? BLOOM_OK : fail(error, os_error, file->path);
}

bloom_status bloom_userfile_commit(bloom_userfile *file, bloom_error *error)
{
	int os_error = bloom_shared_sync(file->file);

	if (os_error == 0) {
		os_error = bloom_shared_replace(file->temporary, file->path);
	}
	if (os_error != 0) {
		return fail(error, os_error, file->path);
	}
	bloom_unlock(file->file);
	bloom_close(&file->file);
	bloom_shared_sync_parent(file->path);
	release(file);
	return BLOOM_OK;
}

void bloom_userfile_abort(bloom_userfile *file)
{
	if (file->file != -1) {
		/* Remove the name before the lock is released: afterwards the file may belong to
		 * the next writer. */
		(void)bloom_shared_remove(file->temporary);
		bloom_unlock(file->file);
		bloom_close(&file->file);
	}
	release(file);
}

/* ---- reading ---- */

bloom_status bloom_userfile_open(const char *path, int *file, uint64_t *bytes, bloom_error *error)
{
	bloom_shared_info found = {0};
	int handle = -1, os_error = bloom_shared_open(path, false, &handle);

	if (os_error == 0) {
		os_error = bloom_shared_look_open(handle, &found);
	}
	if (os_error == 0) {
		os_error = type_error(&found);
	}
	if (os_error != 0) {
		bloom_close(&handle);
		return fail(error, os_error, path);
	}
	*file = handle;
	*bytes = found.bytes;
	return BLOOM_OK;
}

bloom_status bloom_userfile_read(int file, const char *path, uint64_t offset, unsigned char *bytes,
	uint64_t count, bloom_error *error)
{
	size_t got;
	int os_error = bloom_shared_read_some(file, offset, bytes, (size_t)count, &got);

	if (os_error != 0) {
		return fail(error, os_error, path);
	}
	return got == count ? BLOOM_OK
			    : bloom_fail(error, BLOOM_E_LENGTH, 0, "the file ends after %llu bytes",
				      (unsigned long long)(offset + got));
}

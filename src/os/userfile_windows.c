#include "os/files_windows.h"

#include "os/userfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "os/lock.h"
#include "os/sharedfile.h"

static bloom_status fail(bloom_error *error, int os_error, const char *path)
{
	return bloom_fail(
		error, os_error == ENOSPC ? BLOOM_E_SPACE : BLOOM_E_FILE, os_error, "%.600s", path);
}

/* Returns the errno that means that an open file is not regular; 0 if it is. */
static int type_error(int file)
{
	BY_HANDLE_FILE_INFORMATION found;

	if (GetFileType(bloom_handle_of(file)) != FILE_TYPE_DISK) {
		return EINVAL;
	}
	if (!GetFileInformationByHandle(bloom_handle_of(file), &found)) {
		(void)bloom_failed();
		return errno;
	}
	return (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? EISDIR : 0;
}

/* Opens a path; a link is followed. FILE_FLAG_BACKUP_SEMANTICS also opens directories. */
static int open_path(const char *path, DWORD access)
{
	return bloom_path_open(path, access, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
}

/* ---- writing ---- */

/* Returns the path of an open file, without links; NULL if it cannot be determined. */
static char *path_of(int file)
{
	wchar_t wide[BLOOM_WIDE_PATH_MAX];
	DWORD count = GetFinalPathNameByHandleW(
		bloom_handle_of(file), wide, BLOOM_WIDE_PATH_MAX, FILE_NAME_NORMALIZED);
	int bytes = count > 0 && count < BLOOM_WIDE_PATH_MAX
		? WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL)
		: 0;
	char *path = bytes > 0 ? malloc((size_t)bytes) : NULL;

	if (path != NULL) {
		(void)WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, bytes, NULL, NULL);
	}
	return path;
}

static char *copy_text(const char *text, const char *suffix)
{
	size_t count = strlen(text), suffix_bytes = strlen(suffix) + 1;
	char *copy = malloc(count + suffix_bytes);

	if (copy != NULL) {
		memcpy(copy, text, count);
		memcpy(copy + count, suffix, suffix_bytes);
	}
	return copy;
}

/* Allocates both paths. The target of a symbolic link is replaced, not the link. */
static bloom_status name(const char *path, bloom_userfile *file, bloom_error *error)
{
	int found = open_path(path, FILE_READ_ATTRIBUTES);
	int os_error = found == -1 && errno != ENOENT ? errno : found != -1 ? type_error(found) : 0;

	file->path = found != -1 ? path_of(found) : NULL;
	bloom_close(&found);
	if (os_error != 0) {
		return fail(error, os_error, path);
	}
	file->path = file->path != NULL ? file->path : copy_text(path, "");
	file->temporary = file->path != NULL ? copy_text(file->path, ".tmp") : NULL;
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

/* Opens or creates the temporary file. Returns -1 and sets errno on failure. */
static int open_temporary(const bloom_userfile *file)
{
	PSECURITY_DESCRIPTOR security = bloom_security_new();
	int handle;

	if (security == NULL) {
		return -1;
	}
	handle = bloom_path_open(file->temporary, GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS,
		FILE_FLAG_OPEN_REPARSE_POINT, security);
	(void)LocalFree(security);
	return handle;
}

static bloom_status open_and_lock(bloom_userfile *file, bloom_error *error)
{
	bloom_status status;

	file->file = open_temporary(file);
	if (file->file == -1) {
		return fail(error, errno, file->path);
	}
	status = bloom_entry_check(file->file, false, file->temporary, error);
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

	(void)bytes;
	*file = (bloom_userfile){.file = -1};
	status = name(path, file, error);
	for (i = 0; status == BLOOM_OK && i < TRIES_MAX; i++) {
		status = open_and_lock(file, error);
		if (status != BLOOM_OK || is_named(file)) {
			break;
		}
		bloom_close(&file->file);
	}
	if (status == BLOOM_OK && file->file == -1) {
		status = bloom_fail(error, BLOOM_E_SAVING, 0, "%.600s", path);
	}
	if (status == BLOOM_OK && bloom_file_extend(file->file, 0, NULL) != BLOOM_OK) {
		status = fail(error, errno, path);
	}
	if (status != BLOOM_OK) {
		bloom_userfile_abort(file);
	}
	return status;
}

/* The position of a transfer, for a handle that is not asynchronous. */
static OVERLAPPED position_of(uint64_t offset)
{
	return (OVERLAPPED){.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
}

static DWORD piece_of(uint64_t count)
{
	enum { PIECE_BYTES_MAX = 1 << 30 };

	return count < PIECE_BYTES_MAX ? (DWORD)count : PIECE_BYTES_MAX;
}

bloom_status bloom_userfile_write(bloom_userfile *file, uint64_t offset, const unsigned char *bytes,
	uint64_t count, bloom_error *error)
{
	OVERLAPPED position;
	DWORD written;

	while (count > 0) {
		position = position_of(offset);
		if (!WriteFile(bloom_handle_of(file->file), bytes, piece_of(count), &written,
			    &position)) {
			(void)bloom_failed();
			return fail(error, errno, file->path);
		}
		bytes += written;
		offset += written;
		count -= written;
	}
	return BLOOM_OK;
}

bloom_status bloom_userfile_commit(bloom_userfile *file, bloom_error *error)
{
	int os_error;

	if (!FlushFileBuffers(bloom_handle_of(file->file))) {
		(void)bloom_failed();
		return fail(error, errno, file->path);
	}
	os_error = bloom_shared_replace(file->temporary, file->path);
	if (os_error != 0) {
		return fail(error, os_error, file->path);
	}
	bloom_unlock(file->file);
	bloom_close(&file->file);
	release(file);
	return BLOOM_OK;
}

void bloom_userfile_abort(bloom_userfile *file)
{
	wchar_t wide[BLOOM_WIDE_PATH_MAX];

	if (file->file != -1) {
		/* Remove the name before the lock is released: afterwards the file may belong to
		 * the next writer. */
		if (bloom_path_widen(file->temporary, wide)) {
			(void)DeleteFileW(wide);
		}
		bloom_unlock(file->file);
		bloom_close(&file->file);
	}
	release(file);
}

/* ---- reading ---- */

bloom_status bloom_userfile_open(const char *path, int *file, uint64_t *bytes, bloom_error *error)
{
	int handle = open_path(path, GENERIC_READ);
	int os_error = handle == -1 ? errno : type_error(handle);

	if (os_error == 0 && bloom_open_file_bytes(handle, bytes, NULL) != BLOOM_OK) {
		os_error = errno;
	}
	if (os_error != 0) {
		bloom_close(&handle);
		return fail(error, os_error, path);
	}
	*file = handle;
	return BLOOM_OK;
}

bloom_status bloom_userfile_read(int file, const char *path, uint64_t offset, unsigned char *bytes,
	uint64_t count, bloom_error *error)
{
	OVERLAPPED position;
	DWORD got;

	while (count > 0) {
		position = position_of(offset);
		if (!ReadFile(bloom_handle_of(file), bytes, piece_of(count), &got, &position) &&
			GetLastError() != ERROR_HANDLE_EOF) {
			(void)bloom_failed();
			return fail(error, errno, path);
		}
		if (got == 0) {
			return bloom_fail(error, BLOOM_E_LENGTH, 0,
				"the file ends after %llu bytes", (unsigned long long)offset);
		}
		bytes += got;
		offset += got;
		count -= got;
	}
	return BLOOM_OK;
}

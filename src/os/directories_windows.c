#include "os/files_windows.h"

#include <errno.h>
#include <string.h>
#include <wchar.h>

static const ACCESS_MASK directory_access =
	FILE_LIST_DIRECTORY | FILE_TRAVERSE | FILE_READ_ATTRIBUTES | READ_CONTROL;

/* ---- opening ---- */

/* Creates a directory. An existing entry is not an error. */
static bool create_directory(const char *path)
{
	SECURITY_ATTRIBUTES security = {.nLength = sizeof security};
	wchar_t wide[BLOOM_WIDE_PATH_MAX];
	bool is_created;

	if (!bloom_path_widen(path, wide)) {
		return false;
	}
	security.lpSecurityDescriptor = bloom_security_new();
	if (security.lpSecurityDescriptor == NULL) {
		return false;
	}
	is_created = CreateDirectoryW(wide, &security) || GetLastError() == ERROR_ALREADY_EXISTS ||
		bloom_failed();
	(void)LocalFree(security.lpSecurityDescriptor);
	return is_created;
}

bloom_status bloom_directory_open(
	const char *path, bool create, int *directory, bloom_owner *owner, bloom_error *error)
{
	bloom_status status;
	uint32_t user = 0;
	int handle;

	if (create && !create_directory(path)) {
		/* As on POSIX, BLOOM_E_NOT_FOUND would mean that a filter does not exist. */
		return errno == ENOENT ? bloom_fail(error, BLOOM_E_SYSTEM, ENOENT, "%s", path)
				       : bloom_fail_system(error, path);
	}
	handle = bloom_path_open(path, directory_access | SYNCHRONIZE, OPEN_EXISTING,
		FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
	if (handle == -1) {
		return bloom_fail_system(error, path);
	}
	status = bloom_entry_check(handle, true, path, error);
	if (status == BLOOM_OK && !bloom_security_user(&user)) {
		status = bloom_fail_system(error, path);
	}
	if (status != BLOOM_OK) {
		bloom_close(&handle);
		return status;
	}
	if (owner != NULL) {
		*owner = (bloom_owner){.user = user};
	}
	*directory = handle;
	return BLOOM_OK;
}

bool bloom_owner_is_self(bloom_owner owner)
{
	(void)owner;
	return true; /* only directories of this process's user can be opened */
}

/* Returns the last part of an open entry's path, with its original case; an empty text if it is
 * unknown.
 *
 *   path  a buffer of BLOOM_WIDE_PATH_MAX characters */
static const wchar_t *name_of(int handle, wchar_t *path)
{
	DWORD count = GetFinalPathNameByHandleW(bloom_handle_of(handle), path, BLOOM_WIDE_PATH_MAX,
		FILE_NAME_NORMALIZED | VOLUME_NAME_NONE);
	const wchar_t *name =
		count > 0 && count < BLOOM_WIDE_PATH_MAX ? wcsrchr(path, L'\\') : NULL;

	return name != NULL ? name + 1 : L"";
}

/* Returns true if the directory's name and `name` differ only in case. Two filters would otherwise
 * share the directory, and each would replace the other. */
static bool differs_in_case(int handle, const char *name)
{
	wchar_t path[BLOOM_WIDE_PATH_MAX], wanted[BLOOM_FILE_NAME_MAX];
	const wchar_t *found = name_of(handle, path);

	return MultiByteToWideChar(CP_UTF8, 0, name, -1, wanted, BLOOM_FILE_NAME_MAX) > 0 &&
		_wcsicmp(found, wanted) == 0 && wcscmp(found, wanted) != 0;
}

bloom_status bloom_directory_open_at(int parent, const char *name, bool create, bloom_owner owner,
	int *directory, bloom_error *error)
{
	bloom_entry_mode mode = {directory_access, BLOOM_SHARE_ALL, FILE_OPEN, FILE_DIRECTORY_FILE};
	bloom_status status;
	int handle;

	(void)owner;
	name = strcmp(name, ".") == 0 ? "" : name;
	handle = bloom_entry_open(parent, name, mode);
	if (handle == -1 && errno == ENOENT && create) {
		mode.disposition = FILE_CREATE;
		handle = bloom_entry_open(parent, name, mode);
		if (handle == -1 && errno == EEXIST) {
			mode.disposition = FILE_OPEN;
			handle = bloom_entry_open(parent, name, mode);
		}
	}
	if (handle == -1) {
		return bloom_fail_system(error, name);
	}
	status = bloom_entry_check(handle, true, name, error);
	if (status == BLOOM_OK && name[0] != 0 && differs_in_case(handle, name)) {
		status = bloom_fail(error, create ? BLOOM_E_EXISTS : BLOOM_E_NOT_FOUND, 0,
			"%s (another name differs only in case)", name);
	}
	if (status != BLOOM_OK) {
		bloom_close(&handle);
		return status;
	}
	*directory = handle;
	return BLOOM_OK;
}

bloom_status bloom_directory_remove(int parent, const char *name, bloom_error *error)
{
	/* A directory may contain a file that another process is writing. That process removes the
	 * directory later. */
	return bloom_entry_remove(parent, name, FILE_DIRECTORY_FILE, true) || errno == ENOENT ||
			errno == ENOTEMPTY
		? BLOOM_OK
		: bloom_fail_system(error, name);
}

bloom_status bloom_directory_check_name(
	int parent, const char *name, int directory, bloom_error *error)
{
	const bloom_entry_mode mode = {FILE_READ_ATTRIBUTES, BLOOM_SHARE_ALL, FILE_OPEN, 0};
	bloom_identity named, open;
	int handle = bloom_entry_open(parent, name, mode);
	bloom_status status;

	if (handle == -1) {
		return errno == ENOENT ? bloom_fail(error, BLOOM_E_GONE, 0, "%s", name)
				       : bloom_fail_system(error, name);
	}
	status = bloom_file_identity(handle, &named, error);
	if (status == BLOOM_OK) {
		status = bloom_file_identity(directory, &open, error);
	}
	if (status == BLOOM_OK && !bloom_is_same_file(&named, &open)) {
		status = bloom_fail(error, BLOOM_E_GONE, 0, "%s", name);
	}
	bloom_close(&handle);
	return status;
}

/* ---- listing ---- */

/* Visits the entries in a buffer that GetFileInformationByHandleEx() has filled. */
static bool visit_all(const unsigned char *buffer, bloom_visit visit, void *context)
{
	char name[3 * MAX_PATH + 1]; /* a name has at most 255 characters of UTF-16 */
	const FILE_FULL_DIR_INFO *entry;
	int bytes;

	do {
		entry = (const FILE_FULL_DIR_INFO *)(const void *)buffer;
		bytes = WideCharToMultiByte(CP_UTF8, 0, entry->FileName,
			(int)(entry->FileNameLength / sizeof *entry->FileName), name,
			sizeof name - 1, NULL, NULL);
		name[bytes > 0 ? bytes : 0] = 0;
		if (bytes > 0 && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
			!visit(context, name)) {
			return false;
		}
		buffer += entry->NextEntryOffset;
	} while (entry->NextEntryOffset != 0);
	return true;
}

bloom_status bloom_directory_each(
	int directory, bloom_visit visit, void *context, bloom_error *error)
{
	/* Open the directory again: the read position belongs to the handle, and other code may be
	 * reading through `directory`. */
	const bloom_entry_mode mode = {
		FILE_LIST_DIRECTORY, BLOOM_SHARE_ALL, FILE_OPEN, FILE_DIRECTORY_FILE};
	_Alignas(8) unsigned char buffer[16384];
	int handle = bloom_entry_open(directory, "", mode);
	bool is_more = true;
	bloom_status status = BLOOM_OK;

	if (handle == -1) {
		return bloom_fail_system(error, "directory");
	}
	while (is_more) {
		if (GetFileInformationByHandleEx(bloom_handle_of(handle), FileFullDirectoryInfo,
			    buffer, sizeof buffer)) {
			is_more = visit_all(buffer, visit, context);
		} else if (GetLastError() == ERROR_NO_MORE_FILES) {
			is_more = false;
		} else {
			(void)bloom_failed();
			status = bloom_fail_system(error, "directory");
			is_more = false;
		}
	}
	bloom_close(&handle);
	return status;
}

/* ---- the file system ---- */

uint64_t bloom_directory_free_bytes(int directory)
{
	wchar_t path[BLOOM_WIDE_PATH_MAX];
	ULARGE_INTEGER bytes;
	DWORD count = GetFinalPathNameByHandleW(
		bloom_handle_of(directory), path, BLOOM_WIDE_PATH_MAX, FILE_NAME_NORMALIZED);

	return count > 0 && count < BLOOM_WIDE_PATH_MAX &&
			GetDiskFreeSpaceExW(path, &bytes, NULL, NULL)
		? bytes.QuadPart
		: UINT64_MAX;
}

bool bloom_directory_is_memory(int directory)
{
	(void)directory;
	return false;
}

bool bloom_directory_is_network(int directory)
{
	FILE_REMOTE_PROTOCOL_INFO found;

	/* For a local file, this call fails. */
	return GetFileInformationByHandleEx(
		bloom_handle_of(directory), FileRemoteProtocolInfo, &found, sizeof found);
}

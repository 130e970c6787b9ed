#include "os/files_windows.h"

#include "os/sharedfile.h"

#include <aclapi.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

bool bloom_shared_is_windows(void)
{
	return true;
}

/* Returns 0 if a call succeeded, otherwise its errno. */
static int error_of(bool is_done)
{
	return is_done || bloom_failed() ? 0 : errno;
}

/* Opens a path. FILE_FLAG_BACKUP_SEMANTICS also opens directories. */
static int open_path(const char *path, DWORD access, DWORD disposition, int *file)
{
	int handle = bloom_path_open(path, access, disposition, FILE_FLAG_BACKUP_SEMANTICS, NULL);

	if (handle == -1) {
		return errno;
	}
	*file = handle;
	return 0;
}

int bloom_shared_look(const char *path, bloom_shared_info *found)
{
	int file = -1, os_error = open_path(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, &file);

	if (os_error == 0) {
		os_error = bloom_shared_look_open(file, found);
		bloom_close(&file);
	}
	return os_error;
}

int bloom_shared_look_open(int file, bloom_shared_info *found)
{
	BY_HANDLE_FILE_INFORMATION about;

	if (GetFileType(bloom_handle_of(file)) != FILE_TYPE_DISK) {
		*found = (bloom_shared_info){.bytes = 0};
		return 0;
	}
	if (!GetFileInformationByHandle(bloom_handle_of(file), &about)) {
		return error_of(false);
	}
	*found = (bloom_shared_info){
		.is_directory = (about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0};
	found->is_regular = !found->is_directory;
	found->bytes =
		found->is_regular ? (uint64_t)about.nFileSizeHigh << 32 | about.nFileSizeLow : 0;
	return 0;
}

bool bloom_shared_leads_to(const char *path, int file)
{
	bloom_identity named, opened;
	int other = -1;
	bool is_same = open_path(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, &other) == 0 &&
		bloom_file_identity(other, &named, NULL) == BLOOM_OK &&
		bloom_file_identity(file, &opened, NULL) == BLOOM_OK &&
		bloom_is_same_file(&named, &opened);

	bloom_close(&other);
	return is_same;
}

int bloom_shared_open(const char *path, bool writable, int *file)
{
	return open_path(path, GENERIC_READ | (writable ? GENERIC_WRITE : 0), OPEN_EXISTING, file);
}

int bloom_shared_create(const char *path, bool is_private, int *file)
{
	(void)is_private;
	return open_path(path, GENERIC_READ | GENERIC_WRITE | WRITE_DAC, CREATE_NEW, file);
}

int bloom_shared_make_directory(const char *path)
{
	wchar_t wide[BLOOM_WIDE_PATH_MAX];

	return bloom_path_widen(path, wide) ? error_of(CreateDirectoryW(wide, NULL)) : errno;
}

int bloom_shared_create_for(const char *path, const char *temporary, int *file)
{
	(void)path;
	return bloom_shared_create(temporary, false, file);
}

int bloom_shared_give_to_writers(const char *path, int file)
{
	(void)path;
	(void)file;
	return 0;
}

int bloom_shared_open_own(const char *path, int *file)
{
	PSECURITY_DESCRIPTOR security = bloom_security_new();
	int handle = security == NULL
		? -1
		: bloom_path_open(path, GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS,
			  FILE_FLAG_OPEN_REPARSE_POINT, security);
	int os_error = handle == -1 ? errno : 0;

	(void)LocalFree(security);
	if (os_error == 0) {
		*file = handle;
	}
	return os_error;
}

/* ---- contents ---- */

enum { PIECE_BYTES_MAX = 1 << 30 };

/* The position of a transfer, for a handle that is not asynchronous. */
static OVERLAPPED position_of(uint64_t offset)
{
	return (OVERLAPPED){.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
}

static DWORD piece_of(size_t count)
{
	return count < PIECE_BYTES_MAX ? (DWORD)count : PIECE_BYTES_MAX;
}

int bloom_shared_read_some(
	int file, uint64_t offset, unsigned char *bytes, size_t count, size_t *got)
{
	OVERLAPPED position;
	DWORD step;

	for (*got = 0; *got < count; *got += step) {
		position = position_of(offset + *got);
		if (!ReadFile(bloom_handle_of(file), bytes + *got, piece_of(count - *got), &step,
			    &position)) {
			return GetLastError() == ERROR_HANDLE_EOF ? 0 : error_of(false);
		}
		if (step == 0) {
			break;
		}
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
	OVERLAPPED position;
	DWORD put;

	for (; count > 0; bytes += put, count -= put, offset += put) {
		position = position_of(offset);
		if (!WriteFile(bloom_handle_of(file), bytes, piece_of(count), &put, &position)) {
			return error_of(false);
		}
	}
	return 0;
}

int bloom_shared_truncate(int file, uint64_t bytes)
{
	FILE_END_OF_FILE_INFO end = {.EndOfFile.QuadPart = (LONGLONG)bytes};

	return error_of(SetFileInformationByHandle(
		bloom_handle_of(file), FileEndOfFileInfo, &end, sizeof end));
}

int bloom_shared_sync(int file)
{
	return error_of(FlushFileBuffers(bloom_handle_of(file)));
}

int bloom_shared_sync_data(int file)
{
	return bloom_shared_sync(file);
}

void bloom_shared_sync_directory(const char *path)
{
	(void)path;
}

void bloom_shared_sync_parent(const char *path)
{
	(void)path;
}

int bloom_shared_copy_access(int from, int to)
{
	PSECURITY_DESCRIPTOR descriptor;
	DWORD code;
	PACL list;

	code = GetSecurityInfo(bloom_handle_of(from), SE_FILE_OBJECT, DACL_SECURITY_INFORMATION,
		NULL, NULL, &list, NULL, &descriptor);
	if (code == ERROR_SUCCESS) {
		code = SetSecurityInfo(bloom_handle_of(to), SE_FILE_OBJECT,
			DACL_SECURITY_INFORMATION, NULL, NULL, list, NULL);
		(void)LocalFree(descriptor);
	}
	SetLastError(code);
	return error_of(code == ERROR_SUCCESS);
}

/* ---- names ---- */

/* Gets the path of an open file, without links. Returns 0 or an errno. */
static int path_of(int file, char **path)
{
	wchar_t wide[BLOOM_WIDE_PATH_MAX];
	DWORD count = GetFinalPathNameByHandleW(
		bloom_handle_of(file), wide, BLOOM_WIDE_PATH_MAX, FILE_NAME_NORMALIZED);
	int bytes;

	if (count == 0 || count >= BLOOM_WIDE_PATH_MAX) {
		return count == 0 ? error_of(false) : ENAMETOOLONG;
	}
	bytes = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
	*path = bytes > 0 ? malloc((size_t)bytes) : NULL;
	if (*path == NULL) {
		return ENOMEM;
	}
	(void)WideCharToMultiByte(CP_UTF8, 0, wide, -1, *path, bytes, NULL, NULL);
	return 0;
}

int bloom_shared_resolve(const char *path, char **resolved)
{
	int file = -1, os_error = open_path(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, &file);

	*resolved = NULL;
	if (os_error == 0) {
		os_error = path_of(file, resolved);
		bloom_close(&file);
	}
	return os_error;
}

/* FILE_RENAME_INFO with room for a path. FileRenameInfoEx and its flags are not in all SDKs. */
typedef struct renaming {
	DWORD flags;
	HANDLE directory;
	DWORD name_bytes;
	wchar_t name[BLOOM_WIDE_PATH_MAX];
} renaming;

/* Replaces a file that may be open. Returns false and sets the last error on failure. */
static bool replace_open(HANDLE file, const wchar_t *to)
{
	enum { RENAME_INFO_EX = 22, FLAG_REPLACE = 1, FLAG_POSIX = 2 };
	renaming work = {.flags = FLAG_REPLACE | FLAG_POSIX};

	(void)wcscpy(work.name, to);
	work.name_bytes = (DWORD)(wcslen(to) * sizeof *to);
	return SetFileInformationByHandle(
		file, (FILE_INFO_BY_HANDLE_CLASS)RENAME_INFO_EX, &work, sizeof work);
}

/* Renames a file. A file that has the new name is replaced. If the file system supports it, that
 * file may be open. Returns false and sets errno on failure. */
static bool replace(const wchar_t *from, const wchar_t *to)
{
	HANDLE file = CreateFileW(from, DELETE | SYNCHRONIZE, BLOOM_SHARE_ALL, NULL, OPEN_EXISTING,
		FILE_FLAG_OPEN_REPARSE_POINT, NULL);
	bool is_done;

	if (file == INVALID_HANDLE_VALUE) {
		return bloom_failed();
	}
	is_done = replace_open(file, to);
	(void)CloseHandle(file);
	if (is_done || MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) {
		return true;
	}
	(void)bloom_failed();
	/* The file could be opened for renaming, so a process uses the file with the new name. */
	errno = errno == EACCES ? EBUSY : errno;
	return false;
}

/* Pauses before a call is repeated. Returns false after the last try. Virus scanners and readers
 * have a file open only briefly. DeleteFileW() reports EACCES for a mapped file, too. */
static bool may_retry(int os_error, int *tries)
{
	enum { TRIES_MAX = 100, PAUSE_MS = 10 };

	if ((os_error != EACCES && os_error != EBUSY) || ++*tries >= TRIES_MAX) {
		return false;
	}
	Sleep(PAUSE_MS);
	return true;
}

int bloom_shared_name(const char *from, const char *to)
{
	wchar_t wide_from[BLOOM_WIDE_PATH_MAX], wide_to[BLOOM_WIDE_PATH_MAX];

	return !bloom_path_widen(from, wide_from) || !bloom_path_widen(to, wide_to)
		? errno
		: error_of(MoveFileExW(wide_from, wide_to, MOVEFILE_WRITE_THROUGH));
}

int bloom_shared_replace(const char *from, const char *to)
{
	wchar_t wide_from[BLOOM_WIDE_PATH_MAX], wide_to[BLOOM_WIDE_PATH_MAX];
	int tries = 0, os_error;

	if (!bloom_path_widen(from, wide_from) || !bloom_path_widen(to, wide_to)) {
		return errno;
	}
	do {
		os_error = replace(wide_from, wide_to) ? 0 : errno;
	} while (may_retry(os_error, &tries));
	return os_error;
}

int bloom_shared_remove(const char *path)
{
	wchar_t wide[BLOOM_WIDE_PATH_MAX];
	int tries = 0, os_error;

	if (!bloom_path_widen(path, wide)) {
		return errno;
	}
	do {
		os_error = error_of(DeleteFileW(wide));
	} while (may_retry(os_error, &tries));
	return os_error;
}

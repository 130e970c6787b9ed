#include "os/files_windows.h"

#include <errno.h>
#include <string.h>

/* ---- errors ---- */

bloom_status bloom_fail_system(bloom_error *error, const char *subject)
{
	int os_error = errno;
	bloom_status status;

	switch (os_error) {
	case ENOENT:
		return bloom_fail(error, BLOOM_E_NOT_FOUND, 0, "%s", subject);
	case ENOTDIR:
	case EISDIR:
		status = BLOOM_E_REFUSED_TYPE;
		break;
	case ENOSPC:
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
	return os_error == ENOSPC;
}

bloom_status bloom_file_check_own(int file, const char *subject, bloom_error *error)
{
	return bloom_entry_check(file, false, subject, error);
}

/* ---- entries ---- */

/* Converts a name to UTF-16. Returns the number of characters; 0 if the name is empty or too
 * long. */
static size_t widen_name(const char *name, wchar_t wide[BLOOM_FILE_NAME_MAX])
{
	int count = name[0] == 0 ? 0
				 : MultiByteToWideChar(CP_UTF8, 0, name, (int)strlen(name), wide,
					   BLOOM_FILE_NAME_MAX - 1);
	int i;

	for (i = 0; i < count; i++) {
		wide[i] = wide[i] == L'/' ? L'\\' : wide[i];
	}
	return (size_t)count;
}

/* Pauses before a call is repeated that failed with a sharing violation. Returns false after the
 * last try. Virus scanners and indexers briefly open files without sharing them.
 *
 *   *pause_ms  0 before the first call */
static bool waits(DWORD *pause_ms)
{
	enum { PAUSE_MS_MAX = 64 }; /* 127 ms in total, or more because Sleep() waits for ticks */

	if (*pause_ms == PAUSE_MS_MAX) {
		return false;
	}
	*pause_ms = *pause_ms == 0 ? 1 : 2 * *pause_ms;
	Sleep(*pause_ms);
	return true;
}

/* Calls NtCreateFile(), and repeats the call after a sharing violation. A call that shares nothing
 * is not repeated, because its purpose is to find out whether a process has the entry open. */
static NTSTATUS open_patiently(HANDLE *handle, OBJECT_ATTRIBUTES *attributes, bloom_entry_mode mode)
{
	DWORD pause_ms = 0;
	IO_STATUS_BLOCK result;
	NTSTATUS status;

	do {
		status = NtCreateFile(handle, mode.access | SYNCHRONIZE, attributes, &result, NULL,
			FILE_ATTRIBUTE_NORMAL, mode.share, mode.disposition,
			mode.options | FILE_SYNCHRONOUS_IO_NONALERT | FILE_OPEN_REPARSE_POINT, NULL,
			0);
	} while ((uint32_t)status == 0xC0000043 && /* STATUS_SHARING_VIOLATION */
		mode.share != 0 && waits(&pause_ms));
	return status;
}

/* NtCreateFile() takes a name relative to an open directory, as openat() does. */
int bloom_entry_open(int parent, const char *name, bloom_entry_mode mode)
{
	bool creates = mode.disposition == FILE_CREATE;
	wchar_t wide[BLOOM_FILE_NAME_MAX];
	USHORT bytes = (USHORT)(widen_name(name, wide) * sizeof *wide);
	UNICODE_STRING text = {.Length = bytes, .MaximumLength = bytes, .Buffer = wide};
	OBJECT_ATTRIBUTES attributes = {.Length = sizeof attributes,
		.RootDirectory = bloom_handle_of(parent),
		.ObjectName = &text,
		.Attributes = OBJ_CASE_INSENSITIVE};
	HANDLE handle;
	NTSTATUS status;

	if (bytes == 0 && name[0] != 0) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (creates) {
		attributes.SecurityDescriptor = bloom_security_new();
		if (attributes.SecurityDescriptor == NULL) {
			return -1;
		}
		/* A compressed file has holes, see bloom_file_check_holes(). */
		mode.options |= FILE_NO_COMPRESSION;
	}
	status = open_patiently(&handle, &attributes, mode);
	if (creates) {
		(void)LocalFree(attributes.SecurityDescriptor);
	}
	if (!NT_SUCCESS(status)) {
		if (creates && (uint32_t)status == 0xC0000056) { /* STATUS_DELETE_PENDING */
			Sleep(1); /* callers try again; closing the file frees the name */
		}
		(void)bloom_failed_with(status);
		return -1;
	}
	return bloom_handle_number(handle);
}

int bloom_path_open(const char *path, DWORD access, DWORD disposition, DWORD flags,
	PSECURITY_DESCRIPTOR security)
{
	SECURITY_ATTRIBUTES attributes = {
		.nLength = sizeof attributes, .lpSecurityDescriptor = security};
	wchar_t wide[BLOOM_WIDE_PATH_MAX];
	DWORD pause_ms = 0;
	int handle;

	if (!bloom_path_widen(path, wide)) {
		return -1;
	}
	do {
		handle = bloom_handle_number(CreateFileW(
			wide, access, BLOOM_SHARE_ALL, &attributes, disposition, flags, NULL));
	} while (handle == -1 && GetLastError() == ERROR_SHARING_VIOLATION && waits(&pause_ms));
	if (handle == -1) {
		(void)bloom_failed();
	}
	return handle;
}

/* ---- removing and renaming ----
 *
 * Since Windows 10 version 1607, NTFS can remove and replace files that are open, as POSIX
 * requires: the name disappears at once. Older systems and other file systems keep the name until
 * the last handle is closed. No system removes a file that a process maps (STATUS_CANNOT_DELETE in
 * the documentation of FILE_DISPOSITION_INFORMATION_EX). Whether a mapped file can be renamed is
 * not documented. */

/* The classes and flags of NtSetInformationFile(), from ntifs.h of the WDK. */
enum {
	RENAME = 10,
	REMOVE = 13,
	REMOVE_POSIX = 64,
	RENAME_POSIX = 65,
	FLAG_REPLACE = 1, /* for RENAME_POSIX; REMOVE_POSIX: FLAG_REMOVE */
	FLAG_REMOVE = 1,
	FLAG_POSIX = 2,
};

#ifndef __MINGW32__
NTSTATUS NTAPI NtSetInformationFile(HANDLE file, PIO_STATUS_BLOCK result, PVOID information,
	ULONG bytes, FILE_INFORMATION_CLASS kind);
#endif

static NTSTATUS set_information(int handle, int kind, void *information, size_t bytes)
{
	IO_STATUS_BLOCK result;

	return NtSetInformationFile(bloom_handle_of(handle), &result, information, (ULONG)bytes,
		(FILE_INFORMATION_CLASS)kind);
}

/* Returns true if the system or the file system does not know a class of information. */
static bool is_unknown(NTSTATUS status)
{
	switch ((uint32_t)status) {
	case 0xC0000002: /* STATUS_NOT_IMPLEMENTED */
	case 0xC0000003: /* STATUS_INVALID_INFO_CLASS */
	case 0xC000000D: /* STATUS_INVALID_PARAMETER */
	case 0xC0000010: /* STATUS_INVALID_DEVICE_REQUEST */
	case 0xC00000BB: /* STATUS_NOT_SUPPORTED */
		return true;
	default:
		return false;
	}
}

/* Removes an entry without POSIX semantics. To find out whether its name would remain, the entry is
 * opened without sharing, which fails if it is open already. */
static bool remove_at_close(int parent, const char *name, ULONG options, bool may_linger)
{
	const bloom_entry_mode mode = {
		DELETE, may_linger ? BLOOM_SHARE_ALL : 0, FILE_OPEN, options};
	int handle = bloom_entry_open(parent, name, mode);
	BOOLEAN removes = TRUE;
	NTSTATUS status;

	if (handle == -1) {
		return false;
	}
	status = set_information(handle, REMOVE, &removes, sizeof removes);
	bloom_close(&handle);
	return NT_SUCCESS(status) || bloom_failed_with(status);
}

bool bloom_entry_remove(int parent, const char *name, ULONG options, bool may_linger)
{
	const bloom_entry_mode mode = {DELETE, BLOOM_SHARE_ALL, FILE_OPEN, options};
	int handle = bloom_entry_open(parent, name, mode);
	ULONG flags = FLAG_REMOVE | FLAG_POSIX;
	NTSTATUS status;

	if (handle == -1) {
		return false;
	}
	status = set_information(handle, REMOVE_POSIX, &flags, sizeof flags);
	bloom_close(&handle);
	if (is_unknown(status)) {
		return remove_at_close(parent, name, options, may_linger);
	}
	return NT_SUCCESS(status) || bloom_failed_with(status);
}

bloom_status bloom_file_remove(int directory, const char *name, bloom_error *error)
{
	if (bloom_entry_remove(directory, name, FILE_NON_DIRECTORY_FILE, false) ||
		errno == ENOENT) {
		return BLOOM_OK;
	}
	return errno == EBUSY ? bloom_fail(error, BLOOM_E_BUSY, 0, "%s is in use", name)
			      : bloom_fail_system(error, name);
}

void bloom_file_discard(int directory, const char *name)
{
	(void)bloom_entry_remove(directory, name, FILE_NON_DIRECTORY_FILE, true);
}

/* FILE_RENAME_INFORMATION with room for a name. */
typedef struct renaming {
	ULONG flags;
	HANDLE directory;
	ULONG name_bytes;
	wchar_t name[BLOOM_FILE_NAME_MAX];
} renaming;

/* Renames an entry, and replaces a file that has the new name. */
static NTSTATUS rename_entry(int handle, int target, const char *to)
{
	renaming work = {.flags = FLAG_REPLACE | FLAG_POSIX, .directory = bloom_handle_of(target)};
	NTSTATUS status;

	work.name_bytes = (ULONG)(widen_name(to, work.name) * sizeof *work.name);
	status = set_information(handle, RENAME_POSIX, &work, sizeof work);
	if (is_unknown(status)) {
		work.flags = FLAG_REPLACE;
		status = set_information(handle, RENAME, &work, sizeof work);
	}
	return status;
}

bloom_status bloom_file_move(
	int directory, const char *from, int target, const char *to, bloom_error *error)
{
	const bloom_entry_mode mode = {DELETE, BLOOM_SHARE_ALL, FILE_OPEN, FILE_NON_DIRECTORY_FILE};
	int handle = bloom_entry_open(directory, from, mode);
	NTSTATUS status;

	if (handle == -1) {
		return errno == EBUSY ? bloom_fail(error, BLOOM_E_BUSY, 0, "%s is in use", from)
				      : bloom_fail_system(error, from);
	}
	status = rename_entry(handle, target, to);
	bloom_close(&handle);
	if (NT_SUCCESS(status)) {
		return BLOOM_OK;
	}
	/* The handle has the right to rename, so "access denied" means that a process uses one of
	 * the files. */
	(void)bloom_failed_with(status);
	return errno == EACCES || errno == EBUSY
		? bloom_fail(error, BLOOM_E_BUSY, 0, "%s is in use", from)
		: bloom_fail_system(error, from);
}

bloom_status bloom_file_rename(int directory, const char *from, const char *to, bloom_error *error)
{
	return bloom_file_move(directory, from, directory, to, error);
}

/* ---- opening ---- */

static bloom_entry_mode mode_of(bool writable, ULONG disposition)
{
	return (bloom_entry_mode){GENERIC_READ | (writable ? GENERIC_WRITE : 0), BLOOM_SHARE_ALL,
		disposition, FILE_NON_DIRECTORY_FILE};
}

bloom_status bloom_file_open(int directory, const char *name, bool writable, bloom_owner owner,
	int *file, uint64_t *bytes, bloom_error *error)
{
	int handle = bloom_entry_open(directory, name, mode_of(writable, FILE_OPEN));
	uint64_t found = 0;
	bloom_status status;

	(void)owner;
	if (handle == -1) {
		return bloom_fail_system(error, name);
	}
	status = bloom_entry_check(handle, false, name, error);
	if (status == BLOOM_OK) {
		status = bloom_open_file_bytes(handle, &found, error);
	}
	if (status != BLOOM_OK) {
		bloom_close(&handle);
		return status;
	}
	*file = handle;
	*bytes = found;
	return BLOOM_OK;
}

bloom_status bloom_file_create(
	int directory, const char *name, bloom_owner owner, int *file, bloom_error *error)
{
	int handle = bloom_entry_open(directory, name, mode_of(true, FILE_CREATE));

	(void)owner;
	if (handle == -1) {
		return bloom_fail_system(error, name);
	}
	*file = handle;
	return BLOOM_OK;
}

bloom_status bloom_secret_file_read(
	const char *path, unsigned char *text, size_t capacity, size_t *count, bloom_error *error)
{
	DWORD got = 0, wanted = capacity < INT32_MAX ? (DWORD)capacity : INT32_MAX;
	bloom_status status;
	int file;

	if (!bloom_path_is_absolute(path)) {
		return bloom_fail(error, BLOOM_E_SECRET_FILE, 0, "%.600s", path);
	}
	file = bloom_path_open(path, GENERIC_READ, OPEN_EXISTING, 0, NULL);
	if (file == -1) {
		return bloom_fail(error, BLOOM_E_SECRET_FILE, errno, "%.600s", path);
	}
	if (GetFileType(bloom_handle_of(file)) != FILE_TYPE_DISK) {
		status = bloom_fail(
			error, BLOOM_E_SECRET_MODE, 0, "%.180s: not a regular file", path);
	} else {
		status = bloom_security_check_secret(file, path, error);
	}
	if (status == BLOOM_OK && !ReadFile(bloom_handle_of(file), text, wanted, &got, NULL)) {
		(void)bloom_failed();
		status = bloom_fail(error, BLOOM_E_SECRET_FILE, errno, "%.600s", path);
	}
	/* A full buffer means that the file may be longer than the buffer. */
	if (status == BLOOM_OK && got == wanted) {
		status = bloom_fail(error, BLOOM_E_SECRET_FILE, EFBIG, "%.600s", path);
	}
	bloom_close(&file);
	if (status == BLOOM_OK) {
		*count = got;
	}
	return status;
}

/* ---- properties ---- */

bloom_status bloom_open_file_bytes(int file, uint64_t *bytes, bloom_error *error)
{
	LARGE_INTEGER found;

	if (!GetFileSizeEx(bloom_handle_of(file), &found)) {
		(void)bloom_failed();
		return bloom_fail_system(error, "file");
	}
	*bytes = (uint64_t)found.QuadPart;
	return BLOOM_OK;
}

bloom_status bloom_file_bytes(int directory, const char *name, uint64_t *bytes, bloom_error *error)
{
	const bloom_entry_mode mode = {FILE_READ_ATTRIBUTES, BLOOM_SHARE_ALL, FILE_OPEN, 0};
	int handle = bloom_entry_open(directory, name, mode);
	FILE_STANDARD_INFO found;
	bloom_status status = BLOOM_OK;

	if (handle == -1) {
		return bloom_fail_system(error, name);
	}
	if (GetFileInformationByHandleEx(
		    bloom_handle_of(handle), FileStandardInfo, &found, sizeof found)) {
		*bytes = found.Directory ? 0 : (uint64_t)found.EndOfFile.QuadPart;
	} else {
		(void)bloom_failed();
		status = bloom_fail_system(error, name);
	}
	bloom_close(&handle);
	return status;
}

bloom_status bloom_file_identity(int file, bloom_identity *identity, bloom_error *error)
{
	FILE_ID_INFO found;
	uint64_t half[2];

	if (!GetFileInformationByHandleEx(
		    bloom_handle_of(file), FileIdInfo, &found, sizeof found)) {
		(void)bloom_failed();
		return bloom_fail_system(error, "file");
	}
	/* NTFS uses the lower half only. On ReFS, the upper half is the number of the directory;
	 * the multiplication keeps the halves from cancelling each other out. */
	memcpy(half, found.FileId.Identifier, sizeof half);
	*identity = (bloom_identity){.device = found.VolumeSerialNumber,
		.inode = half[0] ^ half[1] * UINT64_C(0x9E3779B97F4A7C15)};
	return BLOOM_OK;
}

bloom_status bloom_path_identity(const char *path, bloom_identity *identity, bloom_error *error)
{
	int handle = bloom_path_open(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING,
		FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
	bloom_status status;

	if (handle == -1) {
		return bloom_fail_system(error, "path");
	}
	status = bloom_file_identity(handle, identity, error);
	bloom_close(&handle);
	return status;
}

bloom_status bloom_file_check_holes(int file, const char *name, bloom_error *error)
{
	BY_HANDLE_FILE_INFORMATION found;

	if (!GetFileInformationByHandle(bloom_handle_of(file), &found)) {
		(void)bloom_failed();
		return bloom_fail_system(error, name);
	}
	return (found.dwFileAttributes &
		       (FILE_ATTRIBUTE_SPARSE_FILE | FILE_ATTRIBUTE_COMPRESSED)) == 0
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_HOLES, 0, "%.128s: a sparse or compressed file", name);
}

bloom_status bloom_file_check_linked(int file, bloom_error *error)
{
	FILE_STANDARD_INFO found;

	if (!GetFileInformationByHandleEx(
		    bloom_handle_of(file), FileStandardInfo, &found, sizeof found)) {
		(void)bloom_failed();
		return bloom_fail_system(error, "file");
	}
	return found.NumberOfLinks > 0 && !found.DeletePending
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_GONE, 0, "file");
}

bool bloom_file_may_have_writers(int file)
{
	(void)file;
	return true;
}

uint64_t bloom_process_file_bytes_max(void)
{
	return UINT64_MAX;
}

void bloom_close(int *handle)
{
	int saved = errno;

	if (*handle != -1) {
		(void)CloseHandle(bloom_handle_of(*handle));
		*handle = -1;
	}
	errno = saved;
}

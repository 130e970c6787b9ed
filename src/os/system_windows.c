#include "os/system_windows.h"

#include <errno.h>
#include <string.h>
#include <wchar.h>

#include "os/files.h"

/* ---- errors ---- */

static int errno_of(DWORD code)
{
	switch (code) {
	case ERROR_FILE_NOT_FOUND:
	case ERROR_PATH_NOT_FOUND:
	case ERROR_INVALID_NAME:
	case ERROR_BAD_PATHNAME:
		return ENOENT;
	case ERROR_ACCESS_DENIED:
	case ERROR_PRIVILEGE_NOT_HELD:
		return EACCES;
	case ERROR_SHARING_VIOLATION:
	case ERROR_LOCK_VIOLATION:
	case ERROR_USER_MAPPED_FILE:
		return EBUSY;
	case ERROR_ALREADY_EXISTS:
	case ERROR_FILE_EXISTS:
		return EEXIST;
	case ERROR_DIR_NOT_EMPTY:
		return ENOTEMPTY;
	case ERROR_DIRECTORY:
		return ENOTDIR;
	case ERROR_DISK_FULL:
	case ERROR_HANDLE_DISK_FULL:
	case 1295: /* ERROR_DISK_QUOTA_EXCEEDED, which mingw-w64 does not define */
		return ENOSPC;
	case ERROR_NOT_ENOUGH_MEMORY:
	case ERROR_OUTOFMEMORY:
	case ERROR_COMMITMENT_LIMIT:
	case ERROR_NO_SYSTEM_RESOURCES:
		return ENOMEM;
	case ERROR_TOO_MANY_OPEN_FILES:
		return EMFILE;
	case ERROR_WRITE_PROTECT:
		return EROFS;
	case ERROR_FILE_TOO_LARGE:
		return EFBIG;
	case ERROR_INVALID_PARAMETER:
		return EINVAL;
	default:
		return EIO;
	}
}

bool bloom_failed(void)
{
	errno = errno_of(GetLastError());
	return false;
}

bool bloom_failed_with(NTSTATUS status)
{
	switch ((uint32_t)status) {
	case 0xC0000056: /* STATUS_DELETE_PENDING: the entry goes when its last user closes it */
		errno = ENOENT;
		break;
	case 0xC0000121: /* STATUS_CANNOT_DELETE: a process maps the file */
		errno = EBUSY;
		break;
	case 0xC00000BA: /* STATUS_FILE_IS_A_DIRECTORY */
		errno = EISDIR;
		break;
	default:
		errno = errno_of(RtlNtStatusToDosError(status));
	}
	return false;
}

/* ---- paths ---- */

static bool is_slash(char character)
{
	return character == '/' || character == '\\';
}

static bool has_drive(const char *path)
{
	return ((path[0] >= 'A' && path[0] <= 'Z') || (path[0] >= 'a' && path[0] <= 'z')) &&
		path[1] == ':' && is_slash(path[2]);
}

bool bloom_path_is_absolute(const char *path)
{
	return has_drive(path) || (is_slash(path[0]) && is_slash(path[1]));
}

static bool is_part_end(wchar_t character)
{
	return character == L'\\' || character == 0;
}

/* Removes empty parts, "." and "..", which Windows does not resolve in a path that it takes
 * literally. `path` follows the root. ".." never leads above the root. */
static void resolve_dots(wchar_t *path)
{
	wchar_t *from = path, *to = path;
	size_t count;

	while (*from != 0) {
		for (count = 0; !is_part_end(from[count]); count++) {
		}
		if (count == 2 && from[0] == L'.' && from[1] == L'.') {
			while (to > path && *--to != L'\\') {
			}
		} else if (count > 0 && (count > 1 || from[0] != L'.')) {
			if (to > path) {
				*to++ = L'\\';
			}
			wmemmove(to, from, count);
			to += count;
		}
		from += count + (from[count] != 0);
	}
	*to = 0;
}

/* Skips the server and the share, which are the root of a path on another host. */
static wchar_t *skip_share(wchar_t *path)
{
	int slashes = 0;

	while (*path != 0 && slashes < 2) {
		slashes += *path++ == L'\\';
	}
	return path;
}

bool bloom_path_widen(const char *path, wchar_t wide[BLOOM_WIDE_PATH_MAX])
{
	static const wchar_t literal[] = L"\\\\?\\", literal_share[] = L"\\\\?\\UNC\\";
	const wchar_t *prefix = L"";
	wchar_t *character;
	size_t count;

	if (has_drive(path)) {
		prefix = literal;
	} else if (is_slash(path[0]) && is_slash(path[1]) && path[2] != '?' && path[2] != '.') {
		prefix = literal_share;
		path += 2;
	}
	count = wcslen(prefix);
	wmemcpy(wide, prefix, count);
	if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide + count,
		    (int)(BLOOM_WIDE_PATH_MAX - count)) == 0) {
		errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : ENOENT;
		return false;
	}
	for (character = wide; *character != 0; character++) {
		*character = *character == L'/' ? L'\\' : *character;
	}
	if (prefix == literal) {
		resolve_dots(wide + count + wcslen(L"C:\\"));
	} else if (prefix == literal_share) {
		resolve_dots(skip_share(wide + count));
	}
	return true;
}

bool bloom_path_default(char *path, size_t capacity)
{
	static const char name[] = "\\php-bloom";
	wchar_t directory[BLOOM_WIDE_PATH_MAX];
	DWORD count = GetEnvironmentVariableW(L"LOCALAPPDATA", directory, BLOOM_WIDE_PATH_MAX);
	int bytes;

	if (count == 0 || count >= BLOOM_WIDE_PATH_MAX || capacity <= sizeof name) {
		return false;
	}
	bytes = WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, directory, (int)count, path,
		(int)(capacity - sizeof name), NULL, NULL);
	if (bytes <= 0) {
		return false;
	}
	memcpy(path + bytes, name, sizeof name);
	return true;
}

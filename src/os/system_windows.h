/* The parts of Windows that the *_windows.c files share. No other file includes this header.
 *
 * The core's handles are ints. A HANDLE has 32 significant bits even in a 64-bit process, so it can
 * be converted to an int and back. -1 is INVALID_HANDLE_VALUE. */
#ifndef BLOOM_SYSTEM_WINDOWS_H
#define BLOOM_SYSTEM_WINDOWS_H

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#undef _WIN32_WINNT
#define _WIN32_WINNT 0x0A00

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <windows.h>
#include <winternl.h>

enum { BLOOM_WIDE_PATH_MAX = 8192 };

static inline HANDLE bloom_handle_of(int handle)
{
	return (HANDLE)(intptr_t)handle;
}

static inline int bloom_handle_number(HANDLE handle)
{
	return (int)(intptr_t)handle;
}

/* Set errno to the reason why a call failed. Both return false. */
bool bloom_failed(void); /* from GetLastError() */
bool bloom_failed_with(NTSTATUS status);

/* Converts a path in UTF-8 to one that Windows takes literally, without its limit of 260 characters
 * and its rules for names such as "nul" or "tags.". Parts that are empty, "." or ".." are resolved.
 * A relative path is only converted to UTF-16.
 * Returns false and sets errno on failure. */
bool bloom_path_widen(const char *path, wchar_t wide[BLOOM_WIDE_PATH_MAX]);

#endif

/* Names of the files that belong to a filter.
 *
 *     key                tags:previous      Tags      con
 *     file on POSIX      tags:previous      Tags      con
 *     file on Windows    tags%3Aprevious    %54ags    %63on
 *
 * Windows ignores the case of names, and it refuses colons, names of devices and a dot at the end.
 * There, the bytes that would cause this are percent-encoded, so percent-decoding the name gives
 * the key. Directories that Windows and other systems share have these names, too. docs/format.md,
 * section 6.3, has the rules.
 */
#ifndef BLOOM_FILENAME_H
#define BLOOM_FILENAME_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the name of a file or directory.
 *
 *   name    name of a filter, as bloom_name_check() accepts it
 *   suffix  letters and digits, which follow a colon; NULL: neither
 *   file    set to the name, with a null byte
 *
 * Errors: false if the buffer of `capacity` bytes is too small. */
bool bloom_filename(bool is_windows, const char *name, size_t name_bytes, const char *suffix,
	char *file, size_t capacity);

/* Writes a name that consists of letters and digits. Errors: the same. */
bool bloom_filename_plain(
	bool is_windows, const char *text, size_t count, char *file, size_t capacity);

#endif

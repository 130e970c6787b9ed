/* Names of the files that belong to a filter.
 *
 *     key                tags:previous      Tags      con
 *     file on POSIX      tags:previous      Tags      con
 *     file on Windows    tags%3Aprevious    %54ags    %63on
 *
 * Windows ignores the case of names, and there colons, device names and a dot at the end have
 * other meanings. That is why these bytes are percent-encoded on Windows, and in directories that
 * Windows and other systems share. Percent-decoding the name gives the key. The rules are in
 * docs/dev/store.md, "Portable file names".
 */
#ifndef BLOOM_FILENAME_H
#define BLOOM_FILENAME_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the name of a file or directory.
 *
 *   name    name of a filter, as bloom_name_check() accepts it
 *   suffix  letters and digits, appended after a colon; NULL: nothing is appended
 *   file    set to the name, which ends with a null byte
 *
 * Errors: false if the buffer of `capacity` bytes is too small. */
bool bloom_filename(bool is_windows, const char *name, size_t name_bytes, const char *suffix,
	char *file, size_t capacity);

/* Writes a name that consists of letters and digits.
 *
 * Errors: the same as for bloom_filename(). */
bool bloom_filename_plain(
	bool is_windows, const char *text, size_t count, char *file, size_t capacity);

#endif

/* Reads and writes files outside of the segment: blobs, lists of keys, and the files of a directory
 * store.
 *
 * A stream may run userland, because a stream wrapper or a filter can be written in PHP. Each
 * function here keeps that code from closing the stream while PHP works on it.
 */
#ifndef PHP_BLOOM_STREAM_H
#define PHP_BLOOM_STREAM_H

#include "php/engine.h"

/* Splits a path for a message, as "%.*s%s" of the two parts. The parts of a URL leave out its user
 * and password, which end at the last @ before the first slash. Returns the second part. */
const char *php_bloom_split_path(const char *path, int *first_bytes);

/* Opens a path, or uses an open stream. Links in the path are followed anew, without PHP's cache.
 * If *owned is true, the caller closes the stream. */
struct _php_stream *php_bloom_stream(zval *file, uint32_t argument, bool *owned);

/* Call PHP's functions of the same names, and keep the stream from being closed during the call. */
ssize_t php_bloom_stream_read(struct _php_stream *stream, char *bytes, size_t count);
bool php_bloom_stream_eof(struct _php_stream *stream);
int php_bloom_stream_stat(struct _php_stream *stream, struct _php_stream_statbuf *found);

/* Prefixes the pending exception's message with the path, if `file` is a path. The path of an open
 * stream is unknown. */
void php_bloom_name_file(zval *file);

/* Throws if a callback has closed a stream that this extension did not open. */
bool php_bloom_stream_is_open(zval *file);

/* Makes a path absolute without following links. Returns false and sets errno on failure. */
bool php_bloom_make_absolute(const char *path, char full[MAXPATHLEN]);

/* Makes a path absolute, and follows symbolic links as bloom_shared_resolve() does. If a link leads
 * to no file, the target is the link. Returns 0, an errno or BLOOM_SHARED_FOREIGN_LINK. */
int php_bloom_find_target(const char *path, char target[MAXPATHLEN]);

/* Writes a file atomically, by writing a temporary file beside it, syncing it and renaming it. An
 * existing file's access is kept as bloom_shared_create_for() does. Returns 0, an errno or
 * BLOOM_SHARED_FOREIGN_LINK. After an error an existing file is unchanged. */
int php_bloom_write_file(const char *path, const unsigned char *bytes, uint64_t count);

/* The two halves of php_bloom_write_file(). The first one writes and syncs the temporary file. The
 * second one renames it, or removes it if that fails, and allocates no memory.
 *
 *   target       the path of the file to replace
 *   *temporary   the path of the new file, which the caller releases; NULL after an error */
int php_bloom_write_temporary(const char *path, const unsigned char *bytes, uint64_t count,
	char target[MAXPATHLEN], zend_string **temporary);
int php_bloom_name_temporary(const char *temporary, const char *target);

#endif

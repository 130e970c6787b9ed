/* Files that belong to the user, not to a segment: blobs, key lists, a directory store. */
#ifndef PHP_BLOOM_FILE_H
#define PHP_BLOOM_FILE_H

#include "php/engine.h"

/* Opens a path or takes an open stream. NULL: thrown. *owned says whether to close it. */
struct _php_stream *php_bloom_stream(zval *file, uint32_t argument, bool *owned);

/* Read a stream as PHP's functions of these names do. Userland that runs in them, of a stream wrapper or
 * filter, cannot close the stream meanwhile. */
ssize_t php_bloom_stream_read(struct _php_stream *stream, char *bytes, size_t count);
bool php_bloom_stream_eof(struct _php_stream *stream);
int php_bloom_stream_stat(struct _php_stream *stream, struct _php_stream_statbuf *found);

/* Puts the path before what is said of a file that was given by one; of an open stream nobody knows it. */
void php_bloom_name_file(zval *file);

/* False, thrown: a callback closed a stream that is not ours while we were reading it. */
bool php_bloom_stream_is_open(zval *file);

/* Writes a file atomically: a temporary one beside it, synced, then renamed. Returns 0 or an errno;
 * an existing file is untouched then. */
int php_bloom_write_file(const char *path, const unsigned char *bytes, uint64_t count);

/* Brings the names in a directory onto the disk. One that is not there is no failure. */
void php_bloom_sync_directory(const char *directory);

#endif

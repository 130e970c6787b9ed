/* Adds the lines of a text to a builder as keys, using one or more threads.
 *
 *     one piece of the text  ├ portion ┼ portion ┼ portion ┤ carry     split at line ends
 *     step 1: each thread        hashes the lines of its own portion
 *     step 2: each thread        adds the digests that fall into its own shards, in text order
 *
 * Each shard therefore receives its keys in the order of the text, so the bits and counts do not
 * depend on the number of threads. Ribbon filters skip step 2, because one thread collects the
 * digests.
 */
#ifndef BLOOM_LINES_H
#define BLOOM_LINES_H

#include "build/builder.h"

/* The maximum length of a line, without its LF. A text without line ends, such as a compressed file
 * or /dev/zero, must not fill the memory. */
enum { BLOOM_LINE_BYTES_MAX = 1024 * 1024 };

/* The number of the last field that can be the key. */
enum { BLOOM_FIELD_MAX = 1000 };

/* How a line becomes a key, which the caller sets before the first piece, and the state that is
 * kept between two pieces of a text: the incomplete last line and, with several threads, memory
 * for the digests of a piece. */
typedef struct bloom_lines {
	uint32_t field; /* the number of the field that is the key, from 1; 0: the whole line */
	unsigned char delimiter; /* separates the fields */
	unsigned char *carry;
	size_t carry_bytes;
	size_t carry_capacity;
	uint64_t lines; /* the number of complete lines before the carry */
	bool is_bad;    /* a line lacks the field, or in a map a value that fits */
	bloom_digest *digests;
	uint64_t digests_bytes;
} bloom_lines;

/* Adds the lines of the next piece of a text. A line ends with LF or CR LF, and an empty line adds
 * the empty key. If the last line of the text has no line ending, bloom_builder_end_lines() adds
 * it.
 *
 *   lines   must be zeroed before the first piece, except `field` and `delimiter`
 *   count   number of bytes in this piece; with several threads, use at least 1 MiB per thread
 *
 * A line of a map has the key, a TAB and the value in decimal digits. The last TAB counts, and
 * `field` must be 0.
 *
 * Errors: BLOOM_E_LINE, _FIELD or _MAP_LINE, whose subject is the number of the line. The lines
 * before it have been added. BLOOM_E_MEMORY if a line or the digests do not fit in memory;
 * BLOOM_E_SYSTEM if the memory for a piece cannot be mapped.
 * Cost: with several threads, 8 bytes per line of the largest piece, kept in `lines`.
 */
bloom_status bloom_builder_add_lines(bloom_builder *builder, bloom_lines *lines,
	const unsigned char *bytes, size_t count, bloom_error *error);
/* Adds the incomplete last line, if any, and frees `lines`.
 *
 * Errors: BLOOM_E_FIELD, BLOOM_E_MAP_LINE. */
bloom_status bloom_builder_end_lines(
	bloom_builder *builder, bloom_lines *lines, bloom_error *error);
/* Frees `lines` without adding the incomplete last line. */
void bloom_lines_free(bloom_lines *lines);

#endif

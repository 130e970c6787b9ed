/* Text → keys of a builder, one a line, by one thread or several.
 *
 *     piece of a file     ├ portion ┼ portion ┼ portion ┤ carry     cut at line ends
 *     1. each thread          hashes its own portion's lines
 *     2. each thread          adds, of all digests in their order, those of its own shards
 *
 * With several threads the bits and the counts are those of one: each shard sees its keys in the order of the file. Ribbon
 * filters have no second step, for which one thread keeps the digests.
 */
#ifndef BLOOM_LINES_H
#define BLOOM_LINES_H

#include "build/builder.h"

/* A line that a piece of a file broke off in the middle of, until the next piece comes; and, with jobs, room for the
 * digests of a piece. */
typedef struct bloom_lines {
	unsigned char *carry;
	size_t carry_bytes;
	size_t carry_capacity;
	bloom_digest *digests;
	uint64_t digests_bytes;
} bloom_lines;

/* Adds a key a line from the next piece of a text. A line ends with LF or CR LF; an empty line is
 * the empty key. The last line of a text may lack its end: bloom_builder_end_lines() adds it.
 *
 *   lines   zeroed before the first piece
 *   count   with jobs, a MiB for each of them is worth their threads
 *
 * Fails   BLOOM_E_MEMORY, for a line that is longer than memory, and for digests; _SYSTEM for those of a piece.
 * Cost    with jobs, memory for 16 bytes a line of the largest piece, kept in `lines`.
 */
bloom_status bloom_builder_add_lines(bloom_builder *builder, bloom_lines *lines,
	const unsigned char *bytes, size_t count, bloom_error *error);
void bloom_builder_end_lines(bloom_builder *builder, bloom_lines *lines);
void bloom_lines_free(bloom_lines *lines); /* without adding what is left; end_lines does it too */

#endif

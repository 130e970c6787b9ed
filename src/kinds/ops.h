/* What a kind of filter does in its own way: one constant row of functions a kind.
 *
 *     control page ──► kind ──► row ──► map() ──► the attachment's row, which answers every later call
 *                                          └ of a blob: LOADED, RIBBON or INDEX, as its head says
 *
 * The kind is asked once, when a generation is mapped. Everything else calls through the attachment's row, or finds NULL
 * there: then the kind does not have the operation.
 *
 * The rows are where the kinds are: loaded.c (LOADED, RIBBON, INDEX), live.c, counting.c, scalable.c, sliding.c,
 * reverse_live.c and ondemand.c. The list of the kinds is in segment/kinds.h.
 */
#ifndef BLOOM_OPS_H
#define BLOOM_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "build/builder.h"
#include "filter/blob.h"
#include "filter/reverse.h"
#include "segment/kinds.h"
#include "segment/place.h"

typedef struct bloom_attachment bloom_attachment;
typedef struct bloom_live_layout bloom_live_layout;
typedef struct bloom_kind_ops bloom_kind_ops;

/* `attachment` is up to date and mapped in all of them but map(). What is not mapped is not called. */
struct bloom_kind_ops {
	bloom_kind kind;

	/* How live files of the kind are laid out (live.h); NULL: its files are no live files. */
	const bloom_live_layout *layout;

	/* Its files are blobs (loaded.h). */
	bool is_loaded;

	/* Its files are caches of chunks (ondemand.h): a lookup that misses a chunk may fetch it from a store, which the PHP layer does. */
	bool fetches;

	/* A piece that verify() finds damaged is given up there, and fetched anew; the other pieces stay in use. */
	bool gives_up_pieces;

	/* ---- never NULL ---- */

	/* Maps a generation in place of the one that the attachment has, which stays on failure: calls
	 * bloom_attachment_adopt(). `self` is the row of the control page's kind. */
	bloom_status (*map)(const bloom_kind_ops *self, bloom_attachment *attachment,
		const bloom_place *place, uint64_t generation, const char *file_name,
		bloom_error *error);

	/* Unmaps the generation and frees what the kind keeps of it. */
	void (*unmap)(bloom_attachment *attachment);

	/* Whether the filter may hold the key. */
	bool (*test)(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes);

	/* ---- NULL: the kind does not have it ---- */

	/* Adds a key.  *is_new: it was certainly not there. */
	bloom_status (*add)(bloom_attachment *attachment, const unsigned char *key,
		size_t key_bytes, bool *is_new, bloom_error *error);

	/* Adds a value to a group, which must be one of the index's. */
	bloom_status (*add_to_group)(bloom_attachment *attachment, uint64_t group,
		const unsigned char *value, size_t value_bytes, bool *is_new, bloom_error *error);

	/* Takes back one add.  *removed false: the key was certainly not there. */
	bloom_status (*remove)(bloom_attachment *attachment, const unsigned char *key,
		size_t key_bytes, bool *removed, bloom_error *error);

	/* How often the key was added at most. */
	bloom_status (*count)(bloom_attachment *attachment, const unsigned char *key,
		size_t key_bytes, uint32_t *count, bloom_error *error);

	/* The index, whose groups can be asked for. */
	const bloom_reverse *(*reverse)(const bloom_attachment *attachment);

	/* Starts a builder with a copy of the bits that lookups use now. */
	bloom_status (*copy)(const bloom_attachment *attachment, const bloom_meta *meta,
		bloom_builder *builder, bloom_error *error);

	/* The head of the blob that the filter came from.  *bytes: the head as it was published. */
	const bloom_head *(*head)(const bloom_attachment *attachment, const unsigned char **bytes);

	/* How many pieces can be verified one by one, of *piece_bytes each. */
	uint64_t (*pieces)(const bloom_attachment *attachment, uint64_t *piece_bytes);

	/* Verifies some of them. */
	bloom_status (*verify)(const bloom_attachment *attachment, uint64_t first, uint64_t count,
		bloom_error *error);
};

#define BLOOM_KIND_ROW(ID, id, ...) extern const bloom_kind_ops bloom_kind_##id;
#pragma GCC visibility push(hidden) /* a row that is missing does not link */
BLOOM_KINDS(BLOOM_KIND_ROW)
#pragma GCC visibility pop
#undef BLOOM_KIND_ROW

/* The row of a kind; NULL for any other number. */
const bloom_kind_ops *bloom_kind_ops_of(uint64_t kind);

#endif

/* The operations of each kind of filter: one constant row of functions per kind.
 *
 *     control page ──► kind ──► row ──► map() ──► the attachment's row, which answers every later call
 *                                          └ of a blob: LOADED, RIBBON or INDEX, as its head says
 *
 * The kind is looked up once, when a generation is mapped. All other code calls through the
 * attachment's row. A NULL function means that the kind does not have the operation.
 *
 * Each kind's source file defines its row: loaded.c (LOADED, RIBBON, INDEX), live.c, counting.c,
 * scalable.c, sliding.c, reverse_live.c and ondemand.c. segment/kinds.h lists the kinds.
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

/* `attachment` is up to date and mapped in all functions except map(). Callers must not call the
 * others without a mapping. */
struct bloom_kind_ops {
	bloom_kind kind;

	/* The layout of the kind's live files (live.h); NULL: its files are not live files. */
	const bloom_live_layout *layout;

	/* Its files are blobs (loaded.h). */
	bool is_loaded;

	/* Its files are caches of chunks (ondemand.h). If a lookup misses a chunk, the PHP layer
	 * may fetch the chunk from a store. */
	bool fetches;

	/* verify() discards a damaged piece, which is then fetched again. The other pieces stay in
	 * use. */
	bool gives_up_pieces;

	/* ---- never NULL ---- */

	/* Maps a generation in place of the attachment's one and calls bloom_attachment_adopt(). On
	 * failure the attachment keeps the old one. `self` is the row of the control page's kind.
	 */
	bloom_status (*map)(const bloom_kind_ops *self, bloom_attachment *attachment,
		const bloom_place *place, uint64_t generation, const char *file_name,
		bloom_error *error);

	/* Unmaps the generation and frees the kind's own data. */
	void (*unmap)(bloom_attachment *attachment);

	/* Returns whether the filter may hold the key. */
	bool (*test)(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes);

	/* ---- NULL if the kind does not have the operation ---- */

	/* Adds a key. *is_new: the filter certainly did not hold it. */
	bloom_status (*add)(bloom_attachment *attachment, const unsigned char *key,
		size_t key_bytes, bool *is_new, bloom_error *error);

	/* Adds a value to a group, whose number must be in range. */
	bloom_status (*add_to_group)(bloom_attachment *attachment, uint64_t group,
		const unsigned char *value, size_t value_bytes, bool *is_new, bloom_error *error);

	/* Removes one occurrence of a key. *removed is false if the filter certainly did not hold
	 * it. */
	bloom_status (*remove)(bloom_attachment *attachment, const unsigned char *key,
		size_t key_bytes, bool *removed, bloom_error *error);

	/* An upper bound of how often the key was added. */
	bloom_status (*count)(bloom_attachment *attachment, const unsigned char *key,
		size_t key_bytes, uint32_t *count, bloom_error *error);

	/* The index, for queries by group. */
	const bloom_reverse *(*reverse)(const bloom_attachment *attachment);

	/* Starts a builder with a copy of the bits that lookups use now. */
	bloom_status (*copy)(const bloom_attachment *attachment, const bloom_meta *meta,
		bloom_builder *builder, bloom_error *error);

	/* The head of the blob that the filter was made from. *bytes: the head as it was published. */
	const bloom_head *(*head)(const bloom_attachment *attachment, const unsigned char **bytes);

	/* The number of pieces that can be verified separately, of *piece_bytes each. */
	uint64_t (*pieces)(const bloom_attachment *attachment, uint64_t *piece_bytes);

	/* Verifies `count` pieces from `first` on. */
	bloom_status (*verify)(const bloom_attachment *attachment, uint64_t first, uint64_t count,
		bloom_error *error);
};

#define BLOOM_KIND_ROW(ID, id, ...) extern const bloom_kind_ops bloom_kind_##id;
#pragma GCC visibility push(hidden) /* so that a missing row is a link error */
BLOOM_KINDS(BLOOM_KIND_ROW)
#pragma GCC visibility pop
#undef BLOOM_KIND_ROW

/* Returns the row of a kind; NULL for any other number. */
const bloom_kind_ops *bloom_kind_ops_of(uint64_t kind);

#endif

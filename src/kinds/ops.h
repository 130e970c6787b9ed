/* The table of kinds: one constant row of functions for each kind of filter.
 *
 *     control page ──► kind ──► row ──► map() ──► the attachment's row, used by every later call
 *                                          └ for a blob: the kind that its head implies
 *
 * The kind is examined only once, when a generation is mapped, because later calls go through the
 * attachment's row. A NULL function means that the kind does not support the operation.
 *
 * segment/kinds.h lists the kinds. Each row is in the file of its kind: loaded.c (LOADED, RIBBON,
 * INDEX, FOREIGN, MAP), live.c, counting.c, scalable.c, sliding.c, reverse_live.c and ondemand.c.
 *
 * Locks: none here. The headers of the kinds say which operations take a lock. */
#ifndef BLOOM_OPS_H
#define BLOOM_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "build/builder.h"
#include "filter/blob.h"
#include "filter/compiler.h"
#include "filter/reverse.h"
#include "segment/kinds.h"
#include "segment/filter_dir.h"

typedef struct bloom_attachment bloom_attachment;
typedef struct bloom_live_layout bloom_live_layout;
typedef struct bloom_kind_ops bloom_kind_ops;

/* Except for map(), a function may be called only if the attachment is up to date and mapped. */
struct bloom_kind_ops {
	bloom_kind kind;

	/* The layout of the kind's live files (live.h). NULL: its files are not live files. */
	const bloom_live_layout *layout;

	/* Files of this kind are blobs (loaded.h). */
	bool is_loaded;

	/* Files of this kind are caches of chunks (ondemand.h). If a lookup misses a chunk, the PHP
	 * layer may fetch it from the store. */
	bool fetches;

	/* Damage does not make the whole generation unusable, because verify() discards a damaged
	 * piece, and a later lookup fetches it again. */
	bool gives_up_pieces;

	/* ---- required ---- */

	/* Maps a generation and calls bloom_attachment_adopt(). After an error the attachment is
	 * unchanged. `self` is the row of the kind in the control page. */
	bloom_status (*map)(const bloom_kind_ops *self, bloom_attachment *attachment,
		const bloom_filter_dir *dir, uint64_t generation, const char *file_name,
		bloom_error *error);

	/* Unmaps the generation and frees the kind's state. */
	void (*unmap)(bloom_attachment *attachment);

	/* Returns true if the filter may contain the key. */
	bool (*test)(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes);

	/* ---- optional ---- */

	/* Adds a key. *is_new is true if the filter definitely did not contain the key. */
	bloom_status (*add)(bloom_attachment *attachment, const unsigned char *key,
		size_t key_bytes, bool *is_new, bloom_error *error);

	/* Adds a value to an existing group. *is_new is true if the group definitely did not
	 * contain the value. */
	bloom_status (*add_to_group)(bloom_attachment *attachment, uint64_t group,
		const unsigned char *value, size_t value_bytes, bool *is_new, bloom_error *error);

	/* Undoes one add of a key. *removed is false if the filter definitely did not contain the
	 * key. */
	bloom_status (*remove)(bloom_attachment *attachment, const unsigned char *key,
		size_t key_bytes, bool *removed, bloom_error *error);

	/* Stores an upper bound on the number of times the key was added. */
	bloom_status (*count)(bloom_attachment *attachment, const unsigned char *key,
		size_t key_bytes, uint32_t *count, bloom_error *error);

	/* Returns the reverse index. */
	const bloom_reverse *(*reverse)(const bloom_attachment *attachment);

	/* Starts a builder with a copy of the bits that lookups currently read. */
	bloom_status (*copy)(const bloom_attachment *attachment, const bloom_meta *meta,
		bloom_builder *builder, bloom_error *error);

	/* Returns the head of the blob, or the published head of a cache. *bytes points to the
	 * head's first byte. */
	const bloom_head *(*head)(const bloom_attachment *attachment, const unsigned char **bytes);

	/* Returns the number of pieces that can be verified individually, and stores the size of a
	 * piece in *piece_bytes. */
	uint64_t (*pieces)(const bloom_attachment *attachment, uint64_t *piece_bytes);

	/* Verifies `count` pieces, starting with piece `first`. */
	bloom_status (*verify)(const bloom_attachment *attachment, uint64_t first, uint64_t count,
		bloom_error *error);
};

#define BLOOM_KIND_ROW(ID, id, ...) extern BLOOM_HIDDEN const bloom_kind_ops bloom_kind_##id;
BLOOM_KINDS(BLOOM_KIND_ROW) /* hidden, so that a missing row is a link error */
#undef BLOOM_KIND_ROW

/* Returns the row of a kind, or NULL for any other number. */
const bloom_kind_ops *bloom_kind_ops_of(uint64_t kind);

#endif

/* The rows of operations need the struct of an attachment, and the functions that install and keep
 * mappings. Users of a filter include attachment.h instead. */
#ifndef BLOOM_ATTACHMENT_STATE_H
#define BLOOM_ATTACHMENT_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/atomic.h"
#include "filter/compiler.h"
#include "filter/probe.h"
#include "filter/secret.h"
#include "kinds/ops.h"
#include "segment/control.h"
#include "segment/filter_dir.h"

typedef struct bloom_loaded bloom_loaded;
typedef struct bloom_live bloom_live;
typedef struct bloom_cache bloom_cache;

/* No valid control page contains this number, so it never equals the served generation. */
#define BLOOM_GENERATION_UNMAPPED (~UINT64_C(0) - 1)

/* How to answer a lookup. */
typedef enum bloom_presence {
	BLOOM_PRESENCE_VIEW,   /* with `view` and the unkeyed digest for its seed */
	BLOOM_PRESENCE_RIBBON, /* with `loaded->ribbon` and the unkeyed digest for its seed */
	/* with the additions, after `view` or `loaded->ribbon`, and the unkeyed digest */
	BLOOM_PRESENCE_ADDITIONS,
	BLOOM_PRESENCE_OPS,      /* with bloom_attachment_test() */
	BLOOM_PRESENCE_BEHIND,   /* its additions are too old: every answer must be "maybe" */
	BLOOM_PRESENCE_UNMAPPED, /* the file cannot be mapped: every answer must be "maybe" */
	BLOOM_PRESENCE_ABSENT,   /* the filter was dropped, or was never loaded */
} bloom_presence;

struct bloom_attachment {
	bloom_view view;     /* describes the mapped generation; in a live file, layer 0 */
	uint64_t generation; /* the mapped generation, or BLOOM_GENERATION_UNMAPPED */
	bloom_control *control;
	uint32_t presence;     /* a bloom_presence; valid while the mapped generation is served */
	int32_t checks_left;   /* checks that need not read the clock; below 0: none */
	uint32_t round_checks; /* checks between two readings of the clock */
	/* The row of the mapped generation, or of the generation that was mapped last. NULL in a
	 * zeroed attachment. */
	const bloom_kind_ops *ops;
	union {               /* the state of the kind in `ops` */
		void *mapped; /* NULL: no generation is mapped */
		bloom_loaded *loaded;
		bloom_live *live;
		bloom_cache *cache;
	};
	bloom_hasher hasher; /* for lookups in the mapped generation */
	uint64_t round_ms;   /* bloom_coarse_ms() at the start of this round of checks */
	uint64_t named_ms;   /* bloom_coarse_ms() at the last lookup of the name */
	/* The mapping of a replaced blob, which is kept until bloom_attachment_trim(), or NULL. */
	const unsigned char *retired;
	uint64_t retired_bytes;
	uint64_t map_failures;   /* checks that returned BLOOM_PRESENCE_UNMAPPED */
	bloom_tally tally;       /* the caller counts lookups here */
	bloom_identity identity; /* identifies the control file */
	const bloom_segment *segment;
	char name[BLOOM_NAME_BYTES_MAX + 1];
};

_Static_assert(sizeof(bloom_attachment) <= 384, "the state of a kind is allocated separately");

/* Returns true if a generation is mapped. If the presence is BLOOM_PRESENCE_UNMAPPED or _ABSENT,
 * there may be no mapping. */
static inline bool bloom_attachment_is_mapped(const bloom_attachment *attachment)
{
	return attachment->mapped != NULL;
}

/* These functions return the state of the mapped generation if it is a blob, a live file or a
 * cache, respectively. Otherwise they return NULL. */
static inline const bloom_loaded *bloom_attachment_loaded(const bloom_attachment *attachment)
{
	return attachment->mapped != NULL && attachment->ops->is_loaded ? attachment->loaded : NULL;
}

static inline bloom_live *bloom_attachment_live(const bloom_attachment *attachment)
{
	return attachment->mapped != NULL && attachment->ops->layout != NULL ? attachment->live
									     : NULL;
}

static inline bloom_cache *bloom_attachment_cache(const bloom_attachment *attachment)
{
	return attachment->mapped != NULL && attachment->ops->fetches ? attachment->cache : NULL;
}

/* Returns the head of the mapped blob, or the published head of an on-demand filter. Returns NULL
 * if there is no head.
 *
 *   *bytes  the head's first byte; may be NULL */
const bloom_head *bloom_attachment_head(
	const bloom_attachment *attachment, const unsigned char **bytes);

/* Unmaps the attachment's generation and installs a newly mapped one.
 *
 *   mapped  the kind's state; ops->unmap() releases it
 *   hasher  copied */
void bloom_attachment_adopt(bloom_attachment *attachment, const bloom_kind_ops *ops, void *mapped,
	const bloom_hasher *hasher, bloom_presence presence);

/* Keeps the mapping of a replaced blob until bloom_attachment_trim(). */
void bloom_attachment_retire(
	bloom_attachment *attachment, const unsigned char *map, uint64_t bytes);

/* Unmaps the generation. */
void bloom_attachment_unmap(bloom_attachment *attachment);

/* Unmaps the replaced blob. */
void bloom_attachment_unmap_retired(bloom_attachment *attachment);

#endif

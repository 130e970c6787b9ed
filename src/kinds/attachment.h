/* A thread's handle on one filter of any kind, kept over many requests.
 *
 *     bloom_attach ──► check, use, check, use, … ──► bloom_detach
 *                        └ one load and one comparison; maps again only if the generation changed
 *
 *     bloom_attachment ─┬─ ops ───────► the row of the mapped generation's kind
 *       fields that all ├─ the kind's own data, allocated separately: loaded, live or cache
 *       kinds have      └─ overlay ───► a sliding filter; usually NULL
 *
 * One thread owns an attachment. It takes no lock and may move in memory. segment.h explains the
 * protocol and its reasons.
 */
#ifndef BLOOM_ATTACHMENT_H
#define BLOOM_ATTACHMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/atomic.h"
#include "filter/probe.h"
#include "kinds/live.h"
#include "kinds/loaded.h"
#include "kinds/ondemand.h"
#include "kinds/ops.h"
#include "segment/segment.h"

/* No control page ever holds this number, so it never equals a served generation. */
#define BLOOM_GENERATION_UNMAPPED (~UINT64_C(0) - 1)

/* How lookups are answered now. */
typedef enum bloom_presence {
	BLOOM_PRESENCE_VIEW,     /* from `view` alone; the digest depends only on the seed */
	BLOOM_PRESENCE_RIBBON,   /* from `loaded->ribbon` alone; likewise */
	BLOOM_PRESENCE_OPS,      /* by the kind's function: bloom_attachment_test() */
	BLOOM_PRESENCE_UNMAPPED, /* cannot be mapped now: every answer must be "maybe" */
	BLOOM_PRESENCE_ABSENT,   /* dropped, or nothing was ever loaded */
} bloom_presence;

struct bloom_attachment {
	bloom_view view;     /* of the mapped generation, or of its first layer */
	uint64_t generation; /* its number, or BLOOM_GENERATION_UNMAPPED */
	bloom_control *control;
	uint32_t presence;     /* a bloom_presence; valid while `generation` is served */
	uint32_t checks_left;  /* until the next reading of the clock; never 0 */
	uint32_t round_checks; /* checks between two readings of the clock */
	/* Of the mapped generation, or of the last mapped one. NULL: none was ever mapped. */
	const bloom_kind_ops *ops;
	union {               /* the kind's own data of the mapped generation */
		void *mapped; /* NULL: no generation is mapped */
		bloom_loaded *loaded;
		bloom_live *live;
		bloom_cache *cache;
	};
	bloom_live *overlay; /* used with loaded generations; stays until the filter is dropped */
	bloom_hasher hasher; /* of the mapped generation, of any kind */
	uint64_t round_ms;   /* bloom_coarse_ms() at the last reading of the clock */
	uint64_t named_ms;   /* bloom_coarse_ms() at the last lookup of the name */
	/* The mapping of a replaced blob, kept until bloom_attachment_trim(); or NULL. */
	const unsigned char *retired;
	uint64_t retired_bytes;
	uint64_t map_failures;   /* lookups answered "maybe" because the mapping failed */
	bloom_identity identity; /* of the control file */
	const bloom_segment *segment;
	char name[BLOOM_NAME_BYTES_MAX + 1];
};

_Static_assert(sizeof(bloom_attachment) <= 384, "what only some kinds need is not in here");

/* The name is looked up again after this time, plus at most this many checks. */
enum { BLOOM_NAME_CHECK_MS = 1000, BLOOM_ROUND_CHECKS_MAX = 64 };

/* Attaches to a filter that has a generation, and maps the generation.
 *
 *   *attachment  filled on success, zeroed on failure. Release it with bloom_detach(). It borrows
 *                `segment`.
 *
 * Fails BLOOM_E_NOT_FOUND, _SECRET (the filter is keyed and the segment's ring lacks its secret),
 *         and the errors of mapping the file and of checking its head.
 */
bloom_status bloom_attach(const bloom_segment *segment, const char *name,
	bloom_attachment *attachment, bloom_error *error);

/* Unmaps the generation and leaves the filter itself unchanged. Accepts a zeroed attachment. */
void bloom_detach(bloom_attachment *attachment);

/* The slow half of bloom_attachment_check(). Maps the served generation, and looks the name up
 * again when that is due. If the segment `defers_unmap`, the replaced blob stays mapped until
 * bloom_attachment_trim(). */
bloom_presence bloom_attachment_refresh(bloom_attachment *attachment);

/* Brings the attachment up to date. Call it before each use of the mapping, which stays valid until
 * the next call.
 *
 * An administrator may remove the segment and create it again. The control page that this
 * attachment watches then never changes again, so the check looks the name up once a second. Up to
 * 64 checks pass between two readings of the clock, and fewer if checks are rare.
 *
 * Cost one load, two comparisons and a decrement while the generation stays the same.
 */
static inline bloom_presence bloom_attachment_check(bloom_attachment *attachment)
{
	uint64_t generation = bloom_load_acquire(&attachment->control->generation);

	if (BLOOM_LIKELY(generation == attachment->generation) &&
		BLOOM_LIKELY(--attachment->checks_left != 0)) {
		return (bloom_presence)attachment->presence;
	}
	return bloom_attachment_refresh(attachment);
}

/* Returns whether a generation is mapped. If the presence is BLOOM_PRESENCE_UNMAPPED or _ABSENT,
 * there may be none. */
static inline bool bloom_attachment_is_mapped(const bloom_attachment *attachment)
{
	return attachment->mapped != NULL;
}

/* Returns whether a mapped filter of any kind may hold the key. Returns true if the filter is
 * on-demand and the key's chunk is not resident.
 *
 * Shared no lock. The only system calls map the new layers of a scalable filter that has grown.
 */
static inline bool bloom_attachment_test(
	bloom_attachment *attachment, const unsigned char *key, size_t key_bytes)
{
	return attachment->ops->test(attachment, key, key_bytes);
}

/* Each returns the mapped generation if it is of the function's kinds, otherwise NULL. */
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
 * if the filter has no such head.
 *
 *   *bytes  receives the address of the head's first byte; may be NULL
 */
const bloom_head *bloom_attachment_head(
	const bloom_attachment *attachment, const unsigned char **bytes);

/* Unmaps a replaced blob, and a generation that is no longer served, so that their memory does not
 * wait for this process's next lookup. Call it at the end of a request. The last process of the
 * host that unmaps a blob frees its memory. That takes hundreds of milliseconds for a gigabyte, and
 * no lookup should wait for it.
 *
 * Cost one load if nothing was replaced.
 */
void bloom_attachment_trim(bloom_attachment *attachment);

/* What the filter's name refers to. */
typedef enum bloom_naming {
	BLOOM_NAMING_SAME,    /* the control page that the attachment watches */
	BLOOM_NAMING_OTHER,   /* another control page: attach again */
	BLOOM_NAMING_NONE,    /* nothing: page deleted, or another root directory here */
	BLOOM_NAMING_UNKNOWN, /* the name cannot be looked up now */
} bloom_naming;

/* Looks the filter's name up.  Cost: one system call. */
bloom_naming bloom_attachment_naming(const bloom_attachment *attachment);

/* Attaches to the filter that has the name now. A failure leaves the attachment unchanged. Fails as
 * bloom_attach(). */
bloom_status bloom_attachment_renew(bloom_attachment *attachment, bloom_error *error);

/* ---- for the rows of operations ---- */

/* Replaces the attachment's generation with one that was just mapped.
 *
 *   mapped  the kind's own data; the attachment releases it with the row's unmap()
 *   hasher  copied
 */
void bloom_attachment_adopt(bloom_attachment *attachment, const bloom_kind_ops *ops, void *mapped,
	const bloom_hasher *hasher, bloom_presence presence);

/* Keeps a replaced mapping until bloom_attachment_trim(). */
void bloom_attachment_retire(
	bloom_attachment *attachment, const unsigned char *map, uint64_t bytes);

#endif

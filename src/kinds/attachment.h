/* A thread's hold on one filter of any kind, kept over many requests.
 *
 *     bloom_attach ──► check, use, check, use, … ──► bloom_detach
 *                        └ one load and one comparison; maps anew only when the generation moved
 *
 *     bloom_attachment ─┬─ ops ───────► the row of the mapped generation's kind
 *       what all kinds  ├─ the kind's own, in memory of its own: loaded, live or cache
 *       have            └─ overlay ───► a sliding filter; NULL as a rule
 *
 * It is owned by one thread, takes no lock, and may move in memory. segment.h has the protocol and its reasons.
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

/* No control page ever names this one, so it equals none. */
#define BLOOM_GENERATION_UNMAPPED (~UINT64_C(0) - 1)

/* How a lookup is answered now. */
typedef enum bloom_presence {
	BLOOM_PRESENCE_VIEW,     /* by `view` alone, with the digest of its seed */
	BLOOM_PRESENCE_RIBBON,   /* by `loaded->ribbon` alone, with the digest of its seed */
	BLOOM_PRESENCE_OPS,      /* by the kind's own function: bloom_attachment_test() */
	BLOOM_PRESENCE_UNMAPPED, /* it cannot be mapped now: every answer must be "maybe" */
	BLOOM_PRESENCE_ABSENT,   /* dropped, or nothing was ever loaded */
} bloom_presence;

struct bloom_attachment {
	bloom_view view;     /* of the mapped generation, or of its first layer */
	uint64_t generation; /* which that is, or BLOOM_GENERATION_UNMAPPED */
	bloom_control *control;
	uint32_t presence;     /* a bloom_presence, while the generation is the served one */
	uint32_t checks_left;  /* until the clock is read again; never 0 */
	uint32_t round_checks; /* checks between two readings of the clock */
	/* Of the mapped generation, or of the last one that was. NULL: none ever was. */
	const bloom_kind_ops *ops;
	union {               /* what `ops` keeps of the mapped generation */
		void *mapped; /* NULL: none is */
		bloom_loaded *loaded;
		bloom_live *live;
		bloom_cache *cache;
	};
	bloom_live *overlay; /* beside loaded generations; stays for as long as the filter does */
	bloom_hasher hasher; /* of the mapped generation, whichever kind */
	uint64_t round_ms;   /* bloom_coarse_ms() when it was read last */
	uint64_t named_ms;   /* bloom_coarse_ms() when the name was last looked up */
	/* A blob that was replaced, until bloom_attachment_trim(); or NULL. */
	const unsigned char *retired;
	uint64_t retired_bytes;
	uint64_t map_failures;   /* lookups answered "maybe" for want of a mapping */
	bloom_identity identity; /* of the control file */
	const bloom_segment *segment;
	char name[BLOOM_NAME_BYTES_MAX + 1];
};

_Static_assert(sizeof(bloom_attachment) <= 384, "what only some kinds need is not in here");

/* How long an attachment goes without looking its name up again, and how many checks may pass on top of that. */
enum { BLOOM_NAME_CHECK_MS = 1000, BLOOM_ROUND_CHECKS_MAX = 64 };

/* Attaches to a filter that has a generation, and maps it.
 *
 *   *attachment  filled on success, zeroed on failure; `segment` is borrowed. Give it back with bloom_detach().
 *
 * Fails   BLOOM_E_NOT_FOUND, _SECRET (keyed, and the segment's ring has it not), and whatever the mapping or the head check fails with.
 */
bloom_status bloom_attach(const bloom_segment *segment, const char *name,
	bloom_attachment *attachment, bloom_error *error);

/* Unmaps. The filter itself is untouched. A zeroed attachment is fine. */
void bloom_detach(bloom_attachment *attachment);

/* The slow half of bloom_attachment_check: maps the generation that is served now, and looks the name up again when
 * that is due. Where the segment `defers_unmap`, the replaced blob stays mapped until bloom_attachment_trim(). */
bloom_presence bloom_attachment_refresh(bloom_attachment *attachment);

/* Brings the attachment up to date. To be called before each use of what it maps, which stays valid
 * until the next call.
 *
 * The segment may be removed by hand and created again. The control page that this attachment watches then never
 * changes again. So the check looks the name up once a second. Up to 64 checks pass between two readings of the clock,
 * and fewer if checks are rare.
 *
 * Cost    one load, two comparisons and a count while the generation is the same.
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

/* Whether a generation is mapped. Where the presence is BLOOM_PRESENCE_UNMAPPED or _ABSENT none need be. */
static inline bool bloom_attachment_is_mapped(const bloom_attachment *attachment)
{
	return attachment->mapped != NULL;
}

/* Whether a mapped filter of any kind may hold the key. Returns true if the key's chunk of an on-demand filter is not
 * resident.
 *
 * Shared  no lock; no system call but to map what a scalable filter has grown by.
 */
static inline bool bloom_attachment_test(
	bloom_attachment *attachment, const unsigned char *key, size_t key_bytes)
{
	return attachment->ops->test(attachment, key, key_bytes);
}

/* The mapped generation, if it is of these kinds; else NULL. */
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

/* The head of the blob that is mapped, or that an on-demand filter was published with; NULL: there is none.
 *
 *   *bytes  NULL, or where the head's first byte is stored
 */
const bloom_head *bloom_attachment_head(
	const bloom_attachment *attachment, const unsigned char **bytes);

/* Unmaps the blob that was replaced, and a generation that is no longer served, so that its memory does not wait for
 * this process's next lookup. To be called when a request has ended: whoever is the last of the host to unmap
 * a blob frees its memory, which takes hundreds of milliseconds for a gigabyte, and no lookup should wait for that.
 *
 * Cost    one load when nothing was replaced.
 */
void bloom_attachment_trim(bloom_attachment *attachment);

/* Where the filter's name leads. */
typedef enum bloom_naming {
	BLOOM_NAMING_SAME,  /* to the control page that the attachment watches */
	BLOOM_NAMING_OTHER, /* to another one: attach anew */
	BLOOM_NAMING_NONE, /* nowhere: the page was deleted, or this process has another root directory */
	BLOOM_NAMING_UNKNOWN, /* that cannot be looked up now */
} bloom_naming;

/* Looks the filter's name up.  Cost: one system call. */
bloom_naming bloom_attachment_naming(const bloom_attachment *attachment);

/* Attaches to what the name leads to now. A failure leaves the attachment as it is.  Fails as bloom_attach(). */
bloom_status bloom_attachment_renew(bloom_attachment *attachment, bloom_error *error);

/* ---- for the rows of operations ---- */

/* Takes over a generation that was just mapped, in place of the one that the attachment has.
 *
 *   mapped  what `ops` keeps of it; its unmap() gives it back
 *   hasher  copied
 */
void bloom_attachment_adopt(bloom_attachment *attachment, const bloom_kind_ops *ops, void *mapped,
	const bloom_hasher *hasher, bloom_presence presence);

/* Keeps a mapping that is being replaced until bloom_attachment_trim(). */
void bloom_attachment_retire(
	bloom_attachment *attachment, const unsigned char *map, uint64_t bytes);

#endif

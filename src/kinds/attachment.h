/* A thread's hold on one filter of any kind, kept over many requests.
 *
 *     bloom_attach ──► check, view, check, view, … ──► bloom_detach
 *                        └ one load and one comparison; maps anew only when the generation moved
 *
 * The protocol and the reasons stand in segment.h.
 */
#ifndef BLOOM_ATTACHMENT_H
#define BLOOM_ATTACHMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/atomic.h"
#include "filter/blob.h"
#include "kinds/live.h"
#include "kinds/ondemand.h"
#include "filter/probe.h"
#include "filter/reverse.h"
#include "filter/ribbon.h"
#include "segment/segment.h"

/* No control page ever names this one, so it equals none. */
#define BLOOM_GENERATION_UNMAPPED (~UINT64_C(0) - 1)

typedef enum bloom_presence {
	BLOOM_PRESENT, /* `view` is the served generation, and tells all */
	BLOOM_RIBBON,  /* it is a ribbon filter, not keyed, and `ribbon` tells all */
	/* It has more parts than one view, or is keyed: ask bloom_attachment_test(). */
	BLOOM_LAYERED,
	BLOOM_UNAVAILABLE, /* it cannot be mapped now: every answer must be "maybe" */
	BLOOM_ABSENT,      /* dropped, or nothing was ever loaded */
} bloom_presence;

/* A process's (in a threaded PHP: a thread's) hold on one filter. Owned by that thread. */
typedef struct bloom_attachment {
	bloom_view view;     /* of the mapped generation */
	uint64_t generation; /* which that is, or BLOOM_GENERATION_UNMAPPED */
	bloom_control *control;
	uint32_t presence;        /* a bloom_presence, while the generation is the served one */
	uint32_t checks_left;     /* until the clock is read again; never 0 */
	uint32_t kind;            /* a bloom_kind */
	uint32_t round_checks;    /* checks between two readings of the clock */
	uint64_t round_ms;        /* bloom_coarse_ms() when it was read last */
	uint64_t named_ms;        /* bloom_coarse_ms() when the name was last looked up */
	const unsigned char *map; /* the mapped blob; NULL for other kinds */
	/* The one before it, until bloom_attachment_trim(); or NULL. */
	const unsigned char *retired;
	uint64_t retired_bytes;
	bloom_head head;         /* parsed from it */
	bloom_reverse reverse;   /* of a blob with groups */
	bloom_ribbon ribbon;     /* of a blob with stripes; `view` tells nothing then */
	bloom_hasher hasher;     /* of the mapped generation, whichever kind */
	bloom_live live;         /* the mapped generation of other kinds */
	bloom_live overlay;      /* beside a blob; head NULL: none */
	bloom_cache cache;       /* the mapped generation of an on-demand filter */
	uint64_t map_failures;   /* lookups answered "maybe" for want of a mapping */
	bloom_identity identity; /* of the control file */
	const bloom_segment *segment;
	char name[BLOOM_NAME_BYTES_MAX + 1];
} bloom_attachment;

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

/* Whether a filter of any kind may hold the key: what bloom_view_test() says when BLOOM_PRESENT, and the
 * slower way for all others.
 *
 * Of an on-demand filter a key whose chunk is not here may be in it.
 *
 * Shared  no lock; no system call but to map what a scalable filter has grown by.
 */
bool bloom_attachment_test(
	bloom_attachment *attachment, const unsigned char *key, size_t key_bytes);

/* Unmaps the blob that was replaced, and a generation that is no longer served, so that its memory does not wait for
 * this process's next lookup. To be called when a request has ended: whoever is the last of the host to unmap
 * a blob frees its memory, which takes hundreds of milliseconds for a gigabyte, and no lookup should wait for that.
 *
 * Cost    one load when nothing was replaced.
 */
void bloom_attachment_trim(bloom_attachment *attachment);

typedef enum bloom_naming {
	BLOOM_NAMED,       /* the name leads to the control page that the attachment watches */
	BLOOM_NAMED_OTHER, /* it leads to another one: attach anew */
	/* It leads nowhere: the page was deleted, or this process has another root directory. */
	BLOOM_UNNAMED,
	BLOOM_NAMING_UNKNOWN, /* that cannot be looked up now */
} bloom_naming;

/* Looks the filter's name up.  Cost: one system call. */
bloom_naming bloom_attachment_naming(const bloom_attachment *attachment);

/* Attaches to what the name leads to now. A failure leaves the attachment as it is.  Fails as bloom_attach(). */
bloom_status bloom_attachment_renew(bloom_attachment *attachment, bloom_error *error);

#endif

/* A filter's control page: 4 KiB, shared and writable, one file named "control".
 *
 * Every word is read and written whole (atomic.h), so a process killed between any two
 * instructions leaves no half-written word. Only `generation` decides what is served; all the rest
 * is for people and for deciding when to look at a store again, and may be lost without harm. The
 * page belongs to one host and one boot, so its numbers are in the machine's own byte order. On a disk
 * it may outlive the boot; what it names was never synced to that disk, so then it counts as absent.
 */
#ifndef BLOOM_CONTROL_H
#define BLOOM_CONTROL_H

#include <stddef.h>
#include <stdint.h>

enum {
	BLOOM_CONTROL_BYTES = 4096,
	BLOOM_CONTROL_LAYOUT = 1,
	BLOOM_CONTROL_TEXT_BYTES = 512,
};

#define BLOOM_CONTROL_MAGIC UINT64_C(0x6C746362C3000A0D)

#define BLOOM_CONTROL_NAME "control"
#define BLOOM_OVERLAY_NAME "overlay"

/* Values of `generation` that are no generation. */
#define BLOOM_GENERATION_NONE UINT64_C(0)       /* made, nothing loaded yet */
#define BLOOM_GENERATION_DROPPED (~UINT64_C(0)) /* dropped: look the name up anew */

/* No page ever holds this one. */
#define BLOOM_GENERATION_ANY (~UINT64_C(0) - 2)

/* Counting never gets here; a page or a file that says so, or more, is damaged. */
#define BLOOM_GENERATION_MAX (~UINT64_C(0) >> 1)

/* What a filter's generations are. Fixed when the first one is switched to, until the filter is dropped. */
typedef enum bloom_kind {
	BLOOM_KIND_LOADED, /* blobs; immutable, mapped read-only */
	BLOOM_KIND_LIVE,   /* these are live files (live.h), mapped writable, one for ever */
	BLOOM_KIND_COUNTING,
	BLOOM_KIND_SCALABLE,
	BLOOM_KIND_SLIDING,
	BLOOM_KIND_REVERSE,
	/* A cache of chunks (ondemand.h); mapped writable, replaced like blobs. */
	BLOOM_KIND_ON_DEMAND,
	BLOOM_KIND_COUNT
} bloom_kind;

typedef struct bloom_control {
	uint64_t magic;
	uint64_t layout;
	uint64_t generation; /* the file to serve: "<16 hex digits>.bloom" */
	uint64_t loaded_ms;  /* wall clock of the last switch */
	uint64_t loads;      /* switches since the page was made */
	/* sync: the one fetcher of the host, and when to look again. Monotonic clock. */
	uint64_t lease_until_ms; /* a fetcher is at work until then; 0: none */
	uint64_t checked_ms;     /* when the store was last compared with success; 0: never */
	uint64_t failed_ms;      /* when the last attempt failed; 0: the last one succeeded */
	uint64_t failures_in_row;
	uint64_t syncs; /* attempts that ended well, changed or not */
	uint64_t sync_failures;
	/* the last error, kept after a success */
	uint64_t error_status;                     /* a bloom_status; 0: none yet */
	uint64_t error_at_ms;                      /* wall clock */
	char error_text[BLOOM_CONTROL_TEXT_BYTES]; /* for people; may be torn, never unterminated */
	uint64_t kind; /* a bloom_kind; means something once there is a generation */
	/* Beside generations from this one on is the file "overlay"; 0: none. */
	uint64_t overlay_from;
	/* Bloom_boot() when the page was made; 0: it cannot outlive one. */
	uint64_t boot;
	/* Of the last loaded blob; 0: a plain one. Whether it is 0 is fixed like the kind. */
	uint64_t groups;
	/* what syncs found in the served file (verify.h). A page of zeros means: nothing was verified yet */
	uint64_t verify_generation; /* the generation that the next three words are about */
	/* The first shard, or chunk of an on-demand filter, that is not verified in this pass. */
	uint64_t verify_next;
	uint64_t verify_ms;   /* monotonic clock: when the last part was verified */
	uint64_t verified_ms; /* wall clock: when the last complete pass ended; 0: none has */
	uint64_t damages;     /* parts that were found damaged */
	uint64_t damaged_ms;  /* wall clock: when the last of them was found */
	/* The number, without a file, that replaced a damaged generation; 0: none did. */
	uint64_t withdrawn;
	unsigned char unused[BLOOM_CONTROL_BYTES - 24 * 8 - BLOOM_CONTROL_TEXT_BYTES];
} bloom_control;

_Static_assert(sizeof(bloom_control) == BLOOM_CONTROL_BYTES, "the control page is one page");

/* Where everything is, in any build: another layout must have another number. */
#define BLOOM_AT(field, offset) \
	_Static_assert(         \
		offsetof(bloom_control, field) == (offset), "another layout of the control page")
BLOOM_AT(magic, 0);
BLOOM_AT(layout, 8);
BLOOM_AT(generation, 16);
BLOOM_AT(loaded_ms, 24);
BLOOM_AT(loads, 32);
BLOOM_AT(lease_until_ms, 40);
BLOOM_AT(checked_ms, 48);
BLOOM_AT(failed_ms, 56);
BLOOM_AT(failures_in_row, 64);
BLOOM_AT(syncs, 72);
BLOOM_AT(sync_failures, 80);
BLOOM_AT(error_status, 88);
BLOOM_AT(error_at_ms, 96);
BLOOM_AT(error_text, 104);
BLOOM_AT(kind, 616);
BLOOM_AT(overlay_from, 624);
BLOOM_AT(boot, 632);
BLOOM_AT(groups, 640);
BLOOM_AT(verify_generation, 648);
BLOOM_AT(verify_next, 656);
BLOOM_AT(verify_ms, 664);
BLOOM_AT(verified_ms, 672);
BLOOM_AT(damages, 680);
BLOOM_AT(damaged_ms, 688);
BLOOM_AT(withdrawn, 696);
BLOOM_AT(unused, 704);
#undef BLOOM_AT

#endif

/* Explains how a verified file becomes the one that all processes serve, which we call the switch,
 * and why readers need no lock.
 *
 * switch.c is the only file that changes the served generation of a filter that stays; drop.c ends
 * a filter. stage.h writes the files, tidy.h removes what killed writers leave, and attachment.h
 * reads.
 *
 *     <segment>/                       0700, one owner; on tmpfs
 *       booth_tags@5/                  0700; a flock on it is the writers' lock. 5 is the layout,
 *                                      see other_layouts.h
 *         control                      8 KiB; contains the served generation number
 *         0000000000000011.bloom       a blob, byte for byte; immutable, mapped read-only
 *                                      (or a live file or a cache, see live.h and ondemand.h;
 *                                      mapped writable)
 *         93be02….added                the additions of a generation, see additions.h
 *         5fd09c….tmp                  a staged file; its writer holds a flock on it
 *       .bloom/                        a flock on it guards the memory limit, see memory_limit.h
 *         swept                        the time of the last sweep, see tidy.h
 *         locks                        on Windows: the writers' locks of all filters (filter_dir.c)
 *         93be02…-removed              on Windows: a removed file that a process still maps
 *
 * The protocol
 *
 *   Writer   1. writes its own .tmp file and verifies the written bytes in place;
 *            2. takes the filter's lock;
 *            3. renames the file to the name of the next generation;
 *            4. stores that generation number in the control page with release order.
 *               This single store is the switch;
 *            5. unlinks the replaced generation and releases the lock.
 *
 *   Reader   1. loads the number with acquire order and compares it with the number of the
 *               generation that it has mapped;
 *            2. if they are equal, answers from the mapping;
 *            3. otherwise opens and maps the new file. A reader takes no lock and makes no system
 *               call unless the number has changed.
 *
 * Why it is correct
 *
 *   - A generation file is complete, verified and renamed before its number is stored, and a blob
 *     never changes afterwards. The release store and the acquire load order these steps, so a
 *     reader that sees a number finds the complete file.
 *   - A reader may load number n and then find that the file has already been unlinked, because a
 *     writer has switched to n + 1 in the meantime. The reader then loads the number again. A
 *     mapped file continues to exist until its last reader unmaps it. The kernel counts the
 *     mappings, so a dead reader cannot leave a stale reference count behind.
 *   - A writer that is killed before it stores the number has changed nothing that is served. It
 *     leaves an unlocked .tmp file, or a generation file whose number is higher than the one in the
 *     control page. A writer that is killed after storing the number leaves the replaced file. The
 *     filter's next writer removes all these files, or the next sweep (tidy.h).
 *   - Generation numbers in a control page only increase. For a reader that watches the page, a
 *     number therefore never refers to two different files. If an administrator deletes the page,
 *     the next writer creates a page in a new file. A reader notices the new page at its next
 *     bloom_attachment_naming() and attaches again.
 *   - If a reader cannot map the served generation, it answers "maybe", because its old mapping may
 *     lack keys of the new generation. This happens if the process runs out of descriptors or
 *     memory, or if the file was deleted by hand.
 *   - To withdraw a damaged generation, a writer that holds the lock stores the next number, for
 *     which there is no file. Readers then answer "maybe" until a writer switches again.
 *
 * The first generation determines the filter's kind. A live filter has only one generation, which
 * no writer ever replaces, so loading a blob under the wrong name cannot lose added keys.
 */
#ifndef BLOOM_SWITCH_H
#define BLOOM_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/status.h"
#include "segment/control.h"
#include "segment/filter_dir.h"

/* A verified file that is ready to be served. */
typedef struct bloom_staged {
	const char *file_name; /* the .tmp file */
	/* The file's kind, which must be that of the served generation. A ribbon filter counts as
	 * LOADED here, but a reverse index and a plain filter cannot replace each other, because
	 * lookups in a filter of the wrong kind would answer "definitely not". */
	bloom_kind kind;
	uint64_t groups;    /* if the blob is a reverse index; otherwise 0 */
	uint64_t additions; /* the number of the staged additions; 0: none */
	uint64_t ttl_ms;    /* a new filter expires after this time; 0: never */
	/* Times of bloom_monotonic_us(), for the counters. */
	uint64_t began_us;
	uint64_t locked_us;
	bloom_load_record load; /* only built_ms, keys, bytes and fetched_bytes are set */
	uint64_t saved_bytes;
} bloom_staged;

/* Makes a verified file the served generation. While the caller holds the filter's lock, this
 * function renames the file and its additions, stores the number, and removes the replaced files.
 *
 *   expected     the generation that must currently be served, or BLOOM_GENERATION_ANY
 *   *generation  the new number, on success
 *
 * Errors: BLOOM_E_OVERTAKEN, _KIND, _BUSY, _OTHER_VERSION, _FILE_LIMIT, _SPACE, _SYSTEM. */
bloom_status bloom_segment_switch(const bloom_filter_dir *dir, const bloom_staged *staged,
	uint64_t expected, uint64_t *generation, bloom_error *error);

/* Withdraws a damaged generation. The control page then contains a number that has no file, so all
 * readers answer "maybe" until the next switch.
 *
 *   control      the control page that the caller watches
 *   generation   the damaged generation
 *   *withdrawn   the new number, on success
 *
 * Errors: BLOOM_E_OVERTAKEN (a different generation is now served), _NOT_FOUND, _BUSY, _GONE,
 * _REFUSED_…, _SYSTEM. */
bloom_status bloom_segment_withdraw(const bloom_segment *segment, const char *name,
	bloom_control *control, uint64_t generation, uint64_t *withdrawn, bloom_error *error);

#endif

/* Named filters in a directory: switch, tidy, list, drop. segment.c is the only file that switches
 * generations; place.h opens them, stage.h writes them, attachment.h reads them.
 *
 *     <segment>/                       0700, one owner; on tmpfs
 *       booth_tags/                    0700; flock on it is the writers' lock
 *         control                      4 KiB, the number of the served generation
 *         0000000000000011.bloom       a blob, byte for byte; immutable, mapped read-only
 *                                      (or a live file, see live.h: mapped writable)
 *         overlay                      a live file beside loaded generations, see overlay.h
 *         5fd09c….tmp                  being written by whoever holds the flock on it
 *       .bloom/
 *         account                      the sum of the files' sizes, see account.h
 *         5fd09c….booth_tags           somebody is writing booth_tags, see marker.h
 *
 * The protocol
 *
 *   Writer   writes a .tmp of its own, verifying in place what it wrote; takes the filter's lock;
 *            renames the file to its generation's name; stores the number in the control page with
 *            release order: that one store is the switch. Then it unlinks the generation before.
 *   Reader   loads the number with acquire order and compares it with that of its mapping. Equal:
 *            it answers. Not equal: it opens the new file and maps it. No lock, and no system call
 *            unless the number moved.
 *
 * Why it holds
 *
 *   - A generation file is complete, verified and named before its number is stored, and never
 *     changes afterwards. What a reader can find by number is therefore whole.
 *   - A reader may load number n, be overtaken by the switch to n + 1, and find n's file unlinked.
 *     It loads the number again. An unlinked file that it has mapped stays until it unmaps it: the
 *     kernel counts mappings, so nothing of ours must, and no reader's death leaks anything.
 *   - A writer killed before the store has changed nothing that is served; what it left (a .tmp
 *     whose lock the kernel freed, or a file numbered higher than the control page says) is removed
 *     by the next writer. One killed after the store left at most an older file, removed likewise.
 *     The next writer of any filter finds such a filter by the marker of the dead one (marker.h).
 *   - In one control page numbers only rise, so a number never names two contents for whoever watches
 *     that page. A page that was deleted by hand and made anew is another file; who watched the old
 *     one notices at its next bloom_attachment_naming() and attaches anew.
 *   - When a reader cannot map the generation that the number names (no descriptors or memory left,
 *     file deleted by hand) its answers are "maybe": the mapping it has may lack keys of the new one.
 *   - A generation whose file turns out to be damaged is withdrawn: under the lock, the next number is stored
 *     without a file of that name. Readers then answer "maybe", as above, until a writer switches again.
 *
 * A filter's first generation decides its kind. A live one is its filter's only generation; nothing is
 * switched over it, so no key that was added is lost by a load under the wrong name.
 */
#ifndef BLOOM_SEGMENT_H
#define BLOOM_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "segment/control.h"
#include "segment/place.h"
#include "filter/status.h"

/* Calls `visit` with the name of each filter that has a generation, in no order, until it returns
 * false. A segment that does not exist has none. */
bloom_status bloom_segment_each(
	const bloom_segment *segment, bloom_visit visit, void *context, bloom_error *error);

/* Drops a filter: its processes find out at their next lookup, the memory comes back when the last
 * of them has.
 *
 *   *existed  whether there was one with a generation
 *
 * Fails   BLOOM_E_BUSY, _REFUSED_…, _SYSTEM.
 */
bloom_status bloom_segment_drop(
	const bloom_segment *segment, const char *name, bool *existed, bloom_error *error);

/* Takes a damaged generation out of service: the control page then names a number that has no file, so every reader
 * answers "maybe" until the next switch.
 *
 *   control      the page that the caller watches
 *   generation   the one that is damaged
 *   *withdrawn   the number that is named now, on success
 *
 * Fails   BLOOM_E_OVERTAKEN (another generation is served by now), _NOT_FOUND, _BUSY, _GONE, _REFUSED_…, _SYSTEM.
 */
bloom_status bloom_segment_withdraw(const bloom_segment *segment, const char *name,
	bloom_control *control, uint64_t generation, uint64_t *withdrawn, bloom_error *error);

/* Opens a filter's control page, made (with no generation) when `create` and it is missing.
 *
 *   *control  BLOOM_CONTROL_BYTES to be unmapped with bloom_unmap()
 *
 * Fails   BLOOM_E_NOT_FOUND, _BUSY, _CONTROL, _CONTROL_VERSION, _REFUSED_…, _SYSTEM.
 */
bloom_status bloom_segment_control(const bloom_segment *segment, const char *name, bool create,
	bloom_control **control, bloom_error *error);

/* What a filter is, for people: "a live filter". Any numbers are fine. */
const char *bloom_kind_text(uint64_t kind, uint64_t groups);

/* Fails BLOOM_E_KIND, saying what is there and what was asked for.  `name` may be NULL. */
bloom_status bloom_fail_kind(
	bloom_error *error, const char *name, const char *found, const char *expected);

/* ---- for stage.c ---- */

/* Makes the verified file `staged_name` the served generation: the rename, the one store, and the
 * tidying. Under the lock.
 *
 *   kind         of the file; the one that is served must be of the same
 *   groups       of a blob that is a reverse index; else 0. The one that is served must be one too, or neither:
 *                who looks up keys would be told by the other that each is certainly absent
 *   expected     the generation that must be served now, or BLOOM_GENERATION_ANY
 *   *generation  its number, on success
 *
 * Fails   BLOOM_E_OVERTAKEN, _KIND, _CONTROL_VERSION, _FILE_LIMIT, _SPACE, _SYSTEM.
 */
bloom_status bloom_segment_switch(const bloom_place *place, const char *staged_name,
	bloom_kind kind, uint64_t groups, uint64_t expected, uint64_t *generation,
	bloom_error *error);

/* Makes the file `staged_name` the filter's overlay, for as long as the filter lives. Under the lock.
 *
 * Fails   BLOOM_E_OVERTAKEN (there is one), _KIND, and as bloom_segment_switch().
 */
bloom_status bloom_segment_install_overlay(
	const bloom_place *place, const char *staged_name, bloom_error *error);

/* Removes what processes that were killed in the middle of their work left in the segment: of a few filters, so that the
 * cost does not depend on how many there are. Filters that are locked are left for later: somebody works there. */
void bloom_segment_tidy(const bloom_place *place);

#endif

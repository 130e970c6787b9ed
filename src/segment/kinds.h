/* The list of kinds.
 *
 * The list generates the numbers in control pages and live files, the names in messages and in
 * info(), the table of operations (kinds/ops.h), and the PHP class of each kind
 * (php/filter/handle.c). If a kind lacks one of these, the extension does not compile or link.
 *
 *     control page           file                          row
 *     kind 0, groups 0   ──► a blob, scheme bloom      ──► LOADED
 *     kind 0, groups 0   ──► a blob, scheme ribbon     ──► RIBBON
 *     kind 0, groups 0   ──► a blob, scheme foreign    ──► FOREIGN
 *     kind 0, groups ≠ 0 ──► a blob, scheme reverse    ──► INDEX
 *     kind 10            ──► a blob, scheme map        ──► MAP
 *     kind 1             ──► a live file               ──► LIVE
 *       …
 *
 * The numbers of RIBBON, INDEX and FOREIGN are never stored, because the blob's head contains the
 * scheme. A new version may change a filter from one of LOADED, RIBBON and FOREIGN to another,
 * because these kinds support the same calls.
 *
 * The folder segment/ uses only the numbers and names. The list is in this folder because control
 * pages contain the numbers. */
#ifndef BLOOM_KINDS_H
#define BLOOM_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/status.h"

/* One row for each kind, ordered by number:
 *
 *   ID           names the enumerator, BLOOM_KIND_ID
 *   id           names the row of operations, bloom_kind_id (kinds/ops.h)
 *   number       the enumerator's value. Control pages and live files contain it, so it must never
 *                change
 *   in info()    the value of info()->kind
 *   in messages  the name in error messages
 *   class        names the PHP class of the handles, php_bloom_ce_class */
/* clang-format off */
#define BLOOM_KINDS(KIND) \
	/* ID, id, number, in info(), in messages, class */ \
	KIND(LOADED,    loaded,    0, "loaded",    "a loaded filter",        loaded_filter) \
	KIND(LIVE,      live,      1, "live",      "a live filter",          live_filter) \
	KIND(COUNTING,  counting,  2, "counting",  "a counting filter",      counting_filter) \
	KIND(SCALABLE,  scalable,  3, "scalable",  "a scalable filter",      scalable_filter) \
	KIND(SLIDING,   sliding,   4, "sliding",   "a sliding filter",       sliding_filter) \
	KIND(REVERSE,   reverse,   5, "reverse",   "a live reverse index",   reverse_index) \
	KIND(ON_DEMAND, on_demand, 6, "on-demand", "an on-demand filter",    on_demand_filter) \
	KIND(RIBBON,    ribbon,    7, "loaded",    "a loaded filter",        loaded_filter) \
	KIND(INDEX,     index,     8, "loaded",    "a loaded reverse index", reverse_index) \
	KIND(FOREIGN,   foreign,   9, "loaded",    "a loaded filter",        loaded_filter) \
	KIND(MAP,       map,      10, "map",       "a map",                  loaded_map) \
	/* add new kinds above this line */
/* clang-format on */

/* The kind of a filter. The first generation determines the kind until the filter is dropped,
 * except that LOADED, RIBBON and FOREIGN may replace each other. */
typedef enum bloom_kind {
#define BLOOM_KIND_ENUMERATOR(ID, id, number, ...) BLOOM_KIND_##ID = (number),
	BLOOM_KINDS(BLOOM_KIND_ENUMERATOR)
#undef BLOOM_KIND_ENUMERATOR
		BLOOM_KIND_COUNT /* one more than the number of the last row */
} bloom_kind;

/* In place of a sum of 1 << kind: all kinds, even those of another version of the extension. */
#define BLOOM_KINDS_ANY UINT32_MAX

/* Returns the kind for the words `kind` and `groups` of a control page. Returns LOADED for a ribbon
 * or foreign filter, and BLOOM_KIND_COUNT for a number that this build never stores. */
bloom_kind bloom_kind_of(uint64_t stored, uint64_t groups);

/* Returns whether a filter of this kind is a copy of a published version. Its keys then exist
 * elsewhere, so a sync or a load can bring it back. `stored` may be any number. */
bool bloom_kind_is_copy(uint64_t stored);

/* Returns the number that control pages contain for a kind. */
uint64_t bloom_kind_stored(bloom_kind kind);

/* Returns the name of a kind in messages, such as "a live filter". `kind` may be any number. */
const char *bloom_kind_text(uint64_t kind);

/* Returns the value of info()->kind, such as "live". */
const char *bloom_kind_word(bloom_kind kind);

/* Fails with BLOOM_E_KIND and a subject that names both kinds. `name` may be NULL. */
bloom_status bloom_fail_kind(
	bloom_error *error, const char *name, const char *found, const char *expected);

#endif

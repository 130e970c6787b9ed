/* The kinds of filters, listed once.
 *
 * From this list come the numbers in control pages and live files, the names in messages and in info(), the table of
 * operations (kinds/ops.h), and the PHP class of each kind (php/filter.c). A kind that lacks one of them does not
 * compile or link.
 *
 *     control page           file                          row
 *     kind 0, groups 0   ──► a blob, scheme bloom      ──► LOADED
 *     kind 0, groups 0   ──► a blob, scheme ribbon     ──► RIBBON
 *     kind 0, groups ≠ 0 ──► a blob, scheme reverse    ──► INDEX
 *     kind 1             ──► a live file               ──► LIVE
 *       …
 *
 * RIBBON and INDEX are never written as a kind: the blob says what it is. A name may change from LOADED to
 * RIBBON with its next version, because both answer the same questions.
 */
#ifndef BLOOM_KINDS_H
#define BLOOM_KINDS_H

#include <stdint.h>

#include "filter/status.h"

/* One row a kind, in the order of the numbers:
 *
 *   ID           of the enumerator, BLOOM_KIND_ID
 *   id           of the operations, bloom_kind_id (kinds/ops.h)
 *   number       never gets another meaning, because control pages and live files hold it
 *   in info()    what info() says
 *   in messages  what errors say
 *   class        of the handles, php_bloom_ce_class
 */
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
	/* new kinds: above */
/* clang-format on */

/* What a filter is. Fixed by its first generation, until the filter is dropped; but see the picture above. */
typedef enum bloom_kind {
#define BLOOM_KIND_ENUMERATOR(ID, id, number, ...) BLOOM_KIND_##ID = (number),
	BLOOM_KINDS(BLOOM_KIND_ENUMERATOR)
#undef BLOOM_KIND_ENUMERATOR
	/* One more than the last row's: rows are in the order of their numbers. */
	BLOOM_KIND_COUNT
} bloom_kind;

/* The kind that a control page's two words say; BLOOM_KIND_COUNT for a number that no build of this version writes. A
 * ribbon filter counts as LOADED. */
bloom_kind bloom_kind_of(uint64_t stored, uint64_t groups);

/* The number that a control page holds for a kind. */
uint64_t bloom_kind_stored(bloom_kind kind);

/* What a filter is, in messages: "a live filter". Any number is fine. */
const char *bloom_kind_text(uint64_t kind);

/* What info() says of a kind: "live". */
const char *bloom_kind_word(bloom_kind kind);

/* Fails BLOOM_E_KIND, saying what is there and what was asked for.  `name` may be NULL. */
bloom_status bloom_fail_kind(
	bloom_error *error, const char *name, const char *found, const char *expected);

#endif

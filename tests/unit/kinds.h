/* Filters of each kind, for the tests that treat all kinds alike. */
#ifndef BLOOM_TEST_KINDS_H
#define BLOOM_TEST_KINDS_H

#include "support.h"

/* Parameters of a live filter of each kind, for 1,000 keys at a rate of 0.001. */
enum { LIVE_KINDS = 5 };
extern const bloom_live_params live_params[LIVE_KINDS];

/* ---- a filter of each kind, under the name "tags" ---- */

/* The kinds of bloom_kind, and then the overlay. */
enum { OVERLAY = BLOOM_KIND_ON_DEMAND + 1, KINDS, KEYS = 300, HOUR = 3600 * 1000 };

bool is_live(int kind);

/* A blob of the KEYS keys. */
test_blob blob_of_keys(void);

/* Creates the filter without keys, or finds the existing one. A loaded filter and an on-demand
 * filter get their blob, and an overlay gets the filter below it. */
bloom_status create_kind(const bloom_segment *segment, int kind);

/* Creates the filter, attaches to it and adds the keys 0 to KEYS − 1. */
void make_kind(const bloom_segment *segment, int kind, bloom_attachment *filter);

/* Detaches from the filter and drops it. Asserts that nothing stays mapped. */
void unmake_kind(const bloom_segment *segment, bloom_attachment *filter);

bloom_status add_key(bloom_attachment *filter, uint64_t i);
bool has_key(bloom_attachment *filter, uint64_t i);
bool is_there(bloom_presence presence);

/* Asserts that the filter has the KEYS keys, after following a switch. */
void assert_keys(bloom_attachment *filter);

/* The file of generation 1, and the file that add_key() writes to, below the segment. */
extern const char generation_one[];
const char *live_path(int kind);

#endif

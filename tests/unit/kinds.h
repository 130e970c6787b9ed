/* Filters of each kind, for tests that treat all kinds alike. */
#ifndef BLOOM_TEST_KINDS_H
#define BLOOM_TEST_KINDS_H

#include "support.h"

/* Parameters of a live filter of each kind, for 1,000 keys at a rate of 0.001. */
enum { LIVE_KINDS = 5 };
extern const bloom_live_params live_params[LIVE_KINDS];

/* ---- a filter of each kind, under the name "tags" ---- */

enum { KINDS = BLOOM_KIND_ON_DEMAND + 1, KEYS = 300, HOUR = 3600 * 1000 };

bool is_live(int kind);

/* Builds a blob of the KEYS keys. */
test_blob blob_of_keys(void);

/* Creates the filter, or finds the existing filter. A loaded or on-demand filter is created from a
 * blob of the KEYS keys. */
bloom_status create_kind(const bloom_segment *segment, int kind);

/* Creates a filter with the keys 0 to KEYS − 1 and attaches to the filter. */
void make_kind(const bloom_segment *segment, int kind, bloom_attachment *filter);

/* Detaches from the filter and drops it. Asserts that nothing stays mapped. */
void unmake_kind(const bloom_segment *segment, bloom_attachment *filter);

bloom_status add_key(bloom_attachment *filter, uint64_t i);
bool has_key(bloom_attachment *filter, uint64_t i);
bool is_there(bloom_presence presence);

/* Follows a switch, if any, and asserts that the filter has the KEYS keys. */
void assert_keys(bloom_attachment *filter);

/* Asserts the same of a filter whose file has lost its name. A process notices that once a second,
 * and on a busy machine this second may end during the test. */
void assert_keys_before_naming(bloom_attachment *filter);

/* The path of generation 1 below the segment. */
extern const char generation_one[];

#endif

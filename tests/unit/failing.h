/* Calls of the system and of malloc that fail when the test says so: linked in their place (-Wl,--wrap), for
 * what the core calls and for nothing else, by tests/unit/run.
 */
#ifndef BLOOM_TEST_FAILING_H
#define BLOOM_TEST_FAILING_H

#include <stdbool.h>

/* From now on the calls are counted. Number `first` (from 0) fails, and so do all after it if `for_ever`; each with
 * errno number `variant` of those that are usual for it. Calls that have fewer, or cannot fail, do not. */
void failing_begin(unsigned first, bool for_ever, unsigned variant);

/* Ends that; returns how many calls failed. */
unsigned failing_end(void);

unsigned failing_calls(void);   /* that were counted */
const char *failing_what(void); /* the last that failed: its name */
int failing_errno(void);        /* and how */

/* Mappings of the core, and calls for one that is not of a whole file, from its beginning, to wherever there is room, or
 * that is not grown or given back as the whole that it is. */
unsigned failing_mappings(void);
unsigned failing_odd_mappings(void);

/* The most that any call has; and a variant that is no error: writes that write a part. */
enum { FAILING_VARIANTS = 8, FAILING_SHORT = -1 };

#endif

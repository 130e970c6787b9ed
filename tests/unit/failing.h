/* System calls and calls of malloc that fail on request. tests/unit/run links these functions in
 * place of the real ones (-Wl,--wrap), for calls from the core only.
 */
#ifndef BLOOM_TEST_FAILING_H
#define BLOOM_TEST_FAILING_H

#include <stdbool.h>

/* Starts counting the calls. Call number `first` (from 0) fails, and if `for_ever` also all
 * later ones. Each fails with number `variant` of the errno values that are usual for it. Calls
 * that cannot fail, or have fewer errno values, succeed. */
void failing_begin(unsigned first, bool for_ever, unsigned variant);

/* Stops counting and returns how many calls failed. */
unsigned failing_end(void);

unsigned failing_calls(void);   /* that were counted */
const char *failing_what(void); /* the name of the last one that failed */
int failing_errno(void);        /* and how */

/* The core's current mappings. A mapping is odd if it is not a whole file from its start at an
 * address that the kernel chooses, or if it is not resized or unmapped as a whole. */
unsigned failing_mappings(void);
unsigned failing_odd_mappings(void);

/* The largest number of errno values of any call. FAILING_SHORT is not an error: write calls
 * write only a part. */
enum { FAILING_VARIANTS = 8, FAILING_SHORT = -1 };

#endif

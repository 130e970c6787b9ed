/* System calls and calls of malloc that fail on request. tests/unit/run links these functions in
 * place of the real functions (-Wl,--wrap). */
#ifndef BLOOM_TEST_FAILING_H
#define BLOOM_TEST_FAILING_H

#include <stdbool.h>

/* Starts counting the calls. Call number `first` (from 0) fails. If `for_ever` is set, all later
 * calls also fail. Each function has a list of usual errno values, and `variant` is the index in
 * this list. If the list is shorter, the call succeeds. */
void failing_begin(unsigned first, bool for_ever, unsigned variant);

/* Stops counting and returns how many calls failed. */
unsigned failing_end(void);

unsigned failing_calls(void);   /* the number of counted calls */
const char *failing_what(void); /* the name of the last call that failed */
int failing_errno(void);        /* the errno of the last call that failed */

/* The numbers of mappings and of odd mappings that the core has made so far. A mapping is odd if it
 * does not start at the start of its file, if the caller chooses the address, or if it is not
 * resized or unmapped as a whole. */
unsigned failing_mappings(void);
unsigned failing_odd_mappings(void);

/* FAILING_VARIANTS is the largest number of errno values of any call. FAILING_SHORT stands for a
 * call that writes only a part of the bytes. */
enum { FAILING_VARIANTS = 8, FAILING_SHORT = -1 };

#endif

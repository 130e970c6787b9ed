/* What the system numbers: time, its boots, and at random.
 */
#ifndef BLOOM_CLOCK_H
#define BLOOM_CLOCK_H

#include <stdint.h>

uint64_t bloom_clock_ms(void); /* wall clock, ms since 1970-01-01 UTC; 0 before */
/* The same in all processes of a host, in whatever containers; never jumps. */
uint64_t bloom_monotonic_ms(void);
/* Monotonic, a few ms late, cheaper to read; for differences in one process. */
uint64_t bloom_coarse_ms(void);
uint64_t bloom_random(void); /* from the kernel, if it gives any */

/* A number of this boot of the host, the same in all its processes; 0: the system does not tell. */
uint64_t bloom_boot_id(void);

#endif

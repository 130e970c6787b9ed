/* Clocks, boot IDs and random numbers from the operating system. */
#ifndef BLOOM_CLOCK_H
#define BLOOM_CLOCK_H

#include <stdint.h>

/* Returns the wall-clock time in milliseconds since 1970-01-01 UTC, or 0 if the clock is set to an
 * earlier date. This clock may jump. */
uint64_t bloom_clock_ms(void);

/* Returns the time of the host's monotonic clock, in milliseconds. All processes on the host read
 * the same clock, even in containers with their own time namespace. The clock restarts at each
 * boot. */
uint64_t bloom_monotonic_ms(void);

/* Returns the time of this process's monotonic clock, in microseconds. Use it only to measure
 * intervals within one process. */
uint64_t bloom_monotonic_us(void);

/* Returns the time since the host's boot, in milliseconds. Unlike the monotonic clock, it includes
 * the time while the host was suspended. All processes on the host read the same clock. */
uint64_t bloom_uptime_ms(void);

/* Returns the time of a coarse clock, in milliseconds. It is cheaper to read than the others,
 * although it lags by a few milliseconds, and it includes the time while the host was suspended.
 * Because it may jump in either direction, only ask whether `now - then`, which is a huge number
 * after a jump back, is less than a short interval. Use it within one process. */
uint64_t bloom_coarse_ms(void);

/* Returns the second of bloom_coarse_ms(), which is the cheapest clock of all. Use it only to ask,
 * within one process, whether it is still the same second. A second lasts at most BLOOM_COARSE_S_MS
 * milliseconds, even if a time service slows the clock down. */
enum { BLOOM_COARSE_S_MS = 1250 };
uint64_t bloom_coarse_s(void);

/* Pauses this thread. With 0, it only lets other threads run. A signal may end the pause early. */
void bloom_pause_us(uint32_t us);

/* ---- monotonic times in shared pages ----
 *
 * A page on a disk survives a reboot, but the monotonic clock restarts. A stored time may therefore
 * be in the future for two reasons: another process read the clock a moment after this process, or
 * the time was stored before the last boot. The two functions below use a limit to distinguish
 * these cases. The limit is the furthest that a writer may set the time ahead, plus
 * BLOOM_CLOCK_SLACK_MS. A time beyond the limit was stored before the last boot and never causes a
 * delay. */

enum { BLOOM_CLOCK_SLACK_MS = 10000 };

/* How far ahead of this process's clock another process may have read the same clock before it
 * stored the time. Kernels keep the processors' clocks together within microseconds, so a
 * millisecond would do. A time that is further ahead proves nothing about the present. */
enum { BLOOM_CLOCK_SKEW_MS = 10 };

/* Returns the number of milliseconds until a stored deadline; 0 if the deadline has passed or was
 * stored before the last boot.
 *
 *   now_ms      bloom_monotonic_ms(), or bloom_uptime_ms() if the deadline was set with it
 *   longest_ms  the furthest that a writer sets this deadline ahead; about an hour or less
 */
static inline uint64_t bloom_clock_remaining_ms(
	uint64_t now_ms, uint64_t deadline_ms, uint64_t longest_ms)
{
	uint64_t remaining_ms = deadline_ms > now_ms ? deadline_ms - now_ms : 0;

	return remaining_ms <= longest_ms + BLOOM_CLOCK_SLACK_MS ? remaining_ms : 0;
}

/* Returns the number of milliseconds since a stored time; UINT64_MAX if that time was stored before
 * the last boot. */
static inline uint64_t bloom_clock_elapsed_ms(uint64_t now_ms, uint64_t then_ms)
{
	if (then_ms <= now_ms) {
		return now_ms - then_ms;
	}
	return bloom_clock_remaining_ms(now_ms, then_ms, 0) > 0 ? 0 : UINT64_MAX;
}

/* ---- */

/* Returns a random number from the kernel. If a sandbox forbids the system call, the number is
 * derived from the clock and the PID. Use it only for names and seeds, not for secrets. */
uint64_t bloom_random(void);

/* Returns a number that identifies the current boot of the host. The number is the same in all
 * processes. It is 0 if the system does not tell, for example because /proc is not mounted on
 * Linux, or because HARDWARE in the registry of Windows cannot be read. */
uint64_t bloom_boot_id(void);

#endif

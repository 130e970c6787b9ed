#include "os/system_posix.h"

#include "os/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if BLOOM_LINUX
#include <sys/random.h>
#endif

#include "filter/atomic.h"

/* Nanoseconds since a boot fit into 63 bits; those since 1970 do so only until the year 2262. */
static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	return clock_gettime(clock, &now) == 0 ? (int64_t)now.tv_sec * 1000000000 + now.tv_nsec : 0;
}

/* Returns 0 if the wall clock is set to a date before 1970. */
static uint64_t clock_ms(clockid_t clock)
{
	struct timespec now;

	if (clock_gettime(clock, &now) != 0 || now.tv_sec < 0) {
		return 0;
	}
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t bloom_monotonic_us(void)
{
	return (uint64_t)clock_ns(CLOCK_MONOTONIC) / 1000;
}

uint64_t bloom_clock_ms(void)
{
	return clock_ms(CLOCK_REALTIME);
}

/* Linux also has a clock that includes suspension. */
#if BLOOM_LINUX && defined(CLOCK_BOOTTIME)
#define UPTIME_CLOCK CLOCK_BOOTTIME
#define UPTIME_NAME "boottime"
#else
#define UPTIME_CLOCK CLOCK_MONOTONIC
#define UPTIME_NAME "monotonic"
#endif

/* Returns by how many nanoseconds a clock of this process's time namespace is ahead of the host's.
 * The lines of /proc/self/timens_offsets are "<clock> <seconds> <nanoseconds>"; the nanoseconds are
 * added even if the seconds are negative. See time_namespaces(7). Kernels before 5.6 have neither
 * this file nor time namespaces. If /proc is not mounted, the function returns 0. */
static int64_t read_namespace_offset_ns(const char *clock)
{
	char text[128] = {0}, *end;
	int file = open("/proc/self/timens_offsets", O_RDONLY | O_CLOEXEC);
	const char *line;
	int64_t seconds;

	if (file >= 0) {
		if (read(file, text, sizeof text - 1) < 0) {
			text[0] = '\0';
		}
		(void)close(file);
	}
	line = strstr(text, clock);
	if (line == NULL) {
		return 0;
	}
	seconds = strtoll(line + strlen(clock), &end, 10);
	return seconds * 1000000000 + strtoll(end, NULL, 10);
}

/* Returns the time of a clock of the host, so that all processes read the same milliseconds.
 *
 *   *cached  0: the offset has not been read yet. Otherwise 2 * nanoseconds + 1, which is never 0.
 *            Relaxed ordering is sufficient, because all threads compute the same value */
static uint64_t host_ms(clockid_t clock, const char *name, uint64_t *cached)
{
	uint64_t encoded = bloom_load_relaxed(cached);

	if (encoded == 0) {
		encoded = (uint64_t)read_namespace_offset_ns(name) * 2 + 1;
		bloom_store_relaxed(cached, encoded);
	}
	return (uint64_t)(clock_ns(clock) - (int64_t)(encoded - 1) / 2) / 1000000;
}

uint64_t bloom_monotonic_ms(void)
{
	static uint64_t offset;

	return host_ms(CLOCK_MONOTONIC, "monotonic", &offset);
}

uint64_t bloom_uptime_ms(void)
{
	static uint64_t offset;

	return host_ms(UPTIME_CLOCK, UPTIME_NAME, &offset);
}

/* The wall clock is the only coarse clock that includes suspension. */
uint64_t bloom_coarse_ms(void)
{
#if BLOOM_LINUX && defined(CLOCK_REALTIME_COARSE)
	return clock_ms(CLOCK_REALTIME_COARSE);
#else
	return clock_ms(CLOCK_REALTIME);
#endif
}

/* For the GNU C library on x86-64 this is one load from a page that the kernel keeps up to date. It
 * is the clock of bloom_coarse_ms() if the C library reads a coarse clock; otherwise it is more
 * exact. */
uint64_t bloom_coarse_s(void)
{
	return (uint64_t)time(NULL);
}

/* The finalizer of SplitMix64 (Steele, Lea and Flood, 2014): every input bit affects every output
 * bit. */
static uint64_t mix(uint64_t value)
{
	value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
	return value ^ value >> 31;
}

void bloom_pause_us(uint32_t us)
{
	const struct timespec pause = {
		.tv_sec = (time_t)(us / 1000000), .tv_nsec = (long)(us % 1000000) * 1000};

	if (us == 0) {
		(void)sched_yield();
	} else {
		(void)nanosleep(&pause, NULL);
	}
}

/* Reads random bytes from the kernel, like getrandom(2). */
static ssize_t read_random(void *bytes, size_t count)
{
#if BLOOM_LINUX
	return getrandom(bytes, count, 0);
#else
	int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	ssize_t got = file >= 0 ? read(file, bytes, count) : -1;
	int saved = errno;

	if (file >= 0) {
		(void)close(file);
	}
	errno = saved;
	return got;
#endif
}

uint64_t bloom_random(void)
{
	uint64_t value = 0;
	struct timespec now;
	ssize_t got;

	do {
		got = read_random(&value, sizeof value);
	} while (got < 0 && errno == EINTR);
	if (got != (ssize_t)sizeof value) {
		/* Some sandboxes forbid this. File names only need to be unique, and the
		 * seeds of filters need not be secret, so the time and the PID are sufficient. */
		(void)clock_gettime(CLOCK_MONOTONIC, &now);
		value ^= mix(mix((uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 32) +
			(uint64_t)now.tv_sec);
	}
	return value;
}

/* Reads the first 16 hexadecimal digits of a UUID. Returns 0 if the text has fewer digits. */
static uint64_t parse_uuid(const char *text)
{
	static const char digits[] = "0123456789abcdef";
	uint64_t value = 0;
	int count = 0;

	for (; count < 16 && *text != 0; text++) {
		const char *digit = strchr(digits, *text);

		if (digit != NULL) {
			value = value << 4 | (uint64_t)(digit - digits);
			count++;
		} else if (*text != '-') {
			return 0;
		}
	}
	return count == 16 ? value : 0;
}

uint64_t bloom_boot_id(void)
{
	static uint64_t cached; /* 0: not read yet; relaxed, because all threads read the same ID */
	uint64_t boot = bloom_load_relaxed(&cached);
	char text[64];
	ssize_t count = 0;
	int file;

	if (boot != 0) {
		return boot;
	}
	/* The kernel generates this random UUID once per boot; see random(4). */
	file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	if (file >= 0) {
		count = read(file, text, sizeof text - 1);
		(void)close(file);
	}
	if (count > 0) {
		text[count] = 0;
		boot = parse_uuid(text);
		if (boot != 0) {
			boot |= 1; /* so that the ID is never 0, which means "unknown" */
			bloom_store_relaxed(&cached, boot);
		}
	}
	return boot;
}

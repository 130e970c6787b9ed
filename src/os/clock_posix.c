#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "os/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "filter/atomic.h"
#include "filter/digest.h"

static uint64_t clock_ms(clockid_t clock)
{
	struct timespec now;

	if (clock_gettime(clock, &now) != 0 || now.tv_sec < 0) {
		return 0; /* a wall clock set to before 1970 */
	}
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t bloom_clock_ms(void)
{
	return clock_ms(CLOCK_REALTIME);
}

/* By how many seconds the monotonic clock of this process's time namespace is ahead of the host's: a line
 * "monotonic <seconds> <nanoseconds>". Without /proc, or where there are no such namespaces, it counts as the host's. */
static int64_t read_clock_ahead_s(void)
{
	static const char word[] = "monotonic";
	char text[128] = {0};
	int file = open("/proc/self/timens_offsets", O_RDONLY | O_CLOEXEC);
	ssize_t count = 0;

	if (file >= 0) {
		count = read(file, text, sizeof text - 1);
		(void)close(file);
	}
	return count > 0 && strncmp(text, word, sizeof word - 1) == 0
		? strtoll(text + sizeof word - 1, NULL, 10)
		: 0;
}

/* The nanoseconds by which it is ahead, too, are nothing to windows and leases. */
static uint64_t clock_ahead_ms(void)
{
	static uint64_t known; /* twice the seconds, and 1; every thread reads the same */
	uint64_t ahead = bloom_load_relaxed(&known);

	if (ahead == 0) {
		ahead = (uint64_t)read_clock_ahead_s() * 2 + 1;
		bloom_store_relaxed(&known, ahead);
	}
	return (uint64_t)((int64_t)(ahead - 1) / 2) * 1000;
}

uint64_t bloom_monotonic_ms(void)
{
	return clock_ms(CLOCK_MONOTONIC) - clock_ahead_ms();
}

uint64_t bloom_coarse_ms(void)
{
#ifdef CLOCK_MONOTONIC_COARSE
	return clock_ms(CLOCK_MONOTONIC_COARSE);
#else
	return clock_ms(CLOCK_MONOTONIC);
#endif
}

uint64_t bloom_random(void)
{
	uint64_t value = 0;
	struct timespec now;
	ssize_t got;

	do {
		got = getrandom(&value, sizeof value, 0);
	} while (got < 0 && errno == EINTR);
	if (got != (ssize_t)sizeof value) {
		/* A sandbox without the call. Names must only differ, and seeds need not be secret. */
		(void)clock_gettime(CLOCK_MONOTONIC, &now);
		value ^= bloom_digest_word(
			(uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 32, (uint32_t)now.tv_sec);
	}
	return value;
}

uint64_t bloom_boot_id(void)
{
	static uint64_t known; /* every thread reads the same */
	uint64_t boot = bloom_load_relaxed(&known);
	unsigned char text[64];
	ssize_t count = 0;
	int file;

	if (boot != 0) {
		return boot;
	}
	file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	if (file >= 0) {
		count = read(file, text, sizeof text);
		(void)close(file);
	}
	if (count > 0) {
		boot = bloom_digest_of(text, (size_t)count, 0).hash_hi | 1;
		bloom_store_relaxed(&known, boot);
	}
	return boot;
}

/* To be preloaded by clock.inc: a clock that a test sets for its processes and their servers.
 *
 * BLOOM_TEST_CLOCK is the path of a file, which all these processes map. It contains three numbers:
 *
 *     passed_ns   how far all clocks are ahead of the system's
 *     wall_s      how many seconds the wall clock is ahead in addition
 *     skips       1: a pause does not wait. It moves passed_ns instead, so that time passes only
 *                 while a process would have slept
 *
 * Times of files are the kernel's, and calls that wait for a descriptor wait in real time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* musl has no such flag. */
#ifndef RTLD_DEEPBIND
#define RTLD_DEEPBIND 0
#endif

enum { SECOND_NS = 1000000000 };

typedef struct set_clock {
	_Atomic int64_t passed_ns;
	_Atomic int64_t wall_s;
	_Atomic int64_t skips;
} set_clock;

static set_clock system_clock; /* until the file is mapped */
static set_clock *shared = &system_clock;

__attribute__((constructor)) static void map_clock(void)
{
	const char *path = getenv("BLOOM_TEST_CLOCK");
	int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
	void *address;

	if (file < 0) {
		return;
	}
	address = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (address != MAP_FAILED) {
		shared = address;
	}
	(void)close(file);
}

/* PHP loads extensions so that they would find libc's functions before these. */
void *dlopen(const char *file, int flags)
{
	return NEXT(dlopen)(file, flags & ~RTLD_DEEPBIND);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	static __typeof__(&clock_gettime) next;
	int64_t ns;

	if (next == NULL) {
		next = NEXT(clock_gettime);
	}
	if (next(clock, now) != 0) {
		return -1;
	}
	if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0) {
		return 0;
	}
	ns = now->tv_nsec + shared->passed_ns;
	if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) {
		now->tv_sec += shared->wall_s;
	}
	now->tv_sec += ns / SECOND_NS;
	now->tv_nsec = ns % SECOND_NS;
	if (now->tv_nsec < 0) {
		now->tv_nsec += SECOND_NS;
		now->tv_sec--;
	}
	return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	struct timespec exact;

	(void)zone;
	(void)clock_gettime(CLOCK_REALTIME, &exact);
	now->tv_sec = exact.tv_sec;
	now->tv_usec = exact.tv_nsec / 1000;
	return 0;
}

time_t time(time_t *now)
{
	struct timespec exact;

	(void)clock_gettime(CLOCK_REALTIME, &exact);
	if (now != NULL) {
		*now = exact.tv_sec;
	}
	return exact.tv_sec;
}

int nanosleep(const struct timespec *pause, struct timespec *left)
{
	if (!shared->skips) {
		return NEXT(nanosleep)(pause, left);
	}
	shared->passed_ns += (int64_t)pause->tv_sec * SECOND_NS + pause->tv_nsec;
	return 0;
}

int usleep(useconds_t us)
{
	const struct timespec pause = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};

	return nanosleep(&pause, NULL);
}

unsigned sleep(unsigned seconds)
{
	struct timespec pause = {.tv_sec = seconds}, left = {0};

	return nanosleep(&pause, &left) == 0 ? 0 : (unsigned)left.tv_sec + (left.tv_nsec > 0);
}

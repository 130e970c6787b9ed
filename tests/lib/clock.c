/* To be preloaded by clock.inc: a clock that a test sets for its processes and their servers.
 *
 * BLOOM_TEST_CLOCK is the path of a file, which all these processes map. It contains these numbers:
 *
 *     passed_ns   how far all clocks are ahead of the system's
 *     wall_s      how many seconds the wall clock is ahead in addition
 *     skips       1: a pause does not wait. It moves passed_ns instead
 *     rate        how many times as fast as the system's the clocks are, for servers with delays
 *     began_ns    since when, by the system's monotonic clock; 0: no process has started yet
 *     stopped_ns  since when, by the system's monotonic clock, the clocks stand still, so that only
 *                 pauses move them; 0: they go
 *
 * Times of files are the kernel's, and calls that wait for a descriptor wait in real time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
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
	_Atomic int64_t rate;
	_Atomic int64_t began_ns;
	_Atomic int64_t stopped_ns;
} set_clock;

static set_clock system_clock = {.rate = 1}; /* until the file is mapped */
static set_clock *shared = &system_clock;

static int next_clock(clockid_t clock, struct timespec *now)
{
	static __typeof__(&clock_gettime) next;

	if (next == NULL) {
		next = NEXT(clock_gettime);
	}
	return next(clock, now);
}

static int64_t ns_of(const struct timespec *time)
{
	return (int64_t)time->tv_sec * SECOND_NS + time->tv_nsec;
}

static int64_t monotonic_ns(void)
{
	struct timespec now = {0};

	(void)next_clock(CLOCK_MONOTONIC, &now);
	return ns_of(&now);
}

__attribute__((constructor)) static void map_clock(void)
{
	const char *path = getenv("BLOOM_TEST_CLOCK");
	int64_t never = 0;
	int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
	void *address;

	if (file < 0) {
		return;
	}
	address = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (address != MAP_FAILED) {
		shared = address;
		(void)atomic_compare_exchange_strong(&shared->began_ns, &never, monotonic_ns());
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
	int64_t ns;

	if (next_clock(clock, now) != 0) {
		return -1;
	}
	if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0) {
		return 0;
	}
	ns = now->tv_nsec + shared->passed_ns;
	if (shared->rate > 1) {
		ns += (shared->rate - 1) * (monotonic_ns() - shared->began_ns);
	}
	if (shared->stopped_ns != 0) {
		/* The monotonic clock stands still exactly. Between these two calls, the others may
		 * fall behind. */
		ns -= (clock == CLOCK_MONOTONIC ? ns_of(now) : monotonic_ns()) - shared->stopped_ns;
	}
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
	const int64_t ns = ns_of(pause);
	const struct timespec shorter = {
		.tv_sec = ns / shared->rate / SECOND_NS, .tv_nsec = ns / shared->rate % SECOND_NS};

	if (!shared->skips && shared->stopped_ns == 0) {
		return NEXT(nanosleep)(&shorter, left);
	}
	shared->passed_ns += ns;
	return 0;
}

/* Servers wait here until their next timer. */
int epoll_wait(int epoll, struct epoll_event *events, int count, int timeout_ms)
{
	const int rate = (int)shared->rate;

	return NEXT(epoll_wait)(
		epoll, events, count, timeout_ms > 0 ? (timeout_ms + rate - 1) / rate : timeout_ms);
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

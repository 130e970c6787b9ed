#include "os/system_posix.h"

#include "os/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <time.h>

#include "os/clock.h"
#include "os/files.h"

static void sleep_us(long us)
{
	struct timespec time = {.tv_sec = 0, .tv_nsec = us * 1000};

	(void)nanosleep(&time, NULL);
}

bloom_status bloom_lock(int handle, uint64_t timeout_ms, bloom_error *error)
{
	enum { PAUSE_MS_MAX = 20 };
	uint64_t start = bloom_monotonic_ms();
	long pause = 1;

	/* A blocking flock() has no timeout, and a timer signal would interfere with PHP. This loop
	 * therefore polls, with pauses that double from 1 ms to 20 ms. */
	while (flock(handle, LOCK_EX | LOCK_NB) != 0) {
		if (errno == EINTR) {
			continue;
		}
		if (errno != EWOULDBLOCK) {
			return bloom_fail_system(error, "locking");
		}
		if (bloom_monotonic_ms() - start >= timeout_ms) {
			return bloom_fail(error, BLOOM_E_BUSY, 0, "locking");
		}
		sleep_us(pause * 1000);
		pause = pause * 2 < PAUSE_MS_MAX ? pause * 2 : PAUSE_MS_MAX;
	}
	return BLOOM_OK;
}

void bloom_unlock(int handle)
{
	(void)flock(handle, LOCK_UN);
}

#if BLOOM_LINUX
/* F_OFD_SETLK takes an open file description lock. A classic POSIX lock (F_SETLK) belongs to the
 * process: threads would not exclude each other, and closing any descriptor of the file would
 * release the lock. */
static int set_byte_lock(int file, uint64_t offset, short type)
{
	struct flock lock = {
		.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)offset, .l_len = 1};

	return fcntl(file, F_OFD_SETLK, &lock);
}

bool bloom_lock_has_bytes(void)
{
	return true;
}
#else
/* A lock of flock() belongs to the open file description, too, but it locks the whole file. */
static int set_byte_lock(int file, uint64_t offset, short type)
{
	(void)offset;
	return flock(file, type == F_UNLCK ? LOCK_UN : LOCK_EX | LOCK_NB);
}

bool bloom_lock_has_bytes(void)
{
	return false;
}
#endif

bool bloom_lock_has_directories(void)
{
	return true;
}

bloom_status bloom_lock_byte(int file, uint64_t offset, uint64_t timeout_ms, bloom_error *error)
{
	enum { YIELDS = 20, PAUSE_US_MAX = 1000 };
	uint64_t start = 0;
	long pause_us = 20;
	int tries = 0;

	while (set_byte_lock(file, offset, F_WRLCK) != 0) {
		if (errno == EINTR) {
			continue;
		}
		if (errno != EAGAIN && errno != EACCES) {
			return bloom_fail_system(error, "locking");
		}
		/* The clock is read only after a failed attempt, so taking a free lock needs only
		 * one system call. */
		start = tries == 0 ? bloom_monotonic_ms() : start;
		if (bloom_monotonic_ms() - start >= timeout_ms) {
			return bloom_fail(error, BLOOM_E_BUSY, 0, "locking");
		}
		/* A holder keeps the lock for only microseconds, so yielding is usually sufficient.
		 * After 20 yields, the holder has probably been stopped or preempted, so this
		 * thread sleeps instead. */
		if (tries++ < YIELDS) {
			(void)sched_yield();
		} else {
			sleep_us(pause_us);
			pause_us = pause_us * 2 < PAUSE_US_MAX ? pause_us * 2 : PAUSE_US_MAX;
		}
	}
	return BLOOM_OK;
}

void bloom_unlock_byte(int file, uint64_t offset)
{
	(void)set_byte_lock(file, offset, F_UNLCK);
}

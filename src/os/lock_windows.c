#include "os/system_windows.h"

#include "os/lock.h"

#include <errno.h>

#include "os/clock.h"
#include "os/files.h"

/* Locks of byte ranges are mandatory on Windows: ReadFile() and WriteFile() of a locked byte fail.
 * Therefore all locks are far beyond the end of any file. Mappings ignore locks. */
static const uint64_t first_byte = UINT64_C(1) << 61;
static const uint64_t whole_file = UINT64_C(1) << 62;

static OVERLAPPED range_of(uint64_t at)
{
	return (OVERLAPPED){.Offset = (DWORD)at, .OffsetHigh = (DWORD)(at >> 32)};
}

/* Returns false if another handle holds the lock (*is_busy), or on failure (errno). */
static bool try_lock(int handle, uint64_t at, bool *is_busy)
{
	OVERLAPPED range = range_of(at);
	DWORD code;

	if (LockFileEx(bloom_handle_of(handle), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY,
		    0, 1, 0, &range)) {
		return true;
	}
	code = GetLastError();
	*is_busy = code == ERROR_LOCK_VIOLATION || code == ERROR_IO_PENDING;
	return bloom_failed();
}

static void unlock(int handle, uint64_t at)
{
	OVERLAPPED range = range_of(at);

	(void)UnlockFileEx(bloom_handle_of(handle), 0, 1, 0, &range);
}

/* LockFileEx() has no timeout, so the lock is polled, with pauses that double from 1 ms. Before
 * that, the thread yields a few times: most locks are held for microseconds. */
static bloom_status lock_within(int handle, uint64_t at, uint64_t timeout_ms, bloom_error *error)
{
	enum { YIELDS = 20, PAUSE_MS_MAX = 16 };
	uint64_t start = 0;
	bool is_busy = false;
	DWORD pause_ms = 1;
	int tries;

	for (tries = 0; !try_lock(handle, at, &is_busy); tries++) {
		if (!is_busy) {
			return bloom_fail_system(error, "locking");
		}
		start = tries == 0 ? bloom_monotonic_ms() : start;
		if (bloom_monotonic_ms() - start >= timeout_ms) {
			return bloom_fail(error, BLOOM_E_BUSY, 0, "locking");
		}
		if (tries < YIELDS) {
			(void)SwitchToThread();
		} else {
			Sleep(pause_ms);
			pause_ms = pause_ms < PAUSE_MS_MAX ? 2 * pause_ms : PAUSE_MS_MAX;
		}
	}
	return BLOOM_OK;
}

bloom_status bloom_lock(int handle, uint64_t timeout_ms, bloom_error *error)
{
	return lock_within(handle, whole_file, timeout_ms, error);
}

void bloom_unlock(int handle)
{
	unlock(handle, whole_file);
}

static uint64_t byte_at(uint64_t offset)
{
	return first_byte + offset % first_byte;
}

bloom_status bloom_lock_byte(int file, uint64_t offset, uint64_t timeout_ms, bloom_error *error)
{
	return lock_within(file, byte_at(offset), timeout_ms, error);
}

void bloom_unlock_byte(int file, uint64_t offset)
{
	unlock(file, byte_at(offset));
}

bool bloom_lock_has_bytes(void)
{
	return true;
}

bool bloom_lock_has_directories(void)
{
	return false;
}

#include "filelock.h"

#include <string.h>

#include "lock.h"
#include "process.h"

static bloom_status open_own(const bloom_place *opened, const char *file_name, bloom_filelock *lock,
	uint64_t *bytes, bloom_error *error)
{
	bloom_status status = bloom_file_open(
		opened->directory, file_name, true, opened->owner, &lock->file, bytes, error);

	if (status == BLOOM_OK) {
		status = bloom_file_identity(lock->file, &lock->identity, error);
	}
	if (status == BLOOM_OK) {
		status = bloom_process_own(lock->file, error);
	}
	if (status != BLOOM_OK) {
		bloom_close(&lock->file);
	}
	return status;
}

bloom_status bloom_filelock_open(const bloom_place *opened, const char *file_name,
	bloom_filelock *lock, uint64_t *bytes, bloom_error *error)
{
	bloom_filelock fresh = {.file = -1, .process = bloom_process()};
	bloom_status status;

	bloom_process_hold();
	status = open_own(opened, file_name, &fresh, bytes, error);
	bloom_process_release();
	if (status == BLOOM_OK) {
		memcpy(fresh.file_name, file_name, strlen(file_name) + 1);
		*lock = fresh;
	}
	return status;
}

void bloom_filelock_close(bloom_filelock *lock)
{
	if (lock->process == bloom_process()) {
		bloom_process_close(&lock->file);
	}
	lock->file = -1;
}

static bloom_status reopen(
	bloom_filelock *lock, const bloom_segment *segment, const char *name, bloom_error *error)
{
	bloom_filelock fresh = {.file = -1};
	bloom_place opened;
	uint64_t bytes;
	bloom_status status = bloom_place_open(segment, name, false, &opened, error);

	if (status == BLOOM_OK) {
		status = bloom_filelock_open(&opened, lock->file_name, &fresh, &bytes, error);
		bloom_place_close(&opened);
	}
	if (status == BLOOM_OK && !bloom_is_same_file(&fresh.identity, &lock->identity)) {
		bloom_filelock_close(&fresh);
		status = BLOOM_E_NOT_FOUND;
	}
	if (status == BLOOM_E_NOT_FOUND) {
		return bloom_fail(error, BLOOM_E_GONE, 0, "%s", name);
	}
	if (status == BLOOM_OK) {
		bloom_filelock_close(lock);
		*lock = fresh;
	}
	return status;
}

bloom_status bloom_filelock_take(bloom_filelock *lock, const bloom_segment *segment,
	const char *name, uint64_t number, uint64_t timeout_ms, bloom_error *error)
{
	bloom_status status = lock->process == bloom_process()
		? BLOOM_OK
		: reopen(lock, segment, name, error);

	return status == BLOOM_OK ? bloom_lock_byte(lock->file, number, timeout_ms, error) : status;
}

void bloom_filelock_release(bloom_filelock *lock, uint64_t number)
{
	bloom_unlock_byte(lock->file, number);
}

#include "segment/filelock.h"

#include <string.h>

#include "os/lock.h"
#include "os/process.h"

bloom_filelock bloom_filelock_of(const char *file_name, bloom_identity identity)
{
	bloom_filelock lock = {.identity = identity};

	memcpy(lock.file_name, file_name, strlen(file_name) + 1);
	return lock;
}

typedef struct handle {
	int file;         /* means something while `process` is this one's */
	uint64_t process; /* bloom_process_id() that place it; 0: none */
	bloom_identity identity;
	uint64_t used; /* when, counted in takes */
} handle;

static _Thread_local handle handles[BLOOM_LOCK_HANDLES_MAX];
static _Thread_local uint64_t takes;

/* In a forked child the parent's handles are closed already, and their numbers may be other files'. */
static void close_handle(handle *kept)
{
	if (kept->process == bloom_process_id()) {
		bloom_process_close(&kept->file);
	}
	kept->process = 0;
}

static handle *find(const bloom_identity *identity, uint64_t process)
{
	handle *kept;

	for (kept = handles; kept < handles + BLOOM_LOCK_HANDLES_MAX; kept++) {
		if (kept->process == process && bloom_is_same_file(&kept->identity, identity)) {
			return kept;
		}
	}
	return NULL;
}

/* A free place, or that of the handle that was not used for longest. */
static handle *take_place(void)
{
	handle *oldest = handles, *kept;

	for (kept = handles; kept < handles + BLOOM_LOCK_HANDLES_MAX; kept++) {
		if (kept->process == 0) {
			return kept;
		}
		if (kept->used < oldest->used) {
			oldest = kept;
		}
	}
	close_handle(oldest);
	return oldest;
}

static bloom_status open_owned(
	const bloom_place *place, const bloom_filelock *lock, handle *fresh, bloom_error *error)
{
	uint64_t bytes;
	bloom_status status = bloom_file_open(
		place->directory, lock->file_name, true, place->owner, &fresh->file, &bytes, error);

	if (status == BLOOM_OK) {
		status = bloom_file_identity(fresh->file, &fresh->identity, error);
		if (status == BLOOM_OK) {
			status = bloom_process_close_on_fork(fresh->file, error);
		}
		if (status != BLOOM_OK) {
			bloom_close(&fresh->file);
		}
	}
	return status;
}

static bloom_status open_handle(const bloom_filelock *lock, const bloom_segment *segment,
	const char *name, handle *fresh, bloom_error *error)
{
	bloom_place place;
	bloom_status status = bloom_place_open(segment, name, false, &place, error);

	if (status == BLOOM_OK) {
		bloom_fork_block();
		status = open_owned(&place, lock, fresh, error);
		bloom_fork_unblock();
		bloom_place_close(&place);
	}
	if (status == BLOOM_OK && !bloom_is_same_file(&fresh->identity, &lock->identity)) {
		bloom_process_close(&fresh->file);
		status = BLOOM_E_NOT_FOUND;
	}
	return status == BLOOM_E_NOT_FOUND ? bloom_fail(error, BLOOM_E_GONE, 0, "%s", name)
					   : status;
}

/* The thread's handle of the file, place if it has none.  *kept is valid until the next call. */
static bloom_status handle_of(const bloom_filelock *lock, const bloom_segment *segment,
	const char *name, handle **kept, bloom_error *error)
{
	/* Asked once: that is a system call. */
	handle fresh = {.file = -1, .process = bloom_process_id()};
	bloom_status status;

	*kept = find(&lock->identity, fresh.process);
	if (*kept != NULL) {
		return BLOOM_OK;
	}
	status = open_handle(lock, segment, name, &fresh, error);
	if (status == BLOOM_E_SYSTEM) {
		/* Descriptors may have run out, and those that are kept here are of no use to anybody now. */
		bloom_filelock_close_all();
		status = open_handle(lock, segment, name, &fresh, error);
	}
	if (status == BLOOM_OK) {
		*kept = take_place();
		**kept = fresh;
	}
	return status;
}

bloom_status bloom_filelock_take(const bloom_filelock *lock, const bloom_segment *segment,
	const char *name, uint64_t number, uint64_t timeout_ms, int *file, bloom_error *error)
{
	handle *kept;
	bloom_status status = handle_of(lock, segment, name, &kept, error);

	if (status == BLOOM_OK) {
		kept->used = ++takes;
		status = bloom_lock_byte(kept->file, number, timeout_ms, error);
	}
	if (status == BLOOM_OK) {
		*file = kept->file;
	}
	return status;
}

void bloom_filelock_release(int file, uint64_t number)
{
	bloom_unlock_byte(file, number);
}

void bloom_filelock_close(const bloom_filelock *lock)
{
	handle *kept = find(&lock->identity, bloom_process_id());

	if (kept != NULL) {
		close_handle(kept);
	}
}

void bloom_filelock_close_all(void)
{
	handle *kept;

	for (kept = handles; kept < handles + BLOOM_LOCK_HANDLES_MAX; kept++) {
		close_handle(kept);
	}
}

#include "segment/filelock.h"

#include <string.h>

#include "filter/compiler.h"
#include "os/lock.h"
#include "os/process.h"

bloom_filelock bloom_filelock_of(const char *file_name, bloom_identity identity)
{
	bloom_filelock lock = {.identity = identity};

	memcpy(lock.file_name, file_name, strlen(file_name) + 1);
	return lock;
}

typedef struct handle {
	int file;         /* valid only if `process` is this process */
	int locks;        /* the file whose bytes are locked: `file`, or BLOOM_LOCKS_NAME */
	uint64_t process; /* bloom_process_id() of the process that opened it; 0: a free slot */
	bloom_identity identity;
	uint64_t used; /* the value of `takes` at the last use, for LRU replacement */
} handle;

static BLOOM_THREAD_LOCAL handle handles[BLOOM_LOCK_HANDLES_MAX];
static BLOOM_THREAD_LOCAL uint64_t takes;

/* Frees a slot. Closes the handle only if this process opened it: in a forked child the parent's
 * handles are already closed, and their descriptor numbers may now belong to other files. */
static void close_handle(handle *slot)
{
	if (slot->process == bloom_process_id()) {
		if (slot->locks != slot->file) {
			bloom_process_close(&slot->locks);
		}
		bloom_process_close(&slot->file);
	}
	slot->process = 0;
}

static handle *find(const bloom_identity *identity, uint64_t process)
{
	handle *slot;

	for (slot = handles; slot < handles + BLOOM_LOCK_HANDLES_MAX; slot++) {
		if (slot->process == process && bloom_is_same_file(&slot->identity, identity)) {
			return slot;
		}
	}
	return NULL;
}

/* Returns a free slot, or evicts the least recently used handle. */
static handle *claim_slot(void)
{
	handle *oldest = handles, *slot;

	for (slot = handles; slot < handles + BLOOM_LOCK_HANDLES_MAX; slot++) {
		if (slot->process == 0) {
			return slot;
		}
		if (slot->used < oldest->used) {
			oldest = slot;
		}
	}
	close_handle(oldest);
	return oldest;
}

static bloom_status open_close_on_fork(
	const bloom_filter_dir *dir, const char *file_name, int *file, bloom_error *error)
{
	uint64_t bytes;
	bloom_status status =
		bloom_file_open(dir->handle, file_name, true, dir->owner, file, &bytes, error);

	if (status == BLOOM_OK) {
		status = bloom_process_close_on_fork(*file, error);
		if (status != BLOOM_OK) {
			bloom_close(file);
		}
	}
	return status;
}

/* Opens the file whose bytes are locked. A writer holds bloom_lock() on a file that it is staging,
 * and other processes may already add keys to that file (additions.h). So if the system's locks
 * exclude each other, all files of a filter share one other file, which is never removed before the
 * filter is. */
static bloom_status open_locks(const bloom_filter_dir *dir, handle *fresh, bloom_error *error)
{
	bloom_status status, created;
	int made = -1;

	if (bloom_lock_has_bytes()) {
		fresh->locks = fresh->file;
		return BLOOM_OK;
	}
	status = open_close_on_fork(dir, BLOOM_LOCKS_NAME, &fresh->locks, error);
	if (status == BLOOM_E_NOT_FOUND) {
		created =
			bloom_file_create(dir->handle, BLOOM_LOCKS_NAME, dir->owner, &made, error);
		bloom_close(&made);
		/* If another process created the file first, the call above failed, but the file
		 * can be opened. */
		status = open_close_on_fork(
			dir, BLOOM_LOCKS_NAME, &fresh->locks, created == BLOOM_OK ? error : NULL);
		if (status != BLOOM_OK && created != BLOOM_OK) {
			status = created;
		}
	}
	return status;
}

static bloom_status open_files(
	const bloom_filter_dir *dir, const bloom_filelock *lock, handle *fresh, bloom_error *error)
{
	bloom_status status = open_close_on_fork(dir, lock->file_name, &fresh->file, error);

	if (status == BLOOM_OK) {
		status = bloom_file_identity(fresh->file, &fresh->identity, error);
	}
	return status == BLOOM_OK ? open_locks(dir, fresh, error) : status;
}

static bloom_status open_handle(const bloom_filelock *lock, const bloom_segment *segment,
	const char *name, handle *fresh, bloom_error *error)
{
	bloom_filter_dir dir;
	bloom_status status = bloom_filter_dir_open(segment, name, false, &dir, error);

	if (status == BLOOM_OK) {
		bloom_fork_block();
		status = open_files(&dir, lock, fresh, error);
		bloom_fork_unblock();
		bloom_filter_dir_close(&dir);
	}
	/* The name may now lead to a newer file. A lock on that file would not protect the mapped
	 * file. */
	if (status == BLOOM_OK && !bloom_is_same_file(&fresh->identity, &lock->identity)) {
		status = BLOOM_E_NOT_FOUND;
	}
	if (status != BLOOM_OK) {
		close_handle(fresh);
	}
	return status == BLOOM_E_NOT_FOUND ? bloom_fail(error, BLOOM_E_GONE, 0, "%s", name)
					   : status;
}

/* Finds this thread's handle to the file, or opens one. *slot is valid until the next call. */
static bloom_status handle_of(const bloom_filelock *lock, const bloom_segment *segment,
	const char *name, handle **slot, bloom_error *error)
{
	/* Call bloom_process_id() once, because it may be a system call. */
	handle fresh = {.file = -1, .locks = -1, .process = bloom_process_id()};
	bloom_status status;

	*slot = find(&lock->identity, fresh.process);
	if (*slot != NULL) {
		return BLOOM_OK;
	}
	status = open_handle(lock, segment, name, &fresh, error);
	if (status == BLOOM_E_SYSTEM) {
		/* The process may have no descriptors left. This thread holds no lock now, so it
		 * can close its handles and try again. */
		bloom_filelock_close_all();
		fresh.process = bloom_process_id();
		status = open_handle(lock, segment, name, &fresh, error);
	}
	if (status == BLOOM_OK) {
		*slot = claim_slot();
		**slot = fresh;
	}
	return status;
}

bloom_status bloom_filelock_take(const bloom_filelock *lock, const bloom_segment *segment,
	const char *name, uint64_t lock_index, uint64_t timeout_ms, int *file, bloom_error *error)
{
	handle *slot;
	bloom_status status = handle_of(lock, segment, name, &slot, error);

	if (status == BLOOM_OK) {
		slot->used = ++takes;
		status = bloom_lock_byte(slot->locks, lock_index, timeout_ms, error);
	}
	if (status == BLOOM_OK) {
		*file = slot->file;
	}
	return status;
}

void bloom_filelock_release(int file, uint64_t lock_index)
{
	handle *slot = handles;

	if (bloom_lock_has_bytes()) {
		bloom_unlock_byte(file, lock_index);
		return;
	}
	while (slot->process == 0 || slot->file != file) {
		slot++;
	}
	bloom_unlock_byte(slot->locks, lock_index);
}

void bloom_filelock_close(const bloom_filelock *lock)
{
	handle *slot = find(&lock->identity, bloom_process_id());

	if (slot != NULL) {
		close_handle(slot);
	}
}

void bloom_filelock_close_all(void)
{
	handle *slot;

	for (slot = handles; slot < handles + BLOOM_LOCK_HANDLES_MAX; slot++) {
		close_handle(slot);
	}
}

#include "segment/filter_dir.h"

#include <stdio.h>
#include <string.h>

#include "os/clock.h"
#include "os/lock.h"
#include "os/mapping.h"
#include "os/process.h"
#include "segment/control.h"

static size_t shown_bytes(const char *text, size_t max_bytes)
{
	size_t count = strlen(text);

	return count < max_bytes ? count : max_bytes;
}

/* Prepends the path of the directory in which a name was not found or refused. */
static bloom_status fail_in(const char *path, bloom_status status, bloom_error *error)
{
	enum { INNER_BYTES_SHOWN = 300 };
	bloom_error inner;

	if (error == NULL) {
		return status;
	}
	inner = *error;
	return bloom_fail(error, status, inner.os_error, "%.*s/%.*s",
		(int)(sizeof inner.subject - INNER_BYTES_SHOWN - strlen("/") - 1), path,
		INNER_BYTES_SHOWN, inner.subject);
}

bloom_status bloom_fail_at(const bloom_filter_dir *dir, bloom_status status, bloom_error *error)
{
	enum { NAME_BYTES_SHOWN = 128, INNER_BYTES_SHOWN = 600 };
	bloom_error inner;
	size_t taken;

	if (error == NULL) {
		return status;
	}
	inner = *error;
	if (bloom_path_is_absolute(inner.subject)) {
		return status;
	}
	if (strcmp(inner.subject, dir->name) == 0) {
		inner.subject[0] = 0;
	}
	/* If the text is too long, shorten the path, because the reason matters more. */
	taken = shown_bytes(dir->name, NAME_BYTES_SHOWN) +
		shown_bytes(inner.subject, INNER_BYTES_SHOWN) + strlen("/: ") + 1;
	return bloom_fail(error, status, inner.os_error, "%.*s/%.*s%s%.*s",
		(int)(sizeof inner.subject - taken), dir->segment->path, NAME_BYTES_SHOWN,
		dir->name, inner.subject[0] == 0 ? "" : ": ", INNER_BYTES_SHOWN, inner.subject);
}

/* ---- opening ---- */

void bloom_filter_dir_name(bloom_filter_dir *dir, const char *name, uint64_t layout)
{
	dir->name = name;
	dir->layout = layout;
	bloom_entry_name(name, layout, dir->entry);
}

void bloom_filter_dir_unlock(bloom_filter_dir *dir)
{
	if (dir->lock >= 0 && bloom_lock_has_directories()) {
		bloom_unlock(dir->lock);
	} else if (dir->lock >= 0) {
		bloom_unlock_byte(dir->lock, dir->lock_byte);
	}
	bloom_process_close(&dir->lock);
}

void bloom_filter_dir_close(bloom_filter_dir *dir)
{
	bloom_filter_dir_unlock(dir);
	bloom_close(&dir->handle);
	bloom_close(&dir->segment_handle);
}

bloom_status bloom_filter_dir_open(const bloom_segment *segment, const char *name, bool create,
	bloom_filter_dir *dir, bloom_error *error)
{
	bloom_status status;

	*dir = (bloom_filter_dir){
		.segment = segment, .name = name, .segment_handle = -1, .handle = -1, .lock = -1};
	status = bloom_name_check(name, strlen(name), error);
	if (status != BLOOM_OK) {
		return status;
	}
	bloom_filter_dir_name(dir, name, BLOOM_CONTROL_LAYOUT);
	status = bloom_segment_open(segment, create, &dir->segment_handle, &dir->owner, error);
	if (status == BLOOM_E_NOT_FOUND) {
		return bloom_fail(error, status, 0, "%.600s/%.128s", segment->path, name);
	}
	if (status != BLOOM_OK) {
		return status;
	}
	status = bloom_directory_open_at(
		dir->segment_handle, dir->entry, create, dir->owner, &dir->handle, error);
	if (status == BLOOM_E_NOT_FOUND) {
		(void)bloom_fail(error, status, 0, "%s", name);
	}
	if (status != BLOOM_OK) {
		bloom_close(&dir->segment_handle);
		return fail_in(segment->path, status, error);
	}
	return BLOOM_OK;
}

bloom_status bloom_filter_dir_open_internal(
	const bloom_filter_dir *dir, int *directory, bloom_error *error)
{
	return bloom_directory_open_at(
		dir->segment_handle, BLOOM_INTERNAL_NAME, true, dir->owner, directory, error);
}

bloom_status bloom_internal_file_open(
	int directory, const char *name, bloom_owner owner, int *file, bloom_error *error)
{
	uint64_t bytes;
	bloom_status status = bloom_file_open(directory, name, true, owner, file, &bytes, error);

	if (status == BLOOM_E_NOT_FOUND) {
		status = bloom_file_create(directory, name, owner, file, error);
		if (status != BLOOM_OK) {
			/* Another process may have created the file in the meantime. */
			status = bloom_file_open(directory, name, true, owner, file, &bytes, error);
		}
	}
	return status;
}

/* Opens the entry that the lock is taken on: a second handle to the directory. A forked child may
 * share the first handle and would keep a lock on it. If the system cannot lock directories, the
 * locks of all filters are bytes of one file, which is never removed. The directory's identity
 * selects the byte. If two directories share a byte, their writers wait for each other. */
static bloom_status open_lock(bloom_filter_dir *dir, bloom_error *error)
{
	bloom_identity identity;
	bloom_status status;
	int internal = -1;

	if (bloom_lock_has_directories()) {
		return bloom_directory_open_at(
			dir->handle, ".", false, dir->owner, &dir->lock, error);
	}
	status = bloom_file_identity(dir->handle, &identity, error);
	if (status == BLOOM_OK) {
		status = bloom_filter_dir_open_internal(dir, &internal, error);
	}
	if (status == BLOOM_OK) {
		dir->lock_byte = identity.inode;
		status = bloom_internal_file_open(
			internal, BLOOM_LOCKS_NAME, dir->owner, &dir->lock, error);
		bloom_close(&internal);
	}
	return status;
}

/* Registers the handle for closing in forked children before any other thread can fork. */
static bloom_status open_to_lock(bloom_filter_dir *dir, bloom_error *error)
{
	bloom_status status;

	bloom_fork_block();
	status = open_lock(dir, error);
	if (status == BLOOM_OK) {
		status = bloom_process_close_on_fork(dir->lock, error);
		if (status != BLOOM_OK) {
			bloom_close(&dir->lock);
		}
	}
	bloom_fork_unblock();
	return status;
}

bloom_status bloom_filter_dir_lock_within(
	bloom_filter_dir *dir, uint64_t timeout_ms, bloom_error *error)
{
	bloom_status status = open_to_lock(dir, error);

	if (status == BLOOM_OK) {
		status = bloom_lock_has_directories()
			? bloom_lock(dir->lock, timeout_ms, error)
			: bloom_lock_byte(dir->lock, dir->lock_byte, timeout_ms, error);
	}
	/* If the filter was dropped during the wait, the locked directory is unlinked. */
	if (status == BLOOM_OK) {
		status = bloom_directory_check_name(
			dir->segment_handle, dir->entry, dir->handle, error);
	}
	if (status != BLOOM_OK) {
		bloom_filter_dir_unlock(dir);
	}
	return status;
}

bloom_status bloom_filter_dir_lock(bloom_filter_dir *dir, bloom_error *error)
{
	bloom_status status =
		bloom_filter_dir_lock_within(dir, dir->segment->lock_timeout_ms, error);

	return status == BLOOM_OK ? BLOOM_OK : bloom_fail_at(dir, status, error);
}

bool bloom_filter_dir_try_lock(bloom_filter_dir *dir)
{
	return bloom_filter_dir_lock_within(dir, 0, NULL) == BLOOM_OK;
}

/* ---- removing files in use ---- */

/* Moves a file that cannot be removed yet out of the filter's directory. */
static bloom_status move_away(
	const bloom_filter_dir *dir, const char *file_name, bloom_error *error)
{
	char moved[BLOOM_FILE_NAME_MAX];
	int internal = -1;
	bloom_status status = bloom_filter_dir_open_internal(dir, &internal, error);

	if (status == BLOOM_OK) {
		(void)snprintf(moved, sizeof moved, "%016llx" BLOOM_REMOVED_SUFFIX,
			(unsigned long long)bloom_random());
		status = bloom_file_move(dir->handle, file_name, internal, moved, error);
		bloom_file_discard(internal, moved);
		bloom_close(&internal);
	}
	return status;
}

bloom_status bloom_filter_dir_remove(
	const bloom_filter_dir *dir, const char *file_name, bloom_error *error)
{
	bloom_status status = bloom_file_remove(dir->handle, file_name, error);

	return status == BLOOM_E_BUSY ? move_away(dir, file_name, error) : status;
}

bloom_status bloom_filter_dir_rename(
	const bloom_filter_dir *dir, const char *from, const char *to, bloom_error *error)
{
	bloom_status status = bloom_file_rename(dir->handle, from, to, error);

	if (status == BLOOM_E_BUSY) {
		status = move_away(dir, to, error);
		if (status == BLOOM_OK) {
			status = bloom_file_rename(dir->handle, from, to, error);
		}
	}
	return status;
}

/* ---- mapping ---- */

bloom_status bloom_filter_dir_map(const bloom_filter_dir *dir, const char *file_name,
	bloom_map_use use, uint64_t bytes, bloom_mapped *mapped, bloom_error *error)
{
	bool is_writable = use == BLOOM_MAP_WRITE || use == BLOOM_MAP_GROW;
	bloom_mapped fresh = {.kept = -1};
	int file = -1;
	bloom_status status = bloom_file_open(
		dir->handle, file_name, is_writable, dir->owner, &file, &fresh.file_bytes, error);

	if (status == BLOOM_OK) {
		status = bloom_file_identity(file, &fresh.identity, error);
	}
	fresh.bytes = bytes != 0 ? bytes : fresh.file_bytes;
	if (status == BLOOM_OK && (fresh.bytes == 0 || fresh.bytes > fresh.file_bytes)) {
		status = bloom_fail(error, BLOOM_E_SHORT, 0, "%s", file_name);
	}
	if (status == BLOOM_OK && use != BLOOM_MAP_STAGED) {
		status = bloom_file_check_holes(file, file_name, error);
	}
	if (status == BLOOM_OK) {
		status = bloom_map(file, fresh.bytes, is_writable, &fresh.map, error);
	}
	if (status == BLOOM_OK && use == BLOOM_MAP_GROW) {
		status = bloom_map_keep(file, &fresh.kept, error);
		if (status != BLOOM_OK) {
			bloom_unmap(fresh.map, fresh.bytes);
		}
	}
	bloom_close(&file);
	if (status == BLOOM_OK) {
		*mapped = fresh;
	}
	return status;
}

#include "segment/place.h"

#include <stdio.h>
#include <string.h>

#include "os/clock.h"
#include "os/lock.h"
#include "os/mapping.h"
#include "os/process.h"

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

bloom_status bloom_fail_at(const bloom_place *place, bloom_status status, bloom_error *error)
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
	if (strcmp(inner.subject, place->name) == 0) {
		inner.subject[0] = 0;
	}
	/* If the text is too long, shorten the path, because the reason matters more. */
	taken = shown_bytes(place->name, NAME_BYTES_SHOWN) +
		shown_bytes(inner.subject, INNER_BYTES_SHOWN) + strlen("/: ") + 1;
	return bloom_fail(error, status, inner.os_error, "%.*s/%.*s%s%.*s",
		(int)(sizeof inner.subject - taken), place->segment->path, NAME_BYTES_SHOWN,
		place->name, inner.subject[0] == 0 ? "" : ": ", INNER_BYTES_SHOWN, inner.subject);
}

/* ---- opening ---- */

void bloom_place_unlock(bloom_place *place)
{
	if (place->lock >= 0 && bloom_lock_has_directories()) {
		bloom_unlock(place->lock);
	} else if (place->lock >= 0) {
		bloom_unlock_byte(place->lock, place->lock_byte);
	}
	bloom_process_close(&place->lock);
}

void bloom_place_close(bloom_place *place)
{
	bloom_place_unlock(place);
	bloom_close(&place->directory);
	bloom_close(&place->segment_directory);
}

bloom_status bloom_place_open(const bloom_segment *segment, const char *name, bool create,
	bloom_place *place, bloom_error *error)
{
	bloom_status status;

	*place = (bloom_place){.segment = segment,
		.name = name,
		.segment_directory = -1,
		.directory = -1,
		.lock = -1};
	status = bloom_name_check(name, strlen(name), error);
	if (status != BLOOM_OK) {
		return status;
	}
	status = bloom_segment_open(
		segment, create, &place->segment_directory, &place->owner, error);
	if (status == BLOOM_E_NOT_FOUND) {
		return bloom_fail(error, status, 0, "%.600s/%.128s", segment->path, name);
	}
	if (status != BLOOM_OK) {
		return status;
	}
	status = bloom_directory_open_at(
		place->segment_directory, name, create, place->owner, &place->directory, error);
	if (status != BLOOM_OK) {
		bloom_close(&place->segment_directory);
		return fail_in(segment->path, status, error);
	}
	return BLOOM_OK;
}

bloom_status bloom_place_open_internal(const bloom_place *place, int *directory, bloom_error *error)
{
	return bloom_directory_open_at(place->segment_directory, BLOOM_INTERNAL_NAME, true,
		place->owner, directory, error);
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
static bloom_status open_lock(bloom_place *place, bloom_error *error)
{
	bloom_identity identity;
	bloom_status status;
	int internal = -1;

	if (bloom_lock_has_directories()) {
		return bloom_directory_open_at(
			place->directory, ".", false, place->owner, &place->lock, error);
	}
	status = bloom_file_identity(place->directory, &identity, error);
	if (status == BLOOM_OK) {
		status = bloom_place_open_internal(place, &internal, error);
	}
	if (status == BLOOM_OK) {
		place->lock_byte = identity.inode;
		status = bloom_internal_file_open(
			internal, BLOOM_LOCKS_NAME, place->owner, &place->lock, error);
		bloom_close(&internal);
	}
	return status;
}

/* Registers the handle for closing in forked children before any other thread can fork. */
static bloom_status open_to_lock(bloom_place *place, bloom_error *error)
{
	bloom_status status;

	bloom_fork_block();
	status = open_lock(place, error);
	if (status == BLOOM_OK) {
		status = bloom_process_close_on_fork(place->lock, error);
		if (status != BLOOM_OK) {
			bloom_close(&place->lock);
		}
	}
	bloom_fork_unblock();
	return status;
}

static bloom_status lock_within(bloom_place *place, uint64_t timeout_ms, bloom_error *error)
{
	bloom_status status = open_to_lock(place, error);

	if (status == BLOOM_OK) {
		status = bloom_lock_has_directories()
			? bloom_lock(place->lock, timeout_ms, error)
			: bloom_lock_byte(place->lock, place->lock_byte, timeout_ms, error);
	}
	/* If the filter was dropped during the wait, the locked directory is unlinked. */
	if (status == BLOOM_OK) {
		status = bloom_directory_check_name(
			place->segment_directory, place->name, place->directory, error);
	}
	if (status != BLOOM_OK) {
		bloom_place_unlock(place);
	}
	return status;
}

bloom_status bloom_place_lock(bloom_place *place, bloom_error *error)
{
	bloom_status status = lock_within(place, place->segment->lock_timeout_ms, error);

	return status == BLOOM_OK ? BLOOM_OK : bloom_fail_at(place, status, error);
}

bool bloom_place_try_lock(bloom_place *place)
{
	return lock_within(place, 0, NULL) == BLOOM_OK;
}

/* ---- removing files in use ---- */

/* Moves a file that cannot be removed yet out of the filter's directory. */
static bloom_status move_away(const bloom_place *place, const char *file_name, bloom_error *error)
{
	char moved[BLOOM_FILE_NAME_MAX];
	int internal = -1;
	bloom_status status = bloom_place_open_internal(place, &internal, error);

	if (status == BLOOM_OK) {
		(void)snprintf(moved, sizeof moved, "%016llx" BLOOM_REMOVED_SUFFIX,
			(unsigned long long)bloom_random());
		status = bloom_file_move(place->directory, file_name, internal, moved, error);
		bloom_file_discard(internal, moved);
		bloom_close(&internal);
	}
	return status;
}

bloom_status bloom_place_remove(const bloom_place *place, const char *file_name, bloom_error *error)
{
	bloom_status status = bloom_file_remove(place->directory, file_name, error);

	return status == BLOOM_E_BUSY ? move_away(place, file_name, error) : status;
}

bloom_status bloom_place_rename(
	const bloom_place *place, const char *from, const char *to, bloom_error *error)
{
	bloom_status status = bloom_file_rename(place->directory, from, to, error);

	if (status == BLOOM_E_BUSY) {
		status = move_away(place, to, error);
		if (status == BLOOM_OK) {
			status = bloom_file_rename(place->directory, from, to, error);
		}
	}
	return status;
}

/* ---- mapping ---- */

bloom_status bloom_place_map(const bloom_place *place, const char *file_name, bloom_map_use use,
	uint64_t bytes, bloom_mapped *mapped, bloom_error *error)
{
	bool is_writable = use == BLOOM_MAP_WRITE || use == BLOOM_MAP_GROW;
	bloom_mapped fresh = {.kept = -1};
	int file = -1;
	bloom_status status = bloom_file_open(place->directory, file_name, is_writable,
		place->owner, &file, &fresh.file_bytes, error);

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

#include "segment/tidy.h"

#include <string.h>

#include "os/clock.h"
#include "os/lock.h"
#include "os/mapping.h"
#include "segment/control_file.h"

bloom_use bloom_use_of(const bloom_control *control)
{
	uint64_t generation = bloom_load_acquire(&control->generation);

	return (bloom_use){
		.generation = generation,
		.additions = bloom_control_additions(control, generation),
	};
}

typedef struct tidying {
	const bloom_filter_dir *dir;
	bloom_use use;
	uint64_t highest; /* the highest generation number of a file name */
	bool is_partial;  /* an entry could not be examined or removed */
} tidying;

static void remove_leftover(tidying *tidy, const char *name)
{
	if (bloom_filter_dir_remove(tidy->dir, name, NULL) != BLOOM_OK) {
		tidy->is_partial = true;
	}
}

/* Removes a .tmp file if its lock is free, which means that its writer has died. */
static void remove_if_abandoned(tidying *tidy, const char *name)
{
	const bloom_filter_dir *dir = tidy->dir;
	uint64_t bytes;
	bloom_error detail;
	int file = -1;
	bloom_status status =
		bloom_file_open(dir->handle, name, false, dir->owner, &file, &bytes, &detail);

	if (status != BLOOM_OK) {
		/* A file with the wrong owner comes from a root process that was killed before
		 * chown(), or that has not called chown() yet. A process that is still running
		 * notices that its file has been unlinked and creates a new file. If the file could
		 * not be opened for lack of a resource, it may belong to a running writer, so it is
		 * kept. */
		if (bloom_is_inconclusive(status, &detail)) {
			tidy->is_partial = true;
		} else {
			remove_leftover(tidy, name);
		}
		return;
	}
	if (bloom_lock(file, 0, NULL) == BLOOM_OK) {
		remove_leftover(tidy, name);
	}
	bloom_close(&file);
}

/* Returns true for additions that are in use although they still have their staged name, because
 * they could not be renamed, see place_additions(). */
static bool is_unrenamed(const tidying *tidy, const char *name)
{
	char staged[BLOOM_FILE_NAME_MAX];

	bloom_stage_name(tidy->use.additions, staged);
	return tidy->use.additions != 0 && strcmp(name, staged) == 0;
}

static bool tidy_entry(void *context, const char *name)
{
	tidying *tidy = context;
	uint64_t generation = bloom_generation_of(name), additions = bloom_additions_of(name);

	if (tidy->dir->layout != BLOOM_CONTROL_LAYOUT && !bloom_is_stage_name(name)) {
		if (strcmp(name, BLOOM_CONTROL_NAME) != 0) {
			remove_leftover(tidy, name);
		}
		return true;
	}
	if (generation > tidy->highest && generation < BLOOM_GENERATION_MAX) {
		tidy->highest = generation;
	}
	if ((generation != 0 && generation != tidy->use.generation) ||
		(additions != 0 && additions != tidy->use.additions)) {
		remove_leftover(tidy, name);
	} else if (bloom_is_stage_name(name) && !is_unrenamed(tidy, name)) {
		remove_if_abandoned(tidy, name);
	}
	return true;
}

bool bloom_tidy_filter(const bloom_filter_dir *dir, bloom_use use, uint64_t *highest)
{
	tidying tidy = {.dir = dir, .use = use};
	bloom_status status = bloom_directory_each(dir->handle, tidy_entry, &tidy, NULL);

	if (highest != NULL) {
		*highest = tidy.highest;
	}
	return status == BLOOM_OK && !tidy.is_partial;
}

bloom_status bloom_tidy_remove_filter(const bloom_filter_dir *dir, bloom_error *error)
{
	bool is_tidy =
		bloom_tidy_filter(dir, (bloom_use){.generation = BLOOM_GENERATION_NONE}, NULL);
	bloom_status status;

	if (!bloom_lock_has_bytes()) {
		(void)bloom_file_remove(dir->handle, BLOOM_LOCKS_NAME, NULL);
	}
	status = bloom_filter_dir_remove(dir, BLOOM_CONTROL_NAME, error);
	if (status == BLOOM_OK) {
		status = bloom_directory_remove(dir->segment_handle, dir->entry, error);
	}
	return status == BLOOM_OK && !is_tidy ? bloom_fail(error, BLOOM_E_BUSY, 0, "%s", dir->name)
					      : status;
}

/* ---- sweeping ---- */

/* Removes the files that are not in use according to the control page. The caller holds the
 * filter's lock. */
static void tidy_locked(const bloom_filter_dir *dir)
{
	bloom_control *control = NULL;
	bloom_status status = bloom_control_map(dir, &control, NULL, NULL);
	bloom_use use = {.generation = BLOOM_GENERATION_NONE};

	if (status == BLOOM_OK) {
		use = bloom_use_of(control);
		bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	}
	if (use.generation == BLOOM_GENERATION_DROPPED || status == BLOOM_E_NOT_FOUND) {
		/* The filter was dropped, was never loaded, or is from before a reboot. If another
		 * process is staging a file, the directory is not empty and is kept. */
		(void)bloom_tidy_remove_filter(dir, NULL);
	} else if (status == BLOOM_OK) {
		(void)bloom_tidy_filter(dir, use, NULL);
	}
}

/* Returns whether a process may use the filter. */
static bool may_be_in_use(const bloom_filter_dir *dir)
{
	bool answer = true;
	uint64_t bytes;
	int file = -1;

	if (bloom_file_open(dir->handle, BLOOM_CONTROL_NAME, false, dir->owner, &file, &bytes,
		    NULL) == BLOOM_OK) {
		answer = bloom_file_may_have_writers(file);
		bloom_close(&file);
	}
	return answer;
}

/* Returns whether this build's layout has a generation of the filter. */
static bool is_served_here(const bloom_filter_dir *dir)
{
	bloom_control *control = NULL;
	uint64_t generation;

	if (bloom_segment_control(dir->segment, dir->name, false, &control, NULL) != BLOOM_OK) {
		return false;
	}
	generation = bloom_load_acquire(&control->generation);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	return generation != BLOOM_GENERATION_NONE && generation != BLOOM_GENERATION_DROPPED;
}

/* Removes a filter of another layout if it no longer exists, or if other_layouts.h says that it may
 * be removed. The caller holds the filter's lock. */
static void sweep_other_layout(const bloom_filter_dir *dir)
{
	bool is_idle = !may_be_in_use(dir) && is_served_here(dir);
	bloom_control *control = NULL;
	bloom_status status = bloom_control_map(dir, &control, NULL, NULL);
	bool is_over = status == BLOOM_E_NOT_FOUND;

	if (status == BLOOM_OK) {
		is_over = bloom_use_of(control).generation == BLOOM_GENERATION_DROPPED ||
			bloom_control_is_expired(control) ||
			(is_idle && bloom_kind_is_copy(bloom_load_relaxed(&control->kind)));
		/* A process that maps the filter at this moment notices that it is dropped. */
		if (is_over) {
			bloom_store_release(&control->generation, BLOOM_GENERATION_DROPPED);
		}
		bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	}
	if (is_over) {
		(void)bloom_tidy_remove_filter(dir, NULL);
	}
}

static bool sweep_filter(void *context, const char *entry)
{
	bloom_filter_dir *dir = context;
	char name[BLOOM_NAME_BYTES_MAX + 1];
	uint64_t layout;

	if (!bloom_entry_parse(entry, name, &layout)) {
		return true;
	}
	bloom_filter_dir_name(dir, name, layout);
	if (bloom_directory_open_at(dir->segment_handle, entry, false, dir->owner, &dir->handle,
		    NULL) == BLOOM_OK) {
		if (bloom_filter_dir_try_lock(dir)) {
			if (layout == BLOOM_CONTROL_LAYOUT) {
				tidy_locked(dir);
			} else {
				sweep_other_layout(dir);
			}
			bloom_filter_dir_unlock(dir);
		}
		bloom_close(&dir->handle);
	}
	return true;
}

static bool discard_removed(void *context, const char *name)
{
	size_t bytes = strlen(name), suffix_bytes = strlen(BLOOM_REMOVED_SUFFIX);

	if (bytes > suffix_bytes &&
		strcmp(name + bytes - suffix_bytes, BLOOM_REMOVED_SUFFIX) == 0) {
		bloom_file_discard(*(const int *)context, name);
	}
	return true;
}

void bloom_segment_sweep(const bloom_segment *segment)
{
	bloom_filter_dir dir = {.segment = segment, .segment_handle = -1, .handle = -1, .lock = -1};
	int internal = -1;

	if (bloom_segment_open(segment, false, &dir.segment_handle, &dir.owner, NULL) != BLOOM_OK) {
		return;
	}
	(void)bloom_directory_each(dir.segment_handle, sweep_filter, &dir, NULL);
	if (bloom_filter_dir_open_internal(&dir, &internal, NULL) == BLOOM_OK) {
		(void)bloom_directory_each(internal, discard_removed, &internal, NULL);
		bloom_close(&internal);
	}
	bloom_filter_dir_close(&dir);
}

bool bloom_segment_sweep_if_full(const bloom_segment *segment, bloom_status status)
{
	if (status != BLOOM_E_LIMIT && status != BLOOM_E_SPACE) {
		return false;
	}
	bloom_segment_sweep(segment);
	return true;
}

/* Returns true for one process per hour, which stores the time of its sweep. A time after the
 * present was stored before the last boot, so it delays nothing. */
static bool is_due(uint64_t *swept_ms)
{
	enum { PERIOD_MS = 3600 * 1000 };
	uint64_t now = bloom_uptime_ms(), then = bloom_load_relaxed(swept_ms);

	return bloom_clock_elapsed_ms(now, then) >= PERIOD_MS &&
		bloom_compare_swap(swept_ms, then, now);
}

void bloom_segment_sweep_if_due(const bloom_filter_dir *dir)
{
	unsigned char *map = NULL;
	uint64_t bytes = 0;
	int internal = -1, file = -1;
	bool is_now = false;

	if (bloom_filter_dir_open_internal(dir, &internal, NULL) == BLOOM_OK &&
		bloom_internal_file_open(internal, BLOOM_SWEPT_NAME, dir->owner, &file, NULL) ==
			BLOOM_OK &&
		bloom_open_file_bytes(file, &bytes, NULL) == BLOOM_OK &&
		(bytes >= sizeof(uint64_t) ||
			bloom_file_allocate(file, 0, sizeof(uint64_t), NULL) == BLOOM_OK) &&
		bloom_file_check_holes(file, BLOOM_SWEPT_NAME, NULL) == BLOOM_OK &&
		bloom_map(file, sizeof(uint64_t), true, &map, NULL) == BLOOM_OK) {
		is_now = is_due((uint64_t *)(void *)map);
		bloom_unmap(map, sizeof(uint64_t));
	}
	bloom_close(&file);
	bloom_close(&internal);
	if (is_now) {
		bloom_segment_sweep(dir->segment);
	}
}

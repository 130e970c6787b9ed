#include "segment/tidy.h"

#include <string.h>

#include "os/lock.h"
#include "os/mapping.h"
#include "segment/memory_account.h"
#include "segment/control_file.h"
#include "segment/busy_file.h"

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
	if (bloom_account_remove(tidy->dir, name, NULL) != BLOOM_OK) {
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
	status = bloom_account_remove(dir, BLOOM_CONTROL_NAME, error);
	if (status == BLOOM_OK) {
		status = bloom_directory_remove(dir->segment_handle, dir->name, error);
	}
	return status == BLOOM_OK && !is_tidy ? bloom_fail(error, BLOOM_E_BUSY, 0, "%s", dir->name)
					      : status;
}

/* Removes the files that are not in use according to the control page. The caller holds the
 * filter's lock. A page with a different layout belongs to a different build, which cleans up its
 * own files. Returns false if a file may remain. */
static bool tidy_locked(const bloom_filter_dir *dir)
{
	bloom_error detail;
	bloom_control *control = NULL;
	bloom_status status = bloom_control_map(dir, &control, NULL, &detail);
	bloom_use use = {.generation = BLOOM_GENERATION_NONE};

	if (status == BLOOM_OK) {
		use = bloom_use_of(control);
		bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	}
	if (use.generation == BLOOM_GENERATION_DROPPED || status == BLOOM_E_NOT_FOUND) {
		/* The filter was dropped, was never loaded, or is from before a reboot. If another
		 * process is staging a file, the directory is not empty and is kept. */
		return bloom_tidy_remove_filter(dir, NULL) == BLOOM_OK;
	}
	return status == BLOOM_OK ? bloom_tidy_filter(dir, use, NULL)
				  : !bloom_is_inconclusive(status, &detail);
}

/* Tidies the filter that an orphaned busy file names. Returns false if the busy file must be kept,
 * for example because another writer holds the filter's lock. */
static bool tidy_filter(void *context, const char *name)
{
	bloom_filter_dir dir = *(const bloom_filter_dir *)context;
	bloom_status status;
	bool is_done;

	dir.name = name;
	dir.lock = -1;
	status = bloom_directory_open_at(
		dir.segment_handle, name, false, dir.owner, &dir.handle, NULL);
	if (status != BLOOM_OK) {
		return status == BLOOM_E_NOT_FOUND;
	}
	is_done = bloom_filter_dir_try_lock(&dir);
	if (is_done) {
		is_done = tidy_locked(&dir);
		bloom_filter_dir_unlock(&dir);
	}
	bloom_close(&dir.handle);
	return is_done;
}

void bloom_segment_tidy(const bloom_filter_dir *dir)
{
	enum { FILTERS_MAX = 16 }; /* bounds the cost of one call; later writers do the rest */
	bloom_filter_dir context = *dir;

	bloom_busy_file_each_orphan(dir, FILTERS_MAX, tidy_filter, &context);
}

#include "segment/drop.h"

#include "os/mapping.h"
#include "segment/control_file.h"
#include "segment/other_layouts.h"
#include "segment/tidy.h"

/* Returns true if readers may still be watching a control page that could not be opened to say that
 * it is dropped. A damaged page is removed anyway: its readers keep their mapping until a filter
 * with that name is created again. */
static bool may_be_watched(bloom_status status)
{
	return status == BLOOM_E_SYSTEM || status == BLOOM_E_MEMORY;
}

/* Which filter is to be dropped. */
typedef struct wanted {
	uint32_t kinds;  /* the sum of 1 << kind, or BLOOM_KINDS_ANY */
	bool is_expired; /* only if its time to live has ended; does not wait for other writers */
} wanted;

/* Checks that a control page has one of the expected kinds, if it has a generation. */
static bloom_status check_kind(const bloom_filter_dir *dir, const bloom_control *control,
	uint32_t kinds, bloom_error *error)
{
	uint64_t served = bloom_load_acquire(&control->generation);
	bloom_kind found = bloom_kind_of(
		bloom_load_relaxed(&control->kind), bloom_load_relaxed(&control->groups));
	unsigned expected = 0;

	if (served == BLOOM_GENERATION_NONE || served == BLOOM_GENERATION_DROPPED ||
		(kinds >> found & 1) != 0) {
		return BLOOM_OK;
	}
	while (expected < BLOOM_KIND_COUNT && (kinds >> expected & 1) == 0) {
		expected++;
	}
	return bloom_fail_kind(error, dir->name, bloom_kind_text(found), bloom_kind_text(expected));
}

/* Stores in the page that it is dropped before the files are removed. Otherwise readers that watch
 * the page would continue to answer from the removed filter. The caller holds the filter's lock. */
static bloom_status store_dropped(
	const bloom_filter_dir *dir, const wanted *which, uint64_t *served, bloom_error *error)
{
	bloom_control *control = NULL;
	bloom_status status = bloom_control_map(dir, &control, NULL, error);

	*served = BLOOM_GENERATION_NONE;
	if (status != BLOOM_OK) {
		return status;
	}
	status = which->is_expired && !bloom_control_is_expired(control)
		? BLOOM_E_OVERTAKEN
		: check_kind(dir, control, which->kinds, error);
	if (status == BLOOM_OK) {
		*served = bloom_load_acquire(&control->generation);
		bloom_store_release(&control->generation, BLOOM_GENERATION_DROPPED);
	}
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	return status;
}

/* Drops the filter in an open directory, and closes the directory's lock. */
static bloom_status drop_here(
	bloom_filter_dir *dir, const wanted *which, bool *existed, bloom_error *error)
{
	uint64_t served = BLOOM_GENERATION_NONE;
	bloom_status status = !which->is_expired ? bloom_filter_dir_lock(dir, error)
		: bloom_filter_dir_try_lock(dir) ? BLOOM_OK
						 : BLOOM_E_BUSY;

	if (status != BLOOM_OK) {
		return status == BLOOM_E_GONE ? BLOOM_OK : status;
	}
	status = store_dropped(dir, which, &served, error);
	if (status == BLOOM_OK || status == BLOOM_E_NOT_FOUND ||
		(which->kinds == BLOOM_KINDS_ANY && !which->is_expired &&
			!may_be_watched(status))) {
		status = bloom_tidy_remove_filter(dir, error);
		/* The filter is dropped, even if a file remains that processes use. */
		status = status == BLOOM_E_BUSY ? BLOOM_OK : status;
	}
	bloom_filter_dir_unlock(dir);
	if (status == BLOOM_E_KIND || status == BLOOM_E_OVERTAKEN) {
		return status;
	}
	if (status != BLOOM_OK) {
		return bloom_fail_at(dir, status, error);
	}
	*existed =
		*existed || (served != BLOOM_GENERATION_NONE && served != BLOOM_GENERATION_DROPPED);
	return BLOOM_OK;
}

typedef struct dropping {
	const wanted *which;
	bool *existed;
	bloom_status status;
	bloom_error *error;
} dropping;

static bool drop_other(void *context, bloom_filter_dir *dir)
{
	dropping *it = context;

	it->status = drop_here(dir, it->which, it->existed, it->error);
	return it->status == BLOOM_OK;
}

static bloom_status drop(const bloom_segment *segment, const char *name, const wanted *which,
	bool *existed, bloom_error *error)
{
	bloom_error local;
	bloom_error *detail = error != NULL ? error : &local;
	dropping others = {.which = which, .existed = existed, .error = detail};
	bloom_status status;
	bloom_filter_dir dir;

	*existed = false;
	status = bloom_filter_dir_open(segment, name, false, &dir, detail);
	if (status == BLOOM_OK) {
		status = drop_here(&dir, which, existed, detail);
		bloom_filter_dir_close(&dir);
	}
	/* Only a sweep removes an expired filter of another layout. */
	if ((status == BLOOM_OK || status == BLOOM_E_NOT_FOUND) && !which->is_expired) {
		status = bloom_other_layouts_each(segment, name, drop_other, &others, detail);
		status = status == BLOOM_OK ? others.status : status;
	}
	return status == BLOOM_E_NOT_FOUND ? BLOOM_OK : status;
}

bloom_status bloom_segment_drop(
	const bloom_segment *segment, const char *name, bool *existed, bloom_error *error)
{
	const wanted any = {.kinds = BLOOM_KINDS_ANY};

	return drop(segment, name, &any, existed, error);
}

bloom_status bloom_segment_drop_kind(const bloom_segment *segment, const char *name, uint32_t kinds,
	bool *existed, bloom_error *error)
{
	const wanted some = {.kinds = kinds};

	return drop(segment, name, &some, existed, error);
}

void bloom_segment_drop_expired(const bloom_segment *segment, const char *name)
{
	const wanted expired = {.kinds = BLOOM_KINDS_ANY, .is_expired = true};
	bloom_control *control = NULL;
	bool is_expired, existed;

	if (bloom_segment_control(segment, name, false, &control, NULL) != BLOOM_OK) {
		return;
	}
	is_expired = bloom_control_is_expired(control);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	if (is_expired) {
		(void)drop(segment, name, &expired, &existed, NULL);
	}
}

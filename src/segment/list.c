#include "segment/list.h"

#include <string.h>

#include "os/mapping.h"
#include "segment/control_file.h"
#include "segment/drop.h"

typedef struct foreign_listing {
	bloom_visit visit;
	void *context;
} foreign_listing;

static bool visit_if_foreign(void *context, const char *name)
{
	const foreign_listing *listing = context;
	bool is_own = bloom_generation_of(name) != 0 || bloom_additions_of(name) != 0 ||
		bloom_is_stage_name(name) || strcmp(name, BLOOM_CONTROL_NAME) == 0 ||
		strcmp(name, BLOOM_LOCKS_NAME) == 0;

	return is_own || listing->visit(listing->context, name);
}

bloom_status bloom_segment_each_foreign(const bloom_segment *segment, const char *name,
	bloom_visit visit, void *context, bloom_error *error)
{
	foreign_listing listing = {.visit = visit, .context = context};
	bloom_filter_dir dir;
	bloom_status status = bloom_filter_dir_open(segment, name, false, &dir, error);

	if (status == BLOOM_OK) {
		status = bloom_directory_each(dir.handle, visit_if_foreign, &listing, error);
		bloom_filter_dir_close(&dir);
	}
	return status;
}

typedef struct filter_listing {
	bloom_filter_dir dir;
	bloom_visit visit;
	void *context;
	bloom_status status;
	bloom_error *error;
} filter_listing;

static bool list_entry(void *context, const char *entry)
{
	filter_listing *listing = context;
	char name[BLOOM_NAME_BYTES_MAX + 1];
	bloom_control *control = NULL;
	bloom_status status;
	uint64_t generation, layout;
	bool is_expired;

	if (!bloom_entry_parse(entry, name, &layout) || layout != BLOOM_CONTROL_LAYOUT) {
		return true;
	}
	bloom_filter_dir_name(&listing->dir, name, layout);
	status = bloom_directory_open_at(listing->dir.segment_handle, entry, false,
		listing->dir.owner, &listing->dir.handle, listing->error);
	if (status == BLOOM_OK) {
		status = bloom_control_map(&listing->dir, &control, NULL, listing->error);
		bloom_close(&listing->dir.handle);
	}
	if (status == BLOOM_E_CONTROL) {
		return listing->visit(listing->context, name);
	}
	if (status != BLOOM_OK) {
		listing->status = bloom_is_inconclusive(status, listing->error) ? status : BLOOM_OK;
		return listing->status == BLOOM_OK;
	}
	generation = bloom_load_acquire(&control->generation);
	is_expired = bloom_control_is_expired(control);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	if (is_expired) {
		bloom_segment_drop_expired(listing->dir.segment, name);
		return true;
	}
	if (generation == BLOOM_GENERATION_NONE || generation == BLOOM_GENERATION_DROPPED) {
		return true;
	}
	return listing->visit(listing->context, name);
}

bloom_status bloom_segment_each(
	const bloom_segment *segment, bloom_visit visit, void *context, bloom_error *error)
{
	bloom_error local;
	filter_listing listing = {
		.dir = {.segment = segment, .segment_handle = -1, .handle = -1, .lock = -1},
		.visit = visit,
		.context = context,
		.error = error != NULL ? error : &local};
	bloom_status status = bloom_segment_open(
		segment, false, &listing.dir.segment_handle, &listing.dir.owner, listing.error);

	if (status == BLOOM_E_NOT_FOUND) {
		return BLOOM_OK;
	}
	if (status == BLOOM_OK) {
		status = bloom_directory_each(
			listing.dir.segment_handle, list_entry, &listing, listing.error);
		bloom_close(&listing.dir.segment_handle);
	}
	return listing.status != BLOOM_OK ? listing.status : status;
}

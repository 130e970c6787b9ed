#include "segment/list.h"

#include <string.h>

#include "os/mapping.h"
#include "segment/control_file.h"
#include "segment/drop.h"

typedef struct foreigners {
	bloom_visit visit;
	void *context;
} foreigners;

static bool visit_if_foreign(void *context, const char *name)
{
	const foreigners *work = context;
	bool is_own = bloom_generation_of(name) != 0 || bloom_additions_of(name) != 0 ||
		bloom_is_stage_name(name) || strcmp(name, BLOOM_CONTROL_NAME) == 0 ||
		strcmp(name, BLOOM_LOCKS_NAME) == 0;

	return is_own || work->visit(work->context, name);
}

bloom_status bloom_segment_each_foreign(const bloom_segment *segment, const char *name,
	bloom_visit visit, void *context, bloom_error *error)
{
	foreigners work = {.visit = visit, .context = context};
	bloom_filter_dir dir;
	bloom_status status = bloom_filter_dir_open(segment, name, false, &dir, error);

	if (status == BLOOM_OK) {
		status = bloom_directory_each(dir.handle, visit_if_foreign, &work, error);
		bloom_filter_dir_close(&dir);
	}
	return status;
}

typedef struct listing {
	bloom_filter_dir dir;
	bloom_visit visit;
	void *context;
	bloom_status status;
	bloom_error *error;
} listing;

static bool list_entry(void *context, const char *name)
{
	listing *work = context;
	bloom_control *control = NULL;
	bloom_status status;
	uint64_t generation;
	bool is_expired;

	if (bloom_name_check(name, strlen(name), NULL) != BLOOM_OK) {
		return true;
	}
	status = bloom_directory_open_at(work->dir.segment_handle, name, false, work->dir.owner,
		&work->dir.handle, work->error);
	if (status == BLOOM_OK) {
		status = bloom_control_map(&work->dir, &control, NULL, work->error);
		bloom_close(&work->dir.handle);
	}
	if (status == BLOOM_E_CONTROL || status == BLOOM_E_CONTROL_VERSION) {
		return work->visit(work->context, name);
	}
	if (status != BLOOM_OK) {
		work->status = bloom_is_inconclusive(status, work->error) ? status : BLOOM_OK;
		return work->status == BLOOM_OK;
	}
	generation = bloom_load_acquire(&control->generation);
	is_expired = bloom_control_is_expired(control);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	if (is_expired) {
		bloom_segment_drop_expired(work->dir.segment, name);
		return true;
	}
	if (generation == BLOOM_GENERATION_NONE || generation == BLOOM_GENERATION_DROPPED) {
		return true;
	}
	return work->visit(work->context, name);
}

bloom_status bloom_segment_each(
	const bloom_segment *segment, bloom_visit visit, void *context, bloom_error *error)
{
	bloom_error local;
	listing work = {.dir = {.segment = segment, .segment_handle = -1, .handle = -1, .lock = -1},
		.visit = visit,
		.context = context,
		.error = error != NULL ? error : &local};
	bloom_status status = bloom_segment_open(
		segment, false, &work.dir.segment_handle, &work.dir.owner, work.error);

	if (status == BLOOM_E_NOT_FOUND) {
		return BLOOM_OK;
	}
	if (status == BLOOM_OK) {
		status = bloom_directory_each(
			work.dir.segment_handle, list_entry, &work, work.error);
		bloom_close(&work.dir.segment_handle);
	}
	return work.status != BLOOM_OK ? work.status : status;
}

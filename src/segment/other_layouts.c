#include "segment/other_layouts.h"

#include <string.h>

#include "os/mapping.h"
#include "segment/control_file.h"

typedef struct others {
	bloom_filter_dir dir;
	const char *name;
	bloom_other_visit visit;
	void *context;
	bloom_status status;
	bloom_error *error;
} others;

static bool visit_entry(void *context, const char *entry)
{
	others *it = context;
	char name[BLOOM_NAME_BYTES_MAX + 1];
	bloom_status status;
	uint64_t layout;
	bool goes_on;

	if (!bloom_entry_parse(entry, name, &layout) || layout == BLOOM_CONTROL_LAYOUT ||
		strcmp(name, it->name) != 0) {
		return true;
	}
	bloom_filter_dir_name(&it->dir, name, layout);
	status = bloom_directory_open_at(
		it->dir.segment_handle, entry, false, it->dir.owner, &it->dir.handle, it->error);
	if (status != BLOOM_OK) {
		it->status = status == BLOOM_E_NOT_FOUND
			? BLOOM_OK
			: bloom_fail_at(&it->dir, status, it->error);
		return it->status == BLOOM_OK;
	}
	goes_on = it->visit(it->context, &it->dir);
	bloom_close(&it->dir.handle);
	return goes_on;
}

bloom_status bloom_other_layouts_each(const bloom_segment *segment, const char *name,
	bloom_other_visit visit, void *context, bloom_error *error)
{
	bloom_error detail;
	others it = {.dir = {.segment = segment, .segment_handle = -1, .handle = -1, .lock = -1},
		.name = name,
		.visit = visit,
		.context = context,
		.error = &detail};
	bloom_status status =
		bloom_segment_open(segment, false, &it.dir.segment_handle, &it.dir.owner, &detail);

	if (status == BLOOM_E_NOT_FOUND) {
		return BLOOM_OK;
	}
	if (status == BLOOM_OK) {
		status = bloom_directory_each(it.dir.segment_handle, visit_entry, &it, &detail);
		bloom_close(&it.dir.segment_handle);
	}
	status = it.status != BLOOM_OK ? it.status : status;
	if (status != BLOOM_OK && error != NULL) {
		*error = detail;
	}
	return status;
}

typedef struct checking {
	bloom_kind kind;
	bool locks;
	bloom_status status;
	bloom_error *error;
} checking;

/* Waits for a writer of the other layout, which may be creating the filter at this moment. If both
 * wait for each other, the build with the higher layout gives up first. */
static bloom_status lock(bloom_filter_dir *dir, bloom_error *error)
{
	uint64_t timeout_ms = dir->segment->lock_timeout_ms;
	bloom_status status = bloom_filter_dir_lock_within(
		dir, dir->layout > BLOOM_CONTROL_LAYOUT ? timeout_ms : timeout_ms / 2, error);

	return status == BLOOM_E_GONE ? BLOOM_OK : status;
}

/* Checks that the filter in the directory, if any, leaves its name to a filter of this kind. */
static bloom_status look(const bloom_filter_dir *dir, bloom_kind kind, bloom_error *error)
{
	bloom_control *control = NULL;
	bloom_status status = bloom_control_map(dir, &control, NULL, error);
	uint64_t generation, found, groups;
	bloom_error inner;
	bool is_expired;

	if (status == BLOOM_E_NOT_FOUND) {
		return BLOOM_OK;
	}
	if (status != BLOOM_OK) {
		inner = *error;
		return bloom_fail(
			error, status, inner.os_error, "%s/%s", dir->entry, inner.subject);
	}
	generation = bloom_load_acquire(&control->generation);
	found = bloom_load_relaxed(&control->kind);
	groups = bloom_load_relaxed(&control->groups);
	is_expired = bloom_control_is_expired(control);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	if (generation == BLOOM_GENERATION_NONE || generation == BLOOM_GENERATION_DROPPED ||
		is_expired) {
		return BLOOM_OK;
	}
	if (!bloom_kind_is_copy(found)) {
		return bloom_fail(error, BLOOM_E_OTHER_VERSION, 0, "%s", dir->entry);
	}
	return bloom_kind_is_copy(bloom_kind_stored(kind))
		? BLOOM_OK
		: bloom_fail_kind(error, dir->entry, bloom_kind_text(bloom_kind_of(found, groups)),
			  bloom_kind_text(kind));
}

static bool check_other(void *context, bloom_filter_dir *dir)
{
	checking *it = context;
	bloom_error detail;

	it->status = it->locks ? lock(dir, &detail) : BLOOM_OK;
	if (it->status == BLOOM_OK) {
		it->status = look(dir, it->kind, &detail);
	}
	bloom_filter_dir_unlock(dir);
	if (it->status != BLOOM_OK && it->error != NULL) {
		*it->error = detail;
	}
	return it->status == BLOOM_OK;
}

bloom_status bloom_other_layouts_check(const bloom_segment *segment, const char *name,
	bloom_kind kind, bool locks, bloom_error *error)
{
	checking it = {.kind = kind, .locks = locks, .error = error};
	bloom_status status = bloom_other_layouts_each(segment, name, check_other, &it, error);

	return status == BLOOM_OK ? it.status : status;
}

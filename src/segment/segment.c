#include "segment/segment.h"

#include <stdio.h>
#include <string.h>

#include "segment/account.h"
#include "os/clock.h"
#include "os/lock.h"
#include "os/mapping.h"
#include "segment/marker.h"

/* ---- the control page ---- */

static bloom_status open_control(const bloom_segment *segment, const char *name, bool create,
	bloom_control **control, bloom_error *detail)
{
	bloom_marker marker = {0};
	bloom_status status;
	bloom_place place;

	status = bloom_place_open(segment, name, create, &place, detail);
	if (status != BLOOM_OK) {
		return status;
	}
	status = bloom_place_control(&place, control, NULL, detail);
	if (create && (status == BLOOM_E_NOT_FOUND || status == BLOOM_E_CONTROL)) {
		status = bloom_marker_begin(&place, &marker, detail);
		if (status == BLOOM_OK) {
			status = bloom_place_lock(&place, detail);
		}
		if (status == BLOOM_OK) {
			status = bloom_place_ensure_control(&place, control, detail);
		}
		bloom_marker_end(&place, &marker);
	}
	bloom_place_close(&place);
	return status == BLOOM_OK ? BLOOM_OK : bloom_fail_at(&place, status, detail);
}

bloom_status bloom_segment_control(const bloom_segment *segment, const char *name, bool create,
	bloom_control **control, bloom_error *error)
{
	enum { TRIES_MAX = 10 };
	bloom_error local;
	bloom_error *detail = error != NULL ? error : &local;
	bloom_status status;
	int i = 0;

	/* A drop may take the directory away between two of our calls: then it is made again. */
	do {
		status = open_control(segment, name, create, control, detail);
	} while (create && (status == BLOOM_E_NOT_FOUND || status == BLOOM_E_GONE) &&
		++i < TRIES_MAX);
	return status;
}

/* ---- tidying ---- */

/* The number in a generation file's name; 0 when it is none. */
static uint64_t generation_of(const char *name)
{
	char canonical[BLOOM_FILE_NAME_MAX];
	unsigned long long generation = 0;

	if (sscanf(name, "%16llx.bloom", &generation) != 1) {
		return 0;
	}
	bloom_generation_name(generation, canonical);
	return strcmp(canonical, name) == 0 ? generation : 0;
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t name_bytes = strlen(name), suffix_bytes = strlen(suffix);

	return name_bytes > suffix_bytes && strcmp(name + name_bytes - suffix_bytes, suffix) == 0;
}

/* What of a filter's files is in use, by its control page. */
typedef struct bloom_use {
	uint64_t generation;
	bool overlay;
} bloom_use;

static bloom_use use_of(const bloom_control *control)
{
	return (bloom_use){
		.generation = bloom_load_acquire(&control->generation),
		.overlay = bloom_load_relaxed(&control->overlay_from) != 0,
	};
}

typedef struct tidying {
	const bloom_place *place;
	bloom_use use;
	uint64_t highest; /* seen in a file name */
	bool is_partial;  /* something could not be looked at, or removed */
} tidying;

/* Whether an entry could not be looked at for a reason that is not its own, so that nothing is known of it. One that
 * is not ours, or went meanwhile, is passed over. */
static bool is_inconclusive(bloom_status status, const bloom_error *detail)
{
	return status == BLOOM_E_MEMORY || status == BLOOM_E_SPACE ||
		(status == BLOOM_E_SYSTEM && !bloom_is_permission_error(detail->os_error));
}

static void remove_leftover(tidying *work, const char *name)
{
	if (bloom_account_remove(work->place, name, NULL) != BLOOM_OK) {
		work->is_partial = true;
	}
}

/* A .tmp whose lock can be had belongs to a process that died. */
static void remove_if_abandoned(tidying *work, const char *name)
{
	const bloom_place *place = work->place;
	uint64_t bytes;
	bloom_error detail;
	int file = -1;
	bloom_status status = bloom_file_open(
		place->directory, name, false, place->owner, &file, &bytes, &detail);

	if (status != BLOOM_OK) {
		/* Not ours, in our directory: root was killed before it handed the file over. One that
		 * lives sees that its file lost its name, and makes another. One that only could not be
		 * place now may be a living writer's. */
		if (is_inconclusive(status, &detail)) {
			work->is_partial = true;
		} else {
			remove_leftover(work, name);
		}
		return;
	}
	if (bloom_lock(file, 0, NULL) == BLOOM_OK) {
		remove_leftover(work, name);
	}
	bloom_close(&file);
}

static bool tidy_entry(void *context, const char *name)
{
	tidying *work = context;
	uint64_t generation = generation_of(name);

	if (generation > work->highest && generation < BLOOM_GENERATION_MAX) {
		work->highest = generation;
	}
	if ((generation != 0 && generation != work->use.generation) ||
		(strcmp(name, BLOOM_OVERLAY_NAME) == 0 && !work->use.overlay)) {
		remove_leftover(work, name);
	} else if (has_suffix(name, ".tmp")) {
		remove_if_abandoned(work, name);
	}
	return true;
}

/* Removes what is not in use: generations but the served one, and files of dead writers. Under the
 * filter's lock.
 *
 *   *highest  NULL, or where the highest generation is stored that a file is named by
 *
 * False: something may be left.
 */
static bool tidy(const bloom_place *place, bloom_use use, uint64_t *highest)
{
	tidying work = {.place = place, .use = use};
	bloom_status status = bloom_directory_each(place->directory, tidy_entry, &work, NULL);

	if (highest != NULL) {
		*highest = work.highest;
	}
	return status == BLOOM_OK && !work.is_partial;
}

/* Removes a filter's directory and all that is ours in it. Under its lock. */
static bloom_status remove_filter(const bloom_place *place, bloom_error *error)
{
	bloom_status status;

	(void)tidy(place, (bloom_use){.generation = BLOOM_GENERATION_NONE}, NULL);
	status = bloom_account_remove(place, BLOOM_CONTROL_NAME, error);
	if (status == BLOOM_OK) {
		status = bloom_directory_remove(place->segment_directory, place->name, error);
	}
	return status;
}

/* What is left in a filter's directory, by its control page. A page of another layout is another
 * build's business. Under the filter's lock.  False: something may be left. */
static bool tidy_locked(const bloom_place *place)
{
	bloom_error detail;
	bloom_control *control = NULL;
	bloom_status status = bloom_place_control(place, &control, NULL, &detail);
	bloom_use use = {.generation = BLOOM_GENERATION_NONE};
	bool is_tidy;

	if (status == BLOOM_OK) {
		use = use_of(control);
		bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	}
	if (use.generation == BLOOM_GENERATION_DROPPED || status == BLOOM_E_NOT_FOUND) {
		/* Dropped, never loaded, or of another boot. The directory stays if somebody is writing there. */
		is_tidy = tidy(place, (bloom_use){.generation = BLOOM_GENERATION_NONE}, NULL);
		return remove_filter(place, NULL) == BLOOM_OK && is_tidy;
	}
	return status == BLOOM_OK ? tidy(place, use, NULL) : !is_inconclusive(status, &detail);
}

/* Tidies the filter of a marker. False: somebody is at work there, so it is left for later. */
static bool tidy_filter(void *context, const char *name)
{
	bloom_place place = *(const bloom_place *)context;
	bloom_status status;
	bool is_done;

	place.name = name;
	place.lock = -1;
	status = bloom_directory_open_at(
		place.segment_directory, name, false, place.owner, &place.directory, NULL);
	if (status != BLOOM_OK) {
		return status == BLOOM_E_NOT_FOUND;
	}
	is_done = bloom_place_try_lock(&place);
	if (is_done) {
		is_done = tidy_locked(&place);
		bloom_place_unlock(&place);
	}
	bloom_close(&place.directory);
	return is_done;
}

void bloom_segment_tidy(const bloom_place *place)
{
	enum { FILTERS_MAX = 16 };
	bloom_place context = *place;

	bloom_marker_each_orphan(place, FILTERS_MAX, tidy_filter, &context);
}

/* ---- switching ---- */

const char *bloom_kind_text(uint64_t kind, uint64_t groups)
{
	static const char *const texts[BLOOM_KIND_COUNT] = {
		[BLOOM_KIND_LOADED] = "a loaded filter",
		[BLOOM_KIND_LIVE] = "a live filter",
		[BLOOM_KIND_COUNTING] = "a counting filter",
		[BLOOM_KIND_SCALABLE] = "a scalable filter",
		[BLOOM_KIND_SLIDING] = "a sliding filter",
		[BLOOM_KIND_REVERSE] = "a live reverse index",
		[BLOOM_KIND_ON_DEMAND] = "an on-demand filter",
	};

	if (kind == BLOOM_KIND_LOADED && groups != 0) {
		return "a loaded reverse index";
	}
	return kind < BLOOM_KIND_COUNT ? texts[kind] : "a filter of unknown kind";
}

bloom_status bloom_fail_kind(
	bloom_error *error, const char *name, const char *found, const char *expected)
{
	return bloom_fail(error, BLOOM_E_KIND, 0, "%.60s%sexpected %s, found %s",
		name != NULL ? name : "", name != NULL ? ": " : "", expected, found);
}

/* Whether what is served now may give way to a generation of that kind. */
static bloom_status check_switch(const bloom_place *place, const bloom_control *control,
	bloom_kind kind, uint64_t groups, uint64_t expected, bloom_error *error)
{
	uint64_t served = bloom_load_acquire(&control->generation);
	uint64_t served_kind = bloom_load_relaxed(&control->kind);
	uint64_t served_groups = bloom_load_relaxed(&control->groups);

	if (expected != BLOOM_GENERATION_ANY && served != expected) {
		return bloom_fail(error, BLOOM_E_OVERTAKEN, 0, "%s", place->name);
	}
	if (served != BLOOM_GENERATION_NONE &&
		(served_kind != (uint64_t)kind || (served_groups != 0) != (groups != 0))) {
		return bloom_fail_kind(error, NULL, bloom_kind_text(served_kind, served_groups),
			bloom_kind_text(kind, groups));
	}
	return BLOOM_OK;
}

/* Tidies, and gives the number after all that are in use. Under the lock. */
static bloom_status next_number(
	const bloom_place *place, bloom_use use, uint64_t *next, bloom_error *error)
{
	uint64_t highest = 0, last;

	(void)tidy(place, use, &highest);
	last = highest > use.generation ? highest : use.generation;

	/* A page that was damaged a moment ago: no reader would believe the number after it. */
	if (last >= BLOOM_GENERATION_MAX) {
		return bloom_fail(error, BLOOM_E_CONTROL, 0, BLOOM_CONTROL_NAME);
	}
	*next = last + 1;
	return BLOOM_OK;
}

/* The switch itself, which is one store. */
static bloom_status switch_to(const bloom_place *place, bloom_control *control,
	const char *staged_name, bloom_kind kind, uint64_t groups, uint64_t *generation,
	bloom_error *error)
{
	bloom_use use = use_of(control);
	char name[BLOOM_FILE_NAME_MAX];
	uint64_t next = 0;
	bloom_status status = next_number(place, use, &next, error);

	if (status != BLOOM_OK) {
		return status;
	}
	bloom_generation_name(next, name);
	status = bloom_file_rename(place->directory, staged_name, name, error);
	if (status == BLOOM_OK) {
		bloom_store_relaxed(&control->kind, (uint64_t)kind);
		bloom_store_relaxed(&control->groups, groups);
		bloom_store_relaxed(&control->loaded_ms, bloom_clock_ms());
		bloom_increment(&control->loads);
		bloom_store_release(&control->generation, next); /* the switch */
		use.generation = next;
		(void)tidy(place, use, NULL);
		*generation = next;
	}
	return status;
}

bloom_status bloom_segment_switch(const bloom_place *place, const char *staged_name,
	bloom_kind kind, uint64_t groups, uint64_t expected, uint64_t *generation,
	bloom_error *error)
{
	bloom_control *control = NULL;
	bloom_status status = bloom_place_ensure_control(place, &control, error);

	if (status != BLOOM_OK) {
		return status;
	}
	status = check_switch(place, control, kind, groups, expected, error);
	if (status == BLOOM_OK) {
		status = switch_to(place, control, staged_name, kind, groups, generation, error);
	}
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	return status;
}

bloom_status bloom_segment_install_overlay(
	const bloom_place *place, const char *staged_name, bloom_error *error)
{
	bloom_control *control = NULL;
	bloom_status status = bloom_place_ensure_control(place, &control, error);

	if (status != BLOOM_OK) {
		return status;
	}
	status = check_switch(place, control, BLOOM_KIND_LOADED, 0, BLOOM_GENERATION_ANY, error);
	if (status == BLOOM_OK && bloom_load_relaxed(&control->overlay_from) != 0) {
		status = bloom_fail(error, BLOOM_E_OVERTAKEN, 0, "%s", place->name);
	}
	if (status == BLOOM_OK) {
		status =
			bloom_file_rename(place->directory, staged_name, BLOOM_OVERLAY_NAME, error);
	}
	if (status == BLOOM_OK) {
		/* Who has mapped what is served now looks for an overlay only with the next one, and until
		 * then nobody may add to it. */
		bloom_store_release(
			&control->overlay_from, bloom_load_acquire(&control->generation) + 1);
	}
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	return status;
}

/* Whether the name still leads to the page `control`, and not to that of a filter made since. What is written to the one
 * is then read from the other. `withdrawn` means something only when it equals the generation, which no such number does. */
static bool is_same_page(const bloom_place *place, bloom_control *control)
{
	uint64_t before = bloom_load_relaxed(&control->withdrawn);
	uint64_t token = bloom_random() | ~BLOOM_GENERATION_MAX;
	bloom_control *named = NULL;
	bool is_same;

	if (bloom_place_control(place, &named, NULL, NULL) != BLOOM_OK) {
		return false;
	}
	bloom_store_relaxed(&control->withdrawn, token);
	is_same = bloom_load_relaxed(&named->withdrawn) == token;
	bloom_store_relaxed(&control->withdrawn, before);
	bloom_unmap((const unsigned char *)named, BLOOM_CONTROL_BYTES);
	return is_same;
}

bloom_status bloom_segment_withdraw(const bloom_segment *segment, const char *name,
	bloom_control *control, uint64_t generation, uint64_t *withdrawn, bloom_error *error)
{
	uint64_t next = 0;
	bloom_status status;
	bloom_place place;

	status = bloom_place_open(segment, name, false, &place, error);
	if (status != BLOOM_OK) {
		return status;
	}
	status = bloom_place_lock(&place, error);
	if (status == BLOOM_OK &&
		(bloom_load_acquire(&control->generation) != generation ||
			!is_same_page(&place, control))) {
		status = bloom_fail(error, BLOOM_E_OVERTAKEN, 0, "%s", name);
	}
	if (status == BLOOM_OK) {
		status = next_number(&place, use_of(control), &next, error);
	}
	if (status == BLOOM_OK) {
		bloom_store_relaxed(&control->withdrawn, next);
		bloom_store_release(&control->generation, next);
		*withdrawn = next;
	}
	bloom_place_close(&place);
	return status;
}

/* ---- the segment as a whole ---- */

/* Whether readers may be watching a control page that could not be marked, for this reason. */
static bool may_be_watched(bloom_status status)
{
	return status == BLOOM_E_CONTROL_VERSION || status == BLOOM_E_SYSTEM ||
		status == BLOOM_E_MEMORY;
}

bloom_status bloom_segment_drop(
	const bloom_segment *segment, const char *name, bool *existed, bloom_error *error)
{
	bloom_error local;
	bloom_error *detail = error != NULL ? error : &local;
	bloom_control *control = NULL;
	bloom_marker marker = {0};
	bloom_status status;
	uint64_t served;
	bloom_place place;

	status = bloom_place_open(segment, name, false, &place, detail);
	if (status == BLOOM_OK) {
		bloom_segment_tidy(&place);
		/* A full file system, which may have no room for it, is a reason to drop filters. */
		(void)bloom_marker_begin(&place, &marker, NULL);
		status = bloom_place_lock(&place, detail);
		if (status != BLOOM_OK) {
			bloom_marker_end(&place, &marker);
			bloom_place_close(&place);
		}
	}
	if (status == BLOOM_E_NOT_FOUND || status == BLOOM_E_GONE) {
		*existed = false;
		return BLOOM_OK;
	}
	if (status != BLOOM_OK) {
		return status;
	}
	served = BLOOM_GENERATION_NONE;
	/* Readers watch the page: unless it is marked it must not be removed. */
	status = bloom_place_control(&place, &control, NULL, detail);
	if (status == BLOOM_OK) {
		served = bloom_load_acquire(&control->generation);
		bloom_store_release(&control->generation, BLOOM_GENERATION_DROPPED);
		bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	}
	if (!may_be_watched(status)) {
		status = remove_filter(&place, detail);
	}
	bloom_marker_end(&place, &marker);
	bloom_place_close(&place);
	if (status != BLOOM_OK) {
		return bloom_fail_at(&place, status, detail);
	}
	*existed = served != BLOOM_GENERATION_NONE && served != BLOOM_GENERATION_DROPPED;
	return BLOOM_OK;
}

typedef struct listing {
	bloom_place place;
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

	if (bloom_name_check(name, strlen(name), NULL) != BLOOM_OK) {
		return true;
	}
	status = bloom_directory_open_at(work->place.segment_directory, name, false,
		work->place.owner, &work->place.directory, work->error);
	if (status == BLOOM_OK) {
		status = bloom_place_control(&work->place, &control, NULL, work->error);
		bloom_close(&work->place.directory);
	}
	if (status != BLOOM_OK) {
		work->status = is_inconclusive(status, work->error) ? status : BLOOM_OK;
		return work->status == BLOOM_OK;
	}
	generation = bloom_load_acquire(&control->generation);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	if (generation == BLOOM_GENERATION_NONE || generation == BLOOM_GENERATION_DROPPED) {
		return true;
	}
	return work->visit(work->context, name);
}

bloom_status bloom_segment_each(
	const bloom_segment *segment, bloom_visit visit, void *context, bloom_error *error)
{
	bloom_error local;
	listing work = {
		.place = {.segment = segment, .segment_directory = -1, .directory = -1, .lock = -1},
		.visit = visit,
		.context = context,
		.error = error != NULL ? error : &local};
	bloom_status status = bloom_segment_open(
		segment, false, &work.place.segment_directory, &work.place.owner, work.error);

	if (status == BLOOM_E_NOT_FOUND) {
		return BLOOM_OK;
	}
	if (status == BLOOM_OK) {
		status = bloom_directory_each(
			work.place.segment_directory, list_entry, &work, work.error);
		bloom_close(&work.place.segment_directory);
	}
	return work.status != BLOOM_OK ? work.status : status;
}

#include "segment/segment.h"

#include <stdio.h>
#include <string.h>

#include "segment/control_file.h"
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

	/* A concurrent drop may remove the directory between two steps. In that case this loop
	 * creates the directory again. */
	do {
		status = open_control(segment, name, create, control, detail);
	} while (create && (status == BLOOM_E_NOT_FOUND || status == BLOOM_E_GONE) &&
		++i < TRIES_MAX);
	return status;
}

/* ---- tidying ---- */

/* Parses the file name of a generation. Returns 0 for any other name. sscanf() also accepts
 * variants, such as upper-case digits, so the name must equal the canonical one. */
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

/* Parses the file name of additions. Returns 0 for any other name. */
static uint64_t additions_of(const char *name)
{
	char canonical[BLOOM_FILE_NAME_MAX];
	unsigned long long number = 0;

	if (sscanf(name, "%16llx.added", &number) != 1) {
		return 0;
	}
	bloom_additions_name(number, canonical);
	return strcmp(canonical, name) == 0 ? number : 0;
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t name_bytes = strlen(name), suffix_bytes = strlen(suffix);

	return name_bytes > suffix_bytes && strcmp(name + name_bytes - suffix_bytes, suffix) == 0;
}

/* The files that are in use, according to the control page. */
typedef struct bloom_use {
	uint64_t generation;
	uint64_t additions; /* their number; 0: none */
	bool overlay;
} bloom_use;

static bloom_use use_of(const bloom_control *control)
{
	uint64_t generation = bloom_load_acquire(&control->generation);

	return (bloom_use){
		.generation = generation,
		.additions = bloom_control_additions(control, generation),
		.overlay = bloom_load_relaxed(&control->overlay_from) != 0,
	};
}

typedef struct tidying {
	const bloom_place *place;
	bloom_use use;
	uint64_t highest; /* the highest generation number of a file name */
	bool is_partial;  /* an entry could not be examined or removed */
} tidying;

/* Returns true if a status says nothing about the entry itself, because the process ran out of a
 * resource. Such an entry must not be treated as missing or foreign. */
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

/* Removes a .tmp file if its lock is free, which means that its writer has died. */
static void remove_if_abandoned(tidying *work, const char *name)
{
	const bloom_place *place = work->place;
	uint64_t bytes;
	bloom_error detail;
	int file = -1;
	bloom_status status = bloom_file_open(
		place->directory, name, false, place->owner, &file, &bytes, &detail);

	if (status != BLOOM_OK) {
		/* A file with the wrong owner comes from a root process that was killed before
		 * chown(), or that has not called chown() yet. A process that is still running
		 * notices that its file has been unlinked and creates a new file. If the file could
		 * not be opened for lack of a resource, it may belong to a running writer, so it is
		 * kept. */
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

/* Returns true for additions that are in use although they still have their staged name, because
 * they could not be renamed, see place_additions(). */
static bool is_unrenamed(const tidying *work, const char *name)
{
	char staged[BLOOM_FILE_NAME_MAX];

	bloom_stage_name(work->use.additions, staged);
	return work->use.additions != 0 && strcmp(name, staged) == 0;
}

static bool tidy_entry(void *context, const char *name)
{
	tidying *work = context;
	uint64_t generation = generation_of(name), additions = additions_of(name);

	if (generation > work->highest && generation < BLOOM_GENERATION_MAX) {
		work->highest = generation;
	}
	if ((generation != 0 && generation != work->use.generation) ||
		(additions != 0 && additions != work->use.additions) ||
		(strcmp(name, BLOOM_OVERLAY_NAME) == 0 && !work->use.overlay)) {
		remove_leftover(work, name);
	} else if (has_suffix(name, ".tmp") && !is_unrenamed(work, name)) {
		remove_if_abandoned(work, name);
	}
	return true;
}

/* Removes the files of dead writers and all generations except the served one. The caller holds the
 * filter's lock, so no other writer is between its rename and its switch. Returns false if a file
 * may remain.
 *
 *   *highest  the highest generation number of a file name; may be NULL */
static bool tidy(const bloom_place *place, bloom_use use, uint64_t *highest)
{
	tidying work = {.place = place, .use = use};
	bloom_status status = bloom_directory_each(place->directory, tidy_entry, &work, NULL);

	if (highest != NULL) {
		*highest = work.highest;
	}
	return status == BLOOM_OK && !work.is_partial;
}

/* Removes a filter's files and its directory. The caller holds the filter's lock. The control page
 * is removed last. If this process is killed earlier, the next writer still finds the page marked
 * as dropped. Fails with BLOOM_E_BUSY if a file remains. */
static bloom_status remove_filter(const bloom_place *place, bloom_error *error)
{
	bool is_tidy = tidy(place, (bloom_use){.generation = BLOOM_GENERATION_NONE}, NULL);
	bloom_status status;

	if (!bloom_lock_has_bytes()) {
		(void)bloom_file_remove(place->directory, BLOOM_LOCKS_NAME, NULL);
	}
	status = bloom_account_remove(place, BLOOM_CONTROL_NAME, error);
	if (status == BLOOM_OK) {
		status = bloom_directory_remove(place->segment_directory, place->name, error);
	}
	return status == BLOOM_OK && !is_tidy
		? bloom_fail(error, BLOOM_E_BUSY, 0, "%s", place->name)
		: status;
}

/* Removes the files that are not in use according to the control page. The caller holds the
 * filter's lock. A page with a different layout belongs to a different build, which cleans up its
 * own files. Returns false if a file may remain. */
static bool tidy_locked(const bloom_place *place)
{
	bloom_error detail;
	bloom_control *control = NULL;
	bloom_status status = bloom_place_control(place, &control, NULL, &detail);
	bloom_use use = {.generation = BLOOM_GENERATION_NONE};

	if (status == BLOOM_OK) {
		use = use_of(control);
		bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	}
	if (use.generation == BLOOM_GENERATION_DROPPED || status == BLOOM_E_NOT_FOUND) {
		/* The filter was dropped, was never loaded, or is from before a reboot. If another
		 * process is staging a file, the directory is not empty and is kept. */
		return remove_filter(place, NULL) == BLOOM_OK;
	}
	return status == BLOOM_OK ? tidy(place, use, NULL) : !is_inconclusive(status, &detail);
}

/* Tidies the filter that an orphaned marker names. Returns false if the marker must be kept, for
 * example because another writer holds the filter's lock. */
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
	enum { FILTERS_MAX = 16 }; /* bounds the cost of one call; later writers do the rest */
	bloom_place context = *place;

	bloom_marker_each_orphan(place, FILTERS_MAX, tidy_filter, &context);
}

/* ---- switching ---- */

/* Checks that a generation of this kind may replace the served one. */
static bloom_status check_switch(const bloom_place *place, const bloom_control *control,
	bloom_kind kind, uint64_t expected, bloom_error *error)
{
	uint64_t served = bloom_load_acquire(&control->generation);
	bloom_kind served_kind = bloom_kind_of(
		bloom_load_relaxed(&control->kind), bloom_load_relaxed(&control->groups));

	if (expected != BLOOM_GENERATION_ANY && served != expected) {
		return bloom_fail(error, BLOOM_E_OVERTAKEN, 0, "%s", place->name);
	}
	if (served != BLOOM_GENERATION_NONE && served_kind != kind) {
		return bloom_fail_kind(
			error, NULL, bloom_kind_text(served_kind), bloom_kind_text(kind));
	}
	return BLOOM_OK;
}

/* Tidies the filter and computes the next generation number. The number exceeds those of all
 * existing files, even of files that could not be removed, so rename() never replaces a file that a
 * reader may look up. The caller holds the filter's lock. */
static bloom_status next_number(
	const bloom_place *place, bloom_use use, uint64_t *next, bloom_error *error)
{
	uint64_t highest = 0, last;

	(void)tidy(place, use, &highest);
	last = highest > use.generation ? highest : use.generation;

	/* No real generation number gets this high, so the page was damaged after it was opened.
	 * Readers would reject the next number. */
	if (last >= BLOOM_GENERATION_MAX) {
		return bloom_fail(error, BLOOM_E_CONTROL, 0, BLOOM_CONTROL_NAME);
	}
	*next = last + 1;
	return BLOOM_OK;
}

/* Assigns additions to the generation `next` in the row of the control page that the served
 * generation does not use. */
static void assign_additions(bloom_control *control, uint64_t number, uint64_t next)
{
	uint64_t served = bloom_load_acquire(&control->generation);
	bloom_control_row *row = &control->additions[0];

	if (bloom_load_relaxed(&row->generation) == served) {
		row++;
	}
	bloom_store_release(&row->generation, 0);
	bloom_store_release(&row->number, number);
	bloom_store_release(&row->generation, next);
}

/* Renames staged additions and assigns them to the generation `next`. The rows of the control page
 * name the additions of the served generation and of the next one. Processes have the additions
 * mapped. If the system cannot rename them, they keep their name, which is unique, too. */
static bloom_status place_additions(const bloom_place *place, bloom_control *control,
	uint64_t number, uint64_t next, bloom_error *error)
{
	char staged[BLOOM_FILE_NAME_MAX], name[BLOOM_FILE_NAME_MAX];
	bloom_status status;

	assign_additions(control, number, next);
	bloom_stage_name(number, staged);
	bloom_additions_name(number, name);
	status = bloom_file_rename(place->directory, staged, name, error);
	return status == BLOOM_E_BUSY ? BLOOM_OK : status;
}

/* Counts a switch that has happened. */
static void count_load(bloom_control *control, const bloom_staged *staged, uint64_t generation)
{
	uint64_t now_us = bloom_monotonic_us();
	bloom_load_record load = staged->load;

	load.generation = generation;
	load.loaded_ms = bloom_load_relaxed(&control->loaded_ms);
	load.load_us = now_us - staged->began_us;
	load.switch_us = now_us - staged->locked_us;
	bloom_counters_loaded(&control->counters, &load, staged->saved_bytes);
}

/* Performs the switch: renames the staged files, and then stores the generation number. The caller
 * holds the filter's lock. A kill between any two steps is safe:
 *
 *     before the renames     only the .tmp files are left, and their locks are free
 *     before the store       files are left to which nothing refers
 *     after the store        the replaced files are left
 *
 * The next writer removes each of these files in tidy(). */
static bloom_status switch_to(const bloom_place *place, bloom_control *control,
	const bloom_staged *staged, uint64_t *generation, bloom_error *error)
{
	bloom_use use = use_of(control);
	char name[BLOOM_FILE_NAME_MAX];
	uint64_t next = 0;
	bloom_status status = next_number(place, use, &next, error);

	if (status == BLOOM_OK && staged->additions != 0) {
		status = place_additions(place, control, staged->additions, next, error);
	}
	if (status != BLOOM_OK) {
		return status;
	}
	bloom_generation_name(next, name);
	status = bloom_file_rename(place->directory, staged->file_name, name, error);
	if (status == BLOOM_OK) {
		/* The words that describe the generation are stored first. The release store below
		 * makes these words and the rename visible to every reader that loads the new
		 * number with acquire order. If this process is killed here, `kind` and `groups`
		 * are still valid: a replacement has the same kind, and a first generation is not
		 * served yet. */
		bloom_store_relaxed(&control->kind, bloom_kind_stored(staged->kind));
		bloom_store_relaxed(&control->groups, staged->groups);
		bloom_store_relaxed(&control->loaded_ms, bloom_clock_ms());
		bloom_increment(&control->loads);
		if (staged->ttl_ms != 0) {
			bloom_store_relaxed(
				&control->expires_ms, bloom_uptime_ms() + staged->ttl_ms);
		}
		bloom_store_release(&control->generation, next); /* the switch */
		bloom_store_release(&control->successor, 0);
		count_load(control, staged, next);
		/* Removing the replaced file does not disturb its readers, because their mappings
		 * keep the file alive. */
		use.generation = next;
		use.additions = staged->additions;
		(void)tidy(place, use, NULL);
		*generation = next;
	}
	return status;
}

bloom_status bloom_segment_switch(const bloom_place *place, const bloom_staged *staged,
	uint64_t expected, uint64_t *generation, bloom_error *error)
{
	bloom_control *control = NULL;
	bloom_status status = bloom_place_ensure_control(place, &control, error);

	if (status != BLOOM_OK) {
		return status;
	}
	status = check_switch(place, control, staged->kind, expected, error);
	/* Other processes insert keys into staged additions only if these are announced. */
	if (status == BLOOM_OK && staged->additions != 0 &&
		bloom_load_acquire(&control->successor) != staged->additions) {
		status = bloom_fail(error, BLOOM_E_OVERTAKEN, 0, "%s", place->name);
	}
	if (status == BLOOM_OK) {
		status = switch_to(place, control, staged, generation, error);
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
	status = check_switch(place, control, BLOOM_KIND_LOADED, BLOOM_GENERATION_ANY, error);
	if (status == BLOOM_OK && bloom_load_relaxed(&control->overlay_from) != 0) {
		status = bloom_fail(error, BLOOM_E_OVERTAKEN, 0, "%s", place->name);
	}
	if (status == BLOOM_OK) {
		status = bloom_place_rename(place, staged_name, BLOOM_OVERLAY_NAME, error);
	}
	if (status == BLOOM_OK) {
		/* Readers look for an overlay only when they map a generation. Readers of the
		 * current generation would miss keys in the overlay, so the overlay is used only
		 * from the next generation on. Because of the release order, a reader that sees
		 * this number also finds the renamed file. */
		bloom_store_release(
			&control->overlay_from, bloom_load_acquire(&control->generation) + 1);
	}
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	return status;
}

/* Returns true if the filter's name still leads to the page that `control` maps. The filter may
 * have been dropped and created again since it was mapped. To compare two mappings without a
 * descriptor, this function writes a random token through one mapping and reads it through the
 * other. It uses the word `withdrawn` for the token, because `withdrawn` matters only while it
 * equals the generation, and the token is higher than any generation. The caller holds the filter's
 * lock, so no other writer changes `withdrawn`. */
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
		/* The additions are not damaged. The next load copies them. */
		assign_additions(control, bloom_control_additions(control, generation), next);
		/* `withdrawn` must be visible before the number, so that info() can report why the
		 * number has no file. */
		bloom_store_relaxed(&control->withdrawn, next);
		bloom_store_release(&control->generation, next);
		*withdrawn = next;
	}
	bloom_place_close(&place);
	return status;
}

/* ---- the segment as a whole ---- */

/* Returns true if readers may still be watching a control page that could not be opened and marked
 * as dropped. A damaged page is removed anyway: its readers keep their mapping until a filter with
 * that name is created again. */
static bool may_be_watched(bloom_status status)
{
	return status == BLOOM_E_CONTROL_VERSION || status == BLOOM_E_SYSTEM ||
		status == BLOOM_E_MEMORY;
}

/* Which filter is to be dropped. */
typedef struct wanted {
	uint32_t kinds;  /* the sum of 1 << kind, or KINDS_ANY */
	bool is_expired; /* only if its time to live has ended; does not wait for other writers */
} wanted;

static const uint32_t KINDS_ANY = UINT32_MAX;

/* Checks that a control page has one of the expected kinds, if it has a generation. */
static bloom_status check_kind(
	const bloom_place *place, const bloom_control *control, uint32_t kinds, bloom_error *error)
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
	return bloom_fail_kind(
		error, place->name, bloom_kind_text(found), bloom_kind_text(expected));
}

/* Marks the page as dropped before the files are removed. Without the mark, readers that watch the
 * page would continue to answer from the removed filter. The caller holds the filter's lock. */
static bloom_status mark_dropped(
	const bloom_place *place, const wanted *which, uint64_t *served, bloom_error *error)
{
	bloom_control *control = NULL;
	bloom_status status = bloom_place_control(place, &control, NULL, error);

	*served = BLOOM_GENERATION_NONE;
	if (status != BLOOM_OK) {
		return status;
	}
	status = which->is_expired && !bloom_control_is_expired(control)
		? BLOOM_E_OVERTAKEN
		: check_kind(place, control, which->kinds, error);
	if (status == BLOOM_OK) {
		*served = bloom_load_acquire(&control->generation);
		bloom_store_release(&control->generation, BLOOM_GENERATION_DROPPED);
	}
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	return status;
}

static bloom_status drop(const bloom_segment *segment, const char *name, const wanted *which,
	bool *existed, bloom_error *error)
{
	bloom_error local;
	bloom_error *detail = error != NULL ? error : &local;
	bloom_marker marker = {0};
	bloom_status status;
	uint64_t served;
	bloom_place place;

	status = bloom_place_open(segment, name, false, &place, detail);
	if (status == BLOOM_OK) {
		bloom_segment_tidy(&place);
		/* Ignore a failure to create the marker: dropping a filter must work even on a full
		 * file system. */
		(void)bloom_marker_begin(&place, &marker, NULL);
		status = !which->is_expired            ? bloom_place_lock(&place, detail)
			: bloom_place_try_lock(&place) ? BLOOM_OK
						       : BLOOM_E_BUSY;
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
	status = mark_dropped(&place, which, &served, detail);
	if (status == BLOOM_OK || status == BLOOM_E_NOT_FOUND ||
		(which->kinds == KINDS_ANY && !which->is_expired && !may_be_watched(status))) {
		status = remove_filter(&place, detail);
		/* The filter is dropped, even if a file remains that processes use. */
		if (status == BLOOM_E_BUSY) {
			bloom_marker_create_orphan(&place, name);
			status = BLOOM_OK;
		}
	}
	bloom_marker_end(&place, &marker);
	bloom_place_close(&place);
	if (status == BLOOM_E_KIND || status == BLOOM_E_OVERTAKEN) {
		return status;
	}
	if (status != BLOOM_OK) {
		return bloom_fail_at(&place, status, detail);
	}
	*existed = served != BLOOM_GENERATION_NONE && served != BLOOM_GENERATION_DROPPED;
	return BLOOM_OK;
}

bloom_status bloom_segment_drop(
	const bloom_segment *segment, const char *name, bool *existed, bloom_error *error)
{
	const wanted any = {.kinds = KINDS_ANY};

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
	const wanted expired = {.kinds = KINDS_ANY, .is_expired = true};
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

/* ---- listing ---- */

typedef struct foreigners {
	bloom_visit visit;
	void *context;
} foreigners;

static bool visit_if_foreign(void *context, const char *name)
{
	const foreigners *work = context;
	bool is_own = generation_of(name) != 0 || additions_of(name) != 0 ||
		has_suffix(name, ".tmp") || strcmp(name, BLOOM_CONTROL_NAME) == 0 ||
		strcmp(name, BLOOM_OVERLAY_NAME) == 0 || strcmp(name, BLOOM_LOCKS_NAME) == 0;

	return is_own || work->visit(work->context, name);
}

bloom_status bloom_segment_each_foreign(const bloom_segment *segment, const char *name,
	bloom_visit visit, void *context, bloom_error *error)
{
	foreigners work = {.visit = visit, .context = context};
	bloom_place place;
	bloom_status status = bloom_place_open(segment, name, false, &place, error);

	if (status == BLOOM_OK) {
		status = bloom_directory_each(place.directory, visit_if_foreign, &work, error);
		bloom_place_close(&place);
	}
	return status;
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
	bool is_expired;

	if (bloom_name_check(name, strlen(name), NULL) != BLOOM_OK) {
		return true;
	}
	status = bloom_directory_open_at(work->place.segment_directory, name, false,
		work->place.owner, &work->place.directory, work->error);
	if (status == BLOOM_OK) {
		status = bloom_place_control(&work->place, &control, NULL, work->error);
		bloom_close(&work->place.directory);
	}
	if (status == BLOOM_E_CONTROL || status == BLOOM_E_CONTROL_VERSION) {
		return work->visit(work->context, name);
	}
	if (status != BLOOM_OK) {
		work->status = is_inconclusive(status, work->error) ? status : BLOOM_OK;
		return work->status == BLOOM_OK;
	}
	generation = bloom_load_acquire(&control->generation);
	is_expired = bloom_control_is_expired(control);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	if (is_expired) {
		bloom_segment_drop_expired(work->place.segment, name);
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

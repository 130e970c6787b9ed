#include "segment/switch.h"

#include "os/clock.h"
#include "os/mapping.h"
#include "segment/control_file.h"
#include "segment/other_layouts.h"
#include "segment/tidy.h"

/* Checks that a generation of this kind may replace the served one. */
static bloom_status check_switch(const bloom_filter_dir *dir, const bloom_control *control,
	bloom_kind kind, uint64_t expected, bloom_error *error)
{
	uint64_t served = bloom_load_acquire(&control->generation);
	bloom_kind served_kind = bloom_kind_of(
		bloom_load_relaxed(&control->kind), bloom_load_relaxed(&control->groups));

	if (expected != BLOOM_GENERATION_ANY && served != expected) {
		return bloom_fail(error, BLOOM_E_OVERTAKEN, 0, "%s", dir->name);
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
	const bloom_filter_dir *dir, bloom_use use, uint64_t *next, bloom_error *error)
{
	uint64_t highest = 0, last;

	(void)bloom_tidy_filter(dir, use, &highest);
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
static bloom_status place_additions(const bloom_filter_dir *dir, bloom_control *control,
	uint64_t number, uint64_t next, bloom_error *error)
{
	char staged[BLOOM_FILE_NAME_MAX], name[BLOOM_FILE_NAME_MAX];
	bloom_status status;

	assign_additions(control, number, next);
	bloom_stage_name(number, staged);
	bloom_additions_name(number, name);
	status = bloom_file_rename(dir->handle, staged, name, error);
	return status == BLOOM_E_BUSY ? BLOOM_OK : status;
}

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
 * The next writer removes each of these files (tidy.h). */
static bloom_status switch_to(const bloom_filter_dir *dir, bloom_control *control,
	const bloom_staged *staged, uint64_t *generation, bloom_error *error)
{
	bloom_use use = bloom_use_of(control);
	char name[BLOOM_FILE_NAME_MAX];
	uint64_t next = 0;
	bloom_status status = next_number(dir, use, &next, error);

	if (status == BLOOM_OK && staged->additions != 0) {
		status = place_additions(dir, control, staged->additions, next, error);
	}
	if (status != BLOOM_OK) {
		return status;
	}
	bloom_generation_name(next, name);
	status = bloom_file_rename(dir->handle, staged->file_name, name, error);
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
		(void)bloom_tidy_filter(dir, use, NULL);
		*generation = next;
	}
	return status;
}

/* Returns whether the filter has no generation yet. */
static bool is_new(const bloom_filter_dir *dir)
{
	bloom_control *control = NULL;
	uint64_t generation;

	if (bloom_control_map(dir, &control, NULL, NULL) != BLOOM_OK) {
		return true;
	}
	generation = bloom_load_acquire(&control->generation);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	return generation == BLOOM_GENERATION_NONE || generation == BLOOM_GENERATION_DROPPED;
}

/* Maps the control page, or creates it unless a filter of another layout prevents that. */
static bloom_status ensure_control(
	const bloom_filter_dir *dir, bloom_kind kind, bloom_control **control, bloom_error *error)
{
	bloom_status status = BLOOM_OK;

	if (is_new(dir)) {
		status = bloom_other_layouts_check(dir->segment, dir->name, kind, true, error);
	}
	if (status != BLOOM_OK) {
		return status;
	}
	status = bloom_control_ensure(dir, control, error);
	return bloom_segment_sweep_if_full(dir->segment, status)
		? bloom_control_ensure(dir, control, error)
		: status;
}

bloom_status bloom_segment_switch(const bloom_filter_dir *dir, const bloom_staged *staged,
	uint64_t expected, uint64_t *generation, bloom_error *error)
{
	bloom_control *control = NULL;
	bloom_status status = ensure_control(dir, staged->kind, &control, error);

	if (status != BLOOM_OK) {
		return status;
	}
	status = check_switch(dir, control, staged->kind, expected, error);
	/* Other processes insert keys into staged additions only if these are announced. */
	if (status == BLOOM_OK && staged->additions != 0 &&
		bloom_load_acquire(&control->successor) != staged->additions) {
		status = bloom_fail(error, BLOOM_E_OVERTAKEN, 0, "%s", dir->name);
	}
	if (status == BLOOM_OK) {
		status = switch_to(dir, control, staged, generation, error);
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
static bool is_same_page(const bloom_filter_dir *dir, bloom_control *control)
{
	uint64_t before = bloom_load_relaxed(&control->withdrawn);
	uint64_t token = bloom_random() | ~BLOOM_GENERATION_MAX;
	bloom_control *named = NULL;
	bool is_same;

	if (bloom_control_map(dir, &named, NULL, NULL) != BLOOM_OK) {
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
	bloom_filter_dir dir;

	status = bloom_filter_dir_open(segment, name, false, &dir, error);
	if (status != BLOOM_OK) {
		return status;
	}
	status = bloom_filter_dir_lock(&dir, error);
	if (status == BLOOM_OK &&
		(bloom_load_acquire(&control->generation) != generation ||
			!is_same_page(&dir, control))) {
		status = bloom_fail(error, BLOOM_E_OVERTAKEN, 0, "%s", name);
	}
	if (status == BLOOM_OK) {
		status = next_number(&dir, bloom_use_of(control), &next, error);
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
	bloom_filter_dir_close(&dir);
	return status;
}

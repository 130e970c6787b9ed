#include "kinds/attachment.h"

#include <stdio.h>
#include <string.h>

#include "segment/control_file.h"
#include "segment/drop.h"
#include "os/clock.h"
#include "os/mapping.h"

/* Builds whose files differ must not share a filter's directory. */
_Static_assert(BLOOM_LIVE_LAYOUT == 6 && BLOOM_CACHE_LAYOUT == 1 && BLOOM_FORMAT_VERSION == 2,
	"raise BLOOM_CONTROL_LAYOUT, too, and enter the new number here");

void bloom_attachment_flush(bloom_attachment *attachment)
{
	const bloom_tally *tally = &attachment->tally;

	if ((tally->lookups | tally->confirmed | tally->checked) != 0 &&
		attachment->control != NULL) {
		bloom_counters_add(
			&attachment->control->counters, &attachment->tally, bloom_clock_ms());
	}
}

/* Maps a generation. After an error the attachment keeps its current generation. */
static bloom_status take_generation(bloom_attachment *attachment, const bloom_filter_dir *dir,
	uint64_t generation, bloom_error *error)
{
	/* A kind number that no build writes means that the page is damaged. */
	bloom_kind kind = bloom_kind_of(bloom_load_relaxed(&attachment->control->kind), 0);
	const bloom_kind_ops *ops = bloom_kind_ops_of(kind);
	char name[BLOOM_FILE_NAME_MAX];
	bloom_status status;

	bloom_generation_name(generation, name);
	status = ops != NULL ? ops->map(ops, attachment, dir, generation, name, error)
			     : bloom_fail(error, BLOOM_E_LIVE, 0, "%s", name);
	if (status == BLOOM_OK) {
		attachment->generation = generation;
	}
	return status;
}

/* Returns the error of the last sync without the filter's path, with which the new error begins. */
static const char *last_error(const bloom_attachment *attachment)
{
	const char *text = attachment->control->error_text, *end = strstr(text, ": ");
	size_t name_bytes = strlen(attachment->name);
	bool is_path = bloom_path_is_absolute(text) && end != NULL &&
		(size_t)(end - text) > name_bytes && end[-(ptrdiff_t)name_bytes - 1] == '/' &&
		memcmp(end - name_bytes, attachment->name, name_bytes) == 0;

	return is_path ? end + strlen(": ") : text;
}

/* Reports that nothing is loaded, with the error of the last sync if there is one. */
static bloom_status fail_not_loaded(const bloom_attachment *attachment, bloom_error *error)
{
	const bloom_control *control = attachment->control;

	if (bloom_load_relaxed(&control->generation) == BLOOM_GENERATION_NONE &&
		bloom_load_relaxed(&control->error_status) != BLOOM_OK) {
		return bloom_fail(error, BLOOM_E_NOT_FOUND, 0, "the last sync failed (%.*s)",
			BLOOM_CONTROL_TEXT_BYTES, last_error(attachment));
	}
	return bloom_fail(error, BLOOM_E_NOT_FOUND, 0, "%s", attachment->name);
}

/* Reports that the file of the served generation is missing: the generation was withdrawn, or the
 * file was deleted by hand. A missing file is a different error from "not loaded". */
static bloom_status fail_missing(
	const bloom_attachment *attachment, uint64_t generation, bloom_error *error)
{
	if (bloom_load_relaxed(&attachment->control->withdrawn) == generation) {
		return bloom_fail(error, BLOOM_E_DAMAGED, 0, "%s", attachment->name);
	}
	return bloom_fail(error, BLOOM_E_SYSTEM, 0, "generation file %016llx.bloom is missing",
		(unsigned long long)generation);
}

/* Maps the served generation. If a writer switches during the mapping, this function maps the new
 * generation. The attachment's old mapping is released only after a new one exists. */
static bloom_status map_served(
	bloom_attachment *attachment, const bloom_filter_dir *dir, bloom_error *error)
{
	/* A round is repeated only if another process completes a load between two system calls of
	 * this process. */
	enum { ROUNDS_MAX = 100 };
	uint64_t generation = bloom_load_acquire(&attachment->control->generation);
	bloom_status status = BLOOM_E_NOT_FOUND;
	uint64_t before;
	int round;

	for (round = 0; round < ROUNDS_MAX; round++) {
		if (generation == BLOOM_GENERATION_NONE || generation == BLOOM_GENERATION_DROPPED) {
			return fail_not_loaded(attachment, error);
		}
		status = take_generation(attachment, dir, generation, error);
		if (status == BLOOM_OK) {
			return BLOOM_OK;
		}
		/* Retry after any error if the generation changed: after a drop, the file may
		 * already belong to another filter. */
		before = generation;
		generation = bloom_load_acquire(&attachment->control->generation);
		if (generation == before) {
			break;
		}
	}
	return status == BLOOM_E_NOT_FOUND ? fail_missing(attachment, generation, error) : status;
}

bloom_status bloom_attach(const bloom_segment *segment, const char *name,
	bloom_attachment *attachment, bloom_error *error)
{
	bloom_error local;
	bloom_error *detail = error != NULL ? error : &local;
	bloom_status status;
	bloom_filter_dir dir;
	bool is_expired;

	memset(attachment, 0, sizeof *attachment);
	status = bloom_filter_dir_open(segment, name, false, &dir, detail);
	if (status != BLOOM_OK) {
		return status;
	}
	attachment->segment = segment;
	attachment->generation = BLOOM_GENERATION_UNMAPPED;
	memcpy(attachment->name, name, strlen(name) + 1);
	status = bloom_control_map(&dir, &attachment->control, &attachment->identity, detail);
	is_expired = status == BLOOM_OK && bloom_control_is_expired(attachment->control);
	if (is_expired) {
		status = bloom_fail(detail, BLOOM_E_NOT_FOUND, 0, "%s", name);
	} else if (status == BLOOM_OK) {
		status = map_served(attachment, &dir, detail);
	}
	bloom_filter_dir_close(&dir);
	if (is_expired) {
		bloom_segment_drop_expired(segment, name);
	}
	if (status != BLOOM_OK) {
		bloom_detach(attachment);
		memset(attachment, 0, sizeof *attachment);
		return bloom_fail_at(&dir, status, detail);
	}
	attachment->round_checks = 1;
	attachment->checks_left = 0;
	attachment->round_ms = attachment->named_ms = bloom_coarse_ms();
	return BLOOM_OK;
}

void bloom_detach(bloom_attachment *attachment)
{
	bloom_attachment_flush(attachment);
	bloom_attachment_unmap(attachment);
	bloom_attachment_unmap_retired(attachment);
	bloom_unmap((const unsigned char *)attachment->control, BLOOM_CONTROL_BYTES);
	attachment->control = NULL;
}

bloom_status bloom_attachment_renew(bloom_attachment *attachment, bloom_error *error)
{
	bloom_attachment fresh;
	bloom_status status = bloom_attach(attachment->segment, attachment->name, &fresh, error);

	if (status == BLOOM_OK) {
		fresh.map_failures = attachment->map_failures;
		bloom_detach(attachment);
		*attachment = fresh;
	}
	return status;
}

/* ---- staying up to date ---- */

/* Unmaps all files of a filter that was dropped or has lost its name. Otherwise the mappings would
 * keep their memory in use. */
static void release(bloom_attachment *attachment)
{
	bloom_attachment_unmap(attachment);
	bloom_attachment_unmap_retired(attachment);
}

static bool has_additions(const bloom_attachment *attachment)
{
	return bloom_attachment_loaded(attachment) != NULL && attachment->loaded->additions != NULL;
}

static bloom_presence presence_now(bloom_attachment *attachment)
{
	if (has_additions(attachment)) {
		attachment->checks_left = 0;
		attachment->presence = bloom_loaded_is_trusted(attachment->loaded)
			? attachment->loaded->presence
			: BLOOM_PRESENCE_BEHIND;
	}
	return (bloom_presence)attachment->presence;
}

static bloom_presence attach_anew(bloom_attachment *attachment)
{
	bloom_status status = bloom_attachment_renew(attachment, NULL);

	if (status == BLOOM_OK) {
		return presence_now(attachment);
	}
	release(attachment);
	return status == BLOOM_E_NOT_FOUND ? BLOOM_PRESENCE_ABSENT : BLOOM_PRESENCE_UNMAPPED;
}

static bloom_presence map_anew(bloom_attachment *attachment)
{
	bloom_status status;
	bloom_filter_dir dir;

	if (bloom_filter_dir_open(attachment->segment, attachment->name, false, &dir, NULL) !=
		BLOOM_OK) {
		return BLOOM_PRESENCE_UNMAPPED;
	}
	status = map_served(attachment, &dir, NULL);
	bloom_filter_dir_close(&dir);
	return status == BLOOM_OK ? presence_now(attachment) : BLOOM_PRESENCE_UNMAPPED;
}

/* Chooses how many checks may pass before the clock is read again: about as many as happen in a
 * quarter of a second. If checks are rare, each check reads the clock. */
static void begin_round(bloom_attachment *attachment, uint64_t now_ms)
{
	enum { ROUND_MS = BLOOM_NAME_CHECK_MS / 4 };
	uint64_t elapsed = now_ms - attachment->round_ms;
	uint64_t checks = elapsed < ROUND_MS
		? 2 * (uint64_t)attachment->round_checks
		: (uint64_t)attachment->round_checks * ROUND_MS / elapsed;

	checks = checks < 1 ? 1 : checks;
	attachment->round_checks =
		checks < BLOOM_ROUND_CHECKS_MAX ? (uint32_t)checks : BLOOM_ROUND_CHECKS_MAX;
	attachment->checks_left = (int32_t)attachment->round_checks - 1;
	attachment->round_ms = now_ms;
}

/* Returns true if the name must be looked up again. */
static bool wants_name_check(bloom_attachment *attachment, uint64_t now_ms)
{
	/* A filter with additions whose judgment no longer holds: its second is over. */
	bool is_next_second =
		has_additions(attachment) && attachment->loaded->trusted_s != BLOOM_TRUSTED_NEVER;

	if (now_ms - attachment->named_ms < BLOOM_NAME_CHECK_MS && !is_next_second) {
		return false;
	}
	attachment->named_ms = now_ms;
	bloom_attachment_flush(attachment);
	return true;
}

bloom_presence bloom_attachment_refresh(bloom_attachment *attachment)
{
	uint64_t generation = bloom_load_acquire(&attachment->control->generation);
	bool is_mapped = generation == attachment->generation;
	bloom_presence presence;
	uint64_t now_ms;

	if (is_mapped && has_additions(attachment) &&
		bloom_loaded_still_trusts(attachment->loaded)) {
		attachment->checks_left = 0;
		return (bloom_presence)attachment->presence;
	}
	if (is_mapped) {
		now_ms = bloom_coarse_ms();
		if (!has_additions(attachment)) {
			begin_round(attachment, now_ms);
		}
		if (!wants_name_check(attachment, now_ms)) {
			return presence_now(attachment);
		}
	}
	/* If the name now leads to a different control page, the file with this generation number
	 * belongs to that page. It must not be mapped for the old page. */
	if (generation == BLOOM_GENERATION_DROPPED || generation == BLOOM_GENERATION_NONE ||
		bloom_control_is_expired(attachment->control) ||
		bloom_attachment_naming(attachment) == BLOOM_NAMING_OTHER) {
		presence = attach_anew(attachment);
	} else {
		presence = is_mapped ? presence_now(attachment) : map_anew(attachment);
	}
	if (presence == BLOOM_PRESENCE_UNMAPPED) {
		attachment->map_failures++;
	}
	return presence;
}

void bloom_attachment_trim(bloom_attachment *attachment)
{
	uint64_t generation;

	bloom_attachment_flush(attachment);
	bloom_attachment_unmap_retired(attachment);
	if (attachment->control == NULL) {
		return;
	}
	generation = bloom_load_relaxed(&attachment->control->generation);
	if (generation == BLOOM_GENERATION_DROPPED) {
		release(attachment);
	} else if (generation != attachment->generation) {
		bloom_attachment_unmap(attachment);
	}
}

bloom_naming bloom_attachment_naming(const bloom_attachment *attachment)
{
	char path[BLOOM_PATH_BYTES_MAX + BLOOM_FILE_NAME_MAX + sizeof BLOOM_CONTROL_NAME + 2];
	char entry[BLOOM_FILE_NAME_MAX];
	bloom_identity named;
	bloom_status status;

	bloom_entry_name(attachment->name, BLOOM_CONTROL_LAYOUT, entry);
	(void)snprintf(path, sizeof path, "%s/%s/%s", attachment->segment->path, entry,
		BLOOM_CONTROL_NAME);
	status = bloom_path_identity(path, &named, NULL);
	if (status != BLOOM_OK) {
		return status == BLOOM_E_NOT_FOUND ? BLOOM_NAMING_NONE : BLOOM_NAMING_UNKNOWN;
	}
	return bloom_is_same_file(&named, &attachment->identity) ? BLOOM_NAMING_SAME
								 : BLOOM_NAMING_OTHER;
}

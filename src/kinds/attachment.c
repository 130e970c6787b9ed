#include "kinds/attachment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os/clock.h"
#include "os/mapping.h"
#include "kinds/scalable.h"
#include "kinds/sliding.h"

/* Maps a blob of an open filter directory and checks its head. Its shards were verified by the
 * writer, in this very file. */
static bloom_status map_blob(const bloom_place *opened, const char *name, const unsigned char **map,
	bloom_head *head, bloom_error *error)
{
	bloom_mapped mapped = {0};
	bloom_status status = bloom_place_map(opened, name, BLOOM_MAP_READ, 0, &mapped, error);

	if (status != BLOOM_OK) {
		return status;
	}
	status = bloom_blob_parse(mapped.map, mapped.bytes, head, error);
	if (status != BLOOM_OK) {
		bloom_unmap(mapped.map, mapped.bytes);
		return status;
	}
	*map = mapped.map;
	return BLOOM_OK;
}

static void unmap_retired(bloom_attachment *attachment)
{
	bloom_unmap(attachment->retired, attachment->retired_bytes);
	attachment->retired = NULL;
}

/* Puts off unmapping the blob of a generation that is to be replaced. */
static void retire_blob(bloom_attachment *attachment)
{
	if (attachment->segment->defers_unmap && attachment->map != NULL) {
		unmap_retired(attachment);
		attachment->retired = attachment->map;
		attachment->retired_bytes = attachment->head.file_bytes;
		attachment->map = NULL;
	}
}

static void unmap_generation(bloom_attachment *attachment)
{
	if (attachment->map != NULL) {
		bloom_unmap(attachment->map, attachment->head.file_bytes);
		attachment->map = NULL;
	}
	bloom_live_unmap(&attachment->live);
	bloom_cache_unmap(&attachment->cache);
	bloom_wipe(&attachment->hasher, sizeof attachment->hasher);
	attachment->generation = BLOOM_GENERATION_UNMAPPED;
	attachment->presence =
		BLOOM_UNAVAILABLE; /* for a damaged page that says that very number */
}

/* Whether beside a generation there is an overlay that is not mapped yet. One that is stays for as long
 * as the filter does. */
static bool lacks_overlay(const bloom_attachment *attachment, uint64_t generation)
{
	uint64_t from = bloom_load_acquire(&attachment->control->overlay_from);

	return attachment->overlay.head == NULL && from != 0 && generation >= from;
}

static bloom_status take_overlay(
	bloom_attachment *attachment, const bloom_place *opened, bloom_error *error)
{
	bloom_live *overlay = &attachment->overlay;
	bloom_status status = bloom_live_map(opened, BLOOM_OVERLAY_NAME, overlay, error);

	if (status == BLOOM_OK && overlay->known.params.kind != BLOOM_KIND_SLIDING) {
		bloom_live_unmap(overlay);
		status = bloom_fail(error, BLOOM_E_LIVE, 0, BLOOM_OVERLAY_NAME);
	}
	return status == BLOOM_E_NOT_FOUND
		? bloom_fail(error, BLOOM_E_SYSTEM, 0, "the overlay is missing")
		: status;
}

static bloom_status take_blob(bloom_attachment *attachment, const bloom_place *opened,
	uint64_t generation, const char *name, bloom_error *error)
{
	const unsigned char *map = NULL;
	bloom_hasher hasher;
	bloom_head head;
	bloom_status status = map_blob(opened, name, &map, &head, error);

	if (status != BLOOM_OK) {
		return status;
	}
	status = bloom_hasher_find(head.geometry.seed, head.geometry.fingerprint,
		opened->segment->secrets, &hasher, error);
	if (status != BLOOM_OK) {
		bloom_unmap(map, head.file_bytes);
		return status;
	}
	if (lacks_overlay(attachment, generation)) {
		status = take_overlay(attachment, opened, error);
		if (status != BLOOM_OK) {
			bloom_unmap(map, head.file_bytes);
			return status;
		}
	}
	retire_blob(attachment);
	unmap_generation(attachment);
	attachment->map = map;
	attachment->head = head;
	attachment->hasher = hasher;
	attachment->view = bloom_view_of(&head.geometry, map + head.head_bytes);
	attachment->presence = BLOOM_PRESENT;
	if (head.geometry.groups != 0) {
		attachment->reverse = bloom_reverse_of(&head.geometry, map + head.head_bytes);
		attachment->presence = BLOOM_LAYERED;
	}
	if (head.geometry.stripes != 0) {
		attachment->ribbon = bloom_ribbon_of(&head, map + head.head_bytes);
		attachment->presence = BLOOM_RIBBON;
	}
	if (attachment->overlay.head != NULL || head.geometry.fingerprint != 0) {
		attachment->presence = BLOOM_LAYERED;
	}
	return BLOOM_OK;
}

/* Takes over a mapped live file in place of the generation that the attachment has. */
static void adopt_live(bloom_attachment *attachment, uint64_t kind, const bloom_live *live)
{
	unmap_generation(attachment);
	attachment->live = *live;
	attachment->hasher = live->hasher;
	attachment->view = live->view[0];
	/* By the hasher, which is this process's own: the head may be damaged meanwhile. */
	attachment->presence = live->hasher.digest == BLOOM_DIGEST_XXH3_128 &&
			(kind == BLOOM_KIND_LIVE || kind == BLOOM_KIND_COUNTING)
		? BLOOM_PRESENT
		: BLOOM_LAYERED;
}

static bloom_status take_live(bloom_attachment *attachment, const bloom_place *opened,
	uint64_t kind, const char *name, bloom_error *error)
{
	bloom_live *live = malloc(sizeof *live); /* too large for a fiber's stack */
	bloom_status status = live != NULL ? bloom_live_map(opened, name, live, error)
					   : bloom_fail(error, BLOOM_E_MEMORY, 0, "%s", name);

	if (status == BLOOM_OK && live->known.params.kind != kind) {
		bloom_live_unmap(live);
		status = bloom_fail(error, BLOOM_E_LIVE, 0, "%s", name);
	}
	if (status == BLOOM_OK) {
		adopt_live(attachment, kind, live);
	}
	free(live);
	return status;
}

static bloom_status take_cache(bloom_attachment *attachment, const bloom_place *opened,
	const char *name, bloom_error *error)
{
	bloom_cache cache = {0};
	bloom_status status = bloom_cache_map(opened, name, &cache, error);

	if (status == BLOOM_OK) {
		unmap_generation(attachment);
		attachment->cache = cache;
		attachment->hasher = cache.hasher;
		attachment->view = cache.view;
		attachment->head = cache.blob;
		attachment->presence = BLOOM_LAYERED;
	}
	return status;
}

/* Maps a generation in place of the one that the attachment has, which it keeps when that fails. */
static bloom_status take_generation(bloom_attachment *attachment, const bloom_place *opened,
	uint64_t generation, bloom_error *error)
{
	uint64_t kind = bloom_load_relaxed(&attachment->control->kind);
	char name[BLOOM_FILE_NAME_MAX];
	bloom_status status;

	bloom_generation_name(generation, name);
	switch (kind) {
	case BLOOM_KIND_LOADED:
		status = take_blob(attachment, opened, generation, name, error);
		break;
	case BLOOM_KIND_ON_DEMAND:
		status = take_cache(attachment, opened, name, error);
		break;
	default:
		status = take_live(attachment, opened, kind, name, error);
	}
	if (status == BLOOM_OK) {
		attachment->kind = (uint32_t)kind;
		attachment->generation = generation;
	}
	return status;
}

/* Nothing is loaded: why not, if a sync has left word of that. */
static bloom_status fail_not_loaded(const bloom_attachment *attachment, bloom_error *error)
{
	const bloom_control *control = attachment->control;

	if (bloom_load_relaxed(&control->generation) == BLOOM_GENERATION_NONE &&
		bloom_load_relaxed(&control->error_status) != BLOOM_OK) {
		return bloom_fail(error, BLOOM_E_NOT_FOUND, 0, "the last sync failed (%.90s)",
			control->error_text);
	}
	return bloom_fail(error, BLOOM_E_NOT_FOUND, 0, "%s", attachment->name);
}

/* The number names a file that is not there: it was withdrawn, or deleted by hand. That is not "not loaded". */
static bloom_status fail_missing(
	const bloom_attachment *attachment, uint64_t generation, bloom_error *error)
{
	if (bloom_load_relaxed(&attachment->control->withdrawn) == generation) {
		return bloom_fail(error, BLOOM_E_DAMAGED, 0, "%s", attachment->name);
	}
	return bloom_fail(error, BLOOM_E_SYSTEM, 0, "generation file %016llx.bloom is missing",
		(unsigned long long)generation);
}

/* Maps what the control page names, following it when it moves on meanwhile. The mapping that the
 * attachment has is given up only for a new one. */
static bloom_status map_served(
	bloom_attachment *attachment, const bloom_place *opened, bloom_error *error)
{
	/* Each round needs a whole load to happen between two of our system calls. */
	enum { ROUNDS_MAX = 100 };
	uint64_t generation = bloom_load_acquire(&attachment->control->generation);
	bloom_status status = BLOOM_E_NOT_FOUND;
	uint64_t before;
	int round;

	for (round = 0; round < ROUNDS_MAX; round++) {
		if (generation == BLOOM_GENERATION_NONE || generation == BLOOM_GENERATION_DROPPED) {
			return fail_not_loaded(attachment, error);
		}
		status = take_generation(attachment, opened, generation, error);
		if (status == BLOOM_OK) {
			return BLOOM_OK;
		}
		/* After a drop the file of that number may be another filter's, whatever is wrong with it. */
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
	bloom_place opened;

	memset(attachment, 0, sizeof *attachment);
	status = bloom_place_open(segment, name, false, &opened, detail);
	if (status != BLOOM_OK) {
		return status;
	}
	attachment->segment = segment;
	attachment->generation = BLOOM_GENERATION_UNMAPPED;
	memcpy(attachment->name, name, strlen(name) + 1);
	status = bloom_place_control(&opened, &attachment->control, &attachment->identity, detail);
	if (status == BLOOM_OK) {
		status = map_served(attachment, &opened, detail);
	}
	bloom_place_close(&opened);
	if (status != BLOOM_OK) {
		bloom_detach(attachment);
		memset(attachment, 0, sizeof *attachment);
		return bloom_fail_at(&opened, status, detail);
	}
	attachment->checks_left = attachment->round_checks = 1;
	attachment->round_ms = attachment->named_ms = bloom_coarse_ms();
	return BLOOM_OK;
}

void bloom_detach(bloom_attachment *attachment)
{
	unmap_generation(attachment);
	unmap_retired(attachment);
	bloom_live_unmap(&attachment->overlay);
	bloom_unmap((const unsigned char *)attachment->control, BLOOM_CONTROL_BYTES);
	attachment->control = NULL;
}

bloom_status bloom_attachment_renew(bloom_attachment *attachment, bloom_error *error)
{
	bloom_attachment *fresh = malloc(sizeof *fresh); /* too large for a fiber's stack */
	bloom_status status = fresh != NULL
		? bloom_attach(attachment->segment, attachment->name, fresh, error)
		: bloom_fail(error, BLOOM_E_MEMORY, 0, "%s", attachment->name);

	if (status == BLOOM_OK) {
		fresh->map_failures = attachment->map_failures;
		bloom_detach(attachment);
		*attachment = *fresh;
	}
	free(fresh);
	return status;
}

/* ---- keeping up ---- */

/* The page is dropped, or another has its name: nothing of it is of use any more, and it takes memory. */
static void release(bloom_attachment *attachment)
{
	unmap_generation(attachment);
	unmap_retired(attachment);
	bloom_live_unmap(&attachment->overlay);
}

static bloom_presence attach_anew(bloom_attachment *attachment)
{
	bloom_status status = bloom_attachment_renew(attachment, NULL);

	if (status == BLOOM_OK) {
		return (bloom_presence)attachment->presence;
	}
	release(attachment);
	return status == BLOOM_E_NOT_FOUND ? BLOOM_ABSENT : BLOOM_UNAVAILABLE;
}

static bloom_presence map_anew(bloom_attachment *attachment)
{
	bloom_status status;
	bloom_place opened;

	if (bloom_place_open(attachment->segment, attachment->name, false, &opened, NULL) !=
		BLOOM_OK) {
		return BLOOM_UNAVAILABLE;
	}
	status = map_served(attachment, &opened, NULL);
	bloom_place_close(&opened);
	return status == BLOOM_OK ? (bloom_presence)attachment->presence : BLOOM_UNAVAILABLE;
}

/* Whether the name is to be looked up again. Begins a round of checks without the clock, as many as are made within a
 * quarter of a second: where they are rare each one reads the clock. */
static bool wants_name_check(bloom_attachment *attachment)
{
	enum { ROUND_MS = BLOOM_NAME_CHECK_MS / 4 };
	uint64_t now = bloom_coarse_ms(), elapsed = now - attachment->round_ms;
	uint64_t checks = elapsed < ROUND_MS ? 2 * (uint64_t)attachment->round_checks
					     : (uint64_t)attachment->round_checks * ROUND_MS / elapsed;

	checks = checks < 1 ? 1 : checks;
	attachment->round_checks =
		checks < BLOOM_ROUND_CHECKS_MAX ? (uint32_t)checks : BLOOM_ROUND_CHECKS_MAX;
	attachment->checks_left = attachment->round_checks;
	attachment->round_ms = now;
	if (now - attachment->named_ms < BLOOM_NAME_CHECK_MS) {
		return false;
	}
	attachment->named_ms = now;
	return true;
}

bloom_presence bloom_attachment_refresh(bloom_attachment *attachment)
{
	uint64_t generation = bloom_load_acquire(&attachment->control->generation);
	bool is_mapped = generation == attachment->generation;
	bloom_presence presence;

	if (attachment->checks_left == 0) {
		/* Counted down, and then the generation moved: below 0 there are 2^32 more. */
		attachment->checks_left = 1;
	}

	if (is_mapped && !wants_name_check(attachment)) {
		return (bloom_presence)attachment->presence;
	}
	/* Numbers of another page are other generations' numbers: none of its files may be mapped by this one. */
	if (generation == BLOOM_GENERATION_DROPPED || generation == BLOOM_GENERATION_NONE ||
		bloom_attachment_naming(attachment) == BLOOM_NAMED_OTHER) {
		presence = attach_anew(attachment);
	} else {
		presence = is_mapped ? (bloom_presence)attachment->presence : map_anew(attachment);
	}
	if (presence == BLOOM_UNAVAILABLE) {
		attachment->map_failures++;
	}
	return presence;
}

bool bloom_attachment_test(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes)
{
	bloom_digest digest = bloom_hash(&attachment->hasher, key, key_bytes);
	bloom_live *overlay = &attachment->overlay;
	bloom_answer answer;

	switch (attachment->kind) {
	case BLOOM_KIND_SCALABLE:
		return bloom_scalable_test(&attachment->live, digest);
	case BLOOM_KIND_SLIDING:
		return bloom_sliding_test(&attachment->live, digest, bloom_monotonic_ms());
	case BLOOM_KIND_REVERSE:
		return bloom_reverse_test(&attachment->live.reverse, digest);
	case BLOOM_KIND_ON_DEMAND:
		answer = bloom_cache_test(&attachment->cache, digest);
		if (answer == BLOOM_NOT_HERE) {
			bloom_increment(&attachment->cache.head->unavailable);
		}
		return answer != BLOOM_NO;
	default:
		break;
	}
	if (attachment->kind == BLOOM_KIND_LOADED && attachment->head.geometry.groups != 0) {
		return bloom_reverse_test(&attachment->reverse, digest);
	}
	if (attachment->kind == BLOOM_KIND_LOADED && attachment->head.geometry.stripes != 0
			? bloom_ribbon_test(&attachment->ribbon, digest)
			: bloom_view_test(&attachment->view, digest)) {
		return true;
	}
	return overlay->head != NULL &&
		bloom_sliding_test(overlay, bloom_hash(&overlay->hasher, key, key_bytes),
			bloom_monotonic_ms());
}

void bloom_attachment_trim(bloom_attachment *attachment)
{
	uint64_t generation;

	unmap_retired(attachment);
	if (attachment->control == NULL) {
		return;
	}
	generation = bloom_load_relaxed(&attachment->control->generation);
	if (generation == BLOOM_GENERATION_DROPPED) {
		release(attachment);
	} else if (generation != attachment->generation) {
		unmap_generation(attachment);
	}
}

bloom_naming bloom_attachment_naming(const bloom_attachment *attachment)
{
	char path[BLOOM_PATH_BYTES_MAX + BLOOM_NAME_BYTES_MAX + sizeof BLOOM_CONTROL_NAME + 2];
	bloom_identity named;
	bloom_status status;

	(void)snprintf(path, sizeof path, "%s/%s/%s", attachment->segment->path, attachment->name,
		BLOOM_CONTROL_NAME);
	status = bloom_path_identity(path, &named, NULL);
	if (status != BLOOM_OK) {
		return status == BLOOM_E_NOT_FOUND ? BLOOM_UNNAMED : BLOOM_NAMING_UNKNOWN;
	}
	return bloom_is_same_file(&named, &attachment->identity) ? BLOOM_NAMED : BLOOM_NAMED_OTHER;
}

#include "kinds/verify.h"

#include <stdio.h>

#include "filter/atomic.h"
#include "os/clock.h"
#include "segment/sync_due.h"
#include "segment/switch.h"
#include "segment/sync_lease.h"

/* ---- the position ---- */

/* Returns the first piece that is due, or 0 if the page has no valid position in this
 * generation. */
static uint64_t position(const bloom_control *control, uint64_t generation, uint64_t pieces)
{
	uint64_t next = bloom_load_relaxed(&control->verify_next);

	return bloom_load_relaxed(&control->verify_generation) == generation && next < pieces ? next
											      : 0;
}

bloom_part bloom_verify_due(const bloom_control *control, uint64_t generation, uint64_t pieces,
	uint64_t piece_bytes, uint64_t now_ms)
{
	bloom_part part = {.first = position(control, generation, pieces)};
	uint64_t elapsed_ms = 0;
	uint64_t least = BLOOM_PART_BYTES_MIN / piece_bytes;
	uint64_t most = BLOOM_PART_BYTES_MAX / piece_bytes;

	if (bloom_load_relaxed(&control->verify_generation) == generation) {
		elapsed_ms =
			bloom_clock_elapsed_ms(now_ms, bloom_load_relaxed(&control->verify_ms));
	}
	if (elapsed_ms > BLOOM_PASS_MS) {
		elapsed_ms = BLOOM_PASS_MS;
	}
	/* The product cannot overflow: it is at most 2^32 shards times 2^27 ms. */
	part.count = (pieces * elapsed_ms + BLOOM_PASS_MS - 1) / BLOOM_PASS_MS;
	part.count = part.count > most ? most : part.count;
	part.count = part.count < least ? least : part.count;
	part.count = part.count == 0 ? 1 : part.count;
	if (part.count > pieces - part.first) {
		part.count = pieces - part.first;
	}
	return part;
}

void bloom_verify_passed(bloom_control *control, uint64_t generation, uint64_t pieces,
	bloom_part part, uint64_t now_ms)
{
	uint64_t next = part.first + part.count;

	if (next >= pieces) {
		next = 0;
		bloom_store_relaxed(&control->verified_ms, bloom_clock_ms());
	} else if (bloom_load_relaxed(&control->verify_generation) != generation) {
		bloom_store_relaxed(&control->verified_ms, 0);
	}
	bloom_store_relaxed(&control->verify_next, next);
	bloom_store_relaxed(&control->verify_ms, now_ms);
	/* Store the generation last. If the process is killed before this line, the position still
	 * belongs to a different generation and is ignored. */
	bloom_store_relaxed(&control->verify_generation, generation);
}

/* ---- verifying ---- */

/* Records in the control page how the served file is damaged. */
static void note(bloom_control *control, const bloom_error *error)
{
	char text[BLOOM_CONTROL_TEXT_BYTES];

	(void)snprintf(text, sizeof text, "the served file is damaged: %.300s: %s", error->subject,
		bloom_status_sentence(error->status));
	bloom_sync_note(control, error->status, text);
	bloom_increment(&control->damages);
	bloom_store_relaxed(&control->damaged_ms, bloom_clock_ms());
}

/* Returns the number of pieces that can be verified individually, and stores their size. Returns 0
 * if the kind's files have no checksums. */
static uint64_t pieces_of(const bloom_attachment *served, uint64_t *piece_bytes)
{
	*piece_bytes = 1;
	return bloom_attachment_is_mapped(served) && served->ops->pieces != NULL
		? served->ops->pieces(served, piece_bytes)
		: 0;
}

/* Returns false if the generation is damaged. */
static bool verify_part(bloom_attachment *served, bloom_part part)
{
	bool one_by_one = served->ops->gives_up_pieces;
	uint64_t end = part.first + part.count, step = one_by_one ? 1 : part.count;
	bloom_error error = {0};
	uint64_t piece, withdrawn;

	for (piece = part.first; piece < end; piece += step) {
		if (served->ops->verify(served, piece, step, &error) == BLOOM_OK) {
			continue;
		}
		note(served->control, &error);
		if (!one_by_one) {
			(void)bloom_segment_withdraw(served->segment, served->name, served->control,
				served->generation, &withdrawn, NULL);
			return false;
		}
	}
	return true;
}

bool bloom_verify_served(bloom_attachment *served, bool all, bloom_control *leased, uint64_t *lease)
{
	uint64_t piece_bytes, pieces = pieces_of(served, &piece_bytes);
	uint64_t step = BLOOM_PART_BYTES_MAX / piece_bytes;
	bloom_part part;

	if (pieces == 0) {
		return true;
	}
	if (!all) {
		part = bloom_verify_due(served->control, served->generation, pieces, piece_bytes,
			bloom_monotonic_ms());
		if (!verify_part(served, part)) {
			return false;
		}
		bloom_verify_passed(
			served->control, served->generation, pieces, part, bloom_monotonic_ms());
		return true;
	}
	step = step == 0 ? 1 : step;
	for (part = (bloom_part){0}; part.first < pieces; part.first += part.count) {
		part.count = pieces - part.first < step ? pieces - part.first : step;
		if (!verify_part(served, part)) {
			return false;
		}
		bloom_verify_passed(
			served->control, served->generation, pieces, part, bloom_monotonic_ms());
		bloom_lease_renew(leased, bloom_monotonic_ms(), lease);
	}
	return true;
}

/* Returns true if the status means that the file is damaged. An unknown version or scheme does not
 * mean damage: a different build of the extension wrote the file. */
static bool is_damage(bloom_status status)
{
	return bloom_status_group_of(status) == BLOOM_GROUP_FORMAT && status != BLOOM_E_VERSION &&
		status != BLOOM_E_SCHEME;
}

void bloom_verify_unmappable(const bloom_segment *segment, const char *name, bloom_control *control,
	uint64_t generation, const bloom_error *error)
{
	uint64_t withdrawn;

	if (is_damage(error->status) && bloom_load_relaxed(&control->kind) == BLOOM_KIND_LOADED) {
		note(control, error);
		(void)bloom_segment_withdraw(segment, name, control, generation, &withdrawn, NULL);
	}
}

/* ---- progress ---- */

double bloom_verify_progress(const bloom_attachment *served)
{
	uint64_t piece_bytes, pieces = pieces_of(served, &piece_bytes);

	return pieces == 0
		? 0
		: (double)position(served->control, served->generation, pieces) / (double)pieces;
}

uint64_t bloom_verify_last_ms(const bloom_attachment *served)
{
	uint64_t passed = bloom_load_relaxed(&served->control->verified_ms);

	return bloom_load_relaxed(&served->control->verify_generation) == served->generation &&
			passed != 0
		? passed
		: bloom_load_relaxed(&served->control->loaded_ms);
}

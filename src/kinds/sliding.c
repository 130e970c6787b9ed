#include "kinds/sliding.h"

#include <string.h>

#include "kinds/attachment_state.h"
#include "os/clock.h"

enum { TURN_SLOT_BITS = 2 };

static uint64_t turn_of(uint64_t start_ms, uint32_t slot)
{
	return start_ms << TURN_SLOT_BITS | slot;
}

static uint64_t start_of(uint64_t turn)
{
	return turn >> TURN_SLOT_BITS;
}

/* The modulo turns even a damaged word into a valid slot. */
static uint32_t slot_of(uint64_t turn)
{
	return (uint32_t)(turn & ((1 << TURN_SLOT_BITS) - 1)) % BLOOM_SLOTS;
}

static uint32_t after(uint32_t slot)
{
	return (slot + 1) % BLOOM_SLOTS;
}

static uint64_t half_window_ms(const bloom_live *live)
{
	return live->known.params.window_ms / 2;
}

/* Returns the number of half windows since the turn began. */
static uint64_t halves_since(const bloom_live *live, uint64_t turn, uint64_t now_ms)
{
	return now_ms > start_of(turn) ? (now_ms - start_of(turn)) / half_window_ms(live) : 0;
}

bool bloom_sliding_test(const bloom_live *live, bloom_digest digest, uint64_t now_ms)
{
	enum { TRIES_MAX = 10 };
	uint64_t turn = bloom_load_acquire(&live->head->turn), before, halves;
	uint32_t slot;
	int i;

	for (i = 0; i < TRIES_MAX; i++) {
		halves = halves_since(live, turn, now_ms);
		if (halves >= 2) {
			return false;
		}
		slot = halves == 0 ? slot_of(turn) : after(slot_of(turn));
		if (bloom_view_test(&live->view[slot], digest)) {
			return true;
		}
		bloom_fence();
		before = turn;
		turn = bloom_load_acquire(&live->head->turn);
		if (turn == before) {
			return false;
		}
	}
	return true; /* the turn changed during every try: maybe */
}

static void clear_slot(bloom_live *live, uint32_t slot)
{
	bloom_geometry geometry = bloom_live_geometry(&live->known, slot);
	uint64_t *word = (uint64_t *)(void *)bloom_live_bits(live, slot);
	uint64_t *end = word + bloom_geometry_bytes(&geometry) / sizeof *word;

	for (; word < end; word++) {
		bloom_store_relaxed(word, 0);
	}
	bloom_store_relaxed(&live->head->layer[slot].keys, 0);
}

/* Ends the turns that are over. Clears at most two slots, because all keys expire after two turns.
 * Clearing a slot may take longer than a turn, so the function reads the clock again afterwards.
 * The caller holds the lock. */
static void end_turns(bloom_live *live, uint64_t (*now_ms)(void))
{
	uint64_t turn = bloom_load_acquire(&live->head->turn), half = half_window_ms(live);
	uint64_t now = now_ms(), start = start_of(turn), halves = halves_since(live, turn, now);
	uint32_t slot = slot_of(turn), spare = after(after(slot));

	if (start > now) {
		/* The clock shows a time before the start of the turn, because the host was
		 * rebooted. Restart the turn, which then lasts for half a window. */
		bloom_store_release(&live->head->turn, turn_of(now, slot));
		return;
	}
	if (halves == 0) {
		return; /* another process has ended the turn */
	}
	clear_slot(live, spare);
	halves = halves_since(live, turn, now_ms());
	if (halves < 2) {
		bloom_store_release(&live->head->turn, turn_of(start + half, after(slot)));
		return;
	}
	/* A whole window has passed. Lookups answer "no" until the next turn is stored, so this
	 * function can clear the second slot, too. */
	clear_slot(live, slot);
	start += halves * half;
	now = now_ms();
	if (now - start >= half) {
		start = now; /* otherwise the new turn would be over already */
	}
	bloom_store_release(&live->head->turn, turn_of(start, spare));
}

static bloom_status end_turns_locked(bloom_live *live, const bloom_segment *segment,
	const char *name, uint64_t (*now_ms)(void), bloom_error *error)
{
	int file = -1;
	bloom_status status = bloom_filelock_take(
		&live->lock, segment, name, 0, segment->lock_timeout_ms, &file, error);

	if (status == BLOOM_OK) {
		end_turns(live, now_ms);
		bloom_filelock_release(file, 0);
	}
	return status;
}

bloom_status bloom_sliding_add(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, uint64_t (*now_ms)(void), bool *is_new, bloom_error *error)
{
	bloom_status status;
	bool added = false;
	uint64_t turn, now;

	do {
		turn = bloom_load_acquire(&live->head->turn);
		now = now_ms();
		if (now < start_of(turn) || halves_since(live, turn, now) > 0) {
			status = end_turns_locked(live, segment, name, now_ms, error);
			if (status != BLOOM_OK) {
				return status;
			}
			turn = bloom_load_acquire(&live->head->turn);
		}
		added |= bloom_live_add(live, slot_of(turn), digest);
		(void)bloom_live_add(live, after(slot_of(turn)), digest);
		bloom_fence();
		/* Check the turn again, because the process may have been stopped for any length of
		 * time between these lines. */
	} while (bloom_load_acquire(&live->head->turn) != turn ||
		halves_since(live, turn, now_ms()) > 0);
	*is_new = added;
	return BLOOM_OK;
}

bloom_turn bloom_sliding_turn(const bloom_live *live, uint64_t now_ms)
{
	uint64_t turn = bloom_load_acquire(&live->head->turn);
	uint64_t halves = halves_since(live, turn, now_ms);
	uint32_t current = halves == 0 ? slot_of(turn) : after(slot_of(turn));
	uint64_t end = start_of(turn) + half_window_ms(live) * (halves < 2 ? halves + 1 : 2);

	return (bloom_turn){
		.current = current,
		.next = after(current),
		.is_empty = halves >= 2,
		.left_ms = end > now_ms ? end - now_ms : 0,
	};
}

/* ---- operations ---- */

static bloom_status check(const bloom_live_params *params)
{
	return params->window_ms >= BLOOM_WINDOW_MS_MIN && params->window_ms <= BLOOM_WINDOW_MS_MAX
		? BLOOM_OK
		: BLOOM_E_WINDOW;
}

static void begin(bloom_live_head *head)
{
	head->turn = turn_of(bloom_monotonic_ms(), 0);
}

static bloom_layer_range answering(const bloom_live *live)
{
	bloom_turn turn = bloom_sliding_turn(live, bloom_monotonic_ms());

	return (bloom_layer_range){.first = turn.current, .count = 1, .is_empty = turn.is_empty};
}

static bool test(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes)
{
	return bloom_sliding_test(attachment->live, bloom_hash(&attachment->hasher, key, key_bytes),
		bloom_monotonic_ms());
}

static bloom_status add(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes,
	bool *is_new, bloom_error *error)
{
	return bloom_sliding_add(attachment->live, attachment->segment, attachment->name,
		bloom_hash(&attachment->hasher, key, key_bytes), bloom_monotonic_ms, is_new, error);
}

/* Copies the current slot, and retries if the turn changes during the copy. */
static bloom_status copy(const bloom_attachment *attachment, const bloom_meta *meta,
	bloom_builder *builder, bloom_error *error)
{
	enum { TRIES_MAX = 10 };
	const bloom_live *live = attachment->live;
	bloom_geometry geometry = bloom_live_geometry(&live->known, 0);
	bloom_turn turn;
	bloom_status status;
	uint64_t before;
	int i;

	for (i = 0; i < TRIES_MAX; i++) {
		before = bloom_load_acquire(&live->head->turn);
		turn = bloom_sliding_turn(live, bloom_monotonic_ms());
		status = bloom_builder_start(&geometry, meta,
			turn.is_empty ? NULL : bloom_live_bits(live, turn.current), builder, error);
		bloom_fence();
		if (status != BLOOM_OK || bloom_load_acquire(&live->head->turn) == before) {
			return status;
		}
		bloom_builder_free(builder);
	}
	return bloom_fail(
		error, BLOOM_E_BUSY, 0, "the filter rotated during every attempt to copy it");
}

/* ---- snapshots ---- */

/* Empties a slot of a file that no other process has mapped yet. */
static void empty_slot(bloom_live_head *head, uint32_t slot)
{
	bloom_geometry geometry = bloom_live_geometry(head, slot);

	memset((unsigned char *)head + head->layer[slot].offset, 0,
		(size_t)bloom_geometry_bytes(&geometry));
	head->layer[slot].keys = 0;
}

/* The clock restarts at each boot, so the turn may have begun before the clock's zero. The turn
 * then starts at zero, and keys are found for up to half a window longer. */
static uint64_t start_before(uint64_t now_ms, uint64_t age_ms)
{
	return now_ms > age_ms ? now_ms - age_ms : 0;
}

static void resume(
	bloom_live_head *head, uint64_t saved_at_ms, uint64_t elapsed_ms, uint64_t now_ms)
{
	uint64_t start = start_of(head->turn), half = head->params.window_ms / 2;
	uint64_t age = elapsed_ms + (saved_at_ms > start ? saved_at_ms - start : 0);
	uint32_t slot = slot_of(head->turn);

	if (age < elapsed_ms || age >= 2 * half) {
		empty_slot(head, slot);
		empty_slot(head, after(slot));
		head->turn = turn_of(now_ms, slot);
	} else if (age < half) {
		head->turn = turn_of(start_before(now_ms, age), slot);
	} else {
		empty_slot(head, after(after(slot)));
		head->turn = turn_of(start_before(now_ms, age - half), after(slot));
	}
}

static const bloom_live_layout layout = {
	.resume = resume,
	.check = check,
	.begin = begin,
	.answering = answering,
	.layers = BLOOM_SLOTS,
	.layers_max = BLOOM_SLOTS,
};

const bloom_kind_ops bloom_kind_sliding = {
	.kind = BLOOM_KIND_SLIDING,
	.layout = &layout,
	.map = bloom_live_attach,
	.unmap = bloom_live_detach,
	.test = test,
	.add = add,
	.copy = copy,
};

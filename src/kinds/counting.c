#include "kinds/counting.h"

#include <stddef.h>
#include <string.h>

#include "filter/bytes.h"
#include "kinds/attachment_state.h"

/* An intent: the new values of some counters of one block. */
typedef struct bloom_intent {
	uint64_t counters; /* atomic: the number of entries; 0: no intent */
	uint64_t block;
	uint32_t bit[BLOOM_PROBES_MAX];
	unsigned char value[BLOOM_PROBES_MAX];
	unsigned char unused[BLOOM_INTENT_BYTES - 16 - 5 * BLOOM_PROBES_MAX];
} bloom_intent;

_Static_assert(sizeof(bloom_intent) == BLOOM_INTENT_BYTES, "the size of an intent is fixed");
_Static_assert(offsetof(bloom_intent, counters) == 0 && offsetof(bloom_intent, block) == 8 &&
		offsetof(bloom_intent, bit) == 16 && offsetof(bloom_intent, value) == 144,
	"the layout of an intent has changed");

/* An operation on one key: its block, its distinct bits, and the stripe whose lock protects them.
 */
typedef struct counted_key {
	bloom_live *live;
	bloom_intent *intent;
	uint64_t stripe;
	int file; /* valid while the stripe is locked */
	uint64_t block;
	uint32_t bits;
	uint32_t bit[BLOOM_PROBES_MAX];
	unsigned char value[BLOOM_PROBES_MAX];
} counted_key;

static void add_bit(counted_key *key, uint32_t bit)
{
	uint32_t i;

	for (i = 0; i < key->bits; i++) {
		if (key->bit[i] == bit) {
			return;
		}
	}
	key->bit[key->bits++] = bit;
}

static bloom_intent *intent_of(const bloom_live *live, uint64_t stripe)
{
	return (bloom_intent *)(void *)((unsigned char *)live->head + BLOOM_LIVE_HEAD_BYTES) +
		stripe;
}

static counted_key counted_key_of(bloom_live *live, bloom_digest digest)
{
	const bloom_view *view = &live->view[0];
	counted_key key = {.live = live};
	bloom_probe_walk walk = bloom_probe_walk_of(view, digest);
	uint32_t i;

	key.block = bloom_fast_range(digest, view->blocks);
	key.stripe = key.block % BLOOM_STRIPES;
	key.intent = intent_of(live, key.stripe);
	for (i = 0; i < view->probes; i++) {
		add_bit(&key, bloom_probe_next(&walk, view));
	}
	return key;
}

/* ---- counters ---- */

static unsigned char *counter_byte(const bloom_live *live, uint64_t block, uint32_t bit)
{
	bloom_geometry geometry = bloom_live_geometry(&live->known, 0);
	uint64_t index = block * geometry.block_bytes * 8 + bit;

	return bloom_live_bits(live, 0) + bloom_geometry_bytes(&geometry) + index / 2;
}

static unsigned char counter(const bloom_live *live, uint64_t block, uint32_t bit)
{
	unsigned char byte = bloom_load_byte(counter_byte(live, block, bit));

	return bit & 1 ? byte >> 4 : byte & 15;
}

/* Sets a counter and its bit. The caller holds the block's lock, so no other process writes the two
 * bytes that contain them. Loads and stores of whole bytes are enough: a lookup sees the old or the
 * new byte. */
static void set_counter(bloom_live *live, uint64_t block, uint32_t bit, unsigned char value)
{
	unsigned char *byte = counter_byte(live, block, bit);
	unsigned char *bits =
		bloom_live_bits(live, 0) + block * live->view[0].block_bytes + bit / 8;
	unsigned char mask = (unsigned char)(1u << (bit & 7));
	unsigned char both = bloom_load_byte(byte);

	bloom_store_byte(
		byte, (unsigned char)(bit & 1 ? (both & 15) | value << 4 : (both & 0xF0) | value));
	both = bloom_load_byte(bits);
	bloom_store_byte(bits, (unsigned char)(value > 0 ? both | mask : both & ~mask));
}

/* ---- intents ---- */

/* Applies an intent. This is idempotent, because an intent contains values, not increments. */
static void apply_intent(counted_key *key)
{
	bloom_intent *intent = key->intent;
	uint64_t counters = bloom_load_acquire(&intent->counters);
	/* Load the block number only once, because the page may be damaged after the check
	 * below. */
	uint64_t block = bloom_load_relaxed(&intent->block);
	uint64_t i;

	if (counters > BLOOM_PROBES_MAX || block >= key->live->view[0].blocks) {
		counters = 0; /* damaged: discard it */
	}
	for (i = 0; i < counters; i++) {
		set_counter(key->live, block, intent->bit[i] & key->live->view[0].lane_mask,
			intent->value[i] & 15);
	}
	bloom_store_release(&intent->counters, 0);
}

static void carry_out(counted_key *key)
{
	bloom_intent *intent = key->intent;
	uint32_t i;

	intent->block = key->block;
	for (i = 0; i < key->bits; i++) {
		intent->bit[i] = key->bit[i];
		intent->value[i] = key->value[i];
	}
	/* The commit point: if the process is killed after this store, the next lock holder replays
	 * the intent. */
	bloom_store_release(&intent->counters, key->bits);
	apply_intent(key);
}

/* Takes the lock, replays the intent of a killed process, and reads the counters. */
static bloom_status begin(
	counted_key *key, const bloom_segment *segment, const char *name, bloom_error *error)
{
	bloom_status status = bloom_filelock_take(&key->live->lock, segment, name, key->stripe,
		segment->lock_timeout_ms, &key->file, error);
	uint32_t i;

	if (status != BLOOM_OK) {
		return status;
	}
	if (bloom_load_acquire(&key->intent->counters) != 0) {
		apply_intent(key);
	}
	for (i = 0; i < key->bits; i++) {
		key->value[i] = counter(key->live, key->block, key->bit[i]);
	}
	return BLOOM_OK;
}

static uint32_t least(const counted_key *key)
{
	uint32_t lowest = BLOOM_COUNTER_MAX;
	uint32_t i;

	for (i = 0; i < key->bits; i++) {
		lowest = key->value[i] < lowest ? key->value[i] : lowest;
	}
	return lowest;
}

/* ---- adding, removing and counting ---- */

bloom_status bloom_counting_add(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, bool *is_new, bloom_error *error)
{
	counted_key key = counted_key_of(live, digest);
	bloom_status status = begin(&key, segment, name, error);
	uint32_t i;

	if (status != BLOOM_OK) {
		return status;
	}
	*is_new = least(&key) == 0;
	if (*is_new && live->known.params.is_bounded != 0) {
		status = bloom_live_check_room(live, name, error);
		if (status != BLOOM_OK) {
			bloom_filelock_release(key.file, key.stripe);
			return status;
		}
	}
	for (i = 0; i < key.bits; i++) {
		if (key.value[i] < BLOOM_COUNTER_MAX) {
			key.value[i]++;
		}
	}
	carry_out(&key);
	bloom_filelock_release(key.file, key.stripe);
	bloom_increment(&live->head->layer[0].keys);
	return BLOOM_OK;
}

bloom_status bloom_counting_remove(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, bool *removed, bloom_error *error)
{
	counted_key key = counted_key_of(live, digest);
	bloom_status status = begin(&key, segment, name, error);
	uint32_t i;

	if (status != BLOOM_OK) {
		return status;
	}
	*removed = least(&key) > 0;
	if (*removed) {
		for (i = 0; i < key.bits; i++) {
			if (key.value[i] < BLOOM_COUNTER_MAX) {
				key.value[i]--;
			}
		}
		carry_out(&key);
	}
	bloom_filelock_release(key.file, key.stripe);
	if (*removed) {
		bloom_decrement(&live->head->layer[0].keys);
	}
	return BLOOM_OK;
}

bloom_status bloom_counting_count(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, uint32_t *count, bloom_error *error)
{
	counted_key key = counted_key_of(live, digest);
	bloom_status status = begin(&key, segment, name, error);

	if (status == BLOOM_OK) {
		*count = least(&key);
		bloom_filelock_release(key.file, key.stripe);
	}
	return status;
}

/* ---- snapshots ---- */

static uint64_t counter_bytes_of(const bloom_view *view)
{
	return (uint64_t)view->block_bytes * 4;
}

/* Copies the counters of those blocks of a range that belong to one stripe. The caller holds the
 * stripe's lock. */
static void copy_stripe(
	const bloom_live *live, uint64_t first, uint64_t end, uint64_t stripe, unsigned char *copy)
{
	uint64_t each = counter_bytes_of(&live->view[0]), i;
	uint64_t block = first + (stripe + BLOOM_STRIPES - first % BLOOM_STRIPES) % BLOOM_STRIPES;

	for (; block < end; block += BLOOM_STRIPES) {
		const unsigned char *from = counter_byte(live, block, 0);

		for (i = 0; i < each; i += sizeof(uint64_t)) {
			uint64_t word =
				bloom_load_relaxed((const uint64_t *)(const void *)(from + i));

			memcpy(copy + (block - first) * each + i, &word, sizeof word);
		}
	}
}

/* Each block is copied under its lock, after the intent of a killed process has been replayed. So
 * the copy of a block is a state between two operations. One lock covers many blocks, and is held
 * for a few microseconds. */
static bloom_status save(bloom_live *live, const bloom_segment *segment, const char *name,
	uint64_t at, uint64_t bytes, unsigned char *copy, bloom_error *error)
{
	uint64_t each = counter_bytes_of(&live->view[0]);
	uint64_t first = at / each, end = (at + bytes) / each;
	uint64_t stripes = end - first < BLOOM_STRIPES ? end - first : BLOOM_STRIPES, i;
	bloom_status status = BLOOM_OK;

	for (i = 0; status == BLOOM_OK && i < stripes; i++) {
		counted_key key = {
			.live = live,
			.stripe = (first + i) % BLOOM_STRIPES,
		};

		key.intent = intent_of(live, key.stripe);
		status = begin(&key, segment, name, error);
		if (status == BLOOM_OK) {
			copy_stripe(live, first, end, key.stripe, copy);
			bloom_filelock_release(key.file, key.stripe);
		}
	}
	return status;
}

/* Returns the eight bits of eight counters of 4 bits. A bit is set if its counter is not 0. */
static unsigned char bits_of(uint32_t counters)
{
	counters |= counters >> 1;
	counters = (counters | counters >> 2) & 0x11111111;
	/* Move the lowest bits of the counters next to each other: pairs, fours, eights. */
	counters = (counters | counters >> 3) & 0x03030303;
	counters = (counters | counters >> 6) & 0x000F000F;
	return (unsigned char)(counters | counters >> 12);
}

/* No other process has mapped the file yet. */
static void restore(unsigned char *bits, uint64_t bits_bytes)
{
	const unsigned char *counters = bits + bits_bytes;
	uint64_t i;

	for (i = 0; i < bits_bytes; i++) {
		bits[i] = bits_of(bloom_get32(counters + 4 * i));
	}
}

/* ---- operations ---- */

static bloom_status add(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes,
	bool *is_new, bloom_error *error)
{
	return bloom_counting_add(attachment->live, attachment->segment, attachment->name,
		bloom_hash(&attachment->hasher, key, key_bytes), is_new, error);
}

static bloom_status remove_key(bloom_attachment *attachment, const unsigned char *key,
	size_t key_bytes, bool *removed, bloom_error *error)
{
	return bloom_counting_remove(attachment->live, attachment->segment, attachment->name,
		bloom_hash(&attachment->hasher, key, key_bytes), removed, error);
}

static bloom_status count(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes,
	uint32_t *times, bloom_error *error)
{
	return bloom_counting_count(attachment->live, attachment->segment, attachment->name,
		bloom_hash(&attachment->hasher, key, key_bytes), times, error);
}

static const bloom_live_layout layout = {
	.layers = 1,
	.layers_max = 1,
	.own_bytes = BLOOM_STRIPES * BLOOM_INTENT_BYTES,
	.counter_bits = 4,
	.view_answers = true,
	.may_be_bounded = true,
	.save = save,
	.restore = restore,
};

const bloom_kind_ops bloom_kind_counting = {
	.kind = BLOOM_KIND_COUNTING,
	.layout = &layout,
	.map = bloom_live_attach,
	.unmap = bloom_live_detach,
	.test = bloom_live_test_view,
	.add = add,
	.remove = remove_key,
	.count = count,
	.copy = bloom_live_copy,
};

#include "filter/foreign_export.h"

#include <string.h>

#include "filter/bytes.h"
#include "filter/foreign_layer.h"
#include "filter/foreign_size.h"

enum {
	FIXED_BYTES = 20,
	LAYER_BYTES = 53,
	/* No rounding to a power of two, and 64-bit hashes: set in every filter that is served. */
	OPTIONS_ALWAYS = 1 | 4,
	OPTION_NO_SCALING = 8,
	GROWTH_DEFAULT = 2,
	GROWTH_MAX = 32768,
};

static bloom_foreign_layer layer_of(const bloom_head *head, uint32_t number)
{
	return bloom_foreign_layer_get(head->layers + (uint64_t)number * BLOOM_ROW_BYTES);
}

/* ---- VALKEYPROB ---- */

static uint64_t bitmap_bytes(const bloom_head *head, const unsigned char *body)
{
	uint64_t count = (layer_of(head, 0).bits + 7) / 8;

	while (count > 0 && body[count - 1] == 0) {
		count--;
	}
	return count;
}

/* ---- REDISBLOOM ---- */

/* Sets the capacity of the first layer so that all layers together have the capacity of the head.
 * Returns false if no capacity does. */
static bool divide_capacity(const bloom_head *head, bloom_foreign_export *plan)
{
	uint64_t sum = 1, power = 1, capacity = head->meta.capacity_keys;
	uint32_t i;

	for (i = 1; i < head->geometry.layers; i++) {
		if (power > capacity / plan->growth) {
			return false;
		}
		power *= plan->growth;
		if (sum > capacity - power) {
			return false;
		}
		sum += power;
	}
	plan->capacity_keys = capacity / sum;
	return capacity % sum == 0 && capacity > 0;
}

/* Returns true if RedisBloom creates the layers of the blob by this plan. All layers but the last
 * one must be full, because their keys are not in the blob. */
static bool leads_to(const bloom_head *head, const bloom_foreign_export *plan)
{
	uint64_t capacity = plan->capacity_keys, full = 0;
	double rate = plan->rate;
	uint32_t i;

	for (i = 0; i < head->geometry.layers; i++) {
		bloom_foreign_layer expected, found = layer_of(head, i);

		if (!(rate > 0 && rate < 1) ||
			!bloom_foreign_layer_size(
				BLOOM_FOREIGN_REDISBLOOM, capacity, rate, &expected) ||
			expected.bits != found.bits || expected.probes != found.probes) {
			return false;
		}
		full += i + 1 < head->geometry.layers ? capacity : 0;
		capacity *= plan->growth;
		rate /= 2;
	}
	return head->keys >= full;
}

/* Finds what the header must say. A filter that grows gives its first layer half of the requested
 * rate, so that the sum over all layers stays below it. */
static bool find_chain(const bloom_head *head, bloom_foreign_export *plan)
{
	bool is_single = head->geometry.layers == 1;

	plan->rate = head->meta.target_rate;
	plan->growth = GROWTH_DEFAULT;
	plan->options = OPTIONS_ALWAYS | OPTION_NO_SCALING;
	plan->capacity_keys = head->meta.capacity_keys;
	if (is_single && leads_to(head, plan)) {
		return true;
	}
	plan->rate /= 2;
	plan->options = OPTIONS_ALWAYS;
	if (is_single) {
		return leads_to(head, plan);
	}
	for (plan->growth = 1; plan->growth <= GROWTH_MAX; plan->growth++) {
		if (divide_capacity(head, plan) && leads_to(head, plan)) {
			return true;
		}
	}
	return false;
}

static uint64_t chain_bytes(const bloom_head *head)
{
	uint64_t bytes = FIXED_BYTES + (uint64_t)head->geometry.layers * LAYER_BYTES;
	uint32_t i;

	for (i = 0; i < head->geometry.layers; i++) {
		bytes += layer_of(head, i).bits / 8;
	}
	return bytes;
}

static void put_double(unsigned char *at, double value)
{
	uint64_t word;

	memcpy(&word, &value, sizeof word);
	bloom_put64(at, word);
}

static void write_chain(const bloom_head *head, const unsigned char *body,
	const bloom_foreign_export *plan, unsigned char *bytes)
{
	uint32_t layers = head->geometry.layers, i;
	unsigned char *at = bytes + FIXED_BYTES, *bits = at + (uint64_t)layers * LAYER_BYTES;
	uint64_t capacity = plan->capacity_keys, left = head->keys, keys;
	double rate = plan->rate;

	bloom_put64(bytes, head->keys);
	bloom_put32(bytes + 8, layers);
	bloom_put32(bytes + 12, plan->options);
	bloom_put32(bytes + 16, plan->growth);
	for (i = 0; i < layers; i++, at += LAYER_BYTES) {
		bloom_foreign_layer layer = layer_of(head, i);

		keys = i + 1 < layers ? capacity : left;
		bloom_put64(at, layer.bits / 8);
		bloom_put64(at + 8, layer.bits);
		bloom_put64(at + 16, keys);
		put_double(at + 24, rate);
		put_double(at + 32, bloom_redisbloom_bits_per_key(rate));
		bloom_put32(at + 40, layer.probes);
		bloom_put64(at + 44, capacity);
		at[52] = 0;
		memcpy(bits, body, (size_t)(layer.bits / 8));
		bits += layer.bits / 8;
		body += (uint64_t)layer.shards * head->geometry.shard_bytes;
		left -= keys;
		capacity *= plan->growth;
		rate /= 2;
	}
}

/* ---- both ---- */

bloom_status bloom_foreign_export_plan(const bloom_head *head, const unsigned char *body,
	bloom_foreign_export *plan, bloom_error *error)
{
	bloom_foreign_export found = {0};

	switch (head->geometry.foreign) {
	case BLOOM_FOREIGN_VALKEYPROB:
		if (head->geometry.layers != 1) {
			return bloom_fail(error, BLOOM_E_NO_EXPORT, 0,
				"valkeyprob blob of %u layers instead of 1", head->geometry.layers);
		}
		found.bytes = bitmap_bytes(head, body);
		break;
	case BLOOM_FOREIGN_REDISBLOOM:
		if (!find_chain(head, &found)) {
			return bloom_fail(error, BLOOM_E_EXPORT_LAYERS, 0,
				"capacity %llu, keys %llu, layers %u",
				(unsigned long long)head->meta.capacity_keys,
				(unsigned long long)head->keys, head->geometry.layers);
		}
		found.bytes = chain_bytes(head);
		break;
	default:
		return bloom_fail(error, BLOOM_E_NO_EXPORT, 0, "blob");
	}
	*plan = found;
	return BLOOM_OK;
}

void bloom_foreign_export_write(const bloom_head *head, const unsigned char *body,
	const bloom_foreign_export *plan, unsigned char *bytes)
{
	if (head->geometry.foreign == BLOOM_FOREIGN_VALKEYPROB) {
		memcpy(bytes, body, (size_t)plan->bytes);
	} else {
		write_chain(head, body, plan, bytes);
	}
}

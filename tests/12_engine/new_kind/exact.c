/* An exact set: a table of 64-bit digests with linear probing, in the only layer of a live file. It
 * is the example of engine_new_kind.phpt.
 *
 *     layer 0   │ digest │ 0 │ digest │ digest │ 0 │ …     0: a free slot; at least half are free
 */
#include "kinds/attachment.h"

enum { SHARD_BYTES = 1024 };

/* Two slots for each key. */
static bloom_status choose(const bloom_live_params *params, uint64_t seed, bloom_geometry *geometry)
{
	*geometry = (bloom_geometry){
		.seed = seed,
		.shards = params->capacity_keys * 2 * sizeof(uint64_t) / SHARD_BYTES + 1,
		.shard_bytes = SHARD_BYTES,
		.block_bytes = BLOOM_BLOCK_BYTES_DEFAULT,
		.probes = 1,
	};
	return bloom_geometry_check(geometry);
}

/* The slot that has the digest, or the free one where it belongs; NULL: there is none, in a damaged
 * file. */
static uint64_t *find(const bloom_live *live, bloom_digest digest, uint64_t *mark)
{
	bloom_geometry geometry = bloom_live_geometry(&live->known, 0);
	uint64_t slots = bloom_geometry_bytes(&geometry) / sizeof(uint64_t), there, i;
	uint64_t *table = (uint64_t *)(void *)bloom_live_bits(live, 0), *slot;
	uint64_t first = bloom_fast_range(digest, slots);

	*mark = digest != 0 ? digest : 1;
	for (i = 0; i < slots; i++) {
		slot = table + (first + i) % slots;
		there = bloom_load_acquire(slot);
		if (there == 0 || there == *mark) {
			return slot;
		}
	}
	return NULL;
}

static bool test(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes)
{
	uint64_t mark;
	const uint64_t *slot =
		find(attachment->live, bloom_hash(&attachment->hasher, key, key_bytes), &mark);

	return slot == NULL || bloom_load_acquire(slot) == mark;
}

static bloom_status add(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes,
	bool *is_new, bloom_error *error)
{
	bloom_digest digest = bloom_hash(&attachment->hasher, key, key_bytes);
	bloom_live *live = attachment->live;
	uint64_t mark, *slot, *keys = &live->head->layer[0].keys;

	/* Another process may take the slot between the two calls: then the next one is looked for.
	 */
	do {
		slot = find(live, digest, &mark);
		if (slot != NULL && bloom_load_acquire(slot) == mark) {
			*is_new = false;
			return BLOOM_OK;
		}
		if (slot == NULL || bloom_load_relaxed(keys) >= live->known.params.capacity_keys) {
			return bloom_fail(error, BLOOM_E_SPACE, 0, "%.60s", attachment->name);
		}
	} while (!bloom_compare_swap(slot, 0, mark));
	bloom_increment(keys);
	*is_new = true;
	return BLOOM_OK;
}

static const bloom_live_layout layout = {
	.choose = choose,
	.layers = 1,
	.layers_max = 1,
};

const bloom_kind_ops bloom_kind_exact = {
	.kind = BLOOM_KIND_EXACT,
	.layout = &layout,
	.map = bloom_live_attach,
	.unmap = bloom_live_detach,
	.test = test,
	.add = add,
};

#include "kinds/scalable.h"

#include <math.h>

#include "filter/rate.h"
#include "kinds/attachment_state.h"
#include "segment/memory_limit.h"
#include "segment/tidy.h"
#include "os/clock.h"

static bloom_status follow(bloom_live *live, bloom_error *error)
{
	return BLOOM_LIKELY(bloom_load_acquire(&live->head->layers) == live->layers)
		? BLOOM_OK
		: bloom_live_follow(live, error);
}

static bool test_layers(const bloom_live *live, bloom_digest digest)
{
	uint32_t i;

	for (i = live->layers; i > 0; i--) {
		if (bloom_view_test(&live->view[i - 1], digest)) {
			return true;
		}
	}
	return false;
}

bool bloom_scalable_test(bloom_live *live, bloom_digest digest)
{
	return follow(live, NULL) != BLOOM_OK || test_layers(live, digest);
}

/* Chooses a line geometry (filter/view.h) instead of one with some more probes if that takes at
 * most an eighth more memory. Every lookup tests every layer, and a line filter is tested about
 * twice as fast. */
static void prefer_line(bloom_params params, uint64_t seed, bloom_geometry *geometry)
{
	enum { LINE_PROBES_MAX = 7 };
	bloom_geometry line;

	params.probes = LINE_PROBES_MAX;
	params.block_bytes = BLOOM_BLOCK_BYTES_DEFAULT;
	if (geometry->block_bytes == params.block_bytes && geometry->probes > params.probes &&
		bloom_geometry_choose(&params, seed, &line) == BLOOM_OK &&
		bloom_geometry_bytes(&line) <= bloom_geometry_bytes(geometry) / 8 * 9) {
		*geometry = line;
	}
}

/* Chooses the geometry of the next layer.
 *
 * Layers grow while their rates fall, so the formula may give a late layer a rate below the
 * probability that an absent key has the digest of one of the layer's keys. No layer can keep such
 * a rate, so the layer gets at least twice that probability. */
static bloom_status next_layer(
	const bloom_live *live, bloom_geometry *geometry, bloom_params *params, bloom_error *error)
{
	const bloom_live_params *asked = &live->known.params;
	const bloom_layer *newest = &live->known.layer[live->layers - 1];
	double capacity = ceil((double)newest->capacity_keys * asked->growth);
	double rate = asked->rate * (1 - asked->tightening) *
		pow(asked->tightening, (double)live->layers);
	bloom_status status = BLOOM_E_CAPACITY;

	if (live->layers < BLOOM_LAYERS_MAX && capacity <= (double)BLOOM_CAPACITY_MAX) {
		*params = (bloom_params){
			.capacity_keys = (uint64_t)capacity,
			.rate = fmax(rate, 2 * bloom_rate_floor((uint64_t)capacity)),
			.is_layer = true,
		};
		/* The fingerprint is not set here, because all layers use the fingerprint of the
		 * head. */
		status = bloom_geometry_choose(params, live->known.seed, geometry);
		if (status == BLOOM_OK) {
			prefer_line(*params, live->known.seed, geometry);
		}
	}
	return status == BLOOM_OK ? status : bloom_fail(error, status, 0, "layer");
}

/* Extends the file to `end`. The caller holds the filter's lock. */
static bloom_status lengthen(
	const bloom_segment *segment, int file, uint64_t end, bloom_error *error)
{
	uint64_t before = 0;
	bloom_filter_dir lock;
	bloom_status status = bloom_open_file_bytes(file, &before, error);

	if (status == BLOOM_OK) {
		status = bloom_file_check_linked(file, error);
	}
	if (status != BLOOM_OK || before >= end) {
		return status;
	}
	status = bloom_limit_lock(segment, end - before, &lock, error);
	if (status == BLOOM_OK) {
		status = bloom_file_allocate(file, before, end - before, error);
	}
	bloom_filter_dir_close(&lock);
	return status;
}

/* Appends a layer to the file. The caller holds the lock. */
static bloom_status grow_locked(
	bloom_live *live, const bloom_segment *segment, int file, bloom_error *error)
{
	uint64_t layers = live->layers;
	bloom_geometry newest = bloom_live_geometry(&live->known, live->layers - 1), geometry;
	uint64_t offset = live->known.layer[layers - 1].offset +
		bloom_live_layer_bytes(BLOOM_KIND_SCALABLE, &newest),
		 end;
	bloom_params params;
	bloom_status status;

	if (bloom_load_acquire(&live->head->layers) != layers) {
		return BLOOM_OK; /* another process has appended the layer */
	}
	status = next_layer(live, &geometry, &params, error);
	if (status != BLOOM_OK) {
		return status;
	}
	end = offset + bloom_live_layer_bytes(BLOOM_KIND_SCALABLE, &geometry);
	status = lengthen(segment, file, end, error);
	if (bloom_segment_sweep_if_full(segment, status)) {
		status = lengthen(segment, file, end, error);
	}
	if (status == BLOOM_OK) {
		bloom_live_layer_write((bloom_layer *)(void *)&live->head->layer[layers], &geometry,
			offset, params.capacity_keys, params.rate);
		bloom_store_release(&live->head->layers, layers + 1);
	}
	return status;
}

enum { PAUSE_MS = 1000, PAUSE_FACTOR = 10 };

/* Appends a layer, or waits for the process that is appending one. Adding to the full layer instead
 * would be wrong: while the appending process is not scheduled, other processes could set every bit
 * of the layer. Every key would then appear to be in the layer. */
static void grow(bloom_live *live, const bloom_segment *segment, const char *name)
{
	uint64_t start = bloom_monotonic_ms(), now;
	int file = -1;
	bloom_status status = bloom_filelock_take(
		&live->lock, segment, name, 0, segment->lock_timeout_ms, &file, NULL);

	if (status == BLOOM_OK) {
		status = grow_locked(live, segment, file, NULL);
		bloom_filelock_release(file, 0);
	}
	if (status == BLOOM_OK) {
		if (bloom_load_relaxed(&live->head->growth_retry_ms) != 0) {
			bloom_store_relaxed(&live->head->growth_retry_ms, 0);
		}
	} else {
		bloom_increment(&live->head->growth_failures);
		/* The pause grows with the duration of this attempt, including the wait for the
		 * lock. So if the lock holder is stopped, adds do not spend most of their time
		 * waiting for the lock. */
		now = bloom_monotonic_ms();
		bloom_store_relaxed(&live->head->growth_retry_ms,
			now + PAUSE_MS + PAUSE_FACTOR * (now - start));
	}
}

/* Returns true if the newest layer is full and no pause after a failure is in effect. */
static bool wants_to_grow(const bloom_live *live, const bloom_segment *segment)
{
	uint32_t newest = live->layers - 1;
	uint64_t longest_ms = PAUSE_MS + PAUSE_FACTOR * (segment->lock_timeout_ms + PAUSE_MS);
	uint64_t retry;

	if (BLOOM_LIKELY(bloom_load_relaxed(&live->head->layer[newest].keys) <
		    live->known.layer[newest].capacity_keys)) {
		return false;
	}
	retry = bloom_load_relaxed(&live->head->growth_retry_ms);
	if (retry == 0) {
		return true;
	}
	return bloom_clock_remaining_ms(bloom_monotonic_ms(), retry, longest_ms) == 0;
}

/* Lets lookups test all mapped layers, before bits of the newest one are set. */
static void begin_layers(bloom_live *live)
{
	uint64_t *basis = &live->head->read_to.basis, before = bloom_load_relaxed(basis);

	while (BLOOM_UNLIKELY(bloom_basis_layers(before) < live->layers)) {
		if (bloom_compare_swap(
			    basis, before, before - bloom_basis_layers(before) + live->layers)) {
			bloom_fence();
		}
		before = bloom_load_relaxed(basis);
	}
}

bloom_status bloom_scalable_add(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, bool *is_new, bloom_error *error)
{
	bloom_status status = follow(live, error);

	if (status != BLOOM_OK) {
		return status;
	}
	/* Grow before the lookup. If all bits of a layer were set, no key would be new, and the
	 * filter would never grow. */
	if (wants_to_grow(live, segment)) {
		grow(live, segment, name);
		status = follow(live, error);
		if (status != BLOOM_OK) {
			return status;
		}
	}
	*is_new = !test_layers(live, digest);
	if (*is_new) {
		begin_layers(live);
		(void)bloom_live_add(live, live->layers - 1, digest);
	}
	return BLOOM_OK;
}

/* Appends layers until there are more than `layer`. */
static bloom_status grow_to(bloom_live *live, const bloom_segment *segment, const char *name,
	uint32_t layer, bloom_error *error)
{
	bloom_status status = follow(live, error);
	int file;

	while (status == BLOOM_OK && live->layers <= layer) {
		file = -1;
		status = bloom_filelock_take(
			&live->lock, segment, name, 0, segment->lock_timeout_ms, &file, error);
		if (status == BLOOM_OK) {
			status = grow_locked(live, segment, file, error);
			bloom_filelock_release(file, 0);
		}
		if (status == BLOOM_OK) {
			status = follow(live, error);
		}
	}
	return status;
}

bloom_status bloom_scalable_merge(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_live *from, bloom_error *error)
{
	bloom_status status = follow(from, error);
	bloom_geometry geometry;
	uint32_t i;

	/* Other processes may append layers to `from`. Keys in these were not in it at the call. */
	for (i = 0; status == BLOOM_OK && i < from->layers; i++) {
		status = grow_to(live, segment, name, i, error);
		if (status == BLOOM_OK) {
			begin_layers(live);
			geometry = bloom_live_geometry(&from->known, i);
			status = bloom_live_merge(live, i, &geometry, bloom_live_bits(from, i),
				bloom_load_relaxed(&from->head->layer[i].keys), name, error);
		}
	}
	return status;
}

/* ---- operations ---- */

static bool is_within(double value, double least, double most)
{
	return value >= least && value <= most; /* false for NaN */
}

static bloom_status check(const bloom_live_params *params)
{
	if (!is_within(params->growth, 1.1, 16)) {
		return BLOOM_E_GROWTH;
	}
	return is_within(params->tightening, 0.1, 0.99) ? BLOOM_OK : BLOOM_E_TIGHTENING;
}

/* Almeida et al.: P0 = P · (1 − r), so that the rates of all layers add up to P. */
static double first_rate(const bloom_live_params *params)
{
	return params->rate * (1 - params->tightening);
}

static bool test(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes)
{
	return bloom_scalable_test(
		attachment->live, bloom_hash(&attachment->hasher, key, key_bytes));
}

static bloom_status add(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes,
	bool *is_new, bloom_error *error)
{
	return bloom_scalable_add(attachment->live, attachment->segment, attachment->name,
		bloom_hash(&attachment->hasher, key, key_bytes), is_new, error);
}

static const bloom_live_layout layout = {
	.check = check,
	.first_rate = first_rate,
	.layers = 1,
	.layers_max = BLOOM_LAYERS_MAX,
};

const bloom_kind_ops bloom_kind_scalable = {
	.kind = BLOOM_KIND_SCALABLE,
	.layout = &layout,
	.map = bloom_live_attach,
	.unmap = bloom_live_detach,
	.test = test,
	.add = add,
};

#include "build/builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "build/solve.h"
#include "filter/blob_write.h"
#include "filter/compiler.h"
#include "filter/digest_sort.h"
#include "filter/foreign_size.h"
#include "filter/measure.h"
#include "filter/rate.h"
#include "os/mapping.h"
#include "os/parallel.h"

/* Writes the layer row of a foreign filter to its place in the head, where lookups need it. */
static void place_layer(bloom_builder *builder)
{
	const bloom_geometry *geometry = &builder->geometry;
	unsigned char *row = builder->image + BLOOM_HEAD_FIXED_BYTES +
		(geometry->shards + bloom_chunk_count(geometry, builder->meta.chunk_bytes)) *
			BLOOM_ROW_BYTES;

	bloom_foreign_layer_put(&builder->layer, row);
	builder->foreign = (bloom_foreign){.rows = row,
		.bits = builder->bits,
		.bytes = bloom_geometry_bytes(geometry),
		.format = (bloom_foreign_format)geometry->foreign,
		.layers = geometry->layers,
		.shard_bytes = geometry->shard_bytes};
}

/* Allocates the key counts and the image, which consists of the head and the shards. */
static bloom_status allocate_image(bloom_builder *builder, bloom_error *error)
{
	uint64_t head_bytes = bloom_head_bytes(&builder->geometry, builder->meta.chunk_bytes);
	bloom_status status;

	builder->image_bytes = head_bytes + bloom_geometry_bytes(&builder->geometry);
	status = bloom_memory_check(builder->image_bytes, error);
	if (status != BLOOM_OK) {
		return status;
	}
	builder->shard_keys = calloc((size_t)builder->geometry.shards, sizeof *builder->shard_keys);
	if (builder->shard_keys == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "builder");
	}
	status = bloom_map_private(builder->image_bytes, &builder->image, error);
	if (status != BLOOM_OK) {
		free(builder->shard_keys);
		return status;
	}
	builder->bits = builder->image + head_bytes;
	builder->view = bloom_view_of(&builder->geometry, builder->bits);
	if (builder->geometry.groups != 0) {
		builder->reverse = bloom_reverse_of(&builder->geometry, builder->bits);
	}
	if (builder->geometry.layers != 0) {
		place_layer(builder);
	}
	return BLOOM_OK;
}

/* Completes a builder whose geometry, capacity and target rate are set. */
static bloom_status init_image(bloom_builder *fresh, const bloom_secret *secret,
	uint32_t chunk_bytes, bloom_builder *builder, bloom_error *error)
{
	bloom_status status;

	if (chunk_bytes == 0) {
		chunk_bytes = BLOOM_CHUNK_BYTES_DEFAULT;
	}
	status = bloom_chunk_bytes_check(&fresh->geometry, chunk_bytes);
	if (status != BLOOM_OK) {
		return bloom_fail(error, status, 0, "builder");
	}
	fresh->hasher = bloom_hasher_of(fresh->geometry.seed, secret);
	fresh->meta.chunk_bytes = chunk_bytes;
	status = allocate_image(fresh, error);
	/* If the filter is too large for this machine, the caller still receives the geometry. */
	if (status == BLOOM_OK || bloom_memory_check(fresh->image_bytes, NULL) != BLOOM_OK) {
		*builder = *fresh;
	}
	return status;
}

bloom_status bloom_builder_init(const bloom_params *params, uint64_t seed, uint32_t chunk_bytes,
	bloom_builder *builder, bloom_error *error)
{
	bloom_builder fresh = {0};
	bloom_status status = bloom_geometry_choose(params, seed, &fresh.geometry);

	if (status != BLOOM_OK) {
		return bloom_fail(error, status, 0, "builder");
	}
	if (fresh.geometry.layers != 0) {
		(void)bloom_foreign_layer_size(
			params->foreign, params->capacity_keys, params->rate, &fresh.layer);
		fresh.layer.shards = (uint32_t)fresh.geometry.shards;
	}
	fresh.keeps_last = params->keeps_last;
	fresh.meta.capacity_keys = params->capacity_keys;
	fresh.meta.target_rate = params->bits_per_key != 0
		? bloom_geometry_rate(&fresh.geometry,
			  params->capacity_keys * bloom_geometry_levels(&fresh.geometry))
		: params->rate;
	return init_image(&fresh, params->secret, chunk_bytes, builder, error);
}

bloom_status bloom_builder_init_like(const bloom_head *like, const bloom_params *params,
	uint64_t seed, uint32_t chunk_bytes, bloom_builder *builder, bloom_error *error)
{
	bloom_builder fresh = {.geometry = like->geometry};

	fresh.geometry.seed = seed;
	fresh.geometry.groups = params->groups;
	fresh.geometry.fingerprint = params->secret != NULL ? params->secret->fingerprint : 0;
	fresh.meta.capacity_keys = like->meta.capacity_keys;
	fresh.meta.target_rate = like->meta.target_rate;
	fresh.keeps_last = params->keeps_last;
	return init_image(&fresh, params->secret, chunk_bytes, builder, error);
}

/* ---- existing bits ---- */

static uint32_t shard_bits(const bloom_builder *builder, uint64_t shard)
{
	uint32_t bytes = builder->geometry.shard_bytes;

	return (uint32_t)bloom_set_bits(builder->bits + shard * bytes, bytes);
}

/* Estimates a shard's number of keys from its bits, limited to the range from `least` to `most`. */
static void estimate_keys(bloom_builder *builder, uint64_t shard, uint64_t least, uint64_t most)
{
	builder->keys -= builder->shard_keys[shard];
	builder->shard_keys[shard] =
		bloom_row_keys(&builder->geometry, shard_bits(builder, shard), least, most);
	builder->keys += builder->shard_keys[shard];
}

bloom_status bloom_builder_start(const bloom_geometry *geometry, const bloom_meta *meta,
	const unsigned char *bits, bloom_builder *builder, bloom_error *error)
{
	bloom_builder fresh = {.geometry = *geometry, .meta = *meta};
	bloom_status status = bloom_geometry_check_open(geometry, error);
	uint64_t shard;

	if (status == BLOOM_OK &&
		bloom_chunk_bytes_check(geometry, meta->chunk_bytes) != BLOOM_OK) {
		status = bloom_fail(error, BLOOM_E_CHUNK_BYTES, 0, "builder");
	}
	if (status == BLOOM_OK) {
		status = allocate_image(&fresh, error);
	}
	if (status != BLOOM_OK) {
		return status;
	}
	/* Without the secret, a keyed filter can be merged and exported but not extended. */
	if (geometry->fingerprint == 0) {
		fresh.hasher = bloom_hasher_of(geometry->seed, NULL);
	}
	if (bits != NULL) {
		memcpy(fresh.bits, bits, (size_t)bloom_geometry_bytes(geometry));
	}
	for (shard = 0; bits != NULL && shard < geometry->shards; shard++) {
		estimate_keys(&fresh, shard, 0, UINT64_MAX);
	}
	*builder = fresh;
	return BLOOM_OK;
}

static void merge_shard(
	bloom_builder *builder, uint64_t shard, const bloom_head *head, const unsigned char *body)
{
	uint32_t bytes = builder->geometry.shard_bytes, at;
	unsigned char *mine = builder->bits + shard * bytes;
	const unsigned char *theirs = body + shard * bytes;
	uint64_t keys = builder->shard_keys[shard], their_keys = bloom_head_row(head, shard).keys;

	for (at = 0; at < bytes; at++) {
		mine[at] |= theirs[at];
	}
	/* A union of sets with n and m keys has at least max(n, m) and at most n + m keys. */
	estimate_keys(builder, shard, keys > their_keys ? keys : their_keys, keys + their_keys);
}

bloom_status bloom_builder_merge(bloom_builder *builder, const bloom_head *head,
	const unsigned char *body, bloom_error *error)
{
	bloom_status status = bloom_geometry_check_open(&head->geometry, error);
	uint64_t shard;

	if (status == BLOOM_OK) {
		status = bloom_geometry_check_same(&builder->geometry, &head->geometry, error);
	}
	for (shard = 0; status == BLOOM_OK && shard < builder->geometry.shards; shard++) {
		merge_shard(builder, shard, head, body);
	}
	return status;
}

void bloom_builder_free(bloom_builder *builder)
{
	bloom_unmap(builder->image, builder->image_bytes);
	free(builder->shard_keys);
	free(builder->digests);
	bloom_pairs_free(&builder->pairs);
	bloom_wipe(&builder->hasher, sizeof builder->hasher);
	*builder = (bloom_builder){0};
}

/* ---- digests of ribbon filters ---- */

typedef struct sorting {
	const bloom_builder *builder;
	size_t start[BLOOM_BUCKETS + 1];
} sorting;

static void sort_buckets(void *context, uint32_t job)
{
	sorting *sort = context;
	size_t bucket;

	for (bucket = job; bucket < BLOOM_BUCKETS; bucket += sort->builder->jobs) {
		bloom_digests_sort_bucket(sort->builder->digests + sort->start[bucket],
			sort->start[bucket + 1] - sort->start[bucket]);
	}
}

/* Sorts the digests and removes duplicates. */
static void sort_digests(bloom_builder *builder)
{
	sorting sort = {.builder = builder};

	if (builder->digests_sorted < builder->keys) {
		if (builder->jobs > 1) {
			bloom_digests_partition(
				builder->digests, (size_t)builder->keys, sort.start);
			bloom_parallel(builder->jobs, sort_buckets, &sort);
		} else {
			bloom_digests_sort(builder->digests, (size_t)builder->keys);
		}
		builder->keys = bloom_digests_unique(builder->digests, (size_t)builder->keys);
		builder->digests_sorted = builder->keys;
	}
}

/* Makes space for another digest. Returns false if memory is exhausted.
 *
 * Up to the capacity, the buffer simply doubles, so a build with the expected number of keys sorts
 * only once, at the end. Beyond the capacity, duplicates are removed first, and the buffer doubles
 * only if at least three quarters of it remain in use. Repeated keys therefore do not increase
 * memory use.
 *
 * If the buffer cannot grow, removing duplicates must free more than a sixteenth of it. With less
 * free space, nearly every key would trigger another sort. */
static bool reserve_digests(bloom_builder *builder)
{
	enum { CAPACITY_FIRST = 1024 };
	uint64_t capacity =
		builder->digests_capacity != 0 ? builder->digests_capacity * 2 : CAPACITY_FIRST;
	uint64_t machine_bytes = bloom_machine_memory_bytes(), most;
	bloom_digest *grown;

	if (builder->digests_capacity >= builder->meta.capacity_keys) {
		sort_digests(builder);
		if (builder->keys < builder->digests_capacity / 4 * 3) {
			return true;
		}
	}
	most = machine_bytes > builder->image_bytes
		? (machine_bytes - builder->image_bytes) / sizeof *grown
		: 0;
	capacity = capacity < most ? capacity : most;
	grown = capacity > builder->digests_capacity && capacity <= SIZE_MAX / sizeof *grown
		? realloc(builder->digests, (size_t)capacity * sizeof *grown)
		: NULL;
	if (grown == NULL) {
		sort_digests(builder);
		builder->out_of_memory |=
			builder->digests_capacity - builder->keys <= builder->digests_capacity / 16;
		return !builder->out_of_memory;
	}
	builder->digests = grown;
	builder->digests_capacity = capacity;
	return true;
}

/* This function is not inlined, because its variables would occupy registers that the common path
 * for Bloom filters needs. */
BLOOM_NOINLINE static bool keep_digest(bloom_builder *builder, bloom_digest digest)
{
	builder->added++;
	/* Repeated lines are often adjacent, and comparing with the last digest is cheap. After a
	 * sort, the last digest may not belong to the key that was added last, so the comparison is
	 * skipped. */
	if (builder->keys > builder->digests_sorted &&
		builder->digests[builder->keys - 1] == digest) {
		return false;
	}
	if (!builder->out_of_memory &&
		(builder->keys < builder->digests_capacity || reserve_digests(builder))) {
		builder->digests[builder->keys++] = digest;
	}
	return true;
}

/* Adds a key to a filter that has no digests of ours in its bits. */
BLOOM_NOINLINE static bool add_otherwise(
	bloom_builder *builder, const unsigned char *key, size_t key_bytes)
{
	bool is_new;

	if (builder->geometry.stripes != 0) {
		return keep_digest(builder, bloom_hash(&builder->hasher, key, key_bytes));
	}
	is_new = bloom_foreign_add(&builder->foreign, builder->bits, key, key_bytes);
	builder->keys += is_new;
	builder->added++;
	return is_new;
}

bool bloom_builder_add(bloom_builder *builder, const unsigned char *key, size_t key_bytes)
{
	bloom_digest digest;
	bool is_new;

	if (!BLOOM_LIKELY((builder->geometry.stripes | builder->geometry.layers) == 0)) {
		return add_otherwise(builder, key, key_bytes);
	}
	digest = bloom_hash(&builder->hasher, key, key_bytes);
	is_new = bloom_view_set(&builder->view, builder->bits, digest);
	if (is_new) {
		builder->shard_keys[bloom_fast_range(digest, builder->geometry.shards)]++;
		builder->keys++;
	}
	builder->added++;
	return is_new;
}

BLOOM_INLINE void prefetch(const bloom_view *view, bloom_digest digest)
{
	if (BLOOM_LIKELY(view->block_bytes <= 64)) {
		bloom_view_prefetch(view, digest);
	} else {
		bloom_view_prefetch_lines(view, digest);
	}
}

uint64_t bloom_builder_set_digests(
	bloom_builder *builder, const bloom_digest *digests, size_t count)
{
	enum { AHEAD = 24 }; /* prefetch distance, in digests */
	uint64_t added_new = 0;
	size_t i;

	for (i = 0; i < count && i < AHEAD; i++) {
		prefetch(&builder->view, digests[i]);
	}
	for (i = 0; i < count; i++) {
		if (i + AHEAD < count) {
			prefetch(&builder->view, digests[i + AHEAD]);
		}
		if (bloom_view_set(&builder->view, builder->bits, digests[i])) {
			builder->shard_keys[bloom_fast_range(
				digests[i], builder->geometry.shards)]++;
			added_new++;
		}
	}
	return added_new;
}

uint64_t bloom_builder_add_digests(
	bloom_builder *builder, const bloom_digest *digests, size_t count)
{
	uint64_t added_new = 0;
	size_t i;

	if (builder->geometry.stripes != 0) {
		for (i = 0; i < count && !builder->out_of_memory; i++) {
			added_new += keep_digest(builder, digests[i]);
		}
		return added_new;
	}
	added_new = bloom_builder_set_digests(builder, digests, count);
	builder->keys += added_new;
	builder->added += count;
	return added_new;
}

bool bloom_builder_add_to_group(
	bloom_builder *builder, uint64_t group, const unsigned char *value, size_t value_bytes)
{
	bloom_digest digest = bloom_hash(&builder->hasher, value, value_bytes);
	uint32_t added = bloom_reverse_add(
		&builder->reverse, builder->bits, group, digest, builder->shard_keys);

	builder->keys += added;
	builder->added++;
	return added > 0;
}

void bloom_builder_set(
	bloom_builder *builder, const unsigned char *key, size_t key_bytes, uint64_t value)
{
	builder->out_of_memory = builder->out_of_memory ||
		!bloom_pairs_add(
			&builder->pairs, bloom_hash(&builder->hasher, key, key_bytes), value);
	builder->keys = builder->pairs.count;
	builder->added++;
}

/* Solves all shards and writes the head of a ribbon filter or a map. */
static bloom_status solve_keys(bloom_builder *builder, bloom_ribbon_keys keys, bloom_error *error)
{
	bloom_solution solution = {.geometry = &builder->geometry,
		.keys = keys,
		.bits = builder->bits,
		.shard_keys = builder->shard_keys,
		.jobs = builder->jobs};
	bloom_status status = bloom_solve_shards(&solution, error);

	if (status == BLOOM_OK) {
		bloom_head_write_solved(&builder->geometry, &builder->meta, builder->shard_keys,
			builder->bits, builder->image);
	}
	return status;
}

static bloom_status solve_filter(bloom_builder *builder, bloom_error *error)
{
	if (builder->out_of_memory) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "builder");
	}
	sort_digests(builder);
	return solve_keys(builder,
		(bloom_ribbon_keys){.digests = builder->digests, .count = (size_t)builder->keys},
		error);
}

static bloom_status solve_map(bloom_builder *builder, bloom_error *error)
{
	bloom_ribbon_keys keys;
	bloom_status status;

	if (builder->out_of_memory) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "builder");
	}
	status = bloom_pairs_sorted(&builder->pairs, builder->keeps_last, &keys, error);
	if (status == BLOOM_OK) {
		builder->keys = keys.count;
		status = solve_keys(builder, keys, error);
		free(keys.digests);
	}
	return status;
}

/* Reports that a blob has too many keys. Keys whose bits were set by chance do not count in
 * builder->keys, which would therefore be far too low. */
static bloom_status fail_over_rate(const bloom_builder *builder, double limit, bloom_error *error)
{
	const bloom_geometry *geometry = &builder->geometry;
	bool is_exact = geometry->stripes != 0;
	uint64_t set_bits = bloom_set_bits(builder->bits, bloom_geometry_bytes(geometry));
	double estimated = is_exact     ? (double)builder->keys
		: geometry->layers != 0 ? bloom_foreign_estimated_keys(&builder->layer, set_bits)
					: bloom_geometry_estimated_keys(geometry, set_bits);
	bool is_full = isinf(estimated);
	char measured[BLOOM_NUMBER_BYTES], allowed[BLOOM_NUMBER_BYTES];

	return bloom_fail(error, BLOOM_E_OVER_RATE, 0,
		"measured %s %%, limit %s %%, with %s%llu distinct keys in a filter sized "
		"for %llu",
		bloom_number_text(100 * builder->meta.measured_rate, 3, measured),
		bloom_number_text(100 * limit, 3, allowed),
		is_exact          ? ""
			: is_full ? "up to "
				  : "about ",
		is_full ? (unsigned long long)builder->added
			: (unsigned long long)llround(estimated),
		(unsigned long long)builder->meta.capacity_keys);
}

bloom_status bloom_builder_finish(
	bloom_builder *builder, uint64_t built_ms, double limit, bloom_error *error)
{
	bloom_status status = BLOOM_OK;
	bloom_head head;

	builder->meta.built_ms = built_ms;
	if (builder->geometry.value_bits != 0) {
		status = solve_map(builder, error);
	} else if (builder->geometry.stripes != 0) {
		status = solve_filter(builder, error);
	} else if (builder->geometry.layers != 0) {
		bloom_head_write_foreign(&builder->geometry, &builder->meta, &builder->layer,
			builder->foreign.key, builder->keys, builder->bits, builder->image);
	} else {
		bloom_head_write(&builder->geometry, &builder->meta, builder->shard_keys,
			builder->bits, builder->image);
	}
	if (status != BLOOM_OK) {
		return status;
	}
	if (builder->meta.measured_rate > limit) {
		return fail_over_rate(builder, limit, error);
	}
	/* Perform the same checks as every reader. These checks also reject saturated shards. */
	return bloom_blob_parse(builder->image, builder->image_bytes, &head, error);
}

#include "kinds/live.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "filter/compiler.h"
#include "filter/measure.h"
#include "kinds/attachment_state.h"
#include "os/mapping.h"

static const uint32_t page_bytes = BLOOM_LIVE_HEAD_BYTES;

/* ---- layout ---- */

const bloom_live_layout *bloom_live_layout_of(uint64_t kind)
{
	const bloom_kind_ops *ops = bloom_kind_ops_of(kind);

	return ops != NULL ? ops->layout : NULL;
}

static uint64_t whole_pages(uint64_t bytes)
{
	return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

uint64_t bloom_live_layer_bytes(uint64_t kind, const bloom_geometry *geometry)
{
	uint64_t bits = bloom_geometry_bytes(geometry);

	return whole_pages(bits + bits * bloom_live_layout_of(kind)->counter_bits);
}

uint64_t bloom_live_first_offset(uint64_t kind)
{
	return page_bytes + bloom_live_layout_of(kind)->own_bytes;
}

void bloom_live_layer_write(bloom_layer *layer, const bloom_geometry *geometry, uint64_t offset,
	uint64_t capacity_keys, double rate)
{
	*layer = (bloom_layer){
		.offset = offset,
		.shards = geometry->shards,
		.shard_bytes = geometry->shard_bytes,
		.block_bytes = geometry->block_bytes,
		.probes = geometry->probes,
		.capacity_keys = capacity_keys,
		.rate = rate,
	};
}

/* ---- mapping ---- */

bloom_geometry bloom_live_geometry(const bloom_live_head *head, uint32_t layer)
{
	const bloom_layer *row = &head->layer[layer];

	return (bloom_geometry){
		.seed = head->seed,
		.shards = row->shards,
		.groups = head->params.groups,
		.shard_bytes = row->shard_bytes,
		.block_bytes = row->block_bytes,
		.probes = row->probes,
		.fan_out = (uint32_t)head->params.fan_out,
		.fingerprint = head->params.fingerprint,
	};
}

unsigned char *bloom_live_bits(const bloom_live *live, uint32_t layer)
{
	return (unsigned char *)live->head + live->known.layer[layer].offset;
}

static void copy_head(const bloom_live_page *head, bloom_live_head *copy)
{
	const uint64_t *from = (const uint64_t *)(const void *)head;
	uint64_t layers = bloom_load_acquire(&head->layers), word, i;
	uint64_t rows = layers < BLOOM_LAYERS_MAX ? layers : BLOOM_LAYERS_MAX;
	uint64_t words =
		(offsetof(bloom_live_head, layer) + rows * sizeof(bloom_layer)) / sizeof *from;

	memset(copy, 0, sizeof *copy);
	/* Copy word by word, because other processes increment key counts and write the row of an
	 * unfinished layer at the same time. */
	for (i = 0; i < words; i++) {
		word = bloom_load_relaxed(from + i);
		memcpy((unsigned char *)copy + i * sizeof word, &word, sizeof word);
	}
	copy->layers = layers;
}

/* Other users' files do not reach this check, because opening a file checks its owner and mode.
 * Their snapshots do. */
static bool is_sound(const bloom_live_head *head, uint64_t file_bytes, uint64_t *end)
{
	const bloom_live_layout *layout = bloom_live_layout_of(head->params.kind);
	bloom_geometry first = bloom_live_geometry(head, 0);
	uint64_t offset, i;

	if (head->magic != BLOOM_LIVE_MAGIC || head->layout != BLOOM_LIVE_LAYOUT ||
		layout == NULL || head->layers < layout->layers ||
		head->layers > layout->layers_max ||
		(layout->check != NULL && layout->check(&head->params) != BLOOM_OK) ||
		head->params.fan_out > BLOOM_FAN_OUT_MAX ||
		(head->params.groups != 0) != layout->has_groups) {
		return false;
	}
	offset = bloom_live_first_offset(head->params.kind);
	for (i = 0; i < head->layers; i++) {
		const bloom_layer *row = &head->layer[i];
		bloom_geometry geometry = bloom_live_geometry(head, (uint32_t)i);

		/* The slots of a sliding filter are equal. The rate of a late layer is lower than
		 * that of any filter; the comparison is false for NaN. */
		if (bloom_geometry_check(&geometry) != BLOOM_OK || row->offset != offset ||
			(i > 0 && i < layout->layers &&
				!bloom_geometry_is_equal(&geometry, &first)) ||
			row->capacity_keys < 1 || row->capacity_keys > BLOOM_CAPACITY_MAX ||
			!(row->rate > 0 && row->rate <= BLOOM_RATE_MAX)) {
			return false;
		}
		offset += bloom_live_layer_bytes(head->params.kind, &geometry);
		if (offset > file_bytes) {
			return false;
		}
	}
	*end = offset;
	return true;
}

bool bloom_live_read(
	const bloom_live_page *page, uint64_t file_bytes, bloom_live_head *known, uint64_t *end)
{
	copy_head(page, known);
	return is_sound(known, file_bytes, end);
}

static void make_views(bloom_live *live)
{
	bloom_geometry geometry;
	uint32_t i;

	for (i = 0; i < live->layers; i++) {
		geometry = bloom_live_geometry(&live->known, i);
		live->view[i] = bloom_view_of(&geometry, bloom_live_bits(live, i));
	}
	if (live->known.params.groups != 0) {
		geometry = bloom_live_geometry(&live->known, 0);
		live->reverse = bloom_reverse_of(&geometry, bloom_live_bits(live, 0));
	}
}

/* Maps the file and checks its head. If it fails with BLOOM_E_LIVE, *bytes is the mapped length. */
static bloom_status map_file(const bloom_filter_dir *dir, const char *file_name, bloom_live *live,
	uint64_t *bytes, bloom_error *error)
{
	bloom_mapped mapped = {0};
	uint64_t end = 0;
	bloom_status status;

	status = bloom_filter_dir_map(dir, file_name, BLOOM_MAP_GROW, 0, &mapped, error);
	*bytes = mapped.bytes;
	if (status == BLOOM_E_SHORT) {
		return bloom_fail(error, BLOOM_E_LIVE, 0, "%s", file_name);
	}
	if (status != BLOOM_OK) {
		return status;
	}
	if (*bytes < page_bytes ||
		!bloom_live_read((const bloom_live_page *)(const void *)mapped.map, *bytes,
			&live->known, &end)) {
		bloom_unmap(mapped.map, *bytes);
		bloom_close(&mapped.kept);
		return bloom_fail(error, BLOOM_E_LIVE, 0, "%s", file_name);
	}
	/* Most kinds never grow, so they need no descriptor. */
	if (live->known.layers == bloom_live_layout_of(live->known.params.kind)->layers_max) {
		bloom_close(&mapped.kept);
	}
	live->kept = mapped.kept;
	live->head = (bloom_live_page *)(void *)mapped.map;
	live->map_bytes = *bytes;
	live->layers = (uint32_t)live->known.layers;
	live->lock = bloom_filelock_of(file_name, mapped.identity);
	return BLOOM_OK;
}

/* Maps the file, and retries if another process appended a layer after the file was measured. In
 * that case the head describes a layer beyond the mapping. */
static bloom_status map_growing(
	const bloom_filter_dir *dir, const char *file_name, bloom_live *live, bloom_error *error)
{
	uint64_t bytes = 0, now = 0;
	bloom_status status = map_file(dir, file_name, live, &bytes, error);
	int growths;

	for (growths = 0; status == BLOOM_E_LIVE && growths < BLOOM_LAYERS_MAX; growths++) {
		if (bloom_file_bytes(dir->handle, file_name, &now, NULL) != BLOOM_OK ||
			now <= bytes) {
			break;
		}
		status = map_file(dir, file_name, live, &bytes, error);
	}
	return status;
}

bloom_status bloom_live_map(
	const bloom_filter_dir *dir, const char *file_name, bloom_live *live, bloom_error *error)
{
	bloom_status status;

	live->head = NULL;
	status = map_growing(dir, file_name, live, error);
	if (status == BLOOM_OK) {
		status = bloom_hasher_find(live->known.seed, live->known.params.fingerprint,
			dir->segment->secrets, &live->hasher, error);
	}
	if (status != BLOOM_OK) {
		bloom_live_unmap(live);
		return status;
	}
	make_views(live);
	return BLOOM_OK;
}

void bloom_live_unmap(bloom_live *live)
{
	if (live->head != NULL) {
		bloom_unmap((const unsigned char *)live->head, live->map_bytes);
		bloom_close(&live->kept);
		bloom_filelock_close(&live->lock);
		bloom_wipe(&live->hasher, sizeof live->hasher);
		live->head = NULL;
	}
}

bloom_status bloom_live_new(const bloom_filter_dir *dir, const char *file_name, uint64_t kind,
	bloom_live **live, bloom_error *error)
{
	bloom_live *fresh = malloc(sizeof *fresh);
	bloom_status status;

	if (fresh == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "%s", file_name);
	}
	status = bloom_live_map(dir, file_name, fresh, error);
	if (status == BLOOM_OK && fresh->known.params.kind != kind) {
		bloom_live_unmap(fresh);
		status = bloom_fail(error, BLOOM_E_LIVE, 0, "%s", file_name);
	}
	if (status != BLOOM_OK) {
		free(fresh);
		return status;
	}
	*live = fresh;
	return BLOOM_OK;
}

void bloom_live_free(bloom_live *live)
{
	if (live != NULL) {
		bloom_live_unmap(live);
		free(live);
	}
}

/* Overwrites everything except the rows of new layers with the copy that was checked earlier. So
 * damage to words that never change has no effect. */
static void keep_known(const bloom_live *live, bloom_live_head *head)
{
	uint64_t layers = head->layers;

	memcpy(head, &live->known,
		offsetof(bloom_live_head, layer) + live->layers * sizeof(bloom_layer));
	head->layers = layers;
}

/* Returns true if the mapped layers are unchanged in the head. */
static bool continues(const bloom_live *live, const bloom_live_head *head)
{
	uint32_t i;

	for (i = 0; i < live->layers && i < head->layers; i++) {
		bloom_geometry known = bloom_live_geometry(&live->known, i);
		bloom_geometry now = bloom_live_geometry(head, i);

		if (!bloom_geometry_is_equal(&known, &now)) {
			return false;
		}
	}
	return head->layers >= live->layers && head->params.kind == live->known.params.kind;
}

/* Extends the mapping to `end` and checks that the file is long enough. A damaged head may describe
 * layers that do not exist; touching them would raise SIGBUS. */
static bloom_status map_to(bloom_live *live, uint64_t end, bloom_error *error)
{
	unsigned char *map = (unsigned char *)live->head;
	bloom_status status = BLOOM_OK;

	if (end > live->map_bytes) {
		status = bloom_map_grow(live->kept, &map, live->map_bytes, end, error);
		if (status != BLOOM_OK) {
			return status;
		}
		live->head = (bloom_live_page *)(void *)map;
		live->map_bytes = end;
		/* Update the views now: the mapping may have moved, and lookups use the views even
		 * if the check below fails. */
		make_views(live);
	}
	status = bloom_map_check(map + end - 1, error);
	return status == BLOOM_E_SHORT ? bloom_fail(error, BLOOM_E_LIVE, 0, "a new layer") : status;
}

bloom_status bloom_live_follow(bloom_live *live, bloom_error *error)
{
	bloom_live_head now;
	uint64_t end = 0;
	bloom_status status;

	copy_head(live->head, &now);
	if (!continues(live, &now)) {
		return bloom_fail(error, BLOOM_E_LIVE, 0, "a layer that is mapped");
	}
	keep_known(live, &now);
	if (!is_sound(&now, UINT64_MAX, &end)) {
		return bloom_fail(error, BLOOM_E_LIVE, 0, "a new layer");
	}
	/* A process that grows the file appends the space before it increments the number of
	 * layers. So a file that is too short is damaged. */
	status = map_to(live, end, error);
	if (status == BLOOM_OK) {
		live->known = now;
		live->layers = (uint32_t)now.layers;
		make_views(live);
	}
	return status;
}

bloom_layer_range bloom_live_answering(const bloom_live *live)
{
	const bloom_live_layout *layout = bloom_live_layout_of(live->known.params.kind);

	return layout->answering != NULL ? layout->answering(live)
					 : (bloom_layer_range){.count = live->layers};
}

/* ---- adding ---- */

bool bloom_live_add(bloom_live *live, uint32_t layer, bloom_digest digest)
{
	bool is_new = bloom_view_add(&live->view[layer], bloom_live_bits(live, layer), digest);

	if (is_new) {
		bloom_increment(&live->head->layer[layer].keys);
	}
	return is_new;
}

static void set_word(unsigned char *bytes, uint64_t word)
{
	unsigned char more[sizeof word];
	size_t i;

	memcpy(more, &word, sizeof word);
	for (i = 0; i < sizeof word; i++) {
		if (more[i] != 0) {
			bloom_set_mask(bytes + i, more[i]);
		}
	}
}

/* Estimates the keys of a union: at least the larger number, at most the sum. */
static uint64_t union_keys(const bloom_live *live, uint32_t layer, const bloom_geometry *geometry,
	uint64_t keys, uint64_t more)
{
	double larger = (double)(keys > more ? keys : more);
	bloom_meter meter;

	bloom_meter_init(&meter, geometry);
	return (uint64_t)llround(fmin((double)keys + (double)more,
		fmax(larger,
			bloom_measure_shards(
				&meter, bloom_live_bits(live, layer), 0, geometry->shards)
				.keys)));
}

bloom_status bloom_live_merge(bloom_live *live, uint32_t layer, const bloom_geometry *geometry,
	const unsigned char *bits, uint64_t keys, const char *name, bloom_error *error)
{
	bloom_geometry own = bloom_live_geometry(&live->known, layer);
	uint64_t *count = &live->head->layer[layer].keys, before = bloom_load_relaxed(count);
	const uint64_t *from = (const uint64_t *)(const void *)bits;
	uint64_t *to = (uint64_t *)(void *)bloom_live_bits(live, layer);
	uint64_t words = bloom_geometry_bytes(&own) / sizeof *to, more, i;
	bloom_status status = bloom_geometry_check_same(&own, geometry, error);

	if (status != BLOOM_OK) {
		return status;
	}
	if (live->known.params.is_bounded != 0 &&
		(before > live->known.params.capacity_keys ||
			keys > live->known.params.capacity_keys - before)) {
		return bloom_fail(error, BLOOM_E_FULL, 0, "%.128s: %llu and %llu keys", name,
			(unsigned long long)before, (unsigned long long)keys);
	}
	for (i = 0; i < words; i++) {
		more = bloom_load_relaxed(from + i) & ~bloom_load_relaxed(to + i);
		if (more != 0) {
			set_word((unsigned char *)(to + i), more);
		}
	}
	(void)bloom_add(count, union_keys(live, layer, &own, before, keys) - before);
	return BLOOM_OK;
}

bloom_status bloom_live_check_room(const bloom_live *live, const char *name, bloom_error *error)
{
	uint64_t capacity = live->known.params.capacity_keys;

	return bloom_load_relaxed(&live->head->layer[0].keys) < capacity
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_FULL, 0, "%.128s: %llu keys", name,
			  (unsigned long long)capacity);
}

/* ---- operations ---- */

bloom_status bloom_live_attach(const bloom_kind_ops *self, bloom_attachment *attachment,
	const bloom_filter_dir *dir, uint64_t generation, const char *file_name, bloom_error *error)
{
	bloom_live *live;
	bool view_answers;
	bloom_status status = bloom_live_new(dir, file_name, self->kind, &live, error);

	(void)generation;
	if (status == BLOOM_OK) {
		/* Read the digest from the hasher, which is private memory, because the mapped head
		 * may have been damaged since it was checked. */
		view_answers =
			self->layout->view_answers && live->hasher.digest == BLOOM_DIGEST_XXH3_64;
		bloom_attachment_adopt(attachment, self, live, &live->hasher,
			view_answers ? BLOOM_PRESENCE_VIEW : BLOOM_PRESENCE_OPS);
		attachment->view = live->view[0];
	}
	return status;
}

void bloom_live_detach(bloom_attachment *attachment)
{
	bloom_live_free(attachment->live);
}

bool bloom_live_test_view(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes)
{
	return bloom_view_test(&attachment->view, bloom_hash(&attachment->hasher, key, key_bytes));
}

bloom_status bloom_live_copy(const bloom_attachment *attachment, const bloom_meta *meta,
	bloom_builder *builder, bloom_error *error)
{
	const bloom_live *live = attachment->live;
	bloom_geometry geometry = bloom_live_geometry(&live->known, 0);

	return bloom_builder_start(&geometry, meta, bloom_live_bits(live, 0), builder, error);
}

/* Adds a key if there is room. This is a function of its own, so that other filters pay for one
 * comparison only. */
BLOOM_NOINLINE BLOOM_COLD static bloom_status add_bounded(
	bloom_attachment *attachment, bloom_digest digest, bool *is_new, bloom_error *error)
{
	bloom_live *live = attachment->live;

	if (!bloom_view_test(&live->view[0], digest)) {
		bloom_status status = bloom_live_check_room(live, attachment->name, error);

		if (status != BLOOM_OK) {
			return status;
		}
	}
	*is_new = bloom_live_add(live, 0, digest);
	return BLOOM_OK;
}

static bloom_status add(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes,
	bool *is_new, bloom_error *error)
{
	bloom_live *live = attachment->live;
	bloom_digest digest = bloom_hash(&live->hasher, key, key_bytes);

	if (live->known.params.is_bounded != 0) {
		return add_bounded(attachment, digest, is_new, error);
	}
	*is_new = bloom_live_add(live, 0, digest);
	return BLOOM_OK;
}

static const bloom_live_layout layout = {
	.layers = 1,
	.layers_max = 1,
	.view_answers = true,
	.may_be_bounded = true,
};

const bloom_kind_ops bloom_kind_live = {
	.kind = BLOOM_KIND_LIVE,
	.layout = &layout,
	.map = bloom_live_attach,
	.unmap = bloom_live_detach,
	.test = bloom_live_test_view,
	.add = add,
	.copy = bloom_live_copy,
};

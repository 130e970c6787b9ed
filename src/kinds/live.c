#include "kinds/live.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "os/clock.h"
#include "os/mapping.h"

static const uint32_t page_bytes = BLOOM_LIVE_HEAD_BYTES;

/* ---- what is asked for ---- */

static bloom_params first_layer_params(const bloom_live_params *params)
{
	bool is_scalable = params->kind == BLOOM_KIND_SCALABLE;

	return (bloom_params){
		.capacity_keys = params->capacity_keys,
		/* Almeida et al.: P0 = P · (1 − r), so that the sum over all layers is P. */
		.rate = is_scalable ? params->rate * (1 - params->tightening) : params->rate,
		.groups = params->groups,
		.fan_out = (uint32_t)params->fan_out,
	};
}

static bool is_within(double value, double least, double most)
{
	return value >= least && value <= most; /* false for NaN */
}

/* What only some kinds have, and what their code divides by and multiplies with. */
static bloom_status check_kind_params(const bloom_live_params *params)
{
	bool is_scalable = params->kind == BLOOM_KIND_SCALABLE;

	if (is_scalable && !is_within(params->growth, 1.1, 16)) {
		return BLOOM_E_GROWTH;
	}
	if (is_scalable && !is_within(params->tightening, 0.1, 0.99)) {
		return BLOOM_E_TIGHTENING;
	}
	/* An overlay has twice the window that was asked for. */
	if (params->kind == BLOOM_KIND_SLIDING &&
		(params->window_ms < BLOOM_WINDOW_MS_MIN ||
			params->window_ms > 2 * BLOOM_WINDOW_MS_MAX)) {
		return BLOOM_E_WINDOW;
	}
	return BLOOM_OK;
}

static bloom_status check_ranges(const bloom_live_params *params)
{
	bloom_status status = check_kind_params(params);

	if (status != BLOOM_OK) {
		return status;
	}
	if (params->capacity_keys < 1 || params->capacity_keys > BLOOM_CAPACITY_MAX) {
		return BLOOM_E_CAPACITY;
	}
	/* A scalable filter's first layer takes a part of the rate: the whole must be in range
	 * too. */
	if (!is_within(params->rate, BLOOM_RATE_MIN, BLOOM_RATE_MAX)) {
		return BLOOM_E_RATE;
	}
	if (params->kind == BLOOM_KIND_REVERSE &&
		(params->groups < 1 || params->groups > BLOOM_GROUPS_MAX)) {
		return BLOOM_E_GROUPS;
	}
	/* A builder's 0, the default, is none here: the head must say what it is. */
	if (params->fan_out > BLOOM_FAN_OUT_MAX ||
		(params->fan_out == 0 && params->kind == BLOOM_KIND_REVERSE)) {
		return BLOOM_E_FAN_OUT;
	}
	return BLOOM_OK;
}

static bloom_status choose_geometry(const bloom_live_params *params, uint64_t seed,
	bloom_geometry *geometry, bloom_error *error)
{
	bloom_params layer = first_layer_params(params);
	bloom_status status = check_ranges(params);

	if (status == BLOOM_OK) {
		layer.rate = layer.rate < BLOOM_RATE_MIN ? BLOOM_RATE_MIN : layer.rate;
		status = bloom_geometry_choose(&layer, seed, geometry);
	}
	if (status == BLOOM_OK) {
		geometry->fingerprint = params->fingerprint;
	}
	return status == BLOOM_OK ? status : bloom_fail(error, status, 0, "filter");
}

bloom_status bloom_live_params_check_ranges(const bloom_live_params *params, bloom_error *error)
{
	bloom_status status = check_ranges(params);

	return status == BLOOM_OK ? status : bloom_fail(error, status, 0, "filter");
}

bloom_status bloom_live_params_check(const bloom_live_params *params, bloom_error *error)
{
	bloom_geometry geometry;

	return choose_geometry(params, 0, &geometry, error);
}

/* ---- making one ---- */

static uint64_t whole_pages(uint64_t bytes)
{
	return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

uint64_t bloom_live_layer_bytes(uint64_t kind, const bloom_geometry *geometry)
{
	uint64_t bits = bloom_geometry_bytes(geometry);

	/* Four bits count for each. */
	return whole_pages(kind == BLOOM_KIND_COUNTING ? bits + bits * 4 : bits);
}

static uint64_t first_offset(uint64_t kind)
{
	return kind == BLOOM_KIND_COUNTING
		? page_bytes + (uint64_t)BLOOM_STRIPES * BLOOM_INTENT_BYTES
		: page_bytes;
}

static uint32_t first_layers(uint64_t kind)
{
	return kind == BLOOM_KIND_SLIDING ? BLOOM_SLOTS : 1;
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

static void write_head(
	bloom_live_head *head, const bloom_live_params *params, const bloom_geometry *geometry)
{
	uint64_t offset = first_offset(params->kind);
	uint32_t layers = first_layers(params->kind);
	uint32_t i;

	*head = (bloom_live_head){
		.magic = BLOOM_LIVE_MAGIC,
		.layout = BLOOM_LIVE_LAYOUT,
		.params = *params,
		.seed = geometry->seed,
		.created_ms = bloom_clock_ms(),
		.layers = layers,
		.turn = bloom_monotonic_ms() * 4, /* slot 0 begins now: sliding.h */
	};
	for (i = 0; i < layers; i++) {
		bloom_live_layer_write(&head->layer[i], geometry, offset, params->capacity_keys,
			first_layer_params(params).rate);
		offset += bloom_live_layer_bytes(params->kind, geometry);
	}
}

bloom_status bloom_live_stage(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, uint64_t seed, const bloom_geometry *geometry,
	const unsigned char *bits, bloom_stage *stage, bloom_error *error)
{
	uint64_t bytes = first_offset(params->kind);
	bloom_geometry chosen = {0};
	bloom_hasher hasher = {0};
	unsigned char *map = NULL;
	bloom_status status;

	if (geometry != NULL && geometry->stripes != 0) {
		return bloom_fail(error, BLOOM_E_SOLVED, 0, "scheme ribbon");
	}
	if (geometry != NULL) {
		chosen = *geometry;
	} else {
		status = choose_geometry(params, seed, &chosen, error);
		if (status != BLOOM_OK) {
			return status;
		}
	}
	/* What could never be attached to is not made. */
	status = bloom_hasher_find(
		chosen.seed, chosen.fingerprint, segment->secrets, &hasher, error);
	bloom_wipe(&hasher, sizeof hasher);
	if (status != BLOOM_OK) {
		return status;
	}
	bytes += first_layers(params->kind) * bloom_live_layer_bytes(params->kind, &chosen);
	status = bloom_stage_begin(segment, name, bytes, stage, error);
	if (status != BLOOM_OK) {
		return status;
	}
	status = bloom_stage_allocate(stage, (bloom_kind)params->kind, &map, error);
	if (status != BLOOM_OK) {
		bloom_stage_abort(stage);
		return status;
	}
	write_head((bloom_live_head *)(void *)map, params, &chosen);
	if (bits != NULL) {
		memcpy(map + first_offset(params->kind), bits,
			(size_t)bloom_geometry_bytes(&chosen));
	}
	return BLOOM_OK;
}

/* A parameter in which what is there differs from what was asked for. */
typedef struct difference {
	const char *what; /* NULL: none */
	double there, asked;
} difference;

/* The first one of two params. An overlay's capacity and window are told as load() takes them. */
static difference first_difference(
	const bloom_live_params *there, const bloom_live_params *asked, bool is_overlay)
{
	double half = is_overlay ? 0.5 : 1;
	const difference all[] = {
		{"capacity", (double)there->capacity_keys * half,
			(double)asked->capacity_keys * half},
		{"false-positive rate", there->rate, asked->rate},
		{"growth", there->growth, asked->growth},
		{"tightening", there->tightening, asked->tightening},
		{"window", (double)there->window_ms * half / 1000,
			(double)asked->window_ms * half / 1000},
		{"number of groups", (double)there->groups, (double)asked->groups},
		{"fan-out", (double)there->fan_out, (double)asked->fan_out},
	};
	size_t i;

	for (i = 0; i < sizeof all / sizeof *all; i++) {
		if (all[i].there < all[i].asked || all[i].there > all[i].asked) {
			return all[i];
		}
	}
	return (difference){0};
}

static bloom_status compare(const bloom_live_head *there, const bloom_live_params *asked,
	const uint64_t *seed, const char *name, bool is_overlay, bloom_error *error)
{
	difference found = first_difference(&there->params, asked, is_overlay);

	if (found.what != NULL) {
		return bloom_fail(error, BLOOM_E_EXISTS, 0,
			"%.60s: another %s, %.15g there, %.15g asked for", name, found.what,
			found.there, found.asked);
	}
	if ((there->params.fingerprint != 0) != (asked->fingerprint != 0)) {
		return bloom_fail(error, BLOOM_E_EXISTS, 0, "%.60s: it is%s keyed", name,
			there->params.fingerprint != 0 ? "" : " not");
	}
	/* As PHP has it: signed. */
	return seed == NULL || there->seed == *seed
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_EXISTS, 0,
			  "%.60s: another seed, %lld there, %lld asked for", name,
			  (long long)there->seed, (long long)*seed);
}

bloom_status bloom_live_match(const bloom_live *live, const bloom_live_params *params,
	const uint64_t *seed, const char *name, bloom_error *error)
{
	return compare(&live->known, params, seed, name, false, error);
}

bloom_status bloom_live_compare(const bloom_place *opened, const char *file_name,
	const bloom_live_params *params, const uint64_t *seed, bloom_error *error)
{
	bloom_live *live = malloc(sizeof *live); /* too large for a fiber's stack */
	bloom_status status = live != NULL ? bloom_live_map(opened, file_name, live, error)
					   : bloom_fail(error, BLOOM_E_MEMORY, 0, "%s", file_name);

	if (status == BLOOM_OK) {
		status = compare(&live->known, params, seed, opened->name,
			strcmp(file_name, BLOOM_OVERLAY_NAME) == 0, error);
		bloom_live_unmap(live);
	}
	free(live);
	return status;
}

/* Whether the filter is there and as requested. BLOOM_E_NOT_FOUND: it can be made. */
static bloom_status inspect(const bloom_place *opened, const bloom_live_params *params,
	const uint64_t *seed, bloom_error *error)
{
	char file_name[BLOOM_FILE_NAME_MAX];
	bloom_control *control = NULL;
	uint64_t generation, kind, groups;
	bloom_status status = bloom_place_control(opened, &control, NULL, error);

	if (status != BLOOM_OK) {
		/* The writer replaces a page that is not one. */
		return status == BLOOM_E_CONTROL ? BLOOM_E_NOT_FOUND : status;
	}
	generation = bloom_load_acquire(&control->generation);
	kind = bloom_load_relaxed(&control->kind);
	groups = bloom_load_relaxed(&control->groups);
	if (generation == BLOOM_GENERATION_NONE || generation == BLOOM_GENERATION_DROPPED) {
		status = BLOOM_E_NOT_FOUND;
	} else if (kind != params->kind) {
		status = bloom_fail_kind(error, opened->name, bloom_kind_text(kind, groups),
			bloom_kind_text(params->kind, 0));
	} else {
		bloom_generation_name(generation, file_name);
		status = bloom_live_compare(opened, file_name, params, seed, error);
		/* After a drop the file of that number may be another filter's, or gone. */
		if (status != BLOOM_OK && bloom_load_acquire(&control->generation) != generation) {
			status = bloom_fail(error, BLOOM_E_GONE, 0, "%s", opened->name);
		}
	}
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	return status;
}

static bloom_status make(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, const uint64_t *seed, bloom_error *error)
{
	uint64_t generation = 0;
	bloom_stage stage = {0};
	bloom_status status = bloom_live_stage(segment, name, params,
		seed != NULL ? *seed : bloom_random(), NULL, NULL, &stage, error);

	if (status != BLOOM_OK) {
		return status;
	}
	stage.replaces = BLOOM_GENERATION_NONE;
	return bloom_stage_commit(&stage, &generation, error);
}

bloom_status bloom_live_create(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, const uint64_t *seed, bool *created, bloom_error *error)
{
	enum { TRIES_MAX = 10 };
	/* Sizing takes a thousand times as long as looking: it is left to whoever makes the
	 * filter. */
	bloom_status status = bloom_live_params_check_ranges(params, error);
	bloom_place opened;
	int i;

	if (status != BLOOM_OK) {
		return status;
	}
	/* Others may make or drop it between our looking and our switching. */
	for (i = 0; i < TRIES_MAX; i++) {
		status = bloom_place_open(segment, name, false, &opened, error);
		if (status == BLOOM_OK) {
			status = inspect(&opened, params, seed, error);
			bloom_place_close(&opened);
		}
		*created = status == BLOOM_E_NOT_FOUND;
		if (*created) {
			status = make(segment, name, params, seed, error);
		}
		if (bloom_status_group_of(status) != BLOOM_GROUP_RETRY) {
			return status;
		}
	}
	return status;
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

/* Copies a mapped head, with as many finished layers as it says. Nobody can change the copy while
 * it is checked. */
static void copy_head(const bloom_live_page *head, bloom_live_head *copy)
{
	const uint64_t *from = (const uint64_t *)(const void *)head;
	uint64_t layers = bloom_load_acquire(&head->layers), word, i;
	uint64_t rows = layers < BLOOM_LAYERS_MAX ? layers : BLOOM_LAYERS_MAX;
	uint64_t words =
		(offsetof(bloom_live_head, layer) + rows * sizeof(bloom_layer)) / sizeof *from;

	memset(copy, 0, sizeof *copy);
	/* Word by word: others count keys meanwhile, and write the row of a layer that is not
	 * finished. */
	for (i = 0; i < words; i++) {
		word = bloom_load_relaxed(from + i);
		memcpy((unsigned char *)copy + i * sizeof word, &word, sizeof word);
	}
	copy->layers = layers;
}

/* Only a scalable filter gets more than it began with. */
static bool is_layer_count(const bloom_live_head *head)
{
	uint64_t least = first_layers(head->params.kind);
	uint64_t most = head->params.kind == BLOOM_KIND_SCALABLE ? BLOOM_LAYERS_MAX : least;

	return head->layers >= least && head->layers <= most;
}

/* Everything that a lookup or an add will rely on. What other users of this machine could have
 * written is kept out by the file's owner and mode; this keeps out files of another build and
 * damaged ones. */
static bool is_sound(const bloom_live_head *head, uint64_t file_bytes, uint64_t *end)
{
	uint64_t offset, i;

	if (head->magic != BLOOM_LIVE_MAGIC || head->layout != BLOOM_LIVE_LAYOUT ||
		head->params.kind <= BLOOM_KIND_LOADED || head->params.kind > BLOOM_KIND_REVERSE ||
		!is_layer_count(head) || check_kind_params(&head->params) != BLOOM_OK ||
		head->params.fan_out > BLOOM_FAN_OUT_MAX ||
		(head->params.groups != 0) != (head->params.kind == BLOOM_KIND_REVERSE)) {
		return false;
	}
	offset = first_offset(head->params.kind);
	for (i = 0; i < head->layers; i++) {
		bloom_geometry geometry = bloom_live_geometry(head, (uint32_t)i);

		if (bloom_geometry_check(&geometry) != BLOOM_OK ||
			head->layer[i].offset != offset) {
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

static void make_views(bloom_live *live)
{
	bloom_geometry geometry;
	uint32_t i;

	for (i = 0; i < live->layers; i++) {
		geometry = bloom_live_geometry(&live->known, i);
		live->view[i] = bloom_view_of(&geometry, bloom_live_bits(live, i));
	}
	if (live->known.params.kind == BLOOM_KIND_REVERSE) {
		live->reverse = bloom_reverse_of(&geometry, bloom_live_bits(live, 0));
	}
}

/* Maps the file and checks its head.  *bytes tells how much of it was mapped when BLOOM_E_LIVE is
 * returned. */
static bloom_status map_file(const bloom_place *opened, const char *file_name, bloom_live *live,
	uint64_t *bytes, bloom_error *error)
{
	bloom_mapped mapped = {0};
	uint64_t end = 0;
	bloom_status status;

	status = bloom_place_map(opened, file_name, BLOOM_MAP_WRITE, 0, &mapped, error);
	*bytes = mapped.bytes;
	if (status == BLOOM_E_SHORT) {
		return bloom_fail(error, BLOOM_E_LIVE, 0, "%s", file_name);
	}
	if (status != BLOOM_OK) {
		return status;
	}
	if (*bytes >= page_bytes) {
		copy_head((const bloom_live_page *)(const void *)mapped.map, &live->known);
	}
	if (*bytes < page_bytes || !is_sound(&live->known, *bytes, &end)) {
		bloom_unmap(mapped.map, *bytes);
		return bloom_fail(error, BLOOM_E_LIVE, 0, "%s", file_name);
	}
	live->head = (bloom_live_page *)(void *)mapped.map;
	live->map_bytes = *bytes;
	live->layers = (uint32_t)live->known.layers;
	live->lock = bloom_filelock_of(file_name, mapped.identity);
	return BLOOM_OK;
}

/* The same of a file that may grow between our measuring and our mapping, and then has layers
 * beyond what was mapped. */
static bloom_status map_growing(
	const bloom_place *opened, const char *file_name, bloom_live *live, bloom_error *error)
{
	uint64_t bytes = 0, now = 0;
	bloom_status status = map_file(opened, file_name, live, &bytes, error);
	int growths;

	for (growths = 0; status == BLOOM_E_LIVE && growths < BLOOM_LAYERS_MAX; growths++) {
		if (bloom_file_bytes(opened->directory, file_name, &now, NULL) != BLOOM_OK ||
			now <= bytes) {
			break;
		}
		status = map_file(opened, file_name, live, &bytes, error);
	}
	return status;
}

bloom_status bloom_live_map(
	const bloom_place *opened, const char *file_name, bloom_live *live, bloom_error *error)
{
	bloom_status status;

	live->head = NULL;
	status = map_growing(opened, file_name, live, error);
	if (status == BLOOM_OK) {
		status = bloom_hasher_find(live->known.seed, live->known.params.fingerprint,
			opened->segment->secrets, &live->hasher, error);
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
		bloom_filelock_close(&live->lock);
		bloom_wipe(&live->hasher, sizeof live->hasher);
		live->head = NULL;
	}
}

/* Takes what never changes from what is known, and only the rows of new layers from the page. */
static void keep_known(const bloom_live *live, bloom_live_head *head)
{
	uint64_t layers = head->layers;

	memcpy(head, &live->known,
		offsetof(bloom_live_head, layer) + live->layers * sizeof(bloom_layer));
	head->layers = layers;
}

/* Whether it still has the layers that are mapped, as they were. */
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

/* Makes the mapping as long as the file is said to be, and sees that the file is. A damaged head
 * may say too much: then nothing behind the known layers is ever touched. */
static bloom_status map_to(bloom_live *live, uint64_t end, bloom_error *error)
{
	unsigned char *map = (unsigned char *)live->head;
	bloom_status status = BLOOM_OK;

	if (end > live->map_bytes) {
		status = bloom_map_grow(&map, live->map_bytes, end, error);
		if (status != BLOOM_OK) {
			return status;
		}
		live->head = (bloom_live_page *)(void *)map;
		live->map_bytes = end;
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
	/* The file is as long as its layers: room comes before the number. */
	status = map_to(live, end, error);
	if (status == BLOOM_OK) {
		live->known = now;
		live->layers = (uint32_t)now.layers;
		make_views(live);
	}
	return status;
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

bool bloom_live_add_to_group(bloom_live *live, uint64_t group, bloom_digest value)
{
	uint32_t added =
		bloom_reverse_add(&live->reverse, bloom_live_bits(live, 0), group, value, NULL);

	if (added > 0) {
		(void)bloom_add(&live->head->layer[0].keys, added);
	}
	return added > 0;
}

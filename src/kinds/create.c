#include "kinds/create.h"

#include <stdlib.h>
#include <string.h>

#include "segment/control_file.h"
#include "os/clock.h"
#include "os/mapping.h"

/* ---- requested parameters ---- */

/* Returns the rate of layer 0. Layer 0 of a scalable filter gets only part of the filter's rate,
 * because later layers add their own rates. */
static double first_rate(const bloom_live_params *params)
{
	const bloom_live_layout *layout = bloom_live_layout_of(params->kind);

	return layout->first_rate != NULL ? layout->first_rate(params) : params->rate;
}

static bloom_status check_ranges(const bloom_live_params *params)
{
	const bloom_live_layout *layout = bloom_live_layout_of(params->kind);
	bloom_status status = layout->check != NULL ? layout->check(params) : BLOOM_OK;

	if (status != BLOOM_OK) {
		return status;
	}
	if (params->capacity_keys < 1 || params->capacity_keys > BLOOM_CAPACITY_MAX) {
		return BLOOM_E_CAPACITY;
	}
	/* The filter's own rate must be in range, not only the rate of layer 0. The comparison is
	 * false for NaN. */
	if (!(params->rate >= BLOOM_RATE_MIN && params->rate <= BLOOM_RATE_MAX)) {
		return BLOOM_E_RATE;
	}
	if (params->is_bounded > (layout->may_be_bounded ? 1 : 0)) {
		return BLOOM_E_BOUND;
	}
	return params->fan_out <= BLOOM_FAN_OUT_MAX ? BLOOM_OK : BLOOM_E_FAN_OUT;
}

static bloom_status choose_by_rate(
	const bloom_live_params *params, uint64_t seed, bloom_geometry *geometry)
{
	bloom_params layer = {
		.capacity_keys = params->capacity_keys,
		.rate = first_rate(params),
		.is_layer = bloom_live_layout_of(params->kind)->first_rate != NULL,
		.groups = params->groups,
		.fan_out = (uint32_t)params->fan_out,
	};

	return bloom_geometry_choose(&layer, seed, geometry);
}

static bloom_status choose_geometry(const bloom_live_params *params, uint64_t seed,
	bloom_geometry *geometry, bloom_error *error)
{
	const bloom_live_layout *layout = bloom_live_layout_of(params->kind);
	bloom_status status = check_ranges(params);

	if (status == BLOOM_OK) {
		status = layout->choose != NULL ? layout->choose(params, seed, geometry)
						: choose_by_rate(params, seed, geometry);
	}
	if (status != BLOOM_OK) {
		return bloom_fail(error, status, 0, "filter");
	}
	geometry->fingerprint = params->fingerprint;
	return BLOOM_OK;
}

bloom_status bloom_live_params_check_ranges(const bloom_live_params *params, bloom_error *error)
{
	bloom_status status = check_ranges(params);

	return status == BLOOM_OK ? status : bloom_fail(error, status, 0, "filter");
}

/* ---- creating a filter ---- */

static void write_head(
	bloom_live_head *head, const bloom_live_params *params, const bloom_geometry *geometry)
{
	const bloom_live_layout *layout = bloom_live_layout_of(params->kind);
	uint64_t offset = bloom_live_first_offset(params->kind);
	uint32_t i;

	*head = (bloom_live_head){
		.magic = BLOOM_LIVE_MAGIC,
		.layout = BLOOM_LIVE_LAYOUT,
		.params = *params,
		.seed = geometry->seed,
		.created_ms = bloom_clock_ms(),
		.layers = layout->layers,
	};
	if (layout->begin != NULL) {
		layout->begin(head);
	}
	for (i = 0; i < layout->layers; i++) {
		bloom_live_layer_write(&head->layer[i], geometry, offset, params->capacity_keys,
			first_rate(params));
		offset += bloom_live_layer_bytes(params->kind, geometry);
	}
}

bloom_status bloom_live_stage(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, uint64_t seed, const bloom_geometry *geometry,
	const unsigned char *bits, bloom_stage *stage, bloom_error *error)
{
	uint64_t first = bloom_live_first_offset(params->kind), bytes;
	bloom_geometry chosen = {0};
	bloom_hasher hasher = {0};
	unsigned char *map = NULL;
	bloom_status status;

	if (geometry != NULL) {
		status = bloom_geometry_check_open(geometry, error);
		if (status != BLOOM_OK) {
			return status;
		}
		chosen = *geometry;
	} else {
		status = choose_geometry(params, seed, &chosen, error);
		if (status != BLOOM_OK) {
			return status;
		}
	}
	/* Fail now instead of creating a filter that no process with these secrets could attach
	 * to. */
	status = bloom_hasher_find(
		chosen.seed, chosen.fingerprint, segment->secrets, &hasher, error);
	bloom_wipe(&hasher, sizeof hasher);
	if (status != BLOOM_OK) {
		return status;
	}
	bytes = first +
		bloom_live_layout_of(params->kind)->layers *
			bloom_live_layer_bytes(params->kind, &chosen);
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
		memcpy(map + first, bits, (size_t)bloom_geometry_bytes(&chosen));
	}
	return BLOOM_OK;
}

/* A parameter whose existing and requested values differ. */
typedef struct difference {
	const char *what; /* NULL: no difference */
	double there, asked;
} difference;

static difference first_difference(const bloom_live_params *there, const bloom_live_params *asked)
{
	const difference all[] = {
		{"capacity", (double)there->capacity_keys, (double)asked->capacity_keys},
		{"false-positive rate", there->rate, asked->rate},
		{"growth", there->growth, asked->growth},
		{"tightening", there->tightening, asked->tightening},
		{"window", (double)there->window_ms / 1000, (double)asked->window_ms / 1000},
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
	const uint64_t *seed, const char *name, bloom_error *error)
{
	difference found = first_difference(&there->params, asked);
	char own[BLOOM_NUMBER_BYTES], wanted[BLOOM_NUMBER_BYTES];

	if (found.what != NULL) {
		return bloom_fail(error, BLOOM_E_EXISTS, 0,
			"%.128s: its %s is %s, but %s was requested", name, found.what,
			bloom_number_text(found.there, 15, own),
			bloom_number_text(found.asked, 15, wanted));
	}
	if ((there->params.fingerprint != 0) != (asked->fingerprint != 0)) {
		return bloom_fail(error, BLOOM_E_EXISTS, 0, "%.128s: it is%s keyed", name,
			there->params.fingerprint != 0 ? "" : " not");
	}
	if (there->params.is_bounded != asked->is_bounded) {
		return bloom_fail(error, BLOOM_E_EXISTS, 0, "%.128s: it %s keys when it is full",
			name, there->params.is_bounded != 0 ? "refuses" : "accepts");
	}
	/* Print the seeds as signed numbers, because PHP's integers are signed. */
	return seed == NULL || there->seed == *seed
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_EXISTS, 0,
			  "%.128s: its seed is %lld, but %lld was requested", name,
			  (long long)there->seed, (long long)*seed);
}

bloom_status bloom_live_match(const bloom_live *live, const bloom_live_params *params,
	const uint64_t *seed, const char *name, bloom_error *error)
{
	return compare(&live->known, params, seed, name, error);
}

/* Maps a live file and compares its parameters. */
static bloom_status compare_file(const bloom_filter_dir *dir, const char *file_name,
	const bloom_live_params *params, const uint64_t *seed, bloom_error *error)
{
	bloom_live *live = malloc(sizeof *live); /* too large for a fiber's stack */
	bloom_status status = live != NULL ? bloom_live_map(dir, file_name, live, error)
					   : bloom_fail(error, BLOOM_E_MEMORY, 0, "%s", file_name);

	if (status == BLOOM_OK) {
		status = compare(&live->known, params, seed, dir->name, error);
		bloom_live_unmap(live);
	}
	free(live);
	return status;
}

/* Checks that the filter exists with these parameters. Fails with BLOOM_E_NOT_FOUND if the filter
 * can be created. */
static bloom_status inspect(const bloom_filter_dir *dir, const bloom_live_params *params,
	const uint64_t *seed, bloom_error *error)
{
	char file_name[BLOOM_FILE_NAME_MAX];
	bloom_control *control = NULL;
	uint64_t generation, kind, groups;
	bloom_status status = bloom_control_map(dir, &control, NULL, error);

	if (status != BLOOM_OK) {
		/* A writer replaces a damaged control page, so the filter can be created. */
		return status == BLOOM_E_CONTROL ? BLOOM_E_NOT_FOUND : status;
	}
	generation = bloom_load_acquire(&control->generation);
	kind = bloom_load_relaxed(&control->kind);
	groups = bloom_load_relaxed(&control->groups);
	if (generation == BLOOM_GENERATION_NONE || generation == BLOOM_GENERATION_DROPPED) {
		status = BLOOM_E_NOT_FOUND;
	} else if (bloom_control_is_expired(control)) {
		status = BLOOM_E_NOT_FOUND;
	} else if (kind != params->kind) {
		status = bloom_fail_kind(error, dir->name,
			bloom_kind_text(bloom_kind_of(kind, groups)),
			bloom_kind_text(params->kind));
	} else {
		bloom_generation_name(generation, file_name);
		status = compare_file(dir, file_name, params, seed, error);
		/* If the filter was dropped during the comparison, the file with this number is
		 * gone or belongs to a newer filter. */
		if (status != BLOOM_OK && bloom_load_acquire(&control->generation) != generation) {
			status = bloom_fail(error, BLOOM_E_GONE, 0, "%s", dir->name);
		}
	}
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	return status;
}

static bloom_status make(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, const bloom_creation *how, bloom_error *error)
{
	uint64_t generation = 0;
	bloom_stage stage = {0};
	bloom_status status = bloom_live_stage(segment, name, params,
		how->seed != NULL ? *how->seed : bloom_random(), NULL, NULL, &stage, error);

	if (status != BLOOM_OK) {
		return status;
	}
	stage.ttl_ms = how->ttl_ms;
	stage.replaces = BLOOM_GENERATION_NONE;
	return bloom_stage_commit(&stage, &generation, error);
}

bloom_status bloom_live_create(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, const bloom_creation *how, bool *created,
	bloom_error *error)
{
	enum { TRIES_MAX = 10 };
	static const bloom_creation by_default = {0};
	/* Check only the ranges here: sizing takes a thousand times as long as looking up the
	 * filter, and make() does the sizing. */
	bloom_status status = bloom_live_params_check_ranges(params, error);
	bloom_filter_dir dir;
	int i;

	how = how != NULL ? how : &by_default;
	if (status != BLOOM_OK) {
		return status;
	}
	if (how->ttl_ms > BLOOM_TTL_MS_MAX) {
		return bloom_fail(error, BLOOM_E_TTL, 0, "%.128s", name);
	}
	/* Another process may create or drop the filter between inspect() and the switch in make().
	 */
	for (i = 0; i < TRIES_MAX; i++) {
		status = bloom_filter_dir_open(segment, name, false, &dir, error);
		if (status == BLOOM_OK) {
			status = inspect(&dir, params, how->seed, error);
			bloom_filter_dir_close(&dir);
		}
		if (how->is_exclusive && (status == BLOOM_OK || status == BLOOM_E_KIND)) {
			status = bloom_fail(error, BLOOM_E_EXISTS, 0, "%s", name);
		}
		*created = status == BLOOM_E_NOT_FOUND;
		if (*created) {
			status = make(segment, name, params, how, error);
		}
		if (bloom_status_group_of(status) != BLOOM_GROUP_RETRY) {
			return status;
		}
	}
	return status;
}

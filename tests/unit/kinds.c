#include "kinds.h"

#include "kinds/create.h"
#include "kinds/ondemand.h"
#include "segment/stage.h"
#include "segment/drop.h"

const bloom_live_params live_params[LIVE_KINDS] = {
	{.kind = BLOOM_KIND_LIVE, .capacity_keys = 1000, .rate = 0.001},
	{.kind = BLOOM_KIND_COUNTING, .capacity_keys = 1000, .rate = 0.001},
	{.kind = BLOOM_KIND_SCALABLE,
		.capacity_keys = 1000,
		.rate = 0.001,
		.growth = 2,
		.tightening = 0.5},
	{.kind = BLOOM_KIND_SLIDING, .capacity_keys = 1000, .rate = 0.001, .window_ms = 60000},
	{.kind = BLOOM_KIND_REVERSE,
		.capacity_keys = 1000,
		.rate = 0.001,
		.groups = 300,
		.fan_out = 64},
};

static const char *const kind_names[KINDS] = {
	"loaded", "live", "counting", "scalable", "sliding", "reverse", "on-demand"};

static const bloom_params usual = {.capacity_keys = 1000, .rate = 1e-6};

static bloom_live_params params_of(int kind)
{
	bloom_live_params params = {.kind = (uint64_t)kind, .capacity_keys = 1000, .rate = 1e-6};

	switch (kind) {
	case BLOOM_KIND_SCALABLE:
		params.growth = 2;
		params.tightening = 0.5;
		break;
	case BLOOM_KIND_SLIDING:
		params.window_ms = 100 * HOUR;
		break;
	case BLOOM_KIND_REVERSE:
		params.groups = 300;
		params.fan_out = 64;
		break;
	default:
		break;
	}
	return params;
}

bool is_live(int kind)
{
	return kind != BLOOM_KIND_LOADED && kind != BLOOM_KIND_ON_DEMAND;
}

bloom_status add_key(bloom_attachment *filter, uint64_t i)
{
	return filter_add(filter, "key", i, NULL);
}

bool has_key(bloom_attachment *filter, uint64_t i)
{
	return filter_has(filter, "key", i);
}

bool is_there(bloom_presence presence)
{
	return presence == BLOOM_PRESENCE_VIEW || presence == BLOOM_PRESENCE_ADDITIONS ||
		presence == BLOOM_PRESENCE_OPS;
}

void assert_keys(bloom_attachment *filter)
{
	uint64_t i;

	assert_true(is_there(bloom_attachment_check(filter)));
	for (i = 0; i < KEYS; i++) {
		assert_true(has_key(filter, i));
	}
}

void assert_keys_before_naming(bloom_attachment *filter)
{
	filter->named_ms = bloom_coarse_ms();
	assert_keys(filter);
}

test_blob blob_of_keys(void)
{
	return blob_of(&usual, 1, KEYS, "key", NULL);
}

/* Creates an on-demand filter and makes all its chunks resident. */
static bloom_status make_cache(const bloom_segment *segment)
{
	test_blob blob = blob_of_keys();
	bloom_attachment filter;
	uint64_t chunk, generation;
	bloom_stage stage;
	bloom_head head;
	bloom_status status;

	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	status = bloom_cache_stage(
		segment, "tags", 1 << 20, &head, blob.bytes, NULL, &stage, &error);
	if (status == BLOOM_OK) {
		status = bloom_stage_commit(&stage, &generation, &error);
	}
	if (status == BLOOM_OK) {
		attach_to(segment, "tags", &filter);
		for (chunk = 0; chunk < head.chunks; chunk++) {
			assert_ok(bloom_cache_put(filter.cache, segment, "tags", chunk,
				blob.bytes + head.head_bytes +
					bloom_head_chunk_offset(&head, chunk),
				&error));
		}
		bloom_detach(&filter);
	}
	blob_free(&blob);
	return status;
}

bloom_status create_kind(const bloom_segment *segment, int kind)
{
	bloom_live_params params = params_of(kind);
	bloom_status status;
	test_blob blob;
	bool created;

	if (kind == BLOOM_KIND_ON_DEMAND) {
		return make_cache(segment);
	}
	if (kind != BLOOM_KIND_LOADED) {
		return bloom_live_create(segment, "tags", &params, NULL, &created, &error);
	}
	blob = blob_of_keys();
	status = load(segment, "tags", blob, NULL);
	blob_free(&blob);
	return status;
}

void make_kind(const bloom_segment *segment, int kind, bloom_attachment *filter)
{
	uint64_t i;

	print_message("# %s\n", kind_names[kind]);
	assert_ok(create_kind(segment, kind));
	attach_to(segment, "tags", filter);
	for (i = 0; is_live(kind) && i < KEYS; i++) {
		assert_ok(add_key(filter, i));
	}
	assert_keys(filter);
}

void unmake_kind(const bloom_segment *segment, bloom_attachment *filter)
{
	bool existed;

	bloom_detach(filter);
	assert_ok(bloom_segment_drop(segment, "tags", &existed, &error));
	assert_int_equal(0, count_maps());
}

const char generation_one[] = "tags/0000000000000001.bloom";

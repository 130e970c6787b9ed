/* Errors of maps: parameters, keys and values, bodies, and the files that they are built from. */
#include "provoke.h"

#include "build/lines.h"
#include "kinds/ondemand.h"
#include "segment/stage.h"

static bloom_status params(bloom_params asked)
{
	bloom_geometry geometry;

	return bloom_geometry_choose(&asked, 0, &geometry);
}

static bloom_status value_bits(void)
{
	return params((bloom_params){.capacity_keys = 1, .rate = 0.01, .value_bits = 65});
}

static bloom_status map_rate(void)
{
	return params((bloom_params){.capacity_keys = 1, .rate = 0.6, .value_bits = 8});
}

static bloom_status map_layout(void)
{
	return params((bloom_params){
		.capacity_keys = 1, .rate = 0.01, .value_bits = 8, .block_bytes = 64});
}

/* Finishes a map of this many keys, of which the last one may be set a second time. */
static bloom_status map_of(uint64_t keys, bool twice)
{
	bloom_params asked = {.capacity_keys = 100, .rate = 0.01, .value_bits = 4};
	bloom_builder builder;
	bloom_status status;
	uint64_t i;

	assert_ok(bloom_builder_init(&asked, 0, 0, &builder, &error));
	for (i = 0; i < keys; i++) {
		bloom_builder_set(&builder, (const unsigned char *)&i, sizeof i, 1);
	}
	if (twice) {
		i--;
		bloom_builder_set(&builder, (const unsigned char *)&i, sizeof i, 2);
	}
	status = bloom_builder_finish(&builder, 0, 1, &error);
	bloom_builder_free(&builder);
	return status;
}

static bloom_status map_duplicate(void)
{
	return map_of(100, true);
}

static bloom_status map_places(void)
{
	return map_of(5000, false);
}

static test_blob small_map(void)
{
	bloom_params asked = {.capacity_keys = 100, .rate = 0.01, .value_bits = 4};
	bloom_builder builder;

	assert_ok(bloom_builder_init(&asked, 0, 0, &builder, &error));
	return blob_from(&builder);
}

static bloom_status map_spill(void)
{
	test_blob blob = small_map();
	bloom_status status;
	bloom_head head;
	uint32_t last;

	assert_ok(blob_parse(blob, &head));
	last = head.geometry.stripes - 2;
	blob.bytes[head.head_bytes + last / 8] |= (unsigned char)(1 << last % 8);
	mend_shard(blob, 0);
	status = blob_accept(blob);
	blob_free(&blob);
	return status;
}

static bloom_status map_line(void)
{
	static const char text[] = "one\t1\ntwo\n";
	bloom_params asked = {.capacity_keys = 100, .rate = 0.01, .value_bits = 4};
	bloom_lines lines = {0};
	bloom_builder builder;
	bloom_status status;

	assert_ok(bloom_builder_init(&asked, 0, 0, &builder, &error));
	status = bloom_builder_add_lines(
		&builder, &lines, (const unsigned char *)text, sizeof text - 1, &error);
	bloom_lines_free(&lines);
	bloom_builder_free(&builder);
	return status;
}

static bloom_status map_whole(void)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = small_map();
	bloom_stage stage = {0};
	bloom_status status;
	bloom_head head;

	assert_ok(blob_parse(blob, &head));
	status = bloom_cache_stage(
		&segment, "map", 1 << 20, &head, blob.bytes, NULL, &stage, &error);
	bloom_stage_abort(&stage);
	blob_free(&blob);
	return status;
}

static const provocation rows[] = {
	{BLOOM_E_VALUE_BITS, value_bits},
	{BLOOM_E_MAP_RATE, map_rate},
	{BLOOM_E_MAP_LAYOUT, map_layout},
	{BLOOM_E_MAP_DUPLICATE, map_duplicate},
	{BLOOM_E_MAP_PLACES, map_places},
	{BLOOM_E_MAP_SPILL, map_spill},
	{BLOOM_E_MAP_LINE, map_line},
	{BLOOM_E_MAP_WHOLE, map_whole},
};

const provocations map_provocations = {rows, sizeof rows / sizeof *rows};

/* Scenes of loaded filters: loads and drops, also after killed processes and another layout. */
#include "scene_room.h"

#include <sys/stat.h>

#include "filter/atomic.h"
#include "segment/control_file.h"
#include "segment/drop.h"
#include "segment/tidy.h"

static test_blob blob_a, blob_b, ribbon, grouped;

/* A reverse index. */
static test_blob in_groups(void)
{
	bloom_params params = {.capacity_keys = 40, .rate = RATE, .groups = 10, .fan_out = 64};
	bloom_builder builder = {0};
	char text[KEY_TEXT_BYTES];
	uint64_t i;

	assert_ok(bloom_builder_init(&params, 7, 0, &builder, &error));
	for (i = 0; i < KEYS; i++) {
		(void)bloom_builder_add_to_group(
			&builder, i % 10, (const unsigned char *)text, key_text("common", i, text));
	}
	return blob_from(&builder);
}

bloom_status scene_load_other(const bloom_segment *segment)
{
	return load(segment, "other", blob_a, NULL);
}

/* ---- loading ---- */

static void prepare_a(const bloom_segment *segment)
{
	assert_ok(load(segment, SCENE_NAME, blob_a, NULL));
}

static bloom_status load_b(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	bloom_status status = load(segment, SCENE_NAME, blob_b, NULL);

	(void)attachment;
	*detail = error;
	return status;
}

static unsigned look_first_load(bloom_attachment *attachment, bool busy)
{
	(void)busy;
	assert_true(attachment == NULL || is_blob(attachment, blob_b));
	return attachment != NULL;
}

static unsigned look_reload(bloom_attachment *attachment, bool busy)
{
	(void)busy;
	assert_non_null(attachment);
	assert_true(is_blob(attachment, blob_a) || is_blob(attachment, blob_b));
	return is_blob(attachment, blob_b);
}

static bloom_status drop(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	bool existed = false;

	(void)attachment;
	return bloom_segment_drop(segment, SCENE_NAME, &existed, detail);
}

/* A drop of no kind is refused, and one of the filter's kind is not. */
static bloom_status drop_kind(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	bool existed = false;
	bloom_status status = bloom_segment_drop_kind(segment, SCENE_NAME, 0, &existed, detail);

	(void)attachment;
	if (status != BLOOM_OK && status != BLOOM_E_KIND) {
		return status;
	}
	return bloom_segment_drop_kind(
		segment, SCENE_NAME, UINT32_C(1) << BLOOM_KIND_LOADED, &existed, detail);
}

static unsigned look_drop(bloom_attachment *attachment, bool busy)
{
	(void)busy;
	assert_true(attachment == NULL || is_blob(attachment, blob_a));
	return attachment == NULL;
}

/* ---- segments left by killed processes ---- */

/* The page is marked as dropped, and nothing is removed yet. */
static void prepare_half_dropped(const bloom_segment *segment)
{
	bloom_control *control = NULL;

	prepare_a(segment);
	assert_ok(bloom_segment_control(segment, SCENE_NAME, false, &control, &error));
	bloom_store_release(&control->generation, BLOOM_GENERATION_DROPPED);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	make_sweep_due(segment);
}

static unsigned look_half_dropped(bloom_attachment *attachment, bool busy)
{
	(void)busy;
	assert_null(attachment);
	return 1;
}

/* Leaves half a blob and half a control page. The locks of their writers are free. */
static void prepare_leftovers(const bloom_segment *segment)
{
	prepare_a(segment);
	write_file(in_segment(segment, SCENE_NAME "/0123456789abcdef.tmp"), blob_b.bytes,
		blob_b.count / 2, 0600);
	write_file(in_segment(segment, SCENE_NAME "/control.tmp"), blob_b.bytes, 100, 0600);
	make_sweep_due(segment);
}

/* Leaves only leftovers, because the first process died before it created a control page. */
static void prepare_leftovers_alone(const bloom_segment *segment)
{
	bool existed;

	assert_ok(scene_load_other(segment));
	assert_ok(bloom_segment_drop(segment, "other", &existed, &error));
	assert_int_equal(0, mkdir(in_segment(segment, SCENE_NAME), 0700));
	write_file(in_segment(segment, SCENE_NAME "/0123456789abcdef.tmp"), blob_b.bytes,
		blob_b.count / 2, 0600);
	write_file(in_segment(segment, SCENE_NAME "/control.tmp"), blob_b.bytes, 100, 0600);
	make_sweep_due(segment);
}

/* A complete generation file that no page names. */
static void prepare_unnamed(const bloom_segment *segment)
{
	prepare_a(segment);
	write_file(in_segment(segment, SCENE_NAME "/0000000000000002.bloom"), blob_b.bytes,
		blob_b.count, 0600);
	make_sweep_due(segment);
}

/* ---- another layout ---- */

/* Another build has left its copy, and this build serves the filter. */
static void prepare_other_layout(const bloom_segment *segment)
{
	bloom_control *control = NULL;

	prepare_a(segment);
	assert_ok(bloom_segment_control(segment, SCENE_NAME, false, &control, &error));
	control->layout++;
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	assert_int_equal(0,
		rename(in_segment(segment, SCENE_NAME),
			in_segment(segment, SCENE_NAME "@%d", BLOOM_CONTROL_LAYOUT + 1)));
	prepare_a(segment);
	make_sweep_due(segment);
}

/* ---- looking up ---- */

static void prepare_ribbon(const bloom_segment *segment)
{
	assert_ok(load(segment, SCENE_NAME, ribbon, NULL));
}

static void prepare_grouped(const bloom_segment *segment)
{
	assert_ok(load(segment, SCENE_NAME, grouped, NULL));
}

/* ---- all of them ---- */

static void begin(void)
{
	bloom_params solved = small;

	solved.ribbon = true;
	solved.shard_bytes = 0;
	ribbon = blob_of(&solved, 1, KEYS, "common", NULL);
	grouped = in_groups();
	blob_a = blob_of(&small, 1, KEYS, "common", "a", NULL);
	blob_b = blob_of(&small, 2, KEYS, "common", "b", NULL);
}

static void end(void)
{
	blob_free(&blob_a);
	blob_free(&blob_b);
	blob_free(&ribbon);
	blob_free(&grouped);
}

static const scene scenes_here[] = {
	{"a first load", prepare_nothing, load_b, look_first_load, 2, false, false, false},
	{"a reload", prepare_a, load_b, look_reload, 2, false, false, false},
	{"a drop", prepare_a, drop, look_drop, -1, true, false, false},
	{"a drop of one kind", prepare_a, drop_kind, look_drop, -1, true, false, false},
	{"a load after half a drop", prepare_half_dropped, load_b, look_first_load, 2, false, false,
		false},
	{"a drop after half a drop", prepare_half_dropped, drop, look_half_dropped, -1, true, false,
		false},
	{"a load after half a load", prepare_leftovers, load_b, look_reload, 2, false, false,
		false},
	{"a load after half a first load", prepare_leftovers_alone, load_b, look_first_load, 2,
		false, false, false},
	{"a load after a load that was killed before its switch", prepare_unnamed, load_b,
		look_reload, 2, false, false, false},
	{"a reload that removes a copy of another layout", prepare_other_layout, load_b,
		look_reload, 2, false, false, false},
	LOOKUP("a loaded filter", prepare_a, 2),
	LOOKUP("a ribbon filter", prepare_ribbon, 2),
	LOOKUP("a loaded reverse index", prepare_grouped, 2),
};

const scene_room loaded_scenes = {
	begin, end, scenes_here, sizeof scenes_here / sizeof *scenes_here};

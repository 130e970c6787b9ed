/* Scenes of live filters: creating, adding, counting, sliding and restoring. */
#include "scene_room.h"

#include "filter/atomic.h"
#include "kinds/counting.h"
#include "kinds/create.h"
#include "kinds/reverse_live.h"
#include "kinds/scalable.h"
#include "kinds/sliding.h"
#include "kinds/snapshot.h"
#include "segment/control_file.h"
#include "segment/stage.h"

enum { TIMES = 3, START = 1000000, WINDOW = 1000, HOUR = 3600000 };

/* The snapshot of a live filter with the common keys. */
static test_blob snapshot;

/* ---- creating ---- */

static bloom_live_params params_of(bloom_kind kind)
{
	return (bloom_live_params){
		.kind = kind,
		.capacity_keys = KEYS,
		.rate = RATE,
		.growth = kind == BLOOM_KIND_SCALABLE ? 2 : 0,
		.tightening = kind == BLOOM_KIND_SCALABLE ? 0.5 : 0,
		.window_ms = kind == BLOOM_KIND_SLIDING ? WINDOW : 0,
		.groups = kind == BLOOM_KIND_REVERSE ? 10 : 0,
		.fan_out = kind == BLOOM_KIND_REVERSE ? 64 : 0,
	};
}

static bloom_status create(bloom_kind kind, const bloom_segment *segment, bloom_error *detail)
{
	bloom_live_params params = params_of(kind);
	const uint64_t seed = 5;
	const bloom_creation how = {.seed = &seed};
	bool created = false;

	return bloom_live_create(segment, SCENE_NAME, &params, &how, &created, detail);
}

static unsigned look_created(bloom_kind kind, bloom_attachment *attachment)
{
	bloom_live_params params = params_of(kind);

	if (attachment == NULL) {
		return 0;
	}
	assert_int_equal(kind, attachment->ops->kind);
	assert_memory_equal(&params, &attachment->live->known.params, sizeof params);
	assert_int_equal(5, attachment->live->known.seed);
	assert_false(filter_has(attachment, "common", 0));
	return 1;
}

#define CREATION(function, kind)                                                                 \
	static bloom_status create_##function(                                                   \
		const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail) \
	{                                                                                        \
		(void)attachment;                                                                \
		return create(kind, segment, detail);                                            \
	}                                                                                        \
	static unsigned look_##function(bloom_attachment *attachment, bool busy)                 \
	{                                                                                        \
		(void)busy;                                                                      \
		return look_created(kind, attachment);                                           \
	}

CREATION(live, BLOOM_KIND_LIVE)
CREATION(counting, BLOOM_KIND_COUNTING)
CREATION(scalable, BLOOM_KIND_SCALABLE)
CREATION(sliding, BLOOM_KIND_SLIDING)
CREATION(reverse, BLOOM_KIND_REVERSE)

/* ---- adding ---- */

static bloom_digest digest_in(const bloom_attachment *attachment, const char *family, uint64_t i)
{
	return key_digest(attachment->live->known.seed, family, i);
}

/* Creates a filter with the common keys. */
static void prepare_kind(const bloom_segment *segment, bloom_kind kind)
{
	bloom_live_params params = params_of(kind);
	bloom_attachment attachment;
	uint64_t i;

	live_create(segment, SCENE_NAME, &params, 5);
	attach_to(segment, SCENE_NAME, &attachment);
	for (i = 0; i < KEYS; i++) {
		assert_ok(filter_add(&attachment, "common", i, NULL));
	}
	assert_true(kind != BLOOM_KIND_SCALABLE || attachment.live->head->layer[0].keys == KEYS);
	bloom_detach(&attachment);
}

static void prepare_live(const bloom_segment *segment)
{
	prepare_kind(segment, BLOOM_KIND_LIVE);
}

static bloom_status add_live(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	(void)segment;
	(void)detail;
	(void)bloom_live_add(attachment->live, 0, digest_in(attachment, "new", 0));
	return BLOOM_OK;
}

/* Ends the filter's time to live, so that it has to be dropped before it is created. */
static bloom_status expire_and_create(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	bloom_control *control = NULL;
	bloom_status status = bloom_segment_control(segment, SCENE_NAME, false, &control, detail);

	if (status == BLOOM_OK) {
		bloom_store_release(&control->expires_ms, 1);
		bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	} else if (status != BLOOM_E_NOT_FOUND) {
		return status;
	}
	return create_live(segment, attachment, detail);
}

static unsigned look_expired(bloom_attachment *attachment, bool busy)
{
	if (attachment != NULL && filter_has(attachment, "common", 0)) {
		assert_true(has_all(attachment, "common"));
		return 0;
	}
	return look_live(attachment, busy);
}

/* Asserts that the filter has the common keys and at most one new key. */
static unsigned look_added(bloom_attachment *attachment, bool busy)
{
	(void)busy;
	assert_non_null(attachment);
	assert_true(has_all(attachment, "common"));
	assert_false(filter_has(attachment, "never", 0));
	return filter_has(attachment, "new", 0);
}

static void prepare_reverse(const bloom_segment *segment)
{
	prepare_kind(segment, BLOOM_KIND_REVERSE);
}

static bloom_status add_reverse(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	(void)segment;
	(void)detail;
	(void)bloom_live_add_to_group(attachment->live, 3, digest_in(attachment, "new", 0));
	return BLOOM_OK;
}

/* Creates a scalable filter whose first layer is full. */
static void prepare_full_scalable(const bloom_segment *segment)
{
	prepare_kind(segment, BLOOM_KIND_SCALABLE);
}

static bloom_status grow(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	bool is_new;

	return bloom_scalable_add(attachment->live, segment, SCENE_NAME,
		digest_in(attachment, "new", 0), &is_new, detail);
}

/* ---- sliding ---- */

static uint64_t clock_ms = START;

static uint64_t clock_now(void)
{
	return clock_ms;
}

static bloom_status add_sliding(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	bool is_new;

	return bloom_sliding_add(attachment->live, segment, SCENE_NAME,
		digest_in(attachment, "new", 0), clock_now, &is_new, detail);
}

/* Adds keys in the first half window and in the second one, then moves on to the third. */
static void prepare_sliding(const bloom_segment *segment)
{
	static const char *const families[] = {"old", "common"};
	bloom_live_params params = params_of(BLOOM_KIND_SLIDING);
	bloom_attachment attachment;
	bool is_new;
	uint64_t i, half;

	live_create(segment, SCENE_NAME, &params, 5);
	attach_to(segment, SCENE_NAME, &attachment);
	attachment.live->head->turn = (uint64_t)START << 2;
	for (half = 0; half < 2; half++) {
		clock_ms = START + half * WINDOW / 2;
		for (i = 0; i < KEYS; i++) {
			assert_ok(bloom_sliding_add(attachment.live, segment, SCENE_NAME,
				digest_in(&attachment, families[half], i), clock_now, &is_new,
				&error));
		}
	}
	clock_ms = START + WINDOW;
	bloom_detach(&attachment);
}

static bool slides(bloom_attachment *attachment, const char *family, uint64_t i)
{
	return bloom_sliding_test(attachment->live, digest_in(attachment, family, i), clock_ms);
}

static unsigned look_turned(bloom_attachment *attachment, bool busy)
{
	uint64_t i;

	(void)busy;
	assert_non_null(attachment);
	for (i = 0; i < KEYS; i++) {
		assert_true(slides(attachment, "common", i));
		assert_false(slides(attachment, "old", i));
	}
	return slides(attachment, "new", 0);
}

/* ---- counting ---- */

static bloom_status count_once(
	const bloom_segment *segment, bloom_attachment *attachment, const char *family, uint64_t i)
{
	bool is_new;

	return bloom_counting_add(attachment->live, segment, SCENE_NAME,
		digest_in(attachment, family, i), &is_new, &error);
}

/* counters_before: the sum of all counters before the operation. counters_each: what one
 * operation adds to it. */
static uint64_t counters_before, counters_each;

static uint64_t counters_of(const bloom_attachment *attachment)
{
	uint64_t bytes = attachment->view.blocks * attachment->view.block_bytes, sum = 0, i;

	for (i = bytes; i < 5 * bytes; i++) {
		sum += (attachment->view.bits[i] & 15u) + (attachment->view.bits[i] >> 4);
	}
	return sum;
}

static void prepare_counting(const bloom_segment *segment)
{
	bloom_live_params params = params_of(BLOOM_KIND_COUNTING);
	bloom_attachment attachment;
	uint64_t i;

	live_create(segment, SCENE_NAME, &params, 5);
	attach_to(segment, SCENE_NAME, &attachment);
	for (i = 0; i < KEYS; i++) {
		assert_ok(count_once(segment, &attachment, "common", i));
	}
	counters_before = counters_of(&attachment);
	for (i = 0; i < TIMES; i++) {
		assert_ok(count_once(segment, &attachment, "victim", 0));
	}
	counters_each = (counters_of(&attachment) - counters_before) / TIMES;
	bloom_detach(&attachment);
}

static bloom_status add_counting(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	bool is_new;

	return bloom_counting_add(attachment->live, segment, SCENE_NAME,
		digest_in(attachment, "victim", 0), &is_new, detail);
}

static bloom_status remove_counting(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	bool removed;

	return bloom_counting_remove(attachment->live, segment, SCENE_NAME,
		digest_in(attachment, "victim", 0), &removed, detail);
}

static uint32_t times_of(bloom_attachment *attachment, bool busy)
{
	bloom_segment now = *attachment->segment;
	uint32_t count = 0;

	assert_true(has_all(attachment, "common"));
	assert_true(filter_has(attachment, "victim", 0));
	if (busy) {
		return TIMES;
	}
	now.lock_timeout_ms = 0;
	assert_ok(bloom_counting_count(attachment->live, &now, SCENE_NAME,
		digest_in(attachment, "victim", 0), &count, &error));
	assert_true(has_all(attachment, "common"));
	assert_int_equal(counters_before + count * counters_each, counters_of(attachment));
	return count;
}

static unsigned look_counted(bloom_attachment *attachment, bool busy)
{
	uint32_t count = times_of(attachment, busy);

	assert_in_range(count, TIMES, TIMES + 2);
	return count - TIMES;
}

static unsigned look_removed(bloom_attachment *attachment, bool busy)
{
	uint32_t count = times_of(attachment, busy);

	assert_in_range(count, TIMES - 2, TIMES);
	return TIMES - count;
}

/* ---- restoring ---- */

static bloom_status write_snapshot(
	void *context, uint64_t at, const unsigned char *bytes, uint64_t count, bloom_error *detail)
{
	(void)context;
	(void)detail;
	assert_true(at + count <= snapshot.count);
	memcpy(snapshot.bytes + at, bytes, count);
	return BLOOM_OK;
}

static bloom_status read_snapshot(
	void *context, uint64_t at, unsigned char *bytes, uint64_t count, bloom_error *detail)
{
	(void)context;
	(void)detail;
	memcpy(bytes, snapshot.bytes + at, count);
	return BLOOM_OK;
}

/* Saves a filter of a segment that exists only during this call. */
static void make_snapshot(void)
{
	bloom_segment segment = scratch_segment();
	bloom_saving saving;

	prepare_live(&segment);
	assert_ok(bloom_saving_begin(&segment, SCENE_NAME, 0, &saving, &error));
	snapshot.count = sizeof saving.head + saving.image_bytes;
	snapshot.bytes = malloc(snapshot.count);
	assert_non_null(snapshot.bytes);
	assert_ok(bloom_saving_run(&saving, write_snapshot, NULL, &error));
	bloom_saving_end(&saving);
	remove_tree(segment.path);
}

/* If the filter exists, the restore is refused. The next process is done then. */
static bloom_status restore(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	bloom_restoring restoring;
	bloom_stage stage = {0};
	bloom_status status =
		bloom_restoring_begin(segment, SCENE_NAME, UINT32_C(1) << BLOOM_KIND_LIVE,
			snapshot.bytes, sizeof(bloom_snapshot), &stage, &restoring, detail);

	if (status == BLOOM_OK) {
		status = bloom_restoring_run(&restoring, read_snapshot, NULL, detail);
	}
	bloom_stage_abort(&stage);
	return status == BLOOM_E_EXISTS && attachment != NULL ? BLOOM_OK : status;
}

static unsigned look_restored(bloom_attachment *attachment, bool busy)
{
	(void)busy;
	assert_true(attachment == NULL || has_all(attachment, "common"));
	return attachment != NULL;
}

/* ---- looking up ---- */

/* Creates a scalable filter of two layers. */
static void prepare_grown(const bloom_segment *segment)
{
	bloom_attachment attachment;

	prepare_full_scalable(segment);
	attach_to(segment, SCENE_NAME, &attachment);
	assert_ok(grow(segment, &attachment, &error));
	assert_int_equal(2, attachment.live->head->layers);
	bloom_detach(&attachment);
}

static void add_to_window(bloom_live *live, const bloom_segment *segment)
{
	bool is_new;
	uint64_t i;

	for (i = 0; i < KEYS; i++) {
		assert_ok(bloom_sliding_add(live, segment, SCENE_NAME,
			key_digest(live->known.seed, "common", i), bloom_monotonic_ms, &is_new,
			&error));
	}
}

/* Creates a sliding filter by the clock that lookups read. */
static void prepare_window(const bloom_segment *segment)
{
	bloom_live_params params = params_of(BLOOM_KIND_SLIDING);
	bloom_attachment attachment;

	params.window_ms = 2 * HOUR;
	live_create(segment, SCENE_NAME, &params, 5);
	attach_to(segment, SCENE_NAME, &attachment);
	add_to_window(attachment.live, segment);
	bloom_detach(&attachment);
}

/* ---- all of them ---- */

static void begin(void)
{
	make_snapshot();
}

static void end(void)
{
	blob_free(&snapshot);
}

static const scene scenes_here[] = {
	{"creating a live filter", prepare_nothing, create_live, look_live, 2, false, false, false},
	{"creating a counting filter", prepare_nothing, create_counting, look_counting, 2, false,
		false, false},
	{"creating a scalable filter", prepare_nothing, create_scalable, look_scalable, 2, false,
		false, false},
	{"creating a sliding filter", prepare_nothing, create_sliding, look_sliding, 2, false,
		false, false},
	{"creating a reverse index", prepare_nothing, create_reverse, look_reverse, 2, false, false,
		false},
	{"creating a live filter whose time to live ends", prepare_live, expire_and_create,
		look_expired, 2, true, false, false},
	{"adding to a live filter", prepare_live, add_live, look_added, 2, false, false, false},
	{"adding to a reverse index", prepare_reverse, add_reverse, look_added, 2, false, false,
		false},
	{"growing", prepare_full_scalable, grow, look_added, 2, false, false, false},
	{"the end of a turn", prepare_sliding, add_sliding, look_turned, 2, false, false, false},
	{"adding to a counting filter", prepare_counting, add_counting, look_counted, 2, false,
		false, false},
	{"removing a key", prepare_counting, remove_counting, look_removed, 2, false, false, false},
	{"restoring a live filter", prepare_nothing, restore, look_restored, 2, false, false,
		false},
	LOOKUP("a live filter", prepare_live, 2),
	LOOKUP("a counting filter", prepare_counting, 2),
	LOOKUP("a scalable filter", prepare_grown, 2),
	LOOKUP("a sliding filter", prepare_window, 2),
	LOOKUP("a reverse index", prepare_reverse, 2),
};

const scene_room live_scenes = {begin, end, scenes_here, sizeof scenes_here / sizeof *scenes_here};

#include "scenes.h"

#include <sys/stat.h>

#include "filter/atomic.h"
#include "filter/chunk.h"
#include "kinds/additions.h"
#include "kinds/counting.h"
#include "kinds/ondemand.h"
#include "kinds/scalable.h"
#include "kinds/sliding.h"
#include "kinds/create.h"
#include "kinds/reverse_live.h"
#include "kinds/snapshot.h"
#include "segment/stage.h"
#include "segment/sync_due.h"
#include "segment/drop.h"
#include "segment/control_file.h"
#include "segment/sync_lease.h"
#include "segment/tidy.h"

enum {
	KEYS = 20,
	TIMES = 3,
	START = 1000000,
	WINDOW = 1000,
	SHARD_BYTES = 1024,
	CACHE_SLOTS = 3,
	HOUR = 3600000
};

/* A rate so low that no key of these tests is ever a false positive. */
#define RATE 1e-9

static test_blob blob_a, blob_b, chunked_a, chunked_b, ribbon, grouped, marked_a, marked_b;

/* The snapshot of a live filter with the common keys. */
static test_blob snapshot;

/* ---- blobs ---- */

static const bloom_params small = {.capacity_keys = 40, .rate = RATE, .shard_bytes = SHARD_BYTES};

/* Several chunks of one shard each. The chunks without the differing keys are equal in all
 * families. */
static test_blob chunked(const char *family)
{
	bloom_params params = {.capacity_keys = 1200, .rate = RATE, .shard_bytes = SHARD_BYTES};
	bloom_builder builder = {0};
	uint64_t i;

	assert_ok(bloom_builder_init(&params, 7, SHARD_BYTES, &builder, &error));
	for (i = 0; i < KEYS; i++) {
		(void)builder_add_key(&builder, "common", i);
	}
	(void)builder_add_key(&builder, family, 0);
	return blob_from(&builder);
}

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

/* A blob with a mark. */
static test_blob marked(uint64_t seed, const char *family)
{
	bloom_builder builder = {0};
	uint64_t i;

	assert_ok(bloom_builder_init(&small, seed, 0, &builder, &error));
	for (i = 0; i < KEYS; i++) {
		(void)builder_add_key(&builder, "common", i);
		(void)builder_add_key(&builder, family, i);
	}
	builder.meta.mark = (bloom_mark){.epoch = 7, .offset = 3, .check = "before"};
	return blob_from(&builder);
}

static void make_keys(void);
static void make_records(void);
static void make_snapshot(void);

void scenes_begin(void)
{
	bloom_params solved = small;

	make_keys();
	solved.ribbon = true;
	solved.shard_bytes = 0;
	ribbon = blob_of(&solved, 1, KEYS, "common", NULL);
	grouped = in_groups();
	blob_a = blob_of(&small, 1, KEYS, "common", "a", NULL);
	blob_b = blob_of(&small, 2, KEYS, "common", "b", NULL);
	chunked_a = chunked("a");
	chunked_b = chunked("b");
	marked_a = marked(1, "a");
	marked_b = marked(2, "b");
	make_records();
	make_snapshot();
}

void scenes_end(void)
{
	blob_free(&blob_a);
	blob_free(&blob_b);
	blob_free(&chunked_a);
	blob_free(&chunked_b);
	blob_free(&ribbon);
	blob_free(&grouped);
	blob_free(&marked_a);
	blob_free(&marked_b);
	blob_free(&snapshot);
}

static bool has_all(bloom_attachment *attachment, const char *family)
{
	return filter_found(attachment, family, KEYS) == KEYS;
}

static bool is_blob(const bloom_attachment *attachment, test_blob blob)
{
	return attachment->ops->kind == BLOOM_KIND_LOADED &&
		attachment->loaded->head.file_bytes == blob.count &&
		memcmp(attachment->loaded->map, blob.bytes, blob.count) == 0;
}

/* ---- loading ---- */

static void prepare_nothing(const bloom_segment *segment)
{
	(void)segment;
}

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

/* ---- additions ---- */

static const bloom_mark marked_end = {.epoch = 7, .offset = 4, .check = "after"};

/* A record of the keys "added", and one of a single key, "inserted". */
static unsigned char record_bytes[2][2048];
static bloom_record added_keys, inserted_key;

static void make_record(
	unsigned char *bytes, const char *family, uint64_t keys, bloom_record *record)
{
	unsigned char *payload = bytes + bloom_record_payload_at(false);
	bloom_mark before = {.epoch = 7}, after;
	char text[KEY_TEXT_BYTES];
	uint64_t at = 0, i;
	size_t count;

	for (i = 0; i < keys; i++) {
		count = key_text(family, i, text);
		bloom_put32(payload + at, (uint32_t)count);
		memcpy(payload + at + 4, text, count);
		at += 4 + count;
	}
	bloom_record_write(
		bytes, at, BLOOM_RECORD_KEYS, (uint32_t)keys, SCENE_NAME, 0, &before, NULL, NULL);
	assert_ok(bloom_record_parse(bytes, bloom_record_bytes(at, false), SCENE_NAME, &before,
		NULL, record, &after, &error));
}

static void make_records(void)
{
	make_record(record_bytes[0], "added", KEYS, &added_keys);
	make_record(record_bytes[1], "inserted", 1, &inserted_key);
}

/* Stages a blob and its additions, announces them, and switches to both. */
static bloom_status load_marked(const bloom_segment *segment, test_blob blob, bloom_error *detail)
{
	bloom_stage stage = {0}, added = {0};
	bloom_live *live = NULL;
	uint64_t generation;
	bloom_status status = bloom_stage_begin(segment, SCENE_NAME, blob.count, &stage, detail);

	if (status == BLOOM_OK) {
		status = bloom_stage_write(&stage, blob.bytes, blob.count, detail);
	}
	if (status == BLOOM_OK) {
		status = bloom_additions_stage(
			segment, SCENE_NAME, &stage.head, 0, NULL, &added, &live, detail);
	}
	if (status == BLOOM_OK) {
		bloom_store_relaxed(&live->head->read_to.lag.max_ms, 0);
		status = bloom_additions_add(live, segment, SCENE_NAME, &added_keys, detail);
	}
	if (status == BLOOM_OK) {
		status = bloom_additions_advance(live, segment, SCENE_NAME, &stage.head.meta.mark,
			&marked_end, 1, 1, NULL, detail);
	}
	if (status == BLOOM_OK) {
		status = bloom_additions_announce(&added, detail);
	}
	bloom_live_free(live);
	if (status == BLOOM_OK) {
		stage.additions = &added;
		return bloom_stage_commit(&stage, &generation, detail);
	}
	bloom_stage_abort(&added);
	bloom_stage_abort(&stage);
	return status;
}

static void prepare_marked(const bloom_segment *segment)
{
	assert_ok(load_marked(segment, marked_a, &error));
}

static bloom_status load_marked_b(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	(void)attachment;
	return load_marked(segment, marked_b, detail);
}

/* No blob with a mark is ever served without its additions. */
static unsigned look_marked(bloom_attachment *attachment, bool busy)
{
	(void)busy;
	if (attachment == NULL) {
		return 0;
	}
	assert_true(is_blob(attachment, marked_a) || is_blob(attachment, marked_b));
	assert_int_equal(BLOOM_PRESENCE_ADDITIONS, bloom_attachment_check(attachment));
	assert_true(has_all(attachment, "common") && has_all(attachment, "added"));
	assert_false(filter_has(attachment, "never", 0));
	return is_blob(attachment, marked_b);
}

static bloom_status insert(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	bool inserted;

	(void)attachment;
	return bloom_additions_insert(
		segment, SCENE_NAME, &inserted_key, 1, NULL, &inserted, detail);
}

static unsigned look_inserted(bloom_attachment *attachment, bool busy)
{
	assert_int_equal(0, look_marked(attachment, busy));
	return filter_has(attachment, "inserted", 0);
}

static bloom_status advance(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	bloom_mark next = {.epoch = 7, .offset = 5, .check = "next"};

	return bloom_additions_advance(attachment->loaded->additions, segment, SCENE_NAME,
		&marked_end, &next, 2, 1, NULL, detail);
}

/* The position and its check change together. */
static unsigned look_advanced(bloom_attachment *attachment, bool busy)
{
	bloom_read_to read_to;

	assert_int_equal(0, look_marked(attachment, busy));
	read_to = bloom_additions_read_to(attachment->loaded->additions);
	assert_string_equal(
		read_to.mark.offset == 5 ? "next" : "after", (const char *)read_to.mark.check);
	assert_true(read_to.mark.offset == 5 || read_to.mark.offset == 4);
	return read_to.mark.offset == 5 && read_to.complete_ms == 2;
}

/* ---- on demand ---- */

static bloom_head head_of(test_blob blob)
{
	bloom_head head;

	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	return head;
}

static const unsigned char *chunk_at(test_blob blob, const bloom_head *head, uint64_t chunk)
{
	return blob.bytes + head->head_bytes + bloom_head_chunk_offset(head, chunk);
}

static bloom_status publish(const bloom_segment *segment, test_blob blob, const bloom_cache *before,
	bloom_error *detail)
{
	bloom_head head = head_of(blob);
	uint64_t memory = bloom_cache_bytes_least(&head) + (CACHE_SLOTS - 1) * SHARD_BYTES;
	uint64_t generation;
	bloom_stage stage;
	bloom_status status = bloom_cache_stage(
		segment, SCENE_NAME, memory, &head, blob.bytes, before, &stage, detail);

	return status == BLOOM_OK ? bloom_stage_commit(&stage, &generation, detail) : status;
}

static bloom_status attach_on_demand(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	(void)attachment;
	return publish(segment, chunked_a, NULL, detail);
}

static bloom_status renew_on_demand(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	return publish(segment, chunked_b, attachment->cache, detail);
}

static void prepare_on_demand(const bloom_segment *segment)
{
	bloom_head head = head_of(chunked_a);
	bloom_attachment attachment;
	uint64_t chunk;

	assert_in_range(head.chunks, CACHE_SLOTS + 1, 100);
	assert_ok(publish(segment, chunked_a, NULL, &error));
	attach_to(segment, SCENE_NAME, &attachment);
	assert_int_equal(CACHE_SLOTS, attachment.cache->slot_count);
	for (chunk = 0; chunk < CACHE_SLOTS; chunk++) {
		assert_ok(bloom_cache_put(attachment.cache, segment, SCENE_NAME, chunk,
			chunk_at(chunked_a, &head, chunk), &error));
	}
	bloom_detach(&attachment);
}

static bloom_status put_chunk(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	bloom_head head = head_of(chunked_a);

	return bloom_cache_put(attachment->cache, segment, SCENE_NAME, CACHE_SLOTS,
		chunk_at(chunked_a, &head, CACHE_SLOTS), detail);
}

/* An answer other than "not here" must equal the answer of the whole blob. */
static void assert_says(bloom_attachment *attachment, const bloom_view *whole, const char *family)
{
	bloom_answer answer;
	bloom_digest digest;
	uint64_t i;

	for (i = 0; i < KEYS; i++) {
		digest = key_digest(whole->seed, family, i);
		answer = bloom_cache_test(attachment->cache, digest);
		assert_true(answer == BLOOM_NOT_HERE ||
			(answer == BLOOM_MAYBE) == bloom_view_test(whole, digest));
	}
}

static unsigned look_on_demand(bloom_attachment *attachment, bool busy)
{
	bloom_head a = head_of(chunked_a), b = head_of(chunked_b);
	bloom_view whole;
	bool renewed;

	(void)busy;
	if (attachment == NULL) {
		return 0;
	}
	assert_int_equal(BLOOM_KIND_ON_DEMAND, attachment->ops->kind);
	renewed = memcmp((unsigned char *)attachment->cache->head + BLOOM_CACHE_HEAD_BYTES,
			  chunked_b.bytes, b.head_bytes) == 0;
	assert_true(renewed ||
		memcmp((unsigned char *)attachment->cache->head + BLOOM_CACHE_HEAD_BYTES,
			chunked_a.bytes, a.head_bytes) == 0);
	whole = renewed ? bloom_view_of(&b.geometry, chunked_b.bytes + b.head_bytes)
			: bloom_view_of(&a.geometry, chunked_a.bytes + a.head_bytes);
	assert_says(attachment, &whole, "common");
	assert_says(attachment, &whole, "never");
	assert_says(attachment, &whole, renewed ? "b" : "a");
	return 1 + renewed;
}

static unsigned look_renewed(bloom_attachment *attachment, bool busy)
{
	assert_non_null(attachment);
	return look_on_demand(attachment, busy) - 1;
}

static unsigned look_put(bloom_attachment *attachment, bool busy)
{
	assert_non_null(attachment);
	assert_int_equal(1, look_on_demand(attachment, busy));
	/* At most the slot that was being filled is empty. */
	assert_in_range(bloom_cache_resident(attachment->cache), CACHE_SLOTS - 1, CACHE_SLOTS);
	return bloom_cache_has(attachment->cache, CACHE_SLOTS);
}

/* ---- the page that a sync creates ---- */

static bloom_status make_page(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	bloom_control *control = NULL;
	bloom_status status = bloom_segment_control(segment, SCENE_NAME, true, &control, detail);

	(void)attachment;
	if (status == BLOOM_OK) {
		assert_int_equal(BLOOM_GENERATION_NONE, control->generation);
		bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	}
	return status;
}

static unsigned look_page(bloom_attachment *attachment, bool busy)
{
	(void)busy;
	assert_null(attachment); /* a page without a generation is not a filter */
	return 1;
}

/* ---- a sync ---- */

static void prepare_chunked(const bloom_segment *segment)
{
	assert_ok(load(segment, SCENE_NAME, chunked_a, NULL));
}

/* Stages a blob chunk by chunk, as a store delivers it. Chunks that the served generation also has
 * are copied. */
static bloom_status stage_published(const bloom_attachment *served, bloom_stage *stage,
	uint64_t *lease, uint64_t now, bloom_error *detail)
{
	bloom_head head = head_of(chunked_b);
	const unsigned char *body = served->loaded->map + served->loaded->head.head_bytes;
	bloom_status status = bloom_stage_write(stage, chunked_b.bytes, head.head_bytes, detail);
	uint64_t chunk;

	for (chunk = 0; status == BLOOM_OK && chunk < head.chunks; chunk++) {
		status = bloom_stage_write(stage,
			bloom_chunk_is_served(&head, chunk, &served->loaded->head, body)
				? body + bloom_head_chunk_offset(&head, chunk)
				: chunk_at(chunked_b, &head, chunk),
			bloom_head_chunk_length(&head, chunk), detail);
		bloom_lease_renew(served->control, now, lease);
	}
	return status;
}

/* Syncs like the first process after the lease of a dead process has expired. */
static bloom_status sync_b(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	bloom_control *control = attachment->control;
	uint64_t now = control->lease_until_ms + 1, lease, generation;
	bloom_stage stage;
	bloom_status status;

	pause_us(20000);
	if (!bloom_lease_take(control, now, &lease)) {
		return BLOOM_E_BUSY; /* another program has taken it since `now` was computed */
	}
	status = bloom_stage_begin(segment, SCENE_NAME, chunked_b.count, &stage, detail);
	if (status == BLOOM_OK) {
		status = stage_published(attachment, &stage, &lease, now, detail);
		if (status == BLOOM_OK) {
			stage.replaces = attachment->generation;
			stage.page = control;
			status = bloom_stage_commit(&stage, &generation, detail);
		} else {
			bloom_stage_abort(&stage);
		}
	}
	if (status == BLOOM_OK) {
		bloom_sync_succeeded(control, now);
	} else {
		bloom_sync_failed(control, now, status, detail->subject);
	}
	bloom_lease_release(control, lease);
	return status;
}

/* Only the lease of a dead process delays the next sync, and that lease expires. */
static unsigned look_synced(bloom_attachment *attachment, bool busy)
{
	(void)busy;
	assert_non_null(attachment);
	assert_true(is_blob(attachment, chunked_a) || is_blob(attachment, chunked_b));
	assert_in_range(attachment->control->lease_until_ms, 0, 50 * (uint64_t)BLOOM_LEASE_MS);
	return is_blob(attachment, chunked_b);
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

/* The keys are formatted in advance, because formatting takes a thousand instructions outside of
 * the core. */
typedef struct scene_key {
	char text[KEY_TEXT_BYTES];
	size_t count;
} scene_key;

static scene_key present[KEYS], absent[KEYS];

static void make_keys(void)
{
	uint64_t i;

	for (i = 0; i < KEYS; i++) {
		present[i].count = key_text("common", i, present[i].text);
		absent[i].count = key_text("never", i, absent[i].text);
	}
}

static bool has_key(bloom_attachment *attachment, const scene_key *key)
{
	return bloom_attachment_test(attachment, (const unsigned char *)key->text, key->count);
}

bool scene_finds(bloom_attachment *attachment)
{
	bool all_are_found = true, none_is_found = true;
	uint64_t i;

	switch (bloom_attachment_check(attachment)) {
	case BLOOM_PRESENCE_ABSENT:
		return false;
	case BLOOM_PRESENCE_UNMAPPED:
		return true;
	default:
		break;
	}
	for (i = 0; i < KEYS; i++) {
		all_are_found &= has_key(attachment, &present[i]);
		none_is_found &= !has_key(attachment, &absent[i]);
	}
	/* A key whose chunk is missing may be present. */
	return all_are_found && (none_is_found || attachment->ops->kind == BLOOM_KIND_ON_DEMAND);
}

/* Looks keys up as a new process, and as a process that has another generation mapped. */
static bloom_status look_up(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	bloom_attachment fresh;
	bloom_status status = bloom_attach(segment, SCENE_NAME, &fresh, detail);
	bool found;

	if (status != BLOOM_OK) {
		return status;
	}
	found = scene_finds(&fresh);
	bloom_detach(&fresh);
	attachment->generation = BLOOM_GENERATION_UNMAPPED;
	found &= scene_finds(attachment);
	return found ? BLOOM_OK : bloom_fail(detail, BLOOM_E_NOT_FOUND, 0, "a key");
}

static unsigned look_unchanged(bloom_attachment *attachment, bool busy)
{
	(void)busy;
	assert_non_null(attachment);
	if (attachment->ops->kind == BLOOM_KIND_ON_DEMAND) {
		assert_int_equal(1, look_on_demand(attachment, busy));
		assert_int_equal(CACHE_SLOTS, bloom_cache_resident(attachment->cache));
	}
	assert_true(scene_finds(attachment));
	return 1;
}

/* ---- all of them ---- */

#define LOOKUP(what, prepare, entries)                                                             \
	{                                                                                          \
		"looking up in " what, prepare, look_up, look_unchanged, entries, true, true, true \
	}

const scene scenes[] = {
	{"a first load", prepare_nothing, load_b, look_first_load, 2, false, false, false},
	{"a reload", prepare_a, load_b, look_reload, 2, false, false, false},
	{"a drop", prepare_a, drop, look_drop, -1, true, false, false},
	{"a drop of one kind", prepare_a, drop_kind, look_drop, -1, true, false, false},
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
	{"a first load with additions", prepare_nothing, load_marked_b, look_marked, 3, true, true,
		false},
	{"a reload with additions", prepare_marked, load_marked_b, look_marked, 3, true, true,
		false},
	{"an insertion into additions", prepare_marked, insert, look_inserted, 3, true, false,
		false},
	{"advancing the read position of additions", prepare_marked, advance, look_advanced, 3,
		true, false, false},
	{"creating an on-demand filter", prepare_nothing, attach_on_demand, look_on_demand, 2,
		false, true, false},
	{"a new version on demand", prepare_on_demand, renew_on_demand, look_renewed, 2, false,
		true, false},
	{"putting a chunk", prepare_on_demand, put_chunk, look_put, 2, false, false, false},
	{"the control page that a sync creates", prepare_nothing, make_page, look_page, 1, true,
		false, false},
	{"a sync", prepare_chunked, sync_b, look_synced, 2, false, false, false},
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
	{"restoring a live filter", prepare_nothing, restore, look_restored, 2, false, false,
		false},
	LOOKUP("a loaded filter", prepare_a, 2),
	LOOKUP("a ribbon filter", prepare_ribbon, 2),
	LOOKUP("a loaded reverse index", prepare_grouped, 2),
	LOOKUP("a live filter", prepare_live, 2),
	LOOKUP("a counting filter", prepare_counting, 2),
	LOOKUP("a scalable filter", prepare_grown, 2),
	LOOKUP("a sliding filter", prepare_window, 2),
	LOOKUP("a reverse index", prepare_reverse, 2),
	LOOKUP("a loaded filter with additions", prepare_marked, 3),
	LOOKUP("an on-demand filter", prepare_on_demand, 2),
};

const unsigned scene_count = sizeof scenes / sizeof *scenes;

/* Attaches if the filter exists. `segment` must outlive the attachment. */
static bool attach_if_there(const bloom_segment *segment, bloom_attachment *attachment)
{
	bloom_status status = bloom_attach(segment, SCENE_NAME, attachment, &error);

	if (status != BLOOM_E_NOT_FOUND) {
		assert_ok(status);
	}
	return status == BLOOM_OK;
}

unsigned scene_look(const scene *it, const bloom_segment *segment)
{
	bloom_attachment attachment;
	bool there = attach_if_there(segment, &attachment);
	unsigned done = it->look(there ? &attachment : NULL, false);

	if (there) {
		bloom_detach(&attachment);
	}
	return done;
}

bloom_status scene_load_other(const bloom_segment *segment)
{
	return load(segment, "other", blob_a, NULL);
}

void scene_heal(const scene *it, const bloom_segment *segment)
{
	bloom_segment now = *segment;
	bloom_attachment attachment;
	bool there;

	now.lock_timeout_ms = 0;
	there = attach_if_there(&now, &attachment);
	assert_ok(it->act(&now, there ? &attachment : NULL, &error));
	if (there) {
		bloom_detach(&attachment);
	}
	assert_true(scene_look(it, &now) > 0);
	/* If the operation was already done, repeating it writes nothing, and what a killed writer
	 * left stays until the next write or sweep. */
	bloom_segment_sweep(&now);
	assert_int_equal(it->entries, count_entries(in_segment(segment, SCENE_NAME), ""));
	assert_int_equal(it->entries < 0 ? 0 : 1, count_entries(segment->path, ""));
	assert_true(
		count_entries(in_segment(segment, BLOOM_INTERNAL_NAME), BLOOM_REMOVED_SUFFIX) <= 0);
	(void)segment_bytes(segment);
}

/* Scenes of filters that come from a store: on-demand filters and syncs. */
#include "scene_room.h"

#include "filter/chunk.h"
#include "kinds/ondemand.h"
#include "segment/control_file.h"
#include "segment/stage.h"
#include "segment/sync_due.h"
#include "segment/sync_lease.h"

enum { CACHE_SLOTS = 3 };

static test_blob chunked_a, chunked_b;

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

static unsigned look_on_demand_unchanged(bloom_attachment *attachment, bool busy)
{
	assert_non_null(attachment);
	assert_int_equal(1, look_on_demand(attachment, busy));
	assert_int_equal(CACHE_SLOTS, bloom_cache_resident(attachment->cache));
	return scene_look_unchanged(attachment, busy);
}

/* ---- all of them ---- */

static void begin(void)
{
	chunked_a = chunked("a");
	chunked_b = chunked("b");
}

static void end(void)
{
	blob_free(&chunked_a);
	blob_free(&chunked_b);
}

static const scene scenes_here[] = {
	{"creating an on-demand filter", prepare_nothing, attach_on_demand, look_on_demand, 2,
		false, true, false},
	{"a new version on demand", prepare_on_demand, renew_on_demand, look_renewed, 2, false,
		true, false},
	{"putting a chunk", prepare_on_demand, put_chunk, look_put, 2, false, false, false},
	{"the control page that a sync creates", prepare_nothing, make_page, look_page, 1, true,
		false, false},
	{"a sync", prepare_chunked, sync_b, look_synced, 2, false, false, false},
	LOOKUP_AS(look_on_demand_unchanged, "an on-demand filter", prepare_on_demand, 2),
};

const scene_room published_scenes = {
	begin, end, scenes_here, sizeof scenes_here / sizeof *scenes_here};

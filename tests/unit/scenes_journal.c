/* Scenes of loaded filters with additions, which hosts read from a journal. */
#include "scene_room.h"

#include "filter/atomic.h"
#include "kinds/additions.h"
#include "segment/stage.h"

static test_blob marked_a, marked_b;

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

/* ---- all of them ---- */

static void begin(void)
{
	marked_a = marked(1, "a");
	marked_b = marked(2, "b");
	make_records();
}

static void end(void)
{
	blob_free(&marked_a);
	blob_free(&marked_b);
}

static const scene scenes_here[] = {
	{"a first load with additions", prepare_nothing, load_marked_b, look_marked, 3, true, true,
		false},
	{"a reload with additions", prepare_marked, load_marked_b, look_marked, 3, true, true,
		false},
	{"an insertion into additions", prepare_marked, insert, look_inserted, 3, true, false,
		false},
	{"advancing the read position of additions", prepare_marked, advance, look_advanced, 3,
		true, false, false},
	LOOKUP("a loaded filter with additions", prepare_marked, 3),
};

const scene_room journal_scenes = {
	begin, end, scenes_here, sizeof scenes_here / sizeof *scenes_here};

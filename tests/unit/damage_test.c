/* Tests of damage to a live filter's file or to the kind in its control page. The damaged filter is
 * refused, or it works without a crash and without an access outside the mapping. */
#include "kinds.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kinds/create.h"
#include "kinds/sliding.h"
#include "segment/drop.h"
#include "segment/control_file.h"

static const bloom_live_params plain = {
	.kind = BLOOM_KIND_LIVE, .capacity_keys = 1000, .rate = 0.001};

/* Overwrites constant fields of a mapped head and then uses the filter. */
static int use_damaged_while_mapped(void *context)
{
	bloom_attachment *attachment = context;
	bloom_live_head *head = live_head(attachment->live);
	uint64_t i, wrong = 0;
	bool is_new;

	memset(&head->params, 0xFE, sizeof head->params);
	for (i = 0; i < BLOOM_LAYERS_MAX; i++) {
		head->layer[i].offset = UINT64_C(1) << 46;
		head->layer[i].shards = UINT64_C(1) << 30;
		head->layer[i].block_bytes = 1 << 30;
		head->layer[i].probes = UINT32_MAX;
	}
	for (i = 0; i < 50; i++) {
		wrong += filter_add(attachment, "later", i, &is_new) != BLOOM_OK;
		wrong += !filter_has(attachment, "key", i) + !filter_has(attachment, "later", i);
	}
	/* If the head wrongly claims that the filter has grown, every answer is "maybe". */
	bloom_increment(&head->layers);
	for (i = 0; i < 50; i++) {
		wrong += !filter_has(attachment, "key", i);
	}
	return wrong == 0 ? 0 : 1;
}

static void a_head_that_is_damaged_while_it_is_mapped_leads_nobody_out_of_it(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment = {0};
	char name[32];
	bool is_new;
	uint64_t i;
	int kind;

	(void)state;
	for (kind = 0; kind < LIVE_KINDS; kind++) {
		(void)snprintf(name, sizeof name, "kind-%d", kind);
		live_create(&segment, name, &live_params[kind], 42);
		attach_to(&segment, name, &attachment);
		for (i = 0; i < 50; i++) {
			assert_ok(filter_add(&attachment, "key", i, &is_new));
		}
		assert_int_equal(0, run_child(use_damaged_while_mapped, &attachment));
		bloom_detach(&attachment);
	}
}

typedef struct damage {
	bloom_segment segment;
	size_t at;
	uint64_t value;
	int kind;
} damage;

/* Attaches to a damaged filter, adds keys and looks them up. Returns 0 if the filter was refused
 * and 1 if it was accepted. Any other exit code is a failure or a crash. */
static int use_damaged(void *context)
{
	damage *work = context;
	bloom_attachment attachment;
	bloom_status status = bloom_attach(&work->segment, "seen", &attachment, &error);
	bool is_new;
	uint64_t i;

	if (status != BLOOM_OK) {
		/* With a damaged fingerprint, the filter looks as if it were keyed. */
		return status == BLOOM_E_LIVE || status == BLOOM_E_SECRET ? 0 : 2;
	}
	for (i = 0; i < 40; i++) {
		status = filter_add(&attachment, "key", i, &is_new);
		if (status != BLOOM_OK && status != BLOOM_E_MEMORY) {
			return 3;
		}
		(void)filter_has(&attachment, "key", i);
	}
	if (attachment.ops->kind == BLOOM_KIND_SLIDING) {
		(void)bloom_sliding_turn(attachment.live, bloom_monotonic_ms());
	}
	bloom_detach(&attachment);
	return 1;
}

static int damaged(damage *work)
{
	const char *path = in_segment(&work->segment, "seen/0000000000000001.bloom");
	int file = open(path, O_RDWR | O_CLOEXEC), code;
	uint64_t before;

	assert_true(file >= 0);
	assert_int_equal(8, pread(file, &before, 8, (off_t)work->at));
	assert_int_equal(8, pwrite(file, &work->value, 8, (off_t)work->at));
	code = run_child(use_damaged, work);
	assert_int_equal(8, pwrite(file, &before, 8, (off_t)work->at));
	close(file);
	return code;
}

#define HEAD_AT(field) offsetof(bloom_live_head, field)

/* Returns whether damage to the field at this offset must be refused. Damage to any other field may
 * be accepted if it does no harm. */
static bool must_be_refused(int kind, size_t at)
{
	uint64_t which = live_params[kind].kind;

	return at == HEAD_AT(magic) || at == HEAD_AT(layout) || at == HEAD_AT(params.kind) ||
		at == HEAD_AT(layers) || at == HEAD_AT(layer[0].offset) ||
		at == HEAD_AT(layer[0].shards) || at == HEAD_AT(layer[0].shard_bytes) ||
		at == HEAD_AT(params.groups) ||
		(which == BLOOM_KIND_SLIDING &&
			(at == HEAD_AT(params.window_ms) || at == HEAD_AT(layer[2].offset))) ||
		(which == BLOOM_KIND_REVERSE && at == HEAD_AT(params.fan_out)) ||
		(which == BLOOM_KIND_SCALABLE &&
			(at == HEAD_AT(params.growth) || at == HEAD_AT(params.tightening)));
}

static void a_damaged_head_is_refused_or_does_no_harm(void **state)
{
	/* As doubles, these values include tiny and negative numbers, NaN and infinity. */
	static const uint64_t values[] = {0, 7, UINT64_MAX, UINT64_C(0x8000000000000000),
		UINT64_C(0xBFF0000000000000), UINT64_C(0x7FF0000000000000), UINT64_C(1) << 42};
	damage work = {.segment = scratch_segment()};
	bool existed;
	size_t i;
	int code;

	(void)state;
	for (work.kind = 0; work.kind < LIVE_KINDS; work.kind++) {
		live_create(&work.segment, "seen", &live_params[work.kind], 1);
		/* Damage each word of the head and of the first three layer rows. */
		for (work.at = 0; work.at < HEAD_AT(layer[3]); work.at += 8) {
			for (i = 0; i < sizeof values / sizeof *values; i++) {
				work.value = values[i];
				if (must_be_refused(work.kind, work.at) &&
					work.at == HEAD_AT(params.groups) && values[i] == 0 &&
					live_params[work.kind].kind != BLOOM_KIND_REVERSE) {
					continue; /* zero is the current value */
				}
				if (work.at == HEAD_AT(params.groups) && values[i] == 7 &&
					live_params[work.kind].kind == BLOOM_KIND_REVERSE) {
					continue; /* 7 is a valid number of groups */
				}
				code = damaged(&work);
				if (code > 1 ||
					(code == 1 && must_be_refused(work.kind, work.at))) {
					fail_msg("kind %d, %llx at %zu: exit code %d", work.kind,
						(unsigned long long)work.value, work.at, code);
				}
			}
		}
		/* Without damage the filter is still accepted. The last row is zero. */
		work.at = HEAD_AT(layer[BLOOM_LAYERS_MAX - 1]);
		work.value = 0;
		assert_int_equal(1, damaged(&work));
		assert_ok(bloom_segment_drop(&work.segment, "seen", &existed, &error));
	}
}

static void a_file_that_is_too_short_is_refused(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;
	unsigned char *zeros;
	const char *path;
	bool created, existed;
	struct stat found;
	int kind;
	off_t bytes;

	(void)state;
	for (kind = 0; kind < LIVE_KINDS; kind++) {
		live_create(&segment, "seen", &live_params[kind], 1);
		path = in_segment(&segment, "seen/0000000000000001.bloom");
		assert_int_equal(0, stat(path, &found));
		zeros = calloc(1, (size_t)found.st_size);
		assert_non_null(zeros);
		for (bytes = 0; bytes < found.st_size; bytes = bytes * 2 + 1000) {
			write_file(path, zeros, (size_t)bytes, 0600);
			assert_status(
				BLOOM_E_LIVE, bloom_attach(&segment, "seen", &attachment, &error));
			assert_status(BLOOM_E_LIVE,
				bloom_live_create(&segment, "seen", &live_params[kind], NULL,
					&created, &error));
		}
		free(zeros);
		assert_ok(bloom_segment_drop(&segment, "seen", &existed, &error));
	}
}

static void a_file_of_another_kind_than_the_control_page_says_is_refused(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;
	bloom_control *control;
	uint64_t kind;

	(void)state;
	live_create(&segment, "seen", &plain, 1);
	assert_ok(bloom_segment_control(&segment, "seen", false, &control, &error));
	for (kind = BLOOM_KIND_LIVE + 1; kind < BLOOM_KIND_COUNT + 2; kind++) {
		if (kind == BLOOM_KIND_ON_DEMAND) {
			continue; /* refused with BLOOM_E_CACHE */
		}
		bloom_store_relaxed(&control->kind, kind);
		assert_status(kind == BLOOM_KIND_MAP ? BLOOM_E_MAGIC : BLOOM_E_LIVE,
			bloom_attach(&segment, "seen", &attachment, &error));
	}
	bloom_store_relaxed(&control->kind, BLOOM_KIND_LOADED);
	assert_status(BLOOM_E_MAGIC, bloom_attach(&segment, "seen", &attachment, &error));
	bloom_store_relaxed(&control->kind, BLOOM_KIND_LIVE);
	attach_to(&segment, "seen", &attachment);
	bloom_detach(&attachment);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	assert_int_equal(0, count_maps());
}

/* If the control page wrongly states that a live filter is a loaded one, a load replaces the
 * filter. Readers must then unmap the live filter's file, which is not a blob. */
static void a_damaged_kind_lets_a_load_replace_a_mapped_live_filter(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_params usual = {.capacity_keys = 100, .rate = 0.01};
	test_blob blob = blob_of(&usual, 1, 100, "blob", NULL);
	bloom_attachment attachment;
	bool existed;
	int kind;

	(void)state;
	segment.defers_unmap = true;
	for (kind = 0; kind < LIVE_KINDS; kind++) {
		live_create(&segment, "seen", &live_params[kind], 1);
		attach_to(&segment, "seen", &attachment);
		attachment.control->kind = BLOOM_KIND_LOADED;
		assert_ok(load(&segment, "seen", blob, NULL));
		assert_int_equal(BLOOM_PRESENCE_VIEW, bloom_attachment_check(&attachment));
		assert_int_equal(100, filter_found(&attachment, "blob", 100));
		assert_int_equal(2, count_maps()); /* the blob and the control page */
		bloom_attachment_trim(&attachment);
		assert_int_equal(100, filter_found(&attachment, "blob", 100));
		bloom_detach(&attachment);
		assert_int_equal(0, count_maps());
		assert_ok(bloom_segment_drop(&segment, "seen", &existed, &error));
	}
	blob_free(&blob);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH(
			"a load replaces a live filter if the kind in its control page is damaged",
			a_damaged_kind_lets_a_load_replace_a_mapped_live_filter),
		/* fault: garbage-file */
		TEST_IN_SCRATCH("a damaged head of a live filter is refused or harmless",
			a_damaged_head_is_refused_or_does_no_harm),
		/* fault: file-truncated */
		TEST_IN_SCRATCH("a live filter whose file is too short is refused",
			a_file_that_is_too_short_is_refused),
		TEST_IN_SCRATCH("a file is refused if the control page states a different kind",
			a_file_of_another_kind_than_the_control_page_says_is_refused),
		/* fault: live-damaged */
		TEST_IN_SCRATCH("damage to a mapped head causes no access outside the mapping",
			a_head_that_is_damaged_while_it_is_mapped_leads_nobody_out_of_it),
	};

	return cmocka_run_group_tests_name("damage", tests, NULL, NULL);
}

/* Live files: how they are created, what is refused, and that damage or a killed process causes
 * at most a typed error. */
#include "support.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kinds/counting.h"
#include "kinds/overlay.h"
#include "kinds/scalable.h"
#include "kinds/sliding.h"
#include "kinds/create.h"

static const bloom_live_params plain = {
	.kind = BLOOM_KIND_LIVE, .capacity_keys = 1000, .rate = 0.001};

static const bloom_live_params all_params[] = {
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

enum { KINDS = sizeof all_params / sizeof *all_params };

/* ---- made, found, told apart ---- */

static void each_kind_is_made_and_takes_keys(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t seed = test_seed("kinds");
	bloom_attachment one, other;
	uint64_t i;
	int kind;

	(void)state;
	for (kind = 0; kind < KINDS; kind++) {
		char name[32];
		bool is_new = false;
		int absent = 0;

		(void)snprintf(name, sizeof name, "kind-%d", kind);
		live_create(&segment, name, &all_params[kind], seed);
		attach_to(&segment, name, &one);
		attach_to(&segment, name, &other);
		assert_int_equal(all_params[kind].kind, one.ops->kind);
		assert_int_equal(seed, one.live->known.seed);
		for (i = 0; i < 1000; i++) {
			assert_ok(filter_add(&one, "key", i, &is_new));
			assert_true(i > 0 || is_new);
			assert_true(filter_has(&other, "key", i));
			assert_ok(filter_add(&other, "key", i, &is_new));
			assert_false(is_new);
		}
		for (i = 0; i < 10000; i++) {
			absent += filter_has(&other, "absent", i);
		}
		/* A reverse index may report any of its 300 groups, along two levels. */
		assert_in_range(absent, 0, one.ops->kind == BLOOM_KIND_REVERSE ? 1500 : 30);
		bloom_detach(&one);
		bloom_detach(&other);
		/* Only the control page and the file. */
		assert_int_equal(2, count_entries(in_segment(&segment, "%s", name), ""));
	}
	assert_int_equal(0, count_maps());
}

static void the_same_wish_finds_the_same_filter(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t seed = test_seed("same");
	bloom_attachment attachment;
	bool created = true, is_new;

	(void)state;
	live_create(&segment, "seen", &plain, seed);
	attach_to(&segment, "seen", &attachment);
	assert_ok(filter_add(&attachment, "key", 1, &is_new));
	assert_ok(bloom_live_create(&segment, "seen", &plain, NULL, &created, &error));
	assert_false(created);
	assert_ok(bloom_live_create(&segment, "seen", &plain, &seed, &created, &error));
	assert_false(created);
	assert_int_equal(BLOOM_PRESENCE_VIEW, bloom_attachment_check(&attachment));
	assert_true(filter_has(&attachment, "key", 1));
	bloom_detach(&attachment);
}

static void other_params_are_refused_and_named(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t seed = test_seed("other"), other_seed = seed + 1;
	bool created;
	int kind;

	(void)state;
	for (kind = 0; kind < KINDS; kind++) {
		const bloom_live_params *params = &all_params[kind];
		struct {
			bloom_live_params params;
			const char *what;
		} other[] = {
			{*params, "capacity"},
			{*params, "false-positive rate"},
			{*params, "growth"},
			{*params, "tightening"},
			{*params, "window"},
			{*params, "groups"},
			{*params, "fan-out"},
		};
		char name[32];
		size_t i;

		other[0].params.capacity_keys++;
		other[1].params.rate *= 1.0000001;
		other[2].params.growth = 3;
		other[3].params.tightening = 0.6;
		other[4].params.window_ms++;
		other[5].params.groups++;
		other[6].params.fan_out = 128;
		(void)snprintf(name, sizeof name, "kind-%d", kind);
		live_create(&segment, name, params, seed);
		for (i = 0; i < sizeof other / sizeof *other; i++) {
			/* Parameters of other kinds do not apply. */
			if ((i >= 5 && params->kind != BLOOM_KIND_REVERSE) ||
				(i == 4 && params->kind != BLOOM_KIND_SLIDING) ||
				((i == 2 || i == 3) && params->kind != BLOOM_KIND_SCALABLE)) {
				continue;
			}
			assert_status(BLOOM_E_EXISTS,
				bloom_live_create(
					&segment, name, &other[i].params, NULL, &created, &error));
			assert_non_null(strstr(error.subject, other[i].what));
		}
		assert_status(BLOOM_E_EXISTS,
			bloom_live_create(&segment, name, params, &other_seed, &created, &error));
		assert_non_null(strstr(error.subject, "seed"));
		assert_status(BLOOM_E_KIND,
			bloom_live_create(&segment, name, &all_params[(kind + 1) % KINDS], NULL,
				&created, &error));
	}
}

static void wishes_out_of_range_are_refused_and_leave_nothing(void **state)
{
	bloom_segment segment = scratch_segment();
	const bloom_live_params *scalable = &all_params[2], *sliding = &all_params[3],
				*reverse = &all_params[4];
	struct {
		bloom_live_params params;
		bloom_status status;
	} rows[64];
	static const double rates[] = {0, -1, 1e-10, 0.51, 1, NAN, INFINITY, -INFINITY};
	static const double growths[] = {0, 1, 1.09, 16.1, -2, NAN, INFINITY};
	static const double tightenings[] = {0, 0.09, 0.991, 1, -1, NAN, INFINITY};
	static const uint64_t capacities[] = {0, BLOOM_CAPACITY_MAX + 1, UINT64_MAX};
	static const uint64_t windows[] = {0, 1, 9, 2 * BLOOM_WINDOW_MS_MAX + 1, UINT64_MAX};
	static const uint64_t groups[] = {0, BLOOM_GROUPS_MAX + 1, UINT64_MAX};
	static const uint64_t fan_outs[] = {
		1, 32, 63, 65, 2048, UINT64_C(1) << 32 | 64, UINT64_MAX};
	size_t count = 0, i;
	bool created;

	(void)state;
#define ROWS(base, field, list, code)                                  \
	for (i = 0; i < sizeof(list) / sizeof *(list); i++, count++) { \
		rows[count].params = (base);                           \
		rows[count].params.field = (list)[i];                  \
		rows[count].status = (code);                           \
	}
	ROWS(plain, rate, rates, BLOOM_E_RATE)
	ROWS(*scalable, rate, rates, BLOOM_E_RATE)
	ROWS(plain, capacity_keys, capacities, BLOOM_E_CAPACITY)
	ROWS(*sliding, capacity_keys, capacities, BLOOM_E_CAPACITY)
	ROWS(*scalable, growth, growths, BLOOM_E_GROWTH)
	ROWS(*scalable, tightening, tightenings, BLOOM_E_TIGHTENING)
	ROWS(*sliding, window_ms, windows, BLOOM_E_WINDOW)
	ROWS(*reverse, groups, groups, BLOOM_E_GROUPS)
	ROWS(*reverse, fan_out, fan_outs, BLOOM_E_FAN_OUT)
#undef ROWS
	assert_true(count <= sizeof rows / sizeof *rows);
	for (i = 0; i < count; i++) {
		assert_status(rows[i].status, bloom_live_params_check(&rows[i].params, &error));
		assert_status(rows[i].status,
			bloom_live_create(&segment, "no", &rows[i].params, NULL, &created, &error));
	}
	assert_int_equal(-1, count_entries(segment.path, ""));
	assert_status(
		BLOOM_E_NAME, bloom_live_create(&segment, ".no", &plain, NULL, &created, &error));
}

/* A builder takes a fan-out of zero as the default. A live index must state it. */
static void a_live_index_says_its_fan_out(void **state)
{
	bloom_live_params params = all_params[4];

	(void)state;
	params.fan_out = 0;
	assert_status(BLOOM_E_FAN_OUT, bloom_live_params_check(&params, &error));
}

static void the_limits_themselves_are_allowed(void **state)
{
	static const bloom_live_params good[] = {
		{.kind = BLOOM_KIND_LIVE, .capacity_keys = 1, .rate = 0.5},
		{.kind = BLOOM_KIND_LIVE, .capacity_keys = 1, .rate = 1e-9},
		{.kind = BLOOM_KIND_SCALABLE,
			.capacity_keys = 1,
			.rate = 1e-9,
			.growth = 1.1,
			.tightening = 0.99},
		{.kind = BLOOM_KIND_SCALABLE,
			.capacity_keys = 1,
			.rate = 0.5,
			.growth = 16,
			.tightening = 0.1},
		{.kind = BLOOM_KIND_SLIDING, .capacity_keys = 1, .rate = 0.5, .window_ms = 10},
		{.kind = BLOOM_KIND_SLIDING,
			.capacity_keys = 1,
			.rate = 0.5,
			.window_ms = BLOOM_WINDOW_MS_MAX},
		{.kind = BLOOM_KIND_REVERSE,
			.capacity_keys = 1,
			.rate = 0.5,
			.groups = 1,
			.fan_out = 64},
		{.kind = BLOOM_KIND_REVERSE,
			.capacity_keys = 1,
			.rate = 1e-9,
			.groups = BLOOM_GROUPS_MAX,
			.fan_out = 1024},
	};
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof good / sizeof *good; i++) {
		char name[32];
		bool is_new = false;

		(void)snprintf(name, sizeof name, "good-%zu", i);
		live_create(&segment, name, &good[i], i);
		attach_to(&segment, name, &attachment);
		assert_ok(filter_add(&attachment, "key", 0, &is_new));
		assert_true(is_new && filter_has(&attachment, "key", 0));
		bloom_detach(&attachment);
	}
}

static void random_seeds_differ(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment one, other;
	bool created;

	(void)state;
	assert_ok(bloom_live_create(&segment, "one", &plain, NULL, &created, &error));
	assert_ok(bloom_live_create(&segment, "other", &plain, NULL, &created, &error));
	attach_to(&segment, "one", &one);
	attach_to(&segment, "other", &other);
	assert_true(one.live->known.seed != other.live->known.seed);
	bloom_detach(&one);
	bloom_detach(&other);
}

/* ---- switches ---- */

static void a_live_filter_is_never_switched_over(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_params usual = {.capacity_keys = 100, .rate = 0.01};
	test_blob blob = blob_of(&usual, 1, 100, "blob", NULL);
	bloom_attachment attachment;
	bloom_stage stage;
	uint64_t generation = 0;
	bool created, is_new, existed;
	int kind;

	(void)state;
	for (kind = 0; kind < KINDS; kind++) {
		live_create(&segment, "seen", &all_params[kind], 1);
		attach_to(&segment, "seen", &attachment);
		assert_ok(filter_add(&attachment, "key", 5, &is_new));
		assert_status(BLOOM_E_KIND, load(&segment, "seen", blob, NULL));
		/* Nor does a second filter of the same kind that was staged meanwhile. */
		assert_ok(bloom_live_stage(
			&segment, "seen", &all_params[kind], 2, NULL, NULL, &stage, &error));
		stage.replaces = BLOOM_GENERATION_NONE;
		assert_status(BLOOM_E_OVERTAKEN, bloom_stage_commit(&stage, &generation, &error));
		(void)bloom_attachment_check(&attachment);
		assert_true(filter_has(&attachment, "key", 5));
		assert_int_equal(2, count_entries(in_segment(&segment, "seen"), ""));
		assert_ok(bloom_segment_drop(&segment, "seen", &existed, &error));
		assert_true(existed);
		assert_int_equal(BLOOM_PRESENCE_ABSENT, bloom_attachment_check(&attachment));
		bloom_detach(&attachment);
	}
	assert_ok(load(&segment, "loaded", blob, NULL));
	assert_status(BLOOM_E_KIND,
		bloom_live_create(&segment, "loaded", &plain, NULL, &created, &error));
	blob_free(&blob);
}

/* Damage to one word of the control page makes a live filter look like a loaded one, so a load
 * replaces it. Its readers must give up what they have mapped, which is no blob. */
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
	for (kind = 0; kind < KINDS; kind++) {
		live_create(&segment, "seen", &all_params[kind], 1);
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

static void an_attachment_follows_a_drop_to_the_new_filter_of_any_kind(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;
	bool existed, is_new;
	int kind, next;

	(void)state;
	for (kind = 0; kind < KINDS; kind++) {
		for (next = 0; next < KINDS; next++) {
			live_create(&segment, "seen", &all_params[kind], 1);
			attach_to(&segment, "seen", &attachment);
			assert_ok(filter_add(&attachment, "old", 1, &is_new));
			assert_ok(bloom_segment_drop(&segment, "seen", &existed, &error));
			live_create(&segment, "seen", &all_params[next], 2);
			assert_in_range(bloom_attachment_check(&attachment), BLOOM_PRESENCE_VIEW,
				BLOOM_PRESENCE_OPS);
			assert_int_equal(all_params[next].kind, attachment.ops->kind);
			assert_false(filter_has(&attachment, "old", 1));
			assert_ok(filter_add(&attachment, "new", 1, &is_new));
			assert_true(filter_has(&attachment, "new", 1));
			bloom_detach(&attachment);
			assert_ok(bloom_segment_drop(&segment, "seen", &existed, &error));
		}
	}
	assert_int_equal(0, count_maps());
}

/* ---- damage ---- */

/* Overwrites constant fields of a mapped head, and continues to use the filter. */
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
	/* If the head claims that a scalable filter has grown meanwhile, every answer is
	 * "maybe". */
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
	for (kind = 0; kind < KINDS; kind++) {
		(void)snprintf(name, sizeof name, "kind-%d", kind);
		live_create(&segment, name, &all_params[kind], 42);
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

/* Uses a damaged filter in every possible way. Exit code 0: refused, 1: accepted; anything else
 * is a crash. */
static int use_damaged(void *context)
{
	damage *work = context;
	bloom_attachment attachment;
	bloom_status status = bloom_attach(&work->segment, "seen", &attachment, &error);
	bool is_new;
	uint64_t i;

	if (status != BLOOM_OK) {
		/* A damaged fingerprint makes the filter look keyed. */
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

/* These fields must be refused whatever the rest of the head says. Any other value may be
 * accepted and must do no harm. */
static bool must_be_refused(int kind, size_t at)
{
	uint64_t which = all_params[kind].kind;

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
	/* As doubles: tiny ones, negative ones, NaN and infinity. */
	static const uint64_t values[] = {0, 7, UINT64_MAX, UINT64_C(0x8000000000000000),
		UINT64_C(0xBFF0000000000000), UINT64_C(0x7FF0000000000000), UINT64_C(1) << 42};
	damage work = {.segment = scratch_segment()};
	bool existed;
	size_t i;
	int code;

	(void)state;
	for (work.kind = 0; work.kind < KINDS; work.kind++) {
		live_create(&work.segment, "seen", &all_params[work.kind], 1);
		/* All words of the head and of three rows. */
		for (work.at = 0; work.at < HEAD_AT(layer[3]); work.at += 8) {
			for (i = 0; i < sizeof values / sizeof *values; i++) {
				work.value = values[i];
				if (must_be_refused(work.kind, work.at) &&
					work.at == HEAD_AT(params.groups) && values[i] == 0 &&
					all_params[work.kind].kind != BLOOM_KIND_REVERSE) {
					continue; /* that is the current value */
				}
				if (work.at == HEAD_AT(params.groups) && values[i] == 7 &&
					all_params[work.kind].kind == BLOOM_KIND_REVERSE) {
					continue; /* a valid number of groups */
				}
				code = damaged(&work);
				if (code > 1 ||
					(code == 1 && must_be_refused(work.kind, work.at))) {
					fail_msg("kind %d, %llx at %zu: exit code %d", work.kind,
						(unsigned long long)work.value, work.at, code);
				}
			}
		}
		/* Without damage all keys are still there. */
		work.at = HEAD_AT(unused);
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
	for (kind = 0; kind < KINDS; kind++) {
		live_create(&segment, "seen", &all_params[kind], 1);
		path = in_segment(&segment, "seen/0000000000000001.bloom");
		assert_int_equal(0, stat(path, &found));
		zeros = calloc(1, (size_t)found.st_size);
		assert_non_null(zeros);
		for (bytes = 0; bytes < found.st_size; bytes = bytes * 2 + 1000) {
			write_file(path, zeros, (size_t)bytes, 0600);
			assert_status(
				BLOOM_E_LIVE, bloom_attach(&segment, "seen", &attachment, &error));
			assert_status(BLOOM_E_LIVE,
				bloom_live_create(&segment, "seen", &all_params[kind], NULL,
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
			continue; /* the file is not a cache either, see ondemand.h */
		}
		bloom_store_relaxed(&control->kind, kind);
		assert_status(BLOOM_E_LIVE, bloom_attach(&segment, "seen", &attachment, &error));
	}
	bloom_store_relaxed(&control->kind, BLOOM_KIND_LOADED);
	assert_status(BLOOM_E_MAGIC, bloom_attach(&segment, "seen", &attachment, &error));
	bloom_store_relaxed(&control->kind, BLOOM_KIND_LIVE);
	attach_to(&segment, "seen", &attachment);
	bloom_detach(&attachment);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	assert_int_equal(0, count_maps());
}

/* ---- many processes ---- */

enum { ADDERS = 6, KEYS_AN_ADDER = 3000 };

static const char *const families[ADDERS] = {"a", "b", "c", "d", "e", "f"};

typedef struct adding {
	bloom_segment segment;
	const bloom_live_params *params;
	int number;
} adding;

/* Creates the filter if it is the first process, and adds its own keys and the common ones. */
static int add_keys(void *context)
{
	const adding *shared = context;
	bloom_attachment attachment;
	bool created, is_new;
	uint64_t i;
	const char *family = families[shared->number];

	if (bloom_live_create(&shared->segment, "seen", shared->params, NULL, &created, &error) !=
			BLOOM_OK ||
		bloom_attach(&shared->segment, "seen", &attachment, &error) != BLOOM_OK) {
		return 1;
	}
	for (i = 0; i < KEYS_AN_ADDER; i++) {
		if (filter_add(&attachment, family, i, &is_new) != BLOOM_OK ||
			filter_add(&attachment, "common", i, &is_new) != BLOOM_OK) {
			return 2;
		}
		if (!filter_has(&attachment, family, i) || !filter_has(&attachment, "common", i)) {
			return 3;
		}
	}
	bloom_detach(&attachment);
	return created ? 100 : 0;
}

static void nothing_that_many_processes_add_is_lost(void **state)
{
	bloom_attachment attachment;
	adding shared = {.segment = scratch_segment()};
	pid_t child[ADDERS];
	bool existed;
	uint64_t i;
	int kind, j, makers, code;

	(void)state;
	for (kind = 0; kind < KINDS; kind++) {
		bloom_live_params params = all_params[kind];

		params.capacity_keys =
			params.kind == BLOOM_KIND_SCALABLE ? 500 : (ADDERS + 1) * KEYS_AN_ADDER;
		shared.params = &params;
		for (j = 0, makers = 0; j < ADDERS; j++) {
			shared.number = j;
			child[j] = start_child(add_keys, &shared); /* a copy each */
		}
		for (j = 0; j < ADDERS; j++) {
			code = wait_child(child[j]);
			assert_true(code == 0 || code == 100);
			makers += code == 100;
		}
		assert_int_equal(1, makers);
		attach_to(&shared.segment, "seen", &attachment);
		for (i = 0; i < KEYS_AN_ADDER; i++) {
			for (j = 0; j < ADDERS; j++) {
				assert_true(filter_has(&attachment, families[j], i));
			}
			assert_true(filter_has(&attachment, "common", i));
		}
		bloom_detach(&attachment);
		assert_ok(bloom_segment_drop(&shared.segment, "seen", &existed, &error));
	}
}

/* Each key is counted once, unless two processes add it at the same instant. */
static void keys_are_counted_by_who_sets_their_bits(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;
	uint64_t i, expected = 0;
	bool is_new;

	(void)state;
	live_create(&segment, "seen", &plain, test_seed("counted"));
	attach_to(&segment, "seen", &attachment);
	for (i = 0; i < 1000; i++) {
		assert_ok(filter_add(&attachment, "key", i, &is_new));
		expected += is_new;
		assert_ok(filter_add(&attachment, "key", i, &is_new));
	}
	assert_in_range(expected, 995, 1000);
	assert_int_equal(expected, attachment.live->head->layer[0].keys);
	bloom_detach(&attachment);
}

/* ---- death ---- */

typedef struct creating {
	bloom_segment segment;
	const bloom_live_params *params;
} creating;

static int create_and_drop_for_ever(void *context)
{
	creating *work = context;
	bool created, existed;

	for (;;) {
		if (bloom_live_create(&work->segment, "seen", work->params, NULL, &created, NULL) !=
				BLOOM_OK ||
			bloom_segment_drop(&work->segment, "seen", &existed, NULL) != BLOOM_OK) {
			return 1;
		}
	}
}

static void killed_creators_leave_nothing_that_matters(void **state)
{
	creating work = {.segment = scratch_segment()};
	uint64_t random = test_seed("creators");
	bloom_attachment attachment;
	bool created, is_new, existed;
	int round;

	(void)state;
	for (round = 0; round < 150; round++) {
		pid_t child;

		work.params = &all_params[round % KINDS];
		child = start_child(create_and_drop_for_ever, &work);
		pause_us(random_below(&random, 3000));
		assert_int_equal(0, kill(child, SIGKILL));
		assert_int_equal(1000 + SIGKILL, wait_child(child));
		work.segment.lock_timeout_ms = 0; /* nothing to wait for */
		assert_ok(bloom_live_create(
			&work.segment, "seen", work.params, NULL, &created, &error));
		attach_to(&work.segment, "seen", &attachment);
		assert_ok(filter_add(&attachment, "key", 1, &is_new));
		assert_true(filter_has(&attachment, "key", 1));
		bloom_detach(&attachment);
		/* The filter has only this file, apart from files that the next writer removes. */
		live_create(&work.segment, "next", &plain, 1);
		assert_int_equal(2, count_entries(in_segment(&work.segment, "seen"), ""));
		assert_ok(bloom_segment_drop(&work.segment, "next", &existed, &error));
		assert_ok(bloom_segment_drop(&work.segment, "seen", &existed, &error));
		work.segment.lock_timeout_ms = 60000;
	}
	assert_int_equal(0, count_entries(work.segment.path, ""));
}

/* ---- room ---- */

static int create_under_a_file_size_limit(void *context)
{
	creating *work = context;
	struct rlimit limit = {.rlim_cur = 4096, .rlim_max = RLIM_INFINITY};
	bool created;
	int kind;

	signal(SIGXFSZ, SIG_DFL);
	if (setrlimit(RLIMIT_FSIZE, &limit) != 0) {
		return 1;
	}
	for (kind = 0; kind < KINDS; kind++) {
		if (bloom_live_create(&work->segment, "seen", &all_params[kind], NULL, &created,
			    &error) != BLOOM_E_FILE_LIMIT) {
			return 2;
		}
	}
	return 0;
}

static void the_process_s_file_size_limit_is_an_error_and_no_signal(void **state)
{
	creating work = {.segment = scratch_segment()};

	(void)state;
	assert_int_equal(0, run_child(create_under_a_file_size_limit, &work));
	live_create(&work.segment, "seen", &plain, 1);
}

static void the_memory_limit_holds_for_live_filters(void **state)
{
	bloom_segment segment = scratch_segment();
	bool created;
	int kind;

	(void)state;
	segment.memory_limit_bytes = 4096;
	for (kind = 0; kind < KINDS; kind++) {
		assert_status(BLOOM_E_LIMIT,
			bloom_live_create(
				&segment, "seen", &all_params[kind], NULL, &created, &error));
	}
	/* Not even the directory. */
	assert_int_equal(-1, count_entries(in_segment(&segment, "seen"), ""));
	segment.memory_limit_bytes = 1 << 20;
	live_create(&segment, "seen", &plain, 1);
}

static void a_full_file_system_is_an_error_and_no_signal(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;
	bool created, is_new;
	bloom_stage stage;
	uint64_t i;

	(void)state;
	mount_small_file_system(96);
	live_create(&segment, "seen", &plain, 1);
	attach_to(&segment, "seen", &attachment);
	fill_file_system(&segment, 4096);
	assert_status(
		BLOOM_E_SPACE, bloom_live_create(&segment, "new", &plain, NULL, &created, &error));
	/* The file was created with all its space, so no page is missing when a key is added. */
	fill_file_system(&segment, 0);
	for (i = 0; i < 3000; i++) {
		assert_ok(filter_add(&attachment, "key", i, &is_new));
	}
	unfill_file_system(&segment);
	/* The file system fills up between the check and the allocation, and when the control
	 * page is created. */
	assert_ok(bloom_stage_begin(&segment, "new", 40960, &stage, &error));
	fill_file_system(&segment, 8192);
	assert_status(BLOOM_E_SPACE,
		bloom_stage_allocate(&stage, BLOOM_KIND_LIVE, &(unsigned char *){NULL}, &error));
	bloom_stage_abort(&stage);
	unfill_file_system(&segment);
	assert_ok(bloom_live_stage(&segment, "new", &plain, 1, NULL, NULL, &stage, &error));
	fill_file_system(&segment, 0);
	assert_status(BLOOM_E_SPACE, bloom_stage_commit(&stage, &(uint64_t){0}, &error));
	unfill_file_system(&segment);
	assert_int_equal(-1, count_entries(in_segment(&segment, "new"), ""));
	live_create(&segment, "new", &plain, 1);
	bloom_detach(&attachment);
}

/* ---- blobs as a beginning ---- */

static void a_live_filter_can_begin_with_a_blob_s_bits(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_params usual = {.capacity_keys = 3000, .rate = 0.001};
	test_blob blob = blob_of(&usual, 77, 2000, "blob", NULL);
	bloom_live_params params = {.kind = BLOOM_KIND_LIVE, .capacity_keys = 3000, .rate = 0.001};
	bloom_attachment attachment;
	bloom_stage stage;
	bloom_head head;
	uint64_t generation, i;
	bool is_new;

	(void)state;
	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	assert_ok(bloom_live_stage(&segment, "seen", &params, 0, &head.geometry,
		blob.bytes + head.head_bytes, &stage, &error));
	assert_ok(bloom_stage_commit(&stage, &generation, &error));
	attach_to(&segment, "seen", &attachment);
	assert_int_equal(77, attachment.live->known.seed);
	for (i = 0; i < 2000; i++) {
		assert_true(filter_has(&attachment, "blob", i));
	}
	for (i = 0; i < 1000; i++) {
		assert_ok(filter_add(&attachment, "added", i, &is_new));
	}
	for (i = 0; i < 2000; i++) {
		assert_true(filter_has(&attachment, "blob", i));
		assert_true(i >= 1000 || filter_has(&attachment, "added", i));
	}
	bloom_detach(&attachment);
	blob_free(&blob);
}

/* ---- locks ---- */

static int lock_at_once(void *context)
{
	bloom_attachment *attachment = context;
	int file;
	bloom_status status = bloom_filelock_take(&attachment->live->lock, attachment->segment,
		attachment->name, 3, 0, &file, &error);

	return status == BLOOM_OK ? 0 : status == BLOOM_E_BUSY ? 1 : status == BLOOM_E_GONE ? 2 : 3;
}

static void locks_exclude_other_processes_and_forked_children(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment one;
	bool existed;
	int file;

	(void)state;
	live_create(&segment, "seen", &plain, 1);
	attach_to(&segment, "seen", &one);
	assert_ok(bloom_filelock_take(&one.live->lock, &segment, "seen", 3, 0, &file, &error));
	/* The child closes the descriptor that its parent holds. */
	assert_int_equal(1, run_child(lock_at_once, &one));
	bloom_filelock_release(file, 3);
	assert_ok(bloom_filelock_take(&one.live->lock, &segment, "seen", 4, 0, &file, &error));
	assert_int_equal(
		0, run_child(lock_at_once, &one)); /* the child's death releases the lock */
	assert_int_equal(0, run_child(lock_at_once, &one));
	bloom_filelock_release(file, 4);
	assert_ok(bloom_segment_drop(&segment, "seen", &existed, &error));
	assert_int_equal(2, run_child(lock_at_once, &one));
	live_create(&segment, "seen", &plain,
		1); /* another filter with the same name is a different filter */
	assert_int_equal(2, run_child(lock_at_once, &one));
	bloom_detach(&one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH("a live filter of each kind can be created and takes keys",
			each_kind_is_made_and_takes_keys),
		TEST_IN_SCRATCH("the same parameters find the same filter",
			the_same_wish_finds_the_same_filter),
		TEST_IN_SCRATCH("other parameters are refused, and the error names the difference",
			other_params_are_refused_and_named),
		TEST_IN_SCRATCH("parameters out of range are refused and leave nothing behind",
			wishes_out_of_range_are_refused_and_leave_nothing),
		TEST("a live index reports its fan-out", a_live_index_says_its_fan_out),
		TEST_IN_SCRATCH(
			"values at the limits are allowed", the_limits_themselves_are_allowed),
		TEST_IN_SCRATCH("random seeds differ", random_seeds_differ),
		TEST_IN_SCRATCH("a load never replaces a live filter",
			a_live_filter_is_never_switched_over),
		TEST_IN_SCRATCH("a live filter whose kind is damaged gives way to a load",
			a_damaged_kind_lets_a_load_replace_a_mapped_live_filter),
		TEST_IN_SCRATCH("an attachment follows a drop to the new filter of any kind",
			an_attachment_follows_a_drop_to_the_new_filter_of_any_kind),
		TEST_IN_SCRATCH("a damaged head is refused or does no harm",
			a_damaged_head_is_refused_or_does_no_harm),
		TEST_IN_SCRATCH(
			"a file that is too short is refused", a_file_that_is_too_short_is_refused),
		TEST_IN_SCRATCH("a file of another kind than the control page states is refused",
			a_file_of_another_kind_than_the_control_page_says_is_refused),
		TEST_IN_SCRATCH("no key is lost when many processes add",
			nothing_that_many_processes_add_is_lost),
		TEST_IN_SCRATCH("a key is counted by the process that sets its bits",
			keys_are_counted_by_who_sets_their_bits),
		TEST_IN_SCRATCH("killed creators leave nothing that disturbs others",
			killed_creators_leave_nothing_that_matters),
		TEST_IN_SCRATCH(
			"a head that is damaged while mapped causes no access outside the mapping",
			a_head_that_is_damaged_while_it_is_mapped_leads_nobody_out_of_it),
		TEST_IN_SCRATCH("the process's file size limit causes an error, not a signal",
			the_process_s_file_size_limit_is_an_error_and_no_signal),
		TEST_IN_SCRATCH("the memory limit holds for live filters",
			the_memory_limit_holds_for_live_filters),
		TEST_IN_SMALL_FILE_SYSTEM("a full file system causes an error, not a signal",
			a_full_file_system_is_an_error_and_no_signal),
		TEST_IN_SCRATCH("a live filter can begin with a blob's bits",
			a_live_filter_can_begin_with_a_blob_s_bits),
		TEST_IN_SCRATCH("locks exclude other processes and forked children",
			locks_exclude_other_processes_and_forked_children),
	};

	return cmocka_run_group_tests_name("live", tests, private_mounts, NULL);
}

/* Tests of live filters: they can be created, invalid parameters are refused, and only a drop
 * removes them. */
#include "kinds.h"

#include <math.h>

#include "kinds/create.h"
#include "kinds/sliding.h"
#include "segment/drop.h"

static const bloom_live_params plain = {
	.kind = BLOOM_KIND_LIVE, .capacity_keys = 1000, .rate = 0.001};

/* ---- creation and parameters ---- */

static void each_kind_is_made_and_takes_keys(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t seed = test_seed("kinds");
	bloom_attachment one, other;
	uint64_t i;
	int kind;

	(void)state;
	for (kind = 0; kind < LIVE_KINDS; kind++) {
		char name[32];
		bool is_new = false;
		int absent = 0;

		(void)snprintf(name, sizeof name, "kind-%d", kind);
		live_create(&segment, name, &live_params[kind], seed);
		attach_to(&segment, name, &one);
		attach_to(&segment, name, &other);
		assert_int_equal(live_params[kind].kind, one.ops->kind);
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
		/* In a reverse index, filter_has() returns true if any of the 300 groups may
		 * contain the key, so more absent keys are answered "maybe". */
		assert_in_range(absent, 0, one.ops->kind == BLOOM_KIND_REVERSE ? 1500 : 30);
		bloom_detach(&one);
		bloom_detach(&other);
		/* The directory contains only the control page and the filter's file. */
		assert_int_equal(2, count_entries(in_segment(&segment, "%s", name), ""));
	}
	assert_int_equal(0, count_maps());
}

static void the_same_wish_finds_the_same_filter(void **state)
{
	bloom_segment segment = scratch_segment();
	const uint64_t seed = test_seed("same");
	const bloom_creation how = {.seed = &seed};
	bloom_attachment attachment;
	bool created = true, is_new;

	(void)state;
	live_create(&segment, "seen", &plain, seed);
	attach_to(&segment, "seen", &attachment);
	assert_ok(filter_add(&attachment, "key", 1, &is_new));
	assert_ok(bloom_live_create(&segment, "seen", &plain, NULL, &created, &error));
	assert_false(created);
	assert_ok(bloom_live_create(&segment, "seen", &plain, &how, &created, &error));
	assert_false(created);
	assert_int_equal(BLOOM_PRESENCE_VIEW, bloom_attachment_check(&attachment));
	assert_true(filter_has(&attachment, "key", 1));
	bloom_detach(&attachment);
}

static void other_params_are_refused_and_named(void **state)
{
	bloom_segment segment = scratch_segment();
	const uint64_t seed = test_seed("other"), other_seed = seed + 1;
	const bloom_creation how = {.seed = &other_seed};
	bool created;
	int kind;

	(void)state;
	for (kind = 0; kind < LIVE_KINDS; kind++) {
		const bloom_live_params *params = &live_params[kind];
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
			/* Skip parameters that this kind does not have. */
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
			bloom_live_create(&segment, name, params, &how, &created, &error));
		assert_non_null(strstr(error.subject, "seed"));
		assert_status(BLOOM_E_KIND,
			bloom_live_create(&segment, name, &live_params[(kind + 1) % LIVE_KINDS],
				NULL, &created, &error));
	}
}

static void wishes_out_of_range_are_refused_and_leave_nothing(void **state)
{
	bloom_segment segment = scratch_segment();
	const bloom_live_params *scalable = &live_params[2], *sliding = &live_params[3],
				*reverse = &live_params[4];
	struct {
		bloom_live_params params;
		bloom_status status;
	} rows[64];
	static const double rates[] = {0, -1, 1e-10, 0.51, 1, NAN, INFINITY, -INFINITY};
	static const double growths[] = {0, 1, 1.09, 16.1, -2, NAN, INFINITY};
	static const double tightenings[] = {0, 0.09, 0.991, 1, -1, NAN, INFINITY};
	static const uint64_t capacities[] = {0, BLOOM_CAPACITY_MAX + 1, UINT64_MAX};
	static const uint64_t windows[] = {0, 1, 9, BLOOM_WINDOW_MS_MAX + 1, UINT64_MAX};
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
		assert_status(rows[i].status,
			bloom_live_create(&segment, "no", &rows[i].params, NULL, &created, &error));
	}
	assert_int_equal(-1, count_entries(segment.path, ""));
	assert_status(
		BLOOM_E_NAME, bloom_live_create(&segment, ".no", &plain, NULL, &created, &error));
}

/* A builder takes a fan-out of zero as the default. A live index requires an explicit fan-out. */
static void a_live_index_says_its_fan_out(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_live_params params = live_params[4];
	bool created;

	(void)state;
	params.fan_out = 0;
	assert_status(BLOOM_E_FAN_OUT,
		bloom_live_create(&segment, "no", &params, NULL, &created, &error));
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
	for (kind = 0; kind < LIVE_KINDS; kind++) {
		live_create(&segment, "seen", &live_params[kind], 1);
		attach_to(&segment, "seen", &attachment);
		assert_ok(filter_add(&attachment, "key", 5, &is_new));
		assert_status(BLOOM_E_KIND, load(&segment, "seen", blob, NULL));
		/* A second filter of the same kind, staged concurrently, does not replace the first
		 * filter. */
		assert_ok(bloom_live_stage(
			&segment, "seen", &live_params[kind], 2, NULL, NULL, &stage, &error));
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

static void an_attachment_follows_a_drop_to_the_new_filter_of_any_kind(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;
	bool existed, is_new;
	int kind, next;

	(void)state;
	for (kind = 0; kind < LIVE_KINDS; kind++) {
		for (next = 0; next < LIVE_KINDS; next++) {
			live_create(&segment, "seen", &live_params[kind], 1);
			attach_to(&segment, "seen", &attachment);
			assert_ok(filter_add(&attachment, "old", 1, &is_new));
			assert_ok(bloom_segment_drop(&segment, "seen", &existed, &error));
			live_create(&segment, "seen", &live_params[next], 2);
			assert_in_range(bloom_attachment_check(&attachment), BLOOM_PRESENCE_VIEW,
				BLOOM_PRESENCE_OPS);
			assert_int_equal(live_params[next].kind, attachment.ops->kind);
			assert_false(filter_has(&attachment, "old", 1));
			assert_ok(filter_add(&attachment, "new", 1, &is_new));
			assert_true(filter_has(&attachment, "new", 1));
			bloom_detach(&attachment);
			assert_ok(bloom_segment_drop(&segment, "seen", &existed, &error));
		}
	}
	assert_int_equal(0, count_maps());
}

/* ---- creation from a blob ---- */

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH(
			"a live filter of each kind can be created, and added keys are found",
			each_kind_is_made_and_takes_keys),
		TEST_IN_SCRATCH("creating a filter again with the same parameters finds the "
				"existing filter",
			the_same_wish_finds_the_same_filter),
		TEST_IN_SCRATCH("creating a filter again with different parameters is refused, and "
				"the error names the difference",
			other_params_are_refused_and_named),
		TEST_IN_SCRATCH("parameters out of range are refused and leave nothing behind",
			wishes_out_of_range_are_refused_and_leave_nothing),
		TEST("a live reverse index without a fan-out is refused",
			a_live_index_says_its_fan_out),
		TEST_IN_SCRATCH(
			"parameters at the limits are accepted", the_limits_themselves_are_allowed),
		TEST_IN_SCRATCH(
			"filters created without a seed get different seeds", random_seeds_differ),
		TEST_IN_SCRATCH("a load never replaces a live filter",
			a_live_filter_is_never_switched_over),
		TEST_IN_SCRATCH("after a drop, an attachment switches to a new filter of any kind",
			an_attachment_follows_a_drop_to_the_new_filter_of_any_kind),
		TEST_IN_SCRATCH("a live filter can start with the bits of a blob",
			a_live_filter_can_begin_with_a_blob_s_bits),
	};

	return cmocka_run_group_tests_name("live", tests, NULL, NULL);
}

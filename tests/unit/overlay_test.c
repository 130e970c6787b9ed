/* Overlays: a key that is added beside a loaded filter is found for the overlay's window. Reloads,
 * killed processes and the order in which processes attach do not change that. */
#include "support.h"

#include <signal.h>
#include <sys/stat.h>

#include "kinds/overlay.h"
#include "kinds/sliding.h"
#include "kinds/create.h"
#include "segment/stage.h"
#include "segment/drop.h"
#include "segment/control_file.h"

/* The window is so long that no test takes a significant part of it. */
enum { HOUR = 3600 * 1000, WINDOW = 100 * HOUR };

static const bloom_params base = {.capacity_keys = 1000, .rate = 1e-9};

static void make_overlay(const bloom_segment *segment)
{
	bloom_live_params params = bloom_overlay_params(WINDOW, 1000, 1e-9);

	assert_ok(bloom_overlay_create(segment, "booth", &params, &error));
}

/* Loads a blob of 200 keys of a family. */
static void load_base(const bloom_segment *segment, const char *family, uint64_t seed)
{
	test_blob blob = blob_of(&base, seed, 200, family, NULL);

	assert_ok(load(segment, "booth", blob, NULL));
	blob_free(&blob);
}

static bloom_status try_add(bloom_attachment *booth, const char *family, uint64_t i, bool *is_new)
{
	if (booth->overlay == NULL) {
		return BLOOM_E_KIND; /* the same check as in php_live.c */
	}
	return filter_add(booth, family, i, is_new);
}

static bool add(bloom_attachment *booth, const char *family, uint64_t i)
{
	bool is_new = false;

	assert_ok(try_add(booth, family, i, &is_new));
	return is_new;
}

/* Asserts that lookups find all keys of a base or, without `present`, none of them. */
static void assert_base(bloom_attachment *booth, const char *family, bool present)
{
	uint64_t i;

	for (i = 0; i < 200; i++) {
		assert_int_equal(present, filter_answers(booth, family, i));
	}
}

/* ---- geometry ---- */

static void an_overlay_is_a_sliding_filter_of_twice_the_window_and_the_keys(void **state)
{
	bloom_live_params params = bloom_overlay_params(5000, 300, 0.001);
	bloom_segment segment = scratch_segment();
	bloom_attachment booth;
	bloom_geometry geometry;
	uint32_t i;

	(void)state;
	assert_ok(bloom_overlay_create(&segment, "booth", &params, &error));
	load_base(&segment, "monday", 1);
	attach_to(&segment, "booth", &booth);
	assert_int_equal(BLOOM_PRESENCE_OPS, booth.presence);
	assert_int_equal(BLOOM_KIND_SLIDING, booth.overlay->known.params.kind);
	assert_int_equal(10000, booth.overlay->known.params.window_ms);
	assert_int_equal(600, booth.overlay->known.params.capacity_keys);
	assert_int_equal(BLOOM_SLOTS, booth.overlay->layers);
	/* At the requested rate, each slot can hold all keys that are added within one window. */
	for (i = 0; i < BLOOM_SLOTS; i++) {
		geometry = bloom_live_geometry(&booth.overlay->known, i);
		assert_true(bloom_geometry_rate(&geometry, 600) <= 0.001);
		assert_int_equal(booth.overlay->known.seed, geometry.seed);
	}
	assert_true(booth.overlay->known.seed != booth.view.seed);
	bloom_detach(&booth);
	assert_int_equal(0, count_maps());
}

static void what_no_overlay_can_be_is_refused_and_leaves_nothing(void **state)
{
	static const struct {
		uint64_t window_ms, capacity_keys;
		double rate;
		bloom_status status;
	} refused[] = {
		{0, 100, 0.01, BLOOM_E_WINDOW},
		{BLOOM_WINDOW_MS_MIN / 2 - 1, 100, 0.01, BLOOM_E_WINDOW},
		{BLOOM_WINDOW_MS_MAX + 1, 100, 0.01, BLOOM_E_WINDOW},
		{UINT64_MAX, 100, 0.01, BLOOM_E_WINDOW},
		{UINT64_C(1) << 63 | 1000, 100, 0.01, BLOOM_E_WINDOW}, /* overflows to 2000 */
		{1000, 0, 0.01, BLOOM_E_CAPACITY},
		{1000, BLOOM_CAPACITY_MAX / 2 + 1, 0.01, BLOOM_E_CAPACITY},
		{1000, UINT64_MAX, 0.01, BLOOM_E_CAPACITY},
		{1000, UINT64_C(1) << 63 | 100, 0.01, BLOOM_E_CAPACITY},
		{1000, 100, 0, BLOOM_E_RATE},
		{1000, 100, 0.51, BLOOM_E_RATE},
	};
	bloom_segment segment = scratch_segment();
	bloom_live_params params;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof refused / sizeof *refused; i++) {
		params = bloom_overlay_params(
			refused[i].window_ms, refused[i].capacity_keys, refused[i].rate);
		assert_status(refused[i].status,
			bloom_overlay_create(&segment, "booth", &params, &error));
		assert_int_equal(-1, count_entries(segment.path, ""));
	}
}

static void one_that_is_there_stays_as_it_was_made(void **state)
{
	static const struct {
		uint64_t window_ms, capacity_keys;
		double rate;
		const char *said;
	} others[] = {{WINDOW + 1, 1000, 1e-9, "window"}, {WINDOW, 1001, 1e-9, "capacity"},
		{WINDOW, 1000, 1e-8, "false-positive rate"}};
	bloom_segment segment = scratch_segment();
	bloom_attachment booth;
	bloom_live_params params;
	size_t i;

	(void)state;
	make_overlay(&segment);
	load_base(&segment, "monday", 1);
	attach_to(&segment, "booth", &booth);
	(void)add(&booth, "key", 1);
	for (i = 0; i < sizeof others / sizeof *others; i++) {
		params = bloom_overlay_params(
			others[i].window_ms, others[i].capacity_keys, others[i].rate);
		assert_status(
			BLOOM_E_EXISTS, bloom_overlay_create(&segment, "booth", &params, &error));
		assert_non_null(strstr(error.subject, others[i].said));
	}
	make_overlay(&segment);
	assert_true(filter_answers(&booth, "key", 1));
	bloom_detach(&booth);
	attach_to(&segment, "booth", &booth);
	assert_true(filter_answers(&booth, "key", 1));
	bloom_detach(&booth);
	assert_int_equal(3, count_entries(in_segment(&segment, "booth"), ""));
}

static void only_a_loaded_filter_has_one(void **state)
{
	bloom_live_params live = {.kind = BLOOM_KIND_LIVE, .capacity_keys = 1000, .rate = 0.01};
	bloom_live_params params = bloom_overlay_params(WINDOW, 1000, 1e-9);
	bloom_segment segment = scratch_segment();

	(void)state;
	live_create(&segment, "booth", &live, 1);
	assert_status(BLOOM_E_KIND, bloom_overlay_create(&segment, "booth", &params, &error));
	assert_int_equal(2, count_entries(in_segment(&segment, "booth"), ""));
}

/* ---- the window ---- */

static uint64_t now;

static uint64_t clock_now(void)
{
	return now;
}

static void add_by_clock(bloom_attachment *booth, const char *family, uint64_t i)
{
	bool is_new;

	assert_ok(bloom_sliding_add(booth->overlay, booth->segment, booth->name,
		key_digest(booth->overlay->known.seed, family, i), clock_now, &is_new, &error));
}

/* bloom_attachment_test() with the test's clock. */
static bool has_by_clock(bloom_attachment *booth, const char *family, uint64_t i)
{
	assert_int_equal(BLOOM_PRESENCE_OPS, bloom_attachment_check(booth));
	return bloom_view_test(&booth->view, key_digest(booth->view.seed, family, i)) ||
		bloom_sliding_test(
			booth->overlay, key_digest(booth->overlay->known.seed, family, i), now);
}

/* Adds a key at `phase` of the overlay's turn. Every 24 hours another base is loaded and more
 * keys are added. */
static void follow_a_key(
	const bloom_segment *segment, bloom_attachment *booth, uint64_t phase, uint64_t *random)
{
	static const char *const days[] = {"tuesday", "wednesday", "thursday", "friday"};
	uint64_t added_at;
	int day;

	now += phase;
	added_at = now;
	add_by_clock(booth, "added", phase);
	for (day = 0; day < 4; day++) {
		now += 24 * HOUR;
		load_base(segment, days[day], random_next(random));
		assert_true(has_by_clock(booth, "added", phase));
		assert_base(booth, days[day], true);
		assert_base(booth, days[(day + 1) % 4], false);
		add_by_clock(booth, "later", now);
		assert_true(has_by_clock(booth, "added", phase));
		assert_true(has_by_clock(booth, "later", now));
	}
	now = added_at + WINDOW - 1;
	assert_true(has_by_clock(booth, "added", phase));
	add_by_clock(booth, "last", phase);
	assert_true(has_by_clock(booth, "added", phase));
	/* After twice the window the key is gone, and the base is still there. */
	now = added_at + 2 * WINDOW;
	assert_false(has_by_clock(booth, "added", phase));
	add_by_clock(booth, "other", phase);
	assert_false(has_by_clock(booth, "added", phase));
	assert_base(booth, days[3], true);
}

static void a_key_added_before_a_nightly_load_is_found_through_its_window(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t random = test_seed("nightly");
	bloom_attachment booth;
	uint64_t phase;

	(void)state;
	make_overlay(&segment);
	load_base(&segment, "monday", 1);
	attach_to(&segment, "booth", &booth);
	now = 1000 * (uint64_t)HOUR;
	/* The overlay was created with the real clock, so its turn is set by the test's clock. */
	booth.overlay->head->turn = now << 2;
	for (phase = 0; phase < 2 * WINDOW; phase += 13 * HOUR) {
		follow_a_key(&segment, &booth, phase, &random);
	}
	bloom_detach(&booth);
	assert_int_equal(0, count_maps());
}

static void replaced_bases_are_told_apart_as_by_an_exact_list(void **state)
{
	static const char *const families[] = {"a", "b", "c", "d"};
	enum { ADDED = 100, STEPS = 400 };
	bloom_segment segment = scratch_segment();
	uint64_t random = test_seed("replaced bases"), i, key;
	bool added[ADDED] = {false};
	bloom_attachment booths[3];
	uint64_t loaded = 0, step;
	struct stat before, after;

	(void)state;
	make_overlay(&segment);
	load_base(&segment, families[0], 1);
	for (i = 0; i < 3; i++) {
		attach_to(&segment, "booth", &booths[i]);
	}
	assert_int_equal(0, stat(in_segment(&segment, "booth/overlay"), &before));
	for (step = 0; step < STEPS; step++) {
		bloom_attachment *booth = &booths[random_below(&random, 3)];

		switch (random_below(&random, 4)) {
		case 0:
			loaded = random_below(&random, 4);
			load_base(&segment, families[loaded], random_next(&random));
			break;
		case 1:
			bloom_detach(booth);
			attach_to(&segment, "booth", booth);
			break;
		default:
			key = random_below(&random, ADDED);
			(void)bloom_attachment_check(booth);
			assert_int_equal(!added[key], add(booth, "added", key));
			added[key] = true;
		}
		booth = &booths[random_below(&random, 3)];
		for (key = 0; key < ADDED; key++) {
			assert_int_equal(added[key], filter_answers(booth, "added", key));
		}
		for (i = 0; i < 4; i++) {
			assert_int_equal(
				i == loaded, filter_answers(booth, families[i], step % 200));
		}
	}
	/* The directory contains the control page, the base and the overlay, which is still the
	 * same file. */
	assert_int_equal(3, count_entries(in_segment(&segment, "booth"), ""));
	assert_int_equal(0, stat(in_segment(&segment, "booth/overlay"), &after));
	assert_true(before.st_ino == after.st_ino);
	for (i = 0; i < 3; i++) {
		bloom_detach(&booths[i]);
	}
	assert_int_equal(0, count_maps());
}

/* ---- the order of attaching ---- */

static void nobody_adds_to_an_overlay_that_another_does_not_look_at(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment early, late;
	bool is_new = false;

	(void)state;
	load_base(&segment, "monday", 1);
	attach_to(&segment, "booth", &early);
	assert_int_equal(BLOOM_PRESENCE_VIEW, early.presence);
	/* A load that requested an overlay created it, and then failed or was killed. */
	make_overlay(&segment);
	attach_to(&segment, "booth", &late);
	if (try_add(&late, "key", 1, &is_new) == BLOOM_OK) {
		assert_true(filter_answers(&late, "key", 1) && filter_answers(&early, "key", 1));
	}
	assert_base(&early, "monday", true);
	assert_base(&late, "monday", true);
	/* After the next load both readers have the overlay, whether or not that load requested
	 * it. */
	load_base(&segment, "tuesday", 2);
	assert_base(&early, "tuesday", true);
	assert_base(&late, "tuesday", true);
	assert_true(add(&late, "key", 2) && filter_answers(&early, "key", 2));
	assert_true(add(&early, "key", 3) && filter_answers(&late, "key", 3));
	bloom_detach(&early);
	bloom_detach(&late);
}

/* ---- death ---- */

/* How far a process got in creating an overlay before it was killed. */
enum { STAGED, RENAMED, MADE };

static int make_a_part(void *context)
{
	bloom_live_params params = bloom_overlay_params(WINDOW, 1000, 1e-9);
	bloom_stage stage = {0};

	return bloom_live_stage(context, "booth", &params, 1, NULL, NULL, &stage, &error) ==
			BLOOM_OK
		? 0
		: 1;
}

static void leave_from_a_killed_maker(bloom_segment *segment, int how_far)
{
	bloom_control *control = NULL;

	if (how_far == STAGED) {
		assert_int_equal(0, run_child(make_a_part, segment));
		return;
	}
	make_overlay(segment);
	if (how_far == RENAMED) {
		assert_ok(bloom_segment_control(segment, "booth", false, &control, &error));
		control->overlay_from = 0;
		bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	}
}

static void an_overlay_whose_maker_was_killed_is_there_or_made_anew(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment early, late;
	bool existed;
	int how_far;

	(void)state;
	segment.lock_timeout_ms = 0;
	for (how_far = STAGED; how_far <= MADE; how_far++) {
		load_base(&segment, "monday", 1);
		attach_to(&segment, "booth", &early);
		leave_from_a_killed_maker(&segment, how_far);
		assert_int_equal(3, count_entries(in_segment(&segment, "booth"), ""));
		/* The served generation stays served. The next process to create the overlay
		 * does not wait. */
		attach_to(&segment, "booth", &late);
		assert_base(&early, "monday", true);
		assert_base(&late, "monday", true);
		make_overlay(&segment);
		load_base(&segment, "tuesday", 2);
		assert_base(&early, "tuesday", true);
		assert_false(filter_answers(&late, "key", 1));
		assert_true(add(&late, "key", 1) && filter_answers(&early, "key", 1));
		/* No file of the killed process is left. */
		assert_int_equal(3, count_entries(in_segment(&segment, "booth"), ""));
		bloom_detach(&early);
		bloom_detach(&late);
		assert_ok(bloom_segment_drop(&segment, "booth", &existed, &error));
		assert_true(existed);
	}
	assert_int_equal(0, count_maps());
}

typedef struct adding {
	bloom_attachment booth;
	uint64_t *added; /* number of keys whose add has returned */
} adding;

static int add_for_long(void *context)
{
	adding *work = context;
	bool is_new;
	uint64_t i;

	for (i = *work->added; i < UINT64_MAX; i++) {
		if (try_add(&work->booth, "key", i % 1000, &is_new) != BLOOM_OK) {
			return 1;
		}
		bloom_store_release(work->added, i + 1);
	}
	return 0;
}

static void adders_killed_while_bases_are_replaced_lose_no_key(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t random = test_seed("killed adders"), begun, i;
	adding work = {.added = shared_memory(sizeof *work.added)};
	pid_t child;
	int kills;

	(void)state;
	make_overlay(&segment);
	load_base(&segment, "monday", 1);
	attach_to(&segment, "booth", &work.booth);
	for (kills = 0; kills < 40; kills++) {
		begun = bloom_load_acquire(work.added);
		child = start_child(add_for_long, &work);
		load_base(&segment, kills % 2 ? "monday" : "tuesday", random_next(&random));
		while (bloom_load_acquire(work.added) == begun) {
			pause_us(20);
		}
		pause_us(random_below(&random, 300));
		assert_int_equal(0, kill(child, SIGKILL));
		assert_int_equal(1000 + SIGKILL, wait_child(child));
		for (i = 0; i < *work.added && i < 1000; i++) {
			assert_true(filter_answers(&work.booth, "key", i));
		}
	}
	bloom_detach(&work.booth);
	attach_to(&segment, "booth", &work.booth);
	for (i = 0; i < *work.added && i < 1000; i++) {
		assert_true(filter_answers(&work.booth, "key", i));
	}
	bloom_detach(&work.booth);
	free_shared_memory(work.added, sizeof *work.added);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH("an overlay is a sliding filter with twice the requested window "
				"and capacity",
			an_overlay_is_a_sliding_filter_of_twice_the_window_and_the_keys),
		TEST_IN_SCRATCH("invalid overlay parameters are refused and leave nothing behind",
			what_no_overlay_can_be_is_refused_and_leaves_nothing),
		TEST_IN_SCRATCH("creating an overlay keeps an existing one",
			one_that_is_there_stays_as_it_was_made),
		TEST_IN_SCRATCH(
			"only a loaded filter can have an overlay", only_a_loaded_filter_has_one),
		TEST_IN_SCRATCH("a key added to an overlay is found for the whole window despite "
				"nightly loads",
			a_key_added_before_a_nightly_load_is_found_through_its_window),
		TEST_IN_SCRATCH("while base filters are replaced, answers with an overlay agree "
				"with an exact list",
			replaced_bases_are_told_apart_as_by_an_exact_list),
		TEST_IN_SCRATCH(
			"no process adds keys to an overlay that another process does not read",
			nobody_adds_to_an_overlay_that_another_does_not_look_at),
		TEST_IN_SCRATCH("an overlay whose creator was killed exists or is created again",
			an_overlay_whose_maker_was_killed_is_there_or_made_anew),
		TEST_IN_SCRATCH("no added key is lost if processes are killed during reloads of "
				"the base filter",
			adders_killed_while_bases_are_replaced_lose_no_key),
	};

	return cmocka_run_group_tests_name("overlay", tests, NULL, NULL);
}

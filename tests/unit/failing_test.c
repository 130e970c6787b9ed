/* Tests that make each system call and each malloc of the core fail, once or permanently, with each
 * usual errno. The error states the reason, the served generation stays, nothing leaks, and the
 * next attempt succeeds. */
#include "failing.h"
#include "scenes.h"

#include <errno.h>

#include "build/lines.h"
#include "kinds/ondemand.h"
#include "os/process.h"
#include "segment/list.h"

/* One round: which call fails first, whether all later calls also fail, and with which errno. */
typedef struct round {
	unsigned first;
	bool for_ever;
	unsigned variant;
} round_of_failures;

/* With sanitizers, two errno values per call are enough to find leaks. */
static unsigned variants(void)
{
	return SANITIZED || getenv("BLOOM_TEST_SLOW") != NULL ? 2 : FAILING_VARIANTS;
}

static unsigned failures_met;

/* Returns the status that the core must report for an errno. */
static bloom_status status_of(int number)
{
	switch (number) {
	case ENOSPC:
	case EDQUOT:
		return BLOOM_E_SPACE;
	case EFBIG:
		return BLOOM_E_FILE_LIMIT;
	case ENOMEM:
		return BLOOM_E_MEMORY;
	default:
		return BLOOM_E_SYSTEM;
	}
}

#define CLAIM(it, round, condition)                                                               \
	do {                                                                                      \
		if (!(condition)) {                                                               \
			fail_msg("%s: %s, when call %u (%s) fails %s with errno %d: %s (\"%s\", " \
				 "errno %d)",                                                     \
				(it), #condition, (round)->first, failing_what(),                 \
				(round)->for_ever ? "for ever" : "once", failing_errno(),         \
				bloom_status_sentence(error.status), error.subject,               \
				error.os_error);                                                  \
		}                                                                                 \
	} while (0)

/* Checks that the error has the right status, a subject and the right errno. */
static void check_error(const char *what, const round_of_failures *round, bloom_status status)
{
	CLAIM(what, round, error.status == status);
	CLAIM(what, round, error.subject[0] != 0);
	/* If several calls failed, the error may report any of them. */
	CLAIM(what, round,
		round->for_ever || status == status_of(failing_errno()) ||
			(status == BLOOM_E_NO_DIRECTORY &&
				(failing_errno() == EACCES || failing_errno() == EROFS)));
	/* An out-of-memory error needs no errno. */
	CLAIM(what, round,
		round->for_ever || status == BLOOM_E_MEMORY || error.os_error == failing_errno());
	CLAIM(what, round,
		status == BLOOM_E_SPACE || status == BLOOM_E_FILE_LIMIT ||
			status == BLOOM_E_MEMORY || status == BLOOM_E_NO_DIRECTORY ||
			status == BLOOM_E_SYSTEM);
	/* Interrupted calls and short writes must be retried, so they alone cause no error. */
	CLAIM(what, round,
		round->for_ever || (failing_errno() != EINTR && failing_errno() != FAILING_SHORT));
}

/* ---- changes ---- */

typedef struct task {
	const scene *it;
	bloom_segment segment;
} task;

/* Runs the operation once with failing calls. Returns true if a call failed. */
static bool fail_once_more(task *work, const round_of_failures *round)
{
	const scene *it = work->it;
	bloom_attachment attachment;
	bool there, met;
	int files = count_open_files(), maps = count_maps(), files_with, maps_with;
	bloom_status status;

	remove_tree(work->segment.path);
	it->prepare(&work->segment);
	there = bloom_attach(&work->segment, SCENE_NAME, &attachment, &error) == BLOOM_OK;
	files_with = count_open_files();
	maps_with = count_maps();
	memset(&error, 0xA5, sizeof error);
	failing_begin(round->first, round->for_ever, round->variant);
	status = it->act(&work->segment, there ? &attachment : NULL, &error);
	met = failing_end() > 0 || failing_calls() > round->first;
	failures_met += failing_errno() != 0;
	files_with = count_open_files() - files_with;
	/* A thread keeps the files that it has locked open, so one more descriptor may be open, or
	 * two if the locks have a file of their own. */
	CLAIM(it->what, round, files_with >= 0 && files_with <= (HAS_BYTE_LOCKS ? 1 : 2));
	CLAIM(it->what, round, count_maps() == maps_with);
	if (status != BLOOM_OK) {
		check_error(it->what, round, status);
		CLAIM(it->what, round, scene_look(it, &work->segment) == 0 || it->in_steps);
	} else {
		CLAIM(it->what, round, scene_look(it, &work->segment) > 0);
	}
	scene_heal(it, &work->segment);
	if (there) {
		bloom_detach(&attachment);
	}
	CLAIM(it->what, round, count_open_files() == files);
	CLAIM(it->what, round, count_maps() == maps);
	return met;
}

static unsigned fail_each_call(task *work)
{
	round_of_failures round = {0};
	unsigned calls = 0;

	for (round.variant = 0; round.variant < variants(); round.variant++) {
		for (round.for_ever = 0;; round.for_ever = 1) {
			for (round.first = 0; fail_once_more(work, &round); round.first++) {
			}
			calls = round.first > calls ? round.first : calls;
			if (round.for_ever) {
				break;
			}
		}
	}
	return calls;
}

static void whatever_fails_in_a_change_is_told_and_harms_nobody(void **state)
{
	task work = {.segment = scratch_segment()};
	unsigned i, calls, met;

	(void)state;
	scenes_begin();
	for (i = 0; i < scene_count; i++) {
		work.it = &scenes[i];
		met = failures_met;
		calls = fail_each_call(&work);
		printf("# %s: %u calls; %u failures\n", work.it->what, calls, failures_met - met);
		fflush(stdout);
	}
	scenes_end();
	assert_true(failures_met > 1000);
}

/* If counting the segment's bytes fails, the result must not be taken as zero. */
static void the_memory_limit_holds_whatever_fails(void **state)
{
	bloom_segment segment = scratch_segment();
	round_of_failures round = {0};
	bloom_status status;
	bool met;

	(void)state;
	scenes_begin();
	assert_ok(scene_load_other(&segment));
	segment.memory_limit_bytes = segment_bytes(&segment) + 1000;
	for (round.variant = 0; round.variant < variants(); round.variant++) {
		for (round.first = 0, met = true; met; round.first++) {
			failing_begin(round.first, false, round.variant);
			status = scene_load_other(&segment);
			met = failing_end() > 0 || failing_calls() > round.first;
			failures_met += failing_errno() != 0;
			CLAIM("limited", &round, status != BLOOM_OK);
			if (status != BLOOM_E_LIMIT) {
				check_error("limited", &round, status);
			}
			CLAIM("limited", &round,
				count_entries(in_segment(&segment, "other"), "") == 2);
		}
	}
	scenes_end();
}

/* ---- reads ---- */

static bool collect(void *context, const char *name)
{
	strcat(context, name);
	return true;
}

static void begin_failing(const round_of_failures *round)
{
	failing_begin(round->first, round->for_ever, round->variant);
}

static void end_failing(void)
{
	(void)failing_end();
	failures_met += failing_errno() != 0;
}

static void check_nothing_is_left(const char *what, const round_of_failures *round, int files)
{
	CLAIM(what, round, count_open_files() == files);
	CLAIM(what, round, count_maps() == 0);
}

static void check_attaching(const bloom_segment *segment, const round_of_failures *round, int files)
{
	bloom_attachment attachment;
	bloom_status status;

	begin_failing(round);
	status = bloom_attach(segment, SCENE_NAME, &attachment, &error);
	end_failing();
	if (status == BLOOM_OK) {
		bloom_detach(&attachment);
	} else {
		check_error("attaching", round, status);
	}
	check_nothing_is_left("attaching", round, files);
}

static void check_listing(const bloom_segment *segment, const round_of_failures *round, int files)
{
	char names[1024] = "";
	bloom_status status;

	begin_failing(round);
	status = bloom_segment_each(segment, collect, names, &error);
	end_failing();
	if (status == BLOOM_OK) {
		CLAIM("listing", round, strcmp(names, SCENE_NAME) == 0);
	} else {
		check_error("listing", round, status);
	}
	check_nothing_is_left("listing", round, files);
}

/* Simulates a reader that must map a new generation. If it cannot map the generation, the filter is
 * reported as unavailable. Returns the number of calls that could fail. */
static unsigned check_following(
	const scene *it, const bloom_segment *segment, const round_of_failures *round, int files)
{
	bloom_attachment attachment;
	bloom_presence presence;
	unsigned calls;

	attach_to(segment, SCENE_NAME, &attachment);
	attachment.generation = BLOOM_GENERATION_UNMAPPED;
	begin_failing(round);
	presence = bloom_attachment_check(&attachment);
	calls = failing_calls();
	end_failing();
	CLAIM("following", round, presence != BLOOM_PRESENCE_ABSENT);
	CLAIM("following", round,
		presence != BLOOM_PRESENCE_UNMAPPED || attachment.map_failures == 1);
	CLAIM("following", round,
		presence == BLOOM_PRESENCE_UNMAPPED || it->look(&attachment, false) == it->reads);
	presence = bloom_attachment_check(&attachment);
	CLAIM("following", round, presence != BLOOM_PRESENCE_UNMAPPED);
	CLAIM("following", round, it->look(&attachment, false) == it->reads);
	bloom_detach(&attachment);
	check_nothing_is_left("following", round, files);
	return calls;
}

static void whatever_fails_in_reading_is_told_and_never_a_no(void **state)
{
	bloom_segment segment = scratch_segment();
	round_of_failures round;
	bloom_attachment attachment;
	unsigned i, calls = 0, followed;
	int files;

	(void)state;
	scenes_begin();
	for (i = 0; i < scene_count; i++) {
		remove_tree(segment.path);
		scenes[i].prepare(&segment);
		if (bloom_attach(&segment, SCENE_NAME, &attachment, &error) != BLOOM_OK) {
			continue;
		}
		bloom_detach(&attachment);
		files = count_open_files();
		for (round.variant = 0; round.variant < variants(); round.variant++) {
			for (round.first = 0, round.for_ever = false;; round.first++) {
				check_attaching(&segment, &round, files);
				check_listing(&segment, &round, files);
				followed = check_following(&scenes[i], &segment, &round, files);
				calls = followed > calls ? followed : calls;
				if (round.first > 2 * calls + 20) {
					if (round.for_ever) {
						break;
					}
					round.for_ever = true;
					round.first = 0;
				}
			}
		}
	}
	scenes_end();
	printf("# following: %u calls\n", calls);
}

/* ---- builds ---- */

enum { BUILD_LINES = 20000 };

static const bloom_params builds[] = {
	{.capacity_keys = BUILD_LINES, .rate = 1e-6},
	{.capacity_keys = BUILD_LINES, .rate = 1e-6, .ribbon = true},
	/* More keys than the capacity, so that some keys are in the spill shard. */
	{.capacity_keys = BUILD_LINES * 93 / 100,
		.rate = 1e-6,
		.value_bits = 17,
		.shard_bytes = 4096},
};

/* Builds from a text that is large enough for three threads. The text comes in pieces that end
 * within lines, so incomplete lines are carried over. */
static bloom_status build(bloom_builder *builder, const bloom_params *params, uint32_t jobs)
{
	enum { PIECE_BYTES = 60000 };
	static char text[BUILD_LINES * 16];
	bloom_lines lines = {0};
	bloom_status status = bloom_builder_init(params, 1, 0, builder, &error);
	size_t bytes = 0, at;
	unsigned i;

	for (i = 0; i < BUILD_LINES; i++) {
		bytes += (size_t)sprintf(
			text + bytes, params->value_bits != 0 ? "%u\t%u\n" : "%u\n", i, i);
	}
	builder->jobs = jobs;
	for (at = 0; status == BLOOM_OK && at < bytes; at += PIECE_BYTES) {
		status = bloom_builder_add_lines(builder, &lines, (unsigned char *)text + at,
			bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES, &error);
	}
	if (status == BLOOM_OK) {
		status = bloom_builder_end_lines(builder, &lines, &error);
	}
	if (status == BLOOM_OK) {
		status = bloom_builder_finish(builder, 1, 1, &error);
	}
	bloom_lines_free(&lines);
	return status;
}

static bool is_same(const bloom_builder *one, const bloom_builder *other)
{
	return one->keys == other->keys && one->added == other->added &&
		memcmp(one->image, other->image, one->image_bytes) == 0;
}

/* A failure to create a thread is not an error: the calling thread does that thread's work. */
static void check_building(const bloom_params *params, uint32_t jobs)
{
	round_of_failures round = {0};
	bloom_builder builder, whole = {0};
	bloom_status status;
	bool is_over = false, only_threads;

	assert_ok(build(&whole, params, 1));
	while (!is_over) {
		builder = (bloom_builder){0};
		failing_begin(round.first, round.for_ever, 0);
		status = build(&builder, params, jobs);
		(void)failing_end();
		/* failing_what() names the last call that failed. With `for_ever`, other calls may
		 * have failed before it. */
		only_threads =
			failing_errno() == 0 || strcmp(failing_what(), "pthread_create") == 0;
		if (only_threads && (status == BLOOM_OK || !round.for_ever)) {
			assert_ok(status);
			assert_true(is_same(&whole, &builder));
		} else {
			CLAIM("building", &round, status == BLOOM_E_MEMORY);
			CLAIM("building", &round, error.status == status);
			failures_met++;
		}
		bloom_builder_free(&builder);
		if (failing_errno() != 0) {
			round.first++;
		} else {
			is_over = round.for_ever;
			round = (round_of_failures){.for_ever = true};
		}
	}
	bloom_builder_free(&whole);
}

static void whatever_fails_in_building_is_told(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof builds / sizeof *builds; i++) {
		check_building(&builds[i], 1);
		check_building(&builds[i], 3);
	}
	printf("# %u failures in total\n", failures_met);
}

/* With pages of 16 or 64 KiB, only mappings of whole files are possible. */
static void mappings_are_of_whole_files_so_that_no_size_of_pages_matters(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;
	unsigned i, before = failing_mappings();

	(void)state;
	scenes_begin();
	for (i = 0; i < scene_count; i++) {
		remove_tree(segment.path);
		scenes[i].prepare(&segment);
		if (bloom_attach(&segment, SCENE_NAME, &attachment, &error) == BLOOM_OK) {
			(void)scenes[i].look(&attachment, false);
			bloom_detach(&attachment);
		}
		scene_heal(&scenes[i], &segment);
	}
	scenes_end();
	printf("# %u mappings\n", failing_mappings() - before);
	assert_true(failing_mappings() - before > 4 * scene_count);
	assert_int_equal(0, failing_odd_mappings());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: call-fails, no-space, save-killed, second-death */
		TEST_IN_SCRATCH(
			"any failing call during a change is reported and harms no other process",
			whatever_fails_in_a_change_is_told_and_harms_nobody),
		/* fault: memory-limit-segment */
		TEST_IN_SCRATCH("the memory limit holds even if a system call fails",
			the_memory_limit_holds_whatever_fails),
		/* fault: call-fails */
		TEST_IN_SCRATCH(
			"any failing call during a read is reported and never causes a wrong 'no'",
			whatever_fails_in_reading_is_told_and_never_a_no),
		/* fault: call-fails */
		TEST("any failing call during a build is reported",
			whatever_fails_in_building_is_told),
		/* fault: page-size */
		TEST_IN_SCRATCH(
			"every mapping covers a whole file, so the page size does not matter",
			mappings_are_of_whole_files_so_that_no_size_of_pages_matters),
	};

	return cmocka_run_group_tests_name("failing", tests, NULL, NULL);
}

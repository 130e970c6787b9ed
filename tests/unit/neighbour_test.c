/* Another process of the host interferes with a filter of any kind: it holds the locks forever,
 * writes random values into the control page, uses another version of the extension, or deletes
 * everything. No reader crashes, waits or gives a wrong "no". */
#include "kinds.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "kinds/counting.h"
#include "kinds/ondemand.h"
#include "segment/drop.h"
#include "segment/control_file.h"

/* ---- locks that are held forever ---- */

typedef struct holding {
	const bloom_segment *segment;
	int kind;
	int *held; /* shared: 1 once the process holds all locks */
} holding;

static int hold_all_locks(void *context)
{
	const holding *it = context;
	int directory = open(in_segment(it->segment, "tags"), O_RDONLY | O_DIRECTORY);
	int file = open(in_segment(it->segment, "%s", generation_one), O_RDWR);
	uint64_t i;

	if (bloom_lock(directory, 0, NULL) != BLOOM_OK) {
		return 1;
	}
	for (i = 0; i < BLOOM_STRIPES; i++) {
		if (bloom_lock_byte(file, i, 0, NULL) != BLOOM_OK) {
			return 2;
		}
	}
	__atomic_store_n(it->held, 1, __ATOMIC_RELEASE);
	for (;;) {
		pause();
	}
}

static void assert_adds_under_held_locks(bloom_attachment *filter, int kind)
{
	bloom_live *live = filter->live;

	if (kind == BLOOM_KIND_COUNTING) {
		assert_status(BLOOM_E_BUSY, add_key(filter, KEYS));
		return;
	}
	assert_ok(add_key(filter, KEYS));
	assert_true(has_key(filter, KEYS));
	if (kind == BLOOM_KIND_SCALABLE) {
		live->head->layer[0].keys = live->known.layer[0].capacity_keys; /* full */
		assert_ok(add_key(filter, KEYS + 1));
		assert_true(has_key(filter, KEYS + 1));
		assert_int_equal(1, live->layers);
		assert_int_equal(1, live->head->growth_failures);
	}
	if (kind == BLOOM_KIND_SLIDING) {
		live->head->turn -= (live->known.params.window_ms / 2 + 1) * 4; /* over */
		assert_status(BLOOM_E_BUSY, add_key(filter, KEYS + 1));
	}
}

static void who_holds_the_locks_for_ever_delays_writers_and_no_reader(void **state)
{
	bloom_segment segment = scratch_segment();
	holding it = {.segment = &segment, .held = shared_memory(sizeof(int))};
	test_blob blob = blob_of_keys();
	bloom_attachment filter, other;
	bool existed;
	pid_t child;

	(void)state;
	segment.lock_timeout_ms = 20;
	for (it.kind = 0; it.kind < KINDS; it.kind++) {
		make_kind(&segment, it.kind, &filter);
		*it.held = 0;
		child = start_child(hold_all_locks, &it);
		while (__atomic_load_n(it.held, __ATOMIC_ACQUIRE) == 0) {
			pause_us(100);
		}
		assert_keys(&filter);
		attach_to(&segment, "tags", &other);
		assert_keys(&other);
		bloom_detach(&other);
		assert_status(BLOOM_E_BUSY, load(&segment, "tags", blob, NULL));
		assert_status(BLOOM_E_BUSY, bloom_segment_drop(&segment, "tags", &existed, &error));
		if (is_live(it.kind)) {
			assert_adds_under_held_locks(&filter, it.kind);
		}
		assert_keys(&filter);
		assert_int_equal(0, kill(child, SIGKILL));
		assert_int_equal(1000 + SIGKILL, wait_child(child));
		if (is_live(it.kind)) {
			assert_ok(add_key(&filter, KEYS + 2));
			assert_true(has_key(&filter, KEYS + 2));
		}
		unmake_kind(&segment, &filter);
	}
	blob_free(&blob);
	free_shared_memory(it.held, sizeof(int));
}

/* ---- a control page that another process writes into ---- */

static void scribble(bloom_control *page, uint64_t *random)
{
	static const uint64_t tempting[] = {0, 1, 2, 3, BLOOM_GENERATION_MAX,
		BLOOM_GENERATION_MAX + 1, BLOOM_GENERATION_ANY, BLOOM_GENERATION_UNMAPPED,
		BLOOM_GENERATION_DROPPED};
	uint64_t *words = (uint64_t *)(void *)page;
	uint64_t i, value;

	for (i = random_below(random, 3); i < 3; i++) {
		value = tempting[random_below(random, sizeof tempting / sizeof *tempting)];
		switch (random_below(random, 3)) {
		case 0:
			bloom_store_relaxed(&page->generation, value);
			break;
		case 1:
			bloom_store_relaxed(
				&page->kind, random_below(random, BLOOM_KIND_COUNT + 2));
			break;
		default:
			bloom_store_relaxed(&words[random_below(random, BLOOM_CONTROL_BYTES / 8)],
				random_next(random));
		}
	}
}

static bool may_say_absent(uint64_t generation)
{
	return generation == BLOOM_GENERATION_NONE || generation == BLOOM_GENERATION_DROPPED;
}

static void nonsense_in_a_control_page_gives_maybe_and_passes(void **state)
{
	uint64_t random = test_seed("nonsense in a control page");
	bloom_segment segment = scratch_segment();
	enum { ROUNDS = SANITIZED ? 500 : 2000 };
	bloom_attachment filter;
	bloom_presence presence;
	bloom_control kept;
	int kind, round, look;

	(void)state;
	for (kind = 0; kind < KINDS; kind++) {
		make_kind(&segment, kind, &filter);
		memcpy(&kept, filter.control, sizeof kept);
		for (round = 0; round < ROUNDS; round++) {
			for (look = 0; look < 3; look++) {
				scribble(filter.control, &random);
				presence = bloom_attachment_check(&filter);
				if (is_there(presence)) {
					assert_true(has_key(&filter, random_below(&random, KEYS)));
				} else if (presence == BLOOM_PRESENCE_ABSENT) {
					assert_true(may_say_absent(filter.control->generation));
				}
				if (random_below(&random, 4) == 0) {
					bloom_attachment_trim(&filter);
				}
			}
			memcpy(filter.control, &kept, sizeof kept);
			assert_true(is_there(bloom_attachment_check(&filter)));
			assert_true(has_key(&filter, random_below(&random, KEYS)));
		}
		assert_keys(&filter);
		unmake_kind(&segment, &filter);
	}
}

typedef struct flipping {
	const bloom_segment *segment;
	uint64_t random;
} flipping;

static int flip_for_ever(void *context)
{
	flipping *it = context;
	bloom_control *page;

	if (bloom_segment_control(it->segment, "tags", false, &page, &error) != BLOOM_OK) {
		return 1;
	}
	for (;;) {
		scribble(page, &it->random);
		bloom_store_release(&page->generation, 1);
	}
}

static void a_control_page_that_flips_all_the_time_leads_to_no_wrong_no(void **state)
{
	bloom_segment segment = scratch_segment();
	flipping it = {.segment = &segment, .random = test_seed("a control page that flips")};
	enum { LOOKS = SANITIZED ? 1000 : 5000 };
	bloom_attachment filter;
	bloom_control kept;
	int kind, look;
	pid_t child;

	(void)state;
	for (kind = 0; kind < KINDS; kind++) {
		make_kind(&segment, kind, &filter);
		memcpy(&kept, filter.control, sizeof kept);
		child = start_child(flip_for_ever, &it);
		for (look = 0; look < LOOKS; look++) {
			if (is_there(bloom_attachment_check(&filter))) {
				assert_true(has_key(&filter, (uint64_t)look % KEYS));
			}
		}
		assert_int_equal(0, kill(child, SIGKILL));
		assert_int_equal(1000 + SIGKILL, wait_child(child));
		memcpy(filter.control, &kept, sizeof kept);
		assert_keys(&filter);
		unmake_kind(&segment, &filter);
	}
}

/* ---- a different version of the extension ---- */

/* Returns the word of the file that contains the layout number. */
static uint64_t *layout_of(bloom_attachment *filter, int kind)
{
	return kind == BLOOM_KIND_ON_DEMAND ? &filter->cache->head->layout
					    : &live_head(filter->live)->layout;
}

static void files_of_another_version_are_refused_and_left_as_they_are(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment filter, other;
	uint64_t *layout;
	int kind, step;

	(void)state;
	for (kind = 0; kind < KINDS; kind++) {
		for (step = -1; step <= 1; step += 2) {
			make_kind(&segment, kind, &filter);
			if (kind != BLOOM_KIND_LOADED) { /* a blob has its own version */
				layout = layout_of(&filter, kind);
				*layout += (uint64_t)step;
				assert_status(
					kind == BLOOM_KIND_ON_DEMAND ? BLOOM_E_CACHE : BLOOM_E_LIVE,
					bloom_attach(&segment, "tags", &other, &error));
				if (is_live(kind)) {
					assert_status(BLOOM_E_LIVE, create_kind(&segment, kind));
				}
				assert_int_equal(1, filter.control->generation);
				*layout -= (uint64_t)step;
			}
			attach_to(&segment, "tags", &other);
			assert_keys(&other);
			bloom_detach(&other);
			unmake_kind(&segment, &filter);
		}
	}
}

/* ---- files that are deleted ---- */

static void who_has_deleted_files_mapped_goes_on_and_the_name_is_free(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment filter, other;
	int kind, round;

	(void)state;
	needs_posix(NO_REMOVAL_IN_USE);
	for (kind = 0; kind < KINDS; kind++) {
		for (round = 0; round < 2; round++) {
			make_kind(&segment, kind, &filter);
			/* Deletes only the filter, as a program that removes old files may do,
			 * or the whole segment. */
			remove_tree(round == 0 ? in_segment(&segment, "tags") : segment.path);
			assert_keys_before_naming(&filter);
			assert_false(bloom_attachment_naming(&filter) == BLOOM_NAMING_SAME);
			assert_status(
				BLOOM_E_NOT_FOUND, bloom_attach(&segment, "tags", &other, &error));
			if (is_live(kind)) {
				assert_ok(add_key(&filter, KEYS));
				assert_true(has_key(&filter, KEYS));
			}
			assert_ok(create_kind(&segment, kind));
			attach_to(&segment, "tags", &other);
			assert_true(bloom_attachment_naming(&other) == BLOOM_NAMING_SAME);
			if (is_live(kind)) {
				assert_false(has_key(&other, KEYS)); /* a new, empty filter */
				assert_ok(add_key(&other, KEYS));
				assert_true(has_key(&other, KEYS));
			} else {
				assert_keys(&other);
			}
			assert_keys_before_naming(&filter);
			bloom_detach(&other);
			unmake_kind(&segment, &filter);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: lock-held */
		TEST_IN_SCRATCH(
			"a process that holds the locks forever delays writers but no reader",
			who_holds_the_locks_for_ever_delays_writers_and_no_reader),
		/* fault: control-damaged */
		TEST_IN_SCRATCH("while a control page contains garbage, lookups answer 'maybe', "
				"and afterwards they recover",
			nonsense_in_a_control_page_gives_maybe_and_passes),
		/* fault: control-damaged */
		TEST_IN_SCRATCH("a control page that changes constantly never causes a wrong 'no'",
			a_control_page_that_flips_all_the_time_leads_to_no_wrong_no),
		/* fault: two-builds */
		TEST_IN_SCRATCH("files of a different version of the extension are refused and "
				"left unchanged",
			files_of_another_version_are_refused_and_left_as_they_are),
		/* fault: files-deleted */
		TEST_IN_SCRATCH("a reader continues after its files were deleted, and the name can "
				"be used again",
			who_has_deleted_files_mapped_goes_on_and_the_name_is_free),
	};

	return cmocka_run_group_tests_name("neighbour", tests, NULL, NULL);
}

/* Sliding filters with the time as a parameter: how long keys are found, clocks that jump, and
 * one process interrupted by another at each instruction. */
#include "support.h"

#include <signal.h>

#include "filter/measure.h"
#include "kinds/sliding.h"

enum { WINDOW = 1000, HALF = WINDOW / 2, START = 1000000 };

/* A test looks up fewer than LOOKUPS absent keys in slots with fewer than KEYS keys. The slots
 * are so large that a false positive practically never occurs. */
enum { KEYS = 64, LOOKUPS = 2000000 };

static const bloom_live_params usual = {
	.kind = BLOOM_KIND_SLIDING, .capacity_keys = 600, .rate = 1e-6, .window_ms = WINDOW};

/* The time that all processes of a test see. */
static uint64_t *now;

/* The number of times that this process has read the time. */
static uint64_t *looks;

static uint64_t clock_now(void)
{
	if (looks != NULL) {
		bloom_increment(looks);
	}
	return bloom_load_relaxed(now);
}

static void open_scene(live_scene *set, uint64_t seed)
{
	bloom_geometry geometry;

	now = shared_memory(sizeof *now);
	*now = START;
	live_scene_open(set, &usual, seed);
	geometry = bloom_live_geometry(&set->attachment.live->known, 0);
	assert_true(bloom_geometry_rate(&geometry, KEYS) * LOOKUPS < 1e-5);
	/* The filter was created with the real clock, so its turn is set by the test's clock. */
	set->attachment.live->head->turn = (uint64_t)START << 2;
}

static void close_scene(live_scene *set)
{
	bloom_detach(&set->attachment);
	free_shared_memory(now, sizeof *now);
}

static bool add(live_scene *set, const char *family, uint64_t i)
{
	bool is_new = false;

	assert_ok(bloom_sliding_add(set->attachment.live, &set->segment, "seen",
		key_digest(set->seed, family, i), clock_now, &is_new, &error));
	return is_new;
}

/* Adds another key, which ends the turns that are over. */
static void add_other(live_scene *set)
{
	(void)add(set, "other", *now % 8);
}

static bool has(const live_scene *set, const char *family, uint64_t i)
{
	bloom_digest digest = key_digest(set->seed, family, i);

	return bloom_sliding_test(set->attachment.live, digest, clock_now());
}

static uint32_t slot_now(const live_scene *set)
{
	return (uint32_t)(set->attachment.live->head->turn & 3);
}

/* Starts again with an empty filter, in which slot `slot` is current since START. */
static void reset(live_scene *set, uint32_t slot)
{
	uint32_t i;

	for (i = 0; i < BLOOM_SLOTS; i++) {
		bloom_geometry geometry = bloom_live_geometry(&set->attachment.live->known, i);
		unsigned char *bits = bloom_live_bits(set->attachment.live, i);

		memset(bits, 0, bloom_geometry_bytes(&geometry));
		set->attachment.live->head->layer[i].keys = 0;
	}
	set->attachment.live->head->turn = (uint64_t)START << 2 | slot;
	*now = START;
}

/* ---- one clock ---- */

/* Adds a key at `phase` and looks it up every `step`. With an even `phase`, other adds keep ending
 * the turns. */
static void follow_a_key(live_scene *set, uint64_t phase, uint64_t step)
{
	uint64_t added_at;

	reset(set, (uint32_t)(phase % 3));
	*now += phase;
	added_at = *now;
	assert_true(add(set, "key", 1));
	assert_false(add(set, "key", 1));
	for (; *now < added_at + WINDOW + step; *now += step) {
		if (phase % 2 == 0) {
			add_other(set);
		}
		if (*now < added_at + HALF) {
			assert_true(has(set, "key", 1));
		} else if (*now >= added_at + WINDOW) {
			assert_false(has(set, "key", 1));
		}
	}
	assert_false(has(set, "key", 1));
	assert_true(add(set, "key", 1));
}

static void keys_are_found_for_half_a_window_and_gone_after_a_whole(void **state)
{
	static const uint64_t steps[] = {1, 7, 100, HALF - 1, HALF, HALF + 1};
	uint64_t phase;
	live_scene set;
	size_t i;

	(void)state;
	open_scene(&set, test_seed("window"));
	for (i = 0; i < sizeof steps / sizeof *steps; i++) {
		/* Around the change from one half window to the next, each millisecond is
		 * tested. */
		for (phase = 0; phase < 3 * HALF;
			phase += phase % HALF < 2 || phase % HALF > HALF - 3 ? 1 : 83) {
			follow_a_key(&set, phase, steps[i]);
		}
	}
	close_scene(&set);
}

static void keys_are_forgotten_as_by_an_exact_list(void **state)
{
	enum { NUMBERS = 40, STEPS = 30000 };
	uint64_t random = test_seed("sliding differential"), added_at[NUMBERS] = {0}, step, key;
	bool found, was_there;
	live_scene set;

	(void)state;
	assert_true((int)NUMBERS < KEYS && (int)NUMBERS * STEPS < LOOKUPS);
	open_scene(&set, random_next(&random));
	for (step = 0; step < STEPS; step++) {
		*now += random_below(&random, 20) == 0 ? random_below(&random, 3 * WINDOW)
						       : random_below(&random, HALF / 10);
		key = random_below(&random, NUMBERS);
		if (random_below(&random, 4) == 0) {
			was_there = added_at[key] != 0 && *now - added_at[key] < HALF;
			assert_false(add(&set, "key", key) && was_there);
			added_at[key] = *now;
		}
		for (key = 0; key < NUMBERS; key++) {
			was_there = added_at[key] != 0 && *now - added_at[key] < WINDOW;
			found = has(&set, "key", key);
			assert_true(was_there || !found);
			assert_true(found || !was_there || *now - added_at[key] >= HALF);
		}
	}
	close_scene(&set);
}

static void pass_a_silence(live_scene *set, uint64_t phase, uint64_t silence, bool ask_first)
{
	bloom_turn turn;

	reset(set, (uint32_t)(phase % 3));
	(void)add(set, "first", 1);
	*now += phase;
	(void)add(set, "key", 1);
	*now += silence;
	if (ask_first && silence >= WINDOW) {
		assert_false(has(set, "key", 1));
		assert_true(bloom_sliding_turn(set->attachment.live, *now).is_empty);
	}
	(void)add(set, "other", 1);
	assert_true(has(set, "other", 1));
	assert_false(silence >= WINDOW && (has(set, "key", 1) || has(set, "first", 1)));
	turn = bloom_sliding_turn(set->attachment.live, *now);
	assert_false(turn.is_empty);
	assert_in_range(turn.left_ms, 1, HALF);
	/* The filter then continues as usual. */
	*now += HALF - 1;
	assert_true(has(set, "other", 1));
	*now += HALF + 1;
	assert_false(has(set, "other", 1));
}

static void a_silence_forgets_whoever_comes_first(void **state)
{
	static const uint64_t silences[] = {
		HALF, WINDOW, 2 * WINDOW, 1000 * WINDOW, UINT64_C(1000000) * WINDOW};
	uint64_t phase;
	live_scene set;
	size_t i;

	(void)state;
	open_scene(&set, test_seed("silence"));
	for (i = 0; i < sizeof silences / sizeof *silences; i++) {
		for (phase = 0; phase < HALF; phase += 31) {
			pass_a_silence(&set, phase, silences[i], false);
			pass_a_silence(&set, phase, silences[i], true);
		}
	}
	close_scene(&set);
}

static void turns_say_which_slots_are_used_and_for_how_long(void **state)
{
	uint64_t at;
	live_scene set;

	(void)state;
	open_scene(&set, 1);
	for (at = 0; at < 3 * WINDOW; at++) {
		bloom_turn turn = bloom_sliding_turn(set.attachment.live, START + at);

		assert_int_equal(at < HALF ? 0 : 1, turn.current);
		assert_int_equal((turn.current + 1) % 3, turn.next);
		assert_int_equal(at >= WINDOW, turn.is_empty);
		assert_int_equal(at < WINDOW ? HALF - at % HALF : 0, turn.left_ms);
	}
	close_scene(&set);
}

/* ---- clocks that jump ---- */

static void a_clock_set_back_or_forward_loses_no_key_before_its_time(void **state)
{
	static const int64_t jumps[] = {-10 * 3600 * 1000, -START / 2, -2 * WINDOW, -WINDOW,
		-HALF - 1, -HALF, -1, 1, HALF, WINDOW, 3600 * 1000, 10 * 3600 * 1000};
	enum { NOON = 100 * 3600 * 1000 };
	uint64_t phase, added_at;
	size_t i;
	live_scene set;

	(void)state;
	open_scene(&set, test_seed("jumps"));
	for (i = 0; i < sizeof jumps / sizeof *jumps; i++) {
		for (phase = 0; phase < WINDOW; phase += 13) {
			reset(&set, (uint32_t)(phase % 3));
			set.attachment.live->head->turn = (uint64_t)NOON << 2 | phase % 3;
			*now = NOON + phase;
			(void)add(&set, "before", 1);
			*now = (uint64_t)((int64_t)*now + jumps[i]);
			if (jumps[i] < 0) {
				/* A key does not age when the clock is set back. */
				assert_true(has(&set, "before", 1));
			} else if (jumps[i] >= WINDOW) {
				assert_false(has(&set, "before", 1));
			}
			added_at = *now;
			(void)add(&set, "after", 1);
			assert_true(jumps[i] > 0 || has(&set, "before", 1));
			for (; *now < added_at + HALF; *now += 83) {
				assert_true(has(&set, "after", 1));
				add_other(&set);
			}
			/* After the clock was set back, the existing keys stay for one more
			 * turn. */
			*now = added_at + WINDOW + HALF;
			add_other(&set);
			assert_false(has(&set, "before", 1));
			assert_false(has(&set, "after", 1));
		}
	}
	close_scene(&set);
}

static void a_damaged_turn_heals_with_the_next_adds(void **state)
{
	static const uint64_t turns[] = {0, 1, 2, 3, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63,
		(uint64_t)START << 2 | 3, 12345678901234567, (uint64_t)(START + 5 * HALF) << 2 | 3};
	uint64_t added_at;
	size_t i;
	live_scene set;

	(void)state;
	open_scene(&set, test_seed("damaged turn"));
	for (i = 0; i < sizeof turns / sizeof *turns; i++) {
		reset(&set, 0);
		(void)add(&set, "before", 1);
		set.attachment.live->head->turn = turns[i];
		(void)has(&set, "before", 1);
		(void)bloom_sliding_turn(set.attachment.live, *now);
		added_at = *now;
		(void)add(&set, "key", 1);
		for (; *now < added_at + HALF; *now += 50) {
			assert_true(has(&set, "key", 1));
			add_other(&set);
		}
		*now = added_at + 2 * WINDOW;
		add_other(&set);
		assert_false(has(&set, "key", 1));
		assert_false(has(&set, "before", 1));
	}
	close_scene(&set);
}

static void clearing_that_was_not_followed_by_a_turn_is_done_again(void **state)
{
	bloom_geometry geometry;
	unsigned char *bits;
	uint32_t slot, spare;
	size_t share;
	live_scene set;

	(void)state;
	open_scene(&set, test_seed("half cleared"));
	geometry = bloom_live_geometry(&set.attachment.live->known, 0);
	for (slot = 0; slot < BLOOM_SLOTS; slot++) {
		for (share = 0; share <= bloom_geometry_bytes(&geometry); share += 256) {
			reset(&set, slot);
			*now += 10;
			(void)add(&set, "old", 1);
			*now = START + HALF + 10;
			/* One turn later, the spare slot also contains "old". */
			(void)add(&set, "key", 1);
			spare = (slot_now(&set) + 2) % BLOOM_SLOTS;
			bits = bloom_live_bits(set.attachment.live, spare);
			assert_true(bloom_set_bits(bits, bloom_geometry_bytes(&geometry)) > 0);
			/* Simulates a process that cleared a part of the spare slot and died. */
			memset(bits, 0, share);
			assert_true(has(&set, "old", 1) && has(&set, "key", 1));
			*now = START + 2 * HALF + 5;
			assert_true(has(&set, "key", 1));
			(void)add(&set, "next", 1);
			assert_true(has(&set, "key", 1));
			assert_false(has(&set, "old", 1));
			*now = START + 3 * HALF + 5;
			assert_true(has(&set, "next", 1));
			assert_false(has(&set, "key", 1) || has(&set, "old", 1));
			(void)add(&set, "last", 1);
			assert_true(has(&set, "next", 1));
			assert_false(has(&set, "key", 1) || has(&set, "old", 1));
		}
	}
	close_scene(&set);
}

/* ---- clearing that takes long ---- */

/* The filter whose slots take `slot_ms` each to clear, and the number of slots cleared so far. */
static bloom_live *slow;
static uint64_t slot_ms, clearings;

/* A clock that advances by `slot_ms` for each cleared slot. The last byte of a slot shows whether
 * the slot was cleared. No key uses that byte here. */
static uint64_t clock_of_slow_clearing(void)
{
	bloom_geometry geometry = bloom_live_geometry(&slow->known, 0);
	size_t last = bloom_geometry_bytes(&geometry) - 1;
	uint32_t slot;

	for (slot = 0; slot < BLOOM_SLOTS; slot++) {
		if (bloom_live_bits(slow, slot)[last] == 0) {
			bloom_live_bits(slow, slot)[last] = 0xFF;
			*now += slot_ms;
			clearings++;
		}
	}
	assert_true(clearings < 100);
	return clock_now();
}

static void an_add_ends_however_long_clearing_takes(void **state)
{
	static const uint64_t costs[] = {
		1, HALF - 1, HALF, HALF + 1, WINDOW - 1, WINDOW, WINDOW + 1, 20 * WINDOW + 7};
	static const uint64_t silences[] = {
		HALF, HALF + 1, WINDOW - 1, WINDOW, WINDOW + HALF, 10 * WINDOW + 3};
	uint64_t i, j, added_at;
	bool is_new;
	live_scene set;

	(void)state;
	open_scene(&set, test_seed("slow clearing"));
	slow = set.attachment.live;
	for (i = 0; i < sizeof costs / sizeof *costs; i++) {
		for (j = 0; j < sizeof silences / sizeof *silences; j++) {
			reset(&set, (uint32_t)(j % 3));
			slot_ms = 0;
			(void)clock_of_slow_clearing();
			slot_ms = costs[i];
			clearings = 0;
			assert_true(add(&set, "old", 1));
			*now += silences[j];
			assert_ok(bloom_sliding_add(slow, &set.segment, "seen",
				key_digest(set.seed, "key", 1), clock_of_slow_clearing, &is_new,
				&error));
			assert_true(is_new);
			assert_in_range(clearings, 1, 2);
			added_at = *now;
			assert_int_equal(added_at < START + WINDOW, has(&set, "old", 1));
			for (; *now < added_at + HALF; *now += 50) {
				assert_true(has(&set, "key", 1));
			}
			*now = added_at + WINDOW;
			assert_false(has(&set, "key", 1) || has(&set, "old", 1));
		}
	}
	close_scene(&set);
}

/* ---- interrupted at each instruction ---- */

typedef struct interrupted {
	live_scene *set;
	uint64_t *result;
	uint64_t *looks;
	uint64_t reader_now;
} interrupted;

static int look_traced(void *context)
{
	interrupted *work = context;
	bloom_digest digest = key_digest(work->set->seed, "key", 1);
	bool found;

	traced_begin();
	found = bloom_sliding_test(work->set->attachment.live, digest, work->reader_now);
	traced_end();
	*work->result = found;
	return 0;
}

/* Half windows pass, and the key is added again in each one, so it must always be found. */
static void let_turns_pass(live_scene *set, unsigned turns)
{
	for (; turns > 0; turns--) {
		*now += HALF - 10;
		(void)add(set, "key", 1);
		*now += 20;
		add_other(set);
		assert_true(has(set, "key", 1));
	}
}

/* Returns the number of instructions of the body. */
static unsigned length_of(child_body body, interrupted *work)
{
	pid_t child = start_traced(body, work);
	unsigned steps = 1;

	while (step_traced(child, 1)) {
		steps++;
	}
	assert_int_equal(0, finish_traced(child));
	return steps;
}

static void a_lookup_interrupted_by_turns_never_says_no_wrongly(void **state)
{
	uint64_t random = test_seed("interrupted lookups");
	interrupted work;
	unsigned length, turns, first, second, runs = 0;
	uint64_t *result;
	live_scene set;

	(void)state;
	open_scene(&set, random_next(&random));
	result = shared_memory(sizeof *result);
	work = (interrupted){.set = &set, .result = result};
	(void)add(&set, "key", 1);
	work.reader_now = *now;
	length = length_of(look_traced, &work);
	/* Interrupts once at each instruction, and for a sample a second time at a later one. */
	for (turns = 1; turns <= 4; turns++) {
		for (first = 1; first < length; first += SANITIZED ? 13 : turns) {
			uint32_t slot = (uint32_t)random_below(&random, 3);
			pid_t child;

			reset(&set, slot);
			*now += random_below(&random, HALF);
			(void)add(&set, "key", 1);
			/* The turn may also be over, because nothing was added since. */
			*now += random_below(&random, HALF);
			work.reader_now = *now;
			child = start_traced(look_traced, &work);
			if (step_traced(child, first)) {
				let_turns_pass(&set, turns);
				second = (unsigned)random_below(&random, length);
				if (step_traced(child, second + 1)) {
					let_turns_pass(&set, 1 + second % 3);
				}
			}
			*result = 99;
			assert_int_equal(0, finish_traced(child));
			assert_int_equal(1, *result);
			runs++;
		}
	}
	printf("# %u instructions, %u runs\n", length, runs);
	free_shared_memory(result, sizeof *result);
	close_scene(&set);
}

static int add_traced(void *context)
{
	interrupted *work = context;
	bloom_digest digest = key_digest(work->set->seed, "key", 1);
	bool is_new = false;
	bloom_status status;
	int file;

	looks = work->looks;
	/* A child opens the file itself before its first lock, so this happens before the
	 * tracing. */
	if (bloom_filelock_take(&work->set->attachment.live->lock, &work->set->segment, "seen", 63,
		    1000, &file, NULL) == BLOOM_OK) {
		bloom_filelock_release(file, 63);
	}
	traced_begin();
	status = bloom_sliding_add(work->set->attachment.live, &work->set->segment, "seen", digest,
		clock_now, &is_new, &error);
	traced_end();
	*work->result = is_new;
	return status == BLOOM_OK ? 0 : 1;
}

/* Returns whether the key is in both slots that adds use now. */
static bool is_added(const live_scene *set)
{
	bloom_digest digest = key_digest(set->seed, "key", 1);
	uint32_t slot = slot_now(set);

	return bloom_view_test(&set->attachment.live->view[slot], digest) &&
		bloom_view_test(&set->attachment.live->view[(slot + 1) % BLOOM_SLOTS], digest);
}

/* Stops an add after `steps` instructions while half windows pass. Unless `silent` is set, other
 * processes end these turns. */
static void interrupt_an_add(
	live_scene *set, interrupted *work, unsigned steps, unsigned halves, bool silent)
{
	uint64_t added_at, looks_before;
	pid_t child;

	*work->looks = 0;
	child = start_traced(add_traced, work);
	(void)step_traced(child, steps);
	/* If the add had set all its bits and read the clock for the last time, the key counts as
	 * added at that time. Otherwise the key is not yet added. */
	added_at = is_added(set) ? *now : 0;
	looks_before = *work->looks;
	for (; halves > 0; halves--) {
		*now += HALF - 3;
		if (!silent) {
			add_other(set);
		}
	}
	assert_int_equal(0, finish_traced(child));
	assert_int_equal(1, *work->result);
	if (added_at == 0 || *work->looks > looks_before) {
		added_at = *now;
	}
	for (; *now < added_at + HALF; *now += 103) {
		assert_true(has(set, "key", 1));
		add_other(set);
	}
}

static void a_key_whose_add_was_interrupted_by_turns_stays_for_half_a_window(void **state)
{
	uint64_t random = test_seed("interrupted adds");
	unsigned length, runs, runs_most = SANITIZED ? 80 : 400;
	interrupted work;
	uint64_t *result;
	live_scene set;

	(void)state;
	open_scene(&set, random_next(&random));
	result = shared_memory(2 * sizeof *result);
	work = (interrupted){.set = &set, .result = result, .looks = result + 1};
	length = length_of(add_traced, &work);
	for (runs = 0; runs < runs_most; runs++) {
		reset(&set, (uint32_t)random_below(&random, 3));
		*now += random_below(&random, HALF);
		interrupt_an_add(&set, &work, 1 + (unsigned)random_below(&random, length),
			1 + runs % 4, runs / 4 % 2 == 0);
	}
	printf("# %u instructions, %u runs\n", length, runs);
	free_shared_memory(result, 2 * sizeof *result);
	close_scene(&set);
}

/* "old" was added at the start of a turn and "fresh" at its end. Since then `halves` half
 * windows have passed. */
static void assert_forgotten_after(const live_scene *set, unsigned halves)
{
	if (halves == 1) {
		assert_true(has(set, "fresh", 1));
	} else {
		assert_false(has(set, "old", 1));
		assert_false(halves > 2 && has(set, "fresh", 1));
	}
}

/* Stops a process after `steps` instructions of ending turns. Lookups continue. After the process
 * was killed, the next add continues without waiting. */
static void interrupt_a_turn_s_end(
	live_scene *set, interrupted *work, uint32_t slot, unsigned halves, unsigned steps)
{
	pid_t child;

	reset(set, slot);
	(void)add(set, "old", 1);
	*now = START + HALF - 1;
	(void)add(set, "fresh", 1);
	*now = START + HALF * halves;
	child = start_traced(add_traced, work);
	(void)step_traced(child, steps);
	assert_forgotten_after(set, halves);
	kill_traced(child);
	assert_forgotten_after(set, halves);
	set->segment.lock_timeout_ms = 0;
	(void)add(set, "next", 1);
	set->segment.lock_timeout_ms = 60000;
	assert_forgotten_after(set, halves);
	assert_true(has(set, "next", 1));
	*now += HALF - 1;
	assert_true(has(set, "next", 1));
	*now += HALF + 1;
	assert_false(has(set, "next", 1) || has(set, "old", 1) || has(set, "fresh", 1));
}

static void a_turn_s_end_interrupted_at_any_instruction_harms_nobody(void **state)
{
	uint64_t random = test_seed("interrupted turns");
	unsigned length, runs, halves;
	interrupted work;
	uint64_t *result;
	live_scene set;

	(void)state;
	open_scene(&set, random_next(&random));
	result = shared_memory(sizeof *result);
	work = (interrupted){.set = &set, .result = result};
	for (halves = 1; halves <= 3; halves++) {
		reset(&set, 0);
		*now = START + halves * HALF;
		length = length_of(add_traced, &work);
		for (runs = 0; runs < (SANITIZED ? 15 : 40); runs++) {
			interrupt_a_turn_s_end(&set, &work, (uint32_t)random_below(&random, 3),
				halves, 1 + (unsigned)random_below(&random, length));
		}
		printf("# %u half windows: %u instructions, %u runs\n", halves, length, runs);
	}
	free_shared_memory(result, sizeof *result);
	close_scene(&set);
}

/* ---- many processes, with a clock that runs fast ---- */

enum { RACERS = 3, ROUNDS = 20000 };

typedef struct race {
	live_scene *set;
	int number;
} race;

/* Each process adds its own keys, and must find them for half a window of the common clock. That
 * time counts from before the add, because other processes move the clock during the add. */
static int run_race(void *context)
{
	static const char *const families[RACERS] = {"a", "b", "c"};
	race *work = context;
	bloom_live *live = work->set->attachment.live;
	uint64_t i, added_at;
	bool is_new;

	for (i = 0; i < ROUNDS; i++) {
		bloom_digest digest = key_digest(work->set->seed, families[work->number], i % 7);

		added_at = clock_now();
		if (bloom_sliding_add(live, &work->set->segment, "seen", digest, clock_now, &is_new,
			    &error) != BLOOM_OK) {
			return 2;
		}
		do {
			bool found = bloom_sliding_test(live, digest, clock_now());

			/* If the key expires during a lookup, either answer is right. */
			if (!found && clock_now() < added_at + HALF) {
				return 1;
			}
			(void)bloom_add(now, 1 + i % 40);
		} while (clock_now() < added_at + HALF && i % 50 == 0);
	}
	return 0;
}

static void many_processes_find_their_keys_while_turns_pass(void **state)
{
	pid_t child[RACERS];
	race work;
	live_scene set;
	int i;

	(void)state;
	open_scene(&set, test_seed("race"));
	work.set = &set;
	for (i = 0; i < RACERS; i++) {
		work.number = i;
		child[i] = start_child(run_race, &work);
	}
	for (i = 0; i < RACERS; i++) {
		assert_int_equal(0, wait_child(child[i]));
	}
	printf("# %llu half windows\n", (unsigned long long)((*now - START) / HALF));
	assert_true(*now - START > 100 * WINDOW);
	close_scene(&set);
}

static int hold_the_lock(void *context)
{
	live_scene *set = context;
	int file;

	if (bloom_filelock_take(&set->attachment.live->lock, &set->segment, "seen", 0, 1000, &file,
		    &error) != BLOOM_OK) {
		return 1;
	}
	traced_begin();
	return 0;
}

static void a_stopped_rotator_stops_only_adds_and_only_when_a_turn_is_over(void **state)
{
	bool is_new = false;
	pid_t child;
	live_scene set;

	(void)state;
	open_scene(&set, test_seed("stopped"));
	(void)add(&set, "key", 1);
	child = start_traced(hold_the_lock, &set);
	set.segment.lock_timeout_ms = 20;
	*now += HALF - 1;
	(void)add(&set, "fresh", 1); /* takes no lock */
	*now += 1;
	assert_status(BLOOM_E_BUSY,
		bloom_sliding_add(set.attachment.live, &set.segment, "seen",
			key_digest(set.seed, "late", 1), clock_now, &is_new, &error));
	assert_false(has(&set, "late", 1));
	assert_true(has(&set, "fresh", 1));
	kill_traced(child);
	(void)add(&set, "late", 1);
	assert_true(has(&set, "late", 1) && has(&set, "fresh", 1));
	close_scene(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH("a sliding filter finds a key for half a window and forgets it "
				"after a whole window",
			keys_are_found_for_half_a_window_and_gone_after_a_whole),
		TEST_IN_SCRATCH("the keys that a sliding filter forgets agree with an exact list",
			keys_are_forgotten_as_by_an_exact_list),
		/* fault: wall-clock */
		TEST_IN_SCRATCH("after a long time without adds, keys are forgotten, no matter "
				"which call comes first",
			a_silence_forgets_whoever_comes_first),
		TEST_IN_SCRATCH("turns determine which slots are used and for how long",
			turns_say_which_slots_are_used_and_for_how_long),
		/* fault: wall-clock */
		TEST_IN_SCRATCH("no key is lost too early if the clock is set back or forward",
			a_clock_set_back_or_forward_loses_no_key_before_its_time),
		/* fault: live-damaged */
		TEST_IN_SCRATCH("the next adds repair a damaged turn word",
			a_damaged_turn_heals_with_the_next_adds),
		TEST_IN_SCRATCH(
			"if a process dies while it clears a slot, the slot is cleared again",
			clearing_that_was_not_followed_by_a_turn_is_done_again),
		/* fault: slow-rotation */
		TEST_IN_SCRATCH("an add returns no matter how long it takes to clear a slot",
			an_add_ends_however_long_clearing_takes),
		TEST_IN_SCRATCH("a lookup interrupted by turns never answers a wrong 'no'",
			a_lookup_interrupted_by_turns_never_says_no_wrongly),
		TEST_IN_SCRATCH(
			"a key whose add was interrupted by turns is found for half a window",
			a_key_whose_add_was_interrupted_by_turns_stays_for_half_a_window),
		/* fault: killed-anywhere */
		TEST_IN_SCRATCH(
			"a process interrupted at any instruction of ending a turn harms no "
			"other process",
			a_turn_s_end_interrupted_at_any_instruction_harms_nobody),
		TEST_IN_SCRATCH("many processes find their keys while others end turns",
			many_processes_find_their_keys_while_turns_pass),
		/* fault: lock-held */
		TEST_IN_SCRATCH("a process stopped during rotation blocks only adds, and only when "
				"a turn is over",
			a_stopped_rotator_stops_only_adds_and_only_when_a_turn_is_over),
	};

	return cmocka_run_group_tests_name("sliding", tests, NULL, NULL);
}

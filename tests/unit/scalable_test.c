/* Scalable filters: layers have the sizes of the formulas, the rate holds for all layers
 * together, and growth survives kills and refusals. */
#include "support.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kinds/scalable.h"
#include "segment/drop.h"

static const bloom_live_params usual = {.kind = BLOOM_KIND_SCALABLE,
	.capacity_keys = 500,
	.rate = 0.01,
	.growth = 2,
	.tightening = 0.8};

static void add_many(live_scene *set, const char *family, uint64_t first, uint64_t end)
{
	for (; first < end; first++) {
		(void)live_scene_add(set, family, first);
	}
}

static bool has(live_scene *set, const char *family, uint64_t i)
{
	return bloom_scalable_test(set->attachment.live, key_digest(set->seed, family, i));
}

static void assert_has_all(live_scene *set, const char *family, uint64_t end)
{
	uint64_t i;

	for (i = 0; i < end; i++) {
		assert_true(has(set, family, i));
	}
}

/* Returns the filter's head, which growth may move. */
static bloom_live_head *head_of(const live_scene *set)
{
	return live_head(set->attachment.live);
}

static uint64_t layers_of(const live_scene *set)
{
	return head_of(set)->layers;
}

/* ---- the formulas ---- */

enum { FORMULA_KEYS = 20000 };

/* With a single process, each layer receives exactly as many keys as its capacity. */
static void assert_layers_follow_the_formulas(
	const live_scene *set, const bloom_live_params *params)
{
	double capacity = (double)params->capacity_keys;
	double rate = params->rate * (1 - params->tightening);
	double rates = 0, digests = 0, keys = 0;
	uint64_t i;

	for (i = 0; i < layers_of(set); i++) {
		const bloom_layer *layer = &head_of(set)->layer[i];
		bloom_geometry geometry = bloom_live_geometry(head_of(set), (uint32_t)i);
		double least = i == 0 ? rate : fmax(rate, 2 * bloom_rate_floor((uint64_t)capacity));

		assert_true((double)layer->capacity_keys == capacity);
		assert_int_equal(layer->rate > BLOOM_LOW_RATE ? 64 : 256, layer->block_bytes);
		assert_true(fabs(layer->rate - least) <= 1e-12 * least);
		assert_true(bloom_geometry_rate(&geometry, layer->capacity_keys) <= layer->rate);
		digests += 2 * bloom_rate_floor((uint64_t)capacity);
		assert_true(i + 1 == layers_of(set) ? layer->keys <= layer->capacity_keys
						    : layer->keys == layer->capacity_keys);
		capacity = ceil(capacity * params->growth);
		rate *= params->tightening;
		rates += least;
		keys += (double)layer->keys;
	}
	/* The rates of the layers add up to the filter's rate, whatever the rate is. Equal digests
	 * cannot be avoided, but they matter only if the filter has very many keys. */
	assert_true(rates <= params->rate * (1 + 1e-12) + digests);
	/* A key whose bits were all set already counts in no layer. */
	assert_true(keys <= FORMULA_KEYS);
	assert_true(
		keys >= FORMULA_KEYS * (1 - params->rate) - 4 * sqrt(FORMULA_KEYS * params->rate));
}

static void layers_have_the_capacities_and_rates_of_the_formulas(void **state)
{
	static const double growths[] = {1.1, 2, 3.7, 16}, tightenings[] = {0.1, 0.5, 0.8, 0.99};
	bloom_live_params params = usual;
	uint64_t seed = test_seed("formulas");
	bool existed;
	live_scene set;
	size_t i;

	(void)state;
	for (i = 0; i < 32; i++) {
		params.rate = i < 16 ? usual.rate : BLOOM_RATE_MIN;
		params.growth = growths[i / 4 % 4];
		params.tightening = tightenings[i % 4];
		live_scene_open(&set, &params, seed + i);
		add_many(&set, "key", 0, FORMULA_KEYS);
		assert_true(layers_of(&set) >= 3);
		assert_layers_follow_the_formulas(&set, &params);
		assert_has_all(&set, "key", FORMULA_KEYS);
		assert_int_equal(0, head_of(&set)->growth_failures);
		bloom_detach(&set.attachment);
		assert_ok(bloom_segment_drop(&set.segment, "seen", &existed, &error));
	}
}

static void the_rate_is_kept_from_the_first_to_the_thousandth_capacity(void **state)
{
	enum { ASKED = 20000 };
	uint64_t keys = 0, times, i, wrong;
	live_scene set;

	(void)state;
	live_scene_open(&set, &usual, test_seed("rate"));
	for (times = 1; times <= 1024; times *= 2) {
		for (; keys < times * usual.capacity_keys; keys++) {
			(void)live_scene_add(&set, "key", keys);
		}
		for (i = wrong = 0; i < ASKED; i++) {
			wrong += has(&set, "absent", i);
		}
		if ((double)wrong > ASKED * usual.rate + 4 * sqrt(ASKED * usual.rate)) {
			fail_msg("%llu keys: %llu of %d wrong", (unsigned long long)keys,
				(unsigned long long)wrong, ASKED);
		}
	}
	assert_has_all(&set, "key", keys);
	assert_in_range(layers_of(&set), 10, 11);
	bloom_detach(&set.attachment);
}

static void there_are_64_layers_and_then_the_last_takes_more(void **state)
{
	bloom_live_params params = {.kind = BLOOM_KIND_SCALABLE,
		.capacity_keys = 1,
		.rate = 0.5,
		.growth = 1.1,
		.tightening = 0.9};
	uint64_t keys = 0, later;
	live_scene set;

	(void)state;
	live_scene_open(&set, &params, test_seed("64"));
	while (layers_of(&set) < BLOOM_LAYERS_MAX) {
		(void)live_scene_add(&set, "key", keys++);
		assert_true(keys < 100000);
	}
	later = keys + 20000;
	add_many(&set, "key", keys, later);
	assert_int_equal(BLOOM_LAYERS_MAX, layers_of(&set));
	assert_has_all(&set, "key", later);
	assert_true(head_of(&set)->growth_failures > 0);
	bloom_detach(&set.attachment);
	attach_to(&set.segment, "seen", &set.attachment);
	assert_has_all(&set, "key", later);
	bloom_detach(&set.attachment);
}

static void a_reader_mapped_before_growth_sees_later_keys(void **state)
{
	live_scene set, reader;
	uint64_t i;

	(void)state;
	live_scene_open(&set, &usual, test_seed("reader"));
	reader = set;
	attach_to(&set.segment, "seen", &reader.attachment);
	for (i = 0; i < 10000; i++) {
		(void)live_scene_add(&set, "key", i);
		assert_true(has(&reader, "key", i));
	}
	assert_int_equal(layers_of(&set), reader.attachment.live->layers);
	assert_true(layers_of(&set) > 3);
	/* The reader can also add keys after another process grew the filter. */
	assert_false(live_scene_add(&reader, "key", 1));
	assert_true(live_scene_add(&reader, "own", 1) && has(&set, "own", 1));
	bloom_detach(&reader.attachment);
	bloom_detach(&set.attachment);
	assert_int_equal(0, count_maps());
}

/* ---- death ---- */

static void growth_killed_before_its_last_store_is_done_anew(void **state)
{
	uint64_t layers, bytes, keys = 0;
	struct stat found;
	const char *path;
	int file, round;
	live_scene set;

	(void)state;
	live_scene_open(&set, &usual, test_seed("killed growth"));
	path = in_segment(&set.segment, "seen/0000000000000001.bloom");
	for (round = 0; round < 5; round++) {
		layers = layers_of(&set);
		bytes = head_of(&set)->layer[layers - 1].capacity_keys * 4 / 4096 * 4096 + 4096;
		/* Simulates a process that was killed after it had allocated some, all or too
		 * much of the space and written an invalid row. */
		file = open(path, O_RDWR | O_CLOEXEC);
		assert_int_equal(0, fstat(file, &found));
		assert_int_equal(0, posix_fallocate(file, found.st_size, (off_t)(bytes << round)));
		close(file);
		memset(&head_of(&set)->layer[layers], 0xA5, sizeof(bloom_layer));
		/* A process that attaches now maps the whole file, and sees no more layers than
		 * before. */
		bloom_detach(&set.attachment);
		attach_to(&set.segment, "seen", &set.attachment);
		assert_int_equal(layers, set.attachment.live->layers);
		while (layers_of(&set) == layers) {
			(void)live_scene_add(&set, "key", keys++);
			assert_true(keys < 1000000);
		}
		assert_int_equal(layers + 1, layers_of(&set));
		assert_has_all(&set, "key", keys);
	}
	assert_int_equal(0, head_of(&set)->growth_failures);
	bloom_detach(&set.attachment);
}

/* ---- no space ---- */

/* Makes the pause after failed growth last for hours, or ends it. Otherwise growth is retried after
 * at least a second, or after ten times as long as the attempt took. */
static void set_pause(live_scene *set, bool lasts)
{
	enum { HOUR_MS = 3600 * 1000 };

	assert_true(head_of(set)->growth_retry_ms > 0);
	set->segment.lock_timeout_ms = HOUR_MS;
	head_of(set)->growth_retry_ms = lasts ? bloom_monotonic_ms() + 9 * HOUR_MS : 1;
}

static void growth_that_failed_is_tried_again_after_a_pause_and_not_before(void **state)
{
	uint64_t keys = 0, before;
	live_scene set;

	(void)state;
	live_scene_open(&set, &usual, test_seed("pause"));
	while (head_of(&set)->layer[0].keys < usual.capacity_keys) {
		(void)live_scene_add(&set, "key", keys++);
	}
	assert_int_equal(0, head_of(&set)->growth_retry_ms);
	set.segment.memory_limit_bytes = 4096;
	before = bloom_monotonic_ms();
	(void)live_scene_add(&set, "key", keys++);
	assert_int_equal(1, head_of(&set)->growth_failures);
	assert_true(head_of(&set)->growth_retry_ms >= before + 1000);
	set_pause(&set, true);
	add_many(&set, "key", keys, keys + 1000);
	assert_int_equal(1, head_of(&set)->growth_failures);
	set_pause(&set, false);
	(void)live_scene_add(&set, "key", 0); /* adding an existing key also tries to grow */
	assert_int_equal(2, head_of(&set)->growth_failures);
	assert_true(head_of(&set)->growth_retry_ms >= before + 1000);
	set.segment.memory_limit_bytes = 0;
	set_pause(&set, true);
	(void)live_scene_add(&set, "key", 0);
	assert_int_equal(1, head_of(&set)->layers);
	set_pause(&set, false);
	(void)live_scene_add(&set, "key", 0);
	assert_int_equal(2, head_of(&set)->layers);
	assert_int_equal(2, head_of(&set)->growth_failures);
	assert_has_all(&set, "key", keys + 1000);
	bloom_detach(&set.attachment);
}

static void growth_beyond_the_memory_limit_fails_and_keys_are_taken(void **state)
{
	uint64_t layers;
	live_scene set;

	(void)state;
	live_scene_open(&set, &usual, test_seed("limit"));
	add_many(&set, "key", 0, 500);
	layers = layers_of(&set);
	set.segment.memory_limit_bytes = 4096;
	add_many(&set, "key", 0, 3000);
	assert_int_equal(layers, layers_of(&set));
	assert_true(head_of(&set)->growth_failures > 0);
	assert_has_all(&set, "key", 3000);
	/* Once space is available, the filter grows again. */
	set.segment.memory_limit_bytes = 0;
	set_pause(&set, false);
	add_many(&set, "key", 3000, 6000);
	assert_true(layers_of(&set) > layers);
	assert_has_all(&set, "key", 6000);
	bloom_detach(&set.attachment);
}

static int add_under_a_file_size_limit(void *context)
{
	live_scene *set = context;
	uint64_t layers = layers_of(set);
	struct rlimit limit = {
		.rlim_cur = set->attachment.live->map_bytes, .rlim_max = RLIM_INFINITY};

	signal(SIGXFSZ, SIG_DFL);
	if (setrlimit(RLIMIT_FSIZE, &limit) != 0) {
		return 1;
	}
	add_many(set, "key", 0, 3000);
	assert_has_all(set, "key", 3000);
	return layers_of(set) == layers && head_of(set)->growth_failures > 0 ? 0 : 2;
}

static void growth_beyond_the_file_size_limit_is_no_signal(void **state)
{
	live_scene set;

	(void)state;
	live_scene_open(&set, &usual, test_seed("file size"));
	assert_int_equal(0, run_child(add_under_a_file_size_limit, &set));
	/* The limit applies only to the child, so other processes grow the filter after the
	 * pause. */
	set_pause(&set, false);
	add_many(&set, "more", 0, 3000);
	assert_true(layers_of(&set) > 1);
	assert_has_all(&set, "key", 3000);
	bloom_detach(&set.attachment);
}

static void growth_on_a_full_file_system_is_no_signal(void **state)
{
	uint64_t layers;
	live_scene set;

	(void)state;
	mount_small_file_system(256);
	live_scene_open(&set, &usual, test_seed("full"));
	layers = layers_of(&set);
	fill_file_system(&set.segment, 0);
	add_many(&set, "key", 0, 3000);
	assert_int_equal(layers, layers_of(&set));
	assert_has_all(&set, "key", 3000);
	unfill_file_system(&set.segment);
	set_pause(&set, false);
	add_many(&set, "key", 3000, 6000);
	assert_true(layers_of(&set) > layers);
	assert_has_all(&set, "key", 6000);
	bloom_detach(&set.attachment);
}

/* ---- layers that cannot be mapped ---- */

enum { NO_SUCH_LIMIT = 77 };

static int use_without_address_space(void *context)
{
	live_scene *set = context;
	struct rlimit limit = {0};
	bool is_new = false;
	uint64_t i;

	if (setrlimit(RLIMIT_AS, &limit) != 0) {
		return 1;
	}
	/* qemu accepts the limit, but does not enforce it. */
	if (mmap(NULL, 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) {
		return NO_SUCH_LIMIT;
	}
	for (i = 0; i < 20; i++) {
		bloom_digest digest = key_digest(set->seed, "absent", i);

		/* "Maybe", because the key could be in the layers that the process cannot map. */
		if (!has(set, "absent", i) ||
			bloom_scalable_add(set->attachment.live, &set->segment, "seen", digest,
				&is_new, &error) != BLOOM_E_MEMORY) {
			return 2;
		}
	}
	return 0;
}

static void a_layer_that_cannot_be_mapped_makes_answers_maybe_and_adds_fail(void **state)
{
	live_scene set, other;
	int said;

	(void)state;
	if (SANITIZED) {
		skip_because("the sanitizer itself needs address space, which the test forbids");
	}
	live_scene_open(&set, &usual, test_seed("unmapped"));
	other = set;
	attach_to(&set.segment, "seen", &other.attachment);
	add_many(&other, "key", 0, 5000);
	said = run_child(use_without_address_space, &set);
	if (said == NO_SUCH_LIMIT) {
		skip_because("address space is not limited here");
	}
	assert_int_equal(0, said);
	assert_has_all(&set, "key", 5000);
	bloom_detach(&other.attachment);
	bloom_detach(&set.attachment);
}

static void a_damaged_row_is_not_followed(void **state)
{
	bloom_layer good;
	uint64_t i;
	live_scene set, other;

	(void)state;
	live_scene_open(&set, &usual, test_seed("damaged row"));
	other = set;
	attach_to(&set.segment, "seen", &other.attachment);
	add_many(&set, "key", 0, 600);
	assert_int_equal(2, layers_of(&set));
	good = head_of(&set)->layer[1];
	head_of(&set)->layer[1].offset += 4096;
	assert_true(has(&other, "absent", 1)); /* the damaged layer could have the key */
	head_of(&set)->layer[1] = good;
	head_of(&set)->layer[1].shards = 0;
	assert_true(has(&other, "absent", 1));
	head_of(&set)->layer[1] = good;
	set.attachment.live->head->layers = 65;
	assert_true(has(&other, "absent", 1));
	set.attachment.live->head->layers = 2;
	for (i = 0; i < 600; i++) {
		assert_true(has(&other, "key", i));
	}
	bloom_detach(&other.attachment);
	bloom_detach(&set.attachment);
}

/* Occupies the page after a mapping, so that the mapping must move in order to grow. */
static void block_growth_in_place(const bloom_live *live, void **blocked)
{
	uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t mapped_bytes = (live->map_bytes + page_bytes - 1) / page_bytes * page_bytes;

	/* Without MAP_FIXED: if the address is in use, the mapping cannot grow there either. */
	*blocked = mmap((unsigned char *)live->head + mapped_bytes, (size_t)page_bytes, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(*blocked != MAP_FAILED);
}

static void layers_stay_readable_when_a_promised_layer_is_missing(void **state)
{
	bloom_live_head *head;
	bloom_geometry geometry;
	live_scene set;
	bloom_live *live;
	const bloom_live_page *before;
	void *blocked;
	uint64_t end;

	(void)state;
	needs_posix("a mapping never grows in place here");
	live_scene_open(&set, &usual, test_seed("missing layer"));
	add_many(&set, "key", 0, 400);
	live = set.attachment.live;
	head = head_of(&set);
	geometry = bloom_live_geometry(head, 0);
	end = head->layer[0].offset + bloom_live_layer_bytes(BLOOM_KIND_SCALABLE, &geometry);
	bloom_live_layer_write(&head->layer[1], &geometry, end, 1000, 0.01);
	block_growth_in_place(live, &blocked);
	before = live->head;
	live->head->layers = 2;
	assert_true(has(&set, "absent", 1)); /* the missing layer could have the key */
	assert_true(live->head != before);
	live->head->layers = 1;
	assert_has_all(&set, "key", 400);
	assert_int_equal(0, munmap(blocked, (size_t)sysconf(_SC_PAGESIZE)));
	bloom_detach(&set.attachment);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH(
			"layers have the capacities and rates that the growth formulas give",
			layers_have_the_capacities_and_rates_of_the_formulas),
		TEST_IN_SCRATCH(
			"a scalable filter keeps its rate up to a thousand times its capacity",
			the_rate_is_kept_from_the_first_to_the_thousandth_capacity),
		TEST_IN_SCRATCH("after 64 layers the filter stops growing, and the last layer "
				"receives all later keys",
			there_are_64_layers_and_then_the_last_takes_more),
		TEST_IN_SCRATCH(
			"a reader that mapped the filter before growth finds keys added later",
			a_reader_mapped_before_growth_sees_later_keys),
		TEST_IN_SCRATCH(
			"growth is repeated if the process was killed before its last store",
			growth_killed_before_its_last_store_is_done_anew),
		TEST_IN_SCRATCH("failed growth is retried after a pause, and not before",
			growth_that_failed_is_tried_again_after_a_pause_and_not_before),
		TEST_IN_SCRATCH("growth beyond the memory limit fails, and keys are still added",
			growth_beyond_the_memory_limit_fails_and_keys_are_taken),
		/* fault: process-limit */
		TEST_IN_SCRATCH("growth beyond the process's file size limit causes no signal",
			growth_beyond_the_file_size_limit_is_no_signal),
		TEST_IN_SMALL_FILE_SYSTEM("growth on a full file system causes no signal",
			growth_on_a_full_file_system_is_no_signal),
		TEST_IN_SCRATCH("if a layer cannot be mapped, lookups answer 'maybe' and adds fail",
			a_layer_that_cannot_be_mapped_makes_answers_maybe_and_adds_fail),
		/* fault: live-damaged */
		TEST_IN_SCRATCH("a damaged layer row is not used", a_damaged_row_is_not_followed),
		/* fault: live-damaged */
		TEST_IN_SCRATCH(
			"existing layers stay readable if the head names a layer that is missing",
			layers_stay_readable_when_a_promised_layer_is_missing),
	};

	return cmocka_run_group_tests_name("scalable", tests, private_mounts, NULL);
}

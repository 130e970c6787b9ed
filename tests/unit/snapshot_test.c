/* Tests of snapshots: what a save contains while other processes add, what a restore accepts, and
 * that a process may be killed at any system call of either. kill_test.c and failing_test.c also
 * run restores. */
#include "kinds.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kinds/counting.h"
#include "kinds/create.h"
#include "kinds/sliding.h"
#include "kinds/snapshot.h"
#include "segment/drop.h"

static const char *file_path(const char *name)
{
	static char path[2][BLOOM_PATH_BYTES_MAX];
	static unsigned turn;

	turn ^= 1;
	(void)snprintf(path[turn], sizeof path[turn], "%.3000s/%s", scratch_path(), name);
	return path[turn];
}

static test_blob read_file(const char *path)
{
	test_blob file = {0};
	struct stat found;
	int handle = open(path, O_RDONLY | O_CLOEXEC);

	assert_true(handle >= 0);
	assert_int_equal(0, fstat(handle, &found));
	file.count = (size_t)found.st_size;
	file.bytes = malloc(file.count);
	assert_non_null(file.bytes);
	assert_int_equal(file.count, read(handle, file.bytes, file.count));
	(void)close(handle);
	return file;
}

static bloom_status save(const bloom_segment *segment)
{
	return bloom_save_file(segment, "tags", file_path("saved"), &error);
}

static bloom_status restore(const bloom_segment *segment, const char *name)
{
	return bloom_restore_file(segment, name, BLOOM_KINDS_ANY, file_path("saved"), &error);
}

/* Restores a filter from bytes. */
static bloom_status restore_bytes(const bloom_segment *segment, const char *name, test_blob file)
{
	write_file(file_path("changed"), file.bytes, file.count, 0600);
	return bloom_restore_file(segment, name, BLOOM_KINDS_ANY, file_path("changed"), &error);
}

static void drop(const bloom_segment *segment, const char *name)
{
	bool existed;

	assert_ok(bloom_segment_drop(segment, name, &existed, &error));
}

enum { HEAD_BYTES = sizeof(bloom_snapshot) };

/* Calculates the checksum of the head again. */
static void mend(test_blob file)
{
	assert_true(file.count >= HEAD_BYTES);
	bloom_snapshot_seal((bloom_snapshot *)(void *)file.bytes);
}

static uint32_t times(bloom_attachment *filter, const char *family, uint64_t i)
{
	uint32_t count = 0;

	assert_ok(bloom_counting_count(filter->live, filter->segment, filter->name,
		key_digest(filter->live->known.seed, family, i), &count, &error));
	return count;
}

/* ---- what comes back ---- */

/* Asserts that two filters have the same parameters, layers, key counts and answers. */
static void assert_same(bloom_attachment *one, bloom_attachment *other)
{
	bloom_layer_range range = bloom_live_answering(one->live);
	uint32_t i;
	uint64_t key;

	assert_int_equal(one->ops->kind, other->ops->kind);
	assert_memory_equal(
		&one->live->known.params, &other->live->known.params, sizeof(bloom_live_params));
	assert_int_equal(one->live->known.seed, other->live->known.seed);
	assert_int_equal(one->live->known.created_ms, other->live->known.created_ms);
	assert_int_equal(one->live->layers, other->live->layers);
	for (i = 0; i < range.count; i++) {
		assert_int_equal(one->live->head->layer[range.first + i].keys,
			other->live->head->layer[range.first + i].keys);
	}
	for (key = 0; key < 3000; key++) {
		assert_true(has_key(one, key) == has_key(other, key));
	}
}

static void every_kind_comes_back_as_it_was(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment filter, again;
	bool existed;
	int kind;
	uint64_t i;

	(void)state;
	for (kind = BLOOM_KIND_LIVE; kind <= BLOOM_KIND_REVERSE; kind++) {
		make_kind(&segment, kind, &filter);
		/* Several layers, and counters of more than 1. */
		for (i = 0; i < (kind == BLOOM_KIND_SCALABLE ? 9000u : 500u); i++) {
			assert_ok(add_key(&filter, i));
		}
		assert_true(kind != BLOOM_KIND_SCALABLE || filter.live->layers >= 3);
		assert_ok(save(&segment));
		assert_ok(restore(&segment, "again"));
		attach_to(&segment, "again", &again);
		assert_same(&filter, &again);
		for (i = 0; kind == BLOOM_KIND_COUNTING && i < 600; i++) {
			assert_int_equal(times(&filter, "key", i), times(&again, "key", i));
		}
		/* The bits of a counting filter are computed from its counters. */
		if (kind != BLOOM_KIND_SLIDING) {
			assert_memory_equal(bloom_live_bits(filter.live, 0),
				bloom_live_bits(again.live, 0),
				bloom_live_layer_bytes(kind,
					&(bloom_geometry){
						.shards = filter.live->known.layer[0].shards,
						.shard_bytes =
							filter.live->known.layer[0].shard_bytes}));
		}
		/* The restored filter accepts keys. */
		assert_ok(add_key(&again, 1000000));
		assert_true(has_key(&again, 1000000));
		bloom_detach(&again);
		assert_ok(bloom_segment_drop(&segment, "again", &existed, &error));
		unmake_kind(&segment, &filter);
	}
	(void)segment_bytes(&segment);
}

static void a_save_of_a_restored_filter_has_the_same_pieces(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment filter;
	test_blob first, second;
	int kind;

	(void)state;
	for (kind = BLOOM_KIND_LIVE; kind <= BLOOM_KIND_REVERSE; kind++) {
		make_kind(&segment, kind, &filter);
		assert_ok(save(&segment));
		first = read_file(file_path("saved"));
		unmake_kind(&segment, &filter);
		assert_ok(restore(&segment, "tags"));
		assert_ok(save(&segment));
		second = read_file(file_path("saved"));
		drop(&segment, "tags");
		assert_int_equal(first.count, second.count);
		/* Only the clocks and the checksum differ. */
		memset(first.bytes + offsetof(bloom_snapshot, saved_ms), 0, 16);
		memset(second.bytes + offsetof(bloom_snapshot, saved_ms), 0, 16);
		mend(first);
		mend(second);
		assert_memory_equal(first.bytes, second.bytes, first.count);
		blob_free(&first);
		blob_free(&second);
	}
}

static void layers_of_several_pieces_come_back(void **state)
{
	bloom_live_params params = {.kind = BLOOM_KIND_SCALABLE,
		.capacity_keys = 400000,
		.rate = 0.01,
		.growth = 2,
		.tightening = 0.9};
	bloom_segment segment = scratch_segment();
	bloom_attachment filter, again;
	test_blob file;
	uint64_t i;

	(void)state;
	live_create(&segment, "tags", &params, 1);
	attach_to(&segment, "tags", &filter);
	for (i = 0; i < 500000; i++) {
		assert_ok(add_key(&filter, i));
	}
	assert_ok(save(&segment));
	file = read_file(file_path("saved"));
	assert_int_equal(2, filter.live->layers);
	/* A piece contains the end of layer 0 and the beginning of layer 1. */
	assert_true((filter.live->known.layer[1].offset - filter.live->known.layer[0].offset) %
			BLOOM_SNAPSHOT_PIECE_BYTES !=
		0);
	assert_true(file.count - HEAD_BYTES > 3 * BLOOM_SNAPSHOT_PIECE_BYTES);
	assert_ok(restore(&segment, "again"));
	attach_to(&segment, "again", &again);
	for (i = 0; i < 500000; i++) {
		assert_true(has_key(&again, i));
	}
	bloom_detach(&again);
	bloom_detach(&filter);
	/* A flipped bit in any piece is detected. */
	drop(&segment, "again");
	for (i = HEAD_BYTES; i < file.count; i += BLOOM_SNAPSHOT_PIECE_BYTES / 2) {
		file.bytes[i] ^= 0x80;
		assert_status(BLOOM_E_SNAPSHOT_PIECE, restore_bytes(&segment, "again", file));
		file.bytes[i] ^= 0x80;
	}
	blob_free(&file);
}

static void a_restore_never_replaces_a_filter(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment filter;
	int kind;

	(void)state;
	make_kind(&segment, BLOOM_KIND_LIVE, &filter);
	assert_ok(save(&segment));
	assert_status(BLOOM_E_EXISTS, restore(&segment, "tags"));
	assert_int_equal(1, filter.control->generation);
	unmake_kind(&segment, &filter);
	for (kind = BLOOM_KIND_LOADED; kind < KINDS; kind++) {
		make_kind(&segment, kind, &filter);
		assert_status(BLOOM_E_EXISTS, restore(&segment, "tags"));
		assert_keys(&filter);
		unmake_kind(&segment, &filter);
	}
	assert_status(BLOOM_E_SNAPSHOT_OTHER,
		bloom_restore_file(&segment, "tags", UINT32_C(1) << BLOOM_KIND_COUNTING,
			file_path("saved"), &error));
	assert_ok(bloom_restore_file(
		&segment, "tags", UINT32_C(1) << BLOOM_KIND_LIVE, file_path("saved"), &error));
}

static bloom_status create_and_read(
	void *context, uint64_t at, unsigned char *bytes, uint64_t count, bloom_error *detail)
{
	bloom_segment segment = scratch_segment();
	const test_blob *file = context;
	bloom_attachment filter;

	(void)detail;
	make_kind(&segment, BLOOM_KIND_COUNTING, &filter);
	bloom_detach(&filter);
	memcpy(bytes, file->bytes + at, count);
	return BLOOM_OK;
}

/* A filter that another process creates during the restore is not replaced either. */
static void a_filter_that_is_created_meanwhile_is_not_replaced(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_restoring restoring;
	bloom_attachment filter;
	bloom_stage stage = {0};
	test_blob file;

	(void)state;
	make_kind(&segment, BLOOM_KIND_LIVE, &filter);
	assert_ok(save(&segment));
	file = read_file(file_path("saved"));
	unmake_kind(&segment, &filter);
	assert_ok(bloom_restoring_begin(&segment, "tags", UINT32_C(1) << BLOOM_KIND_LIVE,
		file.bytes, HEAD_BYTES, &stage, &restoring, &error));
	assert_status(
		BLOOM_E_EXISTS, bloom_restoring_run(&restoring, create_and_read, &file, &error));
	attach_to(&segment, "tags", &filter);
	assert_keys(&filter);
	assert_int_equal(2, count_entries(in_segment(&segment, "tags"), ""));
	unmake_kind(&segment, &filter);
	blob_free(&file);
}

static void only_live_filters_are_saved(void **state)
{
	static const int kinds[] = {BLOOM_KIND_LOADED, BLOOM_KIND_ON_DEMAND};
	bloom_segment segment = scratch_segment();
	bloom_attachment filter;
	unsigned i;

	(void)state;
	assert_status(BLOOM_E_NOT_FOUND, save(&segment));
	for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		make_kind(&segment, kinds[i], &filter);
		assert_status(BLOOM_E_NOT_LIVE, save(&segment));
		unmake_kind(&segment, &filter);
	}
	assert_int_equal(-1, access(file_path("saved"), F_OK));
	assert_int_equal(-1, access(file_path("saved.tmp"), F_OK));
}

static bloom_status drop_instead(
	void *context, uint64_t at, const unsigned char *bytes, uint64_t count, bloom_error *detail)
{
	(void)bytes;
	(void)count;
	(void)detail;
	assert_int_not_equal(0, at); /* the head is not written */
	drop(context, "tags");
	return BLOOM_OK;
}

static void a_dropped_filter_does_not_replace_a_snapshot(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment filter;
	bloom_saving saving;

	(void)state;
	make_kind(&segment, BLOOM_KIND_LIVE, &filter);
	assert_ok(bloom_saving_begin(&segment, "tags", 0, &saving, &error));
	bloom_detach(&filter);
	assert_status(BLOOM_E_GONE, bloom_saving_run(&saving, drop_instead, &segment, &error));
	bloom_saving_end(&saving);
	bloom_saving_end(&saving);
}

/* ---- while other processes add ---- */

/* What the adding processes report. */
typedef struct adding {
	bloom_segment segment;
	uint64_t *done;  /* shared: the number of keys whose add() has returned */
	uint64_t *stop;  /* shared */
	uint64_t *limit; /* shared: how many keys the process may add */
	int kind;
} adding;

/* Otherwise the process would run for ever if the test fails. */
static void end_with_parent(void)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static int add_for_ever(void *context)
{
	adding *work = context;
	bloom_attachment filter;
	uint64_t i;

	end_with_parent();
	if (bloom_attach(&work->segment, "tags", &filter, &error) != BLOOM_OK) {
		return 1;
	}
	for (i = 0; bloom_load_acquire(work->stop) == 0; i++) {
		while (i == bloom_load_acquire(work->limit) &&
			bloom_load_acquire(work->stop) == 0) {
			sched_yield();
		}
		if (filter_add(&filter, "added", i, NULL) != BLOOM_OK) {
			return 2;
		}
		bloom_store_release(work->done, i + 1);
	}
	bloom_detach(&filter);
	return 0;
}

static void wait_for(const uint64_t *word, uint64_t value)
{
	while (bloom_load_acquire(word) < value) {
		sched_yield();
	}
}

static void a_key_added_before_a_save_is_in_the_snapshot(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t *shared = shared_memory(4096), before, added, i;
	adding work = {
		.segment = segment, .done = shared, .stop = shared + 64, .limit = shared + 128};
	bloom_live_params params;
	bloom_attachment again;
	int kind, round;
	pid_t child;

	(void)state;
	for (kind = 0; kind < LIVE_KINDS; kind++) {
		params = live_params[kind];
		/* Several pieces, and the scalable filter grows during the saves. */
		params.capacity_keys = params.kind == BLOOM_KIND_SCALABLE ? 5000 : 1000000;
		/* The sliding filter rotates now and then. */
		params.window_ms = params.kind == BLOOM_KIND_SLIDING ? 4000 : 0;
		live_create(&segment, "tags", &params, 1);
		added = 0;
		shared[0] = shared[64] = shared[128] = 0;
		child = start_child(add_for_ever, &work);
		for (round = 1; round <= (SANITIZED ? 5 : 20); round++) {
			/* Most of the keys are added during the save. */
			bloom_store_release(work.limit, (uint64_t)round * 20000);
			wait_for(work.done, (uint64_t)round * 20000 - 19000);
			before = bloom_load_acquire(work.done);
			assert_ok(save(&segment));
			added += bloom_load_acquire(work.done) - before;
			assert_ok(restore(&segment, "again"));
			attach_to(&segment, "again", &again);
			/* A sliding filter may have forgotten the oldest keys. */
			for (i = params.window_ms != 0 ? before - 100 : 0; i < before; i++) {
				assert_true(filter_has(&again, "added", i));
			}
			assert_true(filter_found(&again, "never", 1000) < 100);
			bloom_detach(&again);
			drop(&segment, "again");
		}
		bloom_store_release(work.stop, 1);
		assert_int_equal(0, wait_child(child));
		printf("# %llu keys were added during the saves\n", (unsigned long long)added);
		drop(&segment, "tags");
	}
	free_shared_memory(shared, 4096);
}

/* ---- counting ---- */

enum { VICTIMS = 50 };

/* Adds and removes the victims for ever. So the number of a victim is always 1 or 2. */
static int add_and_remove_for_ever(void *context)
{
	adding *work = context;
	bloom_attachment filter;
	bloom_digest digest;
	bool changed;
	uint64_t i;

	end_with_parent();
	if (bloom_attach(&work->segment, "tags", &filter, &error) != BLOOM_OK) {
		return 1;
	}
	for (i = 0; bloom_load_acquire(work->stop) == 0; i++) {
		digest = key_digest(filter.live->known.seed, "victim", i % VICTIMS);
		if (bloom_counting_add(filter.live, &work->segment, "tags", digest, &changed,
			    &error) != BLOOM_OK ||
			bloom_counting_remove(filter.live, &work->segment, "tags", digest, &changed,
				&error) != BLOOM_OK) {
			return 2;
		}
		bloom_store_release(work->done, i + 1);
	}
	bloom_detach(&filter);
	return 0;
}

/* Collects the counters of a key's distinct bits. */
static unsigned counters_of(const bloom_attachment *filter, bloom_digest digest,
	unsigned char counter[BLOOM_PROBES_MAX])
{
	const bloom_view *view = &filter->view;
	uint64_t bytes = view->blocks * view->block_bytes;
	uint64_t block = bloom_fast_range(digest, view->blocks), bit;
	bloom_probe_walk walk = bloom_probe_walk_of(view, digest);
	unsigned i;

	for (i = 0; i < view->probes; i++) {
		bit = block * view->block_bytes * 8 + bloom_probe_next(&walk, view);
		counter[i] = view->bits[bytes + bit / 2] >> (bit % 2 * 4) & 15;
	}
	return view->probes;
}

static void counters_of_a_snapshot_are_those_of_one_moment(void **state)
{
	bloom_live_params params = {
		.kind = BLOOM_KIND_COUNTING, .capacity_keys = 2000000, .rate = 1e-6};
	bloom_segment segment = scratch_segment();
	uint64_t *shared = shared_memory(4096), i, before;
	adding work = {.segment = segment, .done = shared, .stop = shared + 64};
	unsigned char counter[BLOOM_PROBES_MAX];
	bloom_attachment filter, again;
	unsigned probes, j, seen[16] = {0};
	pid_t children[2];
	int round;

	(void)state;
	live_create(&segment, "tags", &params, 1);
	attach_to(&segment, "tags", &filter);
	for (i = 0; i < VICTIMS; i++) {
		assert_ok(filter_add(&filter, "victim", i, NULL));
	}
	shared[0] = shared[64] = 0;
	children[0] = start_child(add_and_remove_for_ever, &work);
	children[1] = start_child(add_and_remove_for_ever, &work);
	for (round = 0; round < (SANITIZED ? 10 : 60); round++) {
		before = bloom_load_acquire(work.done);
		wait_for(work.done, before + 1);
		assert_ok(save(&segment));
		assert_ok(restore(&segment, "again"));
		attach_to(&segment, "again", &again);
		for (i = 0; i < VICTIMS; i++) {
			probes = counters_of(
				&again, key_digest(again.live->known.seed, "victim", i), counter);
			for (j = 0; j < probes; j++) {
				assert_int_equal(counter[0], counter[j]);
			}
			assert_in_range(counter[0], 1, 3);
			seen[counter[0]]++;
		}
		bloom_detach(&again);
		drop(&segment, "again");
	}
	bloom_store_release(work.stop, 1);
	assert_int_equal(0, wait_child(children[0]));
	assert_int_equal(0, wait_child(children[1]));
	printf("# counters of 1, 2 and 3: %u, %u, %u\n", seen[1], seen[2], seen[3]);
	bloom_detach(&filter);
	free_shared_memory(shared, 4096);
}

/* The same layout as the intent in counting.c. */
typedef struct intent {
	uint64_t counters;
	uint64_t block;
	uint32_t bit[BLOOM_PROBES_MAX];
	unsigned char value[BLOOM_PROBES_MAX];
	unsigned char unused[BLOOM_INTENT_BYTES - 16 - 5 * BLOOM_PROBES_MAX];
} intent;

static void a_save_replays_the_intent_of_a_killed_process(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment filter, again;
	uint64_t block, bit;
	intent *left;

	(void)state;
	make_kind(&segment, BLOOM_KIND_COUNTING, &filter);
	for (block = 0; block < filter.view.blocks; block++) {
		left = (intent *)(void *)((unsigned char *)filter.live->head +
			       BLOOM_LIVE_HEAD_BYTES) +
			block % BLOOM_STRIPES;
		bit = block % (filter.view.block_bytes * 8);
		left->block = block;
		left->bit[0] = (uint32_t)bit;
		left->value[0] = 9;
		left->counters = 1;
		assert_ok(save(&segment));
		assert_int_equal(0, left->counters);
		assert_ok(restore(&segment, "again"));
		attach_to(&segment, "again", &again);
		bit += block * filter.view.block_bytes * 8;
		assert_int_equal(9,
			again.view.bits[again.view.blocks * again.view.block_bytes + bit / 2] >>
					(bit % 2 * 4) &
				15);
		assert_true(again.view.bits[bit / 8] >> (bit % 8) & 1);
		bloom_detach(&again);
		drop(&segment, "again");
	}
	unmake_kind(&segment, &filter);
}

static void a_save_waits_for_a_counting_filter_s_lock_only_until_the_timeout(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment filter;
	int file;

	(void)state;
	needs_posix("a descriptor is not a handle of the core here");
	make_kind(&segment, BLOOM_KIND_COUNTING, &filter);
	assert_ok(save(&segment));
	file = open(in_segment(&segment, "%s", HAS_BYTE_LOCKS ? generation_one : "tags/locks"),
		O_RDWR | O_CLOEXEC);
	assert_ok(bloom_lock_byte(file, 3, 0, &error));
	segment.lock_timeout_ms = 1;
	assert_status(BLOOM_E_BUSY, save(&segment));
	(void)close(file);
	assert_int_equal(-1, access(file_path("saved.tmp"), F_OK));
	assert_ok(restore(&segment, "again"));
	unmake_kind(&segment, &filter);
}

/* ---- time ---- */

enum { SECOND = 1000 };

static void the_time_between_save_and_restore_is_never_overestimated(void **state)
{
	static const struct {
		uint64_t saved_boot, boot, saved_wall, wall, saved_monotonic, monotonic, expected;
	} cases[] = {
		/* the same boot: the monotonic clock, whatever the wall clock says */
		{7, 7, 1000, 500, 50, 90, 40},
		{7, 7, 1000, 900000, 50, 90, 40},
		{7, 7, 1000, 900000, 50, 40, 0},
		/* a reboot: the wall clock */
		{7, 8, 1000, 61000, 5000, 20, 60000},
		/* a wall clock that was set back, or shows less time than this boot has lasted */
		{7, 8, 1000, 500, 5000, 20, 20},
		{7, 8, 1000, 1010, 5000, 20, 20},
		/* a clock that was years behind during the save */
		{7, 8, 1000, 1000 + BLOOM_SNAPSHOT_AGE_MS_MAX, 5000, 20, BLOOM_SNAPSHOT_AGE_MS_MAX},
		{7, 8, 1000, 1001 + BLOOM_SNAPSHOT_AGE_MS_MAX, 5000, 20, 20},
		{7, 8, 0, UINT64_MAX, 5000, 20, 20},
		/* boots that cannot be compared */
		{0, 8, 1000, 61000, 5000, 20, 60000},
		{7, 0, 1000, 61000, 5000, 20, 60000},
		{0, 0, 1000, 1010, 5000, 20, 10},
		{0, 0, 1000, 10, 5000, 20, 0},
	};
	bloom_snapshot_clocks now;
	bloom_snapshot snapshot;
	unsigned i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		snapshot = (bloom_snapshot){.saved_boot = cases[i].saved_boot,
			.saved_ms = cases[i].saved_wall,
			.saved_monotonic_ms = cases[i].saved_monotonic};
		now = (bloom_snapshot_clocks){.boot = cases[i].boot,
			.wall_ms = cases[i].wall,
			.monotonic_ms = cases[i].monotonic};
		assert_int_equal(cases[i].expected, bloom_snapshot_elapsed_ms(&snapshot, &now));
	}
}

/* Adds a key at a time on a clock of the test's own. */
static uint64_t clock_ms;

static uint64_t clock_now(void)
{
	return clock_ms;
}

static void add_at(bloom_attachment *filter, const char *family, uint64_t now_ms)
{
	bool is_new;

	clock_ms = now_ms;
	assert_ok(bloom_sliding_add(filter->live, filter->segment, filter->name,
		key_digest(filter->live->known.seed, family, 0), clock_now, &is_new, &error));
}

static bool has_at(bloom_attachment *filter, const char *family, uint64_t now_ms)
{
	return bloom_sliding_test(
		filter->live, key_digest(filter->live->known.seed, family, 0), now_ms);
}

/* A save that rotates the filter while pieces are written. */
typedef struct rotating {
	bloom_attachment *filter;
	uint64_t now_ms;
	unsigned rotations; /* how many more */
	unsigned pieces;    /* how many were written */
	test_blob file;
} rotating;

static bloom_status rotate_and_write(
	void *context, uint64_t at, const unsigned char *bytes, uint64_t count, bloom_error *detail)
{
	rotating *work = context;

	(void)detail;
	assert_true(at + count <= work->file.count);
	memcpy(work->file.bytes + at, bytes, count);
	work->pieces += at != 0;
	if (work->rotations > 0) {
		work->rotations--;
		work->now_ms += 600 * SECOND;
		add_at(work->filter, "later", work->now_ms);
	}
	return BLOOM_OK;
}

/* If the filter rotates, the save begins again with the first piece. */
static void a_save_of_a_filter_that_rotates_begins_again(void **state)
{
	bloom_live_params params = {.kind = BLOOM_KIND_SLIDING,
		.capacity_keys = 100,
		.rate = 1e-6,
		.window_ms = 1000 * SECOND};
	/* The host's clock is not later than the turns that the test sets, so they are not
	 * too old. */
	const uint64_t start = bloom_monotonic_ms();
	bloom_segment segment = scratch_segment();
	bloom_attachment filter;
	rotating work = {.filter = &filter, .now_ms = start, .rotations = 1};
	bloom_saving saving;

	(void)state;
	live_create(&segment, "tags", &params, 1);
	attach_to(&segment, "tags", &filter);
	filter.live->head->turn = start << 2;
	add_at(&filter, "key", start);
	assert_ok(bloom_saving_begin(&segment, "tags", 0, &saving, &error));
	work.file.count = HEAD_BYTES + saving.image_bytes;
	work.file.bytes = malloc(work.file.count);
	assert_non_null(work.file.bytes);
	assert_ok(bloom_saving_run(&saving, rotate_and_write, &work, &error));
	assert_int_equal(2, work.pieces); /* the only piece, twice */
	bloom_saving_end(&saving);
	bloom_detach(&filter);
	drop(&segment, "tags");
	/* The turn began later than now, so it is young. */
	assert_ok(restore_bytes(&segment, "tags", work.file));
	attach_to(&segment, "tags", &filter);
	assert_true(has_at(&filter, "key", bloom_monotonic_ms()));
	assert_true(has_at(&filter, "later", bloom_monotonic_ms()));
	/* A filter that always rotates is not saved. */
	work.rotations = 100;
	assert_ok(bloom_saving_begin(&segment, "tags", 0, &saving, &error));
	assert_status(BLOOM_E_BUSY, bloom_saving_run(&saving, rotate_and_write, &work, &error));
	assert_true(work.rotations > 80);
	bloom_saving_end(&saving);
	bloom_detach(&filter);
	blob_free(&work.file);
}

/* Resumes a copy of a filter's slots after a pause. The filter's half window is 500 s. Key "old"
 * was added 400 s before "young", in the turn before it. */
static void keys_age_during_a_reboot_and_are_never_forgotten_early(void **state)
{
	bloom_live_params params = {.kind = BLOOM_KIND_SLIDING,
		.capacity_keys = 100,
		.rate = 1e-6,
		.window_ms = 1000 * SECOND};
	const bloom_live_layout *layout = bloom_live_layout_of(BLOOM_KIND_SLIDING);
	/* The host's clock is not later than the turns that the test sets, so they are not
	 * too old. */
	const uint64_t start = bloom_monotonic_ms(), half = 500 * SECOND;
	uint64_t pause, uptime, old_until, young_until, now, turn;
	bloom_segment segment = scratch_segment();
	bloom_attachment filter, again;
	unsigned i;

	(void)state;
	live_create(&segment, "tags", &params, 1);
	attach_to(&segment, "tags", &filter);
	filter.live->head->turn = start << 2;
	add_at(&filter, "old", start + 300 * SECOND);
	add_at(&filter, "young", start + 700 * SECOND); /* the turn began at 500 s */
	assert_ok(save(&segment));
	turn = filter.live->head->turn;
	assert_int_equal(start + half, turn >> 2);
	for (uptime = 0; uptime <= 2000 * SECOND; uptime += 100 * SECOND) {
		for (pause = 0; pause <= 1200 * SECOND; pause += 50 * SECOND) {
			assert_ok(restore(&segment, "again"));
			attach_to(&segment, "again", &again);
			/* The test has a clock of its own. It was saved at 700 s. */
			again.live->head->turn = turn;
			layout->resume(live_head(again.live), start + 700 * SECOND, pause, uptime);
			/* The filter promises to find keys for half a window after they were added,
			 * 400 s and 0 s before the save. */
			old_until = half > 400 * SECOND + pause ? half - 400 * SECOND - pause : 0;
			young_until = half > pause ? half - pause : 0;
			for (i = 0; i < 60; i++) {
				now = uptime + i * 25 * SECOND;
				if (now < uptime + old_until) {
					assert_true(has_at(&again, "old", now));
				}
				if (now < uptime + young_until) {
					assert_true(has_at(&again, "young", now));
				}
				/* On a host that has been up for long enough, no key is found for
				 * longer than without the reboot. */
				if (uptime >= 500 * SECOND) {
					assert_true(has_at(&again, "old", now) ==
						(200 * SECOND + pause + now - uptime < half));
					assert_true(has_at(&again, "young", now) ==
						(200 * SECOND + pause + now - uptime < 2 * half));
				}
			}
			/* Otherwise for at most half a window longer. */
			assert_false(has_at(&again, "young", uptime + 3 * half));
			/* The filter rotates as usual. */
			add_at(&again, "new", uptime + 600 * SECOND);
			assert_true(has_at(&again, "new", uptime + 1000 * SECOND));
			bloom_detach(&again);
			drop(&segment, "again");
		}
	}
	bloom_detach(&filter);
}

/* ---- hostile files ---- */

static void a_truncated_snapshot_is_refused(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment filter;
	const size_t head_bytes = HEAD_BYTES;
	test_blob file;
	size_t whole;
	int kind;

	(void)state;
	for (kind = BLOOM_KIND_LIVE; kind <= BLOOM_KIND_REVERSE; kind++) {
		make_kind(&segment, kind, &filter);
		assert_ok(save(&segment));
		unmake_kind(&segment, &filter);
		file = read_file(file_path("saved"));
		whole = file.count;
		for (file.count = 0; file.count < whole; file.count++) {
			if (file.count > head_bytes + 16 && file.count + 16 < whole) {
				file.count = whole - 16;
			}
			assert_status(BLOOM_E_LENGTH, restore_bytes(&segment, "tags", file));
		}
		file.bytes = realloc(file.bytes, whole + 1);
		file.bytes[whole] = 0;
		file.count = whole + 1;
		assert_status(BLOOM_E_LENGTH, restore_bytes(&segment, "tags", file));
		blob_free(&file);
		assert_int_equal(0, count_entries(segment.path, ""));
	}
}

enum { AT_TTL = offsetof(bloom_snapshot, ttl_ms) };

/* Returns whether a position of the head is in the empty rows and words. */
static bool is_in_empty_part(size_t at)
{
	/* cppcheck-suppress incorrectLogicOperator ; version 2.17 takes the head for smaller */
	return at > 500 && at < HEAD_BYTES - 48;
}

/* The checksum detects each change. If it has been corrected, the restore is refused with a typed
 * error, or creates a filter that works. */
static void a_changed_head_is_refused_or_harmless(void **state)
{
	bloom_segment segment = scratch_segment();
	unsigned refused = 0, restored = 0, bit;
	bloom_attachment filter;
	bloom_status status;
	test_blob file;
	size_t at;
	int kind;

	(void)state;
	segment.memory_limit_bytes = 100 << 20;
	for (kind = BLOOM_KIND_LIVE; kind <= BLOOM_KIND_REVERSE; kind++) {
		make_kind(&segment, kind, &filter);
		assert_ok(save(&segment));
		unmake_kind(&segment, &filter);
		file = read_file(file_path("saved"));
		/* The words that the kinds use, and a part of the empty rows and words. */
		for (at = 0; at < HEAD_BYTES; at += is_in_empty_part(at) ? 37 : 1) {
			for (bit = 0; bit < 8; bit++) {
				file.bytes[at] ^= (unsigned char)(1 << bit);
				status = restore_bytes(&segment, "tags", file);
				assert_int_equal(BLOOM_GROUP_FORMAT, bloom_status_group_of(status));
				if (at >= 24 && at < HEAD_BYTES - 8) {
					mend(file);
					status = restore_bytes(&segment, "tags", file);
					if (at >= AT_TTL && at < AT_TTL + 8) {
						/* The filter may expire at any time. */
						drop(&segment, "tags");
					} else if (status == BLOOM_OK) {
						attach_to(&segment, "tags", &filter);
						(void)has_key(&filter, 1);
						assert_ok(add_key(&filter, 2));
						assert_true(has_key(&filter, 2));
						bloom_detach(&filter);
						drop(&segment, "tags");
					} else {
						assert_true(status == BLOOM_E_LIMIT ||
							status == BLOOM_E_SECRET ||
							bloom_status_group_of(status) ==
								BLOOM_GROUP_FORMAT);
					}
					refused += status != BLOOM_OK;
					restored += status == BLOOM_OK;
				}
				file.bytes[at] ^= (unsigned char)(1 << bit);
				mend(file);
			}
		}
		assert_ok(restore_bytes(&segment, "tags", file));
		drop(&segment, "tags");
		blob_free(&file);
	}
	assert_int_equal(0, count_entries(segment.path, ""));
	printf("# with a corrected checksum: %u refused, %u restored\n", refused, restored);
	assert_true(refused > 1000 && restored > 1000);
}

static void a_snapshot_of_another_layout_or_byte_order_is_refused(void **state)
{
	static const size_t at[] = {offsetof(bloom_snapshot, version),
		offsetof(bloom_snapshot, layout), offsetof(bloom_snapshot, byte_order)};
	bloom_segment segment = scratch_segment();
	bloom_attachment filter;
	test_blob file;
	unsigned i;

	(void)state;
	make_kind(&segment, BLOOM_KIND_LIVE, &filter);
	assert_ok(save(&segment));
	unmake_kind(&segment, &filter);
	file = read_file(file_path("saved"));
	for (i = 0; i < sizeof at / sizeof *at; i++) {
		file.bytes[at[i]] ^= 3;
		mend(file);
		assert_status(BLOOM_E_SNAPSHOT_VERSION, restore_bytes(&segment, "tags", file));
		file.bytes[at[i]] ^= 3;
	}
	/* A file of format version 1 may be shorter than a head. */
	bloom_put32(file.bytes + offsetof(bloom_snapshot, version), 1);
	file.count = 1352;
	assert_status(BLOOM_E_SNAPSHOT_VERSION, restore_bytes(&segment, "tags", file));
	assert_string_equal("version 1 instead of 3", error.subject);
	blob_free(&file);
	assert_int_equal(0, count_entries(segment.path, ""));
}

/* ---- secrets and signatures ---- */

static bloom_ring ring_of(unsigned char first)
{
	unsigned char bytes[BLOOM_SECRET_BYTES];
	bloom_ring ring = {.configured = true, .count = 1};

	memset(bytes, first, sizeof bytes);
	assert_ok(bloom_secret_make(bytes, &ring.secret[0], &error));
	return ring;
}

static void a_keyed_filter_is_restored_only_with_its_secret(void **state)
{
	bloom_segment segment = scratch_segment(), other = segment;
	bloom_live_params params = live_params[1];
	bloom_attachment filter;
	bloom_ring ring, wrong;

	(void)state;
	if (!bloom_has_sodium()) {
		skip_because("no libsodium");
	}
	ring = ring_of(1);
	wrong = ring_of(2);
	segment.secrets = &ring;
	params.fingerprint = ring.secret[0].fingerprint;
	live_create(&segment, "tags", &params, 1);
	attach_to(&segment, "tags", &filter);
	assert_ok(add_key(&filter, 1));
	bloom_detach(&filter);
	assert_ok(save(&segment));
	drop(&segment, "tags");
	assert_status(BLOOM_E_SECRET, restore(&other, "tags"));
	other.secrets = &wrong;
	assert_status(BLOOM_E_SECRET, restore(&other, "tags"));
	assert_ok(restore(&segment, "tags"));
	attach_to(&segment, "tags", &filter);
	assert_true(has_key(&filter, 1));
	assert_false(has_key(&filter, 2));
	bloom_detach(&filter);
}

static void with_signing_keys_only_signed_snapshots_are_restored(void **state)
{
	bloom_segment segment = scratch_segment(), signing = segment, other = segment;
	bloom_attachment filter;
	bloom_ring ring, wrong;
	test_blob file;
	size_t at;

	(void)state;
	if (!bloom_has_sodium()) {
		skip_because("no libsodium");
	}
	ring = ring_of(1);
	wrong = ring_of(2);
	signing.signers = &ring;
	other.signers = &wrong;
	make_kind(&segment, BLOOM_KIND_SCALABLE, &filter);
	assert_ok(save(&segment));
	assert_status(BLOOM_E_UNSIGNED, restore(&signing, "other"));
	assert_ok(save(&signing));
	unmake_kind(&segment, &filter);
	assert_status(BLOOM_E_SIGNER, restore(&other, "tags"));
	assert_status(BLOOM_E_SIGNATURE, restore(&signing, "other"));
	assert_ok(restore(&segment, "other")); /* without signing keys */
	assert_ok(restore(&signing, "tags"));
	drop(&segment, "tags");
	file = read_file(file_path("saved"));
	for (at = 24; at < HEAD_BYTES - 8; at++) {
		file.bytes[at] ^= 4;
		mend(file);
		assert_true(restore_bytes(&signing, "tags", file) != BLOOM_OK);
		file.bytes[at] ^= 4;
	}
	mend(file);
	assert_ok(restore_bytes(&signing, "tags", file));
	blob_free(&file);
}

/* ---- files ---- */

static void a_snapshot_is_written_only_to_a_regular_file(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment filter;
	struct stat found;
	char target[64];
	int file;

	(void)state;
	needs_posix(NO_FIFOS);
	make_kind(&segment, BLOOM_KIND_LIVE, &filter);
	assert_status(
		BLOOM_E_FILE, bloom_save_file(&segment, "tags", file_path("no/directory"), &error));
	assert_int_equal(ENOENT, error.os_error);
	assert_status(BLOOM_E_FILE, bloom_save_file(&segment, "tags", scratch_path(), &error));
	assert_int_equal(EISDIR, error.os_error);
	assert_status(BLOOM_E_FILE, bloom_save_file(&segment, "tags", "/dev/null", &error));
	assert_status(BLOOM_E_FILE, restore(&segment, "again"));
	assert_int_equal(ENOENT, error.os_error);
	assert_status(BLOOM_E_FILE,
		bloom_restore_file(&segment, "again", BLOOM_KINDS_ANY, scratch_path(), &error));
	assert_int_equal(0, mkfifo(file_path("fifo"), 0600));
	assert_status(BLOOM_E_FILE,
		bloom_restore_file(&segment, "again", BLOOM_KINDS_ANY, file_path("fifo"), &error));
	/* A link to an open pipe without a path, as /dev/stdout may be, is not replaced. */
	file = open(file_path("fifo"), O_RDWR | O_CLOEXEC);
	assert_int_equal(0, unlink(file_path("fifo")));
	(void)snprintf(target, sizeof target, "/proc/self/fd/%d", file);
	assert_int_equal(0, symlink(target, file_path("saved")));
	assert_status(BLOOM_E_FILE, save(&segment));
	assert_int_equal(EINVAL, error.os_error);
	assert_int_equal(0, unlink(file_path("saved")));
	(void)close(file);
	/* The temporary file's name is predictable. */
	assert_int_equal(0, symlink(file_path("victim"), file_path("saved.tmp")));
	assert_status(BLOOM_E_FILE, save(&segment));
	assert_int_equal(0, unlink(file_path("saved.tmp")));
	write_file(file_path("victim"), "mine", 4, 0600);
	assert_int_equal(0, link(file_path("victim"), file_path("saved.tmp")));
	assert_status(BLOOM_E_REFUSED_TYPE, save(&segment));
	assert_int_equal(0, stat(file_path("victim"), &found));
	assert_int_equal(4, found.st_size);
	assert_int_equal(0, unlink(file_path("saved.tmp")));
	/* Another process saves to the same path. */
	file = open(file_path("saved.tmp"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(0, flock(file, LOCK_EX));
	assert_status(BLOOM_E_SAVING, save(&segment));
	(void)close(file);
	/* A symbolic link is followed. */
	assert_int_equal(0, symlink(file_path("victim"), file_path("saved")));
	assert_ok(save(&segment));
	assert_int_equal(0, lstat(file_path("saved"), &found));
	assert_true(S_ISLNK(found.st_mode));
	assert_int_equal(0, stat(file_path("victim"), &found));
	assert_int_equal(0600, found.st_mode & 07777);
	assert_ok(restore(&segment, "again"));
	unmake_kind(&segment, &filter);
}

/* ---- kills ---- */

static int save_traced(void *context)
{
	traced_begin();
	(void)bloom_save_file(context, "tags", file_path("saved"), &error);
	traced_end();
	return 0;
}

static int restore_traced(void *context)
{
	traced_begin();
	(void)restore(context, "tags");
	traced_end();
	return 0;
}

/* Runs the process through `stops` entries and exits of system calls. Returns false if it reached
 * traced_end() before. */
static bool pass_calls(pid_t child, unsigned stops)
{
	int status = 0;

	assert_int_equal(0,
		ptrace(PTRACE_SETOPTIONS, child, NULL,
			(void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)));
	for (; stops > 0; stops--) {
		assert_int_equal(0, ptrace(PTRACE_SYSCALL, child, NULL, NULL));
		assert_int_equal(child, waitpid(child, &status, 0));
		assert_true(WIFSTOPPED(status));
		if (WSTOPSIG(status) == SIGSTOP) {
			return false;
		}
	}
	return true;
}

/* A snapshot that existed before stays, or is replaced completely. */
static void a_save_may_be_killed_at_any_system_call(void **state)
{
	bloom_segment segment = scratch_segment();
	unsigned stops, replaced = 0;
	bloom_attachment filter, again;
	bool running = true, has_new;
	pid_t child;

	(void)state;
	needs_tracing();
	make_kind(&segment, BLOOM_KIND_COUNTING, &filter);
	for (stops = 1; running; stops++) {
		(void)unlink(file_path("saved"));
		assert_ok(save(&segment));
		assert_ok(add_key(&filter, 1000 + stops));
		child = start_traced(save_traced, &segment);
		running = pass_calls(child, stops);
		kill_traced(child);
		/* Nothing of the kill is left except the temporary file. */
		assert_ok(restore(&segment, "again"));
		attach_to(&segment, "again", &again);
		assert_keys(&again);
		has_new = has_key(&again, 1000 + stops);
		assert_true(running || has_new);
		replaced += has_new;
		bloom_detach(&again);
		drop(&segment, "again");
		segment.lock_timeout_ms = 0;
		assert_ok(save(&segment));
		assert_int_equal(-1, access(file_path("saved.tmp"), F_OK));
	}
	printf("# killed at %u stops; the snapshot was complete after %u\n", stops - 1, replaced);
	assert_true(stops > 100 && replaced > 1 && replaced < stops / 2);
	unmake_kind(&segment, &filter);
}

/* The filter exists completely, or not at all. */
static void a_restore_may_be_killed_at_any_system_call(void **state)
{
	bloom_segment segment = scratch_segment();
	unsigned stops, restored = 0;
	bloom_attachment filter;
	bool running = true;
	bloom_status status;
	pid_t child;

	(void)state;
	needs_tracing();
	make_kind(&segment, BLOOM_KIND_COUNTING, &filter);
	assert_ok(save(&segment));
	unmake_kind(&segment, &filter);
	for (stops = 1; running; stops++) {
		child = start_traced(restore_traced, &segment);
		running = pass_calls(child, stops);
		kill_traced(child);
		status = bloom_attach(&segment, "tags", &filter, &error);
		if (status == BLOOM_OK) {
			assert_keys(&filter);
			assert_int_equal(1, times(&filter, "key", 7));
			bloom_detach(&filter);
			assert_status(BLOOM_E_EXISTS, restore(&segment, "tags"));
			drop(&segment, "tags");
			restored++;
		} else {
			assert_int_equal(BLOOM_E_NOT_FOUND, status);
			assert_true(running);
		}
		/* The next restore needs no repair and leaves nothing behind. */
		segment.lock_timeout_ms = 0;
		assert_ok(restore(&segment, "tags"));
		attach_to(&segment, "tags", &filter);
		assert_keys(&filter);
		assert_int_equal(2, count_entries(in_segment(&segment, "tags"), ""));
		unmake_kind(&segment, &filter);
		(void)segment_bytes(&segment);
	}
	printf("# killed at %u stops; the filter existed after %u\n", stops - 1, restored);
	assert_true(stops > 100 && restored > 1 && restored < stops / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH(
			"a restored filter of any kind has the same answers, layers and counts",
			every_kind_comes_back_as_it_was),
		TEST_IN_SCRATCH("a snapshot of a restored filter has the same bytes",
			a_save_of_a_restored_filter_has_the_same_pieces),
		/* fault: snapshot-damaged */
		TEST_IN_SCRATCH("layers of several pieces are restored, and damage to any piece is "
				"detected",
			layers_of_several_pieces_come_back),
		/* fault: restore-existing */
		TEST_IN_SCRATCH(
			"a restore never replaces a filter", a_restore_never_replaces_a_filter),
		/* fault: restore-existing */
		TEST_IN_SCRATCH("a restore does not replace a filter that was created meanwhile",
			a_filter_that_is_created_meanwhile_is_not_replaced),
		TEST_IN_SCRATCH("only live filters are saved", only_live_filters_are_saved),
		/* fault: dropped-while-saved */
		TEST_IN_SCRATCH("a filter that was dropped during its save is not saved",
			a_dropped_filter_does_not_replace_a_snapshot),
		/* fault: save-concurrent */
		TEST_IN_SCRATCH("a key whose add returned before the save is in the snapshot",
			a_key_added_before_a_save_is_in_the_snapshot),
		/* fault: save-concurrent */
		TEST_IN_SCRATCH("the counters of a block in a snapshot are those of one moment",
			counters_of_a_snapshot_are_those_of_one_moment),
		/* fault: save-concurrent */
		TEST_IN_SCRATCH("a save replays the intent of a killed process",
			a_save_replays_the_intent_of_a_killed_process),
		/* fault: save-stopped */
		TEST_IN_SCRATCH("a save waits for a counting filter's lock only until the timeout",
			a_save_waits_for_a_counting_filter_s_lock_only_until_the_timeout),
		/* fault: save-concurrent */
		TEST_IN_SCRATCH("a save of a filter that rotates begins again",
			a_save_of_a_filter_that_rotates_begins_again),
		/* fault: host-was-off */
		TEST("the time between a save and a restore is not overestimated",
			the_time_between_save_and_restore_is_never_overestimated),
		/* fault: host-was-off */
		TEST_IN_SCRATCH(
			"keys of a sliding filter age during a reboot, and none is forgotten early",
			keys_age_during_a_reboot_and_are_never_forgotten_early),
		/* fault: snapshot-damaged */
		TEST_IN_SCRATCH("a snapshot truncated at any boundary is refused",
			a_truncated_snapshot_is_refused),
		/* fault: snapshot-damaged */
		TEST_IN_SCRATCH(
			"any flipped bit of a snapshot's head is detected, or harmless if its "
			"checksum was corrected",
			a_changed_head_is_refused_or_harmless),
		/* fault: snapshot-other-version */
		TEST_IN_SCRATCH("a snapshot of another layout or byte order is refused",
			a_snapshot_of_another_layout_or_byte_order_is_refused),
		/* fault: snapshot-secret */
		TEST_IN_SCRATCH("a keyed filter is restored only with its secret",
			a_keyed_filter_is_restored_only_with_its_secret),
		/* fault: snapshot-secret */
		TEST_IN_SCRATCH(
			"a host with signing keys restores only snapshots that these keys signed "
			"for the same name",
			with_signing_keys_only_signed_snapshots_are_restored),
		/* fault: save-twice, snapshot-planted-link */
		TEST_IN_SCRATCH("a snapshot is written only to a regular file, without following a "
				"prepared temporary file",
			a_snapshot_is_written_only_to_a_regular_file),
		/* fault: save-killed */
		TEST_IN_SCRATCH("a save may be killed at any system call",
			a_save_may_be_killed_at_any_system_call),
		/* fault: save-killed */
		TEST_IN_SCRATCH("a restore may be killed at any system call",
			a_restore_may_be_killed_at_any_system_call),
	};

	return cmocka_run_group_tests_name("snapshot", tests, NULL, NULL);
}

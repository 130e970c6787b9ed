/* What another process on the host may do to a filter of any kind: replace a file with something
 * else, hold the locks forever, write random values into the control page, have another version,
 * delete everything, or have written its files before a reboot. No reader crashes, waits or
 * gives a wrong "no". */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kinds/attachment.h"
#include "kinds/counting.h"
#include "kinds/overlay.h"
#include "kinds/scalable.h"
#include "segment/segment.h"
#include "kinds/sliding.h"
#include "kinds/create.h"
#include "segment/stage.h"
#include "segment/sync.h"

/* ---- a filter of each kind, under the name "tags" ---- */

enum { OVERLAY = BLOOM_KIND_ON_DEMAND + 1, KINDS, KEYS = 300, HOUR = 3600 * 1000 };

static const char *const kind_names[KINDS] = {
	"loaded", "live", "counting", "scalable", "sliding", "reverse", "on-demand", "overlay"};

static const bloom_params usual = {.capacity_keys = 1000, .rate = 1e-6};

static bloom_live_params params_of(int kind)
{
	bloom_live_params params = {.kind = (uint64_t)kind, .capacity_keys = 1000, .rate = 1e-6};

	switch (kind) {
	case BLOOM_KIND_SCALABLE:
		params.growth = 2;
		params.tightening = 0.5;
		break;
	case BLOOM_KIND_SLIDING:
		params.window_ms = 100 * HOUR;
		break;
	case BLOOM_KIND_REVERSE:
		params.groups = 300;
		params.fan_out = 64;
		break;
	case OVERLAY:
		return bloom_overlay_params(100 * HOUR, 1000, 1e-6);
	default:
		break;
	}
	return params;
}

static bool is_live(int kind)
{
	return kind != BLOOM_KIND_LOADED && kind != BLOOM_KIND_ON_DEMAND;
}

static bloom_status add(bloom_attachment *filter, uint64_t i)
{
	return filter_add(filter, "key", i, NULL);
}

static bool has(bloom_attachment *filter, uint64_t i)
{
	return filter_has(filter, "key", i);
}

static bool is_there(bloom_presence presence)
{
	return presence == BLOOM_PRESENCE_VIEW || presence == BLOOM_PRESENCE_OPS;
}

static void assert_keys(bloom_attachment *filter)
{
	uint64_t i;

	assert_true(is_there(bloom_attachment_check(filter)));
	for (i = 0; i < KEYS; i++) {
		assert_true(has(filter, i));
	}
}

static test_blob blob_of_keys(void)
{
	return blob_of(&usual, 1, KEYS, "key", NULL);
}

/* A published filter whose chunks are all resident. */
static bloom_status make_cache(const bloom_segment *segment)
{
	test_blob blob = blob_of_keys();
	bloom_attachment filter;
	uint64_t chunk, generation;
	bloom_stage stage;
	bloom_head head;
	bloom_status status;

	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	status = bloom_cache_stage(
		segment, "tags", 1 << 20, &head, blob.bytes, NULL, &stage, &error);
	if (status == BLOOM_OK) {
		status = bloom_stage_commit(&stage, &generation, &error);
	}
	if (status == BLOOM_OK) {
		attach_to(segment, "tags", &filter);
		for (chunk = 0; chunk < head.chunks; chunk++) {
			assert_ok(bloom_cache_put(filter.cache, segment, "tags", chunk,
				blob.bytes + head.head_bytes +
					bloom_head_chunk_offset(&head, chunk),
				&error));
		}
		bloom_detach(&filter);
	}
	blob_free(&blob);
	return status;
}

/* Creates the filter, or finds the existing one. */
static bloom_status create(const bloom_segment *segment, int kind)
{
	bloom_live_params params = params_of(kind);
	bloom_status status = BLOOM_OK;
	test_blob blob;
	bool created;

	if (kind == BLOOM_KIND_ON_DEMAND) {
		return make_cache(segment);
	}
	if (kind != BLOOM_KIND_LOADED && kind != OVERLAY) {
		return bloom_live_create(segment, "tags", &params, NULL, &created, &error);
	}
	if (kind == OVERLAY) {
		status = bloom_overlay_create(segment, "tags", &params, &error);
	}
	if (status == BLOOM_OK) {
		blob = blob_of_keys();
		status = load(segment, "tags", blob, NULL);
		blob_free(&blob);
	}
	return status;
}

static void make(const bloom_segment *segment, int kind, bloom_attachment *filter)
{
	uint64_t i;

	print_message("# %s\n", kind_names[kind]);
	assert_ok(create(segment, kind));
	attach_to(segment, "tags", filter);
	for (i = 0; is_live(kind) && i < KEYS; i++) {
		assert_ok(add(filter, i));
	}
	assert_keys(filter);
}

static void unmake(const bloom_segment *segment, bloom_attachment *filter)
{
	bool existed;

	bloom_detach(filter);
	assert_ok(bloom_segment_drop(segment, "tags", &existed, &error));
	assert_int_equal(0, count_maps());
}

static const char generation_one[] = "tags/0000000000000001.bloom";

static const char *live_path(int kind)
{
	return kind == OVERLAY ? "tags/overlay" : generation_one;
}

/* ---- something else in a file's place ---- */

static const char *const intruder_names[INTRUDERS] = {"a symbolic link", "a second hard link",
	"a FIFO", "a socket", "a device", "a directory", "a file", "group may read",
	"others may write", "another owner"};

static void evict(const char *path, const char *aside, intruder kind, bool is_directory)
{
	switch (kind) {
	case HARD_LINK:
		assert_int_equal(0, unlink(aside));
		return;
	case GROUP_READS:
	case OTHERS_WRITE:
		assert_int_equal(0, chmod(path, is_directory ? 0700 : 0600));
		return;
	case FOREIGN:
		assert_int_equal(0, chown(path, geteuid(), getegid()));
		return;
	case DIRECTORY:
		assert_int_equal(0, rmdir(path));
		break;
	default:
		assert_int_equal(0, unlink(path));
	}
	assert_int_equal(0, rename(aside, path));
}

static void assert_refused(intruder kind, bloom_status status)
{
	if (kind == GROUP_READS || kind == OTHERS_WRITE) {
		assert_status(BLOOM_E_REFUSED_MODE, status);
	} else if (kind == FOREIGN) {
		assert_status(BLOOM_E_REFUSED_OWNER, status);
	} else if (kind == DEVICE && status == BLOOM_E_SYSTEM) {
		assert_int_equal(
			EACCES, error.os_error); /* the file system itself refuses it: nodev */
	} else {
		assert_status(BLOOM_E_REFUSED_TYPE, status);
	}
}

/* Returns whether a writer of that kind opens the file. A load replaces a generation without
 * opening it. */
static bool writer_opens(int kind, const char *below)
{
	return is_live(kind) || strstr(below, ".bloom") == NULL;
}

static void refuse_each_intruder(int kind, const char *below)
{
	bloom_segment segment = scratch_segment();
	bool is_directory = strchr(below, '/') == NULL;
	char path[BLOOM_PATH_BYTES_MAX], aside[BLOOM_PATH_BYTES_MAX];
	bloom_attachment filter, other;
	int i, tried = 0;

	(void)snprintf(path, sizeof path, "%s/segment%s%s", scratch_path(),
		below[0] == 0 ? "" : "/", below);
	(void)snprintf(aside, sizeof aside, "%s/aside", scratch_path());
	make(&segment, kind, &filter);
	for (i = 0; i < INTRUDERS; i++) {
		/* Skips what belongs there, and what cannot be created. Root accepts any owner
		 * of a segment's directory, and acts as that user. */
		if (i == (is_directory ? DIRECTORY : PLAIN_FILE) ||
			(i == FOREIGN && below[0] == 0) ||
			!intrude(path, aside, (intruder)i, is_directory)) {
			continue;
		}
		print_message("#   %s at /%s\n", intruder_names[i], below);
		assert_refused((intruder)i, bloom_attach(&segment, "tags", &other, &error));
		if (writer_opens(kind, below)) {
			assert_refused((intruder)i, create(&segment, kind));
		}
		assert_keys(&filter); /* a reader that has it mapped continues */
		evict(path, aside, (intruder)i, is_directory);
		attach_to(&segment, "tags", &other);
		assert_keys(&other);
		bloom_detach(&other);
		tried++;
	}
	assert_true(tried >= 7);
	unmake(&segment, &filter);
}

static void whatever_lies_in_the_place_of_a_file_is_refused(void **state)
{
	static const char *const places[] = {"", "tags", "tags/control", generation_one};
	size_t place;
	int kind;

	(void)state;
	for (kind = 0; kind < KINDS; kind++) {
		for (place = 0; place < sizeof places / sizeof *places; place++) {
			if (kind != OVERLAY) {
				refuse_each_intruder(kind, places[place]);
			}
		}
	}
	refuse_each_intruder(OVERLAY, "tags/overlay");
}

/* ---- names taken by another user ---- */

static int take_names(void *context)
{
	const bloom_segment *segment = context;

	return setgid(FOREIGN_USER) == 0 && setuid(FOREIGN_USER) == 0 &&
			mkdir(segment->path, 0700) == 0 &&
			mkdir(in_segment(segment, "tags"), 0700) == 0
		? 0
		: 1;
}

static int visit_taken_names(void *context)
{
	const bloom_segment *segment = context;
	bloom_attachment filter;
	int kind;

	if (setgid(FOREIGN_USER - 1) != 0 || setuid(FOREIGN_USER - 1) != 0) {
		return 1;
	}
	for (kind = 0; kind < KINDS; kind++) {
		if (bloom_attach(segment, "tags", &filter, &error) == BLOOM_OK ||
			create(segment, kind) == BLOOM_OK) {
			return 2;
		}
		if (error.status != BLOOM_E_SYSTEM && error.status != BLOOM_E_REFUSED_OWNER) {
			return 3;
		}
		if (error.status == BLOOM_E_REFUSED_OWNER &&
			strstr(error.subject, "owned by user 65534") == NULL) {
			return 4;
		}
	}
	return 0;
}

static void a_name_that_another_user_took_first_is_refused(void **state)
{
	bloom_segment segment = scratch_segment();

	(void)state;
	if (geteuid() != 0) {
		skip_because("needs root, to act as two other users");
	}
	assert_int_equal(0, chmod(scratch_path(), 01777));
	assert_int_equal(0, run_child(take_names, &segment));
	assert_int_equal(0, run_child(visit_taken_names, &segment)); /* the mode keeps them out */
	assert_int_equal(0, chmod(segment.path, 0777));
	/* The files still belong to another user. */
	assert_int_equal(0, run_child(visit_taken_names, &segment));
	assert_int_equal(3,
		count_entries(scratch_path(), "") + count_entries(segment.path, "") + 1 +
			count_entries(in_segment(&segment, "tags"), ""));
}

/* ---- locks that are held forever ---- */

typedef struct holding {
	const bloom_segment *segment;
	int kind;
	int *held; /* shared: 1 once the process holds them all */
} holding;

static int hold_all_locks(void *context)
{
	const holding *it = context;
	int directory = open(in_segment(it->segment, "tags"), O_RDONLY | O_DIRECTORY);
	int file = open(in_segment(it->segment, "%s", live_path(it->kind)), O_RDWR);
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
	bloom_live *live = kind == OVERLAY ? filter->overlay : filter->live;

	if (kind == BLOOM_KIND_COUNTING) {
		assert_status(BLOOM_E_BUSY, add(filter, KEYS));
		return;
	}
	assert_ok(add(filter, KEYS));
	assert_true(has(filter, KEYS));
	if (kind == BLOOM_KIND_SCALABLE) {
		live->head->layer[0].keys = live->known.layer[0].capacity_keys; /* full */
		assert_ok(add(filter, KEYS + 1));
		assert_true(has(filter, KEYS + 1));
		assert_int_equal(1, live->layers);
		assert_int_equal(1, live->head->growth_failures);
	}
	if (kind == BLOOM_KIND_SLIDING || kind == OVERLAY) {
		live->head->turn -= (live->known.params.window_ms / 2 + 1) * 4; /* over */
		assert_status(BLOOM_E_BUSY, add(filter, KEYS + 1));
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
		make(&segment, it.kind, &filter);
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
			assert_ok(add(&filter, KEYS + 2));
			assert_true(has(&filter, KEYS + 2));
		}
		unmake(&segment, &filter);
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
		switch (random_below(random, 4)) {
		case 0:
			bloom_store_relaxed(&page->generation, value);
			break;
		case 1:
			bloom_store_relaxed(
				&page->kind, random_below(random, BLOOM_KIND_COUNT + 2));
			break;
		case 2:
			bloom_store_relaxed(&page->overlay_from, value);
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
		make(&segment, kind, &filter);
		memcpy(&kept, filter.control, sizeof kept);
		for (round = 0; round < ROUNDS; round++) {
			for (look = 0; look < 3; look++) {
				scribble(filter.control, &random);
				presence = bloom_attachment_check(&filter);
				if (is_there(presence)) {
					assert_true(has(&filter, random_below(&random, KEYS)));
				} else if (presence == BLOOM_PRESENCE_ABSENT) {
					assert_true(may_say_absent(filter.control->generation));
				}
				if (random_below(&random, 4) == 0) {
					bloom_attachment_trim(&filter);
				}
			}
			memcpy(filter.control, &kept, sizeof kept);
			assert_true(is_there(bloom_attachment_check(&filter)));
			assert_true(has(&filter, random_below(&random, KEYS)));
		}
		assert_keys(&filter);
		unmake(&segment, &filter);
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
		make(&segment, kind, &filter);
		memcpy(&kept, filter.control, sizeof kept);
		child = start_child(flip_for_ever, &it);
		for (look = 0; look < LOOKS; look++) {
			if (is_there(bloom_attachment_check(&filter))) {
				assert_true(has(&filter, (uint64_t)look % KEYS));
			}
		}
		assert_int_equal(0, kill(child, SIGKILL));
		assert_int_equal(1000 + SIGKILL, wait_child(child));
		memcpy(filter.control, &kept, sizeof kept);
		assert_keys(&filter);
		unmake(&segment, &filter);
	}
}

/* ---- another version of the extension ---- */

/* The word of the file that contains its layout number. */
static uint64_t *layout_of(bloom_attachment *filter, int kind)
{
	return kind == OVERLAY                 ? &live_head(filter->overlay)->layout
		: kind == BLOOM_KIND_ON_DEMAND ? &filter->cache->head->layout
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
			make(&segment, kind, &filter);
			filter.control->layout += (uint64_t)step;
			assert_status(BLOOM_E_CONTROL_VERSION,
				bloom_attach(&segment, "tags", &other, &error));
			assert_status(BLOOM_E_CONTROL_VERSION, create(&segment, kind));
			filter.control->layout -= (uint64_t)step;
			if (kind != BLOOM_KIND_LOADED) { /* a blob has its own version */
				layout = layout_of(&filter, kind);
				*layout += (uint64_t)step;
				assert_status(
					kind == BLOOM_KIND_ON_DEMAND ? BLOOM_E_CACHE : BLOOM_E_LIVE,
					bloom_attach(&segment, "tags", &other, &error));
				if (is_live(kind)) {
					assert_status(BLOOM_E_LIVE, create(&segment, kind));
				}
				assert_int_equal(1, filter.control->generation);
				*layout -= (uint64_t)step;
			}
			attach_to(&segment, "tags", &other);
			assert_keys(&other);
			bloom_detach(&other);
			unmake(&segment, &filter);
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
	for (kind = 0; kind < KINDS; kind++) {
		for (round = 0; round < 2; round++) {
			make(&segment, kind, &filter);
			/* Deletes only the filter, as a program that removes old files may do,
			 * or the whole segment. */
			remove_tree(round == 0 ? in_segment(&segment, "tags") : segment.path);
			assert_keys(&filter);
			assert_false(bloom_attachment_naming(&filter) == BLOOM_NAMING_SAME);
			assert_status(
				BLOOM_E_NOT_FOUND, bloom_attach(&segment, "tags", &other, &error));
			if (is_live(kind)) {
				assert_ok(add(&filter, KEYS));
				assert_true(has(&filter, KEYS));
			}
			assert_ok(create(&segment, kind));
			attach_to(&segment, "tags", &other);
			assert_true(bloom_attachment_naming(&other) == BLOOM_NAMING_SAME);
			if (is_live(kind)) {
				assert_false(has(&other, KEYS)); /* a new, empty filter */
				assert_ok(add(&other, KEYS));
				assert_true(has(&other, KEYS));
			} else {
				assert_keys(&other);
			}
			assert_keys(&filter);
			bloom_detach(&other);
			unmake(&segment, &filter);
		}
	}
}

/* ---- a reboot, and a directory that outlived it ---- */

static void what_a_disk_kept_over_a_reboot_counts_as_absent(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment filter, other;
	int kind;

	(void)state;
	assert_true(bloom_boot_id() != 0);
	for (kind = 0; kind < KINDS; kind++) {
		make(&segment, kind, &filter);
		filter.control->boot = bloom_boot_id() + 2;
		assert_status(BLOOM_E_NOT_FOUND, bloom_attach(&segment, "tags", &other, &error));
		assert_non_null(strstr(error.subject, "reboot"));
		/* Its bits may never have reached the disk, so nothing of it is reused. */
		assert_ok(create(&segment, kind));
		attach_to(&segment, "tags", &other);
		if (is_live(kind)) {
			assert_true(has(&filter, KEYS - 1));
			assert_false(kind != OVERLAY && has(&other, KEYS - 1));
		} else {
			assert_keys(&other);
		}
		assert_int_equal(
			kind == OVERLAY ? 3 : 2, count_entries(in_segment(&segment, "tags"), ""));
		bloom_detach(&other);
		unmake(&segment, &filter);
	}
}

static void a_page_on_a_disk_says_of_which_boot_it_is(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment filter;
	char path[] = "/var/tmp/bloom-neighbour.XXXXXX";
	int directory;

	(void)state;
	make(&segment, BLOOM_KIND_LIVE, &filter);
	directory = open(segment.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(
		bloom_directory_is_memory(directory) ? 0 : bloom_boot_id(), filter.control->boot);
	(void)close(directory);
	unmake(&segment, &filter);

	assert_non_null(mkdtemp(path));
	directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_ok(bloom_segment_init(&segment, path, strlen(path), &error));
	make(&segment, BLOOM_KIND_LIVE, &filter);
	assert_int_equal(
		bloom_directory_is_memory(directory) ? 0 : bloom_boot_id(), filter.control->boot);
	unmake(&segment, &filter);
	(void)close(directory);
	remove_tree(path);
}

/* If the page does not identify the boot (a page of an older build, a system without /proc),
 * times in the distant future belong to another boot. */
static void times_of_another_boot_s_clock_stop_nobody(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t now = bloom_monotonic_ms(), ahead = now + UINT64_C(1000) * HOUR, lease = 0;
	bloom_attachment filter;
	uint64_t turn;
	int kind;

	(void)state;
	for (kind = 0; kind < KINDS; kind++) {
		make(&segment, kind, &filter);
		filter.control->lease_until_ms = ahead;
		filter.control->checked_ms = ahead;
		assert_true(bloom_sync_is_due(filter.control, 60000, now));
		filter.control->failed_ms = ahead;
		filter.control->failures_in_row = 100;
		assert_true(bloom_sync_is_due(filter.control, 60000, now));
		assert_true(bloom_sync_lease_take(filter.control, now, &lease));
		switch (kind) {
		case BLOOM_KIND_SCALABLE:
			filter.live->head->growth_retry_ms = ahead;
			filter.live->head->layer[0].keys =
				filter.live->known.layer[0].capacity_keys;
			assert_ok(add(&filter, KEYS));
			assert_int_equal(2, filter.live->layers);
			break;
		case BLOOM_KIND_SLIDING:
		case OVERLAY:
			(kind == OVERLAY ? filter.overlay : filter.live)->head->turn = ahead * 4;
			assert_keys(&filter);
			assert_ok(add(&filter, KEYS));
			assert_true(has(&filter, KEYS));
			break;
		case BLOOM_KIND_ON_DEMAND:
			filter.cache->head->retry_at_ms = ahead;
			assert_int_equal(0, bloom_cache_pause_ms(filter.cache, now));
			assert_true(bloom_cache_may_ask(filter.cache, now, &turn));
			break;
		default:
			break;
		}
		assert_keys(&filter);
		unmake(&segment, &filter);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH("anything that is not the expected file is refused",
			whatever_lies_in_the_place_of_a_file_is_refused),
		TEST_IN_SCRATCH("a path that another user created first is refused",
			a_name_that_another_user_took_first_is_refused),
		TEST_IN_SCRATCH(
			"a process that holds the locks forever delays writers but no reader",
			who_holds_the_locks_for_ever_delays_writers_and_no_reader),
		TEST_IN_SCRATCH("garbage in a control page gives 'maybe' only while it is there",
			nonsense_in_a_control_page_gives_maybe_and_passes),
		TEST_IN_SCRATCH(
			"a control page that changes all the time never causes a wrong 'no'",
			a_control_page_that_flips_all_the_time_leads_to_no_wrong_no),
		TEST_IN_SCRATCH("files of another version are refused and left unchanged",
			files_of_another_version_are_refused_and_left_as_they_are),
		TEST_IN_SCRATCH("a reader of deleted files continues, and the name is free",
			who_has_deleted_files_mapped_goes_on_and_the_name_is_free),
		TEST_IN_SCRATCH("files that a disk kept across a reboot count as absent",
			what_a_disk_kept_over_a_reboot_counts_as_absent),
		TEST_IN_SCRATCH("a control page on a disk names its boot",
			a_page_on_a_disk_says_of_which_boot_it_is),
		TEST_IN_SCRATCH("times of another boot's clock block no process",
			times_of_another_boot_s_clock_stop_nobody),
	};

	return cmocka_run_group_tests_name("neighbour", tests, NULL, NULL);
}

/* Filters of any kind whose files or times are from before a reboot: files on a disk count as
 * absent, and times of another boot's clock block no process. */
#include "kinds.h"

#include <fcntl.h>
#include <unistd.h>

#include "kinds/ondemand.h"
#include "segment/sync_due.h"
#include "segment/sync_lease.h"

/* ---- a reboot, and a directory that outlived it ---- */

static void what_a_disk_kept_over_a_reboot_counts_as_absent(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment filter, other;
	int kind;

	(void)state;
	assert_true(bloom_boot_id() != 0);
	for (kind = 0; kind < KINDS; kind++) {
		make_kind(&segment, kind, &filter);
		filter.control->boot = bloom_boot_id() + 2;
		assert_status(BLOOM_E_NOT_FOUND, bloom_attach(&segment, "tags", &other, &error));
		assert_non_null(strstr(error.subject, "reboot"));
		/* The filter's bits may never have reached the disk, so none of them are reused. */
		assert_ok(create_kind(&segment, kind));
		attach_to(&segment, "tags", &other);
		if (is_live(kind)) {
			assert_true(has_key(&filter, KEYS - 1));
			assert_false(has_key(&other, KEYS - 1));
		} else {
			assert_keys(&other);
		}
		assert_int_equal(2, count_entries(in_segment(&segment, "tags"), ""));
		bloom_detach(&other);
		unmake_kind(&segment, &filter);
	}
}

static void a_page_on_a_disk_says_of_which_boot_it_is(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment filter;
	char path[] = DISK "/bloom-neighbour.XXXXXX";
	int directory;

	(void)state;
	make_kind(&segment, BLOOM_KIND_LIVE, &filter);
	directory = open(segment.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(
		bloom_directory_is_memory(directory) ? 0 : bloom_boot_id(), filter.control->boot);
	(void)close(directory);
	unmake_kind(&segment, &filter);

	assert_non_null(mkdtemp(path));
	directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_ok(bloom_segment_init(&segment, path, strlen(path), &error));
	make_kind(&segment, BLOOM_KIND_LIVE, &filter);
	assert_int_equal(
		bloom_directory_is_memory(directory) ? 0 : bloom_boot_id(), filter.control->boot);
	unmake_kind(&segment, &filter);
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
		make_kind(&segment, kind, &filter);
		filter.control->lease_until_ms = ahead;
		filter.control->checked_ms = ahead;
		assert_true(bloom_sync_is_due(filter.control, 60000, now));
		filter.control->failed_ms = ahead;
		filter.control->failures_in_row = 100;
		assert_true(bloom_sync_is_due(filter.control, 60000, now));
		assert_true(bloom_lease_take(filter.control, now, &lease));
		switch (kind) {
		case BLOOM_KIND_SCALABLE:
			filter.live->head->growth_retry_ms = ahead;
			filter.live->head->layer[0].keys =
				filter.live->known.layer[0].capacity_keys;
			assert_ok(add_key(&filter, KEYS));
			assert_int_equal(2, filter.live->layers);
			break;
		case BLOOM_KIND_SLIDING:
			filter.live->head->turn = ahead * 4;
			assert_keys(&filter);
			assert_ok(add_key(&filter, KEYS));
			assert_true(has_key(&filter, KEYS));
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
		unmake_kind(&segment, &filter);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: segment-on-disk */
		TEST_IN_SCRATCH("files that a disk kept across a reboot count as absent",
			what_a_disk_kept_over_a_reboot_counts_as_absent),
		/* fault: segment-on-disk */
		TEST_IN_SCRATCH("a control page on a disk identifies the boot that created it",
			a_page_on_a_disk_says_of_which_boot_it_is),
		/* fault: segment-on-disk */
		TEST_IN_SCRATCH("times from the clock of another boot block no process",
			times_of_another_boot_s_clock_stop_nobody),
	};

	return cmocka_run_group_tests_name("reboot", tests, NULL, NULL);
}

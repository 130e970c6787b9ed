/* Tests of extreme sizes and values: fully allocated files, a blob of more than 4 GiB, and counters
 * at their maximum. */
#include "scenes.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "kinds/attachment.h"
#include "segment/segment.h"
#include "segment/stage.h"
#include "segment/sync_due.h"

/* ---- allocated space ---- */

static void assert_no_holes(const bloom_segment *segment, const char *what)
{
	DIR *stream = opendir(in_segment(segment, SCENE_NAME));
	struct dirent *entry;
	struct stat found;

	assert_non_null(stream);
	while ((entry = readdir(stream)) != NULL) {
		assert_int_equal(0, fstatat(dirfd(stream), entry->d_name, &found, 0));
		if (S_ISREG(found.st_mode) &&
			(uint64_t)found.st_blocks * 512 < (uint64_t)found.st_size) {
			fail_msg("%s: %s has %llu of %llu bytes allocated", what, entry->d_name,
				(unsigned long long)found.st_blocks * 512,
				(unsigned long long)found.st_size);
		}
	}
	closedir(stream);
}

static void whatever_is_made_has_all_its_memory_at_once(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;
	bool there;
	unsigned i;

	(void)state;
	scenes_begin();
	for (i = 0; i < scene_count; i++) {
		if (scenes[i].entries < 2) {
			continue; /* the scene creates no filter */
		}
		remove_tree(segment.path);
		scenes[i].prepare(&segment);
		there = bloom_attach(&segment, SCENE_NAME, &attachment, &error) == BLOOM_OK;
		assert_ok(scenes[i].act(&segment, there ? &attachment : NULL, &error));
		if (there) {
			bloom_detach(&attachment);
		}
		assert_no_holes(&segment, scenes[i].what);
	}
	scenes_end();
}

/* ---- size ---- */

static uint64_t available_memory(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	unsigned long long kib = 0;
	char line[128];

	while (file != NULL && fgets(line, sizeof line, file) != NULL && kib == 0) {
		(void)sscanf(line, "MemAvailable: %llu", &kib);
	}
	if (file != NULL) {
		fclose(file);
	}
	return (uint64_t)kib * 1024;
}

/* Only a few keys are added, so few pages of the builder are touched. All pages of the generation
 * are allocated. */
static void a_blob_of_more_than_4_gib_is_loaded_and_looked_up_to_its_end(void **state)
{
	enum { MANY = 20000 };
	const uint64_t least = UINT64_C(1) << 32;
	bloom_params params = {
		.capacity_keys = 35000000, .rate = 0.5, .bits_per_key = 1024, .shard_bytes = 65536};
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;
	bloom_builder builder = {0};
	char text[KEY_TEXT_BYTES];
	uint64_t i, beyond = 0, maybe = 0, generation;
	struct statvfs room;
	bloom_stage stage;
	size_t count;

	(void)state;
	if (getenv("BLOOM_TEST_LARGE") == NULL || sizeof(size_t) < 8) {
		skip_because("it takes minutes and needs BLOOM_TEST_LARGE and 64 bits");
	}
	assert_int_equal(0, statvfs(scratch_path(), &room));
	if (available_memory() < 3 * least || room.f_bavail * room.f_frsize < 3 * least / 2) {
		skip_because("it needs 12 GiB of memory and 6 GiB of disk space");
	}
	assert_ok(bloom_builder_init(&params, 77, 1u << 20, &builder, &error));
	for (i = 0; i < MANY; i++) {
		(void)builder_add_key(&builder, "large", i);
		beyond += bloom_fast_range(key_digest(77, "large", i), builder.view.blocks) *
				builder.view.block_bytes >=
			least;
	}
	assert_in_range(beyond, MANY / 50, MANY / 20); /* 4.1 % of the filter is beyond 4 GiB */
	assert_ok(bloom_builder_finish(&builder, 1, 1, &error));
	assert_true(builder.image_bytes > least);
	assert_ok(bloom_stage_begin(&segment, "large", builder.image_bytes, &stage, &error));
	assert_ok(bloom_stage_write(&stage, builder.image, builder.image_bytes, &error));
	bloom_builder_free(&builder);
	assert_ok(bloom_stage_commit(&stage, &generation, &error));
	attach_to(&segment, "large", &attachment);
	assert_true(attachment.loaded->head.file_bytes > least);
	for (i = 0; i < MANY; i++) {
		count = key_text("large", i, text);
		assert_true(bloom_attachment_test(&attachment, (const unsigned char *)text, count));
		count = key_text("absent", i, text);
		maybe += bloom_attachment_test(&attachment, (const unsigned char *)text, count);
	}
	assert_in_range(maybe, 0, 100);
	bloom_detach(&attachment);
}

/* ---- counters ---- */

/* Sets all counters to their maximum, except generation numbers and turns. */
static void count_to_the_end(bloom_attachment *attachment)
{
	bloom_control *control = attachment->control;
	bool is_cache = attachment->ops->kind == BLOOM_KIND_ON_DEMAND;
	bool is_live = attachment->ops->layout != NULL;
	bloom_cache_head *cache = is_cache ? attachment->cache->head : NULL;
	uint64_t *const counters[] = {&control->loads, &control->syncs, &control->sync_failures,
		&control->failures_in_row, cache != NULL ? &cache->hand : NULL,
		cache != NULL ? &cache->misses : NULL, cache != NULL ? &cache->unavailable : NULL,
		cache != NULL ? &cache->fetched : NULL, cache != NULL ? &cache->evicted : NULL,
		cache != NULL ? &cache->fetch_failures : NULL,
		cache != NULL ? &cache->failures_in_row : NULL,
		cache != NULL ? &cache->lacking_in_row : NULL,
		cache != NULL ? &cache->fillings : NULL};
	bloom_live *live = is_live ? attachment->live : NULL;
	size_t i, layer;

	for (i = 0; i < sizeof counters / sizeof *counters; i++) {
		if (counters[i] != NULL) {
			*counters[i] = UINT64_MAX;
		}
	}
	if (live != NULL) {
		live->head->growth_failures = UINT64_MAX;
		for (layer = 0; layer < live->layers; layer++) {
			live->head->layer[layer].keys = UINT64_MAX;
		}
	}
}

/* Checks that a failing store is asked again after the usual pause, and that an answer ends the
 * pause. */
static void check_pauses(bloom_attachment *attachment)
{
	const uint64_t now = 1000000000;
	uint64_t turn = 0;
	int i;

	attachment->control->failed_ms = now;
	assert_true(bloom_sync_is_due(attachment->control, 60000, now + 60000));
	for (i = 0; i < 2; i++) {
		bloom_sync_failed(attachment->control, now, BLOOM_E_STORE, "");
		assert_true(bloom_sync_is_due(attachment->control, 60000, now + 60000));
	}
	bloom_sync_head_begin(attachment->control);
	assert_true(bloom_sync_head_end(attachment->control, now));
	bloom_sync_succeeded(attachment->control, now);
	assert_false(bloom_sync_is_due(attachment->control, 60000, now + 59999));
	assert_true(bloom_sync_is_due(attachment->control, 60000, now + 60000));
	if (attachment->ops->kind == BLOOM_KIND_ON_DEMAND) {
		for (i = 0; i < 2; i++) {
			bloom_cache_failed(attachment->cache, now, turn);
			assert_in_range(bloom_cache_pause_ms(attachment->cache, now), 1,
				BLOOM_FETCH_PAUSE_MS_MAX);
			assert_true(bloom_cache_may_ask(
				attachment->cache, now + BLOOM_FETCH_PAUSE_MS_MAX, &turn));
		}
		bloom_cache_answered(attachment->cache, 0, 1, now, turn);
		bloom_cache_answered(attachment->cache, 1, 0, now, turn);
		assert_int_equal(0, bloom_cache_pause_ms(attachment->cache, now));
	}
}

static void counters_may_come_to_their_end(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;
	unsigned i, round;

	(void)state;
	scenes_begin();
	for (i = 0; i < scene_count; i++) {
		for (round = 0; round < 2; round++) {
			remove_tree(segment.path);
			scenes[i].prepare(&segment);
			if (bloom_attach(&segment, SCENE_NAME, &attachment, &error) != BLOOM_OK) {
				continue; /* without a filter there are no counters */
			}
			count_to_the_end(&attachment);
			if (round == 1) {
				check_pauses(&attachment);
				count_to_the_end(&attachment);
			}
			(void)scene_look(&scenes[i], &segment);
			assert_ok(scenes[i].act(&segment, &attachment, &error));
			bloom_detach(&attachment);
			assert_true(scene_look(&scenes[i], &segment) > 0);
			scene_heal(&scenes[i], &segment); /* another writer succeeds as usual */
		}
	}
	scenes_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: space-later */
		TEST_IN_SCRATCH("every file is fully allocated when it is created",
			whatever_is_made_has_all_its_memory_at_once),
		/* fault: over-4-gib */
		TEST_IN_SCRATCH(
			"a blob of more than 4 GiB can be loaded, and keys beyond 4 GiB are found",
			a_blob_of_more_than_4_gib_is_loaded_and_looked_up_to_its_end),
		/* fault: counter-wraps */
		TEST_IN_SCRATCH("filters keep working when their counters reach the maximum",
			counters_may_come_to_their_end),
	};

	return cmocka_run_group_tests_name("extremes", tests, NULL, NULL);
}

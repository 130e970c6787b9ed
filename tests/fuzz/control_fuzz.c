/* A control page with any contents, which may change at any moment while a process attaches, looks
 * keys up, syncs, loads and drops.
 *
 * The input is a program. Some of its steps store any number in any word of the page that the
 * reader has mapped. Such stores also happen between the system calls of a single call: before
 * each open, the input may change the page. (Loads and stores of the page are whole words, so a
 * reader can never see part of a change.) A reader gets "maybe", a typed error, or the answer of
 * an existing generation, and nothing else. Once the page is right again, everything works as
 * before.
 */
/* fault: arbitrary-bytes */
#include <stdlib.h>
#include <string.h>

#include "kinds/create.h"
#include "kinds/sliding.h"
#include "support.h"
#include "segment/sync_due.h"
#include "segment/list.h"
#include "segment/drop.h"
#include "segment/sync_lease.h"

enum { KEYS_IN = 40, STEPS_MAX = 64, GENERATIONS = 5 };

static const char name[] = "f";
static const bloom_geometry geometry = {
	.seed = 7, .shards = 2, .shard_bytes = 1024, .block_bytes = 64, .probes = 6};

/* The file of generation n, and its kind. */
static small_blob file_of[GENERATIONS + 1];
static const bloom_kind kind_of[GENERATIONS + 1] = {
	[1] = BLOOM_KIND_LOADED,
	[2] = BLOOM_KIND_LOADED,
	[3] = BLOOM_KIND_LIVE,
	[4] = BLOOM_KIND_SLIDING,
	[5] = BLOOM_KIND_ON_DEMAND,
};

static small_blob take_file(void)
{
	size_t count;
	const unsigned char *bytes = read_in_filter(name, "0000000000000001.bloom", &count);

	return (small_blob){.bytes = bytes, .count = count};
}

static small_blob live_file(bloom_kind kind)
{
	bloom_live_params params = {.kind = (uint64_t)kind, .capacity_keys = 64, .rate = 0.01};
	bloom_attachment attachment = {0};
	bloom_stage stage = {0};
	uint64_t generation;
	bool is_new;
	uint8_t key;

	params.window_ms = kind == BLOOM_KIND_SLIDING ? 1000000000 : 0;
	wipe_filter(name);
	require(bloom_live_stage(fuzz_segment(), name, &params, 7, &geometry, NULL, &stage, NULL) ==
		BLOOM_OK);
	require(bloom_stage_commit(&stage, &generation, NULL) == BLOOM_OK);
	require(bloom_attach(fuzz_segment(), name, &attachment, NULL) == BLOOM_OK);
	for (key = 0; key < KEYS_IN; key++) {
		if (kind == BLOOM_KIND_SLIDING) {
			require(bloom_sliding_add(attachment.live, fuzz_segment(), name,
					digest_of_key(key, 7), clock_of_input, &is_new,
					NULL) == BLOOM_OK);
		} else {
			(void)bloom_live_add(attachment.live, 0, digest_of_key(key, 7));
		}
	}
	bloom_detach(&attachment);
	return take_file();
}

static small_blob cache_file(small_blob blob)
{
	bloom_stage stage = {0};
	uint64_t generation;
	bloom_head head;

	wipe_filter(name);
	require(bloom_blob_parse(blob.bytes, blob.count, &head, NULL) == BLOOM_OK);
	require(bloom_cache_stage(fuzz_segment(), name, 1 << 20, &head, blob.bytes, NULL, &stage,
			NULL) == BLOOM_OK);
	require(bloom_stage_commit(&stage, &generation, NULL) == BLOOM_OK);
	return take_file();
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
	(void)count;
	(void)arguments;
	file_of[1] = blob_with(&geometry, 1024, 1, KEYS_IN);
	file_of[2] = blob_with(&geometry, 1024, 2, KEYS_IN + 10);
	file_of[3] = live_file(BLOOM_KIND_LIVE);
	file_of[4] = live_file(BLOOM_KIND_SLIDING);
	file_of[5] = cache_file(file_of[1]);
	return 0;
}

static bool are_written; /* true until a load or drop removes the files */

static void write_files(void)
{
	char file[BLOOM_FILE_NAME_MAX];
	uint64_t generation;

	if (are_written) {
		return;
	}
	wipe_filter(name);
	make_filter(name);
	are_written = true;
	for (generation = 1; generation <= GENERATIONS; generation++) {
		bloom_generation_name(generation, file);
		write_in_filter(name, file, file_of[generation].bytes, file_of[generation].count);
	}
}

/* ---- the page ---- */

static input program;
static bloom_control *page;

/* Returns a number that is likely in a control page. */
static uint64_t take_value(void)
{
	switch (take_byte(&program) & 7) {
	case 0:
		return take_byte(&program) % (GENERATIONS + 2);
	case 1:
		return BLOOM_GENERATION_DROPPED;
	case 2:
		return BLOOM_GENERATION_UNMAPPED;
	case 3:
		return BLOOM_GENERATION_MAX;
	case 4:
		return BLOOM_GENERATION_MAX + 1;
	case 5:
		return clock_now_ms + take_byte(&program);
	default:
		return take_number(&program);
	}
}

static void change_page(void)
{
	uint8_t what = take_byte(&program);
	uint64_t value = take_value();
	uint64_t *words = (uint64_t *)(void *)page;

	switch (what & 7) {
	case 0:
	case 1:
	case 2:
		bloom_store_release(&page->generation, value);
		break;
	case 3:
	case 4:
		bloom_store_relaxed(&page->kind, value);
		break;
	case 5:
	case 6:
		/* Only the first 32 words have a meaning. */
		bloom_store_relaxed(words + (what >> 3), value);
		break;
	default: /* a valid kind and generation */
		bloom_store_relaxed(&page->kind, (uint64_t)kind_of[1 + value % GENERATIONS]);
		bloom_store_release(&page->generation, 1 + value % GENERATIONS);
	}
}

static void make_page_right(void)
{
	*page = valid_control(BLOOM_KIND_LOADED);
}

/* Replaces the core's function, which every attach, load and drop uses. */
bloom_status __real_bloom_file_open(int directory, const char *file_name, bool writable,
	bloom_owner owner, int *file, uint64_t *bytes, bloom_error *error);
bloom_status __wrap_bloom_file_open(int directory, const char *file_name, bool writable,
	bloom_owner owner, int *file, uint64_t *bytes, bloom_error *error);

bloom_status __wrap_bloom_file_open(int directory, const char *file_name, bool writable,
	bloom_owner owner, int *file, uint64_t *bytes, bloom_error *error)
{
	if (page != NULL && (take_byte(&program) & 3) == 1) {
		change_page();
	}
	return __real_bloom_file_open(directory, file_name, writable, owner, file, bytes, error);
}

/* ---- what a process does ---- */

static void look_up(bloom_attachment *attachment, uint8_t key)
{
	bloom_presence presence = bloom_attachment_check(attachment);
	bool found;

	if (presence != BLOOM_PRESENCE_VIEW && presence != BLOOM_PRESENCE_OPS &&
		presence != BLOOM_PRESENCE_RIBBON) {
		require(presence == BLOOM_PRESENCE_UNMAPPED || presence == BLOOM_PRESENCE_ABSENT);
		return;
	}
	found = attachment_has(attachment, key);
	require(presence != BLOOM_PRESENCE_VIEW ||
		bloom_view_test(&attachment->view, digest_of_key(key, attachment->view.seed)) ==
			found);
	/* Every file has these keys, and the window never ends. */
	require(found || key >= KEYS_IN);
}

static void sync_once(void)
{
	uint64_t ttl_ms = take_number(&program), lease = 0;

	(void)bloom_sync_is_due(page, ttl_ms, clock_now_ms);
	if (bloom_lease_take(page, clock_now_ms, &lease)) {
		bloom_lease_renew(page, clock_now_ms, &lease);
		if (take_byte(&program) & 1) {
			bloom_sync_failed(page, clock_now_ms, BLOOM_E_STORE, "\xffnot\na\x80text");
		} else {
			bloom_sync_succeeded(page, clock_now_ms);
		}
		bloom_lease_release(page, lease);
	}
}

static bool count_filter(void *context, const char *found)
{
	require(strcmp(found, name) == 0);
	++*(int *)context;
	return true;
}

static void load(small_blob blob)
{
	bloom_error error = {0};
	bloom_stage stage = {0};
	uint64_t generation = 0;
	bloom_status status = bloom_stage_begin(fuzz_segment(), name, blob.count, &stage, &error);

	if (!succeeded(status, &error)) {
		return;
	}
	status = bloom_stage_write(&stage, blob.bytes, blob.count, &error);
	require(succeeded(status, &error));
	if (succeeded(bloom_stage_commit(&stage, &generation, &error), &error)) {
		require(generation >= 1 && generation <= BLOOM_GENERATION_MAX);
	}
}

/* Undoes what drops and loads did to the directory, so that the next step finds the original
 * state. */
static void renew_files(bloom_attachment *attachment)
{
	bloom_attachment fresh = {0};
	bloom_control right = valid_control(BLOOM_KIND_LOADED);

	page = NULL;
	bloom_detach(attachment);
	are_written = false;
	write_files();
	write_in_filter(name, BLOOM_CONTROL_NAME, &right, sizeof right);
	require(bloom_attach(fuzz_segment(), name, &fresh, NULL) == BLOOM_OK);
	*attachment = fresh;
	page = attachment->control;
}

static void step(bloom_attachment *attachment)
{
	bloom_attachment other = {0};
	bloom_error error = {0};
	bool existed = false;
	uint8_t what = take_byte(&program);
	int found = 0;

	page = attachment->control;
	switch (what & 15) {
	case 0:
	case 1:
	case 2:
	case 3:
		change_page();
		break;
	case 4:
		bloom_attachment_trim(attachment);
		break;
	case 5:
		(void)bloom_attachment_refresh(attachment);
		break;
	case 6:
		(void)bloom_attachment_naming(attachment);
		break;
	case 7:
		if (succeeded(bloom_attach(fuzz_segment(), name, &other, &error), &error)) {
			look_up(&other, what >> 4);
			bloom_detach(&other);
		}
		break;
	case 8:
		sync_once();
		break;
	case 9:
		require(succeeded(
			bloom_segment_each(fuzz_segment(), count_filter, &found, &error), &error));
		require(found <= 1);
		break;
	case 10:
		load(file_of[1 + (what >> 4 & 1)]);
		renew_files(attachment);
		break;
	case 11:
		(void)succeeded((what >> 4) == 0
				? bloom_segment_drop(fuzz_segment(), name, &existed, &error)
				: bloom_segment_drop_kind(fuzz_segment(), name,
					  (uint32_t)(what >> 4) - 1, &existed, &error),
			&error);
		renew_files(attachment);
		break;
	default:
		look_up(attachment, take_byte(&program));
	}
	/* After a drop, the attachment may have another page. */
	page = attachment->control;
}

/* Once the page is right again, readers trust it, whatever it contained before. */
static void check_recovered(bloom_attachment *attachment)
{
	uint8_t key;

	write_files();
	page = attachment->control;
	program = (input){0};
	make_page_right();
	/* A mapped generation with this number may be of another kind now. */
	attachment->generation = BLOOM_GENERATION_UNMAPPED;
	require(bloom_attachment_check(attachment) == BLOOM_PRESENCE_VIEW ||
		bloom_attachment_check(attachment) == BLOOM_PRESENCE_OPS);
	for (key = 0; key < KEYS_IN; key++) {
		look_up(attachment, key);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count)
{
	bloom_control right = valid_control(BLOOM_KIND_LOADED);
	bloom_attachment attachment = {0};
	int free_file = lowest_free_file();
	unsigned i;

	clock_now_ms = 1000000;
	page = NULL;
	program = (input){.next = data, .left = count};
	write_files();
	write_in_filter(name, BLOOM_CONTROL_NAME, &right, sizeof right);
	require(bloom_attach(fuzz_segment(), name, &attachment, NULL) == BLOOM_OK);
	for (i = 0; i < STEPS_MAX && program.left > 0; i++) {
		step(&attachment);
	}
	check_recovered(&attachment);
	page = NULL;
	bloom_detach(&attachment);
	require(lowest_free_file() == free_file);
	return 0;
}

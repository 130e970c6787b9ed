/* A snapshot with any head: parses it, restores it, looks keys up, adds keys, and saves it again.
 *
 * An input is a whole snapshot, or it chooses a kind, of which the core has written a snapshot, and
 * changes its words. An attacker can write right checksums and digests, so the target corrects
 * them. A restored filter can be mapped, finds the keys that are added to it, and can be saved. An
 * unchanged snapshot has all its keys.
 */
/* fault: arbitrary-bytes, snapshot-damaged */
#include <stdlib.h>
#include <string.h>

#include "kinds/create.h"
#include "kinds/counting.h"
#include "kinds/reverse_live.h"
#include "kinds/snapshot.h"
#include "support.h"
#include "segment/drop.h"

enum { BASES = 5, KEYS_IN = 40, ROOM = 64 * 1024, CHANGES_MAX = 24 };

static const char name[] = "f";

static bloom_live_params params_of(int kind)
{
	bloom_live_params params = {.kind = (uint64_t)kind, .capacity_keys = 20, .rate = 0.01};

	if (kind == BLOOM_KIND_SCALABLE) {
		params.growth = 2;
		params.tightening = 0.8;
	} else if (kind == BLOOM_KIND_SLIDING) {
		params.window_ms = 10000;
	} else if (kind == BLOOM_KIND_REVERSE) {
		params.groups = 300;
		params.fan_out = 64;
	}
	return params;
}

/* Returns false if the filter refused the key because it is full. No other failure is expected. */
static bool add_key(bloom_attachment *filter, uint8_t key)
{
	bloom_error error = {0};
	bloom_status status;
	bool is_new;

	status = filter->ops->add != NULL
		? filter->ops->add(filter, &key, 1, &is_new, &error)
		: filter->ops->add_to_group(
			  filter, key % filter->live->reverse.groups, &key, 1, &is_new, &error);
	require(status == BLOOM_OK || status == BLOOM_E_FULL);
	return succeeded(status, &error);
}

/* A whole snapshot. */
typedef struct bytes_of {
	unsigned char *bytes;
	size_t count;
} bytes_of;

static bloom_status write_bytes(
	void *context, uint64_t at, const unsigned char *bytes, uint64_t count, bloom_error *error)
{
	bytes_of *file = context;

	(void)error;
	require(at <= file->count && count <= file->count - at);
	memcpy(file->bytes + at, bytes, count);
	return BLOOM_OK;
}

static bloom_status read_bytes(
	void *context, uint64_t at, unsigned char *bytes, uint64_t count, bloom_error *error)
{
	const bytes_of *file = context;

	if (at > file->count || count > file->count - at) {
		return bloom_fail(error, BLOOM_E_LENGTH, 0, "file");
	}
	memcpy(bytes, file->bytes + at, count);
	return BLOOM_OK;
}

/* Saves the filter and returns the snapshot, which the caller frees. */
static bytes_of save(void)
{
	bloom_saving *saving = malloc(sizeof *saving);
	bloom_error error;
	bytes_of file;

	require(saving != NULL);
	require(bloom_saving_begin(fuzz_segment(), name, 0, saving, &error) == BLOOM_OK);
	file.count = sizeof saving->head + saving->image_bytes;
	file.bytes = malloc(file.count);
	require(file.bytes != NULL);
	require(bloom_saving_run(saving, write_bytes, &file, &error) == BLOOM_OK);
	bloom_saving_end(saving);
	free(saving);
	return file;
}

/* What the core wrote. */
static bytes_of base[BASES];

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
	bloom_attachment filter;
	bloom_live_params params;
	bloom_error error;
	const uint64_t seed = 7;
	const bloom_creation how = {.seed = &seed};
	bool flag;
	int i, key;

	(void)count;
	(void)arguments;
	for (i = 0; i < BASES; i++) {
		params = params_of(BLOOM_KIND_LIVE + i);
		require(bloom_live_create(fuzz_segment(), name, &params, &how, &flag, &error) ==
			BLOOM_OK);
		require(bloom_attach(fuzz_segment(), name, &filter, &error) == BLOOM_OK);
		for (key = 0; key < KEYS_IN; key++) {
			require(add_key(&filter, (uint8_t)key));
		}
		bloom_detach(&filter);
		base[i] = save();
		require(base[i].count <= ROOM);
		require(bloom_segment_drop(fuzz_segment(), name, &flag, &error) == BLOOM_OK);
	}
	return 0;
}

/* Corrects the digest of the only piece, which begins after the head, and the checksum. */
static void mend(unsigned char *file, size_t count, bool digest)
{
	bloom_snapshot *head = (bloom_snapshot *)(void *)file;
	uint32_t kind = BLOOM_CHUNK_DIGEST_XXH3_128;
	unsigned char pair[2 * BLOOM_CHUNK_DIGEST_BYTES] = {0};

	if (count < sizeof *head) {
		return;
	}
	if (digest && head->signer == 0) {
		bloom_chunk_digest(kind, file + sizeof *head, count - sizeof *head,
			pair + BLOOM_CHUNK_DIGEST_BYTES);
		bloom_chunk_digest(kind, pair, sizeof pair, head->image);
	}
	bloom_snapshot_seal(head);
}

/* Restores as bloom_restore_file() does. Returns true if the filter exists now. */
static bool restore(unsigned char *bytes, size_t count)
{
	bloom_restoring *restoring = calloc(1, sizeof *restoring);
	bloom_stage *stage = calloc(1, sizeof *stage);
	bytes_of file = {bytes, count};
	bloom_error error = {0};
	bloom_status status;

	require(restoring != NULL && stage != NULL);
	status = bloom_restoring_begin(fuzz_segment(), name, BLOOM_KINDS_ANY, bytes,
		count < sizeof(bloom_snapshot) ? count : sizeof(bloom_snapshot), stage, restoring,
		&error);
	if (succeeded(status, &error)) {
		status = bloom_restoring_run(restoring, read_bytes, &file, &error);
		(void)succeeded(status, &error);
	}
	bloom_stage_abort(stage);
	free(stage);
	free(restoring);
	return status == BLOOM_OK;
}

static void use(bool is_unchanged, input *from)
{
	bloom_attachment filter;
	bloom_error error;
	unsigned i;
	uint8_t key;

	/* Another process may lack the secret or the memory, but here nothing else may fail. */
	require(bloom_attach(fuzz_segment(), name, &filter, &error) == BLOOM_OK);
	for (i = 0; is_unchanged && i < KEYS_IN; i++) {
		require(attachment_has(&filter, (uint8_t)i));
	}
	for (i = 0; i < 16 && from->left > 0; i++) {
		key = take_byte(from);
		(void)attachment_has(&filter, key);
		require(!add_key(&filter, key) || attachment_has(&filter, key));
	}
	free(save().bytes);
	bloom_detach(&filter);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count)
{
	input from = {.next = data, .left = count};
	uint8_t chosen = take_byte(&from), changes, mending;
	unsigned char *file = calloc(1, ROOM);
	bool is_unchanged = false, is_restored;
	size_t bytes, at;
	unsigned i;
	int before = lowest_free_file();

	require(file != NULL);
	clock_now_ms = 1000000;
	if (chosen % (BASES + 1) == BASES) {
		bytes = from.left < ROOM ? from.left : ROOM;
		memcpy(file, from.next, bytes);
		from.left = 0;
		mending = 2;
	} else {
		bytes = base[chosen % (BASES + 1)].count;
		memcpy(file, base[chosen % (BASES + 1)].bytes, bytes);
		mending = take_byte(&from) % 3;
		changes = take_byte(&from) % CHANGES_MAX;
		is_unchanged = changes == 0;
		for (i = 0; i < changes; i++) {
			/* Mostly in the head. */
			at = take_short(&from) % (from.left % 4 == 0 ? bytes : 400);
			if (at + 8 <= bytes && take_byte(&from) % 2 == 0) {
				bloom_put64(file + at, take_number(&from));
			} else {
				file[at] = take_byte(&from);
			}
		}
	}
	clock_now_ms += take_number(&from) % 100000;
	if (mending > 0) {
		mend(file, bytes, mending == 2);
	}
	is_restored = restore(file, bytes);
	require(is_restored || !is_unchanged);
	if (is_restored) {
		use(is_unchanged && clock_now_ms < 1005000, &from);
	}
	wipe_filter(name);
	free(file);
	bloom_filelock_close_all();
	require(lowest_free_file() == before);
	return 0;
}

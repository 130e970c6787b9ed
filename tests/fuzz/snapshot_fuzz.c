/* A snapshot with any head: parses it, restores it, looks keys up, adds keys, and saves it again.
 *
 * An input is a whole snapshot, or it chooses a kind, of which the core has written a snapshot, and
 * changes its words. An attacker can write right checksums, so the target corrects them. An
 * accepted head is written again and must have the same bytes: so the parser has checked or kept
 * every byte. An unchanged snapshot has all its keys.
 */
#include <stdlib.h>
#include <string.h>

#include "kinds/create.h"
#include "kinds/counting.h"
#include "kinds/restoring.h"
#include "kinds/reverse_live.h"
#include "kinds/saving.h"
#include "support.h"
#include "segment/drop.h"

enum { BASES = 5, KEYS_IN = 40, ROOM = 64 * 1024, CHANGES_MAX = 24 };

static const char name[] = "f";

/* What the core wrote. */
static unsigned char *base[BASES];
static size_t base_bytes[BASES];

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

/* Saves the filter and returns the snapshot, which the caller frees. */
static unsigned char *save(size_t *count)
{
	bloom_saving saving;
	bloom_snapshot_piece piece;
	const unsigned char *bytes;
	bloom_error error;
	unsigned char *file;

	require(bloom_saving_begin(fuzz_segment(), name, 0, &saving, &error) == BLOOM_OK);
	*count = saving.snapshot.file_bytes;
	file = malloc(*count);
	require(file != NULL);
	for (;;) {
		require(bloom_saving_next(&saving, &piece, &bytes, &error) == BLOOM_OK);
		if (bytes == NULL) {
			break;
		}
		require(piece.offset + piece.bytes <= *count);
		memcpy(file + piece.offset, bytes, piece.bytes);
	}
	require(bloom_saving_finish(&saving, &error) == BLOOM_OK);
	memcpy(file, saving.head, saving.snapshot.head_bytes);
	bloom_saving_end(&saving);
	return file;
}

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
		base[i] = save(&base_bytes[i]);
		require(base_bytes[i] <= ROOM);
		require(bloom_segment_drop(fuzz_segment(), name, &flag, &error) == BLOOM_OK);
	}
	return 0;
}

/* Corrects the digests of the pieces that the layers of the first row have, and the checksum. */
static void mend(unsigned char *file, size_t count, bool digests)
{
	uint64_t head_bytes = count >= BLOOM_SNAPSHOT_FIXED_BYTES ? bloom_get64(file + 16) : 0;
	bloom_snapshot *snapshot = malloc(sizeof *snapshot);
	bloom_snapshot_piece piece;
	bloom_error error;
	uint64_t i;

	require(snapshot != NULL);
	if (head_bytes >= BLOOM_SNAPSHOT_FIXED_BYTES && head_bytes <= count) {
		bloom_put64(file + head_bytes - 8, bloom_checksum(file, head_bytes - 8));
		if (digests &&
			bloom_snapshot_parse(file, head_bytes, snapshot, &error) == BLOOM_OK) {
			for (i = 0; i < snapshot->pieces; i++) {
				piece = bloom_snapshot_locate(snapshot, i);
				if (piece.offset + piece.bytes <= count) {
					bloom_chunk_digest(snapshot->piece_digest,
						file + piece.offset, piece.bytes,
						file + bloom_snapshot_digests_at(snapshot) +
							i * BLOOM_SNAPSHOT_DIGEST_BYTES);
				}
			}
			bloom_put64(file + head_bytes - 8, bloom_checksum(file, head_bytes - 8));
		}
	}
	free(snapshot);
}

/* Writes an accepted head again. */
static void check_canonical(const bloom_snapshot *snapshot, const unsigned char *head)
{
	unsigned char *again = malloc(snapshot->head_bytes);
	uint64_t at = bloom_snapshot_digests_at(snapshot);

	require(again != NULL);
	memcpy(again + at, head + at, snapshot->head_bytes - at);
	bloom_snapshot_write_head(snapshot, name, NULL, again);
	require(snapshot->signer != 0 || memcmp(again, head, snapshot->head_bytes) == 0);
	free(again);
}

/* Restores as bloom_restore_file() does. Returns true if the filter exists now. */
static bool restore(const unsigned char *file, size_t count)
{
	bloom_restoring *restoring = calloc(1, sizeof *restoring);
	bloom_stage *stage = calloc(1, sizeof *stage);
	bloom_error error = {0};
	bloom_snapshot_piece piece;
	uint64_t head_bytes = 0;
	bloom_status status = BLOOM_E_LENGTH;
	unsigned char *room;

	require(restoring != NULL && stage != NULL);
	if (count >= BLOOM_SNAPSHOT_FIXED_BYTES) {
		status = bloom_snapshot_peek(file, count, &head_bytes, &error);
		if (succeeded(status, &error)) {
			require(head_bytes <= count);
			status = bloom_restoring_begin(fuzz_segment(), name, BLOOM_KIND_COUNT, file,
				head_bytes, stage, restoring, &error);
			(void)succeeded(status, &error);
		}
	}
	if (status == BLOOM_OK) {
		check_canonical(&restoring->snapshot, file);
	}
	while (status == BLOOM_OK && (room = bloom_restoring_room(restoring, &piece)) != NULL) {
		require(piece.offset + piece.bytes <= restoring->snapshot.file_bytes);
		if (piece.offset + piece.bytes <= count) {
			memcpy(room, file + piece.offset, piece.bytes);
		}
		status = bloom_restoring_accept(restoring, &error);
		(void)succeeded(status, &error);
	}
	if (status == BLOOM_OK) {
		status = bloom_restoring_commit(restoring, &error);
		(void)succeeded(status, &error);
	}
	bloom_stage_abort(stage);
	bloom_restoring_end(restoring);
	free(stage);
	free(restoring);
	return status == BLOOM_OK;
}

static void use(bool is_unchanged, input *from)
{
	bloom_attachment filter;
	bloom_error error;
	unsigned char *again;
	size_t count;
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
	again = save(&count);
	bloom_detach(&filter);
	require(count >= BLOOM_SNAPSHOT_FIXED_BYTES);
	free(again);
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
		bytes = base_bytes[chosen % (BASES + 1)];
		memcpy(file, base[chosen % (BASES + 1)], bytes);
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

#include "kinds/saving.h"

#include <stdlib.h>
#include <string.h>

#include "os/userfile.h"

enum { ATTEMPTS_MAX = 10 };

static const bloom_live_layout *layout_of(const bloom_saving *saving)
{
	return bloom_live_layout_of(saving->snapshot.params.kind);
}

/* Returns the layer of the file that is layer `i` of the snapshot. */
static uint32_t layer_of(const bloom_saving *saving, uint32_t i)
{
	const bloom_live_layout *layout = layout_of(saving);

	return layout->saved_layer != NULL ? layout->saved_layer(saving->turn, i) : i;
}

/* ---- beginning ---- */

/* Describes the filter. The keys are counted at the end. */
static void describe(bloom_saving *saving, uint64_t id)
{
	const bloom_live *live = saving->from.live;
	const bloom_live_layout *layout = bloom_live_layout_of(live->known.params.kind);
	bloom_snapshot *snapshot = &saving->snapshot;
	uint32_t i;

	*snapshot = (bloom_snapshot){
		.params = live->known.params,
		.seed = live->known.seed,
		.created_ms = live->known.created_ms,
		.id = id,
		.piece_digest = BLOOM_CHUNK_DIGEST_XXH3_128,
		.layers = layout->saved_layers != 0 ? layout->saved_layers : live->layers,
	};
	for (i = 0; i < snapshot->layers; i++) {
		snapshot->layer[i] = live->known.layer[i];
	}
	(void)bloom_snapshot_measure(snapshot);
}

/* Returns the time to live that is left, at least 1 ms, or 0 if it is unlimited. */
static uint64_t ttl_left(const bloom_control *control)
{
	uint64_t expires_ms = bloom_load_relaxed(&control->expires_ms), now_ms = bloom_uptime_ms();

	return expires_ms == 0 ? 0 : expires_ms > now_ms ? expires_ms - now_ms : 1;
}

/* Begins an attempt to copy all pieces. The age of the turn and the clocks belong to the same
 * moment. */
static void begin_attempt(bloom_saving *saving)
{
	const bloom_live_layout *layout = layout_of(saving);
	bloom_snapshot_clocks now = bloom_snapshot_clocks_now();
	bloom_snapshot *snapshot = &saving->snapshot;

	saving->next = 0;
	snapshot->saved_ms = now.wall_ms;
	snapshot->saved_monotonic_ms = now.monotonic_ms;
	snapshot->saved_boot = now.boot;
	snapshot->ttl_ms = ttl_left(saving->from.control);
	if (layout->saved_turn != NULL) {
		saving->turn = layout->saved_turn(saving->from.live);
		snapshot->turn_age_ms = layout->saved_age(saving->turn, now.monotonic_ms);
	}
	/* A key whose add() returned before this call must be visible to the loads that follow. */
	bloom_fence();
}

static bloom_status choose_signer(bloom_saving *saving, bloom_error *error)
{
	const bloom_ring *signers = saving->from.segment->signers;
	const bloom_secret *key;

	if (signers == NULL || !signers->configured) {
		return BLOOM_OK;
	}
	key = bloom_ring_current(signers, BLOOM_E_NO_SIGNING_KEY, error);
	if (key == NULL) {
		return error->status;
	}
	saving->snapshot.signer = key->fingerprint;
	saving->snapshot.piece_digest = BLOOM_CHUNK_DIGEST_BLAKE2B;
	return BLOOM_OK;
}

bloom_status bloom_saving_begin(const bloom_segment *segment, const char *name, uint64_t id,
	bloom_saving *saving, bloom_error *error)
{
	bloom_error local;
	bloom_error *detail = error != NULL ? error : &local;
	bloom_status status;

	memset(saving, 0, sizeof *saving);
	status = bloom_attach(segment, name, &saving->from, detail);
	if (status != BLOOM_OK) {
		return status;
	}
	if (bloom_attachment_live(&saving->from) == NULL) {
		return bloom_fail(error, BLOOM_E_NOT_LIVE, 0, "%.128s: found %s", name,
			bloom_kind_text(saving->from.ops->kind));
	}
	describe(saving, id);
	status = choose_signer(saving, detail);
	if (status != BLOOM_OK) {
		return status;
	}
	saving->head = calloc(1, (size_t)saving->snapshot.head_bytes);
	saving->piece = malloc(BLOOM_SNAPSHOT_PIECE_BYTES);
	if (saving->head == NULL || saving->piece == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "%.128s", name);
	}
	begin_attempt(saving);
	return BLOOM_OK;
}

void bloom_saving_end(bloom_saving *saving)
{
	bloom_detach(&saving->from);
	free(saving->head);
	free(saving->piece);
	memset(saving, 0, sizeof *saving);
}

/* ---- pieces ---- */

/* Copies bits that other processes may set at the same time. */
static void copy_words(unsigned char *copy, const unsigned char *from, uint64_t bytes)
{
	const uint64_t *word = (const uint64_t *)(const void *)from;
	uint64_t i, value;

	for (i = 0; i < bytes / sizeof value; i++) {
		value = bloom_load_relaxed(word + i);
		memcpy(copy + i * sizeof value, &value, sizeof value);
	}
}

static bloom_status copy_piece(
	bloom_saving *saving, const bloom_snapshot_piece *piece, bloom_error *error)
{
	const bloom_live_layout *layout = layout_of(saving);
	bloom_live *live = saving->from.live;

	if (layout->save != NULL) {
		return layout->save(live, saving->from.segment, saving->from.name, piece->at,
			piece->bytes, saving->piece, error);
	}
	copy_words(saving->piece, bloom_live_bits(live, layer_of(saving, piece->layer)) + piece->at,
		piece->bytes);
	return BLOOM_OK;
}

/* Returns true if the layers still have the roles that they had when this attempt began. */
static bool is_same_turn(const bloom_saving *saving)
{
	const bloom_live_layout *layout = layout_of(saving);

	bloom_fence();
	return layout->saved_turn == NULL || layout->saved_turn(saving->from.live) == saving->turn;
}

bloom_status bloom_saving_next(bloom_saving *saving, bloom_snapshot_piece *piece,
	const unsigned char **bytes, bloom_error *error)
{
	bloom_status status;

	*bytes = NULL;
	for (;;) {
		if (!is_same_turn(saving)) {
			if (++saving->attempts >= ATTEMPTS_MAX) {
				return bloom_fail(error, BLOOM_E_BUSY, 0,
					"the filter rotated during every attempt to copy it");
			}
			begin_attempt(saving);
		}
		if (saving->next == saving->snapshot.pieces) {
			return BLOOM_OK;
		}
		*piece = bloom_snapshot_locate(&saving->snapshot, saving->next);
		status = copy_piece(saving, piece, error);
		if (status != BLOOM_OK) {
			return status;
		}
		if (is_same_turn(saving)) {
			break;
		}
	}
	bloom_chunk_digest(saving->snapshot.piece_digest, saving->piece, (size_t)piece->bytes,
		saving->head + bloom_snapshot_digests_at(&saving->snapshot) +
			saving->next * BLOOM_SNAPSHOT_DIGEST_BYTES);
	saving->next++;
	*bytes = saving->piece;
	return BLOOM_OK;
}

/* ---- finishing ---- */

bloom_status bloom_saving_finish(bloom_saving *saving, bloom_error *error)
{
	const bloom_segment *segment = saving->from.segment;
	bloom_live *live = saving->from.live;
	bloom_snapshot *snapshot = &saving->snapshot;
	const bloom_secret *key = NULL;
	uint32_t i;

	/* Otherwise the snapshot of a dropped filter could replace that of its successor. */
	if (bloom_load_acquire(&saving->from.control->generation) != saving->from.generation) {
		return bloom_fail(error, BLOOM_E_GONE, 0, "%.128s", saving->from.name);
	}
	/* The keys are counted after the bits were copied. If a count is too high, a layer of a
	 * scalable filter grows earlier, and its rate stays below the limit. */
	for (i = 0; i < snapshot->layers; i++) {
		snapshot->layer[i].keys =
			bloom_load_relaxed(&live->head->layer[layer_of(saving, i)].keys);
	}
	if (snapshot->signer != 0) {
		key = bloom_ring_find(segment->signers, snapshot->signer, BLOOM_E_SIGNER, error);
		if (key == NULL) {
			return BLOOM_E_SIGNER;
		}
	}
	bloom_snapshot_write_head(snapshot, saving->from.name, key, saving->head);
	return BLOOM_OK;
}

/* ---- files ---- */

static bloom_status write_pieces(bloom_saving *saving, bloom_userfile *file, bloom_error *error)
{
	bloom_snapshot_piece piece;
	const unsigned char *bytes;
	bloom_status status;

	for (;;) {
		status = bloom_saving_next(saving, &piece, &bytes, error);
		if (status != BLOOM_OK || bytes == NULL) {
			return status;
		}
		status = bloom_userfile_write(file, piece.offset, bytes, piece.bytes, error);
		if (status != BLOOM_OK) {
			return status;
		}
	}
}

bloom_status bloom_save_file(
	const bloom_segment *segment, const char *name, const char *path, bloom_error *error)
{
	bloom_saving *saving = malloc(sizeof *saving); /* too large for a fiber's stack */
	bloom_userfile file = {.file = -1};
	bloom_status status;

	if (saving == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "%.128s", name);
	}
	status = bloom_saving_begin(segment, name, 0, saving, error);
	if (status == BLOOM_OK) {
		status = bloom_userfile_begin(path, saving->snapshot.file_bytes, &file, error);
	}
	if (status == BLOOM_OK) {
		status = write_pieces(saving, &file, error);
	}
	if (status == BLOOM_OK) {
		status = bloom_saving_finish(saving, error);
	}
	if (status == BLOOM_OK) {
		status = bloom_userfile_write(
			&file, 0, saving->head, saving->snapshot.head_bytes, error);
	}
	if (status == BLOOM_OK) {
		status = bloom_userfile_commit(&file, error);
	}
	bloom_userfile_abort(&file);
	bloom_saving_end(saving);
	free(saving);
	return status;
}

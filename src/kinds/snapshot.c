#include "kinds/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "filter/bytes.h"
#include "kinds/create.h"
#include "os/clock.h"
#include "os/mapping.h"
#include "os/userfile.h"
#include "segment/control_file.h"
#include "segment/drop.h"

enum { ATTEMPTS_MAX = 10 };

static const unsigned char magic[8] = {0x89, 'B', 'L', 'S', 'N', 'P', 0x0D, 0x0A};

/* ---- the image ---- */

/* Returns the offset in the live file of the counters or, if the kind has none, of the bits. */
static uint64_t image_at(const bloom_live_head *live)
{
	bloom_geometry geometry = bloom_live_geometry(live, 0);

	return live->layer[0].offset +
		(bloom_live_layout_of(live->params.kind)->counter_bits != 0
				? bloom_geometry_bytes(&geometry)
				: 0);
}

static uint64_t live_bytes(const bloom_live_head *live)
{
	uint32_t last = (uint32_t)live->layers - 1;
	bloom_geometry geometry = bloom_live_geometry(live, last);

	return live->layer[last].offset + bloom_live_layer_bytes(live->params.kind, &geometry);
}

static uint64_t piece_bytes(uint64_t at, uint64_t image_bytes)
{
	return image_bytes - at < BLOOM_SNAPSHOT_PIECE_BYTES ? image_bytes - at
							     : BLOOM_SNAPSHOT_PIECE_BYTES;
}

static uint64_t pieces_of(uint64_t image_bytes)
{
	return (image_bytes + BLOOM_SNAPSHOT_PIECE_BYTES - 1) / BLOOM_SNAPSHOT_PIECE_BYTES;
}

/* Extends the digest of the image by a piece. */
static void digest_piece(const bloom_snapshot *head, const unsigned char *piece, uint64_t bytes,
	unsigned char digest[BLOOM_CHUNK_DIGEST_BYTES])
{
	uint32_t kind =
		head->signer != 0 ? BLOOM_CHUNK_DIGEST_BLAKE2B : BLOOM_CHUNK_DIGEST_XXH3_128;
	unsigned char pair[2 * BLOOM_CHUNK_DIGEST_BYTES];

	memcpy(pair, digest, BLOOM_CHUNK_DIGEST_BYTES);
	bloom_chunk_digest(kind, piece, (size_t)bytes, pair + BLOOM_CHUNK_DIGEST_BYTES);
	bloom_chunk_digest(kind, pair, sizeof pair, digest);
}

static void sign(const bloom_snapshot *head, const char *name, const bloom_secret *key,
	unsigned char signature[BLOOM_SIGNATURE_BYTES])
{
	unsigned char length[8];
	const bloom_piece parts[] = {
		{length, sizeof length},
		{(const unsigned char *)name, strlen(name)},
		{(const unsigned char *)head, offsetof(bloom_snapshot, signature)},
	};

	bloom_put64(length, strlen(name));
	bloom_authenticate(
		key, BLOOM_AUTHENTICATE_HEAD, parts, sizeof parts / sizeof *parts, signature);
}

static uint64_t checksum(const bloom_snapshot *head)
{
	return bloom_checksum((const unsigned char *)head, offsetof(bloom_snapshot, checksum));
}

void bloom_snapshot_seal(bloom_snapshot *head)
{
	bloom_put64(head->checksum, checksum(head));
}

/* ---- time ---- */

static bloom_snapshot_clocks clocks_now(void)
{
	return (bloom_snapshot_clocks){
		.wall_ms = bloom_clock_ms(),
		.monotonic_ms = bloom_monotonic_ms(),
		.boot = bloom_boot_id(),
	};
}

uint64_t bloom_snapshot_elapsed_ms(
	const bloom_snapshot *snapshot, const bloom_snapshot_clocks *clocks)
{
	bool are_known = snapshot->saved_boot != 0 && clocks->boot != 0;
	uint64_t uptime = are_known ? clocks->monotonic_ms : 0, wall;

	if (are_known && snapshot->saved_boot == clocks->boot) {
		return clocks->monotonic_ms > snapshot->saved_monotonic_ms
			? clocks->monotonic_ms - snapshot->saved_monotonic_ms
			: 0;
	}
	wall = clocks->wall_ms > snapshot->saved_ms ? clocks->wall_ms - snapshot->saved_ms : 0;
	/* The save was before this boot, so at least the duration of this boot has passed. */
	return wall >= uptime && wall <= BLOOM_SNAPSHOT_AGE_MS_MAX ? wall : uptime;
}

/* ---- saving ---- */

/* Returns the time to live that is left, at least 1 ms, or 0 if it is unlimited. */
static uint64_t ttl_left(const bloom_control *control)
{
	uint64_t expires_ms = bloom_load_relaxed(&control->expires_ms), now_ms = bloom_uptime_ms();

	return expires_ms == 0 ? 0 : expires_ms > now_ms ? expires_ms - now_ms : 1;
}

static void begin_attempt(bloom_saving *saving)
{
	bloom_snapshot_clocks now = clocks_now();
	bloom_snapshot *head = &saving->head;

	memset(head->image, 0, sizeof head->image);
	head->saved_ms = now.wall_ms;
	head->saved_monotonic_ms = now.monotonic_ms;
	head->saved_boot = now.boot;
	head->ttl_ms = ttl_left(saving->from.control);
	head->live.turn = bloom_load_acquire(&saving->from.live->head->turn);
	/* A key whose add() returned before this call must be visible to the loads that follow. */
	bloom_fence();
}

static void describe(bloom_saving *saving, uint64_t id)
{
	bloom_snapshot *head = &saving->head;

	*head = (bloom_snapshot){
		.byte_order = BLOOM_SNAPSHOT_BYTE_ORDER,
		.live = saving->from.live->known,
	};
	memcpy(head->magic, magic, sizeof magic);
	bloom_put32(head->version, BLOOM_SNAPSHOT_VERSION);
	bloom_put32(head->layout, BLOOM_LIVE_LAYOUT);
	head->live.growth_failures = head->live.growth_retry_ms = 0;
	saving->image_at = image_at(&head->live);
	saving->image_bytes = live_bytes(&head->live) - saving->image_at;
	head->ids.own = (bloom_snapshot_pieces){id, pieces_of(saving->image_bytes)};
}

bloom_status bloom_saving_begin(const bloom_segment *segment, const char *name, uint64_t id,
	bloom_saving *saving, bloom_error *error)
{
	bloom_error local;
	bloom_error *detail = error != NULL ? error : &local;
	const bloom_ring *signers = segment->signers;
	const bloom_secret *key;
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
	if (signers != NULL && signers->configured) {
		key = bloom_ring_current(signers, BLOOM_E_NO_SIGNING_KEY, detail);
		if (key == NULL) {
			return detail->status;
		}
		saving->head.signer = key->fingerprint;
	}
	saving->piece = malloc(BLOOM_SNAPSHOT_PIECE_BYTES);
	if (saving->piece == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "%.128s", name);
	}
	return BLOOM_OK;
}

void bloom_saving_end(bloom_saving *saving)
{
	bloom_detach(&saving->from);
	free(saving->piece);
	memset(saving, 0, sizeof *saving);
}

static bloom_status copy_piece(
	bloom_saving *saving, uint64_t at, uint64_t bytes, bloom_error *error)
{
	bloom_live *live = saving->from.live;
	const bloom_live_layout *layout = bloom_live_layout_of(live->known.params.kind);
	const unsigned char *from = (const unsigned char *)live->head + saving->image_at + at;
	uint64_t i, value;

	if (layout->save != NULL) {
		return layout->save(live, saving->from.segment, saving->from.name, at, bytes,
			saving->piece, error);
	}
	/* Other processes may set bits at the same time. */
	for (i = 0; i < bytes; i += sizeof value) {
		value = bloom_load_relaxed((const uint64_t *)(const void *)(from + i));
		memcpy(saving->piece + i, &value, sizeof value);
	}
	return BLOOM_OK;
}

/* Returns true if the slots of a sliding filter still have the roles that they had when this
 * attempt began. Other kinds never change the word. */
static bool is_same_turn(const bloom_saving *saving)
{
	bloom_fence();
	return bloom_load_acquire(&saving->from.live->head->turn) == saving->head.live.turn;
}

/* Copies the pieces until the end or until the turn changes. */
static bloom_status write_pieces(
	bloom_saving *saving, bloom_snapshot_write write, void *context, bloom_error *error)
{
	uint64_t at, bytes;
	bloom_status status = BLOOM_OK;

	begin_attempt(saving);
	for (at = 0; status == BLOOM_OK && at < saving->image_bytes && is_same_turn(saving);
		at += bytes) {
		bytes = piece_bytes(at, saving->image_bytes);
		status = copy_piece(saving, at, bytes, error);
		if (status == BLOOM_OK) {
			digest_piece(&saving->head, saving->piece, bytes, saving->head.image);
			status = write(
				context, sizeof saving->head + at, saving->piece, bytes, error);
		}
	}
	return status;
}

static bloom_status write_head(
	bloom_saving *saving, bloom_snapshot_write write, void *context, bloom_error *error)
{
	bloom_snapshot *head = &saving->head;
	const bloom_secret *key;
	uint32_t i;

	/* Otherwise the snapshot of a dropped filter could replace that of its successor. */
	if (bloom_load_acquire(&saving->from.control->generation) != saving->from.generation) {
		return bloom_fail(error, BLOOM_E_GONE, 0, "%.128s", saving->from.name);
	}
	/* The keys are counted after the bits were copied. If a count is too high, a layer of a
	 * scalable filter grows earlier, and its rate stays below the limit. */
	for (i = 0; i < head->live.layers; i++) {
		head->live.layer[i].keys =
			bloom_load_relaxed(&saving->from.live->head->layer[i].keys);
	}
	if (head->signer != 0) {
		key = bloom_ring_find(
			saving->from.segment->signers, head->signer, BLOOM_E_SIGNER, error);
		if (key == NULL) {
			return BLOOM_E_SIGNER;
		}
		sign(head, saving->from.name, key, head->signature);
	}
	bloom_snapshot_seal(head);
	return write(context, 0, (const unsigned char *)head, sizeof *head, error);
}

bloom_status bloom_saving_run(
	bloom_saving *saving, bloom_snapshot_write write, void *context, bloom_error *error)
{
	bloom_status status;
	int i;

	for (i = 0; i < ATTEMPTS_MAX; i++) {
		status = write_pieces(saving, write, context, error);
		if (status != BLOOM_OK) {
			return status;
		}
		if (is_same_turn(saving)) {
			return write_head(saving, write, context, error);
		}
	}
	return bloom_fail(
		error, BLOOM_E_BUSY, 0, "the filter rotated during every attempt to copy it");
}

static bloom_status write_to_file(
	void *context, uint64_t at, const unsigned char *bytes, uint64_t count, bloom_error *error)
{
	return bloom_userfile_write(context, at, bytes, count, error);
}

bloom_status bloom_save_file(
	const bloom_segment *segment, const char *name, const char *path, bloom_error *error)
{
	bloom_saving *saving = malloc(sizeof *saving);
	bloom_userfile file = {.file = -1};
	bloom_status status;

	if (saving == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "%.128s", name);
	}
	status = bloom_saving_begin(segment, name, 0, saving, error);
	if (status == BLOOM_OK) {
		status = bloom_userfile_begin(
			path, sizeof saving->head + saving->image_bytes, &file, error);
	}
	if (status == BLOOM_OK) {
		status = bloom_saving_run(saving, write_to_file, &file, error);
	}
	if (status == BLOOM_OK) {
		status = bloom_userfile_commit(&file, error);
	}
	bloom_userfile_abort(&file);
	bloom_saving_end(saving);
	free(saving);
	return status;
}

/* ---- checking a head ---- */

bloom_status bloom_snapshot_parse(
	const unsigned char *bytes, uint64_t count, bloom_snapshot *snapshot, bloom_error *error)
{
	uint32_t version, layout;

	memset(snapshot, 0, sizeof *snapshot);
	memcpy(snapshot, bytes, count < sizeof *snapshot ? (size_t)count : sizeof *snapshot);
	if (count >= sizeof magic && memcmp(snapshot->magic, magic, sizeof magic) != 0) {
		return bloom_fail(error, BLOOM_E_SNAPSHOT, 0, "offset 0");
	}
	version = bloom_get32(snapshot->version);
	layout = bloom_get32(snapshot->layout);
	if (count >= offsetof(bloom_snapshot, ids) &&
		(version != BLOOM_SNAPSHOT_VERSION || layout != BLOOM_LIVE_LAYOUT ||
			snapshot->byte_order != BLOOM_SNAPSHOT_BYTE_ORDER)) {
		return bloom_fail(error, BLOOM_E_SNAPSHOT_VERSION, 0,
			version != BLOOM_SNAPSHOT_VERSION     ? "version %u instead of %u"
				: layout != BLOOM_LIVE_LAYOUT ? "layout %u instead of %u"
							      : "the other byte order",
			version != BLOOM_SNAPSHOT_VERSION ? version : layout,
			version != BLOOM_SNAPSHOT_VERSION ? BLOOM_SNAPSHOT_VERSION
							  : BLOOM_LIVE_LAYOUT);
	}
	if (count != sizeof *snapshot) {
		return bloom_fail(error, BLOOM_E_LENGTH, 0,
			count < sizeof *snapshot ? "the head is truncated"
						 : "there are bytes after the head");
	}
	return bloom_get64(snapshot->checksum) == checksum(snapshot)
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_HEAD_CHECKSUM, 0, "head of %d bytes",
			  (int)sizeof *snapshot);
}

/* If no signing key is configured, every snapshot is accepted. */
static bloom_status check_signature(const bloom_snapshot *snapshot, const char *name,
	const bloom_ring *ring, bloom_error *error)
{
	unsigned char expected[BLOOM_SIGNATURE_BYTES];
	const bloom_secret *key;
	bloom_error unknown;
	bool fits;

	if (ring == NULL || !ring->configured) {
		return BLOOM_OK;
	}
	if (ring->failure.status == BLOOM_OK && snapshot->signer == 0) {
		return bloom_fail(error, BLOOM_E_UNSIGNED, 0, "the snapshot of %.128s", name);
	}
	key = bloom_ring_find(ring, snapshot->signer, BLOOM_E_SIGNER, &unknown);
	if (key == NULL) {
		return bloom_fail(error, unknown.status, unknown.os_error, "%s", unknown.subject);
	}
	sign(snapshot, name, key, expected);
	fits = bloom_signature_equals(expected, snapshot->signature);
	/* For a forged head, `expected` is the signature that the attacker needs. */
	bloom_wipe(expected, sizeof expected);
	return fits ? BLOOM_OK
		    : bloom_fail(error, BLOOM_E_SIGNATURE, 0, "the snapshot of %.128s", name);
}

/* Copies the head of the live file as a process that maps the file does, and checks it. In addition
 * to what protects such a process, create() must have accepted the parameters. */
static bloom_status check_live(bloom_restoring *restoring, bloom_error *error)
{
	const bloom_snapshot *head = &restoring->head;
	bloom_live_head *live = &restoring->live;
	uint64_t end = 0;

	if (bloom_live_layout_of(head->live.params.kind) == NULL) {
		return bloom_fail(error, BLOOM_E_SNAPSHOT_KIND, 0, "kind %llu",
			(unsigned long long)head->live.params.kind);
	}
	if (bloom_live_read(
		    (const bloom_live_page *)(const void *)&head->live, UINT64_MAX, live, &end)) {
		live->growth_failures = live->growth_retry_ms = 0;
		restoring->image_at = image_at(live);
		restoring->image_bytes = end - restoring->image_at;
		if (bloom_live_params_check_ranges(&live->params, NULL) == BLOOM_OK &&
			head->ids.own.id <= BLOOM_SNAPSHOT_ID_MAX &&
			head->ids.own.count == pieces_of(restoring->image_bytes) &&
			head->ttl_ms <= BLOOM_TTL_MS_MAX) {
			return BLOOM_OK;
		}
	}
	return bloom_fail(error, BLOOM_E_SNAPSHOT_PARAMS, 0, "the head of %s",
		bloom_kind_text(head->live.params.kind));
}

static bloom_status check_secret(
	const bloom_live_head *live, const bloom_ring *secrets, bloom_error *error)
{
	bloom_hasher hasher = {0};
	bloom_status status =
		bloom_hasher_find(live->seed, live->params.fingerprint, secrets, &hasher, error);

	bloom_wipe(&hasher, sizeof hasher);
	return status;
}

/* ---- restoring ---- */

/* Fails early if the filter exists. The commit checks it again, under the filter's lock. */
static bloom_status check_free(const bloom_segment *segment, const char *name, bloom_error *error)
{
	bloom_control *control = NULL;
	uint64_t generation;

	bloom_segment_drop_expired(segment, name);
	/* If the page cannot be read, staging or the commit reports the reason. */
	if (bloom_segment_control(segment, name, false, &control, NULL) != BLOOM_OK) {
		return BLOOM_OK;
	}
	generation = bloom_load_acquire(&control->generation);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	return generation == BLOOM_GENERATION_NONE || generation == BLOOM_GENERATION_DROPPED
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_EXISTS, 0, "%s", name);
}

static bloom_status begin_stage(bloom_restoring *restoring, const bloom_segment *segment,
	const char *name, bloom_error *error)
{
	bloom_stage *stage = restoring->stage;
	unsigned char *map = NULL;
	bloom_status status = bloom_stage_begin(
		segment, name, restoring->image_at + restoring->image_bytes, stage, error);

	if (status == BLOOM_OK) {
		status = bloom_stage_allocate(
			stage, (bloom_kind)restoring->live.params.kind, &map, error);
	}
	stage->replaces = BLOOM_GENERATION_NONE;
	return status;
}

bloom_status bloom_restoring_begin(const bloom_segment *segment, const char *name, uint32_t kinds,
	const unsigned char *head, uint64_t count, bloom_stage *stage, bloom_restoring *restoring,
	bloom_error *error)
{
	uint64_t found;
	bloom_status status = bloom_name_check(name, strlen(name), error);

	memset(restoring, 0, sizeof *restoring);
	restoring->stage = stage;
	if (status == BLOOM_OK) {
		status = bloom_snapshot_parse(head, count, &restoring->head, error);
	}
	if (status == BLOOM_OK) {
		status = check_live(restoring, error);
	}
	found = restoring->live.params.kind;
	if (status == BLOOM_OK && (kinds >> found & 1) == 0) {
		status = bloom_fail(error, BLOOM_E_SNAPSHOT_OTHER, 0,
			"%.128s: expected %s, found %s", name,
			bloom_kind_text(bloom_trailing_zeros(kinds)), bloom_kind_text(found));
	}
	if (status == BLOOM_OK) {
		status = check_signature(&restoring->head, name, segment->signers, error);
	}
	if (status == BLOOM_OK) {
		status = check_secret(&restoring->live, segment->secrets, error);
	}
	if (status == BLOOM_OK) {
		status = check_free(segment, name, error);
	}
	return status == BLOOM_OK ? begin_stage(restoring, segment, name, error) : status;
}

/* Writes the head of the live file, and what follows from the image and the clock. Returns false if
 * the time to live has ended. */
static bool complete(bloom_restoring *restoring)
{
	const bloom_snapshot *snapshot = &restoring->head;
	const bloom_live_layout *layout = bloom_live_layout_of(restoring->live.params.kind);
	bloom_geometry geometry = bloom_live_geometry(&restoring->live, 0);
	bloom_live_head *head = (bloom_live_head *)(void *)restoring->stage->map;
	bloom_snapshot_clocks now = clocks_now();
	uint64_t elapsed = bloom_snapshot_elapsed_ms(snapshot, &now);

	*head = restoring->live;
	if (layout->restore != NULL) {
		layout->restore(restoring->stage->map + head->layer[0].offset,
			bloom_geometry_bytes(&geometry));
	}
	if (layout->resume != NULL) {
		layout->resume(head, snapshot->saved_monotonic_ms, elapsed, now.monotonic_ms);
	}
	restoring->stage->ttl_ms = snapshot->ttl_ms > elapsed ? snapshot->ttl_ms - elapsed : 0;
	return snapshot->ttl_ms == 0 || restoring->stage->ttl_ms != 0;
}

static bloom_status read_pieces(
	bloom_restoring *restoring, bloom_snapshot_read read, void *context, bloom_error *error)
{
	unsigned char digest[BLOOM_CHUNK_DIGEST_BYTES] = {0}, *room;
	uint64_t at, bytes;
	bloom_status status;

	for (at = 0; at < restoring->image_bytes; at += bytes) {
		bytes = piece_bytes(at, restoring->image_bytes);
		room = restoring->stage->map + restoring->image_at + at;
		status = read(context, sizeof restoring->head + at, room, bytes, error);
		if (status != BLOOM_OK) {
			return status;
		}
		digest_piece(&restoring->head, room, bytes, digest);
	}
	return memcmp(digest, restoring->head.image, sizeof digest) == 0
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_SNAPSHOT_PIECE, 0, "%s", restoring->stage->name);
}

bloom_status bloom_restoring_run(
	bloom_restoring *restoring, bloom_snapshot_read read, void *context, bloom_error *error)
{
	bloom_stage *stage = restoring->stage;
	uint64_t generation = 0;
	bloom_status status = read_pieces(restoring, read, context, error);

	if (status != BLOOM_OK) {
		return status;
	}
	if (!complete(restoring)) {
		return bloom_fail(error, BLOOM_E_EXPIRED, 0, "%s", stage->name);
	}
	status = bloom_stage_commit(stage, &generation, error);
	return status == BLOOM_E_OVERTAKEN ? bloom_fail(error, BLOOM_E_EXISTS, 0, "%s", stage->name)
					   : status;
}

typedef struct snapshot_file {
	bloom_restoring restoring;
	bloom_stage stage;
	bloom_snapshot head;
	const char *path;
	int file;
	uint64_t bytes;
} snapshot_file;

static bloom_status read_from_file(
	void *context, uint64_t at, unsigned char *bytes, uint64_t count, bloom_error *error)
{
	const snapshot_file *from = context;

	return bloom_userfile_read(from->file, from->path, at, bytes, count, error);
}

static bloom_status restore_from(snapshot_file *from, const bloom_segment *segment,
	const char *name, uint32_t kinds, bloom_error *error)
{
	unsigned char *head = (unsigned char *)&from->head;
	uint64_t count = from->bytes < sizeof from->head ? from->bytes : sizeof from->head;
	bloom_status status = read_from_file(from, 0, head, count, error);
	uint64_t expected;

	if (status == BLOOM_OK) {
		status = bloom_restoring_begin(
			segment, name, kinds, head, count, &from->stage, &from->restoring, error);
	}
	if (status != BLOOM_OK) {
		return status;
	}
	expected = sizeof from->head + from->restoring.image_bytes;
	return from->bytes == expected
		? bloom_restoring_run(&from->restoring, read_from_file, from, error)
		: bloom_fail(error, BLOOM_E_LENGTH, 0, "%llu bytes instead of %llu",
			  (unsigned long long)from->bytes, (unsigned long long)expected);
}

bloom_status bloom_restore_file(const bloom_segment *segment, const char *name, uint32_t kinds,
	const char *path, bloom_error *error)
{
	snapshot_file *from = calloc(1, sizeof *from);
	bloom_status status;

	if (from == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "%.600s", path);
	}
	from->path = path;
	status = bloom_userfile_open(path, &from->file, &from->bytes, error);
	if (status == BLOOM_OK) {
		status = restore_from(from, segment, name, kinds, error);
		bloom_stage_abort(&from->stage);
		bloom_close(&from->file);
	}
	free(from);
	return status;
}

#include "kinds/restoring.h"

#include <stdlib.h>
#include <string.h>

#include "os/mapping.h"
#include "os/userfile.h"
#include "segment/drop.h"
#include "segment/control_file.h"

static const bloom_live_layout *layout_of(const bloom_restoring *restoring)
{
	return bloom_live_layout_of(restoring->snapshot.params.kind);
}

static bloom_live_head *staged_head(const bloom_restoring *restoring)
{
	return (bloom_live_head *)(void *)restoring->stage->map;
}

/* ---- beginning ---- */

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

static bloom_status check_secret(
	const bloom_snapshot *snapshot, const bloom_ring *secrets, bloom_error *error)
{
	bloom_hasher hasher = {0};
	bloom_status status = bloom_hasher_find(
		snapshot->seed, snapshot->params.fingerprint, secrets, &hasher, error);

	bloom_wipe(&hasher, sizeof hasher);
	return status;
}

/* Writes the rows of all layers of a live file and returns its size. A sliding filter has one slot
 * more than its snapshot. */
static uint64_t lay_out(const bloom_snapshot *snapshot, bloom_live_head *head)
{
	uint32_t layers = bloom_live_layout_of(snapshot->params.kind)->layers, i;
	uint64_t offset = bloom_live_first_offset(snapshot->params.kind);

	layers = layers > snapshot->layers ? layers : snapshot->layers;
	*head = (bloom_live_head){
		.magic = BLOOM_LIVE_MAGIC,
		.layout = BLOOM_LIVE_LAYOUT,
		.params = snapshot->params,
		.seed = snapshot->seed,
		.created_ms = snapshot->created_ms,
		.layers = layers,
	};
	for (i = 0; i < layers; i++) {
		uint32_t saved = i < snapshot->layers ? i : 0;
		const bloom_layer *row = &snapshot->layer[saved];
		bloom_geometry geometry = bloom_snapshot_geometry(snapshot, saved);

		bloom_live_layer_write(
			&head->layer[i], &geometry, offset, row->capacity_keys, row->rate);
		head->layer[i].keys = i < snapshot->layers ? row->keys : 0;
		offset += bloom_live_layer_bytes(snapshot->params.kind, &geometry);
	}
	return offset;
}

static bloom_status begin_stage(bloom_restoring *restoring, const bloom_segment *segment,
	const char *name, bloom_error *error)
{
	bloom_live_head *head = malloc(sizeof *head); /* too large for a fiber's stack */
	unsigned char *map = NULL;
	uint64_t bytes;
	bloom_status status;

	if (head == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "%s", name);
	}
	bytes = lay_out(&restoring->snapshot, head);
	status = bloom_stage_begin(segment, name, bytes, restoring->stage, error);
	if (status == BLOOM_OK) {
		status = bloom_stage_allocate(
			restoring->stage, (bloom_kind)restoring->snapshot.params.kind, &map, error);
	}
	if (status == BLOOM_OK) {
		memcpy(map, head, sizeof *head);
		restoring->stage->replaces = BLOOM_GENERATION_NONE;
	}
	free(head);
	return status;
}

bloom_status bloom_restoring_begin(const bloom_segment *segment, const char *name, uint64_t kind,
	const unsigned char *head, uint64_t count, bloom_stage *stage, bloom_restoring *restoring,
	bloom_error *error)
{
	const bloom_snapshot *snapshot = &restoring->snapshot;
	bloom_status status = bloom_name_check(name, strlen(name), error);

	memset(restoring, 0, sizeof *restoring);
	restoring->stage = stage;
	if (status != BLOOM_OK) {
		return status;
	}
	/* A copy that no other code changes between the check and the use. */
	restoring->head = malloc(count > 0 ? (size_t)count : 1);
	if (restoring->head == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "%s", name);
	}
	memcpy(restoring->head, head, (size_t)count);
	status = bloom_snapshot_parse(restoring->head, count, &restoring->snapshot, error);
	if (status == BLOOM_OK && kind != BLOOM_KIND_COUNT && snapshot->params.kind != kind) {
		status = bloom_fail(error, BLOOM_E_SNAPSHOT_OTHER, 0,
			"%.128s: expected %s, found %s", name, bloom_kind_text(kind),
			bloom_kind_text(snapshot->params.kind));
	}
	if (status == BLOOM_OK) {
		status = bloom_snapshot_check_signature(
			snapshot, restoring->head, name, segment->signers, error);
	}
	if (status == BLOOM_OK) {
		status = check_secret(snapshot, segment->secrets, error);
	}
	if (status == BLOOM_OK) {
		status = check_free(segment, name, error);
	}
	return status == BLOOM_OK ? begin_stage(restoring, segment, name, error) : status;
}

void bloom_restoring_end(bloom_restoring *restoring)
{
	free(restoring->head);
	memset(restoring, 0, sizeof *restoring);
}

/* ---- pieces ---- */

unsigned char *bloom_restoring_room(const bloom_restoring *restoring, bloom_snapshot_piece *piece)
{
	bloom_geometry geometry;
	uint64_t offset;

	if (restoring->next == restoring->snapshot.pieces) {
		return NULL;
	}
	*piece = bloom_snapshot_locate(&restoring->snapshot, restoring->next);
	geometry = bloom_snapshot_geometry(&restoring->snapshot, piece->layer);
	offset = staged_head(restoring)->layer[piece->layer].offset + piece->at;
	/* A layer's counters follow its bits. */
	return restoring->stage->map + offset +
		(layout_of(restoring)->counter_bits != 0 ? bloom_geometry_bytes(&geometry) : 0);
}

bloom_status bloom_restoring_accept(bloom_restoring *restoring, bloom_error *error)
{
	bloom_snapshot_piece piece;
	const unsigned char *bytes = bloom_restoring_room(restoring, &piece);
	bloom_status status =
		bloom_snapshot_verify(&restoring->snapshot, restoring->next, bytes, error);

	if (status == BLOOM_OK) {
		restoring->next++;
	}
	return status;
}

/* ---- committing ---- */

/* Returns false if the time to live has ended. */
static bool complete(bloom_restoring *restoring)
{
	const bloom_snapshot *snapshot = &restoring->snapshot;
	const bloom_live_layout *layout = layout_of(restoring);
	bloom_snapshot_clocks now = bloom_snapshot_clocks_now();
	bloom_live_head *head = staged_head(restoring);
	uint64_t elapsed = bloom_snapshot_elapsed_ms(snapshot, &now), age;
	bloom_geometry geometry;
	uint32_t i;

	for (i = 0; layout->restore != NULL && i < snapshot->layers; i++) {
		geometry = bloom_snapshot_geometry(snapshot, i);
		layout->restore(restoring->stage->map + head->layer[i].offset,
			bloom_geometry_bytes(&geometry));
	}
	if (layout->resume != NULL) {
		age = snapshot->turn_age_ms;
		age = age <= UINT64_MAX - elapsed ? age + elapsed : UINT64_MAX;
		layout->resume(head, age, now.monotonic_ms);
	}
	restoring->stage->ttl_ms = snapshot->ttl_ms > elapsed ? snapshot->ttl_ms - elapsed : 0;
	return snapshot->ttl_ms == 0 || restoring->stage->ttl_ms != 0;
}

bloom_status bloom_restoring_commit(bloom_restoring *restoring, bloom_error *error)
{
	bloom_stage *stage = restoring->stage;
	uint64_t generation = 0;
	bloom_status status;

	if (restoring->next != restoring->snapshot.pieces) {
		return bloom_fail(error, BLOOM_E_INCOMPLETE, 0, "%s", stage->name);
	}
	if (!complete(restoring)) {
		return bloom_fail(error, BLOOM_E_EXPIRED, 0, "%s", stage->name);
	}
	status = bloom_stage_commit(stage, &generation, error);
	return status == BLOOM_E_OVERTAKEN ? bloom_fail(error, BLOOM_E_EXISTS, 0, "%s", stage->name)
					   : status;
}

/* ---- files ---- */

/* Reads the head of a file. *head is allocated with malloc(). */
static bloom_status read_head(int file, uint64_t file_bytes, const char *path, unsigned char **head,
	uint64_t *count, bloom_error *error)
{
	unsigned char fixed[BLOOM_SNAPSHOT_FIXED_BYTES];
	bloom_status status;

	if (file_bytes < sizeof fixed) {
		return bloom_fail(error, BLOOM_E_LENGTH, 0, "the head is truncated");
	}
	status = bloom_userfile_read(file, path, 0, fixed, sizeof fixed, error);
	if (status == BLOOM_OK) {
		status = bloom_snapshot_peek(fixed, file_bytes, count, error);
	}
	if (status != BLOOM_OK) {
		return status;
	}
	*head = malloc((size_t)*count);
	return *head != NULL ? bloom_userfile_read(file, path, 0, *head, *count, error)
			     : bloom_fail(error, BLOOM_E_MEMORY, 0, "%.600s", path);
}

static bloom_status read_pieces(bloom_restoring *restoring, int file, const char *path,
	uint64_t file_bytes, bloom_error *error)
{
	bloom_status status = file_bytes == restoring->snapshot.file_bytes
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_LENGTH, 0, "%llu bytes instead of %llu",
			  (unsigned long long)file_bytes,
			  (unsigned long long)restoring->snapshot.file_bytes);
	bloom_snapshot_piece piece;
	unsigned char *room;

	while (status == BLOOM_OK && (room = bloom_restoring_room(restoring, &piece)) != NULL) {
		status = bloom_userfile_read(file, path, piece.offset, room, piece.bytes, error);
		if (status == BLOOM_OK) {
			status = bloom_restoring_accept(restoring, error);
		}
	}
	return status;
}

typedef struct restore_work {
	bloom_restoring restoring;
	bloom_stage stage;
} restore_work;

bloom_status bloom_restore_file(const bloom_segment *segment, const char *name, uint64_t kind,
	const char *path, bloom_error *error)
{
	restore_work *work = calloc(1, sizeof *work); /* too large for a fiber's stack */
	unsigned char *head = NULL;
	uint64_t file_bytes = 0, count = 0;
	int file = -1;
	bloom_status status = work != NULL ? bloom_userfile_open(path, &file, &file_bytes, error)
					   : bloom_fail(error, BLOOM_E_MEMORY, 0, "%.600s", path);

	if (status == BLOOM_OK) {
		status = read_head(file, file_bytes, path, &head, &count, error);
	}
	if (status == BLOOM_OK) {
		status = bloom_restoring_begin(
			segment, name, kind, head, count, &work->stage, &work->restoring, error);
	}
	if (status == BLOOM_OK) {
		status = read_pieces(&work->restoring, file, path, file_bytes, error);
	}
	if (status == BLOOM_OK) {
		status = bloom_restoring_commit(&work->restoring, error);
	}
	if (work != NULL) {
		bloom_stage_abort(&work->stage);
		bloom_restoring_end(&work->restoring);
	}
	bloom_close(&file);
	free(head);
	free(work);
	return status;
}

#include "segment/stage.h"

#include <stdio.h>
#include <string.h>

#include "segment/control_file.h"
#include "segment/drop.h"
#include "segment/memory_limit.h"
#include "segment/switch.h"
#include "segment/tidy.h"
#include "os/clock.h"
#include "os/lock.h"
#include "os/mapping.h"
#include "os/process.h"
#include "filter/signature.h"

static bloom_status create_close_on_fork(bloom_stage *stage, bloom_error *error)
{
	bloom_status status;

	bloom_fork_block();
	status = bloom_file_create(
		stage->dir.handle, stage->file_name, stage->dir.owner, &stage->file, error);
	if (status == BLOOM_OK) {
		status = bloom_process_close_on_fork(stage->file, error);
	}
	bloom_fork_unblock();
	return status;
}

/* Creates the .tmp file and locks it. The lock shows other writers that this process is alive. */
static bloom_status create_stage_file(bloom_stage *stage, bloom_error *error)
{
	enum { TRIES_MAX = 10 };
	bloom_status status;
	int i;

	for (i = 0; i < TRIES_MAX; i++) {
		/* 0 means "none" in the control page. */
		stage->number = bloom_random() | 1;
		bloom_stage_name(stage->number, stage->file_name);
		status = create_close_on_fork(stage, error);
		if (status != BLOOM_OK) {
			return status;
		}
		status = bloom_lock(stage->file, 0, error);
		if (status == BLOOM_OK) {
			status = bloom_file_check_linked(stage->file, error);
		}
		if (status != BLOOM_E_BUSY && status != BLOOM_E_GONE) {
			return status;
		}
		/* Before this process locked the new file, a writer that was tidying up may have
		 * mistaken it for an abandoned file. That writer holds the lock or has removed the
		 * file, so try a different name. */
		bloom_process_close(&stage->file);
	}
	return bloom_fail(error, BLOOM_E_BUSY, 0, "%s", stage->file_name);
}

static bloom_status prepare(bloom_stage *stage, bloom_error *error)
{
	uint64_t free_bytes = bloom_directory_free_bytes(stage->dir.handle);
	bloom_mapped mapped = {0};
	bloom_filter_dir lock;
	bloom_status status;

	if (stage->file_bytes > free_bytes) {
		return bloom_fail(error, BLOOM_E_SPACE, 0, "needs %llu bytes, %llu free",
			(unsigned long long)stage->file_bytes, (unsigned long long)free_bytes);
	}
	status = bloom_limit_lock(stage->dir.segment, stage->file_bytes, &lock, error);
	if (status == BLOOM_OK) {
		status = create_stage_file(stage, error);
	}
	if (status == BLOOM_OK) {
		status = bloom_file_extend(stage->file, stage->file_bytes, error);
	}
	bloom_filter_dir_close(&lock);
	if (status == BLOOM_OK) {
		/* The file is now one large hole, and touching a hole may raise SIGBUS on a full
		 * tmpfs. So the mapping is read-only, and verification reads only bytes that
		 * write() has stored. */
		status = bloom_filter_dir_map(&stage->dir, stage->file_name, BLOOM_MAP_STAGED,
			stage->file_bytes, &mapped, error);
	}
	stage->map = mapped.map;
	return status;
}

static bloom_status begin(bloom_stage *stage, const bloom_segment *segment, bloom_error *error)
{
	bloom_status status = bloom_filter_dir_open(segment, stage->name, true, &stage->dir, error);

	if (status != BLOOM_OK) {
		return status;
	}
	stage->begun = true;
	status = prepare(stage, error);
	if (status == BLOOM_OK) {
		bloom_segment_sweep_if_due(&stage->dir);
	} else {
		(void)bloom_fail_at(&stage->dir, status, error);
		bloom_stage_abort(stage);
	}
	return status;
}

/* Another process may drop the filter, which removes the directory that was just opened. */
static bloom_status begin_in_directory(
	bloom_stage *stage, const bloom_segment *segment, bloom_error *error)
{
	enum { TRIES_MAX = 10 };
	bloom_status status = BLOOM_E_NOT_FOUND;
	int i;

	for (i = 0; i < TRIES_MAX && status == BLOOM_E_NOT_FOUND; i++) {
		status = begin(stage, segment, error);
	}
	return status;
}

bloom_status bloom_stage_begin(const bloom_segment *segment, const char *name, uint64_t file_bytes,
	bloom_stage *stage, bloom_error *error)
{
	bloom_status status = bloom_name_check(name, strlen(name), error);

	*stage = (bloom_stage){.file = -1,
		.file_bytes = file_bytes,
		.replaces = BLOOM_GENERATION_ANY,
		.began_us = bloom_monotonic_us()};
	if (status != BLOOM_OK) {
		return status;
	}
	memcpy(stage->name, name, strlen(name) + 1);
	if (file_bytes < BLOOM_HEAD_FIXED_BYTES) {
		return bloom_fail(error, BLOOM_E_SHORT, 0, "%s", name);
	}
	if (file_bytes > bloom_process_file_bytes_max()) {
		return bloom_fail(error, BLOOM_E_FILE_LIMIT, 0, "%s", name);
	}
	bloom_segment_drop_expired(segment, name);
	status = begin_in_directory(stage, segment, error);
	return bloom_segment_sweep_if_full(segment, status)
		? begin_in_directory(stage, segment, error)
		: status;
}

bloom_status bloom_stage_admit(bloom_stage *stage, const bloom_head *head,
	const unsigned char *bytes, uint64_t head_at, bloom_error *error)
{
	const bloom_segment *segment = stage->dir.segment;
	bloom_status status =
		bloom_signature_check(head, bytes, stage->name, segment->signers, error);
	bloom_hasher hasher = {0};

	if (status == BLOOM_OK) {
		status = bloom_head_check_built(head, bloom_clock_ms(), stage->name, error);
	}
	if (status == BLOOM_OK) {
		status = bloom_hasher_find(head->geometry.seed, head->geometry.fingerprint,
			segment->secrets, &hasher, error);
		bloom_wipe(&hasher, sizeof hasher);
	}
	stage->is_published = true;
	stage->head_at = head_at;
	stage->built_ms = head->meta.built_ms;
	return status;
}

/* Parses the head in the mapped file as soon as the head is complete. */
static bloom_status verify_head(bloom_stage *stage, bloom_error *error)
{
	uint64_t head_bytes;
	bloom_status status;

	if (stage->has_head || stage->written < BLOOM_HEAD_FIXED_BYTES) {
		return BLOOM_OK;
	}
	status = bloom_head_peek(stage->map, stage->file_bytes, &head_bytes, error);
	if (status != BLOOM_OK || stage->written < head_bytes) {
		return status;
	}
	status = bloom_head_parse(stage->map, stage->written, &stage->head, error);
	if (status != BLOOM_OK) {
		return status;
	}
	if (stage->head.file_bytes != stage->file_bytes) {
		return bloom_fail(error, BLOOM_E_LENGTH, 0, "%llu bytes instead of %llu",
			(unsigned long long)stage->file_bytes,
			(unsigned long long)stage->head.file_bytes);
	}
	stage->kind = stage->head.geometry.value_bits != 0
		? BLOOM_KIND_MAP
		: bloom_kind_of(BLOOM_KIND_LOADED, stage->head.geometry.groups);
	status = bloom_stage_admit(stage, &stage->head, stage->map, 0, error);
	stage->has_head = status == BLOOM_OK;
	return status;
}

static bloom_status verify_shards(bloom_stage *stage, bloom_error *error)
{
	const bloom_head *head = &stage->head;
	uint64_t complete;
	bloom_status status;

	if (!stage->has_head) {
		return BLOOM_OK;
	}
	complete = (stage->written - head->head_bytes) / head->geometry.shard_bytes;
	status = bloom_body_verify(head, stage->map + head->head_bytes, stage->verified_shards,
		complete - stage->verified_shards, error);
	if (status == BLOOM_OK) {
		stage->verified_shards = complete;
	}
	return status;
}

/* Verifies the chunks of a signed blob. The shards' checksums are not cryptographic, so an attacker
 * could forge shards that match them. The chunk digests are part of the signed head. */
static bloom_status verify_chunks(bloom_stage *stage, bloom_error *error)
{
	const bloom_head *head = &stage->head;
	uint64_t complete;
	bloom_status status;

	if (!stage->has_head || head->signer == 0) {
		return BLOOM_OK;
	}
	complete = stage->written == stage->file_bytes
		? head->chunks
		: (stage->written - head->head_bytes) / head->meta.chunk_bytes;
	status = bloom_chunk_range_verify(head, stage->map + head->head_bytes,
		stage->verified_chunks, complete - stage->verified_chunks, error);
	if (status == BLOOM_OK) {
		stage->verified_chunks = complete;
	}
	return status;
}

bloom_status bloom_stage_write(
	bloom_stage *stage, const unsigned char *bytes, uint64_t count, bloom_error *error)
{
	/* A piece is small enough to stay in the L2 cache until it is verified. */
	enum { PIECE_BYTES = 128 * 1024 };
	bloom_status status = BLOOM_OK;
	uint64_t piece;

	if (count > stage->file_bytes - stage->written) {
		return bloom_fail(
			error, BLOOM_E_LENGTH, 0, "%s: more bytes than announced", stage->name);
	}
	for (; count > 0 && status == BLOOM_OK; bytes += piece, count -= piece) {
		piece = count < PIECE_BYTES ? count : PIECE_BYTES;
		status = bloom_file_write(stage->file, stage->written, bytes, piece, error);
		if (bloom_segment_sweep_if_full(stage->dir.segment, status)) {
			status = bloom_file_write(stage->file, stage->written, bytes, piece, error);
		}
		if (status != BLOOM_OK) {
			return bloom_fail_at(&stage->dir, status, error);
		}
		stage->written += piece;
		status = verify_head(stage, error);
		if (status == BLOOM_OK) {
			status = verify_shards(stage, error);
		}
		if (status == BLOOM_OK) {
			status = verify_chunks(stage, error);
		}
	}
	return status;
}

bloom_status bloom_stage_allocate(
	bloom_stage *stage, bloom_kind kind, unsigned char **bytes, bloom_error *error)
{
	bloom_status status = bloom_file_allocate(stage->file, 0, stage->file_bytes, error);
	bloom_mapped mapped = {0};

	if (bloom_segment_sweep_if_full(stage->dir.segment, status)) {
		status = bloom_file_allocate(stage->file, 0, stage->file_bytes, error);
	}
	if (status == BLOOM_OK) {
		status = bloom_filter_dir_map(&stage->dir, stage->file_name, BLOOM_MAP_WRITE,
			stage->file_bytes, &mapped, error);
	}
	if (status != BLOOM_OK) {
		return bloom_fail_at(&stage->dir, status, error);
	}
	bloom_unmap(stage->map, stage->file_bytes);
	stage->map = mapped.map;
	stage->kind = kind;
	stage->is_allocated = true;
	*bytes = mapped.map;
	return BLOOM_OK;
}

/* A blob is complete when all its bytes have been verified. Files of other kinds are complete once
 * they are allocated. */
static bool is_complete(const bloom_stage *stage)
{
	return stage->is_allocated ||
		(stage->has_head && stage->written == stage->file_bytes &&
			stage->verified_shards == stage->head.geometry.shards &&
			(stage->head.signer == 0 || stage->verified_chunks == stage->head.chunks));
}

/* Returns the build time of the served blob, whose head is at `at`. Returns 0 if the file cannot be
 * read: readers cannot use such a file either, so any blob may replace it. */
static uint64_t served_built_ms(const bloom_filter_dir *dir, uint64_t generation, uint64_t at)
{
	uint64_t bytes = at + BLOOM_HEAD_FIXED_BYTES, built_ms;
	char name[BLOOM_FILE_NAME_MAX];
	bloom_mapped mapped;

	bloom_generation_name(generation, name);
	if (bloom_filter_dir_map(dir, name, BLOOM_MAP_READ, bytes, &mapped, NULL) != BLOOM_OK) {
		return 0;
	}
	built_ms = bloom_head_built_ms(mapped.map + at);
	bloom_unmap(mapped.map, bytes);
	return built_ms;
}

/* Rejects a blob that is older than the served one. A signature never expires, so an attacker who
 * controls the store could replay an old blob. The caller holds the filter's lock, so the served
 * generation cannot change between this check and the switch. */
static bloom_status check_age(const bloom_stage *stage, bloom_error *error)
{
	const bloom_ring *signers = stage->dir.segment->signers;
	bloom_control *control = NULL;
	uint64_t generation, kind;

	if (signers == NULL || !signers->configured || stage->allow_older || !stage->is_published ||
		bloom_control_map(&stage->dir, &control, NULL, NULL) != BLOOM_OK) {
		return BLOOM_OK;
	}
	generation = bloom_load_acquire(&control->generation);
	kind = bloom_load_relaxed(&control->kind);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	if (generation == BLOOM_GENERATION_NONE || generation == BLOOM_GENERATION_DROPPED ||
		kind != bloom_kind_stored(stage->kind) ||
		served_built_ms(&stage->dir, generation, stage->head_at) <= stage->built_ms) {
		return BLOOM_OK;
	}
	return bloom_fail(error, BLOOM_E_REPLAY, 0, "%s", stage->name);
}

/* Returns true if the caller's control page was dropped. A drop needs the filter's lock, which this
 * process holds, so the result stays valid until the switch. */
static bool is_dropped(const bloom_stage *stage)
{
	return stage->page != NULL &&
		bloom_load_acquire(&stage->page->generation) == BLOOM_GENERATION_DROPPED;
}

static bloom_staged describe(const bloom_stage *stage)
{
	return (bloom_staged){
		.file_name = stage->file_name,
		.kind = stage->kind,
		.groups = stage->head.geometry.groups,
		.additions = stage->additions != NULL ? stage->additions->number : 0,
		.ttl_ms = stage->ttl_ms,
		.began_us = stage->began_us,
		.locked_us = bloom_monotonic_us(),
		.load = {.built_ms = stage->built_ms,
			.keys = stage->has_head ? stage->head.keys : 0,
			.bytes = stage->file_bytes,
			.fetched_bytes = stage->fetched_bytes},
		.saved_bytes = stage->saved_bytes,
	};
}

/* Unmaps the file before it is renamed, because Windows does not document whether a mapped file can
 * be renamed. */
static void unmap(bloom_stage *stage)
{
	bloom_unmap(stage->map, stage->file_bytes);
	stage->map = NULL;
}

static bloom_status commit(bloom_stage *stage, uint64_t *generation, bloom_error *error)
{
	bloom_staged staged;
	bloom_status status;

	if (!is_complete(stage)) {
		return bloom_fail(error, BLOOM_E_INCOMPLETE, 0, "%s", stage->name);
	}
	if (stage->has_head && stage->head.meta.mark.epoch != 0 && stage->additions == NULL) {
		return bloom_fail(error, BLOOM_E_NO_JOURNAL, 0, "%s", stage->name);
	}
	unmap(stage);
	if (stage->additions != NULL) {
		unmap(stage->additions);
	}
	status = bloom_filter_dir_lock(&stage->dir, error);
	staged = describe(stage);
	if (status == BLOOM_OK && is_dropped(stage)) {
		status = bloom_fail(error, BLOOM_E_OVERTAKEN, 0, "%s", stage->name);
	}
	if (status == BLOOM_OK) {
		status = check_age(stage, error);
	}
	if (status == BLOOM_OK) {
		status = bloom_segment_switch(
			&stage->dir, &staged, stage->replaces, generation, error);
	}
	return status == BLOOM_OK ? BLOOM_OK : bloom_fail_at(&stage->dir, status, error);
}

/* After a successful commit the .tmp name no longer exists. Closing the file first prevents
 * bloom_stage_abort() from removing that name. */
static bloom_status end(bloom_stage *stage, bloom_status status)
{
	if (status == BLOOM_OK) {
		bloom_process_close(&stage->file);
	}
	bloom_stage_abort(stage);
	return status;
}

bloom_status bloom_stage_commit(bloom_stage *stage, uint64_t *generation, bloom_error *error)
{
	bloom_stage *additions = stage->additions;
	bloom_status status = commit(stage, generation, error);

	if (additions != NULL) {
		(void)end(additions, status);
	}
	return end(stage, status);
}

/* If the filter never existed, its directory is empty and is removed. Otherwise the directory
 * contains at least the control page and is kept. If the name leads to another directory, another
 * writer has just created that directory. Two writers that removed each other's new directories
 * could do so again and again. */
static void remove_unused_directory(const bloom_filter_dir *dir)
{
	if (bloom_directory_check_name(dir->segment_handle, dir->entry, dir->handle, NULL) ==
		BLOOM_OK) {
		(void)bloom_directory_remove(dir->segment_handle, dir->entry, NULL);
	}
}

void bloom_stage_abort(bloom_stage *stage)
{
	if (!stage->begun) {
		return;
	}
	unmap(stage);
	if (stage->file >= 0) {
		(void)bloom_filter_dir_remove(&stage->dir, stage->file_name, NULL);
	}
	bloom_process_close(&stage->file);
	remove_unused_directory(&stage->dir);
	bloom_filter_dir_close(&stage->dir);
	stage->begun = false;
}

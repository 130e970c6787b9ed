#include "php/protocol/snapshot_store.h"

#include <stdlib.h>
#include <string.h>

#include <zend_exceptions.h>

#include "filter/bytes.h"
#include "os/clock.h"
#include "php/classes.h"
#include "php/protocol/collect.h"
#include "php/errors.h"
#include "segment/control_file.h"
#include "segment/lease.h"

enum {
	/* "<name>:snapshot", 12 digits, "n", and up to 20 digits */
	KEY_BYTES = BLOOM_NAME_BYTES_MAX + 48,
	IDS_MAX = 8,      /* ids in a list; more are ignored */
	BATCH_PIECES = 8, /* pieces in one getMultiple() */
	ROUNDS_MAX = 3,   /* attempts to restore while another process saves */
	LIST_BYTES = 128,
};

/* More pieces than any head that fits into a store can list. */
#define PIECES_MAX (UINT64_C(1) << 26)

typedef char store_key[KEY_BYTES];

static void piece_key(const char *name, uint64_t id, uint64_t piece, store_key key)
{
	(void)snprintf(key, sizeof(store_key), "%s:snapshot%012llxn%llu", name,
		(unsigned long long)id, (unsigned long long)piece);
}

static bool fail(const bloom_error *error)
{
	php_bloom_throw(error);
	return false;
}

static bool fail_with(bloom_status status, const char *subject)
{
	bloom_error error;

	(void)bloom_fail(&error, status, 0, "%.128s", subject);
	return fail(&error);
}

/* ---- ids that have pieces ---- */

typedef struct piece_set {
	uint64_t id;
	uint64_t pieces;
} piece_set;

typedef struct piece_list {
	piece_set set[IDS_MAX];
	unsigned count;
} piece_list;

/* Reads a list. Ignores lines that no save writes. */
static void parse_list(const char *text, piece_list *list)
{
	unsigned long long id, pieces;
	int used;

	while (list->count < IDS_MAX && sscanf(text, "%12llx %llu\n%n", &id, &pieces, &used) == 2) {
		if (id != 0 && pieces <= PIECES_MAX) {
			list->set[list->count++] = (piece_set){.id = id, .pieces = pieces};
		}
		text += used;
	}
}

static bool delete_pieces(zend_object *store, const char *name, piece_set set)
{
	uint64_t piece = 0, end;
	store_key key;
	bool ok = true;
	zval keys;

	while (ok && piece < set.pieces) {
		end = set.pieces - piece < PHP_BLOOM_STORE_KEYS_MAX
			? set.pieces
			: piece + PHP_BLOOM_STORE_KEYS_MAX;
		array_init(&keys);
		for (; piece < end; piece++) {
			piece_key(name, set.id, piece, key);
			add_next_index_string(&keys, key);
		}
		ok = php_bloom_store_delete(store, &keys);
		zval_ptr_dtor(&keys);
	}
	return ok;
}

static bool delete_both(zend_object *store, const char *key, const char *other)
{
	zval keys;
	bool ok;

	array_init(&keys);
	add_next_index_string(&keys, key);
	add_next_index_string(&keys, other);
	ok = php_bloom_store_delete(store, &keys);
	zval_ptr_dtor(&keys);
	return ok;
}

/* ---- saving ---- */

typedef struct store_saving {
	php_bloom_job *job;
	zend_object *store;
	const char *name;
	char head_key[PHP_BLOOM_SIDE_KEY_BYTES];
	char staged_key[KEY_BYTES];
	char list_key[KEY_BYTES];
	piece_set before; /* of the head that is in the store; pieces 0: none */
	piece_set own;
} store_saving;

/* Returns the id and the number of pieces of a head. An unreadable head counts as missing: the next
 * save replaces it. */
static piece_set set_of_head(const zend_string *value)
{
	bloom_snapshot *snapshot = value != NULL ? malloc(sizeof *snapshot) : NULL;
	piece_set set = {0};

	if (snapshot != NULL &&
		bloom_snapshot_parse((const unsigned char *)ZSTR_VAL(value), ZSTR_LEN(value),
			snapshot, NULL) == BLOOM_OK) {
		set = (piece_set){.id = snapshot->id, .pieces = snapshot->pieces};
	}
	free(snapshot);
	return set;
}

/* Deletes the pieces that a killed process has left. */
static bool clean(store_saving *work)
{
	piece_list list = {0};
	zend_string *value;
	zval keys, values;
	unsigned i;
	bool ok;

	array_init(&keys);
	add_next_index_string(&keys, work->head_key);
	add_next_index_string(&keys, work->list_key);
	ok = php_bloom_store_get(work->store, &keys, &values);
	zval_ptr_dtor(&keys);
	if (!ok) {
		return false;
	}
	value = php_bloom_store_answer(&values, work->head_key, &ok);
	work->before = set_of_head(value);
	value = ok ? php_bloom_store_answer(&values, work->list_key, &ok) : NULL;
	if (value != NULL) {
		parse_list(ZSTR_VAL(value), &list);
	}
	zval_ptr_dtor(&values);
	for (i = 0; ok && i < list.count; i++) {
		if (list.set[i].id != work->before.id) {
			ok = delete_pieces(work->store, work->name, list.set[i]);
		}
	}
	return ok;
}

/* Lists the ids that have pieces from now on. */
static bool write_list(const store_saving *work)
{
	char text[LIST_BYTES];
	int count = snprintf(text, sizeof text, "%012llx %llu\n", (unsigned long long)work->own.id,
		(unsigned long long)work->own.pieces);

	if (work->before.id != 0) {
		count += snprintf(text + count, sizeof text - (size_t)count, "%012llx %llu\n",
			(unsigned long long)work->before.id,
			(unsigned long long)work->before.pieces);
	}
	return php_bloom_store_set(
		work->store, work->list_key, (const unsigned char *)text, (uint64_t)count);
}

/* Reads a value back that was just stored. A store or its client may change bytes. */
static bool is_kept(
	const store_saving *work, const char *key, const unsigned char *bytes, uint64_t count)
{
	zend_string *found = NULL;
	bool ok;

	if (!php_bloom_store_get_one(work->store, key, &found)) {
		return false;
	}
	ok = (found != NULL && ZSTR_LEN(found) == count &&
		     memcmp(ZSTR_VAL(found), bytes, (size_t)count) == 0) ||
		php_bloom_store_throw_altered(key, bytes, count, found);
	if (found != NULL) {
		zend_string_release(found);
	}
	return ok;
}

/* Renews the lease. Returns false after an exception, if another process has taken the lease or
 * userland has forked. */
static bool is_still_ours(const store_saving *work)
{
	php_bloom_job *job = work->job;

	if (!php_bloom_job_is_ours(job)) {
		return false;
	}
	bloom_lease_renew(job->control, bloom_monotonic_ms(), &job->lease);
	return bloom_load_relaxed(&job->control->lease_until_ms) == job->lease ||
		fail_with(BLOOM_E_SAVING, work->name);
}

static bool write_pieces(const store_saving *work)
{
	bloom_saving *saving = work->job->saving;
	bloom_snapshot_piece piece;
	const unsigned char *bytes;
	bloom_error error = {0};
	store_key key;

	for (;;) {
		if (!is_still_ours(work)) {
			return false;
		}
		if (bloom_saving_next(saving, &piece, &bytes, &error) != BLOOM_OK) {
			return fail(&error);
		}
		if (bytes == NULL) {
			break;
		}
		piece_key(work->name, work->own.id, saving->next - 1, key);
		if (!php_bloom_store_set(work->store, key, bytes, piece.bytes) ||
			!is_kept(work, key, bytes, piece.bytes)) {
			return false;
		}
	}
	return bloom_saving_finish(saving, &error) == BLOOM_OK || fail(&error);
}

/* Writes the head under another key and reads it back, so that a store that changes bytes never
 * replaces a good snapshot. Then sets the head. */
static bool write_head(const store_saving *work)
{
	const bloom_saving *saving = work->job->saving;
	uint64_t count = saving->snapshot.head_bytes;

	return php_bloom_store_set(work->store, work->staged_key, saving->head, count) &&
		is_kept(work, work->staged_key, saving->head, count) && is_still_ours(work) &&
		php_bloom_store_set(work->store, work->head_key, saving->head, count);
}

/* Deletes the replaced pieces and the list. The snapshot is already complete, so a failure of the
 * store is not an error: the list remains, and the next save deletes the pieces first. Returns
 * false after an exception that is not the store's. */
static bool tidy(const store_saving *work)
{
	if ((work->before.id == 0 || delete_pieces(work->store, work->name, work->before)) &&
		delete_both(work->store, work->list_key, work->staged_key)) {
		return true;
	}
	if (EG(exception) == NULL || !instanceof_function(EG(exception)->ce, php_bloom_ce_Store)) {
		return false;
	}
	zend_clear_exception();
	return true;
}

/* Takes the lease, and maps the filter for the save. */
static bool begin_save(store_saving *work, const bloom_segment *segment)
{
	php_bloom_job *job = work->job;
	bloom_error error = {0};

	if (bloom_segment_control(segment, work->name, false, &job->control, &error) != BLOOM_OK) {
		return fail(&error);
	}
	job->saving = calloc(1, sizeof *job->saving);
	if (job->saving == NULL) {
		return fail_with(BLOOM_E_MEMORY, work->name);
	}
	/* Before the lease: a filter that is not live may be syncing. */
	work->own.id = (bloom_random() & BLOOM_SNAPSHOT_ID_MAX) | 1;
	if (bloom_saving_begin(segment, work->name, work->own.id, job->saving, &error) !=
		BLOOM_OK) {
		return fail(&error);
	}
	work->own.pieces = job->saving->snapshot.pieces;
	return bloom_lease_take(job->control, bloom_monotonic_ms(), &job->lease) ||
		fail_with(BLOOM_E_SAVING, work->name);
}

bool php_bloom_snapshot_save(
	php_bloom_job *job, const bloom_segment *segment, const char *name, zend_object *store)
{
	store_saving work = {.job = job, .store = store, .name = name};

	php_bloom_side_key(name, "snapshot", work.head_key);
	(void)snprintf(work.list_key, sizeof work.list_key, "%s:snapshotsaving", name);
	(void)snprintf(work.staged_key, sizeof work.staged_key, "%s:snapshotstaged", name);
	return begin_save(&work, segment) && clean(&work) && write_list(&work) &&
		write_pieces(&work) && write_head(&work) && tidy(&work);
}

/* ---- restoring ---- */

typedef struct store_restoring {
	php_bloom_job *job;
	const bloom_segment *segment;
	zend_object *store;
	const char *name;
	uint64_t kind;
	uint64_t id;     /* of the last head */
	bool is_missing; /* the store lacks a piece; there is no exception */
} store_restoring;

/* Copies one batch of pieces from the store's answer. */
static bool take_pieces(store_restoring *work, const zval *values, uint64_t count)
{
	bloom_restoring *restoring = work->job->restoring;
	bloom_snapshot_piece piece;
	bloom_error error = {0};
	unsigned char *room;
	zend_string *value;
	store_key key;
	bool ok;

	for (; count > 0; count--) {
		piece_key(work->name, work->id, restoring->next, key);
		value = php_bloom_store_answer(values, key, &ok);
		if (value == NULL) {
			work->is_missing = ok;
			return false;
		}
		room = bloom_restoring_room(restoring, &piece);
		if (ZSTR_LEN(value) != piece.bytes) {
			return fail_with(BLOOM_E_SNAPSHOT_PIECE, key);
		}
		memcpy(room, ZSTR_VAL(value), ZSTR_LEN(value));
		if (bloom_restoring_accept(restoring, &error) != BLOOM_OK) {
			return fail(&error);
		}
	}
	return true;
}

static bool fetch_pieces(store_restoring *work)
{
	bloom_restoring *restoring = work->job->restoring;
	uint64_t left, count, i;
	zval keys, values;
	store_key key;
	bool ok = true;

	while (ok && restoring->next < restoring->snapshot.pieces) {
		left = restoring->snapshot.pieces - restoring->next;
		count = left < BATCH_PIECES ? left : BATCH_PIECES;
		array_init(&keys);
		for (i = 0; i < count; i++) {
			piece_key(work->name, work->id, restoring->next + i, key);
			add_next_index_string(&keys, key);
		}
		ok = php_bloom_store_get(work->store, &keys, &values);
		zval_ptr_dtor(&keys);
		if (ok) {
			ok = php_bloom_job_is_ours(work->job) && take_pieces(work, &values, count);
			zval_ptr_dtor(&values);
		}
	}
	return ok;
}

/* Ends the attempt to restore an earlier head. */
static void abort_attempt(php_bloom_job *job)
{
	bloom_stage_abort(&job->stage);
	bloom_restoring_end(job->restoring);
}

/* Restores the snapshot that the head in the store names. */
static bool restore_once(store_restoring *work)
{
	php_bloom_job *job = work->job;
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	zend_string *head = NULL;
	bloom_error error = {0};
	bloom_status status;

	php_bloom_side_key(work->name, "snapshot", key);
	if (!php_bloom_store_get_one(work->store, key, &head)) {
		return false;
	}
	if (head == NULL) {
		return fail_with(BLOOM_E_STORE_MISSING, key);
	}
	if (!php_bloom_job_is_ours(job)) {
		zend_string_release(head);
		return false;
	}
	status = bloom_restoring_begin(work->segment, work->name, work->kind,
		(const unsigned char *)ZSTR_VAL(head), ZSTR_LEN(head), &job->stage, job->restoring,
		&error);
	zend_string_release(head);
	if (status != BLOOM_OK) {
		return fail(&error);
	}
	work->id = job->restoring->snapshot.id;
	if (!fetch_pieces(work)) {
		return false;
	}
	return bloom_restoring_commit(job->restoring, &error) == BLOOM_OK || fail(&error);
}

bool php_bloom_snapshot_restore(php_bloom_job *job, const bloom_segment *segment, const char *name,
	uint64_t kind, zend_object *store)
{
	store_restoring work = {
		.job = job, .segment = segment, .store = store, .name = name, .kind = kind};
	int round;

	job->restoring = calloc(1, sizeof *job->restoring);
	if (job->restoring == NULL) {
		return fail_with(BLOOM_E_MEMORY, name);
	}
	/* A process that saves deletes the pieces of the replaced snapshot. */
	for (round = 0; round < ROUNDS_MAX; round++) {
		work.is_missing = false;
		if (restore_once(&work)) {
			return true;
		}
		if (!work.is_missing) {
			return false;
		}
		abort_attempt(job);
	}
	return fail_with(BLOOM_E_STORE_MISSING, "a piece of the snapshot");
}

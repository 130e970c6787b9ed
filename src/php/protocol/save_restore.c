/* Implements save() of the live filters, and Filter::restore(). The format is that of
 * kinds/snapshot.h. In a store, a snapshot is several values:
 *
 *     <name>:snapshot             the head of the last complete snapshot. It contains an id
 *     <name>:snapshot<id>n<i>     piece i of the snapshot with that id, 12 hexadecimal digits
 *     <name>:snapshotstaged       only during a save: its head, which is complete at the end
 *
 * A save chooses a new id, so it never changes a piece that the last complete snapshot needs. The
 * head is one value, so it refers either to the old snapshot or to the new one. It also refers to
 * the pieces that it replaced.
 *
 *     delete pieces that a killed process has left ─► stage an incomplete head ─► write the pieces
 *     ─► stage the head ─► write the head ─► delete the replaced pieces ─► delete the staged head
 *
 * So a process that is killed at any point leaves a staged head and at most one incomplete or
 * replaced snapshot. The next save deletes the pieces of the staged head or, if the head was
 * written, those that it replaced.
 *
 * On a host, only one process at a time saves a filter: it takes the lease in the control page,
 * which a live filter does not need for syncs. A process that is stopped for longer than the lease
 * loses it, and its save fails. If it is stopped between its last check and the store's write of
 * the head, it may refer to pieces that another save has deleted. A restore then fails until the
 * next save. */
#include "php/job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zend_exceptions.h>

#include "filter/bytes.h"
#include "os/clock.h"
#include "os/sharedfile.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/filter/handle.h"
#include "php/settings.h"
#include "php/store/store.h"
#include "php/stream.h"
#include "segment/control_file.h"
#include "segment/sync_lease.h"

enum {
	/* "<name>:snapshot", 12 digits, "n", and up to 20 digits */
	KEY_BYTES = BLOOM_NAME_BYTES_MAX + 48,
	ROUNDS_MAX = 3, /* attempts to restore while another process saves */
};

/* More pieces than any live file has. */
#define PIECES_MAX (UINT64_C(1) << 29)

/* A save to a store, or a restore from one. */
typedef struct store_snapshot {
	php_bloom_job *job;
	zend_object *store;
	const char *name;
	char head_key[KEY_BYTES];
	char staged_key[KEY_BYTES];
	uint64_t id;
	bool is_missing; /* the store lacks a piece; there is no exception */
} store_snapshot;

static store_snapshot snapshot_in(php_bloom_job *job, zend_object *store, const char *name)
{
	store_snapshot snapshot = {.job = job, .store = store, .name = name};

	(void)snprintf(snapshot.head_key, KEY_BYTES, "%s:snapshot", name);
	(void)snprintf(snapshot.staged_key, KEY_BYTES, "%s:snapshotstaged", name);
	return snapshot;
}

static void piece_key(const char *name, uint64_t id, uint64_t piece, char key[KEY_BYTES])
{
	(void)snprintf(key, KEY_BYTES, "%s:snapshot%012llxn%llu", name, (unsigned long long)id,
		(unsigned long long)piece);
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

/* ---- saving to a store ---- */

/* Deletes pieces. The id may be 0: there are none. */
static bool delete_pieces(const store_snapshot *to, const bloom_snapshot_pieces *left)
{
	uint64_t piece = 0, i;
	char key[KEY_BYTES];
	bool ok = true;
	zval keys;

	while (ok && left->id != 0 && left->count <= PIECES_MAX && piece < left->count) {
		array_init(&keys);
		for (i = 0; i < PHP_BLOOM_STORE_KEYS_MAX && piece < left->count; i++, piece++) {
			piece_key(to->name, left->id, piece, key);
			add_next_index_string(&keys, key);
		}
		ok = php_bloom_store_delete(to->store, &keys);
		zval_ptr_dtor(&keys);
	}
	return ok;
}

/* Gets the ids of a head. They are 0 if it is missing or cannot be read: the next save replaces it.
 * Not inlined, because the head must leave the stack before the next call of the store. */
BLOOM_NOINLINE static bool get_ids(
	const store_snapshot *to, const char *key, bloom_snapshot_ids *ids)
{
	zend_string *value = NULL;
	bloom_snapshot head;

	*ids = (bloom_snapshot_ids){{0}, {0}};
	if (!php_bloom_store_get_one(to->store, key, &value)) {
		return false;
	}
	if (value != NULL) {
		if (bloom_snapshot_parse((const unsigned char *)ZSTR_VAL(value), ZSTR_LEN(value),
			    &head, NULL) == BLOOM_OK) {
			*ids = head.ids;
		}
		zend_string_release(value);
	}
	return true;
}

/* Deletes the pieces that a killed process has left, and stages the incomplete head. */
static bool begin_pieces(const store_snapshot *to, bloom_snapshot *own)
{
	bloom_snapshot_ids last, staged;

	if (!get_ids(to, to->head_key, &last) || !get_ids(to, to->staged_key, &staged)) {
		return false;
	}
	/* Without a staged head, the last save has deleted what it replaced. */
	if (staged.own.id != 0 &&
		!delete_pieces(to, staged.own.id == last.own.id ? &last.replaced : &staged.own)) {
		return false;
	}
	own->ids.replaced = last.own;
	bloom_snapshot_seal(own);
	return php_bloom_store_set(
		to->store, to->staged_key, (const unsigned char *)own, sizeof *own);
}

/* Stores a value and reads it back, because a store or its client may change bytes. Returns false
 * if it throws. */
static bool keep(
	const store_snapshot *to, const char *key, const unsigned char *bytes, uint64_t count)
{
	zend_string *found = NULL;
	bool ok;

	if (!php_bloom_store_set(to->store, key, bytes, count) ||
		!php_bloom_store_get_one(to->store, key, &found)) {
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
static bool is_still_ours(const store_snapshot *to)
{
	php_bloom_job *job = to->job;

	if (!php_bloom_job_is_ours(job)) {
		return false;
	}
	bloom_lease_renew(job->control, bloom_monotonic_ms(), &job->lease);
	return bloom_load_relaxed(&job->control->lease_until_ms) == job->lease ||
		fail_with(BLOOM_E_SAVING, to->name);
}

/* Writes a piece, or the head: first under another key, so that a store that changes bytes never
 * replaces a good snapshot. After an exception, fails with BLOOM_E_STORE. */
static bloom_status write_to_store(
	void *context, uint64_t at, const unsigned char *bytes, uint64_t count, bloom_error *error)
{
	const store_snapshot *to = context;
	char key[KEY_BYTES];
	bool ok = is_still_ours(to);

	(void)error;
	if (ok && at != 0) {
		piece_key(to->name, to->id, bloom_snapshot_piece_at(at), key);
		ok = keep(to, key, bytes, count);
	} else if (ok) {
		ok = keep(to, to->staged_key, bytes, count) && is_still_ours(to) &&
			php_bloom_store_set(to->store, to->head_key, bytes, count);
	}
	/* Userland may have forked. */
	return ok && php_bloom_job_is_ours(to->job) ? BLOOM_OK : BLOOM_E_STORE;
}

/* Deletes the replaced pieces and the staged head. The snapshot is already complete, so a failure
 * of the store is not an error: the next save deletes the pieces first. Returns false after an
 * exception that is not the store's. */
static bool end_pieces(const store_snapshot *to, const bloom_snapshot *own)
{
	bool ok = delete_pieces(to, &own->ids.replaced) &&
		php_bloom_store_delete_one(to->store, to->staged_key);

	if (!ok && EG(exception) != NULL &&
		instanceof_function(EG(exception)->ce, php_bloom_ce_Store)) {
		zend_clear_exception();
		return true;
	}
	return ok;
}

/* Saves a filter to a store. The caller ends the job. Returns false after an exception. */
BLOOM_NOINLINE static bool save_to_store(
	php_bloom_job *job, const bloom_segment *segment, const char *name, zend_object *store)
{
	store_snapshot to = snapshot_in(job, store, name);
	bloom_error error = {0};

	if (bloom_segment_control(segment, name, false, &job->control, &error) != BLOOM_OK) {
		return fail(&error);
	}
	job->saving = calloc(1, sizeof *job->saving);
	if (job->saving == NULL) {
		return fail_with(BLOOM_E_MEMORY, name);
	}
	/* Before the lease: a filter that is not live may be syncing. */
	to.id = (bloom_random() & BLOOM_SNAPSHOT_ID_MAX) | 1;
	if (bloom_saving_begin(segment, name, to.id, job->saving, &error) != BLOOM_OK) {
		return fail(&error);
	}
	if (!bloom_lease_take(job->control, bloom_monotonic_ms(), &job->lease)) {
		return fail_with(BLOOM_E_SAVING, name);
	}
	if (!begin_pieces(&to, &job->saving->head)) {
		return false;
	}
	if (bloom_saving_run(job->saving, write_to_store, &to, &error) != BLOOM_OK) {
		return EG(exception) == NULL && error.status != BLOOM_OK ? fail(&error) : false;
	}
	return end_pieces(&to, &job->saving->head);
}

/* ---- restoring from a store ---- */

/* Reads a piece. After an exception, or if the piece is missing, fails with BLOOM_E_STORE. */
static bloom_status read_from_store(
	void *context, uint64_t at, unsigned char *bytes, uint64_t count, bloom_error *error)
{
	store_snapshot *from = context;
	zend_string *value = NULL;
	char key[KEY_BYTES];
	bool fits;

	piece_key(from->name, from->id, bloom_snapshot_piece_at(at), key);
	if (!php_bloom_store_get_one(from->store, key, &value)) {
		return BLOOM_E_STORE;
	}
	if (value == NULL || !php_bloom_job_is_ours(from->job)) {
		from->is_missing = value == NULL;
		if (value != NULL) {
			zend_string_release(value);
		}
		return BLOOM_E_STORE;
	}
	fits = ZSTR_LEN(value) == count;
	if (fits) {
		memcpy(bytes, ZSTR_VAL(value), ZSTR_LEN(value));
	}
	zend_string_release(value);
	return fits ? BLOOM_OK : bloom_fail(error, BLOOM_E_SNAPSHOT_PIECE, 0, "%.600s", key);
}

/* Restores the snapshot that the head in the store names. */
static bool restore_once(store_snapshot *from, const bloom_segment *segment, uint32_t kinds)
{
	php_bloom_job *job = from->job;
	zend_string *head = NULL;
	bloom_error error = {0};
	bloom_status status = BLOOM_E_STORE;

	if (!php_bloom_store_get_one(from->store, from->head_key, &head)) {
		return false;
	}
	if (head == NULL) {
		return fail_with(BLOOM_E_STORE_MISSING, from->head_key);
	}
	if (php_bloom_job_is_ours(job)) {
		status = bloom_restoring_begin(segment, from->name, kinds,
			(const unsigned char *)ZSTR_VAL(head), ZSTR_LEN(head), &job->stage,
			job->restoring, &error);
	}
	zend_string_release(head);
	if (status == BLOOM_OK) {
		from->id = job->restoring->head.ids.own.id;
		status = bloom_restoring_run(job->restoring, read_from_store, from, &error);
	}
	return status == BLOOM_OK || EG(exception) != NULL || error.status == BLOOM_OK
		? status == BLOOM_OK
		: fail(&error);
}

/* Restores a filter from a store. The caller ends the job. Returns false after an exception. */
BLOOM_NOINLINE static bool restore_from_store(php_bloom_job *job, const bloom_segment *segment,
	const char *name, uint32_t kinds, zend_object *store)
{
	store_snapshot from = snapshot_in(job, store, name);
	int round;

	job->restoring = calloc(1, sizeof *job->restoring);
	if (job->restoring == NULL) {
		return fail_with(BLOOM_E_MEMORY, name);
	}
	/* A process that saves deletes the pieces of the replaced snapshot. */
	for (round = 0; round < ROUNDS_MAX; round++) {
		from.is_missing = false;
		if (restore_once(&from, segment, kinds)) {
			return true;
		}
		if (!from.is_missing) {
			return false;
		}
		bloom_stage_abort(&job->stage);
	}
	return fail_with(BLOOM_E_STORE_MISSING, "a piece of the snapshot");
}

/* ---- the methods ---- */

/* Makes a path absolute, follows links and checks open_basedir. */
static bool resolve(const zend_string *path, uint32_t argument, char full[MAXPATHLEN])
{
	bloom_error error;
	int os_error;

	if (ZSTR_LEN(path) == 0 || zend_str_has_nul_byte(path)) {
		zend_argument_value_error(argument, "must be a path without null bytes");
		return false;
	}
	os_error = php_bloom_find_target(ZSTR_VAL(path), full);
	if (os_error == 0 && php_check_open_basedir(full) != 0) {
		os_error = EPERM;
	}
	if (os_error == 0) {
		return true;
	}
	(void)bloom_fail(&error,
		os_error == BLOOM_SHARED_FOREIGN_LINK ? BLOOM_E_REFUSED_LINK : BLOOM_E_FILE,
		os_error == BLOOM_SHARED_FOREIGN_LINK ? 0 : os_error, "%.600s", ZSTR_VAL(path));
	php_bloom_throw(&error);
	return false;
}

ZEND_METHOD(Bloom_WritableFilter, save)
{
	bloom_attachment *attachment;
	char name[BLOOM_NAME_BYTES_MAX + 1];
	const bloom_segment *segment;
	zend_object *store = NULL;
	zend_string *path = NULL;
	char full[MAXPATHLEN];
	bloom_error error = {0};
	php_bloom_job *job;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_OBJ_OF_CLASS_OR_STR(store, php_bloom_ce_store_interface, path)
	ZEND_PARSE_PARAMETERS_END();

	if (path != NULL && !resolve(path, 1, full)) {
		RETURN_THROWS();
	}
	attachment = php_bloom_present(Z_OBJ_P(ZEND_THIS));
	if (attachment == NULL) {
		RETURN_THROWS();
	}
	if (path != NULL) {
		if (bloom_save_file(attachment->segment, attachment->name, full, &error) !=
			BLOOM_OK) {
			php_bloom_throw(&error);
			RETURN_THROWS();
		}
		return;
	}
	/* The store is userland, which may release the attachment. */
	segment = attachment->segment;
	memcpy(name, attachment->name, sizeof name);
	job = php_bloom_job_begin();
	ok = job != NULL && save_to_store(job, segment, name, store);
	if (job != NULL) {
		php_bloom_job_end(job);
	}
	if (!ok) {
		RETURN_THROWS();
	}
}

ZEND_METHOD(Bloom_Filter, restore)
{
	const zend_class_entry *called;
	const bloom_segment *segment;
	zend_object *store = NULL;
	zend_string *name, *path = NULL;
	char full[MAXPATHLEN];
	bloom_error error = {0};
	php_bloom_job *job;
	uint32_t kinds;
	zval file;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(name)
		Z_PARAM_OBJ_OF_CLASS_OR_STR(store, php_bloom_ce_store_interface, path)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_bloom_called_on(execute_data, &called)) {
		RETURN_THROWS();
	}
	kinds = php_bloom_kinds_of_class(called);
	segment = php_bloom_segment_for(name, 1);
	if (segment == NULL || (path != NULL && !resolve(path, 2, full))) {
		RETURN_THROWS();
	}
	if (path != NULL) {
		ok = bloom_restore_file(segment, ZSTR_VAL(name), kinds, full, &error) == BLOOM_OK;
		if (!ok) {
			php_bloom_throw(&error);
		}
		if (bloom_status_group_of(error.status) == BLOOM_GROUP_FORMAT) {
			ZVAL_STR(&file, path);
			php_bloom_name_file(&file);
		}
	} else {
		job = php_bloom_job_begin();
		ok = job != NULL && restore_from_store(job, segment, ZSTR_VAL(name), kinds, store);
		if (job != NULL) {
			php_bloom_job_end(job);
		}
	}
	if (!ok || !php_bloom_open_made(return_value, segment, ZSTR_VAL(name), called)) {
		RETURN_THROWS();
	}
}

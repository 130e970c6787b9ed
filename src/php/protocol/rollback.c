/* Implements Blob::rollback(), pin() and unpin().
 *
 *     rollback(), pin()  take the publishers' lock (publish_lock.h) ─► find the version
 *                        ─► all its chunks are there? ─► keep a replaced override's version in the
 *                        list of earlier ones ─► replace "<name>:override"
 *                        ─► notify the hosts that follow the journal
 *     unpin()            take the lock ─► keep the override's version in the list
 *                        ─► delete the override
 */
#include "php/engine.h"

#include <string.h>

#include <zend_exceptions.h>

#include "filter/chunk.h"
#include "filter/signature.h"
#include "os/clock.h"
#include "php/arguments.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/keyrings.h"
#include "php/protocol/heads.h"
#include "php/protocol/journal_notice.h"

enum { CHECKSUM_DIGITS = 16 };

static bool require_chunks(zend_object *store, const char *name, const bloom_head *head)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	uint64_t first, end, chunk;
	HashTable missing;
	bool ok = true;
	zval keys;

	zend_hash_init(&missing, 8, NULL, NULL, false);
	for (first = 0; ok && first < head->chunks; first = end) {
		end = head->chunks - first < PHP_BLOOM_STORE_KEYS_MAX
			? head->chunks
			: first + PHP_BLOOM_STORE_KEYS_MAX;
		array_init(&keys);
		for (chunk = first; chunk < end; chunk++) {
			bloom_chunk_key(name, bloom_head_chunk(head, chunk), key);
			add_next_index_string(&keys, key);
		}
		ok = php_bloom_store_missing(store, &keys, &missing);
		zval_ptr_dtor(&keys);
		if (ok && zend_hash_num_elements(&missing) > 0) {
			ok = php_bloom_store_throw(BLOOM_E_STORE_MISSING, "a chunk of the version");
		}
	}
	zend_hash_destroy(&missing);
	return ok;
}

typedef struct override_change {
	zend_object *store;
	const char *name;
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	php_bloom_heads found;
	bloom_override_kind in_force; /* found.override, if hosts obey it */
	php_bloom_progress progress;  /* silent */
	php_bloom_publish_lock lock;
	zend_string *warning; /* of a notice that failed; it is not reported */
	zend_string *before;  /* the value of the override, even if it is unreadable; NULL: none */
	zend_string *written; /* the new override; NULL: none */
} override_change;

/* Takes the lock, and reads the heads and the override. */
static bool begin(override_change *change)
{
	php_bloom_side_key(change->name, "override", change->key);
	change->lock = (php_bloom_publish_lock){
		.store = change->store, .name = change->name, .progress = &change->progress};
	if (!php_bloom_publish_lock_take(&change->lock) ||
		!php_bloom_heads_get(change->store, change->name, &change->found) ||
		!php_bloom_store_get_replaceable(change->store, change->key, &change->before)) {
		return false;
	}
	if (php_bloom_override_is_in_force(
		    &change->found.override, change->name, &change->found.current.found)) {
		change->in_force = change->found.override.override.kind;
	}
	return true;
}

/* Throws if the store has no head, or if it is unreadable. */
static bool require_current(const override_change *change)
{
	const php_bloom_stored *current = &change->found.current;
	php_bloom_published again = {0};

	if (current->value == NULL) {
		return php_bloom_store_throw(BLOOM_E_STORE_MISSING, change->name);
	}
	if (current->found.bytes == NULL) {
		again.bytes = zend_string_copy(current->value);
		(void)php_bloom_published_parse(&again);
		php_bloom_published_release(&again);
	}
	return current->found.bytes != NULL;
}

static void end(override_change *change)
{
	php_bloom_publish_lock_release(&change->lock);
	php_bloom_heads_release(&change->found);
	if (change->warning != NULL) {
		zend_string_release(change->warning);
	}
	if (change->before != NULL) {
		zend_string_release(change->before);
	}
	if (change->written != NULL) {
		zend_string_release(change->written);
	}
}

/* Throws if hosts with this host's signing keys and clock would not load the version. */
static bool is_loadable(
	const override_change *change, const bloom_head *head, const unsigned char *bytes)
{
	bloom_error error = {0};

	if (bloom_signature_check(head, bytes, change->name, php_bloom_signers(), &error) ==
			BLOOM_OK &&
		bloom_head_check_built(head, bloom_clock_ms(), change->name, &error) == BLOOM_OK) {
		return true;
	}
	php_bloom_throw(&error);
	return false;
}

/* Returns the time of the new override: later than that of the one that it replaces, even if clocks
 * differ. Anyone who can write to the store can date a record that is not signed. An override that
 * is dated ahead stays valid for hosts after it has ended (bloom_served_override_note()), so such a
 * time must not be continued with this host's signature. */
static uint64_t choose_since(const override_change *change)
{
	const php_bloom_stored_override *before = &change->found.override;
	uint64_t now_ms = bloom_clock_ms();

	return before->bytes != NULL && before->override.since_ms >= now_ms &&
			before->override.since_ms < now_ms + BLOOM_BUILT_AHEAD_MS_MAX &&
			bloom_override_check((const unsigned char *)ZSTR_VAL(before->bytes),
				ZSTR_LEN(before->bytes), change->name, php_bloom_signers(),
				NULL) == BLOOM_OK
		? before->override.since_ms + 1
		: now_ms;
}

static bool make_override(override_change *change, bloom_override_kind kind, const bloom_head *head,
	const unsigned char *bytes)
{
	const bloom_ring *ring = php_bloom_signers();
	const bloom_secret *key = NULL;
	bloom_error error = {0};

	if (ring != NULL && ring->configured) {
		key = bloom_ring_current(ring, BLOOM_E_NO_SIGNING_KEY, &error);
		if (key == NULL) {
			php_bloom_throw(&error);
			return false;
		}
	}
	change->written =
		zend_string_alloc((size_t)(head->head_bytes + BLOOM_OVERRIDE_EXTRA_BYTES), false);
	ZSTR_VAL(change->written)[ZSTR_LEN(change->written)] = '\0';
	bloom_override_write((unsigned char *)ZSTR_VAL(change->written), kind, choose_since(change),
		kind == BLOOM_OVERRIDE_ROLLBACK ? change->found.current.found.head.checksum : 0,
		bytes, head->head_bytes, change->name, key);
	return true;
}

/* Throws if another process has taken the lock over, because this one has stalled. */
static bool keep_lock(override_change *change)
{
	bool is_held;

	return php_bloom_publish_lock_renew(&change->lock, &is_held) &&
		(is_held || php_bloom_store_throw(BLOOM_E_OVERTAKEN, change->name));
}

/* Writes the override if the process still holds the lock. Hosts refuse one whose bytes a store has
 * changed, so it need not be read back. */
static bool write_override(override_change *change)
{
	bool is_done;

	return keep_lock(change) &&
		php_bloom_store_replace(change->store, change->key, change->before,
			(const unsigned char *)ZSTR_VAL(change->written), ZSTR_LEN(change->written),
			&is_done) &&
		(is_done || php_bloom_store_throw(BLOOM_E_OVERTAKEN, change->name));
}

/* Deletes the new override if the version is no longer complete: this process has stalled for so
 * long that another one has taken the lock over and deleted chunks. That one may not have seen the
 * override and may still be deleting, so this process takes the lock again before it looks. No
 * override is better than one that no host can load. */
static bool is_kept(override_change *change, const bloom_head *head)
{
	zend_object *thrown;
	bool is_held;

	if (!php_bloom_publish_lock_renew(&change->lock, &is_held)) {
		return false;
	}
	if (!is_held && !php_bloom_publish_lock_take(&change->lock)) {
		return false;
	}
	if (is_held || require_chunks(change->store, change->name, head)) {
		return true;
	}
	thrown = EG(exception);
	if (zend_is_unwind_exit(thrown) || zend_is_graceful_exit(thrown)) {
		return false;
	}
	GC_ADDREF(thrown);
	zend_clear_exception();
	if (php_bloom_store_delete_one(change->store, change->key)) {
		zend_throw_exception_internal(thrown);
	} else {
		OBJ_RELEASE(thrown);
	}
	return false;
}

/* Adds the override's version to the list of earlier ones before the override ends, unless it is
 * the current one. Hosts may still use it, so the next publisher keeps the version or deletes its
 * chunks. If the list would become too long for the store, the chunks stay. */
static bool list_version(override_change *change)
{
	const bloom_override *override = &change->found.override.override;
	const php_bloom_published *current = &change->found.current.found;
	php_bloom_version_list list = {0};
	zend_string *value;
	bool is_done = true, ok;

	if (change->found.override.bytes == NULL ||
		(current->bytes != NULL &&
			php_bloom_is_same_version(&current->head, &override->head))) {
		return true;
	}
	php_bloom_version_list_add_all(&list, &change->found.earlier);
	php_bloom_version_list_add(&list, &override->head, override->head_bytes);
	value = php_bloom_version_list_join(&list);
	ok = ZSTR_LEN(value) > php_bloom_store_value_bytes_max(change->store) ||
		php_bloom_set_earlier(&change->lock, change->found.earlier.value, value, &is_done);
	zend_string_release(value);
	php_bloom_version_list_free(&list);
	return ok && (is_done || php_bloom_store_throw(BLOOM_E_OVERTAKEN, change->name));
}

/* Tells the hosts that follow the journal, which otherwise read the head once a minute. If the
 * version has no mark, the journal ends. The override is in force even if the store then fails. */
static bool notify(override_change *change, const bloom_head *head)
{
	return !instanceof_function(change->store->ce, php_bloom_ce_journal_store_interface) ||
		php_bloom_journal_notice(change->store, change->name, head) ||
		php_bloom_store_warn(&change->warning);
}

/* Ends an open journal before hosts can see a version without a mark, because they will not find
 * keys that are added from then on. */
static bool end_journal(const override_change *change, const bloom_head *head)
{
	php_bloom_journal_state state;

	return head->meta.mark.epoch != 0 ||
		!instanceof_function(change->store->ce, php_bloom_ce_journal_store_interface) ||
		(php_bloom_journal_look(change->store, change->name, &state) &&
			(!state.is_open ||
				php_bloom_journal_notice(change->store, change->name, head)));
}

static bool override_with(override_change *change, bloom_override_kind kind, const bloom_head *head,
	const unsigned char *bytes)
{
	return is_loadable(change, head, bytes) &&
		require_chunks(change->store, change->name, head) &&
		php_bloom_require_journal(change->store, change->name, head) &&
		make_override(change, kind, head, bytes) && list_version(change) &&
		end_journal(change, head) && write_override(change) && is_kept(change, head) &&
		notify(change, head);
}

/* ---- choosing a version ---- */

static bool throw_missing(uint64_t checksum)
{
	char subject[CHECKSUM_DIGITS + sizeof "version "];

	(void)snprintf(subject, sizeof subject, "version %016llx", (unsigned long long)checksum);
	return php_bloom_store_throw(BLOOM_E_STORE_MISSING, subject);
}

/* Checks the argument for a checksum, which may be NULL.
 *
 *   *number  the checksum */
static bool take_checksum(const zend_string *checksum, uint64_t *number)
{
	if (checksum == NULL) {
		return true;
	}
	if (ZSTR_LEN(checksum) != CHECKSUM_DIGITS ||
		strspn(ZSTR_VAL(checksum), "0123456789abcdef") != CHECKSUM_DIGITS) {
		zend_argument_value_error(
			3, "must be a version's checksum of 16 hexadecimal digits");
		return false;
	}
	*number = ZEND_STRTOUL(ZSTR_VAL(checksum), NULL, 16);
	return true;
}

/* Returns the earlier version with this checksum, or the newest earlier one if it is NULL. The list
 * may also have the current version, if a publisher was killed. */
static const php_bloom_version *find_earlier(
	const override_change *change, const uint64_t *checksum)
{
	const php_bloom_version_list *earlier = &change->found.earlier;
	uint32_t i;

	for (i = 0; i < earlier->count; i++) {
		const bloom_head *head = &earlier->items[i].head;

		if (!php_bloom_is_same_version(head, &change->found.current.found.head) &&
			(checksum == NULL || head->checksum == *checksum)) {
			return &earlier->items[i];
		}
	}
	return NULL;
}

/* Throws if the list of earlier versions begins with bytes that are no head. */
static bool require_readable(const override_change *change)
{
	php_bloom_version_list again = {.value = change->found.earlier.value};
	bloom_error error = {0};
	bloom_status status = php_bloom_version_list_parse(&again, &error);

	again.value = NULL;
	php_bloom_version_list_free(&again);
	if (status != BLOOM_OK) {
		php_bloom_throw(&error);
	}
	return status == BLOOM_OK;
}

/* Parses the arguments of rollback() and pin(), and makes the change with the lock held. */
static void change_override(INTERNAL_FUNCTION_PARAMETERS,
	bool (*make)(override_change *change, const uint64_t *checksum))
{
	zend_string *name, *checksum = NULL;
	override_change change = {0};
	uint64_t number;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_OBJ_OF_CLASS(change.store, php_bloom_ce_store_interface)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR_OR_NULL(checksum)
	ZEND_PARSE_PARAMETERS_END();

	change.name = php_bloom_name(name, 2);
	if (change.name == NULL || !take_checksum(checksum, &number)) {
		RETURN_THROWS();
	}
	ok = begin(&change) && require_current(&change) &&
		make(&change, checksum != NULL ? &number : NULL);
	end(&change);
	if (!ok) {
		RETURN_THROWS();
	}
}

static bool roll_back(override_change *change, const uint64_t *checksum)
{
	const bloom_override *override = &change->found.override.override;
	const php_bloom_version *version;

	if (change->in_force == BLOOM_OVERRIDE_PIN) {
		return php_bloom_store_throw(BLOOM_E_PINNED, change->name);
	}
	if (change->in_force == BLOOM_OVERRIDE_ROLLBACK &&
		(checksum == NULL || override->head.checksum == *checksum)) {
		return true; /* it is already rolled back */
	}
	version = find_earlier(change, checksum);
	if (version == NULL) {
		return require_readable(change) &&
			(checksum == NULL ? php_bloom_store_throw(BLOOM_E_NO_PREVIOUS, change->name)
					  : throw_missing(*checksum));
	}
	return override_with(change, BLOOM_OVERRIDE_ROLLBACK, &version->head, version->bytes);
}

ZEND_METHOD(Bloom_Blob, rollback)
{
	change_override(INTERNAL_FUNCTION_PARAM_PASSTHRU, roll_back);
}

/* Finds the version to pin to: the one with this checksum, or, if it is NULL, the one that hosts
 * serve. */
static const bloom_head *find_version(
	const override_change *change, const uint64_t *checksum, const unsigned char **bytes)
{
	const bloom_override *override = &change->found.override.override;
	const php_bloom_published *current = &change->found.current.found;
	uint64_t wanted = checksum != NULL ? *checksum : current->head.checksum;
	const php_bloom_version *version;

	if (checksum == NULL && change->in_force != BLOOM_OVERRIDE_NONE) {
		wanted = override->head.checksum;
	}
	if (current->head.checksum == wanted) {
		*bytes = (const unsigned char *)ZSTR_VAL(current->bytes);
		return &current->head;
	}
	version = find_earlier(change, &wanted);
	if (version != NULL) {
		*bytes = version->bytes;
		return &version->head;
	}
	if (change->found.override.bytes != NULL && override->head.checksum == wanted) {
		*bytes = override->head_bytes;
		return &override->head;
	}
	(void)throw_missing(wanted);
	return NULL;
}

static bool pin(override_change *change, const uint64_t *checksum)
{
	const unsigned char *bytes = NULL;
	const bloom_head *head = find_version(change, checksum, &bytes);

	if (head == NULL) {
		return false;
	}
	return (change->in_force == BLOOM_OVERRIDE_PIN &&
		       php_bloom_is_same_version(head, &change->found.override.override.head)) ||
		override_with(change, BLOOM_OVERRIDE_PIN, head, bytes);
}

ZEND_METHOD(Bloom_Blob, pin)
{
	change_override(INTERNAL_FUNCTION_PARAM_PASSTHRU, pin);
}

/* Deletes the override, unless another process has set one since. An unreadable head or override
 * must not prevent this. */
static bool unpin(override_change *change)
{
	const php_bloom_published *current = &change->found.current.found;
	bool is_change = current->bytes != NULL && change->found.override.bytes != NULL;

	return list_version(change) && (!is_change || end_journal(change, &current->head)) &&
		keep_lock(change) && php_bloom_store_delete_one(change->store, change->key) &&
		(!is_change || notify(change, &current->head));
}

ZEND_METHOD(Bloom_Blob, unpin)
{
	override_change change = {0};
	zend_string *name;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_OBJ_OF_CLASS(change.store, php_bloom_ce_store_interface)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	change.name = php_bloom_name(name, 2);
	if (change.name == NULL) {
		RETURN_THROWS();
	}
	ok = begin(&change) && unpin(&change);
	end(&change);
	if (!ok) {
		RETURN_THROWS();
	}
}

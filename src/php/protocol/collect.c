#include "php/protocol/collect.h"

#include <string.h>

#include <zend_exceptions.h>

#include "os/clock.h"
#include "os/process.h"
#include "php/classes.h"
#include "filter/chunk.h"

enum { LEASE_MS = 60000 }; /* other processes respect a claim for this long */

/* ---- heads ---- */

bool php_bloom_get_valid_head(zend_object *store, const char *key, php_bloom_published *found)
{
	if (php_bloom_published_get(store, key, found)) {
		return true;
	}
	if (instanceof_function(EG(exception)->ce, php_bloom_ce_Format) ||
		instanceof_function(EG(exception)->ce, php_bloom_ce_Secret) ||
		php_bloom_store_is_too_long(EG(exception))) {
		zend_clear_exception();
		return true;
	}
	return false;
}

static void release(zend_string **text)
{
	if (*text != NULL) {
		zend_string_release(*text);
		*text = NULL;
	}
}

static bool delete_key(zend_object *store, const char *key)
{
	zval keys;
	bool ok;

	array_init(&keys);
	add_next_index_string(&keys, key);
	ok = php_bloom_store_delete(store, &keys);
	zval_ptr_dtor(&keys);
	return ok;
}

bool php_bloom_stored_get(zend_object *store, const char *key, zend_string **value)
{
	*value = NULL;
	if (php_bloom_store_get_one(store, key, value)) {
		return true;
	}
	*value = NULL;
	if (!php_bloom_store_is_too_long(EG(exception))) {
		return false;
	}
	zend_clear_exception();
	return delete_key(store, key);
}

static bool get_stored(zend_object *store, const char *key, php_bloom_stored *stored)
{
	if (!php_bloom_stored_get(store, key, &stored->value)) {
		return false;
	}
	stored->found.bytes = stored->value != NULL ? zend_string_copy(stored->value) : NULL;
	if (php_bloom_published_parse(&stored->found)) {
		return true;
	}
	if (!instanceof_function(EG(exception)->ce, php_bloom_ce_Format) &&
		!instanceof_function(EG(exception)->ce, php_bloom_ce_Secret)) {
		return false;
	}
	zend_clear_exception();
	return true;
}

bool php_bloom_heads_get(zend_object *store, const char *name, php_bloom_heads *found)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];

	*found = (php_bloom_heads){0};
	php_bloom_side_key(name, "previous", key);
	return php_bloom_override_get(store, name, &found->override) &&
		get_stored(store, name, &found->current) &&
		get_stored(store, key, &found->previous);
}

void php_bloom_heads_release(php_bloom_heads *found)
{
	release(&found->current.value);
	release(&found->previous.value);
	php_bloom_published_release(&found->current.found);
	php_bloom_published_release(&found->previous.found);
	php_bloom_override_release(&found->override);
}

bool php_bloom_require_journal(zend_object *store, const char *name, const bloom_head *head)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES], position[BLOOM_POSITION_TEXT_BYTES];
	zval positions, answers, value;
	const zval *records;
	bool is_lost;

	if (head->meta.mark.epoch == 0 ||
		!instanceof_function(store->ce, php_bloom_ce_journal_store_interface)) {
		return true;
	}
	php_bloom_side_key(name, "journal", key);
	ZVAL_STRINGL(&value, position, bloom_mark_position(&head->meta.mark, position));
	array_init(&positions);
	zend_hash_str_update(Z_ARRVAL(positions), key, strlen(key), &value);
	if (!php_bloom_store_read(store, &positions, 1, &answers)) {
		zval_ptr_dtor(&positions);
		return false;
	}
	records = zend_hash_str_find_deref(Z_ARRVAL(answers), key, strlen(key));
	is_lost = records == NULL || Z_TYPE_P(records) == IS_NULL;
	zval_ptr_dtor(&positions);
	zval_ptr_dtor(&answers);
	return !is_lost || php_bloom_store_throw(BLOOM_E_JOURNAL_LOST, name);
}

void php_bloom_add_chunk_keys(
	HashTable *set, const char *name, const bloom_head *head, uint64_t first, uint64_t end)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	uint64_t chunk;
	zval yes;

	ZVAL_TRUE(&yes);
	for (chunk = first; chunk < end; chunk++) {
		bloom_chunk_key(name, bloom_head_chunk(head, chunk), key);
		zend_hash_str_update(set, key, strlen(key), &yes);
	}
}

/* ---- the list ---- */

static uint64_t digest_count(const smart_str *list)
{
	return smart_str_get_len((smart_str *)list) / BLOOM_CHUNK_DIGEST_BYTES;
}

static const unsigned char *listed_digest(const smart_str *list, uint64_t i)
{
	return (const unsigned char *)ZSTR_VAL(list->s) + i * BLOOM_CHUNK_DIGEST_BYTES;
}

/* Appends the digests that are not in the set, and adds them to it. */
static void append_others(
	smart_str *list, const unsigned char *digests, uint64_t count, HashTable *set)
{
	uint64_t i;
	zval yes;

	ZVAL_TRUE(&yes);
	for (i = 0; i < count; i++, digests += BLOOM_CHUNK_DIGEST_BYTES) {
		if (zend_hash_str_add(set, (const char *)digests, BLOOM_CHUNK_DIGEST_BYTES, &yes) !=
			NULL) {
			smart_str_appendl(list, (const char *)digests, BLOOM_CHUNK_DIGEST_BYTES);
		}
	}
}

/* Makes a list of the first digests, and then those of the second that are not in the first. */
static void join(smart_str *list, const unsigned char *first, uint64_t first_count,
	const unsigned char *second, uint64_t second_count, bool keep_first)
{
	smart_str made = {0}, ignored = {0};
	HashTable set;

	zend_hash_init(&set, 8, NULL, NULL, false);
	append_others(keep_first ? &made : &ignored, first, first_count, &set);
	append_others(&made, second, second_count, &set);
	zend_hash_destroy(&set);
	smart_str_free(&ignored);
	smart_str_free(list);
	*list = made;
}

void php_bloom_collect_add(php_bloom_collecting *collect, const bloom_head *head)
{
	const smart_str *list = &collect->list;

	if (head->chunks > 0) {
		join(&collect->list, digest_count(list) > 0 ? listed_digest(list, 0) : NULL,
			digest_count(list), bloom_head_chunk(head, 0), head->chunks, true);
	}
}

void php_bloom_collect_keep(php_bloom_collecting *collect, const bloom_head *head)
{
	const smart_str *list = &collect->list;

	if (digest_count(list) > 0 && head->chunks > 0) {
		join(&collect->list, bloom_head_chunk(head, 0), head->chunks,
			listed_digest(list, 0), digest_count(list), false);
	}
}

/* Makes an array of the keys for a part of the list. */
static void list_keys(const php_bloom_collecting *collect, uint64_t first, uint64_t end, zval *keys)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	uint64_t i;

	array_init(keys);
	for (i = first; i < end; i++) {
		bloom_chunk_key(collect->name, listed_digest(&collect->list, i), key);
		add_next_index_string(keys, key);
	}
}

/* ---- the claim ---- */

/* The claim's value, in this order:
 *
 *     the time at which it was renewed   ms since 1970 in decimal; 0: no process holds the lock
 *     a space and the process's name     as in os/process.h; may be empty
 *     a space and a random number        distinguishes this claim from all others
 *     a line feed
 *     the digests of the chunks          end to end, as in a head
 */

static zend_string *make_claim(const php_bloom_collecting *collect, uint64_t time_ms)
{
	char process[BLOOM_PROCESS_NAME_BYTES];
	smart_str value = {0};

	bloom_process_name(process);
	smart_str_append_unsigned(&value, (zend_ulong)time_ms);
	if (time_ms != 0) {
		smart_str_append_printf(
			&value, " %s %016llx", process, (unsigned long long)bloom_random());
	}
	smart_str_appendc(&value, '\n');
	smart_str_append_smart_str(&value, &collect->list);
	smart_str_0(&value);
	return value.s;
}

/* Takes the list of an earlier claim. If the bytes are not a valid claim, the list is empty. */
static void take_list(php_bloom_collecting *collect, const zend_string *claim)
{
	const char *line = claim != NULL ? memchr(ZSTR_VAL(claim), '\n', ZSTR_LEN(claim)) : NULL;
	size_t bytes = line != NULL ? ZSTR_LEN(claim) - (size_t)(line + 1 - ZSTR_VAL(claim)) : 0;

	smart_str_free(&collect->list);
	if (bytes > 0 && bytes % BLOOM_CHUNK_DIGEST_BYTES == 0) {
		smart_str_appendl(&collect->list, line + 1, bytes);
	}
}

/* Replaces the claim.
 *
 *   before    NULL: there must be no claim
 *   *is_done  false: the store has another claim */
static bool replace_claim(
	const php_bloom_collecting *collect, zend_string *before, zend_string *claim, bool *is_done)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];

	php_bloom_side_key(collect->name, "collecting", key);
	return php_bloom_store_replace(collect->store, key, before,
		(const unsigned char *)ZSTR_VAL(claim), ZSTR_LEN(claim), is_done);
}

bool php_bloom_lock_renew(php_bloom_collecting *collect, bool *is_held)
{
	zend_string *claim;

	*is_held = false;
	if (collect->own == NULL) {
		return true;
	}
	claim = make_claim(collect, bloom_clock_ms());
	if (!replace_claim(collect, collect->own, claim, is_held)) {
		zend_string_release(claim);
		return false;
	}
	release(&collect->own);
	if (*is_held) {
		collect->own = claim;
	} else {
		zend_string_release(claim);
	}
	return true;
}

/* ---- waiting ---- */

/* How long a process has waited for the same claim. */
typedef struct waiting {
	zend_string *claim;
	uint64_t since_ms; /* the monotonic time at which this claim was first seen */
	uint64_t gone_ms;  /* the same for its process being gone; 0: not found to be gone yet */
	uint64_t said_ms;
} waiting;

/* Returns how long to wait for the process that set a claim. By then the process has finished, died
 * or lost its connection. If it was a process on this host and no longer exists, a second suffices:
 * by then the server has handled all requests that it sent. The clocks of two hosts may differ by
 * any amount, so this host's monotonic clock limits the wait as well. */
static uint64_t left_ms(waiting *wait)
{
	enum { GONE_MS = 1000 };
	char process[BLOOM_PROCESS_NAME_BYTES] = "";
	uint64_t now_ms = bloom_monotonic_ms(), clock_ms = bloom_clock_ms(), ends_ms, time_ms;
	char *rest;

	if (wait->claim == NULL) {
		return 0;
	}
	time_ms = ZEND_STRTOUL(ZSTR_VAL(wait->claim), &rest, 10);
	if (time_ms < clock_ms && clock_ms - time_ms >= LEASE_MS) {
		return 0;
	}
	if (*rest == ' ') {
		(void)snprintf(
			process, sizeof process, "%.*s", (int)strcspn(rest + 1, " \n"), rest + 1);
	}
	ends_ms = wait->since_ms + LEASE_MS;
	if (time_ms < clock_ms) {
		ends_ms -= clock_ms - time_ms < LEASE_MS ? clock_ms - time_ms : LEASE_MS;
	}
	if (bloom_process_is_gone(process)) {
		wait->gone_ms = wait->gone_ms != 0 ? wait->gone_ms : now_ms;
		ends_ms = wait->gone_ms + GONE_MS < ends_ms ? wait->gone_ms + GONE_MS : ends_ms;
	}
	return ends_ms > now_ms ? ends_ms - now_ms : 0;
}

/* Reports about once a second that the call is waiting. Returns false if the callback threw. */
static bool report_waiting(const php_bloom_collecting *collect, uint64_t left, waiting *wait)
{
	uint64_t now_ms = bloom_monotonic_ms();
	char why[128];

	if (UNEXPECTED(zend_atomic_bool_load_ex(&EG(timed_out)))) {
		zend_timeout();
	}
	if (now_ms - wait->said_ms < 1000) {
		return true;
	}
	wait->said_ms = now_ms;
	(void)snprintf(why, sizeof why, "waiting for another publisher, at most %llu s more",
		(unsigned long long)(left + 999) / 1000);
	return php_bloom_progress_wait(collect->progress, collect->bytes, collect->bytes, why);
}

static bool look(const php_bloom_collecting *collect, waiting *wait)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	zend_string *claim;

	php_bloom_side_key(collect->name, "collecting", key);
	if (!php_bloom_stored_get(collect->store, key, &claim)) {
		return false;
	}
	if (claim == NULL || wait->claim == NULL || !zend_string_equals(claim, wait->claim)) {
		wait->since_ms = bloom_monotonic_ms();
		wait->gone_ms = 0;
	}
	release(&wait->claim);
	wait->claim = claim;
	return true;
}

/* Takes the lock if nobody holds it. */
static bool try_lock(php_bloom_collecting *collect, const waiting *wait, bool *is_done)
{
	zend_string *claim;

	take_list(collect, wait->claim);
	claim = make_claim(collect, bloom_clock_ms());
	if (!replace_claim(collect, wait->claim, claim, is_done) || !*is_done) {
		zend_string_release(claim);
		return EG(exception) == NULL;
	}
	collect->own = claim;
	collect->has_staged = collect->has_staged || wait->claim != NULL;
	return true;
}

bool php_bloom_lock(php_bloom_collecting *collect)
{
	enum { PAUSE_US_MAX = 20000, REFUSED_MAX = 100 };
	waiting wait = {.said_ms = bloom_monotonic_ms()};
	uint64_t left;
	unsigned refused = 0;
	bool is_done = false, ok;
	useconds_t pause = 1000;

	while ((ok = look(collect, &wait)) && !is_done) {
		left = left_ms(&wait);
		if (left == 0) {
			ok = try_lock(collect, &wait, &is_done);
			if (!ok || is_done) {
				break;
			}
			/* Another process was faster, or a replica shows an old claim. */
			if (++refused == REFUSED_MAX) {
				ok = php_bloom_store_throw(BLOOM_E_OVERTAKEN, collect->name);
				break;
			}
		} else {
			refused = 0;
		}
		ok = report_waiting(collect, left, &wait);
		if (!ok) {
			break;
		}
		bloom_pause_us(pause);
		pause = pause * 2 < PAUSE_US_MAX ? pause * 2 : PAUSE_US_MAX;
	}
	release(&wait.claim);
	return ok;
}

/* ---- ending ---- */

bool php_bloom_collect_warn(php_bloom_collecting *collect)
{
	zend_object *thrown = EG(exception);
	zval holder;

	if (!instanceof_function(thrown->ce, php_bloom_ce_Store)) {
		return false;
	}
	if (collect->warning == NULL) {
		collect->warning = zval_get_string(zend_read_property_ex(
			thrown->ce, thrown, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &holder));
	}
	zend_clear_exception();
	return true;
}

/* Deletes the listed chunks, and removes from the list what was deleted. */
static bool delete_listed(php_bloom_collecting *collect)
{
	uint64_t done = 0, end, count = digest_count(&collect->list);
	bool ok = true, is_held = true;
	smart_str rest = {0};
	zval keys;

	while (ok && done < count) {
		ok = php_bloom_lock_renew(collect, &is_held);
		if (!ok || !is_held) {
			break;
		}
		end = count - done < PHP_BLOOM_STORE_KEYS_MAX ? count
							      : done + PHP_BLOOM_STORE_KEYS_MAX;
		list_keys(collect, done, end, &keys);
		ok = php_bloom_store_delete(collect->store, &keys);
		zval_ptr_dtor(&keys);
		done = ok ? end : done;
	}
	/* The process that has taken the lock over has the list. */
	if ((!ok || is_held) && done < count) {
		smart_str_appendl(&rest, (const char *)listed_digest(&collect->list, done),
			(size_t)(count - done) * BLOOM_CHUNK_DIGEST_BYTES);
	}
	smart_str_free(&collect->list);
	collect->list = rest;
	return ok;
}

/* Removes from the list the chunks that the store does not have. */
static bool keep_there(php_bloom_collecting *collect)
{
	uint64_t first, end, i, count = digest_count(&collect->list);
	char key[BLOOM_CHUNK_KEY_BYTES];
	smart_str there = {0};
	HashTable gone;
	bool ok = true;
	zval keys;

	zend_hash_init(&gone, 8, NULL, NULL, false);
	for (first = 0; ok && first < count; first = end) {
		end = count - first < PHP_BLOOM_STORE_KEYS_MAX ? count
							       : first + PHP_BLOOM_STORE_KEYS_MAX;
		list_keys(collect, first, end, &keys);
		ok = php_bloom_store_missing(collect->store, &keys, &gone);
		zval_ptr_dtor(&keys);
	}
	for (i = 0; ok && i < count; i++) {
		bloom_chunk_key(collect->name, listed_digest(&collect->list, i), key);
		if (!zend_hash_str_exists(&gone, key, strlen(key))) {
			smart_str_appendl(&there, (const char *)listed_digest(&collect->list, i),
				BLOOM_CHUNK_DIGEST_BYTES);
		}
	}
	if (ok) {
		smart_str_free(&collect->list);
		collect->list = there;
	}
	zend_hash_destroy(&gone);
	return ok;
}

bool php_bloom_collect(php_bloom_collecting *collect)
{
	zend_string *reason;

	if (digest_count(&collect->list) == 0 || delete_listed(collect)) {
		return true;
	}
	if (!php_bloom_collect_warn(collect) ||
		(!keep_there(collect) && !php_bloom_collect_warn(collect))) {
		return false;
	}
	if (digest_count(&collect->list) > 0) {
		reason = collect->warning;
		collect->warning = strpprintf(0,
			"%llu old chunk%s could not be deleted; the next publish tries again: %s",
			(unsigned long long)digest_count(&collect->list),
			digest_count(&collect->list) == 1 ? "" : "s", ZSTR_VAL(reason));
		zend_string_release(reason);
	}
	return true;
}

/* Deletes the claim if it is still this process's. Between the two calls another process can only
 * take the lock over if this one stalls for a minute. */
static bool delete_claim(php_bloom_collecting *collect)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	zend_string *found;
	bool is_own;

	php_bloom_side_key(collect->name, "collecting", key);
	if (!php_bloom_stored_get(collect->store, key, &found)) {
		return false;
	}
	is_own = found != NULL && zend_string_equals(found, collect->own);
	release(&found);
	return !is_own || delete_key(collect->store, key);
}

/* Clears a pending exception. Returns false if the script is ending. */
static bool clear_failure(void)
{
	if (EG(exception) != NULL &&
		(zend_is_unwind_exit(EG(exception)) || zend_is_graceful_exit(EG(exception)))) {
		return false;
	}
	zend_clear_exception();
	return true;
}

/* Deletes the staged head, and ends the lock. */
static bool end_lock(php_bloom_collecting *collect)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	zend_string *claim;
	bool is_done, ok;

	if (collect->has_staged) {
		php_bloom_side_key(collect->name, "staged", key);
		/* The next publisher replaces it, so the lock ends even if this fails. */
		if (!delete_key(collect->store, key) && !clear_failure()) {
			return false;
		}
		collect->has_staged = false;
	}
	if (digest_count(&collect->list) == 0) {
		return delete_claim(collect);
	}
	claim = make_claim(collect, 0);
	ok = replace_claim(collect, collect->own, claim, &is_done);
	zend_string_release(claim);
	return ok;
}

/* Ends the lock. A failure may leave another exception pending, if the script is ending. */
static void try_to_end(php_bloom_collecting *collect)
{
	if (!end_lock(collect)) {
		(void)clear_failure();
	}
}

void php_bloom_unlock(php_bloom_collecting *collect)
{
	zend_object *thrown = EG(exception);

	if (collect->own != NULL &&
		(thrown == NULL ||
			(!zend_is_unwind_exit(thrown) && !zend_is_graceful_exit(thrown)))) {
		if (thrown != NULL) {
			GC_ADDREF(thrown);
			zend_clear_exception();
		}
		try_to_end(collect);
		if (thrown != NULL && EG(exception) == NULL) {
			zend_throw_exception_internal(thrown);
		} else if (thrown != NULL) {
			OBJ_RELEASE(thrown);
		}
	}
	release(&collect->own);
	smart_str_free(&collect->list);
}

#include "php/collect.h"

#include <string.h>

#include <zend_exceptions.h>
#include <zend_smart_str.h>

#include "os/clock.h"
#include "os/process.h"
#include "php/classes.h"
#include "segment/sync.h"

enum {
	MARK_MS = 60000, /* other publishers respect a mark for this long */
	PAUSE_MS = 200,  /* a publisher that finds no mark normally sets its own within this time */
};

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

void php_bloom_heads_release(php_bloom_heads *found)
{
	php_bloom_published_release(&found->current);
	php_bloom_published_release(&found->previous);
	php_bloom_override_release(&found->override);
}

void php_bloom_side_key(const char *name, const char *what, char key[PHP_BLOOM_SIDE_KEY_BYTES])
{
	(void)snprintf(key, PHP_BLOOM_SIDE_KEY_BYTES, "%s:%s", name, what);
}

bool php_bloom_heads_get_current(zend_object *store, const char *name, php_bloom_heads *found)
{
	return php_bloom_get_valid_head(store, name, &found->current);
}

bool php_bloom_heads_get_previous(zend_object *store, const char *name, php_bloom_heads *found)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];

	php_bloom_side_key(name, "previous", key);
	return php_bloom_get_valid_head(store, key, &found->previous);
}

bool php_bloom_heads_get_override(zend_object *store, const char *name, php_bloom_heads *found)
{
	return php_bloom_override_get(store, name, &found->override);
}

void php_bloom_add_chunk_keys(
	HashTable *set, const char *name, const bloom_head *head, uint64_t first, uint64_t end)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	uint64_t chunk;
	zval yes;

	ZVAL_TRUE(&yes);
	for (chunk = first; chunk < end; chunk++) {
		bloom_sync_chunk_key(name, bloom_head_chunk(head, chunk), key);
		zend_hash_str_update(set, key, strlen(key), &yes);
	}
}

/* ---- the mark ---- */

/* The mark's value, in this order:
 *
 *     the time at which deleting began   ms since 1970 in decimal; 0: no publisher is deleting
 *     a space and the process's name     as in os/process.h; may be empty
 *     a space and a random number        distinguishes this mark from all others
 *     a line feed
 *     the digests of the chunks          end to end, as in a head
 */

/* Sets *value to the mark, or to NULL if there is none. The caller releases it. A value that is too
 * long to be a mark is treated as an abandoned mark without chunks. Returns false if it throws. */
static bool read_mark(const php_bloom_collecting *work, zend_string **value)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];

	*value = NULL;
	php_bloom_side_key(work->name, "collecting", key);
	if (php_bloom_store_get_one(work->store, key, value)) {
		return true;
	}
	*value = NULL;
	if (!php_bloom_store_is_too_long(EG(exception))) {
		return false;
	}
	zend_clear_exception();
	*value = ZSTR_EMPTY_ALLOC();
	return true;
}

static void release(zend_string **text)
{
	if (*text != NULL) {
		zend_string_release(*text);
		*text = NULL;
	}
}

static bool is_same(const zend_string *one, const zend_string *other)
{
	return one != NULL && other != NULL && zend_string_equals(one, other);
}

/* Sets the mark and keeps a copy of it in work->own. Returns false if it throws. */
static bool set_mark(php_bloom_collecting *work, uint64_t time_ms, const smart_str *list)
{
	char mark[PHP_BLOOM_SIDE_KEY_BYTES], process[BLOOM_PROCESS_NAME_BYTES];
	smart_str value = {0};

	php_bloom_side_key(work->name, "collecting", mark);
	bloom_process_name(process);
	smart_str_append_unsigned(&value, (zend_ulong)time_ms);
	if (time_ms != 0) {
		smart_str_append_printf(
			&value, " %s %016llx", process, (unsigned long long)bloom_random());
	}
	smart_str_appendc(&value, '\n');
	smart_str_append_smart_str(&value, list);
	smart_str_0(&value);
	release(&work->own);
	work->own = value.s;
	work->own_ms = bloom_monotonic_ms();
	return php_bloom_store_set(
		work->store, mark, (const unsigned char *)ZSTR_VAL(value.s), ZSTR_LEN(value.s));
}

/* Sets *is_there to true if the mark in the store is this one. Returns false if it throws. */
static bool has_mark(const php_bloom_collecting *work, const zend_string *mark, bool *is_there)
{
	zend_string *found;
	bool ok = read_mark(work, &found);

	*is_there = ok && is_same(found, mark);
	release(&found);
	return ok;
}

/* Deletes the mark if it is still this one. Another publisher's mark must stay, because it protects
 * the chunks of a third publisher. Returns false if it throws. */
static bool delete_mark(const php_bloom_collecting *work, const zend_string *mark)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	bool is_there, ok;
	zval keys;

	if (!has_mark(work, mark, &is_there)) {
		return false;
	}
	if (!is_there) {
		return true;
	}
	php_bloom_side_key(work->name, "collecting", key);
	array_init(&keys);
	add_next_index_string(&keys, key);
	ok = php_bloom_store_delete(work->store, &keys);
	zval_ptr_dtor(&keys);
	return ok;
}

/* Returns the list in a mark, and sets *count to its length. If the bytes are not a valid mark, the
 * list is empty. */
static const unsigned char *marked(const zend_string *mark, uint64_t *count)
{
	const char *line = mark != NULL ? memchr(ZSTR_VAL(mark), '\n', ZSTR_LEN(mark)) : NULL;
	size_t bytes = line != NULL ? ZSTR_LEN(mark) - (size_t)(line + 1 - ZSTR_VAL(mark)) : 0;

	*count = bytes % BLOOM_CHUNK_DIGEST_BYTES == 0 ? bytes / BLOOM_CHUNK_DIGEST_BYTES : 0;
	return line != NULL ? (const unsigned char *)line + 1 : NULL;
}

static uint64_t listed(const smart_str *list)
{
	return smart_str_get_len((smart_str *)list) / BLOOM_CHUNK_DIGEST_BYTES;
}

/* Appends the digests whose keys are not in the set, and adds those keys to it. */
static void append_others(smart_str *list, const char *name, const unsigned char *digests,
	uint64_t count, HashTable *set)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	uint64_t i;
	zval yes;

	ZVAL_TRUE(&yes);
	for (i = 0; i < count; i++, digests += BLOOM_CHUNK_DIGEST_BYTES) {
		bloom_sync_chunk_key(name, digests, key);
		if (zend_hash_str_add(set, key, strlen(key), &yes) != NULL) {
			smart_str_appendl(list, (const char *)digests, BLOOM_CHUNK_DIGEST_BYTES);
		}
	}
}

/* Appends the chunks of a head. `head` may be NULL. */
static void append_head(smart_str *list, const char *name, const bloom_head *head, HashTable *set)
{
	if (head != NULL && head->chunks > 0) {
		append_others(list, name, bloom_head_chunk(head, 0), head->chunks, set);
	}
}

/* Lists the chunks that are named by an old version, a superseded override or an abandoned mark,
 * except chunks of the new blob. If another publisher has replaced the new head, the chunks of the
 * new blob are also listed.
 *
 *   old  NULL: none */
static void list_old(const php_bloom_collecting *work, const bloom_head *old, smart_str *list)
{
	const unsigned char *left;
	HashTable keep;
	uint64_t count;

	zend_hash_init(&keep, 8, NULL, NULL, false);
	if (!work->is_overtaken) {
		php_bloom_add_chunk_keys(&keep, work->name, work->head, 0, work->head->chunks);
	}
	append_head(list, work->name, old, &keep);
	append_head(list, work->name, work->superseded, &keep);
	append_head(list, work->name, work->is_overtaken ? work->head : NULL, &keep);
	left = marked(work->mark, &count);
	append_others(list, work->name, left, count, &keep);
	zend_hash_destroy(&keep);
}

/* Removes from the list the chunks that the heads name. */
static void keep_named(
	const php_bloom_collecting *work, const php_bloom_heads *now, smart_str *list)
{
	smart_str unnamed = {0};
	HashTable keep;

	zend_hash_init(&keep, 8, NULL, NULL, false);
	if (now->current.bytes != NULL) {
		php_bloom_add_chunk_keys(
			&keep, work->name, &now->current.head, 0, now->current.head.chunks);
	}
	if (now->previous.bytes != NULL) {
		php_bloom_add_chunk_keys(
			&keep, work->name, &now->previous.head, 0, now->previous.head.chunks);
	}
	if (now->override.bytes != NULL) {
		php_bloom_add_chunk_keys(&keep, work->name, &now->override.override.head, 0,
			now->override.override.head.chunks);
	}
	append_others(&unnamed, work->name, (const unsigned char *)ZSTR_VAL(list->s), listed(list),
		&keep);
	zend_hash_destroy(&keep);
	smart_str_free(list);
	*list = unnamed;
}

/* Makes an array of the keys for a part of the list. */
static void list_keys(const php_bloom_collecting *work, const smart_str *list, uint64_t first,
	uint64_t end, zval *keys)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	uint64_t i;

	array_init(keys);
	for (i = first; i < end; i++) {
		bloom_sync_chunk_key(work->name,
			(const unsigned char *)ZSTR_VAL(list->s) + i * BLOOM_CHUNK_DIGEST_BYTES,
			key);
		add_next_index_string(keys, key);
	}
}

static bool delete_listed(const php_bloom_collecting *work, const smart_str *list)
{
	zval keys;
	bool ok;

	if (listed(list) == 0) {
		return true;
	}
	list_keys(work, list, 0, listed(list), &keys);
	ok = php_bloom_store_delete(work->store, &keys);
	zval_ptr_dtor(&keys);
	return ok;
}

/* Removes from the list the chunks that the store does not have. Returns false after an
 * exception. */
static bool keep_there(const php_bloom_collecting *work, smart_str *list)
{
	uint64_t first, end, count = listed(list);
	smart_str there = {0};
	HashTable gone;
	bool ok = true;
	zval keys;

	zend_hash_init(&gone, 8, NULL, NULL, false);
	for (first = 0; ok && first < count; first = end) {
		end = count - first < PHP_BLOOM_STORE_KEYS_MAX ? count
							       : first + PHP_BLOOM_STORE_KEYS_MAX;
		list_keys(work, list, first, end, &keys);
		ok = php_bloom_store_missing(work->store, &keys, &gone);
		zval_ptr_dtor(&keys);
	}
	if (ok && count > 0) {
		append_others(
			&there, work->name, (const unsigned char *)ZSTR_VAL(list->s), count, &gone);
		smart_str_free(list);
		*list = there;
	}
	zend_hash_destroy(&gone);
	return ok;
}

bool php_bloom_collect_forgive(php_bloom_collecting *work)
{
	zend_object *thrown = EG(exception);
	zval holder;

	if (!instanceof_function(thrown->ce, php_bloom_ce_Store)) {
		return false;
	}
	if (work->warning == NULL) {
		work->warning = zval_get_string(zend_read_property_ex(
			thrown->ce, thrown, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &holder));
	}
	zend_clear_exception();
	return true;
}

/* Sets a mark that lists the chunks that were not deleted, so that the next publisher deletes them,
 * and writes the warning. Returns false in the same cases as php_bloom_collect_forgive(). */
static bool leave(php_bloom_collecting *work, smart_str *list)
{
	zend_string *reason = work->warning;
	zend_string *found = NULL;
	bool is_told;

	if (!keep_there(work, list) && !php_bloom_collect_forgive(work)) {
		return false;
	}
	/* Another publisher's mark stays. */
	if (!read_mark(work, &found) && !php_bloom_collect_forgive(work)) {
		return false;
	}
	is_told = found == NULL || is_same(found, work->own) || is_same(found, work->mark);
	release(&found);
	if (is_told) {
		is_told = listed(list) > 0 ? set_mark(work, 0, list) : delete_mark(work, work->own);
		if (!is_told && !php_bloom_collect_forgive(work)) {
			return false;
		}
	}
	if (listed(list) > 0) {
		work->warning = strpprintf(0, "%llu old chunk%s could not be deleted%s: %s",
			(unsigned long long)listed(list), listed(list) == 1 ? "" : "s",
			is_told ? "; the next publish tries again" : "", ZSTR_VAL(reason));
		zend_string_release(reason);
	}
	return true;
}

/* Returns the time at which to stop waiting for the publisher that set a mark, in ms since 1970.
 * Returns 0 if no publisher is deleting the chunks of the mark.
 *
 * The wait for a publisher on another host takes at most a minute. By then the publisher has
 * finished, died or lost its connection. If the publisher was a process on this host and no longer
 * exists, a second suffices: by then the server has handled all requests that the publisher sent.
 *
 *   *gone_ms   when the process was first found to be gone; 0: not found to be gone yet
 */
static uint64_t waiting_ends_ms(const zend_string *mark, uint64_t *gone_ms)
{
	enum { GONE_MS = 1000 };
	char process[BLOOM_PROCESS_NAME_BYTES] = "";
	uint64_t began_ms, ends_ms;
	char *rest;

	if (mark == NULL) {
		return 0;
	}
	began_ms = ZEND_STRTOUL(ZSTR_VAL(mark), &rest, 10);
	if (*rest == ' ') {
		(void)snprintf(
			process, sizeof process, "%.*s", (int)strcspn(rest + 1, " \n"), rest + 1);
	}
	ends_ms = began_ms + MARK_MS;
	if (bloom_process_is_gone(process)) {
		*gone_ms = *gone_ms != 0 ? *gone_ms : bloom_clock_ms();
		ends_ms = *gone_ms + GONE_MS < ends_ms ? *gone_ms + GONE_MS : ends_ms;
	}
	return ends_ms;
}

/* Reports about once a second that the call is waiting. Returns false if the callback threw. */
static bool say_waiting(const php_bloom_collecting *work, uint64_t left_ms, uint64_t *said_ms)
{
	uint64_t now_ms = bloom_monotonic_ms(), bytes = bloom_geometry_bytes(&work->head->geometry);
	char why[128];

	if (UNEXPECTED(zend_atomic_bool_load_ex(&EG(timed_out)))) {
		zend_timeout();
	}
	if (now_ms - *said_ms < 1000) {
		return true;
	}
	*said_ms = now_ms;
	(void)snprintf(why, sizeof why,
		"waiting for another publisher to delete old chunks, at most %llu s more",
		(unsigned long long)(left_ms + 999) / 1000);
	return php_bloom_progress_wait(work->progress, bytes, bytes, why);
}

bool php_bloom_wait_for_collector(php_bloom_collecting *work)
{
	enum { PAUSE_US_MAX = 20000 };
	uint64_t start_ms = bloom_monotonic_ms(), said_ms = start_ms, gone_ms = 0, ends_ms, now_ms;
	useconds_t pause = 1000;

	/* The clocks of two hosts may differ by any amount. The wait is therefore also limited by
	 * this host's monotonic clock. */
	while (bloom_monotonic_ms() - start_ms < 60000) {
		work->looked_ms = bloom_monotonic_ms();
		release(&work->mark);
		if (!read_mark(work, &work->mark)) {
			return false;
		}
		if (is_same(work->mark, work->expired)) {
			break;
		}
		/* The time in the mark is the wall-clock time of the publisher's host. */
		ends_ms = waiting_ends_ms(work->mark, &gone_ms);
		now_ms = bloom_clock_ms();
		if (ends_ms <= now_ms) {
			break;
		}
		work->has_waited = true;
		if (!say_waiting(work, ends_ms - now_ms, &said_ms)) {
			return false;
		}
		bloom_pause_us(pause);
		pause = pause * 2 < PAUSE_US_MAX ? pause * 2 : PAUSE_US_MAX;
	}
	release(&work->expired);
	work->expired = work->mark != NULL ? zend_string_copy(work->mark) : NULL;
	return true;
}

/* ---- the flow ---- */

/* Finds out whether another publisher has replaced the head that this publisher set. A lagging
 * replica of the store may still have a head from before, and then the chunks of the new head must
 * stay. So only the head of a newer build counts. Returns false after an exception. */
static bool find_overtaken(php_bloom_collecting *work)
{
	const zend_string *replaced = work->replaced;
	php_bloom_published now = {0};
	bool ok =
		work->head_bytes == NULL || php_bloom_get_valid_head(work->store, work->name, &now);

	work->is_overtaken = now.bytes != NULL &&
		now.head.meta.built_ms > work->head->meta.built_ms &&
		(replaced == NULL ||
			!php_bloom_published_is(&now, (const unsigned char *)ZSTR_VAL(replaced),
				ZSTR_LEN(replaced)));
	php_bloom_published_release(&now);
	return ok;
}

/* Reads the heads after the mark was set. Returns false if it throws.
 *
 * Two publishers may set their marks at the same time, and then only one mark remains. If this
 * publisher's head is the current one, no other publisher deletes chunks now: an earlier publisher
 * sees that its head is no longer the current one, and a later publisher sets its head and then
 * waits for the mark. If the current head is another one, the heads do not order the publishers.
 * The pause then gives a publisher that has just found no mark the time to set its own. Only the
 * publisher that sets its mark last finds its own mark after the pause. */
static bool get_heads(const php_bloom_collecting *work, php_bloom_heads *now)
{
	bool is_slow = bloom_monotonic_ms() - work->looked_ms > PAUSE_MS;

	if (!php_bloom_heads_get_current(work->store, work->name, now)) {
		return false;
	}
	if (is_slow || work->head_bytes == NULL ||
		!php_bloom_published_is(&now->current, work->head_bytes, work->head->head_bytes)) {
		php_bloom_published_release(&now->current);
		bloom_pause_us(PAUSE_MS * 1000);
		if (!php_bloom_heads_get_current(work->store, work->name, now)) {
			return false;
		}
	}
	return php_bloom_heads_get_previous(work->store, work->name, now) &&
		php_bloom_heads_get_override(work->store, work->name, now);
}

/* Deletes the listed chunks, unless another publisher has replaced the mark. Returns false if it
 * throws.
 *
 *   *is_done   whether the chunks were deleted
 */
static bool try_collect(php_bloom_collecting *work, smart_str *list, bool *is_done)
{
	php_bloom_heads now = {0};
	bool ok = set_mark(work, bloom_clock_ms(), list) && get_heads(work, &now);

	if (ok) {
		keep_named(work, &now, list);
	}
	php_bloom_heads_release(&now);
	ok = ok && has_mark(work, work->own, is_done);
	/* If this publisher has stalled, its mark may expire during the deletion. */
	*is_done = *is_done && bloom_monotonic_ms() - work->own_ms < MARK_MS / 2;
	return ok && (!*is_done || (delete_listed(work, list) && delete_mark(work, work->own)));
}

/* Waits for other publishers and deletes the old chunks. Returns false in the same cases as
 * php_bloom_collect_forgive().
 *
 *   *is_done   false: another publisher has replaced the mark, so the caller tries again
 */
static bool collect_once(
	php_bloom_collecting *work, const bloom_head *old, bool is_last, bool *is_done)
{
	smart_str list = {0};
	bool ok = find_overtaken(work);

	*is_done = true;
	list_old(work, old, &list);
	if (ok && listed(&list) == 0 && work->mark == NULL) {
		return true;
	}
	smart_str_free(&list);
	ok = ok && php_bloom_wait_for_collector(work);
	list_old(work, old, &list);
	if (listed(&list) == 0) {
		ok = ok && (work->mark == NULL || delete_mark(work, work->mark));
		return ok || php_bloom_collect_forgive(work);
	}
	ok = ok && try_collect(work, &list, is_done);
	if (ok && !*is_done && is_last) {
		work->warning =
			zend_string_init(ZEND_STRL("other publishers are deleting chunks"), false);
		ok = leave(work, &list);
		if (listed(&list) == 0) {
			release(&work->warning); /* the other publishers have deleted them */
		}
	} else if (!ok) {
		*is_done = true;
		ok = php_bloom_collect_forgive(work) && leave(work, &list);
	}
	smart_str_free(&list);
	return ok;
}

bool php_bloom_collect(php_bloom_collecting *work, const php_bloom_published *old)
{
	enum { ATTEMPTS_MAX = 50 };
	uint64_t start_ms = bloom_monotonic_ms();
	bool is_done = false, is_last = false, ok = true;
	int i;

	for (i = 1; ok && !is_done && !is_last; i++) {
		is_last = i == ATTEMPTS_MAX || bloom_monotonic_ms() - start_ms > MARK_MS;
		ok = collect_once(work, old->bytes != NULL ? &old->head : NULL, is_last, &is_done);
	}
	return ok;
}

bool php_bloom_collect_later(php_bloom_collecting *work, const bloom_head *old, bool keep_override)
{
	php_bloom_heads now = {0};
	zend_string *found = NULL;
	smart_str list = {0};
	bool ok = php_bloom_wait_for_collector(work);

	list_old(work, old, &list);
	if (!ok || listed(&list) == 0) {
		smart_str_free(&list);
		return ok;
	}
	ok = php_bloom_heads_get_current(work->store, work->name, &now) &&
		php_bloom_heads_get_previous(work->store, work->name, &now) &&
		(!keep_override || php_bloom_heads_get_override(work->store, work->name, &now));
	if (ok) {
		keep_named(work, &now, &list);
	}
	php_bloom_heads_release(&now);
	/* A mark that another publisher has set in the meantime stays. */
	ok = ok && read_mark(work, &found);
	if (ok && listed(&list) > 0 && (found == NULL || is_same(found, work->mark))) {
		ok = set_mark(work, 0, &list);
	}
	release(&found);
	smart_str_free(&list);
	return ok;
}

void php_bloom_collect_end(php_bloom_collecting *work)
{
	release(&work->mark);
	release(&work->expired);
	release(&work->own);
	release(&work->warning);
}

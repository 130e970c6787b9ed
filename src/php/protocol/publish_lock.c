#include "php/protocol/publish_lock.h"

#include <string.h>

#include <zend_exceptions.h>

#include "os/clock.h"
#include "os/process.h"

static void release(zend_string **text)
{
	if (*text != NULL) {
		zend_string_release(*text);
		*text = NULL;
	}
}

static zend_string *make_claim(void)
{
	char process[BLOOM_PROCESS_NAME_BYTES];

	bloom_process_name(process);
	return strpprintf(0, "%s %016llx", process, (unsigned long long)bloom_random());
}

/* Replaces the claim.
 *
 *   before    NULL: there must be no claim
 *   *is_done  false: the store has another claim */
static bool replace_claim(
	const php_bloom_publish_lock *lock, zend_string *before, zend_string *claim, bool *is_done)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];

	php_bloom_side_key(lock->name, "publisher", key);
	return php_bloom_store_replace(lock->store, key, before,
		(const unsigned char *)ZSTR_VAL(claim), ZSTR_LEN(claim), is_done);
}

static bool claim_lock(php_bloom_publish_lock *lock, zend_string *before, bool *is_held)
{
	zend_string *claim = make_claim();

	*is_held = false;
	if (!replace_claim(lock, before, claim, is_held)) {
		zend_string_release(claim);
		return false;
	}
	release(&lock->own);
	if (*is_held) {
		lock->own = claim;
	} else {
		zend_string_release(claim);
	}
	return true;
}

bool php_bloom_publish_lock_renew(php_bloom_publish_lock *lock, bool *is_held)
{
	*is_held = false;
	return lock->own == NULL || claim_lock(lock, lock->own, is_held);
}

/* ---- waiting ---- */

/* How long a process has waited for the same claim. */
typedef struct waiting {
	zend_string *claim; /* NULL: there is none */
	uint64_t since_ms;  /* when this claim was first seen, or its process found to be gone */
	bool is_gone;
	uint64_t said_ms;
} waiting;

/* Returns how long to wait for the process that set a claim. By then it has finished, died or lost
 * its connection. If it was a process of this host and has ended, a second suffices, because by
 * then the server has handled all requests that it sent. The clocks of two hosts may differ by any
 * amount, so only this host's monotonic clock counts. */
static uint64_t left_ms(waiting *wait)
{
	enum { LEASE_MS = 60000, GONE_MS = 1000 };
	char process[BLOOM_PROCESS_NAME_BYTES];
	uint64_t now_ms = bloom_monotonic_ms(), ends_ms;

	if (wait->claim == NULL || ZSTR_LEN(wait->claim) == 0) {
		return 0;
	}
	(void)snprintf(process, sizeof process, "%.*s", (int)strcspn(ZSTR_VAL(wait->claim), " "),
		ZSTR_VAL(wait->claim));
	if (!wait->is_gone && bloom_process_is_gone(process)) {
		wait->is_gone = true;
		wait->since_ms = now_ms;
	}
	ends_ms = wait->since_ms + (wait->is_gone ? GONE_MS : LEASE_MS);
	return ends_ms > now_ms ? ends_ms - now_ms : 0;
}

/* Reports about once a second that the call is waiting. Returns false if the callback threw. */
static bool report_waiting(const php_bloom_publish_lock *lock, uint64_t left, waiting *wait)
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
	return php_bloom_progress_wait(lock->progress, lock->bytes, lock->bytes, why);
}

static bool look(const php_bloom_publish_lock *lock, waiting *wait)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	zend_string *claim;

	php_bloom_side_key(lock->name, "publisher", key);
	if (!php_bloom_store_get_replaceable(lock->store, key, &claim)) {
		return false;
	}
	if (claim == NULL || wait->claim == NULL || !zend_string_equals(claim, wait->claim)) {
		wait->since_ms = bloom_monotonic_ms();
		wait->is_gone = false;
	}
	release(&wait->claim);
	wait->claim = claim;
	return true;
}

bool php_bloom_publish_lock_take(php_bloom_publish_lock *lock)
{
	enum { PAUSE_US_MAX = 20000, REFUSED_MAX = 100 };
	waiting wait = {.said_ms = bloom_monotonic_ms()};
	uint64_t left;
	unsigned refused = 0;
	bool is_done = false, ok;
	useconds_t pause = 1000;

	while ((ok = look(lock, &wait))) {
		left = left_ms(&wait);
		if (left == 0) {
			ok = claim_lock(lock, wait.claim, &is_done);
			if (!ok || is_done) {
				break;
			}
			/* Another process was faster, or a replica shows an old claim. */
			if (++refused == REFUSED_MAX) {
				ok = php_bloom_store_throw(BLOOM_E_OVERTAKEN, lock->name);
				break;
			}
		} else {
			refused = 0;
		}
		ok = report_waiting(lock, left, &wait);
		if (!ok) {
			break;
		}
		bloom_pause_us(pause);
		pause = pause * 2 < PAUSE_US_MAX ? pause * 2 : PAUSE_US_MAX;
	}
	lock->has_staged =
		lock->has_staged || (is_done && wait.claim != NULL && ZSTR_LEN(wait.claim) > 0);
	release(&wait.claim);
	return ok;
}

bool php_bloom_publish_lock_is_taken(zend_object *store, const char *name, bool *is_taken)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	zend_string *claim = NULL;

	php_bloom_side_key(name, "publisher", key);
	if (!php_bloom_store_get_one(store, key, &claim)) {
		return false;
	}
	*is_taken = claim != NULL && ZSTR_LEN(claim) > 0;
	release(&claim);
	return true;
}

/* ---- giving it back ---- */

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

/* Returns false, possibly with an exception, if something failed. */
static bool give_back(php_bloom_publish_lock *lock)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	bool is_done;

	if (lock->has_staged) {
		php_bloom_side_key(lock->name, "staged", key);
		/* The next publisher replaces it, so the lock ends even if this fails. */
		if (!php_bloom_store_delete_one(lock->store, key) && !clear_failure()) {
			return false;
		}
		lock->has_staged = false;
	}
	return replace_claim(lock, lock->own, ZSTR_EMPTY_ALLOC(), &is_done);
}

void php_bloom_publish_lock_release(php_bloom_publish_lock *lock)
{
	zend_object *thrown = EG(exception);

	if (lock->own != NULL &&
		(thrown == NULL ||
			(!zend_is_unwind_exit(thrown) && !zend_is_graceful_exit(thrown)))) {
		if (thrown != NULL) {
			GC_ADDREF(thrown);
			zend_clear_exception();
		}
		if (!give_back(lock)) {
			/* Another exception may stay pending, if the script is ending. */
			(void)clear_failure();
		}
		if (thrown != NULL && EG(exception) == NULL) {
			zend_throw_exception_internal(thrown);
		} else if (thrown != NULL) {
			OBJ_RELEASE(thrown);
		}
	}
	release(&lock->own);
}

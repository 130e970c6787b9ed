#include "php/protocol/effective_version.h"

#include <string.h>

#include <zend_exceptions.h>

#include "os/clock.h"
#include "php/errors.h"
#include "php/keyrings.h"
#include "segment/served_override.h"

void php_bloom_override_release(php_bloom_stored_override *found)
{
	if (found->bytes != NULL) {
		zend_string_release(found->bytes);
		found->bytes = NULL;
	}
}

/* Parses found->bytes, which may be NULL. */
static bloom_status parse(php_bloom_stored_override *found, const char *name, bloom_error *error)
{
	return found->bytes == NULL
		? BLOOM_OK
		: bloom_override_parse((const unsigned char *)ZSTR_VAL(found->bytes),
			  ZSTR_LEN(found->bytes), name, &found->override, error);
}

bool php_bloom_override_get(zend_object *store, const char *name, php_bloom_stored_override *found)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];

	found->bytes = NULL;
	php_bloom_side_key(name, "override", key);
	if (!php_bloom_store_get_one(store, key, &found->bytes)) {
		found->bytes = NULL;
		if (!php_bloom_store_is_too_long(EG(exception))) {
			return false;
		}
		zend_clear_exception();
	}
	if (parse(found, name, NULL) != BLOOM_OK) {
		php_bloom_override_release(found);
	}
	return true;
}

static bloom_status check(
	const php_bloom_stored_override *found, const char *name, bloom_error *error)
{
	return bloom_override_check((const unsigned char *)ZSTR_VAL(found->bytes),
		ZSTR_LEN(found->bytes), name, php_bloom_signers(), error);
}

bool php_bloom_override_is_in_force(const php_bloom_stored_override *found, const char *name,
	const php_bloom_published *published)
{
	return found->bytes != NULL && published->bytes != NULL &&
		bloom_override_applies(&found->override, &published->head) &&
		check(found, name, NULL) == BLOOM_OK;
}

void php_bloom_effective_release(php_bloom_effective *effective)
{
	php_bloom_published_release(&effective->head);
	php_bloom_override_release(&effective->override);
}

/* Takes both values from the store's answer. */
static bool take(
	const zval *values, const char *name, const char *key, php_bloom_effective *effective)
{
	bool ok;

	effective->head.bytes = php_bloom_store_answer(values, name, &ok);
	if (effective->head.bytes == NULL) {
		return ok;
	}
	effective->override.bytes = php_bloom_store_answer(values, key, &ok);
	zend_string_addref(effective->head.bytes);
	if (effective->override.bytes != NULL) {
		zend_string_addref(effective->override.bytes);
	}
	return ok;
}

bool php_bloom_effective_get(zend_object *store, const char *name, php_bloom_effective *effective)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	bloom_error error = {0};
	zval keys, values;
	bool ok;

	memset(effective, 0, sizeof *effective);
	php_bloom_side_key(name, "override", key);
	array_init(&keys);
	/* A store may read one key after the other. If a publisher sets a head and deletes the
	 * rollback of the replaced one in between, the head must not be read first. */
	add_next_index_string(&keys, key);
	add_next_index_string(&keys, name);
	ok = php_bloom_store_get(store, &keys, &values);
	zval_ptr_dtor(&keys);
	if (!ok) {
		return false;
	}
	ok = take(&values, name, key, effective);
	zval_ptr_dtor(&values);
	ok = ok && (effective->head.bytes == NULL || php_bloom_published_parse(&effective->head));
	if (ok && parse(&effective->override, name, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		ok = false;
	}
	if (!ok) {
		php_bloom_effective_release(effective);
	}
	return ok;
}

bool php_bloom_effective_require(
	zend_object *store, const char *name, php_bloom_effective *effective)
{
	return php_bloom_effective_get(store, name, effective) &&
		(effective->head.bytes != NULL ||
			php_bloom_store_throw(BLOOM_E_STORE_MISSING, name));
}

/* Refuses an override that could be replayed after it has ended. */
static bloom_status check_since(
	const bloom_override *override, const char *name, bloom_error *error)
{
	uint64_t limit_ms = bloom_clock_ms() + BLOOM_BUILT_AHEAD_MS_MAX;

	return override->since_ms <= limit_ms
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_BUILT_AHEAD, 0,
			  "%.128s:override: time %llu ms since 1970, at most %llu allowed", name,
			  (unsigned long long) override->since_ms, (unsigned long long)limit_ms);
}

void php_bloom_effective_choose(
	php_bloom_effective *effective, const char *name, const bloom_control *control, bool force)
{
	const bloom_override *override = &effective->override.override;
	const bloom_ring *signers = php_bloom_signers();
	bloom_status status;

	if (effective->override.bytes == NULL ||
		!bloom_override_applies(override, &effective->head.head)) {
		return;
	}
	status = check(&effective->override, name, &effective->refused);
	if (status == BLOOM_OK && signers != NULL && signers->configured && !force) {
		/* Hosts remember times of at most a day ahead. */
		status = check_since(override, name, &effective->refused);
	}
	if (status == BLOOM_OK && signers != NULL && signers->configured && !force &&
		control != NULL && !bloom_served_override_admits(control, override->since_ms)) {
		status = bloom_fail(
			&effective->refused, BLOOM_E_OVERRIDE_REPLAY, 0, "%.128s:override", name);
	}
	if (status != BLOOM_OK) {
		effective->refused.status = status;
		return;
	}
	effective->refused.status = BLOOM_OK;
	effective->kind = override->kind;
	effective->since_ms = override->since_ms;
	php_bloom_published_release(&effective->head);
	effective->head.bytes = zend_string_init(
		(const char *) override->head_bytes, (size_t) override->head.head_bytes, false);
	/* These bytes have been parsed before. */
	(void)bloom_head_parse((const unsigned char *)ZSTR_VAL(effective->head.bytes),
		ZSTR_LEN(effective->head.bytes), &effective->head.head, NULL);
}

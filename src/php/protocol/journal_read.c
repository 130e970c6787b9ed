#include "php/protocol/journal_read.h"

#include <string.h>

#include "php/store/store.h"

void php_bloom_journal_want(zval *positions, const char *name, const bloom_mark *position)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES], text[BLOOM_POSITION_TEXT_BYTES];

	php_bloom_side_key(name, "journal", key);
	add_assoc_stringl(positions, key, text, bloom_mark_position(position, text));
}

bool php_bloom_journal_records(const zval *answers, const char *name, HashTable **records)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	const zval *found;

	php_bloom_side_key(name, "journal", key);
	found = zend_hash_str_find_deref(Z_ARRVAL_P(answers), key, strlen(key));
	*records = NULL;
	if (found == NULL || Z_TYPE_P(found) == IS_NULL) {
		return true;
	}
	if (Z_TYPE_P(found) != IS_ARRAY) {
		return php_bloom_store_throw(BLOOM_E_STORE_TYPE, key);
	}
	*records = Z_ARRVAL_P(found);
	return true;
}

bloom_status php_bloom_journal_check(const zend_string *position, zval *value, const char *name,
	const bloom_ring *signers, bloom_mark *mark, bloom_record *record, bloom_error *error)
{
	bloom_mark after = {0}, given;
	bloom_status status;

	ZVAL_DEREF(value);
	if (Z_TYPE_P(value) != IS_STRING) {
		return bloom_fail(error, BLOOM_E_STORE_TYPE, 0, "%.128s:journal", name);
	}
	status = bloom_record_parse((const unsigned char *)Z_STRVAL_P(value), Z_STRLEN_P(value),
		name, mark, signers, record, &after, error);
	if (status == BLOOM_OK) {
		status = bloom_record_check_kind(record, name, error);
	}
	if (status != BLOOM_OK) {
		return status;
	}
	if (position == NULL ||
		bloom_mark_parse(ZSTR_VAL(position), ZSTR_LEN(position), &given, NULL) !=
			BLOOM_OK ||
		given.epoch != mark->epoch || given.offset <= mark->offset ||
		memcmp(given.check, after.check, sizeof given.check) != 0) {
		return bloom_fail(error, BLOOM_E_POSITION, 0, "%.128s:journal: %.80s", name,
			position != NULL ? ZSTR_VAL(position) : "no position");
	}
	mark->offset = given.offset;
	memcpy(mark->check, after.check, sizeof mark->check);
	memcpy(mark->link, after.link, sizeof mark->link);
	return BLOOM_OK;
}

bool php_bloom_journal_has(
	zend_object *store, const char *name, const bloom_mark *position, bool *has)
{
	zval positions, answers;
	HashTable *records;
	bool ok;

	array_init(&positions);
	php_bloom_journal_want(&positions, name, position);
	ok = php_bloom_store_read(store, &positions, 1, &answers);
	zval_ptr_dtor(&positions);
	if (ok) {
		ok = php_bloom_journal_records(&answers, name, &records);
		*has = ok && records != NULL;
		zval_ptr_dtor(&answers);
	}
	return ok;
}

/* The methods of Bloom\BuiltInStore and Bloom\BuiltInJournalStore: they parse and check the
 * arguments, and call the operations of the object's kind. */
#include "php/engine.h"

#include "filter/bytes.h"
#include "filter/journal_mark.h"
#include "filter/journal_record.h"
#include "php/store/store_object.h"

static const php_bloom_store_ops *ops_of(const zval *this)
{
	const php_bloom_store_object *self = php_bloom_store_object_made(Z_OBJ_P(this));

	return self != NULL ? self->ops : NULL;
}

/* ---- many keys ---- */

static bool copy_keys(HashTable *keys, zval *list)
{
	zval *key;

	array_init_size(list, zend_hash_num_elements(keys));
	zend_hash_real_init_packed(Z_ARRVAL_P(list));
	ZEND_HASH_FOREACH_VAL(keys, key) {
		ZVAL_DEREF(key);
		if (Z_TYPE_P(key) != IS_STRING) {
			zend_argument_type_error(
				1, "must contain only strings, %s given", zend_zval_type_name(key));
			zval_ptr_dtor(list);
			return false;
		}
		Z_TRY_ADDREF_P(key);
		add_next_index_zval(list, key);
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* Copies the keys that are a method's only argument. Returns NULL after an exception; otherwise the
 * caller frees the list. */
static const php_bloom_store_ops *parse_keys(zend_execute_data *execute_data, zval *list)
{
	const php_bloom_store_ops *ops;
	HashTable *keys;

	if (zend_parse_parameters(ZEND_NUM_ARGS(), "h", &keys) == FAILURE) {
		return NULL;
	}
	ops = ops_of(ZEND_THIS);
	return ops != NULL && copy_keys(keys, list) ? ops : NULL;
}

ZEND_METHOD(Bloom_BuiltInStore, getMultiple)
{
	zval keys;
	const php_bloom_store_ops *ops = parse_keys(execute_data, &keys);

	if (ops == NULL) {
		RETURN_THROWS();
	}
	array_init(return_value);
	(void)ops->get(Z_OBJ_P(ZEND_THIS), Z_ARRVAL(keys)->arPacked,
		zend_hash_num_elements(Z_ARRVAL(keys)), return_value);
	zval_ptr_dtor(&keys);
}

ZEND_METHOD(Bloom_BuiltInStore, missing)
{
	zval keys;
	const php_bloom_store_ops *ops = parse_keys(execute_data, &keys);

	if (ops == NULL) {
		RETURN_THROWS();
	}
	array_init(return_value);
	(void)ops->missing(Z_OBJ_P(ZEND_THIS), Z_ARRVAL(keys)->arPacked,
		zend_hash_num_elements(Z_ARRVAL(keys)), return_value);
	zval_ptr_dtor(&keys);
}

ZEND_METHOD(Bloom_BuiltInStore, deleteMultiple)
{
	zval keys;
	const php_bloom_store_ops *ops = parse_keys(execute_data, &keys);

	if (ops == NULL) {
		RETURN_THROWS();
	}
	(void)ops->delete_keys(Z_OBJ_P(ZEND_THIS), Z_ARRVAL(keys)->arPacked,
		zend_hash_num_elements(Z_ARRVAL(keys)));
	zval_ptr_dtor(&keys);
}

/* ---- one key ---- */

ZEND_METHOD(Bloom_BuiltInStore, set)
{
	const php_bloom_store_ops *ops;
	zend_string *key, *value;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(key)
		Z_PARAM_STR(value)
	ZEND_PARSE_PARAMETERS_END();

	ops = ops_of(ZEND_THIS);
	if (ops == NULL) {
		RETURN_THROWS();
	}
	(void)ops->set(Z_OBJ_P(ZEND_THIS), key, value);
}

ZEND_METHOD(Bloom_BuiltInStore, replace)
{
	zend_string *key, *expected = NULL, *value;
	const php_bloom_store_ops *ops;
	bool is_replaced = false;

	ZEND_PARSE_PARAMETERS_START(3, 3)
		Z_PARAM_STR(key)
		Z_PARAM_STR_OR_NULL(expected)
		Z_PARAM_STR(value)
	ZEND_PARSE_PARAMETERS_END();

	ops = ops_of(ZEND_THIS);
	if (ops == NULL || !ops->replace(Z_OBJ_P(ZEND_THIS), key, expected, value, &is_replaced)) {
		RETURN_THROWS();
	}
	RETURN_BOOL(is_replaced);
}

/* ---- journals ---- */

static bool is_record(const zval *record)
{
	return Z_STRLEN_P(record) >= BLOOM_RECORD_BYTES_MIN &&
		Z_STRLEN_P(record) <= BLOOM_RECORD_BYTES_MAX &&
		bloom_get32((const unsigned char *)Z_STRVAL_P(record) + 4) == Z_STRLEN_P(record);
}

/* Checks the records: their type, and the length that each begins with. */
static bool check_records(HashTable *records, uint32_t argument)
{
	zval *record;

	if (zend_hash_num_elements(records) == 0) {
		zend_argument_value_error(argument, "must contain at least one record");
		return false;
	}
	ZEND_HASH_FOREACH_VAL(records, record) {
		ZVAL_DEREF(record);
		if (Z_TYPE_P(record) != IS_STRING) {
			zend_argument_type_error(argument, "must contain only strings, %s given",
				zend_zval_type_name(record));
			return false;
		}
		if (!is_record(record)) {
			zend_argument_value_error(argument,
				"must contain only records of %d bytes to 1 MiB that begin with "
				"their length",
				BLOOM_RECORD_BYTES_MIN);
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

static bool parse_position(const zend_string *text, uint32_t argument, bloom_mark *position)
{
	if (bloom_mark_parse(ZSTR_VAL(text), ZSTR_LEN(text), position, NULL) == BLOOM_OK) {
		return true;
	}
	zend_argument_value_error(
		argument, "must be a position of a journal, \"%s\" given", ZSTR_VAL(text));
	return false;
}

ZEND_METHOD(Bloom_BuiltInJournalStore, append)
{
	zend_string *journal, *after = NULL;
	bloom_mark position, end = {0};
	char text[BLOOM_POSITION_TEXT_BYTES];
	const php_bloom_store_ops *ops;
	HashTable *records;
	bool is_refused = false;

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_STR(journal)
		Z_PARAM_ARRAY_HT(records)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR_OR_NULL(after)
	ZEND_PARSE_PARAMETERS_END();

	ops = ops_of(ZEND_THIS);
	if (ops == NULL || !check_records(records, 2) ||
		(after != NULL && !parse_position(after, 3, &position)) ||
		!ops->append(Z_OBJ_P(ZEND_THIS), journal, records, after != NULL ? &position : NULL,
			&end, &is_refused)) {
		RETURN_THROWS();
	}
	if (is_refused) {
		RETURN_NULL();
	}
	RETURN_STRINGL(text, bloom_mark_position(&end, text));
}

ZEND_METHOD(Bloom_BuiltInJournalStore, last)
{
	const php_bloom_store_ops *ops;
	zend_string *journal;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(journal)
	ZEND_PARSE_PARAMETERS_END();

	ops = ops_of(ZEND_THIS);
	if (ops == NULL || !ops->last(Z_OBJ_P(ZEND_THIS), journal, return_value)) {
		RETURN_THROWS();
	}
}

ZEND_METHOD(Bloom_BuiltInJournalStore, trim)
{
	const php_bloom_store_ops *ops;
	zend_string *journal, *text;
	bloom_mark position;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(journal)
		Z_PARAM_STR(text)
	ZEND_PARSE_PARAMETERS_END();

	ops = ops_of(ZEND_THIS);
	if (ops == NULL || !parse_position(text, 2, &position)) {
		RETURN_THROWS();
	}
	(void)ops->trim(Z_OBJ_P(ZEND_THIS), journal, &position);
}

/* Copies the journals into a packed array, and parses their positions. */
static bool copy_positions(HashTable *given, zval *journals, bloom_mark *position)
{
	zend_string *journal;
	zval *text;

	ZEND_HASH_FOREACH_STR_KEY_VAL(given, journal, text) {
		ZVAL_DEREF(text);
		if (journal == NULL || Z_TYPE_P(text) != IS_STRING) {
			zend_argument_type_error(1, "must contain only strings, by journal");
			return false;
		}
		if (!parse_position(Z_STR_P(text), 1, position++)) {
			return false;
		}
		add_next_index_str(journals, zend_string_copy(journal));
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

ZEND_METHOD(Bloom_BuiltInJournalStore, read)
{
	const php_bloom_store_ops *ops;
	bloom_mark *positions;
	HashTable *given;
	zval journals;
	zend_long limit;
	uint32_t count;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_ARRAY_HT(given)
		Z_PARAM_LONG(limit)
	ZEND_PARSE_PARAMETERS_END();

	ops = ops_of(ZEND_THIS);
	if (ops == NULL) {
		RETURN_THROWS();
	}
	count = zend_hash_num_elements(given);
	positions = safe_emalloc(count, sizeof *positions, 1);
	array_init_size(&journals, count);
	zend_hash_real_init_packed(Z_ARRVAL(journals));
	if (copy_positions(given, &journals, positions)) {
		array_init(return_value);
		(void)ops->read(Z_OBJ_P(ZEND_THIS), Z_ARRVAL(journals)->arPacked, positions, count,
			limit > 0 ? (size_t)limit : 1, return_value);
	}
	zval_ptr_dtor(&journals);
	efree(positions);
}

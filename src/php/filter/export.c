/* Bloom\Blob::export(): the bytes of a filter for the system in whose format it is. */
#include "filter/foreign_export.h"
#include "php/engine.h"
#include "php/errors.h"
#include "php/filter/blob_object.h"

ZEND_METHOD(Bloom_Blob, export)
{
	const php_bloom_blob *blob = php_bloom_blob_from(Z_OBJ_P(ZEND_THIS));
	bloom_foreign_export plan;
	bloom_error error = {0};
	zend_string *bytes;

	ZEND_PARSE_PARAMETERS_NONE();
	if (blob == NULL) {
		RETURN_THROWS();
	}
	if (bloom_foreign_export_plan(&blob->head, blob->view.bits, &plan, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		RETURN_THROWS();
	}
	bytes = zend_string_alloc((size_t)plan.bytes, false);
	bloom_foreign_export_write(
		&blob->head, blob->view.bits, &plan, (unsigned char *)ZSTR_VAL(bytes));
	ZSTR_VAL(bytes)[plan.bytes] = 0;
	RETURN_NEW_STR(bytes);
}

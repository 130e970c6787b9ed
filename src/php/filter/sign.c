/* Implements Bloom\Blob::sign(). */
#include "php/engine.h"

#include <string.h>

#include "filter/signature.h"
#include "os/mapping.h"
#include "php/arguments.h"
#include "php/filter/blob_object.h"
#include "php/errors.h"
#include "php/keyrings.h"

static bool sign(zval *value, const php_bloom_blob *blob, const char *name)
{
	bloom_error error = {0};
	const bloom_secret *key =
		bloom_ring_current(php_bloom_signers(), BLOOM_E_NO_SIGNING_KEY, &error);
	unsigned char *bytes = NULL;
	bloom_status status = key != NULL ? BLOOM_OK : error.status;
	bloom_head head;

	if (status == BLOOM_OK) {
		status = bloom_map_private(blob->count, &bytes, &error);
	}
	if (status == BLOOM_OK) {
		memcpy(bytes, blob->bytes, blob->count);
		status = bloom_blob_parse(bytes, blob->count, &head, &error);
	}
	if (status == BLOOM_OK) {
		status = bloom_sign(bytes, name, key, &head, &error);
	}
	if (status != BLOOM_OK) {
		bloom_unmap(bytes, blob->count);
		php_bloom_throw(&error);
		return false;
	}
	php_bloom_blob_take(value, bytes, blob->count, &head, &blob->hasher);
	return true;
}

ZEND_METHOD(Bloom_Blob, sign)
{
	php_bloom_blob *blob = php_bloom_blob_from(Z_OBJ_P(ZEND_THIS));
	zend_string *name;
	const char *checked;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	checked = blob != NULL ? php_bloom_name(name, 1) : NULL;
	if (checked == NULL || !sign(return_value, blob, checked)) {
		RETURN_THROWS();
	}
}

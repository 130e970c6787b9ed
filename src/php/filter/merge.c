/* Implements Bloom\Blob::merge(). */
#include "php/engine.h"

#include "build/builder.h"
#include "php/filter/blob_object.h"
#include "php/classes.h"
#include "php/errors.h"

/* Combines two marks into the earlier one, so that no record is missed. A blob without a mark
 * contains keys that never change. Returns false if the marks belong to different journals. */
static bool combine_marks(bloom_mark *mark, const bloom_mark *other)
{
	if (mark->epoch == 0 || (other->epoch != 0 && bloom_mark_reaches(mark, other))) {
		*mark = *other;
		return true;
	}
	return other->epoch == 0 || other->epoch == mark->epoch;
}

static bool merge_blobs(
	zval *value, const php_bloom_blob *first, const zval *others, uint32_t count)
{
	uint64_t built_ms = first->head.meta.built_ms;
	bloom_builder builder = {0};
	bloom_error error = {0};
	bloom_status status;
	uint32_t i;
	bool ok;

	status = bloom_builder_start(
		&first->head.geometry, &first->head.meta, first->view.bits, &builder, &error);
	for (i = 0; status == BLOOM_OK && i < count; i++) {
		const php_bloom_blob *other = php_bloom_blob_of(Z_OBJ(others[i]));

		status = bloom_builder_merge(&builder, &other->head, other->view.bits, &error);
		built_ms =
			other->head.meta.built_ms > built_ms ? other->head.meta.built_ms : built_ms;
		if (status == BLOOM_OK &&
			!combine_marks(&builder.meta.mark, &other->head.meta.mark)) {
			status = bloom_fail(&error, BLOOM_E_DIFFERENT, 0,
				"the marks belong to different journals");
		}
	}
	if (status != BLOOM_OK) {
		bloom_builder_free(&builder);
		if (status == BLOOM_E_DIFFERENT) {
			zend_argument_value_error(
				i, "%s: %s", bloom_status_requirement(status), error.subject);
			return false;
		}
		php_bloom_throw(&error);
		return false;
	}
	ok = php_bloom_blob_build(value, &builder, built_ms, 1);
	bloom_builder_free(&builder);
	return ok;
}

ZEND_METHOD(Bloom_Blob, merge)
{
	php_bloom_blob *self = php_bloom_blob_from(Z_OBJ_P(ZEND_THIS));
	zval *others;
	uint32_t count, i;

	ZEND_PARSE_PARAMETERS_START(1, -1)
		Z_PARAM_VARIADIC('+', others, count)
	ZEND_PARSE_PARAMETERS_END();

	if (self == NULL) {
		RETURN_THROWS();
	}
	for (i = 0; i < count; i++) {
		if (Z_TYPE(others[i]) != IS_OBJECT || Z_OBJCE(others[i]) != php_bloom_ce_blob) {
			zend_argument_type_error(i + 1, "must be of type Bloom\\Blob, %s given",
				zend_zval_type_name(&others[i]));
			RETURN_THROWS();
		}
		if (php_bloom_blob_from(Z_OBJ(others[i])) == NULL) {
			RETURN_THROWS();
		}
	}
	if (!merge_blobs(return_value, self, others, count)) {
		RETURN_THROWS();
	}
}

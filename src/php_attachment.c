/* Attachments: a thread's holds on filters, kept over requests. */
#include "php_classes.h"

static void free_attachment(zval *value)
{
	php_bloom_attachment *held = Z_PTR_P(value);

	bloom_detach(&held->attachment);
	free(held);
}

void php_bloom_attachments_startup(HashTable *attachments)
{
	zend_hash_init(attachments, 8, NULL, free_attachment, true);
}

php_bloom_attachment *php_bloom_attachment_find(const char *name)
{
	return zend_hash_str_find_ptr(&BLOOM_G(attachments), name, strlen(name));
}

void php_bloom_attachments_trim(void)
{
	php_bloom_attachment *held;

	ZEND_HASH_FOREACH_PTR(&BLOOM_G(attachments), held) {
		bloom_attachment_trim(&held->attachment);
	}
	ZEND_HASH_FOREACH_END();
}

static bloom_status attach_new(const bloom_segment *segment, const char *name,
	php_bloom_attachment **held, bloom_error *error)
{
	php_bloom_attachment *fresh = calloc(1, sizeof *fresh);
	bloom_status status;

	if (fresh == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "%s", name);
	}
	status = bloom_attach(segment, name, &fresh->attachment, error);
	if (status != BLOOM_OK) {
		free(fresh);
		return status;
	}
	fresh->checked_request = BLOOM_G(request);
	zend_hash_str_update_ptr(&BLOOM_G(attachments), name, strlen(name), fresh);
	*held = fresh;
	return BLOOM_OK;
}

/* Once a request: has someone deleted or replaced the control page behind our back? */
static bloom_status check_name(php_bloom_attachment *held, bloom_error *error)
{
	bloom_attachment fresh;
	bloom_status status;

	if (held->checked_request == BLOOM_G(request)) {
		return BLOOM_OK;
	}
	if (!bloom_attachment_is_named(&held->attachment)) {
		status = bloom_attach(
			held->attachment.segment, held->attachment.name, &fresh, error);
		if (status != BLOOM_OK) {
			return status;
		}
		bloom_detach(&held->attachment);
		held->attachment = fresh;
	}
	held->checked_request = BLOOM_G(request);
	return BLOOM_OK;
}

void php_bloom_attachment_recheck(const char *name)
{
	php_bloom_attachment *held = php_bloom_attachment_find(name);

	if (held != NULL) {
		held->checked_request = 0;
		(void)check_name(held, NULL);
	}
}

bloom_status php_bloom_attach(const bloom_segment *segment, const char *name,
	php_bloom_attachment **held, bloom_error *error)
{
	php_bloom_attachment *found = php_bloom_attachment_find(name);
	bloom_status status;

	if (found == NULL) {
		return attach_new(segment, name, held, error);
	}
	status = check_name(found, error);
	if (status == BLOOM_OK && bloom_attachment_check(&found->attachment) == BLOOM_ABSENT) {
		status = bloom_fail(error, BLOOM_E_NOT_FOUND, 0, "%.120s/%s", segment->path, name);
	}
	if (status == BLOOM_OK) {
		*held = found;
	} else if (status == BLOOM_E_NOT_FOUND && found->handles == 0) {
		(void)zend_hash_str_del(&BLOOM_G(attachments), name, strlen(name));
	}
	return status;
}


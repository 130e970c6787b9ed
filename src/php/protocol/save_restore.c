/* Implements save() of the live filters, and Filter::restore(). */
#include "php/protocol/snapshot_store.h"

#include <errno.h>
#include <string.h>

#include <zend_exceptions.h>

#include "os/sharedfile.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/stream.h"
#include "php/filter/handle.h"
#include "php/settings.h"

/* Makes a path absolute, follows links and checks open_basedir. */
static bool resolve(const zend_string *path, uint32_t argument, char full[MAXPATHLEN])
{
	bloom_error error;
	int os_error;

	if (ZSTR_LEN(path) == 0 || zend_str_has_nul_byte(path)) {
		zend_argument_value_error(argument, "must be a path without null bytes");
		return false;
	}
	os_error = php_bloom_find_target(ZSTR_VAL(path), full);
	if (os_error == 0 && php_check_open_basedir(full) != 0) {
		os_error = EPERM;
	}
	if (os_error == 0) {
		return true;
	}
	(void)bloom_fail(&error,
		os_error == BLOOM_SHARED_FOREIGN_LINK ? BLOOM_E_REFUSED_LINK : BLOOM_E_FILE,
		os_error == BLOOM_SHARED_FOREIGN_LINK ? 0 : os_error, "%.600s", ZSTR_VAL(path));
	php_bloom_throw(&error);
	return false;
}

ZEND_METHOD(Bloom_LiveFilter, save)
{
	bloom_attachment *attachment;
	char name[BLOOM_NAME_BYTES_MAX + 1];
	const bloom_segment *segment;
	zend_object *store = NULL;
	zend_string *path = NULL;
	char full[MAXPATHLEN];
	bloom_error error = {0};
	php_bloom_job *job;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_OBJ_OF_CLASS_OR_STR(store, php_bloom_ce_store_interface, path)
	ZEND_PARSE_PARAMETERS_END();

	if (path != NULL && !resolve(path, 1, full)) {
		RETURN_THROWS();
	}
	attachment = php_bloom_present(Z_OBJ_P(ZEND_THIS));
	if (attachment == NULL) {
		RETURN_THROWS();
	}
	if (path != NULL) {
		if (bloom_save_file(attachment->segment, attachment->name, full, &error) !=
			BLOOM_OK) {
			php_bloom_throw(&error);
			RETURN_THROWS();
		}
		return;
	}
	/* The store is userland, which may release the attachment. */
	segment = attachment->segment;
	memcpy(name, attachment->name, sizeof name);
	job = php_bloom_job_begin();
	ok = job != NULL && php_bloom_snapshot_save(job, segment, name, store);
	if (job != NULL) {
		php_bloom_job_end(job);
	}
	if (!ok) {
		RETURN_THROWS();
	}
}

/* Returns the kind of the snapshots that a class accepts (NULL: any class). If the class has no
 * live filters, returns a kind that no snapshot has. */
static uint64_t kind_of(const zend_class_entry *class)
{
	uint64_t kind;

	if (class == NULL) {
		return BLOOM_KIND_COUNT;
	}
	for (kind = 0; kind < BLOOM_KIND_COUNT; kind++) {
		if (php_bloom_class_of_kind((bloom_kind)kind) == class &&
			bloom_live_layout_of(kind) != NULL) {
			return kind;
		}
	}
	return class == php_bloom_ce_on_demand_filter ? BLOOM_KIND_ON_DEMAND : BLOOM_KIND_LOADED;
}

ZEND_METHOD(Bloom_Filter, restore)
{
	const zend_class_entry *called;
	const bloom_segment *segment;
	zend_object *store = NULL;
	zend_string *name, *path = NULL;
	char full[MAXPATHLEN];
	bloom_error error = {0};
	php_bloom_job *job;
	uint64_t kind;
	zval file;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(name)
		Z_PARAM_OBJ_OF_CLASS_OR_STR(store, php_bloom_ce_store_interface, path)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_bloom_called_on(execute_data, &called)) {
		RETURN_THROWS();
	}
	kind = kind_of(called);
	segment = php_bloom_segment_for(name, 1);
	if (segment == NULL || (path != NULL && !resolve(path, 2, full))) {
		RETURN_THROWS();
	}
	if (path != NULL) {
		ok = bloom_restore_file(segment, ZSTR_VAL(name), kind, full, &error) == BLOOM_OK;
		if (!ok) {
			php_bloom_throw(&error);
		}
		if (bloom_status_group_of(error.status) == BLOOM_GROUP_FORMAT) {
			ZVAL_STR(&file, path);
			php_bloom_name_file(&file);
		}
	} else {
		job = php_bloom_job_begin();
		ok = job != NULL &&
			php_bloom_snapshot_restore(job, segment, ZSTR_VAL(name), kind, store);
		if (job != NULL) {
			php_bloom_job_end(job);
		}
	}
	if (!ok || !php_bloom_open_made(return_value, segment, ZSTR_VAL(name), called)) {
		RETURN_THROWS();
	}
}

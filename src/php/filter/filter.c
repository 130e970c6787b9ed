/* Bloom\Filter: opening, listing and dropping filters of all kinds.
 *
 * lookup.c looks up keys. The methods that make a file the served one, such as load() and sync(),
 * are in php/protocol, and those that report are in php/report. Methods that only some kinds have
 * are in create_filter.c, live_filter.c and build_reverse.c.
 */
#include "php/engine.h"

#include <stdlib.h>
#include <string.h>

#include "filter/compiler.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/filter/handle.h"
#include "php/settings.h"
#include "segment/list.h"
#include "segment/drop.h"

ZEND_METHOD(Bloom_Filter, __construct)
{
	ZEND_PARSE_PARAMETERS_NONE();
}

/* Looks up a filter's name. Returns NULL if it throws, or if there is no such filter. */
static BLOOM_NOINLINE php_bloom_attachment *look_up(
	const bloom_segment *segment, const zend_string *name, bool throw_not_found)
{
	php_bloom_attachment *held = NULL;
	bloom_error error = {0};
	bloom_status status = php_bloom_attach(segment, ZSTR_VAL(name), &held, &error);

	if (status != BLOOM_OK && (throw_not_found || status != BLOOM_E_NOT_FOUND)) {
		php_bloom_throw(&error);
	}
	return held;
}

static void open_filter(INTERNAL_FUNCTION_PARAMETERS, bool throw_not_found)
{
	const bloom_segment *segment;
	php_bloom_attachment *held;
	const zend_class_entry *called;
	zend_string *name;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_bloom_called_on(execute_data, &called)) {
		RETURN_THROWS();
	}
	/* A name that has an attachment is valid. */
	held = php_bloom_attachment_recent(name);
	segment = held != NULL ? php_bloom_segment() : php_bloom_segment_for(name, 1);
	if (segment == NULL) {
		RETURN_THROWS();
	}
	if (held == NULL) {
		held = look_up(segment, name, throw_not_found);
		if (held == NULL) {
			return;
		}
	}
	/* Subclasses inherit open(). LiveFilter::open() must not return a filter of a different
	 * kind. */
	if (!instanceof_function(php_bloom_class_of(&held->attachment), called)) {
		php_bloom_throw_kind(
			ZSTR_VAL(name), php_bloom_kind_text(&held->attachment), called);
		RETURN_THROWS();
	}
	php_bloom_make_handle(return_value, held);
}

ZEND_METHOD(Bloom_Filter, open)
{
	open_filter(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

ZEND_METHOD(Bloom_Filter, find)
{
	open_filter(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

/* Concatenated names, each with its terminating zero. The memory comes from malloc(), because a PHP
 * error in emalloc() would leak the open directory. */
typedef struct name_list {
	char *names;
	size_t bytes;
	bool failed;
} name_list;

static bool list_name(void *context, const char *name)
{
	name_list *list = context;
	size_t count = strlen(name) + 1;
	char *grown = realloc(list->names, list->bytes + count);

	if (grown == NULL) {
		list->failed = true;
		return false;
	}
	memcpy(grown + list->bytes, name, count);
	list->names = grown;
	list->bytes += count;
	return true;
}

static int compare_names(Bucket *one, Bucket *other)
{
	return zend_binary_strcmp(
		Z_STRVAL(one->val), Z_STRLEN(one->val), Z_STRVAL(other->val), Z_STRLEN(other->val));
}

ZEND_METHOD(Bloom_Filter, list)
{
	const bloom_segment *segment;
	bloom_error error = {0};
	name_list list = {0};
	bloom_status status;
	size_t at;

	ZEND_PARSE_PARAMETERS_NONE();
	segment = php_bloom_segment();
	if (segment == NULL) {
		RETURN_THROWS();
	}
	status = bloom_segment_each(segment, list_name, &list, &error);
	if (status == BLOOM_OK && list.failed) {
		status = bloom_fail(&error, BLOOM_E_MEMORY, 0, "%.600s", segment->path);
	}
	if (status != BLOOM_OK) {
		free(list.names);
		php_bloom_throw(&error);
		RETURN_THROWS();
	}
	array_init(return_value);
	for (at = 0; at < list.bytes; at += strlen(list.names + at) + 1) {
		add_next_index_string(return_value, list.names + at);
	}
	free(list.names);
	zend_hash_sort(Z_ARRVAL_P(return_value), compare_names, true);
}

ZEND_METHOD(Bloom_Filter, drop)
{
	const zend_class_entry *called;
	const bloom_segment *segment;
	bloom_error error = {0};
	bool existed = false;
	bloom_status status;
	zend_string *name;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_bloom_called_on(execute_data, &called)) {
		RETURN_THROWS();
	}
	segment = php_bloom_segment_for(name, 1);
	if (segment == NULL) {
		RETURN_THROWS();
	}
	/* Subclasses inherit drop(). LiveFilter::drop() must not drop a filter of a different kind.
	 */
	status = bloom_segment_drop_kind(
		segment, ZSTR_VAL(name), php_bloom_kinds_of_class(called), &existed, &error);
	if (status != BLOOM_OK) {
		php_bloom_throw(&error);
		RETURN_THROWS();
	}
	php_bloom_attachment_dropped(ZSTR_VAL(name));
	php_bloom_segment_changed();
	RETURN_BOOL(existed);
}

ZEND_METHOD(Bloom_Filter, name)
{
	php_bloom_attachment *held = php_bloom_filter_of(Z_OBJ_P(ZEND_THIS))->held;

	ZEND_PARSE_PARAMETERS_NONE();
	if (held == NULL) {
		php_bloom_throw_unopened();
		RETURN_THROWS();
	}
	RETURN_STRING(held->attachment.name);
}

/* What an application may ask before every lookup, for which info() is too slow. */

ZEND_METHOD(Bloom_Filter, isComplete)
{
	bloom_presence presence;

	ZEND_PARSE_PARAMETERS_NONE();
	if (php_bloom_current(Z_OBJ_P(ZEND_THIS), &presence) == NULL) {
		RETURN_THROWS();
	}
	RETURN_BOOL(!bloom_presence_is_maybe(presence));
}

ZEND_METHOD(Bloom_Filter, followsJournal)
{
	bloom_presence presence;
	const bloom_attachment *attachment;
	const bloom_loaded *loaded;

	ZEND_PARSE_PARAMETERS_NONE();
	attachment = php_bloom_current(Z_OBJ_P(ZEND_THIS), &presence);
	if (attachment == NULL) {
		RETURN_THROWS();
	}
	loaded = bloom_attachment_loaded(attachment);
	RETURN_BOOL(
		presence != BLOOM_PRESENCE_UNMAPPED && loaded != NULL && loaded->additions != NULL);
}

ZEND_METHOD(Bloom_Filter, source)
{
	bloom_presence presence;
	const bloom_attachment *attachment;
	const bloom_head *head;

	ZEND_PARSE_PARAMETERS_NONE();
	attachment = php_bloom_current(Z_OBJ_P(ZEND_THIS), &presence);
	if (attachment == NULL) {
		RETURN_THROWS();
	}
	head = bloom_attachment_head(attachment, NULL);
	if (presence == BLOOM_PRESENCE_UNMAPPED || head == NULL) {
		RETURN_NULL();
	}
	RETURN_STRINGL_FAST(head->meta.source, head->meta.source_bytes);
}

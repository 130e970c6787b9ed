/* Implements Bloom\Filter::health().
 *
 *     name ─► info() ─► figures ─► health_rules.h ─► status and reasons
 *                          ▲
 *     store ─► heads ──────┘
 *
 * The rules judge the values that info() shows, so a reason never contradicts them.
 */
#include "php/engine.h"

#include <math.h>
#include <string.h>

#include <ext/standard/php_string.h>
#include <zend_exceptions.h>

#include "filter/journal_record.h"
#include "kinds/additions.h"
#include "os/clock.h"
#include "php/arguments.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/filter/handle.h"
#include "php/report/health_rules.h"
#include "php/info_array.h"
#include "php/filter/info_object.h"
#include "php/protocol/journal_notice.h"
#include "php/protocol/heads.h"
#include "php/settings.h"
#include "php/store/store.h"
#include "segment/segment.h"
#include "segment/list.h"
#include "segment/other_layouts.h"

enum { FOREIGN_MAX = 100 };

/* ---- figures ---- */

/* Takes the message of a pending BloomException and clears it. Returns NULL, and leaves it pending,
 * if it is any other exception or the script is ending. */
static zend_string *take_message(void)
{
	zval holder, *message;
	zend_string *result;

	if (EG(exception) == NULL || zend_is_unwind_exit(EG(exception)) ||
		zend_is_graceful_exit(EG(exception)) ||
		!instanceof_function(EG(exception)->ce, php_bloom_ce_Bloom)) {
		return NULL;
	}
	message = zend_read_property_ex(
		EG(exception)->ce, EG(exception), ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &holder);
	result = zval_get_string(message);
	zend_clear_exception();
	return result;
}

/* Attaches to the filter. If this process has an attachment that cannot map the served generation,
 * attaches once more, to find out why. */
static bloom_status attach(php_bloom_checkup *checkup, php_bloom_attachment **held)
{
	bloom_error error = {0};
	bloom_status status = php_bloom_attach(checkup->segment, checkup->name, held, &error);

	if (status == BLOOM_OK &&
		bloom_attachment_check(&(*held)->attachment) == BLOOM_PRESENCE_UNMAPPED) {
		status = bloom_attachment_renew(&(*held)->attachment, &error);
	}
	if (status == BLOOM_E_NOT_FOUND) {
		(void)bloom_other_layouts_check(
			checkup->segment, checkup->name, BLOOM_KIND_LOADED, false, &error);
	}
	if (status != BLOOM_OK) {
		checkup->problem = php_bloom_error_text(&error);
	}
	return status;
}

/* Opens the filter and calls info(). Returns false if an exception is pending. */
static bool examine(php_bloom_checkup *checkup)
{
	php_bloom_attachment *held = NULL;
	zend_function *info;

	if (attach(checkup, &held) != BLOOM_OK) {
		return true;
	}
	php_bloom_make_handle(&checkup->handle, held);
	checkup->control = held->attachment.control;
	info = zend_hash_str_find_ptr(
		&Z_OBJCE(checkup->handle)->function_table, "info", strlen("info"));
	zend_call_known_instance_method_with_0_params(info, Z_OBJ(checkup->handle), &checkup->info);
	if (EG(exception) != NULL) {
		ZVAL_UNDEF(&checkup->info);
		checkup->problem = take_message();
		return checkup->problem != NULL;
	}
	checkup->by_chance = php_bloom_rate_limits_of(held);
	if (php_bloom_checkup_field(&checkup->info, "checksum") != NULL) {
		checkup->unfollowed_keys = bloom_additions_unfollowed(
			held->attachment.control, held->attachment.generation);
	}
	return true;
}

static bool add_foreign(void *context, const char *name)
{
	zval *list = context;
	zend_string *raw = zend_string_init(name, strlen(name), false);

	add_next_index_str(
		list, php_addcslashes(raw, "\0..\37\177..\377", sizeof "\0..\37\177..\377" - 1));
	zend_string_release(raw);
	return zend_hash_num_elements(Z_ARRVAL_P(list)) < FOREIGN_MAX;
}

static int compare_texts(Bucket *one, Bucket *other)
{
	return zend_binary_strcmp(
		Z_STRVAL(one->val), Z_STRLEN(one->val), Z_STRVAL(other->val), Z_STRLEN(other->val));
}

/* Returns the bytes of the file that the next reload or the next layer adds. */
static uint64_t next_file_bytes(const zval *info)
{
	const zval *journal = php_bloom_checkup_field(info, "journal");
	double memory = php_bloom_checkup_number(info, "memory"),
	       bytes = php_bloom_checkup_number(info, "bytes");

	if (php_bloom_checkup_field(info, "syncs") == NULL) {
		return php_bloom_checkup_field(info, "growth") != NULL ? (uint64_t)bytes : 0;
	}
	if (journal != NULL) {
		bytes += php_bloom_checkup_number(journal, "bytes");
	}
	return (uint64_t)(memory >= 0 ? memory : bytes);
}

/* Returns the free bytes of the file system, or the rest of the memory limit if that is less;
 * UINT64_MAX if nothing limits the segment. */
static uint64_t free_bytes_of(const bloom_segment *segment)
{
	uint64_t limit = segment->memory_limit_bytes, free_bytes, used, rest;
	int directory = -1;
	bloom_owner owner;

	if (bloom_segment_open(segment, false, &directory, &owner, NULL) != BLOOM_OK) {
		return UINT64_MAX;
	}
	free_bytes = bloom_directory_free_bytes(directory);
	bloom_close(&directory);
	if (limit == 0 || !php_bloom_segment_bytes(segment, &used)) {
		return free_bytes;
	}
	rest = used < limit ? limit - used : 0;
	return rest < free_bytes ? rest : free_bytes;
}

static void measure(php_bloom_checkup *checkup)
{
	double built_at = php_bloom_checkup_number(&checkup->info, "builtAt");

	if (built_at >= 0) {
		checkup->build_age = fmax(0, checkup->now - built_at);
	}
	checkup->sync_age = php_bloom_checkup_number(&checkup->info, "syncedSecondsAgo");
	checkup->reload_bytes = next_file_bytes(&checkup->info);
	checkup->free_bytes = free_bytes_of(checkup->segment);
	(void)bloom_segment_each_foreign(
		checkup->segment, checkup->name, add_foreign, &checkup->foreign, NULL);
	zend_hash_sort(Z_ARRVAL(checkup->foreign), compare_texts, true);
}

/* ---- the store ---- */

static bool is_served(const php_bloom_checkup *checkup, const bloom_head *head)
{
	char checksum[17];

	(void)snprintf(checksum, sizeof checksum, "%016llx", (unsigned long long)head->checksum);
	return strcmp(checksum, php_bloom_checkup_text(&checkup->info, "checksum")) == 0;
}

static void compare_effective(php_bloom_checkup *checkup, const php_bloom_effective *effective)
{
	const php_bloom_published *found = &effective->head;

	checkup->published_at = found->bytes == NULL ? 0 : (double)found->head.meta.built_ms / 1000;
	if (found->bytes == NULL) {
		checkup->comparison = PHP_BLOOM_LACKING;
	} else if (is_served(checkup, &found->head)) {
		checkup->comparison = PHP_BLOOM_SAME;
	} else if (effective->kind != BLOOM_OVERRIDE_NONE) {
		checkup->comparison = PHP_BLOOM_NOT_OBEYED;
		checkup->kind = effective->kind;
		checkup->checksum = found->head.checksum;
		checkup->since_ms = effective->since_ms;
	} else {
		checkup->comparison =
			checkup->published_at < php_bloom_checkup_number(&checkup->info, "builtAt")
			? PHP_BLOOM_AHEAD
			: PHP_BLOOM_BEHIND;
	}
}

/* Looks for keys that were added to the journal since it was last begun, if the served version
 * follows none. Returns false if the store fails. */
static bool look_at_journal(php_bloom_checkup *checkup, zend_object *store)
{
	php_bloom_journal_state state;

	if (php_bloom_checkup_field(&checkup->info, "journal") != NULL ||
		!instanceof_function(store->ce, php_bloom_ce_journal_store_interface)) {
		return true;
	}
	if (!php_bloom_journal_look(store, checkup->name, &state)) {
		return false;
	}
	checkup->is_unfollowed = state.is_open && state.last_kind != BLOOM_RECORD_BEGIN;
	return true;
}

/* Counts how many versions the served one is behind. Returns false if the store fails. */
static bool count_behind(php_bloom_checkup *checkup, zend_object *store, uint64_t current)
{
	php_bloom_version_list earlier;
	uint32_t i, behind = 0;
	bool ok = php_bloom_get_earlier(store, checkup->name, &earlier);

	for (i = 0; ok && i < earlier.count && checkup->behind == 0; i++) {
		/* The list may have the current version, if a publisher was killed. */
		behind += earlier.items[i].head.checksum != current;
		if (is_served(checkup, &earlier.items[i].head)) {
			checkup->behind = behind;
		}
	}
	php_bloom_version_list_free(&earlier);
	return ok;
}

/* Returns false if the store fails. */
static bool compare(php_bloom_checkup *checkup, zend_object *store)
{
	php_bloom_effective effective;
	uint64_t checksum = 0;

	if (!php_bloom_effective_get(store, checkup->name, &effective)) {
		return false;
	}
	if (effective.head.bytes != NULL) {
		php_bloom_effective_choose(&effective, checkup->name, checkup->control, false);
		checksum = effective.head.head.checksum;
	}
	compare_effective(checkup, &effective);
	php_bloom_effective_release(&effective);
	return checkup->comparison != PHP_BLOOM_BEHIND || count_behind(checkup, store, checksum);
}

/* Compares the served version with the store's. Returns false if an exception is pending. */
static bool ask_store(php_bloom_checkup *checkup, zend_object *store)
{
	if (store == NULL || php_bloom_checkup_field(&checkup->info, "checksum") == NULL) {
		return true;
	}
	if (compare(checkup, store) && look_at_journal(checkup, store)) {
		return true;
	}
	checkup->comparison = PHP_BLOOM_FAILED;
	checkup->store_problem = take_message();
	return checkup->store_problem != NULL;
}

/* ---- the result ---- */

static void optional_seconds(HashTable *result, const char *key, double seconds)
{
	if (seconds >= 0) {
		php_bloom_info_double(result, key, seconds);
	}
}

static void optional_long(HashTable *result, const char *key, bool is_known, uint64_t value)
{
	if (is_known) {
		php_bloom_info_long(result, key, value);
	}
}

/* Returns facts that an operator should know, although they do not change the status. */
static void notes(const php_bloom_checkup *checkup, zval *list)
{
	double pinned = php_bloom_checkup_number(&checkup->info, "pinnedSince");
	double rolled_back = php_bloom_checkup_number(&checkup->info, "rolledBackAt");
	zend_string *since;

	array_init(list);
	if (pinned >= 0 || rolled_back >= 0) {
		since = php_bloom_checkup_time(pinned >= 0 ? pinned : rolled_back);
		add_next_index_str(list,
			strpprintf(0,
				pinned >= 0 ? "pinned to version %s since %s"
					    : "rolled back to version %s at %s",
				php_bloom_checkup_text(&checkup->info, "checksum"),
				ZSTR_VAL(since)));
		zend_string_release(since);
	}
}

static void make_result(zval *value, const php_bloom_checkup *checkup)
{
	const char *status;
	HashTable *result;
	zval reasons, copy;

	status = php_bloom_health_judge(checkup, &reasons);
	array_init(value);
	result = Z_ARRVAL_P(value);
	php_bloom_info_string(result, "name", checkup->name, strlen(checkup->name));
	php_bloom_info_case(result, "status", php_bloom_ce_health_status, status);
	php_bloom_info_list(result, "reasons", &reasons);
	notes(checkup, &copy);
	php_bloom_info_list(result, "notes", &copy);
	php_bloom_info_bool(result, "isReady", Z_TYPE(checkup->info) == IS_OBJECT);
	if (Z_TYPE(checkup->info) == IS_OBJECT) {
		ZVAL_COPY(&copy, &checkup->info);
		php_bloom_info_list(result, "info", &copy);
	}
	optional_seconds(result, "buildAge", checkup->build_age);
	optional_seconds(result, "syncAge", checkup->sync_age);
	optional_long(result, "behind",
		checkup->comparison == PHP_BLOOM_SAME || checkup->behind > 0, checkup->behind);
	optional_long(result, "reloadBytes", checkup->reload_bytes != 0, checkup->reload_bytes);
	optional_long(result, "freeBytes", checkup->free_bytes != UINT64_MAX, checkup->free_bytes);
	ZVAL_COPY(&copy, &checkup->foreign);
	php_bloom_info_list(result, "foreignFiles", &copy);
	php_bloom_info_object(value, php_bloom_ce_health);
}

static bool take_limit(bool is_null, double given, double max, uint32_t argument, double *limit)
{
	if (is_null) {
		*limit = -1;
	} else if (given >= 0 && given <= max) {
		*limit = given;
	} else {
		zend_argument_value_error(argument,
			max == 1 ? "must be between 0 and 1"
				 : "must be between 0 and 1,000,000,000 seconds");
		return false;
	}
	return true;
}

static bool parse_health(
	INTERNAL_FUNCTION_PARAMETERS, php_bloom_checkup *checkup, zend_object **store)
{
	bool no_build = true, no_sync = true, no_rate = true;
	double build = 0, sync = 0, rate = 0;
	zend_long failures = 3;
	zend_string *name;

	ZEND_PARSE_PARAMETERS_START(1, 6)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(build, no_build)
		Z_PARAM_DOUBLE_OR_NULL(sync, no_sync)
		Z_PARAM_DOUBLE_OR_NULL(rate, no_rate)
		Z_PARAM_LONG(failures)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(*store, php_bloom_ce_store_interface)
		ZEND_PARSE_PARAMETERS_END_EX(return false);

		checkup->name = php_bloom_name(name, 1);
		if (checkup->name == NULL ||
			!take_limit(no_build, build, 1e9, 2, &checkup->limits.build_age) ||
			!take_limit(no_sync, sync, 1e9, 3, &checkup->limits.sync_age) ||
			!take_limit(no_rate, rate, 1, 4, &checkup->limits.rate)) {
			return false;
		}
		if (failures < 0) {
			zend_argument_value_error(5, "must be greater than or equal to 0");
			return false;
		}
		checkup->limits.failures = failures;
		return true;
}

ZEND_METHOD(Bloom_Filter, health)
{
	php_bloom_checkup checkup = {.build_age = -1, .sync_age = -1, .free_bytes = UINT64_MAX};
	zend_object *store = NULL;
	bool ok;

	if (!parse_health(INTERNAL_FUNCTION_PARAM_PASSTHRU, &checkup, &store)) {
		RETURN_THROWS();
	}
	checkup.segment = php_bloom_segment();
	if (checkup.segment == NULL) {
		RETURN_THROWS();
	}
	checkup.now = (double)bloom_clock_ms() / 1000;
	array_init(&checkup.foreign);
	ok = examine(&checkup);
	if (ok && Z_TYPE(checkup.info) == IS_OBJECT) {
		measure(&checkup);
		ok = ask_store(&checkup, store);
	}
	if (ok) {
		make_result(return_value, &checkup);
	}
	zval_ptr_dtor(&checkup.handle);
	zval_ptr_dtor(&checkup.info);
	zval_ptr_dtor(&checkup.foreign);
	if (checkup.problem != NULL) {
		zend_string_release(checkup.problem);
	}
	if (checkup.store_problem != NULL) {
		zend_string_release(checkup.store_problem);
	}
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
}

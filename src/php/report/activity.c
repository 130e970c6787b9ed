/* Implements Filter::confirm(), history() and activity(), and FilterInfo::$counters. */
#include "php/report/activity.h"

#include "filter/atomic.h"
#include "kinds/attachment.h"
#include "os/clock.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/filter/handle.h"
#include "php/info_array.h"
#include "php/filter/info_object.h"

static double seconds(uint64_t us)
{
	return (double)us / 1000000;
}

/* Sets `failures`: the number of failures by the name of the case of Bloom\Status. */
static void failures_info(HashTable *info, const bloom_counters *counters)
{
	char name[PHP_BLOOM_CASE_BYTES];
	uint64_t count;
	zval list;
	int status;

	array_init(&list);
	for (status = BLOOM_OK + 1; status < BLOOM_STATUS_COUNT; status++) {
		count = bloom_load_relaxed(&counters->failures[status]);
		if (count != 0) {
			php_bloom_status_case((bloom_status)status, name);
			php_bloom_info_long(Z_ARRVAL(list), name, count);
		}
	}
	php_bloom_info_list(info, "failures", &list);
}

/* Sets the durations of the last load, or null if none was recorded, and those of all loads. */
static void times_info(HashTable *info, const bloom_counters *counters)
{
	uint64_t last_load_us = bloom_load_relaxed(&counters->last_load_us);

	if (last_load_us != 0) {
		php_bloom_info_double(info, "lastLoadSeconds", seconds(last_load_us));
		php_bloom_info_double(info, "lastSwitchSeconds",
			seconds(bloom_load_relaxed(&counters->last_switch_us)));
	}
	php_bloom_info_double(info, "loadSeconds", seconds(bloom_load_relaxed(&counters->load_us)));
	php_bloom_info_double(
		info, "switchSeconds", seconds(bloom_load_relaxed(&counters->switch_us)));
}

void php_bloom_info_counters(HashTable *info, const bloom_counters *counters)
{
	uint64_t lookups = bloom_load_relaxed(&counters->lookups);
	uint64_t absent = bloom_load_relaxed(&counters->absent);
	uint64_t denied_ms = bloom_load_relaxed(&counters->denied_ms);
	double rate = bloom_counters_observed_rate(counters);
	HashTable *entries;
	zval list;

	/* Another process may be between its two additions. */
	absent = absent < lookups ? absent : lookups;
	array_init(&list);
	entries = Z_ARRVAL(list);
	php_bloom_info_long(entries, "lookups", lookups);
	php_bloom_info_long(entries, "absent", absent);
	php_bloom_info_long(entries, "maybes", lookups - absent);
	php_bloom_info_long(entries, "confirmed", bloom_load_relaxed(&counters->confirmed));
	php_bloom_info_long(entries, "found", bloom_load_relaxed(&counters->found));
	if (rate >= 0) {
		php_bloom_info_double(entries, "observedFalsePositiveRate", rate);
	}
	php_bloom_info_long(entries, "checked", bloom_load_relaxed(&counters->checked));
	php_bloom_info_long(entries, "denied", bloom_load_relaxed(&counters->denied));
	if (denied_ms != 0) {
		php_bloom_info_double(entries, "deniedAt", (double)denied_ms / 1000);
	}
	php_bloom_info_long(entries, "bytesFetched", bloom_load_relaxed(&counters->fetched_bytes));
	php_bloom_info_long(entries, "bytesSaved", bloom_load_relaxed(&counters->saved_bytes));
	failures_info(entries, counters);
	times_info(entries, counters);
	php_bloom_info_double(
		entries, "since", (double)bloom_load_relaxed(&counters->since_ms) / 1000);
	php_bloom_info_object(&list, php_bloom_ce_counters_info);
	php_bloom_info_list(info, "counters", &list);
}

/* Checks a part of a number of keys. Throws if it is out of range.
 *
 *   argument  the position of `all`, which is before that of `part`
 *   name      of `all` */
static bool check_part(zend_long all, zend_long part, uint32_t argument, const char *name)
{
	if (all < 0) {
		zend_argument_value_error(argument, "must not be negative");
		return false;
	}
	if (part < 0 || part > all) {
		zend_argument_value_error(argument + 1,
			"must be between 0 and $%s, which is " ZEND_LONG_FMT, name, all);
		return false;
	}
	return true;
}

ZEND_METHOD(Bloom_Filter, confirm)
{
	bloom_attachment *attachment;
	zend_long looked, found, checked = 0, denied = 0;

	ZEND_PARSE_PARAMETERS_START(2, 4)
		Z_PARAM_LONG(looked)
		Z_PARAM_LONG(found)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(checked)
		Z_PARAM_LONG(denied)
	ZEND_PARSE_PARAMETERS_END();

	if (!check_part(looked, found, 1, "looked") || !check_part(checked, denied, 3, "checked")) {
		RETURN_THROWS();
	}
	attachment = php_bloom_present(Z_OBJ_P(ZEND_THIS));
	if (attachment == NULL) {
		RETURN_THROWS();
	}
	attachment->tally.confirmed += (uint64_t)looked;
	attachment->tally.found += (uint64_t)found;
	attachment->tally.checked += (uint64_t)checked;
	attachment->tally.denied += (uint64_t)denied;
}

static void append_load(zval *list, const bloom_load_record *load)
{
	zval entry;

	array_init(&entry);
	php_bloom_info_long(Z_ARRVAL(entry), "generation", load->generation);
	php_bloom_info_double(Z_ARRVAL(entry), "loadedAt", (double)load->loaded_ms / 1000);
	if (load->built_ms != 0) {
		php_bloom_info_double(Z_ARRVAL(entry), "builtAt", (double)load->built_ms / 1000);
	} else {
		php_bloom_info_null(Z_ARRVAL(entry), "builtAt");
	}
	php_bloom_info_long(Z_ARRVAL(entry), "keys", load->keys);
	php_bloom_info_long(Z_ARRVAL(entry), "bytes", load->bytes);
	php_bloom_info_double(Z_ARRVAL(entry), "seconds", seconds(load->load_us));
	php_bloom_info_double(Z_ARRVAL(entry), "switchSeconds", seconds(load->switch_us));
	php_bloom_info_long(Z_ARRVAL(entry), "bytesFetched", load->fetched_bytes);
	add_next_index_zval(list, &entry);
}

ZEND_METHOD(Bloom_Filter, history)
{
	const bloom_counters *counters;
	bloom_attachment *attachment;
	bloom_load_record load;
	uint64_t generation;
	int row;

	ZEND_PARSE_PARAMETERS_NONE();
	attachment = php_bloom_present(Z_OBJ_P(ZEND_THIS));
	if (attachment == NULL) {
		RETURN_THROWS();
	}
	array_init(return_value);
	counters = &attachment->control->counters;
	generation = bloom_load_acquire(&attachment->control->generation);
	for (row = 0; row < BLOOM_HISTORY_ROWS && generation > (uint64_t)row; row++) {
		if (bloom_counters_load_of(counters, generation - (uint64_t)row, &load)) {
			append_load(return_value, &load);
		}
	}
}

ZEND_METHOD(Bloom_Filter, activity)
{
	uint64_t lookups, absent, now, minute;
	bloom_attachment *attachment;
	zval entry;
	int ago;

	ZEND_PARSE_PARAMETERS_NONE();
	attachment = php_bloom_present(Z_OBJ_P(ZEND_THIS));
	if (attachment == NULL) {
		RETURN_THROWS();
	}
	bloom_attachment_flush(attachment);
	array_init(return_value);
	now = bloom_clock_ms() / BLOOM_MINUTE_MS;
	for (ago = BLOOM_ACTIVITY_ROWS - 1; ago >= 0; ago--) {
		minute = now - (uint64_t)ago;
		if (now < (uint64_t)ago ||
			!bloom_counters_minute(
				&attachment->control->counters, minute, &lookups, &absent)) {
			continue;
		}
		array_init(&entry);
		php_bloom_info_long(Z_ARRVAL(entry), "at", minute * 60);
		php_bloom_info_long(Z_ARRVAL(entry), "lookups", lookups);
		php_bloom_info_long(Z_ARRVAL(entry), "absent", absent);
		add_next_index_zval(return_value, &entry);
	}
}

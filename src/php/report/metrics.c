/* Implements Bloom\Filter::metrics(): statistics of all filters in the OpenMetrics text format.
 *
 *     list(), find(), info()  ──►  subjects: the values of each filter, and of the segment
 *     metrics_table.h         ──►  for each row, a header, and a sample of each subject
 *
 * The format requires that the samples of a metric follow each other, so all values are collected
 * first. A filter that cannot be read has only the value "up".
 */
#include "php/engine.h"

#include <string.h>

#include <Zend/zend_enum.h>
#include <Zend/zend_exceptions.h>
#include <Zend/zend_smart_str.h>
#include <ext/standard/html.h>

#include "os/clock.h"
#include "php/classes.h"
#include "php/info_array.h"
#include "php/report/info.h"
#include "php/report/metrics_table.h"
#include "php/settings.h"

typedef enum subject_type { subject_filter, subject_segment } subject_type;
typedef enum row_type { type_gauge, type_counter } row_type;
typedef enum row_form { form_value, form_ago, form_labels } row_form;

typedef struct metric {
	subject_type subject;
	row_type type;
	const char *name;
	const char *unit; /* "": none */
	row_form form;
	const char *path;
	const char *help;
} metric;

static const metric metrics[] = {
#define ROW(subject, type, name, unit, form, path, help) \
	{subject_##subject, type_##type, name, unit, form_##form, path, help},
	PHP_BLOOM_METRICS(ROW)
#undef ROW
};

/* What samples are about. */
typedef struct subject {
	subject_type type;
	zend_string *labels; /* name="booth_tags",segment="/dev/shm/php-bloom-33" */
	zval values;         /* an array */
} subject;

/* ---- collecting ---- */

/* Calls a method of Filter. Returns false if the method throws. */
static bool call(
	zval *result, zend_object *filter, const char *method, uint32_t count, zval *arguments)
{
	zend_class_entry *class = filter != NULL ? filter->ce : php_bloom_ce_filter;
	zend_function *function =
		zend_hash_str_find_ptr(&class->function_table, method, strlen(method));

	ZVAL_UNDEF(result);
	zend_call_known_function(function, filter, class, result, count, arguments, NULL);
	return EG(exception) == NULL;
}

/* Collects the values of a filter. Returns false if the filter does not exist, or if it throws an
 * exception that says nothing about the filter. */
static bool read_filter(zval *values, zval *name)
{
	zval filter, info;
	bool is_read = false;

	ZVAL_UNDEF(&info);
	if (call(&filter, NULL, "find", 1, name) && Z_TYPE(filter) != IS_OBJECT) {
		return false; /* it was dropped after list() */
	}
	if (EG(exception) == NULL && call(&info, Z_OBJ(filter), "info", 0, NULL)) {
		ZVAL_ARR(values, zend_array_dup(zend_std_get_properties(Z_OBJ(info))));
		is_read = true;
	} else if (instanceof_function(EG(exception)->ce, php_bloom_ce_NotFound)) {
		zend_clear_exception();
	} else if (instanceof_function(EG(exception)->ce, php_bloom_ce_Bloom)) {
		zend_clear_exception();
		array_init(values);
		php_bloom_info_bool(Z_ARRVAL_P(values), "up", false);
	}
	zval_ptr_dtor(&info);
	zval_ptr_dtor(&filter);
	if (is_read) {
		php_bloom_info_bool(Z_ARRVAL_P(values), "up", true);
	}
	return Z_TYPE_P(values) == IS_ARRAY;
}

static void read_segment(HashTable *values, const bloom_segment *segment)
{
	uint64_t bytes = 0, free_bytes;
	const zend_module_entry *module;
	bloom_owner owner;
	int directory = -1;

	if (php_bloom_segment_bytes(segment, &bytes)) {
		php_bloom_info_long(values, "usedBytes", bytes);
	}
	if (segment->memory_limit_bytes != 0) {
		php_bloom_info_long(values, "memoryLimit", segment->memory_limit_bytes);
	}
	if (bloom_segment_open(segment, false, &directory, &owner, NULL) == BLOOM_OK) {
		free_bytes = bloom_directory_free_bytes(directory);
		bloom_close(&directory);
		if (free_bytes != UINT64_MAX) {
			php_bloom_info_long(values, "freeBytes", free_bytes);
		}
	}
	module = zend_hash_str_find_ptr(&module_registry, ZEND_STRL("bloom"));
	php_bloom_info_string(values, "version", module->version, strlen(module->version));
	php_bloom_info_string(values, "php", PHP_VERSION, strlen(PHP_VERSION));
}

/* ---- writing ---- */

/* Returns whether a terminal would obey a character instead of showing it: C0, C1, line ends, and
 * the characters that change the direction of the text. */
static bool is_control_char(unsigned int character)
{
	return (character < 0x20 && character != '\n' && character != '\t') ||
		(character >= 0x7F && character < 0xA0) || character == 0x61C ||
		character == 0x200E || character == 0x200F ||
		(character >= 0x2028 && character <= 0x202E) ||
		(character >= 0x2066 && character <= 0x2069);
}

/* Appends a label. Control characters and bytes that are not UTF-8 become U+FFFD. */
static void append_label(smart_str *text, const char *name, size_t count, const zend_string *value)
{
	const unsigned char *bytes = (const unsigned char *)ZSTR_VAL(value);
	size_t at = 0, from;
	unsigned int character;
	zend_result status;
	size_t i;

	for (i = 0; i < count; i++) { /* keyedBy: keyed_by */
		if (name[i] >= 'A' && name[i] <= 'Z') {
			smart_str_appendc(text, '_');
		}
		smart_str_appendc(text, (char)zend_tolower_ascii(name[i]));
	}
	smart_str_appends(text, "=\"");
	while (at < ZSTR_LEN(value)) {
		from = at;
		character = php_next_utf8_char(bytes, ZSTR_LEN(value), &at, &status);
		if (status != SUCCESS || is_control_char(character)) {
			smart_str_appends(text, "\xEF\xBF\xBD");
		} else if (bytes[from] == '\n') {
			smart_str_appends(text, "\\n");
		} else {
			if (bytes[from] == '"' || bytes[from] == '\\') {
				smart_str_appendc(text, '\\');
			}
			smart_str_appendl(text, ZSTR_VAL(value) + from, at - from);
		}
	}
	smart_str_appendc(text, '"');
}

/* Returns the value at a path such as "counters.lookups", or NULL. */
static zval *find(zval *values, const char *path, size_t count)
{
	size_t name = 0;
	zval *value;

	while (name < count && path[name] != '.') {
		name++;
	}
	if (Z_TYPE_P(values) == IS_OBJECT) {
		value = zend_hash_str_find_ind(
			zend_std_get_properties(Z_OBJ_P(values)), path, name);
	} else if (Z_TYPE_P(values) == IS_ARRAY) {
		value = zend_hash_str_find(Z_ARRVAL_P(values), path, name);
	} else {
		return NULL;
	}
	return value == NULL || name == count ? value
					      : find(value, path + name + 1, count - name - 1);
}

static void append_name(smart_str *text, const metric *row, const zend_string *labels)
{
	smart_str_appends(text, row->name);
	if (row->unit[0] != 0) {
		smart_str_appendc(text, '_');
		smart_str_appends(text, row->unit);
	}
	if (labels != NULL) {
		smart_str_appends(text, row->type == type_counter ? "_total{" : "{");
		smart_str_append(text, labels);
	}
}

/* Appends a number and the end of the line. Numbers with a fraction have as many digits as
 * necessary. */
static void append_number(smart_str *text, const zval *value)
{
	smart_str_appends(text, "} ");
	switch (Z_TYPE_P(value)) {
	case IS_LONG:
		smart_str_append_long(text, Z_LVAL_P(value));
		break;
	case IS_DOUBLE:
		smart_str_append_double(text, Z_DVAL_P(value), -1, false);
		break;
	default:
		smart_str_appendc(text, Z_TYPE_P(value) == IS_TRUE ? '1' : '0');
	}
	smart_str_appendc(text, '\n');
}

/* Appends a sample whose labels are the values of a list of properties. */
static void append_labels(smart_str *text, const metric *row, subject *samples)
{
	const char *path = row->path;
	zval one, *value;
	zend_string *string;
	size_t count;

	append_name(text, row, samples->labels);
	for (; *path != 0; path += count + (path[count] != 0)) {
		count = strcspn(path, " ");
		value = find(&samples->values, path, count);
		if (value == NULL || Z_TYPE_P(value) == IS_NULL) {
			continue;
		}
		if (Z_TYPE_P(value) == IS_OBJECT) { /* an enum */
			value = zend_enum_fetch_case_value(Z_OBJ_P(value));
		}
		string = zval_get_string(value);
		smart_str_appendc(text, ',');
		append_label(text, path, count, string);
		zend_string_release(string);
	}
	ZVAL_LONG(&one, 1);
	append_number(text, &one);
}

static void append_by_status(
	smart_str *text, const metric *row, const subject *samples, HashTable *numbers)
{
	zend_string *status;
	zval *number;

	ZEND_HASH_FOREACH_STR_KEY_VAL(numbers, status, number) {
		if (status != NULL) {
			append_name(text, row, samples->labels);
			smart_str_appendc(text, ',');
			append_label(text, "status", strlen("status"), status);
			append_number(text, number);
		}
	}
	ZEND_HASH_FOREACH_END();
}

static void append_sample(smart_str *text, const metric *row, subject *samples, double now)
{
	zval *value = find(&samples->values, row->path, strlen(row->path));
	zval at;

	if (value == NULL || Z_TYPE_P(value) == IS_NULL ||
		(Z_TYPE_P(value) == IS_DOUBLE && !zend_finite(Z_DVAL_P(value)))) {
		return;
	}
	if (Z_TYPE_P(value) == IS_ARRAY) {
		append_by_status(text, row, samples, Z_ARRVAL_P(value));
		return;
	}
	if (row->form == form_ago) {
		ZVAL_DOUBLE(&at, round((now - zval_get_double(value)) * 1000) / 1000);
		value = &at;
	}
	append_name(text, row, samples->labels);
	append_number(text, value);
}

static void append_metric(
	smart_str *text, const metric *row, subject *subjects, size_t count, double now)
{
	size_t i;

	smart_str_appends(text, "# TYPE ");
	append_name(text, row, NULL);
	smart_str_appends(text, row->type == type_counter ? " counter\n" : " gauge\n");
	if (row->unit[0] != 0) {
		smart_str_appends(text, "# UNIT ");
		append_name(text, row, NULL);
		smart_str_append_printf(text, " %s\n", row->unit);
	}
	smart_str_appends(text, "# HELP ");
	append_name(text, row, NULL);
	smart_str_append_printf(text, " %s\n", row->help);
	for (i = 0; i < count; i++) {
		if (subjects[i].type != row->subject) {
			continue;
		}
		if (row->form != form_labels) {
			append_sample(text, row, &subjects[i], now);
		} else if (zend_hash_num_elements(Z_ARRVAL(subjects[i].values)) > 1) {
			append_labels(text, row, &subjects[i]);
		}
	}
}

/* ---- the method ---- */

/* Returns the labels that all samples of a subject have. `name` is NULL for the segment. */
static zend_string *labels_of(const zend_string *name, const bloom_segment *segment)
{
	zend_string *path = zend_string_init(segment->path, strlen(segment->path), false);
	smart_str text = {0};

	if (name != NULL) {
		append_label(&text, "name", strlen("name"), name);
		smart_str_appendc(&text, ',');
	}
	append_label(&text, "segment", strlen("segment"), path);
	zend_string_release(path);
	return smart_str_extract(&text);
}

ZEND_METHOD(Bloom_Filter, metrics)
{
	double now = (double)bloom_clock_ms() / 1000;
	const bloom_segment *segment;
	smart_str text = {0};
	subject *subjects;
	zval names, *name;
	size_t i, count = 0;

	ZEND_PARSE_PARAMETERS_NONE();
	if (!call(&names, NULL, "list", 0, NULL)) {
		RETURN_THROWS();
	}
	segment = php_bloom_segment();
	subjects = safe_emalloc(zend_hash_num_elements(Z_ARRVAL(names)) + 1, sizeof *subjects, 0);
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL(names), name) {
		ZVAL_UNDEF(&subjects[count].values);
		if (read_filter(&subjects[count].values, name)) {
			subjects[count].type = subject_filter;
			subjects[count++].labels = labels_of(Z_STR_P(name), segment);
		}
	}
	ZEND_HASH_FOREACH_END();
	subjects[count].type = subject_segment;
	subjects[count].labels = labels_of(NULL, segment);
	array_init(&subjects[count].values);
	read_segment(Z_ARRVAL(subjects[count++].values), segment);
	for (i = 0; i < sizeof metrics / sizeof *metrics; i++) {
		append_metric(&text, &metrics[i], subjects, count, now);
	}
	smart_str_appends(&text, "# EOF\n");
	for (i = 0; i < count; i++) {
		zend_string_release(subjects[i].labels);
		zval_ptr_dtor(&subjects[i].values);
	}
	efree(subjects);
	zval_ptr_dtor(&names);
	RETVAL_STR(smart_str_extract(&text));
}

#include "php/report/info_table.h"

#include "php/engine.h"

#include <ext/standard/info.h>
#include <inttypes.h>

#include "kinds/attachment.h"
#include "os/mapping.h"
#include "php/errors.h"
#include "php/report/info.h"
#include "php/settings.h"
#include "segment/keyring.h"
#include "segment/control_file.h"

enum { ROWS_MAX = 100 };

static bool collect(void *context, const char *entry)
{
	char name[BLOOM_NAME_BYTES_MAX + 1];
	uint64_t layout;

	if (bloom_entry_parse(entry, name, &layout) && layout == BLOOM_CONTROL_LAYOUT) {
		add_next_index_string(context, name);
	}
	return true;
}

static int compare(Bucket *a, Bucket *b)
{
	return strcmp(Z_STRVAL(a->val), Z_STRVAL(b->val));
}

static void print_failure(const char *what, const bloom_error *error)
{
	zend_string *text = php_bloom_error_text(error);

	php_info_print_table_row(2, what, ZSTR_VAL(text));
	zend_string_release(text);
}

/* Prints a filter's row. Returns false if the name has no filter. */
static zend_never_inline bool print_filter(const bloom_segment *segment, const char *name)
{
	char generation[24], keys[24], rate[48], asked[48], number[BLOOM_NUMBER_BYTES];
	bloom_attachment attachment;
	php_bloom_figures figures;
	bloom_error error = {0};

	if (bloom_attach(segment, name, &attachment, &error) != BLOOM_OK) {
		if (error.status != BLOOM_E_NOT_FOUND) {
			print_failure(name, &error);
		}
		return error.status != BLOOM_E_NOT_FOUND;
	}
	(void)bloom_attachment_check(&attachment);
	if (!bloom_attachment_is_mapped(&attachment)) {
		bloom_detach(&attachment); /* dropped or withdrawn at this moment */
		return false;
	}
	figures = php_bloom_figures_of(&attachment);
	(void)snprintf(generation, sizeof generation, "%" PRIu64, attachment.generation);
	(void)snprintf(keys, sizeof keys, "%" PRIu64, figures.keys);
	(void)snprintf(
		rate, sizeof rate, "%s %%", bloom_number_text(figures.rate * 100, 3, number));
	(void)snprintf(asked, sizeof asked, "%s %%",
		bloom_number_text(figures.asked_rate * 100, 3, number));
	php_info_print_table_row(
		6, name, bloom_kind_word(attachment.ops->kind), generation, keys, rate, asked);
	bloom_detach(&attachment);
	return true;
}

/* Returns whether a filter that has no room in the table exists. */
static bool is_filter(const bloom_segment *segment, const char *name)
{
	bloom_control *control = NULL;
	bloom_status status = bloom_segment_control(segment, name, false, &control, NULL);
	uint64_t generation;
	bool is_served;

	if (status != BLOOM_OK) {
		return status != BLOOM_E_NOT_FOUND;
	}
	generation = bloom_load_acquire(&control->generation);
	is_served = generation != BLOOM_GENERATION_NONE && generation != BLOOM_GENERATION_DROPPED &&
		!bloom_control_is_expired(control);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	return is_served;
}

static void print_filters(const bloom_segment *segment, HashTable *names)
{
	uint64_t rows = 0, more = 0;
	char text[48];
	zval *name;

	zend_hash_sort(names, compare, true);
	php_info_print_table_header(
		6, "filter", "kind", "generation", "keys", "estimated rate", "requested rate");
	ZEND_HASH_FOREACH_VAL(names, name) {
		if (rows < ROWS_MAX) {
			rows += print_filter(segment, Z_STRVAL_P(name));
		} else {
			more += is_filter(segment, Z_STRVAL_P(name));
		}
	}
	ZEND_HASH_FOREACH_END();
	if (rows == 0) {
		php_info_print_table_row(2, "filters", "none");
	} else if (more > 0) {
		(void)snprintf(text, sizeof text, "%" PRIu64 " more filters", more);
		php_info_print_table_row(2, "not shown", text);
	}
}

void php_bloom_info_table(void)
{
	bloom_ring ring = {0};
	bloom_segment segment;
	bloom_error error = {0};
	bloom_owner owner;
	bloom_status status;
	int directory = -1;
	zval names;

	array_init(&names);
	status = php_bloom_segment_peek(&segment, &ring, &error);
	if (status == BLOOM_OK) {
		status = bloom_segment_open(&segment, false, &directory, &owner, &error);
	}
	if (status == BLOOM_OK) {
		status = bloom_directory_each(directory, collect, &names, &error);
		bloom_close(&directory);
	}
	php_info_print_table_start();
	if (status == BLOOM_OK) {
		print_filters(&segment, Z_ARRVAL(names));
	} else if (status == BLOOM_E_NOT_FOUND) {
		php_info_print_table_row(2, "filters", "none: the segment does not exist yet");
	} else {
		print_failure("filters", &error);
	}
	php_info_print_table_end();
	bloom_ring_drop(&ring);
	zval_ptr_dtor(&names);
}

/* What is compared with.
 *
 * BloomBench\EmptyFilter is what calling any internal method costs: it has the signature of Bloom\Filter's
 * lookups, parses its argument the same way, and answers false.
 *
 * BloomBench\Scan is what a reverse index saves: a small Bloom filter of 64 bytes for each group, one
 * behind the other, asked one after the other. It is given what a scan can be given: the value is hashed
 * and its probes are worked out once for all groups, and the first four are tested without a branch.
 *
 * BloomBench\might_contain() is what a function that is told the filter by its name would cost at least: it finds the
 * name among five, and answers whether it was not there. From PHP 8.4 on it is a frameless function, too.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <php.h>

#if PHP_VERSION_ID >= 80400
#include <zend_frameless_function.h>
#endif

#include "filter/digest.h"

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_might_contain, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_MASK(0, key, MAY_BE_STRING | MAY_BE_LONG, NULL)
ZEND_END_ARG_INFO()

static ZEND_METHOD(EmptyFilter, mightContain)
{
	zend_string *string;
	zend_long number;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR_OR_LONG(string, number)
	ZEND_PARSE_PARAMETERS_END();
	RETURN_FALSE;
}

enum {
	BLOCK_BYTES = 64,
	BLOCK_BITS = BLOCK_BYTES * 8,
	FIELD_BITS = 9,
	FIELDS = 64 / FIELD_BITS,
	PROBES_MAX = 64
};

static unsigned char *blocks;
static zend_long block_count, probe_count;

static void find_probes(zend_string *value, uint32_t probes[PROBES_MAX])
{
	bloom_digest digest =
		bloom_digest_of((const unsigned char *)ZSTR_VAL(value), ZSTR_LEN(value), 1);
	uint64_t word = digest.hash_lo;
	uint32_t i;

	for (i = 0; i < probe_count; i++) {
		if (i > 0 && i % FIELDS == 0) {
			word = bloom_digest_word(digest.hash_lo, i / FIELDS);
		}
		probes[i] = (uint32_t)word & (BLOCK_BITS - 1);
		word >>= FIELD_BITS;
	}
}

ZEND_BEGIN_ARG_INFO_EX(arginfo_scan_open, 0, 0, 2)
	ZEND_ARG_TYPE_INFO(0, groups, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, probes, IS_LONG, 0)
ZEND_END_ARG_INFO()

/* One at a time: the next open() forgets this one. */
static ZEND_METHOD(Scan, open)
{
	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_LONG(block_count)
		Z_PARAM_LONG(probe_count)
	ZEND_PARSE_PARAMETERS_END();
	if (probe_count < 4 || probe_count > PROBES_MAX) {
		zend_argument_value_error(2, "must be from 4 to 64");
		RETURN_THROWS();
	}
	free(blocks);
	blocks = aligned_alloc(BLOCK_BYTES, (size_t)block_count * BLOCK_BYTES);
	memset(blocks, 0, (size_t)block_count * BLOCK_BYTES);
}

ZEND_BEGIN_ARG_INFO_EX(arginfo_scan_add, 0, 0, 2)
	ZEND_ARG_TYPE_INFO(0, group, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_STRING, 0)
ZEND_END_ARG_INFO()

static ZEND_METHOD(Scan, add)
{
	uint32_t probes[PROBES_MAX], i;
	zend_string *value;
	zend_long group;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_LONG(group)
		Z_PARAM_STR(value)
	ZEND_PARSE_PARAMETERS_END();
	find_probes(value, probes);
	for (i = 0; i < probe_count; i++) {
		blocks[group * BLOCK_BYTES + probes[i] / 8] |=
			(unsigned char)(1u << (probes[i] & 7));
	}
}

ZEND_BEGIN_ARG_INFO_EX(arginfo_scan_groups, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, value, IS_STRING, 0)
ZEND_END_ARG_INFO()

static unsigned is_set(const unsigned char *block, uint32_t bit)
{
	return (unsigned)block[bit / 8] >> (bit & 7) & 1;
}

static ZEND_METHOD(Scan, groups)
{
	uint32_t probes[PROBES_MAX], i;
	const unsigned char *block = blocks;
	zend_string *value;
	zend_long group;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(value)
	ZEND_PARSE_PARAMETERS_END();
	find_probes(value, probes);
	array_init(return_value);
	for (group = 0; group < block_count; group++, block += BLOCK_BYTES) {
		if (!(is_set(block, probes[0]) & is_set(block, probes[1]) &
			    is_set(block, probes[2]) & is_set(block, probes[3]))) {
			continue;
		}
		for (i = 4; i < probe_count && is_set(block, probes[i]); i++) {
		}
		if (i == probe_count) {
			add_next_index_long(return_value, group);
		}
	}
}

/* clang-format off */
static const zend_function_entry scan_methods[] = {
	ZEND_ME(Scan, open, arginfo_scan_open, ZEND_ACC_PUBLIC | ZEND_ACC_STATIC)
	ZEND_ME(Scan, add, arginfo_scan_add, ZEND_ACC_PUBLIC | ZEND_ACC_STATIC)
	ZEND_ME(Scan, groups, arginfo_scan_groups, ZEND_ACC_PUBLIC | ZEND_ACC_STATIC)
	ZEND_FE_END
};
/* clang-format on */

static HashTable names;

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_by_name, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
ZEND_END_ARG_INFO()

static PHP_FUNCTION(might_contain)
{
	zend_string *name, *key;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(name)
		Z_PARAM_STR(key)
	ZEND_PARSE_PARAMETERS_END();
	(void)key;
	RETURN_BOOL(zend_hash_find(&names, name) == NULL);
}

#if PHP_VERSION_ID >= 80400
ZEND_FRAMELESS_FUNCTION(might_contain, 2)
{
	zend_string *name, *key;
	zval name_copy, key_copy;

	Z_FLF_PARAM_STR(1, name, name_copy);
	Z_FLF_PARAM_STR(2, key, key_copy);
	(void)key;
	RETVAL_BOOL(zend_hash_find(&names, name) == NULL);
flf_clean:
	Z_FLF_PARAM_FREE_STR(1, name_copy);
	Z_FLF_PARAM_FREE_STR(2, key_copy);
}

static const zend_frameless_function_info frameless[] = {
	{ZEND_FRAMELESS_FUNCTION_NAME(might_contain, 2), 2}, {0}};
#endif

/* clang-format off */
static const zend_function_entry functions[] = {
#if PHP_VERSION_ID >= 80400
	ZEND_RAW_FENTRY("BloomBench\\might_contain", zif_might_contain, arginfo_by_name, 0, frameless, NULL)
#else
	ZEND_NS_NAMED_FE("BloomBench", might_contain, zif_might_contain, arginfo_by_name)
#endif
	ZEND_FE_END
};
/* clang-format on */

/* clang-format off */
static const zend_function_entry methods[] = {
	ZEND_ME(EmptyFilter, mightContain, arginfo_might_contain, ZEND_ACC_PUBLIC | ZEND_ACC_FINAL)
	ZEND_FE_END
};
/* clang-format on */

static PHP_MINIT_FUNCTION(bloom_empty)
{
	zend_class_entry class;
	char name[8];
	zval value;
	int i;

	ZVAL_TRUE(&value);
	zend_hash_init(&names, 8, NULL, NULL, true);
	for (i = 0; i < 5; i++) {
		(void)snprintf(name, sizeof name, "tags%d", i);
		zend_hash_str_add(&names, name, strlen(name), &value);
	}
	INIT_NS_CLASS_ENTRY(class, "BloomBench", "EmptyFilter", methods);
	(void)zend_register_internal_class(&class);
	INIT_NS_CLASS_ENTRY(class, "BloomBench", "Scan", scan_methods);
	(void)zend_register_internal_class(&class);
	return SUCCESS;
}

static zend_module_entry bloom_empty_module_entry = {STANDARD_MODULE_HEADER, "bloom_empty",
	functions, PHP_MINIT(bloom_empty), NULL, NULL, NULL, NULL, "0", STANDARD_MODULE_PROPERTIES};

ZEND_GET_MODULE(bloom_empty)

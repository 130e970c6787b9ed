/* The baselines of the benchmarks.
 *
 * BloomBench\EmptyFilter shows the cost of a call of any internal method. Its method has the
 * signature of Bloom\Filter's lookups, parses its argument in the same way, and returns false.
 *
 * BloomBench\Scan shows how much a reverse index saves. It keeps one Bloom filter of 64 bytes per
 * group in an array and tests these filters one after the other. The scan is as fast as possible:
 * it hashes the value and computes the probes once for all groups, and it tests the first four
 * probes without a branch. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <php.h>

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
	uint64_t first = bloom_digest_probes(digest), word = first;
	uint32_t i;

	for (i = 0; i < probe_count; i++) {
		if (i > 0 && i % FIELDS == 0) {
			word = bloom_digest_word(first, i / FIELDS);
		}
		probes[i] = (uint32_t)word & (BLOCK_BITS - 1);
		word >>= FIELD_BITS;
	}
}

ZEND_BEGIN_ARG_INFO_EX(arginfo_scan_open, 0, 0, 2)
	ZEND_ARG_TYPE_INFO(0, groups, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, probes, IS_LONG, 0)
ZEND_END_ARG_INFO()

/* There is only one scan, which the next open() replaces. */
static ZEND_METHOD(Scan, open)
{
	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_LONG(block_count)
		Z_PARAM_LONG(probe_count)
	ZEND_PARSE_PARAMETERS_END();
	if (probe_count < 4 || probe_count > PROBES_MAX) {
		zend_argument_value_error(2, "must be between 4 and 64");
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

/* clang-format off */
static const zend_function_entry methods[] = {
	ZEND_ME(EmptyFilter, mightContain, arginfo_might_contain, ZEND_ACC_PUBLIC | ZEND_ACC_FINAL)
	ZEND_FE_END
};
/* clang-format on */

static PHP_MINIT_FUNCTION(bloom_empty)
{
	zend_class_entry class;

	INIT_NS_CLASS_ENTRY(class, "BloomBench", "EmptyFilter", methods);
	(void)zend_register_internal_class(&class);
	INIT_NS_CLASS_ENTRY(class, "BloomBench", "Scan", scan_methods);
	(void)zend_register_internal_class(&class);
	return SUCCESS;
}

static zend_module_entry bloom_empty_module_entry = {STANDARD_MODULE_HEADER, "bloom_empty", NULL,
	PHP_MINIT(bloom_empty), NULL, NULL, NULL, NULL, "0", STANDARD_MODULE_PROPERTIES};

ZEND_GET_MODULE(bloom_empty)

#include "php/info_array.h"

#include <string.h>

#include "filter/foreign.h"
#include "filter/geometry.h"
#include "filter/rate.h"

void php_bloom_info_long(HashTable *info, const char *key, uint64_t value)
{
	zval number;

	/* A damaged counter or one that has wrapped must not appear as a negative number. */
	ZVAL_LONG(&number, value <= (uint64_t)ZEND_LONG_MAX ? (zend_long)value : ZEND_LONG_MAX);
	zend_hash_str_update(info, key, strlen(key), &number);
}

static void set_seed(HashTable *info, uint64_t seed)
{
	zval number;

	ZVAL_LONG(&number, (zend_long)seed);
	zend_hash_str_update(info, "seed", strlen("seed"), &number);
}

void php_bloom_info_double(HashTable *info, const char *key, double value)
{
	zval number;

	ZVAL_DOUBLE(&number, value);
	zend_hash_str_update(info, key, strlen(key), &number);
}

void php_bloom_info_string(HashTable *info, const char *key, const char *bytes, size_t count)
{
	zval string;

	ZVAL_STRINGL(&string, bytes, count);
	zend_hash_str_update(info, key, strlen(key), &string);
}

void php_bloom_info_bool(HashTable *info, const char *key, bool value)
{
	zval entry;

	ZVAL_BOOL(&entry, value);
	zend_hash_str_update(info, key, strlen(key), &entry);
}

void php_bloom_info_null(HashTable *info, const char *key)
{
	zval null;

	ZVAL_NULL(&null);
	zend_hash_str_update(info, key, strlen(key), &null);
}

void php_bloom_info_list(HashTable *info, const char *key, zval *list)
{
	zend_hash_str_update(info, key, strlen(key), list);
}

void php_bloom_info_mark(HashTable *info, const char *key, const bloom_mark *mark)
{
	char text[BLOOM_MARK_TEXT_BYTES];

	if (mark->epoch == 0) {
		php_bloom_info_null(info, key);
	} else {
		php_bloom_info_string(info, key, text, bloom_mark_text(mark, text));
	}
}

void php_bloom_info_fingerprint(HashTable *info, const char *key, uint64_t fingerprint)
{
	char text[17];

	if (fingerprint == 0) {
		php_bloom_info_null(info, key);
		return;
	}
	(void)snprintf(text, sizeof text, "%016llx", (unsigned long long)fingerprint);
	php_bloom_info_string(info, key, text, 16);
}

static void set_digest(HashTable *info, const bloom_geometry *geometry)
{
	const char *name = geometry->layers != 0 ? bloom_foreign_digest(geometry->foreign)
		: geometry->fingerprint != 0     ? "SipHash-2-4"
						 : "XXH3-64";

	php_bloom_info_string(info, "digest", name, strlen(name));
	php_bloom_info_fingerprint(info, "keyedBy", geometry->fingerprint);
}

static void set_reverse(HashTable *info, const bloom_geometry *geometry, double rate)
{
	if (geometry->groups != 0) {
		php_bloom_info_long(info, "groups", geometry->groups);
		php_bloom_info_long(info, "fanOut", geometry->fan_out);
		php_bloom_info_long(info, "levels", bloom_geometry_levels(geometry));
		php_bloom_info_double(info, "expectedWrongGroups",
			bloom_geometry_false_groups(geometry, rate, 1));
	}
}

void php_bloom_info_geometry(
	HashTable *info, const bloom_geometry *geometry, uint64_t shards, double rate)
{
	php_bloom_info_long(info, "shards", shards);
	php_bloom_info_long(info, "shardBytes", geometry->shard_bytes);
	php_bloom_info_long(info, "blockBytes", geometry->block_bytes);
	php_bloom_info_long(info, "probes", geometry->probes);
	set_seed(info, geometry->seed);
	set_digest(info, geometry);
	set_reverse(info, geometry, rate);
}

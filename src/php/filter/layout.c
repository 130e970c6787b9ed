#include "php/filter/layout.h"

#include "php/arguments.h"

/* The order of the properties in the stub. */
enum { SHARD_BYTES, BLOCK_BYTES, PROBES, CHUNK_BYTES };

static uint32_t property(zend_object *object, int number)
{
	const zval *value = OBJ_PROP_NUM(object, number);

	/* A layout whose constructor was not called has no values. */
	return php_bloom_optional_uint32(
		Z_TYPE_P(value) != IS_LONG, Z_TYPE_P(value) == IS_LONG ? Z_LVAL_P(value) : 0);
}

php_bloom_layout php_bloom_layout_of(zend_object *object)
{
	if (object == NULL) {
		return (php_bloom_layout){0};
	}
	return (php_bloom_layout){
		.shard_bytes = property(object, SHARD_BYTES),
		.block_bytes = property(object, BLOCK_BYTES),
		.probes = property(object, PROBES),
		.chunk_bytes = property(object, CHUNK_BYTES),
	};
}

const char *php_bloom_layout_blamed(bloom_status status)
{
	switch (status) {
	case BLOOM_E_SHARD_BYTES:
	case BLOOM_E_RIBBON_SHARD:
		return "shardBytes";
	case BLOOM_E_BLOCK_BYTES:
		return "blockBytes";
	case BLOOM_E_PROBES:
		return "probes";
	case BLOOM_E_CHUNK_BYTES:
		return "chunkBytes";
	default:
		return NULL;
	}
}

static void set(zend_object *object, int number, bool is_null, zend_long given)
{
	zval *slot = OBJ_PROP_NUM(object, number);

	if (is_null) {
		ZVAL_NULL(slot);
	} else {
		ZVAL_LONG(slot, given);
	}
	Z_PROP_FLAG_P(slot) = 0; /* initialized */
}

ZEND_METHOD(Bloom_Layout, __construct)
{
	zend_long shard_bytes = 0, block_bytes = 0, probes = 0, chunk_bytes = 0;
	bool no_shard_bytes = true, no_block_bytes = true, no_probes = true, no_chunk_bytes = true;
	zend_object *self = Z_OBJ_P(ZEND_THIS);

	ZEND_PARSE_PARAMETERS_START(0, 4)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG_OR_NULL(shard_bytes, no_shard_bytes)
		Z_PARAM_LONG_OR_NULL(block_bytes, no_block_bytes)
		Z_PARAM_LONG_OR_NULL(probes, no_probes)
		Z_PARAM_LONG_OR_NULL(chunk_bytes, no_chunk_bytes)
	ZEND_PARSE_PARAMETERS_END();

	if (Z_TYPE_P(OBJ_PROP_NUM(self, SHARD_BYTES)) != IS_UNDEF) {
		zend_throw_error(NULL, "This layout is already constructed");
		RETURN_THROWS();
	}
	set(self, SHARD_BYTES, no_shard_bytes, shard_bytes);
	set(self, BLOCK_BYTES, no_block_bytes, block_bytes);
	set(self, PROBES, no_probes, probes);
	set(self, CHUNK_BYTES, no_chunk_bytes, chunk_bytes);
}

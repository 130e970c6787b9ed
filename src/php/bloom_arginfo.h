/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 8373140fb24dd13ab15ae120348dfe72b730255a */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Bloom_Builder___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, capacity, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, falsePositiveRate, IS_DOUBLE, 0, "0.01")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, shardBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, blockBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, probes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, bitsPerKey, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, chunkBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, source, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, secret, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, scheme, IS_STRING, 0, "\'bloom\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, jobs, IS_LONG, 0, "1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Builder_like, 0, 1, Bloom\\Builder, 0)
	ZEND_ARG_OBJ_INFO(0, previous, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, capacity, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, falsePositiveRate, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, shardBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, blockBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, probes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, bitsPerKey, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, chunkBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, source, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, secret, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, scheme, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, jobs, IS_LONG, 0, "1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Builder_add, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_MASK(0, key, MAY_BE_STRING|MAY_BE_LONG, NULL)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Builder_addMany, 0, 1, IS_LONG, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, keys, Traversable, MAY_BE_ARRAY, NULL)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Builder_addFile, 0, 1, IS_LONG, 0)
	ZEND_ARG_INFO(0, file)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, progress, IS_CALLABLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Builder_build, 0, 0, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxFalsePositiveRate, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, builtAt, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, mark, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Builder_info, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Builder_onDemandInfo, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, memory, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Bloom_Blob___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Blob_open, 0, 1, Bloom\\Blob, 0)
	ZEND_ARG_INFO(0, file)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, progress, IS_CALLABLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Blob_fromString, 0, 1, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO(0, bytes, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Blob_fetch, 0, 2, Bloom\\Blob, 0)
	ZEND_ARG_OBJ_INFO(0, store, Bloom\\Store, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, progress, IS_CALLABLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Blob_find, 0, 2, Bloom\\Blob, 1)
	ZEND_ARG_OBJ_INFO(0, store, Bloom\\Store, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, progress, IS_CALLABLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Blob_toString, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Blob_save, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, path, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Blob_publish, 0, 2, IS_ARRAY, 0)
	ZEND_ARG_OBJ_INFO(0, store, Bloom\\Store, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, progress, IS_CALLABLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, force, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Blob_sign, 0, 1, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Blob_mightContain arginfo_class_Bloom_Builder_add

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Blob_groups, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_MASK(0, value, MAY_BE_STRING|MAY_BE_LONG, NULL)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, limit, IS_LONG, 0, "100000")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Blob_merge, 0, 0, Bloom\\Blob, 0)
	ZEND_ARG_VARIADIC_OBJ_INFO(0, others, Bloom\\Blob, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Blob_intersect, 0, 1, Bloom\\Blob, 0)
	ZEND_ARG_OBJ_INFO(0, other, Bloom\\Blob, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Blob_info arginfo_class_Bloom_Builder_info

#define arginfo_class_Bloom_Filter___construct arginfo_class_Bloom_Blob___construct

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Filter_open, 0, 1, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Filter_find, 0, 1, IS_STATIC, 1)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Filter_list arginfo_class_Bloom_Builder_info

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Filter_drop, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Filter_restore, 0, 2, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, source, Bloom\\Store, MAY_BE_STRING, NULL)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Filter_load, 0, 2, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_OBJ_INFO(0, blob, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, progress, IS_CALLABLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, overlayWindow, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, overlayCapacity, IS_LONG, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, journal, Bloom\\JournalStore, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxLag, IS_DOUBLE, 0, "60.0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Filter_sync, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_OBJ_INFO(0, store, Bloom\\Store, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 0, "60.0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, force, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, progress, IS_CALLABLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, overlayWindow, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, overlayCapacity, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxLag, IS_DOUBLE, 0, "60.0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Filter_attach, 0, 3, Bloom\\OnDemandFilter, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_OBJ_INFO(0, store, Bloom\\Store, 0)
	ZEND_ARG_TYPE_INFO(0, memory, IS_LONG, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Filter_name arginfo_class_Bloom_Blob_toString

#define arginfo_class_Bloom_Filter_mightContain arginfo_class_Bloom_Builder_add

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Filter_candidates, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, keys, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Filter_info arginfo_class_Bloom_Builder_info

#define arginfo_class_Bloom_Filter_shards arginfo_class_Bloom_Builder_info

#define arginfo_class_Bloom_LoadedFilter_add arginfo_class_Bloom_Builder_add

#define arginfo_class_Bloom_LoadedFilter_addMany arginfo_class_Bloom_Builder_addMany

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_LiveFilter_create, 0, 2, Bloom\\LiveFilter, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, capacity, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, falsePositiveRate, IS_DOUBLE, 0, "0.01")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_LiveFilter_import, 0, 2, Bloom\\LiveFilter, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_OBJ_INFO(0, blob, Bloom\\Blob, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_LiveFilter_add arginfo_class_Bloom_Builder_add

#define arginfo_class_Bloom_LiveFilter_addMany arginfo_class_Bloom_Builder_addMany

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_LiveFilter_export, 0, 0, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, source, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_LiveFilter_save, 0, 1, IS_VOID, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, target, Bloom\\Store, MAY_BE_STRING, NULL)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_CountingFilter_create, 0, 2, Bloom\\CountingFilter, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, capacity, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, falsePositiveRate, IS_DOUBLE, 0, "0.01")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_CountingFilter_add arginfo_class_Bloom_Builder_add

#define arginfo_class_Bloom_CountingFilter_addMany arginfo_class_Bloom_Builder_addMany

#define arginfo_class_Bloom_CountingFilter_remove arginfo_class_Bloom_Builder_add

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_CountingFilter_count, 0, 1, IS_LONG, 0)
	ZEND_ARG_TYPE_MASK(0, key, MAY_BE_STRING|MAY_BE_LONG, NULL)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_CountingFilter_export arginfo_class_Bloom_LiveFilter_export

#define arginfo_class_Bloom_CountingFilter_save arginfo_class_Bloom_LiveFilter_save

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_ScalableFilter_create, 0, 2, Bloom\\ScalableFilter, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, initialCapacity, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, falsePositiveRate, IS_DOUBLE, 0, "0.01")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, growth, IS_DOUBLE, 0, "2.0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, tightening, IS_DOUBLE, 0, "0.9")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_ScalableFilter_add arginfo_class_Bloom_Builder_add

#define arginfo_class_Bloom_ScalableFilter_addMany arginfo_class_Bloom_Builder_addMany

#define arginfo_class_Bloom_ScalableFilter_save arginfo_class_Bloom_LiveFilter_save

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_SlidingFilter_create, 0, 4, Bloom\\SlidingFilter, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, capacity, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, falsePositiveRate, IS_DOUBLE, 0)
	ZEND_ARG_TYPE_INFO(0, window, IS_DOUBLE, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_SlidingFilter_add arginfo_class_Bloom_Builder_add

#define arginfo_class_Bloom_SlidingFilter_addMany arginfo_class_Bloom_Builder_addMany

#define arginfo_class_Bloom_SlidingFilter_export arginfo_class_Bloom_LiveFilter_export

#define arginfo_class_Bloom_SlidingFilter_save arginfo_class_Bloom_LiveFilter_save

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_ReverseIndex_create, 0, 3, Bloom\\ReverseIndex, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, groups, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, capacity, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, falsePositiveRate, IS_DOUBLE, 0, "0.001")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, fanOut, IS_LONG, 0, "256")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_ReverseIndex_import, 0, 2, Bloom\\ReverseIndex, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_OBJ_INFO(0, blob, Bloom\\Blob, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_ReverseIndex_add, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, group, IS_LONG, 0)
	ZEND_ARG_TYPE_MASK(0, value, MAY_BE_STRING|MAY_BE_LONG, NULL)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_ReverseIndex_addMany, 0, 2, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, group, IS_LONG, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, values, Traversable, MAY_BE_ARRAY, NULL)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_ReverseIndex_groups arginfo_class_Bloom_Blob_groups

#define arginfo_class_Bloom_ReverseIndex_export arginfo_class_Bloom_LiveFilter_export

#define arginfo_class_Bloom_ReverseIndex_save arginfo_class_Bloom_LiveFilter_save

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Bloom_ReverseIndexBuilder___construct, 0, 0, 2)
	ZEND_ARG_TYPE_INFO(0, groups, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, capacity, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, falsePositiveRate, IS_DOUBLE, 0, "0.001")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, fanOut, IS_LONG, 0, "256")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, chunkBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, source, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, secret, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_ReverseIndexBuilder_like, 0, 1, Bloom\\ReverseIndexBuilder, 0)
	ZEND_ARG_OBJ_INFO(0, previous, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, groups, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, capacity, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, falsePositiveRate, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, fanOut, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, chunkBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, source, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, secret, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_ReverseIndexBuilder_add arginfo_class_Bloom_ReverseIndex_add

#define arginfo_class_Bloom_ReverseIndexBuilder_addMany arginfo_class_Bloom_ReverseIndex_addMany

#define arginfo_class_Bloom_ReverseIndexBuilder_build arginfo_class_Bloom_Builder_build

#define arginfo_class_Bloom_ReverseIndexBuilder_info arginfo_class_Bloom_Builder_info

#define arginfo_class_Bloom_Store_getMultiple arginfo_class_Bloom_Filter_candidates

#define arginfo_class_Bloom_Store_missing arginfo_class_Bloom_Filter_candidates

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Store_set, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Store_deleteMultiple, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, keys, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_JournalStore_append, 0, 2, IS_STRING, 1)
	ZEND_ARG_TYPE_INFO(0, journal, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, records, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, after, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_JournalStore_last, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, journal, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_JournalStore_read, 0, 2, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, positions, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, limit, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_JournalStore_trim, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, journal, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, position, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Bloom_Journal___construct, 0, 0, 2)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_OBJ_INFO(0, store, Bloom\\Store, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Journal_name arginfo_class_Bloom_Blob_toString

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Journal_add, 0, 1, IS_LONG, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, keys, Traversable, MAY_BE_ARRAY|MAY_BE_STRING|MAY_BE_LONG, NULL)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Journal_mark arginfo_class_Bloom_Blob_toString

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Journal_pull, 0, 2, IS_ARRAY, 0)
	ZEND_ARG_OBJ_INFO(0, store, Bloom\\JournalStore, 0)
	ZEND_ARG_TYPE_INFO(0, names, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxLag, IS_DOUBLE, 0, "60.0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Bloom_DirectoryStore___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, directory, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_DirectoryStore_getMultiple arginfo_class_Bloom_Filter_candidates

#define arginfo_class_Bloom_DirectoryStore_missing arginfo_class_Bloom_Filter_candidates

#define arginfo_class_Bloom_DirectoryStore_set arginfo_class_Bloom_Store_set

#define arginfo_class_Bloom_DirectoryStore_deleteMultiple arginfo_class_Bloom_Store_deleteMultiple

#define arginfo_class_Bloom_DirectoryStore_append arginfo_class_Bloom_JournalStore_append

#define arginfo_class_Bloom_DirectoryStore_last arginfo_class_Bloom_JournalStore_last

#define arginfo_class_Bloom_DirectoryStore_read arginfo_class_Bloom_JournalStore_read

#define arginfo_class_Bloom_DirectoryStore_trim arginfo_class_Bloom_JournalStore_trim

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Bloom_RedisStore___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, client, IS_OBJECT, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, prefix, IS_STRING, 0, "\'bloom:\'")
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_RedisStore_getMultiple arginfo_class_Bloom_Filter_candidates

#define arginfo_class_Bloom_RedisStore_missing arginfo_class_Bloom_Filter_candidates

#define arginfo_class_Bloom_RedisStore_set arginfo_class_Bloom_Store_set

#define arginfo_class_Bloom_RedisStore_deleteMultiple arginfo_class_Bloom_Store_deleteMultiple

#define arginfo_class_Bloom_RedisStore_append arginfo_class_Bloom_JournalStore_append

#define arginfo_class_Bloom_RedisStore_last arginfo_class_Bloom_JournalStore_last

#define arginfo_class_Bloom_RedisStore_read arginfo_class_Bloom_JournalStore_read

#define arginfo_class_Bloom_RedisStore_trim arginfo_class_Bloom_JournalStore_trim

#define arginfo_class_Bloom_MemcachedStore___construct arginfo_class_Bloom_RedisStore___construct

#define arginfo_class_Bloom_MemcachedStore_getMultiple arginfo_class_Bloom_Filter_candidates

#define arginfo_class_Bloom_MemcachedStore_missing arginfo_class_Bloom_Filter_candidates

#define arginfo_class_Bloom_MemcachedStore_set arginfo_class_Bloom_Store_set

#define arginfo_class_Bloom_MemcachedStore_deleteMultiple arginfo_class_Bloom_Store_deleteMultiple


ZEND_METHOD(Bloom_Builder, __construct);
ZEND_METHOD(Bloom_Builder, like);
ZEND_METHOD(Bloom_Builder, add);
ZEND_METHOD(Bloom_Builder, addMany);
ZEND_METHOD(Bloom_Builder, addFile);
ZEND_METHOD(Bloom_Builder, build);
ZEND_METHOD(Bloom_Builder, info);
ZEND_METHOD(Bloom_Builder, onDemandInfo);
ZEND_METHOD(Bloom_Blob, __construct);
ZEND_METHOD(Bloom_Blob, open);
ZEND_METHOD(Bloom_Blob, fromString);
ZEND_METHOD(Bloom_Blob, fetch);
ZEND_METHOD(Bloom_Blob, find);
ZEND_METHOD(Bloom_Blob, toString);
ZEND_METHOD(Bloom_Blob, save);
ZEND_METHOD(Bloom_Blob, publish);
ZEND_METHOD(Bloom_Blob, sign);
ZEND_METHOD(Bloom_Blob, mightContain);
ZEND_METHOD(Bloom_Blob, groups);
ZEND_METHOD(Bloom_Blob, merge);
ZEND_METHOD(Bloom_Blob, intersect);
ZEND_METHOD(Bloom_Blob, info);
ZEND_METHOD(Bloom_Filter, __construct);
ZEND_METHOD(Bloom_Filter, open);
ZEND_METHOD(Bloom_Filter, find);
ZEND_METHOD(Bloom_Filter, list);
ZEND_METHOD(Bloom_Filter, drop);
ZEND_METHOD(Bloom_Filter, restore);
ZEND_METHOD(Bloom_Filter, load);
ZEND_METHOD(Bloom_Filter, sync);
ZEND_METHOD(Bloom_Filter, attach);
ZEND_METHOD(Bloom_Filter, name);
ZEND_METHOD(Bloom_Filter, mightContain);
ZEND_METHOD(Bloom_Filter, candidates);
ZEND_METHOD(Bloom_Filter, info);
ZEND_METHOD(Bloom_Filter, shards);
ZEND_METHOD(Bloom_LiveFilter, add);
ZEND_METHOD(Bloom_LiveFilter, addMany);
ZEND_METHOD(Bloom_LiveFilter, create);
ZEND_METHOD(Bloom_LiveFilter, import);
ZEND_METHOD(Bloom_LiveFilter, export);
ZEND_METHOD(Bloom_LiveFilter, save);
ZEND_METHOD(Bloom_CountingFilter, create);
ZEND_METHOD(Bloom_CountingFilter, remove);
ZEND_METHOD(Bloom_CountingFilter, count);
ZEND_METHOD(Bloom_ScalableFilter, create);
ZEND_METHOD(Bloom_SlidingFilter, create);
ZEND_METHOD(Bloom_ReverseIndex, create);
ZEND_METHOD(Bloom_ReverseIndex, import);
ZEND_METHOD(Bloom_ReverseIndex, add);
ZEND_METHOD(Bloom_ReverseIndex, addMany);
ZEND_METHOD(Bloom_ReverseIndex, groups);
ZEND_METHOD(Bloom_ReverseIndexBuilder, __construct);
ZEND_METHOD(Bloom_ReverseIndexBuilder, like);
ZEND_METHOD(Bloom_ReverseIndexBuilder, add);
ZEND_METHOD(Bloom_ReverseIndexBuilder, addMany);
ZEND_METHOD(Bloom_Journal, __construct);
ZEND_METHOD(Bloom_Journal, name);
ZEND_METHOD(Bloom_Journal, add);
ZEND_METHOD(Bloom_Journal, mark);
ZEND_METHOD(Bloom_Journal, pull);
ZEND_METHOD(Bloom_DirectoryStore, __construct);
ZEND_METHOD(Bloom_DirectoryStore, getMultiple);
ZEND_METHOD(Bloom_DirectoryStore, missing);
ZEND_METHOD(Bloom_DirectoryStore, set);
ZEND_METHOD(Bloom_DirectoryStore, deleteMultiple);
ZEND_METHOD(Bloom_DirectoryStore, append);
ZEND_METHOD(Bloom_DirectoryStore, last);
ZEND_METHOD(Bloom_DirectoryStore, read);
ZEND_METHOD(Bloom_DirectoryStore, trim);
ZEND_METHOD(Bloom_RedisStore, __construct);
ZEND_METHOD(Bloom_RedisStore, getMultiple);
ZEND_METHOD(Bloom_RedisStore, missing);
ZEND_METHOD(Bloom_RedisStore, set);
ZEND_METHOD(Bloom_RedisStore, deleteMultiple);
ZEND_METHOD(Bloom_RedisStore, append);
ZEND_METHOD(Bloom_RedisStore, last);
ZEND_METHOD(Bloom_RedisStore, read);
ZEND_METHOD(Bloom_RedisStore, trim);
ZEND_METHOD(Bloom_MemcachedStore, __construct);
ZEND_METHOD(Bloom_MemcachedStore, getMultiple);
ZEND_METHOD(Bloom_MemcachedStore, missing);
ZEND_METHOD(Bloom_MemcachedStore, set);
ZEND_METHOD(Bloom_MemcachedStore, deleteMultiple);


static const zend_function_entry class_Bloom_BloomException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_NotFoundException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_KindException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_FormatException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_RateException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_SegmentException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_BusyException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_StoreException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_SecretException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_SignatureException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_Builder_methods[] = {
	ZEND_ME(Bloom_Builder, __construct, arginfo_class_Bloom_Builder___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Builder, like, arginfo_class_Bloom_Builder_like, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Builder, add, arginfo_class_Bloom_Builder_add, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Builder, addMany, arginfo_class_Bloom_Builder_addMany, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Builder, addFile, arginfo_class_Bloom_Builder_addFile, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Builder, build, arginfo_class_Bloom_Builder_build, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Builder, info, arginfo_class_Bloom_Builder_info, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Builder, onDemandInfo, arginfo_class_Bloom_Builder_onDemandInfo, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_Blob_methods[] = {
	ZEND_ME(Bloom_Blob, __construct, arginfo_class_Bloom_Blob___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Bloom_Blob, open, arginfo_class_Bloom_Blob_open, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Blob, fromString, arginfo_class_Bloom_Blob_fromString, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Blob, fetch, arginfo_class_Bloom_Blob_fetch, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Blob, find, arginfo_class_Bloom_Blob_find, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Blob, toString, arginfo_class_Bloom_Blob_toString, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Blob, save, arginfo_class_Bloom_Blob_save, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Blob, publish, arginfo_class_Bloom_Blob_publish, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Blob, sign, arginfo_class_Bloom_Blob_sign, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Blob, mightContain, arginfo_class_Bloom_Blob_mightContain, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Blob, groups, arginfo_class_Bloom_Blob_groups, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Blob, merge, arginfo_class_Bloom_Blob_merge, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Blob, intersect, arginfo_class_Bloom_Blob_intersect, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Blob, info, arginfo_class_Bloom_Blob_info, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_Filter_methods[] = {
	ZEND_ME(Bloom_Filter, __construct, arginfo_class_Bloom_Filter___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Bloom_Filter, open, arginfo_class_Bloom_Filter_open, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Filter, find, arginfo_class_Bloom_Filter_find, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Filter, list, arginfo_class_Bloom_Filter_list, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Filter, drop, arginfo_class_Bloom_Filter_drop, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Filter, restore, arginfo_class_Bloom_Filter_restore, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Filter, load, arginfo_class_Bloom_Filter_load, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Filter, sync, arginfo_class_Bloom_Filter_sync, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Filter, attach, arginfo_class_Bloom_Filter_attach, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Filter, name, arginfo_class_Bloom_Filter_name, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_Filter, mightContain, arginfo_class_Bloom_Filter_mightContain, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_Filter, candidates, arginfo_class_Bloom_Filter_candidates, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_Filter, info, arginfo_class_Bloom_Filter_info, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Filter, shards, arginfo_class_Bloom_Filter_shards, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_LoadedFilter_methods[] = {
	ZEND_MALIAS(Bloom_LiveFilter, add, add, arginfo_class_Bloom_LoadedFilter_add, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_LiveFilter, addMany, addMany, arginfo_class_Bloom_LoadedFilter_addMany, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_LiveFilter_methods[] = {
	ZEND_ME(Bloom_LiveFilter, create, arginfo_class_Bloom_LiveFilter_create, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_LiveFilter, import, arginfo_class_Bloom_LiveFilter_import, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_LiveFilter, add, arginfo_class_Bloom_LiveFilter_add, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_LiveFilter, addMany, arginfo_class_Bloom_LiveFilter_addMany, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_LiveFilter, export, arginfo_class_Bloom_LiveFilter_export, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_LiveFilter, save, arginfo_class_Bloom_LiveFilter_save, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_CountingFilter_methods[] = {
	ZEND_ME(Bloom_CountingFilter, create, arginfo_class_Bloom_CountingFilter_create, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_MALIAS(Bloom_LiveFilter, add, add, arginfo_class_Bloom_CountingFilter_add, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_LiveFilter, addMany, addMany, arginfo_class_Bloom_CountingFilter_addMany, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_CountingFilter, remove, arginfo_class_Bloom_CountingFilter_remove, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_CountingFilter, count, arginfo_class_Bloom_CountingFilter_count, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_LiveFilter, export, export, arginfo_class_Bloom_CountingFilter_export, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_LiveFilter, save, save, arginfo_class_Bloom_CountingFilter_save, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_ScalableFilter_methods[] = {
	ZEND_ME(Bloom_ScalableFilter, create, arginfo_class_Bloom_ScalableFilter_create, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_MALIAS(Bloom_LiveFilter, add, add, arginfo_class_Bloom_ScalableFilter_add, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_LiveFilter, addMany, addMany, arginfo_class_Bloom_ScalableFilter_addMany, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_LiveFilter, save, save, arginfo_class_Bloom_ScalableFilter_save, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_SlidingFilter_methods[] = {
	ZEND_ME(Bloom_SlidingFilter, create, arginfo_class_Bloom_SlidingFilter_create, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_MALIAS(Bloom_LiveFilter, add, add, arginfo_class_Bloom_SlidingFilter_add, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_LiveFilter, addMany, addMany, arginfo_class_Bloom_SlidingFilter_addMany, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_LiveFilter, export, export, arginfo_class_Bloom_SlidingFilter_export, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_LiveFilter, save, save, arginfo_class_Bloom_SlidingFilter_save, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_ReverseIndex_methods[] = {
	ZEND_ME(Bloom_ReverseIndex, create, arginfo_class_Bloom_ReverseIndex_create, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_ReverseIndex, import, arginfo_class_Bloom_ReverseIndex_import, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_ReverseIndex, add, arginfo_class_Bloom_ReverseIndex_add, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_ReverseIndex, addMany, arginfo_class_Bloom_ReverseIndex_addMany, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_ReverseIndex, groups, arginfo_class_Bloom_ReverseIndex_groups, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_LiveFilter, export, export, arginfo_class_Bloom_ReverseIndex_export, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_LiveFilter, save, save, arginfo_class_Bloom_ReverseIndex_save, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_ReverseIndexBuilder_methods[] = {
	ZEND_ME(Bloom_ReverseIndexBuilder, __construct, arginfo_class_Bloom_ReverseIndexBuilder___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_ReverseIndexBuilder, like, arginfo_class_Bloom_ReverseIndexBuilder_like, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_ReverseIndexBuilder, add, arginfo_class_Bloom_ReverseIndexBuilder_add, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_ReverseIndexBuilder, addMany, arginfo_class_Bloom_ReverseIndexBuilder_addMany, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_Builder, build, build, arginfo_class_Bloom_ReverseIndexBuilder_build, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_Builder, info, info, arginfo_class_Bloom_ReverseIndexBuilder_info, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_OnDemandFilter_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_Store_methods[] = {
	ZEND_ABSTRACT_ME_WITH_FLAGS(Bloom_Store, getMultiple, arginfo_class_Bloom_Store_getMultiple, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Bloom_Store, missing, arginfo_class_Bloom_Store_missing, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Bloom_Store, set, arginfo_class_Bloom_Store_set, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Bloom_Store, deleteMultiple, arginfo_class_Bloom_Store_deleteMultiple, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_JournalStore_methods[] = {
	ZEND_ABSTRACT_ME_WITH_FLAGS(Bloom_JournalStore, append, arginfo_class_Bloom_JournalStore_append, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Bloom_JournalStore, last, arginfo_class_Bloom_JournalStore_last, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Bloom_JournalStore, read, arginfo_class_Bloom_JournalStore_read, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Bloom_JournalStore, trim, arginfo_class_Bloom_JournalStore_trim, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_Journal_methods[] = {
	ZEND_ME(Bloom_Journal, __construct, arginfo_class_Bloom_Journal___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Journal, name, arginfo_class_Bloom_Journal_name, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Journal, add, arginfo_class_Bloom_Journal_add, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Journal, mark, arginfo_class_Bloom_Journal_mark, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Journal, pull, arginfo_class_Bloom_Journal_pull, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_DirectoryStore_methods[] = {
	ZEND_ME(Bloom_DirectoryStore, __construct, arginfo_class_Bloom_DirectoryStore___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_DirectoryStore, getMultiple, arginfo_class_Bloom_DirectoryStore_getMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_DirectoryStore, missing, arginfo_class_Bloom_DirectoryStore_missing, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_DirectoryStore, set, arginfo_class_Bloom_DirectoryStore_set, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_DirectoryStore, deleteMultiple, arginfo_class_Bloom_DirectoryStore_deleteMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_DirectoryStore, append, arginfo_class_Bloom_DirectoryStore_append, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_DirectoryStore, last, arginfo_class_Bloom_DirectoryStore_last, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_DirectoryStore, read, arginfo_class_Bloom_DirectoryStore_read, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_DirectoryStore, trim, arginfo_class_Bloom_DirectoryStore_trim, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_RedisStore_methods[] = {
	ZEND_ME(Bloom_RedisStore, __construct, arginfo_class_Bloom_RedisStore___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_RedisStore, getMultiple, arginfo_class_Bloom_RedisStore_getMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_RedisStore, missing, arginfo_class_Bloom_RedisStore_missing, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_RedisStore, set, arginfo_class_Bloom_RedisStore_set, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_RedisStore, deleteMultiple, arginfo_class_Bloom_RedisStore_deleteMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_RedisStore, append, arginfo_class_Bloom_RedisStore_append, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_RedisStore, last, arginfo_class_Bloom_RedisStore_last, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_RedisStore, read, arginfo_class_Bloom_RedisStore_read, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_RedisStore, trim, arginfo_class_Bloom_RedisStore_trim, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_MemcachedStore_methods[] = {
	ZEND_ME(Bloom_MemcachedStore, __construct, arginfo_class_Bloom_MemcachedStore___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_MemcachedStore, getMultiple, arginfo_class_Bloom_MemcachedStore_getMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_MemcachedStore, missing, arginfo_class_Bloom_MemcachedStore_missing, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_MemcachedStore, set, arginfo_class_Bloom_MemcachedStore_set, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_MemcachedStore, deleteMultiple, arginfo_class_Bloom_MemcachedStore_deleteMultiple, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Bloom_BloomException(zend_class_entry *class_entry_Exception)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "BloomException", class_Bloom_BloomException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Exception);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_NotFoundException(zend_class_entry *class_entry_Bloom_BloomException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "NotFoundException", class_Bloom_NotFoundException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_BloomException);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_KindException(zend_class_entry *class_entry_Bloom_BloomException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "KindException", class_Bloom_KindException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_BloomException);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_FormatException(zend_class_entry *class_entry_Bloom_BloomException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "FormatException", class_Bloom_FormatException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_BloomException);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_RateException(zend_class_entry *class_entry_Bloom_BloomException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "RateException", class_Bloom_RateException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_BloomException);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_SegmentException(zend_class_entry *class_entry_Bloom_BloomException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "SegmentException", class_Bloom_SegmentException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_BloomException);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_BusyException(zend_class_entry *class_entry_Bloom_SegmentException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "BusyException", class_Bloom_BusyException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_SegmentException);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_StoreException(zend_class_entry *class_entry_Bloom_BloomException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "StoreException", class_Bloom_StoreException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_BloomException);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_SecretException(zend_class_entry *class_entry_Bloom_BloomException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "SecretException", class_Bloom_SecretException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_BloomException);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_SignatureException(zend_class_entry *class_entry_Bloom_BloomException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "SignatureException", class_Bloom_SignatureException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_BloomException);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_Builder(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "Builder", class_Bloom_Builder_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;


	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "__construct", sizeof("__construct") - 1), 10, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "like", sizeof("like") - 1), 11, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_Blob(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "Blob", class_Bloom_Blob_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Bloom_Filter(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "Filter", class_Bloom_Filter_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_ABSTRACT|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Bloom_LoadedFilter(zend_class_entry *class_entry_Bloom_Filter)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "LoadedFilter", class_Bloom_LoadedFilter_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_Filter);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Bloom_LiveFilter(zend_class_entry *class_entry_Bloom_Filter)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "LiveFilter", class_Bloom_LiveFilter_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_Filter);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Bloom_CountingFilter(zend_class_entry *class_entry_Bloom_Filter)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "CountingFilter", class_Bloom_CountingFilter_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_Filter);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Bloom_ScalableFilter(zend_class_entry *class_entry_Bloom_Filter)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "ScalableFilter", class_Bloom_ScalableFilter_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_Filter);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Bloom_SlidingFilter(zend_class_entry *class_entry_Bloom_Filter)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "SlidingFilter", class_Bloom_SlidingFilter_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_Filter);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Bloom_ReverseIndex(zend_class_entry *class_entry_Bloom_Filter)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "ReverseIndex", class_Bloom_ReverseIndex_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_Filter);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Bloom_ReverseIndexBuilder(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "ReverseIndexBuilder", class_Bloom_ReverseIndexBuilder_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;


	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "__construct", sizeof("__construct") - 1), 8, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "like", sizeof("like") - 1), 9, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_OnDemandFilter(zend_class_entry *class_entry_Bloom_Filter)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "OnDemandFilter", class_Bloom_OnDemandFilter_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_Filter);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Bloom_Store(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "Store", class_Bloom_Store_methods);
	class_entry = zend_register_internal_interface(&ce);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_JournalStore(zend_class_entry *class_entry_Bloom_Store)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "JournalStore", class_Bloom_JournalStore_methods);
	class_entry = zend_register_internal_interface(&ce);
	zend_class_implements(class_entry, 1, class_entry_Bloom_Store);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_Journal(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "Journal", class_Bloom_Journal_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Bloom_DirectoryStore(zend_class_entry *class_entry_Bloom_JournalStore)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "DirectoryStore", class_Bloom_DirectoryStore_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_Bloom_JournalStore);

	zval property_directory_default_value;
	ZVAL_UNDEF(&property_directory_default_value);
	zend_string *property_directory_name = zend_string_init("directory", sizeof("directory") - 1, 1);
	zend_declare_typed_property(class_entry, property_directory_name, &property_directory_default_value, ZEND_ACC_PRIVATE, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_directory_name);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_RedisStore(zend_class_entry *class_entry_Bloom_JournalStore)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "RedisStore", class_Bloom_RedisStore_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_Bloom_JournalStore);

	zval property_client_default_value;
	ZVAL_UNDEF(&property_client_default_value);
	zend_string *property_client_name = zend_string_init("client", sizeof("client") - 1, 1);
	zend_declare_typed_property(class_entry, property_client_name, &property_client_default_value, ZEND_ACC_PRIVATE, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_OBJECT));
	zend_string_release(property_client_name);

	zval property_prefix_default_value;
	ZVAL_UNDEF(&property_prefix_default_value);
	zend_string *property_prefix_name = zend_string_init("prefix", sizeof("prefix") - 1, 1);
	zend_declare_typed_property(class_entry, property_prefix_name, &property_prefix_default_value, ZEND_ACC_PRIVATE, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_prefix_name);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_MemcachedStore(zend_class_entry *class_entry_Bloom_Store)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "MemcachedStore", class_Bloom_MemcachedStore_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_Bloom_Store);

	zval property_client_default_value;
	ZVAL_UNDEF(&property_client_default_value);
	zend_string *property_client_name = zend_string_init("client", sizeof("client") - 1, 1);
	zend_declare_typed_property(class_entry, property_client_name, &property_client_default_value, ZEND_ACC_PRIVATE, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_OBJECT));
	zend_string_release(property_client_name);

	zval property_prefix_default_value;
	ZVAL_UNDEF(&property_prefix_default_value);
	zend_string *property_prefix_name = zend_string_init("prefix", sizeof("prefix") - 1, 1);
	zend_declare_typed_property(class_entry, property_prefix_name, &property_prefix_default_value, ZEND_ACC_PRIVATE, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_prefix_name);

	return class_entry;
}

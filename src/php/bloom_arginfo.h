/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 6d611c7a0c25130e40957007bdfd76a5d701c725 */
/* NOLINTBEGIN(readability-function-size) */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Bloom_Info___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Info_jsonSerialize, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Membership_mightContain, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_MASK(0, key, MAY_BE_STRING|MAY_BE_LONG, NULL)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Membership_candidates, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, keys, Traversable, MAY_BE_ARRAY, NULL)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Bloom_Layout___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, shardBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, blockBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, probes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, chunkBytes, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Bloom_Builder___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, capacity, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, falsePositiveRate, IS_DOUBLE, 0, "0.01")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, layout, Bloom\\Layout, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, bitsPerKey, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, source, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, secret, IS_STRING, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, scheme, Bloom\\Scheme, 1, "Bloom\\Scheme::Bloom")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, jobs, IS_LONG, 0, "1")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, format, Bloom\\ForeignFormat, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Builder_like, 0, 1, Bloom\\Builder, 0)
	ZEND_ARG_OBJ_INFO(0, previous, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, capacity, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, falsePositiveRate, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, layout, Bloom\\Layout, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, bitsPerKey, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, source, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, secret, IS_STRING, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, scheme, Bloom\\Scheme, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, jobs, IS_LONG, 0, "1")
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Builder_add arginfo_class_Bloom_Membership_mightContain

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Builder_addMany, 0, 1, IS_LONG, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, keys, Traversable, MAY_BE_ARRAY, NULL)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Builder_addFile, 0, 1, IS_LONG, 0)
	ZEND_ARG_INFO(0, file)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, progress, IS_CALLABLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, field, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, delimiter, IS_STRING, 0, "\"\\t\"")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Builder_build, 0, 0, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxFalsePositiveRate, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, builtAt, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, mark, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Builder_info, 0, 0, Bloom\\BuilderInfo, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Blob___construct arginfo_class_Bloom_Info___construct

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Blob_open, 0, 1, Bloom\\Blob, 0)
	ZEND_ARG_INFO(0, file)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, progress, IS_CALLABLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Blob_fromString, 0, 1, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO(0, bytes, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Blob_import, 0, 1, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO(0, bytes, IS_STRING, 0)
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, format, Bloom\\ForeignFormat, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, capacity, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, falsePositiveRate, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, source, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, builtAt, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Blob_export, 0, 0, IS_STRING, 0)
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

#define arginfo_class_Bloom_Blob_toString arginfo_class_Bloom_Blob_export

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Blob_save, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, path, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Blob_publish, 0, 2, IS_ARRAY, 0)
	ZEND_ARG_OBJ_INFO(0, store, Bloom\\Store, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, progress, IS_CALLABLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, force, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, endJournal, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, retain, IS_LONG, 0, "3")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Blob_versions, 0, 2, IS_ARRAY, 0)
	ZEND_ARG_OBJ_INFO(0, store, Bloom\\Store, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, verify, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Blob_rollback, 0, 2, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, store, Bloom\\Store, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, checksum, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Blob_pin arginfo_class_Bloom_Blob_rollback

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Blob_unpin, 0, 2, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, store, Bloom\\Store, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Blob_sign, 0, 1, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Blob_mightContain arginfo_class_Bloom_Membership_mightContain

#define arginfo_class_Bloom_Blob_candidates arginfo_class_Bloom_Membership_candidates

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Blob_groups, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_MASK(0, value, MAY_BE_STRING|MAY_BE_LONG, NULL)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, limit, IS_LONG, 0, "100000")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Blob_get, 0, 1, IS_LONG, 1)
	ZEND_ARG_TYPE_MASK(0, key, MAY_BE_STRING|MAY_BE_LONG, NULL)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Blob_merge, 0, 0, Bloom\\Blob, 0)
	ZEND_ARG_VARIADIC_OBJ_INFO(0, others, Bloom\\Blob, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Blob_info, 0, 0, Bloom\\BlobInfo, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Filter___construct arginfo_class_Bloom_Info___construct

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Filter_open, 0, 1, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Filter_find, 0, 1, IS_STATIC, 1)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Filter_list arginfo_class_Bloom_Info_jsonSerialize

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Filter_health, 0, 1, Bloom\\Health, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxBuildAge, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxSyncAge, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxRate, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxFailures, IS_LONG, 0, "3")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, store, Bloom\\Store, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Filter_metrics arginfo_class_Bloom_Blob_export

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Filter_drop, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Filter_restore, 0, 2, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, source, Bloom\\Store, MAY_BE_STRING, NULL)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_TYPE_MASK_EX(arginfo_class_Bloom_Filter_load, 0, 2, Bloom\\LoadedFilter|Bloom\\ReverseIndex|Bloom\\LoadedMap, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_OBJ_INFO(0, blob, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, progress, IS_CALLABLE, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, journal, Bloom\\JournalStore, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxLag, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Filter_sync, 0, 2, Bloom\\SyncResult, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_OBJ_INFO(0, store, Bloom\\Store, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 0, "60.0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, force, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, progress, IS_CALLABLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxLag, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_MASK(0, logger, MAY_BE_OBJECT|MAY_BE_CALLABLE|MAY_BE_NULL, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Filter_attach, 0, 3, Bloom\\OnDemandFilter, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_OBJ_INFO(0, store, Bloom\\Store, 0)
	ZEND_ARG_TYPE_INFO(0, memory, IS_LONG, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Filter_name arginfo_class_Bloom_Blob_export

#define arginfo_class_Bloom_Filter_mightContain arginfo_class_Bloom_Membership_mightContain

#define arginfo_class_Bloom_Filter_candidates arginfo_class_Bloom_Membership_candidates

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Filter_isComplete, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Filter_followsJournal arginfo_class_Bloom_Filter_isComplete

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Filter_source, 0, 0, IS_STRING, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_Filter_info, 0, 0, Bloom\\FilterInfo, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Filter_shards arginfo_class_Bloom_Info_jsonSerialize

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Filter_confirm, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, looked, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, found, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, checked, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, denied, IS_LONG, 0, "0")
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Filter_history arginfo_class_Bloom_Info_jsonSerialize

#define arginfo_class_Bloom_Filter_activity arginfo_class_Bloom_Info_jsonSerialize

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_LoadedFilter_load, 0, 2, Bloom\\LoadedFilter, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_OBJ_INFO(0, blob, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, progress, IS_CALLABLE, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, journal, Bloom\\JournalStore, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxLag, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_LoadedFilter_info, 0, 0, Bloom\\LoadedInfo, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_LoadedMap_load, 0, 2, Bloom\\LoadedMap, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_OBJ_INFO(0, blob, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, progress, IS_CALLABLE, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, journal, Bloom\\JournalStore, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxLag, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_LoadedMap_get arginfo_class_Bloom_Blob_get

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_LoadedMap_getMany, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, keys, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_LoadedMap_candidates, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, keys, Traversable, MAY_BE_ARRAY, NULL)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, mask, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_LoadedMap_info arginfo_class_Bloom_LoadedFilter_info

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Bloom_MapBuilder___construct, 0, 0, 2)
	ZEND_ARG_TYPE_INFO(0, capacity, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, valueBits, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, falsePositiveRate, IS_DOUBLE, 0, "0.01")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, layout, Bloom\\Layout, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, source, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, secret, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, onDuplicate, IS_STRING, 0, "\'refuse\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, jobs, IS_LONG, 0, "1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_MapBuilder_like, 0, 1, Bloom\\MapBuilder, 0)
	ZEND_ARG_OBJ_INFO(0, previous, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, capacity, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, valueBits, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, falsePositiveRate, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, layout, Bloom\\Layout, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, source, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, secret, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, onDuplicate, IS_STRING, 0, "\'refuse\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, jobs, IS_LONG, 0, "1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_MapBuilder_set, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_MASK(0, key, MAY_BE_STRING|MAY_BE_LONG, NULL)
	ZEND_ARG_TYPE_INFO(0, value, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_MapBuilder_setMany, 0, 1, IS_LONG, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, values, Traversable, MAY_BE_ARRAY, NULL)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_MapBuilder_addFile, 0, 1, IS_LONG, 0)
	ZEND_ARG_INFO(0, file)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, progress, IS_CALLABLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_MapBuilder_build, 0, 0, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, builtAt, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_MapBuilder_info arginfo_class_Bloom_Builder_info

#define arginfo_class_Bloom_WritableFilter_add arginfo_class_Bloom_Membership_mightContain

#define arginfo_class_Bloom_WritableFilter_addMany arginfo_class_Bloom_Builder_addMany

#define arginfo_class_Bloom_WritableFilter_addEach arginfo_class_Bloom_Membership_candidates

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_WritableFilter_save, 0, 1, IS_VOID, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, target, Bloom\\Store, MAY_BE_STRING, NULL)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_WritableFilter_info, 0, 0, Bloom\\LiveInfo, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_LiveFilter_create, 0, 2, Bloom\\LiveFilter, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, capacity, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, falsePositiveRate, IS_DOUBLE, 0, "0.01")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, exclusive, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, bounded, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_LiveFilter_import, 0, 2, Bloom\\LiveFilter, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_OBJ_INFO(0, blob, Bloom\\Blob, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_LiveFilter_merge, 0, 0, IS_VOID, 0)
	ZEND_ARG_VARIADIC_OBJ_TYPE_MASK(0, others, Bloom\\Blob|Bloom\\LiveFilter, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_LiveFilter_export, 0, 0, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, source, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_CountingFilter_create, 0, 2, Bloom\\CountingFilter, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, capacity, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, falsePositiveRate, IS_DOUBLE, 0, "0.01")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, exclusive, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, bounded, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_CountingFilter_remove arginfo_class_Bloom_Membership_mightContain

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_CountingFilter_count, 0, 1, IS_LONG, 0)
	ZEND_ARG_TYPE_MASK(0, key, MAY_BE_STRING|MAY_BE_LONG, NULL)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_CountingFilter_export arginfo_class_Bloom_LiveFilter_export

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_ScalableFilter_create, 0, 2, Bloom\\ScalableFilter, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, initialCapacity, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, falsePositiveRate, IS_DOUBLE, 0, "0.01")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, growth, IS_DOUBLE, 0, "2.0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, tightening, IS_DOUBLE, 0, "0.9")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, exclusive, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_SlidingFilter_create, 0, 4, Bloom\\SlidingFilter, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, capacity, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, falsePositiveRate, IS_DOUBLE, 0)
	ZEND_ARG_TYPE_INFO(0, window, IS_DOUBLE, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, exclusive, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_SlidingFilter_export arginfo_class_Bloom_LiveFilter_export

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_ReverseIndex_load, 0, 2, Bloom\\ReverseIndex, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_OBJ_INFO(0, blob, Bloom\\Blob, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, progress, IS_CALLABLE, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, journal, Bloom\\JournalStore, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxLag, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_ReverseIndex_create, 0, 3, Bloom\\ReverseIndex, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, groups, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, capacity, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, falsePositiveRate, IS_DOUBLE, 0, "0.001")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, fanOut, IS_LONG, 0, "256")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, exclusive, _IS_BOOL, 0, "false")
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

#define arginfo_class_Bloom_ReverseIndex_save arginfo_class_Bloom_WritableFilter_save

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_TYPE_MASK_EX(arginfo_class_Bloom_ReverseIndex_info, 0, 0, Bloom\\LoadedInfo|Bloom\\LiveInfo, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Bloom_ReverseIndexBuilder___construct, 0, 0, 2)
	ZEND_ARG_TYPE_INFO(0, groups, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, capacity, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, falsePositiveRate, IS_DOUBLE, 0, "0.001")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, fanOut, IS_LONG, 0, "256")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_LONG, 1, "null")
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
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, source, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keyed, _IS_BOOL, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, secret, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_ReverseIndexBuilder_add arginfo_class_Bloom_ReverseIndex_add

#define arginfo_class_Bloom_ReverseIndexBuilder_addMany arginfo_class_Bloom_ReverseIndex_addMany

#define arginfo_class_Bloom_ReverseIndexBuilder_build arginfo_class_Bloom_Builder_build

#define arginfo_class_Bloom_ReverseIndexBuilder_info arginfo_class_Bloom_Builder_info

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Bloom_OnDemandFilter_info, 0, 0, Bloom\\OnDemandInfo, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Store_getMultiple arginfo_class_Bloom_LoadedMap_getMany

#define arginfo_class_Bloom_Store_missing arginfo_class_Bloom_LoadedMap_getMany

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Store_set, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Store_replace, 0, 3, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, expected, IS_STRING, 1)
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

#define arginfo_class_Bloom_Journal_name arginfo_class_Bloom_Blob_export

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Journal_add, 0, 1, IS_LONG, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, keys, Traversable, MAY_BE_ARRAY|MAY_BE_STRING|MAY_BE_LONG, NULL)
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_Journal_mark arginfo_class_Bloom_Blob_export

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Bloom_Journal_pull, 0, 2, IS_ARRAY, 0)
	ZEND_ARG_OBJ_INFO(0, store, Bloom\\JournalStore, 0)
	ZEND_ARG_TYPE_INFO(0, names, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxLag, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_BuiltInStore_getMultiple arginfo_class_Bloom_LoadedMap_getMany

#define arginfo_class_Bloom_BuiltInStore_missing arginfo_class_Bloom_LoadedMap_getMany

#define arginfo_class_Bloom_BuiltInStore_set arginfo_class_Bloom_Store_set

#define arginfo_class_Bloom_BuiltInStore_replace arginfo_class_Bloom_Store_replace

#define arginfo_class_Bloom_BuiltInStore_deleteMultiple arginfo_class_Bloom_Store_deleteMultiple

#define arginfo_class_Bloom_BuiltInJournalStore_append arginfo_class_Bloom_JournalStore_append

#define arginfo_class_Bloom_BuiltInJournalStore_last arginfo_class_Bloom_JournalStore_last

#define arginfo_class_Bloom_BuiltInJournalStore_read arginfo_class_Bloom_JournalStore_read

#define arginfo_class_Bloom_BuiltInJournalStore_trim arginfo_class_Bloom_JournalStore_trim

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Bloom_DirectoryStore___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, directory, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Bloom_RedisStore___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, client, IS_OBJECT, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, prefix, IS_STRING, 0, "\'bloom:\'")
ZEND_END_ARG_INFO()

#define arginfo_class_Bloom_MemcachedStore___construct arginfo_class_Bloom_RedisStore___construct


ZEND_METHOD(Bloom_Info, __construct);
ZEND_METHOD(Bloom_Info, jsonSerialize);
ZEND_METHOD(Bloom_Layout, __construct);
ZEND_METHOD(Bloom_Builder, __construct);
ZEND_METHOD(Bloom_Builder, like);
ZEND_METHOD(Bloom_Builder, add);
ZEND_METHOD(Bloom_Builder, addMany);
ZEND_METHOD(Bloom_Builder, addFile);
ZEND_METHOD(Bloom_Builder, build);
ZEND_METHOD(Bloom_Builder, info);
ZEND_METHOD(Bloom_Blob, __construct);
ZEND_METHOD(Bloom_Blob, open);
ZEND_METHOD(Bloom_Blob, fromString);
ZEND_METHOD(Bloom_Blob, import);
ZEND_METHOD(Bloom_Blob, export);
ZEND_METHOD(Bloom_Blob, fetch);
ZEND_METHOD(Bloom_Blob, find);
ZEND_METHOD(Bloom_Blob, toString);
ZEND_METHOD(Bloom_Blob, save);
ZEND_METHOD(Bloom_Blob, publish);
ZEND_METHOD(Bloom_Blob, versions);
ZEND_METHOD(Bloom_Blob, rollback);
ZEND_METHOD(Bloom_Blob, pin);
ZEND_METHOD(Bloom_Blob, unpin);
ZEND_METHOD(Bloom_Blob, sign);
ZEND_METHOD(Bloom_Blob, mightContain);
ZEND_METHOD(Bloom_Blob, candidates);
ZEND_METHOD(Bloom_Blob, groups);
ZEND_METHOD(Bloom_Blob, get);
ZEND_METHOD(Bloom_Blob, merge);
ZEND_METHOD(Bloom_Blob, info);
ZEND_METHOD(Bloom_Filter, __construct);
ZEND_METHOD(Bloom_Filter, open);
ZEND_METHOD(Bloom_Filter, find);
ZEND_METHOD(Bloom_Filter, list);
ZEND_METHOD(Bloom_Filter, health);
ZEND_METHOD(Bloom_Filter, metrics);
ZEND_METHOD(Bloom_Filter, drop);
ZEND_METHOD(Bloom_Filter, restore);
ZEND_METHOD(Bloom_Filter, load);
ZEND_METHOD(Bloom_Filter, sync);
ZEND_METHOD(Bloom_Filter, attach);
ZEND_METHOD(Bloom_Filter, name);
ZEND_METHOD(Bloom_Filter, mightContain);
ZEND_METHOD(Bloom_Filter, candidates);
ZEND_METHOD(Bloom_Filter, isComplete);
ZEND_METHOD(Bloom_Filter, followsJournal);
ZEND_METHOD(Bloom_Filter, source);
ZEND_METHOD(Bloom_Filter, info);
ZEND_METHOD(Bloom_Filter, shards);
ZEND_METHOD(Bloom_Filter, confirm);
ZEND_METHOD(Bloom_Filter, history);
ZEND_METHOD(Bloom_Filter, activity);
ZEND_METHOD(Bloom_LoadedMap, get);
ZEND_METHOD(Bloom_LoadedMap, getMany);
ZEND_METHOD(Bloom_LoadedMap, candidates);
ZEND_METHOD(Bloom_MapBuilder, __construct);
ZEND_METHOD(Bloom_MapBuilder, like);
ZEND_METHOD(Bloom_MapBuilder, set);
ZEND_METHOD(Bloom_MapBuilder, setMany);
ZEND_METHOD(Bloom_MapBuilder, build);
ZEND_METHOD(Bloom_WritableFilter, add);
ZEND_METHOD(Bloom_WritableFilter, addMany);
ZEND_METHOD(Bloom_WritableFilter, addEach);
ZEND_METHOD(Bloom_WritableFilter, save);
ZEND_METHOD(Bloom_LiveFilter, create);
ZEND_METHOD(Bloom_LiveFilter, import);
ZEND_METHOD(Bloom_LiveFilter, merge);
ZEND_METHOD(Bloom_LiveFilter, export);
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
ZEND_METHOD(Bloom_BuiltInStore, getMultiple);
ZEND_METHOD(Bloom_BuiltInStore, missing);
ZEND_METHOD(Bloom_BuiltInStore, set);
ZEND_METHOD(Bloom_BuiltInStore, replace);
ZEND_METHOD(Bloom_BuiltInStore, deleteMultiple);
ZEND_METHOD(Bloom_BuiltInJournalStore, append);
ZEND_METHOD(Bloom_BuiltInJournalStore, last);
ZEND_METHOD(Bloom_BuiltInJournalStore, read);
ZEND_METHOD(Bloom_BuiltInJournalStore, trim);
ZEND_METHOD(Bloom_DirectoryStore, __construct);
ZEND_METHOD(Bloom_RedisStore, __construct);
ZEND_METHOD(Bloom_MemcachedStore, __construct);


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


static const zend_function_entry class_Bloom_Status_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_Kind_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_Scheme_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_ForeignFormat_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_SyncResult_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_HealthStatus_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_Info_methods[] = {
	ZEND_ME(Bloom_Info, __construct, arginfo_class_Bloom_Info___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Bloom_Info, jsonSerialize, arginfo_class_Bloom_Info_jsonSerialize, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_BuilderInfo_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_BlobInfo_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_Version_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_FilterInfo_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_CountersInfo_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_LoadedInfo_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_OnDemandInfo_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_LiveInfo_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_JournalInfo_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_Health_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_Membership_methods[] = {
	ZEND_ABSTRACT_ME_WITH_FLAGS(Bloom_Membership, mightContain, arginfo_class_Bloom_Membership_mightContain, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Bloom_Membership, candidates, arginfo_class_Bloom_Membership_candidates, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_Layout_methods[] = {
	ZEND_ME(Bloom_Layout, __construct, arginfo_class_Bloom_Layout___construct, ZEND_ACC_PUBLIC)
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
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_Blob_methods[] = {
	ZEND_ME(Bloom_Blob, __construct, arginfo_class_Bloom_Blob___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Bloom_Blob, open, arginfo_class_Bloom_Blob_open, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Blob, fromString, arginfo_class_Bloom_Blob_fromString, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Blob, import, arginfo_class_Bloom_Blob_import, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Blob, export, arginfo_class_Bloom_Blob_export, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Blob, fetch, arginfo_class_Bloom_Blob_fetch, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Blob, find, arginfo_class_Bloom_Blob_find, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Blob, toString, arginfo_class_Bloom_Blob_toString, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Blob, save, arginfo_class_Bloom_Blob_save, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Blob, publish, arginfo_class_Bloom_Blob_publish, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Blob, versions, arginfo_class_Bloom_Blob_versions, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Blob, rollback, arginfo_class_Bloom_Blob_rollback, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Blob, pin, arginfo_class_Bloom_Blob_pin, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Blob, unpin, arginfo_class_Bloom_Blob_unpin, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Blob, sign, arginfo_class_Bloom_Blob_sign, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Blob, mightContain, arginfo_class_Bloom_Blob_mightContain, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Blob, candidates, arginfo_class_Bloom_Blob_candidates, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Blob, groups, arginfo_class_Bloom_Blob_groups, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Blob, get, arginfo_class_Bloom_Blob_get, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Blob, merge, arginfo_class_Bloom_Blob_merge, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Blob, info, arginfo_class_Bloom_Blob_info, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_Filter_methods[] = {
	ZEND_ME(Bloom_Filter, __construct, arginfo_class_Bloom_Filter___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Bloom_Filter, open, arginfo_class_Bloom_Filter_open, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Filter, find, arginfo_class_Bloom_Filter_find, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Filter, list, arginfo_class_Bloom_Filter_list, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Filter, health, arginfo_class_Bloom_Filter_health, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Filter, metrics, arginfo_class_Bloom_Filter_metrics, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Filter, drop, arginfo_class_Bloom_Filter_drop, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Filter, restore, arginfo_class_Bloom_Filter_restore, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Filter, load, arginfo_class_Bloom_Filter_load, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Filter, sync, arginfo_class_Bloom_Filter_sync, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Filter, attach, arginfo_class_Bloom_Filter_attach, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_Filter, name, arginfo_class_Bloom_Filter_name, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_Filter, mightContain, arginfo_class_Bloom_Filter_mightContain, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_Filter, candidates, arginfo_class_Bloom_Filter_candidates, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Filter, isComplete, arginfo_class_Bloom_Filter_isComplete, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_Filter, followsJournal, arginfo_class_Bloom_Filter_followsJournal, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_Filter, source, arginfo_class_Bloom_Filter_source, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_Filter, info, arginfo_class_Bloom_Filter_info, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_Filter, shards, arginfo_class_Bloom_Filter_shards, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_Filter, confirm, arginfo_class_Bloom_Filter_confirm, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_Filter, history, arginfo_class_Bloom_Filter_history, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_Filter, activity, arginfo_class_Bloom_Filter_activity, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_LoadedFilter_methods[] = {
	ZEND_MALIAS(Bloom_Filter, load, load, arginfo_class_Bloom_LoadedFilter_load, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_MALIAS(Bloom_Filter, info, info, arginfo_class_Bloom_LoadedFilter_info, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_LoadedMap_methods[] = {
	ZEND_MALIAS(Bloom_Filter, load, load, arginfo_class_Bloom_LoadedMap_load, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_LoadedMap, get, arginfo_class_Bloom_LoadedMap_get, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_LoadedMap, getMany, arginfo_class_Bloom_LoadedMap_getMany, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_LoadedMap, candidates, arginfo_class_Bloom_LoadedMap_candidates, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_Filter, info, info, arginfo_class_Bloom_LoadedMap_info, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_MapBuilder_methods[] = {
	ZEND_ME(Bloom_MapBuilder, __construct, arginfo_class_Bloom_MapBuilder___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_MapBuilder, like, arginfo_class_Bloom_MapBuilder_like, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_MapBuilder, set, arginfo_class_Bloom_MapBuilder_set, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_MapBuilder, setMany, arginfo_class_Bloom_MapBuilder_setMany, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_Builder, addFile, addFile, arginfo_class_Bloom_MapBuilder_addFile, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_MapBuilder, build, arginfo_class_Bloom_MapBuilder_build, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_Builder, info, info, arginfo_class_Bloom_MapBuilder_info, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_WritableFilter_methods[] = {
	ZEND_ME(Bloom_WritableFilter, add, arginfo_class_Bloom_WritableFilter_add, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_WritableFilter, addMany, arginfo_class_Bloom_WritableFilter_addMany, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_WritableFilter, addEach, arginfo_class_Bloom_WritableFilter_addEach, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_WritableFilter, save, arginfo_class_Bloom_WritableFilter_save, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_MALIAS(Bloom_Filter, info, info, arginfo_class_Bloom_WritableFilter_info, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_LiveFilter_methods[] = {
	ZEND_ME(Bloom_LiveFilter, create, arginfo_class_Bloom_LiveFilter_create, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_LiveFilter, import, arginfo_class_Bloom_LiveFilter_import, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_LiveFilter, merge, arginfo_class_Bloom_LiveFilter_merge, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_LiveFilter, export, arginfo_class_Bloom_LiveFilter_export, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_CountingFilter_methods[] = {
	ZEND_ME(Bloom_CountingFilter, create, arginfo_class_Bloom_CountingFilter_create, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_CountingFilter, remove, arginfo_class_Bloom_CountingFilter_remove, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_CountingFilter, count, arginfo_class_Bloom_CountingFilter_count, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_LiveFilter, export, export, arginfo_class_Bloom_CountingFilter_export, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_ScalableFilter_methods[] = {
	ZEND_ME(Bloom_ScalableFilter, create, arginfo_class_Bloom_ScalableFilter_create, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_SlidingFilter_methods[] = {
	ZEND_ME(Bloom_SlidingFilter, create, arginfo_class_Bloom_SlidingFilter_create, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_MALIAS(Bloom_LiveFilter, export, export, arginfo_class_Bloom_SlidingFilter_export, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_ReverseIndex_methods[] = {
	ZEND_MALIAS(Bloom_Filter, load, load, arginfo_class_Bloom_ReverseIndex_load, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_ReverseIndex, create, arginfo_class_Bloom_ReverseIndex_create, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_ReverseIndex, import, arginfo_class_Bloom_ReverseIndex_import, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Bloom_ReverseIndex, add, arginfo_class_Bloom_ReverseIndex_add, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_ReverseIndex, addMany, arginfo_class_Bloom_ReverseIndex_addMany, ZEND_ACC_PUBLIC)
	ZEND_ME(Bloom_ReverseIndex, groups, arginfo_class_Bloom_ReverseIndex_groups, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_LiveFilter, export, export, arginfo_class_Bloom_ReverseIndex_export, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_WritableFilter, save, save, arginfo_class_Bloom_ReverseIndex_save, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Bloom_Filter, info, info, arginfo_class_Bloom_ReverseIndex_info, ZEND_ACC_PUBLIC)
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
	ZEND_MALIAS(Bloom_Filter, info, info, arginfo_class_Bloom_OnDemandFilter_info, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_Store_methods[] = {
	ZEND_ABSTRACT_ME_WITH_FLAGS(Bloom_Store, getMultiple, arginfo_class_Bloom_Store_getMultiple, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Bloom_Store, missing, arginfo_class_Bloom_Store_missing, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Bloom_Store, set, arginfo_class_Bloom_Store_set, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Bloom_Store, replace, arginfo_class_Bloom_Store_replace, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
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


static const zend_function_entry class_Bloom_BuiltInStore_methods[] = {
	ZEND_ME(Bloom_BuiltInStore, getMultiple, arginfo_class_Bloom_BuiltInStore_getMultiple, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_BuiltInStore, missing, arginfo_class_Bloom_BuiltInStore_missing, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_BuiltInStore, set, arginfo_class_Bloom_BuiltInStore_set, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_BuiltInStore, replace, arginfo_class_Bloom_BuiltInStore_replace, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_BuiltInStore, deleteMultiple, arginfo_class_Bloom_BuiltInStore_deleteMultiple, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_BuiltInJournalStore_methods[] = {
	ZEND_ME(Bloom_BuiltInJournalStore, append, arginfo_class_Bloom_BuiltInJournalStore_append, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_BuiltInJournalStore, last, arginfo_class_Bloom_BuiltInJournalStore_last, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_BuiltInJournalStore, read, arginfo_class_Bloom_BuiltInJournalStore_read, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Bloom_BuiltInJournalStore, trim, arginfo_class_Bloom_BuiltInJournalStore_trim, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_DirectoryStore_methods[] = {
	ZEND_ME(Bloom_DirectoryStore, __construct, arginfo_class_Bloom_DirectoryStore___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_RedisStore_methods[] = {
	ZEND_ME(Bloom_RedisStore, __construct, arginfo_class_Bloom_RedisStore___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Bloom_MemcachedStore_methods[] = {
	ZEND_ME(Bloom_MemcachedStore, __construct, arginfo_class_Bloom_MemcachedStore___construct, ZEND_ACC_PUBLIC)
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

static zend_class_entry *register_class_Bloom_Status(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Bloom\\Status", IS_LONG, class_Bloom_Status_methods);

	zval enum_case_Budget_value;
	ZVAL_LONG(&enum_case_Budget_value, 14);
	zend_enum_add_case_cstr(class_entry, "Budget", &enum_case_Budget_value);

	zval enum_case_Path_value;
	ZVAL_LONG(&enum_case_Path_value, 19);
	zend_enum_add_case_cstr(class_entry, "Path", &enum_case_Path_value);

	zval enum_case_Short_value;
	ZVAL_LONG(&enum_case_Short_value, 20);
	zend_enum_add_case_cstr(class_entry, "Short", &enum_case_Short_value);

	zval enum_case_Magic_value;
	ZVAL_LONG(&enum_case_Magic_value, 21);
	zend_enum_add_case_cstr(class_entry, "Magic", &enum_case_Magic_value);

	zval enum_case_Version_value;
	ZVAL_LONG(&enum_case_Version_value, 22);
	zend_enum_add_case_cstr(class_entry, "Version", &enum_case_Version_value);

	zval enum_case_HeadBytes_value;
	ZVAL_LONG(&enum_case_HeadBytes_value, 23);
	zend_enum_add_case_cstr(class_entry, "HeadBytes", &enum_case_HeadBytes_value);

	zval enum_case_HeadChecksum_value;
	ZVAL_LONG(&enum_case_HeadChecksum_value, 24);
	zend_enum_add_case_cstr(class_entry, "HeadChecksum", &enum_case_HeadChecksum_value);

	zval enum_case_Reserved_value;
	ZVAL_LONG(&enum_case_Reserved_value, 25);
	zend_enum_add_case_cstr(class_entry, "Reserved", &enum_case_Reserved_value);

	zval enum_case_Scheme_value;
	ZVAL_LONG(&enum_case_Scheme_value, 26);
	zend_enum_add_case_cstr(class_entry, "Scheme", &enum_case_Scheme_value);

	zval enum_case_Geometry_value;
	ZVAL_LONG(&enum_case_Geometry_value, 27);
	zend_enum_add_case_cstr(class_entry, "Geometry", &enum_case_Geometry_value);

	zval enum_case_Length_value;
	ZVAL_LONG(&enum_case_Length_value, 28);
	zend_enum_add_case_cstr(class_entry, "Length", &enum_case_Length_value);

	zval enum_case_Totals_value;
	ZVAL_LONG(&enum_case_Totals_value, 29);
	zend_enum_add_case_cstr(class_entry, "Totals", &enum_case_Totals_value);

	zval enum_case_Meta_value;
	ZVAL_LONG(&enum_case_Meta_value, 30);
	zend_enum_add_case_cstr(class_entry, "Meta", &enum_case_Meta_value);

	zval enum_case_ShardChecksum_value;
	ZVAL_LONG(&enum_case_ShardChecksum_value, 31);
	zend_enum_add_case_cstr(class_entry, "ShardChecksum", &enum_case_ShardChecksum_value);

	zval enum_case_ShardBits_value;
	ZVAL_LONG(&enum_case_ShardBits_value, 32);
	zend_enum_add_case_cstr(class_entry, "ShardBits", &enum_case_ShardBits_value);

	zval enum_case_ShardKeys_value;
	ZVAL_LONG(&enum_case_ShardKeys_value, 33);
	zend_enum_add_case_cstr(class_entry, "ShardKeys", &enum_case_ShardKeys_value);

	zval enum_case_Saturated_value;
	ZVAL_LONG(&enum_case_Saturated_value, 34);
	zend_enum_add_case_cstr(class_entry, "Saturated", &enum_case_Saturated_value);

	zval enum_case_ChunkDigest_value;
	ZVAL_LONG(&enum_case_ChunkDigest_value, 35);
	zend_enum_add_case_cstr(class_entry, "ChunkDigest", &enum_case_ChunkDigest_value);

	zval enum_case_OverRate_value;
	ZVAL_LONG(&enum_case_OverRate_value, 36);
	zend_enum_add_case_cstr(class_entry, "OverRate", &enum_case_OverRate_value);

	zval enum_case_Full_value;
	ZVAL_LONG(&enum_case_Full_value, 37);
	zend_enum_add_case_cstr(class_entry, "Full", &enum_case_Full_value);

	zval enum_case_NotFound_value;
	ZVAL_LONG(&enum_case_NotFound_value, 38);
	zend_enum_add_case_cstr(class_entry, "NotFound", &enum_case_NotFound_value);

	zval enum_case_Gone_value;
	ZVAL_LONG(&enum_case_Gone_value, 39);
	zend_enum_add_case_cstr(class_entry, "Gone", &enum_case_Gone_value);

	zval enum_case_Expired_value;
	ZVAL_LONG(&enum_case_Expired_value, 40);
	zend_enum_add_case_cstr(class_entry, "Expired", &enum_case_Expired_value);

	zval enum_case_Exists_value;
	ZVAL_LONG(&enum_case_Exists_value, 41);
	zend_enum_add_case_cstr(class_entry, "Exists", &enum_case_Exists_value);

	zval enum_case_Kind_value;
	ZVAL_LONG(&enum_case_Kind_value, 42);
	zend_enum_add_case_cstr(class_entry, "Kind", &enum_case_Kind_value);

	zval enum_case_Immutable_value;
	ZVAL_LONG(&enum_case_Immutable_value, 43);
	zend_enum_add_case_cstr(class_entry, "Immutable", &enum_case_Immutable_value);

	zval enum_case_Unmapped_value;
	ZVAL_LONG(&enum_case_Unmapped_value, 44);
	zend_enum_add_case_cstr(class_entry, "Unmapped", &enum_case_Unmapped_value);

	zval enum_case_Cache_value;
	ZVAL_LONG(&enum_case_Cache_value, 45);
	zend_enum_add_case_cstr(class_entry, "Cache", &enum_case_Cache_value);

	zval enum_case_Live_value;
	ZVAL_LONG(&enum_case_Live_value, 46);
	zend_enum_add_case_cstr(class_entry, "Live", &enum_case_Live_value);

	zval enum_case_RefusedType_value;
	ZVAL_LONG(&enum_case_RefusedType_value, 47);
	zend_enum_add_case_cstr(class_entry, "RefusedType", &enum_case_RefusedType_value);

	zval enum_case_RefusedOwner_value;
	ZVAL_LONG(&enum_case_RefusedOwner_value, 48);
	zend_enum_add_case_cstr(class_entry, "RefusedOwner", &enum_case_RefusedOwner_value);

	zval enum_case_RefusedMode_value;
	ZVAL_LONG(&enum_case_RefusedMode_value, 49);
	zend_enum_add_case_cstr(class_entry, "RefusedMode", &enum_case_RefusedMode_value);

	zval enum_case_NoDirectory_value;
	ZVAL_LONG(&enum_case_NoDirectory_value, 50);
	zend_enum_add_case_cstr(class_entry, "NoDirectory", &enum_case_NoDirectory_value);

	zval enum_case_Control_value;
	ZVAL_LONG(&enum_case_Control_value, 51);
	zend_enum_add_case_cstr(class_entry, "Control", &enum_case_Control_value);

	zval enum_case_OtherVersion_value;
	ZVAL_LONG(&enum_case_OtherVersion_value, 52);
	zend_enum_add_case_cstr(class_entry, "OtherVersion", &enum_case_OtherVersion_value);

	zval enum_case_Limit_value;
	ZVAL_LONG(&enum_case_Limit_value, 53);
	zend_enum_add_case_cstr(class_entry, "Limit", &enum_case_Limit_value);

	zval enum_case_FileLimit_value;
	ZVAL_LONG(&enum_case_FileLimit_value, 54);
	zend_enum_add_case_cstr(class_entry, "FileLimit", &enum_case_FileLimit_value);

	zval enum_case_Space_value;
	ZVAL_LONG(&enum_case_Space_value, 55);
	zend_enum_add_case_cstr(class_entry, "Space", &enum_case_Space_value);

	zval enum_case_Incomplete_value;
	ZVAL_LONG(&enum_case_Incomplete_value, 56);
	zend_enum_add_case_cstr(class_entry, "Incomplete", &enum_case_Incomplete_value);

	zval enum_case_System_value;
	ZVAL_LONG(&enum_case_System_value, 57);
	zend_enum_add_case_cstr(class_entry, "System", &enum_case_System_value);

	zval enum_case_Memory_value;
	ZVAL_LONG(&enum_case_Memory_value, 58);
	zend_enum_add_case_cstr(class_entry, "Memory", &enum_case_Memory_value);

	zval enum_case_Overtaken_value;
	ZVAL_LONG(&enum_case_Overtaken_value, 59);
	zend_enum_add_case_cstr(class_entry, "Overtaken", &enum_case_Overtaken_value);

	zval enum_case_Busy_value;
	ZVAL_LONG(&enum_case_Busy_value, 60);
	zend_enum_add_case_cstr(class_entry, "Busy", &enum_case_Busy_value);

	zval enum_case_Store_value;
	ZVAL_LONG(&enum_case_Store_value, 61);
	zend_enum_add_case_cstr(class_entry, "Store", &enum_case_Store_value);

	zval enum_case_StoreType_value;
	ZVAL_LONG(&enum_case_StoreType_value, 62);
	zend_enum_add_case_cstr(class_entry, "StoreType", &enum_case_StoreType_value);

	zval enum_case_StoreMissing_value;
	ZVAL_LONG(&enum_case_StoreMissing_value, 63);
	zend_enum_add_case_cstr(class_entry, "StoreMissing", &enum_case_StoreMissing_value);

	zval enum_case_Stale_value;
	ZVAL_LONG(&enum_case_Stale_value, 64);
	zend_enum_add_case_cstr(class_entry, "Stale", &enum_case_Stale_value);

	zval enum_case_Sodium_value;
	ZVAL_LONG(&enum_case_Sodium_value, 65);
	zend_enum_add_case_cstr(class_entry, "Sodium", &enum_case_Sodium_value);

	zval enum_case_SecretFile_value;
	ZVAL_LONG(&enum_case_SecretFile_value, 66);
	zend_enum_add_case_cstr(class_entry, "SecretFile", &enum_case_SecretFile_value);

	zval enum_case_SecretMode_value;
	ZVAL_LONG(&enum_case_SecretMode_value, 67);
	zend_enum_add_case_cstr(class_entry, "SecretMode", &enum_case_SecretMode_value);

	zval enum_case_SecretText_value;
	ZVAL_LONG(&enum_case_SecretText_value, 68);
	zend_enum_add_case_cstr(class_entry, "SecretText", &enum_case_SecretText_value);

	zval enum_case_NoSecret_value;
	ZVAL_LONG(&enum_case_NoSecret_value, 69);
	zend_enum_add_case_cstr(class_entry, "NoSecret", &enum_case_NoSecret_value);

	zval enum_case_Secret_value;
	ZVAL_LONG(&enum_case_Secret_value, 70);
	zend_enum_add_case_cstr(class_entry, "Secret", &enum_case_Secret_value);

	zval enum_case_NoSigningKey_value;
	ZVAL_LONG(&enum_case_NoSigningKey_value, 71);
	zend_enum_add_case_cstr(class_entry, "NoSigningKey", &enum_case_NoSigningKey_value);

	zval enum_case_Unsigned_value;
	ZVAL_LONG(&enum_case_Unsigned_value, 72);
	zend_enum_add_case_cstr(class_entry, "Unsigned", &enum_case_Unsigned_value);

	zval enum_case_Signer_value;
	ZVAL_LONG(&enum_case_Signer_value, 73);
	zend_enum_add_case_cstr(class_entry, "Signer", &enum_case_Signer_value);

	zval enum_case_Signature_value;
	ZVAL_LONG(&enum_case_Signature_value, 74);
	zend_enum_add_case_cstr(class_entry, "Signature", &enum_case_Signature_value);

	zval enum_case_Replay_value;
	ZVAL_LONG(&enum_case_Replay_value, 75);
	zend_enum_add_case_cstr(class_entry, "Replay", &enum_case_Replay_value);

	zval enum_case_Solved_value;
	ZVAL_LONG(&enum_case_Solved_value, 80);
	zend_enum_add_case_cstr(class_entry, "Solved", &enum_case_Solved_value);

	zval enum_case_RefusedNetwork_value;
	ZVAL_LONG(&enum_case_RefusedNetwork_value, 81);
	zend_enum_add_case_cstr(class_entry, "RefusedNetwork", &enum_case_RefusedNetwork_value);

	zval enum_case_Holes_value;
	ZVAL_LONG(&enum_case_Holes_value, 82);
	zend_enum_add_case_cstr(class_entry, "Holes", &enum_case_Holes_value);

	zval enum_case_Damaged_value;
	ZVAL_LONG(&enum_case_Damaged_value, 83);
	zend_enum_add_case_cstr(class_entry, "Damaged", &enum_case_Damaged_value);

	zval enum_case_StoreSize_value;
	ZVAL_LONG(&enum_case_StoreSize_value, 84);
	zend_enum_add_case_cstr(class_entry, "StoreSize", &enum_case_StoreSize_value);

	zval enum_case_WrongGroups_value;
	ZVAL_LONG(&enum_case_WrongGroups_value, 86);
	zend_enum_add_case_cstr(class_entry, "WrongGroups", &enum_case_WrongGroups_value);

	zval enum_case_GroupsLimit_value;
	ZVAL_LONG(&enum_case_GroupsLimit_value, 87);
	zend_enum_add_case_cstr(class_entry, "GroupsLimit", &enum_case_GroupsLimit_value);

	zval enum_case_BuiltAhead_value;
	ZVAL_LONG(&enum_case_BuiltAhead_value, 89);
	zend_enum_add_case_cstr(class_entry, "BuiltAhead", &enum_case_BuiltAhead_value);

	zval enum_case_Record_value;
	ZVAL_LONG(&enum_case_Record_value, 91);
	zend_enum_add_case_cstr(class_entry, "Record", &enum_case_Record_value);

	zval enum_case_RecordName_value;
	ZVAL_LONG(&enum_case_RecordName_value, 92);
	zend_enum_add_case_cstr(class_entry, "RecordName", &enum_case_RecordName_value);

	zval enum_case_RecordUnsigned_value;
	ZVAL_LONG(&enum_case_RecordUnsigned_value, 93);
	zend_enum_add_case_cstr(class_entry, "RecordUnsigned", &enum_case_RecordUnsigned_value);

	zval enum_case_RecordSigner_value;
	ZVAL_LONG(&enum_case_RecordSigner_value, 94);
	zend_enum_add_case_cstr(class_entry, "RecordSigner", &enum_case_RecordSigner_value);

	zval enum_case_RecordSignature_value;
	ZVAL_LONG(&enum_case_RecordSignature_value, 95);
	zend_enum_add_case_cstr(class_entry, "RecordSignature", &enum_case_RecordSignature_value);

	zval enum_case_RecordChain_value;
	ZVAL_LONG(&enum_case_RecordChain_value, 96);
	zend_enum_add_case_cstr(class_entry, "RecordChain", &enum_case_RecordChain_value);

	zval enum_case_Position_value;
	ZVAL_LONG(&enum_case_Position_value, 97);
	zend_enum_add_case_cstr(class_entry, "Position", &enum_case_Position_value);

	zval enum_case_JournalLost_value;
	ZVAL_LONG(&enum_case_JournalLost_value, 98);
	zend_enum_add_case_cstr(class_entry, "JournalLost", &enum_case_JournalLost_value);

	zval enum_case_NoJournal_value;
	ZVAL_LONG(&enum_case_NoJournal_value, 99);
	zend_enum_add_case_cstr(class_entry, "NoJournal", &enum_case_NoJournal_value);

	zval enum_case_NoMark_value;
	ZVAL_LONG(&enum_case_NoMark_value, 100);
	zend_enum_add_case_cstr(class_entry, "NoMark", &enum_case_NoMark_value);

	zval enum_case_JournalKind_value;
	ZVAL_LONG(&enum_case_JournalKind_value, 101);
	zend_enum_add_case_cstr(class_entry, "JournalKind", &enum_case_JournalKind_value);

	zval enum_case_Snapshot_value;
	ZVAL_LONG(&enum_case_Snapshot_value, 102);
	zend_enum_add_case_cstr(class_entry, "Snapshot", &enum_case_Snapshot_value);

	zval enum_case_SnapshotVersion_value;
	ZVAL_LONG(&enum_case_SnapshotVersion_value, 103);
	zend_enum_add_case_cstr(class_entry, "SnapshotVersion", &enum_case_SnapshotVersion_value);

	zval enum_case_SnapshotKind_value;
	ZVAL_LONG(&enum_case_SnapshotKind_value, 104);
	zend_enum_add_case_cstr(class_entry, "SnapshotKind", &enum_case_SnapshotKind_value);

	zval enum_case_SnapshotParams_value;
	ZVAL_LONG(&enum_case_SnapshotParams_value, 105);
	zend_enum_add_case_cstr(class_entry, "SnapshotParams", &enum_case_SnapshotParams_value);

	zval enum_case_SnapshotPiece_value;
	ZVAL_LONG(&enum_case_SnapshotPiece_value, 106);
	zend_enum_add_case_cstr(class_entry, "SnapshotPiece", &enum_case_SnapshotPiece_value);

	zval enum_case_SnapshotOther_value;
	ZVAL_LONG(&enum_case_SnapshotOther_value, 107);
	zend_enum_add_case_cstr(class_entry, "SnapshotOther", &enum_case_SnapshotOther_value);

	zval enum_case_NotLive_value;
	ZVAL_LONG(&enum_case_NotLive_value, 108);
	zend_enum_add_case_cstr(class_entry, "NotLive", &enum_case_NotLive_value);

	zval enum_case_Saving_value;
	ZVAL_LONG(&enum_case_Saving_value, 109);
	zend_enum_add_case_cstr(class_entry, "Saving", &enum_case_Saving_value);

	zval enum_case_File_value;
	ZVAL_LONG(&enum_case_File_value, 110);
	zend_enum_add_case_cstr(class_entry, "File", &enum_case_File_value);

	zval enum_case_Override_value;
	ZVAL_LONG(&enum_case_Override_value, 111);
	zend_enum_add_case_cstr(class_entry, "Override", &enum_case_Override_value);

	zval enum_case_OverrideUnsigned_value;
	ZVAL_LONG(&enum_case_OverrideUnsigned_value, 112);
	zend_enum_add_case_cstr(class_entry, "OverrideUnsigned", &enum_case_OverrideUnsigned_value);

	zval enum_case_OverrideSigner_value;
	ZVAL_LONG(&enum_case_OverrideSigner_value, 113);
	zend_enum_add_case_cstr(class_entry, "OverrideSigner", &enum_case_OverrideSigner_value);

	zval enum_case_OverrideSignature_value;
	ZVAL_LONG(&enum_case_OverrideSignature_value, 114);
	zend_enum_add_case_cstr(class_entry, "OverrideSignature", &enum_case_OverrideSignature_value);

	zval enum_case_OverrideReplay_value;
	ZVAL_LONG(&enum_case_OverrideReplay_value, 115);
	zend_enum_add_case_cstr(class_entry, "OverrideReplay", &enum_case_OverrideReplay_value);

	zval enum_case_Pinned_value;
	ZVAL_LONG(&enum_case_Pinned_value, 116);
	zend_enum_add_case_cstr(class_entry, "Pinned", &enum_case_Pinned_value);

	zval enum_case_Line_value;
	ZVAL_LONG(&enum_case_Line_value, 117);
	zend_enum_add_case_cstr(class_entry, "Line", &enum_case_Line_value);

	zval enum_case_NoPrevious_value;
	ZVAL_LONG(&enum_case_NoPrevious_value, 118);
	zend_enum_add_case_cstr(class_entry, "NoPrevious", &enum_case_NoPrevious_value);

	zval enum_case_RefusedLink_value;
	ZVAL_LONG(&enum_case_RefusedLink_value, 119);
	zend_enum_add_case_cstr(class_entry, "RefusedLink", &enum_case_RefusedLink_value);

	zval enum_case_RecordKind_value;
	ZVAL_LONG(&enum_case_RecordKind_value, 120);
	zend_enum_add_case_cstr(class_entry, "RecordKind", &enum_case_RecordKind_value);

	zval enum_case_RecordsLost_value;
	ZVAL_LONG(&enum_case_RecordsLost_value, 121);
	zend_enum_add_case_cstr(class_entry, "RecordsLost", &enum_case_RecordsLost_value);

	zval enum_case_JournalClosed_value;
	ZVAL_LONG(&enum_case_JournalClosed_value, 122);
	zend_enum_add_case_cstr(class_entry, "JournalClosed", &enum_case_JournalClosed_value);

	zval enum_case_MarkRequired_value;
	ZVAL_LONG(&enum_case_MarkRequired_value, 123);
	zend_enum_add_case_cstr(class_entry, "MarkRequired", &enum_case_MarkRequired_value);

	zval enum_case_BlobLacks_value;
	ZVAL_LONG(&enum_case_BlobLacks_value, 124);
	zend_enum_add_case_cstr(class_entry, "BlobLacks", &enum_case_BlobLacks_value);

	zval enum_case_Marked_value;
	ZVAL_LONG(&enum_case_Marked_value, 125);
	zend_enum_add_case_cstr(class_entry, "Marked", &enum_case_Marked_value);

	zval enum_case_StoreClient_value;
	ZVAL_LONG(&enum_case_StoreClient_value, 126);
	zend_enum_add_case_cstr(class_entry, "StoreClient", &enum_case_StoreClient_value);

	zval enum_case_StoreAltered_value;
	ZVAL_LONG(&enum_case_StoreAltered_value, 127);
	zend_enum_add_case_cstr(class_entry, "StoreAltered", &enum_case_StoreAltered_value);

	zval enum_case_Foreign_value;
	ZVAL_LONG(&enum_case_Foreign_value, 129);
	zend_enum_add_case_cstr(class_entry, "Foreign", &enum_case_Foreign_value);

	zval enum_case_ForeignFormat_value;
	ZVAL_LONG(&enum_case_ForeignFormat_value, 130);
	zend_enum_add_case_cstr(class_entry, "ForeignFormat", &enum_case_ForeignFormat_value);

	zval enum_case_ForeignSize_value;
	ZVAL_LONG(&enum_case_ForeignSize_value, 131);
	zend_enum_add_case_cstr(class_entry, "ForeignSize", &enum_case_ForeignSize_value);

	zval enum_case_ForeignEmpty_value;
	ZVAL_LONG(&enum_case_ForeignEmpty_value, 132);
	zend_enum_add_case_cstr(class_entry, "ForeignEmpty", &enum_case_ForeignEmpty_value);

	zval enum_case_Imported_value;
	ZVAL_LONG(&enum_case_Imported_value, 133);
	zend_enum_add_case_cstr(class_entry, "Imported", &enum_case_Imported_value);

	zval enum_case_NoExport_value;
	ZVAL_LONG(&enum_case_NoExport_value, 137);
	zend_enum_add_case_cstr(class_entry, "NoExport", &enum_case_NoExport_value);

	zval enum_case_ExportLayers_value;
	ZVAL_LONG(&enum_case_ExportLayers_value, 138);
	zend_enum_add_case_cstr(class_entry, "ExportLayers", &enum_case_ExportLayers_value);

	zval enum_case_RecordVersion_value;
	ZVAL_LONG(&enum_case_RecordVersion_value, 139);
	zend_enum_add_case_cstr(class_entry, "RecordVersion", &enum_case_RecordVersion_value);

	zval enum_case_MapDuplicate_value;
	ZVAL_LONG(&enum_case_MapDuplicate_value, 143);
	zend_enum_add_case_cstr(class_entry, "MapDuplicate", &enum_case_MapDuplicate_value);

	zval enum_case_MapPlaces_value;
	ZVAL_LONG(&enum_case_MapPlaces_value, 144);
	zend_enum_add_case_cstr(class_entry, "MapPlaces", &enum_case_MapPlaces_value);

	zval enum_case_MapSpill_value;
	ZVAL_LONG(&enum_case_MapSpill_value, 145);
	zend_enum_add_case_cstr(class_entry, "MapSpill", &enum_case_MapSpill_value);

	zval enum_case_MapLine_value;
	ZVAL_LONG(&enum_case_MapLine_value, 146);
	zend_enum_add_case_cstr(class_entry, "MapLine", &enum_case_MapLine_value);

	zval enum_case_MapWhole_value;
	ZVAL_LONG(&enum_case_MapWhole_value, 147);
	zend_enum_add_case_cstr(class_entry, "MapWhole", &enum_case_MapWhole_value);

	zval enum_case_Field_value;
	ZVAL_LONG(&enum_case_Field_value, 148);
	zend_enum_add_case_cstr(class_entry, "Field", &enum_case_Field_value);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_Kind(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Bloom\\Kind", IS_STRING, class_Bloom_Kind_methods);

	zval enum_case_Loaded_value;
	zend_string *enum_case_Loaded_value_str = zend_string_init("loaded", strlen("loaded"), 1);
	ZVAL_STR(&enum_case_Loaded_value, enum_case_Loaded_value_str);
	zend_enum_add_case_cstr(class_entry, "Loaded", &enum_case_Loaded_value);

	zval enum_case_Live_value;
	zend_string *enum_case_Live_value_str = zend_string_init("live", strlen("live"), 1);
	ZVAL_STR(&enum_case_Live_value, enum_case_Live_value_str);
	zend_enum_add_case_cstr(class_entry, "Live", &enum_case_Live_value);

	zval enum_case_Counting_value;
	zend_string *enum_case_Counting_value_str = zend_string_init("counting", strlen("counting"), 1);
	ZVAL_STR(&enum_case_Counting_value, enum_case_Counting_value_str);
	zend_enum_add_case_cstr(class_entry, "Counting", &enum_case_Counting_value);

	zval enum_case_Scalable_value;
	zend_string *enum_case_Scalable_value_str = zend_string_init("scalable", strlen("scalable"), 1);
	ZVAL_STR(&enum_case_Scalable_value, enum_case_Scalable_value_str);
	zend_enum_add_case_cstr(class_entry, "Scalable", &enum_case_Scalable_value);

	zval enum_case_Sliding_value;
	zend_string *enum_case_Sliding_value_str = zend_string_init("sliding", strlen("sliding"), 1);
	ZVAL_STR(&enum_case_Sliding_value, enum_case_Sliding_value_str);
	zend_enum_add_case_cstr(class_entry, "Sliding", &enum_case_Sliding_value);

	zval enum_case_Reverse_value;
	zend_string *enum_case_Reverse_value_str = zend_string_init("reverse", strlen("reverse"), 1);
	ZVAL_STR(&enum_case_Reverse_value, enum_case_Reverse_value_str);
	zend_enum_add_case_cstr(class_entry, "Reverse", &enum_case_Reverse_value);

	zval enum_case_OnDemand_value;
	zend_string *enum_case_OnDemand_value_str = zend_string_init("on-demand", strlen("on-demand"), 1);
	ZVAL_STR(&enum_case_OnDemand_value, enum_case_OnDemand_value_str);
	zend_enum_add_case_cstr(class_entry, "OnDemand", &enum_case_OnDemand_value);

	zval enum_case_Map_value;
	zend_string *enum_case_Map_value_str = zend_string_init("map", strlen("map"), 1);
	ZVAL_STR(&enum_case_Map_value, enum_case_Map_value_str);
	zend_enum_add_case_cstr(class_entry, "Map", &enum_case_Map_value);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_Scheme(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Bloom\\Scheme", IS_STRING, class_Bloom_Scheme_methods);

	zval enum_case_Bloom_value;
	zend_string *enum_case_Bloom_value_str = zend_string_init("bloom", strlen("bloom"), 1);
	ZVAL_STR(&enum_case_Bloom_value, enum_case_Bloom_value_str);
	zend_enum_add_case_cstr(class_entry, "Bloom", &enum_case_Bloom_value);

	zval enum_case_Ribbon_value;
	zend_string *enum_case_Ribbon_value_str = zend_string_init("ribbon", strlen("ribbon"), 1);
	ZVAL_STR(&enum_case_Ribbon_value, enum_case_Ribbon_value_str);
	zend_enum_add_case_cstr(class_entry, "Ribbon", &enum_case_Ribbon_value);

	zval enum_case_Reverse_value;
	zend_string *enum_case_Reverse_value_str = zend_string_init("reverse", strlen("reverse"), 1);
	ZVAL_STR(&enum_case_Reverse_value, enum_case_Reverse_value_str);
	zend_enum_add_case_cstr(class_entry, "Reverse", &enum_case_Reverse_value);

	zval enum_case_Foreign_value;
	zend_string *enum_case_Foreign_value_str = zend_string_init("foreign", strlen("foreign"), 1);
	ZVAL_STR(&enum_case_Foreign_value, enum_case_Foreign_value_str);
	zend_enum_add_case_cstr(class_entry, "Foreign", &enum_case_Foreign_value);

	zval enum_case_Map_value;
	zend_string *enum_case_Map_value_str = zend_string_init("map", strlen("map"), 1);
	ZVAL_STR(&enum_case_Map_value, enum_case_Map_value_str);
	zend_enum_add_case_cstr(class_entry, "Map", &enum_case_Map_value);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_ForeignFormat(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Bloom\\ForeignFormat", IS_STRING, class_Bloom_ForeignFormat_methods);

	zval enum_case_ValkeyProb_value;
	zend_string *enum_case_ValkeyProb_value_str = zend_string_init("valkeyprob", strlen("valkeyprob"), 1);
	ZVAL_STR(&enum_case_ValkeyProb_value, enum_case_ValkeyProb_value_str);
	zend_enum_add_case_cstr(class_entry, "ValkeyProb", &enum_case_ValkeyProb_value);

	zval enum_case_RedisBloom_value;
	zend_string *enum_case_RedisBloom_value_str = zend_string_init("redisbloom", strlen("redisbloom"), 1);
	ZVAL_STR(&enum_case_RedisBloom_value, enum_case_RedisBloom_value_str);
	zend_enum_add_case_cstr(class_entry, "RedisBloom", &enum_case_RedisBloom_value);

	zval enum_case_ValkeyBloom_value;
	zend_string *enum_case_ValkeyBloom_value_str = zend_string_init("valkey-bloom", strlen("valkey-bloom"), 1);
	ZVAL_STR(&enum_case_ValkeyBloom_value, enum_case_ValkeyBloom_value_str);
	zend_enum_add_case_cstr(class_entry, "ValkeyBloom", &enum_case_ValkeyBloom_value);

	zval enum_case_Guava_value;
	zend_string *enum_case_Guava_value_str = zend_string_init("guava", strlen("guava"), 1);
	ZVAL_STR(&enum_case_Guava_value, enum_case_Guava_value_str);
	zend_enum_add_case_cstr(class_entry, "Guava", &enum_case_Guava_value);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_SyncResult(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Bloom\\SyncResult", IS_STRING, class_Bloom_SyncResult_methods);

	zval enum_case_Switched_value;
	zend_string *enum_case_Switched_value_str = zend_string_init("switched", strlen("switched"), 1);
	ZVAL_STR(&enum_case_Switched_value, enum_case_Switched_value_str);
	zend_enum_add_case_cstr(class_entry, "Switched", &enum_case_Switched_value);

	zval enum_case_Current_value;
	zend_string *enum_case_Current_value_str = zend_string_init("current", strlen("current"), 1);
	ZVAL_STR(&enum_case_Current_value, enum_case_Current_value_str);
	zend_enum_add_case_cstr(class_entry, "Current", &enum_case_Current_value);

	zval enum_case_NotDue_value;
	zend_string *enum_case_NotDue_value_str = zend_string_init("not due", strlen("not due"), 1);
	ZVAL_STR(&enum_case_NotDue_value, enum_case_NotDue_value_str);
	zend_enum_add_case_cstr(class_entry, "NotDue", &enum_case_NotDue_value);

	zval enum_case_Paused_value;
	zend_string *enum_case_Paused_value_str = zend_string_init("paused", strlen("paused"), 1);
	ZVAL_STR(&enum_case_Paused_value, enum_case_Paused_value_str);
	zend_enum_add_case_cstr(class_entry, "Paused", &enum_case_Paused_value);

	zval enum_case_Busy_value;
	zend_string *enum_case_Busy_value_str = zend_string_init("busy", strlen("busy"), 1);
	ZVAL_STR(&enum_case_Busy_value, enum_case_Busy_value_str);
	zend_enum_add_case_cstr(class_entry, "Busy", &enum_case_Busy_value);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_HealthStatus(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Bloom\\HealthStatus", IS_STRING, class_Bloom_HealthStatus_methods);

	zval enum_case_Ok_value;
	zend_string *enum_case_Ok_value_str = zend_string_init("ok", strlen("ok"), 1);
	ZVAL_STR(&enum_case_Ok_value, enum_case_Ok_value_str);
	zend_enum_add_case_cstr(class_entry, "Ok", &enum_case_Ok_value);

	zval enum_case_Warning_value;
	zend_string *enum_case_Warning_value_str = zend_string_init("warning", strlen("warning"), 1);
	ZVAL_STR(&enum_case_Warning_value, enum_case_Warning_value_str);
	zend_enum_add_case_cstr(class_entry, "Warning", &enum_case_Warning_value);

	zval enum_case_Critical_value;
	zend_string *enum_case_Critical_value_str = zend_string_init("critical", strlen("critical"), 1);
	ZVAL_STR(&enum_case_Critical_value, enum_case_Critical_value_str);
	zend_enum_add_case_cstr(class_entry, "Critical", &enum_case_Critical_value);

	zval enum_case_Unknown_value;
	zend_string *enum_case_Unknown_value_str = zend_string_init("unknown", strlen("unknown"), 1);
	ZVAL_STR(&enum_case_Unknown_value, enum_case_Unknown_value_str);
	zend_enum_add_case_cstr(class_entry, "Unknown", &enum_case_Unknown_value);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_Info(zend_class_entry *class_entry_JsonSerializable)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "Info", class_Bloom_Info_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_ABSTRACT|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_JsonSerializable);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_BuilderInfo(zend_class_entry *class_entry_Bloom_Info)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "BuilderInfo", class_Bloom_BuilderInfo_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_Info);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zend_string *property_scheme_class_Bloom_Scheme = zend_string_init("Bloom\\Scheme", sizeof("Bloom\\Scheme")-1, 1);
	zval property_scheme_default_value;
	ZVAL_UNDEF(&property_scheme_default_value);
	zend_string *property_scheme_name = zend_string_init("scheme", sizeof("scheme") - 1, 1);
	zend_declare_typed_property(class_entry, property_scheme_name, &property_scheme_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_scheme_class_Bloom_Scheme, 0, 0));
	zend_string_release(property_scheme_name);

	zval property_stripes_default_value;
	ZVAL_UNDEF(&property_stripes_default_value);
	zend_string *property_stripes_name = zend_string_init("stripes", sizeof("stripes") - 1, 1);
	zend_declare_typed_property(class_entry, property_stripes_name, &property_stripes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_stripes_name);

	zval property_valueBits_default_value;
	ZVAL_UNDEF(&property_valueBits_default_value);
	zend_string *property_valueBits_name = zend_string_init("valueBits", sizeof("valueBits") - 1, 1);
	zend_declare_typed_property(class_entry, property_valueBits_name, &property_valueBits_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_valueBits_name);

	zend_string *property_format_class_Bloom_ForeignFormat = zend_string_init("Bloom\\ForeignFormat", sizeof("Bloom\\ForeignFormat")-1, 1);
	zval property_format_default_value;
	ZVAL_UNDEF(&property_format_default_value);
	zend_string *property_format_name = zend_string_init("format", sizeof("format") - 1, 1);
	zend_declare_typed_property(class_entry, property_format_name, &property_format_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_format_class_Bloom_ForeignFormat, 0, MAY_BE_NULL));
	zend_string_release(property_format_name);

	zval property_capacity_default_value;
	ZVAL_UNDEF(&property_capacity_default_value);
	zend_string *property_capacity_name = zend_string_init("capacity", sizeof("capacity") - 1, 1);
	zend_declare_typed_property(class_entry, property_capacity_name, &property_capacity_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_capacity_name);

	zval property_falsePositiveRate_default_value;
	ZVAL_UNDEF(&property_falsePositiveRate_default_value);
	zend_string *property_falsePositiveRate_name = zend_string_init("falsePositiveRate", sizeof("falsePositiveRate") - 1, 1);
	zend_declare_typed_property(class_entry, property_falsePositiveRate_name, &property_falsePositiveRate_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_falsePositiveRate_name);

	zval property_predictedFalsePositiveRate_default_value;
	ZVAL_UNDEF(&property_predictedFalsePositiveRate_default_value);
	zend_string *property_predictedFalsePositiveRate_name = zend_string_init("predictedFalsePositiveRate", sizeof("predictedFalsePositiveRate") - 1, 1);
	zend_declare_typed_property(class_entry, property_predictedFalsePositiveRate_name, &property_predictedFalsePositiveRate_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_predictedFalsePositiveRate_name);

	zval property_keys_default_value;
	ZVAL_UNDEF(&property_keys_default_value);
	zend_string *property_keys_name = zend_string_init("keys", sizeof("keys") - 1, 1);
	zend_declare_typed_property(class_entry, property_keys_name, &property_keys_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_keys_name);

	zval property_added_default_value;
	ZVAL_UNDEF(&property_added_default_value);
	zend_string *property_added_name = zend_string_init("added", sizeof("added") - 1, 1);
	zend_declare_typed_property(class_entry, property_added_name, &property_added_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_added_name);

	zval property_bytes_default_value;
	ZVAL_UNDEF(&property_bytes_default_value);
	zend_string *property_bytes_name = zend_string_init("bytes", sizeof("bytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_bytes_name, &property_bytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_bytes_name);

	zval property_bitsPerKey_default_value;
	ZVAL_UNDEF(&property_bitsPerKey_default_value);
	zend_string *property_bitsPerKey_name = zend_string_init("bitsPerKey", sizeof("bitsPerKey") - 1, 1);
	zend_declare_typed_property(class_entry, property_bitsPerKey_name, &property_bitsPerKey_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_bitsPerKey_name);

	zval property_shards_default_value;
	ZVAL_UNDEF(&property_shards_default_value);
	zend_string *property_shards_name = zend_string_init("shards", sizeof("shards") - 1, 1);
	zend_declare_typed_property(class_entry, property_shards_name, &property_shards_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_shards_name);

	zval property_shardBytes_default_value;
	ZVAL_UNDEF(&property_shardBytes_default_value);
	zend_string *property_shardBytes_name = zend_string_init("shardBytes", sizeof("shardBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_shardBytes_name, &property_shardBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_shardBytes_name);

	zval property_blockBytes_default_value;
	ZVAL_UNDEF(&property_blockBytes_default_value);
	zend_string *property_blockBytes_name = zend_string_init("blockBytes", sizeof("blockBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_blockBytes_name, &property_blockBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_blockBytes_name);

	zval property_probes_default_value;
	ZVAL_UNDEF(&property_probes_default_value);
	zend_string *property_probes_name = zend_string_init("probes", sizeof("probes") - 1, 1);
	zend_declare_typed_property(class_entry, property_probes_name, &property_probes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_probes_name);

	zval property_seed_default_value;
	ZVAL_UNDEF(&property_seed_default_value);
	zend_string *property_seed_name = zend_string_init("seed", sizeof("seed") - 1, 1);
	zend_declare_typed_property(class_entry, property_seed_name, &property_seed_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_seed_name);

	zval property_digest_default_value;
	ZVAL_UNDEF(&property_digest_default_value);
	zend_string *property_digest_name = zend_string_init("digest", sizeof("digest") - 1, 1);
	zend_declare_typed_property(class_entry, property_digest_name, &property_digest_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_digest_name);

	zval property_keyedBy_default_value;
	ZVAL_UNDEF(&property_keyedBy_default_value);
	zend_string *property_keyedBy_name = zend_string_init("keyedBy", sizeof("keyedBy") - 1, 1);
	zend_declare_typed_property(class_entry, property_keyedBy_name, &property_keyedBy_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_keyedBy_name);

	zval property_groups_default_value;
	ZVAL_UNDEF(&property_groups_default_value);
	zend_string *property_groups_name = zend_string_init("groups", sizeof("groups") - 1, 1);
	zend_declare_typed_property(class_entry, property_groups_name, &property_groups_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_groups_name);

	zval property_fanOut_default_value;
	ZVAL_UNDEF(&property_fanOut_default_value);
	zend_string *property_fanOut_name = zend_string_init("fanOut", sizeof("fanOut") - 1, 1);
	zend_declare_typed_property(class_entry, property_fanOut_name, &property_fanOut_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_fanOut_name);

	zval property_levels_default_value;
	ZVAL_UNDEF(&property_levels_default_value);
	zend_string *property_levels_name = zend_string_init("levels", sizeof("levels") - 1, 1);
	zend_declare_typed_property(class_entry, property_levels_name, &property_levels_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_levels_name);

	zval property_expectedWrongGroups_default_value;
	ZVAL_UNDEF(&property_expectedWrongGroups_default_value);
	zend_string *property_expectedWrongGroups_name = zend_string_init("expectedWrongGroups", sizeof("expectedWrongGroups") - 1, 1);
	zend_declare_typed_property(class_entry, property_expectedWrongGroups_name, &property_expectedWrongGroups_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_expectedWrongGroups_name);

	zval property_chunkBytes_default_value;
	ZVAL_UNDEF(&property_chunkBytes_default_value);
	zend_string *property_chunkBytes_name = zend_string_init("chunkBytes", sizeof("chunkBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_chunkBytes_name, &property_chunkBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_chunkBytes_name);

	zval property_source_default_value;
	ZVAL_UNDEF(&property_source_default_value);
	zend_string *property_source_name = zend_string_init("source", sizeof("source") - 1, 1);
	zend_declare_typed_property(class_entry, property_source_name, &property_source_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_source_name);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_BlobInfo(zend_class_entry *class_entry_Bloom_Info)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "BlobInfo", class_Bloom_BlobInfo_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_Info);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zend_string *property_scheme_class_Bloom_Scheme = zend_string_init("Bloom\\Scheme", sizeof("Bloom\\Scheme")-1, 1);
	zval property_scheme_default_value;
	ZVAL_UNDEF(&property_scheme_default_value);
	zend_string *property_scheme_name = zend_string_init("scheme", sizeof("scheme") - 1, 1);
	zend_declare_typed_property(class_entry, property_scheme_name, &property_scheme_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_scheme_class_Bloom_Scheme, 0, 0));
	zend_string_release(property_scheme_name);

	zval property_stripes_default_value;
	ZVAL_UNDEF(&property_stripes_default_value);
	zend_string *property_stripes_name = zend_string_init("stripes", sizeof("stripes") - 1, 1);
	zend_declare_typed_property(class_entry, property_stripes_name, &property_stripes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_stripes_name);

	zval property_valueBits_default_value;
	ZVAL_UNDEF(&property_valueBits_default_value);
	zend_string *property_valueBits_name = zend_string_init("valueBits", sizeof("valueBits") - 1, 1);
	zend_declare_typed_property(class_entry, property_valueBits_name, &property_valueBits_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_valueBits_name);

	zend_string *property_format_class_Bloom_ForeignFormat = zend_string_init("Bloom\\ForeignFormat", sizeof("Bloom\\ForeignFormat")-1, 1);
	zval property_format_default_value;
	ZVAL_UNDEF(&property_format_default_value);
	zend_string *property_format_name = zend_string_init("format", sizeof("format") - 1, 1);
	zend_declare_typed_property(class_entry, property_format_name, &property_format_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_format_class_Bloom_ForeignFormat, 0, MAY_BE_NULL));
	zend_string_release(property_format_name);

	zval property_layers_default_value;
	ZVAL_UNDEF(&property_layers_default_value);
	zend_string *property_layers_name = zend_string_init("layers", sizeof("layers") - 1, 1);
	zend_declare_typed_property(class_entry, property_layers_name, &property_layers_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_layers_name);

	zval property_keys_default_value;
	ZVAL_UNDEF(&property_keys_default_value);
	zend_string *property_keys_name = zend_string_init("keys", sizeof("keys") - 1, 1);
	zend_declare_typed_property(class_entry, property_keys_name, &property_keys_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_keys_name);

	zval property_estimatedKeys_default_value;
	ZVAL_UNDEF(&property_estimatedKeys_default_value);
	zend_string *property_estimatedKeys_name = zend_string_init("estimatedKeys", sizeof("estimatedKeys") - 1, 1);
	zend_declare_typed_property(class_entry, property_estimatedKeys_name, &property_estimatedKeys_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_estimatedKeys_name);

	zval property_capacity_default_value;
	ZVAL_UNDEF(&property_capacity_default_value);
	zend_string *property_capacity_name = zend_string_init("capacity", sizeof("capacity") - 1, 1);
	zend_declare_typed_property(class_entry, property_capacity_name, &property_capacity_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_capacity_name);

	zval property_falsePositiveRate_default_value;
	ZVAL_UNDEF(&property_falsePositiveRate_default_value);
	zend_string *property_falsePositiveRate_name = zend_string_init("falsePositiveRate", sizeof("falsePositiveRate") - 1, 1);
	zend_declare_typed_property(class_entry, property_falsePositiveRate_name, &property_falsePositiveRate_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_falsePositiveRate_name);

	zval property_measuredFalsePositiveRate_default_value;
	ZVAL_UNDEF(&property_measuredFalsePositiveRate_default_value);
	zend_string *property_measuredFalsePositiveRate_name = zend_string_init("measuredFalsePositiveRate", sizeof("measuredFalsePositiveRate") - 1, 1);
	zend_declare_typed_property(class_entry, property_measuredFalsePositiveRate_name, &property_measuredFalsePositiveRate_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_measuredFalsePositiveRate_name);

	zval property_predictedFalsePositiveRate_default_value;
	ZVAL_UNDEF(&property_predictedFalsePositiveRate_default_value);
	zend_string *property_predictedFalsePositiveRate_name = zend_string_init("predictedFalsePositiveRate", sizeof("predictedFalsePositiveRate") - 1, 1);
	zend_declare_typed_property(class_entry, property_predictedFalsePositiveRate_name, &property_predictedFalsePositiveRate_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_predictedFalsePositiveRate_name);

	zval property_fill_default_value;
	ZVAL_UNDEF(&property_fill_default_value);
	zend_string *property_fill_name = zend_string_init("fill", sizeof("fill") - 1, 1);
	zend_declare_typed_property(class_entry, property_fill_name, &property_fill_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_fill_name);

	zval property_setBits_default_value;
	ZVAL_UNDEF(&property_setBits_default_value);
	zend_string *property_setBits_name = zend_string_init("setBits", sizeof("setBits") - 1, 1);
	zend_declare_typed_property(class_entry, property_setBits_name, &property_setBits_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_setBits_name);

	zval property_bytes_default_value;
	ZVAL_UNDEF(&property_bytes_default_value);
	zend_string *property_bytes_name = zend_string_init("bytes", sizeof("bytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_bytes_name, &property_bytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_bytes_name);

	zval property_bitsPerKey_default_value;
	ZVAL_UNDEF(&property_bitsPerKey_default_value);
	zend_string *property_bitsPerKey_name = zend_string_init("bitsPerKey", sizeof("bitsPerKey") - 1, 1);
	zend_declare_typed_property(class_entry, property_bitsPerKey_name, &property_bitsPerKey_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_bitsPerKey_name);

	zval property_shards_default_value;
	ZVAL_UNDEF(&property_shards_default_value);
	zend_string *property_shards_name = zend_string_init("shards", sizeof("shards") - 1, 1);
	zend_declare_typed_property(class_entry, property_shards_name, &property_shards_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_shards_name);

	zval property_shardBytes_default_value;
	ZVAL_UNDEF(&property_shardBytes_default_value);
	zend_string *property_shardBytes_name = zend_string_init("shardBytes", sizeof("shardBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_shardBytes_name, &property_shardBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_shardBytes_name);

	zval property_blockBytes_default_value;
	ZVAL_UNDEF(&property_blockBytes_default_value);
	zend_string *property_blockBytes_name = zend_string_init("blockBytes", sizeof("blockBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_blockBytes_name, &property_blockBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_blockBytes_name);

	zval property_probes_default_value;
	ZVAL_UNDEF(&property_probes_default_value);
	zend_string *property_probes_name = zend_string_init("probes", sizeof("probes") - 1, 1);
	zend_declare_typed_property(class_entry, property_probes_name, &property_probes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_probes_name);

	zval property_seed_default_value;
	ZVAL_UNDEF(&property_seed_default_value);
	zend_string *property_seed_name = zend_string_init("seed", sizeof("seed") - 1, 1);
	zend_declare_typed_property(class_entry, property_seed_name, &property_seed_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_seed_name);

	zval property_digest_default_value;
	ZVAL_UNDEF(&property_digest_default_value);
	zend_string *property_digest_name = zend_string_init("digest", sizeof("digest") - 1, 1);
	zend_declare_typed_property(class_entry, property_digest_name, &property_digest_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_digest_name);

	zval property_keyedBy_default_value;
	ZVAL_UNDEF(&property_keyedBy_default_value);
	zend_string *property_keyedBy_name = zend_string_init("keyedBy", sizeof("keyedBy") - 1, 1);
	zend_declare_typed_property(class_entry, property_keyedBy_name, &property_keyedBy_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_keyedBy_name);

	zval property_groups_default_value;
	ZVAL_UNDEF(&property_groups_default_value);
	zend_string *property_groups_name = zend_string_init("groups", sizeof("groups") - 1, 1);
	zend_declare_typed_property(class_entry, property_groups_name, &property_groups_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_groups_name);

	zval property_fanOut_default_value;
	ZVAL_UNDEF(&property_fanOut_default_value);
	zend_string *property_fanOut_name = zend_string_init("fanOut", sizeof("fanOut") - 1, 1);
	zend_declare_typed_property(class_entry, property_fanOut_name, &property_fanOut_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_fanOut_name);

	zval property_levels_default_value;
	ZVAL_UNDEF(&property_levels_default_value);
	zend_string *property_levels_name = zend_string_init("levels", sizeof("levels") - 1, 1);
	zend_declare_typed_property(class_entry, property_levels_name, &property_levels_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_levels_name);

	zval property_expectedWrongGroups_default_value;
	ZVAL_UNDEF(&property_expectedWrongGroups_default_value);
	zend_string *property_expectedWrongGroups_name = zend_string_init("expectedWrongGroups", sizeof("expectedWrongGroups") - 1, 1);
	zend_declare_typed_property(class_entry, property_expectedWrongGroups_name, &property_expectedWrongGroups_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_expectedWrongGroups_name);

	zval property_chunks_default_value;
	ZVAL_UNDEF(&property_chunks_default_value);
	zend_string *property_chunks_name = zend_string_init("chunks", sizeof("chunks") - 1, 1);
	zend_declare_typed_property(class_entry, property_chunks_name, &property_chunks_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_chunks_name);

	zval property_chunkBytes_default_value;
	ZVAL_UNDEF(&property_chunkBytes_default_value);
	zend_string *property_chunkBytes_name = zend_string_init("chunkBytes", sizeof("chunkBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_chunkBytes_name, &property_chunkBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_chunkBytes_name);

	zval property_source_default_value;
	ZVAL_UNDEF(&property_source_default_value);
	zend_string *property_source_name = zend_string_init("source", sizeof("source") - 1, 1);
	zend_declare_typed_property(class_entry, property_source_name, &property_source_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_source_name);

	zval property_builtAt_default_value;
	ZVAL_UNDEF(&property_builtAt_default_value);
	zend_string *property_builtAt_name = zend_string_init("builtAt", sizeof("builtAt") - 1, 1);
	zend_declare_typed_property(class_entry, property_builtAt_name, &property_builtAt_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_builtAt_name);

	zval property_formatVersion_default_value;
	ZVAL_UNDEF(&property_formatVersion_default_value);
	zend_string *property_formatVersion_name = zend_string_init("formatVersion", sizeof("formatVersion") - 1, 1);
	zend_declare_typed_property(class_entry, property_formatVersion_name, &property_formatVersion_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_formatVersion_name);

	zval property_checksum_default_value;
	ZVAL_UNDEF(&property_checksum_default_value);
	zend_string *property_checksum_name = zend_string_init("checksum", sizeof("checksum") - 1, 1);
	zend_declare_typed_property(class_entry, property_checksum_name, &property_checksum_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_checksum_name);

	zval property_signedBy_default_value;
	ZVAL_UNDEF(&property_signedBy_default_value);
	zend_string *property_signedBy_name = zend_string_init("signedBy", sizeof("signedBy") - 1, 1);
	zend_declare_typed_property(class_entry, property_signedBy_name, &property_signedBy_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_signedBy_name);

	zval property_mark_default_value;
	ZVAL_UNDEF(&property_mark_default_value);
	zend_string *property_mark_name = zend_string_init("mark", sizeof("mark") - 1, 1);
	zend_declare_typed_property(class_entry, property_mark_name, &property_mark_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_mark_name);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_Version(zend_class_entry *class_entry_Bloom_Info)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "Version", class_Bloom_Version_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_Info);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_label_default_value;
	ZVAL_UNDEF(&property_label_default_value);
	zend_string *property_label_name = zend_string_init("label", sizeof("label") - 1, 1);
	zend_declare_typed_property(class_entry, property_label_name, &property_label_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_label_name);

	zval property_isServed_default_value;
	ZVAL_UNDEF(&property_isServed_default_value);
	zend_string *property_isServed_name = zend_string_init("isServed", sizeof("isServed") - 1, 1);
	zend_declare_typed_property(class_entry, property_isServed_name, &property_isServed_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_BOOL));
	zend_string_release(property_isServed_name);

	zval property_pinnedSince_default_value;
	ZVAL_UNDEF(&property_pinnedSince_default_value);
	zend_string *property_pinnedSince_name = zend_string_init("pinnedSince", sizeof("pinnedSince") - 1, 1);
	zend_declare_typed_property(class_entry, property_pinnedSince_name, &property_pinnedSince_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_pinnedSince_name);

	zval property_rolledBackAt_default_value;
	ZVAL_UNDEF(&property_rolledBackAt_default_value);
	zend_string *property_rolledBackAt_name = zend_string_init("rolledBackAt", sizeof("rolledBackAt") - 1, 1);
	zend_declare_typed_property(class_entry, property_rolledBackAt_name, &property_rolledBackAt_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_rolledBackAt_name);

	zval property_checksum_default_value;
	ZVAL_UNDEF(&property_checksum_default_value);
	zend_string *property_checksum_name = zend_string_init("checksum", sizeof("checksum") - 1, 1);
	zend_declare_typed_property(class_entry, property_checksum_name, &property_checksum_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_checksum_name);

	zval property_builtAt_default_value;
	ZVAL_UNDEF(&property_builtAt_default_value);
	zend_string *property_builtAt_name = zend_string_init("builtAt", sizeof("builtAt") - 1, 1);
	zend_declare_typed_property(class_entry, property_builtAt_name, &property_builtAt_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_builtAt_name);

	zval property_keys_default_value;
	ZVAL_UNDEF(&property_keys_default_value);
	zend_string *property_keys_name = zend_string_init("keys", sizeof("keys") - 1, 1);
	zend_declare_typed_property(class_entry, property_keys_name, &property_keys_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_keys_name);

	zval property_bytes_default_value;
	ZVAL_UNDEF(&property_bytes_default_value);
	zend_string *property_bytes_name = zend_string_init("bytes", sizeof("bytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_bytes_name, &property_bytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_bytes_name);

	zval property_falsePositiveRate_default_value;
	ZVAL_UNDEF(&property_falsePositiveRate_default_value);
	zend_string *property_falsePositiveRate_name = zend_string_init("falsePositiveRate", sizeof("falsePositiveRate") - 1, 1);
	zend_declare_typed_property(class_entry, property_falsePositiveRate_name, &property_falsePositiveRate_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_falsePositiveRate_name);

	zval property_seed_default_value;
	ZVAL_UNDEF(&property_seed_default_value);
	zend_string *property_seed_name = zend_string_init("seed", sizeof("seed") - 1, 1);
	zend_declare_typed_property(class_entry, property_seed_name, &property_seed_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_seed_name);

	zval property_shards_default_value;
	ZVAL_UNDEF(&property_shards_default_value);
	zend_string *property_shards_name = zend_string_init("shards", sizeof("shards") - 1, 1);
	zend_declare_typed_property(class_entry, property_shards_name, &property_shards_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_shards_name);

	zval property_shardBytes_default_value;
	ZVAL_UNDEF(&property_shardBytes_default_value);
	zend_string *property_shardBytes_name = zend_string_init("shardBytes", sizeof("shardBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_shardBytes_name, &property_shardBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_shardBytes_name);

	zval property_keyedBy_default_value;
	ZVAL_UNDEF(&property_keyedBy_default_value);
	zend_string *property_keyedBy_name = zend_string_init("keyedBy", sizeof("keyedBy") - 1, 1);
	zend_declare_typed_property(class_entry, property_keyedBy_name, &property_keyedBy_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_keyedBy_name);

	zval property_chunks_default_value;
	ZVAL_UNDEF(&property_chunks_default_value);
	zend_string *property_chunks_name = zend_string_init("chunks", sizeof("chunks") - 1, 1);
	zend_declare_typed_property(class_entry, property_chunks_name, &property_chunks_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_chunks_name);

	zval property_chunkBytes_default_value;
	ZVAL_UNDEF(&property_chunkBytes_default_value);
	zend_string *property_chunkBytes_name = zend_string_init("chunkBytes", sizeof("chunkBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_chunkBytes_name, &property_chunkBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_chunkBytes_name);

	zval property_sharedChunks_default_value;
	ZVAL_UNDEF(&property_sharedChunks_default_value);
	zend_string *property_sharedChunks_name = zend_string_init("sharedChunks", sizeof("sharedChunks") - 1, 1);
	zend_declare_typed_property(class_entry, property_sharedChunks_name, &property_sharedChunks_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_sharedChunks_name);

	zval property_fetchChunks_default_value;
	ZVAL_UNDEF(&property_fetchChunks_default_value);
	zend_string *property_fetchChunks_name = zend_string_init("fetchChunks", sizeof("fetchChunks") - 1, 1);
	zend_declare_typed_property(class_entry, property_fetchChunks_name, &property_fetchChunks_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_fetchChunks_name);

	zval property_fetchBytes_default_value;
	ZVAL_UNDEF(&property_fetchBytes_default_value);
	zend_string *property_fetchBytes_name = zend_string_init("fetchBytes", sizeof("fetchBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_fetchBytes_name, &property_fetchBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_fetchBytes_name);

	zval property_signedBy_default_value;
	ZVAL_UNDEF(&property_signedBy_default_value);
	zend_string *property_signedBy_name = zend_string_init("signedBy", sizeof("signedBy") - 1, 1);
	zend_declare_typed_property(class_entry, property_signedBy_name, &property_signedBy_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_signedBy_name);

	zval property_missingChunks_default_value;
	ZVAL_UNDEF(&property_missingChunks_default_value);
	zend_string *property_missingChunks_name = zend_string_init("missingChunks", sizeof("missingChunks") - 1, 1);
	zend_declare_typed_property(class_entry, property_missingChunks_name, &property_missingChunks_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_missingChunks_name);

	zval property_damagedChunks_default_value;
	ZVAL_UNDEF(&property_damagedChunks_default_value);
	zend_string *property_damagedChunks_name = zend_string_init("damagedChunks", sizeof("damagedChunks") - 1, 1);
	zend_declare_typed_property(class_entry, property_damagedChunks_name, &property_damagedChunks_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_damagedChunks_name);

	zval property_badChunks_default_value;
	ZVAL_UNDEF(&property_badChunks_default_value);
	zend_string *property_badChunks_name = zend_string_init("badChunks", sizeof("badChunks") - 1, 1);
	zend_declare_typed_property(class_entry, property_badChunks_name, &property_badChunks_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ARRAY));
	zend_string_release(property_badChunks_name);

	zval property_error_default_value;
	ZVAL_UNDEF(&property_error_default_value);
	zend_string *property_error_name = zend_string_init("error", sizeof("error") - 1, 1);
	zend_declare_typed_property(class_entry, property_error_name, &property_error_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_error_name);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_FilterInfo(zend_class_entry *class_entry_Bloom_Info)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "FilterInfo", class_Bloom_FilterInfo_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_Info);
	class_entry->ce_flags |= ZEND_ACC_ABSTRACT|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_name_default_value;
	ZVAL_UNDEF(&property_name_default_value);
	zend_string *property_name_name = zend_string_init("name", sizeof("name") - 1, 1);
	zend_declare_typed_property(class_entry, property_name_name, &property_name_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_name_name);

	zend_string *property_kind_class_Bloom_Kind = zend_string_init("Bloom\\Kind", sizeof("Bloom\\Kind")-1, 1);
	zval property_kind_default_value;
	ZVAL_UNDEF(&property_kind_default_value);
	zend_string *property_kind_name = zend_string_init("kind", sizeof("kind") - 1, 1);
	zend_declare_typed_property(class_entry, property_kind_name, &property_kind_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_kind_class_Bloom_Kind, 0, 0));
	zend_string_release(property_kind_name);

	zval property_generation_default_value;
	ZVAL_UNDEF(&property_generation_default_value);
	zend_string *property_generation_name = zend_string_init("generation", sizeof("generation") - 1, 1);
	zend_declare_typed_property(class_entry, property_generation_name, &property_generation_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_generation_name);

	zval property_keys_default_value;
	ZVAL_UNDEF(&property_keys_default_value);
	zend_string *property_keys_name = zend_string_init("keys", sizeof("keys") - 1, 1);
	zend_declare_typed_property(class_entry, property_keys_name, &property_keys_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_keys_name);

	zval property_estimatedKeys_default_value;
	ZVAL_UNDEF(&property_estimatedKeys_default_value);
	zend_string *property_estimatedKeys_name = zend_string_init("estimatedKeys", sizeof("estimatedKeys") - 1, 1);
	zend_declare_typed_property(class_entry, property_estimatedKeys_name, &property_estimatedKeys_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_estimatedKeys_name);

	zval property_capacity_default_value;
	ZVAL_UNDEF(&property_capacity_default_value);
	zend_string *property_capacity_name = zend_string_init("capacity", sizeof("capacity") - 1, 1);
	zend_declare_typed_property(class_entry, property_capacity_name, &property_capacity_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_capacity_name);

	zval property_falsePositiveRate_default_value;
	ZVAL_UNDEF(&property_falsePositiveRate_default_value);
	zend_string *property_falsePositiveRate_name = zend_string_init("falsePositiveRate", sizeof("falsePositiveRate") - 1, 1);
	zend_declare_typed_property(class_entry, property_falsePositiveRate_name, &property_falsePositiveRate_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_falsePositiveRate_name);

	zval property_measuredFalsePositiveRate_default_value;
	ZVAL_UNDEF(&property_measuredFalsePositiveRate_default_value);
	zend_string *property_measuredFalsePositiveRate_name = zend_string_init("measuredFalsePositiveRate", sizeof("measuredFalsePositiveRate") - 1, 1);
	zend_declare_typed_property(class_entry, property_measuredFalsePositiveRate_name, &property_measuredFalsePositiveRate_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_measuredFalsePositiveRate_name);

	zval property_predictedFalsePositiveRate_default_value;
	ZVAL_UNDEF(&property_predictedFalsePositiveRate_default_value);
	zend_string *property_predictedFalsePositiveRate_name = zend_string_init("predictedFalsePositiveRate", sizeof("predictedFalsePositiveRate") - 1, 1);
	zend_declare_typed_property(class_entry, property_predictedFalsePositiveRate_name, &property_predictedFalsePositiveRate_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_predictedFalsePositiveRate_name);

	zval property_fill_default_value;
	ZVAL_UNDEF(&property_fill_default_value);
	zend_string *property_fill_name = zend_string_init("fill", sizeof("fill") - 1, 1);
	zend_declare_typed_property(class_entry, property_fill_name, &property_fill_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_fill_name);

	zval property_setBits_default_value;
	ZVAL_UNDEF(&property_setBits_default_value);
	zend_string *property_setBits_name = zend_string_init("setBits", sizeof("setBits") - 1, 1);
	zend_declare_typed_property(class_entry, property_setBits_name, &property_setBits_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_setBits_name);

	zval property_bytes_default_value;
	ZVAL_UNDEF(&property_bytes_default_value);
	zend_string *property_bytes_name = zend_string_init("bytes", sizeof("bytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_bytes_name, &property_bytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_bytes_name);

	zval property_bitsPerKey_default_value;
	ZVAL_UNDEF(&property_bitsPerKey_default_value);
	zend_string *property_bitsPerKey_name = zend_string_init("bitsPerKey", sizeof("bitsPerKey") - 1, 1);
	zend_declare_typed_property(class_entry, property_bitsPerKey_name, &property_bitsPerKey_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_bitsPerKey_name);

	zval property_shards_default_value;
	ZVAL_UNDEF(&property_shards_default_value);
	zend_string *property_shards_name = zend_string_init("shards", sizeof("shards") - 1, 1);
	zend_declare_typed_property(class_entry, property_shards_name, &property_shards_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_shards_name);

	zval property_shardBytes_default_value;
	ZVAL_UNDEF(&property_shardBytes_default_value);
	zend_string *property_shardBytes_name = zend_string_init("shardBytes", sizeof("shardBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_shardBytes_name, &property_shardBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_shardBytes_name);

	zval property_blockBytes_default_value;
	ZVAL_UNDEF(&property_blockBytes_default_value);
	zend_string *property_blockBytes_name = zend_string_init("blockBytes", sizeof("blockBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_blockBytes_name, &property_blockBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_blockBytes_name);

	zval property_probes_default_value;
	ZVAL_UNDEF(&property_probes_default_value);
	zend_string *property_probes_name = zend_string_init("probes", sizeof("probes") - 1, 1);
	zend_declare_typed_property(class_entry, property_probes_name, &property_probes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_probes_name);

	zval property_seed_default_value;
	ZVAL_UNDEF(&property_seed_default_value);
	zend_string *property_seed_name = zend_string_init("seed", sizeof("seed") - 1, 1);
	zend_declare_typed_property(class_entry, property_seed_name, &property_seed_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_seed_name);

	zval property_digest_default_value;
	ZVAL_UNDEF(&property_digest_default_value);
	zend_string *property_digest_name = zend_string_init("digest", sizeof("digest") - 1, 1);
	zend_declare_typed_property(class_entry, property_digest_name, &property_digest_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_digest_name);

	zval property_keyedBy_default_value;
	ZVAL_UNDEF(&property_keyedBy_default_value);
	zend_string *property_keyedBy_name = zend_string_init("keyedBy", sizeof("keyedBy") - 1, 1);
	zend_declare_typed_property(class_entry, property_keyedBy_name, &property_keyedBy_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_keyedBy_name);

	zval property_groups_default_value;
	ZVAL_UNDEF(&property_groups_default_value);
	zend_string *property_groups_name = zend_string_init("groups", sizeof("groups") - 1, 1);
	zend_declare_typed_property(class_entry, property_groups_name, &property_groups_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_groups_name);

	zval property_fanOut_default_value;
	ZVAL_UNDEF(&property_fanOut_default_value);
	zend_string *property_fanOut_name = zend_string_init("fanOut", sizeof("fanOut") - 1, 1);
	zend_declare_typed_property(class_entry, property_fanOut_name, &property_fanOut_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_fanOut_name);

	zval property_levels_default_value;
	ZVAL_UNDEF(&property_levels_default_value);
	zend_string *property_levels_name = zend_string_init("levels", sizeof("levels") - 1, 1);
	zend_declare_typed_property(class_entry, property_levels_name, &property_levels_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_levels_name);

	zval property_expectedWrongGroups_default_value;
	ZVAL_UNDEF(&property_expectedWrongGroups_default_value);
	zend_string *property_expectedWrongGroups_name = zend_string_init("expectedWrongGroups", sizeof("expectedWrongGroups") - 1, 1);
	zend_declare_typed_property(class_entry, property_expectedWrongGroups_name, &property_expectedWrongGroups_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_expectedWrongGroups_name);

	zval property_warning_default_value;
	ZVAL_UNDEF(&property_warning_default_value);
	zend_string *property_warning_name = zend_string_init("warning", sizeof("warning") - 1, 1);
	zend_declare_typed_property(class_entry, property_warning_name, &property_warning_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_warning_name);

	zval property_loadedAt_default_value;
	ZVAL_UNDEF(&property_loadedAt_default_value);
	zend_string *property_loadedAt_name = zend_string_init("loadedAt", sizeof("loadedAt") - 1, 1);
	zend_declare_typed_property(class_entry, property_loadedAt_name, &property_loadedAt_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_loadedAt_name);

	zval property_loads_default_value;
	ZVAL_UNDEF(&property_loads_default_value);
	zend_string *property_loads_name = zend_string_init("loads", sizeof("loads") - 1, 1);
	zend_declare_typed_property(class_entry, property_loads_name, &property_loads_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_loads_name);

	zval property_segment_default_value;
	ZVAL_UNDEF(&property_segment_default_value);
	zend_string *property_segment_name = zend_string_init("segment", sizeof("segment") - 1, 1);
	zend_declare_typed_property(class_entry, property_segment_name, &property_segment_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_segment_name);

	zval property_segmentBytes_default_value;
	ZVAL_UNDEF(&property_segmentBytes_default_value);
	zend_string *property_segmentBytes_name = zend_string_init("segmentBytes", sizeof("segmentBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_segmentBytes_name, &property_segmentBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_segmentBytes_name);

	zval property_memoryLimit_default_value;
	ZVAL_UNDEF(&property_memoryLimit_default_value);
	zend_string *property_memoryLimit_name = zend_string_init("memoryLimit", sizeof("memoryLimit") - 1, 1);
	zend_declare_typed_property(class_entry, property_memoryLimit_name, &property_memoryLimit_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_memoryLimit_name);

	zval property_mapFailures_default_value;
	ZVAL_UNDEF(&property_mapFailures_default_value);
	zend_string *property_mapFailures_name = zend_string_init("mapFailures", sizeof("mapFailures") - 1, 1);
	zend_declare_typed_property(class_entry, property_mapFailures_name, &property_mapFailures_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_mapFailures_name);

	zend_string *property_counters_class_Bloom_CountersInfo = zend_string_init("Bloom\\CountersInfo", sizeof("Bloom\\CountersInfo")-1, 1);
	zval property_counters_default_value;
	ZVAL_UNDEF(&property_counters_default_value);
	zend_string *property_counters_name = zend_string_init("counters", sizeof("counters") - 1, 1);
	zend_declare_typed_property(class_entry, property_counters_name, &property_counters_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_counters_class_Bloom_CountersInfo, 0, 0));
	zend_string_release(property_counters_name);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_CountersInfo(zend_class_entry *class_entry_Bloom_Info)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "CountersInfo", class_Bloom_CountersInfo_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_Info);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_lookups_default_value;
	ZVAL_UNDEF(&property_lookups_default_value);
	zend_string *property_lookups_name = zend_string_init("lookups", sizeof("lookups") - 1, 1);
	zend_declare_typed_property(class_entry, property_lookups_name, &property_lookups_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_lookups_name);

	zval property_absent_default_value;
	ZVAL_UNDEF(&property_absent_default_value);
	zend_string *property_absent_name = zend_string_init("absent", sizeof("absent") - 1, 1);
	zend_declare_typed_property(class_entry, property_absent_name, &property_absent_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_absent_name);

	zval property_maybes_default_value;
	ZVAL_UNDEF(&property_maybes_default_value);
	zend_string *property_maybes_name = zend_string_init("maybes", sizeof("maybes") - 1, 1);
	zend_declare_typed_property(class_entry, property_maybes_name, &property_maybes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_maybes_name);

	zval property_confirmed_default_value;
	ZVAL_UNDEF(&property_confirmed_default_value);
	zend_string *property_confirmed_name = zend_string_init("confirmed", sizeof("confirmed") - 1, 1);
	zend_declare_typed_property(class_entry, property_confirmed_name, &property_confirmed_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_confirmed_name);

	zval property_found_default_value;
	ZVAL_UNDEF(&property_found_default_value);
	zend_string *property_found_name = zend_string_init("found", sizeof("found") - 1, 1);
	zend_declare_typed_property(class_entry, property_found_name, &property_found_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_found_name);

	zval property_observedFalsePositiveRate_default_value;
	ZVAL_UNDEF(&property_observedFalsePositiveRate_default_value);
	zend_string *property_observedFalsePositiveRate_name = zend_string_init("observedFalsePositiveRate", sizeof("observedFalsePositiveRate") - 1, 1);
	zend_declare_typed_property(class_entry, property_observedFalsePositiveRate_name, &property_observedFalsePositiveRate_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_observedFalsePositiveRate_name);

	zval property_checked_default_value;
	ZVAL_UNDEF(&property_checked_default_value);
	zend_string *property_checked_name = zend_string_init("checked", sizeof("checked") - 1, 1);
	zend_declare_typed_property(class_entry, property_checked_name, &property_checked_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_checked_name);

	zval property_denied_default_value;
	ZVAL_UNDEF(&property_denied_default_value);
	zend_string *property_denied_name = zend_string_init("denied", sizeof("denied") - 1, 1);
	zend_declare_typed_property(class_entry, property_denied_name, &property_denied_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_denied_name);

	zval property_deniedAt_default_value;
	ZVAL_UNDEF(&property_deniedAt_default_value);
	zend_string *property_deniedAt_name = zend_string_init("deniedAt", sizeof("deniedAt") - 1, 1);
	zend_declare_typed_property(class_entry, property_deniedAt_name, &property_deniedAt_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_deniedAt_name);

	zval property_bytesFetched_default_value;
	ZVAL_UNDEF(&property_bytesFetched_default_value);
	zend_string *property_bytesFetched_name = zend_string_init("bytesFetched", sizeof("bytesFetched") - 1, 1);
	zend_declare_typed_property(class_entry, property_bytesFetched_name, &property_bytesFetched_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_bytesFetched_name);

	zval property_bytesSaved_default_value;
	ZVAL_UNDEF(&property_bytesSaved_default_value);
	zend_string *property_bytesSaved_name = zend_string_init("bytesSaved", sizeof("bytesSaved") - 1, 1);
	zend_declare_typed_property(class_entry, property_bytesSaved_name, &property_bytesSaved_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_bytesSaved_name);

	zval property_failures_default_value;
	ZVAL_UNDEF(&property_failures_default_value);
	zend_string *property_failures_name = zend_string_init("failures", sizeof("failures") - 1, 1);
	zend_declare_typed_property(class_entry, property_failures_name, &property_failures_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ARRAY));
	zend_string_release(property_failures_name);

	zval property_lastLoadSeconds_default_value;
	ZVAL_UNDEF(&property_lastLoadSeconds_default_value);
	zend_string *property_lastLoadSeconds_name = zend_string_init("lastLoadSeconds", sizeof("lastLoadSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_lastLoadSeconds_name, &property_lastLoadSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_lastLoadSeconds_name);

	zval property_loadSeconds_default_value;
	ZVAL_UNDEF(&property_loadSeconds_default_value);
	zend_string *property_loadSeconds_name = zend_string_init("loadSeconds", sizeof("loadSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_loadSeconds_name, &property_loadSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_loadSeconds_name);

	zval property_lastSwitchSeconds_default_value;
	ZVAL_UNDEF(&property_lastSwitchSeconds_default_value);
	zend_string *property_lastSwitchSeconds_name = zend_string_init("lastSwitchSeconds", sizeof("lastSwitchSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_lastSwitchSeconds_name, &property_lastSwitchSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_lastSwitchSeconds_name);

	zval property_switchSeconds_default_value;
	ZVAL_UNDEF(&property_switchSeconds_default_value);
	zend_string *property_switchSeconds_name = zend_string_init("switchSeconds", sizeof("switchSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_switchSeconds_name, &property_switchSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_switchSeconds_name);

	zval property_since_default_value;
	ZVAL_UNDEF(&property_since_default_value);
	zend_string *property_since_name = zend_string_init("since", sizeof("since") - 1, 1);
	zend_declare_typed_property(class_entry, property_since_name, &property_since_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_since_name);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_LoadedInfo(zend_class_entry *class_entry_Bloom_FilterInfo)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "LoadedInfo", class_Bloom_LoadedInfo_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_FilterInfo);
	class_entry->ce_flags |= ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zend_string *property_scheme_class_Bloom_Scheme = zend_string_init("Bloom\\Scheme", sizeof("Bloom\\Scheme")-1, 1);
	zval property_scheme_default_value;
	ZVAL_UNDEF(&property_scheme_default_value);
	zend_string *property_scheme_name = zend_string_init("scheme", sizeof("scheme") - 1, 1);
	zend_declare_typed_property(class_entry, property_scheme_name, &property_scheme_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_scheme_class_Bloom_Scheme, 0, 0));
	zend_string_release(property_scheme_name);

	zval property_stripes_default_value;
	ZVAL_UNDEF(&property_stripes_default_value);
	zend_string *property_stripes_name = zend_string_init("stripes", sizeof("stripes") - 1, 1);
	zend_declare_typed_property(class_entry, property_stripes_name, &property_stripes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_stripes_name);

	zval property_valueBits_default_value;
	ZVAL_UNDEF(&property_valueBits_default_value);
	zend_string *property_valueBits_name = zend_string_init("valueBits", sizeof("valueBits") - 1, 1);
	zend_declare_typed_property(class_entry, property_valueBits_name, &property_valueBits_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_valueBits_name);

	zend_string *property_format_class_Bloom_ForeignFormat = zend_string_init("Bloom\\ForeignFormat", sizeof("Bloom\\ForeignFormat")-1, 1);
	zval property_format_default_value;
	ZVAL_UNDEF(&property_format_default_value);
	zend_string *property_format_name = zend_string_init("format", sizeof("format") - 1, 1);
	zend_declare_typed_property(class_entry, property_format_name, &property_format_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_format_class_Bloom_ForeignFormat, 0, MAY_BE_NULL));
	zend_string_release(property_format_name);

	zval property_layers_default_value;
	ZVAL_UNDEF(&property_layers_default_value);
	zend_string *property_layers_name = zend_string_init("layers", sizeof("layers") - 1, 1);
	zend_declare_typed_property(class_entry, property_layers_name, &property_layers_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_layers_name);

	zval property_chunks_default_value;
	ZVAL_UNDEF(&property_chunks_default_value);
	zend_string *property_chunks_name = zend_string_init("chunks", sizeof("chunks") - 1, 1);
	zend_declare_typed_property(class_entry, property_chunks_name, &property_chunks_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_chunks_name);

	zval property_chunkBytes_default_value;
	ZVAL_UNDEF(&property_chunkBytes_default_value);
	zend_string *property_chunkBytes_name = zend_string_init("chunkBytes", sizeof("chunkBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_chunkBytes_name, &property_chunkBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_chunkBytes_name);

	zval property_source_default_value;
	ZVAL_UNDEF(&property_source_default_value);
	zend_string *property_source_name = zend_string_init("source", sizeof("source") - 1, 1);
	zend_declare_typed_property(class_entry, property_source_name, &property_source_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_source_name);

	zval property_builtAt_default_value;
	ZVAL_UNDEF(&property_builtAt_default_value);
	zend_string *property_builtAt_name = zend_string_init("builtAt", sizeof("builtAt") - 1, 1);
	zend_declare_typed_property(class_entry, property_builtAt_name, &property_builtAt_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_builtAt_name);

	zval property_formatVersion_default_value;
	ZVAL_UNDEF(&property_formatVersion_default_value);
	zend_string *property_formatVersion_name = zend_string_init("formatVersion", sizeof("formatVersion") - 1, 1);
	zend_declare_typed_property(class_entry, property_formatVersion_name, &property_formatVersion_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_formatVersion_name);

	zval property_checksum_default_value;
	ZVAL_UNDEF(&property_checksum_default_value);
	zend_string *property_checksum_name = zend_string_init("checksum", sizeof("checksum") - 1, 1);
	zend_declare_typed_property(class_entry, property_checksum_name, &property_checksum_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_checksum_name);

	zval property_signedBy_default_value;
	ZVAL_UNDEF(&property_signedBy_default_value);
	zend_string *property_signedBy_name = zend_string_init("signedBy", sizeof("signedBy") - 1, 1);
	zend_declare_typed_property(class_entry, property_signedBy_name, &property_signedBy_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_signedBy_name);

	zval property_mark_default_value;
	ZVAL_UNDEF(&property_mark_default_value);
	zend_string *property_mark_name = zend_string_init("mark", sizeof("mark") - 1, 1);
	zend_declare_typed_property(class_entry, property_mark_name, &property_mark_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_mark_name);

	zend_string *property_journal_class_Bloom_JournalInfo = zend_string_init("Bloom\\JournalInfo", sizeof("Bloom\\JournalInfo")-1, 1);
	zval property_journal_default_value;
	ZVAL_UNDEF(&property_journal_default_value);
	zend_string *property_journal_name = zend_string_init("journal", sizeof("journal") - 1, 1);
	zend_declare_typed_property(class_entry, property_journal_name, &property_journal_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_journal_class_Bloom_JournalInfo, 0, MAY_BE_NULL));
	zend_string_release(property_journal_name);

	zval property_lookupFalsePositiveRate_default_value;
	ZVAL_UNDEF(&property_lookupFalsePositiveRate_default_value);
	zend_string *property_lookupFalsePositiveRate_name = zend_string_init("lookupFalsePositiveRate", sizeof("lookupFalsePositiveRate") - 1, 1);
	zend_declare_typed_property(class_entry, property_lookupFalsePositiveRate_name, &property_lookupFalsePositiveRate_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_lookupFalsePositiveRate_name);

	zval property_syncs_default_value;
	ZVAL_UNDEF(&property_syncs_default_value);
	zend_string *property_syncs_name = zend_string_init("syncs", sizeof("syncs") - 1, 1);
	zend_declare_typed_property(class_entry, property_syncs_name, &property_syncs_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_syncs_name);

	zval property_syncFailures_default_value;
	ZVAL_UNDEF(&property_syncFailures_default_value);
	zend_string *property_syncFailures_name = zend_string_init("syncFailures", sizeof("syncFailures") - 1, 1);
	zend_declare_typed_property(class_entry, property_syncFailures_name, &property_syncFailures_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_syncFailures_name);

	zval property_syncFailuresInRow_default_value;
	ZVAL_UNDEF(&property_syncFailuresInRow_default_value);
	zend_string *property_syncFailuresInRow_name = zend_string_init("syncFailuresInRow", sizeof("syncFailuresInRow") - 1, 1);
	zend_declare_typed_property(class_entry, property_syncFailuresInRow_name, &property_syncFailuresInRow_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_syncFailuresInRow_name);

	zval property_syncedSecondsAgo_default_value;
	ZVAL_UNDEF(&property_syncedSecondsAgo_default_value);
	zend_string *property_syncedSecondsAgo_name = zend_string_init("syncedSecondsAgo", sizeof("syncedSecondsAgo") - 1, 1);
	zend_declare_typed_property(class_entry, property_syncedSecondsAgo_name, &property_syncedSecondsAgo_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_syncedSecondsAgo_name);

	zval property_lastError_default_value;
	ZVAL_UNDEF(&property_lastError_default_value);
	zend_string *property_lastError_name = zend_string_init("lastError", sizeof("lastError") - 1, 1);
	zend_declare_typed_property(class_entry, property_lastError_name, &property_lastError_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_lastError_name);

	zval property_lastErrorAt_default_value;
	ZVAL_UNDEF(&property_lastErrorAt_default_value);
	zend_string *property_lastErrorAt_name = zend_string_init("lastErrorAt", sizeof("lastErrorAt") - 1, 1);
	zend_declare_typed_property(class_entry, property_lastErrorAt_name, &property_lastErrorAt_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_lastErrorAt_name);

	zval property_loadFailures_default_value;
	ZVAL_UNDEF(&property_loadFailures_default_value);
	zend_string *property_loadFailures_name = zend_string_init("loadFailures", sizeof("loadFailures") - 1, 1);
	zend_declare_typed_property(class_entry, property_loadFailures_name, &property_loadFailures_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_loadFailures_name);

	zval property_loadFailuresInRow_default_value;
	ZVAL_UNDEF(&property_loadFailuresInRow_default_value);
	zend_string *property_loadFailuresInRow_name = zend_string_init("loadFailuresInRow", sizeof("loadFailuresInRow") - 1, 1);
	zend_declare_typed_property(class_entry, property_loadFailuresInRow_name, &property_loadFailuresInRow_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_loadFailuresInRow_name);

	zval property_loadError_default_value;
	ZVAL_UNDEF(&property_loadError_default_value);
	zend_string *property_loadError_name = zend_string_init("loadError", sizeof("loadError") - 1, 1);
	zend_declare_typed_property(class_entry, property_loadError_name, &property_loadError_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_loadError_name);

	zval property_loadErrorAt_default_value;
	ZVAL_UNDEF(&property_loadErrorAt_default_value);
	zend_string *property_loadErrorAt_name = zend_string_init("loadErrorAt", sizeof("loadErrorAt") - 1, 1);
	zend_declare_typed_property(class_entry, property_loadErrorAt_name, &property_loadErrorAt_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_loadErrorAt_name);

	zval property_verifiedAt_default_value;
	ZVAL_UNDEF(&property_verifiedAt_default_value);
	zend_string *property_verifiedAt_name = zend_string_init("verifiedAt", sizeof("verifiedAt") - 1, 1);
	zend_declare_typed_property(class_entry, property_verifiedAt_name, &property_verifiedAt_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_verifiedAt_name);

	zval property_verifyProgress_default_value;
	ZVAL_UNDEF(&property_verifyProgress_default_value);
	zend_string *property_verifyProgress_name = zend_string_init("verifyProgress", sizeof("verifyProgress") - 1, 1);
	zend_declare_typed_property(class_entry, property_verifyProgress_name, &property_verifyProgress_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_verifyProgress_name);

	zval property_damages_default_value;
	ZVAL_UNDEF(&property_damages_default_value);
	zend_string *property_damages_name = zend_string_init("damages", sizeof("damages") - 1, 1);
	zend_declare_typed_property(class_entry, property_damages_name, &property_damages_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_damages_name);

	zval property_damagedAt_default_value;
	ZVAL_UNDEF(&property_damagedAt_default_value);
	zend_string *property_damagedAt_name = zend_string_init("damagedAt", sizeof("damagedAt") - 1, 1);
	zend_declare_typed_property(class_entry, property_damagedAt_name, &property_damagedAt_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_damagedAt_name);

	zval property_pinnedSince_default_value;
	ZVAL_UNDEF(&property_pinnedSince_default_value);
	zend_string *property_pinnedSince_name = zend_string_init("pinnedSince", sizeof("pinnedSince") - 1, 1);
	zend_declare_typed_property(class_entry, property_pinnedSince_name, &property_pinnedSince_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_pinnedSince_name);

	zval property_rolledBackAt_default_value;
	ZVAL_UNDEF(&property_rolledBackAt_default_value);
	zend_string *property_rolledBackAt_name = zend_string_init("rolledBackAt", sizeof("rolledBackAt") - 1, 1);
	zend_declare_typed_property(class_entry, property_rolledBackAt_name, &property_rolledBackAt_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_rolledBackAt_name);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_OnDemandInfo(zend_class_entry *class_entry_Bloom_LoadedInfo)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "OnDemandInfo", class_Bloom_OnDemandInfo_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_LoadedInfo);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_memory_default_value;
	ZVAL_UNDEF(&property_memory_default_value);
	zend_string *property_memory_name = zend_string_init("memory", sizeof("memory") - 1, 1);
	zend_declare_typed_property(class_entry, property_memory_name, &property_memory_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_memory_name);

	zval property_memoryAsked_default_value;
	ZVAL_UNDEF(&property_memoryAsked_default_value);
	zend_string *property_memoryAsked_name = zend_string_init("memoryAsked", sizeof("memoryAsked") - 1, 1);
	zend_declare_typed_property(class_entry, property_memoryAsked_name, &property_memoryAsked_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_memoryAsked_name);

	zval property_chunksHere_default_value;
	ZVAL_UNDEF(&property_chunksHere_default_value);
	zend_string *property_chunksHere_name = zend_string_init("chunksHere", sizeof("chunksHere") - 1, 1);
	zend_declare_typed_property(class_entry, property_chunksHere_name, &property_chunksHere_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_chunksHere_name);

	zval property_chunksRoom_default_value;
	ZVAL_UNDEF(&property_chunksRoom_default_value);
	zend_string *property_chunksRoom_name = zend_string_init("chunksRoom", sizeof("chunksRoom") - 1, 1);
	zend_declare_typed_property(class_entry, property_chunksRoom_name, &property_chunksRoom_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_chunksRoom_name);

	zval property_misses_default_value;
	ZVAL_UNDEF(&property_misses_default_value);
	zend_string *property_misses_name = zend_string_init("misses", sizeof("misses") - 1, 1);
	zend_declare_typed_property(class_entry, property_misses_name, &property_misses_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_misses_name);

	zval property_untold_default_value;
	ZVAL_UNDEF(&property_untold_default_value);
	zend_string *property_untold_name = zend_string_init("untold", sizeof("untold") - 1, 1);
	zend_declare_typed_property(class_entry, property_untold_name, &property_untold_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_untold_name);

	zval property_fetched_default_value;
	ZVAL_UNDEF(&property_fetched_default_value);
	zend_string *property_fetched_name = zend_string_init("fetched", sizeof("fetched") - 1, 1);
	zend_declare_typed_property(class_entry, property_fetched_name, &property_fetched_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_fetched_name);

	zval property_evicted_default_value;
	ZVAL_UNDEF(&property_evicted_default_value);
	zend_string *property_evicted_name = zend_string_init("evicted", sizeof("evicted") - 1, 1);
	zend_declare_typed_property(class_entry, property_evicted_name, &property_evicted_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_evicted_name);

	zval property_fetchFailures_default_value;
	ZVAL_UNDEF(&property_fetchFailures_default_value);
	zend_string *property_fetchFailures_name = zend_string_init("fetchFailures", sizeof("fetchFailures") - 1, 1);
	zend_declare_typed_property(class_entry, property_fetchFailures_name, &property_fetchFailures_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_fetchFailures_name);

	zval property_fetchFailuresInRow_default_value;
	ZVAL_UNDEF(&property_fetchFailuresInRow_default_value);
	zend_string *property_fetchFailuresInRow_name = zend_string_init("fetchFailuresInRow", sizeof("fetchFailuresInRow") - 1, 1);
	zend_declare_typed_property(class_entry, property_fetchFailuresInRow_name, &property_fetchFailuresInRow_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_fetchFailuresInRow_name);

	zval property_fetchPause_default_value;
	ZVAL_UNDEF(&property_fetchPause_default_value);
	zend_string *property_fetchPause_name = zend_string_init("fetchPause", sizeof("fetchPause") - 1, 1);
	zend_declare_typed_property(class_entry, property_fetchPause_name, &property_fetchPause_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_fetchPause_name);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_LiveInfo(zend_class_entry *class_entry_Bloom_FilterInfo)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "LiveInfo", class_Bloom_LiveInfo_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_FilterInfo);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_created_default_value;
	ZVAL_UNDEF(&property_created_default_value);
	zend_string *property_created_name = zend_string_init("created", sizeof("created") - 1, 1);
	zend_declare_typed_property(class_entry, property_created_name, &property_created_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_created_name);

	zval property_expiresAt_default_value;
	ZVAL_UNDEF(&property_expiresAt_default_value);
	zend_string *property_expiresAt_name = zend_string_init("expiresAt", sizeof("expiresAt") - 1, 1);
	zend_declare_typed_property(class_entry, property_expiresAt_name, &property_expiresAt_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_expiresAt_name);

	zval property_bounded_default_value;
	ZVAL_UNDEF(&property_bounded_default_value);
	zend_string *property_bounded_name = zend_string_init("bounded", sizeof("bounded") - 1, 1);
	zend_declare_typed_property(class_entry, property_bounded_name, &property_bounded_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_BOOL));
	zend_string_release(property_bounded_name);

	zval property_growth_default_value;
	ZVAL_UNDEF(&property_growth_default_value);
	zend_string *property_growth_name = zend_string_init("growth", sizeof("growth") - 1, 1);
	zend_declare_typed_property(class_entry, property_growth_name, &property_growth_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_growth_name);

	zval property_tightening_default_value;
	ZVAL_UNDEF(&property_tightening_default_value);
	zend_string *property_tightening_name = zend_string_init("tightening", sizeof("tightening") - 1, 1);
	zend_declare_typed_property(class_entry, property_tightening_name, &property_tightening_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_tightening_name);

	zval property_growthFailures_default_value;
	ZVAL_UNDEF(&property_growthFailures_default_value);
	zend_string *property_growthFailures_name = zend_string_init("growthFailures", sizeof("growthFailures") - 1, 1);
	zend_declare_typed_property(class_entry, property_growthFailures_name, &property_growthFailures_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_growthFailures_name);

	zval property_layers_default_value;
	ZVAL_UNDEF(&property_layers_default_value);
	zend_string *property_layers_name = zend_string_init("layers", sizeof("layers") - 1, 1);
	zend_declare_typed_property(class_entry, property_layers_name, &property_layers_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ARRAY));
	zend_string_release(property_layers_name);

	zval property_window_default_value;
	ZVAL_UNDEF(&property_window_default_value);
	zend_string *property_window_name = zend_string_init("window", sizeof("window") - 1, 1);
	zend_declare_typed_property(class_entry, property_window_name, &property_window_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_window_name);

	zval property_rotatesAt_default_value;
	ZVAL_UNDEF(&property_rotatesAt_default_value);
	zend_string *property_rotatesAt_name = zend_string_init("rotatesAt", sizeof("rotatesAt") - 1, 1);
	zend_declare_typed_property(class_entry, property_rotatesAt_name, &property_rotatesAt_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_rotatesAt_name);

	zval property_nextFill_default_value;
	ZVAL_UNDEF(&property_nextFill_default_value);
	zend_string *property_nextFill_name = zend_string_init("nextFill", sizeof("nextFill") - 1, 1);
	zend_declare_typed_property(class_entry, property_nextFill_name, &property_nextFill_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_nextFill_name);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_JournalInfo(zend_class_entry *class_entry_Bloom_Info)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "JournalInfo", class_Bloom_JournalInfo_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_Info);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_position_default_value;
	ZVAL_UNDEF(&property_position_default_value);
	zend_string *property_position_name = zend_string_init("position", sizeof("position") - 1, 1);
	zend_declare_typed_property(class_entry, property_position_name, &property_position_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_position_name);

	zval property_lag_default_value;
	ZVAL_UNDEF(&property_lag_default_value);
	zend_string *property_lag_name = zend_string_init("lag", sizeof("lag") - 1, 1);
	zend_declare_typed_property(class_entry, property_lag_name, &property_lag_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_lag_name);

	zval property_maxLag_default_value;
	ZVAL_UNDEF(&property_maxLag_default_value);
	zend_string *property_maxLag_name = zend_string_init("maxLag", sizeof("maxLag") - 1, 1);
	zend_declare_typed_property(class_entry, property_maxLag_name, &property_maxLag_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_maxLag_name);

	zval property_isComplete_default_value;
	ZVAL_UNDEF(&property_isComplete_default_value);
	zend_string *property_isComplete_name = zend_string_init("isComplete", sizeof("isComplete") - 1, 1);
	zend_declare_typed_property(class_entry, property_isComplete_name, &property_isComplete_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_BOOL));
	zend_string_release(property_isComplete_name);

	zval property_recordsLost_default_value;
	ZVAL_UNDEF(&property_recordsLost_default_value);
	zend_string *property_recordsLost_name = zend_string_init("recordsLost", sizeof("recordsLost") - 1, 1);
	zend_declare_typed_property(class_entry, property_recordsLost_name, &property_recordsLost_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_BOOL));
	zend_string_release(property_recordsLost_name);

	zval property_mayLackKeys_default_value;
	ZVAL_UNDEF(&property_mayLackKeys_default_value);
	zend_string *property_mayLackKeys_name = zend_string_init("mayLackKeys", sizeof("mayLackKeys") - 1, 1);
	zend_declare_typed_property(class_entry, property_mayLackKeys_name, &property_mayLackKeys_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_BOOL));
	zend_string_release(property_mayLackKeys_name);

	zval property_records_default_value;
	ZVAL_UNDEF(&property_records_default_value);
	zend_string *property_records_name = zend_string_init("records", sizeof("records") - 1, 1);
	zend_declare_typed_property(class_entry, property_records_name, &property_records_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_records_name);

	zval property_keys_default_value;
	ZVAL_UNDEF(&property_keys_default_value);
	zend_string *property_keys_name = zend_string_init("keys", sizeof("keys") - 1, 1);
	zend_declare_typed_property(class_entry, property_keys_name, &property_keys_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_keys_name);

	zval property_capacity_default_value;
	ZVAL_UNDEF(&property_capacity_default_value);
	zend_string *property_capacity_name = zend_string_init("capacity", sizeof("capacity") - 1, 1);
	zend_declare_typed_property(class_entry, property_capacity_name, &property_capacity_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_capacity_name);

	zval property_bytes_default_value;
	ZVAL_UNDEF(&property_bytes_default_value);
	zend_string *property_bytes_name = zend_string_init("bytes", sizeof("bytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_bytes_name, &property_bytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_bytes_name);

	zval property_falsePositiveRate_default_value;
	ZVAL_UNDEF(&property_falsePositiveRate_default_value);
	zend_string *property_falsePositiveRate_name = zend_string_init("falsePositiveRate", sizeof("falsePositiveRate") - 1, 1);
	zend_declare_typed_property(class_entry, property_falsePositiveRate_name, &property_falsePositiveRate_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_falsePositiveRate_name);

	zval property_measuredFalsePositiveRate_default_value;
	ZVAL_UNDEF(&property_measuredFalsePositiveRate_default_value);
	zend_string *property_measuredFalsePositiveRate_name = zend_string_init("measuredFalsePositiveRate", sizeof("measuredFalsePositiveRate") - 1, 1);
	zend_declare_typed_property(class_entry, property_measuredFalsePositiveRate_name, &property_measuredFalsePositiveRate_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_measuredFalsePositiveRate_name);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_Health(zend_class_entry *class_entry_Bloom_Info)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "Health", class_Bloom_Health_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_Info);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_name_default_value;
	ZVAL_UNDEF(&property_name_default_value);
	zend_string *property_name_name = zend_string_init("name", sizeof("name") - 1, 1);
	zend_declare_typed_property(class_entry, property_name_name, &property_name_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_name_name);

	zend_string *property_status_class_Bloom_HealthStatus = zend_string_init("Bloom\\HealthStatus", sizeof("Bloom\\HealthStatus")-1, 1);
	zval property_status_default_value;
	ZVAL_UNDEF(&property_status_default_value);
	zend_string *property_status_name = zend_string_init("status", sizeof("status") - 1, 1);
	zend_declare_typed_property(class_entry, property_status_name, &property_status_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_status_class_Bloom_HealthStatus, 0, 0));
	zend_string_release(property_status_name);

	zval property_reasons_default_value;
	ZVAL_UNDEF(&property_reasons_default_value);
	zend_string *property_reasons_name = zend_string_init("reasons", sizeof("reasons") - 1, 1);
	zend_declare_typed_property(class_entry, property_reasons_name, &property_reasons_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ARRAY));
	zend_string_release(property_reasons_name);

	zval property_notes_default_value;
	ZVAL_UNDEF(&property_notes_default_value);
	zend_string *property_notes_name = zend_string_init("notes", sizeof("notes") - 1, 1);
	zend_declare_typed_property(class_entry, property_notes_name, &property_notes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ARRAY));
	zend_string_release(property_notes_name);

	zval property_isReady_default_value;
	ZVAL_UNDEF(&property_isReady_default_value);
	zend_string *property_isReady_name = zend_string_init("isReady", sizeof("isReady") - 1, 1);
	zend_declare_typed_property(class_entry, property_isReady_name, &property_isReady_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_BOOL));
	zend_string_release(property_isReady_name);

	zend_string *property_info_class_Bloom_FilterInfo = zend_string_init("Bloom\\FilterInfo", sizeof("Bloom\\FilterInfo")-1, 1);
	zval property_info_default_value;
	ZVAL_UNDEF(&property_info_default_value);
	zend_string *property_info_name = zend_string_init("info", sizeof("info") - 1, 1);
	zend_declare_typed_property(class_entry, property_info_name, &property_info_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_info_class_Bloom_FilterInfo, 0, MAY_BE_NULL));
	zend_string_release(property_info_name);

	zval property_buildAge_default_value;
	ZVAL_UNDEF(&property_buildAge_default_value);
	zend_string *property_buildAge_name = zend_string_init("buildAge", sizeof("buildAge") - 1, 1);
	zend_declare_typed_property(class_entry, property_buildAge_name, &property_buildAge_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_buildAge_name);

	zval property_syncAge_default_value;
	ZVAL_UNDEF(&property_syncAge_default_value);
	zend_string *property_syncAge_name = zend_string_init("syncAge", sizeof("syncAge") - 1, 1);
	zend_declare_typed_property(class_entry, property_syncAge_name, &property_syncAge_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_syncAge_name);

	zval property_behind_default_value;
	ZVAL_UNDEF(&property_behind_default_value);
	zend_string *property_behind_name = zend_string_init("behind", sizeof("behind") - 1, 1);
	zend_declare_typed_property(class_entry, property_behind_name, &property_behind_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_behind_name);

	zval property_reloadBytes_default_value;
	ZVAL_UNDEF(&property_reloadBytes_default_value);
	zend_string *property_reloadBytes_name = zend_string_init("reloadBytes", sizeof("reloadBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_reloadBytes_name, &property_reloadBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_reloadBytes_name);

	zval property_freeBytes_default_value;
	ZVAL_UNDEF(&property_freeBytes_default_value);
	zend_string *property_freeBytes_name = zend_string_init("freeBytes", sizeof("freeBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_freeBytes_name, &property_freeBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_freeBytes_name);

	zval property_foreignFiles_default_value;
	ZVAL_UNDEF(&property_foreignFiles_default_value);
	zend_string *property_foreignFiles_name = zend_string_init("foreignFiles", sizeof("foreignFiles") - 1, 1);
	zend_declare_typed_property(class_entry, property_foreignFiles_name, &property_foreignFiles_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ARRAY));
	zend_string_release(property_foreignFiles_name);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_Membership(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "Membership", class_Bloom_Membership_methods);
	class_entry = zend_register_internal_interface(&ce);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_Layout(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "Layout", class_Bloom_Layout_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_shardBytes_default_value;
	ZVAL_UNDEF(&property_shardBytes_default_value);
	zend_string *property_shardBytes_name = zend_string_init("shardBytes", sizeof("shardBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_shardBytes_name, &property_shardBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_shardBytes_name);

	zval property_blockBytes_default_value;
	ZVAL_UNDEF(&property_blockBytes_default_value);
	zend_string *property_blockBytes_name = zend_string_init("blockBytes", sizeof("blockBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_blockBytes_name, &property_blockBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_blockBytes_name);

	zval property_probes_default_value;
	ZVAL_UNDEF(&property_probes_default_value);
	zend_string *property_probes_name = zend_string_init("probes", sizeof("probes") - 1, 1);
	zend_declare_typed_property(class_entry, property_probes_name, &property_probes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_probes_name);

	zval property_chunkBytes_default_value;
	ZVAL_UNDEF(&property_chunkBytes_default_value);
	zend_string *property_chunkBytes_name = zend_string_init("chunkBytes", sizeof("chunkBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_chunkBytes_name, &property_chunkBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_chunkBytes_name);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_Builder(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "Builder", class_Bloom_Builder_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;


	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "__construct", sizeof("__construct") - 1), 7, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "like", sizeof("like") - 1), 8, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_Blob(zend_class_entry *class_entry_Bloom_Membership)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "Blob", class_Bloom_Blob_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_Bloom_Membership);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_Filter(zend_class_entry *class_entry_Bloom_Membership)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "Filter", class_Bloom_Filter_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_ABSTRACT|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_Bloom_Membership);

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

static zend_class_entry *register_class_Bloom_LoadedMap(zend_class_entry *class_entry_Bloom_Filter)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "LoadedMap", class_Bloom_LoadedMap_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_Filter);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Bloom_MapBuilder(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "MapBuilder", class_Bloom_MapBuilder_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;


	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "__construct", sizeof("__construct") - 1), 7, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "like", sizeof("like") - 1), 8, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_WritableFilter(zend_class_entry *class_entry_Bloom_Filter)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "WritableFilter", class_Bloom_WritableFilter_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_Filter);
	class_entry->ce_flags |= ZEND_ACC_ABSTRACT|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Bloom_LiveFilter(zend_class_entry *class_entry_Bloom_WritableFilter)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "LiveFilter", class_Bloom_LiveFilter_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_WritableFilter);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Bloom_CountingFilter(zend_class_entry *class_entry_Bloom_WritableFilter)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "CountingFilter", class_Bloom_CountingFilter_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_WritableFilter);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Bloom_ScalableFilter(zend_class_entry *class_entry_Bloom_WritableFilter)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "ScalableFilter", class_Bloom_ScalableFilter_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_WritableFilter);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Bloom_SlidingFilter(zend_class_entry *class_entry_Bloom_WritableFilter)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "SlidingFilter", class_Bloom_SlidingFilter_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_WritableFilter);
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


	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "__construct", sizeof("__construct") - 1), 7, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "like", sizeof("like") - 1), 8, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

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

static zend_class_entry *register_class_Bloom_BuiltInStore(zend_class_entry *class_entry_Bloom_Store)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "BuiltInStore", class_Bloom_BuiltInStore_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_ABSTRACT|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_Bloom_Store);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_BuiltInJournalStore(zend_class_entry *class_entry_Bloom_BuiltInStore, zend_class_entry *class_entry_Bloom_JournalStore)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "BuiltInJournalStore", class_Bloom_BuiltInJournalStore_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_BuiltInStore);
	class_entry->ce_flags |= ZEND_ACC_ABSTRACT|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_Bloom_JournalStore);

	return class_entry;
}

static zend_class_entry *register_class_Bloom_DirectoryStore(zend_class_entry *class_entry_Bloom_BuiltInJournalStore)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "DirectoryStore", class_Bloom_DirectoryStore_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_BuiltInJournalStore);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Bloom_RedisStore(zend_class_entry *class_entry_Bloom_BuiltInJournalStore)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "RedisStore", class_Bloom_RedisStore_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_BuiltInJournalStore);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Bloom_MemcachedStore(zend_class_entry *class_entry_Bloom_BuiltInStore)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Bloom", "MemcachedStore", class_Bloom_MemcachedStore_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Bloom_BuiltInStore);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
/* NOLINTEND(readability-function-size) */

/* The class entries of this extension. bloom.c registers them in MINIT. */
#ifndef PHP_BLOOM_CLASSES_H
#define PHP_BLOOM_CLASSES_H

#include "php/engine.h"

extern zend_class_entry *php_bloom_ce_Bloom;
extern zend_class_entry *php_bloom_ce_NotFound;
extern zend_class_entry *php_bloom_ce_Kind;
extern zend_class_entry *php_bloom_ce_Format;
extern zend_class_entry *php_bloom_ce_Rate;
extern zend_class_entry *php_bloom_ce_Segment;
extern zend_class_entry *php_bloom_ce_Busy;
extern zend_class_entry *php_bloom_ce_Store;
extern zend_class_entry *php_bloom_ce_Secret;
extern zend_class_entry *php_bloom_ce_Signature;
extern zend_class_entry *php_bloom_ce_layout;
extern zend_class_entry *php_bloom_ce_builder;
extern zend_class_entry *php_bloom_ce_blob;
extern zend_class_entry *php_bloom_ce_filter;
extern zend_class_entry *php_bloom_ce_writable_filter;
extern zend_class_entry *php_bloom_ce_reverse_index_builder;
extern zend_class_entry *php_bloom_ce_map_builder;
extern zend_class_entry *php_bloom_ce_journal;
extern zend_class_entry *php_bloom_ce_store_interface;
extern zend_class_entry *php_bloom_ce_journal_store_interface;
extern zend_class_entry *php_bloom_ce_built_in_store;
extern zend_class_entry *php_bloom_ce_built_in_journal_store;

/* The classes of handles, each with the class that it extends. Each row of segment/kinds.h refers
 * to one of them. */
/* clang-format off */
#define PHP_BLOOM_FILTER_CLASSES(CLASS) \
	CLASS(loaded_filter, LoadedFilter, filter) \
	CLASS(live_filter, LiveFilter, writable_filter) \
	CLASS(counting_filter, CountingFilter, writable_filter) \
	CLASS(scalable_filter, ScalableFilter, writable_filter) \
	CLASS(sliding_filter, SlidingFilter, writable_filter) \
	CLASS(reverse_index, ReverseIndex, filter) \
	CLASS(on_demand_filter, OnDemandFilter, filter) \
	CLASS(loaded_map, LoadedMap, filter) \
	/* new filter classes: above */
/* clang-format on */

/* The stores whose objects are a php_bloom_store_object, each with the class that it extends. */
/* clang-format off */
#define PHP_BLOOM_STORE_CLASSES(CLASS) \
	CLASS(directory_store, DirectoryStore, built_in_journal_store) \
	CLASS(redis_store, RedisStore, built_in_journal_store) \
	CLASS(memcached_store, MemcachedStore, built_in_store) \
	/* new stores: above */
/* clang-format on */

/* The enums. Then the classes of the objects that info() returns, each with the class that it
 * extends. */
/* clang-format off */
#define PHP_BLOOM_ENUMS(ENUM) \
	ENUM(kind, Kind) \
	ENUM(scheme, Scheme) \
	ENUM(foreign_format, ForeignFormat) \
	ENUM(status, Status) \
	ENUM(sync_result, SyncResult) \
	ENUM(health_status, HealthStatus) \
	/* new enums: above */

#define PHP_BLOOM_INFO_CLASSES(CLASS) \
	CLASS(builder_info, BuilderInfo, info) \
	CLASS(blob_info, BlobInfo, info) \
	CLASS(version, Version, info) \
	CLASS(filter_info, FilterInfo, info) \
	CLASS(loaded_info, LoadedInfo, filter_info) \
	CLASS(on_demand_info, OnDemandInfo, loaded_info) \
	CLASS(live_info, LiveInfo, filter_info) \
	CLASS(journal_info, JournalInfo, info) \
	CLASS(counters_info, CountersInfo, info) \
	CLASS(health, Health, info) \
	/* new classes: above */
/* clang-format on */

extern zend_class_entry *php_bloom_ce_info;
#define PHP_BLOOM_EXTERN(class, name) extern zend_class_entry *php_bloom_ce_##class;
PHP_BLOOM_ENUMS(PHP_BLOOM_EXTERN)
#undef PHP_BLOOM_EXTERN
#define PHP_BLOOM_EXTERN(class, name, parent) extern zend_class_entry *php_bloom_ce_##class;
PHP_BLOOM_INFO_CLASSES(PHP_BLOOM_EXTERN)
PHP_BLOOM_STORE_CLASSES(PHP_BLOOM_EXTERN)
PHP_BLOOM_FILTER_CLASSES(PHP_BLOOM_EXTERN)
#undef PHP_BLOOM_EXTERN

#endif

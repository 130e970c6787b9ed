/* The class entries of this extension. bloom.c registers them in MINIT.
 *
 * If disable_classes names an exception of this extension, disabled.c replaces its entry by the
 * entry of its parent.
 */
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
extern zend_class_entry *php_bloom_ce_builder;
extern zend_class_entry *php_bloom_ce_blob;
extern zend_class_entry *php_bloom_ce_filter;
extern zend_class_entry *php_bloom_ce_loaded_filter;
extern zend_class_entry *php_bloom_ce_live_filter;
extern zend_class_entry *php_bloom_ce_counting_filter;
extern zend_class_entry *php_bloom_ce_scalable_filter;
extern zend_class_entry *php_bloom_ce_sliding_filter;
extern zend_class_entry *php_bloom_ce_reverse_index;
extern zend_class_entry *php_bloom_ce_on_demand_filter;
extern zend_class_entry *php_bloom_ce_reverse_index_builder;
extern zend_class_entry *php_bloom_ce_store_interface;
extern zend_class_entry *php_bloom_ce_directory_store;
extern zend_class_entry *php_bloom_ce_redis_store;
extern zend_class_entry *php_bloom_ce_memcached_store;

#endif

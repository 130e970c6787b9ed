/* Declares the module entry for static builds of PHP. */
#ifndef PHP_BLOOM_H
#define PHP_BLOOM_H

#define PHP_BLOOM_VERSION "0.1.0"

extern zend_module_entry bloom_module_entry;
#define phpext_bloom_ptr &bloom_module_entry

#endif

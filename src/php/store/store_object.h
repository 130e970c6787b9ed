/* The objects of the stores in PHP_BLOOM_STORE_CLASSES.
 *
 * The values that were passed to the constructor are in the struct, not in private properties. PHP
 * lets any code write properties without checks, for example through ArrayObject, or turn them into
 * references, as array_walk() does.
 */
#ifndef PHP_BLOOM_STORE_OBJECT_H
#define PHP_BLOOM_STORE_OBJECT_H

#include "php/engine.h"
#include "php/object.h"

/* Indices of php_bloom_store_object.clients */
enum { PHP_BLOOM_CLIENT_GIVEN, PHP_BLOOM_CLIENT_MADE, PHP_BLOOM_CLIENTS };

typedef struct php_bloom_store_object {
	/* GIVEN: the client that was passed to the constructor, or the closure that makes one.
	 * MADE: the client that the closure made. Both are undefined in a DirectoryStore. */
	zval clients[PHP_BLOOM_CLIENTS];
	uint64_t process;  /* the process whose client it is, as bloom_process_id() */
	uint32_t turn;     /* how many clients the store has closed or forgotten */
	zend_string *text; /* the directory, or the prefix of all keys; NULL: never constructed */
	/* The size of the largest value that set() has written to this directory. A publisher reads
	 * chunks back before a head states their size. */
	uint64_t largest_bytes;
	zend_object std;
} php_bloom_store_object;

static inline php_bloom_store_object *php_bloom_store_object_of(zend_object *object)
{
	return PHP_BLOOM_OBJECT_OF(php_bloom_store_object, object);
}

/* Fills a new object, which takes over the reference to `text`. Throws if the object is already
 * constructed.
 *
 *   client  NULL: none */
bool php_bloom_store_object_construct(zend_object *object, zval *client, zend_string *text);

/* Returns the object's struct. Throws if the object was never constructed. The client and the text
 * of a constructed object are always set. */
php_bloom_store_object *php_bloom_store_object_made(zend_object *object);

/* Sets the handlers of these classes. MINIT calls it once, after the class entries exist. */
void php_bloom_store_object_startup(void);

#endif

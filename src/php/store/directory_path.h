/* The paths of Bloom\DirectoryStore. */
#ifndef PHP_BLOOM_DIRECTORY_PATH_H
#define PHP_BLOOM_DIRECTORY_PATH_H

#include "php/engine.h"

typedef struct php_bloom_directory {
	const char *path;
	bool is_portable; /* whether its files have names that Windows accepts */
} php_bloom_directory;

/* Finds the store's directory. Throws if it is missing. */
bool php_bloom_directory_of(zend_object *store, php_bloom_directory *directory);

/* Writes the path of a file that belongs to a filter. Returns false if it is too long.
 *
 *   suffix  follows a colon; NULL: neither */
bool php_bloom_directory_file(const php_bloom_directory *directory, const char *name,
	size_t name_bytes, const char *suffix, char path[MAXPATHLEN]);

/* Writes the path of a key's file. */
bool php_bloom_directory_path(
	const php_bloom_directory *directory, const zend_string *key, char path[MAXPATHLEN]);

/* Checks open_basedir for a key's file. open_basedir may have been set after the store was created,
 * and a link in the store's directory may point to a path that is not allowed.
 *
 *   done  what would be done, such as "read" */
bool php_bloom_directory_allows(const char *path, const char *done);

/* Throws a StoreException: "path: what: errno". */
void php_bloom_directory_throw(const char *path, const char *what, int os_error);

#endif

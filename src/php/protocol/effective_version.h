/* Decides whether hosts serve the published version or the one of an override (filter/override.h).
 *
 *     <name> and <name>:override, in one call of the store ─► choose ─► the head to serve
 */
#ifndef PHP_BLOOM_EFFECTIVE_VERSION_H
#define PHP_BLOOM_EFFECTIVE_VERSION_H

#include "filter/override.h"
#include "php/store/store.h"
#include "segment/control.h"

/* An override from a store. The caller releases it. */
typedef struct php_bloom_stored_override {
	zend_string *bytes;      /* NULL: the store does not have it */
	bloom_override override; /* borrows `bytes` */
} php_bloom_stored_override;

/* Gets and checks an override, except for its signature. An unreadable one must not prevent a valid
 * head from being published, so it counts as missing. */
bool php_bloom_override_get(zend_object *store, const char *name, php_bloom_stored_override *found);

/* Releases an override. The function may be called twice. */
void php_bloom_override_release(php_bloom_stored_override *found);

/* Returns whether hosts serve the version of this override while a head is published. Checks the
 * signature with this process's signing keys. */
bool php_bloom_override_is_in_force(const php_bloom_stored_override *found, const char *name,
	const php_bloom_published *published);

/* The version that this host should serve. The caller releases it. */
typedef struct php_bloom_effective {
	php_bloom_published head; /* until php_bloom_effective_choose(), the published one */
	php_bloom_stored_override override;
	bloom_override_kind kind; /* the override that applies */
	uint64_t since_ms;
	bloom_error refused; /* why an override was refused; status OK: none was */
} php_bloom_effective;

/* Gets the published head, and the override if there is one. If the store has no head, head.bytes
 * is NULL. Throws if the head or the override is unreadable. If the function returns false after
 * an exception, there is nothing to release. */
bool php_bloom_effective_get(zend_object *store, const char *name, php_bloom_effective *effective);

/* Does the same, but throws if the store has no head. */
bool php_bloom_effective_require(
	zend_object *store, const char *name, php_bloom_effective *effective);

/* Chooses the head to serve. The published head must be there. Does not call the store.
 *
 *   control  remembers the newest override; NULL: no filter has this name yet
 *   force    also accept an override that is older than the newest one */
void php_bloom_effective_choose(
	php_bloom_effective *effective, const char *name, const bloom_control *control, bool force);

void php_bloom_effective_release(php_bloom_effective *effective);

#endif

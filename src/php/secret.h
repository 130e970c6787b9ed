/* The rings of secrets in force, and the secret that a call chooses from them. */
#ifndef PHP_BLOOM_SECRET_H
#define PHP_BLOOM_SECRET_H

#include "php/engine.h"
#include "filter/secret.h"

/* The rings in force, read at the first call in a process. A file that could not be read gives a ring that says
 * why, to whoever needs a secret. */
const bloom_ring *php_bloom_secrets(void);
const bloom_ring *php_bloom_signers(void);
void php_bloom_rings_drop(void); /* and wipes them; they are read anew */

/* What phpinfo() shows of one: fingerprints. */
zend_string *php_bloom_ring_text(const bloom_ring *ring);

/* The current secret of bloom.secret_file.  NULL: thrown. */
const bloom_secret *php_bloom_current_secret(void);

/* The secret that a builder is asked to use: of argument `argument`, if it is given, made in *room, which the
 * caller wipes; or the current one.  *secret NULL: none.  False: thrown. */
bool php_bloom_choose_secret(bool keyed, const zend_string *given, uint32_t argument,
	bloom_secret *room, const bloom_secret **secret);

/* The same for create(), which takes the current one.  *fingerprint 0: none.  False: thrown. */
bool php_bloom_choose_fingerprint(bool keyed, uint64_t *fingerprint);

#endif

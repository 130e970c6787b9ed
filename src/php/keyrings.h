/* Declares the rings of secrets in force, and the functions that choose a secret for a call.
 *
 * A process reads both files once, at the first use. MINIT cannot read them, because FPM runs it
 * as root, before a pool's user and settings apply.
 */
#ifndef PHP_BLOOM_KEYRINGS_H
#define PHP_BLOOM_KEYRINGS_H

#include "php/engine.h"
#include "filter/secret.h"

/* These functions return the rings of bloom.secret_file and bloom.signing_key_file. If a file
 * cannot be read, its ring contains the error, which is thrown when a call needs a secret. */
const bloom_ring *php_bloom_secrets(void);
const bloom_ring *php_bloom_signers(void);

/* Wipes both rings. The next use reads the files again. */
void php_bloom_rings_drop(void);

/* Returns the fingerprints of a ring as text for phpinfo(). The caller releases it. */
zend_string *php_bloom_ring_text(const bloom_ring *ring);

/* Returns the current secret of bloom.secret_file. */
const bloom_secret *php_bloom_current_secret(void);

/* Chooses a builder's secret: `given` if it is not NULL, otherwise the current secret if `keyed`,
 * otherwise no secret (*secret is NULL). A given secret is stored in *storage, which the caller
 * wipes. */
bool php_bloom_choose_secret(bool keyed, const zend_string *given, uint32_t argument,
	bloom_secret *storage, const bloom_secret **secret);

/* Chooses the secret of create(), which is the current one if `keyed` is set, and otherwise none
 * (0). */
bool php_bloom_choose_fingerprint(bool keyed, uint64_t *fingerprint);

#endif

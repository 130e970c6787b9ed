#include "php/keyrings.h"

#include <string.h>

#include "os/process.h"
#include "php/errors.h"
#include "php/globals.h"
#include "segment/keyring.h"

/* ---- the rings in force ---- */

/* Each process, or each thread in a ZTS build, reads the files once. MINIT is too early: under FPM
 * it runs as root and before the pool's settings apply. */
static void read_rings(void)
{
	if (EXPECTED(BLOOM_G(rings_by) != 0)) {
		return;
	}
	bloom_ring_read(BLOOM_G(secret_file), &BLOOM_G(secrets));
	bloom_ring_read(BLOOM_G(signing_key_file), &BLOOM_G(signers));
	BLOOM_G(rings_by) = bloom_process_id();
}

const bloom_ring *php_bloom_secrets(void)
{
	read_rings();
	return &BLOOM_G(secrets);
}

const bloom_ring *php_bloom_signers(void)
{
	read_rings();
	return &BLOOM_G(signers);
}

void php_bloom_rings_drop(void)
{
	bloom_ring_drop(&BLOOM_G(secrets));
	bloom_ring_drop(&BLOOM_G(signers));
	BLOOM_G(rings_by) = 0;
}

zend_string *php_bloom_ring_text(const bloom_ring *ring)
{
	char text[BLOOM_RING_SECRETS_MAX * 18 + 1];
	int at = 0;
	uint32_t i;

	if (BLOOM_G(rings_by) == 0) {
		return strpprintf(0, "none used yet");
	}
	if (ring->failure.status != BLOOM_OK) {
		return php_bloom_error_text(&ring->failure);
	}
	for (i = 0; i < ring->count; i++) {
		at += snprintf(text + at, sizeof text - (size_t)at, "%s%016llx", i > 0 ? ", " : "",
			(unsigned long long)ring->secret[i].fingerprint);
	}
	text[at] = 0;
	return ring->count == 0 ? strpprintf(0, "none")
				: strpprintf(0, "%u: %s", (unsigned)ring->count, text);
}

/* ---- choosing a secret ---- */

const bloom_secret *php_bloom_current_secret(void)
{
	bloom_error error = {0};
	const bloom_secret *secret =
		bloom_ring_current(php_bloom_secrets(), BLOOM_E_NO_SECRET, &error);

	if (secret == NULL) {
		php_bloom_throw(&error);
	}
	return secret;
}

bool php_bloom_choose_secret(bool keyed, const zend_string *given, uint32_t argument,
	bloom_secret *storage, const bloom_secret **secret)
{
	bloom_error error = {0};

	*secret = NULL;
	if (given == NULL) {
		*secret = keyed ? php_bloom_current_secret() : NULL;
		return !keyed || *secret != NULL;
	}
	if (ZSTR_LEN(given) != BLOOM_SECRET_BYTES) {
		zend_argument_value_error(argument, "must be %d bytes", BLOOM_SECRET_BYTES);
		return false;
	}
	if (bloom_secret_make((const unsigned char *)ZSTR_VAL(given), storage, &error) !=
		BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	*secret = storage;
	return true;
}

bool php_bloom_choose_fingerprint(bool keyed, uint64_t *fingerprint)
{
	const bloom_secret *secret = keyed ? php_bloom_current_secret() : NULL;

	*fingerprint = secret != NULL ? secret->fingerprint : 0;
	return !keyed || secret != NULL;
}

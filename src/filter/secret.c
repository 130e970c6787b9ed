#include "filter/secret.h"

#include <stdlib.h>
#include <string.h>

#include "filter/atomic.h"
#include "filter/bytes.h"

/* ---- libsodium ---- */

#ifdef BLOOM_SODIUM

#include <sodium.h>

/* A BLAKE2b personalization has exactly 16 bytes, so the shortest string is padded with a space. */
static const char person_fingerprint[] = "bloom fingerprnt";
static const char person_digest_key[] = "bloom digest key";
static const char person_signature[] = "bloom signature ";
static const char person_record[] = "bloom journal   ";
static const char person_override[] = "bloom override  ";

_Static_assert(
	sizeof person_fingerprint == crypto_generichash_blake2b_PERSONALBYTES + 1, "16 bytes");
_Static_assert(
	sizeof person_digest_key == crypto_generichash_blake2b_PERSONALBYTES + 1, "16 bytes");
_Static_assert(sizeof person_signature == crypto_generichash_blake2b_PERSONALBYTES + 1, "16 bytes");
_Static_assert(sizeof person_record == crypto_generichash_blake2b_PERSONALBYTES + 1, "16 bytes");
_Static_assert(sizeof person_override == crypto_generichash_blake2b_PERSONALBYTES + 1, "16 bytes");
_Static_assert(
	(int)BLOOM_DIGEST_KEY_BYTES == (int)crypto_shorthash_siphash24_KEYBYTES, "SipHash's key");

bool bloom_has_sodium(void)
{
	return true;
}

const char *bloom_sodium_version(void)
{
	return sodium_version_string();
}

/* Lets libsodium choose the fastest implementation for this processor. Without this call, libsodium
 * computes the same results, but more slowly. sodium_init() is idempotent and thread-safe, so
 * several threads may call it concurrently. */
static void prepare(void)
{
	static uint64_t prepared;

	if (bloom_load_relaxed(&prepared) == 0 && sodium_init() >= 0) {
		bloom_store_relaxed(&prepared, 1);
	}
}

void bloom_wipe(void *bytes, size_t count)
{
	sodium_memzero(bytes, count);
}

static const unsigned char *person_bytes(const char *person)
{
	return (const unsigned char *)person;
}

/* Computes keyed BLAKE2b with a personalization. `bytes` may be NULL if `count` is 0. */
static void blake_keyed(const bloom_secret *secret, const char *person, const unsigned char *bytes,
	size_t count, unsigned char *out, size_t out_bytes)
{
	prepare();
	(void)crypto_generichash_blake2b_salt_personal(out, out_bytes, bytes, count, secret->bytes,
		sizeof secret->bytes, NULL, person_bytes(person));
}

static void set_fingerprint(bloom_secret *secret)
{
	unsigned char digest[16];

	blake_keyed(secret, person_fingerprint, NULL, 0, digest, sizeof digest);
	secret->fingerprint = bloom_get64(digest);
	/* The blob format uses 0 for "not keyed". */
	if (secret->fingerprint == 0) {
		secret->fingerprint = 1;
	}
}

void bloom_digest_key(
	const bloom_secret *secret, uint64_t seed, unsigned char key[BLOOM_DIGEST_KEY_BYTES])
{
	unsigned char bytes[8];

	bloom_put64(bytes, seed);
	blake_keyed(secret, person_digest_key, bytes, sizeof bytes, key, BLOOM_DIGEST_KEY_BYTES);
}

uint64_t bloom_siphash(
	const unsigned char key[BLOOM_DIGEST_KEY_BYTES], const unsigned char *bytes, size_t count)
{
	unsigned char out[crypto_shorthash_siphash24_BYTES];

	(void)crypto_shorthash_siphash24(out, bytes, count, key);
	return bloom_get64(out);
}

void bloom_blake_chunk(
	const unsigned char *bytes, size_t count, unsigned char digest[BLOOM_BLAKE_CHUNK_BYTES])
{
	prepare();
	(void)crypto_generichash_blake2b(digest, BLOOM_BLAKE_CHUNK_BYTES, bytes, count, NULL, 0);
}

void bloom_authenticate(const bloom_secret *key, bloom_authenticated what,
	const bloom_piece *pieces, size_t count, unsigned char signature[BLOOM_SIGNATURE_BYTES])
{
	static const char *const persons[] = {
		[BLOOM_AUTHENTICATE_HEAD] = person_signature,
		[BLOOM_AUTHENTICATE_RECORD] = person_record,
		[BLOOM_AUTHENTICATE_OVERRIDE] = person_override,
	};
	crypto_generichash_blake2b_state state;
	size_t i;

	prepare();
	(void)crypto_generichash_blake2b_init_salt_personal(&state, key->bytes, sizeof key->bytes,
		BLOOM_SIGNATURE_BYTES, NULL, person_bytes(persons[what]));
	for (i = 0; i < count; i++) {
		(void)crypto_generichash_blake2b_update(&state, pieces[i].bytes, pieces[i].count);
	}
	(void)crypto_generichash_blake2b_final(&state, signature, BLOOM_SIGNATURE_BYTES);
	sodium_memzero(&state, sizeof state);
}

bool bloom_signature_equals(const unsigned char one[BLOOM_SIGNATURE_BYTES],
	const unsigned char other[BLOOM_SIGNATURE_BYTES])
{
	return sodium_memcmp(one, other, BLOOM_SIGNATURE_BYTES) == 0;
}

#else

/* Without libsodium, the functions that call abort() are unreachable: bloom_secret_make() fails, so
 * no secret exists, and the blob parser rejects keyed and signed blobs. */

bool bloom_has_sodium(void)
{
	return false;
}

const char *bloom_sodium_version(void)
{
	return NULL;
}

void bloom_wipe(void *bytes, size_t count)
{
	memset(bytes, 0, count);
}

static void set_fingerprint(bloom_secret *secret)
{
	secret->fingerprint = 0;
}

void bloom_digest_key(
	const bloom_secret *secret, uint64_t seed, unsigned char key[BLOOM_DIGEST_KEY_BYTES])
{
	(void)secret;
	(void)seed;
	(void)key;
	abort();
}

uint64_t bloom_siphash(
	const unsigned char key[BLOOM_DIGEST_KEY_BYTES], const unsigned char *bytes, size_t count)
{
	(void)key;
	(void)bytes;
	(void)count;
	abort();
}

void bloom_blake_chunk(
	const unsigned char *bytes, size_t count, unsigned char digest[BLOOM_BLAKE_CHUNK_BYTES])
{
	(void)bytes;
	(void)count;
	(void)digest;
	abort();
}

void bloom_authenticate(const bloom_secret *key, bloom_authenticated what,
	const bloom_piece *pieces, size_t count, unsigned char signature[BLOOM_SIGNATURE_BYTES])
{
	(void)key;
	(void)what;
	(void)pieces;
	(void)count;
	(void)signature;
	abort();
}

bool bloom_signature_equals(const unsigned char one[BLOOM_SIGNATURE_BYTES],
	const unsigned char other[BLOOM_SIGNATURE_BYTES])
{
	(void)one;
	(void)other;
	return false;
}

#endif

/* ---- rings ---- */

bloom_status bloom_secret_make(
	const unsigned char bytes[BLOOM_SECRET_BYTES], bloom_secret *secret, bloom_error *error)
{
	if (!bloom_has_sodium()) {
		return bloom_fail(error, BLOOM_E_SODIUM, 0, "secret");
	}
	memcpy(secret->bytes, bytes, BLOOM_SECRET_BYTES);
	set_fingerprint(secret);
	return BLOOM_OK;
}

static int digit_of(unsigned char character)
{
	return character >= '0' && character <= '9'    ? character - '0'
		: character >= 'a' && character <= 'f' ? character - 'a' + 10
		: character >= 'A' && character <= 'F' ? character - 'A' + 10
						       : -1;
}

static bool is_space(unsigned char character)
{
	return character == ' ' || character == '\t' || character == '\r';
}

/* Decodes a trimmed line. Returns false if the line does not consist of 64 hexadecimal digits. */
static bool read_secret(const unsigned char *line, size_t count, unsigned char *bytes)
{
	size_t i;
	int high, low;

	if (count != (size_t)BLOOM_SECRET_BYTES * 2) {
		return false;
	}
	for (i = 0; i < BLOOM_SECRET_BYTES; i++) {
		high = digit_of(line[2 * i]);
		low = digit_of(line[2 * i + 1]);
		if (high < 0 || low < 0) {
			return false;
		}
		bytes[i] = (unsigned char)(high << 4 | low);
	}
	return true;
}

/* Adds the secret on a line to the ring. Returns NULL, or the reason why the line is invalid. */
static const char *take_line(const unsigned char *line, size_t count, bloom_ring *ring)
{
	unsigned char bytes[BLOOM_SECRET_BYTES];
	const char *problem = NULL;
	uint32_t i;

	for (; count > 0 && is_space(line[0]); count--) {
		line++;
	}
	while (count > 0 && is_space(line[count - 1])) {
		count--;
	}
	if (count == 0 || line[0] == '#') {
		return NULL;
	}
	if (!read_secret(line, count, bytes)) {
		problem = "not 64 hexadecimal digits";
	} else if (ring->count == BLOOM_RING_SECRETS_MAX) {
		problem = "more than 8 secrets";
	} else {
		(void)bloom_secret_make(bytes, &ring->secret[ring->count], NULL);
		for (i = 0; i < ring->count; i++) {
			if (ring->secret[i].fingerprint == ring->secret[ring->count].fingerprint) {
				problem = "repeats an earlier secret";
			}
		}
		ring->count++;
	}
	bloom_wipe(bytes, sizeof bytes);
	return problem;
}

bloom_status bloom_ring_parse(const unsigned char *text, size_t count, const char *what,
	bloom_ring *ring, bloom_error *error)
{
	bloom_ring parsed = {.configured = true};
	const unsigned char *end = text + count, *next;
	bloom_status status = BLOOM_OK;
	const char *problem = NULL;
	unsigned line;

	if (!bloom_has_sodium()) {
		return bloom_fail(error, BLOOM_E_SODIUM, 0, "%.600s", what);
	}
	for (line = 1; problem == NULL && text < end; line++, text = next < end ? next + 1 : end) {
		next = memchr(text, '\n', (size_t)(end - text));
		next = next != NULL ? next : end;
		problem = take_line(text, (size_t)(next - text), &parsed);
		if (problem != NULL) {
			status = bloom_fail(error, BLOOM_E_SECRET_TEXT, 0, "%.600s, line %u: %s",
				what, line, problem);
			break;
		}
	}
	if (status == BLOOM_OK && parsed.count == 0) {
		status = bloom_fail(error, BLOOM_E_SECRET_TEXT, 0, "%.180s: no secret", what);
	}
	if (status == BLOOM_OK) {
		*ring = parsed;
	}
	bloom_wipe(&parsed, sizeof parsed);
	return status;
}

static bloom_status repeat(const bloom_error *failure, bloom_error *error)
{
	if (error != NULL) {
		*error = *failure;
	}
	return failure->status;
}

const bloom_secret *bloom_ring_current(
	const bloom_ring *ring, bloom_status none, bloom_error *error)
{
	if (ring != NULL && ring->count > 0) {
		return &ring->secret[0];
	}
	if (ring != NULL && ring->failure.status != BLOOM_OK) {
		(void)repeat(&ring->failure, error);
	} else {
		(void)bloom_fail(error, none, 0, "%s", "");
	}
	return NULL;
}

const bloom_secret *bloom_ring_find(
	const bloom_ring *ring, uint64_t fingerprint, bloom_status unknown, bloom_error *error)
{
	uint32_t i;

	for (i = 0; ring != NULL && i < ring->count; i++) {
		if (ring->secret[i].fingerprint == fingerprint) {
			return &ring->secret[i];
		}
	}
	if (ring != NULL && ring->failure.status != BLOOM_OK) {
		(void)repeat(&ring->failure, error);
	} else {
		(void)bloom_fail(
			error, unknown, 0, "fingerprint %016llx", (unsigned long long)fingerprint);
	}
	return NULL;
}

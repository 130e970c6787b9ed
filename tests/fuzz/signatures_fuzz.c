/* Secrets: a ring file with any bytes, and signed blobs that are changed, swapped and recombined.
 *
 * The first byte of an input selects either a ring file or signed blobs. A ring is compared with
 * the result of a separate parser, and its errors must not reveal a byte of it. The signed blobs
 * are plain, keyed and ribbon filters, under two names and by three keys, one of which this host
 * does not know. The input derives others from them by changing bytes, taking parts from another
 * blob, and correcting checksums. A load accepts exactly the blobs that a key of the ring signed
 * for the name, byte for byte, and that are not older than the served one.
 */
/* fault: arbitrary-bytes */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segment/keyring.h"
#include "filter/signature.h"
#include "support.h"

enum {
	KEYS_IN = 30,
	NAMES = 2,
	SIGNERS = 3,
	AGES = 2,
	KINDS = 3,
	LOADS_MAX = 4,
	EDITS_MAX = 8,
	ROOM = 16 * 1024
};

static const char *const names[NAMES] = {"f", "g"};

/* This host does not know the last signer. */
static bloom_secret signers[SIGNERS], secret;
static bloom_ring signing_ring, secret_ring;
static bloom_segment segment;

typedef struct signed_blob {
	small_blob blob;
	unsigned name, signer;
	uint64_t built_ms;
} signed_blob;

static signed_blob all[NAMES * SIGNERS * AGES * KINDS];
enum { ALL = sizeof all / sizeof *all };

static bloom_secret secret_of(uint8_t byte)
{
	unsigned char bytes[BLOOM_SECRET_BYTES];
	bloom_secret made;

	memset(bytes, byte, sizeof bytes);
	require(bloom_secret_make(bytes, &made, NULL) == BLOOM_OK);
	return made;
}

/* Blobs of the two names differ even without their signatures. */
static small_blob blob_of_kind(unsigned kind, uint64_t built_ms, unsigned keys)
{
	static const bloom_geometry plain = {
		.seed = 7, .shards = 2, .shard_bytes = 1024, .block_bytes = 64, .probes = 6};

	return kind == 0 ? blob_with(&plain, 1024, built_ms, keys)
			 : ribbon_with(1000, built_ms, keys, kind == 1 ? NULL : &secret);
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
	unsigned i;
	bloom_head head;

	(void)count;
	(void)arguments;
	if (!bloom_has_sodium()) {
		return 0;
	}
	secret = secret_of(9);
	for (i = 0; i < SIGNERS; i++) {
		signers[i] = secret_of((uint8_t)(i + 1));
	}
	secret_ring = (bloom_ring){.secret = {secret}, .count = 1, .configured = true};
	signing_ring =
		(bloom_ring){.secret = {signers[0], signers[1]}, .count = 2, .configured = true};
	segment = *fuzz_segment();
	segment.secrets = &secret_ring;
	segment.signers = &signing_ring;
	for (i = 0; i < ALL; i++) {
		signed_blob *one = &all[i];

		one->name = i % NAMES;
		one->signer = i / NAMES % SIGNERS;
		one->built_ms = 1 + i / NAMES / SIGNERS % AGES;
		one->blob = blob_of_kind(
			i / NAMES / SIGNERS / AGES, one->built_ms, KEYS_IN + one->name);
		require(one->blob.count <= ROOM);
		require(bloom_blob_parse(one->blob.bytes, one->blob.count, &head, NULL) ==
			BLOOM_OK);
		require(bloom_sign((unsigned char *)(uintptr_t)one->blob.bytes, names[one->name],
				&signers[one->signer], &head, NULL) == BLOOM_OK);
	}
	return 0;
}

/* ---- rings ---- */

static bool is_blank(unsigned char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r';
}

/* By the rules of docs/security.md: one secret per line, in hexadecimal; blank lines and lines
 * with # are ignored. Returns the number of the first invalid line; 0: none. */
static unsigned read_by_the_book(const uint8_t *text, size_t count,
	unsigned char found[BLOOM_RING_SECRETS_MAX][BLOOM_SECRET_BYTES], unsigned *secrets)
{
	size_t first = 0, end, at, last;
	unsigned line = 0, i;
	char digits[3] = {0};

	*secrets = 0;
	for (; first < count; first = end + 1) {
		unsigned char bytes[BLOOM_SECRET_BYTES];

		line++;
		for (end = first; end < count && text[end] != '\n'; end++) {
		}
		for (at = first; at < end && is_blank(text[at]); at++) {
		}
		for (last = end; last > at && is_blank(text[last - 1]); last--) {
		}
		if (at == last || text[at] == '#') {
			continue;
		}
		if (last - at != sizeof bytes * 2) {
			return line;
		}
		for (i = 0; i < sizeof bytes; i++, at += 2) {
			memcpy(digits, text + at, 2);
			if (strspn(digits, "0123456789abcdefABCDEF") != 2) {
				return line;
			}
			bytes[i] = (unsigned char)strtoul(digits, NULL, 16);
		}
		if (*secrets == BLOOM_RING_SECRETS_MAX) {
			return line;
		}
		for (i = 0; i < *secrets; i++) {
			if (memcmp(found[i], bytes, sizeof bytes) == 0) {
				return line;
			}
		}
		memcpy(found[(*secrets)++], bytes, sizeof bytes);
	}
	return *secrets == 0 ? line + 1 : 0;
}

static void check_ring(const uint8_t *text, size_t count)
{
	static const char *const wrongs[] = {
		"not 64 hexadecimal digits", "more than 8 secrets", "repeats an earlier secret"};
	unsigned char found[BLOOM_RING_SECRETS_MAX][BLOOM_SECRET_BYTES];
	unsigned secrets, i, wrong = read_by_the_book(text, count, found, &secrets);
	bloom_ring ring = {.count = 77};
	bloom_error error = {0};
	char expected[100];
	bool is_told = false;

	if (succeeded(bloom_ring_parse(text, count, "ring", &ring, &error), &error)) {
		require(wrong == 0 && ring.count == secrets && ring.configured);
		for (i = 0; i < secrets; i++) {
			require(memcmp(ring.secret[i].bytes, found[i], BLOOM_SECRET_BYTES) == 0);
			require(ring.secret[i].fingerprint != 0);
			require(bloom_ring_find(&ring, ring.secret[i].fingerprint, BLOOM_E_SIGNER,
					&error) == &ring.secret[i]);
		}
		return;
	}
	/* The message is one of a fixed set of sentences, so it contains nothing of the text. */
	require(wrong != 0 && ring.count == 77 && error.status == BLOOM_E_SECRET_TEXT);
	for (i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
		(void)snprintf(expected, sizeof expected, "ring, line %u: %s", wrong, wrongs[i]);
		is_told |= strcmp(error.subject, expected) == 0;
	}
	require(is_told || strcmp(error.subject, "ring: no secret") == 0);
}

/* ---- signed blobs ---- */

static unsigned char bytes[ROOM];
static size_t bytes_count;

/* Copies a part of another blob: signature and signer, the head, the body, or everything from a
 * byte on. */
static void take_part(input *from, const signed_blob *other)
{
	uint64_t head_bytes = bloom_get64(other->blob.bytes + 16), first = 0, count = 0;

	switch (take_byte(from) % 4) {
	case 0:
		first = 280;
		count = 40;
		break;
	case 1:
		count = head_bytes;
		break;
	case 2:
		first = head_bytes;
		count = other->blob.count - head_bytes;
		break;
	default:
		first = take_short(from) % other->blob.count;
		count = other->blob.count - first;
	}
	if (first + count <= bytes_count) {
		memcpy(bytes + first, other->blob.bytes + first, count);
	}
}

static void edit(input *from)
{
	uint8_t what = take_byte(from);
	uint64_t at = take_short(from);

	switch (what % 4) {
	case 0:
		at %= bytes_count;
		bytes[at] ^= (unsigned char)(1u << (what >> 5));
		break;
	case 1:
		/* Changes a number in the fixed part of the head. */
		bloom_put32(bytes + at % 500, (uint32_t)take_number(from));
		break;
	case 2:
		take_part(from, &all[at % ALL]);
		break;
	default:
		at = at % 2 == 0 ? bytes_count - at % 64 : bytes_count + at % 64;
		bytes_count = at > ROOM ? ROOM : at;
	}
}

static bloom_status load(const char *name, bloom_error *error)
{
	bloom_stage stage;
	uint64_t generation;
	bloom_status status = bloom_stage_begin(&segment, name, bytes_count, &stage, error);

	if (status != BLOOM_OK) {
		return status;
	}
	status = bloom_stage_write(&stage, bytes, bytes_count, error);
	if (status != BLOOM_OK) {
		bloom_stage_abort(&stage);
		return status;
	}
	return bloom_stage_commit(&stage, &generation, error);
}

/* Returns the signed blob with these bytes and this name that a key of this host signed, or
 * NULL. */
static const signed_blob *genuine(unsigned name)
{
	unsigned i;

	for (i = 0; i < ALL; i++) {
		if (all[i].name == name && all[i].signer < 2 && all[i].blob.count == bytes_count &&
			memcmp(all[i].blob.bytes, bytes, bytes_count) == 0) {
			return &all[i];
		}
	}
	return NULL;
}

static void check_served(const char *name)
{
	bloom_attachment attachment = {0};
	uint8_t key;

	require(bloom_attach(&segment, name, &attachment, NULL) == BLOOM_OK);
	for (key = 0; key < KEYS_IN; key++) {
		require(bloom_attachment_test(&attachment, &key, 1));
	}
	bloom_detach(&attachment);
}

static void load_signed(input *from)
{
	uint64_t served_ms[NAMES] = {0};
	const signed_blob *it;
	bloom_error error = {0};
	unsigned i, name, edits;
	bool is_loaded;

	for (name = 0; name < NAMES; name++) {
		wipe_filter(names[name]);
	}
	for (i = 0; i < LOADS_MAX && (i == 0 || from->left > 0); i++) {
		it = &all[take_byte(from) % ALL];
		memcpy(bytes, it->blob.bytes, it->blob.count);
		memset(bytes + it->blob.count, 0, ROOM - it->blob.count);
		bytes_count = it->blob.count;
		edits = take_byte(from);
		name = edits / EDITS_MAX % NAMES;
		for (edits %= EDITS_MAX; edits > 0; edits--) {
			edit(from);
		}
		mend_blob(bytes, bytes_count, (mending)(take_byte(from) % MEND_BODY));
		it = genuine(name);
		is_loaded = succeeded(load(names[name], &error), &error);
		require(is_loaded == (it != NULL && it->built_ms >= served_ms[name]));
		if (is_loaded) {
			served_ms[name] = it->built_ms;
			check_served(names[name]);
		} else if (it != NULL) {
			require(error.status == BLOOM_E_REPLAY);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count)
{
	input from = {.next = data, .left = count};

	if (count == 0 || !bloom_has_sodium()) {
		return 0;
	}
	if ((take_byte(&from) & 1) == 0) {
		check_ring(from.next, from.left);
	} else {
		load_signed(&from);
	}
	return 0;
}

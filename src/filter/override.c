#include "filter/override.h"

#include <string.h>

#include "filter/bytes.h"
#include "filter/digest.h"

enum {
	AT_VERSION = 8,
	AT_KIND = 12,
	AT_BYTES = 16,
	AT_SINCE = 24,
	AT_REPLACES = 32,
	AT_SIGNER = 40,
	AT_SIGNATURE = 48,
	VERSION = 1,
	CHECKSUM_BYTES = BLOOM_OVERRIDE_EXTRA_BYTES - BLOOM_OVERRIDE_HEAD_AT,
};

static const unsigned char magic[8] = {0x89, 'B', 'L', 'O', 'V', 'R', '\r', '\n'};

_Static_assert((int)AT_SIGNATURE + (int)BLOOM_SIGNATURE_BYTES == (int)BLOOM_OVERRIDE_HEAD_AT,
	"the head follows the signature");

/* Signs the name, and the record with a zero signature and without its checksum. */
static void make_signature(const unsigned char *bytes, uint64_t count, const char *name,
	const bloom_secret *key, unsigned char signature[BLOOM_SIGNATURE_BYTES])
{
	static const unsigned char zeros[BLOOM_SIGNATURE_BYTES];
	unsigned char length[8];
	const bloom_piece pieces[] = {
		{length, sizeof length},
		{(const unsigned char *)name, strlen(name)},
		{bytes, AT_SIGNATURE},
		{zeros, sizeof zeros},
		{bytes + BLOOM_OVERRIDE_HEAD_AT, (size_t)(count - BLOOM_OVERRIDE_EXTRA_BYTES)},
	};

	bloom_put64(length, strlen(name));
	bloom_authenticate(key, BLOOM_AUTHENTICATE_OVERRIDE, pieces, sizeof pieces / sizeof *pieces,
		signature);
}

void bloom_override_write(unsigned char *record, bloom_override_kind kind, uint64_t since_ms,
	uint64_t replaces, const unsigned char *head_bytes, uint64_t head_count, const char *name,
	const bloom_secret *key)
{
	uint64_t count = head_count + BLOOM_OVERRIDE_EXTRA_BYTES;
	uint64_t covered = count - CHECKSUM_BYTES;

	memset(record, 0, BLOOM_OVERRIDE_HEAD_AT);
	memcpy(record, magic, sizeof magic);
	bloom_put32(record + AT_VERSION, VERSION);
	bloom_put32(record + AT_KIND, kind);
	bloom_put64(record + AT_BYTES, count);
	bloom_put64(record + AT_SINCE, since_ms);
	bloom_put64(record + AT_REPLACES, replaces);
	memcpy(record + BLOOM_OVERRIDE_HEAD_AT, head_bytes, (size_t)head_count);
	if (key != NULL) {
		bloom_put64(record + AT_SIGNER, key->fingerprint);
		make_signature(record, count, name, key, record + AT_SIGNATURE);
	}
	bloom_put64(record + covered, bloom_checksum(record, (size_t)covered));
}

static bloom_status fail(bloom_error *error, bloom_status status, const char *name,
	const char *separator, const char *what)
{
	return bloom_fail(error, status, 0, "%.128s:override%s%s", name, separator, what);
}

bloom_status bloom_override_parse(const unsigned char *bytes, uint64_t count, const char *name,
	bloom_override *override, bloom_error *error)
{
	bloom_override parsed = {0};
	uint64_t covered = count - CHECKSUM_BYTES;
	bloom_status status;
	uint32_t kind;

	if (count < BLOOM_OVERRIDE_EXTRA_BYTES || memcmp(bytes, magic, sizeof magic) != 0 ||
		bloom_get64(bytes + AT_BYTES) != count ||
		bloom_get64(bytes + covered) != bloom_checksum(bytes, (size_t)covered)) {
		return fail(error, BLOOM_E_OVERRIDE, name, "", "");
	}
	kind = bloom_get32(bytes + AT_KIND);
	parsed.replaces = bloom_get64(bytes + AT_REPLACES);
	if (bloom_get32(bytes + AT_VERSION) != VERSION ||
		!(kind == BLOOM_OVERRIDE_ROLLBACK ||
			(kind == BLOOM_OVERRIDE_PIN && parsed.replaces == 0))) {
		return fail(error, BLOOM_E_OVERRIDE, name, ": ", "unknown version or kind");
	}
	parsed.kind = (bloom_override_kind)kind;
	parsed.since_ms = bloom_get64(bytes + AT_SINCE);
	parsed.signer = bloom_get64(bytes + AT_SIGNER);
	parsed.head_bytes = bytes + BLOOM_OVERRIDE_HEAD_AT;
	status = bloom_head_parse(
		parsed.head_bytes, count - BLOOM_OVERRIDE_EXTRA_BYTES, &parsed.head, NULL);
	if (status != BLOOM_OK || parsed.head.head_bytes != count - BLOOM_OVERRIDE_EXTRA_BYTES) {
		return fail(error, BLOOM_E_OVERRIDE, name, ": ",
			bloom_status_sentence(status != BLOOM_OK ? status : BLOOM_E_LENGTH));
	}
	*override = parsed;
	return BLOOM_OK;
}

bloom_status bloom_override_check(const unsigned char *bytes, uint64_t count, const char *name,
	const bloom_ring *ring, bloom_error *error)
{
	unsigned char expected[BLOOM_SIGNATURE_BYTES];
	uint64_t signer = bloom_get64(bytes + AT_SIGNER);
	const bloom_secret *key;
	bloom_error unknown;
	bool fits;

	if (ring == NULL || !ring->configured) {
		return BLOOM_OK;
	}
	if (ring->failure.status == BLOOM_OK && signer == 0) {
		return fail(error, BLOOM_E_OVERRIDE_UNSIGNED, name, "", "");
	}
	key = bloom_ring_find(ring, signer, BLOOM_E_OVERRIDE_SIGNER, &unknown);
	if (key == NULL) {
		return bloom_fail(error, unknown.status, unknown.os_error, "%s", unknown.subject);
	}
	make_signature(bytes, count, name, key, expected);
	fits = bloom_signature_equals(expected, bytes + AT_SIGNATURE);
	/* For a forged record, `expected` is the signature that the attacker needs. */
	bloom_wipe(expected, sizeof expected);
	return fits ? BLOOM_OK : fail(error, BLOOM_E_OVERRIDE_SIGNATURE, name, "", "");
}

bool bloom_override_applies(const bloom_override *override, const bloom_head *published)
{
	return override->kind == BLOOM_OVERRIDE_PIN ||
		(override->kind == BLOOM_OVERRIDE_ROLLBACK &&
			override->replaces == published->checksum);
}

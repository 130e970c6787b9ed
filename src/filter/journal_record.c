#include "filter/journal_record.h"

#include <string.h>

#include "filter/bytes.h"
#include "filter/digest.h"

enum {
	AT_BYTES = 4,
	AT_KIND = 8,
	AT_COUNT = 12,
	AT_NAME = 16,
	AT_WRITTEN = 24,
	AT_SIGNER = 32,
	AT_LINK = 40,
	LENGTH_BYTES = 4,
};

/* "BLJ" and the version of the record, a digit. */
static const unsigned char magic[3] = {'B', 'L', 'J'};
enum { AT_VERSION = sizeof magic, VERSION = 2 };

_Static_assert((int)AT_LINK == (int)BLOOM_RECORD_HEAD_BYTES, "the link follows the head");

uint32_t bloom_record_kind_of(const unsigned char *bytes)
{
	return bloom_get32(bytes + AT_KIND);
}

uint64_t bloom_record_number(const unsigned char *bytes, uint64_t count)
{
	bool is_signed = bloom_get64(bytes + AT_SIGNER) != 0;

	return count >= bloom_record_bytes(8, is_signed)
		? bloom_get64(bytes + bloom_record_payload_at(is_signed))
		: 0;
}

bool bloom_record_opens(uint32_t kind)
{
	return kind < BLOOM_RECORD_KEYS || kind >= BLOOM_RECORD_END;
}

uint64_t bloom_record_bytes(uint64_t payload_bytes, bool is_signed)
{
	return BLOOM_RECORD_HEAD_BYTES + payload_bytes + BLOOM_RECORD_TAIL_BYTES +
		(is_signed ? BLOOM_RECORD_SIGNED_BYTES : 0);
}

uint64_t bloom_record_payload_at(bool is_signed)
{
	return BLOOM_RECORD_HEAD_BYTES + (is_signed ? BLOOM_LINK_BYTES : 0);
}

static uint64_t name_digest(const char *name)
{
	return bloom_checksum((const unsigned char *)name, strlen(name));
}

/* Signs the epoch, the name, and the record up to its signature. */
static void sign(const unsigned char *record, uint64_t signed_bytes, const char *name,
	uint64_t epoch, const bloom_secret *key, unsigned char signature[BLOOM_LINK_BYTES])
{
	unsigned char numbers[16];
	const bloom_piece pieces[] = {
		{numbers, sizeof numbers},
		{(const unsigned char *)name, strlen(name)},
		{record, (size_t)signed_bytes},
	};

	bloom_put64(numbers, epoch);
	bloom_put64(numbers + 8, strlen(name));
	bloom_authenticate(
		key, BLOOM_AUTHENTICATE_RECORD, pieces, sizeof pieces / sizeof *pieces, signature);
}

void bloom_record_write(unsigned char *record, uint64_t payload_bytes, bloom_record_kind kind,
	uint32_t count, const char *name, uint64_t written_ms, const bloom_mark *before,
	const bloom_secret *key, unsigned char link[BLOOM_LINK_BYTES])
{
	uint64_t bytes = bloom_record_bytes(payload_bytes, key != NULL);
	uint64_t check_at = bytes - BLOOM_CHECK_BYTES;

	memcpy(record, magic, sizeof magic);
	record[AT_VERSION] = '0' + VERSION;
	bloom_put32(record + AT_BYTES, (uint32_t)bytes);
	bloom_put32(record + AT_KIND, kind);
	bloom_put32(record + AT_COUNT, count);
	bloom_put64(record + AT_NAME, name_digest(name));
	bloom_put64(record + AT_WRITTEN, written_ms);
	bloom_put64(record + AT_SIGNER, key != NULL ? key->fingerprint : 0);
	if (key != NULL) {
		memcpy(record + AT_LINK, before->link, BLOOM_LINK_BYTES);
		sign(record, check_at - BLOOM_LINK_BYTES, name, before->epoch, key,
			record + check_at - BLOOM_LINK_BYTES);
	}
	bloom_put64(record + check_at, bloom_checksum(record, (size_t)check_at));
	if (link != NULL && key != NULL) {
		memcpy(link, record + check_at - BLOOM_LINK_BYTES, BLOOM_LINK_BYTES);
	} else if (link != NULL) {
		memset(link, 0, BLOOM_LINK_BYTES);
	}
}

/* Checks the length, the magic and the checksum. Returns the record's version, or -1 if the record
 * is damaged. */
static int version_of(const unsigned char *bytes, uint64_t count)
{
	return count >= BLOOM_RECORD_BYTES_MIN && count <= BLOOM_RECORD_BYTES_MAX &&
			memcmp(bytes, magic, sizeof magic) == 0 && bytes[AT_VERSION] >= '0' &&
			bytes[AT_VERSION] <= '9' && bloom_get32(bytes + AT_BYTES) == count &&
			bloom_get64(bytes + count - BLOOM_CHECK_BYTES) ==
				bloom_checksum(bytes, (size_t)(count - BLOOM_CHECK_BYTES))
		? bytes[AT_VERSION] - '0'
		: -1;
}

static bool keys_fit(const bloom_record *record)
{
	const unsigned char *key;
	uint64_t at = 0, key_bytes;
	uint64_t keys = 0;

	while (bloom_record_next(record, &at, &key, &key_bytes)) {
		keys++;
	}
	return at == record->payload_bytes && keys == record->count;
}

static bloom_status fail(bloom_error *error, bloom_status status, const char *name)
{
	return bloom_fail(error, status, 0, "%.128s:journal", name);
}

/* Checks the signature and the link to the previous record. */
static bloom_status check_signature(const unsigned char *bytes, uint64_t count, const char *name,
	const bloom_mark *before, const bloom_ring *signers, bloom_error *error)
{
	uint64_t signer = bloom_get64(bytes + AT_SIGNER);
	uint64_t signed_bytes = count - BLOOM_CHECK_BYTES - BLOOM_LINK_BYTES;
	unsigned char expected[BLOOM_LINK_BYTES];
	const bloom_secret *key;
	bool fits;

	if (signers == NULL || !signers->configured) {
		return BLOOM_OK;
	}
	if (signer == 0 && signers->failure.status == BLOOM_OK) {
		return fail(error, BLOOM_E_RECORD_UNSIGNED, name);
	}
	key = bloom_ring_find(signers, signer, BLOOM_E_RECORD_SIGNER, error);
	if (key == NULL) {
		return signers->failure.status != BLOOM_OK ? signers->failure.status
							   : BLOOM_E_RECORD_SIGNER;
	}
	sign(bytes, signed_bytes, name, before->epoch, key, expected);
	fits = bloom_signature_equals(expected, bytes + signed_bytes);
	/* For a forged record, `expected` is the signature that the attacker needs. */
	bloom_wipe(expected, sizeof expected);
	if (!fits) {
		return fail(error, BLOOM_E_RECORD_SIGNATURE, name);
	}
	return memcmp(bytes + AT_LINK, before->link, BLOOM_LINK_BYTES) == 0
		? BLOOM_OK
		: fail(error, BLOOM_E_RECORD_CHAIN, name);
}

bloom_status bloom_record_parse(const unsigned char *bytes, uint64_t count, const char *name,
	const bloom_mark *before, const bloom_ring *signers, bloom_record *record,
	bloom_mark *after, bloom_error *error)
{
	bloom_record parsed;
	uint64_t at, end;
	bloom_status status;
	bool is_signed;
	int version = version_of(bytes, count);

	if (version < 0) {
		return fail(error, BLOOM_E_RECORD, name);
	}
	if (version != VERSION) {
		return bloom_fail(error, BLOOM_E_RECORD_VERSION, 0, "%.128s:journal: version %d",
			name, version);
	}
	if (bloom_get64(bytes + AT_NAME) != name_digest(name)) {
		return fail(error, BLOOM_E_RECORD_NAME, name);
	}
	is_signed = bloom_get64(bytes + AT_SIGNER) != 0;
	at = bloom_record_payload_at(is_signed);
	end = count - BLOOM_CHECK_BYTES - (is_signed ? BLOOM_LINK_BYTES : 0);
	if (at > end) {
		return fail(error, BLOOM_E_RECORD, name);
	}
	parsed = (bloom_record){
		.kind = bloom_get32(bytes + AT_KIND),
		.count = bloom_get32(bytes + AT_COUNT),
		.written_ms = bloom_get64(bytes + AT_WRITTEN),
		.payload = bytes + at,
		.payload_bytes = end - at,
	};
	if ((parsed.kind == BLOOM_RECORD_KEYS && !keys_fit(&parsed)) ||
		(parsed.kind == BLOOM_RECORD_LOSS &&
			parsed.payload_bytes != BLOOM_POSITION_BYTES)) {
		return fail(error, BLOOM_E_RECORD, name);
	}
	status = check_signature(bytes, count, name, before, signers, error);
	if (status != BLOOM_OK) {
		return status;
	}
	*record = parsed;
	after->epoch = before->epoch;
	memcpy(after->check, bytes + count - BLOOM_CHECK_BYTES, sizeof after->check);
	if (is_signed) {
		memcpy(after->link, bytes + end, sizeof after->link);
	} else {
		memset(after->link, 0, sizeof after->link);
	}
	return BLOOM_OK;
}

bloom_status bloom_record_check_kind(
	const bloom_record *record, const char *name, bloom_error *error)
{
	return (record->kind >= BLOOM_RECORD_KEYS && record->kind <= BLOOM_RECORD_BEGIN) ||
			record->kind >= BLOOM_RECORD_OPTIONAL
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_RECORD_KIND, 0, "%.128s:journal: kind %lu", name,
			  (unsigned long)record->kind);
}

void bloom_record_link(
	const unsigned char *bytes, uint64_t count, unsigned char link[BLOOM_LINK_BYTES])
{
	memset(link, 0, BLOOM_LINK_BYTES);
	if (count >= BLOOM_RECORD_BYTES_MIN + BLOOM_RECORD_SIGNED_BYTES &&
		version_of(bytes, count) == VERSION && bloom_get64(bytes + AT_SIGNER) != 0) {
		memcpy(link, bytes + count - BLOOM_CHECK_BYTES - BLOOM_LINK_BYTES,
			BLOOM_LINK_BYTES);
	}
}

bloom_mark bloom_record_lost(const bloom_record *record)
{
	return bloom_position_get(record->payload);
}

bool bloom_record_next(
	const bloom_record *record, uint64_t *at, const unsigned char **key, uint64_t *key_bytes)
{
	uint64_t rest = record->payload_bytes - *at, length;

	if (rest < LENGTH_BYTES) {
		return false;
	}
	length = bloom_get32(record->payload + *at);
	if (length > rest - LENGTH_BYTES) {
		return false;
	}
	*key = record->payload + *at + LENGTH_BYTES;
	*key_bytes = length;
	*at += LENGTH_BYTES + length;
	return true;
}

/* Errors of secrets, signatures, and what is signed: blobs, records of journals and overrides. */
#include "provoke.h"

#include "filter/journal_record.h"
#include "filter/override.h"
#include "filter/signature.h"
#include "kinds/ondemand.h"
#include "segment/keyring.h"
#include "segment/stage.h"

static const char *ring_file(const char *text, unsigned mode)
{
	static char path[BLOOM_PATH_BYTES_MAX];

	(void)snprintf(path, sizeof path, "%.3000s/ring", scratch_path());
	write_file(path, text, strlen(text), mode);
	return path;
}

static bloom_status ring_of(const char *path)
{
	bloom_ring ring;

	bloom_ring_read(path, &ring);
	error = ring.failure;
	return ring.failure.status;
}

/* Only a build without libsodium raises BLOOM_E_SODIUM. Such a build raises no other code of
 * secrets. */
static bloom_status sodium(void)
{
	return bloom_has_sodium() ? BLOOM_E_SODIUM : ring_of("/nowhere");
}

static bloom_status secret_file(void)
{
	return bloom_has_sodium() ? ring_of("/nowhere/ring") : BLOOM_E_SECRET_FILE;
}

static bloom_status secret_mode(void)
{
	return bloom_has_sodium() ? ring_of(ring_file("", 0604)) : BLOOM_E_SECRET_MODE;
}

static bloom_status secret_text(void)
{
	return bloom_has_sodium() ? ring_of(ring_file("0123\n", 0600)) : BLOOM_E_SECRET_TEXT;
}

static bloom_status unknown_secret(void)
{
	bloom_hasher hasher;

	return bloom_hasher_find(1, 2, NULL, &hasher, &error);
}

/* Checks a small blob with a ring of one key. The blob is signed for the filter "tags" if
 * `is_signed` is set. */
static bloom_status check_signed(bool is_signed, const char *name, unsigned char ring_key)
{
	unsigned char key[BLOOM_SECRET_BYTES] = {1}, other[BLOOM_SECRET_BYTES] = {ring_key};
	bloom_ring ring = {.configured = true, .count = 1};
	test_blob blob = blob_small();
	bloom_secret secret;
	bloom_status status;
	bloom_head head;

	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	if (bloom_has_sodium()) {
		assert_ok(bloom_secret_make(key, &secret, &error));
		assert_ok(bloom_secret_make(other, &ring.secret[0], &error));
		if (is_signed) {
			assert_ok(bloom_sign(blob.bytes, "tags", &secret, &head, &error));
		}
	}
	status = bloom_signature_check(&head, blob.bytes, name, &ring, &error);
	blob_free(&blob);
	return status;
}

static bloom_status unsigned_blob(void)
{
	return check_signed(false, "tags", 1);
}

static bloom_status signer(void)
{
	return bloom_has_sodium() ? check_signed(true, "tags", 2) : BLOOM_E_SIGNER;
}

static bloom_status signature(void)
{
	return bloom_has_sodium() ? check_signed(true, "other", 1) : BLOOM_E_SIGNATURE;
}

static bloom_status mark_text(void)
{
	bloom_mark mark;

	return bloom_mark_parse("1-2", 3, &mark, &error);
}

/* Writes a record of no keys for the filter "name" and parses it.
 *
 *   signer   the secret that signs it; NULL: unsigned
 *   reader   the secret that the reader knows; NULL: none
 *   altered  the byte that changes on the way, in front of the checksum; 0: none
 *   link     the first byte of the previous signature that the reader expects */
static bloom_status record_of(const char *name, const char *signer, const char *reader,
	size_t altered, unsigned char link)
{
	unsigned char bytes[256], secret[BLOOM_SECRET_BYTES] = {0};
	bloom_ring ring = {.configured = reader != NULL, .count = reader != NULL};
	bloom_mark before = {.epoch = 7}, after;
	bloom_secret key;
	bloom_record record;
	uint64_t count = bloom_record_bytes(0, signer != NULL);

	if (signer != NULL) {
		memcpy(secret, signer, strlen(signer));
		assert_ok(bloom_secret_make(secret, &key, &error));
	}
	if (reader != NULL) {
		memset(secret, 0, sizeof secret);
		memcpy(secret, reader, strlen(reader));
		assert_ok(bloom_secret_make(secret, &ring.secret[0], &error));
	}
	bloom_record_write(bytes, 0, BLOOM_RECORD_KEYS, 0, "name", 0, &before,
		signer != NULL ? &key : NULL, NULL);
	if (altered != 0) {
		bytes[altered] ^= 1;
		bloom_put64(bytes + count - 8, bloom_checksum(bytes, (size_t)count - 8));
	}
	before.link[0] = link;
	return bloom_record_parse(bytes, count, name, &before, &ring, &record, &after, &error);
}

static bloom_status record_damaged(void)
{
	return record_of("name", NULL, NULL, 4, 0);
}

static bloom_status record_version(void)
{
	return record_of("name", NULL, NULL, 3, 0);
}

static bloom_status record_name(void)
{
	return record_of("other", NULL, NULL, 0, 0);
}

static bloom_status record_unsigned(void)
{
	return bloom_has_sodium() ? record_of("name", NULL, "key", 0, 0) : BLOOM_E_RECORD_UNSIGNED;
}

static bloom_status record_signer(void)
{
	return bloom_has_sodium() ? record_of("name", "key", "other", 0, 0) : BLOOM_E_RECORD_SIGNER;
}

static bloom_status record_signature(void)
{
	return bloom_has_sodium() ? record_of("name", "key", "key", 24, 0)
				  : BLOOM_E_RECORD_SIGNATURE;
}

static bloom_status record_chain(void)
{
	return bloom_has_sodium() ? record_of("name", "key", "key", 0, 1) : BLOOM_E_RECORD_CHAIN;
}

static bloom_status record_kind(void)
{
	return bloom_record_check_kind(&(bloom_record){.kind = 9}, "name", &error);
}

/* A small blob with a mark. */
static test_blob blob_marked(void)
{
	bloom_params params = {.capacity_keys = 100, .rate = 0.01};
	bloom_builder builder = {0};

	assert_ok(bloom_builder_init(&params, 1, 0, &builder, &error));
	(void)builder_add_key(&builder, "k", 0);
	builder.meta.mark = (bloom_mark){.epoch = 1};
	return blob_from(&builder);
}

static bloom_status no_journal(void)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_marked();
	bloom_status status = load(&segment, "marked", blob, NULL);

	blob_free(&blob);
	return status;
}

static bloom_status journal_on_demand(void)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_marked();
	bloom_stage stage = {0};
	bloom_status status;
	bloom_head head;

	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	status = bloom_cache_stage(
		&segment, "marked", 1 << 20, &head, blob.bytes, NULL, &stage, &error);
	bloom_stage_abort(&stage);
	blob_free(&blob);
	return status;
}

/* Checks an override that was signed with one key and changed, with the keys that a ring has. */
static bloom_status override_of(const char *sign, const char *ring_key, uint64_t change)
{
	bloom_ring ring = {.count = 1, .configured = true};
	unsigned char bytes[BLOOM_SECRET_BYTES] = {0};
	test_blob blob = blob_marked();
	bloom_override override;
	bloom_secret key;
	bloom_status status;
	bloom_head head;
	unsigned char *record;
	uint64_t count;

	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	count = head.head_bytes + BLOOM_OVERRIDE_EXTRA_BYTES;
	record = malloc((size_t)count);
	assert_non_null(record);
	if (ring_key != NULL) {
		memcpy(bytes, ring_key, strlen(ring_key));
		assert_ok(bloom_secret_make(bytes, &ring.secret[0], &error));
	}
	if (sign != NULL) {
		memset(bytes, 0, sizeof bytes);
		memcpy(bytes, sign, strlen(sign));
		assert_ok(bloom_secret_make(bytes, &key, &error));
	}
	bloom_override_write(record, BLOOM_OVERRIDE_PIN, 1, 0, blob.bytes, head.head_bytes, "name",
		sign != NULL ? &key : NULL);
	record[change]++;
	status = ring_key != NULL ? bloom_override_check(record, count, "name", &ring, &error)
				  : bloom_override_parse(record, count, "name", &override, &error);
	free(record);
	blob_free(&blob);
	return status;
}

static bloom_status override_damaged(void)
{
	return override_of(NULL, NULL, 24);
}

static bloom_status override_unsigned(void)
{
	return bloom_has_sodium() ? override_of(NULL, "key", 24) : BLOOM_E_OVERRIDE_UNSIGNED;
}

static bloom_status override_signer(void)
{
	return bloom_has_sodium() ? override_of("key", "other", 24) : BLOOM_E_OVERRIDE_SIGNER;
}

static bloom_status override_signature(void)
{
	return bloom_has_sodium() ? override_of("key", "key", 24) : BLOOM_E_OVERRIDE_SIGNATURE;
}

static const provocation rows[] = {
	{BLOOM_E_SODIUM, sodium},
	{BLOOM_E_SECRET_FILE, secret_file},
	{BLOOM_E_SECRET_MODE, secret_mode},
	{BLOOM_E_SECRET_TEXT, secret_text},
	{BLOOM_E_SECRET, unknown_secret},
	{BLOOM_E_UNSIGNED, unsigned_blob},
	{BLOOM_E_SIGNER, signer},
	{BLOOM_E_SIGNATURE, signature},
	{BLOOM_E_MARK, mark_text},
	{BLOOM_E_RECORD, record_damaged},
	{BLOOM_E_RECORD_NAME, record_name},
	{BLOOM_E_RECORD_UNSIGNED, record_unsigned},
	{BLOOM_E_RECORD_SIGNER, record_signer},
	{BLOOM_E_RECORD_SIGNATURE, record_signature},
	{BLOOM_E_RECORD_CHAIN, record_chain},
	{BLOOM_E_NO_JOURNAL, no_journal},
	{BLOOM_E_JOURNAL_KIND, journal_on_demand},
	{BLOOM_E_OVERRIDE, override_damaged},
	{BLOOM_E_OVERRIDE_UNSIGNED, override_unsigned},
	{BLOOM_E_OVERRIDE_SIGNER, override_signer},
	{BLOOM_E_OVERRIDE_SIGNATURE, override_signature},
	{BLOOM_E_RECORD_KIND, record_kind},
	{BLOOM_E_RECORD_VERSION, record_version},
};

const provocations secret_provocations = {rows, sizeof rows / sizeof *rows};

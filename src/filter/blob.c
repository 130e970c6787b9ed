#include "filter/blob.h"

#include <math.h>
#include <string.h>

#include "filter/blob_layout.h"
#include "filter/bytes.h"
#include "filter/measure.h"
#include "filter/rate.h"
#include "filter/value_map.h"

_Static_assert(
	AT_SOURCE + BLOOM_SOURCE_BYTES_MAX == AT_GROUPS, "the groups follow the source name");
_Static_assert(
	BLOOM_AT_SIGNATURE + BLOOM_SIGNATURE_BYTES == AT_MARK, "the mark follows the signature");
_Static_assert(
	AT_RESERVED < (int)BLOOM_HEAD_FIXED_BYTES, "the fixed part ends with the reserved bytes");

/* Reserved bytes must be zero, so that a later version of the format can use them. */
static bool all_zero(const unsigned char *bytes, uint64_t count)
{
	uint64_t i;

	for (i = 0; i < count; i++) {
		if (bytes[i] != 0) {
			return false;
		}
	}
	return true;
}

uint64_t bloom_chunk_count(const bloom_geometry *geometry, uint32_t chunk_bytes)
{
	return (bloom_geometry_bytes(geometry) + chunk_bytes - 1) / chunk_bytes;
}

uint64_t bloom_head_bytes(const bloom_geometry *geometry, uint32_t chunk_bytes)
{
	uint64_t rows =
		geometry->shards + bloom_chunk_count(geometry, chunk_bytes) + geometry->layers;
	uint64_t bytes =
		BLOOM_HEAD_FIXED_BYTES + rows * BLOOM_ROW_BYTES + BLOOM_HEAD_CHECKSUM_BYTES;

	return (bytes + BLOOM_HEAD_ALIGN_BYTES - 1) / BLOOM_HEAD_ALIGN_BYTES *
		BLOOM_HEAD_ALIGN_BYTES;
}

bloom_status bloom_chunk_bytes_check(const bloom_geometry *geometry, uint64_t chunk_bytes)
{
	if (chunk_bytes < geometry->shard_bytes || chunk_bytes % geometry->shard_bytes != 0 ||
		chunk_bytes > BLOOM_CHUNK_BYTES_MAX) {
		return BLOOM_E_CHUNK_BYTES;
	}
	return BLOOM_OK;
}

bloom_status bloom_head_peek(
	const unsigned char *bytes, uint64_t file_bytes, uint64_t *head_bytes, bloom_error *error)
{
	uint64_t claim;

	if (memcmp(bytes, BLOOM_BLOB_MAGIC, sizeof BLOOM_BLOB_MAGIC) != 0) {
		return bloom_fail(error, BLOOM_E_MAGIC, 0, "blob");
	}
	if (bloom_get32(bytes + AT_VERSION) != BLOOM_FORMAT_VERSION) {
		return bloom_fail(error, BLOOM_E_VERSION, 0, "format version %u",
			bloom_get32(bytes + AT_VERSION));
	}
	claim = bloom_get64(bytes + AT_HEAD_BYTES);
	if (claim < BLOOM_HEAD_ALIGN_BYTES || claim % BLOOM_HEAD_ALIGN_BYTES != 0) {
		return bloom_fail(error, BLOOM_E_HEAD_BYTES, 0, "head of %llu bytes",
			(unsigned long long)claim);
	}
	if (claim > file_bytes) {
		return bloom_fail(error, BLOOM_E_LENGTH, 0,
			"%llu bytes, but the head alone needs %llu", (unsigned long long)file_bytes,
			(unsigned long long)claim);
	}
	*head_bytes = claim;
	return BLOOM_OK;
}

static uint32_t layers_of(const unsigned char *bytes)
{
	return bloom_get32(bytes + AT_SCHEME) == SCHEME_FOREIGN ? bloom_get32(bytes + AT_LAYERS)
								: 0;
}

bloom_status bloom_head_peek_sizes(
	const unsigned char *bytes, bloom_head_sizes *sizes, bloom_error *error)
{
	bloom_geometry body = {
		.shards = bloom_get64(bytes + AT_SHARDS),
		.shard_bytes = bloom_get32(bytes + AT_SHARD_BYTES),
		.layers = layers_of(bytes),
	};
	bloom_head_sizes claim = {.chunk_bytes = bloom_get32(bytes + AT_CHUNK_BYTES)};
	bloom_status status = bloom_head_peek(bytes, UINT64_MAX, &claim.head_bytes, error);

	if (status != BLOOM_OK) {
		return status;
	}
	/* These limits also prevent an overflow in bloom_head_bytes(). */
	if (body.shards == 0 || body.shard_bytes < BLOOM_SHARD_BYTES_MIN ||
		body.shard_bytes > BLOOM_SHARD_BYTES_MAX ||
		body.shards > BLOOM_FILTER_BYTES_MAX / body.shard_bytes ||
		body.layers > BLOOM_FOREIGN_LAYERS_MAX ||
		bloom_chunk_bytes_check(&body, claim.chunk_bytes) != BLOOM_OK) {
		return bloom_fail(error, BLOOM_E_GEOMETRY, 0, "head");
	}
	if (claim.head_bytes != bloom_head_bytes(&body, claim.chunk_bytes)) {
		return bloom_fail(error, BLOOM_E_HEAD_BYTES, 0, "head of %llu bytes",
			(unsigned long long)claim.head_bytes);
	}
	*sizes = claim;
	return BLOOM_OK;
}

uint64_t bloom_head_built_ms(const unsigned char *bytes)
{
	return bloom_get64(bytes + AT_BUILT_MS);
}

bloom_status bloom_head_check_built(
	const bloom_head *head, uint64_t now_ms, const char *name, bloom_error *error)
{
	uint64_t limit_ms = now_ms + BLOOM_BUILT_AHEAD_MS_MAX;

	/* The error contains the numbers instead of dates, because the digits show which unit the
	 * writer used. */
	return head->meta.built_ms <= limit_ms
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_BUILT_AHEAD, 0,
			  "%.128s: build time %llu ms since 1970, at most %llu allowed", name,
			  (unsigned long long)head->meta.built_ms, (unsigned long long)limit_ms);
}

static bloom_status fail_scheme(
	bloom_error *error, const char *what, const unsigned char *bytes, int at)
{
	return bloom_fail(error, BLOOM_E_SCHEME, 0, "%s %u", what, bloom_get32(bytes + at));
}

/* Determines which hash functions the blob uses. A fingerprint is never 0, so 0 marks a filter
 * without a secret and a blob without a signature. */
static bloom_status parse_digests(const unsigned char *bytes, bloom_head *head, bloom_error *error)
{
	uint32_t digest = bloom_get32(bytes + AT_DIGEST);

	if (digest == BLOOM_DIGEST_SIPHASH) {
		head->geometry.fingerprint = bloom_get64(bytes + AT_FINGERPRINT);
	}
	head->chunk_digest = bloom_get32(bytes + BLOOM_AT_CHUNK_DIGEST);
	if (head->chunk_digest == BLOOM_CHUNK_DIGEST_BLAKE2B) {
		head->signer = bloom_get64(bytes + BLOOM_AT_SIGNER);
	}
	if ((head->geometry.foreign != BLOOM_FOREIGN_NONE) != (digest == DIGEST_FOREIGN) ||
		(digest != BLOOM_DIGEST_XXH3_64 && digest != DIGEST_FOREIGN &&
			head->geometry.fingerprint == 0)) {
		return fail_scheme(error, "digest", bytes, AT_DIGEST);
	}
	if (head->chunk_digest != BLOOM_CHUNK_DIGEST_XXH3_128 && head->signer == 0) {
		return fail_scheme(error, "chunk digest", bytes, BLOOM_AT_CHUNK_DIGEST);
	}
	if ((head->geometry.fingerprint != 0 || head->signer != 0) && !bloom_has_sodium()) {
		return bloom_fail(
			error, BLOOM_E_SODIUM, 0, head->signer != 0 ? "signed blob" : "keyed blob");
	}
	return BLOOM_OK;
}

/* Returns true if the journal mark is zero where it has to be: everywhere without an epoch, and
 * after the offset if no record ends there. */
static bool mark_is_valid(const unsigned char *bytes, const bloom_head *head)
{
	/* A reverse index, a foreign filter and a map have no journal. */
	if (bloom_get64(bytes) == 0 || !bloom_geometry_has_journal(&head->geometry)) {
		return all_zero(bytes, BLOOM_MARK_BYTES);
	}
	return bloom_get64(bytes + 8) != 0 || all_zero(bytes + 16, BLOOM_MARK_BYTES - 16);
}

/* Returns true if every field that this blob's scheme and digests do not use is 0. */
static bool reserved_is_zero(const unsigned char *bytes, const bloom_head *head)
{
	uint64_t first = head->geometry.fan_out != 0 ? AT_AFTER_FAN_OUT
		: head->geometry.value_bits != 0     ? AT_AFTER_VALUE_BITS
		: head->geometry.stripes != 0        ? AT_AFTER_STRIPES
		: head->geometry.layers != 0         ? AT_AFTER_LAYERS
						     : AT_GROUPS;

	return bloom_get32(bytes + AT_VERSION + 4) == 0 &&
		all_zero(bytes + first, AT_FINGERPRINT - first) &&
		(head->geometry.fingerprint != 0 ||
			all_zero(bytes + AT_FINGERPRINT, BLOOM_AT_SIGNER - AT_FINGERPRINT)) &&
		(head->signer != 0 ||
			all_zero(bytes + BLOOM_AT_SIGNER, AT_MARK - BLOOM_AT_SIGNER)) &&
		mark_is_valid(bytes + AT_MARK, head) &&
		(head->geometry.foreign == BLOOM_FOREIGN_VALKEY_BLOOM ||
			all_zero(bytes + AT_FOREIGN_KEY, BLOOM_FOREIGN_KEY_BYTES)) &&
		(head->geometry.layers == 0 || head->geometry.seed == 0) &&
		all_zero(bytes + AT_RESERVED, BLOOM_HEAD_FIXED_BYTES - AT_RESERVED);
}

/* Reads the geometry, without a check. */
static bloom_geometry geometry_of(const unsigned char *bytes, uint32_t scheme)
{
	bloom_geometry geometry = {
		.seed = bloom_get64(bytes + AT_SEED),
		.shards = bloom_get64(bytes + AT_SHARDS),
		.shard_bytes = bloom_get32(bytes + AT_SHARD_BYTES),
		.block_bytes = bloom_get32(bytes + AT_BLOCK_BYTES),
		.probes = bloom_get32(bytes + AT_PROBES),
	};

	if (scheme == SCHEME_REVERSE) {
		geometry.fan_out = bloom_get32(bytes + AT_FAN_OUT);
		geometry.groups = bloom_get64(bytes + AT_GROUPS);
	}
	if (scheme == SCHEME_RIBBON || scheme == SCHEME_MAP) {
		geometry.stripes = bloom_get32(bytes + AT_STRIPES);
	}
	if (scheme == SCHEME_MAP) {
		geometry.value_bits = bloom_get32(bytes + AT_VALUE_BITS);
	}
	if (scheme == SCHEME_FOREIGN) {
		geometry.foreign = bloom_get32(bytes + AT_FOREIGN);
		geometry.layers = layers_of(bytes);
	}
	return geometry;
}

/* Checks everything in the fixed part that does not depend on the tables. */
static bloom_status parse_fixed(const unsigned char *bytes, bloom_head *head, bloom_error *error)
{
	uint32_t scheme = bloom_get32(bytes + AT_SCHEME);
	bloom_status status;

	head->file_bytes = bloom_get64(bytes + AT_FILE_BYTES);
	head->geometry = geometry_of(bytes, scheme);
	head->meta.chunk_bytes = bloom_get32(bytes + AT_CHUNK_BYTES);
	if (scheme < SCHEME_BLOCKED_BLOOM || scheme > SCHEME_MAP) {
		return fail_scheme(error, "scheme", bytes, AT_SCHEME);
	}
	if (scheme == SCHEME_FOREIGN &&
		(head->geometry.foreign == BLOOM_FOREIGN_NONE ||
			head->geometry.foreign >= BLOOM_FOREIGN_COUNT)) {
		return fail_scheme(error, "format of the foreign filter", bytes, AT_FOREIGN);
	}
	status = parse_digests(bytes, head, error);
	if (status != BLOOM_OK) {
		return status;
	}
	status = bloom_geometry_check(&head->geometry);
	if (status == BLOOM_OK) {
		status = bloom_chunk_bytes_check(&head->geometry, head->meta.chunk_bytes);
	}
	if (status != BLOOM_OK) {
		return bloom_fail(error, BLOOM_E_GEOMETRY, 0, "%s", bloom_status_sentence(status));
	}
	/* With 0 groups or 0 stripes, bloom_geometry_check() would accept the blob as a plain
	 * filter. */
	if (scheme == SCHEME_REVERSE && head->geometry.groups == 0) {
		return bloom_fail(
			error, BLOOM_E_GEOMETRY, 0, "%s", bloom_status_sentence(BLOOM_E_GROUPS));
	}
	if ((scheme == SCHEME_RIBBON || scheme == SCHEME_MAP) && head->geometry.stripes == 0) {
		return bloom_fail(
			error, BLOOM_E_GEOMETRY, 0, "%s", bloom_status_sentence(BLOOM_E_STRIPES));
	}
	if (scheme == SCHEME_MAP && head->geometry.value_bits == 0) {
		return bloom_fail(error, BLOOM_E_GEOMETRY, 0, "%s",
			bloom_status_sentence(BLOOM_E_VALUE_BITS));
	}
	return reserved_is_zero(bytes, head) ? BLOOM_OK
					     : bloom_fail(error, BLOOM_E_RESERVED, 0, "head");
}

static bloom_status parse_meta(const unsigned char *bytes, bloom_head *head, bloom_error *error)
{
	bloom_meta *meta = &head->meta;

	head->keys = bloom_get64(bytes + AT_KEYS);
	head->set_bits = bloom_get64(bytes + AT_SET_BITS);
	meta->capacity_keys = bloom_get64(bytes + AT_CAPACITY);
	meta->target_rate = (double)bloom_get64(bytes + AT_TARGET_RATE) / BLOOM_RATE_UNIT;
	meta->measured_rate = (double)bloom_get64(bytes + AT_MEASURED_RATE) / BLOOM_RATE_UNIT;
	meta->built_ms = bloom_get64(bytes + AT_BUILT_MS);
	meta->source_bytes = bloom_get32(bytes + AT_SOURCE_BYTES);
	meta->mark = bloom_mark_get(bytes + AT_MARK);
	if (meta->capacity_keys < 1 || meta->capacity_keys > BLOOM_CAPACITY_MAX) {
		return bloom_fail(error, BLOOM_E_META, 0, "capacity");
	}
	if (meta->target_rate < 0 || meta->target_rate > 1 || meta->measured_rate > 1) {
		return bloom_fail(error, BLOOM_E_META, 0, "rate");
	}
	if (meta->source_bytes > BLOOM_SOURCE_BYTES_MAX) {
		return bloom_fail(error, BLOOM_E_META, 0, "source name");
	}
	if (!all_zero(bytes + AT_SOURCE + meta->source_bytes,
		    BLOOM_SOURCE_BYTES_MAX - meta->source_bytes)) {
		return bloom_fail(error, BLOOM_E_RESERVED, 0, "bytes after the source name");
	}
	memcpy(meta->source, bytes + AT_SOURCE, BLOOM_SOURCE_BYTES_MAX);
	return BLOOM_OK;
}

/* Checks the row of one shard. The builder counts a key only if the key sets a new bit, so each
 * counted key has set between 1 and `probes` bits. */
static bloom_status check_row(
	const bloom_head *head, uint64_t shard, bloom_shard_row row, bloom_error *error)
{
	uint32_t bits = head->geometry.shard_bytes * 8;

	if (head->geometry.layers != 0 && row.keys != 0) {
		return bloom_fail(
			error, BLOOM_E_SHARD_KEYS, 0, "shard %llu", (unsigned long long)shard);
	}
	if (head->geometry.stripes != 0) {
		return row.set_bits == 0
			? BLOOM_OK
			: bloom_fail(error, BLOOM_E_RESERVED, 0, "set bits of shard %llu",
				  (unsigned long long)shard);
	}
	/* In a shard this full, nearly every lookup would return "maybe", so serving the shard
	 * would be useless. */
	if (row.set_bits > bits - bits / 16) {
		return bloom_fail(
			error, BLOOM_E_SATURATED, 0, "shard %llu", (unsigned long long)shard);
	}
	if (head->geometry.layers != 0) {
		return BLOOM_OK;
	}
	if (row.keys > row.set_bits || row.set_bits > (uint64_t)row.keys * head->geometry.probes) {
		return bloom_fail(
			error, BLOOM_E_SHARD_KEYS, 0, "shard %llu", (unsigned long long)shard);
	}
	return BLOOM_OK;
}

static bloom_status parse_rows(const bloom_head *head, bloom_error *error)
{
	uint64_t shard, keys = 0, set_bits = 0;
	bloom_shard_row row;
	bloom_status status;

	for (shard = 0; shard < head->geometry.shards; shard++) {
		row = bloom_head_row(head, shard);
		status = check_row(head, shard, row, error);
		if (status != BLOOM_OK) {
			return status;
		}
		keys += row.keys;
		set_bits += row.set_bits;
	}
	/* There are at most 2^32 shards, and each count is below 2^32, so the sums cannot
	 * overflow. */
	if (head->geometry.layers != 0) {
		keys = head->keys;
	}
	if (keys != head->keys || set_bits != head->set_bits) {
		return bloom_fail(
			error, BLOOM_E_TOTALS, 0, keys != head->keys ? "keys" : "set bits");
	}
	return BLOOM_OK;
}

/* Checks the measured rate against the number of set bits.
 *
 * By Jensen's inequality, the mean of fill^probes over all lanes is at least (mean fill)^probes. It
 * is at most the mean fill. The reader counts the bits of every shard, so a forged head cannot
 * claim a rate outside these limits. Other writers may round differently, so the check tolerates a
 * relative difference of 10^−6.
 */
static bloom_status check_measured_rate(const bloom_head *head, bloom_error *error)
{
	const double unit = 1 / BLOOM_RATE_UNIT, part = 1e-6;
	const bloom_geometry *geometry = &head->geometry;
	double rate = head->meta.measured_rate;
	double most = (double)head->set_bits / ((double)bloom_geometry_bytes(geometry) * 8);
	double least = pow(most, geometry->probes);

	/* If all keys start in wide stripes, and if all are bumped from the last level. In a map,
	 * those start in the spill shard. */
	if (geometry->stripes != 0) {
		least = ldexp(1, -(int)geometry->probes - 1);
		most = geometry->value_bits != 0 ? 2 * least : 1;
	}
	/* Its layers start at shards, so the rows tell how many bits of each are set. */
	if (geometry->layers != 0) {
		if (!bloom_foreign_rate(geometry, head->layers, head->rows, &least)) {
			return bloom_fail(error, BLOOM_E_META, 0, "more set bits than a layer has");
		}
		most = least;
	}
	if (geometry->groups != 0 &&
		bloom_geometry_false_groups(geometry, rate, 0) > BLOOM_FALSE_GROUPS_MAX) {
		return bloom_fail(error, BLOOM_E_WRONG_GROUPS, 0, "measured rate");
	}
	return rate >= least * (1 - part) - unit && rate <= most * (1 + part) + unit
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_META, 0, "measured rate");
}

/* Checks that every layer fits in its shards, and that together they have all shards. */
static bloom_status check_layers(const bloom_head *head, bloom_error *error)
{
	const bloom_geometry *geometry = &head->geometry;
	uint64_t shards = 0, bits;
	uint32_t i, probes = 0;
	bloom_foreign_layer layer;

	for (i = 0; i < geometry->layers; i++) {
		layer = bloom_foreign_layer_get(head->layers + (uint64_t)i * BLOOM_ROW_BYTES);
		bits = (uint64_t)layer.shards * geometry->shard_bytes * 8;
		/* The order of bits in a word may differ, so words must be complete. */
		if (layer.probes < 1 || layer.probes > geometry->probes || layer.bits < 1 ||
			layer.bits > bits ||
			layer.bits <= bits - UINT64_C(8) * geometry->shard_bytes ||
			(layer.bits % 64 != 0 && geometry->foreign >= BLOOM_FOREIGN_GUAVA_64)) {
			return bloom_fail(error, BLOOM_E_GEOMETRY, 0, "layer %u", i);
		}
		shards += layer.shards;
		probes = layer.probes > probes ? layer.probes : probes;
	}
	return shards == geometry->shards && (i == 0 || probes == geometry->probes)
		? BLOOM_OK
		: bloom_fail(
			  error, BLOOM_E_GEOMETRY, 0, "%s", bloom_status_sentence(BLOOM_E_LAYERS));
}

bloom_status bloom_head_parse(
	const unsigned char *bytes, uint64_t count, bloom_head *head, bloom_error *error)
{
	bloom_head parsed = {0};
	uint64_t tables_end;
	bloom_status status;

	if (count < BLOOM_HEAD_FIXED_BYTES) {
		return bloom_fail(error, BLOOM_E_SHORT, 0, "%llu bytes", (unsigned long long)count);
	}
	status = bloom_head_peek(bytes, count, &parsed.head_bytes, error);
	if (status != BLOOM_OK) {
		return status;
	}
	parsed.checksum = bloom_get64(bytes + parsed.head_bytes - BLOOM_HEAD_CHECKSUM_BYTES);
	/* Verify the checksum first, so that accidental damage is reported as damage and not as an
	 * invalid field. An attacker can compute a valid checksum, so all other checks are still
	 * needed. */
	if (bloom_checksum(bytes, (size_t)(parsed.head_bytes - BLOOM_HEAD_CHECKSUM_BYTES)) !=
		parsed.checksum) {
		return bloom_fail(error, BLOOM_E_HEAD_CHECKSUM, 0, "head");
	}
	status = parse_fixed(bytes, &parsed, error);
	if (status != BLOOM_OK) {
		return status;
	}
	if (parsed.head_bytes != bloom_head_bytes(&parsed.geometry, parsed.meta.chunk_bytes)) {
		return bloom_fail(error, BLOOM_E_HEAD_BYTES, 0, "head of %llu bytes",
			(unsigned long long)parsed.head_bytes);
	}
	if (parsed.file_bytes != parsed.head_bytes + bloom_geometry_bytes(&parsed.geometry)) {
		return bloom_fail(error, BLOOM_E_LENGTH, 0, "file size in the head");
	}
	parsed.chunks = bloom_chunk_count(&parsed.geometry, parsed.meta.chunk_bytes);
	parsed.rows = bytes + BLOOM_HEAD_FIXED_BYTES;
	parsed.digests = parsed.rows + parsed.geometry.shards * BLOOM_ROW_BYTES;
	parsed.layers = parsed.digests + parsed.chunks * BLOOM_ROW_BYTES;
	parsed.foreign_key = bytes + AT_FOREIGN_KEY;
	tables_end = (uint64_t)(parsed.layers - bytes) +
		(uint64_t)parsed.geometry.layers * BLOOM_ROW_BYTES;
	if (!all_zero(bytes + tables_end,
		    parsed.head_bytes - BLOOM_HEAD_CHECKSUM_BYTES - tables_end)) {
		return bloom_fail(error, BLOOM_E_RESERVED, 0, "bytes after the tables");
	}
	status = parse_meta(bytes, &parsed, error);
	if (status == BLOOM_OK && parsed.geometry.layers != 0) {
		status = check_layers(&parsed, error);
	}
	if (status == BLOOM_OK) {
		status = parse_rows(&parsed, error);
	}
	if (status == BLOOM_OK) {
		status = check_measured_rate(&parsed, error);
	}
	if (status == BLOOM_OK) {
		*head = parsed;
	}
	return status;
}

bloom_status bloom_blob_parse(
	const unsigned char *bytes, uint64_t count, bloom_head *head, bloom_error *error)
{
	bloom_head parsed;
	bloom_status status = bloom_head_parse(bytes, count, &parsed, error);

	if (status != BLOOM_OK) {
		return status;
	}
	if (parsed.file_bytes != count) {
		return bloom_fail(error, BLOOM_E_LENGTH, 0, "%llu bytes instead of %llu",
			(unsigned long long)count, (unsigned long long)parsed.file_bytes);
	}
	*head = parsed;
	return BLOOM_OK;
}

bloom_status bloom_body_verify(const bloom_head *head, const unsigned char *body, uint64_t first,
	uint64_t count, bloom_error *error)
{
	return bloom_shards_verify(
		head, body + first * head->geometry.shard_bytes, first, count, error);
}

bloom_status bloom_shards_verify(const bloom_head *head, const unsigned char *bytes, uint64_t first,
	uint64_t count, bloom_error *error)
{
	size_t shard_bytes = (size_t)head->geometry.shard_bytes;
	bloom_shard_row row;
	uint64_t shard;

	for (shard = first; shard < first + count; shard++, bytes += shard_bytes) {
		row = bloom_head_row(head, shard);
		if (bloom_checksum(bytes, shard_bytes) != row.checksum) {
			return bloom_fail(error, BLOOM_E_SHARD_CHECKSUM, 0, "shard %llu",
				(unsigned long long)shard);
		}
		if (head->geometry.stripes == 0 &&
			bloom_set_bits(bytes, shard_bytes) != row.set_bits) {
			return bloom_fail(error, BLOOM_E_SHARD_BITS, 0, "shard %llu",
				(unsigned long long)shard);
		}
		if (head->geometry.value_bits != 0 && shard == head->geometry.shards - 1 &&
			!bloom_value_map_has_places(&head->geometry, bytes)) {
			return bloom_fail(error, BLOOM_E_MAP_SPILL, 0, "shard %llu",
				(unsigned long long)shard);
		}
	}
	return BLOOM_OK;
}

bool bloom_chunk_matches(const bloom_head *head, uint64_t chunk, const unsigned char *bytes)
{
	unsigned char digest[BLOOM_CHUNK_DIGEST_BYTES];

	bloom_chunk_digest(
		head->chunk_digest, bytes, (size_t)bloom_head_chunk_length(head, chunk), digest);
	return memcmp(digest, bloom_head_chunk(head, chunk), sizeof digest) == 0;
}

bloom_status bloom_chunks_verify(
	const bloom_head *head, const unsigned char *body, bloom_error *error)
{
	return bloom_chunk_range_verify(head, body, 0, head->chunks, error);
}

bloom_status bloom_chunk_range_verify(const bloom_head *head, const unsigned char *body,
	uint64_t first, uint64_t count, bloom_error *error)
{
	uint64_t chunk;

	for (chunk = first; chunk < first + count; chunk++) {
		if (!bloom_chunk_matches(
			    head, chunk, body + bloom_head_chunk_offset(head, chunk))) {
			return bloom_fail(error, BLOOM_E_CHUNK_DIGEST, 0, "chunk %llu",
				(unsigned long long)chunk);
		}
	}
	return BLOOM_OK;
}

bloom_shard_row bloom_head_row(const bloom_head *head, uint64_t shard)
{
	const unsigned char *at = head->rows + shard * BLOOM_ROW_BYTES;

	return (bloom_shard_row){.keys = bloom_get32(at),
		.set_bits = bloom_get32(at + 4),
		.checksum = bloom_get64(at + 8)};
}

const unsigned char *bloom_head_chunk(const bloom_head *head, uint64_t chunk)
{
	return head->digests + chunk * BLOOM_ROW_BYTES;
}

uint64_t bloom_head_chunk_offset(const bloom_head *head, uint64_t chunk)
{
	return chunk * head->meta.chunk_bytes;
}

uint64_t bloom_head_chunk_length(const bloom_head *head, uint64_t chunk)
{
	uint64_t remaining =
		bloom_geometry_bytes(&head->geometry) - bloom_head_chunk_offset(head, chunk);

	return remaining < head->meta.chunk_bytes ? remaining : head->meta.chunk_bytes;
}

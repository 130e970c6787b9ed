#include "filter/blob_write.h"

#include <math.h>
#include <string.h>

#include "filter/blob_layout.h"
#include "filter/bytes.h"
#include "filter/measure.h"
#include "filter/ribbon_solve.h"

static void write_fixed(const bloom_geometry *geometry, const bloom_meta *meta, uint64_t keys,
	uint64_t set_bits, unsigned char *head)
{
	uint64_t head_bytes = bloom_head_bytes(geometry, meta->chunk_bytes);

	memcpy(head, BLOOM_BLOB_MAGIC, sizeof BLOOM_BLOB_MAGIC);
	bloom_put32(head + AT_VERSION, BLOOM_FORMAT_VERSION);
	bloom_put64(head + AT_HEAD_BYTES, head_bytes);
	bloom_put64(head + AT_FILE_BYTES, head_bytes + bloom_geometry_bytes(geometry));
	bloom_put64(head + AT_SHARDS, geometry->shards);
	bloom_put32(head + AT_SHARD_BYTES, geometry->shard_bytes);
	bloom_put32(head + AT_BLOCK_BYTES, geometry->block_bytes);
	bloom_put32(head + AT_PROBES, geometry->probes);
	bloom_put32(head + AT_SCHEME,
		geometry->value_bits != 0        ? SCHEME_MAP
			: geometry->stripes != 0 ? SCHEME_RIBBON
			: geometry->fan_out != 0 ? SCHEME_REVERSE
			: geometry->layers != 0  ? SCHEME_FOREIGN
						 : SCHEME_BLOCKED_BLOOM);
	bloom_put32(head + AT_DIGEST,
		geometry->layers != 0                ? DIGEST_FOREIGN
			: geometry->fingerprint != 0 ? BLOOM_DIGEST_SIPHASH
						     : BLOOM_DIGEST_XXH3_64);
	bloom_put64(head + AT_FINGERPRINT, geometry->fingerprint);
	bloom_put32(head + BLOOM_AT_CHUNK_DIGEST, BLOOM_CHUNK_DIGEST_XXH3_128);
	bloom_put64(head + AT_SEED, geometry->seed);
	bloom_put64(head + AT_KEYS, keys);
	bloom_put64(head + AT_SET_BITS, set_bits);
	bloom_put64(head + AT_CAPACITY, meta->capacity_keys);
	bloom_put64(head + AT_TARGET_RATE, (uint64_t)round(meta->target_rate * BLOOM_RATE_UNIT));
	bloom_put64(
		head + AT_MEASURED_RATE, (uint64_t)round(meta->measured_rate * BLOOM_RATE_UNIT));
	bloom_put64(head + AT_BUILT_MS, meta->built_ms);
	bloom_put32(head + AT_CHUNK_BYTES, meta->chunk_bytes);
	bloom_put32(head + AT_SOURCE_BYTES, meta->source_bytes);
	memcpy(head + AT_SOURCE, meta->source, meta->source_bytes);
	bloom_mark_put(&meta->mark, head + AT_MARK);
	bloom_put32(head + AT_FAN_OUT, geometry->fan_out);
	bloom_put64(head + AT_GROUPS, geometry->groups);
	/* These fields overlap the groups field, so they are written last. */
	if (geometry->layers != 0) {
		bloom_put32(head + AT_FOREIGN, geometry->foreign);
		bloom_put32(head + AT_LAYERS, geometry->layers);
	}
	if (geometry->stripes != 0) {
		bloom_put32(head + AT_STRIPES, geometry->stripes);
		bloom_put32(head + AT_VALUE_BITS, geometry->value_bits);
	}
}

void bloom_chunk_rows_write(const bloom_geometry *geometry, uint32_t chunk_bytes, uint32_t kind,
	const unsigned char *body, unsigned char *rows)
{
	uint64_t end = bloom_geometry_bytes(geometry);
	uint64_t at;

	for (at = 0; at < end; at += chunk_bytes, rows += BLOOM_ROW_BYTES) {
		bloom_chunk_digest(kind, body + at,
			end - at < chunk_bytes ? (size_t)(end - at) : chunk_bytes, rows);
	}
}

static void write_row(const bloom_geometry *geometry, uint32_t keys, uint32_t set_bits,
	const unsigned char *shard, unsigned char *row)
{
	bloom_put32(row, keys);
	bloom_put32(row + 4, set_bits);
	bloom_put64(row + 8, bloom_checksum(shard, geometry->shard_bytes));
}

/* Completes a head whose shard rows have been written. */
static void finish_head(const bloom_geometry *geometry, const bloom_meta *meta, uint64_t keys,
	uint64_t set_bits, const unsigned char *body, unsigned char *head)
{
	uint64_t covered =
		bloom_head_bytes(geometry, meta->chunk_bytes) - BLOOM_HEAD_CHECKSUM_BYTES;

	bloom_chunk_rows_write(geometry, meta->chunk_bytes, BLOOM_CHUNK_DIGEST_XXH3_128, body,
		head + BLOOM_HEAD_FIXED_BYTES + geometry->shards * BLOOM_ROW_BYTES);
	write_fixed(geometry, meta, keys, set_bits, head);
	bloom_put64(head + covered, bloom_checksum(head, (size_t)covered));
}

void bloom_head_write(const bloom_geometry *geometry, bloom_meta *meta, const uint32_t *shard_keys,
	const unsigned char *body, unsigned char *head)
{
	unsigned char *row = head + BLOOM_HEAD_FIXED_BYTES;
	uint64_t shard, keys = 0, total = 0;
	double rate_sum = 0;
	bloom_meter meter;
	uint32_t bits;

	bloom_meter_init(&meter, geometry);
	memset(head, 0, (size_t)bloom_head_bytes(geometry, meta->chunk_bytes));
	for (shard = 0; shard < geometry->shards; shard++, row += BLOOM_ROW_BYTES) {
		const unsigned char *bytes = body + shard * geometry->shard_bytes;

		rate_sum += bloom_meter_shard(&meter, bytes, &bits);
		write_row(geometry, shard_keys[shard], bits, bytes, row);
		keys += shard_keys[shard];
		total += bits;
	}
	meta->measured_rate = rate_sum / (double)bloom_geometry_lanes(geometry);
	finish_head(geometry, meta, keys, total, body, head);
}

/* Returns the rate of a ribbon filter or a map. An absent key that has no equation in its shard
 * passes in a ribbon filter. In a map it has one in the last shard, which is also the first of a
 * map with a single shard; there, no key is lost. */
static double solved_rate(const bloom_geometry *geometry, const unsigned char *body)
{
	uint64_t homes = bloom_geometry_home_shards(geometry), shard;
	double spill = 1, sum = 0, lost;

	if (geometry->value_bits != 0) {
		spill = bloom_ribbon_shard_rate(
			geometry, body + (geometry->shards - 1) * geometry->shard_bytes, &lost);
	}
	for (shard = 0; shard < homes; shard++) {
		sum += bloom_ribbon_shard_rate(
			geometry, body + shard * geometry->shard_bytes, &lost);
		sum += lost * spill;
	}
	return sum / (double)homes;
}

void bloom_head_write_solved(const bloom_geometry *geometry, bloom_meta *meta,
	const uint32_t *shard_keys, const unsigned char *body, unsigned char *head)
{
	unsigned char *row = head + BLOOM_HEAD_FIXED_BYTES;
	uint64_t shard, keys = 0;

	memset(head, 0, (size_t)bloom_head_bytes(geometry, meta->chunk_bytes));
	for (shard = 0; shard < geometry->shards; shard++, row += BLOOM_ROW_BYTES) {
		write_row(
			geometry, shard_keys[shard], 0, body + shard * geometry->shard_bytes, row);
		keys += shard_keys[shard];
	}
	meta->measured_rate = solved_rate(geometry, body);
	finish_head(geometry, meta, keys, 0, body, head);
}

void bloom_head_write_foreign(const bloom_geometry *geometry, bloom_meta *meta,
	const bloom_foreign_layer *layers, const unsigned char *foreign_key, uint64_t keys,
	const unsigned char *body, unsigned char *head)
{
	unsigned char *rows = head + BLOOM_HEAD_FIXED_BYTES, *row = rows;
	unsigned char *layer_rows = rows +
		(geometry->shards + bloom_chunk_count(geometry, meta->chunk_bytes)) *
			BLOOM_ROW_BYTES;
	uint64_t shard, total = 0;
	uint32_t i, bits;

	memset(head, 0, (size_t)bloom_head_bytes(geometry, meta->chunk_bytes));
	for (shard = 0; shard < geometry->shards; shard++, row += BLOOM_ROW_BYTES) {
		const unsigned char *bytes = body + shard * geometry->shard_bytes;

		bits = (uint32_t)bloom_set_bits(bytes, geometry->shard_bytes);
		write_row(geometry, 0, bits, bytes, row);
		total += bits;
	}
	for (i = 0; i < geometry->layers; i++) {
		bloom_foreign_layer_put(&layers[i], layer_rows + (uint64_t)i * BLOOM_ROW_BYTES);
	}
	memcpy(head + AT_FOREIGN_KEY, foreign_key, BLOOM_FOREIGN_KEY_BYTES);
	(void)bloom_foreign_rate(geometry, layer_rows, rows, &meta->measured_rate);
	finish_head(geometry, meta, keys, total, body, head);
}

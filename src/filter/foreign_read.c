#include "filter/foreign_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "filter/blob_write.h"
#include "filter/foreign_redis.h"
#include "filter/foreign_size.h"
#include "filter/measure.h"

enum {
	GUAVA_HEADER_BYTES = 6,
	GUAVA_STRATEGY_32 = 0,
	GUAVA_STRATEGY_64 = 1,
};

/* Redis does not store the zeros at the end of a filter. A string that lacks more of them than
 * happens with this probability is not a filter of the given size. */
static const double valkeyprob_gap_chance = 1e-9;

static bloom_dump_string plain(const unsigned char *bytes, uint64_t count)
{
	return (bloom_dump_string){.bytes = bytes, .count = count, .length = count};
}

/* A string of valkeyprob need not end with a whole word. */
static uint64_t count_bits(const unsigned char *bytes, uint64_t count)
{
	unsigned char last[8] = {0};
	uint64_t whole = count / 8 * 8;

	if (count > whole) {
		memcpy(last, bytes + whole, (size_t)(count - whole));
	}
	return bloom_set_bits(bytes, whole) + bloom_set_bits(last, sizeof last);
}

/* Estimates the number of keys in a filter that does not store it. */
static uint64_t estimate_keys(uint64_t set_bits, uint64_t bits, uint32_t probes)
{
	/* With all bits set, the estimate would be infinite. */
	uint64_t fewer = set_bits < bits ? set_bits : bits - 1;
	bloom_foreign_layer layer = {.bits = bits, .probes = probes};
	double keys = round(bloom_foreign_estimated_keys(&layer, fewer));

	return keys < 1 ? 1 : (uint64_t)keys;
}

/* ---- valkeyprob ---- */

static bloom_status valkeyprob_size(
	const bloom_foreign_hint *hint, uint64_t *bits, uint32_t *probes, bloom_error *error)
{
	double exact_bits, exact_probes;
	char rate[BLOOM_NUMBER_BYTES];

	(void)bloom_number_text(hint->rate, 6, rate);
	if (hint->capacity < 1 || !(hint->rate > 0 && hint->rate < 1)) {
		return bloom_fail(error, BLOOM_E_FOREIGN_SIZE, 0,
			"capacity %llu and rate %s, but the capacity must be at least 1, and the "
			"rate "
			"between 0 and 1",
			(unsigned long long)hint->capacity, rate);
	}
	bloom_valkeyprob_size((double)hint->capacity, hint->rate, &exact_bits, &exact_probes);
	if (exact_bits > (double)BLOOM_VALKEYPROB_BITS_MAX) {
		return bloom_fail(error, BLOOM_E_FOREIGN_SIZE, 0,
			"capacity %llu and rate %s need %.0f bits, but valkeyprob allows at most "
			"%llu",
			(unsigned long long)hint->capacity, rate, exact_bits,
			(unsigned long long)BLOOM_VALKEYPROB_BITS_MAX);
	}
	if (exact_probes < 1 || exact_probes > (double)BLOOM_FOREIGN_PROBES_MAX) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"rate %s leads to %.0f probes per key, but 1 to %d can be imported%s", rate,
			exact_probes, BLOOM_FOREIGN_PROBES_MAX,
			exact_probes < 1 ? "; such a filter contains no key" : "");
	}
	*bits = (uint64_t)exact_bits;
	*probes = (uint32_t)exact_probes;
	return BLOOM_OK;
}

/* Returns the length of the longest gap that is probable, in bits.
 *
 * If X of m bits are set, the probability that the last g of them are clear is the product of
 * 1 − X / (m − i) for all i < g, which is at most (1 − X/m)^g. It is also at most (1 − g/m)^X, the
 * probability that X bits avoid the gap. */
static double probable_gap(uint64_t set_bits, uint64_t bits)
{
	double chance = log(valkeyprob_gap_chance), total = (double)bits;
	double by_fill = chance / log1p(-(double)set_bits / total);
	double by_bits = -expm1(chance / (double)set_bits) * total;

	return by_fill < by_bits ? by_fill : by_bits;
}

static bloom_status read_valkeyprob(const unsigned char *bytes, uint64_t count,
	const bloom_foreign_hint *hint, bloom_foreign_source *source, bloom_error *error)
{
	bloom_dump_string string = plain(bytes, count);
	uint64_t bits = 0, set_bits, least, most, gap;
	char rate[BLOOM_NUMBER_BYTES], range[48] = "";
	uint32_t probes = 0;
	bloom_status status = valkeyprob_size(hint, &bits, &probes, error);

	if (status != BLOOM_OK) {
		return status;
	}
	set_bits = count_bits(bytes, count);
	if (set_bits == 0) {
		return bloom_fail(error, BLOOM_E_FOREIGN_EMPTY, 0, "string of %llu bytes",
			(unsigned long long)count);
	}
	most = (bits + 7) / 8;
	gap = (uint64_t)(probable_gap(set_bits, bits < set_bits ? set_bits : bits) / 8);
	least = gap < most ? most - gap : 1;
	if (count > most || most - count > gap) {
		if (least < most) {
			(void)snprintf(range, sizeof range, "%llu to ", (unsigned long long)least);
		}
		return bloom_fail(error, BLOOM_E_FOREIGN_SIZE, 0,
			"string of %llu bytes, but capacity %llu and rate %s make a filter of %llu "
			"bits: %s%llu bytes",
			(unsigned long long)count, (unsigned long long)hint->capacity,
			bloom_number_text(hint->rate, 6, rate), (unsigned long long)bits, range,
			(unsigned long long)most);
	}
	/* The most significant bit of a byte comes first. */
	if (count == most && bits % 8 != 0 && (bytes[count - 1] & (0xFF >> bits % 8)) != 0) {
		return bloom_fail(error, BLOOM_E_FOREIGN_SIZE, 0,
			"a bit after the last one is set: capacity %llu and rate %s make a filter "
			"of "
			"%llu bits",
			(unsigned long long)hint->capacity, bloom_number_text(hint->rate, 6, rate),
			(unsigned long long)bits);
	}
	if (count < most && bytes[count - 1] == 0) {
		return bloom_fail(error, BLOOM_E_FOREIGN_SIZE, 0,
			"the string's last byte is 0, but it has only %llu of %llu bytes, and "
			"SETBIT and BITFIELD end a string with a set bit: it was cut",
			(unsigned long long)count, (unsigned long long)most);
	}
	status = bloom_foreign_check_holes(source, bytes, count,
		&(bloom_foreign_layer){.bits = bits, .probes = probes}, set_bits, error);
	if (status != BLOOM_OK) {
		return status;
	}
	source->is_set = true;
	source->capacity = hint->capacity;
	source->rate = hint->rate;
	source->keys = estimate_keys(set_bits, bits, probes);
	bloom_foreign_append(source, bits, probes, &string, 0);
	return BLOOM_OK;
}

/* ---- Guava ---- */

static bloom_status read_guava(const unsigned char *bytes, uint64_t count,
	bloom_foreign_source *source, bloom_error *error)
{
	bloom_dump_string string;
	uint64_t words, bits, set_bits;
	bloom_status status;
	double capacity;
	uint32_t probes;

	if (count < GUAVA_HEADER_BYTES) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"%llu bytes, but the header alone has %d", (unsigned long long)count,
			GUAVA_HEADER_BYTES);
	}
	if (bytes[0] > GUAVA_STRATEGY_64 ||
		(bytes[0] == GUAVA_STRATEGY_64 &&
			source->geometry.foreign == BLOOM_FOREIGN_GUAVA_32)) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"strategy %u, but it must be 0 (MURMUR128_MITZ_32)%s", bytes[0],
			source->geometry.foreign == BLOOM_FOREIGN_GUAVA_32
				? ""
				: " or 1 (MURMUR128_MITZ_64)");
	}
	if (bytes[0] == GUAVA_STRATEGY_32) {
		source->geometry.foreign = BLOOM_FOREIGN_GUAVA_32;
	}
	probes = bytes[1];
	if (probes < 1) {
		return bloom_fail(
			error, BLOOM_E_FOREIGN, 0, "0 hash functions, but 1 to 255 are allowed");
	}
	words = (uint64_t)bytes[2] << 24 | (uint64_t)bytes[3] << 16 | (uint64_t)bytes[4] << 8 |
		bytes[5];
	if (words < 1 || words > INT32_MAX || count - GUAVA_HEADER_BYTES != words * 8) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"the header says %llu numbers of 8 bytes, but %llu bytes follow it",
			(unsigned long long)words,
			(unsigned long long)(count - GUAVA_HEADER_BYTES));
	}
	string = plain(bytes + GUAVA_HEADER_BYTES, words * 8);
	set_bits = bloom_set_bits(string.bytes, string.count);
	source->is_set = set_bits > 0;
	bits = words * 64;
	status = bloom_foreign_check_holes(source, string.bytes, string.count,
		&(bloom_foreign_layer){.bits = bits, .probes = probes}, set_bits, error);
	if (status != BLOOM_OK) {
		return status;
	}
	capacity = floor((double)bits * log(2) / probes);
	source->capacity = capacity < 1 ? 1 : (uint64_t)capacity;
	source->rate = ldexp(1, -(int)probes);
	source->keys = estimate_keys(set_bits, bits, probes);
	bloom_foreign_append(source, bits, probes, &string, 0);
	return BLOOM_OK;
}

/* ---- all formats ---- */

/* Returns the format that the bytes have without doubt, or NONE. */
static bloom_foreign_format detect(const unsigned char *bytes, uint64_t count)
{
	bloom_dump_type type;

	if (!bloom_dump_peek(bytes, count, &type)) {
		return BLOOM_FOREIGN_NONE;
	}
	if (strcmp(type.name, BLOOM_TYPE_VALKEY_BLOOM) == 0) {
		return BLOOM_FOREIGN_VALKEY_BLOOM;
	}
	/* A cuckoo filter is detected so that it is refused by its name. */
	return strcmp(type.name, BLOOM_TYPE_REDISBLOOM) == 0 ||
			strcmp(type.name, BLOOM_TYPE_CUCKOO) == 0
		? BLOOM_FOREIGN_REDISBLOOM
		: BLOOM_FOREIGN_NONE;
}

bloom_status bloom_foreign_read(const unsigned char *bytes, uint64_t count,
	const bloom_foreign_hint *hint, bloom_foreign_source *source, bloom_error *error)
{
	bloom_foreign_format format =
		hint->format != BLOOM_FOREIGN_NONE ? hint->format : detect(bytes, count);
	bloom_status status;

	memset(source, 0, sizeof *source);
	source->geometry.foreign = format;
	switch (format) {
	case BLOOM_FOREIGN_VALKEYPROB:
		status = read_valkeyprob(bytes, count, hint, source, error);
		break;
	case BLOOM_FOREIGN_REDISBLOOM:
		status = bloom_redisbloom_read(bytes, count, source, error);
		break;
	case BLOOM_FOREIGN_VALKEY_BLOOM:
		status = bloom_valkey_bloom_read(bytes, count, source, error);
		break;
	case BLOOM_FOREIGN_GUAVA_64:
	case BLOOM_FOREIGN_GUAVA_32:
		status = read_guava(bytes, count, source, error);
		break;
	default:
		return bloom_fail(
			error, BLOOM_E_FOREIGN_FORMAT, 0, "%llu bytes", (unsigned long long)count);
	}
	return status == BLOOM_OK ? bloom_foreign_finish(source, error) : status;
}

uint64_t bloom_foreign_blob_bytes(const bloom_foreign_source *source)
{
	return bloom_head_bytes(&source->geometry, BLOOM_CHUNK_BYTES_DEFAULT) +
		bloom_geometry_bytes(&source->geometry);
}

bloom_status bloom_foreign_write(const bloom_foreign_source *source, uint64_t built_ms,
	const char *name, uint32_t name_bytes, unsigned char *blob, bloom_error *error)
{
	const bloom_geometry *geometry = &source->geometry;
	unsigned char *body = blob + bloom_head_bytes(geometry, BLOOM_CHUNK_BYTES_DEFAULT);
	unsigned char skipped[BLOOM_FOREIGN_SKIP_MAX], *at = body;
	bloom_meta meta = {.capacity_keys = source->capacity,
		.built_ms = built_ms,
		.target_rate = source->rate,
		.chunk_bytes = BLOOM_CHUNK_BYTES_DEFAULT,
		.source_bytes = name_bytes};
	const bloom_foreign_part *part;
	uint32_t i;

	memcpy(meta.source, name, name_bytes);
	for (i = 0; i < geometry->layers; i++) {
		part = &source->parts[i];
		/* The reader has unpacked the string, too. But if the bytes are in a file, another
		 * process may have changed them since. */
		if (!bloom_dump_unpack(&part->string, skipped, part->skip, at)) {
			return bloom_fail(
				error, BLOOM_E_FOREIGN, 0, "layer %u changed while it was read", i);
		}
		at += (uint64_t)source->layers[i].shards * geometry->shard_bytes;
	}
	bloom_head_write_foreign(
		geometry, &meta, source->layers, source->key, source->keys, body, blob);
	return BLOOM_OK;
}

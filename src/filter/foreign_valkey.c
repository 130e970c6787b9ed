#include "filter/foreign_redis.h"

#include <string.h>

#include "filter/bytes.h"

enum {
	VERSION = 1, /* of the type, and of the header */
	/* Each layer is a string that begins with a header. */
	HEADER_BYTES = BLOOM_FOREIGN_SKIP_MAX,
	AT_BYTES = 1,
	AT_PROBES = 9,
	AT_SEED = 13,
};

static bloom_status check_filter(
	uint64_t layers, double rate, double tightening, uint64_t is_random, bloom_error *error)
{
	bloom_status status = bloom_foreign_check_count(layers, error);
	char text[BLOOM_NUMBER_BYTES];

	if (status != BLOOM_OK) {
		return status;
	}
	if (!(rate > 0 && rate < 1)) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"error rate %s, but it must be between 0 and 1",
			bloom_number_text(rate, 6, text));
	}
	if (!(tightening > 0 && tightening < 1)) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"tightening ratio %s, but it must be between 0 and 1",
			bloom_number_text(tightening, 6, text));
	}
	if (is_random > 1) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"is_seed_random is %llu, but must be 0 or 1",
			(unsigned long long)is_random);
	}
	return BLOOM_OK;
}

static bloom_status append_layer(const bloom_dump_string *string, uint64_t keys,
	bloom_foreign_source *source, bloom_error *error)
{
	unsigned char header[HEADER_BYTES];
	uint32_t layer = source->geometry.layers, probes;
	bloom_status status;
	uint64_t bytes;

	if (string->length <= HEADER_BYTES) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"layer %u has %llu bytes, but its header alone has %d", layer,
			(unsigned long long)string->length, HEADER_BYTES);
	}
	status = bloom_foreign_look(source, string, keys, header, sizeof header, error);
	if (status != BLOOM_OK) {
		return status;
	}
	bytes = bloom_get64(header + AT_BYTES);
	probes = bloom_get32(header + AT_PROBES);
	if (header[0] != VERSION) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"layer %u has version %u, but this build reads version %d", layer,
			header[0], VERSION);
	}
	if (bytes != string->length - HEADER_BYTES) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"layer %u: its header says %llu bytes, but %llu follow", layer,
			(unsigned long long)bytes,
			(unsigned long long)(string->length - HEADER_BYTES));
	}
	if (probes < 1 || probes > BLOOM_FOREIGN_PROBES_MAX) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"layer %u: %u hashes, but 1 to %d are allowed", layer, probes,
			BLOOM_FOREIGN_PROBES_MAX);
	}
	if (layer == 0) {
		memcpy(source->key, header + AT_SEED, sizeof source->key);
	}
	if (memcmp(source->key, header + AT_SEED, sizeof source->key) != 0) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"layer %u has another seed than layer 0, but all layers must have the same",
			layer);
	}
	bloom_foreign_append(source, bytes * 8, probes, string, HEADER_BYTES);
	return BLOOM_OK;
}

bloom_status bloom_valkey_bloom_read(const unsigned char *bytes, uint64_t count,
	bloom_foreign_source *source, bloom_error *error)
{
	uint64_t layers, is_random, capacity, keys, i;
	bloom_dump_string string;
	bloom_dump_type type;
	double tightening;
	bloom_status status;
	bloom_dump dump;

	if (!bloom_dump_peek(bytes, count, &type)) {
		return bloom_fail(
			error, BLOOM_E_FOREIGN, 0, "not the payload of DUMP of a module's value");
	}
	if (strcmp(type.name, BLOOM_TYPE_VALKEY_BLOOM) != 0 || type.version != VERSION) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"a value of type %s, version %u, but valkey-bloom's filters have %s, "
			"version "
			"%d",
			type.name, type.version, BLOOM_TYPE_VALKEY_BLOOM, VERSION);
	}
	dump = bloom_dump_open(bytes, count, error);
	layers = bloom_dump_number(&dump, "the number of layers");
	(void)bloom_dump_number(&dump, "the expansion");
	source->rate = bloom_dump_double(&dump, "the error rate");
	tightening = bloom_dump_double(&dump, "the tightening ratio");
	is_random = bloom_dump_number(&dump, "is_seed_random");
	status = dump.status == BLOOM_OK
		? check_filter(layers, source->rate, tightening, is_random, error)
		: dump.status;
	for (i = 0; status == BLOOM_OK && i < layers; i++) {
		string = bloom_dump_take(&dump, "a layer");
		capacity = bloom_dump_number(&dump, "a layer's capacity");
		/* All layers but the last one are full. */
		keys = i + 1 < layers ? capacity : bloom_dump_number(&dump, "the number of keys");
		if (dump.status != BLOOM_OK) {
			return dump.status;
		}
		if (keys > capacity) {
			return bloom_fail(error, BLOOM_E_FOREIGN, 0,
				"layer %llu: %llu keys, but its capacity is %llu",
				(unsigned long long)i, (unsigned long long)keys,
				(unsigned long long)capacity);
		}
		status = bloom_foreign_add_capacity(source, capacity, error);
		if (status == BLOOM_OK) {
			source->keys += keys;
			status = append_layer(&string, keys, source, error);
		}
	}
	return status == BLOOM_OK ? bloom_dump_close(&dump) : status;
}

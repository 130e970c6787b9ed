#include "filter/foreign_redis.h"

#include <math.h>
#include <string.h>

#include "filter/bytes.h"
#include "filter/measure.h"

enum {
	/* Flags of a filter. */
	OPTION_NO_ROUND = 1,
	OPTION_ENTRIES_ARE_BITS = 2,
	OPTION_FORCE_64 = 4,
	OPTION_NO_SCALING = 8,
	OPTIONS_ALL = 15,
	REDISBLOOM_VERSION = 4,
	GROWTH_MAX = 32768,
	/* The header that BF.SCANDUMP returns first. */
	SCAN_FIXED_BYTES = 20,
	SCAN_LAYER_BYTES = 53,
};

/* What RedisBloom stores about a filter, and about one of its layers. */
typedef struct chain {
	uint64_t keys, layers, options, growth;
} chain;

typedef struct link {
	uint64_t bytes, bits, keys, probes, entries, power;
	double rate, bits_per_key;
} link;

static bloom_status check_chain(const chain *filter, bloom_error *error)
{
	bloom_status status = bloom_foreign_check_count(filter->layers, error);

	if (status != BLOOM_OK) {
		return status;
	}
	if (filter->options > OPTIONS_ALL) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"options %llu, but only those up to %d are known",
			(unsigned long long)filter->options, OPTIONS_ALL);
	}
	if ((filter->options & OPTION_FORCE_64) == 0) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"options %llu: the filter was created by an old version, with 32-bit "
			"hashes "
			"(without the option FORCE64); BF.RESERVE a new filter and add the keys "
			"again",
			(unsigned long long)filter->options);
	}
	if ((filter->options & OPTION_NO_ROUND) == 0 ||
		(filter->options & OPTION_ENTRIES_ARE_BITS) != 0) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"options %llu: the filter's size is rounded to a power of two (%s); "
			"BF.RESERVE "
			"a new filter and add the keys again",
			(unsigned long long)filter->options,
			(filter->options & OPTION_NO_ROUND) == 0 ? "without the option NOROUND"
								 : "with the option ENTS_IS_BITS");
	}
	if (filter->growth > GROWTH_MAX) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"growth %llu, but at most %d is allowed",
			(unsigned long long)filter->growth, GROWTH_MAX);
	}
	return BLOOM_OK;
}

static bloom_status check_link(const link *of, uint32_t layer, bloom_error *error)
{
	/* RedisBloom's own constant, which has fewer digits than ln 2. */
	double probes = ceil(0.693147180559945 * of->bits_per_key);
	char text[BLOOM_NUMBER_BYTES];

	if (of->power != 0) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"layer %u has 2^%llu bits (n2); BF.RESERVE a new filter and add the keys "
			"again",
			layer, (unsigned long long)of->power);
	}
	if (!(of->rate > 0 && of->rate < 1)) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"layer %u: error rate %s, but it must be between 0 and 1", layer,
			bloom_number_text(of->rate, 6, text));
	}
	if (!(probes >= 1 && probes <= (double)BLOOM_FOREIGN_PROBES_MAX)) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"layer %u: %s bits per key would need fewer than 1 or more than %d hashes",
			layer, bloom_number_text(of->bits_per_key, 6, text),
			BLOOM_FOREIGN_PROBES_MAX);
	}
	if (of->probes != (uint64_t)probes) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"layer %u: %llu hashes, but its bits per key need %.0f", layer,
			(unsigned long long)of->probes, probes);
	}
	if (of->bytes < 8 || of->bytes % 8 != 0) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"layer %u: %llu bytes, but they must be a multiple of 8", layer,
			(unsigned long long)of->bytes);
	}
	if (of->bits / 8 != of->bytes || of->bits % 8 != 0) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"layer %u: %llu bits in %llu bytes, but each byte has 8", layer,
			(unsigned long long)of->bits, (unsigned long long)of->bytes);
	}
	return BLOOM_OK;
}

/* Checks the bits of a layer, which have no checksum. */
static bloom_status check_bits(const link *of, const bloom_dump_string *string,
	const bloom_foreign_source *source, bloom_error *error)
{
	const bloom_foreign_layer layer = {.bits = of->bits, .probes = (uint32_t)of->probes};
	uint64_t set_bits = bloom_set_bits(string->bytes, string->count);
	bloom_status status = bloom_foreign_check_holes(
		source, string->bytes, string->count, &layer, set_bits, error);

	return status == BLOOM_OK
		? bloom_foreign_check_fill(source, of->keys, &layer, set_bits, error)
		: status;
}

/* Checks a layer and appends it. `source` has the sums of the layers before it.
 *
 *   is_checked  a checksum covers the bits */
static bloom_status append_link(const chain *filter, const link *of,
	const bloom_dump_string *string, bool is_checked, bloom_foreign_source *source,
	bloom_error *error)
{
	uint32_t layer = source->geometry.layers;
	bloom_status status = check_link(of, layer, error);

	if (status == BLOOM_OK) {
		status = bloom_foreign_add_capacity(source, of->entries, error);
	}
	if (status == BLOOM_OK) {
		status = bloom_foreign_look(source, string, of->keys, NULL, 0, error);
	}
	if (status != BLOOM_OK) {
		return status;
	}
	if (of->keys > filter->keys - source->keys) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"layers 0 to %u have more than the filter's %llu keys", layer,
			(unsigned long long)filter->keys);
	}
	status = is_checked ? BLOOM_OK : check_bits(of, string, source, error);
	if (status != BLOOM_OK) {
		return status;
	}
	source->keys += of->keys;
	/* Each layer of a filter that grows has half of the previous one's rate, and the first one
	 * has half of the requested rate, so that their sum is below it. */
	if (layer == 0) {
		source->rate = (filter->options & OPTION_NO_SCALING) != 0 ? of->rate : 2 * of->rate;
		source->rate = source->rate < 1 ? source->rate : 1;
	}
	bloom_foreign_append(source, of->bits, (uint32_t)of->probes, string, 0);
	return BLOOM_OK;
}

static bloom_status end_chain(
	const chain *filter, const bloom_foreign_source *source, bloom_error *error)
{
	if (source->keys != filter->keys) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"the layers have %llu keys, but the filter has %llu",
			(unsigned long long)source->keys, (unsigned long long)filter->keys);
	}
	return BLOOM_OK;
}

static bloom_status read_dump(const unsigned char *bytes, uint64_t count,
	bloom_foreign_source *source, bloom_error *error)
{
	bloom_dump dump = bloom_dump_open(bytes, count, error);
	bloom_dump_string string;
	bloom_status status;
	chain filter;
	uint64_t i;
	link layer;

	filter.keys = bloom_dump_number(&dump, "the number of keys");
	filter.layers = bloom_dump_number(&dump, "the number of layers");
	filter.options = bloom_dump_number(&dump, "the options");
	filter.growth = bloom_dump_number(&dump, "the growth");
	status = dump.status == BLOOM_OK ? check_chain(&filter, error) : dump.status;
	for (i = 0; status == BLOOM_OK && i < filter.layers; i++) {
		layer.entries = bloom_dump_number(&dump, "a layer's capacity");
		layer.rate = bloom_dump_double(&dump, "a layer's error rate");
		layer.probes = bloom_dump_number(&dump, "a layer's number of hashes");
		layer.bits_per_key = bloom_dump_double(&dump, "a layer's bits per key");
		layer.bits = bloom_dump_number(&dump, "a layer's number of bits");
		layer.power = bloom_dump_number(&dump, "a layer's n2");
		string = bloom_dump_take(&dump, "a layer's bits");
		layer.keys = bloom_dump_number(&dump, "a layer's number of keys");
		layer.bytes = string.length;
		status = dump.status == BLOOM_OK
			? append_link(&filter, &layer, &string, true, source, error)
			: dump.status;
	}
	if (status == BLOOM_OK) {
		status = bloom_dump_close(&dump);
	}
	return status == BLOOM_OK ? end_chain(&filter, source, error) : status;
}

static link scanned_link(const unsigned char *at)
{
	return (link){.bytes = bloom_get64(at),
		.bits = bloom_get64(at + 8),
		.keys = bloom_get64(at + 16),
		.rate = bloom_get_double(at + 24),
		.bits_per_key = bloom_get_double(at + 32),
		.probes = bloom_get32(at + 40),
		.entries = bloom_get64(at + 44),
		.power = at[52]};
}

/* The header has neither a magic number nor a checksum, so each of its fields is checked against
 * another one, and its sizes against the length. */
static bloom_status read_scan(const unsigned char *bytes, uint64_t count,
	bloom_foreign_source *source, bloom_error *error)
{
	bloom_dump_string string = {0};
	uint64_t left, i;
	chain filter;
	bloom_status status;
	link layer;

	if (count < SCAN_FIXED_BYTES) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"%llu bytes, but the header of BF.SCANDUMP has at least %d",
			(unsigned long long)count, SCAN_FIXED_BYTES + SCAN_LAYER_BYTES);
	}
	filter = (chain){.keys = bloom_get64(bytes),
		.layers = bloom_get32(bytes + 8),
		.options = bloom_get32(bytes + 12),
		.growth = bloom_get32(bytes + 16)};
	status = check_chain(&filter, error);
	if (status != BLOOM_OK) {
		return status;
	}
	left = count - SCAN_FIXED_BYTES;
	if (left < filter.layers * SCAN_LAYER_BYTES) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"%llu bytes, but the header of BF.SCANDUMP has %llu for %llu layers",
			(unsigned long long)count,
			(unsigned long long)(SCAN_FIXED_BYTES + filter.layers * SCAN_LAYER_BYTES),
			(unsigned long long)filter.layers);
	}
	left -= filter.layers * SCAN_LAYER_BYTES;
	string.bytes = bytes + (count - left);
	for (i = 0; i < filter.layers; i++) {
		layer = scanned_link(bytes + SCAN_FIXED_BYTES + i * SCAN_LAYER_BYTES);
		if (layer.bytes > left) {
			return bloom_fail(error, BLOOM_E_FOREIGN, 0,
				"the bits of layer %llu are missing: it has %llu bytes, but only "
				"%llu "
				"follow; append the data of all calls of BF.SCANDUMP, in order",
				(unsigned long long)i, (unsigned long long)layer.bytes,
				(unsigned long long)left);
		}
		string.count = string.length = layer.bytes;
		status = append_link(&filter, &layer, &string, false, source, error);
		if (status != BLOOM_OK) {
			return status;
		}
		string.bytes += layer.bytes;
		left -= layer.bytes;
	}
	if (left > 0) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"%llu bytes follow the bits of the last layer", (unsigned long long)left);
	}
	return end_chain(&filter, source, error);
}

/* Returns true if the bytes are a payload of DUMP, and not the data of BF.SCANDUMP. */
static bool is_dump(const unsigned char *bytes, uint64_t count, bloom_dump_type *type)
{
	/* The header of BF.SCANDUMP begins with the number of keys, of which the last bytes are 0.
	 * In the name of a module's type, they would be the letters AA. */
	return bloom_dump_peek(bytes, count, type) && (bytes[6] | bytes[7]) != 0;
}

bloom_status bloom_redisbloom_read(const unsigned char *bytes, uint64_t count,
	bloom_foreign_source *source, bloom_error *error)
{
	bloom_dump_type type;

	if (!is_dump(bytes, count, &type)) {
		return read_scan(bytes, count, source, error);
	}
	if (strcmp(type.name, BLOOM_TYPE_CUCKOO) == 0) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"a cuckoo filter (%s), which cannot be imported; create a Bloom filter "
			"with "
			"BF.RESERVE and add the keys to it",
			type.name);
	}
	if (strcmp(type.name, BLOOM_TYPE_REDISBLOOM) != 0 || type.version != REDISBLOOM_VERSION) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"a value of type %s, version %u, but RedisBloom's filters have %s, version "
			"%d",
			type.name, type.version, BLOOM_TYPE_REDISBLOOM, REDISBLOOM_VERSION);
	}
	return read_dump(bytes, count, source, error);
}

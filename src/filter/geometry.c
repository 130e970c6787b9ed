#include "filter/geometry.h"

#include <stddef.h>

static bool is_power_of_two_within(uint64_t value, uint64_t least, uint64_t most)
{
	return value >= least && value <= most && (value & (value - 1)) == 0;
}

static bloom_status check_reverse(const bloom_geometry *geometry)
{
	if (geometry->groups == 0 && geometry->fan_out == 0) {
		return BLOOM_OK;
	}
	if (geometry->groups < 1 || geometry->groups > BLOOM_GROUPS_MAX) {
		return BLOOM_E_GROUPS;
	}
	if (!is_power_of_two_within(geometry->fan_out, BLOOM_FAN_OUT_MIN, BLOOM_FAN_OUT_MAX)) {
		return BLOOM_E_FAN_OUT;
	}
	if (geometry->block_bytes != geometry->shard_bytes ||
		bloom_geometry_lane_bits(geometry) < BLOOM_LANE_BITS_MIN) {
		return BLOOM_E_BLOCK_BYTES;
	}
	return BLOOM_OK;
}

static bloom_status check_ribbon(const bloom_geometry *geometry)
{
	uint32_t words;

	if (geometry->stripes == 0) {
		return geometry->value_bits == 0 ? BLOOM_OK : BLOOM_E_STRIPES;
	}
	if (geometry->value_bits > BLOOM_VALUE_BITS_MAX) {
		return BLOOM_E_VALUE_BITS;
	}
	if (geometry->stripes < BLOOM_RIBBON_STRIPES_MIN || geometry->stripes % 2 != 0 ||
		geometry->stripes > geometry->shard_bytes / 8 || geometry->fan_out != 0) {
		return BLOOM_E_STRIPES;
	}
	if (geometry->block_bytes != geometry->shard_bytes) {
		return BLOOM_E_BLOCK_BYTES;
	}
	words = geometry->shard_bytes / 8 - bloom_ribbon_threshold_words(geometry);
	/* `probes` can be derived from the stripes. The head stores both values, so they must
	 * agree. */
	return bloom_ribbon_width(geometry) == words / geometry->stripes &&
			geometry->probes <= BLOOM_RIBBON_WIDTH_MAX
		? BLOOM_OK
		: BLOOM_E_PROBES;
}

static bloom_status check_foreign(const bloom_geometry *geometry)
{
	if (geometry->layers < 1 || geometry->layers > BLOOM_FOREIGN_LAYERS_MAX ||
		geometry->layers > geometry->shards || geometry->foreign >= BLOOM_FOREIGN_COUNT ||
		geometry->probes < 1 || geometry->probes > BLOOM_FOREIGN_PROBES_MAX) {
		return BLOOM_E_LAYERS;
	}
	return geometry->block_bytes == geometry->shard_bytes ? BLOOM_OK : BLOOM_E_BLOCK_BYTES;
}

bool bloom_shard_bytes_is_valid(uint32_t shard_bytes)
{
	return is_power_of_two_within(shard_bytes, BLOOM_SHARD_BYTES_MIN, BLOOM_SHARD_BYTES_MAX);
}

bloom_status bloom_geometry_check(const bloom_geometry *geometry)
{
	bloom_status status;

	if (!bloom_shard_bytes_is_valid(geometry->shard_bytes)) {
		return BLOOM_E_SHARD_BYTES;
	}
	if (!is_power_of_two_within(
		    geometry->block_bytes, BLOOM_BLOCK_BYTES_MIN, geometry->shard_bytes)) {
		return BLOOM_E_BLOCK_BYTES;
	}
	if (geometry->shards < 1 ||
		geometry->shards > BLOOM_FILTER_BYTES_MAX / geometry->shard_bytes) {
		return BLOOM_E_TOO_LARGE;
	}
	if (geometry->foreign != BLOOM_FOREIGN_NONE) {
		return check_foreign(geometry);
	}
	/* A map without check columns has no probes. */
	if ((geometry->probes < 1 && geometry->value_bits == 0) ||
		geometry->probes > BLOOM_PROBES_MAX) {
		return BLOOM_E_PROBES;
	}
	status = check_ribbon(geometry);
	return status == BLOOM_OK ? check_reverse(geometry) : status;
}

bool bloom_geometry_is_equal(const bloom_geometry *one, const bloom_geometry *other)
{
	return one->seed == other->seed && one->shards == other->shards &&
		one->groups == other->groups && one->shard_bytes == other->shard_bytes &&
		one->block_bytes == other->block_bytes && one->probes == other->probes &&
		one->fan_out == other->fan_out && one->stripes == other->stripes &&
		one->value_bits == other->value_bits && one->foreign == other->foreign &&
		one->layers == other->layers && one->fingerprint == other->fingerprint;
}

uint32_t bloom_geometry_levels(const bloom_geometry *geometry)
{
	uint64_t reached = geometry->fan_out;
	uint32_t levels;

	for (levels = 1; reached < geometry->groups; levels++) {
		reached *= geometry->fan_out;
	}
	return levels;
}

bloom_status bloom_geometry_check_open(const bloom_geometry *geometry, bloom_error *error)
{
	if (geometry->stripes != 0) {
		return bloom_fail(error, BLOOM_E_SOLVED, 0,
			geometry->value_bits != 0 ? "scheme map" : "scheme ribbon");
	}
	return geometry->layers == 0 ? BLOOM_OK
				     : bloom_fail(error, BLOOM_E_IMPORTED, 0, "scheme foreign");
}

/* Returns the name of the first field in which two geometries differ, or NULL if they are equal. */
static const char *difference(const bloom_geometry *one, const bloom_geometry *other,
	uint64_t *of_one, uint64_t *of_other)
{
	const struct {
		const char *name;
		uint64_t one, other;
	} fields[] = {
		{"shards", one->shards, other->shards},
		{"shard bytes", one->shard_bytes, other->shard_bytes},
		{"block bytes", one->block_bytes, other->block_bytes},
		{"probes", one->probes, other->probes},
		{"groups", one->groups, other->groups},
		{"fan-outs", one->fan_out, other->fan_out},
		{"fingerprints of secrets", one->fingerprint, other->fingerprint},
		{"seeds", one->seed, other->seed},
		{"formats", one->foreign, other->foreign},
		{"layers", one->layers, other->layers},
	};
	size_t i;

	for (i = 0; i < sizeof fields / sizeof *fields; i++) {
		if (fields[i].one != fields[i].other) {
			*of_one = fields[i].one;
			*of_other = fields[i].other;
			return fields[i].name;
		}
	}
	return NULL;
}

bloom_status bloom_geometry_check_same(
	const bloom_geometry *one, const bloom_geometry *other, bloom_error *error)
{
	uint64_t of_one = 0, of_other = 0;
	const char *what = difference(one, other, &of_one, &of_other);

	return what == NULL
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_DIFFERENT, 0, "%s differ: %llu and %llu", what,
			  (unsigned long long)of_one, (unsigned long long)of_other);
}

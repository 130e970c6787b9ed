#include "php/filter/info_blob.h"

#include <math.h>
#include <string.h>

#include "filter/foreign_layer.h"
#include "filter/foreign_size.h"
#include "filter/rate.h"
#include "php/classes.h"
#include "php/info_array.h"
#include "php/filter/foreign_format.h"
#include "php/filter/info_object.h"

static void scheme_info(HashTable *info, const bloom_geometry *geometry)
{
	const char *name = geometry->value_bits != 0 ? "map"
		: geometry->stripes != 0             ? "ribbon"
		: geometry->groups != 0              ? "reverse"
		: geometry->layers != 0              ? "foreign"
						     : "bloom";

	php_bloom_info_case(info, "scheme", php_bloom_ce_scheme, name);
	if (geometry->stripes != 0) {
		php_bloom_info_long(info, "stripes", geometry->stripes);
	}
	if (geometry->value_bits != 0) {
		php_bloom_info_long(info, "valueBits", geometry->value_bits);
	}
	if (geometry->layers != 0) {
		php_bloom_info_case(info, "format", php_bloom_ce_foreign_format,
			php_bloom_foreign_case(geometry->foreign));
		/* A builder has one layer, and no such property. */
		php_bloom_info_long(info, "layers", geometry->layers);
	}
}

/* Returns the fraction of set bits. In a foreign filter, only the bits of the layers count, because
 * lookups never read the zeros that fill up their last shards. */
static double fill_of(const bloom_head *head)
{
	double bits = (double)bloom_geometry_bytes(&head->geometry) * 8;
	uint32_t i;

	if (head->geometry.layers != 0) {
		for (bits = 0, i = 0; i < head->geometry.layers; i++) {
			bits += (double)bloom_foreign_layer_get(
				head->layers + (size_t)i * BLOOM_ROW_BYTES)
					.bits;
		}
	}
	return (double)head->set_bits / bits;
}

static uint64_t estimated_keys_of(const bloom_head *head)
{
	/* A ribbon filter stores its key count, because the count cannot be derived from its bits.
	 * The formulas for our own blocks do not apply to a foreign filter. */
	return head->geometry.stripes != 0 || head->geometry.layers != 0
		? head->keys
		: (uint64_t)llround(bloom_geometry_estimated_keys(&head->geometry, head->set_bits));
}

double php_bloom_head_predicted_rate(const bloom_head *head)
{
	return head->geometry.layers != 0
		? head->meta.measured_rate
		: bloom_geometry_rate(&head->geometry, estimated_keys_of(head));
}

void php_bloom_head_info(HashTable *info, const bloom_head *head, double predicted)
{
	const bloom_geometry *geometry = &head->geometry;
	char checksum[17];

	scheme_info(info, geometry);
	php_bloom_info_long(info, "keys", head->keys);
	php_bloom_info_long(info, "estimatedKeys", estimated_keys_of(head));
	php_bloom_info_long(info, "capacity", head->meta.capacity_keys);
	php_bloom_info_double(info, "falsePositiveRate", head->meta.target_rate);
	php_bloom_info_double(info, "measuredFalsePositiveRate", head->meta.measured_rate);
	php_bloom_info_double(info, "predictedFalsePositiveRate", predicted);
	if (geometry->stripes != 0) {
		php_bloom_info_double(info, "fill",
			(double)head->keys /
				((double)geometry->shards * bloom_ribbon_slots(geometry)));
		php_bloom_info_null(info, "setBits");
	} else {
		php_bloom_info_double(info, "fill", fill_of(head));
		php_bloom_info_long(info, "setBits", head->set_bits);
	}
	php_bloom_info_long(info, "bytes", head->file_bytes);
	php_bloom_info_double(info, "bitsPerKey",
		(double)head->file_bytes * 8 / (double)(head->keys != 0 ? head->keys : 1));
	php_bloom_info_geometry(
		info, &head->geometry, head->geometry.shards, head->meta.measured_rate);
	php_bloom_info_long(info, "chunks", head->chunks);
	php_bloom_info_long(info, "chunkBytes", head->meta.chunk_bytes);
	php_bloom_info_string(info, "source", head->meta.source, head->meta.source_bytes);
	php_bloom_info_double(info, "builtAt", (double)head->meta.built_ms / 1000);
	php_bloom_info_long(info, "formatVersion", BLOOM_FORMAT_VERSION);
	(void)snprintf(checksum, sizeof checksum, "%016llx", (unsigned long long)head->checksum);
	php_bloom_info_string(info, "checksum", checksum, 16);
	php_bloom_info_fingerprint(info, "signedBy", head->signer);
	php_bloom_info_mark(info, "mark", &head->meta.mark);
}

void php_bloom_builder_info(HashTable *info, const bloom_builder *builder)
{
	const bloom_geometry *geometry = &builder->geometry;
	const bloom_meta *meta = &builder->meta;
	double predicted = geometry->layers != 0
		? bloom_foreign_expected_rate(&builder->layer, meta->capacity_keys)
		: bloom_geometry_rate(
			  geometry, meta->capacity_keys * bloom_geometry_levels(geometry));

	scheme_info(info, geometry);
	php_bloom_info_long(info, "capacity", meta->capacity_keys);
	php_bloom_info_double(info, "falsePositiveRate", meta->target_rate);
	php_bloom_info_double(info, "predictedFalsePositiveRate", predicted);
	php_bloom_info_long(info, "keys", builder->keys);
	php_bloom_info_long(info, "added", builder->added);
	php_bloom_info_long(info, "bytes", builder->image_bytes);
	php_bloom_info_double(
		info, "bitsPerKey", (double)builder->image_bytes * 8 / (double)meta->capacity_keys);
	php_bloom_info_geometry(info, geometry, geometry->shards, predicted);
	php_bloom_info_long(info, "chunkBytes", meta->chunk_bytes);
	php_bloom_info_string(info, "source", meta->source, meta->source_bytes);
}

/* Filters of other systems: no key is lost in any format, layers are found in every position, and a
 * head whose layers do not fit is refused. foreign_read_test compares the answers with those of the
 * real programs. */
#include "support.h"

#include "filter/blob.h"
#include "filter/blob_write.h"
#include "filter/foreign.h"
#include "kinds/loaded.h"

enum { LAYERS = 3, SHARD_BYTES = 1024 };

/* A blob of three layers of different sizes, and where its bits are. */
typedef struct foreign_blob {
	bloom_geometry geometry;
	bloom_foreign_layer layers[LAYERS];
	test_blob blob;
	bloom_head head;
} foreign_blob;

static uint64_t bits_of(bloom_foreign_format format, uint32_t shards)
{
	uint64_t bits = (uint64_t)shards * SHARD_BYTES * 8;

	return format == BLOOM_FOREIGN_VALKEYPROB ? bits - 3 : bits - 64;
}

static void write_head(foreign_blob *made)
{
	static const unsigned char no_key[BLOOM_FOREIGN_KEY_BYTES];
	static const unsigned char key[BLOOM_FOREIGN_KEY_BYTES] = "0123456789abcdefghijklmnopqrstu";
	bloom_meta meta = {.capacity_keys = 1000, .target_rate = 0.01, .chunk_bytes = 65536};

	bloom_head_write_foreign(&made->geometry, &meta, made->layers,
		made->geometry.foreign == BLOOM_FOREIGN_VALKEY_BLOOM ? key : no_key, 600,
		made->blob.bytes + bloom_head_bytes(&made->geometry, 65536), made->blob.bytes);
}

/* Makes a blob of a format with 200 keys of the family "layer<i>" in each layer. */
static foreign_blob make(bloom_foreign_format format)
{
	foreign_blob made = {.geometry = {.shard_bytes = SHARD_BYTES,
				     .block_bytes = SHARD_BYTES,
				     .probes = 9,
				     .foreign = format,
				     .layers = LAYERS}};
	char family[16], key[KEY_TEXT_BYTES];
	bloom_foreign one;
	uint64_t at, i;
	uint32_t layer;

	for (layer = 0; layer < LAYERS; layer++) {
		made.layers[layer] = (bloom_foreign_layer){.bits = bits_of(format, layer + 1),
			.probes = 7 + layer,
			.shards = layer + 1};
		made.geometry.shards += layer + 1;
	}
	at = bloom_head_bytes(&made.geometry, 65536);
	made.blob.count = (size_t)(at + bloom_geometry_bytes(&made.geometry));
	made.blob.bytes = calloc(1, made.blob.count);
	assert_non_null(made.blob.bytes);
	write_head(&made);
	for (layer = 0; layer < LAYERS; layer++) {
		unsigned char row[BLOOM_ROW_BYTES];

		/* A filter of this layer alone */
		made.head.geometry = made.geometry;
		made.head.layers = row;
		made.head.foreign_key = made.blob.bytes + 376;
		bloom_foreign_layer_put(&made.layers[layer], row);
		one = bloom_foreign_of(&made.head, NULL);
		(void)snprintf(family, sizeof family, "layer%u", layer);
		for (i = 0; i < 200; i++) {
			size_t count = key_text(family, i, key);

			(void)bloom_foreign_add(
				&one, made.blob.bytes + at, (const unsigned char *)key, count);
			assert_false(bloom_foreign_add(
				&one, made.blob.bytes + at, (const unsigned char *)key, count));
		}
		at += (uint64_t)(layer + 1) * SHARD_BYTES;
	}
	write_head(&made);
	assert_ok(blob_accept(made.blob));
	assert_ok(blob_parse(made.blob, &made.head));
	return made;
}

static bool has(const foreign_blob *made, const char *family, uint64_t i)
{
	bloom_foreign filter =
		bloom_foreign_of(&made->head, made->blob.bytes + made->head.head_bytes);
	char key[KEY_TEXT_BYTES];
	size_t count = key_text(family, i, key);

	return bloom_foreign_test(&filter, (const unsigned char *)key, count);
}

static void every_key_of_every_layer_is_found_in_every_format(void **state)
{
	uint32_t format, layer;
	uint64_t i, wrong;
	char family[16];

	(void)state;
	for (format = 1; format < BLOOM_FOREIGN_COUNT; format++) {
		foreign_blob made = make(format);

		assert_int_equal(format, made.head.geometry.foreign);
		assert_int_equal(BLOOM_KIND_FOREIGN, bloom_loaded_kind(&made.head.geometry));
		assert_int_equal(600, made.head.keys);
		for (layer = 0; layer < LAYERS; layer++) {
			(void)snprintf(family, sizeof family, "layer%u", layer);
			for (i = 0; i < 200; i++) {
				assert_true(has(&made, family, i));
			}
		}
		for (i = 0, wrong = 0; i < 20000; i++) {
			wrong += has(&made, "absent", i);
		}
		/* 200 keys set 16 % of the bits of layer 0, so the rate is about 0.16^7. */
		assert_in_range(wrong, 0, 3);
		assert_true(
			made.head.meta.measured_rate > 1e-6 && made.head.meta.measured_rate < 1e-5);
		blob_free(&made.blob);
	}
}

/* ---- heads ---- */

typedef struct row_case {
	uint32_t layer, at, count; /* changes `count` bytes at `at` of the layer's row */
	uint64_t value;
	const char *subject;
} row_case;

static const row_case row_cases[] = {
	{0, 0, 8, 0, "layer 0"},
	{0, 0, 8, 8193, "layer 0"},
	{1, 0, 8, 8192, "layer 1"}, /* its last shard would be unused */
	{2, 0, 8, UINT64_MAX, "layer 2"},
	{0, 8, 4, 0, "layer 0"},
	{0, 8, 4, 10, "layer 0"},
	{2, 8, 4, 8, "layers of an imported filter"}, /* no layer has the head's probes */
	{0, 12, 4, 0, "layer 0"},
	{0, 12, 4, 2, "layer 0"},
	{2, 12, 4, UINT32_MAX, "layer 2"},
};

static void put(unsigned char *at, uint32_t count, uint64_t value)
{
	if (count == 8) {
		bloom_put64(at, value);
	} else {
		bloom_put32(at, (uint32_t)value);
	}
}

static void refuse(const foreign_blob *made, uint64_t at, uint32_t count, uint64_t value,
	bloom_status status, const char *subject)
{
	test_blob copy = blob_copy(made->blob);
	bloom_head head;

	put(copy.bytes + at, count, value);
	mend_head(copy, made->head.head_bytes);
	assert_status(status, blob_parse(copy, &head));
	assert_non_null(strstr(error.subject, subject));
	blob_free(&copy);
}

static void layers_that_do_not_fill_their_shards_are_refused(void **state)
{
	foreign_blob made = make(BLOOM_FOREIGN_REDISBLOOM);
	uint64_t rows = (uint64_t)(made.head.layers - made.blob.bytes);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof row_cases / sizeof *row_cases; i++) {
		refuse(&made,
			rows + (uint64_t)row_cases[i].layer * BLOOM_ROW_BYTES + row_cases[i].at,
			row_cases[i].count, row_cases[i].value, BLOOM_E_GEOMETRY,
			row_cases[i].subject);
	}
	blob_free(&made.blob);
}

static void each_field_of_a_foreign_head_is_checked(void **state)
{
	foreign_blob made = make(BLOOM_FOREIGN_GUAVA_64);
	uint64_t layers = (uint64_t)(made.head.layers - made.blob.bytes);

	(void)state;
	refuse(&made, 256, 4, 0, BLOOM_E_SCHEME, "format of the foreign filter 0");
	refuse(&made, 256, 4, BLOOM_FOREIGN_COUNT, BLOOM_E_SCHEME, "format of the foreign filter");
	refuse(&made, 260, 4, 0, BLOOM_E_GEOMETRY, "layers of an imported filter");
	refuse(&made, 260, 4, 7, BLOOM_E_GEOMETRY, "layers of an imported filter");
	refuse(&made, 48, 4, 256, BLOOM_E_GEOMETRY, "layers of an imported filter");
	refuse(&made, 44, 4, 512, BLOOM_E_GEOMETRY, "block bytes");
	refuse(&made, 56, 4, 1, BLOOM_E_SCHEME, "digest 1");
	refuse(&made, 64, 8, 1, BLOOM_E_RESERVED, "head");  /* the seed */
	refuse(&made, 264, 4, 1, BLOOM_E_RESERVED, "head"); /* after the layers */
	refuse(&made, 272, 8, 1, BLOOM_E_RESERVED, "head"); /* the secret's fingerprint */
	refuse(&made, 320, 8, 1, BLOOM_E_RESERVED, "head"); /* the mark */
	refuse(&made, 376, 4, 1, BLOOM_E_RESERVED, "head"); /* only valkey-bloom has keys */
	refuse(&made, 512, 4, 1, BLOOM_E_SHARD_KEYS, "shard 0");
	refuse(&made, 104, 8, 0, BLOOM_E_META, "measured rate");
	refuse(&made, 104, 8, UINT64_C(500000000000000), BLOOM_E_META, "measured rate");
	refuse(&made, layers, 8, 128, BLOOM_E_META, "more set bits than a layer has");
	refuse(&made, layers + 16, 8, 8192 + 1, BLOOM_E_GEOMETRY, "layer 1"); /* half a word */
	blob_free(&made.blob);
}

static void a_foreign_filter_cannot_be_extended_or_merged(void **state)
{
	foreign_blob made = make(BLOOM_FOREIGN_VALKEYPROB);
	bloom_builder builder = {0};

	(void)state;
	assert_status(BLOOM_E_IMPORTED, bloom_geometry_check_open(&made.geometry, &error));
	assert_status(BLOOM_E_IMPORTED,
		bloom_builder_start(&made.geometry, &made.head.meta, NULL, &builder, &error));
	assert_status(BLOOM_E_IMPORTED,
		bloom_builder_merge(
			&builder, &made.head, made.blob.bytes + made.head.head_bytes, &error));
	blob_free(&made.blob);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("every key of every layer is found, in every format",
			every_key_of_every_layer_is_found_in_every_format),
		TEST("layers that do not fill their shards are refused",
			layers_that_do_not_fill_their_shards_are_refused),
		TEST("each field of a foreign head is checked",
			each_field_of_a_foreign_head_is_checked),
		TEST("a foreign filter cannot be extended or merged",
			a_foreign_filter_cannot_be_extended_or_merged),
	};

	return cmocka_run_group_tests_name("foreign", tests, NULL, NULL);
}

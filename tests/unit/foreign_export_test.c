/* Filters for other systems: a builder makes the bits that the other system would, and an export
 * has the bytes that its server wrote. The sizes and golden files come from the real programs. */
#include "support.h"

#include <math.h>

#include "build/lines.h"
#include "filter/blob_write.h"
#include "filter/foreign.h"
#include "filter/foreign_export.h"
#include "filter/foreign_size.h"
#include "filter/measure.h"

/* ---- sizes ---- */

typedef struct size_row {
	bloom_foreign_format format;
	uint64_t keys;
	double rate;
	uint64_t bits;
	uint32_t probes;
} size_row;

/* RedisBloom's from the header of BF.SCANDUMP after BF.RESERVE with NONSCALING, valkeyprob's from
 * the client's source. */
static const size_row sizes[] = {
	{BLOOM_FOREIGN_REDISBLOOM, 1, 0.01, 64, 7},
	{BLOOM_FOREIGN_REDISBLOOM, 1, 0.5, 64, 2},
	{BLOOM_FOREIGN_REDISBLOOM, 10, 0.125, 64, 4},
	/* 9.585 bits per key make 1600.7. */
	{BLOOM_FOREIGN_REDISBLOOM, 167, 0.01, 1600, 7},
	{BLOOM_FOREIGN_REDISBLOOM, 100, 0.01, 960, 7},
	{BLOOM_FOREIGN_REDISBLOOM, 100, 0.005, 1152, 8},
	{BLOOM_FOREIGN_REDISBLOOM, 10000, 0.01, 95872, 7},
	{BLOOM_FOREIGN_REDISBLOOM, 1000000, 0.01, 9585088, 7},
	{BLOOM_FOREIGN_VALKEYPROB, 1, 0.5, 2, 1},
	{BLOOM_FOREIGN_VALKEYPROB, 100, 0.01, 959, 7},
	{BLOOM_FOREIGN_VALKEYPROB, 1000, 0.71, 713, 0},
	{BLOOM_FOREIGN_VALKEYPROB, 1000000, 0.01, 9585059, 7},
	{BLOOM_FOREIGN_VALKEYPROB, 1000000000, 0.2, 3349834148, 2},
};

static void a_layer_has_the_size_that_the_other_system_chooses(void **state)
{
	bloom_foreign_layer layer;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const size_row *row = &sizes[i];

		assert_int_equal(row->probes > 0,
			bloom_foreign_layer_size(row->format, row->keys, row->rate, &layer));
		if (row->probes > 0) {
			assert_int_equal(row->bits, layer.bits);
			assert_int_equal(row->probes, layer.probes);
		}
	}
}

static bloom_builder builder_for(bloom_foreign_format format, uint64_t keys, double rate)
{
	bloom_params params = {.capacity_keys = keys, .rate = rate, .foreign = format};
	bloom_builder builder = {0};

	assert_ok(bloom_builder_init(&params, 0, 0, &builder, &error));
	return builder;
}

typedef struct refused_row {
	bloom_params params;
	uint64_t seed;
	bloom_status status;
} refused_row;

static void parameters_without_a_choice_are_refused(void **state)
{
	static const bloom_secret secret = {.fingerprint = 1};
	const bloom_foreign_format format = BLOOM_FOREIGN_VALKEYPROB;
	const refused_row rows[] = {
		{{100, 0.01, .foreign = format}, 0, BLOOM_OK},
		{{100, 0.01, .foreign = format, .shard_bytes = 2048}, 0, BLOOM_OK},
		{{100, 0.01, .foreign = format}, 1, BLOOM_E_FOREIGN_PARAMS},
		{{100, 0.01, .foreign = format, .block_bytes = 64}, 0, BLOOM_E_FOREIGN_PARAMS},
		{{100, 0.01, .foreign = format, .probes = 7}, 0, BLOOM_E_FOREIGN_PARAMS},
		{{100, 0.01, .foreign = format, .bits_per_key = 8}, 0, BLOOM_E_FOREIGN_PARAMS},
		{{100, 0.01, .foreign = format, .groups = 3}, 0, BLOOM_E_FOREIGN_PARAMS},
		{{100, 0.01, .foreign = format, .fan_out = 64}, 0, BLOOM_E_FOREIGN_PARAMS},
		{{100, 0.01, .foreign = format, .ribbon = true}, 0, BLOOM_E_FOREIGN_PARAMS},
		{{100, 0.01, .foreign = format, .secret = &secret}, 0, BLOOM_E_FOREIGN_PARAMS},
		{{100, 0.01, .foreign = format, .shard_bytes = 1000}, 0, BLOOM_E_SHARD_BYTES},
		{{0, 0.01, .foreign = format}, 0, BLOOM_E_CAPACITY},
		{{100, 0.51, .foreign = format}, 0, BLOOM_E_RATE},
		{{100, 9e-10, .foreign = format}, 0, BLOOM_E_RATE},
		{{100, NAN, .foreign = format}, 0, BLOOM_E_RATE},
		{{448089842, 0.01, .foreign = format}, 0, BLOOM_OK},
		{{448089843, 0.01, .foreign = format}, 0, BLOOM_E_FOREIGN_BITS},
		{{100, 0.01, .foreign = BLOOM_FOREIGN_VALKEY_BLOOM}, 0, BLOOM_E_FOREIGN_BUILD},
		{{100, 0.01, .foreign = BLOOM_FOREIGN_GUAVA_64}, 0, BLOOM_E_FOREIGN_BUILD},
		{{100, 0.01, .foreign = BLOOM_FOREIGN_GUAVA_32}, 0, BLOOM_E_FOREIGN_BUILD},
		{{100, 0.01, .foreign = BLOOM_FOREIGN_COUNT}, 0, BLOOM_E_FOREIGN_BUILD},
		{{BLOOM_CAPACITY_MAX, 1e-9, .foreign = BLOOM_FOREIGN_REDISBLOOM}, 0,
			BLOOM_E_TOO_LARGE},
	};
	bloom_geometry geometry;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_status(rows[i].status,
			bloom_geometry_choose(&rows[i].params, rows[i].seed, &geometry));
		if (rows[i].status == BLOOM_OK) {
			assert_ok(bloom_geometry_check(&geometry));
		}
	}
}

static void the_expected_rate_is_the_measured_one(void **state)
{
	bloom_builder builder = builder_for(BLOOM_FOREIGN_REDISBLOOM, 20000, 0.01);
	double expected = bloom_foreign_expected_rate(&builder.layer, 20000), estimated;
	uint64_t i;

	(void)state;
	for (i = 0; i < 20000; i++) {
		(void)builder_add_key(&builder, "rate", i);
	}
	estimated = bloom_foreign_estimated_keys(&builder.layer,
		bloom_set_bits(builder.bits, bloom_geometry_bytes(&builder.geometry)));
	assert_true(fabs(estimated - 20000) < 200);
	assert_ok(bloom_builder_finish(&builder, 0, 1, &error));
	assert_true(fabs(builder.meta.measured_rate / expected - 1) < 0.05);
	bloom_builder_free(&builder);
}

/* ---- building ---- */

/* Exports a verified blob. */
static bloom_status export_blob(test_blob blob, test_blob *exported)
{
	bloom_foreign_export plan;
	bloom_status status;
	bloom_head head;

	assert_ok(blob_parse(blob, &head));
	status = bloom_foreign_export_plan(&head, blob.bytes + head.head_bytes, &plan, &error);
	if (status == BLOOM_OK) {
		exported->count = (size_t)plan.bytes;
		exported->bytes = malloc(exported->count + 1);
		assert_non_null(exported->bytes);
		bloom_foreign_export_write(
			&head, blob.bytes + head.head_bytes, &plan, exported->bytes);
	}
	return status;
}

static void assert_exports(test_blob blob, test_blob expected)
{
	test_blob exported = {0};

	assert_ok(export_blob(blob, &exported));
	assert_int_equal(expected.count, exported.count);
	assert_memory_equal(expected.bytes, exported.bytes, expected.count);
	blob_free(&exported);
}

static void a_built_valkeyprob_filter_is_the_string_that_valkey_go_wrote(void **state)
{
	bloom_builder builder = builder_for(BLOOM_FOREIGN_VALKEYPROB, 100, 0.01);
	test_blob expected = vector_file("foreign/valkeyprob-100.bin"), blob;
	char key[32];
	int i;

	(void)state;
	for (i = 0; i < 100; i++) {
		(void)snprintf(key, sizeof key, "user:%d", i * 7919);
		(void)bloom_builder_add(&builder, (const unsigned char *)key, strlen(key));
	}
	blob = blob_from(&builder);
	assert_exports(blob, expected);
	blob_free(&blob);
	blob_free(&expected);
}

static void zeros_at_the_end_of_a_bitmap_are_not_exported(void **state)
{
	bloom_builder builder = builder_for(BLOOM_FOREIGN_VALKEYPROB, 1000, 0.01);
	test_blob blob, exported = {0};

	(void)state;
	/* MurmurHash3 of the empty key is 0, and so are all of its probes. */
	assert_true(bloom_builder_add(&builder, (const unsigned char *)"", 0));
	blob = blob_from(&builder);
	assert_ok(export_blob(blob, &exported));
	assert_int_equal(1, exported.count);
	assert_int_equal(0x80, exported.bytes[0]);
	blob_free(&exported);
	blob_free(&blob);
	builder = builder_for(BLOOM_FOREIGN_VALKEYPROB, 1000, 0.01);
	blob = blob_from(&builder);
	assert_ok(export_blob(blob, &exported));
	assert_int_equal(0, exported.count);
	blob_free(&exported);
	blob_free(&blob);
}

/* Adds a text in pieces, with several threads. */
static test_blob from_lines(const char *text, size_t count, size_t piece, uint32_t jobs)
{
	bloom_builder builder = builder_for(BLOOM_FOREIGN_REDISBLOOM, 20000, 0.01);
	bloom_lines lines = {0};
	size_t at;

	builder.jobs = jobs;
	for (at = 0; at < count; at += piece) {
		assert_ok(
			bloom_builder_add_lines(&builder, &lines, (const unsigned char *)text + at,
				count - at < piece ? count - at : piece, &error));
	}
	assert_ok(bloom_builder_end_lines(&builder, &lines, &error));
	assert_int_equal(20000, builder.added);
	return blob_from(&builder);
}

static void lines_build_the_same_filter_as_single_keys(void **state)
{
	static char text[20000 * (KEY_TEXT_BYTES + 2)];
	bloom_builder builder = builder_for(BLOOM_FOREIGN_REDISBLOOM, 20000, 0.01);
	size_t count = 0;
	test_blob expected, blob;
	uint64_t i, added_new = 0;
	uint32_t jobs;

	(void)state;
	for (i = 0; i < 20000; i++) {
		added_new += builder_add_key(&builder, "line", i);
		count += key_text("line", i, text + count);
		if (i % 3 == 0) {
			text[count++] = '\r';
		}
		text[count++] = '\n';
	}
	assert_int_equal(added_new, builder.keys);
	assert_int_equal(20000, builder.added);
	expected = blob_from(&builder);
	for (jobs = 1; jobs <= 4; jobs += 3) {
		blob = from_lines(text, count - 1, jobs == 1 ? 1000 : count, jobs);
		assert_int_equal(expected.count, blob.count);
		assert_memory_equal(expected.bytes, blob.bytes, blob.count);
		blob_free(&blob);
	}
	blob_free(&expected);
}

static void a_builder_that_is_over_its_limit_can_be_continued(void **state)
{
	bloom_builder builder = builder_for(BLOOM_FOREIGN_REDISBLOOM, 1000, 0.01);
	test_blob blob;
	bloom_foreign filter;
	bloom_head head;
	uint64_t i;

	(void)state;
	for (i = 0; i < 2000; i++) {
		(void)builder_add_key(&builder, "over", i);
	}
	assert_status(BLOOM_E_OVER_RATE, bloom_builder_finish(&builder, 0, 0.015, &error));
	assert_non_null(strstr(error.subject, "distinct keys in a filter sized for 1000"));
	(void)builder_add_key(&builder, "over", 2000);
	blob = blob_from(&builder);
	assert_ok(blob_parse(blob, &head));
	assert_int_equal(1, head.geometry.layers);
	filter = bloom_foreign_of(&head, blob.bytes + head.head_bytes);
	for (i = 0; i <= 2000; i++) {
		char key[KEY_TEXT_BYTES];
		size_t count = key_text("over", i, key);

		assert_true(bloom_foreign_test(&filter, (const unsigned char *)key, count));
	}
	blob_free(&blob);
}

/* ---- exporting chains of RedisBloom ---- */

enum { CHAIN_FIXED = 20, CHAIN_LAYER = 53, CHAIN_LAYERS_MAX = 8 };

/* What a blob contains about the chain in a golden file. */
typedef struct chain {
	bloom_geometry geometry;
	bloom_meta meta;
	bloom_foreign_layer layers[CHAIN_LAYERS_MAX];
	uint64_t keys;
	const unsigned char *bits;
} chain;

static double get_double(const unsigned char *at)
{
	uint64_t word = bloom_get64(at);
	double value;

	memcpy(&value, &word, sizeof value);
	return value;
}

static void put_double(unsigned char *at, double value)
{
	uint64_t word;

	memcpy(&word, &value, sizeof word);
	bloom_put64(at, word);
}

static chain chain_of(const unsigned char *bytes)
{
	bool grows = (bloom_get32(bytes + 12) & 8) == 0;
	chain found = {.keys = bloom_get64(bytes),
		.meta = {.chunk_bytes = 65536},
		.geometry = {.shard_bytes = 1024,
			.block_bytes = 1024,
			.foreign = BLOOM_FOREIGN_REDISBLOOM,
			.layers = bloom_get32(bytes + 8)}};
	const unsigned char *row = bytes + CHAIN_FIXED;
	uint32_t i;

	assert_in_range(found.geometry.layers, 1, CHAIN_LAYERS_MAX);
	found.meta.target_rate = get_double(row + 24) * (grows ? 2 : 1);
	for (i = 0; i < found.geometry.layers; i++, row += CHAIN_LAYER) {
		found.layers[i] = (bloom_foreign_layer){.bits = bloom_get64(row + 8),
			.probes = bloom_get32(row + 40),
			.shards = (uint32_t)((bloom_get64(row) + 1023) / 1024)};
		found.meta.capacity_keys += bloom_get64(row + 44);
		found.geometry.shards += found.layers[i].shards;
		found.geometry.probes = found.layers[i].probes;
	}
	found.bits = row;
	return found;
}

static test_blob blob_of_chain(const chain *from)
{
	static const unsigned char no_key[BLOOM_FOREIGN_KEY_BYTES];
	uint64_t head_bytes = bloom_head_bytes(&from->geometry, from->meta.chunk_bytes);
	const unsigned char *bits = from->bits;
	bloom_meta meta = from->meta;
	unsigned char *at;
	test_blob blob;
	uint32_t i;

	blob.count = (size_t)(head_bytes + bloom_geometry_bytes(&from->geometry));
	blob.bytes = calloc(1, blob.count);
	assert_non_null(blob.bytes);
	at = blob.bytes + head_bytes;
	for (i = 0; i < from->geometry.layers; i++) {
		memcpy(at, bits, (size_t)(from->layers[i].bits / 8));
		bits += from->layers[i].bits / 8;
		at += (uint64_t)from->layers[i].shards * from->geometry.shard_bytes;
	}
	bloom_head_write_foreign(&from->geometry, &meta, from->layers, no_key, from->keys,
		blob.bytes + head_bytes, blob.bytes);
	return blob;
}

static void the_layers_of_redisbloom_are_exported_as_its_server_wrote_them(void **state)
{
	test_blob file = vector_file("foreign/redisbloom-scandump-1000.bin"), blob;
	chain found = chain_of(file.bytes);

	(void)state;
	assert_int_equal(4, found.geometry.layers);
	blob = blob_of_chain(&found);
	assert_exports(blob, file);
	blob_free(&blob);
	blob_free(&file);
}

/* A string has no room for layers, so keys of all but the first one would be lost. */
static void a_bitmap_of_several_layers_is_not_exported(void **state)
{
	test_blob file = vector_file("foreign/redisbloom-scandump-1000.bin"), blob, exported;
	chain found = chain_of(file.bytes);

	(void)state;
	found.geometry.foreign = BLOOM_FOREIGN_VALKEYPROB;
	blob = blob_of_chain(&found);
	assert_status(BLOOM_E_NO_EXPORT, export_blob(blob, &exported));
	assert_string_equal("valkeyprob blob of 4 layers instead of 1", error.subject);
	blob_free(&blob);
	blob_free(&file);
}

/* Makes the chain of a filter that begins with 100 keys at a rate of 1 %, with bits of a seed. */
static test_blob grown(uint32_t growth, uint32_t layers, uint32_t options, uint64_t *random)
{
	double rate = (options & 8) != 0 ? 0.01 : 0.005;
	uint64_t capacity = 100, keys = 0, bytes = 0, at;
	bloom_foreign_layer layer;
	unsigned char *row;
	test_blob file;
	uint32_t i;

	file.bytes = calloc(1, 1 << 20);
	assert_non_null(file.bytes);
	row = file.bytes + CHAIN_FIXED;
	for (i = 0; i < layers; i++, row += CHAIN_LAYER) {
		uint64_t here = i + 1 < layers ? capacity : 1 + random_below(random, capacity);

		assert_true(
			bloom_foreign_layer_size(BLOOM_FOREIGN_REDISBLOOM, capacity, rate, &layer));
		bloom_put64(row, layer.bits / 8);
		bloom_put64(row + 8, layer.bits);
		bloom_put64(row + 16, here);
		put_double(row + 24, rate);
		put_double(row + 32, bloom_redisbloom_bits_per_key(rate));
		bloom_put32(row + 40, layer.probes);
		bloom_put64(row + 44, capacity);
		keys += here;
		bytes += layer.bits / 8;
		capacity *= growth;
		rate /= 2;
	}
	bloom_put64(file.bytes, keys);
	bloom_put32(file.bytes + 8, layers);
	bloom_put32(file.bytes + 12, options);
	bloom_put32(file.bytes + 16, growth);
	for (at = 0; at < bytes; at++) {
		row[at] = (unsigned char)(random_next(random) & random_next(random));
	}
	file.count = (size_t)(row + bytes - file.bytes);
	assert_in_range(file.count, 1, 1 << 20);
	return file;
}

static void every_chain_that_redisbloom_creates_gets_its_own_header(void **state)
{
	static const uint32_t growths[] = {1, 2, 3, 4, 10};
	uint64_t random = test_seed("chains");
	uint32_t layers;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof growths / sizeof *growths; i++) {
		/* A filter with one layer does not show its growth. */
		for (layers = growths[i] == 2 ? 1 : 2; layers <= 4; layers++) {
			test_blob file = grown(growths[i], layers, 5, &random), blob;
			chain found = chain_of(file.bytes);

			blob = blob_of_chain(&found);
			assert_exports(blob, file);
			blob_free(&blob);
			blob_free(&file);
		}
	}
}

static void a_chain_whose_header_would_be_wrong_is_refused(void **state)
{
	uint64_t random = test_seed("wrong chains");
	test_blob file = grown(2, 3, 5, &random), blob, exported = {0};
	const chain good = chain_of(file.bytes);
	int i;

	(void)state;
	for (i = 0; i < 6; i++) {
		chain changed = good;

		changed.meta.capacity_keys += i == 1;
		changed.meta.target_rate *= i == 2 ? 1.5 : 1;
		changed.keys = i == 3 ? 299 : changed.keys; /* the first two layers have 300 */
		changed.layers[1].bits -= i == 4 ? 64 : 0;
		changed.layers[2].probes += i == 5;
		changed.geometry.probes += i == 5;
		blob = blob_of_chain(&changed);
		assert_status(
			i == 0 ? BLOOM_OK : BLOOM_E_EXPORT_LAYERS, export_blob(blob, &exported));
		blob_free(&exported);
		blob_free(&blob);
	}
	blob_free(&file);
}

static void blobs_that_no_other_system_reads_are_not_exported(void **state)
{
	uint64_t random = test_seed("others");
	test_blob file = grown(2, 1, 5, &random), blob, exported = {0};
	chain guava = chain_of(file.bytes);

	(void)state;
	guava.geometry.foreign = BLOOM_FOREIGN_GUAVA_64;
	blob = blob_of_chain(&guava);
	assert_status(BLOOM_E_NO_EXPORT, export_blob(blob, &exported));
	blob_free(&blob);
	blob = blob_small();
	assert_status(BLOOM_E_NO_EXPORT, export_blob(blob, &exported));
	blob_free(&blob);
	blob_free(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a layer has the size that the other system chooses",
			a_layer_has_the_size_that_the_other_system_chooses),
		TEST("parameters without a choice are refused",
			parameters_without_a_choice_are_refused),
		TEST("the expected rate is the measured one",
			the_expected_rate_is_the_measured_one),
		TEST("a built valkeyprob filter is the string that valkey-go wrote",
			a_built_valkeyprob_filter_is_the_string_that_valkey_go_wrote),
		TEST("zeros at the end of a bitmap are not exported",
			zeros_at_the_end_of_a_bitmap_are_not_exported),
		TEST("lines build the same filter as single keys",
			lines_build_the_same_filter_as_single_keys),
		TEST("a builder that is over its limit can be continued",
			a_builder_that_is_over_its_limit_can_be_continued),
		TEST("the layers of RedisBloom are exported as its server wrote them",
			the_layers_of_redisbloom_are_exported_as_its_server_wrote_them),
		TEST("a bitmap of several layers is not exported",
			a_bitmap_of_several_layers_is_not_exported),
		TEST("every chain that RedisBloom creates gets its own header",
			every_chain_that_redisbloom_creates_gets_its_own_header),
		TEST("a chain whose header would be wrong is refused",
			a_chain_whose_header_would_be_wrong_is_refused),
		TEST("blobs that no other system reads are not exported",
			blobs_that_no_other_system_reads_are_not_exported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

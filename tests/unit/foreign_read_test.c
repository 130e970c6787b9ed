/* Tests of reading filters of other systems. Each input is written by the functions below, from the
 * descriptions of the formats, and has an allocation of exactly its size, so that the sanitizer
 * detects an overrun of one byte. */
#include "support.h"

#include <math.h>

#include "filter/dump.h"
#include "filter/foreign.h"
#include "filter/foreign_read.h"
#include "filter/measure.h"

enum { ROOM = 1 << 18, LAYERS = 3 };

/* ---- writing ---- */

typedef struct writer {
	unsigned char bytes[ROOM];
	size_t count;
} writer;

static writer out;

static void put(const void *bytes, size_t count)
{
	assert_true(count <= ROOM - out.count);
	if (count > 0) {
		memcpy(out.bytes + out.count, bytes, count);
	}
	out.count += count;
}

static void put_byte(unsigned byte)
{
	unsigned char one = (unsigned char)byte;

	put(&one, 1);
}

static void put_little(uint64_t value, unsigned bytes)
{
	for (; bytes > 0; bytes--, value >>= 8) {
		put_byte(value & 0xFF);
	}
}

static void put_big(uint64_t value, unsigned bytes)
{
	while (bytes-- > 0) {
		put_byte(value >> (8 * bytes) & 0xFF);
	}
}

static void put_double(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	put_little(bits, 8);
}

static test_blob written(void)
{
	test_blob made = {malloc(out.count > 0 ? out.count : 1), out.count};

	assert_non_null(made.bytes);
	memcpy(made.bytes, out.bytes, out.count);
	out.count = 0;
	return made;
}

/* The shortest encoding of a length, as servers choose it. */
static void put_length(uint64_t length)
{
	if (length < 64) {
		put_byte((unsigned)length);
	} else if (length < 16384) {
		put_big(0x4000 | length, 2);
	} else if (length <= UINT32_MAX) {
		put_byte(0x80);
		put_big(length, 4);
	} else {
		put_byte(0x81);
		put_big(length, 8);
	}
}

static void put_type(const char *name, unsigned version)
{
	static const char characters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	uint64_t id = 0;

	for (; *name != '\0'; name++) {
		id = id << 6 | (uint64_t)(strchr(characters, *name) - characters);
	}
	put_byte(7);
	put_length(id << 10 | version);
}

static void put_number_field(uint64_t value)
{
	put_byte(2);
	put_length(value);
}

static void put_double_field(double value)
{
	put_byte(4);
	put_double(value);
}

/* Packs with LZF: each run refers to the longest equal one before it, up to 264 bytes. */
static size_t pack(const unsigned char *bytes, size_t count, unsigned char *packed)
{
	size_t at = 0, end = 0, back, run, best, best_back, literals = 0, i;

	while (at < count) {
		best = best_back = 0;
		for (back = 1; back <= at && back <= 8192; back++) {
			for (run = 0; run < 264 && at + run < count &&
				bytes[at + run] == bytes[at + run - back];
				run++) {
			}
			if (run > best) {
				best = run;
				best_back = back - 1;
			}
			if (best == 264) {
				break;
			}
		}
		if (best < 3) {
			literals++;
			at++;
		}
		if (literals > 0 && (best >= 3 || literals == 32 || at == count)) {
			packed[end++] = (unsigned char)(literals - 1);
			for (i = at - literals; i < at; i++) {
				packed[end++] = bytes[i];
			}
			literals = 0;
		}
		if (best >= 3) {
			packed[end++] = (unsigned char)((best - 2 < 7 ? best - 2 : 7) << 5 |
				best_back >> 8);
			if (best - 2 >= 7) {
				packed[end++] = (unsigned char)(best - 2 - 7);
			}
			packed[end++] = (unsigned char)best_back;
			at += best;
		}
	}
	return end;
}

static void put_string_field(const unsigned char *bytes, size_t count, bool is_packed)
{
	static unsigned char packed[2 * ROOM];
	size_t end;

	put_byte(5);
	if (is_packed) {
		end = pack(bytes, count, packed);
		put_byte(0xC3);
		put_length(end);
		put_length(count);
		put(packed, end);
	} else {
		put_length(count);
		put(bytes, count);
	}
}

/* Computes the CRC64 bit by bit. */
static uint64_t crc64(const unsigned char *bytes, size_t count)
{
	uint64_t crc = 0;
	size_t i;
	int bit;

	for (i = 0; i < count; i++) {
		crc ^= bytes[i];
		for (bit = 0; bit < 8; bit++) {
			crc = (crc & 1) != 0 ? crc >> 1 ^ UINT64_C(0x95AC9329AC4BC9B5) : crc >> 1;
		}
	}
	return crc;
}

static void put_footer(void)
{
	put_byte(0);
	put_little(11, 2);
	put_little(crc64(out.bytes, out.count), 8);
}

/* ---- filters ---- */

typedef struct layer {
	uint64_t bytes, bits, keys, probes, entries, power;
	double rate, bits_per_key;
	unsigned char *data;
	unsigned char seed[32]; /* valkey-bloom */
	uint64_t claimed;       /* valkey-bloom: size in the header */
	uint64_t version;       /* set_field() writes 8 bytes */
} layer;

/* A filter of one of the two modules. */
typedef struct chain {
	uint64_t keys, layers, options, growth, is_random;
	double rate, tightening;
	layer layer[LAYERS];
	const char *type;
	unsigned version;
	bool packed;
} chain;

static unsigned char data[LAYERS][8192];

/* Sets about one of `part` bits. */
static void fill(unsigned char *bytes, size_t count, unsigned part, uint64_t *random)
{
	size_t i;

	memset(bytes, 0, count);
	for (i = 0; i < count * 8; i++) {
		if (random_below(random, part) == 0) {
			bytes[i / 8] |= (unsigned char)(1 << i % 8);
		}
	}
}

/* Three layers of 100, 200 and 400 keys, of which the last one has 50. */
static chain redis_filter(void)
{
	chain made = {.keys = 350,
		.layers = LAYERS,
		.options = 5,
		.growth = 2,
		.type = "MBbloom--",
		.version = 4};
	static const uint64_t bytes[LAYERS] = {144, 328, 728}, keys[LAYERS] = {100, 200, 50},
			      probes[LAYERS] = {8, 9, 10};
	uint64_t random = 1, i;

	for (i = 0; i < LAYERS; i++) {
		made.layer[i] = (layer){.bytes = bytes[i],
			.bits = bytes[i] * 8,
			.keys = keys[i],
			.probes = probes[i],
			.entries = (uint64_t)100 << i,
			.rate = 0.005 / (1 << i),
			.data = data[i]};
		made.layer[i].bits_per_key = -log(made.layer[i].rate) / 0.480453013918201;
		fill(data[i], bytes[i], i == 2 ? 9 : 2, &random);
	}
	return made;
}

static test_blob redis_dump(const chain *filter)
{
	const layer *of;
	uint64_t i;

	put_type(filter->type, filter->version);
	put_number_field(filter->keys);
	put_number_field(filter->layers);
	put_number_field(filter->options);
	put_number_field(filter->growth);
	for (i = 0; i < filter->layers && i < LAYERS; i++) {
		of = &filter->layer[i];
		put_number_field(of->entries);
		put_double_field(of->rate);
		put_number_field(of->probes);
		put_double_field(of->bits_per_key);
		put_number_field(of->bits);
		put_number_field(of->power);
		put_string_field(of->data, of->bytes, filter->packed);
		put_number_field(of->keys);
	}
	put_footer();
	return written();
}

static test_blob redis_scan(const chain *filter)
{
	const layer *of;
	uint64_t i;

	put_little(filter->keys, 8);
	put_little(filter->layers, 4);
	put_little(filter->options, 4);
	put_little(filter->growth, 4);
	for (i = 0; i < filter->layers && i < LAYERS; i++) {
		of = &filter->layer[i];
		put_little(of->bytes, 8);
		put_little(of->bits, 8);
		put_little(of->keys, 8);
		put_double(of->rate);
		put_double(of->bits_per_key);
		put_little(of->probes, 4);
		put_little(of->entries, 8);
		put_little(of->power, 1);
	}
	for (i = 0; i < filter->layers && i < LAYERS; i++) {
		put(filter->layer[i].data, filter->layer[i].bytes);
	}
	return written();
}

static chain valkey_filter(void)
{
	chain made = {.layers = 2,
		.growth = 2,
		.rate = 0.01,
		.tightening = 0.5,
		.is_random = 1,
		.type = "bloomfltr",
		.version = 1};
	uint64_t random = 2, i, j;

	for (i = 0; i < made.layers; i++) {
		made.layer[i] = (layer){.bytes = i == 0 ? 120 : 276,
			.keys = i == 0 ? 100 : 30,
			.probes = i == 0 ? 7 : 8,
			.entries = (uint64_t)100 << i,
			.claimed = i == 0 ? 120 : 276,
			.version = 1,
			.data = data[i]};
		for (j = 0; j < 32; j++) {
			made.layer[i].seed[j] = (unsigned char)(j * 7 + 1);
		}
		fill(data[i], made.layer[i].bytes, i == 0 ? 2 : 9, &random);
	}
	return made;
}

static test_blob valkey_dump(const chain *filter)
{
	unsigned char string[45 + 8192];
	const layer *of;
	uint64_t i, j;

	put_type(filter->type, filter->version);
	put_number_field(filter->layers);
	put_number_field(filter->growth);
	put_double_field(filter->rate);
	put_double_field(filter->tightening);
	put_number_field(filter->is_random);
	for (i = 0; i < filter->layers && i < LAYERS; i++) {
		of = &filter->layer[i];
		string[0] = (unsigned char)of->version;
		for (j = 0; j < 8; j++) {
			string[1 + j] = (unsigned char)(of->claimed >> (8 * j));
		}
		for (j = 0; j < 4; j++) {
			string[9 + j] = (unsigned char)(of->probes >> (8 * j));
		}
		memcpy(string + 13, of->seed, 32);
		if (of->bytes > 0) {
			memcpy(string + 45, of->data, of->bytes);
		}
		put_string_field(string, 45 + of->bytes, filter->packed);
		put_number_field(of->entries);
		if (i + 1 == filter->layers) {
			put_number_field(of->keys);
		}
	}
	put_footer();
	return written();
}

static test_blob guava(unsigned strategy, unsigned probes, uint64_t words, uint64_t bytes)
{
	put_byte(strategy);
	put_byte(probes);
	put_big(words, 4);
	put(data[0], bytes);
	return written();
}

/* ---- reading ---- */

static const bloom_foreign_hint detected = {.format = BLOOM_FOREIGN_NONE},
				redis = {.format = BLOOM_FOREIGN_REDISBLOOM},
				valkey = {.format = BLOOM_FOREIGN_VALKEY_BLOOM},
				guava_any = {.format = BLOOM_FOREIGN_GUAVA_64},
				/* 959 bits in 120 bytes, 7 probes */
	valkeyprob = {.format = BLOOM_FOREIGN_VALKEYPROB, .capacity = 100, .rate = 0.01};

static bloom_foreign_source source;

/* Reads and frees an input. Whatever is accepted must become a good blob. */
static bloom_status convert(test_blob input, bloom_foreign_hint hint, test_blob *blob)
{
	bloom_status status = bloom_foreign_read(input.bytes, input.count, &hint, &source, &error);

	*blob = (test_blob){NULL, 0};
	if (status == BLOOM_OK) {
		blob->count = bloom_foreign_blob_bytes(&source);
		blob->bytes = calloc(1, blob->count);
		assert_non_null(blob->bytes);
		status =
			bloom_foreign_write(&source, 1700000000000, "unit", 4, blob->bytes, &error);
		assert_ok(status);
	}
	blob_free(&input);
	return status;
}

static test_blob converted(test_blob input, bloom_foreign_hint hint)
{
	test_blob blob;

	assert_ok(convert(input, hint, &blob));
	assert_ok(blob_accept(blob));
	return blob;
}

#define assert_refused(expected, subject, input, hint) \
	refuse(expected, subject, input, hint, __LINE__)
static void refuse(bloom_status expected, const char *subject, test_blob input,
	bloom_foreign_hint hint, int line)
{
	test_blob blob;

	check_status((int)expected, (int)convert(input, hint, &blob), subject, __FILE__, line);
	blob_free(&blob);
	if (strcmp(subject, error.subject) != 0) {
		print_error("line %d\n", line);
	}
	assert_string_equal(subject, error.subject);
}

/* Asserts that a blob contains these layers, with zeros up to the next shard. */
static void assert_layers(test_blob blob, const layer *layers, uint64_t count)
{
	bloom_head head;
	unsigned char *at;
	uint64_t i, j, end;

	assert_ok(blob_parse(blob, &head));
	assert_int_equal(count, head.geometry.layers);
	at = blob.bytes + head.head_bytes;
	for (i = 0; i < count; i++) {
		assert_int_equal(layers[i].probes, source.layers[i].probes);
		assert_int_equal(layers[i].bytes, (source.layers[i].bits + 7) / 8);
		end = (uint64_t)source.layers[i].shards * head.geometry.shard_bytes;
		assert_true(end >= layers[i].bytes &&
			end - layers[i].bytes < head.geometry.shard_bytes);
		assert_memory_equal(layers[i].data, at, layers[i].bytes);
		for (j = layers[i].bytes; j < end; j++) {
			assert_int_equal(0, at[j]);
		}
		at += end;
	}
	assert_ptr_equal(blob.bytes + blob.count, at);
}

static void assert_equal_blobs(test_blob one, test_blob other)
{
	assert_int_equal(one.count, other.count);
	assert_memory_equal(one.bytes, other.bytes, one.count);
	blob_free(&one);
	blob_free(&other);
}

/* ---- the container ---- */

static unsigned char window[BLOOM_LZF_WINDOW_BYTES];

static void the_crc64_is_the_published_one(void **state)
{
	(void)state;
	assert_true(bloom_dump_crc64((const unsigned char *)"123456789", 9) ==
		UINT64_C(0xe9c6d914c4b8d9ca));
	assert_true(bloom_dump_crc64(data[0], 0) == 0);
}

static void types_have_the_bytes_that_servers_write(void **state)
{
	static const struct {
		unsigned char bytes[10];
		const char *name;
		unsigned version;
	} cases[] = {
		{{7, 0x81, 0x30, 0x16, 0xe5, 0xa2, 0x89, 0xbe, 0xf8, 4}, "MBbloom--", 4},
		{{7, 0x81, 0x6e, 0x5a, 0x28, 0x99, 0xf9, 0x6d, 0xac, 1}, "bloomfltr", 1},
		{{7, 0x81, 0x30, 0x16, 0xe5, 0xa2, 0x89, 0x82, 0x14, 4}, "MBbloomCF", 4},
	};
	bloom_dump_type type;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_true(bloom_dump_peek(cases[i].bytes, 10, &type));
		assert_string_equal(cases[i].name, type.name);
		assert_int_equal(cases[i].version, type.version);
		assert_false(bloom_dump_peek(cases[i].bytes, 9, &type));
	}
}

static void packed_strings_unpack(void **state)
{
	static const struct {
		const char *packed, *bytes; /* hexadecimal; bytes "": refused */
		uint64_t length;
	} cases[] = {
		{"02616263", "616263", 3},
		{"006120002000", "61616161616161", 7}, /* a run that overlaps itself */
		{"0161622001", "6162616261", 5}, {"0161624001", "616261626162", 6},
		{"0061e00000", "61616161616161616161", 10}, /* 9 bytes, the shortest long run */
		{"02616263", "", 4},                        /* too short */
		{"02616263", "", 2},                        /* too long */
		{"026162", "", 3},                          /* the input ends */
		{"0061e000", "", 10}, {"006120", "", 4}, {"2000", "", 3}, /* before the start */
		{"0161622002", "", 5}, {"0161622001", "", 4},             /* too long */
	};
	unsigned char packed[64], bytes[64], result[64], head[2];
	bloom_dump_string string = {.packed = true};
	bool is_set;
	size_t i, count, skip;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		string.count = unhex(cases[i].packed, packed, sizeof packed);
		string.bytes = packed;
		string.length = cases[i].length;
		count = unhex(cases[i].bytes, bytes, sizeof bytes);
		for (skip = 0; skip <= 2; skip++) {
			assert_int_equal(count > 0, bloom_dump_unpack(&string, head, skip, result));
			assert_int_equal(
				count > 0, bloom_dump_look(&string, head, skip, window, &is_set));
			if (count > 0) {
				assert_int_equal(count, string.length);
				assert_memory_equal(bytes, head, skip);
				assert_memory_equal(bytes + skip, result, count - skip);
				assert_true(is_set);
			}
		}
	}
}

static void long_strings_unpack_the_same_in_a_ring(void **state)
{
	static unsigned char bytes[40000], packed[80000], result[40000];
	uint64_t random = test_seed("ring"), round, i;
	bloom_dump_string string = {.bytes = packed, .packed = true};
	bool is_set;

	(void)state;
	for (round = 0; round < 4; round++) {
		memset(bytes, 0, sizeof bytes);
		for (i = 0; i < (round == 0 ? 0 : 2000); i++) {
			bytes[random_below(&random, sizeof bytes)] =
				(unsigned char)random_next(&random);
		}
		/* A distance of 8192 is the longest one. */
		memcpy(bytes + 20000 + 8192, bytes + 20000, 8192);
		string.length = sizeof bytes;
		string.count = pack(bytes, sizeof bytes, packed);
		memset(result, 1, sizeof result);
		assert_true(bloom_dump_unpack(&string, NULL, 0, result));
		assert_memory_equal(bytes, result, sizeof bytes);
		assert_true(bloom_dump_look(&string, NULL, 0, window, &is_set));
		assert_int_equal(round > 0, is_set);
	}
}

/* ---- formats ---- */

static void a_dump_of_redisbloom_is_read(void **state)
{
	chain filter = redis_filter();
	test_blob blob = converted(redis_dump(&filter), redis);
	bloom_head head;

	(void)state;
	assert_layers(blob, filter.layer, LAYERS);
	assert_ok(blob_parse(blob, &head));
	assert_int_equal(BLOOM_FOREIGN_REDISBLOOM, head.geometry.foreign);
	assert_int_equal(10, head.geometry.probes);
	assert_int_equal(1024, head.geometry.shard_bytes);
	assert_int_equal(3, head.geometry.shards);
	assert_int_equal(350, head.keys);
	assert_int_equal(700, head.meta.capacity_keys);
	assert_true(fabs(head.meta.target_rate - 0.01) < 1e-14);
	assert_int_equal(1700000000000, head.meta.built_ms);
	assert_memory_equal("unit", head.meta.source, head.meta.source_bytes);
	blob_free(&blob);
}

static void the_rate_of_a_filter_that_does_not_scale_is_that_of_its_layer(void **state)
{
	chain filter = redis_filter();
	test_blob blob;

	(void)state;
	filter.layers = 1;
	filter.keys = 100;
	filter.options = 13;
	filter.growth = 0;
	blob = converted(redis_dump(&filter), redis);
	assert_true(fabs(source.rate - 0.005) < 1e-12);
	blob_free(&blob);
}

static void all_ways_to_export_a_redisbloom_filter_give_the_same_blob(void **state)
{
	chain filter = redis_filter();

	(void)state;
	assert_equal_blobs(
		converted(redis_dump(&filter), redis), converted(redis_scan(&filter), redis));
	filter.packed = true;
	assert_equal_blobs(
		converted(redis_dump(&filter), detected), converted(redis_scan(&filter), redis));
}

static void a_scan_may_begin_like_a_dump(void **state)
{
	chain filter = redis_filter();
	test_blob input;

	(void)state;
	/* 07 81 are also the low bytes of a number of keys. */
	filter.layers = 1;
	filter.keys = filter.layer[0].keys = 0x8107;
	filter.layer[0].bytes = sizeof data[0];
	filter.layer[0].bits = sizeof data[0] * 8;
	filter.layer[0].probes = 1;
	filter.layer[0].bits_per_key = 1;
	memset(data[0], 0x77, sizeof data[0]);
	input = redis_scan(&filter);
	assert_int_equal(0x81, input.bytes[1]);
	input = converted(input, redis);
	assert_layers(input, filter.layer, 1);
	blob_free(&input);
}

static void a_dump_of_valkey_bloom_is_read(void **state)
{
	chain filter = valkey_filter();
	test_blob blob = converted(valkey_dump(&filter), valkey);

	(void)state;
	assert_layers(blob, filter.layer, 2);
	assert_int_equal(130, source.keys);
	assert_int_equal(300, source.capacity);
	assert_true(fabs(source.rate - 0.01) < 1e-12);
	assert_memory_equal(filter.layer[0].seed, source.key, 32);
	filter.packed = true;
	assert_equal_blobs(blob, converted(valkey_dump(&filter), detected));
}

static void both_strategies_of_guava_are_read(void **state)
{
	const bloom_foreign_hint guava_32 = {.format = BLOOM_FOREIGN_GUAVA_32};
	uint64_t random = 3;
	const layer expected = {.bytes = 800, .probes = 5, .data = data[0]};
	test_blob blob;

	(void)state;
	fill(data[0], 800, 2, &random);
	blob = converted(guava(1, 5, 100, 800), guava_any);
	assert_int_equal(BLOOM_FOREIGN_GUAVA_64, source.geometry.foreign);
	assert_layers(blob, &expected, 1);
	/* 6400·ln 2/5 */
	assert_int_equal(887, source.capacity);
	assert_in_range(source.keys, 800, 980);
	assert_true(source.rate == 1.0 / 32);
	blob_free(&blob);
	blob = converted(guava(0, 5, 100, 800), guava_any);
	assert_int_equal(BLOOM_FOREIGN_GUAVA_32, source.geometry.foreign);
	assert_equal_blobs(blob, converted(guava(0, 5, 100, 800), guava_32));
}

/* A string of valkeyprob of which the bits are in `data`. */
static test_blob prob(size_t count)
{
	put(data[0], count);
	return written();
}

static void a_valkeyprob_string_is_read(void **state)
{
	layer expected = {.bytes = 120, .probes = 7, .data = data[0]};
	uint64_t random = 4;
	test_blob blob;

	(void)state;
	fill(data[0], 120, 2, &random);
	data[0][119] = 0x02; /* the last of 959 bits */
	blob = converted(prob(120), valkeyprob);
	assert_int_equal(959, source.layers[0].bits);
	assert_int_equal(100, source.capacity);
	assert_in_range(source.keys, 80, 120);
	assert_true(fabs(source.rate - 0.01) < 1e-12);
	assert_layers(blob, &expected, 1);
	blob_free(&blob);
}

static void a_valkeyprob_string_may_lack_a_few_zeros(void **state)
{
	layer expected = {.bytes = 120, .probes = 7, .data = data[0]};
	uint64_t random = 5;
	test_blob blob;

	(void)state;
	/* With half of the bits set, 29 clear bits have the probability 2·10^-9. */
	memset(data[0], 0x55, 117);
	memset(data[0] + 117, 0, 3);
	blob = converted(prob(117), valkeyprob);
	assert_layers(blob, &expected, 1);
	blob_free(&blob);
	assert_refused(BLOOM_E_FOREIGN_SIZE,
		"string of 116 bytes, but capacity 100 and rate 0.01 make a filter of 959 bits: "
		"117 "
		"to 120 bytes",
		prob(116), valkeyprob);
	/* One key sets 7 bits; the last one is before bit 688 with the probability 0.1. */
	memset(data[0], 0, 120);
	for (; bloom_set_bits(data[0], 88) < 7;) {
		data[0][random_below(&random, 86)] |= 0x10;
	}
	data[0][85] |= 0x10;
	blob = converted(prob(86), valkeyprob);
	assert_int_equal(1, source.keys);
	assert_layers(blob, &expected, 1);
	blob_free(&blob);
	/* A server never writes zeros there. */
	data[0][86] = 0;
	assert_refused(BLOOM_E_FOREIGN_SIZE,
		"the string's last byte is 0, but it has only 87 of 120 bytes, and SETBIT and "
		"BITFIELD end a string with a set bit: it was cut",
		prob(87), valkeyprob);
	blob = converted(prob(120), valkeyprob);
	assert_layers(blob, &expected, 1);
	blob_free(&blob);
}

static void shards_are_as_large_as_the_padding_permits(void **state)
{
	static const struct {
		uint64_t words;
		uint32_t shard_bytes;
	} cases[] = {{1, 1024}, {3000, 1024}, {4095, 1024}, {4096, 2048}, {16384, 8192}};
	uint64_t random = 6, i;
	test_blob blob;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		put_byte(1);
		put_byte(1);
		put_big(cases[i].words, 4);
		fill(out.bytes + out.count, cases[i].words * 8, 2, &random);
		out.count += cases[i].words * 8;
		blob = converted(written(), guava_any);
		assert_int_equal(cases[i].shard_bytes, source.geometry.shard_bytes);
		assert_int_equal(
			(cases[i].words * 8 + cases[i].shard_bytes - 1) / cases[i].shard_bytes,
			source.geometry.shards);
		blob_free(&blob);
	}
}

static void a_format_is_detected_only_by_a_magic_number(void **state)
{
	chain filter = redis_filter(), cuckoo = redis_filter();
	uint64_t random = 7;

	(void)state;
	assert_refused(BLOOM_E_FOREIGN_FORMAT, "1379 bytes", redis_scan(&filter), detected);
	fill(data[0], 800, 2, &random);
	assert_refused(BLOOM_E_FOREIGN_FORMAT, "806 bytes", guava(1, 5, 100, 800), detected);
	assert_refused(BLOOM_E_FOREIGN_FORMAT, "0 bytes", written(), detected);
	filter.type = "othertype";
	assert_refused(BLOOM_E_FOREIGN_FORMAT, "1331 bytes", redis_dump(&filter), detected);
	cuckoo.type = "MBbloomCF";
	assert_refused(BLOOM_E_FOREIGN,
		"a cuckoo filter (MBbloomCF), which cannot be imported; create a Bloom filter with "
		"BF.RESERVE and add the keys to it",
		redis_dump(&cuckoo), detected);
}

/* ---- files that other programs wrote (tests/vectors/foreign/README.md) ---- */

typedef struct answers {
	bloom_foreign filter;
	uint64_t absent; /* the next absent key that was not compared yet */
} answers;

static bool has(const bloom_foreign *filter, const char *family, uint64_t i)
{
	char key[64];
	int count = snprintf(key, sizeof key, "%s:%llu", family, (unsigned long long)i);

	return bloom_foreign_test(filter, (const unsigned char *)key, (size_t)count);
}

/* A line is the number of the next absent key that the writer could not rule out. */
static void compare_absent(void *context, char *line)
{
	uint64_t next = strtoull(line, NULL, 10);
	answers *of = context;

	for (; of->absent < next; of->absent++) {
		assert_false(has(&of->filter, "absent", of->absent));
	}
	assert_true(has(&of->filter, "absent", of->absent++));
}

static void files_of_other_programs_answer_as_they_do(void **state)
{
	static const bloom_foreign_hint guava_32 = {.format = BLOOM_FOREIGN_GUAVA_32},
					prob_1000 = {.format = BLOOM_FOREIGN_VALKEYPROB,
						.capacity = 1000,
						.rate = 0.01};
	static const struct {
		const char *name;
		const bloom_foreign_hint *hint;
		uint64_t keys;
		uint32_t layers;
		bool is_counted; /* the writer counts keys; it skips those that look present */
	} cases[] = {
		{"guava64-1000", &guava_any, 1000, 1, false},
		{"guava32-1000", &guava_32, 1000, 1, false},
		{"redisbloom-dump-1000", &detected, 1000, 4, true},
		{"redisbloom-scandump-1000", &redis, 1000, 4, true},
		{"redisbloom-nonscaling-dump-1000", &redis, 1000, 1, true},
		{"redisbloom-dump-10", &redis, 10, 1, true},
		{"valkeybloom-dump-1000", &detected, 1000, 4, true},
		{"valkeybloom-nonscaling-dump-1000", &valkey, 1000, 1, true},
		{"valkeybloom-dump-10", &valkey, 10, 1, true},
		{"valkeyprob-1000", &prob_1000, 1000, 1, false},
	};
	char name[128];
	test_blob blob;
	bloom_head head;
	answers of;
	uint64_t key;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		(void)snprintf(name, sizeof name, "foreign/%s.bin", cases[i].name);
		blob = converted(vector_file(name), *cases[i].hint);
		assert_ok(blob_parse(blob, &head));
		assert_int_equal(cases[i].layers, head.geometry.layers);
		assert_in_range(head.keys, cases[i].keys * 95 / 100,
			cases[i].is_counted ? cases[i].keys : cases[i].keys * 105 / 100);
		assert_true(fabs(head.meta.target_rate - 0.01) < 0.003);
		of = (answers){bloom_foreign_of(&head, blob.bytes + head.head_bytes), 0};
		for (key = 0; key < cases[i].keys; key++) {
			assert_true(has(&of.filter, "key", key));
		}
		(void)snprintf(name, sizeof name, "foreign/%s.fp", cases[i].name);
		(void)each_vector_line(name, compare_absent, &of);
		for (; of.absent < 20000; of.absent++) {
			assert_false(has(&of.filter, "absent", of.absent));
		}
		blob_free(&blob);
	}
	assert_refused(BLOOM_E_FOREIGN_EMPTY, "a filter without keys",
		vector_file("foreign/redisbloom-dump-0.bin"), detected);
}

static void a_dump_and_a_scan_by_redisbloom_give_the_same_blob(void **state)
{
	(void)state;
	assert_equal_blobs(converted(vector_file("foreign/redisbloom-dump-1000.bin"), redis),
		converted(vector_file("foreign/redisbloom-scandump-1000.bin"), redis));
}

static void a_string_of_a_server_contains_its_keys(void **state)
{
	test_blob input = vector_file("foreign/valkeyprob-100.bin"), blob;
	bloom_foreign filter;
	bloom_head head;
	uint64_t i;

	(void)state;
	blob = converted(input, valkeyprob);
	assert_ok(blob_parse(blob, &head));
	filter = bloom_foreign_of(&head, blob.bytes + head.head_bytes);
	for (i = 0; i < 100; i++) {
		assert_true(has(&filter, "user", i * 7919));
	}
	blob_free(&blob);
}

/* ---- refusals ---- */

static void a_filter_without_a_set_bit_is_refused(void **state)
{
	chain filter = redis_filter(), other = valkey_filter();
	uint64_t i;

	(void)state;
	memset(data, 0, sizeof data);
	filter.keys = 0;
	for (i = 0; i < LAYERS; i++) {
		filter.layer[i].keys = 0;
	}
	assert_refused(BLOOM_E_FOREIGN_EMPTY, "a filter without keys", redis_dump(&filter), redis);
	assert_refused(BLOOM_E_FOREIGN_EMPTY, "a filter without keys", redis_scan(&filter), redis);
	filter.packed = true;
	assert_refused(BLOOM_E_FOREIGN_EMPTY, "a filter without keys", redis_dump(&filter), redis);
	other.layers = 1;
	other.layer[0].keys = 0;
	assert_refused(BLOOM_E_FOREIGN_EMPTY, "a filter without keys", valkey_dump(&other), valkey);
	assert_refused(
		BLOOM_E_FOREIGN_EMPTY, "a filter without keys", guava(1, 5, 100, 800), guava_any);
	assert_refused(BLOOM_E_FOREIGN_EMPTY, "string of 100 bytes", prob(100), valkeyprob);
	assert_refused(BLOOM_E_FOREIGN_EMPTY, "string of 0 bytes", written(), valkeyprob);
}

/* Each case sets one field of a filter of RedisBloom to a wrong value. */
typedef struct redis_case {
	size_t field; /* offset in a chain; SIZE_MAX: none */
	double number;
	uint64_t value;
	const char *subject;
} redis_case;

#define FIELD(name) offsetof(chain, name)
#define RESERVE "BF.RESERVE a new filter and add the keys again"

static void set_field(chain *filter, const redis_case *with)
{
	memcpy((char *)filter + with->field,
		with->number != 0 ? (const void *)&with->number : (const void *)&with->value, 8);
}

static const redis_case wrong_redis[] = {
	{FIELD(layers), 0, 0, "0 layers, but 1 to 1024 are allowed"},
	{FIELD(layers), 0, 1025, "1025 layers, but 1 to 1024 are allowed"},
	{FIELD(options), 0, 16, "options 16, but only those up to 15 are known"},
	{FIELD(options), 0, 1,
		"options 1: the filter was created by an old version, with 32-bit hashes "
		"(without the option FORCE64); " RESERVE},
	{FIELD(options), 0, 4,
		"options 4: the filter's size is rounded to a power of two (without the "
		"option NOROUND); " RESERVE},
	{FIELD(options), 0, 7,
		"options 7: the filter's size is rounded to a power of two (with the "
		"option "
		"ENTS_IS_BITS); " RESERVE},
	{FIELD(growth), 0, 32769, "growth 32769, but at most 32768 is allowed"},
	{FIELD(layer[1].power), 0, 11, "layer 1 has 2^11 bits (n2); " RESERVE},
	{FIELD(layer[1].rate), -1, 0, "layer 1: error rate -1, but it must be between 0 and 1"},
	{FIELD(layer[1].rate), 1, 0, "layer 1: error rate 1, but it must be between 0 and 1"},
	{FIELD(layer[1].rate), 0, 0, "layer 1: error rate 0, but it must be between 0 and 1"},
	{FIELD(layer[1].bits_per_key), 1e30, 0,
		"layer 1: 1e+30 bits per key would need fewer than 1 or more than 255 "
		"hashes"},
	{FIELD(layer[1].bits_per_key), -3, 0,
		"layer 1: -3 bits per key would need fewer than 1 or more than 255 hashes"},
	{FIELD(layer[1].bits_per_key), 0, UINT64_C(0x7FF8000000000000),
		"layer 1: nan bits per key would need fewer than 1 or more than 255 "
		"hashes"},
	{FIELD(layer[1].probes), 0, 8, "layer 1: 8 hashes, but its bits per key need 9"},
	{FIELD(layer[1].probes), 0, 265, "layer 1: 265 hashes, but its bits per key need 9"},
	{FIELD(layer[1].bytes), 0, 0, "layer 1: 0 bytes, but they must be a multiple of 8"},
	{FIELD(layer[1].bytes), 0, 327, "layer 1: 327 bytes, but they must be a multiple of 8"},
	{FIELD(layer[1].bits), 0, 2623, "layer 1: 2623 bits in 328 bytes, but each byte has 8"},
	{FIELD(layer[1].bits), 0, 2625, "layer 1: 2625 bits in 328 bytes, but each byte has 8"},
	{FIELD(layer[1].bits), 0, 2560, "layer 1: 2560 bits in 328 bytes, but each byte has 8"},
	{FIELD(layer[1].entries), 0, 0,
		"layer 1: capacity 0, but each layer needs at least 1, and all of them at "
		"most 1000000000000"},
	{FIELD(layer[1].entries), 0, UINT64_C(999999999901),
		"layer 1: capacity 999999999901, but each layer needs at least 1, and all "
		"of "
		"them at most 1000000000000"},
	{FIELD(layer[1].keys), 0, 251, "layers 0 to 1 have more than the filter's 350 keys"},
	{FIELD(layer[1].keys), 0, UINT64_MAX, "layers 0 to 1 have more than the filter's 350 keys"},
	{FIELD(layer[1].keys), 0, 199, "the layers have 349 keys, but the filter has 350"},
	{FIELD(keys), 0, 351, "the layers have 350 keys, but the filter has 351"},
};

static void a_wrong_field_of_redisbloom_is_refused(void **state)
{
	chain filter;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof wrong_redis / sizeof *wrong_redis; i++) {
		filter = redis_filter();
		set_field(&filter, &wrong_redis[i]);
		assert_refused(BLOOM_E_FOREIGN, wrong_redis[i].subject, redis_dump(&filter), redis);
		/* In a scan, only layers that exist can be written. */
		if (wrong_redis[i].field != FIELD(layers) || wrong_redis[i].value == 0) {
			if (wrong_redis[i].field == FIELD(layer[1].probes)) {
				continue;
			}
			filter = redis_filter();
			set_field(&filter, &wrong_redis[i]);
		}
		assert_refused(BLOOM_E_FOREIGN, wrong_redis[i].subject, redis_scan(&filter), redis);
	}
	filter = redis_filter();
	filter.version = 3;
	assert_refused(BLOOM_E_FOREIGN,
		"a value of type MBbloom--, version 3, but RedisBloom's filters have MBbloom--, "
		"version 4",
		redis_dump(&filter), redis);
	filter = valkey_filter();
	assert_refused(BLOOM_E_FOREIGN,
		"a value of type bloomfltr, version 1, but RedisBloom's filters have MBbloom--, "
		"version 4",
		valkey_dump(&filter), redis);
}

static void a_layer_with_keys_needs_bits(void **state)
{
	static const char subject[] =
		"the bits of layer 1 are missing: it has 200 keys, but no bit is set";
	chain filter = redis_filter();

	(void)state;
	memset(data[1], 0, sizeof data[1]);
	assert_refused(BLOOM_E_FOREIGN, subject, redis_scan(&filter), redis);
	filter.packed = true;
	assert_refused(BLOOM_E_FOREIGN, subject, redis_dump(&filter), redis);
	filter = valkey_filter();
	memset(data[0], 0, sizeof data[0]);
	assert_refused(BLOOM_E_FOREIGN,
		"the bits of layer 0 are missing: it has 100 keys, but no bit is set",
		valkey_dump(&filter), valkey);
	/* A new layer has neither. */
	filter = redis_filter();
	filter.keys = 300;
	filter.layer[2].keys = 0;
	memset(data[2], 0, sizeof data[2]);
	blob_free(&(test_blob){converted(redis_dump(&filter), redis).bytes, 0});
}

static void a_scan_needs_all_its_chunks(void **state)
{
	chain filter = redis_filter();
	test_blob input = redis_scan(&filter);

	(void)state;
	put(input.bytes, 19);
	assert_refused(BLOOM_E_FOREIGN, "19 bytes, but the header of BF.SCANDUMP has at least 73",
		written(), redis);
	put(input.bytes, 20 + 2 * 53);
	assert_refused(BLOOM_E_FOREIGN,
		"126 bytes, but the header of BF.SCANDUMP has 179 for 3 layers", written(), redis);
	put(input.bytes, input.count - 1);
	assert_refused(BLOOM_E_FOREIGN,
		"the bits of layer 2 are missing: it has 728 bytes, but only 727 follow; append "
		"the "
		"data of all calls of BF.SCANDUMP, in order",
		written(), redis);
	put(input.bytes, input.count);
	put_byte(0);
	assert_refused(
		BLOOM_E_FOREIGN, "1 bytes follow the bits of the last layer", written(), redis);
	/* Without the check, the sum of the sizes would overflow. */
	put(input.bytes, input.count);
	bloom_put64(out.bytes + 20, UINT64_MAX - 7);
	assert_refused(BLOOM_E_FOREIGN,
		"the bits of layer 0 are missing: it has 18446744073709551608 bytes, but only 1200 "
		"follow; append the data of all calls of BF.SCANDUMP, in order",
		written(), redis);
	blob_free(&input);
}

/* A download that was resumed, or a crash, can leave zeros of a file's length where a part is
 * missing. */
static void a_filter_with_a_hole_is_refused(void **state)
{
	static const char subject[] =
		"layer 0: 400 bytes in a row are 0, but at most 60 are probable when 1600 of 6400 "
		"bits are set: a part of the filter is missing";
	const bloom_foreign_hint prob_1000 = {
		.format = BLOOM_FOREIGN_VALKEYPROB, .capacity = 1000, .rate = 0.01};
	chain filter;

	(void)state;
	memset(data[0], 0x55, 800);
	memset(data[0] + 104, 0, 400);
	assert_refused(BLOOM_E_FOREIGN, subject, guava(1, 5, 100, 800), guava_any);
	assert_refused(BLOOM_E_FOREIGN, subject, guava(0, 5, 100, 800), guava_any);
	memset(data[0], 0x55, 1199);
	memset(data[0] + 104, 0, 600);
	data[0][1198] = 0x40; /* the last of 9,586 bits is set */
	assert_refused(BLOOM_E_FOREIGN,
		"layer 0: 600 bytes in a row are 0, but at most 86 are probable when 2393 of 9586 "
		"bits are set: a part of the filter is missing",
		prob(1199), prob_1000);
	filter = redis_filter();
	memset(data[1], 0xFF, 16);
	memset(data[1] + 16, 0, 200);
	assert_refused(BLOOM_E_FOREIGN,
		"layer 1: 200 bytes in a row are 0, but at most 100 are probable when 595 of 2624 "
		"bits are set: a part of the filter is missing",
		redis_scan(&filter), redis);
}

/* The header of BF.SCANDUMP is older than the bits. If the filter was deleted in between and is
 * being filled again, the bits have only some of the keys. */
static void a_scan_needs_bits_for_its_keys(void **state)
{
	chain filter = redis_filter();
	uint64_t random = 9;

	(void)state;
	fill(data[1], 328, 5, &random);
	assert_refused(BLOOM_E_FOREIGN,
		"layer 1: 563 bits are set, but its 200 keys set at least 890: the bits are from "
		"another time than the header",
		redis_scan(&filter), redis);
	/* Keys that were added since the header was read do no harm. */
	filter = redis_filter();
	fill(data[2], 728, 3, &random);
	blob_free(&(test_blob){converted(redis_scan(&filter), redis).bytes, 0});
	/* Each key that was counted has set a bit. */
	filter.layer[2].keys += 2000;
	filter.keys += 2000;
	assert_refused(BLOOM_E_FOREIGN,
		"layer 2: 1961 bits are set, but its 2050 keys set at least 4193: the bits are "
		"from another time than the header",
		redis_scan(&filter), redis);
}

static void a_wrong_field_of_valkey_bloom_is_refused(void **state)
{
	static const redis_case cases[] = {
		{FIELD(layers), 0, 0, "0 layers, but 1 to 1024 are allowed"},
		{FIELD(layers), 0, 1025, "1025 layers, but 1 to 1024 are allowed"},
		{FIELD(rate), 1, 0, "error rate 1, but it must be between 0 and 1"},
		{FIELD(rate), 0, 0, "error rate 0, but it must be between 0 and 1"},
		{FIELD(tightening), 0, 0, "tightening ratio 0, but it must be between 0 and 1"},
		{FIELD(tightening), 1, 0, "tightening ratio 1, but it must be between 0 and 1"},
		{FIELD(is_random), 0, 2, "is_seed_random is 2, but must be 0 or 1"},
		{FIELD(layer[1].version), 0, 2,
			"layer 1 has version 2, but this build reads version 1"},
		{FIELD(layer[1].claimed), 0, 275,
			"layer 1: its header says 275 bytes, but 276 follow"},
		{FIELD(layer[1].bytes), 0, 0, "layer 1 has 45 bytes, but its header alone has 45"},
		{FIELD(layer[1].probes), 0, 0, "layer 1: 0 hashes, but 1 to 255 are allowed"},
		{FIELD(layer[1].probes), 0, 256, "layer 1: 256 hashes, but 1 to 255 are allowed"},
		{FIELD(layer[1].seed), 0, 1,
			"layer 1 has another seed than layer 0, but all layers must have the same"},
		{FIELD(layer[1].entries), 0, 29, "layer 1: 30 keys, but its capacity is 29"},
		{FIELD(layer[0].entries), 0, UINT64_C(1000000000001),
			"layer 0: capacity 1000000000001, but each layer needs at least 1, and all "
			"of "
			"them at most 1000000000000"},
	};
	chain filter;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		filter = valkey_filter();
		set_field(&filter, &cases[i]);
		assert_refused(BLOOM_E_FOREIGN, cases[i].subject, valkey_dump(&filter), valkey);
	}
	filter = valkey_filter();
	filter.version = 2;
	assert_refused(BLOOM_E_FOREIGN,
		"a value of type bloomfltr, version 2, but valkey-bloom's filters have bloomfltr, "
		"version 1",
		valkey_dump(&filter), valkey);
	put_byte(7);
	assert_refused(
		BLOOM_E_FOREIGN, "not the payload of DUMP of a module's value", written(), valkey);
}

/* Changes a payload, writes its CRC64 anew, and returns it. */
static test_blob mended(test_blob input)
{
	if (input.count >= 8) {
		bloom_put64(input.bytes + input.count - 8, crc64(input.bytes, input.count - 8));
	}
	return input;
}

static test_blob dump_with(size_t at, unsigned byte)
{
	chain filter = redis_filter();
	test_blob input = redis_dump(&filter);

	input.bytes[at] = (unsigned char)byte;
	return mended(input);
}

static void a_damaged_container_is_refused(void **state)
{
	chain filter = redis_filter();
	test_blob input = redis_dump(&filter), cut;

	(void)state;
	/* 10 bytes of type; the number of keys is 02 41 5E; the number of layers 02 03. */
	assert_int_equal(0x41, input.bytes[11]);
	put(input.bytes, 20);
	assert_refused(BLOOM_E_FOREIGN, "20 bytes, but the shortest payload of DUMP has 21",
		written(), redis);
	input.bytes[11] ^= 1;
	put(input.bytes, input.count);
	bloom_put64(out.bytes + out.count - 8, 1);
	assert_int_equal(BLOOM_E_FOREIGN, convert(written(), redis, &cut));
	assert_non_null(strstr(
		error.subject, ", but its last bytes say 0000000000000001: it was cut or changed"));
	input.bytes[11] ^= 1;
	assert_refused(BLOOM_E_FOREIGN, "the number of keys has the opcode 5, but must have 2",
		dump_with(10, 5), redis);
	assert_refused(BLOOM_E_FOREIGN, "the number of keys is not encoded as a length",
		dump_with(11, 0x82), redis);
	assert_refused(BLOOM_E_FOREIGN, "the number of keys is not encoded as a length",
		dump_with(11, 0xC3), redis);
	/* The payload ends within the last number; its end and footer are gone. */
	put(input.bytes, input.count - 12);
	put_little(11, 2);
	put_little(0, 8);
	assert_refused(BLOOM_E_FOREIGN,
		"a layer's number of keys needs 1 bytes, but only 0 are left", mended(written()),
		redis);
	put(input.bytes, input.count - 11);
	put_little(11, 2);
	put_little(0, 8);
	assert_refused(BLOOM_E_FOREIGN, "the end of the value needs 1 bytes, but only 0 are left",
		mended(written()), redis);
	put(input.bytes, input.count - 10);
	put_byte(0);
	put_little(11, 2);
	put_little(0, 8);
	assert_refused(
		BLOOM_E_FOREIGN, "1 bytes follow the end of the value", mended(written()), redis);
	blob_free(&input);
}

static void a_string_cannot_claim_more_than_it_unpacks_to(void **state)
{
	static const unsigned char sizes[] = {0xC3, 2, 0x80, 0, 0, 0, 177}; /* 2 · 88 + 1 */
	chain filter = redis_filter();
	test_blob input;
	size_t at;

	(void)state;
	filter.layers = 1;
	filter.keys = 100;
	input = redis_dump(&filter);
	/* The string's field is the first one with the opcode 5 and the length 144. */
	for (at = 10; memcmp(input.bytes + at, "\5\x40\x90", 3) != 0; at++) {
	}
	put(input.bytes, at + 1);
	put(sizes, sizeof sizes);
	put("\0\0\2\x32\0", 5);
	put_little(11, 2);
	put_little(0, 8);
	assert_refused(BLOOM_E_FOREIGN, "a layer's bits: 2 packed bytes cannot contain 177",
		mended(written()), redis);
	put(input.bytes, at + 1);
	put("\xC3\2\x40\x90\0\0\2\x40\x64\0", 10);
	put_little(11, 2);
	put_little(0, 8);
	assert_refused(BLOOM_E_FOREIGN, "layer 0: 2 packed bytes do not unpack to exactly 144",
		mended(written()), redis);
	blob_free(&input);
}

static void a_wrong_field_of_guava_is_refused(void **state)
{
	const bloom_foreign_hint guava_32 = {.format = BLOOM_FOREIGN_GUAVA_32};

	(void)state;
	memset(data[0], 0x55, 808);
	put("\1\5\0\0", 5);
	assert_refused(
		BLOOM_E_FOREIGN, "5 bytes, but the header alone has 6", written(), guava_any);
	assert_refused(BLOOM_E_FOREIGN,
		"strategy 2, but it must be 0 (MURMUR128_MITZ_32) or 1 (MURMUR128_MITZ_64)",
		guava(2, 5, 100, 800), guava_any);
	assert_refused(BLOOM_E_FOREIGN, "strategy 1, but it must be 0 (MURMUR128_MITZ_32)",
		guava(1, 5, 100, 800), guava_32);
	assert_refused(BLOOM_E_FOREIGN, "0 hash functions, but 1 to 255 are allowed",
		guava(1, 0, 100, 800), guava_any);
	assert_refused(BLOOM_E_FOREIGN,
		"the header says 0 numbers of 8 bytes, but 0 bytes follow it", guava(1, 5, 0, 0),
		guava_any);
	assert_refused(BLOOM_E_FOREIGN,
		"the header says 100 numbers of 8 bytes, but 799 bytes follow it",
		guava(1, 5, 100, 799), guava_any);
	assert_refused(BLOOM_E_FOREIGN,
		"the header says 100 numbers of 8 bytes, but 808 bytes follow it",
		guava(1, 5, 100, 808), guava_any);
	assert_refused(BLOOM_E_FOREIGN,
		"the header says 4294967295 numbers of 8 bytes, but 800 bytes follow it",
		guava(1, 5, UINT32_MAX, 800), guava_any);
}

static void a_valkeyprob_string_of_another_size_is_refused(void **state)
{
	static const struct {
		bloom_status status;
		uint64_t capacity;
		double rate;
		const char *subject;
	} cases[] = {
		{BLOOM_E_FOREIGN_SIZE, 0, 0.01,
			"capacity 0 and rate 0.01, but the capacity must be at least 1, and the "
			"rate "
			"between 0 and 1"},
		{BLOOM_E_FOREIGN_SIZE, 100, 0,
			"capacity 100 and rate 0, but the capacity must be at least 1, and the "
			"rate "
			"between 0 and 1"},
		{BLOOM_E_FOREIGN_SIZE, 100, 1,
			"capacity 100 and rate 1, but the capacity must be at least 1, and the "
			"rate "
			"between 0 and 1"},
		{BLOOM_E_FOREIGN_SIZE, 1000000000, 0.01,
			"capacity 1000000000 and rate 0.01 need 9585058378 bits, but valkeyprob "
			"allows at most 4294967296"},
		{BLOOM_E_FOREIGN, 1000, 0.71,
			"rate 0.71 leads to 0 probes per key, but 1 to 255 can be imported; such a "
			"filter contains no key"},
		{BLOOM_E_FOREIGN, 1000, 1e-80,
			"rate 1e-80 leads to 266 probes per key, but 1 to 255 can be imported"},
		{BLOOM_E_FOREIGN_SIZE, 99, 0.01,
			"string of 120 bytes, but capacity 99 and rate 0.01 make a filter of 949 "
			"bits: 116 to 119 bytes"},
		/* If more bits are set than the filter has, it cannot end with zeros. */
		{BLOOM_E_FOREIGN_SIZE, 50, 0.01,
			"string of 120 bytes, but capacity 50 and rate 0.01 make a filter of 480 "
			"bits: 60 bytes"},
		{BLOOM_E_FOREIGN_SIZE, 104, 0.01,
			"string of 120 bytes, but capacity 104 and rate 0.01 make a filter of 997 "
			"bits: 122 to 125 bytes"},
	};
	size_t i;

	(void)state;
	memset(data[0], 0x55, 120);
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bloom_foreign_hint hint = {.format = BLOOM_FOREIGN_VALKEYPROB,
			.capacity = cases[i].capacity,
			.rate = cases[i].rate};

		assert_refused(cases[i].status, cases[i].subject, prob(120), hint);
	}
	data[0][119] = 0x01;
	assert_refused(BLOOM_E_FOREIGN_SIZE,
		"a bit after the last one is set: capacity 100 and rate 0.01 make a filter of 959 "
		"bits",
		prob(120), valkeyprob);
}

static void bytes_that_change_after_reading_cause_no_overrun(void **state)
{
	chain filter = redis_filter();
	test_blob input, blob;

	(void)state;
	filter.packed = true;
	input = redis_dump(&filter);
	assert_ok(bloom_foreign_read(input.bytes, input.count, &redis, &source, &error));
	memset(input.bytes, 0xFF, input.count);
	blob.count = bloom_foreign_blob_bytes(&source);
	blob.bytes = calloc(1, blob.count);
	assert_non_null(blob.bytes);
	assert_status(BLOOM_E_FOREIGN, bloom_foreign_write(&source, 1, "", 0, blob.bytes, &error));
	assert_string_equal("layer 0 changed while it was read", error.subject);
	blob_free(&blob);
	blob_free(&input);
}

/* ---- mutants ---- */

enum { BASES = 8 };

static test_blob mutant(const test_blob bases[BASES], unsigned which, uint64_t *random)
{
	const test_blob *base = &bases[which], *other = &bases[random_below(random, BASES)];
	uint64_t kind = random_below(random, 6), i, from;
	test_blob made;

	put(base->bytes, base->count);
	if (kind == 4) {
		out.count = random_below(random, base->count + 1);
	} else if (kind == 5) {
		out.count = random_below(random, base->count + 1);
		from = random_below(random, other->count);
		put(other->bytes + from, other->count - from);
	} else {
		for (i = random_below(random, 4); i < 4; i++) {
			/* Half of the damage is in the header. */
			from = random_below(random, i % 2 == 0 ? 64 : out.count);
			if (kind == 0) {
				out.bytes[from] = (unsigned char)random_next(random);
			} else {
				out.bytes[from] ^= (unsigned char)(1 << random_below(random, 8));
			}
		}
	}
	made = written();
	return made.count > 0 && made.bytes[0] == 7 && random_below(random, 8) != 0 ? mended(made)
										    : made;
}

static void mutants_are_refused_or_become_good_blobs(void **state)
{
	static const bloom_foreign_hint *const hints[BASES] = {
		&redis, &redis, &redis, &detected, &valkey, &guava_any, &valkeyprob, &detected};
	uint64_t random = test_seed("mutants"), accepted = 0, i, seed = 8;
	chain filter = redis_filter();
	test_blob bases[BASES], blob;
	bloom_status status;
	bloom_head head;
	unsigned which;

	(void)state;
	bases[0] = redis_dump(&filter);
	bases[1] = redis_scan(&filter);
	filter.packed = true;
	bases[2] = redis_dump(&filter);
	filter.layers = 1;
	filter.keys = 100;
	bases[3] = redis_dump(&filter);
	filter = valkey_filter();
	bases[4] = valkey_dump(&filter);
	filter.packed = true;
	bases[7] = valkey_dump(&filter);
	fill(data[0], 800, 2, &seed);
	bases[5] = guava(1, 5, 100, 800);
	data[0][119] = 2;
	bases[6] = prob(120);
	for (i = 0; i < 100000; i++) {
		which = (unsigned)(i % BASES);
		status = convert(mutant(bases, which, &random), *hints[which], &blob);
		if (status != BLOOM_OK) {
			assert_true(status == BLOOM_E_FOREIGN || status == BLOOM_E_FOREIGN_FORMAT ||
				status == BLOOM_E_FOREIGN_SIZE || status == BLOOM_E_FOREIGN_EMPTY);
			assert_true(strlen(error.subject) > 0);
			continue;
		}
		accepted++;
		status = bloom_blob_parse(blob.bytes, blob.count, &head, &error);
		/* Only a splice can contain so many set bits. */
		if (status != BLOOM_E_SATURATED) {
			assert_ok(status);
			assert_ok(bloom_body_verify(&head, blob.bytes + head.head_bytes, 0,
				head.geometry.shards, &error));
		}
		blob_free(&blob);
	}
	/* Flipped bits of a filter's bits are not noticed. */
	assert_in_range(accepted, 10000, 60000);
	for (which = 0; which < BASES; which++) {
		blob_free(&bases[which]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("the CRC64 of DUMP is the published one", the_crc64_is_the_published_one),
		TEST("types of modules have the bytes that servers write",
			types_have_the_bytes_that_servers_write),
		TEST("packed strings unpack to exactly their length or are refused",
			packed_strings_unpack),
		TEST("long strings unpack the same in a ring",
			long_strings_unpack_the_same_in_a_ring),
		TEST("a DUMP of RedisBloom is read with all its layers",
			a_dump_of_redisbloom_is_read),
		TEST("the rate of a filter that does not scale is that of its layer",
			the_rate_of_a_filter_that_does_not_scale_is_that_of_its_layer),
		TEST("DUMP, packed DUMP and SCANDUMP of a filter give the same blob",
			all_ways_to_export_a_redisbloom_filter_give_the_same_blob),
		TEST("the data of SCANDUMP may begin like a DUMP", a_scan_may_begin_like_a_dump),
		TEST("a DUMP of valkey-bloom is read with its seed",
			a_dump_of_valkey_bloom_is_read),
		TEST("both strategies of Guava are read", both_strategies_of_guava_are_read),
		TEST("a valkeyprob string is read", a_valkeyprob_string_is_read),
		TEST("a valkeyprob string may lack as many zeros as are probable",
			a_valkeyprob_string_may_lack_a_few_zeros),
		TEST("shards are as large as the padding permits",
			shards_are_as_large_as_the_padding_permits),
		TEST("a format is detected only by a magic number",
			a_format_is_detected_only_by_a_magic_number),
		TEST("files that other programs wrote answer as they do",
			files_of_other_programs_answer_as_they_do),
		TEST("a DUMP and a SCANDUMP by RedisBloom give the same blob",
			a_dump_and_a_scan_by_redisbloom_give_the_same_blob),
		TEST("a valkeyprob string of a server contains its keys",
			a_string_of_a_server_contains_its_keys),
		TEST("a filter without a set bit is refused",
			a_filter_without_a_set_bit_is_refused),
		TEST("a wrong field of a RedisBloom filter is refused",
			a_wrong_field_of_redisbloom_is_refused),
		TEST("a layer with keys but without bits is refused", a_layer_with_keys_needs_bits),
		TEST("the data of SCANDUMP must be complete", a_scan_needs_all_its_chunks),
		TEST("a filter with a hole is refused", a_filter_with_a_hole_is_refused),
		TEST("the data of SCANDUMP must have bits for its keys",
			a_scan_needs_bits_for_its_keys),
		TEST("a wrong field of a valkey-bloom filter is refused",
			a_wrong_field_of_valkey_bloom_is_refused),
		TEST("a damaged DUMP is refused", a_damaged_container_is_refused),
		TEST("a packed string cannot claim more bytes than it contains",
			a_string_cannot_claim_more_than_it_unpacks_to),
		TEST("a wrong field of a Guava filter is refused",
			a_wrong_field_of_guava_is_refused),
		TEST("a valkeyprob string that capacity and rate do not explain is refused",
			a_valkeyprob_string_of_another_size_is_refused),
		TEST("bytes that change after reading cause no overrun",
			bytes_that_change_after_reading_cause_no_overrun),
		TEST("100,000 mutants are refused or become good blobs",
			mutants_are_refused_or_become_good_blobs),
	};

	return cmocka_run_group_tests_name("foreign_read", tests, NULL, NULL);
}

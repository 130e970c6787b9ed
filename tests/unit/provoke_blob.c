/* Errors of builders and blobs: parameters, heads, bodies and other formats. */
#include "provoke.h"

#include "build/lines.h"
#include "filter/foreign_export.h"
#include "filter/foreign_read.h"

static bloom_status params(bloom_params asked)
{
	bloom_geometry geometry;

	return bloom_geometry_choose(&asked, 0, &geometry);
}

static bloom_status capacity(void)
{
	return params((bloom_params){.rate = 0.01});
}

static bloom_status rate(void)
{
	return params((bloom_params){.capacity_keys = 1, .rate = 0.6});
}

static bloom_status shard_bytes(void)
{
	return params((bloom_params){.capacity_keys = 1, .rate = 0.1, .shard_bytes = 1000});
}

static bloom_status block_bytes(void)
{
	return params((bloom_params){.capacity_keys = 1, .rate = 0.1, .block_bytes = 65});
}

static bloom_status probes(void)
{
	return params((bloom_params){.capacity_keys = 1, .rate = 0.1, .probes = 33});
}

static bloom_status bits_per_key(void)
{
	return params((bloom_params){.capacity_keys = 1, .rate = 0.1, .bits_per_key = 0.5});
}

static bloom_status too_large(void)
{
	return params((bloom_params){.capacity_keys = BLOOM_CAPACITY_MAX, .rate = 1e-7});
}

static bloom_status chunk_bytes(void)
{
	bloom_params asked = {.capacity_keys = 1000, .rate = 0.1};
	bloom_builder builder;

	return bloom_builder_init(&asked, 0, 1000, &builder, &error);
}

/* Changes a small blob, corrects its head's checksum, and reads the whole blob. */
static bloom_status forged(uint32_t at, int bytes, uint64_t value)
{
	test_blob blob = blob_small();
	bloom_head head;
	bloom_status status;

	if (bytes == 8) {
		bloom_put64(blob.bytes + at, value);
	} else {
		bloom_put32(blob.bytes + at, (uint32_t)value);
	}
	mend_head(blob, 4096);
	status = bloom_blob_parse(blob.bytes, blob.count, &head, &error);
	if (status == BLOOM_OK) {
		status = bloom_body_verify(&head, blob.bytes + 4096, 0, 3, &error);
	}
	blob_free(&blob);
	return status;
}

static bloom_status shorter(void)
{
	bloom_head head;

	return bloom_head_parse((const unsigned char *)"\x89"
						       "BLOOM\r\n",
		8, &head, &error);
}

static bloom_status magic(void)
{
	return forged(0, 4, 0x474E5089); /* a picture */
}

static bloom_status version(void)
{
	return forged(8, 4, 1);
}

static bloom_status head_bytes(void)
{
	return forged(16, 8, 100);
}

static bloom_status head_checksum(void)
{
	test_blob blob = blob_small();
	bloom_head head;
	bloom_status status;

	blob.bytes[300] ^= 1;
	status = bloom_blob_parse(blob.bytes, blob.count, &head, &error);
	blob_free(&blob);
	return status;
}

static bloom_status reserved(void)
{
	return forged(12, 4, 1);
}

static bloom_status scheme(void)
{
	return forged(52, 4, 9);
}

static bloom_status geometry(void)
{
	return forged(48, 4, 0);
}

static bloom_status length(void)
{
	return forged(24, 8, 1);
}

static bloom_status totals(void)
{
	return forged(72, 8, 1);
}

static bloom_status meta(void)
{
	return forged(88, 8, 0);
}

static bloom_status shard_checksum(void)
{
	return forged(4096 + 5, 4, 0x12345678);
}

static bloom_status shard_bits(void)
{
	test_blob blob = blob_small();
	bloom_head head;
	bloom_status status;

	blob.bytes[4096] ^= 1;
	mend_shard(blob, 0);
	status = bloom_blob_parse(blob.bytes, blob.count, &head, &error);
	if (status == BLOOM_OK) {
		status = bloom_body_verify(&head, blob.bytes + 4096, 0, 3, &error);
	}
	blob_free(&blob);
	return status;
}

static bloom_status shard_keys(void)
{
	return forged(512, 4, 1);
}

static bloom_status saturated(void)
{
	return forged(516, 4, 8192);
}

static bloom_status over_rate(void)
{
	bloom_params asked = {.capacity_keys = 100, .rate = 0.01};
	bloom_builder builder;
	bloom_status status;
	uint64_t i;

	assert_ok(bloom_builder_init(&asked, 0, 0, &builder, &error));
	for (i = 0; i < 1000; i++) {
		(void)builder_add_key(&builder, "over", i);
	}
	status = bloom_builder_finish(&builder, 0, 0.01, &error);
	bloom_builder_free(&builder);
	return status;
}

static bloom_status add_text(uint32_t field, const unsigned char *text, size_t count)
{
	bloom_params asked = {.capacity_keys = 1000, .rate = 0.1};
	bloom_lines lines = {.field = field, .delimiter = ':'};
	bloom_builder builder;
	bloom_status status;

	assert_ok(bloom_builder_init(&asked, 0, 0, &builder, &error));
	status = bloom_builder_add_lines(&builder, &lines, text, count, &error);
	bloom_lines_free(&lines);
	bloom_builder_free(&builder);
	return status;
}

static bloom_status line(void)
{
	static const unsigned char zeros[BLOOM_LINE_BYTES_MAX + 1];

	return add_text(0, zeros, sizeof zeros);
}

static bloom_status field(void)
{
	return add_text(2, (const unsigned char *)"a:b\na\n", 6);
}

static bloom_status chunk_digest(void)
{
	test_blob blob = blob_small();
	bloom_head head;
	bloom_status status;

	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	assert_ok(bloom_chunks_verify(&head, blob.bytes + head.head_bytes, &error));
	blob.bytes[blob.count - 1] ^= 1;
	status = bloom_chunks_verify(&head, blob.bytes + head.head_bytes, &error);
	blob_free(&blob);
	return status;
}

static bloom_status different(void)
{
	bloom_params params = {.capacity_keys = 100, .rate = 0.01};
	bloom_builder builder = {0};
	test_blob blob = blob_of(&params, 2, 10, "key", NULL);
	bloom_head head;
	bloom_status status;

	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	assert_ok(bloom_builder_init(&params, 1, 0, &builder, &error));
	status = bloom_builder_merge(&builder, &head, blob.bytes + head.head_bytes, &error);
	bloom_builder_free(&builder);
	blob_free(&blob);
	return status;
}

static bloom_status solved(void)
{
	bloom_params params = {.capacity_keys = 1000, .rate = 0.01, .ribbon = true};
	test_blob blob = blob_of(&params, 1, 100, "in", NULL);
	bloom_builder builder = {0};
	bloom_status status;
	bloom_head head;

	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	status = bloom_builder_start(&head.geometry, &head.meta, NULL, &builder, &error);
	blob_free(&blob);
	return status;
}

static bloom_status ribbon_wish(double bits_per_key, uint32_t with_probes)
{
	bloom_params params = {.capacity_keys = 100000,
		.rate = 0.01,
		.bits_per_key = bits_per_key,
		.probes = with_probes,
		.ribbon = true};
	bloom_geometry chosen;

	return bloom_geometry_choose(&params, 1, &chosen);
}

static bloom_status ribbon_bits(void)
{
	return ribbon_wish(1, 0);
}

static bloom_status ribbon_shard(void)
{
	bloom_params params = {
		.capacity_keys = 1, .rate = 1e-6, .shard_bytes = 1024, .ribbon = true};
	bloom_geometry chosen;

	return bloom_geometry_choose(&params, 1, &chosen);
}

static bloom_status not_bloom(void)
{
	return ribbon_wish(0, 7);
}

static bloom_status foreign_build(void)
{
	return params((bloom_params){
		.capacity_keys = 1, .rate = 0.5, .foreign = BLOOM_FOREIGN_VALKEY_BLOOM});
}

static bloom_status foreign_params(void)
{
	return params((bloom_params){
		.capacity_keys = 1, .rate = 0.5, .foreign = BLOOM_FOREIGN_REDISBLOOM, .probes = 7});
}

static bloom_status foreign_bits(void)
{
	return params((bloom_params){.capacity_keys = BLOOM_CAPACITY_MAX,
		.rate = 0.5,
		.foreign = BLOOM_FOREIGN_VALKEYPROB});
}

static bloom_status plan_export(test_blob blob, uint64_t capacity)
{
	bloom_foreign_export plan;
	bloom_status status;
	bloom_head head;

	assert_ok(blob_parse(blob, &head));
	head.meta.capacity_keys += capacity;
	status = bloom_foreign_export_plan(&head, blob.bytes + head.head_bytes, &plan, &error);
	blob_free(&blob);
	return status;
}

static bloom_status no_export(void)
{
	return plan_export(blob_small(), 0);
}

static bloom_status export_layers(void)
{
	const bloom_params asked = {
		.capacity_keys = 1000, .rate = 0.01, .foreign = BLOOM_FOREIGN_REDISBLOOM};

	return plan_export(blob_of(&asked, 0, 10, "common", NULL), 1000);
}

static bloom_status groups_rate(void)
{
	return params(
		(bloom_params){.capacity_keys = 1, .rate = 0.5, .groups = 65536, .fan_out = 256});
}

static bloom_status rate_floor(void)
{
	return params((bloom_params){.capacity_keys = BLOOM_CAPACITY_MAX, .rate = 1e-8});
}

/* A builder of 2^32 groups that reports 6,000 groups for one value. */
static bloom_status wrong_groups(void)
{
	bloom_params asked = {
		.capacity_keys = 1, .rate = 0.001, .groups = BLOOM_GROUPS_MAX, .fan_out = 256};
	bloom_builder builder;
	bloom_status status;
	char text[KEY_TEXT_BYTES];
	uint64_t i;

	assert_ok(bloom_builder_init(&asked, 0, 0, &builder, &error));
	for (i = 0; i < 6000; i++) {
		(void)bloom_builder_add_to_group(&builder, i * 715827 % BLOOM_GROUPS_MAX,
			(const unsigned char *)text, key_text("wrong", i, text));
	}
	status = bloom_builder_finish(&builder, 0, 1, &error);
	bloom_builder_free(&builder);
	return status;
}

static bloom_status stripes(void)
{
	return bloom_geometry_check(&(bloom_geometry){.shards = 1,
		.shard_bytes = 1024,
		.block_bytes = 1024,
		.probes = 1,
		.stripes = 129});
}

/* Imports bytes. The source is allocated because it is too large for the stack. */
static bloom_status foreign_bytes(
	const char *bytes, size_t count, bloom_foreign_format format, uint64_t capacity)
{
	bloom_foreign_hint hint = {.format = format, .capacity = capacity, .rate = 0.01};
	bloom_foreign_source *source = malloc(sizeof *source);
	bloom_status status;

	assert_non_null(source);
	status = bloom_foreign_read((const unsigned char *)bytes, count, &hint, source, &error);
	free(source);
	return status;
}

static bloom_status not_foreign(void)
{
	return foreign_bytes("\1\7", 2, BLOOM_FOREIGN_GUAVA_64, 0);
}

static bloom_status foreign_format(void)
{
	return foreign_bytes("\1\7", 2, BLOOM_FOREIGN_NONE, 0);
}

static bloom_status foreign_size(void)
{
	return foreign_bytes("\1\7", 2, BLOOM_FOREIGN_VALKEYPROB, 1000);
}

static bloom_status foreign_empty(void)
{
	return foreign_bytes("", 0, BLOOM_FOREIGN_VALKEYPROB, 1000);
}

static bloom_geometry foreign_geometry(uint32_t layers)
{
	return (bloom_geometry){.shards = 1,
		.shard_bytes = 1024,
		.block_bytes = 1024,
		.probes = 1,
		.foreign = BLOOM_FOREIGN_GUAVA_64,
		.layers = layers};
}

static bloom_status layers(void)
{
	bloom_geometry wrong = foreign_geometry(2);

	return bloom_geometry_check(&wrong);
}

static bloom_status imported(void)
{
	bloom_geometry whole = foreign_geometry(1);

	return bloom_geometry_check_open(&whole, &error);
}

static const provocation rows[] = {
	{BLOOM_E_CAPACITY, capacity},
	{BLOOM_E_RATE, rate},
	{BLOOM_E_SHARD_BYTES, shard_bytes},
	{BLOOM_E_BLOCK_BYTES, block_bytes},
	{BLOOM_E_PROBES, probes},
	{BLOOM_E_BITS_PER_KEY, bits_per_key},
	{BLOOM_E_TOO_LARGE, too_large},
	{BLOOM_E_CHUNK_BYTES, chunk_bytes},
	{BLOOM_E_DIFFERENT, different},
	{BLOOM_E_SHORT, shorter},
	{BLOOM_E_MAGIC, magic},
	{BLOOM_E_VERSION, version},
	{BLOOM_E_HEAD_BYTES, head_bytes},
	{BLOOM_E_HEAD_CHECKSUM, head_checksum},
	{BLOOM_E_RESERVED, reserved},
	{BLOOM_E_SCHEME, scheme},
	{BLOOM_E_GEOMETRY, geometry},
	{BLOOM_E_LENGTH, length},
	{BLOOM_E_TOTALS, totals},
	{BLOOM_E_META, meta},
	{BLOOM_E_SHARD_CHECKSUM, shard_checksum},
	{BLOOM_E_SHARD_BITS, shard_bits},
	{BLOOM_E_SHARD_KEYS, shard_keys},
	{BLOOM_E_SATURATED, saturated},
	{BLOOM_E_CHUNK_DIGEST, chunk_digest},
	{BLOOM_E_OVER_RATE, over_rate},
	{BLOOM_E_STRIPES, stripes},
	{BLOOM_E_RIBBON_BITS, ribbon_bits},
	{BLOOM_E_RIBBON_SHARD, ribbon_shard},
	{BLOOM_E_NOT_BLOOM, not_bloom},
	{BLOOM_E_SOLVED, solved},
	{BLOOM_E_GROUPS_RATE, groups_rate},
	{BLOOM_E_WRONG_GROUPS, wrong_groups},
	{BLOOM_E_RATE_FLOOR, rate_floor},
	{BLOOM_E_LINE, line},
	{BLOOM_E_LAYERS, layers},
	{BLOOM_E_FOREIGN, not_foreign},
	{BLOOM_E_FOREIGN_FORMAT, foreign_format},
	{BLOOM_E_FOREIGN_SIZE, foreign_size},
	{BLOOM_E_FOREIGN_EMPTY, foreign_empty},
	{BLOOM_E_IMPORTED, imported},
	{BLOOM_E_FOREIGN_BUILD, foreign_build},
	{BLOOM_E_FOREIGN_PARAMS, foreign_params},
	{BLOOM_E_FOREIGN_BITS, foreign_bits},
	{BLOOM_E_NO_EXPORT, no_export},
	{BLOOM_E_EXPORT_LAYERS, export_layers},
	{BLOOM_E_FIELD, field},
};

const provocations blob_provocations = {rows, sizeof rows / sizeof *rows};

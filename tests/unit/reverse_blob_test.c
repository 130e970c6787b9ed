/* Blobs of reverse indexes: the bytes and answers equal those of an independent writer, and forged
 * heads are refused. */
#include "support.h"

#include "filter/blob.h"
#include "filter/reverse.h"

/* ---- the other writer ---- */

static const char *const vectors[] = {"reverse-300", "reverse-deep", "reverse-one", "reverse-full"};

static test_blob vector_of(const char *name, const char *suffix)
{
	char path[64];

	(void)snprintf(path, sizeof path, "%s.%s", name, suffix);
	return vector_file(path);
}

static bloom_head open_vector(const char *name, test_blob *blob)
{
	test_blob file = vector_of(name, "bloom");
	bloom_head head;

	*blob = blob_copy(file); /* an allocation of exactly the file's size */
	blob_free(&file);
	assert_ok(bloom_blob_parse(blob->bytes, blob->count, &head, &error));
	assert_ok(bloom_body_verify(
		&head, blob->bytes + head.head_bytes, 0, head.geometry.shards, &error));
	return head;
}

typedef void (*entry_visit)(
	void *context, uint64_t group, const unsigned char *value, size_t value_bytes);

static void each_entry(const char *name, entry_visit visit, void *context)
{
	test_blob file = vector_of(name, "groups");
	unsigned char value[1024];
	char *line, *rest = NULL, *tab;

	for (line = strtok_r((char *)file.bytes, "\n", &rest); line != NULL;
		line = strtok_r(NULL, "\n", &rest)) {
		tab = strchr(line, '\t');
		assert_non_null(tab);
		visit(context, strtoull(line, NULL, 10), value,
			unhex(tab + 1, value, sizeof value));
	}
	blob_free(&file);
}

typedef struct asking {
	bloom_reverse reverse;
	group_answer told;
} asking;

static void find_entry(
	void *context, uint64_t group, const unsigned char *value, size_t value_bytes)
{
	asking *work = context;

	ask_groups(&work->reverse, bloom_digest_of(value, value_bytes, work->reverse.view.seed),
		&work->told);
	assert_true(has_group(&work->told, group));
}

static void check_answer(asking *work, char *line)
{
	char *tab = strchr(line, '\t'), *rest = NULL, *number;
	unsigned char value[1024];
	uint64_t i = 0;

	assert_non_null(tab);
	*tab = 0;
	ask_groups(&work->reverse,
		bloom_digest_of(value, unhex(line, value, sizeof value), work->reverse.view.seed),
		&work->told);
	for (number = strtok_r(tab + 1, ",", &rest); number != NULL && strcmp(number, "none") != 0;
		number = strtok_r(NULL, ",", &rest), i++) {
		assert_true(i < work->told.count);
		assert_true(strtoull(number, NULL, 10) == work->told.group[i]);
	}
	assert_true(i == work->told.count);
}

static void indexes_of_another_writer_are_read(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof vectors / sizeof *vectors; i++) {
		test_blob blob, answers = vector_of(vectors[i], "answers");
		bloom_head head = open_vector(vectors[i], &blob);
		asking work = {
			.reverse = bloom_reverse_of(&head.geometry, blob.bytes + head.head_bytes)};
		char *line, *rest = NULL;
		int lines = 0;

		each_entry(vectors[i], find_entry, &work);
		for (line = strtok_r((char *)answers.bytes, "\n", &rest); line != NULL;
			line = strtok_r(NULL, "\n", &rest), lines++) {
			check_answer(&work, line);
		}
		assert_in_range(lines, 60, 200);
		free(work.told.group);
		blob_free(&answers);
		blob_free(&blob);
	}
}

static void add_entry(void *context, uint64_t group, const unsigned char *value, size_t value_bytes)
{
	(void)bloom_builder_add_to_group(context, group, value, value_bytes);
}

static void the_builder_writes_the_same_bytes_as_another_writer(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof vectors / sizeof *vectors; i++) {
		test_blob blob;
		bloom_head head = open_vector(vectors[i], &blob);
		bloom_builder builder = {0};

		assert_ok(bloom_builder_start(&head.geometry, &head.meta, NULL, &builder, &error));
		each_entry(vectors[i], add_entry, &builder);
		assert_ok(bloom_builder_finish(&builder, head.meta.built_ms, 1, &error));
		assert_int_equal(blob.count, builder.image_bytes);
		assert_memory_equal(blob.bytes, builder.image, blob.count);
		bloom_builder_free(&builder);
		blob_free(&blob);
	}
}

static void add_like_the_other_writer(bloom_builder *builder, uint64_t values, uint64_t step)
{
	uint64_t groups = builder->geometry.groups, i;
	char text[32];
	size_t count;

	for (i = 0; i < values; i++) {
		count = (size_t)snprintf(text, sizeof text, "v%llu", (unsigned long long)i);
		(void)bloom_builder_add_to_group(
			builder, i * step % groups, (const unsigned char *)text, count);
		if (i % 7 == 0) {
			(void)bloom_builder_add_to_group(builder, (i * step + groups / 2) % groups,
				(const unsigned char *)text, count);
		}
	}
}

static void check_large_vector(void *context, char *line)
{
	unsigned long long groups, shards, seed, capacity, rate, built_ms, values, step, bytes;
	bloom_geometry geometry = {0};
	bloom_meta meta = {0};
	bloom_builder builder = {0};
	char hex[64];

	(void)context;
	assert_int_equal(14,
		sscanf(line, "%llu %u %llu %u %u %llx %u %llu %llu %llu %llu %llu %llu %63s",
			&groups, &geometry.fan_out, &shards, &geometry.shard_bytes,
			&geometry.probes, &seed, &meta.chunk_bytes, &capacity, &rate, &built_ms,
			&values, &step, &bytes, hex));
	geometry.groups = groups;
	geometry.shards = shards;
	geometry.seed = seed;
	geometry.block_bytes = geometry.shard_bytes;
	meta.capacity_keys = capacity;
	meta.target_rate = (double)rate / BLOOM_RATE_UNIT;
	assert_ok(bloom_geometry_check(&geometry));
	assert_ok(bloom_builder_start(&geometry, &meta, NULL, &builder, &error));
	add_like_the_other_writer(&builder, values, step);
	assert_builds(&builder, built_ms, bytes, hex);
}

static void larger_indexes_have_the_same_digest_as_another_writer_s(void **state)
{
	(void)state;
	assert_int_equal(3, each_vector_line("reverse-large.txt", check_large_vector, NULL));
}

/* ---- damaged blobs ---- */

enum {
	AT_SHARD_BYTES = 40,
	AT_BLOCK_BYTES = 44,
	AT_SCHEME = 52,
	AT_GROUPS = 256,
	AT_FAN_OUT = 264,
	AT_RESERVED = 268,
	AT_MARK = 320,
};

static bloom_status parse_with(test_blob good, int at, int bytes, uint64_t value)
{
	test_blob bad = blob_copy(good);
	bloom_head head;
	bloom_status status;

	if (bytes == 8) {
		bloom_put64(bad.bytes + at, value);
	} else if (bytes == 4) {
		bloom_put32(bad.bytes + at, (uint32_t)value);
	} else {
		bad.bytes[at] = (unsigned char)value;
	}
	mend_head(bad, bloom_get64(bad.bytes + 16));
	status = bloom_blob_parse(bad.bytes, bad.count, &head, &error);
	blob_free(&bad);
	return status;
}

static void heads_of_indexes_out_of_range_are_refused(void **state)
{
	static const uint64_t fan_outs[] = {0, 1, 32, 63, 65, 96, 2048, 0x80000000};
	test_blob good, plain = blob_small();
	bloom_head head = open_vector("reverse-300", &good);
	uint64_t i;

	(void)state;
	assert_int_equal(300, head.geometry.groups);
	assert_int_equal(64, head.geometry.fan_out);
	for (i = 0; i < sizeof fan_outs / sizeof *fan_outs; i++) {
		assert_status(BLOOM_E_GEOMETRY, parse_with(good, AT_FAN_OUT, 4, fan_outs[i]));
	}
	/* 4096 bytes are too few for columns of 512 bits each. */
	assert_status(BLOOM_E_GEOMETRY, parse_with(good, AT_FAN_OUT, 4, 128));
	assert_status(BLOOM_E_GEOMETRY, parse_with(good, AT_GROUPS, 8, 0));
	assert_status(BLOOM_E_GEOMETRY, parse_with(good, AT_GROUPS, 8, BLOOM_GROUPS_MAX + 1));
	assert_status(BLOOM_E_GEOMETRY, parse_with(good, AT_GROUPS, 8, UINT64_MAX));
	assert_ok(parse_with(good, AT_GROUPS, 8, BLOOM_GROUPS_MAX));
	assert_ok(parse_with(good, AT_GROUPS, 8, 1));
	assert_status(BLOOM_E_GEOMETRY, parse_with(good, AT_BLOCK_BYTES, 4, 64));
	assert_status(BLOOM_E_GEOMETRY, parse_with(good, AT_BLOCK_BYTES, 4, 2048));
	for (i = AT_RESERVED; i < 512; i++) {
		assert_status(BLOOM_E_RESERVED, parse_with(good, (int)i, 1, 1));
	}
	/* A scheme's functions refuse blobs of the other scheme. */
	assert_status(BLOOM_E_RESERVED, parse_with(good, AT_SCHEME, 4, 1));
	assert_status(BLOOM_E_GEOMETRY, parse_with(plain, AT_SCHEME, 4, 2));
	assert_status(BLOOM_E_SCHEME, parse_with(good, AT_SCHEME, 4, 4));
	for (i = 256; i < 512; i++) {
		/* The first 8 bytes of a mark are its epoch. */
		if (i < AT_MARK || i >= AT_MARK + 8) {
			assert_status(BLOOM_E_RESERVED, parse_with(plain, (int)i, 1, 1));
		}
	}
	blob_free(&plain);
	blob_free(&good);
}

static void a_forged_number_of_groups_leads_nowhere_beyond_the_bytes(void **state)
{
	static const uint64_t groups[] = {1, 63, 64, 65, 4097, 300000, BLOOM_GROUPS_MAX};
	test_blob good;
	bloom_head head = open_vector("reverse-full", &good);
	group_answer told = {0};
	uint64_t i, j;

	(void)state;
	for (i = 0; i < sizeof groups / sizeof *groups; i++) {
		bloom_geometry forged = head.geometry;
		bloom_reverse reverse;

		forged.groups = groups[i];
		assert_ok(bloom_geometry_check(&forged));
		reverse = bloom_reverse_of(&forged, good.bytes + head.head_bytes);
		told.most = 10000; /* at a rate of 8 % the complete answer would be long */
		for (j = 0; j < 20; j++) {
			ask_groups(&reverse, key_digest(forged.seed, "any", j), &told);
		}
	}
	free(told.group);
	blob_free(&good);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("reverse indexes of another implementation are read, and give the same "
		     "answers",
			indexes_of_another_writer_are_read),
		TEST("the builder writes the same reverse indexes as another implementation, byte "
		     "for byte",
			the_builder_writes_the_same_bytes_as_another_writer),
		TEST("larger reverse indexes have the same digest as those of another "
		     "implementation",
			larger_indexes_have_the_same_digest_as_another_writer_s),
		TEST("heads of reverse indexes with values out of range are refused",
			heads_of_indexes_out_of_range_are_refused),
		/* fault: outside-filter */
		TEST("a forged number of groups causes no access out of bounds",
			a_forged_number_of_groups_leads_nowhere_beyond_the_bytes),
	};

	return cmocka_run_group_tests_name("reverse", tests, NULL, NULL);
}

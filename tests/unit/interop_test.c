/* Tests with the blobs of another implementation in tests/vectors: the blobs are read, their keys
 * are found, and the builder writes the same bytes. */
#include "support.h"

#include "filter/blob.h"
#include "filter/probe.h"

static const char *const vectors[] = {"tiny", "empty", "shards", "defaults", "probes-1", "probes-9",
	"probes-32", "classic", "block-8", "bytes"};

typedef void (*key_visit)(void *context, const unsigned char *key, size_t key_bytes);

static void each_vector_key(const char *name, key_visit visit, void *context)
{
	unsigned char key[2048];
	char path[64], text[32], *line, *rest = NULL;
	long long i, last;
	test_blob file;

	(void)snprintf(path, sizeof path, "%s.keys", name);
	file = vector_file(path);
	for (line = strtok_r((char *)file.bytes, "\n", &rest); line != NULL;
		line = strtok_r(NULL, "\n", &rest)) {
		if (strstr(line, "..") == NULL) {
			visit(context, key, unhex(line, key, sizeof key));
			continue;
		}
		assert_int_equal(2, sscanf(line, "%lld..%lld", &i, &last));
		for (; i <= last; i++) {
			visit(context, (const unsigned char *)text,
				(size_t)snprintf(text, sizeof text, "%lld", i));
		}
	}
	blob_free(&file);
}

static test_blob vector_blob(const char *name)
{
	char path[64];
	test_blob file, exact;

	(void)snprintf(path, sizeof path, "%s.bloom", name);
	file = vector_file(path);
	exact = blob_copy(file);
	blob_free(&file);
	return exact;
}

static void find_key(void *context, const unsigned char *key, size_t key_bytes)
{
	const bloom_view *view = context;

	assert_true(bloom_view_test(view, bloom_digest_of(key, key_bytes, view->seed)));
}

static void blobs_of_another_writer_are_read(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof vectors / sizeof *vectors; i++) {
		test_blob blob = vector_blob(vectors[i]);
		bloom_head head;
		bloom_view view;

		assert_ok(blob_accept(blob));
		assert_ok(blob_parse(blob, &head));
		view = bloom_view_of(&head.geometry, blob.bytes + head.head_bytes);
		each_vector_key(vectors[i], find_key, &view);
		blob_free(&blob);
	}
}

static void add_key(void *context, const unsigned char *key, size_t key_bytes)
{
	(void)bloom_builder_add(context, key, key_bytes);
}

/* Creates a builder with exactly the given geometry. */
static bloom_builder builder_like(const bloom_geometry *geometry, const bloom_meta *meta)
{
	double shard_bits = geometry->shard_bytes * 8.0;
	bloom_params params = {.capacity_keys = meta->capacity_keys,
		.rate = 0.01,
		.shard_bytes = geometry->shard_bytes,
		.block_bytes = geometry->block_bytes,
		.probes = geometry->probes,
		.bits_per_key = ((double)geometry->shards - 0.5) * shard_bits /
			(double)meta->capacity_keys};
	bloom_builder builder = {0};

	if (params.bits_per_key > 1024) {
		/* bits_per_key must not exceed 1,024. For such a small filter, sizing by capacity
		 * and rate also gives one shard. */
		params.bits_per_key = 0;
		params.rate = 0.4;
	}
	assert_ok(bloom_builder_init(&params, geometry->seed, meta->chunk_bytes, &builder, &error));
	assert_int_equal(geometry->shards, builder.geometry.shards);
	assert_int_equal(geometry->probes, builder.geometry.probes);
	builder.meta.target_rate = meta->target_rate;
	builder.meta.source_bytes = meta->source_bytes;
	memcpy(builder.meta.source, meta->source, sizeof meta->source);
	return builder;
}

static void the_builder_writes_the_same_bytes_as_another_writer(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof vectors / sizeof *vectors; i++) {
		test_blob blob = vector_blob(vectors[i]);
		bloom_builder builder;
		bloom_head head;

		assert_ok(blob_parse(blob, &head));
		builder = builder_like(&head.geometry, &head.meta);
		each_vector_key(vectors[i], add_key, &builder);
		assert_ok(bloom_builder_finish(&builder, head.meta.built_ms, 1, &error));
		assert_int_equal(blob.count, builder.image_bytes);
		assert_memory_equal(blob.bytes, builder.image, blob.count);
		bloom_builder_free(&builder);
		blob_free(&blob);
	}
}

static void check_large_vector(void *context, char *line)
{
	unsigned long long shards, seed, capacity, rate, built_ms, keys, bytes, i;
	bloom_geometry geometry = {0};
	bloom_meta meta = {0};
	bloom_builder builder;
	char hex[64], text[32];

	(void)context;
	assert_int_equal(12,
		sscanf(line, "%llu %u %u %u %llx %u %llu %llu %llu %llu %llu %63s", &shards,
			&geometry.shard_bytes, &geometry.block_bytes, &geometry.probes, &seed,
			&meta.chunk_bytes, &capacity, &rate, &built_ms, &keys, &bytes, hex));
	geometry.shards = shards;
	geometry.seed = seed;
	meta.capacity_keys = capacity;
	meta.target_rate = (double)rate / BLOOM_RATE_UNIT;
	builder = builder_like(&geometry, &meta);
	for (i = 0; i < keys; i++) {
		(void)bloom_builder_add(&builder, (const unsigned char *)text,
			(size_t)snprintf(text, sizeof text, "%llu", i));
	}
	assert_builds(&builder, built_ms, bytes, hex);
}

static void larger_blobs_have_the_same_digest_as_another_writer_s(void **state)
{
	(void)state;
	assert_int_equal(3, each_vector_line("large.txt", check_large_vector, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: byte-order */
		TEST("blobs of another implementation are read, and their keys are found",
			blobs_of_another_writer_are_read),
		/* fault: byte-order */
		TEST("the builder writes the same bytes as another implementation",
			the_builder_writes_the_same_bytes_as_another_writer),
		TEST("larger blobs have the same digest as those of another implementation",
			larger_blobs_have_the_same_digest_as_another_writer_s),
	};

	return cmocka_run_group_tests_name("interop", tests, NULL, NULL);
}

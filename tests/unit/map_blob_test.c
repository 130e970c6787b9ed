/* Blobs of maps: the values, the answers for absent keys and the bytes equal those of an
 * independent writer. */
#include "support.h"

#include "build/builder.h"
#include "filter/blob.h"
#include "filter/value_map.h"

static const char *const vectors[] = {"map-empty", "map-bit", "map-spill", "map-20", "map-33",
	"map-64", "map-unchecked", "map-rate-1", "map-checks", "map-widest"};

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

/* `answer` is a number in decimal, or "none". */
typedef void (*line_visit)(
	void *context, const unsigned char *key, size_t key_bytes, const char *answer);

static int each_line(const char *name, const char *suffix, line_visit visit, void *context)
{
	test_blob file = vector_of(name, suffix);
	unsigned char key[1024];
	char *line, *rest = NULL, *tab;
	int lines = 0;

	for (line = strtok_r((char *)file.bytes, "\n", &rest); line != NULL;
		line = strtok_r(NULL, "\n", &rest), lines++) {
		tab = strchr(line, '\t');
		assert_non_null(tab);
		*tab = '\0';
		visit(context, key, unhex(line, key, sizeof key), tab + 1);
	}
	blob_free(&file);
	return lines;
}

/* The bits of a value, which has a sign if it has 64 bits. */
static uint64_t value_of(const char *decimal)
{
	return (uint64_t)strtoll(decimal, NULL, 10);
}

static void check_answer(
	void *context, const unsigned char *key, size_t key_bytes, const char *answer)
{
	const bloom_value_map *map = context;
	bloom_digest digest = bloom_digest_of(key, key_bytes, map->ribbon.seed);
	bool is_none = strcmp(answer, "none") == 0;
	uint64_t value[3] = {0};

	assert_int_equal(!is_none, bloom_value_map_get(map, digest, &value[0]));
	assert_int_equal(!is_none, bloom_value_map_get_plain(map, digest, &value[1]));
	assert_int_equal(!is_none, bloom_value_map_get_many(map, &digest, 1, &value[2]));
	if (!is_none) {
		assert_int_equal(value_of(answer), value[0]);
		assert_int_equal(value_of(answer), value[1]);
		assert_int_equal(value_of(answer), value[2]);
	}
}

static void maps_of_another_writer_are_read(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof vectors / sizeof *vectors; i++) {
		test_blob blob;
		bloom_head head = open_vector(vectors[i], &blob);
		bloom_value_map map =
			bloom_value_map_of(&head.geometry, blob.bytes + head.head_bytes);

		assert_in_range(each_line(vectors[i], "values", check_answer, &map), head.keys,
			head.keys + 2);
		assert_int_equal(100, each_line(vectors[i], "answers", check_answer, &map));
		blob_free(&blob);
	}
}

/* Creates a builder with the geometry and the meta data of a head. */
static bloom_builder builder_like(const bloom_head *head)
{
	const bloom_params params = {0};
	bloom_builder builder = {0};

	assert_ok(bloom_builder_init_like(
		head, &params, head->geometry.seed, head->meta.chunk_bytes, &builder, &error));
	builder.meta.source_bytes = head->meta.source_bytes;
	memcpy(builder.meta.source, head->meta.source, sizeof head->meta.source);
	return builder;
}

static void set_value(void *context, const unsigned char *key, size_t key_bytes, const char *answer)
{
	bloom_builder_set(context, key, key_bytes, value_of(answer));
}

static void the_builder_writes_the_same_bytes_as_another_writer(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof vectors / sizeof *vectors; i++) {
		test_blob blob;
		bloom_head head = open_vector(vectors[i], &blob);
		bloom_builder builder = builder_like(&head);

		(void)each_line(vectors[i], "values", set_value, &builder);
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
	bloom_head head = {0};
	bloom_geometry *geometry = &head.geometry;
	bloom_builder builder;
	char hex[64], text[32];

	(void)context;
	assert_int_equal(12,
		sscanf(line, "%llu %u %u %u %llx %u %llu %llu %llu %llu %llu %63s", &shards,
			&geometry->shard_bytes, &geometry->stripes, &geometry->value_bits, &seed,
			&head.meta.chunk_bytes, &capacity, &rate, &built_ms, &keys, &bytes, hex));
	geometry->shards = shards;
	geometry->block_bytes = geometry->shard_bytes;
	geometry->probes =
		(geometry->shard_bytes / 8 - (geometry->stripes + 63) / 64) / geometry->stripes -
		geometry->value_bits;
	geometry->seed = seed;
	head.meta.capacity_keys = capacity;
	head.meta.target_rate = (double)rate / BLOOM_RATE_UNIT;
	builder = builder_like(&head);
	for (i = keys; i-- > 0;) {
		bloom_builder_set(&builder, (const unsigned char *)text,
			(size_t)snprintf(text, sizeof text, "%llu", i),
			i * UINT64_C(0x9E3779B97F4A7C15) >> (64 - geometry->value_bits));
	}
	assert_builds(&builder, built_ms, bytes, hex);
}

static void larger_maps_have_the_same_digest_as_another_writer_s(void **state)
{
	(void)state;
	assert_int_equal(2, each_vector_line("map-large.txt", check_large_vector, NULL));
}

static void a_last_shard_that_bumps_keys_of_its_third_level_is_refused(void **state)
{
	static const char *const names[] = {"map-20", "map-33"}; /* one shard, several shards */
	unsigned value;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof names / sizeof *names; i++) {
		for (value = 1; value <= 3; value++) {
			test_blob blob;
			bloom_head head = open_vector(names[i], &blob);
			uint64_t last = head.geometry.shards - 1;
			uint32_t bucket = head.geometry.stripes / 2 - 1;
			unsigned char *byte = blob.bytes + head.head_bytes +
				last * head.geometry.shard_bytes + bucket / 4;

			*byte |= (unsigned char)(value << bucket % 4 * 2);
			mend_shard(blob, last);
			assert_ok(blob_parse(blob, &head));
			assert_status(BLOOM_E_MAP_SPILL,
				bloom_body_verify(&head, blob.bytes + head.head_bytes, 0,
					head.geometry.shards, &error));
			blob_free(&blob);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("maps of another implementation are read, and give the same values",
			maps_of_another_writer_are_read),
		TEST("the builder writes the same maps as another implementation, byte for byte",
			the_builder_writes_the_same_bytes_as_another_writer),
		TEST("larger maps have the same digest as those of another implementation",
			larger_maps_have_the_same_digest_as_another_writer_s),
		/* fault: map-forged */
		TEST("a map whose last shard bumps keys of its third level is refused",
			a_last_shard_that_bumps_keys_of_its_third_level_is_refused),
	};

	return cmocka_run_group_tests_name("map_blob", tests, NULL, NULL);
}

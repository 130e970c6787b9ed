/* Unions of builders, and builders that start with existing bits. The results are
 * compared with builders of exact sets of keys. */
#include "support.h"

/* Pairs of filters to combine: small blocks and whole shards, many probes, blocks of 8 bytes,
 * and a reverse index of two levels. */
static const bloom_params combined[] = {
	{.capacity_keys = 4000, .rate = 0.01},
	{.capacity_keys = 4000, .rate = 0.001, .shard_bytes = 1024, .block_bytes = 1024},
	{.capacity_keys = 400, .rate = 1e-8},
	{.capacity_keys = 4000, .rate = 0.5, .block_bytes = 8, .probes = 3, .bits_per_key = 12},
	{.capacity_keys = 2500, .rate = 0.01, .groups = 300, .fan_out = 64},
};

enum { COMBINED = sizeof combined / sizeof *combined, POOL = 4000 };

/* Each key of a pool belongs to any of three sets, which are bits 0, 1 and 2. */
typedef struct pool {
	const bloom_params *params;
	uint64_t seed;
	uint64_t keys;
	unsigned char sets[POOL];
} pool;

static pool draw_pool(const bloom_params *params, uint64_t *random)
{
	pool drawn = {.params = params, .seed = random_next(random), .keys = params->capacity_keys};
	uint64_t i;

	for (i = 0; i < drawn.keys; i++) {
		drawn.sets[i] = (unsigned char)random_below(random, 8);
	}
	return drawn;
}

static void pool_add(bloom_builder *builder, uint64_t i)
{
	char text[KEY_TEXT_BYTES];
	size_t count = key_text("pool", i, text);

	if (builder->geometry.groups != 0) {
		(void)bloom_builder_add_to_group(
			builder, i % builder->geometry.groups, (const unsigned char *)text, count);
	} else {
		(void)bloom_builder_add(builder, (const unsigned char *)text, count);
	}
}

/* A builder of all keys that are in one of `sets`. */
static bloom_builder build_sets(const pool *keys, unsigned sets)
{
	bloom_builder builder = {0};
	uint64_t i;

	assert_ok(bloom_builder_init(keys->params, keys->seed, 65536, &builder, &error));
	for (i = 0; i < keys->keys; i++) {
		if ((keys->sets[i] & sets) != 0) {
			pool_add(&builder, i);
		}
	}
	return builder;
}

/* Combines the builder with the finished image of the other builder. */
static bloom_status try_merge(bloom_builder *one, bloom_builder *other)
{
	bloom_head head;

	assert_ok(bloom_builder_finish(other, 0, 1, &error));
	assert_ok(bloom_blob_parse(other->image, other->image_bytes, &head, &error));
	return bloom_builder_merge(one, &head, other->image + head.head_bytes, &error);
}

static void merge(bloom_builder *one, bloom_builder *other)
{
	assert_ok(try_merge(one, other));
}

static void assert_same_bits(const bloom_builder *one, const bloom_builder *other)
{
	assert_memory_equal(one->bits, other->bits, bloom_geometry_bytes(&one->geometry));
}

/* Each shard's key count lies between the bounds that follow from the two filters, and the
 * counts add up. The image is a blob that every reader accepts. `before` holds the first
 * builder's key counts per shard before it was merged. */
static void assert_counts(
	bloom_builder *builder, const uint32_t *before, const bloom_builder *other)
{
	uint64_t shard, sum = 0;
	bloom_head head;

	for (shard = 0; shard < builder->geometry.shards; shard++) {
		uint32_t mine = before[shard], theirs = other->shard_keys[shard];
		uint32_t larger = mine > theirs ? mine : theirs;

		assert_in_range(builder->shard_keys[shard], larger, mine + theirs);
		sum += builder->shard_keys[shard];
	}
	assert_int_equal(sum, builder->keys);
	assert_ok(bloom_builder_finish(builder, 0, 1, &error));
	assert_ok(bloom_blob_parse(builder->image, builder->image_bytes, &head, &error));
	assert_ok(bloom_body_verify(
		&head, builder->image + head.head_bytes, 0, head.geometry.shards, &error));
	assert_int_equal(builder->keys, head.keys);
}

static uint32_t *copy_counts(const bloom_builder *builder)
{
	size_t bytes = (size_t)builder->geometry.shards * sizeof *builder->shard_keys;
	uint32_t *copy = malloc(bytes);

	assert_non_null(copy);
	memcpy(copy, builder->shard_keys, bytes);
	return copy;
}

static void a_union_is_what_one_builder_of_all_keys_is(void **state)
{
	uint64_t random = test_seed("unions");
	int i;

	(void)state;
	for (i = 0; i < 4 * COMBINED; i++) {
		pool keys = draw_pool(&combined[i % COMBINED], &random);
		bloom_builder one = build_sets(&keys, 1), other = build_sets(&keys, 2);
		bloom_builder both = build_sets(&keys, 3);
		uint32_t *before = copy_counts(&one);

		merge(&one, &other);
		assert_same_bits(&both, &one);
		assert_counts(&one, before, &other);
		assert_ok(bloom_builder_finish(&both, 0, 1, &error));
		assert_true(one.meta.measured_rate == both.meta.measured_rate);
		free(before);
		bloom_builder_free(&one);
		bloom_builder_free(&other);
		bloom_builder_free(&both);
	}
}

/* Merging is associative and idempotent. */
static void merging_keeps_the_laws_of_sets(void **state)
{
	uint64_t random = test_seed("laws");
	int i;

	(void)state;
	for (i = 0; i < 2 * COMBINED; i++) {
		pool keys = draw_pool(&combined[i / 2], &random);
		bloom_builder left = build_sets(&keys, 1), right = build_sets(&keys, 4);
		bloom_builder first = build_sets(&keys, 2), second = build_sets(&keys, 2);
		bloom_builder third = build_sets(&keys, 4);

		merge(&left, &first); /* (1 and 2) and 3 */
		merge(&left, &third);
		merge(&right, &second); /* (3 and 2) and 1 and 1 again */
		bloom_builder_free(&first);
		first = build_sets(&keys, 1);
		merge(&right, &first);
		merge(&right, &first);
		assert_same_bits(&left, &right);
		bloom_builder_free(&left);
		bloom_builder_free(&right);
		bloom_builder_free(&first);
		bloom_builder_free(&second);
		bloom_builder_free(&third);
	}
}

static void combining_in_either_order_gives_the_same(void **state)
{
	uint64_t random = test_seed("order");
	int i;

	(void)state;
	for (i = 0; i < 2 * COMBINED; i++) {
		pool keys = draw_pool(&combined[i / 2], &random);
		bloom_builder one = build_sets(&keys, 1), second = build_sets(&keys, 2);
		bloom_builder first = build_sets(&keys, 1), other = build_sets(&keys, 2);

		merge(&one, &second);
		merge(&other, &first);
		assert_same_bits(&one, &other);
		assert_int_equal(one.keys, other.keys);
		bloom_builder_free(&one);
		bloom_builder_free(&second);
		bloom_builder_free(&first);
		bloom_builder_free(&other);
	}
}

static void a_builder_can_start_with_bits_that_are_there(void **state)
{
	uint64_t random = test_seed("start"), key;
	int i;

	(void)state;
	for (i = 0; i < COMBINED; i++) {
		pool keys = draw_pool(&combined[i], &random);
		bloom_builder one = build_sets(&keys, 1), both = build_sets(&keys, 3);
		bloom_builder started = {0}, empty = {0};

		assert_ok(
			bloom_builder_start(&one.geometry, &one.meta, one.bits, &started, &error));
		assert_same_bits(&one, &started);
		assert_int_equal(one.meta.capacity_keys, started.meta.capacity_keys);
		assert_true(started.keys > 0);
		/* The bits were copied, so new keys go to the copy alone. */
		for (key = 0; key < keys.keys; key++) {
			if ((keys.sets[key] & 2) != 0) {
				pool_add(&started, key);
			}
		}
		assert_same_bits(&both, &started);
		assert_memory_not_equal(
			one.bits, started.bits, bloom_geometry_bytes(&one.geometry));
		assert_ok(bloom_builder_finish(&started, 0, 1, &error));
		/* A builder can also start without bits, and then be united with any filter. */
		assert_ok(bloom_builder_start(&one.geometry, &one.meta, NULL, &empty, &error));
		assert_int_equal(0, empty.keys);
		merge(&empty, &both);
		assert_same_bits(&both, &empty);
		assert_int_equal(both.keys, empty.keys);
		bloom_builder_free(&one);
		bloom_builder_free(&both);
		bloom_builder_free(&started);
		bloom_builder_free(&empty);
	}
}

static void a_builder_cannot_start_with_chunks_that_do_not_fit(void **state)
{
	static const uint32_t refused[] = {0, 1, 4096, 8191, 12288, (1u << 30) + 8192, UINT32_MAX};
	bloom_geometry geometry = {
		.shards = 4, .shard_bytes = 8192, .block_bytes = 64, .probes = 4};
	bloom_meta meta = {.capacity_keys = 1};
	bloom_builder builder = {0};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof refused / sizeof *refused; i++) {
		meta.chunk_bytes = refused[i];
		assert_status(BLOOM_E_CHUNK_BYTES,
			bloom_builder_start(&geometry, &meta, NULL, &builder, &error));
		assert_null(builder.image);
	}
	meta.chunk_bytes = 8192;
	assert_ok(bloom_builder_start(&geometry, &meta, NULL, &builder, &error));
	bloom_builder_free(&builder);
}

#define PLAIN .seed = 7, .shards = 4, .shard_bytes = 2048, .block_bytes = 64, .probes = 4
#define TREE .seed = 7, .shards = 4, .shard_bytes = 8192, .block_bytes = 8192, .probes = 4

/* If filters differ in several parameters, the error names the first one in the order of this
 * table. */
static const struct {
	bloom_geometry one, other;
	const char *said;
} different[] = {
	{{PLAIN}, {.seed = 7, .shards = 5, .shard_bytes = 1024, .block_bytes = 64, .probes = 4},
		"shards differ: 4 and 5"},
	{{PLAIN}, {.seed = 7, .shards = 4, .shard_bytes = 4096, .block_bytes = 32, .probes = 4},
		"shard bytes differ: 2048 and 4096"},
	{{PLAIN}, {.seed = 7, .shards = 4, .shard_bytes = 2048, .block_bytes = 128, .probes = 5},
		"block bytes differ: 64 and 128"},
	{{PLAIN}, {.seed = 8, .shards = 4, .shard_bytes = 2048, .block_bytes = 64, .probes = 5},
		"probes differ: 4 and 5"},
	{{TREE}, {TREE, .groups = 300, .fan_out = 64}, "groups differ: 0 and 300"},
	{{TREE, .groups = 300, .fan_out = 64}, {TREE, .groups = 301, .fan_out = 128},
		"groups differ: 300 and 301"},
	{{TREE, .groups = 300, .fan_out = 64}, {TREE, .groups = 300, .fan_out = 128},
		"fan-outs differ: 64 and 128"},
	{{PLAIN},
		{.seed = UINT64_MAX,
			.shards = 4,
			.shard_bytes = 2048,
			.block_bytes = 64,
			.probes = 4},
		"seeds differ: 7 and 18446744073709551615"},
};

static bloom_builder start_with_a_key(const bloom_geometry *geometry)
{
	bloom_meta meta = {.capacity_keys = 1000, .chunk_bytes = 65536};
	bloom_builder builder = {0};

	assert_ok(bloom_geometry_check(geometry));
	assert_ok(bloom_builder_start(geometry, &meta, NULL, &builder, &error));
	pool_add(&builder, 1);
	return builder;
}

static void filters_that_differ_are_not_combined_and_the_difference_is_named(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < 2 * (sizeof different / sizeof *different); i++) {
		bloom_builder one = start_with_a_key(&different[i / 2].one);
		bloom_builder same = start_with_a_key(&different[i / 2].one);
		bloom_builder other = start_with_a_key(&different[i / 2].other);

		pool_add(&other, 2);
		assert_status(BLOOM_E_DIFFERENT, try_merge(&one, &other));
		assert_string_equal(different[i / 2].said, error.subject);
		/* The refused combination changed nothing. */
		assert_same_bits(&same, &one);
		assert_int_equal(same.keys, one.keys);
		/* Filters with equal parameters can be combined. */
		merge(&one, &same);
		assert_same_bits(&same, &one);
		bloom_builder_free(&one);
		bloom_builder_free(&same);
		bloom_builder_free(&other);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a union equals a single builder of all keys, bit for bit",
			a_union_is_what_one_builder_of_all_keys_is),
		TEST("merging obeys the laws of sets", merging_keeps_the_laws_of_sets),
		TEST("merging two filters in either order gives the same result",
			combining_in_either_order_gives_the_same),
		TEST("a builder can start with existing bits, or with none",
			a_builder_can_start_with_bits_that_are_there),
		TEST("a builder cannot start with an invalid chunk size",
			a_builder_cannot_start_with_chunks_that_do_not_fit),
		/* fault: other-geometry */
		TEST("filters with different parameters are not combined, and the error names the "
		     "difference",
			filters_that_differ_are_not_combined_and_the_difference_is_named),
	};

	return cmocka_run_group_tests_name("union", tests, NULL, NULL);
}

/* Tests of the builder: no added key is lost, whatever the key's bytes and the filter's size. */
#include "support.h"

#include <math.h>

static bloom_builder builder_for(uint64_t keys, double rate, uint64_t seed)
{
	bloom_params params = {.capacity_keys = keys, .rate = rate};
	bloom_builder builder = {0};

	assert_ok(bloom_builder_init(&params, seed, 0, &builder, &error));
	return builder;
}

/* ---- no false negative ---- */

/* Draws random keys of random lengths and adds about half of them. Every added key must be found in
 * the blob. */
static void differential_round(uint64_t *random, const bloom_params *params)
{
	enum { KEYS = 4000, KEY_BYTES_MAX = 24 };
	static unsigned char keys[KEYS][KEY_BYTES_MAX];
	static size_t key_bytes[KEYS];
	static bool added[KEYS];
	bloom_builder builder = {0};
	bloom_head head;
	bloom_view view;
	int i, j, maybe = 0, absent = 0;

	assert_ok(bloom_builder_init(params, random_next(random), 0, &builder, &error));
	for (i = 0; i < KEYS; i++) {
		key_bytes[i] = 8 + random_below(random, KEY_BYTES_MAX - 8 + 1);
		for (j = 0; j < KEY_BYTES_MAX; j++) {
			keys[i][j] = (unsigned char)random_next(random);
		}
		added[i] = random_below(random, 2) == 0;
		if (added[i]) {
			(void)bloom_builder_add(&builder, keys[i], key_bytes[i]);
			assert_true(builder_has(&builder, keys[i], key_bytes[i]));
		}
	}
	assert_ok(bloom_builder_finish(&builder, 0, 1, &error));
	/* Look up the keys in the finished image, as a reader does. */
	assert_ok(bloom_blob_parse(builder.image, builder.image_bytes, &head, &error));
	assert_ok(bloom_body_verify(
		&head, builder.image + head.head_bytes, 0, head.geometry.shards, &error));
	view = bloom_view_of(&head.geometry, builder.image + head.head_bytes);
	for (i = 0; i < KEYS; i++) {
		bool found = bloom_view_test(
			&view, bloom_digest_of(keys[i], key_bytes[i], head.geometry.seed));

		assert_true(found || !added[i]);
		absent += !added[i];
		maybe += found && !added[i];
	}
	/* The share of absent keys that are answered "maybe" is at most 4 sigma above the measured
	 * rate of these bits. */
	assert_true(maybe <= absent * builder.meta.measured_rate +
			4 * sqrt(absent * builder.meta.measured_rate) + 1);
	bloom_builder_free(&builder);
}

static void a_key_that_was_added_is_always_found(void **state)
{
	uint64_t random = test_seed("a key that was added is always found");
	int round;

	(void)state;
	for (round = 0; round < 150; round++) {
		bloom_params params = {.capacity_keys = 300 + random_below(&random, 4000),
			.rate = pow(10, -0.5 - (double)random_below(&random, 40) / 10),
			.shard_bytes = 1024u << random_below(&random, 7)};

		params.block_bytes = 8u << random_below(&random,
					     1 + (uint64_t)__builtin_ctz(params.shard_bytes / 8));
		params.probes =
			random_below(&random, 2) ? 0 : 1 + (uint32_t)random_below(&random, 20);
		params.bits_per_key =
			random_below(&random, 2) ? 0 : 12 + (double)random_below(&random, 30);
		if (params.bits_per_key == 0) {
			params.probes = 0; /* a low rate with few probes would need gigabytes */
			params.block_bytes = params.block_bytes < 64 ? 64 : params.block_bytes;
		} else {
			params.rate = 0.5;
			params.capacity_keys += 2000;
		}
		differential_round(&random, &params);
	}
}

static void nothing_is_found_in_an_empty_filter(void **state)
{
	bloom_builder builder = builder_for(1000, 0.01, 5);
	char text[KEY_TEXT_BYTES];
	uint64_t i;
	size_t count;

	(void)state;
	assert_ok(bloom_builder_finish(&builder, 0, 0, &error));
	for (i = 0; i < 1000; i++) {
		count = key_text("nobody", i, text);
		assert_false(builder_has(&builder, text, count));
	}
	assert_true(builder.meta.measured_rate == 0);
	bloom_builder_free(&builder);
}

static void keys_may_hold_any_bytes(void **state)
{
	static const struct {
		const char *bytes;
		size_t count;
	} keys[] = {{"", 0}, {"\0", 1}, {"\0\0", 2}, {"a\0b", 3}, {"a\0c", 3}, {"\xff", 1},
		{"\xff\xfe\xfd\xfc", 4}, {"\n", 1}, {"\r\n", 2}, {"\xc3\xa9", 2}};
	bloom_builder builder = builder_for(1000, 1e-9, 5);
	size_t i, j;

	(void)state;
	for (i = 0; i < sizeof keys / sizeof *keys; i++) {
		for (j = 0; j < sizeof keys / sizeof *keys; j++) {
			assert_int_equal(
				j < i, builder_has(&builder, keys[j].bytes, keys[j].count));
		}
		assert_true(bloom_builder_add(
			&builder, (const unsigned char *)keys[i].bytes, keys[i].count));
	}
	assert_false(bloom_builder_add(&builder, NULL, 0));
	bloom_builder_free(&builder);
}

/* ---- counts ---- */

static void only_new_keys_are_counted(void **state)
{
	bloom_builder builder = builder_for(1000, 1e-6, 9);
	uint64_t i, shard, sum = 0;

	(void)state;
	for (i = 0; i < 1000; i++) {
		assert_true(builder_add_key(&builder, "counted", i));
	}
	for (i = 0; i < 1000; i++) {
		assert_false(builder_add_key(&builder, "counted", i));
	}
	assert_int_equal(1000, builder.keys);
	assert_int_equal(2000, builder.added);
	for (shard = 0; shard < builder.geometry.shards; shard++) {
		sum += builder.shard_keys[shard];
	}
	assert_int_equal(1000, sum);
	bloom_builder_free(&builder);
}

static void the_same_keys_and_seed_give_the_same_bytes(void **state)
{
	bloom_params params = {.capacity_keys = 5000, .rate = 0.01};
	test_blob one = blob_of(&params, 3, 5000, "same", NULL);
	test_blob two = blob_of(&params, 3, 5000, "same", NULL);
	test_blob other = blob_of(&params, 4, 5000, "same", NULL);

	(void)state;
	assert_int_equal(one.count, two.count);
	assert_memory_equal(one.bytes, two.bytes, one.count);
	assert_memory_not_equal(one.bytes + 4096, other.bytes + 4096, one.count - 4096);
	blob_free(&one);
	blob_free(&two);
	blob_free(&other);
}

static void a_new_key_changes_one_chunk(void **state)
{
	bloom_params params = {.capacity_keys = 200000, .rate = 0.01};
	bloom_builder one = {0}, two = {0};
	bloom_head before, after;
	uint64_t i, chunk, changed = 0;

	(void)state;
	assert_ok(bloom_builder_init(&params, 3, 8192, &one, &error));
	assert_ok(bloom_builder_init(&params, 3, 8192, &two, &error));
	for (i = 0; i < 150000; i++) {
		(void)builder_add_key(&one, "kept", i);
		(void)builder_add_key(&two, "kept", i);
	}
	for (i = 0; !builder_add_key(&two, "new", i); i++) {
	}
	assert_ok(bloom_builder_finish(&one, 1, 1, &error));
	assert_ok(bloom_builder_finish(&two, 2, 1, &error));
	assert_ok(bloom_blob_parse(one.image, one.image_bytes, &before, &error));
	assert_ok(bloom_blob_parse(two.image, two.image_bytes, &after, &error));
	for (chunk = 0; chunk < before.chunks; chunk++) {
		changed += memcmp(bloom_head_chunk(&before, chunk), bloom_head_chunk(&after, chunk),
				   16) != 0;
	}
	assert_int_equal(1, changed);
	bloom_builder_free(&one);
	bloom_builder_free(&two);
}

/* ---- finishing ---- */

static void too_many_keys_are_refused_at_the_end_and_more_room_accepted(void **state)
{
	bloom_builder builder = builder_for(1000, 0.01, 1);
	bloom_head head;
	uint64_t i;

	(void)state;
	for (i = 0; i < 3000; i++) {
		(void)builder_add_key(&builder, "many", i);
	}
	assert_status(BLOOM_E_OVER_RATE, bloom_builder_finish(&builder, 0, 0.012, &error));
	assert_non_null(strstr(error.subject, "limit 1.2 %"));
	/* The builder is unchanged: it accepts more keys and can finish with a higher limit. */
	assert_true(builder.meta.measured_rate > 0.05);
	for (i = 0; i < 10; i++) {
		(void)builder_add_key(&builder, "more", i);
	}
	assert_ok(bloom_builder_finish(&builder, 7, 0.5, &error));
	assert_ok(bloom_blob_parse(builder.image, builder.image_bytes, &head, &error));
	assert_int_equal(7, head.meta.built_ms);
	assert_int_equal(builder.keys, head.keys);
	assert_true(fabs(head.meta.measured_rate - builder.meta.measured_rate) < 1e-14);
	bloom_builder_free(&builder);
}

static void a_saturated_filter_is_refused_whatever_the_limit(void **state)
{
	bloom_builder builder = builder_for(100, 0.01, 1);
	uint64_t i;

	(void)state;
	for (i = 0; i < 30000; i++) {
		(void)builder_add_key(&builder, "flood", i);
	}
	assert_status(BLOOM_E_SATURATED, bloom_builder_finish(&builder, 0, 1, &error));
	bloom_builder_free(&builder);
}

static void what_cannot_be_built_is_refused_before_memory_is_taken(void **state)
{
	bloom_params params = {.capacity_keys = 1000, .rate = 0.01, .shard_bytes = 8192};
	bloom_builder builder = {0};

	(void)state;
	assert_status(BLOOM_E_CHUNK_BYTES, bloom_builder_init(&params, 0, 4096, &builder, &error));
	assert_status(BLOOM_E_CHUNK_BYTES, bloom_builder_init(&params, 0, 12288, &builder, &error));
	assert_status(BLOOM_E_CHUNK_BYTES,
		bloom_builder_init(&params, 0, (1u << 30) + 8192, &builder, &error));
	params.capacity_keys = 0;
	assert_status(BLOOM_E_CAPACITY, bloom_builder_init(&params, 0, 0, &builder, &error));
	assert_null(builder.image);
	bloom_builder_free(&builder); /* a zeroed builder may be freed */
	params.capacity_keys = 1000;
	assert_ok(bloom_builder_init(&params, 0, 1u << 30, &builder, &error));
	bloom_builder_free(&builder);
	bloom_builder_free(&builder);
}

/* ---- size ---- */

/* 600 MB are 4.8·10^9 bits, so a 32-bit index of bits would wrap around. Only a few keys are added,
 * so few pages of the filter are touched. */
static void a_filter_beyond_2_to_the_32_bits_works(void **state)
{
	enum { KEYS = 100000 };
	bloom_params params = {.capacity_keys = 4700000,
		.rate = 0.5,
		.bits_per_key = 1024,
		.shard_bytes = 65536,
		.block_bytes = 64};
	bloom_builder builder = {0};
	char text[KEY_TEXT_BYTES];
	uint64_t i, beyond = 0, maybe = 0, block, bit;
	bloom_digest digest;
	bloom_head head;
	size_t count;

	(void)state;
	assert_ok(bloom_builder_init(&params, 77, 1u << 20, &builder, &error));
	assert_true(bloom_geometry_bytes(&builder.geometry) > UINT64_C(600000000));
	for (i = 0; i < KEYS; i++) {
		assert_true(builder_add_key(&builder, "large", i));
		count = key_text("large", i, text);
		digest = bloom_digest_of((const unsigned char *)text, count, 77);
		block = bloom_fast_range(digest, builder.view.blocks);
		beyond += block * 64 >= UINT64_C(1) << 29;
		bit = bloom_digest_probes(digest) & 511;
		assert_true(builder.bits[block * 64 + bit / 8] >> (bit & 7) & 1);
	}
	/* 2^29 bytes are 89.2 % of the filter. */
	assert_in_range(beyond, KEYS / 10, KEYS / 8);
	assert_ok(bloom_builder_finish(&builder, 0, 1, &error));
	assert_ok(bloom_blob_parse(builder.image, builder.image_bytes, &head, &error));
	assert_int_equal(KEYS, head.keys);
	assert_ok(bloom_body_verify(
		&head, builder.image + head.head_bytes, head.geometry.shards - 100, 100, &error));
	for (i = 0; i < KEYS; i++) {
		count = key_text("large", i, text);
		assert_true(builder_has(&builder, text, count));
		count = key_text("absent", i, text);
		maybe += builder_has(&builder, text, count);
	}
	assert_true(maybe < 5);
	bloom_builder_free(&builder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a key that was added is always found", a_key_that_was_added_is_always_found),
		TEST("nothing is found in an empty filter", nothing_is_found_in_an_empty_filter),
		/* fault: odd-keys */
		TEST("keys may contain any bytes, or none", keys_may_hold_any_bytes),
		TEST("only new keys are counted", only_new_keys_are_counted),
		TEST("the same keys and seed give the same bytes",
			the_same_keys_and_seed_give_the_same_bytes),
		TEST("a new key changes exactly one chunk", a_new_key_changes_one_chunk),
		TEST("finishing a builder with too many keys is refused and leaves the builder "
		     "unchanged",
			too_many_keys_are_refused_at_the_end_and_more_room_accepted),
		/* fault: saturated */
		TEST("a saturated filter is refused even with a rate limit of 100 %",
			a_saturated_filter_is_refused_whatever_the_limit),
		/* fault: huge-size */
		TEST("a filter that cannot be built is refused before any allocation",
			what_cannot_be_built_is_refused_before_memory_is_taken),
		/* fault: over-4-gib */
		TEST("a filter of more than 2^32 bits works",
			a_filter_beyond_2_to_the_32_bits_works),
	};

	return cmocka_run_group_tests_name("builder", tests, NULL, NULL);
}

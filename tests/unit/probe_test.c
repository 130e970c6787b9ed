/* The positions of a key's bits. Adding and testing must agree on them. */
#include "support.h"

#include "filter/probe.h"

typedef struct probe_vector {
	unsigned char key[64];
	size_t key_bytes;
	bloom_geometry geometry;
	uint64_t block;
	uint32_t bits[BLOOM_PROBES_MAX];
} probe_vector;

static void parse_vector(char *line, probe_vector *row)
{
	char key_hex[256], *list;
	unsigned long long seed, shards, block;
	uint32_t i;
	int end = 0;

	assert_int_equal(7,
		sscanf(line, "%255s %llx %llu %u %u %u %llu %n", key_hex, &seed, &shards,
			&row->geometry.shard_bytes, &row->geometry.block_bytes,
			&row->geometry.probes, &block, &end));
	row->geometry.seed = seed;
	row->geometry.shards = shards;
	row->block = block;
	row->key_bytes = unhex(key_hex, row->key, sizeof row->key);
	list = line + end;
	for (i = 0; i < row->geometry.probes; i++) {
		row->bits[i] = (uint32_t)strtoul(list, &list, 10);
		assert_true(*list == (i + 1 < row->geometry.probes ? ',' : 0));
		list++;
	}
}

typedef void (*vector_check)(const probe_vector *row);

static void parse_and_check(void *context, char *line)
{
	const vector_check *check = context;
	probe_vector row = {0};

	parse_vector(line, &row);
	(*check)(&row);
}

static void each_vector(vector_check check)
{
	assert_int_equal(17 * 10, each_vector_line("probes.txt", parse_and_check, &check));
}

/* The block of the vector, in an allocation of exactly its size. The view's base is where block
 * 0 would be, so that the offset of the block is checked, too. */
typedef struct block_room {
	unsigned char *block;
	unsigned char *base;
	bloom_view view;
	bloom_digest digest;
} block_room;

static block_room room_for(const probe_vector *row)
{
	block_room room = {.block = calloc(1, row->geometry.block_bytes)};

	assert_non_null(room.block);
	room.base = (unsigned char *)((uintptr_t)room.block -
		(uintptr_t)(row->block * row->geometry.block_bytes));
	room.view = bloom_view_of(&row->geometry, room.base);
	room.digest = bloom_digest_of(row->key, row->key_bytes, row->geometry.seed);
	return room;
}

static void check_block(const probe_vector *row)
{
	bloom_digest digest = bloom_digest_of(row->key, row->key_bytes, row->geometry.seed);

	assert_ok(bloom_geometry_check(&row->geometry));
	assert_true(row->block == bloom_fast_range(digest, bloom_geometry_blocks(&row->geometry)));
	assert_true(row->block * row->geometry.block_bytes / row->geometry.shard_bytes ==
		bloom_fast_range(digest, row->geometry.shards));
}

static void blocks_match_the_vectors(void **state)
{
	(void)state;
	each_vector(check_block);
}

/* Returns whether the filter is small enough to be allocated completely. */
static bool is_small(const probe_vector *row)
{
	return row->geometry.shards <= 10;
}

static void check_set(const probe_vector *row)
{
	uint64_t bytes = bloom_geometry_bytes(&row->geometry);
	unsigned char *bits, *expected;
	bloom_view view;
	bloom_digest digest;
	uint32_t i;

	if (!is_small(row)) {
		return;
	}
	bits = calloc(1, (size_t)bytes);
	expected = calloc(1, (size_t)bytes);
	assert_true(bits != NULL && expected != NULL);
	for (i = 0; i < row->geometry.probes; i++) {
		expected[row->block * row->geometry.block_bytes + row->bits[i] / 8] |=
			(unsigned char)(1u << (row->bits[i] % 8));
	}
	view = bloom_view_of(&row->geometry, bits);
	digest = bloom_digest_of(row->key, row->key_bytes, row->geometry.seed);
	assert_false(bloom_view_test(&view, digest));
	assert_true(bloom_view_set(&view, bits, digest));
	assert_memory_equal(expected, bits, bytes);
	assert_true(bloom_view_test(&view, digest));
	assert_false(bloom_view_set(&view, bits, digest));
	free(bits);
	free(expected);
}

static void bits_match_the_vectors(void **state)
{
	(void)state;
	each_vector(check_set);
}

static void check_each_bit_counts(const probe_vector *row)
{
	unsigned char *bits;
	bloom_view view;
	bloom_digest digest;
	uint64_t at;
	uint32_t i;

	if (!is_small(row)) {
		return;
	}
	bits = calloc(1, (size_t)bloom_geometry_bytes(&row->geometry));
	assert_non_null(bits);
	view = bloom_view_of(&row->geometry, bits);
	digest = bloom_digest_of(row->key, row->key_bytes, row->geometry.seed);
	bloom_view_set(&view, bits, digest);
	for (i = 0; i < row->geometry.probes; i++) {
		at = row->block * row->geometry.block_bytes + row->bits[i] / 8;
		bits[at] ^= (unsigned char)(1u << (row->bits[i] % 8));
		assert_false(bloom_view_test(&view, digest));
		bits[at] ^= (unsigned char)(1u << (row->bits[i] % 8));
	}
	assert_true(bloom_view_test(&view, digest));
	free(bits);
}

static void every_probe_is_tested(void **state)
{
	(void)state;
	each_vector(check_each_bit_counts);
}

static void check_no_other_byte(const probe_vector *row)
{
	block_room room;

	/* The filter is terabytes in size, but only the key's block is allocated. */
	room = room_for(row);
	assert_false(bloom_view_test(&room.view, room.digest));
	assert_true(bloom_view_set(&room.view, room.base, room.digest));
	assert_true(bloom_view_test(&room.view, room.digest));
	free(room.block);
}

static void only_the_block_is_touched(void **state)
{
	(void)state;
	if (SANITIZED) {
		skip_because("the sanitizer's pointer check refuses the view's base, which is "
			     "deliberately outside of the block");
	}
	each_vector(check_no_other_byte);
}

static void the_last_place_is_the_last_block(void **state)
{
	static const uint64_t blocks[] = {
		1, 2, 3, 16, 999983, UINT64_C(1) << 32, (UINT64_C(1) << 39) - 1, UINT64_C(1) << 39};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		assert_true(bloom_fast_range(0, blocks[i]) == 0);
		assert_true(bloom_fast_range(UINT64_MAX, blocks[i]) == blocks[i] - 1);
	}
}

/* Computes the high half of the product by long multiplication of 16-bit digits. */
static uint64_t high_half_slowly(uint64_t a, uint64_t b)
{
	uint64_t digits[8] = {0};
	uint64_t carry, sum;
	int i, j;

	for (i = 0; i < 4; i++) {
		carry = 0;
		for (j = 0; j < 4; j++) {
			sum = digits[i + j] + (a >> (16 * i) & 65535) * (b >> (16 * j) & 65535) +
				carry;
			digits[i + j] = sum & 65535;
			carry = sum >> 16;
		}
		digits[i + 4] += carry;
	}
	return digits[4] | digits[5] << 16 | digits[6] << 32 | digits[7] << 48;
}

static void the_block_is_the_high_half_of_the_product(void **state)
{
	uint64_t random = test_seed("the block is the high half of the product");
	uint64_t hash, blocks;
	int i;

	(void)state;
	for (i = 0; i < 100000; i++) {
		hash = random_next(&random);
		blocks = random_next(&random) >> (25 + random_below(&random, 38));
		blocks += blocks == 0;
		assert_true(bloom_fast_range(hash, blocks) == high_half_slowly(hash, blocks));
	}
}

static void places_spread_evenly_over_any_number_of_blocks(void **state)
{
	enum { BLOCKS = 37, KEYS = 370000 };
	int keys[BLOCKS] = {0};
	char text[KEY_TEXT_BYTES];
	double square = 0;
	uint64_t i;
	size_t count;

	(void)state;
	for (i = 0; i < KEYS; i++) {
		count = key_text("spread", i, text);
		keys[bloom_fast_range(
			bloom_digest_of((const unsigned char *)text, count, 3), BLOCKS)]++;
	}
	for (i = 0; i < BLOCKS; i++) {
		double off = keys[i] - (double)KEYS / BLOCKS;

		square += off * off / ((double)KEYS / BLOCKS);
	}
	/* Chi-square with 36 degrees of freedom has mean 36 and standard deviation 8.5. The bound
	 * is 4 deviations above the mean. */
	assert_true(square < 36 + 4 * 8.5);
}

/* Adds random keys to filters of random geometry, and compares lookups with a plain list of the
 * added keys. */
static void what_was_added_is_found_in_any_geometry(void **state)
{
	uint64_t random = test_seed("what was added is found in any geometry");
	int round;

	(void)state;
	for (round = 0; round < 200; round++) {
		bloom_geometry geometry = {.seed = random_next(&random),
			.shards = 1 + random_below(&random, 9),
			.shard_bytes = 1024u << random_below(&random, 7),
			.probes = 1 + (uint32_t)random_below(&random, BLOOM_PROBES_MAX)};
		unsigned char *bits, keys[64][40];
		size_t key_bytes[64];
		bloom_view view;
		int i, j;

		geometry.block_bytes = 8u
			<< random_below(
				   &random, 1 + (uint64_t)__builtin_ctz(geometry.shard_bytes / 8));
		assert_ok(bloom_geometry_check(&geometry));
		bits = calloc(1, (size_t)bloom_geometry_bytes(&geometry));
		assert_non_null(bits);
		view = bloom_view_of(&geometry, bits);
		for (i = 0; i < 64; i++) {
			key_bytes[i] = random_below(&random, sizeof keys[i] + 1);
			for (j = 0; j < (int)sizeof keys[i]; j++) {
				keys[i][j] = (unsigned char)random_next(&random);
			}
			bloom_view_set(
				&view, bits, bloom_digest_of(keys[i], key_bytes[i], geometry.seed));
		}
		for (i = 0; i < 64; i++) {
			assert_true(bloom_view_test(
				&view, bloom_digest_of(keys[i], key_bytes[i], geometry.seed)));
		}
		free(bits);
	}
}

/* The result must not depend on the processor's vector instructions. */
static void a_batch_is_told_what_each_of_its_keys_is_told(void **state)
{
	uint64_t random = test_seed("batches"), filters = 0, found = 0;
	bloom_digest digests[BLOOM_BATCH_MAX];
	bloom_geometry geometry = {.shards = 3, .shard_bytes = 1024};
	unsigned char bits[3 * 1024];
	bloom_view view;
	uint32_t count, i;
	uint64_t told;
	size_t byte;

	(void)state;
	for (geometry.block_bytes = 8; geometry.block_bytes <= 1024; geometry.block_bytes *= 2) {
		for (geometry.probes = 1; geometry.probes <= BLOOM_PROBES_MAX; geometry.probes++) {
			geometry.seed = random_next(&random);
			view = bloom_view_of(&geometry, bits);
			for (byte = 0; byte < sizeof bits; byte++) {
				bits[byte] = (unsigned char)(random_next(&random) |
					random_next(&random) | random_next(&random));
			}
			for (count = 0; count <= BLOOM_BATCH_MAX; count++) {
				for (i = 0; i < count; i++) {
					digests[i] = random_next(&random);
				}
				told = bloom_view_test_many(&view, digests, count);
				assert_true(told == bloom_view_test_each(&view, digests, count));
				for (i = 0; i < 64; i++) {
					assert_true((told >> i & 1) ==
						(i < count && bloom_view_test(&view, digests[i])));
				}
				found += told != 0;
			}
			filters++;
		}
	}
	assert_int_equal(8 * BLOOM_PROBES_MAX, filters);
	assert_true(found > 1000);
}

static void an_empty_filter_finds_nothing(void **state)
{
	bloom_geometry geometry = {
		.shards = 2, .shard_bytes = 1024, .block_bytes = 64, .probes = 1};
	unsigned char bits[2048] = {0};
	bloom_view view = bloom_view_of(&geometry, bits);
	char text[KEY_TEXT_BYTES];
	uint64_t i;
	size_t count;

	(void)state;
	for (i = 0; i < 10000; i++) {
		count = key_text("nobody", i, text);
		assert_false(bloom_view_test(
			&view, bloom_digest_of((const unsigned char *)text, count, 0)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a key's block and shard match those of another implementation",
			blocks_match_the_vectors),
		TEST("a key's bits match those of another implementation", bits_match_the_vectors),
		TEST("a batch gives the same answers as lookups of its single keys",
			a_batch_is_told_what_each_of_its_keys_is_told),
		TEST("a key is found only if each of its bits is set", every_probe_is_tested),
		/* fault: over-4-gib */
		TEST("only the key's block is read and written, in filters of up to 4 TiB",
			only_the_block_is_touched),
		/* fault: outside-filter */
		TEST("the lowest hash maps to the first block, and the highest to the last",
			the_last_place_is_the_last_block),
		TEST("a key's block is the high half of its hash times the number of blocks",
			the_block_is_the_high_half_of_the_product),
		TEST("hashes spread evenly over a number of blocks that is not a power of two",
			places_spread_evenly_over_any_number_of_blocks),
		/* fault: outside-filter */
		TEST("added keys are found in filters of any geometry",
			what_was_added_is_found_in_any_geometry),
		TEST("an empty filter finds nothing", an_empty_filter_finds_nothing),
	};

	return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}

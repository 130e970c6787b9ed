/* The layout of maps: sizes, reads and heads. No lookup reads outside the home shard of its key and
 * the spill shard, whatever bytes they have. */
#include "support.h"

#include <sys/mman.h>
#include <unistd.h>

#include "filter/value_map.h"

/* ---- sizes ---- */

static uint64_t file_bits(const bloom_geometry *geometry)
{
	return 8 * (bloom_head_bytes(geometry, 65536) + bloom_geometry_bytes(geometry));
}

/* The words of each shard are dealt to its stripes, and the rate is kept. */
static void sizing_a_map_keeps_the_rate(void **state)
{
	uint64_t random = test_seed("sizing");
	int round;

	(void)state;
	for (round = 0; round < 1000; round++) {
		bloom_params params = {.capacity_keys = 1 +
				random_next(&random) % (UINT64_C(1) << random_below(&random, 33)),
			.rate = round % 7 == 0
				? 1
				: 0.5 / (double)(UINT64_C(1) << random_below(&random, 28)),
			.value_bits = 1 + (uint32_t)random_below(&random, 64)};
		bloom_geometry geometry;
		uint32_t words, columns, narrow;

		assert_ok(bloom_geometry_choose(&params, 1, &geometry));
		assert_ok(bloom_geometry_check(&geometry));
		assert_int_equal(params.value_bits, geometry.value_bits);
		assert_true(bloom_geometry_rate(&geometry, 0) <= params.rate);
		words = geometry.shard_bytes / 8 - (geometry.stripes + 63) / 64;
		columns = geometry.value_bits + geometry.probes;
		narrow = bloom_ribbon_narrow(&geometry);
		assert_int_equal(
			words, narrow * columns + (geometry.stripes - narrow) * (columns + 1));
		assert_true((double)params.capacity_keys <
			(double)geometry.shards * bloom_ribbon_slots(&geometry));
	}
}

/* A map exists to reach this size. */
static void a_million_keys_need_little_more_than_their_bits(void **state)
{
	static const struct {
		uint32_t value_bits;
		double rate, bits; /* the value bits, and log2(1/rate) */
	} cases[] = {{8, 1.0 / 128, 15}, {20, 1.0 / 128, 27}, {32, 1.0 / 128, 39},
		{8, 0.01, 14.6438562}, {20, 0.01, 26.6438562}, {32, 0.01, 38.6438562}, {20, 1, 20}};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		bloom_params params = {.capacity_keys = 1000000,
			.rate = cases[i].rate,
			.value_bits = cases[i].value_bits};
		bloom_geometry geometry;
		double bits;

		assert_ok(bloom_geometry_choose(&params, 1, &geometry));
		bits = (double)file_bits(&geometry) / 1e6;
		printf("# %u value bits, rate %g: %.3f bits per key, %.4f of the least\n",
			cases[i].value_bits, cases[i].rate, bits, bits / cases[i].bits);
		assert_true(bits <= 1.045 * cases[i].bits);
	}
}

/* The reason is the size of the map, or that of the shards. */
static void a_map_that_cannot_be_sized_has_the_right_reason(void **state)
{
	bloom_params params = {.capacity_keys = BLOOM_CAPACITY_MAX, .rate = 0.01, .value_bits = 64};
	bloom_geometry geometry;

	(void)state;
	assert_status(BLOOM_E_TOO_LARGE, bloom_geometry_choose(&params, 1, &geometry));
	params.shard_bytes = 65536;
	assert_status(BLOOM_E_TOO_LARGE, bloom_geometry_choose(&params, 1, &geometry));
	params.capacity_keys = 1000;
	params.shard_bytes = 1024;
	assert_status(BLOOM_E_RIBBON_SHARD, bloom_geometry_choose(&params, 1, &geometry));
	params.shard_bytes = 8192;
	assert_ok(bloom_geometry_choose(&params, 1, &geometry));
}

/* ---- reads ---- */

/* A random geometry with values. Half of them have few check bits, or none, so that most lookups
 * read their values, and a vector that reads a value may reach beyond the last stripe. */
static bloom_geometry random_geometry(uint64_t *random)
{
	bloom_geometry geometry = {.seed = 1};
	uint32_t words;

	do {
		geometry.shards = 1 + random_below(random, random_below(random, 2) ? 3 : 1000);
		geometry.shard_bytes = 1024u << random_below(random, 5);
		geometry.block_bytes = geometry.shard_bytes;
		geometry.value_bits = 1 + (uint32_t)random_below(random, 64);
		words = geometry.shard_bytes / 8;
		geometry.stripes = random_below(random, 2)
			? 2 * (5 + (uint32_t)random_below(random, 30))
			: words / (geometry.value_bits + (uint32_t)random_below(random, 3)) / 2 * 2;
		geometry.probes = geometry.stripes == 0
			? 0
			: (words - (geometry.stripes + 63) / 64) / geometry.stripes -
				geometry.value_bits;
	} while (geometry.stripes == 0 || bloom_geometry_check(&geometry) != BLOOM_OK);
	return geometry;
}

/* Random bytes, of which most bits are 0, so that many lookups reach their last column. In a third
 * of the shards, many keys are bumped, and in another third all of them. */
static void fill(uint64_t *random, const bloom_geometry *geometry, unsigned char *shard)
{
	uint64_t thresholds = random_below(random, 3), i;

	for (i = 0; i < geometry->shard_bytes; i++) {
		shard[i] = (unsigned char)(random_below(random, 64) == 0);
	}
	for (i = 0; thresholds != 0 && i < 8 * bloom_ribbon_threshold_words(geometry); i++) {
		shard[i] = thresholds == 1 ? (unsigned char)random_next(random) : UINT8_MAX;
	}
}

/* A shard between two pages that no process may read. It is at the start or at the end of the pages
 * between them. */
typedef struct guarded {
	unsigned char *map, *shard;
	size_t bytes;
} guarded;

static guarded guard(uint64_t *random, const bloom_geometry *geometry, bool at_end)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t inner = (geometry->shard_bytes + page - 1) / page * page;
	guarded made = {.bytes = inner + 2 * page};

	made.map =
		mmap(NULL, made.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(made.map != MAP_FAILED);
	made.shard = made.map + page + (at_end ? inner - geometry->shard_bytes : 0);
	fill(random, geometry, made.shard);
	assert_int_equal(0, mprotect(made.map, page, PROT_NONE));
	assert_int_equal(0, mprotect(made.map + page + inner, page, PROT_NONE));
	return made;
}

static void unguard(guarded *made)
{
	assert_int_equal(0, munmap(made->map, made->bytes));
}

/* Returns a digest whose home shard is `home`. In every other round, its check bits are 0. */
static bloom_digest digest_in(uint64_t *random, uint64_t homes, uint64_t home, uint64_t i)
{
	/* The first and the last digest of the shard. */
	uint64_t first = home == 0 ? 0 : (uint64_t)(((__uint128_t)home << 64) / homes) + 1;
	uint64_t last = home == homes - 1 ? UINT64_MAX
					  : (uint64_t)(((__uint128_t)(home + 1) << 64) / homes) - 1;
	bloom_digest digest = first +
		(last - first == UINT64_MAX ? random_next(random)
					    : random_below(random, last - first + 1));

	digest = i == 0 ? first : i == 1 ? last : digest;
	return i % 2 && bloom_fast_range(digest & ~UINT64_C(0x1FFFFFFFF), homes) == home
		? digest & ~UINT64_C(0x1FFFFFFFF)
		: digest;
}

static void check_reads(uint64_t *random, const bloom_geometry *geometry, bool at_end)
{
	uint64_t homes = bloom_geometry_home_shards(geometry), home = random_below(random, homes);
	guarded own = guard(random, geometry, at_end), spill = {0};
	bloom_value_map map = bloom_value_map_of(geometry, own.shard);
	uint64_t i, one, plain, many;

	/* No other shard can be read. */
	map.ribbon.bits = own.shard - home * geometry->shard_bytes;
	map.spill = own.shard;
	if (geometry->shards > 1) {
		spill = guard(random, geometry, at_end);
		map.spill = spill.shard;
	}
	for (i = 0; i < 300; i++) {
		bloom_digest digest = digest_in(random, homes, home, i);
		bool found = bloom_value_map_get(&map, digest, &one);

		assert_int_equal(home, bloom_fast_range(digest, homes));
		assert_int_equal(found, bloom_value_map_get_plain(&map, digest, &plain));
		assert_int_equal(found, bloom_value_map_get_many(&map, &digest, 1, NULL));
		assert_int_equal(found, bloom_value_map_get_many(&map, &digest, 1, &many));
		assert_true(!found || (one == plain && one == many));
	}
	if (geometry->shards > 1) {
		unguard(&spill);
	}
	unguard(&own);
}

static void a_lookup_reads_only_its_home_shard_and_the_spill_shard(void **state)
{
	uint64_t random = test_seed("inside");
	int round;

	(void)state;
	for (round = 0; round < 600; round++) {
		bloom_geometry geometry = random_geometry(&random);

		check_reads(&random, &geometry, round % 2);
	}
}

/* ---- hostile bytes ---- */

static test_blob blob_of_map(uint64_t keys, uint32_t value_bits, double rate, uint32_t shard_bytes)
{
	bloom_params params = {.capacity_keys = keys,
		.rate = rate,
		.value_bits = value_bits,
		.shard_bytes = shard_bytes};
	bloom_builder builder = {0};
	char text[KEY_TEXT_BYTES];
	uint64_t i;

	assert_ok(bloom_builder_init(&params, 1, 0, &builder, &error));
	for (i = 0; i < keys; i++) {
		bloom_builder_set(
			&builder, (const unsigned char *)text, key_text("in", i, text), 1);
	}
	return blob_from(&builder);
}

/* Overwrites a part of the body with random bytes, and corrects all checksums. */
static void overwrite(uint64_t *random, test_blob blob, const bloom_head *head)
{
	uint64_t from = random_below(random, blob.count - head->head_bytes), shard;
	uint64_t end = from + random_below(random, blob.count - head->head_bytes - from + 1);

	for (; from < end; from++) {
		blob.bytes[head->head_bytes + from] = (unsigned char)random_next(random);
	}
	for (shard = 0; shard < head->geometry.shards; shard++) {
		mend_shard(blob, shard);
	}
}

/* Returns whether the last level of the last shard bumps a key, by asking for each start. */
static bool bumps_last(const bloom_head *head, const unsigned char *body)
{
	bloom_ribbon_level last = bloom_ribbon_level_of(&head->geometry, 2);
	const unsigned char *shard =
		body + (head->geometry.shards - 1) * head->geometry.shard_bytes;
	bool bumps = false;
	uint32_t start;

	for (start = last.first; start < last.first + last.starts; start++) {
		bumps = bumps || bloom_ribbon_is_bumped(shard, start);
	}
	return bumps;
}

static void check_hostile(uint64_t *random, test_blob good)
{
	test_blob forged = blob_copy(good);
	unsigned char *body;
	bloom_value_map map;
	bloom_head head;
	uint64_t i, one = 0, plain = 0;

	assert_ok(blob_parse(forged, &head));
	overwrite(random, forged, &head);
	body = forged.bytes + head.head_bytes;
	assert_ok(blob_parse(forged, &head));
	assert_status(bumps_last(&head, body) ? BLOOM_E_MAP_SPILL : BLOOM_OK, blob_accept(forged));
	/* No reader looks a key up in a blob that was refused, but even that would be harmless. */
	map = bloom_value_map_of(&head.geometry, body);
	for (i = 0; i < 300; i++) {
		bloom_digest digest = random_next(random);
		bool found = bloom_value_map_get(&map, digest, &one);

		assert_int_equal(found, bloom_value_map_get_plain(&map, digest, &plain));
		assert_int_equal(found, bloom_value_map_get_many(&map, &digest, 1, NULL));
		assert_true(!found || (one == plain && bloom_value_fits(one, map.value_bits)));
	}
	blob_free(&forged);
}

static void random_bytes_with_right_checksums_are_harmless(void **state)
{
	uint64_t random = test_seed("hostile");
	test_blob maps[] = {blob_of_map(300, 3, 0.01, 1024), blob_of_map(3000, 20, 1e-6, 0),
		blob_of_map(3000, 64, 1, 0), blob_of_map(2000, 1, 1, 1024)};
	size_t i;
	int round;

	(void)state;
	for (i = 0; i < sizeof maps / sizeof *maps; i++) {
		for (round = 0; round < 200; round++) {
			check_hostile(&random, maps[i]);
		}
		blob_free(&maps[i]);
	}
}

/* Only the last level of the last shard must bump nothing, and no other bit of the thresholds
 * matters. */
static void a_map_whose_last_level_bumps_is_refused(void **state)
{
	test_blob good = blob_of_map(3000, 8, 0.01, 2048);
	bloom_head head;
	uint64_t shard;
	uint32_t stripe;

	(void)state;
	assert_ok(blob_parse(good, &head));
	assert_true(head.geometry.shards > 2);
	for (shard = 0; shard < head.geometry.shards; shard++) {
		for (stripe = 0; stripe < head.geometry.stripes; stripe++) {
			test_blob forged = blob_copy(good);
			bool is_last = shard == head.geometry.shards - 1 &&
				stripe >= head.geometry.stripes - 2;
			unsigned char *byte = forged.bytes + head.head_bytes +
				shard * head.geometry.shard_bytes + stripe / 8;

			*byte |= (unsigned char)(1 << stripe % 8);
			mend_shard(forged, shard);
			assert_status(is_last ? BLOOM_E_MAP_SPILL : BLOOM_OK, blob_accept(forged));
			blob_free(&forged);
		}
	}
	blob_free(&good);
}

/* ---- heads ---- */

static void each_check_of_a_maps_head_has_its_own_error(void **state)
{
	static const struct {
		uint32_t at;
		uint32_t value;
		bloom_status expected, reason;
	} rows[] = {
		/* The block must be as large as the shard. */
		{44, 64, BLOOM_E_GEOMETRY, BLOOM_E_BLOCK_BYTES},
		/* The stripes and the value bits determine the check bits. */
		{48, 6, BLOOM_E_GEOMETRY, BLOOM_E_PROBES},
		{48, 8, BLOOM_E_GEOMETRY, BLOOM_E_PROBES},
		{48, UINT32_MAX, BLOOM_E_GEOMETRY, BLOOM_E_PROBES},
		/* As a Bloom filter, a reverse index, a ribbon filter, one of another system. */
		{52, 1, BLOOM_E_RESERVED, 0},
		{52, 2, BLOOM_E_GEOMETRY, BLOOM_E_GROUPS},
		{52, 3, BLOOM_E_GEOMETRY, BLOOM_E_PROBES},
		{52, 4, BLOOM_E_SCHEME, 0},
		{52, 6, BLOOM_E_SCHEME, 0},
		{72, 999, BLOOM_E_TOTALS, 0},
		{80, 1, BLOOM_E_TOTALS, 0},
		{108, 0, BLOOM_E_META, 0},          /* the rate is too low */
		{108, 0x3FFFFFFF, BLOOM_E_META, 0}, /* and too high */
		{256, 0, BLOOM_E_GEOMETRY, BLOOM_E_STRIPES},
		{256, 8, BLOOM_E_GEOMETRY, BLOOM_E_STRIPES},
		{256, 17, BLOOM_E_GEOMETRY, BLOOM_E_STRIPES},
		{256, 20, BLOOM_E_GEOMETRY, BLOOM_E_PROBES},
		{256, UINT32_MAX, BLOOM_E_GEOMETRY, BLOOM_E_STRIPES},
		{260, 0, BLOOM_E_GEOMETRY, BLOOM_E_PROBES},
		{260, 7, BLOOM_E_GEOMETRY, BLOOM_E_PROBES},
		{260, 9, BLOOM_E_GEOMETRY, BLOOM_E_PROBES},
		{260, 65, BLOOM_E_GEOMETRY, BLOOM_E_VALUE_BITS},
		{260, UINT32_MAX, BLOOM_E_GEOMETRY, BLOOM_E_VALUE_BITS},
		{264, 1, BLOOM_E_RESERVED, 0},
		{268, 1, BLOOM_E_RESERVED, 0},
		{320, 1, BLOOM_E_RESERVED, 0}, /* a map has no journal */
		{512, 999, BLOOM_E_TOTALS, 0},
		{516, 1, BLOOM_E_RESERVED, 0},
		{80, 0, BLOOM_OK, 0},
	};
	test_blob good = blob_of_map(1000, 8, 0.01, 2048);
	bloom_head head;
	size_t i;

	(void)state;
	assert_ok(blob_parse(good, &head));
	assert_int_equal(7, head.geometry.probes);
	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		test_blob forged = blob_copy(good);

		bloom_put32(forged.bytes + rows[i].at, rows[i].value);
		mend_head(forged, head.head_bytes);
		if (rows[i].expected !=
			bloom_blob_parse(forged.bytes, forged.count, &head, &error)) {
			fail_msg("%u at %u: %s, %s", rows[i].value, rows[i].at,
				bloom_status_sentence(error.status), error.subject);
		}
		if (rows[i].reason != BLOOM_OK) {
			assert_string_equal(bloom_status_sentence(rows[i].reason), error.subject);
		}
		blob_free(&forged);
	}
	assert_ok(blob_parse(good, &head));
	good.bytes[good.count - 1] ^= 1;
	assert_status(BLOOM_E_SHARD_CHECKSUM, blob_accept(good));
	blob_free(&good);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("sizing a map meets the requested rate", sizing_a_map_keeps_the_rate),
		TEST("a million keys in a map need at most 4.5 % more than their bits",
			a_million_keys_need_little_more_than_their_bits),
		TEST("a map that cannot be sized is refused for the right reason",
			a_map_that_cannot_be_sized_has_the_right_reason),
		TEST("a lookup in a map reads only its home shard and the spill shard",
			a_lookup_reads_only_its_home_shard_and_the_spill_shard),
		TEST("random bytes with right checksums harm no lookup in a map",
			random_bytes_with_right_checksums_are_harmless),
		TEST("a map whose last level bumps a key is refused",
			a_map_whose_last_level_bumps_is_refused),
		TEST("each check of a map's head has its own error",
			each_check_of_a_maps_head_has_its_own_error),
	};

	return cmocka_run_group_tests_name("value map", tests, NULL, NULL);
}

/* The reverse index: every group that holds a value is reported, wrong groups are as rare as the
 * formula predicts, and the bytes equal those of an independent writer. */
#include "support.h"

#include <math.h>

#include "filter/blob.h"
#include "filter/measure.h"
#include "filter/reverse.h"

typedef struct answer {
	uint64_t *group;
	uint64_t count;
	uint64_t room;
	uint64_t most; /* stops there; 0: never */
} answer;

static bool take_group(void *context, uint64_t group)
{
	answer *told = context;

	if (told->count == told->room) {
		told->room = told->room * 2 + 64;
		told->group = realloc(told->group, told->room * sizeof *told->group);
		assert_non_null(told->group);
	}
	told->group[told->count++] = group;
	return told->most == 0 || told->count < told->most;
}

static void ask(const bloom_reverse *reverse, bloom_digest value, answer *told)
{
	uint64_t i;

	told->count = 0;
	bloom_reverse_groups(reverse, value, take_group, told);
	for (i = 0; i < told->count; i++) {
		assert_true(told->group[i] < reverse->groups);
		assert_true(i == 0 || told->group[i] > told->group[i - 1]);
	}
	assert_int_equal(told->count > 0, bloom_reverse_test(reverse, value));
}

static bool has_group(const answer *told, uint64_t group)
{
	uint64_t i;

	for (i = 0; i < told->count; i++) {
		if (told->group[i] == group) {
			return true;
		}
	}
	return false;
}

static bloom_digest digest_of(const bloom_geometry *geometry, const char *family, uint64_t i)
{
	char text[KEY_TEXT_BYTES];
	size_t count = key_text(family, i, text);

	return bloom_digest_of((const unsigned char *)text, count, geometry->seed);
}

static bool add_value(bloom_builder *builder, uint64_t group, const char *family, uint64_t i)
{
	char text[KEY_TEXT_BYTES];
	size_t count = key_text(family, i, text);

	return bloom_builder_add_to_group(builder, group, (const unsigned char *)text, count);
}

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

	*blob = blob_copy(file); /* of exactly its bytes */
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
	answer told;
} asking;

static void find_entry(
	void *context, uint64_t group, const unsigned char *value, size_t value_bytes)
{
	asking *work = context;

	ask(&work->reverse, bloom_digest_of(value, value_bytes, work->reverse.view.seed),
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
	ask(&work->reverse,
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

/* ---- against an exact map ---- */

typedef struct map_case {
	uint64_t groups;
	uint32_t fan_out;
	uint32_t levels; /* wanted */
} map_case;

static const map_case map_cases[] = {
	{1, 64, 1},
	{2, 64, 1},
	{63, 64, 1},
	{64, 64, 1},
	{65, 64, 2},
	{4000, 64, 2},
	{4096, 64, 2},
	{4097, 64, 3},
	{262144, 64, 3},
	{300000, 64, 4},
	{127, 128, 1},
	{129, 128, 2},
	{3000000, 128, 4},
	{256, 256, 1},
	{257, 256, 2},
	{65537, 256, 3},
	{20000000, 256, 4},
	{512, 512, 1},
	{10000, 512, 2},
	{300000, 512, 3},
	{1024, 1024, 1},
	{1025, 1024, 2},
	{1048577, 1024, 3},
	{1073741825, 1024, 4},
	{BLOOM_GROUPS_MAX, 64, 6},
	{BLOOM_GROUPS_MAX, 256, 4},
	{BLOOM_GROUPS_MAX, 1024, 4},
};

enum { VALUES = 1500, HOLDING_MAX = 3 };

/* The groups of value i: up to three, sometimes with a duplicate. */
static uint32_t groups_of(uint64_t seed, uint64_t i, uint64_t groups, uint64_t held[HOLDING_MAX])
{
	uint64_t draw = seed + i * 1000003;
	uint32_t count = 1 + (uint32_t)random_below(&draw, HOLDING_MAX), j;

	for (j = 0; j < count; j++) {
		held[j] = random_below(&draw, 64) == 0 ? groups - 1 : random_below(&draw, groups);
	}
	return count;
}

static bool is_held(const uint64_t *held, uint32_t count, uint64_t group)
{
	uint32_t j;

	for (j = 0; j < count; j++) {
		if (held[j] == group) {
			return true;
		}
	}
	return false;
}

static uint32_t distinct(const uint64_t *held, uint32_t count)
{
	uint32_t j, number = 0;

	for (j = 0; j < count; j++) {
		number += !is_held(held, j, held[j]);
	}
	return number;
}

/* A blob of the case's values. groups_of() defines their groups. */
static test_blob blob_of_map(const map_case *row, uint64_t seed, double rate, bloom_head *head)
{
	bloom_params params = {.capacity_keys = VALUES * 2,
		.rate = rate,
		.groups = row->groups,
		.fan_out = row->fan_out};
	uint64_t held[HOLDING_MAX], i;
	bloom_builder builder = {0};
	test_blob blob;
	uint32_t j, count;

	assert_ok(bloom_builder_init(&params, seed, 0, &builder, &error));
	assert_int_equal(row->levels, bloom_geometry_levels(&builder.geometry));
	for (i = 0; i < VALUES; i++) {
		count = groups_of(seed, i, row->groups, held);
		for (j = 0; j < count; j++) {
			bool is_new = add_value(&builder, held[j], "value", i);

			assert_false(is_new && is_held(held, j, held[j]));
		}
	}
	assert_ok(bloom_builder_finish(&builder, 1700000000000, 1, &error));
	blob = (test_blob){.bytes = malloc(builder.image_bytes), .count = builder.image_bytes};
	assert_non_null(blob.bytes);
	memcpy(blob.bytes, builder.image, blob.count);
	bloom_builder_free(&builder);
	assert_ok(bloom_blob_parse(blob.bytes, blob.count, head, &error));
	return blob;
}

/* The number of groups below those nodes of a level that also have a held group below them. At
 * the root these are all groups. */
static double groups_beside(
	const bloom_geometry *geometry, uint32_t depth, const uint64_t *held, uint32_t count)
{
	double below = pow(geometry->fan_out, bloom_geometry_levels(geometry) - depth), sum = 0;
	uint64_t node[HOLDING_MAX];
	uint32_t j;

	if (depth == 0) {
		return (double)geometry->groups;
	}
	for (j = 0; j < count; j++) {
		node[j] = (uint64_t)((double)held[j] / below);
		sum += is_held(node, j, node[j])
			? 0
			: fmin(below, (double)geometry->groups - (double)node[j] * below);
	}
	return sum;
}

/* A wrong group is reported if every node on its path is a false positive, starting after the
 * last right node. */
static double expected_wrong(
	const bloom_geometry *geometry, double rate, const uint64_t *held, uint32_t count)
{
	uint32_t levels = bloom_geometry_levels(geometry), depth;
	double sum = 0;

	for (depth = 0; depth < levels; depth++) {
		sum += pow(rate, levels - depth) *
			(groups_beside(geometry, depth, held, count) -
				groups_beside(geometry, depth + 1, held, count));
	}
	return sum;
}

static void check_map(const map_case *row, uint64_t seed)
{
	uint64_t held[HOLDING_MAX], i;
	answer told = {0};
	bloom_head head;
	test_blob blob = blob_of_map(row, seed, 0.01, &head);
	bloom_reverse reverse = bloom_reverse_of(&head.geometry, blob.bytes + head.head_bytes);
	double wrong = 0, expected = 0, by_formula = 0, rate = head.meta.measured_rate;
	uint32_t j, count;

	for (i = 0; i < 3 * VALUES; i++) {
		const char *family = i < VALUES ? "value" : "absent";

		count = i < VALUES ? groups_of(seed, i, row->groups, held) : 0;
		ask(&reverse, digest_of(&head.geometry, family, i), &told);
		for (j = 0; j < count; j++) {
			assert_true(has_group(&told, held[j]));
		}
		wrong += (double)told.count - distinct(held, count);
		expected += expected_wrong(&head.geometry, rate, held, count);
		by_formula +=
			bloom_geometry_false_groups(&head.geometry, rate, distinct(held, count));
	}
	/* One wrong node may cause several wrong groups, so the variance is slightly above
	 * Poisson's. */
	if (fabs(wrong - expected) > 4 * sqrt(expected * (1 + 2 * rate * row->fan_out)) + 1) {
		fail_msg("%llu groups, fan-out %u: %.0f wrong groups, expected %.1f",
			(unsigned long long)row->groups, row->fan_out, wrong, expected);
	}
	/* The formula assumes that all nodes of a level have the same size, and that held groups
	 * are far apart. */
	if (fabs(by_formula - expected) > 0.2 * expected) {
		fail_msg("%llu groups, fan-out %u: the formula gives %.1f, the tree %.1f",
			(unsigned long long)row->groups, row->fan_out, by_formula, expected);
	}
	free(told.group);
	blob_free(&blob);
}

static void answers_are_those_of_a_map_and_wrong_groups_as_rare_as_expected(void **state)
{
	uint64_t seed = test_seed("map");
	size_t i;

	(void)state;
	for (i = 0; i < sizeof map_cases / sizeof *map_cases; i++) {
		check_map(&map_cases[i], seed + i);
	}
}

static void a_visitor_is_not_called_again_after_it_has_had_enough(void **state)
{
	map_case row = {5000, 64, 3};
	answer told = {.most = 1}, all = {0};
	bloom_head head;
	test_blob blob = blob_of_map(&row, test_seed("enough"), 0.01, &head);
	bloom_reverse reverse = bloom_reverse_of(&head.geometry, blob.bytes + head.head_bytes);
	uint64_t i;

	(void)state;
	for (i = 0; i < VALUES; i++) {
		ask(&reverse, digest_of(&head.geometry, "value", i), &all);
		ask(&reverse, digest_of(&head.geometry, "value", i), &told);
		assert_int_equal(1, told.count);
		assert_true(told.group[0] == all.group[0]);
	}
	free(told.group);
	free(all.group);
	blob_free(&blob);
}

typedef struct patience {
	uint64_t nodes, nodes_most, groups;
} patience;

static bool count_group(void *context, uint64_t group)
{
	(void)group;
	((patience *)context)->groups++;
	return true;
}

static bool has_patience(void *context)
{
	patience *left = context;

	return left->nodes++ < left->nodes_most;
}

/* With 2^32 groups and all bits set, each value may be in each group. */
static void a_walk_ends_when_its_caller_has_no_patience_left(void **state)
{
	bloom_geometry geometry = {.shards = 1,
		.shard_bytes = 16384,
		.block_bytes = 16384,
		.probes = 1,
		.groups = BLOOM_GROUPS_MAX,
		.fan_out = 256};
	unsigned char *bits = malloc(16384);
	patience left = {0};
	bloom_visitor visitor = {
		.visit = count_group, .keep_going = has_patience, .context = &left};
	bloom_reverse reverse;

	(void)state;
	assert_ok(bloom_geometry_check(&geometry));
	memset(bits, 0xff, 16384);
	reverse = bloom_reverse_of(&geometry, bits);
	assert_false(bloom_reverse_walk(&reverse, digest_of(&geometry, "any", 1), &visitor));
	assert_int_equal(0, left.groups);
	/* The root, its first child, a child of that child, and a hundred nodes of groups. */
	left = (patience){.nodes_most = 102};
	assert_false(bloom_reverse_walk(&reverse, digest_of(&geometry, "any", 1), &visitor));
	assert_int_equal(100 * 256, left.groups);
	assert_int_equal(103, left.nodes);
	free(bits);
}

/* An index of three levels with a value that was added only to the first two. It leads to 65,536
 * nodes and to no group. */
static void a_test_that_finds_no_group_for_long_says_maybe(void **state)
{
	bloom_geometry geometry = {.shards = 256,
		.shard_bytes = 16384,
		.block_bytes = 16384,
		.probes = 3,
		.groups = 1 << 24,
		.fan_out = 256};
	unsigned char *bits = calloc(256, 16384);
	bloom_reverse reverse = bloom_reverse_of(&geometry, bits), upper;
	bloom_digest value = digest_of(&geometry, "any", 1);
	patience left = {0};
	uint64_t group;

	(void)state;
	assert_ok(bloom_geometry_check(&geometry));
	geometry.groups = 1 << 16;
	upper = bloom_reverse_of(&geometry, bits);
	assert_false(bloom_reverse_test(&reverse, value));
	for (group = 0; group < geometry.groups; group++) {
		(void)bloom_reverse_add(&upper, bits, group, value, NULL);
	}
	bloom_reverse_groups(&reverse, value, count_group, &left);
	assert_int_equal(0, left.groups);
	assert_true(bloom_reverse_test(&reverse, value));
	free(bits);
}

static void a_wish_for_an_absurd_answer_is_refused(void **state)
{
	bloom_geometry geometry;
	bloom_params asked = {.capacity_keys = 1000, .rate = 0.5, .groups = 20000, .fan_out = 256};

	(void)state;
	assert_ok(bloom_geometry_choose(&asked, 0, &geometry));
	assert_true(bloom_geometry_false_groups(&geometry, 0.5, 0) <= BLOOM_FALSE_GROUPS_MAX);
	asked.groups = 65536;
	assert_status(BLOOM_E_GROUPS_RATE, bloom_geometry_choose(&asked, 0, &geometry));
	asked.rate = 0.3;
	assert_ok(bloom_geometry_choose(&asked, 0, &geometry));
	asked.groups = BLOOM_GROUPS_MAX;
	assert_status(BLOOM_E_GROUPS_RATE, bloom_geometry_choose(&asked, 0, &geometry));
	asked.rate = 0.03;
	assert_ok(bloom_geometry_choose(&asked, 0, &geometry));
}

static void a_value_counts_once_a_level_and_again_for_nothing(void **state)
{
	bloom_params params = {
		.capacity_keys = 1000, .rate = 0.001, .groups = 100000, .fan_out = 64};
	bloom_builder builder = {0};

	(void)state;
	assert_ok(bloom_builder_init(&params, test_seed("levels"), 0, &builder, &error));
	assert_true(add_value(&builder, 77777, "value", 1));
	assert_int_equal(3, builder.keys);
	assert_false(add_value(&builder, 77777, "value", 1));
	assert_int_equal(3, builder.keys);
	/* An adjacent group shares all levels but the last. */
	assert_true(add_value(&builder, 77776, "value", 1));
	assert_int_equal(4, builder.keys);
	assert_int_equal(3, builder.added);
	bloom_builder_free(&builder);
}

/* ---- skew ---- */

typedef uint64_t (*group_choice)(uint64_t i, uint64_t groups, uint32_t fan_out);

static uint64_t first_group(uint64_t i, uint64_t groups, uint32_t fan_out)
{
	(void)i;
	(void)groups;
	(void)fan_out;
	return 0;
}

static uint64_t last_group(uint64_t i, uint64_t groups, uint32_t fan_out)
{
	(void)i;
	(void)fan_out;
	return groups - 1;
}

static uint64_t multiples_of_the_fan_out(uint64_t i, uint64_t groups, uint32_t fan_out)
{
	return i * fan_out % groups;
}

static uint64_t halves(uint64_t i, uint64_t groups, uint32_t fan_out)
{
	uint64_t part = groups;

	(void)fan_out;
	for (; i & 1; i >>= 1) { /* half of all values in the last half, a quarter before it, … */
		part /= 2;
	}
	return part > 0 ? part - 1 : 0;
}

static void check_skew(group_choice choose, uint64_t groups, uint32_t fan_out, uint64_t seed)
{
	enum { MANY = 20000, LEVELS_MAX = 3 };
	bloom_params params = {
		.capacity_keys = MANY, .rate = 0.01, .groups = groups, .fan_out = fan_out};
	bloom_builder builder = {0};
	answer told = {0};
	double expected, wrong = 0, lanes, by_formula;
	uint64_t i;

	assert_ok(bloom_builder_init(&params, seed, 0, &builder, &error));
	for (i = 0; i < MANY; i++) {
		(void)add_value(&builder, choose(i, groups, fan_out), "value", i);
	}
	for (i = 0; i < 1000; i++) {
		ask(&builder.reverse, digest_of(&builder.geometry, "value", i), &told);
		assert_true(has_group(&told, choose(i, groups, fan_out)));
	}
	assert_ok(bloom_builder_finish(&builder, 1, 1, &error));
	/* The bits are those of as many random keys, so the measured rate equals the predicted
	 * one. It is a mean over the columns, whose rates vary about as much as they are large. */
	lanes = (double)bloom_geometry_lanes(&builder.geometry);
	by_formula = bloom_geometry_rate(
		&builder.geometry, MANY * bloom_geometry_levels(&builder.geometry));
	if (fabs(builder.meta.measured_rate - by_formula) > 4 * by_formula / sqrt(lanes)) {
		fail_msg("%llu groups, fan-out %u: rate %g, expected %g",
			(unsigned long long)groups, fan_out, builder.meta.measured_rate,
			by_formula);
	}
	assert_true(builder.meta.measured_rate <= params.rate * 1.1);
	/* So do the answers. */
	expected = 4000 *
		bloom_geometry_false_groups(&builder.geometry, builder.meta.measured_rate, 0);
	for (i = 0; i < 4000; i++) {
		ask(&builder.reverse, digest_of(&builder.geometry, "absent", i), &told);
		wrong += (double)told.count;
	}
	assert_true(fabs(wrong - expected) <
		4 * sqrt(expected * (1 + 2 * builder.meta.measured_rate * fan_out)) + 1);
	free(told.group);
	bloom_builder_free(&builder);
}

static void skewed_groups_keep_the_rate(void **state)
{
	static const group_choice choices[] = {
		first_group, last_group, multiples_of_the_fan_out, halves};
	uint64_t seed = test_seed("skew");
	size_t i;

	(void)state;
	for (i = 0; i < sizeof choices / sizeof *choices; i++) {
		check_skew(choices[i], 200, 256, seed + i);
		check_skew(choices[i], 40000, 256, seed + i);
		check_skew(choices[i], 100000, 64, seed + i);
		check_skew(choices[i], 1000, 1024, seed + i);
	}
}

/* ---- the formula ---- */

static void wrong_groups_are_counted_as_by_a_simulation_of_the_tree(void **state)
{
	bloom_geometry geometry = {.fan_out = 64};

	(void)state;
	geometry.groups = 64;
	assert_true(fabs(bloom_geometry_false_groups(&geometry, 0.01, 0) - 0.64) < 1e-12);
	assert_true(fabs(bloom_geometry_false_groups(&geometry, 0.01, 1) - 0.63) < 1e-12);
	assert_true(fabs(bloom_geometry_false_groups(&geometry, 0.01, 64)) < 1e-12);
	geometry.groups = 1;
	assert_true(fabs(bloom_geometry_false_groups(&geometry, 0.01, 0) - 0.01) < 1e-12);
	assert_true(fabs(bloom_geometry_false_groups(&geometry, 0.01, 1)) < 1e-12);
	/* Two levels: 0.64 wrong nodes of 64, each with 64 children. */
	geometry.groups = 4096;
	assert_true(fabs(bloom_geometry_false_groups(&geometry, 0.01, 0) - 0.4096) < 1e-12);
	assert_true(fabs(bloom_geometry_false_groups(&geometry, 0.01, 1) -
			    0.01 * (64 * (0.63 + 1) - 1)) < 1e-12);
	assert_true(bloom_geometry_false_groups(&geometry, 0, 3) == 0);
	assert_true(fabs(bloom_geometry_false_groups(&geometry, 1, 0) - 4096) < 1e-9);
}

/* ---- damaged blobs ---- */

enum {
	AT_SHARD_BYTES = 40,
	AT_BLOCK_BYTES = 44,
	AT_SCHEME = 52,
	AT_GROUPS = 256,
	AT_FAN_OUT = 264,
	AT_RESERVED = 268
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
		assert_status(BLOOM_E_RESERVED, parse_with(plain, (int)i, 1, 1));
	}
	blob_free(&plain);
	blob_free(&good);
}

static void a_forged_number_of_groups_leads_nowhere_beyond_the_bytes(void **state)
{
	static const uint64_t groups[] = {1, 63, 64, 65, 4097, 300000, BLOOM_GROUPS_MAX};
	test_blob good;
	bloom_head head = open_vector("reverse-full", &good);
	answer told = {0};
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
			ask(&reverse, digest_of(&forged, "any", j), &told);
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
		TEST("answers match an exact map, and wrong groups are as rare as expected",
			answers_are_those_of_a_map_and_wrong_groups_as_rare_as_expected),
		TEST("a visitor is not called again after it asks to stop",
			a_visitor_is_not_called_again_after_it_has_had_enough),
		TEST("a walk over billions of groups ends when its caller interrupts it",
			a_walk_ends_when_its_caller_has_no_patience_left),
		TEST("a test that visits many nodes without finding a group answers 'maybe'",
			a_test_that_finds_no_group_for_long_says_maybe),
		TEST("an index with absurdly large answers is refused",
			a_wish_for_an_absurd_answer_is_refused),
		TEST("a value counts once per level, and repeated adds do not count",
			a_value_counts_once_a_level_and_again_for_nothing),
		TEST("groups of very different sizes do not change the rate",
			skewed_groups_keep_the_rate),
		TEST("the expected number of wrong groups matches a simulation of the tree",
			wrong_groups_are_counted_as_by_a_simulation_of_the_tree),
		TEST("heads of reverse indexes with values out of range are refused",
			heads_of_indexes_out_of_range_are_refused),
		TEST("a forged number of groups causes no access out of bounds",
			a_forged_number_of_groups_leads_nowhere_beyond_the_bytes),
	};

	return cmocka_run_group_tests_name("reverse", tests, NULL, NULL);
}

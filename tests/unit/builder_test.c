/* From keys to a blob: no added key is lost, whatever its bytes, however it was added, and after
 * any combination of filters. */
#include "support.h"

#include <math.h>

#include "build/lines.h"

static bloom_builder builder_for(uint64_t keys, double rate, uint64_t seed)
{
	bloom_params params = {.capacity_keys = keys, .rate = rate};
	bloom_builder builder = {0};

	assert_ok(bloom_builder_init(&params, seed, 0, &builder, &error));
	return builder;
}

static bool has(const bloom_builder *builder, const void *key, size_t key_bytes)
{
	return bloom_view_test(
		&builder->view, bloom_digest_of(key, key_bytes, builder->geometry.seed));
}

/* ---- no false negative ---- */

/* Random keys of random lengths, some of which are added. An exact list records the added ones. */
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
			assert_true(has(&builder, keys[i], key_bytes[i]));
		}
	}
	assert_ok(bloom_builder_finish(&builder, 0, 1, &error));
	/* Looks keys up in the finished image, as a reader does. */
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
	/* Not every answer is "maybe": the bound is 4 sigma above the measured rate of these
	 * bits. */
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
			params.probes = 0; /* few probes and a low rate would need gigabytes */
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
		assert_false(has(&builder, text, count));
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
			assert_int_equal(j < i, has(&builder, keys[j].bytes, keys[j].count));
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
	/* The builder is unchanged: it accepts more keys, and a higher limit. */
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

/* ---- lines ---- */

static void a_line_without_an_end_is_refused_before_memory_ends(void **state)
{
	static const unsigned char zeros[4096];
	bloom_params params = {.capacity_keys = 1000, .rate = 0.01};
	bloom_lines lines = {0};
	bloom_builder builder = {0};
	bloom_status status = BLOOM_OK;
	int pieces;

	(void)state;
	assert_ok(bloom_builder_init(&params, 0, 0, &builder, &error));
	pretended_memory_bytes = builder.image_bytes + 1024 * 1024;
	for (pieces = 0; pieces < 1000 && status == BLOOM_OK; pieces++) {
		status = bloom_builder_add_lines(&builder, &lines, zeros, sizeof zeros, &error);
		assert_true(lines.carry_capacity <= 1024 * 1024);
	}
	pretended_memory_bytes = 0;
	assert_status(BLOOM_E_MEMORY, status);
	assert_true(pieces > 100);
	assert_int_equal(0, strncmp(error.subject, "a line of ", 10));
	bloom_lines_free(&lines);
	bloom_builder_free(&builder);
}

/* Feeds `text` in pieces of `piece_bytes`, each in an allocation of its own size. */
static void feed(bloom_builder *builder, const char *text, size_t count, size_t piece_bytes)
{
	bloom_lines lines = {0};
	size_t at, piece;

	for (at = 0; at < count; at += piece) {
		unsigned char *bytes;

		piece = count - at < piece_bytes ? count - at : piece_bytes;
		bytes = malloc(piece);
		assert_non_null(bytes);
		memcpy(bytes, text + at, piece);
		assert_ok(bloom_builder_add_lines(builder, &lines, bytes, piece, &error));
		free(bytes);
	}
	bloom_builder_end_lines(builder, &lines);
	assert_null(lines.carry);
}

typedef struct line_case {
	const char *text;
	size_t text_bytes;
	const char *keys; /* each is followed by a bar */
	size_t keys_bytes;
} line_case;

#define LINES(text, keys)                                    \
	{                                                    \
		text, sizeof text - 1, keys, sizeof keys - 1 \
	}

static const line_case line_cases[] = {
	LINES("a\nb\nc\n", "a|b|c|"),
	LINES("a\r\nb\r\nc\r\n", "a|b|c|"),
	LINES("a\nb\r\nc", "a|b|c|"),
	LINES("", ""),
	LINES("\n", "|"),
	LINES("\r\n", "|"),
	LINES("\n\n\na\n\n", "|||a||"),
	LINES("\r\n\r\nx", "||x|"),
	LINES("last", "last|"),
	LINES("a\rb\n", "a\rb|"),
	LINES("a\r\r\n", "a\r|"),
	LINES("a \n\tb\n", "a |\tb|"),
	LINES("n\0ul\n\0\n", "n\0ul|\0|"),
	LINES("\xff\xfe\n\xc3\xa9\r\n", "\xff\xfe|\xc3\xa9|"),
};

static void check_lines(const line_case *row, size_t piece_bytes)
{
	bloom_builder fed = builder_for(1000, 1e-6, 5);
	bloom_builder expected = builder_for(1000, 1e-6, 5);
	size_t from = 0, at;

	feed(&fed, row->text, row->text_bytes, piece_bytes);
	for (at = 0; at < row->keys_bytes; at++) {
		if (row->keys[at] == '|') {
			(void)bloom_builder_add(
				&expected, (const unsigned char *)row->keys + from, at - from);
			from = at + 1;
		}
	}
	assert_int_equal(expected.added, fed.added);
	assert_int_equal(expected.keys, fed.keys);
	assert_memory_equal(expected.image, fed.image, fed.image_bytes);
	bloom_builder_free(&fed);
	bloom_builder_free(&expected);
}

static void lines_are_keys_however_the_text_is_cut(void **state)
{
	size_t i, piece_bytes;

	(void)state;
	for (i = 0; i < sizeof line_cases / sizeof *line_cases; i++) {
		for (piece_bytes = 1; piece_bytes < 16; piece_bytes++) {
			check_lines(&line_cases[i], piece_bytes);
		}
	}
}

static void random_texts_are_cut_anywhere(void **state)
{
	uint64_t random = test_seed("random texts are cut anywhere");
	char text[400], keys[400];
	int round;

	(void)state;
	for (round = 0; round < 300; round++) {
		line_case row = {text, random_below(&random, sizeof text), keys, 0};
		size_t i;

		for (i = 0; i < row.text_bytes; i++) {
			text[i] = "ab\n"[random_below(&random, 3)];
			keys[i] = text[i] == '\n' ? '|' : text[i];
		}
		row.keys_bytes = row.text_bytes;
		if (row.text_bytes > 0 && row.text_bytes < sizeof keys &&
			text[row.text_bytes - 1] != '\n') {
			keys[row.keys_bytes++] = '|';
		}
		check_lines(&row, 1 + random_below(&random, 50));
	}
}

static void a_line_may_be_longer_than_any_piece(void **state)
{
	enum { LONG = 3000000 };
	bloom_builder builder = builder_for(1000, 1e-6, 5);
	char *text = malloc(LONG + 3);

	(void)state;
	assert_non_null(text);
	memset(text, 'x', LONG);
	memcpy(text + LONG, "\nz", 3);
	feed(&builder, text, LONG + 2, 4096);
	assert_int_equal(2, builder.added);
	assert_true(has(&builder, text, LONG));
	assert_true(has(&builder, "z", 1));
	assert_false(has(&builder, text, LONG - 1));
	free(text);
	bloom_builder_free(&builder);
}

static void a_broken_off_line_can_be_thrown_away(void **state)
{
	bloom_builder builder = builder_for(1000, 1e-6, 5);
	bloom_lines lines = {0};

	(void)state;
	assert_ok(bloom_builder_add_lines(
		&builder, &lines, (const unsigned char *)"whole\nbroken", 12, &error));
	bloom_lines_free(&lines);
	bloom_lines_free(&lines);
	assert_int_equal(1, builder.added);
	assert_false(has(&builder, "broken", 6));
	bloom_builder_free(&builder);
}

/* ---- many at once ---- */

/* Filters that use the different code paths for setting bits: small blocks with few and with
 * many probes, larger blocks, whole shards, and a filter that stores digests. */
static const bloom_params many[] = {
	{.capacity_keys = 4000, .rate = 0.01},
	{.capacity_keys = 4000, .rate = 1e-6},
	{.capacity_keys = 4000, .rate = 0.01, .block_bytes = 16},
	{.capacity_keys = 4000, .rate = 0.001, .shard_bytes = 1024, .block_bytes = 1024},
	{.capacity_keys = 4000, .rate = 0.01, .ribbon = true},
};

static void assert_same_builders(const bloom_builder *one, const bloom_builder *other)
{
	assert_int_equal(one->keys, other->keys);
	assert_int_equal(one->added, other->added);
	assert_memory_equal(one->image, other->image, one->image_bytes);
	if (one->keys > 0 && one->geometry.stripes != 0) {
		assert_memory_equal(one->digests, other->digests, one->keys * sizeof *one->digests);
	}
	assert_memory_equal(
		one->shard_keys, other->shard_keys, one->geometry.shards * sizeof *one->shard_keys);
}

/* About as many keys as the capacity, most of them repeated. */
static void keys_in_batches_are_counted_and_set_as_one_by_one(void **state)
{
	uint64_t random = test_seed("keys in batches are counted and set as one by one");
	bloom_digest batch[200];
	size_t params, keys, count, i;

	(void)state;
	for (params = 0; params < sizeof many / sizeof *many; params++) {
		bloom_builder one = {0}, batches = {0};

		assert_ok(bloom_builder_init(&many[params], 5, 0, &one, &error));
		assert_ok(bloom_builder_init(&many[params], 5, 0, &batches, &error));
		for (keys = 0; keys < 8000; keys += count) {
			uint64_t added_new = 0;

			count = random_below(&random, sizeof batch / sizeof *batch + 1);
			for (i = 0; i < count; i++) {
				char text[KEY_TEXT_BYTES];
				size_t bytes = key_text("batch", random_below(&random, 4500), text);

				batch[i] = bloom_hash(
					&batches.hasher, (const unsigned char *)text, bytes);
				added_new +=
					bloom_builder_add(&one, (const unsigned char *)text, bytes);
			}
			assert_int_equal(
				added_new, bloom_builder_add_digests(&batches, batch, count));
		}
		assert_same_builders(&one, &batches);
		assert_ok(bloom_builder_finish(&one, 1, 1, &error));
		assert_ok(bloom_builder_finish(&batches, 1, 1, &error));
		assert_same_builders(&one, &batches);
		bloom_builder_free(&one);
		bloom_builder_free(&batches);
	}
}

/* ---- several threads ---- */

/* Lines of every length, from empty to longer than a portion, many of them repeated. Chance
 * decides how many keys each thread adds to each shard. */
static size_t draw_text(uint64_t *random, char *text, size_t room)
{
	size_t at = 0, bytes, i;

	while (at + 80 < room) {
		switch (random_below(random, 20000)) {
		case 0:
			bytes = random_below(random, room - at - 70);
			bytes = bytes < 100000 ? bytes : 100000;
			memset(text + at, 'x', bytes);
			at += bytes;
			break;
		case 1:
			for (i = random_below(random, 60); i > 0; i--) {
				text[at++] = '\n';
			}
			break;
		default:
			at += key_text("line", random_below(random, 60000), text + at);
		}
		if (random_below(random, 10) == 0) {
			text[at++] = '\r';
		}
		text[at++] = '\n';
	}
	return random_below(random, 2) == 0 ? at : at - 1;
}

/* In pieces, some of which are too small for threads. */
static void feed_threads(bloom_builder *builder, uint64_t *random, const char *text, size_t bytes)
{
	bloom_lines lines = {0};
	size_t at, piece;

	for (at = 0; at < bytes; at += piece) {
		piece = 1 + random_below(random, 700000);
		piece = piece < bytes - at ? piece : bytes - at;
		assert_ok(bloom_builder_add_lines(
			builder, &lines, (const unsigned char *)text + at, piece, &error));
	}
	bloom_builder_end_lines(builder, &lines);
}

static void check_threads(
	const bloom_params *params, const char *text, size_t bytes, uint64_t *random)
{
	static const uint32_t jobs[] = {2, 3, 7, 64};
	bloom_builder one = {0}, threads;
	size_t i;

	assert_ok(bloom_builder_init(params, 5, 0, &one, &error));
	feed(&one, text, bytes, 100000);
	assert_true(one.keys > 10000 && one.keys < one.added);
	assert_ok(bloom_builder_finish(&one, 1, 1, &error));
	for (i = 0; i < sizeof jobs / sizeof *jobs; i++) {
		threads = (bloom_builder){0};
		assert_ok(bloom_builder_init(params, 5, 0, &threads, &error));
		threads.jobs = jobs[i];
		feed_threads(&threads, random, text, bytes);
		assert_ok(bloom_builder_finish(&threads, 1, 1, &error));
		assert_same_builders(&one, &threads);
		bloom_builder_free(&threads);
	}
	bloom_builder_free(&one);
}

static void several_threads_give_the_bytes_and_counts_of_one(void **state)
{
	enum { TEXT_BYTES = 4000000 };
	uint64_t random = test_seed("several threads give the bytes and counts of one");
	char *text = malloc(TEXT_BYTES);
	size_t bytes, i;

	(void)state;
	assert_non_null(text);
	for (i = 0; i < sizeof many / sizeof *many; i++) {
		bloom_params params = many[i];

		params.capacity_keys = 70000;
		bytes = draw_text(&random, text, TEXT_BYTES);
		check_threads(&params, text, bytes, &random);
	}
	free(text);
}

/* The error names the first overfull shard, whichever thread finds one first. */
static void several_threads_complain_as_one_does(void **state)
{
	bloom_params params = {.capacity_keys = 20000, .rate = 0.01, .ribbon = true};
	bloom_builder builder = {0};
	bloom_error first = {0};
	uint32_t jobs;
	uint64_t i;

	(void)state;
	assert_ok(bloom_builder_init(&params, 5, 0, &builder, &error));
	for (i = 0; i < 40000; i++) {
		(void)builder_add_key(&builder, "full", i);
	}
	assert_status(BLOOM_E_OVERFULL, bloom_builder_finish(&builder, 1, 1, &first));
	for (jobs = 1; jobs < 5; jobs++) {
		builder.jobs = jobs;
		assert_status(BLOOM_E_OVERFULL, bloom_builder_finish(&builder, 1, 1, &error));
		assert_string_equal(first.subject, error.subject);
	}
	bloom_builder_free(&builder);
}

/* ---- builders combined ---- */

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

typedef struct group_search {
	uint64_t group;
	bool found;
} group_search;

static bool see_group(void *context, uint64_t group)
{
	group_search *search = context;

	search->found |= group == search->group;
	return true;
}

static bool pool_has(const bloom_builder *builder, uint64_t i)
{
	char text[KEY_TEXT_BYTES];
	size_t count = key_text("pool", i, text);
	group_search search = {0};

	if (builder->geometry.groups == 0) {
		return has(builder, text, count);
	}
	search.group = i % builder->geometry.groups;
	bloom_reverse_groups(&builder->reverse,
		bloom_digest_of((const unsigned char *)text, count, builder->geometry.seed),
		see_group, &search);
	return search.found;
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

typedef bloom_status (*combination)(bloom_builder *builder, const bloom_head *head,
	const unsigned char *body, bloom_error *error);

/* Combines the builder with the other one's finished image. */
static bloom_status try_combine(combination combine, bloom_builder *one, bloom_builder *other)
{
	bloom_head head;

	assert_ok(bloom_builder_finish(other, 0, 1, &error));
	assert_ok(bloom_blob_parse(other->image, other->image_bytes, &head, &error));
	return combine(one, &head, other->image + head.head_bytes, &error);
}

static void combine_with(combination combine, bloom_builder *one, bloom_builder *other)
{
	assert_ok(try_combine(combine, one, other));
}

static void assert_same_bits(const bloom_builder *one, const bloom_builder *other)
{
	assert_memory_equal(one->bits, other->bits, bloom_geometry_bytes(&one->geometry));
}

/* Each shard's key count lies between the bounds that follow from the two filters, and the
 * counts add up. The image is a blob that every reader accepts. `before` holds the first
 * builder's key counts per shard before it was combined. */
static void assert_counts(
	bloom_builder *builder, const uint32_t *before, const bloom_builder *other, bool united)
{
	uint64_t shard, sum = 0;
	bloom_head head;

	for (shard = 0; shard < builder->geometry.shards; shard++) {
		uint32_t mine = before[shard], theirs = other->shard_keys[shard];
		uint32_t larger = mine > theirs ? mine : theirs;
		uint32_t smaller = mine > theirs ? theirs : mine;

		assert_in_range(builder->shard_keys[shard], united ? larger : 0,
			united ? mine + theirs : smaller);
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

		combine_with(bloom_builder_merge, &one, &other);
		assert_same_bits(&both, &one);
		assert_counts(&one, before, &other, true);
		assert_ok(bloom_builder_finish(&both, 0, 1, &error));
		assert_true(one.meta.measured_rate == both.meta.measured_rate);
		free(before);
		bloom_builder_free(&one);
		bloom_builder_free(&other);
		bloom_builder_free(&both);
	}
}

static void an_intersection_has_all_common_keys_and_no_more_than_either(void **state)
{
	uint64_t random = test_seed("intersections"), key;
	int i;

	(void)state;
	for (i = 0; i < 4 * COMBINED; i++) {
		pool keys = draw_pool(&combined[i % COMBINED], &random);
		bloom_builder one = build_sets(&keys, 1), other = build_sets(&keys, 2);
		bloom_builder first = build_sets(&keys, 1);
		uint32_t *before = copy_counts(&one);

		combine_with(bloom_builder_intersect, &one, &other);
		for (key = 0; key < 2 * keys.keys; key++) {
			bool is_common = key < keys.keys && (keys.sets[key] & 3) == 3;

			assert_true(pool_has(&one, key) || !is_common);
			assert_true(!pool_has(&one, key) ||
				(pool_has(&first, key) && pool_has(&other, key)));
		}
		assert_counts(&one, before, &other, false);
		assert_ok(bloom_builder_finish(&first, 0, 1, &error));
		assert_true(one.meta.measured_rate <= first.meta.measured_rate);
		assert_true(one.meta.measured_rate <= other.meta.measured_rate);
		free(before);
		bloom_builder_free(&one);
		bloom_builder_free(&other);
		bloom_builder_free(&first);
	}
}

/* (1 `inner` 2) `outer` 3 */
static bloom_builder nest(const pool *keys, combination inner, combination outer)
{
	bloom_builder one = build_sets(keys, 1), two = build_sets(keys, 2);
	bloom_builder three = build_sets(keys, 4);

	combine_with(inner, &one, &two);
	combine_with(outer, &three, &one);
	bloom_builder_free(&one);
	bloom_builder_free(&two);
	return three;
}

/* (3 `inner` 1) `outer` (3 `inner` 2) */
static bloom_builder distribute(const pool *keys, combination inner, combination outer)
{
	bloom_builder left = build_sets(keys, 1), right = build_sets(keys, 2);
	bloom_builder three = build_sets(keys, 4);

	combine_with(inner, &left, &three);
	combine_with(inner, &right, &three);
	combine_with(outer, &left, &right);
	bloom_builder_free(&right);
	bloom_builder_free(&three);
	return left;
}

static void unions_and_intersections_keep_the_laws_of_sets(void **state)
{
	static const combination combinations[] = {bloom_builder_merge, bloom_builder_intersect};
	uint64_t random = test_seed("laws");
	bloom_builder one, other;
	int i, j;

	(void)state;
	for (i = 0; i < 2 * COMBINED; i++) {
		pool keys = draw_pool(&combined[i / 2], &random);
		combination this = combinations[i % 2], that = combinations[1 - i % 2];

		/* Associativity: distributing an operation over itself only repeats an operand. */
		one = nest(&keys, this, this);
		other = distribute(&keys, this, this);
		assert_same_bits(&one, &other);
		bloom_builder_free(&one);
		bloom_builder_free(&other);
		/* Distributive. */
		one = nest(&keys, that, this);
		other = distribute(&keys, this, that);
		assert_same_bits(&one, &other);
		bloom_builder_free(&one);
		bloom_builder_free(&other);
		/* Idempotence, commutativity and absorption. */
		one = build_sets(&keys, 1);
		other = build_sets(&keys, 1);
		combine_with(this, &one, &other);
		assert_same_bits(&one, &other);
		for (j = 0; j < 2; j++) {
			bloom_builder second = build_sets(&keys, 2);

			combine_with(j == 0 ? this : that, &second, &one);
			combine_with(j == 0 ? that : this, &second, &one);
			assert_same_bits(&one, &second);
			bloom_builder_free(&second);
		}
		bloom_builder_free(&one);
		bloom_builder_free(&other);
	}
}

static void combining_in_either_order_gives_the_same(void **state)
{
	static const combination combinations[] = {bloom_builder_merge, bloom_builder_intersect};
	uint64_t random = test_seed("order");
	int i;

	(void)state;
	for (i = 0; i < 2 * COMBINED; i++) {
		pool keys = draw_pool(&combined[i / 2], &random);
		bloom_builder one = build_sets(&keys, 1), second = build_sets(&keys, 2);
		bloom_builder first = build_sets(&keys, 1), other = build_sets(&keys, 2);

		combine_with(combinations[i % 2], &one, &second);
		combine_with(combinations[i % 2], &other, &first);
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
		combine_with(bloom_builder_merge, &empty, &both);
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
	static const combination combinations[] = {bloom_builder_merge, bloom_builder_intersect};
	size_t i;

	(void)state;
	for (i = 0; i < 2 * (sizeof different / sizeof *different); i++) {
		bloom_builder one = start_with_a_key(&different[i / 2].one);
		bloom_builder same = start_with_a_key(&different[i / 2].one);
		bloom_builder other = start_with_a_key(&different[i / 2].other);

		pool_add(&other, 2);
		assert_status(BLOOM_E_DIFFERENT, try_combine(combinations[i % 2], &one, &other));
		assert_string_equal(different[i / 2].said, error.subject);
		/* And nothing was changed. */
		assert_same_bits(&same, &one);
		assert_int_equal(same.keys, one.keys);
		/* Filters with equal parameters can be combined. */
		combine_with(combinations[i % 2], &one, &same);
		assert_same_bits(&same, &one);
		bloom_builder_free(&one);
		bloom_builder_free(&same);
		bloom_builder_free(&other);
	}
}

/* ---- size ---- */

/* 600 MB are 4.8·10^9 bits: more than 2^32 bits and more than 512 MB, where a 32-bit index of
 * bits or bytes would wrap around. The filter gets few keys, so few pages are ever touched. */
static void a_filter_beyond_2_to_the_32_bits_works(void **state)
{
	enum { KEYS = 100000 };
	bloom_params params = {
		.capacity_keys = 4700000, .rate = 0.5, .bits_per_key = 1024, .shard_bytes = 65536};
	bloom_builder builder = {0};
	char text[KEY_TEXT_BYTES];
	uint64_t i, beyond = 0, maybe = 0, block;
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
		block = bloom_fast_range(digest.hash_hi, builder.view.blocks);
		beyond += block * 64 >= UINT64_C(1) << 29;
		assert_true(builder.bits[block * 64 + (digest.hash_lo & 511) / 8] >>
				(digest.hash_lo & 7) &
			1);
	}
	/* 2^29 bytes are 89.2 % of it. */
	assert_in_range(beyond, KEYS / 10, KEYS / 8);
	assert_ok(bloom_builder_finish(&builder, 0, 1, &error));
	assert_ok(bloom_blob_parse(builder.image, builder.image_bytes, &head, &error));
	assert_int_equal(KEYS, head.keys);
	assert_ok(bloom_body_verify(
		&head, builder.image + head.head_bytes, head.geometry.shards - 100, 100, &error));
	for (i = 0; i < KEYS; i++) {
		count = key_text("large", i, text);
		assert_true(has(&builder, text, count));
		count = key_text("absent", i, text);
		maybe += has(&builder, text, count);
	}
	assert_true(maybe < 5);
	bloom_builder_free(&builder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a key that was added is always found", a_key_that_was_added_is_always_found),
		TEST("nothing is found in an empty filter", nothing_is_found_in_an_empty_filter),
		TEST("keys may contain any bytes, or none", keys_may_hold_any_bytes),
		TEST("only new keys are counted", only_new_keys_are_counted),
		TEST("the same keys and seed give the same bytes",
			the_same_keys_and_seed_give_the_same_bytes),
		TEST("a new key changes exactly one chunk", a_new_key_changes_one_chunk),
		TEST("too many keys are refused at the end, and the builder is unchanged",
			too_many_keys_are_refused_at_the_end_and_more_room_accepted),
		TEST("a saturated filter is refused whatever the rate limit",
			a_saturated_filter_is_refused_whatever_the_limit),
		TEST("a line without an end is refused before memory runs out",
			a_line_without_an_end_is_refused_before_memory_ends),
		TEST("a filter that cannot be built is refused before any allocation",
			what_cannot_be_built_is_refused_before_memory_is_taken),
		TEST("lines are keys, whatever their line ends and wherever the text is split",
			lines_are_keys_however_the_text_is_cut),
		TEST("random texts may be split anywhere", random_texts_are_cut_anywhere),
		TEST("a line may be longer than any piece", a_line_may_be_longer_than_any_piece),
		TEST("an incomplete line can be discarded", a_broken_off_line_can_be_thrown_away),
		TEST("keys in batches are counted and set as one by one",
			keys_in_batches_are_counted_and_set_as_one_by_one),
		TEST("several threads produce the bytes and counts of one",
			several_threads_give_the_bytes_and_counts_of_one),
		TEST("several threads report the same errors as one",
			several_threads_complain_as_one_does),
		TEST("a union equals a single builder of all keys, bit for bit",
			a_union_is_what_one_builder_of_all_keys_is),
		TEST("an intersection has all common keys, and no more than either",
			an_intersection_has_all_common_keys_and_no_more_than_either),
		TEST("unions and intersections obey the laws of sets",
			unions_and_intersections_keep_the_laws_of_sets),
		TEST("combining in either order gives the same result",
			combining_in_either_order_gives_the_same),
		TEST("a builder can start with existing bits, or with none",
			a_builder_can_start_with_bits_that_are_there),
		TEST("a builder cannot start with an invalid chunk size",
			a_builder_cannot_start_with_chunks_that_do_not_fit),
		TEST("filters with different parameters are not combined, and the error names the "
		     "difference",
			filters_that_differ_are_not_combined_and_the_difference_is_named),
		TEST("a filter beyond 2^32 bits and 512 MB works",
			a_filter_beyond_2_to_the_32_bits_works),
	};

	return cmocka_run_group_tests_name("builder", tests, NULL, NULL);
}

/* Tests of adding many keys at once: the lines of a text, batches of digests, and several threads.
 * The bits and counts must equal those of the same keys added one by one. */
#include "support.h"

#include "build/lines.h"

/* ---- lines ---- */

/* Creates a builder whose rate is so low that no absent key is found by chance. */
static bloom_builder line_builder(void)
{
	bloom_params params = {.capacity_keys = 1000, .rate = 1e-6};
	bloom_builder builder = {0};

	assert_ok(bloom_builder_init(&params, 5, 0, &builder, &error));
	return builder;
}

/* Feeds `text` to the builder in pieces of `piece_bytes`. Each piece has an allocation of exactly
 * its size. */
static void feed_fields(
	bloom_builder *builder, uint32_t field, const char *text, size_t count, size_t piece_bytes)
{
	bloom_lines lines = {.field = field, .delimiter = ':'};
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
	assert_ok(bloom_builder_end_lines(builder, &lines, &error));
	assert_null(lines.carry);
}

static void feed(bloom_builder *builder, const char *text, size_t count, size_t piece_bytes)
{
	feed_fields(builder, 0, text, count, piece_bytes);
}

typedef struct line_case {
	uint32_t field;
	const char *text;
	size_t text_bytes;
	const char *keys; /* each key is followed by a "|" */
	size_t keys_bytes;
} line_case;

#define FIELDS(field, text, keys)                                   \
	{                                                           \
		field, text, sizeof text - 1, keys, sizeof keys - 1 \
	}
#define LINES(text, keys) FIELDS(0, text, keys)

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
	LINES("a:1\n:\n", "a:1|:|"),
	FIELDS(1, "a:1\r\nb:2:3\nc\n\n:4\nd:5", "a|b|c|||d|"),
	FIELDS(2, "a:1\nb:2:3\r\nc:\n::", "1|2|||"),
	FIELDS(3, "a:b:c\r\n::d\r", "c|d|"),
};

static void check_lines(const line_case *row, size_t piece_bytes)
{
	bloom_builder fed = line_builder();
	bloom_builder expected = line_builder();
	size_t from = 0, at;

	feed_fields(&fed, row->field, row->text, row->text_bytes, piece_bytes);
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
		line_case row = {0, text, random_below(&random, sizeof text), keys, 0};
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
	enum { LONG = BLOOM_LINE_BYTES_MAX };
	bloom_builder builder = line_builder();
	char *text = malloc(LONG + 3);

	(void)state;
	assert_non_null(text);
	memset(text, 'x', LONG);
	memcpy(text + LONG, "\nz", 3);
	feed(&builder, text, LONG + 2, 4096);
	assert_int_equal(2, builder.added);
	assert_true(builder_has(&builder, text, LONG));
	assert_true(builder_has(&builder, "z", 1));
	assert_false(builder_has(&builder, text, LONG - 1));
	free(text);
	bloom_builder_free(&builder);
}

/* Feeds a short line, a line of `bytes` and a last line, and returns the status. The text is not
 * all in memory: each piece has at most `piece_bytes`. */
static bloom_status feed_line(
	size_t bytes, size_t piece_bytes, const char *ending, uint32_t jobs, bloom_builder *builder)
{
	size_t room = strlen("first\n") + bytes + strlen(ending) + strlen("last"), at, piece;
	bloom_lines lines = {0};
	bloom_status status = BLOOM_OK;
	char *text = malloc(room + 1);

	assert_non_null(text);
	memset(text, 'x', room);
	memcpy(text, "first\n", 6);
	memcpy(text + 6 + bytes, ending, strlen(ending));
	memcpy(text + room - 4, "last", 5);
	*builder = line_builder();
	builder->jobs = jobs;
	for (at = 0; status == BLOOM_OK && at < room; at += piece) {
		piece = room - at < piece_bytes ? room - at : piece_bytes;
		status = bloom_builder_add_lines(
			builder, &lines, (unsigned char *)text + at, piece, &error);
		assert_true(lines.carry_capacity <= (size_t)2 * BLOOM_LINE_BYTES_MAX);
	}
	if (status == BLOOM_OK) {
		assert_ok(bloom_builder_end_lines(builder, &lines, &error));
	}
	bloom_lines_free(&lines);
	free(text);
	return status;
}

static void check_long_line(
	size_t bytes, size_t piece_bytes, const char *ending, uint32_t jobs, bool is_too_long)
{
	bloom_builder builder;

	assert_status(is_too_long ? BLOOM_E_LINE : BLOOM_OK,
		feed_line(bytes, piece_bytes, ending, jobs, &builder));
	assert_true(builder_has(&builder, "first", 5));
	if (is_too_long) {
		assert_int_equal(1, builder.added);
		assert_string_equal("line 2", error.subject);
	} else {
		assert_int_equal(ending[0] == 0 ? 2 : 3, builder.added);
	}
	bloom_builder_free(&builder);
}

static void a_line_that_is_too_long_is_refused(void **state)
{
	enum { MOST = BLOOM_LINE_BYTES_MAX };
	static const size_t lengths[] = {MOST - 1, MOST, MOST + 1, 2 * MOST + 1, 5 * MOST};
	static const size_t pieces[] = {4096, 100000, MOST, MOST + 6, 16 * MOST};
	size_t i, j;
	uint32_t jobs;

	(void)state;
	for (i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		for (j = 0; j < sizeof pieces / sizeof *pieces; j++) {
			for (jobs = 1; jobs < 4; jobs += 2) {
				check_long_line(
					lengths[i], pieces[j], "\n", jobs, lengths[i] > MOST);
				/* A CR, and what follows a line without an end, belong to it. */
				check_long_line(lengths[i], pieces[j], "\r\n", jobs,
					lengths[i] + strlen("\r") > MOST);
				check_long_line(lengths[i], pieces[j], "", jobs,
					lengths[i] + strlen("last") > MOST);
			}
		}
	}
}

static void a_broken_off_line_can_be_thrown_away(void **state)
{
	bloom_builder builder = line_builder();
	bloom_lines lines = {0};

	(void)state;
	assert_ok(bloom_builder_add_lines(
		&builder, &lines, (const unsigned char *)"whole\nbroken", 12, &error));
	bloom_lines_free(&lines);
	bloom_lines_free(&lines);
	assert_int_equal(1, builder.added);
	assert_false(builder_has(&builder, "broken", 6));
	bloom_builder_free(&builder);
}

/* ---- batches of digests ---- */

/* Parameters for each code path that sets bits: 64-byte blocks with few and with many probes,
 * smaller blocks, whole shards, and a ribbon filter, which stores digests. */
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

/* Adds about 8,000 keys that are drawn from 4,500 different ones, so many are repeated. */
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

/* Draws lines of many lengths, from empty to longer than one thread's portion of the text. Many
 * lines are repeated. The number of keys that each thread adds to each shard is random. */
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

/* Feeds the text in pieces, some of which are too small for several threads. */
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
	assert_ok(bloom_builder_end_lines(builder, &lines, &error));
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

/* The second field of each line is a key, which one line lacks. */
static size_t draw_fields(char *text, uint64_t count, uint64_t short_line)
{
	size_t at = 0;
	uint64_t i;

	for (i = 0; i < count; i++) {
		at += key_text("field", i, text + at);
		if (i != short_line) {
			text[at++] = ':';
			at += key_text("key", i, text + at);
		}
		text[at++] = '\n';
	}
	return at;
}

static void a_line_without_the_field_ends_a_text(void **state)
{
	enum { COUNT = 40000 };
	static const uint64_t shorts[] = {0, 1, COUNT / 2 - 1, COUNT / 2, COUNT - 1};
	bloom_params params = {.capacity_keys = COUNT, .rate = 1e-6};
	char *text = malloc(COUNT * (size_t)64), key[KEY_TEXT_BYTES], subject[64];
	size_t i, bytes;
	uint64_t at;

	(void)state;
	assert_non_null(text);
	for (i = 0; i < 5 * sizeof shorts / sizeof *shorts; i++) {
		bloom_lines lines = {.field = 2, .delimiter = ':'};
		uint64_t short_line = shorts[i / 5];
		bloom_builder builder = {0};

		assert_ok(bloom_builder_init(&params, 5, 0, &builder, &error));
		builder.jobs = 1 + (uint32_t)(i % 5);
		bytes = draw_fields(text, COUNT, short_line);
		assert_status(BLOOM_E_FIELD,
			bloom_builder_add_lines(
				&builder, &lines, (const unsigned char *)text, bytes, &error));
		(void)snprintf(subject, sizeof subject, "line %llu: no field 2",
			(unsigned long long)short_line + 1);
		assert_string_equal(subject, error.subject);
		assert_int_equal(short_line, builder.added);
		assert_int_equal(short_line, builder.keys);
		for (at = 0; at < short_line; at++) {
			assert_true(builder_has(&builder, key, key_text("key", at, key)));
		}
		bloom_lines_free(&lines);
		bloom_builder_free(&builder);
	}
	free(text);
}

static void several_threads_solve_an_overfull_filter_as_one_does(void **state)
{
	bloom_params params = {.capacity_keys = 20000, .rate = 0.01, .ribbon = true};
	bloom_builder builder = {0};
	unsigned char *image;
	uint32_t jobs;
	uint64_t i;

	(void)state;
	assert_ok(bloom_builder_init(&params, 5, 0, &builder, &error));
	for (i = 0; i < 40000; i++) {
		(void)builder_add_key(&builder, "full", i);
	}
	assert_ok(bloom_builder_finish(&builder, 1, 1, &error));
	image = malloc((size_t)builder.image_bytes);
	assert_non_null(image);
	memcpy(image, builder.image, (size_t)builder.image_bytes);
	for (jobs = 1; jobs < 5; jobs++) {
		builder.jobs = jobs;
		assert_ok(bloom_builder_finish(&builder, 1, 1, &error));
		assert_memory_equal(image, builder.image, (size_t)builder.image_bytes);
	}
	free(image);
	bloom_builder_free(&builder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("each line becomes a key with either line ending, no matter where the text is "
		     "split",
			lines_are_keys_however_the_text_is_cut),
		/* fault: odd-lines */
		TEST("splitting a random text anywhere does not change its keys",
			random_texts_are_cut_anywhere),
		/* fault: odd-lines */
		TEST("a line may extend over many pieces of the text",
			a_line_may_be_longer_than_any_piece),
		/* fault: no-line-ends */
		TEST("a line of more than 1 MiB is refused with its number, wherever the text "
		     "is split",
			a_line_that_is_too_long_is_refused),
		TEST("an incomplete line can be discarded", a_broken_off_line_can_be_thrown_away),
		TEST("keys added in batches give the same bits and counts as keys added one by one",
			keys_in_batches_are_counted_and_set_as_one_by_one),
		TEST("several threads produce the same bytes and counts as one thread",
			several_threads_give_the_bytes_and_counts_of_one),
		TEST("a line without the field of the key ends a text, and the lines before it are "
		     "added, with any number of threads",
			a_line_without_the_field_ends_a_text),
		TEST("several threads solve an overfull ribbon filter as one thread does",
			several_threads_solve_an_overfull_filter_as_one_does),
	};

	return cmocka_run_group_tests_name("bulk", tests, NULL, NULL);
}

#include "build/lines.h"

#include <stdlib.h>
#include <string.h>

#include "filter/value_map.h"
#include "os/mapping.h"
#include "os/parallel.h"

/* Returns the length of the key in a line, without the CR of a CR LF. */
static size_t key_bytes_of(const unsigned char *line, size_t line_bytes)
{
	return line_bytes > 0 && line[line_bytes - 1] == '\r' ? line_bytes - 1 : line_bytes;
}

/* Replaces a line by its key. Returns false if it has fewer fields. */
static bool find_key(const bloom_lines *lines, const unsigned char **line, size_t *line_bytes)
{
	const unsigned char *from = *line, *end = from + key_bytes_of(from, *line_bytes), *to;
	uint32_t field;

	for (field = 1; field < lines->field; field++) {
		from = memchr(from, lines->delimiter, (size_t)(end - from));
		if (from == NULL) {
			return false;
		}
		from++;
	}
	to = lines->field == 0 ? NULL : memchr(from, lines->delimiter, (size_t)(end - from));
	*line = from;
	*line_bytes = (size_t)((to != NULL ? to : end) - from);
	return true;
}

/* Hashes at most `capacity` complete lines and advances *bytes past them. Stops before a line
 * without a key and sets *is_bad. Returns the number of lines. */
static size_t hash_lines(const bloom_builder *builder, const bloom_lines *lines,
	const unsigned char **bytes, const unsigned char *end, bloom_digest *digests,
	size_t capacity, bool *is_bad)
{
	const unsigned char *line = *bytes, *key, *newline;
	size_t count = 0, key_bytes;

	while (count < capacity && line < end &&
		(newline = memchr(line, '\n', (size_t)(end - line))) != NULL) {
		key = line;
		key_bytes = (size_t)(newline - line);
		if (!find_key(lines, &key, &key_bytes)) {
			*is_bad = true;
			break;
		}
		digests[count++] = bloom_hash(&builder->hasher, key, key_bytes);
		line = newline + 1;
	}
	*bytes = line;
	return count;
}

/* Reads a value in decimal digits. A map of 64 value bits takes any signed number. */
static bool parse_value(
	uint32_t value_bits, const unsigned char *digits, size_t count, uint64_t *value)
{
	bool is_signed = value_bits == BLOOM_VALUE_BITS_MAX;
	bool is_negative = is_signed && count > 0 && digits[0] == '-';
	uint64_t most = (is_signed ? (uint64_t)INT64_MAX : UINT64_MAX) + is_negative;
	uint64_t sum = 0;
	unsigned digit;
	size_t i;

	for (i = is_negative; i < count; i++) {
		digit = (unsigned)digits[i] - '0';
		if (digit > 9 || sum > (most - digit) / 10) {
			return false;
		}
		sum = sum * 10 + digit;
	}
	*value = is_negative ? 0 - sum : sum;
	return count > is_negative && bloom_value_fits(*value, value_bits);
}

/* Sets the key of a line, which is followed by a TAB and the value. Returns false if there is no
 * TAB or no value that fits. */
static bool set_line(bloom_builder *builder, const unsigned char *line, size_t line_bytes)
{
	size_t tab = line_bytes;
	uint64_t value;

	while (tab > 0 && line[tab - 1] != '\t') {
		tab--;
	}
	if (tab == 0 ||
		!parse_value(builder->geometry.value_bits, line + tab, line_bytes - tab, &value)) {
		return false;
	}
	bloom_builder_set(builder, line, tab - 1, value);
	return true;
}

static void add_line(
	bloom_builder *builder, bloom_lines *lines, const unsigned char *line, size_t line_bytes)
{
	bloom_digest digest;

	if (builder->geometry.value_bits != 0) {
		lines->is_bad = !set_line(builder, line, key_bytes_of(line, line_bytes));
		return;
	}
	if (!find_key(lines, &line, &line_bytes)) {
		lines->is_bad = true;
		return;
	}
	if (builder->geometry.layers != 0) {
		(void)bloom_builder_add(builder, line, line_bytes);
		return;
	}
	digest = bloom_hash(&builder->hasher, line, line_bytes);
	(void)bloom_builder_add_digests(builder, &digest, 1);
}

/* Adds the complete lines that start at *bytes one by one, and advances *bytes past them. The layer
 * of a foreign filter has no parts that threads could own, and the lines of a map have values. */
static void add_each_line(bloom_builder *builder, bloom_lines *lines, const unsigned char **bytes,
	const unsigned char *end)
{
	const unsigned char *newline;

	while (*bytes < end && !lines->is_bad &&
		(newline = memchr(*bytes, '\n', (size_t)(end - *bytes))) != NULL) {
		add_line(builder, lines, *bytes, (size_t)(newline - *bytes));
		*bytes = newline + 1;
	}
}

/* Returns the first line that is too long, or NULL. Looks only for one line end in each MiB. */
static const unsigned char *find_long_line(const unsigned char *line, const unsigned char *end)
{
	const unsigned char *at;

	while (end - line > BLOOM_LINE_BYTES_MAX) {
		for (at = line + BLOOM_LINE_BYTES_MAX; *at != '\n'; at--) {
			if (at == line) {
				return line;
			}
		}
		line = at + 1;
	}
	return NULL;
}

static bloom_status fail_long_line(const bloom_lines *lines, bloom_error *error)
{
	return bloom_fail(
		error, BLOOM_E_LINE, 0, "line %llu", (unsigned long long)lines->lines + 1);
}

/* Appends bytes to the incomplete line. */
static bloom_status carry(
	bloom_lines *lines, const unsigned char *bytes, size_t count, bloom_error *error)
{
	size_t wanted = lines->carry_bytes + count;
	unsigned char *grown;

	if (wanted > BLOOM_LINE_BYTES_MAX) {
		return fail_long_line(lines, error);
	}
	if (wanted > lines->carry_capacity) {
		grown = realloc(lines->carry, wanted * 2);
		if (grown == NULL) {
			return bloom_fail(error, BLOOM_E_MEMORY, 0, "a line of %llu bytes",
				(unsigned long long)wanted);
		}
		lines->carry = grown;
		lines->carry_capacity = wanted * 2;
	}
	memcpy(lines->carry + lines->carry_bytes, bytes, count);
	lines->carry_bytes = wanted;
	return BLOOM_OK;
}

/* ---- several threads ---- */

/* The lines that one thread hashes, and their digests. */
typedef struct portion {
	const unsigned char *bytes;
	const unsigned char *end;
	bloom_digest *digests;
	size_t count;
	bool is_bad;        /* the line after these has no key */
	uint64_t added_new; /* new keys in the shards of this thread */
} portion;

typedef struct text_round {
	bloom_builder *builder;
	const bloom_lines *lines;
	uint32_t jobs;
	portion portions[BLOOM_JOBS_MAX];
} text_round;

/* Step 1: each thread hashes the lines of its own portion. */
static void hash_portion(void *context, uint32_t job)
{
	text_round *round = context;
	portion *mine = &round->portions[job];

	mine->count = hash_lines(round->builder, round->lines, &mine->bytes, mine->end,
		mine->digests, SIZE_MAX, &mine->is_bad);
}

/* Step 2: each thread adds all digests that fall into its own shards, in text order. Each shard
 * receives its digests in the same order as with one thread, so bits and counts are identical. No
 * two threads write the same bytes, so no atomics are needed. Every thread scans all digests, which
 * takes about 1 ns per digest. */
static void set_own_shards(void *context, uint32_t job)
{
	text_round *round = context;
	bloom_builder *builder = round->builder;
	uint64_t shards = builder->geometry.shards;
	uint64_t first = shards * job / round->jobs;
	uint64_t own = shards * (job + 1) / round->jobs - first;
	bloom_digest batch[BLOOM_BATCH_MAX];
	uint64_t added_new = 0;
	uint32_t from, count = 0;
	size_t i;

	for (from = 0; from < round->jobs; from++) {
		const portion *lines = &round->portions[from];

		for (i = 0; i < lines->count; i++) {
			batch[count] = lines->digests[i];
			/* This addition replaces a branch that would be unpredictable. */
			count += bloom_fast_range(batch[count], shards) - first < own;
			if (count == BLOOM_BATCH_MAX) {
				added_new += bloom_builder_set_digests(builder, batch, count);
				count = 0;
			}
		}
	}
	round->portions[job].added_new =
		added_new + bloom_builder_set_digests(builder, batch, count);
}

/* Splits complete lines into one portion per thread. Every line has at least one byte, its line
 * ending, so memory for one digest per byte is sufficient. */
static void split_lines(text_round *round, const unsigned char *bytes, const unsigned char *end,
	bloom_digest *digests)
{
	const unsigned char *from = bytes, *to;
	uint32_t job;

	for (job = 0; job < round->jobs; job++, from = to) {
		to = bytes + (size_t)(end - bytes) / round->jobs * (job + 1);
		to = job + 1 == round->jobs ? end
			: to <= from
			? from
			: (const unsigned char *)memchr(to - 1, '\n', (size_t)(end - to) + 1) + 1;
		round->portions[job] =
			(portion){.bytes = from, .end = to, .digests = digests + (from - bytes)};
	}
}

static void add_portions(bloom_builder *builder, bloom_lines *lines, const unsigned char *bytes,
	const unsigned char *end)
{
	text_round round = {.builder = builder, .lines = lines, .jobs = builder->jobs};
	uint32_t job;

	split_lines(&round, bytes, end, lines->digests);
	bloom_parallel(round.jobs, hash_portion, &round);
	for (job = 0; job < round.jobs; job++) {
		if (lines->is_bad) { /* in an earlier portion */
			round.portions[job].count = 0;
		}
		lines->is_bad |= round.portions[job].is_bad;
	}
	if (builder->geometry.stripes == 0) {
		bloom_parallel(round.jobs, set_own_shards, &round);
	}
	/* All threads have finished, so this thread can add up their counts. */
	for (job = 0; job < round.jobs; job++) {
		if (builder->geometry.stripes != 0) {
			(void)bloom_builder_add_digests(
				builder, round.portions[job].digests, round.portions[job].count);
		} else {
			builder->keys += round.portions[job].added_new;
			builder->added += round.portions[job].count;
		}
	}
}

static bloom_status reserve_digests(bloom_lines *lines, size_t count, bloom_error *error)
{
	uint64_t bytes = (uint64_t)count * sizeof *lines->digests;
	unsigned char *map = NULL;
	bloom_status status;

	if (bytes <= lines->digests_bytes) {
		return BLOOM_OK;
	}
	status = bloom_map_private(bytes, &map, error);
	if (status == BLOOM_OK) {
		bloom_unmap((const unsigned char *)lines->digests, lines->digests_bytes);
		lines->digests = (bloom_digest *)(void *)map;
		lines->digests_bytes = bytes;
	}
	return status;
}

/* Adds the complete lines that start at *bytes and advances *bytes past them. */
static bloom_status add_whole_lines(bloom_builder *builder, bloom_lines *lines,
	const unsigned char **bytes, const unsigned char *end, bloom_error *error)
{
	/* For smaller portions, starting a thread (about 30 µs) takes longer than it saves. */
	enum { PORTION_BYTES_MIN = 16 * 1024 };
	bloom_digest batch[BLOOM_BATCH_MAX];
	const unsigned char *last = end;
	bloom_status status;
	size_t hashed;

	if (builder->geometry.layers != 0 || builder->geometry.value_bits != 0) {
		add_each_line(builder, lines, bytes, end);
		return BLOOM_OK;
	}
	if (builder->jobs > 1 && (size_t)(end - *bytes) / builder->jobs >= PORTION_BYTES_MIN) {
		while (last > *bytes && last[-1] != '\n') {
			last--;
		}
		status = reserve_digests(lines, (size_t)(last - *bytes), error);
		if (status == BLOOM_OK && last > *bytes) {
			add_portions(builder, lines, *bytes, last);
			*bytes = last;
		}
		return status;
	}
	do {
		hashed = hash_lines(
			builder, lines, bytes, end, batch, BLOOM_BATCH_MAX, &lines->is_bad);
		(void)bloom_builder_add_digests(builder, batch, hashed);
	} while (hashed == BLOOM_BATCH_MAX);
	return BLOOM_OK;
}

/* Adds the complete lines of a piece, and carries the rest. */
static bloom_status add_piece(bloom_builder *builder, bloom_lines *lines,
	const unsigned char *bytes, const unsigned char *end, bloom_error *error)
{
	const unsigned char *newline;
	bloom_status status;

	if (lines->carry_bytes > 0 &&
		(newline = memchr(bytes, '\n', (size_t)(end - bytes))) != NULL) {
		status = carry(lines, bytes, (size_t)(newline - bytes), error);
		if (status != BLOOM_OK) {
			return status;
		}
		add_line(builder, lines, lines->carry, lines->carry_bytes);
		lines->carry_bytes = 0;
		bytes = newline + 1;
	}
	if (lines->carry_bytes == 0 && !lines->is_bad) {
		status = add_whole_lines(builder, lines, &bytes, end, error);
		if (status != BLOOM_OK) {
			return status;
		}
	}
	if (builder->out_of_memory) {
		return bloom_fail(
			error, BLOOM_E_MEMORY, 0, "%llu keys", (unsigned long long)builder->keys);
	}
	return bytes < end && !lines->is_bad ? carry(lines, bytes, (size_t)(end - bytes), error)
					     : BLOOM_OK;
}

/* Fails because of the first line that was not added. */
static bloom_status fail_bad_line(
	const bloom_builder *builder, const bloom_lines *lines, bloom_error *error)
{
	unsigned long long line = lines->lines + 1;
	uint32_t bits = builder->geometry.value_bits;

	if (lines->field != 0) {
		return bloom_fail(
			error, BLOOM_E_FIELD, 0, "line %llu: no field %u", line, lines->field);
	}
	return bits == BLOOM_VALUE_BITS_MAX
		? bloom_fail(error, BLOOM_E_MAP_LINE, 0, "line %llu: no value of 64 bits", line)
		: bloom_fail(error, BLOOM_E_MAP_LINE, 0, "line %llu: no value from 0 to %llu", line,
			  (unsigned long long)((UINT64_C(1) << bits) - 1));
}

bloom_status bloom_builder_add_lines(bloom_builder *builder, bloom_lines *lines,
	const unsigned char *bytes, size_t count, bloom_error *error)
{
	uint64_t added_before = builder->added;
	const unsigned char *end = bytes + count;
	const unsigned char *too_long = find_long_line(bytes, end);
	bloom_status status =
		add_piece(builder, lines, bytes, too_long != NULL ? too_long : end, error);

	lines->lines += builder->added - added_before;
	if (lines->is_bad) {
		return fail_bad_line(builder, lines, error);
	}
	return status == BLOOM_OK && too_long != NULL ? fail_long_line(lines, error) : status;
}

bloom_status bloom_builder_end_lines(bloom_builder *builder, bloom_lines *lines, bloom_error *error)
{
	bloom_status status = BLOOM_OK;

	if (lines->carry_bytes > 0) {
		add_line(builder, lines, lines->carry, lines->carry_bytes);
	}
	if (lines->is_bad) {
		status = fail_bad_line(builder, lines, error);
	}
	bloom_lines_free(lines);
	return status;
}

void bloom_lines_free(bloom_lines *lines)
{
	free(lines->carry);
	bloom_unmap((const unsigned char *)lines->digests, lines->digests_bytes);
	*lines = (bloom_lines){0};
}

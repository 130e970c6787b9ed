/* Tests of marks, records and additions: what is written is read back, every change is detected,
 * and no generation is served without its additions. */
#include "support.h"

#include "filter/journal_record.h"
#include "kinds/additions.h"
#include "kinds/loaded.h"
#include "segment/stage.h"
#include "segment/switch.h"

enum { RECORD_ROOM = 4096 };

static const char name[] = "tags";

/* ---- marks ---- */

static void fill(unsigned char *bytes, size_t count, uint64_t *random)
{
	size_t i;

	for (i = 0; i < count; i++) {
		bytes[i] = (unsigned char)random_next(random);
	}
}

static bloom_mark random_mark(uint64_t *random, bool is_signed)
{
	/* Numbers of every length, so that the text has every length. */
	bloom_mark mark = {
		.epoch = random_next(random) >> random_below(random, 63) | 1,
		.offset = random_next(random) >> random_below(random, 63) | 1,
	};

	fill(mark.check, sizeof mark.check, random);
	if (is_signed) {
		fill(mark.link, sizeof mark.link, random);
	}
	return mark;
}

static void assert_same(const bloom_mark *expected, const bloom_mark *mark)
{
	assert_true(bloom_mark_is_same(expected, mark));
	assert_memory_equal(expected->link, mark->link, sizeof mark->link);
}

static void a_mark_survives_its_text_and_its_bytes(void **state)
{
	uint64_t random = test_seed("marks");
	unsigned char bytes[BLOOM_MARK_BYTES];
	char text[BLOOM_MARK_TEXT_BYTES];
	bloom_mark mark, parsed;
	size_t length;
	int i;

	(void)state;
	for (i = 0; i < 1000; i++) {
		mark = random_mark(&random, i % 2 == 0);
		if (i == 0) {
			mark = (bloom_mark){.epoch = 1};
		} else if (i == 1) {
			mark = (bloom_mark){.epoch = UINT64_MAX, .offset = UINT64_MAX};
		}
		length = bloom_mark_text(&mark, text);
		assert_int_equal(strlen(text), length);
		assert_ok(bloom_mark_parse(text, length, &parsed, &error));
		assert_same(&mark, &parsed);
		bloom_mark_put(&mark, bytes);
		parsed = bloom_mark_get(bytes);
		assert_same(&mark, &parsed);
		length = bloom_mark_position(&mark, text);
		assert_ok(bloom_mark_parse(text, length, &parsed, &error));
		memset(mark.link, 0, sizeof mark.link);
		assert_same(&mark, &parsed);
	}
}

static void a_text_that_is_not_a_mark_is_refused(void **state)
{
	static const char *const texts[] = {"", "-", "1", "1-2", "1-2-", "1-2-0123456789abcde",
		"1-2-0123456789abcdef0", "1-2-0123456789abcdeF", "1-2-0123456789abcdeg",
		"01-2-0123456789abcdef", "1-02-0123456789abcdef", "+1-2-0123456789abcdef",
		" 1-2-0123456789abcdef", "1-2-0123456789abcdef ", "1-2-0123456789abcdef\n",
		"-1-2-0123456789abcdef", "1--2-0123456789abcdef", "1-2-0123456789abcdef-",
		"1-2-0123456789abcdef-00", "0-2-0123456789abcdef", "1-0-0123456789abcdef",
		"18446744073709551616-2-0123456789abcdef",
		"1-18446744073709551616-0123456789abcdef", "1-2-0123456789abcdef-0123456789abcdef",
		"1.0-2-0123456789abcdef", "1e3-2-0123456789abcdef", "0x1-2-0123456789abcdef"};
	const char whole[] = "12-34-0123456789abcdef-"
			     "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
	bloom_mark mark = {.epoch = 99}, untouched = mark;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof texts / sizeof *texts; i++) {
		assert_status(
			BLOOM_E_MARK, bloom_mark_parse(texts[i], strlen(texts[i]), &mark, &error));
		assert_same(&untouched, &mark);
	}
	/* Of all beginnings, only the position alone is a mark, too. */
	for (i = 0; i < sizeof whole; i++) {
		assert_status(i == 22 || i == sizeof whole - 1 ? BLOOM_OK : BLOOM_E_MARK,
			bloom_mark_parse(whole, i, &mark, &error));
	}
}

static void marks_are_compared_within_their_journal(void **state)
{
	const bloom_mark mark = {.epoch = 5, .offset = 10, .check = "check"};
	bloom_mark other = mark;

	(void)state;
	other.link[3] = 1;
	assert_true(bloom_mark_is_same(&mark, &other));
	assert_true(bloom_mark_reaches(&other, &mark));
	other.check[7] = 1;
	assert_false(bloom_mark_is_same(&mark, &other));
	other = mark;
	other.offset = 11;
	assert_false(bloom_mark_is_same(&mark, &other));
	assert_true(bloom_mark_reaches(&other, &mark));
	assert_false(bloom_mark_reaches(&mark, &other));
	other.epoch = 6;
	assert_false(bloom_mark_reaches(&other, &mark));
}

/* ---- records ---- */

typedef struct records {
	unsigned char record[6][RECORD_ROOM];
	uint64_t count[6];
	bloom_mark before[6];
	bloom_ring ring;
} records;

static uint64_t put_key(unsigned char *payload, uint64_t at, const void *key, size_t count)
{
	bloom_put32(payload + at, (uint32_t)count);
	memcpy(payload + at + 4, key, count);
	return at + 4 + count;
}

/* A chain of six records with one key each: "0" to "5". */
static void make_chain(records *chain, bool is_signed)
{
	unsigned char secret[BLOOM_SECRET_BYTES] = "a signing key";
	bloom_mark end = {.epoch = 9};
	uint64_t bytes;
	unsigned i;
	char key;

	memset(chain, 0, sizeof *chain);
	chain->ring = (bloom_ring){.configured = is_signed, .count = is_signed};
	if (is_signed) {
		assert_ok(bloom_secret_make(secret, &chain->ring.secret[0], &error));
	}
	for (i = 0; i < 6; i++) {
		key = (char)('0' + i);
		bytes = put_key(chain->record[i] + bloom_record_payload_at(is_signed), 0, &key, 1);
		chain->count[i] = bloom_record_bytes(bytes, is_signed);
		chain->before[i] = end;
		bloom_record_write(chain->record[i], bytes, BLOOM_RECORD_KEYS, 1, name, i, &end,
			is_signed ? &chain->ring.secret[0] : NULL, end.link);
	}
}

static bloom_status parse(
	const records *chain, const unsigned char *bytes, uint64_t count, bloom_mark *at)
{
	bloom_record record;

	return bloom_record_parse(bytes, count, name, at, &chain->ring, &record, at, &error);
}

static void all_keys_of_a_record_are_read_back(void **state)
{
	static unsigned char bytes[RECORD_ROOM];
	uint64_t random = test_seed("records"), at, read, key_bytes;
	const bloom_mark before = {.epoch = 9};
	unsigned char keys[40][50];
	const unsigned char *key;
	size_t length[40];
	bloom_record record;
	bloom_mark after;
	uint32_t i, count;
	int round;

	(void)state;
	for (round = 0; round < 200; round++) {
		count = (uint32_t)random_below(&random, 41);
		for (i = 0, at = 0; i < count; i++) {
			length[i] = (size_t)random_below(&random, 51);
			fill(keys[i], length[i], &random);
			at = put_key(
				bytes + bloom_record_payload_at(false), at, keys[i], length[i]);
		}
		bloom_record_write(
			bytes, at, BLOOM_RECORD_KEYS, count, name, 77, &before, NULL, NULL);
		assert_ok(bloom_record_parse(bytes, bloom_record_bytes(at, false), name, &before,
			NULL, &record, &after, &error));
		assert_int_equal(BLOOM_RECORD_KEYS, record.kind);
		assert_int_equal(count, record.count);
		assert_int_equal(77, record.written_ms);
		for (i = 0, read = 0; bloom_record_next(&record, &read, &key, &key_bytes); i++) {
			assert_int_equal(length[i], key_bytes);
			assert_memory_equal(keys[i], key, length[i]);
		}
		assert_int_equal(count, i);
	}
}

/* Every bit of a record is flipped, and every length is tried. */
static void try_changes(bool is_signed)
{
	static unsigned char bytes[RECORD_ROOM];
	bloom_mark at;
	uint64_t i;
	records chain;

	make_chain(&chain, is_signed);
	memcpy(bytes, chain.record[1], chain.count[1]);
	for (i = 0; i < chain.count[1] * 8; i++) {
		bytes[i / 8] ^= (unsigned char)(1 << i % 8);
		at = chain.before[1];
		assert_status(BLOOM_E_RECORD, parse(&chain, bytes, chain.count[1], &at));
		assert_same(&chain.before[1], &at);
		bytes[i / 8] ^= (unsigned char)(1 << i % 8);
	}
	for (i = 0; i <= chain.count[1] + 1; i++) {
		at = chain.before[1];
		assert_status(i == chain.count[1] ? BLOOM_OK : BLOOM_E_RECORD,
			parse(&chain, bytes, i, &at));
	}
}

static void a_record_with_a_flipped_bit_or_another_length_is_refused(void **state)
{
	(void)state;
	try_changes(false);
	if (bloom_has_sodium()) {
		try_changes(true);
	}
}

static void a_forger_without_the_key_can_change_no_byte(void **state)
{
	static unsigned char bytes[RECORD_ROOM];
	uint64_t i, check_at;
	bloom_mark at;
	records chain;

	(void)state;
	if (!bloom_has_sodium()) {
		skip_because("built without libsodium");
	}
	make_chain(&chain, true);
	memcpy(bytes, chain.record[1], chain.count[1]);
	check_at = chain.count[1] - BLOOM_CHECK_BYTES;
	for (i = 0; i < check_at * 8; i++) {
		bytes[i / 8] ^= (unsigned char)(1 << i % 8);
		bloom_put64(bytes + check_at, bloom_checksum(bytes, (size_t)check_at));
		at = chain.before[1];
		assert_int_not_equal(BLOOM_OK, parse(&chain, bytes, chain.count[1], &at));
		bytes[i / 8] ^= (unsigned char)(1 << i % 8);
	}
}

static void key_lengths_beyond_their_record_are_refused(void **state)
{
	static const uint32_t lengths[] = {2, 0, 9, 0x7fffffff, 0xfffffffb, UINT32_MAX};
	unsigned char *payload;
	uint64_t check_at;
	bloom_mark at;
	records chain;
	size_t i;

	(void)state;
	make_chain(&chain, false);
	payload = chain.record[0] + bloom_record_payload_at(false);
	check_at = chain.count[0] - BLOOM_CHECK_BYTES;
	for (i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		bloom_put32(payload, lengths[i]);
		bloom_put64(chain.record[0] + check_at,
			bloom_checksum(chain.record[0], (size_t)check_at));
		at = chain.before[0];
		assert_status(BLOOM_E_RECORD, parse(&chain, chain.record[0], chain.count[0], &at));
	}
}

/* The version is the last character of the magic. */
static void a_record_of_another_version_is_refused(void **state)
{
	static const char versions[] = {'0', '1', '3', '9'};
	static const char others[] = {'/', ':', 0, 'J'};
	uint64_t check_at;
	bloom_mark at;
	records chain;
	size_t i;

	(void)state;
	make_chain(&chain, false);
	check_at = chain.count[0] - BLOOM_CHECK_BYTES;
	for (i = 0; i < sizeof versions + sizeof others; i++) {
		chain.record[0][3] =
			(unsigned char)(i < sizeof versions ? versions[i]
							    : others[i - sizeof versions]);
		bloom_put64(chain.record[0] + check_at,
			bloom_checksum(chain.record[0], (size_t)check_at));
		at = chain.before[0];
		assert_status(i < sizeof versions ? BLOOM_E_RECORD_VERSION : BLOOM_E_RECORD,
			parse(&chain, chain.record[0], chain.count[0], &at));
		assert_same(&chain.before[0], &at);
	}
}

/* Only the kinds that a reader may ignore can be unknown to it. */
static void a_reader_goes_on_after_known_and_optional_kinds_only(void **state)
{
	static const uint32_t known[] = {
		BLOOM_RECORD_KEYS, BLOOM_RECORD_VERSION, BLOOM_RECORD_LOSS, 0x80000000, UINT32_MAX};
	static const uint32_t unknown[] = {0, 9, 1000, 0x7fffffff};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof known / sizeof *known; i++) {
		assert_ok(bloom_record_check_kind(&(bloom_record){.kind = known[i]}, name, &error));
	}
	for (i = 0; i < sizeof unknown / sizeof *unknown; i++) {
		assert_status(BLOOM_E_RECORD_KIND,
			bloom_record_check_kind(&(bloom_record){.kind = unknown[i]}, name, &error));
	}
}

static void a_notice_of_a_loss_holds_one_position(void **state)
{
	unsigned char bytes[RECORD_ROOM];
	bloom_mark lost = {.epoch = 7, .offset = 1000, .check = "lost"}, before = {.epoch = 7};
	bloom_mark after, found;
	bloom_record record;
	uint64_t count;

	(void)state;
	for (count = 0; count < 40; count++) {
		memset(bytes, 0, sizeof bytes);
		bloom_position_put(&lost, bytes + bloom_record_payload_at(false));
		bloom_record_write(
			bytes, count, BLOOM_RECORD_LOSS, 0, name, 0, &before, NULL, NULL);
		assert_status(count == BLOOM_POSITION_BYTES ? BLOOM_OK : BLOOM_E_RECORD,
			bloom_record_parse(bytes, bloom_record_bytes(count, false), name, &before,
				NULL, &record, &after, &error));
	}
	bloom_record_write(
		bytes, BLOOM_POSITION_BYTES, BLOOM_RECORD_LOSS, 0, name, 0, &before, NULL, NULL);
	assert_ok(bloom_record_parse(bytes, bloom_record_bytes(BLOOM_POSITION_BYTES, false), name,
		&before, NULL, &record, &after, &error));
	found = bloom_record_lost(&record);
	assert_same(&lost, &found);
}

/* A store returns records in any order, with gaps and repetitions. */
static void only_a_beginning_of_a_signed_chain_is_accepted(void **state)
{
	bloom_mark at;
	bloom_status status;
	unsigned i, next;
	int one, two, three;
	records chain;

	(void)state;
	if (!bloom_has_sodium()) {
		skip_because("built without libsodium");
	}
	make_chain(&chain, true);
	for (one = 0; one < 6; one++) {
		for (two = 0; two < 6; two++) {
			for (three = 0; three < 6; three++) {
				const int order[] = {one, two, three};

				at = chain.before[0];
				for (i = 0, next = 0; i < 3; i++) {
					status = parse(&chain, chain.record[order[i]],
						chain.count[order[i]], &at);
					if ((unsigned)order[i] != next) {
						assert_status(BLOOM_E_RECORD_CHAIN, status);
						break;
					}
					assert_ok(status);
					next++;
				}
			}
		}
	}
	/* The same bytes in another journal, or for another filter. */
	at = chain.before[0];
	at.epoch++;
	assert_status(
		BLOOM_E_RECORD_SIGNATURE, parse(&chain, chain.record[0], chain.count[0], &at));
	at = chain.before[0];
	assert_status(BLOOM_E_RECORD_NAME,
		bloom_record_parse(chain.record[0], chain.count[0], "other", &at, &chain.ring,
			&(bloom_record){0}, &at, &error));
}

/* A writer continues behind any record, and a reader that begins there agrees on the link. */
static void a_writer_takes_the_link_from_any_last_record(void **state)
{
	bloom_mark at = {.epoch = 9};
	static const unsigned char zeros[BLOOM_LINK_BYTES];
	unsigned char link[BLOOM_LINK_BYTES];
	records chain;

	(void)state;
	make_chain(&chain, false);
	bloom_record_link(chain.record[4], chain.count[4], link);
	assert_memory_equal(zeros, link, sizeof link);
	if (!bloom_has_sodium()) {
		skip_because("built without libsodium");
	}
	make_chain(&chain, true);
	bloom_record_link(chain.record[4], chain.count[4], link);
	memcpy(at.link, link, sizeof link);
	assert_ok(parse(&chain, chain.record[5], chain.count[5], &at));
	memcpy(at.link, link, sizeof link);
	assert_status(BLOOM_E_RECORD_CHAIN, parse(&chain, chain.record[4], chain.count[4], &at));
	/* No record, a part of one, and a damaged one. */
	bloom_record_link(chain.record[4], 0, link);
	assert_memory_equal(zeros, link, sizeof link);
	bloom_record_link(chain.record[4], chain.count[4] - 1, link);
	assert_memory_equal(zeros, link, sizeof link);
	chain.record[4][50] ^= 1;
	bloom_record_link(chain.record[4], chain.count[4], link);
	assert_memory_equal(zeros, link, sizeof link);
}

/* ---- additions ---- */

static const bloom_mark blob_mark = {.epoch = 7, .offset = 3, .check = "before"};

/* A blob of one key. */
static test_blob blob_of_one(const bloom_mark *mark)
{
	bloom_params params = {.capacity_keys = 1000, .rate = 1e-6};
	bloom_builder builder = {0};

	assert_ok(bloom_builder_init(&params, 1, 0, &builder, &error));
	(void)builder_add_key(&builder, "blob", 0);
	builder.meta.mark = *mark;
	return blob_from(&builder);
}

typedef struct pair {
	bloom_stage blob, added;
	bloom_live *live;
} pair;

static void set_max_lag(bloom_live *live, uint64_t max_lag_ms)
{
	bloom_store_relaxed(&live->head->read_to.lag.max_ms, max_lag_ms);
}

static void stage_like(
	const bloom_segment *segment, uint64_t max_lag_ms, const bloom_live *like, pair *staged)
{
	test_blob blob = blob_of_one(&blob_mark);

	memset(staged, 0, sizeof *staged);
	assert_ok(bloom_stage_begin(segment, name, blob.count, &staged->blob, &error));
	assert_ok(bloom_stage_write(&staged->blob, blob.bytes, blob.count, &error));
	assert_ok(bloom_additions_stage(
		segment, name, &staged->blob.head, 0, like, &staged->added, &staged->live, &error));
	assert_int_equal(BLOOM_MAX_LAG_MS_DEFAULT, bloom_additions_max_lag(staged->live));
	set_max_lag(staged->live, max_lag_ms);
	blob_free(&blob);
}

static void stage_marked(const bloom_segment *segment, uint64_t max_lag_ms, pair *staged)
{
	stage_like(segment, max_lag_ms, NULL, staged);
}

static bloom_status commit(pair *staged)
{
	uint64_t generation;

	bloom_live_free(staged->live);
	staged->live = NULL;
	staged->blob.additions = &staged->added;
	return bloom_stage_commit(&staged->blob, &generation, &error);
}

static void load_marked(const bloom_segment *segment, uint64_t max_lag_ms)
{
	pair staged;

	stage_marked(segment, max_lag_ms, &staged);
	assert_ok(bloom_additions_announce(&staged.added, &error));
	assert_ok(bloom_additions_advance(staged.live, segment, name, &blob_mark, &blob_mark,
		bloom_uptime_ms(), 0, NULL, &error));
	assert_ok(commit(&staged));
}

/* A record with key `i` of the family "added". */
static bloom_record record_of(uint64_t i, unsigned char bytes[RECORD_ROOM])
{
	char text[KEY_TEXT_BYTES];
	bloom_mark before = {.epoch = 7}, after;
	uint64_t at = put_key(
		bytes + bloom_record_payload_at(false), 0, text, key_text("added", i, text));
	bloom_record record;

	bloom_record_write(bytes, at, BLOOM_RECORD_KEYS, 1, name, 0, &before, NULL, NULL);
	assert_ok(bloom_record_parse(bytes, bloom_record_bytes(at, false), name, &before, NULL,
		&record, &after, &error));
	return record;
}

static bool insert(const bloom_segment *segment, uint64_t i)
{
	unsigned char bytes[RECORD_ROOM];
	bloom_record record = record_of(i, bytes);
	bool inserted;

	assert_ok(bloom_additions_insert(segment, name, &record, 1, NULL, &inserted, &error));
	return inserted;
}

static void a_blob_with_a_mark_is_served_only_with_announced_additions(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_of_one(&blob_mark);
	bloom_attachment filter;
	pair first, second;

	(void)state;
	assert_status(BLOOM_E_NO_JOURNAL, load(&segment, name, blob, NULL));
	stage_marked(&segment, 0, &first);
	assert_status(BLOOM_E_OVERTAKEN, commit(&first));
	assert_status(BLOOM_E_NOT_FOUND, bloom_attach(&segment, name, &filter, &error));
	/* Of two processes that stage, only the last to announce can switch. */
	stage_marked(&segment, 0, &first);
	stage_marked(&segment, 0, &second);
	assert_ok(bloom_additions_announce(&first.added, &error));
	assert_ok(bloom_additions_announce(&second.added, &error));
	assert_status(BLOOM_E_OVERTAKEN, commit(&first));
	assert_status(BLOOM_E_NOT_FOUND, bloom_attach(&segment, name, &filter, &error));
	assert_ok(commit(&second));
	attach_to(&segment, name, &filter);
	assert_true(filter_has(&filter, "blob", 0));
	bloom_detach(&filter);
	blob_free(&blob);
}

static void an_inserted_key_is_in_the_served_and_in_the_announced_additions(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment filter;
	pair next;

	(void)state;
	assert_false(insert(&segment, 0)); /* nothing is served here */
	load_marked(&segment, 0);
	attach_to(&segment, name, &filter);
	assert_true(insert(&segment, 1));
	assert_true(filter_answers(&filter, "added", 1));
	assert_false(filter_answers(&filter, "added", 0));
	stage_marked(&segment, 0, &next);
	assert_true(insert(&segment, 2)); /* before the announcement: only where it is served */
	assert_ok(bloom_additions_announce(&next.added, &error));
	assert_true(insert(&segment, 3));
	assert_true(filter_answers(&filter, "added", 2));
	assert_true(filter_answers(&filter, "added", 3));
	assert_ok(bloom_additions_advance(
		next.live, &segment, name, &blob_mark, &blob_mark, 1, 0, NULL, &error));
	assert_ok(commit(&next));
	assert_true(filter_answers(&filter, "added", 3));
	/* The last read of the journal would have returned key 2. There was none. */
	assert_false(filter_answers(&filter, "added", 2));
	bloom_detach(&filter);
}

static void the_read_position_never_goes_back(void **state)
{
	const bloom_mark ahead = {.epoch = 7, .offset = 9, .check = "ahead"};
	const bloom_mark back = {.epoch = 7, .offset = 5, .check = "back"};
	const bloom_mark other = {.epoch = 8, .offset = 50, .check = "other"};
	const bloom_mark regrown = {.epoch = 7, .offset = 12, .check = "regrown"};
	bloom_segment segment = scratch_segment();
	bloom_read_to read_to;
	pair staged;

	(void)state;
	stage_marked(&segment, 0, &staged);
	read_to = bloom_additions_read_to(staged.live);
	assert_same(&blob_mark, &read_to.mark);
	assert_int_equal(0, read_to.complete_ms);
	assert_ok(bloom_additions_advance(
		staged.live, &segment, name, &blob_mark, &ahead, 500, 6, NULL, &error));
	assert_ok(bloom_additions_advance(
		staged.live, &segment, name, &blob_mark, &back, 400, 2, NULL, &error));
	assert_ok(bloom_additions_advance(
		staged.live, &segment, name, &blob_mark, &other, 900, 1, NULL, &error));
	read_to = bloom_additions_read_to(staged.live);
	assert_same(&ahead, &read_to.mark);
	assert_int_equal(500, read_to.complete_ms);
	assert_int_equal(6, read_to.records);
	/* The journal may have lost "ahead" and grown again. The next read from there shows it. */
	assert_ok(bloom_additions_advance(
		staged.live, &segment, name, &blob_mark, &regrown, 550, 9, NULL, &error));
	read_to = bloom_additions_read_to(staged.live);
	assert_same(&ahead, &read_to.mark);
	assert_int_equal(550, read_to.complete_ms);
	/* A slower process that saw the end later extends only the time. */
	assert_ok(bloom_additions_advance(
		staged.live, &segment, name, &blob_mark, &back, 600, 2, NULL, &error));
	assert_ok(bloom_additions_advance(
		staged.live, &segment, name, &blob_mark, &ahead, 0, 0, NULL, &error));
	read_to = bloom_additions_read_to(staged.live);
	assert_same(&ahead, &read_to.mark);
	assert_int_equal(600, read_to.complete_ms);
	assert_int_equal(6, read_to.records);
	bloom_live_free(staged.live);
	bloom_stage_abort(&staged.added);
	bloom_stage_abort(&staged.blob);
}

static void additions_are_trusted_for_the_maximal_lag(void **state)
{
	bloom_segment segment = scratch_segment();
	pair staged;

	(void)state;
	stage_marked(&segment, 1000, &staged);
	/* Never complete: not even if any age is allowed. */
	assert_int_equal(0, bloom_additions_trusted_ms(staged.live, 5000));
	set_max_lag(staged.live, 0);
	assert_int_equal(0, bloom_additions_trusted_ms(staged.live, 5000));
	assert_ok(bloom_additions_advance(
		staged.live, &segment, name, &blob_mark, &blob_mark, 5000, 0, NULL, &error));
	assert_int_equal(UINT64_MAX, bloom_additions_trusted_ms(staged.live, UINT64_MAX));
	set_max_lag(staged.live, 1000);
	assert_int_equal(1000, bloom_additions_max_lag(staged.live));
	assert_int_equal(1000, bloom_additions_trusted_ms(staged.live, 5000));
	assert_int_equal(1, bloom_additions_trusted_ms(staged.live, 5999));
	assert_int_equal(0, bloom_additions_trusted_ms(staged.live, 6000));
	assert_int_equal(0, bloom_additions_trusted_ms(staged.live, UINT64_MAX));
	/* Another process read the clock a moment later. */
	assert_int_equal(1000, bloom_additions_trusted_ms(staged.live, 5000 - BLOOM_CLOCK_SKEW_MS));
	/* A time that is further ahead is of an earlier boot, or of a wrong clock. */
	assert_int_equal(
		0, bloom_additions_trusted_ms(staged.live, 5000 - BLOOM_CLOCK_SKEW_MS - 1));
	set_max_lag(staged.live, 0);
	assert_int_equal(
		0, bloom_additions_trusted_ms(staged.live, 5000 - BLOOM_CLOCK_SKEW_MS - 1));
	bloom_live_free(staged.live);
	bloom_stage_abort(&staged.added);
	bloom_stage_abort(&staged.blob);
}

static void a_time_from_the_future_is_replaced_by_the_present(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t now_ms = bloom_uptime_ms(), ahead_ms = now_ms + 3600000;
	pair staged;

	(void)state;
	stage_marked(&segment, 60000, &staged);
	assert_ok(bloom_additions_advance(
		staged.live, &segment, name, &blob_mark, &blob_mark, ahead_ms, 0, NULL, &error));
	assert_int_equal(0, bloom_additions_trusted_ms(staged.live, now_ms));
	/* Not the journal's end: this proves nothing about the present. */
	assert_ok(bloom_additions_advance(
		staged.live, &segment, name, &blob_mark, &blob_mark, 0, 0, NULL, &error));
	assert_int_equal(ahead_ms, bloom_additions_read_to(staged.live).complete_ms);
	assert_ok(bloom_additions_advance(
		staged.live, &segment, name, &blob_mark, &blob_mark, now_ms, 0, NULL, &error));
	assert_int_equal(60000, bloom_additions_trusted_ms(staged.live, now_ms));
	bloom_live_free(staged.live);
	bloom_stage_abort(&staged.added);
	bloom_stage_abort(&staged.blob);
}

static uint64_t ask(bloom_lag *lag, uint64_t max_lag_ms, uint64_t now_ms)
{
	bloom_lag_ask(lag, max_lag_ms, now_ms);
	return lag->max_ms;
}

static void the_shortest_lag_of_the_last_hour_wins(void **state)
{
	enum { HOUR = 3600000, NOW = 50000 };
	bloom_lag lag = {.max_ms = BLOOM_MAX_LAG_MS_DEFAULT};
	uint64_t now_ms;

	(void)state;
	assert_int_equal(60000, ask(&lag, BLOOM_MAX_LAG_KEEP, NOW));
	/* Nobody asked for the default, so the first request may be longer. */
	assert_int_equal(0, ask(&lag, 0, NOW));
	assert_int_equal(90000, ask(&lag, 90000, NOW));
	assert_int_equal(2000, ask(&lag, 2000, NOW + 1));
	assert_int_equal(2000, ask(&lag, 60000, NOW + 2));
	assert_int_equal(2000, ask(&lag, 0, NOW + 3));
	assert_int_equal(2000, ask(&lag, BLOOM_MAX_LAG_KEEP, NOW + 10 * HOUR));
	/* A service and pages. */
	for (now_ms = NOW; now_ms < NOW + 5 * (uint64_t)HOUR; now_ms += 7 * 60000) {
		assert_int_equal(2000, ask(&lag, 60000, now_ms));
		assert_int_equal(2000, ask(&lag, 2000, now_ms + 1));
		assert_int_equal(2000, ask(&lag, 0, now_ms + 2));
	}
	/* The service has been stopped. It asked last at `now_ms`. */
	now_ms -= 7 * 60000;
	assert_int_equal(2000, ask(&lag, 60000, now_ms + HOUR - 1));
	assert_int_equal(2000, ask(&lag, 30000, now_ms + HOUR));
	(void)ask(&lag, 60000, now_ms + 2 * (uint64_t)HOUR);
	assert_int_equal(30000, ask(&lag, 60000, now_ms + 2 * (uint64_t)HOUR + 1));
	assert_int_equal(60000, ask(&lag, 60000, now_ms + 5 * (uint64_t)HOUR));
}

static void staged_additions_keep_what_was_asked_for(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t now_ms = bloom_uptime_ms();
	pair served, next;

	(void)state;
	stage_marked(&segment, 60000, &served);
	stage_marked(&segment, 60000, &next);
	assert_ok(bloom_additions_ask_max_lag(served.live, &segment, name, 2000, now_ms, &error));
	bloom_additions_keep_max_lag(next.live, served.live);
	assert_int_equal(2000, bloom_additions_max_lag(next.live));
	assert_ok(bloom_additions_ask_max_lag(next.live, &segment, name, 60000, now_ms, &error));
	assert_int_equal(2000, bloom_additions_max_lag(next.live));
	bloom_live_free(served.live);
	bloom_live_free(next.live);
	bloom_stage_abort(&served.added);
	bloom_stage_abort(&served.blob);
	bloom_stage_abort(&next.added);
	bloom_stage_abort(&next.blob);
}

static void lookups_answer_maybe_until_the_additions_are_complete_again(void **state)
{
	enum { LAG_MS = 3600000 };
	bloom_segment segment = scratch_segment();
	bloom_attachment filter;
	bloom_live *live;

	(void)state;
	load_marked(&segment, LAG_MS);
	attach_to(&segment, name, &filter);
	assert_int_equal(BLOOM_PRESENCE_ADDITIONS, bloom_attachment_check(&filter));
	assert_false(filter_answers(&filter, "never", 0));
	/* The time passes: the additions were complete more than an hour ago. */
	live = filter.loaded->additions;
	set_max_lag(live, 1);
	filter.loaded->trusted_s = BLOOM_TRUSTED_NEVER;
	live->head->read_to.complete_ms = 1;
	assert_int_equal(BLOOM_PRESENCE_BEHIND, bloom_attachment_check(&filter));
	assert_true(filter_answers(&filter, "never", 0));
	set_max_lag(live, LAG_MS);
	assert_ok(bloom_additions_advance(
		live, &segment, name, &blob_mark, &blob_mark, bloom_uptime_ms(), 0, NULL, &error));
	assert_int_equal(BLOOM_PRESENCE_ADDITIONS, bloom_attachment_check(&filter));
	assert_false(filter_answers(&filter, "never", 0));
	bloom_detach(&filter);
}

/* Completes the additions, and lets the next lookup judge with this maximum lag. */
static void check_with_left(bloom_attachment *filter, uint64_t left_ms)
{
	filter->loaded->additions->head->read_to.complete_ms = bloom_uptime_ms();
	set_max_lag(filter->loaded->additions, left_ms);
	filter->loaded->trusted_s = BLOOM_TRUSTED_NEVER;
	(void)bloom_attachment_check(filter);
}

/* Makes the additions too old, which a judgment that holds does not see. */
static void make_too_old(bloom_attachment *filter)
{
	filter->loaded->additions->head->read_to.complete_ms = 1;
	set_max_lag(filter->loaded->additions, 1);
}

/* A judgment may be used until its second is over. */
static void a_judgment_is_kept_only_if_a_whole_second_is_left(void **state)
{
	enum { HOUR_MS = 3600000 };
	bloom_segment segment = scratch_segment();
	bloom_attachment filter;

	(void)state;
	load_marked(&segment, 0);
	attach_to(&segment, name, &filter);
	assert_true(filter.loaded->trusted_s == BLOOM_TRUSTED_NEVER);
	check_with_left(&filter, HOUR_MS);
	assert_false(filter.loaded->trusted_s == BLOOM_TRUSTED_NEVER);
	check_with_left(&filter, BLOOM_COARSE_S_MS - 1);
	assert_true(filter.loaded->trusted_s == BLOOM_TRUSTED_NEVER);
	/* In another second, in any direction, lookups judge again. */
	check_with_left(&filter, HOUR_MS);
	make_too_old(&filter);
	filter.loaded->trusted_s += 3600;
	assert_int_equal(BLOOM_PRESENCE_BEHIND, bloom_attachment_check(&filter));
	check_with_left(&filter, HOUR_MS);
	make_too_old(&filter);
	filter.loaded->trusted_s--; /* this may also be the next second */
	assert_int_equal(BLOOM_PRESENCE_BEHIND, bloom_attachment_check(&filter));
	bloom_detach(&filter);
}

static bool judges_again(const bloom_attachment *filter)
{
	bool again = bloom_additions_basis(filter->loaded->additions) != filter->loaded->basis;

	return again && !bloom_loaded_still_trusts(filter->loaded);
}

static void whatever_changes_a_judgment_ends_it(void **state)
{
	enum { KEYS = 5000 }; /* more than the first layer is for */
	const bloom_mark lost = {.epoch = 7, .offset = 9, .check = "lost"};
	bloom_segment segment = scratch_segment();
	uint64_t now_ms = bloom_uptime_ms(), i;
	unsigned char bytes[RECORD_ROOM];
	bloom_attachment filter;
	bloom_record record;
	bloom_live *live;

	(void)state;
	load_marked(&segment, 0);
	attach_to(&segment, name, &filter);
	live = filter.loaded->additions;
	assert_false(filter_answers(&filter, "added", 1));
	assert_int_equal(0, bloom_basis_layers(filter.loaded->basis));
	assert_false(judges_again(&filter));
	/* The first key, which another mapping adds. */
	assert_true(insert(&segment, 1));
	assert_true(judges_again(&filter));
	assert_true(filter_answers(&filter, "added", 1));
	assert_int_equal(1, bloom_basis_layers(filter.loaded->basis));
	assert_true(insert(&segment, 2));
	assert_false(judges_again(&filter));
	/* Another layer. */
	for (i = 3; i < KEYS; i++) {
		record = record_of(i, bytes);
		assert_ok(bloom_additions_add(live, &segment, name, &record, &error));
	}
	assert_true(live->layers > 1);
	assert_true(judges_again(&filter));
	assert_true(filter_answers(&filter, "added", KEYS - 1));
	assert_int_equal(live->layers, bloom_basis_layers(filter.loaded->basis));
	/* Another maximum lag. */
	assert_ok(bloom_additions_ask_max_lag(live, &segment, name, 5000, now_ms, &error));
	assert_true(judges_again(&filter));
	(void)bloom_attachment_check(&filter);
	assert_ok(bloom_additions_ask_max_lag(live, &segment, name, 5000, now_ms, &error));
	assert_false(judges_again(&filter));
	/* A loss. */
	assert_ok(bloom_additions_note_loss(live, &segment, name, &lost, NULL, &error));
	assert_true(judges_again(&filter));
	assert_int_equal(BLOOM_PRESENCE_BEHIND, bloom_attachment_check(&filter));
	bloom_detach(&filter);
}

/* The additions grow, so that a copy needs several layers. */
static void a_copy_of_additions_has_all_their_keys(void **state)
{
	enum { KEYS = 20000 };
	bloom_segment segment = scratch_segment();
	bloom_attachment filter;
	bloom_live *served;
	unsigned char bytes[RECORD_ROOM];
	bloom_record record;
	uint64_t i, missing = 0;
	pair next;

	(void)state;
	load_marked(&segment, 0);
	attach_to(&segment, name, &filter);
	for (i = 0; i < KEYS; i++) {
		record = record_of(i, bytes);
		assert_ok(bloom_additions_add(
			filter.loaded->additions, &segment, name, &record, &error));
	}
	bloom_additions_served(&segment, name, &served);
	assert_non_null(served);
	assert_true(served->layers > 1);
	assert_true(bloom_additions_is_of(served, &blob_mark));
	stage_like(&segment, 0, served, &next);
	assert_true(bloom_additions_fits(served, &next.blob.head));
	/* A key that is added before the announcement is copied, and a later one is in both. */
	assert_true(insert(&segment, KEYS));
	assert_ok(bloom_additions_announce(&next.added, &error));
	assert_true(insert(&segment, KEYS + 1));
	assert_ok(bloom_additions_copy(next.live, &segment, name, served, &error));
	assert_int_equal(served->layers, bloom_basis_layers(bloom_additions_basis(next.live)));
	assert_ok(bloom_additions_advance(
		next.live, &segment, name, &blob_mark, &blob_mark, 1, 0, NULL, &error));
	bloom_live_free(served);
	assert_ok(commit(&next));
	for (i = 0; i < KEYS + 2; i++) {
		missing += !filter_answers(&filter, "added", i);
	}
	assert_int_equal(0, missing);
	assert_false(filter_answers(&filter, "never", 0));
	bloom_detach(&filter);
}

static void a_withdrawn_generation_keeps_its_additions(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment filter;
	bloom_live *served;
	uint64_t withdrawn;
	pair next;

	(void)state;
	load_marked(&segment, 0);
	attach_to(&segment, name, &filter);
	assert_true(insert(&segment, 1));
	assert_ok(bloom_segment_withdraw(
		&segment, name, filter.control, filter.generation, &withdrawn, &error));
	assert_true(insert(&segment, 2));
	bloom_additions_served(&segment, name, &served);
	assert_non_null(served);
	stage_like(&segment, 0, served, &next);
	assert_ok(bloom_additions_announce(&next.added, &error));
	assert_ok(bloom_additions_copy(next.live, &segment, name, served, &error));
	bloom_live_free(served);
	assert_ok(bloom_additions_advance(
		next.live, &segment, name, &blob_mark, &blob_mark, 1, 0, NULL, &error));
	assert_ok(commit(&next));
	assert_true(filter_answers(&filter, "added", 1));
	assert_true(filter_answers(&filter, "added", 2));
	assert_false(filter_answers(&filter, "added", 3));
	bloom_detach(&filter);
}

static void additions_that_may_lack_lost_keys_are_not_trusted(void **state)
{
	const bloom_mark read_to = {.epoch = 7, .offset = 9, .check = "read_to"};
	const bloom_mark beyond = {.epoch = 7, .offset = 10, .check = "beyond"};
	const bloom_mark notice = {.epoch = 7, .offset = 5, .check = "notice"};
	bloom_segment segment = scratch_segment();
	pair first, second;
	bloom_read_to known;

	(void)state;
	stage_marked(&segment, 0, &first);
	assert_ok(bloom_additions_advance(
		first.live, &segment, name, &blob_mark, &read_to, 500, 6, NULL, &error));
	/* The position up to which the additions have been read. */
	assert_int_equal(BLOOM_LOSS_NONE, bloom_additions_report_loss(first.live));
	assert_ok(bloom_additions_note_loss(first.live, &segment, name, &read_to, &notice, &error));
	assert_int_equal(UINT64_MAX, bloom_additions_trusted_ms(first.live, 600));
	assert_true(bloom_additions_has_news(first.live));
	assert_int_equal(BLOOM_LOSS_HELD, bloom_additions_report_loss(first.live));
	assert_int_equal(BLOOM_LOSS_NONE, bloom_additions_report_loss(first.live));
	known = bloom_additions_read_to(first.live);
	assert_true(bloom_mark_is_same(&notice, &known.notice));
	/* Additions that are copied from these hold the same keys. */
	stage_like(&segment, 0, first.live, &second);
	assert_ok(bloom_additions_advance(
		second.live, &segment, name, &blob_mark, &notice, 500, 1, NULL, &error));
	assert_ok(bloom_additions_note_loss(second.live, &segment, name, &read_to, NULL, &error));
	assert_int_equal(UINT64_MAX, bloom_additions_trusted_ms(second.live, 600));
	/* Any other position was not read. */
	assert_ok(bloom_additions_note_loss(second.live, &segment, name, &beyond, NULL, &error));
	assert_int_equal(0, bloom_additions_trusted_ms(second.live, 600));
	assert_int_equal(BLOOM_LOSS_LACKING, bloom_additions_report_loss(second.live));
	assert_ok(bloom_additions_note_loss(second.live, &segment, name, &read_to, NULL, &error));
	assert_int_equal(0, bloom_additions_trusted_ms(second.live, 600));
	bloom_live_free(first.live);
	bloom_stage_abort(&first.added);
	bloom_stage_abort(&first.blob);
	bloom_live_free(second.live);
	bloom_stage_abort(&second.added);
	bloom_stage_abort(&second.blob);
}

/* The read position and `own` are compared by one process while others change them. */
static void the_newest_record_of_a_host_is_known_until_the_reach_passes_it(void **state)
{
	const bloom_mark first = {.epoch = 7, .offset = 4, .check = "first"};
	const bloom_mark second = {.epoch = 7, .offset = 5, .check = "second"};
	const bloom_mark third = {.epoch = 7, .offset = 6, .check = "third"};
	const bloom_mark fourth = {.epoch = 7, .offset = 7, .check = "fourth"};
	bloom_segment segment = scratch_segment();
	unsigned char bytes[RECORD_ROOM];
	bloom_record record = record_of(1, bytes);
	bloom_attachment filter;
	bloom_read_to known;
	bloom_live *live;
	bool inserted;

	(void)state;
	load_marked(&segment, 0);
	attach_to(&segment, name, &filter);
	live = filter.loaded->additions;
	assert_ok(bloom_additions_insert(&segment, name, &record, 1, &second, &inserted, &error));
	assert_ok(bloom_additions_insert(&segment, name, &record, 1, &first, &inserted, &error));
	known = bloom_additions_read_to(live);
	assert_true(bloom_mark_is_same(&second, &known.own));
	/* Another process has read beyond it, but not passed it: the journal has lost it. */
	assert_ok(bloom_additions_advance(
		live, &segment, name, &blob_mark, &third, 1, 3, &first, &error));
	known = bloom_additions_read_to(live);
	assert_true(bloom_mark_is_same(&second, &known.own));
	assert_ok(bloom_additions_advance(
		live, &segment, name, &blob_mark, &third, 1, 3, &second, &error));
	known = bloom_additions_read_to(live);
	assert_int_equal(0, known.own.epoch);
	/* It is known as long as the read position is before it, even if the journal has it. */
	assert_ok(bloom_additions_insert(&segment, name, &record, 1, &fourth, &inserted, &error));
	assert_ok(bloom_additions_advance(
		live, &segment, name, &blob_mark, &fourth, 1, 4, &fourth, &error));
	known = bloom_additions_read_to(live);
	assert_true(bloom_mark_is_same(&fourth, &known.own));
	/* It was read before its process could remember it. */
	assert_ok(bloom_additions_advance(
		live, &segment, name, &third, &fourth, 1, 1, &fourth, &error));
	assert_ok(bloom_additions_insert(&segment, name, &record, 1, &second, &inserted, &error));
	known = bloom_additions_read_to(live);
	assert_int_equal(0, known.own.epoch);
	bloom_detach(&filter);
}

static void a_blob_without_a_mark_replaces_one_with_a_mark(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob unmarked = blob_of_one(&(bloom_mark){0});
	bloom_attachment filter;

	(void)state;
	load_marked(&segment, 0);
	attach_to(&segment, name, &filter);
	assert_true(insert(&segment, 1));
	assert_ok(load(&segment, name, unmarked, NULL));
	assert_true(bloom_presence_is_maybe(bloom_attachment_check(&filter)) ||
		filter.loaded->additions == NULL);
	assert_false(insert(&segment, 2));
	assert_false(filter_answers(&filter, "added", 2));
	load_marked(&segment, 0);
	assert_true(insert(&segment, 3));
	assert_true(filter_answers(&filter, "added", 3));
	bloom_detach(&filter);
	blob_free(&unmarked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a mark is read back from its text and its bytes",
			a_mark_survives_its_text_and_its_bytes),
		TEST("a text that is not a mark is refused", a_text_that_is_not_a_mark_is_refused),
		TEST("marks are compared within their journal",
			marks_are_compared_within_their_journal),
		TEST("all keys of a record are read back", all_keys_of_a_record_are_read_back),
		TEST("a record with a flipped bit or a wrong length is refused",
			a_record_with_a_flipped_bit_or_another_length_is_refused),
		TEST("a forger without the key can change no byte of a record",
			a_forger_without_the_key_can_change_no_byte),
		TEST("key lengths beyond the end of their record are refused",
			key_lengths_beyond_their_record_are_refused),
		TEST("a signed chain is accepted only in order, from its first record",
			only_a_beginning_of_a_signed_chain_is_accepted),
		TEST("a record of another version is refused as such",
			a_record_of_another_version_is_refused),
		TEST("a reader goes on only after kinds that it knows or may ignore",
			a_reader_goes_on_after_known_and_optional_kinds_only),
		TEST("a notice of a loss holds one position",
			a_notice_of_a_loss_holds_one_position),
		TEST("a writer takes the link from any last record",
			a_writer_takes_the_link_from_any_last_record),
		TEST_IN_SCRATCH("a blob with a mark is served only with announced additions",
			a_blob_with_a_mark_is_served_only_with_announced_additions),
		TEST_IN_SCRATCH("an inserted key is in the served and in the announced additions",
			an_inserted_key_is_in_the_served_and_in_the_announced_additions),
		/* fault: store-forgets */
		TEST_IN_SCRATCH(
			"the read position never goes back", the_read_position_never_goes_back),
		/* fault: time-ahead */
		TEST_IN_SCRATCH("additions are trusted for the maximum lag, and never after a "
				"reboot",
			additions_are_trusted_for_the_maximal_lag),
		/* fault: time-ahead */
		TEST_IN_SCRATCH("a time from the future is replaced by the present",
			a_time_from_the_future_is_replaced_by_the_present),
		/* fault: max-lag-differs */
		TEST("the shortest maximum lag of the last hour wins",
			the_shortest_lag_of_the_last_hour_wins),
		/* fault: max-lag-differs */
		TEST_IN_SCRATCH("staged additions keep the maximum lag that was asked for",
			staged_additions_keep_what_was_asked_for),
		TEST_IN_SCRATCH("lookups answer maybe until the additions are complete again",
			lookups_answer_maybe_until_the_additions_are_complete_again),
		TEST_IN_SCRATCH(
			"a judgment is kept only if a whole second of the maximum lag is left",
			a_judgment_is_kept_only_if_a_whole_second_is_left),
		TEST_IN_SCRATCH(
			"a first key, a layer, another maximum lag and a loss end a judgment",
			whatever_changes_a_judgment_ends_it),
		/* fault: store-forgets */
		TEST_IN_SCRATCH("a copy of additions has all their keys, also of layers and "
				"processes that come later",
			a_copy_of_additions_has_all_their_keys),
		TEST_IN_SCRATCH("a withdrawn generation keeps its additions",
			a_withdrawn_generation_keeps_its_additions),
		TEST_IN_SCRATCH("additions that may lack lost keys are not trusted",
			additions_that_may_lack_lost_keys_are_not_trusted),
		TEST_IN_SCRATCH(
			"the newest record of a host is known until the read position passes it",
			the_newest_record_of_a_host_is_known_until_the_reach_passes_it),
		TEST_IN_SCRATCH(
			"a blob without a mark can replace one with a mark, and the reverse",
			a_blob_without_a_mark_replaces_one_with_a_mark),
	};

	return cmocka_run_group_tests_name("journal", tests, NULL, NULL);
}

/* The list of errors: each code has its sentence, and each code that the core can raise is
 * raised here. */
#include "provoke.h"

#include <errno.h>

/* ---- sentences ---- */

static const struct {
	const char *code, *class, *sentence;
} table[] = {
#define ARGUMENT_ROW(code, what, requirement) {#code, "Value", what " " requirement},
#define FAILURE_ROW(code, class, group, sentence) {#code, #class, sentence},
	BLOOM_STATUS_TABLE(ARGUMENT_ROW, FAILURE_ROW)
#undef ARGUMENT_ROW
#undef FAILURE_ROW
};

static void every_code_has_a_sentence_of_its_own(void **state)
{
	int i, j;

	(void)state;
	assert_int_equal(BLOOM_STATUS_COUNT, sizeof table / sizeof *table);
	for (i = 0; i < BLOOM_STATUS_COUNT; i++) {
		assert_string_equal(table[i].sentence, bloom_status_sentence((bloom_status)i));
		assert_true(table[i].class[0] != 0);
		assert_in_range(strlen(table[i].sentence), 5, 120);
		/* A subject follows, so a sentence is one line without a full stop, and only
		 * names are capitalized. */
		assert_int_not_equal('.', table[i].sentence[strlen(table[i].sentence) - 1]);
		assert_null(strchr(table[i].sentence, '\n'));
		for (j = 0; j < i; j++) {
			assert_string_not_equal(table[i].sentence, table[j].sentence);
		}
	}
}

static void an_argument_code_has_a_requirement(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < BLOOM_STATUS_COUNT; i++) {
		const char *requirement = bloom_status_requirement((bloom_status)i);
		bool is_argument = strcmp(table[i].class, "Value") == 0;

		assert_int_equal(is_argument, requirement != NULL);
		assert_int_equal(is_argument,
			bloom_status_group_of((bloom_status)i) == BLOOM_GROUP_ARGUMENT);
		if (is_argument) {
			assert_int_equal(0, strncmp(requirement, "must ", 5));
			assert_non_null(strstr(table[i].sentence, requirement));
		}
	}
}

/* If the head of an on-demand filter is not valid, the PHP layer loads the filter again,
 * whichever check failed. */
static void each_check_of_a_blob_is_in_the_group_of_the_format(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < BLOOM_STATUS_COUNT; i++) {
		assert_int_equal(strcmp(table[i].class, "Format") == 0,
			bloom_status_group_of((bloom_status)i) == BLOOM_GROUP_FORMAT);
	}
}

static void an_unknown_code_has_a_sentence_too(void **state)
{
	(void)state;
	assert_string_equal("unknown status", bloom_status_sentence(BLOOM_STATUS_COUNT));
	assert_string_equal("unknown status", bloom_status_sentence((bloom_status)-1));
	assert_string_equal("unknown status", bloom_status_sentence((bloom_status)1000000));
	assert_null(bloom_status_requirement(BLOOM_STATUS_COUNT));
	assert_int_equal(BLOOM_GROUP_OTHER, bloom_status_group_of(BLOOM_STATUS_COUNT));
}

static void failing_fills_the_error_whole_and_gives_the_code(void **state)
{
	bloom_error filled;

	(void)state;
	memset(&filled, 255, sizeof filled);
	assert_int_equal(
		BLOOM_E_SPACE, bloom_fail(&filled, BLOOM_E_SPACE, ENOSPC, "%s %d", "x", 5));
	assert_int_equal(BLOOM_E_SPACE, filled.status);
	assert_int_equal(ENOSPC, filled.os_error);
	assert_string_equal("x 5", filled.subject);
	assert_int_equal(BLOOM_E_MAGIC, bloom_fail(NULL, BLOOM_E_MAGIC, 0, "%s", "nobody asks"));
}

static void a_long_subject_is_cut_to_fit(void **state)
{
	bloom_error filled;
	char text[1000];

	(void)state;
	memset(text, 's', sizeof text - 1);
	text[sizeof text - 1] = 0;
	bloom_fail(&filled, BLOOM_E_PATH, 0, "%s", text);
	assert_int_equal(sizeof filled.subject - 1, strlen(filled.subject));
}

/* ---- provocations ---- */

/* Only the PHP layer, which calls stores and PHP code, raises these codes. The PHP tests provoke
 * them. */
static const bloom_status by_php[] = {
	BLOOM_E_IMMUTABLE,
	BLOOM_E_UNMAPPED,
	BLOOM_E_STORE,
	BLOOM_E_STORE_TYPE,
	BLOOM_E_STORE_MISSING,
	BLOOM_E_STALE,
	BLOOM_E_NO_SECRET,
	BLOOM_E_NO_SIGNING_KEY,
	BLOOM_E_REPLAY,
	BLOOM_E_STORE_SIZE,
	BLOOM_E_GROUPS_LIMIT,
	BLOOM_E_POSITION,
	BLOOM_E_JOURNAL_LOST,
	BLOOM_E_NO_MARK,
	BLOOM_E_OVERRIDE_REPLAY,
	BLOOM_E_PINNED,
	BLOOM_E_NO_PREVIOUS,
	BLOOM_E_RECORDS_LOST,
	BLOOM_E_STORE_CLIENT,
	BLOOM_E_JOURNAL_CLOSED,
	BLOOM_E_MARK_REQUIRED,
	BLOOM_E_BLOB_LACKS,
	BLOOM_E_MARKED,
	BLOOM_E_STORE_ALTERED,
};

static bool is_by_php(bloom_status code)
{
	size_t i;

	for (i = 0; i < sizeof by_php / sizeof *by_php; i++) {
		if (by_php[i] == code) {
			return true;
		}
	}
	return false;
}

/* Tries each way to raise a code. Returns their number. */
static size_t provoke(bloom_status code)
{
	static const provocations *const all[] = {&blob_provocations, &map_provocations,
		&segment_provocations, &snapshot_provocations, &secret_provocations};
	bloom_segment used;
	size_t i, row, count = 0;

	for (i = 0; i < sizeof all / sizeof *all; i++) {
		for (row = 0; row < all[i]->count; row++) {
			if (all[i]->rows[row].code == code) {
				assert_status(code, all[i]->rows[row].provoke());
				used = scratch_segment();
				remove_tree(used.path);
				count++;
			}
		}
	}
	return count;
}

static void every_code_of_the_core_can_be_provoked(void **state)
{
	int code;

	(void)state;
	needs_posix("some errors are provoked with links, owners and limits");
	for (code = BLOOM_OK + 1; code < BLOOM_STATUS_COUNT; code++) {
		if (is_by_php((bloom_status)code)) {
			printf("# raised only by the PHP layer: %s\n", table[code].code);
		} else if (provoke((bloom_status)code) == 0) {
			fail_msg("no test provokes %s", table[code].code);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("every error code has its own sentence", every_code_has_a_sentence_of_its_own),
		TEST("only the codes of invalid arguments have a requirement",
			an_argument_code_has_a_requirement),
		TEST("the code of each check of a blob is in the group of format errors",
			each_check_of_a_blob_is_in_the_group_of_the_format),
		TEST("an unknown error code also has a sentence",
			an_unknown_code_has_a_sentence_too),
		TEST("bloom_fail() fills the complete error and returns its code",
			failing_fills_the_error_whole_and_gives_the_code),
		TEST("a long subject of an error is truncated", a_long_subject_is_cut_to_fit),
		/* fault: sparse-copy */
		TEST_IN_SCRATCH("a test provokes every error code that the core raises",
			every_code_of_the_core_can_be_provoked),
	};

	return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}

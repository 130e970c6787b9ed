/* Names of the files that belong to a filter: docs/dev/store.md. */
#include "support.h"

#include "filter/filename.h"

static void assert_name(const char *expected, const char *name, const char *suffix)
{
	char file[600];

	assert_true(bloom_filename(true, name, strlen(name), suffix, file, sizeof file));
	assert_string_equal(expected, file);
}

static void names_are_portable(void **state)
{
	(void)state;
	assert_name("users", "users", NULL);
	assert_name("users%3Aprevious", "users", "previous");
	assert_name("%54ags-1_b.c", "Tags-1_b.c", NULL);
	assert_name("tags%3A%41b1", "tags", "Ab1");
	assert_name("a.b%2E", "a.b.", NULL);
	assert_name("a.%2E", "a..", NULL);
	assert_name("a%2E%3Ax", "a.", "x");
}

static void devices_have_any_extension_and_case(void **state)
{
	(void)state;
	assert_name("%63on", "con", NULL);
	assert_name("%43%4F%4E", "CON", NULL);
	assert_name("%70rn", "prn", NULL);
	assert_name("%61ux.%2E", "aux..", NULL);
	assert_name("%6Eul.txt", "nul.txt", NULL);
	assert_name("%4Eul.txt", "Nul.txt", NULL);
	assert_name("%63om1%3Aprevious", "com1", "previous");
	assert_name("%6Cpt9.a.b", "lpt9.a.b", NULL);
	assert_name("%63on%2E", "con.", NULL);
	assert_name("com", "com", NULL);
	assert_name("com10", "com10", NULL);
	assert_name("coma", "coma", NULL);
	assert_name("console", "console", NULL);
	assert_name("con-x", "con-x", NULL);
	assert_name("con1", "con1", NULL);
	assert_name("nul0", "nul0", NULL);
}

static void other_systems_take_the_key(void **state)
{
	char file[64];

	(void)state;
	assert_true(bloom_filename(false, "Tags.", 5, "aB", file, sizeof file));
	assert_string_equal("Tags.:aB", file);
	assert_true(bloom_filename(false, "con", 3, NULL, file, sizeof file));
	assert_string_equal("con", file);
	assert_true(bloom_filename_plain(false, "aB1", 2, file, sizeof file));
	assert_string_equal("aB", file);
	assert_false(bloom_filename(false, "con", 3, NULL, file, 3));
}

/* Decodes a name in place, as a URL. */
static void decode(char *text)
{
	char *to = text;
	unsigned byte;

	for (; *text != 0; text++) {
		if (*text == '%' && sscanf(text + 1, "%2x", &byte) == 1) {
			*to++ = (char)byte;
			text += 2;
		} else {
			*to++ = *text;
		}
	}
	*to = 0;
}

/* Different keys have different names even for a system that ignores case, because decoding a name
 * gives the key. */
static void every_name_decodes_to_its_key(void **state)
{
	static const char bytes[] = "acnopruxlmtACNOPRUXLMT019._-";
	uint64_t random = test_seed("names of files");
	char name[9], file[64];
	size_t i, count;
	int n;

	(void)state;
	for (n = 0; n < 100000; n++) {
		count = 1 + random_below(&random, sizeof name - 1);
		for (i = 0; i < count; i++) {
			name[i] = bytes[random_below(&random, sizeof bytes - 1)];
		}
		name[count] = 0;
		assert_true(bloom_filename(true, name, count, NULL, file, sizeof file));
		for (i = 0; file[i] != 0; i++) {
			/* Capitals are only the digits of an encoded byte. */
			assert_true(file[i] < 'A' || file[i] > 'Z' || file[i - 1] == '%' ||
				file[i - 2] == '%');
		}
		assert_true(file[i - 1] != '.');
		decode(file);
		assert_string_equal(name, file);
	}
}

static void a_small_buffer_is_reported(void **state)
{
	char file[8];

	(void)state;
	assert_true(bloom_filename(true, "abcdefg", 7, NULL, file, sizeof file));
	assert_false(bloom_filename(true, "abcdefgh", 8, NULL, file, sizeof file));
	assert_false(bloom_filename(true, "Abcdef", 6, NULL, file, sizeof file));
	assert_false(bloom_filename_plain(true, "ABC", 3, file, sizeof file));
	assert_true(bloom_filename_plain(true, "aB1", 3, file, sizeof file));
	assert_string_equal("a%421", file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("on Windows, colons, capitals and a dot at the end are encoded",
			names_are_portable),
		TEST("on Windows, names of devices are encoded, with any extension and case",
			devices_have_any_extension_and_case),
		TEST("on other systems, the name of a file is the key", other_systems_take_the_key),
		TEST("decoding the name of a file gives the key", every_name_decodes_to_its_key),
		TEST("a name that does not fit into the buffer is reported",
			a_small_buffer_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

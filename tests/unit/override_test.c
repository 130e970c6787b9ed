/* Overrides: what is written is read, every changed byte is noticed, and a signature holds only
 * for its filter and purpose. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "build/builder.h"
#include "filter/override.h"
#include "filter/signature.h"
#include "segment/control.h"
#include "segment/served_override.h"

typedef struct example {
	test_blob blob;
	bloom_head head;
	unsigned char *record;
	uint64_t count;
} example;

static example example_of(
	bloom_override_kind kind, uint64_t replaces, const char *name, const bloom_secret *key)
{
	bloom_params params = {.capacity_keys = 100, .rate = 0.01};
	bloom_builder builder = {0};
	example one = {0};

	assert_ok(bloom_builder_init(&params, 1, 0, &builder, &error));
	(void)builder_add_key(&builder, "k", 0);
	one.blob = blob_from(&builder);
	assert_ok(bloom_blob_parse(one.blob.bytes, one.blob.count, &one.head, &error));
	one.count = one.head.head_bytes + BLOOM_OVERRIDE_EXTRA_BYTES;
	one.record = malloc((size_t)one.count);
	assert_non_null(one.record);
	bloom_override_write(one.record, kind, 1700000000123, replaces, one.blob.bytes,
		one.head.head_bytes, name, key);
	return one;
}

static void example_free(example *one)
{
	free(one->record);
	blob_free(&one->blob);
}

static void what_is_written_is_read(void **state)
{
	example one = example_of(BLOOM_OVERRIDE_ROLLBACK, 42, "tags", NULL);
	bloom_override read;
	bloom_head other = {.checksum = 42};

	(void)state;
	assert_ok(bloom_override_parse(one.record, one.count, "tags", &read, &error));
	assert_int_equal(read.kind, BLOOM_OVERRIDE_ROLLBACK);
	assert_int_equal(read.since_ms, 1700000000123);
	assert_int_equal(read.signer, 0);
	assert_int_equal(read.head.checksum, one.head.checksum);
	assert_memory_equal(read.head_bytes, one.blob.bytes, one.head.head_bytes);
	assert_true(bloom_override_applies(&read, &other));
	other.checksum = 43;
	assert_false(bloom_override_applies(&read, &other));
	example_free(&one);
	one = example_of(BLOOM_OVERRIDE_PIN, 0, "tags", NULL);
	assert_ok(bloom_override_parse(one.record, one.count, "tags", &read, &error));
	assert_true(bloom_override_applies(&read, &other));
	example_free(&one);
}

static void every_changed_byte_and_every_length_is_noticed(void **state)
{
	example one = example_of(BLOOM_OVERRIDE_PIN, 0, "tags", NULL);
	bloom_override read;
	uint64_t i;

	(void)state;
	for (i = 0; i < one.count; i++) {
		one.record[i] ^= 1;
		assert_int_equal(bloom_override_parse(one.record, one.count, "tags", &read, &error),
			BLOOM_E_OVERRIDE);
		one.record[i] ^= 1;
		assert_int_equal(bloom_override_parse(one.record, i, "tags", &read, &error),
			BLOOM_E_OVERRIDE);
	}
	example_free(&one);
	/* A pin replaces no head, and other kinds are unknown. */
	one = example_of(BLOOM_OVERRIDE_PIN, 7, "tags", NULL);
	assert_int_equal(bloom_override_parse(one.record, one.count, "tags", &read, &error),
		BLOOM_E_OVERRIDE);
	example_free(&one);
	one = example_of((bloom_override_kind)3, 0, "tags", NULL);
	assert_int_equal(bloom_override_parse(one.record, one.count, "tags", &read, &error),
		BLOOM_E_OVERRIDE);
	example_free(&one);
}

static void a_signature_holds_for_one_filter_and_one_purpose(void **state)
{
	unsigned char bytes[BLOOM_SECRET_BYTES] = {1};
	bloom_ring ring = {.count = 1, .configured = true};
	bloom_ring none = {0};
	example one;
	bloom_override read;

	(void)state;
	if (!bloom_has_sodium()) {
		skip_because("this build has no libsodium");
	}
	assert_ok(bloom_secret_make(bytes, &ring.secret[0], &error));
	one = example_of(BLOOM_OVERRIDE_PIN, 0, "tags", &ring.secret[0]);
	assert_ok(bloom_override_parse(one.record, one.count, "tags", &read, &error));
	assert_int_equal(read.signer, ring.secret[0].fingerprint);
	assert_ok(bloom_override_check(one.record, one.count, "tags", &ring, &error));
	assert_ok(bloom_override_check(one.record, one.count, "other", &none, &error));
	assert_ok(bloom_override_check(one.record, one.count, "other", NULL, &error));
	assert_int_equal(bloom_override_check(one.record, one.count, "other", &ring, &error),
		BLOOM_E_OVERRIDE_SIGNATURE);
	one.record[24] ^= 1; /* the time */
	assert_int_equal(bloom_override_check(one.record, one.count, "tags", &ring, &error),
		BLOOM_E_OVERRIDE_SIGNATURE);
	one.record[24] ^= 1;
	one.record[40] ^= 1; /* the fingerprint */
	assert_int_equal(bloom_override_check(one.record, one.count, "tags", &ring, &error),
		BLOOM_E_OVERRIDE_SIGNER);
	example_free(&one);
	one = example_of(BLOOM_OVERRIDE_PIN, 0, "tags", NULL);
	assert_int_equal(bloom_override_check(one.record, one.count, "tags", &ring, &error),
		BLOOM_E_OVERRIDE_UNSIGNED);
	example_free(&one);
}

static void a_page_remembers_the_newest_override(void **state)
{
	const uint64_t now = 1000000, day = 86400000;
	bloom_control page = {0};
	uint64_t since;

	(void)state;
	assert_true(bloom_served_override_admits(&page, 0));
	bloom_served_override_note(&page, 1, BLOOM_OVERRIDE_NONE, 0, now);
	assert_true(bloom_served_override_admits(&page, 0));
	bloom_served_override_note(&page, 2, BLOOM_OVERRIDE_PIN, 500, now);
	assert_int_equal(bloom_served_override(&page, 2, &since), BLOOM_OVERRIDE_PIN);
	assert_int_equal(since, 500);
	assert_int_equal(bloom_served_override(&page, 3, &since), BLOOM_OVERRIDE_NONE);
	assert_true(bloom_served_override_admits(&page, 500)); /* it is still in force */
	assert_false(bloom_served_override_admits(&page, 499));
	bloom_served_override_note(&page, 3, BLOOM_OVERRIDE_NONE, 0, now);
	assert_int_equal(bloom_served_override(&page, 3, &since), BLOOM_OVERRIDE_NONE);
	assert_false(bloom_served_override_admits(&page, 500)); /* it has ended */
	assert_true(bloom_served_override_admits(&page, 501));
	bloom_served_override_note(&page, 3, BLOOM_OVERRIDE_ROLLBACK, 100 * day, now);
	assert_int_equal(bloom_served_override(&page, 3, &since), BLOOM_OVERRIDE_ROLLBACK);
	assert_int_equal(since, 100 * day);
	bloom_served_override_note(&page, 4, BLOOM_OVERRIDE_NONE, 0, now);
	assert_true(bloom_served_override_admits(&page, now + day)); /* not blocked for 100 days */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("what is written is read", what_is_written_is_read),
		/* fault: override-forged */
		TEST("every changed byte and every length is noticed",
			every_changed_byte_and_every_length_is_noticed),
		/* fault: override-forged */
		TEST("a signature holds for one filter and one purpose",
			a_signature_holds_for_one_filter_and_one_purpose),
		/* fault: override-forged */
		TEST("a page remembers the newest override", a_page_remembers_the_newest_override),
	};

	return cmocka_run_group_tests_name("override", tests, NULL, NULL);
}

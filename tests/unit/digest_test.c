/* Tests of the digest and the probe stream, with vectors that another implementation wrote. */
#include "support.h"

#include <sys/mman.h>

#include "filter/digest.h"

static void digests_match_the_vectors(void **state)
{
	test_blob file = vector_file("digests.txt");
	char key_hex[4096], *line, *rest = NULL;
	unsigned char key[2048];
	uint64_t seed, expected;
	unsigned long long parts[2];
	bloom_digest digest;
	int rows = 0;

	(void)state;
	for (line = strtok_r((char *)file.bytes, "\n", &rest); line != NULL;
		line = strtok_r(NULL, "\n", &rest)) {
		if (line[0] == '#') {
			continue;
		}
		assert_int_equal(
			3, sscanf(line, "%4095s %llx %llx", key_hex, &parts[0], &parts[1]));
		seed = parts[0];
		expected = parts[1];
		digest = bloom_digest_of(key, unhex(key_hex, key, sizeof key), seed);
		assert_true(digest == expected);
		rows++;
	}
	assert_int_equal(23 * 5, rows);
	blob_free(&file);
}

static void stream_words_match_the_vectors(void **state)
{
	test_blob file = vector_file("words.txt");
	unsigned long long digest, word, first;
	char *line, *rest = NULL;
	unsigned j;
	int rows = 0;

	(void)state;
	for (line = strtok_r((char *)file.bytes, "\n", &rest); line != NULL;
		line = strtok_r(NULL, "\n", &rest)) {
		if (line[0] != '#') {
			assert_int_equal(3, sscanf(line, "%llx %u %llx", &digest, &j, &word));
			first = bloom_digest_probes(digest);
			assert_true((j == 0 ? first : bloom_digest_word(first, j)) == word);
			rows++;
		}
	}
	assert_int_equal(4 * 6, rows);
	blob_free(&file);
}

static void the_empty_key_may_be_null(void **state)
{
	bloom_digest none = bloom_digest_of(NULL, 0, 7);
	bloom_digest empty = bloom_digest_of((const unsigned char *)"", 0, 7);

	(void)state;
	assert_true(none == empty);
}

static void nothing_but_the_key_is_read(void **state)
{
	unsigned char *exact;
	bloom_digest sum = 0;
	size_t count;

	(void)state;
	for (count = 1; count <= 1100; count++) {
		bloom_digest digest;

		exact = malloc(count); /* the sanitizer detects an overrun of one byte */
		assert_non_null(exact);
		memset(exact, 'k', count);
		digest = bloom_digest_of(exact, count, count);
		sum ^= digest;
		free(exact);
	}
	assert_true(sum != 0);
}

static void alignment_does_not_matter(void **state)
{
	unsigned char room[300 + 16];
	bloom_digest first = 0, digest;
	size_t shift, i;

	(void)state;
	for (shift = 0; shift < 16; shift++) {
		for (i = 0; i < 300; i++) {
			room[shift + i] = (unsigned char)(i * 31);
		}
		digest = bloom_digest_of(room + shift, 300, 5);
		if (shift == 0) {
			first = digest;
		}
		assert_true(digest == first);
	}
}

static void bytes_above_127_are_not_sign_extended(void **state)
{
	/* The expected values are XXH3-64 and XXH3-128 of the byte 0xff with seed 0, as printed by
	 * xxhsum. */
	const unsigned char key[] = {0xff};
	unsigned char name[BLOOM_CHUNK_DIGEST_BYTES];
	char text[33] = "";
	int i;

	(void)state;
	bloom_chunk_digest(1, key, 1, name);
	for (i = 0; i < 16; i++) {
		(void)snprintf(text + 2 * i, 3, "%02x", name[i]);
	}
	assert_string_equal("7e5dc90380f0640bd6bcec3c6b29d72e", text);
	assert_true(bloom_checksum(key, 1) == UINT64_C(0xd6bcec3c6b29d72e));
}

static void a_chunk_digest_is_the_canonical_form(void **state)
{
	static const unsigned char bytes[] = "0123456789abcdef";
	unsigned char name[BLOOM_CHUNK_DIGEST_BYTES];
	XXH128_hash_t hash = XXH3_128bits(bytes, 16);
	int i;

	(void)state;
	bloom_chunk_digest(1, bytes, 16, name);
	for (i = 0; i < 8; i++) {
		assert_int_equal((hash.high64 >> (56 - 8 * i)) & 255, name[i]);
		assert_int_equal((hash.low64 >> (56 - 8 * i)) & 255, name[8 + i]);
	}
}

/* Between consecutive digests, each bit of a probe word must change in half of the cases. A missing
 * shift in the mixing function would break this. */
static void words_of_consecutive_digests_differ_in_half_of_their_bits(void **state)
{
	enum { ROUNDS = 20000 };
	int differing[64] = {0};
	uint64_t low, change;
	int round, bit;

	(void)state;
	for (round = 0; round < ROUNDS; round++) {
		low = (uint64_t)round;
		change = bloom_digest_word(low, 1) ^ bloom_digest_word(low + 1, 1);
		for (bit = 0; bit < 64; bit++) {
			differing[bit] += change >> bit & 1;
		}
	}
	for (bit = 0; bit < 64; bit++) {
		/* 320 is 4.5 standard deviations. The inputs are fixed, so the 64 comparisons
		 * cannot fail by chance. */
		assert_in_range(differing[bit], ROUNDS / 2 - 320, ROUNDS / 2 + 320);
	}
}

/* The key's length does not fit in 32 bits. All bytes except the last are zero, so the key takes
 * almost no memory. */
static void a_key_of_more_than_4_gib_counts_to_its_last_byte(void **state)
{
	uint64_t bytes =
		SANITIZED || getenv("BLOOM_TEST_SLOW") ? UINT64_C(1) << 24 : UINT64_C(1) << 32;
	bloom_digest whole, changed, shorter, start;
	unsigned char *key;

	(void)state;
	if (bytes > SIZE_MAX - 1) {
		skip_because("a key of more than 4 GiB needs 64 bits");
	}
	key = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	assert_true(key != MAP_FAILED);
	whole = bloom_digest_of(key, bytes + 1, 1);
	shorter = bloom_digest_of(key, bytes, 1);
	start = bloom_digest_of(key, 1, 1); /* the result if the length were truncated to 32 bits */
	key[bytes] = 1;
	changed = bloom_digest_of(key, bytes + 1, 1);
	assert_true(whole != shorter);
	assert_true(whole != start);
	assert_true(whole != changed);
	assert_int_equal(0, munmap(key, bytes + 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: odd-keys */
		TEST("digests match those of another implementation", digests_match_the_vectors),
		TEST("words of the probe stream match those of another implementation",
			stream_words_match_the_vectors),
		/* fault: odd-keys */
		TEST("the empty key may be a null pointer", the_empty_key_may_be_null),
		/* fault: odd-keys */
		TEST("no byte beyond a key of any length is read", nothing_but_the_key_is_read),
		/* fault: odd-keys */
		TEST("a key's alignment does not change its digest", alignment_does_not_matter),
		/* fault: odd-keys */
		TEST("bytes above 127 are hashed as unsigned values",
			bytes_above_127_are_not_sign_extended),
		/* fault: odd-keys */
		TEST("the last byte of a key of more than 4 GiB affects its digest",
			a_key_of_more_than_4_gib_counts_to_its_last_byte),
		TEST("a chunk's digest has xxHash's canonical byte order",
			a_chunk_digest_is_the_canonical_form),
		TEST("consecutive digests give words that differ in half of their bits",
			words_of_consecutive_digests_differ_in_half_of_their_bits),
	};

	return cmocka_run_group_tests_name("digest", tests, NULL, NULL);
}

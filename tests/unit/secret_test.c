/* Secrets: functions that must match the vectors of another implementation, ring files and their
 * errors, and what a host refuses if it lacks a secret or has signing keys. */
#include "support.h"

#include <sys/stat.h>
#include <unistd.h>

#include "kinds/attachment.h"
#include "kinds/counting.h"
#include "filter/digest.h"
#include "segment/keyring.h"
#include "kinds/ondemand.h"
#include "kinds/scalable.h"
#include "filter/signature.h"
#include "kinds/sliding.h"
#include "kinds/create.h"
#include "segment/stage.h"
#include "segment/drop.h"

static void need_sodium(void)
{
	if (!bloom_has_sodium()) {
		skip_because("this build has no libsodium");
	}
}

/* A ring of `count` secrets. All 32 bytes of each secret are equal: `first`, `first` + 1, and so
 * on. */
static bloom_ring ring_of(unsigned first, unsigned count)
{
	bloom_ring ring = {.configured = true};
	unsigned char bytes[BLOOM_SECRET_BYTES];

	for (; ring.count < count; ring.count++) {
		memset(bytes, (int)(first + ring.count), sizeof bytes);
		assert_ok(bloom_secret_make(bytes, &ring.secret[ring.count], &error));
	}
	return ring;
}

/* Returns the ring of the golden files, whose secrets are consecutive bytes. */
static bloom_ring golden_ring(unsigned char first)
{
	bloom_ring ring = {.configured = true, .count = 1};
	unsigned char bytes[BLOOM_SECRET_BYTES];
	unsigned char i;

	for (i = 0; i < sizeof bytes; i++) {
		bytes[i] = (unsigned char)(first + i);
	}
	assert_ok(bloom_secret_make(bytes, &ring.secret[0], &error));
	return ring;
}

enum { GOLDEN_SECRET = 0, GOLDEN_SIGNING_KEY = 100 };

/* ---- the functions ---- */

static void siphash_matches_its_authors_vectors(void **state)
{
	static const char *const expected[] = {
		"310e0edd47db6f72", "fd67dc93c539f874", "5a4fa9d909806c0d"};
	unsigned char key[16], message[3], bytes[8];
	unsigned char i;

	(void)state;
	need_sodium();
	for (i = 0; i < 16; i++) {
		key[i] = i;
	}
	for (i = 0; i < 3; i++) {
		message[i] = i;
		assert_int_equal(8, unhex(expected[i], bytes, sizeof bytes));
		assert_true(bloom_siphash(key, message, i) == bloom_get64(bytes));
	}
}

static void blake2b_names_a_chunk_as_other_tools_do(void **state)
{
	unsigned char actual[16], expected[16];

	(void)state;
	need_sodium();
	/* printf abc | b2sum -l 128 */
	assert_int_equal(16, unhex("cf4ab791c62b8d2b2109c90275287816", expected, sizeof expected));
	bloom_chunk_digest(BLOOM_CHUNK_DIGEST_BLAKE2B, (const unsigned char *)"abc", 3, actual);
	assert_memory_equal(expected, actual, sizeof actual);
}

static void fingerprints_keys_and_digests_match_the_vectors(void **state)
{
	test_blob file;
	char secret_hex[65], digest_key_hex[33], key_hex[4096], *line, *rest = NULL;
	unsigned char bytes[BLOOM_SECRET_BYTES], digest_key[16], key[2048];
	unsigned long long fingerprint, seed, expected;
	bloom_ring ring = {.configured = true, .count = 1};
	bloom_hasher hasher;
	bloom_digest digest;
	int rows = 0;

	(void)state;
	need_sodium();
	file = vector_file("secrets.txt");
	for (line = strtok_r((char *)file.bytes, "\n", &rest); line != NULL;
		line = strtok_r(NULL, "\n", &rest)) {
		if (line[0] == '#') {
			continue;
		}
		assert_int_equal(6,
			sscanf(line, "%64s %llx %llx %32s %4095s %llx", secret_hex, &fingerprint,
				&seed, digest_key_hex, key_hex, &expected));
		assert_int_equal(32, unhex(secret_hex, bytes, sizeof bytes));
		assert_int_equal(16, unhex(digest_key_hex, digest_key, sizeof digest_key));
		assert_ok(bloom_secret_make(bytes, &ring.secret[0], &error));
		assert_true(ring.secret[0].fingerprint == fingerprint);
		assert_ok(bloom_hasher_find(seed, fingerprint, &ring, &hasher, &error));
		assert_memory_equal(digest_key, hasher.key, sizeof digest_key);
		digest = bloom_hash(&hasher, key, unhex(key_hex, key, sizeof key));
		assert_true(digest == expected);
		rows++;
	}
	assert_int_equal(4 * 2 * 23, rows);
	blob_free(&file);
}

static void without_a_fingerprint_the_digest_is_the_fast_one(void **state)
{
	bloom_digest plain = bloom_digest_of((const unsigned char *)"key", 3, 7), found;
	bloom_hasher hasher;

	(void)state;
	assert_ok(bloom_hasher_find(7, 0, NULL, &hasher, &error));
	found = bloom_hash(&hasher, (const unsigned char *)"key", 3);
	assert_true(plain == found);
	assert_status(BLOOM_E_SECRET, bloom_hasher_find(7, 1, NULL, &hasher, &error));
}

static void wiped_memory_holds_nothing(void **state)
{
	static const unsigned char zeros[sizeof(bloom_ring)];
	bloom_ring ring;

	(void)state;
	need_sodium();
	ring = ring_of(1, 8);
	bloom_ring_drop(&ring);
	assert_memory_equal(zeros, &ring, sizeof ring);
}

static void a_builder_leaves_no_key_behind(void **state)
{
	bloom_builder builder = {0};
	bloom_ring ring;
	bloom_params params = {.capacity_keys = 10, .rate = 0.01};

	(void)state;
	need_sodium();
	ring = ring_of(1, 1);
	params.secret = &ring.secret[0];
	assert_ok(bloom_builder_init(&params, 1, 0, &builder, &error));
	assert_int_equal(BLOOM_DIGEST_SIPHASH, builder.hasher.digest);
	bloom_builder_free(&builder);
	assert_memory_equal(&(bloom_hasher){0}, &builder.hasher, sizeof builder.hasher);
}

/* ---- rings ---- */

#define SECRET_A "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define SECRET_B "ffeeddccbbaa99887766554433221100FFEEDDCCBBAA99887766554433221100"

static bloom_status parse(const char *text, bloom_ring *ring)
{
	return bloom_ring_parse((const unsigned char *)text, strlen(text), "ring", ring, &error);
}

static void a_ring_has_its_secrets_in_the_order_of_the_lines(void **state)
{
	static const char *const texts[] = {
		SECRET_A "\n" SECRET_B "\n",
		SECRET_A "\n" SECRET_B,
		"# current\n" SECRET_A "\r\n\r\n  # previous \n \t" SECRET_B " \n\n",
	};
	unsigned char a[32], b[32];
	bloom_ring ring;
	size_t i;

	(void)state;
	need_sodium();
	(void)unhex(SECRET_A, a, sizeof a);
	(void)unhex(SECRET_B, b, sizeof b);
	for (i = 0; i < sizeof texts / sizeof *texts; i++) {
		assert_ok(parse(texts[i], &ring));
		assert_int_equal(2, ring.count);
		assert_memory_equal(a, ring.secret[0].bytes, 32);
		assert_memory_equal(b, ring.secret[1].bytes, 32);
		assert_true(ring.configured &&
			ring.secret[0].fingerprint != ring.secret[1].fingerprint);
		assert_ptr_equal(&ring.secret[1],
			bloom_ring_find(&ring, ring.secret[1].fingerprint, BLOOM_E_SECRET, NULL));
		assert_ptr_equal(
			&ring.secret[0], bloom_ring_current(&ring, BLOOM_E_NO_SECRET, NULL));
	}
}

static void a_text_that_is_no_ring_is_refused_and_not_repeated(void **state)
{
	static const char *const texts[] = {
		"",
		"# nothing\n\n",
		"0123\n",
		SECRET_A "0\n",
		"0" SECRET_A "\n",
		SECRET_A " " SECRET_B "\n",
		SECRET_A "\nxx112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\n",
		SECRET_A "\n" SECRET_A "\n",
		("secret=" SECRET_A),
	};
	bloom_ring ring = {.count = 77};
	char nine[9 * 65 + 1];
	size_t i;

	(void)state;
	need_sodium();
	for (i = 0; i < sizeof texts / sizeof *texts; i++) {
		assert_status(BLOOM_E_SECRET_TEXT, parse(texts[i], &ring));
		assert_null(strstr(error.subject, "00112233"));
		assert_null(strstr(error.subject, "112233445566"));
		assert_int_equal(77, ring.count);
	}
	for (i = 0; i < 9; i++) {
		(void)snprintf(nine + i * 65, 66, "%063d%zu\n", 0, i);
	}
	assert_status(BLOOM_E_SECRET_TEXT, parse(nine, &ring));
	nine[8 * 65] = 0;
	assert_ok(parse(nine, &ring));
	assert_int_equal(8, ring.count);
}

static const char *scratch_file(const char *name)
{
	static char paths[4][4096];
	static unsigned next;
	char *path = paths[next++ % 4];

	(void)snprintf(path, sizeof paths[0], "%.3000s/%s", scratch_path(), name);
	return path;
}

static bloom_status read_status(const char *path)
{
	bloom_ring ring;

	bloom_ring_read(path, &ring);
	assert_int_equal(path != NULL && path[0] != 0, ring.configured);
	assert_int_equal(ring.failure.status == BLOOM_OK && ring.configured, ring.count > 0);
	if (ring.failure.status != BLOOM_OK) {
		/* Every operation that needs a secret of an invalid ring reports the ring's
		 * error. */
		assert_null(bloom_ring_current(&ring, BLOOM_E_NO_SECRET, &error));
		assert_int_equal(ring.failure.status, error.status);
		assert_null(bloom_ring_find(&ring, 1, BLOOM_E_SECRET, &error));
		assert_int_equal(ring.failure.status, error.status);
	}
	return ring.failure.status;
}

static void a_ring_file_must_be_closed_to_others(void **state)
{
	static const struct {
		unsigned mode;
		bloom_status status;
	} modes[] = {{0400, BLOOM_OK}, {0600, BLOOM_OK}, {0640, BLOOM_OK}, {0440, BLOOM_OK},
		{0620, BLOOM_E_SECRET_MODE}, {0660, BLOOM_E_SECRET_MODE},
		{0604, BLOOM_E_SECRET_MODE}, {0602, BLOOM_E_SECRET_MODE},
		{0644, BLOOM_E_SECRET_MODE}, {0666, BLOOM_E_SECRET_MODE}};
	const char *path = scratch_file("ring");
	size_t i;

	(void)state;
	need_sodium();
	for (i = 0; i < sizeof modes / sizeof *modes; i++) {
		write_file(path, SECRET_A, 64, modes[i].mode);
		assert_int_equal(modes[i].status, read_status(path));
		assert_int_equal(0, unlink(path));
	}
	if (geteuid() == 0) {
		write_file(path, SECRET_A, 64, 0600);
		assert_int_equal(0, chown(path, FOREIGN_USER, FOREIGN_USER));
		assert_int_equal(BLOOM_E_SECRET_MODE, read_status(path));
	}
}

static void what_is_no_ring_file_is_told_apart(void **state)
{
	static char long_text[BLOOM_RING_FILE_BYTES_MAX + 1];
	const char *path = scratch_file("ring"), *link_path = scratch_file("link");
	int files = count_open_files();

	(void)state;
	need_sodium();
	assert_int_equal(BLOOM_OK, read_status(NULL));
	assert_int_equal(BLOOM_OK, read_status(""));
	assert_int_equal(BLOOM_E_SECRET_FILE, read_status(path));
	assert_int_equal(BLOOM_E_SECRET_FILE, read_status("ring"));
	assert_int_equal(BLOOM_E_SECRET_MODE, read_status(scratch_path()));
	assert_int_equal(0, mkfifo(path, 0600));
	assert_int_equal(BLOOM_E_SECRET_MODE, read_status(path));
	assert_int_equal(0, unlink(path));
	memset(long_text, '\n', sizeof long_text);
	memcpy(long_text, SECRET_A, 64);
	write_file(path, long_text, sizeof long_text, 0600);
	assert_int_equal(BLOOM_E_SECRET_FILE, read_status(path));
	write_file(path, long_text, sizeof long_text - 2, 0600);
	assert_int_equal(BLOOM_OK, read_status(path));
	assert_int_equal(0, symlink(path, link_path));
	assert_int_equal(BLOOM_OK, read_status(link_path));
	assert_int_equal(files, count_open_files());
}

/* ---- keyed filters ---- */

static bloom_params keyed_params(const bloom_ring *ring)
{
	return (bloom_params){.capacity_keys = 2000, .rate = 0.01, .secret = &ring->secret[0]};
}

/* Keyed filters use the lookup path of filters with several parts. */
static bool has(bloom_attachment *attachment, const char *family, uint64_t i)
{
	assert_int_not_equal(BLOOM_PRESENCE_VIEW, bloom_attachment_check(attachment));
	return filter_answers(attachment, family, i);
}

static unsigned found_of(bloom_attachment *attachment, const char *family, uint64_t count)
{
	unsigned found = 0;
	uint64_t i;

	for (i = 0; i < count; i++) {
		found += has(attachment, family, i);
	}
	return found;
}

static void a_loaded_keyed_filter_has_its_keys_and_its_rate(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;
	bloom_ring ring;
	bloom_params params;
	test_blob blob;
	unsigned found;

	(void)state;
	need_sodium();
	ring = ring_of(1, 1);
	params = keyed_params(&ring);
	segment.secrets = &ring;
	blob = blob_of(&params, 1, 2000, "key", NULL);
	assert_ok(load(&segment, "tags", blob, NULL));
	attach_to(&segment, "tags", &attachment);
	assert_int_equal(2000, found_of(&attachment, "key", 2000));
	found = found_of(&attachment, "absent", 20000);
	assert_true(is_likely(found, 20000, attachment.loaded->head.meta.measured_rate));
	bloom_detach(&attachment);
	blob_free(&blob);
}

static void the_secret_and_the_seed_decide_where_bits_are(void **state)
{
	test_blob blobs[3];
	bloom_ring ring;
	bloom_params one, other;
	int i, j;

	(void)state;
	need_sodium();
	ring = ring_of(1, 2);
	one = other = keyed_params(&ring);
	other.secret = &ring.secret[1];
	blobs[0] = blob_of(&one, 1, 500, "key", NULL);
	blobs[1] = blob_of(&one, 2, 500, "key", NULL);
	blobs[2] = blob_of(&other, 1, 500, "key", NULL);
	for (i = 0; i < 3; i++) {
		for (j = 0; j < i; j++) {
			assert_memory_not_equal(blobs[i].bytes + 4096, blobs[j].bytes + 4096, 1024);
		}
	}
	for (i = 0; i < 3; i++) {
		blob_free(&blobs[i]);
	}
}

static void a_host_without_the_secret_loads_and_attaches_to_nothing_keyed(void **state)
{
	bloom_segment with = scratch_segment(), without = scratch_segment();
	bloom_ring ring, other;
	bloom_attachment attachment;
	bloom_params params;
	test_blob blob;

	(void)state;
	need_sodium();
	ring = ring_of(1, 1);
	other = ring_of(5, 3);
	params = keyed_params(&ring);
	with.secrets = &ring;
	blob = blob_of(&params, 1, 100, "key", NULL);
	assert_status(BLOOM_E_SECRET, load(&without, "tags", blob, NULL));
	without.secrets = &other;
	assert_status(BLOOM_E_SECRET, load(&without, "tags", blob, NULL));
	assert_ok(load(&with, "tags", blob, NULL));
	assert_status(BLOOM_E_SECRET, bloom_attach(&without, "tags", &attachment, &error));
	without.secrets = NULL;
	assert_status(BLOOM_E_SECRET, bloom_attach(&without, "tags", &attachment, &error));
	assert_int_equal(0, count_entries(in_segment(&with, "tags"), ".tmp"));
	blob_free(&blob);
}

static void an_attached_reader_without_the_new_secret_says_maybe(void **state)
{
	bloom_segment with = scratch_segment(), reader = scratch_segment();
	bloom_params plain = {.capacity_keys = 2000, .rate = 0.01}, params;
	bloom_attachment attachment;
	test_blob unkeyed, keyed;
	bloom_ring ring;

	(void)state;
	need_sodium();
	ring = ring_of(1, 1);
	params = keyed_params(&ring);
	with.secrets = &ring;
	unkeyed = blob_of(&plain, 1, 100, "old", NULL);
	keyed = blob_of(&params, 1, 100, "new", NULL);
	assert_ok(load(&reader, "tags", unkeyed, NULL));
	attach_to(&reader, "tags", &attachment);
	assert_int_equal(BLOOM_PRESENCE_VIEW, bloom_attachment_check(&attachment));
	assert_ok(load(&with, "tags", keyed, NULL));
	assert_int_equal(BLOOM_PRESENCE_UNMAPPED, bloom_attachment_check(&attachment));
	assert_int_equal(300, found_of(&attachment, "whatever", 300));
	assert_true(attachment.map_failures > 0);
	assert_ok(load(&reader, "tags", unkeyed, NULL));
	assert_int_equal(BLOOM_PRESENCE_VIEW, bloom_attachment_check(&attachment));
	bloom_detach(&attachment);
	blob_free(&unkeyed);
	blob_free(&keyed);
}

static void live_filters_of_every_kind_can_be_keyed(void **state)
{
	static const bloom_live_params all_params[] = {
		{.kind = BLOOM_KIND_LIVE, .capacity_keys = 1000, .rate = 0.001},
		{.kind = BLOOM_KIND_COUNTING, .capacity_keys = 1000, .rate = 0.001},
		{.kind = BLOOM_KIND_SCALABLE,
			.capacity_keys = 100,
			.rate = 0.001,
			.growth = 2,
			.tightening = 0.8},
		{.kind = BLOOM_KIND_SLIDING,
			.capacity_keys = 1000,
			.rate = 0.001,
			.window_ms = 100000000},
		{.kind = BLOOM_KIND_REVERSE,
			.capacity_keys = 1000,
			.rate = 0.001,
			.groups = 50,
			.fan_out = 64},
	};
	bloom_segment segment = scratch_segment(), stranger = scratch_segment();
	bloom_attachment attachment;
	bloom_live_params params;
	bloom_ring ring, rotated;
	bool created;
	uint64_t i;
	size_t k;

	(void)state;
	need_sodium();
	rotated = ring_of(1, 2);
	ring = ring_of(2, 1);
	for (k = 0; k < sizeof all_params / sizeof *all_params; k++) {
		segment.secrets = &ring;
		params = all_params[k];
		params.fingerprint = ring.secret[0].fingerprint;
		assert_status(BLOOM_E_SECRET,
			bloom_live_create(&stranger, "seen", &params, NULL, &created, &error));
		assert_ok(bloom_live_create(&segment, "seen", &params, NULL, &created, &error));
		attach_to(&segment, "seen", &attachment);
		for (i = 0; i < 1000; i++) {
			assert_ok(filter_add(&attachment, "key", i, NULL));
			assert_true(has(&attachment, "key", i));
		}
		assert_int_equal(1000, found_of(&attachment, "key", 1000));
		/* An index answers "maybe" if any of its 50 groups matches, so at most 50 times as
		 * often. */
		assert_in_range(found_of(&attachment, "absent", 1000), 0,
			params.kind == BLOOM_KIND_REVERSE ? 90 : 14);
		bloom_detach(&attachment);
		assert_status(BLOOM_E_SECRET, bloom_attach(&stranger, "seen", &attachment, &error));
		/* After a rotation the filter counts as the same filter, and keeps its old secret.
		 * An unkeyed filter counts as a different filter. */
		segment.secrets = &rotated;
		params.fingerprint = rotated.secret[0].fingerprint;
		assert_ok(bloom_live_create(&segment, "seen", &params, NULL, &created, &error));
		assert_false(created);
		attach_to(&segment, "seen", &attachment);
		assert_int_equal(1000, found_of(&attachment, "key", 1000));
		bloom_detach(&attachment);
		params.fingerprint = 0;
		assert_status(BLOOM_E_EXISTS,
			bloom_live_create(&segment, "seen", &params, NULL, &created, &error));
		assert_ok(bloom_segment_drop(&segment, "seen", &created, &error));
	}
}

static void blobs_of_different_secrets_are_not_combined(void **state)
{
	bloom_builder builder = {0};
	bloom_ring ring;
	bloom_params params, other;
	bloom_head head, other_head;
	test_blob one, two, plain;

	(void)state;
	need_sodium();
	ring = ring_of(1, 2);
	params = other = keyed_params(&ring);
	other.secret = &ring.secret[1];
	one = blob_of(&params, 1, 100, "key", NULL);
	two = blob_of(&other, 1, 100, "key", NULL);
	other.secret = NULL;
	plain = blob_of(&other, 1, 100, "key", NULL);
	assert_ok(bloom_blob_parse(one.bytes, one.count, &head, &error));
	assert_ok(bloom_builder_start(
		&head.geometry, &head.meta, one.bytes + head.head_bytes, &builder, &error));
	assert_ok(bloom_builder_merge(&builder, &head, one.bytes + head.head_bytes, &error));
	assert_ok(bloom_blob_parse(two.bytes, two.count, &other_head, &error));
	assert_status(BLOOM_E_DIFFERENT,
		bloom_builder_merge(&builder, &other_head, two.bytes + head.head_bytes, &error));
	assert_ok(bloom_blob_parse(plain.bytes, plain.count, &other_head, &error));
	assert_status(BLOOM_E_DIFFERENT,
		bloom_builder_merge(&builder, &other_head, plain.bytes + head.head_bytes, &error));
	bloom_builder_free(&builder);
	blob_free(&one);
	blob_free(&two);
	blob_free(&plain);
}

/* ---- heads ---- */

static void a_digest_and_its_fingerprint_go_together(void **state)
{
	static const struct {
		size_t at;
		uint32_t value;
		bloom_status status;
	} changes[] = {
		{56, 1, BLOOM_E_RESERVED}, /* with this digest the fingerprint must be zero */
		{56, 3, BLOOM_E_SCHEME},
		{56, 0, BLOOM_E_SCHEME},
		{60, 1, BLOOM_E_RESERVED},
		{60, 3, BLOOM_E_SCHEME},
		{60, 0, BLOOM_E_SCHEME},
		{376, 1, BLOOM_E_RESERVED}, /* after the mark */
		{328, 1, BLOOM_E_RESERVED}, /* a mark without an epoch */
		{508, 1, BLOOM_E_RESERVED},
		{256, 1, BLOOM_E_RESERVED},
		{264, 1, BLOOM_E_RESERVED},
		{268, 1, BLOOM_E_RESERVED},
	};
	test_blob golden, blob;
	bloom_head head;
	size_t i;

	(void)state;
	need_sodium();
	golden = vector_file("signed-keyed.bloom");
	for (i = 0; i < sizeof changes / sizeof *changes; i++) {
		blob = blob_copy(golden);
		bloom_put32(blob.bytes + changes[i].at, changes[i].value);
		mend_head(blob, 4096);
		assert_status(
			changes[i].status, bloom_blob_parse(blob.bytes, blob.count, &head, &error));
		blob_free(&blob);
	}
	for (i = 272; i <= 280; i += 8) {
		blob = blob_copy(golden);
		bloom_put64(blob.bytes + i, 0);
		mend_head(blob, 4096);
		assert_status(
			BLOOM_E_SCHEME, bloom_blob_parse(blob.bytes, blob.count, &head, &error));
		blob_free(&blob);
	}
	blob_free(&golden);
}

static void without_libsodium_what_needs_it_is_refused_and_says_so(void **state)
{
	static const char *const names[] = {
		"keyed-bytes.bloom", "signed-tiny.bloom", "signed-keyed.bloom"};
	test_blob blob;
	bloom_head head;
	bloom_ring ring;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof names / sizeof *names; i++) {
		blob = vector_file(names[i]);
		assert_status(bloom_has_sodium() ? BLOOM_OK : BLOOM_E_SODIUM,
			bloom_blob_parse(blob.bytes, blob.count, &head, &error));
		blob_free(&blob);
	}
	if (!bloom_has_sodium()) {
		bloom_ring_read("/etc/hostname", &ring);
		assert_int_equal(BLOOM_E_SODIUM, ring.failure.status);
		assert_null(bloom_ring_current(&ring, BLOOM_E_NO_SECRET, &error));
		assert_int_equal(BLOOM_E_SODIUM, error.status);
	}
}

/* ---- signatures ---- */

static void the_golden_signatures_are_made_and_believed(void **state)
{
	static const char *const names[] = {"signed-tiny.bloom", "signed-keyed.bloom"};
	bloom_ring ring;
	test_blob golden, blob;
	bloom_head head;
	size_t i;

	(void)state;
	need_sodium();
	ring = golden_ring(GOLDEN_SIGNING_KEY);
	for (i = 0; i < sizeof names / sizeof *names; i++) {
		golden = vector_file(names[i]);
		assert_ok(bloom_blob_parse(golden.bytes, golden.count, &head, &error));
		assert_ok(bloom_signature_check(&head, golden.bytes, "tags", &ring, &error));
		assert_ok(bloom_chunk_range_verify(
			&head, golden.bytes + head.head_bytes, 0, head.chunks, &error));
		blob = blob_copy(golden);
		assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
		assert_ok(bloom_sign(blob.bytes, "other", &ring.secret[0], &head, &error));
		assert_memory_not_equal(golden.bytes, blob.bytes, head.head_bytes);
		assert_ok(bloom_signature_check(&head, blob.bytes, "other", &ring, &error));
		assert_ok(bloom_sign(blob.bytes, "tags", &ring.secret[0], &head, &error));
		assert_memory_equal(golden.bytes, blob.bytes, blob.count);
		blob_free(&blob);
		blob_free(&golden);
	}
}

/* An unsigned blob, and the same blob signed. */
static test_blob signed_small(const bloom_secret *key, const char *name, uint64_t built_ms)
{
	test_blob blob = blob_small();
	bloom_head head;

	bloom_put64(blob.bytes + 112, built_ms);
	mend_head(blob, bloom_get64(blob.bytes + 16));
	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	if (key != NULL) {
		assert_ok(bloom_sign(blob.bytes, name, key, &head, &error));
	}
	return blob;
}

static void no_byte_of_a_signed_head_can_be_changed(void **state)
{
	bloom_ring ring;
	test_blob golden, blob;
	bloom_head head;
	bloom_status status;
	uint64_t at;

	(void)state;
	need_sodium();
	ring = ring_of(1, 1);
	golden = signed_small(&ring.secret[0], "tags", 1000);
	for (at = 0; at < 4096 - 8; at++) {
		blob = blob_copy(golden);
		blob.bytes[at] ^= 1;
		mend_head(blob, 4096);
		status = bloom_blob_parse(blob.bytes, blob.count, &head, &error);
		if (status == BLOOM_OK) {
			status = bloom_signature_check(&head, blob.bytes, "tags", &ring, &error);
			assert_true(status == BLOOM_E_SIGNATURE || status == BLOOM_E_SIGNER);
		}
		assert_int_not_equal(BLOOM_OK, status);
		blob_free(&blob);
	}
	blob_free(&golden);
}

/* An attacker who knows everything but the key can change bits and correct every checksum. */
static void no_byte_of_a_signed_body_can_be_changed(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t generation, seed = test_seed("body"), shard, at, set, i;
	bloom_ring ring;
	test_blob golden, blob;
	bloom_status status;
	bloom_head head;

	(void)state;
	need_sodium();
	ring = ring_of(1, 1);
	segment.signers = &ring;
	golden = signed_small(&ring.secret[0], "tags", 1000);
	assert_ok(load(&segment, "tags", golden, &generation));
	assert_ok(bloom_blob_parse(golden.bytes, golden.count, &head, &error));
	for (i = 0; i < 200; i++) {
		blob = blob_copy(golden);
		shard = random_below(&seed, head.geometry.shards);
		at = head.head_bytes + shard * head.geometry.shard_bytes +
			random_below(&seed, head.geometry.shard_bytes);
		/* Rotates the bits of one byte, so that even the counts stay right. */
		set = blob.bytes[at];
		if (set == 0 || set == 255) {
			blob_free(&blob);
			continue;
		}
		blob.bytes[at] = (unsigned char)(set << 1 | set >> 7);
		status = load(&segment, "tags", blob, &generation);
		assert_status(set == (unsigned char)(set << 1 | set >> 7) ? BLOOM_OK
									  : BLOOM_E_SHARD_CHECKSUM,
			status);
		/* If the row's checksum is corrected, the head's signature no longer matches. */
		mend_shard(blob, shard);
		status = load(&segment, "tags", blob, &generation);
		assert_int_not_equal(BLOOM_OK, status);
		blob_free(&blob);
	}
	blob_free(&golden);
}

/* No XXH3 collision is available here. Instead, the chunk's bytes are damaged, and only the
 * function that checks chunks, not the shard's checksum, is called. */
static void a_chunk_is_what_its_cryptographic_digest_says(void **state)
{
	bloom_ring ring;
	test_blob blob;
	bloom_head head;
	uint64_t chunk;

	(void)state;
	need_sodium();
	ring = ring_of(1, 1);
	blob = signed_small(&ring.secret[0], "tags", 1000);
	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	assert_int_equal(2, head.chunks);
	for (chunk = 0; chunk < head.chunks; chunk++) {
		unsigned char *bytes =
			blob.bytes + head.head_bytes + bloom_head_chunk_offset(&head, chunk);

		assert_true(bloom_chunk_matches(&head, chunk, bytes));
		bytes[bloom_head_chunk_length(&head, chunk) - 1] ^= 128;
		assert_false(bloom_chunk_matches(&head, chunk, bytes));
		assert_status(BLOOM_E_CHUNK_DIGEST,
			bloom_chunk_range_verify(
				&head, blob.bytes + head.head_bytes, chunk, 1, &error));
		bytes[bloom_head_chunk_length(&head, chunk) - 1] ^= 128;
	}
	blob_free(&blob);
}

static void with_signing_keys_only_what_they_signed_for_that_name_is_loaded(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_ring ring, previous, stranger;
	test_blob blobs[5];
	size_t i;

	(void)state;
	need_sodium();
	ring = ring_of(1, 2);
	previous = ring_of(2, 1);
	stranger = ring_of(9, 1);
	segment.signers = &ring;
	blobs[0] = signed_small(NULL, NULL, 1000);
	blobs[1] = signed_small(&stranger.secret[0], "tags", 1000);
	blobs[2] = signed_small(&ring.secret[0], "other", 1000);
	blobs[3] = signed_small(&ring.secret[0], "tags", 1000);
	blobs[4] = signed_small(&previous.secret[0], "tags", 1000);
	assert_status(BLOOM_E_UNSIGNED, load(&segment, "tags", blobs[0], NULL));
	assert_status(BLOOM_E_SIGNER, load(&segment, "tags", blobs[1], NULL));
	assert_status(BLOOM_E_SIGNATURE, load(&segment, "tags", blobs[2], NULL));
	/* The refused loads did not even create the directory. */
	assert_int_equal(-1, count_entries(in_segment(&segment, "tags"), ""));
	assert_ok(load(&segment, "tags", blobs[3], NULL));
	assert_ok(load(&segment, "tags", blobs[4], NULL));
	/* Without a key, no signature is required. A ring that failed to load accepts nothing. */
	segment.signers = NULL;
	assert_ok(load(&segment, "tags", blobs[0], NULL));
	stranger = (bloom_ring){.configured = true, .failure = {.status = BLOOM_E_SECRET_MODE}};
	segment.signers = &stranger;
	for (i = 0; i < 5; i++) {
		assert_status(BLOOM_E_SECRET_MODE, load(&segment, "tags", blobs[i], NULL));
		blob_free(&blobs[i]);
	}
}

static void an_older_blob_is_a_replay_and_an_equal_one_is_not(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_stage stage = {0};
	uint64_t generation;
	bloom_ring ring;
	test_blob older, newer;

	(void)state;
	need_sodium();
	ring = ring_of(1, 1);
	segment.signers = &ring;
	older = signed_small(&ring.secret[0], "tags", 1000);
	newer = signed_small(&ring.secret[0], "tags", 1001);
	assert_ok(load(&segment, "tags", older, NULL));
	assert_ok(load(&segment, "tags", older, NULL));
	assert_ok(load(&segment, "tags", newer, NULL));
	assert_status(BLOOM_E_REPLAY, load(&segment, "tags", older, NULL));
	assert_ok(load(&segment, "tags", newer, NULL));
	/* A caller that explicitly allows an older version may roll back. */
	assert_ok(bloom_stage_begin(&segment, "tags", older.count, &stage, &error));
	stage.allow_older = true;
	assert_ok(bloom_stage_write(&stage, older.bytes, older.count, &error));
	assert_ok(bloom_stage_commit(&stage, &generation, &error));
	assert_ok(load(&segment, "tags", newer, NULL));
	segment.signers = NULL;
	assert_ok(load(&segment, "tags", older, NULL));
	blob_free(&older);
	blob_free(&newer);
}

static bloom_status stage_cache(
	const bloom_segment *segment, test_blob blob, bool allow_older, uint64_t *generation)
{
	bloom_stage stage = {0};
	bloom_head head;
	bloom_status status;

	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	status = bloom_cache_stage(
		segment, "part", 1 << 20, &head, blob.bytes, NULL, &stage, &error);
	if (status != BLOOM_OK) {
		return status;
	}
	stage.allow_older = allow_older;
	return bloom_stage_commit(&stage, generation, &error);
}

static void on_demand_filters_are_held_to_the_same(void **state)
{
	bloom_segment segment = scratch_segment(), bare = scratch_segment();
	test_blob plain, older, newer;
	bloom_attachment attachment;
	unsigned char *chunk;
	uint64_t generation;
	bloom_ring ring;

	(void)state;
	need_sodium();
	ring = ring_of(1, 1);
	segment.signers = &ring;
	plain = signed_small(NULL, NULL, 1000);
	older = signed_small(&ring.secret[0], "part", 1000);
	newer = signed_small(&ring.secret[0], "part", 1001);
	assert_status(BLOOM_E_UNSIGNED, stage_cache(&segment, plain, false, &generation));
	/* A filter from before the key was configured is no longer trusted. */
	assert_ok(stage_cache(&bare, plain, false, &generation));
	assert_status(BLOOM_E_UNSIGNED, bloom_attach(&segment, "part", &attachment, &error));
	assert_ok(stage_cache(&segment, newer, false, &generation));
	assert_status(BLOOM_E_REPLAY, stage_cache(&segment, older, false, &generation));
	assert_ok(stage_cache(&segment, older, true, &generation));
	attach_to(&segment, "part", &attachment);
	chunk = older.bytes + attachment.cache->blob.head_bytes;
	chunk[7] ^= 1;
	assert_status(BLOOM_E_CHUNK_DIGEST,
		bloom_cache_put(attachment.cache, &segment, "part", 0, chunk, &error));
	chunk[7] ^= 1;
	assert_ok(bloom_cache_put(attachment.cache, &segment, "part", 0, chunk, &error));
	bloom_detach(&attachment);
	blob_free(&plain);
	blob_free(&older);
	blob_free(&newer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("SipHash matches its authors' vectors", siphash_matches_its_authors_vectors),
		TEST("BLAKE2b digests of chunks match other tools",
			blake2b_names_a_chunk_as_other_tools_do),
		TEST("fingerprints, keys and digests match the vectors",
			fingerprints_keys_and_digests_match_the_vectors),
		/* fault: invalid-field */
		TEST("filters without a fingerprint use the fast digest",
			without_a_fingerprint_the_digest_is_the_fast_one),
		TEST("dropping a ring overwrites its memory with zeros",
			wiped_memory_holds_nothing),
		TEST("a freed builder leaves no secret key in its memory",
			a_builder_leaves_no_key_behind),
		TEST("a ring has its secrets in the order of the file's lines",
			a_ring_has_its_secrets_in_the_order_of_the_lines),
		/* fault: open-secret */
		TEST("an invalid ring is refused, and the message does not repeat its text",
			a_text_that_is_no_ring_is_refused_and_not_repeated),
		/* fault: open-secret */
		TEST_IN_SCRATCH("a ring file that other users can access is refused",
			a_ring_file_must_be_closed_to_others),
		/* fault: open-secret */
		TEST_IN_SCRATCH("each kind of invalid ring file has its own error",
			what_is_no_ring_file_is_told_apart),
		TEST_IN_SCRATCH("a loaded keyed filter finds its keys and keeps its rate",
			a_loaded_keyed_filter_has_its_keys_and_its_rate),
		TEST("the secret and the seed determine the positions of bits",
			the_secret_and_the_seed_decide_where_bits_are),
		/* fault: unknown-secret */
		TEST_IN_SCRATCH(
			"a host without the secret can neither load nor attach to a keyed filter",
			a_host_without_the_secret_loads_and_attaches_to_nothing_keyed),
		/* fault: unknown-secret */
		TEST_IN_SCRATCH("an attached reader without the new secret answers 'maybe'",
			an_attached_reader_without_the_new_secret_says_maybe),
		TEST_IN_SCRATCH("each kind of live filter can be keyed",
			live_filters_of_every_kind_can_be_keyed),
		TEST("blobs with different secrets cannot be combined",
			blobs_of_different_secrets_are_not_combined),
		/* fault: invalid-field */
		TEST("a head whose digest and fingerprint do not match is refused",
			a_digest_and_its_fingerprint_go_together),
		TEST("without libsodium, features that need it are refused with a clear error",
			without_libsodium_what_needs_it_is_refused_and_says_so),
		TEST("the golden signatures are reproduced and accepted",
			the_golden_signatures_are_made_and_believed),
		/* fault: signature */
		TEST("a change of any byte of a signed head is detected",
			no_byte_of_a_signed_head_can_be_changed),
		/* fault: signature */
		TEST_IN_SCRATCH("a change of any byte of a signed body is detected",
			no_byte_of_a_signed_body_can_be_changed),
		/* fault: invalid-field */
		TEST("a signed blob's chunk must match its cryptographic digest",
			a_chunk_is_what_its_cryptographic_digest_says),
		/* fault: signature */
		TEST_IN_SCRATCH(
			"a host with signing keys loads only blobs that these keys signed for "
			"the same name",
			with_signing_keys_only_what_they_signed_for_that_name_is_loaded),
		/* fault: signature */
		TEST_IN_SCRATCH(
			"an older signed blob is refused as a replay, and an equal one is not",
			an_older_blob_is_a_replay_and_an_equal_one_is_not),
		/* fault: signature */
		TEST_IN_SCRATCH("on-demand filters need the same signatures as loaded ones",
			on_demand_filters_are_held_to_the_same),
	};

	return cmocka_run_group_tests_name("secret", tests, NULL, NULL);
}

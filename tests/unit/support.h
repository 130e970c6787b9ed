/* What the unit tests share: seeded random numbers, blobs to load and to damage, directories that
 * leave nothing behind, processes to kill.
 *
 * Nothing here depends on time or luck: random numbers come from BLOOM_TEST_SEED, or from a fixed
 * seed when that is not set, and each test that draws prints what it drew from.
 */
#ifndef BLOOM_TEST_SUPPORT_H
#define BLOOM_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <cmocka.h>

#include "filter/bytes.h"
#include "kinds/attachment.h"
#include "build/builder.h"
#include "filter/rate.h"
#include "os/clock.h"
#include "kinds/live.h"
#include "os/lock.h"
#include "os/mapping.h"
#include "segment/segment.h"

#if defined(__SANITIZE_ADDRESS__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

enum { FOREIGN_USER = 65534 };

#define TEST(sentence, function)                     \
	{                                            \
		sentence, function, NULL, NULL, NULL \
	}
#define TEST_IN_SCRATCH(sentence, function)                               \
	{                                                                 \
		sentence, function, scratch_setup, scratch_teardown, NULL \
	}

/* Fails the test with the error's own words unless `call`, given an error to fill, succeeds. */
#define assert_ok(status) assert_status(BLOOM_OK, status)
#define assert_status(expected, status) \
	check_status((int)(expected), (int)(status), #status, __FILE__, __LINE__)
void check_status(int expected, int actual, const char *what, const char *file, int line);

/* Skips the test, and says why: cmocka's skip() cannot. */
void skip_because(const char *reason);

/* What the call before it complained about; for assert_status(…, f(…, &error)). */
extern bloom_error error;

/* What the core is told that every directory's file system is, as statfs() numbers them; 0: the truth. */
extern unsigned long pretended_file_system;

/* What the core is told that the machine has; 0: the truth. */
extern uint64_t pretended_memory_bytes;

/* ---- random numbers ---- */

uint64_t random_next(uint64_t *state);
uint64_t random_below(uint64_t *state, uint64_t bound);

/* The seed of a test, printed. Different for each `salt`. */
uint64_t test_seed(const char *salt);

/* ---- blobs ---- */

typedef struct test_blob {
	unsigned char *bytes; /* of exactly that many bytes, so that an overrun is seen */
	size_t count;
} test_blob;

/* Text of key number `i` of a family; returns its length. Families share no key. */
enum { KEY_TEXT_BYTES = 64 };
size_t key_text(const char *family, uint64_t i, char text[KEY_TEXT_BYTES]);

bool builder_add_key(bloom_builder *builder, const char *family, uint64_t i);

/* A blob of `keys` keys of each family in the list that NULL ends. */
test_blob blob_of(const bloom_params *params, uint64_t seed, uint64_t keys, const char *family, ...)
	__attribute__((sentinel));

/* A blob of 300 keys of the family "common" and as many of another one. Each family has its own
 * seed. */
test_blob blob_with(const char *family);

/* Finishes a builder and frees it. */
test_blob blob_from(bloom_builder *builder);

/* A blob of three shards in two chunks, with a source name: small, and nothing in it is empty. */
test_blob blob_small(void);
test_blob blob_copy(test_blob blob);
void blob_free(test_blob *blob);

/* Makes the head's, and the shard's, checksum right again. */
void mend_head(test_blob blob, uint64_t head_bytes);
void mend_shard(test_blob blob, uint64_t shard);

/* The file tests/vectors/<name>, whole. */
test_blob vector_file(const char *name);

/* Visits the lines of such a file, without those that begin with #; returns how many. */
int each_vector_line(const char *name, void (*visit)(void *context, char *line), void *context);

/* Finishes and frees a builder whose blob must have this size and digest. */
void assert_builds(
	bloom_builder *builder, uint64_t built_ms, uint64_t bytes, const char *digest_hex);

/* Bytes of a hexadecimal text ("-": none); returns how many. */
size_t unhex(const char *text, unsigned char *bytes, size_t room);

/* ---- directories ---- */

/* A directory of the test's own, in memory, removed with all that is in it afterwards. */
int scratch_setup(void **state);
int scratch_teardown(void **state);
const char *scratch_path(void);
void remove_tree(const char *path);

/* A segment "segment" in the scratch directory, not made yet, without limits. */
bloom_segment scratch_segment(void);

/* Formats a path below the segment into one of a few static buffers. */
const char *in_segment(const bloom_segment *segment, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The sum of its files' sizes, by its account, which must be right. */
uint64_t segment_bytes(const bloom_segment *segment);

/* Leaves what a writer of the filter leaves that is killed: a marker, and an account that has to be made again. */
void leave_marker(const bloom_segment *segment, const char *name);

/* Stages and commits a blob. */
bloom_status load(
	const bloom_segment *segment, const char *name, test_blob blob, uint64_t *generation);

/* Makes a live filter, and attaches to it; to any filter. */
void live_create(const bloom_segment *segment, const char *name, const bloom_live_params *params,
	uint64_t seed);
void attach_to(const bloom_segment *segment, const char *name, bloom_attachment *attachment);

/* Adds key `i` of a family to a live filter, or to the overlay, as its kind does; in a reverse index,
 * to group i % groups. *is_new may be NULL. Fills `error`. */
bloom_status filter_add(bloom_attachment *attachment, const char *family, uint64_t i, bool *is_new);

/* Whether the generation that is mapped may have a key. */
bool filter_has(bloom_attachment *attachment, const char *family, uint64_t i);

/* What a lookup answers: the same, after following a switch; true if the filter is unavailable. */
bool filter_answers(bloom_attachment *attachment, const char *family, uint64_t i);

/* How many of the first `count` keys of a family the generation that is mapped may have. */
unsigned filter_found(bloom_attachment *attachment, const char *family, uint64_t count);

/* A live filter "seen" in the scratch segment, and an attachment to it. */
typedef struct live_scene {
	bloom_segment segment;
	bloom_attachment attachment;
	uint64_t seed;
} live_scene;

void live_scene_open(live_scene *set, const bloom_live_params *params, uint64_t seed);

/* Adds a key and returns whether it was new. */
bool live_scene_add(live_scene *set, const char *family, uint64_t i);

/* The mapped head with all its fields, for tests that damage it. */
bloom_live_head *live_head(const bloom_live *live);
bloom_digest key_digest(uint64_t seed, const char *family, uint64_t i);

/* Whether `hits` of `draws` random draws are within 4 sigma of what `rate` promises. */
bool is_likely(double hits, double draws, double rate);

/* Number of entries of a directory whose names contain `part`; the segment's own directory does not count. */
int count_entries(const char *path, const char *part);
int count_open_files(void);
int count_maps(void);

void write_file(const char *path, const void *bytes, size_t count, unsigned mode);

/* ---- unexpected files ---- */

typedef enum intruder {
	SYMLINK, /* to what was there, so that following it would work */
	HARD_LINK,
	FIFO,
	SOCKET,
	DEVICE,
	DIRECTORY,
	PLAIN_FILE,
	GROUP_READS,
	OTHERS_WRITE,
	FOREIGN,
	INTRUDERS
} intruder;

/* Replaces the file or directory `path`, which moves to `aside` or gets a second name there.
 * False: that is not possible. */
bool intrude(const char *path, const char *aside, intruder kind, bool is_directory);

/* ---- processes ---- */

typedef int (*child_body)(void *context);

/* Runs `body` in a forked process. */
pid_t start_child(child_body body, void *context);

/* Waits; the child's exit code, or 1000 + signal. */
int wait_child(pid_t child);
int run_child(child_body body, void *context);

void pause_us(uint64_t us);

/* Memory that processes forked from here on share. */
void *shared_memory(size_t count);
void free_shared_memory(void *memory, size_t count);

/* A process that runs instruction by instruction: `body` calls traced_begin() and traced_end() around what
 * is to be interrupted. */
void traced_begin(void);
void traced_end(void);

/* Skips the test where nothing is traced. First of all in those that take memory, which a skipped test cannot give back. */
void needs_tracing(void);

/* It stands at traced_begin(). Skips the test when tracing is not permitted. */
pid_t start_traced(child_body body, void *context);

/* Runs up to `steps` instructions; false when it stands at traced_end(). */
bool step_traced(pid_t child, unsigned steps);
int finish_traced(pid_t child); /* lets it run to its end; its exit code */
void kill_traced(pid_t child);

/* ---- small file systems ---- */

/* A tmpfs of the test's own in place of the scratch directory, and gone with it. For
 * TEST_IN_SMALL_FILE_SYSTEM, with private_mounts as the group's setup. Skips where it is not permitted. */
#define TEST_IN_SMALL_FILE_SYSTEM(sentence, function)                               \
	{                                                                           \
		sentence, function, scratch_setup, teardown_small_file_system, NULL \
	}
void mount_small_file_system(unsigned kib);
int teardown_small_file_system(void **state);
int private_mounts(void **state);

/* Fills the file system up to that many bytes, by a file "ballast" beside the segment; unfill() removes it. */
void fill_file_system(const bloom_segment *segment, uint64_t leave_bytes);
void unfill_file_system(const bloom_segment *segment);

#endif

/* Shared by the unit tests: seeded random numbers, blobs to load and to damage, directories that
 * are always removed, processes to kill. No result depends on time or chance. Random numbers come
 * from BLOOM_TEST_SEED, or from a fixed seed if it is not set, and each test that uses them prints
 * its seed.
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
#include "filter/reverse.h"
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

/* Fails the test with the text of `error` unless the call returns the expected status. */
#define assert_ok(status) assert_status(BLOOM_OK, status)
#define assert_status(expected, status) \
	check_status((int)(expected), (int)(status), #status, __FILE__, __LINE__)
void check_status(int expected, int actual, const char *what, const char *file, int line);

/* Skips the test and prints the reason, which cmocka's skip() cannot do. */
void skip_because(const char *reason);

/* The error of the previous call, for assert_status(…, f(…, &error)). */
extern bloom_error error;

/* The file system type, as in statfs(), that the core sees for every directory; 0: the real one. */
extern unsigned long pretended_file_system;

/* The memory that the core believes the machine to have; 0: the real amount. */
extern uint64_t pretended_memory_bytes;

/* ---- random numbers ---- */

uint64_t random_next(uint64_t *state);
uint64_t random_below(uint64_t *state, uint64_t bound);

/* Returns the seed of a test and prints it. The seed differs for each `salt`. */
uint64_t test_seed(const char *salt);

/* ---- blobs ---- */

typedef struct test_blob {
	unsigned char
		*bytes; /* an allocation of exactly that size, so that overruns are detected */
	size_t count;
} test_blob;

/* Formats key number `i` of a family and returns its length. Families share no key. */
enum { KEY_TEXT_BYTES = 64 };
size_t key_text(const char *family, uint64_t i, char text[KEY_TEXT_BYTES]);

bool builder_add_key(bloom_builder *builder, const char *family, uint64_t i);

/* Returns whether the unfinished or finished builder may have a key. */
bool builder_has(const bloom_builder *builder, const void *key, size_t key_bytes);

/* A blob of `keys` keys of each family in the NULL-terminated list. */
test_blob blob_of(const bloom_params *params, uint64_t seed, uint64_t keys, const char *family, ...)
	__attribute__((sentinel));

/* A blob of 300 keys of the family "common" and 300 of another one. Each family has its own
 * seed. */
test_blob blob_with(const char *family);

/* Finishes a builder and frees it. */
test_blob blob_from(bloom_builder *builder);

/* A small blob of three shards in two chunks, with a source name, so that no part is empty. */
test_blob blob_small(void);
test_blob blob_copy(test_blob blob);
void blob_free(test_blob *blob);

/* Parses the head of a complete blob. Fills `error`. */
bloom_status blob_parse(test_blob blob, bloom_head *head);

/* Parses and verifies everything, as a reader does. Fills `error`. */
bloom_status blob_accept(test_blob blob);

/* Corrects the checksum of the head, or of the shard. */
void mend_head(test_blob blob, uint64_t head_bytes);
void mend_shard(test_blob blob, uint64_t shard);

/* Reads the whole file tests/vectors/<name>. */
test_blob vector_file(const char *name);

/* Visits the lines of a vector file, except those that begin with #. Returns their number. */
int each_vector_line(const char *name, void (*visit)(void *context, char *line), void *context);

/* Finishes and frees a builder, and asserts the size and digest of its blob. */
void assert_builds(
	bloom_builder *builder, uint64_t built_ms, uint64_t bytes, const char *digest_hex);

/* Decodes hexadecimal text ("-": no bytes) and returns the number of bytes. */
size_t unhex(const char *text, unsigned char *bytes, size_t room);

/* ---- answers of reverse indexes ---- */

typedef struct group_answer {
	uint64_t *group; /* allocated; the caller frees it */
	uint64_t count;
	uint64_t room;
	uint64_t most; /* ask_groups() stops after this number; 0: never */
} group_answer;

/* Replaces the answer with the groups that may hold a value, and asserts that they are in ascending
 * order. */
void ask_groups(const bloom_reverse *reverse, bloom_digest value, group_answer *told);
bool has_group(const group_answer *told, uint64_t group);

/* ---- directories ---- */

/* The test's own directory, in memory. It is removed afterwards with its contents. */
int scratch_setup(void **state);
int scratch_teardown(void **state);
const char *scratch_path(void);
void remove_tree(const char *path);

/* A segment "segment" in the scratch directory, without limits, and not created yet. */
bloom_segment scratch_segment(void);

/* Formats a path below the segment into one of a few static buffers. The path begins with the name
 * of a filter, to which the function appends the layout unless it has one; or with a dot, for any
 * other entry. */
const char *in_segment(const bloom_segment *segment, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns the sum of the segment's file sizes, and asserts that it is right. */
uint64_t segment_bytes(const bloom_segment *segment);

/* Stores the time of the last sweep, as bloom_uptime_ms() tells it. */
void set_swept_ms(const bloom_segment *segment, uint64_t swept_ms);

/* Lets the next writer sweep: the time of the last sweep is then that of another boot. */
void make_sweep_due(const bloom_segment *segment);

/* Stages and commits a blob. */
bloom_status load(
	const bloom_segment *segment, const char *name, test_blob blob, uint64_t *generation);

/* live_create() creates a live filter. attach_to() attaches to any filter. */
void live_create(const bloom_segment *segment, const char *name, const bloom_live_params *params,
	uint64_t seed);
void attach_to(const bloom_segment *segment, const char *name, bloom_attachment *attachment);

/* Adds key `i` of a family to a live filter; in a reverse index, to group i % groups. `is_new` may
 * be NULL. Fills `error`. */
bloom_status filter_add(bloom_attachment *attachment, const char *family, uint64_t i, bool *is_new);

/* Returns whether the mapped generation may have a key. */
bool filter_has(bloom_attachment *attachment, const char *family, uint64_t i);

/* Returns what a lookup returns: filter_has() after following a switch, or true if the filter is
 * unavailable. */
bool filter_answers(bloom_attachment *attachment, const char *family, uint64_t i);

/* Returns how many of the first `count` keys of a family the mapped generation may have. */
unsigned filter_found(bloom_attachment *attachment, const char *family, uint64_t count);

/* Asserts that the attachment serves a blob of blob_with(family). */
#define assert_serves(attachment, family)                                                  \
	do {                                                                               \
		assert_int_equal(BLOOM_PRESENCE_VIEW, bloom_attachment_check(attachment)); \
		assert_int_equal(100, filter_found(attachment, family, 100));              \
		assert_int_equal(100, filter_found(attachment, "common", 100));            \
	} while (0)

/* A live filter "seen" in the scratch segment, and an attachment to it. */
typedef struct live_scene {
	bloom_segment segment;
	bloom_attachment attachment;
	uint64_t seed;
} live_scene;

void live_scene_open(live_scene *set, const bloom_live_params *params, uint64_t seed);

/* Adds a key and returns whether it was new. */
bool live_scene_add(live_scene *set, const char *family, uint64_t i);

/* Returns the mapped head of a live filter with all its fields, for tests that damage the head. */
bloom_live_head *live_head(const bloom_live *live);
bloom_digest key_digest(uint64_t seed, const char *family, uint64_t i);

/* Returns whether `hits` of `draws` random draws are within 4 sigma of the expectation at
 * `rate`. */
bool is_likely(double hits, double draws, double rate);

/* Without Linux's own system calls, file systems have no types, and all locks of a filter are one
 * lock, on a file of its own. On Windows, the locks of directories are in a file, too. */
#ifdef BLOOM_POSIX
enum { HAS_FILE_SYSTEM_TYPES = 0, HAS_BYTE_LOCKS = 0, HAS_LOCKS_FILE = 1 };
#elif defined(_WIN32)
enum { HAS_FILE_SYSTEM_TYPES = 0, HAS_BYTE_LOCKS = 1, HAS_LOCKS_FILE = 1 };
#else
enum { HAS_FILE_SYSTEM_TYPES = 1, HAS_BYTE_LOCKS = 1, HAS_LOCKS_FILE = 0 };
#endif

/* Skips a test on Windows. */
#ifdef _WIN32
#define ROOT "C:/"
#define needs_posix(reason) skip_because(reason)
#else
#define ROOT "/"
#define needs_posix(reason) (void)(reason)
#endif
#ifdef _WIN32
#define DISK "C:/windows/temp"
#else
#define DISK "/var/tmp"
#endif
#define NO_REMOVAL_IN_USE "a file in use cannot be removed by hand here"
#define NO_FIFOS "no file is a FIFO here"

/* The number of entries of a directory whose names contain `part`, without the segment's own
 * directory and without a filter's file of locks. */
int count_entries(const char *path, const char *part);
int count_open_files(void);
int count_maps(void);

void write_file(const char *path, const void *bytes, size_t count, unsigned mode);

/* ---- unexpected files ---- */

typedef enum intruder {
	SYMLINK, /* to the original, so that following the link would work */
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

/* Returns false if this system, or this user, cannot create a kind of unexpected file. */
bool can_intrude(intruder kind);

/* Replaces the file or directory `path`, which moves to `aside` or gets a second name there.
 * Returns false if that is not possible. */
bool intrude(const char *path, const char *aside, intruder kind, bool is_directory);

/* ---- processes ---- */

typedef int (*child_body)(void *context);

/* Runs `body` in a forked process. */
pid_t start_child(child_body body, void *context);

/* Waits for the child. Returns its exit code, or 1000 + the signal. */
int wait_child(pid_t child);
int run_child(child_body body, void *context);

void pause_us(uint64_t us);

/* ---- programs ---- */

/* The exit code of a program that was killed: by SIGKILL, or on Windows by TerminateProcess(). */
enum { KILLED = 1009 };

#ifdef _WIN32
enum { PROGRAMS_ARE_SLOW = 1 };
#else
enum { PROGRAMS_ARE_SLOW = SANITIZED };
#endif

typedef intptr_t program;

/* Starts this program again, with other arguments. The list ends with NULL. */
program start_program(const char *const *arguments);
int wait_program(program child); /* returns its exit code */
void kill_program(program child);

/* Kills this process. */
void end_program(void);

/* Memory shared with processes that are forked after the call. */
void *shared_memory(size_t count);
void free_shared_memory(void *memory, size_t count);

/* A single-stepped process: `body` calls traced_begin() and traced_end() around the part that is
 * interrupted. */
void traced_begin(void);
void traced_end(void);

/* Skips the test if nothing can be traced. Tests that allocate memory call it first, because a
 * skipped test cannot free it. */
void needs_tracing(void);

/* Returns a process stopped at traced_begin(). Skips the test if tracing is not permitted. */
pid_t start_traced(child_body body, void *context);

/* Runs up to `steps` instructions. Returns false once the process has reached traced_end(). */
bool step_traced(pid_t child, unsigned steps);
int finish_traced(pid_t child); /* runs the process to its end; returns its exit code */
void kill_traced(pid_t child);

/* ---- small file systems ---- */

/* Mounts the test's own tmpfs in place of the scratch directory, and removes it with that
 * directory. Only tests declared with TEST_IN_SMALL_FILE_SYSTEM may call it, in a group with
 * private_mounts as its setup. Skips the test if mounting is not permitted. */
#define TEST_IN_SMALL_FILE_SYSTEM(sentence, function)                               \
	{                                                                           \
		sentence, function, scratch_setup, teardown_small_file_system, NULL \
	}
void mount_small_file_system(unsigned kib);
int teardown_small_file_system(void **state);
int private_mounts(void **state);

/* Fills the file system until `leave_bytes` are free, with a file "ballast" beside the segment.
 * unfill_file_system() removes the file. */
void fill_file_system(const bloom_segment *segment, uint64_t leave_bytes);
void unfill_file_system(const bloom_segment *segment);

#endif

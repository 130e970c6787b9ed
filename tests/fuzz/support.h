/* What the fuzz targets share: an input that is read as a program, blobs whose checksums are mended, a
 * segment of their own, and a clock that only the input moves.
 *
 * Each target is a file <name>_fuzz.c with libFuzzer's entry, built by tests/fuzz/run with the address and
 * undefined-behaviour sanitizers. A run of an input depends on nothing but the input: the core's clocks and
 * random numbers are replaced (with the linker's --wrap) by those below, and around each mapping of a file there is
 * memory that nobody may touch: to the sanitizers the next mapping is as good as this one. Files lie in a directory below
 * TMPDIR, which tests/fuzz/run makes and removes, so that a crash leaves nothing either.
 */
#ifndef BLOOM_FUZZ_SUPPORT_H
#define BLOOM_FUZZ_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kinds/attachment.h"
#include "filter/blob.h"
#include "filter/bytes.h"
#include "build/builder.h"
#include "kinds/live.h"
#include "os/mapping.h"
#include "filter/measure.h"
#include "filter/rate.h"
#include "segment/segment.h"

/* libFuzzer's. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count);
int LLVMFuzzerInitialize(int *count, char ***arguments);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t count, size_t room, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t count, size_t room);

/* Ends the process with the sentence of what does not hold: libFuzzer keeps the input. */
#define require(condition) require_that(condition, #condition, __FILE__, __LINE__)
void require_that(bool holds, const char *what, const char *file, int line);

/* A status with all that must come with a failure: a known code, and a subject that ends. */
bool succeeded(bloom_status status, const bloom_error *error);

/* ---- the input as a program ---- */

typedef struct input {
	const uint8_t *next;
	size_t left;
} input;

/* The next number; 0 when there is no more. */
uint8_t take_byte(input *from);
uint16_t take_short(input *from);
uint64_t take_word(input *from);

/* A number of any size, small ones and those at the edges of the types more often. */
uint64_t take_number(input *from);

/* ---- keys ---- */

enum { KEYS = 256 };

/* Key number 0 to 255: a byte alone, so key 0 is a NUL. */
bloom_digest digest_of_key(uint8_t key, uint64_t seed);
bool attachment_has(bloom_attachment *attachment, uint8_t key);

/* ---- blobs ---- */

typedef enum mending {
	MEND_NOTHING,
	MEND_HEAD, /* its checksum */
	MEND_BODY, /* the shards' checksums and the chunks' digests, too */
	/* Sizes, set bits, keys, totals and the rate, too: as if someone had written it so. */
	MEND_ALL,
	MENDINGS
} mending;

/* Makes of bytes that begin like a blob what an enemy would: their checksums are right. What is beyond
 * `count` is left alone. Offsets are those of docs/format.md. */
void mend_blob(unsigned char *bytes, size_t count, mending how);

/* A blob of keys 0 to `keys` − 1, in memory that stays. */
typedef struct small_blob {
	const unsigned char *bytes;
	size_t count;
} small_blob;
small_blob blob_with(
	const bloom_geometry *geometry, uint32_t chunk_bytes, uint64_t built_ms, unsigned keys);

/* The same as a ribbon filter, of shards of 1 KiB; `secret` NULL: not keyed. */
small_blob ribbon_with(
	unsigned capacity, uint64_t built_ms, unsigned keys, const bloom_secret *secret);

/* ---- the segment ---- */

extern uint64_t clock_now_ms; /* what both clocks say */

uint64_t clock_of_input(void); /* for functions that are given one */

/* The one segment of this process, with a memory limit, in a directory made at the first call. */
const bloom_segment *fuzz_segment(void);

/* Removes a filter and all its files, whatever they hold. */
void wipe_filter(const char *name);

/* Makes the filter's directory, empty; writes one file of it, the same one again if there is one. */
void make_filter(const char *name);
void write_in_filter(const char *name, const char *file, const void *bytes, size_t count);

/* Reads one back, whole; the caller frees it. */
unsigned char *read_in_filter(const char *name, const char *file, size_t *count);

/* A control page that serves generation 1 of that kind. */
bloom_control valid_control(bloom_kind kind);

/* The descriptor that would be opened next: higher after a run than before when one leaked. */
int lowest_free_file(void);

#endif

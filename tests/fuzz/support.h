/* Shared by the fuzz targets: an input that is read as a program, blobs with corrected checksums,
 * a segment of their own, and a clock that only the input moves.
 *
 * Each target is a file <name>_fuzz.c with libFuzzer's entry point, built by tests/fuzz/run with
 * the address and undefined-behavior sanitizers. A run depends only on its input. The functions
 * below replace the core's clocks and random numbers (with the linker's --wrap). Each file mapping
 * is surrounded by inaccessible memory, because the sanitizers would not detect an access to the
 * adjacent mapping. Files are in a directory below TMPDIR, which tests/fuzz/run creates and
 * removes, so that even a crash leaves nothing.
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

/* The functions that libFuzzer calls. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count);
int LLVMFuzzerInitialize(int *count, char ***arguments);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t count, size_t room, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t count, size_t room);

/* Ends the process with a sentence that states the violated condition. libFuzzer then keeps the
 * input. */
#define require(condition) require_that(condition, #condition, __FILE__, __LINE__)
void require_that(bool holds, const char *what, const char *file, int line);

/* Checks a status and its error: a failure has a known code and a terminated subject. */
bool succeeded(bloom_status status, const bloom_error *error);

/* ---- the input as a program ---- */

typedef struct input {
	const uint8_t *next;
	size_t left;
} input;

/* Reads the next number. Returns 0 at the end of the input. */
uint8_t take_byte(input *from);
uint16_t take_short(input *from);
uint64_t take_word(input *from);

/* Reads a number of any size. Small numbers and the limits of the types are more frequent. */
uint64_t take_number(input *from);

/* ---- keys ---- */

enum { KEYS = 256 };

/* Keys 0 to 255. Each is a single byte, so key 0 is a NUL. */
bloom_digest digest_of_key(uint8_t key, uint64_t seed);
bool attachment_has(bloom_attachment *attachment, uint8_t key);

/* ---- blobs ---- */

typedef enum mending {
	MEND_NOTHING,
	MEND_HEAD, /* the head's checksum */
	MEND_BODY, /* also the shards' checksums and the chunks' digests */
	/* Also sizes, set bits, keys, totals and the rate, as if a builder had written them. */
	MEND_ALL,
	MENDINGS
} mending;

/* Corrects the checksums of bytes that begin like a blob, as an attacker would. Does not touch
 * bytes from `count` on. The offsets are those of docs/dev/blob.md. */
void mend_blob(unsigned char *bytes, size_t count, mending how);

/* A blob of keys 0 to `keys` − 1. Its memory stays valid. */
typedef struct small_blob {
	const unsigned char *bytes;
	size_t count;
} small_blob;
small_blob blob_with(
	const bloom_geometry *geometry, uint32_t chunk_bytes, uint64_t built_ms, unsigned keys);

/* The same keys in a ribbon filter with shards of 1 KiB. It is keyed unless `secret` is NULL. */
small_blob ribbon_with(
	unsigned capacity, uint64_t built_ms, unsigned keys, const bloom_secret *secret);

/* ---- the segment ---- */

extern uint64_t clock_now_ms; /* the time of both clocks */

uint64_t clock_of_input(void); /* for functions that take a clock */

/* The only segment of this process, with a memory limit, in a directory that the first call
 * creates. */
const bloom_segment *fuzz_segment(void);

/* Removes a filter and all its files, whatever their contents. */
void wipe_filter(const char *name);

/* make_filter() creates the filter's empty directory. open_in_filter() opens one of its files,
 * which must exist unless the flags have O_CREAT. write_in_filter() writes one of its files, and
 * overwrites an existing file in place. */
void make_filter(const char *name);
int open_in_filter(const char *name, const char *file, int flags);
void write_in_filter(const char *name, const char *file, const void *bytes, size_t count);

/* Reads a whole file; the caller frees the bytes. */
unsigned char *read_in_filter(const char *name, const char *file, size_t *count);

/* A control page that serves generation 1 of that kind. */
bloom_control valid_control(bloom_kind kind);

/* Returns the descriptor that the next open() would return. The number rises if a run leaks a
 * descriptor. */
int lowest_free_file(void);

#endif

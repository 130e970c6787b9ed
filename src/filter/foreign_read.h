/* Reads the bytes that other systems write, and makes a blob of scheme 4 from them.
 *
 *     bytes ──► bloom_foreign_read() ──► bloom_foreign_source ──► bloom_foreign_write() ──► blob
 *               checks every length        layers point into        copies the bits, computes
 *               before it is used          the bytes                rows, rate and checksums
 *
 *     format        accepted bytes
 *     VALKEYPROB    the string of the key, as GET returns it; it ends at its last byte that is not
 *                   0 and contains neither capacity nor rate
 *     REDISBLOOM    the payload of DUMP; or all data of BF.SCANDUMP, in order: header and chunks
 *     VALKEY_BLOOM  the payload of DUMP
 *     GUAVA_64/_32  the output of BloomFilter.writeTo()
 *
 * The payload of DUMP is (dump.h): module type │ fields │ end │ RDB version │ CRC64.
 *
 * All functions are pure and allocate no memory. They never read beyond the given bytes.
 */
#ifndef BLOOM_FOREIGN_READ_H
#define BLOOM_FOREIGN_READ_H

#include <stdint.h>

#include "filter/blob.h"
#include "filter/foreign_source.h"

/* What the bytes may not say themselves. */
typedef struct bloom_foreign_hint {
	bloom_foreign_format format; /* NONE: detect it. GUAVA_64 also accepts GUAVA_32 */
	uint64_t capacity;           /* VALKEYPROB: required; otherwise 0 */
	double rate;                 /* VALKEYPROB: required; otherwise 0 */
} bloom_foreign_hint;

/* Reads a filter of another system. `bytes` must outlive *source.
 *
 * Only the payload of DUMP has a magic number. Without a format, other bytes are refused, because a
 * wrong guess would lead to wrong answers.
 *
 * Errors: BLOOM_E_FOREIGN if the bytes are not a whole filter of this format, or this build does
 * not support it; the subject names the field, its value and what is allowed.
 * BLOOM_E_FOREIGN_FORMAT if no format is given and none is recognized.
 * BLOOM_E_FOREIGN_SIZE if capacity and rate do not explain the length of a VALKEYPROB string.
 * BLOOM_E_FOREIGN_EMPTY if no bit is set: such a filter denies every key, and it cannot be told
 * apart from one that was lost.
 */
bloom_status bloom_foreign_read(const unsigned char *bytes, uint64_t count,
	const bloom_foreign_hint *hint, bloom_foreign_source *source, bloom_error *error);

/* Returns the size of the blob. It is at most 128 times that of the bytes that were read, plus 2
 * MiB, because LZF packs at most 264 bytes into 3. A VALKEYPROB string that ends early may take up
 * to 520 MiB, as its capacity and rate require. */
uint64_t bloom_foreign_blob_bytes(const bloom_foreign_source *source);

/* Writes the blob.
 *
 *   built_ms, name   the build time and the source name; `name` may be empty
 *   blob             receives bloom_foreign_blob_bytes() bytes, which must be 0
 *
 * Errors: BLOOM_E_FOREIGN if the bytes have changed since they were read.
 * Callers parse and verify the blob like any other. This refuses, for example, a filter in which
 * nearly all bits are set.
 */
bloom_status bloom_foreign_write(const bloom_foreign_source *source, uint64_t built_ms,
	const char *name, uint32_t name_bytes, unsigned char *blob, bloom_error *error);

#endif

/* An override is a record in the store that makes hosts serve an earlier version of a filter.
 *
 *     store   <name>           the published head        new version, found to be bad
 *             <name>:override  kind, time, head       ─► the version that hosts serve instead
 *
 *     rollback  applies only to the head that it replaces, so the next version ends it
 *     pin       applies to every published head until it is deleted
 *
 *     0   8 bytes  magic 89 42 4C 4F 56 52 0D 0A   40  u64    fingerprint of the signing key, or 0
 *     8   u32      version 1                       48  u8×32  signature, or zeros
 *     12  u32      kind                            80         the head of the version to serve
 *     16  u64      bytes of the whole record       ..  u64    XXH3-64 of all bytes before
 *     24  u64      since, ms since 1970
 *     32  u64      rollback: checksum of the published head; pin: 0
 *
 * All numbers are little-endian. docs/dev/store.md is the specification. The signature covers the
 * filter's name and the record. Without it, anyone who can write to the store could make hosts
 * serve an old version whose head is still validly signed. To detect a replayed override, each host
 * remembers the newest time that it has accepted (segment/served_override.h).
 *
 * All functions are pure and allocate no memory. They never read beyond the given bytes. */
#ifndef BLOOM_OVERRIDE_H
#define BLOOM_OVERRIDE_H

#include "filter/blob.h"
#include "filter/secret.h"

typedef enum bloom_override_kind {
	BLOOM_OVERRIDE_NONE,
	BLOOM_OVERRIDE_PIN,
	BLOOM_OVERRIDE_ROLLBACK,
} bloom_override_kind;

enum {
	BLOOM_OVERRIDE_HEAD_AT = 80,
	BLOOM_OVERRIDE_EXTRA_BYTES = BLOOM_OVERRIDE_HEAD_AT + 8, /* besides the head */
};

/* A checked override. It borrows the bytes that it was parsed from. */
typedef struct bloom_override {
	bloom_override_kind kind;
	uint64_t since_ms;
	uint64_t replaces; /* the checksum of the published head that a rollback replaces */
	uint64_t signer;   /* 0: unsigned */
	bloom_head head;   /* of the version to serve */
	const unsigned char *head_bytes;
} bloom_override;

/* Writes an override.
 *
 *   record      head_count + BLOOM_OVERRIDE_EXTRA_BYTES bytes
 *   replaces    for a rollback; 0 for a pin
 *   head_bytes  the head of the version to serve, head_count bytes
 *   key         the signing key; NULL: unsigned */
void bloom_override_write(unsigned char *record, bloom_override_kind kind, uint64_t since_ms,
	uint64_t replaces, const unsigned char *head_bytes, uint64_t head_count, const char *name,
	const bloom_secret *key);

/* Parses and checks an override, except for its signature.
 *
 *   name  the filter's name, for messages
 *
 * Errors: BLOOM_E_OVERRIDE. */
bloom_status bloom_override_parse(const unsigned char *bytes, uint64_t count, const char *name,
	bloom_override *override, bloom_error *error);

/* Checks the signature. If no ring is configured, every override is accepted.
 *
 *   bytes  the bytes that the override was parsed from
 *   ring   the signing keys; may be NULL
 *
 * Errors: BLOOM_E_OVERRIDE_UNSIGNED, _OVERRIDE_SIGNER, _OVERRIDE_SIGNATURE; ring->failure if the
 * ring's file could not be read.
 * Cost: one pass over the record. */
bloom_status bloom_override_check(const unsigned char *bytes, uint64_t count, const char *name,
	const bloom_ring *ring, bloom_error *error);

/* Returns whether hosts serve the override's version while this head is published. */
bool bloom_override_applies(const bloom_override *override, const bloom_head *published);

#endif

/* A record of a filter's journal contains keys that were added, a notice to hosts, or a change of
 * the journal's state.
 *
 *     0   u32  magic "BLJ2"                      32  u64  fingerprint of the signing key, or 0
 *     4   u32  bytes of the whole record         40  u8×32  the previous record's signature (1)
 *     8   u32  kind (bloom_record_kind)          ..  payload
 *     12  u32  count of keys                     ..  u8×32  signature (1)
 *     16  u64  XXH3-64 of the filter's name      ..  u64  XXH3-64 of all bytes before
 *     24  u64  written at, ms since 1970              (1) only if the record is signed
 *
 *     payload of kind 1   per key: u32 length, bytes
 *     payload of kind 2   u64 checksum of the head of the blob that was published
 *     payload of kind 3   u64 epoch, u64 offset, u8×8 check: a position that the journal has lost
 *     payload of kind 4   u64 checksum of the head that hosts serve instead and that has no mark
 *
 * Keys can be added only while the journal is open, so that no key is added that no host would
 * find. The last record says whether it is, so a store can check that together with an append:
 *
 *     closed ── 5 begin ──► open ── 4 end ──► closed        a missing or empty journal is closed
 *
 * All numbers are little-endian. docs/dev/journal.md is the specification. A journal contains keys,
 * not digests, because a rebuild may choose a different seed.
 *
 * Signed records form a chain, because the signature of a record covers the signature of the
 * record before it. So readers notice if a store changes, drops, inserts or moves a record that
 * they or the next writer have seen. They do not notice if a store withholds the newest records.
 * The signature also covers the epoch, so records cannot be moved to another journal of the same
 * name.
 *
 * Writers do not check the record before theirs, and copy the signature that it carries. So a
 * record that readers refuse stops readers, but neither writers nor the next build.
 *
 * All functions are pure and allocate no memory. They never read beyond the given bytes. */
#ifndef BLOOM_JOURNAL_RECORD_H
#define BLOOM_JOURNAL_RECORD_H

#include "filter/journal_mark.h"

typedef enum bloom_record_kind {
	BLOOM_RECORD_KEYS = 1,
	BLOOM_RECORD_VERSION = 2, /* a version that follows the journal was published */
	BLOOM_RECORD_LOSS = 3,    /* the journal has lost the records before a position */
	BLOOM_RECORD_END = 4,     /* the version to serve does not follow the journal */
	BLOOM_RECORD_BEGIN = 5,   /* keys can be added from here on */
} bloom_record_kind;

/* Readers that do not know a kind from here on ignore its records. */
#define BLOOM_RECORD_OPTIONAL UINT32_C(0x80000000)

enum {
	BLOOM_RECORD_HEAD_BYTES = 40,
	BLOOM_RECORD_TAIL_BYTES = BLOOM_CHECK_BYTES,
	BLOOM_RECORD_SIGNED_BYTES = 2 * BLOOM_LINK_BYTES, /* additional in a signed record */
	BLOOM_RECORD_BYTES_MIN = BLOOM_RECORD_HEAD_BYTES + BLOOM_RECORD_TAIL_BYTES,
	BLOOM_RECORD_BYTES_MAX = 1 << 20,
	BLOOM_RECORD_PAYLOAD_MAX = BLOOM_RECORD_BYTES_MAX - BLOOM_RECORD_HEAD_BYTES -
		BLOOM_RECORD_TAIL_BYTES - BLOOM_RECORD_SIGNED_BYTES,
	BLOOM_RECORD_KEY_BYTES_MAX = BLOOM_RECORD_PAYLOAD_MAX - 4,
};

/* A checked record. It borrows the bytes that it was parsed from. */
typedef struct bloom_record {
	uint32_t kind; /* a bloom_record_kind, or a kind that this build does not know */
	uint32_t count;
	uint64_t written_ms;
	const unsigned char *payload;
	uint64_t payload_bytes;
} bloom_record;

/* Returns the kind of a record that has not been checked.
 *
 *   bytes  at least BLOOM_RECORD_BYTES_MIN */
uint32_t bloom_record_kind_of(const unsigned char *bytes);

/* Returns the number that is the payload of an unchecked record of kind BLOOM_RECORD_VERSION or
 * BLOOM_RECORD_END; 0 if it has no room for one. */
uint64_t bloom_record_number(const unsigned char *bytes, uint64_t count);

/* Returns whether a record of this kind can be appended to a journal that is closed. */
bool bloom_record_opens(uint32_t kind);

/* Returns the size of a record, and where in it the payload begins. */
uint64_t bloom_record_bytes(uint64_t payload_bytes, bool is_signed);
uint64_t bloom_record_payload_at(bool is_signed);

/* Writes a record except for its payload, which the caller has already stored in place.
 *
 *   record         bloom_record_bytes() bytes
 *   payload_bytes  at most BLOOM_RECORD_PAYLOAD_MAX
 *   before         the position before the record; used only if the record is signed
 *   key            the signing key; NULL: unsigned
 *   *link          set to the record's signature, or to zeros; may be NULL */
void bloom_record_write(unsigned char *record, uint64_t payload_bytes, bloom_record_kind kind,
	uint32_t count, const char *name, uint64_t written_ms, const bloom_mark *before,
	const bloom_secret *key, unsigned char link[BLOOM_LINK_BYTES]);

/* Parses and checks a record.
 *
 *   name     the filter's name
 *   before   the position before the record, with its link
 *   signers  the signing keys; NULL or not configured: signatures are not checked
 *   *after   on success, `check` and `link` are those of the position after the record, and `epoch`
 *            is that of `before`. The caller knows the offset. May be `before`
 *
 * Errors: BLOOM_E_RECORD (damaged, or too large), _RECORD_VERSION (written by another version of
 * the extension), _RECORD_NAME (of another filter),
 * _RECORD_UNSIGNED, _RECORD_SIGNER, _RECORD_SIGNATURE (forged), _RECORD_CHAIN (a record before it
 * is missing); signers->failure. */
bloom_status bloom_record_parse(const unsigned char *bytes, uint64_t count, const char *name,
	const bloom_mark *before, const bloom_ring *signers, bloom_record *record,
	bloom_mark *after, bloom_error *error);

/* Checks that this build may go on after a record: it knows the kind, or may ignore it.
 *
 * Errors: BLOOM_E_RECORD_KIND. */
bloom_status bloom_record_check_kind(
	const bloom_record *record, const char *name, bloom_error *error);

/* Sets *link to the link after a record: the signature that it carries, which is not checked, or
 * zeros if the record is unsigned or damaged. The bytes may be those of any record, or none. */
void bloom_record_link(
	const unsigned char *bytes, uint64_t count, unsigned char link[BLOOM_LINK_BYTES]);

/* Returns the lost position in a checked record of kind BLOOM_RECORD_LOSS. */
bloom_mark bloom_record_lost(const bloom_record *record);

/* Returns the keys of a checked record of kind BLOOM_RECORD_KEYS one after the other. Begin with
 * *at = 0. Returns false at the end. */
bool bloom_record_next(
	const bloom_record *record, uint64_t *at, const unsigned char **key, uint64_t *key_bytes);

#endif

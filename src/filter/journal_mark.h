/* A mark is a position in a filter's journal.
 *
 *     journal   record 1 │ record 2 │ record 3 │ …
 *                                   ▲
 *               mark: epoch, offset of this position, the end of record 2
 *
 * A journal (docs/dev/journal.md) contains the keys that were added to a filter since its last two
 * builds. A nightly job takes a mark before it reads its keys, and waits in between until the
 * transactions that added keys before the mark have ended. The blob's head contains the mark. A
 * host that serves the blob then needs exactly the records after the mark.
 *
 * A mark also identifies the record before it. So a reader notices if the store lost records and
 * then assigned their offsets to new records.
 *
 *     text      1763870000123456-17-9f86d081884c7d65                      position
 *               1763870000123456-17-9f86d081884c7d65-<64 digits>          signed journal
 *                  epoch        offset     check          link
 *
 * All functions are pure and allocate no memory. */
#ifndef BLOOM_JOURNAL_MARK_H
#define BLOOM_JOURNAL_MARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/secret.h"
#include "filter/status.h"

enum {
	BLOOM_CHECK_BYTES = 8,
	BLOOM_LINK_BYTES = BLOOM_SIGNATURE_BYTES,
	/* the longest texts, including the terminating NUL */
	BLOOM_POSITION_TEXT_BYTES = 20 + 1 + 20 + 1 + 2 * BLOOM_CHECK_BYTES + 1,
	BLOOM_MARK_TEXT_BYTES = BLOOM_POSITION_TEXT_BYTES + 1 + 2 * BLOOM_LINK_BYTES,
	/* the mark in a blob's head */
	BLOOM_MARK_BYTES = 8 + 8 + BLOOM_CHECK_BYTES + BLOOM_LINK_BYTES,
	BLOOM_POSITION_BYTES = 8 + 8 + BLOOM_CHECK_BYTES, /* the same without the link */
};

typedef struct bloom_mark {
	uint64_t epoch;  /* identifies the journal; 0: no mark */
	uint64_t offset; /* grows with each record; 0: before the first record */
	unsigned char check[BLOOM_CHECK_BYTES]; /* the last bytes of the record before the mark */
	unsigned char link[BLOOM_LINK_BYTES];   /* that record's signature; zeros: unsigned */
} bloom_mark;

/* Returns true if both marks are at the same position. Ignores their links. */
bool bloom_mark_is_same(const bloom_mark *one, const bloom_mark *other);

/* Returns true if `later` is in the same journal as `mark`, at `mark` or after it. */
bool bloom_mark_reaches(const bloom_mark *later, const bloom_mark *mark);

/* Parses the text of a mark or a position. The link of a position is set to zeros.
 *
 * Errors: BLOOM_E_MARK. */
bloom_status bloom_mark_parse(const char *text, size_t count, bloom_mark *mark, bloom_error *error);

/* Writes the position, without the link, as stores expect it. Returns the length. */
size_t bloom_mark_position(const bloom_mark *mark, char text[BLOOM_POSITION_TEXT_BYTES]);

/* Writes the whole mark. Returns the length. */
size_t bloom_mark_text(const bloom_mark *mark, char text[BLOOM_MARK_TEXT_BYTES]);

/* Reads and writes the bytes in a blob's head: epoch, offset, check, link. */
bloom_mark bloom_mark_get(const unsigned char bytes[BLOOM_MARK_BYTES]);
void bloom_mark_put(const bloom_mark *mark, unsigned char bytes[BLOOM_MARK_BYTES]);

/* Read and write a position: epoch, offset, check. */
bloom_mark bloom_position_get(const unsigned char bytes[BLOOM_POSITION_BYTES]);
void bloom_position_put(const bloom_mark *mark, unsigned char bytes[BLOOM_POSITION_BYTES]);

#endif

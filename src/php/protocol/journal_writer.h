/* Appends records to a filter's journal.
 *
 *     payloads ─► batch ─► link, and signature if there are keys ─► store.append()
 *                                         ▲                            │ the end has moved
 *                                         └── store.last() ◄───────────┘
 *
 * Without signing keys, the store appends wherever the journal ends, in one call. A signed record
 * contains the signature of the record before it, so the journal must still have the end that the
 * writer knows.
 */
#ifndef PHP_BLOOM_JOURNAL_WRITER_H
#define PHP_BLOOM_JOURNAL_WRITER_H

#include "filter/journal_mark.h"
#include "filter/journal_record.h"
#include "filter/secret.h"
#include "php/engine.h"

/* The payloads of the records to append. Each has room for the other parts of its record. */
typedef struct php_bloom_record_batch {
	zval records; /* a list of strings: unfinished records */
	uint32_t *counts;
	uint32_t used, capacity;
	zend_string *open;      /* the record that is being filled; NULL: none */
	uint64_t payload_bytes; /* of the open record */
	uint32_t keys;          /* in the open record */
	uint64_t total_keys;
	bloom_record_kind kind;  /* of all records, except that which begins the journal */
	bool begins;             /* the first record begins the journal */
	const bloom_secret *key; /* signs the records; NULL: no signing keys are configured */
} php_bloom_record_batch;

/* Begins an empty batch for records of this kind, with the key that this process signs with.
 * Throws if signing keys are configured, but none of them is current. */
bool php_bloom_batch_init(php_bloom_record_batch *batch, bloom_record_kind kind);
void php_bloom_batch_free(php_bloom_record_batch *batch);

/* Makes room in the open record for a payload of `bytes`. Returns the payload. */
unsigned char *php_bloom_batch_grow(php_bloom_record_batch *batch, uint64_t bytes);

/* Ends the open record, if there is one. */
void php_bloom_batch_close(php_bloom_record_batch *batch);

/* Adds a record whose payload is a number, or an empty one for NULL. */
void php_bloom_batch_add_number(php_bloom_record_batch *batch, const uint64_t *number);

/* Makes a batch of a record that begins the journal and those of another batch. */
void php_bloom_batch_begin(php_bloom_record_batch *batch, php_bloom_record_batch *begun);

typedef struct php_bloom_journal_writer {
	zend_object *store; /* implements JournalStore */
	const char *name;   /* of the filter */
	/* The journal's end after the last append, for the chain of signatures. An epoch of 0:
	 * unknown. */
	bloom_mark end;
} php_bloom_journal_writer;

/* Gets the journal's end from the store, with its link. Whatever the last record is, a writer
 * continues behind it, and a mark can be taken, because readers check the record.
 *
 *   *is_open  whether keys can be added */
bool php_bloom_journal_find_end(php_bloom_journal_writer *writer, bloom_mark *end, bool *is_open);

/* Appends the records, and sets writer->end to the journal's new end.
 *
 *   *is_closed  true, without an exception: the journal is closed, and the first record neither
 *               begins nor ends it. Nothing was appended */
bool php_bloom_journal_append(
	php_bloom_journal_writer *writer, php_bloom_record_batch *batch, bool *is_closed);

/* Appends the records only if the journal ends at `before`.
 *
 *   *is_refused  true, without an exception: it does not, or is closed */
bool php_bloom_journal_append_after(php_bloom_journal_writer *writer, php_bloom_record_batch *batch,
	const bloom_mark *before, bool *is_refused);

#endif

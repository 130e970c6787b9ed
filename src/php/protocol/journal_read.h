/* Reads records from a store and checks them, one journal and one record at a time.
 *
 *     php_bloom_store_read() ─► records of one journal ─► each record: checksum, signature, link,
 *                                                         position ─► the next mark
 */
#ifndef PHP_BLOOM_JOURNAL_READ_H
#define PHP_BLOOM_JOURNAL_READ_H

#include "filter/journal_record.h"
#include "php/engine.h"

/* Adds a journal and the position from which to read it to the map for php_bloom_store_read(). */
void php_bloom_journal_want(zval *positions, const char *name, const bloom_mark *position);

/* Finds a filter's records in an answer of php_bloom_store_read().
 *
 *   *records  positions to records; NULL: the journal does not continue from the position. Valid
 *             as long as the answer */
bool php_bloom_journal_records(const zval *answers, const char *name, HashTable **records);

/* Checks a record, and that it follows the records before it.
 *
 *   position  of its end, as the store gives it
 *   value     may be a reference
 *   *mark     the end of the record before it; moved to the end of this one
 *   *record   borrows `value`
 *
 * Errors: BLOOM_E_STORE_TYPE, _POSITION, and those of bloom_record_parse() and
 * bloom_record_check_kind(). */
bloom_status php_bloom_journal_check(const zend_string *position, zval *value, const char *name,
	const bloom_ring *signers, bloom_mark *mark, bloom_record *record, bloom_error *error);

/* Asks the store whether a filter's journal has a position, with one read().
 *
 *   store  implements JournalStore */
bool php_bloom_journal_has(
	zend_object *store, const char *name, const bloom_mark *position, bool *has);

#endif

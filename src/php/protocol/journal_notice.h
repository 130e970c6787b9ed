/* The records of a journal that say which version hosts are to serve. Publishers and rollbacks
 * append them (filter/journal_record.h).
 */
#ifndef PHP_BLOOM_JOURNAL_NOTICE_H
#define PHP_BLOOM_JOURNAL_NOTICE_H

#include "filter/blob.h"
#include "php/protocol/journal_writer.h"

/* What a store says about a filter's journal (filter/journal_record.h). */
typedef struct php_bloom_journal_state {
	bool exists;
	bool is_open;       /* keys can be added */
	uint32_t last_kind; /* of the last record; 0: there is none */
	uint64_t ended_by;  /* if the last record is an end: the checksum in it */
	uint64_t ended_ms;  /* and when it was written; milliseconds since 1970 */
	bloom_mark end;     /* if it exists: its end, without a link */
} php_bloom_journal_state;

/* Looks at a filter's journal without creating it.
 *
 *   store  implements JournalStore */
bool php_bloom_journal_look(zend_object *store, const char *name, php_bloom_journal_state *state);

/* Tells the hosts that follow the journal that they are to serve another version. If the version
 * has a mark, keys can be added from then on. If it has none, the journal ends.
 *
 *   store  implements JournalStore
 *   head   of that version, which the store already has */
bool php_bloom_journal_notice(zend_object *store, const char *name, const bloom_head *head);

/* Ends a journal, because hosts serve a version that does not follow it. Does nothing if it is
 * closed.
 *
 *   checksum  of that version's head */
bool php_bloom_journal_end(php_bloom_journal_writer *writer, uint64_t checksum);

#endif

/* Bloom\Journal. */
#ifndef PHP_BLOOM_JOURNAL_H
#define PHP_BLOOM_JOURNAL_H

#include "php/engine.h"

/* Appends the notice that a version with this head checksum was published. Returns false if it
 * throws.
 *
 *   store  implements JournalStore */
bool php_bloom_journal_notice(zend_object *store, const char *name, uint64_t checksum);

/* Sets the handlers of the class. MINIT calls it once, after the class entries exist. */
void php_bloom_journal_startup(void);

#endif

/* Bloom\Journal. */
#ifndef PHP_BLOOM_JOURNAL_H
#define PHP_BLOOM_JOURNAL_H

/* Sets the handlers of the class. MINIT calls it once, after the class entries exist. */
void php_bloom_journal_startup(void);

#endif

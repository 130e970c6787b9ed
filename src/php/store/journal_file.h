/* The file of a journal of Bloom\DirectoryStore. docs/dev/journal.md, "A journal in a
 * directory", specifies it.
 *
 *     0        40              64                                              end
 *     ├ constant ┼ end, last, sum ┼ record │ record │ … │ last record ┤ torn tail
 *                                 base                                ▲ ignored
 *
 *     append   lock ─► write after the end ─► sync ─► store the end ─► sync
 *     trim     copy the rest to a new file ─► lock ─► copy what was appended ─► rename
 *     read     no lock
 *
 * The bytes before the end of a file never change, so reading them needs no lock. A process that is
 * killed during an append leaves at most a torn tail. Readers ignore it, and the next append
 * overwrites it.
 *
 * An exception needs memory, and a request that runs out of memory must not leave a file open and
 * locked in its process. Because of this, no function allocates memory while a file is open. The
 * functions describe a failure in a `php_bloom_fault` instead, and the operations throw it.
 */
#ifndef PHP_BLOOM_JOURNAL_FILE_H
#define PHP_BLOOM_JOURNAL_FILE_H

#include "filter/journal_mark.h"
#include "php/engine.h"

enum {
	PHP_BLOOM_JOURNAL_AT_END = 40, /* from here on, an append changes the header at once */
	PHP_BLOOM_JOURNAL_HEADER_BYTES = 64,
	PHP_BLOOM_JOURNAL_TRIES_MAX = 100, /* other processes may replace the file in each try */
};

/* What to say after that many tries. */
extern const char php_bloom_journal_file_replaced_again[];

typedef struct php_bloom_journal_header {
	uint64_t epoch;
	uint64_t base; /* the offset of the first record in the file */
	uint64_t end;
	uint64_t last; /* the offset of the last record; equals `base` if there is none */
	unsigned char base_check[BLOOM_CHECK_BYTES];
} php_bloom_journal_header;

/* Why a function failed. */
typedef struct php_bloom_fault {
	const char *what;
	int os_error;    /* 0: `what` says everything */
	bool is_damaged; /* the file is not a valid journal */
} php_bloom_fault;

/* Describes a failure. Always returns false, as does the one for a damaged file. */
bool php_bloom_fault_set(php_bloom_fault *why, const char *what, int os_error);
bool php_bloom_fault_damaged(php_bloom_fault *why, const char *what);

/* Returns true if a call succeeded. Otherwise describes the failure. */
bool php_bloom_fault_check(int os_error, php_bloom_fault *why, const char *what);

/* Throws a StoreException that describes the failure. */
void php_bloom_fault_throw(const char *path, const php_bloom_fault *why);

/* Writes the bytes of a header, with their checksum. */
void php_bloom_journal_file_encode(
	const php_bloom_journal_header *value, unsigned char bytes[PHP_BLOOM_JOURNAL_HEADER_BYTES]);

/* Reads the header of an open journal. An append may change the header while it is read, so a
 * header with a wrong checksum is read again. */
bool php_bloom_journal_file_read_header(
	int file, php_bloom_journal_header *found, php_bloom_fault *why);

/* Returns where an offset of the journal is in its file. */
uint64_t php_bloom_journal_file_place(const php_bloom_journal_header *found, uint64_t offset);

/* Determines whether the journal has a position. A position within a record has the wrong CHECK,
 * except with a probability of 2^-64. Returns false if the file cannot be read. */
bool php_bloom_journal_file_look_for(int file, const php_bloom_journal_header *found,
	const bloom_mark *position, bool *is_there, php_bloom_fault *why);

/* Creates a file beside the journal, to which only this user has access. Returns -1 on failure. */
int php_bloom_journal_file_create_temporary(
	const char *path, char temporary[MAXPATHLEN], php_bloom_fault *why);

/* Finds the file to which the path leads. If it is a link, a trim replaces its target and not the
 * link. The caller frees the result, which is NULL on failure. */
char *php_bloom_journal_file_find(const char *path, php_bloom_fault *why);

/* Opens the journal, and may create it. Returns -1 on failure, and without why->what if the journal
 * does not exist and must not be created. */
int php_bloom_journal_file_open_or_create(
	const char *path, bool writable, bool may_create, php_bloom_fault *why);

/* Locks an open journal. The lock ends when the file is closed.
 *
 *   *is_current  whether the path still leads to this file: a trim replaces it, and an operator may
 *                switch a link in the path */
bool php_bloom_journal_file_lock(
	int file, const char *path, bool *is_current, php_bloom_fault *why);

/* Opens and locks the journal and reads its header. Returns -1 in the same cases as
 * php_bloom_journal_file_open_or_create(). */
int php_bloom_journal_file_open_locked(
	const char *path, bool may_create, php_bloom_journal_header *found, php_bloom_fault *why);

/* Opens an existing journal and looks for a position. Returns -1 if the journal does not have the
 * position, or on failure, which sets `why->what`.
 *
 *   target  from php_bloom_journal_file_find(), which may have failed */
int php_bloom_journal_file_open_at(const char *target, bool writable, const bloom_mark *position,
	php_bloom_journal_header *found, php_bloom_fault *why);

/* Determines the path of a journal. */
bool php_bloom_journal_file_path(zend_object *store, zend_string *journal, char path[MAXPATHLEN]);

#endif

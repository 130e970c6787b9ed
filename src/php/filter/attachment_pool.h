/* A thread's attachments, which outlive the request.
 *
 *     handles (objects) ──► php_bloom_attachment ──► mapping of the served generation
 *          held by n              one per name
 *
 * Lifetime: an attachment exists as long as a handle refers to it. After that, the thread keeps it
 * in a list of at most 128 unused attachments. The thread releases the attachment when it is the
 * least recently used of a full list, when its filter has been dropped, or when the thread ends.
 *
 * Locks: none. Each thread has its own table.
 */
#ifndef PHP_BLOOM_ATTACHMENT_POOL_H
#define PHP_BLOOM_ATTACHMENT_POOL_H

#include "kinds/attachment.h"
#include "php/engine.h"

/* What info() keeps, because it takes longer to compute than the rest of the call. It is kept here
 * rather than in the mapping, because lookups never read it. */

/* The rates that depend only on a blob's head. */
typedef struct php_bloom_head_rates {
	bool is_known;
	uint64_t checksum; /* of the head */
	double predicted;  /* php_bloom_head_predicted_rate() */
	double highest;    /* that a blob at capacity is measured to have by chance */
} php_bloom_head_rates;

/* The measured rate of additions: of which, and of how many keys. */
typedef struct php_bloom_measured {
	uint64_t at_ms; /* bloom_coarse_ms(); 0: never */
	uint64_t seed, created_ms, keys;
	double rate;
} php_bloom_measured;

/* One attachment, shared by all handles of a name. */
typedef struct php_bloom_attachment {
	bloom_attachment attachment;
	uint32_t handles;
	/* When php_bloom_attach() last looked up the name: BLOOM_G(request) and
	 * bloom_coarse_ms(). */
	uint64_t looked_request;
	uint64_t looked_ms;
	php_bloom_head_rates rates;
	php_bloom_measured additions_measured;
	/* The list that contains this attachment while it is unused. NULL while a handle refers to
	 * it. */
	struct php_bloom_unused *list;
	struct php_bloom_attachment *before, *after;
} php_bloom_attachment;

/* Returns the attachment that the thread has for a name, or NULL. */
php_bloom_attachment *php_bloom_attachment_find(const char *name);

/* Attaches to a filter that has a generation, or returns the attachment that the thread already
 * has. The attachment may be freed by the next call unless a handle holds it.
 *
 * Errors: those of bloom_attach().
 * Cost: one system call if the thread already has the attachment. */
bloom_status php_bloom_attach(const bloom_segment *segment, const char *name,
	php_bloom_attachment **held, bloom_error *error);

/* Returns the attachment if php_bloom_attach() looked up the name in this request and within the
 * last second, and the filter still exists. Otherwise returns NULL, and the caller attaches. This
 * means that code may open a filter wherever it needs one, and still pays for the lookup of the
 * name only once in a request.
 *
 * Cost: a search in the table and a reading of the clock; no system call unless the filter has
 * changed. */
php_bloom_attachment *php_bloom_attachment_recent(zend_string *name);

/* Register and unregister a handle that refers to the attachment. */
void php_bloom_attachment_hold(php_bloom_attachment *held);
void php_bloom_attachment_release(php_bloom_attachment *held);

/* Unmaps a filter that was just dropped, and releases its attachment if it is unused. */
void php_bloom_attachment_dropped(const char *name);

/* Looks a name up again after this process has loaded a filter. This process's own handles must use
 * the new filter, even if an administrator has deleted the control page that they had mapped. */
void php_bloom_attachment_recheck(const char *name);

/* Cleans up at the end of a request. This adds what was counted to the filters' counters, unmaps
 * generations that are no longer served, releases attachments to dropped filters, and closes the
 * descriptors of locked files. */
void php_bloom_attachments_trim(void);

/* Initializes a thread's table of attachments. */
void php_bloom_attachments_startup(HashTable *attachments);

/* Releases a thread's table of attachments. */
void php_bloom_attachments_shutdown(HashTable *attachments);

#endif

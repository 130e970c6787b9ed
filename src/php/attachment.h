/* A thread's attachments, which outlive the request.
 *
 *     handles (objects) ──► php_bloom_attachment ──► mapping of the served generation
 *          held by n              one per name
 *
 * Lifetime: while a handle refers to an attachment, it stays. Afterwards it is kept until it is the
 * least recently used of more than 128, until the thread notices that its filter was dropped, or
 * until the thread ends.
 *
 * Locks: none. Each thread has its own table.
 */
#ifndef PHP_BLOOM_ATTACHMENT_H
#define PHP_BLOOM_ATTACHMENT_H

#include "kinds/attachment.h"
#include "php/engine.h"

/* One attachment, shared by all handles of a name. */
typedef struct php_bloom_attachment {
	bloom_attachment attachment;
	uint32_t handles;
	/* The list of unused attachments that contains it. NULL while a handle refers to it. */
	struct php_bloom_unused *list;
	struct php_bloom_attachment *before, *after;
} php_bloom_attachment;

/* Returns the attachment that the thread has for a name, or NULL. */
php_bloom_attachment *php_bloom_attachment_find(const char *name);

/* Attaches to a filter that has a generation, or returns the attachment that the thread has. The
 * attachment may be freed by the next call unless a handle holds it.
 *
 * *Errors*: those of bloom_attach(). *Cost*: one system call if the thread already has the
 * attachment.
 */
bloom_status php_bloom_attach(const bloom_segment *segment, const char *name,
	php_bloom_attachment **held, bloom_error *error);

/* Adds, and removes, a handle that refers to the attachment. */
void php_bloom_attachment_hold(php_bloom_attachment *held);
void php_bloom_attachment_release(php_bloom_attachment *held);

/* Releases what this thread keeps of a filter that was just dropped. */
void php_bloom_attachment_dropped(const char *name);

/* Looks a name up again after this process has loaded a filter. Its own handles must answer from
 * that filter, even if someone has deleted the control page that they had mapped. */
void php_bloom_attachment_recheck(const char *name);

/* Ends a request: unmaps generations that are no longer served, releases attachments to dropped
 * filters, and closes the descriptors of locked files. */
void php_bloom_attachments_trim(void);

/* Initializes a thread's table of attachments. */
void php_bloom_attachments_startup(HashTable *attachments);

#endif

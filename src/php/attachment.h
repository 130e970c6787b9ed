/* A thread's attachments, kept over requests. */
#ifndef PHP_BLOOM_ATTACHMENT_H
#define PHP_BLOOM_ATTACHMENT_H

#include "kinds/attachment.h"
#include "php/engine.h"

/* A thread's hold on a filter, shared by its handles. php_attachment.c tells how long it lasts. */
typedef struct php_bloom_attachment {
	bloom_attachment attachment;
	uint32_t handles;
	/* Of unused ones, in which it is between the two below; NULL: it is in use. */
	struct php_bloom_unused *list;
	struct php_bloom_attachment *before, *after;
} php_bloom_attachment;

/* The attachment to an already attached filter, or NULL. */
php_bloom_attachment *php_bloom_attachment_find(const char *name);

/* The attachment to a filter that has a generation. It may go with the next call unless it is held.
 *
 * Fails   as bloom_attach().
 * Cost    one system call when the thread has it already.
 */
bloom_status php_bloom_attach(const bloom_segment *segment, const char *name,
	php_bloom_attachment **held, bloom_error *error);

/* Holds an attachment for a handle, and releases it. */
void php_bloom_attachment_hold(php_bloom_attachment *held);
void php_bloom_attachment_release(php_bloom_attachment *held);

/* Gives back what this thread still has of the filter, which was just dropped. */
void php_bloom_attachment_dropped(const char *name);

/* Looks the name up again: what this process has just loaded its own handles
 * must answer from, even when someone deleted the control page that they had mapped. */
void php_bloom_attachment_recheck(const char *name);

/* Gives back the memory of generations and filters that are no longer served, and the handles of locked files, between
 * requests. */
void php_bloom_attachments_trim(void);

void php_bloom_attachments_startup(HashTable *attachments);

#endif

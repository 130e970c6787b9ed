/* Attachments are kept between requests, because the next request most likely uses the same
 * filters.
 *
 *     in use   a handle refers to it
 *     unused   in a list of at most UNUSED_MAX, the least recently used first
 *
 * An attachment keeps its filter mapped, so a dropped filter still takes memory. An unused
 * attachment is therefore released as soon as this thread notices the drop: at the end of the
 * request, when the thread attaches to a different filter, or in drop() itself.
 */
#include "php/filter/attachment_pool.h"

#include <stdlib.h>
#include <string.h>

#include "filter/compiler.h"
#include "os/clock.h"
#include "os/process.h"
#include "php/globals.h"
#include "segment/filelock.h"

enum { UNUSED_MAX = 128 };

/* ---- the list of unused attachments ---- */

static void unlink_unused(php_bloom_attachment *held)
{
	/* When a thread ends, BLOOM_G() may already refer to the globals of a different thread. */
	php_bloom_unused *unused = held->list;

	if (unused == NULL) {
		return;
	}
	*(held->before != NULL ? &held->before->after : &unused->first) = held->after;
	*(held->after != NULL ? &held->after->before : &unused->last) = held->before;
	held->list = NULL;
	unused->count--;
}

static void link_unused(php_bloom_attachment *held)
{
	php_bloom_unused *unused = &BLOOM_G(unused);

	held->before = unused->last;
	held->after = NULL;
	*(unused->last != NULL ? &unused->last->after : &unused->first) = held;
	unused->last = held;
	held->list = unused;
	unused->count++;
}

/* ---- the table ---- */

static void free_attachment(zval *value)
{
	php_bloom_attachment *held = Z_PTR_P(value);

	unlink_unused(held);
	bloom_detach(&held->attachment);
	free(held);
}

/* A thread without attachments may fork, too, and may have no globals. */
static BLOOM_THREAD_LOCAL bool has_attachments;

void php_bloom_attachments_startup(HashTable *attachments)
{
	zend_hash_init(attachments, 8, NULL, free_attachment, true);
}

void php_bloom_attachments_shutdown(HashTable *attachments)
{
	has_attachments = false;
	zend_hash_destroy(attachments);
}

php_bloom_attachment *php_bloom_attachment_find(const char *name)
{
	return zend_hash_str_find_ptr(&BLOOM_G(attachments), name, strlen(name));
}

static void forget(php_bloom_attachment *held)
{
	const char *name = held->attachment.name;

	(void)zend_hash_str_del(&BLOOM_G(attachments), name, strlen(name));
}

static bool is_dropped(const php_bloom_attachment *held)
{
	const bloom_control *control = held->attachment.control;

	return bloom_load_relaxed(&control->generation) == BLOOM_GENERATION_DROPPED ||
		bloom_control_is_expired(control);
}

/* Moves the attachment to the end of the list. If the list is then too long, releases the least
 * recently used attachment. */
static void keep_unused(php_bloom_attachment *held)
{
	unlink_unused(held);
	link_unused(held);
	if (BLOOM_G(unused).count > UNUSED_MAX) {
		forget(BLOOM_G(unused).first);
	}
}

static void forget_dropped(void)
{
	php_bloom_attachment *held, *after;

	for (held = BLOOM_G(unused).first; held != NULL; held = after) {
		after = held->after;
		if (is_dropped(held)) {
			forget(held);
		}
	}
}

/* ---- use ---- */

void php_bloom_attachment_hold(php_bloom_attachment *held)
{
	unlink_unused(held);
	held->handles++;
}

void php_bloom_attachment_release(php_bloom_attachment *held)
{
	if (--held->handles > 0) {
		return;
	}
	if (is_dropped(held)) {
		forget(held);
	} else {
		keep_unused(held);
	}
}

void php_bloom_attachments_trim(void)
{
	php_bloom_attachment *held;

	forget_dropped();
	ZEND_HASH_FOREACH_PTR(&BLOOM_G(attachments), held) {
		bloom_attachment_trim(&held->attachment);
	}
	ZEND_HASH_FOREACH_END();
	bloom_filelock_close_all();
}

void php_bloom_attachment_dropped(const char *name)
{
	php_bloom_attachment *held = php_bloom_attachment_find(name);

	if (held != NULL && held->handles > 0) {
		bloom_attachment_trim(&held->attachment);
	}
	forget_dropped();
}

/* ---- attaching ---- */

/* Adds what this thread has counted to the filters' counters. Otherwise a forked child would count
 * its parent's lookups again. */
static void flush_before_fork(void)
{
	php_bloom_attachment *held;

	if (!has_attachments) {
		return;
	}
	ZEND_HASH_FOREACH_PTR(&BLOOM_G(attachments), held) {
		bloom_attachment_flush(&held->attachment);
	}
	ZEND_HASH_FOREACH_END();
}

static void note_lookup(php_bloom_attachment *held)
{
	held->looked_request = BLOOM_G(request);
	held->looked_ms = bloom_coarse_ms();
}

static bloom_status attach_new(const bloom_segment *segment, const char *name,
	php_bloom_attachment **held, bloom_error *error)
{
	php_bloom_attachment *fresh = calloc(1, sizeof *fresh);
	bloom_status status;

	forget_dropped();
	if (fresh == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "%s", name);
	}
	status = bloom_attach(segment, name, &fresh->attachment, error);
	if (status != BLOOM_OK) {
		free(fresh);
		return status;
	}
	note_lookup(fresh);
	has_attachments = bloom_process_before_fork(flush_before_fork);
	zend_hash_str_update_ptr(&BLOOM_G(attachments), name, strlen(name), fresh);
	*held = fresh;
	return BLOOM_OK;
}

/* Attaches again if the filter has expired, or if someone has manually deleted or replaced the
 * control page. */
static bloom_status check_name(php_bloom_attachment *held, bloom_error *error)
{
	bloom_status status = bloom_attachment_naming(&held->attachment) == BLOOM_NAMING_SAME &&
			!bloom_control_is_expired(held->attachment.control)
		? BLOOM_OK
		: bloom_attachment_renew(&held->attachment, error);

	if (status == BLOOM_OK) {
		note_lookup(held);
	} else {
		held->looked_request = 0; /* the next open() looks again */
	}
	return status;
}

void php_bloom_attachment_recheck(const char *name)
{
	php_bloom_attachment *held = php_bloom_attachment_find(name);

	if (held != NULL) {
		(void)check_name(held, NULL);
	}
}

bloom_status php_bloom_attach(const bloom_segment *segment, const char *name,
	php_bloom_attachment **held, bloom_error *error)
{
	php_bloom_attachment *found = php_bloom_attachment_find(name);
	bloom_status status;

	if (found == NULL) {
		status = attach_new(segment, name, &found, error);
	} else {
		status = check_name(found, error);
		if (status == BLOOM_OK &&
			bloom_attachment_check(&found->attachment) == BLOOM_PRESENCE_ABSENT) {
			status = bloom_fail(
				error, BLOOM_E_NOT_FOUND, 0, "%.120s/%s", segment->path, name);
		}
		if (status == BLOOM_E_NOT_FOUND && found->handles == 0) {
			forget(found);
		}
	}
	if (status != BLOOM_OK) {
		return status;
	}
	if (found->handles == 0) {
		keep_unused(found);
	}
	*held = found;
	return BLOOM_OK;
}

php_bloom_attachment *php_bloom_attachment_recent(zend_string *name)
{
	php_bloom_attachment *held = zend_hash_find_ptr(&BLOOM_G(attachments), name);

	if (held == NULL || held->looked_request != BLOOM_G(request) ||
		bloom_coarse_ms() - held->looked_ms >= BLOOM_NAME_CHECK_MS ||
		bloom_control_is_expired(held->attachment.control) ||
		bloom_attachment_check(&held->attachment) == BLOOM_PRESENCE_ABSENT) {
		return NULL;
	}
	if (held->handles == 0) {
		keep_unused(held);
	}
	return held;
}

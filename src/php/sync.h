/* What Filter::sync() and Journal::pull() share. */
#ifndef PHP_BLOOM_SYNC_H
#define PHP_BLOOM_SYNC_H

#include "php/engine.h"
#include "filter/status.h"
#include "segment/control.h"

/* Syncs of a filter that follows a journal read the published head at least this often. Publishing
 * adds a notice to the journal, so this matters only if the notice was lost. */
enum { PHP_BLOOM_HEAD_MS = 60000 };

/* Returns whether the head must be read, although the journal is followed. */
bool php_bloom_head_is_due(const bloom_control *control);

/* Writes the pending exception into the control page for info(). Returns the status that it wrote.
 */
bloom_status php_bloom_sync_note_failure(bloom_control *control);

#endif

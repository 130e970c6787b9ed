/* What Filter::sync() and Journal::pull() share. */
#ifndef PHP_BLOOM_SYNC_H
#define PHP_BLOOM_SYNC_H

#include "php/engine.h"
#include "filter/status.h"
#include "segment/control.h"

/* Writes the pending exception into the control page for info(). Returns the status that it wrote.
 */
bloom_status php_bloom_sync_note_failure(bloom_control *control);

#endif

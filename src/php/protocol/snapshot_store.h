/* Snapshots of live filters in a store.
 *
 *     <name>:snapshot             the head of the last complete snapshot. It contains an id
 *     <name>:snapshot<id>n<i>     piece i of the snapshot with that id, 12 hexadecimal digits
 *     <name>:snapshotsaving       only during a save: the ids that may have pieces, as
 *                                 "<id> <pieces>\n" for the new id and for the head's id
 *
 * A save chooses a new id, so it never changes a piece that the last complete snapshot needs. The
 * head is one value, so it names either the old snapshot or the new one.
 *
 *     delete pieces that a killed process has left ─► list the new id and the head's id
 *     ─► write the pieces ─► write the head ─► delete the replaced pieces ─► delete the list
 *
 * So a process that is killed at any point leaves at most one incomplete or replaced snapshot,
 * which the next save deletes.
 *
 * On a host, only one process at a time saves a filter: it takes the lease in the control page,
 * which a live filter does not need for syncs. A process that is stopped for longer than the lease
 * loses it, and its save fails. If it is stopped between its last check and the store's write of
 * the head, the head may name pieces that another save has deleted. A restore then fails until the
 * next save.
 */
#ifndef PHP_BLOOM_SNAPSHOT_STORE_H
#define PHP_BLOOM_SNAPSHOT_STORE_H

#include "php/job.h"
#include "php/store/store.h"

/* Saves a filter to a store. The caller ends the job. */
bool php_bloom_snapshot_save(
	php_bloom_job *job, const bloom_segment *segment, const char *name, zend_object *store);

/* Restores a filter from a store.
 *
 *   kind  the expected kind, or BLOOM_KIND_COUNT for any
 *
 * The caller ends the job. */
bool php_bloom_snapshot_restore(php_bloom_job *job, const bloom_segment *segment, const char *name,
	uint64_t kind, zend_object *store);

#endif

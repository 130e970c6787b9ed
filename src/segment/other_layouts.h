/* Filters in the directories of other layouts, which other builds of the extension use.
 *
 *     booth_tags@4 ◄── workers that still run the build before an upgrade
 *     booth_tags@5 ◄── this build
 *
 * BLOOM_CONTROL_LAYOUT is the number of this build's layout. During an upgrade or a downgrade,
 * processes of both builds run side by side and share a segment. Each build loads, syncs and serves
 * its own filters, as if the other build ran on another host. They share only what control.h lists:
 *
 *   memory limit   the files of all layouts count
 *   drop           drops the filter in all layouts
 *   live filters   their keys exist nowhere else. If another layout has a live filter, this build
 *                  creates and loads no filter of that name, because it would deny its keys. If
 *                  another layout has a copy, this build creates no live filter of that name,
 *                  because processes of the other build would deny the keys that are added to it
 *   sweep          removes a filter of another layout if it is a copy of a published version, this
 *                  build serves a version of it, too, and no process has it mapped. If a process
 *                  maps it during the sweep, it finds that the filter was dropped
 *
 * So a sweep never removes keys that exist nowhere else. If it cannot find out whether a process
 * has a filter mapped (os/files.h), the filter stays until it is dropped or the host reboots.
 */
#ifndef BLOOM_OTHER_LAYOUTS_H
#define BLOOM_OTHER_LAYOUTS_H

#include <stdbool.h>

#include "filter/status.h"
#include "segment/filter_dir.h"
#include "segment/kinds.h"

/* Calls `visit` with each directory of the filter that has another layout, until `visit` returns
 * false. Nothing is called if the segment does not exist.
 *
 * Errors: BLOOM_E_REFUSED_…, _MEMORY, _SYSTEM.
 * Cost: reads the names in the segment. */
typedef bool (*bloom_other_visit)(void *context, bloom_filter_dir *dir);
bloom_status bloom_other_layouts_each(const bloom_segment *segment, const char *name,
	bloom_other_visit visit, void *context, bloom_error *error);

/* Checks that no filter of another layout prevents this build from creating a filter of this kind
 * under the same name. If a directory or a control page cannot be read, processes may still use it,
 * so the check fails.
 *
 *   locks  waits for the writers of the other layouts. The caller holds this layout's lock of the
 *          filter until it has created the filter, so two builds cannot create it at the same time
 *
 * Errors: BLOOM_E_OTHER_VERSION, _KIND, _BUSY, _CONTROL, _REFUSED_…, _MEMORY, _SYSTEM. */
bloom_status bloom_other_layouts_check(const bloom_segment *segment, const char *name,
	bloom_kind kind, bool locks, bloom_error *error);

#endif

#include "segment/control_file.h"

#include <stdlib.h>

#include "os/clock.h"
#include "os/mapping.h"
#include "os/process.h"

#define CONTROL_NEW_NAME BLOOM_CONTROL_NAME ".tmp"

/* Returns true if the page was written on a disk before the last reboot. The generation files of
 * such a page may be incomplete, because they were never synced. A page with boot ID 0 is accepted:
 * it is on tmpfs, or /proc was not readable when it was created. If /proc is not readable now,
 * every page is accepted. */
static bool is_from_other_boot(const bloom_control *page)
{
	uint64_t boot = bloom_load_relaxed(&page->boot);
	uint64_t now = boot != 0 ? bloom_boot_id() : 0;

	return now != 0 && boot != now;
}

bloom_status bloom_control_map(const bloom_filter_dir *dir, bloom_control **control,
	bloom_identity *identity, bloom_error *error)
{
	bloom_mapped mapped = {0};
	bloom_control *page;
	uint64_t generation;
	bloom_status status = bloom_filter_dir_map(
		dir, BLOOM_CONTROL_NAME, BLOOM_MAP_WRITE, BLOOM_CONTROL_BYTES, &mapped, error);

	if (status == BLOOM_E_SHORT || status == BLOOM_E_HOLES) {
		return bloom_fail(error, BLOOM_E_CONTROL, 0, BLOOM_CONTROL_NAME);
	}
	if (status != BLOOM_OK) {
		return status;
	}
	page = (bloom_control *)(void *)mapped.map;
	if ((mapped.file_bytes != BLOOM_CONTROL_BYTES && dir->layout == BLOOM_CONTROL_LAYOUT) ||
		bloom_load_relaxed(&page->magic) != BLOOM_CONTROL_MAGIC ||
		bloom_load_relaxed(&page->layout) != dir->layout) {
		status = bloom_fail(error, BLOOM_E_CONTROL, 0, BLOOM_CONTROL_NAME);
	} else if (is_from_other_boot(page)) {
		status = bloom_fail(error, BLOOM_E_NOT_FOUND, 0,
			BLOOM_CONTROL_NAME " (written before the last reboot)");
	} else {
		generation = bloom_load_relaxed(&page->generation);
		if (generation >= BLOOM_GENERATION_MAX && generation != BLOOM_GENERATION_DROPPED) {
			status = bloom_fail(error, BLOOM_E_CONTROL, 0, BLOOM_CONTROL_NAME);
		}
	}
	if (status != BLOOM_OK) {
		bloom_unmap(mapped.map, BLOOM_CONTROL_BYTES);
		return status;
	}
	if (identity != NULL) {
		*identity = mapped.identity;
	}
	*control = page;
	return BLOOM_OK;
}

static bloom_status write_page(
	const bloom_filter_dir *dir, const bloom_control *page, bloom_error *error)
{
	int file = -1;
	bloom_status status = bloom_file_remove(dir->handle, CONTROL_NEW_NAME, error);
	if (status == BLOOM_OK) {
		status = bloom_file_create(dir->handle, CONTROL_NEW_NAME, dir->owner, &file, error);
	}
	if (status == BLOOM_OK) {
		status =
			bloom_file_write(file, 0, (const unsigned char *)page, sizeof *page, error);
		if (status == BLOOM_OK) {
			status = bloom_filter_dir_rename(
				dir, CONTROL_NEW_NAME, BLOOM_CONTROL_NAME, error);
		}
		if (status != BLOOM_OK) {
			(void)bloom_file_remove(dir->handle, CONTROL_NEW_NAME, NULL);
		}
		bloom_close(&file);
	}
	return status;
}

static bloom_status write_control(const bloom_filter_dir *dir, bloom_error *error)
{
	bloom_control *page = calloc(1, sizeof *page); /* too large for a fiber's stack */
	bloom_status status;

	if (page == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "%s", dir->name);
	}
	page->magic = BLOOM_CONTROL_MAGIC;
	page->layout = BLOOM_CONTROL_LAYOUT;
	page->counters.since_ms = bloom_clock_ms();
	page->boot = bloom_directory_is_memory(dir->handle) ? 0 : bloom_boot_id();
	status = write_page(dir, page, error);
	free(page);
	return status;
}

/* Creates a new control page. It is written under a temporary name and then renamed, so no process
 * sees an incomplete page. The caller holds the filter's lock. */
static bloom_status make_control(const bloom_filter_dir *dir, bloom_error *error)
{
	/* Exceeding RLIMIT_FSIZE would kill the process. */
	if (BLOOM_CONTROL_BYTES > bloom_process_file_bytes_max()) {
		return bloom_fail(error, BLOOM_E_FILE_LIMIT, 0, BLOOM_CONTROL_NAME);
	}
	return write_control(dir, error);
}

bloom_status bloom_control_ensure(
	const bloom_filter_dir *dir, bloom_control **control, bloom_error *error)
{
	bloom_status status = bloom_control_map(dir, control, NULL, error);

	if (status == BLOOM_OK &&
		bloom_load_acquire(&(*control)->generation) != BLOOM_GENERATION_DROPPED) {
		return BLOOM_OK;
	}
	if (status == BLOOM_OK) {
		bloom_unmap((const unsigned char *)*control, BLOOM_CONTROL_BYTES);
	} else if (status != BLOOM_E_NOT_FOUND && status != BLOOM_E_CONTROL) {
		return status;
	}
	status = make_control(dir, error);
	return status == BLOOM_OK ? bloom_control_map(dir, control, NULL, error) : status;
}

static bloom_status open_control(const bloom_segment *segment, const char *name, bool create,
	bloom_control **control, bloom_error *detail)
{
	bloom_status status;
	bloom_filter_dir dir;

	status = bloom_filter_dir_open(segment, name, create, &dir, detail);
	if (status != BLOOM_OK) {
		return status;
	}
	status = bloom_control_map(&dir, control, NULL, detail);
	if (create && (status == BLOOM_E_NOT_FOUND || status == BLOOM_E_CONTROL)) {
		status = bloom_filter_dir_lock(&dir, detail);
		if (status == BLOOM_OK) {
			status = bloom_control_ensure(&dir, control, detail);
		}
	}
	bloom_filter_dir_close(&dir);
	return status == BLOOM_OK ? BLOOM_OK : bloom_fail_at(&dir, status, detail);
}

bloom_status bloom_segment_control(const bloom_segment *segment, const char *name, bool create,
	bloom_control **control, bloom_error *error)
{
	enum { TRIES_MAX = 10 };
	bloom_error local;
	bloom_error *detail = error != NULL ? error : &local;
	bloom_status status;
	int i = 0;

	/* A concurrent drop may remove the directory between two steps. In that case this loop
	 * creates the directory again. */
	do {
		status = open_control(segment, name, create, control, detail);
	} while (create && (status == BLOOM_E_NOT_FOUND || status == BLOOM_E_GONE) &&
		++i < TRIES_MAX);
	return status;
}

#include "segment/busy_file.h"

#include <stdio.h>
#include <string.h>

#include "os/clock.h"
#include "os/lock.h"
#include "os/process.h"

enum { DIGITS = 16 };

static void choose_name(const char *filter, char file_name[BLOOM_FILE_NAME_MAX])
{
	(void)snprintf(file_name, BLOOM_FILE_NAME_MAX, "%016llx.%.*s",
		(unsigned long long)bloom_random(), (int)BLOOM_NAME_BYTES_MAX, filter);
}

/* Returns the filter name in a busy file's file name, or NULL if the file is not a busy file. */
static const char *filter_of(const char *file_name)
{
	const char *name = strlen(file_name) > DIGITS + 1 ? file_name + DIGITS + 1 : "";

	return strspn(file_name, "0123456789abcdef") == DIGITS && file_name[DIGITS] == '.' &&
			bloom_name_check(name, strlen(name), NULL) == BLOOM_OK
		? name
		: NULL;
}

static bloom_status create(
	const bloom_filter_dir *dir, int directory, bloom_busy_file *busy, bloom_error *error)
{
	bloom_status status;

	choose_name(dir->name, busy->file_name);
	bloom_fork_block();
	status = bloom_file_create(directory, busy->file_name, dir->owner, &busy->file, error);
	if (status == BLOOM_OK) {
		status = bloom_process_close_on_fork(busy->file, error);
	}
	bloom_fork_unblock();
	if (status == BLOOM_OK) {
		status = bloom_lock(busy->file, 0, error);
	}
	/* Before this process locked the new busy file, another writer may have mistaken it for an
	 * orphan and removed it. */
	if (status == BLOOM_OK) {
		status = bloom_file_check_linked(busy->file, error);
	}
	if (status != BLOOM_OK && busy->file >= 0) {
		bloom_file_discard(directory, busy->file_name);
		bloom_process_close(&busy->file);
	}
	return status;
}

bloom_status bloom_busy_file_begin(
	const bloom_filter_dir *dir, bloom_busy_file *busy, bloom_error *error)
{
	enum { TRIES_MAX = 10 };
	int directory = -1, i;
	bloom_status status = bloom_filter_dir_open_internal(dir, &directory, error);

	*busy = (bloom_busy_file){.file = -1};
	if (status != BLOOM_OK) {
		return status;
	}
	status = create(dir, directory, busy, error);
	for (i = 1; (status == BLOOM_E_BUSY || status == BLOOM_E_GONE) && i < TRIES_MAX; i++) {
		status = create(dir, directory, busy, error);
	}
	bloom_close(&directory);
	if (status == BLOOM_OK) {
		busy->process = bloom_process_id();
	}
	return status;
}

void bloom_busy_file_end(const bloom_filter_dir *dir, bloom_busy_file *busy)
{
	int directory = -1;

	if (busy->process == bloom_process_id()) {
		if (bloom_filter_dir_open_internal(dir, &directory, NULL) == BLOOM_OK) {
			bloom_file_discard(directory, busy->file_name);
			bloom_close(&directory);
		}
		bloom_process_close(&busy->file);
	}
	busy->process = 0;
}

void bloom_busy_file_create_orphan(const bloom_filter_dir *dir, const char *name)
{
	char file_name[BLOOM_FILE_NAME_MAX];
	int directory = -1, file = -1;

	choose_name(name, file_name);
	if (bloom_filter_dir_open_internal(dir, &directory, NULL) == BLOOM_OK) {
		if (bloom_file_create(directory, file_name, dir->owner, &file, NULL) == BLOOM_OK) {
			bloom_close(&file);
		}
		bloom_close(&directory);
	}
}

/* ---- orphans ---- */

typedef struct orphan_search {
	const bloom_filter_dir *dir;
	int directory;
	unsigned remaining;
	bloom_visit tidy;
	void *context;
} orphan_search;

static bool is_removed(const char *file_name)
{
	return strlen(file_name) == DIGITS + strlen(BLOOM_REMOVED_SUFFIX) &&
		strcmp(file_name + DIGITS, BLOOM_REMOVED_SUFFIX) == 0 &&
		strspn(file_name, "0123456789abcdef") == DIGITS;
}

static bool visit_busy_file(void *context, const char *file_name)
{
	orphan_search *search = context;
	const char *name = filter_of(file_name);
	uint64_t bytes;
	int file = -1;

	if (is_removed(file_name)) {
		bloom_file_discard(search->directory, file_name);
		return true;
	}
	if (name == NULL ||
		bloom_file_open(search->directory, file_name, false, search->dir->owner, &file,
			&bytes, NULL) != BLOOM_OK) {
		return true;
	}
	if (bloom_lock(file, 0, NULL) == BLOOM_OK) {
		search->remaining--;
		if (search->tidy(search->context, name)) {
			bloom_file_discard(search->directory, file_name);
		}
		/* Unlock explicitly: a child that another thread has just forked shares the handle
		 * and would keep the lock after bloom_close(). */
		bloom_unlock(file);
	}
	bloom_close(&file);
	return search->remaining > 0;
}

void bloom_busy_file_each_orphan(
	const bloom_filter_dir *dir, unsigned max_filters, bloom_visit tidy, void *context)
{
	orphan_search search = {.dir = dir,
		.directory = -1,
		.remaining = max_filters,
		.tidy = tidy,
		.context = context};

	if (bloom_filter_dir_open_internal(dir, &search.directory, NULL) == BLOOM_OK) {
		(void)bloom_directory_each(search.directory, visit_busy_file, &search, NULL);
		bloom_close(&search.directory);
	}
}

#include "segment/memory_account.h"

#include <stddef.h>
#include <string.h>

#include "filter/atomic.h"
#include "os/clock.h"
#include "os/lock.h"
#include "os/mapping.h"
#include "segment/busy_file.h"
#include "os/process.h"

enum {
	PAGE_BYTES = 4096,
	LAYOUT = 1,
	WAIT_MS_MAX = 50,    /* the longest wait for the lock if there is no memory limit */
	PAUSE_MS_MIN = 1000, /* between two recounts that are not strictly necessary */
	PAUSE_FACTOR = 10,   /* limits such recounts to a tenth of the time */
};

#define MAGIC UINT64_C(0x61636374C3000A0D)

static const char file_name[] = "account";

struct bloom_account_page {
	uint64_t magic;
	uint64_t layout;
	uint64_t boot; /* bloom_boot_id() when the page was created; 0: on tmpfs */
	uint64_t bytes;
	uint64_t begun;
	uint64_t ended;      /* the sum is valid if this equals `begun` */
	uint64_t counted_ms; /* monotonic clock: the last recount; 0: never */
	uint64_t took_ms;    /* the duration of that recount */
	uint64_t counting;   /* nonzero: the lock holder is counting, so waiting is worthwhile */
};

/* ---- counting ---- */

typedef struct file_count {
	const bloom_filter_dir *dir;
	int directory;
	uint64_t bytes;
	bool is_new_boot;
	bloom_status status;
	bloom_error *error;
} file_count;

static bool count_file(void *context, const char *name)
{
	file_count *counting = context;
	uint64_t bytes = 0;
	bloom_status status = bloom_file_bytes(counting->directory, name, &bytes, counting->error);

	counting->bytes += bytes;
	counting->status = bloom_is_inconclusive(status, counting->error) ? status : BLOOM_OK;
	return counting->status == BLOOM_OK;
}

static bool count_filter(void *context, const char *name)
{
	file_count *counting = context;
	bloom_status status;

	if (bloom_name_check(name, strlen(name), NULL) != BLOOM_OK) {
		return true;
	}
	counting->directory = -1;
	status = bloom_directory_open_at(counting->dir->segment_handle, name, false,
		counting->dir->owner, &counting->directory, counting->error);
	if (status == BLOOM_OK) {
		status = bloom_directory_each(
			counting->directory, count_file, counting, counting->error);
		bloom_close(&counting->directory);
		if (counting->is_new_boot) {
			bloom_busy_file_create_orphan(counting->dir, name);
		}
	}
	if (counting->status == BLOOM_OK && bloom_is_inconclusive(status, counting->error)) {
		counting->status = status;
	}
	return counting->status == BLOOM_OK;
}

/* Visits every filter and adds up its file sizes. After a reboot, a disk still contains generations
 * that are no longer served. In that case each filter is given a busy file, so that later writers
 * clean up a few filters at a time. */
static bloom_status count_all(
	const bloom_filter_dir *dir, bool is_new_boot, uint64_t *bytes, bloom_error *error)
{
	bloom_error local;
	file_count counting = {
		.dir = dir, .is_new_boot = is_new_boot, .error = error != NULL ? error : &local};
	bloom_status status =
		bloom_directory_each(dir->segment_handle, count_filter, &counting, counting.error);

	if (counting.status != BLOOM_OK || status != BLOOM_OK) {
		return counting.status != BLOOM_OK ? counting.status : status;
	}
	*bytes = counting.bytes;
	return BLOOM_OK;
}

/* ---- the page ---- */

static uint64_t boot_of(const bloom_filter_dir *dir)
{
	return bloom_directory_is_memory(dir->segment_handle) ? 0 : bloom_boot_id();
}

static bool is_page(const bloom_account_page *page)
{
	return bloom_load_relaxed(&page->magic) == MAGIC &&
		bloom_load_relaxed(&page->layout) == LAYOUT;
}

/* Opens the account's file so that it can be locked, creating it if necessary. The caller has
 * blocked forks, so no child inherits the handle. */
static bloom_status open_close_on_fork(
	int directory, bloom_owner owner, int *file, bloom_error *error)
{
	bloom_status status = bloom_internal_file_open(directory, file_name, owner, file, error);

	if (status == BLOOM_OK) {
		status = bloom_process_close_on_fork(*file, error);
		if (status != BLOOM_OK) {
			bloom_close(file);
		}
	}
	return status;
}

/* Writes a new page. Writing allocates the space, so no later access raises SIGBUS. Old contents of
 * a different length are discarded. */
static bloom_status make_page(const bloom_filter_dir *dir, int file, bloom_error *error)
{
	/* `begun` is 1 and `ended` is 0, so the first holder of the lock counts all files. */
	static const bloom_account_page fresh = {.magic = MAGIC, .layout = LAYOUT, .begun = 1};
	unsigned char bytes[PAGE_BYTES] = {0};
	bloom_account_page *page = (bloom_account_page *)(void *)bytes;
	bloom_status status = bloom_file_extend(file, 0, error);

	memcpy(page, &fresh, sizeof fresh);
	page->boot = boot_of(dir);
	return status == BLOOM_OK ? bloom_file_write(file, 0, bytes, sizeof bytes, error) : status;
}

static bloom_status map_page(const bloom_filter_dir *dir, int file, bool may_create,
	bloom_account_page **page, bloom_error *error)
{
	unsigned char *map = NULL;
	uint64_t bytes = 0;
	bloom_status status = bloom_open_file_bytes(file, &bytes, error);

	if (status == BLOOM_OK && bytes != PAGE_BYTES && may_create) {
		status = make_page(dir, file, error);
	} else if (status == BLOOM_OK && bytes != PAGE_BYTES) {
		status = bloom_fail(error, BLOOM_E_NOT_FOUND, 0, "%s", file_name);
	}
	if (status == BLOOM_OK) {
		status = bloom_map(file, PAGE_BYTES, true, &map, error);
	}
	if (status == BLOOM_OK) {
		*page = (bloom_account_page *)(void *)map;
	}
	return status;
}

static void unmap_page(bloom_account_page **page)
{
	bloom_unmap((const unsigned char *)*page, PAGE_BYTES);
	*page = NULL;
}

/* ---- changes ---- */

static bool has_limit(const bloom_filter_dir *dir)
{
	return dir->segment->memory_limit_bytes != 0;
}

/* Counts all files. The caller holds the lock. A process that changes a file concurrently, without
 * the lock, increments `begun`. So `begun` is loaded before the count and compared afterwards.
 * `ended` is stored with release order after the sum, so a reader that sees equal counters also
 * sees the new sum. */
static bloom_status recount(bloom_account *account, bool is_new_boot, bloom_error *error)
{
	bloom_account_page *page = account->page;
	uint64_t begun = bloom_load_acquire(&page->begun), start = bloom_monotonic_ms(), bytes = 0;
	bloom_status status;

	bloom_store_relaxed(&page->counting, 1);
	status = count_all(account->dir, is_new_boot, &bytes, error);
	bloom_store_relaxed(&page->counting, 0);
	if (status == BLOOM_OK) {
		bloom_store_relaxed(&page->bytes, bytes);
		bloom_store_relaxed(&page->counted_ms, bloom_monotonic_ms());
		bloom_store_relaxed(&page->took_ms, bloom_monotonic_ms() - start);
		if (bloom_load_acquire(&page->begun) == begun) {
			bloom_store_release(&page->ended, begun);
		}
	}
	return status;
}

/* Returns true if enough time has passed since the last recount to start another. */
static bool may_recount(const bloom_account_page *page)
{
	uint64_t pause = bloom_load_relaxed(&page->took_ms) * PAUSE_FACTOR;
	uint64_t counted = bloom_load_relaxed(&page->counted_ms);

	return counted == 0 ||
		bloom_clock_elapsed_ms(bloom_monotonic_ms(), counted) >=
		(pause > PAUSE_MS_MIN ? pause : PAUSE_MS_MIN);
}

/* Counts if the sum may be wrong: the page is new or damaged, a change was not completed, or the
 * page is from before a reboot. Without a memory limit nothing depends on the sum, so a recount may
 * be delayed. Unlike in a control page, a boot ID of 0 on a disk counts as a different boot here,
 * because a recount is always safe. */
static bloom_status ensure_counted(bloom_account *account, bloom_error *error)
{
	bloom_account_page *page = account->page;
	uint64_t boot = boot_of(account->dir);
	bool is_new_boot = boot != 0 && bloom_load_relaxed(&page->boot) != boot;
	bloom_status status;

	if (is_page(page) && !is_new_boot &&
		(bloom_load_acquire(&page->begun) == bloom_load_acquire(&page->ended) ||
			(!has_limit(account->dir) && !may_recount(page)))) {
		return BLOOM_OK;
	}
	status = recount(account, is_new_boot, error);
	if (status == BLOOM_OK) {
		/* The page becomes valid only after the count. If this process dies during the
		 * count, the next writer counts again. */
		bloom_store_relaxed(&page->layout, LAYOUT);
		bloom_store_relaxed(&page->boot, boot);
		bloom_store_release(&page->magic, MAGIC);
	}
	return status;
}

/* Checks the memory limit. */
static bloom_status check_limit(bloom_account *account, uint64_t more_bytes, bloom_error *error)
{
	uint64_t limit = account->dir->segment->memory_limit_bytes;
	uint64_t used_bytes = bloom_load_relaxed(&account->page->bytes);
	bloom_status status = BLOOM_OK;

	if (limit == 0 || more_bytes == 0) {
		return BLOOM_OK;
	}
	/* Recount before failing: if files were deleted by hand, the sum is too large. */
	if ((used_bytes > limit || more_bytes > limit - used_bytes) && may_recount(account->page)) {
		status = recount(account, false, error);
		used_bytes = bloom_load_relaxed(&account->page->bytes);
	}
	if (status == BLOOM_OK && (used_bytes > limit || more_bytes > limit - used_bytes)) {
		return bloom_fail(error, BLOOM_E_LIMIT, 0,
			"uses %llu bytes, needs %llu more, limit %llu",
			(unsigned long long)used_bytes, (unsigned long long)more_bytes,
			(unsigned long long)limit);
	}
	return status;
}

static void close_account(bloom_account *account)
{
	unmap_page(&account->page);
	if (account->file >= 0) {
		bloom_unlock(account->file);
		bloom_process_close(&account->file);
	}
}

/* Takes the lock. If `may_skip_lock` is set and a stopped process holds the lock, the change
 * proceeds without it. The change still waits for a recount in progress, because a recount releases
 * the lock when it is done. */
static bloom_status take_lock(
	bloom_account *account, int *file, bool may_skip_lock, bloom_error *error)
{
	uint64_t timeout_ms = account->dir->segment->lock_timeout_ms;
	uint64_t first_ms = may_skip_lock && timeout_ms > WAIT_MS_MAX ? WAIT_MS_MAX : timeout_ms;
	bloom_status status = bloom_lock(*file, first_ms, error);

	if (status == BLOOM_E_BUSY && may_skip_lock) {
		status = map_page(account->dir, *file, false, &account->page, error);
		if (status == BLOOM_OK && bloom_load_relaxed(&account->page->counting) != 0 &&
			bloom_lock(*file, timeout_ms, NULL) == BLOOM_OK) {
			unmap_page(&account->page);
			return BLOOM_OK;
		}
		bloom_process_close(file);
		return status == BLOOM_E_NOT_FOUND ? BLOOM_E_BUSY : status;
	}
	return status;
}

/* Opens, locks and maps the account. account->file is -1 if the change proceeds without the lock.
 * */
static bloom_status open_account(bloom_account *account, bool may_skip_lock, bloom_error *error)
{
	const bloom_filter_dir *dir = account->dir;
	int directory = -1, file = -1;
	bloom_status status = bloom_filter_dir_open_internal(dir, &directory, error);

	if (status != BLOOM_OK) {
		return status;
	}
	bloom_fork_block();
	status = open_close_on_fork(directory, dir->owner, &file, error);
	bloom_fork_unblock();
	bloom_close(&directory);
	if (status != BLOOM_OK) {
		return status;
	}
	status = take_lock(account, &file, may_skip_lock, error);
	if (status == BLOOM_OK && file >= 0) {
		status = bloom_file_check_linked(file, error);
	}
	if (status == BLOOM_OK && file >= 0) {
		account->file = file;
		status = map_page(dir, file, true, &account->page, error);
	} else {
		bloom_process_close(&file);
	}
	return status;
}

static bloom_status begin(const bloom_filter_dir *dir, uint64_t more_bytes, bool may_skip_lock,
	bloom_account *account, bloom_error *error)
{
	bloom_status status;

	enum { TRIES_MAX = 10 };
	int i = 0;

	*account = (bloom_account){.dir = dir, .file = -1};
	do {
		status = open_account(account, may_skip_lock, error);
	} while (status == BLOOM_E_GONE && ++i < TRIES_MAX);
	if (status == BLOOM_OK && account->file >= 0) {
		status = ensure_counted(account, error);
		if (status == BLOOM_OK) {
			status = check_limit(account, more_bytes, error);
		}
	}
	if (status != BLOOM_OK) {
		close_account(account);
		return status;
	}
	bloom_increment(&account->page->begun);
	return BLOOM_OK;
}

bloom_status bloom_account_begin(const bloom_filter_dir *dir, uint64_t more_bytes,
	bloom_account *account, bloom_error *error)
{
	return begin(dir, more_bytes, !has_limit(dir), account, error);
}

void bloom_account_abandon(bloom_account *account)
{
	close_account(account);
}

void bloom_account_end(bloom_account *account, int64_t bytes)
{
	if (account->page != NULL) {
		(void)bloom_add(&account->page->bytes, (uint64_t)bytes);
		bloom_fence();
		/* A change without the lock may overlap with a recount, whose sum may or may not
		 * include the change. So such a change increments `begun` again, and the next
		 * holder of the lock recounts. The fence orders the sum before the counter. */
		bloom_increment(account->file >= 0 ? &account->page->ended : &account->page->begun);
	}
	close_account(account);
}

bloom_status bloom_account_remove(const bloom_filter_dir *dir, const char *name, bloom_error *error)
{
	uint64_t bytes = 0;
	bloom_account account;
	bloom_status status = bloom_file_bytes(dir->handle, name, &bytes, NULL);
	bool is_counted;
	int pinned;

	if (status == BLOOM_E_NOT_FOUND) {
		return BLOOM_OK;
	}
	/* A removal only frees space, so it never waits for a stopped process, even with a memory
	 * limit. */
	is_counted = begin(dir, 0, true, &account, NULL) == BLOOM_OK;
	/* Get the length again, because the file may have grown before this process took the
	 * lock. */
	status = bloom_file_bytes(dir->handle, name, &bytes, NULL);
	/* Freeing the pages of a large file takes a long time. The open handle postpones that work
	 * until bloom_close(), after the lock has been released. */
	pinned = bloom_file_pin(dir->handle, name);
	if (is_counted && status != BLOOM_OK) {
		bloom_account_abandon(&account);
	}
	status = bloom_filter_dir_remove(dir, name, error);
	bloom_account_end(&account, status == BLOOM_OK ? -(int64_t)bytes : 0);
	if (!is_counted) {
		/* The removal was not recorded, so the account is wrong. Remove the account's file,
		 * so that the next writer creates a new account and counts all files. On Windows,
		 * the file remains while another process changes the account. The sum is then too
		 * large until the next recount. */
		(void)bloom_file_remove(dir->segment_handle, BLOOM_INTERNAL_NAME "/account", NULL);
	}
	bloom_close(&pinned);
	return status;
}

bloom_status bloom_account_read(const bloom_segment *segment, uint64_t *bytes, bloom_error *error)
{
	bloom_filter_dir dir = {.segment = segment, .segment_handle = -1, .handle = -1, .lock = -1};
	bloom_account_page *page = NULL;
	int directory = -1, file = -1;
	bloom_status status =
		bloom_segment_open(segment, false, &dir.segment_handle, &dir.owner, error);
	uint64_t length;
	bool is_valid = false;

	*bytes = 0;
	if (status != BLOOM_OK) {
		return status == BLOOM_E_NOT_FOUND ? BLOOM_OK : status;
	}
	if (bloom_directory_open_at(dir.segment_handle, BLOOM_INTERNAL_NAME, false, dir.owner,
		    &directory, NULL) == BLOOM_OK &&
		bloom_file_open(directory, file_name, true, dir.owner, &file, &length, NULL) ==
			BLOOM_OK &&
		map_page(&dir, file, false, &page, NULL) == BLOOM_OK) {
		is_valid = is_page(page) && bloom_load_relaxed(&page->boot) == boot_of(&dir) &&
			bloom_load_acquire(&page->ended) == bloom_load_acquire(&page->begun);
		*bytes = bloom_load_relaxed(&page->bytes);
		unmap_page(&page);
	}
	bloom_close(&file);
	bloom_close(&directory);
	status = is_valid ? BLOOM_OK : count_all(&dir, false, bytes, error);
	bloom_close(&dir.segment_handle);
	return status;
}

bloom_status bloom_account_free(const bloom_segment *segment, uint64_t *bytes, bloom_error *error)
{
	uint64_t limit = segment->memory_limit_bytes, used, rest;
	int directory = -1;
	bloom_owner owner;
	bloom_status status = bloom_segment_open(segment, false, &directory, &owner, error);

	if (status != BLOOM_OK) {
		return status;
	}
	*bytes = bloom_directory_free_bytes(directory);
	bloom_close(&directory);
	if (limit != 0) {
		status = bloom_account_read(segment, &used, error);
		rest = status == BLOOM_OK && used < limit ? limit - used : 0;
		*bytes = rest < *bytes ? rest : *bytes;
	}
	return status;
}

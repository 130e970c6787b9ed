#include "segment/memory_limit.h"

typedef struct addition {
	int segment;
	int filter;
	bloom_owner owner;
	uint64_t bytes;
	uint64_t filter_bytes;
	bool has_changed; /* a file of this filter disappeared */
	bloom_status status;
	bloom_error *error;
} addition;

static bool add_file(void *context, const char *name)
{
	addition *sum = context;
	uint64_t bytes = 0;
	bloom_status status = bloom_file_bytes(sum->filter, name, &bytes, sum->error);

	sum->filter_bytes += bytes;
	sum->has_changed = sum->has_changed || status == BLOOM_E_NOT_FOUND;
	sum->status = bloom_is_inconclusive(status, sum->error) ? status : BLOOM_OK;
	return sum->status == BLOOM_OK && !sum->has_changed;
}

/* Adds up one filter. Its few names are read in one system call, during which the kernel lets
 * nobody rename them. A file that is renamed afterwards is missing under its old name, and would be
 * left out. */
static bloom_status add_files(addition *sum, const char *name)
{
	enum { TRIES_MAX = 100 };
	bloom_status status = BLOOM_OK;
	int i;

	sum->has_changed = true;
	for (i = 0; i < TRIES_MAX && status == BLOOM_OK && sum->has_changed; i++) {
		sum->filter_bytes = 0;
		sum->has_changed = false;
		status = bloom_directory_each(sum->filter, add_file, sum, sum->error);
		status = status == BLOOM_OK ? sum->status : status;
	}
	sum->bytes += sum->filter_bytes;
	return status == BLOOM_OK && sum->has_changed
		? bloom_fail(sum->error, BLOOM_E_BUSY, 0, "%s", name)
		: status;
}

static bool add_filter(void *context, const char *entry)
{
	addition *sum = context;
	char name[BLOOM_NAME_BYTES_MAX + 1];
	bloom_status status;
	uint64_t layout;

	if (!bloom_entry_parse(entry, name, &layout)) {
		return true;
	}
	status = bloom_directory_open_at(
		sum->segment, entry, false, sum->owner, &sum->filter, sum->error);
	if (status == BLOOM_OK) {
		status = add_files(sum, name);
		bloom_close(&sum->filter);
	}
	sum->status = status == BLOOM_E_BUSY || bloom_is_inconclusive(status, sum->error)
		? status
		: BLOOM_OK;
	return sum->status == BLOOM_OK;
}

static bloom_status add_up(int segment, bloom_owner owner, uint64_t *bytes, bloom_error *error)
{
	bloom_error local;
	addition sum = {.segment = segment,
		.filter = -1,
		.owner = owner,
		.error = error != NULL ? error : &local};
	bloom_status status = bloom_directory_each(segment, add_filter, &sum, sum.error);

	*bytes = sum.bytes;
	return sum.status != BLOOM_OK ? sum.status : status;
}

static bloom_status check(const bloom_filter_dir *lock, uint64_t more_bytes, bloom_error *error)
{
	uint64_t limit = lock->segment->memory_limit_bytes, used = 0;
	bloom_status status = add_up(lock->segment_handle, lock->owner, &used, error);

	return status == BLOOM_OK && (used > limit || more_bytes > limit - used)
		? bloom_fail(error, BLOOM_E_LIMIT, 0,
			  "uses %llu bytes, needs %llu more, limit %llu", (unsigned long long)used,
			  (unsigned long long)more_bytes, (unsigned long long)limit)
		: status;
}

bloom_status bloom_limit_lock(const bloom_segment *segment, uint64_t more_bytes,
	bloom_filter_dir *lock, bloom_error *error)
{
	bloom_status status;

	*lock = (bloom_filter_dir){.segment = segment,
		.name = BLOOM_INTERNAL_NAME,
		.entry = BLOOM_INTERNAL_NAME,
		.segment_handle = -1,
		.handle = -1,
		.lock = -1};
	if (segment->memory_limit_bytes == 0) {
		return BLOOM_OK;
	}
	status = bloom_segment_open(segment, false, &lock->segment_handle, &lock->owner, error);
	if (status == BLOOM_OK) {
		status = bloom_filter_dir_open_internal(lock, &lock->handle, error);
	}
	if (status == BLOOM_OK) {
		status = bloom_filter_dir_lock(lock, error);
	}
	if (status == BLOOM_OK) {
		status = check(lock, more_bytes, error);
	}
	if (status != BLOOM_OK) {
		bloom_filter_dir_close(lock);
	}
	return status;
}

bloom_status bloom_segment_bytes(const bloom_segment *segment, uint64_t *bytes, bloom_error *error)
{
	int directory = -1;
	bloom_owner owner;
	bloom_status status = bloom_segment_open(segment, false, &directory, &owner, error);

	*bytes = 0;
	if (status == BLOOM_OK) {
		status = add_up(directory, owner, bytes, error);
		bloom_close(&directory);
	}
	return status == BLOOM_E_NOT_FOUND ? BLOOM_OK : status;
}

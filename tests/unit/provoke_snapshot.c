/* Errors of snapshots: what saving and restoring a live filter can find. */
#include "provoke.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "kinds/create.h"
#include "kinds/live.h"
#include "kinds/snapshot.h"
#include "os/userfile.h"
#include "segment/drop.h"
#include "segment/segment.h"

static const bloom_live_params live_wish = {
	.kind = BLOOM_KIND_LIVE, .capacity_keys = 100, .rate = 0.01};

static const char *snapshot_path(const char *suffix)
{
	static char path[BLOOM_PATH_BYTES_MAX];

	(void)snprintf(path, sizeof path, "%.3000s/snapshot%s", scratch_path(), suffix);
	return path;
}

/* Restores a snapshot after a change of one byte, with a corrected checksum of the head. */
static bloom_status restore_changed(uint64_t at, unsigned char value, bool in_head)
{
	bloom_segment segment = scratch_segment();
	uint64_t start_ms;
	_Alignas(8) unsigned char bytes[65536];
	bool created, existed;
	ssize_t count;
	int file;

	assert_ok(bloom_live_create(&segment, "tags", &live_wish, NULL, &created, &error));
	assert_ok(bloom_save_file(&segment, "tags", snapshot_path(""), &error));
	assert_ok(bloom_segment_drop(&segment, "tags", &existed, &error));
	/* A time to live of 1 ms ends. */
	for (start_ms = bloom_monotonic_ms(); bloom_monotonic_ms() == start_ms;) {
	}
	file = open(snapshot_path(""), O_RDONLY | O_CLOEXEC);
	count = read(file, bytes, sizeof bytes);
	(void)close(file);
	assert_in_range(count, sizeof(bloom_snapshot), sizeof bytes - 1);
	bytes[in_head ? at : (uint64_t)count - 1] = value;
	bloom_snapshot_seal((bloom_snapshot *)(void *)bytes);
	write_file(snapshot_path(""), bytes, (size_t)count, 0600);
	return bloom_restore_file(&segment, "tags", BLOOM_KINDS_ANY, snapshot_path(""), &error);
}

static bloom_status snapshot_magic(void)
{
	return restore_changed(0, 'x', true);
}

static bloom_status snapshot_version(void)
{
	return restore_changed(offsetof(bloom_snapshot, layout), 99, true);
}

static bloom_status snapshot_kind(void)
{
	return restore_changed(offsetof(bloom_snapshot, live.params.kind), 99, true);
}

static bloom_status snapshot_params(void)
{
	return restore_changed(offsetof(bloom_snapshot, live.layers), 2, true);
}

static bloom_status snapshot_piece(void)
{
	return restore_changed(0, 1, false);
}

static bloom_status expired(void)
{
	bloom_segment segment = scratch_segment();
	const bloom_creation how = {.ttl_ms = 1};
	uint64_t created_ms;
	bool created;

	assert_ok(bloom_live_create(&segment, "tags", &live_wish, &how, &created, &error));
	created_ms = bloom_uptime_ms();
	while (bloom_uptime_ms() <= created_ms + 1) {
	}
	assert_status(
		BLOOM_E_NOT_FOUND, bloom_save_file(&segment, "tags", snapshot_path(""), &error));
	assert_int_equal(0, count_entries(segment.path, ""));
	return restore_changed(offsetof(bloom_snapshot, ttl_ms), 1, true);
}

static bloom_status snapshot_other(void)
{
	bloom_segment segment = scratch_segment();

	assert_ok(restore_changed(0, 0x89, true));
	return bloom_restore_file(
		&segment, "other", UINT32_C(1) << BLOOM_KIND_SLIDING, snapshot_path(""), &error);
}

static bloom_status save_loaded(void)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_small();

	assert_ok(load(&segment, "tags", blob, NULL));
	blob_free(&blob);
	return bloom_save_file(&segment, "tags", snapshot_path(""), &error);
}

static bloom_status saving(void)
{
	bloom_segment segment = scratch_segment();
	bloom_status status;
	int file;

	assert_ok(restore_changed(0, 0x89, true));
	file = open(snapshot_path(".tmp"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(0, flock(file, LOCK_EX));
	status = bloom_save_file(&segment, "tags", snapshot_path(""), &error);
	(void)close(file);
	return status;
}

static bloom_status no_file(void)
{
	bloom_segment segment = scratch_segment();

	return bloom_restore_file(
		&segment, "tags", BLOOM_KINDS_ANY, snapshot_path("/missing"), &error);
}

static const provocation rows[] = {
	{BLOOM_E_EXPIRED, expired},
	{BLOOM_E_SNAPSHOT, snapshot_magic},
	{BLOOM_E_SNAPSHOT_VERSION, snapshot_version},
	{BLOOM_E_SNAPSHOT_KIND, snapshot_kind},
	{BLOOM_E_SNAPSHOT_PARAMS, snapshot_params},
	{BLOOM_E_SNAPSHOT_PIECE, snapshot_piece},
	{BLOOM_E_SNAPSHOT_OTHER, snapshot_other},
	{BLOOM_E_NOT_LIVE, save_loaded},
	{BLOOM_E_SAVING, saving},
	{BLOOM_E_FILE, no_file},
};

const provocations snapshot_provocations = {rows, sizeof rows / sizeof *rows};

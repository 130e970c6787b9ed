/* Errors of segments: what the operating system, limits, other users and other processes cause, and
 * live filters. */
#include "provoke.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kinds/attachment.h"
#include "kinds/create.h"
#include "kinds/live.h"
#include "kinds/ondemand.h"
#include "os/userfile.h"
#include "segment/control_file.h"
#include "segment/drop.h"
#include "segment/segment.h"
#include "segment/stage.h"
#include "segment/switch.h"

static bloom_status name(void)
{
	return bloom_name_check("..", 2, &error);
}

static bloom_status path(void)
{
	bloom_segment segment;

	return bloom_segment_init(&segment, "here", 4, &error);
}

/* A segment with the filter "tags". */
static bloom_segment loaded(test_blob *blob)
{
	bloom_segment segment = scratch_segment();

	*blob = blob_small();
	assert_ok(load(&segment, "tags", *blob, NULL));
	return segment;
}

static bloom_status attach(const bloom_segment *segment)
{
	bloom_attachment attachment;
	bloom_status status = bloom_attach(segment, "tags", &attachment, &error);

	if (status == BLOOM_OK) {
		bloom_detach(&attachment);
	}
	return status;
}

static bloom_status built_ahead(void)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_small();
	bloom_status status;

	bloom_put64(blob.bytes + 112, UINT64_MAX);
	mend_head(blob, 4096);
	status = load(&segment, "tags", blob, NULL);
	blob_free(&blob);
	return status;
}

static bloom_status not_found(void)
{
	bloom_segment segment = scratch_segment();

	return attach(&segment);
}

static bloom_status gone(void)
{
	test_blob blob = blob_small();
	bloom_segment segment = scratch_segment();
	bloom_stage stage;
	uint64_t generation;

	assert_ok(bloom_stage_begin(&segment, "tags", blob.count, &stage, &error));
	assert_ok(bloom_stage_write(&stage, blob.bytes, blob.count, &error));
	remove_tree(in_segment(&segment, "tags"));
	blob_free(&blob);
	return bloom_stage_commit(&stage, &generation, &error);
}

static bloom_status refused_type(void)
{
	test_blob blob;
	bloom_segment segment = loaded(&blob);

	blob_free(&blob);
	assert_int_equal(
		0, link(in_segment(&segment, "tags/control"), in_segment(&segment, "tags/second")));
	return attach(&segment);
}

static bloom_status refused_owner(void)
{
	test_blob blob;
	bloom_segment segment = loaded(&blob);

	blob_free(&blob);
	if (geteuid() != 0) {
		print_message("# only root can test foreign owners\n");
		return BLOOM_E_REFUSED_OWNER;
	}
	assert_int_equal(0, chown(in_segment(&segment, "tags"), FOREIGN_USER, FOREIGN_USER));
	return attach(&segment);
}

static bloom_status refused_link(void)
{
	char directory[600], link[700];
	bloom_userfile file;
	bloom_status status;

	if (geteuid() != 0) {
		print_message("# only root can test foreign owners\n");
		return BLOOM_E_REFUSED_LINK;
	}
	(void)snprintf(directory, sizeof directory, "%s/shared", scratch_path());
	(void)snprintf(link, sizeof link, "%s/link", directory);
	assert_int_equal(0, mkdir(directory, 0700));
	assert_int_equal(0, chmod(directory, 01777));
	assert_int_equal(0, symlink("target", link));
	assert_int_equal(0, lchown(link, FOREIGN_USER, FOREIGN_USER));
	status = bloom_userfile_begin(link, 1, &file, &error);
	remove_tree(directory);
	return status;
}

static bloom_status refused_mode(void)
{
	test_blob blob;
	bloom_segment segment = loaded(&blob);

	blob_free(&blob);
	assert_int_equal(0, chmod(in_segment(&segment, "tags"), 0711));
	return attach(&segment);
}

static bloom_status holes(void)
{
	test_blob blob;
	bloom_segment segment = loaded(&blob);
	const char *path = in_segment(&segment, "tags/0000000000000001.bloom");

	assert_int_equal(0, truncate(path, 0));
	assert_int_equal(0, truncate(path, (off_t)blob.count));
	blob_free(&blob);
	if (!HAS_FILE_SYSTEM_TYPES) {
		assert_status(BLOOM_E_MAGIC, attach(&segment));
		print_message("# this build does not know the types of file systems\n");
		return BLOOM_E_HOLES;
	}
	return attach(&segment);
}

static bloom_status refused_network(void)
{
	test_blob blob;
	bloom_segment segment = loaded(&blob);
	bloom_status status;

	blob_free(&blob);
	if (!HAS_FILE_SYSTEM_TYPES) {
		print_message("# this build does not know the types of file systems\n");
		return BLOOM_E_REFUSED_NETWORK;
	}
	pretended_file_system = 0x6969; /* NFS */
	status = attach(&segment);
	pretended_file_system = 0;
	return status;
}

static bloom_status control_page(void)
{
	test_blob blob;
	bloom_segment segment = loaded(&blob);

	blob_free(&blob);
	write_file(in_segment(&segment, "tags/control"), "", 0, 0600);
	return attach(&segment);
}

static bloom_status reload(const bloom_segment *segment, test_blob blob)
{
	bloom_status status = load(segment, "tags", blob, NULL);

	blob_free(&blob);
	return status;
}

static bloom_status limit(void)
{
	test_blob blob;
	bloom_segment segment = loaded(&blob);

	segment.memory_limit_bytes = 2 * blob.count;
	return reload(&segment, blob);
}

static int load_under_a_limit(void *context)
{
	test_blob blob = blob_small();
	struct rlimit small = {.rlim_cur = 5000, .rlim_max = 5000};
	int status = 255;

	if (setrlimit(RLIMIT_FSIZE, &small) == 0) {
		status = (int)load(context, "tags", blob, NULL);
	}
	blob_free(&blob);
	return status;
}

static bloom_status file_limit(void)
{
	bloom_segment segment = scratch_segment();

	return (bloom_status)run_child(load_under_a_limit, &segment);
}

static bloom_status space(void)
{
	bloom_segment segment = scratch_segment();
	bloom_stage stage;

	return bloom_stage_begin(&segment, "tags", UINT64_C(1) << 60, &stage, &error);
}

static bloom_status incomplete(void)
{
	bloom_segment segment = scratch_segment();
	bloom_stage stage;
	uint64_t generation;

	assert_ok(bloom_stage_begin(&segment, "tags", 10000, &stage, &error));
	return bloom_stage_commit(&stage, &generation, &error);
}

static bloom_status no_directory(void)
{
	test_blob blob = blob_with("a");
	bloom_segment segment = scratch_segment();
	bloom_status status;

	strcat(segment.path, "/missing/segment");
	status = load(&segment, "tags", blob, NULL);
	blob_free(&blob);
	return status;
}

static bloom_status by_system(void)
{
	test_blob blob;
	bloom_segment segment = loaded(&blob);

	blob_free(&blob);
	assert_int_equal(0, unlink(in_segment(&segment, "tags/0000000000000001.bloom")));
	return attach(&segment);
}

static bloom_status memory(void)
{
	unsigned char *map;

	return bloom_map_private(UINT64_C(1) << 60, &map, &error);
}

static bloom_status busy(void)
{
	test_blob blob;
	bloom_segment segment = loaded(&blob);
	bloom_status status;
	bloom_filter_dir dir;

	assert_ok(bloom_filter_dir_open(&segment, "tags", false, &dir, &error));
	assert_ok(bloom_filter_dir_lock(&dir, &error));
	segment.lock_timeout_ms = 1;
	status = reload(&segment, blob);
	bloom_filter_dir_close(&dir);
	return status;
}

static bloom_status overtaken(void)
{
	test_blob blob;
	bloom_segment segment = loaded(&blob);
	bloom_stage stage;
	uint64_t generation;

	assert_ok(bloom_stage_begin(&segment, "tags", blob.count, &stage, &error));
	assert_ok(bloom_stage_write(&stage, blob.bytes, blob.count, &error));
	blob_free(&blob);
	stage.replaces = 7; /* generation 1 is served */
	return bloom_stage_commit(&stage, &generation, &error);
}

static bloom_status damaged(void)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_small();
	bloom_control *control = NULL;
	bloom_attachment attachment;
	uint64_t withdrawn;

	assert_ok(load(&segment, "tags", blob, NULL));
	assert_ok(bloom_segment_control(&segment, "tags", false, &control, &error));
	assert_ok(bloom_segment_withdraw(&segment, "tags", control, 1, &withdrawn, &error));
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	blob_free(&blob);
	return bloom_attach(&segment, "tags", &attachment, &error);
}

static bloom_status of_live_wish(bloom_live_params params)
{
	bloom_segment segment = scratch_segment();
	bool created;

	params.capacity_keys = 100;
	params.rate = params.rate == 0 ? 0.01 : params.rate;
	return bloom_live_create(&segment, "tags", &params, NULL, &created, &error);
}

static bloom_status groups(void)
{
	return of_live_wish((bloom_live_params){.kind = BLOOM_KIND_REVERSE, .fan_out = 256});
}

static bloom_status fan_out(void)
{
	return of_live_wish(
		(bloom_live_params){.kind = BLOOM_KIND_REVERSE, .groups = 10, .fan_out = 100});
}

static bloom_status growth(void)
{
	return of_live_wish((bloom_live_params){.kind = BLOOM_KIND_SCALABLE, .tightening = 0.5});
}

static bloom_status tightening(void)
{
	return of_live_wish(
		(bloom_live_params){.kind = BLOOM_KIND_SCALABLE, .growth = 2, .tightening = 1});
}

static bloom_status window(void)
{
	return of_live_wish((bloom_live_params){.kind = BLOOM_KIND_SLIDING});
}

static const bloom_live_params live_wish = {
	.kind = BLOOM_KIND_LIVE, .capacity_keys = 100, .rate = 0.01};

static bloom_status other_version(void)
{
	bloom_segment segment = scratch_segment();
	bloom_control *control;
	bool created;

	live_create(&segment, "tags", &live_wish, 1);
	assert_ok(bloom_segment_control(&segment, "tags", false, &control, &error));
	control->layout++;
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	assert_int_equal(0,
		rename(in_segment(&segment, "tags"),
			in_segment(&segment, "tags@%d", BLOOM_CONTROL_LAYOUT + 1)));
	return bloom_live_create(&segment, "tags", &live_wish, NULL, &created, &error);
}

static bloom_status exists(void)
{
	bloom_segment segment = scratch_segment();
	bloom_live_params other = live_wish;
	bool created;

	assert_ok(bloom_live_create(&segment, "tags", &live_wish, NULL, &created, &error));
	other.capacity_keys++;
	return bloom_live_create(&segment, "tags", &other, NULL, &created, &error);
}

static bloom_status ttl(void)
{
	bloom_segment segment = scratch_segment();
	const bloom_creation how = {.ttl_ms = BLOOM_TTL_MS_MAX + 1};
	bool created;

	return bloom_live_create(&segment, "tags", &live_wish, &how, &created, &error);
}

static bloom_status bound(void)
{
	bloom_segment segment = scratch_segment();
	bloom_live_params params = live_wish;
	bool created;

	params.kind = BLOOM_KIND_REVERSE;
	params.groups = 10;
	params.fan_out = 64;
	params.is_bounded = 1;
	return bloom_live_create(&segment, "tags", &params, NULL, &created, &error);
}

static bloom_status full(void)
{
	bloom_segment segment = scratch_segment();
	bloom_live_params params = live_wish;
	bloom_attachment attachment;
	bool created, is_new;
	bloom_status status;

	params.capacity_keys = 1;
	params.is_bounded = 1;
	assert_ok(bloom_live_create(&segment, "tags", &params, NULL, &created, &error));
	attach_to(&segment, "tags", &attachment);
	assert_ok(filter_add(&attachment, "key", 1, &is_new));
	assert_ok(filter_add(&attachment, "key", 1, &is_new));
	status = attachment.ops->add(
		&attachment, (const unsigned char *)"other", 5, &is_new, &error);
	bloom_detach(&attachment);
	return status;
}

static bloom_status kind(void)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_small();
	uint64_t generation;
	bloom_status status;
	bool created;

	assert_ok(bloom_live_create(&segment, "live", &live_wish, NULL, &created, &error));
	status = load(&segment, "live", blob, &generation);
	blob_free(&blob);
	return status;
}

static bloom_status not_live(void)
{
	static const char nothing[BLOOM_LIVE_HEAD_BYTES];
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;
	bool created;

	assert_ok(bloom_live_create(&segment, "damaged", &live_wish, NULL, &created, &error));
	write_file(in_segment(&segment, "damaged/%016x.bloom", 1), nothing, sizeof nothing, 0600);
	return bloom_attach(&segment, "damaged", &attachment, &error);
}

static bloom_status stage_cache(const bloom_segment *segment, uint64_t memory_bytes)
{
	test_blob blob = blob_small();
	bloom_stage stage = {0};
	uint64_t generation;
	bloom_head head;
	bloom_status status;

	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	status = bloom_cache_stage(
		segment, "part", memory_bytes, &head, blob.bytes, NULL, &stage, &error);
	if (status == BLOOM_OK) {
		status = bloom_stage_commit(&stage, &generation, &error);
	}
	blob_free(&blob);
	return status;
}

static bloom_status budget(void)
{
	bloom_segment segment = scratch_segment();

	return stage_cache(&segment, 1000);
}

static bloom_status not_a_cache(void)
{
	static const char nothing[BLOOM_CACHE_HEAD_BYTES];
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;

	assert_ok(stage_cache(&segment, 1 << 20));
	write_file(in_segment(&segment, "part/%016x.bloom", 1), nothing, sizeof nothing, 0600);
	return bloom_attach(&segment, "part", &attachment, &error);
}

static const provocation rows[] = {
	{BLOOM_E_GROUPS, groups},
	{BLOOM_E_FAN_OUT, fan_out},
	{BLOOM_E_GROWTH, growth},
	{BLOOM_E_TIGHTENING, tightening},
	{BLOOM_E_WINDOW, window},
	{BLOOM_E_EXISTS, exists},
	{BLOOM_E_KIND, kind},
	{BLOOM_E_BUDGET, budget},
	{BLOOM_E_CACHE, not_a_cache},
	{BLOOM_E_LIVE, not_live},
	{BLOOM_E_NAME, name},
	{BLOOM_E_PATH, path},
	{BLOOM_E_NOT_FOUND, not_found},
	{BLOOM_E_GONE, gone},
	{BLOOM_E_REFUSED_TYPE, refused_type},
	{BLOOM_E_REFUSED_OWNER, refused_owner},
	{BLOOM_E_REFUSED_MODE, refused_mode},
	{BLOOM_E_REFUSED_NETWORK, refused_network},
	{BLOOM_E_HOLES, holes},
	{BLOOM_E_CONTROL, control_page},
	{BLOOM_E_OTHER_VERSION, other_version},
	{BLOOM_E_LIMIT, limit},
	{BLOOM_E_FILE_LIMIT, file_limit},
	{BLOOM_E_SPACE, space},
	{BLOOM_E_INCOMPLETE, incomplete},
	{BLOOM_E_NO_DIRECTORY, no_directory},
	{BLOOM_E_SYSTEM, by_system},
	{BLOOM_E_MEMORY, memory},
	{BLOOM_E_OVERTAKEN, overtaken},
	{BLOOM_E_BUSY, busy},
	{BLOOM_E_DAMAGED, damaged},
	{BLOOM_E_TTL, ttl},
	{BLOOM_E_BOUND, bound},
	{BLOOM_E_FULL, full},
	{BLOOM_E_BUILT_AHEAD, built_ahead},
	{BLOOM_E_REFUSED_LINK, refused_link},
};

const provocations segment_provocations = {rows, sizeof rows / sizeof *rows};

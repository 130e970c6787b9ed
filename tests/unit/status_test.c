/* The list of errors: each code has its sentence, and each code that the core can raise is
 * raised here. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build/lines.h"
#include "filter/foreign_read.h"
#include "kinds/attachment.h"
#include "os/userfile.h"
#include "segment/keyring.h"
#include "kinds/create.h"
#include "kinds/live.h"
#include "kinds/ondemand.h"
#include "kinds/snapshot.h"
#include "segment/segment.h"
#include "filter/foreign_export.h"
#include "filter/override.h"
#include "filter/journal_record.h"
#include "filter/signature.h"
#include "segment/stage.h"
#include "segment/drop.h"
#include "segment/switch.h"
#include "segment/control_file.h"

/* ---- sentences ---- */

static const struct {
	const char *code, *class, *sentence;
} table[] = {
#define ARGUMENT_ROW(code, what, requirement) {#code, "Value", what " " requirement},
#define FAILURE_ROW(code, class, group, sentence) {#code, #class, sentence},
	BLOOM_STATUS_TABLE(ARGUMENT_ROW, FAILURE_ROW)
#undef ARGUMENT_ROW
#undef FAILURE_ROW
};

static void every_code_has_a_sentence_of_its_own(void **state)
{
	int i, j;

	(void)state;
	assert_int_equal(BLOOM_STATUS_COUNT, sizeof table / sizeof *table);
	for (i = 0; i < BLOOM_STATUS_COUNT; i++) {
		assert_string_equal(table[i].sentence, bloom_status_sentence((bloom_status)i));
		assert_true(table[i].class[0] != 0);
		assert_in_range(strlen(table[i].sentence), 5, 120);
		/* A subject follows, so a sentence is one line without a full stop, and only
		 * names are capitalized. */
		assert_int_not_equal('.', table[i].sentence[strlen(table[i].sentence) - 1]);
		assert_null(strchr(table[i].sentence, '\n'));
		for (j = 0; j < i; j++) {
			assert_string_not_equal(table[i].sentence, table[j].sentence);
		}
	}
}

static void an_argument_code_has_a_requirement(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < BLOOM_STATUS_COUNT; i++) {
		const char *requirement = bloom_status_requirement((bloom_status)i);
		bool is_argument = strcmp(table[i].class, "Value") == 0;

		assert_int_equal(is_argument, requirement != NULL);
		assert_int_equal(is_argument,
			bloom_status_group_of((bloom_status)i) == BLOOM_GROUP_ARGUMENT);
		if (is_argument) {
			assert_int_equal(0, strncmp(requirement, "must ", 5));
			assert_non_null(strstr(table[i].sentence, requirement));
		}
	}
}

/* If the head of an on-demand filter is not valid, the PHP layer loads the filter again,
 * whichever check failed. */
static void each_check_of_a_blob_is_in_the_group_of_the_format(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < BLOOM_STATUS_COUNT; i++) {
		assert_int_equal(strcmp(table[i].class, "Format") == 0,
			bloom_status_group_of((bloom_status)i) == BLOOM_GROUP_FORMAT);
	}
}

static void an_unknown_code_has_a_sentence_too(void **state)
{
	(void)state;
	assert_string_equal("unknown status", bloom_status_sentence(BLOOM_STATUS_COUNT));
	assert_string_equal("unknown status", bloom_status_sentence((bloom_status)-1));
	assert_string_equal("unknown status", bloom_status_sentence((bloom_status)1000000));
	assert_null(bloom_status_requirement(BLOOM_STATUS_COUNT));
	assert_int_equal(BLOOM_GROUP_OTHER, bloom_status_group_of(BLOOM_STATUS_COUNT));
}

static void failing_fills_the_error_whole_and_gives_the_code(void **state)
{
	bloom_error filled;

	(void)state;
	memset(&filled, 255, sizeof filled);
	assert_int_equal(
		BLOOM_E_SPACE, bloom_fail(&filled, BLOOM_E_SPACE, ENOSPC, "%s %d", "x", 5));
	assert_int_equal(BLOOM_E_SPACE, filled.status);
	assert_int_equal(ENOSPC, filled.os_error);
	assert_string_equal("x 5", filled.subject);
	assert_int_equal(BLOOM_E_MAGIC, bloom_fail(NULL, BLOOM_E_MAGIC, 0, "%s", "nobody asks"));
}

static void a_long_subject_is_cut_to_fit(void **state)
{
	bloom_error filled;
	char text[1000];

	(void)state;
	memset(text, 's', sizeof text - 1);
	text[sizeof text - 1] = 0;
	bloom_fail(&filled, BLOOM_E_PATH, 0, "%s", text);
	assert_int_equal(sizeof filled.subject - 1, strlen(filled.subject));
}

/* ---- provocations ---- */

static bloom_status params(bloom_params asked)
{
	bloom_geometry geometry;

	return bloom_geometry_choose(&asked, 0, &geometry);
}

static bloom_status capacity(void)
{
	return params((bloom_params){.rate = 0.01});
}

static bloom_status rate(void)
{
	return params((bloom_params){.capacity_keys = 1, .rate = 0.6});
}

static bloom_status shard_bytes(void)
{
	return params((bloom_params){.capacity_keys = 1, .rate = 0.1, .shard_bytes = 1000});
}

static bloom_status block_bytes(void)
{
	return params((bloom_params){.capacity_keys = 1, .rate = 0.1, .block_bytes = 65});
}

static bloom_status probes(void)
{
	return params((bloom_params){.capacity_keys = 1, .rate = 0.1, .probes = 33});
}

static bloom_status bits_per_key(void)
{
	return params((bloom_params){.capacity_keys = 1, .rate = 0.1, .bits_per_key = 0.5});
}

static bloom_status too_large(void)
{
	return params((bloom_params){.capacity_keys = BLOOM_CAPACITY_MAX, .rate = 1e-7});
}

static bloom_status chunk_bytes(void)
{
	bloom_params asked = {.capacity_keys = 1000, .rate = 0.1};
	bloom_builder builder;

	return bloom_builder_init(&asked, 0, 1000, &builder, &error);
}

static bloom_status name(void)
{
	return bloom_name_check("..", 2, &error);
}

static bloom_status path(void)
{
	bloom_segment segment;

	return bloom_segment_init(&segment, "here", 4, &error);
}

/* Changes a small blob, corrects its head's checksum, and reads the whole blob. */
static bloom_status forged(uint32_t at, int bytes, uint64_t value)
{
	test_blob blob = blob_small();
	bloom_head head;
	bloom_status status;

	if (bytes == 8) {
		bloom_put64(blob.bytes + at, value);
	} else {
		bloom_put32(blob.bytes + at, (uint32_t)value);
	}
	mend_head(blob, 4096);
	status = bloom_blob_parse(blob.bytes, blob.count, &head, &error);
	if (status == BLOOM_OK) {
		status = bloom_body_verify(&head, blob.bytes + 4096, 0, 3, &error);
	}
	blob_free(&blob);
	return status;
}

static bloom_status shorter(void)
{
	bloom_head head;

	return bloom_head_parse((const unsigned char *)"\x89"
						       "BLOOM\r\n",
		8, &head, &error);
}

static bloom_status magic(void)
{
	return forged(0, 4, 0x474E5089); /* a picture */
}

static bloom_status version(void)
{
	return forged(8, 4, 1);
}

static bloom_status head_bytes(void)
{
	return forged(16, 8, 100);
}

static bloom_status head_checksum(void)
{
	test_blob blob = blob_small();
	bloom_head head;
	bloom_status status;

	blob.bytes[300] ^= 1;
	status = bloom_blob_parse(blob.bytes, blob.count, &head, &error);
	blob_free(&blob);
	return status;
}

static bloom_status reserved(void)
{
	return forged(12, 4, 1);
}

static bloom_status scheme(void)
{
	return forged(52, 4, 9);
}

static bloom_status geometry(void)
{
	return forged(48, 4, 0);
}

static bloom_status length(void)
{
	return forged(24, 8, 1);
}

static bloom_status totals(void)
{
	return forged(72, 8, 1);
}

static bloom_status meta(void)
{
	return forged(88, 8, 0);
}

static bloom_status shard_checksum(void)
{
	return forged(4096 + 5, 4, 0x12345678);
}

static bloom_status shard_bits(void)
{
	test_blob blob = blob_small();
	bloom_head head;
	bloom_status status;

	blob.bytes[4096] ^= 1;
	mend_shard(blob, 0);
	status = bloom_blob_parse(blob.bytes, blob.count, &head, &error);
	if (status == BLOOM_OK) {
		status = bloom_body_verify(&head, blob.bytes + 4096, 0, 3, &error);
	}
	blob_free(&blob);
	return status;
}

static bloom_status shard_keys(void)
{
	return forged(512, 4, 1);
}

static bloom_status saturated(void)
{
	return forged(516, 4, 8192);
}

static bloom_status over_rate(void)
{
	bloom_params asked = {.capacity_keys = 100, .rate = 0.01};
	bloom_builder builder;
	bloom_status status;
	uint64_t i;

	assert_ok(bloom_builder_init(&asked, 0, 0, &builder, &error));
	for (i = 0; i < 1000; i++) {
		(void)builder_add_key(&builder, "over", i);
	}
	status = bloom_builder_finish(&builder, 0, 0.01, &error);
	bloom_builder_free(&builder);
	return status;
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

static bloom_status add_text(uint32_t field, const unsigned char *text, size_t count)
{
	bloom_params asked = {.capacity_keys = 1000, .rate = 0.1};
	bloom_lines lines = {.field = field, .delimiter = ':'};
	bloom_builder builder;
	bloom_status status;

	assert_ok(bloom_builder_init(&asked, 0, 0, &builder, &error));
	status = bloom_builder_add_lines(&builder, &lines, text, count, &error);
	bloom_lines_free(&lines);
	bloom_builder_free(&builder);
	return status;
}

static bloom_status line(void)
{
	static const unsigned char zeros[BLOOM_LINE_BYTES_MAX + 1];

	return add_text(0, zeros, sizeof zeros);
}

static bloom_status field(void)
{
	return add_text(2, (const unsigned char *)"a:b\na\n", 6);
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

static bloom_status chunk_digest(void)
{
	test_blob blob = blob_small();
	bloom_head head;
	bloom_status status;

	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	assert_ok(bloom_chunks_verify(&head, blob.bytes + head.head_bytes, &error));
	blob.bytes[blob.count - 1] ^= 1;
	status = bloom_chunks_verify(&head, blob.bytes + head.head_bytes, &error);
	blob_free(&blob);
	return status;
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

static bloom_status different(void)
{
	bloom_params params = {.capacity_keys = 100, .rate = 0.01};
	bloom_builder builder = {0};
	test_blob blob = blob_of(&params, 2, 10, "key", NULL);
	bloom_head head;
	bloom_status status;

	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	assert_ok(bloom_builder_init(&params, 1, 0, &builder, &error));
	status = bloom_builder_merge(&builder, &head, blob.bytes + head.head_bytes, &error);
	bloom_builder_free(&builder);
	blob_free(&blob);
	return status;
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

/* ---- snapshots ---- */

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
	test_blob blob;
	bloom_segment segment = loaded(&blob);

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

/* ---- secrets and signatures ---- */

static const char *ring_file(const char *text, unsigned mode)
{
	static char path[BLOOM_PATH_BYTES_MAX];

	(void)snprintf(path, sizeof path, "%.3000s/ring", scratch_path());
	write_file(path, text, strlen(text), mode);
	return path;
}

static bloom_status ring_of(const char *path)
{
	bloom_ring ring;

	bloom_ring_read(path, &ring);
	error = ring.failure;
	return ring.failure.status;
}

/* Only a build without libsodium raises BLOOM_E_SODIUM. Such a build raises no other code of
 * secrets. */
static bloom_status sodium(void)
{
	return bloom_has_sodium() ? BLOOM_E_SODIUM : ring_of("/nowhere");
}

static bloom_status secret_file(void)
{
	return bloom_has_sodium() ? ring_of("/nowhere/ring") : BLOOM_E_SECRET_FILE;
}

static bloom_status secret_mode(void)
{
	return bloom_has_sodium() ? ring_of(ring_file("", 0604)) : BLOOM_E_SECRET_MODE;
}

static bloom_status secret_text(void)
{
	return bloom_has_sodium() ? ring_of(ring_file("0123\n", 0600)) : BLOOM_E_SECRET_TEXT;
}

static bloom_status unknown_secret(void)
{
	bloom_hasher hasher;

	return bloom_hasher_find(1, 2, NULL, &hasher, &error);
}

/* Checks blob_small() against a ring. It is signed for "tags" unless the case is an unsigned
 * blob. */
static bloom_status check_signed(bool is_signed, const char *name, unsigned char ring_key)
{
	unsigned char key[BLOOM_SECRET_BYTES] = {1}, other[BLOOM_SECRET_BYTES] = {ring_key};
	bloom_ring ring = {.configured = true, .count = 1};
	test_blob blob = blob_small();
	bloom_secret secret;
	bloom_status status;
	bloom_head head;

	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	if (bloom_has_sodium()) {
		assert_ok(bloom_secret_make(key, &secret, &error));
		assert_ok(bloom_secret_make(other, &ring.secret[0], &error));
		if (is_signed) {
			assert_ok(bloom_sign(blob.bytes, "tags", &secret, &head, &error));
		}
	}
	status = bloom_signature_check(&head, blob.bytes, name, &ring, &error);
	blob_free(&blob);
	return status;
}

static bloom_status unsigned_blob(void)
{
	return check_signed(false, "tags", 1);
}

static bloom_status signer(void)
{
	return bloom_has_sodium() ? check_signed(true, "tags", 2) : BLOOM_E_SIGNER;
}

static bloom_status signature(void)
{
	return bloom_has_sodium() ? check_signed(true, "other", 1) : BLOOM_E_SIGNATURE;
}

static bloom_status solved(void)
{
	bloom_params params = {.capacity_keys = 1000, .rate = 0.01, .ribbon = true};
	test_blob blob = blob_of(&params, 1, 100, "in", NULL);
	bloom_builder builder = {0};
	bloom_status status;
	bloom_head head;

	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	status = bloom_builder_start(&head.geometry, &head.meta, NULL, &builder, &error);
	blob_free(&blob);
	return status;
}

static bloom_status ribbon_wish(double bits_per_key, uint32_t with_probes)
{
	bloom_params params = {.capacity_keys = 100000,
		.rate = 0.01,
		.bits_per_key = bits_per_key,
		.probes = with_probes,
		.ribbon = true};
	bloom_geometry chosen;

	return bloom_geometry_choose(&params, 1, &chosen);
}

static bloom_status ribbon_bits(void)
{
	return ribbon_wish(1, 0);
}

static bloom_status ribbon_shard(void)
{
	bloom_params params = {
		.capacity_keys = 1, .rate = 1e-6, .shard_bytes = 1024, .ribbon = true};
	bloom_geometry chosen;

	return bloom_geometry_choose(&params, 1, &chosen);
}

static bloom_status not_bloom(void)
{
	return ribbon_wish(0, 7);
}

static bloom_status foreign_build(void)
{
	return params((bloom_params){
		.capacity_keys = 1, .rate = 0.5, .foreign = BLOOM_FOREIGN_VALKEY_BLOOM});
}

static bloom_status foreign_params(void)
{
	return params((bloom_params){
		.capacity_keys = 1, .rate = 0.5, .foreign = BLOOM_FOREIGN_REDISBLOOM, .probes = 7});
}

static bloom_status foreign_bits(void)
{
	return params((bloom_params){.capacity_keys = BLOOM_CAPACITY_MAX,
		.rate = 0.5,
		.foreign = BLOOM_FOREIGN_VALKEYPROB});
}

static bloom_status plan_export(test_blob blob, uint64_t capacity)
{
	bloom_foreign_export plan;
	bloom_status status;
	bloom_head head;

	assert_ok(blob_parse(blob, &head));
	head.meta.capacity_keys += capacity;
	status = bloom_foreign_export_plan(&head, blob.bytes + head.head_bytes, &plan, &error);
	blob_free(&blob);
	return status;
}

static bloom_status no_export(void)
{
	return plan_export(blob_small(), 0);
}

static bloom_status export_layers(void)
{
	const bloom_params asked = {
		.capacity_keys = 1000, .rate = 0.01, .foreign = BLOOM_FOREIGN_REDISBLOOM};

	return plan_export(blob_of(&asked, 0, 10, "common", NULL), 1000);
}

static bloom_status groups_rate(void)
{
	return params(
		(bloom_params){.capacity_keys = 1, .rate = 0.5, .groups = 65536, .fan_out = 256});
}

static bloom_status rate_floor(void)
{
	return params((bloom_params){.capacity_keys = BLOOM_CAPACITY_MAX, .rate = 1e-8});
}

/* A builder of 2^32 groups that reports 6,000 groups for one value. */
static bloom_status wrong_groups(void)
{
	bloom_params asked = {
		.capacity_keys = 1, .rate = 0.001, .groups = BLOOM_GROUPS_MAX, .fan_out = 256};
	bloom_builder builder;
	bloom_status status;
	char text[KEY_TEXT_BYTES];
	uint64_t i;

	assert_ok(bloom_builder_init(&asked, 0, 0, &builder, &error));
	for (i = 0; i < 6000; i++) {
		(void)bloom_builder_add_to_group(&builder, i * 715827 % BLOOM_GROUPS_MAX,
			(const unsigned char *)text, key_text("wrong", i, text));
	}
	status = bloom_builder_finish(&builder, 0, 1, &error);
	bloom_builder_free(&builder);
	return status;
}

static bloom_status stripes(void)
{
	return bloom_geometry_check(&(bloom_geometry){.shards = 1,
		.shard_bytes = 1024,
		.block_bytes = 1024,
		.probes = 1,
		.stripes = 129});
}

/* Imports bytes. The source is too large for a stack. */
static bloom_status foreign_bytes(
	const char *bytes, size_t count, bloom_foreign_format format, uint64_t capacity)
{
	bloom_foreign_hint hint = {.format = format, .capacity = capacity, .rate = 0.01};
	bloom_foreign_source *source = malloc(sizeof *source);
	bloom_status status;

	assert_non_null(source);
	status = bloom_foreign_read((const unsigned char *)bytes, count, &hint, source, &error);
	free(source);
	return status;
}

static bloom_status not_foreign(void)
{
	return foreign_bytes("\1\7", 2, BLOOM_FOREIGN_GUAVA_64, 0);
}

static bloom_status foreign_format(void)
{
	return foreign_bytes("\1\7", 2, BLOOM_FOREIGN_NONE, 0);
}

static bloom_status foreign_size(void)
{
	return foreign_bytes("\1\7", 2, BLOOM_FOREIGN_VALKEYPROB, 1000);
}

static bloom_status foreign_empty(void)
{
	return foreign_bytes("", 0, BLOOM_FOREIGN_VALKEYPROB, 1000);
}

static bloom_geometry foreign_geometry(uint32_t layers)
{
	return (bloom_geometry){.shards = 1,
		.shard_bytes = 1024,
		.block_bytes = 1024,
		.probes = 1,
		.foreign = BLOOM_FOREIGN_GUAVA_64,
		.layers = layers};
}

static bloom_status layers(void)
{
	bloom_geometry wrong = foreign_geometry(2);

	return bloom_geometry_check(&wrong);
}

static bloom_status imported(void)
{
	bloom_geometry whole = foreign_geometry(1);

	return bloom_geometry_check_open(&whole, &error);
}

static bloom_status mark_text(void)
{
	bloom_mark mark;

	return bloom_mark_parse("1-2", 3, &mark, &error);
}

/* Writes a record of no keys for the filter "name" and parses it.
 *
 *   signer   the secret that signs it; NULL: unsigned
 *   reader   the secret that the reader knows; NULL: none
 *   altered  the byte that changes on the way, in front of the checksum; 0: none
 *   link     the first byte of the previous signature that the reader expects */
static bloom_status record_of(const char *name, const char *signer, const char *reader,
	size_t altered, unsigned char link)
{
	unsigned char bytes[256], secret[BLOOM_SECRET_BYTES] = {0};
	bloom_ring ring = {.configured = reader != NULL, .count = reader != NULL};
	bloom_mark before = {.epoch = 7}, after;
	bloom_secret key;
	bloom_record record;
	uint64_t count = bloom_record_bytes(0, signer != NULL);

	if (signer != NULL) {
		memcpy(secret, signer, strlen(signer));
		assert_ok(bloom_secret_make(secret, &key, &error));
	}
	if (reader != NULL) {
		memset(secret, 0, sizeof secret);
		memcpy(secret, reader, strlen(reader));
		assert_ok(bloom_secret_make(secret, &ring.secret[0], &error));
	}
	bloom_record_write(bytes, 0, BLOOM_RECORD_KEYS, 0, "name", 0, &before,
		signer != NULL ? &key : NULL, NULL);
	if (altered != 0) {
		bytes[altered] ^= 1;
		bloom_put64(bytes + count - 8, bloom_checksum(bytes, (size_t)count - 8));
	}
	before.link[0] = link;
	return bloom_record_parse(bytes, count, name, &before, &ring, &record, &after, &error);
}

static bloom_status record_damaged(void)
{
	return record_of("name", NULL, NULL, 4, 0);
}

static bloom_status record_version(void)
{
	return record_of("name", NULL, NULL, 3, 0);
}

static bloom_status record_name(void)
{
	return record_of("other", NULL, NULL, 0, 0);
}

static bloom_status record_unsigned(void)
{
	return bloom_has_sodium() ? record_of("name", NULL, "key", 0, 0) : BLOOM_E_RECORD_UNSIGNED;
}

static bloom_status record_signer(void)
{
	return bloom_has_sodium() ? record_of("name", "key", "other", 0, 0) : BLOOM_E_RECORD_SIGNER;
}

static bloom_status record_signature(void)
{
	return bloom_has_sodium() ? record_of("name", "key", "key", 24, 0)
				  : BLOOM_E_RECORD_SIGNATURE;
}

static bloom_status record_chain(void)
{
	return bloom_has_sodium() ? record_of("name", "key", "key", 0, 1) : BLOOM_E_RECORD_CHAIN;
}

static bloom_status record_kind(void)
{
	return bloom_record_check_kind(&(bloom_record){.kind = 9}, "name", &error);
}

/* A small blob with a mark. */
static test_blob blob_marked(void)
{
	bloom_params params = {.capacity_keys = 100, .rate = 0.01};
	bloom_builder builder = {0};

	assert_ok(bloom_builder_init(&params, 1, 0, &builder, &error));
	(void)builder_add_key(&builder, "k", 0);
	builder.meta.mark = (bloom_mark){.epoch = 1};
	return blob_from(&builder);
}

static bloom_status no_journal(void)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_marked();
	bloom_status status = load(&segment, "marked", blob, NULL);

	blob_free(&blob);
	return status;
}

static bloom_status journal_on_demand(void)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_marked();
	bloom_stage stage = {0};
	bloom_status status;
	bloom_head head;

	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	status = bloom_cache_stage(
		&segment, "marked", 1 << 20, &head, blob.bytes, NULL, &stage, &error);
	bloom_stage_abort(&stage);
	blob_free(&blob);
	return status;
}

/* Checks an override that was signed with one key and changed, with the keys that a ring has. */
static bloom_status override_of(const char *sign, const char *ring_key, uint64_t change)
{
	bloom_ring ring = {.count = 1, .configured = true};
	unsigned char bytes[BLOOM_SECRET_BYTES] = {0};
	test_blob blob = blob_marked();
	bloom_override override;
	bloom_secret key;
	bloom_status status;
	bloom_head head;
	unsigned char *record;
	uint64_t count;

	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	count = head.head_bytes + BLOOM_OVERRIDE_EXTRA_BYTES;
	record = malloc((size_t)count);
	assert_non_null(record);
	if (ring_key != NULL) {
		memcpy(bytes, ring_key, strlen(ring_key));
		assert_ok(bloom_secret_make(bytes, &ring.secret[0], &error));
	}
	if (sign != NULL) {
		memset(bytes, 0, sizeof bytes);
		memcpy(bytes, sign, strlen(sign));
		assert_ok(bloom_secret_make(bytes, &key, &error));
	}
	bloom_override_write(record, BLOOM_OVERRIDE_PIN, 1, 0, blob.bytes, head.head_bytes, "name",
		sign != NULL ? &key : NULL);
	record[change]++;
	status = ring_key != NULL ? bloom_override_check(record, count, "name", &ring, &error)
				  : bloom_override_parse(record, count, "name", &override, &error);
	free(record);
	blob_free(&blob);
	return status;
}

static bloom_status override_damaged(void)
{
	return override_of(NULL, NULL, 24);
}

static bloom_status override_unsigned(void)
{
	return bloom_has_sodium() ? override_of(NULL, "key", 24) : BLOOM_E_OVERRIDE_UNSIGNED;
}

static bloom_status override_signer(void)
{
	return bloom_has_sodium() ? override_of("key", "other", 24) : BLOOM_E_OVERRIDE_SIGNER;
}

static bloom_status override_signature(void)
{
	return bloom_has_sodium() ? override_of("key", "key", 24) : BLOOM_E_OVERRIDE_SIGNATURE;
}

/* Only the PHP layer, which calls stores and PHP code, raises these codes. The PHP tests provoke
 * them. */
static bloom_status by_php(void)
{
	return BLOOM_OK;
}

typedef bloom_status (*provocation)(void);

/* ---- maps ---- */

static bloom_status value_bits(void)
{
	return params((bloom_params){.capacity_keys = 1, .rate = 0.01, .value_bits = 65});
}

static bloom_status map_rate(void)
{
	return params((bloom_params){.capacity_keys = 1, .rate = 0.6, .value_bits = 8});
}

static bloom_status map_layout(void)
{
	return params((bloom_params){
		.capacity_keys = 1, .rate = 0.01, .value_bits = 8, .block_bytes = 64});
}

/* Finishes a map of this many keys, of which the last one may be set a second time. */
static bloom_status map_of(uint64_t keys, bool twice)
{
	bloom_params asked = {.capacity_keys = 100, .rate = 0.01, .value_bits = 4};
	bloom_builder builder;
	bloom_status status;
	uint64_t i;

	assert_ok(bloom_builder_init(&asked, 0, 0, &builder, &error));
	for (i = 0; i < keys; i++) {
		bloom_builder_set(&builder, (const unsigned char *)&i, sizeof i, 1);
	}
	if (twice) {
		i--;
		bloom_builder_set(&builder, (const unsigned char *)&i, sizeof i, 2);
	}
	status = bloom_builder_finish(&builder, 0, 1, &error);
	bloom_builder_free(&builder);
	return status;
}

static bloom_status map_duplicate(void)
{
	return map_of(100, true);
}

static bloom_status map_places(void)
{
	return map_of(5000, false);
}

static test_blob small_map(void)
{
	bloom_params asked = {.capacity_keys = 100, .rate = 0.01, .value_bits = 4};
	bloom_builder builder;

	assert_ok(bloom_builder_init(&asked, 0, 0, &builder, &error));
	return blob_from(&builder);
}

static bloom_status map_spill(void)
{
	test_blob blob = small_map();
	bloom_status status;
	bloom_head head;
	uint32_t last;

	assert_ok(blob_parse(blob, &head));
	last = head.geometry.stripes - 2;
	blob.bytes[head.head_bytes + last / 8] |= (unsigned char)(1 << last % 8);
	mend_shard(blob, 0);
	status = blob_accept(blob);
	blob_free(&blob);
	return status;
}

static bloom_status map_line(void)
{
	static const char text[] = "one\t1\ntwo\n";
	bloom_params asked = {.capacity_keys = 100, .rate = 0.01, .value_bits = 4};
	bloom_lines lines = {0};
	bloom_builder builder;
	bloom_status status;

	assert_ok(bloom_builder_init(&asked, 0, 0, &builder, &error));
	status = bloom_builder_add_lines(
		&builder, &lines, (const unsigned char *)text, sizeof text - 1, &error);
	bloom_lines_free(&lines);
	bloom_builder_free(&builder);
	return status;
}

static bloom_status map_whole(void)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = small_map();
	bloom_stage stage = {0};
	bloom_status status;
	bloom_head head;

	assert_ok(blob_parse(blob, &head));
	status = bloom_cache_stage(
		&segment, "map", 1 << 20, &head, blob.bytes, NULL, &stage, &error);
	bloom_stage_abort(&stage);
	blob_free(&blob);
	return status;
}

static const provocation provocations[BLOOM_STATUS_COUNT] = {
	[BLOOM_E_CAPACITY] = capacity,
	[BLOOM_E_RATE] = rate,
	[BLOOM_E_SHARD_BYTES] = shard_bytes,
	[BLOOM_E_BLOCK_BYTES] = block_bytes,
	[BLOOM_E_PROBES] = probes,
	[BLOOM_E_BITS_PER_KEY] = bits_per_key,
	[BLOOM_E_TOO_LARGE] = too_large,
	[BLOOM_E_CHUNK_BYTES] = chunk_bytes,
	[BLOOM_E_GROUPS] = groups,
	[BLOOM_E_FAN_OUT] = fan_out,
	[BLOOM_E_GROWTH] = growth,
	[BLOOM_E_TIGHTENING] = tightening,
	[BLOOM_E_WINDOW] = window,
	[BLOOM_E_DIFFERENT] = different,
	[BLOOM_E_EXISTS] = exists,
	[BLOOM_E_KIND] = kind,
	[BLOOM_E_IMMUTABLE] = by_php,
	[BLOOM_E_UNMAPPED] = by_php,
	[BLOOM_E_BUDGET] = budget,
	[BLOOM_E_CACHE] = not_a_cache,
	[BLOOM_E_LIVE] = not_live,
	[BLOOM_E_NAME] = name,
	[BLOOM_E_PATH] = path,
	[BLOOM_E_SHORT] = shorter,
	[BLOOM_E_MAGIC] = magic,
	[BLOOM_E_VERSION] = version,
	[BLOOM_E_HEAD_BYTES] = head_bytes,
	[BLOOM_E_HEAD_CHECKSUM] = head_checksum,
	[BLOOM_E_RESERVED] = reserved,
	[BLOOM_E_SCHEME] = scheme,
	[BLOOM_E_GEOMETRY] = geometry,
	[BLOOM_E_LENGTH] = length,
	[BLOOM_E_TOTALS] = totals,
	[BLOOM_E_META] = meta,
	[BLOOM_E_SHARD_CHECKSUM] = shard_checksum,
	[BLOOM_E_SHARD_BITS] = shard_bits,
	[BLOOM_E_SHARD_KEYS] = shard_keys,
	[BLOOM_E_SATURATED] = saturated,
	[BLOOM_E_CHUNK_DIGEST] = chunk_digest,
	[BLOOM_E_OVER_RATE] = over_rate,
	[BLOOM_E_NOT_FOUND] = not_found,
	[BLOOM_E_GONE] = gone,
	[BLOOM_E_REFUSED_TYPE] = refused_type,
	[BLOOM_E_REFUSED_OWNER] = refused_owner,
	[BLOOM_E_REFUSED_MODE] = refused_mode,
	[BLOOM_E_REFUSED_NETWORK] = refused_network,
	[BLOOM_E_HOLES] = holes,
	[BLOOM_E_CONTROL] = control_page,
	[BLOOM_E_OTHER_VERSION] = other_version,
	[BLOOM_E_LIMIT] = limit,
	[BLOOM_E_FILE_LIMIT] = file_limit,
	[BLOOM_E_SPACE] = space,
	[BLOOM_E_INCOMPLETE] = incomplete,
	[BLOOM_E_NO_DIRECTORY] = no_directory,
	[BLOOM_E_SYSTEM] = by_system,
	[BLOOM_E_MEMORY] = memory,
	[BLOOM_E_OVERTAKEN] = overtaken,
	[BLOOM_E_BUSY] = busy,
	[BLOOM_E_STORE] = by_php,
	[BLOOM_E_STORE_TYPE] = by_php,
	[BLOOM_E_STORE_MISSING] = by_php,
	[BLOOM_E_STALE] = by_php,
	[BLOOM_E_SODIUM] = sodium,
	[BLOOM_E_SECRET_FILE] = secret_file,
	[BLOOM_E_SECRET_MODE] = secret_mode,
	[BLOOM_E_SECRET_TEXT] = secret_text,
	[BLOOM_E_NO_SECRET] = by_php,
	[BLOOM_E_SECRET] = unknown_secret,
	[BLOOM_E_NO_SIGNING_KEY] = by_php,
	[BLOOM_E_UNSIGNED] = unsigned_blob,
	[BLOOM_E_SIGNER] = signer,
	[BLOOM_E_SIGNATURE] = signature,
	[BLOOM_E_REPLAY] = by_php,
	[BLOOM_E_STRIPES] = stripes,
	[BLOOM_E_RIBBON_BITS] = ribbon_bits,
	[BLOOM_E_RIBBON_SHARD] = ribbon_shard,
	[BLOOM_E_NOT_BLOOM] = not_bloom,
	[BLOOM_E_SOLVED] = solved,
	[BLOOM_E_DAMAGED] = damaged,
	[BLOOM_E_STORE_SIZE] = by_php,
	[BLOOM_E_GROUPS_RATE] = groups_rate,
	[BLOOM_E_WRONG_GROUPS] = wrong_groups,
	[BLOOM_E_GROUPS_LIMIT] = by_php,
	[BLOOM_E_RATE_FLOOR] = rate_floor,
	[BLOOM_E_TTL] = ttl,
	[BLOOM_E_BOUND] = bound,
	[BLOOM_E_FULL] = full,
	[BLOOM_E_EXPIRED] = expired,
	[BLOOM_E_BUILT_AHEAD] = built_ahead,
	[BLOOM_E_MARK] = mark_text,
	[BLOOM_E_RECORD] = record_damaged,
	[BLOOM_E_RECORD_NAME] = record_name,
	[BLOOM_E_RECORD_UNSIGNED] = record_unsigned,
	[BLOOM_E_RECORD_SIGNER] = record_signer,
	[BLOOM_E_RECORD_SIGNATURE] = record_signature,
	[BLOOM_E_RECORD_CHAIN] = record_chain,
	[BLOOM_E_POSITION] = by_php,
	[BLOOM_E_JOURNAL_LOST] = by_php,
	[BLOOM_E_NO_JOURNAL] = no_journal,
	[BLOOM_E_NO_MARK] = by_php,
	[BLOOM_E_JOURNAL_KIND] = journal_on_demand,
	[BLOOM_E_SNAPSHOT] = snapshot_magic,
	[BLOOM_E_SNAPSHOT_VERSION] = snapshot_version,
	[BLOOM_E_SNAPSHOT_KIND] = snapshot_kind,
	[BLOOM_E_SNAPSHOT_PARAMS] = snapshot_params,
	[BLOOM_E_SNAPSHOT_PIECE] = snapshot_piece,
	[BLOOM_E_SNAPSHOT_OTHER] = snapshot_other,
	[BLOOM_E_NOT_LIVE] = save_loaded,
	[BLOOM_E_SAVING] = saving,
	[BLOOM_E_FILE] = no_file,
	[BLOOM_E_LINE] = line,
	[BLOOM_E_REFUSED_LINK] = refused_link,
	[BLOOM_E_OVERRIDE] = override_damaged,
	[BLOOM_E_OVERRIDE_UNSIGNED] = override_unsigned,
	[BLOOM_E_OVERRIDE_SIGNER] = override_signer,
	[BLOOM_E_OVERRIDE_SIGNATURE] = override_signature,
	[BLOOM_E_OVERRIDE_REPLAY] = by_php,
	[BLOOM_E_PINNED] = by_php,
	[BLOOM_E_NO_PREVIOUS] = by_php,
	[BLOOM_E_RECORD_KIND] = record_kind,
	[BLOOM_E_RECORDS_LOST] = by_php,
	[BLOOM_E_STORE_CLIENT] = by_php,
	[BLOOM_E_JOURNAL_CLOSED] = by_php,
	[BLOOM_E_MARK_REQUIRED] = by_php,
	[BLOOM_E_BLOB_LACKS] = by_php,
	[BLOOM_E_MARKED] = by_php,
	[BLOOM_E_LAYERS] = layers,
	[BLOOM_E_FOREIGN] = not_foreign,
	[BLOOM_E_FOREIGN_FORMAT] = foreign_format,
	[BLOOM_E_FOREIGN_SIZE] = foreign_size,
	[BLOOM_E_FOREIGN_EMPTY] = foreign_empty,
	[BLOOM_E_IMPORTED] = imported,
	[BLOOM_E_STORE_ALTERED] = by_php,
	[BLOOM_E_FOREIGN_BUILD] = foreign_build,
	[BLOOM_E_FOREIGN_PARAMS] = foreign_params,
	[BLOOM_E_FOREIGN_BITS] = foreign_bits,
	[BLOOM_E_NO_EXPORT] = no_export,
	[BLOOM_E_EXPORT_LAYERS] = export_layers,
	[BLOOM_E_RECORD_VERSION] = record_version,
	[BLOOM_E_VALUE_BITS] = value_bits,
	[BLOOM_E_MAP_RATE] = map_rate,
	[BLOOM_E_MAP_LAYOUT] = map_layout,
	[BLOOM_E_MAP_DUPLICATE] = map_duplicate,
	[BLOOM_E_MAP_PLACES] = map_places,
	[BLOOM_E_MAP_SPILL] = map_spill,
	[BLOOM_E_MAP_LINE] = map_line,
	[BLOOM_E_MAP_WHOLE] = map_whole,
	[BLOOM_E_FIELD] = field,
};

static void every_code_of_the_core_can_be_provoked(void **state)
{
	bloom_segment used;
	int code;

	(void)state;
	needs_posix("some errors are provoked with links, owners and limits");
	for (code = BLOOM_OK + 1; code < BLOOM_STATUS_COUNT; code++) {
		if (provocations[code] == NULL) {
			fail_msg("no test provokes %s", table[code].code);
		}
		if (provocations[code] == by_php) {
			printf("# raised only by the PHP layer: %s\n", table[code].code);
			continue;
		}
		assert_status(code, provocations[code]());
		used = scratch_segment();
		remove_tree(used.path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("every error code has its own sentence", every_code_has_a_sentence_of_its_own),
		TEST("only the codes of invalid arguments have a requirement",
			an_argument_code_has_a_requirement),
		TEST("the code of each check of a blob is in the group of format errors",
			each_check_of_a_blob_is_in_the_group_of_the_format),
		TEST("an unknown error code also has a sentence",
			an_unknown_code_has_a_sentence_too),
		TEST("bloom_fail() fills the complete error and returns its code",
			failing_fills_the_error_whole_and_gives_the_code),
		TEST("a long subject of an error is truncated", a_long_subject_is_cut_to_fit),
		/* fault: sparse-copy */
		TEST_IN_SCRATCH("a test provokes every error code that the core raises",
			every_code_of_the_core_can_be_provoked),
	};

	return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}

#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter/blob.h"
#include "kinds/counting.h"
#include "kinds/scalable.h"
#include "kinds/sliding.h"
#include "segment/control.h"
#include "segment/memory_limit.h"
#include "segment/stage.h"
#include "kinds/create.h"
#include "kinds/reverse_live.h"

bloom_error error;

void check_status(int expected, int actual, const char *what, const char *file, int line)
{
	if (expected == actual) {
		return;
	}
	print_error("%s:%d: %s\n  gave \"%s\" (subject \"%s\", errno %d)\n  not  \"%s\"\n", file,
		line, what, bloom_status_sentence((bloom_status)actual),
		actual == (int)error.status ? error.subject : "", error.os_error,
		bloom_status_sentence((bloom_status)expected));
	fail();
}

/* ---- random numbers ---- */

uint64_t random_next(uint64_t *state)
{
	return bloom_digest_word(*state += UINT64_C(0x9E3779B97F4A7C15), 0);
}

uint64_t random_below(uint64_t *state, uint64_t bound)
{
	return random_next(state) % bound;
}

uint64_t test_seed(const char *salt)
{
	const char *wanted = getenv("BLOOM_TEST_SEED");
	uint64_t seed = wanted != NULL ? strtoull(wanted, NULL, 0) : 20240229;

	printf("# %s: BLOOM_TEST_SEED=%llu\n", salt, (unsigned long long)seed);
	fflush(stdout);
	return bloom_digest_of((const unsigned char *)salt, strlen(salt), seed);
}

/* ---- blobs ---- */

size_t key_text(const char *family, uint64_t i, char text[KEY_TEXT_BYTES])
{
	return (size_t)snprintf(text, KEY_TEXT_BYTES, "%s-%llu", family, (unsigned long long)i);
}

bool builder_add_key(bloom_builder *builder, const char *family, uint64_t i)
{
	char text[KEY_TEXT_BYTES];
	size_t count = key_text(family, i, text);

	return bloom_builder_add(builder, (const unsigned char *)text, count);
}

bool builder_has(const bloom_builder *builder, const void *key, size_t key_bytes)
{
	return bloom_view_test(
		&builder->view, bloom_digest_of(key, key_bytes, builder->geometry.seed));
}

test_blob blob_from(bloom_builder *builder)
{
	test_blob blob = {.count = (size_t)builder->image_bytes};

	assert_ok(bloom_builder_finish(builder, 1700000000000, 1, &error));
	blob.bytes = malloc(blob.count);
	assert_non_null(blob.bytes);
	memcpy(blob.bytes, builder->image, blob.count);
	bloom_builder_free(builder);
	return blob;
}

test_blob blob_of(const bloom_params *params, uint64_t seed, uint64_t keys, const char *family, ...)
{
	bloom_builder builder = {0};
	va_list families;
	uint64_t i;

	assert_ok(bloom_builder_init(params, seed, 0, &builder, &error));
	va_start(families, family);
	for (; family != NULL; family = va_arg(families, const char *)) {
		for (i = 0; i < keys; i++) {
			(void)builder_add_key(&builder, family, i);
		}
	}
	va_end(families);
	return blob_from(&builder);
}

test_blob blob_with(const char *family)
{
	const bloom_params params = {.capacity_keys = 1000, .rate = 1e-6};

	return blob_of(&params, (unsigned char)family[0], 300, "common", family, NULL);
}

test_blob blob_small(void)
{
	bloom_params params = {.capacity_keys = 2000,
		.rate = 0.01,
		.shard_bytes = 1024,
		.probes = 6,
		.bits_per_key = 12};
	bloom_builder builder = {0};
	uint64_t i;

	assert_ok(bloom_builder_init(&params, 42, 2048, &builder, &error));
	assert_int_equal(3, builder.geometry.shards);
	memcpy(builder.meta.source, "unit", 4);
	builder.meta.source_bytes = 4;
	for (i = 0; i < 2000; i++) {
		(void)builder_add_key(&builder, "small", i);
	}
	return blob_from(&builder);
}

test_blob blob_copy(test_blob blob)
{
	test_blob copy = {.bytes = malloc(blob.count), .count = blob.count};

	assert_non_null(copy.bytes);
	memcpy(copy.bytes, blob.bytes, blob.count);
	return copy;
}

void blob_free(test_blob *blob)
{
	free(blob->bytes);
	*blob = (test_blob){0};
}

bloom_status blob_parse(test_blob blob, bloom_head *head)
{
	return bloom_blob_parse(blob.bytes, blob.count, head, &error);
}

bloom_status blob_accept(test_blob blob)
{
	bloom_head head;
	bloom_status status = blob_parse(blob, &head);

	if (status != BLOOM_OK) {
		return status;
	}
	return bloom_body_verify(
		&head, blob.bytes + head.head_bytes, 0, head.geometry.shards, &error);
}

void mend_head(test_blob blob, uint64_t head_bytes)
{
	bloom_put64(
		blob.bytes + head_bytes - 8, bloom_checksum(blob.bytes, (size_t)head_bytes - 8));
}

void mend_shard(test_blob blob, uint64_t shard)
{
	uint64_t head_bytes = bloom_get64(blob.bytes + 16);
	uint32_t shard_bytes = bloom_get32(blob.bytes + 40);

	bloom_put64(blob.bytes + 512 + shard * 16 + 8,
		bloom_checksum(blob.bytes + head_bytes + shard * shard_bytes, shard_bytes));
	mend_head(blob, head_bytes);
}

test_blob vector_file(const char *name)
{
	const char *directory = getenv("BLOOM_TEST_VECTORS");
	test_blob blob = {0};
	char path[1024];
	FILE *file;
	long end;

	(void)snprintf(
		path, sizeof path, "%s/%s", directory != NULL ? directory : "tests/vectors", name);
	file = fopen(path, "rb");
	if (file == NULL) {
		fail_msg("%s: %s (set BLOOM_TEST_VECTORS)", path, strerror(errno));
	}
	assert_int_equal(0, fseek(file, 0, SEEK_END));
	end = ftell(file);
	rewind(file);
	blob.count = (size_t)end;
	blob.bytes = malloc(blob.count + 1);
	assert_non_null(blob.bytes);
	assert_int_equal(blob.count, fread(blob.bytes, 1, blob.count, file));
	blob.bytes[blob.count] = 0; /* text files are read as strings */
	fclose(file);
	return blob;
}

int each_vector_line(const char *name, void (*visit)(void *context, char *line), void *context)
{
	test_blob file = vector_file(name);
	char *line, *rest = NULL;
	int lines = 0;

	for (line = strtok_r((char *)file.bytes, "\n", &rest); line != NULL;
		line = strtok_r(NULL, "\n", &rest)) {
		if (line[0] != '#') {
			visit(context, line);
			lines++;
		}
	}
	blob_free(&file);
	return lines;
}

size_t unhex(const char *text, unsigned char *bytes, size_t room)
{
	size_t count = strcmp(text, "-") == 0 ? 0 : strlen(text) / 2;
	unsigned value;
	size_t i;

	assert_true(count <= room);
	for (i = 0; i < count; i++) {
		assert_int_equal(1, sscanf(text + 2 * i, "%2x", &value));
		bytes[i] = (unsigned char)value;
	}
	return count;
}

void assert_builds(
	bloom_builder *builder, uint64_t built_ms, uint64_t bytes, const char *digest_hex)
{
	unsigned char wanted[16], actual[16];

	assert_ok(bloom_builder_finish(builder, built_ms, 1, &error));
	assert_int_equal(bytes, builder->image_bytes);
	assert_int_equal(16, unhex(digest_hex, wanted, sizeof wanted));
	bloom_chunk_digest(1, builder->image, builder->image_bytes, actual);
	assert_memory_equal(wanted, actual, sizeof actual);
	bloom_builder_free(builder);
}

/* ---- answers of reverse indexes ---- */

static bool take_group(void *context, uint64_t group)
{
	group_answer *told = context;

	if (told->count == told->room) {
		told->room = told->room * 2 + 64;
		told->group = realloc(told->group, told->room * sizeof *told->group);
		assert_non_null(told->group);
	}
	told->group[told->count++] = group;
	return told->most == 0 || told->count < told->most;
}

void ask_groups(const bloom_reverse *reverse, bloom_digest value, group_answer *told)
{
	uint64_t i;

	told->count = 0;
	bloom_reverse_groups(reverse, value, take_group, told);
	for (i = 0; i < told->count; i++) {
		assert_true(told->group[i] < reverse->groups);
		assert_true(i == 0 || told->group[i] > told->group[i - 1]);
	}
	assert_int_equal(told->count > 0, bloom_reverse_test(reverse, value));
}

bool has_group(const group_answer *told, uint64_t group)
{
	uint64_t i;

	for (i = 0; i < told->count; i++) {
		if (told->group[i] == group) {
			return true;
		}
	}
	return false;
}

/* ---- directories ---- */

bloom_segment scratch_segment(void)
{
	bloom_segment segment = {.lock_timeout_ms = 60000};
	char path[600];
	int bytes = snprintf(path, sizeof path, "%s/segment", scratch_path());

	assert_ok(bloom_segment_init(&segment, path, (uint64_t)bytes, &error));
	return segment;
}

const char *in_segment(const bloom_segment *segment, const char *format, ...)
{
	static char buffers[8][BLOOM_PATH_BYTES_MAX + 512];
	static unsigned next;
	char *path = buffers[next++ % 8];
	char below[512], *rest;
	size_t name_bytes;
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(below, sizeof below, format, arguments);
	va_end(arguments);
	name_bytes = strcspn(below, "/@");
	rest = below + name_bytes;
	if (bloom_name_check(below, name_bytes, NULL) == BLOOM_OK && *rest != '@') {
		(void)snprintf(path, sizeof buffers[0], "%s/%.*s@%d%s", segment->path,
			(int)name_bytes, below, BLOOM_CONTROL_LAYOUT, rest);
	} else {
		(void)snprintf(path, sizeof buffers[0], "%s/%s", segment->path, below);
	}
	return path;
}

static uint64_t tree_bytes(const char *path)
{
	char entry_path[4096 + 256];
	struct dirent *entry;
	struct stat found;
	uint64_t bytes = 0;
	DIR *stream = opendir(path);

	while (stream != NULL && (entry = readdir(stream)) != NULL) {
		if (entry->d_name[0] != '.') {
			(void)snprintf(entry_path, sizeof entry_path, "%s/%s", path, entry->d_name);
			if (lstat(entry_path, &found) == 0) {
				bytes += S_ISDIR(found.st_mode) ? tree_bytes(entry_path)
								: (uint64_t)found.st_size;
			}
		}
	}
	if (stream != NULL) {
		closedir(stream);
	}
	return bytes;
}

void set_swept_ms(const bloom_segment *segment, uint64_t swept_ms)
{
	bloom_filter_dir dir = {.segment = segment, .segment_handle = -1, .handle = -1, .lock = -1};
	int file = -1;

	assert_ok(bloom_segment_open(segment, true, &dir.segment_handle, &dir.owner, &error));
	assert_ok(bloom_filter_dir_open_internal(&dir, &dir.handle, &error));
	assert_ok(bloom_internal_file_open(dir.handle, BLOOM_SWEPT_NAME, dir.owner, &file, &error));
	assert_ok(bloom_file_write(
		file, 0, (const unsigned char *)&swept_ms, sizeof swept_ms, &error));
	bloom_close(&file);
	bloom_filter_dir_close(&dir);
}

void make_sweep_due(const bloom_segment *segment)
{
	set_swept_ms(segment, UINT64_MAX / 2);
}

uint64_t segment_bytes(const bloom_segment *segment)
{
	uint64_t bytes = 0;

	assert_ok(bloom_segment_bytes(segment, &bytes, &error));
	assert_int_equal(tree_bytes(segment->path), bytes);
	return bytes;
}

bloom_status load(
	const bloom_segment *segment, const char *name, test_blob blob, uint64_t *generation)
{
	uint64_t ignored;
	bloom_stage stage;
	bloom_status status = bloom_stage_begin(segment, name, blob.count, &stage, &error);

	if (status != BLOOM_OK) {
		return status;
	}
	status = bloom_stage_write(&stage, blob.bytes, blob.count, &error);
	if (status != BLOOM_OK) {
		bloom_stage_abort(&stage);
		return status;
	}
	return bloom_stage_commit(&stage, generation != NULL ? generation : &ignored, &error);
}

void live_create(const bloom_segment *segment, const char *name, const bloom_live_params *params,
	uint64_t seed)
{
	const bloom_creation how = {.seed = &seed};
	bool created = false;

	assert_ok(bloom_live_create(segment, name, params, &how, &created, &error));
	assert_true(created);
}

void attach_to(const bloom_segment *segment, const char *name, bloom_attachment *attachment)
{
	assert_ok(bloom_attach(segment, name, attachment, &error));
}

bloom_status filter_add(bloom_attachment *attachment, const char *family, uint64_t i, bool *is_new)
{
	bloom_live *live = attachment->live;
	const bloom_segment *segment = attachment->segment;
	const char *name = attachment->name;
	char text[KEY_TEXT_BYTES];
	size_t count = key_text(family, i, text);
	bloom_digest digest = bloom_hash(&live->hasher, (const unsigned char *)text, count);
	bool ignored;

	is_new = is_new != NULL ? is_new : &ignored;
	switch (live->known.params.kind) {
	case BLOOM_KIND_COUNTING:
		return bloom_counting_add(live, segment, name, digest, is_new, &error);
	case BLOOM_KIND_SCALABLE:
		return bloom_scalable_add(live, segment, name, digest, is_new, &error);
	case BLOOM_KIND_SLIDING:
		return bloom_sliding_add(
			live, segment, name, digest, bloom_monotonic_ms, is_new, &error);
	case BLOOM_KIND_REVERSE:
		*is_new = bloom_live_add_to_group(live, i % live->reverse.groups, digest);
		return BLOOM_OK;
	default:
		*is_new = bloom_live_add(live, 0, digest);
		return BLOOM_OK;
	}
}

bool filter_has(bloom_attachment *attachment, const char *family, uint64_t i)
{
	char text[KEY_TEXT_BYTES];
	size_t count = key_text(family, i, text);

	return bloom_attachment_test(attachment, (const unsigned char *)text, count);
}

bool filter_answers(bloom_attachment *attachment, const char *family, uint64_t i)
{
	return bloom_presence_is_maybe(bloom_attachment_check(attachment)) ||
		filter_has(attachment, family, i);
}

unsigned filter_found(bloom_attachment *attachment, const char *family, uint64_t count)
{
	unsigned found = 0;
	uint64_t i;

	for (i = 0; i < count; i++) {
		found += filter_has(attachment, family, i);
	}
	return found;
}

void live_scene_open(live_scene *set, const bloom_live_params *params, uint64_t seed)
{
	set->segment = scratch_segment();
	set->seed = seed;
	live_create(&set->segment, "seen", params, seed);
	attach_to(&set->segment, "seen", &set->attachment);
}

bool live_scene_add(live_scene *set, const char *family, uint64_t i)
{
	bool is_new = false;

	assert_ok(filter_add(&set->attachment, family, i, &is_new));
	return is_new;
}

bloom_live_head *live_head(const bloom_live *live)
{
	return (bloom_live_head *)(void *)live->head;
}

bloom_digest key_digest(uint64_t seed, const char *family, uint64_t i)
{
	char text[KEY_TEXT_BYTES];
	size_t count = key_text(family, i, text);

	return bloom_digest_of((const unsigned char *)text, count, seed);
}

bool is_likely(double hits, double draws, double rate)
{
	return fabs(hits - draws * rate) <= 4 * sqrt(draws * rate * (1 - rate)) + 1;
}

int count_entries(const char *path, const char *part)
{
	DIR *stream = opendir(path);
	struct dirent *entry;
	int count = 0;

	if (stream == NULL) {
		return -1;
	}
	while ((entry = readdir(stream)) != NULL) {
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
			strcmp(entry->d_name, BLOOM_INTERNAL_NAME) != 0 &&
			(!HAS_LOCKS_FILE || strcmp(entry->d_name, BLOOM_LOCKS_NAME) != 0) &&
			strstr(entry->d_name, part) != NULL;
	}
	closedir(stream);
	return count;
}

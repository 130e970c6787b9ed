#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void require_that(bool holds, const char *what, const char *file, int line)
{
	if (!holds) {
		fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
		abort();
	}
}

bool succeeded(bloom_status status, const bloom_error *error)
{
	require((unsigned)status < BLOOM_STATUS_COUNT);
	if (status == BLOOM_OK) {
		return true;
	}
	require(error->status == status);
	require(memchr(error->subject, 0, sizeof error->subject) != NULL);
	require(strlen(bloom_status_sentence(status)) > 0);
	return false;
}

/* ---- the input as a program ---- */

uint8_t take_byte(input *from)
{
	if (from->left == 0) {
		return 0;
	}
	from->left--;
	return *from->next++;
}

uint16_t take_short(input *from)
{
	uint16_t low = take_byte(from);

	return (uint16_t)(low | take_byte(from) << 8);
}

uint64_t take_word(input *from)
{
	uint64_t word = 0;
	int i;

	for (i = 0; i < 8; i++) {
		word |= (uint64_t)take_byte(from) << (8 * i);
	}
	return word;
}

uint64_t take_number(input *from)
{
	uint8_t form = take_byte(from);

	switch (form >> 5) {
	case 0:
		return form & 31;
	case 1:
		return UINT64_C(1) << (form & 31);
	case 2:
		return UINT64_C(1) << (32 + (form & 31));
	case 3:
		return (UINT64_C(1) << (form & 31)) - 1;
	case 4:
		return (UINT64_C(1) << (32 + (form & 31))) - 1;
	case 5:
		return UINT64_MAX - (form & 31);
	case 6:
		return take_short(from);
	default:
		return take_word(from);
	}
}

/* ---- keys ---- */

bloom_digest digest_of_key(uint8_t key, uint64_t seed)
{
	return bloom_digest_of(&key, 1, seed);
}

bool attachment_has(bloom_attachment *attachment, uint8_t key)
{
	return bloom_attachment_test(attachment, &key, 1);
}

/* ---- blobs ---- */

/* Offsets of fields in the head, from docs/dev/blob.md. */
enum {
	AT_HEAD_BYTES = 16,
	AT_FILE_BYTES = 24,
	AT_SHARDS = 32,
	AT_SHARD_BYTES = 40,
	AT_BLOCK_BYTES = 44,
	AT_PROBES = 48,
	AT_SCHEME = 52,
	AT_KEYS = 72,
	AT_SET_BITS = 80,
	AT_RATE = 104,
	AT_CHUNK_BYTES = 120,
	AT_STRIPES = 256,
	SCHEME_RIBBON = 3,
};

typedef struct mended {
	unsigned char *bytes;
	size_t count;
	uint64_t head_bytes, shards, chunks;
	uint32_t shard_bytes, chunk_bytes;
} mended;

/* Returns whether the sizes in the head fit the bytes. */
static bool measure(mended *blob)
{
	uint64_t body_bytes;

	if (blob->count < BLOOM_HEAD_FIXED_BYTES) {
		return false;
	}
	blob->head_bytes = bloom_get64(blob->bytes + AT_HEAD_BYTES);
	blob->shards = bloom_get64(blob->bytes + AT_SHARDS);
	blob->shard_bytes = bloom_get32(blob->bytes + AT_SHARD_BYTES);
	blob->chunk_bytes = bloom_get32(blob->bytes + AT_CHUNK_BYTES);
	if (blob->head_bytes < BLOOM_HEAD_FIXED_BYTES + 8 || blob->head_bytes > blob->count ||
		blob->shard_bytes == 0 || blob->chunk_bytes == 0 ||
		blob->shards > blob->count / blob->shard_bytes) {
		return false;
	}
	body_bytes = blob->shards * blob->shard_bytes;
	blob->chunks = (body_bytes + blob->chunk_bytes - 1) / blob->chunk_bytes;
	return body_bytes <= blob->count - blob->head_bytes &&
		BLOOM_HEAD_FIXED_BYTES + (blob->shards + blob->chunks) * BLOOM_ROW_BYTES + 8 <=
		blob->head_bytes;
}

static bool is_ribbon(const mended *blob)
{
	return bloom_get32(blob->bytes + AT_SCHEME) == SCHEME_RIBBON;
}

/* Sets the width of a ribbon filter, which its number of stripes determines. */
static void mend_width(mended *blob)
{
	uint32_t stripes = bloom_get32(blob->bytes + AT_STRIPES);

	if (is_ribbon(blob) && stripes > 0) {
		bloom_put32(blob->bytes + AT_BLOCK_BYTES, blob->shard_bytes);
		bloom_put32(blob->bytes + AT_PROBES,
			(blob->shard_bytes / 8 - (stripes + 63) / 64) / stripes);
	}
}

/* Replaces an impossible rate by the lowest one that is possible. A possible rate stays. */
static void mend_rate(mended *blob)
{
	bloom_geometry geometry = {
		.shards = blob->shards,
		.shard_bytes = blob->shard_bytes,
		.block_bytes = blob->shard_bytes,
		.probes = bloom_get32(blob->bytes + AT_PROBES),
		.stripes = is_ribbon(blob) ? bloom_get32(blob->bytes + AT_STRIPES) : 0,
	};
	double fill, least, rate = (double)bloom_get64(blob->bytes + AT_RATE) / BLOOM_RATE_UNIT;

	if (bloom_geometry_check(&geometry) != BLOOM_OK) {
		return;
	}
	fill = (double)bloom_get64(blob->bytes + AT_SET_BITS) /
		((double)bloom_geometry_bytes(&geometry) * 8);
	least = pow(fill, geometry.probes);
	if (geometry.stripes != 0) {
		least = ldexp(1, -(int)geometry.probes - 1);
		fill = 1;
	}
	if (!(rate >= least && rate <= fill) && least <= 1) {
		bloom_put64(blob->bytes + AT_RATE, (uint64_t)round(least * BLOOM_RATE_UNIT));
	}
}

/* Makes the counts of a row possible, as if keys had set these bits. */
static void mend_counts(
	unsigned char *row, const unsigned char *shard, uint32_t shard_bytes, uint32_t probes)
{
	uint32_t set_bits = (uint32_t)bloom_set_bits(shard, shard_bytes & ~7u),
		 keys = bloom_get32(row);
	uint32_t fewest = probes > 0 ? (set_bits + probes - 1) / probes : set_bits;

	bloom_put32(row, keys < fewest ? fewest : keys > set_bits ? set_bits : keys);
	bloom_put32(row + 4, set_bits);
}

static void mend_body(mended *blob, bool counts_too)
{
	const unsigned char *body = blob->bytes + blob->head_bytes;
	unsigned char *row = blob->bytes + BLOOM_HEAD_FIXED_BYTES;
	uint64_t end = blob->shards * blob->shard_bytes, keys = 0, set_bits = 0, at;

	if (counts_too) {
		mend_width(blob);
	}
	for (at = 0; at < end; at += blob->shard_bytes, row += BLOOM_ROW_BYTES) {
		if (counts_too && is_ribbon(blob)) {
			bloom_put32(row + 4, 0);
		} else if (counts_too) {
			mend_counts(row, body + at, blob->shard_bytes,
				bloom_get32(blob->bytes + AT_PROBES));
		}
		bloom_put64(row + 8, bloom_checksum(body + at, blob->shard_bytes));
		keys += bloom_get32(row);
		set_bits += bloom_get32(row + 4);
	}
	for (at = 0; at < end; at += blob->chunk_bytes, row += BLOOM_ROW_BYTES) {
		bloom_chunk_digest(BLOOM_CHUNK_DIGEST_XXH3_128, body + at,
			end - at < blob->chunk_bytes ? end - at : blob->chunk_bytes, row);
	}
	if (counts_too) {
		bloom_put64(blob->bytes + AT_KEYS, keys);
		bloom_put64(blob->bytes + AT_SET_BITS, set_bits);
		bloom_put64(blob->bytes + AT_FILE_BYTES, blob->head_bytes + end);
		mend_rate(blob);
	}
}

void mend_blob(unsigned char *bytes, size_t count, mending how)
{
	mended blob = {.bytes = bytes, .count = count};
	bool is_whole = measure(&blob);

	if (is_whole && how >= MEND_BODY) {
		mend_body(&blob, how >= MEND_ALL);
	}
	if (how >= MEND_HEAD && count >= BLOOM_HEAD_FIXED_BYTES && blob.head_bytes >= 8 &&
		blob.head_bytes <= count) {
		bloom_put64(
			bytes + blob.head_bytes - 8, bloom_checksum(bytes, blob.head_bytes - 8));
	}
}

small_blob blob_with(
	const bloom_geometry *geometry, uint32_t chunk_bytes, uint64_t built_ms, unsigned keys)
{
	bloom_meta meta = {.capacity_keys = 256, .target_rate = 0.01, .chunk_bytes = chunk_bytes};
	bloom_builder builder = {0};
	uint8_t key;
	unsigned i;

	require(bloom_builder_start(geometry, &meta, NULL, &builder, NULL) == BLOOM_OK);
	for (i = 0; i < keys; i++) {
		key = (uint8_t)i;
		if (geometry->groups != 0) {
			(void)bloom_builder_add_to_group(&builder, i % geometry->groups, &key, 1);
		} else {
			(void)bloom_builder_add(&builder, &key, 1);
		}
	}
	require(bloom_builder_finish(&builder, built_ms, 1, NULL) == BLOOM_OK);
	free(builder.shard_keys);
	return (small_blob){.bytes = builder.image, .count = builder.image_bytes};
}

small_blob ribbon_with(
	unsigned capacity, uint64_t built_ms, unsigned keys, const bloom_secret *secret)
{
	bloom_params params = {.capacity_keys = capacity,
		.rate = 0.01,
		.shard_bytes = 1024,
		.ribbon = true,
		.secret = secret};
	bloom_builder builder = {0};
	uint8_t key;
	unsigned i;

	require(bloom_builder_init(&params, 7, 1024, &builder, NULL) == BLOOM_OK);
	for (i = 0; i < keys; i++) {
		key = (uint8_t)i;
		(void)bloom_builder_add(&builder, &key, 1);
	}
	require(bloom_builder_finish(&builder, built_ms, 1, NULL) == BLOOM_OK);
	free(builder.shard_keys);
	free(builder.digests);
	return (small_blob){.bytes = builder.image, .count = builder.image_bytes};
}

/* ---- clocks and random numbers, in place of the core's ---- */

uint64_t clock_now_ms = 1000000;

uint64_t clock_of_input(void)
{
	return clock_now_ms;
}

uint64_t __wrap_bloom_monotonic_ms(void);
uint64_t __wrap_bloom_uptime_ms(void);
uint64_t __wrap_bloom_clock_ms(void);
uint64_t __wrap_bloom_random(void);

uint64_t __wrap_bloom_monotonic_ms(void)
{
	return clock_now_ms;
}

uint64_t __wrap_bloom_uptime_ms(void)
{
	return clock_now_ms;
}

uint64_t __wrap_bloom_clock_ms(void)
{
	return clock_now_ms;
}

/* The core uses these numbers to name staged files, so they only need to differ. */
uint64_t __wrap_bloom_random(void)
{
	static uint64_t last;

	return bloom_mix13(++last);
}

/* ---- mappings of files, with guard pages around them ---- */

enum { GUARD_BYTES = 1 << 20, GUARDED_MAX = 64 };

static struct {
	unsigned char *map;
	size_t bytes; /* whole pages */
} guarded[GUARDED_MAX];

bloom_status __real_bloom_map(
	int file, uint64_t bytes, bool writable, unsigned char **map, bloom_error *error);
bloom_status __wrap_bloom_map(
	int file, uint64_t bytes, bool writable, unsigned char **map, bloom_error *error);
bloom_status __wrap_bloom_map_grow(
	int kept, unsigned char **map, uint64_t bytes, uint64_t bytes_wanted, bloom_error *error);
void __real_bloom_unmap(const unsigned char *map, uint64_t bytes);
void __wrap_bloom_unmap(const unsigned char *map, uint64_t bytes);

static size_t whole_pages(uint64_t bytes)
{
	return (size_t)(bytes + 4095) / 4096 * 4096;
}

static int guarded_index(const unsigned char *map)
{
	int i;

	for (i = 0; i < GUARDED_MAX && guarded[i].map != map; i++) {
	}
	return i;
}

/* Moves a mapping into the middle of an inaccessible range. */
static unsigned char *guard(unsigned char *map, uint64_t bytes, uint64_t bytes_wanted)
{
	int i = guarded_index(NULL);
	unsigned char *region = mmap(NULL, whole_pages(bytes_wanted) + 2 * GUARD_BYTES, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	require(i < GUARDED_MAX && region != MAP_FAILED);
	require(mremap(map, bytes, bytes_wanted, MREMAP_MAYMOVE | MREMAP_FIXED,
			region + GUARD_BYTES) != MAP_FAILED);
	guarded[i].map = region + GUARD_BYTES;
	guarded[i].bytes = whole_pages(bytes_wanted);
	return guarded[i].map;
}

bloom_status __wrap_bloom_map(
	int file, uint64_t bytes, bool writable, unsigned char **map, bloom_error *error)
{
	unsigned char *plain = NULL;
	bloom_status status = __real_bloom_map(file, bytes, writable, &plain, error);

	if (status == BLOOM_OK) {
		*map = guard(plain, bytes, bytes);
	}
	return status;
}

bloom_status __wrap_bloom_map_grow(
	int kept, unsigned char **map, uint64_t bytes, uint64_t bytes_wanted, bloom_error *error)
{
	unsigned char *before = *map;
	int i = guarded_index(before);

	(void)kept;
	(void)error;
	require(i < GUARDED_MAX);
	*map = guard(before, bytes, bytes_wanted);
	require(munmap(before - GUARD_BYTES, guarded[i].bytes + 2 * GUARD_BYTES) == 0);
	guarded[i].map = NULL;
	return BLOOM_OK;
}

void __wrap_bloom_unmap(const unsigned char *map, uint64_t bytes)
{
	int i = map != NULL ? guarded_index(map) : GUARDED_MAX;

	if (i == GUARDED_MAX) {
		__real_bloom_unmap(map, bytes);
		return;
	}
	require(guarded[i].bytes == whole_pages(bytes));
	require(munmap(guarded[i].map - GUARD_BYTES, guarded[i].bytes + 2 * GUARD_BYTES) == 0);
	guarded[i].map = NULL;
}

/* ---- the segment ---- */

static bloom_segment segment;

const bloom_segment *fuzz_segment(void)
{
	const char *parent = getenv("TMPDIR");
	char path[1024];

	if (segment.path[0] == 0) {
		(void)snprintf(path, sizeof path, "%s/bloom-fuzz.XXXXXX",
			parent != NULL ? parent : "/dev/shm");
		require(mkdtemp(path) != NULL);
		require(bloom_segment_init(&segment, path, strlen(path), NULL) == BLOOM_OK);
		/* The limit is far above what a target's files need. A request above the limit
		 * means that the core trusted a number from the input. */
		segment.memory_limit_bytes = 4 << 20;
	}
	return &segment;
}

enum { FILTER_PATH_MAX = BLOOM_PATH_BYTES_MAX + BLOOM_FILE_NAME_MAX + 1 };

static void filter_path(const char *name, char path[FILTER_PATH_MAX])
{
	char entry[BLOOM_FILE_NAME_MAX];

	bloom_entry_name(name, BLOOM_CONTROL_LAYOUT, entry);
	(void)snprintf(path, FILTER_PATH_MAX, "%s/%s", fuzz_segment()->path, entry);
}

void wipe_filter(const char *name)
{
	char path[FILTER_PATH_MAX];
	struct dirent *entry;
	DIR *stream;

	filter_path(name, path);
	stream = opendir(path);
	if (stream == NULL) {
		require(errno == ENOENT);
		return;
	}
	while ((entry = readdir(stream)) != NULL) {
		(void)unlinkat(dirfd(stream), entry->d_name, 0);
	}
	closedir(stream);
	require(rmdir(path) == 0);
}

void make_filter(const char *name)
{
	char path[FILTER_PATH_MAX];

	filter_path(name, path);
	require(mkdir(path, 0700) == 0 || errno == EEXIST);
}

int open_in_filter(const char *name, const char *file, int flags)
{
	char path[FILTER_PATH_MAX];
	int directory, handle;

	filter_path(name, path);
	directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	require(directory >= 0);
	handle = openat(directory, file, flags | O_CLOEXEC, 0600);
	require(handle >= 0);
	close(directory);
	return handle;
}

void write_in_filter(const char *name, const char *file, const void *bytes, size_t count)
{
	int handle = open_in_filter(name, file, O_WRONLY | O_CREAT | O_TRUNC);

	require(write(handle, bytes, count) == (ssize_t)count);
	close(handle);
}

unsigned char *read_in_filter(const char *name, const char *file, size_t *count)
{
	int handle = open_in_filter(name, file, O_RDONLY);
	unsigned char *bytes;
	struct stat found;

	require(fstat(handle, &found) == 0);
	*count = (size_t)found.st_size;
	bytes = malloc(*count + 1);
	require(bytes != NULL && read(handle, bytes, *count) == (ssize_t)*count);
	close(handle);
	return bytes;
}

bloom_control valid_control(bloom_kind kind)
{
	return (bloom_control){
		.magic = BLOOM_CONTROL_MAGIC,
		.layout = BLOOM_CONTROL_LAYOUT,
		.generation = 1,
		.kind = (uint64_t)kind,
	};
}

int lowest_free_file(void)
{
	int file = dup(2);

	close(file);
	return file;
}

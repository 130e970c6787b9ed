/* A file of a segment with any contents, served by a valid control page: attaches, looks keys up,
 * adds, removes, grows, turns and fetches. The worst results are a typed error or "maybe".
 *
 * An input chooses a kind of file. The core itself creates one file of each kind. The input then
 * changes it word by word, truncates or extends it (a blob's checksums are corrected), and
 * continues as a program of calls. Between these calls it changes the file further, as a faulty
 * process could while others have it mapped. An unchanged file has all its keys.
 */
/* fault: arbitrary-bytes */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kinds/create.h"
#include "kinds/counting.h"
#include "kinds/ondemand.h"
#include "kinds/scalable.h"
#include "kinds/sliding.h"
#include "kinds/reverse_live.h"
#include "support.h"

enum { KEYS_IN = 40, ROOM = 64 * 1024, CHANGES_MAX = 32, CALLS_MAX = 48 };

static const char name[] = "f";
static const char file_name[] = "0000000000000001.bloom";
static const bloom_geometry plain = {
	.seed = 7, .shards = 3, .shard_bytes = 1024, .block_bytes = 64, .probes = 6};
static const bloom_geometry groups = {.seed = 7,
	.shards = 2,
	.groups = 300,
	.shard_bytes = 4096,
	.block_bytes = 4096,
	.probes = 4,
	.fan_out = 64};

/* ---- the files to begin with ---- */

typedef enum file_of {
	A_BLOB,
	A_REVERSE_BLOB,
	A_LIVE,
	A_COUNTING,
	A_SCALABLE,
	A_SLIDING,
	A_REVERSE,
	A_CACHE,
	FILES
} file_of;

static small_blob base[FILES];
static small_blob ribbon_base[FILES]; /* a ribbon filter's blob and its cache */

static const bloom_kind kind_of[FILES] = {
	[A_BLOB] = BLOOM_KIND_LOADED,
	[A_REVERSE_BLOB] = BLOOM_KIND_LOADED,
	[A_LIVE] = BLOOM_KIND_LIVE,
	[A_COUNTING] = BLOOM_KIND_COUNTING,
	[A_SCALABLE] = BLOOM_KIND_SCALABLE,
	[A_SLIDING] = BLOOM_KIND_SLIDING,
	[A_REVERSE] = BLOOM_KIND_REVERSE,
	[A_CACHE] = BLOOM_KIND_ON_DEMAND,
};

static bloom_live_params wish_of(file_of file)
{
	bloom_live_params params = {
		.kind = (uint64_t)kind_of[file], .capacity_keys = 20, .rate = 0.01};

	if (file == A_SCALABLE) {
		params.growth = 2;
		params.tightening = 0.8;
	} else if (file == A_SLIDING) {
		params.kind = BLOOM_KIND_SLIDING;
		params.window_ms = 10000;
	} else if (file == A_REVERSE) {
		params.groups = groups.groups;
		params.fan_out = groups.fan_out;
	}
	return params;
}

static void add_key(bloom_live *live, uint8_t key)
{
	bloom_digest digest = digest_of_key(key, live->known.seed);
	bloom_error error = {0};
	bool is_new = false;

	switch (live->known.params.kind) {
	case BLOOM_KIND_COUNTING:
		(void)succeeded(
			bloom_counting_add(live, fuzz_segment(), name, digest, &is_new, &error),
			&error);
		break;
	case BLOOM_KIND_SCALABLE:
		(void)succeeded(
			bloom_scalable_add(live, fuzz_segment(), name, digest, &is_new, &error),
			&error);
		break;
	case BLOOM_KIND_SLIDING:
		(void)succeeded(bloom_sliding_add(live, fuzz_segment(), name, digest,
					clock_of_input, &is_new, &error),
			&error);
		break;
	case BLOOM_KIND_REVERSE:
		(void)bloom_live_add_to_group(live, key % live->reverse.groups, digest);
		break;
	default:
		(void)bloom_live_add(live, 0, digest);
	}
}

static small_blob read_file(const char *from)
{
	size_t count;
	const unsigned char *bytes = read_in_filter(name, from, &count);

	return (small_blob){.bytes = bytes, .count = count};
}

static void make_live(file_of file)
{
	bloom_live_params params = wish_of(file);
	bloom_attachment attachment = {0};
	bloom_stage stage = {0};
	uint64_t generation;
	uint8_t key;

	wipe_filter(name);
	require(bloom_live_stage(fuzz_segment(), name, &params, 7,
			file == A_REVERSE ? &groups : &plain, NULL, &stage, NULL) == BLOOM_OK);
	require(bloom_stage_commit(&stage, &generation, NULL) == BLOOM_OK);
	require(bloom_attach(fuzz_segment(), name, &attachment, NULL) == BLOOM_OK);
	for (key = 0; key < KEYS_IN; key++) {
		add_key(attachment.live, key);
	}
	bloom_detach(&attachment);
	base[file] = read_file(file_name);
}

static small_blob cache_of(small_blob blob)
{
	bloom_attachment attachment = {0};
	bloom_stage stage = {0};
	uint64_t generation, chunk;
	bloom_head head;

	wipe_filter(name);
	require(bloom_blob_parse(blob.bytes, blob.count, &head, NULL) == BLOOM_OK);
	require(bloom_cache_stage(fuzz_segment(), name, 1 << 20, &head, blob.bytes, NULL, &stage,
			NULL) == BLOOM_OK);
	require(bloom_stage_commit(&stage, &generation, NULL) == BLOOM_OK);
	require(bloom_attach(fuzz_segment(), name, &attachment, NULL) == BLOOM_OK);
	for (chunk = 0; chunk < head.chunks; chunk++) {
		require(bloom_cache_put(attachment.cache, fuzz_segment(), name, chunk,
				blob.bytes + head.head_bytes +
					bloom_head_chunk_offset(&head, chunk),
				NULL) == BLOOM_OK);
	}
	bloom_detach(&attachment);
	return read_file(file_name);
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
	file_of file;

	(void)count;
	(void)arguments;
	base[A_BLOB] = blob_with(&plain, 1024, 1, KEYS_IN);
	base[A_REVERSE_BLOB] = blob_with(&groups, 4096, 1, KEYS_IN);
	base[A_CACHE] = cache_of(base[A_BLOB]);
	ribbon_base[A_BLOB] = ribbon_with(2000, 1, KEYS_IN, NULL);
	ribbon_base[A_CACHE] = cache_of(ribbon_base[A_BLOB]);
	for (file = A_LIVE; file <= A_REVERSE; file++) {
		make_live(file);
	}
	wipe_filter(name);
	make_filter(name);
	return 0;
}

/* ---- changing the files ---- */

static unsigned char bytes[ROOM];
static size_t bytes_count;
static file_of changed;

static void put_word(uint64_t at, uint64_t value)
{
	if (at + 8 <= bytes_count) {
		bloom_put64(bytes + at, value);
	}
}

/* A word of a live head that the code uses as a divisor, factor or bound. */
static void change_live_field(input *from)
{
	enum { FIELDS = 12 };
	static const uint16_t at[FIELDS] = {
		offsetof(bloom_live_head, layers),
		offsetof(bloom_live_head, turn),
		offsetof(bloom_live_head, growth_retry_ms),
		offsetof(bloom_live_head, params.kind),
		offsetof(bloom_live_head, params.window_ms),
		offsetof(bloom_live_head, params.groups),
		offsetof(bloom_live_head, params.fan_out),
		offsetof(bloom_live_head, layer[0].offset),
		offsetof(bloom_live_head, layer[0].shards),
		offsetof(bloom_live_head, layer[0].capacity_keys),
		offsetof(bloom_live_head, layer[0].keys),
		offsetof(bloom_live_head, layer[1].shards),
	};
	uint8_t field = take_byte(from) % FIELDS;

	put_word(at[field], take_number(from));
}

/* Changes the intent in a counting filter (counting.h). */
static void change_intent(input *from)
{
	uint64_t at = BLOOM_LIVE_HEAD_BYTES +
		(uint64_t)(take_byte(from) % BLOOM_STRIPES) * BLOOM_INTENT_BYTES;

	put_word(at, take_number(from));
	put_word(at + 8, take_number(from));
	put_word(at + 16, take_number(from));
	put_word(at + 16 + 4 * BLOOM_PROBES_MAX, take_number(from));
}

/* Changes an entry or the owner of a slot. The entries and owners follow the heads of the cache and
 * the blob (ondemand.h). */
static void change_entry(input *from)
{
	uint64_t which = take_byte(from) % 8, state = (uint64_t)take_byte(from) << 62;

	put_word(BLOOM_CACHE_HEAD_BYTES + BLOOM_HEAD_ALIGN_BYTES + which * 8,
		state | take_number(from));
}

/* Reads one change from the input and makes it. Returns false if the input contains none. */
static bool change(input *from, size_t room)
{
	uint8_t what = take_byte(from);
	uint64_t at, value, end;

	switch (what & 7) {
	case 1: /* a word of the first page, which contains the heads, or of the second */
	case 2:
		at = (uint64_t)(take_short(from) % 1024) * 8;
		value = take_number(from);
		if (at + 8 <= bytes_count) {
			bloom_put64(bytes + at, value);
		}
		return true;
	case 3:
		at = (uint64_t)(take_short(from) % 2048) * 4;
		value = take_number(from);
		if (at + 4 <= bytes_count) {
			bloom_put32(bytes + at, (uint32_t)value);
		}
		return true;
	case 4: /* a byte anywhere */
		at = take_short(from);
		value = take_byte(from);
		if (at < bytes_count) {
			bytes[at] = (unsigned char)value;
		}
		return true;
	case 5: /* a different length */
		end = (uint64_t)take_byte(from) << 8 | (what & 8 ? take_byte(from) : 0);
		if (end <= room) {
			memset(bytes + bytes_count, 0, end > bytes_count ? end - bytes_count : 0);
			bytes_count = end;
		}
		return true;
	case 6: /* a run of equal bytes */
		at = take_short(from);
		end = at + take_short(from) % 4096;
		value = take_byte(from);
		if (end <= bytes_count) {
			memset(bytes + at, (int)value, end - at);
		}
		return true;
	case 7:
		if (changed == A_CACHE) {
			change_entry(from);
		} else if (changed == A_COUNTING && (what & 8) != 0) {
			change_intent(from);
		} else {
			change_live_field(from);
		}
		return true;
	default:
		return false;
	}
}

static bool change_all(input *from)
{
	unsigned changes = 0;

	while (changes < CHANGES_MAX && change(from, ROOM)) {
		changes++;
	}
	return changes > 0;
}

/* Simulates another process that writes to the mapped file without changing its length. */
static void change_mapped(input *from, const char *file)
{
	size_t count = bytes_count;
	int handle;

	while (change(from, 0)) {
		bytes_count = count;
	}
	handle = open_in_filter(name, file, O_WRONLY);
	require(pwrite(handle, bytes, count, 0) == (ssize_t)count);
	close(handle);
}

/* ---- calls ---- */

static bool ignore_group(void *context, uint64_t group)
{
	(void)group;
	return --*(int *)context > 0;
}

static void call_live(bloom_live *live, uint8_t what, uint8_t key)
{
	bloom_digest digest = digest_of_key(key, live->known.seed);
	bloom_error error = {0};
	bool removed = false;
	uint32_t count = 0;
	int visits = 64;

	if (live->known.params.kind == BLOOM_KIND_COUNTING && (what & 3) == 1) {
		(void)succeeded(
			bloom_counting_remove(live, fuzz_segment(), name, digest, &removed, &error),
			&error);
	} else if (live->known.params.kind == BLOOM_KIND_COUNTING && (what & 3) == 2) {
		if (succeeded(bloom_counting_count(
				      live, fuzz_segment(), name, digest, &count, &error),
			    &error)) {
			require(count <= BLOOM_COUNTER_MAX);
		}
	} else if (live->known.params.kind == BLOOM_KIND_REVERSE && (what & 1) == 1) {
		bloom_reverse_groups(&live->reverse, digest, ignore_group, &visits);
	} else if (live->known.params.kind == BLOOM_KIND_SLIDING && (what & 1) == 1) {
		require(bloom_sliding_turn(live, clock_now_ms).current < BLOOM_SLOTS);
	} else {
		add_key(live, key);
	}
}

static void call_cache(bloom_cache *cache, uint8_t what, uint8_t key, input *from)
{
	uint64_t chunk = bloom_cache_chunk(cache, digest_of_key(key, cache->view.seed)), claim,
		 turn = 0;
	static unsigned char chunk_bytes[ROOM];
	bloom_error error = {0};

	require(chunk < cache->blob.chunks);
	switch (what & 7) {
	case 0:
		claim = bloom_cache_claim(cache, chunk, clock_now_ms);
		bloom_cache_unclaim(cache, chunk, claim);
		break;
	case 1:
		(void)bloom_cache_keep(cache, chunk);
		break;
	case 2:
		if (bloom_cache_may_ask(cache, clock_now_ms, &turn)) {
			bloom_cache_answered(
				cache, take_byte(from) & 1, take_byte(from), clock_now_ms, turn);
		}
		break;
	case 3:
		bloom_cache_failed(cache, clock_now_ms, turn);
		require(bloom_cache_pause_ms(cache, clock_now_ms) <=
			BLOOM_FETCH_PAUSE_MS_MAX + 10000);
		break;
	case 4:
		require(bloom_cache_resident(cache) <= cache->blob.chunks);
		break;
	default:
		/* Uses the bytes that the file was made from, which often are the right chunk. */
		if (cache->blob.meta.chunk_bytes <= sizeof chunk_bytes) {
			memset(chunk_bytes, 0, sizeof chunk_bytes);
			if (bloom_head_chunk_offset(&cache->blob, chunk) + 1024 <= 3 * 1024) {
				memcpy(chunk_bytes,
					base[A_BLOB].bytes + base[A_BLOB].count - 3 * 1024 +
						bloom_head_chunk_offset(&cache->blob, chunk),
					1024);
			}
			if (succeeded(bloom_cache_put(cache, fuzz_segment(), name, chunk,
					      chunk_bytes, &error),
				    &error)) {
				require(bloom_cache_has(cache, chunk));
			}
		}
	}
}

static void call(bloom_attachment *attachment, const char *file, input *from)
{
	uint8_t what = take_byte(from), key = take_byte(from);
	bloom_presence presence = bloom_attachment_check(attachment);

	require(presence == BLOOM_PRESENCE_VIEW || presence == BLOOM_PRESENCE_RIBBON ||
		presence == BLOOM_PRESENCE_OPS);
	if ((what & 7) == 7) {
		change_mapped(from, file);
		return;
	}
	if ((what & 7) == 6) {
		clock_now_ms += take_short(from);
		return;
	}
	if ((what & 7) < 3) {
		(void)attachment_has(attachment, key);
	} else if (attachment->ops->layout != NULL) {
		call_live(attachment->live, what >> 3, key);
	} else if (attachment->ops->kind == BLOOM_KIND_ON_DEMAND) {
		call_cache(attachment->cache, what >> 3, key, from);
	}
}

static void check_keys(bloom_attachment *attachment)
{
	uint8_t key;

	for (key = 0; key < KEYS_IN; key++) {
		require(attachment_has(attachment, key));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count)
{
	input from = {.next = data, .left = count};
	uint8_t options = take_byte(&from);
	file_of file = (file_of)(options % FILES);
	bool is_ribbon = options / FILES / MENDINGS % 2 != 0 && ribbon_base[file].count > 0;
	const small_blob *begin = is_ribbon ? &ribbon_base[file] : &base[file];
	bloom_control control = valid_control(kind_of[file]);
	bloom_attachment attachment = {0};
	bloom_error error = {0};
	int free_file = lowest_free_file();
	bool is_changed;
	unsigned i;

	clock_now_ms = 1000000;
	changed = file;
	memset(bytes, 0, sizeof bytes);
	memcpy(bytes, begin->bytes, begin->count);
	bytes_count = begin->count;
	is_changed = change_all(&from);
	if (file == A_BLOB || file == A_REVERSE_BLOB) {
		mend_blob(bytes, bytes_count, (mending)(MENDINGS - 1 - options / FILES % MENDINGS));
	} else if (file == A_CACHE && bytes_count > BLOOM_CACHE_HEAD_BYTES) {
		mend_blob(bytes + BLOOM_CACHE_HEAD_BYTES, bytes_count - BLOOM_CACHE_HEAD_BYTES,
			(options & 128) != 0 ? MEND_NOTHING : MEND_HEAD);
	}
	write_in_filter(name, BLOOM_CONTROL_NAME, &control, sizeof control);
	write_in_filter(name, file_name, bytes, bytes_count);
	if (succeeded(bloom_attach(fuzz_segment(), name, &attachment, &error), &error)) {
		if (!is_changed) {
			check_keys(&attachment);
		}
		for (i = 0; i < CALLS_MAX && from.left > 0; i++) {
			call(&attachment, file_name, &from);
		}
		bloom_detach(&attachment);
	} else {
		require(is_changed);
	}
	require(lowest_free_file() == free_file);
	return 0;
}

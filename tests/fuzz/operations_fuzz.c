/* An input as a program of operations on a filter of each kind, compared with a plain table of the
 * added keys.
 *
 * The operations are adds, removes, lookups, turns of the clock, growth, exports, imports, merges
 * and reloads, in any order. No key that must be present is missing, and removing a key removes no
 * other. The resulting blobs pass the checks that all blobs pass. There are only 256 keys, so that
 * they collide in small filters.
 */
/* fault: arbitrary-bytes */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kinds/create.h"
#include "kinds/counting.h"
#include "kinds/scalable.h"
#include "kinds/sliding.h"
#include "kinds/reverse_live.h"
#include "support.h"
#include "segment/drop.h"

enum { STEPS_MAX = 200, GROUPS = 100, NEVER = 0, WINDOW_MS = 1000 };

static const char name[] = "f";

/* The expected state of the filter. */
static struct {
	uint32_t count[KEYS]; /* how often the key was added */
	uint64_t until_ms
		[KEYS]; /* sliding: the key must be found before this time; 0: it may be missing */
	bool in_group[GROUPS][KEYS];
	bool clock_was_set; /* if set, a turn may have begun later than now */
} oracle;

static bloom_geometry geometry; /* chosen by the input */
static bloom_attachment attachment;

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
	(void)count;
	(void)arguments;
	(void)fuzz_segment();
	return 0;
}

/* ---- making ---- */

static void choose_geometry(uint8_t shape, bool with_groups)
{
	static const uint32_t block_bytes[] = {8, 64, 1024, 64};

	geometry = (bloom_geometry){
		.seed = shape,
		.shards = 1 + (shape & 1),
		.shard_bytes = 1024,
		.block_bytes = block_bytes[shape >> 1 & 3],
		.probes = 1 + (shape >> 3) % 12,
	};
	if (with_groups) {
		geometry.groups = GROUPS;
		geometry.fan_out = 64;
		geometry.shard_bytes = geometry.block_bytes = 4096;
	}
}

static bloom_live_params wish_of(bloom_kind kind)
{
	bloom_live_params params = {.kind = (uint64_t)kind, .capacity_keys = 8, .rate = 0.1};

	if (kind == BLOOM_KIND_SCALABLE) {
		params.growth = 2;
		params.tightening = 0.5;
		params.rate = geometry.probes % 2 == 0 ? params.rate : BLOOM_RATE_MIN;
	} else if (kind == BLOOM_KIND_SLIDING) {
		params.window_ms = WINDOW_MS;
	} else if (kind == BLOOM_KIND_REVERSE) {
		params.groups = GROUPS;
		params.fan_out = 64;
	}
	return params;
}

static void attach(void)
{
	bloom_error error = {0};

	require(succeeded(bloom_attach(fuzz_segment(), name, &attachment, &error), &error));
}

static void make_live(bloom_kind kind, const unsigned char *bits)
{
	bloom_live_params params = wish_of(kind);
	bloom_error error = {0};
	bloom_stage stage = {0};
	uint64_t generation;

	require(succeeded(bloom_live_stage(fuzz_segment(), name, &params, geometry.seed, &geometry,
				  bits, &stage, &error),
		&error));
	require(succeeded(bloom_stage_commit(&stage, &generation, &error), &error));
	attach();
}

static void load_bytes(const unsigned char *bytes, uint64_t count)
{
	bloom_error error = {0};
	bloom_stage stage = {0};
	uint64_t generation;

	require(succeeded(bloom_stage_begin(fuzz_segment(), name, count, &stage, &error), &error));
	require(succeeded(bloom_stage_write(&stage, bytes, count, &error), &error));
	require(succeeded(bloom_stage_commit(&stage, &generation, &error), &error));
}

/* ---- looking ---- */

static bool must_have(uint8_t key)
{
	return oracle.count[key] > 0 || clock_now_ms < oracle.until_ms[key];
}

static void check_all(void)
{
	bloom_presence presence = bloom_attachment_check(&attachment);
	unsigned key;
	bool found;

	require(presence == BLOOM_PRESENCE_VIEW || presence == BLOOM_PRESENCE_OPS);
	for (key = 0; key < KEYS; key++) {
		if (must_have((uint8_t)key)) {
			found = attachment_has(&attachment, (uint8_t)key);
			require(found);
			require(presence == BLOOM_PRESENCE_OPS ||
				bloom_view_test(&attachment.view,
					digest_of_key((uint8_t)key, attachment.view.seed)));
		}
	}
}

/* ---- blobs of the current contents ---- */

static bloom_meta meta_of_blob(void)
{
	return (bloom_meta){.capacity_keys = 256, .target_rate = 0.01, .chunk_bytes = 65536};
}

/* A finished blob has all keys; a blob that is too full is refused. */
static bool finish(bloom_builder *builder, const uint32_t *count)
{
	bloom_error error = {0};
	bloom_status status = bloom_builder_finish(builder, clock_now_ms, 1, &error);
	bloom_head head;
	unsigned key;

	if (!succeeded(status, &error)) {
		require(status == BLOOM_E_SATURATED);
		return false;
	}
	require(bloom_blob_parse(builder->image, builder->image_bytes, &head, NULL) == BLOOM_OK);
	require(bloom_body_verify(&head, builder->image + head.head_bytes, 0, head.geometry.shards,
			NULL) == BLOOM_OK);
	require(bloom_chunks_verify(&head, builder->image + head.head_bytes, NULL) == BLOOM_OK);
	for (key = 0; count != NULL && key < KEYS; key++) {
		require(count[key] == 0 ||
			bloom_view_test(
				&builder->view, digest_of_key((uint8_t)key, geometry.seed)));
	}
	return true;
}

/* Exports the filter as export() does. */
static bool export_to(bloom_builder *builder)
{
	bloom_geometry layer = bloom_live_geometry(&attachment.live->known, 0);
	bloom_meta meta = meta_of_blob();
	bloom_error error = {0};

	require(succeeded(bloom_builder_start(&layer, &meta, bloom_live_bits(attachment.live, 0),
				  builder, &error),
		&error));
	return finish(builder, layer.groups == 0 ? oracle.count : NULL);
}

/* Merges the filter's blob with another blob. */
static void combine(input *from)
{
	uint32_t either[KEYS], other_count[KEYS] = {0};
	bloom_builder mine = {0}, other = {0}, result = {0};
	bloom_meta meta = meta_of_blob();
	unsigned keys = take_byte(from) % 32, i;
	bloom_head mine_head, other_head;
	bloom_error error = {0};
	uint8_t key;

	require(succeeded(bloom_builder_start(&geometry, &meta, NULL, &other, &error), &error));
	for (i = 0; i < keys; i++) {
		key = take_byte(from);
		(void)bloom_builder_add(&other, &key, 1);
		other_count[key] = 1;
	}
	for (i = 0; i < KEYS; i++) {
		either[i] = oracle.count[i] + other_count[i];
	}
	if (export_to(&mine) && finish(&other, other_count)) {
		require(bloom_blob_parse(mine.image, mine.image_bytes, &mine_head, NULL) ==
			BLOOM_OK);
		require(bloom_blob_parse(other.image, other.image_bytes, &other_head, NULL) ==
			BLOOM_OK);
		require(succeeded(
			bloom_builder_start(&geometry, &meta, mine.bits, &result, &error), &error));
		require(succeeded(
			bloom_builder_merge(&result, &other_head, other.bits, &error), &error));
		(void)finish(&result, either);
		bloom_builder_free(&result);
	}
	bloom_builder_free(&mine);
	bloom_builder_free(&other);
}

/* Exports the filter, drops it and imports the blob. */
static void replace_by_export(bloom_kind kind)
{
	bloom_builder builder = {0};
	bool existed = false;

	if (export_to(&builder)) {
		bloom_detach(&attachment);
		require(bloom_segment_drop(fuzz_segment(), name, &existed, NULL) == BLOOM_OK &&
			existed);
		make_live(kind, builder.bits);
	}
	bloom_builder_free(&builder);
}

/* ---- programs ---- */

static void run_live(input *from)
{
	uint8_t what = take_byte(from), key = take_byte(from);
	bloom_digest digest = digest_of_key(key, geometry.seed);
	bool may_have;

	switch (what & 15) {
	case 0:
		combine(from);
		break;
	case 1:
		replace_by_export(BLOOM_KIND_LIVE);
		break;
	default:
		may_have = bloom_view_test(&attachment.view, digest);
		/* A key is new if and only if the lookup did not find it. */
		require(bloom_live_add(attachment.live, 0, digest) == !may_have);
		oracle.count[key]++;
	}
}

static void count_key(uint8_t what, uint8_t key)
{
	bloom_digest digest = digest_of_key(key, geometry.seed);
	bool may_have = bloom_view_test(&attachment.view, digest), done = false;
	bloom_live *live = attachment.live;
	bloom_error error = {0};
	uint32_t count = 0;

	switch (what) {
	case 0:
		/* Only an added key may be removed, or a definitely absent key, which changes
		 * nothing. */
		if (oracle.count[key] > 0 || !may_have) {
			require(succeeded(bloom_counting_remove(live, fuzz_segment(), name, digest,
						  &done, &error),
				&error));
			require(done == may_have);
			oracle.count[key] -= done;
		}
		break;
	case 1:
		require(succeeded(
			bloom_counting_count(live, fuzz_segment(), name, digest, &count, &error),
			&error));
		require(count == BLOOM_COUNTER_MAX || count >= oracle.count[key]);
		require((count > 0) == may_have);
		break;
	default:
		require(succeeded(
			bloom_counting_add(live, fuzz_segment(), name, digest, &done, &error),
			&error));
		require(done == !may_have);
		oracle.count[key]++;
	}
}

/* Often adds the same key repeatedly, so that counters reach their maximum. */
static void run_counting(input *from)
{
	uint8_t what = take_byte(from), key = take_byte(from);
	int times = (what & 12) == 12 ? BLOOM_COUNTER_MAX + (what >> 4) : 1;

	for (; times > 0; times--) {
		count_key(what & 3, key);
	}
}

static void add_scalable(uint8_t key)
{
	bloom_digest digest = digest_of_key(key, geometry.seed);
	bool may_have = attachment_has(&attachment, key), is_new = false;
	bloom_error error = {0};

	require(succeeded(
		bloom_scalable_add(attachment.live, fuzz_segment(), name, digest, &is_new, &error),
		&error));
	require(is_new == !may_have);
	oracle.count[key] = 1;
	require(attachment.live->layers <= BLOOM_LAYERS_MAX);
}

/* The input chose the first layer's geometry. The other layers must keep the rest of the rate. */
static void require_rate(const bloom_live *live)
{
	const bloom_live_params *params = &live->known.params;
	double rate = 0;
	uint32_t i;

	for (i = 1; i < live->layers; i++) {
		bloom_geometry layer = bloom_live_geometry(&live->known, i);

		rate += bloom_geometry_rate(&layer, live->known.layer[i].capacity_keys);
	}
	require(rate <= params->rate * params->tightening);
}

static void run_scalable(input *from)
{
	uint8_t key = take_byte(from), more = take_byte(from) % 32;
	uint32_t layers = attachment.live->layers;

	add_scalable(key);
	for (; more > 0; more--) {
		add_scalable(++key);
	}
	if (attachment.live->layers > layers) {
		require_rate(attachment.live);
	}
}

static void turn_clock(input *from, uint8_t what)
{
	unsigned key;

	switch (what & 7) {
	case 0: /* another boot of the host: existing keys may disappear */
		clock_now_ms = 1 + take_number(from) % (UINT64_C(1) << 40);
		memset(oracle.until_ms, 0, sizeof oracle.until_ms);
		oracle.clock_was_set = true;
		break;
	case 1:
		clock_now_ms += WINDOW_MS / 2;
		break;
	default:
		clock_now_ms += take_byte(from) * (what >> 3 & 15);
	}
	for (key = 0; key < KEYS; key++) {
		oracle.until_ms[key] =
			clock_now_ms < oracle.until_ms[key] ? oracle.until_ms[key] : NEVER;
	}
}

static void run_sliding(input *from)
{
	uint8_t what = take_byte(from), key;
	bloom_live *live = attachment.live;
	bloom_error error = {0};
	bool is_new = false;

	if ((what & 1) != 0) {
		turn_clock(from, what >> 1);
		return;
	}
	key = take_byte(from);
	require(succeeded(
		bloom_sliding_add(live, fuzz_segment(), name, digest_of_key(key, live->known.seed),
			clock_of_input, &is_new, &error),
		&error));
	oracle.until_ms[key] = clock_now_ms + WINDOW_MS / 2;
}

/* After a window without adds, nothing is left. */
static void check_silence(void)
{
	unsigned key;

	clock_now_ms += WINDOW_MS;
	for (key = 0; key < KEYS; key++) {
		require(!attachment_has(&attachment, (uint8_t)key));
	}
}

typedef struct groups_seen {
	bool in[GROUPS];
} groups_seen;

static bool see_group(void *context, uint64_t group)
{
	groups_seen *seen = context;

	require(group < GROUPS && !seen->in[group]);
	seen->in[group] = true;
	return true;
}

static void run_reverse(input *from)
{
	uint8_t group = take_byte(from) % GROUPS, key = take_byte(from);
	bloom_digest digest = digest_of_key(key, geometry.seed);
	groups_seen seen = {0};
	unsigned i;

	bloom_reverse_groups(&attachment.live->reverse, digest, see_group, &seen);
	require(bloom_live_add_to_group(attachment.live, group, digest) || seen.in[group]);
	oracle.in_group[group][key] = true;
	oracle.count[key]++;
	seen = (groups_seen){0};
	bloom_reverse_groups(&attachment.live->reverse, digest, see_group, &seen);
	for (i = 0; i < GROUPS; i++) {
		require(seen.in[i] || !oracle.in_group[i][key]);
	}
}

/* Loads versions with some of the keys one after another. */
static void run_loaded(input *from)
{
	bloom_meta meta = meta_of_blob();
	unsigned keys = take_byte(from) % 32, i;
	bloom_builder builder = {0};
	bloom_error error = {0};
	uint8_t key;

	require(succeeded(bloom_builder_start(&geometry, &meta, NULL, &builder, &error), &error));
	memset(oracle.count, 0, sizeof oracle.count);
	for (i = 0; i < keys; i++) {
		key = take_byte(from);
		(void)bloom_builder_add(&builder, &key, 1);
		oracle.count[key] = 1;
	}
	require(finish(&builder, oracle.count));
	load_bytes(builder.image, builder.image_bytes);
	bloom_builder_free(&builder);
}

static void begin_loaded(void)
{
	small_blob blob = blob_with(&geometry, 65536, 1, 0);

	load_bytes(blob.bytes, blob.count);
	bloom_unmap(blob.bytes, blob.count);
	attach();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count)
{
	static const bloom_kind kinds[] = {BLOOM_KIND_LIVE, BLOOM_KIND_COUNTING,
		BLOOM_KIND_SCALABLE, BLOOM_KIND_SLIDING, BLOOM_KIND_REVERSE, BLOOM_KIND_LOADED};
	input from = {.next = data, .left = count};
	int free_file = lowest_free_file();
	bloom_kind kind = kinds[take_byte(&from) % (sizeof kinds / sizeof *kinds)];
	unsigned i;

	clock_now_ms = 1000000;
	memset(&oracle, 0, sizeof oracle);
	choose_geometry(take_byte(&from), kind == BLOOM_KIND_REVERSE);
	wipe_filter(name);
	if (kind == BLOOM_KIND_LOADED) {
		begin_loaded();
	} else {
		make_live(kind, NULL);
	}
	for (i = 0; i < STEPS_MAX && from.left > 0; i++) {
		switch (kind) {
		case BLOOM_KIND_LIVE:
			run_live(&from);
			break;
		case BLOOM_KIND_COUNTING:
			run_counting(&from);
			break;
		case BLOOM_KIND_SCALABLE:
			run_scalable(&from);
			break;
		case BLOOM_KIND_SLIDING:
			run_sliding(&from);
			break;
		case BLOOM_KIND_REVERSE:
			run_reverse(&from);
			break;
		default:
			run_loaded(&from);
		}
		/* A key of these kinds may expire or be replaced later, so they are checked after
		 * each operation. */
		if (kind == BLOOM_KIND_SLIDING || kind == BLOOM_KIND_LOADED || i % 8 == 7) {
			check_all();
		}
	}
	check_all();
	if (kind == BLOOM_KIND_SLIDING && !oracle.clock_was_set) {
		check_silence();
	}
	bloom_detach(&attachment);
	require(lowest_free_file() == free_file);
	return 0;
}

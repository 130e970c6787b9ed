#include "kinds/ondemand.h"

#include <stdlib.h>
#include <string.h>

#include "kinds/attachment_state.h"
#include "kinds/loaded.h"
#include "os/clock.h"
#include "os/mapping.h"
#include "filter/signature.h"

enum { CLOCK_LOCK = 0 };

/* An entry consists of two bits of state, followed by either the end of the claim or the filling
 * number and the slot. */
#define ABSENT UINT64_C(0)
#define FETCHING (UINT64_C(1) << 62)
#define RESIDENT (UINT64_C(1) << 63)
#define TIME_MASK (FETCHING - 1)
#define FILLING_UNIT (UINT64_C(1) << 32)
#define FILLING_MASK ((FETCHING - 1) & ~(FILLING_UNIT - 1))
#define SLOT_MASK (FILLING_UNIT - 1)

static const uint64_t page_bytes = BLOOM_CACHE_HEAD_BYTES;

/* ---- the file's layout ---- */

typedef struct layout {
	uint64_t entries;
	uint64_t owners;
	uint64_t used;
	uint64_t slots;
	uint64_t end;
} layout;

static uint64_t whole_pages(uint64_t bytes)
{
	return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

static layout layout_of(const bloom_head *blob, uint64_t slots)
{
	layout at;

	at.entries = page_bytes + blob->head_bytes;
	at.owners = at.entries + blob->chunks * sizeof(uint64_t);
	at.used = at.owners + slots * sizeof(uint64_t);
	at.slots = whole_pages(at.used + slots);
	at.end = at.slots + slots * blob->meta.chunk_bytes;
	return at;
}

uint64_t bloom_cache_bytes_least(const bloom_head *blob)
{
	return layout_of(blob, 1).end;
}

/* Returns how many slots fit into the memory, at most one for each chunk. */
static uint64_t slots_for(const bloom_head *blob, uint64_t memory_bytes)
{
	/* Exclude the padding to a whole page, because the tables for further slots may use that
	 * space. */
	uint64_t fixed = layout_of(blob, 0).used;
	uint64_t each = sizeof(uint64_t) + 1 + blob->meta.chunk_bytes;
	uint64_t slots = memory_bytes > fixed ? (memory_bytes - fixed) / each : 0;

	while (slots > 0 && layout_of(blob, slots).end > memory_bytes) {
		slots--;
	}
	return slots < blob->chunks ? slots : blob->chunks;
}

static bool test_bloom(const bloom_cache *cache, const unsigned char *bytes, bloom_digest digest)
{
	return bloom_block_test(&cache->view, bytes, digest);
}

static bool test_ribbon(const bloom_cache *cache, const unsigned char *bytes, bloom_digest digest)
{
	return bloom_ribbon_test_shard(&cache->ribbon, bytes, digest);
}

static void attach_tables(bloom_cache *cache, unsigned char *map, uint64_t slots)
{
	layout at = layout_of(&cache->blob, slots);

	cache->head = (bloom_cache_head *)(void *)map;
	cache->id = cache->head->id;
	cache->memory_bytes = cache->head->memory_bytes;
	cache->slot_count = slots;
	cache->view = bloom_view_of(&cache->blob.geometry, NULL);
	cache->test = test_bloom;
	if (bloom_loaded_kind(&cache->blob.geometry) == BLOOM_KIND_RIBBON) {
		cache->ribbon = bloom_ribbon_of(&cache->blob.geometry, NULL);
		cache->test = test_ribbon;
	}
	cache->entries = (uint64_t *)(void *)(map + at.entries);
	cache->owners = (uint64_t *)(void *)(map + at.owners);
	cache->used = map + at.used;
	cache->slots = map + at.slots;
}

/* ---- mapping ---- */

/* Checks a mapped file and copies the words that must not change while the file is in use. */
static bloom_status check_file(
	bloom_cache *cache, unsigned char *map, const char *file_name, bloom_error *error)
{
	const bloom_cache_head *head = (bloom_cache_head *)(void *)map;
	uint64_t bytes = cache->map_bytes, slots;
	bloom_status status;

	if (bytes < page_bytes + BLOOM_HEAD_FIXED_BYTES || head->magic != BLOOM_CACHE_MAGIC ||
		head->layout != BLOOM_CACHE_LAYOUT) {
		return bloom_fail(error, BLOOM_E_CACHE, 0, "%s", file_name);
	}
	status = bloom_head_parse(map + page_bytes, bytes - page_bytes, &cache->blob, error);
	if (status != BLOOM_OK) {
		return status;
	}
	slots = bloom_load_relaxed(&head->slots);
	if (cache->blob.geometry.groups != 0 || cache->blob.geometry.layers != 0 ||
		cache->blob.geometry.value_bits != 0 || slots < 1 || slots > cache->blob.chunks ||
		layout_of(&cache->blob, slots).end != bytes) {
		return bloom_fail(error, BLOOM_E_CACHE, 0, "%s", file_name);
	}
	attach_tables(cache, map, slots);
	return BLOOM_OK;
}

bloom_status bloom_cache_map(
	const bloom_filter_dir *dir, const char *file_name, bloom_cache *cache, bloom_error *error)
{
	bloom_cache fresh = {0};
	bloom_mapped mapped = {0};
	bloom_status status =
		bloom_filter_dir_map(dir, file_name, BLOOM_MAP_WRITE, 0, &mapped, error);

	if (status != BLOOM_OK) {
		return status == BLOOM_E_SHORT
			? bloom_fail(error, BLOOM_E_CACHE, 0, "%s", file_name)
			: status;
	}
	fresh.map_bytes = mapped.bytes;
	fresh.lock = bloom_filelock_of(file_name, mapped.identity);
	status = check_file(&fresh, mapped.map, file_name, error);
	if (status == BLOOM_OK) {
		status = bloom_signature_check(&fresh.blob, mapped.map + page_bytes, dir->name,
			dir->segment->signers, error);
	}
	if (status == BLOOM_OK) {
		status =
			bloom_hasher_find(fresh.blob.geometry.seed, fresh.blob.geometry.fingerprint,
				dir->segment->secrets, &fresh.hasher, error);
	}
	if (status != BLOOM_OK) {
		bloom_unmap(mapped.map, fresh.map_bytes);
		return status;
	}
	*cache = fresh;
	return BLOOM_OK;
}

void bloom_cache_unmap(bloom_cache *cache)
{
	if (cache->head != NULL) {
		bloom_unmap((const unsigned char *)cache->head, cache->map_bytes);
		bloom_filelock_close(&cache->lock);
		bloom_wipe(&cache->hasher, sizeof cache->hasher);
		cache->head = NULL;
	}
}

/* ---- looking up ---- */

static uint64_t offset_of(const bloom_cache *cache, bloom_digest digest)
{
	return bloom_fast_range(digest, cache->view.blocks) * cache->view.block_bytes;
}

uint64_t bloom_cache_chunk(const bloom_cache *cache, bloom_digest digest)
{
	return offset_of(cache, digest) / cache->blob.meta.chunk_bytes;
}

/* Returns the bytes of a chunk with this entry. Returns NULL if the chunk is not resident, or if
 * its entry does not match the slot's owner. */
static const unsigned char *find(
	const bloom_cache *cache, uint64_t chunk, uint64_t entry, uint64_t *slot)
{
	*slot = entry & SLOT_MASK;
	if ((entry & (RESIDENT | FETCHING)) != RESIDENT || *slot >= cache->slot_count ||
		bloom_load_relaxed(&cache->owners[*slot]) != chunk + 1) {
		return NULL;
	}
	return cache->slots + *slot * cache->blob.meta.chunk_bytes;
}

static void set_used(bloom_cache *cache, uint64_t slot)
{
	if (!bloom_load_byte(&cache->used[slot])) {
		bloom_store_byte(&cache->used[slot], 1);
	}
}

bloom_answer bloom_cache_test(bloom_cache *cache, bloom_digest digest)
{
	uint64_t offset = offset_of(cache, digest), slot;
	uint64_t chunk = offset / cache->blob.meta.chunk_bytes;
	uint64_t entry = bloom_load_acquire(&cache->entries[chunk]);
	const unsigned char *bytes = find(cache, chunk, entry, &slot);
	bool found;

	if (bytes == NULL) {
		return BLOOM_NOT_HERE;
	}
	bytes += offset % cache->blob.meta.chunk_bytes;
	found = cache->test(cache, bytes, digest);
	bloom_fence();
	if (bloom_load_acquire(&cache->entries[chunk]) != entry) {
		return BLOOM_NOT_HERE;
	}
	set_used(cache, slot);
	return found ? BLOOM_MAYBE : BLOOM_NO;
}

bool bloom_cache_has(const bloom_cache *cache, uint64_t chunk)
{
	uint64_t slot;

	return find(cache, chunk, bloom_load_acquire(&cache->entries[chunk]), &slot) != NULL;
}

bool bloom_cache_keep(bloom_cache *cache, uint64_t chunk)
{
	uint64_t slot;

	if (find(cache, chunk, bloom_load_acquire(&cache->entries[chunk]), &slot) == NULL) {
		return false;
	}
	set_used(cache, slot);
	return true;
}

uint64_t bloom_cache_resident(const bloom_cache *cache)
{
	uint64_t chunk, resident = 0;

	for (chunk = 0; chunk < cache->blob.chunks; chunk++) {
		resident += bloom_cache_has(cache, chunk);
	}
	return resident;
}

/* ---- claims ---- */

uint64_t bloom_cache_claim(bloom_cache *cache, uint64_t chunk, uint64_t now_ms)
{
	uint64_t entry = bloom_load_acquire(&cache->entries[chunk]);
	uint64_t mine = FETCHING | ((now_ms + BLOOM_CLAIM_MS) & TIME_MASK);
	uint64_t slot;

	if (find(cache, chunk, entry, &slot) != NULL ||
		((entry & (RESIDENT | FETCHING)) == FETCHING &&
			bloom_clock_remaining_ms(now_ms, entry & TIME_MASK, BLOOM_CLAIM_MS) > 0)) {
		return 0;
	}
	return bloom_compare_swap(&cache->entries[chunk], entry, mine) ? mine : 0;
}

void bloom_cache_unclaim(bloom_cache *cache, uint64_t chunk, uint64_t claim)
{
	(void)bloom_compare_swap(&cache->entries[chunk], claim, ABSENT);
}

/* ---- filling ---- */

/* Returns true if an entry refers to this slot. Otherwise the slot is free: it was never filled, or
 * the process that filled it was killed. */
static bool is_in_use(const bloom_cache *cache, uint64_t slot, uint64_t *chunk)
{
	uint64_t owner = bloom_load_relaxed(&cache->owners[slot]), named;

	if (owner == 0 || owner > cache->blob.chunks) {
		return false;
	}
	*chunk = owner - 1;
	return find(cache, *chunk, bloom_load_acquire(&cache->entries[*chunk]), &named) != NULL &&
		named == slot;
}

/* Selects a slot to fill and sets the entry of its chunk to ABSENT. The caller holds the lock. */
static uint64_t take_slot(bloom_cache *cache)
{
	uint64_t slots = cache->slot_count, i, slot = 0, chunk = 0;

	/* Two rounds clear every bit at least once. Concurrent lookups may set bits again, so the
	 * loop needs a limit. */
	for (i = 0; i <= 2 * slots; i++) {
		slot = bloom_add(&cache->head->hand, 1) % slots;
		if (!is_in_use(cache, slot, &chunk)) {
			return slot;
		}
		if (!bloom_load_byte(&cache->used[slot])) {
			break;
		}
		bloom_store_byte(&cache->used[slot], 0);
	}
	bloom_store_release(&cache->entries[chunk], ABSENT);
	bloom_increment(&cache->head->evicted);
	return slot;
}

static bloom_status verify_digest(
	const bloom_head *blob, uint64_t chunk, const unsigned char *bytes, bloom_error *error)
{
	return bloom_chunk_matches(blob, chunk, bytes)
		? BLOOM_OK
		: bloom_fail(
			  error, BLOOM_E_CHUNK_DIGEST, 0, "chunk %llu", (unsigned long long)chunk);
}

static bloom_status verify_chunk(
	const bloom_head *blob, uint64_t chunk, const unsigned char *bytes, bloom_error *error)
{
	uint32_t shard_bytes = blob->geometry.shard_bytes;
	bloom_status status = verify_digest(blob, chunk, bytes, error);

	return status != BLOOM_OK
		? status
		: bloom_shards_verify(blob, bytes,
			  bloom_head_chunk_offset(blob, chunk) / shard_bytes,
			  bloom_head_chunk_length(blob, chunk) / shard_bytes, error);
}

bloom_status bloom_cache_verify(bloom_cache *cache, uint64_t chunk, bloom_error *error)
{
	uint64_t entry = bloom_load_acquire(&cache->entries[chunk]), slot;
	const unsigned char *bytes = find(cache, chunk, entry, &slot);

	if (bytes == NULL || bloom_chunk_matches(&cache->blob, chunk, bytes)) {
		return BLOOM_OK;
	}
	bloom_fence();
	/* The exchange fails if the slot was reassigned to a different chunk during the check. In
	 * that case the checked bytes may belong to that chunk. */
	return bloom_compare_swap(&cache->entries[chunk], entry, ABSENT)
		? bloom_fail(
			  error, BLOOM_E_CHUNK_DIGEST, 0, "chunk %llu", (unsigned long long)chunk)
		: BLOOM_OK;
}

/* Stores whole words atomically, because lookups may still be reading the slot. Such lookups
 * discard their result when they read the entry again. */
static void write_words(unsigned char *at, const unsigned char *bytes, uint64_t count)
{
	uint64_t *words = (uint64_t *)(void *)at, word, i;

	for (i = 0; i < count / sizeof word; i++) {
		memcpy(&word, bytes + i * sizeof word, sizeof word);
		bloom_store_relaxed(words + i, word);
	}
}

/* Fills a slot that no other process can take. A lookup may still be using an earlier entry of the
 * chunk, so a filling number makes each entry unique. The number is reserved first, so that no
 * later filling reuses it if this process is killed. */
static bloom_status fill(bloom_cache *cache, uint64_t slot, uint64_t chunk,
	const unsigned char *bytes, bloom_error *error)
{
	uint64_t filling = bloom_add(&cache->head->fillings, 1) + 1;
	unsigned char *at = cache->slots + slot * cache->blob.meta.chunk_bytes;
	bloom_status status;

	bloom_store_relaxed(&cache->owners[slot], 0);
	bloom_fence(); /* the victim's entry must be absent before its bytes change */
	write_words(at, bytes, bloom_head_chunk_length(&cache->blob, chunk));
	status = verify_chunk(&cache->blob, chunk, at, error);
	if (status == BLOOM_OK) {
		bloom_store_byte(&cache->used[slot], 1);
		bloom_store_relaxed(&cache->owners[slot], chunk + 1);
		bloom_store_release(&cache->entries[chunk],
			RESIDENT | (filling * FILLING_UNIT & FILLING_MASK) | slot);
		bloom_increment(&cache->head->fetched);
	}
	return status;
}

bloom_status bloom_cache_put(bloom_cache *cache, const bloom_segment *segment, const char *name,
	uint64_t chunk, const unsigned char *bytes, bloom_error *error)
{
	uint64_t wait_ms = segment->lock_timeout_ms < BLOOM_PUT_WAIT_MS ? segment->lock_timeout_ms
									: BLOOM_PUT_WAIT_MS;
	bloom_status status = verify_chunk(&cache->blob, chunk, bytes, error);
	int file = -1;

	if (status == BLOOM_OK) {
		status = bloom_filelock_take(
			&cache->lock, segment, name, CLOCK_LOCK, wait_ms, &file, error);
	}
	if (status != BLOOM_OK) {
		return status;
	}
	if (!bloom_cache_has(cache, chunk)) {
		status = fill(cache, take_slot(cache), chunk, bytes, error);
	}
	bloom_filelock_release(file, CLOCK_LOCK);
	return status;
}

/* ---- creating a generation ---- */

/* Copies an unchanged chunk from the replaced generation. The chunk may be evicted from that
 * generation during the copy, so the copy is verified like a fetched chunk. */
static bool take_chunk(
	bloom_cache *cache, uint64_t slot, uint64_t chunk, const bloom_cache *before, bool is_used)
{
	uint64_t old_slot;
	const unsigned char *bytes =
		find(before, chunk, bloom_load_acquire(&before->entries[chunk]), &old_slot);

	if (bytes == NULL || (bloom_load_byte(&before->used[old_slot]) != 0) != is_used ||
		cache->blob.chunk_digest != before->blob.chunk_digest ||
		bloom_head_chunk_length(&cache->blob, chunk) !=
			bloom_head_chunk_length(&before->blob, chunk) ||
		memcmp(bloom_head_chunk(&cache->blob, chunk),
			bloom_head_chunk(&before->blob, chunk), BLOOM_CHUNK_DIGEST_BYTES) != 0 ||
		fill(cache, slot, chunk, bytes, NULL) != BLOOM_OK) {
		return false;
	}
	bloom_store_byte(&cache->used[slot], is_used);
	return true;
}

/* Copies recently used chunks first, because the new file may have fewer slots. */
static void take_over(bloom_cache *cache, const bloom_cache *before)
{
	uint64_t chunks =
		cache->blob.chunks < before->blob.chunks ? cache->blob.chunks : before->blob.chunks;
	uint64_t chunk, slot = 0;
	int round;

	for (round = 0; round < 2; round++) {
		for (chunk = 0; chunk < chunks && slot < cache->slot_count; chunk++) {
			/* Do not copy a chunk twice if its used bit changes between the rounds. */
			if (!bloom_cache_has(cache, chunk)) {
				slot += take_chunk(cache, slot, chunk, before, round == 0);
			}
		}
	}
	cache->head->hand = slot;
	/* The counters continue across versions. */
	cache->head->misses = bloom_load_relaxed(&before->head->misses);
	cache->head->unavailable = bloom_load_relaxed(&before->head->unavailable);
	cache->head->fetched = bloom_load_relaxed(&before->head->fetched);
	cache->head->evicted = bloom_load_relaxed(&before->head->evicted);
	cache->head->fetch_failures = bloom_load_relaxed(&before->head->fetch_failures);
}

bloom_status bloom_cache_stage(const bloom_segment *segment, const char *name,
	uint64_t memory_bytes, const bloom_head *blob, const unsigned char *bytes,
	const bloom_cache *before, bloom_stage *stage, bloom_error *error)
{
	uint64_t slots = slots_for(blob, memory_bytes);
	bloom_cache cache = {0};
	unsigned char *map = NULL;
	bloom_status status;

	if (bloom_loaded_kind(&blob->geometry) == BLOOM_KIND_INDEX) {
		return bloom_fail(error, BLOOM_E_KIND, 0,
			"%.128s: a reverse index was published, but an on-demand filter was "
			"requested",
			name);
	}
	if (blob->geometry.layers != 0) {
		return bloom_fail(error, BLOOM_E_IMPORTED, 0, "%.128s", name);
	}
	if (blob->geometry.value_bits != 0) {
		return bloom_fail(error, BLOOM_E_MAP_WHOLE, 0, "%.128s", name);
	}
	if (blob->meta.mark.epoch != 0) {
		return bloom_fail(error, BLOOM_E_JOURNAL_KIND, 0, "%.128s", name);
	}
	if (slots == 0) {
		return bloom_fail(error, BLOOM_E_BUDGET, 0,
			"%.128s: %llu bytes requested, %llu needed", name,
			(unsigned long long)memory_bytes,
			(unsigned long long)bloom_cache_bytes_least(blob));
	}
	status = bloom_stage_begin(segment, name, layout_of(blob, slots).end, stage, error);
	if (status != BLOOM_OK) {
		return status;
	}
	status = bloom_stage_admit(stage, blob, bytes, BLOOM_CACHE_HEAD_BYTES, error);
	if (status == BLOOM_OK) {
		status = bloom_stage_allocate(stage, BLOOM_KIND_ON_DEMAND, &map, error);
	}
	if (status == BLOOM_OK) {
		*(bloom_cache_head *)(void *)map = (bloom_cache_head){
			.magic = BLOOM_CACHE_MAGIC,
			.layout = BLOOM_CACHE_LAYOUT,
			.memory_bytes = memory_bytes,
			.slots = slots,
			.id = bloom_random(),
		};
		memcpy(map + page_bytes, bytes, (size_t)blob->head_bytes);
		status = bloom_head_parse(map + page_bytes, blob->head_bytes, &cache.blob, error);
	}
	if (status != BLOOM_OK) {
		bloom_stage_abort(stage);
		return status;
	}
	attach_tables(&cache, map, slots);
	if (before != NULL) {
		take_over(&cache, before);
		/* The last chunk may be shorter. */
		stage->saved_bytes = bloom_cache_resident(&cache) * blob->meta.chunk_bytes;
	}
	return BLOOM_OK;
}

/* ---- operations ---- */

static bloom_status map(const bloom_kind_ops *self, bloom_attachment *attachment,
	const bloom_filter_dir *dir, uint64_t generation, const char *file_name, bloom_error *error)
{
	bloom_cache *cache = malloc(sizeof *cache);
	bloom_status status = cache != NULL ? bloom_cache_map(dir, file_name, cache, error)
					    : bloom_fail(error, BLOOM_E_MEMORY, 0, "%s", file_name);

	(void)generation;
	if (status == BLOOM_OK) {
		bloom_attachment_adopt(attachment, self, cache, &cache->hasher, BLOOM_PRESENCE_OPS);
		attachment->view = cache->view;
	} else {
		free(cache);
	}
	return status;
}

static void unmap(bloom_attachment *attachment)
{
	bloom_cache_unmap(attachment->cache);
	free(attachment->cache);
}

static bool test(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes)
{
	bloom_cache *cache = attachment->cache;
	bloom_answer answer =
		bloom_cache_test(cache, bloom_hash(&attachment->hasher, key, key_bytes));

	if (answer == BLOOM_NOT_HERE) {
		bloom_increment(&cache->head->unavailable);
	}
	return answer != BLOOM_NO;
}

static const bloom_head *head(const bloom_attachment *attachment, const unsigned char **bytes)
{
	const bloom_cache *cache = attachment->cache;

	*bytes = (const unsigned char *)cache->head + BLOOM_CACHE_HEAD_BYTES;
	return &cache->blob;
}

static uint64_t pieces(const bloom_attachment *attachment, uint64_t *piece_bytes)
{
	*piece_bytes = attachment->cache->blob.meta.chunk_bytes;
	return attachment->cache->blob.chunks;
}

static bloom_status verify(
	const bloom_attachment *attachment, uint64_t first, uint64_t count, bloom_error *error)
{
	bloom_status status = BLOOM_OK;
	uint64_t chunk;

	for (chunk = first; chunk < first + count && status == BLOOM_OK; chunk++) {
		status = bloom_cache_verify(attachment->cache, chunk, error);
	}
	return status;
}

const bloom_kind_ops bloom_kind_on_demand = {
	.kind = BLOOM_KIND_ON_DEMAND,
	.fetches = true,
	.gives_up_pieces = true,
	.map = map,
	.unmap = unmap,
	.test = test,
	.head = head,
	.pieces = pieces,
	.verify = verify,
};

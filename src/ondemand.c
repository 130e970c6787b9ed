#include "ondemand.h"

#include <string.h>

enum { CLOCK_LOCK = 0 };

/* Entries: two bits of state, and what belongs to it. */
#define ABSENT UINT64_C(0)
#define FETCHING (UINT64_C(1) << 62)
#define RESIDENT (UINT64_C(1) << 63)
#define TIME_MASK (FETCHING - 1)
#define FILLING_UNIT (UINT64_C(1) << 32)
#define FILLING_MASK ((FETCHING - 1) & ~(FILLING_UNIT - 1))

static const uint64_t page_bytes = BLOOM_CACHE_HEAD_BYTES;

/* ---- the file's layout ---- */

typedef struct layout {
	uint64_t entries;
	uint64_t owners;
	uint64_t marks;
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
	at.marks = at.owners + slots * sizeof(uint64_t);
	at.slots = whole_pages(at.marks + slots);
	at.end = at.slots + slots * blob->meta.chunk_bytes;
	return at;
}

uint64_t bloom_cache_bytes_least(const bloom_head *blob)
{
	return layout_of(blob, 1).end;
}

/* As many slots as the memory holds, and no more than there are chunks. */
static uint64_t slots_for(const bloom_head *blob, uint64_t memory_bytes)
{
	uint64_t fixed = layout_of(blob, 0).end;
	uint64_t each = sizeof(uint64_t) + 1 + blob->meta.chunk_bytes;
	uint64_t slots = memory_bytes > fixed ? (memory_bytes - fixed) / each : 0;

	while (slots > 0 && layout_of(blob, slots).end > memory_bytes) {
		slots--;
	}
	return slots < blob->chunks ? slots : blob->chunks;
}

static void attach_tables(bloom_cache *cache, unsigned char *map)
{
	layout at = layout_of(&cache->blob, ((bloom_cache_head *)(void *)map)->slots);

	cache->head = (bloom_cache_head *)(void *)map;
	cache->view = bloom_view_of(&cache->blob.geometry, NULL);
	cache->entries = (uint64_t *)(void *)(map + at.entries);
	cache->owners = (uint64_t *)(void *)(map + at.owners);
	cache->marks = map + at.marks;
	cache->slots = map + at.slots;
}

/* ---- mapping ---- */

static bloom_status check_file(
	const bloom_cache_head *head, uint64_t bytes, const char *file_name, bloom_head *blob,
	bloom_error *error)
{
	bloom_status status;

	if (bytes < page_bytes + BLOOM_HEAD_FIXED_BYTES || head->magic != BLOOM_CACHE_MAGIC ||
		head->layout != BLOOM_CACHE_LAYOUT) {
		return bloom_fail(error, BLOOM_E_CACHE, 0, "%s", file_name);
	}
	status = bloom_head_parse(
		(const unsigned char *)head + page_bytes, bytes - page_bytes, blob, error);
	if (status != BLOOM_OK) {
		return status;
	}
	if (head->slots < 1 || head->slots > blob->chunks ||
		layout_of(blob, head->slots).end != bytes) {
		return bloom_fail(error, BLOOM_E_CACHE, 0, "%s", file_name);
	}
	return BLOOM_OK;
}

bloom_status bloom_cache_map(
	const bloom_place *opened, const char *file_name, bloom_cache *cache, bloom_error *error)
{
	bloom_cache fresh = {0};
	unsigned char *map = NULL;
	bloom_status status =
		bloom_filelock_open(opened, file_name, &fresh.lock, &fresh.map_bytes, error);

	if (status != BLOOM_OK) {
		return status;
	}
	if (fresh.map_bytes < page_bytes) {
		status = bloom_fail(error, BLOOM_E_CACHE, 0, "%s", file_name);
	} else {
		status = bloom_map(fresh.lock.file, fresh.map_bytes, true, &map, error);
	}
	if (status == BLOOM_OK) {
		status = check_file((bloom_cache_head *)(void *)map, fresh.map_bytes, file_name,
			&fresh.blob, error);
	}
	if (status != BLOOM_OK) {
		bloom_unmap(map, fresh.map_bytes);
		bloom_filelock_close(&fresh.lock);
		return status;
	}
	attach_tables(&fresh, map);
	*cache = fresh;
	return BLOOM_OK;
}

void bloom_cache_unmap(bloom_cache *cache)
{
	if (cache->head != NULL) {
		bloom_unmap((const unsigned char *)cache->head, cache->map_bytes);
		bloom_filelock_close(&cache->lock);
		cache->head = NULL;
	}
}

/* ---- looking up ---- */

static uint64_t offset_of(const bloom_cache *cache, bloom_digest digest)
{
	return bloom_place_block(digest.place, cache->view.blocks) * cache->view.block_bytes;
}

uint64_t bloom_cache_chunk(const bloom_cache *cache, bloom_digest digest)
{
	return offset_of(cache, digest) / cache->blob.meta.chunk_bytes;
}

/* Where a resident entry's chunk is; NULL for another entry, or a damaged one. */
static unsigned char *slot_of(const bloom_cache *cache, uint64_t entry, uint64_t *slot)
{
	*slot = entry & (FILLING_UNIT - 1);
	if (!(entry & RESIDENT) || *slot >= cache->head->slots) {
		return NULL;
	}
	return cache->slots + *slot * cache->blob.meta.chunk_bytes;
}

bloom_answer bloom_cache_test(bloom_cache *cache, bloom_digest digest)
{
	uint64_t offset = offset_of(cache, digest), slot;
	uint64_t chunk = offset / cache->blob.meta.chunk_bytes;
	uint64_t entry = bloom_load_acquire(&cache->entries[chunk]);
	const unsigned char *bytes = slot_of(cache, entry, &slot);
	bool found;

	if (bytes == NULL) {
		return BLOOM_NOT_HERE;
	}
	found = bloom_block_test(
		&cache->view, bytes + offset % cache->blob.meta.chunk_bytes, digest);
	bloom_fence();
	if (bloom_load_acquire(&cache->entries[chunk]) != entry) {
		return BLOOM_NOT_HERE;
	}
	if (!bloom_load_byte(&cache->marks[slot])) {
		bloom_store_byte(&cache->marks[slot], 1);
	}
	return found ? BLOOM_MAYBE : BLOOM_NO;
}

bool bloom_cache_has(const bloom_cache *cache, uint64_t chunk)
{
	return (bloom_load_acquire(&cache->entries[chunk]) & RESIDENT) != 0;
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

bool bloom_cache_may_fetch(const bloom_cache *cache, uint64_t now_ms)
{
	uint64_t retry = bloom_load_relaxed(&cache->head->retry_at_ms);

	/* One that lies further ahead than any pause is of another boot. */
	return now_ms >= retry || retry - now_ms > BLOOM_FETCH_PAUSE_MS_MAX;
}

bool bloom_cache_claim(bloom_cache *cache, uint64_t chunk, uint64_t now_ms)
{
	uint64_t entry = bloom_load_acquire(&cache->entries[chunk]);
	uint64_t until = entry & TIME_MASK;

	if ((entry & RESIDENT) ||
		((entry & FETCHING) && until > now_ms && until - now_ms <= BLOOM_CLAIM_MS)) {
		return false;
	}
	return bloom_compare_swap(
		&cache->entries[chunk], entry, FETCHING | ((now_ms + BLOOM_CLAIM_MS) & TIME_MASK));
}

void bloom_cache_unclaim(bloom_cache *cache, uint64_t chunk)
{
	uint64_t entry = bloom_load_acquire(&cache->entries[chunk]);

	if (!(entry & RESIDENT)) {
		(void)bloom_compare_swap(&cache->entries[chunk], entry, ABSENT);
	}
}

void bloom_cache_fetched(bloom_cache *cache)
{
	if (bloom_load_relaxed(&cache->head->failures_in_row) != 0) {
		bloom_store_relaxed(&cache->head->failures_in_row, 0);
		bloom_store_relaxed(&cache->head->retry_at_ms, 0);
	}
}

void bloom_cache_failed(bloom_cache *cache, uint64_t now_ms)
{
	enum { DOUBLINGS_MAX = 5 };
	uint64_t before = bloom_add(&cache->head->failures_in_row, 1);
	uint64_t pause = (uint64_t)BLOOM_FETCH_PAUSE_MS_MIN
		<< (before < DOUBLINGS_MAX ? before : DOUBLINGS_MAX);

	bloom_increment(&cache->head->fetch_failures);
	bloom_store_relaxed(&cache->head->retry_at_ms,
		now_ms + (pause < BLOOM_FETCH_PAUSE_MS_MAX ? pause : BLOOM_FETCH_PAUSE_MS_MAX));
}

/* ---- filling ---- */

/* Whether an entry still names this slot. Otherwise it is free: never filled, or its filler was killed. */
static bool is_in_use(const bloom_cache *cache, uint64_t slot, uint64_t *chunk)
{
	uint64_t owner = bloom_load_relaxed(&cache->owners[slot]), named;

	if (owner == 0 || owner > cache->blob.chunks) {
		return false;
	}
	*chunk = owner - 1;
	return slot_of(cache, bloom_load_acquire(&cache->entries[*chunk]), &named) != NULL &&
		named == slot;
}

/* A slot to be filled, whose chunk, if it had one, is no longer found. Under the lock. */
static uint64_t take_slot(bloom_cache *cache)
{
	uint64_t slots = cache->head->slots, i, slot = 0, chunk = 0;

	/* After two rounds every mark has been cleared once; lookups may set them again meanwhile. */
	for (i = 0; i <= 2 * slots; i++) {
		slot = bloom_add(&cache->head->hand, 1) % slots;
		if (!is_in_use(cache, slot, &chunk)) {
			return slot;
		}
		if (!bloom_load_byte(&cache->marks[slot])) {
			break;
		}
		bloom_store_byte(&cache->marks[slot], 0);
	}
	bloom_store_release(&cache->entries[chunk], ABSENT);
	bloom_increment(&cache->head->evicted);
	return slot;
}

static bloom_status verify_chunk(
	const bloom_head *blob, uint64_t chunk, const unsigned char *bytes, bloom_error *error)
{
	uint64_t length = bloom_head_chunk_length(blob, chunk);
	uint32_t shard_bytes = blob->geometry.shard_bytes;
	unsigned char digest[BLOOM_CHUNK_DIGEST_BYTES];

	bloom_chunk_digest(bytes, length, digest);
	if (memcmp(digest, bloom_head_chunk(blob, chunk), sizeof digest) != 0) {
		return bloom_fail(error, BLOOM_E_CHUNK_DIGEST, 0, "chunk %llu",
			(unsigned long long)chunk);
	}
	return bloom_shards_verify(blob, bytes,
		bloom_head_chunk_offset(blob, chunk) / shard_bytes, length / shard_bytes, error);
}

/* Fills a slot that is the caller's. The filling's number makes its entry unlike that of an earlier filling,
 * which a lookup may still have in hand. */
static bloom_status fill(bloom_cache *cache, uint64_t slot, uint64_t chunk, uint64_t filling,
	const unsigned char *bytes, bloom_error *error)
{
	unsigned char *at = cache->slots + slot * cache->blob.meta.chunk_bytes;
	bloom_status status;

	bloom_store_relaxed(&cache->owners[slot], 0);
	bloom_fence(); /* the victim's entry is gone before its bytes are */
	memcpy(at, bytes, bloom_head_chunk_length(&cache->blob, chunk));
	status = verify_chunk(&cache->blob, chunk, at, error);
	if (status == BLOOM_OK) {
		bloom_store_byte(&cache->marks[slot], 1);
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
	bloom_status status = bloom_filelock_take(
		&cache->lock, segment, name, CLOCK_LOCK, segment->lock_timeout_ms, error);
	uint64_t slot;

	if (status != BLOOM_OK) {
		return status;
	}
	if (!bloom_cache_has(cache, chunk)) {
		slot = take_slot(cache);
		status = fill(cache, slot, chunk, bloom_load_relaxed(&cache->head->fetched) + 1,
			bytes, error);
	}
	bloom_filelock_release(&cache->lock, CLOCK_LOCK);
	return status;
}

/* ---- making one ---- */

/* Copies the chunks that the version before has here and that are still the same. Under its lock, so that
 * none is replaced meanwhile. What is copied is verified like any other. */
static void take_over(bloom_cache *cache, const bloom_cache *before)
{
	uint64_t chunk, slot = 0, old_slot;
	const unsigned char *bytes;

	for (chunk = 0; chunk < cache->blob.chunks && chunk < before->blob.chunks &&
		slot < cache->head->slots; chunk++) {
		bytes = slot_of(
			before, bloom_load_acquire(&before->entries[chunk]), &old_slot);
		if (bytes != NULL &&
			bloom_head_chunk_length(&cache->blob, chunk) ==
				bloom_head_chunk_length(&before->blob, chunk) &&
			memcmp(bloom_head_chunk(&cache->blob, chunk),
				bloom_head_chunk(&before->blob, chunk),
				BLOOM_CHUNK_DIGEST_BYTES) == 0 &&
			fill(cache, slot, chunk, 0, bytes, NULL) == BLOOM_OK) {
			slot++;
		}
	}
	cache->head->hand = slot;
	/* What is counted is counted over all versions. */
	cache->head->misses = bloom_load_relaxed(&before->head->misses);
	cache->head->untold = bloom_load_relaxed(&before->head->untold);
	cache->head->fetched = bloom_load_relaxed(&before->head->fetched);
	cache->head->evicted = bloom_load_relaxed(&before->head->evicted);
	cache->head->fetch_failures = bloom_load_relaxed(&before->head->fetch_failures);
}

bloom_status bloom_cache_stage(const bloom_segment *segment, const char *name, uint64_t memory_bytes,
	const bloom_head *blob, const unsigned char *bytes, bloom_cache *before, bloom_stage *stage,
	bloom_error *error)
{
	uint64_t slots = slots_for(blob, memory_bytes);
	bloom_cache cache = {0};
	unsigned char *map = NULL;
	bloom_status status;

	if (slots == 0) {
		return bloom_fail(error, BLOOM_E_BUDGET, 0, "%s: %llu bytes, needs %llu", name,
			(unsigned long long)memory_bytes,
			(unsigned long long)bloom_cache_bytes_least(blob));
	}
	status = bloom_stage_begin(segment, name, layout_of(blob, slots).end, stage, error);
	if (status != BLOOM_OK) {
		return status;
	}
	status = bloom_stage_allocate(stage, BLOOM_KIND_ON_DEMAND, &map, error);
	if (status == BLOOM_OK) {
		*(bloom_cache_head *)(void *)map = (bloom_cache_head){
			.magic = BLOOM_CACHE_MAGIC,
			.layout = BLOOM_CACHE_LAYOUT,
			.memory_bytes = memory_bytes,
			.slots = slots,
		};
		memcpy(map + page_bytes, bytes, blob->head_bytes);
		status = bloom_head_parse(map + page_bytes, blob->head_bytes, &cache.blob, error);
	}
	if (status != BLOOM_OK) {
		bloom_stage_abort(stage);
		return status;
	}
	attach_tables(&cache, map);
	if (before != NULL &&
		bloom_filelock_take(&before->lock, segment, name, CLOCK_LOCK, 0, NULL) == BLOOM_OK) {
		take_over(&cache, before);
		bloom_filelock_release(&before->lock, CLOCK_LOCK);
	}
	return BLOOM_OK;
}

#include "build/solve.h"

#include <stdlib.h>
#include <string.h>

#include "os/parallel.h"

/* What a thread needs. Each thread solves a range of consecutive shards. */
typedef struct solver {
	bloom_ribbon_work work;
	bloom_ribbon_keys lost; /* map: the keys that the thread's home shards have lost */
	size_t lost_capacity;
	bool has_memory;
} solver;

typedef struct solving {
	bloom_solution *solution;
	uint32_t jobs;
	solver *solvers; /* `jobs` of them */
} solving;

/* ---- memory ---- */

static bool allocate_keys(size_t count, bool has_values, bloom_ribbon_keys *keys)
{
	count = count > 0 ? count : 1;
	keys->digests = calloc(count, sizeof *keys->digests);
	keys->values = has_values ? calloc(count, sizeof *keys->values) : NULL;
	return keys->digests != NULL && (!has_values || keys->values != NULL);
}

static void free_keys(bloom_ribbon_keys *keys)
{
	free(keys->digests);
	free(keys->values);
}

/* Allocates work space for shards with up to `keys` keys. Returns false if memory is exhausted;
 * free_work() then releases what was allocated. */
static bool allocate_work(const bloom_geometry *geometry, size_t keys, bloom_ribbon_work *work)
{
	size_t slots = bloom_ribbon_slots(geometry);
	bool is_map = geometry->value_bits != 0;

	*work = (bloom_ribbon_work){
		.equations = calloc(slots, sizeof *work->equations),
		.values = is_map ? calloc(slots, sizeof *work->values) : NULL,
		.groups = calloc(bloom_ribbon_groups(geometry), sizeof *work->groups),
	};
	/* Both are allocated in any case, so that both can be freed. */
	return (int)allocate_keys(keys, is_map, &work->ordered) &
		(int)allocate_keys(keys, is_map, &work->bumped) &
		(work->equations != NULL && work->groups != NULL &&
			(!is_map || work->values != NULL));
}

static void free_work(bloom_ribbon_work *work)
{
	free(work->equations);
	free(work->values);
	free(work->groups);
	free_keys(&work->ordered);
	free_keys(&work->bumped);
}

/* ---- home shards ---- */

/* Returns the index of the first digest that belongs to this shard or to a later one. */
static size_t first_digest(const bloom_solution *solution, uint64_t shard)
{
	uint64_t homes = bloom_geometry_home_shards(solution->geometry);
	size_t low = 0, high = solution->keys.count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (bloom_fast_range(solution->keys.digests[middle], homes) < shard) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static size_t fullest_shard(const bloom_solution *solution)
{
	uint64_t homes = bloom_geometry_home_shards(solution->geometry), shard;
	size_t first = 0, end, most = 0;

	for (shard = 0; shard < homes; shard++, first = end) {
		end = first_digest(solution, shard + 1);
		most = end - first > most ? end - first : most;
	}
	return most;
}

/* Appends the keys that a shard has lost to those of its thread. */
static bool keep_lost(const bloom_ribbon_keys *lost, solver *self)
{
	size_t count = self->lost.count + lost->count, capacity = 2 * count;
	bloom_digest *digests;
	uint64_t *values;

	if (count > self->lost_capacity) {
		digests = realloc(self->lost.digests, capacity * sizeof *digests);
		if (digests == NULL) {
			return false;
		}
		self->lost.digests = digests;
		values = realloc(self->lost.values, capacity * sizeof *values);
		if (values == NULL) {
			return false;
		}
		self->lost.values = values;
		self->lost_capacity = capacity;
	}
	if (lost->count > 0) {
		memcpy(self->lost.digests + self->lost.count, lost->digests,
			lost->count * sizeof *digests);
		memcpy(self->lost.values + self->lost.count, lost->values,
			lost->count * sizeof *values);
	}
	self->lost.count = count;
	return true;
}

static uint32_t row_keys(size_t count)
{
	return (uint32_t)(count < UINT32_MAX ? count : UINT32_MAX);
}

static void solve_own_shards(void *context, uint32_t job)
{
	solving *all = context;
	const bloom_solution *solution = all->solution;
	const bloom_geometry *geometry = solution->geometry;
	solver *self = &all->solvers[job];
	uint64_t homes = bloom_geometry_home_shards(geometry), shard = homes * job / all->jobs;
	uint64_t last = homes * (job + 1) / all->jobs;
	size_t first = first_digest(solution, shard), end, lost;

	for (; shard < last && self->has_memory; shard++, first = end) {
		bloom_ribbon_keys keys = {0};

		end = first_digest(solution, shard + 1);
		keys.count = end - first;
		/* An empty shard has no digests, so the pointers are NULL. */
		if (keys.count > 0) {
			keys.digests = solution->keys.digests + first;
			keys.values =
				geometry->value_bits != 0 ? solution->keys.values + first : NULL;
		}
		lost = bloom_ribbon_solve(geometry, &keys, false, &self->work,
			solution->bits + shard * geometry->shard_bytes);
		/* In a ribbon filter, keys without an equation count as well, because lookups
		 * find them. */
		if (geometry->value_bits == 0) {
			lost = 0;
		} else {
			self->has_memory = keep_lost(&self->work.bumped, self);
		}
		solution->shard_keys[shard] = row_keys(keys.count - lost);
	}
}

/* ---- the spill shard ---- */

/* Collects the lost keys of all threads in `lost`. */
static void collect_lost(const solving *all, bloom_ribbon_keys *lost)
{
	uint32_t job;
	size_t count;

	for (job = 0; job < all->jobs; job++) {
		count = all->solvers[job].lost.count;
		if (count > 0) {
			memcpy(lost->digests + lost->count, all->solvers[job].lost.digests,
				count * sizeof *lost->digests);
			memcpy(lost->values + lost->count, all->solvers[job].lost.values,
				count * sizeof *lost->values);
			lost->count += count;
		}
	}
}

/* Solves the last shard of a map with the keys that its other shards have lost. Returns false if
 * memory is exhausted. */
static bool solve_spill(solving *all)
{
	bloom_solution *solution = all->solution;
	const bloom_geometry *geometry = solution->geometry;
	uint64_t last = geometry->shards - 1;
	bloom_ribbon_keys lost = {0};
	bloom_ribbon_work work = {0};
	uint32_t job;
	bool has_memory;

	for (job = 0, solution->lost = 0; job < all->jobs; job++) {
		solution->lost += all->solvers[job].lost.count;
	}
	if (last == 0) {
		return true;
	}
	has_memory = (int)allocate_keys((size_t)solution->lost, true, &lost) &
		(int)allocate_work(geometry, (size_t)solution->lost, &work);
	if (has_memory) {
		collect_lost(all, &lost);
		solution->lost = bloom_ribbon_solve(geometry, &lost, true, &work,
			solution->bits + last * geometry->shard_bytes);
		solution->shard_keys[last] = row_keys(lost.count - (size_t)solution->lost);
	}
	free_keys(&lost);
	free_work(&work);
	return has_memory;
}

bloom_status bloom_solve_shards(bloom_solution *solution, bloom_error *error)
{
	solving all = {.solution = solution, .jobs = solution->jobs > 1 ? solution->jobs : 1};
	size_t keys = fullest_shard(solution);
	bool has_memory;
	uint32_t job;

	all.solvers = calloc(all.jobs, sizeof *all.solvers);
	if (all.solvers == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "builder");
	}
	for (job = 0, has_memory = true; job < all.jobs; job++) {
		all.solvers[job].has_memory = has_memory &&
			allocate_work(solution->geometry, keys, &all.solvers[job].work);
		has_memory = all.solvers[job].has_memory;
	}
	if (has_memory) {
		bloom_parallel(all.jobs, solve_own_shards, &all);
	}
	for (job = 0; job < all.jobs; job++) {
		has_memory = has_memory && all.solvers[job].has_memory;
	}
	solution->lost = 0;
	if (has_memory && solution->geometry->value_bits != 0) {
		has_memory = solve_spill(&all);
	}
	for (job = 0; job < all.jobs; job++) {
		free_work(&all.solvers[job].work);
		free_keys(&all.solvers[job].lost);
	}
	free(all.solvers);
	if (!has_memory) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "builder");
	}
	return solution->lost == 0
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_MAP_PLACES, 0, "%llu of %llu keys do not fit",
			  (unsigned long long)solution->lost,
			  (unsigned long long)solution->keys.count);
}

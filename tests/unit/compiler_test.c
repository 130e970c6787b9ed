/* The operations that each compiler provides in its own way: on bits, and on shared memory. */
#include "support.h"

#include "filter/atomic.h"
#include "filter/compiler.h"
#include "os/parallel.h"

/* ---- bits ---- */

static void check_bits(uint64_t word)
{
	uint32_t bit, set = 0, lowest = 64, highest = 0;

	for (bit = 0; bit < 64; bit++) {
		if (word >> bit & 1) {
			set++;
			highest = bit;
			lowest = lowest < bit ? lowest : bit;
		}
	}
	assert_int_equal(set, bloom_popcount(word));
	assert_int_equal(set & 1, bloom_parity(word));
	if (word != 0) {
		assert_int_equal(lowest, bloom_trailing_zeros(word));
		assert_int_equal(63 - highest, bloom_leading_zeros(word));
	}
}

static void bits_are_counted(void **state)
{
	uint64_t draws = test_seed("bits");
	uint32_t i, shift;

	(void)state;
	check_bits(0);
	for (shift = 0; shift < 64; shift++) {
		check_bits(UINT64_C(1) << shift);
		check_bits(UINT64_MAX << shift);
		check_bits(UINT64_MAX >> shift);
		for (i = 0; i < 100; i++) {
			check_bits(random_next(&draws) << shift);
			check_bits(random_next(&draws) >> shift);
			check_bits(random_next(&draws) & random_next(&draws) & random_next(&draws));
		}
	}
}

/* Adds the shifted factor once for each bit of the other factor, in two words. */
static uint64_t high_half(uint64_t one, uint64_t other)
{
	uint64_t low = 0, high = 0, part;
	uint32_t bit;

	for (bit = 0; bit < 64; bit++) {
		if (other >> bit & 1) {
			part = one << bit;
			high += bit != 0 ? one >> (64 - bit) : 0;
			low += part;
			high += low < part;
		}
	}
	return high;
}

static void products_have_a_high_half(void **state)
{
	const uint64_t edges[] = {0, 1, UINT32_MAX, UINT64_C(1) << 32, UINT64_MAX - 1, UINT64_MAX};
	uint64_t draws = test_seed("products");
	uint32_t i, j;

	(void)state;
	for (i = 0; i < 6; i++) {
		for (j = 0; j < 6; j++) {
			assert_true(bloom_multiply_high(edges[i], edges[j]) ==
				high_half(edges[i], edges[j]));
		}
	}
	for (i = 0; i < 100000; i++) {
		uint64_t one = random_next(&draws) >> i % 64, other = random_next(&draws);

		assert_true(bloom_multiply_high(one, other) == high_half(one, other));
	}
}

static void little_endian_words_have_their_first_byte_lowest(void **state)
{
	const unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	uint64_t word;

	(void)state;
	memcpy(&word, bytes, sizeof word);
	assert_true(bloom_from_little_endian(word) == UINT64_C(0x0807060504030201));
}

static void a_prefetch_may_have_any_address(void **state)
{
	(void)state;
	bloom_prefetch(NULL);
	bloom_prefetch((const void *)(uintptr_t)UINT64_C(0xFFFFFFFFFFFFFFC0));
	bloom_prefetch(state);
}

/* With MICROSOFT=yes, this compares the results of CPUID with the compiler's library. */
static void vector_instructions_are_detected(void **state)
{
	(void)state;
#ifdef BLOOM_AVX2
	assert_int_equal(__builtin_cpu_supports("avx2") != 0, bloom_cpu_has_avx2());
	assert_int_equal(bloom_cpu_has_avx2(), bloom_cpu_has_avx2());
#else
	skip_because("no vector instructions are optional here");
#endif
}

static BLOOM_THREAD_LOCAL uint64_t own;

/* The calling thread runs job 0. */
static void change_own(void *context, uint32_t job)
{
	(void)context;
	if (job != 0) {
		own = job;
	}
}

static void threads_have_their_own_objects(void **state)
{
	(void)state;
	own = 7;
	bloom_parallel(4, change_own, NULL);
	assert_int_equal(7, own);
}

/* ---- shared memory ---- */

static void operations_return_what_was_there(void **state)
{
	uint64_t word = 5;
	unsigned char byte = 0x80;

	(void)state;
	assert_int_equal(5, bloom_add(&word, UINT64_MAX));
	assert_int_equal(4, bloom_load_relaxed(&word));
	assert_false(bloom_compare_swap(&word, 5, 9));
	assert_int_equal(4, bloom_load_acquire(&word));
	assert_true(bloom_compare_swap(&word, 4, UINT64_C(1) << 63));
	assert_true(bloom_load_acquire(&word) == UINT64_C(1) << 63);
	bloom_store_release(&word, 1);
	bloom_decrement(&word);
	assert_int_equal(0, word);
	bloom_decrement(&word);
	assert_int_equal(0, word);
	bloom_increment(&word);
	bloom_store_relaxed(&word, word + 1);
	assert_int_equal(2, word);
	assert_true(bloom_set_bit(&byte, 1));
	assert_false(bloom_set_bit(&byte, 1));
	assert_false(bloom_set_bit(&byte, 0x80));
	assert_int_equal(0x81, bloom_set_mask(&byte, 0x42));
	assert_int_equal(0xC3, bloom_load_byte(&byte));
	bloom_store_byte(&byte, 7);
	assert_int_equal(7, byte);
}

enum { JOBS = 4, TURNS = 100000 };

typedef struct shared {
	uint64_t added, counted, swapped, new_bits;
	unsigned char bits[TURNS / 8];
	unsigned char pad[2];
} shared;

static void change_all(void *context, uint32_t job)
{
	shared *all = context;
	uint64_t before, new_bits = 0;
	uint32_t i;

	for (i = 0; i < TURNS; i++) {
		bloom_add(&all->added, job + 1);
		bloom_increment(&all->counted);
		if (i % 2 != 0) {
			bloom_decrement(&all->counted);
		}
		do {
			before = bloom_load_relaxed(&all->swapped);
		} while (!bloom_compare_swap(&all->swapped, before, before + 3));
		new_bits += bloom_set_bit(all->bits + i / 8, (unsigned char)(1u << i % 8));
	}
	bloom_add(&all->new_bits, new_bits);
}

static void no_change_is_lost(void **state)
{
	static shared all;
	uint32_t i;

	(void)state;
	memset(&all, 0, sizeof all);
	bloom_parallel(JOBS, change_all, &all);
	assert_int_equal((1 + 2 + 3 + 4) * TURNS, all.added);
	assert_int_equal(JOBS * TURNS / 2, all.counted);
	assert_int_equal(3 * JOBS * TURNS, all.swapped);
	assert_int_equal(TURNS, all.new_bits);
	for (i = 0; i < TURNS / 8; i++) {
		assert_int_equal(0xFF, all.bits[i]);
	}
	assert_int_equal(0, all.pad[0] | all.pad[1]);
}

/* Two threads start each turn together. In each turn, both store a word and then load the other's
 * word. */
typedef struct turns {
	uint64_t count;
	uint64_t arrived[2]; /* the turn that each thread has reached */
	uint64_t *stored[2]; /* one word for each turn */
	uint64_t *seen[2];
} turns;

static void take_turns(void *context, uint32_t job)
{
	turns *both = context;
	uint64_t end_ms = bloom_monotonic_ms() + 10000, i;

	for (i = 0; i < both->count; i++) {
		bloom_store_release(&both->arrived[job], i + 1);
		while (bloom_load_acquire(&both->arrived[1 - job]) < i + 1) {
			if (bloom_monotonic_ms() > end_ms) {
				return; /* the system created no second thread, or is too busy */
			}
		}
		bloom_store_relaxed(&both->stored[job][i], 1);
		bloom_fence();
		both->seen[job][i] = bloom_load_relaxed(&both->stored[1 - job][i]);
	}
}

static void after_a_fence_one_thread_sees_the_store_of_the_other(void **state)
{
	turns both = {.count = getenv("BLOOM_TEST_SLOW") != NULL ? 200 : 100000};
	uint64_t i, missed = 0;
	uint32_t job;

	(void)state;
	for (job = 0; job < 2; job++) {
		both.stored[job] = calloc(both.count, sizeof(uint64_t));
		both.seen[job] = calloc(both.count, sizeof(uint64_t));
		assert_non_null(both.stored[job]);
		assert_non_null(both.seen[job]);
	}
	bloom_parallel(2, take_turns, &both);
	for (i = 0; i + 1 < both.arrived[0] && i + 1 < both.arrived[1]; i++) {
		missed += !both.seen[0][i] && !both.seen[1][i];
	}
	assert_int_equal(0, missed);
	for (job = 0; job < 2; job++) {
		free(both.stored[job]);
		free(both.seen[job]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("counts of bits and zeros match a loop over the bits", bits_are_counted),
		TEST("the high half of a product matches a sum of shifted factors",
			products_have_a_high_half),
		TEST("a little-endian word has its first byte lowest",
			little_endian_words_have_their_first_byte_lowest),
		TEST("a prefetch of an invalid address has no effect",
			a_prefetch_may_have_any_address),
		TEST("vector instructions are used only if the processor has them",
			vector_instructions_are_detected),
		TEST("no thread changes a thread-local object of another",
			threads_have_their_own_objects),
		TEST("atomic operations return the previous value",
			operations_return_what_was_there),
		TEST("threads that change the same words and bytes lose no change",
			no_change_is_lost),
		TEST("if two threads store, fence and load, one sees the other's store",
			after_a_fence_one_thread_sees_the_store_of_the_other),
	};

	return cmocka_run_group_tests_name("compiler", tests, NULL, NULL);
}

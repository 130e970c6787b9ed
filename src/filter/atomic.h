/* Atomic operations on words and bytes in shared memory, and two hints to the compiler.
 *
 * Every shared word has 64 bits and natural alignment. On a target without 64-bit atomics the
 * compiler substitutes a lock that belongs to one process. Such a lock does not protect shared
 * memory, so the static assert below rejects the target.
 *
 * Relaxed order is enough for counters and for bits, because neither publishes other data. A word
 * that publishes data, such as a generation number, is stored with release and loaded with acquire.
 */
#ifndef BLOOM_ATOMIC_H
#define BLOOM_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

_Static_assert(__atomic_always_lock_free(sizeof(uint64_t), 0),
	"bloom needs lock-free 64-bit atomics: a lock of one process cannot protect shared memory");

/* The caller sees everything that was written before the matching release store. */
static inline uint64_t bloom_load_acquire(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void bloom_store_release(uint64_t *word, uint64_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static inline uint64_t bloom_load_relaxed(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline void bloom_store_relaxed(uint64_t *word, uint64_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static inline void bloom_increment(uint64_t *word)
{
	__atomic_fetch_add(word, 1, __ATOMIC_RELAXED);
}

/* Stores `desired` if *word equals `expected`. Returns true if it stored. */
static inline bool bloom_compare_swap(uint64_t *word, uint64_t expected, uint64_t desired)
{
	return __atomic_compare_exchange_n(
		word, &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* Subtracts 1 unless the word is 0. */
static inline void bloom_decrement(uint64_t *word)
{
	uint64_t value = bloom_load_relaxed(word);

	while (value > 0 &&
		!__atomic_compare_exchange_n(
			word, &value, value - 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
	}
}

/* Returns the value before the addition. */
static inline uint64_t bloom_add(uint64_t *word, uint64_t more)
{
	return __atomic_fetch_add(word, more, __ATOMIC_RELAXED);
}

/* Bytes that several processes read and write at the same time. */
static inline unsigned char bloom_load_byte(const unsigned char *byte)
{
	return __atomic_load_n(byte, __ATOMIC_RELAXED);
}

static inline void bloom_store_byte(unsigned char *byte, unsigned char value)
{
	__atomic_store_n(byte, value, __ATOMIC_RELAXED);
}

/* Sets a bit. Returns true if the bit was clear before.
 *
 * In a full filter about half of the bits are already set. A load detects a set bit without
 * writing, so the cache line stays shared between processors. */
static inline bool bloom_set_bit(unsigned char *byte, unsigned char bit)
{
	return !(bloom_load_byte(byte) & bit) &&
		!(__atomic_fetch_or(byte, bit, __ATOMIC_RELAXED) & bit);
}

/* A full barrier. If each of two threads stores a word, calls bloom_fence() and then loads the
 * other thread's word, at least one thread sees the other's store. */
static inline void bloom_fence(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Tells the compiler that the condition is usually true. */
#define BLOOM_LIKELY(condition) __builtin_expect(!!(condition), 1)

/* On x86-64 a function with this attribute may use the POPCNT instruction. Call such a function
 * only after bloom_cpu_has_popcount() returned true. On other processors the compiler's default
 * population count is already the fastest. */
#if defined(__x86_64__)
#define BLOOM_TARGET_POPCOUNT __attribute__((target("popcnt")))
static inline bool bloom_cpu_has_popcount(void)
{
	return __builtin_cpu_supports("popcnt");
}
#else
#define BLOOM_TARGET_POPCOUNT
static inline bool bloom_cpu_has_popcount(void)
{
	return true;
}
#endif

#endif

/* Atomic operations on words and bytes in shared memory, and two hints to the compiler.
 *
 * Every shared word has 64 bits and is naturally aligned. On a target without 64-bit atomics, the
 * compiler would substitute a process-local lock. Such a lock cannot protect shared memory, so the
 * static assert below rejects the target.
 *
 * Relaxed ordering is sufficient for counters and bits, because they do not publish other data. A
 * word that publishes data, such as a generation number, is stored with release ordering and loaded
 * with acquire ordering.
 */
#ifndef BLOOM_ATOMIC_H
#define BLOOM_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

_Static_assert(__atomic_always_lock_free(sizeof(uint64_t), 0),
	"bloom needs lock-free 64-bit atomics: a process-local lock cannot protect shared memory");

/* Loads a word. The caller then sees everything that was written before the matching release
 * store. */
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

/* Stores `desired` if *word equals `expected`. Returns true if the value was stored. */
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

/* Adds `more` and returns the previous value. */
static inline uint64_t bloom_add(uint64_t *word, uint64_t more)
{
	return __atomic_fetch_add(word, more, __ATOMIC_RELAXED);
}

/* Access bytes that several processes read and write concurrently. */
static inline unsigned char bloom_load_byte(const unsigned char *byte)
{
	return __atomic_load_n(byte, __ATOMIC_RELAXED);
}

static inline void bloom_store_byte(unsigned char *byte, unsigned char value)
{
	__atomic_store_n(byte, value, __ATOMIC_RELAXED);
}

/* Sets a bit. Returns true if the bit was previously clear.
 *
 * In a full filter, about half of the bits are already set. The load detects a set bit without a
 * write, so the cache line remains shared between processors. */
static inline bool bloom_set_bit(unsigned char *byte, unsigned char bit)
{
	return !(bloom_load_byte(byte) & bit) &&
		!(__atomic_fetch_or(byte, bit, __ATOMIC_RELAXED) & bit);
}

/* Sets several bits of a byte. */
static inline void bloom_set_mask(unsigned char *byte, unsigned char bits)
{
	(void)__atomic_fetch_or(byte, bits, __ATOMIC_RELAXED);
}

/* Issues a full memory barrier. If two threads each store a word, call bloom_fence() and then load
 * the other thread's word, at least one of the threads sees the other's store. */
static inline void bloom_fence(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Tells the compiler that the condition is usually true. */
#define BLOOM_LIKELY(condition) __builtin_expect(!!(condition), 1)

/* On x86-64, a function with this attribute may use the POPCNT instruction. Call such a function
 * only after bloom_cpu_has_popcount() has returned true. On other processors, the compiler's
 * default population count is already the fastest. */
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

/* The few atomics that shared pages need, and the only compiler switches of the core.
 *
 * All shared words are 64 bits and naturally aligned. A 64-bit atomic that the compiler would make
 * from a lock of its own is private to a process and useless in shared memory, so such a target is
 * refused at compile time.
 */
#ifndef BLOOM_ATOMIC_H
#define BLOOM_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

_Static_assert(__atomic_always_lock_free(sizeof(uint64_t), 0),
	"bloom needs lock-free 64-bit atomics: shared memory cannot use a process's own lock");

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

/* True when *word was `expected` and is now `desired`. */
static inline bool bloom_compare_swap(uint64_t *word, uint64_t expected, uint64_t desired)
{
	return __atomic_compare_exchange_n(
		word, &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static inline void bloom_decrement(uint64_t *word) /* not below 0 */
{
	uint64_t value = bloom_load_relaxed(word);

	while (value > 0 &&
		!__atomic_compare_exchange_n(
			word, &value, value - 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
	}
}

static inline uint64_t bloom_add(uint64_t *word, uint64_t more) /* returns what it was */
{
	return __atomic_fetch_add(word, more, __ATOMIC_RELAXED);
}

/* Bytes of bits that several processes use at once. */
static inline unsigned char bloom_load_byte(const unsigned char *byte)
{
	return __atomic_load_n(byte, __ATOMIC_RELAXED);
}

static inline void bloom_store_byte(unsigned char *byte, unsigned char value)
{
	__atomic_store_n(byte, value, __ATOMIC_RELAXED);
}

/* True when the bit was not set before. Most bits of a full filter are: those are not written. */
static inline bool bloom_set_bit(unsigned char *byte, unsigned char bit)
{
	return !(bloom_load_byte(byte) & bit) &&
		!(__atomic_fetch_or(byte, bit, __ATOMIC_RELAXED) & bit);
}

/* What was stored before is seen by whoever sees what is loaded afterwards, and the reverse. */
static inline void bloom_fence(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#define BLOOM_LIKELY(condition) __builtin_expect(!!(condition), 1)

/* On x86-64 a function so marked may use the POPCNT instruction; call it only when
 * bloom_cpu_has_popcount(). Elsewhere the compiler's own population count is as good as it gets. */
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

/* Atomic operations on words and bytes in shared memory.
 *
 * Every shared word has 64 bits and is naturally aligned. On a target without 64-bit atomics, the
 * compiler would substitute a process-local lock. Such a lock cannot protect shared memory, so the
 * static assert below rejects the target.
 *
 * Relaxed ordering is sufficient for counters and bits, because they do not publish other data. A
 * word that publishes data, such as a generation number, is stored with release ordering and loaded
 * with acquire ordering.
 *
 * Microsoft's compiler has no atomics in C before Visual Studio 2022 17.5, so its branch uses
 * intrinsics. Its processors load and store an aligned 64-bit word as a whole, and the compiler
 * does the same with a volatile object. Each interlocked operation is also a full barrier, so it is
 * stronger than the relaxed operation of the other branch.
 */
#ifndef BLOOM_ATOMIC_H
#define BLOOM_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/compiler.h"

#ifdef BLOOM_MICROSOFT

_Static_assert(sizeof(void *) == sizeof(uint64_t),
	"bloom needs lock-free 64-bit atomics: a process-local lock cannot protect shared memory");

/* Orders all accesses before it before all accesses after it, except that on x64 a later load may
 * overtake an earlier store. x64 never reorders other accesses, so only the compiler must be kept
 * from doing so. */
static inline void bloom_order(void)
{
#ifdef BLOOM_X86_64
#pragma warning(push)
#pragma warning(disable : 4996) /* deprecated in favor of C++'s atomics, which C does not have */
	_ReadWriteBarrier();
#pragma warning(pop)
#else
	__dmb(_ARM64_BARRIER_ISH);
#endif
}

static inline uint64_t bloom_load_relaxed(const uint64_t *word)
{
	return *(const volatile uint64_t *)word;
}

static inline void bloom_store_relaxed(uint64_t *word, uint64_t value)
{
	*(volatile uint64_t *)word = value;
}

/* Loads a word. The caller then sees everything that was written before the matching release
 * store. */
static inline uint64_t bloom_load_acquire(const uint64_t *word)
{
	uint64_t value = bloom_load_relaxed(word);

	bloom_order();
	return value;
}

static inline void bloom_store_release(uint64_t *word, uint64_t value)
{
	bloom_order();
	bloom_store_relaxed(word, value);
}

/* Stores `desired` if *word equals `expected`. Returns true if the value was stored. */
static inline bool bloom_compare_swap(uint64_t *word, uint64_t expected, uint64_t desired)
{
	return (uint64_t)_InterlockedCompareExchange64(
		       (volatile int64_t *)word, (int64_t)desired, (int64_t)expected) == expected;
}

/* Adds `more` and returns the previous value. */
static inline uint64_t bloom_add(uint64_t *word, uint64_t more)
{
	return (uint64_t)_InterlockedExchangeAdd64((volatile int64_t *)word, (int64_t)more);
}

/* Access bytes that several processes read and write concurrently. */
static inline unsigned char bloom_load_byte(const unsigned char *byte)
{
	return *(const volatile unsigned char *)byte;
}

static inline void bloom_store_byte(unsigned char *byte, unsigned char value)
{
	*(volatile unsigned char *)byte = value;
}

/* Sets several bits of a byte, and returns the previous byte. */
static inline unsigned char bloom_set_mask(unsigned char *byte, unsigned char bits)
{
	return (unsigned char)_InterlockedOr8((volatile char *)byte, (char)bits);
}

/* Issues a full memory barrier. If two threads each store a word, call bloom_fence() and then load
 * the other thread's word, at least one of the threads sees the other's store. */
static inline void bloom_fence(void)
{
	bloom_order();
#ifdef BLOOM_X86_64
	_mm_mfence();
	bloom_order();
#endif
}

#else

_Static_assert(__atomic_always_lock_free(sizeof(uint64_t), 0),
	"bloom needs lock-free 64-bit atomics: a process-local lock cannot protect shared memory");

/* The functions of this branch do the same as those above. */

static inline uint64_t bloom_load_relaxed(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline void bloom_store_relaxed(uint64_t *word, uint64_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static inline uint64_t bloom_load_acquire(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void bloom_store_release(uint64_t *word, uint64_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static inline bool bloom_compare_swap(uint64_t *word, uint64_t expected, uint64_t desired)
{
	return __atomic_compare_exchange_n(
		word, &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static inline uint64_t bloom_add(uint64_t *word, uint64_t more)
{
	return __atomic_fetch_add(word, more, __ATOMIC_RELAXED);
}

static inline unsigned char bloom_load_byte(const unsigned char *byte)
{
	return __atomic_load_n(byte, __ATOMIC_RELAXED);
}

static inline void bloom_store_byte(unsigned char *byte, unsigned char value)
{
	__atomic_store_n(byte, value, __ATOMIC_RELAXED);
}

static inline unsigned char bloom_set_mask(unsigned char *byte, unsigned char bits)
{
	return __atomic_fetch_or(byte, bits, __ATOMIC_RELAXED);
}

static inline void bloom_fence(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#endif

static inline void bloom_increment(uint64_t *word)
{
	(void)bloom_add(word, 1);
}

/* Subtracts 1 unless the word is 0. */
static inline void bloom_decrement(uint64_t *word)
{
	uint64_t value = bloom_load_relaxed(word);

	while (value > 0 && !bloom_compare_swap(word, value, value - 1)) {
		value = bloom_load_relaxed(word);
	}
}

/* Sets a bit. Returns true if the bit was previously clear.
 *
 * In a full filter, about half of the bits are already set. The load detects a set bit without a
 * write, so the cache line remains shared between processors. */
static inline bool bloom_set_bit(unsigned char *byte, unsigned char bit)
{
	return !(bloom_load_byte(byte) & bit) && !(bloom_set_mask(byte, bit) & bit);
}

#endif

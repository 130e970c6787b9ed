/* MICROSOFT=yes includes this header for the intrinsics of Microsoft's compiler. */
#ifndef BLOOM_TEST_INTRIN_H
#define BLOOM_TEST_INTRIN_H

#ifdef _WIN32

#include_next <intrin.h>

/* mingw-w64 replaces this keyword with a macro that contains `extern`. */
#undef __forceinline

#else

/* On Linux, clang's own intrin.h cannot be used. With -fms-extensions, clang knows most of the
 * intrinsics, and rejects declarations with other types. */
#include <cpuid.h>
#include <immintrin.h>
#include <stdint.h>

char _InterlockedOr8(volatile char *byte, char bits);
int64_t _InterlockedExchangeAdd64(volatile int64_t *word, int64_t more);
long long _InterlockedCompareExchange64(
	volatile long long *word, long long desired, long long expected);
unsigned long long __umulh(unsigned long long one, unsigned long long other);
void _ReadWriteBarrier(void);

/* On Linux, int64_t is not long long. */
#define _InterlockedCompareExchange64(word, desired, expected) \
	_InterlockedCompareExchange64((volatile long long *)(word), desired, expected)

/* The index has the type unsigned long, which has 32 bits on Windows. So clang's own versions write
 * 32 bits. */
#define _BitScanForward64(index, word) test_bit_scan(index, __builtin_ctzll(word), word)
#define _BitScanReverse64(index, word) test_bit_scan(index, 63 - __builtin_clzll(word), word)
static inline unsigned char test_bit_scan(unsigned long *index, int found, unsigned long long word)
{
	*index = (unsigned long)found;
	return word != 0;
}

/* The macro of the same name in cpuid.h has other parameters. */
#undef __cpuid
#define __cpuid(found, leaf) __cpuidex(found, leaf, 0)
#define __cpuidex test_cpuidex
static inline void test_cpuidex(int found[4], int leaf, int subleaf)
{
	__cpuid_count(leaf, subleaf, found[0], found[1], found[2], found[3]);
}

#endif
#endif

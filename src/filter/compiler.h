/* Hides the differences between compilers, such as attributes, hints, and instructions that C has
 * no operators for. Only this header and atomic.h contain code for a particular compiler, and
 * scripts/layers checks this.
 *
 *   GCC, clang   attributes and builtins. clang-cl also belongs here, but its programs lack the
 *                library that __builtin_cpu_supports() needs.
 *   Microsoft    intrinsics, if BLOOM_MICROSOFT is defined. The compiler is that of Visual Studio
 *                2019 16.8 or later, for C11 and for x64 or ARM64. Nobody has compiled this branch
 *                with it yet. With MICROSOFT=yes, tests/unit/run compiles the branch with clang,
 *                which knows the same intrinsics.
 *
 * These macros are defined if the code for a processor's vector instructions is built:
 *
 *   BLOOM_AVX2   the caller must check bloom_cpu_has_avx2(). Every function that uses the
 *                instructions has the attribute BLOOM_TARGET_AVX2
 *   BLOOM_NEON   part of every AArch64 processor
 *
 * BLOOM_PORTABLE disables both, for tests and for compilers without these intrinsics. Microsoft's
 * compiler for ARM64 uses the portable code, because it defines vectors as unions. */
#ifndef BLOOM_COMPILER_H
#define BLOOM_COMPILER_H

#include <stdbool.h>
#include <stdint.h>

#if defined(_MSC_VER) && !defined(__clang__) && !defined(BLOOM_MICROSOFT)
#define BLOOM_MICROSOFT 1
#endif

#if defined(BLOOM_MICROSOFT) || defined(_MSC_VER)
#define BLOOM_CPUID 1 /* ask the processor itself for its features */
#include <intrin.h>
#endif

/* The processor. ARM64EC is ARM64 code that is called like x64 code, so _M_X64 is defined, too. */
#if (defined(__x86_64__) || defined(_M_X64)) && !defined(_M_ARM64EC)
#define BLOOM_X86_64 1
#endif
#if defined(BLOOM_X86_64) && !defined(BLOOM_PORTABLE)
#define BLOOM_AVX2 1
#elif defined(__aarch64__) && defined(__ARM_NEON) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && \
	!defined(BLOOM_MICROSOFT) && !defined(BLOOM_PORTABLE)
#define BLOOM_NEON 1
#endif

/* ---- attributes and hints ----
 *
 *   BLOOM_INLINE            a static function that is always inlined
 *   BLOOM_NOINLINE          a function that is never inlined
 *   BLOOM_COLD              a function that is rarely called
 *   BLOOM_FLATTEN           all calls within the function are inlined if possible
 *   BLOOM_HIDDEN            an object that is defined in this library
 *   BLOOM_PRINTF(n, first)  argument n is a format of printf() for the arguments from `first` on
 *   BLOOM_FALLTHROUGH       the end of a case that continues with the next one
 *   BLOOM_THREAD_LOCAL      an object of which each thread has a copy
 *   BLOOM_LIKELY(condition), BLOOM_UNLIKELY(condition)
 *                           a condition that is usually true, or usually false
 */

#ifdef BLOOM_MICROSOFT

#define BLOOM_INLINE static __forceinline
#define BLOOM_NOINLINE __declspec(noinline)
#define BLOOM_COLD
#define BLOOM_FLATTEN
#define BLOOM_HIDDEN /* a DLL exports nothing by default */
#define BLOOM_PRINTF(n, first)
#define BLOOM_FALLTHROUGH ((void)0)
#define BLOOM_THREAD_LOCAL __declspec(thread)
#define BLOOM_LIKELY(condition) (condition)
#define BLOOM_UNLIKELY(condition) (condition)
/* Intrinsics need no attribute. clang needs one, and the tests define it. */
#ifndef BLOOM_TARGET_AVX2
#define BLOOM_TARGET_AVX2
#endif

#else

#define BLOOM_INLINE __attribute__((always_inline)) static inline
#define BLOOM_NOINLINE __attribute__((noinline))
#define BLOOM_COLD __attribute__((cold))
#define BLOOM_FLATTEN __attribute__((flatten))
#ifdef _WIN32
#define BLOOM_HIDDEN
#else
#define BLOOM_HIDDEN __attribute__((visibility("hidden")))
#endif
#define BLOOM_PRINTF(n, first) __attribute__((format(printf, n, first)))
#define BLOOM_FALLTHROUGH __attribute__((fallthrough))
#define BLOOM_THREAD_LOCAL _Thread_local
#define BLOOM_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define BLOOM_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define BLOOM_TARGET_AVX2 __attribute__((target("avx2")))

#endif

/* ---- population count ----
 *
 * On x86-64, a function with the attribute BLOOM_TARGET_POPCOUNT may use the POPCNT instruction.
 * Call such a function only after bloom_cpu_has_popcount() has returned true. Elsewhere, the
 * compiler's default is already the fastest. On Windows, only mingw-w64 has both the attribute
 * and the check, so other compilers always count without the instruction. */

#if defined(BLOOM_X86_64) && !defined(BLOOM_CPUID)
#define BLOOM_TARGET_POPCOUNT __attribute__((target("popcnt")))
BLOOM_INLINE bool bloom_cpu_has_popcount(void)
{
	return __builtin_cpu_supports("popcnt");
}
#else
#define BLOOM_TARGET_POPCOUNT
BLOOM_INLINE bool bloom_cpu_has_popcount(void)
{
	return true;
}
#endif

/* Returns the number of bits that are set. */
BLOOM_INLINE uint32_t bloom_popcount(uint64_t word)
{
#ifdef BLOOM_MICROSOFT
	/* Count the bits of each pair, of each nibble, and of each byte. The highest byte of the
	 * product is the sum of all bytes. */
	word -= word >> 1 & UINT64_C(0x5555555555555555);
	word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
	word = (word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
	return (uint32_t)(word * UINT64_C(0x0101010101010101) >> 56);
#else
	return (uint32_t)__builtin_popcountll(word);
#endif
}

/* Returns 1 if an odd number of bits is set, otherwise 0. */
BLOOM_INLINE uint64_t bloom_parity(uint64_t word)
{
#ifdef BLOOM_MICROSOFT
	word ^= word >> 32;
	word ^= word >> 16;
	word ^= word >> 8;
	word ^= word >> 4;
	return UINT64_C(0x6996) >> (word & 15) & 1; /* bit n is the parity of n */
#else
	return (uint64_t)__builtin_parityll(word);
#endif
}

/* ---- other bits ---- */

/* Returns the number of zeros below the lowest bit that is set. `word` must not be 0. */
BLOOM_INLINE uint32_t bloom_trailing_zeros(uint64_t word)
{
#ifdef BLOOM_MICROSOFT
	unsigned long index;

	(void)_BitScanForward64(&index, word);
	return (uint32_t)index;
#else
	return (uint32_t)__builtin_ctzll(word);
#endif
}

/* Returns the number of zeros above the highest bit that is set. `word` must not be 0. */
BLOOM_INLINE uint32_t bloom_leading_zeros(uint64_t word)
{
#ifdef BLOOM_MICROSOFT
	unsigned long index;

	(void)_BitScanReverse64(&index, word);
	return 63 - (uint32_t)index;
#else
	return (uint32_t)__builtin_clzll(word);
#endif
}

/* Converts a word whose bytes are in little-endian order to the order of this machine. */
BLOOM_INLINE uint64_t bloom_from_little_endian(uint64_t word)
{
#if !defined(BLOOM_MICROSOFT) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap64(word);
#else
	return word; /* Windows is little-endian on every processor */
#endif
}

/* Returns the high 64 bits of a product of 128 bits. */
BLOOM_INLINE uint64_t bloom_multiply_high(uint64_t one, uint64_t other)
{
#if defined(BLOOM_MICROSOFT)
	return __umulh(one, other);
#elif defined(__SIZEOF_INT128__)
	return (uint64_t)(((unsigned __int128)one * other) >> 64);
#else
	/* Each factor has two halves of 32 bits. No sum overflows. */
	uint64_t low = (one & UINT32_MAX) * (other & UINT32_MAX);
	uint64_t cross = (one >> 32) * (other & UINT32_MAX);
	uint64_t across = (one & UINT32_MAX) * (other >> 32);
	uint64_t middle = (low >> 32) + (cross & UINT32_MAX) + (across & UINT32_MAX);

	return (one >> 32) * (other >> 32) + (cross >> 32) + (across >> 32) + (middle >> 32);
#endif
}

/* Starts fetching the cache line at an address, which need not be valid. */
BLOOM_INLINE void bloom_prefetch(const void *address)
{
#if !defined(BLOOM_MICROSOFT)
	__builtin_prefetch(address);
#elif defined(BLOOM_X86_64)
	_mm_prefetch((const char *)address, _MM_HINT_T0);
#else
	__prefetch(address);
#endif
}

/* ---- the processor's features ---- */

#ifdef BLOOM_AVX2

#ifdef BLOOM_CPUID

static inline bool bloom_cpu_find_avx2(void)
{
	enum { OSXSAVE = 1 << 27, AVX = 1 << 28, SSE_STATE = 2, AVX_STATE = 4, AVX2 = 1 << 5 };
	int found[4]; /* EAX, EBX, ECX, EDX */

	__cpuid(found, 0);
	if (found[0] < 7) {
		return false;
	}
	__cpuid(found, 1);
	if ((found[2] & (OSXSAVE | AVX)) != (OSXSAVE | AVX)) {
		return false;
	}
	/* The system must save the whole registers when it switches threads. */
	if ((_xgetbv(0) & (SSE_STATE | AVX_STATE)) != (SSE_STATE | AVX_STATE)) {
		return false;
	}
	__cpuidex(found, 7, 0);
	return (found[1] & AVX2) != 0;
}

/* CPUID is slow, above all in a virtual machine, so the result is kept. Threads that look at the
 * same time store the same value. */
static inline bool bloom_cpu_has_avx2(void)
{
	enum { NOT_KNOWN, NO, YES };
	static volatile unsigned char known = NOT_KNOWN;

	if (BLOOM_UNLIKELY(known == NOT_KNOWN)) {
		known = bloom_cpu_find_avx2() ? YES : NO;
	}
	return known == YES;
}

#else

BLOOM_INLINE bool bloom_cpu_has_avx2(void)
{
	return __builtin_cpu_supports("avx2");
}

#endif
#endif

#endif

/* Reads and writes little-endian numbers at any address. The blob format uses these functions, so
 * its bytes are the same on every machine. Compilers turn each function into one load or store. */
#ifndef BLOOM_BYTES_H
#define BLOOM_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint32_t bloom_get32(const unsigned char *at)
{
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
		(uint32_t)at[3] << 24;
}

static inline uint64_t bloom_get64(const unsigned char *at)
{
	return bloom_get32(at) | (uint64_t)bloom_get32(at + 4) << 32;
}

/* Reads an IEEE 754 double. */
static inline double bloom_get_double(const unsigned char *at)
{
	uint64_t bits = bloom_get64(at);
	double value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

static inline void bloom_put32(unsigned char *at, uint32_t value)
{
	at[0] = (unsigned char)value;
	at[1] = (unsigned char)(value >> 8);
	at[2] = (unsigned char)(value >> 16);
	at[3] = (unsigned char)(value >> 24);
}

static inline void bloom_put64(unsigned char *at, uint64_t value)
{
	bloom_put32(at, (uint32_t)value);
	bloom_put32(at + 4, (uint32_t)(value >> 32));
}

#endif

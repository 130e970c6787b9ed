/* Reads filters of RedisBloom and valkey-bloom, for foreign_read.h. Both are modules, and append a
 * layer whenever the last one is full.
 *
 * All functions are pure and allocate no memory. They never read beyond the given bytes.
 */
#ifndef BLOOM_FOREIGN_REDIS_H
#define BLOOM_FOREIGN_REDIS_H

#include <stdint.h>

#include "filter/foreign_source.h"

/* The names of modules' types, as bloom_dump_peek() returns them. */
#define BLOOM_TYPE_REDISBLOOM "MBbloom--"
#define BLOOM_TYPE_CUCKOO "MBbloomCF"
#define BLOOM_TYPE_VALKEY_BLOOM "bloomfltr"

/* These functions fill in everything but the division into shards. They also check everything,
 * including that each packed string can be unpacked.
 *
 * Errors: BLOOM_E_FOREIGN. */
bloom_status bloom_redisbloom_read(const unsigned char *bytes, uint64_t count,
	bloom_foreign_source *source, bloom_error *error);
bloom_status bloom_valkey_bloom_read(const unsigned char *bytes, uint64_t count,
	bloom_foreign_source *source, bloom_error *error);

#endif

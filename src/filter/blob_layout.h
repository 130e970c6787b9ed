/* The offsets and numbers of a head, for the functions that read heads (blob.c) and write them
 * (blob_write.c). blob.h has a picture of the layout. */
#ifndef BLOOM_BLOB_LAYOUT_H
#define BLOOM_BLOB_LAYOUT_H

#include "filter/geometry.h"
#include "filter/journal_mark.h"

/* As in PNG files, the first byte is not ASCII, and CR LF reveals a transfer that has converted
 * line endings. */
static const unsigned char BLOOM_BLOB_MAGIC[8] = {0x89, 'B', 'L', 'O', 'O', 'M', '\r', '\n'};

enum {
	AT_VERSION = 8,
	AT_HEAD_BYTES = 16,
	AT_FILE_BYTES = 24,
	AT_SHARDS = 32,
	AT_SHARD_BYTES = 40,
	AT_BLOCK_BYTES = 44,
	AT_PROBES = 48,
	AT_SCHEME = 52,
	AT_DIGEST = 56,
	AT_SEED = 64,
	AT_KEYS = 72,
	AT_SET_BITS = 80,
	AT_CAPACITY = 88,
	AT_TARGET_RATE = 96,
	AT_MEASURED_RATE = 104,
	AT_BUILT_MS = 112,
	AT_CHUNK_BYTES = 120,
	AT_SOURCE_BYTES = 124,
	AT_SOURCE = 128,
	AT_GROUPS = 256,
	AT_FAN_OUT = 264,
	AT_AFTER_FAN_OUT = 268,
	AT_STRIPES = AT_GROUPS,
	AT_AFTER_STRIPES = AT_STRIPES + 4,
	AT_VALUE_BITS = AT_STRIPES + 4,
	AT_AFTER_VALUE_BITS = AT_VALUE_BITS + 4,
	AT_FOREIGN = AT_GROUPS,
	AT_LAYERS = AT_FOREIGN + 4,
	AT_AFTER_LAYERS = AT_LAYERS + 4,
	AT_FINGERPRINT = 272,
	AT_MARK = 320,
	AT_FOREIGN_KEY = AT_MARK + BLOOM_MARK_BYTES,
	AT_RESERVED = AT_FOREIGN_KEY + BLOOM_FOREIGN_KEY_BYTES,
	SCHEME_BLOCKED_BLOOM = 1,
	SCHEME_REVERSE = 2,
	SCHEME_RIBBON = 3,
	SCHEME_FOREIGN = 4,
	SCHEME_MAP = 5,
	DIGEST_FOREIGN = 3,
};

#endif

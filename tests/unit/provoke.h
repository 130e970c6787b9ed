/* Ways to raise each error that the core can raise. status_test.c tries them all. */
#ifndef BLOOM_TEST_PROVOKE_H
#define BLOOM_TEST_PROVOKE_H

#include "support.h"

typedef struct provocation {
	bloom_status code;
	bloom_status (*provoke)(void); /* returns what the core said */
} provocation;

typedef struct provocations {
	const provocation *rows;
	size_t count;
} provocations;

extern const provocations blob_provocations, map_provocations, segment_provocations,
	snapshot_provocations, secret_provocations;

#endif

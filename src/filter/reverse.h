/* A reverse index answers: which of N groups may hold this value?
 *
 *     The groups 0 … N−1 are the leaves of a tree. Each node has `fan_out` children.
 *
 *         node 0            ──► children that may hold the value
 *        ╱   │   ╲
 *     node  node  node …    ──► their children; a search visits only nodes that may hold the value
 *
 * Conceptually each node has one Bloom filter per child. These filters are interleaved:
 *
 *     row 0   │ child 0 │ child 1 │ … │      A row holds one bit of every child's filter. The AND
 *     row 1   │ child 0 │ child 1 │ … │      of a value's rows answers for all children at once.
 *       …
 *
 * This is a bit-sliced signature file (Faloutsos & Christodoulakis, "Signature Files", 1984).
 *
 * The tables of all nodes share one array of blocks. The digest of a value in a node chooses the
 * block and the rows, and rotates the columns. Groups and nodes of very different sizes therefore
 * fill all columns of all blocks evenly.
 *
 * At each level a value sets one bit in each of its rows, all of them in one column. In terms of
 * geometry.h this is one key of a blocked Bloom filter whose lanes are the columns, so the same
 * functions compute its size and rate and measure its bits.
 *
 * Nodes are numbered level by level from 0: child c of node n has the number n · fan_out + c + 1.
 *
 * Concurrency: bits are read and set atomically. The same functions therefore serve builders, blobs
 * and live indexes.
 */
#ifndef BLOOM_REVERSE_H
#define BLOOM_REVERSE_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/probe.h"

typedef struct bloom_reverse {
	bloom_view view; /* its lanes are the columns */
	uint64_t groups;
	uint32_t fan_out;
	uint32_t levels;
} bloom_reverse;

/* The geometry must be checked and have groups, and `bits` must be verified against it. */
bloom_reverse bloom_reverse_of(const bloom_geometry *geometry, const unsigned char *bits);

/* Adds a value to a group.
 *
 *   bits        the same bytes as the view's, writable
 *   group       below reverse->groups
 *   shard_keys  NULL, or the key counts of all shards; the function increments them for new keys
 *
 * Returns the number of levels whose key was definitely new. 0 means that the group may have
 * contained the value already.
 */
uint32_t bloom_reverse_add(const bloom_reverse *reverse, unsigned char *bits, uint64_t group,
	bloom_digest value, uint32_t *shard_keys);

/* Calls `visit` for each group that may hold the value, in ascending order. Stops if `visit`
 * returns false.
 *
 * Cost: fan_out · probes bits per visited node. A search for a value that is in no group visits the
 * root and, at the filter's false-positive rate, a few more nodes.
 */
typedef bool (*bloom_visit_group)(void *context, uint64_t group);
void bloom_reverse_groups(
	const bloom_reverse *reverse, bloom_digest value, bloom_visit_group visit, void *context);

/* Searches like bloom_reverse_groups(), but the caller can also stop the search between nodes.
 *
 *   keep_going  called before every node except the root; false stops the search; may be NULL
 *
 * Returns false if `visit` or `keep_going` stopped the search.
 */
typedef struct bloom_visitor {
	bloom_visit_group visit;
	bool (*keep_going)(void *context);
	void *context;
} bloom_visitor;

bool bloom_reverse_walk(
	const bloom_reverse *reverse, bloom_digest value, const bloom_visitor *visitor);

/* Tests whether any group may hold the value.
 *
 * If the search has visited BLOOM_FALSE_GROUPS_MAX nodes without finding a group, the function
 * returns true ("maybe"). This happens only in a damaged, forged or vastly overfilled index. */
bool bloom_reverse_test(const bloom_reverse *reverse, bloom_digest value);

#endif

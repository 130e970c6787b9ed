/* A reverse index: which of N groups may hold this value?
 *
 *     groups 0 … N−1, as the leaves of a tree with `fan_out` children a node
 *
 *         node 0            ──► its children that may hold the value
 *        ╱   │   ╲
 *     node  node  node …    ──► theirs, only of those that may
 *
 * Each node would need a filter a child. Instead of one filter behind the other they lie interleaved:
 *
 *     row 0   │ child 0 │ child 1 │ … │      a row is one bit of every child's filter, so the
 *     row 1   │ child 0 │ child 1 │ … │      AND of a value's rows is the answer of all children
 *       …                                    at once (a bit-sliced signature file: Faloutsos &
 *                                            Christodoulakis, "Signature Files", 1984)
 *
 * and the tables of all nodes share one body of blocks. A value's digest in a node chooses the block
 * and the rows, and rotates the columns, so that groups of very different sizes, and nodes of very
 * different ones, fill all columns of all blocks alike. What a value adds at each level (a bit in
 * each of its rows, all in one column) is therefore a key of a blocked Bloom filter whose blocks are
 * the columns: sizing, rate and measuring are those of geometry.h.
 *
 * Nodes are numbered level by level from 0, so node n's child c has number n · fan_out + c + 1.
 *
 * Bits are read and set with atomics: the same functions serve a builder, a blob and a live index.
 */
#ifndef BLOOM_REVERSE_H
#define BLOOM_REVERSE_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/probe.h"

typedef struct bloom_reverse {
	bloom_view view; /* lanes are columns */
	uint64_t groups;
	uint32_t fan_out;
	uint32_t levels;
} bloom_reverse;

/* Only for a geometry with groups that passed the gate, and bits that were verified against it. */
bloom_reverse bloom_reverse_of(const bloom_geometry *geometry, const unsigned char *bits);

/* Adds a value to a group (< groups). `bits` are those of the view.
 *
 *   shard_keys  NULL, or per shard the keys that were certainly new: raised
 *
 * Returns how many levels' keys were certainly new: 0 when the value may have been in the group.
 */
uint32_t bloom_reverse_add(const bloom_reverse *reverse, unsigned char *bits, uint64_t group,
	bloom_digest value, uint32_t *shard_keys);

/* Calls `visit` with each group that may hold the value, in rising order, until it returns false.
 *
 * Cost    fan_out · probes bits a node visited; a value of no group visits one node and, at the rate
 *         of the filter, a few more.
 */
typedef bool (*bloom_visit_group)(void *context, uint64_t group);
void bloom_reverse_groups(
	const bloom_reverse *reverse, bloom_digest value, bloom_visit_group visit, void *context);

/* The same for a caller that wants to stop a long walk.
 *
 *   keep_going  called before each node but the first; false ends the walk
 *
 * Returns false if the walk was stopped early.
 */
typedef struct bloom_visitor {
	bloom_visit_group visit;
	bool (*keep_going)(void *context);
	void *context;
} bloom_visitor;

bool bloom_reverse_walk(
	const bloom_reverse *reverse, bloom_digest value, const bloom_visitor *visitor);

/* Whether any group may hold the value. After BLOOM_FALSE_GROUPS_MAX nodes without a group, of an index that was
 * damaged or forged or has far too many values, it is "maybe". */
bool bloom_reverse_test(const bloom_reverse *reverse, bloom_digest value);

#endif

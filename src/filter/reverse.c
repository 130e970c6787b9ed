#include "filter/reverse.h"

#include "filter/compiler.h"
#include "filter/rate.h"

enum { WORDS_MAX = BLOOM_FAN_OUT_MAX / 64 };

bloom_reverse bloom_reverse_of(const bloom_geometry *geometry, const unsigned char *bits)
{
	return (bloom_reverse){
		.view = bloom_view_of(geometry, bits),
		.groups = geometry->groups,
		.fan_out = geometry->fan_out,
		.levels = bloom_geometry_levels(geometry),
	};
}

/* ---- rows ---- */

/* Returns the number of columns by which a value's bits are rotated, which is the same in every
 * node. It is independent of the block and the rows, because those depend on the value's digest in
 * the node. */
static uint32_t rotation_of(const bloom_reverse *reverse, bloom_digest value)
{
	return (uint32_t)value & (reverse->fan_out - 1);
}

static bool set_in_node(
	const bloom_reverse *reverse, unsigned char *block, bloom_digest in_node, uint32_t column)
{
	bloom_probe_walk walk = bloom_probe_walk_of(&reverse->view, in_node);
	bool is_new = false;
	unsigned char *row;
	uint32_t i;

	for (i = 0; i < reverse->view.probes; i++) {
		row = block +
			(uint64_t)bloom_probe_next(&walk, &reverse->view) * (reverse->fan_out / 8);
		is_new |= bloom_set_bit(row + column / 8, (unsigned char)(1u << (column & 7)));
	}
	return is_new;
}

/* Computes the set of children that may hold the value, as a bit set. */
static void children_of(const bloom_reverse *reverse, bloom_digest value, uint64_t node,
	uint64_t children[WORDS_MAX])
{
	bloom_digest in_node = bloom_digest_in_node(value, node);
	const unsigned char *block = bloom_view_block(&reverse->view, in_node);
	uint32_t words = reverse->fan_out / 64;
	uint32_t rotation = rotation_of(reverse, value);
	uint32_t skip = rotation / 64, shift = rotation % 64;
	bloom_probe_walk walk = bloom_probe_walk_of(&reverse->view, in_node);
	uint64_t columns[WORDS_MAX];
	const uint64_t *row;
	uint32_t i, probe;

	for (i = 0; i < words; i++) {
		columns[i] = ~UINT64_C(0);
	}
	/* Rows have at least 64 bits and are aligned, so they can be loaded as words. Other
	 * processes may set bits concurrently. Relaxed loads are enough, because bits are never
	 * cleared. */
	for (probe = 0; probe < reverse->view.probes; probe++) {
		row = (const uint64_t *)(const void *)(block +
			(uint64_t)bloom_probe_next(&walk, &reverse->view) * (reverse->fan_out / 8));
		for (i = 0; i < words; i++) {
			columns[i] &= bloom_load_relaxed(row + i);
		}
	}
	/* Bit c of a row is bit c % 8 of byte c / 8, whatever the byte order of the machine. */
	for (i = 0; i < words; i++) {
		columns[i] = bloom_from_little_endian(columns[i]);
	}
	for (i = 0; i < words; i++) {
		/* Rotates the columns back, so that bit c stands for child c. */
		children[i] = columns[(i + skip) % words] >> shift;
		if (shift != 0) {
			children[i] |= columns[(i + skip + 1) % words] << (64 - shift);
		}
	}
}

/* ---- the tree ---- */

/* Number of groups below one child of a node at `level`. */
static uint64_t groups_per_child(const bloom_reverse *reverse, uint32_t level)
{
	uint64_t groups = 1;

	for (level++; level < reverse->levels; level++) {
		groups *= reverse->fan_out;
	}
	return groups;
}

uint32_t bloom_reverse_add(const bloom_reverse *reverse, unsigned char *bits, uint64_t group,
	bloom_digest value, uint32_t *shard_keys)
{
	uint64_t node = 0, block;
	uint32_t level, child, column, added = 0;
	bloom_digest in_node;

	for (level = 0; level < reverse->levels; level++) {
		child = (uint32_t)(group / groups_per_child(reverse, level) % reverse->fan_out);
		column = (child + rotation_of(reverse, value)) & (reverse->fan_out - 1);
		in_node = bloom_digest_in_node(value, node);
		/* Each level adds one key to the filter, usually in a different block. */
		block = bloom_fast_range(in_node, reverse->view.blocks);
		if (set_in_node(
			    reverse, bits + block * reverse->view.block_bytes, in_node, column)) {
			added++;
			if (shard_keys != NULL) {
				shard_keys[block]++; /* in a reverse index a block is a shard */
			}
		}
		node = node * reverse->fan_out + child + 1;
	}
	return added;
}

typedef struct descent {
	const bloom_reverse *reverse;
	bloom_digest value;
	const bloom_visitor *visitor;
} descent;

/* Searches the subtree of `node`, whose first group is `first`. Returns false if the visitor
 * stopped the search. The recursion is as deep as the tree: at most 6 levels. */
static bool descend(const descent *search, uint32_t level, uint64_t node, uint64_t first)
{
	const bloom_reverse *reverse = search->reverse;
	const bloom_visitor *visitor = search->visitor;
	uint64_t step = groups_per_child(reverse, level);
	uint64_t children[WORDS_MAX], pending, group;
	uint32_t i, child;

	children_of(reverse, search->value, node, children);
	for (i = 0; i < reverse->fan_out / 64; i++) {
		/* children_of() wrote fan_out / 64 words.
		 * NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign) */
		for (pending = children[i]; pending != 0; pending &= pending - 1) {
			child = i * 64 + bloom_trailing_zeros(pending);
			group = first + child * step;
			/* The groups ascend, so the remaining children do not exist either. */
			if (group >= reverse->groups) {
				return true;
			}
			if (level + 1 == reverse->levels) {
				if (!visitor->visit(visitor->context, group)) {
					return false;
				}
			} else if ((visitor->keep_going != NULL &&
					   !visitor->keep_going(visitor->context)) ||
				!descend(search, level + 1, node * reverse->fan_out + child + 1,
					group)) {
				return false;
			}
		}
	}
	return true;
}

bool bloom_reverse_walk(
	const bloom_reverse *reverse, bloom_digest value, const bloom_visitor *visitor)
{
	descent search = {.reverse = reverse, .value = value, .visitor = visitor};

	return descend(&search, 0, 0, 0);
}

void bloom_reverse_groups(
	const bloom_reverse *reverse, bloom_digest value, bloom_visit_group visit, void *context)
{
	bloom_visitor visitor = {.visit = visit, .context = context};

	(void)bloom_reverse_walk(reverse, value, &visitor);
}

static bool stop(void *context, uint64_t group)
{
	(void)context;
	(void)group;
	return false;
}

static bool count_node(void *context)
{
	uint32_t *nodes_left = context;

	return (*nodes_left)-- > 0;
}

bool bloom_reverse_test(const bloom_reverse *reverse, bloom_digest value)
{
	uint32_t nodes_left = BLOOM_FALSE_GROUPS_MAX;
	bloom_visitor visitor = {.visit = stop, .keep_going = count_node, .context = &nodes_left};

	return !bloom_reverse_walk(reverse, value, &visitor);
}

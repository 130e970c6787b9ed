/* A live generation is a file to which processes add keys in place.
 *
 *     0           4096                     layer 0                   layer 1 …
 *     ├ live head ┼ the kind's own ─────── ┼ bits [, counters] ───── ┼ bits …        ┤
 *       kind, params, layers, turn;          each layer is a filter
 *       every word is atomic                 with its own geometry
 *
 * create.h creates the file, and processes map it writable. The file has no holes, because writing
 * into a hole kills the writer if the file system is full. Its byte order and layout are native.
 *
 * This header declares what all live kinds share. A kind adds a row of operations (ops.h) and a
 * layout (below). The kind LIVE needs nothing else. See counting.h, scalable.h, sliding.h and
 * reverse_live.h for the other kinds.
 *
 * The parameters and the geometry of finished layers never change. Bits are never cleared, except
 * in counting and sliding filters. So a killed process leaves at most some bits of a key whose
 * add() had not returned.
 *
 * Lifetime: the file exists until the filter is dropped. A bloom_live exists until it is unmapped.
 * Locks: bytes of the file (segment/filelock.h). The header of each kind says which locks it
 * takes. */
#ifndef BLOOM_LIVE_H
#define BLOOM_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/atomic.h"
#include "filter/geometry.h"
#include "filter/journal_mark.h"
#include "filter/sizing.h"
#include "filter/probe.h"
#include "filter/reverse.h"
#include "kinds/ops.h"
#include "segment/control.h"
#include "segment/filelock.h"
#include "segment/segment.h"

enum {
	BLOOM_LIVE_HEAD_BYTES = 4096,
	BLOOM_LIVE_LAYOUT = 6,
	BLOOM_LAYERS_MAX = 64,
};

#define BLOOM_LIVE_MAGIC UINT64_C(0x6C697665C3000A0D)

typedef struct bloom_live bloom_live;

/* The parameters of create(), which accepts an existing filter only if its parameters are equal.
 * For fingerprints, only their presence is compared, because a filter keeps its original secret
 * after a rotation. */
typedef struct bloom_live_params {
	uint64_t kind;          /* a bloom_kind with live files */
	uint64_t capacity_keys; /* scalable: for layer 0; sliding: for one window */
	double rate;
	double growth;        /* scalable */
	double tightening;    /* scalable */
	uint64_t window_ms;   /* sliding */
	uint64_t groups;      /* reverse index */
	uint64_t fan_out;     /* reverse index */
	uint64_t fingerprint; /* identifies a keyed filter's secret; 0: not keyed */
	uint64_t is_bounded;  /* live, counting; 1: refuses a new key when it is full */
} bloom_live_params;

/* A filter within the file. */
typedef struct bloom_layer {
	uint64_t offset; /* where the layer's bits begin */
	uint64_t shards;
	uint32_t shard_bytes;
	uint32_t block_bytes;
	uint32_t probes;
	uint32_t unused;
	uint64_t capacity_keys;
	double rate;
	/* Atomic: the number of added keys that were definitely new. If a process is killed, its
	 * last key may be missing from this count. */
	uint64_t keys;
} bloom_layer;

/* For how long lookups trust additions. Several callers may ask for different times, and a careless
 * one must not undo what another relies on. So the shortest time wins, until nobody has asked for
 * it for an hour:
 *
 *     ask 2 s ─┐    ┌─ ask 60 s
 *     ─────────┴────┴───┬─────────────────────┬──────────────────────►
 *      this hour: 2 s   │ before: 2 s         │ before: 60 s
 *                       │ this hour: 60 s     │
 *          2 s          │         2 s         │        60 s
 *
 * An hour ends at the first request after it, so a longer time takes effect after one to two hours.
 * 0 means any age, which is the longest time. */
typedef struct bloom_lag {
	uint64_t max_ms;    /* in force: the shorter one of the next two */
	uint64_t asked_ms;  /* the shortest time that was asked for in this hour */
	uint64_t before_ms; /* and in the hour before; 0 also if nobody asked */
	uint64_t since_ms; /* bloom_uptime_ms() at which this hour began; 0: nobody has asked yet */
} bloom_lag;

/* How far additions have read their journal (additions.h). Every word is atomic. */
enum {
	BLOOM_LIVE_READ_TO_WORDS = (BLOOM_MARK_BYTES + 5 * (8 + BLOOM_CHECK_BYTES)) / 8,
	BLOOM_BASIS_CHANGE = 256,
};

typedef struct bloom_live_read_to {
	uint64_t changes;     /* their number; the lowest bit selects the valid copy */
	uint64_t complete_ms; /* bloom_uptime_ms(); 0: not complete yet */
	bloom_lag lag;
	uint64_t records;
	uint64_t loss; /* a bloom_loss, plus 4 times the one that was reported */
	uint64_t from; /* the offset of the blob's mark; never changes */
	/* The offset at which the journal ended when the loss of `untold` was noticed. */
	uint64_t untold_end;
	uint64_t copy[2][BLOOM_LIVE_READ_TO_WORDS]; /* a mark, and five positions of its epoch */
	uint64_t strayed; /* BLOOM_STRAYED_NONE (additions.h), or another journal with keys */
	/* What a lookup may rely on without reading the other words, while this one stays the same:
	 * the number of layers that may contain keys, plus BLOOM_BASIS_CHANGE times the number of
	 * changes to `lag` and `loss`. Every scalable filter keeps the number of layers. */
	uint64_t basis;
} bloom_live_read_to;

/* Returns the number of layers that may contain keys, according to a value of read_to.basis. A
 * process stores the number before it sets the first bit of a layer. So if it is killed, no other
 * process finds its bits and returns from an add while lookups leave out the layer. */
static inline uint32_t bloom_basis_layers(uint64_t basis)
{
	return (uint32_t)(basis % BLOOM_BASIS_CHANGE);
}

typedef struct bloom_live_head {
	uint64_t magic;
	uint64_t layout;
	bloom_live_params params;
	uint64_t seed;
	uint64_t created_ms;      /* wall clock */
	uint64_t layers;          /* atomic: the number of finished layers */
	uint64_t turn;            /* atomic, sliding: see sliding.h */
	uint64_t growth_failures; /* atomic, scalable */
	/* Atomic, scalable: the earliest time of the next attempt to grow, on the monotonic clock.
	 * 0: the last attempt succeeded. */
	uint64_t growth_retry_ms;
	bloom_layer layer[BLOOM_LAYERS_MAX];
	bloom_live_read_to read_to; /* additions */
} bloom_live_head;

_Static_assert(sizeof(bloom_live_head) == BLOOM_LIVE_HEAD_BYTES, "the live head is one page");

/* The offsets are the same in every build. Changing one requires a new BLOOM_LIVE_LAYOUT. */
#define BLOOM_AT(type, field, offset) \
	_Static_assert(offsetof(type, field) == (offset), "the layout of the live head has changed")
BLOOM_AT(bloom_live_params, kind, 0);
BLOOM_AT(bloom_live_params, capacity_keys, 8);
BLOOM_AT(bloom_live_params, rate, 16);
BLOOM_AT(bloom_live_params, growth, 24);
BLOOM_AT(bloom_live_params, tightening, 32);
BLOOM_AT(bloom_live_params, window_ms, 40);
BLOOM_AT(bloom_live_params, groups, 48);
BLOOM_AT(bloom_live_params, fan_out, 56);
BLOOM_AT(bloom_live_params, fingerprint, 64);
BLOOM_AT(bloom_live_params, is_bounded, 72);
BLOOM_AT(bloom_layer, offset, 0);
BLOOM_AT(bloom_layer, shards, 8);
BLOOM_AT(bloom_layer, shard_bytes, 16);
BLOOM_AT(bloom_layer, block_bytes, 20);
BLOOM_AT(bloom_layer, probes, 24);
BLOOM_AT(bloom_layer, unused, 28);
BLOOM_AT(bloom_layer, capacity_keys, 32);
BLOOM_AT(bloom_layer, rate, 40);
BLOOM_AT(bloom_layer, keys, 48);
BLOOM_AT(bloom_live_head, magic, 0);
BLOOM_AT(bloom_live_head, layout, 8);
BLOOM_AT(bloom_live_head, params, 16);
BLOOM_AT(bloom_live_head, seed, 96);
BLOOM_AT(bloom_live_head, created_ms, 104);
BLOOM_AT(bloom_live_head, layers, 112);
BLOOM_AT(bloom_live_head, turn, 120);
BLOOM_AT(bloom_live_head, growth_failures, 128);
BLOOM_AT(bloom_live_head, growth_retry_ms, 136);
BLOOM_AT(bloom_live_head, layer, 144);
BLOOM_AT(bloom_live_head, layer[1], 200);
BLOOM_AT(bloom_live_head, read_to, 3728);
BLOOM_AT(bloom_live_head, read_to.strayed, 4080);
BLOOM_AT(bloom_live_head, read_to.basis, 4088);
#undef BLOOM_AT

/* The head in shared memory. Only the words that change have names here, and code accesses them
 * only through atomic.h. All other words are read from bloom_live.known, a checked copy. So a
 * damaged file cannot lead a process outside its mapping. */
typedef struct bloom_live_page {
	unsigned char fixed[112];
	uint64_t layers;
	uint64_t turn;
	uint64_t growth_failures;
	uint64_t growth_retry_ms;
	struct {
		unsigned char fixed[48];
		uint64_t keys;
	} layer[BLOOM_LAYERS_MAX];
	bloom_live_read_to read_to;
} bloom_live_page;

#define BLOOM_SAME(field)                                                                    \
	_Static_assert(offsetof(bloom_live_page, field) == offsetof(bloom_live_head, field), \
		"the page is laid out like the head")
BLOOM_SAME(layers);
BLOOM_SAME(turn);
BLOOM_SAME(growth_failures);
BLOOM_SAME(growth_retry_ms);
BLOOM_SAME(layer[0].keys);
BLOOM_SAME(layer[1].keys);
BLOOM_SAME(read_to);
#undef BLOOM_SAME
_Static_assert(sizeof(bloom_live_page) == BLOOM_LIVE_HEAD_BYTES, "the page is one page");

/* A thread's mapping of a live generation. */
struct bloom_live {
	bloom_live_page *head; /* the first page of the mapping; NULL: not mapped */
	/* A checked copy of the head. The copies of atomic words may be out of date. */
	bloom_live_head known;
	uint64_t map_bytes;
	int kept;        /* for bloom_map_grow() */
	uint32_t layers; /* the number of mapped layers, and of valid elements of `view` */
	bloom_filelock lock;
	bloom_hasher hasher;
	bloom_reverse reverse; /* only for a reverse index */
	bloom_view view[BLOOM_LAYERS_MAX];
};

/* Consecutive layers. */
typedef struct bloom_layer_range {
	uint32_t first;
	uint32_t count;
	bool is_empty; /* the keys in these layers have expired */
} bloom_layer_range;

/* The layout and the parameters of a kind's live files. A function is NULL if the kind does not
 * need it. */
struct bloom_live_layout {
	/* Checks the parameters that only this kind has. The parameters come from create() or from
	 * a mapped head. */
	bloom_status (*check)(const bloom_live_params *params);

	/* Returns the rate of layer 0. If NULL, layer 0 has the filter's rate. */
	double (*first_rate)(const bloom_live_params *params);

	/* Chooses the geometry of layer 0. If NULL, bloom_geometry_choose() chooses it from the
	 * capacity and the rate. */
	bloom_status (*choose)(
		const bloom_live_params *params, uint64_t seed, bloom_geometry *geometry);

	/* Sets the words of a new head that only this kind uses. */
	void (*begin)(bloom_live_head *head);

	/* Returns the layers that lookups currently read. If NULL, lookups read all mapped
	 * layers. */
	bloom_layer_range (*answering)(const bloom_live *live);

	uint32_t layers;       /* the number of layers in a new file */
	uint32_t layers_max;   /* the maximum number after growth */
	uint32_t own_bytes;    /* the space between the head and layer 0; whole pages */
	uint32_t counter_bits; /* for each bit of a layer; stored after the layer's bits */
	bool has_groups;       /* layer 0 is a reverse index */
	bool view_answers;     /* a lookup only tests layer 0, as in a loaded filter */

	bool may_be_bounded; /* create() accepts is_bounded */

	/* ---- snapshots (snapshot.h) ---- */

	/* Sets the turn of a restored file before it is served, and empties the slots whose keys
	 * have expired. The head contains the turn at the time of the save, `saved_at_ms` on the
	 * clock of that boot. */
	void (*resume)(
		bloom_live_head *head, uint64_t saved_at_ms, uint64_t elapsed_ms, uint64_t now_ms);

	/* A kind with counters has both of these functions. save() copies `bytes` bytes of the
	 * counters of layer 0, from offset `at` on, and both numbers are multiples of the size of a
	 * block's counters. restore() sets the bits of a layer to match its counters, which follow
	 * the bits. */
	bloom_status (*save)(bloom_live *live, const bloom_segment *segment, const char *name,
		uint64_t at, uint64_t bytes, unsigned char *copy, bloom_error *error);
	void (*restore)(unsigned char *bits, uint64_t bits_bytes);
};

/* Copies a head with its finished layers, and checks everything that lookups and adds rely on.
 * Returns false if the file is damaged, or a different build wrote it.
 *
 *   page        of a live file, or of a snapshot
 *   file_bytes  the size of the file; the layers must fit
 *   *known      the copy. No other process can change it, so checking it is safe
 *   *end        the end of the last layer */
bool bloom_live_read(
	const bloom_live_page *page, uint64_t file_bytes, bloom_live_head *known, uint64_t *end);

/* Maps a live file and checks its head.
 *
 *   *live  filled on success; release it with bloom_live_unmap()
 *
 * Errors: BLOOM_E_NOT_FOUND, _LIVE (damaged, or written by a different build), _SECRET (the filter
 * is keyed, and the ring lacks its secret), _HOLES, _REFUSED_…, _SYSTEM. */
bloom_status bloom_live_map(
	const bloom_filter_dir *dir, const char *file_name, bloom_live *live, bloom_error *error);

void bloom_live_unmap(bloom_live *live); /* a zeroed bloom_live is ignored */

/* Maps a live file into a newly allocated bloom_live, which is too large for a fiber's stack.
 * Accepts only a file of the kind `kind`.
 *
 * Errors: those of bloom_live_map(); BLOOM_E_LIVE also if the kind differs; BLOOM_E_MEMORY. */
bloom_status bloom_live_new(const bloom_filter_dir *dir, const char *file_name, uint64_t kind,
	bloom_live **live, bloom_error *error);

void bloom_live_free(bloom_live *live); /* NULL is ignored */

/* Maps the layers that have been added since the file was mapped. After an error the mapping is
 * valid but incomplete.
 *
 * Errors: BLOOM_E_LIVE, _MEMORY, _SYSTEM. */
bloom_status bloom_live_follow(bloom_live *live, bloom_error *error);

/* Returns the layers that lookups currently read. */
bloom_layer_range bloom_live_answering(const bloom_live *live);

/* These functions return the geometry of a layer and the bits of a mapped layer. For the geometry
 * of a mapped file, pass &live->known. */
bloom_geometry bloom_live_geometry(const bloom_live_head *head, uint32_t layer);
unsigned char *bloom_live_bits(const bloom_live *live, uint32_t layer);

/* Adds a key to a layer and counts it. Returns true if the layer definitely did not contain the
 * key.
 *
 * Concurrency: takes no lock. */
bool bloom_live_add(bloom_live *live, uint32_t layer, bloom_digest digest);

/* Adds all keys of a filter to a layer of the same geometry, seed and secret, by setting its bits.
 * Afterwards the number of keys is estimated. A process that is killed leaves some of the bits.
 *
 *   bits   aligned to 8 bytes; processes may set bits of them meanwhile
 *   keys   the number of keys of the other filter
 *
 * Errors: BLOOM_E_DIFFERENT, whose subject names the first difference; BLOOM_E_FULL, with the
 * parameter is_bounded, if both filters together have more keys than the capacity.
 * Cost: one pass over both filters. */
bloom_status bloom_live_merge(bloom_live *live, uint32_t layer, const bloom_geometry *geometry,
	const unsigned char *bits, uint64_t keys, const char *name, bloom_error *error);

/* Checks that a filter with the parameter is_bounded has room for a new key in layer 0.
 *
 * Errors: BLOOM_E_FULL. Processes that add at the same time may each exceed the capacity by one
 * key. */
bloom_status bloom_live_check_room(const bloom_live *live, const char *name, bloom_error *error);

/* ---- for the kinds ---- */

/* Returns the layout of a kind, or NULL if the kind has no live files. */
const bloom_live_layout *bloom_live_layout_of(uint64_t kind);

/* These functions return the size of a layer in the file, including its counters, and the offset of
 * layer 0. */
uint64_t bloom_live_layer_bytes(uint64_t kind, const bloom_geometry *geometry);
uint64_t bloom_live_first_offset(uint64_t kind);

/* Fills the row of a layer whose bits begin at `offset` in the file. The layer has no keys yet. */
void bloom_live_layer_write(bloom_layer *layer, const bloom_geometry *geometry, uint64_t offset,
	uint64_t capacity_keys, double rate);

/* The operations (ops.h) that several live kinds share: map, unmap, test and copy. */
bloom_status bloom_live_attach(const bloom_kind_ops *self, bloom_attachment *attachment,
	const bloom_filter_dir *dir, uint64_t generation, const char *file_name,
	bloom_error *error);
void bloom_live_detach(bloom_attachment *attachment);
bool bloom_live_test_view(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes);
bloom_status bloom_live_copy(const bloom_attachment *attachment, const bloom_meta *meta,
	bloom_builder *builder, bloom_error *error);

#endif

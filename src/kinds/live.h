/* A live generation: one that processes go on adding to, in place.
 *
 *     0           4096                     layer 0                   layer 1 …
 *     ├ live head ┼ intents (counting) ─── ┼ bits [, counters] ───── ┼ bits …        ┤
 *       kind, what was asked for, layers,     a filter each, of its own geometry
 *       turn; every word of it atomic
 *
 * It is a file of the segment like any other generation, made, verified to have its room (no holes:
 * writing into one could kill the writer), renamed and switched to in the same way; but it is mapped
 * writable, and its numbers and the layout are this machine's own. What differs between the kinds
 * is in counting.h, scalable.h and sliding.h; a live filter and a live reverse index have one layer and
 * need no more than is here.
 *
 * Parameters and finished layers never change. Bits are only ever added, but for what counting.h and
 * sliding.h say. So a process killed anywhere leaves, at worst, some bits of a key whose add() has
 * not returned.
 */
#ifndef BLOOM_LIVE_H
#define BLOOM_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/atomic.h"
#include "segment/control.h"
#include "segment/filelock.h"
#include "filter/geometry.h"
#include "filter/sizing.h"
#include "filter/probe.h"
#include "filter/reverse.h"
#include "segment/segment.h"
#include "segment/stage.h"

enum {
	BLOOM_LIVE_HEAD_BYTES = 4096,
	BLOOM_LIVE_LAYOUT = 2,
	BLOOM_LAYERS_MAX = 64,
	BLOOM_INTENT_BYTES = 256, /* counting.h */
	BLOOM_STRIPES = 64,
	BLOOM_SLOTS = 3, /* sliding.h */
};

#define BLOOM_WINDOW_MS_MIN UINT64_C(10)
#define BLOOM_WINDOW_MS_MAX UINT64_C(1000000000000)

#define BLOOM_LIVE_MAGIC UINT64_C(0x6C697665C3000A0D)

/* What was asked for. Two that are equal make the same filter; but two fingerprints are as good as equal, because
 * after a rotation the filter keeps the secret that it was made with. */
typedef struct bloom_live_params {
	uint64_t kind;          /* a bloom_kind but BLOOM_KIND_LOADED */
	uint64_t capacity_keys; /* scalable: of the first layer; sliding: a window */
	double rate;
	double growth;        /* scalable */
	double tightening;    /* scalable */
	uint64_t window_ms;   /* sliding */
	uint64_t groups;      /* reverse index */
	uint64_t fan_out;     /* reverse index */
	uint64_t fingerprint; /* of the secret that it is keyed with; 0: not keyed */
} bloom_live_params;

/* A filter within the file. */
typedef struct bloom_layer {
	uint64_t offset; /* of its bits */
	uint64_t shards;
	uint32_t shard_bytes;
	uint32_t block_bytes;
	uint32_t probes;
	uint32_t unused;
	uint64_t capacity_keys;
	double rate;
	/* Atomic: that were certainly new. A key or so is lost with a kill. */
	uint64_t keys;
} bloom_layer;

typedef struct bloom_live_head {
	uint64_t magic;
	uint64_t layout;
	bloom_live_params params;
	uint64_t seed;
	uint64_t created_ms;      /* wall clock */
	uint64_t layers;          /* atomic: finished layers */
	uint64_t turn;            /* atomic, sliding: see sliding.h */
	uint64_t growth_failures; /* atomic, scalable */
	/* Atomic, scalable: monotonic; no growth before. 0: the last one succeeded. */
	uint64_t growth_retry_ms;
	bloom_layer layer[BLOOM_LAYERS_MAX];
	unsigned char unused[BLOOM_LIVE_HEAD_BYTES - 17 * 8 - BLOOM_LAYERS_MAX * 56];
} bloom_live_head;

_Static_assert(sizeof(bloom_live_head) == BLOOM_LIVE_HEAD_BYTES, "the live head is one page");

/* Where everything is, in any build: another layout must have another number. */
#define BLOOM_AT(type, field, offset) \
	_Static_assert(offsetof(type, field) == (offset), "another layout of the live head")
BLOOM_AT(bloom_live_params, kind, 0);
BLOOM_AT(bloom_live_params, capacity_keys, 8);
BLOOM_AT(bloom_live_params, rate, 16);
BLOOM_AT(bloom_live_params, growth, 24);
BLOOM_AT(bloom_live_params, tightening, 32);
BLOOM_AT(bloom_live_params, window_ms, 40);
BLOOM_AT(bloom_live_params, groups, 48);
BLOOM_AT(bloom_live_params, fan_out, 56);
BLOOM_AT(bloom_live_params, fingerprint, 64);
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
BLOOM_AT(bloom_live_head, seed, 88);
BLOOM_AT(bloom_live_head, created_ms, 96);
BLOOM_AT(bloom_live_head, layers, 104);
BLOOM_AT(bloom_live_head, turn, 112);
BLOOM_AT(bloom_live_head, growth_failures, 120);
BLOOM_AT(bloom_live_head, growth_retry_ms, 128);
BLOOM_AT(bloom_live_head, layer, 136);
BLOOM_AT(bloom_live_head, layer[1], 192);
BLOOM_AT(bloom_live_head, unused, 3720);
#undef BLOOM_AT

/* The same page as other processes share it. Code may use only the words that change, through atomic.h. What never
 * changes has no name here: it is read from bloom_live.known, a copy of the head that was checked. So damage to the
 * file cannot lead a process out of its mapping. */
typedef struct bloom_live_page {
	unsigned char fixed[104];
	uint64_t layers;
	uint64_t turn;
	uint64_t growth_failures;
	uint64_t growth_retry_ms;
	struct {
		unsigned char fixed[48];
		uint64_t keys;
	} layer[BLOOM_LAYERS_MAX];
	unsigned char unused[BLOOM_LIVE_HEAD_BYTES - 17 * 8 - BLOOM_LAYERS_MAX * 56];
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
BLOOM_SAME(unused);
#undef BLOOM_SAME
_Static_assert(sizeof(bloom_live_page) == BLOOM_LIVE_HEAD_BYTES, "the page is one page");

/* A thread's mapping of a live generation. */
typedef struct bloom_live {
	bloom_live_page *head; /* the mapping's first bytes; NULL: none */
	/* The head as it was when it was checked; its atomic words are out of date. */
	bloom_live_head known;
	uint64_t map_bytes;
	uint32_t layers; /* of which there are views */
	bloom_filelock lock;
	bloom_hasher hasher;
	bloom_reverse reverse; /* of a reverse index */
	bloom_view view[BLOOM_LAYERS_MAX];
} bloom_live;

/* The gate for what users ask: each number by itself.
 *
 * Fails   BLOOM_E_CAPACITY, _RATE, _GROWTH, _TIGHTENING, _WINDOW, _GROUPS, _FAN_OUT.
 */
bloom_status bloom_live_params_check_ranges(const bloom_live_params *params, bloom_error *error);

/* The same, and whether all of them together can be a filter.
 *
 * Fails   also BLOOM_E_TOO_LARGE.
 * Cost    up to milliseconds: the filter is sized.
 */
bloom_status bloom_live_params_check(const bloom_live_params *params, bloom_error *error);

/* Makes a live file ready to be committed, in *stage (see stage.h), all its bits clear. When `bits` are
 * given they are what the first layer begins with.
 *
 *   geometry  of the first layer, or NULL: chosen for the params, with `seed`
 *   bits      NULL, or bloom_geometry_bytes() of them
 *
 * Fails   as bloom_live_params_check() and bloom_stage_begin(); BLOOM_E_SECRET for a fingerprint of no secret here;
 *         BLOOM_E_SOLVED for a ribbon filter's geometry, whose bits no key can be added to.
 */
bloom_status bloom_live_stage(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, uint64_t seed, const bloom_geometry *geometry,
	const unsigned char *bits, bloom_stage *stage, bloom_error *error);

/* The filter `name` as requested: made if there is none, and left as it is if there is one of the same
 * params.
 *
 *   seed      of a new one; NULL: random. One that is given must be the existing one's.
 *   *created  whether it was made
 *
 * Fails   BLOOM_E_EXISTS (other parameters), _KIND, and as bloom_live_stage().
 */
bloom_status bloom_live_create(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, const uint64_t *seed, bool *created, bloom_error *error);

/* Whether a mapped filter of the params's kind is as requested.
 *
 *   seed  NULL: any
 *
 * Fails   BLOOM_E_EXISTS, naming the first parameter that is not.
 */
bloom_status bloom_live_match(const bloom_live *live, const bloom_live_params *params,
	const uint64_t *seed, const char *name, bloom_error *error);

/* Whether a live file of a filter's open directory is as requested: for overlay.h, too.
 *
 * Fails   BLOOM_E_EXISTS, naming the first parameter that is not; and as bloom_live_map().
 */
bloom_status bloom_live_compare(const bloom_place *opened, const char *file_name,
	const bloom_live_params *params, const uint64_t *seed, bloom_error *error);

/* Maps a live file of a filter's open directory.
 *
 *   *live   filled on success; give it back with bloom_live_unmap()
 *
 * Fails   BLOOM_E_NOT_FOUND, _LIVE, _SECRET (keyed, and the segment's ring has it not), _HOLES, _REFUSED_…, _SYSTEM.
 */
bloom_status bloom_live_map(
	const bloom_place *opened, const char *file_name, bloom_live *live, bloom_error *error);

void bloom_live_unmap(bloom_live *live); /* a zeroed one is fine */

/* Maps the layers that were added since.  Fails BLOOM_E_LIVE, _MEMORY, _SYSTEM: what is mapped is not all there is. */
bloom_status bloom_live_follow(bloom_live *live, bloom_error *error);

/* Geometry of a layer (by live->known, when it is mapped), and of a mapped one its bits. */
bloom_geometry bloom_live_geometry(const bloom_live_head *head, uint32_t layer);
unsigned char *bloom_live_bits(const bloom_live *live, uint32_t layer);

/* Adds to a layer and counts. True: the key was certainly not in it. */
bool bloom_live_add(bloom_live *live, uint32_t layer, bloom_digest digest);

/* Adds a value to a group of a live reverse index. True: it was certainly not there. */
bool bloom_live_add_to_group(bloom_live *live, uint64_t group, bloom_digest value);

/* Bytes of a layer in the file, and where the first one begins: for scalable.h. */
uint64_t bloom_live_layer_bytes(uint64_t kind, const bloom_geometry *geometry);
void bloom_live_layer_write(bloom_layer *layer, const bloom_geometry *geometry, uint64_t offset,
	uint64_t capacity_keys, double rate);

#endif

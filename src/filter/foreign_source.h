/* Describes a filter of another system as the readers of the formats find it, by its numbers and by
 * where the bits of its layers are. foreign_read.h reads and uses it.
 *
 * All functions are pure.
 */
#ifndef BLOOM_FOREIGN_SOURCE_H
#define BLOOM_FOREIGN_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/dump.h"
#include "filter/foreign_layer.h"
#include "filter/geometry.h"

/* The longest header in front of a layer's bits. */
enum { BLOOM_FOREIGN_SKIP_MAX = 45 };

/* Where the bits of a layer are: after the first `skip` bytes of a string. A VALKEYPROB string may
 * be shorter than its layer, because Redis does not store the zeros at the end. */
typedef struct bloom_foreign_part {
	bloom_dump_string string;
	uint32_t skip;
} bloom_foreign_part;

/* A filter of another system. It takes 72 KiB, so do not put it on a stack. */
typedef struct bloom_foreign_source {
	bloom_geometry geometry; /* of the blob */
	uint64_t keys;           /* as the writer counted them; otherwise estimated from the bits */
	uint64_t capacity; /* as the writer stored it; otherwise estimated from bits and probes */
	double rate;       /* the rate that the writer was asked for */
	bool is_set;       /* any bit of any layer is set */
	unsigned char key[BLOOM_FOREIGN_KEY_BYTES];
	bloom_foreign_layer layers[BLOOM_FOREIGN_LAYERS_MAX]; /* geometry.layers of them */
	bloom_foreign_part parts[BLOOM_FOREIGN_LAYERS_MAX];
	unsigned char window[BLOOM_LZF_WINDOW_BYTES]; /* used only while the bytes are read */
} bloom_foreign_source;

/* The functions below report BLOOM_E_FOREIGN, unless their comment says otherwise. */

/* Checks the number of layers that the bytes claim to have. */
bloom_status bloom_foreign_check_count(uint64_t layers, bloom_error *error);

/* Adds the capacity of the next layer to that of the filter, which a blob's head limits. */
bloom_status bloom_foreign_add_capacity(
	bloom_foreign_source *source, uint64_t capacity, bloom_error *error);

/* Checks that the next layer's string can be unpacked, and that a layer with keys also has bits.
 *
 *   keys  number of keys in the layer
 *   head  receives the string's first `head_bytes` bytes, which are not bits */
bloom_status bloom_foreign_look(bloom_foreign_source *source, const bloom_dump_string *string,
	uint64_t keys, unsigned char *head, uint64_t head_bytes, bloom_error *error);

/* Checks that no part of the next layer is missing. Formats without a checksum need this, because a
 * file can have zeros where a part was never written.
 *
 * The first probe of each key is anywhere in the layer, so a longer run of zeros than these keys
 * leave with a probability of 10^-9 is refused. An attacker who chooses keys so that they avoid a
 * part of the layer can only cause this error.
 *
 *   bytes     `count` bytes of the layer's bits
 *   set_bits  the number of set bits */
bloom_status bloom_foreign_check_holes(const bloom_foreign_source *source,
	const unsigned char *bytes, uint64_t count, const bloom_foreign_layer *layer,
	uint64_t set_bits, bloom_error *error);

/* Checks that enough bits of the next layer are set for the keys that its writer counted. The
 * parameters are those above. Additional bits do no harm. */
bloom_status bloom_foreign_check_fill(const bloom_foreign_source *source, uint64_t keys,
	const bloom_foreign_layer *layer, uint64_t set_bits, bloom_error *error);

/* Appends the next layer. There must be fewer than BLOOM_FOREIGN_LAYERS_MAX. */
void bloom_foreign_append(bloom_foreign_source *source, uint64_t bits, uint32_t probes,
	const bloom_dump_string *string, uint32_t skip);

/* Completes the geometry when all layers are appended, by choosing the size of the shards and how
 * many of them each layer takes.
 *
 * Errors: BLOOM_E_FOREIGN_EMPTY, and those of bloom_geometry_check(). */
bloom_status bloom_foreign_finish(bloom_foreign_source *source, bloom_error *error);

#endif

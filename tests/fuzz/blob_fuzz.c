/* Parses bytes as a blob, verifies them, looks keys up, measures the filter and writes it again.
 *
 * An accepted blob must be a filter that a builder could have written. The target counts the bits
 * again, repeats each lookup by the rules of docs/dev/blob.md, and compares the head with a head
 * written from the same bits. An attacker can write right checksums, so the mutator corrects them.
 */
/* fault: arbitrary-bytes */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/blob_write.h"
#include "filter/rate.h"
#include "filter/reverse.h"
#include "filter/ribbon.h"
#include "filter/value_map.h"
#include "support.h"

enum { KEYS_ASKED = 16, GROUPS_ASKED = 64, ROOM = 24 * 1024 };

/* Computes word j of a digest's probe stream, as docs/dev/blob.md defines. */
static uint64_t word_by_the_book(bloom_digest digest, uint64_t j)
{
	uint64_t z = digest * UINT64_C(0xD1B54A32D192ED03);

	if (j > 0) {
		z += j * UINT64_C(0x9E3779B97F4A7C15);
		z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
		z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
		z ^= z >> 31;
	}
	return z;
}

/* Looks a digest up in a plain filter bit by bit, as docs/dev/blob.md defines. */
static bool has_by_the_book(
	const bloom_geometry *geometry, const unsigned char *body, bloom_digest digest)
{
	uint64_t blocks = geometry->shards * geometry->shard_bytes / geometry->block_bytes;
	uint64_t block = (uint64_t)(((unsigned __int128)digest * blocks) >> 64);
	uint64_t block_bits = (uint64_t)geometry->block_bytes * 8, word, bit;
	unsigned field_bits = 0, fields, probe;

	while (UINT64_C(1) << field_bits < block_bits) {
		field_bits++;
	}
	fields = 64 / field_bits;
	for (probe = 0; probe < geometry->probes; probe++) {
		word = word_by_the_book(digest, probe / fields);
		bit = (word >> (probe % fields * field_bits)) % block_bits;
		if ((body[block * geometry->block_bytes + bit / 8] >> (bit % 8) & 1) == 0) {
			return false;
		}
	}
	return true;
}

/* Returns the slot where a key starts in a shard, or UINT32_MAX if the last level bumps it.
 *
 *   homes  the number of shards among which digests choose
 *   first  the number of the shard's first level, from 0 */
static uint32_t start_by_the_book(const bloom_head *head, const unsigned char *bytes,
	bloom_digest digest, uint64_t homes, uint64_t first_level)
{
	static const uint32_t thresholds[] = {0, 24, 56, 128};
	uint32_t stripes = head->geometry.stripes, words = (stripes + 63) / 64;
	uint32_t count[] = {stripes - 2 - 2 * words, 2 * words, 1}, first = 0, start, bucket, value;
	uint64_t fraction = digest * homes, level;

	for (level = 0; level < 3; first += count[level++]) {
		start = 64 * first +
			(uint32_t)((unsigned __int128)(fraction *
					   (1 +
						   (first_level + level) *
							   UINT64_C(0x3C6EF372FE94F82A))) *
					(64 * count[level]) >>
				64);
		bucket = start / 128;
		value = bytes[2 * bucket / 8] >> 2 * bucket % 8 & 3;
		if (start % 128 >= thresholds[value]) {
			return start;
		}
	}
	return UINT32_MAX;
}

/* Computes column `column` of a key's equation slot by slot. */
static uint64_t column_by_the_book(const bloom_head *head, const unsigned char *bytes,
	bloom_digest digest, uint32_t start, uint32_t column)
{
	uint32_t stripes = head->geometry.stripes, first = (stripes + 63) / 64;
	uint32_t words = head->geometry.shard_bytes / 8 - first, width = words / stripes;
	uint32_t narrow = stripes - words % stripes, slot, stripe, word;
	uint64_t coefficients = word_by_the_book(digest, 1) | 1, parity = 0;

	for (slot = start; slot < start + 64; slot++) {
		stripe = slot / 64;
		word = first + stripe * width + (stripe > narrow ? stripe - narrow : 0) + column;
		parity ^= (uint64_t)(bytes[8 * word + slot % 64 / 8] >> (slot % 8) & 1) &
			coefficients >> (slot - start);
	}
	return parity;
}

/* Returns the number of columns of the equations that start in a slot. */
static uint32_t columns_by_the_book(const bloom_head *head, uint32_t start)
{
	uint32_t stripes = head->geometry.stripes;
	uint32_t words = head->geometry.shard_bytes / 8 - (stripes + 63) / 64;

	return words / stripes + (start / 64 >= stripes - words % stripes);
}

/* Looks a digest up in a ribbon filter, as docs/dev/blob.md defines. */
static bool ribbon_has_by_the_book(
	const bloom_head *head, const unsigned char *body, bloom_digest digest)
{
	uint64_t shards = head->geometry.shards;
	const unsigned char *bytes = body +
		(uint64_t)((unsigned __int128)digest * shards >> 64) * head->geometry.shard_bytes;
	uint32_t start = start_by_the_book(head, bytes, digest, shards, 0), column;

	for (column = 0; start != UINT32_MAX && column < columns_by_the_book(head, start);
		column++) {
		if (column_by_the_book(head, bytes, digest, start, column) !=
			(word_by_the_book(digest, 0) >> column & 1)) {
			return false;
		}
	}
	return true;
}

/* Looks a digest up in a map, as docs/dev/blob.md defines. */
static bool map_get_by_the_book(
	const bloom_head *head, const unsigned char *body, bloom_digest digest, uint64_t *value)
{
	const bloom_geometry *geometry = &head->geometry;
	uint64_t homes = geometry->shards > 1 ? geometry->shards - 1 : 1;
	const unsigned char *bytes =
		body + (uint64_t)((unsigned __int128)digest * homes >> 64) * geometry->shard_bytes;
	uint32_t start = start_by_the_book(head, bytes, digest, homes, 0), column;

	if (start == UINT32_MAX) {
		bytes = body + (geometry->shards - 1) * geometry->shard_bytes;
		start = start_by_the_book(head, bytes, digest, homes, 3);
	}
	require(start != UINT32_MAX);
	*value = 0;
	for (column = 0; column < columns_by_the_book(head, start); column++) {
		uint64_t bit = column_by_the_book(head, bytes, digest, start, column);

		if (column < geometry->value_bits) {
			*value |= bit << column;
		} else if (bit !=
			(word_by_the_book(digest, 0) >> (column - geometry->value_bits) & 1)) {
			return false;
		}
	}
	return true;
}

/* Returns whether the last level of a map's last shard bumps a key: all of its starts are in one
 * bucket, and the first one is bumped if any is. */
static bool map_lacks_places(const bloom_head *head, const unsigned char *body)
{
	uint32_t bucket = head->geometry.stripes / 2 - 1;

	return head->geometry.value_bits != 0 &&
		(body[(head->geometry.shards - 1) * head->geometry.shard_bytes + bucket / 4] >>
				bucket % 4 * 2 &
			3) != 0;
}

static uint64_t count_bits(const unsigned char *bytes, uint64_t count)
{
	uint64_t bits = 0, i;

	for (i = 0; i < count; i++) {
		bits += (uint64_t)__builtin_popcount(bytes[i]);
	}
	return bits;
}

/* Checks that the shards match their rows, without using the core's functions. */
static bool is_as_rows_say(const bloom_head *head, const unsigned char *body)
{
	uint64_t shard, set_bits;
	bloom_shard_row row;

	for (shard = 0; shard < head->geometry.shards; shard++) {
		row = bloom_head_row(head, shard);
		set_bits = count_bits(
			body + shard * head->geometry.shard_bytes, head->geometry.shard_bytes);
		if ((head->geometry.stripes == 0 && row.set_bits != set_bits) ||
			row.checksum !=
				bloom_checksum(body + shard * head->geometry.shard_bytes,
					head->geometry.shard_bytes)) {
			return false;
		}
		if (head->geometry.stripes != 0) {
			require(row.set_bits == 0);
			continue;
		}
		/* A shard may not be saturated, and its bits are all clear if and only if it has no
		 * keys. */
		require(set_bits * 16 <= (uint64_t)head->geometry.shard_bytes * 8 * 15);
		require((set_bits == 0) == (row.keys == 0));
		require(row.keys <= set_bits &&
			set_bits <= (uint64_t)row.keys * head->geometry.probes);
	}
	return !map_lacks_places(head, body);
}

typedef struct asked {
	uint64_t groups;
	uint64_t visits;
	uint64_t last;
} asked;

static bool note_group(void *context, uint64_t group)
{
	asked *seen = context;

	require(group < seen->groups);
	require(seen->visits == 0 || group > seen->last);
	seen->last = group;
	return ++seen->visits < GROUPS_ASKED;
}

static void get(const bloom_head *head, const unsigned char *body, bloom_digest digest)
{
	bloom_value_map map = bloom_value_map_of(&head->geometry, body);
	uint64_t expected, one = 0, plain = 0, many = 0;
	bool found = map_get_by_the_book(head, body, digest, &expected);

	require(bloom_value_map_get(&map, digest, &one) == found);
	require(bloom_value_map_get_plain(&map, digest, &plain) == found);
	require(bloom_value_map_get_many(&map, &digest, 1, &many) == found);
	require(bloom_value_map_get_many(&map, &digest, 1, NULL) == found);
	require(!found || (one == expected && plain == expected && many == expected));
}

static void look_up(const bloom_head *head, const unsigned char *body)
{
	bloom_view view = bloom_view_of(&head->geometry, body);
	bloom_reverse reverse = {0};
	bloom_ribbon ribbon = {0};
	bloom_digest digest;
	uint8_t key;

	if (head->geometry.stripes != 0) {
		ribbon = bloom_ribbon_of(&head->geometry, body);
	}
	if (head->geometry.groups != 0) {
		reverse = bloom_reverse_of(&head->geometry, body);
	}
	for (key = 0; key < KEYS_ASKED; key++) {
		digest = digest_of_key(key, head->geometry.seed);
		if (head->geometry.groups != 0) {
			asked seen = {.groups = head->geometry.groups};

			bloom_reverse_groups(&reverse, digest, note_group, &seen);
			/* After many nodes without a group the answer is "maybe". */
			require(bloom_reverse_test(&reverse, digest) || seen.visits == 0);
		} else if (head->geometry.value_bits != 0) {
			get(head, body, digest);
		} else if (head->geometry.stripes != 0) {
			require(bloom_ribbon_test(&ribbon, digest) ==
				ribbon_has_by_the_book(head, body, digest));
			require(bloom_ribbon_test_many(&ribbon, &digest, 1) ==
				bloom_ribbon_test(&ribbon, digest));
		} else {
			require(bloom_view_test(&view, digest) ==
				has_by_the_book(&head->geometry, body, digest));
		}
	}
}

static void measure(const bloom_head *head, const unsigned char *body)
{
	static bloom_meter meter;
	bloom_measure measured;

	bloom_meter_init(&meter, &head->geometry);
	measured = bloom_measure_shards(&meter, body, 0, head->geometry.shards);
	require(measured.set_bits == head->set_bits);
	require(measured.rate >= 0 && measured.rate <= 1 && measured.fill <= 1);
	require(isfinite(measured.keys) && measured.keys >= 0);
}

/* Everything except the head's claims about its rate and its chunks follows from the bits. */
static void write_anew(
	const bloom_head *head, const unsigned char *bytes, const unsigned char *body)
{
	uint32_t *shard_keys = calloc(head->geometry.shards, sizeof *shard_keys);
	unsigned char *again = malloc(head->file_bytes);
	bloom_meta meta = head->meta;
	bloom_status status;
	bloom_head parsed;
	uint64_t shard;

	for (shard = 0; shard < head->geometry.shards; shard++) {
		shard_keys[shard] = bloom_head_row(head, shard).keys;
	}
	memcpy(again + head->head_bytes, body, head->file_bytes - head->head_bytes);
	if (head->geometry.stripes != 0) {
		bloom_head_write_solved(
			&head->geometry, &meta, shard_keys, again + head->head_bytes, again);
	} else {
		bloom_head_write(
			&head->geometry, &meta, shard_keys, again + head->head_bytes, again);
	}
	status = bloom_blob_parse(again, head->file_bytes, &parsed, NULL);
	if (status == BLOOM_E_WRONG_GROUPS) {
		/* The head claimed a lower rate than its bits have. The real rate exceeds the
		 * limit. */
		require(meta.measured_rate > head->meta.measured_rate);
		require(bloom_geometry_false_groups(&head->geometry, meta.measured_rate, 0) >
			BLOOM_FALSE_GROUPS_MAX);
		goto end;
	}
	require(status == BLOOM_OK);
	require(bloom_body_verify(&parsed, again + parsed.head_bytes, 0, parsed.geometry.shards,
			NULL) == BLOOM_OK);
	require(bloom_chunks_verify(&parsed, again + parsed.head_bytes, NULL) == BLOOM_OK);
	require(parsed.keys == head->keys && parsed.set_bits == head->set_bits &&
		parsed.chunks == head->chunks);
	require(memcmp(parsed.rows, head->rows, head->geometry.shards * BLOOM_ROW_BYTES) == 0);
	/* Only the signer can write a signature. */
	if (head->signer == 0 && bloom_chunks_verify(head, body, NULL) == BLOOM_OK &&
		parsed.meta.measured_rate == head->meta.measured_rate) {
		require(memcmp(again, bytes, head->head_bytes) == 0);
	}
end:
	free(again);
	free(shard_keys);
}

/* Checks that a builder that starts with these bits, and is united with them again, keeps the same
 * bits. Keys that are added afterwards must be found. */
static void build_on(const bloom_head *head, const unsigned char *body)
{
	bloom_builder builder = {0};
	bloom_digest digest;
	bloom_status status;
	bloom_error error;
	uint8_t key;

	if (head->geometry.stripes != 0) {
		require(bloom_builder_start(&head->geometry, &head->meta, body, &builder, &error) ==
			BLOOM_E_SOLVED);
		return;
	}
	require(bloom_builder_start(&head->geometry, &head->meta, body, &builder, &error) ==
		BLOOM_OK);
	require(bloom_builder_merge(&builder, head, body, &error) == BLOOM_OK);
	require(memcmp(builder.bits, body, bloom_geometry_bytes(&head->geometry)) == 0);
	for (key = 0; key < KEYS_ASKED && head->geometry.groups == 0; key++) {
		(void)bloom_builder_add(&builder, &key, 1);
		digest = digest_of_key(key, head->geometry.seed);
		require(bloom_view_test(&builder.view, digest));
		require(has_by_the_book(&head->geometry, builder.bits, digest));
	}
	status = bloom_builder_finish(&builder, 1, 1, &error);
	require(succeeded(status, &error) || status == BLOOM_E_SATURATED ||
		status == BLOOM_E_WRONG_GROUPS);
	bloom_builder_free(&builder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count)
{
	const unsigned char *body;
	bloom_error error = {0};
	bloom_head head;
	bool is_right;

	if (!succeeded(bloom_blob_parse(data, count, &head, &error), &error)) {
		return 0;
	}
	body = data + head.head_bytes;
	is_right = is_as_rows_say(&head, body);
	require(succeeded(bloom_body_verify(&head, body, 0, head.geometry.shards, &error),
			&error) == is_right);
	if (is_right) {
		look_up(&head, body);
		if (head.geometry.stripes == 0) {
			measure(&head, body);
		}
		write_anew(&head, data, body);
		/* Without its secret, a keyed filter cannot be extended. */
		if (head.geometry.fingerprint == 0) {
			build_on(&head, body);
		}
	}
	return 0;
}

/* ---- mutating ---- */

/* Changes one number of the head's fixed part. */
static void change_field(uint8_t *data, uint64_t random)
{
	static const uint16_t at[] = {8, 12, 16, 24, 32, 40, 44, 48, 52, 56, 60, 64, 72, 80, 88, 96,
		104, 112, 120, 124, 256, 260, 264, 268};
	uint16_t field = at[random % (sizeof at / sizeof *at)];
	uint64_t kind = random >> 8 & 7, old = bloom_get32(data + field);

	bloom_put32(data + field,
		kind == 0           ? 0
			: kind == 1 ? (uint32_t)old + 1
			: kind == 2 ? (uint32_t)old - 1
			: kind == 3 ? (uint32_t)old * 2
			: kind == 4 ? (uint32_t)old / 2
			: kind == 5 ? UINT32_MAX
			: kind == 6 ? (uint32_t)1 << (random >> 16 & 31)
				    : (uint32_t)(random >> 32));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t count, size_t room, unsigned seed)
{
	uint64_t random = bloom_mix13(seed + 1);
	size_t first, part;
	bool is_large = (random >> 59 & 1) != 0;

	if (room > ROOM) {
		room = ROOM;
	}
	switch (random & 7) {
	case 0:
	case 1:
		count = LLVMFuzzerMutate(data, count, room);
		break;
	case 2:
	case 3:
		if (count >= BLOOM_HEAD_FIXED_BYTES) {
			change_field(data, random >> 8);
		}
		break;
	case 4:
		/* Adds or removes a shard or a page, or makes the head a page larger. */
		part = (random >> 8 & 1) != 0 ? 1024 : 4096;
		if ((random >> 9 & 3) == 0 && count >= 4096 && count + 4096 <= room) {
			first = (size_t)bloom_get64(data + 16) % (count + 1);
			memmove(data + first + 4096, data + first, count - first);
			memset(data + first, 0, 4096);
			bloom_put64(data + 16, first + 4096);
			count += 4096;
		} else if ((random >> 9 & 1) != 0 && count + part <= room) {
			memset(data + count, (int)(random >> 16), part);
			count += part;
		} else if (count > part) {
			count -= part;
		}
		break;
	default:
		/* Changes some bytes without moving the ones after them. */
		first = (size_t)(random >> 8) % (count + 1);
		if ((random & 7) == 5 && first > 700) {
			first %= 700;
		}
		part = is_large ? 1024 : 64;
		part = count - first < part ? count - first : part;
		if (is_large && first >= 4096) {
			/* Clears or sets all bits. */
			memset(data + first, (random >> 58 & 1) != 0 ? 0xFF : 0, part);
		} else if (part > 0) {
			(void)LLVMFuzzerMutate(data + first, part, part);
		}
	}
	mend_blob(data, count,
		(mending)((random >> 60) % (MENDINGS + 4) < MENDINGS
				? (random >> 60) % (MENDINGS + 4)
				: MEND_ALL));
	return count;
}

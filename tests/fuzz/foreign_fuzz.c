/* Filters of other systems: the payload of DUMP, data of BF.SCANDUMP, and what Guava and valkeyprob
 * write, with any bytes.
 *
 * The first byte selects the format and whether the target corrects the CRC64 of a payload of
 * DUMP, as an attacker would. Accepted bytes must become a blob that a reader accepts, with all
 * layers that the source describes and nothing between them. The target compares the bits of
 * formats that are not packed with the input, counts the bits of each layer again, and repeats the
 * reading, which must have the same result.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/dump.h"
#include "filter/foreign.h"
#include "filter/foreign_read.h"
#include "filter/measure.h"
#include "support.h"

enum { MEND = 0x80, KEYS_ASKED = 16 };

static bloom_foreign_source source;

static bloom_foreign_hint take_hint(input *from, bool *mend)
{
	uint8_t first = take_byte(from);
	bloom_foreign_hint hint = {.format = (first & 7) % BLOOM_FOREIGN_COUNT};

	*mend = (first & MEND) != 0;
	if (hint.format == BLOOM_FOREIGN_VALKEYPROB) {
		/* The filter may be much longer than its string. */
		hint.capacity = take_short(from);
		hint.rate = 1.0 / (1 + take_byte(from));
	}
	return hint;
}

/* Checks what the source says about its geometry and its strings. */
static void check_source(const unsigned char *bytes, size_t count, const bloom_foreign_hint *hint)
{
	const bloom_geometry *geometry = &source.geometry;
	uint64_t shards = 0, stored = 0;
	const bloom_foreign_part *part;
	uint32_t i;

	require(bloom_geometry_check(geometry) == BLOOM_OK);
	require(source.capacity >= 1 && source.capacity <= BLOOM_CAPACITY_MAX);
	require(source.rate > 0 && source.rate <= 1);
	require(hint->format == BLOOM_FOREIGN_NONE || geometry->foreign == hint->format ||
		(hint->format == BLOOM_FOREIGN_GUAVA_64 &&
			geometry->foreign == BLOOM_FOREIGN_GUAVA_32));
	for (i = 0; i < geometry->layers; i++) {
		part = &source.parts[i];
		require(part->string.bytes >= bytes);
		require(part->string.count <= (size_t)(bytes + count - part->string.bytes));
		require(part->string.length - part->skip <= (source.layers[i].bits + 7) / 8);
		require(part->string.length - part->skip == (source.layers[i].bits + 7) / 8 ||
			geometry->foreign == BLOOM_FOREIGN_VALKEYPROB);
		stored += part->string.count;
		shards += source.layers[i].shards;
	}
	/* No two layers share their bytes. */
	require(stored <= count && shards == geometry->shards);
	require(geometry->foreign == BLOOM_FOREIGN_VALKEYPROB ||
		bloom_foreign_blob_bytes(&source) <= 128 * (uint64_t)count + 2 * 1024 * 1024);
}

static void check_bits(const bloom_head *head, const unsigned char *body)
{
	uint64_t at = 0, end, bytes, stored, i;
	const bloom_foreign_part *part;
	uint32_t layer;

	for (layer = 0; layer < head->geometry.layers; layer++) {
		part = &source.parts[layer];
		stored = part->string.length - part->skip;
		bytes = (source.layers[layer].bits + 7) / 8;
		end = (uint64_t)source.layers[layer].shards * head->geometry.shard_bytes;
		require(bytes <= end && end - bytes < head->geometry.shard_bytes);
		require(part->string.packed ||
			memcmp(body + at, part->string.bytes + part->skip, stored) == 0);
		for (i = stored; i < end; i++) {
			require(body[at + i] == 0);
		}
		at += end;
	}
	require(at == bloom_geometry_bytes(&head->geometry));
}

/* Lookups stay within the bits, and a key that is added is found. */
static void look_up(const bloom_head *head, unsigned char *body)
{
	bloom_foreign filter = bloom_foreign_of(head, body);
	uint8_t key;

	for (key = 0; key < KEYS_ASKED; key++) {
		(void)bloom_foreign_test(&filter, &key, 1);
		if (head->geometry.layers == 1) {
			(void)bloom_foreign_add(&filter, body, &key, 1);
			require(bloom_foreign_test(&filter, &key, 1));
		}
	}
}

static unsigned char *write_blob(uint64_t *count)
{
	unsigned char *blob;
	bloom_error error;

	*count = bloom_foreign_blob_bytes(&source);
	blob = calloc(1, *count);
	require(blob != NULL);
	require(bloom_foreign_write(&source, 1, "fuzz", 4, blob, &error) == BLOOM_OK);
	return blob;
}

static void convert(const unsigned char *bytes, size_t count, const bloom_foreign_hint *hint)
{
	unsigned char *blob, *again;
	uint64_t blob_bytes, again_bytes;
	bloom_status status;
	bloom_error error;
	bloom_head head;

	status = bloom_foreign_read(bytes, count, hint, &source, &error);
	if (!succeeded(status, &error)) {
		require(status == BLOOM_E_FOREIGN || status == BLOOM_E_FOREIGN_FORMAT ||
			status == BLOOM_E_FOREIGN_SIZE || status == BLOOM_E_FOREIGN_EMPTY);
		return;
	}
	check_source(bytes, count, hint);
	blob = write_blob(&blob_bytes);
	require(bloom_foreign_read(bytes, count, hint, &source, &error) == BLOOM_OK);
	again = write_blob(&again_bytes);
	require(again_bytes == blob_bytes && memcmp(again, blob, blob_bytes) == 0);
	free(again);
	status = bloom_blob_parse(blob, blob_bytes, &head, &error);
	if (succeeded(status, &error)) {
		require(bloom_body_verify(&head, blob + head.head_bytes, 0, head.geometry.shards,
				&error) == BLOOM_OK);
		require(head.keys == source.keys && head.meta.capacity_keys == source.capacity);
		check_bits(&head, blob + head.head_bytes);
		look_up(&head, blob + head.head_bytes);
	} else {
		require(status == BLOOM_E_SATURATED);
	}
	free(blob);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count)
{
	input from = {data, count};
	bool mend;
	bloom_foreign_hint hint = take_hint(&from, &mend);
	/* An allocation of exactly this size, so that the sanitizer detects an overrun. */
	unsigned char *bytes = malloc(from.left > 0 ? from.left : 1);

	require(bytes != NULL);
	if (from.left > 0) {
		memcpy(bytes, from.next, from.left);
	}
	if (mend && from.left >= 8) {
		bloom_put64(bytes + from.left - 8, bloom_dump_crc64(bytes, from.left - 8));
	}
	convert(bytes, from.left, &hint);
	free(bytes);
	return 0;
}

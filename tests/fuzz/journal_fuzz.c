/* A journal from a hostile store: marks of any text, records of any bytes, and chains of signed
 * records that are changed, dropped, repeated and moved.
 *
 * An attacker can write right checksums, so the target corrects them. An accepted text or record
 * that is written again has the same bytes: so the parser has checked or kept every byte. Of a
 * changed chain, only a beginning of the original chain is accepted.
 */
/* fault: arbitrary-bytes */
#include <stdlib.h>
#include <string.h>

#include "filter/journal_record.h"
#include "support.h"

enum { CHAIN = 6, ROOM = 4096, STEPS_MAX = 16 };

static const char name[] = "f";

static bloom_ring ring;

/* What an honest writer wrote. */
static unsigned char chain[CHAIN][ROOM];
static uint64_t chain_bytes[CHAIN];

static uint64_t put_key(unsigned char *payload, uint64_t at, const uint8_t *key, size_t count)
{
	bloom_put32(payload + at, (uint32_t)count);
	memcpy(payload + at + 4, key, count);
	return at + 4 + count;
}

/* Corrects what an attacker could correct, too. */
static void mend(unsigned char *record, uint64_t count)
{
	memcpy(record, chain[0], 4); /* the magic with the version */
	bloom_put32(record + 4, (uint32_t)count);
	bloom_put64(record + 16, bloom_checksum((const unsigned char *)name, strlen(name)));
	bloom_put64(record + count - 8, bloom_checksum(record, (size_t)count - 8));
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
	unsigned char secret[BLOOM_SECRET_BYTES] = "a signing key";
	bloom_mark end = {.epoch = 9};
	bloom_record parsed;
	bloom_error error;
	uint64_t payload;
	uint8_t i;

	(void)count;
	(void)arguments;
	ring = (bloom_ring){.configured = true, .count = 1};
	require(bloom_secret_make(secret, &ring.secret[0], &error) == BLOOM_OK);
	for (i = 0; i < CHAIN; i++) {
		payload = put_key(chain[i] + bloom_record_payload_at(true), 0, &i, 1);
		chain_bytes[i] = bloom_record_bytes(payload, true);
		bloom_record_write(chain[i], payload, BLOOM_RECORD_KEYS, 1, name, i, &end,
			&ring.secret[0], NULL);
		/* If mend() made every record wrong, no input could reach anything else. */
		mend(chain[i], chain_bytes[i]);
		require(bloom_record_parse(chain[i], chain_bytes[i], name, &end, &ring, &parsed,
				&end, &error) == BLOOM_OK);
	}
	return 0;
}

static void try_mark(const uint8_t *data, size_t count)
{
	char text[BLOOM_MARK_TEXT_BYTES], copy[BLOOM_MARK_TEXT_BYTES];
	unsigned char bytes[BLOOM_MARK_BYTES];
	bloom_mark mark, again;
	bloom_error error;

	if (!succeeded(bloom_mark_parse((const char *)data, count, &mark, &error), &error)) {
		return;
	}
	require(count < sizeof text);
	require(bloom_mark_text(&mark, text) <= count);
	require(bloom_mark_parse(text, strlen(text), &again, &error) == BLOOM_OK);
	require(bloom_mark_is_same(&mark, &again) &&
		memcmp(mark.link, again.link, sizeof mark.link) == 0);
	/* Only a link of zeros is left out. */
	require(strlen(text) < count || memcmp(text, data, count) == 0);
	bloom_mark_put(&mark, bytes);
	again = bloom_mark_get(bytes);
	(void)bloom_mark_text(&again, copy);
	require(strcmp(text, copy) == 0);
}

static void try_record(const uint8_t *data, size_t count)
{
	unsigned char *record, *again;
	bloom_mark before = {.epoch = 9}, after = {0};
	uint64_t at = 0, key_bytes, keys = 0;
	const unsigned char *key;
	bloom_record parsed;
	bloom_error error;

	if (count < 48 || count > ROOM) {
		return;
	}
	record = malloc(count); /* of exactly this size, so that overruns are detected */
	require(record != NULL);
	memcpy(record, data, count);
	mend(record, count);
	if (succeeded(
		    bloom_record_parse(record, count, name, &before, NULL, &parsed, &after, &error),
		    &error)) {
		require(memcmp(after.check, record + count - 8, 8) == 0 && after.epoch == 9);
		while (bloom_record_next(&parsed, &at, &key, &key_bytes)) {
			require(key >= record && key + key_bytes <= record + count - 8);
			keys++;
		}
		require(parsed.kind != BLOOM_RECORD_KEYS || keys == parsed.count);
		again = malloc(count);
		require(again != NULL);
		if (bloom_get64(record + 32) == 0) {
			memcpy(again + bloom_record_payload_at(false), parsed.payload,
				parsed.payload_bytes);
			bloom_record_write(again, parsed.payload_bytes,
				(bloom_record_kind)parsed.kind, parsed.count, name,
				parsed.written_ms, &before, NULL, NULL);
			require(memcmp(again, record, count) == 0);
		}
		free(again);
	}
	free(record);
}

/* Reads a chain that the input has changed. */
static void try_chain(input *from)
{
	unsigned char record[ROOM];
	bloom_mark end = {.epoch = 9};
	uint64_t count, accepted = 0;
	bloom_record parsed;
	bloom_error error;
	uint32_t which;
	int step;

	for (step = 0; step < STEPS_MAX && from->left > 0; step++) {
		which = take_byte(from) % CHAIN;
		count = chain_bytes[which];
		memcpy(record, chain[which], count);
		for (which = take_byte(from) % 4; which > 0; which--) {
			record[take_byte(from) % count] ^= take_byte(from);
		}
		mend(record, count);
		if (!succeeded(bloom_record_parse(
				       record, count, name, &end, &ring, &parsed, &end, &error),
			    &error)) {
			return;
		}
		require(accepted < CHAIN && count == chain_bytes[accepted] &&
			memcmp(record, chain[accepted], count) == 0);
		accepted++;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count)
{
	input program;

	if (count < 1) {
		return 0;
	}
	program = (input){.next = data + 1, .left = count - 1};
	switch (data[0] % 3) {
	case 0:
		try_mark(data + 1, count - 1);
		break;
	case 1:
		try_record(data + 1, count - 1);
		break;
	default:
		try_chain(&program);
		break;
	}
	return 0;
}

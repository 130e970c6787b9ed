#include "filter/dump.h"

#include <stddef.h>
#include <string.h>

#include "filter/bytes.h"

enum {
	MODULE_VALUE = 7,
	LENGTH_32 = 0x80,
	LENGTH_64 = 0x81,
	PACKED = 0xC3,
	OPCODE_END = 0,
	OPCODE_NUMBER = 2,
	OPCODE_DOUBLE = 4,
	OPCODE_STRING = 5,
	TYPE_BYTES = 10, /* the first byte and the type */
	VERSION_BITS = 10,
	CHECKSUM_BYTES = 8,
	FOOTER_BYTES = 2 + CHECKSUM_BYTES,
};

uint64_t bloom_dump_crc64(const unsigned char *bytes, uint64_t count)
{
	const uint64_t polynomial = UINT64_C(0x95AC9329AC4BC9B5); /* reflected */
	uint64_t table[256], crc = 0, at;
	unsigned byte, bit;

	for (byte = 0; byte < 256; byte++) {
		table[byte] = byte;
		for (bit = 0; bit < 8; bit++) {
			table[byte] = table[byte] >> 1 ^ ((table[byte] & 1) != 0 ? polynomial : 0);
		}
	}
	for (at = 0; at < count; at++) {
		crc = table[(crc ^ bytes[at]) & 0xFF] ^ crc >> 8;
	}
	return crc;
}

static uint64_t get_big_endian(const unsigned char *at, unsigned bytes)
{
	uint64_t value = 0;

	while (bytes-- > 0) {
		value = value << 8 | *at++;
	}
	return value;
}

bool bloom_dump_peek(const unsigned char *bytes, uint64_t count, bloom_dump_type *type)
{
	static const char characters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	uint64_t id;
	unsigned i;

	if (count < TYPE_BYTES || bytes[0] != MODULE_VALUE || bytes[1] != LENGTH_64) {
		return false;
	}
	id = get_big_endian(bytes + 2, 8);
	type->version = (uint32_t)(id & ((1 << VERSION_BITS) - 1));
	id >>= VERSION_BITS;
	for (i = BLOOM_DUMP_NAME_BYTES; i-- > 0; id >>= 6) {
		type->name[i] = characters[id & 63];
	}
	type->name[BLOOM_DUMP_NAME_BYTES] = '\0';
	return true;
}

bloom_dump bloom_dump_open(const unsigned char *bytes, uint64_t count, bloom_error *error)
{
	bloom_dump dump = {.status = BLOOM_OK, .error = error};
	uint64_t stored, computed;

	if (count < TYPE_BYTES + 1 + FOOTER_BYTES) {
		dump.status = bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"%llu bytes, but the shortest payload of DUMP has %d",
			(unsigned long long)count, TYPE_BYTES + 1 + FOOTER_BYTES);
		return dump;
	}
	stored = bloom_get64(bytes + count - CHECKSUM_BYTES);
	computed = bloom_dump_crc64(bytes, count - CHECKSUM_BYTES);
	if (stored != computed) {
		dump.status = bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"the payload of DUMP has the CRC64 %016llx, but its last bytes say "
			"%016llx: "
			"it was cut or changed",
			(unsigned long long)computed, (unsigned long long)stored);
		return dump;
	}
	dump.next = bytes + TYPE_BYTES;
	dump.end = bytes + count - FOOTER_BYTES;
	return dump;
}

static void fail(bloom_dump *dump, const char *what, const char *why)
{
	dump->status = bloom_fail(dump->error, BLOOM_E_FOREIGN, 0, "%s %s", what, why);
}

static uint64_t left(const bloom_dump *dump)
{
	return (uint64_t)(dump->end - dump->next);
}

/* Advances. Returns NULL if the payload ends before. */
static const unsigned char *take(bloom_dump *dump, uint64_t count, const char *what)
{
	const unsigned char *at = dump->next;

	if (dump->status != BLOOM_OK) {
		return NULL;
	}
	if (count > left(dump)) {
		dump->status = bloom_fail(dump->error, BLOOM_E_FOREIGN, 0,
			"%s needs %llu bytes, but only %llu are left", what,
			(unsigned long long)count, (unsigned long long)left(dump));
		return NULL;
	}
	dump->next += count;
	return at;
}

static uint64_t take_length(bloom_dump *dump, const char *what)
{
	const unsigned char *at = take(dump, 1, what), *more;
	unsigned first, bytes;

	if (at == NULL) {
		return 0;
	}
	first = *at;
	if (first < 0x40) {
		return first;
	}
	bytes = first < 0x80 ? 1 : first == LENGTH_32 ? 4 : first == LENGTH_64 ? 8 : 0;
	if (bytes == 0) {
		fail(dump, what, "is not encoded as a length");
		return 0;
	}
	more = take(dump, bytes, what);
	if (more == NULL) {
		return 0;
	}
	return bytes == 1 ? (uint64_t)(first & 0x3F) << 8 | *more : get_big_endian(more, bytes);
}

static bool take_opcode(bloom_dump *dump, unsigned opcode, const char *what)
{
	uint64_t found = take_length(dump, what);

	if (dump->status == BLOOM_OK && found != opcode) {
		dump->status = bloom_fail(dump->error, BLOOM_E_FOREIGN, 0,
			"%s has the opcode %llu, but must have %u", what, (unsigned long long)found,
			opcode);
	}
	return dump->status == BLOOM_OK;
}

uint64_t bloom_dump_number(bloom_dump *dump, const char *what)
{
	return take_opcode(dump, OPCODE_NUMBER, what) ? take_length(dump, what) : 0;
}

double bloom_dump_double(bloom_dump *dump, const char *what)
{
	const unsigned char *at =
		take_opcode(dump, OPCODE_DOUBLE, what) ? take(dump, 8, what) : NULL;

	return at == NULL ? 0 : bloom_get_double(at);
}

bloom_dump_string bloom_dump_take(bloom_dump *dump, const char *what)
{
	bloom_dump_string string = {0};

	if (!take_opcode(dump, OPCODE_STRING, what)) {
		return string;
	}
	/* Redis writes a short string of decimal digits as a number. It would do so with the bits
	 * of a filter of 8 bytes if they happened to be digits. The chance is below 10^-11, so such
	 * a string is refused as one that is not encoded as a length. */
	string.packed = left(dump) > 0 && *dump->next == PACKED;
	if (string.packed) {
		(void)take(dump, 1, what);
	}
	string.count = take_length(dump, what);
	string.length = string.packed ? take_length(dump, what) : string.count;
	string.bytes = take(dump, string.count, what);
	/* Callers allocate memory for the length, so it must not be a lie. */
	if (dump->status == BLOOM_OK && string.length > string.count * BLOOM_LZF_RATIO_MAX) {
		dump->status = bloom_fail(dump->error, BLOOM_E_FOREIGN, 0,
			"%s: %llu packed bytes cannot contain %llu", what,
			(unsigned long long)string.count, (unsigned long long)string.length);
	}
	return dump->status == BLOOM_OK ? string : (bloom_dump_string){0};
}

bloom_status bloom_dump_close(bloom_dump *dump)
{
	(void)take_opcode(dump, OPCODE_END, "the end of the value");
	if (dump->status == BLOOM_OK && left(dump) > 0) {
		dump->status = bloom_fail(dump->error, BLOOM_E_FOREIGN, 0,
			"%llu bytes follow the end of the value", (unsigned long long)left(dump));
	}
	return dump->status;
}

/* ---- strings ---- */

/* Where unpacked bytes go. Output that is only looked at needs no more room than LZF can refer to,
 * so it goes to a ring. */
typedef struct sink {
	unsigned char *head;
	uint64_t head_bytes;
	unsigned char *rest;
	uint64_t ring; /* the size of the ring minus 1; all bits set: `rest` is not a ring */
	uint64_t length;
	uint64_t at;
	unsigned char any; /* all bytes of `rest`, combined with OR */
} sink;

static unsigned char *sink_byte(const sink *to, uint64_t at)
{
	return at < to->head_bytes ? to->head + at
				   : to->rest + (size_t)((at - to->head_bytes) & to->ring);
}

static void put(sink *to, unsigned char byte)
{
	if (to->at >= to->head_bytes) {
		to->any |= byte;
	}
	*sink_byte(to, to->at++) = byte;
}

static bool unpack(const unsigned char *packed, uint64_t count, sink *to)
{
	uint64_t at = 0, run, back;
	unsigned control;

	while (at < count) {
		control = packed[at++];
		if (control < 32) {
			run = control + 1;
			if (run > count - at || run > to->length - to->at) {
				return false;
			}
			for (; run > 0; run--) {
				put(to, packed[at++]);
			}
			continue;
		}
		run = control >> 5;
		if (count - at < (run == 7 ? 2u : 1u)) {
			return false;
		}
		run += 2u + (run == 7 ? packed[at++] : 0u);
		back = (uint64_t)((control & 31) << 8 | packed[at++]) + 1;
		if (back > to->at || run > to->length - to->at) {
			return false;
		}
		for (; run > 0; run--) {
			put(to, *sink_byte(to, to->at - back));
		}
	}
	return to->at == to->length;
}

/* `head` may be NULL if it has no bytes, which memcpy() does not permit. */
static void copy(unsigned char *to, const unsigned char *from, uint64_t count)
{
	if (count > 0) {
		memcpy(to, from, (size_t)count);
	}
}

bool bloom_dump_unpack(const bloom_dump_string *string, unsigned char *head, uint64_t head_bytes,
	unsigned char *rest)
{
	sink to = {.head = head,
		.head_bytes = head_bytes,
		.rest = rest,
		.ring = UINT64_MAX,
		.length = string->length};

	if (string->packed) {
		return unpack(string->bytes, string->count, &to);
	}
	copy(head, string->bytes, head_bytes);
	copy(rest, string->bytes + head_bytes, string->count - head_bytes);
	return true;
}

bool bloom_dump_look(const bloom_dump_string *string, unsigned char *head, uint64_t head_bytes,
	unsigned char *window, bool *is_set)
{
	sink to = {.head = head,
		.head_bytes = head_bytes,
		.rest = window,
		.ring = BLOOM_LZF_WINDOW_BYTES - 1,
		.length = string->length};
	uint64_t at;
	bool whole;

	if (string->packed) {
		whole = unpack(string->bytes, string->count, &to);
		*is_set = to.any != 0;
		return whole;
	}
	copy(head, string->bytes, head_bytes);
	for (at = head_bytes; at < string->count && string->bytes[at] == 0; at++) {
	}
	*is_set = at < string->count;
	return true;
}

#include "segment/readable_text.h"

#include <stdbool.h>
#include <string.h>

/* Returns true for non-ASCII characters that terminals or log viewers may interpret as controls,
 * line ends or changes of the direction: U+0080 to U+009F, U+061C, U+200E, U+200F, U+2028 to U+202E
 * and U+2066 to U+2069. */
static bool is_control_char(const unsigned char *text)
{
	if (text[0] != 0xE2) {
		return (text[0] == 0xC2 && text[1] < 0xA0) || (text[0] == 0xD8 && text[1] == 0x9C);
	}
	return (text[1] == 0x80 && (text[2] == 0x8E || text[2] == 0x8F)) ||
		(text[1] == 0x80 && text[2] >= 0xA8 && text[2] <= 0xAE) ||
		(text[1] == 0x81 && text[2] >= 0xA6 && text[2] <= 0xA9);
}

/* Returns the length of the UTF-8 character at `text`, or 0 for invalid bytes and control
 * characters. */
static size_t character_bytes(const unsigned char *text, size_t count)
{
	size_t bytes = text[0] < 0x80 ? 1
		: text[0] < 0xC2      ? 0
		: text[0] < 0xE0      ? 2
		: text[0] < 0xF0      ? 3
		: text[0] < 0xF5      ? 4
				      : 0;
	size_t i;

	if (bytes > count || text[0] < ' ' || text[0] == 0x7F) {
		return 0;
	}
	for (i = 1; i < bytes; i++) {
		if ((text[i] & 0xC0) != 0x80) {
			return 0;
		}
	}
	/* Overlong encodings, surrogates, and values above U+10FFFF. */
	if ((text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xED && text[1] > 0x9F) ||
		(text[0] == 0xF0 && text[1] < 0x90) || (text[0] == 0xF4 && text[1] > 0x8F)) {
		return 0;
	}
	return is_control_char(text) ? 0 : bytes;
}

void bloom_copy_readable(char *target, size_t capacity, const char *source)
{
	const unsigned char *text = (const unsigned char *)source;
	size_t remaining = strlen(source), bytes;

	memset(target, 0, capacity);
	for (capacity--; remaining > 0 && capacity > 0;
		capacity -= bytes, remaining -= bytes, text += bytes) {
		bytes = character_bytes(text, remaining);
		if (bytes > capacity) {
			return;
		}
		if (bytes == 0) {
			*target++ = text[0] < 0x20 ? ' ' : '?';
			bytes = 1;
			continue;
		}
		memcpy(target, text, bytes);
		target += bytes;
	}
}

#include "filter/filename.h"

#include <string.h>

/* A text that grows in a buffer. */
typedef struct output {
	char *text;
	size_t bytes;
	size_t capacity;
	bool is_full;
	bool is_windows;
} output;

static void put(output *out, char character)
{
	if (out->bytes + 1 < out->capacity) {
		out->text[out->bytes++] = character;
		out->text[out->bytes] = 0;
	} else {
		out->is_full = true;
	}
}

static void put_encoded(output *out, char character)
{
	static const char digits[] = "0123456789ABCDEF";
	unsigned char byte = (unsigned char)character;

	put(out, '%');
	put(out, digits[byte >> 4]);
	put(out, digits[byte & 15]);
}

static bool is_capital(char character)
{
	return character >= 'A' && character <= 'Z';
}

static void put_text(output *out, const char *text, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (out->is_windows && is_capital(text[i])) {
			put_encoded(out, text[i]);
		} else {
			put(out, text[i]);
		}
	}
}

static char lower(char character)
{
	if (is_capital(character)) {
		return (char)(character - 'A' + 'a');
	}
	return character;
}

/* Returns true if Windows treats a name as a device, such as "nul" or "com1.txt". */
static bool is_device(const char *name, size_t name_bytes)
{
	static const char names[] = "conprnauxnulcomlpt"; /* the last two are followed by a digit */
	const char *dot = memchr(name, '.', name_bytes);
	size_t i, count = dot != NULL ? (size_t)(dot - name) : name_bytes;
	bool has_digit = count == 4 && name[3] >= '0' && name[3] <= '9';

	for (i = 0; i < sizeof names - 1; i += 3) {
		if (lower(name[0]) == names[i] && count == (i < 12 ? 3 : 4) &&
			lower(name[1]) == names[i + 1] && lower(name[2]) == names[i + 2] &&
			(i < 12 || has_digit)) {
			return true;
		}
	}
	return false;
}

static output start(bool is_windows, char *file, size_t capacity)
{
	if (capacity > 0) {
		file[0] = 0;
	}
	return (output){.text = file, .capacity = capacity, .is_windows = is_windows};
}

bool bloom_filename_plain(
	bool is_windows, const char *text, size_t count, char *file, size_t capacity)
{
	output out = start(is_windows, file, capacity);

	put_text(&out, text, count);
	return !out.is_full;
}

/* Encodes the first byte of a device's name, and a dot at the end. */
static void put_name(output *out, const char *name, size_t name_bytes)
{
	bool is_escaped = out->is_windows && is_device(name, name_bytes);
	size_t first = is_escaped ? 1 : 0, end = name_bytes;

	if (is_escaped) {
		put_encoded(out, name[0]);
	}
	if (out->is_windows && end > first && name[end - 1] == '.') {
		end--;
	}
	put_text(out, name + first, end - first);
	if (end < name_bytes) {
		put_encoded(out, '.');
	}
}

bool bloom_filename(bool is_windows, const char *name, size_t name_bytes, const char *suffix,
	char *file, size_t capacity)
{
	output out = start(is_windows, file, capacity);

	put_name(&out, name, name_bytes);
	if (suffix != NULL && is_windows) {
		put_encoded(&out, ':');
	} else if (suffix != NULL) {
		put(&out, ':');
	}
	if (suffix != NULL) {
		put_text(&out, suffix, strlen(suffix));
	}
	return !out.is_full;
}

#include "filter/journal_mark.h"

#include <stdio.h>
#include <string.h>

#include "filter/bytes.h"

bool bloom_mark_is_same(const bloom_mark *one, const bloom_mark *other)
{
	return one->epoch == other->epoch && one->offset == other->offset &&
		memcmp(one->check, other->check, sizeof one->check) == 0;
}

bool bloom_mark_reaches(const bloom_mark *later, const bloom_mark *mark)
{
	return later->epoch == mark->epoch && later->offset >= mark->offset;
}

/* Reads a decimal number without leading zeros. Returns the number of digits, or 0. */
static size_t read_number(const char *text, size_t count, uint64_t *number)
{
	uint64_t value = 0, digit;
	size_t i;

	for (i = 0; i < count && text[i] >= '0' && text[i] <= '9'; i++) {
		digit = (uint64_t)(text[i] - '0');
		if (value > (UINT64_MAX - digit) / 10) {
			return 0;
		}
		value = value * 10 + digit;
	}
	*number = value;
	return i > 1 && text[0] == '0' ? 0 : i;
}

static int digit_of(char character)
{
	return character >= '0' && character <= '9'    ? character - '0'
		: character >= 'a' && character <= 'f' ? character - 'a' + 10
						       : -1;
}

/* Reads hexadecimal digits in lower case. */
static bool read_hex(const char *text, size_t count, unsigned char *bytes, size_t wanted)
{
	size_t i;
	int high, low;

	if (count != 2 * wanted) {
		return false;
	}
	for (i = 0; i < wanted; i++) {
		high = digit_of(text[2 * i]);
		low = digit_of(text[2 * i + 1]);
		if (high < 0 || low < 0) {
			return false;
		}
		bytes[i] = (unsigned char)(high << 4 | low);
	}
	return true;
}

static bool is_zero(const unsigned char *bytes, size_t count)
{
	size_t i;

	for (i = 0; i < count && bytes[i] == 0; i++) {
	}
	return i == count;
}

/* Splits the text at its hyphens. */
static bool parse(const char *text, size_t count, bloom_mark *mark)
{
	const size_t check_digits = (size_t)2 * BLOOM_CHECK_BYTES;
	size_t at = read_number(text, count, &mark->epoch), digits;

	if (at == 0 || at == count || text[at] != '-' || mark->epoch == 0) {
		return false;
	}
	at++;
	digits = read_number(text + at, count - at, &mark->offset);
	at += digits;
	if (digits == 0 || at == count || text[at] != '-' || count - at - 1 < check_digits ||
		!read_hex(text + at + 1, check_digits, mark->check, sizeof mark->check)) {
		return false;
	}
	at += 1 + check_digits;
	/* No record ends at offset 0. */
	if (mark->offset == 0 && !is_zero(mark->check, sizeof mark->check)) {
		return false;
	}
	return at == count ||
		(text[at] == '-' &&
			read_hex(text + at + 1, count - at - 1, mark->link, sizeof mark->link) &&
			mark->offset != 0);
}

bloom_status bloom_mark_parse(const char *text, size_t count, bloom_mark *mark, bloom_error *error)
{
	bloom_mark parsed = {0};

	if (!parse(text, count, &parsed)) {
		return bloom_fail(
			error, BLOOM_E_MARK, 0, "\"%.*s\"", count < 150 ? (int)count : 150, text);
	}
	*mark = parsed;
	return BLOOM_OK;
}

static size_t write_hex(const unsigned char *bytes, size_t count, char *text)
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < count; i++) {
		text[2 * i] = digits[bytes[i] >> 4];
		text[2 * i + 1] = digits[bytes[i] & 15];
	}
	text[2 * count] = '\0';
	return 2 * count;
}

size_t bloom_mark_position(const bloom_mark *mark, char text[BLOOM_POSITION_TEXT_BYTES])
{
	int written = snprintf(text, BLOOM_POSITION_TEXT_BYTES, "%llu-%llu-",
		(unsigned long long)mark->epoch, (unsigned long long)mark->offset);

	return (size_t)written + write_hex(mark->check, sizeof mark->check, text + written);
}

size_t bloom_mark_text(const bloom_mark *mark, char text[BLOOM_MARK_TEXT_BYTES])
{
	size_t written = bloom_mark_position(mark, text);

	if (!is_zero(mark->link, sizeof mark->link)) {
		text[written++] = '-';
		written += write_hex(mark->link, sizeof mark->link, text + written);
	}
	return written;
}

bloom_mark bloom_mark_get(const unsigned char bytes[BLOOM_MARK_BYTES])
{
	bloom_mark mark = {.epoch = bloom_get64(bytes), .offset = bloom_get64(bytes + 8)};

	memcpy(mark.check, bytes + 16, sizeof mark.check);
	memcpy(mark.link, bytes + 16 + sizeof mark.check, sizeof mark.link);
	return mark;
}

void bloom_mark_put(const bloom_mark *mark, unsigned char bytes[BLOOM_MARK_BYTES])
{
	bloom_put64(bytes, mark->epoch);
	bloom_put64(bytes + 8, mark->offset);
	memcpy(bytes + 16, mark->check, sizeof mark->check);
	memcpy(bytes + 16 + sizeof mark->check, mark->link, sizeof mark->link);
}

bloom_mark bloom_position_get(const unsigned char bytes[BLOOM_POSITION_BYTES])
{
	bloom_mark mark = {.epoch = bloom_get64(bytes), .offset = bloom_get64(bytes + 8)};

	memcpy(mark.check, bytes + 16, sizeof mark.check);
	return mark;
}

void bloom_position_put(const bloom_mark *mark, unsigned char bytes[BLOOM_POSITION_BYTES])
{
	bloom_put64(bytes, mark->epoch);
	bloom_put64(bytes + 8, mark->offset);
	memcpy(bytes + 16, mark->check, sizeof mark->check);
}

#include "segment/kinds.h"

#include <stddef.h>

typedef struct row {
	const char *word;
	const char *text;
} row;

static const row rows[BLOOM_KIND_COUNT] = {
#define ROW(ID, id, number, word, text, class) [BLOOM_KIND_##ID] = {word, text},
	BLOOM_KINDS(ROW)
#undef ROW
};

/* Returns the kind with this number, or BLOOM_KIND_COUNT. Two rows with the same number fail to
 * compile, because the switch then has a duplicate case. */
static bloom_kind known(uint64_t number)
{
	switch (number) {
#define CASE(ID, id, number, ...) \
	case (number):            \
		return BLOOM_KIND_##ID;
		BLOOM_KINDS(CASE)
#undef CASE
	default:
		return BLOOM_KIND_COUNT;
	}
}

/* Returns whether the kind follows from a blob's head, so that no control page contains it. */
static bool is_in_head(bloom_kind kind)
{
	return kind == BLOOM_KIND_RIBBON || kind == BLOOM_KIND_INDEX || kind == BLOOM_KIND_FOREIGN;
}

bloom_kind bloom_kind_of(uint64_t stored, uint64_t groups)
{
	bloom_kind kind = known(stored);

	if (is_in_head(kind)) {
		return BLOOM_KIND_COUNT;
	}
	return kind == BLOOM_KIND_LOADED && groups != 0 ? BLOOM_KIND_INDEX : kind;
}

bool bloom_kind_is_copy(uint64_t stored)
{
	return stored == BLOOM_KIND_LOADED || stored == BLOOM_KIND_ON_DEMAND ||
		stored == BLOOM_KIND_MAP;
}

uint64_t bloom_kind_stored(bloom_kind kind)
{
	return is_in_head(kind) ? BLOOM_KIND_LOADED : kind;
}

const char *bloom_kind_text(uint64_t kind)
{
	return known(kind) != BLOOM_KIND_COUNT ? rows[kind].text : "a filter of unknown kind";
}

const char *bloom_kind_word(bloom_kind kind)
{
	return rows[kind].word;
}

bloom_status bloom_fail_kind(
	bloom_error *error, const char *name, const char *found, const char *expected)
{
	return bloom_fail(error, BLOOM_E_KIND, 0, "%.128s%sexpected %s, found %s",
		name != NULL ? name : "", name != NULL ? ": " : "", expected, found);
}

#include "kinds/ops.h"

static const bloom_kind_ops *const rows[BLOOM_KIND_COUNT] = {
#define ROW(ID, id, ...) [BLOOM_KIND_##ID] = &bloom_kind_##id,
	BLOOM_KINDS(ROW)
#undef ROW
};

const bloom_kind_ops *bloom_kind_ops_of(uint64_t kind)
{
	return kind < BLOOM_KIND_COUNT ? rows[kind] : NULL;
}

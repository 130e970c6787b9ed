#include "kinds/reverse_live.h"

#include "kinds/attachment_state.h"

bool bloom_live_add_to_group(bloom_live *live, uint64_t group, bloom_digest value)
{
	uint32_t added =
		bloom_reverse_add(&live->reverse, bloom_live_bits(live, 0), group, value, NULL);

	if (added > 0) {
		(void)bloom_add(&live->head->layer[0].keys, added);
	}
	return added > 0;
}

/* ---- operations ---- */

static bloom_status check(const bloom_live_params *params)
{
	if (params->groups < 1 || params->groups > BLOOM_GROUPS_MAX) {
		return BLOOM_E_GROUPS;
	}
	/* A builder accepts 0 as the default, but a live head must contain the actual fan-out. */
	return params->fan_out == 0 ? BLOOM_E_FAN_OUT : BLOOM_OK;
}

static bool test(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes)
{
	return bloom_reverse_test(
		&attachment->live->reverse, bloom_hash(&attachment->hasher, key, key_bytes));
}

static bloom_status add_to_group(bloom_attachment *attachment, uint64_t group,
	const unsigned char *value, size_t value_bytes, bool *is_new, bloom_error *error)
{
	bloom_live *live = attachment->live;

	(void)error;
	*is_new =
		bloom_live_add_to_group(live, group, bloom_hash(&live->hasher, value, value_bytes));
	return BLOOM_OK;
}

static const bloom_reverse *reverse(const bloom_attachment *attachment)
{
	return &attachment->live->reverse;
}

static const bloom_live_layout layout = {
	.check = check,
	.layers = 1,
	.layers_max = 1,
	.has_groups = true,
};

const bloom_kind_ops bloom_kind_reverse = {
	.kind = BLOOM_KIND_REVERSE,
	.layout = &layout,
	.map = bloom_live_attach,
	.unmap = bloom_live_detach,
	.test = test,
	.add_to_group = add_to_group,
	.reverse = reverse,
	.copy = bloom_live_copy,
};

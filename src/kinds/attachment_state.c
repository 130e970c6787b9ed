#include "kinds/attachment_state.h"

#include "os/mapping.h"

void bloom_attachment_unmap_retired(bloom_attachment *attachment)
{
	bloom_unmap(attachment->retired, attachment->retired_bytes);
	attachment->retired = NULL;
}

void bloom_attachment_retire(bloom_attachment *attachment, const unsigned char *map, uint64_t bytes)
{
	bloom_attachment_unmap_retired(attachment);
	attachment->retired = map;
	attachment->retired_bytes = bytes;
}

void bloom_attachment_unmap(bloom_attachment *attachment)
{
	if (attachment->mapped != NULL) {
		attachment->ops->unmap(attachment);
		attachment->mapped = NULL;
	}
	bloom_wipe(&attachment->hasher, sizeof attachment->hasher);
	attachment->generation = BLOOM_GENERATION_UNMAPPED;
	/* A damaged control page may contain BLOOM_GENERATION_UNMAPPED. In that case the check
	 * returns this presence. */
	attachment->presence = BLOOM_PRESENCE_UNMAPPED;
}

void bloom_attachment_adopt(bloom_attachment *attachment, const bloom_kind_ops *ops, void *mapped,
	const bloom_hasher *hasher, bloom_presence presence)
{
	bloom_attachment_unmap(attachment);
	attachment->ops = ops;
	attachment->mapped = mapped;
	attachment->hasher = *hasher;
	attachment->presence = presence;
}

const bloom_head *bloom_attachment_head(
	const bloom_attachment *attachment, const unsigned char **bytes)
{
	const unsigned char *unused;

	return attachment->mapped != NULL && attachment->ops->head != NULL
		? attachment->ops->head(attachment, bytes != NULL ? bytes : &unused)
		: NULL;
}

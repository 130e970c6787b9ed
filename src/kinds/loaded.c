#include "kinds/loaded.h"

#include <stdlib.h>

#include "kinds/additions.h"
#include "kinds/attachment_state.h"
#include "os/clock.h"
#include "os/mapping.h"

bloom_kind bloom_loaded_kind(const bloom_geometry *geometry)
{
	if (geometry->value_bits != 0) {
		return BLOOM_KIND_MAP;
	}
	if (geometry->stripes != 0) {
		return BLOOM_KIND_RIBBON;
	}
	if (geometry->layers != 0) {
		return BLOOM_KIND_FOREIGN;
	}
	return geometry->groups != 0 ? BLOOM_KIND_INDEX : BLOOM_KIND_LOADED;
}

/* ---- mapping ---- */

/* Maps a blob and checks its head. The shards need no check: the writer verified them in this file.
 */
static bloom_status map_blob(const bloom_filter_dir *dir, const char *file_name,
	bloom_loaded *loaded, bloom_error *error)
{
	bloom_mapped mapped = {0};
	bloom_status status =
		bloom_filter_dir_map(dir, file_name, BLOOM_MAP_READ, 0, &mapped, error);

	if (status != BLOOM_OK) {
		return status;
	}
	status = mapped.bytes < BLOOM_HEAD_FIXED_BYTES
		? bloom_fail(error, BLOOM_E_SHORT, 0, "%s", file_name)
		: bloom_blob_parse(mapped.map, mapped.bytes, &loaded->head, error);
	if (status != BLOOM_OK) {
		bloom_unmap(mapped.map, mapped.bytes);
		return status;
	}
	loaded->map = mapped.map;
	return BLOOM_OK;
}

static void release(bloom_loaded *loaded)
{
	if (loaded != NULL && loaded->map != NULL) {
		bloom_unmap(loaded->map, loaded->head.file_bytes);
	}
	if (loaded != NULL) {
		bloom_live_free(loaded->additions);
	}
	free(loaded);
}

/* Defers unmapping the replaced blob to bloom_attachment_trim(), because unmapping a large blob is
 * slow and a lookup is waiting here. The mapped generation might not be a blob, because the control
 * page may have been damaged after the mapping. */
static void retire(bloom_attachment *attachment)
{
	bloom_loaded *before = attachment->loaded;

	if (bloom_attachment_loaded(attachment) != NULL && attachment->segment->defers_unmap) {
		bloom_attachment_retire(attachment, before->map, before->head.file_bytes);
		before->map = NULL;
	}
}

static void adopt(bloom_attachment *attachment, bloom_loaded *loaded, const bloom_hasher *hasher)
{
	const bloom_geometry *geometry = &loaded->head.geometry;
	const unsigned char *body = loaded->map + loaded->head.head_bytes;
	bloom_kind kind = bloom_loaded_kind(geometry);
	bloom_presence presence = BLOOM_PRESENCE_VIEW;

	if (kind == BLOOM_KIND_RIBBON) {
		loaded->ribbon = bloom_ribbon_of(&loaded->head.geometry, body);
		presence = BLOOM_PRESENCE_RIBBON;
	} else if (kind == BLOOM_KIND_INDEX) {
		loaded->reverse = bloom_reverse_of(geometry, body);
		presence = BLOOM_PRESENCE_OPS;
	} else if (kind == BLOOM_KIND_FOREIGN) {
		loaded->foreign = bloom_foreign_of(&loaded->head, body);
		presence = BLOOM_PRESENCE_OPS;
	} else if (kind == BLOOM_KIND_MAP) {
		loaded->values = bloom_value_map_of(geometry, body);
		presence = BLOOM_PRESENCE_OPS;
	}
	if (loaded->additions != NULL) {
		presence = BLOOM_PRESENCE_ADDITIONS;
	}
	if (geometry->fingerprint != 0) {
		presence = BLOOM_PRESENCE_OPS; /* the fast branches use the unkeyed digest */
	}
	loaded->presence = presence;
	loaded->trusted_s = BLOOM_TRUSTED_NEVER;
	retire(attachment);
	bloom_attachment_adopt(attachment, bloom_kind_ops_of(kind), loaded, hasher, presence);
	attachment->view = bloom_view_of(geometry, body);
}

/* Maps the additions. A blob with a mark must not be served without them. */
static bloom_status map_additions(bloom_attachment *attachment, const bloom_filter_dir *dir,
	uint64_t generation, bloom_loaded *loaded, bloom_error *error)
{
	bloom_status status = bloom_additions_map(
		dir, attachment->control, generation, &loaded->additions, error);

	return status == BLOOM_E_NOT_FOUND
		? bloom_fail(error, BLOOM_E_SYSTEM, 0, "the additions are missing")
		: status;
}

bool bloom_loaded_is_trusted(bloom_loaded *loaded)
{
	/* Read these before the words that they stand for. If the second ends or a word changes
	 * meanwhile, the next lookup judges again. */
	uint64_t second = bloom_coarse_s();
	uint64_t basis = bloom_additions_basis(loaded->additions);
	uint64_t trusted_ms = bloom_additions_trusted_ms(loaded->additions, bloom_uptime_ms());

	loaded->trusted_s = trusted_ms >= BLOOM_COARSE_S_MS &&
			bloom_additions_map_layers(loaded->additions, basis)
		? second
		: BLOOM_TRUSTED_NEVER;
	loaded->basis = basis;
	return trusted_ms > 0;
}

static bloom_status map(const bloom_kind_ops *self, bloom_attachment *attachment,
	const bloom_filter_dir *dir, uint64_t generation, const char *file_name, bloom_error *error)
{
	bloom_loaded *loaded = calloc(1, sizeof *loaded);
	bloom_hasher hasher;
	bloom_status status;

	(void)self;
	if (loaded == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "%s", file_name);
	}
	status = map_blob(dir, file_name, loaded, error);
	if (status == BLOOM_OK) {
		status = bloom_hasher_find(loaded->head.geometry.seed,
			loaded->head.geometry.fingerprint, dir->segment->secrets, &hasher, error);
	}
	if (status == BLOOM_OK && loaded->head.meta.mark.epoch != 0) {
		status = map_additions(attachment, dir, generation, loaded, error);
	}
	if (status == BLOOM_OK) {
		adopt(attachment, loaded, &hasher);
	} else {
		release(loaded);
	}
	return status;
}

static void unmap(bloom_attachment *attachment)
{
	release(attachment->loaded);
}

/* ---- looking up ---- */

static bool is_in_additions(const bloom_attachment *attachment, bloom_digest digest)
{
	bloom_live *additions = attachment->loaded->additions;

	return additions != NULL && bloom_additions_test(additions, digest);
}

static bool test_bloom(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes)
{
	bloom_digest digest = bloom_hash(&attachment->hasher, key, key_bytes);

	return bloom_view_test(&attachment->view, digest) || is_in_additions(attachment, digest);
}

static bool test_ribbon(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes)
{
	bloom_digest digest = bloom_hash(&attachment->hasher, key, key_bytes);

	return bloom_ribbon_test(&attachment->loaded->ribbon, digest) ||
		is_in_additions(attachment, digest);
}

static bool test_index(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes)
{
	return bloom_reverse_test(
		&attachment->loaded->reverse, bloom_hash(&attachment->hasher, key, key_bytes));
}

static bool test_foreign(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes)
{
	return bloom_foreign_test(&attachment->loaded->foreign, key, key_bytes);
}

static bool test_map(bloom_attachment *attachment, const unsigned char *key, size_t key_bytes)
{
	bloom_digest digest = bloom_hash(&attachment->hasher, key, key_bytes);

	return bloom_value_map_get_many(&attachment->loaded->values, &digest, 1, NULL) != 0;
}

/* ---- the blob ---- */

static const bloom_reverse *reverse(const bloom_attachment *attachment)
{
	return &attachment->loaded->reverse;
}

static const bloom_head *head(const bloom_attachment *attachment, const unsigned char **bytes)
{
	*bytes = attachment->loaded->map;
	return &attachment->loaded->head;
}

static uint64_t pieces(const bloom_attachment *attachment, uint64_t *piece_bytes)
{
	const bloom_geometry *geometry = &attachment->loaded->head.geometry;

	*piece_bytes = geometry->shard_bytes;
	return geometry->shards;
}

static bloom_status verify(
	const bloom_attachment *attachment, uint64_t first, uint64_t count, bloom_error *error)
{
	const bloom_loaded *loaded = attachment->loaded;

	return bloom_body_verify(
		&loaded->head, loaded->map + loaded->head.head_bytes, first, count, error);
}

const bloom_kind_ops bloom_kind_loaded = {
	.kind = BLOOM_KIND_LOADED,
	.is_loaded = true,
	.map = map,
	.unmap = unmap,
	.test = test_bloom,
	.head = head,
	.pieces = pieces,
	.verify = verify,
};

const bloom_kind_ops bloom_kind_ribbon = {
	.kind = BLOOM_KIND_RIBBON,
	.is_loaded = true,
	.map = map,
	.unmap = unmap,
	.test = test_ribbon,
	.head = head,
	.pieces = pieces,
	.verify = verify,
};

const bloom_kind_ops bloom_kind_foreign = {
	.kind = BLOOM_KIND_FOREIGN,
	.is_loaded = true,
	.map = map,
	.unmap = unmap,
	.test = test_foreign,
	.head = head,
	.pieces = pieces,
	.verify = verify,
};

const bloom_kind_ops bloom_kind_index = {
	.kind = BLOOM_KIND_INDEX,
	.is_loaded = true,
	.map = map,
	.unmap = unmap,
	.test = test_index,
	.reverse = reverse,
	.head = head,
	.pieces = pieces,
	.verify = verify,
};

const bloom_kind_ops bloom_kind_map = {
	.kind = BLOOM_KIND_MAP,
	.is_loaded = true,
	.map = map,
	.unmap = unmap,
	.test = test_map,
	.head = head,
	.pieces = pieces,
	.verify = verify,
};

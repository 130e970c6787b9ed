#include "builder.h"

#include <stdlib.h>
#include <string.h>

#include "mapping.h"

bloom_status bloom_builder_init(const bloom_wish *wish, uint64_t seed, uint32_t chunk_bytes,
	bloom_builder *builder, bloom_error *error)
{
	bloom_builder fresh = {0};
	bloom_status status = bloom_geometry_choose(wish, seed, &fresh.geometry);
	uint64_t head_bytes;

	if (status != BLOOM_OK) {
		return bloom_fail(error, status, 0, "builder");
	}
	if (chunk_bytes == 0) {
		chunk_bytes = BLOOM_CHUNK_BYTES_DEFAULT;
	}
	status = bloom_chunk_bytes_check(&fresh.geometry, chunk_bytes);
	if (status != BLOOM_OK) {
		return bloom_fail(error, status, 0, "builder");
	}
	fresh.meta.chunk_bytes = chunk_bytes;
	fresh.meta.capacity_keys = wish->capacity_keys;
	fresh.meta.asked_rate = wish->bits_per_key != 0
		? bloom_geometry_rate(&fresh.geometry, wish->capacity_keys)
		: wish->rate;
	head_bytes = bloom_head_bytes(&fresh.geometry, chunk_bytes);
	fresh.image_bytes = head_bytes + bloom_geometry_bytes(&fresh.geometry);
	fresh.shard_keys = calloc((size_t)fresh.geometry.shards, sizeof *fresh.shard_keys);
	if (fresh.shard_keys == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "builder");
	}
	status = bloom_map_private(fresh.image_bytes, &fresh.image, error);
	if (status != BLOOM_OK) {
		free(fresh.shard_keys);
		return status;
	}
	fresh.bits = fresh.image + head_bytes;
	fresh.view = bloom_view_of(&fresh.geometry, fresh.bits);
	*builder = fresh;
	return BLOOM_OK;
}

void bloom_builder_free(bloom_builder *builder)
{
	bloom_unmap(builder->image, builder->image_bytes);
	free(builder->shard_keys);
	*builder = (bloom_builder){0};
}

bool bloom_builder_add(bloom_builder *builder, const unsigned char *key, size_t key_bytes)
{
	bloom_digest digest = bloom_digest_of(key, key_bytes, builder->geometry.seed);
	bool is_new = bloom_view_set(&builder->view, builder->bits, digest);

	if (is_new) {
		builder->shard_keys[bloom_place_block(digest.place, builder->geometry.shards)]++;
		builder->keys++;
	}
	builder->added++;
	return is_new;
}

static void add_line(bloom_builder *builder, const unsigned char *line, size_t line_bytes)
{
	if (line_bytes > 0 && line[line_bytes - 1] == '\r') {
		line_bytes--;
	}
	(void)bloom_builder_add(builder, line, line_bytes);
}

static bloom_status carry(
	bloom_lines *lines, const unsigned char *bytes, size_t count, bloom_error *error)
{
	size_t wanted = lines->carry_bytes + count;
	unsigned char *grown;

	if (wanted > lines->carry_room) {
		grown = wanted <= SIZE_MAX / 2 ? realloc(lines->carry, wanted * 2) : NULL;
		if (grown == NULL) {
			return bloom_fail(error, BLOOM_E_MEMORY, 0, "a line of %llu bytes",
				(unsigned long long)wanted);
		}
		lines->carry = grown;
		lines->carry_room = wanted * 2;
	}
	memcpy(lines->carry + lines->carry_bytes, bytes, count);
	lines->carry_bytes = wanted;
	return BLOOM_OK;
}

bloom_status bloom_builder_add_lines(bloom_builder *builder, bloom_lines *lines,
	const unsigned char *bytes, size_t count, bloom_error *error)
{
	const unsigned char *end = bytes + count;
	const unsigned char *newline;
	bloom_status status;

	while (bytes < end && (newline = memchr(bytes, '\n', (size_t)(end - bytes))) != NULL) {
		if (lines->carry_bytes > 0) {
			status = carry(lines, bytes, (size_t)(newline - bytes), error);
			if (status != BLOOM_OK) {
				return status;
			}
			add_line(builder, lines->carry, lines->carry_bytes);
			lines->carry_bytes = 0;
		} else {
			add_line(builder, bytes, (size_t)(newline - bytes));
		}
		bytes = newline + 1;
	}
	return bytes < end ? carry(lines, bytes, (size_t)(end - bytes), error) : BLOOM_OK;
}

void bloom_builder_end_lines(bloom_builder *builder, bloom_lines *lines)
{
	if (lines->carry_bytes > 0) {
		add_line(builder, lines->carry, lines->carry_bytes);
	}
	bloom_lines_free(lines);
}

void bloom_lines_free(bloom_lines *lines)
{
	free(lines->carry);
	*lines = (bloom_lines){0};
}

bloom_status bloom_builder_finish(
	bloom_builder *builder, uint64_t built_ms, double limit, bloom_error *error)
{
	bloom_head head;

	builder->meta.built_ms = built_ms;
	bloom_head_write(&builder->geometry, &builder->meta, builder->shard_keys, builder->bits,
		builder->image);
	if (builder->meta.measured_rate > limit) {
		return bloom_fail(error, BLOOM_E_OVER_RATE, 0,
			"measured %.3g %%, limit %.3g %%, with %llu keys in a filter for %llu",
			100 * builder->meta.measured_rate, 100 * limit, (unsigned long long)builder->keys,
			(unsigned long long)builder->meta.capacity_keys);
	}
	/* The gate that every reader will apply. */
	return bloom_blob_parse(builder->image, builder->image_bytes, &head, error);
}

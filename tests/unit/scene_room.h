/* What the rooms of scenes share: each has its blobs and its scenes, which scenes.c joins. */
#ifndef BLOOM_TEST_SCENE_ROOM_H
#define BLOOM_TEST_SCENE_ROOM_H

#include "scenes.h"

typedef struct scene_room {
	void (*begin)(void); /* makes the blobs of its scenes */
	void (*end)(void);
	const scene *scenes;
	unsigned count;
} scene_room;

extern const scene_room loaded_scenes, live_scenes, journal_scenes, published_scenes;

enum { KEYS = 20, SHARD_BYTES = 1024 };

/* A rate so low that no key of these tests is ever a false positive. */
#define RATE 1e-9

static const bloom_params small = {.capacity_keys = 40, .rate = RATE, .shard_bytes = SHARD_BYTES};

static inline bool has_all(bloom_attachment *attachment, const char *family)
{
	return filter_found(attachment, family, KEYS) == KEYS;
}

static inline bool is_blob(const bloom_attachment *attachment, test_blob blob)
{
	return attachment->ops->kind == BLOOM_KIND_LOADED &&
		attachment->loaded->head.file_bytes == blob.count &&
		memcmp(attachment->loaded->map, blob.bytes, blob.count) == 0;
}

static inline void prepare_nothing(const bloom_segment *segment)
{
	(void)segment;
}

/* Looks keys up as a new process, and as a process that has another generation mapped. */
bloom_status scene_look_up(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail);
unsigned scene_look_unchanged(bloom_attachment *attachment, bool busy);

/* A scene that looks keys up. */
#define LOOKUP_AS(look, what, prepare, entries)                                                \
	{                                                                                      \
		"looking up in " what, prepare, scene_look_up, look, entries, true, true, true \
	}
#define LOOKUP(what, prepare, entries) LOOKUP_AS(scene_look_unchanged, what, prepare, entries)

#endif

#include "scene_room.h"

#include "segment/tidy.h"

/* ---- the scenes of all rooms ---- */

enum { SCENES_MAX = 64 };

static const scene_room *const rooms[] = {
	&loaded_scenes, &live_scenes, &journal_scenes, &published_scenes};

enum { ROOMS = sizeof rooms / sizeof *rooms };

static scene joined[SCENES_MAX];
const scene *const scenes = joined;
unsigned scene_count;

static void make_keys(void);

void scenes_begin(void)
{
	unsigned i;

	make_keys();
	scene_count = 0;
	for (i = 0; i < ROOMS; i++) {
		rooms[i]->begin();
		assert_in_range(scene_count + rooms[i]->count, 1, SCENES_MAX);
		memcpy(joined + scene_count, rooms[i]->scenes, rooms[i]->count * sizeof *joined);
		scene_count += rooms[i]->count;
	}
}

void scenes_end(void)
{
	unsigned i;

	for (i = 0; i < ROOMS; i++) {
		rooms[i]->end();
	}
}

/* ---- looking up ---- */

/* The keys are formatted in advance, because formatting takes a thousand instructions outside of
 * the core. */
typedef struct scene_key {
	char text[KEY_TEXT_BYTES];
	size_t count;
} scene_key;

static scene_key present[KEYS], absent[KEYS];

static void make_keys(void)
{
	uint64_t i;

	for (i = 0; i < KEYS; i++) {
		present[i].count = key_text("common", i, present[i].text);
		absent[i].count = key_text("never", i, absent[i].text);
	}
}

static bool has_key(bloom_attachment *attachment, const scene_key *key)
{
	return bloom_attachment_test(attachment, (const unsigned char *)key->text, key->count);
}

bool scene_finds(bloom_attachment *attachment)
{
	bool all_are_found = true, none_is_found = true;
	uint64_t i;

	switch (bloom_attachment_check(attachment)) {
	case BLOOM_PRESENCE_ABSENT:
		return false;
	case BLOOM_PRESENCE_UNMAPPED:
		return true;
	default:
		break;
	}
	for (i = 0; i < KEYS; i++) {
		all_are_found &= has_key(attachment, &present[i]);
		none_is_found &= !has_key(attachment, &absent[i]);
	}
	/* A key whose chunk is missing may be present. */
	return all_are_found && (none_is_found || attachment->ops->kind == BLOOM_KIND_ON_DEMAND);
}

bloom_status scene_look_up(
	const bloom_segment *segment, bloom_attachment *attachment, bloom_error *detail)
{
	bloom_attachment fresh;
	bloom_status status = bloom_attach(segment, SCENE_NAME, &fresh, detail);
	bool found;

	if (status != BLOOM_OK) {
		return status;
	}
	found = scene_finds(&fresh);
	bloom_detach(&fresh);
	attachment->generation = BLOOM_GENERATION_UNMAPPED;
	found &= scene_finds(attachment);
	return found ? BLOOM_OK : bloom_fail(detail, BLOOM_E_NOT_FOUND, 0, "a key");
}

unsigned scene_look_unchanged(bloom_attachment *attachment, bool busy)
{
	(void)busy;
	assert_non_null(attachment);
	assert_true(scene_finds(attachment));
	return 1;
}

/* ---- the effects of a scene ---- */

/* Attaches if the filter exists. `segment` must outlive the attachment. */
static bool attach_if_there(const bloom_segment *segment, bloom_attachment *attachment)
{
	bloom_status status = bloom_attach(segment, SCENE_NAME, attachment, &error);

	if (status != BLOOM_E_NOT_FOUND) {
		assert_ok(status);
	}
	return status == BLOOM_OK;
}

unsigned scene_look(const scene *it, const bloom_segment *segment)
{
	bloom_attachment attachment;
	bool there = attach_if_there(segment, &attachment);
	unsigned done = it->look(there ? &attachment : NULL, false);

	if (there) {
		bloom_detach(&attachment);
	}
	return done;
}

void scene_heal(const scene *it, const bloom_segment *segment)
{
	bloom_segment now = *segment;
	bloom_attachment attachment;
	bool there;

	now.lock_timeout_ms = 0;
	there = attach_if_there(&now, &attachment);
	assert_ok(it->act(&now, there ? &attachment : NULL, &error));
	if (there) {
		bloom_detach(&attachment);
	}
	assert_true(scene_look(it, &now) > 0);
	/* If the operation was already done, repeating it writes nothing, and what a killed writer
	 * left stays until the next write or sweep. */
	bloom_segment_sweep(&now);
	assert_int_equal(it->entries, count_entries(in_segment(segment, SCENE_NAME), ""));
	assert_int_equal(it->entries < 0 ? 0 : 1, count_entries(segment->path, ""));
	assert_true(
		count_entries(in_segment(segment, BLOOM_INTERNAL_NAME), BLOOM_REMOVED_SUFFIX) <= 0);
	(void)segment_bytes(segment);
}

/* Whatever changes a segment, and whoever reads one, each with a small filter to do it to and an exact oracle: for the
 * tests that kill it anywhere, and for those that let each of its calls fail.
 */
#ifndef BLOOM_TEST_SCENES_H
#define BLOOM_TEST_SCENES_H

#include "support.h"

typedef struct scene {
	const char *what;

	/* Makes what is there before, in a segment that is not. */
	void (*prepare)(const bloom_segment *segment);

	/* Does it once. `attachment` is to the filter, if it was there before; otherwise NULL. */
	bloom_status (*act)(
		const bloom_segment *segment, bloom_attachment *attachment, bloom_error *error);

	/* Asserts that a filter (NULL: there is none) is as before, or as after; returns how often it was done.
	 * `busy`: by a process that was stopped in its middle, and may hold locks. */
	unsigned (*look)(bloom_attachment *attachment, bool busy);

	/* In the filter's directory when it was done; −1: there is none. */
	int entries;

	/* When it is refused nothing else may have happened. Otherwise: it is done by steps that others see. */
	bool in_steps;

	bool is_long; /* copies and verifies much */

	/* Changes nothing but, of an on-demand filter, marks and counters. */
	bool reads;
} scene;

extern const scene scenes[];
extern const unsigned scene_count;

/* The filter of all of them. */
#define SCENE_NAME "tags"

void scenes_begin(void); /* makes the blobs that they need */
void scenes_end(void);

/* Attaches to the filter if it is there, looks at it and detaches. */
unsigned scene_look(const scene *it, const bloom_segment *segment);

/* Whether an attachment to the filter of a scene that reads finds the keys that are there, and not the others. Asserts
 * nothing, and makes no call of the system once it is mapped. */
bool scene_finds(bloom_attachment *attachment);

/* Loads a filter of another name. */
bloom_status scene_load_other(const bloom_segment *segment);

/* The next to do it succeeds at once, without waiting for any lock; then it is done and nothing is left over. */
void scene_heal(const scene *it, const bloom_segment *segment);

#endif

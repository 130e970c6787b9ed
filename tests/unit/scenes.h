/* Every operation that changes or reads a segment, each with a small filter and an exact oracle.
 * Some tests kill each operation at any point, and others let each of its calls fail.
 */
#ifndef BLOOM_TEST_SCENES_H
#define BLOOM_TEST_SCENES_H

#include "support.h"

typedef struct scene {
	const char *what;

	/* Creates the state before the operation, in a segment that does not exist yet. */
	void (*prepare)(const bloom_segment *segment);

	/* Performs the operation once. `attachment` is NULL unless the filter existed before. */
	bloom_status (*act)(
		const bloom_segment *segment, bloom_attachment *attachment, bloom_error *error);

	/* Asserts that the filter (NULL: it does not exist) is in the state before or after the
	 * operation. Returns how often the operation was done. `busy` means that a process was
	 * stopped in the middle of the operation and may hold locks. */
	unsigned (*look)(bloom_attachment *attachment, bool busy);

	/* The entries of the filter's directory after the operation; −1: it does not exist. */
	int entries;

	/* If set, the operation takes several steps that other processes see. Otherwise a
	 * refused operation must have no effect. */
	bool in_steps;

	bool is_long; /* copies and verifies many bytes */

	/* Changes nothing except the marks and counters of an on-demand filter. */
	bool reads;
} scene;

/* Valid after scenes_begin(). */
extern const scene *const scenes;
extern unsigned scene_count;

/* The name of the filter in all scenes. */
#define SCENE_NAME "tags"

void scenes_begin(void); /* makes the blobs that the scenes need */
void scenes_end(void);

/* Attaches to the filter if it exists, calls the scene's look() and detaches. */
unsigned scene_look(const scene *it, const bloom_segment *segment);

/* Returns whether lookups through an attachment of a reading scene find the present keys, and
 * not the absent ones. Asserts nothing, and makes no system call once the filter is mapped. */
bool scene_finds(bloom_attachment *attachment);

/* Loads a filter with another name. */
bloom_status scene_load_other(const bloom_segment *segment);

/* Repeats the operation as the next process. The operation must succeed without waiting for any
 * lock. Asserts that it is then done and that no leftovers remain. */
void scene_heal(const scene *it, const bloom_segment *segment);

#endif

#include "segment/keyring.h"

#include <stdlib.h>
#include <string.h>

#include "os/files.h"

static bloom_status read_ring(const char *path, bloom_ring *ring, bloom_error *error)
{
	unsigned char *text;
	size_t count = 0;
	bloom_status status;

	if (!bloom_has_sodium()) {
		return bloom_fail(error, BLOOM_E_SODIUM, 0, "%.600s", path);
	}
	text = malloc(BLOOM_RING_FILE_BYTES_MAX); /* too large for a fiber's stack */
	if (text == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "%.600s", path);
	}
	status = bloom_secret_file_read(path, text, BLOOM_RING_FILE_BYTES_MAX, &count, error);
	if (status == BLOOM_OK) {
		status = bloom_ring_parse(text, count, path, ring, error);
	}
	bloom_wipe(text, BLOOM_RING_FILE_BYTES_MAX); /* no secrets in freed memory */
	free(text);
	return status;
}

void bloom_ring_read(const char *path, bloom_ring *ring)
{
	bloom_error failure = {0};

	*ring = (bloom_ring){0};
	if (path == NULL || path[0] == 0) {
		return;
	}
	if (read_ring(path, ring, &failure) != BLOOM_OK) {
		ring->configured = true;
		ring->failure = failure;
	}
}

void bloom_ring_drop(bloom_ring *ring)
{
	bloom_wipe(ring, sizeof *ring);
}

#include "php/settings.h"

#include <string.h>

#include <SAPI.h>

#include "filter/compiler.h"
#include "os/clock.h"
#include "os/process.h"
#include "php/arguments.h"
#include "php/errors.h"
#include "php/globals.h"
#include "php/keyrings.h"
#include "segment/keyring.h"
#include "segment/memory_limit.h"

bool php_bloom_is_latched(void)
{
	return BLOOM_G(latched) && BLOOM_G(latched_by) == bloom_process_id();
}

void php_bloom_unlatch(void)
{
	zend_hash_clean(&BLOOM_G(attachments));
	php_bloom_rings_drop();
	php_bloom_segment_changed();
	BLOOM_G(latched) = false;
}

/* Returns whether this server handles one request after another. A command-line script is a single
 * request that may last for days, so mappings must be released before the request ends. */
static bool has_requests(void)
{
	static const char *const names[] = {
		"fpm-fcgi", "cgi-fcgi", "apache2handler", "litespeed", "cli-server"};
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++) {
		if (strcmp(sapi_module.name, names[i]) == 0) {
			return true;
		}
	}
	return false;
}

/* Fills in the path from the settings. */
static bloom_status init(bloom_segment *segment, bloom_error *error)
{
	char default_path[BLOOM_PATH_BYTES_MAX] = "";
	const char *path = BLOOM_G(path);
	bloom_status status;

	if (path == NULL || path[0] == 0) {
		(void)bloom_path_default(default_path, sizeof default_path);
		path = default_path;
	}
	status = bloom_segment_init(segment, path, strlen(path), error);
	segment->same_owner_only = path == default_path;
	return status;
}

/* Fixes the settings. It is a function of its own because an error is large, and zeroing it would
 * take longer than the rest of a repeated find(). */
static BLOOM_NOINLINE const bloom_segment *latch(void)
{
	bloom_segment *segment = &BLOOM_G(segment);
	bloom_error error = {0};

	if (init(segment, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return NULL;
	}
	segment->secrets = php_bloom_secrets();
	segment->signers = php_bloom_signers();
	segment->defers_unmap = has_requests();
	segment->memory_limit_bytes = (uint64_t)BLOOM_G(memory_limit);
	segment->lock_timeout_ms = (uint64_t)(BLOOM_G(lock_timeout) * 1000);
	BLOOM_G(latched) = true;
	BLOOM_G(latched_by) = bloom_process_id();
	return segment;
}

const bloom_segment *php_bloom_segment(void)
{
	if (UNEXPECTED(!BLOOM_G(latched))) {
		return latch();
	}
	/* A child process that was forked in this request uses the settings of its parent. */
	BLOOM_G(latched_by) = bloom_process_id();
	return &BLOOM_G(segment);
}

bloom_status php_bloom_segment_peek(bloom_segment *segment, bloom_ring *ring, bloom_error *error)
{
	bloom_status status = BLOOM_OK;

	if (BLOOM_G(latched)) {
		*segment = BLOOM_G(segment);
	} else {
		memset(segment, 0, sizeof *segment);
		status = init(segment, error);
	}
	segment->defers_unmap = false;
	if (BLOOM_G(rings_by) != 0) {
		segment->secrets = &BLOOM_G(secrets);
	} else {
		bloom_ring_read(BLOOM_G(secret_file), ring);
		segment->secrets = ring;
	}
	return status;
}

bool php_bloom_segment_bytes(const bloom_segment *segment, uint64_t *bytes)
{
	enum { KEPT_MS = 1000 };
	uint64_t now = bloom_coarse_ms();

	if (BLOOM_G(added_up_ms) == 0 || now - BLOOM_G(added_up_ms) >= KEPT_MS) {
		php_bloom_segment_changed();
		if (bloom_segment_bytes(segment, bytes, NULL) != BLOOM_OK) {
			return false;
		}
		BLOOM_G(segment_bytes) = *bytes;
		BLOOM_G(added_up_ms) = now;
	}
	*bytes = BLOOM_G(segment_bytes);
	return true;
}

void php_bloom_segment_changed(void)
{
	BLOOM_G(added_up_ms) = 0;
}

const bloom_segment *php_bloom_segment_for(const zend_string *name, uint32_t argument)
{
	return php_bloom_name(name, argument) != NULL ? php_bloom_segment() : NULL;
}

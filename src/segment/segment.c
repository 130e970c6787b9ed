#include "segment/segment.h"

#include <stdio.h>
#include <string.h>

#include "os/lock.h"
#include "os/sharedfile.h"

bloom_status bloom_name_check(const char *name, uint64_t name_bytes, bloom_error *error)
{
	static const char allowed[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	uint64_t i;

	for (i = 0; i < name_bytes && name[i] != 0 && strchr(allowed, name[i]) != NULL; i++) {
	}
	if (i != name_bytes || name_bytes == 0 || name_bytes > BLOOM_NAME_BYTES_MAX ||
		name[0] == '.' || name[0] == '-') {
		return bloom_fail(error, BLOOM_E_NAME, 0, "\"%.*s\"",
			(int)(name_bytes < 64 ? name_bytes : 64), name);
	}
	return BLOOM_OK;
}

static bool is_slash(char byte)
{
	return byte == '/' || (byte == '\\' && bloom_shared_is_windows());
}

/* Returns the length of "/" or "/." at the end of a path; 0 if the path has a different end. */
static size_t surplus_bytes(const char *path, size_t bytes)
{
	if (bytes > 1 && path[bytes - 1] == '.' && is_slash(path[bytes - 2])) {
		return 2;
	}
	return bytes > 0 && is_slash(path[bytes - 1]) ? 1 : 0;
}

/* Removes "/" and "/." from the end of a path, but not from a root. Behind a link, they would make
 * the system follow it, although bloom_directory_open() asks it not to. */
static void remove_trailing_slashes(char *path)
{
	size_t bytes = strlen(path), surplus;
	char first;

	while ((surplus = surplus_bytes(path, bytes)) > 0) {
		bytes -= surplus;
		first = path[bytes];
		path[bytes] = 0;
		if (!bloom_path_is_absolute(path)) {
			path[bytes] = first;
			return;
		}
	}
}

bloom_status bloom_segment_init(
	bloom_segment *segment, const char *path, uint64_t path_bytes, bloom_error *error)
{
	if (path_bytes == 0 || path_bytes >= sizeof segment->path ||
		memchr(path, 0, (size_t)path_bytes) != NULL || !bloom_path_is_absolute(path)) {
		return bloom_fail(error, BLOOM_E_PATH, 0, "\"%.*s\"",
			(int)(path_bytes < 64 ? path_bytes : 64), path);
	}
	memcpy(segment->path, path, (size_t)path_bytes);
	segment->path[path_bytes] = 0;
	remove_trailing_slashes(segment->path);
	return BLOOM_OK;
}

void bloom_entry_name(const char *name, uint64_t layout, char entry[BLOOM_FILE_NAME_MAX])
{
	(void)snprintf(entry, BLOOM_FILE_NAME_MAX, "%s@%llu", name, (unsigned long long)layout);
}

bool bloom_entry_parse(const char *entry, char name[BLOOM_NAME_BYTES_MAX + 1], uint64_t *layout)
{
	const char *at = strchr(entry, '@');
	size_t bytes = at != NULL ? (size_t)(at - entry) : 0;
	char canonical[BLOOM_FILE_NAME_MAX];
	unsigned long long number = 0;

	if (bloom_name_check(entry, bytes, NULL) != BLOOM_OK || sscanf(at, "@%llu", &number) != 1) {
		return false;
	}
	memcpy(name, entry, bytes);
	name[bytes] = 0;
	*layout = number;
	bloom_entry_name(name, number, canonical);
	return strcmp(canonical, entry) == 0;
}

void bloom_generation_name(uint64_t generation, char name[BLOOM_FILE_NAME_MAX])
{
	(void)snprintf(name, BLOOM_FILE_NAME_MAX, "%016llx.bloom", (unsigned long long)generation);
}

void bloom_stage_name(uint64_t number, char name[BLOOM_FILE_NAME_MAX])
{
	(void)snprintf(name, BLOOM_FILE_NAME_MAX, "%016llx.tmp", (unsigned long long)number);
}

void bloom_additions_name(uint64_t number, char name[BLOOM_FILE_NAME_MAX])
{
	(void)snprintf(name, BLOOM_FILE_NAME_MAX, "%016llx.added", (unsigned long long)number);
}

/* sscanf() also accepts variants, such as upper-case digits, so the name must equal the canonical
 * one. */
uint64_t bloom_generation_of(const char *name)
{
	char canonical[BLOOM_FILE_NAME_MAX];
	unsigned long long generation = 0;

	if (sscanf(name, "%16llx.bloom", &generation) != 1) {
		return 0;
	}
	bloom_generation_name(generation, canonical);
	return strcmp(canonical, name) == 0 ? generation : 0;
}

uint64_t bloom_additions_of(const char *name)
{
	char canonical[BLOOM_FILE_NAME_MAX];
	unsigned long long number = 0;

	if (sscanf(name, "%16llx.added", &number) != 1) {
		return 0;
	}
	bloom_additions_name(number, canonical);
	return strcmp(canonical, name) == 0 ? number : 0;
}

bool bloom_is_stage_name(const char *name)
{
	static const char suffix[] = ".tmp";
	size_t bytes = strlen(name), suffix_bytes = strlen(suffix);

	return bytes > suffix_bytes && strcmp(name + bytes - suffix_bytes, suffix) == 0;
}

bloom_status bloom_segment_open(const bloom_segment *segment, bool create, int *directory,
	bloom_owner *owner, bloom_error *error)
{
	bloom_status status = bloom_directory_open(segment->path, create, directory, owner, error);

	if (create && status == BLOOM_E_SYSTEM && error != NULL &&
		bloom_is_unusable_error(error->os_error)) {
		return bloom_fail(
			error, BLOOM_E_NO_DIRECTORY, error->os_error, "%s", segment->path);
	}
	if (status == BLOOM_OK && bloom_directory_is_network(*directory)) {
		bloom_close(directory);
		return bloom_fail(error, BLOOM_E_REFUSED_NETWORK, 0, "%s", segment->path);
	}
	if (status == BLOOM_OK && segment->same_owner_only && !bloom_owner_is_self(*owner)) {
		bloom_close(directory);
		return bloom_fail(error, BLOOM_E_REFUSED_OWNER, 0,
			"%.600s (owned by user %u; root may use it only if bloom.path is set)",
			segment->path, (unsigned)owner->user);
	}
	return status;
}

#include "os/system_windows.h"

#include "os/mapping.h"

#include <errno.h>

#include "os/files.h"

uint64_t bloom_machine_memory_bytes(void)
{
	MEMORYSTATUSEX found = {.dwLength = sizeof found};

	return GlobalMemoryStatusEx(&found) ? found.ullTotalPhys : UINT64_MAX;
}

bloom_status bloom_memory_check(uint64_t bytes, bloom_error *error)
{
	uint64_t machine_bytes = bloom_machine_memory_bytes();

	return bytes <= machine_bytes
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_MEMORY, 0,
			  "the filter needs %llu bytes, but this machine has only %llu",
			  (unsigned long long)bytes, (unsigned long long)machine_bytes);
}

/* Maps a view of a file, or of memory if `file` is INVALID_HANDLE_VALUE. The view keeps the file
 * open, so the section's handle is not needed. */
static bloom_status map_view(HANDLE file, uint64_t bytes, bool writable, uint64_t memory_bytes,
	unsigned char **map, bloom_error *error)
{
	HANDLE section = CreateFileMappingW(file, NULL, writable ? PAGE_READWRITE : PAGE_READONLY,
		(DWORD)(memory_bytes >> 32), (DWORD)memory_bytes, NULL);
	void *view;

	if (section == NULL) {
		(void)bloom_failed();
		return bloom_fail_system(error, "mapping");
	}
	view = MapViewOfFile(
		section, writable ? FILE_MAP_WRITE : FILE_MAP_READ, 0, 0, (SIZE_T)bytes);
	if (view == NULL) {
		(void)bloom_failed();
	}
	(void)CloseHandle(section);
	if (view == NULL) {
		return bloom_fail_system(error, "mapping");
	}
	*map = view;
	return BLOOM_OK;
}

bloom_status bloom_map(
	int file, uint64_t bytes, bool writable, unsigned char **map, bloom_error *error)
{
	return map_view(bloom_handle_of(file), bytes, writable, 0, map, error);
}

bloom_status bloom_map_keep(int file, int *kept, bloom_error *error)
{
	HANDLE self = GetCurrentProcess(), copy;

	if (!DuplicateHandle(
		    self, bloom_handle_of(file), self, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS)) {
		(void)bloom_failed();
		return bloom_fail_system(error, "mapping");
	}
	*kept = bloom_handle_number(copy);
	return BLOOM_OK;
}

bloom_status bloom_map_grow(
	int kept, unsigned char **map, uint64_t bytes, uint64_t bytes_wanted, bloom_error *error)
{
	unsigned char *fresh = NULL;
	uint64_t length = 0;
	bloom_status status = bloom_open_file_bytes(kept, &length, error);

	/* A view cannot be longer than the file. */
	if (status == BLOOM_OK && length < bytes_wanted) {
		return bloom_fail(error, BLOOM_E_SHORT, 0, "mapping");
	}
	if (status == BLOOM_OK) {
		status = bloom_map(kept, bytes_wanted, true, &fresh, error);
	}
	if (status == BLOOM_OK) {
		bloom_unmap(*map, bytes);
		*map = fresh;
	}
	return status;
}

bloom_status bloom_map_check(const unsigned char *byte, bloom_error *error)
{
	unsigned char copy;
	SIZE_T count = 0;

	/* If the page cannot be read, this call fails instead of raising an exception. */
	return ReadProcessMemory(GetCurrentProcess(), byte, &copy, sizeof copy, &count) &&
			count == sizeof copy
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_SHORT, 0, "mapping");
}

bloom_status bloom_map_private(uint64_t bytes, unsigned char **map, bloom_error *error)
{
	bloom_status status = bloom_memory_check(bytes, error);

	/* A section of the paging file, so that bloom_unmap() treats all mappings alike. */
	return status == BLOOM_OK ? map_view(INVALID_HANDLE_VALUE, bytes, true, bytes, map, error)
				  : status;
}

void bloom_unmap(const unsigned char *map, uint64_t bytes)
{
	(void)bytes;
	if (map != NULL) {
		(void)UnmapViewOfFile(map);
	}
}

#include "os/files_windows.h"

#include <errno.h>
#include <string.h>

static bool set_length(HANDLE file, uint64_t bytes)
{
	FILE_END_OF_FILE_INFO end = {.EndOfFile.QuadPart = (LONGLONG)bytes};

	return SetFileInformationByHandle(file, FileEndOfFileInfo, &end, sizeof end) ||
		bloom_failed();
}

/* Makes a file longer by creating a longer section of it. */
static bool lengthen(HANDLE file, uint64_t bytes)
{
	HANDLE section = CreateFileMappingW(
		file, NULL, PAGE_READWRITE, (DWORD)(bytes >> 32), (DWORD)bytes, NULL);

	if (section == NULL) {
		return bloom_failed();
	}
	(void)CloseHandle(section);
	return true;
}

/* Allocates space for a longer file. Returns false if there is none. File systems that do not know
 * this call allocate the space when the length is set. */
static bool reserve(HANDLE file, uint64_t bytes)
{
	FILE_ALLOCATION_INFO wanted = {.AllocationSize.QuadPart = (LONGLONG)bytes};
	LARGE_INTEGER length;

	/* Skip a file that is already long enough, because the call would truncate it. */
	return !GetFileSizeEx(file, &length) || (uint64_t)length.QuadPart >= bytes ||
		SetFileInformationByHandle(file, FileAllocationInfo, &wanted, sizeof wanted) ||
		bloom_failed() || errno != ENOSPC;
}

/* A file that is neither sparse nor compressed occupies its whole length. The documentation of
 * SetEndOfFile() requires that no process maps the file, but may mean only truncation. lengthen()
 * handles a refusal, because a scalable filter grows while it is mapped. */
bloom_status bloom_file_extend(int file, uint64_t bytes, bloom_error *error)
{
	HANDLE handle = bloom_handle_of(file);

	if (!reserve(handle, bytes)) {
		return bloom_fail_system(error, "allocating space");
	}
	return set_length(handle, bytes) || (errno == EBUSY && bytes > 0 && lengthen(handle, bytes))
		? BLOOM_OK
		: bloom_fail_system(error, "allocating space");
}

bloom_status bloom_file_allocate(int file, uint64_t offset, uint64_t bytes, bloom_error *error)
{
	uint64_t length = 0;
	bloom_status status = bloom_open_file_bytes(file, &length, error);

	return status == BLOOM_OK && length < offset + bytes
		? bloom_file_extend(file, offset + bytes, error)
		: status;
}

/* Copies bytes to the file through a view. Windows promises that all views of a file show the same
 * bytes, but not that they show at once what WriteFile() has written. Mapping extends the file. */
static bool write_piece(HANDLE file, uint64_t offset, const unsigned char *bytes, size_t count)
{
	enum { GRANULARITY_BYTES = 65536 };
	uint64_t start = offset / GRANULARITY_BYTES * GRANULARITY_BYTES, end = offset + count;
	HANDLE section = CreateFileMappingW(
		file, NULL, PAGE_READWRITE, (DWORD)(end >> 32), (DWORD)end, NULL);
	unsigned char *view;

	if (section == NULL) {
		return bloom_failed();
	}
	view = MapViewOfFile(
		section, FILE_MAP_WRITE, (DWORD)(start >> 32), (DWORD)start, (SIZE_T)(end - start));
	if (view == NULL) {
		(void)bloom_failed();
	} else {
		memcpy(view + (offset - start), bytes, count);
		(void)UnmapViewOfFile(view);
	}
	(void)CloseHandle(section);
	return view != NULL;
}

bloom_status bloom_file_write(
	int file, uint64_t offset, const unsigned char *bytes, uint64_t count, bloom_error *error)
{
	enum { PIECE_BYTES_MAX = 1 << 20 };
	size_t piece;

	for (; count > 0; bytes += piece, count -= piece, offset += piece) {
		piece = count < PIECE_BYTES_MAX ? (size_t)count : PIECE_BYTES_MAX;
		if (!write_piece(bloom_handle_of(file), offset, bytes, piece)) {
			return bloom_fail_system(error, "writing");
		}
	}
	return BLOOM_OK;
}

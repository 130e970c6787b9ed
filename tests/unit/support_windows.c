/* The parts of support.c that call Windows. A process cannot fork there, and most kinds of
 * unexpected files do not exist, so tests that need these are skipped. program_test.c starts
 * programs instead. */
#include "support.h"

#define WIN32_LEAN_AND_MEAN
#include <stdlib.h>
#include <windows.h>

#include <aclapi.h>

/* The C library opens files without converting the ends of lines. */
__attribute__((constructor)) static void open_binary(void)
{
	_fmode = _O_BINARY;
}

static char scratch[512];
static bool has_skipped;

void skip_because(const char *reason)
{
	has_skipped = true;
	printf("# skipped: %s\n", reason);
	skip();
}

/* ---- a simulated machine ---- */

unsigned long pretended_file_system;
uint64_t pretended_memory_bytes;

static WINAPI BOOL pretend_memory(MEMORYSTATUSEX *found)
{
	typedef BOOL(WINAPI * function)(MEMORYSTATUSEX *);
	function real = (function)(uintptr_t)GetProcAddress(
		GetModuleHandleA("kernel32.dll"), "GlobalMemoryStatusEx");
	BOOL result = real(found);

	if (pretended_memory_bytes != 0) {
		found->ullTotalPhys = pretended_memory_bytes;
	}
	return result;
}

/* The pointer through which the core calls the function; the linker prefers it to that of the
 * library. */
extern void *const __imp_GlobalMemoryStatusEx;
void *const __imp_GlobalMemoryStatusEx = (void *)(uintptr_t)pretend_memory;

/* ---- memory ---- */

static DWORD protection_of(int protection)
{
	return protection == PROT_NONE           ? PAGE_NOACCESS
		: (protection & PROT_WRITE) != 0 ? PAGE_READWRITE
						 : PAGE_READONLY;
}

void *mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
	void *memory =
		VirtualAlloc(address, bytes, MEM_RESERVE | MEM_COMMIT, protection_of(protection));

	(void)flags;
	(void)file;
	(void)offset;
	return memory != NULL ? memory : MAP_FAILED;
}

int mprotect(void *address, size_t bytes, int protection)
{
	DWORD before;

	return VirtualProtect(address, bytes, protection_of(protection), &before) ? 0 : -1;
}

int munmap(void *address, size_t bytes)
{
	(void)bytes;
	return VirtualFree(address, 0, MEM_RELEASE) ? 0 : -1;
}

/* ---- directories ---- */

/* Converts a path and makes it usable without the limit of 260 characters. */
static void widen(const char *path, wchar_t wide[BLOOM_PATH_BYTES_MAX])
{
	wchar_t *character;

	assert_true(MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, BLOOM_PATH_BYTES_MAX) > 0);
	for (character = wide; *character != 0; character++) {
		*character = *character == L'/' ? L'\\' : *character;
	}
}

static void remove_entries(const wchar_t *path)
{
	wchar_t entry[BLOOM_PATH_BYTES_MAX];
	WIN32_FIND_DATAW found;
	HANDLE search;

	(void)swprintf(entry, BLOOM_PATH_BYTES_MAX, L"%ls\\*", path);
	search = FindFirstFileW(entry, &found);
	if (search == INVALID_HANDLE_VALUE) {
		return;
	}
	do {
		if (wcscmp(found.cFileName, L".") == 0 || wcscmp(found.cFileName, L"..") == 0) {
			continue;
		}
		(void)swprintf(entry, BLOOM_PATH_BYTES_MAX, L"%ls\\%ls", path, found.cFileName);
		if ((found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
			remove_entries(entry);
			(void)RemoveDirectoryW(entry);
		} else {
			(void)DeleteFileW(entry);
		}
	} while (FindNextFileW(search, &found));
	(void)FindClose(search);
}

void remove_tree(const char *path)
{
	wchar_t wide[BLOOM_PATH_BYTES_MAX];

	widen(path, wide);
	remove_entries(wide);
	(void)RemoveDirectoryW(wide);
	(void)DeleteFileW(wide);
}

char *mkdtemp(char *pattern)
{
	return _mktemp(pattern) != NULL && CreateDirectoryA(pattern, NULL) ? pattern : NULL;
}

/* The number of mappings of files and sections that this process has. */
static int count_views(void)
{
	const unsigned char *at = NULL;
	MEMORY_BASIC_INFORMATION found;
	int count = 0;

	while (VirtualQuery(at, &found, sizeof found) != 0) {
		count += found.Type == MEM_MAPPED && found.BaseAddress == found.AllocationBase;
		at = (const unsigned char *)found.BaseAddress + found.RegionSize;
	}
	return count;
}

static int views_before; /* those of the C library and of Windows */

int scratch_setup(void **state)
{
	const char *parent = getenv("BLOOM_TEST_SCRATCH");
	static unsigned number;
	bool is_made;

	(void)state;
	if (parent == NULL) {
		print_error("BLOOM_TEST_SCRATCH is not set\n");
		return -1;
	}
	views_before = count_views();
	/* A directory of a skipped test may remain. */
	do {
		(void)snprintf(scratch, sizeof scratch, "%s/bloom-unit.%u", parent, number++);
		is_made = CreateDirectoryA(scratch, NULL);
	} while (!is_made && GetLastError() == ERROR_ALREADY_EXISTS);
	return is_made ? 0 : -1;
}

/* A skipped test may leave files mapped, which Windows does not remove. */
int scratch_teardown(void **state)
{
	bool was_skipped = has_skipped;

	(void)state;
	has_skipped = false;
	remove_tree(scratch);
	return was_skipped || GetFileAttributesA(scratch) == INVALID_FILE_ATTRIBUTES ? 0 : -1;
}

const char *scratch_path(void)
{
	return scratch;
}

int count_open_files(void)
{
	DWORD count = 0;

	assert_true(GetProcessHandleCount(GetCurrentProcess(), &count));
	return (int)count;
}

int count_maps(void)
{
	return count_views() - views_before;
}

void write_file(const char *path, const void *bytes, size_t count, unsigned mode)
{
	FILE *file = fopen(path, "wb");
	int closed;

	(void)mode;
	assert_non_null(file);
	assert_int_equal(count, fwrite(bytes, 1, count, file));
	closed = fclose(file);
	assert_int_equal(0, closed);
}

bool can_intrude(intruder kind)
{
	return kind == HARD_LINK || kind == DIRECTORY || kind == PLAIN_FILE ||
		kind == GROUP_READS || kind == OTHERS_WRITE;
}

/* Adds an entry to the access control list of a file or directory. */
static bool allow(const char *path, WELL_KNOWN_SID_TYPE whom, DWORD rights)
{
	unsigned char sid[SECURITY_MAX_SID_SIZE];
	EXPLICIT_ACCESSA entry = {.grfAccessPermissions = rights, .grfAccessMode = GRANT_ACCESS};
	PSECURITY_DESCRIPTOR descriptor = NULL;
	DWORD bytes = sizeof sid;
	PACL before, after = NULL;
	bool is_allowed;

	assert_true(CreateWellKnownSid(whom, NULL, sid, &bytes));
	entry.Trustee.TrusteeForm = TRUSTEE_IS_SID;
	entry.Trustee.ptstrName = (char *)sid;
	assert_int_equal(ERROR_SUCCESS,
		GetNamedSecurityInfoA(path, SE_FILE_OBJECT, DACL_SECURITY_INFORMATION, NULL, NULL,
			&before, NULL, &descriptor));
	assert_int_equal(ERROR_SUCCESS, SetEntriesInAclA(1, &entry, before, &after));
	is_allowed = SetNamedSecurityInfoA((char *)(uintptr_t)path, SE_FILE_OBJECT,
			     DACL_SECURITY_INFORMATION, NULL, NULL, after, NULL) == ERROR_SUCCESS;
	(void)LocalFree(after);
	(void)LocalFree(descriptor);
	return is_allowed;
}

bool intrude(const char *path, const char *aside, intruder kind, bool is_directory)
{
	switch (kind) {
	case HARD_LINK:
		return !is_directory && CreateHardLinkA(aside, path, NULL);
	case GROUP_READS:
		return allow(path, WinWorldSid, FILE_GENERIC_READ);
	case OTHERS_WRITE:
		return allow(path, WinWorldSid, FILE_GENERIC_WRITE);
	case DIRECTORY:
		return MoveFileA(path, aside) && CreateDirectoryA(path, NULL);
	case PLAIN_FILE:
		assert_true(MoveFileA(path, aside));
		write_file(path, "plain", 5, 0600);
		return true;
	default:
		return false;
	}
}

/* ---- processes ---- */

pid_t start_child(child_body body, void *context)
{
	(void)body;
	(void)context;
	skip_because("a process cannot fork here");
	return -1;
}

int wait_child(pid_t child)
{
	(void)child;
	return -1;
}

int run_child(child_body body, void *context)
{
	return wait_child(start_child(body, context));
}

void pause_us(uint64_t us)
{
	Sleep((DWORD)((us + 999) / 1000));
}

program start_program(const char *const *arguments)
{
	STARTUPINFOA start = {.cb = sizeof start};
	char path[MAX_PATH], line[8192];
	PROCESS_INFORMATION started;
	int count;

	assert_true(GetModuleFileNameA(NULL, path, sizeof path) < sizeof path);
	count = snprintf(line, sizeof line, "\"%s\"", path);
	for (; *arguments != NULL; arguments++) {
		count += snprintf(line + count, sizeof line - (size_t)count, " \"%s\"", *arguments);
		assert_true(count < (int)sizeof line);
	}
	fflush(NULL);
	assert_true(CreateProcessA(path, line, NULL, NULL, FALSE, 0, NULL, NULL, &start, &started));
	(void)CloseHandle(started.hThread);
	return (program)started.hProcess;
}

int wait_program(program child)
{
	DWORD code = 0;

	assert_int_equal(WAIT_OBJECT_0, WaitForSingleObject((HANDLE)child, INFINITE));
	assert_true(GetExitCodeProcess((HANDLE)child, &code));
	(void)CloseHandle((HANDLE)child);
	return (int)code;
}

void kill_program(program child)
{
	(void)TerminateProcess((HANDLE)child, KILLED);
}

void end_program(void)
{
	(void)TerminateProcess(GetCurrentProcess(), KILLED);
}

void *shared_memory(size_t count)
{
	return calloc(1, count);
}

void free_shared_memory(void *memory, size_t count)
{
	(void)count;
	free(memory);
}

void traced_begin(void)
{
}

void traced_end(void)
{
}

void needs_tracing(void)
{
	skip_because("tracing a process is not possible here");
}

pid_t start_traced(child_body body, void *context)
{
	(void)body;
	(void)context;
	needs_tracing();
	return -1;
}

bool step_traced(pid_t child, unsigned steps)
{
	(void)child;
	(void)steps;
	return false;
}

int finish_traced(pid_t child)
{
	return wait_child(child);
}

void kill_traced(pid_t child)
{
	(void)child;
}

/* ---- small file systems ---- */

void mount_small_file_system(unsigned kib)
{
	(void)kib;
	skip_because("mounting a small file system is not possible here");
}

int teardown_small_file_system(void **state)
{
	return scratch_teardown(state);
}

int private_mounts(void **state)
{
	(void)state;
	return 0;
}

void fill_file_system(const bloom_segment *segment, uint64_t leave_bytes)
{
	(void)segment;
	(void)leave_bytes;
}

void unfill_file_system(const bloom_segment *segment)
{
	(void)segment;
}

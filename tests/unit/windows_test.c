/* Behavior that only Windows has: it ignores the case of names, forbids some names, and lets other
 * programs open a file without sharing it. */
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#include <winternl.h>

#include "support.h"

#include "os/process.h"
#include "os/userfile.h"
#include "segment/drop.h"

/* ---- replaced functions of Windows ---- */

static bool pretends_compression, refuses_lengths, is_other_host;
static unsigned lengths_refused, created, compressible, refused, refused_max, denials;
static bool is_full;
static LONGLONG reserved; /* the size of the last allocation */
static HANDLE scanner;    /* another program's handle */

static WINAPI BOOL pretend_information(HANDLE file, BY_HANDLE_FILE_INFORMATION *found)
{
	typedef BOOL(WINAPI * function)(HANDLE, BY_HANDLE_FILE_INFORMATION *);
	function real = (function)(uintptr_t)GetProcAddress(
		GetModuleHandleA("kernel32.dll"), "GetFileInformationByHandle");
	BOOL result = real(file, found);

	if (pretends_compression) {
		found->dwFileAttributes |= FILE_ATTRIBUTE_COMPRESSED;
	}
	return result;
}

/* Refuses to allocate space on a full disk, and to set the length of a file, as Windows may if a
 * process maps the file. */
static WINAPI BOOL refuse_length(
	HANDLE file, FILE_INFO_BY_HANDLE_CLASS kind, void *information, DWORD bytes)
{
	enum { rename_info_ex = 22 };
	typedef BOOL(WINAPI * function)(HANDLE, FILE_INFO_BY_HANDLE_CLASS, void *, DWORD);
	function real = (function)(uintptr_t)GetProcAddress(
		GetModuleHandleA("kernel32.dll"), "SetFileInformationByHandle");

	if ((int)kind == rename_info_ex && denials > 0) {
		SetLastError(ERROR_INVALID_PARAMETER);
		return FALSE;
	}
	if (kind == FileAllocationInfo) {
		reserved = ((const FILE_ALLOCATION_INFO *)information)->AllocationSize.QuadPart;
		if (is_full) {
			SetLastError(ERROR_DISK_FULL);
			return FALSE;
		}
	}
	if (refuses_lengths && kind == FileEndOfFileInfo) {
		lengths_refused++;
		SetLastError(ERROR_USER_MAPPED_FILE);
		return FALSE;
	}
	return real(file, kind, information, bytes);
}

/* The pointers through which the core calls the functions; the linker prefers them to those of the
 * library. */
extern void *const __imp_GetFileInformationByHandle, *const __imp_SetFileInformationByHandle;
void *const __imp_GetFileInformationByHandle = (void *)(uintptr_t)pretend_information;
void *const __imp_SetFileInformationByHandle = (void *)(uintptr_t)refuse_length;

/* Replaces the function of the library. Counts the entries that are created, and those that would
 * inherit compression. Closes `scanner` when that handle has refused `refused_max` calls. */
NTSTATUS NTAPI NtCreateFile(PHANDLE handle, ACCESS_MASK access, POBJECT_ATTRIBUTES attributes,
	PIO_STATUS_BLOCK result, PLARGE_INTEGER bytes, ULONG file_attributes, ULONG share,
	ULONG disposition, ULONG options, PVOID extra, ULONG extra_bytes)
{
	const NTSTATUS sharing_violation = (NTSTATUS)0xC0000043;
	typedef NTSTATUS(NTAPI * function)(PHANDLE, ACCESS_MASK, POBJECT_ATTRIBUTES,
		PIO_STATUS_BLOCK, PLARGE_INTEGER, ULONG, ULONG, ULONG, ULONG, PVOID, ULONG);
	function real =
		(function)(uintptr_t)GetProcAddress(GetModuleHandleA("ntdll.dll"), "NtCreateFile");
	NTSTATUS status = real(handle, access, attributes, result, bytes, file_attributes, share,
		disposition, options, extra, extra_bytes);

	created += disposition == FILE_CREATE;
	compressible += disposition == FILE_CREATE && (options & FILE_NO_COMPRESSION) == 0;
	if (status == sharing_violation && ++refused == refused_max) {
		(void)CloseHandle(scanner);
	}
	return status;
}

/* Refuses the next `denials` calls, as Windows does if a process uses the file that would be
 * replaced. refuse_length() refuses the call that the core tries first. */
static WINAPI BOOL refuse_move(const wchar_t *from, const wchar_t *to, DWORD flags)
{
	typedef BOOL(WINAPI * function)(const wchar_t *, const wchar_t *, DWORD);
	function real = (function)(uintptr_t)GetProcAddress(
		GetModuleHandleA("kernel32.dll"), "MoveFileExW");

	if (denials > 0) {
		denials--;
		SetLastError(ERROR_ACCESS_DENIED);
		return FALSE;
	}
	return real(from, to, flags);
}

extern void *const __imp_MoveFileExW;
void *const __imp_MoveFileExW = (void *)(uintptr_t)refuse_move;

/* ---- names and paths ---- */

static void names_that_differ_only_in_case_never_share_a_filter(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob a = blob_with("a"), b = blob_with("b");
	bloom_attachment filter, other;
	bool existed = true;

	(void)state;
	assert_ok(load(&segment, "tags", a, NULL));
	attach_to(&segment, "tags", &filter);
	assert_status(BLOOM_E_NOT_FOUND, bloom_attach(&segment, "Tags", &other, &error));
	assert_status(BLOOM_E_EXISTS, load(&segment, "Tags", b, NULL));
	assert_non_null(strstr(error.subject, "Tags (another name differs only in case)"));
	assert_ok(bloom_segment_drop(&segment, "TAGS", &existed, &error));
	assert_false(existed);
	assert_serves(&filter, "a");
	bloom_detach(&filter);

	assert_ok(bloom_segment_drop(&segment, "tags", &existed, &error));
	assert_true(existed);
	assert_ok(load(&segment, "Tags", b, NULL));
	blob_free(&a);
	blob_free(&b);
}

static void names_of_devices_and_names_with_a_dot_at_the_end_are_ordinary(void **state)
{
	static const char *const names[] = {"nul", "con.", "tags.", "tags"};
	bloom_segment segment = scratch_segment();
	test_blob blobs[] = {blob_with("a"), blob_with("b"), blob_with("c"), blob_with("d")};
	bloom_attachment filter;
	bool existed;
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
		assert_ok(load(&segment, names[i], blobs[i], NULL));
	}
	for (i = 0; i < 4; i++) {
		static const char *const families[] = {"a", "b", "c", "d"};

		attach_to(&segment, names[i], &filter);
		assert_int_equal(BLOOM_NAMING_SAME, bloom_attachment_naming(&filter));
		assert_serves(&filter, families[i]);
		bloom_detach(&filter);
		assert_ok(bloom_segment_drop(&segment, names[i], &existed, &error));
		assert_true(existed);
		blob_free(&blobs[i]);
	}
}

static void dots_and_repeated_slashes_in_a_path_are_resolved(void **state)
{
	static const char *const forms[] = {"%s/missing/../segment", "%s/./segment/",
		"%s//segment/.", "%s\\segment\\..\\.\\segment", "%s/segment/x/y/../.."};
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	char path[BLOOM_PATH_BYTES_MAX];
	bloom_attachment filter;
	size_t i;

	(void)state;
	assert_ok(load(&segment, "tags", blob, NULL));
	for (i = 0; i < sizeof forms / sizeof *forms; i++) {
		bloom_segment same = scratch_segment();

		(void)snprintf(path, sizeof path, forms[i], scratch_path());
		assert_ok(bloom_segment_init(&same, path, strlen(path), &error));
		attach_to(&same, "tags", &filter);
		assert_serves(&filter, "a");
		assert_int_equal(BLOOM_NAMING_SAME, bloom_attachment_naming(&filter));
		bloom_detach(&filter);
	}
	blob_free(&blob);
}

/* ---- other programs ---- */

static void a_file_that_another_program_does_not_share_for_a_moment_delays_a_call(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	const char *path = in_segment(&segment, "tags/control");
	bloom_attachment filter;

	(void)state;
	assert_ok(load(&segment, "tags", blob, NULL));
	scanner = CreateFileA(path, GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
	assert_true(scanner != INVALID_HANDLE_VALUE);
	refused = 0;
	refused_max = 3;
	attach_to(&segment, "tags", &filter);
	assert_int_equal(3, refused);
	assert_serves(&filter, "a");
	bloom_detach(&filter);

	scanner = CreateFileA(path, GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
	assert_true(scanner != INVALID_HANDLE_VALUE);
	refused = 0;
	refused_max = 1000;
	assert_status(BLOOM_E_SYSTEM, bloom_attach(&segment, "tags", &filter, &error));
	assert_true(refused < 20);
	(void)CloseHandle(scanner);
	blob_free(&blob);
}

/* Prints the status of a call, for systems whose documentation does not say what happens. */
static bloom_status report(const char *what, bloom_status status)
{
	print_message("# %s: %s\n", what, status == BLOOM_OK ? "yes" : error.subject);
	return status;
}

/* in_use_test simulates all of these answers. This test reports which of them this system gives. */
static void a_mapped_file_is_renamed_and_removed_or_the_calls_are_refused(void **state)
{
	static const unsigned char text[4096] = "text";
	bloom_segment segment = scratch_segment();
	unsigned char *map = NULL;
	int directory = -1, file = -1, other = -1;
	bloom_status status;
	bloom_owner owner;

	(void)state;
	assert_ok(bloom_directory_open(segment.path, true, &directory, &owner, &error));
	assert_ok(bloom_file_create(directory, "a", owner, &file, &error));
	assert_ok(bloom_file_create(directory, "b", owner, &other, &error));
	bloom_close(&other);
	assert_ok(bloom_file_write(file, 0, text, sizeof text, &error));
	assert_ok(bloom_map(file, sizeof text, true, &map, &error));
	assert_ok(report("growing a mapped file", bloom_file_extend(file, 8192, &error)));
	bloom_close(&file);

	status = report("renaming a mapped file", bloom_file_rename(directory, "a", "c", &error));
	assert_true(status == BLOOM_OK || status == BLOOM_E_BUSY);
	if (status == BLOOM_OK) {
		assert_ok(bloom_file_rename(directory, "c", "a", &error));
	}
	status = report("replacing a mapped file", bloom_file_rename(directory, "b", "a", &error));
	assert_true(status == BLOOM_OK || status == BLOOM_E_BUSY);
	status = report("removing a mapped file", bloom_file_remove(directory, "a", &error));
	assert_true(status == BLOOM_OK || status == BLOOM_E_BUSY);
	assert_string_equal("text", (const char *)map);
	bloom_unmap(map, sizeof text);
	assert_ok(bloom_file_remove(directory, "a", &error));
	assert_ok(bloom_file_remove(directory, "b", &error));
	bloom_close(&directory);
}

static void a_new_file_is_not_compressed_and_a_compressed_one_is_refused(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	bloom_attachment filter;

	(void)state;
	created = compressible = 0;
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_true(created >= 5);
	assert_int_equal(0, compressible);
	pretends_compression = true;
	assert_status(BLOOM_E_CONTROL, bloom_attach(&segment, "tags", &filter, &error));
	pretends_compression = false;
	attach_to(&segment, "tags", &filter);
	bloom_detach(&filter);
	blob_free(&blob);
}

static void a_scalable_filter_grows_while_it_is_mapped(void **state)
{
	const bloom_live_params params = {.kind = BLOOM_KIND_SCALABLE,
		.capacity_keys = 100,
		.rate = 0.01,
		.growth = 2,
		.tightening = 0.5};
	bloom_segment segment = scratch_segment();
	bloom_attachment filter, other;
	uint64_t i;

	(void)state;
	live_create(&segment, "seen", &params, 1);
	attach_to(&segment, "seen", &filter);
	attach_to(&segment, "seen", &other);
	lengths_refused = 0;
	refuses_lengths = true;
	for (i = 0; i < 1000; i++) {
		assert_ok(filter_add(&filter, "key", i, NULL));
	}
	refuses_lengths = false;
	assert_true(lengths_refused >= 3);
	assert_int_equal(4, filter.live->layers);
	for (i = 0; i < 1000; i++) {
		assert_true(filter_answers(&other, "key", i));
	}
	bloom_detach(&filter);
	bloom_detach(&other);
}

static void space_is_allocated_before_a_file_is_written(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");

	(void)state;
	is_full = true;
	assert_status(BLOOM_E_SPACE, load(&segment, "tags", blob, NULL));
	is_full = false;
	assert_int_equal(blob.count, reserved);
	assert_int_equal(0, segment_bytes(&segment));
	assert_ok(load(&segment, "tags", blob, NULL));
	blob_free(&blob);
}

static bloom_status save(const char *path, const char *text)
{
	bloom_userfile file;
	bloom_status status = bloom_userfile_begin(path, strlen(text), &file, &error);

	if (status == BLOOM_OK) {
		status = bloom_userfile_write(
			&file, 0, (const unsigned char *)text, strlen(text), &error);
	}
	if (status == BLOOM_OK) {
		status = bloom_userfile_commit(&file, &error);
	}
	bloom_userfile_abort(&file);
	return status;
}

static void assert_text(const char *path, const char *text)
{
	unsigned char bytes[32];
	uint64_t count = 0;
	int file = -1;

	assert_ok(bloom_userfile_open(path, &file, &count, &error));
	assert_int_equal(strlen(text), count);
	assert_ok(bloom_userfile_read(file, path, 0, bytes, count, &error));
	assert_memory_equal(text, bytes, count);
	bloom_close(&file);
}

static void a_user_s_file_is_replaced_as_soon_as_it_is_not_in_use(void **state)
{
	char path[BLOOM_PATH_BYTES_MAX];

	(void)state;
	(void)snprintf(path, sizeof path, "%s/./saved", scratch_path());
	assert_ok(save(path, "first"));
	denials = 5;
	assert_ok(save(path, "second"));
	assert_int_equal(0, denials);
	assert_text(path, "second");

	denials = 1000;
	assert_status(BLOOM_E_FILE, save(path, "third"));
	assert_true(denials > 800);
	denials = 0;
	assert_text(path, "second");
	assert_int_equal(1, count_entries(scratch_path(), "saved"));
}

/* ---- processes ---- */

/* Reports another name of this host to the core. */
static WINAPI BOOL pretend_host(COMPUTER_NAME_FORMAT kind, wchar_t *name, DWORD *count)
{
	static const wchar_t other[] = L"other";

	assert_int_equal(ComputerNamePhysicalDnsHostname, kind);
	assert_true(*count >= sizeof other / sizeof *other);
	memcpy(name, is_other_host ? other : L"first", sizeof other);
	*count = sizeof other / sizeof *other - 1;
	return TRUE;
}

extern void *const __imp_GetComputerNameExW;
void *const __imp_GetComputerNameExW = (void *)(uintptr_t)pretend_host;

static void a_process_is_gone_only_if_it_was_on_this_host(void **state)
{
	char name[BLOOM_PROCESS_NAME_BYTES], later[2 * BLOOM_PROCESS_NAME_BYTES];
	char earlier[2 * BLOOM_PROCESS_NAME_BYTES];

	(void)state;
	bloom_process_name(name);
	assert_true(name[0] != 0);
	assert_false(bloom_process_is_gone(name));
	/* The same PID, but another time. */
	(void)snprintf(later, sizeof later, "%s0", name);
	assert_true(bloom_process_is_gone(later));
	(void)snprintf(earlier, sizeof earlier, "%.16s.4294967292.1", name);
	assert_true(bloom_process_is_gone(earlier));
	is_other_host = true;
	assert_false(bloom_process_is_gone(later));
	assert_false(bloom_process_is_gone(earlier));
	is_other_host = false;
}

/* ---- ---- */

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH("names that differ only in case never share a filter",
			names_that_differ_only_in_case_never_share_a_filter),
		TEST_IN_SCRATCH("device names and names with a dot at the end are ordinary",
			names_of_devices_and_names_with_a_dot_at_the_end_are_ordinary),
		TEST_IN_SCRATCH("dots and repeated slashes in the segment's path are resolved",
			dots_and_repeated_slashes_in_a_path_are_resolved),
		TEST_IN_SCRATCH("a call waits for a file that another program briefly does not "
				"share",
			a_file_that_another_program_does_not_share_for_a_moment_delays_a_call),
		TEST_IN_SCRATCH("a mapped file is renamed, replaced and removed, or the calls are "
				"refused",
			a_mapped_file_is_renamed_and_removed_or_the_calls_are_refused),
		TEST_IN_SCRATCH("a new file is not compressed, and a compressed file is refused",
			a_new_file_is_not_compressed_and_a_compressed_one_is_refused),
		TEST_IN_SCRATCH("space is allocated before a file is written",
			space_is_allocated_before_a_file_is_written),
		TEST_IN_SCRATCH("a scalable filter grows while it is mapped",
			a_scalable_filter_grows_while_it_is_mapped),
		TEST_IN_SCRATCH("a process is gone only if it was on this host",
			a_process_is_gone_only_if_it_was_on_this_host),
		TEST_IN_SCRATCH("a user's file is replaced as soon as it is not in use",
			a_user_s_file_is_replaced_as_soon_as_it_is_not_in_use),
	};

	return cmocka_run_group_tests_name("windows", tests, NULL, NULL);
}

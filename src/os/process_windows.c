#include "os/system_windows.h"

#include "os/process.h"

#include <inttypes.h>
#include <stdio.h>

#include "os/clock.h"
#include "os/files.h"

/* ---- forks ----
 *
 * Windows does not fork, and no handle of this process is inheritable. */

uint64_t bloom_process_id(void)
{
	return (uint64_t)GetCurrentProcessId() << 32;
}

bool bloom_process_before_fork(void (*call)(void))
{
	(void)call;
	return true;
}

void bloom_fork_block(void)
{
}

void bloom_fork_unblock(void)
{
}

bloom_status bloom_process_close_on_fork(int file, bloom_error *error)
{
	(void)file;
	(void)error;
	return BLOOM_OK;
}

void bloom_process_close(int *file)
{
	bloom_close(file);
}

/* ---- names ---- */

/* Gets the time at which a process was created. PIDs are reused, but not with the same time. */
static bool read_start_time(HANDLE process, uint64_t *start_time)
{
	FILETIME created, ignored;

	if (!GetProcessTimes(process, &created, &ignored, &ignored, &ignored)) {
		return false;
	}
	*start_time = (uint64_t)created.dwHighDateTime << 32 | created.dwLowDateTime;
	return true;
}

/* Returns a number that identifies this boot of this host; 0 if it is unknown. The boot ID alone is
 * not enough: it is a time, and hosts may start at the same time. */
static uint64_t read_host(void)
{
	static const uint64_t fnv_start = UINT64_C(0xCBF29CE484222325),
			      fnv_prime = UINT64_C(0x100000001B3);
	uint64_t boot = bloom_boot_id(), hash = fnv_start;
	wchar_t name[256];
	DWORD count = sizeof name / sizeof *name, i;

	if (boot == 0 || !GetComputerNameExW(ComputerNamePhysicalDnsHostname, name, &count)) {
		return 0;
	}
	for (i = 0; i < count; i++) {
		hash = (hash ^ name[i]) * fnv_prime;
	}
	return boot ^ hash;
}

void bloom_process_name(char name[BLOOM_PROCESS_NAME_BYTES])
{
	uint64_t host = read_host(), start_time;

	name[0] = 0;
	if (host != 0 && read_start_time(GetCurrentProcess(), &start_time)) {
		(void)snprintf(name, BLOOM_PROCESS_NAME_BYTES, "%016" PRIx64 ".%lu.%" PRIu64, host,
			GetCurrentProcessId(), start_time);
	}
}

bool bloom_process_is_gone(const char *name)
{
	uint64_t host, start_time, start_time_now;
	unsigned long pid;
	bool is_gone;
	HANDLE process;

	if (sscanf(name, "%16" SCNx64 ".%lu.%" SCNu64, &host, &pid, &start_time) != 3 ||
		host == 0 || host != read_host()) {
		return false;
	}
	process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE, FALSE, pid);
	if (process == NULL) {
		return GetLastError() == ERROR_INVALID_PARAMETER; /* no process has this PID */
	}
	/* A process that has ended exists until the last handle to it is closed. */
	is_gone = WaitForSingleObject(process, 0) == WAIT_OBJECT_0 ||
		(read_start_time(process, &start_time_now) && start_time_now != start_time);
	(void)CloseHandle(process);
	return is_gone;
}

#include "os/system_windows.h"

#include "os/clock.h"

#include "filter/atomic.h"

/* ---- clocks ---- */

static uint64_t number_of(FILETIME time)
{
	return (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime;
}

uint64_t bloom_clock_ms(void)
{
	/* A FILETIME counts units of 100 ns since 1601. */
	enum { UNITS_PER_MS = 10000 };
	static const uint64_t year_1970_ms = UINT64_C(11644473600000);
	FILETIME now;
	uint64_t ms;

	GetSystemTimePreciseAsFileTime(&now);
	ms = number_of(now) / UNITS_PER_MS;
	return ms > year_1970_ms ? ms - year_1970_ms : 0;
}

/* All processors and processes read the same performance counter. Its frequency never changes. */
uint64_t bloom_monotonic_us(void)
{
	LARGE_INTEGER now, frequency;
	uint64_t ticks, per_second;

	(void)QueryPerformanceCounter(&now);
	(void)QueryPerformanceFrequency(&frequency);
	ticks = (uint64_t)now.QuadPart;
	per_second = (uint64_t)frequency.QuadPart;
	/* Convert whole seconds and the rest separately, because ticks * 1000000 would overflow. */
	return ticks / per_second * 1000000 + ticks % per_second * 1000000 / per_second;
}

uint64_t bloom_monotonic_ms(void)
{
	return bloom_monotonic_us() / 1000;
}

/* This clock counts the time in sleep and hibernation. It advances every 10 to 16 ms. */
uint64_t bloom_uptime_ms(void)
{
	return GetTickCount64();
}

uint64_t bloom_coarse_ms(void)
{
	return GetTickCount64();
}

uint64_t bloom_coarse_s(void)
{
	return GetTickCount64() / 1000;
}

void bloom_pause_us(uint32_t us)
{
	if (us == 0) {
		(void)SwitchToThread();
	} else {
		Sleep((us + 999) / 1000);
	}
}

/* ---- random numbers and boots ---- */

/* advapi32.dll exports RtlGenRandom() under this name. */
BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG count);

uint64_t bloom_random(void)
{
	static uint64_t calls;
	uint64_t value = 0;

	if (!SystemFunction036(&value, sizeof value)) {
		value = bloom_monotonic_us() ^ (uint64_t)GetCurrentProcessId() << 40 ^
			bloom_add(&calls, 1) << 24;
	}
	return value;
}

/* Windows does not document a boot ID. It creates the registry key HARDWARE at each start and lets
 * every user read it. It is assumed that nothing writes directly into its subkey DESCRIPTION later,
 * so the time of the last write identifies the boot. After a hybrid shutdown ("fast startup"), the
 * kernel resumes, and the time is the same. This is safe, because such a shutdown ends all programs
 * and writes all files. */
uint64_t bloom_boot_id(void)
{
	static uint64_t cached; /* 0: not read yet; relaxed, because all threads read the same ID */
	uint64_t boot = bloom_load_relaxed(&cached);
	FILETIME written;
	HKEY key;

	if (boot != 0 ||
		RegOpenKeyExW(HKEY_LOCAL_MACHINE, L"HARDWARE\\DESCRIPTION", 0, KEY_QUERY_VALUE,
			&key) != ERROR_SUCCESS) {
		return boot;
	}
	if (RegQueryInfoKeyW(key, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
		    &written) == ERROR_SUCCESS) {
		boot = number_of(written) | 1; /* never 0, which means "unknown" */
		bloom_store_relaxed(&cached, boot);
	}
	(void)RegCloseKey(key);
	return boot;
}

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
	/* Seconds and the rest separately, because ticks * 1000000 would overflow. */
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

/* Windows has no documented number of the boot. A volatile key of the registry exists only in
 * memory, so the time of its creation identifies the boot. The key belongs to the user's part of
 * the registry, which Windows unloads when the user's last session and process have ended. */
uint64_t bloom_boot_id(void)
{
	static uint64_t cached; /* 0: not read yet; relaxed, because all threads read the same ID */
	uint64_t boot = bloom_load_relaxed(&cached);
	FILETIME created;
	HKEY key;

	if (boot != 0) {
		return boot;
	}
	if (RegCreateKeyExW(HKEY_CURRENT_USER, L"Software\\php-bloom-boot", 0, NULL,
		    REG_OPTION_VOLATILE, KEY_READ, NULL, &key, NULL) != ERROR_SUCCESS) {
		return 0;
	}
	/* Nothing is ever written to the key, so the last write was its creation. */
	if (RegQueryInfoKeyW(key, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
		    &created) == ERROR_SUCCESS) {
		boot = number_of(created) | 1; /* never 0, which means "unknown" */
		bloom_store_relaxed(&cached, boot);
	}
	(void)RegCloseKey(key);
	return boot;
}

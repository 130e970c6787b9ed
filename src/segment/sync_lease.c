#include "segment/sync_lease.h"

#include "filter/atomic.h"
#include "os/clock.h"

bool bloom_lease_take(bloom_control *control, uint64_t now_ms, uint64_t *lease)
{
	uint64_t until = bloom_load_relaxed(&control->lease_until_ms);
	uint64_t mine = now_ms + BLOOM_LEASE_MS;

	if (bloom_clock_remaining_ms(now_ms, until, BLOOM_LEASE_MS) > 0) {
		return false;
	}
	/* If several processes see an expired lease, only one of them succeeds here. */
	if (!bloom_compare_swap(&control->lease_until_ms, until, mine)) {
		return false;
	}
	*lease = mine;
	return true;
}

void bloom_lease_renew(bloom_control *control, uint64_t now_ms, uint64_t *lease)
{
	uint64_t mine = now_ms + BLOOM_LEASE_MS;

	if (bloom_compare_swap(&control->lease_until_ms, *lease, mine)) {
		*lease = mine;
	}
}

void bloom_lease_release(bloom_control *control, uint64_t lease)
{
	/* If the lease has expired, another process may have taken it. The new lease must not be
	 * released here. */
	(void)bloom_compare_swap(&control->lease_until_ms, lease, 0);
}

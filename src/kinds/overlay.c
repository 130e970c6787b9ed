#include "kinds/overlay.h"

#include "segment/control_file.h"
#include "kinds/sliding.h"
#include "os/clock.h"
#include "os/mapping.h"

bloom_live_params bloom_overlay_params(uint64_t window_ms, uint64_t capacity_keys, double rate)
{
	return (bloom_live_params){
		.kind = BLOOM_KIND_SLIDING,
		/* Doubling a value that is out of range must not make it wrap around to a valid
		 * value. UINT64_MAX is rejected when the overlay is created. */
		.capacity_keys =
			capacity_keys <= BLOOM_CAPACITY_MAX ? capacity_keys * 2 : UINT64_MAX,
		.rate = rate,
		.window_ms = window_ms <= BLOOM_WINDOW_MS_MAX ? window_ms * 2 : UINT64_MAX,
	};
}

/* Checks that the overlay exists with these parameters. Fails with BLOOM_E_NOT_FOUND if the overlay
 * can be created. */
static bloom_status inspect(
	const bloom_filter_dir *dir, const bloom_live_params *params, bloom_error *error)
{
	bloom_control *control = NULL;
	bool has_overlay;
	bloom_status status = bloom_control_map(dir, &control, NULL, error);

	if (status != BLOOM_OK) {
		return status == BLOOM_E_CONTROL ? BLOOM_E_NOT_FOUND : status;
	}
	has_overlay = bloom_load_acquire(&control->generation) != BLOOM_GENERATION_DROPPED &&
		bloom_load_acquire(&control->overlay_from) != 0;
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	return has_overlay ? bloom_live_compare(dir, BLOOM_OVERLAY_NAME, params, NULL, error)
			   : BLOOM_E_NOT_FOUND;
}

static bloom_status make(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, bloom_error *error)
{
	bloom_stage stage = {0};
	bloom_status status =
		bloom_live_stage(segment, name, params, bloom_random(), NULL, NULL, &stage, error);

	return status == BLOOM_OK ? bloom_stage_commit_overlay(&stage, error) : status;
}

bloom_status bloom_overlay_create(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, bloom_error *error)
{
	enum { TRIES_MAX = 10 };
	bloom_status status = bloom_live_params_check(params, error);
	bloom_filter_dir dir;
	int i;

	if (status != BLOOM_OK) {
		return status;
	}
	/* Another process may create the overlay or drop the filter between inspect() and make().
	 */
	for (i = 0; i < TRIES_MAX; i++) {
		status = bloom_filter_dir_open(segment, name, false, &dir, error);
		if (status == BLOOM_OK) {
			status = inspect(&dir, params, error);
			bloom_filter_dir_close(&dir);
		}
		if (status == BLOOM_E_NOT_FOUND) {
			status = make(segment, name, params, error);
		}
		if (bloom_status_group_of(status) != BLOOM_GROUP_RETRY) {
			break;
		}
	}
	return status;
}

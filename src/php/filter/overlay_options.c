#include "php/filter/overlay_options.h"

#include "kinds/loaded.h"
#include "kinds/overlay.h"
#include "php/arguments.h"
#include "php/errors.h"

bool php_bloom_overlay_check(php_bloom_overlay_request *request, uint32_t argument)
{
	request->argument = argument;
	request->is_given = !request->no_window && !request->no_capacity;
	if (request->no_window == request->no_capacity) {
		return true;
	}
	zend_argument_value_error(request->no_window ? argument : argument + 1,
		"must also be given: an overlay needs both a window and a capacity");
	return false;
}

bool php_bloom_overlay_params(
	const php_bloom_overlay_request *request, const bloom_head *head, bloom_live_params *params)
{
	double rate = head->meta.target_rate;
	zend_long capacity = request->capacity;
	bloom_error error = {0};

	if (bloom_loaded_kind(&head->geometry) == BLOOM_KIND_INDEX) {
		(void)bloom_fail(&error, BLOOM_E_IMMUTABLE, 0, "it cannot have an overlay");
		php_bloom_throw(&error);
		return false;
	}
	*params = bloom_overlay_params(php_bloom_window_ms(request->window),
		capacity > 0 ? (uint64_t)capacity : 0,
		rate < BLOOM_RATE_MIN ? BLOOM_RATE_MIN : rate);
	params->fingerprint = head->geometry.fingerprint;
	if (bloom_live_params_check(params, &error) != BLOOM_OK) {
		php_bloom_throw_argument(&error,
			error.status == BLOOM_E_WINDOW ? request->argument : request->argument + 1);
		return false;
	}
	return true;
}

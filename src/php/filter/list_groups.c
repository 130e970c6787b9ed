#include "php/filter/list_groups.h"

#include "php/errors.h"
#include "php/keys.h"

/* A list of this length needs 2 MB, which is little compared with PHP's default memory_limit. */
enum { GROUPS_DEFAULT = 100000 };

typedef struct answer {
	zval *list;
	uint64_t left; /* the number of groups that can still be added */
} answer;

static bool append_group(void *context, uint64_t group)
{
	answer *told = context;

	if (told->left == 0) {
		return false;
	}
	told->left--;
	add_next_index_long(told->list, (zend_long)group);
	return true;
}

/* PHP does not check its time limit during a call. Two seconds after the limit has passed, PHP
 * kills the process. */
static bool is_in_time(void *context)
{
	(void)context;
	return !zend_atomic_bool_load_ex(&EG(timed_out));
}

bool php_bloom_groups_arguments(
	INTERNAL_FUNCTION_PARAMETERS, zend_string **string, zend_long *number, uint64_t *limit)
{
	zend_long most = GROUPS_DEFAULT;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		PHP_BLOOM_PARAM_KEY(*string, *number)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(most)
		ZEND_PARSE_PARAMETERS_END_EX(return false);

		if (most < 1) {
			zend_argument_value_error(2, "must be at least 1");
			return false;
		}
		*limit = (uint64_t)most;
		return true;
}

void php_bloom_groups(zval *list, const bloom_reverse *reverse, bloom_digest value, uint64_t limit)
{
	answer told = {.list = list, .left = limit};
	bloom_visitor visitor = {.visit = append_group, .keep_going = is_in_time, .context = &told};
	bloom_error error = {0};

	array_init(list);
	if (bloom_reverse_walk(reverse, value, &visitor)) {
		return;
	}
	if (!is_in_time(NULL)) {
		zend_timeout();
	}
	/* A caller may conclude that a group missing from the list does not contain the value, so a
	 * partial list would be wrong. */
	zval_ptr_dtor(list);
	ZVAL_NULL(list);
	(void)bloom_fail(&error, BLOOM_E_GROUPS_LIMIT, 0, "limit %llu", (unsigned long long)limit);
	php_bloom_throw(&error);
}

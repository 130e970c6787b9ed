/* What health() has found out about a filter, and the judgement on it.
 *
 *     health.c: info() and the store ─► php_bloom_checkup ─► health_rules.c: RULES, the worst first
 *                                                            ─► status and reasons
 */
#ifndef PHP_BLOOM_HEALTH_RULES_H
#define PHP_BLOOM_HEALTH_RULES_H

#include "php/engine.h"

#include "php/protocol/effective_version.h"
#include "php/report/info.h"
#include "segment/control.h"

typedef struct php_bloom_health_limits {
	double build_age, sync_age, rate; /* a negative number: none */
	zend_long failures;
} php_bloom_health_limits;

/* What the store says about the served version. */
typedef enum php_bloom_comparison {
	PHP_BLOOM_NOT_ASKED,
	PHP_BLOOM_SAME,
	PHP_BLOOM_BEHIND,     /* the store's version is newer */
	PHP_BLOOM_AHEAD,      /* the store's version is older than the served one */
	PHP_BLOOM_NOT_OBEYED, /* the store's override says to serve another version */
	PHP_BLOOM_LACKING,    /* the store does not have the filter */
	PHP_BLOOM_FAILED,
} php_bloom_comparison;

typedef struct php_bloom_checkup {
	const bloom_segment *segment;
	const char *name;
	php_bloom_health_limits limits;
	zval handle;                  /* undefined: the filter cannot be opened */
	zval info;                    /* a FilterInfo; undefined: the filter cannot be opened */
	const bloom_control *control; /* NULL: the filter cannot be opened */
	zend_string *problem;         /* why it cannot be opened; or NULL */
	double now;
	double build_age, sync_age; /* a negative number: none */
	uint64_t reload_bytes;      /* 0: none */
	uint64_t free_bytes;        /* UINT64_MAX: unlimited */
	php_bloom_rate_limits by_chance;
	zval foreign;
	php_bloom_comparison comparison;
	/* With PHP_BLOOM_BEHIND, this is the number of versions, or 0 if the store lacks the served
	 * one. */
	uint32_t behind;
	double published_at; /* the build time of the store's version */
	/* With PHP_BLOOM_NOT_OBEYED, these are the override, its version and its time. */
	bloom_override_kind kind;
	uint64_t checksum;
	uint64_t since_ms;
	zend_string *store_problem; /* with PHP_BLOOM_FAILED */
	uint64_t unfollowed_keys;   /* that were added on this host */
	bool is_unfollowed;         /* the journal has keys that the served version does not get */
} php_bloom_checkup;

/* Returns a property of an object that info() returned, or NULL if the class does not have it or if
 * it is null. */
const zval *php_bloom_checkup_field(const zval *info, const char *name);

/* Returns a number, or -1 if there is none. */
double php_bloom_checkup_number(const zval *info, const char *name);

/* Returns a text, or "" if there is none. */
const char *php_bloom_checkup_text(const zval *info, const char *name);

/* Returns a time in seconds since 1970 as a text, such as "2026-01-31 03:00:00 UTC". */
zend_string *php_bloom_checkup_time(double seconds);

/* Fills an array with one sentence for each rule that the filter breaks, the most serious first.
 * Returns the status of the first one, or "ok". */
const char *php_bloom_health_judge(const php_bloom_checkup *checkup, zval *reasons);

#endif

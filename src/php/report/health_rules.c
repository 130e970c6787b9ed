/* The rules by which health() judges a filter, and the sentences that it gives as reasons. */
#include "php/report/health_rules.h"

#include <math.h>
#include <string.h>

#include <ext/date/php_date.h>

#include "php/errors.h"

/* Rates above this multiple of the requested one are too high, unless chance explains them. */
#define RATE_FACTOR 1.5
#define FILLING_SHARE 0.9      /* of the capacity */
#define LAG_SHARE 0.75         /* of maxLag */
#define REPORTED_SECONDS 86400 /* how long replaced damage and denied keys are reported */
enum { FOREIGN_SHOWN = 3, DURATION_BYTES = 64 };

/* ---- reading info() ---- */

const zval *php_bloom_checkup_field(const zval *info, const char *name)
{
	zend_property_info *property;
	const zval *value;

	if (Z_TYPE_P(info) != IS_OBJECT) {
		return NULL;
	}
	property = zend_hash_str_find_ptr(&Z_OBJCE_P(info)->properties_info, name, strlen(name));
	if (property == NULL) {
		return NULL;
	}
	value = OBJ_PROP(Z_OBJ_P(info), property->offset);
	return Z_TYPE_P(value) > IS_NULL ? value : NULL;
}

double php_bloom_checkup_number(const zval *info, const char *name)
{
	const zval *value = php_bloom_checkup_field(info, name);

	return value == NULL ? -1 : zval_get_double((zval *)value);
}

static bool is_true(const zval *info, const char *name)
{
	const zval *value = info != NULL ? php_bloom_checkup_field(info, name) : NULL;

	return value != NULL && Z_TYPE_P(value) == IS_TRUE;
}

const char *php_bloom_checkup_text(const zval *info, const char *name)
{
	const zval *value = php_bloom_checkup_field(info, name);

	return value != NULL && Z_TYPE_P(value) == IS_STRING ? Z_STRVAL_P(value) : "";
}

zend_string *php_bloom_checkup_time(double seconds)
{
	return php_format_date(ZEND_STRL("Y-m-d H:i:s \\U\\T\\C"), (time_t)seconds, false);
}

/* ---- reasons ---- */

/* Writes a duration, such as "1 h 5 min", in at most two units. */
static const char *duration(double seconds, char result[DURATION_BYTES])
{
	static const struct {
		long long from, one; /* in seconds */
		long long smaller;
		const char *unit, *smaller_unit;
	} rows[] = {
		{172800, 86400, 3600, "d", "h"},
		{3600, 3600, 60, "h", "min"},
		{60, 60, 1, "min", "s"},
	};
	long long whole = (long long)seconds, rest;
	char number[BLOOM_NUMBER_BYTES];
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (whole >= rows[i].from) {
			rest = whole % rows[i].one / rows[i].smaller;
			(void)snprintf(result, DURATION_BYTES,
				rest > 0 ? "%lld %s %lld %s" : "%lld %s", whole / rows[i].one,
				rows[i].unit, rest, rows[i].smaller_unit);
			return result;
		}
	}
	(void)snprintf(result, DURATION_BYTES, "%s s", bloom_number_text(seconds, 3, number));
	return result;
}

static zend_string *too_old(const char *what, double age, double limit)
{
	char shown[DURATION_BYTES], allowed[DURATION_BYTES];

	return strpprintf(
		0, "%s %s ago (at most %s)", what, duration(age, shown), duration(limit, allowed));
}

/* Returns a reason if the measured rate of `part` is too high. `by_chance` is the highest rate that
 * chance explains. */
static zend_string *excessive(const char *whose, const zval *part, double by_chance)
{
	double measured = php_bloom_checkup_number(part, "measuredFalsePositiveRate");
	double asked = php_bloom_checkup_number(part, "falsePositiveRate");
	double limit = fmax(asked * RATE_FACTOR, by_chance);
	char shown[BLOOM_NUMBER_BYTES], most[BLOOM_NUMBER_BYTES], requested[BLOOM_NUMBER_BYTES];

	return measured >= 0 && measured > limit
		? strpprintf(0, "%s false-positive rate is %s %% (at most %s %%, requested %s %%)",
			  whose, bloom_number_text(measured * 100, 3, shown),
			  bloom_number_text(limit * 100, 3, most),
			  bloom_number_text(asked * 100, 3, requested))
		: NULL;
}

/* ---- the rules ---- */

/* Each function returns the reason why a filter breaks the rule, or NULL. */

static zend_string *cannot_open(const php_bloom_checkup *checkup)
{
	return checkup->problem != NULL ? zend_string_copy(checkup->problem) : NULL;
}

static zend_string *journal_lost(const php_bloom_checkup *checkup)
{
	return is_true(php_bloom_checkup_field(&checkup->info, "journal"), "mayLackKeys")
		? strpprintf(0,
			  "the store has lost journal records that this host may not have "
			  "read, so every lookup answers \"maybe\": build and publish a new "
			  "version")
		: NULL;
}

/* The host that noticed the loss is as a rule not the only one that serves the filter. */
static zend_string *journal_lost_elsewhere(const php_bloom_checkup *checkup)
{
	const zval *journal = php_bloom_checkup_field(&checkup->info, "journal");

	return is_true(journal, "recordsLost") && !is_true(journal, "mayLackKeys")
		? strpprintf(0,
			  "the store has lost journal records. This host has their keys, "
			  "but hosts that may lack them answer \"maybe\" to every lookup: build "
			  "and "
			  "publish a new version")
		: NULL;
}

static zend_string *journal_behind(const php_bloom_checkup *checkup)
{
	const zval *journal = php_bloom_checkup_field(&checkup->info, "journal");
	char lag[DURATION_BYTES], limit[DURATION_BYTES];

	return journal == NULL || is_true(journal, "isComplete") || is_true(journal, "mayLackKeys")
		? NULL
		: strpprintf(0,
			  "this host has been behind the journal for %s (at most %s), so every "
			  "lookup answers \"maybe\": is bloom sync --every running?",
			  duration(php_bloom_checkup_number(journal, "lag"), lag),
			  duration(php_bloom_checkup_number(journal, "maxLag"), limit));
}

static zend_string *keys_unfollowed(const php_bloom_checkup *checkup)
{
	zend_string *what, *reason;

	if (checkup->unfollowed_keys == 0 && !checkup->is_unfollowed) {
		return NULL;
	}
	what = checkup->unfollowed_keys == 0
		? strpprintf(0, "keys are")
		: strpprintf(0, "%llu key%s", (unsigned long long)checkup->unfollowed_keys,
			  checkup->unfollowed_keys == 1 ? " was" : "s were");
	reason = strpprintf(0,
		"%s added to the filter's journal, but the served version does not follow it, so "
		"lookups miss them (publish a version that was built with a new mark)",
		ZSTR_VAL(what));
	zend_string_release(what);
	return reason;
}

static zend_string *keys_denied(const php_bloom_checkup *checkup)
{
	const zval *counters = php_bloom_checkup_field(&checkup->info, "counters");
	double denied, age;
	char shown[DURATION_BYTES];

	if (counters == NULL) {
		return NULL;
	}
	denied = php_bloom_checkup_number(counters, "denied");
	age = fmax(0, checkup->now - php_bloom_checkup_number(counters, "deniedAt"));
	return denied > 0 && age < REPORTED_SECONDS
		? strpprintf(0,
			  "lookups denied keys that exist: %.0f of %.0f that the application "
			  "checked, last %s ago",
			  denied, php_bloom_checkup_number(counters, "checked"),
			  duration(age, shown))
		: NULL;
}

static zend_string *build_too_old(const php_bloom_checkup *checkup)
{
	return checkup->limits.build_age >= 0 && checkup->build_age > checkup->limits.build_age
		? too_old("built", checkup->build_age, checkup->limits.build_age)
		: NULL;
}

/* Only filters that come from a blob are synced. */
static zend_string *sync_too_old(const php_bloom_checkup *checkup)
{
	if (checkup->limits.sync_age < 0 ||
		php_bloom_checkup_field(&checkup->info, "syncs") == NULL) {
		return NULL;
	}
	if (checkup->sync_age < 0) {
		return strpprintf(0, "never synced");
	}
	return checkup->sync_age > checkup->limits.sync_age
		? too_old("last synced", checkup->sync_age, checkup->limits.sync_age)
		: NULL;
}

static zend_string *syncs_fail(const php_bloom_checkup *checkup)
{
	double failures = php_bloom_checkup_number(&checkup->info, "syncFailuresInRow");

	return failures > (double)checkup->limits.failures
		? strpprintf(0, "%.0f sync%s failed in a row: %s", failures,
			  failures == 1 ? "" : "s",
			  php_bloom_checkup_text(&checkup->info, "lastError"))
		: NULL;
}

/* If the filter follows no journal, the failures are those of its syncs. */
static zend_string *loads_fail(const php_bloom_checkup *checkup)
{
	double failures = php_bloom_checkup_number(&checkup->info, "loadFailuresInRow");

	return php_bloom_checkup_field(&checkup->info, "journal") != NULL &&
			failures > (double)checkup->limits.failures
		? strpprintf(0,
			  "%.0f load%s of the published version failed in a row, so an older one "
			  "is served: %s",
			  failures, failures == 1 ? "" : "s",
			  php_bloom_checkup_text(&checkup->info, "loadError"))
		: NULL;
}

static zend_string *fetch_failures(const php_bloom_checkup *checkup, double limit)
{
	double failures = php_bloom_checkup_number(&checkup->info, "fetchFailuresInRow");

	return failures > limit ? strpprintf(0, "%.0f fetch%s failed in a row: %s", failures,
					  failures == 1 ? "" : "es",
					  php_bloom_checkup_text(&checkup->info, "lastError"))
				: NULL;
}

static zend_string *fetches_fail(const php_bloom_checkup *checkup)
{
	return fetch_failures(checkup, (double)checkup->limits.failures);
}

/* One failed fetch already costs precise answers, unlike one failed sync. */
static zend_string *fetch_failed(const php_bloom_checkup *checkup)
{
	zend_string *worse = fetches_fail(checkup);

	if (worse != NULL) {
		zend_string_release(worse);
		return NULL;
	}
	return fetch_failures(checkup, 0);
}

/* Returns whether no sync has caught up with the journal, which another rule reports. */
static bool is_untrusted(const php_bloom_checkup *checkup)
{
	const zval *journal = php_bloom_checkup_field(&checkup->info, "journal");

	return journal != NULL && !is_true(journal, "isComplete");
}

static zend_string *rate_too_high(const php_bloom_checkup *checkup)
{
	double limit = checkup->limits.rate, rate;
	char shown[BLOOM_NUMBER_BYTES], allowed[BLOOM_NUMBER_BYTES];

	if (limit < 0) {
		return excessive("the", &checkup->info, checkup->by_chance.filter);
	}
	rate = php_bloom_checkup_number(&checkup->info, "lookupFalsePositiveRate");
	if (rate < 0) {
		rate = php_bloom_checkup_number(&checkup->info, "measuredFalsePositiveRate");
	}
	return rate > limit && !is_untrusted(checkup)
		? strpprintf(0, "the false-positive rate of a lookup is %s %% (at most %s %%)",
			  bloom_number_text(rate * 100, 3, shown),
			  bloom_number_text(limit * 100, 3, allowed))
		: NULL;
}

static zend_string *journal_rate_too_high(const php_bloom_checkup *checkup)
{
	const zval *journal = php_bloom_checkup_field(&checkup->info, "journal");

	return checkup->limits.rate < 0 && journal != NULL
		? excessive("the journal keys'", journal, checkup->by_chance.journal)
		: NULL;
}

static bool refuses_keys(const php_bloom_checkup *checkup)
{
	return is_true(&checkup->info, "bounded") &&
		php_bloom_checkup_number(&checkup->info, "keys") >=
		php_bloom_checkup_number(&checkup->info, "capacity");
}

static zend_string *is_full(const php_bloom_checkup *checkup)
{
	return refuses_keys(checkup) ? strpprintf(0, "full: it has %.0f keys and refuses new ones",
					       php_bloom_checkup_number(&checkup->info, "keys"))
				     : NULL;
}

static zend_string *far_behind(const php_bloom_checkup *checkup)
{
	char age[DURATION_BYTES];

	if (checkup->comparison != PHP_BLOOM_BEHIND || checkup->behind == 1) {
		return NULL;
	}
	(void)duration(fmax(0, checkup->now - checkup->published_at), age);
	return checkup->behind == 0
		? strpprintf(0,
			  "the store has a newer version, built %s ago, and no longer has the "
			  "served one",
			  age)
		: strpprintf(0,
			  "the store has a newer version, built %s ago; the served one is %u "
			  "versions behind",
			  age, checkup->behind);
}

static zend_string *one_behind(const php_bloom_checkup *checkup)
{
	char age[DURATION_BYTES];

	return checkup->comparison == PHP_BLOOM_BEHIND && checkup->behind == 1
		? strpprintf(0,
			  "the store has a newer version, built %s ago; the served one is the "
			  "version before it",
			  duration(fmax(0, checkup->now - checkup->published_at), age))
		: NULL;
}

static zend_string *ahead(const php_bloom_checkup *checkup)
{
	char age[DURATION_BYTES];

	return checkup->comparison == PHP_BLOOM_AHEAD
		? strpprintf(0,
			  "the store's version was built %s before the served one, so syncs refuse "
			  "it",
			  duration(php_bloom_checkup_number(&checkup->info, "builtAt") -
					  checkup->published_at,
				  age))
		: NULL;
}

static zend_string *not_obeyed(const php_bloom_checkup *checkup)
{
	zend_string *since, *reason;

	if (checkup->comparison != PHP_BLOOM_NOT_OBEYED) {
		return NULL;
	}
	since = php_bloom_checkup_time((double)checkup->since_ms / 1000);
	reason = strpprintf(0,
		checkup->kind == BLOOM_OVERRIDE_PIN
			? "hosts are pinned to version %016llx since %s, and this host does not "
			  "serve it yet"
			: "hosts were rolled back to version %016llx at %s, and this host does not "
			  "serve it yet",
		(unsigned long long)checkup->checksum, ZSTR_VAL(since));
	zend_string_release(since);
	return reason;
}

static zend_string *store_lacks(const php_bloom_checkup *checkup)
{
	return checkup->comparison == PHP_BLOOM_LACKING
		? strpprintf(0, "the store does not have the filter")
		: NULL;
}

static zend_string *journal_lags(const php_bloom_checkup *checkup)
{
	const zval *journal = php_bloom_checkup_field(&checkup->info, "journal");
	double lag = php_bloom_checkup_number(journal != NULL ? journal : &checkup->info, "lag");
	double limit =
		php_bloom_checkup_number(journal != NULL ? journal : &checkup->info, "maxLag");
	char shown[DURATION_BYTES], allowed[DURATION_BYTES];

	return limit > 0 && lag > limit * LAG_SHARE && !is_untrusted(checkup)
		? strpprintf(0,
			  "this host has been behind the journal for %s; after %s every lookup "
			  "answers \"maybe\"",
			  duration(lag, shown), duration(limit, allowed))
		: NULL;
}

/* A value of a reverse index counts as one key per level. A scalable filter grows. */
static zend_string *is_filling(const php_bloom_checkup *checkup)
{
	double capacity = php_bloom_checkup_number(&checkup->info, "capacity");
	double levels = php_bloom_checkup_number(&checkup->info, "levels");
	double held = php_bloom_checkup_number(&checkup->info, "estimatedKeys") /
		(levels > 0 ? levels : 1);

	return php_bloom_checkup_field(&checkup->info, "created") != NULL &&
			php_bloom_checkup_field(&checkup->info, "growth") == NULL &&
			held >= capacity * FILLING_SHARE && !refuses_keys(checkup)
		? strpprintf(0, "it has about %.0f keys and a capacity of %.0f", held, capacity)
		: NULL;
}

static zend_string *cannot_grow(const php_bloom_checkup *checkup)
{
	double failures = php_bloom_checkup_number(&checkup->info, "growthFailures");

	return failures > 0 &&
			php_bloom_checkup_number(&checkup->info, "estimatedKeys") >
				php_bloom_checkup_number(&checkup->info, "capacity")
		? strpprintf(0, "no layer could be added (%.0f attempt%s failed)", failures,
			  failures == 1 ? "" : "s")
		: NULL;
}

static zend_string *was_damaged(const php_bloom_checkup *checkup)
{
	double damages = php_bloom_checkup_number(&checkup->info, "damages");
	double age = fmax(0, checkup->now - php_bloom_checkup_number(&checkup->info, "damagedAt"));
	char shown[DURATION_BYTES];

	return damages > 0 && age < REPORTED_SECONDS
		? strpprintf(0, "damage was found and replaced %.0f time%s, last %s ago", damages,
			  damages == 1 ? "" : "s", duration(age, shown))
		: NULL;
}

static zend_string *lacks_space(const php_bloom_checkup *checkup)
{
	return checkup->reload_bytes > checkup->free_bytes
		? strpprintf(0,
			  "the next %s needs " ZEND_ULONG_FMT " bytes, but only " ZEND_ULONG_FMT
			  " are free",
			  php_bloom_checkup_field(&checkup->info, "growth") != NULL ? "layer"
										    : "reload",
			  (zend_ulong)checkup->reload_bytes, (zend_ulong)checkup->free_bytes)
		: NULL;
}

static zend_string *has_foreign_files(const php_bloom_checkup *checkup)
{
	uint32_t count = zend_hash_num_elements(Z_ARRVAL(checkup->foreign)), shown = 0;
	zend_string *result, *longer;
	zval *name;

	if (count == 0) {
		return NULL;
	}
	result = strpprintf(
		0, "%u foreign file%s in its directory:", (unsigned)count, count == 1 ? "" : "s");
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL(checkup->foreign), name) {
		if (shown++ < FOREIGN_SHOWN) {
			longer = strpprintf(0, "%s%s %s", ZSTR_VAL(result), shown > 1 ? "," : "",
				Z_STRVAL_P(name));
			zend_string_release(result);
			result = longer;
		}
	}
	ZEND_HASH_FOREACH_END();
	return result;
}

static zend_string *store_failed(const php_bloom_checkup *checkup)
{
	return checkup->comparison == PHP_BLOOM_FAILED
		? strpprintf(
			  0, "the store's version is unknown: %s", ZSTR_VAL(checkup->store_problem))
		: NULL;
}

/* docs/monitoring.md has the same table. The status of a filter is that of the first rule that it
 * breaks, so the rules are sorted by status. Within a status, a cause comes
 * before its consequences. */
static const struct {
	const char *status;
	zend_string *(*reason)(const php_bloom_checkup *checkup);
} RULES[] = {
	{"critical", cannot_open},
	{"critical", syncs_fail},
	{"critical", sync_too_old},
	{"critical", journal_lost},
	{"critical", journal_behind},
	{"critical", loads_fail},
	{"critical", keys_unfollowed},
	{"critical", keys_denied},
	{"critical", rate_too_high},
	{"critical", journal_rate_too_high},
	{"critical", is_full},
	{"critical", build_too_old},
	{"critical", fetches_fail},
	{"critical", far_behind},
	{"warning", journal_lost_elsewhere},
	{"warning", one_behind},
	{"warning", ahead},
	{"warning", not_obeyed},
	{"warning", store_lacks},
	{"warning", fetch_failed},
	{"warning", journal_lags},
	{"warning", is_filling},
	{"warning", cannot_grow},
	{"warning", lacks_space},
	{"warning", was_damaged},
	{"warning", has_foreign_files},
	{"unknown", store_failed},
};

const char *php_bloom_health_judge(const php_bloom_checkup *checkup, zval *reasons)
{
	const char *status = "ok";
	zend_string *reason;
	size_t i;

	array_init(reasons);
	for (i = 0; i < sizeof RULES / sizeof *RULES; i++) {
		reason = RULES[i].reason(checkup);
		if (reason != NULL) {
			status = zend_hash_num_elements(Z_ARRVAL_P(reasons)) == 0 ? RULES[i].status
										  : status;
			add_next_index_str(reasons, reason);
		}
	}
	return status;
}

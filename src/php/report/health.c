/* Implements Bloom\Filter::health().
 *
 *     name ─► info() ─► figures ─► RULES, the worst first ─► status and reasons
 *                          ▲
 *     store ─► heads ──────┘
 *
 * The rules judge the values that info() shows, so a reason never contradicts them.
 */
#include "php/engine.h"

#include <math.h>
#include <string.h>

#include <ext/date/php_date.h>
#include <ext/standard/php_string.h>
#include <zend_exceptions.h>

#include "filter/journal_record.h"
#include "kinds/additions.h"
#include "os/clock.h"
#include "php/arguments.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/filter/handle.h"
#include "php/report/info.h"
#include "php/info_array.h"
#include "php/filter/info_object.h"
#include "php/protocol/journal_notice.h"
#include "php/protocol/heads.h"
#include "php/settings.h"
#include "php/store/store.h"
#include "segment/segment.h"
#include "segment/list.h"

/* Rates above this multiple of the requested one are too high, unless chance explains them. */
#define RATE_FACTOR 1.5
#define FILLING_SHARE 0.9    /* of the capacity */
#define LAG_SHARE 0.75       /* of maxLag */
#define DAMAGE_SECONDS 86400 /* how long replaced damage is reported */
enum { FOREIGN_MAX = 100, FOREIGN_SHOWN = 3, DURATION_BYTES = 64 };

typedef struct limits {
	double build_age, sync_age, rate; /* a negative number: none */
	zend_long failures;
} limits;

/* What the store says about the served version. */
typedef enum comparison {
	NOT_ASKED,
	SAME,
	BEHIND,     /* the store's version is newer */
	AHEAD,      /* the store's version is older than the served one */
	NOT_OBEYED, /* the store's override says to serve another version */
	LACKING,    /* the store does not have the filter */
	FAILED,
} comparison;

typedef struct health_checkup {
	const bloom_segment *segment;
	const char *name;
	limits limits;
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
	comparison comparison;
	uint32_t
		behind; /* BEHIND: by so many versions; 0: the store no longer has the served one */
	double published_at;      /* the build time of the store's version */
	bloom_override_kind kind; /* with NOT_OBEYED: the override, its version and its time */
	uint64_t checksum;
	uint64_t since_ms;
	zend_string *store_problem; /* with FAILED */
	uint64_t unfollowed_keys;   /* that were added on this host */
	bool is_unfollowed;         /* the journal has keys that the served version does not get */
} health_checkup;

/* ---- reading info() ---- */

/* Returns a property of an object that info() returned, or NULL if the class does not have it or if
 * it is null. */
static const zval *field(const zval *info, const char *name)
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

/* Returns a number, or -1 if there is none. */
static double number(const zval *info, const char *name)
{
	const zval *value = field(info, name);

	return value == NULL ? -1 : zval_get_double((zval *)value);
}

static bool is_true(const zval *info, const char *name)
{
	const zval *value = info != NULL ? field(info, name) : NULL;

	return value != NULL && Z_TYPE_P(value) == IS_TRUE;
}

/* Returns a text, or "" if there is none. */
static const char *text(const zval *info, const char *name)
{
	const zval *value = field(info, name);

	return value != NULL && Z_TYPE_P(value) == IS_STRING ? Z_STRVAL_P(value) : "";
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
	double measured = number(part, "measuredFalsePositiveRate");
	double asked = number(part, "falsePositiveRate");
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

static zend_string *cannot_open(const health_checkup *checkup)
{
	return checkup->problem != NULL ? zend_string_copy(checkup->problem) : NULL;
}

static zend_string *journal_lost(const health_checkup *checkup)
{
	return is_true(field(&checkup->info, "journal"), "mayLackKeys")
		? strpprintf(0,
			  "the store has lost records of the journal that this host may not have "
			  "read, so every lookup answers \"maybe\": build and publish a new "
			  "version")
		: NULL;
}

/* The host that noticed the loss is as a rule not the only one that serves the filter. */
static zend_string *journal_lost_elsewhere(const health_checkup *checkup)
{
	const zval *journal = field(&checkup->info, "journal");

	return is_true(journal, "recordsLost") && !is_true(journal, "mayLackKeys")
		? strpprintf(0,
			  "the store has lost records of the journal. This host has their keys; "
			  "hosts "
			  "that may lack them answer \"maybe\" to every lookup: build and publish "
			  "a "
			  "new version")
		: NULL;
}

static zend_string *journal_behind(const health_checkup *checkup)
{
	const zval *journal = field(&checkup->info, "journal");
	char lag[DURATION_BYTES], limit[DURATION_BYTES];

	return journal == NULL || is_true(journal, "isComplete") || is_true(journal, "mayLackKeys")
		? NULL
		: strpprintf(0,
			  "the journal was last read to its end %s ago (at most %s), so every "
			  "lookup "
			  "answers \"maybe\"",
			  duration(number(journal, "lag"), lag),
			  duration(number(journal, "maxLag"), limit));
}

static zend_string *keys_unfollowed(const health_checkup *checkup)
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

static zend_string *build_too_old(const health_checkup *checkup)
{
	return checkup->limits.build_age >= 0 && checkup->build_age > checkup->limits.build_age
		? too_old("built", checkup->build_age, checkup->limits.build_age)
		: NULL;
}

/* Only filters that come from a blob are synced. */
static zend_string *sync_too_old(const health_checkup *checkup)
{
	if (checkup->limits.sync_age < 0 || field(&checkup->info, "syncs") == NULL) {
		return NULL;
	}
	if (checkup->sync_age < 0) {
		return strpprintf(0, "never synced");
	}
	return checkup->sync_age > checkup->limits.sync_age
		? too_old("last synced", checkup->sync_age, checkup->limits.sync_age)
		: NULL;
}

static zend_string *syncs_fail(const health_checkup *checkup)
{
	double failures = number(&checkup->info, "syncFailuresInRow");

	return failures > (double)checkup->limits.failures
		? strpprintf(0, "%.0f sync%s failed in a row: %s", failures,
			  failures == 1 ? "" : "s", text(&checkup->info, "lastError"))
		: NULL;
}

/* If the filter follows no journal, the failures are those of its syncs. */
static zend_string *loads_fail(const health_checkup *checkup)
{
	double failures = number(&checkup->info, "loadFailuresInRow");

	return field(&checkup->info, "journal") != NULL &&
			failures > (double)checkup->limits.failures
		? strpprintf(0,
			  "%.0f load%s of the published version failed in a row, so an older one "
			  "is served: %s",
			  failures, failures == 1 ? "" : "s", text(&checkup->info, "loadError"))
		: NULL;
}

static zend_string *fetch_failures(const health_checkup *checkup, double limit)
{
	double failures = number(&checkup->info, "fetchFailuresInRow");

	return failures > limit
		? strpprintf(0, "%.0f fetch%s failed in a row: %s", failures,
			  failures == 1 ? "" : "es", text(&checkup->info, "lastError"))
		: NULL;
}

static zend_string *fetches_fail(const health_checkup *checkup)
{
	return fetch_failures(checkup, (double)checkup->limits.failures);
}

/* One failed fetch already costs precise answers, unlike one failed sync. */
static zend_string *fetch_failed(const health_checkup *checkup)
{
	zend_string *worse = fetches_fail(checkup);

	if (worse != NULL) {
		zend_string_release(worse);
		return NULL;
	}
	return fetch_failures(checkup, 0);
}

/* Returns whether no sync reaches the end of the journal, which another rule reports. */
static bool is_untrusted(const health_checkup *checkup)
{
	const zval *journal = field(&checkup->info, "journal");

	return journal != NULL && !is_true(journal, "isComplete");
}

static zend_string *rate_too_high(const health_checkup *checkup)
{
	double limit = checkup->limits.rate, rate;
	char shown[BLOOM_NUMBER_BYTES], allowed[BLOOM_NUMBER_BYTES];

	if (limit < 0) {
		return excessive("the", &checkup->info, checkup->by_chance.filter);
	}
	rate = number(&checkup->info, "lookupFalsePositiveRate");
	if (rate < 0) {
		rate = number(&checkup->info, "measuredFalsePositiveRate");
	}
	return rate > limit && !is_untrusted(checkup)
		? strpprintf(0, "the false-positive rate of a lookup is %s %% (at most %s %%)",
			  bloom_number_text(rate * 100, 3, shown),
			  bloom_number_text(limit * 100, 3, allowed))
		: NULL;
}

static zend_string *journal_rate_too_high(const health_checkup *checkup)
{
	const zval *journal = field(&checkup->info, "journal");

	return checkup->limits.rate < 0 && journal != NULL
		? excessive("the journal keys'", journal, checkup->by_chance.journal)
		: NULL;
}

static bool refuses_keys(const health_checkup *checkup)
{
	return is_true(&checkup->info, "bounded") &&
		number(&checkup->info, "keys") >= number(&checkup->info, "capacity");
}

static zend_string *is_full(const health_checkup *checkup)
{
	return refuses_keys(checkup) ? strpprintf(0, "full: it has %.0f keys and refuses new ones",
					       number(&checkup->info, "keys"))
				     : NULL;
}

static zend_string *far_behind(const health_checkup *checkup)
{
	char age[DURATION_BYTES];

	if (checkup->comparison != BEHIND || checkup->behind == 1) {
		return NULL;
	}
	(void)duration(fmax(0, checkup->now - checkup->published_at), age);
	return checkup->behind == 0
		? strpprintf(0,
			  "the store has a newer version, built %s ago, and no longer the served "
			  "one",
			  age)
		: strpprintf(0,
			  "the store has a newer version, built %s ago; the served one is %u "
			  "versions behind",
			  age, checkup->behind);
}

static zend_string *one_behind(const health_checkup *checkup)
{
	char age[DURATION_BYTES];

	return checkup->comparison == BEHIND && checkup->behind == 1
		? strpprintf(0,
			  "the store has a newer version, built %s ago; the served one is its "
			  "previous one",
			  duration(fmax(0, checkup->now - checkup->published_at), age))
		: NULL;
}

static zend_string *ahead(const health_checkup *checkup)
{
	char age[DURATION_BYTES];

	return checkup->comparison == AHEAD
		? strpprintf(0,
			  "the store's version was built %s before the served one, so syncs refuse "
			  "it",
			  duration(number(&checkup->info, "builtAt") - checkup->published_at, age))
		: NULL;
}

static zend_string *time_text(double seconds)
{
	return php_format_date(ZEND_STRL("Y-m-d H:i:s \\U\\T\\C"), (time_t)seconds, false);
}

static zend_string *not_obeyed(const health_checkup *checkup)
{
	zend_string *since, *reason;

	if (checkup->comparison != NOT_OBEYED) {
		return NULL;
	}
	since = time_text((double)checkup->since_ms / 1000);
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

static zend_string *store_lacks(const health_checkup *checkup)
{
	return checkup->comparison == LACKING ? strpprintf(0, "the store does not have the filter")
					      : NULL;
}

static zend_string *journal_lags(const health_checkup *checkup)
{
	const zval *journal = field(&checkup->info, "journal");
	double lag = number(journal != NULL ? journal : &checkup->info, "lag");
	double limit = number(journal != NULL ? journal : &checkup->info, "maxLag");
	char shown[DURATION_BYTES], allowed[DURATION_BYTES];

	return limit > 0 && lag > limit * LAG_SHARE && !is_untrusted(checkup)
		? strpprintf(0,
			  "the journal was last read to its end %s ago; after %s every lookup "
			  "answers \"maybe\"",
			  duration(lag, shown), duration(limit, allowed))
		: NULL;
}

/* A value of a reverse index counts as one key per level. A scalable filter grows. */
static zend_string *is_filling(const health_checkup *checkup)
{
	double capacity = number(&checkup->info, "capacity");
	double levels = number(&checkup->info, "levels");
	double held = number(&checkup->info, "estimatedKeys") / (levels > 0 ? levels : 1);

	return field(&checkup->info, "created") != NULL &&
			field(&checkup->info, "growth") == NULL &&
			held >= capacity * FILLING_SHARE && !refuses_keys(checkup)
		? strpprintf(0, "about %.0f keys, capacity %.0f", held, capacity)
		: NULL;
}

static zend_string *cannot_grow(const health_checkup *checkup)
{
	double failures = number(&checkup->info, "growthFailures");

	return failures > 0 &&
			number(&checkup->info, "estimatedKeys") > number(&checkup->info, "capacity")
		? strpprintf(0, "no layer could be added (%.0f attempt%s failed)", failures,
			  failures == 1 ? "" : "s")
		: NULL;
}

static zend_string *was_damaged(const health_checkup *checkup)
{
	double damages = number(&checkup->info, "damages");
	double age = fmax(0, checkup->now - number(&checkup->info, "damagedAt"));
	char shown[DURATION_BYTES];

	return damages > 0 && age < DAMAGE_SECONDS
		? strpprintf(0, "damage was found and replaced %.0f time%s, last %s ago", damages,
			  damages == 1 ? "" : "s", duration(age, shown))
		: NULL;
}

static zend_string *lacks_space(const health_checkup *checkup)
{
	return checkup->reload_bytes > checkup->free_bytes
		? strpprintf(0,
			  "the next %s needs " ZEND_ULONG_FMT " bytes, but only " ZEND_ULONG_FMT
			  " are free",
			  field(&checkup->info, "growth") != NULL ? "layer" : "reload",
			  (zend_ulong)checkup->reload_bytes, (zend_ulong)checkup->free_bytes)
		: NULL;
}

static zend_string *has_foreign_files(const health_checkup *checkup)
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

static zend_string *store_failed(const health_checkup *checkup)
{
	return checkup->comparison == FAILED ? strpprintf(0, "the store's version is unknown: %s",
						       ZSTR_VAL(checkup->store_problem))
					     : NULL;
}

/* docs/operations.md has the same table. The status of a filter is that of the first rule that it
 * breaks, so the rules are sorted by status. Within a status, a cause comes
 * before its consequences. */
static const struct {
	const char *status;
	zend_string *(*reason)(const health_checkup *checkup);
} RULES[] = {
	{"critical", cannot_open},
	{"critical", syncs_fail},
	{"critical", sync_too_old},
	{"critical", journal_lost},
	{"critical", journal_behind},
	{"critical", loads_fail},
	{"critical", keys_unfollowed},
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

/* ---- figures ---- */

/* Takes the message of a pending BloomException and clears it. Returns NULL, and leaves it pending,
 * if it is any other exception or the script is ending. */
static zend_string *take_message(void)
{
	zval holder, *message;
	zend_string *result;

	if (EG(exception) == NULL || zend_is_unwind_exit(EG(exception)) ||
		zend_is_graceful_exit(EG(exception)) ||
		!instanceof_function(EG(exception)->ce, php_bloom_ce_Bloom)) {
		return NULL;
	}
	message = zend_read_property_ex(
		EG(exception)->ce, EG(exception), ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &holder);
	result = zval_get_string(message);
	zend_clear_exception();
	return result;
}

/* Opens the filter and calls info(). Returns false if an exception is pending. */
static bool examine(health_checkup *checkup)
{
	php_bloom_attachment *held = NULL;
	bloom_error error = {0};
	zend_function *info;

	if (php_bloom_attach(checkup->segment, checkup->name, &held, &error) != BLOOM_OK) {
		checkup->problem = php_bloom_error_text(&error);
		return true;
	}
	php_bloom_make_handle(&checkup->handle, held);
	checkup->control = held->attachment.control;
	info = zend_hash_str_find_ptr(
		&Z_OBJCE(checkup->handle)->function_table, "info", strlen("info"));
	zend_call_known_instance_method_with_0_params(info, Z_OBJ(checkup->handle), &checkup->info);
	if (EG(exception) != NULL) {
		ZVAL_UNDEF(&checkup->info);
		checkup->problem = take_message();
		return checkup->problem != NULL;
	}
	checkup->by_chance = php_bloom_rate_limits_of(&held->attachment);
	if (field(&checkup->info, "checksum") != NULL) {
		checkup->unfollowed_keys = bloom_additions_unfollowed(
			held->attachment.control, held->attachment.generation);
	}
	return true;
}

static bool add_foreign(void *context, const char *name)
{
	zval *list = context;
	zend_string *raw = zend_string_init(name, strlen(name), false);

	add_next_index_str(
		list, php_addcslashes(raw, "\0..\37\177..\377", sizeof "\0..\37\177..\377" - 1));
	zend_string_release(raw);
	return zend_hash_num_elements(Z_ARRVAL_P(list)) < FOREIGN_MAX;
}

static int compare_texts(Bucket *one, Bucket *other)
{
	return zend_binary_strcmp(
		Z_STRVAL(one->val), Z_STRLEN(one->val), Z_STRVAL(other->val), Z_STRLEN(other->val));
}

/* Returns the bytes of the file that the next reload or the next layer adds. */
static uint64_t next_file_bytes(const zval *info)
{
	const zval *journal = field(info, "journal");
	double memory = number(info, "memory"), bytes = number(info, "bytes");

	if (field(info, "syncs") == NULL) {
		return field(info, "growth") != NULL ? (uint64_t)bytes : 0;
	}
	if (journal != NULL) {
		bytes += number(journal, "bytes");
	}
	return (uint64_t)(memory >= 0 ? memory : bytes);
}

/* Returns the free bytes of the file system, or the rest of the memory limit if that is less;
 * UINT64_MAX if nothing limits the segment. */
static uint64_t free_bytes_of(const bloom_segment *segment)
{
	uint64_t limit = segment->memory_limit_bytes, free_bytes, used, rest;
	int directory = -1;
	bloom_owner owner;

	if (bloom_segment_open(segment, false, &directory, &owner, NULL) != BLOOM_OK) {
		return UINT64_MAX;
	}
	free_bytes = bloom_directory_free_bytes(directory);
	bloom_close(&directory);
	if (limit == 0 || !php_bloom_segment_bytes(segment, &used)) {
		return free_bytes;
	}
	rest = used < limit ? limit - used : 0;
	return rest < free_bytes ? rest : free_bytes;
}

static void measure(health_checkup *checkup)
{
	double built_at = number(&checkup->info, "builtAt");

	if (built_at >= 0) {
		checkup->build_age = fmax(0, checkup->now - built_at);
	}
	checkup->sync_age = number(&checkup->info, "syncedSecondsAgo");
	checkup->reload_bytes = next_file_bytes(&checkup->info);
	checkup->free_bytes = free_bytes_of(checkup->segment);
	(void)bloom_segment_each_foreign(
		checkup->segment, checkup->name, add_foreign, &checkup->foreign, NULL);
	zend_hash_sort(Z_ARRVAL(checkup->foreign), compare_texts, true);
}

/* ---- the store ---- */

static bool is_served(const health_checkup *checkup, const bloom_head *head)
{
	char checksum[17];

	(void)snprintf(checksum, sizeof checksum, "%016llx", (unsigned long long)head->checksum);
	return strcmp(checksum, text(&checkup->info, "checksum")) == 0;
}

/* Compares the served version with the one that hosts should serve. */
static void compare_effective(health_checkup *checkup, const php_bloom_effective *effective)
{
	const php_bloom_published *found = &effective->head;

	checkup->published_at = found->bytes == NULL ? 0 : (double)found->head.meta.built_ms / 1000;
	if (found->bytes == NULL) {
		checkup->comparison = LACKING;
	} else if (is_served(checkup, &found->head)) {
		checkup->comparison = SAME;
	} else if (effective->kind != BLOOM_OVERRIDE_NONE) {
		checkup->comparison = NOT_OBEYED;
		checkup->kind = effective->kind;
		checkup->checksum = found->head.checksum;
		checkup->since_ms = effective->since_ms;
	} else {
		checkup->comparison =
			checkup->published_at < number(&checkup->info, "builtAt") ? AHEAD : BEHIND;
	}
}

/* Looks for keys that were added to the journal since it was last begun, if the served version
 * follows none. Returns false if the store fails. */
static bool look_at_journal(health_checkup *checkup, zend_object *store)
{
	php_bloom_journal_state state;

	if (field(&checkup->info, "journal") != NULL ||
		!instanceof_function(store->ce, php_bloom_ce_journal_store_interface)) {
		return true;
	}
	if (!php_bloom_journal_look(store, checkup->name, &state)) {
		return false;
	}
	checkup->is_unfollowed = state.is_open && state.last_kind != BLOOM_RECORD_BEGIN;
	return true;
}

/* Counts how many versions the served one is behind. Returns false if the store fails. */
static bool count_behind(health_checkup *checkup, zend_object *store, uint64_t current)
{
	php_bloom_version_list earlier;
	uint32_t i, behind = 0;
	bool ok = php_bloom_get_earlier(store, checkup->name, &earlier);

	for (i = 0; ok && i < earlier.count && checkup->behind == 0; i++) {
		/* The list may have the current version, if a publisher was killed. */
		behind += earlier.items[i].head.checksum != current;
		if (is_served(checkup, &earlier.items[i].head)) {
			checkup->behind = behind;
		}
	}
	php_bloom_version_list_free(&earlier);
	return ok;
}

/* Returns false if the store fails. */
static bool compare(health_checkup *checkup, zend_object *store)
{
	php_bloom_effective effective;
	uint64_t checksum = 0;

	if (!php_bloom_effective_get(store, checkup->name, &effective)) {
		return false;
	}
	if (effective.head.bytes != NULL) {
		php_bloom_effective_choose(&effective, checkup->name, checkup->control, false);
		checksum = effective.head.head.checksum;
	}
	compare_effective(checkup, &effective);
	php_bloom_effective_release(&effective);
	return checkup->comparison != BEHIND || count_behind(checkup, store, checksum);
}

/* Compares the served version with the store's. Returns false if an exception is pending. */
static bool ask_store(health_checkup *checkup, zend_object *store)
{
	if (store == NULL || field(&checkup->info, "checksum") == NULL) {
		return true;
	}
	if (compare(checkup, store) && look_at_journal(checkup, store)) {
		return true;
	}
	checkup->comparison = FAILED;
	checkup->store_problem = take_message();
	return checkup->store_problem != NULL;
}

/* ---- the result ---- */

static void optional_seconds(HashTable *result, const char *key, double seconds)
{
	if (seconds >= 0) {
		php_bloom_info_double(result, key, seconds);
	}
}

static void optional_long(HashTable *result, const char *key, bool is_known, uint64_t value)
{
	if (is_known) {
		php_bloom_info_long(result, key, value);
	}
}

/* Returns facts that an operator should know, although they do not change the status. */
static void notes(const health_checkup *checkup, zval *list)
{
	double pinned = number(&checkup->info, "pinnedSince");
	double rolled_back = number(&checkup->info, "rolledBackAt");
	zend_string *since;

	array_init(list);
	if (pinned >= 0 || rolled_back >= 0) {
		since = time_text(pinned >= 0 ? pinned : rolled_back);
		add_next_index_str(list,
			strpprintf(0,
				pinned >= 0 ? "pinned to version %s since %s"
					    : "rolled back to version %s at %s",
				text(&checkup->info, "checksum"), ZSTR_VAL(since)));
		zend_string_release(since);
	}
}

static void make_result(zval *value, const health_checkup *checkup)
{
	const char *status = "ok";
	HashTable *result;
	zend_string *reason;
	zval reasons, copy;
	size_t i;

	array_init(&reasons);
	for (i = 0; i < sizeof RULES / sizeof *RULES; i++) {
		reason = RULES[i].reason(checkup);
		if (reason != NULL) {
			status = zend_hash_num_elements(Z_ARRVAL(reasons)) == 0 ? RULES[i].status
										: status;
			add_next_index_str(&reasons, reason);
		}
	}
	array_init(value);
	result = Z_ARRVAL_P(value);
	php_bloom_info_string(result, "name", checkup->name, strlen(checkup->name));
	php_bloom_info_case(result, "status", php_bloom_ce_health_status, status);
	php_bloom_info_list(result, "reasons", &reasons);
	notes(checkup, &copy);
	php_bloom_info_list(result, "notes", &copy);
	php_bloom_info_bool(result, "isReady", Z_TYPE(checkup->info) == IS_OBJECT);
	if (Z_TYPE(checkup->info) == IS_OBJECT) {
		ZVAL_COPY(&copy, &checkup->info);
		php_bloom_info_list(result, "info", &copy);
	}
	optional_seconds(result, "buildAge", checkup->build_age);
	optional_seconds(result, "syncAge", checkup->sync_age);
	optional_long(result, "behind", checkup->comparison == SAME || checkup->behind > 0,
		checkup->behind);
	optional_long(result, "reloadBytes", checkup->reload_bytes != 0, checkup->reload_bytes);
	optional_long(result, "freeBytes", checkup->free_bytes != UINT64_MAX, checkup->free_bytes);
	ZVAL_COPY(&copy, &checkup->foreign);
	php_bloom_info_list(result, "foreignFiles", &copy);
	php_bloom_info_object(value, php_bloom_ce_health);
}

static bool take_limit(bool is_null, double given, double max, uint32_t argument, double *limit)
{
	if (is_null) {
		*limit = -1;
	} else if (given >= 0 && given <= max) {
		*limit = given;
	} else {
		zend_argument_value_error(argument,
			max == 1 ? "must be from 0 to 1"
				 : "must be from 0 to 1,000,000,000 seconds");
		return false;
	}
	return true;
}

static bool parse_health(INTERNAL_FUNCTION_PARAMETERS, health_checkup *checkup, zend_object **store)
{
	bool no_build = true, no_sync = true, no_rate = true;
	double build = 0, sync = 0, rate = 0;
	zend_long failures = 3;
	zend_string *name;

	ZEND_PARSE_PARAMETERS_START(1, 6)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(build, no_build)
		Z_PARAM_DOUBLE_OR_NULL(sync, no_sync)
		Z_PARAM_DOUBLE_OR_NULL(rate, no_rate)
		Z_PARAM_LONG(failures)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(*store, php_bloom_ce_store_interface)
		ZEND_PARSE_PARAMETERS_END_EX(return false);

		checkup->name = php_bloom_name(name, 1);
		if (checkup->name == NULL ||
			!take_limit(no_build, build, 1e9, 2, &checkup->limits.build_age) ||
			!take_limit(no_sync, sync, 1e9, 3, &checkup->limits.sync_age) ||
			!take_limit(no_rate, rate, 1, 4, &checkup->limits.rate)) {
			return false;
		}
		if (failures < 0) {
			zend_argument_value_error(5, "must be greater than or equal to 0");
			return false;
		}
		checkup->limits.failures = failures;
		return true;
}

ZEND_METHOD(Bloom_Filter, health)
{
	health_checkup checkup = {.build_age = -1, .sync_age = -1, .free_bytes = UINT64_MAX};
	zend_object *store = NULL;
	bool ok;

	if (!parse_health(INTERNAL_FUNCTION_PARAM_PASSTHRU, &checkup, &store)) {
		RETURN_THROWS();
	}
	checkup.segment = php_bloom_segment();
	if (checkup.segment == NULL) {
		RETURN_THROWS();
	}
	checkup.now = (double)bloom_clock_ms() / 1000;
	array_init(&checkup.foreign);
	ok = examine(&checkup);
	if (ok && Z_TYPE(checkup.info) == IS_OBJECT) {
		measure(&checkup);
		ok = ask_store(&checkup, store);
	}
	if (ok) {
		make_result(return_value, &checkup);
	}
	zval_ptr_dtor(&checkup.handle);
	zval_ptr_dtor(&checkup.info);
	zval_ptr_dtor(&checkup.foreign);
	if (checkup.problem != NULL) {
		zend_string_release(checkup.problem);
	}
	if (checkup.store_problem != NULL) {
		zend_string_release(checkup.store_problem);
	}
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
}

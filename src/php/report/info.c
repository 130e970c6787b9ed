/* Implements Bloom\Filter::info() and shards(). */
#include "php/engine.h"

#include <math.h>
#include <string.h>

#include "filter/foreign_layer.h"
#include "filter/measure.h"
#include "filter/rate.h"
#include "kinds/additions.h"
#include "kinds/attachment.h"
#include "kinds/sliding.h"
#include "kinds/verify.h"
#include "os/clock.h"
#include "php/classes.h"
#include "php/report/activity.h"
#include "php/filter/handle.h"
#include "php/report/info.h"
#include "php/info_array.h"
#include "php/filter/info_blob.h"
#include "php/filter/info_object.h"
#include "php/settings.h"
#include "segment/served_override.h"

/* ---- live filters ---- */

#define ESTIMATE_MAX 1e15

/* The totals of all layers that a lookup tests. */
typedef struct totals {
	uint64_t keys;
	uint64_t capacity;
	uint64_t set_bits;
	uint64_t bits;
	uint64_t shards;
	double estimated;
	double measured_no; /* the probability that no layer answers "maybe" for an absent key */
	double predicted_no;
} totals;

static bloom_measure measure_layer(const bloom_live *live, uint32_t layer)
{
	bloom_geometry geometry = bloom_live_geometry(&live->known, layer);
	bloom_meter meter;

	bloom_meter_init(&meter, &geometry);
	return bloom_measure_sample(&meter, bloom_live_bits(live, layer));
}

/* Adds a layer to the totals, and returns its measurement. */
static bloom_measure add_layer(totals *sum, const bloom_live *live, uint32_t layer)
{
	bloom_geometry geometry = bloom_live_geometry(&live->known, layer);
	bloom_measure found = measure_layer(live, layer);
	uint64_t estimated = (uint64_t)llround(fmin(found.keys, ESTIMATE_MAX));

	sum->keys += bloom_load_relaxed(&live->head->layer[layer].keys);
	sum->capacity += live->known.layer[layer].capacity_keys;
	sum->set_bits += found.set_bits;
	sum->bits += bloom_geometry_bytes(&geometry) * 8;
	sum->shards += geometry.shards;
	sum->estimated += found.keys;
	sum->measured_no *= 1 - found.rate;
	sum->predicted_no *= 1 - bloom_geometry_rate(&geometry, estimated);
	return found;
}

static void layer_info(
	zval *list, const bloom_live *live, uint32_t layer, const bloom_measure *found)
{
	const bloom_layer *row = &live->known.layer[layer];
	zval entry;

	array_init(&entry);
	php_bloom_info_long(Z_ARRVAL(entry), "capacity", row->capacity_keys);
	php_bloom_info_long(
		Z_ARRVAL(entry), "keys", bloom_load_relaxed(&live->head->layer[layer].keys));
	php_bloom_info_double(Z_ARRVAL(entry), "falsePositiveRate", row->rate);
	php_bloom_info_double(Z_ARRVAL(entry), "measuredFalsePositiveRate", found->rate);
	php_bloom_info_double(Z_ARRVAL(entry), "fill", found->fill);
	php_bloom_info_long(Z_ARRVAL(entry), "shards", row->shards);
	php_bloom_info_long(Z_ARRVAL(entry), "probes", row->probes);
	add_next_index_zval(list, &entry);
}

static void sliding_info(HashTable *info, const bloom_live *live)
{
	bloom_turn turn = bloom_sliding_turn(live, bloom_monotonic_ms());

	php_bloom_info_double(info, "window", (double)live->known.params.window_ms / 1000);
	php_bloom_info_double(info, "rotatesAt", (double)(bloom_clock_ms() + turn.left_ms) / 1000);
	php_bloom_info_double(
		info, "nextFill", turn.is_empty ? 0 : measure_layer(live, turn.next).fill);
}

enum { WARNING_BYTES = 256 };

/* Sets `text` to a warning if the measured rate exceeds the requested one by more than chance
 * explains.
 *
 *   highest  by chance
 *   more     appended to the warning; may be empty
 */
static void warn(
	char text[WARNING_BYTES], double measured, double asked, double highest, const char *more)
{
	char shown[BLOOM_NUMBER_BYTES], requested[BLOOM_NUMBER_BYTES];

	if (measured > highest) {
		(void)snprintf(text, WARNING_BYTES,
			"the false-positive rate is %s %%, over the requested %s %%%s",
			bloom_number_text(measured * 100, 3, shown),
			bloom_number_text(asked * 100, 3, requested), more);
	}
}

static void add_warning(char text[WARNING_BYTES], const char *warning)
{
	size_t at = strlen(text);

	(void)snprintf(text + at, WARNING_BYTES - at, "%s%s", at > 0 ? "; " : "", warning);
}

static void warning_info(HashTable *info, const char *text)
{
	if (text[0] != 0) {
		php_bloom_info_string(info, "warning", text, strlen(text));
	} else {
		php_bloom_info_null(info, "warning");
	}
}

/* Computes the totals of the layers that lookups use. `layers` is NULL, or a list to which the
 * layers are added. */
static totals count_layers(const bloom_live *live, zval *layers)
{
	bloom_layer_range range = bloom_live_answering(live);
	totals sum = {.measured_no = 1, .predicted_no = 1};
	bloom_measure found;
	uint32_t layer;

	for (layer = range.first; layer < range.first + range.count; layer++) {
		found = add_layer(&sum, live, layer);
		if (layers != NULL) {
			layer_info(layers, live, layer, &found);
		}
	}
	if (range.is_empty) {
		sum.keys = sum.set_bits = 0;
		sum.estimated = 0;
		sum.measured_no = sum.predicted_no = 1;
	}
	return sum;
}

/* Returns the highest rate that a filter at capacity is measured to have by chance. */
static double highest_of(const bloom_live *live)
{
	bloom_layer_range range = bloom_live_answering(live);
	uint32_t layer = range.first, levels;
	double variance = 0;
	bloom_geometry geometry;
	uint64_t shards;

	for (; layer < range.first + range.count; layer++) {
		geometry = bloom_live_geometry(&live->known, layer);
		shards = geometry.shards;
		levels = bloom_geometry_levels(&geometry);
		geometry.shards = bloom_measure_sample_shards(&geometry);
		variance += bloom_geometry_rate_variance(&geometry,
			(uint64_t)((double)live->known.layer[layer].capacity_keys * levels *
				((double)geometry.shards / (double)shards)));
	}
	return bloom_rate_by_chance(live->known.params.rate, variance);
}

static double highest_of_blob(const bloom_head *head)
{
	/* How much the rates of a foreign filter vary is not known, but they vary: RedisBloom sizes
	 * a filter for its rate, and Guava does not store that rate at all. */
	if (head->geometry.layers != 0) {
		return fmin(1, head->meta.target_rate * 1.5);
	}
	return bloom_rate_by_chance(head->meta.target_rate,
		bloom_geometry_rate_variance(&head->geometry,
			head->meta.capacity_keys * bloom_geometry_levels(&head->geometry)));
}

/* Returns the rates that depend only on the head, which are computed once. */
static const php_bloom_head_rates *rates_of(php_bloom_attachment *held, const bloom_head *head)
{
	php_bloom_head_rates *rates = &held->rates;

	if (!rates->is_known || rates->checksum != head->checksum) {
		*rates = (php_bloom_head_rates){.is_known = true,
			.checksum = head->checksum,
			.predicted = php_bloom_head_predicted_rate(head),
			.highest = highest_of_blob(head)};
	}
	return rates;
}

static void measured_info(
	HashTable *info, const bloom_live *live, const totals *sum, const bloom_geometry *geometry)
{
	double asked = live->known.params.rate;
	char text[WARNING_BYTES] = "";

	php_bloom_info_long(info, "keys", sum->keys);
	php_bloom_info_long(
		info, "estimatedKeys", (uint64_t)llround(fmin(sum->estimated, ESTIMATE_MAX)));
	php_bloom_info_long(info, "capacity", sum->capacity);
	php_bloom_info_double(info, "falsePositiveRate", asked);
	php_bloom_info_double(info, "measuredFalsePositiveRate", 1 - sum->measured_no);
	php_bloom_info_double(info, "predictedFalsePositiveRate", 1 - sum->predicted_no);
	php_bloom_info_double(info, "fill", (double)sum->set_bits / (double)sum->bits);
	php_bloom_info_long(info, "setBits", sum->set_bits);
	php_bloom_info_long(info, "bytes", live->map_bytes);
	php_bloom_info_double(
		info, "bitsPerKey", (double)live->map_bytes * 8 / (double)sum->capacity);
	php_bloom_info_geometry(info, geometry, sum->shards, 1 - sum->measured_no);
	php_bloom_info_double(info, "created", (double)live->known.created_ms / 1000);
	warn(text, 1 - sum->measured_no, asked, highest_of(live),
		bloom_load_relaxed(&live->head->growth_retry_ms) != 0 ? "; no layer could be added"
								      : "");
	warning_info(info, text);
}

static void growth_info(HashTable *info, const bloom_live *live)
{
	php_bloom_info_double(info, "growth", live->known.params.growth);
	php_bloom_info_double(info, "tightening", live->known.params.tightening);
	php_bloom_info_long(
		info, "growthFailures", bloom_load_relaxed(&live->head->growth_failures));
}

static void live_info(HashTable *info, const bloom_live *live)
{
	/* Entries that only some kinds have. */
	static void (*const more[BLOOM_KIND_COUNT])(HashTable *, const bloom_live *) = {
		[BLOOM_KIND_SCALABLE] = growth_info,
		[BLOOM_KIND_SLIDING] = sliding_info,
	};
	bloom_geometry geometry = bloom_live_geometry(&live->known, live->layers - 1);
	bool has_layers = live->known.params.kind == BLOOM_KIND_SCALABLE;
	totals sum;
	zval layers;

	array_init(&layers);
	sum = count_layers(live, has_layers ? &layers : NULL);
	measured_info(info, live, &sum, &geometry);
	if (more[live->known.params.kind] != NULL) {
		more[live->known.params.kind](info, live);
	}
	php_bloom_info_list(info, "layers", &layers);
}

/* ---- filters ---- */

static void error_info(HashTable *info, const char *name, const char *name_of_time, uint64_t status,
	const char error[BLOOM_CONTROL_TEXT_BYTES], uint64_t at_ms)
{
	char text[BLOOM_CONTROL_TEXT_BYTES];

	if (status == BLOOM_OK) {
		php_bloom_info_null(info, name);
		php_bloom_info_null(info, name_of_time);
		return;
	}
	memcpy(text, error, sizeof text);
	text[sizeof text - 1] = 0;
	php_bloom_info_string(info, name, text, strlen(text));
	php_bloom_info_double(info, name_of_time, (double)at_ms / 1000);
}

static void sync_info(HashTable *info, const bloom_control *control)
{
	uint64_t checked = bloom_load_relaxed(&control->checked_ms);
	uint64_t now = bloom_monotonic_ms();

	php_bloom_info_long(info, "syncs", bloom_load_relaxed(&control->syncs));
	php_bloom_info_long(info, "syncFailures", bloom_load_relaxed(&control->sync_failures));
	php_bloom_info_long(
		info, "syncFailuresInRow", bloom_load_relaxed(&control->failures_in_row));
	if (checked != 0 && checked <= now) {
		php_bloom_info_double(info, "syncedSecondsAgo", (double)(now - checked) / 1000);
	} else {
		php_bloom_info_null(info, "syncedSecondsAgo");
	}
	error_info(info, "lastError", "lastErrorAt", bloom_load_relaxed(&control->error_status),
		control->error_text, bloom_load_relaxed(&control->error_at_ms));
	php_bloom_info_long(info, "loadFailures", bloom_load_relaxed(&control->load_failures));
	php_bloom_info_long(
		info, "loadFailuresInRow", bloom_load_relaxed(&control->load_failures_in_row));
	error_info(info, "loadError", "loadErrorAt",
		bloom_load_relaxed(&control->load_error_status), control->load_error_text,
		bloom_load_relaxed(&control->load_error_at_ms));
}

static void override_info(HashTable *info, const bloom_attachment *attachment)
{
	uint64_t since_ms;

	switch (bloom_served_override(attachment->control, attachment->generation, &since_ms)) {
	case BLOOM_OVERRIDE_PIN:
		php_bloom_info_double(info, "pinnedSince", (double)since_ms / 1000);
		break;
	case BLOOM_OVERRIDE_ROLLBACK:
		php_bloom_info_double(info, "rolledBackAt", (double)since_ms / 1000);
		break;
	case BLOOM_OVERRIDE_NONE:
		break;
	}
}

/* Adds the results of the syncs' verification of the served file. */
static void verify_info(HashTable *info, const bloom_attachment *attachment)
{
	const bloom_control *control = attachment->control;
	uint64_t damages = bloom_load_relaxed(&control->damages);
	zval at;

	php_bloom_info_double(info, "verifiedAt", (double)bloom_verify_last_ms(attachment) / 1000);
	php_bloom_info_double(info, "verifyProgress", bloom_verify_progress(attachment));
	php_bloom_info_long(info, "damages", damages);
	ZVAL_NULL(&at);
	if (damages != 0) {
		ZVAL_DOUBLE(&at, (double)bloom_load_relaxed(&control->damaged_ms) / 1000);
	}
	zend_hash_str_update(info, ZEND_STRL("damagedAt"), &at);
}

/* Returns the measured rate of the additions. It is measured again if keys were added, and once a
 * second, because a process may have set bits without having counted its key yet. */
static double additions_rate(php_bloom_measured *measured, const bloom_live *live, uint64_t keys)
{
	enum { KEPT_MS = 1000 };
	uint64_t now = bloom_coarse_ms();

	if (measured->at_ms == 0 || now - measured->at_ms >= KEPT_MS ||
		measured->seed != live->known.seed ||
		measured->created_ms != live->known.created_ms || measured->keys != keys) {
		*measured = (php_bloom_measured){.at_ms = now,
			.seed = live->known.seed,
			.created_ms = live->known.created_ms,
			.keys = keys,
			.rate = 1 - count_layers(live, NULL).measured_no};
	}
	return measured->rate;
}

/* Adds the state of the additions. Returns their measured rate. */
static double journal_info(HashTable *info, php_bloom_attachment *held)
{
	bloom_live *additions = held->attachment.loaded->additions;
	bloom_read_to read_to = bloom_additions_read_to(additions);
	uint64_t now = bloom_uptime_ms(), keys = 0, capacity = 0;
	char text[BLOOM_MARK_TEXT_BYTES];
	uint32_t layer;
	double rate;

	(void)bloom_live_follow(additions, NULL);
	for (layer = 0; layer < additions->layers; layer++) {
		keys += bloom_load_relaxed(&additions->head->layer[layer].keys);
		capacity += additions->known.layer[layer].capacity_keys;
	}
	rate = additions_rate(&held->additions_measured, additions, keys);
	php_bloom_info_string(info, "position", text, bloom_mark_position(&read_to.mark, text));
	php_bloom_info_double(
		info, "lag", (double)bloom_clock_elapsed_ms(now, read_to.complete_ms) / 1000);
	php_bloom_info_double(info, "maxLag", (double)bloom_additions_max_lag(additions) / 1000);
	php_bloom_info_bool(info, "isComplete", bloom_additions_trusted_ms(additions, now) > 0);
	php_bloom_info_bool(info, "recordsLost", read_to.loss != BLOOM_LOSS_NONE);
	php_bloom_info_bool(info, "mayLackKeys", read_to.loss == BLOOM_LOSS_LACKING);
	php_bloom_info_long(info, "records", read_to.records);
	php_bloom_info_long(info, "keys", keys);
	php_bloom_info_long(info, "capacity", capacity);
	php_bloom_info_long(info, "bytes", additions->map_bytes);
	php_bloom_info_double(info, "falsePositiveRate", additions->known.params.rate);
	php_bloom_info_double(info, "measuredFalsePositiveRate", rate);
	return rate;
}

/* Returns the rate of a lookup that tests two filters. */
static double rate_of_two(double one, double other)
{
	return one + other - one * other;
}

/* Adds those entries of a loaded filter that its blob does not have. */
static void loaded_info(HashTable *info, php_bloom_attachment *held)
{
	const bloom_attachment *attachment = &held->attachment;
	const bloom_meta *meta = &attachment->loaded->head.meta;
	char text[WARNING_BYTES] = "";
	double journal_rate = 0;
	zval journal;

	warn(text, meta->measured_rate, meta->target_rate,
		rates_of(held, &attachment->loaded->head)->highest, "");
	ZVAL_NULL(&journal);
	if (attachment->loaded->additions != NULL) {
		array_init(&journal);
		journal_rate = journal_info(Z_ARRVAL(journal), held);
		if (attachment->presence == BLOOM_PRESENCE_BEHIND) {
			add_warning(text,
				bloom_additions_read_to(attachment->loaded->additions).loss ==
						BLOOM_LOSS_LACKING
					? "the store has lost journal records that this "
					  "host may not have read, so every lookup answers maybe: "
					  "build and publish a new version"
					: "this host has been behind the journal for longer than "
					  "maxLag, so every lookup answers maybe: is bloom sync "
					  "--every running?");
		}
	}
	warning_info(info, text);
	if (Z_TYPE(journal) == IS_ARRAY) {
		php_bloom_info_object(&journal, php_bloom_ce_journal_info);
	}
	php_bloom_info_list(info, "journal", &journal);
	/* A lookup of an absent key is a false positive if the filter or its additions answer
	 * "maybe". */
	php_bloom_info_double(info, "lookupFalsePositiveRate",
		attachment->presence == BLOOM_PRESENCE_BEHIND
			? 1
			: rate_of_two(meta->measured_rate, journal_rate));
	sync_info(info, attachment->control);
	verify_info(info, attachment);
}

static void cache_info(HashTable *info, const bloom_cache *cache)
{
	const bloom_cache_head *head = cache->head;

	php_bloom_info_double(info, "lookupFalsePositiveRate", cache->blob.meta.measured_rate);

	php_bloom_info_long(info, "memory", cache->map_bytes);
	php_bloom_info_long(info, "memoryAsked", cache->memory_bytes);
	php_bloom_info_long(info, "chunksHere", bloom_cache_resident(cache));
	php_bloom_info_long(info, "chunksRoom", cache->slot_count);
	php_bloom_info_long(info, "misses", bloom_load_relaxed(&head->misses));
	php_bloom_info_long(info, "untold", bloom_load_relaxed(&head->unavailable));
	php_bloom_info_long(info, "fetched", bloom_load_relaxed(&head->fetched));
	php_bloom_info_long(info, "evicted", bloom_load_relaxed(&head->evicted));
	php_bloom_info_long(info, "fetchFailures", bloom_load_relaxed(&head->fetch_failures));
	php_bloom_info_long(info, "fetchFailuresInRow", bloom_load_relaxed(&head->failures_in_row));
	php_bloom_info_double(info, "fetchPause",
		(double)bloom_cache_pause_ms(cache, bloom_monotonic_ms()) / 1000);
}

static void expiry_info(HashTable *info, const bloom_control *control)
{
	uint64_t expires_ms = bloom_load_relaxed(&control->expires_ms);

	if (expires_ms != 0) {
		php_bloom_info_double(info, "expiresAt",
			(double)(bloom_clock_ms() + expires_ms - bloom_uptime_ms()) / 1000);
	}
}

static zend_class_entry *class_of(const bloom_attachment *attachment)
{
	if (bloom_attachment_cache(attachment) != NULL) {
		return php_bloom_ce_on_demand_info;
	}
	return bloom_attachment_live(attachment) != NULL ? php_bloom_ce_live_info
							 : php_bloom_ce_loaded_info;
}

ZEND_METHOD(Bloom_Filter, info)
{
	uint64_t bytes = 0;
	const bloom_segment *segment;
	bloom_attachment *attachment;
	php_bloom_attachment *held;
	const bloom_head *head;
	HashTable *info;

	ZEND_PARSE_PARAMETERS_NONE();
	attachment = php_bloom_present(Z_OBJ_P(ZEND_THIS));
	if (attachment == NULL) {
		RETURN_THROWS();
	}
	held = php_bloom_filter_of(Z_OBJ_P(ZEND_THIS))->held;
	head = bloom_attachment_head(attachment, NULL);
	segment = attachment->segment;
	bloom_attachment_flush(attachment);
	array_init(return_value);
	info = Z_ARRVAL_P(return_value);
	php_bloom_info_string(info, "name", attachment->name, strlen(attachment->name));
	php_bloom_info_case(
		info, "kind", php_bloom_ce_kind, bloom_kind_word(attachment->ops->kind));
	php_bloom_info_long(info, "generation", attachment->generation);
	if (head != NULL) {
		php_bloom_head_info(info, head, rates_of(held, head)->predicted);
	} else if (bloom_attachment_live(attachment) != NULL) {
		(void)bloom_live_follow(attachment->live, NULL);
		live_info(info, attachment->live);
		php_bloom_info_bool(
			info, "bounded", attachment->live->known.params.is_bounded != 0);
		expiry_info(info, attachment->control);
	}
	php_bloom_info_double(info, "loadedAt",
		(double)bloom_load_relaxed(&attachment->control->loaded_ms) / 1000);
	php_bloom_info_long(info, "loads", bloom_load_relaxed(&attachment->control->loads));
	override_info(info, attachment);
	if (bloom_attachment_loaded(attachment) != NULL) {
		loaded_info(info, held);
	} else if (bloom_attachment_cache(attachment) != NULL) {
		cache_info(info, attachment->cache);
		sync_info(info, attachment->control);
		verify_info(info, attachment);
	}
	php_bloom_info_string(info, "segment", segment->path, strlen(segment->path));
	(void)php_bloom_segment_bytes(segment, &bytes);
	php_bloom_info_long(info, "segmentBytes", bytes);
	php_bloom_info_long(info, "memoryLimit", segment->memory_limit_bytes);
	php_bloom_info_long(info, "mapFailures", attachment->map_failures);
	php_bloom_info_counters(info, &attachment->control->counters);
	php_bloom_info_object(return_value, class_of(attachment));
}

php_bloom_rate_limits php_bloom_rate_limits_of(php_bloom_attachment *held)
{
	const bloom_attachment *attachment = &held->attachment;
	const bloom_head *head = bloom_attachment_head(attachment, NULL);
	const bloom_live *live = bloom_attachment_live(attachment);
	const bloom_loaded *loaded = bloom_attachment_loaded(attachment);
	php_bloom_rate_limits limits = {0};

	if (live != NULL) {
		limits.filter = highest_of(live);
	} else if (head != NULL) {
		limits.filter = rates_of(held, head)->highest;
	}
	if (loaded != NULL && loaded->additions != NULL) {
		limits.journal = highest_of(loaded->additions);
	}
	return limits;
}

static double live_rate(bloom_live *live)
{
	(void)bloom_live_follow(live, NULL);
	return 1 - count_layers(live, NULL).measured_no;
}

static double loaded_rate(const bloom_attachment *attachment)
{
	const bloom_loaded *loaded = attachment->loaded;
	double rate = loaded->head.meta.measured_rate;

	if (attachment->presence == BLOOM_PRESENCE_BEHIND) {
		return 1;
	}
	return loaded->additions != NULL ? rate_of_two(rate, live_rate(loaded->additions)) : rate;
}

php_bloom_figures php_bloom_figures_of(const bloom_attachment *attachment)
{
	const bloom_head *head = bloom_attachment_head(attachment, NULL);
	bloom_live *live = bloom_attachment_live(attachment);
	totals sum;

	if (live != NULL) {
		(void)bloom_live_follow(live, NULL);
		sum = count_layers(live, NULL);
		return (php_bloom_figures){.keys = sum.keys,
			.rate = 1 - sum.measured_no,
			.asked_rate = live->known.params.rate};
	}
	if (head == NULL) {
		return (php_bloom_figures){.rate = 1};
	}
	return (php_bloom_figures){.keys = head->keys,
		.rate = bloom_attachment_loaded(attachment) != NULL ? loaded_rate(attachment)
								    : head->meta.measured_rate,
		.asked_rate = head->meta.target_rate};
}

/* Appends the statistics of each shard. If `bits` is NULL, all shards are empty. */
static void append_shards(zval *list, const bloom_geometry *geometry, const unsigned char *bits)
{
	bloom_measure found;
	bloom_meter meter;
	uint64_t shard;
	zval entry;

	bloom_meter_init(&meter, geometry);
	for (shard = 0; shard < geometry->shards; shard++) {
		found = bits != NULL ? bloom_measure_shards(&meter, bits, shard, 1)
				     : (bloom_measure){0};
		array_init(&entry);
		php_bloom_info_long(Z_ARRVAL(entry), "setBits", found.set_bits);
		php_bloom_info_double(Z_ARRVAL(entry), "fill", found.fill);
		/* The estimate is capped as in info(). If all bits are set, it is infinite, which
		 * JSON cannot represent. */
		php_bloom_info_double(
			Z_ARRVAL(entry), "estimatedKeys", fmin(found.keys, ESTIMATE_MAX));
		php_bloom_info_double(Z_ARRVAL(entry), "measuredFalsePositiveRate", found.rate);
		add_next_index_zval(list, &entry);
	}
}

/* Appends the statistics of a ribbon filter's shards. The statistics come from the shard rows,
 * because the bits of a solution do not reveal its number of keys. */
static void append_ribbon_shards(zval *list, const bloom_head *head)
{
	bloom_geometry one = head->geometry;
	bloom_shard_row row;
	uint64_t shard;
	zval entry;

	one.shards = 1;
	for (shard = 0; shard < head->geometry.shards; shard++) {
		row = bloom_head_row(head, shard);
		array_init(&entry);
		php_bloom_info_null(Z_ARRVAL(entry), "setBits");
		php_bloom_info_double(
			Z_ARRVAL(entry), "fill", (double)row.keys / bloom_ribbon_slots(&one));
		php_bloom_info_double(Z_ARRVAL(entry), "estimatedKeys", row.keys);
		php_bloom_info_double(Z_ARRVAL(entry), "measuredFalsePositiveRate",
			bloom_geometry_rate(&one, row.keys));
		add_next_index_zval(list, &entry);
	}
}

/* Appends the statistics of a foreign filter's shards. The bits of a key are in many shards, so the
 * keys are divided in proportion to the set bits. */
static void append_foreign_shards(zval *list, const bloom_head *head)
{
	double bits = (double)head->geometry.shard_bytes * 8, fill;
	bloom_foreign_layer layer;
	uint64_t shard = 0, end = 0;
	uint32_t set_bits, i;
	zval entry;

	for (i = 0; i < head->geometry.layers; i++) {
		layer = bloom_foreign_layer_get(head->layers + (size_t)i * BLOOM_ROW_BYTES);
		for (end += layer.shards; shard < end; shard++) {
			set_bits = bloom_head_row(head, shard).set_bits;
			fill = (double)set_bits / bits;
			array_init(&entry);
			php_bloom_info_long(Z_ARRVAL(entry), "setBits", set_bits);
			php_bloom_info_double(Z_ARRVAL(entry), "fill", fill);
			php_bloom_info_double(Z_ARRVAL(entry), "estimatedKeys",
				(double)head->keys * set_bits / fmax(1, (double)head->set_bits));
			php_bloom_info_double(Z_ARRVAL(entry), "measuredFalsePositiveRate",
				pow(fill, layer.probes));
			add_next_index_zval(list, &entry);
		}
	}
}

static void append_live_shards(zval *list, const bloom_live *live)
{
	bloom_layer_range range = bloom_live_answering(live);
	bloom_geometry geometry;
	uint32_t layer;

	for (layer = range.first; layer < range.first + range.count; layer++) {
		geometry = bloom_live_geometry(&live->known, layer);
		append_shards(
			list, &geometry, range.is_empty ? NULL : bloom_live_bits(live, layer));
	}
}

ZEND_METHOD(Bloom_Filter, shards)
{
	bloom_attachment *attachment;
	const bloom_loaded *loaded;
	bloom_presence presence;

	ZEND_PARSE_PARAMETERS_NONE();
	attachment = php_bloom_current(Z_OBJ_P(ZEND_THIS), &presence);
	if (attachment == NULL) {
		RETURN_THROWS();
	}
	array_init(return_value);
	loaded = bloom_attachment_loaded(attachment);
	if (loaded != NULL && loaded->head.geometry.stripes != 0) {
		append_ribbon_shards(return_value, &loaded->head);
	} else if (loaded != NULL && attachment->ops->kind == BLOOM_KIND_FOREIGN) {
		append_foreign_shards(return_value, &loaded->head);
	} else if (loaded != NULL) {
		append_shards(return_value, &loaded->head.geometry,
			loaded->map + loaded->head.head_bytes);
	} else if (bloom_attachment_live(attachment) != NULL) {
		(void)bloom_live_follow(attachment->live, NULL);
		append_live_shards(return_value, attachment->live);
	}
}

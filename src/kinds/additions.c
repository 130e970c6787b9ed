#include "kinds/additions.h"

#include <string.h>

#include "segment/control_file.h"
#include "filter/bytes.h"
#include "filter/probe_line.h"
#include "kinds/scalable.h"
#include "os/clock.h"
#include "os/mapping.h"

enum { LOCK_READ_TO = 1 };

/* ---- the read position ----
 *
 * The read position is several words that must change together, even if a process is killed. The
 * head has two copies, and `changes` counts them. Its lowest bit selects the valid
 * copy:
 *
 *     changes = n    copy n & 1 is valid
 *     a change       writes copy (n + 1) & 1, and then stores changes = n + 1
 *
 * A reader reads `changes` before and after the copy. Only a change after the next one can
 * overwrite the copy that the reader reads. */

enum { STORED_MARK_BYTES = 8 + BLOOM_CHECK_BYTES, COPY_BYTES = 8 * BLOOM_LIVE_READ_TO_WORDS };

/* Writes a position without its epoch, which is that of the mark. */
static void put_mark(const bloom_read_to *now, const bloom_mark *mark, unsigned char *bytes)
{
	memset(bytes, 0, STORED_MARK_BYTES);
	if (mark->epoch == now->mark.epoch) {
		bloom_put64(bytes, mark->offset);
		memcpy(bytes + 8, mark->check, sizeof mark->check);
	}
}

static bloom_mark get_mark(const bloom_read_to *now, const unsigned char *bytes)
{
	bloom_mark mark = {.offset = bloom_get64(bytes)};

	mark.epoch = mark.offset != 0 ? now->mark.epoch : 0;
	memcpy(mark.check, bytes + 8, sizeof mark.check);
	return mark;
}

static void write_copy(bloom_live_read_to *read_to, uint64_t changes, const bloom_read_to *now)
{
	uint64_t *word = read_to->copy[changes & 1];
	const bloom_mark *marks[] = {
		&now->own, &now->held[0], &now->held[1], &now->notice, &now->untold};
	unsigned char bytes[COPY_BYTES];
	size_t i;

	bloom_mark_put(&now->mark, bytes);
	for (i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		put_mark(now, marks[i], bytes + BLOOM_MARK_BYTES + i * STORED_MARK_BYTES);
	}
	for (i = 0; i < BLOOM_LIVE_READ_TO_WORDS; i++) {
		bloom_store_relaxed(word + i, bloom_get64(bytes + 8 * i));
	}
}

static void read_copy(const bloom_live_read_to *read_to, uint64_t changes, bloom_read_to *now)
{
	const uint64_t *word = read_to->copy[changes & 1];
	bloom_mark *marks[] = {&now->own, &now->held[0], &now->held[1], &now->notice, &now->untold};
	unsigned char bytes[COPY_BYTES];
	size_t i;

	for (i = 0; i < BLOOM_LIVE_READ_TO_WORDS; i++) {
		bloom_put64(bytes + 8 * i, bloom_load_relaxed(word + i));
	}
	now->mark = bloom_mark_get(bytes);
	for (i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		*marks[i] = get_mark(now, bytes + BLOOM_MARK_BYTES + i * STORED_MARK_BYTES);
	}
}

enum { LOSSES = 4 }; /* the word is the loss, plus 4 times the one that was reported */

static bloom_loss loss_of(uint64_t word)
{
	/* A value that a newer build may have stored is the worst one. */
	return word % LOSSES <= BLOOM_LOSS_LACKING ? (bloom_loss)(word % LOSSES)
						   : BLOOM_LOSS_LACKING;
}

bloom_read_to bloom_additions_read_to(const bloom_live *live)
{
	const bloom_live_read_to *read_to = &live->head->read_to;
	bloom_read_to found;
	uint64_t changes;

	do {
		changes = bloom_load_acquire(&read_to->changes);
		/* Read the time first. The time is stored after the mark that it belongs to, so
		 * the mark that is read below is at least as far. */
		found.complete_ms = bloom_load_acquire(&read_to->complete_ms);
		found.records = bloom_load_relaxed(&read_to->records);
		found.loss = loss_of(bloom_load_relaxed(&read_to->loss));
		found.untold_end = bloom_load_relaxed(&read_to->untold_end);
		read_copy(read_to, changes, &found);
		bloom_fence();
	} while (bloom_load_acquire(&read_to->changes) != changes);
	return found;
}

/* Makes every lookup judge again whether it may trust the additions. Call this function after the
 * change, which a lookup that judges again must see. */
static void tell_lookups(bloom_live *live)
{
	bloom_fence();
	(void)bloom_add(&live->head->read_to.basis, BLOOM_BASIS_CHANGE);
}

/* Returns true if a time that would replace `known_ms` is earlier only because a wrong clock has
 * set `known_ms`. Otherwise lookups would answer "maybe" until that time. */
static bool is_of_the_future(uint64_t known_ms, uint64_t complete_ms)
{
	return complete_ms != 0 && known_ms > bloom_uptime_ms() + BLOOM_CLOCK_SKEW_MS;
}

/* Locks the read position for a change, and reads it. */
static bloom_status begin_change(bloom_live *live, const bloom_segment *segment, const char *name,
	int *file, bloom_read_to *now, bloom_error *error)
{
	bloom_live_read_to *read_to = &live->head->read_to;
	bloom_status status = bloom_filelock_take(
		&live->lock, segment, name, LOCK_READ_TO, segment->lock_timeout_ms, file, error);

	if (status == BLOOM_OK) {
		read_copy(read_to, bloom_load_acquire(&read_to->changes), now);
	}
	return status;
}

static void change(bloom_live *live, const bloom_read_to *now)
{
	bloom_live_read_to *read_to = &live->head->read_to;
	uint64_t changes = bloom_load_relaxed(&read_to->changes);

	write_copy(read_to, changes + 1, now);
	bloom_fence();
	bloom_store_release(&read_to->changes, changes + 1);
}

bloom_status bloom_additions_advance(bloom_live *live, const bloom_segment *segment,
	const char *name, const bloom_mark *from, const bloom_mark *mark, uint64_t complete_ms,
	uint64_t records, const bloom_mark *passed, bloom_error *error)
{
	bloom_live_read_to *read_to = &live->head->read_to;
	bloom_read_to now;
	uint64_t known_ms;
	int file = -1;
	bloom_status status = begin_change(live, segment, name, &file, &now, error);

	if (status != BLOOM_OK) {
		return status;
	}
	if (bloom_mark_is_same(&now.mark, from) && mark->epoch == from->epoch &&
		mark->offset > from->offset) {
		now.mark = *mark;
		(void)bloom_add(&read_to->records, records);
		change(live, &now);
	}
	if (passed != NULL && bloom_mark_is_same(&now.own, passed) &&
		bloom_mark_reaches(&now.mark, passed)) {
		now.own = (bloom_mark){0};
		change(live, &now);
	}
	/* The journal ended at `mark` at that time. So the additions have all records that existed
	 * then, even if another process has moved the read position. */
	known_ms = bloom_load_relaxed(&read_to->complete_ms);
	if (mark->epoch == now.mark.epoch &&
		(complete_ms > known_ms || is_of_the_future(known_ms, complete_ms))) {
		bloom_store_release(&read_to->complete_ms, complete_ms);
	}
	bloom_filelock_release(file, LOCK_READ_TO);
	return BLOOM_OK;
}

uint64_t bloom_additions_strayed(const bloom_live *live)
{
	return bloom_load_acquire(&live->head->read_to.strayed);
}

bool bloom_additions_set_strayed(bloom_live *live, uint64_t before, uint64_t after)
{
	return bloom_compare_swap(&live->head->read_to.strayed, before, after);
}

void bloom_additions_note_strayed(bloom_live *live, uint64_t epoch)
{
	uint64_t known, joined;

	do {
		known = bloom_additions_strayed(live);
		joined = known == BLOOM_STRAYED_NONE || known == epoch ? epoch
								       : BLOOM_STRAYED_SEVERAL;
	} while (!bloom_additions_set_strayed(live, known, joined));
}

/* Remembers where this host's newest record ends, unless the read position has passed it, or that
 * it is in another journal. */
static bloom_status note_own(bloom_live *live, const bloom_segment *segment, const char *name,
	const bloom_mark *end, bloom_error *error)
{
	bloom_read_to now;
	int file = -1;
	bloom_status status = begin_change(live, segment, name, &file, &now, error);

	if (status != BLOOM_OK) {
		return status;
	}
	if (end->epoch == now.mark.epoch && end->offset > now.mark.offset &&
		(now.own.epoch == 0 || end->offset > now.own.offset)) {
		now.own = *end;
		change(live, &now);
	}
	if (end->epoch != now.mark.epoch) {
		bloom_additions_note_strayed(live, end->epoch);
	}
	bloom_filelock_release(file, LOCK_READ_TO);
	return BLOOM_OK;
}

static bool holds(const bloom_read_to *now, const bloom_mark *lost)
{
	return lost->epoch != 0 &&
		(bloom_mark_is_same(&now->mark, lost) || bloom_mark_is_same(&now->held[0], lost) ||
			bloom_mark_is_same(&now->held[1], lost));
}

bloom_status bloom_additions_note_loss(bloom_live *live, const bloom_segment *segment,
	const char *name, const bloom_mark *lost, const bloom_mark *notice, bloom_error *error)
{
	const bloom_mark none = {0};
	uint64_t *word = &live->head->read_to.loss, before;
	bloom_loss loss;
	bloom_read_to now;
	int file = -1;
	bloom_status status = begin_change(live, segment, name, &file, &now, error);

	if (status != BLOOM_OK) {
		return status;
	}
	loss = holds(&now, lost) ? BLOOM_LOSS_HELD : BLOOM_LOSS_LACKING;
	before = bloom_load_relaxed(word);
	if (loss > loss_of(before)) {
		bloom_store_release(word, before - before % LOSSES + loss);
		tell_lookups(live);
	}
	if (notice != NULL || bloom_mark_is_same(&now.untold, lost)) {
		now.notice = notice != NULL ? *notice : now.notice;
		now.untold = bloom_mark_is_same(&now.untold, lost) ? none : now.untold;
		change(live, &now);
	}
	bloom_filelock_release(file, LOCK_READ_TO);
	return BLOOM_OK;
}

bloom_status bloom_additions_note_untold(bloom_live *live, const bloom_segment *segment,
	const char *name, const bloom_mark *lost, uint64_t end, bloom_error *error)
{
	bloom_read_to now;
	int file = -1;
	bloom_status status = begin_change(live, segment, name, &file, &now, error);

	if (status == BLOOM_OK) {
		now.untold = *lost;
		bloom_store_relaxed(&live->head->read_to.untold_end, end);
		change(live, &now);
		bloom_filelock_release(file, LOCK_READ_TO);
	}
	return status;
}

bool bloom_additions_has_news(const bloom_live *live)
{
	uint64_t word = bloom_load_acquire(&live->head->read_to.loss);

	return word / LOSSES < (uint64_t)loss_of(word);
}

bloom_loss bloom_additions_report_loss(bloom_live *live)
{
	uint64_t *word = &live->head->read_to.loss, before = bloom_load_acquire(word);
	bloom_loss loss = loss_of(before);

	return before / LOSSES < loss && bloom_compare_swap(word, before, loss + LOSSES * loss)
		? loss
		: BLOOM_LOSS_NONE;
}

uint64_t bloom_additions_keys(const bloom_live *live)
{
	uint64_t keys = 0;
	uint32_t i;

	for (i = 0; i < live->layers; i++) {
		keys += bloom_load_relaxed(&live->head->layer[i].keys);
	}
	return keys;
}

uint64_t bloom_additions_trusted_ms(const bloom_live *live, uint64_t now_ms)
{
	uint64_t complete_ms = bloom_load_acquire(&live->head->read_to.complete_ms);
	uint64_t max_lag_ms = bloom_additions_max_lag(live), lag_ms;

	if (complete_ms == 0 ||
		(complete_ms > now_ms && complete_ms - now_ms > BLOOM_CLOCK_SKEW_MS) ||
		loss_of(bloom_load_acquire(&live->head->read_to.loss)) == BLOOM_LOSS_LACKING) {
		return 0;
	}
	if (max_lag_ms == 0) {
		return UINT64_MAX;
	}
	lag_ms = complete_ms < now_ms ? now_ms - complete_ms : 0;
	return lag_ms < max_lag_ms ? max_lag_ms - lag_ms : 0;
}

/* ---- the maximum lag ---- */

static bloom_lag read_lag(const bloom_live *live)
{
	const bloom_lag *lag = &live->head->read_to.lag;

	return (bloom_lag){
		.max_ms = bloom_load_relaxed(&lag->max_ms),
		.asked_ms = bloom_load_relaxed(&lag->asked_ms),
		.before_ms = bloom_load_relaxed(&lag->before_ms),
		.since_ms = bloom_load_relaxed(&lag->since_ms),
	};
}

static void write_lag(bloom_live *live, const bloom_lag *lag)
{
	bloom_lag *target = &live->head->read_to.lag;

	bloom_store_relaxed(&target->max_ms, lag->max_ms);
	bloom_store_relaxed(&target->asked_ms, lag->asked_ms);
	bloom_store_relaxed(&target->before_ms, lag->before_ms);
	bloom_store_relaxed(&target->since_ms, lag->since_ms);
	tell_lookups(live);
}

uint64_t bloom_additions_max_lag(const bloom_live *live)
{
	return bloom_load_relaxed(&live->head->read_to.lag.max_ms);
}

static uint64_t shorter(uint64_t one, uint64_t other)
{
	/* 0, any age, becomes the largest number. */
	return one - 1 < other - 1 ? one : other;
}

void bloom_lag_ask(bloom_lag *lag, uint64_t max_lag_ms, uint64_t now_ms)
{
	enum { HOUR_MS = 3600000 };
	uint64_t age_ms =
		lag->since_ms == 0 ? UINT64_MAX : bloom_clock_elapsed_ms(now_ms, lag->since_ms);

	if (max_lag_ms == BLOOM_MAX_LAG_KEEP) {
		return;
	}
	if (age_ms >= HOUR_MS) {
		lag->before_ms = age_ms < UINT64_C(2) * HOUR_MS ? lag->asked_ms : 0;
		lag->asked_ms = max_lag_ms;
		lag->since_ms = now_ms > 0 ? now_ms : 1;
	}
	lag->asked_ms = shorter(lag->asked_ms, max_lag_ms);
	lag->max_ms = shorter(lag->asked_ms, lag->before_ms);
}

bloom_status bloom_additions_ask_max_lag(bloom_live *live, const bloom_segment *segment,
	const char *name, uint64_t max_lag_ms, uint64_t now_ms, bloom_error *error)
{
	bloom_lag before = read_lag(live), after = before;
	bloom_status status;
	int file = -1;

	bloom_lag_ask(&after, max_lag_ms, now_ms);
	if (memcmp(&before, &after, sizeof after) == 0) {
		return BLOOM_OK; /* almost always */
	}
	status = bloom_filelock_take(
		&live->lock, segment, name, LOCK_READ_TO, segment->lock_timeout_ms, &file, error);
	if (status == BLOOM_OK) {
		after = read_lag(live);
		bloom_lag_ask(&after, max_lag_ms, now_ms);
		write_lag(live, &after);
		bloom_filelock_release(file, LOCK_READ_TO);
	}
	return status;
}

void bloom_additions_keep_max_lag(bloom_live *staged, const bloom_live *served)
{
	bloom_lag lag = read_lag(served);

	write_lag(staged, &lag);
}

/* ---- staging and mapping ---- */

/* Lookups test every layer, so the first layer should be large enough for the keys of most days. It
 * should not be larger, because unused capacity also takes memory. At a rate of 1 %, the first two
 * layers are line filters, which lookups test fastest. They have room for five times the capacity
 * of the first one. */
static uint64_t first_capacity(uint64_t keys, uint64_t blob_keys)
{
	enum { KEYS_MIN = 4096, KEYS_USUAL = 16384 };
	uint64_t least = blob_keys < KEYS_MIN ? KEYS_MIN
		: blob_keys < KEYS_USUAL      ? blob_keys
					      : KEYS_USUAL;

	if (keys > BLOOM_CAPACITY_MAX / 2) {
		return BLOOM_CAPACITY_MAX;
	}
	return keys < least / 2 ? least : keys * 2;
}

static bloom_live_params params_of(const bloom_head *head, uint64_t keys)
{
	double rate = head->meta.target_rate;

	return (bloom_live_params){
		.kind = BLOOM_KIND_SCALABLE,
		.capacity_keys = first_capacity(keys, head->keys),
		.rate = rate < BLOOM_RATE_MIN   ? BLOOM_RATE_MIN
			: rate > BLOOM_RATE_MAX ? BLOOM_RATE_MAX
						: rate,
		.growth = 4,
		.tightening = 0.5,
		.fingerprint = head->geometry.fingerprint,
	};
}

bool bloom_additions_fits(const bloom_live *like, const bloom_head *head)
{
	return like->known.seed == head->geometry.seed &&
		like->known.params.fingerprint == head->geometry.fingerprint;
}

bool bloom_additions_is_of(const bloom_live *live, const bloom_mark *mark)
{
	return bloom_additions_read_to(live).mark.epoch == mark->epoch &&
		bloom_load_relaxed(&live->head->read_to.from) == mark->offset;
}

bloom_status bloom_additions_stage(const bloom_segment *segment, const char *name,
	const bloom_head *head, uint64_t keys, const bloom_live *like, bloom_stage *stage,
	bloom_live **live, bloom_error *error)
{
	bloom_live_params params = like != NULL ? like->known.params : params_of(head, keys);
	bloom_read_to start = {.mark = head->meta.mark}, known;
	bloom_live_read_to *read_to;
	bloom_status status = bloom_live_stage(
		segment, name, &params, head->geometry.seed, NULL, NULL, stage, error);

	if (status != BLOOM_OK) {
		return status;
	}
	status = bloom_live_new(&stage->dir, stage->file_name, BLOOM_KIND_SCALABLE, live, error);
	if (status != BLOOM_OK) {
		bloom_stage_abort(stage);
		return status;
	}
	read_to = &(*live)->head->read_to;
	if (like != NULL) {
		known = bloom_additions_read_to(like);
		/* After a rollback, the records between the two marks are in the replaced blob
		 * only. */
		if (known.mark.epoch == start.mark.epoch &&
			start.mark.offset >= bloom_load_relaxed(&like->head->read_to.from)) {
			start.held[0] = known.mark;
			start.held[1] = known.held[0];
		}
		bloom_store_relaxed(&read_to->loss, bloom_load_relaxed(&like->head->read_to.loss));
	}
	write_copy(read_to, 0, &start);
	bloom_store_relaxed(&read_to->from, head->meta.mark.offset);
	bloom_store_relaxed(&read_to->lag.max_ms, BLOOM_MAX_LAG_MS_DEFAULT);
	return BLOOM_OK;
}

bloom_status bloom_additions_copy(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_live *from, bloom_error *error)
{
	return bloom_scalable_merge(live, segment, name, from, error);
}

bloom_status bloom_additions_map(const bloom_filter_dir *dir, const bloom_control *control,
	uint64_t generation, bloom_live **live, bloom_error *error)
{
	uint64_t number = bloom_control_additions(control, generation);
	char name[BLOOM_FILE_NAME_MAX];
	bloom_status status;

	if (number == 0) {
		return bloom_fail(error, BLOOM_E_NOT_FOUND, 0, "additions");
	}
	bloom_additions_name(number, name);
	status = bloom_live_new(dir, name, BLOOM_KIND_SCALABLE, live, error);
	if (status == BLOOM_E_NOT_FOUND) {
		/* Where a file in use cannot be renamed, the additions keep their staged name. */
		bloom_stage_name(number, name);
		status = bloom_live_new(dir, name, BLOOM_KIND_SCALABLE, live, error);
	}
	return status;
}

/* ---- adding ---- */

bloom_status bloom_additions_add(bloom_live *live, const bloom_segment *segment, const char *name,
	const bloom_record *record, bloom_error *error)
{
	bloom_status status = BLOOM_OK;
	const unsigned char *key;
	uint64_t at = 0, key_bytes;
	bool is_new;

	if (record->kind != BLOOM_RECORD_KEYS) {
		return BLOOM_OK;
	}
	while (status == BLOOM_OK && bloom_record_next(record, &at, &key, &key_bytes)) {
		status = bloom_scalable_add(live, segment, name,
			bloom_hash(&live->hasher, key, (size_t)key_bytes), &is_new, error);
	}
	return status;
}

bool bloom_additions_map_layers(bloom_live *live, uint64_t basis)
{
	uint32_t layers = bloom_basis_layers(basis);

	return layers <= live->layers ||
		(bloom_live_follow(live, NULL) == BLOOM_OK && layers <= live->layers);
}

bool bloom_additions_test(bloom_live *live, bloom_digest digest)
{
	return bloom_basis_layers(bloom_additions_basis(live)) != 0 &&
		bloom_scalable_test(live, digest);
}

#ifdef BLOOM_LINE

/* Tests all layers of a digest before the next digest, because the compiler then computes the
 * probes only once. */
BLOOM_TARGET_LINE static uint64_t test_in_lines(
	const bloom_view *view, uint32_t layers, const bloom_digest *digests, uint32_t count)
{
	uint64_t found = 0;
	uint32_t i, layer;
	bool is_in;

	for (i = 0; i < count; i++) {
		is_in = bloom_line_test(view, digests[i]);
		for (layer = 1; layer < layers; layer++) {
			is_in |= bloom_line_test(view + layer, digests[i]);
		}
		found |= (uint64_t)is_in << i;
	}
	return found;
}

#endif

uint64_t bloom_additions_test_many(bloom_live *live, const bloom_digest *digests, uint32_t count)
{
	uint64_t basis = bloom_additions_basis(live), found = 0;
	uint32_t layers = bloom_basis_layers(basis), lines = 0;

	if (!bloom_additions_map_layers(live, basis)) {
		return UINT64_MAX >> (64 - count);
	}
#ifdef BLOOM_LINE
	if (bloom_line_is_supported()) {
		while (lines < layers && live->view[lines].is_line) {
			lines++;
		}
		found = lines > 0 ? test_in_lines(live->view, lines, digests, count) : 0;
	}
#endif
	for (; lines < layers; lines++) {
		found |= bloom_view_test_many(&live->view[lines], digests, count);
	}
	return found;
}

bloom_status bloom_additions_announce(bloom_stage *stage, bloom_error *error)
{
	bloom_control *control = NULL;
	bloom_status status = bloom_filter_dir_lock(&stage->dir, error);

	if (status != BLOOM_OK) {
		return status;
	}
	status = bloom_control_ensure(&stage->dir, &control, error);
	if (status == BLOOM_OK) {
		bloom_store_release(&control->successor, stage->number);
		bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	}
	bloom_filter_dir_unlock(&stage->dir);
	/* The announcement must be visible before the journal is read for the last time. */
	bloom_fence();
	return status == BLOOM_OK ? status : bloom_fail_at(&stage->dir, status, error);
}

/* Maps additions by their number. A switch renames the file of staged additions, so this function
 * tries the staged name first, and then the final name. */
static bloom_status map_number(
	const bloom_filter_dir *dir, uint64_t number, bloom_live **live, bloom_error *error)
{
	char name[BLOOM_FILE_NAME_MAX];
	bloom_status status;

	bloom_stage_name(number, name);
	status = bloom_live_new(dir, name, BLOOM_KIND_SCALABLE, live, error);
	if (status == BLOOM_E_NOT_FOUND) {
		bloom_additions_name(number, name);
		status = bloom_live_new(dir, name, BLOOM_KIND_SCALABLE, live, error);
	}
	return status;
}

/* Adds the records to the additions with this number, if they exist. */
static bloom_status insert_into(const bloom_filter_dir *dir, uint64_t number,
	const bloom_record *records, size_t count, const bloom_mark *end, bool *inserted,
	bloom_error *error)
{
	bloom_live *live = NULL;
	bloom_status status;
	size_t i;

	if (number == 0) {
		return BLOOM_OK;
	}
	status = map_number(dir, number, &live, error);
	if (status == BLOOM_E_NOT_FOUND) {
		return BLOOM_OK;
	}
	for (i = 0; status == BLOOM_OK && i < count; i++) {
		status = bloom_additions_add(live, dir->segment, dir->name, &records[i], error);
	}
	if (status == BLOOM_OK && end != NULL) {
		status = note_own(live, dir->segment, dir->name, end, error);
	}
	bloom_live_free(live);
	/* Their file was removed after it was mapped: another version is served now, the staged one
	 * is not needed any more, or the filter was dropped. The caller looks again. */
	if (status == BLOOM_E_GONE) {
		return BLOOM_OK;
	}
	*inserted = *inserted || status == BLOOM_OK;
	return status;
}

static bloom_status insert(const bloom_filter_dir *dir, const bloom_control *control,
	const bloom_record *records, size_t count, const bloom_mark *end, bool *inserted,
	bloom_error *error)
{
	enum { TRIES_MAX = 100 };
	uint64_t generation, successor;
	bloom_status status;
	int i;

	for (i = 0; i < TRIES_MAX; i++) {
		generation = bloom_load_acquire(&control->generation);
		successor = bloom_load_acquire(&control->successor);
		status = insert_into(dir, bloom_control_additions(control, generation), records,
			count, end, inserted, error);
		if (status == BLOOM_OK) {
			status = insert_into(dir, successor, records, count, end, inserted, error);
		}
		/* The keys must be visible before the generation and the successor are read
		 * again. */
		bloom_fence();
		if (bloom_load_acquire(&control->generation) == generation &&
			bloom_load_acquire(&control->successor) == successor) {
			return status;
		}
	}
	return bloom_fail(error, BLOOM_E_OVERTAKEN, 0, "%s", dir->name);
}

bloom_status bloom_additions_insert(const bloom_segment *segment, const char *name,
	const bloom_record *records, size_t count, const bloom_mark *end, bool *inserted,
	bloom_error *error)
{
	bloom_control *control = NULL;
	bloom_filter_dir dir;
	bloom_status status = bloom_filter_dir_open(segment, name, false, &dir, error);

	*inserted = false;
	if (status == BLOOM_OK) {
		status = bloom_control_map(&dir, &control, NULL, error);
		if (status == BLOOM_OK) {
			status = insert(&dir, control, records, count, end, inserted, error);
			bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
		}
		bloom_filter_dir_close(&dir);
	}
	return status == BLOOM_E_NOT_FOUND ? BLOOM_OK : status;
}

void bloom_additions_served(const bloom_segment *segment, const char *name, bloom_live **live)
{
	bloom_control *control = NULL;
	bloom_filter_dir dir;
	uint64_t number;

	*live = NULL;
	if (bloom_filter_dir_open(segment, name, false, &dir, NULL) != BLOOM_OK) {
		return;
	}
	if (bloom_control_map(&dir, &control, NULL, NULL) == BLOOM_OK) {
		number = bloom_control_additions(control, bloom_load_acquire(&control->generation));
		if (number == 0 || map_number(&dir, number, live, NULL) != BLOOM_OK) {
			*live = NULL;
		}
		bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	}
	bloom_filter_dir_close(&dir);
}

void bloom_additions_note_unfollowed(const bloom_segment *segment, const char *name, uint64_t keys)
{
	bloom_control *control = NULL;
	uint64_t generation;

	if (bloom_segment_control(segment, name, false, &control, NULL) != BLOOM_OK) {
		return;
	}
	generation = bloom_load_acquire(&control->generation);
	if (generation != BLOOM_GENERATION_NONE && generation < BLOOM_GENERATION_MAX &&
		bloom_control_additions(control, generation) == 0) {
		if (bloom_load_relaxed(&control->unfollowed_generation) != generation) {
			bloom_store_relaxed(&control->unfollowed_keys, 0);
			bloom_store_relaxed(&control->unfollowed_generation, generation);
		}
		(void)bloom_add(&control->unfollowed_keys, keys);
	}
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
}

uint64_t bloom_additions_unfollowed(const bloom_control *control, uint64_t generation)
{
	return bloom_load_relaxed(&control->unfollowed_generation) == generation
		? bloom_load_relaxed(&control->unfollowed_keys)
		: 0;
}

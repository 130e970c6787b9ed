/* Implements Bloom\Journal.
 *
 *     add()    keys ─► records ─► store.append() ─► this host's additions
 *                                  │ └ even if it throws, the keys are added here
 *                                  └ closed ─► nothing published yet ─► begin, append
 *                                              └ refuse
 *     mark()   store.last() ─► text
 *
 * pull() is in journal_pull.c.
 */
#include "php/protocol/journal.h"

#include <errno.h>
#include <string.h>

#include <zend_exceptions.h>
#include <zend_interfaces.h>

#include "filter/bytes.h"
#include "kinds/additions.h"
#include "os/clock.h"
#include "os/process.h"
#include "php/arguments.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/keys.h"
#include "php/object.h"
#include "php/protocol/effective_version.h"
#include "php/keyrings.h"
#include "php/settings.h"
#include "php/store/store.h"

typedef struct php_bloom_journal {
	zend_string *name; /* NULL: never constructed */
	zval store;
	/* The journal's end after this object's last append, for the chain of signatures. An epoch
	 * of 0: unknown. */
	bloom_mark end;
	zend_object std;
} php_bloom_journal;

static zend_object_handlers handlers;

static php_bloom_journal *journal_of(zend_object *object)
{
	return PHP_BLOOM_OBJECT_OF(php_bloom_journal, object);
}

static zend_object *create(zend_class_entry *class)
{
	php_bloom_journal *self = zend_object_alloc(sizeof *self, class);

	self->name = NULL;
	ZVAL_UNDEF(&self->store);
	memset(&self->end, 0, sizeof self->end);
	return php_bloom_object_init(&self->std, class, &handlers);
}

static void destroy(zend_object *object)
{
	php_bloom_journal *self = journal_of(object);

	if (self->name != NULL) {
		zend_string_release(self->name);
	}
	zval_ptr_dtor(&self->store);
	zend_object_std_dtor(object);
}

static HashTable *get_gc(zend_object *object, zval **table, int *count)
{
	*table = &journal_of(object)->store;
	*count = 1;
	return zend_std_get_properties(object);
}

void php_bloom_journal_startup(void)
{
	php_bloom_object_handlers(&handlers, XtOffsetOf(php_bloom_journal, std), destroy);
	handlers.get_gc = get_gc;
	php_bloom_ce_journal->create_object = create;
}

/* Returns the journal of an object. Throws if it was never constructed. */
static php_bloom_journal *constructed(zval *object)
{
	php_bloom_journal *self = journal_of(Z_OBJ_P(object));

	if (self->name == NULL) {
		zend_throw_exception(php_bloom_ce_Bloom, "This journal was never constructed", 0);
		return NULL;
	}
	return self;
}

ZEND_METHOD(Bloom_Journal, __construct)
{
	php_bloom_journal *self = journal_of(Z_OBJ_P(ZEND_THIS));
	zend_string *name;
	zval *store;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(name)
		Z_PARAM_OBJECT_OF_CLASS(store, php_bloom_ce_store_interface)
	ZEND_PARSE_PARAMETERS_END();

	if (php_bloom_name(name, 1) == NULL) {
		RETURN_THROWS();
	}
	if (!instanceof_function(Z_OBJCE_P(store), php_bloom_ce_journal_store_interface)) {
		zend_argument_type_error(2,
			"must implement Bloom\\JournalStore to keep a journal, and %s does not",
			ZSTR_VAL(Z_OBJCE_P(store)->name));
		RETURN_THROWS();
	}
	if (self->name != NULL) {
		zend_throw_error(NULL, "The journal is already constructed");
		RETURN_THROWS();
	}
	self->name = zend_string_copy(name);
	ZVAL_COPY(&self->store, store);
}

ZEND_METHOD(Bloom_Journal, name)
{
	php_bloom_journal *self;

	ZEND_PARSE_PARAMETERS_NONE();
	self = constructed(ZEND_THIS);
	if (self == NULL) {
		RETURN_THROWS();
	}
	RETURN_STR_COPY(self->name);
}

/* ---- add() ---- */

/* The payloads of the records to append. Each has room for the other parts of its record. */
typedef struct record_batch {
	zval records; /* a list of strings: unfinished records */
	uint32_t *counts;
	uint32_t used, capacity;
	zend_string *open;      /* the record that is being filled; NULL: none */
	uint64_t payload_bytes; /* of the open record */
	uint32_t keys;          /* in the open record */
	uint64_t total_keys;
	bloom_record_kind kind; /* of all records, except that which begins the journal */
	bool begins;            /* the first record begins the journal */
	bool is_signed;
} record_batch;

enum { FIRST_ROOM = 256 };

static void close_record(record_batch *batch)
{
	uint64_t bytes = bloom_record_bytes(batch->payload_bytes, batch->is_signed);

	if (batch->open == NULL) {
		return;
	}
	batch->open = zend_string_realloc(batch->open, (size_t)bytes, false);
	ZSTR_VAL(batch->open)[bytes] = '\0';
	add_next_index_str(&batch->records, batch->open);
	if (batch->used == batch->capacity) {
		batch->capacity = batch->capacity != 0 ? 2 * batch->capacity : 8;
		batch->counts =
			safe_erealloc(batch->counts, batch->capacity, sizeof *batch->counts, 0);
	}
	batch->counts[batch->used++] = batch->keys;
	batch->open = NULL;
	batch->payload_bytes = batch->keys = 0;
}

/* Makes room in the open record for a payload of `bytes`. */
static unsigned char *grow_record(record_batch *batch, uint64_t bytes)
{
	size_t needed = (size_t)bloom_record_bytes(bytes, batch->is_signed), capacity;

	if (batch->open == NULL) {
		batch->open = zend_string_alloc(needed > FIRST_ROOM ? needed : FIRST_ROOM, false);
	} else if (ZSTR_LEN(batch->open) < needed) {
		capacity = 2 * ZSTR_LEN(batch->open);
		batch->open = zend_string_realloc(
			batch->open, capacity > needed ? capacity : needed, false);
	}
	return (unsigned char *)ZSTR_VAL(batch->open) + bloom_record_payload_at(batch->is_signed);
}

static bool take_key(void *context, const php_bloom_key *key)
{
	/* In Redis, each poll reads the last record again to compare its CHECK, so records are kept
	 * small. */
	enum { LENGTH_BYTES = 4, FULL_BYTES = 65536 };
	record_batch *batch = context;
	unsigned char *payload;

	if (key->count > BLOOM_RECORD_KEY_BYTES_MAX) {
		zend_argument_value_error(1,
			"must contain only keys of at most %d bytes, %zu given: a journal stores "
			"whole keys",
			BLOOM_RECORD_KEY_BYTES_MAX, key->count);
		return false;
	}
	if (batch->keys > 0 && batch->payload_bytes + LENGTH_BYTES + key->count > FULL_BYTES) {
		close_record(batch);
	}
	payload = grow_record(batch, batch->payload_bytes + LENGTH_BYTES + key->count);
	bloom_put32(payload + batch->payload_bytes, (uint32_t)key->count);
	memcpy(payload + batch->payload_bytes + LENGTH_BYTES, key->bytes, key->count);
	batch->payload_bytes += LENGTH_BYTES + key->count;
	batch->keys++;
	batch->total_keys++;
	return true;
}

static void free_batch(record_batch *batch)
{
	if (batch->open != NULL) {
		zend_string_efree(batch->open);
	}
	if (batch->counts != NULL) {
		efree(batch->counts);
	}
	zval_ptr_dtor(&batch->records);
}

/* Collects the keys of add()'s argument. */
static bool collect_keys(zval *keys, record_batch *batch)
{
	php_bloom_key key;
	bool ok;

	if (Z_TYPE_P(keys) == IS_ARRAY || Z_TYPE_P(keys) == IS_OBJECT) {
		ok = php_bloom_each_key(keys, 1, take_key, batch);
	} else {
		ok = php_bloom_key_of_value(&key, keys) && take_key(batch, &key);
	}
	close_record(batch);
	return ok;
}

static bloom_record_kind kind_of(const record_batch *batch, uint32_t index)
{
	return batch->begins && index == 0 ? BLOOM_RECORD_BEGIN : batch->kind;
}

/* Adds a record whose payload is a number, or none. */
static void add_number(record_batch *batch, const uint64_t *number)
{
	unsigned char *payload = grow_record(batch, number != NULL ? sizeof *number : 0);

	if (number != NULL) {
		bloom_put64(payload, *number);
		batch->payload_bytes = sizeof *number;
	}
	close_record(batch);
}

/* Writes the records that follow `before`. If a store has kept a string, writes to a copy.
 *
 *   *end  the link after the last record */
static void write_records(const php_bloom_journal *self, record_batch *batch,
	const bloom_secret *key, const bloom_mark *before, bloom_mark *end)
{
	uint64_t now = bloom_clock_ms();
	uint32_t i = 0;
	zval *record;

	*end = *before;
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL(batch->records), record) {
		SEPARATE_STRING(record);
		zend_string_forget_hash_val(Z_STR_P(record));
		bloom_record_write((unsigned char *)Z_STRVAL_P(record),
			Z_STRLEN_P(record) - bloom_record_bytes(0, batch->is_signed),
			kind_of(batch, i), i < batch->used ? batch->counts[i] : 0,
			ZSTR_VAL(self->name), now, end, key, end->link);
		i++;
	}
	ZEND_HASH_FOREACH_END();
}

/* Gets the journal's end from the store, with its link. Whatever the last record is, a writer
 * continues behind it, and a mark can be taken: readers check it.
 *
 *   *is_open  whether keys can be added */
static bool find_end(php_bloom_journal *self, bloom_mark *end, bool *is_open)
{
	const char *name = ZSTR_VAL(self->name);
	zend_string *record;
	bool ok = true;

	if (!php_bloom_store_last(Z_OBJ(self->store), name, end, &record)) {
		return false;
	}
	bloom_record_link((const unsigned char *)ZSTR_VAL(record), ZSTR_LEN(record), end->link);
	if (end->offset != 0 &&
		(ZSTR_LEN(record) < BLOOM_CHECK_BYTES ||
			memcmp(end->check, ZSTR_VAL(record) + ZSTR_LEN(record) - BLOOM_CHECK_BYTES,
				BLOOM_CHECK_BYTES) != 0)) {
		ok = php_bloom_store_throw(BLOOM_E_POSITION, name);
	}
	*is_open = ZSTR_LEN(record) >= BLOOM_RECORD_BYTES_MIN &&
		bloom_record_kind_of((const unsigned char *)ZSTR_VAL(record)) != BLOOM_RECORD_END;
	zend_string_release(record);
	return ok;
}

/* Appends the records if the journal ends at `before`, and sets self->end to the new end.
 *
 *   *is_refused  true, without an exception: the journal has another end, or is closed */
static bool append_after(php_bloom_journal *self, record_batch *batch, const bloom_secret *key,
	const bloom_mark *before, bool *is_refused)
{
	bloom_mark end, appended;
	bool ok;

	write_records(self, batch, key, before, &end);
	appended = end;
	ok = php_bloom_store_append(Z_OBJ(self->store), ZSTR_VAL(self->name), &batch->records,
		before, &appended, is_refused);
	if (ok && !*is_refused) {
		self->end = appended;
		memcpy(self->end.link, end.link, sizeof end.link);
	} else {
		/* If it throws, the records may have been appended. */
		memset(&self->end, 0, sizeof self->end);
	}
	return ok;
}

/* Appends signed records. Each contains the signature of the record before it, so the journal must
 * still have the end that this object knows.
 *
 *   *is_closed  true, without an exception: the journal is closed, and the first record does not
 *               begin or end it */
static bool append_signed(
	php_bloom_journal *self, record_batch *batch, const bloom_secret *key, bool *is_closed)
{
	/* Each refusal means that another writer has appended a record. A busy writer knows the end
	 * and needs one call, but this one needs two, so it may lose many times in a row. */
	enum { TRIES_MAX = 1000 };
	bool is_refused = true, is_open = true;
	bloom_mark end;
	int i;

	*is_closed = false;
	for (i = 0; is_refused && i < TRIES_MAX; i++) {
		if (self->end.epoch == 0 && !find_end(self, &self->end, &is_open)) {
			memset(&self->end, 0, sizeof self->end);
			return false;
		}
		if (!is_open && !bloom_record_opens(kind_of(batch, 0))) {
			memset(&self->end, 0, sizeof self->end);
			*is_closed = true;
			return true;
		}
		end = self->end;
		if (!append_after(self, batch, key, &end, &is_refused)) {
			return false;
		}
	}
	return !is_refused || php_bloom_store_throw(BLOOM_E_OVERTAKEN, ZSTR_VAL(self->name));
}

/* Appends the records, and sets self->end to the journal's new end, unless it is closed: see
 * append_signed(). */
static bool append(
	php_bloom_journal *self, record_batch *batch, const bloom_secret *key, bool *is_closed)
{
	bloom_mark before = {0}, end;

	if (key != NULL) {
		return append_signed(self, batch, key, is_closed);
	}
	write_records(self, batch, NULL, &before, &end);
	if (!php_bloom_store_append(Z_OBJ(self->store), ZSTR_VAL(self->name), &batch->records, NULL,
		    &end, is_closed)) {
		return false;
	}
	self->end = end;
	return true;
}

/* Returns whether this user has no segment that it can use. Adding keys needs none. */
static bool has_no_segment(const bloom_segment *segment, const bloom_error *error)
{
	switch (error->status) {
	case BLOOM_E_REFUSED_OWNER:
	case BLOOM_E_REFUSED_MODE:
	case BLOOM_E_REFUSED_TYPE:
	case BLOOM_E_REFUSED_NETWORK:
		return true;
	case BLOOM_E_SYSTEM:
		return error->os_error == EACCES && strcmp(error->subject, segment->path) == 0;
	default:
		return false;
	}
}

/* Adds the keys to the additions that this host serves. */
static bool insert_here(
	const php_bloom_journal *self, const record_batch *batch, const bloom_mark *end)
{
	const bloom_segment *segment = php_bloom_segment();
	uint32_t count = batch->used, i = 0;
	bloom_error error = {0};
	bloom_record *records;
	bloom_status status;
	bool inserted;
	zval *record;

	if (segment == NULL) {
		return false;
	}
	records = safe_emalloc(count, sizeof *records, 1);
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL(batch->records), record) {
		records[i] = (bloom_record){
			.kind = BLOOM_RECORD_KEYS,
			.count = batch->counts[i],
			.payload = (const unsigned char *)Z_STRVAL_P(record) +
				bloom_record_payload_at(batch->is_signed),
			.payload_bytes =
				Z_STRLEN_P(record) - bloom_record_bytes(0, batch->is_signed),
		};
		i++;
	}
	ZEND_HASH_FOREACH_END();
	status = bloom_additions_insert(
		segment, ZSTR_VAL(self->name), records, count, end, &inserted, &error);
	efree(records);
	if (status == BLOOM_OK && end != NULL && !inserted) {
		bloom_additions_note_unfollowed(segment, ZSTR_VAL(self->name), batch->total_keys);
	}
	if (status == BLOOM_OK || has_no_segment(segment, &error)) {
		return true;
	}
	php_bloom_throw(&error);
	return false;
}

/* Returns the key that signs records: NULL if no signing keys are configured. */
static bool choose_key(const bloom_secret **key)
{
	const bloom_ring *ring = php_bloom_signers();
	bloom_error error = {0};

	*key = NULL;
	if (ring == NULL || !ring->configured) {
		return true;
	}
	*key = bloom_ring_current(ring, BLOOM_E_NO_SIGNING_KEY, &error);
	if (*key == NULL) {
		php_bloom_throw(&error);
	}
	return *key != NULL;
}

/* Appends the notice that hosts serve a version that does not follow the journal. Does nothing if
 * the journal is closed. */
static bool append_end(php_bloom_journal *self, const bloom_secret *key, uint64_t checksum)
{
	record_batch batch = {.kind = BLOOM_RECORD_END, .is_signed = key != NULL};
	bool is_closed, ok;

	array_init(&batch.records);
	add_number(&batch, &checksum);
	ok = append(self, &batch, key, &is_closed);
	free_batch(&batch);
	return ok;
}

/* Makes the first record one that begins the journal. */
static void begin_with(record_batch *batch, record_batch *begun)
{
	zval *record;
	uint32_t i = 0;

	*begun = (record_batch){.kind = batch->kind, .begins = true, .is_signed = batch->is_signed};
	array_init(&begun->records);
	add_number(begun, NULL);
	begun->counts =
		safe_erealloc(begun->counts, batch->used + (size_t)1, sizeof *begun->counts, 0);
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL(batch->records), record) {
		Z_TRY_ADDREF_P(record);
		add_next_index_zval(&begun->records, record);
		begun->counts[begun->used++] = batch->counts[i++];
	}
	ZEND_HASH_FOREACH_END();
}

/* Reads the published head.
 *
 *   *is_published  whether there is one
 *   *checksum      of that head
 *   *mark          its mark */
static bool find_published(
	const php_bloom_journal *self, bool *is_published, uint64_t *checksum, bloom_mark *mark)
{
	php_bloom_published found = {0};

	if (!php_bloom_published_get(Z_OBJ(self->store), ZSTR_VAL(self->name), &found)) {
		return false;
	}
	*is_published = found.bytes != NULL;
	if (*is_published) {
		*checksum = found.head.checksum;
		*mark = found.head.meta.mark;
	}
	php_bloom_published_release(&found);
	return true;
}

/* Appends keys to a closed journal. If nothing has been published yet, begins the journal, so that
 * a site can add keys before its first build. Otherwise the published version follows no journal,
 * or one that has ended or was lost, and the keys are refused. */
static bool append_to_closed(php_bloom_journal *self, record_batch *batch, const bloom_secret *key)
{
	bool is_published = false, is_closed, ok;
	uint64_t checksum = 0;
	bloom_mark mark = {0};
	record_batch begun;

	if (!find_published(self, &is_published, &checksum, &mark)) {
		return false;
	}
	if (is_published) {
		return php_bloom_store_throw(BLOOM_E_JOURNAL_CLOSED, ZSTR_VAL(self->name));
	}
	begin_with(batch, &begun);
	ok = append(self, &begun, key, &is_closed);
	free_batch(&begun);
	/* A version without a mark may have been published in the meantime. Its publisher has
	 * looked for the journal before it set the head. */
	if (!ok || !find_published(self, &is_published, &checksum, &mark)) {
		return false;
	}
	if (!is_published || mark.epoch == self->end.epoch) {
		return true;
	}
	return append_end(self, key, checksum) &&
		php_bloom_store_throw(BLOOM_E_JOURNAL_CLOSED, ZSTR_VAL(self->name));
}

static bool append_keys(php_bloom_journal *self, record_batch *batch, const bloom_secret *key)
{
	bool is_closed = false;

	return append(self, batch, key, &is_closed) &&
		(!is_closed || append_to_closed(self, batch, key));
}

ZEND_METHOD(Bloom_Journal, add)
{
	php_bloom_journal *self;
	const bloom_secret *key;
	record_batch batch = {.kind = BLOOM_RECORD_KEYS};
	zval *keys;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ZVAL(keys)
	ZEND_PARSE_PARAMETERS_END();

	self = constructed(ZEND_THIS);
	if (self == NULL || !choose_key(&key)) {
		RETURN_THROWS();
	}
	if (Z_TYPE_P(keys) != IS_STRING && Z_TYPE_P(keys) != IS_LONG &&
		Z_TYPE_P(keys) != IS_ARRAY &&
		!(Z_TYPE_P(keys) == IS_OBJECT &&
			instanceof_function(Z_OBJCE_P(keys), zend_ce_traversable))) {
		zend_argument_type_error(1, "must be of type string|int|iterable, %s given",
			zend_zval_type_name(keys));
		RETURN_THROWS();
	}
	batch.is_signed = key != NULL;
	array_init(&batch.records);
	ok = collect_keys(keys, &batch);
	if (ok && batch.total_keys > 0) {
		/* Lookups on this host find the keys at once, even if the store fails. */
		ok = append_keys(self, &batch, key);
		ok = (!EG(exception) || !zend_is_unwind_exit(EG(exception))) &&
			insert_here(self, &batch, ok ? &self->end : NULL) && ok;
	}
	RETVAL_LONG((zend_long)batch.total_keys);
	free_batch(&batch);
	if (!ok) {
		RETURN_THROWS();
	}
}

/* ---- mark() ---- */

/* Begins a closed journal, so that the keys that are added while the blob is built are in it. */
static bool begin_if_closed(php_bloom_journal *self, bloom_mark *end)
{
	enum { TRIES_MAX = 100 };
	const bloom_secret *key;
	bool is_open = false, is_closed, ok = true;
	record_batch batch;
	int i;

	for (i = 0; ok && i < TRIES_MAX; i++) {
		if (!find_end(self, end, &is_open)) {
			return false;
		}
		if (is_open) {
			return true;
		}
		batch = (record_batch){.kind = BLOOM_RECORD_BEGIN};
		ok = choose_key(&key);
		if (ok) {
			batch.is_signed = key != NULL;
			array_init(&batch.records);
			add_number(&batch, NULL);
			ok = append(self, &batch, key, &is_closed);
			free_batch(&batch);
		}
	}
	return ok && php_bloom_store_throw(BLOOM_E_OVERTAKEN, ZSTR_VAL(self->name));
}

ZEND_METHOD(Bloom_Journal, mark)
{
	char text[BLOOM_MARK_TEXT_BYTES];
	php_bloom_journal *self;
	bloom_mark end;

	ZEND_PARSE_PARAMETERS_NONE();
	self = constructed(ZEND_THIS);
	if (self == NULL || !begin_if_closed(self, &end)) {
		RETURN_THROWS();
	}
	RETVAL_STRINGL(text, bloom_mark_text(&end, text));
}

/* ---- notices ---- */

bool php_bloom_journal_look(zend_object *store, const char *name, php_bloom_journal_state *state)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	zend_string *record = NULL;
	const unsigned char *bytes;
	HashTable missing;
	zval keys;
	bool ok;

	*state = (php_bloom_journal_state){0};
	array_init(&keys);
	php_bloom_side_key(name, "journal", key);
	add_next_index_string(&keys, key);
	zend_hash_init(&missing, 1, NULL, NULL, false);
	ok = php_bloom_store_missing(store, &keys, &missing);
	state->exists = ok && !zend_hash_str_exists(&missing, key, strlen(key));
	zend_hash_destroy(&missing);
	zval_ptr_dtor(&keys);
	if (!ok || !state->exists) {
		return ok;
	}
	if (!php_bloom_store_last(store, name, &state->end, &record)) {
		return false;
	}
	bytes = (const unsigned char *)ZSTR_VAL(record);
	if (ZSTR_LEN(record) >= BLOOM_RECORD_BYTES_MIN) {
		state->last_kind = bloom_record_kind_of(bytes);
		state->is_open = state->last_kind != BLOOM_RECORD_END;
	}
	if (state->last_kind == BLOOM_RECORD_END) {
		state->ended_by = bloom_record_number(bytes, ZSTR_LEN(record));
		state->ended_ms = bloom_get64(bytes + 24);
	}
	zend_string_release(record);
	return true;
}

/* Determines whether hosts are to serve the version with this checksum. */
static bool is_effective(const php_bloom_journal *self, uint64_t checksum, bool *is_it)
{
	const char *name = ZSTR_VAL(self->name);
	php_bloom_effective effective;

	if (!php_bloom_effective_get(Z_OBJ(self->store), name, &effective)) {
		return false;
	}
	*is_it = false;
	if (effective.head.bytes != NULL) {
		php_bloom_effective_choose(&effective, name, NULL, false);
		*is_it = effective.head.head.checksum == checksum;
	}
	php_bloom_effective_release(&effective);
	return true;
}

/* Begins a closed journal again, because hosts are to serve a version that follows it: its journal
 * may have ended after the mark was taken, or for another version. The publisher of such a version
 * sets the head and then ends the journal, so this function looks at the head between finding the
 * end and moving it. */
static bool begin_again(php_bloom_journal *self, record_batch *batch, const bloom_secret *key,
	const bloom_head *head)
{
	enum { TRIES_MAX = 100 };
	bool is_open = false, is_it = false, is_refused = true, ok = true;
	bloom_mark end;
	record_batch begun;
	int i;

	begin_with(batch, &begun);
	for (i = 0; ok && is_refused && i < TRIES_MAX; i++) {
		ok = find_end(self, &end, &is_open) && is_effective(self, head->checksum, &is_it);
		/* The version does not follow a journal that was lost and created again. */
		if (!ok || !is_it || end.epoch != head->meta.mark.epoch) {
			break;
		}
		ok = append_after(self, is_open ? batch : &begun, key, &end, &is_refused);
	}
	free_batch(&begun);
	return ok;
}

bool php_bloom_journal_notice(zend_object *store, const char *name, const bloom_head *head)
{
	bool follows = head->meta.mark.epoch != 0, is_closed = false, ok;
	record_batch batch = {.kind = follows ? BLOOM_RECORD_VERSION : BLOOM_RECORD_END};
	php_bloom_journal self = {0};
	php_bloom_journal_state state;
	const bloom_secret *key;

	/* A filter without a journal needs none that has ended. */
	if (!follows && !php_bloom_journal_look(store, name, &state)) {
		return false;
	}
	if (!follows && !state.exists) {
		return true;
	}
	if (!choose_key(&key)) {
		return false;
	}
	batch.is_signed = key != NULL;
	array_init(&batch.records);
	add_number(&batch, &head->checksum);
	self.name = zend_string_init(name, strlen(name), false);
	ZVAL_OBJ_COPY(&self.store, store);
	ok = append(&self, &batch, key, &is_closed) &&
		(!is_closed || begin_again(&self, &batch, key, head));
	zval_ptr_dtor(&self.store);
	zend_string_release(self.name);
	free_batch(&batch);
	return ok;
}

bool php_bloom_journal_loss(zend_object *store, const char *name, const bloom_mark *lost,
	bloom_mark *end, bool *is_refused)
{
	php_bloom_journal self = {0};
	const bloom_secret *key;
	record_batch batch = {.kind = BLOOM_RECORD_LOSS};
	bloom_mark written, appended;
	bool ok;

	if (!choose_key(&key)) {
		return false;
	}
	batch.is_signed = key != NULL;
	array_init(&batch.records);
	bloom_position_put(lost, grow_record(&batch, BLOOM_POSITION_BYTES));
	batch.payload_bytes = BLOOM_POSITION_BYTES;
	close_record(&batch);
	self.name = zend_string_init(name, strlen(name), false);
	write_records(&self, &batch, key, end, &written);
	ok = php_bloom_store_append(store, name, &batch.records, end, &appended, is_refused);
	if (ok && !*is_refused) {
		*end = appended;
		memcpy(end->link, written.link, sizeof end->link);
	}
	zend_string_release(self.name);
	free_batch(&batch);
	return ok;
}

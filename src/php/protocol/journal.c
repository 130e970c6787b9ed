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

#include "php/engine.h"

#include <errno.h>
#include <string.h>

#include <zend_exceptions.h>
#include <zend_interfaces.h>

#include "filter/bytes.h"
#include "kinds/additions.h"
#include "php/arguments.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/keys.h"
#include "php/object.h"
#include "php/protocol/effective_version.h"
#include "php/protocol/journal_notice.h"
#include "php/protocol/journal_writer.h"
#include "php/settings.h"
#include "php/store/store.h"

typedef struct php_bloom_journal {
	zend_string *name; /* NULL: never constructed */
	zval store;
	php_bloom_journal_writer writer; /* borrows both */
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
	memset(&self->writer, 0, sizeof self->writer);
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
	php_bloom_object_handlers(&handlers, offsetof(php_bloom_journal, std), destroy);
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
	self->writer.name = ZSTR_VAL(name);
	self->writer.store = Z_OBJ_P(store);
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

static bool take_key(void *context, const php_bloom_key *key)
{
	/* In Redis, each poll reads the last record again to compare its CHECK, so records are kept
	 * small. */
	enum { LENGTH_BYTES = 4, FULL_BYTES = 65536 };
	php_bloom_record_batch *batch = context;
	unsigned char *payload;

	if (key->count > BLOOM_RECORD_KEY_BYTES_MAX) {
		zend_argument_value_error(1,
			"must contain only keys of at most %d bytes, %zu given: a journal stores "
			"whole keys",
			BLOOM_RECORD_KEY_BYTES_MAX, key->count);
		return false;
	}
	if (batch->keys > 0 && batch->payload_bytes + LENGTH_BYTES + key->count > FULL_BYTES) {
		php_bloom_batch_close(batch);
	}
	payload = php_bloom_batch_grow(batch, batch->payload_bytes + LENGTH_BYTES + key->count);
	bloom_put32(payload + batch->payload_bytes, (uint32_t)key->count);
	memcpy(payload + batch->payload_bytes + LENGTH_BYTES, key->bytes, key->count);
	batch->payload_bytes += LENGTH_BYTES + key->count;
	batch->keys++;
	batch->total_keys++;
	return true;
}

/* Collects the keys of add()'s argument. */
static bool collect_keys(zval *keys, php_bloom_record_batch *batch)
{
	php_bloom_key key;
	bool ok;

	if (Z_TYPE_P(keys) == IS_ARRAY || Z_TYPE_P(keys) == IS_OBJECT) {
		ok = php_bloom_each_key(keys, 1, take_key, batch);
	} else {
		ok = php_bloom_key_of_value(&key, keys) && take_key(batch, &key);
	}
	php_bloom_batch_close(batch);
	return ok;
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
	const php_bloom_journal *self, const php_bloom_record_batch *batch, const bloom_mark *end)
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
				bloom_record_payload_at(batch->key != NULL),
			.payload_bytes =
				Z_STRLEN_P(record) - bloom_record_bytes(0, batch->key != NULL),
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

/* Reads the published head.
 *
 *   *is_published  whether there is one
 *   *checksum      of that head
 *   *mark          its mark */
static bool find_published(const php_bloom_journal_writer *writer, bool *is_published,
	uint64_t *checksum, bloom_mark *mark)
{
	php_bloom_published found = {0};

	if (!php_bloom_published_get(writer->store, writer->name, &found)) {
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
static bool append_to_closed(php_bloom_journal_writer *writer, php_bloom_record_batch *batch)
{
	bool is_published = false, is_closed, ok;
	uint64_t checksum = 0;
	bloom_mark mark = {0};
	php_bloom_record_batch begun;

	if (!find_published(writer, &is_published, &checksum, &mark)) {
		return false;
	}
	if (is_published) {
		return php_bloom_store_throw(BLOOM_E_JOURNAL_CLOSED, writer->name);
	}
	php_bloom_batch_begin(batch, &begun);
	ok = php_bloom_journal_append(writer, &begun, &is_closed);
	php_bloom_batch_free(&begun);
	/* A version without a mark may have been published in the meantime. Its publisher has
	 * looked for the journal before it set the head. */
	if (!ok || !find_published(writer, &is_published, &checksum, &mark)) {
		return false;
	}
	if (!is_published || mark.epoch == writer->end.epoch) {
		return true;
	}
	return php_bloom_journal_end(writer, checksum) &&
		php_bloom_store_throw(BLOOM_E_JOURNAL_CLOSED, writer->name);
}

static bool append_keys(php_bloom_journal_writer *writer, php_bloom_record_batch *batch)
{
	bool is_closed = false;

	return php_bloom_journal_append(writer, batch, &is_closed) &&
		(!is_closed || append_to_closed(writer, batch));
}

ZEND_METHOD(Bloom_Journal, add)
{
	php_bloom_journal *self;
	php_bloom_record_batch batch;
	zval *keys;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ZVAL(keys)
	ZEND_PARSE_PARAMETERS_END();

	self = constructed(ZEND_THIS);
	if (self == NULL) {
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
	if (!php_bloom_batch_init(&batch, BLOOM_RECORD_KEYS)) {
		RETURN_THROWS();
	}
	ok = collect_keys(keys, &batch);
	if (ok && batch.total_keys > 0) {
		/* Lookups on this host find the keys at once, even if the store fails. */
		ok = append_keys(&self->writer, &batch);
		ok = (!EG(exception) || !zend_is_unwind_exit(EG(exception))) &&
			insert_here(self, &batch, ok ? &self->writer.end : NULL) && ok;
	}
	RETVAL_LONG((zend_long)batch.total_keys);
	php_bloom_batch_free(&batch);
	if (!ok) {
		RETURN_THROWS();
	}
}

/* ---- mark() ---- */

/* Begins a closed journal, so that the keys that are added while the blob is built are in it. */
static bool begin_if_closed(php_bloom_journal_writer *writer, bloom_mark *end)
{
	enum { TRIES_MAX = 100 };
	bool is_open = false, is_closed, ok = true;
	php_bloom_record_batch batch;
	int i;

	for (i = 0; ok && i < TRIES_MAX; i++) {
		if (!php_bloom_journal_find_end(writer, end, &is_open)) {
			return false;
		}
		if (is_open) {
			return true;
		}
		ok = php_bloom_batch_init(&batch, BLOOM_RECORD_BEGIN);
		if (ok) {
			php_bloom_batch_add_number(&batch, NULL);
			ok = php_bloom_journal_append(writer, &batch, &is_closed);
			php_bloom_batch_free(&batch);
		}
	}
	return ok && php_bloom_store_throw(BLOOM_E_OVERTAKEN, writer->name);
}

ZEND_METHOD(Bloom_Journal, mark)
{
	char text[BLOOM_MARK_TEXT_BYTES];
	php_bloom_journal *self;
	bloom_mark end;

	ZEND_PARSE_PARAMETERS_NONE();
	self = constructed(ZEND_THIS);
	if (self == NULL || !begin_if_closed(&self->writer, &end)) {
		RETURN_THROWS();
	}
	RETVAL_STRINGL(text, bloom_mark_text(&end, text));
}

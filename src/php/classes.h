/* What the php_*.c files share: the classes' objects, and the few helpers that more than one needs.
 *
 * Every method does three things: parse its arguments, call the core, convert the status once, with
 * php_bloom_throw(). No lock of the core is held while anything here can call userland.
 */
#ifndef PHP_BLOOM_CLASSES_H
#define PHP_BLOOM_CLASSES_H

#include "php/globals.h"
#include "kinds/attachment.h"
#include "os/clock.h"
#include "build/lines.h"
#include "os/mapping.h"
#include "os/parallel.h"
#include "os/process.h"
#include "segment/stage.h"
#include "segment/sync.h"

extern zend_class_entry *php_bloom_ce_Bloom;
extern zend_class_entry *php_bloom_ce_NotFound;
extern zend_class_entry *php_bloom_ce_Kind;
extern zend_class_entry *php_bloom_ce_Format;
extern zend_class_entry *php_bloom_ce_Rate;
extern zend_class_entry *php_bloom_ce_Segment;
extern zend_class_entry *php_bloom_ce_Busy;
extern zend_class_entry *php_bloom_ce_Store;
extern zend_class_entry *php_bloom_ce_Secret;
extern zend_class_entry *php_bloom_ce_Signature;
extern zend_class_entry *php_bloom_ce_builder;
extern zend_class_entry *php_bloom_ce_blob;
extern zend_class_entry *php_bloom_ce_filter;
extern zend_class_entry *php_bloom_ce_loaded_filter;
extern zend_class_entry *php_bloom_ce_live_filter;
extern zend_class_entry *php_bloom_ce_counting_filter;
extern zend_class_entry *php_bloom_ce_scalable_filter;
extern zend_class_entry *php_bloom_ce_sliding_filter;
extern zend_class_entry *php_bloom_ce_reverse_index;
extern zend_class_entry *php_bloom_ce_on_demand_filter;
extern zend_class_entry *php_bloom_ce_reverse_index_builder;
extern zend_class_entry *php_bloom_ce_store_interface;
extern zend_class_entry *php_bloom_ce_directory_store;
extern zend_class_entry *php_bloom_ce_redis_store;
extern zend_class_entry *php_bloom_ce_memcached_store;

/* Called once each, from MINIT, when the class entries exist. */
void php_bloom_builder_startup(void);
void php_bloom_blob_startup(void);
void php_bloom_filter_startup(void);

/* Remembers how each class makes its objects: called after the others. Then, from each RINIT: sees to it that a class
 * that disable_classes names throws BloomException where an object of it would be made. */
void php_bloom_disabled_startup(void);
void php_bloom_disabled_check(void);

/* ---- errors ---- */

/* Throws what `error` says, as the class that status.h gives it. */
void php_bloom_throw(const bloom_error *error);

/* The same for what arguments were refused for: a ValueError for argument `argument`, of 1 and so on. */
void php_bloom_throw_argument(const bloom_error *error, uint32_t argument);

/* Writes the message that php_bloom_throw() would give. */
zend_string *php_bloom_error_text(const bloom_error *error);

/* ---- the segment in force ---- */

/* Latches the settings at the first call.  NULL: thrown. */
const bloom_segment *php_bloom_segment(void);

/* Whether this very process has latched the settings. */
bool php_bloom_is_latched(void);

/* Forgets what a parent process latched and attached, before a forked process's first request. */
void php_bloom_unlatch(void);

/* A name that passed the check, or NULL after a ValueError for argument `argument`. */
const char *php_bloom_name(const zend_string *name, uint32_t argument);

/* ---- secrets ---- */

/* The rings in force, read at the first call in a process. A file that could not be read gives a ring that says
 * why, to whoever needs a secret. */
const bloom_ring *php_bloom_secrets(void);
const bloom_ring *php_bloom_signers(void);
void php_bloom_rings_drop(void); /* and wipes them; they are read anew */

/* What phpinfo() shows of one: fingerprints. */
zend_string *php_bloom_ring_text(const bloom_ring *ring);

/* The current secret of bloom.secret_file.  NULL: thrown. */
const bloom_secret *php_bloom_current_secret(void);

/* The secret that a builder is asked to use: of argument `argument`, if it is given, made in *room, which the
 * caller wipes; or the current one.  *secret NULL: none.  False: thrown. */
bool php_bloom_choose_secret(bool keyed, const zend_string *given, uint32_t argument,
	bloom_secret *room, const bloom_secret **secret);

/* The same for create(), which takes the current one.  *fingerprint 0: none.  False: thrown. */
bool php_bloom_choose_fingerprint(bool keyed, uint64_t *fingerprint);

/* ---- arguments ---- */

/* Numbers as the core takes them. What is out of range becomes what no gate lets pass: it must neither
 * overflow into a good number nor mean "choose for me" when the user said 0. */
uint64_t php_bloom_count(zend_long number);
uint64_t php_bloom_window_ms(double seconds);
uint64_t php_bloom_fan_out(zend_long fan_out);
uint32_t php_bloom_optional_uint32(bool is_null, zend_long number);

/* ---- keys ---- */

/* The bytes of a key that is a string or, with `string` NULL, an int. */
typedef struct php_bloom_key {
	const unsigned char *bytes;
	size_t count;
	char digits[MAX_LENGTH_OF_LONG + 1];
} php_bloom_key;

static zend_always_inline void php_bloom_key_of(
	php_bloom_key *key, const zend_string *string, zend_long number)
{
	if (EXPECTED(string != NULL)) {
		key->bytes = (const unsigned char *)ZSTR_VAL(string);
		key->count = ZSTR_LEN(string);
	} else {
		char *end = key->digits + sizeof key->digits - 1;
		char *start = zend_print_long_to_buf(end, number);

		key->bytes = (const unsigned char *)start;
		key->count = (size_t)(end - start);
	}
}

/* A parameter that is a key: a string, an int, or an object with __toString() where PHP converts those. Never a
 * float, bool or null, though PHP would make an int or a string of them: 19.99 added as the key 19 is
 * certainly absent under its text, and nobody is told. */
#define PHP_BLOOM_PARAM_KEY(string, number)                                 \
	Z_PARAM_PROLOGUE(0, 0);                                             \
	if (UNEXPECTED(!php_bloom_parse_key(_arg, &string, &number, _i))) { \
		_expected_type = Z_EXPECTED_STRING_OR_LONG;                 \
		_error_code = ZPP_ERROR_WRONG_ARG;                          \
		break;                                                      \
	}

bool php_bloom_parse_key_object(
	zval *argument, zend_string **string, zend_long *number, uint32_t place);

static zend_always_inline bool php_bloom_parse_key(
	zval *argument, zend_string **string, zend_long *number, uint32_t place)
{
	if (EXPECTED(Z_TYPE_P(argument) == IS_STRING)) {
		*string = Z_STR_P(argument);
		return true;
	}
	if (EXPECTED(Z_TYPE_P(argument) == IS_LONG)) {
		*string = NULL;
		*number = Z_LVAL_P(argument);
		return true;
	}
	return php_bloom_parse_key_object(argument, string, number, place);
}

/* The same for a value of an array. False: it is neither string nor int. */
static zend_always_inline bool php_bloom_key_of_value(php_bloom_key *key, const zval *value)
{
	ZVAL_DEREF(value);
	if (EXPECTED(Z_TYPE_P(value) == IS_STRING)) {
		php_bloom_key_of(key, Z_STR_P(value), 0);
	} else if (Z_TYPE_P(value) == IS_LONG) {
		php_bloom_key_of(key, NULL, Z_LVAL_P(value));
	} else {
		return false;
	}
	return true;
}

/* Throws of a value that is no key, `place` values behind the first. */
ZEND_COLD void php_bloom_throw_no_key(const zval *value, zend_long place, uint32_t argument);

/* Calls `take` with each of an iterable's values as a key, until it returns false, which means that it has
 * thrown. Userland may run between two of them, but not in `take`, which borrows the key. False: thrown; for a
 * value that is neither string nor int that is a TypeError for argument `argument`. */
typedef bool (*php_bloom_take_key)(void *context, const php_bloom_key *key);
bool php_bloom_each_key(zval *keys, uint32_t argument, php_bloom_take_key take, void *context);

/* ---- progress ---- */

typedef struct php_bloom_progress {
	zend_fcall_info call; /* size 0: none was given */
	zend_fcall_info_cache cache;
} php_bloom_progress;

/* Reports. False: the callback threw, or the script is to end. */
bool php_bloom_progress_report(php_bloom_progress *progress, uint64_t done, uint64_t total);

/* The same while the call waits: `why` is a third argument, but for functions of PHP's own, which take no more
 * than they have. */
bool php_bloom_progress_wait(
	php_bloom_progress *progress, uint64_t done, uint64_t total, const char *why);

/* ---- files ---- */

/* Opens a path or takes an open stream. NULL: thrown. *owned says whether to close it. */
struct _php_stream *php_bloom_stream(zval *file, uint32_t argument, bool *owned);

/* Read a stream as PHP's functions of these names do. Userland that runs in them, of a stream wrapper or
 * filter, cannot close the stream meanwhile. */
ssize_t php_bloom_stream_read(struct _php_stream *stream, char *bytes, size_t count);
bool php_bloom_stream_eof(struct _php_stream *stream);
int php_bloom_stream_stat(struct _php_stream *stream, struct _php_stream_statbuf *found);

/* Puts the path before what is said of a file that was given by one; of an open stream nobody knows it. */
void php_bloom_name_file(zval *file);

/* False, thrown: a callback closed a stream that is not ours while we were reading it. */
bool php_bloom_stream_is_open(zval *file);

/* Writes a file atomically: a temporary one beside it, synced, then renamed. Returns 0 or an errno;
 * an existing file is untouched then. */
int php_bloom_write_file(const char *path, const unsigned char *bytes, uint64_t count);

/* Brings the names in a directory onto the disk. One that is not there is no failure. */
void php_bloom_sync_directory(const char *directory);

/* ---- jobs ---- */

/* What a call that runs userland in its middle must give back even when a fatal error unwinds the
 * stack over it: such a call keeps it in a job, and the request's end gives back what is left. */
typedef struct php_bloom_job {
	struct php_bloom_job *next;
	uint64_t process; /* bloom_process_id() that began it */
	bloom_stage stage;
	bloom_attachment served;
	bloom_control *control;
	uint64_t lease;
	bloom_lines lines;
	char *text; /* that was read, malloc'ed */
	size_t text_bytes;
} php_bloom_job;

php_bloom_job *php_bloom_job_begin(void); /* NULL: thrown */
void php_bloom_job_end(php_bloom_job *job);

/* Whether the process is still the one that began the job: userland may have forked, and then the file
 * being written is the parent's to go on with. False: thrown. */
bool php_bloom_job_is_ours(const php_bloom_job *job);
void php_bloom_jobs_end_all(void);

/* What the control page says when a script has ended inside a store's method. */
#define PHP_BLOOM_SCRIPT_ENDED "the script ended in the middle of it"

/* ---- objects ---- */

typedef struct php_bloom_blob {
	unsigned char *bytes; /* NULL: never initialised */
	uint64_t count;
	bloom_head head;
	bloom_view view;
	bloom_hasher hasher; /* digest 0: not looked for yet */
	zend_object std;
} php_bloom_blob;

static inline php_bloom_blob *php_bloom_blob_of(zend_object *object)
{
	return (php_bloom_blob *)(void *)((char *)object - offsetof(php_bloom_blob, std));
}

/* A blob object that takes over `bytes` (private memory), once verified.
 *   hasher   of who built it; or one of digest 0 */
void php_bloom_blob_take(zval *value, unsigned char *bytes, uint64_t count, const bloom_head *head,
	const bloom_hasher *hasher);

/* What makes digests of its keys.  NULL, thrown: it is keyed with a secret that is not here. */
const bloom_hasher *php_bloom_blob_hasher(php_bloom_blob *blob);

/* Makes a finished builder's image a blob object, and leaves the builder empty. False: thrown, and the
 * builder is as before. */
bool php_bloom_blob_build(zval *value, bloom_builder *builder, uint64_t built_ms, double limit);

/* The object's blob; NULL after an exception when it was never initialised. */
php_bloom_blob *php_bloom_blob_from(zend_object *object);

/* Verifies all shards in steps, reporting. False: thrown. */
bool php_bloom_blob_verify(php_bloom_blob *blob, php_bloom_progress *progress);

/* The builder of a Builder or a ReverseIndexBuilder; NULL after an exception when there is none to add to. */
bloom_builder *php_bloom_builder_from(zend_object *object);

/* What the constructors and like() build from. */
typedef struct php_bloom_construction {
	bloom_params params;
	const bloom_head *like; /* whose geometry it gets; NULL: it is sized by the params */
	uint64_t seed;
	uint32_t chunk_bytes;
	uint32_t jobs;
	zend_string *source;      /* or NULL */
	uint32_t source_argument; /* its number */
	/* The number of the argument that a status blames. */
	uint32_t (*blamed)(bloom_status status);
} php_bloom_construction;

void php_bloom_builder_construct(zend_object *object, const php_bloom_construction *work);

/* The number of the constructor's argument that a status blames. */
uint32_t php_bloom_builder_blamed(bloom_status status);
uint32_t php_bloom_reverse_builder_blamed(bloom_status status);

/* Sets params->ribbon by a scheme's name; NULL: bloom. False: thrown. */
bool php_bloom_choose_scheme(
	const zend_string *scheme, uint32_t argument, uint32_t chunk_bytes, bloom_params *params);

/* False, thrown: not so many threads. */
bool php_bloom_check_jobs(zend_long given, uint32_t argument, uint32_t *jobs);

/* What build() takes: a limit for the rate, and the time. False: thrown.
 *   default_limit  when none is given */
bool php_bloom_build_arguments(
	INTERNAL_FUNCTION_PARAMETERS, double default_limit, double *limit, uint64_t *built_ms);

/* A set within capacity is never refused unasked: in a filter of few blocks chance alone can take the
 * measured rate far from the expected one. */
double php_bloom_default_limit(const bloom_builder *builder);

/* What groups() takes: the value and the limit. False: thrown. */
bool php_bloom_groups_arguments(
	INTERNAL_FUNCTION_PARAMETERS, zend_string **string, zend_long *number, uint64_t *limit);

/* Makes the list of the groups that may hold a value. Thrown when there are more than `limit`. */
void php_bloom_groups(zval *list, const bloom_reverse *reverse, bloom_digest value, uint64_t limit);

/* Adds what a head, and what a builder, says to an info() array. */
void php_bloom_head_info(HashTable *info, const bloom_head *head);
void php_bloom_builder_info(HashTable *info, const bloom_builder *builder);
void php_bloom_reverse_info(HashTable *info, const bloom_geometry *geometry, double rate);

/* Adds what syncs found in the served file. */
void php_bloom_verify_info(HashTable *info, const bloom_attachment *attachment);

/* A thread's hold on a filter, shared by its handles. php_attachment.c tells how long it lasts. */
typedef struct php_bloom_attachment {
	bloom_attachment attachment;
	uint32_t handles;
	/* Of unused ones, in which it is between the two below; NULL: it is in use. */
	struct php_bloom_unused *list;
	struct php_bloom_attachment *before, *after;
} php_bloom_attachment;

typedef struct php_bloom_filter {
	php_bloom_attachment *held; /* NULL: never initialised */
	/* That an on-demand filter fetches from; undefined for others. */
	zval store;
	/* It is just being asked: lookups within that do not ask again. */
	bool is_fetching;
	zend_object std;
} php_bloom_filter;

static inline php_bloom_filter *php_bloom_filter_of(zend_object *object)
{
	return (php_bloom_filter *)(void *)((char *)object - offsetof(php_bloom_filter, std));
}

/* The attachment to an already attached filter, or NULL. */
php_bloom_attachment *php_bloom_attachment_find(const char *name);

/* The attachment to a filter that has a generation. It may go with the next call unless it is held.
 *
 * Fails   as bloom_attach().
 * Cost    one system call when the thread has it already.
 */
bloom_status php_bloom_attach(const bloom_segment *segment, const char *name,
	php_bloom_attachment **held, bloom_error *error);

/* What is attached to, for people: "a live filter". */
const char *php_bloom_kind_text(const bloom_attachment *attachment);

/* Holds an attachment for a handle, and releases it. */
void php_bloom_attachment_hold(php_bloom_attachment *held);
void php_bloom_attachment_release(php_bloom_attachment *held);

/* Gives back what this thread still has of the filter, which was just dropped. */
void php_bloom_attachment_dropped(const char *name);

/* A handle of the class that fits the filter's kind. */
void php_bloom_make_handle(zval *value, php_bloom_attachment *held);

/* The handle's attachment, up to date, whatever its presence but BLOOM_ABSENT. NULL: thrown. */
bloom_attachment *php_bloom_current(zend_object *object, bloom_presence *presence);

/* The same for those who need the bits, and the object's own kind of filter: mapped, and of that kind. */
bloom_attachment *php_bloom_present(zend_object *object);

/* Attaches to the filter that was just made or loaded, and makes a handle. Somebody may have dropped it
 * since and given its name to a filter of another class than `class` (NULL: any). False: thrown. */
bool php_bloom_open_made(
	zval *value, const bloom_segment *segment, const char *name, const zend_class_entry *class);

/* Looks a key up in an on-demand filter, up to date and mapped, after fetching its chunk if need be; and brings
 * the chunks that an array's values need and that are not here, if the store gives them. Userland may run:
 * what was known of the attachment has to be asked again. False: thrown. */
bool php_bloom_ondemand_test(
	zend_object *object, bloom_attachment *attachment, const php_bloom_key *key, bool *answer);
bool php_bloom_ondemand_fetch_all(
	zend_object *object, bloom_attachment *attachment, HashTable *keys);

/* Looks the name up again: what this process has just loaded its own handles
 * must answer from, even when someone deleted the control page that they had mapped. */
void php_bloom_attachment_recheck(const char *name);

/* Gives back the memory of generations and filters that are no longer served, and the handles of locked files, between
 * requests. */
void php_bloom_attachments_trim(void);

void php_bloom_attachments_startup(HashTable *attachments);

/* info() helpers: numbers beyond PHP's int do not occur in them but as seeds, which wrap. */
void php_bloom_info_long(HashTable *info, const char *key, uint64_t value);
void php_bloom_info_double(HashTable *info, const char *key, double value);
void php_bloom_info_string(HashTable *info, const char *key, const char *bytes, size_t count);

#endif

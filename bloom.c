/* The module entry, the settings, phpinfo(), and the lifetime of the per-thread globals.
 *
 *     MINIT       registers settings and classes. It maps no file, because under FPM it runs as
 *                 root, before the pool's user and settings apply
 *     RINIT       drops inherited settings if the process was forked
 *     MSHUTDOWN   destroys nothing that is shared, because the FPM master and each recycled worker
 *                 run it while other workers serve requests
 */
#include "php/engine.h"

#include <string.h>

#include <SAPI.h>
#include <ext/json/php_json.h>
#include <ext/standard/info.h>
#include <zend_attributes.h>
#include <zend_enum.h>
#include <zend_exceptions.h>

#include "os/lock.h"
#include "os/process.h"
#include "php/filter/attachment_pool.h"
#include "php/filter/blob_object.h"
#include "php/bloom_arginfo.h"
#include "php/filter/build.h"
#include "php/classes.h"
#include "php/disabled_classes.h"
#include "php/globals.h"
#include "php/filter/handle.h"
#include "php/report/info_table.h"
#include "php/filter/lookup.h"
#include "php/protocol/journal.h"
#include "php/job.h"
#include "php/keyrings.h"
#include "php/settings.h"
#include "php/store/store_object.h"
#include "php_bloom.h"
#include "segment/keyring.h"

ZEND_DECLARE_MODULE_GLOBALS(bloom)

zend_class_entry *php_bloom_ce_Bloom;
zend_class_entry *php_bloom_ce_NotFound;
zend_class_entry *php_bloom_ce_Kind;
zend_class_entry *php_bloom_ce_Format;
zend_class_entry *php_bloom_ce_Rate;
zend_class_entry *php_bloom_ce_Segment;
zend_class_entry *php_bloom_ce_Busy;
zend_class_entry *php_bloom_ce_Store;
zend_class_entry *php_bloom_ce_Secret;
zend_class_entry *php_bloom_ce_Signature;
zend_class_entry *php_bloom_ce_layout;
zend_class_entry *php_bloom_ce_builder;
zend_class_entry *php_bloom_ce_blob;
zend_class_entry *php_bloom_ce_filter;
zend_class_entry *php_bloom_ce_writable_filter;
zend_class_entry *php_bloom_ce_info;
#define DEFINE(class, name) zend_class_entry *php_bloom_ce_##class;
PHP_BLOOM_ENUMS(DEFINE)
#undef DEFINE
#define DEFINE(class, name, parent) zend_class_entry *php_bloom_ce_##class;
PHP_BLOOM_INFO_CLASSES(DEFINE)
PHP_BLOOM_STORE_CLASSES(DEFINE)
PHP_BLOOM_FILTER_CLASSES(DEFINE)
#undef DEFINE
zend_class_entry *php_bloom_ce_reverse_index_builder;
zend_class_entry *php_bloom_ce_map_builder;
zend_class_entry *php_bloom_ce_journal;
zend_class_entry *php_bloom_ce_store_interface;
zend_class_entry *php_bloom_ce_journal_store_interface;
zend_class_entry *php_bloom_ce_built_in_store;
zend_class_entry *php_bloom_ce_built_in_journal_store;

/* Returns true if a setting may change now. Settings belong to the process, not to a request. They
 * may change while the process starts and while FPM applies a pool's values in a new worker.
 * PHP_VALUE, PHP_ADMIN_VALUE, and the [PATH=] and [HOST=] sections of php.ini use the same INI
 * stage as FPM's pool values. However, these four apply to a single request, and during a request
 * the server context is set. Changes after the first use are rejected, because ini_get() would
 * otherwise return a value that is not in effect.
 *
 *   is_used  whether this process already uses the setting's value
 */
static bool may_change(int stage, bool is_used)
{
	switch (stage) {
	case ZEND_INI_STAGE_STARTUP:
		return !is_used;
	case ZEND_INI_STAGE_ACTIVATE:
		return !is_used && SG(server_context) == NULL;
	case ZEND_INI_STAGE_DEACTIVATE: /* PHP restores the value after an attempt to change it */
	case ZEND_INI_STAGE_SHUTDOWN:
		return true;
	default:
		return false;
	}
}

static ZEND_INI_MH(update_path)
{
	if (!may_change(stage, php_bloom_is_latched())) {
		return FAILURE;
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

/* Warns about an invalid value. Without this warning, PHP would silently keep the previous
 * value. */
static int refuse(const zend_ini_entry *entry, const char *must)
{
	zend_error(E_WARNING, "%s must be %s; the previous value remains in effect",
		ZSTR_VAL(entry->name), must);
	return FAILURE;
}

static ZEND_INI_MH(update_memory_limit)
{
	if (!may_change(stage, php_bloom_is_latched())) {
		return FAILURE;
	}
	if (OnUpdateLongGEZero(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage) != SUCCESS) {
		return refuse(entry, "0 or more bytes");
	}
	return SUCCESS;
}

static ZEND_INI_MH(update_ring_file)
{
	/* An FPM master that preloads scripts may have read the rings. Its workers inherit the
	 * rings until RINIT drops them, so only rings that this process itself has read count as
	 * used. */
	if (!may_change(stage, BLOOM_G(rings_by) != 0 && BLOOM_G(rings_by) == bloom_process_id())) {
		return FAILURE;
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

static ZEND_INI_MH(update_lock_timeout)
{
	const char *end = NULL;
	double seconds = zend_strtod(ZSTR_VAL(new_value), &end);

	if (!may_change(stage, php_bloom_is_latched())) {
		return FAILURE;
	}
	if (end == ZSTR_VAL(new_value) || *end != 0 || !(seconds >= 0 && seconds <= 3600)) {
		return refuse(entry, "between 0 and 3600 seconds");
	}
	return OnUpdateReal(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

/* scripts/reference copies the comments below to docs/reference/settings.md: first the values that
 * are allowed, then the meaning. */
PHP_INI_BEGIN()
	/* an absolute path of less than 4,000 bytes
	 *
	 * This is the directory of the segment, which contains one directory for each filter. If
	 * you leave it empty, the segment is `/dev/shm/php-bloom-UID`, where UID is the ID of the
	 * user that PHP runs as, or `%LOCALAPPDATA%\php-bloom` on Windows. The directory is created
	 * when it is first needed, but its parent must exist.
	 *
	 * Choose a tmpfs, or a local disk on Windows, because lookups read the mapped files
	 * directly. Network file systems are refused, because another host could change a file
	 * while it is mapped. `open_basedir` does not apply to this setting. */
	STD_PHP_INI_ENTRY("bloom.path", "", PHP_INI_SYSTEM, update_path, path, zend_bloom_globals,
		bloom_globals)
	/* 0 or more bytes, also as `512M` or `4G`
	 *
	 * This limits the total size of all files of the segment. With 0, only the size of the file
	 * system limits them. A load needs room for the old and the new version of a filter at the
	 * same time. If the limit leaves too little room, the load throws `SegmentException` and
	 * the old version stays in service. */
	STD_PHP_INI_ENTRY("bloom.memory_limit", "0", PHP_INI_SYSTEM, update_memory_limit,
		memory_limit, zend_bloom_globals, bloom_globals)
	/* 0 to 3600 seconds, fractions are allowed
	 *
	 * This is how long a writer waits while another process holds the lock of a filter, or of a
	 * journal in a directory. After that, the call throws `BusyException`, or `StoreException`
	 * for a directory. Lookups never wait for a lock. */
	STD_PHP_INI_ENTRY("bloom.lock_timeout", "5", PHP_INI_SYSTEM, update_lock_timeout,
		lock_timeout, zend_bloom_globals, bloom_globals)
	/* an absolute path
	 *
	 * This file contains the secrets for [keyed
	 * filters](../filters.md#keys-that-others-choose), in 1 to 8 lines of 64 hexadecimal
	 * digits. New filters use the first line, and lookups use all of them.
	 * [Security](../security.md#secrets) explains how to create and rotate secrets, and which
	 * owner and mode the file must have. */
	STD_PHP_INI_ENTRY("bloom.secret_file", "", PHP_INI_SYSTEM, update_ring_file, secret_file,
		zend_bloom_globals, bloom_globals)
	/* an absolute path
	 *
	 * This file contains the keys for signing blobs, in the same format. As soon as you
	 * set it, hosts refuse blobs and journal records without [a valid
	 * signature](../security.md#signatures). */
	STD_PHP_INI_ENTRY("bloom.signing_key_file", "", PHP_INI_SYSTEM, update_ring_file,
		signing_key_file, zend_bloom_globals, bloom_globals)
PHP_INI_END()

static void register_classes(void)
{
	zend_class_entry *membership;

	php_bloom_ce_Bloom = register_class_Bloom_BloomException(zend_ce_exception);
	php_bloom_ce_NotFound = register_class_Bloom_NotFoundException(php_bloom_ce_Bloom);
	php_bloom_ce_Kind = register_class_Bloom_KindException(php_bloom_ce_Bloom);
	php_bloom_ce_Format = register_class_Bloom_FormatException(php_bloom_ce_Bloom);
	php_bloom_ce_Rate = register_class_Bloom_RateException(php_bloom_ce_Bloom);
	php_bloom_ce_Segment = register_class_Bloom_SegmentException(php_bloom_ce_Bloom);
	php_bloom_ce_Busy = register_class_Bloom_BusyException(php_bloom_ce_Segment);
	php_bloom_ce_Store = register_class_Bloom_StoreException(php_bloom_ce_Bloom);
	php_bloom_ce_Secret = register_class_Bloom_SecretException(php_bloom_ce_Bloom);
	php_bloom_ce_Signature = register_class_Bloom_SignatureException(php_bloom_ce_Bloom);
#define REGISTER(class, name) php_bloom_ce_##class = register_class_Bloom_##name();
	PHP_BLOOM_ENUMS(REGISTER)
#undef REGISTER
	php_bloom_ce_info = register_class_Bloom_Info(php_json_serializable_ce);
#define REGISTER(class, name, parent) \
	php_bloom_ce_##class = register_class_Bloom_##name(php_bloom_ce_##parent);
	PHP_BLOOM_INFO_CLASSES(REGISTER)
#undef REGISTER
	php_bloom_ce_layout = register_class_Bloom_Layout();
	php_bloom_ce_builder = register_class_Bloom_Builder();
	membership = register_class_Bloom_Membership();
	php_bloom_ce_blob = register_class_Bloom_Blob(membership);
	php_bloom_ce_filter = register_class_Bloom_Filter(membership);
	php_bloom_lookup_startup(php_bloom_ce_filter);
	php_bloom_ce_writable_filter = register_class_Bloom_WritableFilter(php_bloom_ce_filter);
#define REGISTER(class, name, parent) \
	php_bloom_ce_##class = register_class_Bloom_##name(php_bloom_ce_##parent);
	PHP_BLOOM_FILTER_CLASSES(REGISTER)
#undef REGISTER
	php_bloom_ce_reverse_index_builder = register_class_Bloom_ReverseIndexBuilder();
	php_bloom_ce_map_builder = register_class_Bloom_MapBuilder();
	php_bloom_ce_journal = register_class_Bloom_Journal();
	php_bloom_ce_store_interface = register_class_Bloom_Store();
	php_bloom_ce_journal_store_interface =
		register_class_Bloom_JournalStore(php_bloom_ce_store_interface);
	php_bloom_ce_built_in_store =
		register_class_Bloom_BuiltInStore(php_bloom_ce_store_interface);
	php_bloom_ce_built_in_journal_store = register_class_Bloom_BuiltInJournalStore(
		php_bloom_ce_built_in_store, php_bloom_ce_journal_store_interface);
#define REGISTER(class, name, parent) \
	php_bloom_ce_##class = register_class_Bloom_##name(php_bloom_ce_##parent);
	PHP_BLOOM_STORE_CLASSES(REGISTER)
#undef REGISTER
	php_bloom_builder_startup();
	php_bloom_blob_startup();
	php_bloom_filter_startup();
	php_bloom_journal_startup();
	php_bloom_store_object_startup();
}

static PHP_MINIT_FUNCTION(bloom)
{
	REGISTER_INI_ENTRIES();
	register_classes();
	return SUCCESS;
}

static PHP_MSHUTDOWN_FUNCTION(bloom)
{
	UNREGISTER_INI_ENTRIES();
	return SUCCESS;
}

static PHP_GINIT_FUNCTION(bloom)
{
#if defined(ZTS) && defined(COMPILE_DL_BLOOM)
	ZEND_TSRMLS_CACHE_UPDATE();
#endif
	memset(bloom_globals, 0, sizeof *bloom_globals);
	php_bloom_attachments_startup(&bloom_globals->attachments);
}

static PHP_GSHUTDOWN_FUNCTION(bloom)
{
	php_bloom_attachments_shutdown(&bloom_globals->attachments);
	bloom_ring_drop(&bloom_globals->secrets);
	bloom_ring_drop(&bloom_globals->signers);
}

static PHP_RINIT_FUNCTION(bloom)
{
#if defined(ZTS) && defined(COMPILE_DL_BLOOM)
	ZEND_TSRMLS_CACHE_UPDATE();
#endif
	if (BLOOM_G(latched) && !php_bloom_is_latched()) {
		php_bloom_unlatch(); /* the settings were latched before the fork */
	} else if (!BLOOM_G(latched) && BLOOM_G(rings_by) != 0 &&
		BLOOM_G(rings_by) != bloom_process_id()) {
		php_bloom_rings_drop();
	}
	php_bloom_disabled_check();
	BLOOM_G(request)++;
	return SUCCESS;
}

static PHP_RSHUTDOWN_FUNCTION(bloom)
{
	php_bloom_jobs_end_all();
	return SUCCESS;
}

/* PHP calls this last in a request, after it has destroyed all objects that use a mapping. */
static ZEND_MODULE_POST_ZEND_DEACTIVATE_D(bloom)
{
	php_bloom_attachments_trim();
	return SUCCESS;
}

static PHP_MINFO_FUNCTION(bloom)
{
	zend_string *secrets = php_bloom_ring_text(&BLOOM_G(secrets));
	zend_string *signers = php_bloom_ring_text(&BLOOM_G(signers));
	char xxhash[32], format[16];

	(void)snprintf(xxhash, sizeof xxhash, "%d.%d.%d", XXH_VERSION_MAJOR, XXH_VERSION_MINOR,
		XXH_VERSION_RELEASE);
	(void)snprintf(format, sizeof format, "%d", BLOOM_FORMAT_VERSION);
	php_info_print_table_start();
	php_info_print_table_row(2, "bloom", "enabled");
	php_info_print_table_row(2, "version", PHP_BLOOM_VERSION);
	php_info_print_table_row(2, "blob format version", format);
	php_info_print_table_row(2, "xxHash", xxhash);
	php_info_print_table_row(
		2, "libsodium", bloom_has_sodium() ? bloom_sodium_version() : "none");
	php_info_print_table_row(
		2, "system calls", bloom_lock_has_bytes() ? "Linux" : "POSIX only");
	php_info_print_table_row(2, "segment in force",
		php_bloom_is_latched() ? BLOOM_G(segment).path : "none used yet");
	php_info_print_table_row(2, "secrets in force, by fingerprint", ZSTR_VAL(secrets));
	php_info_print_table_row(2, "signing keys in force, by fingerprint", ZSTR_VAL(signers));
	zend_string_release(secrets);
	zend_string_release(signers);
	php_info_print_table_end();
	php_bloom_info_table();
	DISPLAY_INI_ENTRIES();
}

zend_module_entry bloom_module_entry = {
	STANDARD_MODULE_HEADER,
	"bloom",
	NULL,
	PHP_MINIT(bloom),
	PHP_MSHUTDOWN(bloom),
	PHP_RINIT(bloom),
	PHP_RSHUTDOWN(bloom),
	PHP_MINFO(bloom),
	PHP_BLOOM_VERSION,
	PHP_MODULE_GLOBALS(bloom),
	PHP_GINIT(bloom),
	PHP_GSHUTDOWN(bloom),
	ZEND_MODULE_POST_ZEND_DEACTIVATE_N(bloom),
	STANDARD_MODULE_PROPERTIES_EX,
};

#ifdef COMPILE_DL_BLOOM
#ifdef ZTS
ZEND_TSRMLS_CACHE_DEFINE()
#endif
ZEND_GET_MODULE(bloom)
#endif

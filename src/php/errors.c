#include "php/errors.h"

#include <ctype.h>
#include <string.h>

#include <zend_exceptions.h>

#include "php/classes.h"

/* Remedies for failures, in terms of PHP settings and parameters. scripts/errors copies this list
 * into docs/reference/errors.md. */
static const char *const remedies[BLOOM_STATUS_COUNT] = {
	[BLOOM_E_EXISTS] = "drop it first, or use it as it is",
	[BLOOM_E_KIND] = "drop it first, or choose another name",
	[BLOOM_E_OTHER_VERSION] = "export its keys with that version, then drop it",
	[BLOOM_E_LIMIT] = "raise bloom.memory_limit, or drop filters",
	[BLOOM_E_SPACE] =
		("free some space, raise --shm-size if you use Docker, or set bloom.path to a "
		 "larger tmpfs"),
	[BLOOM_E_BUSY] = "try again, or raise bloom.lock_timeout",
	[BLOOM_E_SODIUM] = "build the extension with libsodium",
	[BLOOM_E_VERSION] =
		("build the blob again with this version of the extension, or upgrade the "
		 "extension if the blob's format version is higher"),
	[BLOOM_E_NO_SECRET] = "set bloom.secret_file; openssl rand -hex 32 makes a secret",
	[BLOOM_E_SECRET] = "add it to bloom.secret_file",
	[BLOOM_E_NO_SIGNING_KEY] = "set bloom.signing_key_file; openssl rand -hex 32 makes a key",
	[BLOOM_E_UNSIGNED] = "sign it, or unset bloom.signing_key_file",
	[BLOOM_E_SIGNER] = "add the key to bloom.signing_key_file",
	[BLOOM_E_REPLAY] = "sync with force, or drop the filter first",
	[BLOOM_E_NO_EXPORT] =
		"build one from the keys with Builder(format:), or bloom build --scheme",
	[BLOOM_E_EXPORT_LAYERS] =
		"build one from the keys with Builder(format: ForeignFormat::RedisBloom)",
	[BLOOM_E_MAP_PLACES] =
		("build it for a larger capacity or, if there are not more keys than that, with "
		 "another seed"),
	[BLOOM_E_MAP_DUPLICATE] =
		"pass onDuplicate: 'last', or --on-duplicate=last, to keep the last value",
	[BLOOM_E_MAP_WHOLE] = "load it with Filter::load() or Filter::sync()",
	[BLOOM_E_FULL] = "create a larger filter",
	[BLOOM_E_REFUSED_OWNER] = "run as that user, or use a path of your own",
	[BLOOM_E_REFUSED_NETWORK] = "set bloom.path to a tmpfs, such as /dev/shm",
	[BLOOM_E_NO_DIRECTORY] =
		"set bloom.path to a directory on a tmpfs that this user can create",
	[BLOOM_E_HOLES] = "load the filter again, or drop it if it is live",
	[BLOOM_E_STORE_SIZE] = "publish the filter again, with force if a chunk is too large",
	[BLOOM_E_WRONG_GROUPS] = "build the index for more values, or at a lower rate",
	[BLOOM_E_GROUPS_LIMIT] = "raise the limit",
	[BLOOM_E_RECORD_UNSIGNED] =
		"set bloom.signing_key_file where keys are added, or unset it here",
	[BLOOM_E_RECORD_SIGNER] = "add the key to bloom.signing_key_file",
	[BLOOM_E_RECORD_KIND] =
		"upgrade the extension here, or build and publish the filter with a new mark",
	[BLOOM_E_RECORD_VERSION] =
		("build and publish the filter with a new mark, or upgrade the extension here if "
		 "the record's version is higher"),
	[BLOOM_E_JOURNAL_LOST] = "build and publish the filter again with a new mark",
	[BLOOM_E_RECORDS_LOST] = "build and publish the filter again with a new mark",
	[BLOOM_E_NO_JOURNAL] = "pass a store that implements JournalStore",
	[BLOOM_E_NO_MARK] = "build it with a mark",
	[BLOOM_E_JOURNAL_KIND] = "build it without a mark",
	[BLOOM_E_SNAPSHOT_VERSION] =
		("restore it where it was saved, or create the filter again and add its "
		 "keys"),
	[BLOOM_E_SNAPSHOT_OTHER] = "call restore() on Bloom\\Filter, or on the class of that kind",
	[BLOOM_E_NOT_LIVE] = "keep or publish the blob that it was loaded from",
	[BLOOM_E_SAVING] = "try again later",
	[BLOOM_E_OVERRIDE] = "unpin the filter, or roll back or pin it again",
	[BLOOM_E_OVERRIDE_UNSIGNED] =
		"set bloom.signing_key_file where the filter is pinned or rolled back",
	[BLOOM_E_OVERRIDE_SIGNER] = "add the key to bloom.signing_key_file",
	[BLOOM_E_OVERRIDE_REPLAY] = "pin or roll back again, or sync with force",
	[BLOOM_E_PINNED] = "unpin it first, or pin it to another version",
	[BLOOM_E_REFUSED_LINK] = "delete the link, or use a directory of your own",
	[BLOOM_E_LINE] = "end each key with LF, or add longer keys with add()",
	[BLOOM_E_FIELD] = "fields count from 1, and the delimiter is a tab by default",
	[BLOOM_E_NO_PREVIOUS] = "publish a corrected version instead",
	[BLOOM_E_JOURNAL_CLOSED] =
		("take a mark with Journal::mark() or bloom mark, then read the keys, build the "
		 "blob with that mark and publish it"),
	[BLOOM_E_MARK_REQUIRED] =
		("before you read the keys, take (new Journal($name, $store))->mark() and pass it "
		 "to build(), or the output of bloom mark to bloom build --mark; to end the "
		 "journal, publish with endJournal or --end-journal"),
	[BLOOM_E_BLOB_LACKS] = "read the keys again, then build and publish the blob",
	[BLOOM_E_MARKED] = "build it without a mark, or load it with its journal",
	[BLOOM_E_STORE_ALTERED] =
		"disable the client's serializer and compression, and correct the store",
	[BLOOM_E_BUILT_AHEAD] = "set the clock, or build the blob again with the right time",
};

static zend_class_entry *class_of(bloom_status status)
{
	switch (status) {
#define ARGUMENT_CASE(code, what, requirement) \
	case BLOOM_##code:                     \
		return zend_ce_value_error;
#define FAILURE_CASE(code, class, group, sentence) \
	case BLOOM_##code:                         \
		return php_bloom_ce_##class;
		BLOOM_STATUS_TABLE(ARGUMENT_CASE, FAILURE_CASE)
#undef ARGUMENT_CASE
#undef FAILURE_CASE
	case BLOOM_STATUS_COUNT:
		break;
	}
	return php_bloom_ce_Bloom;
}

void php_bloom_status_case(bloom_status status, char name[PHP_BLOOM_CASE_BYTES])
{
	static const char *const codes[BLOOM_STATUS_COUNT] = {
#define ARGUMENT_CODE(code, what, requirement) [BLOOM_##code] = #code,
#define FAILURE_CODE(code, class, group, sentence) [BLOOM_##code] = #code,
		BLOOM_STATUS_TABLE(ARGUMENT_CODE, FAILURE_CODE)
#undef ARGUMENT_CODE
#undef FAILURE_CODE
	};
	const char *at = codes[status] + strlen("E");
	char *end = name + PHP_BLOOM_CASE_BYTES - 1;

	for (; *at != 0 && name < end; at++) {
		if (*at != '_') {
			*name = *at;
			if (at[-1] != '_') {
				*name = (char)tolower((unsigned char)*at);
			}
			name++;
		}
	}
	*name = 0;
}

const char *php_bloom_remedy(bloom_status status)
{
	return (unsigned)status < BLOOM_STATUS_COUNT ? remedies[status] : NULL;
}

zend_string *php_bloom_error_text(const bloom_error *error)
{
	const char *remedy = php_bloom_remedy(error->status);

	return strpprintf(0, "%s%s%s%s%s%s%s%s", error->subject, error->subject[0] != 0 ? ": " : "",
		bloom_status_sentence(error->status), error->os_error != 0 ? ": " : "",
		error->os_error != 0 ? strerror(error->os_error) : "", remedy != NULL ? " (" : "",
		remedy != NULL ? remedy : "", remedy != NULL ? ")" : "");
}

void php_bloom_throw(const bloom_error *error)
{
	zend_string *text = php_bloom_error_text(error);

	zend_throw_exception(class_of(error->status), ZSTR_VAL(text), (zend_long)error->status);
	zend_string_release(text);
}

void php_bloom_throw_argument(const bloom_error *error, uint32_t argument)
{
	const char *requirement = bloom_status_requirement(error->status);

	if (requirement != NULL) {
		zend_argument_value_error(argument, "%s", requirement);
	} else {
		php_bloom_throw(error);
	}
}

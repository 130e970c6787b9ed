#include "php/store/memcached_client.h"

#include <string.h>

#include <zend_exceptions.h>

#include "php/classes.h"
#include "php/store/store.h"

zend_long php_bloom_memcached_constant(const php_bloom_client *client, const char *name)
{
	const zend_class_constant *found =
		zend_hash_str_find_ptr(&client->object->ce->constants_table, name, strlen(name));

	return found != NULL && Z_TYPE(found->value) == IS_LONG ? Z_LVAL(found->value) : -1;
}

bool php_bloom_memcached_throw(
	const php_bloom_client *client, const char *command, const char *method)
{
	zend_string *message = php_bloom_client_text(client, method);
	const char *text = message != NULL ? ZSTR_VAL(message) : "nothing", *end;

	/* Keep only REASON of "(0x…) REASON,  host: … -> ./source.cc:1". */
	if (strncmp(text, "(0x", 3) == 0 && strchr(text, ' ') != NULL) {
		text = strchr(text, ' ') + 1;
	}
	end = strstr(text, " -> ");
	if (EG(exception) == NULL) {
		zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE,
			"%s: Memcached answered %s with %.*s", bloom_status_sentence(BLOOM_E_STORE),
			command, end != NULL ? (int)(end - text) : (int)strlen(text), text);
	}
	if (message != NULL) {
		zend_string_release(message);
	}
	return false;
}

bool php_bloom_memcached_is_well(const php_bloom_client *client, const char *code_method)
{
	zend_long code = php_bloom_client_number(client, code_method);

	return code == php_bloom_memcached_constant(client, "RES_SUCCESS") ||
		code == php_bloom_memcached_constant(client, "RES_NOTFOUND");
}

static bool get_option(const php_bloom_client *client, const char *name, zval *value)
{
	zval option;

	ZVAL_LONG(&option, php_bloom_memcached_constant(client, name));
	return php_bloom_client_call(client, "getOption", 1, &option, value);
}

/* Refuses a client that changes keys, or that does not wait for the answer to a write. */
static bool check_options(const php_bloom_client *client, bool is_write)
{
	static const struct {
		const char *name, *why, *remedy;
		bool is_of_writes;
	} refused[] = {
		{"OPT_PREFIX_KEY", "its option %s changes every key (%s)",
			"unset it, and pass the prefix to MemcachedStore", false},
		{"OPT_BUFFER_WRITES",
			"with its option %s it cannot report whether a value was "
			"stored (%s)",
			"turn it off", true},
		{"OPT_NOREPLY",
			"with its option %s it cannot report whether a value was stored (%s)",
			"turn it off", true},
	};
	bool is_on;
	size_t i;
	zval value;

	for (i = 0; i < sizeof refused / sizeof *refused; i++) {
		if (refused[i].is_of_writes && !is_write) {
			continue;
		}
		if (!get_option(client, refused[i].name, &value)) {
			return false;
		}
		is_on = zend_is_true(&value);
		zval_ptr_dtor(&value);
		if (is_on) {
			php_bloom_client_refuse(refused[i].why, refused[i].name, refused[i].remedy);
			return false;
		}
	}
	return true;
}

bool php_bloom_memcached_begin(zend_object *self, php_bloom_client *client, bool is_write)
{
	if (!php_bloom_client_begin(self, client)) {
		return false;
	}
	if (check_options(client, is_write)) {
		return true;
	}
	php_bloom_client_end(client, true);
	return false;
}

bool php_bloom_memcached_begin_write(zend_object *self, php_bloom_memcached_write *write)
{
	zval off;

	if (!php_bloom_memcached_begin(self, &write->client, true)) {
		return false;
	}
	write->option = php_bloom_memcached_constant(&write->client, "OPT_COMPRESSION");
	ZVAL_FALSE(&off);
	if (php_bloom_client_override(&write->client, write->option, &off, &write->compression)) {
		return true;
	}
	php_bloom_client_end(&write->client, true);
	return false;
}

void php_bloom_memcached_end_write(php_bloom_memcached_write *write, bool ok)
{
	php_bloom_client_restore(&write->client, write->option, &write->compression);
	php_bloom_client_end(&write->client, ok);
	if (!ok) {
		(void)php_bloom_store_wrap();
	}
}

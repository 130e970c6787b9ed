/* Runs scripts in Redis, and proves that each answer is the answer.
 *
 *     EVALSHA digest n key… nonce sum mode argument…   ──►  {nonce, result, nonce}
 *
 * Every operation of RedisStore is such a script. Requests and answers on a connection can get out
 * of step. A timeout leaves an answer behind, which the client takes for the answer to its next
 * request, and if only half of a request was sent, the server takes the next one for the rest.
 * Therefore each request has a new random number, the nonce, which the script returns. It stands at
 * both ends of the answer, because ext-redis 5 may return an answer with a damaged middle if the
 * server stops within it. Any other answer is an error, after which the store never uses the
 * connection again. Also, the script does nothing unless `sum`, the SHA-1 of all other parts of the
 * request, is right.
 *
 * The keys and values on the wire are exactly those that were passed, because the client's prefix,
 * serializer and compression do not apply. The script selects the client's database itself,
 * because ext-redis 5 connects again without doing so.
 *
 * RedisCluster may send half of a request, and then all of it again on the same connection. The
 * server takes the end of the second copy for commands. So for this client the arguments are
 * escaped such that no part of them is a command, and the script decodes them.
 */
#ifndef PHP_BLOOM_REDIS_SCRIPT_H
#define PHP_BLOOM_REDIS_SCRIPT_H

#include "php/engine.h"

/* Makes a script of a body in Lua. The body returns the result, which may be a string, an integer,
 * an array of them, false, or the value of redis.error_reply(). Its first argument is ARGV[4]. */
#define PHP_BLOOM_REDIS_SCRIPT(body)                                                             \
	"local nonce, mode = ARGV[1], ARGV[3] "                                                  \
	"local keys, sent = table.concat(KEYS, '\\n'), table.concat(ARGV, '\\n', 3) "            \
	"if redis.sha1hex(nonce .. '\\n' .. keys .. '\\n' .. sent) ~= ARGV[2] then "             \
	"  return redis.error_reply('ERR the request was damaged on its way to the server') "    \
	"end "                                                                                   \
	"if mode == '~' then "                                                                   \
	"  local bytes = {['\\128'] = '\\0', ['\\138'] = '\\n', ['\\141'] = '\\r', ['\\254'] = " \
	"'~'} "                                                                                  \
	"  for i = 4, #ARGV do "                                                                 \
	"    ARGV[i] = string.gsub(string.sub(ARGV[i], 1, -3), '~(.)', bytes) "                  \
	"  end "                                                                                 \
	"end "                                                                                   \
	"local function run() "                                                                  \
	"  if tonumber(mode) then redis.call('SELECT', mode) end " body " "                      \
	"end "                                                                                   \
	"local ok, result = pcall(run) "                                                         \
	"if type(result) == 'table' and result.err then ok, result = false, result.err end "     \
	"if ok then return {nonce, result, nonce} end "                                          \
	"return {nonce, false, nonce, result}"

/* Runs a script. Throws a StoreException.
 *
 *   command    what the script does, for messages
 *   text       a PHP_BLOOM_REDIS_SCRIPT()
 *   keys       1 to PHP_BLOOM_STORE_KEYS_MAX full keys on one server, which exist until the end
 *   arguments  a packed array of strings; NULL: none
 *   *answer    the result, which the caller frees; null may stand for false
 *
 * Errors: the client throws; the server refuses the command; the answer does not have the nonce;
 * the client is inside MULTI or PIPELINE.
 *
 * Concurrency: a client that resends a request, as clients of clusters do, may run a script
 * twice. So a script must do no harm if it runs twice. */
bool php_bloom_redis_run(zend_object *store, const char *command, const char *text,
	const zval *keys, uint32_t count, zval *arguments, zval *answer);

/* Runs a script for one key, to which the prefix is added, and frees the arguments. */
bool php_bloom_redis_run_one(zend_object *store, const char *command, const char *text,
	const zend_string *key, zval *arguments, zval *answer);

/* Does the same with a script whose result is a number. */
bool php_bloom_redis_run_number(zend_object *store, const char *command, const char *text,
	const zend_string *key, zval *arguments, zend_long *number);

/* Returns the maximum number of keys in one script, or 0 after an exception. It is 1 on a cluster,
 * unless the prefix has a hash tag. */
uint32_t php_bloom_redis_keys_max(zend_object *store);

enum { PHP_BLOOM_SHA1_BYTES = 41 };

/* Writes a SHA-1 in hexadecimal, as redis.sha1hex() returns it. */
void php_bloom_redis_digest(const char *bytes, size_t count, char digest[PHP_BLOOM_SHA1_BYTES]);

/* Throws a StoreException for a result of the wrong type. */
void php_bloom_redis_throw_type(const char *command, const zval *result);

#endif

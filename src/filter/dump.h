/* Reads what the command DUMP of Redis and Valkey returns for a key whose value belongs to a
 * module.
 *
 *     │ 07 │ type │ opcode │ value │ opcode │ value │ … │ 00 │ u16 RDB version │ u64 CRC64 │
 *
 *     type     a length, 81 and 8 bytes: nine characters of 6 bits, then 10 bits for the version of
 *              the value's encoding
 *     opcode   a length: 2 if the value is an unsigned number, 4 a double, 5 a string
 *     number   a length
 *     length   00xxxxxx; 01xxxxxx and 1 byte; 80 and 4 bytes; or 81 and 8 bytes. Big-endian
 *     string   a length and that many bytes; or C3, the packed length, the unpacked length, and the
 *              string packed with LZF
 *
 * The other numbers are little-endian. The CRC64 covers everything before it.
 *
 * A string packed with LZF is a sequence of runs. A run begins with a byte:
 *
 *     000xxxxx                         x + 1 bytes follow as they are
 *     nnnooooo oooooooo                copies n + 2 bytes that begin o + 1 bytes before the end of
 *                                      the output; n is neither 0 nor 7
 *     111ooooo nnnnnnnn oooooooo       copies n + 9 bytes
 *
 * Sources: rdb.c, module.c and cluster.c of Valkey 8; the LZF format of Marc Lehmann's LibLZF.
 *
 * All functions are pure and allocate no memory. They never read beyond the given bytes.
 */
#ifndef BLOOM_DUMP_H
#define BLOOM_DUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/status.h"

enum {
	BLOOM_DUMP_NAME_BYTES = 9,
	/* A run of 3 bytes copies at most 264, and no other run copies more per byte. */
	BLOOM_LZF_RATIO_MAX = 88,
	/* A run copies bytes from at most this far before the end of the output. */
	BLOOM_LZF_WINDOW_BYTES = 8192,
};

typedef struct bloom_dump_type {
	char name[BLOOM_DUMP_NAME_BYTES + 1];
	uint32_t version;
} bloom_dump_type;

/* A string. `bytes` points into the payload. */
typedef struct bloom_dump_string {
	const unsigned char *bytes;
	uint64_t count;  /* stored bytes */
	uint64_t length; /* bytes after unpacking; equals `count` if the string is not packed */
	bool packed;
} bloom_dump_string;

/* A position in a payload. The first failure of a function below is kept in `status` and *error.
 * From then on, all of them return 0, so that callers need to check `status` only before they use
 * what they read. */
typedef struct bloom_dump {
	const unsigned char *next;
	const unsigned char *end; /* of the fields */
	bloom_status status;
	bloom_error *error;
} bloom_dump;

/* Returns true if the bytes begin like the payload of a module's value. Sets *type. */
bool bloom_dump_peek(const unsigned char *bytes, uint64_t count, bloom_dump_type *type);

/* Checks the CRC64 of a payload for which bloom_dump_peek() is true, and goes to its first field.
 *
 * Errors: BLOOM_E_FOREIGN. */
bloom_dump bloom_dump_open(const unsigned char *bytes, uint64_t count, bloom_error *error);

/* Read the next field.
 *
 *   what  names the field in an error, such as "the number of layers"
 *
 * Errors: BLOOM_E_FOREIGN if the field is of another kind, or not complete. */
uint64_t bloom_dump_number(bloom_dump *dump, const char *what);
double bloom_dump_double(bloom_dump *dump, const char *what);
bloom_dump_string bloom_dump_take(bloom_dump *dump, const char *what);

/* Requires that there are no more fields. */
bloom_status bloom_dump_close(bloom_dump *dump);

/* Writes a string's first bytes to `head`, and the others to `rest`. Returns false if the string
 * cannot be unpacked to exactly its length.
 *
 *   head_bytes  at most the string's length
 *   rest        room for the string's other bytes */
bool bloom_dump_unpack(const bloom_dump_string *string, unsigned char *head, uint64_t head_bytes,
	unsigned char *rest);

/* Does the same, but only determines whether any of the other bytes is not 0.
 *
 *   window  room for BLOOM_LZF_WINDOW_BYTES, which are too many for the stack */
bool bloom_dump_look(const bloom_dump_string *string, unsigned char *head, uint64_t head_bytes,
	unsigned char *window, bool *is_set);

/* The CRC64 of the payload: polynomial AD93D23594C935A9, reflected, without inversions. */
uint64_t bloom_dump_crc64(const unsigned char *bytes, uint64_t count);

#endif

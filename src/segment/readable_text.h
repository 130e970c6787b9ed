/* Text from a store, made safe to print. */
#ifndef BLOOM_READABLE_TEXT_H
#define BLOOM_READABLE_TEXT_H

#include <stddef.h>

/* Copies a store's message, which may contain any bytes. The copy is one line of complete UTF-8
 * characters, so it is safe in logs and valid in JSON: ASCII control characters become spaces;
 * other control characters and invalid bytes become "?".
 *
 *   target    `capacity` bytes. The copy ends with a null byte; what does not fit is left out */
void bloom_copy_readable(char *target, size_t capacity, const char *source);

#endif

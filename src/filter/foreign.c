#include "filter/foreign.h"

#include <string.h>

#include "filter/bytes.h"

typedef struct hash_pair {
	uint64_t h, g;
} hash_pair;

static uint64_t rotate(uint64_t word, int bits)
{
	return word << bits | word >> (64 - bits);
}

/* Returns up to 8 bytes as a little-endian number. */
static uint64_t tail_of(const unsigned char *bytes, size_t count)
{
	uint64_t word = 0;

	while (count-- > 0) {
		word = word << 8 | bytes[count];
	}
	return word;
}

/* ---- MurmurHash3 x64_128, seed 0 ---- */

static uint64_t murmur3_first(uint64_t word)
{
	return rotate(word * UINT64_C(0x87C37B91114253D5), 31) * UINT64_C(0x4CF5AD432745937F);
}

static uint64_t murmur3_second(uint64_t word)
{
	return rotate(word * UINT64_C(0x4CF5AD432745937F), 33) * UINT64_C(0x87C37B91114253D5);
}

static uint64_t murmur3_mix(uint64_t word)
{
	word = (word ^ (word >> 33)) * UINT64_C(0xFF51AFD7ED558CCD);
	word = (word ^ (word >> 33)) * UINT64_C(0xC4CEB9FE1A85EC53);
	return word ^ (word >> 33);
}

static hash_pair murmur3(const unsigned char *key, size_t key_bytes)
{
	size_t left = key_bytes;
	hash_pair pair = {0, 0};

	for (; left >= 16; key += 16, left -= 16) {
		pair.h ^= murmur3_first(bloom_get64(key));
		pair.h = (rotate(pair.h, 27) + pair.g) * 5 + 0x52DCE729;
		pair.g ^= murmur3_second(bloom_get64(key + 8));
		pair.g = (rotate(pair.g, 31) + pair.h) * 5 + 0x38495AB5;
	}
	/* The functions map 0 to 0, so missing bytes change nothing. */
	if (left > 8) {
		pair.g ^= murmur3_second(tail_of(key + 8, left - 8));
	}
	pair.h ^= murmur3_first(tail_of(key, left < 8 ? left : 8));
	pair.h ^= key_bytes;
	pair.g ^= key_bytes;
	pair.h += pair.g;
	pair.g += pair.h;
	pair.h = murmur3_mix(pair.h);
	pair.g = murmur3_mix(pair.g);
	pair.h += pair.g;
	pair.g += pair.h;
	return pair;
}

/* ---- MurmurHash64A ---- */

#define MURMUR64_FACTOR UINT64_C(0xC6A4A7935BD1E995)

static uint64_t murmur64(const unsigned char *key, size_t key_bytes, uint64_t seed)
{
	uint64_t hash = seed ^ (key_bytes * MURMUR64_FACTOR), word;
	size_t left = key_bytes;

	for (; left >= 8; key += 8, left -= 8) {
		word = bloom_get64(key) * MURMUR64_FACTOR;
		hash ^= (word ^ (word >> 47)) * MURMUR64_FACTOR;
		hash *= MURMUR64_FACTOR;
	}
	if (left > 0) {
		hash = (hash ^ tail_of(key, left)) * MURMUR64_FACTOR;
	}
	hash = (hash ^ (hash >> 47)) * MURMUR64_FACTOR;
	return hash ^ (hash >> 47);
}

/* ---- SipHash-1-3 ---- */

typedef struct sip_state {
	uint64_t v0, v1, v2, v3;
} sip_state;

static void sip_round(sip_state *state)
{
	state->v0 += state->v1;
	state->v2 += state->v3;
	state->v1 = rotate(state->v1, 13) ^ state->v0;
	state->v3 = rotate(state->v3, 16) ^ state->v2;
	state->v0 = rotate(state->v0, 32);
	state->v2 += state->v1;
	state->v0 += state->v3;
	state->v1 = rotate(state->v1, 17) ^ state->v2;
	state->v3 = rotate(state->v3, 21) ^ state->v0;
	state->v2 = rotate(state->v2, 32);
}

static void sip_word(sip_state *state, uint64_t word)
{
	state->v3 ^= word;
	sip_round(state);
	state->v0 ^= word;
}

/* Rust hashes a slice as its length, 8 bytes, followed by its bytes. */
static uint64_t siphash(const unsigned char *key, size_t key_bytes, const unsigned char *secret)
{
	uint64_t first = bloom_get64(secret), second = bloom_get64(secret + 8);
	sip_state state = {
		.v0 = first ^ UINT64_C(0x736F6D6570736575),
		.v1 = second ^ UINT64_C(0x646F72616E646F6D),
		.v2 = first ^ UINT64_C(0x6C7967656E657261),
		.v3 = second ^ UINT64_C(0x7465646279746573),
	};
	size_t left = key_bytes;

	sip_word(&state, key_bytes);
	for (; left >= 8; key += 8, left -= 8) {
		sip_word(&state, bloom_get64(key));
	}
	sip_word(&state, (uint64_t)(key_bytes + 8) << 56 | tail_of(key, left));
	state.v2 ^= 0xFF;
	sip_round(&state);
	sip_round(&state);
	sip_round(&state);
	return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

/* ---- from key to bits ---- */

static hash_pair hash(const bloom_foreign *filter, const unsigned char *key, size_t key_bytes)
{
	hash_pair pair;

	switch (filter->format) {
	case BLOOM_FOREIGN_REDISBLOOM:
		pair.h = murmur64(key, key_bytes, MURMUR64_FACTOR);
		pair.g = murmur64(key, key_bytes, pair.h);
		return pair;
	case BLOOM_FOREIGN_VALKEY_BLOOM:
		pair.h = siphash(key, key_bytes, filter->key);
		pair.g = siphash(key, key_bytes, filter->key + 16);
		return pair;
	default:
		return murmur3(key, key_bytes);
	}
}

/* Returns the bit of probe i in a layer of `bits` bits, numbered as in our own filters. */
static uint64_t bit_of(bloom_foreign_format format, hash_pair pair, uint32_t i, uint64_t bits)
{
	uint64_t sum = pair.h + i * pair.g;
	uint32_t half;

	switch (format) {
	case BLOOM_FOREIGN_VALKEYPROB:
		return sum % bits ^ 7;
	case BLOOM_FOREIGN_VALKEY_BLOOM:
		return (i == 0                  ? pair.h
				       : i == 1 ? pair.g
						: sum % UINT64_C(0xFFFFFFFFFFFFFFC5)) %
			bits;
	case BLOOM_FOREIGN_GUAVA_64:
		return (sum & INT64_MAX) % bits ^ 56;
	case BLOOM_FOREIGN_GUAVA_32:
		half = (uint32_t)pair.h + (i + 1) * (uint32_t)(pair.h >> 32);
		return (half > INT32_MAX ? ~half : half) % bits ^ 56;
	default:
		return sum % bits;
	}
}

static bool test_layer(bloom_foreign_format format, const bloom_foreign_layer *layer,
	const unsigned char *bits, hash_pair pair)
{
	uint64_t bit;
	uint32_t i;

	for (i = 0; i < layer->probes; i++) {
		bit = bit_of(format, pair, i, layer->bits);
		if ((bits[bit >> 3] >> (bit & 7) & 1) == 0) {
			return false;
		}
	}
	return true;
}

bool bloom_foreign_test(const bloom_foreign *filter, const unsigned char *key, size_t key_bytes)
{
	hash_pair pair = hash(filter, key, key_bytes);
	const unsigned char *end = filter->bits + filter->bytes;
	uint32_t i;

	/* The last layer is the largest, so it has most of the keys. */
	for (i = filter->layers; i > 0; i--) {
		bloom_foreign_layer layer =
			bloom_foreign_layer_get(filter->rows + (size_t)(i - 1) * BLOOM_ROW_BYTES);

		end -= (uint64_t)layer.shards * filter->shard_bytes;
		if (test_layer(filter->format, &layer, end, pair)) {
			return true;
		}
	}
	return false;
}

bool bloom_foreign_add(const bloom_foreign *filter, unsigned char *bits, const unsigned char *key,
	size_t key_bytes)
{
	bloom_foreign_layer layer = bloom_foreign_layer_get(filter->rows);
	hash_pair pair = hash(filter, key, key_bytes);
	bool is_new = false;
	uint64_t bit;
	uint32_t i;

	for (i = 0; i < layer.probes; i++) {
		bit = bit_of(filter->format, pair, i, layer.bits);
		is_new |= (bits[bit >> 3] >> (bit & 7) & 1) == 0;
		bits[bit >> 3] = (unsigned char)(bits[bit >> 3] | 1u << (bit & 7));
	}
	return is_new;
}

const char *bloom_foreign_digest(uint32_t format)
{
	return format == BLOOM_FOREIGN_REDISBLOOM      ? "MurmurHash64A"
		: format == BLOOM_FOREIGN_VALKEY_BLOOM ? "SipHash-1-3"
						       : "MurmurHash3 x64_128";
}

bloom_foreign bloom_foreign_of(const bloom_head *head, const unsigned char *bits)
{
	bloom_foreign filter = {
		.rows = head->layers,
		.bits = bits,
		.bytes = bloom_geometry_bytes(&head->geometry),
		.format = (bloom_foreign_format)head->geometry.foreign,
		.layers = head->geometry.layers,
		.shard_bytes = head->geometry.shard_bytes,
	};

	memcpy(filter.key, head->foreign_key, sizeof filter.key);
	return filter;
}

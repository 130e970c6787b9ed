/* Compares false-positive rates with their predictions: fills filters of every layout with keys of
 * several kinds, looks up at least 10^8 absent keys per row, and counts the hits.
 *
 *     rate RATE.tsv BITS.tsv [DIVISOR]
 *
 * RATE.tsv receives a row for each layout, kind of keys and rate. BITS.tsv receives the rates by
 * bits per key, for a plot. DIVISOR divides the number of absent keys, for a quick trial run.
 *
 * A row has two sigmas. Each states by how many standard deviations the hits differ from an
 * expected number of hits:
 *
 *   predicted   The expected number follows from bloom_geometry_rate(). The hits vary because
 *               lookups are a sample (Poisson) and because each filter's bits differ from the mean.
 *               The second variance is estimated from the rates of the row's filters, which have
 *               different seeds.
 *   bits        The expected number follows from the rate of these filters' bits, which is computed
 *               exactly. Only the lookups vary, so this is the sharper test of the digests.
 *
 * The predicted rate of a ribbon filter is an upper bound, so both sigmas of its rows are those of
 * the rate of its thresholds.
 *
 * The children of a node in a reverse index share their rows, so hits come in clusters. For a
 * reverse index, the variance is therefore estimated from the hits of each value.
 *
 * Among so many rows, chance alone occasionally puts a row beyond 3 sigma. Such a row is printed
 * and repeated with ten times as many absent keys. A real deviation then has 3.2 times as many
 * sigmas.
 *
 * The exit status is 1 if a repeated row is off by more than 3 sigma again, or if a key that was
 * added is not found.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build/builder.h"
#include "filter/rate.h"
#include "filter/ribbon.h"

#define SEED UINT64_C(20260101)
#define SIGMA_MAX 3.0

enum { KEY_BYTES_MAX = 256 };

/* ---- keys ---- */

/* Writes the key with this index. Returns its length. */
typedef size_t (*make_key)(uint64_t index, unsigned char *key);

static size_t put_decimal(uint64_t number, unsigned char *at)
{
	unsigned char digits[20];
	size_t count = 0, i;

	do {
		digits[count++] = (unsigned char)('0' + number % 10);
		number /= 10;
	} while (number != 0);
	for (i = 0; i < count; i++) {
		at[i] = digits[count - 1 - i];
	}
	return count;
}

static size_t counter(uint64_t index, unsigned char *key)
{
	return put_decimal(index, key);
}

static size_t binary_counter(uint64_t index, unsigned char *key)
{
	memcpy(key, &index, sizeof index);
	return sizeof index;
}

static size_t url(uint64_t index, unsigned char *key)
{
	static const char prefix[] = "https://www.example.com/shop/catalog/articles/";

	memcpy(key, prefix, sizeof prefix - 1);
	return sizeof prefix - 1 + put_decimal(index, key + sizeof prefix - 1);
}

/* Writes a UUID in its text form. */
static size_t put_uuid(uint64_t high, uint64_t low, unsigned char *key)
{
	static const char digits[] = "0123456789abcdef";
	size_t at = 0;
	int shift;

	for (shift = 60; shift >= 0; shift -= 4) {
		key[at++] = (unsigned char)digits[high >> shift & 15];
		if (shift == 32 || shift == 16) {
			key[at++] = '-';
		}
	}
	key[at++] = '-';
	for (shift = 60; shift >= 0; shift -= 4) {
		key[at++] = (unsigned char)digits[low >> shift & 15];
		if (shift == 48) {
			key[at++] = '-';
		}
	}
	return at;
}

#define VARIANT (UINT64_C(2) << 62)

static uint64_t random_word(uint64_t index, uint64_t stream)
{
	return bloom_mix13(bloom_mix13(index) + stream * UINT64_C(0x9E3779B97F4A7C15));
}

static size_t uuid_4(uint64_t index, unsigned char *key)
{
	uint64_t high = random_word(index, 1), low = random_word(index, 2);

	return put_uuid((high & ~UINT64_C(0xF000)) | 0x4000, low >> 2 | VARIANT, key);
}

/* Version 7 starts with a time in milliseconds. Here, each millisecond has 16 identifiers. */
static size_t uuid_7(uint64_t index, unsigned char *key)
{
	uint64_t ms = UINT64_C(1767225600000) + index / 16, low = random_word(index, 1);

	return put_uuid(
		ms << 16 | 0x7000 | (random_word(index, 2) & 0xFFF), low >> 2 | VARIANT, key);
}

static size_t random_bytes(uint64_t index, unsigned char *key, size_t count)
{
	uint64_t word;
	size_t i;

	for (i = 0; i < count; i += sizeof word) {
		word = random_word(index, i + 1);
		memcpy(key + i, &word, sizeof word);
	}
	return count;
}

static size_t random_16(uint64_t index, unsigned char *key)
{
	return random_bytes(index, key, 16);
}

static size_t random_256(uint64_t index, unsigned char *key)
{
	return random_bytes(index, key, 256);
}

/* Which absent keys are looked up if the present keys are 0, 1, …, n − 1. */
typedef enum absent_keys {
	NEXT,     /* n, n + 1, … */
	BETWEEN,  /* present keys have even indexes, absent keys have odd ones */
	ONE_FLIP, /* each bit of each present key, flipped */
} absent_keys;

typedef struct kind {
	const char *name;
	make_key make;
	absent_keys absent;
	uint32_t bits; /* ONE_FLIP: bits of a key */
} kind;

static const kind COUNTERS = {"counters", counter, NEXT, 0};
static const kind BINARY = {"64-bit counters, every other", binary_counter, BETWEEN, 0};
static const kind UUIDS_4 = {"UUIDs, version 4", uuid_4, NEXT, 0};
static const kind UUIDS_7 = {"UUIDs, version 7", uuid_7, BETWEEN, 0};
static const kind URLS = {"URLs with a common prefix", url, BETWEEN, 0};
static const kind FLIPS_16 = {"one of 128 bits flipped", random_16, ONE_FLIP, 128};
static const kind FLIPS_256 = {"one of 2,048 bits flipped", random_256, ONE_FLIP, 2048};

static void hash_present(const bloom_hasher *hasher, const kind *of, uint64_t first,
	bloom_digest *digests, uint32_t count)
{
	unsigned char key[KEY_BYTES_MAX];
	uint64_t index;
	uint32_t i;

	for (i = 0; i < count; i++) {
		index = of->absent == BETWEEN ? 2 * (first + i) : first + i;
		digests[i] = bloom_hash(hasher, key, of->make(index, key));
	}
}

/* Hashes absent keys of a filter with `keys` keys. */
static void hash_absent(const bloom_hasher *hasher, const kind *of, uint64_t keys, uint64_t first,
	bloom_digest *digests, uint32_t count)
{
	unsigned char key[KEY_BYTES_MAX];
	size_t key_bytes = 0;
	uint64_t index;
	uint32_t i, bit;

	if (of->absent != ONE_FLIP) {
		for (i = 0; i < count; i++) {
			index = of->absent == BETWEEN ? 2 * (first + i) + 1 : keys + first + i;
			digests[i] = bloom_hash(hasher, key, of->make(index, key));
		}
		return;
	}
	for (i = 0; i < count; i++) {
		bit = (uint32_t)((first + i) % of->bits);
		if (i == 0 || bit == 0) {
			key_bytes = of->make((first + i) / of->bits, key);
		}
		key[bit / 8] ^= (unsigned char)(1u << bit % 8);
		digests[i] = bloom_hash(hasher, key, key_bytes);
		key[bit / 8] ^= (unsigned char)(1u << bit % 8);
	}
}

/* ---- rows ---- */

typedef struct layout {
	const char *name;
	uint32_t block_bytes; /* 0: ribbon filter or reverse index */
	uint32_t probes;      /* 0: as many as the rate needs */
	uint64_t groups;
	bool ribbon, keyed;
} layout;

static const layout LINE = {.name = "64-byte blocks", .block_bytes = 64};
static const layout WIDE = {.name = "256-byte blocks", .block_bytes = 256};
static const layout CLASSIC = {.name = "classic, 8 KiB", .block_bytes = 8192};
static const layout RIBBON = {.name = "ribbon", .ribbon = true};
static const layout KEYED = {.name = "64-byte blocks, keyed", .block_bytes = 64, .keyed = true};
static const layout ONE_PROBE = {.name = "one probe", .block_bytes = 64, .probes = 1};
/* A tree of one level. The lookup of a value tests the 256 children of the root. */
static const layout REVERSE = {.name = "reverse index, a child", .groups = 256};
/* A tree of two levels. The rate is the number of wrong groups in an answer. */
static const layout REVERSE_DEEP = {.name = "reverse index, 65,536 groups", .groups = 65536};

typedef struct row {
	const layout *layout;
	const kind *kind;
	uint64_t keys; /* in each filter */
	uint32_t filters;
	double rate;
	double bits_per_key; /* instead of `rate` */
	uint64_t absent;     /* lookups in all filters together */
} row;

typedef struct outcome {
	bloom_geometry geometry;
	uint64_t image_bytes;
	uint32_t filters;
	double predicted;     /* rate */
	double bits_rate;     /* sum of the filters' rates */
	double bits_rate_two; /* sum of their squares */
	double bits_hits;     /* the hits that these rates predict */
	uint64_t asked, hits;
	double hits_two; /* reverse index: sum of the squares of each value's hits */
	uint64_t missing;
} outcome;

static uint64_t divisor = 1;
static bool failed;

static void fail(const char *what, const bloom_error *error)
{
	fprintf(stderr, "%s: error %d %s\n", what, error->status, error->subject);
	exit(1);
}

/* ---- looking up ---- */

static uint32_t test_many(const bloom_builder *builder, const bloom_ribbon *ribbon,
	const bloom_digest *digests, uint32_t count)
{
	uint32_t i;

	if (ribbon->bits != NULL) {
		return (uint32_t)__builtin_popcountll(
			bloom_ribbon_test_many(ribbon, digests, count));
	}
	for (i = 0; i < count; i++) {
		bloom_view_prefetch(&builder->view, digests[i]);
	}
	return (uint32_t)__builtin_popcountll(bloom_view_test_many(&builder->view, digests, count));
}

static void look_up(const row *this, const bloom_builder *builder, outcome *found)
{
	bloom_digest digests[BLOOM_BATCH_MAX];
	uint64_t at, absent = this->absent / divisor / this->filters;
	bloom_ribbon ribbon = {0};
	bloom_error error;
	bloom_head head;
	uint32_t count;

	if (this->layout->ribbon) {
		if (bloom_blob_parse(builder->image, builder->image_bytes, &head, &error)) {
			fail("ribbon", &error);
		}
		ribbon = bloom_ribbon_of(&head.geometry, builder->bits);
	}
	for (at = 0; at < this->keys; at += count) {
		count = (uint32_t)fmin(BLOOM_BATCH_MAX, (double)(this->keys - at));
		hash_present(&builder->hasher, this->kind, at, digests, count);
		found->missing += count - test_many(builder, &ribbon, digests, count);
	}
	for (at = 0; at < absent; at += count) {
		count = (uint32_t)fmin(BLOOM_BATCH_MAX, (double)(absent - at));
		hash_absent(&builder->hasher, this->kind, this->keys, at, digests, count);
		found->hits += test_many(builder, &ribbon, digests, count);
	}
	found->asked += absent;
}

static bool count_group(void *context, uint64_t group)
{
	(void)group;
	++*(uint64_t *)context;
	return true;
}

/* Spreads the values over the groups. */
static uint64_t group_of(const layout *of, uint64_t value)
{
	return value * 40503 % of->groups;
}

typedef struct wanted {
	uint64_t group;
	bool found;
} wanted;

static bool find_group(void *context, uint64_t group)
{
	wanted *search = context;

	search->found |= group == search->group;
	return true;
}

/* Looks up values. In a tree of one level, the lookup of a value tests as many children as there
 * are groups. */
static void look_up_groups(const row *this, const bloom_builder *builder, outcome *found)
{
	uint64_t at, hits, absent = this->absent / divisor / this->filters;
	bloom_digest digest;
	wanted search;

	absent = builder->reverse.levels == 1 ? absent / this->layout->groups : absent;
	for (at = 0; at < this->keys; at++) {
		hash_present(&builder->hasher, this->kind, at, &digest, 1);
		search = (wanted){.group = group_of(this->layout, at)};
		bloom_reverse_groups(&builder->reverse, digest, find_group, &search);
		found->missing += !search.found;
	}
	for (at = 0; at < absent; at++) {
		hash_absent(&builder->hasher, this->kind, this->keys, at, &digest, 1);
		hits = 0;
		bloom_reverse_groups(&builder->reverse, digest, count_group, &hits);
		found->hits += hits;
		found->hits_two += (double)hits * (double)hits;
	}
	found->asked += absent;
}

/* ---- filling ---- */

static void add_keys(const row *this, bloom_builder *builder)
{
	enum { MANY = 1024 };
	bloom_digest digests[MANY];
	unsigned char key[KEY_BYTES_MAX];
	uint64_t at;
	uint32_t count;

	for (at = 0; this->layout->groups != 0 && at < this->keys; at++) {
		bloom_builder_add_to_group(builder, group_of(this->layout, at), key,
			this->kind->make(this->kind->absent == BETWEEN ? 2 * at : at, key));
	}
	for (at = 0; this->layout->groups == 0 && at < this->keys; at += count) {
		count = (uint32_t)fmin(MANY, (double)(this->keys - at));
		hash_present(&builder->hasher, this->kind, at, digests, count);
		bloom_builder_add_digests(builder, digests, count);
	}
}

/* Returns the mean number of hits of a lookup: false positives, or false groups of an answer. */
static double hits_of(const bloom_geometry *geometry, double rate)
{
	return geometry->groups != 0 ? bloom_geometry_false_groups(geometry, rate, 0) : rate;
}

static void try_filter(const row *this, uint32_t number, const bloom_secret *secret, outcome *found)
{
	const layout *of = this->layout;
	bloom_params params = {
		.capacity_keys = this->keys,
		.rate = this->rate != 0 ? this->rate : 0.01,
		.bits_per_key = this->bits_per_key,
		.block_bytes = of->block_bytes,
		.shard_bytes = of->block_bytes > 1024 ? of->block_bytes : 0,
		.probes = of->probes,
		.groups = of->groups,
		.ribbon = of->ribbon,
		.secret = of->keyed ? secret : NULL,
	};
	uint64_t asked_before = found->asked;
	bloom_builder builder;
	bloom_error error;
	double rate;

	if (bloom_builder_init(&params, bloom_mix13(SEED + number), 0, &builder, &error)) {
		fail(of->name, &error);
	}
	add_keys(this, &builder);
	if (bloom_builder_finish(&builder, 0, 1, &error)) {
		fail(of->name, &error);
	}
	if (of->groups != 0) {
		look_up_groups(this, &builder, found);
	} else {
		look_up(this, &builder, found);
	}
	found->filters++;
	found->geometry = builder.geometry;
	found->image_bytes = builder.image_bytes;
	found->predicted = hits_of(&builder.geometry,
		bloom_geometry_rate(
			&builder.geometry, this->keys * bloom_geometry_levels(&builder.geometry)));
	rate = hits_of(&builder.geometry, builder.meta.measured_rate);
	found->bits_rate += rate;
	found->bits_rate_two += rate * rate;
	found->bits_hits += rate * (double)(found->asked - asked_before);
	bloom_builder_free(&builder);
}

/* ---- printing ---- */

static const char *const COLUMNS[] = {"layout", "kind of keys", "keys", "filters", "asked for",
	"predicted", "over the bits", "absent keys", "expected", "found", "sigmas off",
	"off the bits", "probes", "bits per key", "with head", NULL};

static void print_columns(FILE *table)
{
	int i;

	for (i = 0; COLUMNS[i] != NULL; i++) {
		fprintf(table, "%s%s", i == 0 ? "" : "\t", COLUMNS[i]);
	}
	fputc('\n', table);
}

static FILE *create_table(const char *path)
{
	FILE *table = fopen(path, "w"), *cpus = fopen("/proc/cpuinfo", "r");
	char line[256], *name = NULL;

	if (table == NULL) {
		perror(path);
		exit(1);
	}
	while (cpus != NULL && name == NULL && fgets(line, sizeof line, cpus) != NULL) {
		name = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
	}
	if (cpus != NULL) {
		fclose(cpus);
	}
	if (name != NULL) {
		name[strcspn(name, "\n")] = 0;
	}
	fprintf(table, "# %s; cc %s; seed %llu\n", name != NULL ? name + 2 : "unknown", __VERSION__,
		(unsigned long long)SEED);
	print_columns(table);
	return table;
}

/* The number of standard deviations by which the hits differ from those of the predicted rate and
 * from those of the rate of the bits. */
typedef struct deviation {
	double predicted, bits;
} deviation;

static double expected_hits(const outcome *of)
{
	return of->geometry.stripes != 0 ? of->bits_hits : (double)of->asked * of->predicted;
}

static deviation deviation_of(const outcome *of)
{
	double asked = (double)of->asked, filters = of->filters, hits = (double)of->hits;
	double mean = of->bits_rate / filters, expected = expected_hits(of);
	double between = filters < 2 || of->geometry.stripes != 0
		? 0
		: fmax(0, of->bits_rate_two - filters * mean * mean) / (filters - 1) / filters;
	double sample = of->geometry.groups != 0
		? fmax(expected, of->hits_two - hits * hits / asked)
		: asked * of->predicted * (1 - of->predicted);

	return (deviation){
		.predicted = (hits - expected) / sqrt(sample + asked * asked * between),
		.bits = (hits - of->bits_hits) / sqrt(sample),
	};
}

/* With a single filter, the variance between filters is unknown, so `predicted` is not checked. */
static bool is_off(const outcome *of)
{
	deviation sigmas = deviation_of(of);

	return fabs(sigmas.bits) > SIGMA_MAX ||
		(of->filters > 1 && fabs(sigmas.predicted) > SIGMA_MAX);
}

/* Prints a row to the table and to standard output. */
static void print_row(FILE *table, const row *this, const outcome *of)
{
	double keys = (double)this->keys, bytes = (double)bloom_geometry_bytes(&of->geometry);
	bool has_children = of->geometry.groups != 0 && bloom_geometry_levels(&of->geometry) == 1;
	double children = has_children ? (double)of->geometry.groups : 1;
	deviation sigmas = deviation_of(of);
	FILE *const files[] = {table, stdout};
	size_t i;

	for (i = 0; i < 2; i++) {
		fprintf(files[i],
			"%s\t%s\t%llu\t%u\t%.3g\t%.5g\t%.5g\t%.0f\t%.1f\t%llu\t%+.2f\t%+.2f"
			"\t%u\t%.3f\t%.3f\n",
			this->layout->name, this->kind->name, (unsigned long long)this->keys,
			of->filters, this->rate, of->predicted / children,
			of->bits_rate / of->filters / children, (double)of->asked * children,
			expected_hits(of), (unsigned long long)of->hits, sigmas.predicted,
			sigmas.bits, of->geometry.probes, bytes * 8 / keys,
			(double)of->image_bytes * 8 / keys);
		fflush(files[i]);
	}
}

/* Prints a row and fails if it is off. */
static void print_checked(FILE *table, const row *this, const outcome *of)
{
	print_row(table, this, of);
	if (of->missing != 0 || is_off(of)) {
		printf("FAILED: %llu present keys were not found, or the rate is off\n",
			(unsigned long long)of->missing);
		failed = true;
	}
}

static outcome try_filters(const row *this)
{
	static const unsigned char secret_bytes[BLOOM_SECRET_BYTES] = {1, 2, 3};
	bloom_secret secret = {0};
	outcome found = {0};
	bloom_error error;
	uint32_t i;

	if (this->layout->keyed && bloom_secret_make(secret_bytes, &secret, &error)) {
		fail(this->layout->name, &error);
	}
	for (i = 0; i < this->filters; i++) {
		try_filter(this, i, &secret, &found);
	}
	return found;
}

static outcome run(FILE *table, row this)
{
	uint64_t flips = this.keys * this.kind->bits;
	outcome found;

	/* ONE_FLIP yields only as many absent keys as the present keys have bits. */
	if (flips != 0 && this.absent / this.filters > flips) {
		this.filters = (uint32_t)(this.absent / flips) + 1;
	}
	found = try_filters(&this);
	if (is_off(&found) && found.missing == 0) {
		print_row(table, &this, &found);
		this.absent *= 10;
		this.filters *= flips != 0 ? 10 : 1;
		found = try_filters(&this);
	}
	print_checked(table, &this, &found);
	return found;
}

/* ---- the tables ---- */

static const double RATES[] = {1e-2, 1e-4, 1e-6, 1e-8};
enum { RATES_COUNT = sizeof RATES / sizeof *RATES };

/* At 10^-8, 10^8 absent keys would cause only one hit on average. */
static uint64_t absent_keys_at(double rate)
{
	return rate < 1e-7 ? 1000000000 : 100000000;
}

/* Prints a row for each kind of keys, and a row for all of them together. */
static void kinds_of_keys(FILE *table, const layout *of, double rate)
{
	static const kind *const kinds[] = {
		&COUNTERS, &BINARY, &UUIDS_4, &UUIDS_7, &URLS, &FLIPS_16, &FLIPS_256};
	static const kind all = {.name = "all of these"};
	row sum = {of, &all, 100000, 0, rate, 0, 0}, this;
	outcome total = {0}, one;
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		this = (row){of, kinds[i], sum.keys, 20, rate, 0, absent_keys_at(rate)};
		one = run(table, this);
		total.filters += one.filters;
		total.geometry = one.geometry;
		total.image_bytes = one.image_bytes;
		total.predicted = one.predicted;
		total.bits_rate += one.bits_rate;
		total.bits_rate_two += one.bits_rate_two;
		total.bits_hits += one.bits_hits;
		total.asked += one.asked;
		total.hits += one.hits;
	}
	print_checked(table, &sum, &total);
}

static void other_layouts(FILE *table)
{
	static const uint64_t one_probe_keys[] = {100000, 10000, 1000, 100};
	static const uint64_t reverse_absent[] = {1000000000, 1000000000, 4000000000, 10000000000};
	size_t r;

	for (r = 0; r < RATES_COUNT && bloom_has_sodium(); r++) {
		run(table, (row){&KEYED, &URLS, 100000, 20, RATES[r], 0, absent_keys_at(RATES[r])});
	}
	/* One probe needs 1 / rate bits per key, so filters with a low rate have few keys. */
	for (r = 0; r < RATES_COUNT; r++) {
		run(table,
			(row){&ONE_PROBE, &COUNTERS, one_probe_keys[r], 4, RATES[r], 0,
				absent_keys_at(RATES[r])});
	}
	for (r = 0; r < RATES_COUNT; r++) {
		run(table, (row){&REVERSE, &URLS, 100000, 10, RATES[r], 0, reverse_absent[r]});
	}
	run(table, (row){&REVERSE_DEEP, &URLS, 100000, 10, 1e-3, 0, 20000000});
	run(table, (row){&REVERSE_DEEP, &URLS, 100000, 10, 1e-4, 0, 20000000});
}

/* The more keys, the more bits of the digest select the block. */
static void other_sizes(FILE *table)
{
	static const layout *const layouts[] = {&LINE, &CLASSIC, &RIBBON};
	size_t l, r;

	for (l = 0; l < sizeof layouts / sizeof *layouts; l++) {
		run(table, (row){layouts[l], &COUNTERS, 10000, 20, 1e-2, 0, 100000000});
		run(table, (row){layouts[l], &COUNTERS, 1000000, 20, 1e-2, 0, 100000000});
		run(table, (row){layouts[l], &COUNTERS, 10000000, 4, 1e-2, 0, 100000000});
	}
	for (r = 1; r < RATES_COUNT; r++) {
		run(table,
			(row){&LINE, &COUNTERS, 10000000, 4, RATES[r], 0,
				absent_keys_at(RATES[r])});
	}
	run(table, (row){&LINE, &BINARY, 100000000, 2, 1e-2, 0, 100000000});
}

static void rate_by_bits(FILE *table)
{
	static const layout *const layouts[] = {&LINE, &WIDE, &CLASSIC};
	size_t l;
	int bits;

	for (bits = 4; bits <= 20; bits++) {
		for (l = 0; l < sizeof layouts / sizeof *layouts; l++) {
			run(table, (row){layouts[l], &BINARY, 1000000, 1, 0, bits, 20000000});
		}
		/* A ribbon filter is specified by its rate instead. */
		run(table, (row){&RIBBON, &BINARY, 1000000, 1, ldexp(1, 1 - bits), 0, 20000000});
	}
}

int main(int count, char **arguments)
{
	static const layout *const layouts[] = {&LINE, &WIDE, &CLASSIC, &RIBBON};
	FILE *table;
	size_t l, r;

	if (count < 3) {
		fprintf(stderr, "usage: rate RATE.tsv BITS.tsv [DIVISOR]\n");
		return 64;
	}
	divisor = count > 3 ? strtoull(arguments[3], NULL, 10) : 1;
	print_columns(stdout);
	table = create_table(arguments[1]);
	for (l = 0; l < sizeof layouts / sizeof *layouts; l++) {
		for (r = 0; r < RATES_COUNT; r++) {
			kinds_of_keys(table, layouts[l], RATES[r]);
		}
	}
	other_layouts(table);
	other_sizes(table);
	fclose(table);
	table = create_table(arguments[2]);
	rate_by_bits(table);
	fclose(table);
	return failed;
}

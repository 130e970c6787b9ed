#include "kinds/snapshot.h"

#include <string.h>

#include "filter/bytes.h"
#include "kinds/create.h"
#include "os/clock.h"

static const unsigned char magic[8] = {0x89, 'B', 'L', 'S', 'N', 'P', 0x0D, 0x0A};

/* The offsets of docs/format.md. */
enum {
	AT_VERSION = 8,
	AT_KIND = 12,
	AT_HEAD_BYTES = 16,
	AT_FILE_BYTES = 24,
	AT_PIECES = 32,
	AT_PIECE_BYTES = 40,
	AT_LAYERS = 44,
	AT_DIGEST = 48,
	AT_PIECE_DIGEST = 52,
	AT_SEED = 56,
	AT_CAPACITY = 64,
	AT_RATE = 72,
	AT_GROWTH = 80,
	AT_TIGHTENING = 88,
	AT_WINDOW = 96,
	AT_GROUPS = 104,
	AT_FAN_OUT = 112,
	AT_FINGERPRINT = 120,
	AT_CREATED = 128,
	AT_SAVED = 136,
	AT_SAVED_MONOTONIC = 144,
	AT_SAVED_BOOT = 152,
	AT_TURN_AGE = 160,
	AT_ID = 168,
	AT_SIGNER = 176,
	AT_SIGNATURE = 184,
	AT_BOUNDED = AT_SIGNATURE + BLOOM_SIGNATURE_BYTES,
	AT_TTL = AT_BOUNDED + 8,
	AT_RESERVED = AT_TTL + 8,
	/* in a layer row */
	ROW_SHARDS = 0,
	ROW_SHARD_BYTES = 8,
	ROW_BLOCK_BYTES = 12,
	ROW_PROBES = 16,
	ROW_RESERVED = 20,
	ROW_CAPACITY = 24,
	ROW_RATE = 32,
	ROW_KEYS = 40,
};

/* ---- numbers that are not integers: the bits of an IEEE 754 binary64 ---- */

static void put_double(unsigned char *at, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	bloom_put64(at, bits);
}

static double get_double(const unsigned char *at)
{
	uint64_t bits = bloom_get64(at);
	double value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

/* ---- sizes ---- */

bloom_geometry bloom_snapshot_geometry(const bloom_snapshot *snapshot, uint32_t layer)
{
	const bloom_layer *row = &snapshot->layer[layer];

	return (bloom_geometry){
		.seed = snapshot->seed,
		.shards = row->shards,
		.groups = snapshot->params.groups,
		.shard_bytes = row->shard_bytes,
		.block_bytes = row->block_bytes,
		.probes = row->probes,
		.fan_out = (uint32_t)snapshot->params.fan_out,
		.fingerprint = snapshot->params.fingerprint,
	};
}

uint64_t bloom_snapshot_layer_bytes(const bloom_snapshot *snapshot, uint32_t layer)
{
	uint32_t counter_bits = bloom_live_layout_of(snapshot->params.kind)->counter_bits;
	bloom_geometry geometry = bloom_snapshot_geometry(snapshot, layer);

	return bloom_geometry_bytes(&geometry) * (counter_bits != 0 ? counter_bits : 1);
}

static uint64_t pieces_of(uint64_t bytes)
{
	return (bytes + BLOOM_SNAPSHOT_PIECE_BYTES - 1) / BLOOM_SNAPSHOT_PIECE_BYTES;
}

bool bloom_snapshot_measure(bloom_snapshot *snapshot)
{
	uint64_t bytes = 0, pieces = 0, layer_bytes;
	uint32_t i;

	/* A layer has at most 4 TiB of bits, so 64 layers cannot overflow. */
	for (i = 0; i < snapshot->layers; i++) {
		layer_bytes = bloom_snapshot_layer_bytes(snapshot, i);
		bytes += layer_bytes;
		pieces += pieces_of(layer_bytes);
	}
	snapshot->pieces = pieces;
	snapshot->head_bytes = bloom_snapshot_digests_at(snapshot) +
		pieces * BLOOM_SNAPSHOT_DIGEST_BYTES + BLOOM_SNAPSHOT_CHECKSUM_BYTES;
	snapshot->file_bytes = snapshot->head_bytes + bytes;
	bytes = snapshot->head_bytes;
	for (i = 0; i < snapshot->layers; i++) {
		snapshot->layer[i].offset = bytes;
		bytes += bloom_snapshot_layer_bytes(snapshot, i);
	}
	return snapshot->file_bytes < UINT64_C(1) << 63;
}

uint64_t bloom_snapshot_digests_at(const bloom_snapshot *snapshot)
{
	return BLOOM_SNAPSHOT_FIXED_BYTES + (uint64_t)snapshot->layers * BLOOM_SNAPSHOT_ROW_BYTES;
}

bloom_snapshot_piece bloom_snapshot_locate(const bloom_snapshot *snapshot, uint64_t piece)
{
	uint64_t bytes = bloom_snapshot_layer_bytes(snapshot, 0), left;
	bloom_snapshot_piece found = {0};

	while (piece >= pieces_of(bytes)) {
		piece -= pieces_of(bytes);
		bytes = bloom_snapshot_layer_bytes(snapshot, ++found.layer);
	}
	found.at = piece * BLOOM_SNAPSHOT_PIECE_BYTES;
	found.offset = snapshot->layer[found.layer].offset + found.at;
	left = bytes - found.at;
	found.bytes = left < BLOOM_SNAPSHOT_PIECE_BYTES ? left : BLOOM_SNAPSHOT_PIECE_BYTES;
	return found;
}

bloom_status bloom_snapshot_verify(const bloom_snapshot *snapshot, uint64_t piece,
	const unsigned char *bytes, bloom_error *error)
{
	bloom_snapshot_piece found = bloom_snapshot_locate(snapshot, piece);
	unsigned char digest[BLOOM_CHUNK_DIGEST_BYTES];

	bloom_chunk_digest(snapshot->piece_digest, bytes, (size_t)found.bytes, digest);
	return memcmp(digest, snapshot->digests + piece * BLOOM_SNAPSHOT_DIGEST_BYTES,
		       sizeof digest) == 0
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_SNAPSHOT_PIECE, 0, "piece %llu",
			  (unsigned long long)piece);
}

/* ---- writing ---- */

static void make_signature(const unsigned char *bytes, uint64_t head_bytes, const char *name,
	const bloom_secret *key, unsigned char signature[BLOOM_SIGNATURE_BYTES])
{
	static const unsigned char zeros[BLOOM_SIGNATURE_BYTES];
	unsigned char length[8];
	const bloom_piece parts[] = {
		{length, sizeof length},
		{(const unsigned char *)name, strlen(name)},
		{bytes, AT_SIGNATURE},
		{zeros, sizeof zeros},
		{bytes + AT_BOUNDED,
			(size_t)(head_bytes - BLOOM_SNAPSHOT_CHECKSUM_BYTES - AT_BOUNDED)},
	};

	bloom_put64(length, strlen(name));
	bloom_authenticate(
		key, BLOOM_AUTHENTICATE_HEAD, parts, sizeof parts / sizeof *parts, signature);
}

static void write_fixed(const bloom_snapshot *snapshot, unsigned char *bytes)
{
	const bloom_live_params *params = &snapshot->params;

	memset(bytes, 0, BLOOM_SNAPSHOT_FIXED_BYTES);
	memcpy(bytes, magic, sizeof magic);
	bloom_put32(bytes + AT_VERSION, BLOOM_SNAPSHOT_VERSION);
	bloom_put32(bytes + AT_KIND, (uint32_t)params->kind);
	bloom_put64(bytes + AT_HEAD_BYTES, snapshot->head_bytes);
	bloom_put64(bytes + AT_FILE_BYTES, snapshot->file_bytes);
	bloom_put64(bytes + AT_PIECES, snapshot->pieces);
	bloom_put32(bytes + AT_PIECE_BYTES, BLOOM_SNAPSHOT_PIECE_BYTES);
	bloom_put32(bytes + AT_LAYERS, snapshot->layers);
	bloom_put32(bytes + AT_DIGEST,
		params->fingerprint != 0 ? BLOOM_DIGEST_SIPHASH : BLOOM_DIGEST_XXH3_64);
	bloom_put32(bytes + AT_PIECE_DIGEST, snapshot->piece_digest);
	bloom_put64(bytes + AT_SEED, snapshot->seed);
	bloom_put64(bytes + AT_CAPACITY, params->capacity_keys);
	put_double(bytes + AT_RATE, params->rate);
	put_double(bytes + AT_GROWTH, params->growth);
	put_double(bytes + AT_TIGHTENING, params->tightening);
	bloom_put64(bytes + AT_WINDOW, params->window_ms);
	bloom_put64(bytes + AT_GROUPS, params->groups);
	bloom_put64(bytes + AT_FAN_OUT, params->fan_out);
	bloom_put64(bytes + AT_FINGERPRINT, params->fingerprint);
	bloom_put64(bytes + AT_CREATED, snapshot->created_ms);
	bloom_put64(bytes + AT_SAVED, snapshot->saved_ms);
	bloom_put64(bytes + AT_SAVED_MONOTONIC, snapshot->saved_monotonic_ms);
	bloom_put64(bytes + AT_SAVED_BOOT, snapshot->saved_boot);
	bloom_put64(bytes + AT_TURN_AGE, snapshot->turn_age_ms);
	bloom_put64(bytes + AT_ID, snapshot->id);
	bloom_put64(bytes + AT_SIGNER, snapshot->signer);
	bloom_put64(bytes + AT_BOUNDED, params->is_bounded);
	bloom_put64(bytes + AT_TTL, snapshot->ttl_ms);
}

static void write_row(const bloom_layer *layer, unsigned char *row)
{
	bloom_put64(row + ROW_SHARDS, layer->shards);
	bloom_put32(row + ROW_SHARD_BYTES, layer->shard_bytes);
	bloom_put32(row + ROW_BLOCK_BYTES, layer->block_bytes);
	bloom_put32(row + ROW_PROBES, layer->probes);
	bloom_put32(row + ROW_RESERVED, 0);
	bloom_put64(row + ROW_CAPACITY, layer->capacity_keys);
	put_double(row + ROW_RATE, layer->rate);
	bloom_put64(row + ROW_KEYS, layer->keys);
}

void bloom_snapshot_write_head(const bloom_snapshot *snapshot, const char *name,
	const bloom_secret *key, unsigned char *bytes)
{
	uint64_t end = snapshot->head_bytes - BLOOM_SNAPSHOT_CHECKSUM_BYTES;
	uint32_t i;

	write_fixed(snapshot, bytes);
	for (i = 0; i < snapshot->layers; i++) {
		write_row(&snapshot->layer[i],
			bytes + BLOOM_SNAPSHOT_FIXED_BYTES + (size_t)i * BLOOM_SNAPSHOT_ROW_BYTES);
	}
	if (key != NULL) {
		make_signature(bytes, snapshot->head_bytes, name, key, bytes + AT_SIGNATURE);
	}
	bloom_put64(bytes + end, bloom_checksum(bytes, (size_t)end));
}

/* ---- parsing ---- */

bloom_status bloom_snapshot_peek(
	const unsigned char *bytes, uint64_t file_bytes, uint64_t *head_bytes, bloom_error *error)
{
	uint64_t claim = bloom_get64(bytes + AT_HEAD_BYTES);
	uint64_t least = BLOOM_SNAPSHOT_FIXED_BYTES + BLOOM_SNAPSHOT_ROW_BYTES +
		BLOOM_SNAPSHOT_DIGEST_BYTES + BLOOM_SNAPSHOT_CHECKSUM_BYTES;

	if (memcmp(bytes, magic, sizeof magic) != 0) {
		return bloom_fail(error, BLOOM_E_SNAPSHOT, 0, "offset 0");
	}
	if (bloom_get32(bytes + AT_VERSION) != BLOOM_SNAPSHOT_VERSION) {
		return bloom_fail(error, BLOOM_E_SNAPSHOT_VERSION, 0, "version %u",
			bloom_get32(bytes + AT_VERSION));
	}
	if (claim < least) {
		return bloom_fail(error, BLOOM_E_HEAD_BYTES, 0, "head of %llu bytes",
			(unsigned long long)claim);
	}
	if (claim > file_bytes) {
		return bloom_fail(error, BLOOM_E_LENGTH, 0, "%llu bytes for a head of %llu",
			(unsigned long long)file_bytes, (unsigned long long)claim);
	}
	*head_bytes = claim;
	return BLOOM_OK;
}

static bool is_zero(const unsigned char *bytes, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (bytes[i] != 0) {
			return false;
		}
	}
	return true;
}

static void read_fixed(const unsigned char *bytes, bloom_snapshot *snapshot)
{
	*snapshot = (bloom_snapshot){
		.params =
			{
				.kind = bloom_get32(bytes + AT_KIND),
				.capacity_keys = bloom_get64(bytes + AT_CAPACITY),
				.rate = get_double(bytes + AT_RATE),
				.growth = get_double(bytes + AT_GROWTH),
				.tightening = get_double(bytes + AT_TIGHTENING),
				.window_ms = bloom_get64(bytes + AT_WINDOW),
				.groups = bloom_get64(bytes + AT_GROUPS),
				.fan_out = bloom_get64(bytes + AT_FAN_OUT),
				.fingerprint = bloom_get64(bytes + AT_FINGERPRINT),
				.is_bounded = bloom_get64(bytes + AT_BOUNDED),
			},
		.seed = bloom_get64(bytes + AT_SEED),
		.created_ms = bloom_get64(bytes + AT_CREATED),
		.saved_ms = bloom_get64(bytes + AT_SAVED),
		.saved_monotonic_ms = bloom_get64(bytes + AT_SAVED_MONOTONIC),
		.saved_boot = bloom_get64(bytes + AT_SAVED_BOOT),
		.turn_age_ms = bloom_get64(bytes + AT_TURN_AGE),
		.id = bloom_get64(bytes + AT_ID),
		.signer = bloom_get64(bytes + AT_SIGNER),
		.ttl_ms = bloom_get64(bytes + AT_TTL),
		.piece_digest = bloom_get32(bytes + AT_PIECE_DIGEST),
		.layers = bloom_get32(bytes + AT_LAYERS),
	};
}

static void read_row(const unsigned char *row, bloom_layer *layer)
{
	*layer = (bloom_layer){
		.shards = bloom_get64(row + ROW_SHARDS),
		.shard_bytes = bloom_get32(row + ROW_SHARD_BYTES),
		.block_bytes = bloom_get32(row + ROW_BLOCK_BYTES),
		.probes = bloom_get32(row + ROW_PROBES),
		.capacity_keys = bloom_get64(row + ROW_CAPACITY),
		.rate = get_double(row + ROW_RATE),
		.keys = bloom_get64(row + ROW_KEYS),
	};
}

/* Returns false for -0, which create() never stores. */
static bool is_double_zero(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits == 0;
}

/* Checks the kind and the number of layers. */
static bloom_status check_kind(const bloom_snapshot *snapshot, bloom_error *error)
{
	const bloom_live_layout *layout = bloom_live_layout_of(snapshot->params.kind);
	uint32_t least, most;

	if (layout == NULL) {
		return bloom_fail(error, BLOOM_E_SNAPSHOT_KIND, 0, "kind %u",
			(unsigned)snapshot->params.kind);
	}
	least = layout->saved_layers != 0 ? layout->saved_layers : layout->layers;
	most = layout->saved_layers != 0 ? layout->saved_layers : layout->layers_max;
	return snapshot->layers >= least && snapshot->layers <= most
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_SNAPSHOT_KIND, 0, "%u layers", snapshot->layers);
}

/* Checks the parameters. A parameter that the kind does not use must be 0, so that create() with
 * the same parameters accepts the restored filter. */
static bloom_status check_params(const bloom_snapshot *snapshot, bloom_error *error)
{
	const bloom_live_params *params = &snapshot->params;
	const bloom_live_layout *layout = bloom_live_layout_of(params->kind);
	bool grows = layout->layers_max > layout->layers;
	bloom_error detail;
	const char *what = NULL;

	if (bloom_live_params_check_ranges(params, &detail) != BLOOM_OK) {
		what = bloom_status_sentence(detail.status);
	} else if (!grows &&
		(!is_double_zero(params->growth) || !is_double_zero(params->tightening))) {
		what = "growth";
	} else if (layout->saved_age == NULL &&
		(params->window_ms != 0 || snapshot->turn_age_ms != 0)) {
		what = "window";
	} else if (layout->has_groups ? params->groups == 0
				      : params->groups != 0 || params->fan_out != 0) {
		what = "groups";
	} else if (snapshot->id > BLOOM_SNAPSHOT_ID_MAX) {
		what = "id";
	} else if (snapshot->ttl_ms > BLOOM_TTL_MS_MAX) {
		what = "time to live";
	}
	return what == NULL ? BLOOM_OK
			    : bloom_fail(error, BLOOM_E_SNAPSHOT_PARAMS, 0, "%.120s", what);
}

static bloom_status check_layer(const bloom_snapshot *snapshot, uint32_t layer, bloom_error *error)
{
	const bloom_live_layout *layout = bloom_live_layout_of(snapshot->params.kind);
	const bloom_layer *row = &snapshot->layer[layer];
	bloom_geometry geometry = bloom_snapshot_geometry(snapshot, layer);
	bloom_geometry first = bloom_snapshot_geometry(snapshot, 0);

	/* The slots of a sliding filter are equal. */
	if (bloom_geometry_check(&geometry) != BLOOM_OK ||
		(layout->saved_layers != 0 && !bloom_geometry_is_equal(&geometry, &first))) {
		return bloom_fail(error, BLOOM_E_GEOMETRY, 0, "layer %u", layer);
	}
	/* The comparison of the rate is false for NaN. The rate of a late layer is lower than that
	 * of any filter. */
	if (row->capacity_keys < 1 || row->capacity_keys > BLOOM_CAPACITY_MAX ||
		!(row->rate > 0 && row->rate <= BLOOM_RATE_MAX)) {
		return bloom_fail(error, BLOOM_E_SNAPSHOT_PARAMS, 0, "layer %u", layer);
	}
	return BLOOM_OK;
}

static bloom_status check_digests(
	const bloom_snapshot *snapshot, const unsigned char *bytes, bloom_error *error)
{
	bool is_signed = snapshot->piece_digest == BLOOM_CHUNK_DIGEST_BLAKE2B;

	if (bloom_get32(bytes + AT_DIGEST) !=
			(snapshot->params.fingerprint != 0 ? BLOOM_DIGEST_SIPHASH
							   : BLOOM_DIGEST_XXH3_64) ||
		(!is_signed && snapshot->piece_digest != BLOOM_CHUNK_DIGEST_XXH3_128) ||
		is_signed != (snapshot->signer != 0)) {
		return bloom_fail(error, BLOOM_E_SCHEME, 0, "digests");
	}
	if (!is_zero(bytes + AT_RESERVED, BLOOM_SNAPSHOT_FIXED_BYTES - AT_RESERVED) ||
		(!is_signed && !is_zero(bytes + AT_SIGNATURE, BLOOM_SIGNATURE_BYTES))) {
		return bloom_fail(error, BLOOM_E_RESERVED, 0, "offset %d", AT_SIGNATURE);
	}
	return BLOOM_OK;
}

/* Reads the layer rows, which must fit into the head. */
static bloom_status read_layers(
	const unsigned char *bytes, uint64_t count, bloom_snapshot *snapshot, bloom_error *error)
{
	const unsigned char *row = bytes + BLOOM_SNAPSHOT_FIXED_BYTES;
	bloom_status status = BLOOM_OK;
	uint32_t i;

	if (bloom_snapshot_digests_at(snapshot) > count) {
		return bloom_fail(error, BLOOM_E_HEAD_BYTES, 0, "%u layers", snapshot->layers);
	}
	for (i = 0; status == BLOOM_OK && i < snapshot->layers;
		i++, row += BLOOM_SNAPSHOT_ROW_BYTES) {
		read_row(row, &snapshot->layer[i]);
		status = bloom_get32(row + ROW_RESERVED) == 0
			? check_layer(snapshot, i, error)
			: bloom_fail(error, BLOOM_E_RESERVED, 0, "layer %u", i);
	}
	return status;
}

/* Compares the sizes that the head states with those that follow from its layers. */
static bloom_status check_sizes(
	bloom_snapshot *snapshot, const unsigned char *bytes, uint64_t count, bloom_error *error)
{
	if (!bloom_snapshot_measure(snapshot) || snapshot->head_bytes != count ||
		bloom_get64(bytes + AT_PIECES) != snapshot->pieces ||
		bloom_get32(bytes + AT_PIECE_BYTES) != BLOOM_SNAPSHOT_PIECE_BYTES) {
		return bloom_fail(error, BLOOM_E_HEAD_BYTES, 0, "head of %llu bytes",
			(unsigned long long)count);
	}
	return bloom_get64(bytes + AT_FILE_BYTES) == snapshot->file_bytes
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_LENGTH, 0, "%llu bytes instead of %llu",
			  (unsigned long long)bloom_get64(bytes + AT_FILE_BYTES),
			  (unsigned long long)snapshot->file_bytes);
}

bloom_status bloom_snapshot_parse(
	const unsigned char *bytes, uint64_t count, bloom_snapshot *snapshot, bloom_error *error)
{
	uint64_t head_bytes = 0;
	bloom_status status;

	if (count < BLOOM_SNAPSHOT_FIXED_BYTES) {
		return bloom_fail(error, BLOOM_E_LENGTH, 0, "the head is truncated");
	}
	status = bloom_snapshot_peek(bytes, count, &head_bytes, error);
	if (status != BLOOM_OK) {
		return status;
	}
	if (head_bytes != count) {
		return bloom_fail(error, BLOOM_E_LENGTH, 0, "there are bytes after the head");
	}
	if (bloom_get64(bytes + count - BLOOM_SNAPSHOT_CHECKSUM_BYTES) !=
		bloom_checksum(bytes, (size_t)(count - BLOOM_SNAPSHOT_CHECKSUM_BYTES))) {
		return bloom_fail(error, BLOOM_E_HEAD_CHECKSUM, 0, "head of %llu bytes",
			(unsigned long long)count);
	}
	read_fixed(bytes, snapshot);
	status = check_kind(snapshot, error);
	if (status == BLOOM_OK) {
		status = check_params(snapshot, error);
	}
	if (status == BLOOM_OK) {
		status = check_digests(snapshot, bytes, error);
	}
	if (status == BLOOM_OK) {
		status = read_layers(bytes, count, snapshot, error);
	}
	if (status == BLOOM_OK) {
		status = check_sizes(snapshot, bytes, count, error);
	}
	snapshot->digests = bytes + bloom_snapshot_digests_at(snapshot);
	return status;
}

/* ---- signatures ---- */

bloom_status bloom_snapshot_check_signature(const bloom_snapshot *snapshot,
	const unsigned char *bytes, const char *name, const bloom_ring *ring, bloom_error *error)
{
	unsigned char expected[BLOOM_SIGNATURE_BYTES];
	const bloom_secret *key;
	bloom_error unknown;
	bool fits;

	if (ring == NULL || !ring->configured) {
		return BLOOM_OK;
	}
	if (ring->failure.status == BLOOM_OK && snapshot->signer == 0) {
		return bloom_fail(error, BLOOM_E_UNSIGNED, 0, "the snapshot of %.128s", name);
	}
	key = bloom_ring_find(ring, snapshot->signer, BLOOM_E_SIGNER, &unknown);
	if (key == NULL) {
		return bloom_fail(error, unknown.status, unknown.os_error, "%s", unknown.subject);
	}
	make_signature(bytes, snapshot->head_bytes, name, key, expected);
	fits = bloom_signature_equals(expected, bytes + AT_SIGNATURE);
	/* For a forged head, `expected` is the signature that the attacker needs. */
	bloom_wipe(expected, sizeof expected);
	return fits ? BLOOM_OK
		    : bloom_fail(error, BLOOM_E_SIGNATURE, 0, "the snapshot of %.128s", name);
}

/* ---- time ---- */

bloom_snapshot_clocks bloom_snapshot_clocks_now(void)
{
	return (bloom_snapshot_clocks){
		.wall_ms = bloom_clock_ms(),
		.monotonic_ms = bloom_monotonic_ms(),
		.boot = bloom_boot_id(),
	};
}

uint64_t bloom_snapshot_elapsed_ms(
	const bloom_snapshot *snapshot, const bloom_snapshot_clocks *clocks)
{
	bool are_known = snapshot->saved_boot != 0 && clocks->boot != 0;
	uint64_t uptime = are_known ? clocks->monotonic_ms : 0, wall;

	if (are_known && snapshot->saved_boot == clocks->boot) {
		return clocks->monotonic_ms > snapshot->saved_monotonic_ms
			? clocks->monotonic_ms - snapshot->saved_monotonic_ms
			: 0;
	}
	wall = clocks->wall_ms > snapshot->saved_ms ? clocks->wall_ms - snapshot->saved_ms : 0;
	/* The save was before this boot, so at least the duration of this boot has passed. */
	return wall >= uptime && wall <= BLOOM_SNAPSHOT_AGE_MS_MAX ? wall : uptime;
}

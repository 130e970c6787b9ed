<?php

namespace Bloom\Internal;

use Bloom\Status;

/**
 * The head of a blob: sections 1 to 3 and 7 of docs/format.md.
 *
 *     0        512            512 + 16·S      512 + 16·(S+C)            head_bytes
 *     ├ fixed ─┼─ S shard rows ┼─ C chunk rows ┼─ zeros ─┼ checksum ─┤ body …
 *
 * @phpstan-type Fields array{magic: string, version: int, reservedA: int, headBytes: int, fileBytes: int, shards: int,
 *         shardBytes: int, blockBytes: int, probes: int, scheme: int, digest: int, chunkDigest: int, seed: int, keys: int,
 *         setBits: int, capacity: int, askedRate: int, measuredRate: int, builtMs: int, chunkBytes: int, sourceBytes: int,
 *         source: string, more: string, keyedBy: int, signedBy: int, signature: string, epoch: int, offset: int, check: string,
 *         link: string, reserved: string}
 */
final class Head
{
    public const MAGIC = "\x89BLOOM\r\n";
    public const FIXED_BYTES = 512;
    public const SCHEME_BLOOM = 1;
    public const SCHEME_REVERSE = 2;
    public const SCHEME_RIBBON = 3;
    public const DIGEST_XXH3 = 1;
    public const DIGEST_SIPHASH = 2;
    public const RATE_UNIT = 1e15;
    public const CAPACITY_MAX = 1_000_000_000_000;
    public const WRONG_GROUPS_MAX = 10_000;
    public const AHEAD_MS_MAX = 86_400_000;
    private const ROW_BYTES = 16;
    private const FIELDS = 'a8magic/Vversion/VreservedA/PheadBytes/PfileBytes/Pshards/VshardBytes/VblockBytes/Vprobes/Vscheme/'
        . 'Vdigest/VchunkDigest/Pseed/Pkeys/PsetBits/Pcapacity/PaskedRate/PmeasuredRate/PbuiltMs/VchunkBytes/VsourceBytes/'
        . 'a128source/a16more/PkeyedBy/PsignedBy/a32signature/Pepoch/Poffset/a8check/a32link/a136reserved';

    public Geometry $geometry;
    public int $headBytes;
    public int $fileBytes;
    public int $scheme;
    public int $digest;
    public int $chunkDigest;
    public int $keys;
    public int $setBits;
    public int $capacity;
    /** In units of 10^-15, as is the next one. */
    public int $askedRate;
    public int $measuredRate;
    public int $builtMs;
    public int $chunkBytes;
    public string $source;
    public int $signedBy;
    /** The journal's position, or "" */
    public string $mark;
    /** The bytes of the head. */
    public string $bytes;

    /** Reads and checks a head. More bytes may follow. Does not check the body. */
    public static function parse(string $bytes): self
    {
        if (strlen($bytes) < self::FIXED_BYTES) {
            throw Failure::of(Status::Short, strlen($bytes) . ' bytes');
        }
        /** @var Fields $fields */
        $fields = unpack(self::FIELDS, $bytes);
        $head = new self();
        $head->take($fields);
        $head->checkFrame($bytes, $fields);
        $head->bytes = substr($bytes, 0, $head->headBytes);
        $head->checkScheme();
        $head->checkGeometry($fields);
        $head->checkMeta($fields);
        $head->checkRows();
        $head->checkRate();
        return $head;
    }

    /**
     * Reads and checks the head of a blob. Until its checksum is verified, only the size that it claims is used.
     *
     * @param resource $stream
     */
    public static function read($stream): self
    {
        $left = Streams::bytesLeft($stream);
        $bytes = Streams::take($stream, '', self::FIXED_BYTES);
        if (strlen($bytes) < self::FIXED_BYTES) {
            return self::parse($bytes);
        }
        /** @var Fields $fields */
        $fields = unpack(self::FIELDS, $bytes);
        $head = new self();
        $head->take($fields);
        // If the size is unknown, this one is larger than any blob.
        $head->checkSize($fields, $left ?? 2 * Geometry::FILTER_BYTES_MAX);
        Memory::check($head->headBytes);
        $bytes .= Streams::take($stream, '', $head->headBytes - self::FIXED_BYTES);
        if (strlen($bytes) < $head->headBytes) {
            throw Failure::of(Status::Length, 'the head is truncated');
        }
        return self::parse($bytes);
    }

    /** @return array{headBytes: int, chunkBytes: int}|null the sizes that a head states; null: it cannot be one */
    public static function sizes(string $bytes): ?array
    {
        if (strlen($bytes) < self::FIXED_BYTES) {
            return null;
        }
        /** @var Fields $fields */
        $fields = unpack(self::FIELDS, $bytes);
        $head = new self();
        $head->take($fields);
        $geometry = $head->geometry;
        $isHead = $fields['magic'] === self::MAGIC && $fields['version'] === 1 && $geometry->shardBytes >= 1024
            && $geometry->shardBytes <= 65536 && $geometry->shards >= 1
            && $geometry->shards <= intdiv(Geometry::FILTER_BYTES_MAX, $geometry->shardBytes)
            && $geometry->isValidChunk($head->chunkBytes)
            && $head->headBytes === self::bytesFor($geometry, $head->chunkBytes);
        return $isHead ? ['headBytes' => $head->headBytes, 'chunkBytes' => $head->chunkBytes] : null;
    }

    /** Reads and checks a head that comes without its body, as from a store. */
    public static function parseExactly(string $bytes): self
    {
        $head = self::parse($bytes);
        if (strlen($bytes) !== $head->headBytes) {
            throw Failure::of(Status::Length, sprintf('head of %d bytes', strlen($bytes)));
        }
        return $head;
    }

    /** Returns the key of a chunk in a store. */
    public function chunkKey(string $name, int $chunk): string
    {
        return $name . ':' . bin2hex($this->chunkDigestOf($chunk));
    }

    /** @return list<string> the keys of all chunks; equal chunks have the same key */
    public function chunkKeys(string $name): array
    {
        return array_map(fn (int $chunk): string => $this->chunkKey($name, $chunk), range(0, $this->chunks() - 1));
    }

    /** @param Fields $fields */
    private function take(array $fields): void
    {
        $this->headBytes = $fields['headBytes'];
        $this->fileBytes = $fields['fileBytes'];
        $this->scheme = $fields['scheme'];
        $this->digest = $fields['digest'];
        $this->chunkDigest = $fields['chunkDigest'];
        $this->keys = $fields['keys'];
        $this->setBits = $fields['setBits'];
        $this->capacity = $fields['capacity'];
        $this->askedRate = $fields['askedRate'];
        $this->measuredRate = $fields['measuredRate'];
        $this->builtMs = $fields['builtMs'];
        $this->chunkBytes = $fields['chunkBytes'];
        $this->signedBy = $fields['signedBy'];
        $isIndex = $this->scheme === self::SCHEME_REVERSE;
        /** @var array{groups: int, fanOut: int, end: int} $more */
        $more = unpack('Pgroups/VfanOut/Vend', $fields['more']);
        $this->geometry = new Geometry($fields['seed'], $fields['shards'], $fields['shardBytes'], $fields['blockBytes'],
            $fields['probes'], $isIndex ? $more['groups'] : 0, $isIndex ? $more['fanOut'] : 0,
            $this->scheme === self::SCHEME_RIBBON ? $more['groups'] & 0xFFFFFFFF : 0, $fields['keyedBy']);
        $this->source = substr($fields['source'], 0, min(128, $fields['sourceBytes']));
        $this->mark = Mark::text(pack('PPa8a32', $fields['epoch'], $fields['offset'], $fields['check'], $fields['link']));
    }

    /** @param Fields $fields */
    private function checkFrame(string $bytes, array $fields): void
    {
        $this->checkSize($fields, strlen($bytes));
        $checksum = strrev(hash('xxh3', substr($bytes, 0, $this->headBytes - 8), true));
        if ($checksum !== substr($bytes, $this->headBytes - 8, 8)) {
            throw Failure::of(Status::HeadChecksum, 'head');
        }
    }

    /** @param Fields $fields */
    private function checkSize(array $fields, int $bytes): void
    {
        if ($fields['magic'] !== self::MAGIC) {
            throw Failure::of(Status::Magic, 'blob');
        }
        if ($fields['version'] !== 1) {
            throw Failure::of(Status::Version, 'format version ' . $fields['version']);
        }
        if ($this->headBytes === 0 || $this->headBytes % 4096 !== 0) {
            throw Failure::of(Status::HeadBytes, sprintf('head of %u bytes', $this->headBytes));
        }
        if ($this->headBytes < 0 || $bytes < $this->headBytes) {
            throw Failure::of(Status::Length,
                sprintf('%d bytes, but the head alone needs %u', $bytes, $this->headBytes));
        }
    }

    private function checkScheme(): void
    {
        $isKeyed = $this->digest === self::DIGEST_SIPHASH && $this->geometry->fingerprint !== 0;
        $isSigned = $this->chunkDigest === 2 && $this->signedBy !== 0;
        if ($this->scheme < self::SCHEME_BLOOM || $this->scheme > self::SCHEME_RIBBON) {
            throw Failure::of(Status::Scheme, "scheme $this->scheme");
        }
        if ($this->digest !== self::DIGEST_XXH3 && !$isKeyed) {
            throw Failure::of(Status::Scheme, "digest $this->digest");
        }
        if ($this->chunkDigest !== 1 && !$isSigned) {
            throw Failure::of(Status::Scheme, "chunk digest $this->chunkDigest");
        }
        if (($isKeyed || $isSigned) && !extension_loaded('sodium')) {
            throw Failure::of(Status::Sodium, $isSigned ? 'signed blob' : 'keyed blob');
        }
    }

    /** @param Fields $fields */
    private function checkGeometry(array $fields): void
    {
        $geometry = $this->geometry;
        // A chunk size and 0 groups or stripes are checked last, because a plain filter has none.
        $problem = $geometry->problem() ?? match (true) {
            !$geometry->isValidChunk($this->chunkBytes) => Sentences::CHUNK_BYTES,
            $this->scheme === self::SCHEME_REVERSE && $geometry->groups === 0 => Sentences::GROUPS,
            $this->scheme === self::SCHEME_RIBBON && $geometry->stripes === 0 => Sentences::STRIPES,
            default => null,
        };
        if ($problem !== null) {
            throw Failure::of(Status::Geometry, Sentences::ALL[$problem][1]);
        }
        $unused = match ($this->scheme) {
            self::SCHEME_REVERSE => substr($fields['more'], 12),
            self::SCHEME_RIBBON => substr($fields['more'], 4),
            default => $fields['more'],
        };
        $mark = substr($this->bytes, 320, 56);
        $hasNoMark = $fields['epoch'] === 0 || $this->scheme === self::SCHEME_REVERSE;
        if ($fields['reservedA'] !== 0 || trim($unused . $fields['reserved'], "\0") !== ''
            || ($hasNoMark && trim($mark, "\0") !== '')
            || ($this->digest === self::DIGEST_XXH3 && $fields['keyedBy'] !== 0)
            || ($this->chunkDigest === 1 && trim(substr($this->bytes, 280, 40), "\0") !== '')) {
            throw Failure::of(Status::Reserved, 'head');
        }
        $tables = self::FIXED_BYTES + self::ROW_BYTES * ($geometry->shards + $this->chunks());
        if ($this->headBytes !== self::bytesFor($geometry, $this->chunkBytes)) {
            throw Failure::of(Status::HeadBytes, "head of $this->headBytes bytes");
        }
        if ($this->fileBytes !== $this->headBytes + $geometry->bytes()) {
            throw Failure::of(Status::Length, 'file size in the head');
        }
        if (trim(substr($this->bytes, $tables, $this->headBytes - 8 - $tables), "\0") !== '') {
            throw Failure::of(Status::Reserved, 'bytes after the tables');
        }
    }

    /** @param Fields $fields */
    private function checkMeta(array $fields): void
    {
        if ($this->capacity < 1 || $this->capacity > self::CAPACITY_MAX) {
            throw Failure::of(Status::Meta, 'capacity');
        }
        if ($this->askedRate < 0 || $this->measuredRate < 0
            || $this->askedRate > self::RATE_UNIT || $this->measuredRate > self::RATE_UNIT) {
            throw Failure::of(Status::Meta, 'rate');
        }
        if ($fields['sourceBytes'] > 128) {
            throw Failure::of(Status::Meta, 'source name');
        }
        if (trim(substr($fields['source'], $fields['sourceBytes']), "\0") !== '') {
            throw Failure::of(Status::Reserved, 'bytes after the source name');
        }
    }

    private function checkRows(): void
    {
        $geometry = $this->geometry;
        $keys = $setBits = 0;
        for ($shard = 0; $shard < $geometry->shards; $shard++) {
            $row = $this->row($shard);
            if ($geometry->stripes !== 0) {
                if ($row['setBits'] > 63 || $row['keys'] > 64 * $geometry->stripes) {
                    throw Failure::of(Status::ShardRow, "shard $shard");
                }
            } elseif ($row['setBits'] > intdiv($geometry->shardBytes * 8 * 15, 16)) {
                throw Failure::of(Status::Saturated, "shard $shard");
            } elseif ($row['keys'] > $row['setBits'] || $row['setBits'] > $row['keys'] * $geometry->probes) {
                throw Failure::of(Status::ShardKeys, "shard $shard");
            }
            $keys += $row['keys'];
            $setBits += $row['setBits'];
        }
        if ($keys !== $this->keys || $setBits !== $this->setBits) {
            throw Failure::of(Status::Totals, match (true) {
                $keys !== $this->keys => 'keys',
                $geometry->stripes !== 0 => 'attempts',
                default => 'set bits',
            });
        }
    }

    private function checkRate(): void
    {
        $geometry = $this->geometry;
        $rate = $this->measuredRate();
        if ($geometry->stripes !== 0) {
            $least = $most = Ribbon::rate($geometry);
        } else {
            $most = $this->setBits / ($geometry->bytes() * 8);
            $least = $most ** $geometry->probes;
        }
        if ($rate < $least * (1 - 1e-6) - 1e-15 || $rate > $most * (1 + 1e-6) + 1e-15) {
            throw Failure::of(Status::Meta, 'measured rate');
        }
        if ($geometry->groups !== 0 && Sizing::wrongGroups($geometry, $rate, 0) > self::WRONG_GROUPS_MAX) {
            throw Failure::of(Status::WrongGroups, 'measured rate');
        }
    }

    public function chunks(): int
    {
        return self::chunksOf($this->geometry, $this->chunkBytes);
    }

    private static function chunksOf(Geometry $geometry, int $chunkBytes): int
    {
        return intdiv($geometry->bytes() + $chunkBytes - 1, $chunkBytes);
    }

    /** Returns the size of the head of a filter. */
    public static function bytesFor(Geometry $geometry, int $chunkBytes): int
    {
        $tables = self::FIXED_BYTES + self::ROW_BYTES * ($geometry->shards + self::chunksOf($geometry, $chunkBytes));
        return intdiv($tables + 8 + 4095, 4096) * 4096;
    }

    /** @return array{keys: int, setBits: int, checksum: string} the last one in the byte order of the blob */
    public function row(int $shard): array
    {
        /** @var array{keys: int, setBits: int, checksum: string} $row */
        $row = unpack('Vkeys/VsetBits/a8checksum', $this->bytes, self::FIXED_BYTES + self::ROW_BYTES * $shard);
        return $row;
    }

    /** Returns the 16 bytes of a chunk's digest. */
    public function chunkDigestOf(int $chunk): string
    {
        return substr($this->bytes, self::FIXED_BYTES + self::ROW_BYTES * ($this->geometry->shards + $chunk), self::ROW_BYTES);
    }

    /** Refuses a blob from the future: no later version could replace it. */
    public function checkBuilt(string $name): void
    {
        $limit = Clock::milliseconds() + self::AHEAD_MS_MAX;
        if ($this->builtMs > $limit || $this->builtMs < 0) {
            throw Failure::of(Status::BuiltAhead,
                sprintf('%s: build time %u ms since 1970, at most %d allowed', $name, $this->builtMs, $limit));
        }
    }

    public function measuredRate(): float
    {
        return $this->measuredRate / self::RATE_UNIT;
    }

    public function askedRate(): float
    {
        return $this->askedRate / self::RATE_UNIT;
    }

    public function checksum(): string
    {
        return bin2hex(strrev(substr($this->bytes, -8)));
    }

    /** Verifies the body: the checksum and the set bits of each shard, then each chunk's digest. */
    public function verify(string $body): void
    {
        $geometry = $this->geometry;
        if (strlen($body) !== $geometry->bytes()) {
            throw Failure::of(Status::Length);
        }
        for ($shard = 0; $shard < $geometry->shards; $shard++) {
            $row = $this->row($shard);
            $bytes = substr($body, $shard * $geometry->shardBytes, $geometry->shardBytes);
            if (strrev(hash('xxh3', $bytes, true)) !== $row['checksum']) {
                throw Failure::of(Status::ShardChecksum, "shard $shard");
            }
            if ($geometry->stripes === 0 && Bits::count($bytes) !== $row['setBits']) {
                throw Failure::of(Status::ShardBits, "shard $shard");
            }
        }
        for ($chunk = 0; $chunk < $this->chunks(); $chunk++) {
            $bytes = substr($body, $chunk * $this->chunkBytes, $this->chunkBytes);
            if (self::digestOfChunk($bytes, $this->chunkDigest) !== $this->chunkDigestOf($chunk)) {
                throw Failure::of(Status::ChunkDigest, "chunk $chunk");
            }
        }
    }

    public static function digestOfChunk(string $bytes, int $kind): string
    {
        return $kind === 1 ? hash('xxh128', $bytes, true) : sodium_crypto_generichash($bytes, '', 16);
    }
}

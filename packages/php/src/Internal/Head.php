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
 *         source: string, more: string, keyedBy: int, signedBy: int, signature: string, mark: string, reserved: string}
 */
final class Head
{
    public const CAPACITY_MAX = 1_000_000_000_000;
    public const WRONG_GROUPS_MAX = 10_000;
    public const AHEAD_MS_MAX = 86_400_000;
    private const MAGIC = "\x89BLOOM\r\n";
    private const FIXED_BYTES = 512;
    private const ROW_BYTES = 16;
    private const RATE_UNIT = 1e15;
    private const BLOOM = 1;
    private const REVERSE = 2;
    private const RIBBON = 3;
    private const SIPHASH = 2;
    private const FIELDS = 'a8magic/Vversion/VreservedA/PheadBytes/PfileBytes/Pshards/VshardBytes/VblockBytes/Vprobes/Vscheme/'
        . 'Vdigest/VchunkDigest/Pseed/Pkeys/PsetBits/Pcapacity/PaskedRate/PmeasuredRate/PbuiltMs/VchunkBytes/VsourceBytes/'
        . 'a128source/a16more/PkeyedBy/PsignedBy/a32signature/a56mark/a136reserved';

    public readonly Geometry $geometry;
    public readonly int $headBytes;
    public readonly int $fileBytes;
    public readonly int $keys;
    public readonly int $setBits;
    public readonly int $capacity;
    public readonly int $builtMs;
    public readonly int $chunkBytes;
    public readonly string $source;
    public readonly int $signedBy;
    /** The journal's position, or "" */
    public readonly string $mark;
    /** @var int 1: XXH128; 2: BLAKE2b, of a signed blob */
    private readonly int $chunkDigest;

    /**
     * @param Fields $fields
     * @param string $bytes of the head
     */
    private function __construct(private readonly array $fields, public readonly string $bytes)
    {
        [$this->headBytes, $this->fileBytes, $this->keys] = [$fields['headBytes'], $fields['fileBytes'], $fields['keys']];
        [$this->setBits, $this->capacity, $this->builtMs] = [$fields['setBits'], $fields['capacity'], $fields['builtMs']];
        [$this->chunkBytes, $this->chunkDigest, $this->signedBy] = [$fields['chunkBytes'], $fields['chunkDigest'], $fields['signedBy']];
        $isIndex = $fields['scheme'] === self::REVERSE;
        /** @var array{groups: int, fanOut: int} $more */
        $more = unpack('Pgroups/VfanOut', $fields['more']);
        $this->geometry = new Geometry($fields['seed'], $fields['shards'], $fields['shardBytes'], $fields['blockBytes'],
            $fields['probes'], $isIndex ? $more['groups'] : 0, $isIndex ? $more['fanOut'] : 0,
            $fields['scheme'] === self::RIBBON ? $more['groups'] & 0xFFFFFFFF : 0, $fields['keyedBy']);
        $this->source = substr($fields['source'], 0, min(128, $fields['sourceBytes']));
        $this->mark = Mark::text($fields['mark']);
    }

    /** Reads and checks a head. More bytes may follow. Does not check the body. */
    public static function parse(string $bytes): self
    {
        $fields = self::fields($bytes);
        self::checkLength($fields['headBytes'], strlen($bytes));
        $head = new self($fields, substr($bytes, 0, $fields['headBytes']));
        if (self::sum(substr($head->bytes, 0, -8)) !== substr($head->bytes, -8)) {
            throw Failure::of(Status::HeadChecksum, 'head');
        }
        $head->checkScheme();
        $head->checkGeometry();
        $head->checkMeta();
        $head->checkRows();
        $head->checkRate();
        return $head;
    }

    /** Reads and checks a head that comes without its body, as from a store. */
    public static function parseExactly(string $bytes): self
    {
        $head = self::parse($bytes);
        return strlen($bytes) === $head->headBytes ? $head : throw Failure::of(Status::Length, sprintf('head of %d bytes', strlen($bytes)));
    }

    /**
     * Reads the bytes of a blob. Until the checksum is verified, only the size that the head claims is used.
     *
     * @param resource $stream
     * @param callable(int, int): mixed $progress called after each step
     */
    public static function readBlob($stream, callable $progress): string
    {
        $found = @fstat($stream);
        $isFile = $found !== false && ($found['mode'] & 0170000) === 0100000;
        $left = $isFile ? $found['size'] - (int) @ftell($stream) : 2 * Geometry::FILTER_BYTES_MAX;
        $bytes = Streams::take($stream, self::FIXED_BYTES);
        ['fileBytes' => $total, 'headBytes' => $headBytes] = self::fields($bytes);
        self::checkLength($headBytes, $left);
        Memory::check($total);
        while (strlen($bytes) < $total) {
            $piece = Streams::take($stream, min(Streams::STEP_BYTES, $total - strlen($bytes)));
            if ($piece === '') {
                break;
            }
            $bytes .= $piece;
            $progress(strlen($bytes), $total);
        }
        if (strlen($bytes) < $headBytes) {
            throw Failure::of(Status::Length, 'the head is truncated');
        }
        if (Streams::take($stream, 1) !== '') {
            throw Failure::of(Status::Length, "there are bytes after the blob's end");
        }
        return $bytes;
    }

    /** @return Fields */
    private static function fields(string $bytes): array
    {
        if (strlen($bytes) < self::FIXED_BYTES) {
            throw Failure::of(Status::Short, strlen($bytes) . ' bytes');
        }
        /** @var Fields $fields */
        $fields = unpack(self::FIELDS, $bytes);
        return match (true) {
            $fields['magic'] !== self::MAGIC => throw Failure::of(Status::Magic, 'blob'),
            $fields['version'] !== 1 => throw Failure::of(Status::Version, 'format version ' . $fields['version']),
            $fields['headBytes'] === 0 || $fields['headBytes'] % 4096 !== 0 =>
                throw Failure::of(Status::HeadBytes, sprintf('head of %u bytes', $fields['headBytes'])),
            default => $fields,
        };
    }

    private static function checkLength(int $headBytes, int $bytes): void
    {
        if ($headBytes < 0 || $bytes < $headBytes) {
            throw Failure::of(Status::Length, sprintf('%d bytes, but the head alone needs %u', $bytes, $headBytes));
        }
    }

    private static function sum(string $bytes): string
    {
        return strrev(hash('xxh3', $bytes, true));
    }

    // ---- checks ----

    private function checkScheme(): void
    {
        $isKeyed = $this->fields['digest'] === self::SIPHASH && $this->geometry->fingerprint !== 0;
        $isSigned = $this->chunkDigest === 2 && $this->signedBy !== 0;
        $problem = match (true) {
            $this->fields['scheme'] < self::BLOOM || $this->fields['scheme'] > self::RIBBON => "scheme {$this->fields['scheme']}",
            $this->fields['digest'] !== 1 && !$isKeyed => "digest {$this->fields['digest']}",
            $this->chunkDigest !== 1 && !$isSigned => "chunk digest $this->chunkDigest",
            default => null,
        };
        if ($problem !== null) {
            throw Failure::of(Status::Scheme, $problem);
        }
        if ($isKeyed || $isSigned) {
            Secret::require($isSigned ? 'signed blob' : 'keyed blob');
        }
    }

    private function checkGeometry(): void
    {
        [$geometry, $fields] = [$this->geometry, $this->fields];
        $scheme = $fields['scheme'];
        // A chunk size and 0 groups or stripes are checked last, because a plain filter has none.
        $problem = $geometry->problem() ?? match (true) {
            !$geometry->isValidChunk($this->chunkBytes) => Sentences::CHUNK_BYTES,
            $scheme === self::REVERSE && $geometry->groups === 0 => Sentences::GROUPS,
            $scheme === self::RIBBON && $geometry->stripes === 0 => Sentences::STRIPES,
            default => null,
        };
        if ($problem !== null) {
            throw Failure::of(Status::Geometry, Sentences::ALL[$problem][1]);
        }
        $unused = substr($fields['more'], [self::BLOOM => 0, self::REVERSE => 12, self::RIBBON => 4][$scheme] ?? 0) . $fields['reserved']
            . ($this->mark === '' || $scheme === self::REVERSE ? $fields['mark'] : '')
            . ($fields['digest'] === 1 ? pack('P', $fields['keyedBy']) : '')
            . ($this->chunkDigest === 1 ? pack('P', $this->signedBy) . $fields['signature'] : '');
        if ($fields['reservedA'] !== 0 || trim($unused, "\0") !== '') {
            throw Failure::of(Status::Reserved, 'head');
        }
        if ($this->headBytes !== self::bytesFor($geometry, $this->chunkBytes)) {
            throw Failure::of(Status::HeadBytes, "head of $this->headBytes bytes");
        }
        if ($this->fileBytes !== $this->headBytes + $geometry->bytes()) {
            throw Failure::of(Status::Length, 'file size in the head');
        }
        $tables = self::FIXED_BYTES + self::ROW_BYTES * ($geometry->shards + $this->chunks());
        if (trim(substr($this->bytes, $tables, $this->headBytes - 8 - $tables), "\0") !== '') {
            throw Failure::of(Status::Reserved, 'bytes after the tables');
        }
    }

    private function checkMeta(): void
    {
        $fields = $this->fields;
        $isRate = static fn (int $rate): bool => $rate >= 0 && $rate <= self::RATE_UNIT;
        $problem = match (true) {
            $this->capacity < 1 || $this->capacity > self::CAPACITY_MAX => 'capacity',
            !$isRate($fields['askedRate']) || !$isRate($fields['measuredRate']) => 'rate',
            $fields['sourceBytes'] > 128 => 'source name',
            default => null,
        };
        if ($problem !== null) {
            throw Failure::of(Status::Meta, $problem);
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
            $bits = $geometry->stripes !== 0 ? 'attempts' : 'set bits';
            throw Failure::of(Status::Totals, $keys !== $this->keys ? 'keys' : $bits);
        }
    }

    private function checkRate(): void
    {
        $geometry = $this->geometry;
        $rate = $this->measuredRate();
        $most = $geometry->stripes !== 0 ? Ribbon::rate($geometry) : $this->setBits / ($geometry->bytes() * 8);
        $least = $geometry->stripes !== 0 ? $most : $most ** $geometry->probes;
        if ($rate < $least * (1 - 1e-6) - 1e-15 || $rate > $most * (1 + 1e-6) + 1e-15) {
            throw Failure::of(Status::Meta, 'measured rate');
        }
        if ($geometry->groups !== 0 && Sizing::wrongGroups($geometry, $rate, 0) > self::WRONG_GROUPS_MAX) {
            throw Failure::of(Status::WrongGroups, 'measured rate');
        }
    }

    /** Refuses a blob from the future: no later version could replace it. */
    public function checkBuilt(string $name): void
    {
        $limit = System::milliseconds() + self::AHEAD_MS_MAX;
        if ($this->builtMs > $limit || $this->builtMs < 0) {
            throw Failure::of(Status::BuiltAhead,
                sprintf('%s: build time %u ms since 1970, at most %d allowed', $name, $this->builtMs, $limit));
        }
    }

    /** Verifies the body: the checksum and the set bits of each shard, then each chunk's digest. */
    public function verify(string $body): void
    {
        $geometry = $this->geometry;
        if (strlen($body) !== $geometry->bytes()) {
            throw Failure::of(Status::Length, sprintf('%d bytes instead of %d', $this->headBytes + strlen($body), $this->fileBytes));
        }
        foreach (self::pieces($body, $geometry->shardBytes) as $shard => $bytes) {
            $row = $this->row($shard);
            if (self::sum($bytes) !== $row['checksum']) {
                throw Failure::of(Status::ShardChecksum, "shard $shard");
            }
            if ($geometry->stripes === 0 && Bits::count($bytes) !== $row['setBits']) {
                throw Failure::of(Status::ShardBits, "shard $shard");
            }
        }
        foreach (self::pieces($body, $this->chunkBytes) as $chunk => $bytes) {
            if (!$this->isChunk($bytes, $chunk)) {
                throw Failure::of(Status::ChunkDigest, "chunk $chunk");
            }
        }
    }

    // ---- contents ----

    /** @return \Generator<int, string> pieces of this size, without a copy of all of them */
    private static function pieces(string $body, int $bytes): \Generator
    {
        for ($at = 0; $at < strlen($body); $at += $bytes) {
            yield substr($body, $at, $bytes);
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

    private function digestOf(int $chunk): string
    {
        return substr($this->bytes, self::FIXED_BYTES + self::ROW_BYTES * ($this->geometry->shards + $chunk), self::ROW_BYTES);
    }

    public function isChunk(string $bytes, int $chunk): bool
    {
        return strlen($bytes) === min($this->chunkBytes, $this->geometry->bytes() - $chunk * $this->chunkBytes)
            && self::digestOfChunk($bytes, $this->chunkDigest) === $this->digestOf($chunk);
    }

    private static function digestOfChunk(string $bytes, int $kind): string
    {
        return $kind === 1 ? hash('xxh128', $bytes, true) : sodium_crypto_generichash($bytes, '', 16);
    }

    /** @return non-empty-list<string> the keys of all chunks in a store; equal chunks have the same key */
    public function chunkKeys(string $name): array
    {
        return array_map(fn (int $chunk): string => $name . ':' . bin2hex($this->digestOf($chunk)), range(0, $this->chunks() - 1));
    }

    public function measuredRate(): float
    {
        return $this->fields['measuredRate'] / self::RATE_UNIT;
    }

    public function askedRate(): float
    {
        return $this->fields['askedRate'] / self::RATE_UNIT;
    }

    /** Returns whether the blob was built for a rate, to the digits that a head stores. */
    public function isRate(?float $rate): bool
    {
        return $rate === null || abs($rate - $this->askedRate()) * self::RATE_UNIT < 0.5;
    }

    public function checksum(): string
    {
        return bin2hex(strrev(substr($this->bytes, -8)));
    }

    /** Returns what a new head takes over from this one. */
    public function meta(): Meta
    {
        return new Meta($this->capacity, $this->askedRate(), $this->builtMs, $this->chunkBytes, $this->source, $this->fields['mark']);
    }

    // ---- writing ----

    /**
     * Makes the head of an unsigned blob.
     *
     * @param array<int, int> $keys of each shard; a missing one has none
     * @param list<int>|null $attempts of each shard of a ribbon filter; null: the set bits are counted
     */
    public static function make(Geometry $geometry, Meta $meta, string $body, array $keys, ?array $attempts = null): self
    {
        $rows = $chunkRows = '';
        $total = 0;
        foreach (self::pieces($body, $geometry->shardBytes) as $shard => $bytes) {
            $setBits = $attempts[$shard] ?? Bits::count($bytes);
            $total += $setBits;
            $rows .= pack('VV', $keys[$shard] ?? 0, $setBits) . self::sum($bytes);
        }
        foreach (self::pieces($body, $meta->chunkBytes) as $bytes) {
            $chunkRows .= self::digestOfChunk($bytes, 1);
        }
        $headBytes = self::bytesFor($geometry, $meta->chunkBytes);
        [$scheme, $more] = match (true) {
            $geometry->groups !== 0 => [self::REVERSE, pack('PV', $geometry->groups, $geometry->fanOut)],
            $geometry->stripes !== 0 => [self::RIBBON, pack('V', $geometry->stripes)],
            default => [self::BLOOM, ''],
        };
        // Rates are rounded to their unit; halves are rounded up.
        [$asked, $measured] = array_map(fn (float $rate): int => (int) floor($rate * self::RATE_UNIT + 0.5),
            [$meta->askedRate, Measure::rate($geometry, $body)]);
        $head = self::MAGIC . pack('VVPPPVVVVVVPPPPPPPVVa128a16PPa32a56', 1, 0, $headBytes, $headBytes + strlen($body), $geometry->shards,
            $geometry->shardBytes, $geometry->blockBytes, $geometry->probes, $scheme, $geometry->fingerprint !== 0 ? self::SIPHASH : 1, 1,
            $geometry->seed, array_sum($keys), $total, $meta->capacity, $asked, $measured, $meta->builtMs, $meta->chunkBytes,
            strlen($meta->source), $meta->source, $more, $geometry->fingerprint, 0, '', $meta->mark);
        $head = str_pad(str_pad($head, self::FIXED_BYTES, "\0") . $rows . $chunkRows, $headBytes - 8, "\0");
        return self::parse($head . self::sum($head));
    }

    /** Returns the head, signed for a filter name: section 6.1 of docs/format.md. */
    public function signed(string $body, string $name, Secret $key): self
    {
        $rows = '';
        foreach (self::pieces($body, $this->chunkBytes) as $bytes) {
            $rows .= self::digestOfChunk($bytes, 2);
        }
        $bytes = substr_replace($this->bytes, pack('V', 2), 60, 4);
        $bytes = substr_replace($bytes, pack('P', $key->fingerprint), 280, 8);
        $bytes = substr_replace($bytes, $rows, self::FIXED_BYTES + self::ROW_BYTES * $this->geometry->shards, strlen($rows));
        $bytes = substr(substr_replace($bytes, self::signature($bytes, $name, $key), 288, 32), 0, -8);
        return self::parse($bytes . self::sum($bytes));
    }

    private static function signature(string $head, string $name, Secret $key): string
    {
        return $key->sign('bloom signature ', [pack('P', strlen($name)), $name, substr($head, 0, 288), str_repeat("\0", 32),
            substr($head, 320, -8)]);
    }

    /** Checks that the blob may be used under a name, if signing keys are configured. */
    public function checkSignature(string $name): void
    {
        $signers = Secret::signers();
        if ($signers === null) {
            return;
        }
        if ($this->signedBy === 0) {
            throw Failure::of(Status::Unsigned, $name);
        }
        $key = $signers[$this->signedBy] ?? throw Failure::of(Status::Signer, sprintf('fingerprint %016x', $this->signedBy));
        if (!hash_equals(self::signature($this->bytes, $name, $key), $this->fields['signature'])) {
            throw Failure::of(Status::Signature, $name);
        }
    }
}

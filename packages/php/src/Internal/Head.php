<?php

namespace Bloom\Internal;

use Bloom\Kind;
use Bloom\Status;

/**
 * The head of a blob: docs/dev/blob.md.
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
    public const VERSION = 2;
    private const MAGIC = "\x89BLOOM\r\n";
    private const FIXED_BYTES = 512;
    private const ROW_BYTES = 16;
    private const RATE_UNIT = 1e15;
    private const BLOOM = 1;
    private const REVERSE = 2;
    private const RIBBON = 3;
    private const FOREIGN = 4;
    private const MAP = 5;
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

    /**
     * @param Fields $fields
     * @param string $bytes of the head
     */
    private function __construct(private readonly array $fields, public readonly string $bytes)
    {
        [$this->headBytes, $this->fileBytes, $this->keys] = [$fields['headBytes'], $fields['fileBytes'], $fields['keys']];
        [$this->setBits, $this->capacity, $this->builtMs] = [$fields['setBits'], $fields['capacity'], $fields['builtMs']];
        [$this->chunkBytes, $this->signedBy] = [$fields['chunkBytes'], $fields['signedBy']];
        $isIndex = $fields['scheme'] === self::REVERSE;
        $isMap = $fields['scheme'] === self::MAP;
        /** @var array{groups: int, fanOut: int} $more */
        $more = unpack('Pgroups/VfanOut', $fields['more']);
        $this->geometry = new Geometry($fields['seed'], $fields['shards'], $fields['shardBytes'], $fields['blockBytes'],
            $fields['probes'], $isIndex ? $more['groups'] : 0, $isIndex ? $more['fanOut'] : 0,
            $isMap || $fields['scheme'] === self::RIBBON ? $more['groups'] & 0xFFFFFFFF : 0, $fields['keyedBy'],
            $isMap ? Word::shiftRight($more['groups'], 32) : 0);
        $this->source = substr($fields['source'], 0, min(128, $fields['sourceBytes']));
        $this->mark = Mark::text($fields['mark']);
    }

    /** Reads and checks a head. More bytes may follow. Does not check the body. */
    public static function parse(string $bytes): self
    {
        $fields = self::fields($bytes, strlen($bytes));
        $head = new self($fields, substr($bytes, 0, $fields['headBytes']));
        self::require(self::sum(substr($head->bytes, 0, -8)) === substr($head->bytes, -8), Status::HeadChecksum);
        $head->checkGeometry();
        $head->checkPadding();
        $head->checkRows();
        $head->checkRate();
        return $head;
    }

    /** Reads and checks a head that comes without its body, as from a store. */
    public static function parseExactly(string $bytes): self
    {
        $head = self::parse($bytes);
        self::require(strlen($bytes) === $head->headBytes, Status::Length, sprintf('head of %d bytes', strlen($bytes)));
        return $head;
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
        ['fileBytes' => $total, 'headBytes' => $headBytes] = self::fields($bytes, $left);
        Memory::check($total);
        while (strlen($bytes) < $total) {
            $piece = Streams::take($stream, min(Streams::STEP_BYTES, $total - strlen($bytes)));
            if ($piece === '') {
                break;
            }
            $bytes .= $piece;
            $progress(strlen($bytes), $total);
        }
        self::require(strlen($bytes) >= $headBytes, Status::Length, 'the head is truncated');
        self::require(Streams::take($stream, 1) === '', Status::Length, "there are bytes after the blob's end");
        return $bytes;
    }

    /** @return Fields */
    private static function fields(string $bytes, int $available): array
    {
        self::require(strlen($bytes) >= self::FIXED_BYTES, Status::Short, strlen($bytes) . ' bytes');
        /** @var Fields $fields */
        $fields = unpack(self::FIELDS, $bytes);
        $headBytes = $fields['headBytes'];
        self::require($fields['magic'] === self::MAGIC, Status::Magic, 'blob');
        self::require($fields['version'] === self::VERSION, Status::Version, "format version {$fields['version']}");
        self::require($headBytes !== 0 && $headBytes % 4096 === 0, Status::HeadBytes,
            sprintf('head of %u bytes', $headBytes));
        self::require($headBytes > 0 && $available >= $headBytes, Status::Length,
            sprintf('%d bytes, but the head alone needs %u', $available, $headBytes));
        return $fields;
    }

    private static function sum(string $bytes): string
    {
        return strrev(hash('xxh3', $bytes, true));
    }

    // ---- checks ----

    private static function require(bool $isValid, Status $status, string $subject = 'head'): void
    {
        if (!$isValid) {
            throw Failure::of($status, $subject);
        }
    }

    private function checkGeometry(): void
    {
        [$geometry, $fields, $scheme] = [$this->geometry, $this->fields, $this->fields['scheme']];
        $isKeyed = $fields['digest'] === 2 && $geometry->fingerprint !== 0;
        $isSigned = $fields['chunkDigest'] === 2 && $this->signedBy !== 0;
        self::require($scheme !== self::FOREIGN, Status::Scheme, 'scheme 4, an imported filter, needs the extension bloom');
        self::require($scheme >= self::BLOOM && $scheme <= self::MAP, Status::Scheme, "scheme $scheme");
        self::require($fields['digest'] === 1 || $isKeyed, Status::Scheme, "digest {$fields['digest']}");
        self::require($fields['chunkDigest'] === 1 || $isSigned, Status::Scheme,
            "chunk digest {$fields['chunkDigest']}");
        self::require(!$isSigned || extension_loaded('sodium'), Status::Sodium, 'signed blob');
        // A chunk size and 0 groups or stripes are checked last, because a plain filter has none.
        $problem = $geometry->problem() ?? match (true) {
            !$geometry->isValidChunk($this->chunkBytes) => Sentences::CHUNK_BYTES,
            $scheme === self::REVERSE && $geometry->groups === 0 => Sentences::GROUPS,
            in_array($scheme, [self::RIBBON, self::MAP], true) && $geometry->stripes === 0 => Sentences::STRIPES,
            $scheme === self::MAP && $geometry->valueBits === 0 => Sentences::VALUE_BITS,
            default => null,
        };
        self::require($problem === null, Status::Geometry, (string) $problem);
        self::require($this->capacity >= 1 && $this->capacity <= self::CAPACITY_MAX, Status::Meta, 'capacity');
        foreach ([$fields['askedRate'], $fields['measuredRate']] as $rate) {
            self::require($rate >= 0 && $rate <= self::RATE_UNIT, Status::Meta, 'rate');
        }
        self::require($fields['sourceBytes'] <= 128, Status::Meta, 'source name');
        self::require($this->headBytes === self::bytesFor($geometry, $this->chunkBytes), Status::HeadBytes,
            "head of $this->headBytes bytes");
        self::require($this->fileBytes === $this->headBytes + $geometry->bytes(), Status::Length,
            'file size in the head');
    }

    /** Refuses bytes that have no meaning, because a later version may give them one. */
    private function checkPadding(): void
    {
        $fields = $this->fields;
        $used = [self::REVERSE => 12, self::RIBBON => 4, self::MAP => 8];
        $unused = substr($fields['more'], $used[$fields['scheme']] ?? 0)
            . $fields['reserved'] . pack('V', $fields['reservedA'])
            . ($this->mark === '' || !$this->geometry->hasJournal() ? $fields['mark'] : Mark::unused($fields['mark']))
            . ($fields['digest'] === 1 ? pack('P', $fields['keyedBy']) : '')
            . ($fields['chunkDigest'] === 1 ? pack('P', $this->signedBy) . $fields['signature'] : '');
        $tables = self::FIXED_BYTES + self::ROW_BYTES * ($this->geometry->shards + $this->chunks());
        self::require(trim($unused, "\0") === '', Status::Reserved);
        self::require(trim(substr($this->bytes, $tables, -8), "\0") === '', Status::Reserved, 'bytes after the tables');
        self::require(trim(substr($fields['source'], $fields['sourceBytes']), "\0") === '', Status::Reserved,
            'bytes after the source name');
    }

    private function checkRows(): void
    {
        $geometry = $this->geometry;
        $keys = $setBits = 0;
        for ($shard = 0; $shard < $geometry->shards; $shard++) {
            $row = $this->row($shard);
            $problem = match (true) {
                $geometry->stripes !== 0 => $row['setBits'] !== 0 ? Status::Reserved : null,
                $row['setBits'] > intdiv($geometry->shardBytes * 8 * 15, 16) => Status::Saturated,
                $row['keys'] > $row['setBits']
                    || $row['setBits'] > $row['keys'] * $geometry->probes => Status::ShardKeys,
                default => null,
            };
            self::require($problem === null, $problem ?? Status::Reserved,
                ($problem === Status::Reserved ? 'set bits of ' : '') . "shard $shard");
            $keys += $row['keys'];
            $setBits += $row['setBits'];
        }
        self::require($keys === $this->keys, Status::Totals, 'keys');
        self::require($setBits === $this->setBits, Status::Totals, 'set bits');
    }

    private function checkRate(): void
    {
        $geometry = $this->geometry;
        $rate = $this->measuredRate();
        // In a ribbon filter, all keys may start in wide stripes, or all may be bumped from the last level.
        $isRibbon = $geometry->stripes !== 0;
        $most = $isRibbon ? 1 : $this->setBits / ($geometry->bytes() * 8);
        $least = $isRibbon ? 2 ** -($geometry->probes + 1) : $most ** $geometry->probes;
        $most = $geometry->valueBits !== 0 ? 2 * $least : $most; // Such keys start in the spill shard.
        self::require($geometry->groups === 0 || Sizing::wrongGroups($geometry, $rate, 0) <= self::WRONG_GROUPS_MAX,
            Status::WrongGroups, 'measured rate');
        self::require($rate >= $least * (1 - 1e-6) - 1e-15 && $rate <= $most * (1 + 1e-6) + 1e-15, Status::Meta,
            'measured rate');
    }

    /** Refuses a blob from the future: no later version could replace it. */
    public function checkBuilt(string $name): void
    {
        $limit = System::milliseconds() + self::AHEAD_MS_MAX;
        self::require($this->builtMs >= 0 && $this->builtMs <= $limit, Status::BuiltAhead,
            sprintf('%s: build time %u ms since 1970, at most %d allowed', $name, $this->builtMs, $limit));
    }

    /** Verifies the body: the checksum and the set bits of each shard, then each chunk's digest. */
    public function verify(string $body): void
    {
        $geometry = $this->geometry;
        self::require(strlen($body) === $geometry->bytes(), Status::Length,
            sprintf('%d bytes instead of %d', $this->headBytes + strlen($body), $this->fileBytes));
        foreach (self::pieces($body, $geometry->shardBytes) as $shard => $bytes) {
            $row = $this->row($shard);
            self::require(self::sum($bytes) === $row['checksum'], Status::ShardChecksum, "shard $shard");
            self::require($geometry->stripes !== 0 || Bits::count($bytes) === $row['setBits'], Status::ShardBits,
                "shard $shard");
            self::require($geometry->valueBits === 0 || $shard < $geometry->shards - 1
                || (new Ribbon($geometry))->hasPlaces($bytes), Status::MapSpill, "shard $shard");
        }
        foreach (self::pieces($body, $this->chunkBytes) as $chunk => $bytes) {
            self::require($this->isChunk($bytes, $chunk), Status::ChunkDigest, "chunk $chunk");
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

    /** Returns the kind of a filter that is loaded as a whole. */
    public function kind(): Kind
    {
        return $this->geometry->valueBits !== 0 ? Kind::Map : Kind::Loaded;
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
        return substr($this->bytes, self::FIXED_BYTES + self::ROW_BYTES * ($this->geometry->shards + $chunk),
            self::ROW_BYTES);
    }

    public function isChunk(string $bytes, int $chunk): bool
    {
        return strlen($bytes) === min($this->chunkBytes, $this->geometry->bytes() - $chunk * $this->chunkBytes)
            && $this->digestOf($chunk) === ($this->fields['chunkDigest'] === 1 ? hash('xxh128', $bytes, true)
                : sodium_crypto_generichash($bytes, '', 16));
    }

    /** @return non-empty-list<string> the keys of all chunks in a store; equal chunks have the same key */
    public function chunkKeys(string $name): array
    {
        return array_map(fn (int $chunk): string => $name . ':' . bin2hex($this->digestOf($chunk)),
            range(0, $this->chunks() - 1));
    }

    public function measuredRate(): float
    {
        return $this->fields['measuredRate'] / self::RATE_UNIT;
    }

    public function askedRate(): float
    {
        return $this->fields['askedRate'] / self::RATE_UNIT;
    }

    /** Returns the rate that a new filter like this one is built for. */
    public function validRate(): float
    {
        return max(1e-9, min(0.5, $this->askedRate()));
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

    // ---- writing ----

    private static function schemeOf(Geometry $geometry): int
    {
        return match (true) {
            $geometry->valueBits !== 0 => self::MAP,
            $geometry->stripes !== 0 => self::RIBBON,
            default => $geometry->groups !== 0 ? self::REVERSE : self::BLOOM,
        };
    }

    /**
     * Makes the head of a blob.
     *
     * @param array<int, int> $keys of each shard; a missing one has none
     */
    public static function make(Geometry $geometry, Meta $meta, string $body, array $keys): self
    {
        $rows = $chunkRows = '';
        $total = 0;
        foreach (self::pieces($body, $geometry->shardBytes) as $shard => $bytes) {
            $setBits = $geometry->stripes !== 0 ? 0 : Bits::count($bytes);
            $total += $setBits;
            $rows .= pack('VV', $keys[$shard] ?? 0, $setBits) . self::sum($bytes);
        }
        foreach (self::pieces($body, $meta->chunkBytes) as $bytes) {
            $chunkRows .= hash('xxh128', $bytes, true);
        }
        $headBytes = self::bytesFor($geometry, $meta->chunkBytes);
        // Rates are rounded to their unit; halves are rounded up.
        [$asked, $measured] = array_map(fn (float $rate): int => (int) floor($rate * self::RATE_UNIT + 0.5),
            [$meta->askedRate, Measure::rate($geometry, $body)]);
        $head = self::MAGIC . pack('VVPPPVVVVVVPPPPPPPVVa128a16x48a56', self::VERSION, 0, $headBytes, $headBytes + strlen($body),
            $geometry->shards, $geometry->shardBytes, $geometry->blockBytes, $geometry->probes,
            self::schemeOf($geometry), 1, 1, $geometry->seed, array_sum($keys), $total, $meta->capacity, $asked,
            $measured, $meta->builtMs, $meta->chunkBytes, strlen($meta->source), $meta->source,
            $geometry->stripes !== 0 ? pack('VV', $geometry->stripes, $geometry->valueBits)
                : pack('PV', $geometry->groups, $geometry->fanOut), $meta->mark);
        $head = str_pad(str_pad($head, self::FIXED_BYTES, "\0") . $rows . $chunkRows, $headBytes - 8, "\0");
        return self::parse($head . self::sum($head));
    }
}

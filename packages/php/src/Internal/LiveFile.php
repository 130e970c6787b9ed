<?php

namespace Bloom\Internal;

use Bloom\Status;

/**
 * The file of a filter to which keys are added:
 *
 *     0        4      65536
 *     ├ length ┼ JSON ┼ layer ─┼ layer ─┼ …
 *
 * One writer at a time holds an exclusive lock on it, and readers hold a shared one.
 *
 * @internal
 *
 * @phpstan-type Params array{name: string, kind: string, capacity: int, rate: float, growth: float, tightening: float, windowMs: int,
 *         groups: int, fanOut: int, bounded: bool, fingerprint: int, seed: int}
 * @phpstan-type Layer array{offset: int, shards: int, shardBytes: int, blockBytes: int, probes: int, capacity: int, rate: float, keys: int}
 * @phpstan-type State array{params: Params, createdMs: int, layers: non-empty-list<Layer>, growthFailures: int, startMs: int,
 *         slot: int}
 */
final class LiveFile implements Region
{
    public const HEAD_BYTES = 65536;

    /** @var State what the head says */
    public array $state;
    private string $stored;

    /** @param resource $file */
    private function __construct(private $file)
    {
        $head = (string) fread($file, self::HEAD_BYTES);
        $length = strlen($head) >= 8 ? Unpack::word($head) & 0xFFFFFFFF : 0;
        $this->stored = substr($head, 4, $length);
        /** @var State|null $state */
        $state = json_decode($this->stored, true);
        if ($state === null) {
            throw Failure::of(Status::Live, 'live filter');
        }
        $this->state = $state;
    }

    /** @param State $state */
    public static function create(string $path, array $state, int $bytes): void
    {
        $head = self::encode($state);
        Streams::save($path, pack('V', strlen($head)) . $head, 0600);
        $file = System::retry(static fn () => @fopen($path, 'r+b'));
        $isExtended = $file !== false && ftruncate($file, max(0, self::HEAD_BYTES + $bytes));
        if ($file !== false) {
            fclose($file);
        }
        if (!$isExtended) {
            @unlink($path);
            throw Failure::of(Status::Space, sprintf('needs %d bytes', $bytes));
        }
    }

    /**
     * Runs a function with the file open and locked. Returns null if the file does not exist.
     *
     * @template T
     *
     * @param callable(self): T $work
     *
     * @return T|null
     */
    public static function use(string $path, bool $isWriter, callable $work): mixed
    {
        $file = System::retry(static fn () => @fopen($path, $isWriter ? 'r+b' : 'rb'));
        if ($file === false) {
            return null;
        }
        // Otherwise PHP would read 8 KiB to return a block.
        stream_set_read_buffer($file, 0);
        try {
            Lock::take($file, $isWriter ? LOCK_EX : LOCK_SH);
            $own = new self($file);
            try {
                return $work($own);
            } finally {
                $own->store();
            }
        } finally {
            fclose($file);
        }
    }

    /** @param State $state */
    private static function encode(array $state): string
    {
        return json_encode($state, JSON_PRESERVE_ZERO_FRACTION | JSON_THROW_ON_ERROR);
    }

    private function store(): void
    {
        $head = self::encode($this->state);
        if ($head !== $this->stored) {
            fseek($this->file, 0);
            fwrite($this->file, pack('V', strlen($head)) . $head);
        }
    }

    public function read(int $at, int $bytes): string
    {
        fseek($this->file, self::HEAD_BYTES + $at);
        return (string) stream_get_contents($this->file, $bytes);
    }

    public function set(int $at, string $byte): void
    {
        fseek($this->file, self::HEAD_BYTES + $at);
        fwrite($this->file, $byte);
    }

    public function write(int $at, string $bytes): void
    {
        fseek($this->file, self::HEAD_BYTES + $at);
        if (fwrite($this->file, $bytes) !== strlen($bytes)) {
            throw Failure::of(Status::Space, 'live filter');
        }
    }

    /** Makes space for a layer. Returns whether there is enough. */
    public function extend(int $bytes): bool
    {
        return ftruncate($this->file, max(0, self::HEAD_BYTES + $bytes));
    }
}

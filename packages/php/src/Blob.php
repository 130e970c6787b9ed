<?php

namespace Bloom;

use Bloom\Internal\Arguments;
use Bloom\Internal\Answers;
use Bloom\Internal\Bits;
use Bloom\Internal\Clock;
use Bloom\Internal\Failure;
use Bloom\Internal\Access;
use Bloom\Internal\Head;
use Bloom\Internal\Infos;
use Bloom\Internal\Keys;
use Bloom\Internal\Mark;
use Bloom\Internal\Measure;
use Bloom\Internal\Meta;
use Bloom\Internal\Publish;
use Bloom\Internal\Ring;
use Bloom\Internal\Sentences;
use Bloom\Internal\Signature;
use Bloom\Internal\Streams;
use Bloom\Internal\Writer;

/** The bytes of a finished filter. */
final class Blob implements Membership
{
    use Internal\Sealed;

    /** Internal\Access sets the properties. */
    private Head $head; // @phpstan-ignore property.onlyRead
    private string $body; // @phpstan-ignore property.onlyRead
    private ?Answers $answers = null;

    private function __construct()
    {
    }

    /**
     * Reads and verifies a blob: its head, its geometry, the checksum and the set bits of every shard, and the digest of
     * every chunk.
     * @param string|resource $file
     * @param (callable(int, int): mixed)|null $progress
     */
    public static function open($file, ?callable $progress = null): Blob
    {
        $stream = Streams::open($file, 'Blob::open');
        try {
            $head = Head::read($stream);
            Internal\Memory::check($head->fileBytes);
            for ($body = '', $end = $head->fileBytes - $head->headBytes; ($at = strlen($body)) < $end;) {
                $step = min(Streams::STEP_BYTES, $end - $at);
                $body .= Streams::take($stream, '', $step);
                if ($progress !== null) {
                    $progress($head->headBytes + $at, $head->fileBytes);
                }
                Streams::checkOpen($stream);
                if (strlen($body) < $at + $step) {
                    throw Failure::of(Status::Length,
                        sprintf('%d bytes instead of %d', $head->headBytes + strlen($body), $head->fileBytes));
                }
            }
            if (Streams::take($stream, '', 1) !== '') {
                throw Failure::of(Status::Length, "there are bytes after the blob's end");
            }
            $head->verify($body);
            if ($progress !== null) {
                $progress($head->fileBytes, $head->fileBytes);
            }
            return Access::blob($head, $body);
        } catch (BloomException $error) {
            // Exceptions from callbacks usually have no code.
            /** @psalm-suppress UnsafeInstantiation every exception of this package takes these arguments */
            throw is_string($file) && $error->getCode() !== 0
                ? new ($error::class)("$file: " . $error->getMessage(), $error->getCode()) : $error;
        } finally {
            if (is_string($file) && is_resource($stream)) {
                fclose($stream);
            }
        }
    }

    /** Verifies a blob as open() does, but takes its bytes as a string, for example from your own store. */
    public static function fromString(string $bytes): Blob
    {
        $head = Head::parse($bytes);
        if (strlen($bytes) !== $head->fileBytes) {
            throw Failure::of(Status::Length, sprintf('%d bytes instead of %d', strlen($bytes), $head->fileBytes));
        }
        $body = substr($bytes, $head->headBytes);
        $head->verify($body);
        return Access::blob($head, $body);
    }

    /**
     * Fetches the complete published version of a filter, without loading it.
     * @param (callable(int, int): mixed)|null $progress
     */
    public static function fetch(Store $store, string $name, ?callable $progress = null): Blob
    {
        Arguments::name($name, 'Blob::fetch', 2);
        return self::fromString(Internal\Fetch::blob(new Internal\CheckedStore($store), $name, $progress) ?? throw Failure::of(Status::StoreMissing, $name));
    }

    /**
     * Fetches a blob as fetch() does, but returns null if nothing is published under the name.
     * @param (callable(int, int): mixed)|null $progress
     */
    public static function find(Store $store, string $name, ?callable $progress = null): ?Blob
    {
        Arguments::name($name, 'Blob::find', 2);
        $bytes = Internal\Fetch::blob(new Internal\CheckedStore($store), $name, $progress);
        return $bytes === null ? null : self::fromString($bytes);
    }

    /** Returns a copy of all bytes, in the format of docs/format.md. */
    public function toString(): string
    {
        return $this->head->bytes . $this->body;
    }

    /**
     * Writes the blob to a file atomically: the call writes a temporary file in the same directory, syncs it and renames
     * it.
     */
    public function save(string $path): void
    {
        if ($path === '' || str_contains($path, "\0")) {
            throw Arguments::error('Blob::save', 1, 'path', $path === '' ? 'must be a path' : 'must not contain any null bytes');
        }
        Streams::save($path, $this->toString());
    }

    /**
     * Publishes the blob under a name.
     * @param (callable(int, int, string=): mixed)|null $progress
     * @return array{chunks: int, chunksWritten: int, bytesWritten: int, warning: ?string}
     */
    public function publish(
        Store $store,
        string $name,
        ?callable $progress = null,
        bool $force = false,
        bool $endJournal = false
    ): array {
        Arguments::name($name, 'Blob::publish', 2);
        if ($endJournal && $this->head->mark !== '') {
            throw new \ValueError('Bloom\Blob::publish(): Argument #5 ($endJournal) must be false for a blob with a mark, because hosts '
                . 'follow the journal of such a blob');
        }
        Signature::check($this->head, $name);
        $this->head->checkBuilt($name);
        return (new Publish($store, $name, $this->head, $this->body, $progress, $force, $endJournal))->run();
    }

    /**
     * Returns the versions of a filter in a store: the current one, the previous one, and the one that hosts are pinned
     * to if it is neither.
     * @return list<Version>
     */
    public static function versions(Store $store, string $name, bool $verify = false): array
    {
        throw Failure::needsExtension('versions()');
    }

    /** Makes hosts serve the previous version again, starting with their next sync, although it is older. */
    public static function rollback(Store $store, string $name): void
    {
        throw Failure::needsExtension('rollback()');
    }

    /** Makes hosts serve one version until unpin(), starting with their next sync. */
    public static function pin(Store $store, string $name, ?string $checksum = null): void
    {
        throw Failure::needsExtension('pin()');
    }

    /** Ends a pin or a rollback: hosts load the current version with their next sync. */
    public static function unpin(Store $store, string $name): void
    {
        throw Failure::needsExtension('unpin()');
    }

    /** Returns a copy of the blob, signed for a filter name with the current key of `bloom.signing_key_file`. */
    public function sign(string $name): Blob
    {
        Arguments::name($name, 'Blob::sign');
        return self::fromString(Signature::sign($this->head, $this->body, $name, Ring::current(Status::NoSigningKey)));
    }

    /** Returns false if the key is definitely not in the blob, and true if it might be. */
    public function mightContain(mixed $key): bool
    {
        return $this->answers()->has(Keys::of($key, 'Blob::mightContain'));
    }

    /**
     * See Filter::candidates().
     * @template TKey of array-key
     * @template TValue of string|int
     * @param array<TKey, TValue>|\Traversable<mixed, TValue> $keys
     * @return ($keys is array ? array<TKey, TValue> : list<TValue>)
     */
    public function candidates(iterable $keys): array
    {
        return Keys::candidates($keys, 'Blob::candidates', $this->answers()->has(...)); // @phpstan-ignore return.type (the type is conditional)
    }

    /**
     * Returns the groups that may contain a value; see ReverseIndex::groups().
     * @return list<int>
     */
    public function groups(mixed $value, int $limit = 100_000): array
    {
        $value = Keys::of($value, 'Blob::groups', 1, 'value');
        if ($limit < 1) {
            throw Arguments::error('Blob::groups', 2, 'limit', 'must be at least 1');
        }
        if ($this->head->geometry->groups === 0) {
            throw new KindException('This blob is not a reverse index', Status::Kind->value);
        }
        return $this->answers()->groups($value, $limit);
    }

    /** Returns a blob with all keys of this blob and of the other blobs. */
    public function merge(Blob ...$others): Blob
    {
        if ($others === []) {
            throw new \ArgumentCountError('Bloom\Blob::merge() expects at least 1 argument, 0 given');
        }
        return $this->mergeAll(array_values($others));
    }

    /** @param list<Blob> $others */
    private function mergeAll(array $others): Blob
    {
        $head = $this->head;
        $geometry = $head->geometry;
        $body = $this->body;
        $keys = array_map(fn (int $shard): int => $this->keysOf($body, $shard, 0, PHP_INT_MAX), range(0, $geometry->shards - 1));
        [$mark, $builtMs] = [substr($head->bytes, 320, 56), $head->builtMs];
        foreach ($others as $at => $other) {
            $this->checkSame($other, $at + 1, 'merge');
            $body |= $other->body;
            foreach ($keys as $shard => $mine) {
                $theirs = $other->head->row($shard)['keys'];
                $keys[$shard] = $this->keysOf($body, $shard, max($mine, $theirs), $mine + $theirs);
            }
            $builtMs = max($builtMs, $other->head->builtMs);
            $mark = Mark::earlier($mark, substr($other->head->bytes, 320, 56)) ?? throw Arguments::error(
                'Blob::merge', $at + 1, 'others',
                strstr(Sentences::ALL[Sentences::DIFFERENT][1], 'must') . ': the marks belong to different journals');
        }
        $meta = new Meta($head->capacity, $head->askedRate(), $builtMs, $head->chunkBytes, $head->source, $mark);
        return Access::blob(Head::parse(Writer::head($geometry, $meta, $body, $keys)), $body);
    }

    private function keysOf(string $body, int $shard, int $least, int $most): int
    {
        $geometry = $this->head->geometry;
        $setBits = Bits::count(substr($body, $shard * $geometry->shardBytes, $geometry->shardBytes));
        return Measure::keysOfShard($geometry, $setBits, $least, $most);
    }

    private function checkSame(Blob $other, int $argument, string $method): void
    {
        if ($this->head->geometry->stripes !== 0 || $other->head->geometry->stripes !== 0) {
            throw Failure::of(Status::Solved, 'scheme ribbon');
        }
        $difference = $this->head->geometry->difference($other->head->geometry);
        if ($difference !== null) {
            // A variadic parameter has no name in PHP's own messages.
            throw new \ValueError("Bloom\\Blob::$method(): Argument #$argument" . ($method === 'merge' ? '' : ' ($other)') . ' '
                . strstr(Sentences::ALL[Sentences::DIFFERENT][1], 'must') . ": $difference");
        }
    }

    public function info(): BlobInfo
    {
        return Infos::ofBlob($this->head);
    }

    private function answers(): Answers
    {
        return $this->answers ??= new Answers($this->head, $this->body);
    }
}

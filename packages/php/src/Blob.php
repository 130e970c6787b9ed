<?php

namespace Bloom;

use Bloom\Internal\Arguments;
use Bloom\Internal\Answers;
use Bloom\Internal\Bits;
use Bloom\Internal\Clock;
use Bloom\Internal\Failure;
use Bloom\Internal\Friend;
use Bloom\Internal\Head;
use Bloom\Internal\Infos;
use Bloom\Internal\Keys;
use Bloom\Internal\Mark;
use Bloom\Internal\Measure;
use Bloom\Internal\Meta;
use Bloom\Internal\Publishing;
use Bloom\Internal\Ring;
use Bloom\Internal\Sentences;
use Bloom\Internal\Signature;
use Bloom\Internal\Streams;
use Bloom\Internal\Versions;
use Bloom\Internal\Writer;

/** The bytes of a finished filter. */
final class Blob implements Membership
{
    use Internal\Sealed;

    /** Internal\Friend sets the properties. */
    private Head $head; // @phpstan-ignore property.onlyRead
    private string $body; // @phpstan-ignore property.onlyRead
    private ?Answers $answers = null;

    private function __construct()
    {
    }

    /**
     * Reads and verifies a blob: its head, its geometry, the checksum and the set bits of every shard,
     * and the digest of every chunk.
     *
     * @param string|resource $file path or URL of any PHP stream wrapper, or an open stream, which is
     *        read from its current position; nothing may follow the blob
     * @param (callable(int, int): mixed)|null $progress called with the bytes so far and in total, about every 4 MiB
     *
     * @throws FormatException if a check fails; the message names the check
     * @throws BloomException if the file cannot be opened or read
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
            return Friend::blob($head, $body);
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

    /**
     * Verifies a blob as open() does, but takes its bytes as a string, for example from your own store.
     *
     * @throws FormatException if a check fails; the message names the check
     */
    public static function fromString(string $bytes): Blob
    {
        $head = Head::parse($bytes);
        if (strlen($bytes) !== $head->fileBytes) {
            throw Failure::of(Status::Length, sprintf('%d bytes instead of %d', strlen($bytes), $head->fileBytes));
        }
        $body = substr($bytes, $head->headBytes);
        $head->verify($body);
        return Friend::blob($head, $body);
    }

    /**
     * Fetches the complete published version of a filter, without loading it.
     *
     * @param (callable(int, int): mixed)|null $progress called with the bytes so far and in total
     *
     * @throws StoreException if the store fails, or does not have the name or a chunk
     * @throws FormatException if the published bytes are not a valid blob
     * @throws SignatureException if signing keys are configured and the blob is not signed with one of
     *         them for this name
     * @throws SecretException if `bloom.signing_key_file` cannot be read
     * @throws BloomException if the filter is larger than the memory that memory_limit leaves
     * @throws \ValueError if the name is invalid
     */
    public static function fetch(Store $store, string $name, ?callable $progress = null): Blob
    {
        Arguments::name($name, 'Blob::fetch', 2);
        return self::fromString(Internal\Fetching::blob($store, $name, $progress) ?? throw Failure::of(Status::StoreMissing, $name));
    }

    /**
     * Fetches a blob as fetch() does, but returns null if nothing is published under the name.
     *
     * @param (callable(int, int): mixed)|null $progress called with the bytes so far and in total
     *
     * @throws StoreException if the store fails, or does not have a chunk
     * @throws FormatException if the published bytes are not a valid blob
     * @throws SignatureException if signing keys are configured and the blob is not signed with one of
     *         them for this name
     * @throws SecretException if `bloom.signing_key_file` cannot be read
     * @throws BloomException if the filter is larger than the memory that memory_limit leaves
     * @throws \ValueError if the name is invalid
     */
    public static function find(Store $store, string $name, ?callable $progress = null): ?Blob
    {
        Arguments::name($name, 'Blob::find', 2);
        $bytes = Internal\Fetching::blob($store, $name, $progress);
        return $bytes === null ? null : self::fromString($bytes);
    }

    /** Returns a copy of all bytes, in the format of docs/format.md. */
    public function toString(): string
    {
        return $this->head->bytes . $this->body;
    }

    /**
     * Writes the blob to a file atomically: the call writes a temporary file in the same directory,
     * syncs it and renames it. A new file has the mode 0666 minus the umask. If the call replaces a
     * file of this user, it keeps the file's mode and group. If it replaces another user's file, the
     * new file has no permission that the old one did not have. If root replaces a file of the
     * directory's owner, the new file also belongs to that owner.
     *
     * If the path is a symbolic link, the call replaces its target. In a directory where every user can
     * create links (sticky and writable by all, like /tmp), it follows only links of this user and of
     * the directory's owner.
     *
     * @throws BloomException if writing fails, or if a link is refused; an existing file then remains
     *         unchanged
     */
    public function save(string $path): void
    {
        if ($path === '' || str_contains($path, "\0")) {
            throw Arguments::error('Blob::save', 1, 'path', $path === '' ? 'must be a path' : 'must not contain any null bytes');
        }
        Streams::save($path, $this->toString());
    }

    /**
     * Publishes the blob under a name. The call first writes the chunks that the store does not have.
     * It then writes the head, which makes the version visible. Finally, it deletes chunks that neither
     * this version nor the previous version uses. If deleting fails, the version is still published:
     * `warning` contains the reason, and the next publish under the same name tries again.
     *
     * @param (callable(int, int, string=): mixed)|null $progress called with the bytes so far and of all chunks. If
     *        another publisher is deleting old chunks, this call waits up to one minute, or one second
     *        if that publisher was killed on this host. While the call waits, it calls $progress every
     *        second with a third argument, a string that gives the reason
     * @param bool $force write all chunks, even those that the store already has. This repairs damaged
     *        chunks
     * @param bool $endJournal end the filter's journal, because this blob and later ones have no mark.
     *        Journal::add() then throws, and hosts switch to this version and stop following the
     *        journal. Without this option, a blob without a mark is refused while keys can be added
     *
     * @return array{chunks: int, chunksWritten: int, bytesWritten: int, warning: ?string}
     *
     * @throws StoreException if the store fails; the previously published version remains published.
     *         Also thrown if the store is full and evicts a value that this call has just written;
     *         hosts then keep serving their current version
     * @throws FormatException if the blob was built more than a day ahead of this host's clock
     * @throws SignatureException if `bloom.signing_key_file` is set and the blob is not signed for this
     *         name
     * @throws KindException if keys can be added to the filter's journal, but the blob has no mark. With
     *         $endJournal, if the blob lacks keys of the journal, which has ended nevertheless: read the
     *         keys again, build and publish
     * @throws \ValueError if the name is invalid, or if $endJournal is true and the blob has a mark
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
        return (new Publishing($store, $name, $this->head, $this->body, $progress, $force, $endJournal))->run();
    }

    /**
     * Returns the versions of a filter in a store: the current one, the previous one, and the one that
     * hosts are pinned to if it is neither. The list is empty if nothing is published.
     *
     * Cost: one request to the store, and a read of those chunks here that a version also has.
     *
     * @param bool $verify fetch and check all chunks of these versions
     *
     * @return list<Version>
     *
     * @throws StoreException if the store fails. An unreadable head does not throw: see Version::$error
     * @throws \ValueError if the name is invalid
     */
    public static function versions(Store $store, string $name, bool $verify = false): array
    {
        Arguments::name($name, 'Blob::versions', 2);
        return (new Versions($store, $name))->list($verify);
    }

    /**
     * Makes hosts serve the previous version again, starting with their next sync, although it is older.
     * Keys that were added to the filter's journal remain, unless the previous version has no mark.
     * Such a version follows no journal, so hosts do not find these keys, and Journal::add() refuses
     * more of them. The next version that is published is served normally. Does nothing if the current version is already rolled back; unpin() ends a rollback.
     *
     * If `bloom.signing_key_file` is set, the rollback is signed with the current key. Hosts with
     * signing keys refuse a rollback without a valid signature.
     *
     * @throws StoreException if the store fails, has no previous version, lacks a chunk of it, or if the
     *         filter is pinned
     * @throws SignatureException if the previous version is not signed with a key of this host
     * @throws SecretException if there is no signing key
     * @throws BusyException if a version was published in the meantime
     * @throws \ValueError if the name is invalid
     */
    public static function rollback(Store $store, string $name): void
    {
        Arguments::name($name, 'Blob::rollback', 2);
        (new Versions($store, $name))->rollback();
    }

    /**
     * Makes hosts serve one version until unpin(), starting with their next sync. Versions that are
     * published in the meantime are stored, but not loaded. The pin is signed like a rollback.
     *
     * @param string|null $checksum Version::$checksum of the version; null: the one that hosts serve now
     *
     * @throws StoreException if the store fails, or lacks the version or a chunk of it
     * @throws SignatureException if the version is not signed with a key of this host
     * @throws SecretException if there is no signing key
     * @throws \ValueError if the name or the checksum is invalid
     */
    public static function pin(Store $store, string $name, ?string $checksum = null): void
    {
        Arguments::name($name, 'Blob::pin', 2);
        if ($checksum !== null && preg_match('/\A[0-9a-f]{16}\z/', $checksum) !== 1) {
            throw Arguments::error('Blob::pin', 3, 'checksum', "must be a version's checksum of 16 hexadecimal digits");
        }
        (new Versions($store, $name))->pin($checksum);
    }

    /**
     * Ends a pin or a rollback: hosts load the current version with their next sync. Does nothing if
     * there is neither.
     *
     * @throws StoreException if the store fails
     * @throws \ValueError if the name is invalid
     */
    public static function unpin(Store $store, string $name): void
    {
        Arguments::name($name, 'Blob::unpin', 2);
        (new Versions($store, $name))->unpin();
    }

    /**
     * Returns a copy of the blob, signed for a filter name with the current key of
     * `bloom.signing_key_file`. Its chunks get digests that cannot be forged, so a signed blob shares
     * no chunk with an unsigned blob in a store.
     *
     * Cost: one copy of the blob, and one pass over it at about 1 GB/s.
     *
     * @throws SecretException if there is no signing key
     * @throws \ValueError if the name is invalid
     */
    public function sign(string $name): Blob
    {
        Arguments::name($name, 'Blob::sign');
        return self::fromString(Signature::sign($this->head, $this->body, $name, Ring::current(Status::NoSigningKey)));
    }

    /**
     * Returns false if the key is definitely not in the blob, and true if it might be. For a reverse
     * index, true means that at least one group might contain the key.
     *
     * @throws SecretException if the blob is keyed with a secret that this process does not have
     */
    public function mightContain(mixed $key): bool
    {
        return $this->answers()->has(Keys::of($key, 'Blob::mightContain'));
    }

    /**
     * See Filter::candidates().
     *
     * @template TKey of array-key
     * @template TValue of string|int
     *
     * @param array<TKey, TValue>|\Traversable<mixed, TValue> $keys
     *
     * @return ($keys is array ? array<TKey, TValue> : list<TValue>)
     *
     * @throws \TypeError if a value is neither string nor int; the message gives its position
     * @throws SecretException if the blob is keyed with a secret that this process does not have
     */
    public function candidates(iterable $keys): array
    {
        return Keys::candidates($keys, 'Blob::candidates', $this->answers()->has(...)); // @phpstan-ignore return.type (the type is conditional)
    }

    /**
     * Returns the groups that may contain a value; see ReverseIndex::groups().
     *
     * @return list<int> in ascending order
     *
     * @throws KindException if the blob is not a reverse index
     * @throws BloomException if more than $limit groups may contain the value
     * @throws \ValueError if $limit is below 1
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

    /**
     * Returns a blob with all keys of this blob and of the other blobs. It has the same bits that a
     * single builder would have set, so you can merge the parts of a parallel build. All blobs must
     * have the same geometry and seed: give their builders the same capacity, rate and seed.
     *
     * In the result, `keys` is estimated from the set bits. The estimate is at least the largest `keys`
     * of the merged blobs, and at most the sum of their `keys`. The result has the capacity, rate,
     * chunk size and source of this blob, and the latest `builtAt` of all blobs.
     *
     * @throws \ValueError if the geometry or seed differs; the message names the first difference
     * @throws KindException if a blob is a ribbon filter
     * @throws FormatException if more than 15 of 16 bits of a shard would be set
     */
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
        return Friend::blob(Head::parse(Writer::head($geometry, $meta, $body, $keys)), $body);
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

<?php

namespace Bloom;

use Bloom\Internal\Answers;
use Bloom\Internal\Arguments;
use Bloom\Internal\Bits;
use Bloom\Internal\CheckedStore;
use Bloom\Internal\Failure;
use Bloom\Internal\Fetch;
use Bloom\Internal\Head;
use Bloom\Internal\Infos;
use Bloom\Internal\Mark;
use Bloom\Internal\Measure;
use Bloom\Internal\Publish;
use Bloom\Internal\Secret;
use Bloom\Internal\Sentences;
use Bloom\Internal\Streams;

/** The bytes of a finished filter. */
final class Blob implements Membership
{
    use Internal\Sealed;

    /** Set by Answers::blob() */
    private Answers $answers; // @phpstan-ignore property.onlyRead

    private function __construct()
    {
    }

    /**
     * @param string|resource $file
     * @param (callable(int, int): mixed)|null $progress
     */
    public static function open($file, ?callable $progress = null): Blob
    {
        $stream = Streams::open($file, 'Blob::open');
        try {
            return self::fromString(Head::readBlob($stream, static fn (int $done, int $total): mixed => $progress === null ? null : $progress($done, $total)));
        } catch (BloomException $error) {
            // Exceptions from callbacks usually have no code.
            /** @psalm-suppress UnsafeInstantiation every exception of this package takes these arguments */
            throw is_string($file) && $error->getCode() !== 0
                ? new ($error::class)("$file: " . $error->getMessage(), $error->getCode()) : $error;
        }
    }

    public static function fromString(string $bytes): Blob
    {
        $head = Head::parse($bytes);
        $body = substr($bytes, $head->headBytes);
        $head->verify($body);
        return (new Answers($head, $body))->blob();
    }

    /** @param (callable(int, int): mixed)|null $progress */
    public static function fetch(Store $store, string $name, ?callable $progress = null): Blob
    {
        return self::find($store, $name, $progress) ?? throw Failure::of(Status::StoreMissing, $name);
    }

    /** @param (callable(int, int): mixed)|null $progress */
    public static function find(Store $store, string $name, ?callable $progress = null): ?Blob
    {
        Arguments::name($name, 'Blob::find', 2);
        return Fetch::published(new CheckedStore($store), $name, $progress, false)?->blob();
    }

    public function toString(): string
    {
        return $this->answers->head->bytes . $this->answers->body;
    }

    public function save(string $path): void
    {
        if ($path === '' || str_contains($path, "\0")) {
            throw Arguments::error('Blob::save', 1, 'path', $path === '' ? 'must be a path' : 'must not contain any null bytes');
        }
        Streams::save($path, $this->toString());
    }

    /**
     * @param (callable(int, int, string=): mixed)|null $progress
     * @return array{chunks: int, chunksWritten: int, bytesWritten: int, warning: ?string}
     */
    public function publish(
        Store $store,
        string $name,
        ?callable $progress = null,
        bool $force = false,
        bool $endJournal = false,
        int $retain = 3
    ): array {
        Arguments::name($name, 'Blob::publish', 2);
        if ($endJournal && $this->answers->head->mark !== '') {
            throw new \ValueError('Bloom\Blob::publish(): Argument #5 ($endJournal) must be false for a blob with a mark, because hosts '
                . 'follow the journal of such a blob');
        }
        if ($retain < 1 || $retain > 100) {
            throw new \ValueError('Bloom\Blob::publish(): Argument #6 ($retain) must be from 1 to 100');
        }
        $this->answers->head->checkSignature($name);
        $this->answers->head->checkBuilt($name);
        return (new Publish($store, $name, $this->answers->head, $this->answers->body, $progress, $force, $endJournal, $retain))->run();
    }

    /** @return list<Version> */
    public static function versions(Store $store, string $name, bool $verify = false): array
    {
        throw Failure::needsExtension('versions()');
    }

    public static function rollback(Store $store, string $name, ?string $checksum = null): void
    {
        throw Failure::needsExtension('rollback()');
    }

    public static function pin(Store $store, string $name, ?string $checksum = null): void
    {
        throw Failure::needsExtension('pin()');
    }

    public static function unpin(Store $store, string $name): void
    {
        throw Failure::needsExtension('unpin()');
    }

    public function sign(string $name): Blob
    {
        Arguments::name($name, 'Blob::sign');
        $head = $this->answers->head->signed($this->answers->body, $name, Secret::current(Status::NoSigningKey));
        return (new Answers($head, $this->answers->body))->blob();
    }

    public function mightContain(mixed $key): bool
    {
        return $this->answers->has(Arguments::key($key, 'Blob::mightContain'));
    }

    /**
     * @template TKey of array-key
     * @template TValue of string|int
     * @param array<TKey, TValue>|\Traversable<mixed, TValue> $keys
     * @return ($keys is array ? array<TKey, TValue> : list<TValue>)
     */
    public function candidates(iterable $keys): array
    {
        return Arguments::candidates($keys, 'Blob::candidates', fn (): callable => $this->answers->has(...)); // @phpstan-ignore return.type (it is conditional)
    }

    /** @return list<int> */
    public function groups(mixed $value, int $limit = 100_000): array
    {
        $value = Arguments::key($value, 'Blob::groups', 1, 'value');
        if ($limit < 1) {
            throw Arguments::error('Blob::groups', 2, 'limit', 'must be at least 1');
        }
        if ($this->answers->head->geometry->groups === 0) {
            throw new KindException('This blob is not a reverse index', Status::Kind->value);
        }
        return $this->answers->groups($value, $limit);
    }

    public function merge(Blob ...$others): Blob
    {
        if ($others === []) {
            throw new \ArgumentCountError('Bloom\Blob::merge() expects at least 1 argument, 0 given');
        }
        [$head, $body] = [$this->answers->head, $this->answers->body];
        $geometry = $head->geometry;
        $meta = $head->meta();
        $keys = array_map(fn (int $shard): int => self::keysOf($geometry, $body, $shard, 0, PHP_INT_MAX), range(0, $geometry->shards - 1));
        foreach (array_values($others) as $at => $other) {
            $its = $other->answers->head;
            if ($geometry->stripes !== 0 || $its->geometry->stripes !== 0) {
                throw Failure::of(Status::Solved, 'scheme ribbon');
            }
            $mark = Mark::earlier($meta->mark, $its->meta()->mark);
            $difference = $geometry->difference($its->geometry) ?? ($mark === null ? 'the marks belong to different journals' : null);
            if ($difference !== null) {
                // A variadic parameter has no name in PHP's own messages.
                throw new \ValueError('Bloom\Blob::merge(): Argument #' . ($at + 1) . ' '
                    . strstr(Sentences::ALL[Sentences::DIFFERENT][1], 'must') . ": $difference");
            }
            $body |= $other->answers->body;
            foreach ($keys as $shard => $mine) {
                $theirs = $its->row($shard)['keys'];
                $keys[$shard] = self::keysOf($geometry, $body, $shard, max($mine, $theirs), $mine + $theirs);
            }
            [$meta->builtMs, $meta->mark] = [max($meta->builtMs, $its->builtMs), (string) $mark];
        }
        return (new Answers(Head::make($geometry, $meta, $body, $keys), $body))->blob();
    }

    private static function keysOf(Internal\Geometry $geometry, string $body, int $shard, int $least, int $most): int
    {
        return Measure::keysOfShard($geometry, Bits::count(substr($body, $shard * $geometry->shardBytes, $geometry->shardBytes)), $least, $most);
    }

    public function info(): BlobInfo
    {
        return Infos::ofBlob($this->answers->head);
    }
}

<?php

namespace Bloom;

use Bloom\Internal\Answers;
use Bloom\Internal\Arguments;
use Bloom\Internal\CheckedStore;
use Bloom\Internal\Failure;
use Bloom\Internal\Fetch;
use Bloom\Internal\Head;
use Bloom\Internal\Infos;
use Bloom\Internal\Publish;
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
            return self::fromString(Head::readBlob($stream, $progress ?? static fn (): mixed => null));
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

    public static function import(
        string $bytes,
        ?ForeignFormat $format = null,
        ?int $capacity = null,
        ?float $falsePositiveRate = null,
        string $source = '',
        ?float $builtAt = null
    ): Blob {
        throw Failure::needsExtension('import()');
    }

    /** @param (callable(int, int): mixed)|null $progress */
    public static function fetch(Store $store, string $name, ?callable $progress = null): Blob
    {
        return self::find($store, $name, $progress) ?? throw Failure::of(Status::StoreMissing, $name);
    }

    /** @param (callable(int, int): mixed)|null $progress */
    public static function find(Store $store, string $name, ?callable $progress = null): ?Blob
    {
        Arguments::name($name, 'Blob::find');
        $checked = new CheckedStore($store);
        return Fetch::version($checked, $name, static fn (): ?Head => $checked->head($name), $progress)?->blob();
    }

    public function export(): string
    {
        throw Failure::needsExtension('export()');
    }

    public function toString(): string
    {
        return $this->answers->head->bytes . $this->answers->body;
    }

    public function save(string $path): void
    {
        if ($path === '' || str_contains($path, "\0")) {
            throw Arguments::error('Blob::save', 'path', $path === '' ? 'must be a path'
                : 'must not contain any null bytes');
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
        Arguments::name($name, 'Blob::publish');
        if ($endJournal && $this->answers->head->mark !== '') {
            throw Arguments::error('Blob::publish', 'endJournal',
                'must be false for a blob with a mark, because hosts follow the journal of such a blob');
        }
        if ($retain < 1 || $retain > 100) {
            throw Arguments::error('Blob::publish', 'retain', 'must be between 1 and 100');
        }
        Failure::refuseSigners();
        $this->answers->head->checkBuilt($name);
        return (new Publish($store, $name, $this->answers, $progress, $force, $endJournal, $retain))->run();
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
        throw Failure::needsExtension('sign()');
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
        // @phpstan-ignore return.type (it is conditional)
        return Arguments::candidates($keys, 'Blob::candidates', fn (): callable => $this->answers->has(...));
    }

    /** @return list<int> */
    public function groups(mixed $value, int $limit = 100_000): array
    {
        $value = Arguments::key($value, 'Blob::groups', 'value');
        if ($limit < 1) {
            throw Arguments::error('Blob::groups', 'limit', 'must be at least 1');
        }
        if ($this->answers->head->geometry->groups === 0) {
            throw new KindException('This blob is not a reverse index', Status::Kind->value);
        }
        return $this->answers->groups($value, $limit);
    }

    public function get(mixed $key): ?int
    {
        $key = Arguments::key($key, 'Blob::get');
        if ($this->answers->head->geometry->valueBits === 0) {
            throw new KindException('This blob is not a map', Status::Kind->value);
        }
        return $this->answers->get($key);
    }

    public function merge(Blob ...$others): Blob
    {
        throw Failure::needsExtension('merge()');
    }

    public function info(): BlobInfo
    {
        return Infos::ofBlob($this->answers->head);
    }
}

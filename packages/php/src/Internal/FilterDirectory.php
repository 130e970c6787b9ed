<?php

namespace Bloom\Internal;

use Bloom\Kind;
use Bloom\Status;

/**
 * A filter's directory in the segment:
 *
 *     <path>/.polyfill/<name>/current             what the name is now, as JSON; System::fileName() escapes the name
 *                            <n>-<random>.bloom   the blob of generation n
 *                            <n>-<random>.keys    a KeySet: of a live filter, or of the journal after the blob's mark
 *                            sync                 when the filter was synced, as JSON
 *                            lock                 locked while `current` changes; it stays after a drop
 *                            syncing              locked by the process that syncs; it stays after a drop
 *
 * Readers read `current` in each call, so they notice a switch at once.
 *
 * @phpstan-type Wanted array{capacity: int, rate: float, growth: float, tightening: float, windowMs: int, groups: int, fanOut: int,
 *         bounded: bool, fingerprint: int, seed: int}
 * @phpstan-type Current array{kind: string, isIndex: bool, generation: int, file: string|null, keys: string|null, loadedMs: int,
 *         memory: int, maxLagMs: int, expiresMs: int|null, params: Wanted|null}
 */
final class FilterDirectory
{
    private const TEXTS = ['loaded' => 'a loaded filter', 'live' => 'a live filter', 'counting' => 'a counting filter',
        'scalable' => 'a scalable filter', 'sliding' => 'a sliding filter', 'reverse' => 'a live reverse index',
        'on-demand' => 'an on-demand filter'];

    /** @var array<string, array{string, Answers}> the blob that this process has read last: its file and what it answers, by directory */
    private static array $answers = [];

    public function __construct(public readonly string $name, private readonly string $directory)
    {
    }

    public function file(string $name): string
    {
        return "$this->directory/$name";
    }

    public static function read(string $path): ?string
    {
        $text = System::retry(static fn (): string|false => @file_get_contents($path));
        return $text === false ? null : $text;
    }

    /** @return Current|null what the name is now; null: there is no filter */
    public function current(): ?array
    {
        Segment::check();
        /** @var Current|null $current */
        $current = json_decode(self::read($this->file('current')) ?? 'null', true);
        return $current !== null && $current['expiresMs'] !== null && System::milliseconds() >= $current['expiresMs'] ? null : $current;
    }

    /**
     * Runs a function while no other process changes what the name is.
     *
     * @template T
     *
     * @param callable(Current|null): T $work
     *
     * @return T
     */
    public function locked(callable $work): mixed
    {
        $file = $this->open('lock');
        try {
            System::lock($file, LOCK_EX, Segment::path() . "/$this->name");
            return $work($this->current());
        } finally {
            fclose($file);
        }
    }

    /** @return resource */
    public function open(string $lock)
    {
        Segment::make($this->directory);
        return System::retry(fn () => @fopen($this->file($lock), 'cb')) ?: throw Failure::of(Status::System, $this->file($lock), Streams::reason());
    }

    /** Writes a file of the filter. */
    public function store(string $file, string $bytes): void
    {
        try {
            Streams::save($this->file($file), $bytes, 0600);
        } catch (\Bloom\BloomException $error) {
            throw Failure::of(Status::System, Segment::path() . "/$this->name", substr(strrchr($error->getMessage(), ':') ?: '', 2));
        }
    }

    /**
     * Writes the files of a new generation and switches to it. The caller holds the lock.
     *
     * @param Current|null $served
     * @param string|null $records of the keys; null: it needs none
     * @param array<string, mixed> $properties of the new one
     *
     * @return Current
     */
    public function switch(?array $served, ?string $blob, ?string $records, array $properties): array
    {
        // Numbers start again after a drop, but processes may still know earlier files.
        $generation = ($served['generation'] ?? 0) + 1;
        $base = $generation . '-' . bin2hex(random_bytes(8));
        $files = $blob === null ? [] : ["$base.bloom" => $blob];
        $files += $records === null ? [] : ["$base.keys" => KeySet::file($records)];
        foreach ($files as $file => $bytes) {
            $this->store($file, $bytes);
        }
        /** @var Current $current */
        $current = $properties + ['isIndex' => false, 'generation' => $generation, 'file' => $blob === null ? null : "$base.bloom",
            'keys' => $records === null ? null : "$base.keys", 'loadedMs' => System::milliseconds(), 'memory' => 0, 'maxLagMs' => 0,
            'expiresMs' => null, 'params' => null];
        $this->replace($current);
        $this->tidy(['current', 'sync', ...array_keys($files)]);
        return $current;
    }

    /** @param Current $current */
    private function replace(array $current): void
    {
        $this->store('current', json_encode($current, JSON_PRESERVE_ZERO_FRACTION | JSON_THROW_ON_ERROR));
    }

    /** @param list<string> $used the other files are removed. On Windows, one that a reader has open stays until the next switch. */
    private function tidy(array $used): void
    {
        foreach (array_diff(scandir($this->directory) ?: [], ['.', '..', 'lock', 'syncing'], $used) as $file) {
            @unlink($this->file($file));
        }
    }

    /** The smallest lag that a process has passed applies until a drop. */
    public function limitLag(?float $maxLag): void
    {
        $asked = self::smallest(0, $maxLag);
        if ($asked !== 0) {
            $this->locked(function (?array $current) use ($asked): void {
                if ($current !== null && ($current['maxLagMs'] === 0 || $current['maxLagMs'] > $asked)) {
                    $this->replace(['maxLagMs' => $asked] + $current);
                }
            });
        }
    }

    /** Combines a limit in milliseconds, 0 if there is none, with one in seconds, where 0 means any age and null none. */
    public static function smallest(int $limitMs, ?float $maxLag): int
    {
        $asked = $maxLag === null ? 0 : ($maxLag === 0.0 ? PHP_INT_MAX : (int) ceil($maxLag * 1000));
        return $limitMs === 0 || $asked === 0 ? max($limitMs, $asked) : min($limitMs, $asked);
    }

    /** Removes the filter. The caller holds the lock. */
    public function remove(): void
    {
        // Without `current`, there is no filter.
        $current = $this->file('current');
        if (!System::retry(static fn (): bool => @unlink($current)) && is_file($current)) {
            throw Failure::of(Status::System, Segment::path() . "/$this->name", Streams::reason());
        }
        $this->tidy([]);
    }

    /** @param Current $current */
    public function answers(array $current): ?Answers
    {
        $file = (string) $current['file'];
        if ($file !== '' && (self::$answers[$this->directory][0] ?? '') !== $file) {
            $bytes = self::read($this->file($file));
            if ($bytes === null) {
                return null; // It was replaced meanwhile.
            }
            $head = Head::parse($bytes);
            self::$answers[$this->directory] = [$file, new Answers($head, substr($bytes, $head->headBytes))];
        }
        return $file === '' ? null : self::$answers[$this->directory][1];
    }

    /**
     * Makes a blob the served generation.
     *
     * @param string|null $records of the keys that the journal has after the blob's mark; null: none was read
     * @param int $since the monotonic time at which reading the journal began: keys that were added here since are kept
     * @param string|null $replaces the file that must still be served, "" for none; null: any
     * @param bool $mayBeOlder a signed blob may replace a newer one
     *
     * @return Current|null null: another generation is served
     */
    public function load(
        Head $head,
        string $body,
        ?string $records,
        int $since = 0,
        ?float $maxLag = null,
        int $memory = 0,
        ?string $replaces = null,
        bool $mayBeOlder = false
    ): ?array {
        if ($head->mark !== '' && $records === null) {
            throw Failure::of($memory > 0 ? Status::JournalKind : Status::NoJournal, $this->name);
        }
        $head->checkSignature($this->name);
        $head->checkBuilt($this->name);
        Digest::for($head->geometry);
        $isIndex = $head->geometry->groups !== 0;
        $kind = $memory > 0 ? Kind::OnDemand : Kind::Loaded;
        return $this->locked(function (?array $served) use ($head, $body, $records, $since, $maxLag, $memory, $replaces, $mayBeOlder, $isIndex, $kind): ?array {
            if ($replaces !== null && ($served['file'] ?? '') !== $replaces) {
                return null;
            }
            if ($served !== null && ($served['kind'] !== $kind->value || $served['isIndex'] !== $isIndex)) {
                throw self::wrongKind(Segment::path() . "/$this->name", $served, self::text(Kind::Loaded, $isIndex));
            }
            if ($served !== null && !$mayBeOlder && Secret::signers() !== null && $this->answers($served)?->head->builtMs > $head->builtMs) {
                throw Failure::of(Status::Replay, $this->name);
            }
            if ($records !== null && $served !== null && $served['keys'] !== null) {
                $records .= KeySet::read($this->file($served['keys']))?->since($since) ?? '';
            }
            return $this->switch($served, $head->bytes . $body, $records, ['kind' => $kind->value, 'isIndex' => $isIndex, 'memory' => $memory,
                'maxLagMs' => self::smallest($served['maxLagMs'] ?? 0, $maxLag)]);
        });
    }

    public static function text(Kind $kind, bool $isIndex = false): string
    {
        return $isIndex ? 'a loaded reverse index' : self::TEXTS[$kind->value];
    }

    /**
     * @param array{kind: string, isIndex: bool, ...} $current what the name is
     * @param string $expected a class, or the text of a kind
     */
    public static function wrongKind(string $name, array $current, string $expected): \Throwable
    {
        $found = self::text(Kind::from($current['kind']), $current['isIndex']);
        return Failure::of(Status::Kind, "$name: expected $expected, found $found");
    }
}

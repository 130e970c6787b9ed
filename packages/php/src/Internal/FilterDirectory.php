<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\FormatException;
use Bloom\Kind;
use Bloom\Status;

/**
 * A filter's directory in the segment:
 *
 *     <path>/.polyfill/<name>/current             what the name is now, as JSON; System::fileName() escapes the name
 *                            <n>-<random>.bloom   the blob of generation n
 *                            <n>-<random>.keys    a KeySet: of a live filter, or of the journal after the blob's mark
 *                            tried                when the filter was synced last
 *                            lock                 locked while `current` changes; it stays after a drop
 *                            syncing              locked by the process that syncs; it stays after a drop
 *
 * Readers read `current` in each call, so they notice a switch at once.
 *
 * @phpstan-type Wanted array{capacity: int, rate: float, growth: float, tightening: float, windowMs: int, groups: int,
 *         fanOut: int, bounded: bool, seed: int}
 * @phpstan-type Current array{kind: string, isIndex: bool, generation: int, file: string|null, keys: string|null,
 *         loadedMs: int, memory: int, maxLagMs: int|null, expiresMs: int|null, params: Wanted|null}
 */
final class FilterDirectory
{
    /** @var array<string, array{string, Answers}> the blob that this process has read last, after its file, by directory */
    private static array $answers = [];

    public function __construct(public readonly string $name, private readonly string $directory)
    {
    }

    /** Returns whether there may be a filter, now or soon. */
    public function isMade(): bool
    {
        clearstatcache();
        return is_dir($this->directory);
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
        return $current !== null && System::milliseconds() >= ($current['expiresMs'] ?? PHP_INT_MAX) ? null : $current;
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
            System::lock($file, LOCK_EX, $this->path());
            return $work($this->current());
        } finally {
            fclose($file);
        }
    }

    /** Returns what messages name, the path of the filter in the segment. */
    private function path(): string
    {
        return Segment::path() . "/$this->name";
    }

    /** @return resource */
    public function open(string $lock)
    {
        Segment::make($this->directory);
        return System::retry(fn () => @fopen($this->file($lock), 'cb'))
            ?: throw Failure::of(Status::System, $this->file($lock), Streams::reason());
    }

    /** Writes a file of the filter. */
    public function store(string $file, string $bytes): void
    {
        try {
            Streams::save($this->file($file), $bytes, 0600);
        } catch (BloomException $error) {
            throw Failure::of(Status::System, $this->path(), substr(strrchr($error->getMessage(), ':') ?: '', 2));
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
        $files = array_filter(["$base.bloom" => $blob, "$base.keys" => $records], is_string(...));
        foreach ($files as $file => $bytes) {
            $this->store($file, (string) $bytes);
        }
        /** @var Current $current */
        $current = $properties + [
            'isIndex' => false,
            'generation' => $generation,
            'file' => $blob === null ? null : "$base.bloom",
            'keys' => $records === null ? null : "$base.keys",
            'loadedMs' => System::milliseconds(),
            'memory' => 0,
            'maxLagMs' => null,
            'expiresMs' => null,
            'params' => null,
        ];
        $this->replace($current);
        $this->tidy(['current', 'tried', ...array_keys($files)]);
        return $current;
    }

    /** @param Current $current */
    private function replace(array $current): void
    {
        $this->store('current', json_encode($current, JSON_PRESERVE_ZERO_FRACTION | JSON_THROW_ON_ERROR));
    }

    /** @param list<string> $used the other files are removed; on Windows, one that a reader has open stays */
    private function tidy(array $used): void
    {
        foreach (array_diff(scandir($this->directory) ?: [], ['.', '..', 'lock', 'syncing'], $used) as $file) {
            @unlink($this->file($file));
        }
    }

    /** The smallest lag that a process has passed applies until a drop. */
    public function limitLag(?float $maxLag): void
    {
        if ($maxLag !== null) {
            $this->locked(function (?array $current) use ($maxLag): void {
                if ($current !== null) {
                    $this->replace(['maxLagMs' => self::smallest($current['maxLagMs'], $maxLag)] + $current);
                }
            });
        }
    }

    /** @param float|null $maxLag in seconds, where 0 means any age and null none */
    private static function smallest(?int $limitMs, ?float $maxLag): ?int
    {
        $asked = $maxLag === 0.0 ? PHP_INT_MAX : (int) ceil(1000 * ($maxLag ?? 0));
        return $maxLag === null ? $limitMs : min($limitMs ?? PHP_INT_MAX, $asked);
    }

    /** Removes the filter. The caller holds the lock. */
    public function remove(): void
    {
        // Without `current`, there is no filter.
        $current = $this->file('current');
        if (!System::retry(static fn (): bool => @unlink($current)) && is_file($current)) {
            throw Failure::of(Status::System, $this->path(), Streams::reason());
        }
        $this->tidy([]);
    }

    /**
     * Returns what the blob answers; null: there is none, or it was replaced meanwhile, or its file is damaged.
     *
     * @param Current $current
     */
    public function answers(array $current): ?Answers
    {
        $file = (string) $current['file'];
        if ($file !== '' && (self::$answers[$this->directory][0] ?? '') !== $file) {
            $bytes = self::read($this->file($file));
            if ($bytes === null) {
                return null;
            }
            try {
                $head = Head::parse($bytes);
                $body = substr($bytes, $head->headBytes);
                $head->verify($body);
            } catch (FormatException) {
                return null;
            }
            self::$answers[$this->directory] = [$file, new Answers($head, $body)];
        }
        return $file === '' ? null : self::$answers[$this->directory][1];
    }

    /**
     * Refuses a version that must not replace what is served.
     *
     * @param Current|null $served
     * @param string $subject the name of the filter in messages
     * @param Status|null $older why a version must not be older than the served one; null: it may be
     */
    public function check(?array $served, Head $head, string $kind, ?Status $older, string $subject): void
    {
        $isIndex = $head->geometry->groups !== 0;
        if ($served !== null && ($served['kind'] !== $kind || $served['isIndex'] !== $isIndex)) {
            throw self::wrongKind($subject, $served, self::text($head->kind(), $isIndex));
        }
        $builtMs = $served === null || $older === null ? 0 : $this->answers($served)->head->builtMs ?? 0;
        if ($older !== null && $head->builtMs < $builtMs && $builtMs <= System::milliseconds() + Head::AHEAD_MS_MAX) {
            throw Failure::of($older, $this->name);
        }
    }

    /**
     * Makes a blob the served generation.
     *
     * @param JournalReader|null $journal what the journal has after the blob's mark
     *
     * @return Current
     */
    public function load(Answers $blob, ?JournalReader $journal, ?float $maxLag, int $memory, ?Status $older): array
    {
        $head = $blob->head;
        if ($memory > 0 && $head->kind() === Kind::Map) {
            throw Failure::of(Status::MapWhole, $this->name);
        }
        if ($head->mark !== '' && $journal === null) {
            throw Failure::of($memory > 0 ? Status::JournalKind : Status::NoJournal, $this->name);
        }
        Failure::refuseSigners();
        $head->checkBuilt($this->name);
        new Digest($head->geometry); // refuses a keyed filter
        $kind = ($memory > 0 ? Kind::OnDemand : $head->kind())->value;
        return $this->locked(function (?array $served) use ($blob, $head, $journal, $maxLag, $memory, $older, $kind): array {
            $this->check($served, $head, $kind, $older, $this->path());
            $set = isset($served['keys']) ? KeySet::read($this->file($served['keys'])) : null;
            $journal?->read(); // Now it has the keys that were added here before this process took the lock.
            $records = $journal?->recordsAfter($set);
            return $this->switch($served, $head->bytes . $blob->body, $records, ['kind' => $kind, 'memory' => $memory,
                'isIndex' => $head->geometry->groups !== 0,
                    'maxLagMs' => self::smallest($served['maxLagMs'] ?? null, $maxLag)]);
        });
    }

    public static function text(Kind $kind, bool $isIndex = false): string
    {
        return match (true) {
            $isIndex => 'a loaded reverse index',
            $kind === Kind::Map => 'a map',
            $kind === Kind::Reverse => 'a live reverse index',
            $kind === Kind::OnDemand => 'an on-demand filter',
            default => "a $kind->value filter",
        };
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

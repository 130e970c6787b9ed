<?php

namespace Bloom\Internal;

use Bloom\Status;

/**
 * A filter's directory in the segment.
 *
 * @phpstan-type Wanted array{capacity: int, rate: float, growth: float, tightening: float, windowMs: int, groups: int, fanOut: int,
 *         bounded: bool, fingerprint: int, seed: int}
 * @phpstan-type Current array{kind: string, isIndex: bool, generation: int, file: string, isBlob: bool, journal: string|null,
 *         loadedMs: int, loads: int, memory: int, expiresMs: int|null, params: Wanted|null}
 */
final class FilterDirectory
{
    private const TRIES_MAX = 100;

    /** @var array<string, Answers> the blobs that this process has read, by path */
    private static array $answers = [];

    public function __construct(
        public readonly string $name,
        private readonly string $directory,
        private readonly string $lock,
        public readonly string $syncFile
    ) {
    }

    /** Creates the directories. */
    public function make(): void
    {
        Segment::make($this->directory);
    }

    /**
     * Returns what the name is now, or null if there is no filter.
     *
     * @return Current|null
     */
    public function current(): ?array
    {
        Segment::check(Segment::path());
        $text = System::retry(fn (): string|false => @file_get_contents("$this->directory/current"));
        /** @var Current|null $current */
        $current = $text === false ? null : json_decode($text, true);
        $isExpired = $current !== null && $current['expiresMs'] !== null && Clock::milliseconds() >= $current['expiresMs'];
        return $isExpired ? null : $current;
    }

    /**
     * Runs a function while no other process changes what the name is.
     *
     * @template T
     *
     * @param callable(): T $work
     *
     * @return T
     */
    public function locked(callable $work): mixed
    {
        $file = $this->lock();
        try {
            return $work();
        } finally {
            if (!is_file("$this->directory/current")) {
                $this->tidy(null);
                @rmdir($this->directory);
                System::remove($file, $this->lock);
                Segment::tidy();
            } else {
                fclose($file);
            }
        }
    }

    /** @return resource */
    private function lock()
    {
        for ($tries = 1;; $tries++) {
            Segment::make($this->directory);
            $file = System::retry(fn () => @fopen($this->lock, 'cb'));
            if ($file !== false) {
                Segment::own($this->lock);
                Lock::take($file, LOCK_EX, Segment::path() . "/$this->name");
                if (System::isAt($file, $this->lock) && is_dir($this->directory)) {
                    return $file;
                }
                fclose($file);
            }
            // Another process has dropped the filter, and removed this file, too.
            if ($tries === self::TRIES_MAX) {
                throw Failure::of(Status::System, $this->lock, Streams::reason());
            }
        }
    }

    /**
     * Makes a file the current one. The caller holds the lock.
     *
     * @param Current $current
     */
    public function switch(array $current): void
    {
        $this->store('current', json_encode($current, JSON_PRESERVE_ZERO_FRACTION | JSON_THROW_ON_ERROR));
        $this->tidy($current);
    }

    /**
     * Removes the files that are not in use. On Windows, one that a reader has open stays until the next switch.
     *
     * @param Current|null $current
     */
    private function tidy(?array $current): void
    {
        $used = $current === null ? [] : ['current', $current['file'], (string) $current['journal']];
        foreach (array_diff(scandir($this->directory) ?: [], ['.', '..'], $used) as $file) {
            @unlink("$this->directory/$file");
        }
    }

    /** Removes the filter. The caller holds the lock. */
    public function remove(): void
    {
        // Without `current`, there is no filter.
        $current = "$this->directory/current";
        if (!System::retry(static fn (): bool => @unlink($current)) && is_file($current)) {
            throw Failure::of(Status::System, Segment::path() . "/$this->name", Streams::reason());
        }
        @unlink($this->syncFile);
    }

    /** Names the file of a generation. Numbers start again after a drop, but processes may still know earlier files. */
    public static function newFile(int $generation, string $extension): string
    {
        return sprintf('%d-%s.%s', $generation, bin2hex(random_bytes(8)), $extension);
    }

    /**
     * Opens the file with which a process notices that the filter was dropped, even if another one has its name now.
     *
     * @return resource
     */
    public function page()
    {
        $this->make();
        $page = System::retry(fn () => @fopen($this->syncFile, 'cb'))
            ?: throw Failure::of(Status::System, $this->syncFile, Streams::reason());
        Segment::own($this->syncFile);
        return $page;
    }

    /** @param resource $page */
    public function isPage($page): bool
    {
        return System::isAt($page, $this->syncFile);
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

    public function file(string $name): string
    {
        return "$this->directory/$name";
    }

    /**
     * Returns the answers of the served blob; null: it was replaced meanwhile.
     *
     * @param Current $current
     */
    public function answers(array $current): ?Answers
    {
        $path = $this->file($current['file']);
        if (!isset(self::$answers[$path])) {
            $bytes = System::retry(static fn (): string|false => @file_get_contents($path));
            if ($bytes === false) {
                return null;
            }
            // Older generations of this filter are not needed any more.
            self::$answers = array_filter(self::$answers,
                fn (string|int $other): bool => dirname((string) $other) !== $this->directory, ARRAY_FILTER_USE_KEY);
            $head = Head::parse($bytes);
            self::$answers[$path] = new Answers($head, substr($bytes, $head->headBytes));
        }
        return self::$answers[$path];
    }

    /**
     * Returns whether the file of the served blob still has the bytes that were loaded.
     *
     * @param Current $current
     */
    public function isIntact(array $current): bool
    {
        try {
            \Bloom\Blob::open($this->file($current['file']));
            return true;
        } catch (\Bloom\BloomException) {
            return false;
        }
    }
}

<?php

namespace Bloom\Internal;

use Bloom\Status;
use Bloom\SyncResult;

/**
 * When a filter was synced last: a file. The process that syncs keeps another one locked, because on Windows, no other
 * process could read a locked file.
 *
 * @internal
 *
 * @phpstan-type State array{checkedMs: int, failedMs: int, failuresInRow: int, syncs: int, syncFailures: int, lastError: string|null,
 *         lastErrorMs: int, overrideGeneration: int, overrideKind: int, overrideMs: int, overrideFromMs: int,
 *         loadFailures: int, loadFailuresInRow: int, loadVersion: string, loadTries: int, loadRetryMs: int,
 *         loadError: string|null, loadErrorMs: int}
 */
final class Synced
{
    /** @var array<string, int|false>|null the process of each running call, by path; null: none yet */
    private static ?array $running = null;

    private const LOAD_RETRY_MS_MAX = 300_000;

    private const NONE = ['checkedMs' => 0, 'failedMs' => 0, 'failuresInRow' => 0, 'syncs' => 0, 'syncFailures' => 0,
        'lastError' => null, 'lastErrorMs' => 0, 'overrideGeneration' => 0, 'overrideKind' => 0, 'overrideMs' => 0, 'overrideFromMs' => 0,
        'loadFailures' => 0, 'loadFailuresInRow' => 0, 'loadVersion' => '', 'loadTries' => 0, 'loadRetryMs' => 0,
        'loadError' => null, 'loadErrorMs' => 0];

    /** @return State */
    public static function read(string $path): array
    {
        /** @var State|null $state */
        $state = json_decode((string) System::retry(static fn (): string|false => @file_get_contents($path)), true);
        return ($state ?? []) + self::NONE;
    }

    /**
     * Runs a function if a sync is due and no other process is syncing the filter, and notes its success or failure.
     *
     * @param callable(): bool $isLoaded whether the filter is loaded; if not, a sync is due unless the last one failed
     * @param callable(): SyncResult $work
     */
    public static function run(string $path, int $ttlMs, SyncLog $log, callable $isLoaded, callable $work): SyncResult
    {
        $early = self::early($path, $ttlMs, $isLoaded);
        if ($early !== null) {
            return $early;
        }
        // No name of a filter leads to a file with "=.".
        $lock = System::retry(static fn () => @fopen("$path=.lock", 'cb'))
            ?: throw Failure::of(Status::System, "$path=.lock", Streams::reason());
        Segment::own("$path=.lock");
        if (!flock($lock, LOCK_EX | LOCK_NB)) {
            fclose($lock);
            return SyncResult::Busy;
        }
        try {
            // Another process may have synced since.
            return self::early($path, $ttlMs, $isLoaded) ?? self::note($path, $log, $work);
        } finally {
            System::remove($lock, "$path=.lock");
        }
    }

    /** @param callable(): bool $isLoaded */
    private static function early(string $path, int $ttlMs, callable $isLoaded): ?SyncResult
    {
        $state = self::read($path);
        if ($ttlMs === 0 || $state['failuresInRow'] === 0 && !$isLoaded() || self::isDue($state, $ttlMs)) {
            return null;
        }
        return $state['failuresInRow'] > 0 ? SyncResult::Paused : SyncResult::NotDue;
    }

    /** @param State $state */
    private static function isDue(array $state, int $ttlMs): bool
    {
        $now = Clock::monotonic();
        if ($state['failedMs'] !== 0) {
            $pause = min($ttlMs, 1000 << max(0, min(20, $state['failuresInRow'] - 1)));
            return $now - $state['failedMs'] >= $pause || $state['failedMs'] > $now;
        }
        return $state['checkedMs'] === 0 || $now - $state['checkedMs'] >= $ttlMs || $state['checkedMs'] > $now;
    }

    /** @param callable(): SyncResult $work */
    private static function note(string $path, SyncLog $log, callable $work): SyncResult
    {
        // exit() and fatal errors end the call without an exception.
        if (self::$running === null) {
            register_shutdown_function(self::noteEnd(...));
        }
        self::$running[$path] = getmypid();
        $file = System::retry(static fn () => @fopen($path, 'cb')) ?: throw Failure::of(Status::System, $path, Streams::reason());
        fclose($file);
        Segment::own($path);
        try {
            $result = $work();
            $state = self::read($path);
            if ($result === SyncResult::Paused) {
                self::store($path, ['failedMs' => Clock::monotonic()] + $state);
                return $result;
            }
            $log->failures = $state['failuresInRow'];
            self::store($path, ['checkedMs' => max(1, Clock::monotonic()), 'failedMs' => 0, 'failuresInRow' => 0,
                'syncs' => $state['syncs'] + 1, 'loadTries' => 0, 'loadFailuresInRow' => 0] + $state);
            return $result;
        } catch (\Throwable $error) {
            Counters::failed($path, $error);
            $state = self::failed(self::read($path), $error->getMessage());
            $log->isFailed = true;
            $log->failures = $state['failuresInRow'];
            self::store($path, $state);
            throw $error;
        } finally {
            unset(self::$running[$path]);
        }
    }

    /** Returns whether this version failed a moment ago. Another version is tried at once. */
    public static function isPaused(string $path, string $version): bool
    {
        $state = self::read($path);
        $left = $state['loadRetryMs'] - Clock::monotonic();
        return $state['loadTries'] > 0 && $state['loadVersion'] === $version && $left > 0 && $left < 2 * self::LOAD_RETRY_MS_MAX;
    }

    /** Counts an attempt to load a version before it is made, so that a version that kills the process is paused as well. */
    public static function beginLoad(string $path, string $version): void
    {
        $state = self::read($path);
        $tries = $state['loadVersion'] === $version ? $state['loadTries'] + 1 : 1;
        self::store($path, ['loadVersion' => $version, 'loadTries' => $tries, 'loadRetryMs' => self::retryMs($tries)] + $state);
    }

    /** The pause is a quarter longer or shorter at random, so that hosts do not fetch at the same time. */
    private static function retryMs(int $tries): int
    {
        $pause = min(self::LOAD_RETRY_MS_MAX, 1000 << max(0, min(9, $tries - 1)));
        return Clock::monotonic() + intdiv($pause * random_int(75, 125), 100);
    }

    /**
     * @param State $state
     *
     * @return State
     */
    private static function failed(array $state, string $text): array
    {
        return ['failedMs' => Clock::monotonic(), 'failuresInRow' => $state['failuresInRow'] + 1,
            'syncFailures' => $state['syncFailures'] + 1, 'lastError' => self::readable($text),
            'lastErrorMs' => Clock::milliseconds(), 'loadFailures' => $state['loadFailures'] + 1,
            'loadFailuresInRow' => $state['loadFailuresInRow'] + 1, 'loadError' => self::readable($text),
            'loadErrorMs' => Clock::milliseconds(), 'loadRetryMs' => self::retryMs($state['loadTries'])] + $state;
    }

    /** Returns the beginning of a store's message, which may contain any bytes, without those that a terminal would obey. */
    private static function readable(string $message): string
    {
        $text = json_decode(json_encode(substr($message, 0, 250), JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR));
        $line = preg_replace('/[\x00-\x1f]/', ' ', is_string($text) ? $text : '');
        return (string) preg_replace_callback(
            '/[\x{7f}-\x{9f}\x{61c}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}]/u',
            static fn (array $found): string => str_repeat('?', strlen($found[0])),
            (string) $line
        );
    }

    /**
     * A drop has removed the file, and with it all that was noted.
     *
     * @param State $state
     */
    private static function store(string $path, array $state): void
    {
        clearstatcache();
        $file = is_file($path) ? System::retry(static fn () => @fopen($path, 'r+b')) : false;
        if ($file !== false) {
            $text = json_encode($state, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
            ftruncate($file, 0);
            fwrite($file, $text);
            fclose($file);
        }
    }

    /** Notes which override a generation serves; null: the last one has ended. */
    public static function noteOverride(string $path, int $generation, ?Override $override, bool $force = false): void
    {
        $state = self::read($path);
        $latest = Clock::milliseconds() + 86_400_000;
        $from = match (true) {
            $override !== null => min($override->sinceMs, $latest),
            $state['overrideKind'] !== 0 => min($state['overrideMs'] + 1, $latest),
            default => 0,
        };
        $new = ['overrideGeneration' => $generation, 'overrideKind' => $override->kind ?? 0, 'overrideMs' => $override->sinceMs ?? 0,
            'overrideFromMs' => $force && $override !== null ? $from : max($state['overrideFromMs'], $from)] + $state;
        if ($new !== $state) {
            self::store($path, $new);
        }
    }

    /** Notes an error for info() only. */
    public static function noteError(string $path, \Throwable $error): void
    {
        self::store($path, ['lastError' => self::readable($error->getMessage()), 'lastErrorMs' => Clock::milliseconds()] + self::read($path));
    }

    private static function noteEnd(): void
    {
        foreach (self::$running ?? [] as $path => $process) {
            // The call goes on in the process that began it.
            if ($process === getmypid()) {
                self::store($path, self::failed(self::read($path), 'the script ended during the call'));
            }
        }
    }

    /**
     * @param State $state
     *
     * @return array<string, mixed> the properties of LoadedInfo
     */
    public static function info(array $state, int $generation): array
    {
        $now = Clock::monotonic();
        $since = $state['overrideGeneration'] === $generation ? $state['overrideMs'] / 1000 : null;
        return [
            'pinnedSince' => $state['overrideKind'] === Override::PIN ? $since : null,
            'rolledBackAt' => $state['overrideKind'] === Override::ROLLBACK ? $since : null,
            'syncs' => $state['syncs'],
            'syncFailures' => $state['syncFailures'],
            'syncFailuresInRow' => $state['failuresInRow'],
            'syncedSecondsAgo' => $state['checkedMs'] !== 0 && $state['checkedMs'] <= $now ? ($now - $state['checkedMs']) / 1000 : null,
            'lastError' => $state['lastError'],
            'lastErrorAt' => $state['lastError'] === null ? null : $state['lastErrorMs'] / 1000,
            'loadFailures' => $state['loadFailures'],
            'loadFailuresInRow' => $state['loadFailuresInRow'],
            'loadError' => $state['loadError'],
            'loadErrorAt' => $state['loadError'] === null ? null : $state['loadErrorMs'] / 1000,
        ];
    }
}

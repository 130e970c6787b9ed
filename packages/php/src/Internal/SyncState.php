<?php

namespace Bloom\Internal;

use Bloom\Status;
use Bloom\SyncResult;

/**
 * When a filter was synced last: a file. The process that syncs keeps another one locked, because on Windows, no other
 * process could read a locked file.
 *
 * @phpstan-import-type Current from FilterDirectory
 * @phpstan-type Reached array{file: string, monotonicMs: int, wallMs: int, boot: string}
 * @phpstan-type State array{checkedMs: int, failedMs: int, failuresInRow: int, syncs: int, syncFailures: int, lastError: string|null,
 *         lastErrorMs: int, version: string, tries: int, retryMs: int, maxLagMs: int|null, reached: Reached|null}
 */
final class SyncState
{
    private const RETRY_MS_MAX = 300_000;
    private const LAG_MS_MAX = 60_000;
    private const NONE = ['checkedMs' => 0, 'failedMs' => 0, 'failuresInRow' => 0, 'syncs' => 0, 'syncFailures' => 0, 'lastError' => null,
        'lastErrorMs' => 0, 'version' => '', 'tries' => 0, 'retryMs' => 0, 'maxLagMs' => null, 'reached' => null];

    /** @var array<string, int|false>|null the process of each running call, by path; null: none yet */
    private static ?array $running = null;

    /** @return State */
    public static function read(string $path): array
    {
        /** @var State|null $state */
        $state = json_decode((string) System::retry(static fn (): string|false => @file_get_contents($path)), true);
        return ($state ?? []) + self::NONE;
    }

    /**
     * Changes the state. A drop has removed the file, and with it all that was noted.
     *
     * @param array<string, mixed> $changes
     */
    public static function change(string $path, array $changes): void
    {
        clearstatcache();
        $file = is_file($path) ? System::retry(static fn () => @fopen($path, 'r+b')) : false;
        if ($file !== false) {
            $text = json_encode($changes + self::read($path), JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
            ftruncate($file, 0);
            fwrite($file, $text);
            fclose($file);
        }
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
                self::change($path, ['failedMs' => Clock::monotonic()]);
                return $result;
            }
            $log->failures = $state['failuresInRow'];
            self::change($path, ['checkedMs' => max(1, Clock::monotonic()), 'failedMs' => 0, 'failuresInRow' => 0,
                'syncs' => $state['syncs'] + 1, 'tries' => 0]);
            return $result;
        } catch (\Throwable $error) {
            $log->isFailed = true;
            $log->failures = self::failed($path, $error->getMessage());
            throw $error;
        } finally {
            unset(self::$running[$path]);
        }
    }

    private static function failed(string $path, string $text): int
    {
        $state = self::read($path);
        self::change($path, ['failedMs' => Clock::monotonic(), 'failuresInRow' => $state['failuresInRow'] + 1,
            'syncFailures' => $state['syncFailures'] + 1, 'lastError' => self::readable($text), 'lastErrorMs' => Clock::milliseconds(),
            'retryMs' => self::retryMs($state['tries'])]);
        return $state['failuresInRow'] + 1;
    }

    private static function noteEnd(): void
    {
        foreach (self::$running ?? [] as $path => $process) {
            // The call goes on in the process that began it.
            if ($process === getmypid()) {
                self::failed($path, 'the script ended during the call');
            }
        }
    }

    /** Returns whether this version failed a moment ago. Another version is tried at once. */
    public static function isPaused(string $path, string $version): bool
    {
        $state = self::read($path);
        $left = $state['retryMs'] - Clock::monotonic();
        return $state['tries'] > 0 && $state['version'] === $version && $left > 0 && $left < 2 * self::RETRY_MS_MAX;
    }

    /** Counts an attempt to load a version before it is made, so that a version that kills the process is paused as well. */
    public static function beginLoad(string $path, string $version): void
    {
        $state = self::read($path);
        $tries = $state['version'] === $version ? $state['tries'] + 1 : 1;
        self::change($path, ['version' => $version, 'tries' => $tries, 'retryMs' => self::retryMs($tries)]);
    }

    /** The pause is a quarter longer or shorter at random, so that hosts do not fetch at the same time. */
    private static function retryMs(int $tries): int
    {
        $pause = min(self::RETRY_MS_MAX, 1000 << max(0, min(9, $tries - 1)));
        return Clock::monotonic() + intdiv($pause * random_int(75, 125), 100);
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

    // ---- journals ----

    /** @return array{monotonicMs: int, wallMs: int, boot: string} the present times */
    public static function now(): array
    {
        return ['monotonicMs' => Clock::monotonic(), 'wallMs' => Clock::milliseconds(), 'boot' => rtrim(Process::proc('sys/kernel/random/boot_id'))];
    }

    /**
     * Notes that a file of the journal's keys was complete at a time. The smallest lag that was passed stays until a drop.
     *
     * @param array{monotonicMs: int, wallMs: int, boot: string} $at
     */
    public static function reached(string $path, string $file, array $at): void
    {
        self::change($path, ['reached' => ['file' => $file] + $at]);
    }

    public static function limitLag(string $path, ?float $maxLag): void
    {
        if ($maxLag !== null) {
            $asked = $maxLag === 0.0 ? PHP_INT_MAX : (int) ceil($maxLag * 1000);
            self::change($path, ['maxLagMs' => min($asked, self::read($path)['maxLagMs'] ?? PHP_INT_MAX)]);
        }
    }

    /**
     * Returns how long ago the journal's keys were complete, and how long ago this may be, in milliseconds.
     *
     * @param Current $current
     *
     * @return array{int, int}
     */
    public static function lag(string $path, array $current): array
    {
        $state = self::read($path);
        $now = self::now();
        $reached = $state['reached'];
        $isKnown = $reached !== null && $reached['file'] === $current['journal'] && $reached['boot'] === $now['boot']
            && $reached['monotonicMs'] <= $now['monotonicMs'];
        // Where a boot has no number, a clock that starts again at a boot may look as if no time had passed.
        $lag = $isKnown ? max($now['monotonicMs'] - $reached['monotonicMs'], $now['boot'] === '' ? abs($now['wallMs'] - $reached['wallMs']) : 0)
            : PHP_INT_MAX;
        return [$lag, $state['maxLagMs'] ?? self::LAG_MS_MAX];
    }

    /** @return array<string, mixed> the properties of LoadedInfo */
    public static function info(string $path): array
    {
        $state = self::read($path);
        $now = Clock::monotonic();
        $failure = ['loadFailures' => $state['syncFailures'], 'loadFailuresInRow' => $state['failuresInRow'], 'loadError' => $state['lastError']];
        return $failure + [
            'syncs' => $state['syncs'],
            'syncFailures' => $state['syncFailures'],
            'syncFailuresInRow' => $state['failuresInRow'],
            'syncedSecondsAgo' => $state['checkedMs'] !== 0 && $state['checkedMs'] <= $now ? ($now - $state['checkedMs']) / 1000 : null,
            'lastError' => $state['lastError'],
            'lastErrorAt' => $state['lastError'] === null ? null : $state['lastErrorMs'] / 1000,
            'loadErrorAt' => $state['lastError'] === null ? null : $state['lastErrorMs'] / 1000,
        ];
    }
}

<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** What Filter::health() found about a filter. */
final class Health extends Info
{
    public readonly string $name;
    /** The worst status of the reasons: critical, then warning, then unknown. */
    public readonly HealthStatus $status;
    /** @var list<string> why the status is not Ok, the worst first */
    public readonly array $reasons;
    /** @var list<string> facts that do not change the status: hosts are pinned or were rolled back to the served version */
    public readonly array $notes;
    /** Whether the filter is loaded and lookups can use it. Warnings, ages and rates do not count. */
    public readonly bool $isReady;
    /** null: the filter is not loaded or cannot be opened */
    public readonly ?FilterInfo $info;
    /** Seconds since the blob was built. null: a live filter */
    public readonly ?float $buildAge;
    /** Seconds since the last successful sync. null: never synced */
    public readonly ?float $syncAge;
    /** How many versions the served one is behind the store: 0 or 1. null: no store was given, or the number is unknown */
    public readonly ?int $behind;
    /** Free bytes that the next reload, or the next layer of a scalable filter, needs. null: the filter needs none */
    public readonly ?int $reloadBytes;
    /** Free bytes of the segment: on its file system, or up to `bloom.memory_limit`. null: unlimited */
    public readonly ?int $freeBytes;
    /** @var list<string> files in the filter's directory that the extension did not create */
    public readonly array $foreignFiles;
}

<?php

namespace Bloom\Cli;

use Bloom\Blob;
use Bloom\BloomException;
use Bloom\Filter;
use Bloom\LoadedInfo;
use Bloom\Store;
use Bloom\Version;

/** A filter in a store, and what this host serves under its name. */
final class Stored
{
    /** @param list<Version> $versions */
    private function __construct(
        public readonly string $name,
        public readonly array $versions,
        public readonly ?string $error,
        public readonly ?ExitCode $code,
        public readonly ?string $here
    ) {
    }

    /**
     * Asks the store. A failure belongs to the result, so that other filters can still be shown.
     *
     * @param string $shown the store's URL for messages
     */
    public static function find(Store $store, string $shown, string $name, bool $verify = false): self
    {
        try {
            $versions = Blob::versions($store, $name, $verify);
        } catch (BloomException $thrown) {
            $reason = $thrown->getMessage();
            $named = str_starts_with($reason, "the store $shown ") ? $reason : "the store $shown: $reason";
            return new self($name, [], $named, ExitCode::of($thrown), self::here($name));
        }
        $errors = array_filter(array_map(static fn (Version $one): ?string => $one->error, $versions));
        $isEmpty = $versions === [];
        return new self(
            $name,
            $versions,
            $isEmpty ? 'the store has no such filter' : (implode('; ', $errors) ?: null),
            $isEmpty ? ExitCode::TryAgain : ($errors === [] ? null : ExitCode::Data),
            self::here($name)
        );
    }

    /** Returns the checksum of the version that this host serves; null: the filter is not loaded from a blob. */
    private static function here(string $name): ?string
    {
        try {
            $info = Filter::find($name)?->info();
        } catch (BloomException) {
            return null;
        }
        return $info instanceof LoadedInfo ? $info->checksum : null;
    }

    /** Returns the version that hosts serve. */
    public function served(): ?Version
    {
        return array_values(array_filter($this->versions, static fn (Version $one): bool => $one->isServed))[0] ?? null;
    }

    /** Returns how many versions this host is behind the one that hosts serve; null: its version is not in the store. */
    public function behind(): ?int
    {
        $checksums = array_map(static fn (Version $one): string => $one->checksum, $this->versions);
        $here = array_search($this->here, $checksums, true);
        $served = array_search($this->served()?->checksum, $checksums, true);
        return is_int($here) && is_int($served) ? $here - $served : null;
    }

    /** Returns what this host serves, in a few words. */
    public function host(): string
    {
        $behind = $this->behind();
        return match (true) {
            $this->here === null => 'not loaded',
            $behind === null => 'an unknown version',
            $behind === 0 => 'up to date',
            $behind < 0 => 'a newer version',
            default => Text::counted($behind, 'version') . ' behind',
        };
    }

    /** Returns which version hosts serve and why. */
    public function state(): string
    {
        $served = $this->served();
        return match (true) {
            $served === null => '?',
            $served->pinnedSince !== null => 'pinned ' . Text::time($served->pinnedSince),
            $served->rolledBackAt !== null => 'rolled back ' . Text::time($served->rolledBackAt),
            default => 'current',
        };
    }

    /** @return array<string, mixed> for JSON */
    public function json(): array
    {
        return ['name' => $this->name, 'versions' => $this->versions, 'here' => $this->here, 'behind' => $this->behind(),
            'error' => $this->error];
    }

    /** @return list<string> a table of the versions */
    public function lines(): array
    {
        $isVerified = array_filter($this->versions, static fn (Version $one): bool => $one->missingChunks !== null) !== [];
        $rows = [['VERSION', 'LABEL', 'BUILT', 'KEYS', 'SIZE', 'CHUNKS', 'SHARED', ...($isVerified ? ['MISSING', 'DAMAGED'] : [])]];
        $bad = [];
        foreach ($this->versions as $one) {
            $label = $one->label ?? 'kept';
            $rows[] = $one->error !== null
                ? array_pad(['?', $label], count($rows[0]), '?')
                : [$one->checksum, $label . ($one->isServed ? ' *' : ''), Text::time($one->builtAt), Text::count($one->keys),
                    Text::size($one->bytes), Text::count($one->chunks), Text::count($one->sharedChunks),
                    ...($isVerified ? [Text::count($one->missingChunks ?? 0), Text::count($one->damagedChunks ?? 0)] : [])];
            $bad = [...$bad, ...$one->badChunks];
        }
        $behind = $this->here !== null && $this->behind() === null ? " ($this->here)" : '';
        return [
            ...($this->versions === [] ? [] : Layout::table($rows, ['SHARED', 'CHUNKS', 'SIZE', 'KEYS'])),
            ...Text::labelled([
                'hosts serve' => $this->state() === '?' ? null : ($this->served()?->checksum . ', ' . $this->state()),
                'this host' => $this->host() . $behind,
            ]),
            ...array_map(static fn (string $key): string => "bad chunk        $key", array_values(array_unique($bad))),
        ];
    }
}

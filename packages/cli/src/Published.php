<?php

namespace Bloom\Cli;

use Bloom\Store;

/** What the head of the published version says. Hosts check the head; here, a damaged one says nothing. */
final class Published
{
    // docs/dev/blob.md, "The fixed part"
    private const HEAD_BYTES_MIN = 256;
    private const SCHEME_AT = 52;
    private const SOURCE_BYTES_AT = 124;
    private const SOURCE_AT = 128;
    private const SCHEME_MAP = 5;

    private function __construct(private readonly string $name, private readonly ?string $head)
    {
    }

    public static function of(Store $store, string $name): self
    {
        $head = LazyStore::clearly(static fn (): array => $store->getMultiple([$name]))[$name] ?? '';
        $isHead = is_string($head) && str_starts_with($head, Blobs::MAGIC) && strlen($head) >= self::HEAD_BYTES_MIN;
        return new self($name, $isHead ? $head : null);
    }

    public function source(): ?string
    {
        return $this->head === null ? null : substr($this->head, self::SOURCE_AT, min(128, self::number($this->head, self::SOURCE_BYTES_AT)));
    }

    /** Null: there is no version, or its head is damaged. */
    public function isMap(): ?bool
    {
        return $this->head === null ? null : self::number($this->head, self::SCHEME_AT) === self::SCHEME_MAP;
    }

    /** Fails if the version is a map, because a map follows no journal. */
    public function refuseMap(): void
    {
        if ($this->isMap() === true) {
            throw new Failure(ExitCode::CannotCreate, "$this->name: the published version is a map, which follows no journal: build it "
                . 'again with all keys, and publish it');
        }
    }

    private static function number(string $head, int $at): int
    {
        return unpack('V', $head, $at)[1];
    }
}

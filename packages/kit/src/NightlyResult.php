<?php

declare(strict_types=1);

namespace Bloom\Kit;

use Bloom\Blob;
use Bloom\BlobInfo;

/** What NightlyBuild published. As a string, it is one line for a log. */
final readonly class NightlyResult implements \Stringable
{
    /**
     * @param int $chunks of the version
     * @param int $chunksWritten those that the store did not have
     * @param string|null $warning what could not be deleted from the store
     */
    private function __construct(
        public string $name,
        public BlobInfo $info,
        public int $chunks,
        public int $chunksWritten,
        public int $bytesWritten,
        public ?string $warning,
    ) {
    }

    /**
     * @internal
     *
     * @param array{chunks: int, chunksWritten: int, bytesWritten: int, warning: ?string} $published by Blob::publish()
     */
    public static function of(string $name, Blob $blob, array $published): self
    {
        return new self(
            $name,
            $blob->info(),
            $published['chunks'],
            $published['chunksWritten'],
            $published['bytesWritten'],
            $published['warning'],
        );
    }

    public function __toString(): string
    {
        return sprintf(
            '%s: published about %s keys in %s bytes, sized for %s, %.2g %% false positives, %s, %d of %d chunks written%s',
            $this->name,
            number_format($this->info->estimatedKeys),
            number_format($this->info->bytes),
            number_format($this->info->capacity),
            100 * $this->info->measuredFalsePositiveRate,
            $this->info->mark === null ? 'no journal' : 'with its journal',
            $this->chunksWritten,
            $this->chunks,
            $this->warning === null ? '' : "; warning: $this->warning",
        );
    }
}

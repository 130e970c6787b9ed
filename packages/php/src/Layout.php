<?php

namespace Bloom;

/** How the bytes of a filter are laid out. */
final class Layout
{
    use Internal\Sealed;

    public function __construct(
        public readonly ?int $shardBytes = null,
        public readonly ?int $blockBytes = null,
        public readonly ?int $probes = null,
        public readonly ?int $chunkBytes = null
    ) {
    }
}

<?php

namespace Bloom\Internal;

/** What the head of a blob says besides the layout of its bits. */
final class Meta
{
    /** @param string $mark 56 bytes, as in the head; "" or zeros: none */
    public function __construct(
        public int $capacity,
        public float $askedRate,
        public int $builtMs,
        public int $chunkBytes,
        public string $source = '',
        public string $mark = ''
    ) {
    }
}

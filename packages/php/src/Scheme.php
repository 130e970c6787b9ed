<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** How the bytes of a blob answer lookups. */
enum Scheme: string
{
    /** A blocked Bloom filter. Blobs of this scheme can be merged. */
    case Bloom = 'bloom';
    /** A ribbon filter: smaller, but slower, and it cannot be merged. */
    case Ribbon = 'ribbon';
    /** A reverse index, which ReverseIndexBuilder builds. */
    case Reverse = 'reverse';
}

<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** A live or counting filter. */
class LiveInfo extends FilterInfo
{
    public readonly float $created;
    /** null: the filter has no time to live */
    public readonly ?float $expiresAt;
    /** true: a new key is refused when `keys` has reached `capacity` */
    public readonly bool $bounded;
}

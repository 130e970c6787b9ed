<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/**
 * A filter has too many keys for its size: the measured false-positive rate of a finished filter exceeds
 * the limit, or a bounded filter is full.
 */
class RateException extends BloomException
{
}

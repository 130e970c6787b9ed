<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/**
 * The filter with this name is of a different kind, has different parameters, or does not support the
 * operation.
 */
class KindException extends BloomException
{
}

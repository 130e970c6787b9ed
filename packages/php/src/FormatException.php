<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/**
 * The bytes are not a valid blob, or the blob was built more than a day ahead of this host's clock. The
 * message names the check that failed.
 */
class FormatException extends BloomException
{
}

<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/**
 * Base class of this extension's exceptions. Each subclass groups errors that callers handle in the
 * same way.
 */
class BloomException extends \Exception
{
}

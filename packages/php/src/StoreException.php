<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/**
 * The store failed, returned a value of the wrong type, or does not have the requested value. If the
 * store's own code threw an exception, getPrevious() returns it.
 */
class StoreException extends BloomException
{
}

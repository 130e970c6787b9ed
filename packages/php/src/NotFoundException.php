<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** No filter with this name is loaded on this host. This does not mean that a key is absent. */
class NotFoundException extends BloomException
{
}

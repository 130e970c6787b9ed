<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** `bloom.signing_key_file` is set, and a blob has no valid signature or is older than the served version. */
class SignatureException extends BloomException
{
}

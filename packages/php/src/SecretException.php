<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/**
 * A required secret or signing key is not available: none is configured, its file was refused, the
 * filter was keyed with a different secret, or this build has no libsodium. Messages never contain any
 * part of a secret.
 */
class SecretException extends BloomException
{
}

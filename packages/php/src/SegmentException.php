<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/**
 * The segment's directory or a file in it was refused, the segment is full or would exceed a limit, or
 * a system call failed.
 */
class SegmentException extends BloomException
{
}
